//! All lines of all files as one whole: each match once, whatever files it stands in.

mod counted;

use std::collections::HashMap;
use std::io::BufRead;

use super::names::Names;
use super::statistics::sprt::Sprt;
use super::tally::{PairTally, in_order, round_points};
use super::times::Times;
use super::tournament::{Ahead, Tournament};
use super::unreadable::Unreadable;
use crate::contest::{FileLine, LineReader, MatchSummary, PlanFields};
use crate::record::{
    Digest, Lines, MatchRecord, Note, NoteKind, ReadError, ReadErrorKind, TournamentHeader,
    parse_record,
};
use crate::referee;
use crate::seat::{PerSeat, Seat};

/// What is read beside the results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// The time of every move.
    pub times: bool,
    /// Whether each match is played again by the rules before it counts.
    pub verify: bool,
}

/// Everything that was read so far.
#[derive(Debug)]
pub struct Gathering {
    reading: Reading,
    reader: LineReader,
    files: Vec<String>,
    pub(super) names: Names,
    pub(super) tournaments: Vec<Tournament>,
    places: HashMap<Digest, usize>,
    sources: Vec<Source>,
    /// Every match of a tournament.
    entries: Vec<Entry>,
    is_sorted: bool,
    /// Matches that were seen before.
    again: Vec<Entry>,
    pairs: HashMap<[u32; 2], u32>,
    pub(super) tallies: Vec<([u32; 2], PairTally)>,
    /// By the number of the bot; empty where times are not read.
    times: Vec<Times>,
    /// Whether each match has digests of its games.
    has_all_games: bool,
    /// Matches of no tournament.
    loose: u64,
}

/// Where a match was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Source {
    tournament: usize,
    file: usize,
}

/// A match of a tournament: its identity, its games, where it stands. 40 bytes.
#[derive(Clone, Copy, Debug)]
struct Entry {
    fingerprint: u64,
    games: [u64; 2],
    number: u32,
    pair: u32,
    line: u32,
    source: u16,
    /// How many of the games there are.
    rounds: u8,
}

/// A line that was cut off, and so does not count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CutOff {
    /// The line, from 1.
    pub line: u64,
}

impl Gathering {
    /// A gathering of no files.
    #[must_use]
    pub fn new(reading: Reading) -> Gathering {
        Gathering {
            reading,
            reader: LineReader::default(),
            files: Vec::new(),
            names: Names::default(),
            tournaments: Vec::new(),
            places: HashMap::new(),
            sources: Vec::new(),
            entries: Vec::new(),
            is_sorted: true,
            again: Vec::new(),
            pairs: HashMap::new(),
            tallies: Vec::new(),
            times: Vec::new(),
            has_all_games: true,
            loose: 0,
        }
    }

