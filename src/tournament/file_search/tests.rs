use super::*;

const EVERYWHERE: WantedFiles = WantedFiles::Bots { follows_links: true };
const WITHOUT_LINKS: WantedFiles = WantedFiles::Bots { follows_links: false };

#[test]
fn files_are_found_in_order_without_hidden_ones_and_a_folder_among_them_is_told() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["b.c", "a.c", ".hidden.c", "c.h"] {
        std::fs::write(folder.path().join(name), "").unwrap();
    }
    std::fs::create_dir(folder.path().join("d.c")).unwrap();
    let found = find_files("*.c", folder.path(), EVERYWHERE).unwrap();
    let paths: Vec<_> = found.iter().map(|file| file.as_ref().map(FoundFile::path)).collect();
    let folder_named_so = "d.c is a folder; put the file itself there".to_owned();
    assert_eq!(paths, [Ok("a.c"), Ok("b.c"), Err(&folder_named_so)]);
    assert_eq!(find_files("*", folder.path(), EVERYWHERE).unwrap().len(), 3);
    // A name without a dot is a file's name, too.
    std::fs::create_dir(folder.path().join("x")).unwrap();
    std::fs::create_dir(folder.path().join("x/run")).unwrap();
    let run = find_files("*/run", folder.path(), EVERYWHERE).unwrap();
    let is_a_folder = "x/run is a folder; put the file itself there".to_owned();
    assert_eq!(
        run.iter().map(|file| file.as_ref().err()).collect::<Vec<_>>(),
        [Some(&is_a_folder)]
    );
    rustix::fs::mknodat(
        rustix::fs::CWD,
        folder.path().join("e.c"),
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::RUSR,
        0,
    )
    .unwrap();
    let found = find_files("[ae].c", folder.path(), EVERYWHERE).unwrap();
    let is_a_pipe = "e.c is a pipe, a socket or a device; put a file there".to_owned();
    assert_eq!(
        found.iter().filter_map(|file| file.as_ref().err()).collect::<Vec<_>>(),
        [&is_a_pipe]
    );
    // A pattern that fits any name, or any of some letters, means no folder.
    assert!(matches!(find_files("x/[!_]*", folder.path(), EVERYWHERE), Err(NoFiles::NoMatch(_))));
    assert!(matches!(find_files("x/*", folder.path(), EVERYWHERE), Err(NoFiles::NoMatch(_))));
    assert!(
        find_files("*.py", folder.path(), EVERYWHERE)
            .unwrap_err()
            .to_string()
            .contains("matches \"*.py\"")
    );
    assert!(
        find_files("[", folder.path(), EVERYWHERE).unwrap_err().to_string().contains("invalid")
    );
}

#[test]
fn a_pattern_that_matches_nothing_says_what_may_be_wrong() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(folder.path().join("sub/ann")).unwrap();
    std::fs::write(folder.path().join("sub/ann/bot.py"), "").unwrap();
    for (pattern, hint) in [
        ("sub/{ann,ben}/*.py", "; braces are taken as they stand; write a [[bots]] for each"),
        ("~/sub/*.py", "; no shell is run, so ~ stays as it is; write the path in full"),
        ("sub\\*\\*.py", "; write / between folders"),
        ("sub/*/*.PY", "; sub/ann/bot.py differs in capital letters"),
        ("sub/*", "; sub/ann is a folder: \"sub/*/*\" would match the files in it"),
        ("sub/*/*.c", ""),
        ("sub/*.py", "; sub/ann/bot.py lies one folder deeper: \"sub/*/*.py\" would match it"),
        ("*.py", ""),
    ] {
        let error = find_files(pattern, folder.path(), EVERYWHERE).unwrap_err().to_string();
        assert!(error.ends_with(&format!("matches {pattern:?}{hint}")), "{error}");
    }
}

