//! Four sound pairs beside a bot that kills its wardens, each match in a process of its own: the
//! attacker's referee loses its wardens again and again, and the others notice nothing.

use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;

/// Pairs of sound bots in each run.
const PAIRS: usize = 4;

/// Bots that move to and fro until the limit on moves, so that the matches are played side by side.
const TO_AND_FRO: [&str; 4] = [
    "--direction=either",
    "--empty-capture=no",
    "--opening=1,0,0,0,0,0,0,1,0,0,0,0,0,0",
    "--move-time=10s",
];

/// Plays the five matches once, with `max_moves` moves a round.
///
/// # Errors
///
/// What touched a sound pair, or what was odd about the attacker's match.
pub fn run(mancala: &str, hostile: &str, folder: &Path, max_moves: u32) -> Result<(), String> {
    let bot = |mode: &str| format!("'{hostile}' {mode} 1 1 '{}'", folder.display());
    let play = |one: &str, other: &str| -> Child {
        Command::new(mancala)
            .args(["match", "--format=json"])
            .args(TO_AND_FRO)
            .arg(format!("--max-moves={max_moves}"))
            .args([bot(one), bot(other)])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("mancala starts")
    };
    let attacker = play("kill-wardens", "sound");
    let pairs: Vec<Child> = (0..PAIRS).map(|_| play("sound", "sound")).collect();
    let outputs: Vec<Output> =
        pairs.into_iter().map(|pair| pair.wait_with_output().expect("mancala ends")).collect();
    let outcome = attacker.wait_with_output().expect("mancala ends");
    for output in &outputs {
        is_untouched(output)?;
    }
    match outcome.status.code() {
        Some(0) => Ok(()),
        code => Err(format!("the attacker's match: {code:?}, {}", text(&outcome.stderr))),
    }
}

fn is_untouched(output: &Output) -> Result<(), String> {
    let told = || format!("{}{}", text(&output.stdout), text(&output.stderr));
    if output.status.code() != Some(0) || !output.stderr.is_empty() {
        return Err(format!("a sound pair: {:?}, {}", output.status, told()));
    }
    let record: Value = serde_json::from_slice(&output.stdout).map_err(|_| told())?;
    let rounds = record["rounds"].as_array().map_or(&[][..], Vec::as_slice);
    let touched = rounds.iter().find(|round| {
        round["result"]["reason"] != "move_limit" || round["replayed"].as_u64().is_some()
    });
    match touched {
        None if rounds.len() == 2 => Ok(()),
        None => Err(format!("a sound pair has {} rounds", rounds.len())),
        Some(round) => Err(format!("a round of a sound pair was touched: {}", round["result"])),
    }
}

fn text(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    text.chars().take(500).collect()
}
