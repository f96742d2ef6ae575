//! `mancala match --log` and `mancala reproduce`: what went over the wire is there for the authors
//! of bots, and a fault shows again.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::processes;
use crate::program::{Outcome, hostile, mancala, path, until_finished};
use crate::requirements;
use crate::test_folder::wait_for;

/// A folder for the logs of matches.
struct Desk {
    folder: TempDir,
}

impl Desk {
    fn new() -> Desk {
        Desk { folder: tempfile::tempdir().expect("a folder is made") }
    }

    fn logs(&self) -> String {
        path(self.folder.path().join("logs"))
    }

    /// What is in this file of the log with that number of these bots.
    fn read(&self, file: &str) -> String {
        fs::read_to_string(self.folder.path().join("logs").join(file)).expect("the file is there")
    }

    /// Plays a match with a log; its record.
    fn play(&self, bots: [&str; 2], options: &[&str]) -> Value {
        let outcome = until_finished(|| {
            let run = mancala(["match", "--format=json", "--log", &self.logs()]);
            let outcome = run.args(bots).args(options).run();
            if outcome.is_unfinished() {
                // Its log would be taken for that of the match.
                fs::remove_dir_all(self.logs()).expect("there is one");
            }
            outcome
        });
        let outcome = outcome.code(0).plain();
        let told = |line: &str| line.starts_with("mancala: the log is in ");
        assert!(outcome.stderr.lines().any(told), "{outcome:#?}");
        outcome.json()
    }

    /// The bundles there are.
    fn bundles(&self) -> Vec<PathBuf> {
        let matches = fs::read_dir(self.logs()).expect("there are logs");
        let files = matches.flat_map(|entry| fs::read_dir(entry.unwrap().path()).unwrap());
        let paths = files.map(|entry| entry.unwrap().path());
        paths.filter(|path| path.extension().is_some_and(|ending| ending == "json")).collect()
    }

    /// The match of a hostile bot named bad against a sound one; its record and only bundle.
    fn misbehave(&self, mode: &str, options: &[&str]) -> (Value, PathBuf, Value) {
        let bad = format!("bad={}", hostile(mode));
        let record = self.play([&bad, &format!("good={}", hostile("sound"))], options);
        let [bundle] = &self.bundles()[..] else { panic!("{mode}: {:?}", self.bundles()) };
        let text = fs::read_to_string(bundle).expect("it is text");
        assert!(!text.contains(|c: char| c.is_control() && c != '\n'), "{mode}: {text:?}");
        (record, bundle.clone(), serde_json::from_str(&text).expect("it is JSON"))
    }
}

/// The lines of a transcript: time, mark and text.
fn lines(transcript: &str) -> Vec<(f64, &str, &str)> {
    transcript
        .lines()
        .map(|line| {
            let (time, rest) = line.trim_start().split_once(' ').expect("a time");
            let (mark, text) = rest.split_once(' ').expect("a mark");
            (time.parse().expect("a number"), mark, text)
        })
        .collect()
}

fn marked<'a>(transcript: &'a str, mark: &str) -> Vec<&'a str> {
    lines(transcript).into_iter().filter(|line| line.1 == mark).map(|line| line.2).collect()
}

