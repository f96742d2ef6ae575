//! How the referee opens the files that it writes, and those that strangers put where it reads: in a
//! folder that others can write to, no link is followed, and no pipe is waited for.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _};
use std::os::fd::OwnedFd;
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, Mode, OFlags, fstatfs, mkdirat, openat, unlinkat};
use rustix::io::Errno;
use rustix::process::geteuid;

use crate::text;

/// As many links are followed as the system follows.
const MOST_LINKS: u32 = 40;

const PROC_SUPER_MAGIC: i64 = 0x9fa0;

/// Opens a file that a user has named, which may be a pipe.
///
/// # Errors
///
/// When the system refuses it, or it is a link, symbolic or hard, in a folder that others can write
/// to, or somebody else has planted a link above it.
pub(crate) fn open_named(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    let (path, flags) = followed(path)?;
    let flags = flags | OFlags::NONBLOCK;
    let file = options.custom_flags(flags.bits().cast_signed()).open(&path)?;
    let found = file.metadata()?;
    if found.is_file() && found.nlink() > 1 && others_can_write(folder_of(&path))? {
        return Err(planted("hard link"));
    }
    Ok(file)
}

/// Opens a record file to read what it holds. A pipe that somebody has put there is not waited for.
///
/// # Errors
///
/// When the system refuses it.
pub fn open_to_read(path: &Path) -> io::Result<File> {
    let flags = OFlags::NONBLOCK.bits().cast_signed();
    File::options().read(true).custom_flags(flags).open(path)
}

/// Opens a file that a stranger may have put there to read it.
///
/// # Errors
///
/// When the system refuses it, or when it is a folder, a pipe, a socket or a device.
pub fn open_regular_file(path: &Path) -> io::Result<File> {
    let file = open_to_read(path)?;
    if file.metadata()?.is_file() {
        Ok(file)
    } else {
        Err(io::Error::other("it is a folder, a pipe or a device, not a file"))
    }
}

/// What a file holds that a user has named: at most `most` bytes.
///
/// # Errors
///
/// When the system refuses it, or it holds more.
pub fn read_at_most(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(io::Error::other(format!("it has more than {}", text::bytes(most))));
    }
    Ok(bytes)
}

/// Where a file is that a user has named, with links followed as [`open_named`] follows them.
///
/// # Errors
///
/// As `open_named`.
pub fn place_of_named(path: &Path) -> io::Result<PathBuf> {
    followed(path).map(|(path, _)| path)
}

/// Makes a folder that a user has named, and those above it, where they are missing.
///
/// # Errors
///
/// When the system refuses it, or one of them is a link that somebody else has planted.
pub fn make_named_folder(path: &Path) -> io::Result<()> {
    // One by one: what is behind `..` is known once the folder before it is there.
    let places = path.ancestors().filter(|place| *place != Path::new("")).collect::<Vec<_>>();
    for place in places.into_iter().rev() {
        refuse_planted_links(place, &mut MOST_LINKS.clone())?;
        match fs::create_dir(place) {
            Err(_) if place.is_dir() => {}
            made => made?,
        }
    }
    Ok(())
}

/// Makes a file anew in an open folder. What is there is removed first, for it may be a link to
/// another file.
///
/// # Errors
///
/// When the system refuses it.
pub fn create_in(folder: &OwnedFd, name: &Path) -> io::Result<File> {
    match unlinkat(folder, name, AtFlags::empty()) {
        Ok(()) | Err(Errno::NOENT) => {}
        Err(error) => return Err(error.into()),
    }
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
    Ok(openat(folder, name, flags, Mode::from_raw_mode(0o666))?.into())
}

/// Opens a folder of the referee's, unless something has put a link there.
///
/// # Errors
///
/// When it is a link or no folder, or the system refuses it.
pub fn open_folder(path: &Path) -> io::Result<OwnedFd> {
    Ok(rustix::fs::open(path, FOLDER | OFlags::NOFOLLOW, Mode::empty())?)
}

/// As [`open_folder`], and makes it, and those above it, where they are missing.
///
/// # Errors
///
/// As `open_folder`; the folder above it may not be a link either.
pub fn make_folder(path: &Path) -> io::Result<OwnedFd> {
    let above = folder_of(path);
    make_named_folder(above)?;
    let (above, name) = (open_folder(above)?, path.file_name().unwrap_or_default());
    match mkdirat(&above, name, Mode::from_raw_mode(0o777)) {
        Ok(()) | Err(Errno::EXIST) => {}
        Err(error) => return Err(error.into()),
    }
    Ok(openat(&above, name, FOLDER | OFlags::NOFOLLOW, Mode::empty())?)
}

const FOLDER: OFlags = OFlags::DIRECTORY.union(OFlags::CLOEXEC);

/// Where a path leads by the links that may be followed, and the flags with which that is opened.
fn followed(path: &Path) -> io::Result<(PathBuf, OFlags)> {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        let folder = folder_of(&path);
        // In a user namespace the superuser's link is nobody's.
        if folder != Path::new("/dev/fd") {
            refuse_planted_links(folder, &mut MOST_LINKS.clone())?;
        }
        let Ok(link) = fs::read_link(&path) else { return Ok((path, OFlags::NOFOLLOW)) };
        // Such as /dev/fd/63, which is a pipe without a name.
        if fstatfs(File::open(folder)?)?.f_type == PROC_SUPER_MAGIC {
            return Ok((path, OFlags::empty()));
        }
        if others_can_write(folder)? {
            return Err(planted("link"));
        }
        path = folder.join(link);
    }
    Err(Errno::LOOP.into())
}

/// Refuses a folder to which a link leads that somebody else has put into a folder that others can
/// write to. At most `left` links are followed in all.
fn refuse_planted_links(folder: &Path, left: &mut u32) -> io::Result<()> {
    // Behind a link's name, `/` and `/.` would stand for the folder that it leads to.
    let folder: PathBuf = folder.components().collect();
    let places = folder.ancestors().filter(|place| *place != Path::new("")).collect::<Vec<_>>();
    for place in places.into_iter().rev() {
        // A folder that is missing is to be made.
        let Ok(found) = place.symlink_metadata() else { return Ok(()) };
        if !found.is_symlink() {
            continue;
        }
        *left = left.checked_sub(1).ok_or(Errno::LOOP)?;
        let above = folder_of(place);
        if !is_ours(&found) && others_can_write(above)? {
            return Err(io::Error::other(format!(
                "{} is a link that somebody else has put into a folder that others can write to, and \
                 no such link is followed; name another folder",
                text::printable(&place.to_string_lossy())
            )));
        }
        refuse_planted_links(&above.join(fs::read_link(place)?), left)?;
    }
    Ok(())
}

fn planted(kind: &str) -> io::Error {
    io::Error::other(format!(
        "it is a {kind} in a folder that others can write to, and no such link is followed; name \
         the file itself, or a file in another folder"
    ))
}

/// Whether somebody else, the superuser aside, can put links into a folder.
fn others_can_write(folder: &Path) -> io::Result<bool> {
    let found = folder.metadata()?;
    Ok(!is_ours(&found) || found.mode() & 0o022 != 0)
}

/// Whether something belongs to this user or to the superuser.
fn is_ours(found: &fs::Metadata) -> bool {
    [0, geteuid().as_raw()].contains(&found.uid())
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests;
