//! What a table cannot hold of a match: whose fault ended a round and why, and what to do about it.

use super::table::Footnote;
use super::terminal::write_notes;
use super::{Width, draw};
use crate::protocol::FaultKind;
use crate::record::{FaultRecord, MatchRecord, RoundRecord, check_options};
use crate::rules::Ruleset;
use crate::seat::Seat;
use crate::text::TellingLines;

/// What a table cannot hold of a round: that it was played again, and whose fault it was and why. A
/// gap follows each.
pub(super) fn notes(record: &MatchRecord, round: &RoundRecord) -> Vec<Footnote> {
    let mut notes = Vec::new();
    if round.replayed > 0 {
        let again = format!(
            "Round {} was played again ({} of 2 times): the machine was late, not a bot.",
            round.round, round.replayed
        );
        notes.extend([Footnote::Sentence(again), Footnote::Gap]);
    }
    if let Some(fault) = &round.result.fault {
        notes.push(Footnote::Sentence(format!(
            "Round {}: {} forfeits, {}: {}",
            round.round, record.bots[fault.bot].name, fault.kind, fault.detail,
        )));
        notes.extend(board_and_legal_houses(fault));
        notes.extend(end_of_stderr(fault));
        notes.push(Footnote::Gap);
    }
    notes
}

/// The board that a bot at fault had to play, in numbers and drawn, and its legal houses.
fn board_and_legal_houses(fault: &FaultRecord) -> Vec<Footnote> {
    let cells = fault.board.cells();
    let held = format!("  its board was {cells:?}");
    if fault.kind == FaultKind::StartFailed || fault.board.own_side_is_empty() {
        return vec![Footnote::Sentence(held)];
    }
    let legal: Vec<String> =
        (0..6).filter(|&house| cells[house] > 0).map(|house| house.to_string()).collect();
    // An adapter has just named a house in its author's numbers, which may be others.
    let has_adapter = fault.cause.as_ref().is_some_and(|cause| cause.adapter.is_some());
    let counted = if has_adapter { " (counted from 0):" } else { "" };
    let drawn = draw(fault.board).lines().map(str::to_owned).collect();
    let sentence = format!("{held}, its legal houses{counted} {}", legal.join(", "));
    vec![Footnote::Sentence(sentence), Footnote::Lines(drawn)]
}

/// What to do about forfeits: the name of each bot at fault and the command line that checks it.
pub(super) fn next_steps(record: &MatchRecord) -> Vec<(&str, String)> {
    let at_fault = |seat: &Seat| {
        let faults = record.rounds.iter().filter_map(|round| round.result.fault.as_ref());
        faults.clone().any(|fault| fault.bot == *seat)
    };
    let step = |seat| Some((&*record.bots[seat].name, check_command(record, seat)?));
    Seat::BOTH.into_iter().filter(at_fault).filter_map(step).collect()
}

/// The command line that checks a bot; `None` for a built-in one.
pub(super) fn check_command(record: &MatchRecord, seat: Seat) -> Option<String> {
    let command = &record.bots[seat].command;
    if command.first()?.starts_with("builtin:") {
        return None;
    }
    let mut words = vec!["mancala".to_owned(), "check".to_owned()];
    if record.rules.name != Ruleset::default().name {
        words.extend(["--rules".to_owned(), record.rules.name.to_string()]);
    }
    words.extend(check_options(&record.rules, &record.terms));
    // Quoted by this, a word with `=` in it is taken for no name.
    words.push(shell_words::join(command));
    Some(shell_words::join(words))
}

/// A line for each fault of a round that was substituted, or for the first of them and the number
/// of the others.
pub(super) fn substituted(record: &MatchRecord, round: &RoundRecord) -> Vec<String> {
    let mut lines: Vec<String> = (1..)
        .zip(&round.moves)
        .filter_map(|(number, played)| {
            let fault = played.substitute.as_ref()?;
            Some(format!(
                "Round {}, move {number}: house {} is played for {}, {}: {}",
                round.round, played.house, record.bots[played.bot].name, fault.kind, fault.detail
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

/// What a bot at fault wrote to stderr: the lines that name an error, if they are not among the
/// last, and the last ones. Empty if it wrote nothing.
pub(super) fn end_of_stderr(fault: &FaultRecord) -> Vec<Footnote> {
    let TellingLines { named, last, .. } = TellingLines::of(&fault.stderr, STDERR_LINES);
    let shown = |(what, lines): (&str, Vec<&str>)| {
        let lines = lines.iter().map(|line| format!("  | {line}")).collect();
        [Footnote::Sentence(format!("  its stderr {what}")), Footnote::Lines(lines)]
    };
    let parts = [("says", named), ("ends with", last)];
    parts.into_iter().filter(|(_, lines)| !lines.is_empty()).flat_map(shown).collect()
}

/// The same as lines of text for a terminal, each with its newline.
pub fn stderr_text(fault: &FaultRecord) -> String {
    let mut text = Vec::new();
    // Memory takes all that is written to it.
    let _ = write_notes(&mut text, &end_of_stderr(fault), Width::Whole, &[]);
    String::from_utf8_lossy(&text).into_owned()
}

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
        let sentence = |text: &str| Footnote::Sentence(text.to_owned());
        let [says, Footnote::Lines(named), ends, Footnote::Lines(last)] =
            &end_of_stderr(&fault)[..]
        else {
            panic!()
        };
        assert_eq!(
            (says, ends),
            (&sentence("  its stderr says"), &sentence("  its stderr ends with"))
        );
        assert!(
            named[0].contains("ERROR: AddressSanitizer") && named[1].contains("bot.c:7 in main")
        );
        assert_eq!(last.len(), 10);
        assert_eq!(end_of_stderr(&FaultRecord { stderr: String::new(), ..fault }), []);
    }
}
