//! What the kernel keeps for processes: their mappings, and what lies behind their descriptors.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::io::{self, BufRead as _, BufReader, ErrorKind, Read as _};
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _};
use std::path::Path;

use rustix::process::Pid;

use super::{KIB, LookDeadline, ProcessMemory, socket};
use crate::bot::system;
use crate::bot::warden::watching::mapping::Mapping;

/// What it keeps at most for a mapping: its description, a name, and its share of the trees of them;
/// and a link to it for each process that may have been forked from the same one.
const MAPPING: u64 = 448;
const LINK: u64 = 64;

/// What it keeps at most behind a pipe; and behind a folder or a file of its own, whose contents it
/// holds ready for the reader.
const PIPE: u64 = 64 * KIB;

/// What it keeps for any other descriptor, and for each that one watches, or lock that it has.
const DESCRIPTOR: u64 = KIB;
const WATCHED: u64 = 256;

/// The longest list of watched descriptors and locks that is read: some sixteen thousand, where no
/// program has more than a few hundred.
const LONGEST_LIST: u64 = 1024 * KIB;

/// The path of shared memory without a name. No bot can make a file of this path.
const SHARED: &str = "/dev/zero (deleted)";

/// Mappings between two looks at the clock.
const LINES_A_CHECK: u64 = 1000;

/// What the kernel keeps for several processes.
#[derive(Default)]
pub(super) struct KernelMemory {
    /// How much there is of shared memory, by its number, as the kernel tells the superuser.
    pub(super) known: HashMap<u64, u64>,
    /// How far into it any look has seen a mapping reach.
    pub(super) reached: HashMap<u64, u64>,
    /// The length of all other mappings that processes may share.
    pub(super) others: u64,
    /// What lies behind descriptors, by what they are links to.
    descriptors: HashSet<String>,
    mapping: u64,
}

impl KernelMemory {
    /// What the kernel keeps for `processes` processes at least.
    pub(super) fn of(processes: usize) -> KernelMemory {
        KernelMemory { mapping: MAPPING + LINK * processes as u64, ..KernelMemory::default() }
    }

    /// Notes memory without a file that processes may share.
    fn add_shared(&mut self, mapping: &Mapping<'_>, process: Pid) {
        if self.known.contains_key(&mapping.number) {
            return;
        }
        if let Ok(file) = mapping.file(process) {
            self.known.insert(mapping.number, 512 * file.blocks());
        } else {
            let reached = self.reached.entry(mapping.number).or_default();
            *reached = mapping.reaches().max(*reached);
        }
    }

    /// What is kept for a process's mappings. Notes what it shares. `None` where they cannot be
    /// looked at, or not to their end.
    pub(super) fn add_mappings(
        &mut self,
        process: &ProcessMemory,
        time: LookDeadline,
    ) -> Option<u64> {
        let path = format!("/proc/{}/maps", process.pid.as_raw_nonzero());
        let file = match File::open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => return None,
            Err(_) => return Some(0),
        };
        let mut count = 0;
        // Line by line, for a process may have a list of some megabytes. Names of files need not be
        // text.
        for line in BufReader::new(file).split(b'\n') {
            let line = match line {
                Ok(line) => line,
                Err(error) if error.raw_os_error() == Some(libc::ESRCH) => break,
                Err(_) => return None,
            };
            count += 1;
            let flags = line.split(|&byte| byte == b' ').nth(1).unwrap_or_default();
            if let Some(mapping) = Mapping::of(&line).filter(|_| flags.ends_with(b"s")) {
                if mapping.path == Path::new(SHARED) {
                    self.add_shared(&mapping, process.pid);
                } else {
                    self.others = self.others.saturating_add(mapping.length());
                }
            }
            if count % LINES_A_CHECK == 0 && time.is_over() {
                count = process.mappings.max(count);
                break;
            }
        }
        Some(count * self.mapping)
    }

    /// What is kept behind a process's descriptors, those that another one has too left out.
    pub(super) fn add_descriptors(&mut self, process: &ProcessMemory, time: LookDeadline) -> u64 {
        let folder = format!("/proc/{}/fd", process.pid.as_raw_nonzero());
        let Ok(entries) = fs::read_dir(folder) else {
            // One that has ended since has none, and before it is reaped only the superuser may look at
            // that. Where others may not be looked at, they are all of the worst kind.
            let is_there = system::has_memory(system::living_thread(process.process));
            return if is_there { process.descriptors * socket() } else { 0 };
        };
        let mut sum: u64 = 0;
        for entry in entries.flatten() {
            if time.is_over() {
                return sum.saturating_add(process.descriptors * socket());
            }
            let link = match fs::read_link(entry.path()) {
                Ok(link) => link,
                // Of something that has a path, which is too long to be told.
                Err(error) if error.kind() == ErrorKind::InvalidFilename => "/".into(),
                Err(_) => continue,
            };
            let link = link.to_string_lossy();
            let is_of_kernel = link.starts_with("/proc/") || link.starts_with("/sys/");
            let (behind, may_be_known) = if link.starts_with("socket:") {
                (socket(), true)
            } else if link.starts_with("pipe:") {
                (PIPE, true)
            } else if is_of_kernel || link.starts_with('/') && !is_plain(&entry.path()) {
                (PIPE, false)
            } else {
                (DESCRIPTOR, false)
            };
            sum = sum.saturating_add(listed(process.pid, &entry.file_name()));
            if !may_be_known || self.descriptors.insert(link.into_owned()) {
                sum = sum.saturating_add(behind);
            }
        }
        sum
    }
}