    /// Reads a file to its end; `name` is what messages call it. Lines that are cut off are skipped
    /// and returned.
    ///
    /// # Errors
    ///
    /// When a line does not belong in a record file, the file cannot be read further, or, with
    /// [`Reading::verify`], a match is invalid.
    pub fn read(&mut self, name: &str, input: impl BufRead) -> Result<Vec<CutOff>, Unreadable> {
        let file = self.files.len();
        self.files.push(name.to_owned());
        let mut cut_off = Vec::new();
        let mut lines = Lines::new(input);
        // Moved out for as long as what it read is in use.
        let mut reader = std::mem::take(&mut self.reader);
        while let Some(line) = lines.next_line() {
            let unreadable = |error| Unreadable::Line { file: name.to_owned(), error };
            let (number, line) = line.map_err(unreadable)?;
            let mut times = self.reading.times.then(PerSeat::<Times>::default);
            let mut add_time =
                times.as_mut().map(|times| |bot: Seat, ms: f64| times[bot].add_ms(ms));
            let each_time = add_time.as_mut().map(|add| add as &mut dyn FnMut(Seat, f64));
            match reader.read(line, each_time) {
                Ok(FileLine::Match(summary)) => {
                    if self.reading.verify {
                        verify(line).map_err(|why| Unreadable::Invalid {
                            file: name.to_owned(),
                            line: number,
                            why,
                        })?;
                    }
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

    /// Adds a match that was just played.
    ///
    /// # Errors
    ///
    /// When there is no room for more.
    pub fn add_record(&mut self, record: &MatchRecord) -> Result<(), Unreadable> {
        if self.files.is_empty() {
            self.files.push(String::new());
        }
        self.add(&MatchSummary::from(record), None, 0, 0)
    }

    /// Adds the header of a tournament's file.
    pub fn add_header(&mut self, header: &TournamentHeader) {
        let plan: Option<PlanFields> = serde_json::from_str(header.plan.get()).ok();
        for bot in plan.iter().flat_map(|plan| &plan.bots) {
            self.names.number(&bot.name);
        }
        let place = self.tournament(header.id);
        let tournament = &mut self.tournaments[place];
        tournament.shards.insert((header.shard.index(), header.shard.count()));
        // A larger count of openings is the same tournament: the largest is what is planned.
        if let Some(plan) = plan
            && tournament.plan.as_ref().is_none_or(|known| known.count < plan.count)
        {
            if tournament.sprt.is_none() && tournament.seen.is_empty() {
                let terms = plan.sprt.as_ref().and_then(|terms| terms.parse().ok());
                tournament.sprt = terms.map(Sprt::new);
            }
            tournament.plan = Some(plan);
        }
    }

    /// Adds a note.
    pub fn add_note(&mut self, note: &Note) {
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
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tournaments.is_empty() && self.tallies.is_empty()
    }

    fn tournament(&mut self, id: Digest) -> usize {
        *self.places.entry(id).or_insert_with(|| {
            self.tournaments.push(Tournament::new(id));
            self.tournaments.len() - 1
        })
    }

    fn add(
        &mut self,
        summary: &MatchSummary,
        times: Option<PerSeat<Times>>,
        file: usize,
        line: u64,
    ) -> Result<(), Unreadable> {
        let bots = summary.names.each_ref().map(|name| self.names.number(name));
        let (low, bots) = in_order(bots);
        let pair = *self.pairs.entry(bots).or_insert_with(|| {
            self.tallies.push((bots, PairTally::default()));
            u32::try_from(self.tallies.len() - 1).unwrap_or(u32::MAX)
        });
        let times = times.map(|times| if low == Seat::A { times } else { swapped(times) });
        let Some((id, number)) = summary.place else {
            self.has_all_games = false;
            self.loose += 1;
            self.tally(pair).add(summary, low);
            self.add_times(bots, times);
            return Ok(());
        };
        let number = number.get();
        let place = self.tournament(id);
        let entry = self.entry(summary, pair, Source { tournament: place, file }, number, line)?;
        if !self.tournaments[place].see(number) {
            self.again.push(entry);
            return Ok(());
        }
        self.has_all_games &= !summary.games.is_empty();
        self.tally(pair).add(summary, low);
        self.push(entry);
        let points = round_points(summary, low);
        let tournament = &mut self.tournaments[place];
        let Some(sprt) = &mut tournament.sprt else {
            self.add_times(bots, times);
            return Ok(());
        };
        sprt.add(number, points);
        let mut tally = PairTally::default();
        tally.add(summary, low);
        let times = times.map(|times| (bots, times));
        tournament.ahead.insert(number, Ahead { pair, tally, times });
        let within = match sprt.decided() {
            None => sprt.upto(),
            Some((last, _)) => last,
        };
        let beyond = tournament.ahead.split_off(&(within + 1));
        let counted = std::mem::replace(&mut tournament.ahead, beyond);
        for (bots, times) in counted.into_values().filter_map(|ahead| ahead.times) {
            self.add_times(bots, Some(times));
        }
        Ok(())
    }

    fn entry(
        &mut self,
        summary: &MatchSummary,
        pair: u32,
        source: Source,
        number: u64,
        line: u64,
    ) -> Result<Entry, Unreadable> {
        let known = self.sources.iter().rposition(|known| *known == source);
        let source = known.unwrap_or_else(|| {
            self.sources.push(source);
            self.sources.len() - 1
        });
        let mut games = [0; 2];
        games.iter_mut().zip(&summary.games).for_each(|(game, digest)| *game = *digest);
        Ok(Entry {
            fingerprint: summary.fingerprint(),
            games,
            number: u32::try_from(number)
                .map_err(|_| Unreadable::TooMany("matches: a number is above 4,294,967,295"))?,
            pair,
            line: u32::try_from(line).unwrap_or(u32::MAX),
            source: u16::try_from(source)
                .map_err(|_| Unreadable::TooMany("files: at most 65,536 are read at once"))?,
            rounds: u8::try_from(summary.games.len()).unwrap_or(2),
        })
    }

    fn push(&mut self, entry: Entry) {
        // Doubling would take half as much again as it needs.
        if self.entries.len() == self.entries.capacity() {
            self.entries.reserve_exact(self.entries.len() / 8 + 1024);
        }
        self.entries.push(entry);
        self.is_sorted = false;
    }

    fn tally(&mut self, pair: u32) -> &mut PairTally {
        &mut self.tallies[pair as usize].1
    }

    fn add_times(&mut self, bots: [u32; 2], times: Option<PerSeat<Times>>) {
        for (bot, times) in bots.into_iter().zip(times.into_iter().flat_map(|times| times.0)) {
            let bot = bot as usize;
            if self.times.len() <= bot {
                self.times.resize_with(bot + 1, Times::default);
            }
            self.times[bot].merge(&times);
        }
    }
}

fn swapped(times: PerSeat<Times>) -> PerSeat<Times> {
    let PerSeat([a, b]) = times;
    PerSeat([b, a])
}

fn verify(line: &[u8]) -> Result<(), String> {
    let record = parse_record(line).map_err(|kind| ReadError { line: 1, kind }.to_string())?;
    referee::verify(&record).map_err(|mismatch| mismatch.to_string())
}
