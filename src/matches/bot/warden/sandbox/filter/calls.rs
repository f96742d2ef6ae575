//! The system calls that a bot in the sandbox is refused, and how: tables, and nothing else.

use rustix::io::Errno;

use super::sockets::SOCKET_TYPE;

/// What is refused whatever its arguments are, and with which error.
pub(super) const ALWAYS: [(&[i64], Errno); 4] = [
    (REFUSED, Errno::PERM),
    (UNSUPPORTED, Errno::OPNOTSUPP),
    (UNFIT, Errno::INVAL),
    (UNKNOWN, Errno::NOSYS),
];

/// The first number that no kernel had when these lists were made: from here on there is nothing.
///
/// Of the last numbers, from 424 on, what the lists leave takes no memory that is in no count: signals,
/// which Landlock or the namespace holds; handles of processes; waiting for descriptors and futexes;
/// advice on memory of its own; and questions about modes, cached pages and security modules.
pub(super) const NEWER: u32 = 470;

/// What Landlock does not hold before Linux 6.2, its third version: that a file is emptied. That one
/// is opened to be read, and emptied, was never a matter of its own.
pub(super) const BEFORE_TRUNCATE: &[(i64, u8, u32, u32, Errno)] = &[
    (libc::SYS_truncate, 0, 0, 0, Errno::PERM),
    (libc::SYS_openat, 2, EMPTIED, libc::O_TRUNC.cast_unsigned(), Errno::PERM),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_open, 1, EMPTIED, libc::O_TRUNC.cast_unsigned(), Errno::PERM),
];

/// What it does not hold before Linux 6.10, its fifth: devices that are opened for neither reading
/// nor writing, so that they can be asked to do something; and files, which that may empty, too.
pub(super) const BEFORE_DEVICES: &[(i64, u8, u32, u32, Errno)] = &[
    (libc::SYS_openat, 2, ACCESS, ACCESS, Errno::PERM),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_open, 1, ACCESS, ACCESS, Errno::PERM),
];

/// The flags of `open` that say how a file is used.
const ACCESS: u32 = libc::O_ACCMODE.cast_unsigned();
const EMPTIED: u32 = ACCESS | libc::O_TRUNC.cast_unsigned();

/// What is forbidden.
pub(super) const REFUSED: &[i64] = &[
    // Every other way of talking to programs outside.
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
    // A user has few lists of watches, and to watch is no use here.
    #[cfg(target_arch = "x86_64")]
    libc::SYS_inotify_init,
    libc::SYS_inotify_init1,
    libc::SYS_inotify_add_watch,
    libc::SYS_fanotify_init,
    // Descriptors in transit count for no process; this is the only way to send them.
    libc::SYS_sendmsg,
    libc::SYS_sendmmsg,
    // Other processes; and sessions of its own, each of which would get as large a share of the
    // processor as the opponent.
    libc::SYS_setsid,
    // Another class, or shorter slices, by which it would go before its opponent.
    libc::SYS_sched_setattr,
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_pidfd_getfd,
    libc::SYS_kcmp,
    libc::SYS_perf_event_open,
    // The kernel itself, and its messages, which may name processes and addresses of anybody's.
    libc::SYS_bpf,
    libc::SYS_syslog,
    libc::SYS_userfaultfd,
    // Memory that is in no process's count.
    libc::SYS_memfd_create,
    libc::SYS_memfd_secret,
    libc::SYS_vmsplice,
    libc::SYS_io_setup,
    libc::SYS_mbind,
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
    SYS_LSM_SET_SELF_ATTR,
    libc::SYS_name_to_handle_at,
    libc::SYS_open_by_handle_at,
    libc::SYS_quotactl,
    libc::SYS_quotactl_fd,
    // Owners, attributes and, by their old calls, times of files, wherever they are.
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    SYS_SETXATTRAT,
    SYS_REMOVEXATTRAT,
    SYS_FILE_SETATTR,
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

/// Modes and times of files, wherever they are: refused, or for builds handed to the warden.
pub(crate) const CHANGES: &[i64] = &[
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    SYS_FCHMODAT2,
    libc::SYS_utimensat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chmod,
];

/// What makes files, with its arguments for their modes and, if a file is made with one flag only, for
/// the flags: without that flag the mode is whatever was there.
pub(super) const MAKING_FILES: &[(i64, u8, Option<u8>)] = &[
    (libc::SYS_openat, 3, Some(2)),
    (libc::SYS_mknodat, 2, None),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_open, 2, Some(1)),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_creat, 1, None),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_mknod, 1, None),
];

pub(super) const O_CREAT: u32 = libc::O_CREAT.cast_unsigned();

/// The bits of a mode that give a program the rights of its file's owner or group.
pub(crate) const SET_ID: u32 = libc::S_ISUID | libc::S_ISGID;

