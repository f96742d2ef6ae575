//! `mancala openings`: the openings of a suite, one a line, as a file that can be read back.

use std::io::Write;
use std::path::Path;
use std::str::FromStr;

use super::failure::{Failure, INTERRUPTED, Verdict, conclude};
use super::output::Output;
use super::output_args::QuietArgs;
use super::rules::RulesetArgs;
use super::solve::memory;
use crate::bot::{Interrupt, StopSteps};
use crate::rules::{MAX_PLIES, Opening, RandomOpenings, Suite};
use crate::solve::{Budget, DEFAULT_MEMORY, Solver, is_worth};
use crate::tournament::{MAX_OPENINGS, load_openings};

/// What ends the help page.
const EXAMPLES: &str = "\
Examples:
  mancala openings random:4 --count 20 --seed 7 > openings.txt
  mancala openings fair --count 10 > fair.txt
  mancala openings fairkalah --rules ece1021";

/// Print the openings of a suite: 14 numbers a line, as the first mover sees the board.
///
/// SUITE is standard, random:PLIES (PLIES random moves from the standard opening, no two
/// openings the same), fairkalah (254 openings that are drawn under perfect play, for the
/// rules ece1021), file:PATH, or fair: those of random:PLIES that are drawn under perfect play.
/// fair is for all rules that mancala solve can solve, fair:PLIES makes another number of moves
/// than 4, and --value asks for openings that are worth something else. What is printed is a file
/// for --openings file:PATH.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_help = EXAMPLES)]
#[expect(clippy::doc_markdown, reason = "shown on a terminal, file:PATH is what to type")]
pub(super) struct Args {
    /// The suite: standard, random:PLIES, fairkalah, file:PATH, fair or fair:PLIES
    suite: Wanted,

    /// How many openings [default: all; 20 of random:PLIES and of fair]
    #[arg(long, value_name = "N", value_parser = count, allow_hyphen_values = true)]
    count: Option<usize>,

    /// Draws other openings, or an order of fairkalah
    #[arg(long, value_name = "N", default_value_t = 1, allow_hyphen_values = true)]
    seed: u64,

    /// With fair: the first mover's final margin under perfect play, what the stores hold counted
    /// in [default: 0]
    #[arg(long, value_name = "V", value_parser = margin, allow_hyphen_values = true)]
    value: Option<i16>,

    /// With fair: memory for what has been proven, in MiB
    #[arg(long, value_name = "MIB", value_parser = memory, default_value_t = DEFAULT_MEMORY >> 20, allow_hyphen_values = true)]
    memory: usize,

    #[command(flatten)]
    quiet: QuietArgs,

    #[command(flatten)]
    rules: RulesetArgs,
}

/// A suite that can be read as it is, or one that has to be solved first.
#[derive(Clone, Debug)]
enum Wanted {
    Suite(Suite),
    Fair { plies: u32 },
}

impl FromStr for Wanted {
    type Err = String;

    fn from_str(text: &str) -> Result<Wanted, String> {
        match text.split_once(':') {
            None if text == "fair" => Ok(Wanted::Fair { plies: PLIES }),
            Some(("fair", plies)) => match plies.parse() {
                Ok(plies) if (1..=MAX_PLIES).contains(&plies) => Ok(Wanted::Fair { plies }),
                _ => Err(format!("fair:PLIES takes 1 to {MAX_PLIES} moves, as in fair:4")),
            },
            _ => match text.parse::<Suite>() {
                Ok(suite) => Ok(Wanted::Suite(suite)),
                Err(unknown) => {
                    let why = unknown.to_string();
                    Err(if why.starts_with("expected") { why + "; or fair" } else { why })
                }
            },
        }
    }
}

/// How many openings of random:PLIES and fair are printed unless another number is asked for.
const RANDOM: usize = 20;

/// How many moves lead to a fair opening unless another number is asked for.
const PLIES: u32 = 4;

