//! The tables of a page add up to the numbers of `standings` and `analyse`.

use std::collections::BTreeSet;
use std::fs;
use std::sync::OnceLock;

use mancala_contest::PlanFields;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::page::{NINE, data, report};
use crate::program::mancala;
use crate::standings::files::{ID, header_with, note};
use crate::standings::planned::{games_of, planned};
use crate::test_folder::TestFolder;

const NAMES: [&str; 4] = ["a", "b", "c", "d"];

/// Matches from positions near the end, whose moves can all be judged: two in which nobody is at
/// fault, one in which a bot is, and one in which both are before any move.
fn played() -> &'static [Value] {
    static PLAYED: OnceLock<Vec<Value>> = OnceLock::new();
    PLAYED.get_or_init(|| {
        let record = |(opening, bots): (&str, [&str; 2])| {
            let run = mancala(["match", "--format=json", "--move-time=20s", "--opening", opening]);
            run.args(bots).run().code(0).json()
        };
        let [one, other] = ["0,1,0,1,2,1,14,0,1,0,2,1,0,13", "1,0,2,0,0,3,13,2,0,1,0,2,0,12"];
        let random = |name: &str, seed| format!("{name}=builtin:random --seed {seed}");
        let bad = |name: &str| format!("{name}={NINE}");
        let matches = [
            (one, [random("x", 1), random("y", 2)]),
            (other, [random("x", 3), random("y", 4)]),
            (one, [bad("x"), random("y", 2)]),
            (one, [bad("x"), bad("y")]),
        ];
        let matches = matches.iter();
        matches.map(|(opening, [x, y])| record((opening, [x, y]))).collect()
    })
}

/// A match of these bots with their versions, played as the one in that place.
fn record(number: usize, bots: [(&str, &str); 2], place: usize) -> Value {
    let mut record = played()[place].clone();
    let games = games_of(&record);
    record["tournament"] = json!({"id": ID, "match": number, "opening": 1, "games": games});
    record["bots"] =
        json!(bots.map(|(name, version)| {
            json!({"name": name, "command": ["x"], "version": version})
        }));
    record
}

const VERSION: &str = "00000000000000e0";

/// A tournament of four bots with the matches of these pairs, each played as the one in that place,
/// in which some bots are disqualified.
fn tournament(matches: &[([&str; 2], usize)], out: &[&str]) -> String {
    let records = (1..).zip(matches).map(|(number, (names, place))| {
        format!("{}\n", record(number, names.map(|name| (name, VERSION)), *place))
    });
    let notes = out.iter().map(|name| note("disqualified", None, Some(name), "why"));
    let header = header_with(&NAMES, 3, [1, 1], &json!({}));
    planned(&(header + &records.chain(notes).collect::<String>()))
}

