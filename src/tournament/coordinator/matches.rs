//! Which match is next: one whose worker died, then the schedule's or the Swiss round's.

use std::collections::{BTreeMap, VecDeque};

use super::MOST_DEATHS;
use super::bookkeeping::Bookkeeping;
use super::inputs::{CoordinatorResult, TournamentError};
use super::preparation::BotPreparation;
use super::worker_pool::WorkerTask;
use crate::contest::{Fixture, Pairings, Plan, SwissRounds};
use crate::record::Digest;
use crate::text::printable;
use crate::tournament::versions::ChangedFile;
use crate::tournament::{Notice, TournamentEvent};

/// The matches that are still to be given to workers.
pub(super) struct MatchQueue {
    /// Matches that come before all others: their workers died.
    first: VecDeque<Fixture>,
    /// How many workers died at each match.
    deaths: BTreeMap<u64, u32>,
    /// How each bot was found changed.
    changes: BTreeMap<usize, BotChanges>,
    /// The number from which the schedule is looked through.
    cursor: u64,
    /// Whether no further match is to begin.
    pub(super) is_stopped: bool,
    swiss: Option<SwissQueue>,
}

/// How a bot was found changed.
#[derive(Default)]
struct BotChanges {
    /// Its other versions, one after another.
    versions: Vec<Digest>,
    /// How many tasks had been given when the last one was found.
    given: u64,
    is_stopped: bool,
}

/// The current round of a Swiss tournament.
struct SwissQueue {
    rounds: SwissRounds,
    number: u64,
    fixtures: Vec<Fixture>,
    /// How many of them were looked at.
    taken: usize,
}

impl MatchQueue {
    pub(super) fn new(plan: &Plan) -> MatchQueue {
        let swiss = (plan.pairings == Pairings::Swiss).then(|| SwissQueue {
            rounds: SwissRounds::new(plan.bots.len(), plan.repeat),
            number: 0,
            fixtures: Vec::new(),
            taken: 0,
        });
        let (first, deaths, changes) = (VecDeque::new(), BTreeMap::new(), BTreeMap::new());
        MatchQueue { first, deaths, changes, cursor: 1, is_stopped: false, swiss }
    }

    pub(super) fn next(
        &mut self,
        books: &mut Bookkeeping<'_>,
    ) -> CoordinatorResult<Option<Fixture>> {
        // The run before may have ended between a match and its consequences.
        books.disqualify_faulty()?;
        if self.is_stopped || books.ledger.has_decided() {
            // None begins, but this round may have come to its end, and others may have only byes.
            self.swiss.as_mut().map_or(Ok(None), |swiss| swiss.next(books, true))?;
            return Ok(None);
        }
        while let Some(fixture) = self.first.pop_front() {
            if books.ledger.is_to_be_played(&fixture) {
                return Ok(Some(fixture));
            }
        }
        if let Some(swiss) = &mut self.swiss {
            return swiss.next(books, false);
        }
        let next = books.ledger.next_from(self.cursor);
        // What is played far behind the match that a test waits for would be left out.
        let ahead = 2 * books.inputs.workplaces.len() as u64;
        let last = books.ledger.tested_up_to().map_or(u64::MAX, |last| last + ahead);
        let next = next.filter(|fixture| fixture.number <= last);
        if let Some(fixture) = &next {
            self.cursor = fixture.number + 1;
        }
        Ok(next)
    }

    /// Puts a match in front of all others.
    pub(super) fn put_back(&mut self, fixture: Fixture) {
        self.first.push_front(fixture);
    }

    /// Has a match played again whose worker died or failed, up to a bound. Returns whether it stays
    /// unfinished, for which `advice` is added to the reason.
    pub(super) fn play_again(
        &mut self,
        books: &mut Bookkeeping<'_>,
        fixture: Fixture,
        why: &str,
        advice: &str,
    ) -> CoordinatorResult<bool> {
        let deaths = self.deaths.entry(fixture.number).or_insert(0);
        *deaths += 1;
        if *deaths >= MOST_DEATHS {
            let why = format!("{why}, {MOST_DEATHS} times{advice}");
            books.leave_unfinished(fixture.number, &why)?;
            return Ok(true);
        }
        self.first.push_back(fixture);
        Ok(false)
    }

