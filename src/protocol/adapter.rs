//! What the adapters of `examples` say, in the `info` of an answer, about the function or program
//! that they run.

use serde_json::{Deserializer, Value};

use crate::text::quoted;

/// What an adapter says about the bot that it runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdapterReport {
    /// What the bot did.
    pub what: Adapted,
    /// The adapter's words; printable, one line.
    pub text: String,
}

/// What adapters report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Adapted {
    /// A C function returned a bin that does not exist.
    NoBin,
    /// A C function returned an empty bin.
    EmptyBin,
    /// A C function printed.
    Prints,
    /// A C function leaks memory.
    Leaks,
    /// A program said a house that does not exist, or no number.
    NoHouse,
    /// A program said an empty house.
    EmptyHouse,
    /// A function returned something that is not a cell.
    NoCell,
}

/// The words of each adapter; the first that are found count.
const ADAPTERS: [(&str, Adapted); 7] = [
    (" printed to stdout", Adapted::Prints),
    (" leaks memory", Adapted::Leaks),
    (", which is an empty bin", Adapted::EmptyBin),
    (" returned bin ", Adapted::NoBin),
    (", which is an empty house", Adapted::EmptyHouse),
    (", which is no house from 1 to 6", Adapted::NoHouse),
    (", which is no cell", Adapted::NoCell),
];

impl AdapterReport {
    /// The report in an answer, if there is one.
    #[must_use]
    pub fn in_answer(line: &[u8]) -> Option<AdapterReport> {
        let answer: Value = serde_json::from_slice(line).ok()?;
        AdapterReport::in_info(answer.get("info")?.as_str()?)
    }

    /// The report in the answer that a fault's detail quotes, if there is one. A detail quotes the
    /// beginning of an answer.
    #[must_use]
    pub fn in_detail(detail: &str) -> Option<AdapterReport> {
        let quote = &detail[detail.find('{')?..];
        let mut values = Deserializer::from_str(quote).into_iter::<Value>();
        if let Ok(answer) = values.next()? {
            return AdapterReport::in_info(answer.get("info")?.as_str()?);
        }
        let (_, info) = quote.strip_suffix('…')?.split_once("\"info\":")?;
        let info = info.trim_start().strip_prefix('"')?;
        AdapterReport::in_info(&format!("{}…", info.replace("\\\"", "\"")))
    }

    fn in_info(text: &str) -> Option<AdapterReport> {
        let (_, what) = ADAPTERS.into_iter().find(|(words, _)| text.contains(words))?;
        Some(AdapterReport { what, text: quoted(text.as_bytes()) })
    }
}

impl Adapted {
    /// Whether it is about a C function, whose author counts bins from the kalaha on.
    #[must_use]
    pub const fn is_of_a_c_function(self) -> bool {
        matches!(self, Adapted::NoBin | Adapted::EmptyBin | Adapted::Prints | Adapted::Leaks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_adapters_report_is_told_from_a_bots_own_info() {
        let report =
            |line: &str| AdapterReport::in_answer(line.as_bytes()).map(|report| report.what);
        for (line, what) in [
            (r#"{"move":null,"info":"Move_a printed to stdout: \"x\""}"#, Adapted::Prints),
            (r#"{"move":null,"info":"Move_a leaks memory, stderr says where"}"#, Adapted::Leaks),
            (r#"{"move":-3,"info":"Move_a returned bin 9"}"#, Adapted::NoBin),
            (
                r#"{"move":3,"info":"Move_a returned bin 3, which is an empty bin"}"#,
                Adapted::EmptyBin,
            ),
            (r#"{"move":4,"info":"the bot said 5, which is an empty house"}"#, Adapted::EmptyHouse),
            (
                r#"{"move":8,"info":"the bot said 9, which is no house from 1 to 6"}"#,
                Adapted::NoHouse,
            ),
            (r#"{"move":null,"info":"f returned 'x', which is no cell"}"#, Adapted::NoCell),
        ] {
            assert_eq!(report(line), Some(what), "{line}");
        }
        for line in ["3", "\"x printed to stdout\"", r#"{"move":9,"info":"depth 7"}"#, "{"] {
            assert_eq!(report(line), None, "{line}");
        }
    }

    #[test]
    fn a_report_is_found_in_a_detail_that_quotes_it() {
        let text = |detail: &str| AdapterReport::in_detail(detail).map(|report| report.text);
        let whole = r#"no house {"move":-3,"info":"Move_a returned bin 9"}; houses are 0 to 5"#;
        assert_eq!(text(whole).as_deref(), Some("Move_a returned bin 9"));
        let cut = r#"not a number: {"move":null,"info":"Move_a printed to stdout: \"pl…"#;
        assert_eq!(text(cut).as_deref(), Some("Move_a printed to stdout: \"pl…"));
        for detail in ["house 2 is empty", "{", r#"no house {"move":9,"info":"depth 7"}"#, "{…"] {
            assert_eq!(text(detail), None, "{detail}");
        }
    }
}
