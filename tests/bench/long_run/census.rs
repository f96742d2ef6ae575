//! What a referee has of the machine's: memory, descriptors, threads, processes.

use std::collections::HashSet;
use std::fmt;
use std::fs;
use std::path::Path;
use std::time::Duration;

/// A count of everything, at a moment when no match is played.
#[derive(Clone, Debug)]
pub struct Census {
    pub rounds: u64,
    pub time: Duration,
    /// Resident memory now and at most, in KiB.
    pub resident: u64,
    pub peak: u64,
    /// Resident memory of this process and of all below it, in KiB.
    pub tree: u64,
    pub descriptors: usize,
    pub threads: usize,
    /// Its children, and those among them that nobody has reaped.
    pub children: usize,
    pub zombies: usize,
    /// Its children and theirs, all the way down.
    pub below: usize,
    /// Processes anywhere that bear the mark of a bot of this process, or of one below it.
    pub marked: usize,
}

/// By how much memory may grow, in KiB: what an allocator keeps to itself, and no more.
pub const MOST_GROWTH: u64 = 4 * 1024;

impl Census {
    pub fn take(rounds: u64, time: Duration) -> Census {
        let own = std::process::id();
        let all = processes();
        let tree = tree(own, &all);
        let of = |pid: u32| field(format!("/proc/{pid}/status"), "VmRSS:").unwrap_or(0);
        let children = all.iter().filter(|process| process.parent == own);
        Census {
            rounds,
            time,
            resident: of(own),
            peak: field("/proc/self/status", "VmHWM:").unwrap_or(0),
            tree: tree.iter().copied().map(of).sum(),
            // The folder that is listed is open too.
            descriptors: entries("/proc/self/fd") - 1,
            threads: entries("/proc/self/task"),
            children: children.clone().count(),
            zombies: children.filter(|process| process.is_zombie).count(),
            below: tree.len() - 1,
            marked: all.iter().filter(|process| bears_a_mark(process.pid, &tree)).count(),
        }
    }

    /// What there is more of than at an earlier census, in words.
    pub fn growth(&self, since: &Census) -> Vec<String> {
        let counts = [
            ("open descriptors", since.descriptors, self.descriptors),
            ("threads", since.threads, self.threads),
            ("children", since.children, self.children),
            ("zombies", since.zombies, self.zombies),
            ("processes below it", since.below, self.below),
            ("processes that bear a bot's mark", since.marked, self.marked),
        ];
        let memory = [
            ("KiB of memory", since.resident, self.resident),
            ("KiB of memory with all below it", since.tree, self.tree),
        ];
        let counts = counts
            .into_iter()
            .filter(|&(_, before, now)| now > before)
            .map(|(what, before, now)| format!("{what}: {now}, were {before}"));
        let memory = memory
            .into_iter()
            .filter(|&(_, before, now)| now > before + MOST_GROWTH)
            .map(|(what, before, now)| format!("{what}: {now}, were {before}"));
        counts.chain(memory).collect()
    }

    /// The columns of a census as it is displayed.
    pub const COLUMNS: &str = "  rounds  seconds  resident  peak  tree KiB  descriptors  threads  children  zombies  below  marked";
}

impl fmt::Display for Census {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Census { rounds, resident, peak, tree, descriptors, threads, .. } = self;
        let Census { children, zombies, below, marked, .. } = self;
        let seconds = self.time.as_secs();
        write!(
            f,
            "{rounds:8}  {seconds:7}  {resident:8}  {peak:4}  {tree:8}  {descriptors:11}  {threads:7}  {children:8}  {zombies:7}  {below:5}  {marked:6}"
        )
    }
}

struct Process {
    pid: u32,
    parent: u32,
    is_zombie: bool,
}

/// All processes of the system.
fn processes() -> Vec<Process> {
    let entries = fs::read_dir("/proc").expect("/proc is there");
    entries
        .filter_map(|entry| {
            let pid = entry.ok()?.file_name().to_str()?.parse().ok()?;
            let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
            // Behind the name, which may hold anything: the state and the parent.
            let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
            let is_zombie = fields.next()? == "Z";
            Some(Process { pid, parent: fields.next()?.parse().ok()?, is_zombie })
        })
        .collect()
}

/// A process and all below it.
fn tree(root: u32, all: &[Process]) -> HashSet<u32> {
    let mut tree = HashSet::from([root]);
    loop {
        let before = tree.len();
        let more = all.iter().filter(|process| tree.contains(&process.parent));
        let more: Vec<u32> = more.map(|process| process.pid).collect();
        tree.extend(more);
        if tree.len() == before {
            return tree;
        }
    }
}

/// Whether a process inherited the mark that one of these gives to its bots.
fn bears_a_mark(pid: u32, of: &HashSet<u32>) -> bool {
    let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
    let environment = String::from_utf8_lossy(&environment);
    let mut values = environment.split('\0').filter_map(|one| one.strip_prefix("MANCALA_BOT="));
    let giver = values.next().and_then(|value| value.split('.').next()?.parse().ok());
    giver.is_some_and(|giver| of.contains(&giver))
}

/// A number of KiB in a file of `/proc`; none for a process that has gone or is a zombie.
fn field(path: impl AsRef<Path>, name: &str) -> Option<u64> {
    let status = fs::read_to_string(path).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}

fn entries(folder: &str) -> usize {
    fs::read_dir(folder).expect("/proc is there").count()
}
