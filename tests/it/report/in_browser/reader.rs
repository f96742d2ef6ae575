//! What the board tells its reader: names, curves, sentences, and what keys and paper do.

use serde_json::{Value, json};

use super::{ENTER, LEFT, RIGHT, address, drawn, whole_match};
use crate::program::mancala;
use crate::report::browser::Browser;
use crate::report::contest::contest_page;
use crate::report::page::report;
use crate::test_folder::TestFolder;

const SPACE: char = ' ';

/// The command of a bot that plays the first legal house and says each `info` in turn.
fn says(infos: &[&str]) -> String {
    let quoted: Vec<String> =
        infos.iter().map(|info| format!("\"{}\"", info.replace('"', "\\\""))).collect();
    format!(
        "bash -c 'all=({}); i=0; while read -r line; do case $line in *type*turn*) \
         house=${{line#*legal*[}}; info=${{all[i++ % ${{#all[@]}}]}}; \
         echo \"{{\\\"move\\\":${{house%%[],]*}},\\\"info\\\":$info}}\";; esac; done'",
        quoted.join(" ")
    )
}

/// Plays two bots that say these; their page is `m.html`.
fn said_page(folder: &TestFolder, first: &[&str], second: &[&str]) -> String {
    mancala(["match", "--report", "m.html", "--rules", "kalah", "-q", "--move-time", "1m"])
        .arg(format!("one={}", says(first)))
        .arg(format!("two={}", says(second)))
        .in_folder(folder.path())
        .run()
        .code(0);
    folder.file("m.html")
}

/// The title of the curve at this place, and the numbers on its upright axis from below.
fn curve(browser: &Browser, at: i32) -> (String, Value) {
    let marks = browser.run(&format!(
        "const curve = [...document.querySelectorAll('.curve')].at({at}); \
         return [...curve.querySelectorAll('.grid + text')].map((it) => it.textContent)"
    ));
    let title =
        format!("return [...document.querySelectorAll('.curves figcaption')].at({at}).textContent");
    (browser.text(&title), marks)
}

fn last_curve(browser: &Browser) -> (String, Value) {
    curve(browser, -1)
}

#[test]
fn numbers_that_bots_say_are_drawn_whatever_they_are() {
    let Some(browser) = Browser::start("numbers in info in a browser") else { return };
    let folder = TestFolder::new();
    browser.prefer("", &[("prefers-reduced-motion", "reduce")]);
    // Numbers beyond any judgement are left out, alone or among others.
    for (first, second) in [
        (&["1.7e308"][..], &["-1.7e308", "1e16"][..]),
        (&["1.7e308", "-1.7e308"], &["1e16"]),
        (&["{\"value\":1e16}"], &["-1.7e308"]),
    ] {
        let page = said_page(&folder, first, second);
        browser.open(&page, "#match-1-round-1-move-2");
        assert_eq!(address(&browser), "#match-1-round-1-move-2");
        assert_eq!(browser.run("return document.querySelectorAll('.curve').length"), 2);
        browser.expect_silence(&page);
    }
    let page = said_page(&folder, &["1e15", "1.7e308", "-3e14"], &["{\"depth\":1}"]);
    browser.open(&page, "#match-1-round-1");
    let (title, marks) = last_curve(&browser);
    assert_eq!(title, "What two said, from its own view: depth (numbers in info)");
    assert_eq!(marks, json!(["0", "1"]));
    // Numbers of two kinds may have two scales: each has its own curve.
    let (title, marks) = curve(&browser, -2);
    assert_eq!(title, "What one said, from its own view (numbers in info)");
    assert_eq!(marks, json!(["-500T", "0", "500T", "1000T"]));
    // A judgement comes before a depth, and the title says of what the curve is.
    let deep = ["{\"depth\":3,\"nodes\":77,\"value\":-2}", "{\"nodes\":80,\"depth\":3}"];
    let page = said_page(&folder, &deep, &["{\"nodes\":5,\"score\":-1,\"eval\":1}"]);
    browser.open(&page, "#match-1-round-1");
    let (title, marks) = curve(&browser, -2);
    assert_eq!(title, "What one said, from its own view: value (numbers in info)");
    assert_eq!(marks, json!(["-2", "-1", "0"]));
    let (title, marks) = last_curve(&browser);
    assert_eq!(title, "What two said, from its own view: eval (numbers in info)");
    assert_eq!(marks, json!(["0", "1"]));
    let page = said_page(&folder, &["{\"eval\":-3}"], &["{\"eval\":1}"]);
    browser.open(&page, "#match-1-round-1");
    let (title, marks) = last_curve(&browser);
    assert_eq!(title, "What the bots said, each from its own view: eval (numbers in info)");
    assert_eq!(marks, json!(["-3", "-2", "-1", "0", "1"]));
    let page = said_page(&folder, &["-60000000"], &["0"]);
    browser.open(&page, "#match-1-round-1");
    let (title, marks) = last_curve(&browser);
    assert_eq!(title, "What the bots said, each from its own view (numbers in info)");
    assert_eq!(marks, json!(["-60M", "-40M", "-20M", "0"]));
    expect_text_within_drawings(&browser, "large numbers");
    let page = said_page(&folder, &["0.0000002"], &["0.00000005"]);
    browser.open(&page, "#match-1-round-1");
    assert_eq!(last_curve(&browser).1, json!(["0", "5e-8", "1e-7", "1.5e-7", "2e-7"]));
    expect_text_within_drawings(&browser, "small numbers");
    // A key is a stranger's text: nothing of it is invisible or turns the line around.
    let page = said_page(&folder, &["{\"<b>\\\\u202e\":1}"], &["{}"]);
    browser.open(&page, "#match-1-round-1");
    assert_eq!(last_curve(&browser).0, "What one said, from its own view: <b>· (numbers in info)");
    browser.expect_silence(&page);
}

