//! Whether there is memory for more, found out before it runs out: an allocation that fails in the
//! middle would abort the program.

use super::CollectedResults;
use crate::standings::stored_match::StoredMatch;

/// Bytes that are read between two checks. What they take in memory is less than [`SPARE`].
pub(super) const READ_BETWEEN_CHECKS: usize = 1 << 20;

/// What is told if there is none.
pub(super) const OUT_OF_MEMORY: &str = "there is not enough memory for these files; read fewer at a time, or \
                             use a machine (or ulimit -v) with more";

/// Bytes that are to be free beside the collections.
const SPARE: usize = 48 << 20;

/// Bytes that the table needs at most for each pair of bots and for each bot, while a collection
/// of all of them doubles.
const PER_PAIR: usize = 1024;
const PER_BOT: usize = 2048;

/// Whether the system would give `bytes` more. They are given back at once, and are never touched.
pub(super) fn can_allocate(bytes: usize) -> bool {
    let mut room = Vec::<u8>::new();
    let is_given = room.try_reserve_exact(bytes).is_ok();
    // Otherwise the compiler may leave the allocation out.
    std::hint::black_box(&mut room);
    is_given
}

impl CollectedResults {
    /// Bytes that are enough to read on until the next check, and to make the table.
    pub(super) fn room_needed(&self) -> usize {
        let matches = self.matches.capacity() / 4 * size_of::<StoredMatch>();
        let tables = self.pairs.all().len() * PER_PAIR + self.names.all().len() * PER_BOT;
        // As many again, twice as large, while they are copied.
        let loose = self.loose_lines.capacity() * 4 * size_of::<u64>();
        SPARE + matches + tables + loose + self.plan_check.room_needed()
    }
}
