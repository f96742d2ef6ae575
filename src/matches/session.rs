//! One match from commands to a record: wardens, bots, the log and the user's wish to stop.
//!
//! A session plays one match after another and keeps its wardens between them. A match is played
//! in four steps, so that its record is kept before the bots get their grace to exit:
//!
//! 1. [`Session::open`] starts the first warden, and fails if the restraints cannot be applied.
//! 2. [`Session::seat`] names the two bots. Nothing runs yet.
//! 3. [`Session::play`] starts them, plays, logs, and hands back the record.
//! 4. After the record is kept, [`SeatedBots::end`] lets the bots exit, or
//!    [`SeatedBots::into_bots`] keeps their processes for [`Session::seat_bots`] and another match.

use std::cell::RefCell;
use std::path::PathBuf;

use crate::bot::{
    Bot, BotCommand, Interrupt, ReadablePaths, Restraints, SeatedBots, WardenError, Wardens,
};
use crate::log::{Log, Logged};
use crate::record::MatchRecord;
use crate::referee::{Event, MatchError, MatchSetup, play_match};
use crate::seat::PerSeat;

/// What matches are played with: processes that keep the bots, and the user's wish to stop.
/// Cloning it gives another handle to the same.
///
/// After a warden was killed, this process ends all its children except wardens. So a process plays
/// one match at a time; several at once need several processes.
#[derive(Clone, Debug)]
pub struct Session {
    wardens: Wardens,
}

impl Session {
    /// A session whose bots are all held to these restraints.
    ///
    /// # Errors
    ///
    /// When the restraints cannot be applied, the system fails, or the user interrupts.
    pub fn open(
        restraints: Restraints,
        interrupt: Option<&Interrupt>,
    ) -> Result<Session, WardenError> {
        let wardens = Wardens::new(restraints, interrupt.cloned())?;
        Ok(Session { wardens })
    }

    /// A session of a program that is not `mancala` itself, and starts this one to keep the bots.
    ///
    /// # Errors
    ///
    /// As [`open`](Session::open).
    pub fn of_program(
        mancala: PathBuf,
        restraints: Restraints,
        interrupt: Option<&Interrupt>,
    ) -> Result<Session, WardenError> {
        let wardens = Wardens::of_program(mancala, restraints, interrupt.cloned())?;
        Ok(Session { wardens })
    }

    /// The user's wish to stop. `None` if nothing listens for it.
    pub fn interrupt(&self) -> Option<&Interrupt> {
        self.wardens.interrupt()
    }

    /// The restraints of the bots.
    pub fn restraints(&self) -> &Restraints {
        self.wardens.restraints()
    }

    /// A bot that does not run yet.
    pub fn bot(&self, command: &BotCommand) -> Bot {
        Bot::new(command, &self.wardens)
    }

    /// A program that may read these paths in the sandbox, and does not run yet.
    pub fn bot_reading(&self, command: &BotCommand, reach: ReadablePaths) -> Bot {
        Bot::reading(command, reach, &self.wardens)
    }

    /// Two bots for a match, which do not run yet.
    pub fn seat(&self, commands: &PerSeat<BotCommand>) -> SeatedBots {
        self.seat_bots(PerSeat::from_fn(|seat| self.bot(&commands[seat])))
    }

    /// Two bots for a match, whose processes may have played another match before.
    pub fn seat_bots(&self, bots: PerSeat<Bot>) -> SeatedBots {
        SeatedBots::new(bots, self.interrupt().cloned())
    }

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
        &self,
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
}
