//! The simulated workers: they take jobs and report as real ones do, at times of their own, and may
//! be late, stopped, wrong or dead at any moment.

use std::collections::{BTreeMap, VecDeque};
use std::io::{self, ErrorKind, Read};
use std::time::{Duration, Instant};

use super::contest::SimulatedContest;
use super::world::{World, log, with};
use crate::bot::{ReadablePaths, StopLevel};
use crate::protocol::{FaultKind, Reason};
use crate::record::{Digest, DisqualifiedFor};
use crate::rules::Ending;
use crate::tournament::versions::ChangedFile;
use crate::tournament::workers::wire::{
    self, Assignment, BotTrial, Preparation, ReportInbox, WorkerReport, WorkerRequest,
};
use crate::tournament::workers::worker_processes::WorkerHost;
use mancala_game::chance::Chance;

/// What goes wrong with workers and signals in one run of the program.
#[derive(Clone, Debug, Default)]
pub(super) struct Trouble {
    /// One in so many jobs goes wrong; 0 for none.
    pub jobs: u32,
    /// One in so many workers does not start; 0 for none.
    pub starts: u32,
    /// When the user presses Ctrl-C, in milliseconds.
    pub interrupts: Vec<u64>,
    /// When SIGTERM comes, in milliseconds.
    pub terminated: Option<u64>,
    /// At which wait another program is started on the same file.
    pub second_start: Option<u32>,
    /// A bot that is another one in all its matches that begin before this is reported.
    pub changed: Option<usize>,
    /// Whether it stays another one for the whole run.
    pub stays_changed: bool,
}

/// What the log says of each report of a changed bot.
pub(super) const CHANGED: &str = "a bot is another one";

/// The workers of a run.
pub(super) struct SimulatedWorkers<'a> {
    contest: &'a SimulatedContest,
    trouble: Trouble,
    workers: BTreeMap<usize, SimulatedWorker>,
    /// Tries to start another program on the same file.
    second_start: &'a dyn Fn(),
    waits: u32,
    began: Instant,
    /// Milliseconds since it began.
    time: u64,
    /// When the first report of a changed bot arrives.
    change_known: Option<u64>,
    /// How often each task went wrong, so that none is given up for good.
    chance: Chance,
}

#[derive(Default)]
struct SimulatedWorker {
    is_prepared: bool,
    /// What it sends, and when.
    sending: VecDeque<(u64, Vec<u8>)>,
    /// When its process ends.
    ends: Option<u64>,
    /// Until it is woken it does nothing.
    is_stopped: bool,
    /// When what was sent last is sent.
    latest: u64,
}

impl SimulatedWorker {
    fn send(&mut self, delay: u64, bytes: Vec<u8>) {
        self.latest += delay;
        self.sending.push_back((self.latest, bytes));
    }

    fn report(&mut self, delay: u64, report: &WorkerReport) {
        self.send(delay, wire::line(report).unwrap());
    }

    /// When it has something to read, or ends.
    fn next(&self) -> Option<u64> {
        let sends = self.sending.front().map(|(at, _)| *at);
        let next = sends.into_iter().chain(self.ends).min();
        next.filter(|_| !self.is_stopped)
    }
}

