//! The memory of a bot: what its processes have in use, and what the kernel keeps for them, which
//! no process's own count shows: buffers of sockets and pipes, mappings, watches of descriptors.
//!
//! There are three ways to count, each cheaper than the next and usually above it, so that a bot far
//! from its limit costs one small file for each of its processes. Where the whole system has taken more
//! than an eighth of the limit since, the last one is used at once: mappings with names or links can
//! cost more than the first two count.

mod kernel_memory;
mod system_memory;
mod watches;

use std::collections::HashMap;
use std::fs;
use std::sync::LazyLock;

use rustix::process::Pid;

use super::look_deadline::LookDeadline;
use crate::bot::system::{self, AddressSpaces};
use kernel_memory::KernelMemory;
use system_memory::{SystemGrowth, SystemMemory};
pub(super) use watches::DescriptorCount;
use watches::Watches;

const KIB: u64 = 1024;

/// What the kernel keeps for most mappings: their description, and their share of the tree of them.
const MAPPING: u64 = 256;

/// What it keeps for a thread, in KiB: its stack, and its description.
const THREAD: u64 = 32;

/// Most mappings of a process, as systems are set up.
const MOST_MAPPINGS: u64 = 65_530;

/// Most descriptors of all processes of a bot together.
const MOST_DESCRIPTORS: u64 = 8192;

/// What the kernel keeps at most behind a socket, as systems are set up: what it takes before its
/// reader reads.
const SOCKET: u64 = 256 * KIB;

/// What the kernel keeps at most behind a socket here: it may be set up to take more of what is
/// written, and counts up to twice that.
fn socket() -> u64 {
    static AT_MOST: LazyLock<u64> = LazyLock::new(|| {
        let text = fs::read_to_string("/proc/sys/net/core/wmem_default").unwrap_or_default();
        socket_at_most(&text)
    });
    *AT_MOST
}

/// The same where this is the text of `net.core.wmem_default`.
fn socket_at_most(default: &str) -> u64 {
    let default: u64 = default.trim().parse().unwrap_or(0);
    SOCKET.max(default.saturating_mul(2))
}

/// A bot's memory under watch.
#[derive(Default)]
pub(super) struct Memory {
    growth: SystemGrowth,
    /// How far into shared memory, by its number, any look has seen a mapping reach: of what was filled
    /// through one mapping after the other, only a small part may be mapped now.
    reached: HashMap<u64, u64>,
    watches: Watches,
}

impl Memory {
    /// How many open descriptors `processes` have. Also how many they watch, where there is `time`
    /// to count that: it is dear.
    pub(super) fn descriptors(
        &mut self,
        processes: &[Pid],
        time: Option<LookDeadline>,
    ) -> DescriptorCount {
        let kernel = self.growth.take_kernel();
        match time {
            _ if have_too_many_descriptors(processes) => DescriptorCount::TooMany,
            Some(time) => self.watches.count(processes, kernel, time),
            None => DescriptorCount::Few,
        }
    }

    /// Whether `processes` have more than `limit` bytes of memory, files not counted. What is
    /// not looked at in time counts as the most that it can be.
    /// `newest` was the newest number of a process in the system when they were counted.
    pub(super) fn is_beyond(
        &mut self,
        processes: &[Pid],
        newest: Option<u32>,
        limit: u64,
        time: LookDeadline,
    ) -> bool {
        let looked_at: Vec<ProcessMemory> = processes
            .iter()
            .take_while(|_| !time.is_over())
            .map(|&one| ProcessMemory::look(one))
            .collect();
        if looked_at.len() < processes.len() {
            return true;
        }
        // Only of what is so large can the superuser alone tell how much there is of it.
        let is_known =
            looked_at.iter().all(|one| one.size <= limit) || rustix::process::geteuid().is_root();
        let since = if is_known {
            self.growth.of_all()
        } else {
            self.growth.without_others(processes, newest)
        };
        // No upper bound sees what lies behind one descriptor, or in memory that no process has
        // mapped just now; the system's own counts do, though not whose it is.
        let may_hide = since.kernel > limit / 8 || since.shared > limit / 8;
        let sum =
            |of: fn(&ProcessMemory) -> u64| looked_at.iter().map(of).fold(0, u64::saturating_add);
        (may_hide
            || sum(ProcessMemory::at_most) > limit && sum(ProcessMemory::with_descriptors) > limit)
            && time.guarded(|| self.exact(&looked_at, since, limit, time)) > limit
    }

