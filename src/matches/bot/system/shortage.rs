//! What a refusal of the kernel means to the user: which limit was reached, and what to do.

use std::fs::File;
use std::io;
use std::path::PathBuf;

use rustix::io::Errno;
use rustix::process::{Resource, getrlimit};

/// Whether an error means that the system or this user has too few descriptors (those in transit
/// included), too little memory or too few processes left, whoever asks.
pub(crate) fn has_no_room(error: &io::Error) -> bool {
    let error = error.raw_os_error().map(Errno::from_raw_os_error);
    let none = [Errno::MFILE, Errno::NFILE, Errno::TOOMANYREFS, Errno::NOMEM, Errno::NOBUFS];
    error.is_some_and(|error| none.contains(&error) || error == Errno::AGAIN)
}

/// Whether `error` says that the system has no more processes, which may be over soon.
pub fn is_out_of_processes(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::WouldBlock
}

/// Adds to an error of [`has_no_room`] which limit was reached and what to do. Other errors stay as
/// they are.
pub fn explained(error: io::Error) -> io::Error {
    let limit = |resource| getrlimit(resource).current.map_or("no limit".into(), |n| n.to_string());
    let why = match error.raw_os_error().map(Errno::from_raw_os_error) {
        Some(Errno::AGAIN) => format!(
            "no more processes and threads: this user may have {} (ulimit -u), and a control group \
             may allow fewer (pids.max); raise that, or end some",
            limit(Resource::Nproc)
        ),
        Some(Errno::MFILE) => {
            format!("no more open files than {}; raise that (ulimit -n)", limit(Resource::Nofile))
        }
        Some(Errno::TOOMANYREFS) => {
            "too many descriptors of this user are on their way between programs; raise the number \
             of open files (ulimit -n)"
                .to_owned()
        }
        Some(Errno::NFILE) => "the whole system has no more open files (fs.file-max)".to_owned(),
        Some(Errno::NOMEM | Errno::NOBUFS) => format!(
            "no more memory; the address space of a program is limited to {} bytes (ulimit -v)",
            limit(Resource::As)
        ),
        _ => return error,
    };
    io::Error::new(error.kind(), format!("{why} ({error})"))
}

/// Why a temporary file or folder could not be made, and what to do.
pub fn without_temporary(error: &io::Error) -> io::Error {
    // The library hides the system's own error; opening the folder shows it again.
    match File::open(std::env::temp_dir()) {
        Err(again) if has_no_room(&again) => explained(again),
        _ => {
            let advice = "set TMPDIR to a folder that you may write to";
            io::Error::new(error.kind(), format!("{error}; {advice}"))
        }
    }
}

/// What to start for this program to run once more: this very program, even if its file was
/// replaced meanwhile.
///
/// # Errors
///
/// When the system does not tell where it is.
pub fn this_program() -> io::Result<PathBuf> {
    let itself = PathBuf::from("/proc/self/exe");
    if itself.exists() { Ok(itself) } else { std::env::current_exe() }
}

/// The device that takes whatever is written to it.
///
/// # Errors
///
/// When it cannot be opened; the text says what to do if it is missing.
pub fn open_null_device() -> io::Result<File> {
    File::options().write(true).open("/dev/null").map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => io::Error::other("there is no /dev/null; mount /dev"),
        _ => error,
    })
}
