//! Records are played again: right ones are valid, cut off and changed ones are told apart.

#[path = "../../bench/replaying/mod.rs"]
mod replaying;

use std::fs;

use serde_json::Value;

use crate::program::{mancala, path};
use crate::test_folder::TestFolder;

/// The record of a match between built-in bots, as a line without its newline.
fn record(arguments: &str) -> String {
    let outcome = mancala(["match", "builtin:easy", "builtin:random", "--format", "json"])
        .args(arguments.split_whitespace())
        .run()
        .success();
    outcome.stdout.trim_end().to_owned()
}

fn changed(record: &str, change: impl FnOnce(&mut Value)) -> String {
    let mut value = serde_json::from_str(record).unwrap();
    change(&mut value);
    value.to_string()
}

#[test]
fn unknown_fields_leave_a_record_valid() {
    let record = record("--rules cs221");
    let more = changed(&record, |value| {
        value["event"] = "class tournament".into();
        value["rounds"][0]["moves"][0]["comment"] = "brilliant".into();
    });
    mancala(["replay", "-"])
        .stdin(format!("{record}\n\n{more}"))
        .run()
        .success()
        .says("match 1: valid, easy ")
        .says("2 of 2 matches are valid\n");
}

#[test]
fn cut_off_records_are_told_from_changed_ones() {
    let record = record("");
    let cut = &record[..record.len() / 2];
    let outcome = mancala(["replay", "-"]).stdin(format!("{record}\n{cut}")).run().code(1);
    let outcome = outcome.says("match 1: valid").says("match 2: line 2: the record is cut off");
    assert_eq!(outcome.stderr, "mancala: -: of 2 matches 1 cannot be read\n");

    // So it is when a later match was appended behind it.
    let outcome = mancala(["replay", "-"]).stdin(format!("{cut}\n{record}\n")).run().code(1);
    outcome.says("match 1: line 1: the record is cut off").says("match 2: valid");
}

#[test]
fn the_first_error_of_a_record_is_named() {
    let record = record("");
    let refused = |words: &str, change: &dyn Fn(&mut Value)| {
        let outcome = mancala(["replay", "-"]).stdin(changed(&record, change)).run().code(1);
        outcome.says("match 1: invalid").says(words);
    };
    refused("round 1, move 2: it was not the turn of", &|value| {
        let bot = value["rounds"][0]["moves"][1]["bot"].as_u64().unwrap();
        value["rounds"][0]["moves"][1]["bot"] = (1 - bot).into();
    });
    refused("round 2, move 1: house 0 is empty", &|value| {
        value["opening"] = serde_json::json!([0, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 0]);
        value["rounds"][0] = serde_json::json!({"round":1,"first":0,"moves":[],"result":
            {"reason":"exited","fault":{"bot":0,"kind":"exited","detail":"","board":
            [0,3,3,3,3,3,3,3,3,3,3,3,3,0],"stderr":""},"score":[0,36]},
            "final":[0,3,3,3,3,3,3,3,3,3,3,3,3,0]});
        value["rounds"][1]["moves"][0]["move"] = 0.into();
    });
    refused("round 1: the score is given as", &|value| {
        let score = value["rounds"][0]["result"]["score"][0].as_u64().unwrap();
        value["rounds"][0]["result"]["score"][0] = (score + 1).into();
    });
    refused("round 1: the final board is given as", &|value| {
        value["rounds"][0]["final"] = value["opening"].clone();
    });
    refused("round 1: is given as completed, but had not ended", &|value| {
        value["rounds"][0]["moves"].as_array_mut().unwrap().pop();
    });
    refused("round 1: ended as completed, but is given as move_limit", &|value| {
        value["rounds"][0]["result"]["reason"] = "move_limit".into();
    });
    refused("the starter of round 2 is not swapped", &|value| {
        for played in value["rounds"][1]["moves"].as_array_mut().unwrap() {
            played["bot"] = (1 - played["bot"].as_u64().unwrap()).into();
        }
        value["rounds"][1]["first"] = 0.into();
        value["rounds"][1]["result"]["score"].as_array_mut().unwrap().reverse();
    });
    refused("the score is given as", &|value| value["score"][1] = 99.into());
    refused("the winner is not the one", &|value| {
        let other = value["winner"].as_u64().map_or(0, |winner| 1 - winner);
        value["winner"] = other.into();
    });
    for (field, wrong) in [("format", "mancala-match/2"), ("opening", "x"), ("rules", "x")] {
        let line = changed(&record, |value| value[field] = wrong.into());
        let outcome = mancala(["replay", "-"]).stdin(line).run().code(1);
        outcome.says("match 1: line 1: not a mancala-match/1 record: ");
    }
}