impl<'a> SimulatedWorkers<'a> {
    pub(super) fn new(
        contest: &'a SimulatedContest,
        trouble: Trouble,
        second_start: &'a dyn Fn(),
    ) -> SimulatedWorkers<'a> {
        let seed = with(|world| world.chance.below(u32::MAX));
        SimulatedWorkers {
            contest,
            trouble,
            workers: BTreeMap::new(),
            second_start,
            waits: 0,
            began: Instant::now(),
            time: 0,
            change_known: None,
            chance: Chance::new(seed.into()),
        }
    }

    fn delay(&mut self) -> u64 {
        match self.chance.below(8) {
            0 => 0,
            7 => 2000 + u64::from(self.chance.below(4000)),
            _ => u64::from(self.chance.below(300)),
        }
    }

    /// What the worker reports of a job.
    fn reports(&mut self, request: &WorkerRequest) -> Vec<(WorkerReport, Vec<u8>)> {
        let plain = |report| (report, Vec::new());
        match request {
            WorkerRequest::Try { bot, trial, .. } => {
                let is_build = matches!(trial, BotTrial::Build(_));
                let refused = self.contest.bots[*bot].refused;
                let has_build = !self.contest.plan.bots[*bot].build.is_empty();
                let refused = refused.filter(|why| !has_build || why.contains("build") == is_build);
                let reach = WorkerReport::Reach(ReadablePaths::default());
                let cause =
                    if is_build { DisqualifiedFor::NotBuilt } else { DisqualifiedFor::Refused };
                let tried = WorkerReport::Tried(refused.map(|why| (cause, why.to_owned())));
                let made = WorkerReport::Made(["target".to_owned()].into());
                vec![plain(if is_build { made } else { reach }), plain(tried)]
            }
            WorkerRequest::Play(Assignment { fixture, .. }) => {
                let played = self.contest.result(fixture);
                if let Some(bot) = played.unstartable {
                    let why = "no such program".to_owned();
                    return vec![plain(WorkerReport::CannotStart { bot, why })];
                }
                let mut reports = Vec::new();
                for (round, number) in played.rounds.iter().zip(1..) {
                    let (first, score) = (round.first, round.score);
                    if let Some(bot) = round.fault {
                        let (detail, stderr) = ("late".to_owned(), String::new());
                        let kind = FaultKind::Timeout;
                        let fault =
                            WorkerReport::Fault { round: number, bot, kind, detail, stderr };
                        reports.push(plain(fault));
                    }
                    let fault = round.fault.map(|_| Reason::Fault(FaultKind::Timeout));
                    let reason = fault.unwrap_or(Reason::Ended(Ending::Completed));
                    reports.push(plain(WorkerReport::Round {
                        round: number,
                        first,
                        reason,
                        score,
                    }));
                }
                let record = self.contest.record(fixture, &played);
                reports.push((WorkerReport::Played { bytes: record.len() as u64 }, record));
                reports
            }
        }
    }

    /// Has a worker report that a bot of the match has changed, if it has. Returns whether it has.
    fn report_change(&mut self, place: usize, request: &WorkerRequest) -> bool {
        let WorkerRequest::Play(Assignment { fixture, .. }) = request else { return false };
        let changed = self.trouble.changed;
        let Some(bot) = changed.filter(|bot| fixture.bots.0.contains(bot)) else { return false };
        if !self.trouble.stays_changed && self.change_known.is_some_and(|at| at <= self.time) {
            return false;
        }
        let file = ChangedFile { path: "bot.sh".to_owned(), version: Digest::of(b"another one") };
        let delay = self.delay();
        let Some(worker) = self.workers.get_mut(&place) else { return false };
        worker.report(delay, &WorkerReport::Changed { bot, file });
        let known = self.change_known.map_or(worker.latest, |at| at.min(worker.latest));
        self.change_known = Some(known);
        log(|| format!("place {place}: {CHANGED}"));
        true
    }

    /// Has a worker do a job, maybe not as it should.
    fn work(&mut self, place: usize, request: &WorkerRequest) {
        if self.report_change(place, request) {
            return;
        }
        let mut reports = self.reports(request);
        let is_match = matches!(request, WorkerRequest::Play(_));
        let is_build = matches!(request, WorkerRequest::Try { trial: BotTrial::Build(_), .. });
        let is_refusal = matches!(reports.last(), Some((WorkerReport::Tried(Some(_)), _)));
        let is_wrong = self.trouble.jobs > 0 && self.chance.below(self.trouble.jobs) == 0;
        let kind = if is_wrong { self.chance.below(9) } else { u32::MAX };
        let mut torn = None;
        let mut ends = false;
        match kind {
            // Its process dies, maybe in the middle of a message. Bots that kill the worker in
            // their build are out; these ones are not. A trial is given up after some deaths, and
            // a bot that is refused by each trial would then play.
            0..=2 if !is_build && !is_refusal => {
                ends = true;
                reports.truncate(1 + self.chance.below(reports.len() as u32) as usize);
                torn = Some(self.chance.below(4) == 0);
            }
            3 => {
                if let Some(worker) = self.workers.get_mut(&place) {
                    worker.is_stopped = true;
                }
            }
            4 if is_match => {
                reports = vec![(WorkerReport::Unfinished("the machine was late".into()), vec![])];
            }
            5 => {
                let why = "no more processes";
                ends = true;
                reports = vec![if is_match {
                    (WorkerReport::Failed(why.into()), vec![])
                } else {
                    let why = format!("{why}: end some, and go on with --resume");
                    (WorkerReport::Cannot(why), vec![])
                }];
            }
            6 if is_match => {
                // Something else than was asked for.
                reports = vec![(WorkerReport::Tried(None), vec![])];
            }
            7 if is_match => {
                // The record of another match.
                if let WorkerRequest::Play(Assignment { fixture, .. }) = request {
                    let other = crate::contest::Fixture { number: fixture.number + 1, ..*fixture };
                    let record = self.contest.record(&other, &self.contest.result(fixture));
                    let bytes = record.len() as u64;
                    reports = vec![(WorkerReport::Played { bytes }, record)];
                }
            }
            8 if is_match => {
                let bytes = 3;
                reports = vec![(WorkerReport::Played { bytes }, b"{}\n".to_vec())];
            }
            _ => {}
        }
        if is_wrong {
            let what = if is_match { "a match" } else { "a trial" };
            let reported = reports.last().map(|(report, _)| format!("{report:?}"));
            log(|| {
                let ends = if ends { ", and dies" } else { "" };
                format!("place {place}: trouble {kind} in {what}: {}{ends}", reported.unwrap())
            });
        }
        let count = reports.len();
        for (index, (report, record)) in reports.into_iter().enumerate() {
            let delay = self.delay();
            let mut bytes = wire::line(&report).unwrap();
            bytes.extend(record);
            if let Some(is_whole) = torn
                && index + 1 == count
                && !is_whole
            {
                bytes.truncate(self.chance.below(bytes.len() as u32) as usize);
            }
            // Messages come in pieces.
            let mut rest = bytes;
            while self.chance.below(4) == 0 && rest.len() > 1 {
                let later = rest.split_off(1 + self.chance.below(rest.len() as u32 - 1) as usize);
                let piece = std::mem::replace(&mut rest, later);
                let pause = u64::from(self.chance.below(50));
                if let Some(worker) = self.workers.get_mut(&place) {
                    worker.send(pause, piece);
                }
            }
            if let Some(worker) = self.workers.get_mut(&place) {
                worker.send(delay, rest);
            }
        }
        if let Some(worker) = self.workers.get_mut(&place) {
            worker.ends = ends.then_some(worker.latest);
        }
    }
}

