//! What the machine has left of what a bot can take: memory, disk and files. To ask is cheap, whatever
//! the bot does.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use rustix::fs::statvfs;

use crate::bot::warden::watching::disk::MOST_FILES;
use crate::bot::warden::watching::memory::bytes_of;
use crate::record::Resources;

/// A bot has taken much if that is this part of a limit: an eighth.
const MUCH: u64 = 8;

/// What is left.
#[derive(Clone, Copy, Default)]
pub(super) struct Room {
    /// Bytes of memory.
    pub(super) memory: u64,
    /// Bytes on the file systems where the bot may write.
    pub(super) disk: u64,
    /// Files on these, where the system tells.
    pub(super) files: u64,
}

impl Room {
    /// Now, for a bot that may write to `places`.
    pub(super) fn now<'a>(places: impl Iterator<Item = &'a Path>) -> Room {
        let text = fs::read_to_string("/proc/meminfo").unwrap_or_default();
        // What lies on the disk was in memory.
        let memory = bytes_of(&text, "MemAvailable:") + bytes_of(&text, "SwapFree:");
        let (disk, files) = left_on_disks(places);
        Room { memory, disk, files }
    }

    /// The most of each at one of two moments.
    pub(super) fn most(self, other: Room) -> Room {
        Room {
            memory: self.memory.max(other.memory),
            disk: self.disk.max(other.disk),
            files: self.files.max(other.files),
        }
    }

    /// Whether a bot with `limits` may have taken much of one of them since.
    pub(super) fn has_lost_much(self, before: Room, limits: &Resources) -> bool {
        let is_much = |before: u64, now: u64, limit: Option<u64>| {
            limit.is_some_and(|limit| before.saturating_sub(now) > limit / MUCH)
        };
        let files = limits.file_size.and(Some(MOST_FILES.into()));
        is_much(before.memory, self.memory, limits.memory)
            || is_much(before.disk, self.disk, limits.file_size)
            || is_much(before.files, self.files, files)
    }
}

/// The bytes and the files that are free on the file systems of `places`.
pub(super) fn left_on_disks<'a>(places: impl Iterator<Item = &'a Path>) -> (u64, u64) {
    let systems = places.filter_map(|place| statvfs(place).ok());
    let left = systems
        .map(|system| (system.f_fsid, (system.f_bfree * system.f_frsize, system.f_ffree)))
        .collect::<HashMap<_, _>>();
    left.into_values().fold((0, 0), |sum: (u64, u64), one| {
        (sum.0.saturating_add(one.0), sum.1.saturating_add(one.1))
    })
}
