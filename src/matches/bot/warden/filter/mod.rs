//! The seccomp filter of the sandbox: it refuses the system calls that Landlock does not restrict.
//!
//! The kernel checks, compiles and tries a filter whenever a process takes it on, so every
//! instruction costs time at each start of a bot. That is why the filter is put together here: it
//! searches ranges of call numbers by halves, and all refusals share a few instructions. A start takes
//! 1.2 ms of processor time; a plain list of calls takes 0.15 ms more, and the three filters that
//! `seccompiler` makes, one for each error, 0.37 ms more (600 matches, 9 alternating pairs).

mod assembler;
mod calls;

use std::collections::BTreeMap;
use std::io;

use landlock::ABI;
use rustix::io::Errno;
use seccompiler::BpfProgram;

use crate::record::Sandbox;

use assembler::JumpIf::{AtLeast, Equal};
pub(super) use assembler::refusal;
use assembler::{ALLOW, Assembler, DONE, Instruction, KILL};
use calls::{
    ALL, ALWAYS, BEFORE_DEVICES, BEFORE_TRUNCATE, CORE_LIMIT, LOOPBACK, NETWORK, NEWER,
    REFUSED_UNLESS, REFUSED_WHERE,
};
pub(super) use calls::{CHANGES, SYS_FCHMODAT2};

/// The architecture as the kernel tells it to a filter, where the lists are known to fit.
fn architecture() -> Option<u32> {
    match std::env::consts::ARCH {
        "x86_64" => Some(0xc000_003e),
        "aarch64" => Some(0xc000_00b7),
        "riscv64" => Some(0xc000_00f3),
        _ => None,
    }
}

/// When a call is refused, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    Always(Errno),
    /// Where these bits of the argument are not this value.
    Unless(u8, u32, u32),
    /// Where these bits of the argument are this value.
    Where(u8, u32, u32, Errno),
    /// Where argument 1 is this value and argument 2 is not null: nothing is done, and no error told.
    Pretended(u32),
}

/// The filter as the kernel takes it: with what this version of `landlock` does not hold, with TCP
/// for bots that have a loopback of their own, and without what the warden answers for builds.
///
/// # Errors
///
/// On an architecture that the lists are not known for.
pub(super) fn program(landlock: ABI, allowed: &Sandbox) -> io::Result<BpfProgram> {
    let architecture = architecture().ok_or(io::ErrorKind::Unsupported)?;
    let mut assembler = Assembler::default();
    let calls: Vec<(u32, Instruction)> = ranges(rules(landlock, allowed))
        .into_iter()
        .map(|(first, rules)| (first, judge(&mut assembler, &rules)))
        .collect();
    let judged = search(&mut assembler, &calls);
    let judged = assembler.load(assembler::NUMBER, judged);
    let killed = assembler.answer(KILL);
    let begin = assembler.branch(Equal, architecture, judged, killed);
    assembler.load(assembler::ARCHITECTURE, begin);
    Ok(assembler.program())
}

/// A filter that has this answer to these calls, and allows all others.
pub(super) fn answering(calls: impl IntoIterator<Item = i64>, answer: u32) -> BpfProgram {
    let mut assembler = Assembler::default();
    let answered = assembler.answer(answer);
    let mut judged = assembler.answer(ALLOW);
    for call in calls {
        let call = u32::try_from(call).unwrap_or(u32::MAX);
        judged = assembler.branch(Equal, call, answered, judged);
    }
    assembler.load(assembler::NUMBER, judged);
    assembler.program()
}

/// What there is against each call.
fn rules(landlock: ABI, allowed: &Sandbox) -> BTreeMap<u32, Vec<Rule>> {
    let network: (&[_], &[_]) = if allowed.loopback { (&[], LOOPBACK) } else { (NETWORK, &[]) };
    let changes: &[_] = if allowed.builds { &[] } else { CHANGES };
    let always = ALWAYS.into_iter().chain([(network.0, Errno::PERM), (changes, Errno::PERM)]);
    let always = always
        .flat_map(|(calls, error)| calls.iter().map(move |&call| (call, Rule::Always(error))));
    let unless = REFUSED_UNLESS.iter().map(|&(call, argument, value)| (call, argument, ALL, value));
    let unless = unless
        .chain(network.1.iter().copied())
        .map(|(call, argument, bits, value)| (call, Rule::Unless(argument, bits, value)));
    let older = [(ABI::V3, BEFORE_TRUNCATE), (ABI::V5, BEFORE_DEVICES)];
    let older =
        older.into_iter().filter(|(since, _)| landlock < *since).flat_map(|(_, rules)| rules);
    let wherever = REFUSED_WHERE.iter().chain(older);
    let wherever = wherever.map(|&(call, argument, bits, value, error)| {
        (call, Rule::Where(argument, bits, value, error))
    });
    let mut rules: BTreeMap<u32, Vec<Rule>> = BTreeMap::new();
    let pretended = [(libc::SYS_prlimit64, Rule::Pretended(CORE_LIMIT))];
    for (call, rule) in always.chain(unless).chain(wherever).chain(pretended) {
        rules.entry(u32::try_from(call).unwrap_or(u32::MAX)).or_default().push(rule);
    }
    rules
}

