//! All lines of all files as one whole: each match once, whatever files it stands in.

mod contest_facts;
mod counted;
mod memory;
mod merging;

use std::collections::HashMap;
use std::io::BufRead;

pub use self::contest_facts::Counting;
use self::memory::{READ_BETWEEN_CHECKS, can_allocate};
use super::differences::Differences;
use super::names::Names;
use super::stored_match::{StoredMatch, StoredResult};
use super::tally::PairTally;
use super::times::{BotTimes, TimedMove, timed_moves};
use super::tournament::{CollectedTournament, PlannedTest};
use super::unreadable::UnreadableFiles;
use crate::contest::{FaultCounts, FileLine, LineReader, MatchSummary, PlanFields};
use crate::record::{
    Digest, Note, NoteKind, ReadError, ReadErrorKind, RecordLines, TournamentHeader, parse_record,
};
use crate::referee;
use crate::seat::{PerSeat, Seat};

/// What is read beside the results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// The time of every move.
    pub times: bool,
    /// Whether each match is played again by the rules before it counts.
    pub verify: bool,
}

/// Everything that was read so far.
#[derive(Debug, Default)]
pub struct CollectedResults {
    options: ReadOptions,
    reader: LineReader,
    files: Vec<String>,
    pub(super) names: Names,
    pub(super) tournaments: Vec<CollectedTournament>,
    places: HashMap<Digest, usize>,
    sources: Vec<MatchSource>,
    /// Each match of a tournament once.
    matches: Vec<StoredMatch>,
    is_sorted: bool,
    /// Matches of tournaments that were seen before.
    again: Vec<StoredMatch>,
    pairs: HashMap<[u32; 2], u32>,
    bots_of_pairs: Vec<[u32; 2]>,
    /// Matches of no tournament: how many, and their sums by pair.
    loose: u64,
    loose_tallies: Vec<PairTally>,
    /// All different faults of the two bots in a match, the one with the lower number first.
    fault_sets: Vec<[FaultCounts; 2]>,
    fault_numbers: HashMap<[FaultCounts; 2], u32>,
    /// By the number of the bot; empty unless times are read.
    times: Vec<BotTimes>,
    /// Times of matches that a test may leave out.
    test_times: Vec<TestTimes>,
    pub(super) differences: Differences,
    /// Whether a match has no digests of its games.
    lacks_games: bool,
}

/// Where a match was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct MatchSource {
    tournament: usize,
    file: usize,
}

/// The times of a match of a tournament that may have a test.
#[derive(Debug)]
struct TestTimes {
    tournament: usize,
    number: u64,
    bots: [u32; 2],
    times: [Vec<TimedMove>; 2],
}

/// A line that was cut off, and so does not count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CutOff {
    /// The line, from 1.
    pub line: u64,
}

impl CollectedResults {
    /// No results yet.
    pub fn new(options: ReadOptions) -> CollectedResults {
        CollectedResults { options, ..CollectedResults::default() }
    }

