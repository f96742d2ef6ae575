//! Standings: what is counted, what is left out, and what is said about files that are wrong.

mod copies;
mod disqualifications;
pub(crate) mod files;
mod large;
mod merging;
pub(crate) mod planned;
mod repeated;
mod sprt;
mod stages;

use std::fs;

use serde_json::{Value, json};

use self::files::{ID, Played, header, header_with, lines, note};
use self::planned::planned;
use crate::program::{Outcome, mancala, path};
use crate::test_folder::TestFolder;

fn run(input: &str, arguments: &str) -> Outcome {
    let arguments = arguments.split_whitespace();
    mancala(["standings", "-"]).args(arguments).stdin(planned(input)).run()
}

/// The standings of this input as JSON.
#[track_caller]
fn standings(input: &str, arguments: &str) -> Value {
    run(input, &format!("--format json {arguments}")).success().json()
}

/// Values of the rows of these bots.
#[track_caller]
fn of<const N: usize>(standings: &Value, names: [&str; N], field: &str) -> Value {
    let row = |name: &str| {
        let mut rows = standings["rows"].as_array().unwrap().iter();
        rows.find(|row| row["name"] == name).unwrap()[field].clone()
    };
    json!(names.map(row).to_vec())
}

/// Three bots, two matches a pair.
fn three() -> Vec<Played> {
    vec![
        Played::new(1, ["a", "b"], [[20, 16], [19, 17]]),
        Played::new(2, ["c", "a"], [[10, 26], [18, 18]]),
        Played::new(3, ["b", "c"], [[30, 6], [1, 35]]),
        Played::new(4, ["b", "a"], [[18, 18], [18, 18]]),
        Played::new(5, ["a", "c"], [[36, 0], [20, 16]]).fault(0, 1, "timeout"),
        Played::new(6, ["c", "b"], [[0, 36], [36, 0]]).fault(0, 0, "exited").fault(
            1,
            1,
            "illegal_move",
        ),
    ]
}

const ABC: [&str; 3] = ["a", "b", "c"];

fn whole(matches: &[Played]) -> String {
    header_of_three([1, 1]) + &lines(matches)
}

/// The first line of a file of these matches: so a schedule of three bots pairs them.
fn header_of_three(shard: [u32; 2]) -> String {
    header(&["c", "b", "a"], 2, shard)
}

#[test]
fn standings_agree_with_a_count_by_hand() {
    let found = standings(&whole(&three()), "");
    assert_eq!(found["format"], "mancala-standings/1");
    assert_eq!(found["tournaments"], json!([ID]));
    let counts = ["matches", "planned", "missing", "unfinished", "not_played", "beyond"];
    assert_eq!(counts.map(|key| found[key].clone()), [6, 6, 0, 0, 0, 0].map(Value::from));
    assert_eq!(found["distinct_games"], 12);
    assert_eq!(found["sprt"], Value::Null);
    let order: Vec<&Value> =
        found["rows"].as_array().unwrap().iter().map(|row| &row["name"]).collect();
    assert_eq!(order, ["a", "c", "b"]);
    for (field, expected) in [
        ("rank", json!([1, 3, 2])),
        ("matches", json!([4, 4, 4])),
        ("won", json!([3, 0, 1])),
        ("drawn", json!([1, 2, 1])),
        ("lost", json!([0, 2, 2])),
        ("points", json!([3.5, 1.0, 1.5])),
        ("seeds_for", json!([175, 136, 121])),
        ("seeds_against", json!([113, 152, 167])),
        ("double_faults", json!([0, 1, 1])),
        ("faults", json!([{}, {"illegal_move": 1}, {"timeout": 1, "exited": 1}])),
        ("median_ms", json!([null, null, null])),
        ("disqualified", json!([null, null, null])),
    ] {
        assert_eq!(of(&found, ABC, field), expected, "{field}");
    }
    assert_eq!(of(&found, ["a"], "first"), json!([{"rounds": 4, "points": 3.0}]));
    assert_eq!(of(&found, ["a"], "second"), json!([{"rounds": 4, "points": 3.5}]));
    // The row of a against c, which is the second row.
    let cell = json!({"won": 2, "drawn": 0, "lost": 0, "seeds_for": 100, "seeds_against": 44});
    assert_eq!(found["crosstable"][0][1], cell);
    assert_eq!(found["crosstable"][0][0], Value::Null);
    // Of a and b together c has 2.5 of 8 points more or less: the mean of all ratings is 0.
    let ratings = of(&found, ABC, "rating");
    let sum: f64 = ratings.as_array().unwrap().iter().map(|rating| rating.as_f64().unwrap()).sum();
    assert!(sum.abs() < 1e-3, "{ratings}");
}

