//! `mancala bot`: the built-in player as a bot like anyone else's, on stdin and stdout.

use std::hash::{BuildHasher, RandomState};
use std::io::{self, BufRead, IsTerminal, Write};
use std::time::Duration;

use serde::Serialize;

use super::Failure;
use crate::engine::{Choice, Level, Player};
use crate::protocol::{Info, Start, ToBot, Turn};
use crate::rules::{Direction, House, Ruleset};
use crate::text;

/// What ends the help page.
const EXAMPLES: &str = "\
Examples:
  mancala match \"mancala bot hard\" ./my_bot
  mancala bot easy --seed 7";

/// Play as a bot: read the protocol's messages from stdin, answer on stdout.
///
/// The referee starts it for builtin:LEVEL; it may also be named as a command of its own.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// How well it plays: random, easy, average or hard
    level: Level,

    /// Makes its choices reproducible [default: different each time]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let stdin = io::stdin().lock();
    if stdin.is_terminal() {
        // Where nobody reads stderr, nobody waits either.
        let _ = writeln!(
            io::stderr(),
            "mancala: waiting for the protocol's messages on stdin; Ctrl-D ends"
        );
    }
    let seed = args.seed.unwrap_or_else(|| RandomState::new().hash_one("seed"));
    let mut bot = Bot { level: args.level, seed, rules: Ruleset::default(), player: None };
    let mut stdout = io::stdout().lock();
    for (number, line) in (1..).zip(stdin.lines()) {
        let line = line.map_err(|error| Failure::Work(format!("cannot read stdin: {error}")))?;
        let message = serde_json::from_str(&line).map_err(|error| {
            let error = text::printable(&error.to_string());
            Failure::Work(format!("line {number} of stdin is no message of the protocol: {error}"))
        })?;
        if let Some(answer) = bot.answer(message) {
            writeln!(stdout, "{answer}")
                .and_then(|()| stdout.flush())
                .map_err(|error| Failure::of_stdout(&error))?;
        }
    }
    Ok(())
}

struct Bot {
    level: Level,
    seed: u64,
    rules: Ruleset,
    player: Option<Player>,
}

/// An answer as it is written.
#[derive(Serialize)]
struct Answer {
    #[serde(rename = "move")]
    house: House,
    #[serde(skip_serializing_if = "Option::is_none")]
    direction: Option<Direction>,
    #[serde(skip_serializing_if = "Option::is_none")]
    info: Option<Info>,
}

/// What the search found, as the answer's `info`.
#[derive(Serialize)]
struct Thought {
    depth: u8,
    value: i16,
    nodes: u64,
}

impl Bot {
    fn answer(&mut self, message: ToBot) -> Option<String> {
        match message {
            ToBot::Start(start) => self.start(&start),
            ToBot::Turn(turn) => return self.turn(&turn),
            ToBot::End(_) | ToBot::Unknown => {}
        }
        None
    }

    fn start(&mut self, start: &Start) {
        self.rules = start.rules;
        // A round's moves do not depend on how long the round before it was.
        let seed = self.seed.wrapping_add(u64::from(start.round));
        self.player = Some(Player::new(self.level, &start.rules, seed));
    }

    fn turn(&mut self, turn: &Turn) -> Option<String> {
        let (level, rules, seed) = (self.level, self.rules, self.seed);
        let player = self.player.get_or_insert_with(|| Player::new(level, &rules, seed));
        let Choice { ply, thought } =
            player.choose(turn.board, Duration::from_millis(turn.move_time_ms))?;
        let thought = Thought { depth: thought.depth, value: thought.value, nodes: thought.nodes };
        let looked_ahead = matches!(level, Level::Average | Level::Hard);
        let answer = Answer {
            house: ply.house,
            direction: rules.direction.is_a_choice().then_some(ply.direction),
            info: looked_ahead.then(|| Info::from_value(&thought).ok()).flatten(),
        };
        serde_json::to_string(&answer).ok()
    }
}
