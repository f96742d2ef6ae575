//! The seccomp filter of the sandbox: it refuses the system calls that Landlock does not restrict.
//!
//! The kernel checks, compiles and tries a filter whenever a process takes it on, so every
//! instruction costs time at each start of a bot. That is why the filter is put together here: it
//! searches ranges of call numbers by halves, and all refusals share a few instructions. A start takes
//! 1.2 ms of processor time; a plain list of calls takes 0.15 ms more, and the three filters that
//! `seccompiler` makes, one for each error, 0.37 ms more (600 matches, 9 alternating pairs).

mod assembler;
mod calls;
mod sockets;

use std::collections::BTreeMap;
use std::io;

use landlock::ABI;
use rustix::io::Errno;
use seccompiler::BpfProgram;

use crate::record::Sandbox;

use assembler::JumpIf::{AtLeast, Equal};
pub(crate) use assembler::refusal;
use assembler::{ALLOW, Assembler, DONE, Instruction, KILL};
pub(crate) use calls::SYS_FCHMODAT2;
use calls::{
    ALL, ALWAYS, BEFORE_DEVICES, BEFORE_TRUNCATE, CORE_LIMIT, DEATH_SIGNAL, IOCTLS, MAKING_FILES,
    NEWER, O_CREAT, REFUSED_UNLESS, REFUSED_WHERE,
};
pub(crate) use calls::{CHANGES, SET_ID};
use sockets::{LOOPBACK, NETWORK, SOCKET_OPTIONS, TCP};

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
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rule {
    Always(Errno),
    /// Where these bits of the argument are not this value.
    Unless(u8, u32, u32),
    /// Where these bits of the argument are this value.
    Where(u8, u32, u32, Errno),
    /// Where this argument is none of these values.
    UnlessAny(u8, &'static [u32], Errno),
    /// Where a file is made that gives its program the rights of its owner or group: the arguments with
    /// its mode, and with the flags that say whether a file is made, if the call has such.
    MakesPrivileged(u8, Option<u8>),
    /// `setsockopt` with none of these options of these levels.
    SocketOptionUnless(&'static [(u32, &'static [u32])]),
    /// Where this argument is this value: nothing is done, and no error told.
    Pretended(u8, u32),
    /// `prlimit64` that sets this limit: the same, but an error where it also asks for the old limit,
    /// which nobody would fill in.
    PretendedLimit(u32),
}

/// The filter as the kernel takes it: with what this version of `landlock` does not hold, with TCP
/// for bots that have a loopback of their own, and without what the warden answers for builds.
///
/// # Errors
///
/// On an architecture that the lists are not known for.
pub(crate) fn program(landlock: ABI, allowed: &Sandbox) -> io::Result<BpfProgram> {
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

/// A filter that has `answer` to `calls`, and allows all others.
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
    let tcp = allowed
        .loopback
        .then_some((libc::SYS_socket, Rule::UnlessAny(2, TCP, Errno::PROTONOSUPPORT)));
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
    let making = MAKING_FILES.iter();
    let making = making.map(|&(call, mode, flags)| (call, Rule::MakesPrivileged(mode, flags)));
    let others = [
        (libc::SYS_ioctl, Rule::UnlessAny(1, IOCTLS, Errno::NOTTY)),
        (libc::SYS_setsockopt, Rule::SocketOptionUnless(SOCKET_OPTIONS)),
        (libc::SYS_prctl, Rule::Pretended(0, DEATH_SIGNAL)),
        (libc::SYS_setrlimit, Rule::Pretended(0, CORE_LIMIT)),
        (libc::SYS_prlimit64, Rule::PretendedLimit(CORE_LIMIT)),
    ];
    for (call, rule) in always.chain(unless).chain(wherever).chain(making).chain(others).chain(tcp)
    {
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
            Rule::UnlessAny(argument, values, error) => {
                let mut none = assembler.refuse(error);
                for &value in values {
                    none = assembler.branch(Equal, value, next, none);
                }
                assembler.load_argument(argument, none)
            }
            Rule::MakesPrivileged(mode, flags) => {
                let refused = assembler.refuse(Errno::PERM);
                let plain = assembler.branch(Equal, 0, next, refused);
                let looked_at = assembler.load_bits(mode, SET_ID, plain);
                flags.map_or(looked_at, |flags| {
                    let created = assembler.branch(Equal, O_CREAT, looked_at, next);
                    assembler.load_bits(flags, O_CREAT, created)
                })
            }
            Rule::SocketOptionUnless(levels) => {
                let mut other_level = assembler.refuse(Errno::PERM);
                for &(level, options) in levels {
                    let mut option = assembler.refuse(Errno::PERM);
                    for &allowed in options {
                        option = assembler.branch(Equal, allowed, next, option);
                    }
                    let option = assembler.load_argument(2, option);
                    other_level = assembler.branch(Equal, level, option, other_level);
                }
                assembler.load_argument(1, other_level)
            }
            Rule::Pretended(argument, value) => {
                let pretended = assembler.answer(DONE);
                let equal = assembler.branch(Equal, value, pretended, next);
                assembler.load_argument(argument, equal)
            }
            Rule::PretendedLimit(value) => {
                let pretended = assembler.answer(DONE);
                let refused = assembler.refuse(Errno::PERM);
                let set = branch_on_null(assembler, OLD_LIMIT, pretended, refused);
                let asked = branch_on_null(assembler, NEW_LIMIT, next, set);
                let equal = assembler.branch(Equal, value, asked, next);
                assembler.load_argument(1, equal)
            }
        };
        rules = before;
    }
    next
}

/// The arguments of `prlimit64` that point to the new limit and to the room for the old one.
const NEW_LIMIT: u8 = 2;
const OLD_LIMIT: u8 = 3;

/// Goes one way or the other by whether a pointer is null.
fn branch_on_null(
    assembler: &mut Assembler,
    argument: u8,
    null: Instruction,
    other: Instruction,
) -> Instruction {
    let upper = assembler.branch(Equal, 0, null, other);
    let upper = assembler.load_upper_half(argument, upper);
    let lower = assembler.branch(Equal, 0, upper, other);
    assembler.load_argument(argument, lower)
}

#[cfg(test)]
mod tests;
