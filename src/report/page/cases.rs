//! The first case of each kind of fault of each bot.

use std::collections::BTreeMap;

use crate::protocol::{Cause, FaultKind};
use crate::record::{MatchRecord, RoundRecord};
use crate::report::notes::check_command;
use crate::rules::{Board, Game};
use crate::seat::Seat;

/// A fault of a recorded match, substituted or not, for whoever explains it.
#[derive(Clone, Copy, Debug)]
pub struct RecordedFault<'a> {
    /// Whose it is: the words of its command line.
    pub command: &'a [String],
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
    let mut answers_in_process = [0_u32; 2];
    for round in &record.rounds {
        let mut trace = FaultTrace::new(record, round);
        for (index, played) in round.moves.iter().enumerate() {
            let seat = usize::from(u8::from(played.bot));
            if let Some(fault) = &played.substitute {
                let seen = SeenFault {
                    seat: played.bot,
                    kind: fault.kind,
                    detail: &fault.detail,
                    cause: fault.cause.as_deref(),
                    stderr: "",
                    board: trace.game.board(),
                };
                let at = (place, round.round, index + 1);
                trace.add(cases, at, record, &seen, (answers_in_process, advise));
                answers_in_process[seat] = 0;
            } else {
                answers_in_process[seat] =
                    if played.fresh { 1 } else { answers_in_process[seat].saturating_add(1) };
                trace.answers[seat] += 1;
                trace.previous[seat] = Some(i64::from(played.house.cell()));
            }
            if trace.game.play(record.rules.ply(played.house, played.direction)).is_err() {
                return;
            }
        }
        if let Some(fault) = &round.result.fault {
            let seen = SeenFault {
                seat: fault.bot,
                kind: fault.kind,
                detail: &fault.detail,
                cause: fault.cause.as_deref(),
                stderr: &fault.stderr,
                board: fault.board,
            };
            let at = (place, round.round, round.moves.len() + 1);
            trace.add(cases, at, record, &seen, (answers_in_process, advise));
            answers_in_process[usize::from(u8::from(fault.bot))] = 0;
        }
    }
}

struct SeenFault<'a> {
    seat: Seat,
    kind: FaultKind,
    detail: &'a str,
    cause: Option<&'a Cause>,
    stderr: &'a str,
    board: Board,
}

/// How to fix a fault, in the words of a check.
type Adviser<'a> = &'a dyn Fn(&RecordedFault<'_>) -> Advice;

/// What led to a fault in a round.
struct FaultTrace {
    game: Game,
    answers: [u32; 2],
    previous: [Option<i64>; 2],
}

impl FaultTrace {
    fn new(record: &MatchRecord, _: &RoundRecord) -> FaultTrace {
        let game = Game::new(record.rules, record.opening, record.terms.max_moves);
        FaultTrace { game, answers: [0; 2], previous: [None; 2] }
    }

    fn add(
        &self,
        cases: &mut FaultCases,
        (place, round, move_number): (CasePlace<'_>, u32, usize),
        record: &MatchRecord,
        seen: &SeenFault<'_>,
        (answers_in_process, advise): ([u32; 2], Adviser<'_>),
    ) {
        let bot = &record.bots[seen.seat];
        let key = (bot.name.clone(), seen.kind);
        if cases.contains_key(&key) {
            return;
        }
        let seat = usize::from(u8::from(seen.seat));
        let given = advise(&RecordedFault {
            command: &bot.command,
            kind: seen.kind,
            detail: seen.detail,
            cause: seen.cause,
            stderr: seen.stderr,
            answers_in_round: self.answers[seat],
            answers_in_process: answers_in_process[seat],
            previous: self.previous[seat],
        });
        let case = FaultCase {
            match_number: place.match_number,
            number_in_file: place.number_in_file,
            file: place.file.to_owned(),
            round,
            move_number,
            opponent: record.bots[!seen.seat].name.clone(),
            board: seen.board,
            detail: seen.detail.to_owned(),
            cause: seen.cause.cloned(),
            stderr: seen.stderr.to_owned(),
            advice: given,
            check: check_command(record, seen.seat),
        };
        cases.insert(key, case);
    }
}
