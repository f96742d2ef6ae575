//! What a bot's process does between `fork` and `exec`: it takes on all that holds the bot, and
//! then becomes the bot. Nothing of ours ever runs in a bot's Landlock domain, where the bot could
//! send it signals.
//!
//! One of three modules with `unsafe` code. The process that runs this is a copy of a program that may
//! have had other threads, whose locks stay locked for ever. So all that needs memory or a lock is
//! done before, and what is left are system calls on values that are ready.

use std::ffi::{CString, OsStr, OsString};
use std::io;
use std::os::fd::{AsRawFd as _, OwnedFd};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command};
use std::sync::Arc;
use std::sync::atomic::AtomicPtr;

use rustix::io::Errno;
use rustix::thread::{CapabilitiesSecureBits, CapabilitySet, CapabilitySets};

/// What holds a bot in the sandbox, ready to be taken on.
#[derive(Debug)]
pub(super) struct Confinement {
    /// A Landlock ruleset.
    pub(super) rules: Arc<OwnedFd>,
    /// A seccomp filter.
    pub(super) filter: Arc<seccompiler::BpfProgram>,
}

/// Starts a program that has taken on what confines it before it is the program. The command says
/// its streams and its group; these are its words and variables.
///
/// # Errors
///
/// What the system says, as it does of a program that is started in the usual way.
pub(super) fn start_confined(
    command: &mut Command,
    words: &[String],
    variables: Vec<(OsString, OsString)>,
    confinement: Confinement,
) -> io::Result<Child> {
    let program = Program::new(words, variables)?;
    let steps = move || {
        be_the_first_to_go();
        confine(&confinement)?;
        Err(program.execute())
    };
    // SAFETY: `steps` allocates nothing, frees nothing and takes no lock: see the functions that
    // it calls. What it owns was made before and is only read; its memory is the child's own copy.
    #[expect(unsafe_code, reason = "nothing safe runs between fork and exec")]
    unsafe {
        command.pre_exec(steps);
    }
    command.spawn()
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

/// Takes it on, for this process and all that it starts.
fn confine(confinement: &Confinement) -> io::Result<()> {
    // Each of these is one system call, or a few, and its errors are numbers.
    if rustix::process::geteuid().is_root() {
        // Or a program of the superuser would get its privileges back.
        let bits = CapabilitiesSecureBits::NO_ROOT | CapabilitiesSecureBits::NO_ROOT_LOCKED;
        rustix::thread::set_capabilities_secure_bits(bits)?;
    }
    let none = CapabilitySet::empty();
    let sets = CapabilitySets { effective: none, permitted: none, inheritable: none };
    rustix::thread::set_capabilities(None, sets)?;
    rustix::thread::set_no_new_privs(true)?;
    restrict_self(&confinement.rules)?;
    // The library gives the kernel a pointer to the filter; its errors hold a number.
    seccompiler::apply_filter(&confinement.filter).map_err(|_| io::Error::last_os_error())
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

/// Strings, and the list of pointers to them that the kernel takes, null at its end. Such a list
/// of plain pointers could not be moved into the closure.
struct Strings {
    pointers: Vec<AtomicPtr<libc::c_char>>,
    /// What they point to, which stays where it is.
    _strings: Vec<CString>,
}

impl Strings {
    fn new(strings: Vec<CString>) -> Strings {
        let pointers = strings.iter().map(|string| AtomicPtr::new(string.as_ptr().cast_mut()));
        let pointers = pointers.chain([AtomicPtr::default()]).collect();
        Strings { pointers, _strings: strings }
    }

    const fn as_ptr(&self) -> *const *const libc::c_char {
        self.pointers.as_ptr().cast()
    }
}

impl Program {
    fn new(words: &[String], variables: Vec<(OsString, OsString)>) -> io::Result<Program> {
        let path = variables.iter().find(|(name, _)| name == "PATH").map(|(_, value)| &**value);
        let files = files(&words[0], path.unwrap_or(OsStr::new("/bin:/usr/bin")))?;
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
            // at the end, and all of it lives as long as `self`. An `AtomicPtr` is a pointer in
            // memory.
            #[expect(unsafe_code, reason = "the standard library calls it with its own fallback")]
            unsafe {
                libc::execve(file.as_ptr(), self.words.as_ptr(), self.variables.as_ptr());
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
