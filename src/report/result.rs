//! What a match came to, row by row: the one place that works out what every table shows.

use std::time::Duration;

use super::board::draw;
use crate::protocol::{FaultKind, Reason};
use crate::record::{BotRecord, FaultRecord, MatchRecord, RoundRecord};
use crate::rules::{DirectionRule, Ruleset};
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
            "Round {}: {} forfeits, {}: {}\n  {}{}",
            round.round,
            printable(&record.bots[fault.bot].name),
            fault.kind,
            printable(&fault.detail),
            what_it_could_play(fault),
            end_of_stderr(fault)
        ));
    }
    notes
}

/// The board that a bot at fault had to play, in numbers and drawn, and its legal houses.
fn what_it_could_play(fault: &FaultRecord) -> String {
    let cells = fault.board.cells();
    let mut words = format!("its board was {cells:?}");
    if fault.kind != FaultKind::StartFailed && !fault.board.own_side_is_empty() {
        let legal: Vec<String> =
            (0..6).filter(|&house| cells[house] > 0).map(|house| house.to_string()).collect();
        // An adapter has just named a house in its author's numbers, which may be others.
        let has_adapter = fault.cause.as_ref().is_some_and(|cause| cause.adapter.is_some());
        let counted = if has_adapter { ", counted from 0," } else { "" };
        let (legal, board) = (legal.join(", "), draw(fault.board));
        words += &format!(", its legal houses{counted} {legal}\n{}", board.trim_end());
    }
    words
}

/// What to do about forfeits: the command line that checks each bot at fault.
pub(super) fn next_steps(record: &MatchRecord) -> Vec<String> {
    let at_fault = |seat: Seat| {
        let faults = record.rounds.iter().filter_map(|round| round.result.fault.as_ref());
        faults.clone().any(|fault| fault.bot == seat)
    };
    let is_built_in = |seat: Seat| record.bots[seat].command[0].starts_with("builtin:");
    let is_named = |seat: Seat| !record.bots[seat].command.is_empty();
    let step = |seat: Seat| {
        let BotRecord { name, command } = &record.bots[seat];
        let mut words = vec!["mancala".to_owned(), "check".to_owned()];
        if record.rules.name != Ruleset::default().name {
            words.extend(["--rules".to_owned(), record.rules.name.to_string()]);
        }
        if record.rules.direction != DirectionRule::Forward {
            words.extend(["--direction".to_owned(), record.rules.direction.to_string()]);
        }
        // Quoted by this, a word with `=` in it is taken for no name.
        words.push(shell_words::join(command));
        let words = printable(&shell_words::join(words));
        format!("To find out what is wrong with {}: {words}", printable(name))
    };
    let seats = Seat::BOTH.into_iter().filter(|&seat| is_named(seat) && at_fault(seat));
    seats.filter(|&seat| !is_built_in(seat)).map(step).collect()
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

/// What a bot at fault wrote to stderr, indented: the lines that name an error, if they are not
/// among the last, and the last ones. Nothing if it was silent.
pub(super) fn end_of_stderr(fault: &FaultRecord) -> String {
    let lines: Vec<&str> = fault.stderr.lines().collect();
    let (before, last) = lines.split_at(lines.len().saturating_sub(STDERR_LINES));
    let shown = |line: &&str| format!("\n  | {}", printable(line));
    let named: Vec<String> = before.iter().filter(|line| names_an_error(line)).map(shown).collect();
    let named = &named[named.len().saturating_sub(ERROR_LINES)..];
    let mut words = String::new();
    if !named.is_empty() {
        words += &format!("\n  its stderr says{}", named.concat());
    }
    if !last.is_empty() {
        words += "\n  its stderr ends with";
        words.extend(last.iter().map(shown));
    }
    words
}

/// Whether a line says what went wrong, as sanitizers, Rust, Go, C++ and Java write it before what
/// fills the end of their reports.
fn names_an_error(line: &str) -> bool {
    [
        "SUMMARY: ",
        "ERROR: ",
        "runtime error: ",
        "panicked at",
        "panic: ",
        "fatal error: ",
        "terminate called",
        "Exception in thread",
        "Caused by: ",
        "Assertion",
    ]
    .iter()
    .any(|sign| line.contains(sign))
}

/// Most lines that name an error and are shown before the last ones.
const ERROR_LINES: usize = 3;

/// Most faults of a round that are shown with a line each.
const SUBSTITUTED_LINES: usize = 10;

/// Most lines of stderr that are shown.
const STDERR_LINES: usize = 10;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Board;

    #[test]
    fn a_line_that_names_the_error_comes_before_the_legend() {
        let legend = "  Shadow gap: cc\n".repeat(20);
        let stderr = format!(
            "==1==ERROR: AddressSanitizer: stack-buffer-overflow\n  #0 main bot.c:7\n\
             SUMMARY: AddressSanitizer: stack-buffer-overflow bot.c:7 in main\n{legend}"
        );
        let board = Board::from_cells([3, 3, 3, 3, 3, 3, 0, 3, 3, 3, 3, 3, 3, 0]).unwrap();
        let kind = FaultKind::Exited;
        let (bot, detail, cause) = (Seat::A, String::new(), None);
        let fault = FaultRecord { bot, kind, detail, cause, board, stderr };
        let lines = end_of_stderr(&fault);
        let lines: Vec<&str> = lines.lines().skip(1).collect();
        assert_eq!(lines[0], "  its stderr says");
        assert!(
            lines[1].contains("ERROR: AddressSanitizer") && lines[2].contains("bot.c:7 in main")
        );
        assert_eq!((lines[3], lines.len()), ("  its stderr ends with", 14));
        assert_eq!(end_of_stderr(&FaultRecord { stderr: String::new(), ..fault }), "");
    }
}
