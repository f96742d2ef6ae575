//! The memory of a bot: what its processes have in use, and what the kernel keeps for them, which
//! no process's own count shows: buffers of sockets and pipes, mappings, watches of descriptors.
//!
//! There are three ways to count, each an upper bound of the next and cheaper than it, so that a
//! bot far from its limit costs one small file for each of its processes.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::io::{BufRead as _, BufReader, Read as _};

use rustix::process::Pid;

use super::look_time::LookTime;
use super::watch::MOST_DESCRIPTORS;
use crate::bot::system;

const KIB: u64 = 1024;

/// What the kernel keeps for a mapping: its description, and its share of the tree of them.
const MAPPING: u64 = 256;

/// Most mappings of a process, as systems are set up.
const MOST_MAPPINGS: u64 = 65_530;

/// What the kernel keeps at most behind a socket: what it takes before its reader reads.
const SOCKET: u64 = 256 * KIB;

/// The same behind a pipe.
const PIPE: u64 = 64 * KIB;

/// What it keeps for any other descriptor, and for each that one watches.
const DESCRIPTOR: u64 = KIB;
const WATCHED: u64 = 256;

/// The longest list of watched descriptors that is read: some sixteen thousand, where no process
/// may have more than a few hundred to watch.
const LONGEST_LIST: u64 = 1024 * KIB;

/// Mappings between two looks at the clock.
const LINES_A_CHECK: u64 = 1000;

/// The memory of the whole system that the bots' own may hide in.
#[derive(Clone, Copy, Debug)]
struct SystemMemory {
    /// Of the kernel's own objects.
    kernel: u64,
    /// Shared by processes.
    shared: u64,
}

impl SystemMemory {
    fn now() -> SystemMemory {
        let text = fs::read_to_string("/proc/meminfo").unwrap_or_default();
        SystemMemory { kernel: bytes_of(&text, "SUnreclaim:"), shared: bytes_of(&text, "Shmem:") }
    }

    fn least(self, other: SystemMemory) -> SystemMemory {
        SystemMemory {
            kernel: self.kernel.min(other.kernel),
            shared: self.shared.min(other.shared),
        }
    }
}

/// A bot's memory under watch.
#[derive(Debug, Default)]
pub(super) struct Memory {
    /// The least that there was since the first look.
    least: Option<SystemMemory>,
}

impl Memory {
    /// Whether these processes have more than `limit` bytes of memory, files not counted. What is
    /// not looked at in time counts as the most that it can be.
    pub(super) fn is_beyond(&mut self, processes: &[Pid], limit: u64, time: LookTime) -> bool {
        let now = SystemMemory::now();
        let least = self.least.insert(now.least(self.least.unwrap_or(now)));
        let shared = now.shared - least.shared;
        // No upper bound sees what lies behind one descriptor, or in memory that no process has
        // mapped just now; the system's own counts do, though not whose it is.
        let may_hide = now.kernel - least.kernel > limit / 8 || shared > limit / 8;
        let looked_at: Vec<ProcessMemory> = processes
            .iter()
            .take_while(|_| !time.is_over())
            .map(|&one| ProcessMemory::look(one))
            .collect();
        if looked_at.len() < processes.len() {
            return true;
        }
        let sum =
            |of: fn(&ProcessMemory) -> u64| looked_at.iter().map(of).fold(0, u64::saturating_add);
        (may_hide
            || sum(ProcessMemory::at_most) > limit && sum(ProcessMemory::with_descriptors) > limit)
            && exact(&looked_at, shared, limit, time) > limit
    }
}

/// What a process says of itself.
struct ProcessMemory {
    pid: Pid,
    /// Memory in use that no file backs, with page tables, in bytes.
    in_use: u64,
    /// Most mappings that it can have.
    mappings: u64,
    /// Most descriptors that it has open.
    descriptors: u64,
}

impl ProcessMemory {
    fn look(pid: Pid) -> ProcessMemory {
        let mut status = system::text_of(pid, "status");
        if !status.contains("RssAnon:") {
            // The first thread has ended; the others still have the memory.
            let task = format!("/proc/{}/task", pid.as_raw_nonzero());
            let threads = fs::read_dir(task).into_iter().flatten().flatten();
            let statuses =
                threads.filter_map(|one| fs::read_to_string(one.path().join("status")).ok());
            status = statuses.into_iter().find(|one| one.contains("RssAnon:")).unwrap_or_default();
        }
        let bytes = |name| bytes_of(&status, name);
        ProcessMemory {
            pid,
            in_use: bytes("RssAnon:") + bytes("RssShmem:") + bytes("VmPTE:"),
            mappings: (bytes("VmSize:") / (4 * KIB)).min(MOST_MAPPINGS),
            // A number without a unit.
            descriptors: bytes("FDSize:") / KIB,
        }
    }

