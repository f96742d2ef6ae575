//! Bombs of what the kernel keeps for processes, set off by scripts in Perl, which can make any
//! system call: mappings, shared memory without a name, descriptors. Each goes off where its limit
//! does not hold, and ends its bot where it does.

use std::fs;

use serde_json::Value;

use super::targets::{Setting, Targets};
use crate::requirements;

/// Starts so many processes, each of which does this and stays; when all have, it stays for so many
/// seconds, says so, and leaves.
fn script(processes: u32, each: &str, seconds: f32) -> String {
    format!(
        "$| = 1; $^F = 100; my @children;\n\
         pipe(my $done, my $say) or die;\n\
         for (1..{processes}) {{\n\
           my $child = fork();\n\
           if (!defined $child) {{ last }}\n\
           if ($child == 0) {{ {each}; syswrite($say, 'x'); sleep 100; exit }}\n\
           push @children, $child;\n\
         }}\n\
         for (@children) {{ sysread($done, my $byte, 1) }}\n\
         select(undef, undef, undef, {seconds});\n\
         print STDERR 'it went off'; exit 7;\n"
    )
}

/// 30,000 mappings that the kernel cannot take for one, as their neighbours may be read.
const MAPPINGS: &str = "for (1..30000) { syscall(9, 0, 4096, $_ % 2, 0x22, -1, 0) }";

/// 100 MiB of shared memory without a name, filled by a read from where there are zeros.
const SHARED: &str = "my $at = syscall(9, 0, 100 << 20, 3, 0x21, -1, 0); \
                      open(my $zero, '<', '/dev/zero'); \
                      syscall(0, fileno($zero), $at + 0, 100 << 20)";

const DESCRIPTORS: &str = "my @held; for (1..200) { open(my $one, '<', '/dev/null') or last; \
                           push @held, $one }";

/// Ten files of 4 MiB, of each of which one page stays mapped when it has no name any more and is
/// not open.
const MAPPED_FILES: &str = "for (1..10) { my $name = \"$ENV{TMPDIR}/$$-$_\"; \
                            open(my $file, '+>', $name) or last; \
                            syswrite($file, 'x' x (1 << 20)) for (1..4); \
                            syscall(9, 0, 4096, 1, 1, fileno($file), 0); \
                            close($file); unlink($name) }";

/// 100 MiB of it, filled through a window of 4 MiB that moves through it, while one page stays mapped
/// for ever: no look finds more than both.
const WINDOW: &str = include_str!("../../../bots/hostile/window.pl");

/// 200 files with 1,000 locked bytes each: the kernel takes longer for more of one file.
const LOCKS: &str = include_str!("../../../bots/hostile/locks.pl");

/// Eight descriptors that watch 14,400 each.
const WATCHES: &str = "
    use POSIX;
    my @files = map { syscall(290, 0, 0) } 1..120;
    my @numbers = map { syscall(290, 0, 0) } 1..120;
    my $event = pack('LQ', 1, 0);
    for (1..8) {
        my $watching = syscall(291, 0);
        for my $file (@files) {
            for my $number (@numbers) {
                POSIX::dup2($file, $number);
                syscall(233, $watching, 1, $number, $event);
            }
        }
    }";

/// A descriptor that watches a hundred others, which watch 120 each: the kernel looks through them all
/// in one call, in which the referee may not run.
const WATCHED_ONES: &str = "
    my @files = map { syscall(290, 0, 0) } 1..120;
    my $event = pack('LQ', 1, 0);
    my $watching = syscall(291, 0);
    for (1..100) {
        my $one = syscall(291, 0);
        syscall(233, $one, 1, $_, $event) for @files;
        syscall(233, $watching, 1, $one, $event);
    }";

/// Pipes that had names, each of them full.
const NAMED_PIPES: &str = r#"
    use Fcntl; use POSIX; my @held;
    for (1..200) {
        my $name = "$ENV{TMPDIR}/$$-$_";
        mkfifo($name, 0600) or last;
        sysopen(my $pipe, $name, O_RDWR | O_NONBLOCK) or last;
        unlink($name);
        syswrite($pipe, 'x' x 65536);
        push @held, $pipe;
    }"#;

