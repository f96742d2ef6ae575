//! What a check tries, one thing after another.

use schemars::JsonSchema;
use serde::Serialize;

/// Makes the probes from one list: what each tries, and its words.
macro_rules! probes {
    ($($(#[doc = $doc:literal])+ $probe:ident = $words:literal;)+) => {
        /// One thing that a check tries.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
        #[serde(rename_all = "snake_case")]
        pub enum Probe {
            $($(#[doc = $doc])+ $probe,)+
        }

        impl Probe {
            /// The probe in words, as people read it.
            pub const fn words(self) -> &'static str {
                match self {
                    $(Probe::$probe => $words),+
                }
            }

            /// What it tries, in a sentence, for those who only read its words.
            pub const fn meaning(self) -> &'static str {
                match self {
                    $(Probe::$probe => concat!($($doc),+).trim_ascii_start()),+
                }
            }
        }
    };
}

probes! {
    /// It starts and gives a first answer.
    Start = "start";
    /// Whole games in every ruleset.
    Games = "games";
    /// Four rounds in one process.
    Rounds = "rounds";
    /// An opponent that forfeits.
    OpponentsFault = "opponent's fault";
    /// A time bank.
    TimeBank = "time bank";
    /// Names with any characters.
    Names = "names";
    /// Fields that no bot knows.
    UnknownFields = "unknown fields";
    /// Messages of a type that no bot knows.
    UnknownTypes = "unknown types";
    /// The end of its input.
    EndOfInput = "end of input";
    /// The same position again.
    Determinism = "determinism";
    /// Many positions in which it moves first or second.
    Positions = "positions";
    /// Two rounds against each built-in level.
    Levels = "levels";
    /// How near its times come to the limit.
    Times = "times";
}
