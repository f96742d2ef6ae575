//! The end of what a bot wrote to stderr: read without limit, kept with one.

use std::collections::VecDeque;
use std::io::Read;

use super::inbox::read_some;
use crate::referee::StderrCopy;

/// Most bytes of stderr that are kept.
pub const TAIL_BYTES: usize = 4 * 1024;

/// A bounded tail of a stream.
#[derive(Default)]
pub struct Tail {
    last: VecDeque<u8>,
    cut: bool,
    /// Where everything is passed on as it arrives.
    pub copy: Option<StderrCopy>,
}

impl Tail {
    /// A tail that also passes everything on as it arrives.
    pub fn copied_to(copy: Option<StderrCopy>) -> Tail {
        Tail { copy, ..Tail::default() }
    }

    /// Reads once what there is, without waiting. Returns whether the stream goes on.
    pub fn receive(&mut self, from: impl Read) -> bool {
        let mut chunk = [0; 16 * 1024];
        let read = read_some(from, &mut chunk);
        if let Some(count @ 1..) = read {
            self.push(&chunk[..count]);
        }
        read.is_some()
    }

    fn push(&mut self, bytes: &[u8]) {
        if let Some(copy) = &self.copy {
            copy.add(bytes);
        }
        let kept = &bytes[bytes.len().saturating_sub(TAIL_BYTES)..];
        let surplus = (self.last.len() + kept.len()).saturating_sub(TAIL_BYTES);
        self.cut |= surplus > 0 || kept.len() < bytes.len();
        self.last.drain(..surplus);
        self.last.extend(kept);
    }

    /// The tail as text: bytes that are not UTF-8 replaced, `…` in front when it was cut.
    pub fn text(&mut self) -> String {
        let text = String::from_utf8_lossy(self.last.make_contiguous());
        if self.cut { format!("…{text}") } else { text.into_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_end_is_kept() {
        let mut tail = Tail::default();
        assert!(tail.receive(&b"hello\n"[..]));
        assert_eq!(tail.text(), "hello\n");
        let flood = [b'x'; 10_000];
        assert!(tail.receive(&flood[..]));
        assert!(tail.receive(&b"end"[..]));
        assert_eq!(tail.text(), format!("…{}end", "x".repeat(TAIL_BYTES - 3)));
        assert!(!tail.receive(&b""[..]));
    }

    #[test]
    fn a_copy_has_what_the_tail_has_dropped() {
        let copy = StderrCopy::default();
        let mut tail = Tail::copied_to(Some(copy.clone()));
        assert!(tail.receive(&[b'x'; 10_000][..]));
        assert!(tail.receive(&b"end"[..]));
        let pieces = copy.take().pieces;
        assert_eq!(pieces.iter().map(|piece| piece.bytes.len()).collect::<Vec<_>>(), [10_000, 3]);
    }
}
