//! The control groups of a warden's bots: where the kernel refuses them more processes than they may
//! have, and counts the processor time of all that there ever were.
//!
//! A thread enters a group of the first version in 0.01 ms. To enter one of the second takes the
//! kernel up to 16 ms; but a process can be born there, which takes as long as elsewhere (0.108
//! beside 0.104 ms, 200 alternating births).

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use rustix::fs::{Mode, OFlags};

/// Where control groups are: of the first version a tree for each set of controllers, of the second
/// one for all, in a folder next to those where there are both.
const GROUPS: &str = "/sys/fs/cgroup";
const SECOND: [&str; 2] = [GROUPS, "/sys/fs/cgroup/unified"];

/// Whether a bot can be born in a control group: the C library has no function for it, so that each
/// processor needs its own instructions.
pub(super) const CGROUP_AT_BIRTH: bool = cfg!(target_arch = "x86_64");

/// How the names of groups begin; the number of the warden's process follows.
const NAME: &str = "mancala-bots-";

/// What groups are to do.
#[derive(Clone, Copy)]
pub(super) struct GroupPurpose {
    /// The most processes and threads that they are to allow.
    pub(super) most: Option<u32>,
    /// Whether they are to count processor time.
    pub(super) counts_time: bool,
}

/// Which versions of groups may be used.
pub(super) struct CgroupVersions {
    pub(super) first: bool,
    pub(super) second: bool,
}

/// The groups of one warden. Dropping them removes them.
#[derive(Default)]
pub(crate) struct Groups {
    /// A thread that writes `0` here enters a group of the first version; its children are born
    /// there.
    entries: Vec<File>,
    /// The group of the second version in which bots are born.
    pub cgroup: Option<OwnedFd>,
    /// Where the kernel says how many processes it has refused, if it refuses any.
    pub refusals: Option<PathBuf>,
    /// What counts the processor time of bots, where it can be counted where they are born.
    pub clock: Option<Rc<GroupClock>>,
    folders: Vec<GroupFolder>,
}

impl Groups {
    /// Those that this user may make here, for as much of their purpose as they can do.
    pub(super) fn make(
        purpose: GroupPurpose,
        CgroupVersions { first, second }: CgroupVersions,
    ) -> Groups {
        let own = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
        let mut groups = Groups::default();
        let second = second && CGROUP_AT_BIRTH;
        if let Some(most) = purpose.most {
            let _ = first && groups.limit_by_the_first(&own, most).is_ok()
                || second && groups.use_the_second(&own, purpose).is_ok();
        }
        if purpose.counts_time && groups.clock.is_none() {
            let _ = first && groups.count_by_the_first(&own).is_ok()
                || second
                    && groups.use_the_second(&own, GroupPurpose { most: None, ..purpose }).is_ok();
        }
        groups
    }

    fn limit_by_the_first(&mut self, own: &str, most: u32) -> io::Result<()> {
        let (kinds, own) = own_group(own, "pids").ok_or(io::ErrorKind::NotFound)?;
        let folder = GroupFolder::make(&Path::new(GROUPS).join(kinds).join(own))?;
        write!(folder.open("pids.max")?, "{most}")?;
        self.entries.push(folder.open("tasks")?);
        self.refusals = Some(folder.0.join("pids.events"));
        self.folders.push(folder);
        Ok(())
    }

    fn count_by_the_first(&mut self, own: &str) -> io::Result<()> {
        // With the controller `cpu` it would also be scheduled apart, which makes matches slower.
        let alone = own_group(own, "cpuacct").filter(|(kinds, _)| *kinds == "cpuacct");
        let (kinds, own) = alone.ok_or(io::ErrorKind::NotFound)?;
        let folder = GroupFolder::make(&Path::new(GROUPS).join(kinds).join(own))?;
        self.clock = Some(Rc::new(GroupClock(File::open(folder.0.join("cpuacct.usage"))?)));
        self.entries.push(folder.open("tasks")?);
        self.folders.push(folder);
        Ok(())
    }

    /// Uses one of the second version: below our own, or next to it where only that one has the
    /// controller.
    fn use_the_second(&mut self, own: &str, purpose: GroupPurpose) -> io::Result<()> {
        let (_, own) = own_group(own, "").ok_or(io::ErrorKind::NotFound)?;
        let is_there = |root: &&&str| Path::new(root).join("cgroup.controllers").exists();
        let root = SECOND.iter().find(is_there).ok_or(io::ErrorKind::NotFound)?;
        let own = Path::new(root).join(own);
        let parents = own.ancestors().take(2).filter(|parent| parent.starts_with(root));
        let found = parents.filter_map(|parent| {
            let folder = GroupFolder::make(parent).ok()?;
            if let Some(most) = purpose.most {
                write!(folder.open("pids.max").ok()?, "{most}").ok()?;
            }
            Some(folder)
        });
        let folder = { found }.next().ok_or(io::ErrorKind::PermissionDenied)?;
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let cgroup = rustix::fs::open(&folder.0, flags, Mode::empty())?;
        if purpose.counts_time {
            self.clock = Some(Rc::new(GroupClock(File::open(folder.0.join("cpu.stat"))?)));
        }
        self.cgroup = Some(cgroup);
        self.refusals = purpose.most.map(|_| folder.0.join("pids.events")).or(self.refusals.take());
        self.folders.push(folder);
        Ok(())
    }

