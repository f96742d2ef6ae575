//! Checks where students hand in: `JUnit` XML, Gradescope's results, and the files of
//! `examples/autograder`, run as far as they can be without the servers.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

use crate::program::{hostile, mancala, repository, search_path};
use crate::requirements;
use crate::test_folder::TestFolder;

/// Enough for a test, however busy the machine is.
const QUICK: [&str; 7] = [
    "--seed=1",
    "--rules=learneroo",
    "--move-time=20s",
    "--start-time=60s",
    "--budget=10m",
    "--quiet",
    "--format",
];

fn check(bot: &str, format: &str, code: i32) -> String {
    let outcome = mancala(["check", bot]).args(QUICK).arg(format).run();
    outcome.plain().code(code).stdout
}

/// What a parser that is not ours reads in `JUnit` XML.
fn junit(text: &str) -> Option<Value> {
    if !requirements::are_there("python3", "JUnit XML") {
        return None;
    }
    let data = repository().join("tests/data");
    let read = |command: &mut Command| {
        command.env("PATH", search_path());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}\n{text}", String::from_utf8_lossy(&output.stderr));
        output.stdout
    };
    if requirements::are_there("xmllint", "JUnit XML against its schema") {
        let schema = data.join("junit.xsd");
        read(Command::new("xmllint").args(["--noout", "--schema"]).arg(schema).arg("-"));
    }
    let parsed = read(Command::new("python3").arg(data.join("junit.py")));
    Some(serde_json::from_slice(&parsed).unwrap())
}

#[test]
fn junit_xml_has_a_test_for_each_probe() {
    let clean = check("builtin:easy", "junit", 0);
    let Some(clean) = junit(&clean) else { return };
    assert_eq!(clean["tag"], "testsuites");
    assert_eq!((&clean["tests"], &clean["failures"]), (&json!("13"), &json!("0")));
    assert_eq!(clean["cases"].as_array().unwrap().len(), 13);

    // Its stderr is all that XML may not hold, and markup.
    let says = "sh -c 'printf \"<a>&\\001\\033[31m]]>\\n\\\"\" >&2; exec builtin'";
    let text = check(says, "junit", 3);
    assert!(text.chars().all(|c| c == '\n' || !c.is_control()), "{text:?}");
    let found = junit(&text).unwrap();
    let cases = found["cases"].as_array().unwrap();
    let failed = |case: &&Value| case["results"][0]["tag"] == "failure";
    let failures: Vec<&Value> = cases.iter().filter(failed).collect();
    assert_eq!(found["failures"], failures.len().to_string());
    let first = &failures[0]["results"][0];
    assert_eq!((&failures[0]["name"], &first["type"]), (&json!("start"), &json!("exited")));
    let words = first["text"].as_str().unwrap();
    assert!(words.contains("<a>&\\u{1}\\u{1b}[31m]]>") && words.contains("Fix "), "{words}");
    for case in cases.iter().filter(|case| !failed(case)) {
        let skipped = &case["results"][0];
        assert_eq!(skipped["tag"], "skipped", "{case}");
        assert!(!skipped["message"].as_str().unwrap().is_empty(), "{case}");
    }
}

/// The fields of `results.json` as Gradescope's page on autograders has them.
fn check_results(results: &Value) {
    let object = results.as_object().unwrap();
    let known = ["score", "execution_time", "output", "visibility", "stdout_visibility"];
    let known = [&known[..], &["extra_data", "tests", "leaderboard"]].concat();
    assert!(object.keys().all(|key| known.contains(&&**key)), "{results}");
    assert!(results["score"].is_f64() || results["score"].is_u64(), "{results}");
    assert!(results["output"].is_string(), "{results}");
    let list = |key: &str| results[key].as_array().cloned().unwrap_or_default();
    for test in list("tests") {
        let (score, most) = (test["score"].as_f64().unwrap(), test["max_score"].as_f64().unwrap());
        assert!((0.0..=most).contains(&score), "{test}");
        assert!(test["name"].is_string() && test["output"].is_string(), "{test}");
        assert!(["passed", "failed"].contains(&test["status"].as_str().unwrap()), "{test}");
        assert_eq!(test.as_object().unwrap().len(), 5, "{test}");
    }
    for place in list("leaderboard") {
        assert!(place["name"].is_string() && place["value"].is_f64(), "{place}");
        assert!(["asc", "desc"].contains(&place["order"].as_str().unwrap()), "{place}");
    }
}

