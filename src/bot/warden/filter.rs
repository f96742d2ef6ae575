//! The system calls that a bot in the sandbox is refused: what Landlock does not hold.

use std::collections::BTreeMap;
use std::io;

use rustix::io::Errno;
use seccompiler::{BpfProgram, sock_filter};

/// What a refused call answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Refusal {
    /// That it is forbidden.
    Forbidden,
    /// That the file system, or the socket, cannot do it, which programs are prepared for.
    Unsupported,
    /// That the kernel does not know the call, which programs are prepared for.
    Unknown,
}
use Refusal::{Forbidden, Unknown, Unsupported};

/// Refused whatever the arguments are.
const REFUSED: &[i64] = &[
    // The network, and every other way of talking to programs outside; pairs of sockets are left.
    libc::SYS_socket,
    libc::SYS_connect,
    libc::SYS_bind,
    libc::SYS_listen,
    libc::SYS_io_uring_setup,
    libc::SYS_mq_open,
    libc::SYS_mq_unlink,
    libc::SYS_shmget,
    libc::SYS_shmat,
    libc::SYS_shmctl,
    libc::SYS_msgget,
    libc::SYS_msgsnd,
    libc::SYS_msgrcv,
    libc::SYS_msgctl,
    libc::SYS_semget,
    libc::SYS_semop,
    libc::SYS_semtimedop,
    libc::SYS_semctl,
    libc::SYS_inotify_add_watch,
    libc::SYS_fanotify_init,
    // Descriptors that are on their way, and so in nobody's count; no other way to send them is
    // left.
    libc::SYS_sendmsg,
    libc::SYS_sendmmsg,
    // Other processes; and sessions of its own, each of which would get as large a share of the
    // processor as the opponent.
    libc::SYS_setsid,
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_pidfd_getfd,
    libc::SYS_kcmp,
    libc::SYS_perf_event_open,
    // The kernel itself.
    libc::SYS_bpf,
    libc::SYS_userfaultfd,
    // Memory that is in no process's count.
    libc::SYS_memfd_create,
    libc::SYS_memfd_secret,
    libc::SYS_vmsplice,
    libc::SYS_io_setup,
    libc::SYS_keyctl,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_chroot,
    libc::SYS_pivot_root,
    libc::SYS_open_tree,
    libc::SYS_move_mount,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    SYS_OPEN_TREE_ATTR,
    SYS_STATMOUNT,
    SYS_LISTMOUNT,
    libc::SYS_name_to_handle_at,
    libc::SYS_open_by_handle_at,
    libc::SYS_quotactl,
    // Modes, owners, times and attributes of files, wherever they are.
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    SYS_FCHMODAT2,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_utimensat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    SYS_SETXATTRAT,
    SYS_REMOVEXATTRAT,
    SYS_FILE_SETATTR,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chmod,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chown,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_lchown,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utime,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utimes,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_futimesat,
];

/// What file systems need not support: attributes of files, and room that is taken without being
/// written, which no limit of a file's size holds.
const UNSUPPORTED: &[i64] = &[
    libc::SYS_getxattr,
    libc::SYS_lgetxattr,
    libc::SYS_fgetxattr,
    libc::SYS_listxattr,
    libc::SYS_llistxattr,
    libc::SYS_flistxattr,
    SYS_GETXATTRAT,
    SYS_LISTXATTRAT,
    libc::SYS_fallocate,
];

/// What these are asked for cannot be seen; without them programs fall back to `clone` and
/// `openat`.
const UNKNOWN: &[i64] = &[libc::SYS_clone3, libc::SYS_openat2];

// Newer than the libc crate's lists; the same numbers on every architecture.
const SYS_STATMOUNT: i64 = 457;
const SYS_LISTMOUNT: i64 = 458;
const SYS_GETXATTRAT: i64 = 464;
const SYS_LISTXATTRAT: i64 = 465;
const SYS_FCHMODAT2: i64 = 452;
const SYS_SETXATTRAT: i64 = 463;
const SYS_REMOVEXATTRAT: i64 = 466;
const SYS_OPEN_TREE_ATTR: i64 = 467;
const SYS_FILE_SETATTR: i64 = 469;

