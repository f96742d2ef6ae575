//! The terminal: given back on every way out, drawn and played with keys.

use rustix::process::Signal;

use super::{NARROW, WIDE};
use crate::terminal::Terminal;
use crate::test_folder::TestFolder;

#[test]
fn the_terminal_is_restored_after_a_drawn_board() {
    // Left by q, the end of input, Ctrl-C and a signal from outside.
    for (leave, code) in [("q", 0), ("\x04", 0), ("\x03", 130), ("", 130)] {
        let Some(mut terminal) = Terminal::start(&["play"], WIDE) else { return };
        terminal.wait_for("\x1b[?1049h");
        terminal.wait_for("make a play");
        assert!(!terminal.is_as_usual());
        terminal.type_in("2\r");
        // What Enter would do is told before it is done, and an interrupt takes no key more.
        terminal.wait_for("Player A plays 2.");
        terminal.type_in(leave);
        if leave.is_empty() {
            terminal.signal(Signal::TERM);
        }
        terminal.wait_for("\x1b[?25h");
        terminal.wait_for("\x1b[?1049l");
        terminal.wait_for("The game is not finished. In the stores: A 1, B 0.");
        let (ended, output) = terminal.end();
        assert_eq!(ended, Some(code), "{leave:?}: {output}");
    }
}

#[test]
fn the_same_keys_leave_the_plain_view() {
    for (leave, code) in [("q\n", 0), ("\x04", 0), ("\x03", 130)] {
        let Some(mut terminal) = Terminal::start(&["play", "--plain"], WIDE) else { return };
        terminal.wait_for("make a play");
        terminal.type_in(leave);
        terminal.wait_for("The game is not finished.");
        let (ended, output) = terminal.end();
        assert_eq!(ended, Some(code), "{leave:?}: {output}");
    }
}

#[test]
fn ctrl_c_ends_a_thinking_bot() {
    for plain in [&[][..], &["--plain"]] {
        let folder = TestFolder::new();
        let bot = folder.bot("hang");
        let game = ["play", "--move-time=1h", "--first", "bot", "--against", &bot];
        let arguments = [&game, plain].concat();
        let Some(mut terminal) = Terminal::start(&arguments, WIDE) else { return };
        terminal.wait_for("begins.");
        folder.wait_for("done");
        terminal.type_in("\x03");
        let (code, output) = terminal.end();
        assert_eq!(code, Some(130), "{output}");
        folder.none_left();
    }
}

#[test]
fn q_leaves_while_a_bot_thinks() {
    let folder = TestFolder::new();
    let bot = folder.bot("hang");
    let arguments = ["play", "--move-time=1h", "--first", "bot", "--against", &bot];
    let Some(mut terminal) = Terminal::start(&arguments, WIDE) else { return };
    terminal.wait_for("is thinking");
    // Another key does nothing.
    terminal.type_in("h");
    terminal.type_in("q");
    let (code, output) = terminal.end();
    assert_eq!(code, Some(0), "{output}");
    assert!(output.contains("The game is not finished."), "{output}");
    folder.none_left();
}

#[test]
fn a_huge_window_is_drawn_like_a_large_one() {
    let Some(mut terminal) = Terminal::start(&["play"], (65_535, 65_535)) else { return };
    terminal.wait_for("make a play");
    terminal.type_in("?");
    terminal.wait_for("begins a new game");
    terminal.type_in("\r");
    terminal.wait_for("make a play");
    let peak = terminal.peak_memory();
    assert!(peak < 64 * 1024, "{peak} KiB");
    terminal.type_in("q");
    assert_eq!(terminal.end().0, Some(0));
}

#[test]
fn a_terminal_that_goes_away_ends_the_game() {
    for arguments in [&["play", "--against", "builtin:easy"][..], &["play", "--plain"]] {
        let Some(mut terminal) = Terminal::start(arguments, WIDE) else { return };
        terminal.wait_for("make a play");
        terminal.hang_up();
        assert_eq!(terminal.exit_code(), Some(130), "{arguments:?}");
    }
}

#[test]
fn no_color_and_dumb_terminals_get_no_colours() {
    for (value, coloured) in [("", true), ("1", false)] {
        let set = format!("NO_COLOR={value}");
        let Some(mut terminal) = Terminal::start_with(&["play"], WIDE, &set) else { return };
        terminal.wait_for("make a play");
        terminal.type_in("q");
        let (_, output) = terminal.end();
        assert_eq!(output.contains("\x1b[38;5;"), coloured, "{output}");
    }
}

#[test]
fn moves_are_taken_back_on_a_drawn_board() {
    let Some(mut terminal) = Terminal::start(&["play", "--against", "builtin:easy"], NARROW) else {
        return;
    };
    terminal.wait_for("make a play");
    // To house 3 by the arrows; what Enter would do is told before.
    terminal.type_in("\x1b[C\x1b[C");
    terminal.wait_for("House 3 has 5 seeds");
    terminal.type_in("\r");
    terminal.wait_for("Player A plays 3.");
    terminal.wait_for("Player B (easy) plays");
    terminal.type_in("u");
    terminal.wait_for("Taken back: Player A moves again.");
    terminal.type_in("u");
    terminal.wait_for("There is no move to take back.");
    terminal.type_in("?q:level hard\r");
    terminal.wait_for("against Player B (hard)");
    terminal.type_in("q");
    let (code, output) = terminal.end();
    assert_eq!(code, Some(0), "{output}");
    assert!(output.contains("The game is not finished."), "{output}");
}