    /// Has a match played or a bot tried again during which a file of this bot has changed. The bot
    /// is stopped for this run once it is found with the same other version again, or changed for the
    /// third time. A task that was given before the last change was found says nothing of what came
    /// of that: `number` is the task's, and `given` is how many there were.
    pub(super) fn try_unchanged(
        &mut self,
        books: &mut Bookkeeping<'_>,
        preparation: &mut BotPreparation,
        (task, bot): (WorkerTask, usize),
        ChangedFile { path: file, version }: &ChangedFile,
        (number, given): (u64, u64),
    ) -> CoordinatorResult {
        let changes = self.changes.entry(bot).or_default();
        let is_as_last_time = changes.versions.last() == Some(version);
        if number > changes.given {
            changes.versions.push(*version);
            changes.given = given;
            changes.is_stopped = is_as_last_time || changes.versions.len() >= MOST_DEATHS as usize;
        }
        let is_stopped = changes.is_stopped;
        let file_changed = if is_as_last_time {
            "is another one than at the start".to_owned()
        } else {
            format!("has changed, {MOST_DEATHS} times")
        };
        let how_to_play_more = if !books.journal.is_kept() {
            "begin the tournament again to play it as it is then"
        } else if books.ledger.can_be_updated() {
            "--update plays it as it is then"
        } else {
            "put it back as it was, and --resume plays it"
        };
        let stopped = format!(
            "plays no more in this run: its file {} {file_changed}; {how_to_play_more}; if the bot writes \
             the file itself, name it in env, not in its command line or files",
            printable(file)
        );
        if is_stopped {
            books.ledger.stop_changed(bot);
        }
        let effect = match task {
            WorkerTask::Playing(fixture) if is_stopped => {
                let why = format!("bot \"{}\" {stopped}", printable(books.name(bot)));
                return books.leave_unfinished(fixture.number, &why);
            }
            WorkerTask::Playing(fixture) => {
                self.first.push_back(fixture);
                "the match does not count, and is played again"
            }
            WorkerTask::Trying(_, _) if is_stopped => {
                // Nothing is known of it.
                preparation.refused.insert(bot);
                &format!("it {stopped}")
            }
            WorkerTask::Trying(_, trial) => {
                preparation.put_back(bot, trial);
                "it is tried again"
            }
            WorkerTask::Preparing | WorkerTask::Idle => return Ok(()),
        };
        let (bot, number) = (books.name(bot), task.match_number());
        books.notify(&TournamentEvent::Notice(Notice::BotChanged { number, bot, file, effect }));
        Ok(())
    }

    /// The error where the current Swiss round has matches that are not over, and later rounds were never
    /// paired because of them.
    pub(super) fn open_round(&self, books: &Bookkeeping<'_>) -> Option<TournamentError> {
        let swiss = self.swiss.as_ref()?;
        let ledger = &*books.ledger;
        let met = swiss.rounds.met_pairs(&|bot| ledger.disqualified(bot).is_some());
        let never_paired = ledger.never_paired(swiss.number, met);
        let open = swiss.fixtures.iter().filter(|fixture| ledger.is_open(fixture));
        let (begun, others): (Vec<&Fixture>, Vec<&Fixture>) =
            open.partition(|fixture| ledger.unfinished.contains_key(&fixture.number));
        let (unfinished, not_begun) = (begun.len() as u64, others.len() as u64);
        (never_paired > 0).then_some(TournamentError::RoundOpen {
            unfinished,
            not_begun,
            never_paired,
        })
    }
}

impl SwissQueue {
    /// The next match. Where the tournament `is_stopped`, none of them begins, and nobody gets
    /// the bye of a round of which all is still to come: before that is played, a bot may be gone.
    fn next(
        &mut self,
        books: &mut Bookkeeping<'_>,
        is_stopped: bool,
    ) -> CoordinatorResult<Option<Fixture>> {
        loop {
            while let Some(fixture) = self.fixtures.get(self.taken) {
                self.taken += 1;
                if books.ledger.is_to_be_played(fixture) {
                    return Ok(Some(*fixture));
                }
            }
            // The next round follows from all results of this one.
            if !self.end_round(books)? || self.number >= books.inputs.plan.count {
                return Ok(None);
            }
            let first = self.rounds.next_number();
            let ledger = &*books.ledger;
            let points = |bot, opponent| ledger.half_points_before(bot, opponent, first);
            let round = self.rounds.pair(&points, &|bot| ledger.is_out_before(bot, first));
            self.number = round.round;
            self.fixtures = round.fixtures;
            self.taken = 0;
            if is_stopped && !self.fixtures.is_empty() {
                return Ok(None);
            }
            for bot in round.byes {
                books.add_bye(bot, round.round)?;
            }
        }
    }

    /// Counts the faults of the round if all of it is played. Returns whether it is.
    fn end_round(&self, books: &mut Bookkeeping<'_>) -> CoordinatorResult<bool> {
        if self.fixtures.iter().any(|fixture| books.ledger.is_open(fixture)) {
            return Ok(false);
        }
        books.ledger.end_rounds(self.rounds.next_number() - 1);
        books.disqualify_faulty()?;
        Ok(true)
    }
}
