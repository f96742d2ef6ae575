//! `mancala match`: two bots play a match.

use std::hash::{BuildHasher, RandomState};
use std::io::{self, Write};
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

use super::failure::{CliResult, Failure, Verdict, conclude};
use super::options::{MatchTermsArgs, MinFreeArgs, OutputArgs, RecordFile, RulesArgs};
use super::output::to_stdout;
use super::prepare::prepare;
use super::report::{page_file, write_report};
use super::sandbox_notice::print_sandbox_notice;
use crate::bot::{BotCommand, SeatedBots, StopSteps, Wardens, give_unique_names};
use crate::log::{Bundle, Log};
use crate::record::MatchRecord;
use crate::referee::{Event, MatchSetup, ROUNDS};
use crate::report::{
    Commentary, OutputFormat, ProgressLine, Width, placement_warning, print_message, write_match,
};
use crate::seat::{PerSeat, Seat};
use crate::session;
use crate::text::{printable, printable_path};
use mancala_game::words;

/// Play a match: two rounds from the same opening, the starter swapped, the scores added up.
///
/// BOT is a command line such as "python3 greedy.py --depth 4", split into words as a shell
/// would; NAME=COMMAND names it. builtin:random, builtin:easy, builtin:average, builtin:hard and
/// builtin:expert need no program.
///
/// Exit codes: 0 the match was played, whoever won or forfeited; 1 it could not be played; 2 the
/// command line is wrong; 3 a bot faulted (with --strict); 130 interrupted.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  mancala match \"python3 my_bot.py\" builtin:easy
  mancala match --rules ece1021 --move-time 500ms --record games.jsonl ./a ./b
  mancala match --log logs -v \"ann=./bot --depth 4\" \"bob=java -cp out Bob\"")]
pub(super) struct Args {
    /// The bot that begins the first round, unless --first says otherwise
    #[arg(value_name = "BOT")]
    bot: BotCommand,

    /// Its opponent
    #[arg(value_name = "BOT")]
    opponent: BotCommand,

    /// How many rounds are played, 1 or 2; the starter changes with each
    #[arg(long, value_name = "N", default_value_t = ROUNDS, value_parser = rounds, allow_hyphen_values = true)]
    rounds: NonZeroU32,

    /// Who begins the first round: the first bot, the second, or one drawn at random
    #[arg(long, value_name = "first|second|random", default_value_t = Starter::First)]
    first: Starter,

    #[command(flatten)]
    rules: RulesArgs,

    #[command(flatten)]
    terms: MatchTermsArgs,

    #[command(flatten)]
    output: OutputArgs,

    /// Append the match's record, one JSON line, to this file; - is stdout, and the result then
    /// goes to stderr
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    record: Option<PathBuf>,

    #[command(flatten)]
    min_free: MinFreeArgs,

    /// Make an HTML page with both rounds on a board that replays them, as mancala report does
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    report: Option<PathBuf>,

    /// Keep what is sent to and received from the bots, and a bundle for each fault, in a new folder
    /// inside DIR
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    log: Option<PathBuf>,

    /// Show the board after every move, on stderr
    #[arg(short, long, conflicts_with = "quiet", help_heading = "Output")]
    verbose: bool,

    /// Exit with code 3 when a bot faulted
    #[arg(long, help_heading = "Output")]
    strict: bool,
}

/// Who begins a match.
#[derive(Clone, Copy)]
enum Starter {
    First,
    Second,
    Random,
}

words!(Starter, "first, second or random", First = "first", Second = "second", Random = "random");

impl Starter {
    fn seat(self) -> Seat {
        match self {
            Starter::First => Seat::A,
            Starter::Second => Seat::B,
            // The hasher's keys are random; nothing needs this draw to be repeated, for the
            // record says who began.
            Starter::Random => Seat::BOTH[usize::from(RandomState::new().hash_one(()) % 2 == 1)],
        }
    }
}

fn rounds(text: &str) -> Result<NonZeroU32, &'static str> {
    match text.parse::<NonZeroU32>() {
        Ok(rounds) if rounds <= ROUNDS => Ok(rounds),
        Ok(_) => {
            Err("a match has 1 or 2 rounds; for more, play several matches with mancala tournament")
        }
        Err(_) => Err("a match has 1 or 2 rounds"),
    }
}

