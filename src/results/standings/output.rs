//! Standings as values, alone and side by side, and as JSON.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::crosstable::{Crosstable, DenseCrosstable};
use super::{Mergeable, SprtModel, SprtVerdict};
use crate::protocol::FaultKind;
use crate::record::{Digest, DisqualifiedFor};

/// A table of bots and what it is made from. A field whose value is unknown is null.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Standings {
    /// Always `mancala-standings/1`.
    pub format: StandingsFormat,
    /// The identities of the tournaments, in the order in which they were read.
    pub tournaments: Vec<Digest>,
    /// Matches that count.
    pub matches: u64,
    /// Matches of the plans; null without a plan.
    pub planned: Option<u64>,
    /// Matches that are still to be played, or are in files that were not read; null without a
    /// plan.
    pub missing: Option<u64>,
    /// Matches that were given up.
    pub unfinished: u64,
    /// Matches of disqualified bots, and those that earlier versions of bots did not play and cannot.
    pub not_played: u64,
    /// Those of such versions among them.
    #[serde(skip)]
    pub retired: u64,
    /// Matches that were played after the one that decided a test.
    pub beyond: u64,
    /// Different games in the matches that count; null if a record has no digests.
    pub distinct_games: Option<u64>,
    /// The bots, best first; disqualified ones at the end.
    pub rows: Vec<StandingsRow>,
    /// What the matches that count differ in, if `--merge` allowed it: `rules`, `terms`, `versions`.
    pub merged: Vec<Mergeable>,
    /// For each row the results against each other row, by matches that count; null with more than
    /// 1,000 bots. The events of a tournament have no crosstable.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<DenseCrosstable>")]
    pub crosstable: Option<Crosstable>,
    /// The test, if there is one.
    pub sprt: Option<SprtState>,
    /// With `--trend` the standings before the first `--update` and after each; else null.
    pub trend: Option<Vec<TrendEntry>>,
}

impl Standings {
    /// The bots that are not disqualified, best first.
    pub fn ranked(&self) -> impl Iterator<Item = &StandingsRow> + Clone {
        self.rows.iter().filter(|row| row.disqualified.is_none())
    }
}

/// The format field of [`Standings`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub enum StandingsFormat {
    /// Version 1.
    #[default]
    #[serde(rename = "mancala-standings/1")]
    V1,
}

/// A bot. The numbers of a disqualified bot are those of the matches that it played; they are in
/// no other row.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct StandingsRow {
    /// Its rank, from 1; equal ranks share the lowest number. Null for a disqualified bot.
    pub rank: Option<u64>,
    /// The best rank that the bounds of the ratings allow.
    pub rank_low: Option<u64>,
    /// The worst rank that they allow.
    pub rank_high: Option<u64>,
    /// Its name.
    pub name: String,
    /// Its matches.
    pub matches: u64,
    /// Matches won.
    pub won: u64,
    /// Matches drawn.
    pub drawn: u64,
    /// Matches lost.
    pub lost: u64,
    /// 1 for a match won, ½ for one drawn; for a bye, a point for each match of the round.
    pub points: f64,
    /// Its points as a share of its matches and byes; only where bots played different numbers of
    /// matches, and not in JSON.
    #[serde(skip)]
    pub share: Option<f64>,
    /// Points of byes; not in JSON.
    #[serde(skip)]
    pub byes: u64,
    /// Its matches that do not count because the other bot is disqualified; not in JSON.
    #[serde(skip)]
    pub left_out: u64,
    /// The number of the bot among all that were read; not in JSON.
    #[serde(skip)]
    pub bot: usize,
    /// The rounds in which it moved first.
    pub first: RoundsAs,
    /// The rounds in which it moved second.
    pub second: RoundsAs,
    /// Seeds of all its rounds.
    pub seeds_for: u64,
    /// Seeds of its opponents in them.
    pub seeds_against: u64,
    /// How often it committed each kind of fault, substituted ones too.
    pub faults: BTreeMap<FaultKind, u64>,
    /// Matches in which it and its opponent forfeited a round each.
    pub double_faults: u64,
    /// The median time of its moves in milliseconds; null unless times were read.
    pub median_ms: Option<f64>,
    /// Its longest move in milliseconds; null unless times were read.
    pub longest_ms: Option<f64>,
    /// The mean time of its moves in milliseconds; null unless times were read.
    pub mean_ms: Option<f64>,
    /// The time in milliseconds that 95 % of its moves did not exceed; null unless times were read.
    pub p95_ms: Option<f64>,
    /// The longest move's share of its limit; null unless times were read, or without a limit.
    pub limit_share: Option<f64>,
    /// Its rating in Elo points; null without a match that counts.
    pub rating: Option<f64>,
    /// The lower end of the rating's 95 % interval.
    pub rating_low: Option<f64>,
    /// The upper end of the rating's 95 % interval.
    pub rating_high: Option<f64>,
    /// The likelihood that it is stronger than the bot of the next row.
    pub los: Option<f64>,
    /// Why it was disqualified, if it was.
    pub disqualified: Option<String>,
    /// The same for programs; not in JSON.
    #[serde(skip)]
    pub disqualified_for: Option<DisqualifiedFor>,
    /// What its build or its check said, if it was disqualified for that; not in JSON.
    #[serde(skip)]
    pub disqualified_output: Option<String>,
    /// Its versions in the matches that the row counts, in the order of their digits; empty where no record
    /// names one.
    pub versions: Vec<Digest>,
}

