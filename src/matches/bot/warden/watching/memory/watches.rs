//! How many descriptors a bot's processes watch with epoll.
//!
//! The kernel goes through what a watched epoll descriptor watches itself, in one call in which nothing
//! else may get its core: with half a million of them for 80 ms. The referee would be late, and what the
//! bot loses would not count.

use std::ffi::OsStr;
use std::mem::MaybeUninit;
use std::os::unix::ffi::OsStrExt as _;

use rustix::fs::{Dir, Mode, OFlags, open, readlinkat_raw};
use rustix::process::Pid;

use super::kernel_memory::list_of;
use super::{KIB, LookDeadline};
use crate::bot::system;

/// Most that all processes of a bot may watch together; no program needs more than a few hundred.
const MOST_WATCHED: usize = 16 * 1024;

/// By how much the kernel's own memory grows where a bot begins to watch four times as many, 192 bytes
/// each. Thousands of other descriptors take less.
const GROWTH: u64 = 12 * 1024 * KIB;

/// They are counted at each look of this number: others may have given back what a bot takes.
const COUNT_EVERY: u32 = 25;

/// The longest list that is read: of more than [`MOST_WATCHED`].
const LONGEST_LIST: u64 = 2048 * KIB;

/// What the name of a descriptor that watches others begins with.
const LINK: [u8; 21] = *b"anon_inode:[eventpoll";

/// Names between two looks at the clock.
const LINKS_A_CHECK: usize = 64;

/// How many descriptors a bot has open or watches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::bot::warden::watching) enum DescriptorCount {
    Few,
    /// More than any bot needs.
    TooMany,
    /// They could not be counted in time.
    Unknown,
}

/// The watches of a bot.
#[derive(Default)]
pub(super) struct Watches {
    /// The kernel's own memory when they were last counted, or the least since.
    kernel: u64,
    looks: u32,
}

impl Watches {
    /// How many descriptors `processes` watch, now that the kernel's own memory is this large. They
    /// are counted where that has grown since, and now and then.
    pub(super) fn count(
        &mut self,
        processes: &[Pid],
        kernel: u64,
        time: LookDeadline,
    ) -> DescriptorCount {
        self.kernel = self.kernel.min(kernel);
        self.looks += 1;
        if kernel < self.kernel + GROWTH && !self.looks.is_multiple_of(COUNT_EVERY) {
            return DescriptorCount::Few;
        }
        self.kernel = kernel;
        let mut sum = 0;
        for &process in processes {
            // The descriptors of one whose first thread has ended are those of the others.
            let process = system::living_thread(process);
            sum += watched_by(process, time);
            if sum > MOST_WATCHED {
                return DescriptorCount::TooMany;
            }
            if time.is_over() {
                return DescriptorCount::Unknown;
            }
        }
        DescriptorCount::Few
    }
}

/// How many descriptors those of a process watch. One that may not be looked at counts by its memory.
/// There may be thousands of others: next to nothing is done for each.
fn watched_by(process: Pid, time: LookDeadline) -> usize {
    let folder = format!("/proc/{}/fd", process.as_raw_nonzero());
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let Ok(folder) = open(folder, flags, Mode::empty()) else { return 0 };
    let Ok(entries) = Dir::read_from(&folder) else { return 0 };
    let mut link = [MaybeUninit::<u8>::uninit(); LINK.len()];
    let mut sum = 0;
    for (number, entry) in entries.filter_map(Result::ok).enumerate() {
        let read = readlinkat_raw(&folder, entry.file_name(), &mut link);
        if read.is_ok_and(|(link, _)| *link == LINK) {
            let descriptor = OsStr::from_bytes(entry.file_name().to_bytes());
            let list = list_of(process, descriptor, LONGEST_LIST);
            sum += list.split(|&byte| byte == b'\n').filter(|it| it.starts_with(b"tfd:")).count();
        }
        if sum > MOST_WATCHED || number % LINKS_A_CHECK == 0 && time.is_over() {
            break;
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use rustix::event::epoll::{self, CreateFlags, EventData, EventFlags};

    use super::*;

    #[test]
    fn watches_of_all_descriptors_are_counted_where_the_kernel_has_grown() {
        let own = [rustix::process::getpid()];
        let mut watches = Watches::default();
        let mut are_too_many = |kernel| {
            watches.count(&own, kernel, LookDeadline::begin(1)) == DescriptorCount::TooMany
        };
        assert!(!are_too_many(100 * GROWTH));
        let pipes: Vec<_> = (0..150).map(|_| rustix::pipe::pipe().unwrap()).collect();
        let _watching: Vec<_> = (0..120)
            .map(|_| {
                let one = epoll::create(CreateFlags::CLOEXEC).unwrap();
                for (reader, _) in &pipes {
                    epoll::add(&one, reader, EventData::new_u64(0), EventFlags::IN).unwrap();
                }
                one
            })
            .collect();
        assert!(!are_too_many(101 * GROWTH - 1));
        assert!(are_too_many(101 * GROWTH));
        // It was counted there; and less may come back.
        assert!(!are_too_many(101 * GROWTH) && !are_too_many(50 * GROWTH));
        assert!(are_too_many(51 * GROWTH));
        let looks = (0..COUNT_EVERY).filter(|_| are_too_many(51 * GROWTH)).count();
        assert_eq!(looks, 1);
        let few = [Pid::INIT];
        let late = watches.count(&few, 53 * GROWTH, LookDeadline::over());
        assert_eq!(late, DescriptorCount::Unknown);
    }
}
