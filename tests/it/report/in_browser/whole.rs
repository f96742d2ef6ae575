//! The page as a whole: silence, accessibility, without JavaScript, while a tournament runs.

use serde_json::json;

use super::{ESCAPE, RIGHT, TAB, address, drawn, whole_match};
use crate::program::mancala;
use crate::report::browser::Browser;
use crate::report::contest::contest_page;
use crate::report::page::NINE;
use crate::test_folder::{TestFolder, status_of};

#[test]
fn the_page_opens_in_silence_and_can_be_used_by_everyone() {
    let Some(browser) = Browser::start("the page of a contest in a browser") else { return };
    let folder = TestFolder::new();
    let matches = contest_page(&folder);
    let page = folder.file("c.html");
    let fault = matches.iter().position(|record| {
        record["rounds"][1]["result"]["fault"]["stderr"]
            .as_str()
            .is_some_and(|it| it.contains("boom"))
    });
    let fault = fault.unwrap();
    let fault_end = matches[fault]["rounds"][1]["moves"].as_array().unwrap().len() + 1;
    let game = format!("#match-{}-round-1", whole_match(&matches));
    // What is there, and what of it is other than before: the board, or which games are listed. The
    // next test looks at whole pages with a board.
    let places = [
        (String::new(), "html"),
        (format!("{game}-move-3"), "#board"),
        (format!("#match-{}-round-2-move-{fault_end}", fault + 1), "#board"),
        ("#pair-easy~random".to_owned(), "#games"),
    ];
    for (scheme, width, height) in [("light", 1280, 800), ("dark", 360, 740)] {
        browser.prefer("", &[("prefers-color-scheme", scheme)]);
        browser.resize(width, height);
        for (place, part) in &places {
            browser.open(&page, place);
            let state = format!("{scheme}, {width} wide, {place}");
            let across = browser.run("return document.documentElement.scrollWidth");
            assert!(across.as_u64().unwrap() <= width.into(), "{state}: {across} pixels");
            browser.expect_accessible_in(part, &state);
        }
    }
    // The rest of the name is text, wherever it stands.
    assert_eq!(
        browser.run("return document.querySelectorAll('img, b:not(button b), i').length"),
        0
    );
    browser.expect_silence(&page);
}

#[test]
fn a_board_that_sows_paper_and_numbers_for_names_can_be_used_by_everyone() {
    let Some(browser) = Browser::start("a board that sows in a browser") else { return };
    let folder = TestFolder::new();
    let game = format!("#match-{}-round-1", whole_match(&contest_page(&folder)));
    let page = folder.file("c.html");
    mancala(["report", "c.jsonl", "--anonymous", "-q", "-o", "anonymous.html"])
        .in_folder(folder.path())
        .run()
        .success();
    let anonymous = folder.file("anonymous.html");
    browser.resize(1280, 800);
    for (media, scheme) in [("", "light"), ("", "dark"), ("print", "light"), ("print", "dark")] {
        browser.prefer(media, &[("prefers-color-scheme", scheme)]);
        // The anonymous page has the same colours.
        let is_first = (media, scheme) == ("", "light");
        for file in [&anonymous, &page].into_iter().skip(usize::from(!is_first)) {
            browser.open(file, &game);
            browser.expect_accessible(&format!("{media} {scheme} {file}"));
        }
        // The first seed is sown, and the second never is.
        browser.run(
            "const later = window.setTimeout; let seeds = 0; window.setTimeout = (act, pause) => \
               pause === 150 && ++seeds > 1 ? 1 : later(act, pause)",
        );
        browser.press(&RIGHT.to_string());
        browser.wait_for("document.querySelector('.kalah .from') !== null && document.querySelector('.kalah .to') !== null");
        assert!(browser.run("return document.querySelector('.kalah .legal')").is_null());
        browser.expect_accessible_in("#board", &format!("sowing, {media} {scheme}"));
    }
}

