//! A program, ready for a process to become it.

use std::collections::BTreeMap;
use std::ffi::{CString, OsStr, OsString};
use std::io;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::ptr;

use rustix::io::Errno;

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
