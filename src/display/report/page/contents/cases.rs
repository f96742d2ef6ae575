//! The first case of each kind of fault of each bot.

use std::collections::BTreeMap;

use crate::protocol::{CauseCode, FaultKind};
use crate::record::{FaultRecord, MatchRecord, RoundRecord, Substitute};
use crate::referee::BotRound;
use crate::report::notes::check_command;
use crate::report::page::parts::board::BoardDrawing;
use crate::report::page::texts::{TextBudgets, cut};
use crate::rules::Game;
use crate::seat::PerSeat;

/// A fault of a recorded match, substituted or not, for whoever explains it.
#[derive(Clone, Copy, Debug)]
pub struct RecordedFault<'a> {
    /// What a record says of it. Records keep the stderr of the first substituted fault of each kind in
    /// a round.
    pub record: &'a FaultRecord,
    /// The words of its command line.
    pub command: &'a [String],
    /// The round, from 1.
    pub round: u32,
    /// The number of the move that would have been next in the round, from 1.
    pub move_number: usize,
    /// The bot's turn in the round, from 1.
    pub turn: u32,
    /// The line that the bot was sent, without its newline; empty if it was sent none.
    pub sent: &'a str,
    /// The bot's moves in the round before it.
    pub answers_in_round: u32,
    /// Answers of its process before it.
    pub answers_in_process: u32,
    /// Rounds that began in the bot's process, this one included, as far as the record tells.
    pub rounds_in_process: u32,
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
pub(in crate::report::page) struct FaultCase {
    pub(in crate::report::page) place: CasePlace,
    pub(in crate::report::page) round: u32,
    /// The number of the move that would have been next, from 1.
    pub(in crate::report::page) move_number: usize,
    pub(in crate::report::page) opponent: String,
    pub(in crate::report::page) fault: FaultRecord,
    /// The line that the bot was sent, without its newline; empty if it was sent none.
    pub(in crate::report::page) sent: String,
    pub(in crate::report::page) advice: Advice,
    /// The command that checks the bot; `None` for a built-in one.
    pub(in crate::report::page) check: Option<String>,
    /// How its board is drawn; `None` for its numbers alone.
    pub(in crate::report::page) drawn: Option<BoardDrawing>,
}

impl FaultCase {
    /// Whether it comes before the next case of a match with this `order`.
    pub(super) fn is_before(&self, order: u64) -> bool {
        self.place.order <= order
    }
}

/// Most characters of what was sent, of what came back, and of the end of stderr.
const SENT: usize = 400;
const TEXT: usize = 1500;
/// A command is shown whole or not at all.
const COMMAND: usize = 600;

/// Leaves as much of the texts of all cases as has room, and draws as many of the boards.
pub(super) fn cut_cases(cases: &mut FaultCases, budgets: &mut TextBudgets) {
    let mut left = cases.len();
    for (number, case) in cases.values_mut().enumerate() {
        let budget = &mut budgets.cases;
        case.sent = cut(&case.sent, SENT, false);
        if case.check.take_if(|command| command.len() > COMMAND).is_some() {
            budget.leave_out();
        }
        let share = budget.share(left);
        let FaultRecord { detail, stderr, .. } = &mut case.fault;
        *detail = budget.take_share(detail, TEXT, false, share / 2);
        let share = share.saturating_sub(budget.written(detail));
        *stderr = budget.take_share(stderr, TEXT, true, share);
        case.drawn = match number {
            0 => Some(BoardDrawing::Defines),
            number if number < budgets.boards => Some(BoardDrawing::Uses),
            _ => None,
        };
        left -= 1;
    }
}

/// The first case of each kind, by the bot's name.
pub(super) type FaultCases = BTreeMap<(String, FaultKind), FaultCase>;

/// Where a match was read.
#[derive(Clone, Debug)]
pub(in crate::report::page) struct CasePlace {
    /// The number of the match in its tournament, or else its place in all files: of two cases the
    /// one with the lower number is the first, whichever match ended first.
    pub(super) order: u64,
    pub(in crate::report::page) match_number: u64,
    pub(in crate::report::page) in_tournament: Option<u64>,
    pub(in crate::report::page) number_in_file: u64,
    /// The name of its file without folders; empty if no command can read it again.
    pub(in crate::report::page) file: String,
}

