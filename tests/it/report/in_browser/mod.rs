//! The page in a browser: what its readers do with it, and what they then see.

mod board;
mod curves;
mod history;
mod reader;
mod reloads;
mod steps;
mod tables;
mod whole;

use serde_json::Value;

use super::browser::Browser;
use crate::program::mancala;
use crate::test_folder::TestFolder;

/// The keys of `WebDriver` for those without a character.
const LEFT: char = '\u{e012}';
const RIGHT: char = '\u{e014}';
const HOME: char = '\u{e011}';
const END: char = '\u{e010}';
const ESCAPE: char = '\u{e00c}';
const ENTER: char = '\u{e007}';
const TAB: char = '\u{e004}';

/// The board that is drawn, in the view of who sits below: the numbers beside the cells, which are
/// also as many as the seeds in each.
const DRAWN: &str = "const drawn = () => { \
    const counts = [...document.querySelectorAll('.kalah .count')].map((it) => Number(it.textContent)); \
    return counts.map((count, cell) => { \
      const seeds = document.querySelectorAll(`.kalah [data-cell='${cell}'] .seed`).length; \
      return count === seeds ? count : `${count} beside ${seeds} seeds`; }); };";

fn drawn(browser: &Browser) -> Value {
    browser.run(&format!("{DRAWN} return drawn()"))
}

/// The address, which follows the last step without waiting for the reader to rest.
fn address(browser: &Browser) -> String {
    browser.text("window.dispatchEvent(new Event('pagehide')); return location.hash")
}

/// A board in the other player's view.
fn flipped(board: &Value) -> Value {
    let cells = board.as_array().unwrap();
    cells[7..].iter().chain(&cells[..7]).cloned().collect()
}

/// The position of a round after so many moves, as `replay` has it.
fn board_after(round: &Value, moves: usize) -> &Value {
    if moves == 0 { &round["opening"] } else { &round["moves"][moves - 1]["board"] }
}

fn replayed(folder: &TestFolder, arguments: &[&str]) -> Value {
    let replay = mancala(["replay"]).args(arguments).args(["--format", "json"]);
    replay.in_folder(folder.path()).run().success().json()
}

/// The place of the first match that was played to its end with an own and another turn of each.
fn whole_match(matches: &[Value]) -> usize {
    let is_whole = |record: &Value| {
        let rounds = record["rounds"].as_array().unwrap();
        rounds.iter().all(|round| {
            round["result"]["reason"] == "completed" && round["moves"].as_array().unwrap().len() > 3
        })
    };
    matches.iter().position(is_whole).unwrap() + 1
}
