//! What a step changes beside the board: the address, values, times, other games, and what is told.

use serde_json::{Value, json};

use super::{LEFT, address, drawn, flipped, replayed, whole_match};
use crate::program::mancala;
use crate::report::browser::Browser;
use crate::report::contest::contest_page;
use crate::test_folder::TestFolder;

#[test]
fn the_address_follows_when_the_reader_rests() {
    let Some(browser) = Browser::start("a key that is held in a browser") else { return };
    let folder = TestFolder::new();
    let number = whole_match(&contest_page(&folder));
    let page = folder.file("c.html");
    let game = format!("#match-{number}-round-1");
    browser.prefer("", &[("prefers-reduced-motion", "reduce")]);
    browser.open(&page, &game);
    let press = "const press = (key) => document.querySelector('#board h2').dispatchEvent( \
        new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true})); ";
    let step = browser.run(&format!(
        "{press} const slider = document.querySelector('#board input'); let key = 'ArrowRight'; \
         for (let times = 0; times < 301; times += 1) {{ \
           if (slider.value === slider.max) key = 'ArrowLeft'; \
           if (slider.value === '0') key = 'ArrowRight'; \
           press(key); }} \
         return slider.value"
    ));
    let step = step.as_str().unwrap();
    let end = if step == "0" { String::new() } else { format!("-move-{step}") };
    browser.wait_for(&format!("location.hash === '{game}{end}'"));
    browser.expect_silence(&page);
    // What the reader does next finds the address as it should be.
    browser.open(&page, &game);
    let clicked = |what: &str, then: &str| {
        let script = format!(
            "const done = arguments[0]; {press} press('ArrowRight'); {what}; \
             setTimeout(() => done({then}), 400)"
        );
        browser.run_later(&script)
    };
    let link = "document.querySelector('nav a[href=\"#bots\"]').click()";
    assert_eq!(clicked(link, "location.hash"), "#bots");
    browser.run("history.back()");
    browser.wait_for(&format!("location.hash === '{game}-move-1'"));
    let close = "document.querySelector('#board .close').click()";
    assert_eq!(clicked(close, "location.hash"), "#games");
    browser.open(&page, &game);
    let row = format!("document.querySelector('a[href=\"{game}\"]').click()");
    let shown = "document.querySelector('#board input').value";
    assert_eq!(clicked(&row, shown), "0");
    // Another page, and back again.
    browser.run(&format!("{press} press('ArrowRight'); location.href = 'about:blank'"));
    browser.wait_for("location.href === 'about:blank'");
    browser.run("history.back()");
    browser.wait_for(&format!("location.hash === '{game}-move-1'"));
    browser.expect_silence(&page);
}

/// The points of the curve with this title: the step and the height of each, by its axes.
pub(super) fn points(browser: &Browser, title: &str) -> Vec<(f64, f64)> {
    let found = browser.run(&format!(
        "const curve = [...document.querySelectorAll('.curves figure')].find((it) => \
           it.textContent.startsWith({title:?})).querySelector('svg'); \
         const number = (it, name) => Number(it.getAttribute(name)); \
         const up = [...curve.querySelectorAll('.grid')].map((line) => \
           [number(line, 'y1'), Number(line.nextSibling.textContent)]); \
         const along = [...curve.querySelectorAll('text[text-anchor=middle]:not(.blunder)')].map((text) => \
           [number(text, 'x'), Number(text.textContent)]); \
         const at = (axis, place) => axis[0][1] + (place - axis[0][0]) * \
           (axis.at(-1)[1] - axis[0][1]) / (axis.at(-1)[0] - axis[0][0]); \
         return [...curve.querySelectorAll('.first, .second')].map((it) => {{ \
           const by = it.localName === 'rect' ? 3 : 0; \
           return [at(along, number(it, by ? 'x' : 'cx') + by), at(up, number(it, by ? 'y' : 'cy') + by)]; }})"
    ));
    serde_json::from_value(found).unwrap()
}

