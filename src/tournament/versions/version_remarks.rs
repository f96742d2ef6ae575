//! What users should know of the versions of their bots: which have the same contents, and which
//! files beside a bot are not part of its version, so that `--update` does not see when they change.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::version_files::{is_in, is_made, names_file};
use crate::contest::PlannedBot;
use crate::record::Digest;
use crate::text::{and_listed, printable, printable_path};
use crate::tournament::versions::BotVersion;

/// Most names that are looked at in a folder.
const MOST_NAMES: usize = 1000;

/// Most bots that a remark names.
const MOST_BOTS: usize = 5;

/// Which bots have the same contents, in words; empty if no two have.
pub(crate) fn bots_with_same_files(bots: &[PlannedBot], versions: &[BotVersion]) -> Vec<String> {
    let mut by_twin: BTreeMap<Digest, Vec<&str>> = BTreeMap::new();
    for (bot, version) in bots.iter().zip(versions) {
        if let Some(twin) = version.twin {
            by_twin.entry(twin).or_default().push(&bot.name);
        }
    }
    let same = by_twin.into_values().filter(|names| names.len() > 1);
    let shown = |names: Vec<&str>| {
        let names = names.iter().map(|name| format!("\"{}\"", printable(name)));
        format!(
            "bots {} have the same contents; each counts as a bot of its own",
            and_listed(names, usize::MAX)
        )
    };
    same.map(shown).collect()
}

/// In words, which of `bots`, whose versions were others `before`, name a folder where a file may
/// have been.
pub(crate) fn folders_of_changed(
    bots: &[PlannedBot],
    versions: &[BotVersion],
    before: impl Fn(&str) -> Option<Digest>,
    folder: &Path,
) -> Vec<String> {
    let remark = |(bot, version): (&PlannedBot, &BotVersion)| {
        before(&bot.name).filter(|digest| *digest != version.digest)?;
        let (named, name) = (version.named_folder(bot, folder)?, printable(&bot.name));
        let named = printable(named);
        Some(format!(
            "bot \"{name}\" has changed, and {named} is a folder: if it was a file, put that there"
        ))
    };
    bots.iter().zip(versions).filter_map(remark).collect()
}

/// In words, which files lie in what was handed in with a bot, and are not part of it; empty if there
/// are none. The folders are looked at in which the bot has files, and not those in them.
pub(crate) fn unlisted_files(
    bots: &[PlannedBot],
    versions: &[BotVersion],
    folder: &Path,
) -> Option<String> {
    let of_bots = bots.iter().zip(versions).flat_map(|(bot, version)| {
        let files = unlisted_files_of(bot, version, folder);
        files.into_iter().map(|file| (&*bot.name, file))
    });
    let mut of_bots = of_bots.peekable();
    let (name, file) = of_bots.next()?;
    let (file, name) = (printable_path(&file), printable(name));
    let more = match of_bots.count() {
        0 => String::new(),
        1 => " and 1 other file".to_owned(),
        count => format!(" and {count} other files"),
    };
    Some(format!(
        "--update does not notice changes in {file} (not part of the version of bot \"{name}\"){more}; \
         add files = [\"{{dir}}/**\"] under [[bots]]"
    ))
}

/// In words, which bots, apart from built-in ones and earlier versions of others, have no file in
/// their versions; empty if there are none.
pub(crate) fn versions_without_files(
    bots: &[PlannedBot],
    versions: &[BotVersion],
) -> Option<String> {
    let bots = bots.iter().zip(versions);
    let has_files = |bot: &PlannedBot| !bot.is_builtin() && bot.version_of.is_none();
    let bots = bots.filter(|(bot, version)| has_files(bot) && version.files().next().is_none());
    let names: Vec<String> = bots.map(|(bot, _)| format!("\"{}\"", printable(&bot.name))).collect();
    let bots = match names.len() {
        0 => return None,
        1 => "bot",
        _ => "bots",
    };
    Some(format!(
        "no file is part of the version of {bots} {}, so --update does not notice when one changes; name \
         them under files in a config",
        and_listed(names, MOST_BOTS)
    ))
}