#[test]
fn rank_by_and_anchor_are_followed() {
    let order = |by: &str| {
        let found = standings(&whole(&three()), &format!("--rank-by {by}"));
        let rows = found["rows"].as_array().unwrap().clone();
        rows.iter().map(|row| row["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(order("points"), ["a", "c", "b"]);
    assert_eq!(order("seeds"), ["a", "b", "c"]);
    assert_eq!(order("rating"), ["a", "c", "b"]);
    // A sentence says what ranks instead of points, and no other one does.
    let unequal = whole(&three()[..5]);
    for (by, says) in [
        ("points", "so points rank by their share."),
        ("seeds", "Bots rank by seeds won less seeds lost."),
        ("rating", "Bots rank by rating."),
    ] {
        let shown = run(&unequal, &format!("--rank-by {by}")).success().stdout;
        assert!(shown.contains(says), "{shown}");
        assert_eq!(shown.matches(" rank by ").count(), 1, "{shown}");
    }
    let found = standings(&whole(&three()), "--anchor b=1500");
    assert_eq!(of(&found, ["b"], "rating"), json!([1500.0]));
    let equal = lines(&[Played::new(1, ["x", "y"], [[18, 18], [18, 18]])]);
    assert_eq!(of(&standings(&equal, ""), ["x", "y"], "rank"), json!([1, 1]));
}

#[test]
fn several_files_give_one_table() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let file = folder.path().join(name);
        std::fs::write(&file, planned(text)).unwrap();
        path(file)
    };
    let all = three();
    let shard = |index: usize| {
        let part: Vec<Played> = all.iter().skip(index).step_by(2).cloned().collect();
        header_of_three([u32::try_from(index).unwrap() + 1, 2]) + &lines(&part)
    };
    let [one, two] = [0, 1].map(|index| file(&format!("part-{index}"), &shard(index)));
    let json = |files: &[&String]| {
        mancala(["standings", "--format", "json"]).args(files).run().success().stdout
    };
    let expected = standings(&whole(&all), "").to_string();
    let again = |text: String| serde_json::from_str::<Value>(&text).unwrap().to_string();
    assert_eq!(again(json(&[&one, &two])), expected);
    assert_eq!(again(json(&[&two, &one, &two])), expected);
    // A copy under another name: each match counts once.
    let copy = file("copy", &shard(0));
    assert_eq!(again(json(&[&one, &two, &copy])), expected);

    let outcome = mancala(["standings", &one]).run().success();
    outcome.says("3 matches of 6, 6 rounds: 3 missing").says("Part 2 of 2 is not among the files.");

    let other = [all[2].clone().with(|record| {
        record["rounds"][0]["result"]["score"] = json!([31, 5]);
        record["score"] = json!([32, 40]);
    })];
    let other = file("other", &(header_of_three([1, 1]) + &lines(&other)));
    let contradiction =
        format!("match 3 of tournament {ID} is not the same in {one}:3 and in {other}:2");
    mancala(["standings", &one, &two, &other]).run().failure(1, &contradiction);
}

/// Half of a tournament and half of another are no whole, and the remarks say so.
#[test]
fn parts_of_two_tournaments_are_told_apart() {
    let folder = TestFolder::new();
    let other = "e".repeat(ID.len());
    for (index, id) in [(0, ID), (1, &*other)] {
        let part: Vec<Played> = three().into_iter().skip(index).step_by(2).collect();
        let shard = [u32::try_from(index).unwrap() + 1, 2];
        let text = planned(&(header_of_three(shard) + &lines(&part))).replace(ID, id);
        fs::write(folder.file(&format!("s{}.jsonl", index + 1)), text).unwrap();
    }
    let run = mancala(["standings", "s1.jsonl", "s2.jsonl"]).in_folder(folder.path()).run();
    let outcome = run.success();
    // The lines are wrapped.
    let words: Vec<&str> = outcome.stdout.split_whitespace().collect();
    let said = words.join(" ");
    for remark in [
        &*format!("Part 2 of 2 of tournament {ID} (s1.jsonl) is not among the files."),
        &*format!("Part 1 of 2 of tournament {other} (s2.jsonl) is not among the files."),
        "These are parts of 2 tournaments, not of one: their options or bots differ.",
    ] {
        assert!(said.contains(remark), "{remark}\n{}", outcome.stdout);
    }
}

#[test]
fn matches_of_a_disqualified_bot_count_for_nobody() {
    let input =
        whole(&three()[..5]) + &note("disqualified", None, Some("c"), "3 faults \u{1b}[31m");
    let found = standings(&input, "");
    assert_eq!(found["matches"], 2);
    assert_eq!(found["not_played"], 4);
    assert_eq!(found["missing"], 0);
    assert_eq!(found["distinct_games"], 4);
    assert_eq!(of(&found, ABC, "points"), json!([1.5, 0.5, 1.0]));
    assert_eq!(of(&found, ABC, "rank"), json!([1, 2, null]));
    assert_eq!(of(&found, ABC, "matches"), json!([2, 2, 3]));
    assert_eq!(of(&found, ["c"], "rating"), json!([null]));
    assert_eq!(found["crosstable"][0][2], Value::Null);
    let outcome = run(&input, "").success().plain();
    outcome.says("Disqualified; these matches count for nobody").says("3 faults \\u{1b}[31m");
}

#[test]
fn a_bot_that_was_reinstated_counts_again() {
    let c = Some("c");
    let out = || note("disqualified", None, c, "its worker died");
    let back = || note("reinstated", None, c, "its worker died");
    let all = three();
    let (played, part) = (lines(&all), |index| header_of_three([index, 2]));
    let folder = tempfile::tempdir().unwrap();
    let files = |texts: &[String]| {
        let file = |(number, text): (usize, &String)| {
            let file = folder.path().join(number.to_string());
            std::fs::write(&file, planned(text)).unwrap();
            path(file)
        };
        let files: Vec<String> = texts.iter().enumerate().map(file).collect();
        let json = mancala(["standings", "--format", "json"]).args(&files).run().success().stdout;
        serde_json::from_str::<Value>(&json).unwrap()["matches"].clone()
    };
    let header = header_of_three([1, 1]);
    let before = format!("{header}{}", out());
    let whole = format!("{before}{}{played}", back());
    assert_eq!(files(std::slice::from_ref(&whole)), 6);
    // In whatever order a copy from before is read.
    assert_eq!(files(&[before.clone(), whole.clone()]), 6);
    assert_eq!(files(&[whole.clone(), before]), 6);
    let again = format!("{whole}{}", out());
    assert_eq!(files(std::slice::from_ref(&again)), 2);
    assert_eq!(files(&[again, whole]), 2);
    // Another part of the schedule has its own word.
    let [lifted, stays] =
        [format!("{}{}{}{played}", part(1), out(), back()), format!("{}{}", part(2), out())];
    assert_eq!(files(&[lifted.clone(), stays.clone()]), 2);
    assert_eq!(files(&[stays, lifted]), 2);
}

#[test]
fn the_reason_that_stays_is_shown_whatever_part_is_read_first() {
    let out = |number, why: &str| note("disqualified", Some(number), Some("c"), why);
    let back = note("reinstated", None, Some("c"), "a, lifted");
    let part = |index| header_of_three([index, 2]);
    let [stays, lifted] = [
        format!("{}{}{}", part(1), out(5, "b, stays"), out(6, "c, told later")),
        format!("{}{}{back}", part(2), out(2, "a, lifted")),
    ];
    let folder = TestFolder::new();
    fs::write(folder.file("stays"), planned(&stays)).unwrap();
    fs::write(folder.file("lifted"), planned(&lifted)).unwrap();
    for files in [["stays", "lifted"], ["lifted", "stays"]] {
        let run = mancala(["standings", "--format=json"]).args(files).in_folder(folder.path());
        let found = run.run().success().json();
        assert_eq!(of(&found, ["c"], "disqualified"), json!(["b, stays"]), "{files:?}");
    }
}

#[test]
fn unfinished_matches_and_byes_are_reported() {
    let input = whole(&three()[..4])
        + &note("unfinished", Some(5), None, "its worker died three times")
        + &note("unfinished", Some(1), None, "it was played later")
        + &note("unfinished", Some(6), None, "its worker died three times")
        + &note("bye", None, Some("b"), "");
    let found = standings(&input, "");
    assert_eq!(found["unfinished"], 2);
    assert_eq!(found["missing"], 0);
    assert_eq!(of(&found, ["b"], "points"), json!([1.5]));
    let outcome = run(&input, "").success();
    outcome
        .says("Matches 5, 6 are unfinished: its worker died three times")
        .says("b has 1 point for rounds without an opponent.");
}

#[test]
fn matches_after_the_decision_of_a_test_are_left_out() {
    let terms = json!({"sprt": "elo0=0,elo1=200"});
    let header = header_with(&["a", "b"], 100, [1, 1], &terms);
    let matches: Vec<Played> = (1..=60)
        .map(|number| {
            let scores = if number % 4 == 0 { [[20, 16], [10, 26]] } else { [[20, 16], [30, 6]] };
            Played::new(number, ["a", "b"], scores)
        })
        .collect();
    let found = standings(&(header.clone() + &lines(&matches)), "--times");
    let sprt = &found["sprt"];
    assert_eq!(sprt["verdict"], "accept");
    let counted = found["matches"].as_u64().unwrap();
    assert_eq!(counted + found["beyond"].as_u64().unwrap(), 60);
    assert!(counted < 60 && found["missing"] == 0, "{found}");
    let pairs: u64 = sprt["pairs"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).sum();
    assert_eq!(pairs, counted);
    assert_eq!(of(&found, ["a"], "matches"), json!([counted]));
    assert!(sprt["llr"].as_f64() >= sprt["upper"].as_f64());
    // The order of the lines changes nothing.
    let mut backward = matches.clone();
    backward.reverse();
    assert_eq!(standings(&(header + &lines(&backward)), "--times"), found);
}

#[test]
fn sprt_uses_all_matches_of_two_bots() {
    let matches: Vec<Played> = [[5, 1], [109, 2], [748, 3], [134, 4], [4, 5]]
        .into_iter()
        .flat_map(|[times, outcome]| std::iter::repeat_n(outcome, times))
        .map(|outcome| match outcome {
            1 => [[10, 26], [10, 26]],
            2 => [[10, 26], [18, 18]],
            3 => [[18, 18], [18, 18]],
            4 => [[26, 10], [18, 18]],
            _ => [[26, 10], [26, 10]],
        })
        .zip(1..)
        .map(|(scores, number)| Played::new(number, ["new", "old"], scores))
        .collect();
    // ijccrl.com: Elo 4.00 ± 5.68, nElo 10.71 ± 15.23, LOS 91.59 %, LLR 0.39.
    let found = standings(&lines(&matches), "--sprt elo0=0,elo1=2.5")["sprt"].clone();
    assert_eq!(found["pairs"], json!([5, 109, 748, 134, 4]));
    assert_eq!(found["verdict"], Value::Null);
    for (field, expected) in [
        ("llr", 0.39),
        ("elo", 4.00),
        ("elo_error", 5.68),
        ("nelo", 10.71),
        ("nelo_error", 15.23),
        ("los", 0.9159),
    ] {
        let error = if field == "los" { 5e-5 } else { 5e-3 };
        assert!(
            (found[field].as_f64().unwrap() - expected).abs() <= error + 1e-9,
            "{field}: {found}"
        );
    }
    let outcome = run(&lines(&matches), "--sprt elo0=0,elo1=2.5").success();
    outcome.says("undecided").says("The test is about new against old, and about points by rounds");
    run(&whole(&three()), "--sprt elo0=0,elo1=5")
        .failure(2, "about two bots; there are 3: a, b, c");
    let one = Played::new(1, ["a", "b"], [[20, 16], [0, 0]]).with(|record| {
        record["rounds"].as_array_mut().unwrap().pop();
        record["tournament"]["games"].as_array_mut().unwrap().pop();
    });
    let both = [one, Played::new(2, ["a", "b"], [[20, 16], [19, 17]])];
    let one = lines(&both[..1]);
    run(&one, "--sprt elo0=0,elo1=5").failure(1, "1 of these have one");
    // Beside matches of two rounds it counts as much, which a remark says.
    let words = "1 of 2 matches has one round: such a match counts as much as one of two";
    run(&lines(&both), "").success().says(words);
    assert!(!run(&one, "").success().stdout.contains("has one round"));
}

#[test]
fn no_margin_is_a_negative_zero() {
    let score = |number| if number == 1 { [[17, 18], [18, 18]] } else { [[18, 18], [18, 18]] };
    let matches: Vec<Played> =
        (1..=25).map(|number| Played::new(number, ["a", "b"], score(number))).collect();
    let table = run(&lines(&matches), "").success().stdout;
    assert!(table.contains("+0.0") && !table.contains("-0.0"), "{table}");
}

#[test]
fn times_and_substituted_faults_are_read_from_moves() {
    let substitute = json!({"kind": "timeout", "detail": "a ] and \" and \"moves\":["});
    let with_moves = Played::new(1, ["a", "b"], [[20, 16], [19, 17]]).with(|record| {
        record["rounds"][0]["moves"] = json!([
            {"bot": 0, "move": 1, "ms": 0.5, "info": {"line": [[3, "]\\\""], [0]], "moves": [1]}},
            {"bot": 1, "move": 1, "ms": 900.0, "substitute": substitute},
            {"bot": 0, "move": 1, "ms": 7.25},
        ]);
        record["rounds"][1]["moves"] = json!([{"bot": 0, "move": 2, "ms": 0.125}]);
    });
    let input = lines(&[with_moves]);
    let found = standings(&input, "");
    assert_eq!(of(&found, ["a", "b"], "faults"), json!([{}, {"timeout": 1}]));
    assert_eq!(of(&found, ["a"], "median_ms"), json!([null]));
    let found = standings(&input, "--times");
    assert_eq!(of(&found, ["a", "b"], "median_ms"), json!([0.5, null]));
    assert_eq!(of(&found, ["a", "b"], "longest_ms"), json!([7.25, null]));
    assert_eq!(of(&found, ["a", "b"], "mean_ms"), json!([2.625, null]));
    assert_eq!(of(&found, ["a", "b"], "p95_ms"), json!([7.25, null]));
    assert_eq!(of(&found, ["a", "b"], "limit_share"), json!([0.0073, null]));
    // As other programs write JSON.
    let spaced = input.replace("\":", "\" : ").replace(",\"", ", \"");
    assert_eq!(standings(&spaced, "--times"), found);
}

#[test]
fn no_answer_is_a_first_one_between_two_processes_that_were_kept() {
    let moves = json!([{"bot": 0, "move": 1, "ms": 900.0}, {"bot": 1, "move": 1, "ms": 900.0}]);
    let played = Played::new(1, ["a", "b"], [[20, 16], [19, 17]])
        .with(|record| record["rounds"][0]["moves"] = moves.clone());
    let shares = |played: &Played| {
        let found = standings(&lines(std::slice::from_ref(played)), "--times");
        of(&found, ["a", "b"], "limit_share")
    };
    // An older record does not say which answers are the first ones; 10 s are added to start.
    assert_eq!(shares(&played), json!([0.0818, 0.0818]));
    let kept = played.with(|record| record["bots"][0]["version"] = json!("00000000000000a1"));
    assert_eq!(shares(&kept), json!([0.9, 0.9]));
    let fresh = kept.with(|record| record["rounds"][0]["moves"][1]["fresh"] = json!(true));
    assert_eq!(shares(&fresh), json!([0.9, 0.0818]));
}

#[test]
fn records_are_verified_only_with_verify() {
    let outcome = mancala(["match", "builtin:easy", "builtin:random", "--format", "json"]).run();
    let record = outcome.success().stdout;
    standings(&record, "--verify");
    let mut changed: Value = serde_json::from_str(&record).unwrap();
    changed["rounds"][1]["moves"].as_array_mut().unwrap().pop();
    let changed = format!("{record}{changed}\n");
    let found = standings(&changed, "");
    assert_eq!(found["matches"], 2);
    assert_eq!(found["distinct_games"], Value::Null);
    assert_eq!(found["planned"], Value::Null);
    run(&changed, "--verify").failure(1, "-: line 2: the match is invalid: round 2: ");
    // Only who reads the moves finds this.
    let strange = record.replacen("\"move\":", "\"move\":9", 1);
    standings(&strange, "");
    let words = "mancala: -: line 1: not a mancala-match/1 record: ";
    let outcome = run(&strange, "--verify").code(1);
    assert!(outcome.stderr.starts_with(words), "{outcome:#?}");
}

#[test]
fn unreadable_files_are_errors_with_a_reason() {
    let good = whole(&three());
    // A match that was cut off does not count, and one that was not written at all neither.
    for torn in [&good[..good.len() - 200], &format!("{good}\0\0\0\0"), &format!("{good}{{\"for")] {
        let outcome = run(torn, "--format json").code(0);
        assert!(outcome.stderr.starts_with("mancala: warning: -: line "), "{outcome:?}");
        assert_eq!(outcome.stderr.lines().count(), 1);
    }
    run("{\"format\":\"mancala-bundle/1\"}\n", "")
        .failure(1, "-: line 1: not a mancala-match/1 record");
    run(&format!("{good}hello\n"), "").failure(1, "-: line 8: not a mancala-match/1 record");
    let plan = header_of_three([1, 1]).replacen("\"count\":", "\"count\":2.0,\"repeat\":", 1);
    run(&plan, "")
        .failure(1, "it is mancala-tournament/1 with a plan that cannot be read: invalid");
    run("3 3 3\n", "").failure(1, "it is not a JSON object");
    let toml = run("name = \"autumn\"\n", "").failure(1, "it is not a JSON object");
    assert!(!toml.stderr.contains("ident"), "{toml:?}");
    run("", "").failure(1, "there is no match in -");
    run("\n\n", "").failure(1, "there is no match in -");
    let wrong = |change: &dyn Fn(&mut Value), words: &str| {
        let played = Played::new(1, ["a", "b"], [[20, 16], [19, 17]]).with(change);
        run(&lines(&[played]), "").failure(1, words);
    };
    wrong(&|record| record["winner"] = json!(1), "the winner is not the one");
    wrong(&|record| record["score"] = json!([40, 32]), "not what its rounds add up to");
    wrong(&|record| record["rounds"] = json!([]), "it has 0 rounds");
    wrong(&|record| record["bots"][1]["name"] = json!("a"), "both bots have the same name");
    wrong(
        &|record| record["tournament"]["match"] = json!(0),
        "expected a whole number of at least 1",
    );
    let large = |record: &mut Value| record["tournament"]["match"] = json!(5_000_000_000_u64);
    wrong(&large, "-: line 1: ");
    wrong(&large, "its number is 5000000000, and the largest is 4,294,967,295");

    let folder = tempfile::tempdir().unwrap();
    mancala(["standings", &path(folder.path())]).run().failure(1, "it is a folder");
    let missing = path(folder.path().join("missing.jsonl"));
    mancala(["standings", &missing]).run().failure(1, "No such file");
}

#[test]
fn wrong_arguments_are_errors() {
    let good = whole(&three());
    mancala(["standings"]).run().failure(2, "<FILE>");
    run(&good, "--rank-by luck").failure(2, "expected points, seeds or rating");
    run(&good, "--anchor a").failure(2, "expected BOT=RATING");
    run(&good, "--anchor z=1")
        .failure(2, "no bot is named \"z\", as --anchor says; there are 3: c, b, a");
    run(&good, "--sprt elo0=0").failure(2, "elo1 is missing");
    run(&good, "--sprt elo0=5,elo1=0").failure(2, "elo0 must be below elo1");
}

#[test]
fn missing_numbers_are_shown_as_words() {
    // A tournament that has not begun, one match, a perfect score, groups that never met.
    let found = standings(&header(&ABC, 2, [1, 1]), "");
    assert_eq!(found["missing"], 6);
    assert_eq!(of(&found, ABC, "rating"), json!([null, null, null]));
    run(&header(&ABC, 2, [1, 1]), "").success().says("0 matches of 6: 6 missing");
    let groups = [
        Played::new(1, ["a", "b"], [[36, 0], [36, 0]]),
        Played::new(2, ["c", "d"], [[18, 18], [18, 18]]),
    ];
    for format in ["table", "markdown", "csv", "json"] {
        let outcome = run(&lines(&groups), &format!("--format {format}")).success();
        for wrong in ["NaN", "inf", "nan"] {
            assert!(!outcome.stdout.contains(wrong), "{outcome:?}");
        }
    }
    let outcome = run(&lines(&groups), "").success();
    let outcome = outcome.says("No match connects these groups").says("a, b; c, d.");
    outcome.says("a won every match, so").says("b lost every match, so");
    let found = standings(&lines(&groups), "");
    assert!(
        of(&found, ["a", "b", "c", "d"], "rating").as_array().unwrap().iter().all(Value::is_f64)
    );
    let same = Played::new(2, ["a", "b"], [[36, 0], [36, 0]]).with(|record| {
        record["tournament"]["games"] = groups[0].record["tournament"]["games"].clone();
    });
    let same =
        [groups[0].clone(), same.clone(), same.with(|r| r["tournament"]["match"] = json!(3))];
    run(&lines(&same), "").success().says("Only 2 of 6 games are different");
}

#[test]
fn tables_for_documents_and_for_programs() {
    let csv = run(&whole(&three()), "--format csv").success().stdout;
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    assert_eq!(reader.headers().unwrap().len(), 35);
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 3);
    assert_eq!(&rows[0][3], "a");
    let name = Played::new(1, ["a|b", "c\u{1b}[2J"], [[20, 16], [19, 17]]);
    let markdown = run(&lines(std::slice::from_ref(&name)), "--format markdown").success().plain();
    markdown.says("| a\\|b ").says("c\\\\u{1b}\\[2J");
    run(&lines(&[name]), "").success().plain().says("a|b");
}

