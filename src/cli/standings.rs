//! `mancala standings`: the table of a tournament, or of any matches, from their files.

use std::path::PathBuf;

use super::failure::{Failure, Verdict, conclude, warn};
use super::input::{InputFile, no_match_in};
use super::options::output_args::OutputArgs;
use super::output::to_stdout;
use crate::report::{CsvColumns, OutputFormat, Width, write_standings, write_standings_columns};
use crate::standings::{
    CollectedResults, Mergeable, NoStandings, RankBy, ReadOptions, SprtTerms, StandingsOptions,
};
use crate::text::printable_path;

/// What ends the help page.
const EXAMPLES: &str = "\
Examples:
  mancala standings autumn.jsonl
  mancala standings part-*.jsonl --format csv > table.csv
  mancala standings autumn.jsonl --format csv --columns name,points,rank > grades.csv
  mancala standings test.jsonl --sprt elo0=0,elo1=10";

/// Print a table of points, ratings and faults from files of matches.
///
/// FILE is what tournament --record or match --record wrote; - is stdin. Several files are read as
/// one: a tournament's match counts once, even when several of them hold it. Matches of no
/// tournament all count.
///
/// Matches by different rules, on different terms, or of different programs with one name are not
/// added up unless --merge allows it.
///
/// Exit codes: 0 the table was printed; 1 a file cannot be read, holds something else, or
/// contradicts another one; 2 the command line is wrong.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_help = EXAMPLES)]
pub(super) struct Args {
    /// Files of matches; - is stdin
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    #[command(flatten)]
    output: OutputArgs,

    /// Only these columns of --format csv, in this order: any names of its first line, with commas
    #[arg(long, value_name = "NAME,NAME...", help_heading = "Output")]
    columns: Option<CsvColumns>,

    /// What bots are ranked by: points of matches (their share, where bots played different numbers
    /// of matches), seeds won less seeds lost, or rating
    #[arg(long, value_name = "points|seeds|rating", default_value_t = RankBy::Points)]
    rank_by: RankBy,

    /// Give this bot this rating; otherwise the mean of all ratings is 0
    #[arg(long, value_name = "BOT=RATING", value_parser = anchor)]
    anchor: Option<(String, f64)>,

    /// Test whether the first of two bots is elo1 stronger, rather than elo0:
    /// elo0=N,elo1=N[,alpha=P,beta=P,model=normalised|logistic]
    #[arg(long, value_name = "TERMS", verbatim_doc_comment)]
    sprt: Option<SprtTerms>,

    /// Add up matches although they differ in this: rules, terms (times, margin, move limit, fault
    /// policy, adjudication) or versions (the program behind a name); several with commas
    #[arg(long, value_name = "rules,terms,versions", value_delimiter = ',')]
    merge: Vec<Mergeable>,

    /// Read every move, for the columns of times: median, mean, 95th percentile, longest
    #[arg(long)]
    times: bool,

    /// Play every match again by the rules before it counts
    #[arg(long)]
    verify: bool,
}

/// A bot and its rating.
pub(super) fn anchor(text: &str) -> Result<(String, f64), &'static str> {
    let parsed = text.rsplit_once('=').and_then(|(name, rating)| {
        let rating: f64 = rating.trim().parse().ok()?;
        (rating.abs() <= 1e6 && !name.is_empty()).then(|| (name.to_owned(), rating))
    });
    parsed.ok_or("expected BOT=RATING, such as greedy=1500")
}

pub(super) fn run(args: Args) -> Result<(), Failure> {
    if args.columns.is_some() && args.output.format != OutputFormat::Csv {
        return Err(Failure::usage("--columns needs --format csv"));
    }
    let mut results = CollectedResults::new(ReadOptions { times: args.times, verify: args.verify });
    for input in InputFile::each_once(&args.files) {
        let (path, input) = input?;
        let cut_off = results.read(&path.to_string_lossy(), input.reader());
        for line in cut_off.map_err(Failure::work)? {
            let file = printable_path(path);
            warn(&format!("{file}: line {line} is cut off; what it held does not count"));
        }
    }
    if results.is_empty() {
        return Err(no_match_in(&args.files));
    }
    let Args { rank_by, anchor, sprt, merge, .. } = args;
    let options = StandingsOptions { rank_by, anchor, sprt, merge };
    let (standings, remarks) = results.standings(&options).map_err(|error| match error {
        NoStandings::UnreadableFiles(_) | NoStandings::OneRound(_) => Failure::work(error),
        NoStandings::UnknownAnchor { .. } | NoStandings::NotTwoBots(_) => Failure::usage(error),
    })?;
    let format = args.output.format;
    let written = to_stdout(|out| match &args.columns {
        Some(columns) => write_standings_columns(out, &standings, columns),
        None => write_standings(out, &standings, &remarks, format, Width::of_stdout()),
    });
    conclude(Ok(Verdict::Clean), written)
}
