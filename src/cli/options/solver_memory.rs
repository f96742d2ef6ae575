//! `--memory` of the commands that solve positions.

use super::available_memory::available_memory;
use super::restraints::size;
use crate::cli::failure::Failure;
use crate::solve::{DEFAULT_MEMORY, LEAST_MEMORY, MANY_MEMORY, refuse_too_much};
use crate::text::bytes;

/// More than any machine this runs on has.
const MOST_MEMORY: u64 = 1 << 40;

/// The memory of a solver, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) struct SolverMemory(usize);

impl Default for SolverMemory {
    fn default() -> SolverMemory {
        SolverMemory(DEFAULT_MEMORY)
    }
}

/// A size with its unit; a number alone is in MiB.
pub(in crate::cli) fn solver_memory(text: &str) -> Result<SolverMemory, String> {
    let is_number = !text.is_empty() && text.bytes().all(|c| c.is_ascii_digit());
    let text = if is_number { format!("{text}MiB") } else { text.to_owned() };
    let size = size(&text, LEAST_MEMORY as u64, MOST_MEMORY)?;
    usize::try_from(size).map(SolverMemory).map_err(|error| error.to_string())
}

impl SolverMemory {
    /// For many hard positions, which are worth a larger table of endgames: where it is available,
    /// and a quarter more for the rest of the program.
    pub(in crate::cli) fn for_many() -> SolverMemory {
        let is_available = available_memory() / 5 * 4 >= MANY_MEMORY as u64;
        if is_available && refuse_too_much(MANY_MEMORY).is_ok() {
            SolverMemory(MANY_MEMORY)
        } else {
            SolverMemory::default()
        }
    }

    /// In bytes, which the system has. It hands memory out when it is first written, and refuses
    /// here what it never could.
    ///
    /// # Errors
    ///
    /// [`Failure::Work`] when it has less.
    pub(in crate::cli) fn available(self) -> Result<usize, Failure> {
        let SolverMemory(size) = self;
        refuse_too_much(size).map(|()| size).map_err(|_| {
            let size = bytes(u64::try_from(size).unwrap_or(u64::MAX));
            let advice = "give --memory a smaller size";
            Failure::Work(format!("the system has no {size} of memory; {advice}"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_a_size_or_a_number_of_mib() {
        let bytes = |text: &str| solver_memory(text).map(|SolverMemory(bytes)| bytes);
        assert_eq!(bytes("64MiB"), Ok(64 << 20));
        assert_eq!(bytes("64"), Ok(64 << 20));
        assert_eq!(bytes("2GiB"), Ok(2 << 30));
        assert_eq!(bytes("1024KiB"), Ok(1 << 20));
        for text in ["0", "0GiB", "1023KiB", "2TiB", "1048577", "99999999TiB"] {
            assert_eq!(bytes(text), Err("must be from 1MiB to 1024GiB".to_owned()), "{text}");
        }
        for text in ["", "-1", "1.5GiB", "64mb", "none", "99999999999999999999"] {
            let expected = "expected a size with its unit, such as 256MiB or 2GiB";
            assert_eq!(bytes(text), Err(expected.to_owned()), "{text}");
        }
    }

    #[test]
    fn what_the_system_does_not_have_is_refused() {
        assert!(SolverMemory(1 << 20).available().is_ok_and(|bytes| bytes == 1 << 20));
        // More than the addresses of any processor.
        let Err(Failure::Work(why)) = SolverMemory(1 << 62).available() else { panic!("granted") };
        assert!(why.contains("of memory; give --memory a smaller size"), "{why}");
    }
}