#[test]
fn the_tables_are_there_without_javascript() {
    let Some(browser) = Browser::start("a page without JavaScript in a browser") else { return };
    let folder = TestFolder::new();
    contest_page(&folder);
    let page = folder.file("c.html");
    browser.command("Emulation.setScriptExecutionDisabled", &json!({"value": true}));
    browser.open(&page, "");
    let seen = browser.command("Runtime.evaluate", &json!({"returnByValue": true, "expression":
        "[...document.querySelectorAll('main table, main section > h2, noscript p')].filter((it) => \
           it.getClientRects().length > 0).map((it) => (it.caption || it).textContent)"}));
    let seen: Vec<String> = serde_json::from_value(seen["result"]["value"].clone()).unwrap();
    for part in [
        "The tables are all here. Boards that play, filters and sorting need JavaScript, which is off.",
        "Overview",
        "Ranking",
        "Crosstable",
        "Bots",
        "Games",
        "Matches won, drawn and lost",
        "A row for each round of the games.",
        "Results of easy against each opponent",
        "Times of easy",
        "A row for each kind of fault of each bot, with its first case",
    ] {
        assert!(seen.iter().any(|text| text.starts_with(part)), "{part}: {seen:#?}");
    }
    // What needs the script is not there at all.
    let hidden = browser.command(
        "Runtime.evaluate",
        &json!({"returnByValue": true, "expression":
        "[...document.querySelectorAll('button, select, #board, #filters')].filter((it) => \
           it.getClientRects().length > 0).length"}),
    );
    assert_eq!(hidden["result"]["value"], 0);
}

#[test]
fn the_page_of_a_bots_feedback_opens_in_silence() {
    let Some(browser) = Browser::start("the page of a bot's feedback in a browser") else { return };
    let folder = TestFolder::new();
    let nine = format!("nine={NINE}");
    mancala(["tournament", "builtin:easy", &nine, "--feedback", "pages", "-q", "--oversubscribe"])
        .in_folder(folder.path())
        .run()
        .code(0);
    for (bot, boards) in [("easy", 0), ("nine", 1)] {
        let page = folder.file(&format!("pages/{bot}/feedback.html"));
        for (scheme, width) in [("light", 1280), ("dark", 1280), ("light", 360), ("dark", 360)] {
            browser.prefer("", &[("prefers-color-scheme", scheme)]);
            browser.resize(width, 740);
            browser.open(&page, "");
            browser.expect_accessible(&format!("the feedback of {bot}, {scheme}, {width} wide"));
        }
        assert_eq!(browser.text_of("h1"), bot);
        assert_eq!(browser.run("return document.querySelectorAll('svg').length"), boards);
        browser.expect_silence(&page);
    }
}

/// What a page would do in a second or later is done when the test says so.
pub(super) fn hold_timers(browser: &Browser) {
    browser.command("Page.enable", &json!({}));
    browser.command("Page.addScriptToEvaluateOnNewDocument", &json!({"source":
        "const later = window.setTimeout; window.setTimeout = (act, ms) => { \
           if (ms < 1000 || document.readyState !== 'loading' && ms !== 2000) return later(act, ms); \
           window.due = act; window.pause = ms; return 1; };"}));
}

pub(super) const WAIT_A_WHILE: &str =
    "window.isOld = true; setTimeout(window.due, 0); return window.pause";
pub(super) const IS_NEW: &str =
    "window.isOld === undefined && window.pause > 0 && document.readyState === 'complete'";