#[test]
fn a_pattern_reaches_into_folders() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["x/ann", "x/ann b", "x/.git", "y"] {
        std::fs::create_dir_all(folder.path().join(name)).unwrap();
        std::fs::write(folder.path().join(name).join("bot.c"), "").unwrap();
    }
    let found = |pattern: &str| {
        let found = find_files(pattern, folder.path(), EVERYWHERE).unwrap();
        found.into_iter().map(|file| file.unwrap().path().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(found("x/*/bot.c"), ["x/ann/bot.c", "x/ann b/bot.c"]);
    assert_eq!(found("./x/../[xy]/bot.c"), ["x/../y/bot.c"]);
    let all = ["x/ann/bot.c", "x/ann b/bot.c", "y/bot.c"];
    assert_eq!(found("**/bot.c"), all);
    assert_eq!(found(&format!("{}/**/*.c", folder.path().display())), all);
    assert_eq!(found("y/bot.c"), ["y/bot.c"]);
}

#[test]
fn a_link_that_was_handed_in_is_told_and_not_followed() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::create_dir_all(at("real/ann")).unwrap();
    std::fs::write(at("real/ann/bot.c"), "").unwrap();
    std::fs::create_dir(at("real/ben")).unwrap();
    symlink("../ann/bot.c", at("real/ben/bot.c")).unwrap();
    symlink("ann", at("real/cem")).unwrap();
    symlink("real", at("class")).unwrap();
    let found = find_files("class/*/bot.c", folder.path(), WITHOUT_LINKS).unwrap();
    let found = found.iter().map(|file| file.as_ref().map(FoundFile::path));
    let wrong = |link: &str| format!("{link} is a link; put the file itself there");
    let expected =
        [Ok("class/ann/bot.c"), Err(&wrong("class/ben/bot.c")), Err(&wrong("class/cem"))];
    assert_eq!(found.collect::<Vec<_>>(), expected);
    std::fs::create_dir_all(at("real/ann/deep/er")).unwrap();
    std::fs::write(at("real/ann/deep/er/bot.c"), "").unwrap();
    // Also where more folders lie between the link and the file.
    for pattern in ["class/*/**/bot.c", "class/*/*/*/bot.c", "class/*/deep/er/bot.c"] {
        let found = find_files(pattern, folder.path(), WITHOUT_LINKS).unwrap();
        let of_link = found.iter().filter(|file| **file == Err(wrong("class/cem"))).count();
        assert_eq!(of_link, 1, "{pattern}: {found:?}");
        let behind = |file: &&_| matches!(file, Ok(file) if FoundFile::path(file).contains("cem"));
        assert_eq!(found.iter().filter(behind).count(), 0, "{pattern}: {found:?}");
    }
    // A link to itself, and a folder that nobody may look into, are one bot's trouble.
    symlink("dan", at("real/dan")).unwrap();
    std::fs::create_dir(at("real/eve")).unwrap();
    std::fs::set_permissions(at("real/eve"), PermissionsExt::from_mode(0o000)).unwrap();
    let search = || find_files("class/*/*/*/bot.c", folder.path(), EVERYWHERE).unwrap();
    let found = crate::bot::testing::held_to_modes(search);
    let troubles: Vec<_> = found.iter().filter_map(|file| file.as_ref().err()).collect();
    assert!(troubles.len() == 2 && found.len() == 4, "{found:?}");
    assert!(troubles.iter().all(|why| why.starts_with("cannot look for files: ")), "{found:?}");
    assert!(find_files("real/eve/x/../*/a", folder.path(), EVERYWHERE).is_err());
    std::fs::remove_file(at("real/dan")).unwrap();
    std::fs::remove_dir(at("real/eve")).unwrap();
    std::fs::remove_dir_all(at("real/ann/deep")).unwrap();
    let found = find_files("class/*/bot.c", folder.path(), EVERYWHERE).unwrap();
    assert!(found.len() == 3 && found.iter().all(Result::is_ok), "{found:?}");
}

#[test]
fn a_name_that_is_not_utf_8_is_an_error_where_it_is_meant() {
    use std::os::unix::ffi::OsStrExt;
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("bob.py"), "").unwrap();
    let name = std::ffi::OsStr::from_bytes(b"M\xfcller.c");
    if std::fs::write(folder.path().join(name), "").is_err() {
        return println!("left out: this file system takes no such name");
    }
    assert_eq!(find_files("b*.py", folder.path(), EVERYWHERE).unwrap().len(), 1);
    for pattern in ["*.c", "M?ller.c", "**/*"] {
        let mut found = find_files(pattern, folder.path(), EVERYWHERE).unwrap();
        found.retain(Result::is_err);
        let why = found.pop().unwrap().unwrap_err();
        assert!(why.contains("ller.c is not UTF-8; give the file another name"), "{why}");
    }
}
