//! Enums whose values are words on the command line and in JSON.

use std::fmt;

/// A word that names no value of an option. The text says which words do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownWord {
    pub(crate) expected: &'static str,
    meant: Option<&'static str>,
}

impl UnknownWord {
    /// `word` names none of `words`, which `expected` lists. If it is the beginning of one of them
    /// alone, in capitals or not, that one was probably meant.
    pub fn new(word: &str, words: &[&'static str], expected: &'static str) -> UnknownWord {
        let begins = |known: &&&str| {
            known.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word))
        };
        let mut meant = words.iter().filter(begins);
        let meant = match (meant.next(), meant.next()) {
            (Some(only), None) if !word.is_empty() => Some(*only),
            _ => None,
        };
        UnknownWord { expected, meant }
    }
}

impl fmt::Display for UnknownWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}", self.expected)?;
        self.meant.map_or(Ok(()), |meant| write!(f, "; did you mean {meant}?"))
    }
}

impl std::error::Error for UnknownWord {}

/// Gives an enum its words: `ALL`, `as_str`, `Display` and `FromStr` from one list of all values.
/// The first word of a value is its name, those after it are aliases.
#[macro_export]
macro_rules! words {
    ($type:ident, $expected:literal, $($variant:ident = $word:literal $(| $alias:literal)*),+) => {
        impl $type {
            /// The names of all values.
            pub const WORDS: &[&str] = &[$($word),+];

            /// All values, in the order of the list.
            #[allow(dead_code, reason = "not every enum needs it")]
            pub const ALL: [$type; $type::WORDS.len()] = [$($type::$variant),+];

            /// The word for this value on the command line and in JSON.
            pub const fn as_str(self) -> &'static str {
                match self { $($type::$variant => $word),+ }
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl std::str::FromStr for $type {
            type Err = $crate::words::UnknownWord;

            fn from_str(word: &str) -> Result<$type, $crate::words::UnknownWord> {
                match word {
                    $($word $(| $alias)* => Ok($type::$variant),)+
                    _ => Err($crate::words::UnknownWord::new(word, $type::WORDS, $expected)),
                }
            }
        }
    };
}
