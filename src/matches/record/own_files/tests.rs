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
