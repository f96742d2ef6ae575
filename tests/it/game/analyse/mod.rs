//! `mancala analyse`: what moves gave away, against brute force that shares no code with it.

mod brute_force;
mod copies;
mod counted;
mod published;
mod refusals;

use std::collections::BTreeMap;
use std::fs;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::program::{Outcome, hostile, mancala, path};
use crate::terminal::Terminal;
use brute_force::BruteForce;

/// A folder with records and what is made of them.
struct Desk {
    folder: TempDir,
}

impl Desk {
    fn new() -> Desk {
        Desk { folder: tempfile::tempdir().expect("a folder is made") }
    }

    fn file(&self, name: &str) -> String {
        path(self.folder.path().join(name))
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.file(name)).expect("the file is there")
    }

    fn put(&self, name: &str, text: impl AsRef<[u8]>) -> String {
        fs::write(self.file(name), text).expect("the file is written");
        self.file(name)
    }

    /// Plays a match of two bots that draw lots and appends its record.
    fn play(&self, name: &str, seed: u32, options: &[&str]) {
        mancala(["match", "--move-time=20s", "--record", &self.file(name)])
            .args(options)
            .args([format!("builtin:easy --seed {seed}"), format!("builtin:random --seed {seed}")])
            .run()
            .success();
    }

    /// Three matches.
    fn games(&self) -> String {
        for seed in 1..=3 {
            self.play("games", seed, &["--seeds=2"]);
        }
        self.file("games")
    }
}

/// `mancala analyse`.
fn analyse(arguments: &[&str]) -> Outcome {
    mancala(["analyse"]).args(arguments).run()
}

fn records(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect()
}

/// What an analysis says of a bot.
#[derive(Debug, Default, PartialEq)]
struct Row {
    rounds: u64,
    /// Rounds that nobody forfeited.
    whole_rounds: u64,
    forfeits: u64,
    moves: u64,
    exact: u64,
    seeds_lost: u64,
    blunders: u64,
    /// For each phase the seeds given away, the moves, and the moves in whole rounds.
    phases: [[u64; 3]; 3],
}

/// The value and the loss of each move, in each round.
type Judged = Vec<Vec<(i64, i64)>>;

fn add(sum: &mut [u64; 3], counts: [u64; 3]) {
    sum.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
}

/// The same of every bot, and of every move its value and loss, by brute force.
fn by_brute_force(record: &Value) -> (BTreeMap<String, Row>, Judged) {
    let mut brute = BruteForce::new(&record["rules"]);
    let mut rows: BTreeMap<String, Row> = BTreeMap::new();
    let name = |bot: usize| record["bots"][bot]["name"].as_str().unwrap().to_owned();
    let mut all = Vec::new();
    for round in record["rounds"].as_array().unwrap() {
        let forfeit = round["result"]["fault"]["bot"].as_u64();
        for (bot, number) in [(0, 0), (1, 1)] {
            let row = rows.entry(name(bot)).or_default();
            row.rounds += 1;
            row.whole_rounds += u64::from(forfeit.is_none());
            row.forfeits += u64::from(forfeit == Some(number));
        }
        let mut cells: [i64; 14] = serde_json::from_value(record["opening"].clone()).unwrap();
        let in_houses = |cells: &[i64; 14]| cells.iter().sum::<i64>() - cells[6] - cells[13];
        let opening = in_houses(&cells);
        let mut judged = Vec::new();
        for played in round["moves"].as_array().unwrap() {
            let house = usize::try_from(played["move"].as_u64().unwrap()).unwrap();
            let is_backward = [&played["direction"], &record["rules"]["direction"]]
                .iter()
                .any(|direction| **direction == "backward");
            let way = if is_backward { -1 } else { 1 };
            let margin = cells[6] - cells[13];
            let value = brute.value(cells);
            let (after, again) = brute.play(cells, house, way);
            let gain = after[6] - after[13] - margin;
            let mut next = after;
            if !again {
                next.rotate_left(7);
            }
            let kept = gain + if again { brute.value(next) } else { -brute.value(next) };
            let loss = value - kept;
            judged.push((value, loss));
            if played.get("substitute").is_none() {
                let bot = usize::try_from(played["bot"].as_u64().unwrap()).unwrap();
                let row = rows.entry(name(bot)).or_default();
                row.moves += 1;
                row.exact += u64::from(loss == 0);
                row.seeds_lost += loss.unsigned_abs();
                row.blunders += u64::from((margin + kept).signum() < (margin + value).signum());
                let left = in_houses(&cells);
                let phase = usize::from(3 * left <= 2 * opening) + usize::from(3 * left <= opening);
                let counts = [loss.unsigned_abs(), 1, u64::from(forfeit.is_none())];
                add(&mut row.phases[phase], counts);
            }
            cells = next;
        }
        all.push(judged);
    }
    (rows, all)
}

