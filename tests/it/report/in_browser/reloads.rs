//! The reloads of a page of a running tournament: what they keep, and how they are stopped.

use super::whole::{IS_NEW, WAIT_A_WHILE, hold_timers};
use super::whole_match;
use crate::report::browser::Browser;
use crate::report::contest::contest_page;
use crate::test_folder::TestFolder;

/// The page of the contest as if it was running. Returns its file and a whole match.
fn live_page(folder: &TestFolder) -> (String, usize) {
    let number = whole_match(&contest_page(folder));
    let page = folder.file("c.html");
    let html = std::fs::read_to_string(&page).unwrap().replace("\"reload\":0", "\"reload\":5");
    let live = html.replacen("<nav ", "<p class=\"state\" id=\"state\">It is running.</p><nav ", 1);
    assert_ne!(html, live);
    std::fs::write(&page, live).unwrap();
    (page, number)
}

#[test]
fn a_reload_keeps_the_places_within_tables_and_the_list_of_moves() {
    let Some(browser) = Browser::start("places in tables of a live page") else { return };
    let folder = TestFolder::new();
    let (page, number) = live_page(&folder);
    hold_timers(&browser);
    browser.resize(360, 740);
    browser.open(&page, &format!("#match-{number}-round-1-move-2"));
    browser.wait_for("document.querySelector('.moves').scrollHeight > 0");
    browser.run(
        "document.querySelector('.moves').style.maxHeight = '5rem'; \
         for (const it of document.querySelectorAll('.scroll')) it.scrollLeft = 70; \
         const tall = document.querySelector('.scroll.tall'); tall.scrollTop = 15; \
         window.scrollTo(0, 900)",
    );
    let state = "return [...document.querySelectorAll('.scroll, .moves')].map((it) => \
        [it.scrollLeft, it.scrollTop]).concat([[scrollX, scrollY]])";
    let before = browser.run(state);
    let moved = before.as_array().unwrap().iter().filter(|place| place[0] == 70).count();
    assert!(moved > 3, "{before}");
    browser.run(WAIT_A_WHILE);
    browser.wait_for(IS_NEW);
    browser.run_later("requestAnimationFrame(() => requestAnimationFrame(() => arguments[0]()))");
    assert_eq!(browser.run(state), before);
    browser.expect_silence(&page);
}

#[test]
fn a_reload_keeps_an_open_game_wherever_the_reader_is() {
    let Some(browser) = Browser::start("a board and a link of a live page") else { return };
    let folder = TestFolder::new();
    let (page, number) = live_page(&folder);
    hold_timers(&browser);
    for link in ["nav a[href='#bots']", ".cross a[href='#pair-easy~random']"] {
        browser.open(&page, &format!("#match-{number}-round-1-move-2"));
        browser.run(&format!("document.querySelector({link:?}).click()"));
        browser.wait_for("!location.hash.includes('match')");
        browser.run("document.querySelector('#filters').scrollIntoView()");
        let state = "return [location.hash, document.getElementById('board').hidden, \
            document.querySelector('#board h2').textContent, \
            document.querySelector('#board input').value, Math.round(scrollY), \
            document.querySelector('#filters .count').textContent]";
        let before = browser.run(state);
        assert_eq!(before[1], false, "{before}");
        browser.run(WAIT_A_WHILE);
        browser.wait_for(IS_NEW);
        browser.wait_for_drawing();
        assert_eq!(browser.run(state), before);
    }
    // Back from the pair asks for what was asked for before it.
    browser.run("history.back()");
    browser.wait_for("location.hash.includes('match')");
    browser.run("document.querySelector('nav a[href=\"#bots\"]').click()");
    browser.wait_for("location.hash === '#bots'");
    let count = browser.text_of("#filters .count");
    let shown = count.strip_prefix("Games shown: ").and_then(|numbers| numbers.split_once(" of "));
    let (shown, all) = shown.unwrap_or_else(|| panic!("{count}"));
    assert_eq!(shown, all, "{count}");
    browser.expect_silence(&page);
}

