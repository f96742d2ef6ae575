//! `--fault-policy substitute`: a fault costs the choice of a move, so many times, then the round.

use std::fs;

use serde_json::{Value, json};

use crate::program::{Outcome, hostile, mancala, until_finished, write_script};
use crate::test_folder::TestFolder;

const UNHURRIED: &[&str] = &["--move-time=20s"];
const HURRIED: &[&str] = &["--move-time=700ms", "--margin=100ms"];

/// A match of a bot at fault, each start of which adds a line to a file.
struct FaultyMatch {
    folder: TestFolder,
}

impl FaultyMatch {
    fn new() -> FaultyMatch {
        FaultyMatch { folder: TestFolder::new() }
    }

    fn file(&self, name: &str) -> String {
        self.folder.file(name)
    }

    /// Plays a match of the hostile bot, in that mode and seat, against a sound one.
    fn play(&self, mode: &str, seat: usize, options: &[&str]) -> Outcome {
        let (marker, launches) = (self.folder.marker(), self.file("launches"));
        let bad = hostile(&format!("{mode} '{marker}'"));
        let script = format!("#!/bin/sh\necho launched >> '{launches}'\nexec {bad}\n");
        self.play_script(&script, seat, options)
    }

    /// The same with a program that is this script.
    fn play_script(&self, script: &str, seat: usize, options: &[&str]) -> Outcome {
        let program = self.file("program");
        let good = self.folder.bot("sound");
        let mut bots = [format!("bad='{program}'"), format!("good={good}")];
        bots.swap(0, seat);
        let record = self.file("record");
        let outcome = until_finished(|| {
            // What an unfinished match left.
            let _ = fs::remove_dir_all(self.folder.path());
            fs::create_dir(self.folder.path()).expect("a folder is made");
            write_script(&program, script);
            let outcome = mancala(["match", "--fault-policy=substitute", "--record", &record])
                .args(options)
                .args(&bots)
                .run();
            self.folder.none_left();
            outcome
        });
        mancala(["replay", &record]).run().success().says("1 of 1 matches are valid");
        outcome
    }

    fn launches(&self) -> usize {
        fs::read_to_string(self.file("launches")).expect("it was launched").lines().count()
    }

    fn record(&self) -> Value {
        let record = fs::read_to_string(self.file("record")).expect("there is a record");
        serde_json::from_str(&record).expect("it is JSON")
    }
}

fn moves(round: &Value) -> &Vec<Value> {
    round["moves"].as_array().expect("moves")
}

/// Who played which house, in order.
fn plays(round: &Value) -> Vec<(&Value, &Value)> {
    moves(round).iter().map(|played| (&played["bot"], &played["move"])).collect()
}

/// The moves of a round that were substituted: whose, and the kind of the fault.
fn substituted(round: &Value) -> Vec<(usize, &str)> {
    let played = moves(round).iter().filter(|played| !played["substitute"].is_null());
    played
        .map(|played| {
            let bot = played["bot"].as_u64().and_then(|bot| bot.try_into().ok());
            (bot.expect("a bot"), played["substitute"]["kind"].as_str().expect("a kind"))
        })
        .collect()
}

/// The match of two sound bots: as first legal houses are what they play and what is substituted,
/// a match in which a fault costs no more than that comes to the same.
fn undisturbed() -> Value {
    let bots = [hostile("sound"), hostile("sound")];
    mancala(["match", "--format=json"]).args(bots).run().success().json()
}

#[test]
fn a_substituted_fault_costs_only_the_choice_of_the_move() {
    let undisturbed = undisturbed();
    for (mode, kind, restarts, options) in [
        ("store", "illegal_move", 0, UNHURRIED),
        ("words", "invalid_reply", 0, UNHURRIED),
        ("debug-print", "invalid_reply", 1, UNHURRIED),
        ("twice-at-once", "unsolicited_output", 1, UNHURRIED),
        ("one-byte-too-long", "oversized_reply", 1, UNHURRIED),
        ("hang", "timeout", 1, HURRIED),
        ("stop", "timeout", 1, HURRIED),
    ] {
        for (seat, round) in [(0, 1), (0, 2), (1, 1), (1, 2)] {
            let folder = FaultyMatch::new();
            folder.play(&format!("{mode} {round} 2"), seat, options).success();
            let record = folder.record();
            for number in 0..2 {
                let played = &record["rounds"][number];
                let faults = if number + 1 == round { vec![(seat, kind)] } else { vec![] };
                assert_eq!(substituted(played), faults, "{mode} {seat} {round}: {record:#}");
                assert_eq!(played["result"], undisturbed["rounds"][number]["result"], "{mode}");
                assert_eq!(plays(played), plays(&undisturbed["rounds"][number]), "{mode}");
            }
            // A late machine has the round played again, with processes of its own.
            let is_played_again =
                (0..2).any(|number| !record["rounds"][number]["replayed"].is_null());
            if !is_played_again {
                assert_eq!(folder.launches(), 1 + restarts, "{mode} {seat} {round}");
            }
        }
    }
}

