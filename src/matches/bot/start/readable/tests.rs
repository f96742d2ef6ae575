use super::*;

fn reach(words: &[&str]) -> ReadablePaths {
    reach_in(None, words)
}

fn reach_in(folder: Option<&Path>, words: &[&str]) -> ReadablePaths {
    let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
    let mut reach = ReadablePaths::default();
    reach.add_words(&words, folder, &BTreeSet::new());
    reach
}

#[test]
fn a_bot_s_own_are_its_folders_and_nothing_of_the_system() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).canonicalize().unwrap();
    let bots = here.join("../../examples/python").canonicalize().unwrap();
    let script = bots.join("greedy.py").display().to_string();
    let own = |words: &[&str]| reach(words).own;
    assert_eq!(own(&["sh", &script, "--depth", "4"]), std::slice::from_ref(&bots));
    assert_eq!(own(&["sh", "-c", "cat /dev/null"]), Vec::<PathBuf>::new());
    let folder = bots.display().to_string();
    // What lies in it is not told again.
    assert_eq!(own(&["sh", &script, &folder]), [bots]);
    assert_eq!(own(&["sh", "/tmp", "/"]), Vec::<PathBuf>::new());
    assert_eq!(own(&["no-such-program-anywhere"]), Vec::<PathBuf>::new());
}

#[test]
fn a_program_in_a_folder_of_all_is_its_file_alone() {
    let file = tempfile::Builder::new().tempfile_in("/tmp").unwrap();
    let path = file.path().canonicalize().unwrap();
    assert_eq!(reach(&[path.to_str().unwrap()]).own, [path]);
}

#[test]
fn an_interpreter_is_a_tool_and_a_program_alone_is_the_bot() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().canonicalize().unwrap();
    for made in ["venv/bin", "venv/lib", "bots/ann"] {
        std::fs::create_dir_all(home.join(made)).unwrap();
    }
    let (python, script) = (home.join("venv/bin/python"), home.join("bots/ann/bot.py"));
    std::fs::write(&python, "").unwrap();
    std::fs::write(&script, "").unwrap();
    let (python, script) = (python.to_str().unwrap(), script.to_str().unwrap());
    let expected = ReadablePaths {
        tools: vec![home.join("venv")],
        own: vec![home.join("bots/ann")],
        ..ReadablePaths::default()
    };
    assert_eq!(reach(&[python, script]), expected);
    assert_eq!(reach_in(Some(&home.join("bots/ann")), &[python, "bot.py"]), expected);
    let alone = reach_in(Some(&home.join("bots/ann")), &[python]);
    assert_eq!(alone.own, [home.join("bots/ann"), home.join("venv/bin")]);
    let by_way_of = format!("{}/bots/../venv/bin/python", home.display());
    assert_eq!(reach(&[&by_way_of, script]), expected);
    assert_eq!(reach(&[script]).own, [home.join("bots/ann")]);
}

#[test]
fn an_interpreter_that_only_the_first_line_names_is_hidden_outside_the_system() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().canonicalize().unwrap();
    for made in ["venv/bin", "venv/lib", "ann"] {
        std::fs::create_dir_all(home.join(made)).unwrap();
    }
    let python = home.join("venv/bin/python");
    std::fs::write(&python, "").unwrap();
    let script = home.join("ann/run");
    let hidden = |first_line: &str, words: &str| {
        std::fs::write(&script, format!("{first_line}\nx")).unwrap();
        let words = format!("{}{words}", script.display());
        let command: BotCommand = words.parse().unwrap();
        ReadablePaths::of(&command, Path::new("mancala"), &BTreeSet::new()).hidden
    };
    let line = format!("#!{}", python.display());
    assert_eq!(hidden(&line, ""), Some(python.clone()));
    assert_eq!(hidden(&format!("#!/usr/bin/env {}", python.display()), ""), Some(python.clone()));
    let by_option = format!("#!/usr/bin/env -S A=1 {} -u", python.display());
    assert_eq!(hidden(&by_option, ""), Some(python.clone()));
    // Its folder is named, too.
    assert_eq!(hidden(&line, &format!(" {}", home.join("venv").display())), None);
    for line in ["#!/bin/sh", "#!/usr/bin/env sh", "#!/usr/bin/env no-such-program", "x"] {
        assert_eq!(hidden(line, ""), None, "{line}");
    }
    assert_eq!(folders_of_interpreter(&python), [home.join("venv")]);
}

