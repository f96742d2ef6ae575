//! One match from its bots to a record.
//!
//! [`Wardens`](crate::bot::Wardens) keep the bots of one match after another. A match is played in
//! four steps, so that its record is kept before the bots get their grace to exit:
//!
//! 1. [`Wardens::new`](crate::bot::Wardens::new) starts the first warden, and fails if the restraints cannot be applied.
//! 2. [`SeatedBots::seat`] gives each of two bots its seat. Nothing runs yet.
//! 3. [`play`] starts them, plays, logs, and hands back the record.
//! 4. After the record is kept, [`SeatedBots::end`] lets the bots exit, or
//!    [`SeatedBots::into_bots`] keeps their processes for [`SeatedBots::new`] and another match.

use std::cell::RefCell;

use crate::bot::SeatedBots;
use crate::log::{Log, Logged};
use crate::record::MatchRecord;
use crate::referee::{Event, MatchError, MatchSetup, play_match};

/// Plays a match and returns its record. The bots are left as they are. Each event goes to `log`
/// and then to `emit`.
///
/// A process that has played before goes on if it answered then and has been silent since.
/// Otherwise a fresh one takes its place, so that an earlier match causes no fault in this one.
///
/// # Errors
///
/// As [`play_match`].
pub fn play(
    setup: &MatchSetup,
    bots: &mut SeatedBots,
    log: Option<&mut Log>,
    emit: &mut dyn FnMut(Event<'_>),
) -> Result<MatchRecord, MatchError> {
    bots.stop_unfit();
    let copies = log.as_ref().map(|log| log.stderr());
    bots.copy_stderr_to(copies.as_ref());
    let Some(log) = log else { return play_match(setup, bots, emit) };
    let log = RefCell::new(log);
    let mut emit = |event: Event<'_>| {
        log.borrow_mut().record_event(event);
        emit(event);
    };
    play_match(setup, &mut Logged::new(bots, &log), &mut emit)
}
