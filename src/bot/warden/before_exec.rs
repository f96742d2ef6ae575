//! Starts a bot: what its process does between `clone` and `exec`. It takes on the bot's restrictions
//! and then becomes the bot. None of our code ever runs in a bot's Landlock domain, where the bot
//! could send it signals.
//!
//! Has `unsafe` code. Until `exec`, the process runs in the memory of the
//! warden, which waits for it. The standard library's `pre_exec` would copy that memory instead:
//! 0.19 ms of processor time more for each start, which takes 1.1 ms in all (600 matches, 9
//! alternating pairs). Other threads of the warden may hold locks meanwhile, so all that needs memory
//! or a lock is done before, and only system calls on prepared values are left.

use std::collections::BTreeMap;
use std::ffi::{CStr, CString, OsStr, OsString, c_int, c_void};
use std::fs::File;
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd as _, OwnedFd};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};

use nix::sys::signal::{SigSet, SigmaskHow, pthread_sigmask};
use rustix::io::Errno;
use rustix::process::{Pid, WaitOptions, waitpid};
use rustix::stdio::{dup2_stderr, dup2_stdin, dup2_stdout};
use rustix::thread::{CapabilitiesSecureBits, CapabilitySet, CapabilitySets};

use super::birth::{Births, ProcessLimit};
use super::wire::{BotStart, STREAMS};
use crate::bot::system;

/// The stack of a process that is not the bot yet, in units of 16 bytes: 64 KiB, of which it uses
/// some hundred bytes.
const STACK: usize = 4096;

/// The restrictions of the sandbox, ready for a process to take on.
#[derive(Debug)]
pub(super) struct Confinement<'a> {
    /// A Landlock ruleset.
    pub(super) rules: &'a OwnedFd,
    /// A seccomp filter.
    pub(super) filter: &'a seccompiler::BpfProgram,
}

/// Starts a bot, in a group of its own, that has taken on what confines it, if anything does, before
/// it is the bot. It has the variables `own` beside ours and those that were given to it. None of
/// its `streams` is one of ours. Where `births` cannot limit it after all, that becomes what can.
/// Returns the number of a child that nobody has reaped.
///
/// # Errors
///
/// What the system says, as it does of a program that is started in the usual way.
pub(super) fn start(
    bot: &BotStart,
    streams: &[OwnedFd; STREAMS],
    own: impl IntoIterator<Item = (OsString, OsString)>,
    confinement: Option<&Confinement<'_>>,
    births: &mut Births,
) -> io::Result<Pid> {
    let given = bot.variables.iter().map(|(name, value)| (name.into(), value.into()));
    // The last one counts.
    let variables = std::env::vars_os().chain(given).chain(own).collect();
    let folder = bot.folder.as_ref().map(|folder| CString::new(folder.as_bytes()));
    let folder = folder.transpose()?;
    let program = Program::new(&bot.words, variables)?;
    loop {
        let becoming = Becoming {
            program: &program,
            folder: folder.as_deref(),
            streams,
            confinement,
            births,
            is_limited: AtomicBool::new(false),
            error: AtomicI32::new(0),
        };
        let started = becoming.start();
        match started {
            // The limit failed, not the program.
            Err(error)
                if !becoming.is_limited.into_inner()
                    && !system::has_no_room(&error)
                    && births.kind() != ProcessLimit::Looks =>
            {
                *births = Births::Looks;
            }
            started => return started,
        }
    }
}

/// Whether a process can be limited so.
pub(super) fn can_be_limited(births: &Births) -> bool {
    let Ok(null) = File::open("/dev/null").map(OwnedFd::from) else { return false };
    let Ok(others) = null.try_clone().and_then(|second| Ok([second, null.try_clone()?])) else {
        return false;
    };
    let [second, third] = others;
    // A folder is never a program.
    let Ok(program) = Program::new(&["/".to_owned()], BTreeMap::new()) else { return false };
    let becoming = Becoming {
        program: &program,
        folder: None,
        streams: &[null, second, third],
        confinement: None,
        births,
        is_limited: AtomicBool::new(false),
        error: AtomicI32::new(0),
    };
    let _ = becoming.start();
    becoming.is_limited.into_inner()
}

/// What a child needs to become a program.
struct Becoming<'a> {
    program: &'a Program,
    folder: Option<&'a CStr>,
    streams: &'a [OwnedFd; STREAMS],
    confinement: Option<&'a Confinement<'a>>,
    births: &'a Births,
    /// Whether it got as far as to be limited.
    is_limited: AtomicBool,
    /// The system's number for why it did not, or 0.
    error: AtomicI32,
}