/// Refused where an argument is not this value: process number 0 is the caller itself.
const REFUSED_UNLESS: &[(i64, u8, u32)] = &[
    (libc::SYS_prlimit64, 0, 0),
    (libc::SYS_sched_setaffinity, 0, 0),
    (libc::SYS_sched_setscheduler, 0, 0),
    (libc::SYS_sched_setparam, 0, 0),
    (libc::SYS_sched_setattr, 0, 0),
    (libc::SYS_setpriority, 0, libc::PRIO_PROCESS),
    (libc::SYS_setpriority, 1, 0),
    (libc::SYS_ioprio_set, 0, IOPRIO_WHO_PROCESS),
    (libc::SYS_ioprio_set, 1, 0),
    (libc::SYS_socketpair, 0, libc::AF_UNIX.cast_unsigned()),
];

const IOPRIO_WHO_PROCESS: u32 = 1;

/// Refused where these bits of an argument are this value.
const REFUSED_WHERE: &[(i64, u8, u32, u32, Refusal)] = &[
    // Attributes of files that are open to be read, and leases on them.
    (libc::SYS_ioctl, 1, ALL, 0x4008_6602, Forbidden), // FS_IOC_SETFLAGS
    (libc::SYS_ioctl, 1, ALL, 0x4004_6602, Forbidden), // FS_IOC32_SETFLAGS
    (libc::SYS_ioctl, 1, ALL, 0x4008_7602, Forbidden), // FS_IOC_SETVERSION
    (libc::SYS_ioctl, 1, ALL, 0x4004_7602, Forbidden), // FS_IOC32_SETVERSION
    (libc::SYS_ioctl, 1, ALL, 0x401c_5820, Forbidden), // FS_IOC_FSSETXATTR
    (libc::SYS_ioctl, 1, ALL, 0x4080_6685, Forbidden), // FS_IOC_ENABLE_VERITY
    (libc::SYS_ioctl, 1, ALL, 0x800c_6613, Forbidden), // FS_IOC_SET_ENCRYPTION_POLICY
    (libc::SYS_fcntl, 1, ALL, 1024, Forbidden),        // F_SETLEASE
    // Typing into a terminal.
    (libc::SYS_ioctl, 1, ALL, 0x5412, Forbidden), // TIOCSTI
    // What there is to know of any process: PIDFD_GET_INFO, however long its answer is.
    (libc::SYS_ioctl, 1, 0xffff, 0xff0b, Forbidden),
    // Sockets that reach any other one by its path.
    (libc::SYS_socketpair, 1, SOCKET_TYPE, libc::SOCK_DGRAM.cast_unsigned(), Forbidden),
    (libc::SYS_socketpair, 1, SOCKET_TYPE, libc::SOCK_RAW.cast_unsigned(), Forbidden),
    // More memory behind a descriptor than it has to begin with.
    (libc::SYS_setsockopt, 2, ALL, libc::SO_SNDBUF.cast_unsigned(), Forbidden),
    (libc::SYS_setsockopt, 2, ALL, libc::SO_RCVBUF.cast_unsigned(), Forbidden),
    (libc::SYS_setsockopt, 2, ALL, libc::SO_SNDBUFFORCE.cast_unsigned(), Forbidden),
    (libc::SYS_setsockopt, 2, ALL, libc::SO_RCVBUFFORCE.cast_unsigned(), Forbidden),
    (libc::SYS_fcntl, 1, ALL, libc::F_SETPIPE_SZ.cast_unsigned(), Forbidden),
    // Hiding from the warden what it has open.
    (libc::SYS_prctl, 0, ALL, libc::PR_SET_DUMPABLE.cast_unsigned(), Forbidden),
    // Name spaces of its own users, who would have privileges there.
    (libc::SYS_clone, 0, NEW_USERS, NEW_USERS, Forbidden),
    // Files without a name, which no look into a folder finds.
    (libc::SYS_openat, 2, NAMELESS, NAMELESS, Unsupported),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_open, 1, NAMELESS, NAMELESS, Unsupported),
];

