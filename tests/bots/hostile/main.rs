//! A bot that misbehaves on purpose, a mode for each behaviour. Built for the tests only.
//!
//! `hostile MODE [ROUND] [TURN] [FOLDER]` plays the first legal house, except that it does what
//! its mode says in the given round (default 1), at its given turn (default 1; 0 stands for every
//! turn of the round) or at the moment that the mode is about. FOLDER belongs to this match alone:
//! by its name the processes of the match are known, and what modes leave for the test, or for
//! each other, lies in it.
//!
//! `hostile --signal KILL|STOP MODE …` sends its warden this signal when it is told that a round
//! begins: from then on the warden only waits.
//!
//! `hostile attack ROUND TURN FOLDER NAME[=ARGUMENT]...` tries what is not a bot's to do, one after
//! the other, and `hostile BOMB ROUND TURN FOLDER [CAP]` takes all that it can get. Both say what
//! came of it, a line each on stderr and the same in the `info` of the move that they then play:
//! `attack NAME: succeeded: …` or `attack NAME: failed: …`.
//!
//! With `either` the first legal house is sown forward from house 0 and backward from any other:
//! from an opening of one seed a side that goes to and fro for ever.
//!
//! No mode outlives two minutes, so that nothing stays behind when the referee does not end it.

mod attacks;
mod bombs;
mod bot;
mod hoards;
mod modes;
mod pondering;
mod tools;

use std::fs;
use std::path::PathBuf;

use rustix::process::{Resource, Rlimit, Signal};

use crate::bot::Bot;
use crate::modes::MODES;
use crate::tools::{LONGEST, again, leave, pause};

fn main() {
    // Modes that crash leave no core file.
    let none = Rlimit { current: Some(0), maximum: Some(0) };
    rustix::process::setrlimit(Resource::Core, none).expect("core files are turned off");

    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut signal = None;
    if arguments.first().is_some_and(|first| first == "--signal") {
        signal = Some(if arguments[1] == "KILL" { Signal::KILL } else { Signal::STOP });
        arguments.drain(..2);
    }
    let argument = |index: usize| arguments.get(index).map(String::as_str);
    let number = |index| argument(index).map_or(1, |text| text.parse().expect("a number"));
    let name = argument(0).expect("a mode");
    let folder = argument(3).map(PathBuf::from);
    match name {
        // What modes leave running: a child, an orphan of the same group, one of its own session.
        "--linger" => {
            let (folder, own) = (folder.expect("a folder"), std::process::id().to_string());
            // Under another name first: whoever finds the file finds all of it.
            fs::write(folder.join(&own), &own).expect("the folder is there");
            fs::rename(folder.join(&own), folder.join("lingers")).expect("it may be renamed");
            return pause(LONGEST);
        }
        "--modes" => return MODES.iter().for_each(|mode| println!("{}", mode.name)),
        "--attacks" => return attacks::names().for_each(|name| println!("{name}")),
        "--bomb-setsid" => {
            rustix::process::setsid().expect("a session of its own");
            return bombs::one_process(name, number(4));
        }
        "--bomb" => return bombs::one_process(name, number(4)),
        "--in-turns" => return pondering::take_turns(number(4)),
        "--short-life" => return pondering::short_life(),
        "--hoard" => return hoards::one_hoarder(number(4)),
        "--hold" => return bombs::one_holder(number(4)),
        "--orphan" => return leave(&mut again("--linger")),
        "--daemon" => {
            rustix::process::setsid().expect("a session of its own");
            return leave(&mut again("--linger"));
        }
        _ => {}
    }
    let mode = MODES.iter().find(|mode| mode.name == name);
    let mut bot = Bot {
        mode: mode.unwrap_or_else(|| panic!("no mode {name:?}")),
        round: number(1),
        turn: number(2),
        folder,
        signal,
        arguments: arguments.iter().skip(4).cloned().collect(),
        round_now: 0,
        first: false,
        either: false,
        turn_now: 0,
        legal: Vec::new(),
        move_time_ms: 0,
        message: serde_json::Value::Null,
        held: std::cell::RefCell::default(),
        since: std::cell::RefCell::default(),
    };
    bot.run();
}
