//! What one bot was sent and what came back, line by line, to be read by people.
//!
//! A line is the time, a mark, and text: `   12.345 > {"type":"turn",…}`. The time is in
//! milliseconds since the match began. The marks: `>` sent to the bot, `<` received from its
//! stdout, `2` received from its stderr, `#` a remark. What is not printable is escaped.

use std::io::{self, Write};
use std::time::Instant;

use super::conversation::received;
use crate::record::milliseconds;
use crate::referee::{Answer, Misconduct, Taken, Trouble};
use crate::text;

/// Most bytes of a transcript; one remark says that it was cut.
const MAX_TRANSCRIPT: u64 = 16 * 1024 * 1024;

/// Most bytes of stderr in a transcript.
const MAX_STDERR: usize = 1024 * 1024;

/// Most bytes of stderr in one line of a transcript.
const MAX_STDERR_LINE: usize = 64 * 1024;

/// A transcript that goes to a writer. Nothing but the writer can fail.
pub(super) struct Transcript<W> {
    out: W,
    began: Instant,
    written: u64,
    /// The stderr that has no line end yet.
    unfinished: Vec<u8>,
    stderr: usize,
}

impl<W: Write> Transcript<W> {
    /// A transcript whose times count from `began`.
    pub(super) fn new(out: W, began: Instant) -> Transcript<W> {
        Transcript { out, began, written: 0, unfinished: Vec::new(), stderr: 0 }
    }

    /// Adds a line that was sent.
    pub(super) fn sent(&mut self, at: Instant, line: &[u8]) -> io::Result<()> {
        self.line(at, '>', line.strip_suffix(b"\n").unwrap_or(line))
    }

    /// Adds a remark; its text is printable.
    pub(super) fn remark(&mut self, at: Instant, text: &str) -> io::Result<()> {
        self.line(at, '#', text.as_bytes())
    }

    /// Adds how a question ended that was asked at `asked`. The time of an answer's line is that of
    /// its question and the time that the answer took, which goes into the record.
    pub(super) fn outcome(
        &mut self,
        asked: Instant,
        what: &Result<Answer, Trouble>,
    ) -> io::Result<()> {
        let now = Instant::now();
        let remark = match what {
            Err(Trouble::RefereeLate { late_by, .. }) => {
                format!("the machine was {:.1} ms late, not the bot", milliseconds(*late_by))
            }
            Err(Trouble::CannotStart(why)) => format!("cannot start: {why}"),
            Err(Trouble::Interrupted) => "interrupted".to_owned(),
            Err(Trouble::System(error)) => format!("the system failed: {error}"),
            Ok(_) | Err(Trouble::Misconduct(_)) => String::new(),
        };
        if !remark.is_empty() {
            self.remark(now, &remark)?;
        }
        match received(what) {
            Some(Ok(answer)) => self.answer(asked, answer),
            Some(Err(what)) => self.misconduct(now, what),
            None => Ok(()),
        }
    }

    fn answer(&mut self, asked: Instant, answer: &Answer) -> io::Result<()> {
        let at = asked + answer.time;
        self.line(at, '<', &answer.line)?;
        if answer.surplus.is_empty() {
            return Ok(());
        }
        self.remark(at, "and with it, unasked:")?;
        self.received(at, &answer.surplus)
    }

    fn misconduct(&mut self, at: Instant, what: &Misconduct) -> io::Result<()> {
        match what {
            Misconduct::Unsolicited(bytes) => {
                self.remark(at, "unasked, before the question was sent:")?;
                self.received(at, bytes)
            }
            Misconduct::Oversized(bytes) => {
                self.received(at, bytes)?;
                self.remark(at, "that is more than a line of 64 KiB")
            }
            Misconduct::Silent { waited, partial, unread } => {
                self.received(at, partial)?;
                let waited = milliseconds(*waited);
                let why = if *unread { "; it does not read its stdin" } else { "" };
                self.remark(at, &format!("no answer after {waited:.3} ms{why}"))
            }
            Misconduct::Exited { how, partial, .. } => {
                self.received(at, partial)?;
                self.remark(at, &format!("it {how}"))
            }
        }
    }

    /// Adds bytes of stdout, a line for each of theirs.
    fn received(&mut self, at: Instant, bytes: &[u8]) -> io::Result<()> {
        for piece in bytes.split_inclusive(|&byte| byte == b'\n') {
            self.line(at, '<', piece.strip_suffix(b"\n").unwrap_or(piece))?;
            if !piece.ends_with(b"\n") {
                self.remark(at, "no newline so far")?;
            }
        }
        Ok(())
    }

    /// Adds a piece of stderr. A line that has not ended waits for its end.
    pub(super) fn stderr(&mut self, taken: &Taken) -> io::Result<()> {
        for piece in &taken.pieces {
            let room = MAX_STDERR.saturating_sub(self.stderr);
            let bytes = &piece.bytes[..piece.bytes.len().min(room)];
            for part in bytes.split_inclusive(|&byte| byte == b'\n') {
                self.unfinished.extend_from_slice(part);
                if part.ends_with(b"\n") || self.unfinished.len() >= MAX_STDERR_LINE {
                    self.finish_stderr(piece.at)?;
                }
            }
            self.stderr += bytes.len();
            if room > 0 && piece.bytes.len() >= room {
                self.finish_stderr(piece.at)?;
                let remark =
                    format!("the first {} KiB of stderr are kept, and no more", MAX_STDERR / 1024);
                self.remark(piece.at, &remark)?;
            }
        }
        if taken.dropped > 0 && self.stderr < MAX_STDERR {
            let at = taken.pieces.last().map_or_else(Instant::now, |piece| piece.at);
            self.finish_stderr(at)?;
            self.remark(at, &format!("{} bytes of stderr are left out", taken.dropped))?;
        }
        Ok(())
    }

