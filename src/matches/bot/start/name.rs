//! Names of bots: what may be one, and which look alike.
//!
//! Names stand below each other in tables, so no name may look like another.
//! What may be told apart is Unicode's to say (UTS 39, its tables of scripts and confusables).

use std::collections::HashMap;

use unicode_security::GeneralSecurityProfile;
use unicode_security::confusable_detection::skeleton;
use unicode_security::restriction_level::{RestrictionLevel, RestrictionLevelDetection};

use crate::record::{Digest, MAX_NAME};
use crate::text;

/// Whether this may be a bot's name: what is printable of ASCII, and the letters of one script, or
/// of scripts that are commonly written together.
pub(super) fn is_name(name: &str) -> bool {
    let length = name.chars().count();
    (1..=MAX_NAME).contains(&length)
        && name.trim() == name
        && name.chars().next().is_some_and(|first| first.is_ascii() || first.is_alphanumeric())
        && name.chars().all(may_be_in_a_name)
        && !mixes_scripts(name)
}

fn may_be_in_a_name(character: char) -> bool {
    if character.is_ascii() { !character.is_control() } else { character.identifier_allowed() }
}

/// Whether letters of one script may pass for those of another in it.
fn mixes_scripts(name: &str) -> bool {
    // Signs and blanks belong to no script.
    let is_letter = |character: &char| !character.is_ascii() || character.is_ascii_alphanumeric();
    let letters: String = name.chars().filter(is_letter).collect();
    !letters.is_empty() && !letters.check_restriction_level(RestrictionLevel::HighlyRestrictive)
}

/// Makes a name from `text`: characters that a name may not have become `_`.
pub(super) fn name_from(text: &str) -> String {
    let printable: String = text::printable(text).chars().take(MAX_NAME).collect();
    let replaced = |is_fine: fn(char) -> bool| -> String {
        let character = |character| if is_fine(character) { character } else { '_' };
        printable.trim().chars().map(character).collect()
    };
    [replaced(may_be_in_a_name), replaced(|character| character.is_ascii())]
        .into_iter()
        .find(|name| is_name(name))
        .unwrap_or_else(|| "bot".to_owned())
}

/// Makes a name from a path, one of its own: a long path, or one that makes no name, has digits of
/// its digest behind it.
pub fn name_of_path(path: &str) -> String {
    let length = path.chars().count();
    let has_digits = path.rsplit_once('-').is_some_and(|(_, end)| {
        end.len() == DIGITS && end.bytes().all(|byte| byte.is_ascii_hexdigit())
    });
    if length <= LONGEST_PATH && is_name(path) && !has_digits {
        return path.to_owned();
    }
    // The end of a path tells more.
    with_digits(path, path.chars().skip(length.saturating_sub(ROOM)))
}

/// Makes a name from a text that is too long or otherwise unfit for one: its beginning, with digits of
/// its digest behind it.
pub fn shortened_name(text: &str) -> String {
    with_digits(text, text.chars().take(ROOM))
}

/// Makes a name from a part of a text and digits of the digest of all of it.
fn with_digits(text: &str, part: impl Iterator<Item = char>) -> String {
    let digest = Digest::of(text.as_bytes()).to_string();
    let digits: String = digest.chars().take(DIGITS).collect();
    let part: String = name_from(&part.collect::<String>()).chars().take(ROOM).collect();
    let name = format!("{}-{digits}", part.trim());
    if is_name(&name) { name } else { format!("bot-{digits}") }
}

/// Names of paths are shorter than others, for a version's number may stand behind them.
const LONGEST_PATH: usize = 35;
const DIGITS: usize = 12;
/// Characters before the digits and their hyphen.
const ROOM: usize = LONGEST_PATH - DIGITS - 1;

/// How many names there are, and how many of them look alike.
#[derive(Default)]
pub(super) struct NameCounts {
    same: HashMap<String, usize>,
    /// For each skeleton all names and those that are not ASCII.
    looks: HashMap<String, [usize; 2]>,
}

