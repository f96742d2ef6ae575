//! Starts a bot: what its process does between `clone` and `exec`. It takes on the bot's restrictions
//! and then becomes the bot. None of our code ever runs in a bot's Landlock domain, where the bot
//! could send it signals.
//!
//! Has `unsafe` code. Until `exec`, the process runs in the memory of the
//! warden, which waits for it. The standard library's `pre_exec` would copy that memory instead:
//! 0.19 ms of processor time more for each start, which takes 1.1 ms in all (600 matches, 9
//! alternating pairs). Other threads of the warden may hold locks meanwhile, so all that needs memory
//! or a lock is done before, and only system calls on prepared values are left.

mod child;
mod confinement;
mod first_process;
mod program;

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::ffi::{CStr, CString, OsString, c_int};
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt as _;
use std::sync::atomic::{AtomicBool, Ordering};

use nix::sys::signal::{SigSet, SigmaskHow, pthread_sigmask};
use rustix::process::{Pid, Signal, WaitOptions, set_parent_process_death_signal, waitpid};
use rustix::stdio::{dup2_stderr, dup2_stdin, dup2_stdout};

pub(crate) use confinement::Confinement;
pub(crate) use first_process::{FirstProcess, Namespaces, new_user_space};

use crate::bot::system;
use crate::bot::warden::process_limiter::{ProcessLimit, ProcessLimiter};
use crate::bot::warden::wire::{BotStart, STREAMS};
use child::ChildError;
use confinement::confine;
use program::Program;

/// Starts a bot, in a group of its own, that has taken on what confines it, if anything does, before
/// it is the bot. It has the variables `own` beside ours and those that were given to it. None of
/// its `streams` is one of ours. Where `limiter` cannot limit it after all, that becomes what can.
/// Returns the number of a child that nobody has reaped.
///
/// # Errors
///
/// What the system says, as it does of a program that is started in the usual way.
pub(crate) fn start(
    bot: &BotStart,
    streams: &[OwnedFd; STREAMS],
    own: impl IntoIterator<Item = (OsString, OsString)>,
    confinement: Option<Confinement<'_>>,
    first: Option<&FirstProcess>,
    limiter: &mut ProcessLimiter,
) -> io::Result<Pid> {
    let given = bot.variables.iter().map(|(name, value)| (name.into(), value.into()));
    // The last one counts.
    let variables = std::env::vars_os().chain(given).chain(own).collect();
    let folder = bot.folder.as_ref().map(|folder| CString::new(folder.as_bytes()));
    let folder = folder.transpose()?;
    let program = Program::new(&bot.words, variables)?;
    loop {
        let folder = folder.as_deref();
        let becoming = ExecPreparation {
            folder,
            confinement,
            first,
            ..ExecPreparation::new(&program, streams, limiter)
        };
        let started = becoming.start();
        match started {
            // The limit failed, not the program.
            Err(error)
                if !becoming.is_limited.into_inner()
                    && !system::has_no_room(&error)
                    && !limiter.is_nothing() =>
            {
                *limiter = ProcessLimiter::default();
            }
            started => return started,
        }
    }
}

/// Confines this process, which is ours alone, and becomes the program that the words name.
///
/// # Errors
///
/// Whenever it returns.
pub(super) fn become_confined(
    words: &[String],
    confinement: Confinement<'_>,
) -> io::Result<Infallible> {
    let program = Program::new(words, std::env::vars_os().collect())?;
    confine(confinement)?;
    receive_signals_as_others_do()?;
    Err(program.execute())
}

/// Whether a process can be limited so.
pub(super) fn can_be_limited(limiter: &ProcessLimiter) -> bool {
    let Ok(null) = File::open("/dev/null").map(OwnedFd::from) else { return false };
    let Ok(others) = null.try_clone().and_then(|second| Ok([second, null.try_clone()?])) else {
        return false;
    };
    let [second, third] = others;
    // A folder is never a program.
    let Ok(program) = Program::new(&["/".to_owned()], BTreeMap::new()) else { return false };
    let streams = [null, second, third];
    let becoming = ExecPreparation::new(&program, &streams, limiter);
    let _ = becoming.start();
    becoming.is_limited.into_inner()
}

