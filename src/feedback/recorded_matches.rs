//! What the authors of bots get of a file's matches, for both commands that make pages: the side of
//! a log that is of the very match, or the faults that its record shows.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{self, BufRead, BufReader};

use super::evidence::MeasuredMoves;
use super::{Contest, MatchesOfBots};
use crate::analysis::{AnalysedMatch, MatchPlace, Summary, WorstMoves, judged_before};
use crate::contest::{FileLine, LineMoves, PlanFields, read_file_line};
use crate::log::LogIdentity;
use crate::record::{MatchRecord, ReadAt, RecordLines, TournamentHeader, parse_record};
use crate::referee::verify;
use crate::seat::{PerSeat, Seat};
use crate::standings::CollectedResults;
use crate::tournament::{KeptLogs, LogFolders, MatchLogs, bot_log_files};

/// Where logs may be.
#[derive(Clone, Copy)]
pub(crate) struct LogSources<'a> {
    /// Each bot's own side, where the pages are written.
    pub(crate) folders: &'a LogFolders,
    /// Both sides of all matches.
    pub(crate) all: &'a [MatchLogs],
}

/// Puts logs of the matches of the bots as they are today into the folders of these bots, and collects
/// the faults of all other such matches. `results` has all lines of the file.
pub(crate) fn collect_matches(
    file: &File,
    results: &CollectedResults,
    contest: &Contest<'_>,
    sources: LogSources<'_>,
) -> io::Result<MatchesOfBots> {
    let mut collected = MatchesOfBots::none(contest.plan.bots.len());
    let mut kept = KeptLogs::found(sources.folders);
    let names = contest.plan.bots.iter().map(|bot| &*bot.name);
    let places: HashMap<&str, usize> = names.zip(0..).collect();
    let counting = results.counting();
    let mut seen = HashSet::new();
    let mut given_away = GivenAway::of_bots(contest.plan.bots.len());
    for_each_line(file, &mut |read, line| {
        let mut summary = match read {
            FileLine::Match(summary, _) => summary,
            FileLine::Note(_) | FileLine::Header(..) => return Ok(()),
        };
        let planned = counting.current_place(&summary).filter(|planned| seen.insert(*planned));
        let Some(((_, number), record)) = planned.zip(parse_record(line).ok()) else {
            return Ok(());
        };
        let Some(identity) = LogIdentity::of(&record) else { return Ok(()) };
        counting.give_current_names(&mut summary);
        // As in the report. What is invalid is not judged.
        if results.has_values() && counting.left_out(&summary).is_none() && verify(&record).is_ok()
        {
            let names = PerSeat(summary.names.each_ref().map(|name| &**name));
            given_away.add(number, names, &record, &places);
        }
        for (seat, name) in Seat::BOTH.into_iter().zip(&summary.names) {
            let Some(&place) = places.get(&**name) else { continue };
            let faults: usize = record.rounds.iter().map(|round| round.faults(seat)).sum();
            let faults = u32::try_from(faults).unwrap_or(u32::MAX);
            let is_there = sources.folders.has(place, number, &identity);
            let is_wanted = !is_there && kept.wants(place, faults);
            let is_copied = is_wanted
                && copy_log(contest, sources, (number, &record, &identity), (place, seat))?;
            if is_wanted && !is_copied {
                collected.add_without_log(number);
            }
            if is_copied {
                kept.count(place, faults);
            }
            if is_there || is_copied {
                collected.add_log(place, number);
            } else {
                collected.add_recorded(contest.folders, place, (number, &record), seat);
            }
        }
        Ok(())
    })?;
    let mut times = results.answer_times();
    let mut rows = given_away.summary.analysis().rows;
    if rows.iter().all(|row| row.solved == 0) {
        rows.clear();
    }
    let mut worst = given_away.worst.into_iter();
    for (place, bot) in contest.plan.bots.iter().enumerate() {
        let measured = MeasuredMoves {
            times: times.remove(&bot.name).unwrap_or_default(),
            given_away: rows.iter().find(|row| row.name == bot.name).cloned(),
            worst: worst.next().map(|of| of.moves).unwrap_or_default(),
        };
        collected.add_measured(place, measured);
    }
    Ok(collected)
}

/// What the moves of a contest gave away, by the values in its records.
struct GivenAway {
    summary: Summary,
    /// Of each bot.
    worst: Vec<WorstMoves>,
}

