//! Plays a plan: gives matches to workers, writes what they report, and judges nothing.

mod reports;
mod work;

use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::bot::{Interrupt, StopLevel};
use crate::rules::Opening;
use crate::standings::Sprt;
use crate::tournament::cores::Workplaces;
use crate::tournament::happening::{End, Happening};
use crate::tournament::journal::Journal;
use crate::tournament::ledger::Ledger;
use crate::tournament::plan::Plan;
use crate::tournament::schedule::{Fixture, Pairings};
use crate::tournament::summary::MatchSummary;
use crate::tournament::wire::{Preparation, Request};
use crate::tournament::worker_process::{Doing, WorkerProcess};

pub use reports::points_of_first;
use work::SwissState;

/// So many workers may die at one match before it is given up.
const MOST_DEATHS: u32 = 3;

/// How often those who watch are told that time passes.
const TICK: Duration = Duration::from_millis(250);

/// How long what a dead worker leaves behind may take to end itself.
const ORPHANS_WAIT: Duration = Duration::from_secs(4);

/// What is to be played, and with what.
#[derive(Debug)]
pub struct Orders<'a> {
    /// The plan.
    pub plan: &'a Plan,
    /// What its matches begin from.
    pub openings: &'a [Opening],
    /// What its paths are relative to.
    pub folder: &'a Path,
    /// Where the workers run.
    pub workplaces: &'a Workplaces,
    /// How long a build may take.
    pub build_time: Duration,
    /// Whether a bot that does not build or start is the contest's end.
    pub strict: bool,
    /// Whether rounds and faults are told as they happen.
    pub events: bool,
}

/// Why a tournament could not be played.
#[derive(Debug, thiserror::Error)]
pub enum TournamentError {
    /// Bots that do not build or start, with `strict`.
    #[error("nothing was played: {0}")]
    Refused(String),
    /// Too few bots are left to play.
    #[error("fewer than two bots can play: {0}")]
    TooFew(String),
    /// Nobody can keep the bots as the options ask.
    #[error("{0}")]
    Cannot(String),
    /// The record file cannot be written.
    #[error("cannot write the record file {path}: {source}; make room and go on with --resume")]
    Write {
        /// The file.
        path: String,
        /// What the system said.
        source: io::Error,
    },
    /// Workers do not start.
    #[error("a worker does not start: {0}")]
    Worker(io::Error),
    /// The system failed.
    #[error("the system fails the tournament: {0}")]
    System(#[from] io::Error),
}

/// A tournament as it is played.
pub struct Coordinator<'a> {
    orders: &'a Orders<'a>,
    journal: &'a mut Journal,
    ledger: &'a mut Ledger,
    sprt: Option<&'a mut Sprt>,
    swiss: Option<SwissState>,
    watch: &'a mut dyn FnMut(&Ledger, Happening<'_>),
    workers: Vec<Option<WorkerProcess>>,
    builds: VecDeque<usize>,
    trials: VecDeque<usize>,
    /// Why bots did not build or start, in words.
    refused: Vec<String>,
    has_begun: bool,
    /// Matches whose worker died.
    again: VecDeque<Fixture>,
    deaths: BTreeMap<u64, u32>,
    /// Deaths of workers before they played anything, in a row.
    stillborn: u32,
    cursor: u64,
    level: StopLevel,
    /// When what dead workers left behind is to be ended.
    sweep: Option<Instant>,
}

