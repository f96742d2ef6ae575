//! Hints about memory to the processor and the system, with the only `unsafe` code of the solver.
//! They change no value: a solver that waits for its memory takes half as long again.

/// Tells the processor that what is there will soon be read. Nothing else happens.
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

/// Asks the system to back the memory of a table, its spare capacity too, with large pages: with
/// small ones the processor looks up a page at nearly every read. A system that has none
/// declines.
pub(super) fn prefer_large_pages<T>(table: &Vec<T>) {
    /// What the system wants addresses to be multiples of.
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
