use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};

use super::*;
use crate::bot::BotCommand;

struct Class {
    folder: tempfile::TempDir,
    bots: Vec<PlannedBot>,
}

impl Class {
    /// Bots with these builds and commands, in which `{}` is the bot's name, and `files`.
    fn new(files: &[&str], build: &str, command: &str) -> Class {
        let folder = tempfile::tempdir().unwrap();
        for file in files {
            let path = folder.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        let words = |text: &str, name: &str| shell_words::split(&text.replace("{}", name)).unwrap();
        let bot = |name: &str| PlannedBot {
            name: name.to_owned(),
            command: words(command, name),
            build: words(build, name),
            ..PlannedBot::default()
        };
        Class { folder, bots: ["ann", "ben"].map(bot).into() }
    }

    fn owners(&self) -> PathOwners {
        PathOwners::new(&self.bots, self.folder.path(), &[])
    }

    /// What the first bot may read while it plays, relative to the class's folder if it is in there.
    fn read_in_play(&self, handed_in: Option<&str>) -> Vec<String> {
        let bot = &self.bots[0];
        let words = bot.command.iter().map(|word| {
            let is_path = word.contains('/') || self.folder.path().join(word).exists();
            let path = self.folder.path().join(word).display().to_string();
            if is_path && bot.folder.is_none() { path } else { word.clone() }
        });
        let place = bot.folder.as_ref().map(|place| self.folder.path().join(place));
        let command = BotCommand::new(None, words.collect()).unwrap().in_place(place, Vec::new());
        let owners = self.owners();
        let program = Path::new("/usr/bin/true");
        let reach = owners.read_in_play(0, handed_in.map(Path::new), &command, program);
        let folder = self.folder.path().canonicalize().unwrap();
        let inside = reach.all().map(|path| path.strip_prefix(&folder).unwrap_or(path));
        let mut inside: Vec<String> = inside.map(|path| path.display().to_string()).collect();
        inside.sort();
        inside
    }

    /// The paths, relative to the class's folder.
    fn short(&self, paths: &BTreeSet<PathBuf>) -> Vec<String> {
        let folder = self.folder.path().canonicalize().unwrap();
        let short = |path: &PathBuf| path.strip_prefix(&folder).unwrap().display().to_string();
        paths.iter().map(short).collect()
    }
}

#[test]
fn with_a_folder_for_each_a_build_has_its_folder_and_nothing_of_the_others() {
    let class = Class::new(
        &["c/ann/a.c", "c/ben/a.c", "tools/build.sh", "key.c"],
        "tools/build.sh c/{}/a.c -o build/{}/bot",
        "build/{}/bot --depth 4",
    );
    let owners = class.owners();
    let places = owners.places_of(0);
    assert_eq!(class.short(&places.read), ["tools"]);
    assert_eq!(class.short(&places.write), ["build/ann", "c/ann"]);
    assert_eq!(class.short(&places.folders), ["build/ann"]);
    assert!(places.files.is_empty());
    assert_eq!(class.short(&places.outputs), ["build/ann/bot"]);
    let (is_warning, line) = owners.layout(0..2);
    assert!(!is_warning, "{line}");
    assert!(owners.is_nobodys(&class.folder.path().canonicalize().unwrap().join("tools")));
}

#[test]
fn a_program_in_somebody_elses_folder_cannot_be_made() {
    for (made_in, mode, has_program, is_warned_of) in [
        ("c", 0o755, false, true),
        ("c", 0o777, false, false),
        ("c", 0o755, true, false),
        ("build", 0o755, false, false),
    ] {
        let build = format!("cc c/{{}}/a.c -o {made_in}/{{}}/bot");
        let command = format!("{made_in}/{{}}/bot --depth 4");
        let class = Class::new(&["c/ann/a.c", "c/ben/a.c"], &build, &command);
        let folder = class.folder.path().join("c/ann");
        if has_program {
            fs::write(folder.join("bot"), "").unwrap();
        }
        let nobody = rustix::process::Uid::from_raw(65534);
        if rustix::fs::chown(&folder, Some(nobody), None).is_err() {
            // Only the superuser gives folders away.
            return assert!(!rustix::process::geteuid().is_root());
        }
        fs::set_permissions(&folder, fs::Permissions::from_mode(mode)).unwrap();
        let (is_warning, line) = class.owners().layout(0..2);
        assert_eq!(is_warning, is_warned_of, "{line}");
        let words =
            "; c/ann belongs to another user, and in the sandbox a build has no more rights";
        assert_eq!(line.contains(words), is_warned_of, "{line}");
    }
}

#[test]
fn in_a_folder_of_several_bots_a_build_has_its_own_file() {
    let class = Class::new(
        &["c/ann.c", "c/ben.c", "build.sh", "key.c"],
        "./build.sh c/{}.c -I. -o build/{}",
        "build/{}",
    );
    let owners = class.owners();
    let places = owners.places_of(1);
    assert_eq!(class.short(&places.read), ["build.sh", "c/ben.c"]);
    assert_eq!(class.short(&places.write), ["build/ben"]);
    assert_eq!(class.short(&places.files), ["build/ben"]);
    let (is_warning, line) = owners.layout(0..2);
    assert!(is_warning);
    for words in ["in build and c there are files of several bots", ". is closed to builds"] {
        assert!(line.contains(words), "{line}");
    }
}

#[test]
fn a_folder_that_a_build_makes_is_a_folder() {
    let class = Class::new(
        &["src/ann.java", "src/ben.java"],
        "javac -d classes/{} src/{}.java",
        "java -cp classes/{} Bot",
    );
    let places = class.owners().places_of(0);
    assert_eq!(class.short(&places.write), ["classes/ann"]);
    assert_eq!(class.short(&places.folders), ["classes", "classes/ann"]);
    assert!(places.files.is_empty());
}

#[test]
fn folders_of_the_system_the_referee_and_everybody_are_nobodys_own() {
    let mut class = Class::new(&["c/ann/a.c", "c/ben/a.c"], "cc c/{}/a.c", "c/{}/bot");
    let temporary = std::env::temp_dir().join("some-output");
    for path in ["/usr/bin/some-program", "/etc/secret/ann", temporary.to_str().unwrap()] {
        class.bots[0].build.push(path.to_owned());
    }
    let kept = [class.folder.path().join("c/ann/record.jsonl")];
    let owners = PathOwners::new(&class.bots, class.folder.path(), &kept);
    let places = owners.places_of(0);
    assert_eq!(class.short(&places.write), ["c/ann/bot"]);
    assert_eq!(class.short(&places.read), ["c/ann/a.c"]);
    assert_eq!(class.short(&owners.places_of(1).write), ["c/ben"]);
}

#[test]
fn a_link_out_of_the_bots_folder_is_found() {
    let class = Class::new(
        &["c/ann/a.c", "c/ben/a.c", "key/key.c"],
        "cc c/{}/a.c -o c/{}/out/bot",
        "c/{}/out/bot",
    );
    let owners = class.owners();
    let at = |path: &str| class.folder.path().canonicalize().unwrap().join(path);
    assert_eq!(owners.link_of(0, None, PathUse::Build), None);
    for (target, is_found) in [("../../key", true), ("../ben", true), (".", false)] {
        symlink(target, at("c/ann/out")).unwrap();
        let found = owners.link_of(0, None, PathUse::Build);
        assert_eq!(found, is_found.then(|| at("c/ann/out")), "{target}");
        fs::remove_file(at("c/ann/out")).unwrap();
    }
    fs::create_dir(at("c/ann/out")).unwrap();
    symlink("/bin/sh", at("c/ann/out/bot")).unwrap();
    assert_eq!(owners.link_of(0, None, PathUse::Build), None);
    fs::remove_dir_all(at("c/ben")).unwrap();
    symlink("ann", at("c/ben")).unwrap();
    assert_eq!(owners.link_of(1, None, PathUse::Build), Some(at("c/ben")));
    assert_eq!(owners.link_of(0, None, PathUse::Build), None);
    // What the plan's user has put there is followed for play.
    assert_eq!(owners.link_of(1, None, PathUse::Play), None);
}

#[test]
fn a_link_in_what_was_handed_in_is_found_for_play() {
    let class = Class::new(&["c/ann/a.c", "c/ben/a.c"], "cc c/{}/a.c", "c/{}/sub/bot");
    let owners = class.owners();
    let at = |path: &str| class.folder.path().canonicalize().unwrap().join(path);
    let ann = Path::new("c/ann");
    let found = |place: Option<&Path>, purpose| owners.link_of(0, place, purpose);
    for purpose in [PathUse::Build, PathUse::Play] {
        assert_eq!(found(Some(ann), purpose), None);
    }
    symlink("../ben", at("c/ann/sub")).unwrap();
    for purpose in [PathUse::Build, PathUse::Play] {
        assert_eq!(found(Some(ann), purpose), Some(at("c/ann/sub")), "{purpose:?}");
    }
    assert_eq!(found(None, PathUse::Play), None);
    // The student's folder itself may be the user's link; one that was handed in may not.
    fs::remove_dir_all(at("c/ann")).unwrap();
    symlink("ben", at("c/ann")).unwrap();
    assert_eq!(found(Some(Path::new("c/ann/a.c")), PathUse::Build), None);
    assert_eq!(found(Some(ann), PathUse::Play), Some(at("c/ann")));
}

#[test]
fn an_earlier_version_of_a_bot_has_the_same_places() {
    let mut class = Class::new(
        &["c/ann/a.c", "c/ben/a.c"],
        "cc c/{}/a.c -o build/{}/bot",
        "build/{}/bot --depth 4",
    );
    let earlier = PlannedBot {
        name: "ann~1".to_owned(),
        version_of: Some("ann".to_owned()),
        ..class.bots[0].clone()
    };
    class.bots.push(earlier);
    let owners = class.owners();
    for place in [0, 2] {
        let places = owners.places_of(place);
        assert_eq!(class.short(&places.write), ["build/ann", "c/ann"], "{place}");
        assert_eq!(class.short(&places.folders), ["build/ann"], "{place}");
        assert_eq!(class.short(&places.outputs), ["build/ann/bot"], "{place}");
    }
    assert_eq!(class.short(&owners.places_of(1).write), ["build/ben", "c/ben"]);
    let (is_warning, line) = owners.layout(0..3);
    assert!(!is_warning, "{line}");
}

/// Holds the promise `own-folder`.
#[test]
fn what_was_handed_in_opens_its_own_folder_and_nothing_by_its_name_or_its_place() {
    let reads = |files: &[&str], command: &str, handed_in: &str| {
        Class::new(files, "", command).read_in_play(Some(handed_in))
    };
    let files = ["c/ann/bot.py", "c/ben/bot.py", "run.py", "record.jsonl", "tools/run.py"];
    assert_eq!(reads(&files, "sh c/{}/bot.py", "c/ann"), ["c/ann"]);
    // An adapter's folder, and of one that is above submissions the adapter.
    let behind = |adapter: &str| reads(&files, &format!("sh {adapter} c/{{}}/bot.py"), "c/ann");
    assert_eq!(behind("tools/run.py"), ["c/ann", "tools"]);
    assert_eq!(behind("run.py"), ["c/ann", "run.py"]);
    // As managers of versions and interpreters lie in folders.
    for (bot, other) in [("shims", "ben"), ("bin", "lib")] {
        let [file, others] = [bot, other].map(|name| format!("c/{name}/bot"));
        let class = Class::new(&[&file, &others], "", &file);
        assert_eq!(class.read_in_play(Some(&format!("c/{bot}"))), [format!("c/{bot}")]);
    }
    // As a program on the PATH is called.
    assert_eq!(reads(&["c/sh/bot.py"], "sh c/sh/bot.py sh", "c/sh"), ["c/sh"]);
    // In a folder with others, which is theirs as well.
    assert_eq!(reads(&["c/ann.py", "c/ben.py"], "sh c/{}.py", "c/ann.py"), ["c"]);
    // What the plan's user names by hand is opened, wherever it is.
    let class =
        Class::new(&["venv/bin/python", "venv/lib/x", "c/ann.py"], "", "venv/bin/python c/ann.py");
    assert_eq!(class.read_in_play(None), ["c", "venv"]);
}

/// Holds the promise `own-folder`.
#[test]
fn a_link_that_a_build_puts_where_the_command_looks_is_seen() {
    let mut class = Class::new(&["c/ann/mine.py", "c/ben/main.py", "key"], "", "sh main.py book");
    class.bots[0].folder = Some("c/ann".into());
    class.bots[1].folder = Some("c/ben".into());
    let owners = class.owners();
    let link = || owners.link_of(0, Some(Path::new("c/ann")), PathUse::Play);
    assert_eq!(link(), None);
    let inside = class.folder.path().join("c/ann");
    for (name, target) in [("main.py", "../ben/main.py"), ("book", "../../key")] {
        symlink(target, inside.join(name)).unwrap();
        assert!(link().is_some_and(|it| it.ends_with(name)), "{name}");
        fs::remove_file(inside.join(name)).unwrap();
    }
    symlink("mine.py", inside.join("main.py")).unwrap();
    assert_eq!(link(), None);
}