/// Shared memory of a process whose first thread has ended.
const WITHOUT_A_LEADER: &str = "
    use threads;
    threads->create(sub {
        select(undef, undef, undef, 0.1);
        my $at = syscall(9, 0, 100 << 20, 3, 0x21, -1, 0);
        open(my $zero, '<', '/dev/zero');
        for (0..24) {
            syscall(0, fileno($zero), $at + $_ * (4 << 20), 4 << 20);
            syscall(28, $at + $_ * (4 << 20), 4 << 20, 4);
        }
        syswrite($say, 'x'); sleep 100;
    })->detach;
    syscall(60, 0)";

/// The same, of a thread that had the name of a line that tells of memory.
const NAMED_WITHOUT_A_LEADER: &str = "syscall(157, 15, my $name = 'RssAnon:'); ";

/// Pairs of sockets, full, of threads that have descriptors of their own.
const OF_THREADS: &str = "
    use threads; use Socket;
    for (1..4) {
        pipe(my $full, my $tell);
        threads->create(sub {
            syscall(436, 1000, 1001, 2);
            my @held;
            for (1..100) {
                socketpair(my $one, my $other, AF_UNIX, SOCK_STREAM, 0) or last;
                for my $end ($one, $other) {
                    syscall(72, fileno($end), 4, 2048);
                    while (defined syswrite($end, 'x' x 2000)) {}
                }
                push @held, $one, $other;
            }
            syswrite($tell, 'x'); sleep 100;
        })->detach;
        sysread($full, my $byte, 1);
    }";

/// Does this in a copy of Perl that may be run and not read, so that its user may not look into its
/// process. The copy is its own file.
fn unreadable(each: &str) -> String {
    format!(
        r#"
    use Fcntl; umask 0;
    my $copy = "$ENV{{TMPDIR}}/perl";
    sysopen(my $to, $copy, O_CREAT | O_WRONLY | O_EXCL, 0111) or die;
    open(my $from, '<', $^X) or die;
    {{ local $/; syswrite($to, scalar <$from>) }}
    close $to;
    exec {{$copy}} 'perl', '-e', 'open(my $say, ">&=", $ARGV[0]);' . q{{{each}}} .
        '; syswrite($say, "x"); sleep 100', fileno($say)"#
    )
}

/// Shared memory that is no longer in its page tables.
const DROPPED: &str = "
    my $at = syscall(9, 0, 100 << 20, 3, 0x21, -1, 0);
    open(my $zero, '<', '/dev/zero');
    for (0..24) {
        syscall(0, fileno($zero), $at + $_ * (4 << 20), 4 << 20);
        syscall(28, $at + $_ * (4 << 20), 4 << 20, 4);
    }";

/// Behind a file whose name is no text, mapped before all else.
const NAME_OF_BYTES: &str = r#"
    open(my $file, '+>', "$ENV{TMPDIR}/\xff\xfe") or die;
    truncate($file, 4096);
    syscall(9, 0x10000, 4096, 1, 0x11, fileno($file), 0) == 0x10000 or die;
"#;

/// Ten files of 4 MiB without a name, open.
const OPEN_FILES: &str = r#"my @held; for (1..10) { my $name = "$ENV{TMPDIR}/$$-$_";
    open(my $file, '+>', $name) or last; unlink($name);
    syswrite($file, 'x' x (1 << 20)) for (1..4); push @held, $file }"#;

/// The detail with which the script forfeits, and what it wrote to stderr.
#[track_caller]
fn outcome(setting: Setting, script: &str, options: &[&str]) -> (String, String) {
    let targets = Targets::of(setting);
    let file = format!("{}/bomb.pl", targets.folder_of("desk"));
    fs::write(&file, script).expect("it is written");
    // The second round would be the same once more.
    let options = [options, &["--rounds=1"]].concat();
    let record: Value = targets.record_of(&format!("perl '{file}'"), &options);
    let fault = &record["rounds"][0]["result"]["fault"];
    assert_eq!(fault["bot"], 0, "{record:#}");
    let text = |value: &Value| value.as_str().expect("text").to_owned();
    (text(&fault["detail"]), text(&fault["stderr"]))
}