impl Becoming<'_> {
    /// Returns the number of the child if it has become the program.
    fn start(&self) -> io::Result<Pid> {
        // A handler of ours would run in our memory, and not for us. The child lets them through
        // again.
        let mut before = SigSet::empty();
        pthread_sigmask(SigmaskHow::SIG_SETMASK, Some(&SigSet::all()), Some(&mut before))?;
        let child = self.in_a_child();
        pthread_sigmask(SigmaskHow::SIG_SETMASK, Some(&before), None)?;
        let child = child?;
        match self.error.load(Ordering::Relaxed) {
            0 => Ok(child),
            error => {
                // It has ended, or does so now.
                let _ = waitpid(Some(child), WaitOptions::empty());
                Err(io::Error::from_raw_os_error(error))
            }
        }
    }

    /// Returns when the child has become the program, or has ended.
    fn in_a_child(&self) -> io::Result<Pid> {
        let mut stack: Box<[MaybeUninit<u128>]> = Box::new_uninit_slice(STACK);
        let own =
            if self.births.kind() == ProcessLimit::Namespace { libc::CLONE_NEWUSER } else { 0 };
        let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::SIGCHLD | own;
        // SAFETY: the kernel has this thread wait until the child has a memory of its own or is
        // gone, so `self` and the stack outlive its use of them, and nothing changes them meanwhile.
        // The stack grows down from its end, which is aligned to 16 bytes. `in_the_child` takes
        // what is handed to it here, and does not return.
        #[expect(
            unsafe_code,
            reason = "no library starts a process in this way and then confines it"
        )]
        let child = unsafe {
            let top = stack.as_mut_ptr_range().end.cast::<c_void>();
            let argument = ptr::from_ref(self).cast_mut().cast::<c_void>();
            libc::clone(in_the_child, top, flags, argument)
        };
        Pid::from_raw(child.max(0)).ok_or_else(io::Error::last_os_error)
    }

    /// Becomes the program. Returns only when that fails.
    fn go(&self) -> io::Result<()> {
        // Each of these is one system call, or a few, and its errors are numbers: nothing here
        // allocates, frees or takes a lock.
        be_no_warden()?;
        self.births.take_on()?;
        self.is_limited.store(true, Ordering::Relaxed);
        let [stdin, stdout, stderr] = self.streams;
        dup2_stdin(stdin)?;
        dup2_stdout(stdout)?;
        dup2_stderr(stderr)?;
        rustix::process::setsid()?;
        if let Some(folder) = self.folder {
            rustix::process::chdir(folder)?;
        }
        be_the_first_to_go();
        self.confinement.map_or(Ok(()), confine)?;
        receive_signals_as_others_do()?;
        Err(self.program.execute())
    }
}