pub(super) fn run(args: Args) -> CliResult {
    let commands = PerSeat([args.bot, args.opponent]);
    let setup = MatchSetup {
        rules: args.rules.ruleset.rules(),
        opening: args.rules.opening(),
        terms: args.terms.terms()?,
        bots: give_unique_names(&commands).map_err(Failure::usage)?,
        first: args.first.seat(),
        rounds: args.rounds,
        hides_details: false,
    };
    let mut file = RecordFile::open(args.record.as_deref(), args.min_free.bytes())?;
    let why = "--format json writes the record to stdout already; leave out --record -";
    Failure::refuse_if(file.is_stdout() && args.output.format == OutputFormat::Json, why)?;
    let page = args.report.as_deref().map(|path| page_file("--report", path)).transpose()?;
    let mut log = args.log.as_deref().map(|folder| open_log(folder, &setup)).transpose()?;

    let interrupt = prepare(StopSteps::EndThenExit)?;
    let wardens = Wardens::new(setup.terms.keeping.clone(), Some(&interrupt))?;
    let mut bots = SeatedBots::seat(&commands, &wardens);
    let is_quiet = args.output.quiet.is_quiet();
    let reach = bots.reach();
    let of = |seat: Seat| (&*setup.bots[seat].name, &reach[seat]);
    print_sandbox_notice(&[of(Seat::A), of(Seat::B)], &setup.terms.keeping, is_quiet);
    let mut on_stderr = on_stderr(args.verbose, is_quiet);
    let record = session::play(&setup, &mut bots, log.as_mut(), &mut on_stderr)?;
    let left_its_cores = bots.left_its_cores();
    for seat in Seat::BOTH.into_iter().filter(|&seat| left_its_cores[seat]) {
        print_message(&placement_warning(&setup.bots[seat].name));
    }
    // Before the bots are given the time to exit.
    let recorded = file.append(&record);
    bots.end();

    let written = write_result(&record, args.output.format, file.is_stdout());
    let logged = log.map_or(Ok(()), |log| finish_log(log, &setup));
    let shown = page.map_or(Ok(()), |page| {
        let place = if record.has_fault() { file.place_of(&record) } else { None };
        write_report(&page, &record, place)
    });
    let work =
        recorded.and(logged).and(shown).map(|()| Verdict::of(args.strict && record.has_fault()));
    conclude(work, written)
}

/// Writes the result to stdout; to stderr where the record has stdout for itself.
fn write_result(record: &MatchRecord, format: OutputFormat, to_stderr: bool) -> io::Result<()> {
    if !to_stderr {
        return to_stdout(|out| write_match(out, record, format, Width::of_stdout()));
    }
    let mut result = Vec::new();
    write_match(&mut result, record, format, Width::Whole)?;
    // A closed stderr is ignored: the record is written all the same.
    let _ = io::stderr().write_all(&result);
    to_stdout(|out| write_match(out, record, OutputFormat::Json, Width::Whole))
}

/// Shows what happens on stderr: every board, one line that says how far the match is, or nothing.
fn on_stderr(verbose: bool, is_quiet: bool) -> impl FnMut(Event<'_>) {
    let mut commentary = verbose.then(|| Commentary::new(io::stderr().lock()));
    let mut progress = (!verbose && !is_quiet).then(ProgressLine::on_stderr);
    move |event| {
        if let Some(progress) = &mut progress {
            progress.update(event);
        }
        // If stderr is closed, the match goes on.
        if let Some(Err(_)) = commentary.as_mut().map(|commentary| commentary.write(event, None)) {
            commentary = None;
        }
    }
}

/// Makes the log's folder before anything is played.
fn open_log(folder: &Path, contest: &MatchSetup) -> CliResult<Log> {
    Log::create(folder, contest).map_err(|error| {
        let why = format!("{error}; give --log a folder that you may write to");
        Failure::at("cannot make a log in", folder)(why)
    })
}

/// Most faults of which it is said where their bundles are.
const BUNDLES_TOLD: usize = 10;

/// Ends the log, and says on stderr where it is and where the bundle of each fault.
fn finish_log(mut log: Log, contest: &MatchSetup) -> CliResult {
    let folder = log.folder().to_owned();
    let mut news = vec![format!("the log is in {}", printable_path(&folder))];
    for (seat, round, bundle) in log.bundles.iter().take(BUNDLES_TOLD) {
        let (name, path) = (printable(&contest.bots[*seat].name), printable_path(bundle));
        let again = Bundle::read(bundle).map_or_else(
            |_| String::new(),
            |bundle| format!("\n  {}", printable(&bundle.reproduce)),
        );
        news.push(format!(
            "the fault of {name} in round {round} is in {path}; see it again:{again}"
        ));
    }
    let untold = log.bundles.len().saturating_sub(BUNDLES_TOLD);
    if untold > 0 {
        news.push(format!("and {untold} more in the same folder"));
    }
    log.finish().map_err(Failure::at("the match was played, but not all logged in", &folder))?;
    for line in news {
        print_message(&line);
    }
    Ok(())
}
