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
pub fn open_named(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
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
mod tests {
    use std::io::Write as _;
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use rustix::fs::{CWD, FileType, mknodat};

    use super::*;

    /// A folder with a file `other`, which others can write to or not.
    fn folder(mode: u32) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("other"), "other\n").unwrap();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(mode)).unwrap();
        folder
    }

    fn append(path: &Path) -> io::Result<()> {
        open_named(File::options().append(true).create(true), path)?.write_all(b"mine\n")
    }

    /// Holds the promise `no-links`.
    #[test]
    fn links_are_followed_only_where_nobody_else_can_plant_them() {
        for (mode, is_safe) in [(0o755, true), (0o777, false), (0o775, false), (0o1777, false)] {
            let folder = folder(mode);
            let at = |name: &str| folder.path().join(name);
            symlink("other", at("link")).unwrap();
            symlink("made", at("dangling")).unwrap();
            symlink("circle", at("circle")).unwrap();
            fs::hard_link(at("other"), at("hard")).unwrap();
            append(&at("plain")).unwrap();
            for name in ["link", "dangling", "hard"] {
                let appended = append(&at(name)).map_err(|error| error.to_string());
                assert_eq!(appended.is_ok(), is_safe, "{name} {mode:o}: {appended:?}");
                assert!(is_safe || appended.unwrap_err().contains("link in a folder that others"));
            }
            assert!(append(&at("circle")).is_err());
            let expected = if is_safe { "other\nmine\nmine\n" } else { "other\n" };
            assert_eq!(fs::read_to_string(at("other")).unwrap(), expected);
            assert_eq!(at("made").exists(), is_safe);
        }
    }

    #[test]
    fn a_link_to_a_link_that_others_planted_is_not_followed() {
        let (own, shared) = (folder(0o700), folder(0o777));
        symlink("other", shared.path().join("planted")).unwrap();
        symlink(shared.path().join("planted"), own.path().join("link")).unwrap();
        assert!(append(&own.path().join("link")).is_err());
        symlink(shared.path().join("new"), own.path().join("direct")).unwrap();
        append(&own.path().join("direct")).unwrap();
        assert_eq!(fs::read_to_string(shared.path().join("new")).unwrap(), "mine\n");
    }

    /// Holds the promise `no-links`.
    #[test]
    fn a_folder_behind_a_link_that_somebody_else_planted_is_refused() {
        let (own, shared) = (folder(0o700), folder(0o1777));
        fs::create_dir(own.path().join("theirs")).unwrap();
        let link = shared.path().join("link");
        symlink(own.path().join("theirs"), &link).unwrap();
        let try_all = || {
            let [again, behind_slash] = ["again", "slash"].map(|name| own.path().join(name));
            for (made, target) in [(&again, link.clone()), (&behind_slash, link.join(""))] {
                let _ = fs::remove_file(made);
                symlink(target, made).unwrap();
            }
            [
                append(&link.join("file")),
                append(&again.join("file")),
                make_named_folder(&link),
                make_named_folder(&link.join("")),
                make_named_folder(&link.join(".")),
                make_named_folder(&behind_slash),
                make_named_folder(&link.join("new/er")),
                make_folder(&link.join("other/folder")).map(drop),
            ]
        };
        for made in try_all() {
            made.unwrap();
        }
        let nobody = rustix::process::Uid::from_raw(65534);
        if rustix::fs::chownat(CWD, &link, Some(nobody), None, AtFlags::SYMLINK_NOFOLLOW).is_err() {
            // Only the superuser can make somebody else's link.
            return assert!(!geteuid().is_root());
        }
        for made in try_all() {
            let why = made.unwrap_err().to_string();
            assert!(why.contains("/link is a link that somebody else has put"), "{why}");
        }
        // Nobody else can put it there.
        fs::set_permissions(shared.path(), fs::Permissions::from_mode(0o755)).unwrap();
        append(&link.join("file")).unwrap();
        symlink("circle", own.path().join("circle")).unwrap();
        assert!(append(&own.path().join("circle/file")).is_err());
    }

    #[test]
    fn files_made_anew_replace_links_and_pipes() {
        let folder = folder(0o777);
        let at = |name: &str| folder.path().join(name);
        symlink("other", at("link")).unwrap();
        symlink("missing", at("dangling")).unwrap();
        fs::hard_link(at("other"), at("hard")).unwrap();
        let fifo = rustix::fs::FileType::Fifo;
        rustix::fs::mknodat(rustix::fs::CWD, at("pipe"), fifo, 0o666.into(), 0).unwrap();
        let open = open_folder(folder.path()).unwrap();
        for name in ["link", "dangling", "hard", "pipe", "none"] {
            create_in(&open, Path::new(name)).unwrap().write_all(b"mine\n").unwrap();
            assert!(at(name).symlink_metadata().unwrap().is_file());
            assert_eq!(fs::read_to_string(at(name)).unwrap(), "mine\n");
        }
        assert_eq!(fs::read_to_string(at("other")).unwrap(), "other\n");
        assert!(!at("missing").exists());
    }

    #[test]
    fn folders_that_are_links_are_refused() {
        let folder = folder(0o755);
        let at = |name: &str| folder.path().join(name);
        drop(make_folder(&at("a/b")).unwrap());
        drop(make_folder(&at("a/b")).unwrap());
        symlink("b", at("a/link")).unwrap();
        symlink("a", at("above")).unwrap();
        assert!(make_folder(&at("a/link")).is_err() && make_folder(&at("above/c")).is_err());
        assert!(open_folder(&at("above")).is_err() && !at("a/c").exists());
    }

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
