//! Which key was pressed: from a terminal's bytes to keys.

/// A key that means something at the board, or that the player should be told does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Key {
    /// A printable character.
    Character(char),
    Enter,
    Tab,
    Backspace,
    Escape,
    Left,
    Right,
    Up,
    Down,
    /// Ctrl-D: no more input.
    EndOfInput,
    /// Any other key.
    Other,
}

const ESCAPE: u8 = 0x1b;

/// Longest sequence that a key sends, with room to spare; more is no key.
const LONGEST: usize = 32;

/// Takes the first key off the bytes that were typed, or nothing when more of it is to come.
/// `complete` when no more will: an escape character by itself is then the key of that name.
pub(super) fn take_key(typed: &mut Vec<u8>, complete: bool) -> Option<Key> {
    let (key, length) = match first_key(typed) {
        Some(found) => found,
        None if typed.is_empty() => return None,
        None if complete && typed[0] == ESCAPE => (Key::Escape, 1),
        None if complete || typed.len() > LONGEST => (Key::Other, typed.len()),
        None => return None,
    };
    typed.drain(..length);
    Some(key)
}

/// The first key and the bytes it takes, if it is whole.
fn first_key(typed: &[u8]) -> Option<(Key, usize)> {
    let single = match *typed.first()? {
        b'\r' | b'\n' => Key::Enter,
        b'\t' => Key::Tab,
        0x08 | 0x7f => Key::Backspace,
        0x04 => Key::EndOfInput,
        ESCAPE => return escape_sequence(typed),
        byte if byte.is_ascii_control() => Key::Other,
        byte if byte.is_ascii() => Key::Character(char::from(byte)),
        first => return character(first, typed),
    };
    Some((single, 1))
}

/// `ESC [` and `ESC O` begin the keys that are no characters; their last byte says which.
fn escape_sequence(typed: &[u8]) -> Option<(Key, usize)> {
    let begins_a_key = matches!(typed.get(1)?, b'[' | b'O');
    if !begins_a_key {
        return Some((Key::Escape, 1));
    }
    let last = typed.iter().skip(2).position(|byte| (0x40..=0x7e).contains(byte))? + 2;
    let key = match typed[last] {
        b'A' => Key::Up,
        b'B' => Key::Down,
        b'C' => Key::Right,
        b'D' => Key::Left,
        b'M' if last == 2 => Key::Enter,
        _ => Key::Other,
    };
    Some((key, last + 1))
}

/// A character of several bytes.
fn character(first: u8, typed: &[u8]) -> Option<(Key, usize)> {
    let length = match first {
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => return Some((Key::Other, 1)),
    };
    let bytes = typed.get(..length)?;
    match std::str::from_utf8(bytes).ok().and_then(|text| text.chars().next()) {
        Some(character) => Some((Key::Character(character), length)),
        None => Some((Key::Other, 1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(bytes: &[u8]) -> Vec<Key> {
        let mut typed = bytes.to_vec();
        std::iter::from_fn(|| take_key(&mut typed, true)).collect()
    }

    #[test]
    fn bytes_become_keys() {
        assert_eq!(keys(b"3\r"), [Key::Character('3'), Key::Enter]);
        assert_eq!(keys(b"\x1b[D\x1b[C\x1bOA\x1b[B"), [Key::Left, Key::Right, Key::Up, Key::Down]);
        assert_eq!(keys(b"\x1b[1;5D"), [Key::Left]);
        assert_eq!(keys(b"\x1b[15~q"), [Key::Other, Key::Character('q')]);
        assert_eq!(keys(b"\x1b"), [Key::Escape]);
        assert_eq!(keys(b"\x1bq"), [Key::Escape, Key::Character('q')]);
        assert_eq!(keys("é<".as_bytes()), [Key::Character('é'), Key::Character('<')]);
        assert_eq!(
            keys(b"\x04\x01\t\x7f"),
            [Key::EndOfInput, Key::Other, Key::Tab, Key::Backspace]
        );
        assert_eq!(keys(b"\xff\xc3"), [Key::Other, Key::Other]);
    }

    #[test]
    fn a_key_that_comes_in_pieces_is_waited_for() {
        let mut typed = b"\x1b[".to_vec();
        assert_eq!(take_key(&mut typed, false), None);
        typed.push(b'A');
        assert_eq!(take_key(&mut typed, false), Some(Key::Up));
        assert_eq!(take_key(&mut typed, true), None);
        let mut endless = b"\x1b[".repeat(40);
        assert_eq!(take_key(&mut endless, false), Some(Key::Other));
    }
}
