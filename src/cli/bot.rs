//! `mancala bot`: the built-in player as a bot like anyone else's, on stdin and stdout.

use std::hash::{BuildHasher, RandomState};
use std::io::{self, BufRead, IsTerminal, Write};
use std::path::Path;
use std::str::FromStr;
use std::time::{Duration, Instant};

use serde::Serialize;

use super::failure::{CliResult, Failure};
use super::options::whole;
use super::output::Output;
use crate::bot::TIME_SHARES;
use crate::engine::{ChosenMove, Effort, Expert, Judgement, Level, Player, Thought};
use crate::protocol::{Info, Start, ToBot, Turn, VERSION};
use crate::report::print_message;
use crate::rules::{Direction, House, Ply, Ruleset};
use crate::solve::{Budget, SolverRefusal};
use crate::text;
use crate::words::UnknownWord;

/// Play as a bot: read the protocol's messages from stdin, answer on stdout.
///
/// The referee starts it for builtin:LEVEL; it may also be named as a command of its own.
///
/// Before its first move the expert makes a table of endgames. With three seeds in each house that
/// takes a second or two and 250 MiB, with more seeds up to six seconds and 434 MiB. With --nodes the
/// table is always whole, however long that takes. In a tournament with --reuse-bots it is made once.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  mancala match \"mancala bot hard\" ./my_bot
  mancala bot easy --seed 7")]
pub(super) struct Args {
    /// How well it plays: random, easy, average, hard or expert
    level: Strength,

    /// Makes its choices reproducible [default: different each time]
    #[arg(long, value_name = "N", value_parser = whole::<u64>(0..=u64::MAX), allow_hyphen_values = true)]
    seed: Option<u64>,

    /// The part of its time that the expert takes for a move, 1 to 90 percent; of a time bank it
    /// takes at most a twentieth for each move. It takes up to half as much more to finish solving a
    /// position [default: 50]
    #[arg(long, value_name = "PERCENT", value_parser = whole::<u32>(TIME_SHARES), allow_hyphen_values = true)]
    time_share: Option<u32>,

    /// Positions that the expert searches for a move, at most; makes its games repeatable
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=u64::MAX), allow_hyphen_values = true)]
    nodes: Option<u64>,
}

/// The percentage of its time that the expert takes unless another one is asked for.
const TIME_SHARE: u32 = 50;

/// A level of the built-in player, or the expert.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Strength {
    Level(Level),
    Expert,
}

impl FromStr for Strength {
    type Err = UnknownWord;

    fn from_str(word: &str) -> Result<Strength, UnknownWord> {
        if word == "expert" {
            return Ok(Strength::Expert);
        }
        word.parse().map(Strength::Level).map_err(|_: UnknownWord| {
            let words = ["random", "easy", "average", "hard", "expert"];
            UnknownWord::new(word, &words, "random, easy, average, hard or expert")
        })
    }
}

pub(super) fn run(args: &Args) -> CliResult {
    let stdin = io::stdin().lock();
    if stdin.is_terminal() {
        print_message("waiting for the protocol's messages on stdin; Ctrl-D ends");
    }
    let is_of_expert = args.time_share.is_some() || args.nodes.is_some();
    let why = "--time-share and --nodes are the expert's: mancala bot expert";
    Failure::refuse_if(is_of_expert && args.level != Strength::Expert, why)?;
    let seed = args.seed.unwrap_or_else(|| RandomState::new().hash_one("seed"));
    let mind = match args.level {
        Strength::Level(level) => Mind::Level { level, seed, player: None },
        Strength::Expert => Mind::Expert(ExpertMind {
            share: args.time_share.unwrap_or(TIME_SHARE),
            nodes: args.nodes,
            expert: None,
        }),
    };
    let mut bot = BuiltinBot { rules: Ruleset::default(), mind };
    let mut out = Output::new();
    for (number, line) in (1..).zip(stdin.lines()) {
        let line = line.map_err(Failure::at("cannot read", Path::new("stdin")))?;
        let message = serde_json::from_str(&line).map_err(|error| {
            let is_object = line.trim_start().starts_with('{');
            let error =
                if is_object { error.to_string() } else { "it is not a JSON object".into() };
            let error = text::printable(&error);
            Failure::Work(format!(
                "line {number} of stdin is not a message of the protocol: {error}"
            ))
        })?;
        if let ToBot::Start(Start { protocol, .. }) = message
            && protocol != VERSION
        {
            let why = format!("it knows version {VERSION} of the protocol, not version {protocol}");
            return Err(Failure::Work(why));
        }
        if let Some(answer) = bot.answer(message)? {
            writeln!(out, "{answer}")
                .and_then(|()| out.flush())
                .map_err(|error| Failure::of_stdout(&error))?;
        }
    }
    Ok(())
}

/// The built-in player at the other end of the protocol.
struct BuiltinBot {
    rules: Ruleset,
    mind: Mind,
}

/// What chooses the moves.
enum Mind {
    Level { level: Level, seed: u64, player: Option<Player> },
    Expert(ExpertMind),
}