#[test]
fn columns_of_csv_are_chosen_by_their_names() {
    let all = run(&whole(&three()), "--format csv").success().stdout;
    let mut reader = csv::Reader::from_reader(all.as_bytes());
    let names = reader.headers().unwrap().clone();
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    // Every name of the first line can be asked for, in any order.
    let backward: Vec<&str> = names.iter().rev().collect();
    let found = run(&whole(&three()), &format!("--format csv --columns {}", backward.join(",")));
    let found = found.success().stdout;
    let mut reader = csv::Reader::from_reader(found.as_bytes());
    assert_eq!(reader.headers().unwrap().iter().collect::<Vec<_>>(), backward);
    let found: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    let reversed = rows.iter().map(|row| row.iter().rev().collect::<csv::StringRecord>());
    assert_eq!(found, reversed.collect::<Vec<_>>());

    let input = whole(&three()) + &note("disqualified", None, Some("c"), "=1+1, \"no\"");
    let grades = "--format csv --columns name,points,rank,faults,disqualified";
    let expected = "name,points,rank,faults,disqualified\n\
                    a,1.5,1,0,\nb,0.5,2,0,\nc,1.5,,2,\"'=1+1, \"\"no\"\"\"\n";
    assert_eq!(run(&input, grades).success().stdout, expected);

    let words = "points is not there; columns are separated by commas: name,points,rank";
    run(&input, "--format csv --columns name points rank").failure(2, words);
    let unknown = "no column is named \"wins\"; there are rank, rank_low, ";
    let outcome = run(&input, "--format csv --columns name,wins").failure(2, unknown);
    assert!(names.iter().all(|name| outcome.stderr.contains(name)), "{outcome:?}");
    run(&input, "--format csv --columns name,,points").failure(2, "no column is named \"\"");
    for format in ["", "--format json", "--format markdown"] {
        run(&input, &format!("--columns name {format}")).failure(2, "--columns needs --format csv");
    }
}

