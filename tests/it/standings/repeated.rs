//! Copies of files, and several tournaments by one plan.

use serde_json::{Value, json};

use super::files::{ID, Played, header, header_with, lines, note};
use super::of;
use super::planned::planned;
use crate::program::{Outcome, mancala};

/// Files in a folder of their own.
struct Files(tempfile::TempDir);

impl Files {
    fn new(files: &[(&str, String)]) -> Files {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        Files(folder)
    }

    fn standings(&self, names: &[&str], options: &[&str]) -> Outcome {
        mancala(["standings"]).args(names).args(options).in_folder(self.0.path()).run()
    }
}

/// A header and matches between a, of this version, and b.
fn played(header: &str, version: &str, matches: &[Played]) -> String {
    let version = format!("00000000000000{version}");
    let mut first: Value = serde_json::from_str(header).unwrap();
    first["versions"] = json!({"a": version, "b": "00000000000000b1"});
    let matches: Vec<Played> = matches
        .iter()
        .map(|played| {
            played.clone().with(|record| {
                record["bots"][0]["version"] = json!(version);
                record["bots"][1]["version"] = json!("00000000000000b1");
            })
        })
        .collect();
    planned(&format!("{first}\n{}", lines(&matches)))
}

fn timed(number: u64, scores: [[u8; 2]; 2], ms: f64) -> Played {
    Played::new(number, ["a", "b"], scores).with(|record| {
        record["rounds"][0]["moves"] = json!([{"bot": 0, "move": 1, "ms": ms}]);
    })
}

const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

#[test]
fn tournaments_by_one_plan_of_different_versions_are_several() {
    let header = header(&["a", "b"], 1, [1, 1]);
    let week = |version, scores, ms| played(&header, version, &[timed(1, scores, ms)]);
    let [first, second] =
        [week("a1", [[20, 16], [19, 17]], 2.0), week("a2", [[10, 26], [19, 17]], 9.0)];
    let contradicting = week("a2", [[11, 25], [19, 17]], 9.0);
    let without_header = |text: &String| text.split_once('\n').unwrap().1.to_owned();
    let files = Files::new(&[
        ("w1", first.clone()),
        ("w2", second.clone()),
        ("w3", second.clone()),
        ("w4", contradicting),
        ("m1", without_header(&first)),
        ("m2", without_header(&second)),
        ("m3", without_header(&second)),
    ]);
    let merge = ["--merge=versions", "--times", "--format=json"];
    for names in [["w1", "w2", "w3"], ["w1", "w2", "m3"]] {
        for order in ORDERS {
            let names = order.map(|place| names[place]);
            let found = files.standings(&names, &merge).success().json();
            let counts = ["matches", "planned", "missing"].map(|key| found[key].clone());
            assert_eq!(counts, [2, 2, 0].map(Value::from), "{names:?}");
            assert_eq!(of(&found, ["a"], "points"), json!([1.0]), "{names:?}");
            assert_eq!(of(&found, ["a"], "median_ms"), json!([5.5]), "{names:?}");
            assert_eq!(found["tournaments"], json!([ID, ID]), "{names:?}");
        }
    }
    for order in ORDERS {
        let names = order.map(|place| ["m1", "m2", "m3"][place]);
        let found = files.standings(&names, &merge).success().json();
        assert_eq!((&found["matches"], of(&found, ["a"], "points")), (&2.into(), json!([1.0])));
        // The same version of the bots has played the same match with another result.
        let names = order.map(|place| ["w1", "w2", "w4"][place]);
        let refused = files.standings(&names, &merge);
        refused.failure(1, &format!("match 1 of tournament {ID} is not the same in "));
    }
}

