//! A match as the page's script reads it; the format is described in [`super`].

use std::collections::HashMap;
use std::time::Duration;

use serde::{Serialize, Serializer};

use crate::analysis::JudgedMatch;
use crate::protocol::{Cause, FaultKind, Reason};
use crate::record::{FaultRecord, FirstAnswers, MatchRecord, MoveRecord, RoundRecord};
use crate::report::page::texts::{TextBudgets, info_text};
use crate::rules::{Adjudication, Direction, Opening, Ruleset};
use crate::seat::Seat;
use crate::solve::JudgedMove;

/// What a match was played by.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(in crate::report::page) struct Setting {
    pub(in crate::report::page) rules: Ruleset,
    pub(in crate::report::page) max_moves: u32,
    pub(in crate::report::page) adjudicate: Adjudication,
    pub(in crate::report::page) move_time_ms: Option<u64>,
    pub(in crate::report::page) start_time_ms: u64,
    pub(in crate::report::page) game_time_ms: Option<u64>,
}

impl Setting {
    pub(super) fn of(record: &MatchRecord) -> Setting {
        let terms = &record.terms;
        let ms = crate::record::whole_ms;
        Setting {
            rules: record.rules,
            max_moves: terms.max_moves.get(),
            adjudicate: terms.adjudicate,
            move_time_ms: terms.time.move_time.map(ms),
            start_time_ms: ms(terms.time.start_time),
            game_time_ms: terms.time.game_time.map(ms),
        }
    }
}

/// A match of the page.
#[derive(Clone, Debug)]
pub(in crate::report::page) struct PackedMatch {
    /// Its place in all files, from 1.
    pub(in crate::report::page) number: u64,
    /// How many matches of the page tell more.
    pub(in crate::report::page) interest: usize,
    pub(in crate::report::page) in_tournament: Option<u64>,
    /// The number of its opening: in the tournament's suite, or among those of the page.
    pub(in crate::report::page) opening_number: Option<u64>,
    setting: usize,
    /// The rows of its bots in the ranking.
    pub(in crate::report::page) bots: [usize; 2],
    opening: [u8; 14],
    is_standard: bool,
    pub(in crate::report::page) rounds: Vec<PackedRound>,
}

