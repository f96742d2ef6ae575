//! All lines of all files as one whole: each match once, whatever files it stands in.

mod contest_facts;
mod continued;
mod counted;
mod headers;
mod memory;
mod merging;
mod notes;
mod plan_check;
mod swiss;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::BufRead;

use serde_json::value::RawValue;

pub use self::contest_facts::{Counting, NotCounted, SeenMatches};
pub(super) use self::continued::ContinuedPlans;
use self::headers::TournamentPlaces;
use self::memory::{OUT_OF_MEMORY, READ_BETWEEN_CHECKS, can_allocate};
use self::plan_check::PlanCheck;
use super::differences::{Differences, LinePlace};
use super::numbered::{Numbered, grown};
use super::stored_match::{StoredMatch, StoredResult, turned_if};
use super::tally::PairTally;
use super::times::{BotTimes, TimedMove, timed_moves};
use super::tournament::CollectedTournament;
use super::unreadable::UnreadableFiles;
use crate::contest::{FaultCounts, FileLine, LineMoves, MatchSummary, read_file_line};
use crate::record::{
    Digest, ReadError, ReadErrorKind, RecordLines, Shard, Terms, TimeTerms, parse_record,
};
use crate::referee;
use crate::seat::{PerSeat, Seat};

const TOO_MANY_FILES: &str = "too many files: at most 65,536 are read at once";

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
    files: Vec<String>,
    pub(super) names: Numbered<String>,
    /// The names before bots were renamed.
    names_before: Option<Vec<String>>,
    pub(super) tournaments: Vec<CollectedTournament>,
    places: TournamentPlaces,
    plan_check: PlanCheck,
    /// How often each tournament went on with other bots in the file that is read.
    parts_read: HashMap<usize, usize>,
    /// Notes about who plays that the file that is read has of each tournament's bots.
    bans_read: HashMap<(usize, String), usize>,
    /// The highest number of a match that the file that is read has of each tournament.
    highest_read: HashMap<usize, u64>,
    /// The part of a schedule that this file holds.
    shard: Shard,
    /// The versions of the bots by the header that was read last.
    versions_read: BTreeMap<String, Digest>,
    sources: Numbered<MatchSource>,
    /// Each match of a tournament once.
    matches: Vec<StoredMatch>,
    /// Matches of tournaments that were seen before.
    again: Vec<StoredMatch>,
    /// The numbers of two bots that met, the lower one first.
    pairs: Numbered<[u32; 2]>,
    /// The pairs with the versions of their bots.
    versioned: Numbered<VersionedPair>,
    /// The sums of matches of no tournament, by pair.
    loose_tallies: Vec<PairTally>,
    /// What tells the lines of these matches apart, and how many are the same as one before.
    loose_lines: HashSet<u64>,
    copied_lines: u64,
    /// All different faults of the two bots in a match, the one with the lower number first.
    faults: Numbered<[FaultCounts; 2]>,
    /// By the tournament and the number of the pair with its versions, in the order of the pair;
    /// empty unless times are read.
    times: BTreeMap<(Option<usize>, u32), [BotTimes; 2]>,
    /// Times of matches that a test may leave out.
    test_times: Vec<TestTimes>,
    /// Places of tournaments, and bots disqualified there by counted faults and no note.
    out_by_faults: Vec<(usize, String)>,
    pub(super) differences: Differences,
    /// Whether a move has a value; never unless times are read.
    has_values: bool,
    /// The limits of the last match whose times were read, as they are written, and their times.
    last_limits: (String, TimeTerms),
}

/// Where a match was read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct MatchSource {
    tournament: usize,
    file: usize,
}

/// Two bots that met, as they were then.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct VersionedPair {
    /// The number of the pair.
    pair: u32,
    /// In the order of the pair.
    versions: [Option<Digest>; 2],
}

/// The times of a match of a tournament that may have a test.
#[derive(Debug)]
struct TestTimes {
    tournament: usize,
    number: u64,
    bots: [u32; 2],
    times: [Vec<TimedMove>; 2],
}

impl CollectedResults {
    /// No results yet.
    pub fn new(options: ReadOptions) -> CollectedResults {
        CollectedResults { options, ..CollectedResults::default() }
    }

