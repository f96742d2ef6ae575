//! `mancala feedback`: pages for the authors of bots, made from the file of a tournament.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use super::failure::{Failure, warn};
use super::options::record_file::with_advice;
use super::standings::no_table;
use crate::contest::{FileLine, PlanFields, read_file_line};
use crate::feedback::{Contest, RecordedFaults, folders_of, write_feedback};
use crate::log::Side;
use crate::record::{Digest, MatchRecord, ReadAt, RecordLines, TournamentHeader, parse_record};
use crate::seat::{PerSeat, Seat};
use crate::standings::{CollectedResults, RankBy, ReadOptions, StandingsOptions};
use crate::text::printable_path;
use crate::tournament::{KeptLogs, LogFolders, MatchLogs};

/// What ends the help page.
const EXAMPLES: &str = "\
Examples:
  mancala feedback autumn.jsonl -o feedback
  mancala feedback autumn.jsonl -o feedback --log logs";

/// Make a folder for each bot of a tournament, for its author, as tournament --feedback does.
///
/// FILE is what tournament --record wrote. Each folder has a page with the bot's results, its faults
/// and how to fix them; with --log also transcripts and bundles of its own side of matches. index.csv
/// and index.md name all folders.
///
/// Exit codes: 0 the pages were written; 1 a file cannot be read or written, or is not of a
/// tournament; 2 the command line is wrong, or DIR is not empty.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_help = EXAMPLES)]
pub(super) struct Args {
    /// The file of a tournament
    file: PathBuf,

    /// Make the folders in this one, which is made or empty
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,

    /// Take transcripts and bundles from this folder of tournament --log; without it the pages have
    /// none
    #[arg(long, value_name = "DIR")]
    log: Option<PathBuf>,

    /// What bots are ranked by: points of matches, seeds won less seeds lost, or rating
    #[arg(long, value_name = "points|seeds|rating", default_value_t = RankBy::Points)]
    rank_by: RankBy,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let shown = printable_path(&args.file);
    let cannot_read = Failure::at("cannot read", &args.file);
    let file = File::open(&args.file).map_err(&cannot_read)?;
    if !file.metadata().map_err(&cannot_read)?.is_file() {
        return Err(Failure::Work(format!("{shown} is not a file of a tournament")));
    }
    if let Some(log) = &args.log {
        fs::read_dir(log).map_err(Failure::at("cannot read the logs in", log))?;
    }
    let mut results = CollectedResults::new(ReadOptions::default());
    let name = args.file.to_string_lossy();
    for line in results.read(&name, BufReader::new(&file)).map_err(Failure::work)? {
        warn(&format!("{shown}: line {line} is cut off; what it held does not count"));
    }
    let options = StandingsOptions { rank_by: args.rank_by, ..StandingsOptions::default() };
    let (standings, _) = results.standings(&options).map_err(no_table)?;

    // The last one, where the tournament was extended or updated.
    let plan_of = |header: &TournamentHeader| {
        Some((header.id, serde_json::from_str::<PlanFields>(header.plan.get()).ok()?))
    };
    let (id, plan) = find_in_headers(&file, |_, header| plan_of(header)).ok_or_else(|| {
        Failure::Work(format!(
            "{shown} does not begin with the plan of a tournament, as files of tournament --record do"
        ))
    })?;
    let cannot_write =
        |error| Failure::at("cannot write feedback into", &args.output)(with_advice("-o", error));
    let output = empty_folder(&args.output).map_err(cannot_write)?.ok_or_else(|| {
        let output = printable_path(&args.output);
        Failure::Usage(format!("the folder {output} is not empty; give another -o DIR"))
    })?;
    let folders = LogFolders::new(&output, plan.bots.iter().map(|bot| &*bot.name));
    let folders_of_contest = folders_of(args.file.parent().unwrap_or(Path::new("")));
    let mut matches =
        MatchesOfBots::new((id, &plan), args.log.as_deref(), &folders, &folders_of_contest);
    for_each_match_of_today(&file, &results, &mut |record, _| matches.add(record))
        .map_err(cannot_write)?;
    let contest = Contest {
        name: plan.name.as_deref(),
        id,
        folders: &folders_of_contest,
        rules: &plan.rules,
        terms: &plan.terms,
        bots: &plan.bots,
        is_anonymous: plan.anonymous,
        standings: &standings,
    };
    write_feedback(&contest, &folders, matches.recorded).map_err(cannot_write)
}

