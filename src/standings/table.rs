//! The table, made from everything that was gathered.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::completeness::Completeness;
use super::gathering::Gathering;
use super::output::{
    CrosstableCell, RoundsAs, SprtState, Standings, StandingsFormat, StandingsRow,
};
use super::ranking::{self, RankBy};
use super::ratings::{Fixed, Ratings};
use super::remarks::{self, Remark};
use super::statistics::davidson::Comparison;
use super::statistics::elo::Scores;
use super::statistics::sprt::Verdict;
use super::statistics::sprt_terms::SprtTerms;
use super::tally::{BotTally, PairTally};
use super::times::Times;
use super::tournament::{Stop, Tournament};
use super::unreadable::Unreadable;
use crate::record::Digest;
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
}

/// Why standings cannot be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum NoStandings {
    /// The files contradict each other.
    #[error(transparent)]
    Unreadable(#[from] Unreadable),
    /// The anchor is not a bot of these files.
    #[error(
        "no bot is named {:?}, as --anchor says; there {}",
        printable(.name),
        listed(.known)
    )]
    UnknownAnchor {
        /// The name that was given.
        name: String,
        /// The names that there are.
        known: Vec<String>,
    },
    /// A test is about two bots.
    #[error("a test (--sprt) is about two bots; there {}", listed(.0))]
    NotTwoBots(Vec<String>),
    /// A test is about matches of two rounds.
    #[error("a test (--sprt) needs matches of two rounds; {0} of these have one")]
    OneRound(u64),
}

fn listed(names: &[String]) -> String {
    const MOST: usize = 10;
    let shown: Vec<String> = names.iter().take(MOST).map(|name| printable(name)).collect();
    let more = if names.len() > MOST { ", …" } else { "" };
    match names.len() {
        0 => "is none".to_owned(),
        1 => format!("is only {}", shown.join(", ")),
        count => format!("are {count}: {}{more}", shown.join(", ")),
    }
}

impl Gathering {
    /// The standings of everything that was read so far, and the remarks on them.
    ///
    /// # Errors
    ///
    /// As [`NoStandings`] says.
    pub fn standings(
        &mut self,
        options: &StandingsOptions,
    ) -> Result<(Standings, Vec<Remark>), NoStandings> {
        self.settle()?;
        Table::new(self, options)?.finish()
    }
}

/// What a table is made from, worked out once.
struct Table<'a> {
    all: &'a Gathering,
    options: &'a StandingsOptions,
    stops: Vec<Option<Stop>>,
    tallies: Vec<([u32; 2], PairTally)>,
    beyond: u64,
    disqualified: HashMap<&'a str, &'a str>,
    ratings: Ratings,
}

