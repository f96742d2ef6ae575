//! Where the history and links lead: to the board or without it, to what was asked for, and the focus.

use serde_json::json;

use super::{ENTER, TAB, address, whole_match};
use crate::program::mancala;
use crate::report::browser::Browser;
use crate::report::contest::contest_page;
use crate::test_folder::TestFolder;

/// A link is followed; the part of the page around it comes into view before.
fn follow(browser: &Browser, link: &str) -> f64 {
    let top = browser.run(&format!(
        "window.link = document.querySelector({link:?}); link.scrollIntoView({{block: 'center'}}); \
         return link.getBoundingClientRect().top"
    ));
    browser.run("link.click()");
    top.as_f64().unwrap()
}

/// Goes back to this address, and waits until the page is drawn there.
fn back(browser: &Browser, address: &str) {
    browser.run("history.back()");
    browser.wait_for(&format!("location.hash === '{address}'"));
    browser.wait_for_drawing();
}

/// The link that was followed is where it was.
#[track_caller]
fn expect_link_at(browser: &Browser, before: f64) {
    browser.wait_for(&format!("Math.abs(link.getBoundingClientRect().top - {before}) <= 2"));
}

/// That the page shows the games of a pair: it follows a link after the address has changed.
const GAMES_OF_A_PAIR: &str = "location.hash === '#pair-easy~random' \
                               && document.getElementById('filter-opponent').value !== '' \
                               && document.activeElement.id === 'games-heading'";

const IS_HIDDEN: &str = "return document.getElementById('board').hidden";

#[test]
fn back_leads_to_the_row_that_the_reader_came_from() {
    let Some(browser) = Browser::start("back from a board in a browser") else { return };
    let folder = TestFolder::new();
    let number = whole_match(&contest_page(&folder));
    let page = folder.file("c.html");
    browser.open(&page, "");
    for before in ["", "#games"] {
        let link = "table.games tbody tr:nth-child(20) a";
        if !before.is_empty() {
            browser.run(&format!("document.querySelector('nav a[href=\"{before}\"]').click()"));
        }
        let top = follow(&browser, link);
        browser.wait_for("!document.getElementById('board').hidden");
        back(&browser, before);
        assert_eq!(browser.run(IS_HIDDEN), true, "{before}");
        expect_link_at(&browser, top);
        assert_eq!(browser.run("return document.activeElement === link"), true, "{before}");
    }
    // A board that was there when the reader went on stays, and so does what if.
    browser.prefer("", &[("prefers-reduced-motion", "reduce")]);
    let game = format!("#match-{number}-round-1-move-2");
    browser.open(&page, &game);
    browser.click(".kalah .legal");
    browser.wait_for("document.querySelector('.what-if') !== null");
    let sentence = browser.text_of("#board .sentence");
    browser.run("document.querySelector('nav a[href=\"#games\"]').click()");
    browser.wait_for("location.hash === '#games'");
    assert_eq!(browser.run(IS_HIDDEN), false);
    back(&browser, &game);
    assert_eq!(browser.text_of("#board .sentence"), sentence);
    assert_eq!(browser.run("return document.querySelectorAll('.what-if').length"), 1);
    browser.expect_silence(&page);
}

#[test]
fn back_from_a_pair_asks_for_what_was_asked_for_before() {
    let Some(browser) = Browser::start("back from a pair in a browser") else { return };
    let folder = TestFolder::new();
    contest_page(&folder);
    let page = folder.file("c.html");
    browser.open(&page, "");
    let count = || browser.text_of("#filters .count");
    browser.click("#filter-bot option[value='says']");
    let before = count();
    let top = follow(&browser, ".cross a[href='#pair-easy~random']");
    browser.wait_for(GAMES_OF_A_PAIR);
    assert_ne!(count(), before);
    // The games of the pair are those that the board goes through.
    let pair = count();
    browser.click("table.games tbody tr:not([hidden]) a");
    browser.wait_for("!document.getElementById('board').hidden");
    assert_eq!(count(), pair);
    back(&browser, "#pair-easy~random");
    back(&browser, "");
    assert_eq!(count(), before);
    assert_eq!(browser.text("return document.getElementById('filter-bot').value"), "says");
    expect_link_at(&browser, top);
    // What the reader asks for after that stays.
    follow(&browser, ".cross a[href='#pair-easy~random']");
    browser.wait_for(GAMES_OF_A_PAIR);
    browser.click("#filter-opponent option[value='']");
    let own = count();
    back(&browser, "");
    assert_eq!(count(), own);
    browser.expect_silence(&page);
}

