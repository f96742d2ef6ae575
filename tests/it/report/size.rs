//! How large a page is, whatever bots write.

use serde_json::{Value, json};

use super::page::{data, report};
use crate::program::mancala;
use crate::test_folder::TestFolder;

const KINDS: [&str; 7] = [
    "illegal_move",
    "invalid_reply",
    "unsolicited_output",
    "oversized_reply",
    "timeout",
    "exited",
    "start_failed",
];

/// A thousand matches of a class; each round ends with a fault of another kind, and with more words
/// than a page has room for.
fn faulty_class() -> String {
    let bots: Vec<String> = (1..=45).map(|bot| format!("student-{bot:02}-smith")).collect();
    let opening = [3, 3, 3, 3, 3, 3, 0, 3, 3, 3, 3, 3, 3, 0];
    let pairs = (0..45).flat_map(|one| (one + 1..45).map(move |other| [one, other]));
    let pairs: Vec<[usize; 2]> = pairs.collect();
    let mut records = String::new();
    for number in 0..1000 {
        let [one, other] = pairs[number % pairs.len()];
        let words = format!("<{number}>&\u{e9} File \"bot.py\", line 12, in <module> ").repeat(60);
        let rounds = [0_usize, 1].map(|round| {
            let kind = KINDS[(5 * number + 3 * round + one) % 7];
            let score = if round == 0 { [0, 36] } else { [36, 0] };
            let fault = json!({"bot": round, "kind": kind, "detail": &words[..400],
                "stderr": &words[..2000], "board": opening});
            json!({"round": round + 1, "first": round, "final": opening, "moves": [],
                "result": {"reason": kind, "fault": fault, "score": score}})
        });
        let command = ["python3", "bot.py"];
        let record = json!({"format": "mancala-match/1",
            "rules": {"name": "learneroo", "seeds": 3, "opponent_store": "sow",
                "direction": "forward", "empty_capture": true},
            "opening": opening, "limits": {"move_time_ms": 1000}, "planned_rounds": 2,
            "bots": [{"name": bots[one], "command": command},
                {"name": bots[other], "command": command}],
            "rounds": rounds, "score": [36, 36], "winner": null});
        records += &format!("{record}\n");
    }
    records
}

#[test]
fn a_thousand_matches_full_of_faults_take_two_megabytes_at_most() {
    let folder = TestFolder::new();
    std::fs::write(folder.file("c.jsonl"), faulty_class()).unwrap();
    report(&folder, "c.jsonl -q").success();
    let page = folder.read("c.html");
    assert!(page.len() <= 2_000_000, "{}", page.len());
    assert_eq!(data(&page)["matches"].as_array().map(Vec::len), Some(1000));
    // Each kind of each bot has its first case, some of them with a drawing, and what was cut is
    // counted.
    let cases = page.matches("<p>The first case: ").count();
    assert!(cases > 290, "{cases}");
    let drawn = page.matches("<use href=\"#sent\"/>").count();
    assert!(drawn >= 31 && page.matches("<svg id=\"sent\">").count() == 1, "{drawn}");
    let texts: Vec<&str> = page.split("<dt>Received</dt><dd>").skip(1).collect();
    assert_eq!(texts.len(), cases);
    assert!(texts.iter().all(|text| text.split("</dd>").next().unwrap().ends_with('\u{2026}')));
    let said = page.split(" texts written by bots, such as").next().unwrap();
    let left_out: u64 = said.rsplit('>').next().unwrap().parse().unwrap();
    let shown = |fault: &Value| u64::from(fault["detail"] != "") + u64::from(fault["stderr"] != "");
    let data = data(&page);
    let rounds =
        data["matches"].as_array().unwrap().iter().flat_map(|of| of[6].as_array().unwrap());
    let in_data: u64 = rounds.map(|round| shown(&round[5]["fault"])).sum();
    assert_eq!(left_out, 2 * 2000 - in_data + 2 * cases as u64);
}

/// A thousand matches like this one, of bots with these names, whose moves take so long.
fn class_of(record: &Value, names: &[String], ms: f64) -> String {
    let bots = names.len();
    let rounds = (1..bots).flat_map(|ahead| (0..bots).map(move |one| [one, (one + ahead) % bots]));
    let pairs: Vec<[usize; 2]> = rounds.collect();
    let mut record = record.clone();
    for round in record["rounds"].as_array_mut().unwrap() {
        for played in round["moves"].as_array_mut().unwrap() {
            played["ms"] = json!(ms + played["ms"].as_f64().unwrap());
        }
    }
    let mut records = String::new();
    for number in 0..1000 {
        record["started"] = json!(format!("2026-03-01T12:00:00.{number:03}Z"));
        for (seat, bot) in pairs[number % pairs.len()].into_iter().enumerate() {
            record["bots"][seat]["name"] = json!(names[bot]);
            record["bots"][seat]["command"] = json!(["bot"]);
        }
        records += &format!("{record}\n");
    }
    records
}

/// As many games are kept as have room in 2 MB, and 100 at least.
#[test]
fn a_thousand_matches_of_many_bots_with_long_names_take_two_megabytes_at_most() {
    let folder = TestFolder::new();
    let mut left_out = 0;
    for (bots, letters, rules, ms) in [
        (20, "student.", "--rules=learneroo", 0.0),
        (60, "student.of.the.class.of.computers", "--seeds=12", 0.0),
        (60, "student.", "--seeds=12", 940.0),
        (100, "<&'student'&>", "--rules=learneroo", 940.0),
        (100, "\u{5b66}\u{751f}", "--rules=learneroo", 0.0),
        (300, "student.of.the.class.of.computers", "--rules=learneroo", 0.0),
    ] {
        let case = format!("{bots} bots, {letters}, {rules}, {ms} ms");
        let match_file = folder.file("one.jsonl");
        let _ = std::fs::remove_file(&match_file);
        mancala(["match", "builtin:easy --seed 1", "builtin:random --seed 2", rules])
            .args(["--record", &match_file])
            .run()
            .success();
        let record = serde_json::from_str(&folder.read("one.jsonl")).unwrap();
        let names: Vec<String> = (0..bots).map(|bot| format!("{letters}{bot}")).collect();
        std::fs::write(folder.file("c.jsonl"), class_of(&record, &names, ms)).unwrap();
        report(&folder, "c.jsonl -q --games all -o all.html").success();
        let all = folder.read("all.html");
        assert_eq!(data(&all)["matches"].as_array().unwrap().len(), 1000);
        report(&folder, "c.jsonl -q").success();
        let page = folder.read("c.html");
        let kept = data(&page)["matches"].as_array().unwrap().len();
        assert_eq!(kept == 1000, all.len() <= 1_990_000, "{case}: {kept}");
        let is_filled = (1_900_000..=2_000_000).contains(&page.len());
        assert!(kept == 1000 || kept == 100 || is_filled, "{case}: {kept}, {}", page.len());
        assert!(kept <= 100 || page.len() <= 2_000_000, "{case}: {kept}, {}", page.len());
        // What leads to a game leads to one that is there.
        let links: Vec<&str> = page.split("href=\"#match-").skip(1).collect();
        let is_there = |link: &&str| {
            let number = link.split(['-', '"']).next().unwrap();
            page.contains(&format!("<tr id=\"match-{number}-round-1\">"))
        };
        assert!(links.iter().step_by(97).all(is_there), "{case}");
        assert_eq!(page.contains("included move by move."), kept < 1000, "{case}");
        left_out += u32::from(kept < 1000);
    }
    assert!((2..6).contains(&left_out), "{left_out}");
}
