//! What a bot may try against its surroundings: what comes of it without a sandbox, so that every
//! attack is known to be one, and what comes of it in a sandbox.

mod bombs;
mod kernel_memory;
mod system_calls;
mod targets;

use crate::requirements;
use targets::{Setting, Targets};

/// What is to come of an attack.
#[derive(Clone, Copy, Debug)]
enum Outcome {
    Succeeds,
    Fails,
    /// As the machine is: it succeeds where this says so, and otherwise may or may not.
    Where(fn() -> bool),
    /// It does no harm, whether it succeeds or not.
    Either,
}
use Outcome::{Either, Fails, Succeeds, Where};

/// An attack, with its argument as the targets fills it in, and its outcomes.
struct Row {
    attack: &'static str,
    free: Outcome,
    confined: Outcome,
}

/// What any program of the same user can do, and a bot in a sandbox cannot.
const fn harm(attack: &'static str) -> Row {
    Row { attack, free: Succeeds, confined: Fails }
}

/// What a bot needs, in a sandbox too.
const fn need(attack: &'static str) -> Row {
    Row { attack, free: Succeeds, confined: Succeeds }
}

const fn harm_where(attack: &'static str, is_possible: fn() -> bool) -> Row {
    Row { attack, free: Where(is_possible), confined: Fails }
}

const ROWS: &[Row] = &[
    need("read-file={program}"),
    need("read-file=/bin/sh"),
    harm("read-file={secrets}/read"),
    harm("read-through-link={secrets}/read"),
    harm("list-folder={secrets}"),
    harm("list-folder={home}"),
    harm("write-file={secrets}/write"),
    harm("truncate-file={secrets}/truncate"),
    // A file that may be read, and is emptied by that; and one that is opened for neither.
    harm("empty-by-reading={shared}/book"),
    harm("empty-by-asking={secrets}/truncate"),
    harm("rename-file={secrets}/rename"),
    harm("unlink-file={secrets}/unlink"),
    harm("chmod-file={secrets}/chmod"),
    harm("link-file={secrets}/link"),
    harm_where("read-attribute={secrets}/read", files_have_attributes),
    harm_where("list-attributes={secrets}/read", files_have_attributes),
    harm("create-in=."),
    harm("create-in=/tmp"),
    harm("create-in={home}"),
    need("write-tmpdir"),
    harm_where("nameless-file", files_may_be_nameless),
    harm_where("room-beyond-the-end", files_may_be_nameless),
    Row { attack: "setuid-copy", free: Succeeds, confined: Either },
    Row { attack: "run-from-tmpdir", free: Succeeds, confined: Either },
    harm("read-cmdline={victim}"),
    harm("read-cmdline=parent"),
    harm("read-cmdline=opponent"),
    harm("read-environ={victim}"),
    harm("read-environ=parent"),
    harm("read-environ=opponent"),
    harm("read-maps={victim}"),
    harm("read-maps=parent"),
    harm("read-maps=opponent"),
    harm_where("read-mem={victim}", others_may_be_traced),
    harm_where("read-mem=parent", others_may_be_traced),
    harm_where("read-mem=opponent", others_may_be_traced),
    harm_where("write-mem={victim}", others_may_be_traced),
    harm_where("write-mem=parent", others_may_be_traced),
    harm_where("write-mem=opponent", others_may_be_traced),
    harm("list-descriptors={victim}"),
    harm("list-descriptors=parent"),
    harm("list-descriptors=opponent"),
    harm("open-stdout={victim}"),
    harm("open-stdout=parent"),
    harm("open-stdout=opponent"),
    harm("signal-check={victim}"),
    // What others use, by their control groups.
    harm_where("list-folder=/sys/fs/cgroup", || is_there("/sys/fs/cgroup")),
    harm_where("read-file=/sys/fs/cgroup/cpu.stat", || is_there("/sys/fs/cgroup/cpu.stat")),
    harm_where("read-file=/sys/fs/cgroup/cpuacct/cpuacct.usage", || {
        is_there("/sys/fs/cgroup/cpuacct/cpuacct.usage")
    }),
    // Who reads it makes the kernel work on every core; only the superuser may.
    harm_where("read-file=/proc/sys/vm/stat_refresh", || {
        std::fs::File::open("/proc/sys/vm/stat_refresh").is_ok()
    }),
    need("read-file=/proc/sys/vm/overcommit_memory"),
    harm("signal-check=parent"),
    harm("signal-check=opponent"),
    harm("signal-stop={victim}"),
    harm("signal-stop=parent"),
    harm("signal-stop=opponent"),
    // What keeps bots takes no signals.
    Row { attack: "hang-up=parent", free: Fails, confined: Fails },
    // They are counted for each bot alone. See tests/alone/shared_counts.rs.
    Row { attack: "pending-signals=20000", free: Where(many_signals_may_wait), confined: Either },
    Row { attack: "core-limit", free: Succeeds, confined: Fails },
    harm("watch-list"),
    harm("limit-process={victim}"),
    harm("limit-process=opponent"),
    harm("slow-down={victim}"),
    harm("slow-down=opponent"),
    harm("tcp-connect={tcp}"),
    harm("tcp-listen=127.0.0.1:0"),
    harm("udp-send={udp}"),
    harm("unix-socket"),
    harm("unix-connect={secrets}/socket"),
    harm("unix-connect-abstract={abstract}"),
    harm_where("open-terminal", there_is_a_terminal),
    harm("descriptor-in-flight"),
    harm("larger-socket"),
    harm("larger-pipe"),
    harm("hide-itself"),
    need("own-cores"),
    // It is put back. See tests/alone/place.rs.
    Row { attack: "other-core", free: Fails, confined: Fails },
    Row { attack: "more-cores", free: Fails, confined: Fails },
    Row { attack: "better-priority", free: Fails, confined: Fails },
    Row { attack: "session", free: Fails, confined: Fails },
    Row { attack: "disks", free: Fails, confined: Fails },
    Row { attack: "class=-f", free: Fails, confined: Fails },
    Row { attack: "class=-b", free: Fails, confined: Fails },
    // From there nobody comes back without privileges.
    Row { attack: "class=-i", free: Either, confined: Fails },
    // Without a sandbox the superuser may.
    Row { attack: "raise-limits", free: Either, confined: Fails },
    // None are handed on, in a sandbox or not.
    Row { attack: "read-variables=SECRET_", free: Fails, confined: Fails },
];