#[test]
fn gradescope_results_have_scores_and_a_leaderboard() {
    let clean = check("builtin:easy --seed 3", "gradescope", 0);
    assert!(!clean.contains("-0"), "{clean}");
    let results: Value = serde_json::from_str(&clean).unwrap();
    check_results(&results);
    assert_eq!(results["score"], 13.0);
    assert_eq!(results["tests"].as_array().unwrap().len(), 13);
    let board = results["leaderboard"].as_array().unwrap();
    assert_eq!(board.len(), 5, "{board:?}");
    let rounds = |place: &&Value| place["name"].as_str().unwrap().starts_with("rounds against ");
    assert_eq!(board.iter().filter(rounds).count(), 4);
    assert_eq!(board[4], json!({"name": "faults", "value": 0.0, "order": "asc"}));
    // The same seed is the same check.
    let report: Value = serde_json::from_str(&check("builtin:easy --seed 3", "json", 0)).unwrap();
    let games = report["games"].as_array().unwrap();
    for (level, place) in ["random", "easy", "average", "hard"].into_iter().zip(board) {
        let is_it = |it: &&Value| it["opponent"] == level && it["rules"]["name"] == "learneroo";
        let [games] = games.iter().filter(is_it).collect::<Vec<_>>()[..] else { panic!("{level}") };
        let [won, drawn, lost] = ["won", "drawn", "lost"].map(|it| games[it].as_u64().unwrap());
        assert_eq!(won + drawn + lost, 2, "{games}");
        assert_eq!(place["name"], format!("rounds against {level}"));
        assert_eq!(place["value"].as_f64(), Some(won as f64 + drawn as f64 / 2.0), "{games}");
    }
    assert!(results["output"].as_str().unwrap().ends_with("It played without the sandbox."));

    let faulty = check(&hostile("store"), "gradescope", 3);
    let results: Value = serde_json::from_str(&faulty).unwrap();
    check_results(&results);
    let tests = results["tests"].as_array().unwrap();
    let passed = tests.iter().filter(|test| test["status"] == "passed").count();
    assert!(
        passed < 13 && results["score"].as_f64() == Some(f64::from(u8::try_from(passed).unwrap()))
    );
    let failed = tests.iter().find(|test| test["status"] == "failed").unwrap();
    assert!(failed["output"].as_str().unwrap().contains("Fix "), "{failed}");
    assert!(results["leaderboard"][4]["value"].as_f64().unwrap() > 0.0, "{results}");
}

#[test]
fn a_bot_that_plays_no_round_has_the_whole_leaderboard() {
    let options = ["--seed=1", "--move-time=100ms", "--start-time=100ms", "--budget=3s", "--quiet"];
    let run = mancala(["check", "sleep 100", "--format=gradescope"]).args(options).run();
    let results: Value = serde_json::from_str(&run.code(3).stdout).unwrap();
    check_results(&results);
    let board: Vec<_> = results["leaderboard"].as_array().unwrap().iter().collect();
    let names: Vec<_> = board.iter().map(|place| place["name"].as_str().unwrap()).collect();
    let levels = ["random", "easy", "average", "hard"].map(|it| format!("rounds against {it}"));
    assert_eq!(names[..4], levels, "{results}");
    assert_eq!(names[4..], ["faults"], "{results}");
    assert_eq!(board[0]["value"], 0.0, "{results}");
    // Nor has it points for what was not tried.
    assert_eq!(results["score"], 0.0, "{results}");
}