#[test]
fn bots_with_different_numbers_of_matches_rank_by_their_share() {
    // The gauntlet's bot a has most points; b won all that it played.
    let matches = [
        Played::new(1, ["a", "b"], [[10, 26], [10, 26]]),
        Played::new(2, ["a", "c"], [[26, 10], [26, 10]]),
        Played::new(3, ["a", "d"], [[26, 10], [26, 10]]),
        Played::new(4, ["a", "e"], [[18, 18], [18, 18]]),
    ];
    let found = standings(&lines(&matches), "");
    let bots = ["b", "a", "e", "c", "d"];
    assert_eq!(of(&found, bots, "rank"), json!([1, 2, 3, 4, 4]));
    assert_eq!(of(&found, bots, "points"), json!([1.0, 2.5, 0.5, 0.0, 0.0]));
    let outcome = run(&lines(&matches), "").success();
    outcome
        .says("points rank by their share")
        .says("62.5 %")
        .says("c and d lost every match, so how far they are");
    // A bye counts as a match: here all have the same number.
    let three = header_with(&ABC, 1, [1, 1], &json!({"format": "swiss"}))
        + &lines(&[Played::new(1, ["a", "b"], [[26, 10], [26, 10]])])
        + &note("bye", None, Some("c"), "");
    let found = standings(&three, "");
    assert_eq!(of(&found, ABC, "rank"), json!([1, 3, 1]));
    assert!(!run(&three, "").success().stdout.contains("share"));
}

