//! A hint to the processor, with the only `unsafe` code of the solver: a solver that waits for its
//! memory takes half as long again.

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