#[test]
fn a_reader_pauses_the_reloads() {
    let Some(browser) = Browser::start("pausing a live page") else { return };
    let folder = TestFolder::new();
    let (page, _) = live_page(&folder);
    hold_timers(&browser);
    browser.open(&page, "");
    let is_put_off = || {
        browser.run("window.pause = 0");
        browser.run(WAIT_A_WHILE);
        browser.wait_for("window.pause === 2000");
        assert_eq!(browser.run("return window.isOld"), true);
    };
    // What is selected would be gone.
    browser.run("getSelection().selectAllChildren(document.querySelector('h1'))");
    is_put_off();
    browser.run("getSelection().removeAllRanges()");
    browser.run(WAIT_A_WHILE);
    browser.wait_for(IS_NEW);
    assert_eq!(browser.text_of("#state button"), "Pause reloading");
    browser.click("#state button");
    assert_eq!(browser.text_of("#state button"), "Resume reloading");
    browser.expect_accessible("a live page that is paused");
    is_put_off();
    // It stays so when the reader reloads the page.
    browser.run("window.isOld = true; location.reload()");
    browser.wait_for(IS_NEW);
    assert_eq!(browser.text_of("#state button"), "Resume reloading");
    is_put_off();
    browser.click("#state button");
    browser.run(WAIT_A_WHILE);
    browser.wait_for(IS_NEW);
    assert_eq!(browser.text_of("#state button"), "Pause reloading");
    browser.expect_silence(&page);
}

/// What the reader has heard already is not told again.
#[test]
fn a_reload_tells_nothing() {
    let Some(browser) = Browser::start("what a live page tells") else { return };
    let folder = TestFolder::new();
    let (page, number) = live_page(&folder);
    hold_timers(&browser);
    for place in ["", &format!("#match-{number}-round-1-move-2"), "#pair-easy~random", "#match-999"]
    {
        browser.open(&page, place);
        browser.run(WAIT_A_WHILE);
        browser.wait_for(IS_NEW);
        assert_eq!(browser.text_of("#live"), "", "{place}");
        // What the reader does then is told.
        browser.click("#filters label:nth-of-type(3) option[value='won']");
        assert_eq!(browser.text_of("#live"), browser.text_of("#filters .count"));
    }
    browser.expect_silence(&page);
}

/// A file is longer after each match: what is new may stand above what the reader reads.
#[test]
fn a_reload_keeps_what_is_read_in_sight_whatever_is_new_above() {
    let Some(browser) = Browser::start("a live page that grows") else { return };
    let folder = TestFolder::new();
    let (page, number) = live_page(&folder);
    let whole = std::fs::read_to_string(&page).unwrap();
    let (before, rest) = whole.split_once("<details><summary>Margins in numbers").unwrap();
    let (_, after) = rest.split_once("</details>").unwrap();
    let new = format!("<pre>New.{}</pre><section id=\"ranking\">", "\nMore.".repeat(60));
    let longer = whole.replacen("<section id=\"ranking\">", &new, 1);
    assert_ne!(longer, whole);
    hold_timers(&browser);
    let row = format!("at-match-{number}-round-1");
    for (seen, state) in [
        (
            "games",
            "[...document.querySelectorAll('details')].filter((it) => it.open).map((it) => \
            it.querySelector('summary').textContent)",
        ),
        (&*row, "[...document.querySelectorAll('table.games tbody tr')].map((it) => it.id)"),
    ] {
        std::fs::write(&page, format!("{before}{after}")).unwrap();
        browser.open(&page, "");
        browser.run(
            "const open = [...document.querySelectorAll('summary')].find((it) => \
               it.textContent === 'Who moved first: rounds'); open.parentElement.open = true; \
             for (const title of ['moves', 'first', 'no.', 'second']) \
               [...document.querySelectorAll('.games th')].find((it) => it.textContent === title).firstChild.click()",
        );
        browser.run(&format!(
            "document.getElementById({seen:?}).scrollIntoView(); window.scrollBy(0, -33)"
        ));
        let top = format!("document.getElementById({seen:?}).getBoundingClientRect().top");
        let state = format!("return {state}");
        let was = browser.run(&format!("return {top}"));
        let kept = browser.run(&state);
        std::fs::write(&page, &longer).unwrap();
        browser.run(WAIT_A_WHILE);
        browser.wait_for(IS_NEW);
        browser.wait_for_drawing();
        browser.wait_for_drawing();
        assert_eq!(browser.run(&state), kept, "{seen}");
        // Pages are scrolled by whole pixels.
        assert_eq!(browser.run(&format!("return Math.abs({top} - {was}) <= 1")), true, "{seen}");
    }
    browser.expect_silence(&page);
}
