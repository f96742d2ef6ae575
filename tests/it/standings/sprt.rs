//! The sequential test: the same whatever the order of files, and no verdict on forfeits.

use mancala_referee::standings::{CollectedResults, ReadOptions, StandingsOptions};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::files::{ID, Played, header_with, lines, note};
use super::planned::planned;
use super::{run, standings};

/// Match `number` of a test, won by `z` but for every fourth; each bot begins every other one.
fn tested(number: u64) -> Played {
    let scores = if number.is_multiple_of(4) { [[20, 16], [10, 26]] } else { [[30, 6], [20, 16]] };
    if number.is_multiple_of(2) {
        return Played::new(number, ["z", "y"], scores);
    }
    Played::new(number, ["y", "z"], scores.map(|[z, y]| [y, z]))
}

fn header_of_test(elo1: u32) -> String {
    let terms = json!({"repeat": 100, "sprt": format!("elo0=0,elo1={elo1}")});
    header_with(&["z", "y"], 1, [1, 1], &terms)
}

/// The test of files in this order, and the remarks.
fn of_files(files: &[String], sprt: Option<&str>) -> (Value, Vec<String>) {
    let mut results = CollectedResults::new(ReadOptions::default());
    for (index, file) in files.iter().enumerate() {
        results.read(&index.to_string(), file.as_bytes()).unwrap();
    }
    let sprt = sprt.map(|terms| terms.parse().unwrap());
    let options = StandingsOptions { sprt, ..StandingsOptions::default() };
    let (standings, remarks) = results.standings(&options).unwrap();
    (serde_json::to_value(&standings.sprt).unwrap(), remarks)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]
    #[test]
    fn a_test_is_the_same_in_any_order_and_split_of_files(
        matches in 1_u64..60,
        elo1 in prop_oneof![Just(20_u32), Just(200)],
        homes in proptest::collection::vec(0_usize..3, 60),
        has_header in [any::<bool>(), any::<bool>()],
        order in Just([0_usize, 1, 2, 3]).prop_shuffle(),
        is_reversed in any::<bool>(),
    ) {
        let all: Vec<Played> = (1..=matches).map(tested).collect();
        let (expected, _) = of_files(&[header_of_test(elo1) + &lines(&all)], None);
        let mut files: Vec<String> = (0..3).map(|home| {
            let mut part: Vec<Played> =
                all.iter().zip(&homes).filter(|(_, at)| **at == home).map(|(m, _)| m.clone()).collect();
            if is_reversed {
                part.reverse();
            }
            let is_headed = home == 2 || has_header[home];
            let header = if is_headed { header_of_test(elo1) } else { String::new() };
            let lines = if part.is_empty() { String::new() } else { lines(&part) };
            // A header may come after matches, too.
            if is_reversed { lines + &header } else { header + &lines }
        }).collect();
        // Bots of another tournament, which come first in the order of names.
        let other = Played::new(1, ["a", "b"], [[20, 16], [19, 17]])
            .with(|record| record["tournament"]["id"] = json!("00000000000000bb"));
        files.push(lines(&[other]));
        let files: Vec<String> = order.iter().map(|index| files[*index].clone()).collect();
        let (found, remarks) = of_files(&files, None);
        prop_assert_eq!(&found, &expected, "{}", ID);
        prop_assert!(remarks[0].starts_with("The test is about z against y"), "{:?}", remarks);
    }

    #[test]
    fn a_test_that_is_asked_for_takes_its_first_bot_from_the_plan_or_by_name(
        matches in 1_u64..40,
        is_reversed in any::<bool>(),
        is_planned in any::<bool>(),
        is_header_last in any::<bool>(),
    ) {
        let mut all: Vec<Played> = (1..=matches).map(tested).collect();
        if is_reversed {
            all.reverse();
        }
        let header = header_with(&["z", "y"], 1, [1, 1], &json!({"repeat": 100}));
        let mut files = vec![lines(&all)];
        if is_planned {
            files.insert(usize::from(is_header_last), header);
        }
        let (found, remarks) = of_files(&files, Some("elo0=0,elo1=5"));
        let (lost, won) = (matches / 4, matches - matches / 4);
        // The bot that wins three of four matches is z.
        let expected = if is_planned { [0, 0, lost, 0, won] } else { [won, 0, lost, 0, 0] };
        prop_assert_eq!(&found["pairs"], &json!(expected));
        let about = if is_planned { "z against y" } else { "y against z" };
        prop_assert!(remarks[0].contains(about), "{:?}", remarks);
    }
}

