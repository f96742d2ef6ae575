use super::*;
use crate::contest::PlannedBot;
use crate::tournament::config::OptionKeys;

fn entrants(text: &str, folder: &Path) -> Result<Vec<PlannedBot>, String> {
    let source = ConfigSource::new(Path::new("c.toml"), text.to_owned(), OptionKeys::default());
    let config = source.read().map_err(|error| error.to_string())?;
    let ConfigEntrants { entrants, left_out, without_files, .. } =
        bots_of_config(&config, &source, folder, true).map_err(|error| error.to_string())?;
    if let Some(error) = left_out.iter().chain(&without_files).next() {
        return Err(error.to_string());
    }
    let named = name_entrants(entrants, folder)?;
    named.remarks.first().map_or(Ok(named.bots), |remark| Err(remark.clone()))
}

#[test]
fn a_pattern_makes_a_bot_of_each_file() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["ann b.c", "bob.c"] {
        std::fs::write(folder.path().join(name), "").unwrap();
    }
    let bots = entrants(
        "[[bots]]\nglob = \"*.c\"\nbuild = \"cc {path} -o 'out/{stem}'\"\ncommand = \"out/{stem}\"\n\
         env = { WHO = \"{file}\" }\ndir = \"{dir}\"",
        folder.path(),
    )
    .unwrap();
    assert_eq!(bots[0].name, "ann b");
    assert_eq!(bots[0].command, ["out/ann b"]);
    assert_eq!(bots[0].build, ["cc", "ann b.c", "-o", "out/ann b"]);
    assert_eq!(bots[1].environment["WHO"], "bob.c");
    assert_eq!(bots[1].folder.as_deref(), Some(Path::new(".")));
}

#[test]
fn a_files_name_is_never_an_option_or_a_command() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["-x.c", "@opts.c", "CC=x.c", "a.c", "$(touch hacked).c"] {
        std::fs::write(folder.path().join(name), "").unwrap();
    }
    let text = "[[bots]]\nglob = \"*.c\"\nname = \"bot {stem}\"\n\
                build = \"cc {path} {file} -o out/{stem} {stem}\"\n\
                command = \"{stem} -v {dir}/{file}\"";
    let bots = entrants(text, folder.path()).unwrap();
    assert_eq!(
        bots[0].build[1..],
        ["$(touch hacked).c", "$(touch hacked).c", "-o", "out/$(touch hacked)", "$(touch hacked)"]
    );
    assert_eq!(bots[1].build, ["cc", "./-x.c", "./-x.c", "-o", "out/-x", "./-x"]);
    assert_eq!(bots[1].command, ["./-x", "-v", "./-x.c"]);
    assert_eq!(bots[2].build[1..], ["./@opts.c", "./@opts.c", "-o", "out/@opts", "./@opts"]);
    assert_eq!(bots[3].build[1..], ["./CC=x.c", "./CC=x.c", "-o", "out/CC=x", "./CC=x"]);
    assert_eq!(bots[4].build[1..], ["a.c", "a.c", "-o", "out/a", "a"]);
    // A setting that the command itself has stays one.
    let text = "[[bots]]\nglob = \"CC*.c\"\ncommand = \"make BOT={path} x.{stem} -D{stem}\"";
    let bots = entrants(text, folder.path()).unwrap();
    assert_eq!(bots[0].command, ["make", "BOT=CC=x.c", "./x.CC=x", "-DCC=x"]);

    std::fs::write(folder.path().join("a,-plugin,b.c"), "").unwrap();
    let text =
        "[[bots]]\nglob = \"a*.c\"\nbuild = \"cc {path} -Wl,{stem}\"\ncommand = \"./{stem}\"";
    let error = entrants(text, folder.path()).unwrap_err();
    let words =
        "c.toml:3:9: a,-plugin,b.c has ',' in it, which separates the parts of \"-Wl,{stem}\"";
    assert!(error.starts_with(words), "{error}");
    let text = text.replace("-Wl,", "-Wl");
    assert_eq!(entrants(&text, folder.path()).unwrap().len(), 2);

    for (command, is_fine) in [
        ("sh -c 'cc {path}'", false),
        ("env A=1 /bin/bash -ec 'cc {stem}.c'", false),
        ("sh -c 'cc \\\"$1\\\"' sh {path}", true),
        ("sh {path} -c", true),
        ("cc {path}", true),
    ] {
        let text = format!("[[bots]]\nglob = \"a.c\"\ncommand = \"{command}\"");
        let found = entrants(&text, folder.path());
        assert_eq!(found.is_ok(), is_fine, "{command}: {found:?}");
        if let Err(error) = found {
            assert!(error.starts_with("c.toml:3:11: {") && error.contains("\"$1\""), "{error}");
        }
    }
}