const MEMORY: &str = "out of memory (--memory 32MiB): ";
const FILES: &str = "too large a file, or too many ";
const OPEN: &str = "more open or watched files, pipes and sockets than any bot needs, or than can be counted in time: ";

/// Sets off bombs, each in so many processes: without limits, where it goes off, and with one option,
/// where the verdict begins so, if there is to be one.
#[track_caller]
fn check(setting: Setting, bombs: &[(u32, &str, &str, &str)]) {
    // On a busy machine a bomb of one kind is not looked through in time for the limits of another.
    let free = ["--sandbox", "--memory=none", "--file-size=none"];
    for &(processes, each, limited, verdict) in bombs {
        if verdict != OPEN {
            let (detail, stderr) = outcome(setting, &script(processes, each, 0.3), &free);
            assert_eq!(stderr, "it went off", "{each}: {detail}");
            assert!(detail.starts_with("exited with code 7"), "{each}: {detail}");
        }
        if !verdict.is_empty() {
            let with_one_limit = free.map(|option| {
                if option.split('=').next() == limited.split('=').next() { limited } else { option }
            });
            let (detail, _) = outcome(setting, &script(processes, each, 20.0), &with_one_limit);
            assert!(detail.starts_with(verdict), "{each}: {detail}");
        }
    }
}

/// Whether these bombs can be set off here.
fn can_go_off() -> bool {
    if cfg!(not(target_arch = "x86_64")) {
        requirements::is_left_out(
            "bombs in the kernel",
            "the numbers of calls are those of x86_64",
        );
        return false;
    }
    requirements::are_there("perl --sandbox", "bombs in the kernel")
}

/// Holds the promise `memory`.
#[test]
fn bombs_in_kernel_memory_are_stopped() {
    if !can_go_off() {
        return;
    }
    check(
        Setting::default(),
        &[
            (8, MAPPINGS, "--memory=32MiB", MEMORY),
            (1, SHARED, "--memory=32MiB", MEMORY),
            (1, WINDOW, "--memory=32MiB", MEMORY),
            (1, &format!("{NAME_OF_BYTES}{DROPPED}"), "--memory=32MiB", MEMORY),
            (1, LOCKS, "--memory=32MiB", MEMORY),
            (8, NAMED_PIPES, "--memory=32MiB", MEMORY),
            (1, MAPPED_FILES, "--file-size=8MiB", FILES),
            (30, DESCRIPTORS, "", ""),
            (60, DESCRIPTORS, "", OPEN),
            (1, WATCHES, "", OPEN),
            (2, WATCHED_ONES, "", OPEN),
        ],
    );
}

/// Holds the promise `memory`.
#[test]
fn bombs_in_threads_are_stopped() {
    if !can_go_off() || !requirements::perl_has_threads("bombs in threads") {
        return;
    }
    check(
        Setting::default(),
        &[
            (1, WITHOUT_A_LEADER, "--memory=32MiB", MEMORY),
            (1, &format!("{NAMED_WITHOUT_A_LEADER}{WITHOUT_A_LEADER}"), "--memory=32MiB", MEMORY),
            (1, OF_THREADS, "--memory=32MiB", MEMORY),
        ],
    );
}

/// Holds the promise `memory`, where the superuser's knowledge is missing and the bots have no name
/// space in which their user may look into all their processes.
#[test]
fn bombs_of_another_user_are_stopped() {
    if !can_go_off() {
        return;
    }
    if !rustix::process::geteuid().is_root() {
        requirements::is_left_out("bombs of another user", "only root may start them");
        return;
    }
    let setting = Setting { user: Some("770014"), without_birth_limit: true, ..Setting::default() };
    check(
        setting,
        &[
            (1, WINDOW, "--memory=32MiB", MEMORY),
            (1, &unreadable(DROPPED), "--memory=32MiB", MEMORY),
            (1, &unreadable(OPEN_FILES), "--file-size=16MiB", FILES),
        ],
    );
}

