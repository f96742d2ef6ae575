//! The sandbox: what a bot may reach, held by the kernel without any privileges of ours.
//!
//! A thread of the warden puts it on itself and then starts the bot, which inherits it with all
//! that it starts: Landlock for files, signals and other processes, a seccomp filter for what
//! Landlock does not know (the network, metadata of files, limits of other processes), no
//! capabilities, and no way to new privileges.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::mpsc::{self, Sender};

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd,
    Ruleset, RulesetAttr, RulesetCreated, RulesetCreatedAttr, RulesetError, Scope,
    path_beneath_rules,
};
use rustix::thread::{CapabilitiesSecureBits, CapabilitySet, CapabilitySets};

use super::filter;
use crate::record::Sandbox;

/// The first version that holds signals; with it comes all the rest.
const VERSION: ABI = ABI::V6;

/// Programs, libraries and what they look up when they start.
const READABLE: [&str; 40] = [
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/opt",
    "/nix/store",
    "/gnu/store",
    "/etc/alternatives",
    "/etc/fonts",
    "/etc/gai.conf",
    "/etc/group",
    "/etc/host.conf",
    "/etc/java-11-openjdk",
    "/etc/java-17-openjdk",
    "/etc/java-21-openjdk",
    "/etc/java-25-openjdk",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/ld.so.preload",
    "/etc/locale.alias",
    "/etc/localtime",
    "/etc/nsswitch.conf",
    "/etc/passwd",
    "/etc/ssl/openssl.cnf",
    "/etc/timezone",
    "/proc/cpuinfo",
    "/proc/filesystems",
    "/proc/loadavg",
    "/proc/meminfo",
    "/proc/stat",
    "/proc/sys/kernel",
    "/proc/sys/vm",
    "/proc/version",
    "/sys/devices/system",
    "/sys/fs/cgroup",
    "/sys/kernel/mm",
];

/// Devices without a memory.
const DEVICES: [&str; 5] = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];

/// What starts bots in the sandbox: a thread that has the part of it on itself which is the same
/// for all bots.
#[derive(Debug)]
pub(super) struct Spawner {
    jobs: Sender<Job>,
}

/// A bot to be started, and where to say what came of it.
#[derive(Debug)]
struct Job {
    command: Command,
    read: Vec<PathBuf>,
    write: Vec<PathBuf>,
    started: Sender<io::Result<Child>>,
}

impl Spawner {
    /// Puts on what is the same for all.
    ///
    /// # Errors
    ///
    /// When this kernel cannot hold the sandbox; the text says why and what to do.
    pub(super) fn start() -> Result<Spawner, String> {
        let why = |error: io::Error| {
            format!(
                "this kernel cannot hold the sandbox ({error}); --sandbox needs Linux 6.12 or \
                 newer with Landlock, and nothing weaker is put in its place. Leave it out, or \
                 put another sandbox in front of every bot with --wrap"
            )
        };
        let filters = filter::programs().map_err(io::Error::other).map_err(why)?;
        ruleset().map_err(io::Error::other).map_err(why)?;
        let (jobs, waiting) = mpsc::channel::<Job>();
        let (ready, is_ready) = mpsc::channel();
        // A restriction is a thread's and of what that thread starts, not of the whole process.
        std::thread::spawn(move || {
            let is_on = drop_capabilities().and_then(|()| {
                let mut applied = filters.iter().map(|filter| seccompiler::apply_filter(filter));
                applied.try_for_each(|applied| applied.map_err(io::Error::other))
            });
            let is_possible = is_on.is_ok();
            let _ = ready.send(is_on);
            let of_all = open_what_is_of_all();
            for job in waiting.into_iter().take_while(|_| is_possible) {
                let Job { command, read, write, started } = job;
                let _ = started.send(spawn(command, &of_all, &read, &write));
            }
        });
        let is_on = is_ready.recv().unwrap_or_else(|_| Err(gone()));
        is_on.map_err(why)?;
        Ok(Spawner { jobs })
    }

    /// Starts a bot that may read and run `reach` and what `allowed` names, and write to `folder`
    /// and what `allowed` names.
    pub(super) fn spawn(
        &self,
        command: Command,
        allowed: &Sandbox,
        reach: &[OsString],
        folder: &Path,
    ) -> io::Result<Child> {
        let (started, outcome) = mpsc::channel();
        let reach = reach.iter().map(PathBuf::from);
        let read = reach.chain(allowed.read.iter().cloned()).collect();
        let write = allowed.write.iter().cloned().chain([folder.to_owned()]).collect();
        self.jobs.send(Job { command, read, write, started }).map_err(|_| gone())?;
        outcome.recv().unwrap_or_else(|_| Err(gone()))
    }
}

fn gone() -> io::Error {
    io::Error::other("the thread that starts the bots has ended")
}

/// Starts a bot from a thread that takes the rules on itself first.
fn spawn(
    mut command: Command,
    of_all: &[(PathFd, BitFlags<AccessFs>)],
    read: &[PathBuf],
    write: &[PathBuf],
) -> io::Result<Child> {
    let of_all = of_all
        .iter()
        .map(|(path, access)| -> Result<_, RulesetError> { Ok(PathBeneath::new(path, *access)) });
    let rules = ruleset()
        .and_then(|rules| rules.add_rules(of_all))
        .and_then(|rules| rules.add_rules(path_beneath_rules(read, AccessFs::from_read(VERSION))))
        .and_then(|rules| rules.add_rules(path_beneath_rules(write, AccessFs::from_all(VERSION))))
        .map_err(io::Error::other)?;
    let spawner = std::thread::spawn(move || {
        rules.restrict_self().map_err(io::Error::other)?;
        command.spawn()
    });
    spawner.join().unwrap_or_else(|_| Err(gone()))
}

/// A ruleset that forbids all it knows of.
fn ruleset() -> Result<RulesetCreated, RulesetError> {
    Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_all(VERSION))?
        .handle_access(AccessNet::from_all(VERSION))?
        .scope(Scope::from_all(VERSION))?
        .create()
}

/// What all bots may read or use, of what there is on this system.
fn open_what_is_of_all() -> Vec<(PathFd, BitFlags<AccessFs>)> {
    let files = AccessFs::from_file(VERSION);
    let device: BitFlags<AccessFs> = AccessFs::ReadFile | AccessFs::WriteFile;
    let readable = READABLE.iter().filter_map(|path| {
        let reading = AccessFs::from_read(VERSION);
        let access = if Path::new(path).is_dir() { reading } else { reading & files };
        Some((PathFd::new(path).ok()?, access))
    });
    let devices = DEVICES.iter().filter_map(|path| Some((PathFd::new(path).ok()?, device)));
    readable.chain(devices).collect()
}

/// Gives up what the superuser may do beyond others, for this thread and all that it starts.
fn drop_capabilities() -> io::Result<()> {
    if rustix::process::geteuid().is_root() {
        // Or a program of the superuser would get them back.
        let bits = CapabilitiesSecureBits::NO_ROOT | CapabilitiesSecureBits::NO_ROOT_LOCKED;
        rustix::thread::set_capabilities_secure_bits(bits)?;
    }
    let none = CapabilitySet::empty();
    let sets = CapabilitySets { effective: none, permitted: none, inheritable: none };
    Ok(rustix::thread::set_capabilities(None, sets)?)
}