fn is_there(path: &str) -> bool {
    std::path::Path::new(path).exists()
}

/// Whether the file system keeps attributes that users give to files.
fn files_have_attributes() -> bool {
    let file = tempfile::NamedTempFile::new().expect("a file is made");
    rustix::fs::setxattr(file.path(), "user.x", b"x", rustix::fs::XattrFlags::empty()).is_ok()
}

/// Whether the file system can make a file without a name; such a one can reserve room, too.
fn files_may_be_nameless() -> bool {
    let flags = rustix::fs::OFlags::TMPFILE | rustix::fs::OFlags::WRONLY;
    rustix::fs::open(std::env::temp_dir(), flags, rustix::fs::Mode::RUSR).is_ok()
}

/// Whether the memory of a process that is no child may be looked into.
fn others_may_be_traced() -> bool {
    let scope = std::fs::read_to_string("/proc/sys/kernel/yama/ptrace_scope");
    scope.is_err() || scope.is_ok_and(|scope| scope.trim() == "0")
}

/// Whether this user may have so many timers.
fn many_signals_may_wait() -> bool {
    let most = rustix::process::getrlimit(rustix::process::Resource::Sigpending);
    most.current.is_none_or(|most| most > 60_000)
}

/// Whether the tests have a terminal, which a bot without a session of its own then has too.
fn there_is_a_terminal() -> bool {
    std::fs::File::options().write(true).open("/dev/tty").is_ok()
}

/// Tries all attacks in one match with these options, and checks what came of each.
#[track_caller]
fn check(setting: Setting, options: &[&str], expected: fn(&Row) -> Outcome) -> Targets {
    let targets = Targets::of(setting);
    let reports = targets.play(&ROWS.iter().map(|row| row.attack).collect::<Vec<_>>(), options);
    assert_eq!(reports.len(), ROWS.len(), "{reports:#?}");
    let mut wrong = Vec::new();
    for (row, report) in ROWS.iter().zip(&reports) {
        let words = report.strip_prefix(&format!("attack {}: ", targets.filled_in(row.attack)));
        let words = words.unwrap_or_else(|| panic!("{report:?} is no report of {}", row.attack));
        let has_succeeded = words.starts_with("succeeded: ");
        assert!(has_succeeded || words.starts_with("failed: "), "{report}");
        let is_as_expected = match expected(row) {
            Succeeds => has_succeeded,
            Fails => !has_succeeded,
            Where(is_possible) => has_succeeded || !is_possible(),
            Either => true,
        };
        if !is_as_expected {
            wrong.push(format!("{report}, expected: {:?}", expected(row)));
        }
    }
    assert!(wrong.is_empty(), "{setting:?}: {wrong:#?}");
    targets
}

