//! The bot itself: it plays the first legal house, except where its mode does something else.

use std::cell::RefCell;
use std::fs::{self, File};
use std::io::{self, BufRead};
use std::path::{Path, PathBuf};
use std::process::exit;
use std::time::{Duration, Instant};

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::attacks::{Outcome, report};
use crate::modes::At::{self, Birth, End, Eof, EveryMessage, EveryTurn, Launch, Start, Turn};
use crate::modes::Mode;
use crate::tools::{LONGEST, complain, pause, say, signal_starter};

pub struct Bot {
    pub mode: &'static Mode,
    pub round: u64,
    pub turn: u64,
    pub folder: Option<PathBuf>,
    /// What the warden is sent at the first `start`.
    pub signal: Option<Signal>,
    /// What stands behind FOLDER.
    pub arguments: Vec<String>,
    /// The round that is played.
    pub round_now: u64,
    /// Whether it makes the round's first move.
    pub first: bool,
    /// Whether the rules leave the direction to the player.
    pub either: bool,
    pub turn_now: u64,
    pub legal: Vec<u64>,
    pub move_time_ms: u64,
    /// The message that came last.
    pub message: Value,
    /// What it says only at the end.
    pub held: RefCell<String>,
    /// When it answered last, and the processor time that it had used by then.
    pub since: RefCell<Option<(Instant, Duration)>>,
}

impl Bot {
    pub fn run(&mut self) {
        self.act_at(Birth);
        self.witness("launches", &std::process::id().to_string());
        self.act_at(Launch);
        for line in io::stdin().lock().lines() {
            let Ok(line) = line else { break };
            let message: Value = serde_json::from_str(&line).expect("a message is JSON");
            self.message = message.clone();
            self.act_at(EveryMessage);
            match message["type"].as_str().expect("a message has a type") {
                "start" => {
                    self.round_now = message["round"].as_u64().expect("a round");
                    self.turn_now = 0;
                    self.first = message["first"].as_bool().expect("who is first");
                    self.either = message["rules"]["direction"] == "either";
                    if let Some(signal) = self.signal.take() {
                        signal_starter(signal);
                        self.await_stop(signal);
                    }
                    self.act_at(Start);
                }
                "turn" => {
                    self.turn_now = message["turn"].as_u64().expect("a turn");
                    self.move_time_ms = message["move_time_ms"].as_u64().expect("a limit");
                    let legal = message["legal"].as_array().expect("legal houses");
                    self.legal = legal.iter().filter_map(Value::as_u64).collect();
                    if !self.act_at(Turn) && !self.act_at(EveryTurn) {
                        self.answer();
                    }
                }
                "end" => {
                    self.witness("ends", &line);
                    self.act_at(End);
                }
                _ => {}
            }
        }
        say(&*self.held.borrow());
        self.act_at(Eof);
    }

    /// Waits until its warden is stopped, and says so to the test; the referee may wake it later.
    fn await_stop(&self, signal: Signal) {
        let status = format!("/proc/{}/status", std::os::unix::process::parent_id());
        if signal == Signal::STOP {
            while !fs::read_to_string(&status).is_ok_and(|text| text.contains("T (stopped)")) {}
            fs::write(self.folder().join("stopped"), "").expect("the folder is there");
        }
    }

    /// Whether the message that came last is of the protocol as it is.
    pub fn knows_the_type(&self) -> bool {
        ["start", "turn", "end"].contains(&self.message["type"].as_str().unwrap_or_default())
    }

    /// Does what the mode does if this is the moment; says whether it was.
    fn act_at(&self, at: At) -> bool {
        let due = at == self.mode.at
            && match at {
                Launch => self.is_first("launched"),
                Start | End => self.round_now == self.round,
                Turn => self.round_now == self.round && [0, self.turn_now].contains(&self.turn),
                Birth | EveryTurn | EveryMessage | Eof => true,
            };
        if due {
            (self.mode.act)(self);
        }
        due
    }

    /// The first legal house.
    pub fn house(&self) -> u64 {
        self.legal[0]
    }

    pub fn limit(&self) -> Duration {
        Duration::from_millis(self.move_time_ms)
    }

    /// Plays the first legal house.
    pub fn answer(&self) {
        if self.either {
            say(to_and_fro(self.house()));
        } else {
            say(format!("{}\n", self.house()));
        }
    }

    /// Plays the first legal house and says something beside.
    pub fn answer_with(&self, key: &str, value: &Value) {
        let mut answer = json!({"move": self.house()});
        if self.either {
            answer["direction"] = json!(direction(self.house()));
        }
        answer[key] = value.clone();
        say(format!("{answer}\n"));
    }

    /// Plays the first legal house, and tells these reports on stderr and in its `info`.
    pub fn answer_with_reports(&self, reports: &[String]) {
        for report in reports {
            complain(format!("{report}\n"));
        }
        self.answer_with("info", &json!(reports));
    }

    /// Plays on after a bomb, and tells what came of it.
    pub fn explode(&self, outcome: &Outcome) {
        self.answer_with_reports(&[report(self.mode.name, outcome)]);
    }

    /// Answers, but the first time after the other bot's turn TURN only when that bot has
    /// announced that it has done what it does.
    pub fn answer_patiently(&self) {
        let turn = if self.first { self.turn + 1 } else { self.turn };
        if (self.round_now, self.turn_now) == (self.round, turn) {
            self.wait_for("done");
        }
        self.answer();
    }

    /// Waits until this file is in its folder.
    pub fn wait_for(&self, file: &str) {
        let file = self.folder().join(file);
        let end = Instant::now() + LONGEST;
        while !file.exists() && Instant::now() < end {
            pause(Duration::from_millis(1));
        }
    }

    /// Answers whenever more is sent, without reading any of it. The round goes to and fro.
    pub fn answer_unread(&self) {
        let mut house = self.house();
        let mut waiting = 0;
        let end = Instant::now() + LONGEST;
        say(to_and_fro(house));
        while Instant::now() < end {
            let more = rustix::io::ioctl_fionread(io::stdin()).unwrap_or_default();
            if more > waiting {
                waiting = more;
                house = 1 - house;
                say(to_and_fro(house));
            } else {
                pause(Duration::from_micros(100));
            }
        }
    }

    pub fn folder(&self) -> &Path {
        self.folder.as_deref().expect("this mode needs a folder")
    }

    /// Whether this is the first call with that word in the whole match.
    pub fn is_first(&self, word: &str) -> bool {
        File::create_new(self.folder().join(word)).is_ok()
    }

    /// Leaves word for the test, or for a patient opponent, that it has come this far.
    pub fn announce(&self) {
        if let Some(folder) = &self.folder {
            fs::write(folder.join("done"), "").expect("the folder is there");
        }
    }

    /// Writes a line down in its folder, in the modes that do.
    fn witness(&self, file: &str, line: &str) {
        if matches!(self.mode.name, "witness" | "patient") {
            let mut options = File::options();
            let file = options.append(true).create(true).open(self.folder().join(file));
            let line = format!("{line}\n");
            io::Write::write_all(&mut file.expect("the folder is there"), line.as_bytes())
                .expect("it is written");
        }
    }

    /// Announces that it hangs, and does.
    pub fn hang(&self) {
        self.announce();
        pause(LONGEST);
        exit(99);
    }
}

/// The way from a house that leads to and fro between the houses 0 and 1.
fn direction(house: u64) -> &'static str {
    if house == 0 { "forward" } else { "backward" }
}

fn to_and_fro(house: u64) -> String {
    format!("{{\"move\":{house},\"direction\":\"{}\"}}\n", direction(house))
}
