//! What the integration tests share: running the program and saying what is expected of it.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{PipeReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, LazyLock, Once};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, kill_process};
use signal_hook::consts::{SIGHUP, SIGINT};

use crate::test_folder::wait_until;

/// A run that takes longer hangs, and is killed: no run of the tests lasts nearly as long.
const HANGS: Duration = Duration::from_mins(3);

/// A run of `mancala` to be made.
pub struct Run {
    command: Command,
    stdin: Vec<u8>,
}

/// `mancala` with these arguments, in the repository's folder.
pub fn mancala<A: AsRef<OsStr>>(arguments: impl IntoIterator<Item = A>) -> Run {
    pass_signals_on();
    let mut command = Command::new(env!("CARGO_BIN_EXE_mancala"));
    command.args(arguments).current_dir(repository()).env("PATH", search_path());
    // It would hide that a Python bot does not flush its answers.
    command.env_remove("PYTHONUNBUFFERED");
    // Test bots that panic would take half a second for it.
    command.env("RUST_BACKTRACE", "0");
    Run { command, stdin: Vec::new() }
}

/// Has what the tests start receive Ctrl-C and a hang-up, also where the tests themselves were
/// started to ignore them, as in the background of a script or behind `nohup`: what is ignored stays
/// so in every program that is started, and a handler does not.
pub fn pass_signals_on() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        for signal in [SIGINT, SIGHUP].into_iter().filter(|signal| ignores(&status, *signal)) {
            // It sets a flag that nobody looks at: the tests go on ignoring it.
            signal_hook::flag::register(signal, Arc::default()).expect("a handler is set");
        }
    });
}

/// Whether a process ignores that signal, by its `/proc/PID/status`.
pub fn ignores(status: &str, signal: i32) -> bool {
    is_in_mask(status, "SigIgn:", signal)
}

/// Whether a mask of signals in `/proc/PID/status` has this one.
fn is_in_mask(status: &str, mask: &str, signal: i32) -> bool {
    let mask = status.lines().find_map(|line| line.strip_prefix(mask));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

/// Waits until the program has a handler for `signal`.
#[track_caller]
pub fn wait_until_handled(child: &Child, signal: i32) {
    let file = format!("/proc/{}/status", child.id());
    wait_until("the program has no handler for the signal", || {
        let status = std::fs::read_to_string(&file).expect("the program runs");
        is_in_mask(&status, "SigCgt:", signal)
    });
}

/// The PATH, with the folders last whose `python3` is a script that looks for Python: that of pyenv
/// takes a tenth of a second at each start of a bot.
pub fn search_path() -> &'static OsStr {
    static PATH: LazyLock<OsString> = LazyLock::new(|| {
        let all = std::env::var_os("PATH").unwrap_or_default();
        let has_script = |folder: &PathBuf| {
            let mut begin = [0; 2];
            let python = File::open(folder.join("python3"));
            python.is_ok_and(|mut file| file.read_exact(&mut begin).is_ok() && begin == *b"#!")
        };
        let (scripts, others): (Vec<_>, Vec<_>) = std::env::split_paths(&all).partition(has_script);
        std::env::join_paths(others.into_iter().chain(scripts)).expect("a PATH")
    });
    &PATH
}

/// The repository's folder.
pub fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A command line for the hostile bot in that mode, quoted for the command line of a bot.
pub fn hostile(arguments: &str) -> String {
    format!("'{}' {arguments}", env!("CARGO_BIN_EXE_hostile"))
}

impl Run {
    /// Runs in this folder.
    pub fn in_folder(mut self, folder: impl AsRef<Path>) -> Run {
        // As a shell says it.
        self.command.env("PWD", folder.as_ref()).current_dir(folder);
        self
    }

    /// With this folder for temporary files.
    pub fn with_temporary(mut self, folder: impl AsRef<OsStr>) -> Run {
        self.command.env("TMPDIR", folder);
        self
    }

    /// With one more argument.
    pub fn arg(mut self, argument: impl AsRef<OsStr>) -> Run {
        self.command.arg(argument);
        self
    }

    /// With more arguments.
    pub fn args<A: AsRef<OsStr>>(mut self, arguments: impl IntoIterator<Item = A>) -> Run {
        self.command.args(arguments);
        self
    }

