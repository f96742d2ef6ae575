//! The JSON Schema (draft 2020-12) of the messages and of every format, made from their types.
//!
//! A schema says what this version writes. As readers do, it allows fields that it does not know.

use schemars::generate::SchemaSettings;
use schemars::transform::{Transform, transform_subschemas};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::Value;

use crate::analysis::Analysis;
use crate::contest::PlanFields;
use crate::log::Bundle;
use crate::protocol::{Reply, ToBot};
use crate::record::{MatchRecord, Note, TournamentHeader};
use crate::report::{CheckReport, ReplayLine, SolutionJson};
use crate::standings::{Season, Standings};
use crate::tournament::{Config, TournamentEvent};
use crate::words::UnknownWord;

/// Makes the schema of one type.
type MakeSchema = fn(SchemaGenerator) -> Schema;

/// What there is a schema of: what `mancala schema` calls it, and how it is made.
pub(crate) type NamedSchema = (&'static str, MakeSchema);

/// What there is a schema of. A format of several lines has that of each line.
const SCHEMAS: [NamedSchema; 13] = [
    ("message", SchemaGenerator::into_root_schema_for::<ToBot>),
    ("answer", SchemaGenerator::into_root_schema_for::<Reply>),
    ("record", SchemaGenerator::into_root_schema_for::<MatchRecord>),
    ("replay", SchemaGenerator::into_root_schema_for::<ReplayLine>),
    ("tournament", SchemaGenerator::into_root_schema_for::<TournamentLine>),
    ("events", SchemaGenerator::into_root_schema_for::<TournamentEvent>),
    ("standings", SchemaGenerator::into_root_schema_for::<Standings>),
    ("season", SchemaGenerator::into_root_schema_for::<Season>),
    ("bundle", SchemaGenerator::into_root_schema_for::<Bundle>),
    ("check", SchemaGenerator::into_root_schema_for::<CheckReport>),
    ("solve", SchemaGenerator::into_root_schema_for::<SolutionJson>),
    ("analysis", SchemaGenerator::into_root_schema_for::<Analysis>),
    (CONFIG, SchemaGenerator::into_root_schema_for::<Config>),
];

/// The schema of what is read, and not written.
pub(crate) const CONFIG: &str = "config";

/// The schema of this name.
///
/// # Errors
///
/// When there is no such schema.
pub(crate) fn schema_named(word: &str) -> Result<NamedSchema, UnknownWord> {
    let found = SCHEMAS.iter().find(|(name, _)| *name == word);
    found.copied().ok_or_else(|| {
        UnknownWord::new(
            word,
            &SCHEMAS.map(|(name, _)| name),
            "message, answer, record, replay, tournament, events, standings, season, bundle, check, \
             solve, analysis or config",
        )
    })
}

/// A line of a tournament's file.
#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its schema is used")]
enum TournamentLine {
    /// The first line, and where the tournament was extended.
    Header(Box<TournamentHeader<PlanFields>>),
    /// A match that was played.
    Match(Box<MatchRecord>),
    /// What happened instead of a match.
    Note(Note),
}

/// The schema itself, of what is written.
pub(crate) fn schema((name, make): NamedSchema) -> Schema {
    let settings = SchemaSettings::draft2020_12().with_transform(WithoutLinks);
    let settings =
        if name == CONFIG { settings.for_deserialize() } else { settings.for_serialize() };
    make(settings.into_generator())
}

/// Takes the links out of descriptions, which lead into the documentation of the code.
#[derive(Clone)]
struct WithoutLinks;

impl Transform for WithoutLinks {
    fn transform(&mut self, schema: &mut Schema) {
        if let Some(Value::String(text)) = schema.get_mut("description") {
            *text = text.replace("[`", "`").replace("`]", "`");
        }
        transform_subschemas(self, schema);
    }
}
