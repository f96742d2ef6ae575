//! A line of a tournament's file that is not a match.

use std::collections::BTreeSet;
use std::num::NonZeroU64;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

use super::Digest;
use super::bot_name::some_bot_name;

/// A line of a tournament's file that tells what happened instead of a match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Note {
    /// Always `mancala-note/1`.
    pub format: NoteFormat,
    /// The tournament's identity.
    pub tournament: Digest,
    /// The match's number, if the note is about one.
    #[serde(rename = "match")]
    pub number: Option<NonZeroU64>,
    /// What happened.
    pub note: NoteKind,
    /// The bot's name, if the note is about one.
    #[serde(default, deserialize_with = "some_bot_name")]
    pub bot: Option<String>,
    /// What that bot was made of; absent in older files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<Digest>,
    /// Why, in words; printable, one line. What is read is cut to [`MAX_DETAIL`] bytes.
    #[serde(deserialize_with = "cut_detail")]
    pub detail: String,
    /// Why a bot is disqualified; absent in older files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<DisqualifiedFor>,
    /// The round of a bye, from 1; absent in older files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub round: Option<NonZeroU64>,
    /// The beginning of what the build of a disqualified bot said, or its check.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
    /// What a bot's build has made, and what is left out of the bot's version: files, and folders with
    /// all that is in them.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub made: BTreeSet<String>,
}

/// Most bytes of a note's detail that are read: no line of a table has megabytes.
const MAX_DETAIL: usize = 4096;

fn cut_detail<'de, D: Deserializer<'de>>(input: D) -> Result<String, D::Error> {
    let mut detail = String::deserialize(input)?;
    if detail.len() > MAX_DETAIL {
        detail.truncate(detail.floor_char_boundary(MAX_DETAIL));
        detail.push('…');
    }
    Ok(detail)
}

impl Note {
    /// Why its bot is disqualified. Older notes say it, or a part of it, only in words.
    pub fn disqualified_for(&self) -> DisqualifiedFor {
        match self.cause {
            Some(DisqualifiedFor::Refused) if is_because(&self.detail, NOT_BUILT) => {
                DisqualifiedFor::NotBuilt
            }
            Some(cause) => cause,
            None if is_dead_worker(&self.detail) => DisqualifiedFor::DeadWorker,
            None if is_by_faults(&self.detail) => DisqualifiedFor::Faults,
            None if is_because(&self.detail, NOT_BUILT) => DisqualifiedFor::NotBuilt,
            None if is_because(&self.detail, NOT_STARTED) => DisqualifiedFor::Refused,
            None => DisqualifiedFor::Unknown,
        }
    }

    /// The round of a bye, from 1. Older notes say it only in words.
    pub fn round_of_bye(&self) -> Option<NonZeroU64> {
        self.round.or_else(|| self.detail.strip_prefix(NO_OPPONENT)?.parse().ok())
    }
}

/// Whether the words of an older note begin with this reason.
fn is_because(words: &str, reason: &str) -> bool {
    words.strip_prefix(reason).is_some_and(|why| why.starts_with(": "))
}

/// Whether these are the whole words of an older note for too many faults.
fn is_by_faults(words: &str) -> bool {
    words.strip_suffix(OR_MORE_FAULTS).is_some_and(|number| number.parse::<u64>().is_ok())
}

/// Whether these are the whole words of an older note for a dead worker. What a build prints may
/// have some of them in it.
fn is_dead_worker(words: &str) -> bool {
    let of_build = words.strip_prefix(NOT_BUILT).and_then(|why| why.strip_prefix(": "));
    let of_build = of_build.and_then(|it| it.strip_suffix(", and again when it was built alone"));
    let Some(times) = of_build.unwrap_or(words).strip_prefix(DEAD_WORKER) else { return false };
    let count = times.strip_prefix(", ").and_then(|it| it.strip_suffix(" times"));
    times.is_empty() || count.is_some_and(|count| count.parse::<u32>().is_ok())
}

/// The format field of a [`Note`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum NoteFormat {
    /// Version 1.
    #[default]
    #[serde(rename = "mancala-note/1")]
    V1,
}

/// What a [`Note`] says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NoteKind {
    /// The match was given up: its worker died, or its machine was late, again and again.
    Unfinished,
    /// The bot plays no more, and its matches do not count.
    Disqualified,
    /// The bot had no opponent in a round of a Swiss tournament.
    Bye,
    /// A bot that was disqualified plays again.
    Reinstated,
    /// The bot's build has made files that are left out of its version.
    Made,
}

