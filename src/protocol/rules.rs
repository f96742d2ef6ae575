//! How a round ended, as a word in JSON.

use std::fmt;
use std::str::FromStr;

use super::{FaultKind, Reason};
use crate::rules::Ending;
use crate::words::UnknownWord;

mancala_game::serde_words!(FaultKind, Reason);

impl Reason {
    /// The reasons other than faults.
    pub(super) const OF_PLAY: [Reason; 3] = [Reason::Completed, Reason::MoveLimit, Reason::Decided];

    /// The word for this reason in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Reason::Completed => "completed",
            Reason::MoveLimit => "move_limit",
            Reason::Decided => "decided",
            Reason::Fault(kind) => kind.as_str(),
        }
    }
}

impl FromStr for Reason {
    type Err = UnknownWord;

    fn from_str(word: &str) -> Result<Reason, UnknownWord> {
        match word {
            "completed" => Ok(Reason::Completed),
            "move_limit" => Ok(Reason::MoveLimit),
            "decided" => Ok(Reason::Decided),
            _ => word.parse().map(Reason::Fault).map_err(|_: UnknownWord| {
                let expected = "completed, move_limit, decided or a kind of fault";
                UnknownWord::new(word, &[], expected)
            }),
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl From<Ending> for Reason {
    fn from(ending: Ending) -> Reason {
        match ending {
            Ending::Completed => Reason::Completed,
            Ending::MoveLimit => Reason::MoveLimit,
            Ending::Decided => Reason::Decided,
        }
    }
}
