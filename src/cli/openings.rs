//! `mancala openings`: the openings of a suite, one a line, as a file that can be read back.

use std::io::Write;
use std::path::Path;
use std::str::FromStr;

use super::failure::{CliResult, Failure, Verdict, conclude};
use super::options::{QuietArgs, RulesetArgs, SolverMemory, solver_memory, whole};
use super::output::{Output, to_stdout};
use super::prepare::interrupt;
use super::solve::new_solver;
use crate::rules::{MAX_PLIES, NotASuite, Opening, RandomOpenings, Suite};
use crate::solve::{Budget, is_worth};
use crate::text::counted;
use crate::tournament::{MAX_OPENINGS, OpeningSource};

/// Print the openings of a suite: 14 numbers a line, as the first mover sees the board.
///
/// SUITE is standard; random:PLIES (positions after PLIES random moves, the last of which gives no
/// extra turn, all different); fairkalah (254 openings drawn under perfect play, for the rules
/// ece1021); file:PATH; or fair, fair:PLIES (those of random:PLIES, 4 moves by default, that are
/// drawn under perfect play; for all rules that mancala solve can solve; --value V asks for another
/// result). --openings file:PATH reads the output.
///
/// Exit codes: 0 all were printed; 1 a file cannot be read, stdout cannot be written, or fewer fair
/// openings were found than were asked for; 2 the command line is wrong, or the rules have no exact
/// values; 130 interrupted, with those that were found by then.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  mancala openings random:4 --count 20 --seed 7 > openings.txt
  mancala openings fair --count 10 > fair.txt
  mancala openings fairkalah --rules ece1021")]
#[expect(clippy::doc_markdown, reason = "shown on a terminal, file:PATH is what to type")]
pub(super) struct Args {
    /// The suite: standard, random:PLIES, fairkalah, file:PATH, fair or fair:PLIES
    suite: SuiteChoice,

    /// How many openings [default: all; 20 of random:PLIES and of fair]
    #[arg(long, value_name = "N", value_parser = whole::<usize>(1..=MAX_OPENINGS), allow_hyphen_values = true)]
    count: Option<usize>,

    /// Draws other openings, or takes those of fairkalah or a file in another order (1: the file's)
    #[arg(long, value_name = "N", value_parser = whole::<u64>(0..=u64::MAX), default_value_t = 1, allow_hyphen_values = true)]
    seed: u64,

    /// With fair: the first mover's final margin under perfect play, stores included [default: 0]
    #[arg(long, value_name = "V", value_parser = margin, allow_hyphen_values = true)]
    value: Option<i16>,

    /// With fair: memory for what has been proven, such as 64MiB or 2GiB [default: 1GiB, or
    /// 256MiB where less than 1.25GiB is free]
    #[arg(long, value_name = "SIZE", value_parser = solver_memory, allow_hyphen_values = true)]
    memory: Option<SolverMemory>,

    #[command(flatten)]
    quiet: QuietArgs,

    #[command(flatten)]
    rules: RulesetArgs,
}

/// A suite that can be read as it is, or one that has to be solved first.
#[derive(Clone)]
enum SuiteChoice {
    Suite(Suite),
    Fair { plies: u32 },
}

impl FromStr for SuiteChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<SuiteChoice, String> {
        match text.split_once(':') {
            None if text == "fair" => Ok(SuiteChoice::Fair { plies: PLIES }),
            Some(("fair", plies)) => match plies.parse() {
                Ok(plies) if (1..=MAX_PLIES).contains(&plies) => Ok(SuiteChoice::Fair { plies }),
                _ => Err(format!("fair:PLIES takes 1 to {MAX_PLIES} moves, as in fair:4")),
            },
            _ => text.parse().map(SuiteChoice::Suite).map_err(|why| match why {
                NotASuite::Unknown => format!("{why}; or fair"),
                NotASuite::Malformed(why) => why,
            }),
        }
    }
}

/// How many openings of random:PLIES and fair are printed unless another number is asked for.
const RANDOM: usize = 20;

