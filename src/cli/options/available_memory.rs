//! How much memory this program may use.
//!
//! The solver takes [`MANY_MEMORY`](crate::solve::MANY_MEMORY) by default only if there is that much, for
//! the system ends a program that writes more than it has. The larger size saves 27 % of the processor
//! time for all moves of an opening.

use std::fs;
use std::path::Path;

/// Bytes that this program can use before the system swaps or kills: what the machine has available,
/// and what the program's control groups limit it to. `u64::MAX` where the system says neither.
pub(in crate::cli) fn available_memory() -> u64 {
    available_below(Path::new("/"))
}

/// The same, of a system whose files are below this folder.
fn available_below(root: &Path) -> u64 {
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

    fn available(files: &[(&str, &str)]) -> u64 {
        let root = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        available_below(root.path())
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
        assert!(available_memory() > 1 << 20);
    }
}