/// Adds the faults of a valid match of whose kind their bot has no earlier case; true if there is
/// one. `counts` says of the bot in each seat whether its row counts the match.
pub(super) fn add_cases(
    cases: &mut FaultCases,
    place: &CasePlace,
    (record, counts): (&MatchRecord, [bool; 2]),
    advise: &dyn Fn(&RecordedFault<'_>) -> Advice,
) -> bool {
    let mut has_first = false;
    for_each_fault(record, &mut |fault| {
        let FaultRecord { bot, kind, .. } = *fault.record;
        if !counts[usize::from(u8::from(bot))] {
            return;
        }
        let key = (record.bots[bot].name.clone(), kind);
        if cases.get(&key).is_some_and(|known| known.is_before(place.order)) {
            return;
        }
        has_first = true;
        let case = FaultCase {
            place: place.clone(),
            round: fault.round,
            move_number: fault.move_number,
            opponent: record.bots[!bot].name.clone(),
            fault: fault.record.clone(),
            sent: fault.sent.to_owned(),
            advice: advise(fault),
            check: check_command(record, bot),
            drawn: None,
        };
        cases.insert(key, case);
    });
    has_first
}

/// What a bot has done before a fault.
#[derive(Clone, Copy, Debug, Default)]
struct FaultTrace {
    turns: u32,
    answers_in_round: u32,
    answers_in_process: u32,
    rounds_in_process: u32,
    previous: Option<i64>,
}

/// Calls `see` with each fault of a valid match, in order.
pub fn for_each_fault(record: &MatchRecord, see: &mut dyn FnMut(&RecordedFault<'_>)) {
    let has_fault = |round: &RoundRecord| {
        round.result.fault.is_some() || round.moves.iter().any(|played| played.substitute.is_some())
    };
    if !record.rounds.iter().any(has_fault) {
        return;
    }
    let mut traces = PerSeat::<FaultTrace>::default();
    for round in &record.rounds {
        let mut game = Game::new(record.rules, record.opening, record.terms.max_moves);
        for trace in &mut traces.0 {
            let FaultTrace { answers_in_process, rounds_in_process, .. } = *trace;
            let rounds_in_process = rounds_in_process + 1;
            *trace = FaultTrace { answers_in_process, rounds_in_process, ..FaultTrace::default() };
        }
        let mut tell = |(moves, game): (usize, &Game), fault: &FaultRecord, trace: &FaultTrace| {
            see(&RecordedFault {
                record: fault,
                command: &record.bots[fault.bot].command,
                round: round.round,
                move_number: moves + 1,
                turn: trace.turns + 1,
                sent: &sent(record, round, (moves, game), fault),
                answers_in_round: trace.answers_in_round,
                answers_in_process: trace.answers_in_process,
                rounds_in_process: trace.rounds_in_process,
                previous: trace.previous,
            });
        };
        for (moves, played) in round.moves.iter().enumerate() {
            let (bot, trace) = (played.bot, &mut traces[played.bot]);
            if let Some(Substitute { kind, detail, cause, stderr }) = played.substitute.clone() {
                let board = game.board();
                let fault = FaultRecord { bot, kind, detail, cause, board, stderr };
                tell((moves, &game), &fault, trace);
                (trace.answers_in_process, trace.rounds_in_process) = (0, 1);
            } else {
                let before = if played.fresh { 0 } else { trace.answers_in_process };
                trace.answers_in_process = before.saturating_add(1);
                trace.answers_in_round += 1;
                trace.previous = Some(i64::from(played.house.cell()));
            }
            trace.turns += 1;
            if game.play(record.rules.ply(played.house, played.direction)).is_err() {
                return;
            }
        }
        if let Some(fault) = &round.result.fault {
            let trace = &mut traces[fault.bot];
            tell((round.moves.len(), &game), fault, trace);
            (trace.answers_in_process, trace.rounds_in_process) = (0, 0);
        }
    }
}

/// The line that a bot at fault was sent in a round; empty if it was sent none.
fn sent(
    record: &MatchRecord,
    round: &RoundRecord,
    (moves, game): (usize, &Game),
    fault: &FaultRecord,
) -> String {
    // It spoke before it was asked.
    let is_unasked = fault.cause.as_ref().is_some_and(|it| it.code == CauseCode::Unasked);
    if is_unasked || fault.kind == FaultKind::StartFailed {
        return String::new();
    }
    let time = record.terms.time;
    let asked = BotRound::question_in_record(time, round, moves, game, fault.bot);
    let line = asked.map(|question| question.to_line()).unwrap_or_default();
    String::from_utf8_lossy(line.trim_ascii_end()).into_owned()
}