/// The page of this file with values has the sums of `standings` and the table of `analyse`.
#[track_caller]
fn expect_sums(text: &str) {
    let folder = TestFolder::new();
    fs::write(folder.file("t.jsonl"), text).unwrap();
    let run =
        |arguments: &str| mancala(arguments.split(' ')).in_folder(folder.path()).run().success();
    run("analyse t.jsonl -q --jobs=1 --write v.jsonl");
    let standings = run("standings v.jsonl --format=json").json();
    let analysis = run("analyse v.jsonl -q --jobs=1 --format=json").json();
    let table = run("analyse v.jsonl -q --jobs=1 --format=csv").stdout;
    report(&folder, "v.jsonl -q --assets figures").success();
    let figure = |name: &str| fs::read_to_string(folder.file(&format!("figures/{name}.csv")));
    let sum =
        |numbers: &[&str]| -> u64 { numbers.iter().map(|it| it.parse::<u64>().unwrap()).sum() };
    let cells = |name: &str| {
        let text = figure(name).unwrap();
        let rows = text.lines().skip(1).map(|row| row.split(',').map(str::to_owned).collect());
        rows.collect::<Vec<Vec<String>>>()
    };
    let total = |rows: &[Vec<String>], names: usize| -> u64 {
        let of_row =
            |row: &Vec<String>| sum(&row[names..].iter().map(String::as_str).collect::<Vec<_>>());
        rows.iter().map(of_row).sum()
    };

    let movers = cells("first-mover");
    let counted = standings["rows"].as_array().unwrap().iter();
    let counted = counted.filter(|row| row["disqualified"].is_null());
    let mut all = 0;
    for row in counted {
        let own = movers.iter().filter(|of| *of[0] == *row["name"].as_str().unwrap());
        let rounds = row["first"]["rounds"].as_u64().unwrap();
        assert_eq!(total(&own.cloned().collect::<Vec<_>>(), 2), rounds, "{row} {movers:?}");
        all += rounds;
    }
    assert_eq!(total(&movers, 2), all, "{movers:?}");

    let of_all = |key: &str| -> u64 {
        let rows = analysis["rows"].as_array().unwrap().iter();
        rows.map(|row| row[key].as_u64().unwrap()).sum()
    };
    assert_eq!(of_all("rounds"), 2 * all, "{analysis}");
    let margins = cells("margins");
    assert_eq!(total(&margins, 1) + of_all("forfeits"), all, "{margins:?} {analysis}");

    match figure("given-away") {
        Ok(found) => assert_eq!(found, table),
        Err(_) => assert_eq!(of_all("solved"), 0, "{table}"),
    }
    // Beside the file without values, before or after it, each match counts once, with its values.
    let both = ["given-away", "margins", "first-mover"].map(|name| figure(name).ok());
    for files in ["t.jsonl v.jsonl", "v.jsonl t.jsonl"] {
        fs::remove_dir_all(folder.file("figures")).unwrap();
        report(&folder, &format!("{files} -q -o both.html --assets figures")).success();
        let found = ["given-away", "margins", "first-mover"].map(|name| figure(name).ok());
        assert_eq!(found, both, "{files}");
    }
}

#[test]
fn a_match_of_two_disqualified_bots_counts_nowhere() {
    let matches = [(["a", "b"], 0), (["c", "d"], 1), (["a", "c"], 2), (["b", "d"], 1)];
    expect_sums(&tournament(&matches, &["a", "b"]));
    expect_sums(&tournament(&matches[..1], &["a", "b"]));
}

#[test]
fn a_match_without_a_judged_move_is_in_the_analysis() {
    let matches = [(["a", "b"], 3), (["a", "b"], 0), (["c", "a"], 3), (["c", "d"], 2)];
    expect_sums(&tournament(&matches, &[]));
    expect_sums(&tournament(&matches[..1], &[]));
}

/// The first part of a tournament's file, or what an update has added.
#[derive(Clone, Debug)]
struct FilePart {
    /// Bots that are another version since.
    changed: Vec<&'static str>,
    /// Whether another bot plays since, which makes another plan.
    has_more_bots: bool,
    count: u64,
    /// A bot by its place, how far behind it the other one is, and how the match was played.
    matches: Vec<(usize, usize, usize)>,
    given_up: Vec<u64>,
    out: Vec<&'static str>,
    /// Bots that play again.
    back: Vec<&'static str>,
}

fn any_part() -> impl Strategy<Value = FilePart> {
    (
        proptest::sample::subsequence(NAMES.to_vec(), 0..=2),
        any::<bool>(),
        5_u64..8,
        proptest::collection::vec((0_usize..6, 1_usize..6, 0_usize..4), 0..5),
        proptest::collection::btree_set(1_u64..=30, 0..4),
        proptest::sample::subsequence(NAMES.to_vec(), 0..=2),
        proptest::sample::subsequence(NAMES.to_vec(), 0..=2),
    )
        .prop_map(|(changed, has_more_bots, count, matches, given_up, out, back)| FilePart {
            changed,
            has_more_bots,
            count,
            matches,
            given_up: given_up.into_iter().collect(),
            out,
            back,
        })
}

