//! How the game's types are written in JSON, on the wire and in records.

use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{FaultKind, Reason};
use crate::rules::{
    Adjudication, Board, CELLS, Direction, DirectionRule, Ending, House, Opening, OpponentStore,
    Ruleset, RulesetName, SeedsAHouse,
};
use crate::words::UnknownWord;

/// Reads a word as a value of an enum made with `words!`.
struct Word<T>(PhantomData<T>);

impl<T: FromStr<Err = UnknownWord>> Visitor<'_> for Word<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match "".parse::<T>() {
            Err(unknown) => f.write_str(unknown.expected),
            Ok(_) => f.write_str("a word"),
        }
    }

    fn visit_str<E: Error>(self, word: &str) -> Result<T, E> {
        word.parse().map_err(|_| E::invalid_value(serde::de::Unexpected::Str(word), &self))
    }
}

macro_rules! serde_words {
    ($($type:ident),+) => {$(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$type, D::Error> {
                deserializer.deserialize_str(Word(PhantomData))
            }
        }
    )+};
}

serde_words!(Adjudication, Direction, DirectionRule, FaultKind, OpponentStore, Reason, RulesetName);

impl Reason {
    /// The reasons that are no fault.
    pub(super) const OF_PLAY: [Reason; 3] = [Reason::Completed, Reason::MoveLimit, Reason::Decided];

    /// The word for this reason in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Reason::Completed => "completed",
            Reason::MoveLimit => "move_limit",
            Reason::Decided => "decided",
            Reason::Fault(kind) => kind.as_str(),
        }
    }
}

impl FromStr for Reason {
    type Err = UnknownWord;

    fn from_str(word: &str) -> Result<Reason, UnknownWord> {
        match word {
            "completed" => Ok(Reason::Completed),
            "move_limit" => Ok(Reason::MoveLimit),
            "decided" => Ok(Reason::Decided),
            _ => word.parse().map(Reason::Fault).map_err(|_| UnknownWord {
                expected: "completed, move_limit, decided or a kind of fault",
            }),
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl From<Ending> for Reason {
    fn from(ending: Ending) -> Reason {
        match ending {
            Ending::Completed => Reason::Completed,
            Ending::MoveLimit => Reason::MoveLimit,
            Ending::Decided => Reason::Decided,
        }
    }
}

impl Serialize for Board {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.cells().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Board {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Board, D::Error> {
        Board::from_cells(<[u8; CELLS]>::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

impl Serialize for Opening {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.board().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Opening {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Opening, D::Error> {
        Opening::new(Board::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

impl Serialize for House {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(self.cell())
    }
}

impl<'de> Deserialize<'de> for House {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<House, D::Error> {
        House::new(u8::deserialize(deserializer)?)
            .ok_or_else(|| D::Error::custom("a house is 0 to 5"))
    }
}

impl Serialize for SeedsAHouse {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(self.get())
    }
}

impl<'de> Deserialize<'de> for SeedsAHouse {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<SeedsAHouse, D::Error> {
        SeedsAHouse::new(u8::deserialize(deserializer)?)
            .ok_or_else(|| D::Error::custom("a house starts with 1 to 20 seeds"))
    }
}

/// The fields of a [`Ruleset`] in JSON.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(remote = "Ruleset")]
#[schemars(rename = "Ruleset")]
pub(super) struct RulesetFields {
    /// Where the rules come from. The other fields are what is valid.
    name: RulesetName,
    /// Seeds in each house of the ruleset's own opening.
    seeds: SeedsAHouse,
    /// Whether the opponent's store is sown into or skipped.
    opponent_store: OpponentStore,
    /// The way round the board.
    direction: DirectionRule,
    /// Whether a last seed in an empty own house is captured when the facing house is empty.
    empty_capture: bool,
}

impl Serialize for Ruleset {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        RulesetFields::serialize(self, serializer)
    }
}

impl<'de> Deserialize<'de> for Ruleset {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Ruleset, D::Error> {
        RulesetFields::deserialize(deserializer)
    }
}
