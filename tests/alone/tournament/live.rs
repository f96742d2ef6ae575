//! What a terminal shows of a tournament while it is played.

use crate::runner::{Test, tests};
use crate::terminal::Terminal;

pub const TESTS: &[Test] = tests![a_terminal_shows_a_bar_and_the_table];

fn a_terminal_shows_a_bar_and_the_table() {
    // Its matches take a second or two each, and no processor time.
    let arguments = [
        "tournament",
        "--oversubscribe",
        "--openings=random:4",
        "--count=30",
        "sleeper=sleep 1",
        "sound=builtin:random",
    ];
    let Some(mut terminal) = Terminal::start(&arguments, (100, 30)) else { return };
    terminal.wait_for("0/30 matches");
    terminal.wait_for("faults");
    // The leader, after the first match.
    terminal.wait_for("sound");
    terminal.wait_for("│ rank │");
    terminal.wait_for("│ sleeper");
    terminal.type_in("\x03");
    terminal.wait_for("once more (Ctrl-C) stops at once");
    let (code, output) = terminal.end();
    assert_eq!(code, Some(130), "{output}");
    // The table so far, and the one at the end.
    assert!(output.matches("│ rank │").count() >= 2, "{output}");
}
