//! One line of a file, read without its moves: nearly all of a record is moves, and who counts
//! matches needs none of them.
//!
//! The moves of a round are read only if somebody asks for their times, or if one of them may have
//! been substituted.

use std::borrow::Cow;
use std::num::NonZeroU64;
use std::time::Duration;

use memchr::memmem;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use super::summary::{FaultCounts, MatchSummary, RoundSummary};
use crate::protocol::{FaultKind, Reason};
use crate::record::{
    Digest, Note, ReadErrorKind, RecordFormat, TournamentHeader, TournamentMatch, bot_name,
    fine_ms, parse_line, parse_record,
};
use crate::rules::{Direction, House};
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
    pub rules: &'a RawValue,
    /// What the bots were held to.
    pub limits: &'a RawValue,
    /// The words of each bot's command line, in the order of the seats.
    pub commands: [&'a RawValue; 2],
    /// What it began from, and the number of that in the tournament's suite.
    pub opening: (&'a RawValue, Option<NonZeroU64>),
    /// When it began, if the record says it.
    pub started: Option<&'a RawValue>,
}

/// What the lines that a version of this program writes for a match begin with.
const BEGINNING: &[u8] = br#"{"format":"mancala-match/1","#;

/// Reads a line of a file. With `moves`, its moves too, which are added to it round by round.
///
/// # Errors
///
/// If the line is cut off, or does not belong in a record file.
pub fn read_file_line<'a>(
    line: &'a [u8],
    moves: Option<&mut Vec<Vec<LightMove>>>,
) -> Result<FileLine<'a>, ReadErrorKind> {
    if !line.starts_with(BEGINNING) {
        match &*parse_line::<LineKind>(line)?.format {
            "mancala-tournament/1" => return parse_line(line).map(FileLine::Header),
            "mancala-note/1" => return parse_line(line).map(FileLine::Note),
            _ => {}
        }
    }
    if moves.is_some() || memmem::find(line, b"\"substitute\"").is_some() {
        read_match::<Vec<LightMove>>(line, moves)
    } else {
        read_match::<IgnoredAny>(line, None)
    }
}

/// Reads the line of a match. `M` is what its rounds' moves are read as.
fn read_match<'a, M: Moves + Deserialize<'a>>(
    line: &'a [u8],
    moves: Option<&mut Vec<Vec<LightMove>>>,
) -> Result<FileLine<'a>, ReadErrorKind> {
    let Ok(record) = parse_line::<LightRecord<M>>(line) else {
        return Err(unreadable(line, "its fields cannot be read"));
    };
    let commands = record.bots.0.each_ref().map(|bot| bot.command);
    let opening = (record.opening, record.tournament.as_ref().map(|place| place.opening));
    let LightRecord { rules, limits, started, .. } = record;
    let conditions = MatchConditions { rules, limits, commands, opening, started };
    if let Some(moves) = moves {
        moves.extend(record.rounds.iter().map(|round| round.moves.moves().to_vec()));
    }
    let summary = summary(record).map_err(ReadErrorKind::NotARecord)?;
    Ok(FileLine::Match(summary, conditions))
}

/// The error for a line that is not a record, as the reader of whole records has it, which names
/// the place; `why` if that reader has none.
fn unreadable(line: &[u8], why: &str) -> ReadErrorKind {
    parse_record(line).err().unwrap_or_else(|| ReadErrorKind::NotARecord(why.to_owned()))
}

fn summary<M: Moves>(record: LightRecord<'_, M>) -> Result<MatchSummary<'_>, String> {
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
    let (names, versions) = ([a.name, b.name], [a.version, b.version]);
    Ok(MatchSummary { place, games, names, versions, rounds })
}

fn round<M: Moves>(round: LightRound<M>) -> Result<RoundSummary, String> {
    let mut faults = PerSeat::<FaultCounts>::default();
    let forfeited = match (round.result.fault, round.result.reason) {
        (Some(fault), Reason::Fault(kind)) if kind == fault.kind => {
            faults[fault.bot].add(kind, 1);
            Some(fault.bot)
        }
        (None, Reason::Ended(_)) => None,
        _ => return Err(format!("round {}: the reason and the fault do not fit", round.number)),
    };
    for played in round.moves.moves() {
        if let Some(substitute) = &played.substitute {
            faults[played.bot].add(substitute.kind, 1);
        }
    }
    Ok(RoundSummary { first: round.first, score: round.result.score, forfeited, faults })
}

#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct LineKind<'a> {
    #[serde(borrow)]
    format: Cow<'a, str>,
}

#[derive(Deserialize)]
#[serde(bound(deserialize = "M: Deserialize<'de>"))]
struct LightRecord<'a, M> {
    #[expect(dead_code, reason = "read to be checked")]
    format: RecordFormat,
    #[serde(borrow, default)]
    started: Option<&'a RawValue>,
    #[serde(default)]
    tournament: Option<TournamentMatch>,
    #[serde(borrow)]
    rules: &'a RawValue,
    #[serde(borrow)]
    opening: &'a RawValue,
    #[serde(borrow)]
    limits: &'a RawValue,
    #[serde(borrow)]
    bots: PerSeat<LightBot<'a>>,
    rounds: Vec<LightRound<M>>,
    score: PerSeat<u32>,
    winner: Option<Seat>,
}

#[derive(Deserialize)]
struct LightBot<'a> {
    #[serde(borrow, deserialize_with = "bot_name")]
    name: Cow<'a, str>,
    #[serde(borrow)]
    command: &'a RawValue,
    #[serde(default)]
    version: Option<Digest>,
}

#[derive(Deserialize)]
struct LightRound<M> {
    #[serde(rename = "round")]
    number: u32,
    first: Seat,
    moves: M,
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

/// The moves of a round, as far as they are read.
trait Moves {
    fn moves(&self) -> &[LightMove];
}

impl Moves for Vec<LightMove> {
    fn moves(&self) -> &[LightMove] {
        self
    }
}

impl Moves for IgnoredAny {
    fn moves(&self) -> &[LightMove] {
        &[]
    }
}

/// A move without what was said about it.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct LightMove {
    /// Who moved.
    pub bot: Seat,
    #[serde(rename = "move")]
    pub house: House,
    /// Where the rules leave a choice.
    pub direction: Option<Direction>,
    #[serde(rename = "ms", deserialize_with = "fine_ms::deserialize")]
    pub time: Duration,
    /// Whether it is the first answer of a process, if the record says so.
    #[serde(default)]
    pub fresh: bool,
    /// The fault of a bot for which it was played.
    pub substitute: Option<LightSubstitute>,
    /// The value of the position before it, and what the move gave away, if the record says so.
    pub value: Option<i16>,
    pub loss: Option<i16>,
}

/// A fault for which another move was played.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct LightSubstitute {
    kind: FaultKind,
}