/// No text of a drawing goes over its edges.
#[track_caller]
fn expect_text_within_drawings(browser: &Browser, state: &str) {
    let found = browser.run(
        "const cut = []; let texts = 0; \
         for (const text of document.querySelectorAll('svg text')) { \
           if (text.getClientRects().length === 0) continue; \
           let drawing = text.ownerSVGElement; \
           while (drawing.ownerSVGElement) drawing = drawing.ownerSVGElement; \
           const box = text.getBBox(); const view = drawing.viewBox.baseVal; texts += 1; \
           if (box.x < view.x || box.y < view.y || box.x + box.width > view.x + view.width || \
             box.y + box.height > view.y + view.height) \
             cut.push([drawing.getAttribute('aria-label'), text.textContent]); } \
         return [texts, cut]",
    );
    assert!(found[0].as_u64().unwrap() > 20, "{state}: {found}");
    assert_eq!(found[1], json!([]), "{state}");
}

#[test]
fn no_text_of_a_drawing_is_cut() {
    let Some(browser) = Browser::start("texts of drawings in a browser") else { return };
    let folder = TestFolder::new();
    let number = whole_match(&contest_page(&folder));
    let page = folder.file("c.html");
    for (width, height) in [(1280, 800), (360, 740)] {
        browser.resize(width, height);
        browser.open(&page, &format!("#match-{number}-round-1-move-3"));
        expect_text_within_drawings(&browser, &format!("{width} wide"));
        // Every curve says what its axes count.
        let curves = browser.run(
            "return [...document.querySelectorAll('.curve')].map((it) => \
               [...it.querySelectorAll('text')].filter((text) => text.textContent === 'move').length)",
        );
        let curves: Vec<u32> = serde_json::from_value(curves).unwrap();
        assert!(curves.len() > 2 && curves.iter().all(|units| *units == 1), "{curves:?}");
    }
}

