//! The JSON Schema (draft 2020-12) of the messages and of every format, made from their types.
//!
//! A schema says what this version writes. As readers do, it allows fields that it does not know.

use schemars::generate::SchemaSettings;
use schemars::transform::{Transform, transform_subschemas};
use schemars::{JsonSchema, Schema};
use serde_json::Value;

use crate::analysis::Analysis;
use crate::contest::PlanFields;
use crate::log::Bundle;
use crate::protocol::{Reply, ToBot};
use crate::record::{MatchRecord, Note, TournamentHeader};
use crate::report::{CheckReport, ReplayLine, SolutionJson};
use crate::standings::Standings;
use crate::tournament::TournamentEvent;
use mancala_game::words;

/// What there is a schema of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SchemaName {
    /// A message to a bot.
    Message,
    /// A bot's answer.
    Answer,
    /// A match record.
    Record,
    /// A line of `replay --format json`.
    Replay,
    /// A line of a tournament's file.
    Tournament,
    /// A line of a tournament's events.
    Events,
    /// Standings.
    Standings,
    /// The bundle of a fault.
    Bundle,
    /// The report of a check.
    Check,
    /// A solved position.
    Solve,
    /// What bots gave away.
    Analysis,
}

words!(
    SchemaName,
    "message, answer, record, replay, tournament, events, standings, bundle, check, solve or analysis",
    Message = "message",
    Answer = "answer",
    Record = "record",
    Replay = "replay",
    Tournament = "tournament",
    Events = "events",
    Standings = "standings",
    Bundle = "bundle",
    Check = "check",
    Solve = "solve",
    Analysis = "analysis"
);

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

/// The schema of these messages or this format.
pub fn schema(name: SchemaName) -> Schema {
    let generator = SchemaSettings::draft2020_12()
        .for_serialize()
        .with_transform(WithoutLinks)
        .into_generator();
    match name {
        SchemaName::Message => generator.into_root_schema_for::<ToBot>(),
        SchemaName::Answer => generator.into_root_schema_for::<Reply>(),
        SchemaName::Record => generator.into_root_schema_for::<MatchRecord>(),
        SchemaName::Replay => generator.into_root_schema_for::<ReplayLine>(),
        SchemaName::Tournament => generator.into_root_schema_for::<TournamentLine>(),
        SchemaName::Events => generator.into_root_schema_for::<TournamentEvent>(),
        SchemaName::Standings => generator.into_root_schema_for::<Standings>(),
        SchemaName::Bundle => generator.into_root_schema_for::<Bundle>(),
        SchemaName::Check => generator.into_root_schema_for::<CheckReport>(),
        SchemaName::Solve => generator.into_root_schema_for::<SolutionJson>(),
        SchemaName::Analysis => generator.into_root_schema_for::<Analysis>(),
    }
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