/// How many moves lead to a fair opening unless another number is asked for.
const PLIES: u32 = 4;

/// A final margin.
fn margin(text: &str) -> Result<i16, &'static str> {
    let margin = text.parse().ok().filter(|margin| (-240..=240).contains(margin));
    margin.ok_or("expected a whole number of seeds from -240 to 240")
}

pub(super) fn run(args: &Args) -> CliResult {
    match &args.suite {
        SuiteChoice::Suite(suite) => {
            let why = "--value is for fair openings: mancala openings fair --value V";
            Failure::refuse_if(args.value.is_some(), why)?;
            let why = "--memory is for openings that are solved: mancala openings fair";
            Failure::refuse_if(args.memory.is_some(), why)?;
            let openings = suite_of(args, suite)?;
            let written = to_stdout(|out| {
                openings.into_iter().try_for_each(|opening| write_opening(out, opening))
            });
            conclude(Ok(Verdict::Clean), written)
        }
        &SuiteChoice::Fair { plies } => fair(args, plies),
    }
}

fn suite_of(args: &Args, suite: &Suite) -> CliResult<Vec<Opening>> {
    let count = match suite {
        Suite::Random { .. } => Some(args.count.unwrap_or(RANDOM)),
        _ => args.count,
    };
    let rules = args.rules.rules();
    let folder = Path::new("");
    let source = OpeningSource { suite, rules: &rules, seed: args.seed, folder };
    Ok(source.load(count)?)
}

fn write_opening(out: &mut Output, opening: Opening) -> std::io::Result<()> {
    let cells = opening.board().cells().map(|seeds| seeds.to_string());
    writeln!(out, "{}", cells.join(" "))
}

/// Solves random openings one after the other and prints those that are wanted, each as soon as it
/// is found. None is passed over for lack of time, so that a seed always gives the same ones.
fn fair(args: &Args, plies: u32) -> CliResult {
    let rules = args.rules.rules();
    let value = args.value.unwrap_or(0);
    let count = args.count.unwrap_or(RANDOM);
    let seeds = i16::from(Opening::standard(&rules).board().seeds());
    if value.abs() > seeds || (value + seeds) % 2 != 0 {
        return Err(Failure::Usage(format!(
            "with {seeds} seeds no game ends with a margin of {value}; it is even, from -{seeds} to {seeds}"
        )));
    }
    let mut solver = new_solver(&rules, args.memory.unwrap_or_else(SolverMemory::for_many))?;
    let interrupt = interrupt()?;
    let budget = Budget { stop: Some(interrupt.flag()), ..Budget::default() };
    let status = args.quiet.status_with_seconds();
    let mut found = 0;
    let mut written = Ok(());
    for (number, opening) in (1..).zip(RandomOpenings::new(&rules, plies, args.seed)) {
        status.show(format!("opening {number}, {found} of {count} found"));
        match is_worth(&mut solver, opening, value, &budget) {
            Some(false) => continue,
            Some(true) => {
                found += 1;
                written = status.aside(|| to_stdout(|out| write_opening(out, opening)));
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
        Err(Failure::Work(too_few(found, count, value, plies)))
    };
    conclude(work, written)
}

/// What to do when there are fewer openings of `value` than were asked for.
fn too_few(found: usize, count: usize, value: i16, plies: u32) -> String {
    let after = counted(plies.into(), "move", "moves");
    // After 20 moves many games are nearly over.
    let (way, as_in) = if plies > 20 { ("fewer", 8) } else { ("more", plies + 2) };
    let (there_are, instead) = match found {
        0 => ("no opening".to_owned(), format!("{way} moves")),
        _ => (
            format!("only {}", counted(found as u64, "opening", "openings")),
            format!("--count {found}, or for {way} moves"),
        ),
    };
    let verb = if found > 1 { "were" } else { "was" };
    format!(
        "{there_are} of value {value} {verb} found after {after}, not {count}; ask for {instead}, \
         as in fair:{as_in}"
    )
}
