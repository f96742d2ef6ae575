//! Why a round ended, as one word of JSON.

use std::fmt;
use std::str::FromStr;

use super::FaultKind;
use crate::rules::Ending;
use crate::words::UnknownWord;

/// Why a round ended: `completed`, `move_limit`, `decided` or a fault's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// By its rules.
    Ended(Ending),
    /// A bot forfeited.
    Fault(FaultKind),
}

mancala_game::serde_words!(FaultKind, Reason);

impl Reason {
    /// Every reason, faults last.
    pub(super) fn all() -> impl Iterator<Item = Reason> {
        Ending::ALL.map(Reason::Ended).into_iter().chain(FaultKind::ALL.map(Reason::Fault))
    }

    /// The word for this reason in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Reason::Ended(ending) => ending.as_str(),
            Reason::Fault(kind) => kind.as_str(),
        }
    }
}

impl FromStr for Reason {
    type Err = UnknownWord;

    fn from_str(word: &str) -> Result<Reason, UnknownWord> {
        Reason::all().find(|reason| reason.as_str() == word).ok_or_else(|| {
            let expected = "completed, move_limit, decided or a kind of fault";
            UnknownWord::new(word, &[], expected)
        })
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}
