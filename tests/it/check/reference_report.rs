//! The report of a check a second time, as protocol.md tells it: nothing may be missing, and
//! nothing may be there that is not told.

use serde::Deserialize;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "read to be checked")]
pub struct Report {
    format: Format,
    pub bot: Bot,
    pub seed: u64,
    pub budget_ms: u64,
    limits: Limits,
    pub probes: Vec<Probed>,
    pub games: Vec<Games>,
    pub times: Times,
    pub notes: Vec<Note>,
    pub findings: Vec<Finding>,
}

#[derive(Debug, Deserialize)]
enum Format {
    #[serde(rename = "mancala-check/2")]
    V2,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "read to be checked")]
pub struct Bot {
    name: String,
    command: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "read to be checked")]
struct Limits {
    move_time_ms: Option<u64>,
    start_time_ms: u64,
    game_time_ms: Option<u64>,
    margin_ms: u64,
    max_moves: u32,
    resources: Resources,
    sandbox: Option<Sandbox>,
    ponder: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "read to be checked")]
struct Sandbox {
    read: Vec<String>,
    write: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "read to be checked")]
struct Resources {
    memory_bytes: u64,
    processes: u32,
    file_size_bytes: u64,
    cpu_time_ms: u64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "read to be checked")]
pub struct Probed {
    pub probe: Probe,
    pub result: ResultWord,
    rounds: u32,
    pub answers: u32,
    pub cut_short: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Probe {
    Start,
    Games,
    Rounds,
    OpponentsFault,
    TimeBank,
    Names,
    UnknownFields,
    UnknownTypes,
    EndOfInput,
    Determinism,
    Positions,
    Levels,
    Times,
}

#[derive(Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ResultWord {
    Clean,
    Findings,
    Incomplete,
    LeftOut,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "read to be checked")]
pub struct Games {
    pub rules: Rules,
    opponent: Opponent,
    pub won: u32,
    pub drawn: u32,
    pub lost: u32,
    pub faulted: u32,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Opponent {
    Random,
    Easy,
    Average,
    Hard,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "read to be checked")]
pub struct Rules {
    pub name: String,
    pub seeds: u8,
    pub opponent_store: String,
    direction: String,
    pub empty_capture: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Times {
    pub first_answers: Option<Spread>,
    pub other_answers: Option<Spread>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spread {
    pub count: u32,
    pub median_ms: f64,
    pub p99_ms: f64,
    pub longest_ms: f64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "read to be checked")]
pub struct Note {
    probe: Probe,
    pub what: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Finding {
    pub severity: Severity,
    pub kind: Option<String>,
    pub probes: Vec<Probe>,
    pub times: u32,
    pub what: String,
    pub during: String,
    pub sent: Vec<String>,
    pub received: String,
    pub stderr: String,
    pub fix: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    Fault,
    Warning,
}
