//! Filters, sorting and links.

use std::collections::BTreeMap;
use std::ops::AddAssign as _;

use serde_json::{Value, json};

use super::{ESCAPE, address, whole_match};
use crate::report::browser::Browser;
use crate::report::contest::contest_page;
use crate::report::node;
use crate::requirements::are_there;
use crate::test_folder::TestFolder;

/// The rounds whose rows are shown, in their order: the match's place and the round.
fn shown_rounds(browser: &Browser) -> Vec<(usize, usize)> {
    let shown = browser.run(
        "return [...document.querySelectorAll('table.games tbody tr')].filter((row) => !row.hidden) \
           .map((row) => row.querySelector('a').hash.match(/\\d+/g).map(Number))",
    );
    serde_json::from_value(shown).unwrap()
}

/// The rounds of which this is true: the names of who moved first and second, and the round.
fn rounds_where(
    matches: &[Value],
    is: impl Fn([&str; 2], [i64; 2], &Value, &Value) -> bool,
) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for (number, record) in (1..).zip(matches) {
        for round in record["rounds"].as_array().unwrap() {
            let mut seats = [0, 1];
            if round["first"] == 1 {
                seats.reverse();
            }
            let names = seats.map(|seat| record["bots"][seat]["name"].as_str().unwrap());
            let score = seats.map(|seat| round["result"]["score"][seat].as_i64().unwrap());
            if is(names, score, round, record) {
                found.push((number, usize::try_from(round["round"].as_u64().unwrap()).unwrap()));
            }
        }
    }
    found
}

#[test]
fn filters_show_exactly_the_games_of_which_a_plain_predicate_is_true() {
    if are_there("node", "filters of random games") {
        // Choices, of which some show a part of the games.
        let found = node(["filters", "200"]);
        let counts: Vec<u32> = found.lines().map(|line| line.parse().expect(&found)).collect();
        assert!(counts[0] == 10_240 && counts[1] > 1000, "{counts:?}");
    }
}

#[test]
fn filters_show_the_games_that_they_ask_for() {
    let Some(browser) = Browser::start("filters of a page in a browser") else { return };
    let folder = TestFolder::new();
    let matches = contest_page(&folder);
    let page = folder.file("c.html");
    browser.open(&page, "#games");
    let all = rounds_where(&matches, |_, _, _, _| true);
    assert_eq!(shown_rounds(&browser), all);
    let labels = ["Bot", "Opponent", "Result", "Ending", "Fault", "Opening", "Blunders"];
    let shown = browser.run(
        "return [...document.querySelectorAll('#filters label')].map((it) => it.firstChild.data)",
    );
    assert_eq!(shown, json!(labels));
    let choose = |choices: &[(&str, &str)], expected: Vec<(usize, usize)>| {
        browser.click("#filters button");
        assert_eq!(shown_rounds(&browser), all);
        for (label, text) in choices {
            let number = labels.iter().position(|it| it == label).unwrap() + 1;
            let at = browser.run(&format!(
                "const options = document.querySelectorAll('#filters label:nth-of-type({number}) option'); \
                 return [...options].findIndex((it) => it.textContent === {text:?}) + 1"
            ));
            browser.click(&format!("#filters label:nth-of-type({number}) option:nth-child({at})"));
        }
        assert!(expected.len() < all.len(), "{choices:?}");
        assert_eq!(shown_rounds(&browser), expected, "{choices:?}");
        let count = format!("Games shown: {} of {}", expected.len(), all.len());
        assert_eq!(browser.text_of("#filters .count"), count);
        assert_eq!(browser.text_of("#live"), count);
    };
    let fault = |round: &Value| round["result"]["fault"]["kind"].as_str().map(str::to_owned);
    let of = |bot: &str| rounds_where(&matches, |names, _, _, _| names.contains(&bot));
    let evil = crate::report::page::EVIL;
    for (label, bot) in [("Bot", "easy"), ("Opponent", "hangs"), ("Bot", evil)] {
        choose(&[(label, bot)], of(bot));
    }
    choose(
        &[("Bot", "easy"), ("Opponent", "says")],
        rounds_where(&matches, |names, _, _, _| names.contains(&"easy") && names.contains(&"says")),
    );
    let has_won = |score: [i64; 2], seat: usize| score[seat] > score[1 - seat];
    for (word, winner) in [("won", [0, 1]), ("lost", [1, 0])] {
        choose(
            &[("Bot", "random"), ("Result", word)],
            rounds_where(&matches, |names, score, _, _| {
                (0..2).any(|seat| names[seat] == "random" && has_won(score, winner[seat]))
            }),
        );
    }
    // Without a bot the result is that of who plays the opponent, or of either.
    choose(
        &[("Opponent", "random"), ("Result", "won")],
        rounds_where(&matches, |names, score, _, _| {
            (0..2).any(|seat| names[1 - seat] == "random" && has_won(score, seat))
        }),
    );
    choose(&[("Result", "drawn")], rounds_where(&matches, |_, score, _, _| score[0] == score[1]));
    // The fault is the bot's.
    choose(&[("Bot", "easy"), ("Fault", "timeout")], Vec::new());
    choose(
        &[("Bot", evil), ("Opponent", "hangs"), ("Fault", "illegal move")],
        rounds_where(&matches, |names, _, round, _| {
            names.contains(&evil)
                && names.contains(&"hangs")
                && fault(round).as_deref() == Some("illegal_move")
        }),
    );
    choose(
        &[("Ending", "forfeit")],
        rounds_where(&matches, |_, _, round, _| fault(round).is_some()),
    );
    choose(
        &[("Ending", "completed")],
        rounds_where(&matches, |_, _, round, _| fault(round).is_none()),
    );
    for kind in ["illegal_move", "invalid_reply", "exited", "timeout"] {
        choose(
            &[("Fault", &kind.replace('_', " "))],
            rounds_where(&matches, |_, _, round, _| fault(round).as_deref() == Some(kind)),
        );
    }
    choose(
        &[("Opening", "2")],
        rounds_where(&matches, |_, _, _, record| record["tournament"]["opening"] == 2),
    );
    let blunders = browser.run(
        "return [...document.querySelectorAll('table.games tbody tr')] \
           .filter((row) => Number(row.lastElementChild.textContent) > 0) \
           .map((row) => row.querySelector('a').hash.match(/\\d+/g).map(Number))",
    );
    choose(&[("Blunders", "one or more")], serde_json::from_value(blunders).unwrap());
    browser.expect_accessible("a filtered list");

    // The next game is the next one of those that are shown.
    choose(&[("Bot", "easy")], of("easy"));
    let shown = shown_rounds(&browser);
    browser.click("table.games tbody tr:not([hidden]) a");
    let at = |(number, round): (usize, usize)| format!("#match-{number}-round-{round}");
    assert_eq!(address(&browser), at(shown[0]));
    let next = "[...document.querySelectorAll('#board button')].find((it) => it.textContent === 'Next game')";
    browser.run(&format!("{next}.click()"));
    assert_eq!(address(&browser), at(shown[1]));
    browser.expect_silence(&page);
}

