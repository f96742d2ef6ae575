//! What a tournament says at once of its bots' faults: the first one of each bot with the end of
//! its stderr, then a line for its 10th, 100th, 1,000th and so on.

use std::collections::BTreeMap;

use super::event::TournamentEvent;
use crate::text::{TellingLines, printable};

/// Most lines of a bot's stderr, and most characters of each.
const MOST_LINES: usize = 5;
const MOST_CHARACTERS: usize = 200;

/// The faults of each bot so far, by its name.
#[derive(Default)]
pub(super) struct FaultNotices {
    faults: BTreeMap<String, u64>,
}

impl FaultNotices {
    /// Goes on from what each bot had in the matches of the file.
    pub(super) fn start_from<'a>(&mut self, faults: impl Iterator<Item = (&'a str, u32)>) {
        self.faults = faults.map(|(name, count)| (name.to_owned(), count.into())).collect();
    }

    /// Counts a fault. Returns what to print; `None` for an event of another kind, too.
    pub(super) fn count(&mut self, event: &TournamentEvent<'_>) -> Option<String> {
        let TournamentEvent::Fault { r#match: number, round, bot, kind, detail, stderr, .. } =
            event
        else {
            return None;
        };
        let faults = self.faults.entry((*bot).to_owned()).or_insert(0);
        *faults += 1;
        let (name, detail) = (printable(bot), printable(detail));
        let at = format!("{kind} in match {number}, round {round}: {detail}");
        match *faults {
            1 => Some(format!("first fault of bot \"{name}\": {at}{}", end_of_stderr(stderr))),
            faults if is_power_of_ten(faults) => {
                Some(format!("bot \"{name}\" has {faults} faults; the last: {at}"))
            }
            _ => None,
        }
    }
}

fn is_power_of_ten(number: u64) -> bool {
    10_u64.checked_pow(number.ilog10()) == Some(number)
}

/// The last lines of what a bot wrote, below the line that they belong to.
fn end_of_stderr(stderr: &str) -> String {
    let lines: Vec<&str> = stderr.lines().filter(|line| !line.trim().is_empty()).collect();
    let lines = lines.join("\n");
    let shown = TellingLines::of(&lines, MOST_LINES).in_one();
    if shown.is_empty() {
        return String::new();
    }
    let cut = |line: &&str| {
        let shown: String = line.chars().take(MOST_CHARACTERS).collect();
        let dots = if shown.len() < line.len() { "…" } else { "" };
        format!("\n    {}{dots}", printable(&shown))
    };
    format!("; its stderr ends with{}", shown.iter().map(cut).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::FaultKind;
    use crate::record::Timestamp;

    #[test]
    fn a_bot_is_named_at_its_first_fault_and_at_powers_of_ten() {
        let mut notices = FaultNotices::default();
        let fault = |number, bot| TournamentEvent::Fault {
            at: Timestamp::now(),
            r#match: number,
            round: 2,
            bot,
            kind: FaultKind::Exited,
            detail: "exit code 2",
            stderr: "usage: x\n\nbad arg --dpeth\u{1b}[2J\n",
        };
        let first = notices.count(&fault(1, "a\u{7}")).unwrap();
        assert_eq!(
            first,
            "first fault of bot \"a\\u{7}\": exited in match 1, round 2: exit code 2; its stderr ends \
             with\n    usage: x\n    bad arg --dpeth\\u{1b}[2J"
        );
        let said: Vec<(u64, String)> = (1..=2000)
            .filter_map(|number| Some((number, notices.count(&fault(number, "a"))?)))
            .collect();
        assert_eq!(said.iter().map(|(number, _)| *number).collect::<Vec<_>>(), [1, 10, 100, 1000]);
        assert_eq!(
            said[1].1,
            "bot \"a\" has 10 faults; the last: exited in match 10, round 2: exit code 2"
        );
        // Each bot has a count of its own.
        assert!(notices.count(&fault(1, "b")).unwrap().starts_with("first fault of bot \"b\""));
    }

    #[test]
    fn a_resumed_tournament_goes_on_counting() {
        let mut notices = FaultNotices::default();
        notices.start_from([("a", 4), ("b", 0)].into_iter());
        let mut fault = |number, bot| {
            notices.count(&TournamentEvent::Fault {
                at: Timestamp::now(),
                r#match: number,
                round: 1,
                bot,
                kind: FaultKind::Exited,
                detail: "exit code 2",
                stderr: "",
            })
        };
        let said: Vec<String> = (1..=14).filter_map(|number| fault(number, "a")).collect();
        let tenth = "bot \"a\" has 10 faults; the last: exited in match 6, round 1: exit code 2";
        assert_eq!(said, [tenth]);
        assert!(fault(15, "b").unwrap().starts_with("first fault of bot \"b\""));
    }

    #[test]
    fn the_end_of_stderr_is_short() {
        assert_eq!(end_of_stderr(" \n\n"), "");
        let lines: Vec<String> =
            (0..100).map(|line| format!("{line} {}", "x".repeat(300))).collect();
        let long = lines.join("\n");
        let end = end_of_stderr(&long);
        assert_eq!(end.lines().count(), 1 + MOST_LINES);
        assert!(end.contains("\n    95 xxx") && end.lines().all(|line| line.chars().count() < 210));
    }
}