/// All numbers of calls in order, as ranges with the same rules: where each begins.
fn ranges(rules: BTreeMap<u32, Vec<Rule>>) -> Vec<(u32, Vec<Rule>)> {
    let mut ranges = vec![(0, Vec::new())];
    for (call, rules) in rules {
        if ranges.last().is_some_and(|(first, _)| *first == call) {
            ranges.pop();
        }
        if ranges.last().is_none_or(|(_, before)| *before != rules) {
            ranges.push((call, rules));
        }
        ranges.push((call + 1, Vec::new()));
    }
    // Also those of the second numbering that some kernels have.
    ranges.push((NEWER, vec![Rule::Always(Errno::NOSYS)]));
    ranges
}

/// Finds the range that the loaded number is in, and goes on there.
fn search(assembler: &mut Assembler, ranges: &[(u32, Instruction)]) -> Instruction {
    if let &[(_, only)] = ranges {
        return only;
    }
    let (low, high) = ranges.split_at(ranges.len() / 2);
    let first = high[0].0;
    let high = search(assembler, high);
    let low = search(assembler, low);
    assembler.branch(AtLeast, first, high, low)
}

/// Holds a call against its rules, one after the other.
fn judge(assembler: &mut Assembler, rules: &[Rule]) -> Instruction {
    let mut rules = rules;
    let mut next = assembler.answer(ALLOW);
    // From the last to the first, and those that look at the same bits together.
    while let Some((&last, before)) = rules.split_last() {
        next = match last {
            Rule::Always(error) => assembler.refuse(error),
            Rule::Unless(argument, bits, value) => {
                let refused = assembler.refuse(Errno::PERM);
                let equal = assembler.branch(Equal, value, next, refused);
                assembler.load_bits(argument, bits, equal)
            }
            Rule::Where(argument, bits, value, error) => {
                let refused = assembler.refuse(error);
                let equal = assembler.branch(Equal, value, refused, next);
                let same = |rule: &Rule| matches!(rule, Rule::Where(a, b, ..) if (*a, *b) == (argument, bits));
                if before.last().is_some_and(same) {
                    equal
                } else {
                    assembler.load_bits(argument, bits, equal)
                }
            }
            Rule::Pretended(value) => {
                let pretended = assembler.answer(DONE);
                let upper = assembler.branch(Equal, 0, next, pretended);
                let upper = assembler.load_upper_half(2, upper);
                let lower = assembler.branch(Equal, 0, upper, pretended);
                let lower = assembler.load_bits(2, ALL, lower);
                let equal = assembler.branch(Equal, value, lower, next);
                assembler.load_bits(1, ALL, equal)
            }
        };
        rules = before;
    }
    next
}

#[cfg(test)]
mod tests {
    use seccompiler::sock_filter;

    use super::*;

    fn plain() -> Sandbox {
        Sandbox::default()
    }

    /// What a filter answers, as the kernel would run it.
    fn answer(program: &BpfProgram, call: i64, arguments: [u32; 6]) -> u32 {
        let mut loaded = 0;
        let mut at = 0;
        loop {
            let sock_filter { code, jt, jf, k } = program[at];
            at += 1;
            let skip = |condition| usize::from(if condition { jt } else { jf });
            match code {
                0x20 if k == 0 => loaded = u32::try_from(call).unwrap(),
                0x20 if k == 4 => loaded = architecture().unwrap(),
                0x20 => loaded = arguments[(k as usize - 16) / 8],
                0x54 => loaded &= k,
                0x15 => at += skip(loaded == k),
                0x35 => at += skip(loaded >= k),
                0x05 => at += k as usize,
                0x06 => return k,
                _ => panic!("no such instruction: {code:#x}"),
            }
        }
    }