/// What a cell is sorted by: a number, or a text after the number that it begins with.
type Key = (f64, String);

fn sort_key(text: &str, is_number: bool, title: &str) -> Option<Key> {
    let text = text.trim();
    let number = |text: &str| {
        let is_part = |c: char| c.is_ascii_digit() || "+-.".contains(c);
        let end = text.find(|c| !is_part(c)).unwrap_or(text.len());
        text[..end].parse::<f64>().ok()
    };
    if !is_number {
        let rest = text.trim_start_matches(|c: char| c.is_ascii_digit()).to_lowercase();
        return (!text.is_empty()).then(|| (number(text).unwrap_or(0.0), rest));
    }
    let value = match text.split_once(':') {
        Some((one, two)) if title == "given away" => Some(number(one)? + number(two)?),
        Some((one, two)) => Some(number(one)? - number(two)?),
        None => match text.split_once('/') {
            Some((one, all)) => Some(number(one)? / number(all)?),
            None => number(text),
        },
    };
    value.map(|value| (value, String::new()))
}

#[test]
fn every_head_of_the_tables_sorts_its_column() {
    let Some(browser) = Browser::start("sorting tables in a browser") else { return };
    let folder = TestFolder::new();
    contest_page(&folder);
    let page = folder.file("c.html");
    browser.open(&page, "");
    let tables = browser.run("return [...document.querySelectorAll('table.games, table.sortable')].map((it) => it.tHead.rows[0].cells.length)");
    let tables: Vec<usize> = serde_json::from_value(tables).unwrap();
    assert!(tables.len() > 1, "{tables:?}");
    let mut sorted: BTreeMap<(bool, bool), u32> = BTreeMap::new();
    for (table, columns) in tables.iter().enumerate() {
        for column in 0..*columns {
            let head = browser.run(&format!(
                "const head = document.querySelectorAll('table.games, table.sortable')[{table}] \
                   .tHead.rows[0].cells[{column}]; return [head.textContent, head.className === 'n']"
            ));
            let (title, is_number) = (head[0].as_str().unwrap(), head[1] == true);
            // Texts are first sorted from A to Z.
            for is_down in [is_number, !is_number] {
                let found = browser.run(&format!(
                    "const table = document.querySelectorAll('table.games, table.sortable')[{table}]; \
                     const head = table.tHead.rows[0].cells[{column}]; head.querySelector('button').click(); \
                     return [head.getAttribute('aria-sort'), getComputedStyle(head.querySelector('button'), '::after').content, table.querySelectorAll('[aria-sort]').length, \
                       [...table.tBodies[0].rows].map((row) => row.cells[{column}].textContent)]"
                ));
                let (order, arrow) =
                    if is_down { ("descending", "\" ▼\"") } else { ("ascending", "\" ▲\"") };
                assert_eq!(
                    [&found[0], &found[1], &found[2]],
                    [&json!(order), &json!(arrow), &json!(1)]
                );
                let texts: Vec<String> = serde_json::from_value(found[3].clone()).unwrap();
                let keys: Vec<Option<Key>> =
                    texts.iter().map(|text| sort_key(text, is_number, title)).collect();
                let is_sorted = |pair: &[Option<Key>]| match (&pair[0], &pair[1]) {
                    (Some(one), Some(two)) => one == two || (one < two) != is_down,
                    // Empty cells come last.
                    (one, two) => one.is_some() || two.is_none(),
                };
                assert!(keys.windows(2).all(is_sorted), "{title} {order}: {keys:?}");
                sorted.entry((is_number, texts[0].contains(':'))).or_insert(0).add_assign(1);
            }
        }
    }
    // Numbers, texts, and numbers of each side.
    assert!(sorted.len() >= 3 && sorted.values().sum::<u32>() > 40, "{sorted:?}");
    browser.expect_accessible("sorted tables");
    // The share counts, not the points.
    let shares = browser.run(
        "const heads = [...document.querySelectorAll('#table-1 thead th')]; \
         const column = heads.findIndex((it) => it.textContent === 'first'); \
         const texts = ['7.5/9', '10/30', '0/0', '3/3']; \
         const cells = [...document.querySelectorAll('#table-1 tbody tr')].map((it) => it.cells[column]); \
         cells.slice(4).forEach((it) => it.parentElement.remove()); \
         cells.slice(0, 4).forEach((it, at) => { it.textContent = texts[at]; }); \
         heads[column].removeAttribute('aria-sort'); heads[column].querySelector('button').click(); \
         return [...document.querySelectorAll('#table-1 tbody tr')].map((it) => it.cells[column].textContent)",
    );
    assert_eq!(shares, json!(["3/3", "7.5/9", "10/30", "0/0"]));
    browser.expect_silence(&page);
}

