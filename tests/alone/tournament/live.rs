//! What a terminal shows of a tournament while it is played.

use rustix::process::Signal;
use unicode_width::UnicodeWidthStr as _;

use crate::program::hostile;
use crate::runner::{Test, tests};
use crate::terminal::Terminal;
use crate::tournaments::tournament;

pub const TESTS: &[Test] = tests![
    a_terminal_shows_a_bar_and_the_table,
    no_line_is_wider_than_the_terminal,
    one_screen_is_redrawn_in_place,
    the_screen_is_gone_after_the_last_match,
    the_terminal_is_as_usual_however_the_screen_ends,
    live_changes_nothing_in_a_pipe_or_when_quiet
];

fn a_terminal_shows_a_bar_and_the_table() {
    // Its matches take half a second or less each, and no processor time.
    let arguments = [
        "tournament",
        "--oversubscribe",
        // So that they are not over before the first table.
        "--jobs=1",
        "--openings=random:4",
        "--count=30",
        "sleeper=sleep 0.3",
        "sound=builtin:random",
    ];
    let Some(mut terminal) = Terminal::start(&arguments, (100, 30)) else { return };
    terminal.wait_for("0/30 matches");
    terminal.wait_for("faults");
    // The leader, after the first match.
    terminal.wait_for("sound");
    terminal.wait_for("So far:");
    terminal.wait_for("│ rank │");
    terminal.wait_for("│ sleeper");
    terminal.type_in("\x03");
    terminal.wait_for("once more (Ctrl-C) stops at once");
    let (code, output) = terminal.end();
    assert_eq!(code, Some(130), "{output}");
    // The table so far, and the one at the end.
    assert!(output.matches("│ rank │").count() >= 2, "{output}");
}

fn no_line_is_wider_than_the_terminal() {
    let arguments = [
        "tournament",
        "--oversubscribe",
        "--jobs=1",
        "--openings=random:4",
        "--count=4",
        "a-bot-with-a-name-that-is-long=builtin:easy",
        "sleeper=sleep 0.3",
    ];
    let Some(mut terminal) = Terminal::start(&arguments, (50, 30)) else { return };
    terminal.wait_for(" fault");
    let (code, output) = terminal.end();
    assert_eq!(code, Some(0), "{output}");
    for line in output.split(['\r', '\n', '\x1b']).map(|line| line.trim_start_matches("[2K")) {
        assert!(line.width() <= 50, "{line:?} in {output:?}");
    }
}

/// The cursor goes to the top of the screen.
const TOP: &str = "\x1b[1;1H";

/// What is below the cursor is cleared.
const CLEARED: &str = "\x1b[J";

/// Nothing in it changes the modes of a terminal, which nobody would give back.
fn changes_no_mode(output: &str) {
    for mode in ["\x1b[?", "\x1b=", "\x1b>"] {
        assert!(!output.contains(mode), "{mode:?} in {output:?}");
    }
}

fn one_screen_is_redrawn_in_place() {
    let words = hostile("words 1 2");
    let bots = ["sleeper=sleep 1".to_owned(), "sound=builtin:random".to_owned(), words];
    let options = ["tournament", "--live", "--oversubscribe", "--jobs=2", "--move-time=1s"];
    let more = ["--openings=random:4", "--count=700", "--start-time=0s"];
    let arguments: Vec<&str> =
        options.into_iter().chain(more).chain(bots.iter().map(String::as_str)).collect();
    let Some(mut terminal) = Terminal::start(&arguments, (90, 24)) else { return };
    terminal.wait_for("/2100 matches");
    terminal.wait_for("sleeper against sound, ");
    terminal.wait_for("│ rank │");
    terminal.wait_for("last faults:");
    // What a bot wrote is shown, and does nothing.
    terminal.wait_for("invalid_reply: not JSON");
    // Another size: everything is drawn again for it.
    terminal.resize((60, 12));
    terminal.wait_for("\x1b[2J");
    terminal.wait_for(TOP);
    terminal.wait_for("/2100 matches");
    terminal.wait_for("more lines of the table");
    terminal.signal(Signal::INT);
    // As much of it as this screen shows.
    terminal.wait_for("once more (Ctrl-C) stops");
    terminal.signal(Signal::INT);
    let (code, output) = terminal.end();
    assert_eq!(code, Some(130), "{output}");
    changes_no_mode(&output);
    // No frame of the small screen is longer than it: between two of them are at most 11 lines.
    let small = output.split("\x1b[2J").last().unwrap();
    for frame in small.split(TOP).skip(1) {
        if let Some((frame, _)) = frame.split_once(CLEARED) {
            assert!(frame.matches('\n').count() <= 11, "{frame:?}");
        }
    }
    // The screen is cleared, then its messages and the table so far stand once.
    let end = output.rsplit(TOP).next().unwrap();
    assert!(end.starts_with(CLEARED), "{end:?}");
    assert_eq!(end.matches("│ rank │").count(), 1, "{end}");
    assert!(end.contains("mancala: first fault of bot"), "{end}");
}

fn the_screen_is_gone_after_the_last_match() {
    let arguments =
        ["tournament", "--live", "--oversubscribe", "builtin:easy", "builtin:random", "--count=1"];
    let Some(terminal) = Terminal::start(&arguments, (100, 30)) else { return };
    let (code, output) = terminal.end();
    assert_eq!(code, Some(0), "{output}");
    changes_no_mode(&output);
    let end = output.rsplit(TOP).next().unwrap();
    assert_eq!(end.matches("│ rank │").count(), 1, "{output:?}");
    assert!(!end.contains("1/1 matches"), "{end:?}");
}

fn the_terminal_is_as_usual_however_the_screen_ends() {
    let hang = hostile("hang 1 1");
    let arguments =
        ["tournament", "--live", "--oversubscribe", "--move-time=1h", &hang, "builtin:random"];
    for is_killed in [false, true] {
        let Some(mut terminal) = Terminal::start(&arguments, (90, 24)) else { return };
        terminal.wait_for("match 1: ");
        if is_killed {
            terminal.signal(Signal::KILL);
        } else {
            terminal.type_in("\x03");
            terminal.wait_for("once more (Ctrl-C) stops at once");
            // The third one ends the program wherever it is after the second.
            terminal.type_in("\x03\x03");
        }
        // It fails if the terminal is left changed.
        let (code, output) = terminal.end();
        assert_eq!(code, if is_killed { None } else { Some(130) }, "{output}");
        changes_no_mode(&output);
    }
}

fn live_changes_nothing_in_a_pipe_or_when_quiet() {
    let bots = ["builtin:easy", "builtin:random"];
    let plain = tournament().args(bots).run().code(0);
    let live = tournament().args(bots).arg("--live").run().code(0);
    assert_eq!(plain.stderr, live.stderr);
    assert!(!live.stdout.contains('\x1b'));
    let arguments = ["tournament", "--live", "--quiet", "--oversubscribe", bots[0], bots[1]];
    let Some(terminal) = Terminal::start(&arguments, (100, 30)) else { return };
    let (code, output) = terminal.end();
    assert!(code == Some(0) && !output.contains('\x1b'), "{output:?}");
}