#[test]
fn the_value_is_that_of_the_position_that_is_shown() {
    let Some(browser) = Browser::start("values beside the board") else { return };
    let folder = TestFolder::new();
    let matches = contest_page(&folder);
    let number = whole_match(&matches);
    let page = folder.file("c.html");
    let round = &replayed(&folder, &["c.jsonl", "--match", &number.to_string()])["rounds"][0];
    let moves = round["moves"].as_array().unwrap();
    browser.prefer("", &[("prefers-reduced-motion", "reduce")]);
    let mut expected = Vec::new();
    for (step, next) in moves.iter().enumerate() {
        browser.open(&page, &format!("#match-{number}-round-1-move-{step}"));
        let note = browser.text_of("#board .note");
        let (name, value) = (
            note.split_once("Value of the position for ").expect(&note).1,
            note.split_once("stores left out: ").expect(&note).1.split(' ').next().unwrap(),
        );
        let bot = usize::try_from(next["bot"].as_u64().unwrap()).unwrap();
        let name_to_move = matches[number - 1]["bots"][bot]["name"].as_str().unwrap();
        assert!(name.starts_with(&format!("{name_to_move} (to move)")), "{note}");
        let is_first = next["bot"] == round["first"];
        let board = drawn(&browser);
        let own = if is_first { board } else { flipped(&board) };
        let cells: Vec<String> = own.as_array().unwrap().iter().map(ToString::to_string).collect();
        let solved = mancala(["solve", "--best", "--format", "json", "--opening"]);
        let solved: Value =
            solved.arg(cells.join(",")).in_folder(folder.path()).run().success().json();
        assert_eq!(solved["value"].to_string(), value, "step {step}");
        let seen = solved["value"].as_f64().unwrap();
        expected
            .push((f64::from(u32::try_from(step).unwrap()), if is_first { seen } else { -seen }));
    }
    // At the end each player takes its own seeds.
    let own = |board: &Value, cells: [usize; 2]| {
        let sum = |from: usize| (from..from + 6).map(|at| board[at].as_f64().unwrap()).sum::<f64>();
        sum(cells[0]) - sum(cells[1])
    };
    let last = own(&moves.last().unwrap()["board"], [0, 7]);
    expected.push((f64::from(u32::try_from(moves.len()).unwrap()), last));
    let found = points(&browser, "Exact value, as the first mover sees it, stores left out;");
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(&expected) {
        let is_near = |one: f64, two: f64| (one - two).abs() < 0.1;
        assert!(
            is_near(found.0, expected.0) && is_near(found.1, expected.1),
            "{found:?} {expected:?}"
        );
    }
    // After a house that nobody played there is no value.
    browser.open(&page, &format!("#match-{number}-round-1-move-1"));
    browser.click(".kalah .legal");
    assert!(!browser.text_of("#board .note").contains("Value of the position"));
    browser.expect_silence(&page);
}

#[test]
fn the_curve_of_times_has_the_answer_that_was_too_late() {
    let Some(browser) = Browser::start("a late answer in a browser") else { return };
    let folder = TestFolder::new();
    let late = folder.bot("hang 1 2");
    mancala(["match", "builtin:easy", &format!("late={late}"), "--report", "m.html", "-q"])
        .args(["--move-time", "300ms", "--start-time", "5s", "--record", "m.jsonl"])
        .in_folder(folder.path())
        .run_until_finished()
        .code(0);
    let page = folder.file("m.html");
    let mut seen = 0;
    for (number, round) in (1..).zip(replayed(&folder, &["m.jsonl"])["rounds"].as_array().unwrap())
    {
        browser.open(&page, &format!("#match-1-round-{number}"));
        let cause = &round["fault"]["cause"];
        let times = points(&browser, "Time of each move");
        let moves = round["moves"].as_array().unwrap().len();
        let marks = "return [...document.querySelectorAll('.curve')][1].querySelectorAll('.blunder').length";
        let is_late = round["fault"]["kind"] == "timeout";
        assert_eq!(times.len(), moves + usize::from(is_late));
        assert_eq!(browser.run(marks), i32::from(is_late));
        // No line leaves the drawing.
        let beyond = browser.run(
            "return [...document.querySelectorAll('.curve .limit')].filter((line) => \
               Number(line.getAttribute('x2')) > 402).length",
        );
        assert_eq!(beyond, 0);
        if is_late {
            let (step, ms) = *times.last().unwrap();
            let waited = cause["waited_ms"].as_f64().unwrap();
            assert!((step - f64::from(u32::try_from(moves + 1).unwrap())).abs() < 0.1, "{step}");
            assert!((ms - waited).abs() < 0.05 * waited, "{ms} {waited}");
            seen += 1;
        }
    }
    assert!(seen > 0);
    browser.expect_silence(&page);
}

