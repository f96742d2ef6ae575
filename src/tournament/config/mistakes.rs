//! What is wrong with a configuration, in words for whoever wrote it: which key, and what to do.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{ConfigError, ConfigPlace, ConfigSource, greatest};
use crate::text::printable;

/// Keys at the top of a configuration, in the order in which they are written.
pub(super) const KEYS: [&str; 17] = [
    "name",
    "dir",
    "format",
    "gauntlet",
    "openings",
    "count",
    "repeat",
    "seed",
    "disqualify_after",
    "reuse_bots",
    "restart_after",
    "anonymous",
    "check",
    "sprt",
    "match",
    "bot",
    "bots",
];

/// Keys of a `[[bots]]`; a `[[bot]]` has all but the first.
pub(super) const BOT_KEYS: [&str; 7] = ["glob", "name", "command", "dir", "env", "build", "files"];

/// Options of `mancala tournament` that are written in another way here.
const WRITTEN_OTHERWISE: [(&str, &str); 3] = [
    ("swiss", "write format = \"swiss\" at the top"),
    ("round_robin", "write format = \"round-robin\" at the top"),
    ("no_sandbox", "write sandbox = false under [match]"),
];

/// Options of `mancala match` that a tournament decides itself, and what to use instead.
const DECIDED: [(&str, &str); 8] = [
    ("opening", "set openings at the top, as in openings = \"file:PATH\""),
    ("first", "each bot begins one round of every match"),
    ("rounds", "a match has two rounds; set count or repeat at the top for more matches"),
    ("record", "give --record FILE on the command line"),
    ("log", "give --log DIR on the command line"),
    ("format", "give --format on the command line, or set format at the top"),
    ("verbose", "follow a tournament with --events"),
    ("strict", "give --strict on the command line"),
];

/// Types as serde names them, and as people do.
const TYPES: [(&str, &str); 6] = [
    ("u64", "a whole number from 0"),
    ("a nonzero u32", "a whole number from 1"),
    ("a string", "a text in quotes"),
    ("a boolean", "true or false"),
    ("a sequence", "a list"),
    ("a map", "a table"),
];

impl ConfigSource {
    /// The mistake that `error` found in `table`, the whole configuration.
    pub(super) fn explain(&self, error: &toml::de::Error, table: &DeTable<'_>) -> ConfigError {
        let place = error.span().unwrap_or(0..0);
        let message = error.message();
        let (key, found) = what_stands_at(table, "", &place).unwrap_or(("", None));
        let quoted = |prefix: &str| message.strip_prefix(prefix)?.split('`').next();
        if let Some(unknown) = quoted("unknown field `") {
            let keys = match key {
                "bot" => &BOT_KEYS[1..],
                "bots" => &BOT_KEYS[..],
                _ => &KEYS[..],
            };
            return self.unknown(&place, unknown, keys);
        }
        if let Some(missing) = quoted("missing field `") {
            return self.error(&place, format!("this [[{key}]] has no {missing}"));
        }
        if ["bot", "bots"].contains(&key) && message.starts_with("invalid type") {
            let message = format!("write each under a heading of its own, [[{key}]]");
            return self.error(&place, message);
        }
        let Some((_, expected)) = message.split_once(", expected ") else {
            return self.error(&place, printable(message));
        };
        if key == "match" && table.get("match").is_some_and(|it| it.get_ref().is_array()) {
            return self.error(&place, "write [match], once");
        }
        let expected = TYPES.iter().find(|(serde, _)| *serde == expected).map_or(expected, |t| t.1);
        let key = printable(key);
        let is_out_of_range = found == Some("integer") && expected.contains("number");
        let most = (is_out_of_range && expected.ends_with("from 1"))
            .then(|| format!(" to {}", greatest(&key)));
        let most = most.unwrap_or_default();
        let found = found.filter(|_| message.starts_with("invalid type") && !is_out_of_range);
        let found = found.map(|found| format!(", not {} {found}", article(found)));
        let found = found.unwrap_or_default();
        self.error(&place, format!("{key} must be {expected}{most}{found}"))
    }