#[test]
fn a_program_s_path_is_relative_to_the_working_folder_of_the_bot() {
    // Here, in the folder of the package, there is a file of this name.
    let here = std::env::current_dir().unwrap();
    assert!(here.join("Cargo.toml").is_file());
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().canonicalize().unwrap();
    for made in ["bots/ann", "tool"] {
        std::fs::create_dir_all(home.join(made)).unwrap();
    }
    let ann = home.join("bots/ann");
    for words in [&["./Cargo.toml"][..], &["./Cargo.toml", "p"]] {
        assert_eq!(reach_in(Some(&ann), words).outermost(), [&ann], "{words:?}");
    }
    std::fs::write(home.join("tool/eng"), "").unwrap();
    let reach = reach_in(Some(&ann), &["../../tool/eng", "p"]);
    assert_eq!(reach.outermost(), [&ann, &home.join("tool")]);
}

#[test]
fn a_class_or_a_module_is_looked_for_in_the_working_folder() {
    // The tests run in the folder of their package.
    let here = [std::env::current_dir().unwrap()];
    for words in [
        &["java", "Bot"][..],
        &["java", "-Xmx64m", "Bot", "7"],
        &["python3", "-m", "my_bot"],
        &["nice", "/usr/bin/python3.11", "-u", "-m", "my_bot"],
    ] {
        assert_eq!(reach(words).own, here, "{words:?}");
    }
    for words in [&["java", "-version"][..], &["python3"], &["javac", "Bot"], &["sh", "-m"]] {
        assert!(!reach(words).own.contains(&here[0]), "{words:?}");
    }
    assert_eq!(reach(&["java", "-cp", "bot", "Bot"]).own, [here[0].join("bot")]);
}

#[test]
fn what_two_bots_share_is_found() {
    let of = |own: &[&str]| ReadablePaths {
        tools: vec![PathBuf::from("/home/me/venv")],
        own: own.iter().map(PathBuf::from).collect(),
        ..ReadablePaths::default()
    };
    let common = |a: &[&str], b: &[&str]| {
        let (a, b) = (of(a), of(b));
        a.in_common(&b).into_iter().cloned().collect::<Vec<PathBuf>>()
    };
    assert_eq!(common(&["/c/ann"], &["/c/bob"]), Vec::<PathBuf>::new());
    assert_eq!(common(&["/c"], &["/c/bob"]), [PathBuf::from("/c/bob")]);
    assert_eq!(common(&["/c/ann"], &["/c/ann"]), [PathBuf::from("/c/ann")]);
    assert_eq!(common(&["/c", "/d"], &["/d/bob", "/c"]), ["/c", "/d/bob"].map(PathBuf::from));
}

#[test]
fn a_bots_folder_in_which_another_ones_program_lies_is_shared() {
    let folder = PathBuf::from("/class");
    let of = |tools: &[&PathBuf], own: &[&PathBuf]| ReadablePaths {
        tools: tools.iter().copied().cloned().collect(),
        own: own.iter().copied().cloned().collect(),
        ..ReadablePaths::default()
    };
    let (inner, alone) = (folder.join("data"), PathBuf::from("/alone"));
    // A program of the class's folder, with a file of its own elsewhere or within.
    let plain = of(&[], &[&folder]);
    assert_eq!(of(&[&folder], &[&alone]).in_common(&plain), [&folder]);
    assert_eq!(plain.in_common(&of(&[&folder], &[&inner])), [&folder]);
    assert_eq!(of(&[&folder], &[&inner, &alone]).outermost(), [&folder, &alone]);
    assert_eq!(of(&[&folder], &[&folder]).outermost(), [&folder]);
}
