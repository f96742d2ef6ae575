//! What analysis refuses, and values beside moves that `replay` refuses.

use serde_json::{Value, json};

use super::{Desk, analyse, records};
use crate::program::mancala;

#[test]
fn invalid_records_are_refused_with_their_line() {
    let desk = Desk::new();
    let games = desk.games();
    let text = desk.read("games");
    let mut lines: Vec<&str> = text.lines().collect();
    let wrong = lines[1].replacen("\"score\":[", "\"score\":[1", 1);
    lines[1] = &wrong;
    let bad = desk.put("bad", lines.join("\n") + "\n");
    mancala(["replay", &bad]).run().code(1);
    let copy = desk.file("copy");
    analyse(&[&bad, "--write", &copy]).failure(1, "bad:2: the match is invalid: round 1: ");
    assert!(!std::path::Path::new(&copy).exists());
    analyse(&[&games, &bad]).failure(1, "bad:2: the match is invalid");
    analyse(&[&bad, "--sample=3"]).failure(1, "bad:2: the match is invalid");
    let cut = desk.put("cut", &text[..text.len() - 20]);
    analyse(&[&cut]).failure(1, "cut:3: the record is cut off");
    let other = desk.put("other", format!("{text}{{\"a\":1}}\n"));
    analyse(&[&other]).failure(1, "other:4: not a mancala-match/1 record");
    analyse(&[&other]).failure(1, "; give it files that mancala wrote with --record");
    analyse(&[&desk.put("none", "\n")]).failure(1, "there is no match in");
    mancala(["analyse", "-"])
        .with_temporary("/no/such/folder")
        .run()
        .failure(1, "set TMPDIR to a folder that you may write to");
    analyse(&["/no/such/file"]).failure(1, "cannot read /no/such/file");
    analyse(&["/"]).failure(1, "it is a folder");
    analyse(&[]).failure(2, "<FILE>");
    analyse(&[&games, "--time=0s"]).failure(2, "at least 1ms");
    analyse(&[&games, "--memory=0"]).failure(2, "must be from 1MiB to 1024GiB");
    analyse(&[&games, "--jobs=0"]).failure(2, "1 to 1024");
    analyse(&[&games, "--sample=0"]).failure(2, "from 1");
    analyse(&[&games, "--seed=2"]).failure(2, "--sample");
}

#[test]
fn records_with_cyclic_rules_are_refused() {
    let desk = Desk::new();
    desk.play("games", 1, &["--seeds=1"]);
    let cycles: [&[&str]; 3] = [
        &["--direction=either", "--empty-capture=no"],
        &["--direction=backward", "--opponent-store=skip"],
        &["--direction=either", "--opponent-store=skip"],
    ];
    for (number, rules) in (0..).zip(cycles) {
        let name = format!("cycles{number}");
        desk.play(&name, 1, &[rules, &["--max-moves=20"]].concat());
        let why = format!("{name}:1: these rules have no exact values");
        let merge = "--merge=rules,terms";
        analyse(&[&desk.file("games"), &desk.file(&name), merge]).failure(1, &why);
        analyse(&[&desk.file(&name)]).failure(1, &why);
    }
}

/// A record with values, and what `replay` says of it after this change to round 1.
#[track_caller]
fn replayed(desk: &Desk, change: impl FnOnce(&mut Vec<Value>), words: &str) {
    let mut record = records(&desk.read("copy")).remove(0);
    change(record["rounds"][0]["moves"].as_array_mut().unwrap());
    let file = desk.put("changed", format!("{record}\n"));
    let outcome = mancala(["replay", &file]).run().code(1);
    assert!(outcome.stdout.contains("match 1: invalid"), "{outcome:?}");
    assert!(outcome.stdout.contains(", line 1: round 1, move "), "{outcome:?}");
    assert!(outcome.stdout.contains(words), "{words:?} is not in {outcome:?}");
    // Analysis refuses what `replay` refuses.
    analyse(&[&file]).failure(1, "changed:1: the match is invalid: round 1, move ");
}

#[test]
fn replay_refuses_losses_that_contradict_values() {
    let desk = Desk::new();
    let copy = desk.file("copy");
    analyse(&[&desk.games(), "--write", &copy]).success();
    let add = |field: &mut Value, seeds: i64| *field = json!(field.as_i64().unwrap() + seeds);
    replayed(&desk, |moves| add(&mut moves[1]["value"], 2), "move 1: the loss is given as");
    replayed(&desk, |moves| add(&mut moves[1]["loss"], 2), "move 2: the loss is given as");
    replayed(&desk, |moves| add(&mut moves.last_mut().unwrap()["loss"], 2), "the loss");
    replayed(&desk, |moves| moves[0]["loss"] = json!(-2), "the loss cannot be -2");
    replayed(&desk, |moves| moves[0]["loss"] = json!(1), "the loss cannot be 1");
    replayed(&desk, |moves| moves[0]["value"] = json!(99), "the value cannot be 99");
    replayed(&desk, |moves| moves[0]["value"] = json!(3), "the value cannot be 3");
    replayed(
        &desk,
        |moves| drop(moves[0].as_object_mut().unwrap().remove("value")),
        "a loss is given without a value",
    );
    // A position is worth at least what the move keeps, whether or not the loss is given.
    replayed(
        &desk,
        |moves| {
            let exact = |played: &Value| played["loss"] == 0;
            let place = moves.iter().rposition(exact).expect("a good move");
            moves[place].as_object_mut().unwrap().remove("loss");
            add(&mut moves[place]["value"], -2);
            if place > 0 {
                let before = moves[place - 1].as_object_mut().unwrap();
                before.retain(|name, _| !matches!(&**name, "value" | "loss"));
            }
        },
        "but the move keeps",
    );
    // One that is no number is no record.
    let text = desk.read("copy").replacen("\"value\":", "\"value\":\"x\",\"x\":", 1);
    let file = desk.put("changed", text);
    mancala(["replay", &file]).run().code(1).says("match 1: line 1: not a mancala-match/1 record");
    // Values may be missing anywhere.
    let mut record = records(&desk.read("copy")).remove(0);
    for (number, played) in (0..).zip(record["rounds"][0]["moves"].as_array_mut().unwrap()) {
        let played = played.as_object_mut().unwrap();
        if number % 3 != 0 {
            played.remove("loss");
        }
        if number % 3 == 2 {
            played.remove("value");
        }
    }
    let file = desk.put("partly", format!("{record}\n"));
    mancala(["replay", &file]).run().success().says("1 of 1 matches are valid");
}

#[test]
fn replay_refuses_losses_beyond_the_range_of_16_bits() {
    let desk = Desk::new();
    // The first mover loses whatever it does.
    desk.play("games", 1, &["--opening=0,0,0,0,0,1,0,3,3,3,3,3,3,0"]);
    let copy = desk.file("copy");
    analyse(&[&desk.file("games"), "--write", &copy]).success();
    let alone = |moves: &mut Vec<Value>| {
        let losing = |played: &Value| played["value"].as_i64().unwrap() < -2;
        let place = moves.iter().position(losing).expect("a bot falls behind");
        for (other, played) in moves.iter_mut().enumerate() {
            let played = played.as_object_mut().unwrap();
            if other == place {
                played.insert("loss".to_owned(), json!(32766));
            } else {
                // With nothing beside it to compare.
                played.retain(|name, _| !matches!(&**name, "value" | "loss"));
            }
        }
    };
    replayed(&desk, alone, "the loss cannot be 32766");
}