#[test]
fn the_share_of_the_limit_knows_banks_and_starts() {
    let of_limits = |limits: Value, moves: Value| {
        let played = Played::new(1, ["a", "b"], [[20, 16], [19, 17]]).with(|record| {
            record["limits"] = limits;
            record["rounds"][0]["moves"] = moves;
        });
        of(&standings(&lines(&[played]), "--times"), ["a"], "limit_share")[0].clone()
    };
    let at = |ms: &[f64]| ms.iter().map(|ms| json!({"bot": 0, "move": 1, "ms": ms})).collect();
    let plain = json!({"move_time_ms": 1000, "start_time_ms": 10_000});
    assert_eq!(of_limits(plain.clone(), at(&[250.0, 500.0])), 0.5);
    assert_eq!(of_limits(plain.clone(), at(&[5500.0, 500.0])), 0.5, "the first has time to start");
    let mut fresh: Value = at(&[10.0, 5500.0]);
    fresh[1]["fresh"] = json!(true);
    assert_eq!(of_limits(plain, fresh), 0.5, "the record says which is a process's first");
    let bank = json!({"game_time_ms": 1000, "start_time_ms": 0});
    assert_eq!(of_limits(bank, at(&[200.0, 400.0])), 0.5);
    assert_eq!(of_limits(json!({"start_time_ms": 0}), at(&[200.0])), Value::Null);
}