#[test]
fn a_bot_of_which_nothing_is_known_does_not_pass() {
    let silent = |format: &str| {
        let options = ["--game-time=30s", "--budget=2s", "--quiet", "--format", format];
        let outcome = mancala(["check", "sleep 100"]).args(options).run().code(1);
        assert!(outcome.stderr.contains("sleep gave no answer in this time"), "{outcome:#?}");
        outcome.stdout
    };
    if let Some(found) = junit(&silent("junit")) {
        assert_eq!((&found["failures"], &found["errors"]), (&json!("0"), &json!("13")), "{found}");
        let cases = found["cases"].as_array().unwrap();
        assert!(cases.iter().all(|case| case["results"][0]["tag"] == "error"), "{found}");
    }
    let results: Value = serde_json::from_str(&silent("gradescope")).unwrap();
    check_results(&results);
    assert_eq!(results["score"], 0.0, "{results}");
}

/// Each line that the bot reads is answered with this.
fn parrot(answer: &str) -> String {
    format!("sh -c 'while read -r line; do echo {answer}; done'")
}

#[test]
fn a_fault_is_told_in_full_in_the_first_part_that_shows_it() {
    for answer in ["6", "hello"] {
        let results: Value =
            serde_json::from_str(&check(&parrot(answer), "gradescope", 3)).unwrap();
        let tests = results["tests"].as_array().unwrap();
        let output = |test: &Value| test["output"].as_str().unwrap().to_owned();
        let told: Vec<_> = tests.iter().filter(|test| output(test).contains("Fix ")).collect();
        assert_eq!(told.len(), 1, "{results}");
        assert_eq!(told[0]["name"], "start", "{results}");
        let same: Vec<_> =
            tests.iter().filter(|it| output(it).contains("the same as in start")).collect();
        assert!(same.len() > 5, "{results}");
        // The parts are explained, and none that nothing came of has a point.
        let unknown = tests.iter().find(|test| test["name"] == "unknown types").unwrap();
        assert!(
            output(unknown).starts_with("Tried: Messages of a type that no bot knows.\n"),
            "{unknown}"
        );
        let times = tests.iter().find(|test| test["name"] == "times").unwrap();
        assert_eq!(times["status"], "failed", "{times}");
        assert!(output(times).contains("no answer of it was a move"), "{times}");
    }
    let text = check(&parrot("hello"), "junit", 3);
    assert_eq!(text.matches("Fix ").count(), 1, "{text}");
    assert!(text.contains("Tried: An opponent that forfeits.\n"), "{text}");
}

#[test]
fn a_bot_that_does_not_start_has_a_report_where_students_look() {
    let run = |format: &str| {
        let run = mancala(["check", "./missing", "--quiet", "--format", format]).run();
        assert!(run.stderr.contains("cannot start bot \"missing\": ./missing"), "{run:?}");
        run.code(1).stdout
    };
    let summary = run("markdown");
    assert!(summary.contains("\n1. fault: its program does not start.\n"), "{summary}");
    for format in ["table", "json"] {
        assert_eq!(run(format), "", "{format}");
    }
    let results: Value = serde_json::from_str(&run("gradescope")).unwrap();
    check_results(&results);
    assert_eq!(
        (&results["score"], &results["tests"][0]["status"]),
        (&json!(0.0), &json!("failed"))
    );
    assert_eq!(results["tests"].as_array().unwrap().len(), 1, "{results}");
    for output in [&results["output"], &results["tests"][0]["output"]] {
        assert!(output.as_str().unwrap().contains("./missing"), "{results}");
    }
    let Some(found) = junit(&run("junit")) else { return };
    assert_eq!((&found["tests"], &found["failures"]), (&json!("1"), &json!("1")));
    let case = &found["cases"][0];
    assert_eq!(
        (&case["name"], &case["results"][0]["type"]),
        (&json!("start"), &json!("start_failed"))
    );
    assert!(case["results"][0]["text"].as_str().unwrap().contains("./missing"), "{case}");
}