/// Checks an analysis of one file, and its copy with values, against brute force.
#[track_caller]
fn agrees(analysis: &Value, copy: &str) {
    let mut expected: BTreeMap<String, Row> = BTreeMap::new();
    for record in records(copy) {
        let (rows, all) = by_brute_force(&record);
        for (name, row) in rows {
            let sum = expected.entry(name).or_default();
            sum.rounds += row.rounds;
            sum.whole_rounds += row.whole_rounds;
            sum.forfeits += row.forfeits;
            sum.moves += row.moves;
            sum.exact += row.exact;
            sum.seeds_lost += row.seeds_lost;
            sum.blunders += row.blunders;
            for (phase, counts) in sum.phases.iter_mut().zip(row.phases) {
                add(phase, counts);
            }
        }
        for (round, judged) in record["rounds"].as_array().unwrap().iter().zip(all) {
            for (played, (value, loss)) in round["moves"].as_array().unwrap().iter().zip(judged) {
                assert_eq!((&played["value"], &played["loss"]), (&json!(value), &json!(loss)));
            }
        }
    }
    assert_eq!(analysis["format"], "mancala-analysis/1");
    assert_eq!(analysis["matches"], records(copy).len());
    let rows = analysis["rows"].as_array().unwrap();
    assert_eq!(rows.len(), expected.len());
    for row in rows {
        let name = row["name"].as_str().unwrap();
        let expected = &expected[name];
        for (field, count) in [
            ("rounds", expected.rounds),
            ("forfeits", expected.forfeits),
            ("moves", expected.moves),
            ("solved", expected.moves),
            ("exact", expected.exact),
            ("seeds_lost", expected.seeds_lost),
            ("blunders", expected.blunders),
        ] {
            assert_eq!(row[field], count, "{field} of {name}");
        }
        // A phase counts by its judged moves, here all of them.
        let number = |count: u64| f64::from(u32::try_from(count).unwrap());
        let is_known = expected.phases.iter().any(|[.., in_whole]| *in_whole > 0);
        for (field, counts) in ["opening", "middle", "end"].into_iter().zip(expected.phases) {
            let [lost, moves, in_whole] = counts.map(number);
            let a_round = lost / moves.max(1.0) * in_whole / number(expected.whole_rounds);
            match row["by_phase"][field].as_f64() {
                Some(found) => {
                    assert!((found - a_round).abs() < 1e-9, "{field} of {name}: {found}");
                }
                None => assert!(!is_known, "{field} of {name}"),
            }
        }
    }
}

#[test]
fn values_and_losses_agree_with_brute_force_in_every_ruleset() {
    let rules: [&[&str]; 5] = [
        &["--rules=learneroo"],
        &["--rules=kalah"],
        &["--rules=ece1021"],
        &["--rules=mancala5000", "--direction=backward"],
        &["--rules=mancala5000", "--direction=either"],
    ];
    for rules in rules {
        let desk = Desk::new();
        for (seed, opening) in
            (1..).zip(["2,0,2,1,0,1,3,0,1,2,0,2,1,1", "0,0,3,0,2,1,0,1,0,3,0,0,2,0"])
        {
            let opening = format!("--opening={opening}");
            desk.play("games", seed, &[rules, &[&opening]].concat());
        }
        let (games, copy) = (desk.file("games"), desk.file("copy"));
        let outcome = analyse(&[&games, "--write", &copy, "--format=json"]).success();
        agrees(&outcome.json(), &desk.read("copy"));
        mancala(["replay", &copy]).run().success().says("2 of 2 matches are valid");
    }
}

