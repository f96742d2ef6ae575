//! Matches judged by several threads at once, and handed on in their order.

use std::collections::BTreeMap;
use std::iter;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use super::judged::{JudgedMatch, judge_match};
use super::source::Place;
use crate::record::MatchRecord;
use crate::rules::{Ruleset, RulesetName, SeedsAHouse};
use crate::solve::{Budget, Refusal, Solver};

/// A match to be judged.
#[derive(Clone, Debug)]
pub struct Job {
    /// Where it stands.
    pub place: Place,
    /// Its line, as it stands there.
    pub line: Vec<u8>,
    /// What it says; a valid record.
    pub record: MatchRecord,
}

/// How matches are judged.
#[derive(Clone, Debug)]
pub struct Pool {
    /// So many at once.
    pub jobs: NonZeroUsize,
    /// Memory of all solvers together, in bytes.
    pub memory: usize,
    /// What of a round is not solved within this time stays unknown.
    pub time: Duration,
    /// Ends all of it when it becomes true.
    pub stop: Arc<AtomicBool>,
}

/// Matches that are judged or wait for it, for each thread: enough that none has to wait while the
/// first of them takes long.
const AHEAD: usize = 8;

impl Pool {
    /// Judges matches and hands them to `each`, in their order. After `stop` no more are handed on.
    ///
    /// # Errors
    ///
    /// The first error of a job, of `each` or of a solver.
    pub fn judge<E: From<Refusal>>(
        &self,
        jobs: impl Iterator<Item = Result<Job, E>>,
        each: &mut dyn FnMut(&Job, &JudgedMatch) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut jobs = jobs.peekable();
        // Solvers for other rules come after those at work: both at once would take too much memory.
        while let Some(next) = jobs.next_if(|_| !self.is_stopped()) {
            let next = next?;
            let rules = play_of(&next.record.rules);
            let mut solvers = Solver::team(&rules, self.memory, self.jobs)?;
            let is_next = |job: &Result<Job, E>| {
                job.as_ref().is_ok_and(|job| play_of(&job.record.rules) == rules)
            };
            let rest = iter::from_fn(|| jobs.next_if(is_next)).flatten();
            self.judge_with(&mut solvers, iter::once(next).chain(rest), each)?;
        }
        Ok(())
    }

    /// Judges matches with the rules of these solvers, each solver in a thread of its own.
    fn judge_with<E>(
        &self,
        solvers: &mut [Solver],
        mut jobs: impl Iterator<Item = Job>,
        each: &mut dyn FnMut(&Job, &JudgedMatch) -> Result<(), E>,
    ) -> Result<(), E> {
        let (give, take) = mpsc::channel();
        let take = Mutex::new(take);
        let threads = thread::scope(|scope| {
            let (report, reports) = mpsc::channel();
            // Where the system allows fewer threads, the work takes longer.
            let starts = solvers.iter_mut().map(|solver| {
                let (take, report) = (&take, report.clone());
                thread::Builder::new().spawn_scoped(scope, move || self.work(solver, take, &report))
            });
            let threads = starts.take_while(Result::is_ok).count();
            drop(report);
            let done = match threads {
                0 => Ok(()),
                _ => self.hand_out(&mut jobs, &give, &reports, each),
            };
            if done.is_err() {
                // What runs is of no use any more.
                self.stop.store(true, Ordering::Relaxed);
            }
            drop(give);
            done.map(|()| threads)
        })?;
        match solvers.first_mut() {
            Some(solver) if threads == 0 => self.judge_here(solver, jobs, each),
            _ => Ok(()),
        }
    }

    /// Judges one match after the other in this thread.
    fn judge_here<E>(
        &self,
        solver: &mut Solver,
        jobs: impl Iterator<Item = Job>,
        each: &mut dyn FnMut(&Job, &JudgedMatch) -> Result<(), E>,
    ) -> Result<(), E> {
        for job in jobs {
            let judged = self.judge_one(solver, &job.record);
            if self.is_stopped() {
                break;
            }
            each(&job, &judged)?;
        }
        Ok(())
    }