#[test]
fn a_faultless_bot_that_thinks_slowly_has_its_points() {
    let slow = format!(
        "sh -c 'while read -r line; do sleep 0.2; printf \"%s\\n\" \"$line\"; done | \"{}\" bot easy'",
        env!("CARGO_BIN_EXE_mancala")
    );
    let options = ["--seed=1", "--move-time=20s", "--start-time=60s", "--budget=5s", "--quiet"];
    let run = mancala(["check", &slow, "--format=gradescope"]).args(options).run();
    let results: Value = serde_json::from_str(&run.code(0).stdout).unwrap();
    check_results(&results);
    let tests = results["tests"].as_array().unwrap();
    let is_cut = |test: &&Value| test["output"].as_str().unwrap().contains("\nnot tried in full: ");
    assert!(tests.iter().filter(is_cut).count() > 1, "{results}");
    assert_eq!(results["score"], 13.0, "{results}");
    // What its own faults have cut short has none.
    let faulty = check(&hostile("exit-0 1 1"), "gradescope", 3);
    let results: Value = serde_json::from_str(&faulty).unwrap();
    assert!(results["score"].as_f64().unwrap() < 6.0, "{results}");
}

#[test]
fn a_summary_in_markdown_has_the_findings_and_no_markup_of_a_bot() {
    let text = check(&hostile("store"), "markdown", 3);
    assert!(text.contains("| tried ") && text.contains("\n```text\n1. fault: "), "{text}");
    mancala(["check", "--format=xml", "builtin:easy"])
        .run()
        .failure(2, "table, json, markdown, junit or gradescope");
}

/// Runs a script of the examples.
fn script(path: &str, arguments: &[&str], folder: &Path, variables: &[(&str, &str)]) -> Output {
    let mut command = Command::new(repository().join("examples/autograder").join(path));
    command.args(arguments).current_dir(folder).envs(variables.iter().copied());
    command.env("PATH", search_path()).stdin(Stdio::null()).output().unwrap()
}

