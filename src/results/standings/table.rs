//! The table, made from all collected results.

use super::completeness::Completeness;
use super::crosstable::Crosstable;
use super::output::{SprtState, Standings, StandingsFormat, StandingsRow};
use super::ranking::{self, RankBy};
use super::ratings::Ratings;
use super::remarks::{self, listed};
use super::statistics::davidson::Comparison;
use super::tally::PairTally;
use super::times::BotTimes;
use super::tournament::TestEnd;
use super::{CollectedResults, Mergeable, SprtTerms, UnreadableFiles};
use crate::text::printable;

/// How standings are made.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StandingsOptions {
    /// What bots are ranked by.
    pub rank_by: RankBy,
    /// A bot whose rating is given; without one the mean of all ratings is 0.
    pub anchor: Option<(String, f64)>,
    /// A test of two bots; without one, that of the plan.
    pub sprt: Option<SprtTerms>,
    /// What matches that are added up may differ in.
    pub merge: Vec<Mergeable>,
}

/// Why standings cannot be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum NoStandings {
    /// The files contradict each other, or differ in what was not to be merged.
    #[error(transparent)]
    UnreadableFiles(#[from] UnreadableFiles),
    /// The anchor is not a bot of these files.
    #[error("{0}")]
    UnknownAnchor(String),
    /// A test is about two bots.
    #[error("a test (--sprt) is about two bots; there {}", counted_names(.0))]
    NotTwoBots(Vec<String>),
    /// A test is about matches of two rounds.
    #[error("a test (--sprt) needs matches of two rounds; {0} of these have one")]
    OneRound(u64),
}

/// That `option` names a bot that is not there; `known` are the names of those that are.
pub fn unknown_bot(name: &str, option: &str, known: &[String]) -> String {
    let (name, there) = (printable(name), counted_names(known));
    format!("no bot is named {name:?}, as {option} says; there {there}")
}

/// `is only a`, or `are 3: a, b, c`.
fn counted_names(names: &[String]) -> String {
    match names.len() {
        0 => "is not one".to_owned(),
        1 => format!("is only {}", listed(names)),
        count => format!("are {count}: {}", listed(names)),
    }
}

impl CollectedResults {
    /// The standings, and remarks for readers of the table.
    ///
    /// # Errors
    ///
    /// As [`NoStandings`] says.
    pub fn standings(
        &mut self,
        options: &StandingsOptions,
    ) -> Result<(Standings, Vec<String>), NoStandings> {
        let merged = self.expect_mergeable(&options.merge)?;
        TableParts::new(self, options).finish(merged)
    }
}

/// What a table is made from, worked out once.
struct TableParts<'a> {
    all: &'a CollectedResults,
    options: &'a StandingsOptions,
    ends: Vec<Option<TestEnd>>,
    /// The last match of each tournament that counts.
    lasts: Vec<u64>,
    /// Whether a bot is disqualified, by its number.
    is_disqualified: Vec<bool>,
    /// Matches of two bots that count, and those that do not for one of the two is disqualified.
    counting: Vec<([u32; 2], PairTally)>,
    of_disqualified: Vec<([u32; 2], PairTally)>,
    beyond: u64,
    ratings: Ratings,
}