    fn at_most(&self) -> u64 {
        self.in_use + self.mappings * MAPPING + self.descriptors * SOCKET
    }

    /// With the descriptors that are really open, each at its worst.
    fn with_descriptors(&self) -> u64 {
        let open = open_descriptors(self.pid).unwrap_or(self.descriptors);
        self.in_use + self.mappings * MAPPING + open * SOCKET
    }
}

/// The descriptors of these processes together, as far as they can be many: a few processes cannot
/// have more than each of them may.
pub(super) fn descriptors(processes: &[Pid]) -> u64 {
    if processes.len() as u64 * system::DESCRIPTORS <= MOST_DESCRIPTORS {
        return 0;
    }
    processes.iter().map(|&one| open_descriptors(one).unwrap_or(0)).sum()
}

/// How many descriptors a process has open, where the system tells: from Linux 6.2 on, as the size
/// of the folder.
fn open_descriptors(process: Pid) -> Option<u64> {
    let folder = fs::metadata(format!("/proc/{}/fd", process.as_raw_nonzero())).ok()?;
    Some(std::os::unix::fs::MetadataExt::size(&folder)).filter(|&open| open > 0)
}

/// What there is, each page shared out among the processes that have it, and each descriptor
/// counted once, at its worst. Counts no further than to the limit. Processes that are not counted
/// in time have their upper bound, and all memory without a name that was shared since.
fn exact(processes: &[ProcessMemory], shared: u64, limit: u64, time: LookTime) -> u64 {
    let mut kept = KernelMemory::default();
    let mut sum: u64 = 0;
    let mut is_whole = true;
    for look in processes {
        if time.is_over() {
            is_whole = false;
            sum = sum.saturating_add(look.with_descriptors());
        } else {
            sum += if processes.len() == 1 { look.in_use } else { share_of_memory(look) };
            sum += kept.add_mappings(look, time).saturating_add(kept.add_descriptors(look, time));
        }
        if sum > limit {
            break;
        }
    }
    // The kernel does not say how much of it is really there; but no more than has come up since.
    let named = kept.shared.values().sum::<u64>().min(shared);
    sum.saturating_add(if is_whole && !time.is_over() { named } else { shared })
}

/// Memory in use with each page divided by the number of processes that share it.
fn share_of_memory(look: &ProcessMemory) -> u64 {
    let shares = system::text_of(look.pid, "smaps_rollup");
    if shares.is_empty() {
        return look.in_use;
    }
    let tables = bytes_of(&system::text_of(look.pid, "status"), "VmPTE:");
    bytes_of(&shares, "Pss_Anon:") + bytes_of(&shares, "Pss_Shmem:") + tables
}

/// What the kernel keeps for several processes.
#[derive(Default)]
struct KernelMemory {
    /// Memory without a file that processes may share, by its number: its size.
    shared: HashMap<String, u64>,
    /// What lies behind descriptors, by what they are links to.
    descriptors: HashSet<String>,
}

impl KernelMemory {
    /// What is kept for a process's mappings. Notes what it shares.
    fn add_mappings(&mut self, process: &ProcessMemory, time: LookTime) -> u64 {
        let path = format!("/proc/{}/maps", process.pid.as_raw_nonzero());
        let Ok(file) = File::open(path) else { return 0 };
        let mut count = 0;
        // Line by line, for a process may have a list of some megabytes.
        for line in BufReader::new(file).lines().map_while(Result::ok) {
            count += 1;
            if line.ends_with("/dev/zero (deleted)") {
                let mut words = line.split_whitespace();
                let size = words.next().and_then(size_of_range).unwrap_or(0);
                let number = words.nth(3).unwrap_or_default().to_owned();
                let known = self.shared.entry(number).or_default();
                *known = size.max(*known);
            }
            if count % LINES_A_CHECK == 0 && time.is_over() {
                count = process.mappings.max(count);
                break;
            }
        }
        count * MAPPING
    }