    /// Reads a file to its end; `name` is what messages call it. Lines that are cut off are skipped,
    /// and their numbers, from 1, returned.
    ///
    /// # Errors
    ///
    /// When a line does not belong in a record file, the file cannot be read further, memory runs
    /// out, or, with [`ReadOptions::verify`], a match is invalid.
    pub fn read(&mut self, name: &str, input: impl BufRead) -> Result<Vec<u64>, UnreadableFiles> {
        self.read_in_stages(name, input, &mut |_| {})
    }

    /// As [`CollectedResults::read`], and calls `before_update` with all that was read before each
    /// header of an `--update`.
    ///
    /// # Errors
    ///
    /// As `read`.
    pub fn read_in_stages(
        &mut self,
        name: &str,
        mut input: impl BufRead,
        before_update: &mut dyn FnMut(&mut CollectedResults),
    ) -> Result<Vec<u64>, UnreadableFiles> {
        self.files.push(name.to_owned());
        self.places.begin_file();
        self.parts_read.clear();
        self.bans_read.clear();
        self.highest_read.clear();
        self.shard = Shard::WHOLE;
        self.versions_read.clear();
        self.read_lines(&mut input, before_update)
    }

    /// Reads what has come to the file that was read last, or the first one.
    ///
    /// # Errors
    ///
    /// As [`CollectedResults::read`].
    pub fn read_on(&mut self, name: &str, mut input: impl BufRead) -> Result<(), UnreadableFiles> {
        if self.files.is_empty() {
            self.read(name, input)?;
        } else {
            self.read_lines(&mut input, &mut |_| {})?;
        }
        Ok(())
    }

    /// Not generic, so that it is optimised as this package is and not as its callers are.
    fn read_lines(
        &mut self,
        input: &mut dyn BufRead,
        before_update: &mut dyn FnMut(&mut CollectedResults),
    ) -> Result<Vec<u64>, UnreadableFiles> {
        self.forget_disqualified_by_faults();
        let file = self.file_read();
        let name = &*self.files[file].clone();
        let mut cut_off = Vec::new();
        let mut lines = RecordLines::new(input);
        let mut rest = Vec::new();
        let mut unchecked = READ_BETWEEN_CHECKS;
        while let Some(line) = lines.next_line() {
            let unreadable = |error| UnreadableFiles::Line { file: name.to_owned(), error };
            let (number, line) = line.map_err(unreadable)?;
            unchecked += line.len();
            if unchecked >= READ_BETWEEN_CHECKS {
                unchecked = 0;
                if !can_allocate(self.room_needed()) {
                    return Err(UnreadableFiles::Other(OUT_OF_MEMORY.to_owned()));
                }
            }
            let mut moves = self.options.times.then(Vec::new);
            let wanted = moves.as_mut().map(|moves| LineMoves::Read(moves, &mut rest));
            match read_file_line(line, wanted.unwrap_or(LineMoves::Checked)) {
                Ok(FileLine::Match(mut summary, conditions)) => {
                    if self.options.verify {
                        let record = parse_record(line)
                            .map_err(|kind| unreadable(ReadError { line: number, kind }))?;
                        referee::verify(&record).map_err(|mismatch| {
                            UnreadableFiles::invalid(name, number, &mismatch.to_string())
                        })?;
                    }
                    let not_a_record = |error: serde_json::Error| {
                        let kind = ReadErrorKind::NotARecord(error.to_string());
                        unreadable(ReadError { line: number, kind })
                    };
                    let mut read = moves.iter().flatten().flatten();
                    self.has_values = self.has_values || read.any(|played| played.loss.is_some());
                    let times = moves.map(|moves| {
                        let terms = self.time_terms(conditions.limits)?;
                        Ok(timed_moves(&moves, &summary, terms))
                    });
                    let times = times.transpose().map_err(not_a_record)?;
                    if summary.place.is_none() {
                        self.see_loose(line);
                    }
                    self.check_match(&summary, &conditions, (file, number))?;
                    self.give_current_names(&mut summary);
                    let bots = summary.names.each_ref().map(|name| self.names.number(&**name));
                    let programs = [0, 1].map(|seat| (bots[seat], summary.versions[seat]));
                    let added = self.differences.add(&conditions, programs, (file, number));
                    added.map_err(not_a_record)?;
                    self.add(&summary, bots, times, (file, number))?;
                }
                Ok(FileLine::Header(header, plan)) => {
                    // A larger count of openings keeps the id.
                    let is_update = header.continues.is_some()
                        || self.tournaments.last().is_some_and(|of| of.id != header.id);
                    if is_update {
                        before_update(self);
                        self.forget_disqualified_by_faults();
                    }
                    self.plan_check.add(header.id, &plan);
                    self.add_header(&header, plan, (file, number))?;
                }
                Ok(FileLine::Note(note)) => {
                    self.check_note(&note, (file, number))?;
                    self.add_note(note, (file, number));
                }
                Err(ReadErrorKind::CutOff) => cut_off.push(number),
                Err(kind) => return Err(unreadable(ReadError { line: number, kind })),
            }
        }
        Ok(cut_off)
    }

