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
    is_strict: bool,
    /// Whether bots were left out.
    has_refused: bool,
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
        let outlook = |ledger, recorded| Outlook {
            planned: self,
            ledger,
            is_strict: args.strict,
            has_refused: false,
            recorded,
        };
        let Some(record) = &args.record else { return Ok(outlook(resumed.ledger, None)) };
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
        Ok(outlook(ledger, recorded))
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
        if ledger.has_decided() || self.strict_stops() {
            0
        } else if self.are_of_more() && self.planned.plan.pairings != Pairings::Swiss {
            // Matches of more openings count, too, and none of them is to be played.
            let next = |last: &Fixture| ledger.next_from(last.number + 1);
            std::iter::successors(ledger.next_from(1), next).count() as u64
        } else {
            ledger.playable().saturating_sub(ledger.counted())
        }
    }

    fn are_of_more(&self) -> bool {
        self.recorded.as_ref().is_some_and(|recorded| recorded.are_of_more)
    }

    /// Whether nothing is played because of bots that are refused.
    fn strict_stops(&self) -> bool {
        self.is_strict && self.has_refused
    }

    /// Leaves out bots that do not start, or will not pass the check, as the tournament would.
    pub(super) fn leave_out(&mut self, refused: &[usize]) {
        self.has_refused = !refused.is_empty();
        for &bot in refused {
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

    /// How many matches there are with those of more openings than the plan has; empty if there are none.
    pub(super) fn with_those_of_more(&self) -> String {
        let all = self.left() + self.ledger.counted();
        let words = || format!(", {all} with those of the record file");
        self.are_of_more().then(words).unwrap_or_default()
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
            let why = self.why_not_played("is disqualified or does not run");
            words += &format!(", {not_played} more cannot be played: {why}");
        }
        words
    }

    /// `3 of 6`, and why a tournament that begins would not play the others; `None` if it plays all.
    fn fewer_than_planned(&self) -> Option<String> {
        let (left, planned, not_played) = (self.left(), self.ledger.planned(), self.not_played());
        let why = self.why_not_played(self.refused());
        let words = || format!("{left} of {planned}; {not_played} cannot be played: {why}");
        (not_played > 0).then(words)
    }

    /// How many matches the schedule has that will not be played: of bots that are disqualified or do
    /// not run, or all.
    fn not_played(&self) -> u64 {
        let stays =
            if self.strict_stops() { self.ledger.counted() } else { self.ledger.playable() };
        self.ledger.planned().saturating_sub(stays)
    }

    /// Why matches will not be played, of which one bot each is as `it_is`.
    fn why_not_played(&self, it_is: &str) -> String {
        if self.strict_stops() {
            format!("--strict plays nothing while a bot {}", self.refused())
        } else {
            format!("one of their bots {it_is}")
        }
    }

    /// What a bot does that is left out.
    fn refused(&self) -> &'static str {
        if self.planned.plan.check {
            "does not start, or is at fault in its trial"
        } else {
            NOT_STARTED
        }
    }

    /// Why there is nothing to play, in words.
    pub(super) fn nothing_to_play(&self) -> &'static str {
        if self.goes_on() { "nothing is left to play" } else { "nothing can be played" }
    }
}
