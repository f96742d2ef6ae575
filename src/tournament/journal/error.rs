//! What can be wrong with a tournament's file.

use std::io;

use crate::record::Shard;

/// Why a tournament's file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// It cannot be opened, read or written.
    #[error("cannot {doing} the record file {path}: {source}")]
    Io {
        /// What was tried.
        doing: &'static str,
        /// The file.
        path: String,
        /// What the system said.
        source: io::Error,
    },
    /// Another program has locked it.
    #[error("{0} is in use by another tournament; wait for it, or give another --record FILE")]
    Locked(String),
    /// It is a folder, a pipe or a device.
    #[error("{0} is not a regular file; a tournament needs one that it can read again")]
    NotAFile(String),
    /// The file is not empty, and `--resume` was not given.
    #[error(
        "{0} is not empty: add --resume to go on with the tournament in it, or give another --record FILE"
    )]
    NotEmpty(String),
    /// It is not a tournament's file.
    #[error(
        "{path}:{line}: not a line of a tournament's file: {why}; nothing was changed; give another --record FILE"
    )]
    NotATournament {
        /// The file.
        path: String,
        /// The line, from 1.
        line: u64,
        /// What is wrong.
        why: String,
    },
    /// It is another tournament's file.
    #[error(
        "{path} holds another tournament ({difference}); {}, or give another --record FILE",
        way_back(difference)
    )]
    OtherPlan {
        /// The file.
        path: String,
        /// The first difference.
        difference: String,
    },
    /// A match of it began from something else than its opening.
    #[error(
        "{path}: match {number} was played from another opening {opening} than that of today; put the openings back as they were{more}, or give another --record FILE"
    )]
    OtherOpening {
        /// The file.
        path: String,
        /// The match's number in the file.
        number: u64,
        /// The number of the opening.
        opening: u64,
        /// Whether openings can be added, in words.
        more: &'static str,
    },
    /// Its bots, or their versions, are others.
    #[error(
        "{path} was played by other bots: {change}; add --update to go on with today's bots, or give another --record FILE"
    )]
    OtherBots {
        /// The file.
        path: String,
        /// The first change.
        change: String,
    },
    /// Its bots are to be changed, and not all of its openings are to be played.
    #[error(
        "{path} has {there} openings, and new bots would play {here} of them; give --count {there} with --update"
    )]
    FewerOpenings {
        /// The file.
        path: String,
        /// Its count of openings.
        there: u64,
        /// The count asked for.
        here: u64,
    },
    /// It does not say what its bots were made of.
    #[error(
        "{0} was begun by an earlier version of this program, which did not note what its bots were made of: --resume goes on with it, but it cannot be updated; give another --record FILE"
    )]
    WithoutVersions(String),
    /// It is another part of the tournament.
    #[error(
        "{path} holds shard {there} of this tournament, not {here}; give each shard a file of its own"
    )]
    OtherShard {
        /// The file.
        path: String,
        /// Its shard.
        there: Shard,
        /// The shard asked for.
        here: Shard,
    },
}

impl JournalError {
    /// Whether the command line is wrong, and nothing has failed.
    pub const fn is_usage(&self) -> bool {
        matches!(self, JournalError::NotEmpty(_) | JournalError::FewerOpenings { .. })
    }
}

/// How to go on with a tournament from which this command's differs so: the option with which it was
/// begun, where it is one option.
fn way_back(difference: &str) -> String {
    const FLAGS: [&str; 2] = ["check", "anonymous"];
    const VALUES: [&str; 5] = ["openings", "repeat", "seed", "disqualify_after", "sprt"];
    let parts = || {
        let (key, values) = difference.split_once(": ")?;
        let (file, here) = values.split_once(" in the file, ")?;
        Some((key, file, here.strip_suffix(" here")?))
    };
    match parts() {
        Some((key, "true", _)) if FLAGS.contains(&key) => {
            format!("it was begun with --{key}: add it")
        }
        Some((key, "nothing", _)) if FLAGS.contains(&key) || VALUES.contains(&key) => {
            format!("it was begun without --{}: leave it out", key.replace('_', "-"))
        }
        Some((key, file, _)) if VALUES.contains(&key) => {
            let value = file.trim_matches('"');
            format!("it was begun with --{} {value}: give that again", key.replace('_', "-"))
        }
        _ => "resume it as it was".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_option_that_is_missing_is_named() {
        for (difference, words) in [
            ("check: true in the file, nothing here", "it was begun with --check: add it"),
            ("check: nothing in the file, true here", "it was begun without --check: leave it out"),
            ("seed: 7 in the file, 1 here", "it was begun with --seed 7: give that again"),
            (
                "openings: \"random:4\" in the file, \"standard\" here",
                "it was begun with --openings random:4: give that again",
            ),
            (
                "disqualify_after: 3 in the file, nothing here",
                "it was begun with --disqualify-after 3: give that again",
            ),
            ("rules.name: \"kalah\" in the file, \"cs221\" here", "resume it as it was"),
            ("bots: 3 in the file, 4 here", "resume it as it was"),
        ] {
            assert_eq!(way_back(difference), words, "{difference}");
        }
    }
}
