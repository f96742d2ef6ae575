//! What a disqualification takes away: after an update, and in a Swiss tournament.

use std::fs;

use serde_json::{Value, json};

use super::files::{ID, Played, header_with, lines, note};
use super::planned::games_of;
use super::{header_of_three, run, standings, three};
use crate::program::mancala;
use crate::test_folder::TestFolder;

/// The first line of a tournament, or of a part of it after an update.
fn part(id: &str, continues: Option<&str>, bots: &[&str]) -> String {
    let line = header_with(bots, 1, [1, 1], &json!({"disqualify_after": 2}));
    let mut header: Value = serde_json::from_str(&line).unwrap();
    header["id"] = id.into();
    let versions = bots.iter().zip(1..).map(|(name, _)| {
        let version = format!("{:016x}", u64::from(name.as_bytes()[0]));
        ((*name).to_owned(), Value::from(version))
    });
    header["versions"] = Value::Object(versions.collect());
    if let Some(before) = continues {
        header["continues"] = before.into();
    }
    format!("{header}\n")
}

/// The rows of bots that are not disqualified, and the names of the others.
fn rows(input: &str) -> (Vec<Value>, Vec<Value>) {
    let rows = standings(input, "")["rows"].as_array().unwrap().clone();
    let (rows, out): (Vec<Value>, Vec<Value>) =
        rows.into_iter().partition(|row| row["disqualified"].is_null());
    (rows, out.into_iter().map(|row| row["name"].clone()).collect())
}

#[test]
fn faults_against_a_bot_that_stays_out_after_an_update_do_not_count() {
    const NEXT: &str = "00000000000000bb";
    let draw = [[18, 18], [18, 18]];
    let of_next = |matches: &[Played]| lines(matches).replace(ID, NEXT);
    // B is at fault once against X and once against N; X twice against A.
    let before = part(ID, None, &["A", "B", "X"])
        + &lines(&[
            Played::new(1, ["X", "B"], [[36, 0], [20, 16]]).fault(0, 1, "illegal_move"),
            Played::new(2, ["A", "X"], [[36, 0], [36, 0]])
                .fault(0, 1, "timeout")
                .fault(1, 1, "timeout"),
        ])
        + &note("disqualified", Some(2), Some("X"), "2 or more faults")
        + &lines(&[Played::new(3, ["A", "B"], draw)]);
    let new = [
        Played::new(2, ["N", "B"], [[36, 0], [20, 16]]).fault(0, 1, "illegal_move"),
        Played::new(4, ["A", "N"], draw),
    ];
    let all = ["A", "B", "N", "X"];
    let updated = before + &part(NEXT, Some(ID), &all) + &of_next(&new);
    let [against_b, against_a] = new;
    let afresh = part(NEXT, None, &all)
        + &of_next(&[Played::new(1, ["A", "X"], [[36, 0], [36, 0]])
            .fault(0, 1, "timeout")
            .fault(1, 1, "timeout")])
        + &note("disqualified", Some(1), Some("X"), "2 or more faults").replace(ID, NEXT)
        + &of_next(&[against_b, against_a, Played::new(6, ["A", "B"], draw)]);
    let found = rows(&updated);
    assert_eq!(found.1, ["X"]);
    assert_eq!(found.0.len(), 3);
    assert_eq!(found.0, rows(&afresh).0);
    // The cause in a note decides, whatever its words are.
    let words = "\"detail\":\"2 or more faults\"";
    let reworded =
        updated.replacen(words, "\"cause\":\"faults\",\"detail\":\"too often wrong\"", 1);
    assert_eq!(rows(&reworded), found);
    // A later note says it anew.
    let again = note("reinstated", None, Some("X"), "2 or more faults").replace(ID, NEXT);
    let out = note("disqualified", Some(6), Some("X"), "2 or more faults").replace(ID, NEXT);
    assert_eq!(rows(&(updated + &again + &out)).1, ["X", "B"]);
}

