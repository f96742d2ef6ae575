//! What `report` refuses, and in which words: the older report stays as it was, byte for byte, and
//! nothing is left beside it.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};

use rustix::process::{Pid, Signal, kill_process};

use super::page::{report, tournament};
use crate::another_user::Public;
use crate::program::{mancala, wait_until_handled, write_script};
use crate::requirements;
use crate::terminal::Terminal;
use crate::test_folder::{TestFolder, status_of, wait_until};

/// A folder with a tournament in `t.jsonl`, and its report in `t.html`.
struct Reported {
    folder: TestFolder,
    older: String,
}

impl Reported {
    fn new() -> Reported {
        let folder = TestFolder::new();
        tournament(&folder);
        report(&folder, "t.jsonl -q").success();
        let older = folder.read("t.html");
        Reported { folder, older }
    }

    /// The report fails with this code and exactly this line, and nothing has changed.
    #[track_caller]
    fn refuses(&self, arguments: &str, code: i32, line: &str) {
        let outcome = report(&self.folder, arguments).failure(code, "");
        assert_eq!(outcome.stderr, format!("mancala: {line}\n"), "{arguments}");
        self.expect_untouched();
    }

    #[track_caller]
    fn expect_untouched(&self) {
        assert_eq!(self.folder.read("t.html"), self.older);
        let files = fs::read_dir(self.folder.path()).unwrap().flatten();
        let left = files.map(|file| file.file_name().into_string().unwrap());
        let left: Vec<String> = left.filter(|name| name.starts_with('.')).collect();
        assert!(left.is_empty(), "{left:?}");
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.folder.file(name), text).unwrap();
    }
}

#[test]
fn only_an_older_report_is_overwritten() {
    let reported = Reported::new();
    let mode = fs::metadata(reported.folder.file("t.html")).unwrap().permissions().mode();
    assert_eq!((mode & 0o111, mode & 0o400), (0, 0o400));
    report(&reported.folder, "t.jsonl -q --games 1 -o again.html").success();
    report(&reported.folder, "t.jsonl -q -o again.html").success();
    assert_eq!(reported.folder.read("again.html"), reported.older);

    reported.write("other.html", "<!doctype html>mine");
    fs::create_dir(reported.folder.file("folder")).unwrap();
    let only = "and only an older report is overwritten; give -o another file";
    let record = reported.folder.read("t.jsonl");
    for (output, what) in [
        ("other.html", "another file"),
        ("t.jsonl", "another file"),
        ("folder", "a folder"),
        ("/dev/full", "not a regular file"),
    ] {
        let line = format!("cannot write the report {output}: it is {what}, {only}");
        reported.refuses(&format!("t.jsonl -o {output}"), 2, &line);
    }
    let line = "new.html is not there; the page goes to -o new.html";
    reported.refuses("t.jsonl new.html", 2, line);
    reported.refuses("t.jsonl -o -", 2, "a report goes to a file, not to stdout");
    for output in ["missing/x.html", "/proc/x.html"] {
        let why =
            "No such file or directory (os error 2); give -o a file in a folder you may write to";
        let line = format!("cannot write the report {output}: {why}");
        reported.refuses(&format!("t.jsonl -o {output}"), 1, &line);
    }
    assert_eq!(reported.folder.read("other.html"), "<!doctype html>mine");
    assert_eq!(reported.folder.read("t.jsonl"), record);
}

#[test]
fn what_cannot_be_read_is_refused_in_one_line() {
    let reported = Reported::new();
    reported.write("bad.jsonl", "{}\n");
    reported.write("text.txt", "Dear all,\n");
    reported.write("empty.jsonl", "");
    fs::create_dir(reported.folder.file("folder")).unwrap();
    let header = reported.folder.read("t.jsonl").lines().next().unwrap().to_owned() + "\n";
    reported.write("header.jsonl", &header);
    let hint = "give it files that mancala wrote with --record";
    let cases = [
        (
            "bad.jsonl",
            format!(
                "bad.jsonl: line 1: not a mancala-match/1 record: missing field `format`, at column 2; {hint}"
            ),
        ),
        (
            "text.txt",
            format!(
                "text.txt: line 1: not a mancala-match/1 record: it is not a JSON object; {hint}"
            ),
        ),
        (
            "empty.jsonl",
            "there is no match in empty.jsonl; matches are written with --record".to_owned(),
        ),
        (
            "header.jsonl",
            "there is no match in header.jsonl; matches are written with --record".to_owned(),
        ),
        (
            "missing.jsonl",
            "cannot read missing.jsonl: No such file or directory (os error 2)".to_owned(),
        ),
        ("folder", "cannot read folder: it is a folder".to_owned()),
    ];
    for (file, line) in &cases {
        reported.refuses(&format!("{file} -o t.html"), 1, line);
        // One bad file among good ones is enough.
        if !line.starts_with("there is no match") {
            reported.refuses(&format!("t.jsonl {file} -o t.html"), 1, line);
        }
    }
    for (options, code, words) in [
        ("--games some", 2, "expected all, none or a number"),
        ("--show easy", 2, "--anonymous"),
        ("--merge all", 2, "--merge"),
        ("--rank-by luck", 2, "--rank-by"),
        ("--anonymous --show nobody", 2, "no bot is named \"nobody\", as --show says; there are "),
        ("--anchor nobody=1", 2, "nobody"),
    ] {
        report(&reported.folder, &format!("t.jsonl -o t.html {options}")).failure(code, words);
        reported.expect_untouched();
    }
}

