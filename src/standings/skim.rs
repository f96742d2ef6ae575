//! One line of a file, read without its moves: nearly all of a record is moves, and standings
//! need none of them.
//!
//! The lists of moves are cut out of the line, and what is left is read as any JSON. In valid JSON
//! the text `"moves"` before a colon is always a key, for a quotation mark in a string is
//! escaped; so whatever list follows it is one that standings do not look at.

use std::borrow::Cow;
use std::ops::Range;

use memchr::memmem::Finder;
use memchr::{memchr, memchr2};
use serde::Deserialize;

use super::matches::{Faults, MatchSummary, RoundSummary};
use super::times::Times;
use crate::protocol::{FaultKind, Reason};
use crate::record::{
    Note, ReadErrorKind, RecordFormat, TournamentHeader, TournamentMatch, parse_record, read_error,
};
use crate::seat::{PerSeat, Seat};

/// What a line of a file turned out to be.
#[derive(Debug)]
pub(super) enum Line<'a> {
    /// A match.
    Match(MatchSummary<'a>),
    /// The first line of a tournament's file.
    Header(TournamentHeader),
    /// What happened instead of a match.
    Note(Note),
}

/// Reads lines; keeps its buffers from one to the next.
#[derive(Debug)]
pub(super) struct Skimmer {
    key: Finder<'static>,
    substitute: Finder<'static>,
    /// The line without its moves.
    short: Vec<u8>,
    /// Where the moves of each round stand in the line.
    moves: Vec<Range<usize>>,
}

/// What the lines that a version of this program writes for a match begin with.
const BEGINNING: &[u8] = br#"{"format":"mancala-match/1","#;

impl Skimmer {
    pub(super) fn new() -> Skimmer {
        Skimmer {
            key: Finder::new(b"\"moves\""),
            substitute: Finder::new(b"\"substitute\""),
            short: Vec::new(),
            moves: Vec::new(),
        }
    }

    /// Reads a line; with `times`, its moves too.
    pub(super) fn read<'a>(
        &'a mut self,
        line: &[u8],
        times: Option<&mut PerSeat<Times>>,
    ) -> Result<Line<'a>, ReadErrorKind> {
        if !line.starts_with(BEGINNING) {
            let kind: Kind =
                serde_json::from_slice(line).map_err(|error| read_error(line, &error))?;
            match &*kind.format {
                "mancala-tournament/1" => return parse(line).map(Line::Header),
                "mancala-note/1" => return parse(line).map(Line::Note),
                _ => {}
            }
        }
        let is_whole = self.cut_moves_out(line);
        if !is_whole {
            return Err(ReadErrorKind::CutOff);
        }
        let Ok(record) = serde_json::from_slice::<Record>(&self.short) else {
            // The places in the error are those of the whole line.
            return Err(parse_record(line).err().unwrap_or_else(|| {
                ReadErrorKind::NotARecord("its fields cannot be read".to_owned())
            }));
        };
        let mut summary = summary(record).map_err(ReadErrorKind::NotARecord)?;
        if times.is_some() || self.substitute.find(line).is_some() {
            read_moves(line, &self.moves, &mut summary, times)?;
        }
        Ok(Line::Match(summary))
    }

    /// Copies the line without what stands in its lists of moves; whether these end.
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

/// Where the list begins whose key ends here, after its bracket; none if no list follows.
fn begin_of_list(line: &[u8], after_key: usize) -> Option<usize> {
    let rest = line[after_key..].trim_ascii_start().strip_prefix(b":")?;
    let rest = rest.trim_ascii_start().strip_prefix(b"[")?;
    Some(line.len() - rest.len())
}

/// Where the list ends whose opening bracket stands before this text; none if it does not.
fn end_of_list(text: &[u8]) -> Option<usize> {
    // Mostly the first closing bracket is the one: no list and no odd quotation mark before it.
    let first = memchr(b']', text)?;
    let before = &text[..first];
    let is_plain =
        memchr2(b'[', b'\\', before).is_none() && quotation_marks(before).is_multiple_of(2);
    if is_plain { Some(first) } else { end_of_any_list(text) }
}