fn unlisted_files_of(bot: &PlannedBot, version: &BotVersion, folder: &Path) -> Vec<PathBuf> {
    let Some(handed_in) = &version.handed_in else { return Vec::new() };
    let own: BTreeSet<PathBuf> = version.files().collect();
    let places = own.iter().filter_map(|file| file.parent());
    let mut folders: BTreeSet<&Path> = places.filter(|it| it.starts_with(handed_in)).collect();
    if folders.is_empty() {
        folders.insert(Path::new(handed_in));
    }
    let entries = folders.into_iter().flat_map(|place| {
        // What cannot be read is told where the bot is built or started.
        folder.join(place).read_dir().into_iter().flatten().take(MOST_NAMES).flatten()
    });
    let is_file = |entry: &std::fs::DirEntry| entry.file_type().is_ok_and(|kind| kind.is_file());
    let is_unlisted = |path: &PathBuf| {
        let inner = path.strip_prefix(folder).unwrap_or(path);
        let Some(text) = inner.to_str() else { return false };
        !inner.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."))
            && !is_made(bot, text, folder)
            && !is_in(text, &version.made)
            && !own.contains(inner)
            && !names_file(bot, text, folder)
    };
    let mut files: Vec<PathBuf> =
        entries.filter(is_file).map(|entry| entry.path()).filter(is_unlisted).collect();
    files.sort_unstable();
    files.into_iter().map(|path| path.strip_prefix(folder).unwrap_or(&path).to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::tournament::BotPlaces;

    #[test]
    fn compiled_bots_with_the_same_contents_are_twins() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let bot = |name: &str, source: &str, flags: &str| {
            fs::create_dir_all(folder.join("sub").join(name)).unwrap();
            fs::write(folder.join("sub").join(name).join("bot.c"), source).unwrap();
            let build = format!("cc {flags} sub/{name}/bot.c -o build/{name}/bot");
            PlannedBot {
                name: format!("team-{name}"),
                build: shell_words::split(&build).unwrap(),
                command: vec![format!("build/{name}/bot")],
                ..PlannedBot::default()
            }
        };
        let bots = [
            bot("ann", "1", "-O2"),
            bot("ben", "1", "-O2"),
            bot("cem", "2", "-O2"),
            bot("dan", "1", "-O1"),
        ];
        let places = BotPlaces { folder: folder.to_owned(), ..BotPlaces::default() };
        let versions = bots.each_ref().map(|bot| BotVersion::of(bot, &places).unwrap());
        let expected = "bots \"team-ann\" and \"team-ben\" have the same contents; each counts as a bot \
            of its own";
        assert_eq!(bots_with_same_files(&bots, &versions), [expected]);
        let three = ["hal", "kay", "mia"].map(|name| bot(name, "3", "-O2"));
        let versions = three.each_ref().map(|bot| BotVersion::of(bot, &places).unwrap());
        let remarks = bots_with_same_files(&three, &versions);
        assert!(remarks[0].starts_with("bots \"team-hal\", \"team-kay\" and \"team-mia\" have"));
    }

    #[test]
    fn bots_that_run_different_files_of_one_folder_are_no_twins() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        fs::create_dir(folder.join("both")).unwrap();
        let bot = |script: &str, text: &str| {
            fs::write(folder.join("both").join(script), text).unwrap();
            PlannedBot {
                name: script.to_owned(),
                command: vec!["python3".to_owned(), format!("./{script}")],
                folder: Some("both".into()),
                files: vec!["both/*".to_owned()],
                ..PlannedBot::default()
            }
        };
        let remarks = |second: &str| {
            let bots = [bot("fast.py", "1"), bot("slow.py", second)];
            let places = BotPlaces { folder: folder.to_owned(), ..BotPlaces::default() };
            let versions = bots.each_ref().map(|bot| BotVersion::of(bot, &places).unwrap());
            bots_with_same_files(&bots, &versions).len()
        };
        assert_eq!([remarks("2"), remarks("1")], [0, 1]);
    }

    #[test]
    fn a_folder_that_the_build_makes_for_the_command_was_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        for made in ["s/a/classes", "s/a/data"] {
            fs::create_dir_all(folder.join(made)).unwrap();
        }
        fs::write(folder.join("s/a/Bot.java"), "").unwrap();
        let places = BotPlaces { folder: folder.to_owned(), ..BotPlaces::default() };
        let named = |build: &str, command: &str| {
            let bot = PlannedBot {
                name: "a".to_owned(),
                folder: Some("s/a".into()),
                build: shell_words::split(build).unwrap(),
                command: shell_words::split(command).unwrap(),
                ..PlannedBot::default()
            };
            let version = BotVersion::of(&bot, &places).unwrap();
            version.named_folder(&bot, folder).map(str::to_owned)
        };
        let javac = "javac -d s/a/classes s/a/Bot.java";
        assert_eq!(named(javac, "java -cp classes Bot"), None);
        assert_eq!(named(javac, "java -cp ./classes Bot data"), None);
        let found = named(&format!("{javac} s/a/data"), "java -cp classes Bot");
        assert_eq!(found.as_deref(), Some("s/a/data"));
        assert_eq!(named("", "sh Bot.java data").as_deref(), Some("data"));
    }

    #[test]
    fn a_build_makes_the_program_that_the_command_starts_and_nothing_of_its_class_path() {
        let bot = |command: &str| PlannedBot {
            build: vec!["make".to_owned()],
            command: shell_words::split(command).unwrap(),
            ..PlannedBot::default()
        };
        let java = bot("java -cp a/lib.jar -jar a/bot.jar");
        let own = Path::new("");
        for (bot, file, expected) in [
            (&java, "a/bot.jar", true),
            (&java, "a/lib.jar", false),
            (&bot("python3 a/bot.pyz"), "a/bot.pyz", true),
            (&bot("python3 a/bot.py"), "a/bot.py", false),
            (&java, "a/bot.d", true),
            (&java, "a/target/x", false),
        ] {
            assert_eq!(is_made(bot, file, own), expected, "{file} of {:?}", bot.command);
        }
    }

    #[test]
    fn files_beside_a_bot_that_are_not_part_of_it_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        for file in [
            "ann/bot.py",
            "ben/Makefile",
            "ben/main.c",
            "ben/main.o",
            "ben/.x.c",
            "cem/Makefile",
            "cem/src/main.c",
            "cem/src/util.c",
        ] {
            let file = folder.join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, "").unwrap();
        }
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let bot = |name: &str, build: &str, command: &str, files: &[&str]| PlannedBot {
            name: name.to_owned(),
            build: if build.is_empty() { Vec::new() } else { words(build) },
            command: words(command),
            files: files.iter().map(|file| (*file).to_owned()).collect(),
            ..PlannedBot::default()
        };
        let found = |bots: &[PlannedBot]| {
            let at = |bot: &PlannedBot| (bot.name.clone(), Some(PathBuf::from(&bot.name)));
            let places = BotPlaces {
                folder: folder.to_owned(),
                found: bots.iter().map(at).collect(),
                ..BotPlaces::default()
            };
            let version = |bot| BotVersion::of(bot, &places).unwrap();
            let versions: Vec<BotVersion> = bots.iter().map(version).collect();
            unlisted_files(bots, &versions, folder)
        };
        let ann = || bot("ann", "", "python3 ann/bot.py", &[]);
        let ben = |files: &[&str]| bot("ben", "make -C ben", "ben/bot", files);
        assert_eq!(found(&[ann()]), None);
        assert_eq!(found(&[ann(), ben(&["ben/Makefile", "ben/*.c"])]), None);
        let of_main = "--update does not notice changes in ben/main.c (not part of the version of bot \
                       \"ben\"); add files = [\"{dir}/**\"] under [[bots]]";
        assert_eq!(found(&[ann(), ben(&["ben/Makefile"])]).as_deref(), Some(of_main));
        // Whatever its ending is: a bot may read it.
        fs::write(folder.join("ben/weights"), "").unwrap();
        let remark = found(&[ann(), ben(&["ben/Makefile", "ben/*.c"])]).unwrap();
        assert!(remark.contains(" in ben/weights (not part of"), "{remark}");
        // What the build and interpreters make is nobody's, and never part of the version.
        fs::write(folder.join("ben/bot"), "").unwrap();
        fs::create_dir(folder.join("ben/__pycache__")).unwrap();
        fs::write(folder.join("ben/__pycache__/x.cpython-312.pyc"), "").unwrap();
        assert_eq!(found(&[ann(), ben(&["ben/**"])]), None);
        fs::write(folder.join("ann/book.h"), "").unwrap();
        let remark = found(&[ann(), ben(&[])]).unwrap();
        assert!(
            remark.contains(
                " in ann/book.h (not part of the version of bot \"ann\") and 3 other files; add"
            ),
            "{remark}"
        );
        assert!(remark.contains("[\"{dir}/**\"]"), "{remark}");
        fs::remove_file(folder.join("ben/weights")).unwrap();
        fs::remove_file(folder.join("ben/main.c")).unwrap();
        let remark = found(&[ann(), ben(&[])]).unwrap();
        assert!(remark.contains("\"ann\") and 1 other file; add"), "{remark}");
        // Beside its files, wherever these are in what was handed in.
        let cem = bot("cem", "make -C cem cem/src/main.c", "cem/bot", &[]);
        let remark = found(&[cem]).unwrap();
        assert!(
            remark.contains(" in cem/src/util.c (not part of") && !remark.contains("other file"),
            "{remark}"
        );
        // Not in the folder of all, where the program of several bots lies.
        for file in ["eng", "notes", "dan/p"] {
            fs::create_dir_all(folder.join("dan")).unwrap();
            fs::write(folder.join(file), "").unwrap();
        }
        let dan = bot("dan", "", "../eng p", &[]);
        assert_eq!(found(&[PlannedBot { folder: Some("dan".into()), ..dan }]), None);
        // One of many bots may lack what a pattern names.
        let places = BotPlaces {
            folder: folder.to_owned(),
            found: [("ann".to_owned(), Some(PathBuf::from("ann")))].into(),
            ..BotPlaces::default()
        };
        let without = bot("ann", "", "python3 ann/bot.py", &["ann/*.hpp"]);
        assert!(BotVersion::of(&without, &places).unwrap().unreadable.is_none());
        // A script that the command names is not made by the build, unless that names it, too.
        let script = |build: &str| found(&[bot("ann", build, "python3 ann/bot.py", &[])]);
        assert!(script("cc ann/book.h").unwrap().contains(" in ann/bot.py (not part of"));
        assert_eq!(script("cc ann/book.h -o ann/bot.py"), None);
    }
}
