//! `mancala solve`: the exact value of a position.

use std::io::Write;
use std::time::{Duration, Instant};

use super::failure::{Failure, INTERRUPTED, Verdict, conclude};
use super::output::Output;
use super::output_args::OutputArgs;
use super::rules::RulesArgs;
use super::time::positive;
use crate::bot::{Interrupt, StopSteps};
use crate::report::{SolutionFormat, Solved, Width, bounds_text, write_solution};
use crate::solve::{Bounds, Budget, DEFAULT_MEMORY, Refusal, Solver, Wanted, solve};

/// What ends the help page.
const EXAMPLES: &str = "\
Examples:
  mancala solve
  mancala solve --rules ece1021 --best
  mancala solve --rules kalah --opening 0,0,0,0,2,1,20,3,1,0,0,0,1,20 --format json";

/// Solve a position: its value under best play of both, that of every move, a line of best play.
///
/// A value is the final margin of the player to move, counted from now: what the stores hold is
/// left out. What cannot be proven in the time is given as bounds, which are true. Rules under
/// which play can come back to a position have no exact values.
///
/// Exit codes: 0 solved, or time was up and the bounds are given; 2 the command line is wrong, or
/// the rules have no exact values; 130 interrupted, with the bounds so far.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_help = EXAMPLES)]
pub(super) struct Args {
    /// Only the value and one best move, which is several times faster
    #[arg(long)]
    best: bool,

    /// Stop after this time and give bounds of what is not proven by then
    #[arg(long, value_name = "TIME", value_parser = positive, default_value = "60s", allow_hyphen_values = true)]
    time: Duration,

    /// Memory for what has been proven, in MiB
    #[arg(long, value_name = "MIB", value_parser = memory, default_value_t = DEFAULT_MEMORY >> 20, allow_hyphen_values = true)]
    memory: usize,

    #[command(flatten)]
    output: OutputArgs<SolutionFormat>,

    #[command(flatten)]
    rules: RulesArgs,
}

/// More than any machine this runs on has.
const MOST_MEMORY: usize = 1 << 20;

/// Whole MiB.
pub(super) fn memory(text: &str) -> Result<usize, String> {
    let memory = text.parse().ok().filter(|mib| (0..=MOST_MEMORY).contains(mib));
    match memory {
        Some(0) => Err(Refusal::Memory.to_string()),
        Some(mib) => Ok(mib),
        None => Err(format!("expected a whole number of MiB, 1 to {MOST_MEMORY}")),
    }
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let since = Instant::now();
    let rules = args.rules.rules();
    let board = args.rules.opening().board();
    let mut solver =
        Solver::new(&rules, args.memory << 20).map_err(|why| Failure::Usage(why.to_string()))?;
    if let Ok(threads) = std::thread::available_parallelism() {
        solver = solver.with_threads(threads);
    }
    let interrupt = Interrupt::on_signals(StopSteps::EndThenExit(INTERRUPTED))
        .map_err(|error| Failure::Work(format!("cannot listen for Ctrl-C: {error}")))?;
    let budget =
        Budget { nodes: None, until: Some(since + args.time), stop: Some(interrupt.flag()) };
    let wanted = if args.best { Wanted::Best } else { Wanted::AllMoves };
    let status = args.output.quiet.status();
    status.say("solving…".to_owned());
    let mut progress = |bounds: Bounds| {
        let seconds = since.elapsed().as_secs();
        status.say(format!("value proven so far: {} ({seconds} s)", bounds_text(bounds)));
    };
    let solution = solve(&mut solver, board, wanted, &budget, &mut progress);
    drop(status);
    let found = Solved { rules: &rules, board, solution: &solution, time: since.elapsed() };
    let mut out = Output::new();
    let written = write_solution(&mut out, &found, args.output.format, Width::of_stdout())
        .and_then(|()| out.flush());
    let work = if interrupt.is_raised() { Err(Failure::Interrupted) } else { Ok(Verdict::Clean) };
    conclude(work, written)
}
