//! `mancala tournament`: many matches between many bots.

mod estimate;
mod feedback;
mod live_page;
mod match_schema;
mod notices;
mod observers;
mod option_values;
mod options;
mod outlook;
mod outputs;
mod overview;
mod planning;
mod running;
mod trial;
mod wanted_plan;

use std::path::PathBuf;
use std::time::Duration;

use clap::ArgMatches;

use super::failure::{CliResult, Failure, Verdict, conclude, print_result};
use super::options::{OutputArgs, RankByArgs, positive, whole};
use super::output::to_stdout;
use crate::bot::BotCommand;
use crate::record::Shard;
use crate::report::{Width, print_message};
use crate::rules::Suite;
use crate::standings::{SprtTerms, StandingsOptions};
use crate::text::printable_path;
use crate::tournament::{CoreList, MAX_OPENINGS, MAX_REPEATS, ResumeMode, config_of};
pub(super) use match_schema::match_options_schema;
use options::MatchOptionArgs;
use overview::write_overview;
use planning::Planned;

/// Play many matches: every bot against every other, each pairing from the same openings.
///
/// BOT is a command line as for mancala match; a config (--config) can name bots by a pattern over
/// a folder. Each match is one line of the record file, written when it ends; the
/// same command with --resume goes on where it stopped.
///
/// Exit codes: 0 all matches were played, or it ended as asked (--sprt, --stop-on-fault); 1 some
/// stayed unfinished, or the tournament could not be played; 2 the command line, config or
/// openings are wrong; 3 a bot faulted (with --strict); 130 interrupted.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  mancala tournament builtin:easy ./my_bot --openings random:4 --count 10
  mancala tournament --config class.toml --record class.jsonl --resume")]
#[expect(clippy::doc_markdown, reason = "shown on a terminal, file:PATH is what to type")]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
pub(super) struct Args {
    /// The bots: at least two, counting those of the config
    #[arg(value_name = "BOT")]
    bots: Vec<BotCommand>,

    /// Read bots and options from this file (TOML); options of the command
    /// line override the file's; its bots come after the file's
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,