    /// Writes the stderr that has no line end yet as a line.
    pub(super) fn finish_stderr(&mut self, at: Instant) -> io::Result<()> {
        if self.unfinished.is_empty() {
            return Ok(());
        }
        let unfinished = std::mem::take(&mut self.unfinished);
        self.line(at, '2', unfinished.strip_suffix(b"\n").unwrap_or(&unfinished))
    }

    /// Passes on what is buffered.
    pub(super) fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    fn line(&mut self, at: Instant, mark: char, bytes: &[u8]) -> io::Result<()> {
        if self.written >= MAX_TRANSCRIPT {
            return Ok(());
        }
        let time = milliseconds(at.saturating_duration_since(self.began));
        let mut line = format!("{time:>10.3} {mark} {}\n", text::printable_bytes(bytes));
        self.written += line.len() as u64;
        if self.written > MAX_TRANSCRIPT {
            self.written = MAX_TRANSCRIPT;
            let mib = MAX_TRANSCRIPT / 1024 / 1024;
            line = format!(
                "{time:>10.3} # a transcript has {mib} MiB at most; the rest is left out\n"
            );
        }
        self.out.write_all(line.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::referee::{Ended, Piece};

    fn text(write: impl FnOnce(&mut Transcript<&mut Vec<u8>>, Instant)) -> String {
        let mut out = Vec::new();
        let began = Instant::now();
        write(&mut Transcript::new(&mut out, began), began);
        String::from_utf8(out).unwrap()
    }

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    #[test]
    fn an_answer_stands_at_the_time_that_its_record_gives() {
        let text = text(|transcript, began| {
            transcript.sent(began + ms(12), b"{}\n").unwrap();
            let time = Duration::from_micros(1_234);
            let answer = Answer { line: b"3".to_vec(), time, surplus: b"4\n\xff".to_vec() };
            transcript.outcome(began + ms(12), &Ok(answer)).unwrap();
        });
        let expected = [
            "    12.000 > {}",
            "    13.234 < 3",
            "    13.234 # and with it, unasked:",
            "    13.234 < 4",
            r"    13.234 < \xff",
            "    13.234 # no newline so far",
        ];
        assert_eq!(text.lines().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn what_came_instead_of_an_answer_is_written() {
        let told = |what: Misconduct| {
            let text = text(|transcript, began| {
                transcript.outcome(began, &Err(Trouble::Misconduct(what))).unwrap();
            });
            let marked = text.lines().map(|line| line.trim_start().split_once(' ').unwrap().1);
            marked.collect::<Vec<_>>().join("|")
        };
        let silent = Misconduct::Silent { waited: ms(5), partial: b"1".to_vec(), unread: true };
        assert_eq!(
            told(silent),
            "< 1|# no newline so far|# no answer after 5.000 ms; it does not read its stdin"
        );
        let exited = |how| Misconduct::Exited {
            how,
            cause: None,
            partial: Vec::new(),
            after: Duration::ZERO,
        };
        assert_eq!(told(exited(Ended::Code(3))), "# it exited with code 3");
        assert_eq!(
            told(exited(Ended::Signal(11))),
            "# it was ended by signal 11 (SIGSEGV, a bad memory access)"
        );
        assert_eq!(told(exited(Ended::Signal(77))), "# it was ended by signal 77");
        assert_eq!(told(exited(Ended::ClosedStdout)), "# it closed its stdout");
        assert_eq!(
            told(Misconduct::Unsolicited(b"\x1b[2J\n\n".to_vec())),
            r"# unasked, before the question was sent:|< \u{1b}[2J|< "
        );
        let oversized = told(Misconduct::Oversized(vec![b'x'; 70_000]));
        assert!(oversized.ends_with("x|# no newline so far|# that is more than a line of 64 KiB"));
    }

    #[test]
    fn stderr_is_put_together_to_lines_and_ends() {
        let text = text(|transcript, began| {
            let piece = |at, bytes: &[u8]| Piece { at: began + ms(at), bytes: bytes.to_vec() };
            let pieces = vec![piece(1, b"on"), piece(2, b"e\ntw"), piece(3, b"o\x1b\n\nrest")];
            transcript.stderr(&Taken { pieces, dropped: 7 }).unwrap();
            let flood = vec![b'y'; MAX_STDERR];
            (0..2).for_each(|_| {
                let pieces = vec![piece(4, &flood)];
                transcript.stderr(&Taken { pieces, dropped: 7 }).unwrap();
            });
        });
        let lines: Vec<&str> = text.lines().map(str::trim_start).collect();
        assert_eq!(lines[..4], ["2.000 2 one", r"3.000 2 two\u{1b}", "3.000 2 ", lines[3]]);
        assert!(lines[3].ends_with(" 2 rest"), "{}", lines[3]);
        assert!(lines[4].ends_with(" # 7 bytes of stderr are left out"), "{}", lines[4]);
        assert_eq!(
            lines.last(),
            Some(&"4.000 # the first 1024 KiB of stderr are kept, and no more")
        );
        assert!(text.len() < MAX_STDERR + 2_000);
    }

    #[test]
    fn a_transcript_is_cut_once() {
        let text = text(|transcript, began| {
            let line = vec![b'\x07'; 60 * 1024];
            (0..1000).for_each(|_| transcript.sent(began, &line).unwrap());
        });
        assert!(text.len() as u64 <= MAX_TRANSCRIPT + 100);
        assert!(text.ends_with("# a transcript has 16 MiB at most; the rest is left out\n"));
        assert_eq!(text.matches('#').count(), 1);
    }
}
