//! What a bot is started with: environment variables, no terminal, and the command of `--wrap`.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::program::{hostile, mancala, repository};
use crate::requirements;
use crate::terminal::Terminal;
use crate::test_folder::TestFolder;

#[test]
fn a_bot_sees_only_the_usual_environment_variables() {
    let environment = |arguments: &[&str]| {
        let mut command = mancala(["match", "--format=json", "--rounds=1"])
            .args(arguments)
            .args(["sh -c 'env >&2; exit 1'", "builtin:easy"])
            .command();
        command.env("SECRET_TOKEN", "hunter2").env("LC_ALL", "C").env_remove("MANCALA_BOT");
        let output = command.output().expect("mancala starts");
        let record: Value = serde_json::from_slice(&output.stdout).expect("a record");
        let stderr = record["rounds"][0]["result"]["fault"]["stderr"].as_str();
        stderr.expect("the bot has written").to_owned()
    };
    let usual = environment(&[]);
    assert!(usual.contains("PATH=") && usual.contains("LC_ALL=C"), "{usual}");
    assert!(!usual.contains("SECRET") && !usual.contains("CARGO_PKG"), "{usual}");
    let more = environment(&["--env", "SECRET_TOKEN"]);
    assert!(more.contains("SECRET_TOKEN=hunter2"), "{more}");
}

#[test]
fn a_bot_cannot_write_to_the_terminal() {
    let folder = TestFolder::new();
    let bot = folder.bot("sound").replace('\'', "");
    let shell = format!("loud=sh -c '(echo GOTCHA > /dev/tty) 2>/dev/null; exec {bot}'");
    let Some(terminal) = Terminal::start(&["match", &shell, "builtin:easy"], (100, 30)) else {
        return;
    };
    let (code, output) = terminal.end();
    assert_eq!(code, Some(0), "{output}");
    assert!(output.contains("loud") && !output.contains("GOTCHA"), "{output}");
}

#[test]
fn wrap_puts_a_command_in_front_of_every_bot() {
    let bot = "sh -c 'echo $GREETING >&2; exit 1'";
    let outcome = mancala(["match", "--format=json", "--wrap", "env 'GREETING=good day'"])
        .args([format!("a={bot}"), format!("b={bot}")])
        .run()
        .code(0);
    let record = outcome.json();
    for round in record["rounds"].as_array().expect("rounds") {
        assert_eq!(round["result"]["fault"]["stderr"], "good day\n", "{record}");
    }
    assert_eq!(record["limits"]["wrap"], serde_json::json!(["env", "GREETING=good day"]));
    assert_eq!(record["bots"][0]["command"][0], "sh");
    // The option is named, and no bot.
    for command in ["match", "tournament"] {
        mancala([command, "--wrap", "no-such-wrapper", "builtin:easy", "builtin:easy"])
            .run()
            .failure(2, "'--wrap <COMMAND>': no-such-wrapper is not found on the PATH");
    }
    // Built-in bots are wrapped too.
    mancala(["match", "--wrap", "nice -n 1", "--strict", "builtin:easy", "builtin:random"])
        .run()
        .success();
}

#[test]
fn the_wrap_example_of_the_readme_works() {
    let readme = fs::read_to_string(repository().join("README.md")).expect("there is a README");
    let (_, example) = readme.split_once("`--wrap \"bwrap ").expect("an example");
    let (options, _) = example.split_once("\"`").expect("its end");
    let wrap = format!("bwrap {options}");
    if !requirements::are_there(&wrap, "another sandbox") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder is made");
    let file = folder.path().join("file").display().to_string();
    let bot = format!("sh -c 'echo x > {file} && exit 7; exit 8'");
    let run = |options: &[&str]| {
        let arguments = ["match", "--format=json", "--rounds=1", &bot, "builtin:easy"];
        mancala(arguments).args(options).run().code(0).first_exit()
    };
    assert!(run(&["--wrap", &wrap]).starts_with("exited with code 8"));
    assert!(!Path::new(&file).exists());
    assert!(run(&[]).starts_with("exited with code 7"));
    let test_folder = TestFolder::new();
    mancala(["match", "--strict", "--wrap", &wrap])
        .args([hostile(&format!("sound 1 1 '{}'", test_folder.marker())).as_str(), "builtin:easy"])
        .run()
        .success();
    test_folder.none_left();
}