/// Where a child begins.
extern "C" fn in_the_child(becoming: *mut c_void) -> c_int {
    // SAFETY: `in_a_child` hands on a pointer to what it borrows, and lives until this has ended.
    #[expect(unsafe_code, reason = "the kernel hands on a pointer")]
    let becoming = unsafe { &*becoming.cast::<Becoming<'_>>() };
    if let Err(error) = becoming.go() {
        let error = error.raw_os_error().unwrap_or(libc::EIO);
        becoming.error.store(error, Ordering::Relaxed);
    }
    // SAFETY: it ends the child alone, at once, and runs nothing of ours.
    #[expect(unsafe_code, reason = "to return would run what ends the warden")]
    unsafe {
        libc::_exit(127)
    }
}

/// Gives up the warden's name. A bot outside the sandbox may kill wardens by their name, and would
/// kill its opponent that is just starting.
fn be_no_warden() -> io::Result<()> {
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
fn be_the_first_to_go() {
    use rustix::fs::{Mode, OFlags, open};
    // System calls with arguments that are constants. Where they fail, the bot is as likely to be
    // ended as any other program.
    let flags = OFlags::WRONLY | OFlags::CLOEXEC;
    if let Ok(file) = open(c"/proc/self/oom_score_adj", flags, Mode::empty()) {
        let _ = rustix::io::write(&file, b"1000");
    }
}

/// Confines this process and all that it starts.
fn confine(confinement: &Confinement<'_>) -> io::Result<()> {
    if rustix::process::geteuid().is_root() {
        // Or a program of the superuser would get its privileges back.
        let bits = CapabilitiesSecureBits::NO_ROOT | CapabilitiesSecureBits::NO_ROOT_LOCKED;
        rustix::thread::set_capabilities_secure_bits(bits)?;
    }
    let none = CapabilitySet::empty();
    let sets = CapabilitySets { effective: none, permitted: none, inheritable: none };
    rustix::thread::set_capabilities(None, sets)?;
    rustix::thread::set_no_new_privs(true)?;
    restrict_self(confinement.rules)?;
    // The library gives the kernel a pointer to the filter; its errors hold a number.
    seccompiler::apply_filter(confinement.filter).map_err(|_| io::Error::last_os_error())
}

/// Takes on a Landlock ruleset.
fn restrict_self(rules: &OwnedFd) -> io::Result<()> {
    // SAFETY: the call takes a descriptor, which is open for as long as it is borrowed, and flags,
    // of which there are none; it reads and writes no memory of ours.
    #[expect(unsafe_code, reason = "no library calls it without taking the ruleset apart")]
    let answer = unsafe { libc::syscall(libc::SYS_landlock_restrict_self, rules.as_raw_fd(), 0) };
    if answer == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// A program as the kernel takes it. The standard library's own way would run a file of no known
/// format with a shell.
struct Program {
    /// The files that it may be, in the order in which they are tried.
    files: Vec<CString>,
    words: Strings,
    variables: Strings,
}

/// Strings, and the list of pointers to them that the kernel takes, null at its end.
struct Strings {
    pointers: Vec<*const libc::c_char>,
    /// What they point to, which stays where it is.
    _strings: Vec<CString>,
}

impl Strings {
    fn new(strings: Vec<CString>) -> Strings {
        let pointers = strings.iter().map(|string| string.as_ptr());
        let pointers = pointers.chain([ptr::null()]).collect();
        Strings { pointers, _strings: strings }
    }
}

impl Program {
    fn new(words: &[String], variables: BTreeMap<OsString, OsString>) -> io::Result<Program> {
        let path =
            variables.get(OsStr::new("PATH")).map_or(OsStr::new("/bin:/usr/bin"), |path| path);
        let files = files(&words[0], path)?;
        let words = words.iter().map(|word| CString::new(word.as_bytes()));
        let variables = variables.into_iter().map(|(mut variable, value)| {
            variable.push("=");
            variable.push(value);
            CString::new(variable.into_vec())
        });
        Ok(Program {
            files,
            words: Strings::new(words.collect::<Result<_, _>>()?),
            variables: Strings::new(variables.collect::<Result<_, _>>()?),
        })
    }

    /// Becomes the program. Returns only when that fails.
    fn execute(&self) -> io::Error {
        let mut refused = None;
        for file in &self.files {
            // SAFETY: the file is a C string, the lists hold pointers to C strings and a null one
            // at the end, and all of it lives as long as `self`.
            #[expect(unsafe_code, reason = "the standard library calls it with its own fallback")]
            unsafe {
                let (words, variables) = (&self.words.pointers, &self.variables.pointers);
                libc::execve(file.as_ptr(), words.as_ptr(), variables.as_ptr());
            }
            let error = io::Error::last_os_error();
            match error.raw_os_error().map(Errno::from_raw_os_error) {
                Some(Errno::NOENT | Errno::NOTDIR) => {}
                // Another folder may have one that may be executed.
                Some(Errno::ACCESS) => refused = Some(error),
                _ => return error,
            }
        }
        refused.unwrap_or_else(|| Errno::NOENT.into())
    }
}

/// The files that a program's name may stand for.
fn files(program: &str, path: &OsStr) -> io::Result<Vec<CString>> {
    if program.contains('/') {
        return Ok(vec![CString::new(program)?]);
    }
    let files = std::env::split_paths(path).map(|folder| folder.join(program));
    let files = files.map(|file| CString::new(file.as_os_str().as_bytes()));
    Ok(files.collect::<Result<_, _>>()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_searched_as_a_shell_does() {
        let found = |program: &str| files(program, OsStr::new("/a:b::/c")).unwrap();
        assert_eq!(found("x"), [c"/a/x", c"b/x", c"x", c"/c/x"].map(CString::from));
        assert_eq!(found("./x"), [CString::from(c"./x")]);
        assert!(files("x\0", OsStr::new("/a")).is_err());
    }
}
