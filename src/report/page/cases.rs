//! The first case of each kind of fault of each bot.

use std::collections::BTreeMap;

use crate::protocol::{Cause, FaultKind};
use crate::record::MatchRecord;
use crate::report::notes::check_command;
use crate::rules::{Board, Game};
use crate::seat::{PerSeat, Seat};

/// A fault of a recorded match, substituted or not, for whoever explains it.
#[derive(Clone, Copy, Debug)]
pub struct RecordedFault<'a> {
    /// Whose it is.
    pub bot: Seat,
    /// The words of its command line.
    pub command: &'a [String],
    /// The round, from 1.
    pub round: u32,
    /// The number of the move that would have been next in the round, from 1.
    pub move_number: usize,
    /// The bot's turn in the round, from 1.
    pub turn: u32,
    /// The position that the bot was sent, in its own view.
    pub board: Board,
    /// Its kind.
    pub kind: FaultKind,
    /// What happened, in words.
    pub detail: &'a str,
    /// The same for programs.
    pub cause: Option<&'a Cause>,
    /// The end of the bot's stderr; empty for a substituted fault.
    pub stderr: &'a str,
    /// The bot's moves in the round before it.
    pub answers_in_round: u32,
    /// Answers of its process before it.
    pub answers_in_process: u32,
    /// The house of its last move in the round.
    pub previous: Option<i64>,
}

/// What a fault was, and how to fix it, in the words of a check.
#[derive(Clone, Debug, Default)]
pub struct Advice {
    /// What is wrong; without a full stop.
    pub what: String,
    /// How to fix it, in whole sentences.
    pub fix: String,
}

/// A case that the page shows.
#[derive(Clone, Debug)]
pub(super) struct FaultCase {
    pub(super) match_number: u64,
    pub(super) number_in_file: u64,
    pub(super) file: String,
    pub(super) round: u32,
    /// The number of the move that would have been next, from 1.
    pub(super) move_number: usize,
    pub(super) opponent: String,
    /// The position that the bot was sent.
    pub(super) board: Board,
    pub(super) detail: String,
    pub(super) cause: Option<Cause>,
    pub(super) stderr: String,
    pub(super) advice: Advice,
    /// The command that checks the bot; `None` for a built-in one.
    pub(super) check: Option<String>,
}

/// The first case of each kind, by the bot's name.
pub(super) type FaultCases = BTreeMap<(String, FaultKind), FaultCase>;

/// Where a match was read.
#[derive(Clone, Copy, Debug)]
pub(super) struct CasePlace<'a> {
    pub(super) match_number: u64,
    pub(super) number_in_file: u64,
    pub(super) file: &'a str,
}

/// Adds the faults of a valid match whose kind is new for their bot.
pub(super) fn add_cases(
    cases: &mut FaultCases,
    place: CasePlace<'_>,
    record: &MatchRecord,
    advise: &dyn Fn(&RecordedFault<'_>) -> Advice,
) {
    for_each_fault(record, &mut |fault| {
        let key = (record.bots[fault.bot].name.clone(), fault.kind);
        cases.entry(key).or_insert_with(|| FaultCase {
            match_number: place.match_number,
            number_in_file: place.number_in_file,
            file: place.file.to_owned(),
            round: fault.round,
            move_number: fault.move_number,
            opponent: record.bots[!fault.bot].name.clone(),
            board: fault.board,
            detail: fault.detail.to_owned(),
            cause: fault.cause.cloned(),
            stderr: fault.stderr.to_owned(),
            advice: advise(fault),
            check: check_command(record, fault.bot),
        });
    });
}

/// Calls `see` with each fault of a valid match, in order.
pub fn for_each_fault(record: &MatchRecord, see: &mut dyn FnMut(&RecordedFault<'_>)) {
    let mut answers_in_process = PerSeat([0_u32; 2]);
    for round in &record.rounds {
        let mut game = Game::new(record.rules, record.opening, record.terms.max_moves);
        let mut answers = PerSeat([0_u32; 2]);
        let mut turns = PerSeat([0_u32; 2]);
        let mut previous = PerSeat([None; 2]);
        for (index, played) in round.moves.iter().enumerate() {
            let seat = played.bot;
            turns[seat] += 1;
            if let Some(fault) = &played.substitute {
                see(&RecordedFault {
                    bot: seat,
                    command: &record.bots[seat].command,
                    round: round.round,
                    move_number: index + 1,
                    turn: turns[seat],
                    board: game.board(),
                    kind: fault.kind,
                    detail: &fault.detail,
                    cause: fault.cause.as_deref(),
                    stderr: "",
                    answers_in_round: answers[seat],
                    answers_in_process: answers_in_process[seat],
                    previous: previous[seat],
                });
                answers_in_process[seat] = 0;
            } else {
                let before = if played.fresh { 0 } else { answers_in_process[seat] };
                answers_in_process[seat] = before.saturating_add(1);
                answers[seat] += 1;
                previous[seat] = Some(i64::from(played.house.cell()));
            }
            if game.play(record.rules.ply(played.house, played.direction)).is_err() {
                return;
            }
        }
        if let Some(fault) = &round.result.fault {
            let seat = fault.bot;
            see(&RecordedFault {
                bot: seat,
                command: &record.bots[seat].command,
                round: round.round,
                move_number: round.moves.len() + 1,
                turn: turns[seat] + 1,
                board: fault.board,
                kind: fault.kind,
                detail: &fault.detail,
                cause: fault.cause.as_deref(),
                stderr: &fault.stderr,
                answers_in_round: answers[seat],
                answers_in_process: answers_in_process[seat],
                previous: previous[seat],
            });
            answers_in_process[seat] = 0;
        }
    }
}
