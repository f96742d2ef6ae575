//! Why a process left, where the system or the process itself tells.

use super::last_report::last_report;
use crate::bot::Restraints;
use crate::bot::warden::wire::{ExceededLimit, ProcessEnd};
use crate::protocol::{Cause, CauseCode};
use crate::record::whole_ms;

/// Linux's numbers of the signals that tell of a limit.
const SIGKILL: i32 = 9;
const SIGXCPU: i32 = 24;
const SIGXFSZ: i32 = 25;

/// What programs write when there is no more memory: Python, C++, Rust, Java, Node, Go, C.
const NO_MEMORY: [&str; 7] = [
    "MemoryError",
    "bad_alloc",
    "memory allocation of",
    "OutOfMemoryError",
    "JavaScript heap out of memory",
    "out of memory",
    "Cannot allocate memory",
];

/// What programs write when a file may not grow.
const FILE_TOO_LARGE: [&str; 3] = ["File too large", "EFBIG", "File size limit exceeded"];

/// What programs write when they may not start one more thread or process: Python, Rust, Java, Go,
/// Bash.
const NO_PROCESS: [&str; 5] = [
    "can't start new thread",
    "failed to spawn thread",
    "unable to create native thread",
    "failed to create new OS thread",
    "fork: retry",
];

/// What programs write when they may not open a socket, and of nothing else: Node and C, Java, Go, our
/// own adapter for a client.
const NETWORK: [&str; 12] = [
    "getaddrinfo",
    "connect EACCES",
    "connect EPERM",
    "listen EACCES",
    "listen EPERM",
    "java.net.ConnectException",
    "java.net.NoRouteToHostException",
    "java.net.SocketException",
    "java.net.UnknownHostException",
    "Network is unreachable",
    "dial tcp",
    "--allow-loopback",
];

/// What stands beside a refusal if it was a socket that was refused: Python and C, Perl.
const SOCKET: [&str; 2] = ["socket", "Socket"];

/// What programs write when something was refused to them: Python, Node, Ruby, Java, C#.
const REFUSED: [&str; 5] =
    ["PermissionError: [Errno", "EACCES", "EPERM", "AccessDenied", "UnauthorizedAccessException"];

/// The system's own words for it, in all languages.
const SYSTEM_REFUSALS: [&str; 4] = [
    "Permission denied",
    "permission denied",
    "Operation not permitted",
    "operation not permitted",
];

/// What stands before these words, and what behind, where they are the system's and hardly a sentence
/// of the program about its game: `book: Permission denied`, `book (Permission denied)`.
const BEFORE_REFUSAL: [&str; 6] = [": ", "(", "\"", "] ", "error=13, ", "error=1, "];
const BEHIND_REFUSAL: [&str; 13] =
    [")", "\"", ";", " (", " [", " @ ", " - ", ", '", ", \"", ": '", ": \"", ": /", ": ./"];

/// Ends of the names of Java's exceptions whose text may be the system's.
const WITH_SYSTEM_TEXT: [&str; 6] = [
    "IOException",
    "FileNotFoundException",
    "FileSystemException",
    "ConnectException",
    "SocketException",
    "BindException",
];