/// A number of openings.
pub(super) fn count(text: &str) -> Result<usize, String> {
    let count = text.parse().ok().filter(|count| (1..=MAX_OPENINGS).contains(count));
    let count = count.and_then(|count| usize::try_from(count).ok());
    count.ok_or_else(|| format!("expected a whole number from 1 to {MAX_OPENINGS}"))
}

/// A final margin.
fn margin(text: &str) -> Result<i16, &'static str> {
    let margin = text.parse().ok().filter(|margin| (-240..=240).contains(margin));
    margin.ok_or("expected a whole number of seeds from -240 to 240")
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let mut out = Output::new();
    match &args.suite {
        Wanted::Suite(_) if args.value.is_some() => {
            let why = "--value is for fair openings: mancala openings fair --value V";
            Err(Failure::Usage(why.to_owned()))
        }
        Wanted::Suite(suite) => {
            let openings = suite_of(args, suite)?;
            let mut write =
                || openings.iter().try_for_each(|&opening| write_opening(&mut out, opening));
            let written = write().and_then(|()| out.flush());
            conclude(Ok(Verdict::Clean), written)
        }
        &Wanted::Fair { plies } => fair(args, plies, &mut out),
    }
}

fn suite_of(args: &Args, suite: &Suite) -> Result<Vec<Opening>, Failure> {
    let count = match suite {
        Suite::Random { .. } => Some(args.count.unwrap_or(RANDOM)),
        _ => args.count,
    };
    let rules = args.rules.rules();
    load_openings(suite, &rules, args.seed, count, Path::new("")).map_err(|error| {
        if error.is_unreadable() {
            Failure::Work(error.to_string())
        } else {
            Failure::Usage(error.to_string())
        }
    })
}

fn write_opening(out: &mut Output, opening: Opening) -> std::io::Result<()> {
    let cells = opening.board().cells().map(|seeds| seeds.to_string());
    writeln!(out, "{}", cells.join(" "))
}

/// Solves random openings one after the other and prints those that are wanted, each as soon as it
/// is found. None is passed over for lack of time, so that a seed always gives the same ones.
fn fair(args: &Args, plies: u32, out: &mut Output) -> Result<(), Failure> {
    let rules = args.rules.rules();
    let value = args.value.unwrap_or(0);
    let count = args.count.unwrap_or(RANDOM);
    let seeds = i16::from(Opening::standard(&rules).board().seeds());
    if value.abs() > seeds || (value + seeds) % 2 != 0 {
        return Err(Failure::Usage(format!(
            "with {seeds} seeds no game ends with a margin of {value}; it is even, from -{seeds} to {seeds}"
        )));
    }
    let mut solver =
        Solver::new(&rules, args.memory << 20).map_err(|why| Failure::Usage(why.to_string()))?;
    let interrupt = Interrupt::on_signals(StopSteps::EndThenExit(INTERRUPTED))
        .map_err(|error| Failure::Work(format!("cannot listen for Ctrl-C: {error}")))?;
    let budget = Budget { stop: Some(interrupt.flag()), ..Budget::default() };
    let status = args.quiet.status();
    let mut found = 0;
    let mut written = Ok(());
    for (number, opening) in (1..).zip(RandomOpenings::new(&rules, plies, args.seed)) {
        status.say(format!("{found} of {count} found; solving opening {number}"));
        match is_worth(&mut solver, opening, value, &budget) {
            Some(false) => continue,
            Some(true) => {
                found += 1;
                written = write_opening(out, opening).and_then(|()| out.flush());
            }
            None => break,
        }
        if found == count || written.is_err() {
            break;
        }
    }
    drop(status);
    let work = if found == count || written.is_err() {
        Ok(Verdict::Clean)
    } else if interrupt.is_raised() {
        Err(Failure::Interrupted)
    } else {
        Err(Failure::Work(format!(
            "only {found} openings of value {value} were found after {plies} moves, not {count}; \
             ask for fewer, or for more moves with fair:PLIES"
        )))
    };
    conclude(work, written)
}