#[test]
fn a_variable_of_a_single_bot_may_have_braces_of_its_own() {
    let text = "[[bot]]\ncommand = \"x\"\nenv = { FORMAT = \"{message}\" }";
    let bots = entrants(text, Path::new("")).unwrap();
    assert_eq!(bots[0].environment["FORMAT"], "{message}");
    let text = text.replace("message", "stem");
    assert!(entrants(&text, Path::new("")).unwrap_err().contains("filled in under [[bots]] only"));
}

#[test]
fn mistakes_have_a_place() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["a.c", "a.py"] {
        std::fs::write(folder.path().join(name), "").unwrap();
    }
    let cases = [
        ("[[bots]]\nglob = \"*.rs\"\ncommand = \"x\"", "c.toml:2:8: no file in"),
        (
            "[[bots]]\nglob = \"a.*\"\ncommand = \"./{path}\"",
            "c.toml:1:1: a.c, a.py: another bot has the name \"a\", too,",
        ),
        (
            "[[bots]]\nglob = \"a.*\"\nname = \"{path}\"\ncommand = \"x\"",
            "c.toml:3:8: a.c and a.py would both run `x`; make command of more, such as {path}",
        ),
        (
            "[[bots]]\nglob = \"a.*\"\ncommand = \"./{path}\"\n\
             [[bots]]\nglob = \"*.c\"\ncommand = \"./{path} 2\"",
            "c.toml:4:1: a.c is found twice and named \"a\" both times",
        ),
        ("[[bots]]\nglob = \"*.c\"\ncommand = \"{what}\"", "c.toml:3:11: unknown {what}"),
        ("[[bots]]\nglob = \"*.c\"\ncommand = \"{Path}\"", "c.toml:3:11: unknown {Path}; known"),
        ("[[bots]]\nglob = \"*.c\"\ncommand = \"{stem\"", "c.toml:3:11: {stem is not closed"),
        ("[[bot]]\ncommand = \"./{stem}\"", "c.toml:2:11: {stem} is filled in under [[bots]] only"),
        ("[[bot]]\ncommand = \"./{fodler}\"", "c.toml:2:11: unknown {fodler}; placeholders are"),
        (
            "[[bot]]\ncommand = \"x\"\nenv = { \"A=\" = \"y\" }",
            "c.toml:3:9: \"A=\" cannot be a variable's name",
        ),
        ("[[bot]]\ncommand = \"'x\"", "c.toml:2:11: a quote is not closed"),
        ("[[bot]]\ncommand = \"\"", "c.toml:2:11: the command is empty"),
        ("[[bot]]\ncommand = \"x\"\nname = \"\"", "c.toml:3:8: invalid name \"\""),
        ("[[bot]]\ncommand = \"x\"\nbuild = \"\"", "c.toml:3:9: the build is empty"),
        ("[[bot]]\ncommand = \"x\"\ndir = \"no\"", "c.toml:3:7: there is no folder no"),
        (
            "[[bots]]\nglob = \"*.c\"\ncommand = \"x {path}\"\ndir = \"no\"",
            "c.toml:4:7: there is no folder no",
        ),
        (
            "[[bots]]\nglob = \"*.c\"\ncommand = \"x {path}\"\ndir = \"no/{stem}\"",
            "c.toml:4:7: a.c: there is no folder no/a",
        ),
        (
            "[[bots]]\nglob = \"\"\ncommand = \"x {path}\"",
            "c.toml:2:8: the pattern is empty; write what the files' paths look like",
        ),
        (
            "[[bots]]\nglob = \"*.c\"\ncommand = \"x {path}\"\nfiles = [\"\"]",
            "c.toml:4:10: the pattern is empty",
        ),
        (
            "[[bots]]\nglob = \"/\"\ncommand = \"x {path}\"",
            "c.toml:2:8: \"/\" is a folder; write the paths of files in it",
        ),
        (
            "[[bot]]\ncommand = \"x\"\nname = \"a\"\n[[bot]]\ncommand = \"y\"\nname = \"a\"",
            "c.toml:6:8: two bots are named \"a\"",
        ),
    ];
    for (text, words) in cases {
        let error = entrants(text, folder.path()).unwrap_err();
        assert!(error.contains(words), "{text}: {error}");
    }
}

