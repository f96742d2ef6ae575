//! What a match came to, row by row: the one place that works out what every table shows.

use std::time::Duration;

use crate::protocol::{FaultKind, Reason};
use crate::record::{FaultRecord, MatchRecord, RoundRecord};
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
    /// All faults of this bot, substituted or not.
    pub(super) faults: usize,
    /// Its moves, those that were played for it included.
    pub(super) moves: usize,
    /// Of the moves that it made itself.
    pub(super) mean: Option<Duration>,
    /// Of the moves that it made itself.
    pub(super) longest: Option<Duration>,
    /// How often the round was played again.
    pub(super) replayed: u32,
}

/// A row for each round and bot, in that order.
pub(super) fn rows(record: &MatchRecord) -> Vec<Row> {
    record.rounds.iter().flat_map(|round| Seat::BOTH.map(|seat| row(record, round, seat))).collect()
}

fn row(record: &MatchRecord, round: &RoundRecord, seat: Seat) -> Row {
    let moves = || round.moves.iter().filter(|played| played.bot == seat);
    let made = moves().filter(|played| played.substitute.is_none());
    let times: Vec<Duration> = made.map(|played| played.time).collect();
    let total: Duration = times.iter().sum();
    let fault = round.result.fault.as_ref().filter(|fault| fault.bot == seat);
    Row {
        bot: printable(&record.bots[seat].name),
        round: round.round,
        began: round.first == seat,
        seeds: round.result.score[seat],
        reason: round.result.reason,
        fault: fault.map(|fault| fault.kind),
        faults: round.faults(seat),
        moves: moves().count(),
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
        notes.push(format!(
            "Round {}: {} forfeits, {}: {}\n  its board was {:?}{}",
            round.round,
            printable(&record.bots[fault.bot].name),
            fault.kind,
            printable(&fault.detail),
            fault.board.cells(),
            end_of_stderr(fault)
        ));
    }
    notes
}

/// A line for each fault of a round that was substituted, or for the first of them and the number
/// of the others.
pub(super) fn substituted(record: &MatchRecord, round: &RoundRecord) -> Vec<String> {
    let mut lines: Vec<String> = (1..)
        .zip(&round.moves)
        .filter_map(|(number, played)| {
            let fault = played.substitute.as_ref()?;
            Some(format!(
                "Round {}, move {number}: {} is played for {}, {}: {}",
                round.round,
                played.house,
                printable(&record.bots[played.bot].name),
                fault.kind,
                printable(&fault.detail)
            ))
        })
        .collect();
    if lines.len() > SUBSTITUTED_LINES {
        let others = lines.len() - SUBSTITUTED_LINES;
        lines.truncate(SUBSTITUTED_LINES);
        lines.push(format!("Round {}: and {others} more; --format json has all", round.round));
    }
    lines
}

/// The last lines of what a bot at fault wrote to stderr, indented; nothing if it was silent.
pub(super) fn end_of_stderr(fault: &FaultRecord) -> String {
    let lines: Vec<String> =
        fault.stderr.lines().map(|line| format!("\n  | {}", printable(line))).collect();
    if lines.is_empty() {
        return String::new();
    }
    let last = &lines[lines.len().saturating_sub(STDERR_LINES)..];
    format!("\n  its stderr ends with{}", last.concat())
}

/// Most faults of a round that are shown with a line each.
const SUBSTITUTED_LINES: usize = 10;

/// Most lines of stderr that are shown.
const STDERR_LINES: usize = 10;
