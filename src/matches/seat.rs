//! Which of a match's two bots: the index that records, scores and messages speak of.

use std::ops::{Index, IndexMut, Not};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One of the two bots of a match, in the order in which they were named.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(into = "u8", try_from = "u8")]
#[schemars(extend("maximum" = 1))]
pub enum Seat {
    /// The bot named first; 0 in records.
    #[default]
    A,
    /// The bot named second; 1 in records.
    B,
}

impl Seat {
    /// Both, in order.
    pub const BOTH: [Seat; 2] = [Seat::A, Seat::B];
}

impl Not for Seat {
    type Output = Seat;

    fn not(self) -> Seat {
        match self {
            Seat::A => Seat::B,
            Seat::B => Seat::A,
        }
    }
}

impl From<Seat> for u8 {
    fn from(seat: Seat) -> u8 {
        seat as u8
    }
}

impl TryFrom<u8> for Seat {
    type Error = &'static str;

    fn try_from(index: u8) -> Result<Seat, &'static str> {
        match index {
            0 => Ok(Seat::A),
            1 => Ok(Seat::B),
            _ => Err("a bot of a match is 0 or 1"),
        }
    }
}

/// Two values, one for each bot of a match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct PerSeat<T>(pub [T; 2]);

impl<T> PerSeat<T> {
    pub fn from_fn(mut value: impl FnMut(Seat) -> T) -> PerSeat<T> {
        PerSeat(Seat::BOTH.map(&mut value))
    }
}

impl<T> Index<Seat> for PerSeat<T> {
    type Output = T;

    fn index(&self, seat: Seat) -> &T {
        &self.0[seat as usize]
    }
}

impl<T> IndexMut<Seat> for PerSeat<T> {
    fn index_mut(&mut self, seat: Seat) -> &mut T {
        &mut self.0[seat as usize]
    }
}