/// What a child needs to become a program.
struct ExecPreparation<'a> {
    program: &'a Program,
    folder: Option<&'a CStr>,
    streams: &'a [OwnedFd; STREAMS],
    confinement: Option<Confinement<'a>>,
    first: Option<&'a FirstProcess>,
    limiter: &'a ProcessLimiter,
    /// Whether it got as far as to be limited.
    is_limited: AtomicBool,
    error: ChildError,
}

impl<'a> ExecPreparation<'a> {
    /// What becomes `program` with nothing that confines it.
    fn new(
        program: &'a Program,
        streams: &'a [OwnedFd; STREAMS],
        limiter: &'a ProcessLimiter,
    ) -> ExecPreparation<'a> {
        ExecPreparation {
            program,
            folder: None,
            streams,
            confinement: None,
            first: None,
            limiter,
            is_limited: AtomicBool::new(false),
            error: ChildError::default(),
        }
    }

    /// Returns the number of the child if it has become the program.
    fn start(&self) -> io::Result<Pid> {
        let child = child::without_signals(|| {
            if let Some(first) = self.first {
                return first.start(self);
            }
            let cgroup = self.limiter.groups.cgroup.as_ref();
            child::start(&|| self.run(), &mut child::new_stack(), child::WAITED_FOR, cgroup)
        })?;
        self.error.result().map(|()| child).inspect_err(|_| {
            // It has ended, or does so now.
            let _ = waitpid(Some(child), WaitOptions::empty());
        })
    }

    /// Becomes the program. Returns an exit code only when that fails.
    fn run(&self) -> c_int {
        self.error.keep_that_of(self.go());
        127
    }

    fn go(&self) -> io::Result<()> {
        // Each of these is one system call, or a few, and its errors are numbers: nothing here
        // allocates, frees or takes a lock.
        drop_warden_name()?;
        self.limiter.apply(self.first.is_some_and(FirstProcess::has_own_users))?;
        self.is_limited.store(true, Ordering::Relaxed);
        let [stdin, stdout, stderr] = self.streams;
        dup2_stdin(stdin)?;
        dup2_stdout(stdout)?;
        dup2_stderr(stderr)?;
        if self.confinement.is_some() && self.limiter.kind() == ProcessLimit::Looks {
            // The system shares the processor among sessions: a bomb takes none of the warden's part
            // while it is counted. It makes the match some 5 % slower.
            rustix::process::setsid()?;
        } else {
            rustix::process::setpgid(None, None)?;
        }
        if let Some(folder) = self.folder {
            rustix::process::chdir(folder)?;
        }
        be_first_oom_victim();
        if self.confinement.is_some() {
            // Nobody else holds it to its limits.
            set_parent_process_death_signal(Some(Signal::KILL))?;
        }
        self.confinement.map_or(Ok(()), confine)?;
        receive_signals_as_others_do()?;
        Err(self.program.execute())
    }
}

/// Gives up the warden's name. A bot outside the sandbox may kill wardens by their name, and would
/// kill its opponent that is just starting.
fn drop_warden_name() -> io::Result<()> {
    Ok(rustix::thread::set_name(c"bot")?)
}

/// No signal is blocked, and none has a handler of ours or is ignored because we ignore it.
fn receive_signals_as_others_do() -> io::Result<()> {
    for signal in [libc::SIGPIPE, libc::SIGCHLD, libc::SIGXFSZ] {
        // SAFETY: it changes the child's own table of handlers; what we do ourselves with these
        // signals stays as it is.
        #[expect(unsafe_code, reason = "no library takes a handler away without a lock")]
        unsafe {
            libc::signal(signal, libc::SIG_DFL);
        }
    }
    Ok(pthread_sigmask(SigmaskHow::SIG_SETMASK, Some(&SigSet::empty()), None)?)
}

/// Has the system, when it runs out of memory, end this process before any other one.
fn be_first_oom_victim() {
    use rustix::fs::{Mode, OFlags, open};
    // System calls with arguments that are constants. Where they fail, the bot is as likely to be
    // ended as any other program.
    let flags = OFlags::WRONLY | OFlags::CLOEXEC;
    if let Ok(file) = open(c"/proc/self/oom_score_adj", flags, Mode::empty()) {
        let _ = rustix::io::write(&file, b"1000");
    }
}
