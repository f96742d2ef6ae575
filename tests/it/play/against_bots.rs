//! A person against a bot, and the record of it.

use std::fs;

use serde_json::Value;

use super::reference_rules::Model;
use super::{any_moves, last_lines};
use crate::program::{hostile, mancala, path};
use crate::test_folder::TestFolder;
use crate::{processes, requirements};

#[test]
fn a_game_against_a_bot_has_a_valid_record() {
    let folder = tempfile::tempdir().expect("a folder is made");
    let mut matches = 0;
    for (bot, options) in [
        ("builtin:random", &["--rules", "learneroo"][..]),
        ("builtin:easy", &["--rules", "mancala5000", "--direction", "backward", "--first", "bot"]),
        ("easy=builtin:easy", &["--first", "random"]),
        ("builtin:average", &["--rules", "kalah", "--seeds", "2"]),
        ("builtin:hard", &["--hint"]),
        ("builtin:average", &["--rules", "mancala5000", "--direction", "either"]),
        ("python3 examples/python/greedy.py", &["--first", "bot"]),
    ] {
        if !requirements::are_there(bot, "a game against it") {
            continue;
        }
        let file = path(folder.path().join("games.jsonl"));
        let outcome = mancala(["play", "--against", bot, "--record", &file])
            .args(options)
            .stdin(any_moves(if options.contains(&"either") { " <" } else { "" }))
            .run()
            .success();
        let score = last_lines(&outcome);
        matches += 1;
        let records = fs::read_to_string(&file).expect("there is a record");
        assert_eq!(records.lines().count(), matches);
        let last = records.lines().last().expect("a record");
        let record: Value = serde_json::from_str(last).expect("a record");
        assert_eq!(record["score"], serde_json::json!(score));
        assert_eq!(record["bots"][0], serde_json::json!({"name": "Player A", "command": []}));
        assert_eq!(record["rounds"].as_array().map(Vec::len), Some(1));
        if options.contains(&"bot") {
            assert_eq!(record["rounds"][0]["first"], 1);
        }
        mancala(["replay", &file]).run().success();
    }
    assert!(matches > 0);
}

#[test]
fn unfinished_games_are_not_recorded() {
    let folder = tempfile::tempdir().expect("a folder is made");
    let file = path(folder.path().join("games.jsonl"));
    // One left for a new one, one played to its end.
    let typed = format!("1\nnew\n{}", any_moves(""));
    mancala(["play", "--record", &file]).stdin(typed).run().success();
    let records = fs::read_to_string(&file).expect("there is a record");
    assert_eq!(records.lines().count(), 1);
    mancala(["replay", &file]).run().success().says("match 1: valid, Player A ");
    mancala(["play", "--record", &file]).stdin("1\n").run().success();
    assert_eq!(fs::read_to_string(&file).expect("it is there"), records);
}

#[test]
fn a_game_that_cannot_be_recorded_is_played_with_a_warning() {
    let full = std::path::Path::new("/dev/full");
    if full.exists() {
        let outcome = mancala(["play", "--record", "/dev/full"]).stdin(any_moves("")).run().code(1);
        last_lines(&outcome);
        assert!(outcome.stderr.contains("not recorded in /dev/full: No space"), "{outcome:#?}");
    }
    mancala(["play", "--record", "/"]).run().failure(1, "cannot write the record file /");
}

#[test]
fn a_bot_at_fault_forfeits_the_game() {
    let folder = tempfile::tempdir().expect("a folder is made");
    for (mode, words) in [
        ("store", "illegal_move: there is no house 6"),
        ("words", "invalid_reply: not JSON"),
        ("ansi", "invalid_reply: not JSON"),
        ("exit-3", "exited: "),
        ("hang", "timeout: no answer after "),
        ("twice-at-once", "unsolicited_output: "),
        ("flood", "oversized_reply: "),
    ] {
        let folder = folder.path().join(mode);
        fs::create_dir(&folder).expect("a folder is made");
        let folder = path(folder);
        let file = format!("{folder}/games.jsonl");
        let bot = format!("bad={}", hostile(&format!("{mode} 1 2 '{folder}'")));
        let outcome = mancala(["play", "--against", &bot, "--record", &file])
            .stdin(any_moves(""))
            .run()
            .success();
        assert_eq!(last_lines(&outcome), [60, 0], "{mode}");
        let outcome =
            outcome.says("Player B (bad) is at fault and forfeits the game.\n").says(words);
        let names_a_house = outcome.stdout.contains("Bots count houses from 0");
        assert_eq!(names_a_house, mode == "store", "{outcome:#?}");
        assert!(!outcome.stdout.contains(|c: char| c.is_control() && c != '\n'), "{outcome:#?}");
        mancala(["replay", &file]).run().success();
        processes::none_left(&folder);
    }
}

