//! A bot that a test plays itself, through the other ends of its pipes. It never ends.

use std::io::{BufReader, PipeReader, PipeWriter, Read};

use super::{Process, pipes};
use crate::bot::wardens::Wardens;
use crate::bot::wardens::handle::ProcessHandle;

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
    let (ours, (stdin, stdout, stderr)) = pipes().unwrap();
    let handle = ProcessHandle::hold(rustix::process::getpid()).unwrap();
    let process = Process::of(handle, None, Wardens::of_nobody(), ours, None);
    (process, Script { stdin: BufReader::new(stdin), stdout, stderr })
}
