//! Bots that do nothing but start processes, without an end: each is held where processes are born,
//! or stopped as soon as it is seen, and hurts nobody else. All of it runs in a control group of its
//! own, so that it cannot hurt the machine.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use crate::control_groups::Group;
use crate::program::{Outcome, mancala, path};
use crate::requirements;
use crate::runner::{Test, tests};

pub const TESTS: &[Test] = tests![
    a_fork_bomb_is_its_own_loss_whatever_holds_it,
    a_fork_bomb_hurts_no_other_match,
    a_tournament_waits_when_a_fork_bomb_has_taken_all_processes,
];

/// A bomb of one program, and one whose processes leave its group.
const BOMBS: [&str; 2] = [
    "#include <unistd.h>\nint main(void) { for (;;) fork(); }\n",
    "#include <unistd.h>\nint main(void) { for (;;) if (!fork()) setpgid(0, 0); }\n",
];

/// The most processes of the referee and its bots together. The default limit of a bot is 256.
const MOST: usize = 1000;

/// A user without privileges, whom no other test uses.
const USER: &str = "770001";

/// How a bomb may be held: whether the referee is that user, what the tests leave it, what the
/// notice says, and whether the kernel refuses the processes.
const WAYS: [(bool, &str, &str, bool); 4] = [
    (false, "", "refuses a bot more (a control group)", true),
    (true, "namespace", "refuses a bot more (a user namespace)", true),
    (true, "none", "does not limit them here (no control group, no user namespace)", false),
    (false, "none", "does not limit them here (no control group, no user namespace)", false),
];

/// The program and the bombs where another user may run them.
struct Place(TempDir);