/// The lines of a file of these parts, in which only bots that an update has changed play again.
fn file_of(parts: &[FilePart], limit: Option<u32>) -> Vec<String> {
    let mut text = String::new();
    let mut bots: Vec<(&str, String)> =
        NAMES.iter().map(|name| (*name, VERSION.to_owned())).collect();
    let mut id = ID.to_owned();
    for (number, part) in parts.iter().enumerate() {
        let before = id.clone();
        let new = ["e", "f"][number.saturating_sub(1)];
        let is_new = |name: &str| number == 0 || part.changed.contains(&name) || name == new;
        if number > 0 && part.has_more_bots {
            bots.push((new, VERSION.to_owned()));
            id = format!("00000000000000b{number}");
        }
        for (name, version) in &mut bots {
            if number > 0 && is_new(name) {
                *version = format!("00000000000000e{number}");
            }
        }
        let names: Vec<&str> = bots.iter().map(|(name, _)| *name).collect();
        let header = header_with(&names, part.count, [1, 1], &json!({"disqualify_after": limit}));
        let mut header: Value = serde_json::from_str(&header).unwrap();
        header["versions"] = bots.iter().map(|(name, of)| (*name, json!(of))).collect();
        if number > 0 {
            header["continues"] = json!("BEFORE");
        }
        let mut lines = vec![header.to_string()];
        for (place, (one, step, played)) in (1..).zip(&part.matches) {
            let one = one % bots.len();
            let other = (one + step) % bots.len();
            let pair = [one, other].map(|bot| (bots[bot].0, &*bots[bot].1));
            if one != other && pair.iter().any(|(name, _)| is_new(name)) {
                lines.push(record(place, pair, *played).to_string());
            }
        }
        let late = |number: &u64| note("unfinished", Some(*number), None, "late");
        lines.extend(part.given_up.iter().map(late));
        // Each part of a schedule may have disqualified a bot, for its own reason.
        let out =
            |bot: &&str| ["another why", "why"].map(|it| note("disqualified", None, Some(bot), it));
        lines.extend(part.out.iter().flat_map(out));
        lines.extend(part.back.iter().map(|bot| note("reinstated", None, Some(bot), "why")));
        let lines = lines.iter().map(|line| format!("{}\n", line.trim_end()));
        text += &lines.collect::<String>().replace(ID, &id).replace("BEFORE", &before);
    }
    planned(&text).split_inclusive('\n').map(str::to_owned).collect()
}

/// The JSON of `standings`; remarks below the table name as many unfinished matches.
#[track_caller]
fn counted(folder: &TestFolder, files: &[&str]) -> Value {
    let standings = |format: &str| {
        let run = mancala(["standings", "--merge=versions", "--format", format]).args(files);
        run.in_folder(folder.path()).run().code(0)
    };
    let (json, table) = (standings("json").json(), standings("table").stdout);
    let remarks = table.lines().filter_map(|line| {
        let numbers = line.split_once(" is unfinished: ").or(line.split_once(" are unfinished: "));
        Some(numbers?.0.split(|it: char| !it.is_ascii_digit()).filter(|it| !it.is_empty()).count())
    });
    assert_eq!(json["unfinished"], remarks.sum::<usize>(), "{table}");
    json
}