#[test]
fn other_games_are_offered_only_where_there_are_some() {
    let Some(browser) = Browser::start("the next game in a browser") else { return };
    let folder = TestFolder::new();
    contest_page(&folder);
    let page = folder.file("c.html");
    let offered = || {
        browser.run(
            "return ['Previous game', 'Next game'].map((name) => ![...document.querySelectorAll('#board button')] \
               .find((it) => it.textContent === name).disabled)",
        )
    };
    let rows =
        "const rows = [...document.querySelectorAll('table.games tbody tr:not([hidden])')]; ";
    browser.open(&page, "");
    browser.run(&format!("{rows} rows[0].querySelector('a').click()"));
    browser.wait_for("!document.getElementById('board').hidden");
    assert_eq!(offered(), json!([false, true]));
    // The list the other way round, and a choice of this game alone.
    browser.run("document.querySelector('table.games th button').click(); document.querySelector('table.games th button').click()");
    assert_eq!(offered(), json!([true, false]));
    browser.run(&format!("{rows} rows[rows.length - 1].querySelector('a').click()"));
    browser.run(&format!("{rows} rows[1].querySelector('a').click()"));
    browser
        .wait_for("location.hash === document.querySelectorAll('table.games tbody tr a')[1].hash");
    browser.wait_for("document.querySelector('#board h2') === document.activeElement");
    assert_eq!(offered(), json!([true, true]));
    browser.expect_accessible("games before and after");
    browser.expect_silence(&page);
}

#[test]
fn the_slider_is_told_once() {
    let Some(browser) = Browser::start("the slider's text in a browser") else { return };
    let folder = TestFolder::new();
    let number = whole_match(&contest_page(&folder));
    let page = folder.file("c.html");
    browser.prefer("", &[("prefers-reduced-motion", "reduce")]);
    browser.open(&page, &format!("#match-{number}-round-1-move-2"));
    browser.run(
        "document.querySelector('#board input').focus(); document.getElementById('live').textContent = ''",
    );
    browser.press(&LEFT.to_string());
    assert!(address(&browser).ends_with("-move-1"));
    let sentence = browser.text_of("#board .sentence");
    let told = "return document.querySelector('#board input').getAttribute('aria-valuetext')";
    assert_eq!(browser.text(told), sentence);
    assert_eq!(browser.text_of("#live"), "");
    browser.run("document.querySelector('#board h2').focus()");
    browser.press(&LEFT.to_string());
    assert_eq!(browser.text_of("#live"), browser.text_of("#board .sentence"));
}

#[test]
fn two_fingers_change_the_size_of_the_page_and_not_the_step() {
    let Some(browser) = Browser::start("two fingers on the board") else { return };
    let folder = TestFolder::new();
    let number = whole_match(&contest_page(&folder));
    let page = folder.file("c.html");
    browser.prefer("", &[("prefers-reduced-motion", "reduce")]);
    browser.resize(360, 740);
    browser.open(&page, &format!("#match-{number}-round-1-move-2"));
    browser.run("document.querySelector('.board-place').scrollIntoView({block: 'center'})");
    let touch = |kind: &str, places: &[i32]| {
        let places: Vec<Value> =
            (0..).zip(places).map(|(id, x)| json!({"x": x, "y": 370, "id": id})).collect();
        browser.command("Input.dispatchTouchEvent", &json!({"type": kind, "touchPoints": places}));
    };
    touch("touchStart", &[170]);
    touch("touchStart", &[170, 190]);
    for by in (0..140).step_by(10) {
        touch("touchMove", &[170 - by, 190 + by]);
    }
    touch("touchEnd", &[]);
    browser.wait_for("visualViewport.scale > 1.5");
    assert!(address(&browser).ends_with("-move-2"));
    browser.expect_silence(&page);
}

