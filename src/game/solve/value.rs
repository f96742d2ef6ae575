//! Proven bounds of a value.

/// Proven bounds of the value of a position or a move: the mover's final margin in seeds, counted
/// from now, under best play by both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The value is this or more.
    pub at_least: i16,
    /// The value is this or less.
    pub at_most: i16,
}

impl Bounds {
    /// Those of a value of which nothing is known.
    pub(crate) const WIDEST: Bounds = Bounds { at_least: i16::MIN, at_most: i16::MAX };

    /// The value, once nothing else is left.
    pub const fn exact(self) -> Option<i16> {
        if self.at_least == self.at_most { Some(self.at_least) } else { None }
    }

    /// The bounds of a value that is known.
    pub(crate) const fn of(value: i16) -> Bounds {
        Bounds { at_least: value, at_most: value }
    }

    /// What they are when both stores are counted in, which differ by `margin`; or, with the
    /// margin that a move gains, what the bounds after it say of the move.
    pub const fn plus(self, margin: i16) -> Bounds {
        Bounds { at_least: self.at_least + margin, at_most: self.at_most + margin }
    }

    /// The same in the opponent's view.
    pub(crate) const fn flipped(self) -> Bounds {
        Bounds { at_least: -self.at_most, at_most: -self.at_least }
    }

    /// What two pairs of bounds, both true, say together.
    pub(crate) fn and(self, other: Bounds) -> Bounds {
        Bounds {
            at_least: self.at_least.max(other.at_least),
            at_most: self.at_most.min(other.at_most),
        }
    }

    /// Takes in the answer to the question whether the value is `asked` or more.
    pub(super) fn narrow(&mut self, asked: i16, answer: i16) {
        if answer >= asked {
            self.at_least = self.at_least.max(answer);
        } else {
            self.at_most = self.at_most.min(answer);
        }
    }
}
