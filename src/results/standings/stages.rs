//! Tables one after another: of the files of a season, or of a tournament after each `--update`.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::output::{
    Season, SeasonFile, SeasonFormat, StageRow, Standings, StandingsRow, TrendEntry,
};
use super::{CollectedResults, NoStandings, RankBy, StandingsOptions, unknown_bot};
use crate::record::Digest;

/// Standings as one of several tables, and what the bots in them were made of then.
#[derive(Debug)]
pub struct Stage {
    /// The standings. They have no ratings if the anchor has no match that counts: these would be on
    /// another scale than those of the other tables.
    pub standings: Standings,
    /// By their names the versions of the bots whose only version is known.
    versions: BTreeMap<String, Digest>,
    /// The anchor, if it has no match that counts.
    pub missing_anchor: Option<String>,
    /// What its bots are ranked by.
    pub rank_by: RankBy,
    /// What was added up that is not the same, or that is there twice, in words.
    pub remarks: Vec<String>,
}

impl Season {
    /// The season of `files`, each with its name.
    pub fn new(files: &[(String, Stage)]) -> Season {
        let file = |(file, stage): &(String, Stage)| SeasonFile {
            file: file.clone(),
            tournaments: stage.standings.tournaments.clone(),
            matches: stage.standings.matches,
            rows: stage.rows(),
            merged: stage.standings.merged.clone(),
        };
        Season { format: SeasonFormat::V1, files: files.iter().map(file).collect() }
    }
}

impl TrendEntry {
    /// What these standings are in a trend.
    pub fn new(stage: &Stage) -> TrendEntry {
        let id = stage.standings.tournaments.last().copied();
        TrendEntry { id, matches: stage.standings.matches, rows: stage.rows() }
    }
}

impl CollectedResults {
    /// The standings as one of several tables: they need not have the anchor.
    ///
    /// # Errors
    ///
    /// As [`CollectedResults::standings`], but for an unknown anchor.
    pub fn stage(&mut self, options: &StandingsOptions) -> Result<Stage, NoStandings> {
        let standings = match self.standings(options) {
            Err(NoStandings::UnknownAnchor(_)) => {
                self.standings(&StandingsOptions { anchor: None, ..options.clone() })
            }
            standings => standings,
        };
        Ok(self.stage_of(standings?.0, options))
    }

    /// These standings of it as one of several tables.
    pub fn stage_of(&self, mut standings: Standings, options: &StandingsOptions) -> Stage {
        let counts = |name: &str| standings.ranked().any(|row| row.name == name && row.matches > 0);
        let anchor = options.anchor.as_ref().map(|(name, _)| name);
        let missing_anchor = anchor.filter(|name| !counts(name)).cloned();
        if missing_anchor.is_some() {
            for row in &mut standings.rows {
                (row.rating, row.rating_low, row.rating_high) = (None, None, None);
            }
        }
        let mut remarks = self.differences_in_words();
        remarks.extend(self.copies_in_words());
        let (versions, rank_by) = (self.versions(), options.rank_by);
        Stage { standings, versions, missing_anchor, rank_by, remarks }
    }
}

/// Makes sure that the anchor of `tables` is in one of them.
///
/// # Errors
///
/// When it is not.
pub fn expect_anchor<'a>(
    anchor: Option<&(String, f64)>,
    tables: impl Iterator<Item = &'a Standings>,
) -> Result<(), NoStandings> {
    let Some((name, _)) = anchor else { return Ok(()) };
    let known: BTreeSet<&String> =
        tables.flat_map(|standings| &standings.rows).map(|row| &row.name).collect();
    if known.contains(name) {
        return Ok(());
    }
    let known: Vec<String> = known.into_iter().cloned().collect();
    Err(NoStandings::UnknownAnchor(unknown_bot(name, "--anchor", &known)))
}