#[test]
fn in_all_parts_together_a_bot_is_out_earlier_than_a_part_has_noted() {
    let part = |shard| header_with(&["A", "B", "X"], 2, shard, &json!({"disqualify_after": 2}));
    let won = [[36, 0], [20, 16]];
    // X is at fault in the matches 1, 2 and 5; B in 3, and in 4, against X.
    let first = part([1, 2])
        + &lines(&[
            Played::new(1, ["X", "B"], [[0, 36], [16, 20]]).fault(0, 0, "illegal_move"),
            Played::new(3, ["A", "B"], won).fault(0, 1, "illegal_move"),
            Played::new(5, ["A", "X"], won).fault(0, 1, "illegal_move"),
        ])
        + &note("disqualified", Some(5), Some("X"), "2 or more faults");
    let second = part([2, 2])
        + &lines(&[
            Played::new(2, ["A", "X"], won).fault(0, 1, "illegal_move"),
            Played::new(4, ["X", "B"], won).fault(0, 1, "illegal_move"),
            Played::new(6, ["A", "B"], [[20, 16], [20, 16]]),
        ]);
    let (rows, out) = rows(&(first + &second));
    assert_eq!((rows.len(), out), (2, vec![Value::from("X")]));
}

#[test]
fn a_round_of_bots_that_have_all_met_has_no_matches() {
    let swiss = json!({"format": "swiss", "disqualify_after": 1});
    let bye = |bot, round: u64| {
        let bye = note("bye", None, Some(bot), "sits out");
        bye.replace('}', &format!(r#","round":{round}}}"#))
    };
    let begun = header_with(&["A", "X", "B", "Y"], 3, [1, 1], &swiss)
        + &lines(&[
            Played::new(1, ["A", "B"], [[20, 16], [20, 16]]),
            Played::new(2, ["Y", "X"], [[0, 36], [36, 0]]).fault(0, 0, "illegal_move").fault(
                1,
                1,
                "illegal_move",
            ),
        ])
        + &note("disqualified", Some(2), Some("Y"), "1 or more faults")
        + &note("disqualified", Some(2), Some("X"), "1 or more faults");
    let second = begun + &bye("A", 2) + &bye("B", 2);
    let counts = |input: &str| {
        let found = standings(input, "");
        ["matches", "planned", "missing", "not_played"].map(|key| found[key].clone())
    };
    assert_eq!(counts(&second), [1, 6, 0, 5].map(Value::from));
    assert_eq!(counts(&(second + &bye("A", 3) + &bye("B", 3))), [1, 6, 0, 5].map(Value::from));
}

#[test]
fn a_bye_in_a_round_that_was_paired_anew_counts_nothing() {
    // As in older files, which say the round only in words.
    let bye = |bot, round| note("bye", None, Some(bot), &format!("no opponent in round {round}"));
    let file = header_with(&["A", "B", "C"], 2, [1, 1], &json!({"format": "swiss"}))
        + &bye("C", 1)
        + &lines(&[Played::new(1, ["A", "B"], [[20, 16], [20, 16]])])
        // Before a kill. Then B was gone.
        + &bye("A", 2)
        + &lines(&[Played::new(2, ["C", "A"], [[20, 16], [20, 16]])]);
    let rows = standings(&file, "")["rows"].clone();
    let points = rows.as_array().unwrap().iter().map(|row| (&row["name"], &row["points"]));
    let points: Vec<String> = points.map(|(name, points)| format!("{name} {points}")).collect();
    assert_eq!(points, ["\"C\" 2.0", "\"A\" 1.0", "\"B\" 0.0"]);
}

#[test]
fn a_disqualified_bot_has_its_bye_and_its_victim_no_version() {
    let versioned = |played: Played| {
        played.with(|record| {
            for bot in record["bots"].as_array_mut().unwrap() {
                bot["version"] = Value::from("00000000000000bb");
            }
        })
    };
    let file = header_with(&["A", "B", "C"], 2, [1, 1], &json!({"format": "swiss"}))
        + &note("bye", None, Some("C"), "no opponent in round 1")
        + &lines(&[
            versioned(Played::new(1, ["A", "B"], [[20, 16], [20, 16]])),
            versioned(Played::new(2, ["C", "A"], [[20, 16], [20, 16]])),
        ]);
    let out = |bot| note("disqualified", None, Some(bot), "why");
    let row = |file: &str, name: &str| {
        let found = standings(file, "")["rows"].clone();
        found.as_array().unwrap().iter().find(|row| row["name"] == name).unwrap().clone()
    };
    assert_eq!(row(&(file.clone() + &out("C")), "C")["points"], 2.0);
    assert_eq!(row(&(file.clone() + &out("C")), "A")["versions"], json!(["00000000000000bb"]));
    let victim = row(&(file + &out("A")), "B");
    assert_eq!((&victim["matches"], &victim["versions"]), (&json!(0), &json!([])));
}

#[test]
fn remarks_name_the_unfinished_matches_that_are_counted() {
    let expect = |input: &str, unfinished: u64, remark: Option<&str>| {
        assert_eq!(standings(input, "")["unfinished"], unfinished);
        let table = run(input, "").success().plain().stdout;
        let said = table.lines().find(|line| line.contains("unfinished:"));
        assert_eq!(said.map(str::trim), remark, "{table}");
    };
    let late = |number| note("unfinished", Some(number), None, "late");
    let out = |bot| note("disqualified", None, Some(bot), "why");
    // The fourth match is of a and b, the fifth of a and c.
    let three = header_of_three([1, 1]) + &lines(&three()[..3]) + &late(4) + &late(5);
    expect(&three, 2, Some("Matches 4, 5 are unfinished: late"));
    expect(&(three.clone() + &out("c")), 1, Some("Match 4 is unfinished: late"));
    expect(&(three + &out("a")), 0, None);
    let test = header_with(&["a", "b"], 100, [1, 1], &json!({"sprt": "elo0=0,elo1=200"}));
    let won = |number| {
        let second = if number % 4 == 0 { [10, 26] } else { [30, 6] };
        Played::new(number, ["a", "b"], [[20, 16], second])
    };
    let played: Vec<Played> = (1..=60).filter(|number| *number != 50).map(won).collect();
    expect(&(test + &lines(&played) + &late(50)), 0, None);
}

#[test]
fn different_games_are_those_of_matches_that_count() {
    let without_games = |place: usize| {
        let mut all = three();
        all[place].record["tournament"]["games"] = json!([]);
        header_of_three([1, 1]) + &lines(&all)
    };
    let out = note("disqualified", None, Some("c"), "why");
    let distinct = |input: &str| standings(input, "")["distinct_games"].clone();
    // The first match is of a and b, the second of c and a.
    assert_eq!(distinct(&(without_games(1) + &out)), 4);
    assert_eq!(distinct(&(without_games(0) + &out)), Value::Null);
    assert_eq!(distinct(&without_games(1)), Value::Null);
    let loose = |names| {
        let played = Played::new(1, names, [[20, 16], [19, 17]]).with(|record| {
            record.as_object_mut().unwrap().remove("tournament");
        });
        header_of_three([1, 1]) + &lines(&three()) + &lines(&[played]) + &out
    };
    assert_eq!(distinct(&loose(["a", "c"])), 4);
    assert_eq!(distinct(&loose(["a", "b"])), Value::Null);
}

#[test]
fn a_page_shows_the_output_of_the_build_for_which_the_bot_is_out() {
    let folder = TestFolder::new();
    let out = |output: &str| {
        let line = note("disqualified", None, Some("C"), "does not build: exit status 1");
        line.replace("\"detail\"", &format!("\"cause\":\"not_built\",{output}\"detail\""))
    };
    let first = out("\"output\":\"the first error\\n\",");
    let back = note("reinstated", None, Some("C"), "does not build: exit status 1");
    let header = part(ID, None, &["A", "B", "C"]);
    let lost = Played::new(3, ["B", "A"], [[0, 36], [36, 0]]);
    let lost = lost.fault(0, 0, "timeout").fault(1, 1, "timeout");
    // Feedback verifies matches.
    let lost = lost.with(|record| record["tournament"]["games"] = games_of(record).unwrap());
    let played = lines(&[lost]);
    let page = |name: &str, notes: &[&str]| {
        fs::write(folder.file("t.jsonl"), header.clone() + &notes.concat() + &played).unwrap();
        let arguments = ["feedback", "t.jsonl", "-o", name];
        mancala(arguments).in_folder(folder.path()).run().success();
        folder.read(&format!("{name}/C/feedback.md"))
    };
    assert!(page("out", &[&first]).contains("the first error"));
    for again in ["", "\"output\":\"another error\\n\","] {
        let name = format!("out-again-{}", again.len());
        let page = page(&name, &[&first, &back, &out(again)]);
        assert!(!page.contains("the first error"), "{page}");
        assert_eq!(page.contains("another error"), !again.is_empty(), "{page}");
    }
}