/// A game whose board is not what its moves make of it, whether the page shows games or not.
#[test]
fn a_damaged_game_is_an_error_whatever_games_are_kept() {
    let reported = Reported::new();
    let record = reported.folder.read("t.jsonl");
    // The last match in which nobody is at fault: nothing but its games would need its moves.
    let sound = |line: &&str| {
        line.contains("\"final\":[") && !line.contains("nine") && !line.contains("onerror")
    };
    let line = record.lines().rfind(sound).unwrap();
    let number = 1 + record.lines().position(|it| it == line).unwrap();
    let (before, board) = line.rsplit_once("\"final\":[").unwrap();
    let damaged = format!("{before}\"final\":[1{board}");
    reported.write("damaged.jsonl", &record.replace(line, &damaged));
    for games in ["all", "none", "1", "2000"] {
        let arguments = format!("damaged.jsonl -o t.html --games {games}");
        let words = format!("damaged.jsonl:{number}: the match is invalid: ");
        report(&reported.folder, &arguments).failure(1, &words);
        reported.expect_untouched();
    }
}

/// A limit on the size of files fails a write as a full disk does.
#[test]
fn a_full_disk_leaves_the_older_report() {
    let reported = Reported::new();
    let limited = |arguments: &[&str], input: &str| {
        let run = mancala(["report", "-q"]).args(arguments).behind(&["prlimit", "--fsize=20000"]);
        run.in_folder(reported.folder.path()).stdin(input).run()
    };
    let page = limited(&["t.jsonl"], "").failure(1, "");
    let line = "mancala: cannot write the report t.html: File too large (os error 27); allow larger files (ulimit -f)\n";
    assert_eq!(page.stderr, line);
    reported.expect_untouched();
    let words = "cannot copy to a temporary file what comes from -: File too large (os error 27)";
    let long = reported.folder.read("t.jsonl").repeat(10);
    assert!(long.len() > 40_000);
    limited(&["-", "-o", "t.html"], &long).failure(1, words);
    reported.expect_untouched();
    let assets = limited(&["t.jsonl", "--games=none", "--assets", "figures"], "");
    let advice = "File too large (os error 27); allow larger files (ulimit -f)";
    assert_eq!(
        assets.failure(1, "").stderr,
        format!("mancala: cannot write the report t.html: {advice}\n")
    );
    reported.expect_untouched();
}

fn interrupt(child: &Child) {
    kill_process(Pid::from_child(child), Signal::INT).unwrap();
}

/// It was interrupted: code 130 and one line.
#[track_caller]
fn expect_interrupted(child: &mut Child) {
    assert_eq!(status_of(child).code(), Some(130));
    let said = std::io::read_to_string(child.stderr.take().unwrap()).unwrap();
    assert_eq!(said, "mancala: interrupted\n");
}