/// A page and `analyse` give a match from before an update the number that it has by now.
#[test]
fn numbers_of_matches_are_those_of_the_plan_as_it_is() {
    let part = |has_more_bots, matches: &[(usize, usize, usize)]| FilePart {
        changed: Vec::new(),
        has_more_bots,
        count: 5,
        matches: matches.to_vec(),
        given_up: Vec::new(),
        out: Vec::new(),
        back: Vec::new(),
    };
    let parts =
        [part(false, &[(0, 1, 0), (0, 2, 1), (1, 1, 0), (0, 1, 1)]), part(true, &[(4, 1, 0)])];
    let lines = file_of(&parts, None);
    let last = lines.iter().rfind(|line| line.contains("\"continues\"")).unwrap();
    let header: Value = serde_json::from_str(last).unwrap();
    let plan: PlanFields = serde_json::from_value(header["plan"].clone()).unwrap();
    let schedule = plan.schedule().unwrap();
    let bots_of = |number: u64| {
        let fixture = schedule.fixture(number).unwrap();
        BTreeSet::from(fixture.bots.0.map(|bot| plan.bots[bot].name.clone()))
    };
    let folder = TestFolder::new();
    fs::write(folder.file("t.jsonl"), lines.concat()).unwrap();
    let run =
        |arguments: &str| mancala(arguments.split(' ')).in_folder(folder.path()).run().success();
    run("analyse t.jsonl -q --jobs=1 --write v.jsonl");
    report(&folder, "v.jsonl -q").success();
    let page = folder.read("v.html");
    let renumbered = "mancala replay --tournament-match takes those under which they were played.";
    assert!(page.contains(renumbered));
    let begun = file_of(&parts[..1], None).concat();
    fs::write(folder.file("begun.jsonl"), begun).unwrap();
    report(&folder, "begun.jsonl -q").success();
    assert!(!folder.read("begun.html").contains(renumbered));
    let page = data(&page);
    let bots = page["bots"].as_array().unwrap();
    let name = |bot: &Value| {
        let place = usize::try_from(bot.as_u64().unwrap()).unwrap();
        bots[place][0].as_str().unwrap()
    };
    let mut numbers = BTreeSet::new();
    for of in page["matches"].as_array().unwrap() {
        let number = of[1].as_u64().unwrap();
        assert_eq!(
            bots_of(number),
            [&of[3], &of[4]].map(|bot| name(bot).to_owned()).into(),
            "{of}"
        );
        numbers.insert(number);
    }
    assert_eq!(numbers.len(), 5);
    let worst = run("analyse v.jsonl -q --jobs=1 --format=json --worst=9").json();
    let worst = worst["worst"].as_array().unwrap();
    assert!(!worst.is_empty());
    for of in worst {
        let number = of["tournament_match"].as_u64().unwrap();
        assert!(bots_of(number).contains(of["name"].as_str().unwrap()), "{of}");
        assert!(numbers.contains(&number), "{of}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// Whatever the order of the files, copies of earlier states of them among these, the table is the
    /// same, and the page has its sums.
    #[test]
    fn tables_of_any_contest_are_those_of_its_files_in_any_order(
        parts in proptest::collection::vec(any_part(), 1..=3),
        limit in proptest::option::of(2_u32..4),
        cut in any::<proptest::sample::Index>(),
        orders in proptest::collection::vec(
            Just(vec!["t", "copy", "first", "cut"]).prop_shuffle(), 2),
    ) {
        let folder = TestFolder::new();
        let write = |name: &str, lines: &[String]| {
            fs::write(folder.file(name), lines.concat()).unwrap();
        };
        let lines = file_of(&parts, limit);
        let second = lines.iter().position(|line| line.contains("\"continues\""));
        write("t", &lines);
        write("copy", &lines);
        write("first", &lines[..second.unwrap_or(lines.len())]);
        write("cut", &lines[..=cut.index(lines.len())]);
        let expected = counted(&folder, &["t"]);
        for order in &orders {
            prop_assert_eq!(&counted(&folder, order), &expected, "{:?}\n{}", order, lines.concat());
        }

        let mut loose = record(1, [("a", VERSION), ("b", VERSION)], 0);
        loose.as_object_mut().unwrap().remove("tournament");
        write("loose", &[format!("{loose}\n")]);
        let beside = counted(&folder, &["loose", "t"]);
        for key in ["missing", "unfinished"] {
            prop_assert_eq!(&beside[key], &expected[key]);
        }

        // A schedule in two parts.
        if second.is_none() {
            let shard = |index: usize| {
                let shard = format!("\"shard\":[{},2]", index + 1);
                let others = lines.iter().skip(1 + index).step_by(2).cloned();
                let header = lines[0].replace("\"shard\":[1,1]", &shard);
                std::iter::once(header).chain(others).collect::<Vec<String>>()
            };
            write("one", &shard(0));
            write("two", &shard(1));
            let expected = counted(&folder, &["one", "two"]);
            prop_assert_eq!(&counted(&folder, &["two", "one"]), &expected);
        }
        if lines.iter().any(|line| line.contains("mancala-match/1")) {
            expect_sums(&lines.concat());
        }
    }
}