impl WorkerHost for SimulatedWorkers<'_> {
    fn start(&mut self, place: usize) -> io::Result<()> {
        World::step("start a worker");
        if self.trouble.starts > 0 && self.chance.below(2 * self.trouble.starts) == 0 {
            log(|| format!("place {place}: no process for a worker"));
            return Err(io::Error::other("no more processes: end some, and go on with --resume"));
        }
        let worker = SimulatedWorker { latest: self.time, ..SimulatedWorker::default() };
        assert!(self.workers.insert(place, worker).is_none(), "a place for one worker has two");
        Ok(())
    }

    fn send(&mut self, place: usize, line: &[u8]) -> io::Result<()> {
        World::step("send");
        let delay = self.delay();
        let Some(worker) = self.workers.get_mut(&place) else { return Ok(()) };
        if worker.ends.is_some_and(|ends| ends <= self.time) {
            return Ok(());
        }
        worker.latest = worker.latest.max(self.time);
        if !worker.is_prepared {
            let _: Preparation = serde_json::from_slice(line)?;
            worker.is_prepared = true;
            worker.report(delay, &WorkerReport::Ready);
            if self.trouble.starts > 0 && self.chance.below(self.trouble.starts) == 0 {
                log(|| format!("place {place}: a worker dies as it gets ready"));
                worker.ends = Some(self.time + u64::from(self.chance.below(40)));
            }
            return Ok(());
        }
        let request: WorkerRequest = serde_json::from_slice(line)?;
        if let WorkerRequest::Play(Assignment { fixture, .. }) = &request {
            let number = fixture.number;
            with(|world| {
                if world.ended.contains(&self.contest.key(number)) {
                    world.fail(format!("match {number} is played again, and its result was known"));
                }
            });
        }
        self.work(place, &request);
        Ok(())
    }

    fn wait(&mut self, at_most: Duration) -> io::Result<Vec<usize>> {
        World::step("wait");
        self.waits += 1;
        if self.trouble.second_start == Some(self.waits) {
            (self.second_start)();
        }
        let until = self.time + u64::try_from(at_most.as_millis()).unwrap();
        let signals = self.trouble.interrupts.iter().copied().chain(self.trouble.terminated);
        let next = self.workers.values().filter_map(SimulatedWorker::next);
        let next = next.chain(signals.filter(|&at| at > self.time)).min();
        self.time = next.unwrap_or(until).clamp(self.time, until);
        if self.trouble.interrupts.get(2).is_some_and(|&third| third <= self.time) {
            log(|| "the third Ctrl-C".to_owned());
            World::crash(super::world::Crash::Killed);
        }
        let time = self.time;
        let is_ready = |worker: &SimulatedWorker| worker.next().is_some_and(|at| at <= time);
        Ok(self.workers.iter().filter(|(_, it)| is_ready(it)).map(|(place, _)| *place).collect())
    }

    fn receive(&mut self, place: usize, inbox: &mut ReportInbox) -> bool {
        World::step("receive");
        let Some(worker) = self.workers.get_mut(&place) else { return false };
        let mut arrived = Vec::new();
        while worker.sending.front().is_some_and(|(at, _)| *at <= self.time) {
            arrived.extend(worker.sending.pop_front().unwrap().1);
        }
        let is_gone = worker.ends.is_some_and(|ends| ends <= self.time);
        inbox.fill(Pipe { bytes: &arrived, is_closed: is_gone }).unwrap_or(false)
    }

    fn interrupt(&mut self, place: usize) {
        World::step("interrupt");
        let delay = self.delay();
        if let Some(worker) = self.workers.get_mut(&place) {
            // What it was about to send may still come.
            worker.ends.get_or_insert(self.time + delay);
        }
    }

    fn reap(&mut self, place: usize) {
        World::step("reap");
        self.workers.remove(&place);
    }

    fn stop(&mut self) {
        World::step("stop");
        self.workers.clear();
    }

    fn look_after(&mut self) {
        for worker in self.workers.values_mut() {
            if std::mem::take(&mut worker.is_stopped) {
                // What it was doing takes that much longer.
                let late = self.time.saturating_sub(worker.sending.front().map_or(0, |it| it.0));
                worker.sending.iter_mut().for_each(|(at, _)| *at += late);
                worker.latest += late;
            }
        }
    }

    fn level(&self) -> StopLevel {
        let interrupts = self.trouble.interrupts.iter().filter(|&&at| at <= self.time).count();
        let is_terminated = self.trouble.terminated.is_some_and(|at| at <= self.time);
        match interrupts {
            0 if !is_terminated => StopLevel::None,
            1 if !is_terminated => StopLevel::AfterRunning,
            _ => StopLevel::EndRunning,
        }
    }

    fn now(&self) -> Instant {
        self.began + Duration::from_millis(self.time)
    }
}

/// Bytes that have arrived, as a socket has them.
struct Pipe<'a> {
    bytes: &'a [u8],
    is_closed: bool,
}

impl Read for Pipe<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.bytes.is_empty() && !self.is_closed {
            return Err(ErrorKind::WouldBlock.into());
        }
        self.bytes.read(buffer)
    }
}
