//! What a tournament's file holds beside match records and notes: its first line, and the place of a
//! match in its tournament.

use std::collections::BTreeMap;
use std::fmt;
use std::num::{NonZeroU32, NonZeroU64};
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::{Digest, Timestamp};

/// The first line of a tournament's file.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "TournamentHeader")]
pub struct TournamentHeader<P = Box<RawValue>> {
    /// Always `mancala-tournament/1`.
    pub format: HeaderFormat,
    /// The tournament's identity, made from its plan.
    pub id: Digest,
    /// What is played. Only the tournament reads its fields.
    pub plan: P,
    /// The part of the schedule that this file holds.
    #[serde(default)]
    pub shard: Shard,
    /// The version of each bot, by its name; absent in older files.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub versions: BTreeMap<String, Digest>,
    /// The programs of the system that run and build the bots.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub programs: Vec<ProgramFile>,
    /// The absolute folder that the plan's paths were relative to; absent in older files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
    /// The tournament that this one continues with other bots or versions: its matches between
    /// versions that are still there are matches of this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub continues: Option<Digest>,
    /// Earlier versions of bots that cannot be run again: what they have not played is not to be
    /// played.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub retired: Vec<String>,
}

/// A program of the system, such as an interpreter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProgramFile {
    /// Where it is.
    pub path: String,
    /// Its length.
    pub bytes: u64,
    /// When it was last changed.
    pub modified: Timestamp,
}

/// The format field of a [`TournamentHeader`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum HeaderFormat {
    /// Version 1.
    #[default]
    #[serde(rename = "mancala-tournament/1")]
    V1,
}

/// One of several disjoint, equal parts of a schedule; `[index,count]` in JSON, `K/N` in text.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(into = "(u32, u32)", try_from = "(u32, u32)")]
pub struct Shard {
    index: NonZeroU32,
    count: NonZeroU32,
}

/// What is wrong with a text or two numbers that name no part of a schedule.
const NOT_A_SHARD: &str = "a shard is K/N, the K-th of N parts, with K from 1 to N";

impl Shard {
    /// The whole schedule.
    pub const WHOLE: Shard = Shard { index: NonZeroU32::MIN, count: NonZeroU32::MIN };

    /// The part `index`, from 1, out of `count` parts.
    ///
    /// # Errors
    ///
    /// Unless the index is between 1 and the count.
    pub fn new(index: u32, count: u32) -> Result<Shard, &'static str> {
        match (NonZeroU32::new(index), NonZeroU32::new(count)) {
            (Some(index), Some(count)) if index <= count => Ok(Shard { index, count }),
            _ => Err(NOT_A_SHARD),
        }
    }

    /// Which part it is, from 1.
    pub const fn index(self) -> u32 {
        self.index.get()
    }

    /// Of how many parts.
    pub const fn count(self) -> u32 {
        self.count.get()
    }
}

impl Default for Shard {
    fn default() -> Shard {
        Shard::WHOLE
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

impl FromStr for Shard {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Shard, &'static str> {
        let (index, count) = text.split_once('/').ok_or(NOT_A_SHARD)?;
        let number = |text: &str| text.parse().map_err(|_| NOT_A_SHARD);
        Shard::new(number(index)?, number(count)?)
    }
}

impl From<Shard> for (u32, u32) {
    fn from(shard: Shard) -> (u32, u32) {
        (shard.index(), shard.count())
    }
}

impl TryFrom<(u32, u32)> for Shard {
    type Error = &'static str;

    fn try_from((index, count): (u32, u32)) -> Result<Shard, &'static str> {
        Shard::new(index, count)
    }
}

/// The place of a match in its tournament, as its record says it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TournamentMatch {
    /// The tournament's identity.
    pub id: Digest,
    /// The match's number in the schedule, from 1.
    #[serde(rename = "match")]
    pub number: NonZeroU64,
    /// The number of its opening in the suite, from 1.
    pub opening: NonZeroU64,
    /// [`Digest::of_game`] of each round, so that readers count distinct games without the moves.
    pub games: Vec<Digest>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_of_a_file_are_read_as_they_are_written() {
        let header = r#"{"format":"mancala-tournament/1","id":"00ba7816bf8f01cf","plan":{"z":1,"a":[2.50]},"shard":[2,3]}"#;
        let read: TournamentHeader = serde_json::from_str(header).unwrap();
        assert_eq!(read.plan.get(), r#"{"z":1,"a":[2.50]}"#);
        assert_eq!(serde_json::to_string(&read).unwrap(), header);

        let place =
            r#"{"id":"00ba7816bf8f01cf","match":17,"opening":3,"games":["e3b0c44298fc1c14"]}"#;
        let read: TournamentMatch = serde_json::from_str(place).unwrap();
        assert_eq!(serde_json::to_string(&read).unwrap(), place);
        assert!(serde_json::from_str::<TournamentMatch>(&place.replace("17", "0")).is_err());
    }

    #[test]
    fn a_shard_is_a_part_of_a_whole() {
        assert_eq!("2/3".parse(), Shard::new(2, 3));
        assert_eq!(Shard::new(2, 3).unwrap().to_string(), "2/3");
        assert_eq!(serde_json::from_str::<Shard>("[1,1]").unwrap(), Shard::WHOLE);
        for wrong in ["3/2", "0/2", "1/0", "1", "a/b", "1/2/3", "-1/2", ""] {
            assert_eq!(wrong.parse::<Shard>(), Err(NOT_A_SHARD), "{wrong}");
        }
        assert!(serde_json::from_str::<Shard>("[3,2]").is_err());
    }
}
