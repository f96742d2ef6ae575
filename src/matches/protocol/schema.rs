//! The JSON Schema of the types that are written in JSON by hand.

use mancala_game::{schema, schema_of_words};
use schemars::json_schema;

use super::{FaultKind, Info, Reason, Reply};
use crate::rules::{Direction, House};

schema_of_words!(FaultKind);

schema!(Reason, _generator => {
    let words: Vec<&str> = Reason::all().map(Reason::as_str).collect();
    json_schema!({ "type": "string", "enum": words })
});

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
