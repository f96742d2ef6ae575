//! The limit of a bot's processes that holds where they are born: the kernel refuses the next one.
//! Looks at what a bot has come too late for one that does nothing but start processes.
//!
//! What a kernel, or this user, lacks is found here, and the next best is used instead.

use std::fs;
use std::io;
use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};
use std::rc::Rc;

use rustix::process::{Resource, geteuid};
use rustix::thread::{LinkNameSpaceType, move_into_link_name_space};

use super::before_exec;
use super::control_group::{GroupClock, Groups, Purpose, Versions};
use crate::bot::system;

/// Set by tests to do without: `second` makes control groups of the second version alone,
/// `namespace` none, `none` no name space either.
pub(in crate::bot) const WITHOUT: &str = "MANCALA_PROCESS_LIMIT";

/// The processes beyond the limit that a bot can still start. A look that sees one of them ends the
/// bot, and names the limit.
const BEYOND: u32 = 8;

/// The most signals that may wait for a bot, and timers that it may have. The kernel counts them for a
/// user, and refuses a timer to whoever comes after the last one.
const SIGNALS: u64 = 1024;

/// What holds a bot to the number of its processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProcessLimit {
    /// A control group for each warden.
    Group,
    /// The limit of its user in a name space of its own, in which it is the only one.
    Namespace,
    /// Nothing in the kernel: a bot that starts many is stopped and counted.
    Looks,
}

impl ProcessLimit {
    /// What holds the bots that are started here.
    pub fn of_bots(limit: Option<u32>, in_sandbox: bool) -> ProcessLimit {
        Births::prepare(limit, in_sandbox, false, false).kind()
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
    /// bot can leave its control group, that also `counts_time` if it is to, and what the kernel counts
    /// for a user is counted for each bot alone.
    pub(super) fn prepare(
        limit: Option<u32>,
        in_sandbox: bool,
        is_wrapped: bool,
        counts_time: bool,
    ) -> Births {
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
        // A setuid program, which a bot outside the sandbox may be, does not work in a name space; and
        // a command of `--wrap` may need the privileges that it has outside.
        let binds_user = !births.groups.limits() && !geteuid().is_root();
        let most = most.filter(|_| binds_user);
        if in_sandbox && without != "none" && (most.is_some() || !is_wrapped) {
            births.user = NewUser::new(most);
            if births.user.is_some() && !before_exec::can_be_limited(&births) {
                births.user = None;
            }
        }
        births
    }

    /// Has this process, which is to become a bot, and all that it starts be limited. If it
    /// `has_own_users`, it is in a name space of those alone. Only system calls on prepared values: it
    /// runs before `exec`.
    pub(super) fn take_on(&self, has_own_users: bool) -> io::Result<()> {
        self.groups.enter()?;
        self.user.as_ref().map_or(Ok(()), |user| user.take_on(has_own_users))
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
        match &self.user {
            _ if self.groups.limits() => ProcessLimit::Group,
            Some(NewUser { most: Some(_), .. }) => ProcessLimit::Namespace,
            _ => ProcessLimit::Looks,
        }
    }
}

/// A name space in which the user is the same, and counts from the beginning. A warden has one for all
/// its bots, of which there is one at a time.
#[derive(Debug)]
pub(super) struct NewUser {
    space: OwnedFd,
    /// The most processes that it may have, where that limit is used.
    most: Option<u32>,
}

impl NewUser {
    /// `None` where it cannot be made, and on Linux before 5.14, which counts for a user in all name
    /// spaces together.
    fn new(most: Option<u32>) -> Option<NewUser> {
        let space = kernel_is_at_least(5, 14).then(before_exec::new_user_space)?.ok()?;
        Some(NewUser { space, most })
    }

    /// Has this process be in the name space, unless it `is_in_one` of its own, and limits what is
    /// counted there.
    fn take_on(&self, is_in_one: bool) -> io::Result<()> {
        if !is_in_one {
            move_into_link_name_space(self.space.as_fd(), Some(LinkNameSpaceType::User))?;
        }
        if let Some(most) = self.most {
            system::lower(Resource::Nproc, most.into())?;
        }
        Ok(system::lower(Resource::Sigpending, SIGNALS)?)
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
        assert_eq!(Births::prepare(None, true, false, false).kind(), ProcessLimit::Looks);
    }
}