/// On a phone and on a desk what scrolls by itself has a name of its own, before and after a part is
/// unfolded and the window is turned.
#[test]
fn regions_that_scroll_have_names_of_their_own() {
    let Some(browser) = Browser::start("regions of a page in a browser") else { return };
    let folder = TestFolder::new();
    contest_page(&folder);
    browser.resize(1280, 800);
    browser.open(&folder.file("c.html"), "");
    let names = "return [...document.querySelectorAll('[role=region]')].map((it) => it.ariaLabel)";
    let scroll = "[...document.querySelectorAll('.scroll')].every((it) => \
        (it.scrollWidth > it.clientWidth || it.scrollHeight > it.clientHeight) === \
        (it.tabIndex === 0 && it.role === 'region'))";
    let mut counts = Vec::new();
    for (width, height) in [(1280, 800), (360, 740), (740, 360)] {
        browser.resize(width, height);
        browser
            .run("document.querySelectorAll('details').forEach((it) => { it.open = !it.open; })");
        browser.wait_for(scroll);
        let found: Vec<String> = serde_json::from_value(browser.run(names)).unwrap();
        let different: std::collections::BTreeSet<&String> = found.iter().collect();
        assert_eq!(different.len(), found.len(), "{width}: {found:#?}");
        assert!(found.iter().all(|name| name.len() > 2), "{width}: {found:#?}");
        counts.push(found.len());
    }
    assert!(counts[1] > counts[0] && counts[1] > 12, "{counts:?}");
}

#[test]
fn the_crosstable_tells_names_and_results_apart() {
    let Some(browser) = Browser::start("a crosstable in a browser") else { return };
    let folder = TestFolder::new();
    contest_page(&folder);
    browser.resize(1280, 800);
    browser.open(&folder.file("c.html"), "");
    // However many columns there are, names keep their room.
    let width = "const rows = document.querySelector('.cross').rows; \
        for (const row of rows) while (row.cells.length < 60) row.append(row.cells[1].cloneNode(true)); \
        return [rows[1].cells[0].getBoundingClientRect().width, \
          parseFloat(getComputedStyle(document.documentElement).fontSize)]";
    let found: [f64; 2] = serde_json::from_value(browser.run(width)).unwrap();
    assert!(found[0] >= 12.0 * found[1], "{found:?}");
    // The whole name is told where it is cut.
    let titles = browser.run(
        "return [...document.querySelectorAll('.cross tbody th')].map((it) => \
           it.textContent.replace(/^\\d+ /, '') === it.title)",
    );
    assert!(titles.as_array().unwrap().iter().all(|is| is == true), "{titles}");
    // A sign says without colour what the colour says, within the link if there is one.
    let signs = browser.run(
        "const sign = (it) => getComputedStyle(it, '::before').content; \
         return [...new Set([...document.querySelectorAll('.cross :is(.won, .even, .lost)')].map((it) => \
           [it.className.split(' ')[0], sign(it.querySelector('a') ?? it), \
            it.querySelector('a') ? sign(it) : 'none'].join(' ')))].sort()",
    );
    assert_eq!(signs, json!(["even \"=\" none", "lost \"−\" none", "won \"+\" none"]));
}

#[test]
fn the_board_shows_who_sits_where_and_who_is_to_move() {
    let Some(browser) = Browser::start("the names beside the board") else { return };
    let folder = TestFolder::new();
    let seats = || {
        browser.run(
            "return [...document.querySelectorAll('.board-place > .seat')] \
               .filter((it) => it.checkVisibility()).map((it) => it.textContent)",
        )
    };
    let page = said_page(&folder, &["1"], &["2"]);
    browser.prefer("", &[("prefers-reduced-motion", "reduce")]);
    browser.resize(360, 740);
    browser.open(&page, "#match-1-round-1");
    assert_eq!(seats(), json!(["■ two", "● one to move"]));
    // The names stand above and below the drawing.
    let order =
        "return [...document.querySelector('.board-place').children].map((it) => it.localName)";
    assert_eq!(browser.run(order), json!(["p", "svg", "p"]));
    browser.run("document.querySelector('#board h2').focus()");
    browser.press(&RIGHT.to_string());
    assert_eq!(seats(), json!(["■ two to move", "● one"]));
    browser.press("t");
    assert_eq!(seats(), json!(["● one", "■ two to move"]));
    browser.prefer("print", &[]);
    assert_eq!(seats(), json!(["● one", "■ two to move"]));
    browser.prefer("", &[("prefers-reduced-motion", "reduce")]);
    // While seeds are sown it is the sower's turn, and nobody's when the round is over.
    browser.prefer("", &[]);
    browser.run(
        "window.seen = []; new MutationObserver(() => window.seen.push( \
           document.querySelector('.board-place').textContent.includes('■ two to move'))) \
           .observe(document.querySelector('.board-place'), {childList: true})",
    );
    browser.press(&RIGHT.to_string());
    browser.wait_for("window.seen.length > 4 && location.hash.endsWith('move-2')");
    browser.wait_for("document.querySelector('.kalah .legal') !== null");
    let all = browser.run("return window.seen.slice(0, -1).every((is) => is)");
    assert_eq!(all, true);
    browser.click("#board [aria-label='To the end']");
    assert_eq!(seats(), json!(["● one", "■ two"]));
    browser.expect_accessible("the board with names");
    browser.expect_silence(&page);
}

