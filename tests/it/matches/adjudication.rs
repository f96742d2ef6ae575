//! `--adjudicate lead`: a round ends as soon as one store holds more than half of all seeds.

use std::fs;

use serde_json::{Value, json};

use crate::program::{mancala, path};
use crate::tournaments::tournament;

const BOTS: [&str; 2] = ["builtin:average --seed 1", "builtin:random --seed 1"];

/// Whether a store holds more than half, by a record's moves alone, and after how many moves.
fn decided_after(record: &Value, round: &Value) -> Option<usize> {
    let mut cells: [u32; 14] = serde_json::from_value(record["opening"].clone()).unwrap();
    let half = cells.iter().sum::<u32>() / 2;
    for (number, played) in (1..).zip(round["moves"].as_array().unwrap()) {
        let house = usize::try_from(played["move"].as_u64().unwrap()).unwrap();
        let mut hand = std::mem::take(&mut cells[house]);
        let mut at = house;
        while hand > 0 {
            at = (at + 1) % 14;
            cells[at] += 1;
            hand -= 1;
        }
        if at < 6 && cells[at] == 1 {
            cells[6] += 1 + std::mem::take(&mut cells[12 - at]);
            cells[at] = 0;
        }
        if cells[6].max(cells[13]) > half {
            return Some(number);
        }
        if at != 6 {
            cells.rotate_left(7);
        }
    }
    None
}

#[test]
fn adjudication_ends_a_round_at_the_deciding_move() {
    let folder = tempfile::tempdir().unwrap();
    let file = path(folder.path().join("games"));
    let play = |options: &[&str]| {
        mancala(["match", "--move-time=20s", "--format=json"])
            .args(options)
            .args(BOTS)
            .run()
            .success()
            .json()
    };
    let decided = play(&["--adjudicate=lead"]);
    assert_eq!(decided["limits"]["adjudicate"], "lead");
    let whole = play(&[]);
    assert_eq!(whole["limits"].get("adjudicate"), None);
    assert_eq!(whole["limits"], play(&["--adjudicate=none"])["limits"]);
    for (round, longer) in (0..2).map(|n| (&decided["rounds"][n], &whole["rounds"][n])) {
        let moves = round["moves"].as_array().unwrap().len();
        assert_eq!(round["result"]["reason"], "decided");
        assert_eq!(decided_after(&decided, round), Some(moves));
        assert_eq!(decided_after(&whole, longer), Some(moves), "the same game, played on");
        assert!(longer["moves"].as_array().unwrap().len() > moves);
        // The seeds on the board stay with their sides.
        let last: [u32; 14] = serde_json::from_value(round["final"].clone()).unwrap();
        assert_eq!(last.iter().sum::<u32>(), 36);
        assert_eq!(last[6] + last[13], 36);
        let first = usize::try_from(round["first"].as_u64().unwrap()).unwrap();
        assert_eq!(round["result"]["score"][first], last[6]);
        let winner = &decided["rounds"][0]["result"]["score"];
        assert!(winner[0].as_u64().max(winner[1].as_u64()) > Some(18));
    }
    // Replay holds it to the limits: neither too late nor without them.
    let replay = |record: &Value| {
        fs::write(&file, format!("{record}\n")).unwrap();
        mancala(["replay", &file]).run()
    };
    replay(&decided).success().says("1 of 1 matches are valid");
    let mut silent = decided.clone();
    silent["limits"].as_object_mut().unwrap().remove("adjudicate");
    replay(&silent).code(1).says("is given as decided, but had not ended");
    let mut late = whole.clone();
    late["limits"]["adjudicate"] = json!("lead");
    replay(&late).code(1).says("the round had ended before it (decided)");
    let mut other = decided.clone();
    other["rounds"][0]["result"]["reason"] = json!("completed");
    replay(&other).code(1).says("ended as decided, but is given as completed");
}

#[test]
fn adjudicated_rounds_are_sent_to_bots_and_counted_in_tournaments() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| path(folder.path().join(name));
    // A bot that keeps what it is told.
    let bot = file("told.py");
    let told = file("told");
    fs::write(
        &bot,
        format!(
            "import json, sys\nfor line in sys.stdin:\n    message = json.loads(line)\n    if message['type'] == 'turn':\n        print(message['legal'][-1], flush=True)\n    if message['type'] == 'end':\n        open({told:?}, 'a').write(line)\n"
        ),
    )
    .unwrap();
    let config = file("autumn.toml");
    fs::write(
        &config,
        format!(
            "[match]\nadjudicate = \"lead\"\nmove_time = \"20s\"\n[[bot]]\nname = \"last\"\ncommand = \"python3 {bot}\"\n[[bot]]\nname = \"average\"\ncommand = \"builtin:average --seed 1\"\n"
        ),
    )
    .unwrap();
    let record = file("autumn.jsonl");
    tournament().args(["--config", &config, "--record", &record]).run().code(0);
    let ends = fs::read_to_string(&told).unwrap();
    assert_eq!(ends.lines().count(), 2);
    assert!(ends.contains("\"reason\":\"decided\""), "{ends}");
    mancala(["replay", &record]).run().success();
    let standings = mancala(["standings", &record, "--verify", "--format=json"]).run().success();
    let json = standings.json();
    assert_eq!((&json["matches"], &json["missing"]), (&json!(1), &json!(0)));
    assert_eq!(json["rows"][0]["faults"], json!({}));
    let mut rules = tournament();
    rules = rules.args(["--config", &config, "--dump-config"]);
    rules.run().success().says("adjudicate = \"lead\"");
    let bad = fs::read_to_string(&config).unwrap().replace("lead", "points");
    fs::write(&config, bad).unwrap();
    tournament().args(["--config", &config]).run().failure(2, "none or lead");
}
