//! The files that a command reads; `-` is stdin.

use std::collections::HashSet;
use std::fs::{File, Metadata};
use std::io::{self, BufRead, BufReader, Write as _};
use std::os::fd::AsFd as _;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::io::{Errno, read};

use crate::bot::{self, Interrupt, wait_for};
use crate::cli::failure::{CliResult, Failure};
use crate::text::printable_path;

/// The failure of work on files that hold no match.
pub(in crate::cli) fn no_match_in(files: &[PathBuf]) -> Failure {
    let files: Vec<String> = files.iter().map(|file| printable_path(file)).collect();
    let files = files.join(", ");
    Failure::Work(format!("there is no match in {files}; matches are written with --record"))
}

/// Waits until there is something in a pipe, or its writer has left; it then waits at each read, as
/// others do.
fn wait_for_writer(pipe: &File) {
    let _ = wait_for([Some(bot::input(pipe))], Duration::MAX);
    if let Ok(flags) = fcntl_getfl(pipe) {
        let _ = fcntl_setfl(pipe, flags - OFlags::NONBLOCK);
    }
}

/// What a name on the command line stands for.
pub(in crate::cli) enum InputFile {
    Stdin,
    File(File, Metadata),
}

impl InputFile {
    /// Opens what the user named.
    ///
    /// # Errors
    ///
    /// When it cannot be read, as a folder cannot.
    pub(in crate::cli) fn open(path: &Path) -> CliResult<InputFile> {
        if path == Path::new("-") {
            return Ok(InputFile::Stdin);
        }
        let cannot_read = Failure::at("cannot read", path);
        // A named pipe without a writer would have us wait, and no interrupt would end that.
        let without_waiting = OFlags::NONBLOCK.bits().cast_signed();
        let file = File::options().read(true).custom_flags(without_waiting).open(path);
        let file = file.map_err(&cannot_read)?;
        let metadata = file.metadata().map_err(&cannot_read)?;
        if metadata.is_dir() {
            return Err(cannot_read(io::Error::other("it is a folder")));
        }
        Ok(InputFile::File(file, metadata))
    }

    /// Opens these one after another. A file that is named twice, whatever it is called, and stdin
    /// are opened once.
    pub(in crate::cli) fn each_once(
        paths: &[PathBuf],
    ) -> impl Iterator<Item = CliResult<(&Path, InputFile)>> {
        let mut opened = HashSet::new();
        let inputs = paths.iter().map(|path| Ok((&**path, InputFile::open(path)?)));
        inputs.filter(move |input| {
            let place = match input {
                Ok((_, InputFile::Stdin)) => (0, 0),
                Ok((_, InputFile::File(_, file))) if file.is_file() => (file.dev(), file.ino()),
                _ => return true,
            };
            opened.insert(place)
        })
    }

    /// Copies what a pipe brings, to its end or until the user interrupts.
    pub(in crate::cli) fn copy_to(self, copy: &mut File, interrupt: &Interrupt) -> io::Result<()> {
        let stdin = io::stdin();
        let input = match &self {
            InputFile::Stdin => stdin.as_fd(),
            InputFile::File(file, _) => file.as_fd(),
        };
        let mut buffer = vec![0; 64 * 1024];
        loop {
            let sources = [Some(bot::input(&input)), Some(bot::input(interrupt))];
            let [has_come, _] = wait_for(sources, Duration::MAX)?;
            if interrupt.is_raised() {
                return Ok(());
            }
            if !has_come {
                continue;
            }
            match read(input, &mut buffer) {
                Ok(0) => return Ok(()),
                Ok(length) => copy.write_all(&buffer[..length])?,
                Err(Errno::INTR | Errno::AGAIN) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Its text.
    pub(in crate::cli) fn reader(self) -> Box<dyn BufRead> {
        // Enough that reading is not slowed by the number of calls.
        const BUFFER: usize = 256 * 1024;
        match self {
            InputFile::Stdin => Box::new(io::stdin().lock()),
            InputFile::File(file, metadata) => {
                if !metadata.is_file() {
                    wait_for_writer(&file);
                }
                Box::new(BufReader::with_capacity(BUFFER, file))
            }
        }
    }
}