    /// What there is, each page shared out among the address spaces that have it, and each descriptor
    /// counted once, at its worst. Counts no further than to the limit. Processes that are not counted
    /// in time have their upper bound, and all memory without a name that was shared since; those
    /// that may not be looked at have all that the system has taken since.
    fn exact(
        &mut self,
        processes: &[ProcessMemory],
        since: SystemMemory,
        limit: u64,
        time: LookDeadline,
    ) -> u64 {
        let mut kept = KernelMemory::of(processes.len());
        let mut spaces = AddressSpaces::default();
        // Shared memory apart: of that without a name, what is mapped is a part of what there is.
        let (mut sum, mut mapped) = (0_u64, 0_u64);
        let (mut is_whole, mut is_open) = (true, true);
        for look in processes {
            let is_late = time.is_over();
            // A process that has its memory with another one adds its threads and its descriptors.
            let is_new = !is_late && spaces.add(look.pid);
            let mappings = if is_late {
                None
            } else if is_new {
                kept.add_mappings(look, time)
            } else {
                Some(0)
            };
            let (share, shared) = if let Some(mappings) = mappings {
                let (share, shared) = if !is_new {
                    (look.threads, 0)
                } else if processes.len() == 1 {
                    (look.in_use - look.shared, look.shared)
                } else {
                    share_of_memory(look)
                };
                // A list too long to be read counts as half of all numbers.
                let more = mappings.saturating_add(kept.add_descriptors(look, time));
                (share.saturating_add(more), shared)
            } else {
                is_whole = false;
                is_open &= is_late;
                (look.with_descriptors() - look.shared, look.shared)
            };
            sum = sum.saturating_add(share);
            mapped = mapped.saturating_add(shared);
            if sum.saturating_add(mapped) > limit {
                break;
            }
        }
        is_whole &= !time.is_over();
        let KernelMemory { known, others, mut reached, .. } = kept;
        for (&number, &before) in &self.reached {
            match reached.get_mut(&number) {
                Some(reached) => *reached = before.max(*reached),
                None if is_whole => {}
                None => drop(reached.insert(number, before)),
            }
        }
        // The kernel does not say how much of it is really there; but no more than has come up since.
        let shared =
            if is_whole { reached.values().sum::<u64>().min(since.shared) } else { since.shared };
        self.reached = reached;
        let hidden = if is_open { 0 } else { since.kernel };
        let shared = known.values().copied().fold(shared, u64::saturating_add);
        // Which of it is mapped is not known, but for the length of other mappings.
        let others = others.min(mapped);
        let shared = shared.max(mapped - others).saturating_add(others);
        sum.saturating_add(shared).saturating_add(hidden)
    }
}

/// What a process says of itself.
struct ProcessMemory {
    process: Pid,
    /// One of its threads that has its memory.
    pid: Pid,
    /// Memory in use that no file backs, also where it lies on the disk, in bytes.
    in_use: u64,
    /// What of that it may share, and no page is on the disk.
    shared: u64,
    /// What of that is counted for it alone: page tables, and huge pages that were set aside.
    whole: u64,
    /// What of that the kernel has for its threads.
    threads: u64,
    /// How much it has mapped, there or not.
    size: u64,
    /// Most mappings that it can have.
    mappings: u64,
    /// Most descriptors that it has open.
    descriptors: u64,
}

impl ProcessMemory {
    fn look(process: Pid) -> ProcessMemory {
        let mut pid = process;
        let mut status = system::text_of(pid, "status");
        if system::line_of(&status, "RssAnon:").is_none() {
            pid = system::living_thread(pid);
            status = system::text_of(pid, "status");
        }
        ProcessMemory::of(process, pid, &status)
    }

    fn of(process: Pid, pid: Pid, status: &str) -> ProcessMemory {
        let bytes = |name| bytes_of(status, name);
        let threads = number_of(status, "Threads:") * THREAD * KIB;
        let whole = bytes("VmPTE:") + bytes("HugetlbPages:");
        let (shared, size) = (bytes("RssShmem:"), bytes("VmSize:"));
        let resident = bytes("RssAnon:") + shared + bytes("VmSwap:");
        ProcessMemory {
            process,
            pid,
            in_use: resident + whole + threads,
            shared,
            whole,
            threads,
            size,
            mappings: (size / (4 * KIB)).min(MOST_MAPPINGS),
            descriptors: number_of(status, "FDSize:"),
        }
    }

    fn at_most(&self) -> u64 {
        self.in_use + self.mappings * MAPPING + self.descriptors * socket()
    }

    /// With the descriptors that are really open, each at its worst.
    fn with_descriptors(&self) -> u64 {
        let open = open_descriptors(self.pid).unwrap_or(self.descriptors);
        self.in_use + self.mappings * MAPPING + open * socket()
    }
}

