//! A bot that a test plays itself, through the other ends of its pipes. It never ends.

use std::io::{BufReader, PipeReader, PipeWriter, Read};
use std::os::fd::AsFd;

use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};

use super::Process;
use crate::bot::handle::ProcessHandle;
use crate::bot::inbox::Inbox;
use crate::bot::tail::Tail;
use crate::bot::wardens::Wardens;

/// The bot's own ends of its pipes.
pub(in crate::bot) struct Script {
    pub(in crate::bot) stdin: BufReader<PipeReader>,
    pub(in crate::bot) stdout: PipeWriter,
    pub(in crate::bot) stderr: PipeWriter,
}

impl Script {
    /// All that it is sent until its input ends.
    pub(in crate::bot) fn reads_to_end(&mut self) -> Vec<u8> {
        let mut all = Vec::new();
        self.stdin.read_to_end(&mut all).unwrap();
        all
    }
}

/// A bot as the referee has it, and the ends that the test plays.
pub(in crate::bot) fn bot() -> (Process, Script) {
    let pipe = || std::io::pipe().unwrap();
    let (stdin, stdout, stderr) = (pipe(), pipe(), pipe());
    for ours in [stdin.1.as_fd(), stdout.0.as_fd(), stderr.0.as_fd()] {
        let flags = fcntl_getfl(ours).unwrap() | OFlags::NONBLOCK;
        fcntl_setfl(ours, flags).unwrap();
    }
    let process = Process {
        handle: ProcessHandle::hold(rustix::process::getpid()),
        warden: None,
        wardens: Wardens::of_nobody(),
        stdin: Some(stdin.1),
        stdout: Some(stdout.0),
        stderr: Some(stderr.0),
        inbox: Inbox::new(),
        seen_silent: None,
        outbox: Vec::new(),
        tail: Tail::copied_to(None),
    };
    (process, Script { stdin: BufReader::new(stdin.0), stdout: stdout.1, stderr: stderr.1 })
}
