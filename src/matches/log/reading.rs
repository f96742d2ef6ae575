//! Reads bundles from files. Only what a referee could have written is sent to a bot again.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::bundle::{Bundle, FORMAT};
use super::folder::is_bundle;
use crate::protocol::{ToBot, Turn};
use crate::record::whole_ms;
use crate::rules::Opening;
use crate::text::{self, printable, printable_path};

/// Most bytes of a bundle that is read. Every bundle that is written is smaller.
const MAX_BUNDLE: u64 = 4 * 1024 * 1024;

/// The longest time that a bundle may hold a bot to, as the command line has it.
const LONGEST_MS: u64 = 24 * 60 * 60 * 1000;

/// The most folders between the one that the user named and a bundle: a bot's and a match's.
const DEEPEST: u32 = 2;

/// The first bundle in a folder, by name, or in the folders in it.
fn first_bundle(folder: &Path, depth: u32) -> Option<PathBuf> {
    let entries = folder.read_dir().ok()?.filter_map(|entry| Some(entry.ok()?.path()));
    let mut entries: Vec<PathBuf> = entries.collect();
    entries.sort_unstable();
    let bundle = entries.iter().find(|path| is_bundle(path) && path.is_file()).cloned();
    bundle.or_else(|| {
        let is_folder = |path: &&PathBuf| depth > 0 && path.is_dir() && !path.is_symlink();
        entries.iter().filter(is_folder).find_map(|path| first_bundle(path, depth - 1))
    })
}

impl Bundle {
    /// Reads a bundle from a file.
    ///
    /// # Errors
    ///
    /// Why there is none in it. The text completes "FILE …".
    pub fn read(path: &Path) -> Result<Bundle, String> {
        let unreadable = |error: io::Error| format!("cannot be read: {error}");
        let file = File::open(path).map_err(unreadable)?;
        if file.metadata().map_err(unreadable)?.is_dir() {
            return Err(match first_bundle(path, DEEPEST) {
                Some(bundle) => {
                    format!("is a folder; name a bundle in it, such as {}", printable_path(&bundle))
                }
                None => "is a folder, and no fault-….json is in it".to_owned(),
            });
        }
        let mut bytes = Vec::new();
        file.take(MAX_BUNDLE + 1).read_to_end(&mut bytes).map_err(unreadable)?;
        if is_record(&bytes) {
            return Err(
                "is a record of matches; bundles are made by --log DIR (fault-*.json), and \
                        mancala replay FILE --faults lists the matches with faults"
                    .to_owned(),
            );
        }
        if bytes.len() as u64 > MAX_BUNDLE {
            let most = MAX_BUNDLE / 1024 / 1024;
            return Err(format!("has more than {most} MiB; no bundle of a fault is so large"));
        }
        Bundle::parse(&bytes)
    }

    /// The bundle in `text`; `None` if there is none.
    pub fn of_text(text: &str) -> Option<Bundle> {
        Bundle::parse(text.as_bytes()).ok()
    }

    fn parse(bytes: &[u8]) -> Result<Bundle, String> {
        // Some editors write a byte order mark.
        let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
        let value: serde_json::Value =
            serde_json::from_slice(bytes).map_err(|error| match error {
                _ if bytes.trim_ascii().is_empty() => "is empty".to_owned(),
                error if error.is_eof() => "is cut off: it ends in the middle".to_owned(),
                _ if is_transcript(bytes) => {
                    "is a transcript; reproduce takes the bundle of a fault, a \
                                              file fault-….json beside it"
                        .to_owned()
                }
                error => format!("is not a bundle: it is not JSON: {}", shown(&error)),
            })?;
        match value.get("format").and_then(serde_json::Value::as_str) {
            Some(FORMAT) => {}
            Some(other) => {
                return Err(format!(
                    "has the format {other:?}; this version of mancala reads {FORMAT:?}"
                ));
            }
            None => return Err("is not a bundle: it has no \"format\"".to_owned()),
        }
        let bundle: Bundle =
            serde_json::from_value(value).map_err(|error| impossible(&shown(&error)))?;
        for line in bundle.told.iter().flatten().chain([&bundle.start]).chain(&bundle.input) {
            bundle.check(line).map_err(|what| impossible(&what))?;
        }
        if !matches!(serde_json::from_str(&bundle.start), Ok(ToBot::Start(_))) {
            return Err(impossible("its \"start\" is not a start line"));
        }
        if bundle.input.as_ref().is_some_and(|input| turn_of(input).is_none()) {
            return Err(impossible("its \"input\" is not a turn line"));
        }
        Ok(bundle)
    }

