//! `--memory` of the commands that solve positions, and how much memory this program may use.
//!
//! The solver takes [`MANY_MEMORY`] by default only if there is that much, for
//! the system ends a program that writes more than it has. The larger size saves 27 % of the processor
//! time for all moves of an opening.

use std::fs;
use std::path::Path;

use super::restraints::size;
use crate::cli::failure::{CliResult, Failure};
use crate::solve::{DEFAULT_MEMORY, LEAST_MEMORY, MANY_MEMORY, refuse_too_much};
use crate::text::bytes;

/// More than any machine this runs on has.
const MOST_MEMORY: u64 = 1 << 40;

/// The memory of a solver, in bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
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
        let is_available = available_memory(Path::new("/")) / 5 * 4 >= MANY_MEMORY as u64;
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
    pub(in crate::cli) fn available(self) -> CliResult<usize> {
        let SolverMemory(size) = self;
        refuse_too_much(size).map(|()| size).map_err(|_| {
            let size = bytes(u64::try_from(size).unwrap_or(u64::MAX));
            let advice = "give --memory a smaller size";
            Failure::Work(format!("the system has no {size} of memory; {advice}"))
        })
    }
}

/// Bytes that this program can use before the system swaps or kills: what the machine has available,
/// and what the program's control groups limit it to. `u64::MAX` where the system says neither.
///
/// The system's files are below the folder `root`.
fn available_memory(root: &Path) -> u64 {
    let read = |path: &Path| fs::read_to_string(root.join(path)).unwrap_or_default();
    let machine = read(Path::new("proc/meminfo"));
    let machine = machine.lines().find_map(|line| {
        let kib = line.strip_prefix("MemAvailable:")?.strip_suffix("kB")?;
        Some(kib.trim().parse::<u64>().ok()?.saturating_mul(1024))
    });
    let groups = read(Path::new("proc/self/cgroup"));
    let groups = groups.lines().filter_map(|line| {
        // A number, the controllers and the group's path; all controllers have one tree in version 2.
        let (controllers, path) = line.split_once(':')?.1.split_once(':')?;
        let (tree, file) = match controllers {
            "" => ("sys/fs/cgroup", "memory.max"),
            "memory" => ("sys/fs/cgroup/memory", "memory.limit_in_bytes"),
            _ => return None,
        };
        // A group has the limits of those above it, too. In a container the path may be the one
        // outside of it; what limits the container then stands at the top.
        let above = Path::new(path.trim_start_matches('/')).ancestors();
        let limits = above.map(|group| read(&Path::new(tree).join(group).join(file)));
        // "max" means no limit.
        limits.filter_map(|limit| limit.trim().parse().ok()).min()
    });
    groups.chain(machine).min().unwrap_or(u64::MAX)
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

    fn available(files: &[(&str, &str)]) -> u64 {
        let root = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        available_memory(root.path())
    }

    #[test]
    fn the_least_of_the_machine_and_the_groups_is_available() {
        let machine = ("proc/meminfo", "MemTotal:  9999 kB\nMemAvailable:     900 kB\n");
        assert_eq!(available(&[]), u64::MAX);
        assert_eq!(available(&[machine]), 900 * 1024);
        let version_2 = [
            machine,
            ("proc/self/cgroup", "0::/user/job\n"),
            ("sys/fs/cgroup/user/job/memory.max", "max\n"),
            ("sys/fs/cgroup/user/memory.max", "5000\n"),
        ];
        assert_eq!(available(&version_2), 5000);
        let version_1 = [
            machine,
            ("proc/self/cgroup", "2:cpu:/elsewhere\n4:memory:/outside/the:container\n0::/\n"),
            ("sys/fs/cgroup/memory/memory.limit_in_bytes", "7000\n"),
            ("sys/fs/cgroup/elsewhere/memory.max", "1\n"),
        ];
        assert_eq!(available(&version_1), 7000);
        let unlimited = ("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
        assert_eq!(
            available(&[machine, ("proc/self/cgroup", "4:memory:/\n"), unlimited]),
            900 * 1024
        );
    }

    #[test]
    fn this_machine_has_some() {
        assert!(available_memory(Path::new("/")) > 1 << 20);
    }
}