    fn hand_out<E>(
        &self,
        jobs: &mut dyn Iterator<Item = Job>,
        give: &Sender<(u64, Job)>,
        reports: &Receiver<Report>,
        each: &mut dyn FnMut(&Job, &JudgedMatch) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut jobs = (0..).zip(jobs);
        // Judged before another one that comes first.
        let mut early = BTreeMap::new();
        // How many were handed out, and the number of the one that is handed on next.
        let (mut given, mut next) = (0, 0);
        let most = self.jobs.get().saturating_mul(AHEAD) as u64;
        loop {
            while given - next < most
                && let Some(job) = jobs.next()
            {
                given += 1;
                // Threads that have ended were told to.
                let _ = give.send(job);
            }
            if next == given || self.is_stopped() {
                return Ok(());
            }
            let Ok((number, job, judged)) = reports.recv() else { return Ok(()) };
            // What was stopped is not finished.
            if self.is_stopped() {
                return Ok(());
            }
            early.insert(number, (job, judged));
            while let Some((job, judged)) = early.remove(&next) {
                each(&job, &judged)?;
                next += 1;
            }
        }
    }

    /// Judges matches until there are no more, or it is told to stop.
    fn work(
        &self,
        solver: &mut Solver,
        take: &Mutex<Receiver<(u64, Job)>>,
        report: &Sender<Report>,
    ) {
        loop {
            let taken = take.lock().unwrap_or_else(PoisonError::into_inner).recv();
            let Ok((number, job)) = taken else { return };
            let judged = self.judge_one(solver, &job.record);
            // Reported even then: whoever hands out work waits for a report.
            if report.send((number, job, judged)).is_err() || self.is_stopped() {
                return;
            }
        }
    }

    fn judge_one(&self, solver: &mut Solver, record: &MatchRecord) -> JudgedMatch {
        let budget = Budget { stop: Some(Arc::clone(&self.stop)), ..Budget::default() };
        judge_match(solver, record, self.time, &budget)
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

type Report = (u64, Job, JudgedMatch);

/// The rules with all that values do not depend on made the same: where they come from, and the
/// seeds of their opening.
fn play_of(rules: &Ruleset) -> Ruleset {
    let standard = RulesetName::Learneroo.rules();
    let seeds = SeedsAHouse::new(1).unwrap_or(standard.seeds);
    Ruleset { name: standard.name, seeds, ..*rules }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_are_handed_on_in_order_and_errors_end_it() {
        // Matches without a round need no solving, so that only the order is in question.
        let record = r#"{"format":"mancala-match/1","rules":{"name":"learneroo","seeds":3,"opponent_store":"sow","direction":"forward","empty_capture":true},"opening":[3,3,3,3,3,3,0,3,3,3,3,3,3,0],"limits":{},"bots":[{"name":"a","command":[]},{"name":"b","command":[]}],"rounds":[],"score":[0,0],"winner":null}"#;
        let record: MatchRecord = serde_json::from_str(record).unwrap();
        let job = |line| Job {
            place: Place { source: 0, line, bytes: 0..0 },
            line: Vec::new(),
            record: record.clone(),
        };
        let pool = Pool {
            jobs: NonZeroUsize::new(3).unwrap(),
            memory: 3 << 20,
            time: Duration::from_secs(1),
            stop: Arc::default(),
        };
        let mut seen = Vec::new();
        let found = pool.judge((0..200).map(|line| Ok::<_, Refusal>(job(line))), &mut |job, _| {
            seen.push(job.place.line);
            Ok(())
        });
        assert_eq!(found, Ok(()));
        assert!(seen.iter().copied().eq(0..200));
        // What comes before a job that cannot be read is handed on.
        let failing =
            (0..200).map(|line| if line == 50 { Err(Refusal::Memory) } else { Ok(job(line)) });
        let mut count = 0;
        let mut counting = |_: &Job, _: &JudgedMatch| {
            count += 1;
            Ok(())
        };
        assert_eq!(pool.judge(failing, &mut counting), Err(Refusal::Memory));
        assert_eq!(count, 50);
        let found =
            pool.judge((0..200).map(|line| Ok(job(line))), &mut |_, _| Err(Refusal::Memory));
        assert_eq!(found, Err(Refusal::Memory));
        // It stays stopped.
        assert!(pool.stop.load(Ordering::Relaxed));
        let none = pool.judge((0..9).map(|line| Ok::<_, Refusal>(job(line))), &mut |_, _| {
            panic!("nothing is handed on")
        });
        assert_eq!(none, Ok(()));
    }
}
