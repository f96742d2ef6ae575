//! What the simulated disk and workers share: chance, the steps at which something happens, and
//! the log of all that did.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;

use super::disk::Disk;
use mancala_game::chance::Chance;

/// How a process ends that does not end on its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Crash {
    /// It is killed, or exits at once; what it wrote stays.
    Killed,
    /// The machine loses its power.
    PowerCut,
}

/// More steps than any run takes: one that does not end.
const MOST_STEPS: u64 = 200_000;

/// The machine of one simulated run.
pub(super) struct World {
    /// Chance of the disturbances.
    pub chance: Chance,
    pub disk: Disk,
    pub descriptions: u64,
    /// The process that runs, and how many there were.
    pub process: u32,
    processes: u32,
    dead: Vec<u32>,
    steps: u64,
    /// The step at which the process that runs crashes.
    pub crash: Option<(u64, Crash)>,
    /// What happens the next time that a lock is waited for.
    pub meanwhile: Option<Box<dyn FnOnce()>>,
    /// The matches that were reported as played, and those of them that a flush has followed.
    pub ended: BTreeSet<u64>,
    pub ended_and_flushed: BTreeSet<u64>,
    /// Whether what was not flushed was ever lost.
    pub was_power_cut: bool,
    /// What happened, in order.
    pub log: Vec<String>,
    /// The first thing that must not happen.
    pub failure: Option<String>,
}

thread_local! {
    static WORLD: RefCell<World> = RefCell::new(World::new(0));
}

/// Does something with the world of this thread.
pub(super) fn with<T>(act: impl FnOnce(&mut World) -> T) -> T {
    WORLD.with_borrow_mut(act)
}

/// Notes what happened.
pub(super) fn log(what: impl FnOnce() -> String) {
    with(|world| {
        let what = format!("step {}: {}", world.steps, what());
        world.log.push(what);
    });
}

impl World {
    /// Notes it as a failure if the copy is not what the file at `path` was before its last header.
    pub(super) fn check_copy(&mut self, path: &Path, copy: &Path) {
        let (file, copy) = (self.disk.content(path), self.disk.content(copy));
        let added = file.strip_prefix(copy).unwrap_or_default();
        if copy.is_empty() || !added.starts_with(br#"{"format":"mancala-tournament/1""#) {
            let [file, copy] = [file, copy].map(String::from_utf8_lossy);
            self.fail(format!("{copy}\nis not what was before the last header of\n{file}"));
        }
    }

    /// An empty machine, whose disturbances this seed decides.
    pub(super) fn new(seed: u64) -> World {
        World {
            chance: Chance::new(seed),
            disk: Disk::default(),
            descriptions: 0,
            process: 0,
            processes: 0,
            dead: Vec::new(),
            steps: 0,
            crash: None,
            meanwhile: None,
            ended: BTreeSet::new(),
            ended_and_flushed: BTreeSet::new(),
            was_power_cut: false,
            log: Vec::new(),
            failure: None,
        }
    }

    pub(super) fn is_dead(&self, process: u32) -> bool {
        self.dead.contains(&process)
    }

    /// True once in `times`.
    pub(super) fn once_in(&mut self, times: u32) -> bool {
        self.chance.below(times) == 0
    }

    /// Has the process that runs crash in at most `steps` steps.
    pub(super) fn crash_within(&mut self, steps: u32, crash: Crash) {
        self.crash = Some((self.steps + 1 + u64::from(self.chance.below(steps)), crash));
    }

    /// Notes something that must not happen.
    pub(super) fn fail(&mut self, why: String) {
        self.failure.get_or_insert(why);
    }

    /// Counts a step of the process that runs, which may crash here.
    pub(super) fn step(what: &'static str) {
        if let Some(crash) = World::step_that_may_be_torn(what) {
            World::crash(crash);
        }
    }

    /// Counts a step. Returns how the process crashes in the middle of it, if it does.
    pub(super) fn step_that_may_be_torn(what: &'static str) -> Option<Crash> {
        with(|world| {
            if world.is_dead(world.process) || std::thread::panicking() {
                return None;
            }
            world.steps += 1;
            if world.steps > MOST_STEPS {
                world.fail(format!("it does not end (at \"{what}\")"));
                return Some(Crash::Killed);
            }
            let (_, crash) = world.crash.take_if(|(step, _)| *step <= world.steps)?;
            world.log.push(format!("step {}: {crash:?} in {what}", world.steps));
            Some(crash)
        })
    }

    /// Ends the process that runs.
    pub(super) fn crash(crash: Crash) {
        with(|world| world.dead.push(world.process));
        resume_unwind(Box::new(crash));
    }
}

/// Runs a process of the simulated machine; `Err` is how it crashed.
pub(super) fn run_process<T>(process: impl FnOnce() -> T) -> Result<T, Crash> {
    let before = with(|world| {
        world.processes += 1;
        std::mem::replace(&mut world.process, world.processes)
    });
    let ended = catch_unwind(AssertUnwindSafe(process));
    with(|world| world.process = before);
    ended.map_err(|why| match why.downcast::<Crash>() {
        Ok(crash) => *crash,
        Err(panic) => resume_unwind(panic),
    })
}
