//! Strangers' lines by the thousand: the parser of replies and the reader of records are given
//! anything, and what must hold for every line is looked at.
//!
//! A run of the tests takes so many cases as fit in a few seconds. Any other number is had by
//! `FUZZ_CASES`, such as five million of each:
//!
//! ```text
//! FUZZ_CASES=5000000 cargo test --release --test it fuzz:: -- --nocapture
//! ```
//!
//! What fails is made smaller and shown; nothing is kept in a file.

mod mutation;
mod players;
mod random_json;
mod records;
mod reference_json;
mod replies;

use proptest::prelude::*;

/// So many cases that all properties together take a few seconds.
fn cases(usually: u32) -> ProptestConfig {
    let cases = match std::env::var("FUZZ_CASES") {
        Ok(number) => number.parse().expect("FUZZ_CASES is a number of cases"),
        Err(_) => usually,
    };
    ProptestConfig {
        cases,
        // What a property is not about is passed over, however often it comes up.
        max_global_rejects: u32::MAX,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// Bytes that are shown as text when a case fails.
#[derive(Clone)]
struct Bytes(Vec<u8>);

impl std::fmt::Debug for Bytes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "b\"{}\"", self.0.escape_ascii())
    }
}

/// Whether a character acts on a terminal, or on the order of the text around it. Told here once
/// more, so that one wrong list does not excuse the other.
fn acts(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
        || matches!(character, '\u{2060}'..='\u{2069}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}')
        || matches!(character, '\u{e0000}'..='\u{e007f}')
}

/// One line of at most so many characters, none of which acts on a terminal.
fn check_shown(text: &str, most: usize) -> Result<(), TestCaseError> {
    prop_assert!(!text.contains(acts), "{text:?}");
    prop_assert!(text.chars().count() <= most, "{} characters: {text:?}", text.chars().count());
    Ok(())
}

/// Lines of which none has a character that acts on a terminal.
fn check_lines_shown(text: &[u8]) -> Result<(), TestCaseError> {
    let text = std::str::from_utf8(text);
    prop_assert!(text.is_ok(), "{text:?}");
    text.unwrap_or_default().lines().try_for_each(|line| check_shown(line, usize::MAX))
}
