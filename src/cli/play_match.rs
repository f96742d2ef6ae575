//! `mancala match`: two bots play a match.

use std::hash::{BuildHasher, RandomState};
use std::io::{self, Write};
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

use super::Failure;
use super::faults::FaultArgs;
use super::logs::{finish_log, open_log};
use super::prepare::{SecondInterrupt, prepare};
use super::rules::RulesArgs;
use super::sandbox_notice::print_sandbox_notice;
use super::terms::TermsArgs;
use crate::bot::{BotCommand, name_apart};
use crate::record::Appender;
use crate::referee::{Event, MatchSetup, ROUNDS};
use crate::report::{Commentary, OutputFormat, ProgressLine, Width, write_match};
use crate::seat::{PerSeat, Seat};
use crate::session::Session;
use crate::text::printable;
use crate::words::words;

/// Play a match: two rounds from the same opening, the starter swapped, the scores added up.
///
/// BOT is a command line such as "python3 greedy.py --depth 4", split into words as a shell
/// would; NAME=COMMAND names it. builtin:random, builtin:easy, builtin:average and builtin:hard
/// are there without any program.
///
/// Exit codes: 0 the match was played, whoever won or forfeited; 1 it could not be played; 2 the
/// command line is wrong; 3 a bot faulted (with --strict); 130 interrupted.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
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
    terms: TermsArgs,

    #[command(flatten)]
    faults: FaultArgs,

    /// How the result is written to stdout: table, json, markdown or csv
    #[arg(long, value_name = "FORMAT", default_value_t = OutputFormat::Table, help_heading = "Output")]
    format: OutputFormat,

    /// Append the match's record, one JSON line, to this file
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    record: Option<PathBuf>,

    /// Keep all that goes to and from the bots, and a bundle of each fault, in a folder of the
    /// match's own in this folder
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    log: Option<PathBuf>,

    /// Show the board after every move, on stderr
    #[arg(short, long, help_heading = "Output")]
    verbose: bool,

    /// Exit with code 3 when a bot faulted
    #[arg(long, help_heading = "Output")]
    strict: bool,
}

/// Who begins a match.
#[derive(Clone, Copy, Debug)]
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
    let rounds = text.parse().ok().filter(|rounds: &NonZeroU32| *rounds <= ROUNDS);
    rounds.ok_or("a match has 1 or 2 rounds")
}

pub(super) fn run(args: Args) -> Result<(), Failure> {
    let commands = PerSeat([args.bot, args.opponent]);
    let setup = MatchSetup {
        rules: args.rules.rules(),
        opening: args.rules.opening(),
        terms: args.faults.apply(args.terms.terms()?)?,
        bots: name_apart(&commands).map_err(|error| Failure::Usage(error.to_string()))?,
        first: args.first.seat(),
        rounds: args.rounds,
    };
    let mut appender = args.record.as_deref().map(open_record).transpose()?;

    let mut log = args.log.as_deref().map(|folder| open_log(folder, &setup)).transpose()?;

    let interrupt = prepare(SecondInterrupt::Exits)?;
    let session = Session::open(setup.terms.keeping.clone(), Some(&interrupt))?;
    let mut bots = session.seat(&commands);
    if setup.terms.keeping.sandbox.is_some() {
        let reach = bots.reach();
        let of = |seat: Seat| (&*setup.bots[seat].name, &reach[seat]);
        print_sandbox_notice(&[of(Seat::A), of(Seat::B)]);
    }
    let record = session.play(&setup, &mut bots, log.as_mut(), &mut on_stderr(args.verbose))?;
    // Before the bots are given the time to exit.
    let recorded = appender.as_mut().map_or(Ok(()), |appender| appender.append(&record));
    bots.end();

    let mut stdout = io::stdout().lock();
    let written = write_match(&mut stdout, &record, args.format, Width::of_stdout())
        .and_then(|()| stdout.flush());
    recorded.map_err(|error| {
        let path = args.record.unwrap_or_default();
        let path = printable(&path.to_string_lossy());
        Failure::Work(format!("the match was played, but not recorded in {path}: {error}"))
    })?;
    let logged = log.map_or(Ok(()), |log| finish_log(log, &setup));
    written.map_err(|error| Failure::of_stdout(&error))?;
    logged?;
    if args.strict && record.has_fault() { Err(Failure::Faulted) } else { Ok(()) }
}

/// Shows what happens on stderr: every board, or one line that says how far the match is.
fn on_stderr(verbose: bool) -> impl FnMut(Event<'_>) {
    let mut commentary = verbose.then(|| Commentary::new(io::stderr().lock()));
    let mut progress = (!verbose).then(ProgressLine::on_stderr);
    move |event| {
        if let Some(progress) = &mut progress {
            progress.tell(event);
        }
        // A closed stderr is no reason to stop a match.
        if let Some(Err(_)) = commentary.as_mut().map(|commentary| commentary.tell(event)) {
            commentary = None;
        }
    }
}

/// Opens the record file before anything is played, so that a match is not played for nothing.
pub(super) fn open_record(path: &Path) -> Result<Appender, Failure> {
    Appender::open(path).map_err(|error| {
        let path = printable(&path.to_string_lossy());
        Failure::Work(format!(
            "cannot write the record file {path}: {error}; give --record a file in a folder you may write to"
        ))
    })
}
