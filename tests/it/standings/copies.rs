//! Updated files beside copies of them and beside other runs: the order of the files decides nothing.

use serde_json::json;

use super::files::{ID, Played, header, header_with, lines};
use super::planned::planned;
use super::{ABC, three};
use crate::program::{Outcome, mancala};

/// The first line of a run of three bots with these versions, or of its update.
fn head(versions: [u64; 3], is_update: bool) -> String {
    let versions = versions.map(|version| json!(format!("{version:016x}")));
    let [a, b, c] = versions;
    let mut head: serde_json::Value = serde_json::from_str(&header(&ABC, 1, [1, 1])).unwrap();
    head["versions"] = json!({"a": a, "b": b, "c": c});
    if is_update {
        head["continues"] = json!(ID);
    }
    format!("{head}\n")
}

/// Match `number` of two of the bots, which have these versions.
fn played(number: u64, pair: [usize; 2], versions: [u64; 3]) -> Played {
    Played::new(number, pair.map(|bot| ABC[bot]), [[20, 16], [19, 17]]).with(|record| {
        for (seat, bot) in pair.into_iter().enumerate() {
            record["bots"][seat]["version"] = json!(format!("{:016x}", versions[bot]));
        }
    })
}

/// All matches of three bots with these versions.
fn all(versions: [u64; 3]) -> String {
    lines(&[[0, 1], [0, 2], [1, 2]].map(|pair| played(1, pair, versions)))
}

/// What `standings` says of these files, in each of their orders.
fn in_any_order(files: &[&str], arguments: &[&str]) -> Vec<Outcome> {
    let folder = tempfile::tempdir().unwrap();
    for (number, text) in files.iter().enumerate() {
        std::fs::write(folder.path().join(number.to_string()), planned(text)).unwrap();
    }
    orders(files.len())
        .into_iter()
        .map(|order| {
            let names = order.iter().map(ToString::to_string);
            let command = mancala(["standings"]).args(names).args(arguments);
            command.in_folder(folder.path()).run()
        })
        .collect()
}

/// All orders of the numbers below `count`.
fn orders(count: usize) -> Vec<Vec<usize>> {
    if count == 0 {
        return vec![Vec::new()];
    }
    let with_last = |order: Vec<usize>| {
        (0..count).map(move |place| {
            let mut order = order.clone();
            order.insert(place, count - 1);
            order
        })
    };
    orders(count - 1).into_iter().flat_map(with_last).collect()
}

const OLD: [u64; 3] = [1, 2, 3];
const NEW: [u64; 3] = [1, 20, 3];
const NEWEST: [u64; 3] = [1, 20, 30];

#[test]
fn another_run_of_an_updated_tournament_is_refused() {
    let updated = head(OLD, false) + &all(OLD) + &head(NEW, true);
    let fresh = head(NEW, false) + &all(NEW);
    // Two copies of one file, of which each went on in its own way.
    let other = head(OLD, false) + &all(OLD) + &head(NEWEST, true);
    let fresh_and_updated = fresh.clone() + &head(NEWEST, true);
    for others in [fresh, fresh_and_updated, other] {
        for found in in_any_order(&[&updated, &others], &["--merge=versions"]) {
            found.failure(1, "has another run of tournament");
        }
    }
}

#[test]
fn the_two_files_that_contradict_each_other_are_named_whatever_else_is_read() {
    let before = head(OLD, false) + &all(OLD);
    let one_way = before.clone() + &head(NEW, true);
    let other_way = before.clone() + &head(NEWEST, true);
    for found in in_any_order(&[&before, &one_way, &other_way], &["--merge=versions"]) {
        let told = found.failure(1, "has another run of tournament").stderr;
        let is_named = |name: &str| {
            told.contains(&format!("{name} line ")) || told.contains(&format!("than {name},"))
        };
        assert_eq!(["0", "1", "2"].map(is_named), [false, true, true], "{told}");
    }
}

#[test]
fn replaced_matches_are_counted_once_whatever_copies_there_are() {
    let first = head(OLD, false) + &all(OLD);
    let second = first.clone() + &head(NEW, true) + &lines(&[played(1, [0, 1], NEW)]);
    let third = second.clone() + &head(NEWEST, true) + &all(NEWEST);
    // Two of b, one of c and a.
    let words = "matches do not count: a bot in them was changed or withdrawn, or the plan no longer has them.";
    let alone = in_any_order(&[&third], &[]).remove(0).success();
    let count = alone.stdout.lines().find(|line| line.ends_with(words)).unwrap().to_owned();
    assert_eq!(count, format!("3 {words}"));
    for found in in_any_order(&[&third, &second, &first, &third], &[]) {
        assert_eq!(found.success().stdout, alone.stdout);
    }
}

#[test]
fn matches_of_an_updated_tournament_without_its_headers_are_not_counted_twice() {
    let whole = [&head(OLD, false), &all(OLD), &head(NEW, true), &lines(&[played(1, [0, 1], NEW)])];
    let whole = planned(&whole.map(String::as_str).concat());
    let is_match = |line: &&str| line.contains("\"mancala-match/1\"");
    let without: String = whole.split_inclusive('\n').filter(is_match).collect();
    let alone = in_any_order(&[&whole], &[]).remove(0).success();
    let mut found = in_any_order(&[&without, &whole], &[]);
    found.remove(1).failure(1, "has another run of tournament");
    assert_eq!(found.remove(0).success().stdout, alone.stdout);
}

#[test]
fn of_several_reasons_for_a_disqualification_one_is_told_in_any_order() {
    let disqualified = |faults: u64, id: &str| {
        let matches = three().into_iter().take(3);
        let at_fault = matches.map(|played| played.fault(0, 0, "timeout").fault(1, 1, "timeout"));
        let more = json!({"disqualify_after": faults});
        let text = header_with(&["c", "b", "a"], 2, [1, 1], &more);
        (text + &lines(&at_fault.collect::<Vec<_>>())).replace(ID, id)
    };
    let files = [disqualified(1, "00000000000000c1"), disqualified(2, "00000000000000c2")];
    let files = files.each_ref().map(String::as_str);
    let found = in_any_order(&files, &["--format=csv", "--columns=name,disqualified"]);
    let tables: Vec<String> = found.into_iter().map(|found| found.success().stdout).collect();
    assert!(tables[0].contains("\na,1 or more faults\n"), "{}", tables[0]);
    assert_eq!(tables[0], tables[1]);
}
