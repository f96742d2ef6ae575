//! The openings that a plan asks for, wherever they come from.

use std::io;
use std::path::Path;

use crate::chance::Chance;
use crate::record::own_files::read_at_most;
use crate::rules::{Opening, RandomOpenings, Ruleset, Suite, fair_kalah, parse_openings};
use crate::text::{counted, printable, printable_path};
use crate::tournament::setup_error::SetupError;

/// Most bytes of a file of openings: a million lines take half of it.
const MAX_FILE: u64 = 64 << 20;

/// The seed that takes the openings of a file in its order: the default, so that an author's order
/// counts. Every other one shuffles them.
pub(super) const ORDER_OF_THE_FILE: u64 = 1;

/// Of the suite fairkalah.
const OTHER_RULES: &str = "\
    the openings fairkalah are for the rules ece1021 only (4 seeds, the opponent's store skipped, \
    forward, empty capture): only there is their value 0; add --rules ece1021";

/// A suite of openings, and what they follow from.
#[derive(Clone, Copy)]
pub(crate) struct OpeningSource<'a> {
    pub suite: &'a Suite,
    pub rules: &'a Ruleset,
    pub seed: u64,
    /// What paths are relative to.
    pub folder: &'a Path,
}

impl OpeningSource<'_> {
    /// The first `count` openings; all of them where no count is given, which needs a suite that has an
    /// end. More of the same suite change none of these.
    ///
    /// # Errors
    ///
    /// As [`SetupError`] says.
    pub(crate) fn load(self, count: Option<usize>) -> Result<Vec<Opening>, SetupError> {
        let OpeningSource { suite, rules, seed, folder } = self;
        let wanted = count.unwrap_or(usize::MAX);
        let mut openings = match suite {
            Suite::Standard => vec![Opening::standard(rules)],
            Suite::Random { plies } => {
                RandomOpenings::new(rules, *plies, seed).take(wanted).collect()
            }
            Suite::FairKalah => {
                let mut openings =
                    fair_kalah(rules).ok_or_else(|| SetupError::Usage(OTHER_RULES.to_owned()))?;
                // The published order has neighbours side by side: the first few would be much alike.
                Chance::new(seed).shuffle(&mut openings);
                openings
            }
            Suite::File(path) => {
                let mut openings = read_file(&folder.join(path))?;
                if seed != ORDER_OF_THE_FILE {
                    Chance::new(seed).shuffle(&mut openings);
                }
                openings
            }
        };
        if let Some(wanted) = count.filter(|&wanted| wanted > openings.len()) {
            let name = printable(&suite.to_string());
            if openings.is_empty() {
                let why = "games are over by then; fewer moves leave some, as in random:4";
                return Err(SetupError::Usage(format!("{name} has no opening: {why}")));
            }
            let has = openings.len();
            let there = counted(has as u64, "distinct opening", "distinct openings");
            let larger = self.larger_suite(wanted);
            let larger = larger.map(|suite| format!(", or give a larger suite, such as {suite}"));
            let larger = larger.unwrap_or_default();
            let why = format!("{name} has {there}, not {wanted}: ask for --count {has}{larger}");
            return Err(SetupError::TooFewOpenings { has, why });
        }
        openings.truncate(wanted);
        Ok(openings)
    }

    /// How many openings there are, counted up to `most`; 0 if they cannot be read.
    pub(super) fn count(self, most: usize) -> usize {
        match self.load(Some(most)) {
            Ok(openings) => openings.len(),
            Err(SetupError::TooFewOpenings { has, .. }) => has,
            Err(_) => 0,
        }
    }

    /// Another suite that has `wanted` openings: random ones after more moves, or after fewer where
    /// games are over by then.
    pub(super) fn larger_suite(self, wanted: usize) -> Option<Suite> {
        let OpeningSource { suite, rules, seed, .. } = self;
        let plies_here = if let Suite::Random { plies } = suite { *plies } else { 0 };
        let has_enough =
            |plies: &u32| RandomOpenings::new(rules, *plies, seed).take(wanted).count() == wanted;
        let mut more = [4, 6, 8, 10, 12].into_iter().filter(|plies| *plies > plies_here);
        let plies = more.find(has_enough).or_else(|| [8, 10].into_iter().find(has_enough))?;
        Some(Suite::Random { plies })
    }
}