/// Whether a descriptor is of a file or a device, and not of a pipe with a name or a folder.
fn is_plain(descriptor: &Path) -> bool {
    fs::metadata(descriptor).is_ok_and(|it| it.is_file() || it.file_type().is_char_device())
}

/// What is kept for what a descriptor watches, and for the locks that it has.
fn listed(process: Pid, descriptor: &std::ffi::OsStr) -> u64 {
    let text = list_of(process, descriptor, LONGEST_LIST);
    if text.len() as u64 == LONGEST_LIST {
        return u64::MAX / 2;
    }
    let is_one = |line: &&[u8]| line.starts_with(b"tfd:") || line.starts_with(b"lock:");
    WATCHED * text.split(|&byte| byte == b'\n').filter(is_one).count() as u64
}

/// What the kernel lists for a descriptor, up to `at_most` bytes; nothing if it may not be read.
pub(super) fn list_of(process: Pid, descriptor: &std::ffi::OsStr, at_most: u64) -> Vec<u8> {
    let path = format!("/proc/{}/fdinfo", process.as_raw_nonzero());
    let mut text = Vec::new();
    if let Ok(list) = File::open(Path::new(&path).join(descriptor)) {
        let _ = list.take(at_most).read_to_end(&mut text);
    }
    text
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;

    use super::*;
    use crate::bot::testing::{copy_sleep_to, wait_until};

    #[test]
    fn mappings_of_files_whose_names_are_not_text_count() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join(OsStr::from_bytes(b"\xff\xfe"));
        copy_sleep_to(&program);
        let mut child = std::process::Command::new(&program).arg("60").spawn().unwrap();
        let kept = || {
            let look = ProcessMemory::look(Pid::from_child(&child));
            KernelMemory::of(1).add_mappings(&look, LookDeadline::begin(1))
        };
        // A program that has just begun has few of its libraries.
        wait_until(|| kept().is_some_and(|kept| kept > 3 * MAPPING));
        child.kill().unwrap();
        child.wait().unwrap();
    }

    #[test]
    fn a_process_that_has_ended_since_has_no_descriptors() {
        let mut child = std::process::Command::new("sleep").arg("60").spawn().unwrap();
        let look = ProcessMemory::look(Pid::from_child(&child));
        assert!(look.descriptors > 0);
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(KernelMemory::of(1).add_descriptors(&look, LookDeadline::begin(1)), 0);
    }

    #[test]
    fn what_lies_behind_descriptors_counts() {
        let own = rustix::process::getpid();
        let count = || {
            let look = ProcessMemory::look(own);
            KernelMemory::of(1).add_descriptors(&look, LookDeadline::begin(1))
        };
        let before = count();
        let pairs: Vec<_> =
            (0..20).map(|_| std::os::unix::net::UnixStream::pair().unwrap()).collect();
        // Other tests open and close some meanwhile.
        assert!(count() > before + 30 * socket(), "{} {before}", count());
        drop(pairs);
    }
}