    /// The place of the file that is read.
    fn file_read(&self) -> usize {
        self.files.len() - 1
    }

    /// Whether nothing at all was read.
    pub fn is_empty(&self) -> bool {
        self.tournaments.is_empty() && self.pairs.all().is_empty()
    }

    /// The times in the limits of a match, which are nearly always those of the match before.
    fn time_terms(&mut self, limits: &RawValue) -> serde_json::Result<TimeTerms> {
        if self.last_limits.0 != limits.get() {
            let terms: Terms = serde_json::from_str(limits.get())?;
            self.last_limits = (limits.get().to_owned(), terms.time);
        }
        Ok(self.last_limits.1)
    }

    fn add(
        &mut self,
        summary: &MatchSummary,
        [a, b]: [u32; 2],
        times: Option<PerSeat<Vec<TimedMove>>>,
        (file, line): LinePlace,
    ) -> Result<(), UnreadableFiles> {
        let low = if a < b { Seat::A } else { Seat::B };
        let bots = turned_if(low == Seat::B, [a, b]);
        let times = times.map(|times| turned_if(low == Seat::B, times.0));
        let pair = self.pairs.number(&bots);
        let mut faults = [FaultCounts::default(); 2];
        for round in &summary.rounds {
            faults[0].merge(&round.faults[low]);
            faults[1].merge(&round.faults[!low]);
        }
        let result = StoredResult::new(summary, low);
        let versions = turned_if(low == Seat::B, summary.versions);
        let versioned = self.versioned.number(&VersionedPair { pair, versions });
        let Some((id, number)) = summary.place else {
            grown(&mut self.loose_tallies, pair).add(result, &faults);
            self.add_times((None, versioned), times);
            return Ok(());
        };
        let place = self.place_of_match(id, summary);
        let in_plan = self.tournaments[place].number_of((id, number.get()), summary);
        let number = in_plan.unwrap_or(number.get());
        let mut games = [0; 2];
        games.iter_mut().zip(&summary.games).for_each(|(game, digest)| *game = *digest);
        let stored = StoredMatch {
            games,
            number: u32::try_from(number)
                .map_err(|_| self.number_too_high(id, number, (file, line)))?,
            pair: versioned,
            faults: self.faults.number(&faults),
            line: u32::try_from(line).unwrap_or(u32::MAX),
            source: u16::try_from(self.sources.number(&MatchSource { tournament: place, file }))
                .map_err(|_| UnreadableFiles::Other(TOO_MANY_FILES.to_owned()))?,
            result,
        };
        if in_plan.is_none() {
            self.set_aside(place, id, stored);
            return Ok(());
        }
        let highest = self.highest_read.entry(place).or_default();
        *highest = number.max(*highest);
        let tournament = &mut self.tournaments[place];
        if !tournament.seen.insert(number) {
            self.again.push(stored);
            return Ok(());
        }
        if let Some(test) = &mut tournament.test {
            test.add(number, bots, result);
        }
        if tournament.plan.is_some() && tournament.test.is_none() {
            self.add_times((Some(place), versioned), times);
        } else if let Some(times) = times {
            self.test_times.push(TestTimes { tournament: place, number, bots, times });
        }
        // Doubling would take half as much again as it needs.
        if self.matches.len() == self.matches.capacity() {
            self.matches.reserve_exact(self.matches.len() / 8 + 1024);
        }
        self.matches.push(stored);
        Ok(())
    }

    fn add_times(&mut self, of: (Option<usize>, u32), times: Option<[Vec<TimedMove>; 2]>) {
        let Some(times) = times else { return };
        let known = self.times.entry(of).or_default();
        for (known, times) in known.iter_mut().zip(times) {
            known.add_all(&times);
        }
    }
}
