//! Bots that do nothing but start processes, without an end: each is held where processes are born,
//! or stopped as soon as it is seen, and hurts nobody else. A tournament waits where somebody has
//! taken all processes. All of it runs in a control group of its own, so that it cannot hurt the
//! machine.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use crate::control_groups::Group;
use crate::program::{Outcome, Run, copy_program, mancala, path};
use crate::requirements;
use crate::runner::{Test, tests};
use crate::test_folder::{status_of, wait_until};

pub const TESTS: &[Test] = tests![
    a_fork_bomb_is_its_own_loss_whatever_holds_it,
    a_fork_bomb_hurts_no_other_match,
    a_tournament_waits_when_all_processes_are_taken,
];

/// A bomb of one program, and one whose processes leave its group.
const BOMBS: [&str; 2] = [
    "#include <unistd.h>\nint main(void) { for (;;) fork(); }\n",
    "#include <unistd.h>\nint main(void) { for (;;) if (!fork()) setpgid(0, 0); }\n",
];

/// The most processes of the referee and its bots together. The default limit of a bot is 256.
const MOST: usize = 1000;

/// Bots that do no harm.
const SOUND: [&str; 4] =
    ["a=builtin:easy", "b=builtin:random", "c=builtin:average", "d=builtin:easy"];

/// A user without privileges, whom no other test uses.
const USER: &str = "770001";

/// How a bomb may be held: whether the referee is that user, what the tests leave it, what the
/// notice says, and whether the kernel refuses the processes.
const WAYS: [(bool, &str, &str, bool); 4] = [
    (false, "", "enforced by the kernel (control group)", true),
    (true, "namespace", "enforced by the kernel (user namespace)", true),
    (true, "none", "not enforced by the kernel here (no control group, no user namespace)", false),
    (false, "none", "not enforced by the kernel here (no control group, no user namespace)", false),
];

/// The program and the bombs where another user may run them.
struct Place(TempDir);

impl Place {
    /// Makes it where these tests can be; says otherwise what is left out.
    fn new(what: &str) -> Option<Place> {
        if !requirements::are_there("cc setpriv mancala --sandbox", what) {
            return None;
        }
        let place = Place(tempfile::tempdir().expect("a folder is made"));
        place.open(".", 0o777);
        for program in [env!("CARGO_BIN_EXE_mancala"), env!("CARGO_BIN_EXE_hostile")] {
            let name = Path::new(program).file_name().and_then(|name| name.to_str());
            let name = name.expect("a name");
            copy_program(program, place.path(name));
        }
        for (number, source) in BOMBS.iter().enumerate() {
            let (bomb, code) = (format!("bomb{number}"), format!("bomb{number}.c"));
            fs::write(place.path(&code), source).expect("it is written");
            let mut compiler = Command::new("cc");
            compiler.arg("-o").args([place.path(&bomb), place.path(&code)]);
            assert!(compiler.status().expect("cc runs").success(), "{bomb} is not compiled");
            place.open(&bomb, 0o755);
        }
        Some(place)
    }

    fn path(&self, file: &str) -> String {
        path(self.0.path().join(file))
    }

    fn open(&self, file: &str, mode: u32) {
        let mode = fs::Permissions::from_mode(mode);
        fs::set_permissions(Path::new(&self.path(file)), mode).expect("it may be");
    }

    fn bomb(&self, number: usize) -> String {
        format!("bomb{number}='{}'", self.path(&format!("bomb{number}")))
    }

    /// A run of `mancala` in the group, as that user where it `is_user`, with this limit on births at
    /// the best.
    fn prepare(&self, group: &Group, is_user: bool, best: &str, arguments: &[&str]) -> Run {
        let (enter, best) = (group.enter(), format!("MANCALA_PROCESS_LIMIT={best}"));
        let program = self.path("mancala");
        let mut words = vec!["sh", "-c", &enter];
        if is_user {
            words.extend(["setpriv", "--reuid", USER, "--regid", USER, "--clear-groups"]);
        }
        words.extend(["env", &best, &program]);
        words.extend(arguments);
        mancala::<&str>([]).in_folder(self.0.path()).instead(&words)
    }

    fn run(&self, group: &Group, is_user: bool, best: &str, arguments: &[&str]) -> Outcome {
        self.prepare(group, is_user, best, arguments).run()
    }
}

/// A group for a test, that holds the bomb to `most` processes whatever the referee does.
fn group(most: usize, what: &str) -> Option<Group> {
    let group = Group::of("pids", ["pids.max", "pids.max"], what)?;
    assert!(group.set("pids.max", &most.to_string()), "the bomb would have no bound");
    Some(group)
}

/// Waits until nothing is in the group: what is killed takes a moment to leave.
#[track_caller]
fn wait_until_empty(group: &Group) {
    wait_until("processes are left", || group.get("pids.current").as_deref() == Some("0\n"));
}

