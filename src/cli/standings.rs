//! `mancala standings`: the table of a tournament, or of any matches, from their files.

use std::path::{Path, PathBuf};
use std::str::FromStr as _;

use super::failure::{CliResult, Failure, Verdict, conclude, warn};
use super::options::input::{InputFile, no_match_in};
use super::options::{OutputArgs, RankByArgs};
use super::output::to_stdout;
use crate::report::{
    CsvColumns, OutputFormat, Width, unrated_in_trend, write_season, write_standings,
    write_standings_columns, write_trend_csv,
};
use crate::standings::{
    CollectedResults, Mergeable, NoStandings, ReadOptions, SprtTerms, Stage, StandingsOptions,
    TrendEntry, expect_anchor,
};
use crate::text::printable_path;

/// Print a table of points, ratings and faults from files of matches.
///
/// FILE is what tournament --record or match --record wrote; - is stdin. Several files are read as
/// one: a tournament's match counts once, even when several of them hold it. Matches of no
/// tournament all count, also in a copy of a file; a file that is given twice is read once.
///
/// Matches by different rules, on different terms, or of different programs with one name are not
/// added up unless --merge allows it.
///
/// Exit codes: 0 the table was printed; 1 a file cannot be read, holds something else, or
/// contradicts another one; 2 the command line is wrong.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  mancala standings autumn.jsonl
  mancala standings part-*.jsonl --format csv > table.csv
  mancala standings autumn.jsonl --format csv --columns name,rank > ranks.csv
  mancala standings week1.jsonl week2.jsonl --by-file
  mancala standings test.jsonl --sprt elo0=0,elo1=10")]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
pub(super) struct Args {
    /// Files of matches; - is stdin
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    #[command(flatten)]
    output: OutputArgs,

    /// Show each bot's points and rank from file to file, as over the weeks of a season; each file
    /// is a table of its own, and nothing is added up
    #[arg(long, conflicts_with_all = ["sprt", "trend"])]
    by_file: bool,

    /// Show the ratings before the first tournament --update and after each, of one file
    #[arg(long, conflicts_with = "columns")]
    trend: bool,

    /// Only these columns of --format csv, in this order: names from its header, separated by commas
    #[arg(long, value_name = "NAME,NAME...", help_heading = "Output")]
    columns: Option<CsvColumns>,

    #[command(flatten)]
    ranking: RankByArgs,

    /// Give this bot this rating; otherwise the mean of all ratings is 0. With --trend it must be a bot
    /// of the last update, with --by-file one of any file; a table of them without a counted match of
    /// this bot shows no ratings
    #[arg(long, value_name = "BOT=RATING", value_parser = anchor)]
    anchor: Option<(String, f64)>,

    /// Test whether the first of two bots is stronger by elo1 rather than by elo0:
    /// elo0=N,elo1=N[,alpha=P,beta=P,model=normalised|logistic]
    #[arg(long, value_name = "TEST")]
    sprt: Option<SprtTerms>,

    /// Add up matches although they differ in: rules; terms (times, margin, move limit, fault policy,
    /// adjudication); versions (the program behind a name); separate several by commas
    #[arg(long, value_name = "rules,terms,versions", value_delimiter = ',')]
    merge: Vec<Mergeable>,

    /// Add columns of move times (median, mean, 95th percentile, longest, longest of limit); every move
    /// is read for them
    #[arg(long)]
    times: bool,

