//! `mancala replay`: plays the moves of records again.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

use super::Failure;
use crate::record::{MatchRecord, ReadErrorKind, Reader};
use crate::referee::verify;
use crate::report::{self, ReplayTotals};
use crate::text::printable;

/// Play every move of a record file again through the rules and say whether each match holds.
///
/// Exit codes: 0 every match holds; 1 one does not, is cut off or cannot be read; 2 the command
/// line is wrong.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Args {
    /// The record file; - is stdin
    file: PathBuf,

    /// Only this match, counted from 1
    #[arg(long = "match", value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    number: Option<u64>,

    /// Show this round of it move by move; needs --match
    #[arg(long, value_name = "N", requires = "number", value_parser = clap::value_parser!(u32).range(1..))]
    round: Option<u32>,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let shown = printable(&args.file.to_string_lossy());
    let cannot_read = |error: io::Error| Failure::Work(format!("cannot read {shown}: {error}"));
    let input: Box<dyn BufRead> = if args.file == Path::new("-") {
        Box::new(io::stdin().lock())
    } else {
        let file = File::open(&args.file).map_err(cannot_read)?;
        if file.metadata().map_err(cannot_read)?.is_dir() {
            return Err(Failure::Work(format!("cannot read {shown}: it is a folder")));
        }
        Box::new(BufReader::new(file))
    };
    let mut stdout = io::stdout().lock();
    let totals = replay(args, &shown, input, &mut stdout)?;
    stdout.flush().map_err(|error| Failure::of_stdout(&error))?;
    match args.number {
        Some(number) if totals.matches() == 0 => Err(Failure::Work(format!(
            "{shown} holds no match {number}; it holds {} of them",
            totals.seen()
        ))),
        None if totals.matches() == 0 => Err(Failure::Work(format!("{shown} holds no match"))),
        _ if totals.all_hold() => Ok(()),
        _ => Err(Failure::Work(format!("{shown}: {}", totals.what_does_not()))),
    }
}

/// Goes through the file, a line on `out` for each match.
fn replay(
    args: &Args,
    file: &str,
    input: impl BufRead,
    out: &mut impl Write,
) -> Result<ReplayTotals, Failure> {
    let failed = |error: io::Error| Failure::of_stdout(&error);
    let mut totals = ReplayTotals::default();
    for (number, item) in (1..).zip(Reader::new(input)) {
        totals.see();
        // Nothing comes after a line that cannot be read to its end.
        let ends_here = matches!(&item, Err(error) if matches!(error.kind, ReadErrorKind::Io(_)));
        if args.number.is_some_and(|wanted| wanted != number) && !ends_here {
            continue;
        }
        match item {
            Ok((line, record)) => {
                let verdict = verify(&record);
                totals.count(&verdict);
                report::write_replay(out, number, line, &record, &verdict).map_err(failed)?;
                if let Some(round) = args.round {
                    show_round(file, &record, round, number, out)?;
                }
            }
            Err(error) => {
                totals.count_unreadable();
                writeln!(out, "match {number}: {error}").map_err(failed)?;
            }
        }
    }
    if args.number.is_none() {
        report::write_totals(out, &totals).map_err(failed)?;
    }
    Ok(totals)
}

fn show_round(
    file: &str,
    record: &MatchRecord,
    round: u32,
    number: u64,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let Some(found) = record.rounds.iter().find(|found| found.round == round) else {
        let rounds = record.rounds.len();
        return Err(Failure::Work(format!(
            "match {number} of {file} has no round {round}; it has {rounds}"
        )));
    };
    report::write_round(out, record, found).map_err(|error| Failure::of_stdout(&error))
}
