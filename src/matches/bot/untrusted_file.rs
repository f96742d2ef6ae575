//! Reading a file that a stranger has put where a file is expected.

use std::fs::File;
use std::io;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use rustix::fs::OFlags;

/// Opens a file to read it. A pipe, which may have no writer, is refused and not waited for.
///
/// # Errors
///
/// When the system refuses it, or when it is a folder, a pipe, a socket or a device.
pub fn open_regular_file(path: &Path) -> io::Result<File> {
    let flags = OFlags::NONBLOCK.bits().cast_signed();
    let file = File::options().read(true).custom_flags(flags).open(path)?;
    if file.metadata()?.is_file() {
        Ok(file)
    } else {
        Err(io::Error::other("it is a folder, a pipe or a device, not a file"))
    }
}

#[cfg(test)]
mod tests {
    use rustix::fs::{CWD, FileType, Mode, mknodat};

    use super::*;

    #[test]
    fn only_a_file_is_opened_and_nothing_is_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("file"), "text").unwrap();
        assert_eq!(io::read_to_string(open_regular_file(&at("file")).unwrap()).unwrap(), "text");
        mknodat(CWD, at("pipe"), FileType::Fifo, Mode::RUSR, 0).unwrap();
        for other in [at("pipe"), folder.path().to_owned(), "/dev/null".into()] {
            let error = open_regular_file(&other).unwrap_err();
            assert!(error.to_string().ends_with("not a file"), "{error}");
        }
        assert_eq!(open_regular_file(&at("none")).unwrap_err().kind(), io::ErrorKind::NotFound);
    }
}
