//! The board: steps, play, what if, and that every board is that of `replay`.

use serde_json::{Value, json};

use super::{
    DRAWN, END, ENTER, ESCAPE, HOME, LEFT, RIGHT, TAB, address, board_after, drawn, flipped,
    replayed, whole_match,
};
use crate::program::mancala;
use crate::report::browser::Browser;
use crate::report::contest::contest_page;
use crate::test_folder::TestFolder;

#[test]
fn steps_are_taken_by_keys_clicks_swipes_and_the_slider() {
    let Some(browser) = Browser::start("stepping through a game in a browser") else { return };
    let folder = TestFolder::new();
    let number = whole_match(&contest_page(&folder));
    let page = folder.file("c.html");
    let round = &replayed(&folder, &["c.jsonl", "--match", &number.to_string()])["rounds"][0];
    let moves = round["moves"].as_array().unwrap().len();
    let at = |step: usize| match step {
        0 => format!("#match-{number}-round-1"),
        step => format!("#match-{number}-round-1-move-{step}"),
    };
    let expect = |step: usize, what: &str| {
        let is_there = format!("location.hash === '{}'", at(step));
        browser.wait_until(&format!("{what} does not lead to step {step}"), &is_there);
        let board = if step > moves { &round["final"] } else { board_after(round, step) };
        assert_eq!(drawn(&browser), *board, "{what}");
        assert_eq!(
            browser.run("return Number(document.querySelector('#board input').value)"),
            step
        );
    };
    browser.prefer("", &[("prefers-reduced-motion", "reduce")]);
    browser.open(&page, &at(0));
    expect(0, "the opening");
    let press = |key: char, step: usize| {
        browser.press(&key.to_string());
        expect(step, &format!("key {:x}", u32::from(key)));
    };
    press(RIGHT, 1);
    press(RIGHT, 2);
    press(LEFT, 1);
    press(END, moves + 1);
    press(RIGHT, moves + 1);
    press(LEFT, moves);
    press(HOME, 0);
    press(LEFT, 0);
    let click = |name: &str, step: usize| {
        browser.click(&format!("#board [aria-label='{name}']"));
        expect(step, name);
    };
    click("Next move", 1);
    click("Next move", 2);
    click("Previous move", 1);
    click("To the end", moves + 1);
    click("To the beginning", 0);
    browser.click("#board .moves li:nth-child(3) button");
    expect(3, "the list of moves");
    assert_eq!(
        browser.text_of("#board .moves [aria-current]"),
        browser.text_of("#board .moves li:nth-child(3) button")
    );
    browser.run("document.querySelector('#board input').focus()");
    browser.press(&LEFT.to_string());
    expect(2, "the slider's own key");
    browser.run("const it = document.querySelector('#board input'); it.value = 1; it.dispatchEvent(new Event('input'))");
    expect(1, "the slider");
    browser.resize(360, 740);
    browser.run("document.querySelector('.board-place').scrollIntoView({block: 'center'})");
    browser.swipe(".board-place", -120);
    expect(2, "a swipe to the left");
    browser.swipe(".board-place", 120);
    expect(1, "a swipe to the right");
    // What the live region says is what stands below the board.
    assert_eq!(browser.text_of("#live"), browser.text_of("#board .sentence"));
    browser.resize(1280, 800);

    // The other side of the board.
    browser.run("document.querySelector('#board h2').focus()");
    browser.press("t");
    assert_eq!(drawn(&browser), flipped(board_after(round, 1)));
    browser.press("t");
    assert_eq!(drawn(&browser), *board_after(round, 1));
    // The numbers of the houses.
    let numbers = "return [...document.querySelectorAll('.kalah .number')].map((it) => it.textContent).join('')";
    for (choice, expected) in [("zero", "012345"), ("one", "123456"), ("ece", "654321")] {
        browser.click(&format!("#board option[value='{choice}']"));
        assert_eq!(browser.text(numbers), format!("{expected}{expected}"), "{choice}");
    }
    // With the keyboard alone: from the heading on to a house, and played.
    browser.click("#board option[value='zero']");
    browser.run("document.querySelector('#board h2').focus()");
    browser.press(&TAB.to_string().repeat(4));
    assert_eq!(browser.text("return document.activeElement.getAttribute('class')"), "cell legal");
    browser.press(&ENTER.to_string());
    assert!(!browser.run("return document.querySelector('.what-if')").is_null());
    browser.press(&ESCAPE.to_string());
    expect(1, "back from the house that was played");
    browser.press(&ESCAPE.to_string());
    assert_eq!(browser.run("return document.getElementById('board').hidden"), true);
    // The focus is where the game is in the list.
    assert_eq!(browser.text("return document.activeElement.getAttribute('href')"), at(0));
    browser.expect_silence(&page);
}

