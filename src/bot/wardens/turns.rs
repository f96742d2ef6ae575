//! Whose turn it is, as far as a warden is concerned.

use std::io::{self, PipeReader, PipeWriter, Read as _, Write as _};
use std::os::fd::{AsFd, BorrowedFd};

use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};

/// A pipe: while a byte is in it, the warden's bot waits, and the warden may take the byte and
/// freeze the bot. So a bot that uses no processor time costs its referee a write and a read, and
/// those only where its opponent thinks for long.
#[derive(Debug)]
pub(super) struct Turns {
    reader: PipeReader,
    writer: PipeWriter,
    /// Whether the byte was put in, or the bot was frozen, and neither was undone.
    pub(super) may_be_frozen: bool,
    /// Whether the bot has used its opponent's time before.
    ponders: bool,
}

impl Turns {
    pub(super) fn new() -> io::Result<Turns> {
        let (reader, writer) = io::pipe()?;
        let flags = fcntl_getfl(&reader)?;
        fcntl_setfl(&reader, flags | OFlags::NONBLOCK)?;
        Ok(Turns { reader, writer, may_be_frozen: false, ponders: false })
    }

    /// The end from which the warden takes the byte.
    pub(super) fn reader(&self) -> BorrowedFd<'_> {
        self.reader.as_fd()
    }

    /// Forgets what the bot before this one did.
    pub(super) fn begin(&mut self) {
        let _ = self.reader.read(&mut [0]);
        (self.may_be_frozen, self.ponders) = (false, false);
    }

    /// The bot waits from now on: it may be frozen if it uses the processor.
    pub(super) fn bot_waits(&mut self) {
        if !self.may_be_frozen {
            self.may_be_frozen = self.writer.write(&[0]).is_ok();
        }
    }

    /// Whether the bot runs and is to be frozen at once: it has used its opponent's time before.
    pub(super) fn is_to_be_frozen(&self) -> bool {
        self.ponders && !self.may_be_frozen
    }

    /// The bot waits no more. Whether it has to be thawed: the warden has taken the byte.
    pub(super) fn bot_plays(&mut self) -> bool {
        if !std::mem::take(&mut self.may_be_frozen) {
            return false;
        }
        let was_taken = !self.reader.read(&mut [0]).is_ok_and(|count| count == 1);
        self.ponders |= was_taken;
        was_taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bot_that_used_no_time_is_not_thawed() {
        let mut turns = Turns::new().unwrap();
        assert!(!turns.bot_plays() && !turns.is_to_be_frozen());
        turns.bot_waits();
        // One byte, however often it is said.
        turns.bot_waits();
        assert!(!turns.bot_plays() && !turns.bot_plays() && !turns.is_to_be_frozen());
    }

    #[test]
    fn a_bot_that_was_frozen_once_is_frozen_at_once_until_another_bot_comes() {
        let mut turns = Turns::new().unwrap();
        turns.bot_waits();
        // As the warden does.
        assert_eq!(turns.reader.read(&mut [0]).unwrap(), 1);
        assert!(!turns.is_to_be_frozen());
        assert!(turns.bot_plays() && turns.is_to_be_frozen());
        turns.may_be_frozen = true;
        assert!(!turns.is_to_be_frozen());
        assert!(turns.bot_plays() && !turns.bot_plays());
        turns.begin();
        assert!(!turns.is_to_be_frozen() && !turns.bot_plays());
    }
}
