//! Several threads judge matches; the results come in the order of the matches.

use std::collections::BTreeMap;
use std::iter;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use super::judged::{JudgedMatch, judge_match};
use super::source::MatchPlace;
use crate::record::MatchRecord;
use crate::rules::{Ruleset, RulesetName, SeedsAHouse};
use crate::solve::{Budget, Solver, SolverRefusal};

/// A match to be judged.
#[derive(Clone, Debug)]
pub struct Job {
    /// Where the match stands.
    pub place: MatchPlace,
    /// Its line, byte for byte.
    pub line: Vec<u8>,
    /// The record in that line, which is valid.
    pub record: MatchRecord,
}

/// How matches are judged.
#[derive(Clone, Debug)]
pub struct Pool {
    /// Matches that are judged at the same time.
    pub jobs: NonZeroUsize,
    /// Memory of all solvers together, in bytes.
    pub memory: usize,
    /// The time for a round: what is not solved by then stays unknown.
    pub time: Duration,
    /// Stops everything once it is true.
    pub stop: Arc<AtomicBool>,
}

/// Matches that are judged or wait, for each thread: enough to keep all threads busy while the
/// oldest match takes long.
const AHEAD: usize = 8;

impl Pool {
    /// Judges matches and calls `each` for them in their order, until `stop`.
    ///
    /// # Errors
    ///
    /// The first error of a job, of `each` or of a solver.
    pub fn judge<E: From<SolverRefusal>>(
        &self,
        jobs: impl Iterator<Item = Result<Job, E>>,
        each: &mut dyn FnMut(&Job, &JudgedMatch) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut jobs = jobs.peekable();
        // One set of rules after the other: solvers for two at once would need twice the memory.
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

    /// Judges matches of one set of rules, with each solver in a thread of its own.
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
            // If the system allows fewer threads, the work takes longer.
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
                // The results of running threads are no longer needed.
                self.stop.store(true, Ordering::Relaxed);
            }
            drop(give);
            done.map(|()| threads)
        })?;
        // Without a thread they are judged in this one.
        if let (0, Some(solver)) = (threads, solvers.first_mut()) {
            for job in jobs {
                let judged = self.judge_one(solver, &job.record);
                if self.is_stopped() {
                    break;
                }
                each(&job, &judged)?;
            }
        }
        Ok(())
    }

    fn hand_out<E>(
        &self,
        jobs: &mut dyn Iterator<Item = Job>,
        give: &Sender<(u64, Job)>,
        reports: &Receiver<PoolReport>,
        each: &mut dyn FnMut(&Job, &JudgedMatch) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut jobs = (0..).zip(jobs);
        // Results that wait for an earlier match.
        let mut early = BTreeMap::new();
        // Jobs given to threads so far, and the number of the next result for `each`.
        let (mut given, mut next) = (0, 0);
        let most = self.jobs.get().saturating_mul(AHEAD) as u64;
        loop {
            while given - next < most
                && let Some(job) = jobs.next()
            {
                given += 1;
                // A thread ends only after `stop`.
                let _ = give.send(job);
            }
            if next == given || self.is_stopped() {
                return Ok(());
            }
            let Ok((number, job, judged)) = reports.recv() else { return Ok(()) };
            // A match that was stopped is judged in part.
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

    /// Judges matches until none is left or `stop` is true.
    fn work(
        &self,
        solver: &mut Solver,
        take: &Mutex<Receiver<(u64, Job)>>,
        report: &Sender<PoolReport>,
    ) {
        loop {
            let taken = take.lock().unwrap_or_else(PoisonError::into_inner).recv();
            let Ok((number, job)) = taken else { return };
            let judged = self.judge_one(solver, &job.record);
            // Sent even after `stop`: `hand_out` waits for a report.
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

type PoolReport = (u64, Job, JudgedMatch);

/// The rules without what values do not depend on: the ruleset's name and the seeds of its opening.
pub(super) fn play_of(rules: &Ruleset) -> Ruleset {
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
            place: MatchPlace { file: 0, number: line, line, bytes: 0..0 },
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
        let found =
            pool.judge((0..200).map(|line| Ok::<_, SolverRefusal>(job(line))), &mut |job, _| {
                seen.push(job.place.line);
                Ok(())
            });
        assert_eq!(found, Ok(()));
        assert!(seen.iter().copied().eq(0..200));
        // What comes before a job that cannot be read is handed on.
        let failing = (0..200)
            .map(|line| if line == 50 { Err(SolverRefusal::Memory) } else { Ok(job(line)) });
        let mut count = 0;
        let mut counting = |_: &Job, _: &JudgedMatch| {
            count += 1;
            Ok(())
        };
        assert_eq!(pool.judge(failing, &mut counting), Err(SolverRefusal::Memory));
        assert_eq!(count, 50);
        let found =
            pool.judge((0..200).map(|line| Ok(job(line))), &mut |_, _| Err(SolverRefusal::Memory));
        assert_eq!(found, Err(SolverRefusal::Memory));
        // It stays stopped.
        assert!(pool.stop.load(Ordering::Relaxed));
        let none = pool.judge((0..9).map(|line| Ok::<_, SolverRefusal>(job(line))), &mut |_, _| {
            panic!("nothing is handed on")
        });
        assert_eq!(none, Ok(()));
    }
}
