//! One line of a file, read without its moves: nearly all of a record is moves, and who counts
//! matches needs none of them.
//!
//! The moves of a round stay text. They are looked at only if a time or a substituted move is among
//! them that somebody asks for.

use std::borrow::Cow;
use std::num::NonZeroU64;
use std::time::Duration;

use memchr::memmem;
use serde::Deserialize;
use serde::de::Error as _;
use serde_json::value::RawValue;

use super::summary::{FaultCounts, MatchSummary, RoundSummary};
use crate::protocol::{FaultKind, Reason};
use crate::record::{
    Digest, Note, ReadErrorKind, RecordFormat, TournamentHeader, TournamentMatch, bot_name,
    parse_line, parse_record,
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
    /// What the bots were made of, if the record says it.
    pub versions: [Option<Digest>; 2],
    /// What it began from, and the number of that in the tournament's suite.
    pub opening: (&'a RawValue, Option<NonZeroU64>),
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

/// What the lines that a version of this program writes for a match begin with.
const BEGINNING: &[u8] = br#"{"format":"mancala-match/1","#;

/// Reads a line of a file. With `times`, its moves too, whose times are added to it.
///
/// # Errors
///
/// If the line is cut off, or does not belong in a record file.
pub fn read_file_line<'a>(
    line: &'a [u8],
    times: Option<&mut Vec<MoveTime>>,
) -> Result<FileLine<'a>, ReadErrorKind> {
    if !line.starts_with(BEGINNING) {
        match &*parse_line::<LineKind>(line)?.format {
            "mancala-tournament/1" => return parse_line(line).map(FileLine::Header),
            "mancala-note/1" => return parse_line(line).map(FileLine::Note),
            _ => {}
        }
    }
    let Ok(record) = parse_line::<LightRecord>(line) else {
        return Err(unreadable(line, "its fields cannot be read"));
    };
    let commands = record.bots.0.each_ref().map(|bot| bot.command);
    let versions = record.bots.0.each_ref().map(|bot| bot.version);
    let opening = (record.opening, record.tournament.as_ref().map(|place| place.opening));
    let LightRecord { rules, limits, .. } = record;
    let conditions = MatchConditions { rules, limits, commands, versions, opening };
    let moves: Vec<&RawValue> = record.rounds.iter().map(|round| round.moves).collect();
    let mut summary = summary(record).map_err(ReadErrorKind::NotARecord)?;
    if times.is_some() || memmem::find(line, b"\"substitute\"").is_some() {
        read_moves(&moves, &mut summary, times)
            .map_err(|_| unreadable(line, "its moves cannot be read"))?;
    }
    Ok(FileLine::Match(summary, conditions))
}

/// The error for a line that is not a record, as the reader of whole records has it, which names
/// the place; `why` if that reader has none.
fn unreadable(line: &[u8], why: &str) -> ReadErrorKind {
    parse_record(line).err().unwrap_or_else(|| ReadErrorKind::NotARecord(why.to_owned()))
}

/// Adds the faults of substituted moves, and the times of all.
fn read_moves(
    moves: &[&RawValue],
    summary: &mut MatchSummary,
    mut times: Option<&mut Vec<MoveTime>>,
) -> serde_json::Result<()> {
    for (index, (moves, round)) in moves.iter().zip(&mut summary.rounds).enumerate() {
        for played in serde_json::from_str::<Vec<LightMove>>(moves.get())? {
            if let Some(fault) = &played.substitute {
                round.faults[played.bot].add(fault.kind, 1);
            }
            if let Some(times) = &mut times {
                Duration::try_from_secs_f64(played.ms / 1e3).map_err(serde_json::Error::custom)?;
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
    let (names, versions) = ([a.name, b.name], [a.version, b.version]);
    Ok(MatchSummary { place, games, names, versions, rounds })
}

fn round(round: LightRound<'_>) -> Result<RoundSummary, String> {
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
    opening: &'a RawValue,
    #[serde(borrow)]
    limits: &'a RawValue,
    #[serde(borrow)]
    bots: PerSeat<LightBot<'a>>,
    #[serde(borrow)]
    rounds: Vec<LightRound<'a>>,
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
struct LightRound<'a> {
    #[serde(rename = "round")]
    number: u32,
    first: Seat,
    #[serde(borrow)]
    moves: &'a RawValue,
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
