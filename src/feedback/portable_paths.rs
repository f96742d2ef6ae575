//! What is handed out names no folder of the machine that played the contest: paths become relative
//! to the contest's folder, commands those that work in the folder of a page.

use std::io;
use std::path::Path;

use serde_json::Value;

use super::Contest;
use super::commands::{Commands, kept_elsewhere};
use super::evidence::FaultEvidence;
use crate::log::Bundle;
use crate::text::relative;
use crate::tournament::LogFolders;

/// Changes the transcripts, bundles and other texts in the folder of the bot at `place`.
///
/// # Errors
///
/// When a file cannot be written.
pub(super) fn prepare(contest: &Contest<'_>, folders: &LogFolders, place: usize) -> io::Result<()> {
    let commands = Commands::of(contest, &contest.plan.bots[place]);
    folders.change_texts(place, |file, text| {
        let bundle = file.extension().is_some_and(|it| it == "json").then(|| Bundle::of_text(text));
        match bundle.flatten() {
            Some(found) => bundle_elsewhere(&commands, file, &found),
            None => Ok(relative(contest.folders, text).into_bytes()),
        }
    })
}

/// The bundle in `file`, which is relative to the page, as its bot's author gets it.
fn bundle_elsewhere(commands: &Commands<'_>, file: &Path, bundle: &Bundle) -> io::Result<Vec<u8>> {
    let mut value = serde_json::to_value(bundle)?;
    each_text(&mut value, &|text| *text = relative(commands.contest.folders, text));
    let mut bundle: Bundle = serde_json::from_value(value)?;
    bundle.bot.command = commands.bot_words();
    // It is the folder of the page.
    bundle.dir = None;
    bundle.terms.keeping = kept_elsewhere(&bundle.terms.keeping);
    let fault = FaultEvidence::of_bundle(file.to_string_lossy().into_owned(), &bundle);
    bundle.reproduce = commands.reproduce(&fault).unwrap_or_default();
    let mut bytes = Vec::new();
    bundle.write(&mut bytes)?;
    Ok(bytes)
}

fn each_text(value: &mut Value, change: &impl Fn(&mut String)) {
    match value {
        Value::String(text) => change(text),
        Value::Array(values) => values.iter_mut().for_each(|value| each_text(value, change)),
        Value::Object(fields) => fields.values_mut().for_each(|value| each_text(value, change)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
