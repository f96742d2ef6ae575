//! `--memory` of the commands that solve positions.

use super::failure::Failure;
use super::restraints::size;
use crate::solve::{DEFAULT_MEMORY, LEAST_MEMORY, Refusal};
use crate::text::bytes;

/// More than any machine this runs on has.
const MOST_MEMORY: u64 = 1 << 40;

/// The memory of a solver, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SolverMemory(usize);

impl Default for SolverMemory {
    fn default() -> SolverMemory {
        SolverMemory(DEFAULT_MEMORY)
    }
}

/// A size with its unit; a number alone is in MiB.
pub(super) fn solver_memory(text: &str) -> Result<SolverMemory, String> {
    let is_number = !text.is_empty() && text.bytes().all(|c| c.is_ascii_digit());
    let text = if is_number { format!("{text}MiB") } else { text.to_owned() };
    let size = size(&text, 0, MOST_MEMORY)
        .map_err(|why| if why.starts_with("must") { too_much() } else { why })?;
    match usize::try_from(size) {
        Ok(size) if size >= LEAST_MEMORY => Ok(SolverMemory(size)),
        Ok(_) => Err(Refusal::Memory.to_string()),
        Err(_) => Err(too_much()),
    }
}

fn too_much() -> String {
    format!("must be at most {}", bytes(MOST_MEMORY))
}

impl SolverMemory {
    /// In bytes.
    pub(super) const fn bytes(self) -> usize {
        self.0
    }

    /// For how many solvers at once, of so many, there is memory. The system hands it out when it
    /// is first written, and refuses here what it never could.
    ///
    /// # Errors
    ///
    /// [`Failure::Work`] when there is not enough for one.
    pub(super) fn solvers(self, wanted: usize) -> Result<usize, Failure> {
        let reserved = |_| {
            let mut memory: Vec<u8> = Vec::new();
            memory.try_reserve_exact(self.0).ok().map(|()| memory)
        };
        // All are held until they are counted.
        let memory: Vec<Vec<u8>> = (0..wanted).map_while(reserved).collect();
        if memory.is_empty() {
            let size = u64::try_from(self.0).unwrap_or(u64::MAX);
            return Err(Failure::Work(format!(
                "the system has no {} of memory; give --memory a smaller size",
                bytes(size)
            )));
        }
        Ok(memory.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_a_size_or_a_number_of_mib() {
        let bytes = |text: &str| solver_memory(text).map(SolverMemory::bytes);
        assert_eq!(bytes("64MiB"), Ok(64 << 20));
        assert_eq!(bytes("64"), Ok(64 << 20));
        assert_eq!(bytes("2GiB"), Ok(2 << 30));
        assert_eq!(bytes("1024KiB"), Ok(1 << 20));
        let least = "the solver needs at least 1 MiB of memory";
        for text in ["0", "0GiB", "1023KiB"] {
            assert_eq!(bytes(text), Err(least.to_owned()), "{text}");
        }
        for text in ["2TiB", "1048577", "99999999TiB"] {
            assert_eq!(bytes(text), Err("must be at most 1024GiB".to_owned()), "{text}");
        }
        for text in ["", "-1", "1.5GiB", "64mb", "none", "99999999999999999999"] {
            let expected = "expected a size with its unit, such as 256MiB or 2GiB";
            assert_eq!(bytes(text), Err(expected.to_owned()), "{text}");
        }
    }

    #[test]
    fn what_the_system_does_not_have_is_refused() {
        assert!(SolverMemory(1 << 20).solvers(3).is_ok_and(|solvers| solvers == 3));
        // More than the addresses of any processor.
        let Err(Failure::Work(why)) = SolverMemory(1 << 62).solvers(3) else { panic!("granted") };
        assert!(why.contains("of memory; give --memory a smaller size"), "{why}");
    }
}
