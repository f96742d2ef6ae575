//! What the referee and a warden say to each other: JSON in frames over a socket, and beside a
//! frame the descriptors that go with it.

use std::io::{self, IoSlice, IoSliceMut, Read, Write};
use std::mem::MaybeUninit;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;

use rustix::io::retry_on_intr;
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, recvmsg, sendmsg,
};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::bot::Restraints;

/// A bot's stdin, stdout and stderr.
pub(in crate::bot) const STREAMS: usize = 3;

/// Most bytes of a frame: a system takes no longer command line.
const MAX_FRAME: u32 = 16 * 1024 * 1024;

/// What a warden is asked for.
#[derive(Debug, Serialize, Deserialize)]
pub(in crate::bot) enum Request {
    /// To hold every bot to these. The first request, and made once.
    Restrain(Restraints),
    /// To start a bot. Its three streams come beside the frame.
    Start(Start),
    /// How the bot left, if it did.
    HowItLeft,
    /// To end the bot and all its descendants.
    End,
}

/// A bot to be started.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(in crate::bot) struct Start {
    /// Its command line.
    pub(in crate::bot) words: Vec<String>,
    /// What it may read and run in the sandbox.
    pub(in crate::bot) own: Vec<PathBuf>,
}

/// What a warden answers.
#[derive(Debug, Serialize, Deserialize)]
pub(in crate::bot) enum Response {
    /// The restraints are in force for every bot that is started from now on.
    Restrained,
    /// They cannot be put into force: why, and what to do.
    Cannot(String),
    /// The bot was started, with this process number.
    Started(i32),
    /// It was not: what the system said.
    NotStarted { errno: Option<i32>, why: String },
    /// How the bot left; none while it runs.
    Left(Option<Left>),
    /// The bot is reaped. `clean` when no descendant of it is left.
    Ended { clean: bool },
}

/// How a process left, and what it had used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::bot) struct Left {
    /// Its exit code.
    pub(in crate::bot) code: Option<i32>,
    /// Or the signal that ended it.
    pub(in crate::bot) signal: Option<i32>,
    /// Whether the warden ended it because there were too many processes.
    pub(in crate::bot) too_many: bool,
    /// Whether the warden ended it because all its processes held too much memory.
    pub(in crate::bot) too_large: bool,
    /// The processor time it used, in milliseconds.
    pub(in crate::bot) cpu_ms: u64,
}

/// Sends a message, with these descriptors beside it.
pub(in crate::bot) fn send(
    mut socket: &UnixStream,
    message: &impl Serialize,
    descriptors: &[BorrowedFd<'_>],
) -> io::Result<()> {
    let mut frame = vec![0; 4];
    serde_json::to_writer(&mut frame, message)?;
    let length = u32::try_from(frame.len() - 4).ok().filter(|&length| length <= MAX_FRAME);
    let length = length.ok_or_else(|| io::Error::from(rustix::io::Errno::TOOBIG))?;
    frame[..4].copy_from_slice(&length.to_le_bytes());
    if descriptors.is_empty() {
        return socket.write_all(&frame);
    }
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(STREAMS))];
    let mut beside = SendAncillaryBuffer::new(&mut space);
    if !beside.push(SendAncillaryMessage::ScmRights(descriptors)) {
        return Err(io::Error::other("more descriptors than a frame carries"));
    }
    let parts = [IoSlice::new(&frame)];
    let sent = retry_on_intr(|| sendmsg(socket, &parts, &mut beside, SendFlags::NOSIGNAL))?;
    socket.write_all(&frame[sent..])
}

/// Receives a message and the descriptors beside it, close-on-exec. None at the end of the socket.
pub(in crate::bot) fn receive<T: DeserializeOwned>(
    mut socket: &UnixStream,
) -> io::Result<Option<(T, Vec<OwnedFd>)>> {
    let mut length = [0; 4];
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(STREAMS))];
    let mut beside = RecvAncillaryBuffer::new(&mut space);
    let flags = RecvFlags::CMSG_CLOEXEC;
    let received =
        retry_on_intr(|| recvmsg(socket, &mut [IoSliceMut::new(&mut length)], &mut beside, flags))?;
    let received = received.bytes;
    if received == 0 {
        return Ok(None);
    }
    let mut descriptors = Vec::new();
    for message in beside.drain() {
        if let RecvAncillaryMessage::ScmRights(rights) = message {
            descriptors.extend(rights);
        }
    }
    socket.read_exact(&mut length[received..])?;
    let length = u32::from_le_bytes(length);
    if length > MAX_FRAME {
        return Err(io::Error::other("a frame beyond its bound"));
    }
    let mut frame = vec![0; length as usize];
    socket.read_exact(&mut frame)?;
    Ok(Some((serde_json::from_slice(&frame)?, descriptors)))
}

#[cfg(test)]
mod tests {
    use std::os::fd::AsFd;

    use super::*;

    #[test]
    fn a_frame_carries_its_descriptors() {
        let (one, other) = UnixStream::pair().unwrap();
        let (kept, passed) = UnixStream::pair().unwrap();
        let words = vec!["./bot".to_owned(), "\"\u{1f3b2}\n".to_owned()];
        let start = Request::Start(Start { words: words.clone(), own: Vec::new() });
        send(&one, &start, &[passed.as_fd()]).unwrap();
        send(&one, &Request::End, &[]).unwrap();
        drop((one, passed));

        let (request, mut descriptors) = receive::<Request>(&other).unwrap().unwrap();
        assert!(matches!(request, Request::Start(start) if start.words == words));
        assert_eq!(descriptors.len(), 1);
        UnixStream::from(descriptors.remove(0)).write_all(b"x").unwrap();
        let mut byte = [0];
        (&kept).read_exact(&mut byte).unwrap();
        assert_eq!(&byte, b"x");

        let (request, descriptors) = receive::<Request>(&other).unwrap().unwrap();
        assert!(matches!(request, Request::End) && descriptors.is_empty());
        assert!(receive::<Request>(&other).unwrap().is_none());
    }
}
