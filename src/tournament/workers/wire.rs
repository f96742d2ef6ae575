//! The messages between the coordinator and its workers: lines of JSON over a socket. The record of
//! a finished match follows its line, as it goes into the file.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::{self, BufRead, Read};
use std::os::unix::net::UnixStream;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::bot::ReadablePaths;
use crate::contest::{Fixture, PlanFields};
use crate::protocol::{FaultKind, Reason};
use crate::record::{Digest, DisqualifiedFor};
use crate::rules::Opening;
use crate::seat::{PerSeat, Seat};
use crate::tournament::bot_pattern::BotPattern;
use crate::tournament::logs::{LogPlaces, WantedLogs};
use crate::tournament::versions::{BotVersion, ChangedFile};

/// What the coordinator sends a worker first: what all its work has in common.
#[derive(Clone, Serialize, Deserialize)]
pub(in crate::tournament) struct Preparation {
    pub(in crate::tournament) plan: PlanFields,
    /// The plan's identity.
    pub(in crate::tournament) tournament: Digest,
    /// What the bots are made of, in the plan's order.
    pub(in crate::tournament) versions: Vec<BotVersion>,
    /// What the bots' paths are relative to. Unlike a path as such, it need not be UTF-8.
    pub(in crate::tournament) folder: OsString,
    /// What finds bots.
    pub(in crate::tournament) patterns: Vec<BotPattern>,
    /// What the referee writes to.
    pub(in crate::tournament) outputs: Vec<OsString>,
    /// The worker's processors.
    pub(in crate::tournament) cores: Vec<usize>,
    /// Whether the ends of rounds are reported as they happen. Faults always are.
    pub(in crate::tournament) events: bool,
    /// Where logs go.
    pub(in crate::tournament) logs: LogPlaces,
}

/// What the coordinator asks of a worker that is prepared.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(in crate::tournament) enum WorkerRequest {
    /// To try the bot of this place in the plan. Its version leaves out what its build has `made`.
    Try { bot: usize, trial: BotTrial, made: BTreeSet<String> },
    /// To play a match.
    Play(Assignment),
}

/// What a bot has to pass before its first match.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(in crate::tournament) enum BotTrial {
    /// Its build must succeed within this time.
    Build(Duration),
    /// Its process must start.
    Start,
    /// `mancala check` must find no fault within this time.
    Check(Duration),
}

/// A match to be played.
#[derive(Clone, Serialize, Deserialize)]
pub(in crate::tournament) struct Assignment {
    pub(in crate::tournament) fixture: Fixture,
    pub(in crate::tournament) opening: Opening,
    /// Which logs of it are kept, where logs are.
    pub(in crate::tournament) logs: Option<PerSeat<WantedLogs>>,
    /// What the builds of its bots have made in this run; their versions leave it out.
    pub(in crate::tournament) made: PerSeat<BTreeSet<String>>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(in crate::tournament) enum WorkerReport {
    /// It is prepared.
    Ready,
    /// The tournament cannot go on: why, and what to do.
    Cannot(String),
    /// The system has no more processes, so this one ends: what it was asked is to be asked again
    /// later.
    NoProcesses(String),
    /// What the bot may read in the sandbox; before it is started or checked.
    Reach(ReadablePaths),
    /// What the bot's build has made that the bot's files would have; before the trial is over.
    Made(BTreeSet<String>),
    /// The beginning of what the bot's build or check said that did not succeed; before the trial is
    /// over.
    Output(String),
    /// The bot's trial is over: why the bot may not play, if it may not.
    Tried(Option<(DisqualifiedFor, String)>),
    /// A round of the match has ended.
    Round { round: u32, first: Seat, reason: Reason, score: PerSeat<u8> },
    /// A bot is at fault.
    Fault { round: u32, bot: Seat, kind: FaultKind, detail: String, stderr: String },
    /// A bot has left its cores, its class or its priority, and was put back.
    LeftItsCores { bot: Seat },
    /// The match was played. Its record follows: `bytes` long, newline included.
    Played { bytes: u64 },
    /// A bot did not start.
    CannotStart { bot: Seat, why: String },
    /// A file of the bot of this place in the plan makes another version of it. A match that was
    /// played, or a trial, does not count.
    Changed { bot: usize, file: ChangedFile },
    /// The machine was late again and again: the match is not to be played again.
    Unfinished(String),
    /// The system failed in this process, which ends: another one may do better.
    Failed(String),
}

/// Writes one message.
pub(super) fn send<T: Serialize>(mut socket: &UnixStream, message: &T) -> io::Result<()> {
    io::Write::write_all(&mut socket, &line(message)?)
}

/// A message as it is sent.
pub(in crate::tournament) fn line<T: Serialize>(message: &T) -> io::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    Ok(line)
}

