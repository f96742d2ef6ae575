//! Appending to record files: one match a line, each in one write, without a lock.
//!
//! Several programs may append to one file at the same time. The system keeps writes to a file that
//! was opened for appending apart, so that no program waits for another.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::{FileExt, FileTypeExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::OFlags;

use super::lines::MAX_LINE;
use super::{MatchRecord, Reserve};
use crate::text;

/// A record file that finished matches are appended to. A file that was made for it and stays
/// empty is removed when this is dropped.
#[derive(Debug)]
pub struct Appender {
    path: PathBuf,
    file: File,
    /// Whether it was made for this and holds nothing yet.
    is_new: bool,
    /// A pipe or a device has no content to look at.
    is_regular: bool,
    /// Room that is kept on its disk.
    reserve: Option<Reserve>,
}

/// How long the referee waits for a pipe that is full.
const PIPE_PATIENCE: Duration = Duration::from_secs(5);

impl Appender {
    /// Opens the file for appending, and makes it when it is missing.
    ///
    /// # Errors
    ///
    /// When it cannot be opened for writing, is a pipe that nobody reads, or is the file of a
    /// tournament.
    pub fn open(path: &Path) -> io::Result<Appender> {
        let is_new = !path.exists();
        let mut file = open(path)?;
        let is_regular = file.metadata()?.is_file();
        if is_regular && is_of_tournament(&mut file) {
            return Err(io::Error::other(
                "it is the file of a tournament, which holds no others; give --record another file",
            ));
        }
        Ok(Appender { path: path.to_owned(), file, is_new, is_regular, reserve: None })
    }

    /// Reserves this many bytes of its disk for what is appended.
    ///
    /// # Errors
    ///
    /// When fewer are free.
    pub fn keep_free(&mut self, bytes: u64) -> io::Result<()> {
        if self.is_regular {
            self.reserve = Some(Reserve::beside(&self.file, &self.path, bytes)?);
        }
        Ok(())
    }

    /// Appends one match. A line that somebody left unfinished at the end of the file is ended
    /// first, and stays unreadable.
    ///
    /// # Errors
    ///
    /// When it cannot be written, for example to a full disk.
    pub fn append(&mut self, record: &MatchRecord) -> io::Result<()> {
        // The first newline is for a line that is not ended.
        let mut line = vec![b'\n'];
        text::write_json(&mut line, record)?;
        line.push(b'\n');
        if line.len() as u64 - 1 > MAX_LINE {
            let longest = text::bytes(MAX_LINE);
            return Err(io::Error::other(format!("the record is longer than {longest}")));
        }
        if !self.is_regular {
            return write_to_pipe(&mut self.file, &line[1..]);
        }
        let begin = usize::from(!ends_in_mid_line(&mut self.file));
        self.write_whole(&line[begin..])?;
        self.is_new = false;
        if self.file.metadata()?.nlink() == 0 {
            // Another match made the file, was not played, and removed it in this moment.
            self.file = open(&self.path)?;
            self.write_whole(&line[1..])?;
        } else if begin == 1 && self.follows_a_cut_line(line.len() - 1) {
            self.write_whole(&line)?;
        }
        Ok(())
    }

    /// Writes this in one piece. What could be written of a line that does not fit is taken back;
    /// where others have appended behind it, it stays, as a line that is cut off.
    fn write_whole(&mut self, line: &[u8]) -> io::Result<()> {
        let mut reserve = self.reserve.take();
        let written = Reserve::write_with(reserve.as_mut(), || self.try_to_write_whole(line));
        self.reserve = reserve;
        written
    }

    fn try_to_write_whole(&mut self, line: &[u8]) -> io::Result<()> {
        let mut written = 0;
        while written < line.len() {
            match self.file.write(&line[written..]) {
                Ok(0) => return Err(self.take_back(written, io::ErrorKind::WriteZero.into())),
                Ok(count) => written += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(self.take_back(written, error)),
            }
        }
        Ok(())
    }

    /// Takes back this many bytes, if they are the file's last.
    fn take_back(&mut self, written: usize, why: io::Error) -> io::Error {
        // Where this descriptor has written last is where its part of the line ends.
        if let (Ok(end), Ok(metadata)) = (self.file.stream_position(), self.file.metadata())
            && end == metadata.len()
        {
            let _ = self.file.set_len(end.saturating_sub(written as u64));
        }
        why
    }

    /// Whether the line of this length that was just written stands behind one that has no end,
    /// because another program failed to write it in the same moment.
    fn follows_a_cut_line(&mut self, length: usize) -> bool {
        let mut before = [b'\n'];
        let end = self.file.stream_position().unwrap_or_default();
        let place = end.checked_sub(length as u64 + 1);
        // A file that may only be written does not tell.
        place.is_some_and(|place| self.file.read_exact_at(&mut before, place).is_ok())
            && before != *b"\n"
    }
}

impl Drop for Appender {
    fn drop(&mut self) {
        let is_empty = || self.file.metadata().is_ok_and(|file| file.is_file() && file.len() == 0);
        if self.is_new && is_empty() {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

/// Opens for appending. A pipe is opened for writing alone, so that one without a reader is an
/// error and not an endless wait.
fn open(path: &Path) -> io::Result<File> {
    let is_pipe = path.metadata().is_ok_and(|file| file.file_type().is_fifo());
    let mut options = OpenOptions::new();
    options.append(true).create(true).custom_flags(OFlags::NONBLOCK.bits().cast_signed());
    if is_pipe {
        return options.open(path).map_err(|error| {
            if error.raw_os_error() == Some(rustix::io::Errno::NXIO.raw_os_error()) {
                io::Error::other("nobody reads this pipe; start its reader first")
            } else {
                error
            }
        });
    }
    // Read access too, where there is some: a record that was cut off is told by its end.
    options.read(true).open(path).or_else(|_| options.read(false).open(path))
}

/// Writes to a file that may not take everything at once, as long as it takes something.
fn write_to_pipe(file: &mut File, mut line: &[u8]) -> io::Result<()> {
    let mut deadline = Instant::now() + PIPE_PATIENCE;
    while !line.is_empty() {
        match file.write(line) {
            Ok(written) => {
                line = &line[written..];
                deadline = Instant::now() + PIPE_PATIENCE;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                let left = deadline.saturating_duration_since(Instant::now());
                if left.is_zero() {
                    let seconds = PIPE_PATIENCE.as_secs();
                    return Err(io::Error::other(format!("nobody read it for {seconds} s")));
                }
                let left = Timespec::try_from(left).map_err(io::Error::other)?;
                // An interrupted wait continues; the deadline stays.
                let _ = poll(&mut [PollFd::new(file, PollFlags::OUT)], Some(&left));
            }
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Whether the file begins as a tournament writes it.
fn is_of_tournament(file: &mut File) -> bool {
    let begin = br#"{"format":"mancala-tournament/"#;
    let mut found = [0; 30];
    file.read_exact(&mut found).is_ok() && found == *begin
}

/// Whether the file's last line has no newline.
fn ends_in_mid_line(file: &mut File) -> bool {
    let mut last = [0];
    file.seek(SeekFrom::End(-1)).is_ok() && file.read_exact(&mut last).is_ok() && last != *b"\n"
}