/// Why a bot is disqualified, for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DisqualifiedFor {
    /// It had too many faults.
    Faults,
    /// It does not build. In older files this is `refused`.
    NotBuilt,
    /// It does not start, or the check found faults.
    Refused,
    /// Its worker died again and again while it was built, for which another bot may be to blame. In
    /// older files also while it was started or checked.
    DeadWorker,
    /// Not known: the note is of an older version, or the reason of a later one.
    #[serde(other)]
    Unknown,
}

/// What the detail of a [`Note`] says where a worker died.
pub const DEAD_WORKER: &str = "its worker died";

/// What the detail of a [`Note`] about a bot that was not built begins with.
pub const NOT_BUILT: &str = "does not build";

/// What the detail of a [`Note`] about a bot that did not start begins with.
pub const NOT_STARTED: &str = "does not start";

/// What the detail of a [`Note`] about a bye says before the number of the round.
pub const NO_OPPONENT: &str = "no opponent in round ";

/// What the detail of a [`Note`] says behind the number of faults that were too many.
pub const OR_MORE_FAULTS: &str = " or more faults";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_read_as_they_are_written() {
        for line in [
            r#"{"format":"mancala-note/1","tournament":"00ba7816bf8f01cf","match":17,"note":"unfinished","bot":null,"detail":"a"}"#,
            r#"{"format":"mancala-note/1","tournament":"00ba7816bf8f01cf","match":null,"note":"disqualified","bot":"x","detail":""}"#,
            r#"{"format":"mancala-note/1","tournament":"00ba7816bf8f01cf","match":null,"note":"bye","bot":"x","detail":"sits out","round":3}"#,
        ] {
            let note: Note = serde_json::from_str(line).unwrap();
            assert_eq!(serde_json::to_string(&note).unwrap(), line);
        }
        let round = |detail: &str, round: &str| {
            let line = format!(
                r#"{{"format":"mancala-note/1","tournament":"00ba7816bf8f01cf","match":null,"note":"bye","bot":"x","detail":"{detail}"{round}}}"#
            );
            serde_json::from_str::<Note>(&line).unwrap().round_of_bye().map(NonZeroU64::get)
        };
        assert_eq!(round("sits out", r#","round":3"#), Some(3));
        assert_eq!(round("no opponent in round 3", ""), Some(3));
        assert_eq!(round("sits out", ""), None);
        let older = |detail: &str, cause: &str| {
            let line = format!(
                r#"{{"format":"mancala-note/1","tournament":"00ba7816bf8f01cf","match":null,"note":"disqualified","bot":"x","detail":"{detail}"{cause}}}"#
            );
            serde_json::from_str::<Note>(&line).unwrap().disqualified_for()
        };
        for (detail, is_dead_worker) in [
            ("its worker died", true),
            ("its worker died, 3 times", true),
            ("does not build: its worker died, 3 times, and again when it was built alone", true),
            ("does not build: exited with code 1; its stderr ends with its worker died", false),
            ("its worker died, many times", false),
            ("its worker died. Try again!", false),
        ] {
            let found = older(detail, "") == DisqualifiedFor::DeadWorker;
            assert_eq!(found, is_dead_worker, "{detail}");
        }
        for (detail, cause, found) in [
            ("does not build: no cc", "refused", DisqualifiedFor::NotBuilt),
            ("does not start: no such file", "refused", DisqualifiedFor::Refused),
            ("does not build: no cc", "dead_worker", DisqualifiedFor::DeadWorker),
            ("other words", "not_built", DisqualifiedFor::NotBuilt),
        ] {
            assert_eq!(older(detail, &format!(r#","cause":"{cause}""#)), found, "{detail}");
        }
        assert_eq!(older("x", r#","cause":"sleepy""#), DisqualifiedFor::Unknown);
        assert_eq!(older("does not build: no cc", ""), DisqualifiedFor::NotBuilt);
        assert_eq!(older("does not build well", ""), DisqualifiedFor::Unknown);
        assert_eq!(older("does not start: no python3", ""), DisqualifiedFor::Refused);
        assert_eq!(older("3 or more faults", ""), DisqualifiedFor::Faults);
        assert_eq!(older("it says 3 or more faults", ""), DisqualifiedFor::Unknown);
    }
}
