//! What a player writes to stderr, handed from who reads it to who logs the match.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// Most bytes that wait to be taken; what comes beyond them is counted and dropped.
const MAX_WAITING: usize = 256 * 1024;

/// What is kept of each piece beside its bytes, so that many small ones are bounded too.
const PIECE_BYTES: usize = size_of::<Piece>();

/// The stderr of one player since it was last taken, bounded. Clones share it.
#[derive(Clone, Default)]
pub struct StderrCopy(Arc<Mutex<Waiting>>);

#[derive(Default)]
struct Waiting {
    taken: Taken,
    bytes: usize,
}

#[derive(Default)]
pub struct Taken {
    /// The pieces in the order in which they came.
    pub pieces: Vec<Piece>,
    /// How many bytes after them were dropped, for nobody took them in time.
    pub dropped: u64,
}

/// Bytes that came together.
pub struct Piece {
    /// When they were read.
    pub(crate) at: Instant,
    /// The bytes; a line may end in a later piece.
    pub bytes: Vec<u8>,
}

impl Taken {
    /// What came until `begin`, and what came after it, none of that later than `end`.
    pub(crate) fn split(self, begin: Instant, end: Instant) -> (Taken, Taken) {
        let (before, mut after): (Vec<Piece>, Vec<Piece>) =
            self.pieces.into_iter().partition(|piece| piece.at <= begin);
        for piece in &mut after {
            piece.at = piece.at.min(end);
        }
        // What was dropped came after the last piece that was kept.
        let (dropped_before, dropped_after) =
            if after.is_empty() { (self.dropped, 0) } else { (0, self.dropped) };
        (
            Taken { pieces: before, dropped: dropped_before },
            Taken { pieces: after, dropped: dropped_after },
        )
    }
}

impl StderrCopy {
    /// Keeps a copy of `bytes`, or counts them once the room is used up.
    pub(crate) fn add(&self, bytes: &[u8]) {
        let mut waiting = self.waiting();
        let size = bytes.len() + PIECE_BYTES;
        if waiting.taken.dropped > 0 || waiting.bytes + size > MAX_WAITING {
            waiting.taken.dropped += bytes.len() as u64;
        } else {
            waiting.bytes += size;
            waiting.taken.pieces.push(Piece { at: Instant::now(), bytes: bytes.to_vec() });
        }
    }

    /// Takes what has come since the last time.
    pub fn take(&self) -> Taken {
        std::mem::take(&mut *self.waiting()).taken
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        // Nothing in here is ever half-done.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_is_cut_and_counted_until_it_is_taken() {
        let copy = StderrCopy::default();
        let flood = [b'x'; 16 * 1024];
        (0..100).for_each(|_| copy.clone().add(&flood));
        let Taken { pieces, dropped } = copy.take();
        assert_eq!(pieces.len(), 15);
        assert_eq!(dropped, 85 * 16 * 1024);
        (0..1_000_000).for_each(|_| copy.add(b"x"));
        assert!(copy.take().pieces.len() < 8_000);
        copy.add(b"y");
        let taken = copy.take();
        assert_eq!((taken.pieces.len(), taken.dropped), (1, 0));
    }

    #[test]
    fn what_is_split_keeps_its_order() {
        let begin = Instant::now();
        let ms = |ms| begin + std::time::Duration::from_millis(ms);
        let taken = |dropped| {
            let pieces = [1, 5, 9].map(|at| Piece { at: ms(at), bytes: vec![b'x'] });
            Taken { pieces: pieces.into(), dropped }
        };
        let times = |taken: &Taken| taken.pieces.iter().map(|p| p.at).collect::<Vec<_>>();
        let (before, after) = taken(7).split(ms(3), ms(6));
        assert_eq!((times(&before), before.dropped), (vec![ms(1)], 0));
        assert_eq!((times(&after), after.dropped), (vec![ms(5), ms(6)], 7));
        let (before, after) = taken(7).split(ms(10), ms(11));
        assert_eq!((before.pieces.len(), before.dropped), (3, 7));
        assert_eq!((after.pieces.len(), after.dropped), (0, 0));
    }
}