/// Holds the promise `births`.
fn a_fork_bomb_is_its_own_loss_whatever_holds_it() {
    let what = "a fork bomb";
    let Some(place) = Place::new(what) else { return };
    for (is_user, best, how, is_refused) in WAYS {
        for number in 0..BOMBS.len() {
            let Some(group) = group(MOST, what) else { return };
            let bomb = place.bomb(number);
            // A slow machine may take long to find the end of it.
            let arguments = ["match", "--sandbox", "--format=json", "--move-time=2m"];
            let arguments = [&arguments[..], &["--rounds=1", &bomb, "builtin:easy"]].concat();
            let outcome = place.run(&group, is_user, best, &arguments).code(0);
            assert!(outcome.stderr.contains(how), "{how}: {}", outcome.stderr);
            let record = outcome.json();
            let result = &record["rounds"][0]["result"];
            assert_eq!(result["fault"]["bot"], 0, "{best} {number}: {record:#}");
            assert_eq!(result["reason"], "exited", "{best} {number}: {record:#}");
            wait_until_empty(&group);
            // Newer kernels tell it.
            let peak = group.get("pids.peak").and_then(|peak| peak.trim().parse::<usize>().ok());
            if let Some(peak) = peak.filter(|_| is_refused) {
                assert!((257..400).contains(&peak), "{best} {number}: {peak} processes at once");
            }
        }
    }
}

/// Holds the promise `births`.
fn a_fork_bomb_hurts_no_other_match() {
    let what = "a fork bomb in a tournament";
    let Some(place) = Place::new(what) else { return };
    for (is_user, best, ..) in WAYS {
        let Some(group) = group(MOST, what) else { return };
        let outcome = tournament(&place, &group, is_user, best);
        let standings = outcome.json();
        for row in standings["rows"].as_array().expect("rows") {
            let is_bomb = row["name"] == "bomb0";
            // On a slow machine it may find no end in its time.
            let its_own = |kind: &String| is_bomb && ["exited", "timeout"].contains(&&**kind);
            let mut faults = row["faults"].as_object().expect("faults").keys();
            assert!(faults.all(its_own), "{best}: {standings:#}");
        }
        wait_until_empty(&group);
    }
}

/// Holds the promise `births`.
fn a_tournament_waits_when_all_processes_are_taken() {
    let what = "a tournament without processes";
    let (Some(place), Some(group)) = (Place::new(what), group(MOST, what)) else { return };
    let arguments = ["--oversubscribe", "--strict", "--repeat=6", "--record=record"];
    let arguments = [&["tournament", "--jobs=2"], &arguments[..], &SOUND].concat();
    let mut tournament = place.prepare(&group, true, "none", &arguments).start();
    let record = place.0.path().join("record");
    let played = || fs::read_to_string(&record).unwrap_or_default().lines().count();
    // The first line is the tournament's own.
    wait_until("no match is played", || played() > 1);
    // From now on there are none for the bots of the next match.
    assert!(group.set("pids.max", "1"), "the tournament has all the processes that it wants");
    let stderr = BufReader::new(tournament.stderr.take().expect("stderr is piped"));
    let mut lines = stderr.lines().map_while(Result::ok);
    let waits = |line: &String| line.contains("no more processes and threads: ");
    let waited = lines.by_ref().find(waits).expect("the tournament waits");
    assert!(waited.ends_with("; waiting until there are some"), "{waited}");
    assert!(played() < 37, "all was played before");
    assert!(group.set("pids.max", &MOST.to_string()), "there are processes again");
    let others: Vec<String> = lines.collect();
    assert!(status_of(&mut tournament).success(), "{others:#?}");
    // No bot has a fault: with one, it ends with another code because of `--strict`.
    assert_eq!(played(), 37, "{others:#?}");
}

/// Has a bomb and three sound bots meet, two matches at once, and holds that only the bomb is at
/// fault.
fn tournament(place: &Place, group: &Group, is_user: bool, best: &str) -> Outcome {
    let bomb = place.bomb(0);
    let options = ["--sandbox", "--jobs=2", "--oversubscribe", "--move-time=30s"];
    let arguments =
        [&["tournament"], &options[..], &["--format=json", &bomb], &SOUND[..3]].concat();
    let outcome = place.run(group, is_user, best, &arguments).code(0);
    let standings = outcome.json();
    assert_eq!(standings["unfinished"], 0, "{best}: {standings:#}");
    let rows = standings["rows"].as_array().expect("rows");
    assert_eq!(rows.len(), 4, "{best}: {standings:#}");
    for row in rows {
        let faults = row["faults"].as_object().expect("faults");
        assert_eq!(faults.is_empty(), row["name"] != "bomb0", "{best}: {standings:#}");
    }
    outcome
}