/// Fills so many MiB from this address on. A read from where there are zeros ends early when its process
/// is stopped, as any is that is counted while others start.
fn fill(address: &str, size: u32) -> String {
    format!(
        "for (my ($all, $tries) = (0, 0); $all < {size} << 20 && $tries < 1000; $tries++) {{ \
         my $more = syscall(0, fileno($zero), {address} + $all, ({size} << 20) - $all); \
         $all += $more if $more > 0 }}"
    )
}

/// Shared memory that its process has mapped and filled, in MiB.
fn filled(size: u32) -> String {
    format!(
        "my $at = syscall(9, 0, {size} << 20, 3, 0x21, -1, 0); open(my $zero, '<', '/dev/zero'); {}",
        fill("$at", size)
    )
}

/// Memory that a process has mapped and that it may share counts once. One process has it, or two, or
/// a child has it and its parent has not. Where one such memory is mapped and another one is there
/// without being seen in the process, both count.
///
/// Holds the promise `memory`.
#[test]
fn shared_memory_counts_once() {
    if !can_go_off() {
        return;
    }
    let as_another = rustix::process::geteuid().is_root().then_some("770015");
    let options = ["--sandbox", "--memory=128MiB"];
    for user in [None].into_iter().chain(as_another.map(Some)) {
        let setting = Setting { user, ..Setting::default() };
        for (size, expected) in
            [(77, "exited with code 7"), (141, "out of memory (--memory 128MiB): ")]
        {
            let each = filled(size);
            // On a busy machine it may be long before it is looked at.
            let seconds = if size > 128 { 5.0 } else { 1.0 };
            let leave = format!("select(undef, undef, undef, {seconds}); exit 7;\n");
            let alone = format!("{each}; {leave}");
            let by_two = format!("{each}; if (!fork()) {{ sleep 100 }} {leave}");
            for script in [alone, by_two, script(1, &each, seconds)] {
                let (detail, _) = outcome(setting, &script, &options);
                assert!(detail.starts_with(expected), "{user:?} {size}: {detail}: {script}");
            }
        }
    }
    for (size, expected) in [(40, "exited with code 7"), (77, "out of memory (--memory 128MiB): ")]
    {
        let seconds = if size > 64 { 5 } else { 1 };
        // `madvise`, `memfd_create`, `ftruncate` and `mmap`.
        let script = format!(
            "{}; syscall(28, $at, {size} << 20, 4); my $name = 'x'; \
             my $file = syscall(319, $name, 0); syscall(77, $file, {size} << 20); \
             my $other = syscall(9, 0, {size} << 20, 3, 1, $file, 0); \
             {}; select(undef, undef, undef, {seconds}); exit 7;\n",
            filled(size),
            fill("$other", size)
        );
        let (detail, _) =
            outcome(Setting::default(), &script, &["--memory=128MiB", "--file-size=none"]);
        assert!(detail.starts_with(expected), "{size}: {detail}");
    }
}

/// Connections that are closed with all that they take on its way, before anybody accepts them.
const CONNECTIONS: &str = "
    use Socket;
    socket(my $server, PF_INET, SOCK_STREAM, 0) or die;
    bind($server, pack_sockaddr_in(0, inet_aton('127.0.0.1'))) or die;
    listen($server, 4096);
    my ($address, $count) = (getsockname($server), 0);
    for (1..100) {
        socket(my $client, PF_INET, SOCK_STREAM, 0) or last;
        syscall(72, fileno($client), 4, 2048);
        connect($client, $address);
        vec(my $ready = '', fileno($client), 1) = 1;
        select(undef, $ready, undef, 0.2) or last;
        while (defined syswrite($client, 'x' x 4096)) {}
        $count++;
    }
    print STDERR $count; exit 7;
";

/// Holds the promise `memory`.
#[test]
fn connections_that_nobody_accepts_are_few() {
    if !can_go_off() || !requirements::loopback_is_there("connections that nobody accepts") {
        return;
    }
    let options = ["--sandbox", "--allow-loopback"];
    let (detail, stderr) = outcome(Setting::default(), CONNECTIONS, &options);
    assert!(detail.starts_with("exited with code 7"), "{detail}");
    assert!(["1", "2", "3"].contains(&&*stderr), "{stderr}");
}
