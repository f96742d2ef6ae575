//! The table, made from all collected results.

use std::collections::{BTreeMap, HashMap};

use super::CollectedResults;
use super::completeness::Completeness;
use super::crosstable::{Crosstable, CrosstableCell};
use super::differences::Mergeable;
use super::output::{RoundsAs, Standings, StandingsFormat, StandingsRow};
use super::ranking::{self, RankBy};
use super::ratings::{Fixed, Ratings};
use super::remarks::{self, listed};
use super::statistics::davidson::Comparison;
use super::statistics::sprt_terms::SprtTerms;
use super::tally::{BotTotals, PairTally};
use super::tested::Tested;
use super::times::MoveTimes;
use super::tournament::TestEnd;
use super::unreadable::UnreadableFiles;
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
    #[error(
        "no bot is named {:?}, as --anchor says; there {}",
        printable(.name),
        counted_names(.known)
    )]
    UnknownAnchor {
        /// The name that was given.
        name: String,
        /// The names that there are.
        known: Vec<String>,
    },
    /// A test is about two bots.
    #[error("a test (--sprt) is about two bots; there {}", counted_names(.0))]
    NotTwoBots(Vec<String>),
    /// A test is about matches of two rounds.
    #[error("a test (--sprt) needs matches of two rounds; {0} of these have one")]
    OneRound(u64),
}

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
        self.check_and_sort()?;
        let merged = self.merged(&options.merge)?;
        TableParts::new(self, options)?.finish(merged)
    }
}

/// What a table is made from, worked out once.
struct TableParts<'a> {
    all: &'a CollectedResults,
    options: &'a StandingsOptions,
    ends: Vec<Option<TestEnd>>,
    /// The last match of each tournament that counts.
    lasts: Vec<u64>,
    tallies: Vec<([u32; 2], PairTally)>,
    beyond: u64,
    disqualified: HashMap<&'a str, &'a str>,
    /// By the number of the bot.
    is_out: Vec<bool>,
    ratings: Ratings,
}