impl Stage {
    fn rows(&self) -> Vec<StageRow> {
        let row = |row: &StandingsRow| StageRow {
            rank: row.rank,
            name: row.name.clone(),
            matches: row.matches,
            points: row.points,
            share: row.share,
            faults: row.faults.values().sum(),
            rating: row.rating,
            rating_low: row.rating_low,
            rating_high: row.rating_high,
            disqualified: row.disqualified.clone(),
            version: self.versions.get(&row.name).copied(),
        };
        self.standings.rows.iter().map(row).collect()
    }
}

/// For each of a bot's rows whether it was made of something else then than in the row before.
pub fn are_changed(rows: &[Option<&StageRow>]) -> Vec<bool> {
    let mut before = None;
    let is_changed = |row: Option<&StageRow>| {
        let version = row.and_then(|row| row.version);
        let known = version.zip(before);
        before = version.or(before);
        known.is_some_and(|(now, before)| now != before)
    };
    rows.iter().copied().map(is_changed).collect()
}

/// For each bot its row in each table, or `None` where it is not in it. Bots are in the order of
/// the last table, then those of the table before it, and so on.
pub fn by_bot<'a>(tables: &[&'a [StageRow]]) -> Vec<(&'a str, Vec<Option<&'a StageRow>>)> {
    let mut seen = HashSet::new();
    let names = tables.iter().rev().flat_map(|table| *table).map(|row| row.name.as_str());
    let names = names.filter(|name| seen.insert(*name));
    let places: Vec<HashMap<&str, &StageRow>> = tables
        .iter()
        .map(|table| table.iter().map(|row| (row.name.as_str(), row)).collect())
        .collect();
    names.map(|name| (name, places.iter().map(|rows| rows.get(name).copied()).collect())).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_change_is_a_version_other_than_the_last_known_one(
            drawn in prop::collection::vec(prop::option::of(prop::option::of(0_u8..3)), 0..8)
        ) {
            let row = |version: Option<u8>| {
                let version = version.map(|version| Digest::of(&[version]));
                StageRow { version, ..StageRow::default() }
            };
            let rows: Vec<Option<StageRow>> = drawn.iter().map(|it| it.map(row)).collect();
            let rows: Vec<Option<&StageRow>> = rows.iter().map(Option::as_ref).collect();
            let changed = are_changed(&rows);
            prop_assert_eq!(changed.len(), drawn.len());
            for (place, is_changed) in changed.into_iter().enumerate() {
                let known = |it: &Option<Option<u8>>| it.flatten();
                let before = drawn[..place].iter().filter_map(known).next_back();
                let now = known(&drawn[place]);
                let expected = now.is_some() && before.is_some() && now != before;
                prop_assert_eq!(is_changed, expected);
            }
        }

        #[test]
        fn every_row_of_every_table_is_with_its_bot_once(
            drawn in prop::collection::vec(
                prop::collection::hash_set("[a-d]", 0..4).prop_map(|names| names.into_iter().collect::<Vec<_>>()),
                1..5,
            )
        ) {
            let row = |name: &String| StageRow { name: name.clone(), ..StageRow::default() };
            let tables: Vec<Vec<StageRow>> =
                drawn.iter().map(|names| names.iter().map(row).collect()).collect();
            let tables: Vec<&[StageRow]> = tables.iter().map(Vec::as_slice).collect();
            let found = by_bot(&tables);
            let last: Vec<&str> = drawn[drawn.len() - 1].iter().map(String::as_str).collect();
            let names: Vec<&str> = found.iter().map(|(name, _)| *name).collect();
            prop_assert_eq!(&names[..last.len()], &last[..]);
            for (place, table) in tables.iter().enumerate() {
                let there = found.iter().filter_map(|(name, rows)| Some((*name, rows[place]?)));
                let there: Vec<_> = there.collect();
                prop_assert_eq!(there.len(), table.len());
                prop_assert!(there.iter().all(|(name, row)| row.name == *name));
            }
            let mut sorted = names.clone();
            sorted.sort_unstable();
            sorted.dedup();
            prop_assert_eq!(sorted.len(), names.len());
        }
    }
}
