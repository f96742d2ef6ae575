//! A program, ready for a process to become it.

use std::collections::BTreeMap;
use std::ffi::{CStr, CString, OsStr, OsString};
use std::io;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::ptr;
use std::thread;
use std::time::Duration;

use rustix::io::Errno;

/// How often a file that somebody has open for writing is tried again, and after which pause.
const BUSY_RETRIES: usize = 100;
const BUSY_PAUSE: Duration = Duration::from_millis(2);

/// A program as the kernel takes it. The standard library's own way would run a file of no known
/// format with a shell.
pub(super) struct Program {
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
    pub(super) fn new(
        words: &[String],
        variables: BTreeMap<OsString, OsString>,
    ) -> io::Result<Program> {
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
    pub(super) fn execute(&self) -> io::Error {
        let error = first_that_runs(&self.files, |file| {
            // SAFETY: the file is a C string, the lists hold pointers to C strings and a null one
            // at the end, and all of it lives as long as `self`.
            #[expect(unsafe_code, reason = "the standard library calls it with its own fallback")]
            unsafe {
                let (words, variables) = (&self.words.pointers, &self.variables.pointers);
                libc::execve(file.as_ptr(), words.as_ptr(), variables.as_ptr());
            }
            Errno::from_io_error(&io::Error::last_os_error()).unwrap_or(Errno::NOEXEC)
        });
        error.into()
    }
}

/// Executes the first file that can be, as a shell does; returns why none could.
fn first_that_runs(files: &[CString], mut execute: impl FnMut(&CStr) -> Errno) -> Errno {
    let mut refused = Errno::NOENT;
    for file in files {
        let mut error = execute(file);
        // Whoever was forked while somebody wrote the file has it open until it executes its own.
        for _ in 0..BUSY_RETRIES {
            if error != Errno::TXTBSY {
                break;
            }
            thread::sleep(BUSY_PAUSE);
            error = execute(file);
        }
        match error {
            Errno::NOENT | Errno::NOTDIR => {}
            // Another folder may have one that may be executed.
            Errno::ACCESS => refused = error,
            _ => return error,
        }
    }
    refused
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

    #[test]
    fn a_file_that_is_still_open_for_writing_is_tried_again() {
        use Errno as E;
        let files = [c"/a/x", c"/b/x", c"/c/x"].map(CString::from);
        let tried = |mut answers: Vec<Errno>| {
            let error = first_that_runs(&files, |_| answers.remove(0));
            (error, answers.len())
        };
        assert_eq!(tried(vec![E::TXTBSY, E::TXTBSY, E::NOEXEC, E::PERM]), (E::NOEXEC, 1));
        assert_eq!(tried(vec![E::NOENT, E::ACCESS, E::TXTBSY, E::NOENT]), (E::ACCESS, 0));
        let (always, more) = (vec![E::TXTBSY; BUSY_RETRIES + 2], 1);
        assert_eq!(tried(always), (E::TXTBSY, more));
    }
}
