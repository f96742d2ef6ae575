//! What a page says of less usual files: chatty bots, games left out, equal bots, different terms.

use std::collections::BTreeSet;
use std::fs;

use serde_json::{Value, json};

use super::contest::contest_page;
use super::page::{NINE, cells, data, four_bots, matches_of, report, tournament};
use crate::program::mancala;
use crate::test_folder::TestFolder;
use crate::tournaments::lines;

/// The page of these records.
fn page_of(folder: &TestFolder, records: &str, arguments: &[&str]) -> String {
    let run = mancala(["report", "-", "-q"]).args(arguments).stdin(records);
    run.in_folder(folder.path()).run().success();
    folder.read("report.html")
}

#[test]
fn a_chatty_bot_leaves_room_for_the_words_about_faults() {
    let folder = TestFolder::new();
    for (name, other) in [("sound", "builtin:random"), ("faulty", NINE)] {
        mancala(["match", "builtin:easy", &format!("{name}={other}"), "--record", "m.jsonl", "-q"])
            .in_folder(folder.path())
            .run()
            .code(0);
    }
    let text = folder.read("m.jsonl");
    let mut records = text.lines().map(|line| serde_json::from_str(line).unwrap());
    let [mut chatty, faulty]: [Value; 2] = [records.next().unwrap(), records.next().unwrap()];
    let mut moves = 0;
    for round in chatty["rounds"].as_array_mut().unwrap() {
        for played in round["moves"].as_array_mut().unwrap() {
            played["info"] = json!({"pv": "0 1 2 3 ".repeat(20), "score": 4, "nodes": 9});
            moves += 1;
        }
    }
    // More than a page has room for in all.
    let matches = 600_000 / (80 * moves) + 1;
    let page =
        page_of(&folder, &(format!("{chatty}\n").repeat(matches) + &faulty.to_string()), &[]);
    let data = data(&page);
    let all = data["matches"].as_array().unwrap();
    assert_eq!(all.len(), matches + 1);
    let fault = &all.last().unwrap()[6][0][5]["fault"];
    assert!(fault["detail"].as_str().unwrap().contains("no house 9"), "{fault}");
    assert!(page.contains("texts written by bots, such as stderr or info, did not fit in full."));
    // What is cut keeps its number for the script.
    let info = all[0][6][0][5]["info"][0][1].as_str().unwrap();
    assert!(info.starts_with(r#"{"score":4,"…":"{\"#), "{info}");
}

#[test]
fn no_link_leads_to_a_game_that_was_left_out() {
    let folder = TestFolder::new();
    tournament(&folder);
    let links = |page: &str, beginning: &str| -> Vec<String> {
        let beginning = format!("href=\"#{beginning}-");
        let all = page.split(&beginning).skip(1);
        all.map(|rest| rest.split('"').next().unwrap().to_owned()).collect()
    };
    for games in ["none", "1", "3", "all"] {
        report(&folder, &format!("t.jsonl -q --games {games}")).success();
        let page = folder.read("t.html");
        let data = data(&page);
        let matches = data["matches"].as_array().unwrap();
        let numbers: Vec<String> = matches.iter().map(|of| of[0].to_string()).collect();
        let to_matches = links(&page, "match");
        for link in &to_matches {
            let number = link.split('-').next().unwrap().to_owned();
            assert!(numbers.contains(&number), "{games}: {link}");
        }
        let address = |row: &Value| {
            let row = usize::try_from(row.as_u64().unwrap()).unwrap();
            data["bots"][row][1].as_str().unwrap()
        };
        let mut pairs: Vec<String> = Vec::new();
        for of in matches {
            let [a, b] = [address(&of[3]), address(&of[4])];
            pairs.extend([format!("{a}~{b}"), format!("{b}~{a}")]);
        }
        pairs.sort();
        pairs.dedup();
        // One from the crosstable and one from the part of the bot.
        let mut found = links(&page, "pair");
        found.sort();
        let twice: Vec<String> =
            pairs.iter().flat_map(|pair| [pair.clone(), pair.clone()]).collect();
        assert_eq!(found, twice, "{games}");
        // The first case of the fault stays, with a link or without.
        assert!(page.contains("<p>The first case: "), "{games}");
        assert_eq!(to_matches.is_empty(), games == "none");
    }
}

#[test]
fn every_link_has_its_target_without_the_script() {
    let folder = TestFolder::new();
    contest_page(&folder);
    report(&folder, "c.jsonl -q --games 3 -o few.html").success();
    for file in ["c.html", "few.html"] {
        let page = folder.read(file);
        let page = page.split("<script").next().unwrap();
        let all = |before: &str| -> Vec<&str> {
            page.split(before).skip(1).map(|rest| rest.split('"').next().unwrap()).collect()
        };
        let ids = all(" id=\"");
        let different: BTreeSet<&str> = ids.iter().copied().collect();
        assert_eq!(different.len(), ids.len(), "{file}: {ids:?}");
        let links = all("href=\"#");
        assert!(links.iter().any(|link| link.contains("-move-")));
        let lost: Vec<_> = links.iter().filter(|link| !different.contains(**link)).collect();
        assert!(lost.is_empty(), "{file}: {lost:?}");
    }
}

#[test]
fn the_margins_are_a_table_too() {
    let folder = TestFolder::new();
    let records = matches_of(&["a", "b"], &|_, _, number| match number {
        0..3 => [15, 21],
        3 => [18, 18],
        _ => [21, 15],
    });
    let page = page_of(&folder, &records, &["--assets", "figures"]);
    assert_eq!(cells(&page, "Rounds by their margin"), [["-6", "3"], ["0", "1"], ["+6", "4"]]);
    assert_eq!(folder.read("figures/margins.csv"), "margin,rounds\n-6,3\n0,1\n6,4\n");
}

#[test]
fn a_single_match_is_over() {
    let folder = TestFolder::new();
    mancala(["match", "builtin:easy", &format!("x={NINE}"), "--report", "m.html", "-q"])
        .in_folder(folder.path())
        .run()
        .code(0);
    let page = folder.read("m.html");
    for title in ["<title>easy against x</title>", "<h1>easy against x</h1>"] {
        assert!(page.contains(title), "{title}");
    }
    let lead = page.split("<p class=\"lead\">").nth(1).unwrap().split('<').next().unwrap();
    assert!(lead.contains(" won. One match does not say whether it is stronger than "), "{lead}");
}

#[test]
fn equal_bots_share_the_first_place() {
    let folder = TestFolder::new();
    for (names, words) in [
        (&["a", "b"][..], "a and b share the first place."),
        (&["a", "b", "c"], "a, b and c share the first place."),
        (&["a", "b", "c", "d"], "4 bots share the first place."),
    ] {
        let page = page_of(&folder, &matches_of(names, &|_, _, _| [18, 18]), &[]);
        assert!(page.contains(&format!("<p class=\"lead\">{words}</p>")), "{words}");
    }
    let page = page_of(&folder, &four_bots(), &[]);
    assert!(page.contains("<p class=\"lead\">hard leads"));
}

#[test]
fn numbers_and_their_words_agree() {
    let folder = TestFolder::new();
    let records = matches_of(&["a", "b"], &|_, _, _| [21, 15]);
    let page = page_of(&folder, records.lines().next().unwrap(), &[]);
    assert!(page.contains("<p>Rank 1 of 2, 1 point from 1 match: 1 won, 0 drawn, 0 lost."));
    assert!(page.contains("<p>Rank 2 of 2, 0 points from 1 match: 0 won, 0 drawn, 1 lost."));
    let page = page_of(&folder, &records, &[]);
    assert!(page.contains("<p>Rank 1 of 2, 8 points from 8 matches: 8 won"));
    mancala(["match", "builtin:easy", &format!("x={NINE}"), "--report", "m.html", "-q"])
        .args(["--fault-policy", "substitute", "--max-faults", "1"])
        .in_folder(folder.path())
        .run()
        .code(0);
    let page = folder.read("m.html");
    assert!(page.contains("a fault is substituted, up to 1 fault of a bot in a round"));
    assert!(page.contains("<h4>illegal move, 4 times</h4>"));
}

#[test]
fn a_page_says_what_bots_were_held_to_and_where_that_differs() {
    let folder = TestFolder::new();
    tournament(&folder);
    report(&folder, "t.jsonl -q").success();
    let page = folder.read("t.html");
    let fact = |page: &str, term: &str| {
        let text = page.split(&format!("<dt>{term}</dt><dd>")).nth(1).unwrap();
        text.split("</dd>").next().unwrap().to_owned()
    };
    assert_eq!(fact(&page, "Format"), "round robin; openings: 3 positions after 4 random moves");
    assert_eq!(
        fact(&page, "Limits"),
        "1GiB of memory for each bot; 256 processes and threads of a bot at once; files of up to \
         64MiB; 1h of processor time for each process; without the sandbox; a bot that uses the \
         processor during its opponent's turn is frozen."
    );
    assert!(fact(&page, "Terms").starts_with("1000 ms a move; "));
    let red = "The red line is the limit of a move";
    assert!(page.contains("class=\"limit\"") && page.contains(red));

    let bots = ["easy=builtin:easy", "random=builtin:random"];
    mancala(["match", "--record", "other.jsonl", "-q", "--move-time=3s", "--memory=2GiB"])
        .args(bots)
        .in_folder(folder.path())
        .run()
        .success();
    report(&folder, "t.jsonl other.jsonl -q --merge terms,versions").success();
    let page = folder.read("t.html");
    let differ = "Not the same in all matches; the remarks say in what they differ.";
    assert_eq!((&*fact(&page, "Terms"), &*fact(&page, "Limits")), (differ, differ));
    assert!(fact(&page, "Rules").starts_with("learneroo: "));
    assert!(!page.contains("class=\"limit\"") && !page.contains(red));

    let kalah = four_bots().replace("learneroo", "kalah").replace("\"sow\"", "\"skip\"");
    let page = page_of(&folder, &(four_bots() + &kalah), &["--merge", "rules"]);
    assert_eq!(fact(&page, "Rules"), differ);
}

/// About how wide a text is, in letters of 12 pixels.
fn width(text: &str) -> f64 {
    let of = |c: char| if c >= '\u{2e80}' || "WM".contains(c) { 12.0 } else { 7.0 };
    text.chars().map(of).sum()
}

#[test]
fn every_text_of_a_plot_is_within_it() {
    let folder = TestFolder::new();
    let names = [
        "WWWWWWWW_MAXIMILIAN_SCHWARZENEGGER_PANN",
        "WWWWWWWW_MAXIMILIAN_SCHWARZENEGGER_PETE",
        "播棋播棋播棋播棋播棋播棋播棋播棋播棋",
        "iiii",
    ];
    let records = matches_of(&names, &|one, _, number| {
        if number == 0 {
            [14, 22]
        } else {
            [21 + u8::try_from(one).unwrap(), 15 - u8::try_from(one).unwrap()]
        }
    });
    let slow = records
        .replace("\"ms\":0.1", "\"ms\":98765.432")
        .replace("\"move_time_ms\":1000", "\"move_time_ms\":100000");
    page_of(&folder, &slow, &["--assets", "figures"]);
    // The last bot was never to move, so no time of it is known.
    for (file, labels) in [("ratings", 4), ("times", 3), ("margins", 0)] {
        let drawing = folder.read(&format!("figures/{file}.svg"));
        let mut shown_names = Vec::new();
        for text in drawing.split("<text ").skip(1) {
            let attribute = |name: &str| {
                let rest = text.split(&format!("{name}=\"")).nth(1).unwrap();
                rest.split('"').next().unwrap()
            };
            let x: f64 = attribute("x").parse().unwrap();
            let shown = text.split("</text>").next().unwrap().rsplit('>').next().unwrap();
            // In a page what is faint is larger.
            let is_faint = attribute("class") == "faint";
            let width = if is_faint { 1.2 * width(shown) } else { width(shown) };
            let left = match attribute("text-anchor") {
                "start" => x,
                "middle" => x - width / 2.0,
                _ => x - width,
            };
            assert!(left >= 0.0 && left + width <= 640.0, "{file}: {shown:?} {left} {width}");
            if attribute("class") == "name" {
                let whole = text.split("<title>").nth(1).unwrap().split('<').next().unwrap();
                assert!(names.iter().any(|name| whole.ends_with(name)), "{whole}");
                shown_names.push(shown.to_owned());
            }
        }
        shown_names.sort();
        shown_names.dedup();
        assert_eq!(shown_names.len(), labels, "{file}: {shown_names:?}");
    }
    // Seeds are whole.
    let margins = folder.read("figures/margins.svg");
    assert!(!margins.contains(".5</text>"), "{margins}");
}

#[test]
fn tables_for_programs_have_a_number_in_each_cell() {
    let folder = TestFolder::new();
    tournament(&folder);
    report(&folder, "t.jsonl -q --assets figures").success();
    let rows = |file: &str| -> Vec<Vec<String>> {
        let mut reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .from_path(folder.path().join("figures").join(file))
            .unwrap();
        reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect()
    };
    let games = rows("games.csv");
    let heads = "match,round,tournament_match,first,second,seeds_first,seeds_second,ending,faults,\
                 moves,longest_ms,opening";
    assert_eq!(games[0].join(","), heads);
    assert_eq!(games.len(), 1 + 18);
    let movers = rows("first-mover.csv");
    assert_eq!(movers[0].join(","), "first,second,won,drawn,lost");
    assert_eq!(movers.len(), 1 + 6);
    let number = |text: &String| text.parse::<f64>().unwrap();
    for row in &games[1..] {
        for column in [0, 1, 2, 5, 6, 9, 11] {
            assert!(number(&row[column]) >= 0.0);
        }
        let mover = movers.iter().find(|mover| mover[..2] == row[3..5]).unwrap();
        let rounds = mover[2..].iter().map(|text| text.parse::<u64>().unwrap());
        assert_eq!(rounds.sum::<u64>(), 3);
    }
}

#[test]
fn an_opening_has_one_number_whatever_file_it_is_in() {
    let folder = TestFolder::new();
    let openings = |page: &str| -> Vec<String> {
        cells(page, "A row for each round").into_iter().map(|row| row[10].clone()).collect()
    };
    // Two openings in plain matches.
    let records = matches_of(&["a", "b"], &|_, _, number| [[20, 16], [16, 20]][number % 2]);
    assert_eq!(openings(&page_of(&folder, &records, &[])), ["1", "2"].repeat(4));
    // The first opening of one suite is the second of another; a suite alone keeps its numbers.
    let suite = ["0,1,0,1,2,1,14,0,1,0,2,1,0,13\n", "1,0,2,0,0,3,13,2,0,1,0,2,0,12\n"];
    for (file, lines) in [("one", [suite[0], suite[1]]), ("other", [suite[1], suite[0]])] {
        fs::write(folder.file(&format!("{file}.txt")), lines.concat()).unwrap();
        mancala(["tournament", "a=builtin:easy", "b=builtin:random", "--count=2", "-q"])
            .args([&format!("--openings=file:{file}.txt"), "--record", &format!("{file}.jsonl")])
            .arg("--oversubscribe")
            .in_folder(folder.path())
            .run()
            .success();
    }
    report(&folder, "other.jsonl -q").success();
    let alone = openings(&folder.read("other.html"));
    report(&folder, "one.jsonl other.jsonl -q -o both.html").success();
    let both = openings(&folder.read("both.html"));
    let data = data(&folder.read("both.html"));
    let boards = data["matches"].as_array().unwrap().iter().map(|of| of[5].to_string());
    let boards: Vec<String> = boards.flat_map(|board| [board.clone(), board]).collect();
    assert_eq!((alone.len(), both.len()), (4, 8));
    for (number, board) in both.iter().zip(&boards) {
        for (other_number, other) in both.iter().zip(&boards) {
            assert_eq!(number == other_number, board == other, "{both:?} {boards:?}");
        }
    }
    let records = lines(&folder.file("other.jsonl")).into_iter();
    let numbers = records.filter(|line| line["format"] == "mancala-match/1");
    let numbers: Vec<String> = numbers.map(|of| of["tournament"]["opening"].to_string()).collect();
    assert_eq!([&alone[0], &alone[2]], [&numbers[0], &numbers[1]]);
}

#[test]
fn a_case_shows_the_line_that_was_sent() {
    let folder = TestFolder::new();
    let late = r#"x=bash -c 'n=0; while read -r l; do case $l in *type*turn*) n=$((n+1)); h=${l#*legal*[}; [ $n -gt 3 ] && echo no || echo "${h%%[],]*}";; esac; done'"#;
    mancala(["match", "builtin:easy", late, "--game-time=9s", "--log", "logs", "-q"])
        .args(["--report", "m.html"])
        .in_folder(folder.path())
        .run()
        .code(0);
    let bundles = fs::read_dir(folder.file("logs/easy-vs-x-1")).unwrap().flatten();
    let bundles = bundles.filter(|file| file.file_name().to_string_lossy().starts_with("fault-"));
    let mut bundles: Vec<Value> = bundles
        .map(|file| serde_json::from_str(&fs::read_to_string(file.path()).unwrap()).unwrap())
        .collect();
    bundles.sort_by_key(|bundle| bundle["round"].as_u64());
    let page = folder.read("m.html");
    let sent = page.split("<dt>Sent</dt><dd>").nth(1).unwrap();
    let sent = sent.split("</dd>").next().unwrap().replace("&quot;", "\"");
    let line = |text: &str| -> Value { serde_json::from_str(text).unwrap() };
    let (mut found, mut expected) = (line(&sent), line(bundles[0]["input"].as_str().unwrap()));
    // The record has times in microseconds.
    let left =
        [&mut found, &mut expected].map(|line| line["time_left_ms"].take().as_u64().unwrap());
    assert!(left[0].abs_diff(left[1]) <= 1, "{left:?}");
    for line in [&mut found, &mut expected] {
        line["move_time_ms"].take();
    }
    assert_eq!(found, expected);
}

#[test]
fn the_page_of_a_match_has_the_command_that_shows_a_fault_again() {
    let folder = TestFolder::new();
    let page = |other: &str| {
        mancala(["match", "builtin:easy", other, "-q", "--record=my games.jsonl"])
            .args(["--report", "m.html"])
            .in_folder(folder.path())
            .run()
            .code(0);
        folder.read("m.html")
    };
    let command = "mancala replay 'my games.jsonl' --match ";
    let nine = format!("x={NINE}");
    assert!(page(&nine).contains(&format!("{command}1 --round 1")));
    assert!(!page("builtin:random").contains(command));
    // A note is no match.
    let note = json!({"format": "mancala-note/1", "tournament": "00000000000000aa", "match": 1,
        "note": "unfinished", "bot": null, "detail": "x"});
    let text = folder.read("my games.jsonl");
    fs::write(folder.file("my games.jsonl"), format!("{note}\n{text}")).unwrap();
    assert!(page(&nine).contains(&format!("{command}3 --round 1")));
    let replay = ["replay", "my games.jsonl", "--match", "3", "--round", "1"];
    mancala(replay).in_folder(folder.path()).run().success().says("there is no house 9");
}
