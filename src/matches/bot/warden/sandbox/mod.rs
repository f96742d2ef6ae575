//! The sandbox: what a bot may reach, held by the kernel without any privileges of ours.
//!
//! All of it is prepared here; the bot's own process takes it on before it becomes the bot, which
//! keeps it with all that it starts: Landlock for files, signals and other processes, a seccomp
//! filter for what Landlock does not know (the network, metadata of files, limits of other
//! processes), no capabilities, and no way to new privileges. Where Landlock is too old to hold
//! signals, the bot is in a namespace of processes, where no other process has a number.

pub(super) mod file_changes;
pub(super) mod filter;
pub(in crate::bot) mod folder;
pub(super) mod handed_calls;
pub(in crate::bot) mod landlock_version;

use std::ffi::OsString;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::MetadataExt as _;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, BitFlags, PathBeneath, PathFd, RulesetCreated, RulesetCreatedAttr,
    RulesetError, path_beneath_rules,
};
use rustix::io::Errno;
use rustix::process::Pid;

use super::process_limiter::ProcessLimiter;
use super::wire::{BotStart, STREAMS};
use crate::bot::start::folders::system_folders;
use crate::bot::system::is_out_of_processes;
use crate::bot::warden::start::before_exec::{self, Confinement, FirstProcess, Namespaces};
use crate::bot::warden::start::wrapped::WrappedBot;
use crate::record::Sandbox;
use folder::Home;
use handed_calls::{HandedCallsFilter, Listener};
use landlock_version::ruleset;

/// What programs and libraries of the system look up when they start, separated by blanks. Control
/// groups are not among it: they tell what the opponent uses, and who looks there asks first for its
/// own group, which it is not told. Settings of the kernel are named one by one: some make it work on
/// all cores when the superuser reads them.
const READABLE: &str = "\
    /etc/alternatives /etc/fonts /etc/gai.conf /etc/group /etc/host.conf /etc/java-11-openjdk \
    /etc/java-17-openjdk /etc/java-21-openjdk /etc/java-25-openjdk /etc/ld.so.cache \
    /etc/ld.so.conf /etc/ld.so.conf.d /etc/ld.so.preload /etc/locale.alias /etc/localtime \
    /etc/nsswitch.conf /etc/passwd /etc/ssl/openssl.cnf /etc/timezone /proc/cpuinfo \
    /proc/filesystems /proc/loadavg /proc/meminfo /proc/stat /proc/sys/kernel/cap_last_cap \
    /proc/sys/kernel/hostname /proc/sys/kernel/ngroups_max /proc/sys/kernel/osrelease \
    /proc/sys/kernel/ostype /proc/sys/kernel/overflowgid /proc/sys/kernel/overflowuid \
    /proc/sys/kernel/pid_max /proc/sys/kernel/random /proc/sys/kernel/randomize_va_space \
    /proc/sys/kernel/threads-max /proc/sys/kernel/version /proc/sys/vm/max_map_count \
    /proc/sys/vm/mmap_min_addr /proc/sys/vm/overcommit_memory /proc/sys/vm/overcommit_ratio \
    /proc/version /sys/devices/system /sys/kernel/mm";

/// Devices without a memory.
const DEVICES: [&str; 5] = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];

/// What bots are held to, as far as it is ready.
pub(super) struct Sandboxing {
    allowed: Sandbox,
    landlock: ABI,
    /// Where Landlock and the filter do not hold all.
    spaces: Option<Namespaces>,
    filter: seccompiler::BpfProgram,
    /// The words of `--wrap`, which run before a bot is confined.
    wrap: usize,
    handed_calls: HandedCallsFilter,
    /// Where listeners arrive of bots that are not wrapped.
    listeners: UnixStream,
    of_all: Vec<(PathFd, BitFlags<AccessFs>)>,
    /// The rules of the last bot, used again if the next one has the same paths.
    last: Option<(ReachablePaths, OwnedFd)>,
    /// Where the bots' private folders are.
    pub(super) home: Home,
}

/// The process of a bot, and what keeps it in the sandbox where it is there.
pub(super) struct StartedBot {
    /// Our child, which we alone reap, so that the number is its own.
    pub(super) pid: Pid,
    /// In the sandbox: the only folder in which it may write.
    pub(super) folder: Option<PathBuf>,
    /// Where a build may write, that folder among it.
    pub(super) places: Vec<PathBuf>,
    /// What keeps its namespaces, where it has some.
    pub(super) first: Option<FirstProcess>,
    /// Where it asks for cores.
    pub(super) calls: Option<Listener>,
}

/// The paths that a bot may reach besides those of all bots, and which files they stood for.
#[derive(PartialEq, Eq)]
struct ReachablePaths {
    read: Vec<(PathBuf, Option<(u64, u64)>)>,
    write: Vec<(PathBuf, Option<(u64, u64)>)>,
}

impl ReachablePaths {
    fn new(allowed: &Sandbox, reach: &[OsString], folder: &Path) -> ReachablePaths {
        let read = reach.iter().map(Path::new).chain(allowed.read.iter().map(PathBuf::as_path));
        let write = allowed.write.iter().map(PathBuf::as_path).chain([folder]);
        let numbered = |path: &Path| {
            let numbers = std::fs::metadata(path).map(|file| (file.dev(), file.ino()));
            (path.to_owned(), numbers.ok())
        };
        ReachablePaths { read: read.map(numbered).collect(), write: write.map(numbered).collect() }
    }
}

