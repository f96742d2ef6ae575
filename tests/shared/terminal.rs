//! A terminal for the program under test: a pseudo-terminal that is typed on and read.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{Mode, OFlags};
use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, Winsize, tcgetattr, tcsetwinsize};

use crate::program::{pass_signals_on, repository, search_path};
use crate::requirements;

/// What is waited for longer does not come.
const HANGS: Duration = Duration::from_mins(1);

/// How long after its end a program's output may take to be read.
const UNREAD: Duration = Duration::from_secs(5);

/// `mancala` in a session of its own on a terminal of its own.
pub struct Terminal {
    child: Child,
    master: Option<File>,
    /// The other end, so that the terminal outlives the program and can be looked at.
    slave: Option<OwnedFd>,
    output: Arc<Mutex<Vec<u8>>>,
    /// Set when nothing is to be read any more.
    gone: Arc<AtomicBool>,
    /// What was waited for before is not found again.
    seen: usize,
    reader: Option<JoinHandle<()>>,
}

impl Terminal {
    /// Starts `mancala` with these arguments; nothing where that cannot be done, which is said.
    pub fn start(arguments: &[&str], size: (u16, u16)) -> Option<Terminal> {
        Terminal::start_with(arguments, size, "NO_COLOR=")
    }

    /// The same with a variable in its environment.
    pub fn start_with(
        arguments: &[&str],
        (columns, rows): (u16, u16),
        variable: &str,
    ) -> Option<Terminal> {
        if !requirements::are_there("setsid", "a game on a terminal") {
            return None;
        }
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC);
        let master = master.expect("there is a pseudo-terminal");
        grantpt(&master).expect("it may be used");
        unlockpt(&master).expect("it may be opened");
        let size = Winsize { ws_col: columns, ws_row: rows, ws_xpixel: 0, ws_ypixel: 0 };
        tcsetwinsize(&master, size).expect("it has a size");
        let name = ptsname(&master, Vec::new()).expect("it has a name");
        let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC;
        let slave = rustix::fs::open(name, flags, Mode::empty()).expect("it opens");
        let stdio = || Stdio::from(slave.try_clone().expect("a descriptor"));
        pass_signals_on();
        let child = Command::new("setsid")
            .args(["--ctty", env!("CARGO_BIN_EXE_mancala")])
            .args(arguments)
            .current_dir(repository())
            .env("PATH", search_path())
            .env("TERM", "xterm")
            .envs(variable.split_once('='))
            .stdin(stdio())
            .stdout(stdio())
            .stderr(stdio())
            .spawn()
            .expect("mancala starts");
        let master = File::from(master);
        let output = Arc::new(Mutex::new(Vec::new()));
        let gone = Arc::new(AtomicBool::new(false));
        let to_read = master.try_clone().expect("a descriptor");
        let reader = Some(read_all(to_read, Arc::clone(&output), Arc::clone(&gone)));
        let (master, slave) = (Some(master), Some(slave));
        Some(Terminal { child, master, slave, output, gone, seen: 0, reader })
    }

    /// Types this.
    pub fn type_in(&mut self, text: &str) {
        let mut master = self.master.as_ref().expect("the terminal is there");
        master.write_all(text.as_bytes()).expect("it is typed");
    }

    /// Gives its window another size.
    pub fn resize(&self, (columns, rows): (u16, u16)) {
        let size = Winsize { ws_col: columns, ws_row: rows, ws_xpixel: 0, ws_ypixel: 0 };
        tcsetwinsize(self.master.as_ref().expect("the terminal is there"), size)
            .expect("it is set");
    }

    /// Waits until these words appear behind what was waited for before.
    #[track_caller]
    pub fn wait_for(&mut self, words: &str) {
        let mut end = Instant::now() + HANGS;
        loop {
            let output = self.output();
            if let Some(place) = output[self.seen..].find(words) {
                self.seen += place + words.len();
                return;
            }
            let ended = self.child.try_wait().expect("it can be looked at").is_some();
            if ended {
                // The last of it may have yet to be read.
                end = end.min(Instant::now() + UNREAD);
            }
            assert!(Instant::now() < end, "{words:?} did not come: {output}");
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    /// Sends the program a signal.
    pub fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).expect("it is there");
    }

    /// Whether lines are edited and shown as they are typed, as every program expects to find it.
    pub fn is_as_usual(&self) -> bool {
        let slave = self.slave.as_ref().expect("the terminal is there");
        let modes = tcgetattr(slave).expect("it has modes");
        modes.local_modes.contains(LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG)
    }

    /// The terminal goes, as when its window is closed.
    pub fn hang_up(&mut self) {
        self.slave = None;
        self.master = None;
        self.gone.store(true, Ordering::Relaxed);
    }

    /// The most memory that the program has had until now, in KiB.
    pub fn peak_memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()));
        let status = status.expect("it runs");
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let number = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
        number.expect("a number of KiB")
    }

    /// Waits for the program's end: its exit code and all it printed. The terminal has to be as
    /// usual again.
    #[track_caller]
    pub fn end(mut self) -> (Option<i32>, String) {
        let code = self.exit_code();
        if self.slave.is_some() {
            assert!(self.is_as_usual(), "the terminal is left changed: {}", self.output());
        }
        // The reader ends with the last end of the terminal.
        self.slave = None;
        self.reader.take().expect("the reader is there").join().expect("the reader ends");
        (code, self.output())
    }

    #[track_caller]
    pub fn exit_code(&mut self) -> Option<i32> {
        let end = Instant::now() + HANGS;
        loop {
            if let Some(status) = self.child.try_wait().expect("it can be waited for") {
                return status.code();
            }
            assert!(Instant::now() < end, "it does not end: {}", self.output());
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    fn output(&self) -> String {
        String::from_utf8_lossy(&self.output.lock().expect("no panic with the lock")).into_owned()
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // After a failed test; otherwise it has ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn read_all(mut from: File, into: Arc<Mutex<Vec<u8>>>, gone: Arc<AtomicBool>) -> JoinHandle<()> {
    std::thread::spawn(move || {
        let mut chunk = [0; 4096];
        let a_while = Timespec { tv_sec: 0, tv_nsec: 20_000_000 };
        while !gone.load(Ordering::Relaxed) {
            let mut watched = [PollFd::new(&from, PollFlags::IN)];
            if poll(&mut watched, Some(&a_while)) == Ok(0) {
                continue;
            }
            // Reading fails when nobody has the other end open.
            match from.read(&mut chunk) {
                Ok(count @ 1..) => {
                    into.lock().expect("no panic with the lock").extend_from_slice(&chunk[..count]);
                }
                _ => return,
            }
        }
    })
}
