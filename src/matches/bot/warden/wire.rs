//! What the referee and a warden say to each other: JSON in frames over a socket, and beside a
//! frame the descriptors that go with it.

use std::ffi::OsString;
use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::time::Duration;

use rustix::event::PollFlags;
use rustix::io::Errno;
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, recvmsg, sendmsg,
};
use rustix::process::WaitIdStatus;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::wait_bound::WaitBound;
use crate::bot::system;

/// A bot's stdin, stdout and stderr.
pub(crate) const STREAMS: usize = 3;

/// Most bytes of a frame: a system takes no longer command line.
const MAX_FRAME: u32 = 16 * 1024 * 1024;

/// What a warden is asked for. First it is sent the [restraints](crate::bot::Restraints) to which it
/// holds every bot. Its answer to these is `Result<Option<OsString>, Refusal>`: the folder that the
/// private folders of bots are in, if they have such, and beside it the descriptor that locks it; or
/// why the restraints cannot be applied, with the system's number where it has too few processes now.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Request {
    /// To start a bot. Its three streams come beside the frame. Its process number, or what the system
    /// said: `Result<i32, Refusal>`.
    BotStart(BotStart),
    /// How the bot left: `Option<ProcessEnd>`, `None` while it runs.
    ProcessEnd,
    /// Whether a task of the bot was found in another place than its own, and put back: `bool`.
    HasLeftItsCores,
    /// The bot waits for its turn from now on: it is frozen when it uses more of that time than it
    /// may, and at once if it did so before. `()` when it is watched, or frozen.
    BotWaits {
        /// Whether its opponent thinks already: each step takes its time.
        opponent_thinks: bool,
    },
    /// The bot has its turn, or its next match: it runs. Whether it has used more of its opponent's
    /// time than it may: `bool`.
    BotPlays,
    /// To freeze the bot, whose match is over, until it plays again. Whether none of its processes
    /// runs: `bool`.
    Freeze,
    /// To end the bot and all its descendants. Whether none of these is left: `bool`. The bot is
    /// reaped.
    End,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct BotStart {
    /// Its command line.
    pub words: Vec<String>,
    /// What it may read and run in the sandbox; bytes, for a path need not be text.
    pub reach: Vec<OsString>,
    /// Its working folder; none for that of the warden.
    pub folder: Option<OsString>,
    /// Variables that its environment has beside the warden's.
    pub variables: Vec<(String, String)>,
}

/// Why a warden cannot do what it is asked for.
#[derive(Serialize, Deserialize)]
pub(crate) struct Refusal {
    /// The system's number, if it has one.
    pub errno: Option<i32>,
    pub why: String,
}

/// How a process left, and what it had used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ProcessEnd {
    /// Its exit code.
    pub code: Option<i32>,
    /// Or the signal that ended it.
    pub signal: Option<i32>,
    /// The limit for which the warden ended it.
    pub beyond: Option<ExceededLimit>,
    /// Whether the kernel has killed a process because memory ran out while it ran.
    pub memory_ran_out: bool,
    /// The processor time it used, in milliseconds.
    pub cpu_ms: u64,
}

impl ProcessEnd {
    /// As the system says that it ended.
    pub(crate) fn by_itself(ended: &WaitIdStatus) -> ProcessEnd {
        let (code, signal) = (ended.exit_status(), ended.terminating_signal());
        ProcessEnd { code, signal, ..ProcessEnd::default() }
    }
}

/// A limit that the warden itself keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum ExceededLimit {
    /// More processes and threads at once than allowed.
    Processes,
    /// More memory in all processes together than allowed.
    Memory,
    /// More or larger files in its private folder than allowed.
    Files,
    /// More descriptors in all processes together than any bot needs.
    Descriptors,
    /// It ran although it was stopped, again and again.
    Stop,
}

/// Sends `message` with `descriptors`, as long as `patience` lasts. With `patience` the socket must
/// not block.
pub(crate) fn send(
    socket: &UnixStream,
    message: &impl Serialize,
    mut descriptors: &[BorrowedFd<'_>],
    patience: Option<&WaitBound<'_>>,
) -> io::Result<()> {
    let mut frame = vec![0; 4];
    serde_json::to_writer(&mut frame, message)?;
    let length = u32::try_from(frame.len() - 4).ok().filter(|&length| length <= MAX_FRAME);
    let length = length.ok_or_else(|| io::Error::from(Errno::TOOBIG))?;
    frame[..4].copy_from_slice(&length.to_le_bytes());
    let mut sent = 0;
    while sent < frame.len() {
        match send_some(socket, &frame[sent..], descriptors) {
            Ok(count) => {
                sent += count;
                // They went with the first bytes.
                descriptors = &[];
            }
            Err(error) => wait_if_blocked(socket, error, PollFlags::OUT, patience)?,
        }
    }
    Ok(())
}

/// Sends some of `bytes`, and all of the descriptors. Has no need of memory.
pub(super) fn send_some(
    socket: &UnixStream,
    bytes: &[u8],
    descriptors: &[BorrowedFd<'_>],
) -> io::Result<usize> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(STREAMS))];
    let mut beside = SendAncillaryBuffer::new(&mut space);
    let rights = SendAncillaryMessage::ScmRights(descriptors);
    if !descriptors.is_empty() && !beside.push(rights) {
        return Err(io::Error::other("more descriptors than a frame carries"));
    }
    Ok(sendmsg(socket, &[IoSlice::new(bytes)], &mut beside, SendFlags::NOSIGNAL)?)
}

