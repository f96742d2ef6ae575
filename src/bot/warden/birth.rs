//! The limit of a bot's processes that holds where they are born: the kernel refuses the next one.
//! Looks at what a bot has come too late for one that does nothing but start processes.
//!
//! What a kernel, or this user, lacks is found here, and the next best is used instead.

use std::fs;
use std::io;
use std::os::fd::BorrowedFd;
use std::rc::Rc;

use rustix::process::{Resource, Rlimit, setrlimit};

use super::before_exec;
use super::group::{GroupClock, Groups, Purpose, Versions};
use super::user_map::UserMap;

/// Set by tests to do without: `second` makes control groups of the second version alone,
/// `namespace` none, `none` no name space either.
pub(in crate::bot) const WITHOUT: &str = "MANCALA_PROCESS_LIMIT";

/// The processes beyond the limit that a bot can still start. A look that sees one of them ends the
/// bot, and names the limit.
const BEYOND: u32 = 8;

/// What holds a bot to the number of its processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ProcessLimit {
    /// A control group for each warden.
    Group,
    /// The limit of its user in a name space of its own, in which it is the only one.
    Namespace,
    /// Nothing in the kernel: a bot that starts many is stopped and counted.
    Looks,
}

impl ProcessLimit {
    /// What holds the bots that are started here.
    pub(crate) fn of_bots(limit: Option<u32>, in_sandbox: bool) -> ProcessLimit {
        Births::prepare(limit, in_sandbox, false).kind()
    }
}

/// The limit on births as a warden has it ready for its bots.
#[derive(Debug, Default)]
pub(super) struct Births {
    groups: Groups,
    user: Option<NewUser>,
}

impl Births {
    /// The best that there is here for at most `limit` processes and threads. In the sandbox, where no
    /// bot can leave its control group, that also `counts_time` if it is to.
    pub(super) fn prepare(limit: Option<u32>, in_sandbox: bool, counts_time: bool) -> Births {
        let without = std::env::var(WITHOUT).unwrap_or_default();
        let most = limit.map(|limit| limit.saturating_add(BEYOND));
        let purpose = Purpose { most, counts_time: counts_time && in_sandbox };
        let first = without.is_empty();
        let with_groups = |second| {
            let groups = Groups::make(purpose, Versions { first, second });
            Births { groups, user: None }
        };
        let mut births = with_groups(first || without == "second");
        if births.birthplace().is_some() && !before_exec::can_be_limited(&births) {
            births = with_groups(false);
        }
        // A setuid program, which a bot outside the sandbox may be, does not work in a name space.
        if !births.groups.limits() && in_sandbox && without != "none" {
            births.user = most.and_then(NewUser::new);
            if births.user.is_some() && !before_exec::can_be_limited(&births) {
                births.user = None;
            }
        }
        births
    }

    /// Has this process, which is to become a bot, and all that it starts be limited. Only system
    /// calls on prepared values: it runs before `exec`.
    pub(super) fn take_on(&self) -> io::Result<()> {
        self.groups.enter()?;
        self.user.as_ref().map_or(Ok(()), NewUser::take_on)
    }

    /// The control group that bots are born in, if any.
    pub(super) fn birthplace(&self) -> Option<BorrowedFd<'_>> {
        self.groups.birthplace()
    }

    /// What counts the processor time of bots, where it can be counted where they are born.
    pub(super) fn clock(&self) -> Option<Rc<GroupClock>> {
        self.groups.clock()
    }

    /// How many processes the kernel has refused to the warden's bots, where it counts them.
    pub(super) fn refused(&self) -> u64 {
        self.groups.refused()
    }

    /// Whether it does anything when a bot is born.
    pub(super) const fn is_nothing(&self) -> bool {
        self.groups.is_empty() && self.user.is_none()
    }

    pub(super) const fn kind(&self) -> ProcessLimit {
        match self.user {
            _ if self.groups.limits() => ProcessLimit::Group,
            Some(_) => ProcessLimit::Namespace,
            None => ProcessLimit::Looks,
        }
    }
}

/// A name space in which the user is the same, and counts from the beginning.
#[derive(Debug)]
pub(super) struct NewUser {
    map: UserMap,
    most: u64,
}

impl NewUser {
    /// `None` where such a limit does not hold: for the superuser, or on Linux before 5.14, which
    /// counts processes of a user in all name spaces together.
    fn new(most: u32) -> Option<NewUser> {
        if rustix::process::geteuid().is_root() || !kernel_is_at_least(5, 14) {
            return None;
        }
        Some(NewUser { map: UserMap::same().ok()?, most: most.into() })
    }

    /// Has the process that was just cloned into the new name space be the user it was, and limits
    /// its processes.
    fn take_on(&self) -> io::Result<()> {
        self.map.take_on()?;
        let most = Some(self.most);
        Ok(setrlimit(Resource::Nproc, Rlimit { current: most, maximum: most })?)
    }
}

fn kernel_is_at_least(major: u32, minor: u32) -> bool {
    let release = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    let mut numbers = release.split(|c: char| !c.is_ascii_digit()).map(str::parse::<u32>);
    let version = (numbers.next().and_then(Result::ok), numbers.next().and_then(Result::ok));
    version >= (Some(major), Some(minor))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_are_compared_by_their_numbers() {
        assert!(kernel_is_at_least(2, 100));
        assert!(!kernel_is_at_least(1000, 0));
    }

    #[test]
    fn without_a_limit_nothing_is_made() {
        assert_eq!(Births::prepare(None, true, false).kind(), ProcessLimit::Looks);
    }
}