#[test]
fn impossible_names_and_times_are_refused() {
    let played = |change: fn(&mut Value)| {
        lines(&[Played::new(1, ["a", "b"], [[20, 16], [19, 17]]).with(change)])
    };
    let nameless = played(|record| record["bots"][1]["name"] = json!(""));
    run(&nameless, "").failure(1, "line 1: not a mancala-match/1 record: a bot's name is empty");
    let moves = |ms: f64| json!([{"bot": 0, "move": 3, "ms": ms}]);
    assert_eq!(run(&played(|_| ()), "--times").success().stderr, "");
    for (ms, why) in [(-5.0, "takes no negative time"), (1e308, "takes at most 366 days")] {
        let played = Played::new(1, ["a", "b"], [[20, 16], [19, 17]]);
        let timed = lines(&[played.with(|record| record["rounds"][0]["moves"] = moves(ms))]);
        run(&timed, "--times").failure(1, why);
        // Who counts matches reads no moves.
        run(&timed, "").success();
    }
}

#[test]
fn a_swiss_round_under_way_is_missing_matches_and_nobody_is_disqualified() {
    let bots = ["a", "b", "c", "d"];
    let swiss = json!({"format": "swiss"});
    let first = lines(&[Played::new(1, ["a", "b"], [[20, 16], [19, 17]])]);
    let found = standings(&(header_with(&bots, 2, [1, 1], &swiss) + &first), "");
    assert_eq!([&found["missing"], &found["not_played"]], [3, 0]);
    // Who is out leaves one pair fewer in each round that was paired since.
    let out = note("disqualified", Some(1), Some("b"), "its fault");
    let found = standings(&(header_with(&bots, 2, [1, 1], &swiss) + &first + &out), "");
    assert_eq!(found["missing"], 2);
}