#[test]
fn a_page_that_reloads_itself_waits_for_choices_and_keeps_them() {
    let Some(browser) = Browser::start("choices of a live page in a browser") else { return };
    let folder = TestFolder::new();
    contest_page(&folder);
    let page = folder.file("c.html");
    let write = |names: [&str; 2]| {
        let html = std::fs::read_to_string(&page).unwrap();
        let name = |name: &str| format!("[{name:?},{name:?}]");
        let changed = html.replace(&name(names[0]), &name(names[1]));
        assert_ne!(changed, html);
        std::fs::write(&page, changed.replace("\"reload\":0", "\"reload\":5")).unwrap();
    };
    hold_timers(&browser);
    write(["says", "said"]);
    browser.open(&page, "");
    let choose = |name: &str, value: &str| {
        browser.run(&format!(
            "const it = document.getElementById('filter-{name}'); it.focus(); it.value = {value:?}; \
             it.dispatchEvent(new Event('change')); return it.selectedIndex > 0"
        ))
    };
    let later = "const now = Date.now; Date.now = () => now() + 11000";
    let is_put_off = || {
        browser.run("window.pause = 0");
        browser.run(WAIT_A_WHILE);
        browser.wait_for("window.pause === 2000");
        assert_eq!(browser.run("return window.isOld"), true);
    };
    assert_eq!(choose("opponent", "random"), true);
    // The reader is about to choose a result.
    browser.press(&TAB.to_string());
    is_put_off();
    assert_eq!(choose("result", "won"), true);
    let shown = browser.text_of("#filters .count");
    browser.run(later);
    // A name that sorts first is new, another is gone; what was chosen is there.
    write(["said", "0"]);
    browser.run(WAIT_A_WHILE);
    browser.wait_for(IS_NEW);
    let state = "return [document.activeElement.id, \
       ...['bot', 'opponent', 'result'].map((name) => { \
         const it = document.getElementById(`filter-${name}`); return it.options[it.selectedIndex]?.textContent; }), \
       document.querySelector('#filters .count').textContent]";
    assert_eq!(browser.run(state), json!(["filter-result", "any", "random", "won", shown]));
    assert_eq!(choose("bot", "0"), true);
    // A list that is open is never closed.
    browser.click("#filter-opponent");
    browser.run(later);
    is_put_off();
    browser.press(&ESCAPE.to_string());
    browser.run(later);
    // The bot that is asked for is gone.
    write(["0", "zero"]);
    browser.run(WAIT_A_WHILE);
    browser.wait_for(IS_NEW);
    assert_eq!(browser.run(state), json!(["filter-opponent", "any", "random", "won", shown]));
    browser.expect_silence(&page);
}