    /// An error if a `[[bot]]` has a `glob`, whatever else is wrong with it.
    pub(super) fn check_headings(&self, table: &DeTable<'_>) -> Result<(), ConfigError> {
        let bots = table.get("bot").and_then(|bots| bots.get_ref().as_array());
        let mut tables = bots.into_iter().flatten().filter_map(|bot| bot.get_ref().as_table());
        let message = "glob makes a bot of each file that it matches; write this under [[bots]] instead \
                       of [[bot]]";
        let glob = tables.find_map(|bot| bot.get("glob"));
        glob.map_or(Ok(()), |glob| Err(self.error(&glob.span(), message)))
    }

    /// An error if a tournament has no such option of `[match]`.
    pub(super) fn check_option(&self, key: &str, place: &ConfigPlace) -> Result<(), ConfigError> {
        if let Some((_, instead)) = DECIDED.iter().find(|(decided, _)| *decided == key) {
            return Err(self.error(place, format!("{key} is not for a tournament: {instead}")));
        }
        let keys: Vec<&str> = self.options.of_match.iter().map(String::as_str).collect();
        if keys.contains(&key) {
            return Ok(());
        }
        Err(self.unknown(place, key, &keys))
    }

    /// The error for a key that is not in `keys`.
    fn unknown(&self, place: &ConfigPlace, key: &str, keys: &[&str]) -> ConfigError {
        let options = &self.options;
        let plain = key.replace('-', "_");
        let near = keys
            .iter()
            .map(|known| (strsim::damerau_levenshtein(&plain, known), known))
            .filter(|(distance, known)| {
                // Of a short word more than half is to be right.
                *distance <= 2.max(known.len() / 3) && 2 * distance < known.len()
            })
            .min();
        let meant = match near {
            Some((0, known)) => format!("did you mean {known}?"),
            // It is spelt right, and stands in the wrong place.
            _ if options.of_match.contains(&plain) => "it belongs under [match]".to_owned(),
            _ if KEYS.contains(&&*plain) => {
                let is_of_bots = BOT_KEYS.contains(&&*plain) && keys != BOT_KEYS;
                let or = if is_of_bots { ", or under [[bots]] or [[bot]]" } else { "" };
                format!("it belongs at the top, before the first [heading]{or}")
            }
            _ if BOT_KEYS.contains(&&*plain) => "it belongs under [[bots]] or [[bot]]".to_owned(),
            _ if let Some((_, way)) =
                WRITTEN_OTHERWISE.iter().find(|(option, _)| *option == plain) =>
            {
                (*way).to_owned()
            }
            // A plan does not have it.
            _ if options.of_tournament.contains(&plain) => {
                format!("give --{} on the command line", plain.replace('_', "-"))
            }
            Some((_, known)) => format!("did you mean {known}?"),
            None => format!("known are {}", keys.join(", ")),
        };
        self.error(place, format!("unknown key {}; {meant}", printable(key)))
    }
}

/// What stands at `place` in `table`, which is the value of `parent`: for a value its key and its
/// type, for a key its parent.
fn what_stands_at<'a>(
    table: &'a DeTable<'_>,
    parent: &'a str,
    place: &ConfigPlace,
) -> Option<(&'a str, Option<&'static str>)> {
    table.iter().find_map(|(key, value)| {
        let in_key = || (key.span() == *place).then_some((parent, None));
        in_value(key.get_ref(), value, place).or_else(in_key)
    })
}

fn in_value<'a>(
    key: &'a str,
    value: &'a Spanned<DeValue<'_>>,
    place: &ConfigPlace,
) -> Option<(&'a str, Option<&'static str>)> {
    let inner = match value.get_ref() {
        DeValue::Table(table) => what_stands_at(table, key, place),
        DeValue::Array(items) => items.iter().find_map(|item| in_value(key, item, place)),
        _ => None,
    };
    inner.or_else(|| (value.span() == *place).then(|| (key, Some(value.get_ref().type_str()))))
}

fn article(kind: &str) -> &'static str {
    if kind.starts_with(|first| "aeiou".contains(first)) { "an" } else { "a" }
}