    /// Whether a line of it may be sent: one message that a referee could have sent.
    fn check(&self, line: &str) -> Result<(), String> {
        let quote = text::quoted(line.as_bytes());
        let longest_wait = whole_ms(self.terms.time.start_time.max(self.terms.time.margin));
        if line.contains('\n') {
            return Err(format!("one of its lines contains a line end: {quote}"));
        }
        match serde_json::from_str::<ToBot>(line) {
            Err(error) => Err(format!("{}, in {quote}", shown(&error))),
            Ok(ToBot::Turn(turn)) if Opening::new(turn.board).is_err() => {
                Err(format!("nobody can move in {quote}"))
            }
            Ok(ToBot::Turn(turn)) if turn.move_time_ms.max(longest_wait) > LONGEST_MS => {
                Err("a time in it is more than 24h".to_owned())
            }
            Ok(_) => Ok(()),
        }
    }
}

/// It is a bundle with an impossible value.
fn impossible(what: &str) -> String {
    format!("is of the format {FORMAT}, but {what}")
}

/// Whether a file begins as a transcript does: with a time in milliseconds and a sign.
fn is_transcript(bytes: &[u8]) -> bool {
    let line = bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let mut words = str::from_utf8(line).unwrap_or_default().split_whitespace();
    words.next().is_some_and(|time| time.parse::<f64>().is_ok()) && words.next() == Some("#")
}

/// Whether a file begins with a match or with the plan of a tournament.
fn is_record(bytes: &[u8]) -> bool {
    let first = serde_json::Deserializer::from_slice(bytes).into_iter::<serde_json::Value>().next();
    let first = first.and_then(Result::ok).unwrap_or_default();
    let format = first.get("format").and_then(serde_json::Value::as_str);
    format.is_some_and(|format| {
        ["mancala-match/", "mancala-tournament/"].iter().any(|of| format.starts_with(of))
    })
}

fn shown(error: &serde_json::Error) -> String {
    printable(&error.to_string())
}

/// The message of a `turn` line.
pub(super) fn turn_of(line: &str) -> Option<Turn> {
    match serde_json::from_str(line) {
        Ok(ToBot::Turn(turn)) => Some(turn),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::bundle::tests::{bundle, json};
    use super::*;

    #[test]
    fn what_is_written_is_read_whatever_else_is_in_it() {
        let bundle = bundle();
        let text = json(&bundle);
        assert!(text.starts_with("{\n  \"format\": \"mancala-fault/1\",\n"), "{text}");
        assert_eq!(Bundle::parse(text.as_bytes()).unwrap(), bundle);
        assert_eq!(Bundle::parse(format!("\u{feff}{text}").as_bytes()).unwrap(), bundle);
        let more = text.replacen('{', "{\"weather\":[{\"sun\":1}],", 1);
        assert_eq!(Bundle::parse(more.as_bytes()).unwrap(), bundle);
    }

    #[test]
    fn what_is_no_bundle_says_why() {
        let text = json(&bundle());
        let why = |text: &str| Bundle::parse(text.as_bytes()).unwrap_err();
        let changed = |from: &str, to: &str| {
            assert!(text.contains(from), "{from}");
            why(&text.replacen(from, to, 1))
        };
        assert_eq!(why(""), "is empty");
        assert_eq!(why("\n"), "is empty");
        assert_eq!(why(&text[..300]), "is cut off: it ends in the middle");
        assert!(why("hello").starts_with("is not a bundle: it is not JSON: "));
        assert!(why("\u{1b}[2J").starts_with("is not a bundle: it is not JSON: "));
        assert_eq!(why("[3]"), "is not a bundle: it has no \"format\"");
        assert_eq!(
            changed("mancala-fault/1", "mancala-fault/2"),
            "has the format \"mancala-fault/2\"; this version of mancala reads \"mancala-fault/1\""
        );
        assert!(
            changed("mancala-fault/1", "mancala-match/1").contains("\"mancala-match/1\"; this")
        );
        assert!(changed("\"kind\": \"illegal_move\",", "").ends_with("missing field `kind`"));
        assert!(changed("\"round\": 1", "\"round\": \"one\"").contains("invalid type"));
        assert!(
            changed("{\\\"type\\\":\\\"start", "{\\\"type\\\":\\\"stop")
                .contains("not a start line")
        );
        assert!(
            changed("{\\\"type\\\":\\\"turn", "{\\\"type\\\":\\\"term").contains("not a turn line")
        );
        assert!(changed("\"turn\\\",", "\"turn\\\",\\n").contains("contains a line end"));
        assert!(changed("[0,4,4,4,3,3,0,", "[0,0,0,0,0,0,0,").contains("nobody can move"));
        assert!(
            changed(":2}],\\\"move_time_ms\\\":1000", ":2}],\\\"move_time_ms\\\":99999999")
                .contains("more than 24h")
        );
        assert!(changed("_time_ms\": 10000", "_time_ms\": 99999999").contains("more than 24h"));
    }
}
