//! The curves beside the board: which moves they mark, and where a click on them leads.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::steps::points;
use super::{address, replayed, whole_match};
use crate::program::mancala;
use crate::report::browser::Browser;
use crate::report::contest::contest_page;
use crate::report::page::NINE;
use crate::test_folder::TestFolder;

/// The first mover draws by house 4, which captures, and loses by house 3, which brings the other
/// store over a half.
const OPENING: &str = "0,0,0,10,1,0,6,1,0,0,0,0,0,18";

/// Plays the first legal house.
const FIRST: &str = r"bash -c 'while read -r line; do case $line in *type*turn*) \
house=${line#*legal*[}; echo ${house%%[],]*};; esac; done'";

/// The marks of blunders in each round of a page: in the curve, in the list of moves, in the list of
/// games, and at the last move. One visit leads through all rounds.
fn blunders(browser: &Browser, page: &str) -> Vec<[u64; 4]> {
    browser.open(page, "");
    let found = browser.run_later(
        "const done = arguments[arguments.length - 1]; const found = []; \
         const links = [...document.querySelectorAll('table.games a')]; \
         const next = () => { \
           if (found.length === links.length) return done(found); \
           addEventListener('hashchange', () => { found.push(marked()); next(); }, {once: true}); \
           location.hash = links[found.length].hash; }; \
         const marked = () => { \
           const curve = [...document.querySelectorAll('.curves figure')].find((it) => \
             it.textContent.startsWith('Exact value')); \
           const marks = [...document.querySelectorAll('#board .moves .marks')].map((it) => \
             Number(it.textContent.includes('blunder, −'))); \
           const row = links[found.length].closest('tr'); \
           const title = document.querySelector('#board h2').textContent; \
           return [title, [curve ? curve.querySelectorAll('.blunder').length : 0, \
             marks.reduce((sum, mark) => sum + mark, 0), \
             Number(row.lastElementChild.textContent), marks.at(-1) || 0]]; }; \
         next()",
    );
    let found: Vec<(String, [u64; 4])> = serde_json::from_value(found).unwrap();
    // The board was another one each time.
    let titles: BTreeSet<&String> = found.iter().map(|(title, _)| title).collect();
    assert_eq!(titles.len(), found.len(), "{titles:?}");
    found.into_iter().map(|(_, marks)| marks).collect()
}

#[test]
fn every_blunder_is_marked_however_its_round_ends() {
    let Some(browser) = Browser::start("blunders at the end of a round") else { return };
    let folder = TestFolder::new();
    contest_page(&folder);
    for [curve, list, games, _] in blunders(&browser, &folder.file("c.html")) {
        assert_eq!([curve, list], [games, games]);
    }
    let substituted = ["--fault-policy", "substitute", "--max-moves", "1"];
    for (bots, options, reason, is_blunder) in [
        ([FIRST, "builtin:easy"], &["--adjudicate", "lead"][..], "decided", 1),
        ([FIRST, "builtin:easy"], &["--max-moves", "1"], "move_limit", 1),
        ([FIRST, NINE], &[], "illegal_move", 1),
        // A move that was played for a bot is not its blunder.
        ([NINE, "builtin:easy"], &substituted, "move_limit", 0),
    ] {
        for file in ["m.jsonl", "v.jsonl"] {
            let _ = std::fs::remove_file(folder.file(file));
        }
        let bots = [format!("one={}", bots[0]), format!("two={}", bots[1])];
        mancala(["match", "--opening", OPENING, "--record", "m.jsonl", "-q"])
            .args(bots)
            .args(options)
            .in_folder(folder.path())
            .run()
            .code(0);
        for run in
            [&["analyse", "m.jsonl", "--write", "v.jsonl", "-q"][..], &["report", "v.jsonl", "-q"]]
        {
            mancala([run[0]]).args(&run[1..]).in_folder(folder.path()).run().code(0);
        }
        let record: serde_json::Value = serde_json::from_str(&folder.read("v.jsonl")).unwrap();
        assert_eq!(record["rounds"][0]["result"]["reason"], reason);
        let found = blunders(&browser, &folder.file("v.html"));
        assert_eq!(found[0][3], is_blunder, "{reason}");
        if options == substituted {
            browser.open(&folder.file("v.html"), "#match-1-round-1-move-1");
            let sentence = browser.text_of("#board .sentence");
            assert!(sentence.ends_with("was played for it."), "{sentence}");
        }
        for [curve, list, games, _] in found {
            assert_eq!([curve, list], [games, games], "{reason}");
        }
    }
}

