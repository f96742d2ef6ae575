//! Greedy: chooses the house that leaves the most seeds in its own store.
//!
//! Compile it, then try it:
//!
//! ```text
//! cargo build --release --example greedy
//! mancala match target/release/examples/greedy builtin:easy
//! ```
//!
//! The referee sends one JSON object a line. Only `turn` wants an answer: one line with the house
//! to play. For a bot of your own, begin with `choose`; the only crate it needs is `serde_json`.

use serde_json::Value;
use std::error::Error;
use std::io::{self, Write};

/// 14 cells, always seen from our side: our houses are 0 to 5 and our store is 6, the opponent's
/// houses are 7 to 12 and its store is 13. House `c` faces house `12 - c`.
type Board = [u32; 14];

const OWN_STORE: usize = 6;
const OPPONENT_STORE: usize = 13;

/// What the `start` message says about the rules.
struct Rules {
    backward: bool,
    skip_opponent_store: bool,
    empty_capture: bool,
}

/// These rules hold until a `start` message arrives.
const LEARNEROO: Rules = Rules { backward: false, skip_opponent_store: false, empty_capture: true };

impl Rules {
    fn from_start(rules: &Value) -> Rules {
        Rules {
            // Where the direction is free ("either"), we go forward.
            backward: rules["direction"] == "backward",
            skip_opponent_store: rules["opponent_store"] == "skip",
            empty_capture: rules["empty_capture"] == true,
        }
    }
}

/// Returns the board after the move.
fn play(mut board: Board, house: usize, rules: &Rules) -> Board {
    let mut seeds = board[house];
    board[house] = 0;

    // Sow one seed a cell. On a ring of 14 cells, 13 steps forward are one step backward.
    let step = if rules.backward { 13 } else { 1 };
    let mut cell = house;
    while seeds > 0 {
        cell = (cell + step) % 14;
        if cell == OPPONENT_STORE && rules.skip_opponent_store {
            continue;
        }
        board[cell] += 1;
        seeds -= 1;
    }

    // The last seed in an own house that was empty captures the facing house.
    if cell < OWN_STORE && board[cell] == 1 {
        let facing = 12 - cell;
        if board[facing] > 0 || rules.empty_capture {
            board[OWN_STORE] += board[cell] + board[facing];
            board[cell] = 0;
            board[facing] = 0;
        }
    }
    board
}

/// Returns the best legal house, the first one when several are as good.
fn choose(board: Board, legal: &[usize], rules: &Rules) -> usize {
    let mut best = legal[0];
    let mut most = 0;
    for &house in legal {
        let stored = play(board, house, rules)[OWN_STORE];
        if stored > most {
            best = house;
            most = stored;
        }
    }
    best
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut rules = LEARNEROO;
    for line in io::stdin().lines() {
        let mut message: Value = serde_json::from_str(&line?)?;
        if message["type"] == "start" {
            if message["protocol"] != 1 {
                return Err(format!("no version {} of the protocol", message["protocol"]).into());
            }
            rules = Rules::from_start(&message["rules"]);
        } else if message["type"] == "turn" {
            let board: Board = serde_json::from_value(message["board"].take())?;
            let legal: Vec<usize> = serde_json::from_value(message["legal"].take())?;
            let mut stdout = io::stdout();
            writeln!(stdout, "{}", choose(board, &legal, &rules))?;
            stdout.flush()?; // so that the answer does not wait in a buffer
        }
    }
    Ok(())
}
