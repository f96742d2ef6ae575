//! What a match came to, row by row: the one place that works out what every table shows.

use std::time::Duration;

use crate::protocol::{FaultKind, Reason};
use crate::record::{MatchRecord, RoundRecord};
use crate::seat::Seat;
use crate::text::printable;

/// One bot in one round.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) bot: String,
    pub(super) round: u32,
    pub(super) began: bool,
    pub(super) seeds: u8,
    pub(super) reason: Reason,
    /// The fault that ended the round, when it was this bot's.
    pub(super) fault: Option<FaultKind>,
    pub(super) moves: usize,
    pub(super) mean: Option<Duration>,
    pub(super) longest: Option<Duration>,
    /// How often the round was played again.
    pub(super) replayed: u32,
}

/// A row for each round and bot, in that order.
pub(super) fn rows(record: &MatchRecord) -> Vec<Row> {
    record.rounds.iter().flat_map(|round| Seat::BOTH.map(|seat| row(record, round, seat))).collect()
}

fn row(record: &MatchRecord, round: &RoundRecord, seat: Seat) -> Row {
    let times: Vec<Duration> =
        round.moves.iter().filter(|played| played.bot == seat).map(|played| played.time).collect();
    let total: Duration = times.iter().sum();
    let fault = round.result.fault.as_ref().filter(|fault| fault.bot == seat);
    Row {
        bot: printable(&record.bots[seat].name),
        round: round.round,
        began: round.first == seat,
        seeds: round.result.score[seat],
        reason: round.result.reason,
        fault: fault.map(|fault| fault.kind),
        moves: times.len(),
        mean: u32::try_from(times.len()).ok().and_then(|count| total.checked_div(count)),
        longest: times.into_iter().max(),
        replayed: round.replayed,
    }
}

/// `win`, `loss` or `draw`.
pub(super) fn outcome(record: &MatchRecord, seat: Seat) -> &'static str {
    match record.winner {
        None => "draw",
        Some(winner) if winner == seat => "win",
        Some(_) => "loss",
    }
}

/// The result in one sentence: `greedy wins 41 : 31 against random.`
pub(super) fn verdict(record: &MatchRecord) -> String {
    let name = |seat: Seat| printable(&record.bots[seat].name);
    match record.winner {
        Some(winner) => format!(
            "{} wins {} : {} against {}.",
            name(winner),
            record.score[winner],
            record.score[!winner],
            name(!winner)
        ),
        None => format!(
            "{} and {} draw {} : {}.",
            name(Seat::A),
            name(Seat::B),
            record.score[Seat::A],
            record.score[Seat::B]
        ),
    }
}

/// What a table cannot hold of a round: that it was played again, and whose fault it was and why.
pub(super) fn notes(record: &MatchRecord, round: &RoundRecord) -> Vec<String> {
    let mut notes = Vec::new();
    if round.replayed > 0 {
        notes.push(format!(
            "Round {} was played again ({} of 2 times): the machine was late, not a bot.",
            round.round, round.replayed
        ));
    }
    if let Some(fault) = &round.result.fault {
        let mut note = format!(
            "Round {}: {} forfeits, {}: {}\n  its board was {:?}",
            round.round,
            printable(&record.bots[fault.bot].name),
            fault.kind,
            printable(&fault.detail),
            fault.board.cells()
        );
        let stderr: Vec<String> =
            fault.stderr.lines().map(|line| format!("\n  | {}", printable(line))).collect();
        if !stderr.is_empty() {
            note += "\n  its stderr ends with";
            note.extend(stderr[stderr.len().saturating_sub(STDERR_LINES)..].iter().cloned());
        }
        notes.push(note);
    }
    notes
}

/// Most lines of stderr that are shown.
const STDERR_LINES: usize = 10;