/// Whether `processes` together have more than [`MOST_DESCRIPTORS`]. A few processes cannot have
/// more than each of them may.
fn have_too_many_descriptors(processes: &[Pid]) -> bool {
    let open = |one| open_descriptors(one).or_else(|| open_descriptors(system::living_thread(one)));
    processes.len() as u64 * system::DESCRIPTORS > MOST_DESCRIPTORS
        && processes.iter().filter_map(|&one| open(one)).sum::<u64>() > MOST_DESCRIPTORS
}

/// How many descriptors a process has open, where the system tells: from Linux 6.2 on, as the size
/// of the folder.
fn open_descriptors(process: Pid) -> Option<u64> {
    let folder = fs::metadata(format!("/proc/{}/fd", process.as_raw_nonzero())).ok()?;
    Some(std::os::unix::fs::MetadataExt::size(&folder)).filter(|&open| open > 0)
}

/// Memory in use with each page divided by the number of address spaces that share it: what is private,
/// and what is shared.
fn share_of_memory(look: &ProcessMemory) -> (u64, u64) {
    let shares = system::text_of(look.pid, "smaps_rollup");
    if shares.is_empty() {
        // One that has ended since holds nothing.
        let is_there = system::has_memory(system::living_thread(look.process));
        return if is_there { (look.in_use - look.shared, look.shared) } else { (0, 0) };
    }
    let bytes = |name| bytes_of(&shares, name);
    let private = bytes("Pss_Anon:") + bytes("SwapPss:") + look.whole + look.threads;
    (private, bytes("Pss_Shmem:"))
}

/// The value of a line such as `RssAnon:     1234 kB`, in bytes; 0 without such a line.
pub(crate) fn bytes_of(text: &str, name: &str) -> u64 {
    KIB * number_of(text, name)
}

/// The same as it stands there, without its unit.
fn number_of(text: &str, name: &str) -> u64 {
    let value = system::line_of(text, name).unwrap_or_default();
    value.trim_end_matches(" kB").parse().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read() {
        let text = "VmPTE:\t  12 kB\nFDSize:\t64\n";
        assert_eq!((bytes_of(text, "VmPTE:"), bytes_of(text, "FDSize:")), (12 * KIB, 64 * KIB));
        assert_eq!(bytes_of(text, "RssAnon:"), 0);
    }

    #[test]
    fn huge_pages_that_were_set_aside_count() {
        let own = rustix::process::getpid();
        let of = |status| ProcessMemory::of(own, own, status).in_use;
        let without = of("RssAnon:\t 12 kB\nThreads:\t1\nHugetlbPages:\t 0 kB\n");
        assert_eq!(without, (12 + THREAD) * KIB);
        let with = of("RssAnon:\t 12 kB\nThreads:\t1\nHugetlbPages:\t 2048 kB\n");
        assert_eq!(with, without + 2048 * KIB);
    }

    #[test]
    fn a_socket_takes_what_the_system_is_set_up_for() {
        for (default, expected) in
            [("", SOCKET), ("4096\n", SOCKET), ("212992\n", 425_984), ("16777216\n", 32 << 20)]
        {
            assert_eq!(socket_at_most(default), expected);
        }
    }

    #[test]
    fn each_way_to_count_is_an_upper_bound_of_the_next() {
        let own = rustix::process::getpid();
        // One look, for other tests take memory meanwhile.
        let looks = [ProcessMemory::look(own)];
        let look = &looks[0];
        assert!(look.in_use > 0 && look.descriptors > 0);
        assert!(look.at_most() >= look.with_descriptors());
        let nothing = SystemMemory { kernel: 0, shared: 0 };
        let exact = Memory::default().exact(&looks, nothing, u64::MAX, LookDeadline::begin(1));
        assert!(look.with_descriptors() >= exact, "{exact}");
        assert!(exact >= look.in_use);
    }

    #[test]
    fn what_is_not_counted_in_time_counts_as_its_worst() {
        let own = rustix::process::getpid();
        let looks = [ProcessMemory::look(own), ProcessMemory::look(own)];
        let since = SystemMemory { kernel: 5 * KIB, shared: 7 * KIB };
        let exact = |time| Memory::default().exact(&looks, since, u64::MAX, time);
        let worst = exact(LookDeadline::over());
        assert!(worst >= looks[0].in_use + looks[1].in_use + 7 * KIB, "{worst}");
        let counted = exact(LookDeadline::begin(1));
        assert!(counted < worst, "{counted} {worst}");
        assert!(Memory::default().is_beyond(&[own], None, u64::MAX, LookDeadline::over()));
        assert!(!Memory::default().is_beyond(&[own], None, u64::MAX, LookDeadline::begin(1)));
    }
}
