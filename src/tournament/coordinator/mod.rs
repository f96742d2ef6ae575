//! Plays a plan: gives matches to workers, writes what they report, and judges nothing.

mod crew;
mod orders;
mod reports;
mod work;

use std::collections::{BTreeMap, VecDeque};
use std::time::{Duration, Instant};

use crate::bot::{Interrupt, ReadablePaths, StopLevel};
use crate::contest::{Fixture, LineReader, Pairings};
use crate::seat::Seat;
use crate::standings::Sprt;
use crate::tournament::happening::{End, Happening};
use crate::tournament::journal::Journal;
use crate::tournament::ledger::Ledger;
use crate::tournament::logs::KeptLogs;
use crate::tournament::worker_process::{Doing, WorkerProcess};

pub use orders::{Orders, TournamentError};
pub use reports::points_of_first;
use work::SwissState;

/// How many workers may die at one match, or at one bot before it plays, until that is given up.
const MOST_DEATHS: u32 = 3;

/// How often a tick goes to whoever watches.
const TICK: Duration = Duration::from_millis(250);

/// How long what a dead worker leaves behind may take to end itself.
const ORPHANS_WAIT: Duration = Duration::from_secs(4);

/// A tournament as it is played.
pub struct Coordinator<'a> {
    orders: &'a Orders<'a>,
    journal: &'a mut Journal,
    ledger: &'a mut Ledger,
    sprt: Option<&'a mut Sprt>,
    swiss: Option<SwissState>,
    watch: &'a mut dyn FnMut(&Ledger, Happening<'_>),
    workers: Vec<Option<WorkerProcess>>,
    lines: LineReader,
    builds: VecDeque<usize>,
    trials: VecDeque<usize>,
    /// Which logs there are, where logs are kept.
    logs: Option<KeptLogs>,
    /// What each bot may read in the sandbox, where they are in one.
    reach: BTreeMap<usize, ReadablePaths>,
    /// The names of bots that did not build or start.
    refused: Vec<String>,
    has_begun: bool,
    /// Matches whose worker died.
    again: VecDeque<Fixture>,
    deaths: BTreeMap<u64, u32>,
    /// Deaths of workers that were not ready yet, in a row.
    stillborn: u32,
    /// Deaths of workers that built, tried or checked a bot.
    untried: BTreeMap<usize, u32>,
    cursor: u64,
    level: StopLevel,
    /// When what dead workers left behind is to be ended.
    sweep: Option<Instant>,
}

impl<'a> Coordinator<'a> {
    /// A tournament that goes on from what the ledger says. `known` are the winners of matches that
    /// were in the file, which a Swiss tournament needs.
    pub fn new(
        orders: &'a Orders<'a>,
        journal: &'a mut Journal,
        ledger: &'a mut Ledger,
        sprt: Option<&'a mut Sprt>,
        known: BTreeMap<u64, Option<Seat>>,
        watch: &'a mut dyn FnMut(&Ledger, Happening<'_>),
    ) -> Coordinator<'a> {
        let plan = orders.plan;
        let bots = 0..plan.bots.len();
        let playing = |bot: &usize| ledger.disqualified(*bot).is_none();
        let built = |bot: &usize| !plan.bots[*bot].build.is_empty();
        Coordinator {
            builds: bots.clone().filter(playing).filter(built).collect(),
            trials: bots.clone().filter(playing).collect(),
            logs: orders.logs.as_ref().map(KeptLogs::found),
            swiss: (plan.pairings == Pairings::Swiss).then(|| SwissState::new(plan, known)),
            orders,
            journal,
            ledger,
            sprt,
            watch,
            workers: Vec::new(),
            lines: LineReader::default(),
            reach: BTreeMap::new(),
            refused: Vec::new(),
            has_begun: false,
            again: VecDeque::new(),
            deaths: BTreeMap::new(),
            stillborn: 0,
            untried: BTreeMap::new(),
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
            if self.level == StopLevel::None {
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
                self.end_preparations();
                let running = self.playing();
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
}