/// Receives a message and its descriptors, close-on-exec, as long as `patience` lasts. `None` at the
/// end of the socket.
pub(crate) fn receive<T: DeserializeOwned>(
    socket: &UnixStream,
    patience: Option<&WaitBound<'_>>,
) -> io::Result<Option<(T, Vec<OwnedFd>)>> {
    let mut length = [0; 4];
    let mut descriptors = Vec::new();
    if !fill(socket, &mut length, &mut descriptors, patience)? {
        return Ok(None);
    }
    let length = u32::from_le_bytes(length);
    if length > MAX_FRAME {
        return Err(io::Error::other("a frame beyond its bound"));
    }
    let mut frame = vec![0; length as usize];
    if !fill(socket, &mut frame, &mut descriptors, patience)? {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(Some((serde_json::from_slice(&frame)?, descriptors)))
}

/// Receives as many bytes, and the descriptors that come with them. False if the socket ends before
/// the first byte.
fn fill(
    socket: &UnixStream,
    bytes: &mut [u8],
    descriptors: &mut Vec<OwnedFd>,
    patience: Option<&WaitBound<'_>>,
) -> io::Result<bool> {
    let mut filled = 0;
    while filled < bytes.len() {
        match receive_some(socket, &mut bytes[filled..], descriptors) {
            Ok(0) if filled == 0 => return Ok(false),
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(count) => filled += count,
            Err(error) => wait_if_blocked(socket, error, PollFlags::IN, patience)?,
        }
    }
    Ok(true)
}

/// Receives some bytes, and the descriptors that come with them, close-on-exec.
pub(super) fn receive_some(
    socket: &UnixStream,
    bytes: &mut [u8],
    descriptors: &mut Vec<OwnedFd>,
) -> io::Result<usize> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(STREAMS))];
    let mut beside = RecvAncillaryBuffer::new(&mut space);
    let flags = RecvFlags::CMSG_CLOEXEC;
    let received = recvmsg(socket, &mut [IoSliceMut::new(bytes)], &mut beside, flags)?;
    for message in beside.drain() {
        if let RecvAncillaryMessage::ScmRights(rights) = message {
            descriptors.extend(rights);
        }
    }
    Ok(received.bytes)
}

/// Waits until the socket is ready for that, where it was not.
///
/// # Errors
///
/// `error` itself where it was another one; [`io::ErrorKind::TimedOut`] when there is no time left.
fn wait_if_blocked(
    socket: &UnixStream,
    error: io::Error,
    for_what: PollFlags,
    patience: Option<&WaitBound<'_>>,
) -> io::Result<()> {
    match error.kind() {
        io::ErrorKind::Interrupted => Ok(()),
        io::ErrorKind::WouldBlock => match patience {
            Some(patience) if patience.wait((socket.as_fd(), for_what), Duration::MAX)? => Ok(()),
            Some(_) => Err(io::ErrorKind::TimedOut.into()),
            None => system::wait_for([Some((socket.as_fd(), for_what))], Duration::MAX).map(drop),
        },
        _ => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};

    use super::*;

    #[test]
    fn a_frame_carries_its_descriptors() {
        let (one, other) = UnixStream::pair().unwrap();
        let (kept, passed) = UnixStream::pair().unwrap();
        let words = vec!["./bot".to_owned(), "\"\u{1f3b2}\n".to_owned()];
        let start = Request::BotStart(BotStart { words: words.clone(), ..BotStart::default() });
        send(&one, &start, &[passed.as_fd()], None).unwrap();
        send(&one, &Request::End, &[], None).unwrap();
        drop((one, passed));

        let (request, mut descriptors) = receive::<Request>(&other, None).unwrap().unwrap();
        assert!(matches!(request, Request::BotStart(start) if start.words == words));
        assert_eq!(descriptors.len(), 1);
        UnixStream::from(descriptors.remove(0)).write_all(b"x").unwrap();
        let mut byte = [0];
        (&kept).read_exact(&mut byte).unwrap();
        assert_eq!(&byte, b"x");

        let (request, descriptors) = receive::<Request>(&other, None).unwrap().unwrap();
        assert!(matches!(request, Request::End) && descriptors.is_empty());
        assert!(receive::<Request>(&other, None).unwrap().is_none());
    }

    #[test]
    fn who_does_not_answer_is_waited_for_until_the_deadline() {
        let (one, other) = UnixStream::pair().unwrap();
        one.set_nonblocking(true).unwrap();
        let patience = || WaitBound::new(Duration::from_millis(20), None, Duration::ZERO);
        let error = receive::<Request>(&one, Some(&patience())).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        // Nor does it read.
        let start = BotStart { words: vec!["x".repeat(8 << 20)], ..BotStart::default() };
        let error = send(&one, &Request::BotStart(start), &[], Some(&patience())).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        drop(other);
    }
}
