//! System calls that no library has a function for, made by a script in Perl, which can make any:
//! in the sandbox the filter refuses them, and outside it something else comes of them.

use std::fs;

use serde_json::Value;

use super::targets::{Setting, Targets};
use crate::requirements;

const EPERM: i32 = 1;
const EACCES: i32 = 13;
const EFAULT: i32 = 14;
const EINVAL: i32 = 22;
const ENOTTY: i32 = 25;
const ENOSYS: i32 = 38;
const EOPNOTSUPP: i32 = 95;

/// What the kernel answers outside the sandbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Free {
    /// Nothing that the user who runs the tests is refused: these are chosen so that they do no
    /// harm, and fail for another reason where they would.
    NotRefused,
    /// As the machine is.
    Either,
}
use Free::{Either, NotRefused};

/// A call: its number, its arguments in Perl, what comes of it outside, and in the sandbox.
type Row = (&'static str, i64, &'static str, Free, i32);

// Newer than the libc crate's lists; the same numbers on every architecture.
const SYS_FCHMODAT2: i64 = 452;
const SYS_SETXATTRAT: i64 = 463;
const SYS_REMOVEXATTRAT: i64 = 466;
const SYS_FILE_GETATTR: i64 = 468;
const SYS_FILE_SETATTR: i64 = 469;

