//! One line of a file, read without its moves: nearly all of a record is moves, and who counts
//! matches needs none of them.
//!
//! The lists of moves are cut out of the line, and the rest is read as JSON. In valid JSON the text
//! `"moves"` before a colon is always a key, because a quotation mark in a string is escaped. So
//! the list that follows it can be cut out.

use std::borrow::Cow;
use std::ops::Range;

use memchr::memmem::Finder;
use memchr::{memchr, memchr2};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::summary::{FaultCounts, MatchSummary, RoundSummary};
use crate::protocol::{FaultKind, Reason};
use crate::record::{
    Note, ReadErrorKind, RecordFormat, TournamentHeader, TournamentMatch, parse_record, read_error,
};
use crate::seat::{PerSeat, Seat};

/// A line of a record file.
#[derive(Debug)]
pub enum FileLine<'a> {
    /// A match, and how it was played.
    Match(MatchSummary<'a>, MatchConditions<'a>),
    /// The first line of a tournament's file.
    Header(TournamentHeader),
    /// What happened instead of a match.
    Note(Note),
}

/// What a record says of how its match was played, as JSON.
#[derive(Clone, Copy, Debug)]
pub struct MatchConditions<'a> {
    /// The rules.
    pub rules: &'a RawValue,
    /// What the bots were held to.
    pub limits: &'a RawValue,
    /// The words of each bot's command line, in the order of the seats.
    pub commands: [&'a RawValue; 2],
}

/// The time of a move, and what decides its limit.
#[derive(Clone, Copy, Debug)]
pub struct MoveTime {
    /// The round's place in the match, from 0.
    pub round: usize,
    /// Who moved.
    pub bot: Seat,
    /// The time in milliseconds.
    pub ms: f64,
    /// Whether a move was played for the bot, which was at fault.
    pub is_substitute: bool,
    /// Whether it is the first answer of a process, if the record says so.
    pub is_fresh: bool,
}

/// Reads lines; keeps its buffers from one to the next.
#[derive(Debug)]
pub struct LineReader {
    key: Finder<'static>,
    substitute: Finder<'static>,
    /// The line without its moves.
    short: Vec<u8>,
    /// Where the moves of each round stand in the line.
    moves: Vec<Range<usize>>,
}

/// What the lines that a version of this program writes for a match begin with.
const BEGINNING: &[u8] = br#"{"format":"mancala-match/1","#;

impl Default for LineReader {
    fn default() -> LineReader {
        LineReader {
            key: Finder::new(b"\"moves\""),
            substitute: Finder::new(b"\"substitute\""),
            short: Vec::new(),
            moves: Vec::new(),
        }
    }
}

impl LineReader {
    /// Reads a line. With `times`, its moves too, whose times are added to it.
    ///
    /// # Errors
    ///
    /// If the line is cut off, or does not belong in a record file.
    pub fn read<'a>(
        &'a mut self,
        line: &[u8],
        times: Option<&mut Vec<MoveTime>>,
    ) -> Result<FileLine<'a>, ReadErrorKind> {
        if !line.starts_with(BEGINNING) {
            let kind: LineKind =
                serde_json::from_slice(line).map_err(|error| read_error(line, &error))?;
            match &*kind.format {
                "mancala-tournament/1" => return parse(line).map(FileLine::Header),
                "mancala-note/1" => return parse(line).map(FileLine::Note),
                _ => {}
            }
        }
        let is_whole = self.cut_moves_out(line);
        if !is_whole {
            return Err(ReadErrorKind::CutOff);
        }
        let Ok(record) = serde_json::from_slice::<LightRecord>(&self.short) else {
            // The places in the error are those of the whole line.
            return Err(parse_record(line).err().unwrap_or_else(|| {
                ReadErrorKind::NotARecord("its fields cannot be read".to_owned())
            }));
        };
        let commands = record.bots.0.each_ref().map(|bot| bot.command);
        let conditions = MatchConditions { rules: record.rules, limits: record.limits, commands };
        let mut summary = summary(record).map_err(ReadErrorKind::NotARecord)?;
        if times.is_some() || self.substitute.find(line).is_some() {
            read_moves(line, &self.moves, &mut summary, times)?;
        }
        Ok(FileLine::Match(summary, conditions))
    }

    /// Copies the line without its moves. False if a list of moves does not end.
    fn cut_moves_out(&mut self, line: &[u8]) -> bool {
        self.short.clear();
        self.moves.clear();
        let mut from = 0;
        while let Some(found) = self.key.find(&line[from..]) {
            let after_key = from + found + self.key.needle().len();
            let Some(begin) = begin_of_list(line, after_key) else {
                self.short.extend_from_slice(&line[from..after_key]);
                from = after_key;
                continue;
            };
            let Some(length) = end_of_list(&line[begin..]) else { return false };
            self.short.extend_from_slice(&line[from..begin]);
            self.moves.push(begin..begin + length);
            from = begin + length;
        }
        self.short.extend_from_slice(&line[from..]);
        true
    }
}