fn read_file(path: &Path) -> Result<Vec<Opening>, SetupError> {
    let shown = printable_path(path);
    let unreadable = |error: io::Error| {
        let why = format!("cannot read the openings in {shown}: {error}");
        match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::IsADirectory => SetupError::Usage(why),
            _ => SetupError::Work(why),
        }
    };
    let bytes = read_at_most(path, MAX_FILE).map_err(unreadable)?;
    let bad_line =
        |(line, why): (usize, String)| SetupError::Usage(format!("{shown}:{line}: {why}"));
    let text = std::str::from_utf8(&bytes).map_err(|error| {
        let line = bytes[..error.valid_up_to()].split(|&byte| byte == b'\n').count();
        bad_line((line, "not UTF-8; an opening is 14 numbers".to_owned()))
    })?;
    let openings = parse_openings(text).map_err(bad_line)?;
    if openings.is_empty() {
        let why = "there is no opening in it; write 14 numbers a line";
        return Err(SetupError::Usage(format!("{shown}: {why}")));
    }
    Ok(openings)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_used_says_what_to_do() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("empty"), "# none\n").unwrap();
        std::fs::write(folder.path().join("latin"), b"# one\n# M\xfcller\n").unwrap();
        let cases = [
            ("file:empty", 1, "empty: there is no opening in it"),
            ("file:latin", 1, "latin:2: not UTF-8"),
            ("file:none", 1, "none: No such file or directory"),
            ("random:100", 10, "random:100 has no opening: games are over by then"),
            ("standard", 3, "standard has 1 distinct opening, not 3: ask for --count 1, or give"),
            ("random:1", 10, "larger suite, such as random:4"),
            ("random:2", 900, "larger suite, such as random:6"),
            ("random:4", 900, "larger suite, such as random:6"),
            ("fairkalah", 3, "add --rules ece1021"),
        ];
        for (suite, count, words) in cases {
            let rules = Ruleset::default();
            let suite: Suite = suite.parse().unwrap();
            let (suite, rules, folder) = (&suite, &rules, folder.path());
            let source = OpeningSource { suite, rules, seed: 1, folder };
            let error = source.load(Some(count)).unwrap_err();
            assert!(error.to_string().contains(words), "{suite}: {error}");
            assert!(!matches!(error, SetupError::Work(_)), "{suite}");
        }
    }

    #[test]
    fn a_seed_shuffles_the_openings_of_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let rules = Ruleset::default();
        let lines = (0..20).map(|seed| format!("{seed},3,3,3,3,3,0,3,3,3,3,3,3,0\n"));
        std::fs::write(folder.path().join("x"), lines.collect::<String>()).unwrap();
        let suite: Suite = "file:x".parse().unwrap();
        let (suite, rules, folder) = (&suite, &rules, folder.path());
        let with = |seed, count| OpeningSource { suite, rules, seed, folder }.load(count).unwrap();
        let first_house = |opening: &Opening| usize::from(opening.board().cells()[0]);
        let in_order: Vec<usize> = with(1, None).iter().map(first_house).collect();
        assert_eq!(in_order, (0..20).collect::<Vec<_>>());
        let mut shuffled: Vec<usize> = with(2, None).iter().map(first_house).collect();
        assert_ne!(shuffled, in_order);
        assert_eq!(with(2, None), with(2, None));
        // A larger count is an extension.
        assert_eq!(with(2, Some(5)), with(2, None)[..5]);
        shuffled.sort_unstable();
        assert_eq!(shuffled, in_order);
    }
}