#[test]
fn replay_reads_tournament_files_and_match_does_not_append_to_them() {
    let lines = [
        r#"{"format":"mancala-tournament/1","id":"00ba7816bf8f01cf","plan":{},"shard":[1,1]}"#,
        &record(""),
        r#"{"format":"mancala-note/1","tournament":"00ba7816bf8f01cf","match":2,"note":"unfinished","bot":null,"detail":""}"#,
    ]
    .join("\n");
    mancala(["replay", "-"])
        .stdin(lines.clone())
        .run()
        .success()
        .says("1 of 1 matches are valid\n");
    let wrong = lines.replace("unfinished", "unfinnished");
    mancala(["replay", "-"])
        .stdin(wrong)
        .run()
        .code(1)
        .says("line 3: not a mancala-match/1 record");

    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("autumn.jsonl");
    std::fs::write(&file, &lines).unwrap();
    let arguments = ["match", "builtin:easy", "builtin:random", "--record", &path(&file)];
    mancala(arguments).run().failure(2, "which holds no others; give --record another file\n");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), lines);
}

#[test]
fn matches_and_notes_are_compared_with_the_plan_wherever_it_stands() {
    let folder = tempfile::tempdir().unwrap();
    let file = path(folder.path().join("record.jsonl"));
    let options = ["--jobs=1", "--oversubscribe", "--openings=random:2", "--count=2", "--quiet"];
    let run = mancala(["tournament", "builtin:easy", "builtin:random", "--record", &file]);
    run.args(options).run().code(0);
    let text = fs::read_to_string(&file).unwrap();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let [header, one, two] = lines[..] else { panic!("{text}") };
    let replay = |text: &str, options: &[&str]| {
        fs::write(&file, text).unwrap();
        mancala(["replay", &file]).args(options).run()
    };
    let id = serde_json::from_str::<Value>(header).unwrap()["id"].clone();
    let note = format!(
        "{{\"format\":\"mancala-note/1\",\"tournament\":{id},\"match\":9,\"note\":\"unfinished\",\
         \"bot\":null,\"detail\":\"\"}}\n"
    );
    let why = "its number is 9, and the plan has 2 matches";
    let noted = replay(&(text.clone() + &note), &[]).code(1).says("2 of 2 matches are valid\n");
    assert_eq!(noted.stderr, format!("mancala: {file}: line 4: {why}\n"));
    replay(&(text.clone() + &note), &["--match=1"]).success();
    let two = two.replacen("\"match\":2,", "\"match\":9,", 1);
    let last = replay(&format!("{one}{two}{note}{header}"), &[]).code(1);
    let last = last.says("match 1 (tournament match 1): valid").says(&format!("line 2: {why}\n"));
    let words = "of 2 matches 1 are invalid; line 3: ";
    assert_eq!(last.stderr, format!("mancala: {file}: {words}{why}\n"));
}

#[test]
fn unreadable_files_are_errors_with_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    mancala(["replay", &path(folder.path())]).run().failure(1, "it is a folder");
    let missing = path(folder.path().join("missing.jsonl"));
    mancala(["replay", &missing]).run().failure(1, "No such file");
    let record = record("");
    let outcome = mancala(["replay", "-", "--match", "2"]).stdin(record.clone()).run();
    outcome.failure(2, "- has no match 2; it has 1 match");
    let outcome = mancala(["replay", "-", "--faults"]).stdin(record.clone()).run().success();
    outcome.says("no match in which a bot faulted; 1 in the file\n");
    let clean = |options: &[&str]| {
        let run = mancala(["replay", "-"]).args(options).stdin(record.clone()).run();
        run.success().stdout
    };
    let winner = if record.contains("\"winner\":0") { "easy" } else { "random" };
    let never_lost = format!("no match that {winner} lost; 1 in the file\n");
    assert_eq!(clean(&["--lost", winner]), never_lost);
    let neither =
        format!("no match that {winner} lost and in which a bot faulted; 1 in the file\n");
    assert_eq!(clean(&["--lost", winner, "--faults"]), neither);
    assert_eq!(clean(&["--match=1", "--faults"]), "match 1 is not one in which a bot faulted\n");
    let in_one = format!("match 1 is not one that {winner} lost\n");
    assert_eq!(clean(&["--match=1", "--lost", winner]), in_one);
    mancala(["replay", "-", "--round", "1"]).run().failure(2, "--match");
    let outcome = mancala(["replay", "-"]).run().code(1);
    assert_eq!(outcome.stderr, "mancala: - has no match\n");
    let outcome = mancala(["replay", "-", "--match", "1", "--round", "3"]).stdin(record).run();
    assert_eq!(outcome.code(2).stderr, "mancala: match 1 of - has no round 3; it has 2\n");
}

