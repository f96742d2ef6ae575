//! What the kernel counts for all processes of a user together: a bot that takes all of it takes
//! nothing from another one.

use crate::another_user::Public;
use crate::program::path;
use crate::requirements;
use crate::runner::{Test, tests};

pub const TESTS: &[Test] = tests![who_takes_all_timers_takes_none_from_another_bot];

/// As the superuser and as another one, by whatever its processes are limited, and in the process
/// namespace of an older kernel.
///
/// Holds the promise `innocent`.
fn who_takes_all_timers_takes_none_from_another_bot() {
    let what = "timers of a user";
    if !requirements::are_there("setpriv bash", what) || !requirements::sandbox_is_there(what) {
        return;
    }
    let public = Public::new();
    let bots = ["sigpending", "alarm"].map(|mode| {
        format!("'{}' {mode} 1 1 '{}'", path(public.file("hostile")), path(public.folder.path()))
    });
    let words = ["match", "--sandbox", "--format=json", "--move-time=20s", &bots[0], &bots[1]];
    let settings = ["true", "export MANCALA_PROCESS_LIMIT=second", "export MANCALA_LANDLOCK_ABI=4"];
    for setting in settings {
        for played in [public.run(setting, &words), public.run_behind(&[], setting, &words)] {
            let record = played.code(0).json();
            for round in record["rounds"].as_array().expect("rounds") {
                assert_eq!(round["result"]["reason"], "completed", "{setting}: {record:#}");
            }
        }
    }
}