#[test]
fn moves_before_a_fault_are_judged_and_substituted_moves_are_not() {
    let desk = Desk::new();
    let marker = path(desk.folder.path());
    let bad = |when: &str| format!("bad={}", hostile(&format!("store {when} '{marker}'")));
    let opening = "--opening=1,0,2,1,0,2,0,0,1,2,0,2,1,0";
    for (when, policy) in [("1 2", "forfeit"), ("2 1", "substitute")] {
        mancala(["match", &bad(when), "builtin:easy", "--move-time=20s", opening])
            .args(["--fault-policy", policy, "--record", &desk.file("games")])
            .run()
            .code(0);
    }
    desk.play("games", 1, &["--max-moves=3", opening]);
    let ahead = "--opening=1,0,2,1,0,2,7,0,1,2,0,2,1,0";
    desk.play("games", 2, &["--adjudicate=lead", ahead]);
    let games = desk.read("games");
    for word in ["\"illegal_move\"", "\"substitute\":{", "\"move_limit\"", "\"decided\""] {
        assert!(games.contains(word), "{word} is not in {games}");
    }
    let copy = desk.file("copy");
    let options = ["--write", &copy, "--format=json", "--merge=terms,versions"];
    let outcome = analyse(&[&[&*desk.file("games")], &options[..]].concat()).success();
    agrees(&outcome.json(), &desk.read("copy"));
}

#[test]
fn the_analysis_has_the_same_numbers_in_every_width_and_format() {
    let desk = Desk::new();
    let games = desk.games();
    let json = analyse(&[&games, "--format=json"]).success().json();
    let row = &json["rows"][0];
    let lost = row["seeds_lost"].as_f64().unwrap() / row["rounds"].as_f64().unwrap();
    let table = analyse(&[&games]).success().plain();
    table.says(&format!("{lost:.2}")).says("given away").says("Blunders turned a win");
    assert_eq!((&row["rank"], &json["rows"][1]["rank"]), (&json!(1), &json!(2)));
    let markdown = analyse(&[&games, "--format=markdown"]).success();
    markdown.says("| bot ").says("- Given away");
    let csv = analyse(&[&games, "--format=csv"]).success();
    let mut lines = csv.stdout.lines();
    assert_eq!(
        lines.next(),
        Some(
            "name,rounds,moves,solved,exact,seeds_lost,blunders,opening,middle,end,rank,forfeits,lost_a_round"
        )
    );
    assert_eq!(lines.count(), 2);
    // Several files are one.
    let again = desk.put("again", desk.read("games"));
    let twice = analyse(&[&games, &again, "--format=json"]).success().json();
    assert_eq!(twice["matches"], 6);
    assert_eq!(twice["rows"][0]["by_phase"], row["by_phase"]);
    // One file is one, however often and by whatever name it is given.
    let link = desk.file("link");
    std::os::unix::fs::symlink(&games, &link).unwrap();
    assert_eq!(analyse(&[&games, &link, &games, "--format=json"]).success().json(), json);
    let piped = mancala(["analyse", "-", "-", "--format=json"]).stdin(desk.read("games")).run();
    assert_eq!(piped.success().json(), json);
}

#[test]
fn the_analysis_shows_how_many_matches_it_covers() {
    let desk = Desk::new();
    let games = desk.games();
    analyse(&[&games]).success().says("3 matches.\n\n");
    analyse(&[&games, "--sample=1"]).success().says("1 of 3 matches.\n\n");
    desk.play("one", 1, &["--seeds=2"]);
    analyse(&[&desk.file("one")]).success().says("1 match.\n\n");
}