#[test]
fn a_verdict_that_rests_on_forfeits_is_withheld() {
    let of = |forfeits: u64| {
        let matches = (1..=60).map(|number| match number <= forfeits {
            true if number % 2 == 0 => tested(number).fault(0, 1, "exited"),
            true => tested(number).fault(0, 0, "exited"),
            false => tested(number),
        });
        header_of_test(200) + &lines(&matches.collect::<Vec<_>>())
    };
    let clean = standings(&of(0), "");
    assert_eq!(
        (&clean["sprt"]["verdict"], &clean["sprt"]["withheld"]),
        (&json!("accept"), &Value::Null)
    );
    let found = standings(&of(60), "");
    assert_eq!(found["sprt"]["verdict"], Value::Null);
    let (counted, why) = (found["matches"].as_u64().unwrap(), &found["sprt"]["withheld"]);
    let rounds = 2 * counted;
    assert!(
        counted < 60 && found["beyond"] == 60 - counted,
        "the test stops all the same: {found}"
    );
    let words = format!(
        "{counted} of {rounds} rounds ended by forfeit or had substituted moves, more than"
    );
    assert!(why.as_str().unwrap().starts_with(&words), "{why}");
    run(&of(60), "").success().says("no verdict: ").says("rounds ended by forfeit");
    // Forfeits after the decision change nothing, and one in a hundred rounds is none too many.
    let mut late: Vec<Played> = (1..=60).map(tested).collect();
    late[59] = tested(60).fault(0, 1, "exited");
    assert_eq!(standings(&(header_of_test(200) + &lines(&late)), "")["sprt"], clean["sprt"]);
    let mut many: Vec<Played> = (1..=100).map(tested).collect();
    for number in [1, 3] {
        many[number] = tested(number as u64 + 1).fault(0, 1, "exited");
    }
    let found = standings(&lines(&many), "--sprt elo0=0,elo1=200");
    assert_eq!(found["sprt"]["withheld"], Value::Null, "2 of 200: {found}");
    many[5] = tested(6).fault(0, 1, "exited");
    let found = standings(&lines(&many), "--sprt elo0=0,elo1=200");
    assert_eq!(found["sprt"]["verdict"], Value::Null, "3 of 200: {found}");
}

#[test]
fn a_verdict_that_rests_on_substituted_moves_is_withheld() {
    let substitute = json!({"kind": "timeout", "detail": "x"});
    let moves = json!([{"bot": 0, "move": 1, "ms": 1.0, "substitute": substitute},
        {"bot": 1, "move": 1, "ms": 1.0, "substitute": substitute}]);
    // All moves of some matches' second rounds.
    let of = |spoilt: u64| {
        let of_number = |number| {
            let is_spoilt = number <= spoilt;
            tested(number).with(|record| {
                if is_spoilt {
                    record["rounds"][1]["moves"] = moves.clone();
                }
            })
        };
        (1..=100).map(of_number).collect::<Vec<_>>()
    };
    let planned = standings(&(header_of_test(200) + &lines(&of(100))), "");
    let rounds = 2 * planned["matches"].as_u64().unwrap();
    let words =
        format!("{} of {rounds} rounds ended by forfeit or had substituted moves", rounds / 2);
    let withheld = planned["sprt"]["withheld"].as_str().unwrap();
    assert!(withheld.starts_with(&words), "{planned}");
    let asked_for = |spoilt| standings(&lines(&of(spoilt)), "--sprt elo0=0,elo1=200");
    assert_eq!(asked_for(2)["sprt"]["withheld"], Value::Null);
    assert_eq!(asked_for(3)["sprt"]["verdict"], Value::Null);
}