#[test]
fn a_game_plays_by_itself_seed_by_seed_at_three_speeds() {
    let Some(browser) = Browser::start("a game that plays in a browser") else { return };
    let folder = TestFolder::new();
    let number = whole_match(&contest_page(&folder));
    let page = folder.file("c.html");
    let replayed = replayed(&folder, &["c.jsonl", "--match", &number.to_string()]);
    let round = &replayed["rounds"][0];
    let moves = round["moves"].as_array().unwrap();
    // Every board that is drawn, and the pauses between them, which are left out.
    let watched = format!(
        "window.seen = []; window.pauses = []; \
         const later = window.setTimeout; \
         window.setTimeout = (act, pause) => {{ window.pauses.push(pause); return later(act, 0); }}; \
         {DRAWN} new MutationObserver(() => window.seen.push(drawn())) \
           .observe(document.querySelector('.board-place'), {{childList: true}});"
    );
    let playing = |speed: &str, features: &[(&str, &str)]| {
        browser.prefer("", features);
        browser.open(&page, &format!("#match-{number}-round-1"));
        browser.click(&format!("#board option[value='{speed}']"));
        browser.run(&watched);
        browser.run("document.querySelector('#board h2').focus()");
        browser.press("p");
        browser.wait_for(&format!("location.hash.endsWith('-move-{}')", moves.len() + 1));
        browser.wait_for(
            "document.querySelector('.play .controls').textContent.includes('Pause') === false",
        );
        let mut seen: Vec<Value> = browser.run("return window.seen").as_array().unwrap().clone();
        seen.dedup();
        (seen, browser.run("return window.pauses"))
    };
    let (seeds, boards) = sown_seed_by_seed(round);
    for (speed, pause) in [("slow", 380), ("normal", 150), ("fast", 45)] {
        let (seen, pauses) = playing(speed, &[]);
        assert_eq!(seen, boards, "{speed}");
        let pauses = pauses.as_array().unwrap().iter().filter(|it| **it == pause);
        assert!(pauses.count() >= seeds, "{speed}");
    }
    let mut whole: Vec<Value> = moves.iter().map(|played| played["board"].clone()).collect();
    whole.push(round["final"].clone());
    whole.dedup();
    // Moves that are made at once have three speeds, too.
    for (speed, pause) in [("slow", 1900), ("normal", 750), ("fast", 225)] {
        let (seen, pauses) = playing(speed, &[("prefers-reduced-motion", "reduce")]);
        assert_eq!(seen, whole, "{speed}");
        let between = pauses.as_array().unwrap().iter().filter(|it| **it == pause).count();
        assert_eq!(between, moves.len(), "{speed}");
    }
    browser.expect_silence(&page);
}

/// How many seeds a round sows, and every board on the way: after a house is emptied, after each
/// seed, after a capture, and at the end. The rules are those of `learneroo`: every cell is sown
/// into.
fn sown_seed_by_seed(round: &Value) -> (usize, Vec<Value>) {
    let mut boards = Vec::new();
    let mut seeds = 0;
    for (index, played) in round["moves"].as_array().unwrap().iter().enumerate() {
        let mut board: Vec<u64> =
            serde_json::from_value(board_after(round, index).clone()).unwrap();
        let side = if played["bot"] == round["first"] { 0 } else { 7 };
        let house = side + usize::try_from(played["move"].as_u64().unwrap()).unwrap();
        let all = usize::try_from(std::mem::take(&mut board[house])).unwrap();
        boards.push(json!(board));
        for seed in 1..=all {
            board[(house + seed) % 14] += 1;
            boards.push(json!(board));
        }
        boards.push(played["board"].clone());
        seeds += all;
    }
    boards.push(round["final"].clone());
    boards.dedup();
    (seeds, boards)
}