#[test]
fn a_transcript_has_every_line_in_both_directions_with_its_time() {
    let desk = Desk::new();
    let bots = [hostile("sound"), hostile("info")];
    let bots = [format!("one={}", bots[0]), format!("two={}", bots[1])];
    let record = desk.play([&bots[0], &bots[1]], &[]);
    assert_eq!(desk.bundles(), [""; 0].map(PathBuf::from));
    for (seat, file) in ["one-vs-two-1/one.txt", "one-vs-two-1/two.txt"].into_iter().enumerate() {
        let transcript = desk.read(file);
        let lines = lines(&transcript);
        assert!(lines.is_sorted_by(|a, b| a.0 <= b.0), "{transcript}");

        let rounds = record["rounds"].as_array().unwrap().iter();
        let moves = rounds.flat_map(|round| round["moves"].as_array().unwrap());
        let own: Vec<&Value> = moves.filter(|played| played["bot"] == json!(seat)).collect();
        let answers: Vec<usize> = (0..lines.len()).filter(|&at| lines[at].1 == "<").collect();
        assert_eq!(answers.len(), own.len());
        for (&at, played) in answers.iter().zip(own) {
            let answer: Value = serde_json::from_str(lines[at].2).expect("an answer is JSON");
            let house = answer.get("move").unwrap_or(&answer);
            assert_eq!(house, &played["move"]);
            let (asked, mark, question) = lines[at - 1];
            assert_eq!(mark, ">");
            assert!(question.starts_with(r#"{"type":"turn","#), "{question}");
            let own_time = played["ms"].as_f64().expect("a time");
            assert!((lines[at].0 - asked - own_time).abs() < 0.0015, "{own_time}: {transcript}");
        }
        let sent = marked(&transcript, ">");
        let kinds = ["start", "turn", "end"].map(|kind| {
            let begins = format!(r#"{{"type":"{kind}","#);
            sent.iter().filter(|line| line.starts_with(&begins)).count()
        });
        assert_eq!(kinds, [2, answers.len(), 2]);
    }
    // The next match of the same bots has a folder of its own.
    desk.play([&bots[0], &bots[1]], &["--rounds=1"]);
    assert_eq!(marked(&desk.read("one-vs-two-2/one.txt"), "#").len(), 3);
}

#[test]
fn the_transcript_has_all_of_stderr() {
    let desk = Desk::new();
    let talker = "talker=bash -c 'echo hello >&2; while read -r line; do case $line in \
        *turn*) echo about to answer >&2; line=${line#*legal\\\":[}; echo ${line%%[],]*};; \
        esac; done; printf good-bye >&2'";
    let record = desk.play([talker, "builtin:random"], &[]);
    assert_eq!(record["rounds"][0]["result"]["fault"], Value::Null, "{record:#}");
    let transcript = desk.read("talker-vs-random-1/talker.txt");
    assert!(lines(&transcript).is_sorted_by(|a, b| a.0 <= b.0), "{transcript}");
    let said = marked(&transcript, "2");
    assert_eq!(said[0], "hello");
    assert_eq!(said.iter().filter(|said| **said == "about to answer").count(), said.len() - 2);
    assert_eq!(said.len() - 2, marked(&transcript, "<").len());
    assert_eq!(said.last(), Some(&"good-bye"));
}

#[test]
fn stderr_outside_a_turn_is_in_order_in_the_transcript() {
    let desk = Desk::new();
    let folder = path(desk.folder.path());
    let bots = ["flood-stderr-while-idle", "patient"];
    let [a, b] = bots.map(|mode| hostile(&format!("{mode} 1 1 '{folder}'")));
    desk.play([&format!("a={a}"), &format!("b={b}")], &["--move-time=20s"]);
    let transcript = desk.read("a-vs-b-1/a.txt");
    let lines = lines(&transcript);
    assert!(lines.is_sorted_by(|a, b| a.0 <= b.0));
    let at = |mark, text: &str| {
        let found = lines.iter().position(|line| line.1 == mark && line.2.starts_with(text));
        found.unwrap_or_else(|| panic!("no {mark} {text}"))
    };
    assert!(
        at("<", "0") < at("2", "xxx") && at("2", "xxx") < at(">", "{\"type\":\"turn\",\"turn\":2,")
    );
}

/// A kind of fault, a mode of the hostile bot that commits it, and the options.
const FAULTS: [(&str, &str, &[&str]); 9] = [
    ("illegal_move", "empty-house 1 2", &[]),
    ("invalid_reply", "not-utf8 2 1", &[]),
    ("unsolicited_output", "twice-at-once 1 3", &[]),
    ("unsolicited_output", "early 1 1", &[]),
    ("oversized_reply", "flood 1 1", &[]),
    ("timeout", "no-newline 2 2", &["--move-time=300ms", "--start-time=3s"]),
    ("timeout", "late 1 2", &["--move-time=300ms", "--start-time=3s"]),
    ("exited", "exit-3 1 2", &[]),
    ("exited", "segfault 2 4", &[]),
];

#[test]
fn every_fault_has_a_bundle_that_reproduces_it() {
    for (kind, mode, options) in FAULTS {
        let desk = Desk::new();
        let (record, file, bundle) = desk.misbehave(mode, options);
        let rounds = record["rounds"].as_array().unwrap();
        let round = rounds.iter().find(|round| !round["result"]["fault"].is_null()).unwrap();
        let fault = &round["result"]["fault"];
        assert_eq!(bundle["format"], "mancala-fault/1");
        assert_eq!(bundle["kind"], kind, "{mode}");
        for field in ["kind", "detail", "stderr"] {
            assert_eq!(bundle[field], fault[field], "{mode}");
        }
        assert_eq!(bundle["round"], round["round"]);
        assert_eq!(bundle["bot"], record["bots"][0]);
        assert_eq!(bundle["opponent"], "good");
        assert_eq!(bundle["limits"], record["limits"]);
        assert_eq!(bundle["rules"], record["rules"]);
        check_wire(mode, &bundle, fault);

        let again = reproduce(&bundle);
        assert!(again.stdout.contains("\nthen: "), "{again:#?}");
        assert!(again.stdout.ends_with("The same kind of fault again.\n"), "{mode}: {again:#?}");
        let now = again.stdout.split("\nnow:  ").nth(1).expect("a verdict");
        assert!(now.contains(&format!("{kind}: ")), "{mode}: {again:#?}");
        again.plain().code(0);

        let strict = mancala(["reproduce", "--strict", "--from-start", &path(&file)]);
        strict.arg(hostile(mode)).run_until_finished().code(3);
    }
}

/// What was sent and what came back is there byte for byte.
fn check_wire(mode: &str, bundle: &Value, fault: &Value) {
    let start: Value = serde_json::from_str(bundle["start"].as_str().unwrap()).unwrap();
    assert_eq!((&start["type"], &start["round"]), (&json!("start"), &bundle["round"]));
    let reply = bundle["reply"].as_str().unwrap_or_default();
    match mode.split(' ').next().unwrap() {
        "not-utf8" => {
            assert_eq!((reply, &bundle["reply_hex"]), ("0\u{fffd}\u{fffd}", &json!("30fffe")));
        }
        "twice-at-once" => assert_eq!(reply.lines().count(), 2, "{reply:?}"),
        "flood" => assert_eq!(reply.len(), 64 * 1024 + 1),
        "no-newline" | "empty-house" => assert_eq!(reply.len(), 1, "{reply:?}"),
        _ => {}
    }
    let exit = match mode.split(' ').next().unwrap() {
        "exit-3" => json!({"code": 3}),
        "segfault" => json!({"signal": 11, "name": "SIGSEGV"}),
        _ => Value::Null,
    };
    assert_eq!(bundle["exit"], exit);
    if mode.starts_with("early") {
        return;
    }
    let input: Value = serde_json::from_str(bundle["input"].as_str().unwrap()).unwrap();
    assert_eq!((&input["type"], &input["turn"]), (&json!("turn"), &bundle["turn"]));
    assert_eq!(input["board"], fault["board"]);
    let limit = bundle["limit_ms"].as_u64().unwrap();
    assert_eq!(limit, bundle["limits"]["move_time_ms"].as_u64().unwrap());
    let late = bundle["late_after_ms"].as_u64().unwrap();
    let to_start = if bundle["told"].as_array().unwrap().len() > 1 { 0 } else { 10_000 };
    assert_eq!(late, limit + 50 + to_start, "{mode}");
    let waited = bundle["waited_ms"].as_f64().unwrap();
    if bundle["kind"] == "timeout" {
        let late = u32::try_from(late).unwrap();
        assert!((f64::from(late)..f64::from(late) + 50.1).contains(&waited), "{waited}");
    } else {
        assert!((0.0..20_000.0).contains(&waited), "{waited}");
    }
}

/// Runs the bundle's own command line, as its author would.
fn reproduce(bundle: &Value) -> Outcome {
    let command = bundle["reproduce"].as_str().expect("a command line");
    let words = shell_words::split(command).expect("it is quoted well");
    assert_eq!(words[..2], ["mancala", "reproduce"]);
    mancala(&words[1..]).run_until_finished()
}

#[test]
fn a_bundle_names_environment_variables_and_reproduce_sets_them() {
    let desk = Desk::new();
    let bot = "quoter=sh -c 'echo $QUOTE >&2; exit 3'";
    let mut play = mancala(["match", "--rounds=1", "--env=QUOTE", "--log", &desk.logs()])
        .args([bot, "builtin:easy"])
        .command();
    play.env("QUOTE", "to be");
    assert!(play.output().expect("mancala starts").status.success());
    let [file] = &desk.bundles()[..] else { panic!("{:?}", desk.bundles()) };
    let text = fs::read_to_string(file).expect("it is text");
    let mut bundle: Value = serde_json::from_str(&text).expect("it is JSON");
    assert_eq!(bundle["env"], json!(["QUOTE"]));
    assert_eq!(bundle["stderr"].take(), "to be\n");
    assert!(!bundle.to_string().contains("to be"), "{bundle}");

    let words = shell_words::split(bundle["reproduce"].as_str().unwrap()).unwrap();
    let mut again = mancala(&words[1..]).command();
    let again = again.env("QUOTE", "or not").output().expect("mancala starts");
    assert!(String::from_utf8_lossy(&again.stdout).contains("| or not\n"), "{again:?}");
    assert_eq!(String::from_utf8_lossy(&again.stderr), "");
    let unset = reproduce(&bundle).code(0).stderr;
    assert_eq!(unset, "mancala: the variable QUOTE is not set here; the bot runs without it\n");
    // What a bundle names opens nothing by itself.
    let alone = mancala(["reproduce", "--run", &path(file)]).run().code(0).stderr;
    let advice = "add --env QUOTE to give it that now\n";
    assert!(alone.ends_with(advice), "{alone}");
}

#[test]
fn a_fault_that_needs_earlier_turns_needs_from_start() {
    for (mode, kind) in [("answer-and-exit 1 2", "exited"), ("exit-at-the-end", "exited")] {
        let desk = Desk::new();
        let (_, file, bundle) = desk.misbehave(mode, &[]);
        assert_eq!(bundle["kind"], kind);
        let direct = mancala(["reproduce", &path(&file)]).arg(hostile(mode)).run().success();
        direct.says(
            "No fault this time. The bot is fixed, or its fault depended on what it was sent before",
        );
        reproduce(&bundle).success().says("The same kind of fault again.");
    }
}

#[test]
fn a_bot_that_fails_earlier_than_in_the_match_does_not_show_that_fault() {
    let desk = Desk::new();
    let (_, file, _) = desk.misbehave("exit-3 1 3", &[]);
    let ask = |bot: &str| {
        mancala(["reproduce", "--from-start", &path(&file), bot]).run_until_finished().code(0)
    };
    let again = ask("sh -c 'echo no such class >&2; exit 1'");
    let words = "The same kind of fault, but earlier, at turn 1; in the match it was in round 1, at turn \
                 3: see its stderr.\n";
    assert!(again.stdout.ends_with(words), "{again:#?}");
    ask(&hostile("exit-3 1 3")).says("The same kind of fault again.");
}

#[test]
fn a_bank_that_an_earlier_process_spent_is_told_as_that() {
    let desk = Desk::new();
    let bots = [format!("bad={}", hostile("hang 1 1")), format!("good={}", hostile("sound"))];
    let terms = ["--rounds=1", "--fault-policy=substitute", "--game-time=300ms", "--start-time=2s"];
    desk.play([&bots[0], &bots[1]], &terms);
    let is_spent = |file: &PathBuf| fs::read_to_string(file).unwrap().contains("bank_spent");
    let file = desk.bundles().into_iter().find(is_spent).expect("a bank was spent");
    let run = mancala(["reproduce", &path(&file), &hostile("sound")]).run().success();
    run.says("An earlier process spent the time bank. The bundles of earlier turns show how.\n");
}

#[test]
fn reproduce_reports_that_a_fixed_bot_plays() {
    let desk = Desk::new();
    let (_, file, _) = desk.misbehave("words 1 2", &[]);
    for bot in [hostile("sound"), "builtin:hard".to_owned()] {
        for options in [&["--strict"][..], &["--strict", "--from-start"]] {
            let run = mancala(["reproduce", &path(&file), &bot]).args(options).run().success();
            let run = run.says("\nthen: invalid_reply: not JSON").says("\nnow:  a legal move, ");
            assert!(run.says(" ms (limit ").stdout.contains("No fault this time."));
        }
    }
    processes::none_left(&path(desk.folder.path()));
}

#[test]
fn reproduce_uses_the_limits_of_the_bundle_unless_given() {
    let desk = Desk::new();
    // Its first answer is the only one, and the other bot has none that may be late.
    let limits = ["--rounds=1", "--move-time=400ms", "--start-time=1s"];
    let (_, file, _) = desk.misbehave("words 1 1", &limits);
    let ask = |options: &[&str]| {
        let run = until_finished(|| {
            let run = mancala(["reproduce", &path(&file), &hostile("hang")]).args(options);
            run.run_within(Duration::from_secs(20))
        });
        run.success().says("A different fault from the one in the match.")
    };
    ask(&[]).says("(limit 400 ms + 1000 ms to start, margin 50 ms)");
    ask(&["--move-time=200ms", "--start-time=0s", "--margin=20ms"])
        .says("(limit 200 ms, margin 20 ms)")
        .says("(limit 220 ms)");
}

#[test]
fn bot_output_is_escaped_in_logs() {
    let acts = |c: char| {
        (c.is_control() && c != '\n')
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    for mode in ["ansi", "bidi", "nul", "not-utf8", "cr-inside", "curse-and-exit", "flood-of-zeros"]
    {
        let desk = Desk::new();
        let (_, file, bundle) = desk.misbehave(mode, &[]);
        let transcript = desk.read("bad-vs-good-1/bad.txt");
        assert!(!transcript.contains(acts), "{mode}: {transcript}");
        assert!(!fs::read_to_string(&file).unwrap().contains(acts), "{mode}");
        reproduce(&bundle).plain().code(0);
    }
}

#[test]
fn log_files_are_bounded_when_a_bot_floods() {
    let desk = Desk::new();
    let flood = format!("flood={}", hostile("flood-stderr-and-hang"));
    let pour = format!("pour={}", hostile(&format!("pour 1 1 '{}'", path(desk.folder.path()))));
    // The second bot answers in time on a busy machine, too.
    desk.play([&flood, &pour], &["--move-time=3s", "--start-time=1s"]);
    for (file, at_most) in [("flood.txt", 1200), ("pour.txt", 5000)] {
        let transcript = desk.read(&format!("flood-vs-pour-1/{file}"));
        assert!(transcript.len() < at_most * 1024, "{file}: {} bytes", transcript.len());
        assert!(lines(&transcript).is_sorted_by(|a, b| a.0 <= b.0), "{file}");
    }
    let transcript = desk.read("flood-vs-pour-1/flood.txt");
    assert!(transcript.contains("This is an outrage. "));
    assert!(transcript.contains(" bytes of stderr are left out"));
    let [bundle] = &desk.bundles()[..] else { panic!("{:?}", desk.bundles()) };
    assert!(fs::metadata(bundle).unwrap().len() < 64 * 1024);
}

#[test]
fn matches_that_share_a_log_folder_have_logs_of_their_own() {
    let desk = Desk::new();
    let bots = [hostile("sound"), hostile("words 2 1")];
    let bots = [format!("a={}", bots[0]), format!("b={}", bots[1])];
    std::thread::scope(|scope| {
        for _ in 0..6 {
            scope.spawn(|| desk.play([&bots[0], &bots[1]], &[]));
        }
    });
    assert_eq!(desk.bundles().len(), 6);
    for number in 1..=6 {
        for bot in ["a", "b"] {
            let transcript = desk.read(&format!("a-vs-b-{number}/{bot}.txt"));
            assert!(transcript.contains("# round 2 ends 36 : 0, invalid_reply"), "{transcript}");
            assert_eq!(transcript.matches("# round 1, a begins").count(), 1, "{transcript}");
        }
    }
}

#[test]
fn bot_names_do_not_become_paths() {
    let desk = Desk::new();
    let odd = path(desk.folder.path().join("-\x1b[31m .. ü"));
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_hostile"), &odd).expect("a link is made");
    desk.play([&format!("'{odd}' words"), &format!("..={}", hostile("sound"))], &["--rounds=1"]);
    let mut found: Vec<String> = fs::read_dir(desk.logs())
        .unwrap()
        .flat_map(|entry| fs::read_dir(entry.unwrap().path()).unwrap())
        .map(|entry| path(entry.unwrap().path().strip_prefix(desk.logs()).unwrap()))
        .collect();
    found.sort_unstable();
    let folder = found[0].split('/').next().unwrap();
    assert_eq!(found.len(), 3, "{found:?}");
    assert!(found.iter().all(|name| name.matches('/').count() == 1), "{found:?}");
    assert!(folder.starts_with("__u_1b__31m") && folder.ends_with("-vs-_.-1"), "{folder}");
    let safe = |c: char| c.is_ascii_alphanumeric() || "/._-".contains(c);
    assert!(found.iter().all(|name| name.chars().all(safe)), "{found:?}");
}

#[test]
fn an_unwritable_log_folder_is_an_error_before_the_match() {
    let desk = Desk::new();
    let witness = hostile(&format!("witness 1 1 '{}'", path(desk.folder.path())));
    fs::write(desk.folder.path().join("file"), "text").unwrap();
    for folder in ["file", "file/deeper", "/proc/logs"] {
        mancala(["match", "--log", folder, &witness, &witness])
            .in_folder(&desk.folder)
            .run()
            .failure(1, &format!("mancala: cannot make a log in {folder}: "));
        assert!(!desk.folder.path().join("launches").exists(), "{folder}: it was played");
    }
}

#[test]
fn a_match_that_was_not_played_has_no_log() {
    let desk = Desk::new();
    let deep = path(desk.folder.path().join("deep/deeper"));
    let run = mancala(["match", "--log", &deep, "builtin:easy", "./missing"]).run();
    run.failure(1, "./missing: no such file");
    assert_eq!(fs::read_dir(&desk.folder).unwrap().count(), 0);
}

#[test]
fn a_full_disk_loses_only_the_log() {
    let desk = Desk::new();
    let record = path(desk.folder.path().join("record"));
    let words = [env!("CARGO_BIN_EXE_mancala"), "match", "--rules=cs221", "--record", &record];
    let bots = ["--log", &desk.logs(), "builtin:random --seed 1", "builtin:random --seed 2"];
    let words = shell_words::join(words.into_iter().chain(bots));
    // The record has 3 KiB, each transcript more than 6.
    let limited = format!("trap '' XFSZ; ulimit -f 5; exec {words}");
    let output = std::process::Command::new("bash").args(["-c", &limited]).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
    let told = "mancala: the match was played, but not all logged in ";
    assert!(stderr.starts_with(told) && stderr.contains("-vs-"), "{stderr}");
    assert!(String::from_utf8(output.stdout).unwrap().contains(" against "));
    mancala(["replay", &record]).run().success().says("1 of 1 matches are valid");
}

#[test]
fn reproduce_names_what_is_wrong_with_a_file() {
    let desk = Desk::new();
    let (_, file, bundle) = desk.misbehave("words", &[]);
    let text = fs::read_to_string(&file).unwrap();
    let other = path(desk.folder.path().join("other"));
    let refused = |words: &str| {
        let run = mancala(["reproduce", &other, "builtin:easy"]).run();
        run.plain().failure(1, words);
    };
    refused("cannot be read: No such file");
    fs::create_dir(&other).unwrap();
    refused("is a folder, and no fault-….json is in it");
    fs::remove_dir(&other).unwrap();
    for (text, words) in [
        (text.replace("fault/1", "fault/2"), "has the format \"mancala-fault/2\"; this version"),
        (text[..text.len() / 2].to_owned(), "is cut off"),
        (String::new(), "is empty"),
        ("hello\n".to_owned(), "it is not JSON"),
        ("\u{1b}[2J".to_owned(), "it is not JSON"),
        ("{}".to_owned(), "it has no \"format\""),
        (text.replace("\"kind\": \"invalid_reply\"", "\"kind\": \"\\u001b[2J\""), "u{1b}[2J"),
        (" ".repeat(5 * 1024 * 1024), "has more than 4 MiB"),
    ] {
        fs::write(&other, text).unwrap();
        refused(words);
    }
    // A record of a match is a slip of the hand.
    let record = mancala(["match", "builtin:easy", "builtin:easy", "--format=json"]).run();
    for records in 1..3 {
        fs::write(&other, record.stdout.repeat(records)).unwrap();
        refused("is a record of matches; bundles are made by --log DIR (fault-*.json)");
    }

    let mut without = bundle;
    without["told"] = Value::Null;
    without["later"] = json!({"a": 1});
    fs::write(&other, without.to_string()).unwrap();
    mancala(["reproduce", &other, "builtin:easy"]).run().success().says("No fault this time.\n");
    let run = mancala(["reproduce", &other, "builtin:easy", "--from-start"]).run();
    let why = "it was too much to keep, or the process came from an earlier match; leave out";
    run.failure(1, &format!("does not hold what was sent before: {why} --from-start"));
}

#[test]
fn a_bot_that_cannot_be_asked_is_named() {
    let desk = Desk::new();
    let (_, file, _) = desk.misbehave("words", &[]);
    let run = mancala(["reproduce", &path(&file), "./missing"]).run();
    run.failure(1, "cannot start bot \"missing\": ./missing: no such file");
    mancala(["reproduce", &path(&file), ""]).run().failure(2, "the command is empty");
    // What the bundle names is shown, and run only when that is asked for.
    let shown = mancala(["reproduce", &path(&file)]).run();
    shown.failure(2, "add --run to run the bundle's own command: ");
    let asked = mancala(["reproduce", "--run", &path(&file)]).run();
    asked.success().says("The same kind of fault again.");
    mancala(["reproduce", "--run", &path(&file), "./missing"]).run().failure(2, "--run");
}

#[test]
fn reproduce_never_runs_what_a_bundle_names() {
    let desk = Desk::new();
    let (_, _, mut bundle) = desk.misbehave("words 1 2", &[]);
    let [pwned, own, elsewhere] =
        ["PWNED", "OWN", "elsewhere"].map(|name| desk.folder.path().join(name));
    let touch = |file: &Path| format!("touch '{}'; exec \"$@\"", path(file));
    bundle["limits"]["wrap"] = json!(["sh", "-c", touch(&pwned), "x"]);
    bundle["limits"]["sandbox"] = json!({"read": ["/"], "write": ["/"]});
    let crafted = path(desk.folder.path().join("crafted"));
    fs::write(&crafted, bundle.to_string()).unwrap();
    let ask = |bot: &str, options: &[&str]| {
        mancala(["reproduce", &crafted, bot]).args(options).run().code(0)
    };

    let run = ask(&hostile("sound"), &[]).says("No fault this time.");
    let wrap = shell_words::join(["sh", "-c", &touch(&pwned), "x"]);
    let in_sandbox = "it ran in the sandbox in the match; add --sandbox to run it there now";
    let wrapped = format!(
        "it ran behind a wrapper in the match; add --wrap {} to run it so now",
        shell_words::quote(&wrap)
    );
    assert_eq!(run.stderr, format!("mancala: {wrapped}\nmancala: {in_sandbox}\n"));
    assert!(!pwned.exists());
    // Those of the command line are.
    let wrap = shell_words::join(["sh", "-c", &touch(&own), "x"]);
    let run = ask(&hostile("sound"), &["--wrap", &wrap]).says("No fault this time.");
    assert!(run.stderr.starts_with(&format!("mancala: {wrapped}\n")), "{run:#?}");
    assert!(own.exists() && !pwned.exists());
    if !requirements::sandbox_is_there("a bundle from a sandbox") {
        return;
    }
    let writes = format!("sh -c 'echo x > {} && exit 7; exit 8'", elsewhere.display());
    let run = ask(&writes, &["--sandbox"]).says("exited with code 8");
    for line in [
        "it could read and run / in the match; add --allow-read / to allow that now",
        "it could write to / in the match; add --allow-write / to allow that now",
    ] {
        assert!(run.stderr.lines().any(|it| it == format!("mancala: {line}")), "{run:#?}");
    }
    assert!(!elsewhere.exists() && !pwned.exists());
    let open = path(desk.folder.path());
    ask(&writes, &["--sandbox", "--allow-write", &open]).says("exited with code 7");
    assert!(elsewhere.exists() && !pwned.exists());
}

#[test]
fn reproduce_keeps_the_restraints_of_the_match() {
    if !requirements::sandbox_is_there("a bundle from a sandbox") {
        return;
    }
    let desk = Desk::new();
    let book = path(desk.folder.path().join("book"));
    fs::write(&book, "moves").unwrap();
    // How nice it is, if it may read its book.
    let bot = format!("sh -c 'cat {book} >&2 || exit 9; exit $((20 + $(nice)))'");
    let options = ["--sandbox", "--allow-read", &book, "--wrap", "nice -n 1"];
    desk.play([&format!("a={bot}"), "builtin:easy"], &[&["--rounds=1"], &options[..]].concat());
    let [file] = &desk.bundles()[..] else { panic!("{:?}", desk.bundles()) };
    let bundle: Value = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    let nice = rustix::process::getpriority_process(None).unwrap() + 1;
    assert_eq!(bundle["exit"], json!({"code": 20 + nice.min(19)}));
    assert_eq!(bundle["stderr"], "moves");

    let words = shell_words::split(bundle["reproduce"].as_str().unwrap()).unwrap();
    for option in ["--sandbox", "--allow-read", "--wrap"] {
        assert!(words.iter().any(|word| word == option), "{words:?}");
    }
    let again = reproduce(&bundle).code(0).says("The same kind of fault again.");
    assert!(again.stderr.contains("the sandbox is on"), "{again:#?}");
    let now = again.stdout.split("\nnow:  ").nth(1).expect("a verdict");
    assert!(now.contains(&format!("exited with code {} ", 20 + nice.min(19))), "{again:#?}");
}

#[test]
fn an_interrupted_match_keeps_its_log() {
    let desk = Desk::new();
    let (_, file, _) = desk.misbehave("words", &[]);
    let folder = path(desk.folder.path());
    let hang = hostile(&format!("hang 1 1 '{folder}'"));
    let log = desk.logs();
    let runs = [
        vec!["reproduce", file.to_str().unwrap(), &hang],
        vec!["match", "--log", &log, &hang, &hang],
    ];
    for arguments in runs {
        let done = desk.folder.path().join("done");
        let _ = fs::remove_file(&done);
        let mut child = mancala(&arguments).start();
        wait_for(&done);
        kill_process(Pid::from_child(&child), Signal::INT).expect("a signal is sent");
        assert_eq!(child.wait().expect("it ends").code(), Some(130));
        processes::none_left(&folder);
    }
    let transcript = desk.read("hostile-1-vs-hostile-2-1/hostile-1.txt");
    assert!(transcript.contains(r#" > {"type":"turn","turn":1,"#), "{transcript}");
    assert!(transcript.ends_with(" # interrupted\n"), "{transcript}");
}