#[test]
fn ctrl_c_while_it_reads_leaves_the_older_report() {
    let reported = Reported::new();
    let folder = &reported.folder;
    // It waits for more on stdin.
    let mut command = mancala(["report", "-", "-o", "t.html"]).in_folder(folder.path()).command();
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(&folder.read("t.jsonl").into_bytes()[..5000]).unwrap();
    wait_until_handled(&child, signal_hook::consts::SIGINT);
    interrupt(&child);
    expect_interrupted(&mut child);
    reported.expect_untouched();
    drop(stdin);

    // A named pipe has no writer yet, and then one.
    let pipe = folder.file("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let mut child = mancala(["report", "pipe", "-o", "t.html"]).in_folder(folder.path()).start();
    wait_until("it does not wait for a writer", || {
        let descriptors = fs::read_dir(format!("/proc/{}/fd", child.id())).unwrap().flatten();
        let mut open = descriptors.filter_map(|one| fs::read_link(one.path()).ok());
        open.any(|file| file.ends_with("pipe"))
    });
    interrupt(&child);
    expect_interrupted(&mut child);
    reported.expect_untouched();
    for command in ["report pipe -o piped.html", "standings pipe", "replay pipe"] {
        let run = mancala(command.split(' ')).in_folder(folder.path());
        let mut child = run.start();
        fs::write(&pipe, folder.read("t.jsonl")).unwrap();
        assert_eq!(status_of(&mut child).code(), Some(0), "{command}");
    }

    // It reads a file that takes longer than this test.
    let mut long = fs::File::create(folder.file("long.jsonl")).unwrap();
    let text = folder.read("t.jsonl");
    while long.metadata().unwrap().len() < 100_000_000 {
        long.write_all(&text.repeat(100).into_bytes()).unwrap();
    }
    let report = ["report", "long.jsonl", "-o", "t.html", "-q"];
    let mut child = mancala(report).in_folder(folder.path()).start();
    wait_until("it reads nothing", || {
        let io = fs::read_to_string(format!("/proc/{}/io", child.id())).unwrap();
        let read = io.lines().find_map(|line| line.strip_prefix("rchar: ")).unwrap();
        read.parse::<u64>().unwrap() > 2_000_000
    });
    interrupt(&child);
    expect_interrupted(&mut child);
    reported.expect_untouched();
}

#[test]
fn ctrl_c_while_it_writes_leaves_the_older_report() {
    let reported = Reported::new();
    let folder = &reported.folder;
    let being_written = || {
        let files = fs::read_dir(folder.path()).unwrap().flatten();
        let mut sizes = files
            .filter(|file| file.file_name().to_string_lossy().starts_with(".mancala-report-"))
            .filter_map(|file| file.metadata().ok())
            .map(|file| file.len());
        sizes.any(|size| size > 0)
    };
    // The page is written within milliseconds: it is stopped when its beginning is seen.
    for _ in 0..50 {
        let report = ["report", "t.jsonl", "-q"];
        let mut child = mancala(report).in_folder(folder.path()).start();
        let pid = Pid::from_child(&child);
        while !being_written() && child.try_wait().unwrap().is_none() {}
        if child.try_wait().unwrap().is_some() {
            continue;
        }
        kill_process(pid, Signal::STOP).unwrap();
        interrupt(&child);
        kill_process(pid, Signal::CONT).unwrap();
        let code = status_of(&mut child).code();
        if code == Some(130) {
            let said = std::io::read_to_string(child.stderr.take().unwrap()).unwrap();
            assert_eq!(said, "mancala: interrupted\n");
            return reported.expect_untouched();
        }
        // It was too late: the page was whole.
        assert_eq!(code, Some(0));
        reported.expect_untouched();
    }
    panic!("it was never caught while it wrote");
}

/// A program on the PATH that notes what it is given.
fn browser(folder: &TestFolder, name: &str, code: u8) {
    let file = folder.file(&format!("bin/{name}"));
    fs::create_dir_all(folder.file("bin")).unwrap();
    let note = folder.file("opened");
    let script = format!(
        "#!/bin/sh\necho noise\necho noise >&2\necho \"$0\" \"$@\" >> '{note}'\nexit {code}\n"
    );
    write_script(file, &script);
}

#[test]
fn open_shows_the_page_in_the_users_browser() {
    let reported = Reported::new();
    let folder = &reported.folder;
    let bin = folder.file("bin");
    let open = |output: &str| {
        let output = format!("--output={output}");
        let run = mancala(["report", "t.jsonl", "-q", "--open", &output]);
        let run = run.behind(&["env", &format!("PATH={bin}")]);
        run.in_folder(folder.path()).run()
    };
    let refused = |output: &str| {
        format!(
            "mancala: the report is written, but no browser could be started; open {output} yourself\n"
        )
    };
    // Nothing there: the page is.
    let none = open("one.html").failure(1, "");
    assert_eq!(none.stderr, refused("one.html"));
    assert_eq!(folder.read("one.html"), reported.older);
    browser(folder, "xdg-open", 0);
    open("two.html").success();
    assert_eq!(folder.read("opened"), format!("{bin}/xdg-open {}\n", folder.file("two.html")));
    // One that fails, and the next one in its place.
    fs::remove_file(folder.file("opened")).unwrap();
    browser(folder, "xdg-open", 3);
    assert_eq!(open("-dash.html").failure(1, "").stderr, refused("-dash.html"));
    browser(folder, "gio", 0);
    fs::remove_file(folder.file("opened")).unwrap();
    open("two.html").success();
    let page = folder.file("two.html");
    let expected = format!("{bin}/xdg-open {page}\n{bin}/gio open {page}\n");
    assert_eq!(folder.read("opened"), expected);
}

/// The program that shows the page runs in the background, where the terminal is not its own.
#[test]
fn an_opener_that_uses_the_terminal_is_given_up() {
    let reported = Reported::new();
    let folder = &reported.folder;
    browser(folder, "gio", 0);
    write_script(folder.file("bin/xdg-open"), "#!/bin/sh\nstty sane </dev/tty\n");
    let path = format!("PATH={}:/usr/bin:/bin", folder.file("bin"));
    let arguments = ["report", &folder.file("t.jsonl"), "-q", "--open"];
    let Some(terminal) = Terminal::start_with(&arguments, (80, 24), &path) else { return };
    assert_eq!(terminal.end(), (Some(0), String::new()));
    let opened = format!("{} open {}\n", folder.file("bin/gio"), folder.file("t.html"));
    assert_eq!(folder.read("opened"), opened);
}

/// The browser may take its time, or be the opener itself.
#[test]
fn ctrl_c_ends_the_wait_for_the_browser() {
    let reported = Reported::new();
    let folder = &reported.folder;
    fs::create_dir(folder.file("bin")).unwrap();
    for name in ["xdg-open", "gio"] {
        let note = folder.file("opened");
        let script = format!("#!/bin/sh\necho $$ >> '{note}'\nexec /bin/sleep 60\n");
        write_script(folder.file(&format!("bin/{name}")), &script);
    }
    let mut command =
        mancala(["report", "t.jsonl", "-q", "--open"]).in_folder(folder.path()).command();
    command.env("PATH", folder.file("bin")).stdin(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.process_group(0).spawn().unwrap();
    let opened = || fs::read_to_string(folder.file("opened")).unwrap_or_default();
    wait_until("no browser is started", || opened().ends_with('\n'));
    // As a terminal does.
    let group = Pid::from_child(&child);
    rustix::process::kill_process_group(group, Signal::INT).unwrap();
    expect_interrupted(&mut child);
    // The one that was started is left alone, and no other one was.
    let browser = Pid::from_raw(opened().trim().parse().unwrap()).unwrap();
    kill_process(browser, Signal::KILL).unwrap();
    assert_eq!(folder.read("t.html"), reported.older);
}

#[test]
fn without_a_name_the_report_stands_beside_its_first_file() {
    let reported = Reported::new();
    let folder = &reported.folder;
    fs::create_dir(folder.file("week")).unwrap();
    for (file, page) in [
        ("week/one.jsonl", "week/one.html"),
        ("week/record", "week/record.html"),
        ("record", "record.html"),
        ("a.b.jsonl", "a.b.html"),
    ] {
        reported.write(file, &folder.read("t.jsonl"));
        report(folder, &format!("{file} t.jsonl -q --merge versions")).success();
        assert!(folder.read(page).starts_with("<!doctype html>"), "{page}");
    }
    // Which file that is, is said; a user who has named it knows.
    for (arguments, words) in [
        ("week/one.jsonl", "mancala: the page is week/one.html\n"),
        ("week/one.jsonl -q", ""),
        ("week/one.jsonl -o named.html", ""),
    ] {
        assert_eq!(report(folder, arguments).code(0).stderr, words, "{arguments}");
    }
    reported.write("x.html", &folder.read("t.jsonl"));
    report(folder, "x.html -q").failure(2, "it is another file");
    reported.expect_untouched();
}

/// A file of mode 444 keeps a user from replacing it, though its folder is open to everybody.
#[test]
fn a_protected_page_stays_as_it_is() {
    let is_root = rustix::process::geteuid().is_root();
    if is_root && !requirements::are_there("setpriv bash", "a protected page") {
        return;
    }
    let reported = Reported::new();
    let public = Public::new();
    for name in ["t.jsonl", "t.html"] {
        fs::copy(reported.folder.file(name), public.file(name)).unwrap();
        fs::set_permissions(public.file(name), fs::Permissions::from_mode(0o444)).unwrap();
    }
    let run = public.run("true", &["report", "t.jsonl", "-q"]);
    run.failure(
        1,
        "mancala: cannot write the report t.html: it is write-protected; make it writable, or give \
         another file\n",
    );
    assert_eq!(fs::read_to_string(public.file("t.html")).unwrap(), reported.older);
    let run = public.run("true", &["report", "t.jsonl", "-q", "-o", "other.html"]);
    run.success();
}