#[test]
fn space_plays_a_house_and_clicks_leave_the_keys_alive() {
    let Some(browser) = Browser::start("keys after clicks in a browser") else { return };
    let folder = TestFolder::new();
    let number = whole_match(&contest_page(&folder));
    let page = folder.file("c.html");
    browser.prefer("", &[("prefers-reduced-motion", "reduce")]);
    let at = |step: usize| format!("#match-{number}-round-1-move-{step}");
    for place in [".curve", ".kalah .cell:not(.legal)", "#board .sentence", ".kalah .wood"] {
        browser.open(&page, &at(3));
        browser.click(place);
        assert!(!browser.run("return document.activeElement.closest('#board')").is_null());
        let before = browser.run("return Number(document.querySelector('#board input').value)");
        let before = usize::try_from(before.as_u64().unwrap()).unwrap();
        browser.press(&LEFT.to_string());
        assert_eq!(address(&browser), at(before - 1), "{place}");
    }
    let mut boards = Vec::new();
    for key in [ENTER, SPACE] {
        browser.open(&page, &at(3));
        browser.run("document.querySelector('.kalah .legal').focus()");
        let before = browser.run("return window.scrollY");
        browser.press(&key.to_string());
        assert!(!browser.run("return document.querySelector('.what-if')").is_null(), "{key:?}");
        assert_eq!(browser.run("return window.scrollY"), before);
        boards.push(drawn(&browser));
    }
    assert_eq!(boards[0], boards[1]);
    // While its seeds are sown, no house can have the focus; after that one has it again.
    browser.prefer("", &[]);
    browser.open(&page, &at(0));
    browser.run(
        "document.querySelector('.kalah .legal').focus(); \
         document.querySelector('#board h2').addEventListener('focus', () => window.waited = true)",
    );
    browser.press(&ENTER.to_string());
    browser.wait_for("window.waited && document.querySelector('.kalah .legal') !== null");
    assert_eq!(browser.text("return document.activeElement.getAttribute('class')"), "cell legal");
    browser.expect_silence(&page);
}

#[test]
fn the_curve_of_times_says_every_limit() {
    let Some(browser) = Browser::start("limits of times in a browser") else { return };
    let folder = TestFolder::new();
    let title = "return [...document.querySelectorAll('.curves figcaption')][1].textContent";
    for (limits, told) in [
        ("--move-time 2s", "; limit 2000 ms, more for first answers"),
        ("--game-time 1m", "; 60000 ms for all moves of a bot in the round"),
        (
            "--move-time 2s --game-time 1m",
            "; limit 2000 ms, more for first answers; 60000 ms for all moves of a bot in the round",
        ),
    ] {
        mancala(["match", "builtin:easy", "builtin:random", "--report", "m.html", "-q"])
            .args(limits.split(' '))
            .in_folder(folder.path())
            .run()
            .code(0);
        browser.open(&folder.file("m.html"), "#match-1-round-1");
        assert_eq!(browser.text(title), format!("Time of each move{told} (ms)"), "{limits}");
    }
}