#[test]
fn a_bot_forfeits_after_max_faults_substitutes() {
    let undisturbed = undisturbed();
    for (mode, kind, options, substitutes) in [
        ("store", "illegal_move", UNHURRIED, 3),
        ("words", "invalid_reply", &[UNHURRIED, &["--max-faults=1"]].concat(), 1),
        ("twice-at-once", "unsolicited_output", UNHURRIED, 3),
        ("hang", "timeout", &[HURRIED, &["--max-faults=2", "--start-time=300ms"]].concat(), 2),
    ] {
        let places = [(0, 1), (1, 2), (0, 2), (1, 1)];
        // Each fault of a silent bot is waited for.
        let places = if mode == "hang" { &places[..2] } else { &places };
        for &(seat, round) in places {
            let folder = FaultyMatch::new();
            folder.play(&format!("{mode} {round} 0"), seat, options).success();
            let record = folder.record();
            let played = &record["rounds"][round - 1];
            assert_eq!(substituted(played), vec![(seat, kind); substitutes], "{record:#}");
            assert_eq!(played["result"]["fault"]["bot"], json!(seat), "{mode}");
            assert_eq!(played["result"]["fault"]["kind"], kind);
            let mut score = [36, 36];
            score[seat] = 0;
            assert_eq!(played["result"]["score"], json!(score));
            let other = &record["rounds"][2 - round];
            assert_eq!(other["result"], undisturbed["rounds"][2 - round]["result"]);
        }
    }
}

#[test]
fn a_late_line_is_not_the_next_answer() {
    for (seat, round) in [(0, 1), (0, 2), (1, 1), (1, 2)] {
        let folder = FaultyMatch::new();
        folder.play(&format!("a-little-late {round} 2"), seat, HURRIED).success();
        let record = folder.record();
        let played = &record["rounds"][round - 1];
        assert_eq!(substituted(played), [(seat, "timeout")], "{record:#}");
        assert_eq!(played["result"]["fault"], Value::Null, "{record:#}");
        // It said so, had it been heard.
        assert!(!record.to_string().contains("too late"), "{record:#}");
        let late = moves(played).iter().find(|played| !played["substitute"].is_null());
        assert!(late.expect("a move")["ms"].as_f64().expect("a time") >= 800.0);
    }
}

#[test]
fn a_restarted_bot_gets_all_moves_since_the_opening() {
    let folder = FaultyMatch::new();
    let (marker, told) = (folder.folder.marker(), folder.file("told"));
    let bad = hostile(&format!("twice-at-once 1 2 '{marker}'"));
    // Not `tee`, which may be killed before it has written down what was answered.
    let script = format!(
        "#!/bin/sh\nwhile read -r line; do\nprintf '%s\\n' \"$line\" >> '{told}'\n\
         printf '%s\\n' \"$line\"\ndone | {bad}\n"
    );
    folder.play_script(&script, 0, UNHURRIED).success();
    let told = fs::read_to_string(told).expect("it was told something");
    let told: Vec<Value> =
        told.lines().map(|line| serde_json::from_str(line).expect("a message")).collect();
    let types: Vec<&str> = told.iter().filter_map(|message| message["type"].as_str()).collect();
    assert_eq!(types[..6], ["start", "turn", "turn", "start", "turn", "turn"], "{told:#?}");
    assert_eq!(told[3], told[0]);

    let record = folder.record();
    let moves = moves(&record["rounds"][0]);
    let index = moves.iter().position(|played| !played["substitute"].is_null());
    let index = index.expect("a substitute");
    let since = |moves: &[Value]| {
        let by = |bot: &Value| if *bot == json!(0) { "you" } else { "opponent" };
        let told =
            moves.iter().map(|played| json!({"by": by(&played["bot"]), "move": played["move"]}));
        Value::Array(told.collect())
    };
    assert_eq!(told[4]["turn"], json!(3));
    let own = moves[index + 1..].iter().position(|played| played["bot"] == json!(0));
    let asked = index + 1 + own.expect("it moves again");
    assert_eq!(told[4]["moves"], since(&moves[..asked]), "{record:#}");
    assert_eq!(told[5]["moves"][0], json!({"by": "you", "move": moves[asked]["move"]}));
}

