//! The end of what a bot wrote to stderr: read without limit, kept with one.

use std::collections::VecDeque;
use std::io::Read;

use super::inbox::read_some;
use crate::referee::StderrCopy;
use crate::text::names_an_error;

/// Most bytes of stderr that are recorded.
pub(super) const TAIL_BYTES: usize = 4 * 1024;

/// Most bytes that are kept. Java writes up to 1,024 frames behind the line that names the error.
const KEPT_BYTES: usize = 128 * 1024;

/// A longer line is not recorded as that one: cut, it could end in the middle of a path, and what hides
/// a folder from others would not find it.
const LONGEST_NAMED: usize = 512;

/// A bounded tail of a stream.
#[derive(Default)]
pub(super) struct Tail {
    last: VecDeque<u8>,
    /// Where everything is passed on as it arrives.
    pub copy: Option<StderrCopy>,
}

impl Tail {
    /// A tail that also passes everything on as it arrives.
    pub(super) fn copied_to(copy: Option<StderrCopy>) -> Tail {
        Tail { copy, ..Tail::default() }
    }

    /// Reads once what there is, without waiting. Returns whether the stream goes on.
    pub(super) fn receive(&mut self, from: impl Read) -> bool {
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
        let kept = &bytes[bytes.len().saturating_sub(KEPT_BYTES)..];
        let surplus = (self.last.len() + kept.len()).saturating_sub(KEPT_BYTES);
        self.last.drain(..surplus);
        self.last.extend(kept);
    }

    /// The last [`TAIL_BYTES`] as text: bytes that are not UTF-8 replaced, `…` in front when it was
    /// cut. Before that stands the last line that names an error, if it was cut off.
    pub(super) fn text(&mut self) -> String {
        let is_full = self.last.len() == KEPT_BYTES;
        let kept = self.last.make_contiguous();
        let (before, tail) = kept.split_at(kept.len().saturating_sub(TAIL_BYTES));
        let tail = String::from_utf8_lossy(tail);
        if before.is_empty() {
            return tail.into_owned();
        }
        let (first_kept, before) = match before.iter().position(|&byte| byte == b'\n') {
            Some(end) => before.split_at(end + 1),
            None => (&[][..], before),
        };
        // The first of all lines may be cut, and so is the last one of these.
        let first = Some(first_kept).filter(|_| !is_full);
        let lines = before.rsplit(|&byte| byte == b'\n').skip(1).chain(first);
        let short = lines.filter(|line| line.len() <= LONGEST_NAMED);
        let named = short.map(String::from_utf8_lossy).find(|line| names_an_error(line));
        let named = named.map(|line| format!("…{}\n", line.trim_end()));
        format!("{}…{tail}", named.unwrap_or_default())
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
        for flood in [10_000, KEPT_BYTES] {
            tail.push(&vec![b'x'; flood]);
            assert!(tail.receive(&b"end"[..]));
            assert_eq!(tail.text(), format!("…{}end", "x".repeat(TAIL_BYTES - 3)));
        }
        assert!(!tail.receive(&b""[..]));
    }

    #[test]
    fn the_line_that_names_the_error_is_kept_before_the_end() {
        let frame = "\tat Bot.deep(Bot.java:9)\n";
        let end = |count: usize| frame.repeat(count)[frame.len() * count - TAIL_BYTES..].to_owned();
        let named = "Exception in thread \"main\" java.lang.StackOverflowError";
        let mut tail = Tail::default();
        tail.push(format!("start\nOther: Error\n{named}\n{}", frame.repeat(1024)).as_bytes());
        assert_eq!(tail.text(), format!("…{named}\n…{}", end(1024)));
        tail.push(frame.repeat(9000).as_bytes());
        assert_eq!(tail.text(), format!("…{}", end(9000)));
        for (letters, is_kept) in [(200, true), (LONGEST_NAMED, false)] {
            let named = format!("{}Error: x\n", "é".repeat(letters));
            let mut tail = Tail::default();
            tail.push(format!("{named}{}", frame.repeat(1024)).as_bytes());
            let first = if is_kept { format!("…{named}") } else { String::new() };
            assert_eq!(tail.text(), format!("{first}…{}", end(1024)));
        }
        // The beginning of the line is gone.
        let mut full = Tail::default();
        let count = (KEPT_BYTES - 50) / frame.len();
        full.push(format!("{}Error: x\n{}", "p".repeat(100), frame.repeat(count)).as_bytes());
        assert_eq!((full.last.len(), full.text()), (KEPT_BYTES, format!("…{}", end(count))));
        let mut short = Tail::default();
        short.push(format!("{named}\n{frame}").as_bytes());
        assert_eq!(short.text(), format!("{named}\n{frame}"));
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
