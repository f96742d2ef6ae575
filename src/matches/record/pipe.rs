//! Lines for a pipe or a device, whose reader may be slow.

use std::io::{self, ErrorKind};
use std::os::fd::BorrowedFd;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::pipe::{PIPE_BUF, fcntl_getpipe_size, fcntl_setpipe_size};

/// How long a reader is waited for.
pub struct ReaderPatience {
    left: Duration,
    /// What is left again after each piece that the reader took.
    renewed: Option<Duration>,
}

impl ReaderPatience {
    /// At most `time`, all waits added up.
    pub const fn in_total(time: Duration) -> ReaderPatience {
        ReaderPatience { left: time, renewed: None }
    }

    /// At most `time` for each piece of a line.
    pub(crate) const fn for_each_piece(time: Duration) -> ReaderPatience {
        ReaderPatience { left: time, renewed: Some(time) }
    }

    /// Waits until `output` has one of `events` or has failed, at most `longest`, and returns
    /// whether it has.
    fn wait(
        &mut self,
        output: BorrowedFd<'_>,
        events: PollFlags,
        longest: Duration,
    ) -> io::Result<bool> {
        let timeout = Timespec::try_from(longest.min(self.left)).map_err(io::Error::other)?;
        let mut waited_for = [PollFd::from_borrowed_fd(output, events)];
        let began = Instant::now();
        let ready = match poll(&mut waited_for, Some(&timeout)) {
            Ok(ready) => ready > 0,
            Err(Errno::INTR) => false,
            Err(error) => return Err(error.into()),
        };
        if !ready && self.left.is_zero() {
            return Err(ErrorKind::TimedOut.into());
        }
        self.left = self.left.saturating_sub(began.elapsed());
        Ok(ready)
    }
}

/// Waits until a pipe surely has room for `length` bytes, so that a line is written whole or not begun. A
/// pipe that is too small for the line is enlarged. Returns at once for other files and for a pipe that
/// cannot be enlarged.
///
/// Time in which the reader empties the pipe, or takes a page of it between two looks, is not taken from
/// `patience`: through a small pipe, a reader that never rests would use it up, too.
///
/// # Errors
///
/// [`ErrorKind::TimedOut`] when `patience` ends.
pub fn wait_for_room(
    pipe: BorrowedFd<'_>,
    length: usize,
    patience: &mut ReaderPatience,
) -> io::Result<()> {
    const LOOKS_AFTER: [Duration; 2] = [Duration::from_micros(50), Duration::from_millis(2)];
    let enlarged = |capacity| {
        if capacity < length { fcntl_setpipe_size(pipe, length) } else { Ok(capacity) }
    };
    let Ok(capacity) = fcntl_getpipe_size(pipe).and_then(enlarged) else { return Ok(()) };
    let page = rustix::param::page_size();
    let [mut look_after, at_most] = LOOKS_AFTER;
    let mut last_look: Option<(usize, Duration)> = None;
    loop {
        let unread = usize::try_from(rustix::io::ioctl_fionread(pipe)?).unwrap_or(usize::MAX);
        if let Some((before, left)) = last_look
            && (unread == 0 || unread + page <= before)
        {
            patience.left = left;
        }
        // Pages of the pipe may be half empty; the first, the last and the new one even more.
        let taken = unread.saturating_mul(2).saturating_add(3 * page);
        if unread == 0 || taken.saturating_add(length) <= capacity {
            return Ok(());
        }
        last_look = Some((unread, patience.left));
        // Writing to a pipe without readers says why it fails.
        if patience.wait(pipe, PollFlags::empty(), look_after)? {
            return Ok(());
        }
        look_after = (2 * look_after).min(at_most);
    }
}