/// `$file` is the script itself, `$here` stands for the folder in which it runs, `$zeros` are
/// zeros to point at, and `$room` has room for an answer.
const ROWS: &[Row] = &[
    // Attributes of files.
    ("setxattrat", SYS_SETXATTRAT, "$here, $file, 0, $name, $zeros, 16", NotRefused, EPERM),
    ("removexattrat", SYS_REMOVEXATTRAT, "$here, $file, 0, $name", NotRefused, EPERM),
    ("file_setattr", SYS_FILE_SETATTR, "$here, $file, $zeros, 24, 0", NotRefused, EPERM),
    ("fchmodat2", SYS_FCHMODAT2, "$here, $file, 0600, 0", NotRefused, EPERM),
    ("truncate", libc::SYS_truncate, "$file, -s $file", NotRefused, EACCES),
    ("utimensat", libc::SYS_utimensat, "$here, $file, 0, 0", NotRefused, EPERM),
    // No pointer to any flags, nor to any range.
    ("setflags", libc::SYS_ioctl, "$open, 0x40086602, 0", NotRefused, ENOTTY),
    ("setflags32", libc::SYS_ioctl, "$open, 0x40046602, 0", NotRefused, ENOTTY),
    ("fssetxattr", libc::SYS_ioctl, "$open, 0x401c5820, 0", NotRefused, ENOTTY),
    ("reserve", libc::SYS_ioctl, "$open, 0x40305828, 0", NotRefused, ENOTTY),
    ("reserve64", libc::SYS_ioctl, "$open, 0x4030582a, 0", NotRefused, ENOTTY),
    ("zero_range", libc::SYS_ioctl, "$open, 0x40305839, 0", NotRefused, ENOTTY),
    ("btrfs-snapshot", libc::SYS_ioctl, "$open, 0x5000940e, 0", NotRefused, ENOTTY),
    ("btrfs-subvolume", libc::SYS_ioctl, "$open, 0x50009417, 0", NotRefused, ENOTTY),
    // Requests that are allowed.
    ("fionread", libc::SYS_ioctl, "$open, 0x541b, $room", NotRefused, 0),
    ("fioclex", libc::SYS_ioctl, "$open, 0x5451, 0", NotRefused, 0),
    // Other processes: of a user and in a group that have none.
    ("setpriority-user", libc::SYS_setpriority, "2, 64999, 1", NotRefused, EPERM),
    ("setpriority-group", libc::SYS_setpriority, "1, 4194304, 1", NotRefused, EPERM),
    ("ioprio_set-user", libc::SYS_ioprio_set, "3, 64999, 0", NotRefused, EPERM),
    // Signals that the kernel sends for a descriptor: to which process, and which.
    ("fcntl-setown", libc::SYS_fcntl, "-1, 8, 0", NotRefused, EPERM),
    ("fcntl-setsig", libc::SYS_fcntl, "-1, 10, 9", NotRefused, EPERM),
    ("fcntl-setown-ex", libc::SYS_fcntl, "-1, 15, $zeros", NotRefused, EPERM),
    // By the clock of process 1, and by its own.
    ("timer_create-other", libc::SYS_timer_create, "-14, 0, $room", NotRefused, EINVAL),
    ("timer_create-own", libc::SYS_timer_create, "2, 0, $room", NotRefused, 0),
    ("timer_create-thread", libc::SYS_timer_create, "-2, 0, $room", NotRefused, 0),
    // A timer that becomes a descriptor, and one that sends a signal.
    ("timerfd_create", libc::SYS_timerfd_create, "1, 0", NotRefused, 0),
    ("timer_create", libc::SYS_timer_create, "1, 0, $room", NotRefused, 0),
    // Its place on the machine.
    ("setpriority-better", libc::SYS_setpriority, "0, 0, -5", Either, EPERM),
    ("ioprio_set-better", libc::SYS_ioprio_set, "1, 0, 2 << 13", NotRefused, EPERM),
    ("ioprio_set-real-time", libc::SYS_ioprio_set, "1, 0, 1 << 13", Either, EPERM),
    ("ioprio_set-none", libc::SYS_ioprio_set, "1, 0, 0", NotRefused, EPERM),
    ("ioprio_set-idle", libc::SYS_ioprio_set, "1, 0, 3 << 13", NotRefused, 0),
    ("sched_setattr", libc::SYS_sched_setattr, "0, $zeros, 0", NotRefused, EPERM),
    ("sched_setscheduler-fifo", libc::SYS_sched_setscheduler, "0, 1, $zeros", NotRefused, EPERM),
    ("sched_setscheduler-batch", libc::SYS_sched_setscheduler, "0, 3, $zeros", NotRefused, EPERM),
    ("sched_setscheduler-usual", libc::SYS_sched_setscheduler, "0, 0, $zeros", NotRefused, 0),
    ("sched_setaffinity-own", libc::SYS_sched_setaffinity, "0, 128, $cores", NotRefused, 0),
    ("sched_setaffinity-all", libc::SYS_sched_setaffinity, "0, 128, $ones", NotRefused, EPERM),
    ("sched_setaffinity-none", libc::SYS_sched_setaffinity, "0, 64, $zeros", NotRefused, EINVAL),
    ("sched_setaffinity-nowhere", libc::SYS_sched_setaffinity, "0, 64, 4096", NotRefused, EFAULT),
    ("sched_setaffinity-other", libc::SYS_sched_setaffinity, "1, 128, $cores", Either, EPERM),
    ("prctl-sched-core", libc::SYS_prctl, "62, 1, 0, 0, 0", Either, EPERM),
    // Talking to others: a segment that is not there, a watch of no descriptor.
    ("shmget", libc::SYS_shmget, "0x4d414e43, 4096, 0", NotRefused, EPERM),
    ("shmat", libc::SYS_shmat, "-1, 0, 0", NotRefused, EPERM),
    ("inotify_add_watch", libc::SYS_inotify_add_watch, "-1, $file, 2", NotRefused, EPERM),
    // Namespaces: of users; of nothing; and of users in a way that is never granted, so that
    // there is no second process.
    ("unshare-users", libc::SYS_unshare, "0x10000000", Either, EPERM),
    ("unshare", libc::SYS_unshare, "0", Either, EPERM),
    ("clone-users", libc::SYS_clone, "0x10000200, 0, 0, 0, 0", Either, EPERM),
    ("clone3", libc::SYS_clone3, "0, 0", NotRefused, ENOSYS),
    ("memfd_create", libc::SYS_memfd_create, "$name, 0", NotRefused, EPERM),
    ("socketpair-datagram", libc::SYS_socketpair, "1, 2, 0, $zeros", NotRefused, EPERM),
    // What would be in nobody's count.
    ("vmsplice", libc::SYS_vmsplice, "$open, $zeros, 0, 0", NotRefused, EPERM),
    ("splice", libc::SYS_splice, "-1, 0, -1, 0, 0, 0", NotRefused, EINVAL),
    ("tee", libc::SYS_tee, "-1, -1, 0, 0", NotRefused, EINVAL),
    ("sendfile", libc::SYS_sendfile, "-1, -1, 0, 0", NotRefused, EINVAL),
    ("zerocopy", libc::SYS_setsockopt, "-1, 1, 60, $zeros, 4", NotRefused, EPERM),
    ("pacing", libc::SYS_setsockopt, "-1, 1, 47, $zeros, 4", NotRefused, EPERM),
    ("tiny-segments", libc::SYS_setsockopt, "-1, 6, 2, $zeros, 4", NotRefused, EPERM),
    ("attach-filter", libc::SYS_setsockopt, "-1, 1, 26, $zeros, 16", NotRefused, EPERM),
    ("attach-bpf", libc::SYS_setsockopt, "-1, 1, 50, $zeros, 4", NotRefused, EPERM),
    ("attach-reuseport-cbpf", libc::SYS_setsockopt, "-1, 1, 51, $zeros, 16", NotRefused, EPERM),
    ("attach-reuseport-ebpf", libc::SYS_setsockopt, "-1, 1, 52, $zeros, 4", NotRefused, EPERM),
    ("landlock_create_ruleset", libc::SYS_landlock_create_ruleset, "0, 0, 1", NotRefused, ENOSYS),
    ("landlock_add_rule", libc::SYS_landlock_add_rule, "-1, 1, $zeros, 0", NotRefused, ENOSYS),
    ("landlock_restrict_self", libc::SYS_landlock_restrict_self, "-1, 0", Either, ENOSYS),
    ("seccomp", libc::SYS_seccomp, "2, 0, $zeros", NotRefused, ENOSYS),
    ("prctl-seccomp", libc::SYS_prctl, "22, 2, 0, 0, 0", NotRefused, EINVAL),
    ("prctl-set-vma", libc::SYS_prctl, "0x53564d41, 0, $zeros, 0, $name", Either, EINVAL),
    ("prctl-futex-hash", libc::SYS_prctl, "78, 2, 0, 0, 0", NotRefused, EINVAL),
    ("fcntl-notify", libc::SYS_fcntl, "-1, 1026, 1", NotRefused, EPERM),
    ("close_range-unshare", libc::SYS_close_range, "4000, 4001, 2", NotRefused, EINVAL),
    ("close_range", libc::SYS_close_range, "4000, 4001, 0", NotRefused, 0),
    ("mbind", libc::SYS_mbind, "0, 0, 0, 0, 0, 0", Either, EPERM),
    ("remap_file_pages", libc::SYS_remap_file_pages, "0, 0, 0, 0, 0", NotRefused, ENOSYS),
    ("io_setup", libc::SYS_io_setup, "0, $zeros", NotRefused, EPERM),
    ("sendmsg", libc::SYS_sendmsg, "$open, $zeros, 0", NotRefused, EPERM),
    ("fallocate", libc::SYS_fallocate, "$open, 1, 0, 4096", NotRefused, EOPNOTSUPP),
    // What is not its to see.
    ("getxattrat", 464, "$here, $file, 0, $name, $zeros, 16", NotRefused, EOPNOTSUPP),
    ("file_getattr", SYS_FILE_GETATTR, "$here, $file, $zeros, 24, 0", NotRefused, EOPNOTSUPP),
    ("quotactl_fd", libc::SYS_quotactl_fd, "-1, 0, 0, 0", NotRefused, EPERM),
    ("listmount", 458, "$zeros, $zeros, 0, 0", Either, EPERM),
    ("statmount", 457, "$zeros, $zeros, 0, 0", Either, EPERM),
    ("pidfd-info", libc::SYS_ioctl, "$open, 0xc040ff0b, 0", NotRefused, ENOTTY),
    // How long the kernel's messages may be.
    ("syslog", libc::SYS_syslog, "10, 0, 0", Either, EPERM),
    // The signal at the end of its parent: it stays.
    ("prctl-death-signal", libc::SYS_prctl, "1, 0, 0, 0, 0", NotRefused, 0),
    // The limit of core files: it stays, and nobody is told otherwise.
    ("setrlimit-core", libc::SYS_setrlimit, "4, $zeros", NotRefused, 0),
    ("prlimit-core", libc::SYS_prlimit64, "0, 4, $zeros, 0", NotRefused, 0),
    ("prlimit-core-old", libc::SYS_prlimit64, "0, 4, $zeros, $room", NotRefused, EPERM),
    ("openat2", libc::SYS_openat2, "$here, $file, $zeros, 24", NotRefused, ENOSYS),
    // What runtimes need.
    ("socketpair-stream", libc::SYS_socketpair, "1, 1, 0, $zeros", NotRefused, 0),
    ("setpriority-self", libc::SYS_setpriority, "0, 0, 19", NotRefused, 0),
];

