//! The limit of a bot's processes that holds where they are born: the kernel refuses the next one.
//! Looks at what a bot has come too late for one that does nothing but start processes.
//!
//! What a kernel, or this user, lacks is found here, and the next best is used instead.

use std::fs;

use rustix::process::geteuid;

use super::before_exec;
use super::control_group::{CgroupVersions, GroupPurpose, Groups};
use crate::bot::warden::process_limiter::{ProcessLimit, ProcessLimiter, UserNamespace};

/// Set by tests to do without: `second` makes control groups of the second version alone,
/// `namespace` none, `none` no namespace either.
pub(crate) const WITHOUT: &str = "MANCALA_PROCESS_LIMIT";

/// The processes beyond the limit that a bot can still start. A look that sees one of them ends the
/// bot, and names the limit.
const BEYOND: u32 = 8;

impl ProcessLimit {
    /// What holds the bots that are started here.
    pub fn of_bots(limit: Option<u32>, in_sandbox: bool) -> ProcessLimit {
        prepare_limiter(limit, in_sandbox, false, false).kind()
    }
}

/// The best that there is here for at most `limit` processes and threads. In the sandbox, where no
/// bot can leave its control group, that also `counts_time` if it is to, and what the kernel counts
/// for a user is counted for each bot alone.
pub(in crate::bot::warden) fn prepare_limiter(
    limit: Option<u32>,
    in_sandbox: bool,
    is_wrapped: bool,
    counts_time: bool,
) -> ProcessLimiter {
    let without = std::env::var(WITHOUT).unwrap_or_default();
    let most = limit.map(|limit| limit.saturating_add(BEYOND));
    let purpose = GroupPurpose { most, counts_time: counts_time && in_sandbox };
    let first = without.is_empty();
    let with_groups = |second| {
        let groups = Groups::make(purpose, CgroupVersions { first, second });
        ProcessLimiter { groups, user: None }
    };
    let mut limiter = with_groups(first || without == "second");
    if limiter.groups.cgroup.is_some() && !before_exec::can_be_limited(&limiter) {
        limiter = with_groups(false);
    }
    // A setuid program, which a bot outside the sandbox may be, does not work in a namespace; and
    // a command of `--wrap` may need the privileges that it has outside.
    let binds_user = limiter.groups.refusals.is_none() && !geteuid().is_root();
    let most = most.filter(|_| binds_user);
    if in_sandbox && without != "none" && (most.is_some() || !is_wrapped) {
        limiter.user = new_user(most);
        if limiter.user.is_some() && !before_exec::can_be_limited(&limiter) {
            limiter.user = None;
        }
    }
    limiter
}

/// `None` where it cannot be made, and on Linux before 5.14, which counts for a user in all name
/// spaces together.
fn new_user(most: Option<u32>) -> Option<UserNamespace> {
    let space = kernel_is_at_least(5, 14).then(before_exec::new_user_space)?.ok()?;
    Some(UserNamespace { space, most })
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
        assert_eq!(prepare_limiter(None, true, false, false).kind(), ProcessLimit::Looks);
    }
}