#[test]
fn a_board_that_plays_does_not_take_the_address_away() {
    let Some(browser) = Browser::start("leaving a game that plays in a browser") else { return };
    let folder = TestFolder::new();
    let number = whole_match(&contest_page(&folder));
    let page = folder.file("c.html");
    for link in ["nav a[href='#bots']", ".cross a[href='#pair-easy~random']"] {
        browser.open(&page, &format!("#match-{number}-round-1"));
        browser.click("#board option[value='fast']");
        browser.run("document.querySelector('#board h2').focus()");
        // A letter is the same key with Caps Lock.
        browser.press("P");
        browser.wait_for("location.hash.includes('-move-')");
        let found = browser.run_later(&format!(
            "const done = arguments[0]; document.querySelector({link:?}).click(); \
             const hash = location.hash; setTimeout(() => done([hash, location.hash]), 1500)"
        ));
        assert!(!found[0].as_str().unwrap().contains("match"), "{found}");
        assert_eq!(found[0], found[1]);
        let button = "[...document.querySelectorAll('#board button')].some((it) => it.textContent === 'Play')";
        assert_eq!(browser.run(&format!("return {button}")), true);
        // What the reader does on the board has an address again.
        browser.click("#board [aria-label='To the beginning']");
        assert_eq!(address(&browser), format!("#match-{number}-round-1"));
    }
    let below = || browser.text_of(".seat.below bdi");
    let before = below();
    browser.run("document.querySelector('#board h2').focus()");
    browser.press("T");
    assert_ne!(below(), before);
    browser.expect_silence(&page);
}

#[test]
fn the_keyboard_goes_where_links_and_the_board_lead() {
    let Some(browser) = Browser::start("the keyboard after links in a browser") else { return };
    let folder = TestFolder::new();
    let number = whole_match(&contest_page(&folder));
    let page = folder.file("c.html");
    browser.open(&page, "");
    browser.run("document.querySelector(\".cross a[href='#pair-easy~random']\").focus()");
    browser.press(&ENTER.to_string());
    browser.wait_for(GAMES_OF_A_PAIR);
    browser.press(&TAB.to_string());
    assert!(!browser.run("return document.activeElement.closest('#games')").is_null());
    browser.expect_accessible("the games of a pair");
    // A filter hides the row of the game that is closed.
    browser.open(&page, &format!("#match-{number}-round-1"));
    let other = browser.run(
        "const names = [...document.querySelectorAll('.seat bdi')].map((it) => it.textContent); \
         const bot = document.getElementById('filter-bot'); \
         bot.value = [...bot.options].map((it) => it.value).find((it) => it && !names.includes(it)); \
         bot.dispatchEvent(new Event('change')); return bot.value",
    );
    assert_ne!(other, json!(""));
    browser.run("document.querySelector('#board .close').click()");
    assert_eq!(browser.text("return document.activeElement.id"), "games-heading");
    browser.expect_silence(&page);
}

#[test]
fn names_from_right_to_left_stand_in_the_order_of_the_sentence() {
    let Some(browser) = Browser::start("names from right to left in a browser") else { return };
    let folder = TestFolder::new();
    mancala(["match", "עברית=builtin:easy", "שלום=builtin:random", "--report", "m.html", "-q"])
        .in_folder(folder.path())
        .run()
        .code(0);
    let page = folder.file("m.html");
    browser.prefer("", &[("prefers-reduced-motion", "reduce")]);
    browser.open(&page, "#match-1-round-1");
    // Without faults there is no choice of them.
    assert_eq!(
        browser.text_of("#filters .faint"),
        "Result is that of the chosen bot; with Bot: any, of either bot."
    );
    browser.click("#board [aria-label='To the end']");
    // Where the names of the first mover and of the second begin, where each stands last in a text.
    let places = browser.run(
        "const names = [...document.querySelectorAll('.seat bdi')].map((it) => it.textContent).reverse(); \
         const left = (place) => (name) => { \
           const texts = document.createTreeWalker(document.querySelector(place), NodeFilter.SHOW_TEXT); \
           const range = document.createRange(); \
           while (texts.nextNode()) { \
             const at = texts.currentNode.data.lastIndexOf(name); if (at < 0) continue; \
             range.setStart(texts.currentNode, at); range.setEnd(texts.currentNode, at + name.length); } \
           return range.getBoundingClientRect().left; }; \
         return ['.legend', '#board .sentence', '#board h2'].map((place) => names.map(left(place)))",
    );
    for [first, second] in serde_json::from_value::<Vec<[f64; 2]>>(places.clone()).unwrap() {
        assert!(first < second, "{places}");
    }
    browser.expect_silence(&page);
}