/// How many there are, counted in pieces short enough for a byte, which a compiler makes fast.
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

/// Adds what the moves say of faults and times.
fn read_moves(
    line: &[u8],
    moves: &[Range<usize>],
    summary: &mut MatchSummary,
    mut times: Option<&mut PerSeat<Times>>,
) -> Result<(), ReadErrorKind> {
    // A list that is no round's is passed over; rounds stand in the order of their lists.
    if moves.len() != summary.rounds.len() {
        let why = "there are lists of moves outside of its rounds";
        return Err(ReadErrorKind::NotARecord(why.to_owned()));
    }
    for (range, round) in moves.iter().zip(&mut summary.rounds) {
        // With its brackets.
        let list = &line[range.start - 1..=range.end];
        let moves: Vec<Move> = serde_json::from_slice(list).map_err(|_| {
            parse_record(line)
                .err()
                .unwrap_or_else(|| ReadErrorKind::NotARecord("its moves cannot be read".to_owned()))
        })?;
        for played in moves {
            match (&played.substitute, &mut times) {
                (Some(fault), _) => round.faults[played.bot].add(fault.kind, 1),
                (None, Some(times)) => times[played.bot].add_ms(played.ms),
                (None, None) => {}
            }
        }
    }
    Ok(())
}

fn summary(record: Record<'_>) -> Result<MatchSummary<'_>, String> {
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

fn round(round: Round) -> Result<RoundSummary, String> {
    let mut faults = PerSeat::<Faults>::default();
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
struct Kind<'a> {
    #[serde(borrow)]
    format: Cow<'a, str>,
}

#[derive(Deserialize)]
struct Record<'a> {
    #[expect(dead_code, reason = "read to be checked")]
    format: RecordFormat,
    #[serde(default)]
    tournament: Option<TournamentMatch>,
    #[serde(borrow)]
    bots: PerSeat<Bot<'a>>,
    rounds: Vec<Round>,
    score: PerSeat<u32>,
    winner: Option<Seat>,
}

#[derive(Deserialize)]
struct Bot<'a> {
    #[serde(borrow)]
    name: Cow<'a, str>,
}

#[derive(Deserialize)]
struct Round {
    #[serde(rename = "round")]
    number: u32,
    first: Seat,
    result: RoundEnd,
}

#[derive(Deserialize)]
struct RoundEnd {
    reason: Reason,
    fault: Option<Fault>,
    score: PerSeat<u8>,
}

#[derive(Deserialize)]
struct Fault {
    bot: Seat,
    kind: FaultKind,
}

#[derive(Deserialize)]
struct Move {
    bot: Seat,
    ms: f64,
    substitute: Option<Substitute>,
}

#[derive(Deserialize)]
struct Substitute {
    kind: FaultKind,
}

#[cfg(test)]
mod tests {
    use proptest::collection::{hash_map, vec};
    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;

    /// JSON with as many brackets and quotation marks in its strings as can be.
    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<u32>().prop_map(Value::from),
            "[\\[\\]\"\\\\a{},:é]{0,8}".prop_map(Value::from),
        ];
        leaf.prop_recursive(3, 24, 4, |inner| {
            prop_oneof![
                vec(inner.clone(), 0..4).prop_map(Value::from),
                hash_map("[a\"\\]]{0,3}", inner, 0..4)
                    .prop_map(|fields| Value::Object(fields.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn a_list_ends_where_it_does_for_a_parser(
            items in vec(any_json(), 0..6),
            tail in "[\\]\\[\"a]{0,5}",
        ) {
            let list = Value::from(items).to_string();
            let text = format!("{list}{tail}");
            prop_assert_eq!(end_of_list(&text.as_bytes()[1..]), Some(list.len() - 2));
            for cut in 1..list.len() {
                prop_assert_eq!(end_of_list(&list.as_bytes()[1..cut]), None);
            }
        }
    }

    #[test]
    fn marks_are_counted_in_long_texts_too() {
        for marks in [0, 1, 254, 255, 256, 510, 511, 10_000] {
            assert_eq!(quotation_marks(&vec![b'"'; marks]), marks);
        }
    }
}