    /// Reads a file to its end; `name` is what messages call it. Lines that are cut off are skipped
    /// and returned.
    ///
    /// # Errors
    ///
    /// When a line does not belong in a record file, the file cannot be read further, memory runs
    /// out, or, with [`ReadOptions::verify`], a match is invalid.
    pub fn read(
        &mut self,
        name: &str,
        input: impl BufRead,
    ) -> Result<Vec<CutOff>, UnreadableFiles> {
        let file = self.files.len();
        self.files.push(name.to_owned());
        let mut cut_off = Vec::new();
        let mut lines = RecordLines::new(input);
        // Moved out for as long as what it read is in use.
        let mut reader = std::mem::take(&mut self.reader);
        let mut unchecked = READ_BETWEEN_CHECKS;
        while let Some(line) = lines.next_line() {
            let unreadable = |error| UnreadableFiles::Line { file: name.to_owned(), error };
            let (number, line) = line.map_err(unreadable)?;
            unchecked += line.len();
            if unchecked >= READ_BETWEEN_CHECKS {
                unchecked = 0;
                if !can_allocate(self.room_needed()) {
                    return Err(UnreadableFiles::OutOfMemory);
                }
            }
            let mut moves = self.options.times.then(Vec::new);
            match reader.read(line, moves.as_mut()) {
                Ok(FileLine::Match(summary, conditions)) => {
                    if self.options.verify {
                        verify(line).map_err(|why| UnreadableFiles::Invalid {
                            file: name.to_owned(),
                            line: number,
                            why,
                        })?;
                    }
                    let not_a_record = |error: serde_json::Error| {
                        let kind = ReadErrorKind::NotARecord(error.to_string());
                        unreadable(ReadError { line: number, kind })
                    };
                    let times = moves.map(|moves| timed_moves(&moves, &summary, &conditions));
                    let times = times.transpose().map_err(not_a_record)?;
                    let bots = summary.names.each_ref().map(|name| self.names.number(name));
                    self.differences
                        .add(&conditions, bots, (file, number))
                        .map_err(not_a_record)?;
                    self.add(&summary, times, file, number)?;
                }
                Ok(FileLine::Header(header)) => self.add_header(&header),
                Ok(FileLine::Note(note)) => self.add_note(&note),
                Err(ReadErrorKind::CutOff) => cut_off.push(CutOff { line: number }),
                Err(kind) => return Err(unreadable(ReadError { line: number, kind })),
            }
        }
        self.reader = reader;
        Ok(cut_off)
    }

    /// Adds the header of a tournament's file.
    fn add_header(&mut self, header: &TournamentHeader) {
        let plan: Option<PlanFields> = serde_json::from_str(header.plan.get()).ok();
        let bots = plan.iter().flat_map(|plan| &plan.bots);
        let bots: Vec<u32> = bots.map(|bot| self.names.number(&bot.name)).collect();
        let place = self.tournament(header.id);
        let tournament = &mut self.tournaments[place];
        tournament.shards.insert((header.shard.index(), header.shard.count()));
        let terms = plan.as_ref().and_then(|plan| plan.sprt.as_ref()?.parse().ok());
        if let (None, Some(terms), &[first, second]) = (&tournament.test, terms, &bots[..]) {
            let mut test = PlannedTest::new(terms, [first, second]);
            // The matches may have come before the header.
            for known in &self.matches {
                if self.sources[usize::from(known.source)].tournament == place {
                    let bots = self.bots_of_pairs[known.pair as usize];
                    test.add(u64::from(known.number), bots, known.result);
                }
            }
            tournament.test = Some(test);
        }
        // A larger count of openings is the same tournament: the largest is what is planned.
        if let Some(plan) = plan
            && tournament.plan.as_ref().is_none_or(|known| known.count < plan.count)
        {
            tournament.plan = Some(plan);
        }
    }

    /// Adds a note.
    fn add_note(&mut self, note: &Note) {
        let place = self.tournament(note.tournament);
        let tournament = &mut self.tournaments[place];
        let number = note.number.map(std::num::NonZeroU64::get);
        match (note.note, number, &note.bot) {
            (NoteKind::Unfinished, Some(number), _) => {
                tournament.unfinished.insert(number, note.detail.clone());
            }
            (NoteKind::Disqualified, _, Some(bot)) => {
                tournament.disqualified.entry(bot.clone()).or_insert_with(|| note.detail.clone());
                self.names.number(bot);
            }
            (NoteKind::Bye, number, Some(bot)) => {
                tournament.byes.insert((bot.clone(), number, note.detail.clone()));
                self.names.number(bot);
            }
            // A note that does not say whom it is about changes nothing.
            (NoteKind::Unfinished | NoteKind::Disqualified | NoteKind::Bye, _, _) => {}
        }
    }

    /// Whether nothing at all was read.
    pub fn is_empty(&self) -> bool {
        self.tournaments.is_empty() && self.bots_of_pairs.is_empty()
    }

    fn tournament(&mut self, id: Digest) -> usize {
        *self.places.entry(id).or_insert_with(|| {
            self.tournaments.push(CollectedTournament::new(id));
            self.tournaments.len() - 1
        })
    }

