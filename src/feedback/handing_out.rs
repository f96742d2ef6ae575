//! What is handed out names no folder of the machine that played the contest: paths become relative
//! to the contest's folder, commands those that work in the folder of a page.

use std::io;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::Contest;
use super::commands::{bot_words, kept_elsewhere, reproduce};
use super::evidence::FaultEvidence;
use crate::contest::PlannedBot;
use crate::log::Bundle;
use crate::tournament::LogFolders;

/// Changes the transcripts, bundles and other texts in the folder of the bot at `place`.
///
/// # Errors
///
/// When a file cannot be written.
pub(super) fn prepare(contest: &Contest<'_>, folders: &LogFolders, place: usize) -> io::Result<()> {
    folders.change_texts(place, |file, text| {
        let bundle = file.extension().is_some_and(|it| it == "json").then(|| Bundle::of_text(text));
        match bundle.flatten() {
            Some(found) => bundle_elsewhere(contest, &contest.bots[place], file, &found),
            None => Ok(relative(contest.folders, text).into_bytes()),
        }
    })
}

/// The bundle in `file`, which is relative to the page, as its bot's author gets it.
fn bundle_elsewhere(
    contest: &Contest<'_>,
    bot: &PlannedBot,
    file: &Path,
    bundle: &Bundle,
) -> io::Result<Vec<u8>> {
    let mut value = serde_json::to_value(bundle)?;
    each_text(&mut value, &|text| *text = relative(contest.folders, text));
    let mut bundle: Bundle = serde_json::from_value(value)?;
    bundle.bot.command = bot_words(contest, bot);
    bundle.terms.keeping = kept_elsewhere(&bundle.terms.keeping);
    let fault = FaultEvidence::of_bundle(file.to_string_lossy().into_owned(), &bundle);
    bundle.reproduce = reproduce(contest, bot, &fault).unwrap_or_default();
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

/// The text with paths below these absolute folders relative to them, and `.` for the folders.
pub(super) fn relative(folders: &[PathBuf], text: &str) -> String {
    let folders = folders.iter().filter_map(|folder| folder.to_str());
    // The root folder is left in.
    folders.filter(|folder| folder.len() > 1).fold(text.to_owned(), |text, folder| {
        if text.contains(folder) { relative_to(folder, &text) } else { text }
    })
}

fn relative_to(folder: &str, text: &str) -> String {
    let is_of_name = |c: char| c.is_alphanumeric() || "_-".contains(c);
    let mut changed = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(folder) {
        let (before, after) = (&rest[..at], &rest[at + folder.len()..]);
        changed += before;
        // The same letters may be a part of another path.
        if before.ends_with(|c| is_of_name(c) || "./".contains(c)) || after.starts_with(is_of_name)
        {
            changed += folder;
            rest = after;
            continue;
        }
        let inside = after
            .strip_prefix('/')
            .filter(|inside| inside.starts_with(|c: char| is_of_name(c) || c == '.'));
        changed += if inside.is_some() { "" } else { "." };
        rest = inside.unwrap_or(after);
    }
    changed + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_relative_to_the_contest() {
        let folders = ["/prof/class", "/prof"].map(PathBuf::from);
        for (text, expected) in [
            ("File \"/prof/class/ann/a.py\", line 3", "File \"ann/a.py\", line 3"),
            ("I am in /prof/class", "I am in ."),
            ("'/prof/class'", "'.'"),
            ("/prof/class/", "./"),
            ("/prof/class/.cache /prof/class", ".cache ."),
            ("/prof/class2/a /x/prof/class/b", "class2/a /x/prof/class/b"),
            ("/prof/classical", "classical"),
            ("/professor/x", "/professor/x"),
            ("cd /prof; ls", "cd .; ls"),
        ] {
            assert_eq!(relative(&folders, text), expected, "{text}");
        }
        assert_eq!(relative(&[PathBuf::from("/"), PathBuf::new()], "/a/b"), "/a/b");
    }
}
