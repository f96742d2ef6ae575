//! The JSON Schema of the types that are written in JSON by hand.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use super::{FaultKind, Info, Reason, Reply};
use crate::rules::{
    Adjudication, Board, CELLS, Direction, DirectionRule, House, MAX_SEEDS, MAX_SEEDS_A_HOUSE,
    Opening, OpponentStore, Ruleset, RulesetName, SeedsAHouse,
};

macro_rules! schema {
    ($type:ident, $generator:ident => $schema:expr) => {
        impl JsonSchema for $type {
            fn schema_name() -> Cow<'static, str> {
                stringify!($type).into()
            }

            fn json_schema($generator: &mut SchemaGenerator) -> Schema {
                $schema
            }
        }
    };
}

macro_rules! schema_of_words {
    ($($type:ident),+) => {
        $(schema!($type, _generator => json_schema!({ "type": "string", "enum": $type::WORDS }));)+
    };
}

schema_of_words!(Adjudication, Direction, DirectionRule, FaultKind, OpponentStore, RulesetName);

schema!(Reason, _generator => {
    let reasons = Reason::OF_PLAY.map(Reason::as_str);
    let words: Vec<&str> = reasons.iter().chain(FaultKind::WORDS).copied().collect();
    json_schema!({ "type": "string", "enum": words })
});

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

schema!(Ruleset, generator => super::rules::RulesetFields::json_schema(generator));

schema!(Info, _generator => json_schema!({ "description": "Any JSON that came with a move." }));

schema!(Reply, generator => {
    let house = generator.subschema_for::<House>();
    let direction = generator.subschema_for::<Direction>();
    json_schema!({
        "description": "The answer to a turn: a house, or an object with the house in it.",
        "anyOf": [
            house,
            {
                "type": "object",
                "properties": {
                    "move": house,
                    "direction": direction,
                    "info": { "description": "Any JSON, kept in the record." },
                },
                "required": ["move"],
            },
        ],
    })
});
