//! `mancala solve`: the exact value of a position.

use std::time::{Duration, Instant};

use super::failure::{CliResult, Failure, Verdict, conclude};
use super::options::{OutputArgs, RulesArgs, SolverMemory, positive, solver_memory};
use super::output::to_stdout;
use super::prepare::interrupt;
use crate::report::{Solved, Width, bounds_text, write_solution};
use crate::rules::Ruleset;
use crate::solve::{Bounds, Budget, Solver, WantedValues, refuse_cycles, solve};

/// Solve a position: its value under best play by both sides, that of every move, a line of best
/// play.
///
/// A value is the final margin of the player to move, counted from now, without the seeds already in
/// the stores. What is not proven in time is given as bounds that contain the true value. Rules that
/// allow a position to repeat have no exact values. In the line of best play, bars separate the
/// turns; houses are the mover's own.
///
/// Exit codes: 0 solved, or time was up and the bounds are given; 1 there is not enough memory or
/// stdout cannot be written; 2 the command line is wrong, or the rules have no exact values; 130
/// interrupted, with the bounds so far.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  mancala solve
  mancala solve --rules ece1021 --best
  mancala solve --rules kalah --opening 0,0,0,0,2,1,20,3,1,0,0,0,1,20")]
pub(super) struct Args {
    /// Only the value and one best move, which is several times faster
    #[arg(long)]
    best: bool,

    /// Stop after this time and give bounds of what is not proven by then
    #[arg(long, value_name = "TIME", value_parser = positive, default_value = "60s", allow_hyphen_values = true)]
    time: Duration,

    /// Memory for what has been proven, such as 64MiB or 2GiB [default: 1GiB, or 256MiB with
    /// --best or where less than 1.25GiB is free]
    #[arg(long, value_name = "SIZE", value_parser = solver_memory, allow_hyphen_values = true)]
    memory: Option<SolverMemory>,

    #[command(flatten)]
    output: OutputArgs,

    #[command(flatten)]
    rules: RulesArgs,
}

pub(super) fn run(args: &Args) -> CliResult {
    let since = Instant::now();
    let rules = args.rules.ruleset.rules();
    let board = args.rules.opening().board();
    let memory = args.memory.unwrap_or_else(|| {
        if args.best { SolverMemory::default() } else { SolverMemory::for_many() }
    });
    let mut solver = new_solver(&rules, memory)?;
    let interrupt = interrupt()?;
    let until = Some(since + args.time);
    let budget = Budget { nodes: None, until, stop: Some(interrupt.flag()) };
    let wanted = if args.best { WantedValues::Best } else { WantedValues::AllMoves };
    let status = args.output.quiet.status_with_seconds();
    status.show("solving…".to_owned());
    let mut progress = |bounds: Bounds| {
        let value = bounds_text(bounds);
        status.show(match (bounds.exact(), wanted) {
            (None, _) => format!("value proven so far: {value}"),
            (Some(_), WantedValues::Best) => {
                format!("value: {value}; looking for a line of best play")
            }
            (Some(_), WantedValues::AllMoves) => format!("value: {value}; solving each move"),
        });
    };
    let solution = solve(&mut solver, board, wanted, &budget, &mut progress);
    drop(status);
    let found = Solved { rules: &rules, board, solution: &solution, time: since.elapsed() };
    let format = args.output.format;
    let written = to_stdout(|out| write_solution(out, &found, format, Width::of_stdout()));
    let work = Failure::unless_interrupted(&interrupt).map(|()| Verdict::Clean);
    conclude(work, written)
}

/// A solver for `rules`, with a thread for each core.
///
/// # Errors
///
/// When there are no exact values under the rules, or the memory cannot be had.
pub(super) fn new_solver(rules: &Ruleset, memory: SolverMemory) -> CliResult<Solver> {
    refuse_cycles(rules)?;
    let solver = Solver::new(rules, memory.available()?)?;
    Ok(match std::thread::available_parallelism() {
        Ok(threads) => solver.with_threads(threads),
        Err(_) => solver,
    })
}