#[test]
fn a_single_match_has_the_table_that_the_match_had() {
    let folder = tempfile::tempdir().unwrap();
    let file = path(folder.path().join("record"));
    let played = mancala(["match", "builtin:easy", "builtin:random", "-q", "--record", &file]);
    // A mean of times may differ by a microsecond, for a record has no shorter ones.
    let mean = |cells: &[&str]| cells.len() == 10 && cells[7].trim().parse::<f64>().is_ok();
    let without_means = |text: &str| -> String {
        let lines = text.lines().map(|line| line.split('│').collect::<Vec<_>>());
        lines
            .map(|cells| if mean(&cells) { cells[..7].join("│") } else { cells.join("│") } + "\n")
            .collect()
    };
    let table = without_means(&played.run().success().stdout);
    let replay = |options: &[&str]| {
        without_means(&mancala(["replay", &file]).args(options).run().success().stdout)
    };
    let single = replay(&["--match=1"]);
    assert!(single.ends_with(&format!("\n\n{table}")), "{single}\n{table}");
    for others in [&[][..], &["--match=1", "--round=1"]] {
        assert!(!replay(others).contains(&table), "{others:?}");
    }
}

#[test]
fn a_round_is_shown_move_by_move() {
    let record = record("--rules mancala5000 --direction either");
    let moves = serde_json::from_str::<Value>(&record).unwrap()["rounds"][1]["moves"].clone();
    let outcome = mancala(["replay", "-", "--match", "1", "--round", "2"]).stdin(record).run();
    let outcome = outcome.success().says("Round 2: random (below) begins against easy (above).");
    for (number, played) in (1..).zip(moves.as_array().unwrap()) {
        let name = ["easy", "random"][usize::try_from(played["bot"].as_u64().unwrap()).unwrap()];
        let direction = played["direction"].as_str().unwrap();
        let said = format!("\n{number}. {name} plays {} {direction}", played["move"]);
        assert!(outcome.stdout.contains(&said), "{said:?} is not in {outcome:#?}");
    }
}

#[test]
fn a_record_is_never_appended_to_a_partial_line() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.jsonl");
    std::fs::write(&file, &record("")[..100]).unwrap();
    let again = |expected: &str| {
        let arguments = ["match", "builtin:easy", "builtin:random", "--record", &path(&file)];
        mancala(arguments).run().success();
        mancala(["replay", &path(&file)]).run().code(1).says(expected);
    };
    again("1 of 2 matches are valid");
    again("2 of 3 matches are valid");
}

/// The long run, of more than 10,000 rounds, is `cargo bench --bench replay`.
#[test]
fn rounds_of_all_rulesets_replay_to_themselves() {
    let folder = tempfile::tempdir().unwrap();
    let rounds = replaying::run(env!("CARGO_BIN_EXE_mancala"), folder.path(), 10);
    assert_eq!(rounds, Ok(480));
}

#[test]
fn replay_filters_and_shows_boards() {
    let records = "tests/it/golden/records.jsonl";
    let lines = |options: &[&str]| {
        mancala(["replay", records]).args(options).run().success().stdout.lines().count()
    };
    // A line more says how many are valid.
    assert_eq!(lines(&[]), 3);
    assert_eq!(lines(&["--faults"]), 3);
    assert_eq!(lines(&["--lost", "bad"]), 2);
    assert_eq!(lines(&["--lost", "easy"]), 1);
    let first = mancala(["replay", records, "--format=json", "--match=1"]).run().success().json();
    let record = fs::read_to_string(path(records)).expect("the records are there");
    let record: serde_json::Value =
        serde_json::from_str(record.lines().next().expect("a record")).expect("JSON");
    let round = &first["rounds"][0];
    assert_eq!(first["valid"], true);
    assert_eq!(
        round["moves"].as_array().map(Vec::len),
        record["rounds"][0]["moves"].as_array().map(Vec::len)
    );
    // A forfeit leaves the board as the last move made it.
    let last = round["moves"].as_array().and_then(|moves| moves.last()).expect("a move");
    assert_eq!(last["board"], record["rounds"][0]["final"]);
}