impl<'a> TableParts<'a> {
    fn new(all: &'a CollectedResults, options: &'a StandingsOptions) -> TableParts<'a> {
        let ends = all.test_ends();
        let lasts = TestEnd::last_matches(&ends);
        let names = all.names.all();
        let disqualified = all.disqualified();
        let is_disqualified: Vec<bool> =
            names.iter().map(|name| disqualified.contains_key(name.as_str())).collect();
        let (mut tallies, beyond) = all.tallies(&lasts);
        tallies.retain(|(_, tally)| tally.matches > 0);
        // The same order whatever order the files came in, so that rounding is the same too.
        tallies.sort_unstable_by_key(|(bots, _)| *bots);
        let (of_disqualified, counting): (Vec<_>, Vec<_>) = tallies
            .into_iter()
            .partition(|(bots, _)| bots.iter().any(|bot| is_disqualified[*bot as usize]));
        let anchor = options.anchor.as_ref();
        let anchor =
            anchor.and_then(|(name, rating)| Some((all.names.find(name)? as usize, *rating)));
        let comparisons: Vec<Comparison> =
            counting.iter().map(|(bots, tally)| tally.comparison(*bots)).collect();
        let ratings = Ratings::new(names.len(), &comparisons, anchor);
        TableParts {
            all,
            options,
            ends,
            lasts,
            is_disqualified,
            counting,
            of_disqualified,
            beyond,
            ratings,
        }
    }

    fn finish(self, merged: Vec<Mergeable>) -> Result<(Standings, Vec<String>), NoStandings> {
        let mut rows = self.rows();
        let is_former = |row: &StandingsRow| {
            row.matches == 0 && self.all.tournaments.iter().any(|of| of.former.contains(&row.name))
        };
        rows.retain(|row| !is_former(row));
        if let Some((name, _)) = &self.options.anchor
            && !rows.iter().any(|row| row.name == *name)
        {
            let known: Vec<String> = rows.into_iter().map(|row| row.name).collect();
            return Err(NoStandings::UnknownAnchor(unknown_bot(name, "--anchor", &known)));
        }
        ranking::set_shares(&mut rows);
        ranking::sort(&mut rows, self.options.rank_by, self.all.ordering_names());
        ranking::rank(&mut rows, self.options.rank_by, |bot| self.ratings.group(bot));
        for index in 1..rows.len() {
            let [row, next] = &mut rows[index - 1..=index] else { continue };
            let los = self.ratings.superiority(row.bot, next.bot);
            row.los = los.map(|los| (los * 1e9).round() / 1e9);
        }
        let complete = Completeness::new(self.all, &self.lasts);
        let matches =
            |of: &[([u32; 2], PairTally)]| of.iter().map(|(_, tally)| tally.matches).sum();
        let recorded: u64 = matches(&self.of_disqualified);
        let standings = Standings {
            format: StandingsFormat::V1,
            tournaments: self.all.tournaments.iter().map(|tournament| tournament.id).collect(),
            matches: matches(&self.counting),
            planned: complete.planned,
            missing: complete.missing,
            unfinished: complete.unfinished.iter().map(|of| of.len() as u64).sum(),
            not_played: recorded + complete.not_played,
            retired: complete.retired,
            beyond: self.beyond,
            distinct_games: self.all.distinct_games(&self.lasts, &self.is_disqualified),
            merged,
            crosstable: Some(self.crosstable(&rows)),
            sprt: self.tested()?,
            trend: None,
            rows,
        };
        let rank_by = self.options.rank_by;
        let mut remarks =
            remarks::remarks(self.all, &standings, &complete.unfinished, (&self.ratings, rank_by));
        let one_round = self.counting.iter().map(|(_, tally)| tally.of_one_round()).sum();
        remarks.extend(remarks::of_one_round(one_round, standings.matches));
        let anchor = self.options.anchor.as_ref().map(|(name, _)| name);
        let rated = |name: &String| self.ratings.group(self.all.names.find(name)? as usize);
        if let Some(name) = anchor.filter(|name| rated(name).is_none()) {
            let name = printable(name);
            remarks.push(format!(
                "{name} (--anchor) has no match that counts, so the mean of the ratings is 0."
            ));
        }
        Ok((standings, remarks))
    }

    /// A row for each bot, by their numbers, without what follows from all rows.
    fn rows(&self) -> Vec<StandingsRow> {
        let names = self.all.names.all();
        let (disqualified, byes) = (self.all.disqualified(), self.all.byes());
        let row = |(bot, name): (usize, &String)| {
            let out = disqualified.get(name.as_str());
            let byes = byes.get(name.as_str()).copied();
            StandingsRow {
                bot,
                name: name.clone(),
                byes: byes.unwrap_or(0),
                disqualified: out.map(|out| out.why.clone()),
                disqualified_for: out.map(|out| out.cause),
                disqualified_output: out.and_then(|out| out.output.clone()),
                ..StandingsRow::default()
            }
        };
        let mut rows: Vec<StandingsRow> = names.iter().enumerate().map(row).collect();
        for (bots, tally) in &self.counting {
            for (own, bot) in bots.iter().enumerate() {
                tally.add_to(&mut rows[*bot as usize], own);
            }
        }
        for (bots, tally) in &self.of_disqualified {
            for (own, bot) in bots.iter().enumerate() {
                let row = &mut rows[*bot as usize];
                if row.disqualified.is_some() {
                    tally.add_to(row, own);
                } else {
                    row.left_out += tally.matches;
                }
            }
        }
        for row in &mut rows {
            row.points = from_halves(2 * (row.won + row.byes) + row.drawn);
            // A disqualified bot has no match that counts, and so no rating.
            let rating = self.ratings.rating(row.bot);
            row.rating = rating.map(|rating| rounded(rating.value));
            row.rating_low = rating.map(|rating| rounded(rating.value - rating.error));
            row.rating_high = rating.map(|rating| rounded(rating.value + rating.error));
        }
        for (row, versions) in rows.iter_mut().zip(self.all.added_versions()) {
            if row.matches > 0 {
                row.versions = versions;
            }
        }
        let times = self.all.times(&self.lasts);
        for (row, times) in rows.iter_mut().zip(times.iter().flatten().map(BotTimes::all)) {
            row.median_ms = times.median_ms();
            row.longest_ms = times.longest_ms();
            row.mean_ms = times.mean_ms();
            row.p95_ms = times.p95_ms();
            row.limit_share = times.limit_share();
        }
        rows
    }

    fn crosstable(&self, rows: &[StandingsRow]) -> Crosstable {
        let mut places = vec![0; self.all.names.all().len()];
        rows.iter().enumerate().for_each(|(place, row)| places[row.bot] = place);
        let mut table = Crosstable::new(rows.len());
        for (bots, tally) in &self.counting {
            let [one, other] = bots.map(|bot| places[bot as usize]);
            table.set(one, other, tally.cell(0));
            table.set(other, one, tally.cell(1));
        }
        table
    }

    fn tested(&self) -> Result<Option<SprtState>, NoStandings> {
        let Some(terms) = &self.options.sprt else {
            return Ok(SprtState::of_plan(self.all, &self.ends));
        };
        SprtState::asked_for(terms, self.all, self.counting.first()).map(Some)
    }
}

/// To a ten-thousandth, as `los` to a thousand-millionth: what is beyond depends on the order of additions.
fn rounded(rating: f64) -> f64 {
    (rating * 1e4).round() / 1e4 + 0.0
}

fn from_halves(halves: u64) -> f64 {
    halves as f64 / 2.0
}
