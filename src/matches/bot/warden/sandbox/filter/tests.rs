use seccompiler::sock_filter;

use super::*;
use crate::bot::testing::left_out;

fn plain() -> Sandbox {
    Sandbox::default()
}

fn halves(argument: u64) -> [u32; 2] {
    [argument & 0xffff_ffff, argument >> 32].map(|half| u32::try_from(half).unwrap())
}

/// What a filter answers, as the kernel would run it.
fn answer(program: &BpfProgram, call: i64, arguments: [u64; 6]) -> u32 {
    let mut loaded = 0;
    let mut at = 0;
    loop {
        let sock_filter { code, jt, jf, k } = program[at];
        at += 1;
        let skip = |condition| usize::from(if condition { jt } else { jf });
        match code {
            0x20 if k == 0 => loaded = u32::try_from(call).unwrap(),
            0x20 if k == 4 => loaded = architecture().unwrap(),
            0x20 => {
                let [lower, upper] = halves(arguments[(k as usize - 16) / 8]);
                loaded = if k.is_multiple_of(8) { lower } else { upper };
            }
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
        assert!(!refused(i64::from(call), [u64::MAX; 6]), "{call}");
    }
    for &(call, argument, value) in REFUSED_UNLESS {
        let mut arguments = [0; 6];
        arguments[usize::from(argument)] = u64::from(value + 1);
        assert!(refused(call, arguments), "{call}");
    }
    for &(call, argument, bits, value, _) in REFUSED_WHERE {
        let mut arguments = [0; 6];
        arguments[usize::from(argument)] = u64::from(value | !bits);
        assert!(refused(call, arguments), "{call}");
    }
    for request in [0x4030_5828, 0x4030_582a, 0x4030_5839, 0x5000_940e, 0x4008_6602, 0x5412, 0] {
        assert_eq!(answer(&program, libc::SYS_ioctl, [0, request, 0, 0, 0, 0]) & 0xffff, 25);
    }
    for &request in IOCTLS {
        assert!(!refused(libc::SYS_ioctl, [0, u64::from(request), 0, 0, 0, 0]), "{request:#x}");
    }
    for level in 0..300 {
        let allowed = SOCKET_OPTIONS.iter().find(|(allowed, _)| *allowed == level);
        for option in 0..300 {
            let arguments = [0, u64::from(level), u64::from(option), 0, 0, 0];
            let is_allowed = allowed.is_some_and(|(_, options)| options.contains(&option));
            assert_eq!(refused(libc::SYS_setsockopt, arguments), !is_allowed, "{level} {option}");
        }
    }
    assert!(!refused(libc::SYS_openat, [0; 6]));
    assert!(!refused(libc::SYS_socketpair, [1, 1, 0, 0, 0, 0]));
    for newer in [NEWER, NEWER + 1, 0x4000_0000, u32::MAX] {
        assert_eq!(error(i64::from(newer)), 38, "{newer}");
    }
}

/// What a file is made with, the kernel keeps until it is written, and a build may ask for its mode
/// again in between.
#[test]
fn no_file_is_made_that_has_the_rights_of_its_owner_or_group() {
    for builds in [false, true] {
        let program = program(ABI::V6, &Sandbox { builds, ..plain() }).unwrap();
        for &(call, mode, flags) in MAKING_FILES {
            let is_refused = |bits: u32, flag: u32| {
                let mut arguments = [0; 6];
                arguments[usize::from(mode)] = u64::from(bits);
                if let Some(flags) = flags {
                    arguments[usize::from(flags)] = u64::from(flag | 1);
                }
                answer(&program, call, arguments) != ALLOW
            };
            for bits in [0o4755, 0o2755, 0o6000, 0o7777] {
                assert!(is_refused(bits, O_CREAT), "{call} {bits:o}");
                // Without O_CREAT the mode may be anything.
                assert_eq!(is_refused(bits, 0), flags.is_none(), "{call} {bits:o}");
            }
            assert!(!is_refused(0o1777, O_CREAT), "{call}");
        }
    }
}

#[test]
fn a_limit_of_core_files_is_set_for_show() {
    let program = program(ABI::V6, &plain()).unwrap();
    let limit = u64::from(CORE_LIMIT);
    let prlimit =
        |limit, new, old| answer(&program, libc::SYS_prlimit64, [0, limit, new, old, 0, 0]);
    // A pointer is one by either half.
    for pointer in [7, 1 << 32] {
        assert_eq!(prlimit(limit, 0, pointer), ALLOW);
        assert_eq!(prlimit(limit, pointer, 0), DONE);
        assert_eq!(prlimit(limit, pointer, pointer), refusal(Errno::PERM));
        assert_eq!(prlimit(limit + 1, pointer, pointer), ALLOW);
    }
    assert_eq!(prlimit(limit, 0, 0), ALLOW);
    let setrlimit = |limit| answer(&program, libc::SYS_setrlimit, [limit, 7, 0, 0, 0, 0]);
    assert_eq!((setrlimit(limit), setrlimit(limit + 1)), (DONE, ALLOW));
}

#[test]
fn what_older_versions_of_landlock_allow_is_refused() {
    let refused = |landlock, call, arguments| {
        answer(&program(landlock, &plain()).unwrap(), call, arguments) != ALLOW
    };
    let truncate = |landlock| refused(landlock, libc::SYS_truncate, [0; 6]);
    assert!(truncate(ABI::V2) && !truncate(ABI::V3));
    let flags = |landlock, flags: i32| {
        refused(landlock, libc::SYS_openat, [0, 0, u64::from(flags.cast_unsigned()), 0, 0, 0])
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
    let socket_for = |family: i32, kind: i32, protocol: i32| {
        let [a, b, c] = [family, kind, protocol].map(|it| u64::from(it.cast_unsigned()));
        answer(&program, libc::SYS_socket, [a, b, c, 0, 0, 0]) == ALLOW
    };
    let socket = |family, kind| socket_for(family, kind, 0);
    for protocol in 0..300 {
        let is_tcp = [0, libc::IPPROTO_TCP].contains(&protocol);
        assert_eq!(socket_for(libc::AF_INET, libc::SOCK_STREAM, protocol), is_tcp, "{protocol}");
    }
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
            // All tests of the sandbox need it.
            return left_out(&format!("the filter at work: {error}"));
        }
        // The thread lives on, and is refused what the filter says.
        let refused = std::net::UdpSocket::bind("127.0.0.1:0").unwrap_err();
        assert_eq!(refused.raw_os_error(), Some(Errno::PERM.raw_os_error()));
        // It can start another one all the same.
        std::thread::spawn(|| ()).join().unwrap();
    });
    applied.join().unwrap();
}