    #[test]
    fn each_call_is_judged_by_its_own_rules() {
        let program = program(ABI::V6, &plain()).unwrap();
        // Each instruction is time at every start.
        assert!(program.len() < 400, "{} instructions", program.len());
        let refused = |call, arguments| answer(&program, call, arguments) != ALLOW;
        let error = |call| answer(&program, call, [0; 6]) & 0xffff;
        for (number, calls) in [1, 95, 22, 38].into_iter().zip(ALWAYS.map(|(calls, _)| calls)) {
            for &call in calls {
                assert_eq!(error(call), number, "{call}");
            }
        }
        for &call in NETWORK.iter().chain(CHANGES) {
            assert_eq!(error(call), 1, "{call}");
        }
        let of_builds = super::program(ABI::V6, &Sandbox { builds: true, ..plain() }).unwrap();
        let asked = answering(CHANGES.iter().copied(), 7);
        for call in 0..600 {
            let answers = if CHANGES.contains(&call) {
                [ALLOW, 7]
            } else {
                [answer(&program, call, [0; 6]), ALLOW]
            };
            let found = [&of_builds, &asked].map(|it| answer(it, call, [0; 6]));
            assert_eq!(found, answers, "{call}");
        }
        let known = rules(ABI::V6, &plain());
        for call in (0..NEWER).filter(|call| !known.contains_key(call)) {
            assert!(!refused(i64::from(call), [u32::MAX; 6]), "{call}");
        }
        for &(call, argument, value) in REFUSED_UNLESS {
            let mut arguments = [0; 6];
            arguments[usize::from(argument)] = value + 1;
            assert!(refused(call, arguments), "{call}");
        }
        for &(call, argument, bits, value, _) in REFUSED_WHERE {
            let mut arguments = [0; 6];
            arguments[usize::from(argument)] = value | !bits;
            assert!(refused(call, arguments), "{call}");
        }
        assert!(!refused(libc::SYS_prlimit64, [0; 6]));
        assert!(!refused(libc::SYS_prlimit64, [0, CORE_LIMIT, 0, 7, 0, 0]));
        assert!(!refused(libc::SYS_prlimit64, [0, CORE_LIMIT + 1, 7, 0, 0, 0]));
        assert_eq!(answer(&program, libc::SYS_prlimit64, [0, CORE_LIMIT, 7, 0, 0, 0]), DONE);
        assert!(!refused(libc::SYS_openat, [0; 6]));
        assert!(!refused(libc::SYS_socketpair, [1, 1, 0, 0, 0, 0]));
        for newer in [NEWER, NEWER + 1, 0x4000_0000, u32::MAX] {
            assert_eq!(error(i64::from(newer)), 38, "{newer}");
        }
    }

    #[test]
    fn what_older_versions_of_landlock_allow_is_refused() {
        let refused = |landlock, call, arguments| {
            answer(&program(landlock, &plain()).unwrap(), call, arguments) != ALLOW
        };
        let truncate = |landlock| refused(landlock, libc::SYS_truncate, [0; 6]);
        assert!(truncate(ABI::V2) && !truncate(ABI::V3));
        let flags = |landlock, flags: i32| {
            refused(landlock, libc::SYS_openat, [0, 0, flags.cast_unsigned(), 0, 0, 0])
        };
        let (read, write) = (libc::O_RDONLY, libc::O_WRONLY | libc::O_CREAT);
        for version in [ABI::V1, ABI::V2, ABI::V3, ABI::V4, ABI::V5, ABI::V6] {
            // Emptied without being written, and opened for neither reading nor writing.
            assert_eq!(flags(version, read | libc::O_TRUNC), version < ABI::V3, "{version}");
            assert_eq!(flags(version, 3), version < ABI::V5, "{version}");
            assert_eq!(flags(version, 3 | libc::O_TRUNC), version < ABI::V5, "{version}");
            for flag in [0, libc::O_TRUNC, libc::O_CLOEXEC, libc::O_APPEND] {
                assert!(!flags(version, write | flag), "{version}");
                assert!(flag == libc::O_TRUNC || !flags(version, read | flag), "{version}");
            }
        }
    }

    #[test]
    fn with_a_loopback_tcp_is_allowed_and_no_other_socket() {
        let allowed = Sandbox { loopback: true, ..plain() };
        let program = program(ABI::V6, &allowed).unwrap();
        let socket = |family: i32, kind: i32| {
            let arguments = [family.cast_unsigned(), kind.cast_unsigned(), 0, 0, 0, 0];
            answer(&program, libc::SYS_socket, arguments) == ALLOW
        };
        for family in 0..64 {
            for kind in 0..16 {
                let is_tcp =
                    [libc::AF_INET, libc::AF_INET6].contains(&family) && kind == libc::SOCK_STREAM;
                assert_eq!(socket(family, kind), is_tcp, "{family} {kind}");
                assert_eq!(socket(family, kind | libc::SOCK_CLOEXEC), is_tcp, "{family} {kind}");
            }
        }
        for call in [libc::SYS_bind, libc::SYS_listen, libc::SYS_connect] {
            assert_eq!(answer(&program, call, [0; 6]), ALLOW);
        }
    }

    #[test]
    fn the_filter_is_one_that_the_kernel_takes() {
        let program = program(ABI::V1, &plain()).unwrap();
        let applied = std::thread::spawn(move || {
            if let Err(error) = seccompiler::apply_filter(&program) {
                return println!("left out: the filter at work: {error}");
            }
            // The thread lives on, and is refused what the filter says.
            let refused = std::net::UdpSocket::bind("127.0.0.1:0").unwrap_err();
            assert_eq!(refused.raw_os_error(), Some(Errno::PERM.raw_os_error()));
            // It can start another one all the same.
            std::thread::spawn(|| ()).join().unwrap();
        });
        applied.join().unwrap();
    }
}