#[test]
fn a_scroll_that_drifts_sideways_is_no_swipe() {
    let Some(browser) = Browser::start("scrolling over the board") else { return };
    let folder = TestFolder::new();
    let number = whole_match(&contest_page(&folder));
    let page = folder.file("c.html");
    browser.prefer("", &[("prefers-reduced-motion", "reduce")]);
    browser.resize(360, 740);
    let touch = |kind: &str, places: &[[i32; 2]]| {
        let places: Vec<Value> = places.iter().map(|[x, y]| json!({"x": x, "y": y})).collect();
        browser.command("Input.dispatchTouchEvent", &json!({"type": kind, "touchPoints": places}));
    };
    let state = "return [document.querySelector('#board input').value, window.ends, scrollY > window.begin]";
    // The last way is a swipe, which the page does not follow.
    for ([across, down], step, is_scrolled) in
        [([50, -250], "2", true), ([-60, -150], "2", true), ([-100, -30], "3", false)]
    {
        browser.open(&page, &format!("#match-{number}-round-1-move-2"));
        browser.run(
            "const place = document.querySelector('.board-place'); \
             place.scrollIntoView({block: 'center'}); window.begin = scrollY; window.ends = 0; \
             addEventListener('touchend', () => { window.ends += 1; })",
        );
        touch("touchStart", &[[180, 370]]);
        for part in 1..=10 {
            touch("touchMove", &[[180 + across * part / 10, 370 + down * part / 10]]);
        }
        touch("touchEnd", &[]);
        browser.wait_for("window.ends === 1");
        browser.wait_for_drawing();
        assert_eq!(browser.run(state), json!([step, 1, is_scrolled]), "{across}, {down}");
    }
    browser.expect_silence(&page);
}

/// What stays of a move that the reader interrupts is its end.
#[test]
fn a_move_that_is_cut_short_is_told() {
    let Some(browser) = Browser::start("a move that is cut short") else { return };
    let folder = TestFolder::new();
    let number = whole_match(&contest_page(&folder));
    let page = folder.file("c.html");
    for (begin, keys, step) in [("", "pp", 1), ("", "tpt", 1), ("-move-1", "pp", 2)] {
        browser.open(&page, &format!("#match-{number}-round-1{begin}"));
        // Not even the first seed is sown in time.
        browser.run("window.setTimeout = () => 1; document.querySelector('#board h2').focus()");
        browser.press(keys);
        let sentence = browser.text_of("#board .sentence");
        assert!(sentence.starts_with(&format!("{step}. ")), "{sentence}");
        assert_eq!(browser.text_of("#live"), sentence, "{keys}");
        // What was told is not told again.
        browser.run("document.getElementById('live').textContent = ''");
        browser.press("t");
        assert_eq!(browser.text_of("#live"), "");
    }
}

#[test]
fn the_current_move_is_seen_with_the_readers_own_colours() {
    let Some(browser) = Browser::start("forced colours in a browser") else { return };
    let folder = TestFolder::new();
    let number = whole_match(&contest_page(&folder));
    browser.prefer("", &[("forced-colors", "active")]);
    browser.open(&folder.file("c.html"), &format!("#match-{number}-round-1-move-2"));
    let outlined = browser.run(
        "return [...document.querySelectorAll('.moves button')].map((it) => \
           getComputedStyle(it).outlineStyle === 'solid')",
    );
    let outlined: Vec<bool> = serde_json::from_value(outlined).unwrap();
    let found: Vec<usize> =
        (1..).zip(&outlined).filter(|(_, is)| **is).map(|(number, _)| number).collect();
    assert_eq!(found, [2]);
}

/// What is drawn of the other parts while a board is stepped through: nothing that is out of sight.
#[test]
fn parts_out_of_sight_keep_their_places() {
    let Some(browser) = Browser::start("parts of a page out of sight") else { return };
    let folder = TestFolder::new();
    let number = whole_match(&contest_page(&folder));
    let page = folder.file("c.html");
    browser.open(&page, "");
    let heights = "return [...document.querySelectorAll('main > section')].slice(1).map((it) => it.offsetHeight)";
    let before = browser.run(heights);
    browser.run(&format!("document.querySelector('a[href=\"#match-{number}-round-1\"]').click()"));
    browser.wait_for("!document.getElementById('board').hidden");
    browser
        .wait_for("getComputedStyle(document.getElementById('bots')).contentVisibility === 'auto'");
    assert_eq!(browser.run(heights), before);
    for part in ["ranking", "crosstable", "bots", "games"] {
        browser.click(&format!("nav a[href='#{part}']"));
        browser.wait_for(&format!(
            "Math.abs(document.getElementById('{part}').getBoundingClientRect().top) < 60 || \
             scrollY + innerHeight >= document.documentElement.scrollHeight - 2"
        ));
        assert_eq!(browser.run(heights), before, "{part}");
    }
    assert_eq!(browser.run("return window.find('Who moved first')"), true);
    browser.expect_accessible("a board beside parts out of sight");
    browser.expect_silence(&page);
}