impl<'a> TableParts<'a> {
    fn new(
        all: &'a CollectedResults,
        options: &'a StandingsOptions,
    ) -> Result<TableParts<'a>, NoStandings> {
        let ends = all.test_ends();
        let last = |end: &Option<TestEnd>| Some(end.as_ref()?.decided?.0);
        let lasts: Vec<u64> = ends.iter().map(|end| last(end).unwrap_or(u64::MAX)).collect();
        let (mut tallies, beyond) = all.tallies(&lasts);
        // The same order whatever order the files came in, so that rounding is the same too.
        tallies.sort_unstable_by_key(|(bots, _)| *bots);
        let disqualified = all.disqualified();
        let names = all.names.all();
        let is_out = names.iter().map(|name| disqualified.contains_key(name.as_str())).collect();
        let anchor = options.anchor.as_ref().map(|(name, rating)| {
            let bot = all.names.find(name).ok_or_else(|| NoStandings::UnknownAnchor {
                name: name.clone(),
                known: names.to_vec(),
            })?;
            Ok::<Fixed, NoStandings>(Fixed { bot: bot as usize, rating: *rating })
        });
        let ratings = Ratings::new(0, &[], None);
        let mut table = TableParts {
            all,
            options,
            ends,
            lasts,
            tallies,
            beyond,
            disqualified,
            is_out,
            ratings,
        };
        let data: Vec<Comparison> = table
            .counting()
            .map(|([one, other], tally)| tally.comparison(one as usize, other as usize))
            .collect();
        table.ratings = Ratings::new(names.len(), &data, anchor.transpose()?);
        Ok(table)
    }

    fn counts(&self, bots: [u32; 2]) -> bool {
        !bots.iter().any(|bot| self.is_out[*bot as usize])
    }

    /// The tallies of pairs without a disqualified bot.
    fn counting(&self) -> impl Iterator<Item = ([u32; 2], &PairTally)> {
        let counting = self.tallies.iter().filter(|(bots, _)| self.counts(*bots));
        let met = counting.filter(|(_, tally)| tally.matches > 0);
        met.map(|(bots, tally)| (*bots, tally))
    }

    fn finish(self, merged: Vec<Mergeable>) -> Result<(Standings, Vec<String>), NoStandings> {
        let byes = self.all.byes();
        let mut rows = self.rows(&byes);
        ranking::set_shares(&mut rows, &byes);
        ranking::sort(&mut rows, self.options.rank_by);
        let number = |name: &str| self.all.names.find(name).map(|bot| bot as usize);
        let group = |name: &str| self.ratings.group(number(name)?);
        ranking::rank(&mut rows, self.options.rank_by, group);
        for index in 1..rows.len() {
            let [row, next] = &mut rows[index - 1..=index] else { continue };
            if row.disqualified.is_none() && next.disqualified.is_none() {
                let both = number(&row.name).zip(number(&next.name));
                row.los = both.and_then(|(one, other)| self.ratings.superiority(one, other));
            }
        }
        let complete = Completeness::new(self.all, &self.lasts, &self.is_out, &self.tallies);
        let tested = self.tested()?;
        let standings = Standings {
            format: StandingsFormat::V1,
            tournaments: self.all.tournaments.iter().map(|tournament| tournament.id).collect(),
            matches: self.counting().map(|(_, tally)| tally.matches).sum(),
            planned: complete.planned,
            missing: complete.missing,
            unfinished: complete.unfinished,
            not_played: complete.not_played,
            beyond: self.beyond,
            distinct_games: self.all.distinct_games(&self.lasts, |bots| self.counts(bots)),
            merged,
            crosstable: Some(self.crosstable(&rows)),
            sprt: tested.as_ref().map(|tested| tested.state.clone()),
            rows,
        };
        let tested = tested.as_ref().map(|tested| &tested.bots);
        let remarks = remarks::remarks(self.all, &standings, &self.ratings, tested);
        Ok((standings, remarks))
    }

    fn rows(&self, byes: &HashMap<&str, u64>) -> Vec<StandingsRow> {
        let names = self.all.names.all();
        let mut totals = vec![BotTotals::default(); names.len()];
        for (bots, tally) in &self.tallies {
            // A disqualified bot's matches are in its own row only.
            let counts = self.counts(*bots);
            for (own, bot) in bots.iter().enumerate() {
                if counts || self.is_out[*bot as usize] {
                    totals[*bot as usize].add(tally, own);
                }
            }
        }
        let times = self.all.times(&self.lasts);
        let rows = totals.iter().enumerate().map(|(bot, total)| {
            let times = times.as_ref().map(|times| times[bot].all());
            let byes = byes.get(names[bot].as_str()).copied().unwrap_or(0);
            self.row(bot, total, if self.is_out[bot] { 0 } else { byes }, times)
        });
        rows.collect()
    }

    fn row(
        &self,
        bot: usize,
        total: &BotTotals,
        byes: u64,
        times: Option<&MoveTimes>,
    ) -> StandingsRow {
        let name = self.all.names.all()[bot].clone();
        let rating = if self.is_out[bot] { None } else { self.ratings.rating(bot) };
        let own = &total.own;
        let rounds_as = |order: usize| RoundsAs {
            rounds: own.rounds[order],
            points: from_halves(own.halves[order]),
        };
        let faults: BTreeMap<_, _> =
            own.faults.counts().map(|(kind, times)| (kind, u64::from(times))).collect();
        StandingsRow {
            rank: None,
            rank_low: None,
            rank_high: None,
            disqualified: self.disqualified.get(name.as_str()).map(|why| (*why).to_owned()),
            name,
            matches: total.matches,
            won: own.won,
            drawn: total.drawn,
            lost: total.lost,
            points: from_halves(2 * (own.won + byes) + total.drawn),
            share: None,
            first: rounds_as(0),
            second: rounds_as(1),
            seeds_for: own.seeds,
            seeds_against: total.seeds_against,
            faults,
            double_faults: total.double_faults,
            median_ms: times.and_then(MoveTimes::median_ms),
            longest_ms: times.and_then(MoveTimes::longest_ms),
            mean_ms: times.and_then(MoveTimes::mean_ms),
            p95_ms: times.and_then(MoveTimes::p95_ms),
            limit_share: times.and_then(MoveTimes::limit_share),
            rating: rating.map(|rating| rounded(rating.value)),
            rating_low: rating.map(|rating| rounded(rating.value - rating.error)),
            rating_high: rating.map(|rating| rounded(rating.value + rating.error)),
            los: None,
        }
    }

    fn crosstable(&self, rows: &[StandingsRow]) -> Crosstable {
        let mut places = vec![0; rows.len()];
        for (place, row) in rows.iter().enumerate() {
            if let Some(bot) = self.all.names.find(&row.name) {
                places[bot as usize] = place;
            }
        }
        let mut table = Crosstable::new(rows.len());
        for (bots, tally) in self.counting() {
            let at = bots.map(|bot| places[bot as usize]);
            for (own, other) in [(0, 1), (1, 0)] {
                let cell = CrosstableCell {
                    won: tally.sides[own].won,
                    drawn: tally.drawn(),
                    lost: tally.sides[other].won,
                    seeds_for: tally.sides[own].seeds,
                    seeds_against: tally.sides[other].seeds,
                };
                table.push(at[own], at[other], cell);
            }
        }
        table.sort();
        table
    }

    fn tested(&self) -> Result<Option<Tested>, NoStandings> {
        let Some(terms) = &self.options.sprt else {
            return Ok(Tested::of_plan(self.all, &self.ends));
        };
        let names = self.all.names.all().iter().zip(&self.is_out);
        let bots = names.filter(|(_, is_out)| !**is_out).map(|(name, _)| name.as_str());
        Tested::asked_for(terms, self.all, bots, self.counting().next()).map(Some)
    }
}

/// To a ten-thousandth: what is beyond depends on the order of additions.
fn rounded(rating: f64) -> f64 {
    (rating * 1e4).round() / 1e4 + 0.0
}

#[expect(clippy::cast_precision_loss, reason = "counts far below 2^52")]
fn from_halves(halves: u64) -> f64 {
    halves as f64 / 2.0
}
