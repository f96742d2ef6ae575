//! Waiting for a key, while the window may change and the user may interrupt.

use std::io;
use std::time::Duration;

use super::super::keyboard::{Keyboard, Woken};
use super::keys::{Key, take_key};
use super::terminal::Terminal;

/// What came of waiting for a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pressed {
    /// This key was pressed.
    Key(Key),
    /// The window has another size than what was painted on it.
    Resized,
    /// There will be no more keys.
    End,
    /// The user interrupts.
    Interrupted,
}

/// How often the size of the window is looked at.
const GLANCE: Duration = Duration::from_millis(250);

/// How long the rest of a key may take to come.
const KEY_IN_PIECES: Duration = Duration::from_millis(50);

/// Waits for the next key.
pub(super) fn wait_for_key(
    keyboard: &mut Keyboard<'_>,
    terminal: &Terminal,
) -> io::Result<Pressed> {
    loop {
        if keyboard.is_interrupted() {
            return Ok(Pressed::Interrupted);
        }
        if let Some(key) = take_key(keyboard.typed(), false) {
            return Ok(Pressed::Key(key));
        }
        let has_begun = !keyboard.typed().is_empty();
        let woken = keyboard.wait(Some(if has_begun { KEY_IN_PIECES } else { GLANCE }))?;
        match woken {
            Woken::Typed => {}
            Woken::Interrupted => return Ok(Pressed::Interrupted),
            Woken::TimeOut | Woken::End => {
                if let Some(key) = take_key(keyboard.typed(), true) {
                    return Ok(Pressed::Key(key));
                }
                if woken == Woken::End {
                    return Ok(Pressed::End);
                }
                if terminal.is_resized() {
                    return Ok(Pressed::Resized);
                }
            }
        }
    }
}