fn parse<'de, T: Deserialize<'de>>(line: &'de [u8]) -> Result<T, ReadErrorKind> {
    serde_json::from_slice(line).map_err(|error| read_error(line, &error))
}

/// The place behind the opening bracket of the list that follows the key; `None` if no list does.
fn begin_of_list(line: &[u8], after_key: usize) -> Option<usize> {
    let rest = line[after_key..].trim_ascii_start().strip_prefix(b":")?;
    let rest = rest.trim_ascii_start().strip_prefix(b"[")?;
    Some(line.len() - rest.len())
}

/// The place of the closing bracket of a list whose opening bracket is before `text`; `None` if
/// the list does not end.
fn end_of_list(text: &[u8]) -> Option<usize> {
    // Mostly it is the first one: the moves have no lists and no brackets in strings.
    let first = memchr(b']', text)?;
    let before = &text[..first];
    let is_plain =
        memchr2(b'[', b'\\', before).is_none() && quotation_marks(before).is_multiple_of(2);
    if is_plain { Some(first) } else { end_of_any_list(text) }
}

/// Counts quotation marks. Pieces whose count fits a byte let the compiler use vector instructions.
fn quotation_marks(text: &[u8]) -> usize {
    let in_piece = |piece: &[u8]| piece.iter().map(|&byte| u8::from(byte == b'"')).sum::<u8>();
    text.chunks(255).map(|piece| usize::from(in_piece(piece))).sum()
}

fn end_of_any_list(text: &[u8]) -> Option<usize> {
    let (mut depth, mut at) = (0_usize, 0);
    loop {
        match text.get(at)? {
            b'[' => depth += 1,
            b']' if depth == 0 => return Some(at),
            b']' => depth -= 1,
            b'"' => loop {
                at += 1;
                match text.get(at)? {
                    b'"' => break,
                    b'\\' => at += 1,
                    _ => {}
                }
            },
            _ => {}
        }
        at += 1;
    }
}

/// Adds the faults of substituted moves, and the times of all.
fn read_moves(
    line: &[u8],
    moves: &[Range<usize>],
    summary: &mut MatchSummary,
    mut times: Option<&mut Vec<MoveTime>>,
) -> Result<(), ReadErrorKind> {
    // Rounds stand in the order of their lists.
    if moves.len() != summary.rounds.len() {
        let why = "there are lists of moves outside of its rounds";
        return Err(ReadErrorKind::NotARecord(why.to_owned()));
    }
    for (index, (range, round)) in moves.iter().zip(&mut summary.rounds).enumerate() {
        // With its brackets.
        let list = &line[range.start - 1..=range.end];
        let moves: Vec<LightMove> = serde_json::from_slice(list).map_err(|_| {
            parse_record(line)
                .err()
                .unwrap_or_else(|| ReadErrorKind::NotARecord("its moves cannot be read".to_owned()))
        })?;
        for played in moves {
            if let Some(fault) = &played.substitute {
                round.faults[played.bot].add(fault.kind, 1);
            }
            if let Some(times) = &mut times {
                times.push(MoveTime {
                    round: index,
                    bot: played.bot,
                    ms: played.ms,
                    is_substitute: played.substitute.is_some(),
                    is_fresh: played.fresh,
                });
            }
        }
    }
    Ok(())
}

