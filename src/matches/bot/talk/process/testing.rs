//! A bot that a test plays itself, through the other ends of its pipes. It never ends.

use std::io::{BufReader, PipeReader, PipeWriter, Read};

use super::{Process, pipes};
use crate::bot::wardens::Wardens;
use crate::bot::wardens::handle::ProcessHandle;

/// The bot's own ends of its pipes.
pub(crate) struct Script {
    pub stdin: BufReader<PipeReader>,
    pub stdout: PipeWriter,
    pub stderr: PipeWriter,
}

impl Script {
    /// All that it is sent until its input ends.
    pub(crate) fn reads_to_end(&mut self) -> Vec<u8> {
        let mut all = Vec::new();
        self.stdin.read_to_end(&mut all).unwrap();
        all
    }
}

/// A bot as the referee has it, and the ends that the test plays.
pub(crate) fn bot() -> (Process, Script) {
    let (ours, (stdin, stdout, stderr)) = pipes().unwrap();
    let handle = ProcessHandle::hold(rustix::process::getpid()).unwrap();
    let process = Process::of(handle, None, Wardens::without_warden(None), ours, None);
    (process, Script { stdin: BufReader::new(stdin), stdout, stderr })
}
