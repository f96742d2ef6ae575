//! What killed wardens leave behind: their bots, which become children of this process.

use std::io;
use std::os::fd::BorrowedFd;
use std::process::Child;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::process::Pid;

use crate::bot::system;
use crate::bot::warden::watching::tree;
use crate::bot::wardens::handle::ProcessHandle;

/// The process numbers of wardens that run, or that were left to remove their folders and never reaped:
/// so their numbers are theirs.
static WARDENS: Mutex<Vec<Pid>> = Mutex::new(Vec::new());

/// Whether what a killed warden leaves behind becomes ours.
static ADOPTING: AtomicBool = AtomicBool::new(false);

fn all_wardens() -> MutexGuard<'static, Vec<Pid>> {
    WARDENS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// All processes below this one but the wardens.
pub(crate) fn all_bots() -> Vec<Pid> {
    let wardens = all_wardens().clone();
    tree::below_us().into_iter().filter(|process| !wardens.contains(process)).collect()
}

/// Adopts what a killed warden leaves behind, from now on. After a warden was killed, all children of
/// this process except wardens, held bots and what it began with are killed.
///
/// # Errors
///
/// When the kernel refuses it.
pub(crate) fn adopt_orphans() -> io::Result<()> {
    tree::adopt_orphans_of_bots()?;
    ADOPTING.store(true, Ordering::Relaxed);
    Ok(())
}

/// Starts a warden. No sweep takes it for an orphan before it is on the list.
pub(super) fn start_listed(start: impl FnOnce() -> io::Result<Child>) -> io::Result<Child> {
    let mut all = all_wardens();
    let child = start()?;
    all.push(Pid::from_child(&child));
    Ok(child)
}

/// Takes a warden that has ended off the list. Where it was killed, what it kept is ended; but not
/// another bot that lost its warden, too.
pub(super) fn unregister(warden: Pid, was_killed: bool) {
    let mut all = all_wardens();
    all.retain(|&other| other != warden);
    if was_killed && ADOPTING.load(Ordering::Relaxed) {
        tree::end_all_below_us(&[all.clone(), ProcessHandle::held()].concat());
    }
}

/// The bot that a killed warden has started and left to us: a child other than a warden that leads a
/// group of its own, as every bot does from its start, and reads from `stdin`. One that has ended
/// reads from nothing; it is the only such child without a [`ProcessHandle`].
pub(super) fn started_orphan(stdin: BorrowedFd<'_>) -> Option<Pid> {
    if !ADOPTING.load(Ordering::Relaxed) {
        return None;
    }
    let wardens = all_wardens();
    let leaders: Vec<Pid> = tree::own_children()
        .into_iter()
        .filter(|child| !wardens.contains(child))
        .filter(|&child| rustix::process::getpgid(Some(child)) == Ok(child))
        .collect();
    drop(wardens);
    let pipe = system::name_of(stdin)?;
    let reads = |child: &&Pid| system::stdin_of(**child).is_some_and(|name| name == pipe);
    let held = ProcessHandle::held();
    let has_ended = |child: &&Pid| !system::is_running(**child) && !held.contains(child);
    leaders.iter().find(reads).or_else(|| leaders.iter().find(has_ended)).copied()
}
