//! A plan as a configuration that reads back to the same plan.

use std::fmt::Write as _;

use serde_json::{Map, Value};

use super::MatchOption;
use super::mistakes::{BOT_KEYS, KEYS};
use crate::contest::Plan;
use crate::text::printable;
use crate::tournament::placeholders::refuse_placeholders;
use crate::tournament::versions::BotVersion;

/// The configuration of `plan`, whose matches are played by `options` between bots of these
/// `versions`. Its paths are relative to `folder`, if that is another folder than the
/// configuration's.
///
/// # Errors
///
/// In words, when a command line of a bot has what a configuration would fill in.
pub(crate) fn config_of(
    plan: &Plan,
    options: &[MatchOption],
    versions: &[BotVersion],
    folder: Option<&str>,
) -> Result<String, String> {
    for bot in plan.bots.iter().filter(|bot| bot.version_of.is_none()) {
        let words = bot.command.iter().chain(&bot.build).chain([&bot.name]);
        if let Some(why) = words.chain(&bot.files).find_map(|it| refuse_placeholders(it).err()) {
            let name = printable(&bot.name);
            return Err(format!("no config can name the bot \"{name}\": {why}"));
        }
    }
    let mut table: Map<String, Value> = serde_json::from_str(&plan.json()).unwrap_or_default();
    if let Some(first) = plan.challengers() {
        table.insert("gauntlet".to_owned(), first.into());
    }
    if let Some(folder) = folder {
        table.insert("dir".to_owned(), folder.into());
    }
    let json = |option: &MatchOption| serde_json::to_value(&option.value).unwrap_or_default();
    let options = options.iter().map(|option| (option.key.clone(), json(option)));
    table.insert("match".to_owned(), options.collect());
    let mut bots = table.remove("bots").unwrap_or_default();
    for (bot, version) in bots.as_array_mut().into_iter().flatten().zip(versions) {
        bot[VERSION] = version.digest.to_string().into();
        for key in ["command", "build"] {
            if let Some(words) = bot.get_mut(key) {
                let texts = words.as_array().into_iter().flatten().filter_map(Value::as_str);
                *words = shell_words::join(texts).into();
            }
        }
    }
    // Earlier versions of bots are in the record file alone.
    bots.as_array_mut().into_iter().for_each(|bots| bots.retain(|bot| bot["version_of"].is_null()));
    table.insert("bot".to_owned(), bots);
    let mut text = String::new();
    write_keys(&mut text, &table, &KEYS);
    Ok(text)
}

/// The field of a bot that a configuration has as a comment.
const VERSION: &str = "version";

/// Writes the values of `keys`; those that are not set are left out. The library writes no comments,
/// has an order of its own, and leaves characters as they are that act on a terminal.
fn write_keys(text: &mut String, table: &Map<String, Value>, keys: &[&str]) {
    for &key in keys {
        match table.get(key) {
            None | Some(Value::Null) => {}
            Some(Value::Object(options)) if key == "match" => {
                if !options.is_empty() {
                    *text += "\n[match]\n";
                }
                for (key, value) in options {
                    *text += &format!("{key} = {}\n", inline(value));
                }
            }
            Some(Value::Array(bots)) if key == "bot" => {
                for bot in bots.iter().filter_map(Value::as_object) {
                    *text += &format!("\n[[{key}]]\n");
                    if let Some(version) = bot.get(VERSION).and_then(Value::as_str) {
                        *text += &format!("# version {version}\n");
                    }
                    write_keys(text, bot, &BOT_KEYS);
                }
            }
            Some(value) => *text += &format!("{key} = {}\n", inline(value)),
        }
    }
}

fn inline(value: &Value) -> String {
    match value {
        Value::String(text) => quoted(text),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(inline).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Object(table) => {
            let entry =
                |(key, value): (&String, &Value)| format!("{} = {}", quoted(key), inline(value));
            let entries: Vec<String> = table.iter().map(entry).collect();
            format!("{{ {} }}", entries.join(", "))
        }
        plain => plain.to_string(),
    }
}

/// A text as TOML has it, with whatever acts on a terminal escaped.
fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            _ if crate::text::is_unprintable(character) => {
                let _ = write!(quoted, "\\U{:08x}", u32::from(character));
            }
            _ => quoted.push(character),
        }
    }
    quoted + "\""
}