#[test]
fn a_name_that_stands_for_something_else_is_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().canonicalize().unwrap();
    for name in ["key/answers", "bot.py", "subs/ann/bot.py", "subs/eve/key.py"] {
        std::fs::create_dir_all(path.join(name).parent().unwrap()).unwrap();
        std::fs::write(path.join(name), "").unwrap();
    }
    for (glob, more, expected) in [
        ("subs/*/*.py", "command = \"./run {stem}\"", &["subs/ann/bot.py"][..]),
        ("subs/*/*.py", "command = \"./run -x{stem}\"", &["subs/ann/bot.py"]),
        ("subs/*/*.py", "command = \"./run lib:{stem}\"", &["subs/ann/bot.py"]),
        (
            "subs/*/*.py",
            "build = \"make --of={stem}\"\ncommand = \"./{path}\"",
            &["subs/ann/bot.py"],
        ),
        ("subs/*/*.py", "command = \"python3 {file}\"", &["subs/eve/key.py"]),
        // Where the bot runs, that is its own.
        (
            "subs/*/*.py",
            "dir = \"{dir}\"\ncommand = \"python3 {file}\"",
            &["subs/ann/bot.py", "subs/eve/key.py"],
        ),
        (
            "subs/*/*.py",
            "build = \"cp {path} build/{stem}\"\ncommand = \"build/{stem} {folder}\"",
            &["subs/ann/bot.py", "subs/eve/key.py"],
        ),
        ("*.py", "command = \"python3 {file}\"", &["bot.py"]),
        ("subs/ann/*.py", "command = \"python3 {path} {folder} {dir}\"", &["subs/ann/bot.py"]),
        // One that the builds of others make.
        ("subs/*/key.py", "command = \"./run {path} -o subs/x\"", &["subs/eve/key.py"]),
        // Among sections, the section is nobody's own.
        (
            "subs/*/*.py",
            "dir = \"subs\"\ncommand = \"python3 ./{folder}/{file} ./{stem}\"",
            &["subs/ann/bot.py", "subs/eve/key.py"],
        ),
    ] {
        let text = format!("[[bots]]\nglob = \"{glob}\"\nname = \"{{path}}\"\n{more}\n");
        let source = ConfigSource::new(Path::new("c.toml"), text.clone(), OptionKeys::default());
        let config = source.read().unwrap();
        let ConfigEntrants { entrants, left_out, .. } =
            bots_of_config(&config, &source, &path, false).unwrap();
        let bots = name_entrants(entrants, &path).unwrap().bots;
        let names: Vec<&str> = bots.iter().map(|bot| bot.name.as_str()).collect();
        assert_eq!(names, expected, "{text}");
        let left_out: Vec<String> = left_out.iter().map(ToString::to_string).collect();
        let words = "in a command, which is not its own; write {path} or {dir} there, or rename it";
        assert!(left_out.iter().all(|why| why.ends_with(words)), "{left_out:?}");
    }
}

#[test]
fn bots_whose_paths_look_alike_play_too() {
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str| {
        let file = folder.path().join(path);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, "").unwrap();
    };
    let name = |name: &str| {
        let text =
            format!("[[bots]]\nglob = \"*/*\"\nname = \"{name}\"\ncommand = \"python3 {{path}}\"");
        let source = ConfigSource::new(Path::new("c.toml"), text, OptionKeys::default());
        let config = source.read().unwrap();
        let found = bots_of_config(&config, &source, folder.path(), true).unwrap();
        let named = name_entrants(found.entrants, folder.path()).unwrap();
        assert!(!named.remarks.iter().any(|remark| remark.contains("left out")), "{named:?}");
        named.bots.into_iter().map(|bot| bot.name).collect::<Vec<_>>()
    };
    for own in ["J\u{f6}rg", "Jo\u{308}rg", "ian", "\u{131}an", "bob"] {
        write(&format!("{own}/bot.py"));
    }
    let names = name("{folder}");
    assert_eq!(names.len(), 5, "{names:?}");
    assert!(names.contains(&"bob".to_owned()), "{names:?}");
    // A file may have the name that is made from another one's path.
    names.iter().filter(|name| name.contains('/')).for_each(|name| write(name));
    assert_eq!(name("{path}").len(), 9);
}