impl NameCounts {
    pub(super) fn of<'a>(names: impl IntoIterator<Item = &'a String>) -> NameCounts {
        let mut counts = NameCounts::default();
        for name in names {
            counts.add(name);
        }
        counts
    }

    pub(super) fn add(&mut self, name: &str) {
        *self.same.entry(name.to_owned()).or_default() += 1;
        let [all, not_ascii] = self.looks.entry(skeleton(name).collect()).or_default();
        *all += 1;
        *not_ascii += usize::from(!name.is_ascii());
    }

    /// How many of the names [`look_alike`] to this one, itself included.
    pub(super) fn alike(&self, name: &str) -> usize {
        let skeleton: String = skeleton(name).collect();
        let [all, not_ascii] = self.looks.get(&skeleton).copied().unwrap_or_default();
        if name.is_ascii() {
            not_ascii + self.same.get(name).copied().unwrap_or_default()
        } else {
            all
        }
    }
}

/// Whether people would confuse these names. Two ASCII names never count as alike: `bot-1` and `bot-l`
/// are common.
pub(super) fn look_alike(one: &str, other: &str) -> bool {
    one == other || !(one.is_ascii() && other.is_ascii()) && skeleton(one).eq(skeleton(other))
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn each_path_has_a_name_of_its_own(
            one in "[ a-c0-9\u{430}\u{436}\u{202e}/-]{1,60}",
            other in "[ a-c\u{430}\u{436}\u{202e}/]{1,60}",
            takes_the_name in proptest::bool::ANY,
        ) {
            let other = if takes_the_name { name_of_path(&one) } else { other };
            let names = [&one, &other].map(|path| name_of_path(path));
            proptest::prop_assert!(names.iter().all(|name| is_name(name)), "{names:?}");
            proptest::prop_assert!(names.iter().all(|name| name.chars().count() <= LONGEST_PATH));
            proptest::prop_assert_eq!(one == other, names[0] == names[1], "{:?} {:?}", one, names);
        }
    }

    #[test]
    fn a_long_text_keeps_its_beginning_in_a_name() {
        let moodle = |author: &str| shortened_name(&format!("{author}_assignsubmission_file_"));
        let names =
            ["Jörg Müller-Lüdenscheidt_1234567", "Jörg Müller-Lüdenscheidt_1234568"].map(moodle);
        for name in &names {
            assert!(is_name(name) && name.starts_with("Jörg Müller-Lüdenschei-"), "{name}");
        }
        assert_ne!(names[0], names[1]);
        assert!(is_name(&shortened_name("a\u{202e}b")) && is_name(&shortened_name("")));
    }

    #[test]
    fn a_name_can_be_seen_and_read() {
        for name in
            ["greedy", "Zoë", "播棋", "播棋 bot", "Жадный", "bot #2 (v1.0)", "a-name_of.mine"]
        {
            assert!(is_name(name), "{name}");
        }
        let too_long = "x".repeat(MAX_NAME + 1);
        for name in [
            "",
            " ",
            " x",
            "x ",
            &too_long,
            "a\nb",
            "\u{34f}",
            "\u{3164}",
            "a\u{3164}",
            "a\u{34f}b",
            "\u{2800}",
            "\u{301}",
            "\u{202e}x",
            "gr\u{435}edy",
            "\u{430}nn",
            "a\u{200b}b",
            "\u{a0}",
        ] {
            assert!(!is_name(name), "{name:?}");
        }
    }

    #[test]
    fn names_that_imitate_each_other_are_told() {
        // The second one is Cyrillic throughout.
        assert!(look_alike("cope", "\u{441}\u{43e}\u{440}\u{435}"));
        assert!(look_alike("x", "x"));
        assert!(!look_alike("bot-1", "bot-l"));
        assert!(!look_alike("Zoë", "Zoe"));
    }

    #[test]
    fn a_name_from_a_command_is_always_one() {
        assert_eq!(name_from("greedy"), "greedy");
        assert_eq!(name_from("\u{3164}"), "_");
        assert_eq!(name_from("gr\u{435}edy"), "gr_edy");
        assert_eq!(name_from(" "), "bot");
        assert_eq!(name_from("a\x1b[2Jb"), "a\\u{1b}[2Jb");
    }
}