struct ExpertMind {
    /// Of its time, in percent.
    share: u32,
    nodes: Option<u64>,
    /// The expert, and the rules that it was made for.
    expert: Option<(Ruleset, Box<Expert>)>,
}

/// An answer as it is written.
#[derive(Serialize)]
struct MoveAnswer {
    #[serde(rename = "move")]
    house: House,
    #[serde(skip_serializing_if = "Option::is_none")]
    direction: Option<Direction>,
    #[serde(skip_serializing_if = "Option::is_none")]
    info: Option<Info>,
}

/// What the search found, as the answer's `info`.
#[derive(Serialize)]
struct SearchInfo {
    /// Of an expert's move: whether it keeps the value of the position, which is then the exact
    /// one, counted from now; otherwise `value` is the margin expected at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    exact: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<u8>,
    value: i16,
    nodes: u64,
}

/// Time to make an expert in. The referee gives its first answer ten seconds more than a move has, by
/// default, and two experts may be made on one core.
const START: Duration = Duration::from_secs(6);

/// Moves that a time bank is to last for.
const MOVES_OF_A_BANK: u32 = 20;

/// The most of a move's limit that it takes to solve a position, in percent.
const MOST_TO_SOLVE: u32 = 80;

impl BuiltinBot {
    fn answer(&mut self, message: ToBot) -> Result<Option<String>, SolverRefusal> {
        match message {
            ToBot::Start(start) => self.start(&start).map(|()| None),
            ToBot::Turn(turn) => self.turn(&turn),
            ToBot::End(_) | ToBot::Unknown => Ok(None),
        }
    }

    fn start(&mut self, start: &Start) -> Result<(), SolverRefusal> {
        self.rules = start.rules;
        match &mut self.mind {
            Mind::Level { level, seed, player } => {
                // A round's moves do not depend on how long the round before it was.
                let seed = seed.wrapping_add(u64::from(start.round));
                *player = Some(Player::new(*level, &start.rules, seed));
            }
            // Made now: before the first turn no clock runs.
            Mind::Expert(mind) => mind.expert(&start.rules)?.begin_game(start.board, start.first),
        }
        Ok(())
    }

    fn turn(&mut self, turn: &Turn) -> Result<Option<String>, SolverRefusal> {
        let rules = self.rules;
        let found = match &mut self.mind {
            Mind::Level { level, seed, player } => {
                let player = player.get_or_insert_with(|| Player::new(*level, &rules, *seed));
                let chosen = player.choose(turn.board, Duration::from_millis(turn.move_time_ms));
                let looks_ahead = matches!(level, Level::Average | Level::Hard);
                chosen.map(|ChosenMove { ply, thought }| {
                    let Thought { depth, value, nodes, .. } = thought;
                    let info = SearchInfo { exact: None, depth: Some(depth), value, nodes };
                    (ply, looks_ahead.then_some(info))
                })
            }
            Mind::Expert(mind) => mind.choose(&rules, turn)?.map(|(ply, info)| (ply, Some(info))),
        };
        let Some((ply, info)) = found else { return Ok(None) };
        let answer = MoveAnswer {
            house: ply.house,
            direction: rules.direction.is_a_choice().then_some(ply.direction),
            info: info.and_then(|info| Info::from_value(&info).ok()),
        };
        Ok(serde_json::to_string(&answer).ok())
    }
}

impl ExpertMind {
    /// The expert for `rules`, made if there is none yet.
    fn expert(&mut self, rules: &Ruleset) -> Result<&mut Expert, SolverRefusal> {
        let expert = match self.expert.take() {
            Some((of, expert)) if of == *rules => expert,
            _ => {
                // Games that repeat need the same table of endgames each time.
                let until =
                    if self.nodes.is_some() { None } else { Instant::now().checked_add(START) };
                Box::new(Expert::made_within(rules, &Budget { until, ..Budget::default() })?)
            }
        };
        Ok(&mut self.expert.insert((*rules, expert)).1)
    }

    fn choose(
        &mut self,
        rules: &Ruleset,
        turn: &Turn,
    ) -> Result<Option<(Ply, SearchInfo)>, SolverRefusal> {
        let limit = Duration::from_millis(turn.move_time_ms);
        let time = limit * self.share / 100;
        let bank = turn.time_left_ms.map(|left| Duration::from_millis(left) / MOVES_OF_A_BANK);
        let time = bank.map_or(time, |bank| bank.min(time));
        let to_solve = (time * 3 / 2).min(limit * MOST_TO_SOLVE / 100);
        let effort = Effort { time, to_solve, nodes: self.nodes };
        let found = self.expert(rules)?.choose(turn.board, effort);
        Ok(found.map(|Judgement { choice: ChosenMove { ply, thought }, exact }| {
            let info = SearchInfo {
                exact: Some(exact.is_some()),
                depth: exact.is_none().then_some(thought.depth),
                value: exact.unwrap_or(thought.value),
                nodes: thought.nodes,
            };
            (ply, info)
        }))
    }
}
