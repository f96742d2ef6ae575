//! What the workers report, and who does the work of one that is gone.

use super::worker_pool::WorkerTask;
use super::{Coordinator, CoordinatorResult, TournamentError};
use crate::bot::StopLevel;
use crate::record::{DEAD_WORKER, DisqualifiedFor, NOT_STARTED, Timestamp};
use crate::tournament::events::event::{Notice, StopReason, TournamentEvent};
use crate::tournament::workers::wire::{ReceivedReport, WorkerReport};

impl Coordinator<'_> {
    /// Reads what this worker has reported; drops one that is gone.
    pub(super) fn read_reports(&mut self, place: usize) -> CoordinatorResult {
        let is_there = self.worker_pool.receive(place);
        loop {
            let Some(worker) = self.worker_pool.worker(place) else { return Ok(()) };
            match worker.inbox.next() {
                Ok(Some(received)) => self.handle_report(place, received)?,
                Ok(None) if is_there => return Ok(()),
                // Gone, or no longer to be understood.
                Ok(None) | Err(_) => return self.reap_worker(place),
            }
        }
    }

    fn handle_report(&mut self, place: usize, received: ReceivedReport) -> CoordinatorResult {
        let Some(worker) = self.worker_pool.worker(place) else { return Ok(()) };
        let (task, number) = (worker.task, worker.number);
        let (preparation, books) = (&mut self.preparation, &mut self.books);
        let at = Timestamp::now();
        match (received.report, task) {
            (WorkerReport::Round { round, first, reason, score }, WorkerTask::Playing(fixture)) => {
                let r#match = fixture.number;
                let event =
                    TournamentEvent::RoundEnded { at, r#match, round, first, reason, score };
                books.notify(&event);
                return Ok(());
            }
            (
                WorkerReport::Fault { round, bot, kind, detail, stderr },
                WorkerTask::Playing(fixture),
            ) => {
                let (r#match, bot) = (fixture.number, books.name(fixture.bots[bot]));
                let (detail, stderr) = (&*detail, &*stderr);
                let event =
                    TournamentEvent::Fault { at, r#match, round, bot, kind, detail, stderr };
                books.notify(&event);
                if self.inputs.stop_on_fault && !self.matches.is_stopped {
                    self.matches.is_stopped = true;
                    self.notify_stopping(StopReason::Fault);
                }
                return Ok(());
            }
            (WorkerReport::LeftItsCores { bot }, WorkerTask::Playing(fixture)) => {
                let bot = books.name(fixture.bots[bot]);
                books.notify(&TournamentEvent::Notice(Notice::LeftItsCores { bot }));
                return Ok(());
            }
            (WorkerReport::Reach(reach), WorkerTask::Trying(bot, _)) => {
                preparation.reach.insert(bot, reach);
                return Ok(());
            }
            (WorkerReport::Made(made), WorkerTask::Trying(bot, _)) => {
                return preparation.leave_out_made(books, bot, made);
            }
            (WorkerReport::Output(output), WorkerTask::Trying(bot, _)) => {
                preparation.outputs.insert(bot, output);
                return Ok(());
            }
            (WorkerReport::NoProcesses(why), task) => {
                match task {
                    WorkerTask::Playing(fixture) => self.matches.put_back(fixture),
                    WorkerTask::Trying(bot, trial) => preparation.put_back(bot, trial),
                    WorkerTask::Preparing | WorkerTask::Idle => {}
                }
                self.worker_pool.reap_worker(place);
                let trouble = self.worker_pool.rest(why)?;
                self.notify_of_rest(trouble.as_deref());
                return Ok(());
            }
            (WorkerReport::Cannot(why), WorkerTask::Preparing) => {
                return Err(TournamentError::CannotKeep(why));
            }
            (WorkerReport::Cannot(why), _) => return Err(TournamentError::Cannot(why)),
            (WorkerReport::Ready, WorkerTask::Preparing) => self.worker_pool.failed_starts = 0,
            (WorkerReport::Tried(why), WorkerTask::Trying(bot, _)) => {
                if let Some((cause, why)) = why {
                    preparation.refuse(books, bot, (&why, cause))?;
                }
            }
            (WorkerReport::Played { .. }, WorkerTask::Playing(fixture)) => {
                if !books.add_match(&fixture, &received.record)? {
                    return self.reap_worker(place);
                }
            }
            (WorkerReport::CannotStart { bot, why }, WorkerTask::Playing(fixture)) => {
                let why = format!("{NOT_STARTED}: {why}");
                let why = (&*why, DisqualifiedFor::Refused);
                books.disqualify(fixture.bots[bot], why, Some(fixture.number), None)?;
            }
            (
                WorkerReport::Changed { bot, file },
                WorkerTask::Playing(_) | WorkerTask::Trying(..),
            ) => {
                let when = (number, self.worker_pool.given);
                self.matches.try_unchanged(books, preparation, (task, bot), &file, when)?;
            }
            (WorkerReport::Unfinished(why), WorkerTask::Playing(fixture)) => {
                books.leave_unfinished(fixture.number, &why)?;
            }
            (WorkerReport::Failed(why), WorkerTask::Playing(fixture)) => {
                self.matches.play_again(books, fixture, &why, "")?;
                // The process ends, and gets no more work.
                self.worker_pool.has_done(place);
                return self.reap_worker(place);
            }
            // A worker that answers something else gets no more work.
            _ => return self.reap_worker(place),
        }
        self.worker_pool.has_done(place);
        Ok(())
    }

    /// Drops a worker that is gone. Another one does its work again.
    fn reap_worker(&mut self, place: usize) -> CoordinatorResult {
        let Some(task) = self.worker_pool.reap_worker(place) else { return Ok(()) };
        self.last_death = Some(self.worker_pool.host.now());
        match task {
            WorkerTask::Idle => Ok(()),
            WorkerTask::Playing(fixture) => {
                let advice = match self.inputs.plan.terms.keeping.sandbox {
                    None => "; --sandbox keeps bots from killing it",
                    Some(_) => "",
                };
                let (books, why) = (&mut self.books, DEAD_WORKER);
                let is_given_up = self.matches.play_again(books, fixture, why, advice)?;
                if self.level < StopLevel::EndRunning && !is_given_up {
                    let (number, again) = (fixture.number, self.level == StopLevel::None);
                    self.books
                        .notify(&TournamentEvent::Notice(Notice::WorkerDied { number, again }));
                }
                Ok(())
            }
            // It was interrupted.
            _ if self.level > StopLevel::None => Ok(()),
            WorkerTask::Trying(bot, trial) => {
                self.preparation.worker_died(&mut self.books, bot, trial)
            }
            WorkerTask::Preparing => self.worker_pool.count_failed_start(),
        }
    }
}
