//! Why a process left, where the system or the process itself tells.

use crate::bot::Restraints;
use crate::bot::warden::wire::Left;
use crate::referee::Cause;

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

/// What programs write when they may not open a socket: Python, Node and C, Java, Go.
const NETWORK: [&str; 6] =
    ["socket", "getaddrinfo", "java.net.", "Network is unreachable", "net/http", "dial tcp"];

/// The cause of a process's end, if there is one beside the process itself. `stderr` is the end
/// of what it wrote there.
pub(in crate::bot) fn of(left: &Left, restraints: &Restraints, stderr: &str) -> Option<Cause> {
    let limits = &restraints.resources;
    let says = |words: &[&str]| words.iter().any(|word| stderr.contains(word));
    let failed = left.code != Some(0);
    if left.too_many {
        return limits.processes.map(Cause::Processes);
    }
    if left.too_large {
        return limits.memory.map(Cause::Memory);
    }
    if left.too_full {
        return limits.file_size.map(Cause::FileSize);
    }
    if left.too_open {
        return Some(Cause::Descriptors);
    }
    if left.memory_ran_out && left.signal == Some(SIGKILL) {
        return Some(Cause::SystemMemory);
    }
    match (left.signal, limits.cpu_time) {
        (Some(SIGXCPU), Some(limit)) => return Some(Cause::CpuTime(limit)),
        (Some(SIGKILL), Some(limit)) if u128::from(left.cpu_ms) >= limit.as_millis() => {
            return Some(Cause::CpuTime(limit));
        }
        _ => {}
    }
    if let Some(limit) = limits.file_size
        && (left.signal == Some(SIGXFSZ) || failed && says(&FILE_TOO_LARGE))
    {
        return Some(Cause::FileSize(limit));
    }
    if failed && says(&NO_MEMORY) {
        return Some(Cause::NoMemory);
    }
    if restraints.sandbox.is_some() && failed && says(&NETWORK) {
        return Some(Cause::Network);
    }
    // What it was refused, if anything, only it knows.
    (restraints.sandbox.is_some() && failed).then_some(Cause::Sandbox)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Sandbox;

    #[test]
    fn each_limit_has_its_signs() {
        let limits = Restraints::default();
        let sandbox = Restraints { sandbox: Some(Sandbox::default()), ..Restraints::default() };
        let exit = |code| Left { code: Some(code), ..Left::default() };
        let signal = |signal| Left { signal: Some(signal), ..Left::default() };
        let cause = |left: Left, stderr| of(&left, &limits, stderr);

        assert_eq!(cause(exit(1), "Traceback: KeyError"), None);
        assert_eq!(cause(exit(1), "Permission denied"), None);
        assert_eq!(cause(exit(1), "MemoryError"), Some(Cause::NoMemory));
        assert_eq!(cause(exit(0), "MemoryError"), None);
        let large = Left { too_large: true, ..signal(9) };
        assert_eq!(cause(large, ""), Some(Cause::Memory(1 << 30)));
        let ended = Left { memory_ran_out: true, ..signal(9) };
        assert_eq!(cause(ended, ""), Some(Cause::SystemMemory));
        assert_eq!(cause(Left { memory_ran_out: true, ..signal(11) }, ""), None);
        let many = Left { too_many: true, ..signal(9) };
        assert_eq!(cause(many, ""), Some(Cause::Processes(256)));
        assert_eq!(cause(signal(9), ""), None);
        let long = Left { cpu_ms: 3_600_000, ..signal(9) };
        assert!(matches!(cause(long, ""), Some(Cause::CpuTime(_))));
        assert!(matches!(cause(signal(24), ""), Some(Cause::CpuTime(_))));
        assert_eq!(cause(signal(25), ""), Some(Cause::FileSize(64 << 20)));
        assert_eq!(cause(exit(1), "OSError: File too large"), Some(Cause::FileSize(64 << 20)));
        assert_eq!(of(&signal(11), &sandbox, ""), Some(Cause::Sandbox));
        assert_eq!(of(&exit(1), &sandbox, "KeyError"), Some(Cause::Sandbox));
        assert_eq!(of(&exit(0), &sandbox, ""), None);
        let refused = "File \"/usr/lib/python3/socket.py\", line 233\nPermissionError: [Errno 13]";
        assert_eq!(of(&exit(1), &sandbox, refused), Some(Cause::Network));
        assert_eq!(cause(exit(1), refused), None);
    }
}
