//! The processes below this one: found, counted, killed and reaped.
//!
//! This process adopts the orphans of its descendants, so that none is ever out of its sight.

use std::io;
use std::path::Path;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitOptions, kill_process, pidfd_send_signal, waitpid};

use crate::bot::system;

/// How long killed descendants may take to go.
const SWEEP_WAIT: Duration = Duration::from_secs(1);

/// More processes than this are a fork bomb, and ending it comes first.
const MANY_PROCESSES: usize = 64;

/// Processes that may be children of this one without being a bot's.
struct Others {
    /// The children that this process began with: a shell leaves those of `> >(cat)` to the program that
    /// it becomes. They are never reaped, so their numbers are theirs.
    inherited: Vec<Pid>,
    /// The session of this process, in which orphans of these children arrive. Bots are in the sessions
    /// of their wardens, and no process can enter another session.
    session: Option<i32>,
}

/// Empty in a warden, which begins without children and is in the session of its bot.
static OTHERS: OnceLock<Others> = OnceLock::new();

impl Others {
    fn has(&self, process: Pid) -> bool {
        self.inherited.contains(&process)
            || self.session.is_some() && self.session == system::session_of(process)
    }
}

/// As [`adopt_orphans`], but this process does not take for its own what it began with, and what is in
/// its session. To be called before it starts anything.
///
/// # Errors
///
/// When the kernel refuses it.
pub(crate) fn adopt_orphans_of_bots() -> io::Result<()> {
    OTHERS.get_or_init(|| Others {
        inherited: own_children(),
        session: system::session_of(rustix::process::getpid()),
    });
    adopt_orphans()
}

/// Adopts the orphans of descendants from now on.
///
/// # Errors
///
/// When the kernel refuses it.
pub(crate) fn adopt_orphans() -> io::Result<()> {
    rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
    Ok(())
}

/// The processes below this one and their threads.
#[derive(Default)]
pub(in crate::bot::warden) struct Tree {
    pub(in crate::bot::warden) processes: Vec<Pid>,
    /// Their threads, of each at least the first, which a zombie still has.
    pub(in crate::bot::warden) tasks: Vec<Pid>,
}

impl Tree {
    /// All processes below this one.
    pub(super) fn below_us() -> Tree {
        Tree::of_at_most(usize::MAX).unwrap_or_default()
    }

    /// All processes below this one; `None` if they have more than `most` threads, of which no more
    /// are looked at than that takes.
    pub(super) fn of_at_most(most: usize) -> Option<Tree> {
        let mut tree = Tree::default();
        let mut parents = own_children();
        while tree.tasks.len() + parents.len() <= most {
            let Some(process) = parents.pop() else { return Some(tree) };
            let task = format!("/proc/{}/task", process.as_raw_nonzero());
            let (children, mut threads) = children_and_threads(Path::new(&task));
            tree.processes.push(process);
            if threads.is_empty() {
                threads.push(process);
            }
            tree.tasks.append(&mut threads);
            parents.extend(children);
        }
        None
    }
}

/// All processes below this one.
pub(crate) fn below_us() -> Vec<Pid> {
    Tree::below_us().processes
}

/// The children of a process, of all its threads; and the threads, by their numbers.
pub(super) fn children_and_threads(task: &Path) -> (Vec<Pid>, Vec<Pid>) {
    let mut children = Vec::new();
    let mut threads = Vec::new();
    for thread in std::fs::read_dir(task).into_iter().flatten().flatten() {
        threads.extend(thread.file_name().to_str().and_then(number));
        let list = std::fs::read_to_string(thread.path().join("children")).unwrap_or_default();
        children.extend(list.split_whitespace().filter_map(number));
    }
    (children, threads)
}

fn number(text: &str) -> Option<Pid> {
    text.parse().ok().and_then(Pid::from_raw)
}

