//! Suites of openings: their names, and the openings of those that need nothing but the rules.

use std::collections::HashSet;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use super::opening::Opening;
use super::ruleset::{Ruleset, RulesetName};
use super::sowing::{Ply, Sower};
use crate::chance::Chance;

/// Most single moves of a random opening: hardly any game lasts longer.
pub const MAX_PLIES: u32 = 100;

/// The openings that are drawn under perfect play, one or two seeds away from the standard one:
/// Neller and others, `FairKalah`, 2022.
const FAIR_KALAH: &str = include_str!("fairkalah.txt");

/// Which openings the matches of a tournament begin from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Suite {
    /// The one opening of the ruleset.
    Standard,
    /// The standard opening after `plies` random single moves.
    Random {
        /// Single moves, 1 to [`MAX_PLIES`].
        plies: u32,
    },
    /// The 254 positions of value 0 of `FairKalah`, for the rules of `ece1021` only.
    FairKalah,
    /// The openings of a file, 14 numbers a line.
    File(PathBuf),
}

impl fmt::Display for Suite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Suite::Standard => f.write_str("standard"),
            Suite::Random { plies } => write!(f, "random:{plies}"),
            Suite::FairKalah => f.write_str("fairkalah"),
            Suite::File(path) => write!(f, "file:{}", path.display()),
        }
    }
}

/// Fair openings have to be solved, which takes long: done once, not by every worker.
const FAIR: &str = "fair openings are made once, by mancala openings fair > FILE, and then used as \
    file:FILE";

/// Why a text names no suite.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotASuite {
    /// There is none of this name.
    #[error("expected standard, random:PLIES, fairkalah or file:PATH")]
    Unknown,
    /// What follows the name is missing or wrong, or the suite has to be made first.
    #[error("{0}")]
    Malformed(String),
}

impl FromStr for Suite {
    type Err = NotASuite;

    fn from_str(text: &str) -> Result<Suite, NotASuite> {
        let malformed = |why: &str| Err(NotASuite::Malformed(why.to_owned()));
        match text.split_once(':') {
            None if text == "standard" => Ok(Suite::Standard),
            None if text == "fairkalah" => Ok(Suite::FairKalah),
            Some(("random", plies)) => match plies.parse() {
                Ok(plies) if (1..=MAX_PLIES).contains(&plies) => Ok(Suite::Random { plies }),
                _ => {
                    malformed(&format!("random:PLIES takes 1 to {MAX_PLIES} moves, as in random:4"))
                }
            },
            Some(("file", "")) => malformed("file:PATH needs the path of a file"),
            Some(("file", path)) => Ok(Suite::File(PathBuf::from(path))),
            None if text == "fair" => malformed(FAIR),
            Some(("fair", _)) => malformed(FAIR),
            None if text == "random" => malformed("random needs a number of moves, as in random:4"),
            _ => Err(NotASuite::Unknown),
        }
    }
}

/// The positions of [`Suite::FairKalah`] in the published order, or `None` for rules under which
/// their value is not 0.
#[expect(clippy::missing_panics_doc, reason = "a test reads every line of what is built in")]
pub fn fair_kalah(rules: &Ruleset) -> Option<Vec<Opening>> {
    let known = Ruleset { name: rules.name, ..RulesetName::Ece1021.rules() };
    let openings = || FAIR_KALAH.lines().map(|line| line.parse().expect("a built-in opening"));
    (*rules == known).then(|| openings().collect())
}

/// Random openings without repetition. The iterator ends when hardly any are left.
///
/// After each there are seeds on both sides, and the last move gave no extra turn. The same seed
/// gives the same openings in every version; asking for more of them changes none.
#[derive(Clone, Debug)]
pub struct RandomOpenings {
    sower: Sower,
    standard: Opening,
    plies: u32,
    chance: Chance,
    drawn: HashSet<Opening>,
}

/// Draws in a row without a new opening that end the iterator.
const MISSES: u32 = 50_000;

impl RandomOpenings {
    /// Openings after `plies` single moves from the standard one.
    pub fn new(rules: &Ruleset, plies: u32, seed: u64) -> RandomOpenings {
        RandomOpenings {
            sower: Sower::new(rules),
            standard: Opening::standard(rules),
            plies,
            chance: Chance::new(seed),
            drawn: HashSet::new(),
        }
    }

    /// Plays random moves. `None` if the result is not an opening.
    fn draw(&mut self) -> Option<Opening> {
        let mut board = self.standard.board();
        let mut extra_turn = false;
        for _ in 0..self.plies {
            if board.is_over() {
                return None;
            }
            let legal = self.sower.legal(board);
            let count = u32::try_from(legal.count()).unwrap_or(0);
            let chosen = self.chance.below(count) as usize;
            let ply: Ply = self.sower.legal(board).nth(chosen)?;
            let sown = self.sower.sow(board, ply);
            extra_turn = sown.extra_turn;
            board = sown.next();
        }
        Opening::new(board).ok().filter(|_| !extra_turn)
    }
}

