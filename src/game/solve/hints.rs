//! Hints about memory to the processor and the system: the only `unsafe` code of the solver.
//!
//! They change no value, only the time. Measured with the four-seed opening of ece1021 and 256 MiB, in
//! alternating pairs: with [`prefetch`] the solver takes 15 % less processor time than without it, and
//! with [`prefer_large_pages`] 18 % less.

/// Tells the processor that `word` will soon be read. Does nothing else.
#[inline]
pub(super) fn prefetch(word: &u64) {
    #[cfg(target_arch = "x86_64")]
    #[expect(unsafe_code, reason = "a hint that reads nothing; every such processor has it")]
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(word).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = word;
}

/// Asks the system for large pages behind a table and its spare capacity. With small pages the
/// processor has to look up a page at nearly every read. A system without large pages declines.
pub(super) fn prefer_large_pages<T>(table: &Vec<T>) {
    /// The system wants addresses to be multiples of this.
    const PAGE: usize = 4096;
    let bytes = table.capacity() * size_of::<T>();
    let start = table.as_ptr().cast::<u8>();
    let skipped = start.align_offset(PAGE);
    if skipped >= bytes {
        return;
    }
    let length = (bytes - skipped) / PAGE * PAGE;
    let start = start.wrapping_add(skipped).cast_mut().cast();
    #[expect(unsafe_code, reason = "advice for memory that is the table's own, contents kept")]
    unsafe {
        libc::madvise(start, length, libc::MADV_HUGEPAGE);
    }
}