impl<'a> Table<'a> {
    fn new(all: &'a Gathering, options: &'a StandingsOptions) -> Result<Table<'a>, NoStandings> {
        let stops: Vec<Option<Stop>> = all.tournaments.iter().map(Tournament::stop).collect();
        let (mut tallies, beyond) = all.counted(&stops);
        // The same order whatever order the files came in, so that rounding is the same too.
        tallies.sort_unstable_by_key(|(bots, _)| *bots);
        let disqualified = all.disqualified();
        let anchor = options.anchor.as_ref().map(|(name, rating)| {
            let bot = all.names.find(name).ok_or_else(|| NoStandings::UnknownAnchor {
                name: name.clone(),
                known: all.names.names.clone(),
            })?;
            Ok::<Fixed, NoStandings>(Fixed { bot: bot as usize, rating: *rating })
        });
        let mut table = Table {
            all,
            options,
            stops,
            tallies,
            beyond,
            disqualified,
            ratings: Ratings::new(0, &[], None),
        };
        let data: Vec<Comparison> = table
            .counting()
            .map(|([one, other], tally)| tally.comparison(one as usize, other as usize))
            .collect();
        table.ratings = Ratings::new(all.names.names.len(), &data, anchor.transpose()?);
        Ok(table)
    }

    fn is_out(&self, bot: u32) -> bool {
        self.disqualified.contains_key(self.name(bot))
    }

    fn name(&self, bot: u32) -> &'a str {
        &self.all.names.names[bot as usize]
    }

    fn counts(&self, bots: [u32; 2]) -> bool {
        bots.iter().all(|bot| !self.is_out(*bot))
    }

    /// The tallies of pairs without a disqualified bot.
    fn counting(&self) -> impl Iterator<Item = ([u32; 2], &PairTally)> {
        let counting = self.tallies.iter().filter(|(bots, _)| self.counts(*bots));
        counting.map(|(bots, tally)| (*bots, tally))
    }

    fn finish(self) -> Result<(Standings, Vec<Remark>), NoStandings> {
        let mut rows = self.rows();
        ranking::sort(&mut rows, self.options.rank_by);
        let number = |name: &str| self.all.names.find(name).map(|bot| bot as usize);
        let group = |name: &str| self.ratings.group(number(name)?);
        ranking::rank(&mut rows, self.options.rank_by, group);
        let superiority = |pair: &[StandingsRow]| {
            let is_out = |row: &StandingsRow| row.disqualified.is_some();
            if pair.iter().any(is_out) {
                return None;
            }
            self.ratings.superiority(number(&pair[0].name)?, number(&pair[1].name)?)
        };
        let over_next: Vec<Option<f64>> = rows.windows(2).map(superiority).collect();
        for (row, los) in rows.iter_mut().zip(over_next) {
            row.los = los;
        }
        let complete = Completeness::new(self.all, &self.stops, &self.disqualified, &self.tallies);
        let matches = self.counting().map(|(_, tally)| tally.matches).sum();
        let standings = Standings {
            format: StandingsFormat::V1,
            tournaments: self.identities(),
            matches,
            planned: complete.planned,
            missing: complete.missing,
            unfinished: complete.unfinished,
            not_played: complete.not_played,
            beyond: self.beyond,
            distinct_games: self.all.distinct_games(&self.stops, |bots| self.counts(bots)),
            crosstable: self.crosstable(&rows),
            sprt: self.sprt()?,
            rows,
        };
        let remarks = remarks::remarks(self.all, &standings, &self.ratings);
        Ok((standings, remarks))
    }

    fn identities(&self) -> Vec<Digest> {
        self.all.tournaments.iter().map(|tournament| tournament.id).collect()
    }

    fn rows(&self) -> Vec<StandingsRow> {
        let bots = u32::try_from(self.all.names.names.len()).unwrap_or(u32::MAX);
        let mut totals: Vec<BotTally> = (0..bots).map(|_| BotTally::default()).collect();
        for ([one, other], tally) in &self.tallies {
            // A disqualified bot's matches are in its own row only.
            let counts = self.counts([*one, *other]);
            for (own, bot) in [one, other].into_iter().enumerate() {
                if counts || self.is_out(*bot) {
                    totals[*bot as usize].add(tally, own);
                }
            }
        }
        let out: HashSet<&str> = self.disqualified.keys().copied().collect();
        let byes = self.all.byes(&out);
        (0..bots)
            .zip(totals)
            .map(|(bot, total)| {
                self.row(bot, &total, byes.get(self.name(bot)).copied().unwrap_or(0))
            })
            .collect()
    }

    fn row(&self, bot: u32, total: &BotTally, byes: u64) -> StandingsRow {
        let name = self.name(bot);
        let disqualified = self.disqualified.get(name).map(|why| (*why).to_owned());
        let times = self.all.times_of(bot, &self.stops);
        let rating = if disqualified.is_some() { None } else { self.ratings.rating(bot as usize) };
        let rounds_as = |index: usize| RoundsAs {
            rounds: total.rounds[index],
            points: from_halves(total.halves[index]),
        };
        let faults: BTreeMap<_, _> =
            total.faults.counts().map(|(kind, times)| (kind, u64::from(times))).collect();
        StandingsRow {
            rank: None,
            rank_low: None,
            rank_high: None,
            name: name.to_owned(),
            matches: total.matches,
            won: total.won,
            drawn: total.drawn,
            lost: total.lost,
            points: from_halves(2 * (total.won + byes) + total.drawn),
            first: rounds_as(0),
            second: rounds_as(1),
            seeds_for: total.seeds_for,
            seeds_against: total.seeds_against,
            faults,
            double_faults: total.double_faults,
            median_ms: times.as_ref().and_then(Times::median_ms),
            longest_ms: times.as_ref().and_then(Times::longest_ms),
            rating: rating.map(|rating| rounded(rating.value)),
            rating_low: rating.map(|rating| rounded(rating.value - rating.error)),
            rating_high: rating.map(|rating| rounded(rating.value + rating.error)),
            los: None,
            disqualified,
        }
    }

    fn crosstable(&self, rows: &[StandingsRow]) -> Vec<Vec<Option<CrosstableCell>>> {
        let places: HashMap<&str, usize> =
            rows.iter().enumerate().map(|(place, row)| (row.name.as_str(), place)).collect();
        let mut table = vec![vec![None; rows.len()]; rows.len()];
        for (bots, tally) in self.counting().filter(|(_, tally)| tally.matches > 0) {
            let at = bots.map(|bot| places[self.name(bot)]);
            for (own, other) in [(0, 1), (1, 0)] {
                table[at[own]][at[other]] = Some(CrosstableCell {
                    won: tally.won[own],
                    drawn: tally.drawn(),
                    lost: tally.won[other],
                    seeds_for: tally.seeds[own],
                    seeds_against: tally.seeds[other],
                });
            }
        }
        table
    }

    fn sprt(&self) -> Result<Option<SprtState>, NoStandings> {
        if let Some(terms) = &self.options.sprt {
            let bots = self
                .all
                .names
                .names
                .iter()
                .filter(|name| !self.disqualified.contains_key(name.as_str()));
            let bots: Vec<String> = bots.cloned().collect();
            if bots.len() != 2 {
                return Err(NoStandings::NotTwoBots(bots));
            }
            let tally = self.counting().next().map(|(_, tally)| tally.clone()).unwrap_or_default();
            let pairs = tally.pairs;
            let one_round = tally.matches - pairs.iter().sum::<u64>();
            if one_round > 0 {
                return Err(NoStandings::OneRound(one_round));
            }
            let llr = terms.llr(&Scores::Pairs(pairs));
            return Ok(Some(sprt_state(terms, pairs, llr, terms.verdict(llr))));
        }
        let mut stops = self.stops.iter().flatten();
        let (Some(Stop { sprt, decided }), None) = (stops.next(), stops.next()) else {
            return Ok(None);
        };
        let verdict = decided.map(|(_, verdict)| verdict);
        Ok(Some(sprt_state(sprt.terms(), sprt.pairs(), sprt.llr(), verdict)))
    }
}

/// To a ten-thousandth: what is beyond depends on the order of additions.
fn rounded(rating: f64) -> f64 {
    (rating * 1e4).round() / 1e4 + 0.0
}

fn sprt_state(terms: &SprtTerms, pairs: [u64; 5], llr: f64, verdict: Option<Verdict>) -> SprtState {
    let scores = Scores::Pairs(pairs);
    let (elo, nelo) = (scores.elo(), scores.normalised_elo());
    SprtState {
        elo0: terms.elo0(),
        elo1: terms.elo1(),
        model: terms.model(),
        pairs,
        llr,
        lower: terms.lower(),
        upper: terms.upper(),
        verdict,
        elo: elo.map(|elo| elo.value),
        elo_error: elo.map(|elo| elo.error),
        nelo: nelo.map(|nelo| nelo.value),
        nelo_error: nelo.map(|nelo| nelo.error),
        los: scores.superiority(),
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts far below 2^52")]
fn from_halves(halves: u64) -> f64 {
    halves as f64 / 2.0
}