impl GivenAway {
    fn of_bots(bots: usize) -> GivenAway {
        let worst = (0..bots).map(|_| WorstMoves::of_a_bot()).collect();
        GivenAway { summary: Summary::default(), worst }
    }

    /// Adds a valid match, which has the number `number` and `names` by now.
    fn add(
        &mut self,
        number: u64,
        names: PerSeat<&str>,
        record: &MatchRecord,
        places: &HashMap<&str, usize>,
    ) {
        let judged = judged_before(record);
        let found = AnalysedMatch::of_record(record, &judged);
        // Its place is its number in the tournament already.
        let found = AnalysedMatch { names, in_tournament: None, ..found };
        let at = MatchPlace { file: 0, number, line: 0, bytes: 0..0 };
        self.summary.add(&at, &found);
        for seat in Seat::BOTH {
            if let Some(&place) = places.get(names[seat]) {
                self.worst[place].add(&at, &found, &[seat]);
            }
        }
    }
}

/// Copies a bot's side of a match from the first log of it. Returns false if there is none.
fn copy_log(
    contest: &Contest<'_>,
    sources: LogSources<'_>,
    (number, record, identity): (u64, &MatchRecord, &LogIdentity),
    (place, seat): (usize, Seat),
) -> io::Result<bool> {
    let bots = &record.bots;
    let told = PerSeat::from_fn(|seat: Seat| {
        if contest.plan.anonymous {
            format!("bot-{}", u8::from(seat) + 1)
        } else {
            bots[seat].name.clone()
        }
    });
    let folder = sources.folders.of_match(place, number);
    let side = bot_log_files(&contest.plan.bots[place], folder);
    // A match from before an update had its number in another plan.
    let (_, number) = identity.place();
    for logs in sources.all {
        let whose = (&told, &*bots[seat].name, seat);
        if side.copy_from(&logs.of_match(number), identity, whose)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The first of `logs` that is of a match which does not count now, or has another number by
/// now. A match that is not in the file is still to be played.
pub(crate) fn log_of_before<'a>(
    file: &File,
    results: &CollectedResults,
    logs: &'a [LogIdentity],
) -> io::Result<Option<&'a LogIdentity>> {
    let counting = results.counting();
    let mut by_place: HashMap<_, Vec<&LogIdentity>> = HashMap::new();
    for log in logs {
        by_place.entry(log.place()).or_default().push(log);
    }
    let mut found = None;
    for_each_line(file, &mut |read, line| {
        let FileLine::Match(summary, _) = read else { return Ok(()) };
        let place = summary.place.map(|(id, number)| (id, number.get()));
        let known = place.and_then(|place| by_place.get(&place)).filter(|_| found.is_none());
        if let Some(known) = known
            && counting.current_place(&summary) != place
            && let Ok(record) = parse_record(line)
        {
            let identity = LogIdentity::of(&record);
            found = known.iter().copied().find(|log| Some(*log) == identity.as_ref());
        }
        Ok(())
    })?;
    Ok(found)
}

/// Calls `action` for each line that can be read.
fn for_each_line(
    file: &File,
    action: &mut dyn FnMut(FileLine<'_>, &[u8]) -> io::Result<()>,
) -> io::Result<()> {
    let mut lines = lines_of(file);
    while let Some(Ok((_, line))) = lines.next_line() {
        if let Ok(found) = read_file_line(line, LineMoves::Checked) {
            action(found, line)?;
        }
    }
    Ok(())
}

/// What `read` finds in the last header of the file in which it finds something.
pub(crate) fn find_in_headers<T>(
    file: &File,
    mut read: impl FnMut(TournamentHeader, Box<PlanFields>) -> Option<T>,
) -> Option<T> {
    let mut lines = lines_of(file);
    let mut found = None;
    while let Some(Ok((_, line))) = lines.next_line() {
        if !line.starts_with(br#"{"format":"mancala-match/"#)
            && let Ok(FileLine::Header(header, plan)) = read_file_line(line, LineMoves::Checked)
        {
            found = read(header, plan).or(found);
        }
    }
    found
}

/// The lines of a file from its beginning.
fn lines_of(file: &File) -> RecordLines<impl BufRead> {
    RecordLines::new(BufReader::new(ReadAt::new(file, 0..u64::MAX)))
}