#[test]
fn sentences_say_their_units_and_leave_out_what_is_not_known() {
    let Some(browser) = Browser::start("sentences of the board in a browser") else { return };
    let folder = TestFolder::new();
    let number = whole_match(&contest_page(&folder));
    let page = folder.file("c.html");
    browser.open(&page, "");
    let blunder = browser.text(
        "return document.querySelector('a[href*=-move-]').closest('table') && \
           [...document.querySelectorAll('#bots table a[href*=-move-]')][0].hash",
    );
    browser.open(&page, &blunder);
    let shown = browser.text_of("#board .play");
    let seeds = shown.split("It gave away ").nth(1).or(shown.split("it gave away ").nth(1));
    let seeds: Vec<&str> = seeds.unwrap().split(' ').collect();
    assert!(seeds[0].parse::<u32>().is_ok() && seeds[1].starts_with("seed"), "{shown}");
    let value = shown.split("stores left out: ").nth(1).unwrap();
    assert!(value.trim_end_matches('.').trim_end_matches('s').ends_with(" seed"), "{shown}");
    // A fault of which nothing more is known, as on an anonymous page.
    browser.open("/dev/null", "");
    let source = std::fs::read_to_string(&page).unwrap();
    let round = source.find("\"detail\":\"").expect("a fault") + "\"detail\":\"".len();
    let end = round + source[round..].find("\",\"stderr\"").unwrap();
    let anonymous = folder.file("anonymous.html");
    std::fs::write(&anonymous, format!("{}{}", &source[..round], &source[end..])).unwrap();
    browser.open(&anonymous, "");
    let told = browser.run_later(
        "const done = arguments[arguments.length - 1]; const told = []; \
         const rows = [...document.querySelectorAll('table.games tbody tr')]; \
         const links = rows.filter((row) => row.textContent.includes('forfeit')) \
           .map((row) => row.querySelector('a').hash); \
         const next = () => { \
           if (told.length === links.length) return done(told); \
           addEventListener('hashchange', () => { \
             document.querySelector(\"#board [aria-label='To the end']\").click(); \
             told.push(document.querySelector('#board .sentence').textContent); next(); }, {once: true}); \
           location.hash = links[told.length]; }; \
         next()",
    );
    let told: Vec<String> = serde_json::from_value(told).unwrap();
    assert!(
        told.iter().any(|text| !text.contains(": ;") && text.matches(':').count() == 2),
        "{told:#?}"
    );
    assert!(told.iter().all(|text| !text.contains(": ;")), "{told:#?}");
    // The end of what if says whose the seeds are, and why it ended.
    browser.prefer("", &[("prefers-reduced-motion", "reduce")]);
    browser.open(&page, &format!("#match-{number}-round-1-move-1"));
    browser.run(
        "for (let clicks = 0; clicks < 500; clicks++) \
           document.querySelector('.kalah .legal')?.dispatchEvent(new Event('click', {bubbles: true}))",
    );
    let names: Vec<String> = serde_json::from_value(browser.run(
        "return [...document.querySelectorAll('.seat bdi')].map((it) => it.textContent).reverse()",
    ))
    .unwrap();
    let sentence = browser.text_of("#board .sentence");
    let whose = format!("({} : {}). Each player takes the seeds", names[0], names[1]);
    assert!(sentence.contains("This game has ended. "), "{sentence}");
    assert!(sentence.contains(&whose), "{sentence}");
}