#[test]
fn several_tests_are_none_and_each_ends_its_own_tournament() {
    let test = header_with(&["a", "b"], 100, [1, 1], &json!({"sprt": "elo0=0,elo1=200"}));
    let matches = |seeds: u8, least| {
        let played = (1..=60).map(|number| {
            let seeds = if number % 4 == 0 { least } else { seeds };
            Played::new(number, ["a", "b"], [[seeds, 36 - seeds], [30, 6]])
        });
        played.collect::<Vec<_>>()
    };
    let files = Files::new(&[
        ("one", played(&test, "a1", &matches(20, 10))),
        ("other", played(&test, "a2", &matches(12, 2))),
    ]);
    let merged = |names: &[&str]| {
        let json = ["--merge=versions", "--format=json"];
        files.standings(names, &json).success().json()
    };
    let found = merged(&["one", "other"]);
    assert_eq!(merged(&["other", "one"]), found);
    assert_eq!(found["sprt"], Value::Null);
    let alone = ["one", "other"].map(|name| merged(&[name])["matches"].as_u64().unwrap());
    assert_eq!(found["matches"], alone[0] + alone[1], "{alone:?}");
    assert!(alone[0] < 60, "the first test has decided");
    let words = "2 tournaments have a test each, so there is no test here; --sprt TEST tests their \
                 matches together.";
    files.standings(&["one", "other"], &["--merge=versions"]).success().plain().says(words);
    let tested = files.standings(&["one", "other"], &["--merge=versions", "--sprt=elo0=0,elo1=9"]);
    assert!(!tested.success().plain().stdout.contains("a test each"));
}

#[test]
fn matches_of_no_tournament_count_again_in_a_copy_and_a_remark_says_so() {
    let loose = |number| {
        Played::new(number, ["a", "b"], [[20, 16], [19, 17]]).with(|record| {
            record.as_object_mut().unwrap().remove("tournament");
            record["started"] = json!(format!("2026-11-26T11:46:4{number}.122Z"));
        })
    };
    let text = lines(&[loose(1), loose(2)]);
    let files = Files::new(&[
        ("m1", text.clone()),
        ("copy", text),
        ("other", lines(&[loose(3), loose(1)])),
    ]);
    let one = "1 match of no tournament repeats another match (exact values aside); each of them \
               counts.";
    let two = "2 matches of no tournament repeat another match (exact values aside); each of them \
               counts.";
    for (names, matches, words) in [
        (&["m1"][..], 2, None),
        (&["m1", "m1"], 2, None),
        (&["m1", "copy"], 4, Some(two)),
        (&["m1", "other"], 4, Some(one)),
    ] {
        let table = files.standings(names, &[]).success().plain();
        let json = files.standings(names, &["--format=json"]).code(0);
        assert_eq!(json.json()["matches"], matches, "{names:?}");
        for found in [&table.stdout, &json.stderr] {
            let found = found.split_whitespace().collect::<Vec<_>>().join(" ");
            assert_eq!(found.contains("another match"), words.is_some(), "{names:?}: {found}");
            assert!(found.contains(words.unwrap_or_default()), "{names:?}: {found}");
        }
    }
}

#[test]
fn an_earlier_part_of_a_file_that_is_read_again_changes_nothing() {
    // Only contents of files have changed, so the identity stays.
    let part = |version: &str, count, more: Value| {
        let line = header(&["a", "b", "c"], count, [1, 1]);
        let mut line: Value = serde_json::from_str(&line).unwrap();
        let b = "00000000000000b1";
        line["versions"] = json!({"a": format!("00000000000000{version}"), "b": b, "c": b});
        line.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        format!("{line}\n")
    };
    let late = || note("unfinished", Some(1), None, "the machine was late");
    let first = part("a1", 4, json!({"retired": ["c"]})) + &late();
    let updated = first.clone() + &part("a2", 2, json!({"continues": ID}));
    let extended = updated.clone() + &part("a2", 3, json!({}));
    let back = extended.clone() + &part("a1", 3, json!({"continues": ID})) + &late();
    let keys = ["planned", "missing", "unfinished", "not_played"];
    for (whole, before, expected) in [
        (&updated, &first, [6, 6, 0, 0]),
        (&extended, &updated, [9, 9, 0, 0]),
        (&extended, &first, [9, 9, 0, 0]),
        (&back, &extended, [9, 8, 1, 0]),
        (&back, &first, [9, 8, 1, 0]),
    ] {
        let files = [("t", whole), ("copy", whole), ("t.before", before)];
        let files = Files::new(&files.map(|(name, text)| (name, text.clone())));
        for names in [
            &["t"][..],
            &["t.before", "t"],
            &["t", "t.before"],
            &["t", "copy"],
            &["t", "t.before", "copy"],
            &["t", "copy", "t.before"],
        ] {
            let found = files.standings(names, &["--format=json"]).success().json();
            let counts = keys.map(|key| found[key].clone());
            assert_eq!(counts, expected.map(Value::from), "{names:?} {whole}");
            let table = files.standings(names, &[]).success().stdout;
            assert_eq!(table.contains("Match 1 is unfinished"), expected[2] > 0, "{table}");
        }
    }
}
