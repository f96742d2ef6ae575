//! What happens, as JSON Lines for other programs to follow. A reader that does not keep up is
//! dropped at the end of a line.

use std::io;
use std::os::fd::AsFd;
use std::path::Path;
use std::time::Duration;

use super::event::TournamentEvent;
use crate::record::{LineFile, ReaderPatience, wait_for_room, write_in_pieces};
use crate::text::write_json_line;

/// How long the reader of a pipe is waited for in the whole tournament.
const READER_PATIENCE: Duration = Duration::from_secs(1);

/// Where events go.
enum EventsOutput {
    File(LineFile),
    Stdout,
}

/// A stream of events.
pub(crate) struct Events {
    output: Option<EventsOutput>,
    patience: ReaderPatience,
    /// Why not all events could be written, if that is so; `None` where only the reader of a FIFO is
    /// gone or too slow.
    pub write_error: Option<io::Error>,
}

impl Events {
    /// Events to `path`, appended, or to stdout with `-`. A last line of the file that is cut off is
    /// removed first.
    ///
    /// # Errors
    ///
    /// When the file cannot be written or holds something else, or is a FIFO without a reader.
    pub(crate) fn open(path: &Path) -> io::Result<Events> {
        let output = if path == Path::new("-") {
            EventsOutput::Stdout
        } else {
            let mut file = LineFile::open(path)?;
            if file.is_regular {
                if holds_something_else(&file) {
                    let why = "it holds something else than events; give another --events FILE";
                    return Err(io::Error::other(why));
                }
                file.remove_unfinished_line()?;
            }
            EventsOutput::File(file)
        };
        let patience = ReaderPatience::in_total(READER_PATIENCE);
        Ok(Events { output: Some(output), patience, write_error: None })
    }

    /// Writes an event, unless it is for the terminal only. Returns why the reader is dropped, if it
    /// is.
    pub(crate) fn record(&mut self, event: &TournamentEvent<'_>) -> Option<String> {
        if self.output.is_none() || matches!(event, TournamentEvent::Notice(_)) {
            return None;
        }
        let mut line = Vec::new();
        let written = write_json_line(&mut line, event).and_then(|()| self.write(&line));
        let error = written.err()?;
        let output = self.output.take();
        let why = match error.kind() {
            io::ErrorKind::TimedOut => return Some("their reader does not keep up".to_owned()),
            io::ErrorKind::BrokenPipe => "their reader is gone".to_owned(),
            _ => error.to_string(),
        };
        let is_of_fifo = matches!(output, Some(EventsOutput::File(_)));
        if !(is_of_fifo && error.kind() == io::ErrorKind::BrokenPipe) {
            self.write_error = Some(error);
        }
        Some(why)
    }

    fn write(&mut self, line: &[u8]) -> io::Result<()> {
        let stdout = io::stdout();
        if let Some(EventsOutput::File(file)) = &mut self.output
            && file.is_regular
        {
            return file.append(line);
        }
        let output = match &self.output {
            None => return Ok(()),
            Some(EventsOutput::File(pipe)) => pipe.as_fd(),
            Some(EventsOutput::Stdout) => stdout.as_fd(),
        };
        // A line is whole or not there: nothing follows where a reader is dropped.
        wait_for_room(output, line.len(), &mut self.patience)?;
        write_in_pieces(output, line, &mut self.patience)
    }
}

/// How an event begins.
const EVENT: &[u8] = b"{\"event\":\"";

/// Whether a file begins with something else than an event. False if it cannot be read.
fn holds_something_else(file: &LineFile) -> bool {
    file.beginning(EVENT.len()).is_ok_and(|begin| !EVENT.starts_with(&begin))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_is_waited_for_no_longer_than_protocol_md_says() {
        let protocol = include_str!("../../../protocol.md");
        assert!(protocol.contains("at most one second in the whole tournament"));
        assert!(READER_PATIENCE <= Duration::from_secs(1));
    }

    #[test]
    fn only_a_file_of_events_goes_on() {
        let temporary = tempfile::NamedTempFile::new().unwrap();
        for (text, is_other) in [
            ("", false),
            ("{\"event\":\"tournament_ended\"}\n", false),
            ("{\"format\":\"mancala-tournament/1\"}\n", true),
            ("x", true),
        ] {
            std::fs::write(temporary.path(), text).unwrap();
            let file: LineFile = LineFile::open(temporary.path()).unwrap();
            assert_eq!(holds_something_else(&file), is_other, "{text:?}");
        }
    }
}