#[test]
fn a_bot_that_has_exited_forfeits_at_once() {
    for seat in [0, 1] {
        let folder = FaultyMatch::new();
        folder.play("exit-3 1 2", seat, UNHURRIED).success();
        let record = folder.record();
        assert_eq!(substituted(&record["rounds"][0]), []);
        assert_eq!(record["rounds"][0]["result"]["fault"]["kind"], "exited");
        assert_eq!(record["rounds"][1]["result"]["reason"], "completed");
    }
}

#[test]
fn a_bot_that_does_not_start_again_forfeits() {
    for seat in [0, 1] {
        let folder = FaultyMatch::new();
        let bad = hostile(&format!("debug-print 1 2 '{}'", folder.folder.marker()));
        let script = format!("#!/bin/sh\nrm \"$0\"\nexec {bad}\n");
        folder.play_script(&script, seat, UNHURRIED).success();
        let record = folder.record();
        assert_eq!(substituted(&record["rounds"][0]), [(seat, "invalid_reply")]);
        for round in 0..2 {
            let fault = &record["rounds"][round]["result"]["fault"];
            assert_eq!((&fault["bot"], &fault["kind"]), (&json!(seat), &json!("start_failed")));
        }
    }
}

#[test]
fn a_spent_time_bank_is_substituted() {
    let folder = FaultyMatch::new();
    folder
        .play("spend-the-bank 1 1", 0, &["--game-time=1500ms", "--margin=100ms", "--max-faults=2"])
        .success();
    let record = folder.record();
    let round = &record["rounds"][0];
    assert_eq!(substituted(round), [(0, "timeout"); 2], "{record:#}");
    let fault = &round["result"]["fault"];
    assert_eq!(fault["detail"], "its time bank of 1500 ms is spent", "{record:#}");
    let spent = moves(round).iter().filter(|played| {
        played["substitute"]["detail"] == fault["detail"] && played["ms"] == json!(0.0)
    });
    assert_eq!(spent.count(), 1, "{record:#}");
}

#[test]
fn substituted_faults_are_shown_apart_from_forfeits() {
    let folder = FaultyMatch::new();
    let options = ["--format=csv", "--strict", "-v", UNHURRIED[0]];
    let outcome = folder.play("words 2 0", 1, &options).code(3);
    let faults: Vec<&str> =
        outcome.stdout.lines().filter_map(|line| Some(line.rsplit_once(',')?.1)).collect();
    assert_eq!(faults, ["faults", "0", "0", "0", "4"]);
    let line = "bad is at fault (2 of 3), invalid_reply: not JSON; expected a house 0 to 5 or {\"move\":…}, got I play house 0\n\
        The first legal house is played for it.\n3. bad plays ";
    assert!(outcome.stderr.contains(line), "{outcome:#?}");
    assert!(outcome.stderr.contains("bad forfeits (invalid_reply); faults 0 : 4."), "{outcome:#?}");
    let replayed = mancala(["replay", &folder.file("record"), "--match=1", "--round=2"]).run();
    replayed.success().says(line).says("(invalid_reply); faults 0 : 4.");

    // A fault that was substituted is one for --strict, and its time is not one of the bot's own.
    let outcome =
        FaultyMatch::new().play("hang 1 2", 0, &[HURRIED, &["--strict"]].concat()).code(3);
    let outcome =
        outcome.says("│ faults │").says("Round 1, move 3: house 1 is played for bad, timeout: ");
    let row = outcome.stdout.lines().find(|line| line.contains("│ bad")).expect("a row");
    let cells: Vec<&str> = row.split('│').map(str::trim).collect();
    assert_eq!(cells[5..7], ["completed", "1"]);
    let longest: f64 = cells[9].parse().expect("a time");
    assert!(longest < 700.0, "{row}");

    // A long list is cut.
    let many = ["--max-faults=1000", "--seeds=9", "--format=markdown"];
    let outcome = FaultyMatch::new().play("store 1 0", 0, &many).success();
    let lines = outcome.stdout.lines().filter(|line| line.starts_with("- Round 1, move "));
    assert_eq!(lines.count(), 10, "{outcome:#?}");
    assert!(outcome.stdout.contains("\n- Round 1: and "), "{outcome:#?}");
}
