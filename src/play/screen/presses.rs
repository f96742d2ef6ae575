//! Waiting for a key, while the window may change and the user may interrupt.

use std::io;
use std::time::Duration;

use super::super::keyboard::{Input, Keyboard};
use super::keys::{Pressed, take_key};
use super::terminal::Terminal;
use crate::bot::Interrupt;

/// How often the size of the window is looked at.
const GLANCE: Duration = Duration::from_millis(250);

/// How long the rest of a key may take to come.
const KEY_IN_PIECES: Duration = Duration::from_millis(50);

/// Waits for the next key; `None` if the window now has another size than what was painted on it.
pub(super) fn wait_for_key(
    keyboard: &mut Keyboard<'_>,
    terminal: &Terminal,
) -> io::Result<Option<Pressed>> {
    loop {
        if keyboard.interrupt.is_raised() {
            return Ok(Some(Pressed::Interrupt));
        }
        if let Some(key) = take_key(&mut keyboard.typed, false) {
            return Ok(Some(key));
        }
        let patience = if keyboard.typed.is_empty() { GLANCE } else { KEY_IN_PIECES };
        let key = match keyboard.wait(None, Some(patience))? {
            Input::Entered(true) => continue,
            // No more of a key will come.
            Input::Entered(false) => take_key(&mut keyboard.typed, true),
            Input::End => take_key(&mut keyboard.typed, true).or(Some(Pressed::EndOfInput)),
            Input::Interrupted => Some(Pressed::Interrupt),
        };
        if key.is_some() || terminal.is_resized() {
            return Ok(key);
        }
    }
}

/// Has a bot think, and ends that if the player presses q or interrupts. Returns whether it was q.
pub(super) fn watch_for_quit(
    keyboard: &mut Keyboard<'_>,
    think: &mut dyn FnMut(&Interrupt),
) -> io::Result<bool> {
    // If no thread can be started, only signals end it.
    let of_signals = keyboard.interrupt;
    let (stop, done) = (Interrupt::by_hand()?, Interrupt::by_hand()?);
    std::thread::scope(|scope| {
        let listen = || {
            let pressed = wait_for_quit(keyboard, &done);
            // Without more input the turn ends by itself; else it ends now.
            if !matches!(pressed, Ok(Input::End)) {
                stop.raise();
            }
            pressed
        };
        let Ok(watcher) = std::thread::Builder::new().spawn_scoped(scope, listen) else {
            think(of_signals);
            return Ok(false);
        };
        think(&stop);
        done.raise();
        let pressed = watcher.join().map_err(|_| io::Error::other("the keyboard is not read"))?;
        pressed.map(|pressed| pressed == Input::Entered(()))
    })
}

/// Waits until the player presses q or interrupts; [`Input::End`] if there is no more input, or `done`
/// is raised before.
fn wait_for_quit(keyboard: &mut Keyboard<'_>, done: &Interrupt) -> io::Result<Input<()>> {
    loop {
        // Other keys stay, for when the player is asked.
        if keyboard.typed.contains(&b'q') {
            keyboard.typed.clear();
            return Ok(Input::Entered(()));
        }
        match keyboard.wait(Some(done), None)? {
            Input::Entered(has_typed) if has_typed || !done.is_raised() => {}
            Input::Entered(_) | Input::End => return Ok(Input::End),
            Input::Interrupted => return Ok(Input::Interrupted),
        }
    }
}