fn summary(record: LightRecord<'_>) -> Result<MatchSummary<'_>, String> {
    let PerSeat([a, b]) = record.bots;
    if a.name == b.name {
        return Err("both bots have the same name".to_owned());
    }
    if !(1..=2).contains(&record.rounds.len()) {
        return Err(format!("it has {} rounds; a match has 1 or 2", record.rounds.len()));
    }
    let rounds: Vec<RoundSummary> =
        record.rounds.into_iter().map(round).collect::<Result<_, _>>()?;
    let total = |seat| rounds.iter().map(|round| u32::from(round.score[seat])).sum::<u32>();
    if PerSeat::from_fn(total) != record.score {
        return Err("the score is not what its rounds add up to".to_owned());
    }
    let leader = Seat::BOTH.into_iter().find(|&seat| record.score[seat] > record.score[!seat]);
    if record.winner != leader {
        return Err("the winner is not the one that its score makes".to_owned());
    }
    let games: Vec<u64> = record
        .tournament
        .iter()
        .flat_map(|place| &place.games)
        .map(|game| game.to_bits())
        .collect();
    if !games.is_empty() && games.len() != rounds.len() {
        return Err("tournament.games has not one digest for each round".to_owned());
    }
    let place = record.tournament.map(|place| (place.id, place.number));
    Ok(MatchSummary { place, games, names: [a.name, b.name], rounds })
}

fn round(round: LightRound) -> Result<RoundSummary, String> {
    let mut faults = PerSeat::<FaultCounts>::default();
    let forfeited = match (round.result.fault, round.result.reason) {
        (Some(fault), Reason::Fault(kind)) if kind == fault.kind => {
            faults[fault.bot].add(kind, 1);
            Some(fault.bot)
        }
        (None, Reason::Completed | Reason::MoveLimit | Reason::Decided) => None,
        _ => return Err(format!("round {}: the reason and the fault do not fit", round.number)),
    };
    Ok(RoundSummary { first: round.first, score: round.result.score, forfeited, faults })
}

#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct LineKind<'a> {
    #[serde(borrow)]
    format: Cow<'a, str>,
}

#[derive(Deserialize)]
struct LightRecord<'a> {
    #[expect(dead_code, reason = "read to be checked")]
    format: RecordFormat,
    #[serde(default)]
    tournament: Option<TournamentMatch>,
    #[serde(borrow)]
    rules: &'a RawValue,
    #[serde(borrow)]
    limits: &'a RawValue,
    #[serde(borrow)]
    bots: PerSeat<LightBot<'a>>,
    rounds: Vec<LightRound>,
    score: PerSeat<u32>,
    winner: Option<Seat>,
}

#[derive(Deserialize)]
struct LightBot<'a> {
    #[serde(borrow)]
    name: Cow<'a, str>,
    #[serde(borrow)]
    command: &'a RawValue,
}

#[derive(Deserialize)]
struct LightRound {
    #[serde(rename = "round")]
    number: u32,
    first: Seat,
    result: LightResult,
}

#[derive(Deserialize)]
struct LightResult {
    reason: Reason,
    fault: Option<LightFault>,
    score: PerSeat<u8>,
}

#[derive(Deserialize)]
struct LightFault {
    bot: Seat,
    kind: FaultKind,
}

#[derive(Deserialize)]
struct LightMove {
    bot: Seat,
    ms: f64,
    #[serde(default)]
    fresh: bool,
    substitute: Option<LightSubstitute>,
}

#[derive(Deserialize)]
struct LightSubstitute {
    kind: FaultKind,
}

#[cfg(test)]
mod tests;
