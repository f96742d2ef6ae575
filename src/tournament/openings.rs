//! The openings that a plan asks for, wherever they come from.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::chance::Chance;
use crate::rules::{
    BadOpeningKind, Opening, RandomOpenings, Ruleset, Suite, fair_kalah, parse_openings,
};
use crate::text::printable;

/// Most bytes of a file of openings: a million lines take half of it.
const MAX_FILE: u64 = 64 << 20;

/// Why there are no such openings.
#[derive(Debug, thiserror::Error)]
pub enum OpeningsError {
    /// The file cannot be read.
    #[error("cannot read the openings in {}: {source}", shown(.path))]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A line of the file is not an opening, or repeats one.
    #[error("{}:{line}: {kind}", shown(.path))]
    BadLine {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        kind: BadOpeningKind,
    },
    /// The suite is for other rules.
    #[error(
        "the openings fairkalah are for the rules ece1021 only (4 seeds, the opponent's store \
         skipped, forward, empty capture): only there is their value 0"
    )]
    OtherRules,
    /// There are not as many as were asked for.
    #[error(
        "{suite} has {has} distinct opening{}, not {wanted}: ask for --count {has} at most, or \
         play each more often with --repeat",
        if *.has == 1 { "" } else { "s" }
    )]
    TooFew {
        /// The suite.
        suite: String,
        /// How many there are.
        has: usize,
        /// How many were asked for.
        wanted: usize,
    },
}

impl OpeningsError {
    /// Whether the trouble is a file that cannot be read, and not what was asked for.
    #[must_use]
    pub const fn is_unreadable(&self) -> bool {
        matches!(self, OpeningsError::Unreadable { .. })
    }
}

fn shown(path: &Path) -> String {
    printable(&path.to_string_lossy())
}

/// The first `count` openings of a suite; all of them where no count is given, which needs a suite
/// that has an end. Paths are relative to `folder`. More of the same suite change none of these.
///
/// # Errors
///
/// As [`OpeningsError`] says.
pub fn load_openings(
    suite: &Suite,
    rules: &Ruleset,
    seed: u64,
    count: Option<usize>,
    folder: &Path,
) -> Result<Vec<Opening>, OpeningsError> {
    let wanted = count.unwrap_or(usize::MAX);
    let mut openings = match suite {
        Suite::Standard => vec![Opening::standard(rules)],
        Suite::Random { plies } => RandomOpenings::new(rules, *plies, seed).take(wanted).collect(),
        Suite::FairKalah => {
            let mut openings = fair_kalah(rules).ok_or(OpeningsError::OtherRules)?;
            // The published order has neighbours side by side: the first few would be much alike.
            Chance::new(seed).shuffle(&mut openings);
            openings
        }
        Suite::File(path) => read_file(&folder.join(path))?,
    };
    if let Some(wanted) = count.filter(|&wanted| wanted > openings.len()) {
        let suite = printable(&suite.to_string());
        return Err(OpeningsError::TooFew { suite, has: openings.len(), wanted });
    }
    openings.truncate(wanted);
    Ok(openings)
}

fn read_file(path: &Path) -> Result<Vec<Opening>, OpeningsError> {
    let unreadable = |source| OpeningsError::Unreadable { path: path.to_owned(), source };
    let mut text = String::new();
    let file = File::open(path).map_err(unreadable)?;
    file.take(MAX_FILE + 1).read_to_string(&mut text).map_err(unreadable)?;
    if text.len() as u64 > MAX_FILE {
        let why = format!("it has more than {}", crate::text::bytes(MAX_FILE));
        return Err(unreadable(io::Error::other(why)));
    }
    let openings = parse_openings(&text).map_err(|bad| OpeningsError::BadLine {
        path: path.to_owned(),
        line: bad.line,
        kind: bad.kind,
    })?;
    if openings.is_empty() {
        return Err(unreadable(io::Error::other("there is no opening in it")));
    }
    Ok(openings)
}
