//! How the game's types are written in JSON, on the wire and in records, and the schema of that.

use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

use schemars::json_schema;
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::rules::{
    Adjudication, Board, CELLS, Direction, DirectionRule, House, MAX_SEEDS, MAX_SEEDS_A_HOUSE,
    Opening, OpponentStore, RulesetName, SeedsAHouse,
};
use crate::words::UnknownWord;

/// Reads a word as a value of an enum made with `words!`.
#[derive(Debug)]
pub struct Word<T>(PhantomData<T>);

impl<T> Default for Word<T> {
    fn default() -> Word<T> {
        Word(PhantomData)
    }
}

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

/// Writes enums made with `words!` as their words in JSON, and reads them so.
#[macro_export]
macro_rules! serde_words {
    ($($type:ident),+) => {$(
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<$type, D::Error> {
                deserializer.deserialize_str($crate::json::Word::default())
            }
        }
    )+};
}

/// Gives a type that is written in JSON by hand its schema.
#[macro_export]
macro_rules! schema {
    ($type:ident, $generator:ident => $schema:expr) => {
        impl schemars::JsonSchema for $type {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($type).into()
            }

            fn json_schema($generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                $schema
            }
        }
    };
}

/// Gives enums made with `words!` the schema of their words.
#[macro_export]
macro_rules! schema_of_words {
    ($($type:ident),+) => {
        $($crate::schema!($type, _generator => schemars::json_schema!({
            "type": "string",
            "enum": $type::WORDS,
        }));)+
    };
}

serde_words!(Adjudication, Direction, DirectionRule, OpponentStore, RulesetName);
schema_of_words!(Adjudication, Direction, DirectionRule, OpponentStore, RulesetName);

schema!(House, _generator => json_schema!({
    "description": "A house in the mover's view.",
    "type": "integer",
    "minimum": 0,
    "maximum": 5,
}));

schema!(Board, _generator => json_schema!({
    "description": "Seeds in each cell: six houses, the own store, the opponent's six, its store.",
    "type": "array",
    "items": { "type": "integer", "minimum": 0, "maximum": MAX_SEEDS },
    "minItems": CELLS,
    "maxItems": CELLS,
}));

schema!(Opening, generator => Board::json_schema(generator));

schema!(SeedsAHouse, _generator => json_schema!({
    "type": "integer",
    "minimum": 1,
    "maximum": MAX_SEEDS_A_HOUSE,
}));

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

impl<'de> Deserialize<'de> for Opening {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Opening, D::Error> {
        Opening::new(Board::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

impl<'de> Deserialize<'de> for House {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<House, D::Error> {
        House::new(u8::deserialize(deserializer)?)
            .ok_or_else(|| D::Error::custom("a house is 0 to 5"))
    }
}

impl<'de> Deserialize<'de> for SeedsAHouse {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<SeedsAHouse, D::Error> {
        SeedsAHouse::new(u8::deserialize(deserializer)?)
            .ok_or_else(|| D::Error::custom("a house starts with 1 to 20 seeds"))
    }
}