impl Place {
    fn new() -> Place {
        let place = Place(tempfile::tempdir().expect("a folder is made"));
        place.open(".", 0o777);
        for program in [env!("CARGO_BIN_EXE_mancala"), env!("CARGO_BIN_EXE_hostile")] {
            let name = Path::new(program).file_name().and_then(|name| name.to_str());
            let name = name.expect("a name");
            fs::copy(program, place.path(name)).expect("it is copied");
            place.open(name, 0o755);
        }
        for (number, source) in BOMBS.iter().enumerate() {
            let (bomb, code) = (format!("bomb{number}"), format!("bomb{number}.c"));
            fs::write(place.path(&code), source).expect("it is written");
            let mut compiler = Command::new("cc");
            compiler.arg("-o").args([place.path(&bomb), place.path(&code)]);
            assert!(compiler.status().expect("cc runs").success(), "{bomb} is not compiled");
            place.open(&bomb, 0o755);
        }
        place
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

    /// Runs `mancala` in the group, as that user where it `is_user`, with this limit on births at
    /// the best.
    fn run(&self, group: &Group, is_user: bool, best: &str, arguments: &[&str]) -> Outcome {
        let (enter, best) = (group.enter(), format!("MANCALA_PROCESS_LIMIT={best}"));
        let program = self.path("mancala");
        let mut words = vec!["sh", "-c", &enter];
        if is_user {
            words.extend(["setpriv", "--reuid", USER, "--regid", USER, "--clear-groups"]);
        }
        words.extend(["env", &best, &program]);
        words.extend(arguments);
        mancala::<&str>([]).in_folder(self.0.path()).instead(&words).run()
    }
}

/// A group for a test, that holds the bomb to `most` processes whatever the referee does.
fn group(most: usize, what: &str) -> Option<Group> {
    if !requirements::are_there("cc setpriv mancala --sandbox", what) {
        return None;
    }
    let group = Group::of("pids", ["pids.max", "pids.max"], what)?;
    assert!(group.set("pids.max", &most.to_string()), "the bomb would have no bound");
    Some(group)
}

/// Holds the promise `births`.
fn a_fork_bomb_is_its_own_loss_whatever_holds_it() {
    for (is_user, best, how, is_refused) in WAYS {
        let place = Place::new();
        for number in 0..BOMBS.len() {
            let Some(group) = group(MOST, "a fork bomb") else { return };
            let bomb = place.bomb(number);
            let arguments = ["match", "--sandbox", "--format=json", "--move-time=30s"];
            let arguments = [&arguments[..], &["--rounds=1", &bomb, "builtin:easy"]].concat();
            let outcome = place.run(&group, is_user, best, &arguments).code(0);
            assert!(outcome.stderr.contains(how), "{how}: {}", outcome.stderr);
            let record = outcome.json();
            let result = &record["rounds"][0]["result"];
            assert_eq!(result["fault"]["bot"], 0, "{best} {number}: {record:#}");
            assert_eq!(result["reason"], "exited", "{best} {number}: {record:#}");
            assert_eq!(group.get("pids.current").as_deref(), Some("0\n"), "{best} {number}");
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
    for (is_user, best, ..) in WAYS {
        let Some(group) = group(MOST, "a fork bomb in a tournament") else { return };
        let place = Place::new();
        let sound = ["a=builtin:easy", "b=builtin:random", "c=builtin:average", "d=builtin:easy"];
        let outcome = tournament(&place, &group, is_user, (best, &["--move-time=30s"]), sound);
        let standings = outcome.json();
        for row in standings["rows"].as_array().expect("rows") {
            let is_bomb = row["name"] == "bomb0";
            // On a slow machine it may find no end in its time.
            let its_own = |kind: &String| is_bomb && ["exited", "timeout"].contains(&&**kind);
            let mut faults = row["faults"].as_object().expect("faults").keys();
            assert!(faults.all(its_own), "{best}: {standings:#}");
        }
        assert_eq!(group.get("pids.current").as_deref(), Some("0\n"), "{best}: {standings:#}");
    }
}

/// Holds the promise `births`.
fn a_tournament_waits_when_a_fork_bomb_has_taken_all_processes() {
    // Fewer than the bomb may have: there is none for the other worker until the bomb is late.
    let Some(group) = group(40, "a fork bomb that takes all processes") else { return };
    let place = Place::new();
    // Matches that go on meanwhile, so that the other worker does not start its bots together with the
    // bomb; but that one must not play them all the time that the bomb has. How many do it depends on
    // the machine.
    let slow = format!("'{}' slowly 3 1", place.path("hostile"));
    let options = ["--move-time=2s", "--start-time=1s"];
    let mut told = String::new();
    for slow_bots in [0, 1, 2, 1] {
        let bot = |(index, name): (usize, &str)| {
            format!("{name}={}", if index < slow_bots { &slow } else { "builtin:easy" })
        };
        let [b, c] = [(0, "b"), (1, "c")].map(bot);
        let sound = ["a=builtin:easy", &b, &c, "d=builtin:easy"];
        let outcome = tournament(&place, &group, true, ("none", &options), sound);
        let waits = "no more processes and threads: ";
        if let Some(waited) = outcome.stderr.lines().find(|line| line.contains(waits)) {
            assert!(waited.ends_with("; waiting until there are some"), "{waited}");
            return;
        }
        told = outcome.stderr;
    }
    panic!("nobody waited: {told}");
}

/// Has a bomb and four sound bots meet, two matches at once, and holds that only the bomb is at
/// fault.
fn tournament(
    place: &Place,
    group: &Group,
    is_user: bool,
    (best, options): (&str, &[&str]),
    sound: [&str; 4],
) -> Outcome {
    let bomb = place.bomb(0);
    let always = ["tournament", "--sandbox", "--jobs=2", "--oversubscribe"];
    let format = ["--format=json", &bomb];
    let arguments = [&always[..], options, &format, &sound].concat();
    let outcome = place.run(group, is_user, best, &arguments).code(0);
    let standings = outcome.json();
    assert_eq!(standings["unfinished"], 0, "{best}: {standings:#}");
    let rows = standings["rows"].as_array().expect("rows");
    assert_eq!(rows.len(), 5, "{best}: {standings:#}");
    for row in rows {
        let faults = row["faults"].as_object().expect("faults");
        assert_eq!(faults.is_empty(), row["name"] != "bomb0", "{best}: {standings:#}");
    }
    outcome
}
