//! Bots that burn in hundreds of processes all that they get, where the system shares the processor
//! among processes and not among bots, as it does in the control group of a container.

use crate::control_groups::Group;
use crate::program::{hostile, mancala};
use crate::requirements;
use crate::runner::{Test, tests};
use crate::test_folder::TestFolder;

pub const TESTS: &[Test] = tests![a_bot_with_hundreds_of_busy_processes_loses];

/// As many as the usual limit allows, nearly.
const BURNERS: u32 = 240;

fn a_bot_with_hundreds_of_busy_processes_loses() {
    let files = ["cpu.shares", "cpu.weight"];
    let Some(group) = Group::of("cpu", files, "a crowd of burners") else { return };
    let sandbox = requirements::sandbox_is_there("a crowd in the sandbox");
    let options = if sandbox { "--sandbox" } else { "--ponder=freeze" };
    // In its own turn, in which the referee has to see that its time is over; and while its opponent
    // thinks.
    for (mode, opponent, time) in [
        ("burners-and-hang", hostile("sound"), "600ms"),
        // Ten times as long as it computes: it has nearly all of a core, as much as others leave.
        ("burners", hostile("compute 1 1 - 500"), "5s"),
    ] {
        let folder = TestFolder::new();
        let bot = hostile(&format!("{mode} 1 1 '{}' {BURNERS}", folder.marker()));
        let record = mancala(["match", "--format=json", "--rounds=1", options])
            .args([format!("--move-time={time}"), format!("--start-time={time}")])
            // What the sandbox lets it write to: the marks of what it has done.
            .args(sandbox.then(|| format!("--allow-write={}", folder.marker())))
            .args([bot, opponent])
            .behind(&["sh", "-c", &group.enter()])
            .run()
            .code(0)
            .json();
        let fault = &record["rounds"][0]["result"]["fault"];
        let is_its_own = fault["bot"] == 0;
        // Who plays on may win, by moves.
        assert!(is_its_own || mode == "burners" && fault.is_null(), "{mode}: {record:#}");
        folder.none_left();
    }
}