    /// Started by another program, which prepares its surroundings and then becomes this one.
    pub fn behind(mut self, words: &[&str]) -> Run {
        let mut command = Command::new(words[0]);
        command.args(&words[1..]).arg(self.command.get_program()).args(self.command.get_args());
        command.current_dir(self.command.get_current_dir().unwrap_or(Path::new(".")));
        command.env("PATH", search_path());
        command.env_remove("PYTHONUNBUFFERED").env("RUST_BACKTRACE", "0");
        self.command = command;
        self
    }

    /// Another program in its place, which then becomes this one.
    pub fn instead(mut self, words: &[&str]) -> Run {
        let mut command = Command::new(words[0]);
        command.args(&words[1..]).env("PATH", search_path());
        command.current_dir(self.command.get_current_dir().unwrap_or(Path::new(".")));
        self.command = command;
        self
    }

    /// With this on stdin, which is empty otherwise.
    pub fn stdin(mut self, input: impl Into<Vec<u8>>) -> Run {
        self.stdin = input.into();
        self
    }

    /// The command itself, for a test that runs it in a way of its own.
    pub fn command(self) -> Command {
        self.command
    }

    /// Starts the program without input; only its stderr can be read.
    pub fn start(mut self) -> Child {
        self.command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("mancala starts")
    }

    /// Runs the program to its end.
    #[track_caller]
    pub fn run(self) -> Outcome {
        self.run_within(HANGS)
    }

    /// Runs the program, which takes no longer than `time`.
    #[track_caller]
    pub fn run_within(mut self, time: Duration) -> Outcome {
        self.attempt(time)
    }

    /// Runs a match with a time limit that matters: see [`until_finished`].
    #[track_caller]
    pub fn run_until_finished(mut self) -> Outcome {
        until_finished(|| self.attempt(HANGS))
    }

    #[track_caller]
    fn attempt(&mut self, time: Duration) -> Outcome {
        let mut child = self
            .command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("mancala starts");
        let mut stdin = child.stdin.take().expect("stdin is piped");
        let input = self.stdin.clone();
        let writer = std::thread::spawn(move || stdin.write_all(&input));
        let pid = Pid::from_child(&child);
        let (ended, watched) = mpsc::channel();
        let watch = std::thread::spawn(move || {
            // As in `within`, the pauses are counted.
            const PAUSES: u32 = 300;
            let is_over = || watched.recv_timeout(time / PAUSES) != Err(RecvTimeoutError::Timeout);
            let ends = (0..PAUSES).any(|_| is_over());
            if !ends {
                let _ = kill_process(pid, Signal::KILL);
            }
            ends
        });
        let output = child.wait_with_output().expect("mancala ends");
        let _ = ended.send(());
        let ends = watch.join().expect("the watch ends");
        // A program that does not read its stdin closes it.
        let _ = writer.join().expect("the writer ends");
        let outcome = Outcome::of(&output);
        assert!(ends, "it takes longer than {time:?}: {outcome:#?}");
        outcome
    }
}

/// The outcome of a match that `play` plays. Where the machine was late too often, the match does not
/// count, and it is played again, at most ten times in all.
pub fn until_finished(play: impl FnMut() -> Outcome) -> Outcome {
    until_fair(|outcome| !outcome.is_unfinished(), play)
}

/// The first outcome that is fair, or the tenth.
pub fn until_fair(
    is_fair: impl Fn(&Outcome) -> bool,
    mut play: impl FnMut() -> Outcome,
) -> Outcome {
    let mut outcome = play();
    for _ in 1..10 {
        if is_fair(&outcome) {
            break;
        }
        outcome = play();
    }
    outcome
}

/// What a run came to.
#[derive(Debug)]
pub struct Outcome {
    /// None when a signal ended it.
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Outcome {
    pub fn of(output: &Output) -> Outcome {
        Outcome {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout.clone()).expect("stdout is UTF-8"),
            stderr: String::from_utf8(output.stderr.clone()).expect("stderr is UTF-8"),
        }
    }

    /// Whether the machine was late so often that the program says nothing about the bots.
    pub fn is_unfinished(&self) -> bool {
        let words = ["is unfinished and does not count", "which says nothing about the bot"];
        self.code == Some(1) && words.iter().any(|words| self.stderr.contains(words))
    }