    /// Has this process and all that it starts be in the groups in which it was not born. Only system
    /// calls on prepared values: it runs before `exec`.
    pub(crate) fn enter(&self) -> io::Result<()> {
        self.entries.iter().try_for_each(|entry| Ok(rustix::io::write(entry, b"0").map(drop)?))
    }

    /// Whether there are none.
    pub(crate) const fn is_empty(&self) -> bool {
        self.folders.is_empty()
    }

    /// How many it has refused.
    pub(crate) fn refused(&self) -> u64 {
        let text = self.refusals.as_ref().and_then(|file| fs::read_to_string(file).ok());
        let text = text.unwrap_or_default();
        text.lines().find_map(|line| line.strip_prefix("max ")?.parse().ok()).unwrap_or(0)
    }
}

/// The processor time that all processes of a group have used, those that have ended among them.
pub(crate) struct GroupClock(File);

impl GroupClock {
    /// `None` where the kernel does not tell.
    pub(crate) fn time(&self) -> Option<Duration> {
        let mut bytes = [0; 256];
        let length = self.0.read_at(&mut bytes, 0).ok()?;
        let mut words = std::str::from_utf8(&bytes[..length]).ok()?.split_whitespace();
        match words.next()? {
            "usage_usec" => Some(Duration::from_micros(words.next()?.parse().ok()?)),
            nanoseconds => Some(Duration::from_nanos(nanoseconds.parse().ok()?)),
        }
    }
}

/// The folder of a group, which is removed with this.
struct GroupFolder(PathBuf);

impl GroupFolder {
    /// Makes a group, and removes those of wardens that were killed.
    fn make(parent: &Path) -> io::Result<GroupFolder> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        remove_left(parent);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = parent.join(format!("{NAME}{}-{count}", std::process::id()));
        fs::create_dir(&folder)?;
        Ok(GroupFolder(folder))
    }

    /// A file of it, to be written to.
    fn open(&self, name: &str) -> io::Result<File> {
        OpenOptions::new().write(true).open(self.0.join(name))
    }
}

impl Drop for GroupFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir(&self.0);
    }
}

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

/// The group of a process for `controller`, or without a name of the second version, as
/// `/proc/self/cgroup` lists it: all controllers of its tree, and the path there.
fn own_group<'a>(groups: &'a str, controller: &str) -> Option<(&'a str, &'a str)> {
    groups.lines().find_map(|line| {
        let (kinds, path) = line.split_once(':')?.1.split_once(':')?;
        let has_it = kinds.split(',').any(|kind| kind == controller);
        has_it.then(|| (kinds, path.trim_start_matches('/')))
    })
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn a_process_s_own_group_is_found_among_all() {
        let groups = "9:name=systemd:/\n8:cpu,pids:/a:b/c\n0::/user.slice\n";
        assert_eq!(own_group(groups, "pids"), Some(("cpu,pids", "a:b/c")));
        assert_eq!(own_group(groups, ""), Some(("", "user.slice")));
        assert_eq!(own_group("0::/user.slice\n", "pids"), None);
        assert_eq!(own_group("8:pids:/\n", "pids"), Some(("pids", "")));
    }

    /// By the shell's own account, which has all of them, for it waits for each.
    #[test]
    fn what_short_lives_have_used_is_counted_exactly() {
        for versions in [[true, false], [false, true]] {
            let [first, second] = versions;
            let purpose = GroupPurpose { most: None, counts_time: true };
            let groups = Groups::make(purpose, CgroupVersions { first, second });
            let Some(clock) = groups.clock.clone() else {
                println!("left out: processor time of a control group: none may be made here");
                continue;
            };
            assert_eq!(clock.time(), Some(Duration::ZERO));
            let entry = groups.folders[0].0.join(if first { "tasks" } else { "cgroup.procs" });
            // A hundred lives of some milliseconds.
            let script = "echo 0 > $0; TIMEFORMAT='%3U %3S'; \
                          time for i in {1..100}; do (for j in {1..9000}; do :; done); done";
            let mut shell = Command::new("bash");
            let output = shell.args(["-c", script]).arg(&entry).output().unwrap();
            let text = String::from_utf8(output.stderr).unwrap();
            let told = text.split_whitespace().map(|number| number.parse::<f64>().unwrap());
            let (told, counted) = (told.sum::<f64>(), clock.time().unwrap().as_secs_f64());
            assert!(told > 0.1, "{text}");
            // Its last steps are in no account but the group's. Lives that were not counted would make a
            // larger part.
            assert!((counted - told).abs() < told / 20.0, "{counted} s for {told} s: {versions:?}");
        }
    }
}