#[test]
fn a_bot_that_cannot_be_started_is_named() {
    mancala(["play", "--against", "./no-such-bot"])
        .run()
        .failure(1, "cannot start bot \"no-such-bot\": ./no-such-bot: no such file");
}

/// Takes longer to start than for a move, and cannot be started again once its name ends in `gone.py`.
const SLOW_TO_START: &str = "
import json, os, sys, time
if __file__.endswith('gone.py'):
    os.remove(__file__)
else:
    time.sleep(1.2)
for line in sys.stdin:
    message = json.loads(line)
    if message['type'] == 'turn':
        print(message['legal'][0], flush=True)
";

#[test]
fn what_people_may_do_is_valid_in_records() {
    let folder = tempfile::tempdir().expect("a folder is made");
    let file = path(folder.path().join("games.jsonl"));
    // A person who thinks for longer than a bot may.
    let thinks = "(echo 1; echo 2; sleep 1.2; cat) | \"$@\"";
    let play = mancala(["play", "--record", &file]).behind(&["sh", "-c", thinks, "sh"]);
    play.stdin(any_moves("")).run().success();
    mancala(["replay", &file]).run().success();

    if !requirements::are_there("python3", "a bot that is started again") {
        return;
    }
    // The bot is started again before its second move.
    for (name, words) in [("slow.py", "Final score:"), ("gone.py", "start_failed: ")] {
        let (bot, file) = (folder.path().join(name), path(folder.path().join("again.jsonl")));
        fs::write(&bot, SLOW_TO_START).expect("it is written");
        let bot = format!("python3 '{}'", path(bot));
        let play = mancala(["play", "--rules=learneroo", "--against", &bot, "--record", &file]);
        let typed = format!("1\n2\nundo\n{}", any_moves(""));
        play.stdin(typed).run().success().says(words);
        mancala(["replay", &file]).run().success();
    }
}

/// Writes down what it is sent and plays the first house that holds seeds.
const NOTES: &str = "
import json, sys
for line in sys.stdin:
    open(sys.argv[1], 'a').write(line)
    message = json.loads(line)
    if message['type'] == 'turn':
        print(message['legal'][0], flush=True)
";

#[test]
fn a_bot_with_a_state_survives_undo() {
    if !requirements::are_there("python3", "a move taken back from a bot") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder is made");
    let (bot, log) = (folder.path().join("notes.py"), path(folder.path().join("log")));
    fs::write(&bot, NOTES).expect("it is written");
    let bot = format!("python3 '{}' '{log}'", path(bot));
    let arguments = ["play", "--rules", "learneroo", "--against", &bot];
    mancala(arguments).stdin("1\n2\nu\n3\nu\nu\nu\n5\n").run().success();

    let log = fs::read_to_string(log).expect("it has written");
    let mut model = Model::new(3, false, true);
    let mut starts = 0;
    for line in log.lines() {
        let message: Value = serde_json::from_str(line).expect("a message");
        if message["type"] == "start" {
            starts += 1;
            model = Model::new(3, false, true);
            continue;
        }
        // Each turn follows from what this process was told before.
        for played in message["moves"].as_array().expect("moves") {
            let by = usize::from(played["by"] == "you");
            assert_eq!(model.mover, by, "{line}");
            let cell = played["move"].as_u64().and_then(|cell| usize::try_from(cell).ok());
            model.play(cell.expect("a house") + 1, true);
        }
        let own_view = [&model.places[7..], &model.places[..7]].concat();
        assert_eq!(message["board"], serde_json::json!(own_view), "{line}");
    }
    assert!(starts > 1, "{log}");
}

#[test]
fn time_options_of_play_limit_the_bot() {
    let folder = TestFolder::new();
    let play = |mode: &str, options: &[&str]| {
        let play =
            mancala(["play", "--plain", "--against", &folder.bot(mode), "--start-time=200ms"]);
        let play = play.args(options).stdin("1\n2\n3\n4\n5\n6\n".repeat(20));
        play.run_until_finished().success()
    };
    play("hang", &["--move-time=300ms", "--margin=10ms"])
        .says("timeout: no answer after ")
        .says("limit 300 ms + 200 ms to start, margin 10 ms");
    // Each move takes some 50 ms.
    play("slowly", &["--game-time=120ms", "--margin=0ms"]).says("bank");
    folder.none_left();
}
