//! Exact values beside the moves of a record, as an analysis writes them: do they fit each other?

use crate::rules::{Board, Sown};

/// Something that does not fit: the move, from 1, and what is wrong.
pub(super) type ValueMismatch = (usize, String);

/// Looks at the values and losses of one round, move by move. Both may be missing anywhere.
#[derive(Default)]
pub struct RecordedValues {
    last: Option<Judged>,
}

/// A move whose value is given.
struct Judged {
    number: usize,
    value: i16,
    loss: Option<i16>,
    /// What the mover's store gained by it, less what the opponent's did.
    gain: i16,
    extra_turn: bool,
}

impl Judged {
    /// Checks it against the value of the position after it.
    fn check(self, next: i16) -> Result<(), ValueMismatch> {
        let Judged { number, value, .. } = self;
        let kept = self.gain + if self.extra_turn { next } else { -next };
        let loss = value - kept;
        match self.loss {
            Some(given) if given != loss => Err((
                number,
                format!(
                    "the loss is given as {given}; by its value and that of the next position it is {loss}"
                ),
            )),
            None if loss < 0 => Err((
                number,
                format!("the value is given as {value}, but the move keeps {kept} of it"),
            )),
            _ => Ok(()),
        }
    }
}

impl RecordedValues {
    /// Checks what is given with a move, its value and its loss: by its number, the position before
    /// it, whether it was the only legal one, and what it did.
    ///
    /// # Errors
    ///
    /// When it does not fit the rules, or the value of the move before.
    pub fn check(
        &mut self,
        number: usize,
        (value, loss): (Option<i16>, Option<i16>),
        board: Board,
        is_only: bool,
        sown: Sown,
    ) -> Result<(), ValueMismatch> {
        let last = self.last.take();
        let misfit = |why: String| Err((number, why));
        let Some(value) = value else {
            return match loss {
                Some(_) => misfit("a loss is given without a value".to_owned()),
                None => Ok(()),
            };
        };
        let before = board.without_stores();
        let seeds = i16::from(before.seeds());
        // What is left goes to one side or to the other.
        if !(-seeds..=seeds).contains(&value) || (value + seeds) % 2 != 0 {
            return misfit(format!("with {seeds} seeds in the houses the value cannot be {value}"));
        }
        if let Some(last) = last {
            last.check(value)?;
        }
        if let Some(loss) = loss {
            // A loss may be any number that the field can hold.
            let most = value + seeds;
            if !(0..=most).contains(&loss) || loss % 2 != 0 {
                return misfit(format!("with a value of {value} the loss cannot be {loss}"));
            }
            if is_only && loss > 0 {
                return misfit(format!("the loss of the only legal move is given as {loss}"));
            }
        }
        let gain = sown.board.lead() - board.lead();
        let extra_turn = sown.extra_turn;
        self.last = Some(Judged { number, value, loss, gain, extra_turn });
        Ok(())
    }

    /// Checks the last move against the position after it.
    ///
    /// # Errors
    ///
    /// When the game is over and its end does not fit the value of the move.
    pub fn finish(self, board: Board) -> Result<(), ValueMismatch> {
        let Some(last) = self.last else { return Ok(()) };
        if !board.is_over() {
            return Ok(());
        }
        last.check(board.without_stores().swept().lead())
    }
}