/// What file systems need not support: attributes of files, and room that is taken without being
/// written, which no limit of a file's size holds.
pub(super) const UNSUPPORTED: &[i64] = &[
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    libc::SYS_getxattr,
    libc::SYS_lgetxattr,
    libc::SYS_fgetxattr,
    libc::SYS_listxattr,
    libc::SYS_llistxattr,
    libc::SYS_flistxattr,
    SYS_GETXATTRAT,
    SYS_LISTXATTRAT,
    SYS_FILE_GETATTR,
    libc::SYS_fallocate,
];

/// What moves pages of files into pipes and sockets, where one byte may keep two MiB: as where files
/// are not fit for it, so that programs read and write instead.
pub(super) const UNFIT: &[i64] = &[libc::SYS_splice, libc::SYS_tee, libc::SYS_sendfile];

/// What programs can do without.
pub(super) const UNKNOWN: &[i64] = &[
    // What these are asked for cannot be seen; programs fall back to `clone` and `openat`.
    libc::SYS_clone3,
    libc::SYS_openat2,
    // Rules and filters of its own take memory of the kernel, and rules keep files without a name.
    libc::SYS_landlock_create_ruleset,
    libc::SYS_landlock_add_rule,
    libc::SYS_landlock_restrict_self,
    libc::SYS_seccomp,
    // Other memory of the kernel, and another way to mapped memory.
    #[cfg(target_arch = "x86_64")]
    libc::SYS_modify_ldt,
    libc::SYS_remap_file_pages,
];

// Newer than the libc crate's lists; the same numbers on every architecture.
const SYS_STATMOUNT: i64 = 457;
const SYS_LISTMOUNT: i64 = 458;
const SYS_LSM_SET_SELF_ATTR: i64 = 460;
const SYS_GETXATTRAT: i64 = 464;
const SYS_LISTXATTRAT: i64 = 465;
pub(crate) const SYS_FCHMODAT2: i64 = 452;
const SYS_SETXATTRAT: i64 = 463;
const SYS_REMOVEXATTRAT: i64 = 466;
const SYS_OPEN_TREE_ATTR: i64 = 467;
const SYS_FILE_GETATTR: i64 = 468;
const SYS_FILE_SETATTR: i64 = 469;

/// Refused where an argument is not this value: process number 0 is the caller itself.
pub(super) const REFUSED_UNLESS: &[(i64, u8, u32)] = &[
    (libc::SYS_prlimit64, 0, 0),
    (libc::SYS_sched_setscheduler, 0, 0),
    (libc::SYS_sched_setscheduler, 1, SCHED_OTHER),
    (libc::SYS_sched_setparam, 0, 0),
    (libc::SYS_setpriority, 0, libc::PRIO_PROCESS),
    (libc::SYS_setpriority, 1, 0),
    (libc::SYS_ioprio_set, 0, IOPRIO_WHO_PROCESS),
    (libc::SYS_ioprio_set, 1, 0),
    (libc::SYS_socketpair, 0, libc::AF_UNIX.cast_unsigned()),
];

const SCHED_OTHER: u32 = libc::SCHED_OTHER.cast_unsigned();
const IOPRIO_WHO_PROCESS: u32 = 1;

