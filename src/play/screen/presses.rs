//! Waiting for a key, while the window may change and the user may interrupt.

use std::io;
use std::time::Duration;

use super::super::keyboard::{Keyboard, Woken};
use super::keys::{Key, take_key};
use super::terminal::Terminal;
use crate::bot::Interrupt;

/// How a wait for a key ended.
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

/// Has a bot think, and ends that when the player presses q or interrupts. Whether it was q.
pub(super) fn watch_for_quit(
    keyboard: &mut Keyboard<'_>,
    think: &mut dyn FnMut(&Interrupt),
) -> io::Result<bool> {
    // Of the signals alone, where no thread can be started.
    let of_signals = keyboard.interrupt();
    let (stop, done) = (Interrupt::by_hand()?, Interrupt::by_hand()?);
    std::thread::scope(|scope| {
        let listen = || {
            let wants_to_quit = waits_for_quit(keyboard, &done);
            // The turn has ended by itself, or it ends now.
            if !matches!(wants_to_quit, Ok(Watched::Done)) {
                stop.raise();
            }
            wants_to_quit
        };
        let Ok(watcher) = std::thread::Builder::new().spawn_scoped(scope, listen) else {
            think(of_signals);
            return Ok(false);
        };
        think(&stop);
        done.raise();
        let seen = watcher.join().map_err(|_| io::Error::other("the keyboard is not read"))?;
        seen.map(|seen| seen == Watched::Quit)
    })
}

/// What the player did while a bot was thinking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Watched {
    /// Nothing that ends the turn.
    Done,
    Quit,
    Interrupted,
}

fn waits_for_quit(keyboard: &mut Keyboard<'_>, done: &Interrupt) -> io::Result<Watched> {
    loop {
        // Other keys stay, for when the player is asked.
        if keyboard.typed().contains(&b'q') {
            keyboard.typed().clear();
            return Ok(Watched::Quit);
        }
        match keyboard.wait_until(done)? {
            Woken::Typed => {}
            Woken::Interrupted => return Ok(Watched::Interrupted),
            Woken::TimeOut if !done.is_raised() => {}
            Woken::TimeOut | Woken::End => return Ok(Watched::Done),
        }
    }
}
