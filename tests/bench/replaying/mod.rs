//! Rounds of every ruleset between bots of three strengths, each played again from its record.

use std::path::Path;
use std::process::{Command, Stdio};

/// All rulesets, all directions, odd numbers of seeds, and rounds that end at the limit of moves.
const RULES: [&str; 8] = [
    "--rules=learneroo",
    "--rules=ece1021",
    "--rules=cs221",
    "--rules=mancala5000",
    "--rules=mancala5000 --direction=backward --seeds=3",
    "--rules=mancala5000 --direction=either --seeds=8",
    "--rules=kalah --seeds=1",
    "--rules=learneroo --direction=either --empty-capture=no --max-moves=60",
];

/// Each plays each: three pairings.
const BOTS: [&str; 3] = ["builtin:random", "builtin:easy", "builtin:average"];

/// Plays two rounds a pairing and ruleset from so many openings, and replays them all. Returns the
/// number of rounds.
///
/// # Errors
///
/// What was not played, or is not valid.
pub fn run(mancala: &str, folder: &Path, openings: usize) -> Result<usize, String> {
    for (number, rules) in RULES.into_iter().enumerate() {
        let record = folder.join(format!("{number}.jsonl"));
        let play = Command::new(mancala)
            .args(["tournament", "--quiet", "--oversubscribe", "--jobs=2", "--openings=random:4"])
            // Time is not the question.
            .args(["--move-time=20s", &format!("--count={openings}")])
            .args(rules.split_whitespace())
            .args(BOTS)
            .arg("--record")
            .arg(&record)
            .stdin(Stdio::null())
            .output();
        let played = play.expect("mancala starts");
        let stderr = String::from_utf8_lossy(&played.stderr);
        if !played.status.success() {
            return Err(format!("{rules}: {}: {stderr}", played.status));
        }
        let replay = Command::new(mancala).arg("replay").arg(&record).output();
        let replayed = replay.expect("mancala starts");
        let stdout = String::from_utf8_lossy(&replayed.stdout);
        let all = format!("\n{0} of {0} matches are valid\n", 3 * openings);
        if !replayed.status.success() || !stdout.ends_with(&all) {
            let wrong = stdout.lines().filter(|line| !line.contains(": valid,"));
            let wrong: Vec<&str> = wrong.take(10).collect();
            return Err(format!("{rules}: {}", wrong.join("\n")));
        }
    }
    Ok(RULES.len() * 3 * openings * 2)
}
