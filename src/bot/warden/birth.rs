//! The limit of a bot's processes that holds where they are born: the kernel refuses the next one.
//! Looks at what a bot has come too late for one that does nothing but start processes.
//!
//! What a kernel, or this user, lacks is found here, and the next best is used instead.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use rustix::process::{Resource, Rlimit, setrlimit};

use super::before_exec;
use super::user_map::UserMap;

/// Set by tests to do without: `namespace` makes no control group, `none` nothing at all.
pub(in crate::bot) const WITHOUT: &str = "MANCALA_PROCESS_LIMIT";

/// The processes beyond the limit that a bot can still start. A look that sees one of them ends the
/// bot, and names the limit.
const BEYOND: u32 = 8;

/// Where control groups of the first version are.
const GROUPS: &str = "/sys/fs/cgroup/pids";

/// What holds a bot to the number of its processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ProcessLimit {
    /// A control group for each warden.
    Group,
    /// The limit of its user in a name space of its own, in which it is the only one.
    Namespace,
    /// Nothing in the kernel: a bot that starts many is stopped and counted.
    Looks,
}

impl ProcessLimit {
    /// What holds the bots that are started here.
    pub(crate) fn of_bots(limit: Option<u32>, in_sandbox: bool) -> ProcessLimit {
        Births::prepare(limit, in_sandbox).kind()
    }
}

/// The limit on births as a warden has it ready for its bots.
#[derive(Debug)]
pub(super) enum Births {
    Group(BotGroup),
    Namespace(NewUser),
    Looks,
}

impl Births {
    /// The best that there is here for at most `limit` processes and threads.
    pub(super) fn prepare(limit: Option<u32>, in_sandbox: bool) -> Births {
        let Some(limit) = limit else { return Births::Looks };
        let without = std::env::var(WITHOUT).unwrap_or_default();
        let most = limit.saturating_add(BEYOND);
        let group = if without.is_empty() { BotGroup::make(most).ok() } else { None };
        match group {
            Some(group) => Births::Group(group),
            // A setuid program, which a bot outside the sandbox may be, does not work there.
            None if in_sandbox && without != "none" => {
                let births = NewUser::new(most).map(Births::Namespace);
                births.filter(before_exec::can_be_limited).unwrap_or(Births::Looks)
            }
            None => Births::Looks,
        }
    }

    /// Has this process, which is to become a bot, and all that it starts be limited. Only system
    /// calls on prepared values: it runs before `exec`.
    pub(super) fn take_on(&self) -> io::Result<()> {
        match self {
            Births::Group(group) => rustix::io::write(&group.tasks, b"0").map(|_| ())?,
            Births::Namespace(user) => user.take_on()?,
            Births::Looks => {}
        }
        Ok(())
    }

    /// How many processes the kernel has refused to the warden's bots, where it counts them.
    pub(super) fn refused(&self) -> u64 {
        let Births::Group(group) = self else { return 0 };
        let events = fs::read_to_string(group.folder.join("pids.events")).unwrap_or_default();
        events.trim().strip_prefix("max ").and_then(|count| count.parse().ok()).unwrap_or(0)
    }

    pub(super) const fn kind(&self) -> ProcessLimit {
        match self {
            Births::Group(_) => ProcessLimit::Group,
            Births::Namespace(_) => ProcessLimit::Namespace,
            Births::Looks => ProcessLimit::Looks,
        }
    }
}

/// A control group of the controller `pids`. The second version has none here: to enter one takes
/// the kernel 14 ms, while a thread enters one of the first version in 0.01 ms.
#[derive(Debug)]
pub(super) struct BotGroup {
    folder: PathBuf,
    /// A thread that writes `0` here enters the group; its children are born there.
    tasks: File,
}

impl BotGroup {
    fn make(most: u32) -> io::Result<BotGroup> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let own = fs::read_to_string("/proc/self/cgroup")?;
        let own = own_group(&own).ok_or(io::ErrorKind::NotFound)?;
        let parent = Path::new(GROUPS).join(own);
        remove_left(&parent);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = parent.join(format!("{NAME}{}-{count}", std::process::id()));
        fs::create_dir(&folder)?;
        let open = |name: &str| OpenOptions::new().write(true).open(folder.join(name));
        let tasks = open("pids.max").and_then(|mut file| {
            write!(file, "{most}")?;
            open("tasks")
        });
        match tasks {
            Ok(tasks) => Ok(BotGroup { folder, tasks }),
            Err(error) => {
                let _ = fs::remove_dir(&folder);
                Err(error)
            }
        }
    }
}

impl Drop for BotGroup {
    fn drop(&mut self) {
        let _ = fs::remove_dir(&self.folder);
    }
}

/// How the names of groups begin; the number of the warden's process follows.
const NAME: &str = "mancala-bots-";

/// Removes the groups of wardens that were killed. One that has processes stays.
fn remove_left(parent: &Path) {
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let warden = name.to_str().and_then(|name| name.strip_prefix(NAME)?.split('-').next());
        if warden.is_some_and(|warden| !Path::new("/proc").join(warden).exists()) {
            let _ = fs::remove_dir(entry.path());
        }
    }
}

/// The path of a process's own group of processes, as `/proc/self/cgroup` names it, below the root.
fn own_group(groups: &str) -> Option<&str> {
    groups.lines().find_map(|line| {
        let (kinds, path) = line.split_once(':')?.1.split_once(':')?;
        kinds.split(',').any(|kind| kind == "pids").then(|| path.trim_start_matches('/'))
    })
}

/// A name space in which the user is the same, and counts from the beginning.
#[derive(Debug)]
pub(super) struct NewUser {
    map: UserMap,
    most: u64,
}

impl NewUser {
    /// `None` where such a limit does not hold: for the superuser, or on Linux before 5.14, which
    /// counts processes of a user in all name spaces together.
    fn new(most: u32) -> Option<NewUser> {
        if rustix::process::geteuid().is_root() || !kernel_is_at_least(5, 14) {
            return None;
        }
        Some(NewUser { map: UserMap::same().ok()?, most: most.into() })
    }

    /// Has the process that was just cloned into the new name space be the user it was, and limits
    /// its processes.
    fn take_on(&self) -> io::Result<()> {
        self.map.take_on()?;
        let most = Some(self.most);
        Ok(setrlimit(Resource::Nproc, Rlimit { current: most, maximum: most })?)
    }
}

fn kernel_is_at_least(major: u32, minor: u32) -> bool {
    let release = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    let mut numbers = release.split(|c: char| !c.is_ascii_digit()).map(str::parse::<u32>);
    let version = (numbers.next().and_then(Result::ok), numbers.next().and_then(Result::ok));
    version >= (Some(major), Some(minor))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_s_own_group_is_found_among_all() {
        let groups = "9:name=systemd:/\n8:cpu,pids:/a:b/c\n0::/user.slice\n";
        assert_eq!(own_group(groups), Some("a:b/c"));
        assert_eq!(own_group("0::/user.slice\n"), None);
        assert_eq!(own_group("8:pids:/\n"), Some(""));
    }

    #[test]
    fn kernels_are_compared_by_their_numbers() {
        assert!(kernel_is_at_least(2, 100));
        assert!(!kernel_is_at_least(1000, 0));
    }

    #[test]
    fn without_a_limit_nothing_is_made() {
        assert_eq!(Births::prepare(None, true).kind(), ProcessLimit::Looks);
    }
}