#[test]
fn a_bot_without_solved_moves_is_last_and_has_no_numbers() {
    let desk = Desk::new();
    let marker = path(desk.folder.path());
    let bad = format!("bad={}", hostile(&format!("store 1 1 '{marker}'")));
    mancala([
        "match",
        &bad,
        "builtin:random --seed 1",
        "--seeds=2",
        "--rounds=1",
        "--first=second",
    ])
    .args(["--move-time=20s", "--record", &desk.file("games")])
    .run()
    .code(0);
    let games = desk.file("games");
    let json = analyse(&[&games, "--format=json"]).success().json();
    let names = json["rows"].as_array().unwrap().iter().map(|row| row["name"].as_str().unwrap());
    assert_eq!(names.collect::<Vec<_>>(), ["random", "bad"]);
    assert_eq!((&json["rows"][1]["moves"], &json["rows"][1]["solved"]), (&json!(0), &json!(0)));
    let table = analyse(&[&games]).success().stdout;
    let row = table.lines().find(|line| line.contains("bad")).expect("its row");
    assert!(!row.contains("0.00"), "{table}");
}

#[test]
fn a_terminal_shows_the_progress_of_an_analysis() {
    let desk = Desk::new();
    desk.play("games", 1, &["--seeds=2"]);
    // Its opening takes longer than anybody waits.
    desk.play("games", 2, &["--seeds=9"]);
    let games = desk.file("games");
    let arguments = ["analyse", &games, "--time=1h", "--jobs=1", "--merge=rules"];
    let Some(mut terminal) = Terminal::start(&arguments, (40, 24)) else { return };
    terminal.wait_for("0 s: ");
    terminal.wait_for("match 1 of 2");
    terminal.wait_for("match 2 of 2, ");
    // The seconds go on without any news.
    terminal.wait_for("2 s: match 2 of 2");
    terminal.type_in("\x03");
    terminal.wait_for("1 of 2 matches.");
    let (code, output) = terminal.end();
    assert_eq!(code, Some(130), "{output}");
    assert!(output.ends_with("mancala: interrupted\r\n"), "{output}");
}

#[test]
fn unsolved_moves_are_reported_and_not_counted() {
    let desk = Desk::new();
    desk.play("games", 1, &["--seeds=9"]);
    let games = desk.file("games");
    let copy = desk.file("copy");
    let json =
        analyse(&[&games, "--time=500ms", "--format=json", "--write", &copy]).success().json();
    let sum = |key: &str| -> u64 {
        json["rows"].as_array().unwrap().iter().map(|row| row[key].as_u64().unwrap()).sum()
    };
    let solved = sum("solved");
    assert!(0 < solved && solved < sum("moves"), "{json}");
    assert!(sum("exact") <= solved);
    let copied = desk.read("copy");
    assert_eq!(copied.matches("\"loss\":").count() as u64, solved);
    mancala(["replay", &copy]).run().success();
    let table = analyse(&[&games, "--time=500ms"]).success();
    table.says("moves were not judged, for lack of time, and do not count").says("judged");
}

#[test]
fn a_bot_that_forfeits_its_rounds_early_has_words_instead_of_a_rank() {
    let desk = Desk::new();
    // It answers one turn of each round and then exits.
    let quits = "quits=sh -c 'read -r a; read -r b; echo 5; read -r c; exit 7'";
    for seed in 1..=2 {
        desk.play("games", seed, &["--seeds=2"]);
        mancala(["match", quits, &format!("builtin:easy --seed {seed}"), "--seeds=2"])
            .args(["--move-time=20s", "--record", &desk.file("games")])
            .run()
            .code(0);
    }
    let games = desk.file("games");
    let json = analyse(&[&games, "--format=json"]).success().json();
    let rows = json["rows"].as_array().unwrap();
    let quits = rows.last().unwrap();
    assert_eq!((&quits["name"], &quits["rank"]), (&json!("quits"), &Value::Null));
    assert_eq!((&quits["rounds"], &quits["forfeits"]), (&json!(4), &json!(4)));
    assert_eq!((&quits["lost_a_round"], &quits["by_phase"]["end"]), (&Value::Null, &Value::Null));
    let ranks: Vec<&Value> = rows[..2].iter().map(|row| &row["rank"]).collect();
    assert_eq!(ranks, [&json!(1), &json!(2)]);
    let table = analyse(&[&games]).success();
    let table = table.says("too little").says("forfeits").says("less than half of the moves");
    let words: Vec<&str> = table.stdout.split_whitespace().collect();
    assert!(words.join(" ").contains("mostly because it forfeited them early."), "{table:#?}");
}