#[test]
fn the_page_of_a_running_tournament_keeps_its_readers_place_and_ends() {
    let Some(browser) = Browser::start("a live page in a browser") else { return };
    let folder = TestFolder::new();
    // Plays a match, and from then on waits for a file before each move.
    let gate = format!(
        "bash -c 'cd \"$0\"; while read -r line; do case $line in \
           *end*,?round?:2,*) touch first;; \
           *type*turn*) while [ -e first ] && [ ! -e go ]; do sleep 0.05; done; \
             house=${{line#*legal*[}}; echo ${{house%%[],]*}};; esac; done' {}",
        folder.marker()
    );
    let tournament = mancala(["tournament", "builtin:easy", &format!("gate={gate}")])
        .args(["--openings", "random:2", "--count", "3", "--jobs", "1", "--move-time", "10m"])
        .args(["--oversubscribe", "--report", "live.html", "-q", "--record", "live.jsonl"])
        .in_folder(folder.path());
    let mut tournament = tournament.start();
    let page = folder.file("live.html");
    folder.wait_for("live.html");
    hold_timers(&browser);
    let wait_a_while = || browser.run(WAIT_A_WHILE);
    browser.resize(360, 740);
    browser.open(&page, "");
    assert!(
        browser.text_of("#state").contains("The tournament is running. So far 1 match"),
        "{}",
        browser.text_of("#state")
    );
    browser.expect_accessible("a live page");
    // The reader reads on in the games of a bot that moved first, with a part unfolded.
    browser.run("document.querySelector('details').open = true");
    browser.click("#filters label:nth-of-type(3) option[value='won']");
    browser.run("document.getElementById('games').scrollIntoView()");
    let place = browser.run(
        "return [Math.round(scrollY), document.querySelector('details').open, \
        document.querySelector('#filters label:nth-of-type(3) select').value]",
    );
    // As the page says to readers without the script: later where it was long in the making.
    let said = browser.run(
        "return 1000 * document.head.querySelector('noscript').textContent.match(/content=\"(\\d+)/)[1]",
    );
    assert!(said.as_u64().unwrap() >= 5000, "{said}");
    assert_eq!(wait_a_while(), said);
    browser.wait_for(IS_NEW);
    let again = browser.run(
        "return [Math.round(scrollY), document.querySelector('details').open, \
        document.querySelector('#filters label:nth-of-type(3) select').value]",
    );
    assert_eq!(again, place);
    assert!(place[0].as_u64().unwrap() > 1000, "{place}");
    // A board that is open stays open, at its step, and nothing is reloaded under what if.
    browser.open(&page, "#match-1-round-1-move-2");
    let board = drawn(&browser);
    // So do the choices, the side, the order of tables, and the focus: on a button in the board.
    browser.run("document.querySelector('#board h2').focus()");
    browser.press("t");
    browser.click("#board option[value='slow']");
    browser.click("#board option[value='ece']");
    for (table, clicks) in [("table.games", 1), ("table.sortable", 2)] {
        for _ in 0..clicks {
            browser.click(&format!("{table} th:nth-child(3) button"));
        }
    }
    browser.run(
        "const button = document.querySelector('#board .moves li:nth-child(2) button'); \
         button.focus({preventScroll: true}); \
         document.querySelector('.board-place').scrollIntoView()",
    );
    let state = "return [Math.round(scrollY), \
        [...document.querySelectorAll('#board select')].map((it) => it.value), \
        [...document.querySelectorAll('.kalah .number')].map((it) => it.textContent).join(''), \
        document.querySelector('.seat.below bdi').textContent, \
        [...document.querySelectorAll('[aria-sort]')].map((it) => [it.closest('table').className, \
          it.textContent, it.ariaSort, \
          [...it.closest('table').tBodies[0].rows].map((row) => row.textContent)]), \
        document.activeElement.textContent, document.activeElement.closest('#board') !== null]";
    let kept = browser.run(state);
    assert_eq!(kept[1], json!(["slow", "ece", "forward"]));
    assert_eq!(kept[4].as_array().unwrap().len(), 2, "{kept:#}");
    wait_a_while();
    browser.wait_for(IS_NEW);
    assert_eq!(browser.run(state), kept);
    assert_eq!(address(&browser), "#match-1-round-1-move-2");
    browser.press("t");
    assert_eq!(drawn(&browser), board);
    // The focus outside of the board is kept, too.
    browser.run("document.querySelector('table.games th:nth-child(2) button').focus()");
    wait_a_while();
    browser.wait_for(IS_NEW);
    assert_eq!(browser.text("return document.activeElement.textContent"), "no.");
    browser.click(".kalah .legal");
    browser.wait_for("document.querySelector('.what-if') !== null");
    std::fs::write(folder.file("go"), "").unwrap();
    assert!(status_of(&mut tournament).success());
    wait_a_while();
    browser.wait_for("window.pause === 2000");
    assert_eq!(browser.run("return window.isOld"), true);
    browser.run("document.querySelector('#board h2').focus()");
    browser.press(&ESCAPE.to_string());
    wait_a_while();
    browser.wait_for("window.isOld === undefined && document.readyState === 'complete'");
    assert_eq!(browser.text_of("#state"), "This is the final report of the tournament.");
    assert!(browser.run("return window.due").is_null());
    assert_eq!(drawn(&browser), board);
    assert_eq!(browser.run("return document.querySelectorAll('table.games tbody tr').length"), 6);
}
