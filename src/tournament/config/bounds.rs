//! What the JSON Schema of a configuration says beside types: bounds, and keys that need others.

use serde_json::{Value, json};

use crate::record::MAX_NAME;
use crate::tournament::placeholders::PLACEHOLDERS;

/// A suite of openings.
pub(super) const OPENINGS: &str =
    r"^(standard|fairkalah|random:\+?0*([1-9][0-9]?|100)|file:[^\u0000]+)$";

/// The terms of a sequential test.
pub(super) const SPRT: &str = r"^(?=[\s\S]*elo0\s*=)(?=[\s\S]*elo1\s*=)[\s,]*((elo[01]|alpha|beta|model)\s*=\s*[^\s,=]+([\s,]+|$))+$";

/// A text that is not blank.
pub(super) const TEXT: &str = r"^[^\u0000]*[^\s\u0000][^\u0000]*$";

/// A pattern of files.
pub(super) const PATTERN: &str = r"^[^\u0000]+$";

/// A text that a program can be given.
pub(super) const NO_NUL: &str = r"^[^\u0000]*$";

/// Names of variables.
pub(super) fn variable() -> Value {
    json!({"pattern": r"^[^=\u0000]+$"})
}

/// Texts with `pattern`.
pub(super) fn texts(pattern: &str) -> Value {
    json!({"type": "string", "pattern": pattern})
}

/// By its name what a key of the top needs of others.
pub(super) fn keys_that_need_others() -> Value {
    json!({
        "gauntlet": {"properties": {"format": {"const": "gauntlet"}}},
        "restart_after": {
            "required": ["reuse_bots"], "properties": {"reuse_bots": {"const": true}}
        },
        "sprt": {"properties": {"format": {"not": {"const": "swiss"}}}},
    })
}

/// A `[[bots]]`.
pub(super) fn bots_of_pattern() -> Value {
    json!({"$ref": "#/$defs/ConfigBots", "required": ["glob"]})
}

/// A `[[bot]]`, in which nothing is filled in.
pub(super) fn single_bot() -> Value {
    let fields = PLACEHOLDERS.map(|field| field.trim_matches(['{', '}'])).join("|");
    let as_it_is = json!({"not": {"pattern": format!(r"\{{({fields})\}}")}});
    let mut name = as_it_is.clone();
    name["pattern"] = r"^[^\u0000-\u0020]([^\u0000-\u001f]*[^\u0000-\u0020])?$".into();
    name["maxLength"] = MAX_NAME.into();
    let properties = json!({
        "glob": false,
        "name": name,
        "command": as_it_is,
        "dir": as_it_is,
        "build": as_it_is,
        "files": {"items": as_it_is},
        "env": {"additionalProperties": as_it_is},
    });
    json!({"$ref": "#/$defs/ConfigBots", "properties": properties})
}