/// Rounds, and the points in them: 1 for a round won, ½ for a drawn one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct RoundsAs {
    /// How many.
    pub rounds: u64,
    /// The points.
    pub points: f64,
}

/// How a sequential probability ratio test stands.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SprtState {
    /// The bot that may be the stronger one, and its opponent.
    pub bots: [String; 2],
    /// The lower hypothesis.
    pub elo0: f64,
    /// The upper hypothesis.
    pub elo1: f64,
    /// The scale of both.
    pub model: SprtModel,
    /// How many matches had 0, ½, 1, 1½ and 2 points for the first bot.
    pub pairs: [u64; 5],
    /// The log-likelihood ratio.
    pub llr: f64,
    /// At or below it elo0 is accepted.
    pub lower: f64,
    /// At or above it elo1 is accepted.
    pub upper: f64,
    /// `accept` for elo1, `reject` for elo0; null while it is open, or if it is withheld.
    pub verdict: Option<SprtVerdict>,
    /// Why there is no verdict although a bound was reached.
    pub withheld: Option<String>,
    /// The difference in Elo; null if the score is 0 or 1, or nothing was played.
    pub elo: Option<f64>,
    /// How far its 95 % interval reaches to each side.
    pub elo_error: Option<f64>,
    /// The difference in normalised Elo.
    pub nelo: Option<f64>,
    /// How far its 95 % interval reaches to each side.
    pub nelo_error: Option<f64>,
    /// The likelihood that the first bot is the stronger one.
    pub los: Option<f64>,
}

/// The standings of several files side by side; nothing is added up.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Season {
    /// Always `mancala-season/1`.
    pub(crate) format: SeasonFormat,
    /// The files, in the order in which they were given.
    pub files: Vec<SeasonFile>,
}

/// The format field of a [`Season`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) enum SeasonFormat {
    /// Version 1.
    #[default]
    #[serde(rename = "mancala-season/1")]
    V1,
}

/// The standings of one file.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SeasonFile {
    /// The file, as it was named.
    pub(crate) file: String,
    /// The identities of its tournaments.
    pub(crate) tournaments: Vec<Digest>,
    /// Its matches that count.
    pub(crate) matches: u64,
    /// Its bots, best first; disqualified ones at the end.
    pub rows: Vec<StageRow>,
    /// What the matches that count differ in, if `--merge` allowed it: `rules`, `terms`, `versions`.
    pub(crate) merged: Vec<Mergeable>,
}

/// The standings of a tournament before its first `--update`, or after one and before the next.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct TrendEntry {
    /// The identity of the tournament then; null if the file does not say it.
    pub id: Option<Digest>,
    /// The matches that counted.
    pub matches: u64,
    /// The bots then, best first; disqualified ones at the end.
    pub rows: Vec<StageRow>,
}

/// A bot in one of several tables.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct StageRow {
    /// Its rank, from 1; equal ranks share the lowest number. Null for a disqualified bot.
    pub rank: Option<u64>,
    /// Its name.
    pub name: String,
    /// Its matches.
    pub matches: u64,
    /// 1 for a match won, ½ for one drawn; for a bye, a point for each match of the round.
    pub points: f64,
    /// As in [`StandingsRow::share`]; not in JSON.
    #[serde(skip)]
    pub share: Option<f64>,
    /// Its faults of all kinds.
    pub faults: u64,
    /// Its rating in Elo points; null without a match that counts.
    pub rating: Option<f64>,
    /// The lower end of the rating's 95 % interval.
    pub rating_low: Option<f64>,
    /// The upper end of the rating's 95 % interval.
    pub rating_high: Option<f64>,
    /// Why it was disqualified, if it was.
    pub disqualified: Option<String>,
    /// What it was made of; null where that is not known, or was more than one version.
    pub version: Option<Digest>,
}