#[test]
fn paper_shows_what_is_folded_and_no_table_wider_than_it() {
    let Some(browser) = Browser::start("a page for paper in a browser") else { return };
    let folder = TestFolder::new();
    contest_page(&folder);
    browser.open(&folder.file("c.html"), "");
    let shown = "return [document.querySelector('details .cross').checkVisibility(), \
        [...document.querySelectorAll('.cross')].map((it) => it.checkVisibility()), \
        [...document.querySelectorAll('.paper')].map((it) => it.checkVisibility())]";
    assert_eq!(browser.run(shown), json!([false, [true, false], [false, false, false]]));
    browser.prefer("print", &[]);
    assert_eq!(browser.run(shown), json!([true, [true, true], [false, false, false]]));
    // More columns than paper has room for.
    let widen = |columns: usize| {
        browser.run(&format!(
            "for (const table of document.querySelectorAll('.cross')) for (const row of table.rows) \
               while (row.cells.length < {columns}) row.append(row.cells[1].cloneNode(true))"
        ));
        browser.wait_for_drawing();
    };
    // Chromium repeats the head of a table on each page only where nothing in it has a box of its own.
    let heads = "return [...document.querySelectorAll('thead .sort')].map((it) => \
        [getComputedStyle(it).display, getComputedStyle(it.closest('thead')).display].join(' '))";
    let heads: Vec<String> = serde_json::from_value(browser.run(heads)).unwrap();
    assert!(heads.len() > 20, "{heads:?}");
    assert!(heads.iter().all(|it| it == "contents table-header-group"), "{heads:?}");
    // A4 less the margins of the browser: what is wider would shrink all pages, or be cut.
    browser.resize(718, 1000);
    let beyond =
        "return document.documentElement.scrollWidth - document.documentElement.clientWidth";
    assert_eq!(browser.run(beyond), 0);
    // Long names would keep the column of names wide, and a bot with each kind of fault makes it narrow.
    let divided = "for (const it of document.querySelectorAll('.sortable tbody tr')) \
          if (it.querySelector('th').textContent.length > 10) it.remove(); \
        const heads = [...document.querySelectorAll('.sortable thead th')]; \
        const faults = heads.findIndex((it) => it.textContent === 'faults'); \
        document.querySelector('.sortable tbody tr').cells[faults].textContent = \
          'illegal_move 1, invalid_reply 3, timeout 1, exited 3'; \
        return [...document.querySelectorAll('.sortable tbody th a')].filter((it) => \
          it.getClientRects().length > 1).map((it) => it.textContent)";
    assert_eq!(browser.run(divided), json!([]));
    widen(21);
    assert_eq!(browser.run(shown), json!([true, [true, true], [false, false, false]]));
    assert_eq!(browser.run(beyond), 0);
    widen(22);
    assert_eq!(browser.run(shown), json!([false, [false, false], [true, true, false]]));
    // More games than anybody reads there, of which some are chosen.
    browser.run(
        "const body = document.querySelector('table.games').tBodies[0]; \
         while (body.rows.length < 1001) body.append(body.rows[0].cloneNode(true))",
    );
    browser.wait_for_drawing();
    let games = "return [document.querySelector('table.games').checkVisibility(), \
        document.querySelector('#games > .paper').checkVisibility()]";
    assert_eq!(browser.run(games), json!([false, true]));
    // The choice is made before the page is printed.
    browser.prefer("", &[]);
    browser.run("document.querySelector('table.games').tBodies[0].rows[0].hidden = true");
    browser.prefer("print", &[]);
    assert_eq!(browser.run(games), json!([true, false]));
}

#[test]
fn a_game_says_what_it_was_played_by_where_games_differ() {
    let Some(browser) = Browser::start("games by different rules in a browser") else { return };
    let folder = TestFolder::new();
    for (rules, file) in [("learneroo", "one.jsonl"), ("kalah", "two.jsonl")] {
        mancala(["match", "builtin:easy --seed 1", "builtin:random --seed 2", "--rules", rules])
            .args(["--record", &folder.file(file)])
            .run()
            .success();
    }
    report(&folder, "one.jsonl two.jsonl --merge rules -q -o both.html").success();
    report(&folder, "one.jsonl -q").success();
    let words_of = |page: &str, hash: &str| {
        browser.open(&folder.file(page), hash);
        browser.text_of("#board .setting")
    };
    let one = words_of("both.html", "#match-1-round-2");
    let two = words_of("both.html", "#match-2-round-1-move-3");
    assert!(one.starts_with("learneroo: 3 seeds in each house;"), "{one}");
    assert!(two.starts_with("kalah: 4 seeds in each house;") && !two.contains("ms"), "{two}");
    browser.expect_accessible("a game by other rules");
    // Otherwise the overview says it.
    assert_eq!(words_of("one.html", "#match-1-round-1"), "");
}