#[test]
fn a_click_on_a_curve_leads_to_its_step_of_the_game() {
    let Some(browser) = Browser::start("a click on a curve in a browser") else { return };
    let folder = TestFolder::new();
    let number = whole_match(&contest_page(&folder));
    let page = folder.file("c.html");
    browser.prefer("", &[("prefers-reduced-motion", "reduce")]);
    let game = format!("#match-{number}-round-1");
    browser.open(&page, &format!("{game}-move-1"));
    let moves =
        browser.run("return document.querySelectorAll('#board .moves li:not(.end)').length");
    let click = |step: u64| {
        browser.run(&format!(
            "const curve = document.querySelector('.curve'); const box = curve.getBoundingClientRect(); \
             const x = 52 + {step} / {moves} * (420 - 52 - 18); \
             curve.dispatchEvent(new MouseEvent('click', {{bubbles: true, clientX: box.left + x / 420 * box.width}}))"
        ));
    };
    let state = || {
        browser.run(
            "return [document.querySelector('.what-if') !== null, \
             Number(document.querySelector('#board input').value)]",
        )
    };
    browser.click(".kalah .legal");
    assert_eq!(state(), json!([true, 2]));
    // The beginning is that of the game, too.
    click(1);
    assert_eq!(state(), json!([true, 1]));
    click(3);
    assert_eq!(state(), json!([false, 3]));
    assert_eq!(address(&browser), format!("{game}-move-3"));
    click(moves.as_u64().unwrap());
    assert_eq!(state(), json!([false, moves]));
    browser.expect_silence(&page);
}

#[test]
fn the_curve_of_times_marks_late_answers_and_has_no_points_where_nothing_was_asked() {
    let Some(browser) = Browser::start("substituted late answers in a browser") else { return };
    let folder = TestFolder::new();
    let substitute = ["--fault-policy", "substitute", "--max-faults", "2", "-q"];
    let (mut late, mut unasked) = (0, 0);
    for (name, bot, times) in [
        ("hurried", "hang 1 2", ["--move-time", "300ms", "--start-time", "5s"]),
        ("spent", "spend-the-bank 1 1", ["--game-time", "1500ms", "--margin", "100ms"]),
    ] {
        let (record, page) = (format!("{name}.jsonl"), format!("{name}.html"));
        mancala(["match", "builtin:easy", &format!("slow={}", folder.bot(bot))])
            .args(times)
            .args(substitute)
            .args(["--record", &*record, "--report", &*page])
            .in_folder(folder.path())
            .run_until_finished()
            .code(0);
        let rounds = replayed(&folder, &[&*record])["rounds"].clone();
        for (number, round) in (1..).zip(rounds.as_array().unwrap()) {
            browser.open(&folder.file(&page), &format!("#match-1-round-{number}"));
            let moves = round["moves"].as_array().unwrap();
            let is_late = |of: &Value| of["kind"] == "timeout";
            let is_asked = |played: &Value| played["ms"] != json!(0.0);
            let ends_late =
                is_late(&round["fault"]) && !round["fault"]["cause"]["waited_ms"].is_null();
            let asked: Vec<&Value> = moves.iter().filter(|played| is_asked(played)).collect();
            let marked = asked.iter().filter(|played| is_late(&played["substitute"])).count();
            (late, unasked) = (late + marked, unasked + moves.len() - asked.len());
            let marked = marked + usize::from(ends_late);
            let found = points(&browser, "Time of each move").len();
            assert_eq!(found, asked.len() + usize::from(ends_late), "{name} {number}");
            let seen = browser.run(
                "const figure = document.querySelectorAll('.curves figure')[1]; \
                 return [figure.querySelectorAll('.blunder').length, \
                   figure.textContent.includes('✕ is an answer that was too late'), \
                   [...document.querySelectorAll('.moves .time')].filter((it) => it.textContent).length]",
            );
            assert_eq!(seen, json!([marked, marked > 0, asked.len()]), "{name} {number}");
        }
        browser.expect_silence(&folder.file(&page));
    }
    assert!(late > 1 && unasked > 0, "{late} {unasked}");
}