#[test]
fn what_if_goes_on_by_the_rules_and_comes_back() {
    let Some(browser) = Browser::start("what if, in a browser") else { return };
    let folder = TestFolder::new();
    for rules in [&["--rules", "kalah"][..], &["--rules", "mancala5000", "--direction", "either"]] {
        let _ = std::fs::remove_file(folder.file("m.jsonl"));
        let played = mancala(["match", "builtin:easy", "builtin:random", "--record", "m.jsonl"]);
        let played = played.args(rules).args(["--report", "m.html", "-q"]).in_folder(folder.path());
        played.run().code(0);
        let round = &replayed(&folder, &["m.jsonl"])["rounds"][0];
        browser.prefer("", &[("prefers-reduced-motion", "reduce")]);
        browser.open(&folder.file("m.html"), "#match-1-round-1-move-2");
        let before = drawn(&browser);
        assert_eq!(before, *board_after(round, 2));
        let marks = "return [...document.querySelectorAll('.curve .now')].map((it) => it.getAttribute('x1'))";
        let marks_before = browser.run(marks);
        // To the end: at each step the last house that may be played, as the solver's rules have it.
        let mut steps = 0;
        loop {
            let cell = browser.run(
                "const all = [...document.querySelectorAll('.kalah .legal')]; \
                 return all.length ? all[all.length - 1].dataset.cell : null",
            );
            let Some(cell) = cell.as_str() else { break };
            let board = drawn(&browser);
            // The legal houses are those of one side that have seeds.
            let side = cell.parse::<usize>().unwrap() / 7 * 7;
            let full: Vec<String> = (side..side + 6)
                .filter(|cell| board[cell] != 0)
                .map(|cell| cell.to_string())
                .collect();
            let legal = browser.run("return [...document.querySelectorAll('.kalah .legal')].map((it) => it.dataset.cell)");
            assert_eq!(legal, json!(full));
            let own = if side == 0 { board.clone() } else { flipped(&board) };
            let house = cell.parse::<usize>().unwrap() % 7;
            browser.click(&format!(".kalah [data-cell='{cell}']"));
            let after = drawn(&browser);
            let after = if side == 0 { after } else { flipped(&after) };
            assert_eq!(after, after_move(rules, &own, house), "{rules:?} {own} {house}");
            steps += 1;
            assert!(steps < 500);
        }
        assert!(steps > 1);
        assert!(browser.text_of("#board .sentence").contains("This game has ended"));
        // The curves are those of the game, so their mark is still where what if began.
        assert_eq!(browser.run(marks), marks_before);
        browser.expect_accessible("the end of what if");
        // One step back, another house, and back to the game.
        browser.press(&LEFT.to_string());
        browser.click("#board .controls button:last-child:not(.close)");
        assert_eq!(drawn(&browser), before);
        assert_eq!(address(&browser), "#match-1-round-1-move-2");
        assert_eq!(browser.run("return document.querySelectorAll('.what-if').length"), 0);
    }
}

/// The board after its mover sows a house forward, by the program itself.
fn after_move(rules: &[&str], board: &Value, house: usize) -> Value {
    use mancala_referee::rules::{Board, Direction, House, Ply, RulesetName, Sower};
    let board = Board::from_cells(serde_json::from_value(board.clone()).unwrap()).unwrap();
    let name: RulesetName = rules[1].parse().unwrap();
    let ply = Ply { house: House::ALL[house], direction: Direction::Forward };
    json!(Sower::new(&name.rules()).sow(board, ply).board.cells())
}