impl Iterator for RandomOpenings {
    type Item = Opening;

    fn next(&mut self) -> Option<Opening> {
        for _ in 0..MISSES {
            let drawn = self.draw();
            if let Some(opening) = drawn.filter(|&opening| self.drawn.insert(opening)) {
                return Some(opening);
            }
        }
        None
    }
}

/// Reads a list of openings, 14 numbers a line. Blank lines and lines that begin with `#` are
/// skipped, and so is a byte order mark, which some editors write.
///
/// # Errors
///
/// The first line that is not an opening or repeats one, from 1, and what is wrong with it.
pub fn parse_openings(text: &str) -> Result<Vec<Opening>, (usize, String)> {
    let mut lines = std::collections::HashMap::new();
    let mut openings = Vec::new();
    for (line, words) in (1..).zip(text.trim_start_matches('\u{feff}').lines()) {
        if words.trim().is_empty() || words.trim_start().starts_with('#') {
            continue;
        }
        let opening: Opening = words.parse().map_err(|why| (line, why))?;
        if let Some(first) = lines.insert(opening, line) {
            return Err((line, format!("the same opening as in line {first}")));
        }
        openings.push(opening);
    }
    Ok(openings)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_order_mark_before_openings_is_skipped() {
        let line = "3 3 3 3 3 3 0 3 3 3 3 3 3 0\r\n";
        assert_eq!(parse_openings(&format!("\u{feff}{line}")), parse_openings(line));
    }

    #[test]
    fn a_suite_is_written_as_it_is_read() {
        for name in ["standard", "random:4", "fairkalah", "file:some/openings.txt"] {
            assert_eq!(name.parse::<Suite>().unwrap().to_string(), name);
        }
        for name in ["", "random", "random:0", "random:101", "random:x", "file:", "fair", "a:b"] {
            assert!(name.parse::<Suite>().is_err(), "{name}");
        }
    }

    #[test]
    fn random_openings_are_distinct_and_reached_by_that_many_moves() {
        let rules = Ruleset::default();
        let sower = Sower::new(&rules);
        // All positions after three moves, the last of which passed the turn on.
        let mut reached = vec![(Opening::standard(&rules).board(), true)];
        for _ in 0..3 {
            let moves = |board| sower.legal(board).map(move |ply| sower.sow(board, ply));
            reached = reached
                .into_iter()
                .flat_map(|(board, _)| moves(board))
                .map(|sown| (sown.next(), !sown.extra_turn))
                .collect();
        }
        let all: HashSet<_> = reached
            .into_iter()
            .filter(|&(board, passed)| passed && !board.is_over())
            .map(|(board, _)| board)
            .collect();
        let drawn: Vec<_> = RandomOpenings::new(&rules, 3, 1).collect();
        assert_eq!(drawn.len(), all.len());
        let drawn: HashSet<_> = drawn.into_iter().map(Opening::board).collect();
        assert_eq!(drawn, all);
    }

    #[test]
    fn a_seed_gives_the_same_openings_for_ever() {
        let first = |seed| RandomOpenings::new(&Ruleset::default(), 4, seed).next().unwrap();
        // Computed apart from this program, from the generator's definition and the rules.
        assert_eq!(first(1).board().cells(), [3, 0, 4, 4, 0, 4, 1, 0, 5, 1, 5, 5, 4, 0]);
        assert_eq!(first(2).board().cells(), [0, 6, 4, 4, 3, 3, 0, 3, 0, 4, 4, 4, 0, 1]);
        let ten: Vec<_> = RandomOpenings::new(&Ruleset::default(), 8, 7).take(10).collect();
        let more: Vec<_> = RandomOpenings::new(&Ruleset::default(), 8, 7).take(100).collect();
        assert_eq!(ten, more[..10]);
    }

    #[test]
    fn fair_kalah_is_for_its_own_rules() {
        let rules = RulesetName::Ece1021.rules();
        let openings = fair_kalah(&rules).unwrap();
        assert_eq!(openings.len(), 254);
        assert!(openings.iter().all(|opening| opening.board().seeds() == 48));
        assert_eq!(openings.iter().collect::<HashSet<_>>().len(), 254);
        assert_eq!(fair_kalah(&Ruleset::default()), None);
        assert_eq!(fair_kalah(&Ruleset { empty_capture: false, ..rules }), None);
    }

    #[test]
    fn a_list_of_openings_names_its_bad_lines() {
        let line = "3 3 3 3 3 3 0 3 3 3 3 3 3 0\n";
        let other = "2,4,3,3,3,3,0,3,3,3,3,3,3,0\n";
        let list = format!("# two\n{line}\n{other}");
        assert_eq!(parse_openings(&list).unwrap().len(), 2);
        let (number, why) = parse_openings(&format!("{list}3 3\n")).unwrap_err();
        assert_eq!(number, 5);
        assert!(why.ends_with(", not 2"), "{why}");
        let repeated = (5, "the same opening as in line 2".to_owned());
        assert_eq!(parse_openings(&format!("{list}{line}")), Err(repeated));
    }
}
