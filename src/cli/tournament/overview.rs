//! `--dry-run`: what would be played, and how long that takes.

use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

use super::Args;
use super::estimate::{RoundTimes, by_record, by_trial, rounded};
use super::notices::{check_retry, effect_of_update, smaller_count};
use super::planning::Planned;
use super::running::of_journal;
use crate::cli::failure::CliResult;
use crate::contest::{Fixture, Pairings, moves_a_round};
use crate::record::{Digest, Shard};
use crate::report::{Width, format_text, openings_text, write_sentence};
use crate::text::{and_listed, counted, duration_in_words, printable};
use crate::tournament::{Journal, ResumedState, Update, retry_advice, shard_of};

/// Most bots that are named for one reason.
const MOST_NAMED: usize = 10;

/// Matches with which a tournament goes on.
pub(super) struct RecordedMatches {
    /// How many count.
    played: u64,
    /// How many are to be played.
    left: u64,
    /// How many others the schedule has, of bots that are disqualified or do not run.
    not_played: u64,
    /// Why each bot of the plan is disqualified, if it is, and what tries it again.
    disqualified: Vec<Option<String>>,
    /// What an update would change.
    update: Option<Update>,
    /// That they are of more openings than the plan, in words, if so.
    smaller_count: Option<String>,
}

impl RecordedMatches {
    /// `3 of 66; 63 are played`, and how many more cannot be.
    fn in_words(&self) -> String {
        let RecordedMatches { played, left, not_played, .. } = *self;
        let mut words =
            format!("{left} of {}; {}", left + played, counted(played, "is played", "are played"));
        if not_played > 0 {
            words += &format!(
                ", {not_played} more cannot be played: one of their bots is disqualified or does not run"
            );
        }
        words
    }
}

/// Writes an overview for a terminal. The bots' commands are shown as they are.
pub(super) fn write_overview(out: &mut dyn Write, overview: &str, width: Width) -> io::Result<()> {
    overview.lines().try_for_each(|line| {
        write_sentence(out, line, if line.starts_with(' ') { Width::Whole } else { width })
    })
}

impl Planned {
    /// What the record file holds with which the tournament would go on.
    ///
    /// # Errors
    ///
    /// When it would be refused.
    pub(super) fn look_at_record(&self, args: &Args) -> CliResult<Option<RecordedMatches>> {
        let go_on = args.go_on();
        let Some(record) = &args.record else { return Ok(None) };
        let mut resumed = ResumedState::new(&self.plan, self.schedule.clone(), args.shard);
        let heading = self.heading(args);
        let found = Journal::look(record, &heading, go_on, &mut |entry| resumed.add(entry));
        let found = found.map_err(of_journal(args))?;
        resumed.recount(found.update.is_some());
        self.obstacles().for_each(|(place, _)| resumed.ledger.stop(place));
        check_retry(args, &self.plan, &resumed)?;
        if args.retry_disqualified {
            resumed.retry_disqualified();
        }
        let ledger = &mut resumed.ledger;
        ledger.disqualify_faulty();
        let played = ledger.counted();
        let playable = ledger.playable();
        let left = if ledger.has_decided() {
            0
        } else if found.count > self.plan.count && self.plan.pairings != Pairings::Swiss {
            // Matches of more openings count, too, and none of them is to be played.
            let next = |last: &Fixture| ledger.next_from(last.number + 1);
            std::iter::successors(ledger.next_from(1), next).count() as u64
        } else {
            playable.saturating_sub(played)
        };
        let why = |bot: usize| {
            let (why, cause) = ledger.disqualified(bot).zip(ledger.disqualified_for(bot))?;
            let advice = if ledger.is_stopped(bot) { "" } else { retry_advice(cause) };
            Some(format!("{why}{advice}"))
        };
        let bots = 0..self.plan.bots.len();
        Ok(found.resumed.then(|| RecordedMatches {
            played,
            left,
            not_played: ledger.planned().saturating_sub(playable),
            disqualified: bots.map(why).collect(),
            smaller_count: smaller_count(self, &found),
            update: found.update,
        }))
    }

