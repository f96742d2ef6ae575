//! A configuration as TOML that reads back to the same configuration.

use std::fmt::Write as _;

use serde_json::{Map, Value};

use super::Config;
use super::mistakes::{BOT_KEYS, KEYS};

impl Config {
    /// The text of a file with this configuration.
    #[must_use]
    pub fn to_toml(&self) -> String {
        let mut text = String::new();
        if let Ok(Value::Object(table)) = serde_json::to_value(self) {
            write_keys(&mut text, &table, &KEYS);
        }
        text
    }
}

/// Writes the values of `keys`; those that are not set are left out.
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
            Some(Value::Array(bots)) => {
                for bot in bots.iter().filter_map(Value::as_object) {
                    *text += &format!("\n[[{key}]]\n");
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
