//! Filters, sorting and links.

use serde_json::{Value, json};

use super::{address, whole_match};
use crate::report::browser::Browser;
use crate::report::contest::contest_page;
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
        assert!(!expected.is_empty() && expected.len() < all.len(), "{choices:?}");
        assert_eq!(shown_rounds(&browser), expected, "{choices:?}");
        let count = format!("{} of {} games", expected.len(), all.len());
        assert_eq!(browser.text_of("#filters .count"), count);
        assert_eq!(browser.text_of("#live"), count);
    };
    let fault = |round: &Value| round["result"]["fault"]["kind"].as_str().map(str::to_owned);
    choose(&[("Bot", "easy")], rounds_where(&matches, |names, _, _, _| names.contains(&"easy")));
    choose(
        &[("Opponent", "hangs")],
        rounds_where(&matches, |names, _, _, _| names.contains(&"hangs")),
    );
    let evil = crate::report::page::EVIL;
    choose(&[("Bot", evil)], rounds_where(&matches, |names, _, _, _| names.contains(&evil)));
    choose(
        &[("Bot", "easy"), ("Opponent", "says")],
        rounds_where(&matches, |names, _, _, _| names.contains(&"easy") && names.contains(&"says")),
    );
    for (word, sign) in [("won", 1), ("lost", -1)] {
        choose(
            &[("Bot", "random"), ("Result", word)],
            rounds_where(&matches, |names, score, _, _| {
                names
                    .iter()
                    .position(|it| *it == "random")
                    .is_some_and(|seat| (score[seat] - score[1 - seat]).signum() == sign)
            }),
        );
    }
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
    choose(&[("Bot", "easy")], rounds_where(&matches, |names, _, _, _| names.contains(&"easy")));
    let shown = shown_rounds(&browser);
    browser.click("table.games tbody tr:not([hidden]) a");
    let at = |(number, round): (usize, usize)| format!("#match-{number}-round-{round}");
    assert_eq!(address(&browser), at(shown[0]));
    let next = "[...document.querySelectorAll('#board button')].find((it) => it.textContent === 'Next game')";
    browser.run(&format!("{next}.click()"));
    assert_eq!(address(&browser), at(shown[1]));
    browser.expect_silence(&page);
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
    let mut numbers = 0;
    for (table, columns) in tables.iter().enumerate() {
        for column in 0..*columns {
            for is_down in [true, false] {
                let found = browser.run(&format!(
                    "const table = document.querySelectorAll('table.games, table.sortable')[{table}]; \
                     const head = table.tHead.rows[0].cells[{column}]; head.querySelector('button').click(); \
                     return [head.getAttribute('aria-sort'), table.querySelectorAll('[aria-sort]').length, \
                       [...table.tBodies[0].rows].map((row) => row.cells[{column}].textContent)]"
                ));
                assert_eq!(found[0], if is_down { "descending" } else { "ascending" });
                assert_eq!(found[1], 1);
                let texts: Vec<String> = serde_json::from_value(found[2].clone()).unwrap();
                // Where every cell is a number, they are in its order; empty cells come last.
                let shown: Vec<&String> =
                    texts.iter().filter(|text| !text.trim().is_empty()).collect();
                let values: Option<Vec<f64>> = shown.iter().map(|text| text.parse().ok()).collect();
                if let Some(values) = values {
                    let is_sorted = |pair: &[f64]| {
                        if is_down { pair[0] >= pair[1] } else { pair[0] <= pair[1] }
                    };
                    assert!(values.windows(2).all(is_sorted), "{table} {column}: {values:?}");
                    numbers += 1;
                }
            }
        }
    }
    assert!(numbers > 10, "{numbers}");
    browser.expect_accessible("sorted tables");
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
    // To a move that there is not: the end.
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
    browser.open(&page, &format!("#bot-{evil}"));
    is_seen(&format!("[id='bot-{evil}'] h3"));
    browser.expect_silence(&page);
}