    fn add(
        &mut self,
        summary: &MatchSummary,
        times: Option<PerSeat<Vec<TimedMove>>>,
        file: usize,
        line: u64,
    ) -> Result<(), UnreadableFiles> {
        let [a, b] = summary.names.each_ref().map(|name| self.names.number(name));
        let (low, bots) = if a < b { (Seat::A, [a, b]) } else { (Seat::B, [b, a]) };
        let times = times.map(|PerSeat([a, b])| if low == Seat::A { [a, b] } else { [b, a] });
        let pair = *self.pairs.entry(bots).or_insert_with(|| {
            self.bots_of_pairs.push(bots);
            u32::try_from(self.bots_of_pairs.len() - 1).unwrap_or(u32::MAX)
        });
        let faults = self.faults(summary, low);
        let result = StoredResult::new(summary, low);
        self.lacks_games |= summary.games.is_empty();
        let Some((id, number)) = summary.place else {
            self.lacks_games = true;
            self.loose += 1;
            if self.loose_tallies.len() <= pair as usize {
                self.loose_tallies.resize_with(pair as usize + 1, PairTally::default);
            }
            self.loose_tallies[pair as usize].add(result, &self.fault_sets[faults as usize]);
            self.add_times(bots, times);
            return Ok(());
        };
        let number = number.get();
        let place = self.tournament(id);
        let mut games = [0; 2];
        games.iter_mut().zip(&summary.games).for_each(|(game, digest)| *game = *digest);
        let stored = StoredMatch {
            games,
            number: u32::try_from(number).map_err(|_| {
                UnreadableFiles::TooMany("matches: a number is above 4,294,967,295")
            })?,
            pair,
            faults,
            line: u32::try_from(line).unwrap_or(u32::MAX),
            source: self.source(place, file)?,
            result,
        };
        let tournament = &mut self.tournaments[place];
        if !tournament.see(number) {
            self.again.push(stored);
            return Ok(());
        }
        if let Some(test) = &mut tournament.test {
            test.add(number, bots, result);
        }
        if tournament.plan.is_some() && tournament.test.is_none() {
            self.add_times(bots, times);
        } else if let Some(times) = times {
            self.test_times.push(TestTimes { tournament: place, number, bots, times });
        }
        // Doubling would take half as much again as it needs.
        if self.matches.len() == self.matches.capacity() {
            self.matches.reserve_exact(self.matches.len() / 8 + 1024);
        }
        self.matches.push(stored);
        self.is_sorted = false;
        Ok(())
    }

    /// The number of the faults of both bots in this match.
    fn faults(&mut self, summary: &MatchSummary, low: Seat) -> u32 {
        let mut faults = [FaultCounts::default(); 2];
        for round in &summary.rounds {
            faults[0].merge(&round.faults[low]);
            faults[1].merge(&round.faults[!low]);
        }
        *self.fault_numbers.entry(faults).or_insert_with(|| {
            self.fault_sets.push(faults);
            u32::try_from(self.fault_sets.len() - 1).unwrap_or(u32::MAX)
        })
    }

    /// The number of a tournament's part in a file.
    fn source(&mut self, place: usize, file: usize) -> Result<u16, UnreadableFiles> {
        let tournament = &mut self.tournaments[place];
        // Files are read one after the other.
        if let Some((last, source)) = tournament.last_source
            && last == file
        {
            return Ok(source);
        }
        let source = u16::try_from(self.sources.len())
            .map_err(|_| UnreadableFiles::TooMany("files: at most 65,536 are read at once"))?;
        self.sources.push(MatchSource { tournament: place, file });
        tournament.last_source = Some((file, source));
        Ok(source)
    }

    fn add_times(&mut self, bots: [u32; 2], times: Option<[Vec<TimedMove>; 2]>) {
        for (bot, times) in bots.into_iter().zip(times.into_iter().flatten()) {
            add_times(&mut self.times, bot, &times);
        }
    }
}

fn add_times(all: &mut Vec<BotTimes>, bot: u32, times: &[TimedMove]) {
    let bot = bot as usize;
    if all.len() <= bot {
        all.resize_with(bot + 1, BotTimes::default);
    }
    for timed in times {
        all[bot].add(*timed);
    }
}

fn verify(line: &[u8]) -> Result<(), String> {
    let record = parse_record(line).map_err(|kind| ReadError { line: 1, kind }.to_string())?;
    referee::verify(&record).map_err(|mismatch| mismatch.to_string())
}
