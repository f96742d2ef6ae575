//! What modes are made of: saying and complaining, waiting, and leaving processes behind.

use std::fs::{self, File};
use std::io;
use std::os::fd::BorrowedFd;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::Path;
use std::process::{Command, exit};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, getppid, kill_process, test_kill_process};

pub const KIB: usize = 1024;

/// The longest that anything here lasts.
pub const LONGEST: Duration = Duration::from_mins(2);

/// This program once more, known by the same arguments.
pub fn again(mode: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().expect("its own path"));
    command.arg(mode).args(std::env::args().skip(2));
    command
}

/// Kills all wardens of the referee that plays this match.
pub fn kill_wardens() {
    let referee = std::env::var("MANCALA_BOT").expect("a bot knows its referee");
    let threads = fs::read_dir(format!("/proc/{referee}/task")).into_iter().flatten().flatten();
    for thread in threads {
        let children = fs::read_to_string(thread.path().join("children")).unwrap_or_default();
        for child in children.split_whitespace() {
            let name = fs::read_to_string(format!("/proc/{child}/comm")).unwrap_or_default();
            let pid = child.parse().ok().and_then(Pid::from_raw);
            if let Some(pid) = pid.filter(|_| name == "bot-warden\n") {
                let _ = kill_process(pid, Signal::KILL);
            }
        }
    }
}

/// Starts a program and leaves it alone.
#[expect(clippy::zombie_processes, reason = "who sees to the end of such a child is the question")]
pub fn leave(command: &mut Command) {
    command.spawn().expect("the child starts");
}

/// Lets a child start a child of its own and exit.
pub fn leave_to_others(mode: &str) {
    assert!(again(mode).status().expect("the child starts").success());
}

/// Writes to stdout, in one piece where the pipe takes it. Exits when nobody reads any more.
pub fn say(bytes: impl AsRef<[u8]>) {
    write_all(rustix::stdio::stdout(), bytes.as_ref());
}

pub fn complain(bytes: impl AsRef<[u8]>) {
    write_all(rustix::stdio::stderr(), bytes.as_ref());
}

fn write_all(to: BorrowedFd<'_>, mut bytes: &[u8]) {
    while !bytes.is_empty() {
        match rustix::io::write(to, bytes) {
            Ok(count) => bytes = &bytes[count..],
            Err(rustix::io::Errno::INTR) => {}
            Err(_) => exit(98),
        }
    }
}

pub fn say_for_ever(text: &str) {
    let text = text.repeat(16 * KIB);
    let end = Instant::now() + LONGEST;
    while Instant::now() < end {
        say(&text);
    }
}

pub fn complain_for_ever() {
    let text = "This is an outrage. ".repeat(KIB);
    let end = Instant::now() + LONGEST;
    while Instant::now() < end {
        complain(&text);
    }
}

pub fn pause(time: Duration) {
    std::thread::sleep(time);
}

pub fn null() -> File {
    File::options().read(true).write(true).open("/dev/null").expect("there is /dev/null")
}

pub fn signal_self(signal: Signal) {
    rustix::process::kill_process(rustix::process::getpid(), signal).expect("a signal is sent");
}

/// Has the kernel kill the group of the process that started this one when there is something to read.
pub fn kill_starter_by_descriptor() {
    let group = getppid().and_then(|starter| rustix::process::getpgid(Some(starter)).ok());
    if let Some(group) = group {
        let script = ["-e", include_str!("descriptor.pl"), &group.as_raw_nonzero().to_string()];
        let _ = Command::new("perl").args(script).stdin(null()).stdout(null()).status();
    }
}

/// Sends a signal to the process that started this one, by way of each of its threads: one that is
/// held as this process is may be sent what the others may not.
pub fn signal_starter(signal: Signal) {
    let starter = getppid();
    if let Some(starter) = starter.filter(|&starter| test_kill_process(starter).is_ok()) {
        return kill_process(starter, signal).expect("it may be signalled");
    }
    // In a sandbox, where no thread is listed, and no stranger can be hit: their numbers are near.
    // In a namespace of its own it has no parent, and the first process is ours.
    let first = starter.map_or(1, |starter| starter.as_raw_nonzero().get());
    let own = rustix::process::getpid();
    let near: Vec<Pid> = (first..first + 100).filter_map(Pid::from_raw).collect();
    let end = Instant::now() + Duration::from_millis(5);
    while Instant::now() < end {
        for &thread in near.iter().filter(|&&thread| thread != own) {
            let _ = kill_process(thread, signal);
        }
    }
}

/// Takes the signals that may be taken, and does nothing about them.
pub fn ignore_signals() {
    for signal in [1, 2, 3, 14, 15] {
        signal_hook::flag::register(signal, std::sync::Arc::default()).expect("it is taken");
    }
}

/// Lists its open descriptors on stderr.
pub fn show_descriptors() {
    let entries = fs::read_dir("/proc/self/fd").expect("descriptors are listed");
    let mut numbers: Vec<u32> =
        entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok()).collect();
    numbers.sort_unstable();
    // The one that lists them is closed by now.
    let is_open = |number: &String| Path::new("/proc/self/fd").join(number).exists();
    let open: Vec<String> = numbers.iter().map(u32::to_string).filter(is_open).collect();
    complain(format!("descriptors: {}\n", open.join(" ")));
}

/// Leaves in its temporary folder what is hard to remove: many files, a folder that nobody may look
/// into, and folders deeper than any path reaches.
pub fn make_a_mess() -> io::Result<()> {
    let folder = std::env::var_os("TMPDIR").ok_or(io::ErrorKind::NotFound)?;
    std::env::set_current_dir(folder)?;
    for number in 0..2000 {
        fs::write(format!("file-{number}"), "x")?;
    }
    fs::create_dir("closed")?;
    fs::write("closed/file", "x")?;
    fs::DirBuilder::new().mode(0o000).create("closed/folder")?;
    let long = "long".repeat(60);
    for _ in 0..1200 {
        fs::create_dir(&long)?;
        std::env::set_current_dir(&long)?;
    }
    Ok(())
}