impl<'a> Coordinator<'a> {
    /// A tournament that goes on from what the ledger says. `known` are results that were in the
    /// file, which a Swiss tournament needs.
    pub fn new(
        orders: &'a Orders<'a>,
        journal: &'a mut Journal,
        ledger: &'a mut Ledger,
        sprt: Option<&'a mut Sprt>,
        known: BTreeMap<u64, MatchSummary>,
        watch: &'a mut dyn FnMut(&Ledger, Happening<'_>),
    ) -> Coordinator<'a> {
        let plan = orders.plan;
        let bots = 0..plan.bots.len();
        let playing = |bot: &usize| ledger.disqualified(*bot).is_none();
        let built = |bot: &usize| !plan.bots[*bot].build.is_empty();
        Coordinator {
            builds: bots.clone().filter(playing).filter(built).collect(),
            trials: bots.clone().filter(playing).collect(),
            swiss: (plan.pairings == Pairings::Swiss).then(|| SwissState::new(plan, known)),
            orders,
            journal,
            ledger,
            sprt,
            watch,
            workers: Vec::new(),
            refused: Vec::new(),
            has_begun: false,
            again: VecDeque::new(),
            deaths: BTreeMap::new(),
            stillborn: 0,
            cursor: 1,
            level: StopLevel::None,
            sweep: None,
        }
    }

    /// Plays to the end, or until it is stopped.
    ///
    /// # Errors
    ///
    /// As [`TournamentError`] says. What was played until then is in the file.
    pub fn run(mut self, interrupt: &Interrupt) -> Result<End, TournamentError> {
        let jobs = self.orders.workplaces.jobs();
        self.workers = (0..jobs).map(|_| None).collect();
        let end = self.play(interrupt);
        // All are told before any is waited for.
        for worker in self.workers.iter().flatten() {
            if worker.doing != Doing::Nothing {
                worker.interrupt();
            }
        }
        WorkerProcess::stop_all(self.workers.drain(..).flatten().collect());
        crate::bot::end_orphans(&[]);
        let synced = self.journal.sync();
        (self.watch)(self.ledger, Happening::Ended(*end.as_ref().unwrap_or(&End::Failed)));
        let end = end?;
        synced.map_err(|source| self.unwritten(source))?;
        Ok(end)
    }

    fn play(&mut self, interrupt: &Interrupt) -> Result<End, TournamentError> {
        let mut ticked = Instant::now();
        loop {
            if self.level < StopLevel::EndRunning {
                self.give_work()?;
            }
            if self.level == StopLevel::EndRunning {
                return Ok(End::Interrupted);
            }
            let running = self.running();
            if running == 0 {
                if self.level == StopLevel::AfterRunning {
                    return Ok(End::Interrupted);
                }
                let decided = self.sprt.as_ref().is_some_and(|sprt| sprt.decided().is_some());
                return Ok(if decided { End::Sprt } else { End::Completed });
            }
            let ready = self.wait(interrupt, TICK)?;
            let level = interrupt.level();
            if level > self.level {
                self.level = level;
                let at_once = level == StopLevel::EndRunning;
                (self.watch)(self.ledger, Happening::Stopping { running, at_once });
            }
            for index in ready {
                self.hear(index)?;
            }
            if ticked.elapsed() >= TICK {
                ticked = Instant::now();
                self.tick();
            }
        }
    }

    fn tick(&mut self) {
        for worker in self.workers.iter().flatten() {
            worker.wake();
        }
        if self.sweep.is_some_and(|sweep| Instant::now() >= sweep) {
            self.sweep = None;
            let workers: Vec<_> = self.workers.iter().flatten().map(WorkerProcess::pid).collect();
            crate::bot::end_orphans(&workers);
        }
        (self.watch)(self.ledger, Happening::Tick);
    }

    /// Workers that do something.
    fn running(&self) -> usize {
        self.workers.iter().flatten().filter(|worker| worker.doing != Doing::Nothing).count()
    }

    /// Waits for reports, signals, or the time; returns the workers that have something to say.
    fn wait(&self, interrupt: &Interrupt, at_most: Duration) -> io::Result<Vec<usize>> {
        let mut places = Vec::new();
        let mut waited_for: Vec<PollFd<'_>> = Vec::new();
        for (index, worker) in self.workers.iter().enumerate() {
            if let Some(descriptor) = worker.as_ref().and_then(WorkerProcess::descriptor) {
                places.push(index);
                waited_for.push(PollFd::from_borrowed_fd(descriptor, PollFlags::IN));
            }
        }
        waited_for.push(PollFd::from_borrowed_fd(interrupt.news(), PollFlags::IN));
        let timeout = Timespec::try_from(at_most).ok();
        match poll(&mut waited_for, timeout.as_ref()) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        let heard = places.into_iter().zip(&waited_for);
        Ok(heard.filter(|(_, fd)| !fd.revents().is_empty()).map(|(place, _)| place).collect())
    }

    /// Gives every worker without work what is next, and starts workers that are needed.
    fn give_work(&mut self) -> Result<(), TournamentError> {
        for index in 0..self.workers.len() {
            let idle = self.workers[index].as_ref().is_none_or(|w| w.doing == Doing::Nothing);
            if !idle {
                continue;
            }
            if self.workers[index].is_none() {
                if self.has_work()? {
                    self.start(index)?;
                }
                continue;
            }
            let Some((request, doing)) = self.next_work()? else { continue };
            let Some(worker) = &mut self.workers[index] else { continue };
            worker.doing = doing;
            // A worker that cannot be asked is gone, as its next report will say.
            let _ = worker.ask(&request);
            if let Doing::Playing(fixture) = doing {
                (self.watch)(
                    self.ledger,
                    Happening::MatchBegan { fixture: &fixture, worker: index },
                );
            }
        }
        Ok(())
    }

    fn start(&mut self, index: usize) -> Result<(), TournamentError> {
        let worker = WorkerProcess::start().map_err(TournamentError::Worker)?;
        let plan = self.orders.plan;
        let preparation = Preparation {
            tournament: plan.id(),
            rules: plan.rules,
            terms: plan.terms.clone(),
            environment: plan.terms.keeping.environment.clone(),
            bots: plan.bots.clone(),
            reuse: plan.reuse_bots.map(|reuse| reuse.restart_after.unwrap_or(0)),
            folder: self.orders.folder.to_owned(),
            cores: self.orders.workplaces.of(index).to_vec(),
            events: self.orders.events,
        };
        let _ = worker.ask(&Request::Prepare(Box::new(preparation)));
        self.workers[index] = Some(worker);
        Ok(())
    }

    /// Reads what a worker has to say.
    fn hear(&mut self, index: usize) -> Result<(), TournamentError> {
        let Some(worker) = &mut self.workers[index] else { return Ok(()) };
        let is_there = worker.receive();
        loop {
            let Some(worker) = &mut self.workers[index] else { return Ok(()) };
            match worker.next() {
                Ok(Some(received)) => self.take(index, received)?,
                Ok(None) if is_there => return Ok(()),
                // Gone, or no longer to be understood.
                Ok(None) | Err(_) => return self.bury(index),
            }
        }
    }

    /// A worker that is gone: what it did is done again by another one.
    fn bury(&mut self, index: usize) -> Result<(), TournamentError> {
        let Some(worker) = self.workers[index].take() else { return Ok(()) };
        let doing = worker.doing;
        WorkerProcess::stop_all(vec![worker]);
        self.sweep = Some(Instant::now() + ORPHANS_WAIT);
        let number = match doing {
            Doing::Playing(fixture) => Some(fixture.number),
            _ => None,
        };
        if self.level < StopLevel::EndRunning && doing != Doing::Nothing {
            (self.watch)(self.ledger, Happening::WorkerDied { number });
        }
        match doing {
            Doing::Nothing => Ok(()),
            Doing::Playing(fixture) => self.play_again(fixture, "its worker died"),
            Doing::Preparing | Doing::Building(_) | Doing::Trying(_) => {
                self.stillborn += 1;
                if self.stillborn >= MOST_DEATHS {
                    let why = "it was killed, again and again, before it could play";
                    return Err(TournamentError::Worker(io::Error::other(why)));
                }
                match doing {
                    Doing::Building(bot) => self.builds.push_back(bot),
                    Doing::Trying(bot) => self.trials.push_back(bot),
                    _ => {}
                }
                Ok(())
            }
        }
    }

    fn unwritten(&self, source: io::Error) -> TournamentError {
        let path = crate::text::printable(&self.journal.path().to_string_lossy());
        TournamentError::Write { path, source }
    }
}
