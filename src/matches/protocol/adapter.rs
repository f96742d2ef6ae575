//! What an adapter says about the bot that it runs: `"info":{"adapter":{"code":…,"words":…}}` in an
//! answer.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Info;
use crate::text::quoted;

/// What an adapter says about the bot that it runs, in the numbers and names of its author.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AdapterReport {
    /// The same word whenever the bot does the same; printable, one line.
    pub code: String,
    /// What the bot did, and what it should do; printable, one line.
    pub words: String,
}

impl AdapterReport {
    /// The report in the `info` that came with a move, if there is one.
    pub(crate) fn in_info(info: &Info) -> Option<AdapterReport> {
        AdapterReport::in_value(&serde_json::from_str(info.json()).ok()?)
    }

    pub(super) fn in_value(info: &Value) -> Option<AdapterReport> {
        let adapter = info.get("adapter")?;
        let text = |key: &str| {
            let text = adapter.get(key)?.as_str()?;
            (!text.trim().is_empty()).then(|| quoted(text.as_bytes()))
        };
        Some(AdapterReport { code: text("code")?, words: text("words")? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_object_with_both_texts_is_a_report() {
        let report = |info: &str| AdapterReport::in_value(&serde_json::from_str(info).unwrap());
        let found = report(r#"{"adapter":{"code":"prints","words":"f printed \u001b[2J"},"x":1}"#);
        let found = found.unwrap();
        assert_eq!((&*found.code, &*found.words), ("prints", r"f printed \u{1b}[2J"));
        for info in ["7", "null", r#"{"adapter":"x"}"#, r#"{"adapter":{"code":"x"}}"#] {
            assert_eq!(report(info), None, "{info}");
        }
        for blank in [r#"{"code":"","words":"x"}"#, r#"{"code":"x","words":" \n"}"#] {
            assert_eq!(report(&format!(r#"{{"adapter":{blank}}}"#)), None, "{blank}");
        }
    }
}