/// Refused where these bits of an argument are this value.
pub(super) const REFUSED_WHERE: &[(i64, u8, u32, u32, Errno)] = &[
    // Leases on files that are open to be read, and watches of folders.
    (libc::SYS_fcntl, 1, ALL, 1024, Errno::PERM), // F_SETLEASE
    (libc::SYS_fcntl, 1, ALL, 1026, Errno::PERM), // F_NOTIFY
    (libc::SYS_fcntl, 1, ALL, 1040, Errno::PERM), // F_SETDELEG
    // Whom the kernel signals for a descriptor, and by which signal. Where Landlock forgets who asked
    // (Linux 6.12 to 6.15), that could kill the warden.
    (libc::SYS_fcntl, 1, ALL, libc::F_SETOWN.cast_unsigned(), Errno::PERM),
    (libc::SYS_fcntl, 1, ALL, 10, Errno::PERM), // F_SETSIG
    (libc::SYS_fcntl, 1, ALL, 15, Errno::PERM), // F_SETOWN_EX
    // A cookie that keeps all others from the core that it runs on: PR_SCHED_CORE.
    (libc::SYS_prctl, 0, ALL, 62, Errno::PERM),
    // Sockets that reach any other one by its path.
    (libc::SYS_socketpair, 1, SOCKET_TYPE, libc::SOCK_DGRAM.cast_unsigned(), Errno::PERM),
    (libc::SYS_socketpair, 1, SOCKET_TYPE, libc::SOCK_RAW.cast_unsigned(), Errno::PERM),
    // More memory behind a descriptor than it has to begin with.
    (libc::SYS_fcntl, 1, ALL, libc::F_SETPIPE_SZ.cast_unsigned(), Errno::PERM),
    // Names for memory: shared memory is known by the name that the kernel gives it. Refused as by a
    // kernel without such names: PR_SET_VMA.
    (libc::SYS_prctl, 0, ALL, 0x5356_4d41, Errno::INVAL),
    // What came after Linux 5.19, where a table for futexes may take any memory of the kernel.
    (libc::SYS_prctl, 0, !(NEWER_OPTION - 1), NEWER_OPTION, Errno::INVAL),
    // Filters of its own.
    (libc::SYS_prctl, 0, ALL, libc::PR_SET_SECCOMP.cast_unsigned(), Errno::INVAL),
    // Threads with descriptors or a folder of their own, which no look at their process finds.
    (libc::SYS_clone, 0, SAME_FILES, libc::CLONE_THREAD.cast_unsigned(), Errno::INVAL),
    (libc::SYS_clone, 0, SAME_FOLDER, libc::CLONE_THREAD.cast_unsigned(), Errno::INVAL),
    (libc::SYS_close_range, 2, CLOSE_UNSHARED, CLOSE_UNSHARED, Errno::INVAL),
    // Timers by the clocks of other processes, whose time they take. Its own has another number.
    (libc::SYS_clock_nanosleep, 0, PROCESS_CLOCK, NEGATIVE, Errno::INVAL),
    (libc::SYS_timer_create, 0, PROCESS_CLOCK, NEGATIVE, Errno::INVAL),
    // A better priority than the usual one. One lower than that it cannot take back.
    (libc::SYS_setpriority, 2, NEGATIVE, NEGATIVE, Errno::PERM),
    // Any class for its use of disks but the lowest: another may be better than its worker's.
    (libc::SYS_ioprio_set, 2, IO_CLASS, 0, Errno::PERM), // by its priority
    (libc::SYS_ioprio_set, 2, IO_CLASS, 1 << 13, Errno::PERM), // real time
    (libc::SYS_ioprio_set, 2, IO_CLASS, 2 << 13, Errno::PERM), // best effort
    // Hiding from the warden what it has open.
    (libc::SYS_prctl, 0, ALL, libc::PR_SET_DUMPABLE.cast_unsigned(), Errno::PERM),
    // Namespaces of its own users, who would have privileges there.
    (libc::SYS_clone, 0, NEW_USERS, NEW_USERS, Errno::PERM),
    // Files without a name, which no look into a folder finds.
    (libc::SYS_openat, 2, NAMELESS, NAMELESS, Errno::OPNOTSUPP),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_open, 1, NAMELESS, NAMELESS, Errno::OPNOTSUPP),
];

/// The requests of `ioctl` that pipes, sockets and files answer and programs need. All others get the
/// error of a descriptor that is no terminal, as most would anyway. Each file system has requests of
/// its own, and some reserve space that no limit of a file's size holds.
pub(super) const IOCTLS: &[u32] = &[
    0x541b, // FIONREAD
    0x5421, // FIONBIO
    0x5450, // FIONCLEX
    0x5451, // FIOCLEX
    0x5452, // FIOASYNC
];

/// The limit that keeps the kernel from starting what takes cores, but only as long as it is 1.
/// The calls that would set it do nothing and report success: sanitizers set it to 0 and end where
/// they cannot.
pub(super) const CORE_LIMIT: u32 = 4;

/// The option of `prctl` by which a bot ends with its warden: `PR_SET_PDEATHSIG`. To set it does
/// nothing and reports success: the warden ends the bot's own children anyway.
pub(super) const DEATH_SIGNAL: u32 = libc::PR_SET_PDEATHSIG.cast_unsigned();

/// The bits of a priority that are its class.
const IO_CLASS: u32 = 7 << 13;

/// The bit of a number below 0.
const NEGATIVE: u32 = 1 << 31;

/// All bits of an argument of 32 bits.
pub(super) const ALL: u32 = u32::MAX;

/// The flag of `clone` for a namespace of users.
const NEW_USERS: u32 = libc::CLONE_NEWUSER.cast_unsigned();

/// The options of `prctl` from here to its double.
const NEWER_OPTION: u32 = 64;

/// The flags of `clone` for a thread, and for one with the descriptors of its process.
const SAME_FILES: u32 = (libc::CLONE_THREAD | libc::CLONE_FILES).cast_unsigned();

/// The same for one with the working directory of its process.
const SAME_FOLDER: u32 = (libc::CLONE_THREAD | libc::CLONE_FS).cast_unsigned();

/// The bits of a clock's number that tell one of a process: below 0, and not of a thread.
const PROCESS_CLOCK: u32 = NEGATIVE | 4;

/// The flag of `close_range` that gives a thread descriptors of its own.
const CLOSE_UNSHARED: u32 = libc::CLOSE_RANGE_UNSHARE;

/// The flag of `open` for a file without a name; its other bit is that of any folder.
const NAMELESS: u32 = libc::O_TMPFILE.cast_unsigned() & !libc::O_DIRECTORY.cast_unsigned();