/// Writes `lines` in pieces that a pipe takes at once.
///
/// # Errors
///
/// [`ErrorKind::TimedOut`] when `patience` ends, or what the system says. Part of `lines` may have
/// been written then.
pub fn write_in_pieces(
    output: BorrowedFd<'_>,
    mut lines: &[u8],
    patience: &mut ReaderPatience,
) -> io::Result<()> {
    while !lines.is_empty() {
        if !patience.wait(output, PollFlags::OUT, Duration::MAX)? {
            continue;
        }
        match rustix::io::write(output, &lines[..lines.len().min(PIPE_BUF)]) {
            Ok(0) => return Err(ErrorKind::WriteZero.into()),
            Ok(written) => {
                lines = &lines[written..];
                patience.left = patience.renewed.unwrap_or(patience.left);
            }
            Err(Errno::INTR) => {}
            // Another program has filled it in this moment.
            Err(Errno::AGAIN) => {
                patience.wait(output, PollFlags::empty(), Duration::from_millis(1))?;
            }
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::Read;
    use std::os::fd::AsFd;

    use super::*;

    #[test]
    fn a_line_is_begun_only_where_a_pipe_has_room_for_all_of_it() {
        let (mut reader, writer) = io::pipe().unwrap();
        fcntl_setpipe_size(&writer, 4096).unwrap();
        let mut patience = ReaderPatience::in_total(Duration::from_millis(100));
        let (long, short) = (vec![b'x'; 50_000], b"y".repeat(3000));
        let began = Instant::now();
        let mut written = 0;
        let error = loop {
            let line = if written == 0 { &long } else { &short };
            if let Err(error) = wait_for_room(writer.as_fd(), line.len(), &mut patience) {
                break error;
            }
            write_in_pieces(writer.as_fd(), line, &mut patience).unwrap();
            written += line.len();
        };
        assert_eq!(error.kind(), ErrorKind::TimedOut);
        assert!(began.elapsed() >= Duration::from_millis(100));
        assert!(written >= long.len());
        // No patience is left for another line.
        assert!(wait_for_room(writer.as_fd(), 60_000, &mut patience).is_err());
        drop(writer);
        let mut read = Vec::new();
        reader.read_to_end(&mut read).unwrap();
        assert_eq!(read.len(), written);
    }

    #[test]
    fn a_reader_of_a_small_pipe_that_never_rests_is_waited_for() {
        let (mut reader, writer) = io::pipe().unwrap();
        fcntl_setpipe_size(&writer, 4096).unwrap();
        let reads = std::thread::spawn(move || {
            let mut read = Vec::new();
            reader.read_to_end(&mut read).unwrap();
            read.len()
        });
        // It is waited for at each line, and never for long.
        let mut patience = ReaderPatience::in_total(Duration::from_secs(3));
        for _ in 0..4000 {
            let line = [b'x'; 300];
            wait_for_room(writer.as_fd(), line.len(), &mut patience).unwrap();
            write_in_pieces(writer.as_fd(), &line, &mut patience).unwrap();
        }
        drop(writer);
        assert_eq!(reads.join().unwrap(), 4000 * 300);
    }

    #[test]
    fn patience_for_each_piece_is_renewed() {
        let (mut reader, writer) = io::pipe().unwrap();
        fcntl_setpipe_size(&writer, 4096).unwrap();
        let reads = std::thread::spawn(move || {
            let (mut buffer, mut total) = ([0; 4096], 0);
            while let Ok(read @ 1..) = reader.read(&mut buffer) {
                total += read;
                std::thread::sleep(Duration::from_millis(20));
            }
            total
        });
        let mut patience = ReaderPatience::for_each_piece(Duration::from_secs(5));
        write_in_pieces(writer.as_fd(), &vec![b'x'; 40_000], &mut patience).unwrap();
        drop(writer);
        assert_eq!(reads.join().unwrap(), 40_000);
    }

    #[test]
    fn a_reader_that_is_gone_is_not_waited_for() {
        let (reader, writer) = io::pipe().unwrap();
        let mut patience = ReaderPatience::in_total(Duration::from_hours(1));
        write_in_pieces(writer.as_fd(), &vec![b'x'; 60_000], &mut patience).unwrap();
        drop(reader);
        wait_for_room(writer.as_fd(), 10_000, &mut patience).unwrap();
        let error = write_in_pieces(writer.as_fd(), b"x", &mut patience).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::BrokenPipe);
    }
}
