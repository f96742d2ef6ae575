//! What makes the kernel refuse more processes: a control group or a user namespace.

use std::io;
use std::os::fd::{AsFd as _, OwnedFd};

use rustix::process::Resource;
use rustix::thread::{LinkNameSpaceType, move_into_link_name_space};

use crate::bot::system;
use crate::bot::warden::start::control_group::Groups;

/// The most signals that may wait for a bot, and timers that it may have. The kernel counts them for a
/// user, and refuses a timer to whoever comes after the last one.
const SIGNALS: u64 = 1024;

/// What holds a bot to the number of its processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProcessLimit {
    /// A control group for each warden.
    Group,
    /// The limit of its user in a namespace of its own, in which it is the only one.
    Namespace,
    /// Nothing in the kernel: a bot that starts many is stopped and counted.
    Looks,
}

/// The limit as a warden has it ready for its bots.
#[derive(Default)]
pub(super) struct ProcessLimiter {
    pub(super) groups: Groups,
    pub(super) user: Option<UserNamespace>,
}

impl ProcessLimiter {
    /// Has this process, which is to become a bot, and all that it starts be limited. If it
    /// `has_own_users`, it is in a namespace of those alone. Only system calls on prepared values: it
    /// runs before `exec`.
    pub(super) fn apply(&self, has_own_users: bool) -> io::Result<()> {
        self.groups.enter()?;
        self.user.as_ref().map_or(Ok(()), |user| user.apply(has_own_users))
    }

    /// Whether it does anything when a bot is born.
    pub(super) const fn is_nothing(&self) -> bool {
        self.groups.is_empty() && self.user.is_none()
    }

    pub(super) const fn kind(&self) -> ProcessLimit {
        match &self.user {
            _ if self.groups.refusals.is_some() => ProcessLimit::Group,
            Some(UserNamespace { most: Some(_), .. }) => ProcessLimit::Namespace,
            _ => ProcessLimit::Looks,
        }
    }
}

/// A namespace in which the user is the same, and counts from the beginning. A warden has one for all
/// its bots, of which there is one at a time.
pub(super) struct UserNamespace {
    pub(super) space: OwnedFd,
    /// The most processes that it may have, where that limit is used.
    pub(super) most: Option<u32>,
}

impl UserNamespace {
    /// Has this process be in the namespace, unless it `is_in_one` of its own, and limits what is
    /// counted there.
    fn apply(&self, is_in_one: bool) -> io::Result<()> {
        if !is_in_one {
            move_into_link_name_space(self.space.as_fd(), Some(LinkNameSpaceType::User))?;
        }
        if let Some(most) = self.most {
            system::lower(Resource::Nproc, most.into())?;
        }
        Ok(system::lower(Resource::Sigpending, SIGNALS)?)
    }
}