#[test]
fn the_board_after_each_step_is_that_of_replay() {
    let Some(browser) = Browser::start("every board of a page in a browser") else { return };
    let folder = TestFolder::new();
    browser.prefer("", &[("prefers-reduced-motion", "reduce")]);
    for rules in [
        "--rules learneroo",
        "--rules kalah --adjudicate lead",
        "--rules ece1021 --opening 1,2,3,4,5,6,1,6,5,4,3,2,1,0",
        "--rules cs221 --max-moves 9",
        "--rules mancala5000",
        "--rules mancala5000 --direction backward --opponent-store skip",
        "--rules mancala5000 --direction either --empty-capture no",
    ] {
        let _ = std::fs::remove_file(folder.file("m.jsonl"));
        let outcome =
            mancala(["match", "builtin:random", &format!("x={}", crate::report::page::NINE)])
                .args(rules.split_whitespace())
                .args(["--record", "m.jsonl", "--report", "m.html", "-q"])
                .args(["--fault-policy", "substitute", "--max-faults", "3"])
                .in_folder(folder.path())
                .run();
        outcome.code(0);
        let outcome =
            mancala(["match", "builtin:random", "builtin:easy", "--record", "m.jsonl", "-q"])
                .args(rules.split_whitespace())
                .in_folder(folder.path())
                .run();
        outcome.code(0);
        mancala(["report", "m.jsonl", "-q", "--merge", "terms"])
            .in_folder(folder.path())
            .run()
            .success();
        for number in ["1", "2"] {
            let replayed = replayed(&folder, &["m.jsonl", "--match", number]);
            for (index, round) in (1..).zip(replayed["rounds"].as_array().unwrap()) {
                browser.open(&folder.file("m.html"), &format!("#match-{number}-round-{index}"));
                let seen = browser.run(&format!(
                    "{DRAWN} const seen = []; const slider = document.querySelector('#board input'); \
                     for (;;) {{ const items = document.querySelectorAll('#board .moves button'); \
                       const now = items[slider.value - 1]; \
                       seen.push([drawn(), now ? now.className : '', now ? now.textContent : '', \
                         document.querySelector('#board .sentence').textContent]); \
                       if (slider.value === slider.max) break; \
                       document.querySelector('#board [aria-label=\"Next move\"]').click(); }} \
                     return seen"
                ));
                let seen = seen.as_array().unwrap();
                let moves = round["moves"].as_array().unwrap();
                assert_eq!(seen.len(), moves.len() + 2, "{rules}");
                assert_eq!(seen[0][0], round["opening"], "{rules}");
                for (seen, played) in seen[1..].iter().zip(moves) {
                    assert_eq!(seen[0], played["board"], "{rules}");
                    let (class, item) = (seen[1].as_str().unwrap(), seen[2].as_str().unwrap());
                    let words = seen[3].as_str().unwrap();
                    // A substituted move, a capture and an extra turn are told, and nothing else is.
                    let is_substitute = played.get("substitute").is_some();
                    assert_eq!(class.contains("substitute"), is_substitute, "{class}");
                    assert_eq!(words.contains("played for it"), is_substitute, "{words}");
                    let captured = played["captured"].as_u64().unwrap();
                    assert_eq!(
                        words.contains(&format!("It captures {captured} seed")),
                        captured > 0,
                        "{words}"
                    );
                    assert_eq!(item.contains("again"), played["extra_turn"] == true, "{item}");
                    assert!(
                        item.ends_with(&format!("{:.3} ms", played["ms"].as_f64().unwrap())),
                        "{item}"
                    );
                }
                let end = seen.last().unwrap();
                assert_eq!(end[0], round["final"], "{rules}");
                let expected = if round["fault"].is_null() {
                    format!("end {}", round["reason"].as_str().unwrap())
                } else {
                    "end fault".to_owned()
                };
                assert_eq!(end[1], expected, "{rules}");
                let mut score = [&round["score"][0], &round["score"][1]];
                if round["first"] == 1 {
                    score.swap(0, 1);
                }
                let words = end[3].as_str().unwrap();
                assert!(words.contains(&format!("{} : {}", score[0], score[1])), "{words}");
            }
        }
    }
}
