//! The first 64 bits of a SHA-256: what tournaments and games are known by.

use std::fmt;
use std::io;
use std::str::FromStr;

use mancala_game::schema;
use schemars::json_schema;
use serde::de::Error as _;
use serde::ser::SerializeSeq;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest as _, Sha256};

use super::MoveRecord;
use super::borrowed_text::BorrowedText;
use crate::rules::{Opening, Ruleset};

/// The first 64 bits of a SHA-256, written as 16 lower-case hexadecimal digits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest(u64);

/// What is wrong with any other text.
const NOT_A_DIGEST: &str = "expected 16 hexadecimal digits, 0 to 9 and a to f";

impl Digest {
    pub fn of(bytes: &[u8]) -> Digest {
        Digest::of_hash(Sha256::digest(bytes).into())
    }

    /// The digest of all that `content` has.
    ///
    /// # Errors
    ///
    /// When it cannot be read.
    pub fn of_content(mut content: impl io::Read) -> io::Result<Digest> {
        let mut hash = Sha256::new();
        let mut block = vec![0; 64 * 1024];
        loop {
            match content.read(&mut block) {
                Ok(0) => break,
                Ok(count) => hash.update(&block[..count]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(Digest::of_hash(hash.finalize().into()))
    }

    fn of_hash(hash: [u8; 32]) -> Digest {
        Digest(hash.first_chunk().map_or(0, |first| u64::from_be_bytes(*first)))
    }

    /// The digest of one round: of the compact JSON `[rules,opening,moves]`, each move as
    /// `[bot,move]` or `[bot,move,direction]`. Rounds with the same digest are the same game.
    #[expect(clippy::missing_panics_doc, reason = "writing JSON to memory does not fail")]
    pub fn of_game(rules: &Ruleset, opening: &Opening, moves: &[MoveRecord]) -> Digest {
        let game = (rules, opening, MovesOfGame(moves));
        Digest::of(&serde_json::to_vec(&game).expect("a game is always JSON"))
    }

    /// The 64 bits as a number.
    pub const fn to_bits(self) -> u64 {
        self.0
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl FromStr for Digest {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Digest, &'static str> {
        let digits: &[u8; 16] = text.as_bytes().try_into().map_err(|_| NOT_A_DIGEST)?;
        let mut bits = 0;
        for digit in digits {
            let value = match digit {
                b'0'..=b'9' => digit - b'0',
                b'a'..=b'f' => digit - b'a' + 10,
                _ => return Err(NOT_A_DIGEST),
            };
            bits = bits << 4 | u64::from(value);
        }
        Ok(Digest(bits))
    }
}

impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Digest, D::Error> {
        BorrowedText::deserialize(deserializer)?.0.parse().map_err(D::Error::custom)
    }
}

schema!(Digest, _generator => json_schema!({ "type": "string", "pattern": "^[0-9a-f]{16}$" }));

/// The moves of a round as its digest has them.
struct MovesOfGame<'a>(&'a [MoveRecord]);

impl Serialize for MovesOfGame<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut moves = serializer.serialize_seq(Some(self.0.len()))?;
        for MoveRecord { bot, house, direction, .. } in self.0 {
            match direction {
                Some(direction) => moves.serialize_element(&(bot, house, direction))?,
                None => moves.serialize_element(&(bot, house))?,
            }
        }
        moves.end()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::rules::{Direction, House};
    use crate::seat::Seat;

    fn played(bot: Seat, house: usize, direction: Option<Direction>) -> MoveRecord {
        let time = Duration::from_micros(113);
        MoveRecord {
            bot,
            house: House::ALL[house],
            direction,
            time,
            fresh: false,
            info: None,
            substitute: None,
            value: None,
            loss: None,
        }
    }

    #[test]
    fn a_digest_has_sixteen_digits_however_they_are_written() {
        let read = |json: &str| serde_json::from_str::<Digest>(json).ok().map(Digest::to_bits);
        assert_eq!(read(r#""0123456789abcdef""#), Some(0x0123_4567_89ab_cdef));
        assert_eq!(read(r#""012345678\u0039abcdef""#), Some(0x0123_4567_89ab_cdef));
        for wrong in
            ["", "0123456789abcde", "0123456789abcdef0", "0123456789abcdeF", "+123456789abcdef"]
        {
            assert_eq!(read(&format!("\"{wrong}\"")), None, "{wrong}");
        }
    }

    #[test]
    fn a_digest_is_the_beginning_of_a_sha256() {
        // FIPS 180-4's example: SHA-256("abc") begins with ba7816bf8f01cfea.
        assert_eq!(Digest::of(b"abc").to_string(), "ba7816bf8f01cfea");
        assert_eq!(Digest::of(b"").to_string(), "e3b0c44298fc1c14");
    }

    #[test]
    fn a_game_is_its_rules_opening_and_moves() {
        // The expected digits are those of `sha256sum` over the JSON text of the game.
        let rules = Ruleset::default();
        let opening = Opening::standard(&rules);
        let moves = [played(Seat::A, 5, None), played(Seat::B, 0, None)];
        let digest = Digest::of_game(&rules, &opening, &moves);
        assert_eq!(digest.to_string(), "104409af6f652c59");
        let moves = [played(Seat::A, 5, Some(Direction::Backward))];
        let digest = Digest::of_game(&rules, &opening, &moves);
        assert_eq!(digest.to_string(), "9fdc3f72c4ea1e5c");
    }

    #[test]
    fn a_digest_is_16_lower_case_digits_and_nothing_else() {
        let digest: Digest = "00ba7816bf8f01cf".parse().unwrap();
        assert_eq!(digest.to_string(), "00ba7816bf8f01cf");
        let json = serde_json::to_string(&digest).unwrap();
        assert_eq!(serde_json::from_str::<Digest>(&json).unwrap(), digest);
        for wrong in
            ["", "00ba7816bf8f01c", "00ba7816bf8f01cf0", "00BA7816BF8F01CF", "+0ba7816bf8f01cf"]
        {
            assert_eq!(wrong.parse::<Digest>(), Err(NOT_A_DIGEST), "{wrong}");
        }
    }
}
