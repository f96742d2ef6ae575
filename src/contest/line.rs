//! One line of a file, read without its moves: nearly all of a record is moves, and who counts
//! matches needs none of them.
//!
//! The moves of a round are read only if somebody asks for them, or if one of them may have
//! been substituted.

use std::borrow::Cow;
use std::num::NonZeroU64;

use memchr::memmem;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use super::PlanFields;
use super::light_moves::{LightMove, leave_out_moves, take_moves};
use super::summary::{FaultCounts, MatchSummary, RoundSummary};
use crate::protocol::{FaultKind, Reason};
use crate::record::{
    Digest, Note, ReadErrorKind, RecordFormat, TournamentHeader, TournamentMatch, bot_name,
    parse_line, parse_record,
};
use crate::seat::{PerSeat, Seat};
use crate::text;

/// A line of a record file.
#[derive(Debug)]
pub enum FileLine<'a> {
    /// A match, and how it was played.
    Match(MatchSummary<'a>, MatchConditions<'a>),
    /// The first line of a tournament's file, and its plan.
    Header(TournamentHeader, Box<PlanFields>),
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

/// Reads the first line of a tournament, whose plan has to be one.
fn read_header<'a>(line: &[u8]) -> Result<FileLine<'a>, ReadErrorKind> {
    let header: TournamentHeader = parse_line(line)?;
    let error = match serde_json::from_str(header.plan.get()) {
        Ok(plan) => return Ok(FileLine::Header(header, Box::new(plan))),
        Err(error) => error,
    };
    let why = format!("it is mancala-tournament/1 with a plan that cannot be read: {error}");
    // The place would be counted from the beginning of the plan.
    let why = why.split(" at line ").next().unwrap_or(&why);
    Err(ReadErrorKind::NotARecord(text::printable(why)))
}

/// What is done with the moves of a line. The buffers are for the line without its moves; what they
/// have in them does not matter.
pub enum LineMoves<'m, 'a> {
    /// They replace what is in this, round by round.
    Read(&'m mut Vec<Vec<LightMove>>, &'a mut Vec<u8>),
    /// They are checked to be JSON, and read if one of them may have been substituted.
    Checked,
    /// They are passed over unless one of them may have been substituted: the line was read before.
    ReadBefore(&'a mut Vec<u8>),
}

/// Reads a line of a file.
///
/// # Errors
///
/// If the line is cut off, or does not belong in a record file.
pub fn read_file_line<'a>(
    line: &'a [u8],
    moves: LineMoves<'_, 'a>,
) -> Result<FileLine<'a>, ReadErrorKind> {
    if !line.starts_with(BEGINNING) {
        match &*parse_line::<LineKind>(line)?.format {
            "mancala-tournament/1" => return read_header(line),
            "mancala-note/1" => return parse_line(line).map(FileLine::Note),
            _ => {}
        }
    }
    let is_only_checked = matches!(moves, LineMoves::Checked);
    let mut own = Vec::new();
    let (rounds, rest, lists) = match moves {
        LineMoves::Read(rounds, rest) => {
            rounds.clear();
            let lists = take_moves(line, rounds, rest);
            (Some(rounds), Some(rest), lists)
        }
        LineMoves::Checked => (None, None, None),
        LineMoves::ReadBefore(rest) => {
            let lists = leave_out_moves(line, rest);
            (None, Some(rest), lists)
        }
    };
    if let (Some(rest), Some(lists)) = (rest, lists)
        && let Ok(record) = parse_line::<LightRecord<usize>>(rest)
        && record.rounds.iter().map(|round| round.moves).eq(0..lists)
    {
        return found(record, rounds.map_or(&[], |rounds| rounds));
    }
    // A letter of a field's name may be written as its number.
    let may_have = |name: &str| memmem::find(line, name.as_bytes()).is_some();
    if is_only_checked && !may_have("\"substitute\"") && !may_have("\\u") {
        return found(read_match::<IgnoredAny>(line)?, &[]);
    }
    let rounds = rounds.unwrap_or(&mut own);
    rounds.clear();
    let mut record = read_match::<Vec<LightMove>>(line)?;
    rounds.extend(record.rounds.iter_mut().map(|round| std::mem::take(&mut round.moves)));
    found(record, rounds)
}

/// Reads the line of a match. `M` is what its rounds' moves are read as.
fn read_match<'a, M: Deserialize<'a>>(line: &'a [u8]) -> Result<LightRecord<'a, M>, ReadErrorKind> {
    parse_line(line).map_err(|_| unreadable(line, "its fields cannot be read"))
}

/// A match of which these are the moves, as far as they are read.
fn found<'a, M>(
    record: LightRecord<'a, M>,
    moves: &[Vec<LightMove>],
) -> Result<FileLine<'a>, ReadErrorKind> {
    let commands = record.bots.0.each_ref().map(|bot| bot.command);
    let opening = (record.opening, record.tournament.as_ref().map(|place| place.opening));
    let LightRecord { rules, limits, started, .. } = record;
    let conditions = MatchConditions { rules, limits, commands, opening, started };
    let summary = summary(record, moves).map_err(ReadErrorKind::NotARecord)?;
    Ok(FileLine::Match(summary, conditions))
}

