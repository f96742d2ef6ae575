//! Which matches would be played, for `--dry-run`.

use super::Args;
use super::notices::{check_retry, effect_of_update, smaller_count};
use super::planning::Planned;
use super::running::of_journal;
use crate::cli::failure::CliResult;
use crate::contest::{Fixture, Pairings};
use crate::record::{DisqualifiedFor, NOT_STARTED};
use crate::text::counted;
use crate::tournament::{Journal, Ledger, ResumedState, Update, retry_advice};

/// What would be played.
pub(super) struct Outlook<'a> {
    planned: &'a Planned,
    ledger: Ledger,
    /// `None` if a tournament would begin.
    recorded: Option<RecordedMatches>,
}

/// Matches with which a tournament goes on.
struct RecordedMatches {
    /// Whether they are of more openings than the plan.
    are_of_more: bool,
    /// The same in words.
    smaller_count: Option<String>,
    /// What an update would change.
    update: Option<Update>,
}

impl Planned {
    /// What would be played after what the record file holds.
    ///
    /// # Errors
    ///
    /// When the tournament would not go on with it.
    pub(super) fn outlook(&self, args: &Args) -> CliResult<Outlook<'_>> {
        let mut resumed = ResumedState::new(&self.plan, self.schedule.clone(), args.shard);
        let Some(record) = &args.record else {
            return Ok(Outlook { planned: self, ledger: resumed.ledger, recorded: None });
        };
        let heading = self.heading(args);
        let found = Journal::look(record, &heading, args.go_on(), &mut |entry| resumed.add(entry));
        let found = found.map_err(of_journal(args))?;
        resumed.recount(found.update.is_some());
        self.obstacles().for_each(|(place, _)| resumed.ledger.stop(place));
        check_retry(args, &self.plan, &resumed)?;
        if args.retry_disqualified {
            resumed.retry_disqualified();
        }
        let mut ledger = resumed.ledger;
        ledger.disqualify_faulty();
        let recorded = found.resumed.then(|| RecordedMatches {
            are_of_more: found.count > self.plan.count,
            smaller_count: smaller_count(self, &found),
            update: found.update,
        });
        Ok(Outlook { planned: self, ledger, recorded })
    }
}

impl Outlook<'_> {
    /// Whether a tournament would go on, and none begin.
    pub(super) fn goes_on(&self) -> bool {
        self.recorded.is_some()
    }

    /// How many matches are to be played.
    pub(super) fn left(&self) -> u64 {
        let ledger = &self.ledger;
        let are_of_more = self.recorded.as_ref().is_some_and(|it| it.are_of_more);
        if ledger.has_decided() {
            0
        } else if are_of_more && self.planned.plan.pairings != Pairings::Swiss {
            // Matches of more openings count, too, and none of them is to be played.
            let next = |last: &Fixture| ledger.next_from(last.number + 1);
            std::iter::successors(ledger.next_from(1), next).count() as u64
        } else {
            ledger.playable().saturating_sub(ledger.counted())
        }
    }

    /// Leaves out bots that do not start, as the tournament would.
    pub(super) fn leave_out(&mut self, not_started: &[usize]) {
        for &bot in not_started {
            self.ledger.disqualify(bot, (NOT_STARTED, DisqualifiedFor::Refused), None);
        }
    }

    /// Why each bot of the plan is disqualified, if it is, and what tries it again.
    pub(super) fn disqualified(&self) -> Vec<Option<String>> {
        let ledger = &self.ledger;
        let why = |bot: usize| {
            let (why, cause) = ledger.disqualified(bot).zip(ledger.disqualified_for(bot))?;
            let advice = if ledger.is_stopped(bot) { "" } else { retry_advice(cause) };
            Some(format!("{why}{advice}"))
        };
        (0..self.planned.plan.bots.len()).map(why).collect()
    }

    /// What is to be played of the plan, where that is not all of it.
    pub(super) fn rows(&self) -> Vec<(&'static str, String)> {
        let mut rows = Vec::new();
        match &self.recorded {
            Some(recorded) => {
                rows.extend(recorded.update.as_ref().map(
                    |Update { changes, kept, gone, .. }| {
                        let effect = effect_of_update(*kept, *gone);
                        ("update", format!("{}; {effect}", changes.join(", ")))
                    },
                ));
                rows.push(("to play", self.after_recorded()));
                rows.extend(recorded.smaller_count.clone().map(|remark| ("count", remark)));
            }
            None => rows.extend(self.fewer_than_planned().map(|words| ("to play", words))),
        }
        rows
    }

    /// `3 of 66; 63 are played`, and how many more cannot be.
    fn after_recorded(&self) -> String {
        let (left, played, not_played) = (self.left(), self.ledger.counted(), self.not_played());
        let mut words =
            format!("{left} of {}; {}", left + played, counted(played, "is played", "are played"));
        if not_played > 0 {
            words += &format!(
                ", {not_played} more cannot be played: one of their bots is disqualified or does not run"
            );
        }
        words
    }

    /// `3 of 6`, and why a tournament that begins would not play the others; `None` if it plays all.
    fn fewer_than_planned(&self) -> Option<String> {
        let not_played = self.not_played();
        let words = || {
            format!(
                "{} of {}; {not_played} cannot be played: one of their bots {NOT_STARTED}",
                self.left(),
                self.ledger.planned()
            )
        };
        (not_played > 0).then(words)
    }

    /// How many matches the schedule has of bots that are disqualified or do not run.
    fn not_played(&self) -> u64 {
        self.ledger.planned().saturating_sub(self.ledger.playable())
    }

    /// Why there is nothing to play, in words.
    pub(super) fn nothing_to_play(&self) -> &'static str {
        if self.goes_on() { "nothing is left to play" } else { "nothing can be played" }
    }
}
