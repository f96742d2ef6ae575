//! Many sandboxed matches at once, each of a bot that attacks against a sound one: every verdict is
//! right, and nothing is left of any of them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::Value;

/// What the attackers do, with its cap, and the reasons with which their rounds may end.
const ATTACKS: &[(&str, &str, &[&str])] = &[
    ("kill-starter", "", &["completed"]),
    ("stop-starter", "", &["completed"]),
    ("exit-3", "", &["exited"]),
    ("hang", "", &["timeout"]),
    ("flood", "", &["oversized_reply"]),
    ("words", "", &["invalid_reply"]),
    ("early", "", &["unsolicited_output"]),
    // It may have no session of its own.
    ("daemon", "", &["exited"]),
    ("orphan", "", &["completed"]),
    ("ponder", "", &["completed"]),
    ("cpu-burner", "5", &["completed"]),
    ("memory-bomb", "32", &["completed"]),
    ("memory-bomb", "2000", &["exited"]),
    ("memory-bomb-children", "4000", &["exited", "completed"]),
    ("fork-bomb", "20", &["completed"]),
    // A bomb that is refused something says so, and plays on.
    ("fork-bomb", "500", &["exited", "completed"]),
    // On a machine as full as this it may be over between two looks.
    ("thread-bomb", "10000", &["exited", "completed"]),
    ("file-bomb", "200", &["exited", "completed"]),
    ("socket-bomb", "200", &["exited", "completed"]),
    // It may take longer than its turn.
    ("watch-bomb", "600", &["exited", "completed", "timeout"]),
    ("nameless-bomb", "100", &["exited", "completed"]),
    ("deep-bomb", "100", &["exited", "completed"]),
    ("closed-bomb", "100", &["exited", "completed"]),
    ("leave-a-mess", "", &["exited", "completed"]),
];

const OPTIONS: [&str; 7] = [
    "match",
    "--sandbox",
    "--format=json",
    "--memory=256MiB",
    "--processes=64",
    "--file-size=16MiB",
    // Longer than a sound bot has to wait for a core.
    "--move-time=3s",
];

/// Plays so many matches, so many of them at once, with this folder for what they make on the way.
/// Returns how the attackers' rounds ended.
///
/// # Errors
///
/// What was wrong, a line each.
pub fn run(
    (mancala, hostile): (&str, &str),
    folder: &Path,
    matches: usize,
    at_once: usize,
) -> Result<BTreeMap<String, u64>, Vec<String>> {
    let temporary = folder.join("tmp");
    fs::create_dir(&temporary).expect("a folder is made");
    let next = AtomicUsize::new(0);
    let found = Mutex::new((BTreeMap::new(), Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..at_once {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= matches {
                        return;
                    }
                    let outcome = play((mancala, hostile), folder, &temporary, number);
                    let (ends, wrong) = &mut *found.lock().expect("no panic with the lock");
                    match outcome {
                        Ok(reasons) => {
                            for reason in reasons {
                                *ends.entry(reason).or_default() += 1;
                            }
                        }
                        Err(why) => wrong.push(format!("match {number}: {why}")),
                    }
                }
            });
        }
    });
    let (ends, mut wrong) = found.into_inner().expect("no panic with the lock");
    // What a match leaves may be removed after its end.
    let folders = || fs::read_dir(&temporary).expect("it is there").count();
    let end = Instant::now() + Duration::from_mins(1);
    while (folders() > 0 || !processes_of(folder).is_empty()) && Instant::now() < end {
        std::thread::sleep(Duration::from_millis(10));
    }
    let left = folders();
    if left > 0 {
        wrong.push(format!("{left} private folders are left"));
    }
    let processes = processes_of(folder);
    if !processes.is_empty() {
        wrong.push(format!("processes are left: {processes:?}"));
    }
    if wrong.is_empty() { Ok(ends) } else { Err(wrong) }
}

/// Plays one match; returns the reasons of its rounds.
fn play(
    (mancala, hostile): (&str, &str),
    folder: &Path,
    temporary: &Path,
    number: usize,
) -> Result<Vec<String>, String> {
    let (mode, cap, allowed) = ATTACKS[number % ATTACKS.len()];
    let desk = folder.join(format!("desk-{number}"));
    fs::create_dir(&desk).expect("a folder is made");
    let bot = |mode: &str, cap: &str| format!("'{hostile}' {mode} 1 1 '{}' {cap}", desk.display());
    let played = || {
        let output = Command::new(mancala)
            .args(OPTIONS)
            .args([&format!("--allow-write={}", desk.display()), &bot(mode, cap)])
            .arg(bot("sound", ""))
            .env("TMPDIR", temporary)
            .stdin(Stdio::null())
            .output()
            .expect("mancala starts");
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        (output, stderr)
    };
    let (mut output, mut stderr) = played();
    // Nobody's fault on a machine that has too much to do: it is to be played again.
    for _ in 0..2 {
        if stderr.contains("the match is unfinished and does not count") {
            (output, stderr) = played();
        }
    }
    if output.status.code() != Some(0) {
        return Err(format!("{mode} {cap}: {}: {stderr}", output.status));
    }
    let record: Value = serde_json::from_slice(&output.stdout).map_err(|it| it.to_string())?;
    let rounds = record["rounds"].as_array().map_or(&[][..], Vec::as_slice);
    let mut reasons = Vec::new();
    for round in rounds {
        let result = &round["result"];
        let reason = result["reason"].as_str().unwrap_or_default();
        // What it does in the first round is not done again in the second.
        let is_expected = allowed.contains(&reason) || reason == "completed" && round["round"] == 2;
        if !is_expected || result["fault"]["bot"] == 1 {
            return Err(format!("{mode} {cap}: {result}"));
        }
        reasons.push(reason.to_owned());
    }
    if reasons.len() == 2 { Ok(reasons) } else { Err(format!("{} rounds", reasons.len())) }
}

/// The processes that have this folder in their command line.
fn processes_of(folder: &Path) -> Vec<String> {
    let name = folder.display().to_string();
    let all = fs::read_dir("/proc").expect("/proc is there").flatten();
    let command_lines = all.filter_map(|process| {
        let line = fs::read(process.path().join("cmdline")).ok()?;
        Some(String::from_utf8_lossy(&line).replace('\0', " "))
    });
    command_lines.filter(|line| line.contains(&name)).collect()
}