    /// It ended with this code.
    #[track_caller]
    pub fn code(self, code: i32) -> Outcome {
        assert_eq!(self.code, Some(code), "{self:#?}");
        self
    }

    /// It did its work: code 0 and nothing on stderr.
    #[track_caller]
    pub fn success(self) -> Outcome {
        assert_eq!(self.stderr, "", "{self:#?}");
        self.code(0)
    }

    /// It failed with this code, nothing on stdout, and one line on stderr that has these words.
    #[track_caller]
    pub fn failure(self, code: i32, words: &str) -> Outcome {
        assert_eq!(self.stdout, "", "{self:#?}");
        assert_eq!(self.stderr.lines().count(), 1, "{self:#?}");
        assert!(self.stderr.contains(words), "{words:?} is not in {self:#?}");
        self.code(code)
    }

    /// Its stdout has these words.
    #[track_caller]
    pub fn says(self, words: &str) -> Outcome {
        assert!(self.stdout.contains(words), "{words:?} is not in {self:#?}");
        self
    }

    /// Nothing that it wrote acts on a terminal, or on the order of the text around it.
    #[track_caller]
    pub fn plain(self) -> Outcome {
        let acts = |character: char| {
            (character.is_control() && character != '\n')
                || matches!(character, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
                || matches!(character, '\u{2066}'..='\u{2069}' | '\u{feff}')
        };
        assert!(!self.stdout.contains(acts) && !self.stderr.contains(acts), "{self:#?}");
        self
    }

    /// The detail with which the first bot forfeits the first round of this record as `exited`.
    #[track_caller]
    pub fn first_exit(&self) -> String {
        let record = self.json();
        let fault = &record["rounds"][0]["result"]["fault"];
        assert_eq!(fault["bot"], 0, "{record}");
        assert_eq!(fault["kind"], "exited", "{record}");
        fault["detail"].as_str().expect("a detail").to_owned()
    }

    /// Its stdout as one JSON value.
    #[track_caller]
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).expect("stdout is JSON")
    }
}

/// Copies a program that the tests start.
pub fn copy_program(program: impl AsRef<OsStr>, to: impl AsRef<OsStr>) {
    install(program.as_ref(), to.as_ref(), "");
}

/// Writes a script that the tests start.
pub fn write_script(file: impl AsRef<OsStr>, text: &str) {
    install(OsStr::new("/dev/stdin"), file.as_ref(), text);
}

/// Another process writes the program: a descriptor of ours would be that of what another thread is
/// about to start, too, and the system runs no file that somebody may still write to.
fn install(from: &OsStr, to: &OsStr, stdin: &str) {
    let mut install = Command::new("install");
    install.args(["-m", "755"]).args([from, to]).stdin(Stdio::piped());
    let mut child = install.spawn().expect("install starts");
    let mut pipe = child.stdin.take().expect("stdin is piped");
    pipe.write_all(stdin.as_bytes()).expect("it is read");
    drop(pipe);
    assert!(child.wait().expect("it ends").success(), "no program {}", to.display());
}

/// A path as an argument.
pub fn path(path: impl Into<PathBuf>) -> String {
    path.into().into_os_string().into_string().expect("the path is UTF-8")
}

/// A pipe that nobody reads any more.
pub fn closed_pipe() -> Stdio {
    let (reader, writer) = std::io::pipe().expect("a pipe is made");
    drop(reader);
    // A program that another thread is about to start has the reader, too, until it runs.
    wait_until("somebody still reads the pipe", || {
        let mut watched = [PollFd::new(&writer, PollFlags::empty())];
        poll(&mut watched, Some(&Timespec::default())).expect("the pipe is looked at");
        watched[0].revents().contains(PollFlags::ERR)
    });
    writer.into()
}

/// All that comes through `pipe`, until its other end is closed.
#[track_caller]
pub fn text_of(mut pipe: PipeReader) -> String {
    let mut text = String::new();
    pipe.read_to_string(&mut text).expect("it is text");
    text
}

/// `mancala`, started by this program: its arguments come after the path.
pub fn through(program: &str, arguments: &[&str]) -> Command {
    pass_signals_on();
    let mut command = Command::new(program);
    command.args(arguments).arg(env!("CARGO_BIN_EXE_mancala")).env("PATH", search_path());
    command
}