/// A header that continues the tournament with these bots, under this identity.
fn update(bots: &[&str], id: &str, more: &Value) -> String {
    let text = header_with(bots, 1, [1, 1], more);
    let mut header: Value = serde_json::from_str(&text).unwrap();
    header["id"] = json!(id);
    header["continues"] = json!(ID);
    header["versions"] = bots.iter().map(|bot| ((*bot).to_owned(), json!(ID))).collect();
    format!("{header}\n")
}

#[test]
fn an_anchor_without_a_match_that_counts_is_said_to_be_one() {
    let text = whole(&three()) + &note("disqualified", Some(6), Some("c"), "its fault");
    let words = "c (--anchor) has no match that counts, so the mean of the ratings is 0.";
    run(&text, "--anchor c=1500").success().says(words);
    let found = standings(&text, "--anchor c=1500");
    assert_eq!(of(&found, ABC, "rating"), of(&standings(&text, ""), ABC, "rating"));
    assert!(!run(&text, "--anchor a=1500").success().stdout.contains("--anchor"));
}

#[test]
fn faults_count_up_to_the_first_match_that_is_still_to_be_played() {
    let limit = json!({"disqualify_after": 1});
    let out = |matches: &[Played]| {
        let found = standings(&(header_with(&ABC, 2, [1, 1], &limit) + &lines(matches)), "");
        let is_disqualified = ABC.map(|bot| !of(&found, [bot], "disqualified")[0].is_null());
        ABC.iter()
            .zip(is_disqualified)
            .filter(|(_, is_disqualified)| *is_disqualified)
            .map(|(bot, _)| *bot)
            .collect::<String>()
    };
    let played = |number, bots| Played::new(number, bots, [[20, 16], [19, 17]]);
    let by_a = || played(3, ["a", "b"]).fault(0, 0, "timeout");
    let by_c = || played(2, ["c", "a"]).fault(0, 0, "timeout");
    assert_eq!(out(&[by_c()]), "");
    assert_eq!(out(&[by_c(), by_a()]), "");
    assert_eq!(out(&[played(1, ["b", "c"]), by_c()]), "c");
    assert_eq!(out(&[played(1, ["b", "c"]), by_c(), by_a()]), "ac");
    // Who is out plays no more: the second and third match are not to be played, or count no more.
    let by_b = || played(1, ["b", "c"]).fault(0, 0, "timeout");
    assert_eq!(out(&[by_b(), by_a()]), "b");
    assert_eq!(out(&[by_b(), by_c(), by_a()]), "bc");
    let by_a_later = || played(5, ["c", "a"]).fault(1, 1, "timeout");
    assert_eq!(out(&[by_b(), by_a_later()]), "b", "match 2 of a and c is still to be played");
    assert_eq!(out(&[by_b(), played(2, ["c", "a"]), by_a_later()]), "ab");
}

