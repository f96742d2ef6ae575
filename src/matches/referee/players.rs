//! What the referee needs of the two players of a match.

use std::fmt;
use std::io;
use std::time::Duration;

use crate::protocol::{Cause, ToBot, signal_in_words};
use crate::seat::Seat;

/// The two players of a match.
///
/// Implementations never judge: they carry lines and say what happened, and no call takes longer
/// than the time it was given (plus the system's own delays).
pub trait Players {
    /// Makes sure that a player is there for the round that begins, and says whether it was
    /// started just now, so that its first answer is still to come.
    ///
    /// # Errors
    ///
    /// [`Trouble::CannotStart`] when its program does not start.
    fn ready(&mut self, seat: Seat) -> Result<bool, Trouble>;

    /// Sends a message that wants no answer. Does not wait; whether it arrived shows at the next
    /// [`ask`](Players::ask).
    fn send(&mut self, seat: Seat, message: &ToBot);

    /// Sends a message that wants an answer, and waits for it until `late_after` has passed on
    /// the monotonic clock, counted from just before the first byte is written.
    ///
    /// # Errors
    ///
    /// [`Trouble::Misconduct`] when there was something before the question, or no line came back.
    fn ask(&mut self, seat: Seat, message: &ToBot, late_after: Duration)
    -> Result<Answer, Trouble>;

    /// Stops a player at once; the next [`ready`](Players::ready) starts a fresh one.
    fn stop(&mut self, seat: Seat);

    /// The end of what a player wrote to its stderr.
    fn stderr_tail(&mut self, seat: Seat) -> String;
}

/// A line that a player sent when it was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The line without its newline.
    pub line: Vec<u8>,
    /// From just before the question's first byte was written to the read that brought the
    /// answer's newline.
    pub time: Duration,
    /// What came with the line and was not asked for, bounded.
    pub surplus: Vec<u8>,
}

/// Why there is no answer.
#[derive(Debug)]
pub enum Trouble {
    /// The player's doing.
    Misconduct(Misconduct),
    /// The player's program does not start; the text says why and what to do.
    CannotStart(String),
    /// The machine did not wake us in time, so nothing can be said about the player.
    RefereeLate {
        /// How late we were.
        late_by: Duration,
        /// What there was when we woke.
        found: Result<Answer, Misconduct>,
    },
    /// The user wants to stop.
    Interrupted,
    /// The referee's own trouble.
    System(io::Error),
}

impl Trouble {
    /// What the system said, for whoever has treated the rest already.
    pub fn into_error(self) -> io::Error {
        match self {
            Trouble::System(error) => error,
            other => io::Error::other(format!("unexpected {other:?}")),
        }
    }
}

/// What a player did instead of answering with one line.
#[derive(Clone, Debug, PartialEq)]
pub enum Misconduct {
    /// Wrote before it was asked, or more than the one line. Holds the bytes, bounded.
    Unsolicited(Vec<u8>),
    /// Wrote more than a line may hold without ending it. Holds the beginning.
    Oversized(Vec<u8>),
    /// Sent no whole line in time.
    Silent {
        /// How long we waited.
        waited: Duration,
        /// What it sent of a line, bounded.
        partial: Vec<u8>,
        /// Whether its stdin was full or closed, so that the question did not reach it.
        unread: bool,
    },
    /// Its process ended, or closed its stdout.
    Exited {
        how: Ended,
        /// What the system had against it, where that is known.
        cause: Option<Box<Cause>>,
        /// What it sent of a line before, bounded.
        partial: Vec<u8>,
        /// How long after the question that was seen.
        after: Duration,
    },
}

/// How a player left. The text completes "it …".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Its process exited with this code.
    Code(i32),
    /// Its process was ended by this signal.
    Signal(i32),
    /// Its process is there but has closed its stdout.
    ClosedStdout,
}

impl fmt::Display for Ended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ended::Code(code) => write!(f, "exited with code {code}"),
            Ended::Signal(signal) => write!(f, "was ended by {}", signal_in_words(*signal)),
            Ended::ClosedStdout => f.write_str("closed its stdout"),
        }
    }
}