/// A round of it, and what the list of games shows of it.
#[derive(Clone, Debug)]
pub(in crate::report::page) struct PackedRound {
    pub(in crate::report::page) round: u32,
    pub(in crate::report::page) first: Seat,
    pub(in crate::report::page) reason: Reason,
    pub(in crate::report::page) score: [u8; 2],
    pub(in crate::report::page) fault: Option<(Seat, FaultKind)>,
    pub(in crate::report::page) substituted: usize,
    pub(in crate::report::page) moves: usize,
    /// The longest time that a bot took for an answer, also for one that was wrong or too late, in
    /// microseconds. Older records have no time of a wrong answer that ended the round.
    pub(in crate::report::page) longest: Option<u64>,
    /// Seeds that the moves of each bot gave away, and how many of them were blunders.
    pub(in crate::report::page) given_away: Option<([i64; 2], u32)>,
    packed_moves: String,
    packed_values: String,
    notes: Option<Notes>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
struct Notes {
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<FaultNote>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    substituted: Vec<(usize, FaultKind, String)>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    info: Vec<(usize, String)>,
    #[serde(skip_serializing_if = "is_zero")]
    replayed: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct FaultNote {
    bot: Seat,
    kind: FaultKind,
    detail: String,
    stderr: String,
    /// Of an answer that was too late: its time and its limit, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    late: Option<(f64, u64)>,
}

// serde hands over a reference.
fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// Most characters of the words about a fault.
const DETAIL: usize = 400;
/// Most characters of the end of stderr of a round.
const STDERR: usize = 600;

/// What the page knows of the bots of a match.
pub(super) struct PackedBots {
    pub(super) rows: [usize; 2],
    /// Whether nothing that it wrote is shown.
    pub(super) hides_texts: [bool; 2],
}

impl PackedMatch {
    pub(super) fn new(
        ((number, interest), record, judged): ((u64, usize), &MatchRecord, &JudgedMatch),
        (setting, bots): (usize, &PackedBots),
        budgets: &mut TextBudgets,
    ) -> PackedMatch {
        let opening = record.opening;
        let mut answers = record.first_answers();
        let rounds = record.rounds.iter().zip(judged);
        let rounds =
            rounds.map(|(round, judged)| packed(round, judged, bots, (budgets, &mut answers)));
        PackedMatch {
            number,
            interest,
            in_tournament: record.tournament.as_ref().map(|of| of.number.get()),
            opening_number: record.tournament.as_ref().map(|of| of.opening.get()),
            setting,
            bots: bots.rows,
            opening: opening.board().cells(),
            is_standard: opening == Opening::standard(&record.rules),
            rounds: rounds.collect(),
        }
    }
}

/// Gives each opening a number of its own, in the order of the matches, unless the numbers of a
/// tournament's suite tell all of them apart.
pub(super) fn number_openings(games: &mut [PackedMatch]) {
    let (mut by_board, mut by_number) = (HashMap::new(), HashMap::new());
    let mut is_known = |of: &PackedMatch| {
        let Some(number) = of.opening_number else { return false };
        *by_board.entry(of.opening).or_insert(number) == number
            && *by_number.entry(number).or_insert(of.opening) == of.opening
    };
    if !games.iter().all(&mut is_known) {
        number_openings_anew(games);
    }
}

/// Gives each opening a number of its own, in the order of the matches.
pub(super) fn number_openings_anew(games: &mut [PackedMatch]) {
    let mut numbers = HashMap::new();
    for of in games {
        let next = numbers.len() as u64 + 1;
        of.opening_number = Some(*numbers.entry(of.opening).or_insert(next));
    }
}

/// How long the answer that was at fault took or was waited for, in microseconds.
fn waited(fault: &FaultRecord) -> Option<u64> {
    let waited = fault.cause.as_ref()?.waited_ms?;
    let waited = Duration::try_from_secs_f64(waited / 1e3).ok()?;
    u64::try_from(waited.as_micros()).ok()
}

fn packed(
    round: &RoundRecord,
    judged: &[JudgedMove],
    bots: &PackedBots,
    (budgets, answers): (&mut TextBudgets, &mut FirstAnswers),
) -> PackedRound {
    let index = |seat: Seat| usize::from(u8::from(seat));
    let mut packed_moves = String::new();
    let mut longest = None;
    for played in &round.moves {
        packed_moves.push(digit(move_digit(played, answers.is_first(played.bot, played.fresh))));
        let micros = u64::try_from(played.time.as_micros()).unwrap_or(u64::MAX);
        push_number(&mut packed_moves, micros);
        // Where a move was played for a bot that was not asked, it took none.
        if played.substitute.is_none() || micros > 0 {
            longest = longest.max(Some(micros));
        }
    }
    longest = longest.max(round.result.fault.as_ref().and_then(waited));
    answers.end_round(round.result.fault.as_ref().map(|fault| fault.bot));
    let mut packed_values = String::new();
    let (mut lost, mut blunders) = ([0; 2], 0);
    let is_judged = judged.iter().any(|of| of.value.is_some());
    for (of, played) in judged.iter().zip(&round.moves).filter(|_| is_judged) {
        push_number(&mut packed_values, of.value.map_or(0, packed_value));
        // A substituted move is not the bot's choice.
        let is_own = played.substitute.is_none();
        let blunder = is_own && of.is_blunder() == Some(true);
        let given_away = of.loss.map_or(0, |loss| 2 * u64::from(loss.unsigned_abs()) + 1);
        push_number(&mut packed_values, given_away + u64::from(blunder));
        if is_own {
            lost[index(played.bot)] += i64::from(of.loss.unwrap_or(0));
            blunders += u32::from(blunder);
        }
    }
    let notes = notes(round, bots, budgets);
    PackedRound {
        round: round.round,
        first: round.first,
        reason: round.result.reason,
        score: round.result.score.0,
        fault: round.result.fault.as_ref().map(|fault| (fault.bot, fault.kind)),
        substituted: round.moves.iter().filter(|played| played.substitute.is_some()).count(),
        moves: round.moves.len(),
        longest,
        given_away: is_judged.then_some((lost, blunders)),
        packed_moves,
        packed_values,
        notes,
    }
}

fn notes(round: &RoundRecord, bots: &PackedBots, budgets: &mut TextBudgets) -> Option<Notes> {
    let hides_texts = |seat: Seat| bots.hides_texts[usize::from(u8::from(seat))];
    let mut about_fault = |seat: Seat, text: &str, most, from_end| {
        if hides_texts(seat) { String::new() } else { budgets.faults.take(text, most, from_end) }
    };
    let mut notes = Notes { replayed: round.replayed, ..Notes::default() };
    notes.fault = round.result.fault.as_ref().map(|fault| {
        let FaultRecord { bot, kind, .. } = *fault;
        let detail = about_fault(bot, &fault.detail, DETAIL, false);
        let stderr = about_fault(bot, &fault.stderr, STDERR, true);
        let cause = fault.cause.as_deref().filter(|_| kind == FaultKind::Timeout);
        FaultNote { bot, kind, detail, stderr, late: cause.and_then(late) }
    });
    for (number, played) in round.moves.iter().enumerate() {
        if let Some(fault) = &played.substitute {
            let detail = about_fault(played.bot, &fault.detail, DETAIL, false);
            notes.substituted.push((number, fault.kind, detail));
        }
        if let Some(info) = played.info.as_ref().filter(|_| !hides_texts(played.bot)) {
            let text = budgets.info.take_whole(info_text(info.json()));
            if !text.is_empty() {
                notes.info.push((number, text));
            }
        }
    }
    (notes != Notes::default()).then_some(notes)
}

fn late(cause: &Cause) -> Option<(f64, u64)> {
    Some((cause.waited_ms?, cause.limit_ms? + cause.start_ms.unwrap_or(0)))
}

fn move_digit(played: &MoveRecord, is_first: bool) -> u8 {
    let backward = played.direction == Some(Direction::Backward);
    let flags = [(backward, 6), (is_first, 12), (played.substitute.is_some(), 24)];
    flags.iter().fold(played.house.cell(), |sum, (is_set, worth)| sum + u8::from(*is_set) * worth)
}

fn packed_value(value: i16) -> u64 {
    let size = u64::from(value.unsigned_abs());
    if value < 0 { 2 * size } else { 2 * size + 1 }
}

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

fn digit(value: u8) -> char {
    char::from(DIGITS[usize::from(value) & 63])
}

fn push_number(text: &mut String, mut number: u64) {
    loop {
        let low = number.to_le_bytes()[0] & 31;
        number >>= 5;
        text.push(digit(if number > 0 { low + 32 } else { low }));
        if number == 0 {
            return;
        }
    }
}

/// A value, or 0 for `None`.
struct OrZero<'a, T>(Option<&'a T>);

impl<T: Serialize> Serialize for OrZero<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Some(value) => value.serialize(serializer),
            None => serializer.serialize_u8(0),
        }
    }
}

impl Serialize for PackedMatch {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let [one, other] = self.bots;
        let in_tournament = self.in_tournament.unwrap_or(0);
        let opening = OrZero(Some(&self.opening).filter(|_| !self.is_standard));
        (self.number, in_tournament, self.setting, one, other, opening, &self.rounds)
            .serialize(serializer)
    }
}

impl Serialize for PackedRound {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let PackedRound { first, reason, score, packed_moves, packed_values, notes, .. } = self;
        (first, reason, score, packed_moves, packed_values, OrZero(notes.as_ref()))
            .serialize(serializer)
    }
}