#[test]
fn the_zip_of_gradescope_works_in_a_folder_laid_out_as_theirs() {
    if !requirements::are_there("python3", "the zip for Gradescope") {
        return;
    }
    let folder = TestFolder::new();
    let zip = folder.file("autograder.zip");
    let made = script("make_zip.sh", &[env!("CARGO_BIN_EXE_mancala"), &zip], folder.path(), &[]);
    let said = String::from_utf8_lossy(&made.stdout).into_owned();
    assert!(made.status.success() && said.contains("needs glibc 2."), "{made:?}");
    assert!(said.contains("Linux 6.12 or newer"), "{said}");

    // /autograder: the zip unpacked into source, run_autograder copied beside it.
    let root = folder.path().join("autograder");
    let source = root.join("source");
    fs::create_dir_all(&source).unwrap();
    let mut unzip = Command::new("python3");
    unzip.args(["-m", "zipfile", "-e", &zip]).arg(&source).env("PATH", search_path());
    assert!(unzip.status().unwrap().success());
    for name in ["setup.sh", "run_autograder", "mancala", "NEEDS"] {
        assert!(source.join(name).is_file(), "{name} stands at the root of the zip");
    }
    fs::copy(source.join("run_autograder"), root.join("run_autograder")).unwrap();
    let command = |program: &Path, bot: &str| {
        let mut command = Command::new("sh");
        command.arg(program).current_dir(&root).env("AUTOGRADER", &root).env("BOT", bot);
        command.env("PATH", search_path()).stdin(Stdio::null());
        command
    };
    let set_up = command(&source.join("setup.sh"), "").output().unwrap();
    assert!(set_up.status.success(), "{set_up:?}");

    let submission = root.join("submission");
    fs::create_dir(&submission).unwrap();
    fs::copy(repository().join("examples/python/greedy.py"), submission.join("bot.py")).unwrap();
    let results = || -> Value {
        let text = fs::read_to_string(root.join("results/results.json")).unwrap();
        let results = serde_json::from_str(&text).unwrap();
        check_results(&results);
        results
    };
    // A machine without Landlock; and this one, where it has that.
    let mut machines = vec![(Some("0"), "It played without the sandbox.")];
    if requirements::sandbox_is_there("the zip for Gradescope in the sandbox") {
        machines.push((None, "It played in the sandbox."));
    }
    for (landlock, words) in machines {
        let mut run = command(&root.join("run_autograder"), "python3 bot.py");
        let ran = run.envs(landlock.map(|version| ("MANCALA_LANDLOCK_ABI", version))).output();
        assert!(ran.as_ref().unwrap().status.success(), "{ran:?}");
        let found = results();
        assert_eq!(found["tests"].as_array().unwrap().len(), 13, "{found}");
        assert!(found["score"].as_f64().unwrap() > 6.0, "{found}");
        assert!(found["output"].as_str().unwrap().ends_with(words), "{landlock:?}: {found}");
    }

    // What is not there has a result, too, and so has what is no command.
    for (bot, words) in [("./\"missing\" bot", "./missing"), ("'", "quot")] {
        command(&root.join("run_autograder"), bot).output().unwrap();
        let found = results();
        assert_eq!(found["score"].as_f64(), Some(0.0));
        assert!(found["output"].as_str().unwrap().contains(words), "{found}");
    }
}

#[test]
fn the_commands_of_the_workflows_run() {
    if !requirements::are_there("python3", "the workflows") {
        return;
    }
    let folder = TestFolder::new();
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_mancala"), folder.path().join("mancala"))
        .unwrap();
    let command = |file: &str, begin: &str| {
        let text = fs::read_to_string(repository().join("examples/autograder").join(file)).unwrap();
        let line = text.lines().find_map(|line| line.trim().strip_prefix(begin)).unwrap();
        line.to_owned()
    };
    let run = |command: &str| {
        let mut shell = Command::new("sh");
        shell.args(["-c", command]).current_dir(folder.path());
        shell.env("GITHUB_STEP_SUMMARY", folder.path().join("summary.md"));
        shell.env("PATH", search_path()).stdin(Stdio::null()).output().unwrap()
    };
    let (github, gitlab) =
        (command("github-classroom.yml", "run: "), command("gitlab-ci.yml", "- "));
    // Wrong: the job fails, and the summary says why.
    fs::write(folder.path().join("bot.py"), "print('hello')\n").unwrap();
    let failed = run(&github);
    assert_eq!(failed.status.code(), Some(3), "{failed:?}");
    let summary = fs::read_to_string(folder.path().join("summary.md")).unwrap();
    assert!(summary.contains("| tried ") && summary.contains("fault: "), "{summary}");
    let failed = run(&gitlab);
    assert_eq!(failed.status.code(), Some(3), "{failed:?}");
    let report = || fs::read_to_string(folder.path().join("check.xml")).unwrap();
    assert_ne!(junit(&report()).unwrap()["failures"], "0");
    // Sound: the job passes.
    let sound = "import os\nos.execv('./mancala', ['mancala', 'bot', 'easy'])\n";
    fs::write(folder.path().join("bot.py"), sound).unwrap();
    for command in [&github, &gitlab] {
        let passed = run(command);
        assert_eq!(passed.status.code(), Some(0), "{command}: {passed:?}");
    }
    assert_eq!(junit(&report()).unwrap()["failures"], "0");
    let summary = fs::read_to_string(folder.path().join("summary.md")).unwrap();
    assert!(summary.contains("\nbot is clean"), "{summary}");
}
