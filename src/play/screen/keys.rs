//! Which key was pressed: from a terminal's bytes to keys.

/// A key that means something at the board, or that the player should be told does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pressed {
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
    /// Ctrl-D, or there is no more input.
    EndOfInput,
    /// Not a key: the user interrupts.
    Interrupt,
    Other,
}

const ESCAPE: u8 = 0x1b;

/// Most bytes that a key sends, with room to spare; a longer sequence is not a key.
const LONGEST: usize = 32;

/// Takes the first key off the bytes that were typed; `None` if more of it is to come. With
/// `complete` nothing more will come: a lone escape character is then the Escape key.
pub(super) fn take_key(typed: &mut Vec<u8>, complete: bool) -> Option<Pressed> {
    let (key, length) = match first_key(typed) {
        Some(found) => found,
        None if typed.is_empty() => return None,
        None if complete && typed[0] == ESCAPE => (Pressed::Escape, 1),
        None if complete || typed.len() > LONGEST => (Pressed::Other, typed.len()),
        None => return None,
    };
    typed.drain(..length);
    Some(key)
}

/// The first key and the bytes it takes, if it is whole.
fn first_key(typed: &[u8]) -> Option<(Pressed, usize)> {
    let single = match *typed.first()? {
        b'\r' | b'\n' => Pressed::Enter,
        b'\t' => Pressed::Tab,
        0x08 | 0x7f => Pressed::Backspace,
        0x04 => Pressed::EndOfInput,
        ESCAPE => return escape_sequence(typed),
        byte if byte.is_ascii_control() => Pressed::Other,
        _ => return character(typed),
    };
    Some((single, 1))
}

/// Keys without a character send `ESC [` or `ESC O` and more; the last byte says which key it is.
fn escape_sequence(typed: &[u8]) -> Option<(Pressed, usize)> {
    let begins_a_key = matches!(typed.get(1)?, b'[' | b'O');
    if !begins_a_key {
        return Some((Pressed::Escape, 1));
    }
    let last = typed.iter().skip(2).position(|byte| (0x40..=0x7e).contains(byte))? + 2;
    let key = match typed[last] {
        b'A' => Pressed::Up,
        b'B' => Pressed::Down,
        b'C' => Pressed::Right,
        b'D' => Pressed::Left,
        b'M' if last == 2 => Pressed::Enter,
        _ => Pressed::Other,
    };
    Some((key, last + 1))
}

/// A character, which may take up to four bytes.
fn character(typed: &[u8]) -> Option<(Pressed, usize)> {
    let chunk = typed[..typed.len().min(4)].utf8_chunks().next()?;
    if let Some(character) = chunk.valid().chars().next() {
        return Some((Pressed::Character(character), character.len_utf8()));
    }
    let error = std::str::from_utf8(chunk.invalid()).err()?;
    error.error_len().map(|_| (Pressed::Other, 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(bytes: &[u8]) -> Vec<Pressed> {
        let mut typed = bytes.to_vec();
        std::iter::from_fn(|| take_key(&mut typed, true)).collect()
    }

    #[test]
    fn bytes_become_keys() {
        assert_eq!(keys(b"3\r"), [Pressed::Character('3'), Pressed::Enter]);
        assert_eq!(
            keys(b"\x1b[D\x1b[C\x1bOA\x1b[B"),
            [Pressed::Left, Pressed::Right, Pressed::Up, Pressed::Down]
        );
        assert_eq!(keys(b"\x1b[1;5D"), [Pressed::Left]);
        assert_eq!(keys(b"\x1b[15~q"), [Pressed::Other, Pressed::Character('q')]);
        assert_eq!(keys(b"\x1b"), [Pressed::Escape]);
        assert_eq!(keys(b"\x1bq"), [Pressed::Escape, Pressed::Character('q')]);
        assert_eq!(keys("é<".as_bytes()), [Pressed::Character('é'), Pressed::Character('<')]);
        assert_eq!(
            keys(b"\x04\x01\t\x7f"),
            [Pressed::EndOfInput, Pressed::Other, Pressed::Tab, Pressed::Backspace]
        );
        assert_eq!(keys(b"\xff\xc3"), [Pressed::Other, Pressed::Other]);
    }

    #[test]
    fn a_key_that_comes_in_pieces_is_waited_for() {
        let mut typed = b"\x1b[".to_vec();
        assert_eq!(take_key(&mut typed, false), None);
        typed.push(b'A');
        assert_eq!(take_key(&mut typed, false), Some(Pressed::Up));
        assert_eq!(take_key(&mut typed, true), None);
        let mut endless = b"\x1b[".repeat(40);
        assert_eq!(take_key(&mut endless, false), Some(Pressed::Other));
    }
}