/// All bits of an argument of 32 bits.
const ALL: u32 = u32::MAX;

/// The bits of a socket's type without its flags.
const SOCKET_TYPE: u32 = 0xf;

/// The flag of `clone` for a name space of users.
const NEW_USERS: u32 = libc::CLONE_NEWUSER.cast_unsigned();

/// The flag of `open` for a file without a name; its other bit is that of any folder.
const NAMELESS: u32 = libc::O_TMPFILE.cast_unsigned() & !libc::O_DIRECTORY.cast_unsigned();

/// The architecture as the kernel tells it to a filter, where the lists are known to fit.
const ARCHITECTURE: Option<u32> = if cfg!(target_arch = "x86_64") {
    Some(0xc000_003e)
} else if cfg!(target_arch = "aarch64") {
    Some(0xc000_00b7)
} else if cfg!(target_arch = "riscv64") {
    Some(0xc000_00f3)
} else {
    None
};

/// The second numbering of system calls that some kernels of one architecture have begins here.
const SECOND_NUMBERING: Option<u32> =
    if cfg!(target_arch = "x86_64") { Some(0x4000_0000) } else { None };

/// When a call is refused, and how.
#[derive(Clone, Copy, Debug)]
enum Rule {
    Always(Refusal),
    /// Where the argument is not this value.
    Unless(u8, u32),
    /// Where these bits of the argument are this value.
    Where(u8, u32, u32, Refusal),
}

/// The filter as the kernel takes it. The kernel tries it with every call there is when a process
/// takes it on, so it finds a call by halves: as a list it took half a millisecond.
///
/// # Errors
///
/// On an architecture that the lists are not known for.
pub(super) fn program() -> io::Result<BpfProgram> {
    let architecture = ARCHITECTURE.ok_or(io::ErrorKind::Unsupported)?;
    let mut program = vec![load(4), jump_if_equal(architecture, 1, 0), KILL, load(0)];
    if let Some(first) = SECOND_NUMBERING {
        program.extend([jump_if_at_least(first, 0, 1), refuse(Unknown)]);
    }
    let rules: Vec<(u32, Vec<Rule>)> = rules().into_iter().collect();
    program.extend(search(&rules));
    Ok(program)
}

/// What there is against each call.
fn rules() -> BTreeMap<u32, Vec<Rule>> {
    let always = |calls: &'static [i64], refusal| {
        calls.iter().map(move |&call| (call, Rule::Always(refusal)))
    };
    let unless =
        REFUSED_UNLESS.iter().map(|&(call, argument, value)| (call, Rule::Unless(argument, value)));
    let wherever = REFUSED_WHERE.iter().map(|&(call, argument, bits, value, refusal)| {
        (call, Rule::Where(argument, bits, value, refusal))
    });
    let all = always(REFUSED, Forbidden)
        .chain(always(UNSUPPORTED, Unsupported))
        .chain(always(UNKNOWN, Unknown))
        .chain(unless)
        .chain(wherever);
    let mut rules: BTreeMap<u32, Vec<Rule>> = BTreeMap::new();
    for (call, rule) in all {
        rules.entry(u32::try_from(call).unwrap_or(u32::MAX)).or_default().push(rule);
    }
    rules
}