    /// What would be played, in words.
    pub(super) fn overview(
        &self,
        shard: Shard,
        record: Option<&Path>,
        recorded: Option<&RecordedMatches>,
    ) -> CliResult<String> {
        let Planned { plan, schedule, openings, .. } = self;
        let mut rows: Vec<(&str, String)> = Vec::new();
        rows.extend(plan.name.as_ref().map(|name| ("tournament", printable(name))));
        rows.push(("id", plan.id().to_string()));
        rows.push(("format", format_text(plan.pairings, plan.count)));
        rows.push(("rules", plan.rules.name.to_string()));
        let there = openings.len() as u64;
        rows.push(("openings", openings_text(&plan.openings, there, plan.repeat)));
        let planned = shard_of(shard, schedule.matches());
        let of_all = match shard {
            Shard::WHOLE => String::new(),
            shard => format!(", shard {shard} of {}", schedule.matches()),
        };
        rows.push(("matches", format!("{planned}{of_all}")));
        if let Some(recorded) = recorded {
            rows.extend(recorded.update.as_ref().map(|Update { changes, kept, gone, .. }| {
                let effect = effect_of_update(*kept, *gone);
                ("update", format!("{}; {effect}", changes.join(", ")))
            }));
            rows.push(("to play", recorded.in_words()));
            rows.extend(recorded.smaller_count.clone().map(|remark| ("count", remark)));
        }
        let to_play = recorded.map_or(planned, |it| it.left);
        if to_play == 0 {
            rows.push(("time", "nothing is left to play".to_owned()));
        } else {
            let is_disqualified =
                |place: usize| recorded.is_some_and(|it| it.disqualified[place].is_some());
            let playing: Vec<usize> =
                (0..plan.bots.len()).filter(|&place| !is_disqualified(place)).collect();
            let moves = moves_a_round(&plan.rules, &plan.terms, openings);
            let matches = to_play as f64;
            let all = rounded(2.0 * moves * matches);
            rows.push(("moves", format!("about {all}, {moves:.0} a round by these rules")));
            rows.extend(self.time_rows(moves, matches, record, &playing)?);
            rows.push(("at most", self.longest(to_play)));
        }
        rows.extend(plan.check.then(|| ("check", "each bot before the first match".to_owned())));
        rows.extend(plan.anonymous.then(|| ("names", "hidden from bots".to_owned())));
        rows.push(("bots", plan.bots.len().to_string()));
        let mut text = String::new();
        for (label, value) in rows {
            text += &format!("{label:<12}{value}\n");
        }
        for (place, bot) in plan.bots.iter().enumerate() {
            let build = match bot.build.as_slice() {
                [] => String::new(),
                words => format!(", built by {}", printable(&shell_words::join(words))),
            };
            let command = printable(&shell_words::join(&bot.command));
            let why = recorded.and_then(|it| it.disqualified[place].as_deref());
            let out = why.map(|why| format!(" (disqualified: {})", printable(why)));
            let out = out.unwrap_or_default();
            text += &format!("  {}: {command}{build}{out}\n", printable(&bot.name));
        }
        Ok(text)
    }

    /// The estimated time of `matches` matches of the bots that are `playing`, with as many
    /// `moves` a round: by matches in the record, else by a trial of each bot. Also, which bots could
    /// not be tried.
    fn time_rows(
        &self,
        moves: f64,
        matches: f64,
        record: Option<&Path>,
        playing: &[usize],
    ) -> CliResult<Vec<(&'static str, String)>> {
        let bot = |&place: &usize| (&*self.plan.bots[place].name, self.versions[place].digest);
        let bots: Vec<(&str, Digest)> = playing.iter().map(bot).collect();
        if let Some(time) = record.and_then(|record| by_record(matches, record, &bots)) {
            return Ok(vec![("time", time)]);
        }
        let trials = self.try_bots(playing)?;
        let rounds = RoundTimes::new(&self.plan.terms, self.plan.reuse_bots, moves);
        let mut rows = vec![("time", by_trial(rounds, matches, &trials, playing.len()))];
        rows.extend(trials.untimed.into_iter().map(|(why, names)| {
            ("not timed", format!("{}: {why}", and_listed(names, MOST_NAMED)))
        }));
        Ok(rows)
    }

    /// The longest that `matches` matches can take one after another.
    fn longest(&self, matches: u64) -> String {
        let terms = &self.plan.terms;
        let (time, moves) = (&terms.time, terms.max_moves);
        let in_moves =
            time.move_time.map(|limit| (limit + time.margin).saturating_mul(moves.get()));
        let in_banks = time.game_time.map(|bank| (bank + time.margin).saturating_mul(2));
        let round = match (in_moves, in_banks) {
            (Some(moves), Some(banks)) => moves.min(banks),
            (Some(time), None) | (None, Some(time)) => time,
            (None, None) => return "without limit".to_owned(),
        };
        let a_match = (round + time.start_time.saturating_mul(2)).saturating_mul(2);
        let nanos = a_match.as_nanos().saturating_mul(matches.into());
        let seconds = u64::try_from(nanos.div_ceil(1_000_000_000)).unwrap_or(u64::MAX);
        let total = duration_in_words(Duration::from_secs(seconds));
        format!(
            "{total} on one core, if every move took all of its time, with {moves} moves a round"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::super::trial::Trials;
    use super::*;
    use crate::record::Terms;

    #[test]
    fn an_overview_fits_the_terminal() {
        let rounds = RoundTimes::new(&Terms::default(), None, 20.0);
        let text = format!(
            "matches     12\ntime        {}\nat most     7h 9m 36s on one core, if every move took \
             all of its time, with 1000 moves a round\n  ann: python3 {}\n",
            by_trial(rounds, 1000.0, &Trials::default(), 2),
            "a ".repeat(50)
        );
        let shown = |width| {
            let mut out = Vec::new();
            write_overview(&mut out, &text, width).unwrap();
            String::from_utf8(out).unwrap()
        };
        assert_eq!(shown(Width::Whole), text);
        for width in [40, 60, 80, 120] {
            let shown = shown(Width::Columns(width));
            let mut lines = shown.lines().filter(|line| !line.contains("ann: "));
            assert!(lines.all(|line| line.len() <= width), "{shown}");
        }
    }
}
