//! What a bot has written to stdout and the referee has not judged: one line at a time, bounded.

use std::io::{self, Read};

/// Most bytes of a line, its newline not counted.
pub const MAX_LINE: usize = crate::protocol::MAX_REPLY;

/// The bytes between a bot's stdout and the referee.
#[derive(Debug)]
pub(in crate::bot) struct Inbox {
    buffer: Box<[u8]>,
    filled: usize,
}

/// What one read brought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::bot) enum Received {
    /// Bytes.
    Some,
    /// Nothing: there is none now.
    Nothing,
    /// The end: nothing will ever come.
    End,
}

impl Inbox {
    pub(in crate::bot) fn new() -> Inbox {
        Inbox { buffer: vec![0; MAX_LINE + 1].into_boxed_slice(), filled: 0 }
    }

    /// Reads once, without waiting, as much as there is room for.
    pub(in crate::bot) fn receive(&mut self, mut from: impl Read) -> io::Result<Received> {
        if self.is_full() {
            return Ok(Received::Nothing);
        }
        loop {
            match from.read(&mut self.buffer[self.filled..]) {
                Ok(0) => return Ok(Received::End),
                Ok(count) => {
                    self.filled += count;
                    return Ok(Received::Some);
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    return Ok(Received::Nothing);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Takes the first whole line, without its newline. What follows it stays.
    pub(in crate::bot) fn take_line(&mut self) -> Option<Vec<u8>> {
        let end = self.bytes().iter().position(|&byte| byte == b'\n')?;
        let line = self.buffer[..end].to_vec();
        self.buffer.copy_within(end + 1..self.filled, 0);
        self.filled -= end + 1;
        Some(line)
    }

    /// Whether no more bytes fit: without a newline in it, the line is too long.
    pub(in crate::bot) fn is_full(&self) -> bool {
        self.filled == self.buffer.len()
    }

    /// Takes all bytes that wait.
    pub(in crate::bot) fn take_all(&mut self) -> Vec<u8> {
        let all = self.bytes().to_vec();
        self.filled = 0;
        all
    }

    /// All bytes that wait.
    pub(in crate::bot) fn bytes(&self) -> &[u8] {
        &self.buffer[..self.filled]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_taken_and_the_rest_stays() {
        let mut inbox = Inbox::new();
        assert_eq!(inbox.receive(&b"12\n3"[..]).unwrap(), Received::Some);
        assert_eq!(inbox.take_line(), Some(b"12".to_vec()));
        assert_eq!(inbox.take_line(), None);
        assert_eq!(inbox.bytes(), b"3");
        assert_eq!(inbox.receive(&b""[..]).unwrap(), Received::End);
        assert_eq!(inbox.receive(&b"4\n"[..]).unwrap(), Received::Some);
        assert_eq!(inbox.take_line(), Some(b"34".to_vec()));
        assert_eq!(inbox.receive(&b"5\n6"[..]).unwrap(), Received::Some);
        assert_eq!(inbox.take_all(), b"5\n6");
        assert_eq!(inbox.bytes(), b"");
    }

    #[test]
    fn a_line_of_64_kib_fits_and_one_byte_more_does_not() {
        let mut longest = vec![b'x'; MAX_LINE];
        longest.push(b'\n');
        let mut inbox = Inbox::new();
        inbox.receive(&longest[..]).unwrap();
        assert_eq!(inbox.take_line().map(|line| line.len()), Some(MAX_LINE));

        longest.insert(0, b'x');
        inbox.receive(&longest[..]).unwrap();
        assert!(inbox.is_full());
        assert_eq!(inbox.take_line(), None);
        assert_eq!(inbox.receive(&b"more"[..]).unwrap(), Received::Nothing);
    }
}
