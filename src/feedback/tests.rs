//! A page read back by a parser of Markdown that is not ours: its only links are our own.

use std::path::PathBuf;
use std::sync::LazyLock;

use markdown::mdast::Node;
use proptest::prelude::*;
use serde_json::json;

use super::evidence::{Evidence, FaultEvidence, MatchLog, MeasuredMoves};
use super::{Contest, MatchesOfBots, page};
use crate::analysis::AnalysisRow;
use crate::contest::{PlanFields, PlannedBot};
use crate::log::Bundle;
use crate::record::{MatchRecord, parse_record};
use crate::report::testing::{hostile_text, parsed, standings};
use crate::seat::Seat;
use crate::standings::Standings;
use crate::text::{html, printable};
use crate::tournament::LogFolders;

/// All tags of a page.
const TAGS: [&str; 23] = [
    "main", "h1", "h2", "h3", "p", "strong", "a", "pre", "div", "table", "thead", "tbody", "tr",
    "th", "td", "svg", "title", "rect", "circle", "g", "text", "body", "html",
];

/// Where the links lead and the text of everything else; an image or HTML fails.
fn read_back(node: &Node, links: &mut Vec<String>, texts: &mut Vec<String>) {
    match node {
        Node::Image(_)
        | Node::ImageReference(_)
        | Node::Html(_)
        | Node::Definition(_)
        | Node::LinkReference(_)
        | Node::InlineMath(_) => panic!("{node:?}"),
        Node::Link(link) => links.push(link.url.clone()),
        Node::Heading(_) | Node::TableCell(_) | Node::Paragraph(_) => texts.push(node.to_string()),
        _ => {}
    }
    for child in node.children().into_iter().flatten() {
        read_back(child, links, texts);
    }
}

/// The golden bundle. A time that differs from run to run is left out there.
fn golden_bundle() -> Bundle {
    let golden = include_str!("../../tests/it/golden/log/bundle.json");
    Bundle::of_text(&golden.replace(": #", ": 1")).unwrap()
}

static FOLDERS: LazyLock<[PathBuf; 1]> = LazyLock::new(|| [PathBuf::from("/a folder")]);

/// The plan of a contest of `bots`.
fn plan(name: Option<String>, bots: Vec<PlannedBot>) -> PlanFields {
    let plan = serde_json::from_value(json!({"bots": []})).unwrap();
    PlanFields { name, bots, ..plan }
}

fn plan_of_a() -> PlanFields {
    plan(None, vec![PlannedBot { name: "a".to_owned(), ..PlannedBot::default() }])
}

fn contest<'a>(plan: &'a PlanFields, standings: &'a Standings) -> Contest<'a> {
    let id = "54c90634dbad2d3e".parse().unwrap();
    Contest { plan, id, folders: &*FOLDERS, standings }
}

