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
    libc::SYS_io_uring_setup,
    libc::SYS_mq_open,
    libc::SYS_mq_unlink,
    libc::SYS_shmget,
    libc::SYS_msgget,
    libc::SYS_semget,
    // Other processes.
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_pidfd_getfd,
    libc::SYS_kcmp,
    libc::SYS_perf_event_open,
    // The kernel itself.
    libc::SYS_bpf,
    libc::SYS_userfaultfd,
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

/// The same number on every architecture.
const SYS_FCHMODAT2: i64 = 452;

/// Refused unless this argument, the process that is meant, is 0: the caller itself.
const FOR_ITSELF_ONLY: &[(i64, u8)] = &[
    (libc::SYS_prlimit64, 0),
    (libc::SYS_sched_setaffinity, 0),
    (libc::SYS_sched_setscheduler, 0),
    (libc::SYS_sched_setparam, 0),
    (libc::SYS_sched_setattr, 0),
    (libc::SYS_setpriority, 1),
    (libc::SYS_ioprio_set, 1),
];

/// The second numbering of system calls that some kernels of this architecture have.
#[cfg(target_arch = "x86_64")]
const SECOND_NUMBERING: Option<i64> = Some(0x4000_0000);
#[cfg(not(target_arch = "x86_64"))]
const SECOND_NUMBERING: Option<i64> = None;

/// The filter as the kernel takes it. What is refused fails with `EPERM`.
///
/// # Errors
///
/// On an architecture that the filter is not known for.
pub(super) fn program() -> Result<BpfProgram, BackendError> {
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> =
        REFUSED.iter().map(|&call| (call, Vec::new())).collect();
    for &(call, argument) in FOR_ITSELF_ONLY {
        let length = SeccompCmpArgLen::Dword;
        let of_others = SeccompCondition::new(argument, length, SeccompCmpOp::Ne, 0)?;
        rules.insert(call, vec![SeccompRule::new(vec![of_others])?]);
    }
    if let Some(offset) = SECOND_NUMBERING {
        let again: Vec<_> =
            rules.iter().map(|(call, rule)| (call | offset, rule.clone())).collect();
        rules.extend(again);
    }
    let refuse = SeccompAction::Errno(Errno::PERM.raw_os_error().unsigned_abs());
    let architecture = TargetArch::try_from(std::env::consts::ARCH)?;
    SeccompFilter::new(rules, SeccompAction::Allow, refuse, architecture)?.try_into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_filter_is_one_that_the_kernel_takes() {
        let program = program().unwrap();
        // The kernel's own bound.
        assert!(program.len() < 4096, "{}", program.len());
        let applied = std::thread::spawn(move || {
            seccompiler::apply_filter(&program).unwrap();
            // The thread lives on, and is refused what the filter says.
            let refused = std::net::UdpSocket::bind("127.0.0.1:0").unwrap_err();
            assert_eq!(refused.raw_os_error(), Some(Errno::PERM.raw_os_error()));
        });
        applied.join().unwrap();
    }
}