#[test]
fn worst_moves_agree_with_brute_force_and_the_better_move_keeps_the_value() {
    let desk = Desk::new();
    for seed in 1..=3 {
        desk.play("games", seed, &["--seeds=1"]);
    }
    let games = desk.file("games");
    let json = analyse(&[&games, "--worst=3", "--format=json"]).success().json();
    let worst = json["worst"].as_array().unwrap();
    assert_eq!(worst.len(), 3);
    let records = records(&desk.read("games"));
    let judged: Vec<Judged> = records.iter().map(|record| by_brute_force(record).1).collect();
    let mut losses: Vec<i64> = judged.iter().flatten().flatten().map(|&(_, loss)| loss).collect();
    losses.sort_unstable_by(|a, b| b.cmp(a));
    let index =
        |found: &Value, field: &str| usize::try_from(found[field].as_u64().unwrap()).unwrap();
    for (found, loss) in worst.iter().zip(losses) {
        let (number, round) = (index(found, "match") - 1, index(found, "round") - 1);
        let place = index(found, "move_number") - 1;
        let record = &records[number];
        let played = &record["rounds"][round]["moves"][place];
        assert_eq!((&found["file"], &found["tournament_match"]), (&json!(games), &Value::Null));
        assert_eq!(found["name"], record["bots"][index(played, "bot")]["name"]);
        assert_eq!(found["played"], json!({"move": played["move"]}));
        assert_eq!(found["loss"], loss);
        assert_eq!((found["value"].as_i64().unwrap(), loss), judged[number][round][place]);
        // The better move is legal and worth the value.
        let mut brute = BruteForce::new(&record["rules"]);
        let cells: [i64; 14] = serde_json::from_value(found["board"].clone()).unwrap();
        let house = index(&found["better"], "move");
        assert!(cells[house] > 0, "{found}");
        let (after, again) = brute.play(cells, house, 1);
        let gain = after[6] - after[13] - (cells[6] - cells[13]);
        let mut next = after;
        if !again {
            next.rotate_left(7);
        }
        let kept = gain + if again { brute.value(next) } else { -brute.value(next) };
        assert_eq!(found["value"], kept, "{found}");
    }
    let table = analyse(&[&games, "--worst=2"]).success();
    table.says("The moves that gave away most:").says("better").says("played");
    let csv = analyse(&[&games, "--worst=2", "--format=csv"]).success();
    assert!(csv.stdout.starts_with("file,match,tournament_match,round,move_number,name,board,"));
    assert_eq!(csv.stdout.lines().count(), 3);
    analyse(&[&games, "--worst=0"]).failure(2, "a whole number from 1 to 1000");
}

#[test]
fn samples_and_threads_do_not_change_values() {
    let desk = Desk::new();
    let games = desk.games();
    let one = analyse(&[&games, "--jobs=1", "--format=json"]).success();
    let four = analyse(&[&games, "--jobs=4", "--memory=4", "--format=json"]).success();
    assert_eq!(one.stdout, four.stdout);
    let drawn = |seed: &str| {
        let options = ["--sample=1", "--seed", seed, "--format=json"];
        analyse(&[&[&*games], &options[..]].concat()).success().stdout
    };
    assert_eq!(drawn("7"), drawn("7"));
    let several: std::collections::HashSet<String> =
        ["1", "2", "3", "4", "5", "6"].map(drawn).into();
    assert!(several.len() > 1, "{several:?}");
    assert!(several.iter().all(|found| found.contains("\"matches\":1,")));
    let whole = analyse(&[&games, "--sample=9", "--format=json"]).success();
    assert_eq!(whole.stdout, one.stdout);
    // What comes through a pipe is what is in the file.
    let piped = mancala(["analyse", "-", "--format=json"]).stdin(desk.read("games")).run();
    assert_eq!(piped.success().stdout, one.stdout);
}