/// What the system had against a process that ended, as far as that is known. `stderr` is the end
/// of what it wrote there.
pub(super) fn of(left: &ProcessEnd, restraints: &Restraints, stderr: &str) -> Option<Cause> {
    let limits = &restraints.resources;
    let stderr = last_report(stderr);
    let says = |words: &[&str]| words.iter().any(|word| stderr.contains(word));
    let failed = left.code != Some(0);
    let cpu_time =
        |limit| Cause { limit_ms: Some(whole_ms(limit)), ..CauseCode::CpuTimeLimit.into() };
    let of_limit = |code, limit: Option<u64>| Some(Cause::of_limit(code, limit?));
    match left.beyond {
        Some(ExceededLimit::Processes) => {
            return of_limit(CauseCode::ProcessLimit, limits.processes.map(u64::from));
        }
        Some(ExceededLimit::Memory) => return of_limit(CauseCode::MemoryLimit, limits.memory),
        Some(ExceededLimit::Files) => return of_limit(CauseCode::FileSizeLimit, limits.file_size),
        Some(ExceededLimit::Descriptors) => return Some(CauseCode::DescriptorLimit.into()),
        Some(ExceededLimit::Stop) => return Some(CauseCode::RanWhileStopped.into()),
        None => {}
    }
    if left.memory_ran_out && left.signal == Some(SIGKILL) {
        return Some(CauseCode::SystemMemory.into());
    }
    match (left.signal, limits.cpu_time) {
        (Some(SIGXCPU), Some(limit)) => return Some(cpu_time(limit)),
        (Some(SIGKILL), Some(limit)) if u128::from(left.cpu_ms) >= limit.as_millis() => {
            return Some(cpu_time(limit));
        }
        _ => {}
    }
    let may_be_file_size = left.signal == Some(SIGXFSZ) || failed && says(&FILE_TOO_LARGE);
    if may_be_file_size && limits.file_size.is_some() {
        return of_limit(CauseCode::FileSizeLimit, limits.file_size);
    }
    if failed && says(&NO_PROCESS) && limits.processes.is_some() {
        return of_limit(CauseCode::ProcessLimit, limits.processes.map(u64::from));
    }
    if failed && says(&NO_MEMORY) {
        return Some(CauseCode::OutOfMemory.into());
    }
    if restraints.sandbox.is_none() || !failed {
        return None;
    }
    // Only the program itself knows what it was refused.
    let refused = says(&REFUSED) || has_system_refusal(stderr);
    if says(&NETWORK) || refused && says(&SOCKET) {
        return Some(CauseCode::NoNetwork.into());
    }
    refused.then(|| CauseCode::Sandbox.into())
}

/// Whether a line is an exception of the program's own, `ValueError: house 3: permission denied`. One of
/// the system has a number or a name for it.
fn is_own_exception(line: &str) -> bool {
    let Some((class, _)) = line.split_once(": ") else { return false };
    let is_class =
        !class.contains(' ') && (class.ends_with("Error") || class.ends_with("Exception"));
    let has_number = ["[Errno", "os error", "Os {", "error=", "EACCES", "EPERM", " ("]
        .iter()
        .any(|words| line.contains(words));
    let is_of_java = WITH_SYSTEM_TEXT.iter().any(|name| class.ends_with(name));
    is_class && !has_number && !is_of_java
}

