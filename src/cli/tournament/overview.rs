//! `--dry-run`: what would be played, and how long that takes.

use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

use super::estimate::{RecordedTimes, RoundTimes, by_trial, rounded};
use super::outlook::Outlook;
use super::planning::Planned;
use super::trial::Trials;
use crate::cli::failure::CliResult;
use crate::contest::moves_a_round;
use crate::record::{Digest, Shard};
use crate::report::{Width, format_text, openings_text, write_sentence};
use crate::text::{and_listed, duration_in_words, printable};
use crate::tournament::shard_of;

/// Most bots that are named for one reason.
const MOST_NAMED: usize = 10;

/// Writes an overview for a terminal. The bots' commands are shown as they are.
pub(super) fn write_overview(out: &mut dyn Write, overview: &str, width: Width) -> io::Result<()> {
    overview.lines().try_for_each(|line| {
        write_sentence(out, line, if line.starts_with(' ') { Width::Whole } else { width })
    })
}

impl Planned {
    /// What would be played by this outlook, in words.
    pub(super) fn overview(
        &self,
        shard: Shard,
        record: Option<&Path>,
        mut outlook: Outlook<'_>,
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
        let out = outlook.disqualified();
        let playing: Vec<usize> = (0..plan.bots.len()).filter(|&bot| out[bot].is_none()).collect();
        let measured = self.measure(&mut outlook, record, &playing)?;
        let with_more = outlook.with_those_of_more();
        rows.push(("matches", format!("{planned}{of_all}{with_more}")));
        rows.extend(outlook.rows());
        let to_play = outlook.left();
        if to_play == 0 {
            rows.push(("time", outlook.nothing_to_play().to_owned()));
            rows.extend(measured.trials().into_iter().flat_map(untimed_rows));
        } else {
            let moves = moves_a_round(&plan.rules, &plan.terms, openings);
            let matches = to_play as f64;
            let all = rounded(2.0 * moves * matches);
            rows.push(("moves", format!("about {all}, {moves:.0} a round by these rules")));
            rows.extend(self.time_rows(moves, matches, &measured, playing.len()));
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
            let out =
                out[place].as_deref().map(|why| format!(" (disqualified: {})", printable(why)));
            let out = out.unwrap_or_default();
            text += &format!("  {}: {command}{build}{out}\n", printable(&bot.name));
        }
        Ok(text)
    }

    /// By what the time of the matches between the bots that are `playing` is estimated: matches in the
    /// record, else a trial of each bot, after which those that are refused are out.
    fn measure(
        &self,
        outlook: &mut Outlook<'_>,
        record: Option<&Path>,
        playing: &[usize],
    ) -> CliResult<Measured> {
        if outlook.left() == 0 {
            return Ok(Measured::Nothing);
        }
        let bot = |&place: &usize| (&*self.plan.bots[place].name, self.versions[place].digest);
        let bots: Vec<(&str, Digest)> = playing.iter().map(bot).collect();
        if let Some(times) = record.and_then(|record| RecordedTimes::of(record, &bots)) {
            return Ok(Measured::Recorded(times));
        }
        let trials = self.try_bots(playing)?;
        outlook.leave_out(&trials.refused);
        Ok(Measured::Tried(trials))
    }

    /// The estimated time of `matches` matches, with as many `moves` a round, of a tournament with as
    /// many bots as `playing`. Also, which bots could not be tried.
    fn time_rows(
        &self,
        moves: f64,
        matches: f64,
        measured: &Measured,
        playing: usize,
    ) -> Vec<(&'static str, String)> {
        match measured {
            Measured::Nothing => Vec::new(),
            Measured::Recorded(times) => vec![("time", times.of_matches(matches))],
            Measured::Tried(trials) => {
                let rounds = RoundTimes::new(&self.plan.terms, self.plan.reuse_bots, moves);
                let mut rows = vec![("time", by_trial(rounds, matches, trials, playing))];
                rows.extend(untimed_rows(trials));
                rows
            }
        }
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

/// By what the time of matches is estimated.
enum Measured {
    /// There is nothing to play.
    Nothing,
    Recorded(RecordedTimes),
    Tried(Trials),
}

impl Measured {
    fn trials(&self) -> Option<&Trials> {
        match self {
            Measured::Tried(trials) => Some(trials),
            Measured::Nothing | Measured::Recorded(_) => None,
        }
    }
}

/// Which bots were not timed, and why.
fn untimed_rows(trials: &Trials) -> impl Iterator<Item = (&'static str, String)> {
    trials.untimed.iter().map(|(why, names)| {
        ("not timed", format!("{}: {why}", and_listed(names.iter().cloned(), MOST_NAMED)))
    })
}

#[cfg(test)]
mod tests {
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