#[test]
fn matches_that_a_test_leaves_out_are_counted() {
    let all: Vec<Played> = (1..=4).map(tested).collect();
    let plan = header_of_test(20) + &lines(&all);
    let loose = |names| {
        let played = Played::new(5, names, [[30, 6], [20, 16]]);
        lines(&[played.with(|record| drop(record.as_object_mut().unwrap().remove("tournament")))])
    };
    let about = |files: &[String]| of_files(files, None).1[0].clone();
    let words = " It has the 4 matches of its tournament; --sprt tests all 5.";
    for files in [[plan.clone(), loose(["z", "y"])], [loose(["y", "z"]), plan.clone()]] {
        assert!(about(&files).ends_with(words), "{}", about(&files));
        assert_eq!(
            of_files(&files, Some("elo0=0,elo1=20")).0["pairs"]
                .as_array()
                .unwrap()
                .iter()
                .map(|count| count.as_u64().unwrap())
                .sum::<u64>(),
            5
        );
    }
    // A test is of two bots, so it cannot take these.
    for files in [vec![plan.clone()], vec![plan, loose(["a", "b"])]] {
        assert!(!about(&files).contains("--sprt"), "{}", about(&files));
    }
}

/// Two parts of a tournament in which c is out by a note of each: after match 1, and after match 4.
/// b has a fault in match 3 and one in match 4, which counts only where c still plays.
fn parts_with_notes() -> [String; 2] {
    let limit = json!({"disqualify_after": 2});
    let played = |number, bots| Played::new(number, bots, [[20, 16], [19, 17]]);
    let odd = [played(1, ["b", "c"]), played(3, ["a", "b"]).fault(0, 1, "timeout")];
    let even = [played(2, ["c", "a"]), played(4, ["c", "b"]).fault(0, 1, "timeout")];
    let part = |index, matches: &[Played], after| {
        let text = header_with(&["a", "b", "c"], 2, [index, 2], &limit)
            + &lines(matches)
            + &note("disqualified", Some(after), Some("c"), "its worker died");
        planned(&text)
    };
    [part(1, &odd, 1), part(2, &even, 4)]
}

fn disqualified(results: &mut CollectedResults) -> Vec<(String, String)> {
    let (standings, _) = results.standings(&StandingsOptions::default()).unwrap();
    let out = standings.rows.into_iter().filter_map(|row| Some((row.name, row.disqualified?)));
    let mut out: Vec<_> = out.collect();
    out.sort();
    out
}

#[test]
fn who_is_out_does_not_depend_on_the_order_of_the_parts() {
    let [one, two] = parts_with_notes();
    for files in [[&one, &two], [&two, &one]] {
        let mut results = CollectedResults::new(ReadOptions::default());
        for (index, file) in files.into_iter().enumerate() {
            results.read(&index.to_string(), file.as_bytes()).unwrap();
        }
        let c = ("c".to_owned(), "its worker died".to_owned());
        assert_eq!(disqualified(&mut results), [c]);
    }
}

#[test]
fn bots_with_other_names_are_out_as_before() {
    let shown = ["a", "b", "c"].map(|name| (name.to_owned(), format!("bot {name}")));
    let again = |files: &[String]| {
        let mut results = CollectedResults::new(ReadOptions::default());
        for (index, file) in files.iter().enumerate() {
            results.read(&index.to_string(), file.as_bytes()).unwrap();
        }
        let before = disqualified(&mut results);
        results.rename(&shown.clone().into_iter().collect());
        let names = |out: &[(String, String)]| {
            out.iter().map(|(name, _)| name.replace("bot ", "")).collect::<Vec<_>>()
        };
        let after = disqualified(&mut results);
        assert_eq!(names(&after), names(&before));
        names(&after)
    };
    assert_eq!(again(&parts_with_notes()), ["c"]);
    // By faults alone, too.
    let limit = json!({"disqualify_after": 1});
    let faulty = Played::new(1, ["b", "c"], [[20, 16], [19, 17]]).fault(0, 0, "timeout");
    assert_eq!(
        again(&[planned(&(header_with(&["a", "b", "c"], 1, [1, 1], &limit) + &lines(&[faulty])))]),
        ["b"]
    );
}