    /// What is kept behind a process's descriptors, those that another one has too left out.
    fn add_descriptors(&mut self, process: &ProcessMemory, time: LookTime) -> u64 {
        let folder = format!("/proc/{}/fd", process.pid.as_raw_nonzero());
        // Where they may not be looked at, they are all of the worst kind.
        let Ok(entries) = fs::read_dir(folder) else { return process.descriptors * SOCKET };
        let mut sum: u64 = 0;
        for entry in entries.flatten() {
            if time.is_over() {
                return sum.saturating_add(process.descriptors * SOCKET);
            }
            let Ok(link) = fs::read_link(entry.path()) else { continue };
            let link = link.to_string_lossy();
            let behind = if link.starts_with("socket:") {
                SOCKET
            } else if link.starts_with("pipe:") {
                PIPE
            } else if link == "anon_inode:[eventpoll]" {
                sum = sum.saturating_add(watches(process.pid, &entry.file_name()));
                continue;
            } else {
                sum += DESCRIPTOR;
                continue;
            };
            if self.descriptors.insert(link.into_owned()) {
                sum += behind;
            }
        }
        sum
    }
}

/// What is kept for what a descriptor watches.
fn watches(process: Pid, descriptor: &std::ffi::OsStr) -> u64 {
    let path = format!("/proc/{}/fdinfo", process.as_raw_nonzero());
    let Ok(list) = File::open(std::path::Path::new(&path).join(descriptor)) else { return 0 };
    let mut text = Vec::new();
    let _ = list.take(LONGEST_LIST).read_to_end(&mut text);
    if text.len() as u64 == LONGEST_LIST {
        return u64::MAX / 2;
    }
    let watches = text.split(|&byte| byte == b'\n').filter(|line| line.starts_with(b"tfd:"));
    DESCRIPTOR + WATCHED * watches.count() as u64
}

/// The size of `5581e000-5582f000`.
fn size_of_range(range: &str) -> Option<u64> {
    let (start, end) = range.split_once('-')?;
    let number = |text| u64::from_str_radix(text, 16).ok();
    number(end)?.checked_sub(number(start)?)
}

/// The value of a line such as `RssAnon:     1234 kB`, in bytes; 0 without such a line.
fn bytes_of(text: &str, name: &str) -> u64 {
    let value = text.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default();
    1024 * value.trim().trim_end_matches(" kB").parse().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_and_ranges_are_read() {
        let text = "VmPTE:\t  12 kB\nFDSize:\t64\n";
        assert_eq!((bytes_of(text, "VmPTE:"), bytes_of(text, "FDSize:")), (12 * KIB, 64 * KIB));
        assert_eq!(bytes_of(text, "RssAnon:"), 0);
        assert_eq!(size_of_range("5581e000-55820000"), Some(0x2000));
    }

    #[test]
    fn each_way_to_count_is_an_upper_bound_of_the_next() {
        let own = rustix::process::getpid();
        let look = ProcessMemory::look(own);
        assert!(look.in_use > 0 && look.descriptors > 0);
        assert!(look.at_most() >= look.with_descriptors());
        let exact = exact(&[look], 0, u64::MAX, LookTime::begin(1));
        let look = ProcessMemory::look(own);
        assert!(look.with_descriptors() >= exact, "{exact}");
        assert!(exact >= look.in_use);
    }

    #[test]
    fn what_is_not_counted_in_time_counts_as_its_worst() {
        let own = rustix::process::getpid();
        let looks = [ProcessMemory::look(own), ProcessMemory::look(own)];
        let worst = exact(&looks, 7 * KIB, u64::MAX, LookTime::over());
        assert!(worst >= looks[0].in_use + looks[1].in_use + 7 * KIB, "{worst}");
        let counted = exact(&looks, 7 * KIB, u64::MAX, LookTime::begin(1));
        assert!(counted < worst, "{counted} {worst}");
        assert!(Memory::default().is_beyond(&[own], u64::MAX, LookTime::over()));
        assert!(!Memory::default().is_beyond(&[own], u64::MAX, LookTime::begin(1)));
    }

    #[test]
    fn what_lies_behind_descriptors_counts() {
        let own = rustix::process::getpid();
        let count = || {
            KernelMemory::default().add_descriptors(&ProcessMemory::look(own), LookTime::begin(1))
        };
        let before = count();
        let pairs: Vec<_> =
            (0..20).map(|_| std::os::unix::net::UnixStream::pair().unwrap()).collect();
        // Other tests open and close some meanwhile.
        assert!(count() > before + 30 * SOCKET, "{} {before}", count());
        drop(pairs);
    }
}