#[test]
fn links_lead_to_games_moves_bots_and_pairs() {
    let Some(browser) = Browser::start("links of a page in a browser") else { return };
    let folder = TestFolder::new();
    let matches = contest_page(&folder);
    let page = folder.file("c.html");
    let number = whole_match(&matches);
    let in_tournament = &matches[number - 1]["tournament"]["match"];
    let is_seen = |selector: &str| {
        browser.wait_for(&format!(
            "(() => {{ const box = document.querySelector({selector:?}).getBoundingClientRect(); \
               return box.bottom > 0 && box.top < innerHeight; }})()"
        ));
    };
    for (link, step) in [("-round-2", 0), ("", 0), ("-round-1-move-2", 2)] {
        let link = format!("#match-{number}{link}");
        browser.open(&page, &link);
        is_seen("#board h2");
        let heading = browser.text_of("#board h2");
        let round = if link.contains("round-2") { 2 } else { 1 };
        let begin =
            format!("Match {number} (number {in_tournament} of its tournament), round {round}:");
        assert!(heading.starts_with(&begin), "{heading}");
        assert_eq!(
            browser.run("return Number(document.querySelector('#board input').value)"),
            step,
            "{link}"
        );
    }
    browser.open(&page, "#match-999");
    let expect_missing = |sentence: &str| {
        is_seen("#missing");
        assert_eq!(
            browser.run("return document.querySelector('#missing').checkVisibility()"),
            true
        );
        assert_eq!(browser.text_of("#missing"), sentence);
        assert_eq!(browser.text_of("#live"), sentence);
    };
    expect_missing("Match 999 is not among the games of this page.");
    browser.expect_accessible("a link to a game that is not there");
    browser.open(&page, &format!("#match-{number}-round-3-move-2"));
    expect_missing(&format!("Match {number} has no round 3."));
    assert_eq!(browser.run("return document.getElementById('board').hidden"), true);
    let moves = matches[number - 1]["rounds"][0]["moves"].as_array().unwrap().len();
    // After the last move there is the end.
    browser.open(&page, &format!("#match-{number}-round-1-move-{}", moves + 2));
    expect_missing(&format!("Match {number}, round 1 has no move {}.", moves + 2));
    assert_eq!(browser.run("return document.getElementById('board').hidden"), true);
    browser.open(&page, "#bot-nobody%20%3Cb%3E");
    expect_missing("nobody <b> is not among the bots of this page.");
    // What the reader asks for next is another matter.
    browser.click("#filter-result option[value='won']");
    assert_eq!(browser.run("return document.querySelector('#missing').checkVisibility()"), false);
    for (pair, bots) in [
        ("easy~easy", ["easy", "easy"]),
        ("easy~nobody%20%3Cb%3E%E2%80%AE", ["easy", "nobody <b>·"]),
    ] {
        browser.open(&page, &format!("#pair-{pair}"));
        let [bot, opponent] = bots;
        expect_missing(&format!(
            "No game of {bot} against {opponent} is among the games of this page."
        ));
        assert_eq!(shown_rounds(&browser).len(), 2 * matches.len());
    }
    // It is gone with the next link that leads somewhere.
    browser.click("table.games tbody tr a");
    browser.wait_for("document.getElementById('missing').hidden");
    // A cell of the crosstable leads to the games of the two, by a click and by its address.
    let evil = "%3C%2Fscript%3E%3Cimg%20src%3Dx%20onerror%3Dalert%281%29%3E";
    let expected = rounds_where(&matches, |names, _, _, _| {
        names.contains(&"easy") && names.contains(&crate::report::page::EVIL)
    });
    browser.open(&page, "");
    browser.click(&format!(".cross a[href='#pair-easy~{evil}']"));
    browser.wait_for(&format!("location.hash === '#pair-easy~{evil}'"));
    is_seen("#filters");
    assert_eq!(shown_rounds(&browser), expected);
    browser.open(&page, &format!("#pair-easy~{evil}"));
    is_seen("#filters");
    assert_eq!(shown_rounds(&browser), expected);
    // Every link of the page leads somewhere in it.
    let lost = browser.run(
        "return [...document.querySelectorAll('a')].map((it) => it.hash).filter((hash) => hash === '' || \
           !document.getElementById(decodeURIComponent(hash.slice(1))) && \
           !document.getElementById(hash.slice(1)) && !document.getElementById(`at-${hash.slice(1)}`) && \
           !/^#match-\\d+-round-\\d+(-move-\\d+)?$/.test(hash))",
    );
    assert_eq!(lost, json!([]));
    // A link to what is in the address already leads there once more.
    let follow = |link: &str, seen: &str| {
        browser.run("window.scrollTo(0, document.body.scrollHeight / 2)");
        browser.run(&format!("document.querySelector(\"a[href='{link}']\").click()"));
        is_seen(seen);
    };
    for _ in 0..2 {
        follow("#ranking", "#ranking h2");
    }
    for _ in 0..2 {
        follow(&format!("#match-{number}-round-1"), "#board h2");
    }
    browser.press(&ESCAPE.to_string());
    assert_eq!(address(&browser), "#games");
    follow("#games", "#games h2");
    browser.open(&page, &format!("#bot-{evil}"));
    is_seen(&format!("[id='bot-{evil}'] h3"));
    browser.expect_silence(&page);
}

#[test]
fn addresses_that_lead_nowhere_are_told_as_they_were_written() {
    let Some(browser) = Browser::start("wrong addresses of a page") else { return };
    let folder = TestFolder::new();
    contest_page(&folder);
    let page = folder.file("c.html");
    // Addresses that are like none of the page are told, too; a number is told as it was written.
    for (address, sentence) in [
        (
            "match-99999999999999999999",
            "Match 99999999999999999999 is not among the games of this page.",
        ),
        ("match-2-round-1-move-abc", "#match-2-round-1-move-abc leads nowhere on this page."),
        ("match-", "#match- leads nowhere on this page."),
        ("pair-easy", "#pair-easy leads nowhere on this page."),
        ("%3Cb%3E%E2%80%AE", "#<b>· leads nowhere on this page."),
    ] {
        browser.open(&page, &format!("#{address}"));
        assert_eq!(browser.text_of("#missing"), sentence);
        assert_eq!(browser.text_of("#live"), sentence);
    }
    browser.expect_silence(&page);
}