impl Sandboxing {
    /// Prepares what is the same for all bots, which may reach what `allowed` names.
    ///
    /// # Errors
    ///
    /// When this kernel cannot hold the sandbox, or there is no place for private folders; the text
    /// says why and what to do. The system's own error where it has too few processes now.
    pub(super) fn prepare(allowed: Sandbox, wrap: usize) -> io::Result<Sandboxing> {
        let landlock = landlock_version::here().map_err(io::Error::other)?;
        let filter = filter::program(landlock, &allowed).map_err(|error| {
            io::Error::other(format!(
                "this kernel cannot hold the sandbox: {error} on this kind of processor"
            ))
        })?;
        let is_needed = !landlock_version::holds_signals(landlock) || allowed.loopback;
        let spaces = is_needed.then(|| Namespaces::prepare(allowed.loopback)).transpose();
        let spaces = spaces.map_err(|why| {
            if is_out_of_processes(&why) {
                return why;
            }
            let loopback = allowed.loopback;
            io::Error::other(landlock_version::without_name_spaces(landlock, loopback, &why))
        })?;
        let home = Home::make().map_err(|error| {
            io::Error::other(format!(
                "the bots in the sandbox have no place for their temporary files: {error}"
            ))
        })?;
        let of_all = open_what_is_of_all(landlock, allowed.loopback);
        let (listeners, theirs) = UnixStream::pair()?;
        listeners.set_nonblocking(true)?;
        let handed_calls = HandedCallsFilter::new(theirs, allowed.builds);
        Ok(Sandboxing {
            allowed,
            landlock,
            spaces,
            filter,
            wrap,
            handed_calls,
            listeners,
            of_all,
            last: None,
            home,
        })
    }

    /// Starts a bot. Besides what is allowed to all, it may read and run its `reach`, and write to a
    /// folder of its own, which is returned.
    pub(super) fn start(
        &mut self,
        start: &BotStart,
        streams: &[OwnedFd; STREAMS],
        limiter: &mut ProcessLimiter,
    ) -> io::Result<StartedBot> {
        let first = self.spaces.as_ref().map(Namespaces::make).transpose()?;
        let folder = self.home.folder()?;
        let reach = ReachablePaths::new(&self.allowed, &start.reach, &folder);
        let last = match self.last.take() {
            Some(last) if last.0 == reach => last,
            _ => {
                let rules = self.make_rules(&reach).map_err(io::Error::other)?;
                (reach, Option::<OwnedFd>::from(rules).ok_or(Errno::NOSYS)?)
            }
        };
        let (reach, rules) = &*self.last.insert(last);
        let own = OWN_FOLDER.map(|name| (name.into(), folder.as_os_str().to_owned()));
        let write = reach.write.iter().filter(|_| self.allowed.builds);
        let places: Vec<PathBuf> = write.filter_map(|(path, _)| path.canonicalize().ok()).collect();
        let wrapped = (self.wrap > 0)
            .then(|| WrappedBot::prepare(start, self.wrap, rules, self.landlock, &self.allowed))
            .transpose()?;
        let (handed_calls, filter) = (&self.handed_calls, &self.filter);
        let (start, confinement) = match &wrapped {
            Some(wrapped) => (&wrapped.start, Confinement::Later(&wrapped.kept)),
            None => (start, Confinement::Now { rules, handed_calls, filter }),
        };
        let first_process = first.as_ref();
        let confinement = Some(confinement);
        let started = before_exec::start(start, streams, own, confinement, first_process, limiter);
        let calls = match wrapped {
            Some(wrapped) => Listener::coming(wrapped.ours, places.clone()).ok(),
            // Also that of one that did not start.
            None => Listener::last_of(&self.listeners, places.clone()),
        };
        Ok(StartedBot { pid: started?, folder: Some(folder), places, first, calls })
    }

    fn make_rules(&self, reach: &ReachablePaths) -> Result<RulesetCreated, RulesetError> {
        let of_all = self.of_all.iter().map(|(path, access)| -> Result<_, RulesetError> {
            Ok(PathBeneath::new(path, *access))
        });
        let read = reach.read.iter().map(|(path, _)| path);
        let write = reach.write.iter().map(|(path, _)| path);
        ruleset(self.landlock, self.allowed.loopback)?
            .add_rules(of_all)?
            .add_rules(path_beneath_rules(read, AccessFs::from_read(self.landlock)))?
            .add_rules(path_beneath_rules(write, AccessFs::from_all(self.landlock)))
    }
}

/// The variables that name the folder in which a bot may write.
const OWN_FOLDER: [&str; 4] = ["HOME", "TMPDIR", "TMP", "TEMP"];

/// What all bots may read or use, of what there is on this system.
fn open_what_is_of_all(landlock: ABI, have_loopback: bool) -> Vec<(PathFd, BitFlags<AccessFs>)> {
    let files = AccessFs::from_file(landlock);
    let device: BitFlags<AccessFs> = AccessFs::ReadFile | AccessFs::WriteFile;
    let hosts = have_loopback.then(|| PathBuf::from("/etc/hosts"));
    let readable = READABLE.split_whitespace().map(PathBuf::from);
    let readable = readable.chain(hosts).chain(system_folders());
    let readable = readable.filter_map(|path| {
        let reading = AccessFs::from_read(landlock);
        let access = if path.is_dir() { reading } else { reading & files };
        Some((PathFd::new(path).ok()?, access))
    });
    let devices = DEVICES.iter().filter_map(|path| Some((PathFd::new(path).ok()?, device)));
    readable.chain(devices).collect()
}