    /// The first N bots each meet all others, and not each other [default: 1]
    #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true,
          conflicts_with_all = ["swiss", "round_robin"], help_heading = "Schedule")]
    #[expect(clippy::option_option, reason = "the option may stand without its value")]
    gauntlet: Option<Option<usize>>,

    /// Swiss system: bots with equal points meet, no pair twice; --count is the number of rounds, each
    /// of which needs an opening of its own
    #[arg(long, conflicts_with = "round_robin", help_heading = "Schedule")]
    swiss: bool,

    /// Every bot meets every other [the default]
    #[arg(long, help_heading = "Schedule")]
    round_robin: bool,

    /// The openings of the matches: standard, random:PLIES, fairkalah or a file, as file:PATH
    /// [default: standard]
    #[arg(long, value_name = "SUITE", help_heading = "Schedule")]
    openings: Option<Suite>,

    /// How many openings; each pairing plays a match from each [default: 1]
    #[arg(long, value_name = "N", value_parser = whole::<usize>(1..=MAX_OPENINGS), allow_hyphen_values = true,
          help_heading = "Schedule")]
    count: Option<usize>,

    /// How often each pairing plays each opening, for bots that choose at random [default: 1]
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=MAX_REPEATS),
          allow_hyphen_values = true, help_heading = "Schedule")]
    repeat: Option<u64>,

    /// Seed of random openings, and of the order of a suite's or file's openings (1: its own order)
    /// [default: 1]
    #[arg(long, value_name = "N", value_parser = whole::<u64>(0..=u64::MAX), allow_hyphen_values = true,
          help_heading = "Schedule")]
    seed: Option<u64>,

    /// Play only the K-th of N equal parts of the schedule; give each part a --record file of its own
    #[arg(long, value_name = "K/N", default_value_t = Shard::WHOLE, help_heading = "Schedule")]
    shard: Shard,

    /// What the tournament is called
    #[arg(long, value_name = "NAME", value_parser = name, help_heading = "Schedule")]
    name: Option<String>,

    /// Disqualify a bot after N faults: it plays no more and none of its matches count
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=u32::MAX.into()),
          allow_hyphen_values = true, help_heading = "Faults")]
    disqualify_after: Option<u32>,

    /// Reuse a bot's process from match to match, paused between matches; after a fault a new one
    /// starts
    #[arg(long, help_heading = "Workers")]
    reuse_bots: bool,

    /// With --reuse-bots: restart the process after N matches
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=u32::MAX.into()),
          allow_hyphen_values = true, help_heading = "Workers")]
    restart_after: Option<u32>,

    /// Workers, each a process on a core of its own [default: one for each free core]
    #[arg(long, value_name = "N", value_parser = whole::<usize>(1..=1024),
          allow_hyphen_values = true, help_heading = "Workers")]
    jobs: Option<usize>,

    /// The processors to play on, such as 0,2-5 [default: one of each core]
    #[arg(long, value_name = "LIST", help_heading = "Workers")]
    cores: Option<CoreList>,

    /// Cores for each match, for bots with threads
    #[arg(long, value_name = "N", value_parser = whole::<usize>(1..=1024), default_value_t = 1,
          allow_hyphen_values = true, help_heading = "Workers")]
    cores_per_match: usize,

    /// Allow more workers than free cores: times become unreliable
    #[arg(long, help_heading = "Workers")]
    oversubscribe: bool,

    /// The longest that the build of a bot may take
    #[arg(long, value_name = "TIME", value_parser = positive, default_value = "2m",
          allow_hyphen_values = true, help_heading = "Workers")]
    build_time: Duration,

    /// The longest that the check of a bot may take
    #[arg(long, value_name = "TIME", value_parser = positive, default_value = "1m",
          allow_hyphen_values = true, help_heading = "Workers")]
    check_time: Duration,

    #[command(flatten)]
    options: MatchOptionArgs,

    /// Play bots found by a pattern of the config, and build them, without the sandbox: they can do
    /// all that your user can
    #[arg(long, conflicts_with = "sandbox", help_heading = "What a bot may use")]
    no_sandbox: bool,

    /// Stop when this sequential test of two bots is decided, such as elo0=0,elo1=10 (is the first
    /// stronger by elo1 rather than by elo0?)
    #[arg(long, value_name = "TEST", help_heading = "Schedule")]
    sprt: Option<SprtTerms>,

    /// Write each match to this file as it ends
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    record: Option<PathBuf>,

    /// Go on with the tournament in the record file
    #[arg(long, requires = "record", help_heading = "Output")]
    resume: bool,

    /// Continue the tournament in the record file with today's bots: matches between unchanged bots
    /// are kept, those of changed bots are played again, new bots play all their matches, and matches
    /// of withdrawn bots no longer count
    #[arg(long, requires = "record", help_heading = "Output")]
    update: bool,

    /// With --update, let the earlier versions of a changed bot play on: the first is BOT~1, the
    /// next BOT~2; a version that can no longer be run keeps its matches
    #[arg(long, requires = "update", help_heading = "Output")]
    keep_old: bool,

    /// With --resume or --update, try disqualified bots again that did not build, start or pass the
    /// check, or whose worker died (this machine may be to blame); bots with too many faults stay
    /// disqualified
    #[arg(long, requires = "record", help_heading = "Output")]
    retry_disqualified: bool,

    #[command(flatten)]
    output: OutputArgs,

    #[command(flatten, next_help_heading = "Output")]
    ranking: RankByArgs,

    /// Write events to this file as JSON lines; - is stdout
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    events: Option<PathBuf>,

    /// Play nothing when a bot does not build, start or pass the check; exit with code 3 when a bot
    /// faulted
    #[arg(long, help_heading = "Faults")]
    strict: bool,

    /// Start no further match after the first fault; running matches are finished
    #[arg(long, help_heading = "Faults")]
    stop_on_fault: bool,

    /// Run mancala check on each bot before the first match; those with faults do not play
    #[arg(long, help_heading = "Faults")]
    check: bool,

    /// On a terminal, redraw one screen in place: the table, the progress, the running matches and
    /// the last faults
    #[arg(long, help_heading = "Output")]
    live: bool,

    /// Make a feedback folder for each bot's author in this folder: a page with the bot's results and
    /// faults, and transcripts and bundles of its own side of matches
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    feedback: Option<PathBuf>,

    /// Keep the log of each match in this folder, as mancala match --log does: a transcript for each
    /// bot and a bundle for each fault, in match-1, match-2, ...
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    log: Option<PathBuf>,

    /// Make an HTML page, as mancala report does, and make it again while matches are played
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    report: Option<PathBuf>,

    /// Hide names: the two bots of a match know each other as bot-1 and bot-2, no page of --feedback
    /// names another bot, and --report shows numbers
    #[arg(long, help_heading = "Output")]
    anonymous: bool,

    /// Show what would be played, and how long that takes by a trial of each bot, run as in a match, a
    /// few seconds in all; play no match
    #[arg(long, conflicts_with = "dump_config", help_heading = "Output")]
    dry_run: bool,

    /// Print the whole plan as a config that gives the same plan, and play nothing
    #[arg(long, help_heading = "Output")]
    dump_config: bool,
}

