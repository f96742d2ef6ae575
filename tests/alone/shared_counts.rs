//! What the kernel counts for all processes of a user, or of the system, together: a bot that takes of
//! it takes nothing from another one.

use crate::another_user::Public;
use crate::program::path;
use crate::requirements;
use crate::runner::{Test, tests};

pub const TESTS: &[Test] = tests![
    who_takes_all_timers_takes_none_from_another_bot,
    shared_memory_of_another_bot_does_not_count,
];

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

/// Bots in Perl, which can make any system call. One has 90 MiB, and a large part of memory mapped that
/// it could share and does not use; the other one takes that from the system in its first turn.
const SPARSE: &str = "
    syscall(9, 0, 1 << 30, 3, 0x4021, -1, 0);
    my $at = syscall(9, 0, 90 << 20, 3, 0x22, -1, 0);
    open(my $zero, '<', '/dev/zero'); syscall(0, fileno($zero), $at + 0, 90 << 20);";
const SHARER: &str = "
    if (!$done++) {
        my $at = syscall(9, 0, 55 << 20, 3, 0x21, -1, 0);
        open(my $zero, '<', '/dev/zero'); syscall(0, fileno($zero), $at + 0, 55 << 20);
    }";

/// A bot that does this first, and this in each of its turns, which last 100 ms.
fn in_perl(public: &Public, name: &str, first: &str, each: &str) -> String {
    let file = public.file(name);
    let text = format!(
        "$| = 1; my $done; {first}\n\
         while (<STDIN>) {{\n\
             /\"type\":\"turn\".*\"legal\":.(\\d)/ or next; my $house = $1;\n\
             {each}\n\
             select(undef, undef, undef, 0.1); print \"$house\\n\";\n\
         }}\n"
    );
    std::fs::write(&file, text).expect("it is written");
    format!("perl '{}'", path(file))
}

/// As the superuser, who is told how much there is behind a mapping, and as another user, who is not.
///
/// Holds the promise `innocent`.
fn shared_memory_of_another_bot_does_not_count() {
    let what = "shared memory of another bot";
    if cfg!(not(target_arch = "x86_64"))
        || !requirements::are_there("perl --sandbox", what)
        || !requirements::are_there("setpriv bash", what)
    {
        return;
    }
    let public = Public::new();
    let sparse = in_perl(&public, "sparse", SPARSE, "");
    let sharer = in_perl(&public, "sharer", "", SHARER);
    let words = ["match", "--sandbox", "--format=json", "--rounds=1", "--move-time=20s"];
    let words = [&words[..], &["--memory=128MiB", "--max-moves=8", &sparse, &sharer]].concat();
    for played in [public.run("true", &words), public.run_behind(&[], "true", &words)] {
        let record = played.code(0).json();
        let result = &record["rounds"][0]["result"];
        assert!(result["fault"].is_null(), "{record:#}");
    }
}