/// The errors of these calls, 0 where there was none, as a bot makes them with these options.
#[track_caller]
fn errors(setting: Setting, options: &[&str]) -> Vec<i32> {
    let targets = Targets::of(setting);
    let script = format!("{}/calls.pl", targets.folder_of("desk"));
    let mut text = format!(
        "my ($file, $here, $name, $zeros) = ($0, -100, 'user.x', \"\\0\" x 64);\n\
                    my ($cores, $ones, $room) = (\"\\0\" x 128, \"\\xff\" x 128, \"\\0\" x 64);\n\
                    syscall({}, 0, 128, $cores);\n\
                    open(my $handle, '<', $file) or die; my $open = fileno($handle);\n",
        libc::SYS_sched_getaffinity
    );
    for (name, number, arguments, ..) in ROWS {
        text.push_str(&format!(
            "$! = 0; my $got = syscall({number}, {arguments}); \
             print STDERR '{name} ', $got < 0 ? $! + 0 : 0, \"\\n\";\n"
        ));
    }
    fs::write(&script, text).expect("it is written");
    let record: Value = targets.record_of(&format!("perl '{script}'"), options);
    let stderr = record["rounds"][0]["result"]["fault"]["stderr"].as_str().expect("it has said");
    let lines: Vec<&str> = stderr.lines().collect();
    assert_eq!(lines.len(), ROWS.len(), "{stderr}");
    let errors = lines.iter().zip(ROWS).map(|(line, (name, ..))| {
        let error = line.strip_prefix(&format!("{name} ")).expect("its name");
        error.parse().expect("a number")
    });
    errors.collect()
}

