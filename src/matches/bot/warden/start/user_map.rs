//! Who the user is in a namespace of users of its own: the same as outside.

use std::ffi::CString;
use std::io;

use rustix::fs::{Mode, OFlags, open};
use rustix::process::{getegid, geteuid};

/// Our user and group, as the kernel takes them.
pub(super) struct UserMap {
    user: CString,
    group: CString,
}

impl UserMap {
    pub(super) fn same() -> io::Result<UserMap> {
        let same = |number: u32| CString::new(format!("{number} {number} 1"));
        Ok(UserMap { user: same(geteuid().as_raw())?, group: same(getegid().as_raw())? })
    }

    /// Has a process that was just cloned into a new namespace be the user it was. Only system calls
    /// on prepared values: it runs before `exec`.
    pub(super) fn apply(&self) -> io::Result<()> {
        let files = [
            (c"/proc/self/setgroups", c"deny"),
            (c"/proc/self/uid_map", self.user.as_c_str()),
            (c"/proc/self/gid_map", self.group.as_c_str()),
        ];
        for (file, text) in files {
            let file = open(file, OFlags::WRONLY | OFlags::CLOEXEC, Mode::empty())?;
            rustix::io::write(&file, text.to_bytes())?;
        }
        Ok(())
    }
}