/// The children of this process that may be bots, those that have ended and were not reaped among them.
pub(crate) fn own_children() -> Vec<Pid> {
    let mut children = children_and_threads(Path::new("/proc/self/task")).0;
    if let Some(others) = OTHERS.get() {
        children.retain(|&child| !others.has(child));
    }
    children
}

/// Whether `bot`, a child of this process, has started others that are still there. `first` is
/// another child, of ours, which may have adopted them.
pub(super) fn has_children(bot: Pid, first: Option<Pid>) -> bool {
    let has_some = |parent: Pid| {
        let task = format!("/proc/{}/task", parent.as_raw_nonzero());
        !children_and_threads(Path::new(&task)).0.is_empty()
    };
    let is_ours = |child: &Pid| *child == bot || Some(*child) == first;
    !own_children().iter().all(is_ours) || has_some(bot) || first.is_some_and(has_some)
}

/// Reaps the adopted orphans that have ended, all but `bot`.
pub(super) fn reap_orphans(bot: Pid) {
    for child in own_children() {
        if child != bot {
            let _ = waitpid(Some(child), WaitOptions::NOHANG);
        }
    }
}

/// Kills and reaps all processes below this one, but those that `spared` names and what is below
/// them, and whatever they start meanwhile. Returns whether none is left.
pub(crate) fn end_all_below_us(spared: &[Pid]) -> bool {
    let deadline = Instant::now() + SWEEP_WAIT;
    let mut hurried = None;
    loop {
        match kill_all_below_us(spared) {
            0 => return true,
            _ if Instant::now() > deadline => return false,
            count if count > MANY_PROCESSES && hurried.is_none() => {
                hurried = Some(HighestPriority::begin());
            }
            _ => {}
        }
        // Killed is not gone yet; what is gone is missing from the next list.
        std::thread::sleep(Duration::from_micros(200));
    }
}

/// Kills what there is below this process, once, but what `spared` names and what is below that,
/// and reaps what has gone. Returns how many there were.
pub(in crate::bot::warden) fn kill_all_below_us(spared: &[Pid]) -> usize {
    let mut all = own_children();
    all.retain(|child| !spared.contains(child));
    let ours = all.len();
    let mut next = 0;
    while let Some(&process) = all.get(next) {
        let task = format!("/proc/{}/task", process.as_raw_nonzero());
        all.extend(children_and_threads(Path::new(&task)).0);
        // Killed while the next ones are looked for: what is dead starts nothing.
        if next < ours {
            // Only we reap our children, so its number is its own.
            let _ = kill_process(process, Signal::KILL);
        } else {
            kill_descendant(process, &all);
        }
        next += 1;
    }
    for &process in &all {
        let _ = waitpid(Some(process), WaitOptions::NOHANG);
    }
    all.len()
}

/// Kills `process` if its parent is this process or one of `all`. Its parent may have reaped it since
/// it was listed, and its number may be another process's by now.
fn kill_descendant(process: Pid, all: &[Pid]) {
    let Ok(descriptor) = system::pidfd(process) else {
        let _ = kill_process(process, Signal::KILL);
        return;
    };
    // Asked after the descriptor is there, so the answer is about the process it holds. A parent
    // that has died meanwhile leaves it to us.
    let parent = system::parent_of(process);
    if parent.is_some_and(|parent| parent == rustix::process::getpid() || all.contains(&parent)) {
        let _ = pidfd_send_signal(&descriptor, Signal::KILL);
    }
}

/// The highest priority, where this user may have it, for as long as it lasts.
pub(super) struct HighestPriority {
    before: i32,
}

impl HighestPriority {
    pub(super) fn begin() -> HighestPriority {
        let before = rustix::process::getpriority_process(None).unwrap_or(0);
        let _ = rustix::process::setpriority_process(None, -20);
        HighestPriority { before }
    }
}

impl Drop for HighestPriority {
    fn drop(&mut self) {
        let _ = rustix::process::setpriority_process(None, self.before);
    }
}
