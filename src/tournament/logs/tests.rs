//! Each bot has a folder of its own, and nothing goes through links.

use super::*;

#[test]
fn every_bot_has_a_folder_of_its_own() {
    let folders = LogFolders::new(Path::new("f"), ["Ann", "ann", "a/b", "a_b"]);
    let names: Vec<PathBuf> = (0..4).map(|bot| folders.of_bot(bot)).collect();
    assert_eq!(names, ["f/Ann", "f/ann-2", "f/a_b", "f/a_b-4"].map(PathBuf::from));
    assert_eq!(folders.of_match(0, 17), Path::new("f/Ann/match-17"));
    let folders = LogFolders::new(Path::new("f"), ["a-3", "A", "a"]);
    assert_eq!(folders.names, ["a-3", "A", "a-4"]);
    let folders = LogFolders::new(Path::new("f"), ["index.csv", "Index.MD"]);
    assert_eq!(folders.names, ["index.csv-1", "Index.MD-2"]);
}

proptest::proptest! {
    #[test]
    fn no_two_bots_share_a_folder(
        bots in proptest::collection::vec("[aA/_\u{e4}]{0,2}(-[0-9])?(-[0-9])?|x{45}-[12]", 0..12)
    ) {
        let folders = LogFolders::new(Path::new("f"), bots.iter().map(String::as_str));
        let mut names: Vec<String> =
            folders.names.iter().map(|name| name.to_lowercase()).collect();
        names.sort_unstable();
        names.dedup();
        proptest::prop_assert_eq!(names.len(), bots.len(), "{:?}", folders.names);
    }
}

/// Holds the promise `no-links`.
#[test]
fn nothing_is_written_or_read_through_links() {
    let place = tempfile::tempdir().unwrap();
    let (root, other) = (place.path().join("feedback"), place.path().join("record"));
    let folders = LogFolders::new(&root, ["a", "b"]);
    folders.prepare().unwrap();
    fs::write(&other, "matches").unwrap();
    std::os::unix::fs::symlink(&other, folders.of_bot(0).join("soft")).unwrap();
    fs::hard_link(&other, folders.of_bot(0).join("hard")).unwrap();
    fs::hard_link(&other, root.join("index")).unwrap();
    for name in ["soft", "hard", "new"] {
        assert_eq!(folders.read(0, name), None, "{name}");
        folders.write(0, name, b"page").unwrap();
        assert_eq!(folders.read(0, name).as_deref(), Some("page"), "{name}");
    }
    folders.write_in_root("index", b"all").unwrap();
    assert_eq!(fs::read_to_string(&other).unwrap(), "matches");

    fs::remove_dir(folders.of_bot(1)).unwrap();
    std::os::unix::fs::symlink(place.path(), folders.of_bot(1)).unwrap();
    assert!(folders.write(1, "record", b"page").is_err());
    assert_eq!(folders.read(1, "record"), None);
    assert!(folders.prepare().is_err());
    assert_eq!(fs::read_to_string(&other).unwrap(), "matches");
}

#[test]
fn only_so_many_logs_are_wanted_and_found_ones_count() {
    let place = tempfile::tempdir().unwrap();
    let folders = LogFolders::new(place.path(), ["a", "b"]);
    folders.prepare().unwrap();
    for number in 1..=MOST.into() {
        fs::create_dir(folders.of_match(0, number)).unwrap();
    }
    fs::create_dir(folders.of_match(1, 1)).unwrap();
    fs::write(folders.of_match(1, 1).join("fault-1-1-b.json"), "").unwrap();
    let places = LogPlaces { of_bots: Some(folders.clone()), of_matches: None };
    let none = WantedLogs { clean: false, faulty: false };
    assert_eq!(places.playing(3, Some(PerSeat([none; 2]))), None);
    let faulty = WantedLogs { faulty: true, ..none };
    let playing = places.playing(3, Some(PerSeat([none, faulty]))).unwrap();
    fs::create_dir(&playing).unwrap();
    folders.prepare().unwrap();
    assert!(!playing.exists());
    let of_matches = Some(MatchLogs::new(Path::new("logs")));
    let playing = LogPlaces { of_matches, ..places }.playing(3, None).unwrap();
    assert!(playing.starts_with("logs"));
    let mut kept = KeptLogs::found(&folders);
    let wanted = |kept: &KeptLogs| kept.wanted(PerSeat([0, 1])).0;
    assert!(!wanted(&kept)[0].keeps(0) && wanted(&kept)[0].keeps(2));
    assert!(wanted(&kept)[1].keeps(0));
    (1..MOST).for_each(|_| kept.count(1, 1));
    assert!(wanted(&kept)[1].keeps(0) && !wanted(&kept)[1].keeps(1));
    (0..MOST).for_each(|_| kept.count(1, 0));
    assert!(!wanted(&kept)[1].anything());
}