fn name(text: &str) -> Result<String, &'static str> {
    if text.trim().is_empty() { Err("the name is empty") } else { Ok(text.to_owned()) }
}

pub(super) fn run(args: &Args, matches: &ArgMatches) -> CliResult {
    let planned = Planned::of(args, matches)?;
    args.expect_record_to_update()?;
    if args.dump_config {
        let folder = planned.folder_elsewhere()?;
        let Planned { plan, options, versions, .. } = &planned;
        return print_result(&config_of(plan, options, versions, folder).map_err(Failure::Usage)?);
    }
    if args.dry_run {
        let outlook = planned.outlook(args)?;
        args.begins_anew(!outlook.goes_on()).iter().for_each(|words| print_message(words));
        feedback::refuse_used_folders(args)?;
        let overview = planned.overview(args.shard, args.record.as_deref(), outlook)?;
        let written = to_stdout(|out| write_overview(out, &overview, Width::of_stdout()));
        return conclude(Ok(Verdict::Clean), written);
    }
    running::play(args, planned)
}

impl Args {
    const fn go_on(&self) -> ResumeMode {
        match (self.update, self.resume) {
            (true, _) => ResumeMode::Update,
            (false, true) => ResumeMode::Resume,
            (false, false) => ResumeMode::No,
        }
    }

    /// An error if there is nothing to update.
    fn expect_record_to_update(&self) -> CliResult {
        // Another error than that it is missing comes when it is opened.
        let is_missing = |path: &&PathBuf| path.try_exists().is_ok_and(|is_there| !is_there);
        let missing = self.record.as_ref().filter(|_| self.update).filter(is_missing);
        missing.map_or(Ok(()), |path| {
            Err(Failure::Usage(format!(
                "{} is not there, so there is nothing to update; look at the name after --record, or \
                 leave out --update to begin a tournament",
                printable_path(path)
            )))
        })
    }

    /// That `--resume` has nothing to go on with, in words, if so. `is_empty` says whether the
    /// record file holds no tournament. A first run may have the option, too.
    fn begins_anew(&self, is_empty: bool) -> Option<String> {
        let path = self.record.as_ref().filter(|_| self.resume && is_empty)?;
        Some(format!("{} holds no tournament yet; a new one begins", printable_path(path)))
    }

    fn standings_options(&self) -> StandingsOptions {
        StandingsOptions { rank_by: self.ranking.rank_by, ..StandingsOptions::default() }
    }

    /// The bots, and how many of them are the first of `--gauntlet`. In `--gauntlet 2` the number
    /// is read as a bot, for the next word may be one; no bot's command is a number alone.
    fn bots_and_gauntlet(&self) -> (Vec<BotCommand>, Option<usize>) {
        let mut bots = self.bots.clone();
        let first = self.gauntlet.map(|first| {
            let number = |bot: &BotCommand| match bot.words() {
                [word] => word.parse().ok(),
                _ => None,
            };
            let apart = || {
                let (place, first) =
                    bots.iter().enumerate().find_map(|(place, bot)| Some((place, number(bot)?)))?;
                bots.remove(place);
                Some(first)
            };
            first.or_else(apart).unwrap_or(1)
        });
        (bots, first)
    }
}