/// Finds the number that was loaded among these, and does what its rules say.
fn search(rules: &[(u32, Vec<Rule>)]) -> BpfProgram {
    match rules {
        [] => vec![ALLOW],
        [(call, rules)] => {
            let judged = judge(rules);
            let length = u8::try_from(judged.len()).expect("a call has few rules");
            let mut program = vec![jump_if_equal(*call, 0, length)];
            program.extend(judged);
            program.push(ALLOW);
            program
        }
        _ => {
            let (low, high) = rules.split_at(rules.len() / 2);
            let low = search(low);
            let mut program = vec![jump_if_at_least(high[0].0, 0, 1), jump(low.len())];
            program.extend(low);
            program.extend(search(high));
            program
        }
    }
}

fn judge(rules: &[Rule]) -> BpfProgram {
    let mut program = Vec::new();
    for &rule in rules {
        match rule {
            Rule::Always(refusal) => program.push(refuse(refusal)),
            Rule::Unless(argument, value) => program.extend([
                load_argument(argument),
                jump_if_equal(value, 1, 0),
                refuse(Forbidden),
            ]),
            Rule::Where(argument, bits, value, refusal) => program.extend([
                load_argument(argument),
                and(bits),
                jump_if_equal(value, 0, 1),
                refuse(refusal),
            ]),
        }
    }
    program.push(ALLOW);
    program
}

// Instructions, as linux/bpf_common.h and linux/seccomp.h have them.

const ALLOW: sock_filter = instruction(0x06, 0, 0, 0x7fff_0000);
const KILL: sock_filter = instruction(0x06, 0, 0, 0x8000_0000);

const fn instruction(code: u16, jt: u8, jf: u8, k: u32) -> sock_filter {
    sock_filter { code, jt, jf, k }
}

/// Loads the 32 bits that lie there in the kernel's description of a call.
const fn load(offset: u32) -> sock_filter {
    instruction(0x20, 0, 0, offset)
}

/// Loads the lower half of an argument: all architectures here have it first.
fn load_argument(argument: u8) -> sock_filter {
    load(16 + 8 * u32::from(argument))
}

const fn and(bits: u32) -> sock_filter {
    instruction(0x54, 0, 0, bits)
}

const fn jump_if_equal(value: u32, jt: u8, jf: u8) -> sock_filter {
    instruction(0x15, jt, jf, value)
}

const fn jump_if_at_least(value: u32, jt: u8, jf: u8) -> sock_filter {
    instruction(0x35, jt, jf, value)
}

fn jump(over: usize) -> sock_filter {
    instruction(0x05, 0, 0, u32::try_from(over).expect("a filter has at most 4096 instructions"))
}

fn refuse(refusal: Refusal) -> sock_filter {
    let error = match refusal {
        Forbidden => Errno::PERM,
        Unsupported => Errno::OPNOTSUPP,
        Unknown => Errno::NOSYS,
    };
    instruction(0x06, 0, 0, 0x0005_0000 | error.raw_os_error().unsigned_abs())
}

#[cfg(test)]
mod tests {
    use super::*;

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
                0x20 if k == 4 => loaded = ARCHITECTURE.unwrap(),
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
        let program = program().unwrap();
        // The kernel's own bound.
        assert!(program.len() < 4096);
        let refused = |call, arguments| answer(&program, call, arguments) != ALLOW.k;
        let error = |call| answer(&program, call, [0; 6]) & 0xffff;
        for &call in REFUSED {
            assert_eq!(error(call), 1, "{call}");
        }
        for &call in UNSUPPORTED {
            assert_eq!(error(call), 95, "{call}");
        }
        for &call in UNKNOWN {
            assert_eq!(error(call), 38, "{call}");
        }
        let known = rules();
        for call in (0..600).filter(|call| !known.contains_key(call)) {
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
        assert!(!refused(libc::SYS_openat, [0; 6]));
        assert!(!refused(libc::SYS_socketpair, [1, 1, 0, 0, 0, 0]));
        assert!(SECOND_NUMBERING.is_none_or(|first| refused(i64::from(first), [0; 6])));
    }

    #[test]
    fn the_filter_is_one_that_the_kernel_takes() {
        let program = program().unwrap();
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
