//! How large a page is, whatever bots write.

use serde_json::{Value, json};

use super::page::{data, report};
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
