//! The system calls that a bot in the sandbox is refused: what Landlock does not hold.

use std::collections::BTreeMap;

use rustix::io::Errno;
use seccompiler::{
    BackendError, BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition,
    SeccompFilter, SeccompRule, TargetArch,
};

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

// Newer than the libc crate's lists; the same numbers on every architecture.
const SYS_FCHMODAT2: i64 = 452;
const SYS_SETXATTRAT: i64 = 463;
const SYS_REMOVEXATTRAT: i64 = 466;
const SYS_OPEN_TREE_ATTR: i64 = 467;
const SYS_FILE_SETATTR: i64 = 469;

/// Refused where an argument is not this value: process number 0 is the caller itself.
const REFUSED_UNLESS: &[(i64, u8, u64)] = &[
    (libc::SYS_prlimit64, 0, 0),
    (libc::SYS_sched_setaffinity, 0, 0),
    (libc::SYS_sched_setscheduler, 0, 0),
    (libc::SYS_sched_setparam, 0, 0),
    (libc::SYS_sched_setattr, 0, 0),
    (libc::SYS_setpriority, 0, libc::PRIO_PROCESS as u64),
    (libc::SYS_setpriority, 1, 0),
    (libc::SYS_ioprio_set, 0, IOPRIO_WHO_PROCESS),
    (libc::SYS_ioprio_set, 1, 0),
    (libc::SYS_socketpair, 0, libc::AF_UNIX as u64),
];

const IOPRIO_WHO_PROCESS: u64 = 1;

/// Refused where these bits of an argument are this value: attributes of files that are open to be
/// read, leases on them, typing into a terminal, sockets that reach any other one by its path, and
/// name spaces of its own users, who would have privileges there.
const REFUSED_WHERE: &[(i64, u8, u64, u64)] = &[
    (libc::SYS_ioctl, 1, ALL, 0x4008_6602), // FS_IOC_SETFLAGS
    (libc::SYS_ioctl, 1, ALL, 0x4004_6602), // FS_IOC32_SETFLAGS
    (libc::SYS_ioctl, 1, ALL, 0x4008_7602), // FS_IOC_SETVERSION
    (libc::SYS_ioctl, 1, ALL, 0x4004_7602), // FS_IOC32_SETVERSION
    (libc::SYS_ioctl, 1, ALL, 0x401c_5820), // FS_IOC_FSSETXATTR
    (libc::SYS_ioctl, 1, ALL, 0x4080_6685), // FS_IOC_ENABLE_VERITY
    (libc::SYS_ioctl, 1, ALL, 0x800c_6613), // FS_IOC_SET_ENCRYPTION_POLICY
    (libc::SYS_ioctl, 1, ALL, 0x5412),      // TIOCSTI
    (libc::SYS_fcntl, 1, ALL, 1024),        // F_SETLEASE
    (libc::SYS_socketpair, 1, SOCKET_TYPE, libc::SOCK_DGRAM as u64),
    (libc::SYS_socketpair, 1, SOCKET_TYPE, libc::SOCK_RAW as u64),
    (libc::SYS_clone, 0, NEW_USERS, NEW_USERS),
];

/// All bits of an argument of 32 bits.
const ALL: u64 = 0xffff_ffff;

/// The bits of a socket's type without its flags.
const SOCKET_TYPE: u64 = 0xf;

/// The flag of `clone` for a name space of users.
const NEW_USERS: u64 = libc::CLONE_NEWUSER as u64;

/// The second numbering of system calls that some kernels of this architecture have.
#[cfg(target_arch = "x86_64")]
const SECOND_NUMBERING: Option<i64> = Some(0x4000_0000);
#[cfg(not(target_arch = "x86_64"))]
const SECOND_NUMBERING: Option<i64> = None;

/// The filters as the kernel takes them; both are to be applied. What is refused fails with
/// `EPERM`, what is to look as if it were not there with `ENOSYS`.
///
/// # Errors
///
/// On an architecture that the filter is not known for.
pub(super) fn programs() -> Result<[BpfProgram; 2], BackendError> {
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> =
        REFUSED.iter().map(|&call| (call, Vec::new())).collect();
    let length = SeccompCmpArgLen::Dword;
    let unless = REFUSED_UNLESS
        .iter()
        .map(|&(call, argument, value)| (call, argument, SeccompCmpOp::Ne, value));
    let wherever = REFUSED_WHERE.iter().map(|&(call, argument, bits, value)| {
        (call, argument, SeccompCmpOp::MaskedEq(bits), value)
    });
    for (call, argument, comparison, value) in unless.chain(wherever) {
        let condition = SeccompCondition::new(argument, length.clone(), comparison, value)?;
        rules.entry(call).or_default().push(SeccompRule::new(vec![condition])?);
    }
    if let Some(offset) = SECOND_NUMBERING {
        let again: Vec<_> =
            rules.iter().map(|(call, rule)| (call | offset, rule.clone())).collect();
        rules.extend(again);
    }
    // What `clone3` is asked for cannot be seen; without it programs fall back to `clone`.
    let unknown = BTreeMap::from([(libc::SYS_clone3, Vec::new())]);
    Ok([compiled(rules, Errno::PERM)?, compiled(unknown, Errno::NOSYS)?])
}

/// A filter that answers these calls with this error.
fn compiled(
    rules: BTreeMap<i64, Vec<SeccompRule>>,
    error: Errno,
) -> Result<BpfProgram, BackendError> {
    let refuse = SeccompAction::Errno(error.raw_os_error().unsigned_abs());
    let architecture = TargetArch::try_from(std::env::consts::ARCH)?;
    SeccompFilter::new(rules, SeccompAction::Allow, refuse, architecture)?.try_into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_filters_are_ones_that_the_kernel_takes() {
        let programs = programs().unwrap();
        // The kernel's own bound.
        assert!(programs.iter().all(|program| program.len() < 4096));
        let applied = std::thread::spawn(move || {
            for program in &programs {
                if let Err(error) = seccompiler::apply_filter(program) {
                    return println!("left out: the filters at work: {error}");
                }
            }
            // The thread lives on, and is refused what the filters say.
            let refused = std::net::UdpSocket::bind("127.0.0.1:0").unwrap_err();
            assert_eq!(refused.raw_os_error(), Some(Errno::PERM.raw_os_error()));
            // It can start another one all the same.
            std::thread::spawn(|| ()).join().unwrap();
        });
        applied.join().unwrap();
    }
}