/// Reads one message; `None` if the other end is gone.
pub(super) fn receive<T: for<'de> Deserialize<'de>>(
    input: &mut impl BufRead,
) -> io::Result<Option<T>> {
    let mut line = Vec::new();
    input.take(MAX_MESSAGE).read_until(b'\n', &mut line)?;
    if line.is_empty() { Ok(None) } else { Ok(Some(serde_json::from_slice(&line)?)) }
}

/// Most bytes of a message, its record left out: a plan of ten thousand bots takes less.
pub(super) const MAX_MESSAGE: u64 = 64 << 20;

/// The messages of a worker, as they come in without waiting.
#[derive(Default)]
pub(crate) struct ReportInbox {
    bytes: Vec<u8>,
    /// What of them was taken.
    taken: usize,
}

/// A report, and the record's line of one that has a record.
pub(in crate::tournament) struct ReceivedReport {
    pub(in crate::tournament) report: WorkerReport,
    pub(in crate::tournament) record: Vec<u8>,
}

impl ReportInbox {
    /// Reads what there is. False when the worker has closed its end.
    pub(in crate::tournament) fn fill(&mut self, mut socket: impl Read) -> io::Result<bool> {
        let mut buffer = [0; 16 * 1024];
        loop {
            match socket.read(&mut buffer) {
                Ok(0) => return Ok(false),
                Ok(count) => {
                    self.bytes.extend_from_slice(&buffer[..count]);
                    if count < buffer.len() {
                        return Ok(true);
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(true),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// The next whole message, if there is one.
    pub(in crate::tournament) fn next(&mut self) -> io::Result<Option<ReceivedReport>> {
        let rest = &self.bytes[self.taken..];
        let Some(end) = rest.iter().position(|&byte| byte == b'\n') else {
            if rest.len() as u64 > MAX_MESSAGE {
                return Err(io::Error::other("a worker's message is too long"));
            }
            return Ok(None);
        };
        let report: WorkerReport = serde_json::from_slice(&rest[..end])?;
        let behind = &rest[end + 1..];
        let length = match &report {
            WorkerReport::Played { bytes } => usize::try_from(*bytes).unwrap_or(usize::MAX),
            _ => 0,
        };
        let Some(record) = behind.get(..length) else { return Ok(None) };
        let record = record.to_vec();
        self.taken += end + 1 + length;
        if self.taken == self.bytes.len() {
            self.bytes.clear();
            self.taken = 0;
        }
        Ok(Some(ReceivedReport { report, record }))
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::path::PathBuf;

    use super::*;

    #[test]
    fn paths_that_are_not_utf_8_arrive_as_they_are() {
        let path = PathBuf::from(OsStr::from_bytes(b"/d\xff/x"));
        let paths = ReadablePaths {
            tools: vec![path.clone()],
            own: Vec::new(),
            exposed: Vec::new(),
            closed: Some(path.clone()),
            hidden: Some(path),
        };
        let report = WorkerReport::Reach(paths.clone());
        let sent = line(&report).unwrap();
        let Some(WorkerReport::Reach(reach)) = receive(&mut &*sent).unwrap() else {
            panic!("{}", String::from_utf8_lossy(&sent))
        };
        assert_eq!(reach, paths);
    }
}