/// Calls `action` for each match of the bots as they are today, with the number of its line. All
/// other lines of the file are in `results`.
pub(super) fn for_each_match_of_today(
    file: &File,
    results: &CollectedResults,
    action: &mut dyn FnMut(&MatchRecord, u64) -> io::Result<()>,
) -> io::Result<()> {
    let counting = results.counting();
    let mut lines = lines_of(file);
    while let Some(Ok((number, line))) = lines.next_line() {
        if let Ok(FileLine::Match(summary, _)) = read_file_line(line, None)
            && counting.has_bots_of(&summary)
            && let Ok(mut record) = parse_record(line)
        {
            counting.name_record_by_now(&mut record);
            action(&record, number)?;
        }
    }
    Ok(())
}

/// What `read` finds in the last header of the file in which it finds something; it gets the number of
/// the header's line, too.
pub(super) fn find_in_headers<T>(
    file: &File,
    read: impl Fn(u64, &TournamentHeader) -> Option<T>,
) -> Option<T> {
    let mut lines = lines_of(file);
    let mut found = None;
    while let Some(Ok((number, line))) = lines.next_line() {
        if !line.starts_with(br#"{"format":"mancala-match/"#)
            && let Ok(FileLine::Header(header)) = read_file_line(line, None)
        {
            found = read(number, &header).or(found);
        }
    }
    found
}

/// The lines of a file from its beginning.
fn lines_of(file: &File) -> RecordLines<impl BufRead> {
    RecordLines::new(BufReader::new(ReadAt::new(file, 0..u64::MAX)))
}

/// The folder, made where it is missing; `None` if something is in it.
fn empty_folder(path: &Path) -> std::io::Result<Option<PathBuf>> {
    fs::create_dir_all(path)?;
    let path = path.canonicalize()?;
    let is_empty = fs::read_dir(&path)?.next().is_none();
    Ok(is_empty.then_some(path))
}

/// What each bot's author gets of the matches.
struct MatchesOfBots<'a> {
    id: Digest,
    plan: &'a PlanFields,
    places: HashMap<&'a str, usize>,
    logs: Option<MatchLogs>,
    folders: &'a LogFolders,
    folders_of_contest: &'a [PathBuf],
    kept: KeptLogs,
    recorded: RecordedFaults,
}

impl<'a> MatchesOfBots<'a> {
    fn new(
        (id, plan): (Digest, &'a PlanFields),
        log: Option<&Path>,
        folders: &'a LogFolders,
        folders_of_contest: &'a [PathBuf],
    ) -> MatchesOfBots<'a> {
        let names = plan.bots.iter().map(|bot| &*bot.name);
        MatchesOfBots {
            id,
            plan,
            places: names.zip(0..).collect(),
            logs: log.map(MatchLogs::new),
            folders,
            folders_of_contest,
            kept: KeptLogs::none(plan.bots.len()),
            recorded: RecordedFaults::none(plan.bots.len()),
        }
    }

    /// Adds a match: both sides of its log, or the faults that its record shows.
    fn add(&mut self, record: &MatchRecord) -> std::io::Result<()> {
        let Some(place) = &record.tournament else { return Ok(()) };
        let (id, number) = (place.id, place.number.get());
        let told = PerSeat::from_fn(|seat: Seat| {
            if self.plan.anonymous {
                format!("bot-{}", u8::from(seat) + 1)
            } else {
                record.bots[seat].name.clone()
            }
        });
        for seat in Seat::BOTH {
            let Some(&place) = self.places.get(&*record.bots[seat].name) else { continue };
            let faults: usize = record.rounds.iter().map(|round| round.faults(seat)).sum();
            let faults = u32::try_from(faults).unwrap_or(u32::MAX);
            let is_logged = match &self.logs {
                // A match from before an update had its number in another plan.
                Some(logs) if id == self.id && self.kept.wants(place, faults) => {
                    let folder = self.folders.of_match(place, number);
                    let side = Side { folder, bot: self.plan.bots[place].as_started() };
                    side.copy_from(&logs.of_match(number), &told, seat)?
                }
                _ => false,
            };
            if is_logged {
                self.kept.count(place, faults);
            } else {
                self.recorded.add(self.folders_of_contest, place, (number, record), seat);
            }
        }
        Ok(())
    }
}