#[test]
fn replay_shows_the_values_of_an_analysis() {
    let record = changed(&record("--seeds 2"), |value| {
        for (round, loss) in [(0, 2), (1, 4)] {
            let played = &mut value["rounds"][round]["moves"][0];
            (played["value"], played["loss"]) = (6.into(), loss.into());
        }
    });
    let parsed: Value = serde_json::from_str(&record).unwrap();
    let count: usize =
        (0..2).map(|round| parsed["rounds"][round]["moves"].as_array().unwrap().len()).sum();
    let replay = |options: &[&str]| {
        mancala(["replay", "-"]).args(options).stdin(record.clone()).run().success()
    };
    replay(&[])
        .says("match 1: valid, easy ")
        .says(&format!("; given away 2 : 4 in 2 of {count} moves\n"));
    // In round 1 only easy's first move is judged, in round 2 only random's.
    let table = replay(&["--match=1"]).stdout;
    let cells = |line: &str| -> Vec<String> {
        line.trim_matches('│').split('│').map(|cell| cell.trim().to_owned()).collect()
    };
    let mut rows = table.lines().filter(|line| line.starts_with('│')).map(cells);
    let column = rows.next().unwrap().iter().position(|title| title == "given away").unwrap();
    let given_away: Vec<String> = rows.map(|row| row[column].clone()).collect();
    assert_eq!(given_away, ["2", "", "", "4", "2", "4"], "{table}");
    replay(&["--match=1", "--round=2"])
        .says("1. random plays ")
        .says(" ms), value +6, gave away 4");
    let json = replay(&["--format=json"]).json();
    let moves = &json["rounds"][0]["moves"];
    assert_eq!((&moves[0]["value"], &moves[0]["loss"]), (&6.into(), &2.into()));
    assert_eq!((moves[1].get("value"), moves[1].get("loss")), (None, None));
}

#[test]
fn replay_shows_the_number_of_a_match_in_its_tournament() {
    // Its digests are missing, so that it is invalid; its number is shown all the same.
    let record = changed(&record("--seeds 2"), |value| {
        value["tournament"] =
            serde_json::json!({"id": "00ba7816bf8f01cf", "match": 17, "opening": 1, "games": []});
    });
    let replay =
        |options: &[&str]| mancala(["replay", "-"]).args(options).stdin(record.clone()).run();
    replay(&[]).code(1).says("match 1 (tournament match 17): invalid");
    replay(&["--tournament-match=17"]).code(1).says("match 1 (tournament match 17): invalid");
    replay(&["--tournament-match=1"]).failure(2, "has no tournament match 1\n");
    let cut_off = [&record, "\n{\"format\":\"mancala-match/1\",\"tourn"].concat();
    mancala(["replay", "-", "--tournament-match=18"])
        .stdin(cut_off)
        .run()
        .failure(1, "has no tournament match 18; 1 line cannot be read");
    mancala(["replay", "-", "--tournament-match=17", "--faults"])
        .stdin(record.clone())
        .run()
        .success()
        .says("tournament match 17 is not one in which a bot faulted");
    let json = replay(&["--format=json"]).json();
    assert_eq!((&json["match"], &json["tournament_match"]), (&1.into(), &17.into()));
}

#[test]
fn replay_writes_the_rows_of_all_matches_with_titles_once() {
    let folder = TestFolder::new();
    let file = folder.file("t.jsonl");
    let bots = ["one=builtin:easy", "two=builtin:random", "three=builtin:random"];
    let options = ["--quiet", "--oversubscribe", "--seeds=2", "--record", &file];
    mancala(["tournament"]).args(bots).args(options).run().success();
    let rows = mancala(["replay", &file, "--format=csv"]).run().success().stdout;
    let matches = fs::read_to_string(&file).unwrap().lines().count() - 1;
    assert_eq!(rows.lines().count(), 1 + 4 * matches, "{rows}");
    assert!(rows.starts_with("started,tournament,match,"), "{rows}");
    assert_eq!(rows.matches("started").count(), 1, "{rows}");
}

#[test]
fn rows_of_matches_leave_out_invalid_ones_and_say_so() {
    let valid = record("--seeds 2");
    let invalid = changed(&valid, |value| value["score"] = serde_json::json!([1, 2]));
    let file = [&*invalid, &*valid, "{\"format\":"].join("\n");
    let rows = mancala(["replay", "-", "--format=csv"]).stdin(file).run().code(1);
    assert_eq!(rows.stdout.lines().count(), 5, "{rows:#?}");
    for words in ["match 1: invalid, ", "match 3: line 3: ", "1 are invalid", "1 cannot be read"] {
        assert!(rows.stderr.contains(words), "{words}: {rows:#?}");
    }
    let none = mancala(["replay", "-", "--format=csv", "--faults"]).stdin(valid).run().code(0);
    assert_eq!(none.stdout, "");
    assert!(none.stderr.contains("no match in which a bot faulted; 1 in the file"), "{none:#?}");
}
