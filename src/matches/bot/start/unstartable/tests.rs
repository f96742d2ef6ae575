use super::*;

#[test]
fn a_file_that_is_not_a_program_is_told_how_to_run() {
    let folder = tempfile::tempdir().unwrap();
    let told = |name: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, "").unwrap();
        let program = path.to_str().unwrap();
        let folder = folder.path().to_str().unwrap();
        how_to_run(program, &path).map(|how| how.replace(folder, "F"))
    };
    assert_eq!(told("a.py").unwrap(), "this file is run by \"python3 F/a.py\"");
    assert_eq!(told("a b.py").unwrap(), "this file is run by \"python3 'F/a b.py'\"");
    assert_eq!(told("Bot.class").unwrap(), "this file is run by \"java -cp F Bot\"");
    assert_eq!(told("bot.jar").unwrap(), "this file is run by \"java -jar F/bot.jar\"");
    assert_eq!(
        told("nf.c").unwrap(),
        "this file is C source; compile it (cc -O2 F/nf.c -o F/nf) and run F/nf; a file with \
         only a Move_… function is compiled by examples/ece1021/build.sh F/nf.c -o F/nf"
    );
    assert_eq!(
        told("b.rs").unwrap(),
        "this file is Rust source; compile it (rustc -O F/b.rs -o F/b) and run F/b"
    );
    assert_eq!(told("bot"), None);
    assert_eq!(told("bot.txt"), None);
    assert_eq!(how_to_run("no.py", Path::new("no.py")), None);
}

#[test]
fn a_script_is_run_by_the_interpreter_of_its_first_line() {
    let folder = tempfile::tempdir().unwrap();
    let told = |name: &str, first_line: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, format!("{first_line}\necho 3\n")).unwrap();
        not_executable(&format!("./{name}"), &path)
    };
    // The command runs in the bot's folder, and chmod in that of the reader.
    let chmod = format!("or make it executable: chmod +x {}/ar.sh", folder.path().display());
    assert_eq!(
        told("ar.sh", "#!/bin/bash"),
        format!("not executable; this file is run by \"bash ./ar.sh\", {chmod}")
    );
    for (name, first_line, words) in [
        ("bot", "#! /usr/bin/env python3", "\"python3 ./bot\""),
        ("bot.py", "#!/usr/bin/env -S pypy3 -u", "\"pypy3 -u ./bot.py\""),
        ("plain.sh", "echo 2", "\"bash ./plain.sh\""),
    ] {
        assert!(told(name, first_line).contains(words), "{}", told(name, first_line));
    }
    assert!(!told("plain.sh", "echo 2").contains("chmod"));
}

#[test]
fn a_file_that_may_be_executed_is_not_called_not_executable() {
    let folder = tempfile::tempdir().unwrap();
    let told = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        let error = io::Error::from_raw_os_error(Errno::NOEXEC.raw_os_error());
        let trouble = program_trouble(&format!("./{name}"), Some(folder.path()), false, error);
        let Trouble::CannotStart(why) = trouble else { panic!("{trouble:?}") };
        why
    };
    let no_line = "has no first line that names its interpreter (#!/usr/bin/env python3)";
    let script = told("bot.py", "print(3)\n");
    assert!(script.contains(no_line), "{script}");
    assert!(script.ends_with("this file is run by \"python3 ./bot.py\""), "{script}");
    let other = told("bot", "\x7fELF");
    assert!(other.ends_with("is not a program for this machine"), "{other}");
    let marked = told("marked.py", "\u{feff}#!/usr/bin/env python3\n");
    assert!(marked.contains("begins with a byte-order mark"), "{marked}");
    assert!(![script, other, marked].iter().any(|why| why.contains("not executable")));
}