#[test]
fn marks_of_moves_stay_whole_words_on_a_phone() {
    let Some(browser) = Browser::start("the list of moves on a phone") else { return };
    let folder = TestFolder::new();
    mancala(["match", "builtin:easy", "builtin:random", "--report", "m.html", "-q"])
        .args(["--rules", "mancala5000", "--direction", "either"])
        .in_folder(folder.path())
        .run()
        .code(0);
    let page = folder.file("m.html");
    browser.resize(360, 740);
    browser.open(&page, "#match-1-round-1-move-1");
    // Long times take most of the room.
    let found = browser.run(
        "for (const time of document.querySelectorAll('.moves .time')) time.textContent = '12345.678 ms'; \
         const words = []; const range = document.createRange(); \
         for (const marks of document.querySelectorAll('.moves .marks')) \
           for (const word of (marks.textContent || '').matchAll(/\\S+/g)) { \
             range.setStart(marks.firstChild, word.index); \
             range.setEnd(marks.firstChild, word.index + word[0].length); \
             words.push([word[0], range.getClientRects().length]); } \
         const list = document.querySelector('.moves'); \
         return [words.length, words.filter(([, lines]) => lines !== 1), list.scrollWidth - list.clientWidth]",
    );
    assert!(found[0].as_u64().unwrap() > 4, "{found}");
    assert_eq!([&found[1], &found[2]], [&json!([]), &json!(0)], "{found}");
    browser.expect_accessible("the list of moves on a phone");
}

/// The address of a board is written 250 ms after a step, which may be just when the reader goes back.
#[test]
fn back_while_the_address_is_about_to_follow_leads_back() {
    let Some(browser) = Browser::start("back at the wrong moment in a browser") else { return };
    let folder = TestFolder::new();
    contest_page(&folder);
    browser.open(&folder.file("c.html"), "");
    let stayed = browser.run_later(
        "const done = arguments[arguments.length - 1]; \
         const link = document.querySelector('table.games tbody tr:nth-child(20) a'); \
         const moments = [246, 247, 248, 249, 250, 251, 252]; \
         const left = [...moments, ...moments]; \
         const stayed = []; \
         const next = () => { \
           if (left.length === 0) return done(stayed); \
           const ms = left.pop(); \
           link.click(); \
           setTimeout(() => { \
             history.back(); \
             setTimeout(() => { \
               if (location.hash !== '') return done([ms, location.hash]); \
               next(); \
             }, 350); \
           }, ms); \
         }; \
         next();",
    );
    assert_eq!(stayed, json!([]));
}

#[test]
fn whoever_leaves_while_a_move_is_sown_comes_back_to_it() {
    let Some(browser) = Browser::start("leaving a board that sows in a browser") else { return };
    let folder = TestFolder::new();
    let number = whole_match(&contest_page(&folder));
    browser.open(&folder.file("c.html"), &format!("#match-{number}-round-1"));
    // At once, while the first seeds are sown.
    browser.run(&format!(
        "const next = new KeyboardEvent('keydown', {{key: 'ArrowRight', bubbles: true}}); \
         document.querySelector('#board').dispatchEvent(next); \
         document.querySelector('nav a[href=\"#games\"]').click(); \
         window.left = location.hash; history.back(); return {number}"
    ));
    browser.wait_for(&format!("location.hash === '#match-{number}-round-1-move-1'"));
    assert_eq!(browser.text("return window.left"), "#games");
    browser.wait_for(
        "document.querySelector('#board .slider input, #board input[type=range]').value === '1'",
    );
}

#[test]
fn a_link_leads_to_the_game_as_it_was_played() {
    let Some(browser) = Browser::start("a link under what if in a browser") else { return };
    let folder = TestFolder::new();
    let number = whole_match(&contest_page(&folder));
    let page = folder.file("c.html");
    browser.prefer("", &[("prefers-reduced-motion", "reduce")]);
    browser.open(&page, "");
    // The link of the list is in the address already; that to a move is followed from elsewhere.
    let to_move = browser.text("return document.querySelector('#bots a[href*=\"-move-\"]').hash");
    for (game, between) in [(format!("#match-{number}-round-1"), ""), (to_move, "#games")] {
        browser.open(&page, &game);
        let board = "return [document.querySelector('#board .sentence').textContent, \
            document.querySelectorAll('.moves li').length, \
            document.querySelectorAll('.what-if').length, document.querySelector('#board input').value]";
        let before = browser.run(board);
        browser.click(".kalah .legal");
        assert_ne!(browser.run(board), before, "{game}");
        if !between.is_empty() {
            follow(&browser, &format!("nav a[href='{between}']"));
            browser.wait_for(&format!("location.hash === '{between}'"));
        }
        follow(&browser, &format!("a[href='{game}']"));
        browser.wait_for(&format!("location.hash === '{game}'"));
        browser.wait_for_drawing();
        assert_eq!(browser.run(board), before, "{game}");
        assert_eq!(address(&browser), game);
    }
    browser.expect_silence(&page);
}
