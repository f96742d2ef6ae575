//! What holds the bots of a warden to the number of their processes where these are born.

use std::io;
use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};
use std::rc::Rc;

use rustix::process::Resource;
use rustix::thread::{LinkNameSpaceType, move_into_link_name_space};

use crate::bot::system;
use crate::bot::warden::start::control_group::{GroupClock, Groups};

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

/// The limit as a warden has it ready for its bots.
#[derive(Debug, Default)]
pub(super) struct ProcessLimiter {
    pub(super) groups: Groups,
    pub(super) user: Option<NewUser>,
}

impl ProcessLimiter {
    /// Has this process, which is to become a bot, and all that it starts be limited. If it
    /// `has_own_users`, it is in a name space of those alone. Only system calls on prepared values: it
    /// runs before `exec`.
    pub(super) fn take_on(&self, has_own_users: bool) -> io::Result<()> {
        self.groups.enter()?;
        self.user.as_ref().map_or(Ok(()), |user| user.take_on(has_own_users))
    }

    /// The control group that bots are born in, if any.
    pub(super) fn cgroup(&self) -> Option<BorrowedFd<'_>> {
        self.groups.cgroup()
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
    pub(super) space: OwnedFd,
    /// The most processes that it may have, where that limit is used.
    pub(super) most: Option<u32>,
}

impl NewUser {
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