#[test]
fn system_calls_are_allowed_without_a_sandbox() {
    if !requirements::are_there("perl", "raw system calls") {
        return;
    }
    for ((name, _, _, free, _), error) in ROWS.iter().zip(errors(Setting::default(), &[])) {
        assert!(*free == Either || error != EPERM, "{name}: {error}");
    }
}

/// Holds the promise `no-attributes`.
#[test]
fn system_calls_are_refused_in_a_sandbox() {
    if !requirements::are_there("perl --sandbox", "raw system calls in the sandbox") {
        return;
    }
    let errors_there = errors(Setting::default(), &["--sandbox"]);
    let others = ROWS.iter().zip(errors_there).filter(|((.., expected), error)| error != expected);
    let others: Vec<_> =
        others.map(|((name, .., expected), error)| (name, error, expected)).collect();
    assert!(others.is_empty(), "name, error and expected error: {others:?}");
    if !requirements::sandbox_with_landlock_is_there("2", "system calls on an older kernel") {
        return;
    }
    let older = errors(Setting { landlock: Some("2"), ..Setting::default() }, &["--sandbox"]);
    for ((name, .., expected), error) in ROWS.iter().zip(older) {
        // The filter refuses what Landlock does not.
        let expected = if *expected == EACCES { EPERM } else { *expected };
        assert_eq!(error, expected, "{name}");
    }
}

/// Holds the promise `idle`.
#[test]
fn the_timers_of_a_bot_are_few() {
    if !requirements::are_there("perl --sandbox", "timers in the sandbox") {
        return;
    }
    let script = format!(
        "my ($room, $made, $refused) = (\"\\0\" x 64, 0, 0);
         sub timers {{
             for (1..40) {{
                 for my $call ([{}, 1, 0], [{}, 1, 0, $room]) {{
                     my ($number, @arguments) = @$call;
                     $! = 0;
                     if (syscall($number, @arguments) >= 0) {{ $made++ }} elsif ($! == 12) {{ $refused++ }}
                 }}
             }}
         }}
         timers();
         if (!fork()) {{ $made = $refused = 0; timers(); print STDERR \"$made $refused\\n\"; exit }}
         wait(); print STDERR \"$made $refused\\n\";\n",
        libc::SYS_timerfd_create,
        libc::SYS_timer_create
    );
    for (options, expected) in [(&["--sandbox"][..], "0 80\n32 48\n"), (&[], "80 0\n80 0\n")] {
        let targets = Targets::of(Setting::default());
        let file = format!("{}/timers.pl", targets.folder_of("desk"));
        fs::write(&file, &script).expect("it is written");
        let record: Value = targets.record_of(&format!("perl '{file}'"), options);
        assert_eq!(record["rounds"][0]["result"]["fault"]["stderr"], expected, "{options:?}");
    }
}
