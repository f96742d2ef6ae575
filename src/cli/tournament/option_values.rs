//! Values of options in a configuration, and what is wrong with them.

use clap::error::{ContextKind, ContextValue};
use clap::{Arg, ArgAction, CommandFactory};
use toml::Value;

use super::super::failure::one_line;
use super::options::MatchOptionsParser;
use crate::text::{has_word, printable};
use crate::tournament::MatchOption;

/// Texts that keys take.
const EXAMPLES: [(&str, &str); 11] = [
    ("move_time start_time margin game_time cpu_time", "\"2s\""),
    ("memory file_size min_free", "\"512MiB\""),
    ("allow_read allow_write", "\"data\", or a list of texts"),
    (
        "env",
        "\"HOME\", or a list of texts; env = { NAME = \"VALUE\" } stands under [[bots]] or [[bot]]",
    ),
    ("wrap", "\"nice -n 5\""),
    ("rules", "\"kalah\""),
    ("direction", "\"forward\""),
    ("opponent_store", "\"skip\""),
    ("adjudicate", "\"lead\""),
    ("ponder", "\"allow\""),
    ("fault_policy", "\"substitute\""),
];

/// What the value of an option is in a configuration.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum OptionKind {
    /// True or false, and no value on the command line.
    Flag,
    /// True or false, or a text.
    YesOrNo,
    /// A whole number, or a text.
    Number,
    Text,
}

/// What the value of this option is.
pub(super) fn kind_of(arg: &Arg) -> OptionKind {
    let names = arg.get_value_names().unwrap_or_default();
    match arg.get_action() {
        ArgAction::SetTrue => OptionKind::Flag,
        _ if names.iter().any(|name| name == "yes|no") => OptionKind::YesOrNo,
        _ if names.iter().any(|name| name == "N") => OptionKind::Number,
        _ => OptionKind::Text,
    }
}

/// Whether this option may have several values.
pub(super) fn is_list(arg: &Arg) -> bool {
    matches!(arg.get_action(), ArgAction::Append)
}

/// The option as words of a command line.
///
/// # Errors
///
/// In words, for a value of another type.
pub(super) fn words(MatchOption { key, value, .. }: &MatchOption) -> Result<Vec<String>, String> {
    let long = key.replace('_', "-");
    let command = MatchOptionsParser::command();
    let arg = command.get_arguments().find(|arg| arg.get_long() == Some(&long));
    let (kind, is_list) = (arg.map_or(OptionKind::Text, kind_of), arg.is_some_and(is_list));
    let text = |value: &Value| match (kind, value) {
        (OptionKind::YesOrNo | OptionKind::Number | OptionKind::Text, Value::String(text)) => {
            Ok(format!("--{long}={text}"))
        }
        (OptionKind::Number, Value::Integer(number)) => Ok(format!("--{long}={number}")),
        (OptionKind::YesOrNo, Value::Boolean(true)) => Ok(format!("--{long}=yes")),
        (OptionKind::YesOrNo, Value::Boolean(false)) => Ok(format!("--{long}=no")),
        (OptionKind::Flag | OptionKind::YesOrNo, _) => Err(format!("{key} must be true or false")),
        (OptionKind::Number, _) => Err(format!("{key} must be a whole number")),
        (OptionKind::Text, _) => {
            let example = EXAMPLES.iter().find(|(known, _)| has_word(known, key));
            let example = example.map(|(_, it)| format!(", such as {it}")).unwrap_or_default();
            Err(format!("{key} must be a text in quotes{example}"))
        }
    };
    match (kind, value) {
        (OptionKind::Flag, Value::Boolean(true)) => Ok(vec![format!("--{long}")]),
        (OptionKind::Flag, Value::Boolean(false)) => Ok(Vec::new()),
        (_, Value::Array(values)) if is_list => values.iter().map(text).collect(),
        (_, Value::Array(_)) => Err(format!("{key} takes one value, not a list")),
        (_, value) => Ok(vec![text(value)?]),
    }
}

/// What the parser says of one value of `key`, without the words that belong to a command line.
pub(super) fn why_not(key: &str, error: &clap::Error) -> String {
    let text = one_line(error);
    let text = text.split("; see mancala").next().unwrap_or(&text);
    let option = format!("for '--{} ", key.replace('_', "-"));
    let why = text.split_once(&option).and_then(|(_, rest)| Some(rest.split_once("': ")?.1));
    match (why, error.get(ContextKind::InvalidValue)) {
        (Some(why), Some(ContextValue::String(value))) => {
            format!("{key} cannot be {:?}: {why}", printable(value))
        }
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_another_type_are_refused() {
        let refusal = |key: &str, value: Value| {
            words(&MatchOption { key: key.to_owned(), value, place: 0..0 }).unwrap_err()
        };
        for (key, value, example) in [
            ("rules", 1.5.into(), "\"kalah\""),
            ("move_time", Value::from(2), "\"2s\""),
            ("memory", 512.into(), "\"512MiB\""),
            ("allow_read", vec![1.5].into(), "\"data\", or a list of texts"),
        ] {
            let expected = format!("{key} must be a text in quotes, such as {example}");
            assert_eq!(refusal(key, value), expected);
        }
        let of_a_bot =
            refusal("env", toml::Table::from_iter([("A".to_owned(), "b".into())]).into());
        assert!(of_a_bot.contains("stands under [[bots]] or [[bot]]"), "{of_a_bot}");
        // Each that takes a text has an example.
        for arg in MatchOptionsParser::command().get_arguments() {
            let key = arg.get_long().unwrap_or_default().replace('-', "_");
            if kind_of(arg) == OptionKind::Text {
                assert!(refusal(&key, 1.5.into()).contains(", such as \""), "{key}");
            }
        }
        for key in ["max_moves", "seeds", "processes"] {
            for value in [Value::from(3.0), true.into()] {
                assert_eq!(refusal(key, value), format!("{key} must be a whole number"));
            }
        }
        assert_eq!(refusal("empty_capture", 1.into()), "empty_capture must be true or false");
        assert_eq!(refusal("sandbox", 1.into()), "sandbox must be true or false");
        assert_eq!(refusal("rules", vec!["a"].into()), "rules takes one value, not a list");
    }
}