#[test]
fn what_follows_from_faults_is_forgotten_when_more_is_read() {
    // A fault against z puts y out; later z is gone, and that match with it.
    let limit = json!({"disqualify_after": 1});
    let y_z = Played::new(1, ["y", "z"], [[0, 36], [18, 18]]).fault(0, 0, "timeout");
    let id = "00000000000000bb";
    let y_w = lines(&[Played::new(1, ["y", "w"], [[20, 16], [19, 17]])]).replace(ID, id);
    let text = header_with(&["w", "z", "y"], 1, [1, 1], &limit)
        + &lines(&[y_z])
        + &update(&["y", "w"], id, &limit)
        + &y_w;
    for arguments in ["", "--trend"] {
        let found = standings(&text, arguments);
        assert_eq!(of(&found, ["y"], "disqualified"), json!([null]), "{arguments}");
        assert_eq!(of(&found, ["y"], "matches"), json!([1]), "{arguments}");
    }
    let trend = standings(&text, "--trend")["trend"].clone();
    assert_eq!(trend.as_array().unwrap().len(), 2);
    let rows = trend[0]["rows"].as_array().unwrap();
    let y = rows.iter().find(|row| row["name"] == "y").unwrap();
    assert_eq!(y["disqualified"], "1 or more faults");
}

#[test]
fn copies_of_a_file_do_not_multiply_the_matches_that_were_replaced() {
    let before = whole(&three());
    let text = before.clone() + &update(&["a", "b"], "00000000000000bb", &json!({}));
    let words = "4 matches do not count: a bot in them was changed or withdrawn, or";
    run(&text, "").success().says(words);
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [("before", &before), ("now", &text), ("copy", &text)] {
        std::fs::write(folder.path().join(name), planned(text)).unwrap();
    }
    for files in [["now", "copy", "before"], ["before", "now", "copy"]] {
        let all = mancala(["standings"]).args(files).in_folder(folder.path()).run();
        all.success().says(words);
    }
}

#[test]
fn a_test_is_about_the_bots_that_are_still_there() {
    let id = "00000000000000bb";
    let text = whole(&three()) + &update(&["a", "b"], id, &json!({}));
    let found = standings(&text, "--sprt elo0=0,elo1=10");
    assert_eq!(found["sprt"]["verdict"], Value::Null);
    assert_eq!(found["rows"].as_array().unwrap().len(), 2);
}

#[test]
fn times_against_a_disqualified_bot_are_in_no_other_row() {
    let moves = |ms: f64| {
        move |record: &mut Value| {
            let moves = |bot| json!([{"bot": bot, "move": 3, "ms": ms}, {"bot": 1 - bot, "move": 3, "ms": ms}]);
            for round in 0..2 {
                record["rounds"][round]["moves"] = moves(round);
            }
        }
    };
    let text = header(&ABC, 1, [1, 1])
        + &lines(&[
            Played::new(1, ["a", "b"], [[20, 16], [19, 17]]).with(moves(1.0)),
            Played::new(2, ["c", "a"], [[20, 16], [19, 17]]).with(moves(900.0)),
        ])
        + &note("disqualified", Some(2), Some("c"), "its fault");
    let found = standings(&text, "--times");
    assert_eq!(of(&found, ABC, "longest_ms"), json!([1.0, 1.0, 900.0]));
}

#[test]
fn a_sentence_says_which_of_two_bots_is_stronger() {
    let text = |won: usize, lost: usize| {
        let results = std::iter::repeat_n([[30, 6], [30, 6]], won)
            .chain(std::iter::repeat_n([[6, 30], [6, 30]], lost));
        let played = |(number, seeds)| Played::new(number, ["v2", "v1"], seeds);
        let matches: Vec<Played> = (1..).zip(results).map(played).collect();
        header(&["v2", "v1"], 30, [1, 1]) + &lines(&matches)
    };
    let last = |text: &str, arguments: &str| {
        let outcome = run(text, arguments).success();
        outcome.stdout.lines().last().unwrap_or_default().to_owned()
    };
    let clear = text(25, 5);
    let rows = standings(&clear, "");
    let [v2, v1] = [0, 1].map(|row| rows["rows"][row]["rating"].as_f64().unwrap());
    let sentence = last(&clear, "--anchor v1=1000");
    let expected = format!("v2 is stronger than v1: {:+.0} ± ", v2 - v1);
    assert!(sentence.starts_with(&expected), "{sentence}");
    assert!(sentence.ends_with(" Elo by 30 matches."), "{sentence}");
    assert_eq!(last(&clear, ""), sentence);
    let opposite = sentence.replace("v2 is stronger than v1", "v1 is stronger than v2");
    assert_eq!(last(&text(5, 25), ""), opposite);
    let open = last(&text(3, 2), "");
    let words = "There are too few matches to tell whether v2 is stronger than v1: +";
    assert!(open.starts_with(words) && open.ends_with(" Elo by 5 matches."), "{open}");
    assert!(last(&text(10, 0), "").starts_with("v1 lost every match, so"));
    let tested = last(&clear, "--sprt elo0=0,elo1=10");
    assert!(!tested.contains("stronger than v1: "), "{tested}");
}