#[test]
fn an_interpreter_that_cannot_run_is_told_and_not_its_script() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str, mode: u32| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
    };
    write("text", "x", 0o644);
    write("no-program", "x", 0o755);
    let told = |interpreter: &str, errno: Errno, in_sandbox: bool| {
        write("bot", &format!("#!{interpreter} -u\n"), 0o755);
        let error = io::Error::from_raw_os_error(errno.raw_os_error());
        let trouble = program_trouble("./bot", Some(folder.path()), in_sandbox, error);
        let Trouble::CannotStart(why) = trouble else { panic!("{trouble:?}") };
        why
    };
    for (interpreter, errno, why) in [
        ("./text", Errno::ACCESS, "is not executable"),
        ("/usr", Errno::ACCESS, "is a folder"),
        ("./no-program", Errno::NOEXEC, "is not a program for this machine"),
    ] {
        let words = format!(
            "./bot: its first line (#!) names {interpreter}, which {why}; write the script's interpreter in that line"
        );
        assert_eq!(told(interpreter, errno, false), words);
        assert_eq!(told(interpreter, errno, true), words);
    }
    assert!(told("/bin/sh", Errno::ACCESS, true).contains("may not be executed in the sandbox"));
}

#[test]
fn a_link_to_a_missing_file_is_told_with_its_target() {
    let folder = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink("none/bot.py", folder.path().join("bot")).unwrap();
    let target = "is a link to none/bot.py, which is not there";
    assert_eq!(not_found("./bot", &folder.path().join("bot")), target);
    std::os::unix::fs::symlink("bot", folder.path().join("newest")).unwrap();
    assert_eq!(not_found("./newest", &folder.path().join("newest")), target);
    let words = ["python3", "bot"].map(str::to_owned);
    let why = missing_script(&words, Some(folder.path())).unwrap();
    assert_eq!(why, format!("python3 cannot find bot: it {target}"));
}

#[test]
fn a_program_without_a_path_is_that_of_the_folder_and_not_the_source_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    let (program, source) = (folder.path().join("v1"), folder.path().join("v1.c"));
    std::fs::write(source, "").unwrap();
    let told = not_found("v1", &program);
    assert!(told.contains("there is v1.c: this file is C source"), "{told}");
    std::fs::write(&program, "\x7fELF").unwrap();
    assert!(not_found("v1", &program).ends_with("the program of this folder is ./v1"));
}

#[test]
fn a_missing_file_is_no_program_that_is_not_installed() {
    let why = |name: &str| not_found(name, Path::new(name));
    for name in ["no-such-bot.py", "no-such-bot.c", "no-such-bot.jar"] {
        assert_eq!(why(name), "no such file in this folder; give its path");
    }
    assert!(why("no-such-python3.11").contains(NOT_ON_PATH));
}

#[test]
fn a_missing_script_is_told_with_its_folder() {
    let words = ["python3", "no.py"].map(str::to_owned);
    let why = |folder: Option<&str>| missing_script(&words, folder.map(Path::new)).unwrap();
    assert_eq!(why(None), "python3 cannot find no.py; give its path from this folder");
    let from_there = "no.py in the folder /, where it runs; give its path from there";
    assert!(why(Some("/")).ends_with(from_there));
    assert!(why(Some("none")).ends_with("in the folder none, which is not there"));
    // A path from the folder above, as {path} of a config is, beside `dir`.
    let above = tempfile::tempdir_in(".").unwrap();
    let folder = Path::new(above.path().file_name().unwrap());
    std::fs::write(folder.join("bot.py"), "").unwrap();
    let script = folder.join("bot.py").to_str().unwrap().to_owned();
    let told = missing_script(&["python3".to_owned(), script], Some(folder)).unwrap();
    assert!(told.ends_with("give its path from there, bot.py"), "{told}");
}

#[test]
fn a_script_with_ends_of_lines_as_on_windows_is_refused_where_they_matter() {
    let folder = tempfile::tempdir().unwrap();
    let told = |first_line: &str| {
        std::fs::write(folder.path().join("bot"), format!("{first_line}print\r\n")).unwrap();
        windows_script("./bot", Some(folder.path()))
    };
    for first_line in ["#!/usr/bin/python3\r\n", "#!/usr/bin/env node\r\n"] {
        let why = told(first_line).unwrap();
        assert!(why.contains("(CR LF), so its interpreter is not found; convert it with"), "{why}");
        assert!(why.ends_with(&format!("{}/bot", folder.path().display())), "{why}");
    }
    let why = told("#!/bin/sh -e\r\n").unwrap();
    assert!(why.contains("(CR LF), so its interpreter gets an option that"), "{why}");
    for first_line in
        ["#!/usr/bin/perl -w\r\n", "#!/usr/bin/env -S node -r\r\n", "#!/bin/sh\n", "#!/bin/sh\r"]
    {
        assert_eq!(told(first_line), None, "{first_line:?}");
    }
}
