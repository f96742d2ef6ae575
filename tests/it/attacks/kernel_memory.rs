//! Bombs of what the kernel keeps for processes, set off by scripts in Perl, which can make any
//! system call: mappings, shared memory without a name, descriptors. Each goes off where its limit
//! does not hold, and ends its bot where it does.

use std::fs;

use serde_json::Value;

use super::targets::Targets;
use crate::requirements;

/// Starts so many processes, each of which does this and stays; when all have, it stays for so many
/// seconds, says so, and leaves.
fn script(processes: u32, each: &str, seconds: f32) -> String {
    format!(
        "$| = 1; my @children;\n\
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

/// The detail with which the script forfeits, and what it wrote to stderr.
#[track_caller]
fn outcome(script: &str, options: &[&str]) -> (String, String) {
    let targets = Targets::new();
    let file = format!("{}/bomb.pl", targets.folder_of("desk"));
    fs::write(&file, script).expect("it is written");
    let record: Value = targets.record_of(&format!("perl '{file}'"), options);
    let fault = &record["rounds"][0]["result"]["fault"];
    assert_eq!(fault["bot"], 0, "{record:#}");
    let text = |value: &Value| value.as_str().expect("text").to_owned();
    (text(&fault["detail"]), text(&fault["stderr"]))
}

/// Holds the promise `memory`.
#[test]
fn bombs_in_kernel_memory_are_stopped() {
    if cfg!(not(target_arch = "x86_64")) {
        requirements::is_left_out(
            "bombs in the kernel",
            "the numbers of calls are those of x86_64",
        );
        return;
    }
    if !requirements::are_there("perl --sandbox", "bombs in the kernel") {
        return;
    }
    let memory = "out of memory (--memory 32MiB): ";
    let files = "too large a file, or too many ";
    let open = "more open files, pipes and sockets than any bot needs: ";
    // On a busy machine a bomb of one kind is not looked through in time for the limits of another.
    let free = ["--sandbox", "--memory=none", "--file-size=none"];
    for (processes, each, limited, verdict) in [
        (8, MAPPINGS, "--memory=32MiB", memory),
        (1, SHARED, "--memory=32MiB", memory),
        (1, MAPPED_FILES, "--file-size=8MiB", files),
        (30, DESCRIPTORS, "", ""),
        (60, DESCRIPTORS, "", open),
    ] {
        if verdict != open {
            let (detail, stderr) = outcome(&script(processes, each, 0.3), &free);
            assert_eq!(stderr, "it went off", "{each}: {detail}");
            assert!(detail.starts_with("exited with code 7"), "{each}: {detail}");
        }
        if !verdict.is_empty() {
            let with_one_limit = free.map(|option| {
                if option.split('=').next() == limited.split('=').next() { limited } else { option }
            });
            let (detail, _) = outcome(&script(processes, each, 20.0), &with_one_limit);
            assert!(detail.starts_with(verdict), "{each}: {detail}");
        }
    }
}

/// A hundred processes with 60,000 mappings each, all of them running, under a parent that takes
/// more and more memory.
const SLOW_TO_COUNT: &str = "
    for (1..100) {
        my $child = fork();
        last if !defined $child;
        next if $child;
        for (1..60000) { syscall(9, 0, 4096, $_ % 2, 0x22, -1, 0) }
        while (1) {}
    }
    my @held;
    for (1..100) { push @held, 'x' x (10 << 20); select(undef, undef, undef, 0.02) }
    print STDERR 'it went off'; exit 7;
";

#[test]
fn processes_that_are_slow_to_count_do_not_put_off_a_verdict() {
    if cfg!(not(target_arch = "x86_64"))
        || !requirements::are_there("perl --sandbox", "processes that are slow to count")
    {
        return;
    }
    let (detail, stderr) = outcome(SLOW_TO_COUNT, &["--memory=64MiB"]);
    assert!(detail.starts_with("out of memory (--memory 64MiB): "), "{detail}");
    assert_eq!(stderr, "");
}