/// The bundle of a bot that answered `number` to `board`, as a turn has it.
fn choice(board: &str, number: u8) -> Bundle {
    let mut bundle = golden_bundle();
    bundle.detail = format!("it answered {number}");
    bundle.input = Some(format!(
        r#"{{"type":"turn","turn":2,"board":[{board}],"legal":[],"moves":[{{"by":"you","move":{}}}],"move_time_ms":1000}}"#,
        number.min(5)
    ));
    let cause = if number > 5 {
        format!(r#"{{"code":"no_such_house","value":{number}}}"#)
    } else {
        format!(r#"{{"code":"empty_house","house":{number}}}"#)
    };
    bundle.cause = Some(serde_json::from_str(&cause).unwrap());
    bundle.board = Some(serde_json::from_str(&format!("[{board}]")).unwrap());
    bundle
}

/// The page of a bot whose matches had `faults`, one each.
fn page_of_faults(faults: &[Bundle]) -> String {
    let root = tempfile::tempdir().unwrap();
    let folders = LogFolders::new(root.path(), ["a"]);
    let mut matches = MatchesOfBots::none(1);
    for (number, bundle) in (1..).zip(faults) {
        let folder = folders.of_match(0, number);
        std::fs::create_dir_all(&folder).unwrap();
        bundle.write(std::fs::File::create(folder.join("fault-1-2-a.json")).unwrap()).unwrap();
        matches.add_log(0, number);
    }
    let evidence = Evidence::read(&folders, 0, &mut matches, (None, None));
    let plan = plan_of_a();
    let standings = standings(1, |_| "a".to_owned());
    page::page(&contest(&plan, &standings), &plan.bots[0], &evidence).markdown()
}

#[test]
fn faults_of_a_bot_that_counts_from_1_are_one_problem() {
    let faults = [
        choice("4,0,1,5,0,6,1,0,3,6,5,0,4,1", 1),
        choice("4,1,1,0,0,6,1,0,3,6,5,0,4,1", 3),
        choice("4,0,1,5,0,6,1,0,3,6,5,0,4,1", 6),
    ];
    let page = page_of_faults(&faults);
    let problem = "\n### It counts its houses from 1: every answer is one too high\n\n3 faults. Houses \
                   are 0 to 5: take 1 off.\n";
    assert!(page.contains(problem), "{page}");
    assert!(page.contains(": it answered 1; its author means house 0"), "{page}");
    // Each of them alone may be something else.
    let page = page_of_faults(&faults[..2]);
    assert!(page.contains("\n2 faults. Does it write each answer twice, or"), "{page}");
}

#[test]
fn empty_houses_are_one_problem_even_if_one_of_them_was_the_last_move() {
    let again = choice("0,4,0,0,4,4,1,0,3,6,5,0,4,1", 2);
    let mut other = choice("0,4,4,0,4,4,1,0,3,6,5,0,4,1", 3);
    other.input = other.input.map(|input| input.replace("\"move\":3", "\"move\":0"));
    let page = page_of_faults(&[again.clone(), other.clone()]);
    assert!(
        page.contains("\n### It chooses a house without seeds\n\n2 faults. Play one"),
        "{page}"
    );
    assert!(!page.contains("twice"), "{page}");
    // A bot that writes other lines may write an answer twice.
    let mut text = other.clone();
    text.cause = Some(serde_json::from_str(r#"{"code":"more_than_one_line"}"#).unwrap());
    let page = page_of_faults(&[again, other, text]);
    assert!(page.contains("\n1 fault. Does it write each answer twice, or"), "{page}");
}

#[test]
fn a_bot_that_counts_from_0_behind_an_adapter_is_told_so_in_its_numbers() {
    let fault = |board: &str, bin: u8| {
        let mut bundle = choice(board, 0);
        let code = if bin == 0 { "no_bin" } else { "empty_bin" };
        let cell = 6 - bin;
        let what = if bin == 0 { ("no_such_house", "value") } else { ("empty_house", "house") };
        bundle.cause = Some(
            serde_json::from_value(json!({"code": what.0, what.1: cell,
                "adapter": {"code": code, "words": format!("f returned bin {bin}")}}))
            .unwrap(),
        );
        bundle
    };
    let faults = [
        fault("4,0,1,5,0,6,1,0,3,6,5,0,4,1", 0),
        fault("4,1,1,0,0,6,1,0,3,6,5,0,4,1", 3),
        fault("4,0,1,5,0,6,1,0,3,6,5,0,4,1", 5),
    ];
    let page = page_of_faults(&faults);
    let fix = "3 faults. This is what the adapter says about your own code, in its terms. Its answers \
               show that every answer is one too low, as if the code counted from 0. Add 1 to each \
               answer.\n";
    assert!(page.contains(fix), "{page}");
    let page = page_of_faults(&faults[..1]);
    assert!(page.contains("If your code counts from 0, add 1 to each answer.\n"), "{page}");
    assert!(!page.contains("\"legal\". "), "{page}");
}

#[test]
fn a_turn_that_was_not_asked_has_its_own_position_and_no_question() {
    let board = [0, 0, 1, 5, 0, 6, 1, 0, 3, 6, 5, 0, 4, 5];
    let asked = choice("4,0,1,5,0,6,1,0,3,6,5,0,4,1", 1);
    let mut unasked = asked.clone();
    unasked.turn = 3;
    unasked.board = serde_json::from_value(json!(board)).unwrap();
    let page = page_of_faults(&[unasked]);
    let cells = board.map(|seeds| seeds.to_string()).join(",");
    assert!(
        page.contains(", turn 3, ") && page.contains(&format!(" --opening {cells} ")),
        "{page}"
    );
    assert!(!page.contains("Sent:"), "{page}");
    // Bundles of earlier versions have no position of their own.
    let page = page_of_faults(&[Bundle { board: None, ..asked }]);
    assert!(page.contains(" --opening 4,0,1,5,0,6,1,0,3,6,5,0,4,1 "), "{page}");
    assert!(page.contains("Sent:"), "{page}");
}

#[test]
fn a_fault_says_how_long_its_answer_took_unless_its_words_say_it() {
    let time = "\n\nIt took 1.000 ms (limit 20000 ms, margin 50 ms).\n\n";
    let page = page_of_faults(&[golden_bundle()]);
    assert!(page.contains(time), "{page}");
    let mut late = golden_bundle();
    late.cause.as_mut().unwrap().code = serde_json::from_value(json!("late_answer")).unwrap();
    let page = page_of_faults(&[late]);
    assert!(!page.contains("It took"), "{page}");
}

#[test]
fn no_command_asks_again_for_a_bank_that_an_earlier_process_spent() {
    let asked = golden_bundle().input.unwrap();
    let start = golden_bundle().start;
    let spent = |told: &[&String]| {
        let mut spent = golden_bundle();
        spent.cause = serde_json::from_value(json!({"code": "bank_spent"})).unwrap();
        spent.kind = serde_json::from_value(json!("timeout")).unwrap();
        (spent.input, spent.turn) = (None, 3);
        spent.told = Some(told.iter().copied().cloned().collect());
        spent
    };
    let page = page_of_faults(&[spent(&[&start])]);
    assert!(!page.contains("mancala reproduce"), "{page}");
    // Of equal faults, one that can be seen again is the example.
    let page = page_of_faults(&[spent(&[&start]), spent(&[&start, &asked])]);
    assert!(page.contains("\nmancala reproduce --from-start match-2/"), "{page}");
}

#[test]
fn faults_of_one_turn_stand_in_the_order_in_which_they_were_logged() {
    let root = tempfile::tempdir().unwrap();
    let folders = LogFolders::new(root.path(), ["a"]);
    let folder = folders.of_match(0, 1);
    std::fs::create_dir_all(&folder).unwrap();
    let files = ["fault-1-2-a.json", "fault-1-2-a.2.json", "fault-1-2-a.10.json"];
    for file in files {
        golden_bundle().write(std::fs::File::create(folder.join(file)).unwrap()).unwrap();
    }
    let mut matches = MatchesOfBots::none(1);
    matches.add_log(0, 1);
    let evidence = Evidence::read(&folders, 0, &mut matches, (None, None));
    let found =
        evidence.matches[0].faults.iter().map(|fault| &*fault.bundle.as_ref().unwrap().file);
    assert_eq!(found.collect::<Vec<_>>(), files.map(|file| format!("match-1/{file}")));
    let (plan, standings) = (plan_of_a(), standings(1, |_| "a".to_owned()));
    let page = page::page(&contest(&plan, &standings), &plan.bots[0], &evidence).markdown();
    let links = files.map(|file| format!("[round 1, turn 2](match-1/{file})")).join("; ");
    assert!(page.contains(&links), "{page}");
}

#[test]
fn points_are_counted_in_words() {
    let plan = plan_of_a();
    for (points, words) in [(1.0, "Rank 1 of 1, 1 point from 440"), (0.5, "0.5 points from 440")] {
        let mut standings = standings(1, |_| "a".to_owned());
        standings.rows[0].points = points;
        let contest = contest(&plan, &standings);
        let page = page::page(&contest, &plan.bots[0], &Evidence::default()).markdown();
        assert!(page.contains(words), "{page}");
    }
}

#[test]
fn a_log_that_is_of_no_match_is_not_on_the_page() {
    let root = tempfile::tempdir().unwrap();
    let folders = LogFolders::new(root.path(), ["a"]);
    std::fs::create_dir_all(folders.of_match(0, 1)).unwrap();
    let evidence = Evidence::read(&folders, 0, &mut MatchesOfBots::none(1), (None, None));
    assert!(evidence.matches.is_empty());
}

/// The record of a match in which the first bot had `faults`, one a round: kinds and stderr.
fn record_of(faults: &[(&str, String)]) -> MatchRecord {
    let board = [3, 3, 3, 3, 3, 3, 0, 3, 3, 3, 3, 3, 3, 0];
    let rounds = faults.iter().zip(1..).map(|((kind, stderr), round)| {
        let fault =
            json!({"bot": 0, "kind": kind, "detail": "x", "board": board, "stderr": stderr});
        json!({"round": round, "first": 0, "moves": [], "final": board,
            "result": {"reason": kind, "fault": fault, "score": [0, 36]}})
    });
    let record = json!({"format": "mancala-match/1",
        "rules": {"name": "learneroo", "seeds": 3, "opponent_store": "sow", "direction": "forward",
            "empty_capture": true},
        "opening": board, "limits": {"move_time_ms": 1000}, "winner": 1, "score": [0, 72],
        "bots": [{"name": "a", "command": ["x"]}, {"name": "b", "command": ["y"]}],
        "rounds": rounds.collect::<Vec<_>>()});
    parse_record(record.to_string().as_bytes()).unwrap()
}

proptest! {
    #[test]
    fn in_whatever_order_matches_come_the_stderr_of_the_first_of_equal_faults_is_kept(
        matches in (1_usize..12).prop_flat_map(|count| (
            Just((1..=count as u64).collect::<Vec<_>>()).prop_shuffle(),
            prop::collection::vec(prop::collection::vec(0_usize..3, 0..3), count),
        )),
    ) {
        let kinds = ["timeout", "exited", "invalid_reply"];
        let mut collected = MatchesOfBots::none(1);
        for (number, faults) in matches.0.iter().zip(&matches.1) {
            let fault = |(round, kind): (usize, &usize)| (kinds[*kind], format!("{number} {round}"));
            let faults: Vec<_> = faults.iter().enumerate().map(fault).collect();
            collected.add_recorded(&[], 0, (*number, &record_of(&faults)), Seat::A);
        }
        let root = tempfile::tempdir().unwrap();
        let evidence = Evidence::read(&LogFolders::new(root.path(), ["a"]), 0, &mut collected, (None, None));
        let mut seen = Vec::new();
        for log in &evidence.matches {
            for (round, fault) in log.faults.iter().enumerate() {
                let is_first = !seen.contains(&&fault.explanation);
                let own = format!("{} {round}", log.number);
                prop_assert_eq!(&fault.stderr, if is_first { &own } else { "" });
                seen.push(&fault.explanation);
            }
        }
    }

    #[test]
    fn a_page_has_the_very_same_names_and_no_markup_but_ours(
        names in prop::collection::vec(hostile_text(), 3),
        contest in hostile_text(),
        words in hostile_text(),
    ) {
        let mut bundle = golden_bundle();
        bundle.detail.clone_from(&words);
        bundle.stderr = format!("{words}\n```\n<img>");
        let evidence = Evidence {
            matches: vec![MatchLog {
                number: 1,
                number_before: None,
                transcript: Some("match-1/w.txt".to_owned()),
                faults: vec![FaultEvidence::of_bundle("match-1/fault.json".to_owned(), &bundle)],
            }],
            check: Some(vec![words.clone()]),
            build: None,
            measured: MeasuredMoves {
                given_away: Some(AnalysisRow { name: names[0].clone(), moves: 9, ..AnalysisRow::default() }),
                ..MeasuredMoves::default()
            },
        };
        let bot = |name: &String| PlannedBot {
            name: name.clone(),
            command: vec![words.clone()],
            ..PlannedBot::default()
        };
        let plan = plan(Some(contest), names.iter().map(bot).collect());
        let standings = standings(names.len(), |place| names[place].clone());
        let page = page::page(&self::contest(&plan, &standings), &plan.bots[0], &evidence);
        let (page, shown) = (page.markdown(), page.html(&names[0]));
        let (mut links, mut texts) = (Vec::new(), Vec::new());
        read_back(&parsed(&page), &mut links, &mut texts);
        links.sort();
        links.dedup();
        prop_assert_eq!(links, ["match-1/fault.json", "match-1/w.txt"], "{}", page);
        prop_assert_eq!(&texts[0], &printable(&names[0]), "{}", page);
        // The same page in HTML has the same links, and of other tags only our own.
        let linked = shown.split("<a href=\"").skip(1);
        let mut linked: Vec<&str> = linked.map(|link| link.split('"').next().unwrap()).collect();
        linked.sort_unstable();
        linked.dedup();
        prop_assert_eq!(linked, ["match-1/fault.json", "match-1/w.txt"], "{}", shown);
        let body = shown.split("<body>").nth(1).unwrap();
        for tag in body.split('<').skip(1) {
            let tag = tag.trim_start_matches('/');
            let tag: String = tag.chars().take_while(char::is_ascii_alphanumeric).collect();
            prop_assert!(TAGS.contains(&&*tag), "<{}> in {}", tag, shown);
        }
        for name in names[1..].iter().filter(|name| **name != names[0]) {
            prop_assert!(texts.contains(&printable(name)), "{:?} in {}", name, page);
            prop_assert!(shown.contains(&format!(">{}", html(name))), "{:?} in {}", name, shown);
        }
    }
}