/// The error for a line that is not a record, as the reader of whole records has it, which names
/// the place; `why` if that reader has none.
fn unreadable(line: &[u8], why: &str) -> ReadErrorKind {
    parse_record(line).err().unwrap_or_else(|| ReadErrorKind::NotARecord(why.to_owned()))
}

fn summary<'a, M>(
    record: LightRecord<'a, M>,
    moves: &[Vec<LightMove>],
) -> Result<MatchSummary<'a>, String> {
    let PerSeat([a, b]) = record.bots;
    if a.name == b.name {
        return Err("both bots have the same name".to_owned());
    }
    if !(1..=2).contains(&record.rounds.len()) {
        return Err(format!("it has {} rounds; a match has 1 or 2", record.rounds.len()));
    }
    let moves = moves.iter().map(Vec::as_slice).chain(std::iter::repeat(&[][..]));
    let rounds = record.rounds.iter().zip(moves).map(|(of, moves)| round(of, moves));
    let rounds: Vec<RoundSummary> = rounds.collect::<Result<_, _>>()?;
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

fn round<M>(round: &LightRound<M>, moves: &[LightMove]) -> Result<RoundSummary, String> {
    let mut faults = PerSeat::<FaultCounts>::default();
    let forfeited = match (&round.result.fault, round.result.reason) {
        (Some(fault), Reason::Fault(kind)) if kind == fault.kind => {
            faults[fault.bot].add(kind, 1);
            Some(fault.bot)
        }
        (None, Reason::Ended(_)) => None,
        _ => return Err(format!("round {}: the reason and the fault do not fit", round.number)),
    };
    for played in moves {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// What a reading of the line finds, or its error.
    fn read(line: &str, moves: LineMoves<'_, '_>) -> String {
        match read_file_line(line.as_bytes(), moves) {
            Ok(FileLine::Match(summary, _)) => format!("{summary:?}"),
            other => format!("{:?}", other.map(|_| "not a match")),
        }
    }

    #[test]
    fn every_reading_of_a_line_finds_the_same_match() {
        let timeout = r#","substitute":{"kind":"timeout","detail":"late"}"#;
        let faults = [
            ("", 0),
            (timeout, 1),
            (&timeout.replace("te\"", r#"t\u0065""#), 1),
            (r#","info":{"substitute":[1],"a":"]}],"}"#, 0),
            (r#","info":{"a":"\"moves\":[","b":"\\"}"#, 0),
            (r#","info":{"moves":[]}"#, 0),
            (r#","x":["moves",{"moves":7}]"#, 0),
        ];
        for (beside, faults) in faults {
            let played = |first| format!(r#"[{{"bot":{first},"move":1,"ms":0.5{beside}}}]"#);
            let round = |number, moves: String| {
                format!(
                    r#"{{"round":{number},"first":0,"result":{{"reason":"completed","fault":null,"score":[20,16]}},"moves":{moves}}}"#
                )
            };
            let line = format!(
                r#"{{"format":"mancala-match/1","rules":{{}},"opening":[],"limits":{{}},"bots":[{{"name":"a","command":[]}},{{"name":"b","command":[]}}],"score":[40,32],"winner":0,"rounds":[{},{}]}}"#,
                round(1, "[]".to_owned()),
                round(2, played(1))
            );
            // What is left from the line before does not matter.
            let (mut moves, mut rest) = (vec![Vec::new(); 3], b"old".to_vec());
            let whole = read(&line, LineMoves::Read(&mut moves, &mut rest));
            let counts = whole.matches("FaultCounts([").count();
            assert_eq!((counts, moves.len()), (4, 2), "{line}: {whole}");
            let Ok(FileLine::Match(summary, _)) =
                read_file_line(line.as_bytes(), LineMoves::Checked)
            else {
                panic!("{line}");
            };
            assert_eq!(summary.faults(Seat::B), faults, "{line}");
            assert_eq!(read(&line, LineMoves::Checked), whole, "{line}");
            assert_eq!(read(&line, LineMoves::ReadBefore(&mut rest)), whole, "{line}");
            for length in 1..line.len() {
                let cut = line.get(..length).unwrap();
                let error = read(cut, LineMoves::Read(&mut moves, &mut rest));
                assert!(error.starts_with("Err("), "{cut}: {error}");
                assert_eq!(read(cut, LineMoves::ReadBefore(&mut rest)), error, "{cut}");
            }
        }
        // A string that does not end has what would be the end of the line.
        let cut = r#"{"format":"mancala-match/1","rules":{},"opening":[],"limits":{},"bots":[{"name":"a","command":[]},{"name":"b","command":[]}],"score":[20,16],"winner":0,"rounds":[{"round":1,"first":0,"result":{"reason":"completed","fault":null,"score":[20,16]},"moves":["]}]}"#;
        let mut rest = Vec::new();
        assert!(read(cut, LineMoves::ReadBefore(&mut rest)).starts_with("Err("));
    }
}