    /// Replay every match by the rules before it counts
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

#[expect(clippy::needless_pass_by_value, reason = "as every subcommand")]
pub(super) fn run(args: Args) -> CliResult {
    let is_csv = args.output.format == OutputFormat::Csv;
    Failure::refuse_if(args.columns.is_some() && !is_csv, "--columns needs --format csv")?;
    if let Some(file) = args.files.iter().find(|file| is_a_column(&args, file)) {
        let file = printable_path(file);
        let why = format!("{file} is not there; columns are separated by commas: name,points,rank");
        return Err(Failure::Usage(why));
    }
    if args.by_file {
        return by_file(&args);
    }
    let why =
        "--trend is about the updates of one tournament, in one file; --by-file compares files";
    Failure::refuse_if(args.trend && args.files.len() > 1, why)?;
    let options = args.options();
    let mut results = args.no_results();
    let mut stages = Vec::new();
    for input in InputFile::each_once(&args.files) {
        let mut before_update = |results: &mut CollectedResults| {
            if args.trend {
                stages.push(results.stage(&options));
            }
        };
        read(&mut results, input?, &mut before_update)?;
    }
    if results.is_empty() {
        return Err(no_match_in(&args.files));
    }
    let (mut standings, mut remarks) = results.standings(&options).map_err(no_table)?;
    if args.trend {
        if standings.tournaments.len() > 1 {
            let how = "there are several tournaments in the file";
            return Err(Failure::work(format!("{how}; --trend is about the updates of one")));
        }
        let before = stages.into_iter().collect::<Result<Vec<Stage>, _>>();
        let mut trend = before.map_err(no_table)?;
        trend.push(results.stage_of(standings.clone(), &options));
        remarks.extend(unrated_in_trend(&trend));
        standings.trend = Some(trend.iter().map(TrendEntry::new).collect());
    }
    let format = args.output.format;
    if matches!(format, OutputFormat::Json | OutputFormat::Csv) {
        results.copies_in_words().iter().for_each(|words| warn(words));
    }
    let written = to_stdout(|out| match (&args.columns, &standings.trend) {
        (Some(columns), _) => write_standings_columns(out, &standings, columns),
        (None, Some(trend)) if is_csv => write_trend_csv(out, trend),
        _ => write_standings(out, &standings, &remarks, format, Width::of_stdout()),
    });
    conclude(Ok(Verdict::Clean), written)
}

/// `--by-file`: a table of each file by itself.
/// Whether a file that is not there is a column, with a blank before it in place of a comma.
fn is_a_column(args: &Args, file: &Path) -> bool {
    let is_named = || file.to_str().is_some_and(|name| CsvColumns::from_str(name).is_ok());
    args.columns.is_some() && !file.exists() && is_named()
}

fn by_file(args: &Args) -> CliResult {
    let options = args.options();
    let mut files = Vec::new();
    for input in InputFile::each_once(&args.files) {
        let (path, input) = input?;
        let mut results = args.no_results();
        read(&mut results, (path, input), &mut |_| {})?;
        if results.is_empty() {
            return Err(no_match_in(&[path.to_owned()]));
        }
        let stage = results.stage(&options).map_err(no_table)?;
        let has_no_remarks = matches!(args.output.format, OutputFormat::Json | OutputFormat::Csv);
        if let Some(words) = results.copies_in_words().filter(|_| has_no_remarks) {
            warn(&format!("{}: {words}", printable_path(path)));
        }
        files.push((path.to_string_lossy().into_owned(), stage));
    }
    let tables = files.iter().map(|(_, stage)| &stage.standings);
    expect_anchor(args.anchor.as_ref(), tables).map_err(no_table)?;
    let (format, columns) = (args.output.format, args.columns.as_ref());
    let written = to_stdout(|out| write_season(out, &files, columns, (format, Width::of_stdout())));
    conclude(Ok(Verdict::Clean), written)
}

impl Args {
    fn options(&self) -> StandingsOptions {
        StandingsOptions {
            rank_by: self.ranking.rank_by,
            anchor: self.anchor.clone(),
            sprt: self.sprt,
            merge: self.merge.clone(),
        }
    }

    fn no_results(&self) -> CollectedResults {
        CollectedResults::new(ReadOptions { times: self.times, verify: self.verify })
    }
}

/// Reads a file, and warns of lines that are cut off.
fn read(
    results: &mut CollectedResults,
    (path, input): (&Path, InputFile),
    before_update: &mut dyn FnMut(&mut CollectedResults),
) -> CliResult {
    let name = path.to_string_lossy();
    let cut_off = results.read_in_stages(&name, input.reader(), before_update);
    for line in cut_off.map_err(Failure::work)? {
        let file = printable_path(path);
        warn(&format!("{file}: line {line} is cut off; what it held does not count"));
    }
    Ok(())
}

/// Why there is no table.
pub(super) fn no_table(error: NoStandings) -> Failure {
    match error {
        NoStandings::UnreadableFiles(_) | NoStandings::OneRound(_) => Failure::work(error),
        NoStandings::UnknownAnchor(_) | NoStandings::NotTwoBots(_) => Failure::usage(error),
    }
}