#[test]
fn without_a_sandbox_every_attack_succeeds() {
    let targets = check(Setting::default(), &[], |row| row.free);
    // What is reported is what has happened.
    assert_eq!(targets.secret("write"), "secret\nx");
    assert_eq!(targets.secret("truncate"), "");
    assert_eq!(targets.shared(), "");
    assert!(!targets.has("unlink"));
    assert_eq!(targets.mode_of("chmod"), 0o666);
    assert_eq!(targets.links_to("link"), 2);
    assert_eq!(targets.nice_of_victim(), targets.nice_at_first + 1);
    assert!(targets.was_connected_to() && targets.was_sent_something());
}

/// Holds the promise `apart`.
#[test]
fn in_a_sandbox_no_attack_succeeds() {
    if !requirements::sandbox_is_there("attacks in the sandbox") {
        return;
    }
    fails_in_a_sandbox(Setting::default(), &[]);
}

/// Holds the promise `apart`: what Landlock of an older kernel cannot keep apart, something else does. Debian 12
/// has its second version, Ubuntu 24.04 its fourth, and Linux 6.12 its sixth.
#[test]
fn in_a_sandbox_of_an_older_kernel_no_attack_succeeds() {
    for landlock in ["1", "2", "4"] {
        if !requirements::sandbox_with_landlock_is_there(landlock, "attacks on an older kernel") {
            return;
        }
        fails_in_a_sandbox(Setting { landlock: Some(landlock), ..Setting::default() }, &[]);
    }
}

/// Holds the promise `apart`.
#[test]
fn in_a_sandbox_of_another_user_no_attack_succeeds() {
    let what = "attacks of another user";
    if !requirements::are_there("setpriv --sandbox", what) {
        return;
    }
    if !rustix::process::geteuid().is_root() {
        requirements::is_left_out(what, "only the superuser becomes another one");
        return;
    }
    for landlock in ["2", "4", "6"] {
        if !requirements::sandbox_with_landlock_is_there(landlock, what) {
            return;
        }
        fails_in_a_sandbox(
            Setting { landlock: Some(landlock), user: Some("770013"), ..Setting::default() },
            &[],
        );
    }
}

/// The words of `--wrap` are not in the sandbox, and a command that waits for the bot is its parent.
/// In the namespace of an older kernel a bot can signal that one, and no other.
///
/// Holds the promise `apart`.
#[test]
fn in_a_sandbox_behind_another_command_no_attack_succeeds() {
    if requirements::sandbox_with_landlock_is_there("6", "attacks behind another command") {
        fails_in_a_sandbox(Setting::default(), &["--wrap=timeout --foreground 600"]);
    }
}

#[track_caller]
fn fails_in_a_sandbox(setting: Setting, more: &[&str]) {
    let options = [&["--sandbox", "--allow-read=../shared"], more].concat();
    let targets = check(setting, &options, |row| row.confined);
    for file in targets::FILES {
        assert_eq!(targets.secret(file), "secret\n", "{file}");
        assert_eq!((targets.mode_of(file), targets.links_to(file)), (0o600, 1), "{file}");
    }
    assert_eq!(targets.shared(), "moves\n");
    assert_eq!(targets.nice_of_victim(), targets.nice_at_first);
    assert!(!targets.was_connected_to() && !targets.was_sent_something());
}

#[test]
fn the_table_of_attacks_has_every_mode_of_the_hostile_bot() {
    let attacks =
        std::process::Command::new(env!("CARGO_BIN_EXE_hostile")).arg("--attacks").output();
    let attacks = String::from_utf8(attacks.expect("the bot runs").stdout).expect("text");
    for attack in attacks.lines() {
        let is_tried = |row: &Row| row.attack.split('=').next() == Some(attack);
        assert!(ROWS.iter().any(is_tried), "no row tries {attack:?}");
    }
    assert!(attacks.lines().count() > 30);
}