/// Whether the system's words for a refusal stand there as the system's.
fn has_system_refusal(stderr: &str) -> bool {
    let is_refusal = |line: &str, at: usize, words: &str| {
        let (before, behind) = (&line[..at], line[at + words.len()..].trim_end_matches(['.', ' ']));
        let may_follow = |ways: &[&str]| ways.iter().any(|way| behind.starts_with(way));
        if before.is_empty() {
            return behind.is_empty() || may_follow(&[" (os error"]);
        }
        // Perl and PHP: `… at bot.pl line 3`.
        let has_place = may_follow(&[" at ", " in "]) && behind.contains(" line ");
        BEFORE_REFUSAL.iter().any(|way| before.ends_with(way))
            && (behind.is_empty() || has_place || may_follow(&BEHIND_REFUSAL))
    };
    stderr.lines().filter(|line| !is_own_exception(line)).any(|line| {
        let found = SYSTEM_REFUSALS.iter().flat_map(|words| line.match_indices(words));
        found.into_iter().any(|(at, words)| is_refusal(line, at, words))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Sandbox;

    #[test]
    fn only_the_systems_words_are_a_refusal() {
        for refusal in [
            "cat: book: Permission denied",
            "cat: book: Permission denied\nmake: *** [all] Error 1",
            "sh: 1: cannot create x: Permission denied.",
            "open x: permission denied",
            "cannot open book: Permission denied at bot.pl line 3.",
            "fopen(/etc/book): failed to open stream: Permission denied in /b.php on line 2",
            "java.io.FileNotFoundException: /etc/book (Permission denied)",
            "Os { code: 13, kind: PermissionDenied, message: \"Permission denied\" }",
            "Error: Permission denied (os error 13)",
            "in 'initialize': Permission denied @ rb_sysopen - /etc/book (Errno)",
            "filesystem error: cannot open file: Operation not permitted [/etc/book]",
            "[Errno 1] Operation not permitted, '/etc/book'",
            "Reading the book\nPermission denied\n",
            "Permission denied (os error 13)",
            "cat: book: Permission denied\r\n",
            "zsh: permission denied: ./x",
            "In procedure open-file: Permission denied: \"book\"",
            "system error: Permission denied; errno=13",
            "Cannot run program \"x\": error=13, Permission denied",
            "OSError: [Errno 1] Operation not permitted",
            "PermissionError: [Errno 13] Permission denied: '/etc/book'",
            "Error: Os { code: 13, kind: PermissionDenied, message: \"Permission denied\" }",
            "java.io.IOException: Permission denied",
        ] {
            assert!(has_system_refusal(refusal), "{refusal}");
        }
        for own in [
            "operation not permitted for empty pit",
            "ValueError: Operation not permitted: house is empty",
            "Permission denied: this move is not allowed by my own rule table",
            "error: permission denied by the rules",
            "ValueError: Operation not permitted, house is empty",
            "move: operation not permitted in house 3",
            "move: operation not permitted at cell 2",
            "PermissionError: Permission denied",
            "AssertionError: permission denied",
            "ValueError: illegal move in house 3: operation not permitted",
            "Error: house: permission denied",
            "java.lang.SecurityException: Permission denied",
            "",
        ] {
            assert!(!has_system_refusal(own), "{own}");
        }
    }

    #[test]
    fn what_a_program_wrote_before_its_last_error_is_a_warning() {
        let limits = Restraints::default();
        let left = ProcessEnd { code: Some(1), ..ProcessEnd::default() };
        let error = |class: &str| {
            format!("Traceback (most recent call last):\n  File \"b.py\", line 3\n{class}: x\n")
        };
        for warning in ["table out of memory", "can't start new thread", "File too large for me"] {
            let stderr = format!("{warning}\n{}", error("IndexError"));
            assert_eq!(of(&left, &limits, &stderr), None, "{stderr}");
        }
        // An error that led to the last one is part of its report.
        let then = "\nDuring handling of the above exception, another exception occurred:\n\n";
        let chain = format!("{}{then}{}", error("MemoryError"), error("RuntimeError"));
        assert_eq!(of(&left, &limits, &chain).map(|it| it.code), Some(CauseCode::OutOfMemory));
        let earlier = format!("{}{}", error("MemoryError"), error("RuntimeError"));
        assert_eq!(of(&left, &limits, &earlier), None);
    }

    #[test]
    fn each_limit_has_its_signs() {
        let limits = Restraints::default();
        let sandbox = Restraints { sandbox: Some(Sandbox::default()), ..Restraints::default() };
        let exit = |code| ProcessEnd { code: Some(code), ..ProcessEnd::default() };
        let signal = |signal| ProcessEnd { signal: Some(signal), ..ProcessEnd::default() };
        let cause = |left: ProcessEnd, stderr| of(&left, &limits, stderr);
        let code = |code: CauseCode| Some(Cause::from(code));
        let limit = |code, limit| Some(Cause::of_limit(code, limit));
        let is_cpu_time = |cause: Option<Cause>| cause.unwrap().code == CauseCode::CpuTimeLimit;

        assert_eq!(cause(exit(1), "Traceback: KeyError"), None);
        assert_eq!(cause(exit(1), "Permission denied"), None);
        assert_eq!(cause(exit(1), "MemoryError"), code(CauseCode::OutOfMemory));
        assert_eq!(cause(exit(0), "MemoryError"), None);
        let large = ProcessEnd { beyond: Some(ExceededLimit::Memory), ..signal(9) };
        assert_eq!(cause(large, ""), limit(CauseCode::MemoryLimit, 1 << 30));
        let ended = ProcessEnd { memory_ran_out: true, ..signal(9) };
        assert_eq!(cause(ended, ""), code(CauseCode::SystemMemory));
        assert_eq!(cause(ProcessEnd { memory_ran_out: true, ..signal(11) }, ""), None);
        let many = ProcessEnd { beyond: Some(ExceededLimit::Processes), ..signal(9) };
        assert_eq!(cause(many, ""), limit(CauseCode::ProcessLimit, 256));
        let refused = "RuntimeError: can't start new thread";
        assert_eq!(cause(exit(1), refused), limit(CauseCode::ProcessLimit, 256));
        assert_eq!(cause(exit(0), refused), None);
        assert_eq!(cause(signal(9), ""), None);
        let long = ProcessEnd { cpu_ms: 3_600_000, ..signal(9) };
        assert!(is_cpu_time(cause(long, "")));
        assert!(is_cpu_time(cause(signal(24), "")));
        assert_eq!(cause(signal(25), ""), limit(CauseCode::FileSizeLimit, 64 << 20));
        assert_eq!(
            cause(exit(1), "OSError: File too large"),
            limit(CauseCode::FileSizeLimit, 64 << 20)
        );
        let denied = "cat: book: Permission denied";
        assert_eq!(of(&exit(1), &sandbox, denied), code(CauseCode::Sandbox));
        assert_eq!(of(&exit(0), &sandbox, denied), None);
        // Ordinary mistakes of a program are not the sandbox's doing.
        assert_eq!(of(&signal(11), &sandbox, ""), None);
        assert_eq!(of(&exit(1), &sandbox, "KeyError"), None);
        let refused = "File \"/usr/lib/python3/socket.py\", line 233\nPermissionError: [Errno 13]";
        assert_eq!(of(&exit(1), &sandbox, refused), code(CauseCode::NoNetwork));
        assert_eq!(cause(exit(1), refused), None);
        assert_eq!(of(&exit(1), &sandbox, "KeyError: 'no seeds in socket 3'"), None);
        let own = "PermissionError: house 3 is not mine";
        assert_eq!(of(&exit(1), &sandbox, own), None);
        let no_class = "Exception in thread \"main\" java.lang.NoClassDefFoundError: Helper\n\tat \
                        java.base/java.net.URLClassLoader.findClass(URLClassLoader.java:445)";
        assert_eq!(of(&exit(1), &sandbox, no_class), None);
        let java = "java.net.UnknownHostException: example.org";
        assert_eq!(of(&exit(1), &sandbox, java), code(CauseCode::NoNetwork));
        let kgp = "kgp.py: no TCP port can be opened here (Permission denied): KGP needs the loopback \
                   network, which --sandbox closes; add --allow-loopback";
        assert_eq!(of(&exit(1), &sandbox, kgp), code(CauseCode::NoNetwork));
        let node = "Error: connect EPERM 127.0.0.1:80 - Local (0.0.0.0:0)";
        assert_eq!(of(&exit(1), &sandbox, node), code(CauseCode::NoNetwork));
        let perl = "IO::Socket::INET: connect: Operation not permitted at b.pl line 3.";
        assert_eq!(of(&exit(1), &sandbox, perl), code(CauseCode::NoNetwork));
        let unknown = "Error: getaddrinfo EAI_AGAIN example.org";
        assert_eq!(of(&exit(1), &sandbox, unknown), code(CauseCode::NoNetwork));
    }
}
