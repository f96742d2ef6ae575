//! Which processes of a match are still there: known by a text in their command lines.

use std::fs;
use std::time::Duration;

use rustix::io::Errno;
use rustix::process::{Pid, Signal, kill_process};

use super::test_folder::within;

/// The processes whose command line has this text, where the system lists them under `/proc`.
pub fn running(marker: &str) -> Vec<(Pid, String)> {
    let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
    entries
        .filter_map(|entry| {
            let entry = entry.ok()?;
            let pid = Pid::from_raw(entry.file_name().to_str()?.parse().ok()?)?;
            let line = fs::read(entry.path().join("cmdline")).ok()?;
            let line = String::from_utf8_lossy(&line).replace('\0', " ");
            line.contains(marker).then_some((pid, line))
        })
        .collect()
}

/// Nothing with this text in its command line is running, or not for much longer: what was killed
/// takes a moment to go.
#[track_caller]
pub fn none_left(marker: &str) {
    let mut left = Vec::new();
    let are_gone = within(Duration::from_secs(10), || {
        left = running(marker);
        left.is_empty()
    });
    if !are_gone {
        end_all(marker);
        panic!("left running: {left:#?}");
    }
}

/// Kills what has this text in its command line.
pub fn end_all(marker: &str) {
    for (pid, _) in running(marker) {
        // It may have ended in the meantime.
        let _ = kill_process(pid, Signal::KILL);
    }
}

/// What the referee promises: its bots are gone so long after it was killed.
pub const GONE_WITHIN: Duration = Duration::from_secs(1);

/// All processes below a referee, its wardens among them, by what they inherit from it.
pub fn below(referee: Pid) -> Vec<String> {
    let mark = format!("MANCALA_BOT={}", referee.as_raw_nonzero());
    let processes = fs::read_dir("/proc").expect("processes are listed").flatten();
    let marked = processes.filter(|process| {
        let environment = fs::read(process.path().join("environ")).unwrap_or_default();
        environment.split(|&byte| byte == 0).any(|variable| variable == mark.as_bytes())
    });
    marked.map(|process| process.file_name().to_string_lossy().into_owned()).collect()
}

/// Kills what keeps the bots of this referee.
pub fn kill_all_wardens_of(referee: Pid) {
    for warden in named(referee, "bot-warden") {
        match kill_process(warden, Signal::KILL) {
            // The referee ends the other one when the first is gone.
            Ok(()) | Err(Errno::SRCH) => {}
            Err(error) => panic!("{error}"),
        }
    }
}

/// The processes of this referee with that name.
pub fn named(referee: Pid, name: &str) -> Vec<Pid> {
    let has_name = |process: &String| {
        let found = fs::read_to_string(format!("/proc/{process}/comm")).unwrap_or_default();
        found.trim_end() == name
    };
    let pid = |process: String| process.parse().ok().and_then(Pid::from_raw).expect("a number");
    below(referee).into_iter().filter(has_name).map(pid).collect()
}

/// Nothing is left below a referee, this long from now at the latest.
#[track_caller]
pub fn gone_within(referee: Pid, time: Duration) {
    let is_gone = within(time, || below(referee).is_empty());
    assert!(is_gone, "left are {:?}", below(referee));
}
