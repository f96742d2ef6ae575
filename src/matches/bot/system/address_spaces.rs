//! Which processes have their memory together.
//!
//! Has `unsafe` code: no library makes this system call.

use rustix::process::Pid;

/// What `kcmp` compares: the memory of two processes.
const MEMORY: libc::c_long = 1;

/// With how many others each process is compared at most; that takes less than 0.1 ms.
const MOST: usize = 128;

/// The address spaces of processes: one process of each.
#[derive(Default)]
pub(crate) struct AddressSpaces(Vec<Pid>);

impl AddressSpaces {
    /// Adds that of a process. Returns whether it is a new one: a process may have its memory with the
    /// one that started it, as it has from `vfork` until it runs another program. Where the kernel
    /// refuses to compare them, all are new.
    pub(crate) fn add(&mut self, process: Pid) -> bool {
        let is_new = !self.0.iter().any(|&one| is_same(one, process));
        if is_new && self.0.len() < MOST {
            self.0.push(process);
        }
        is_new
    }
}

fn is_same(one: Pid, other: Pid) -> bool {
    let [one, other] = [one, other].map(|process| process.as_raw_nonzero().get());
    // SAFETY: the call reads no memory of this process.
    #[expect(unsafe_code, reason = "no library makes this system call")]
    let order = unsafe { libc::syscall(libc::SYS_kcmp, one, other, MEMORY, 0, 0) };
    order == 0
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;
    use crate::bot::testing::left_out;

    #[test]
    fn each_address_space_is_new_once() {
        let mut spaces = AddressSpaces::default();
        let own = rustix::process::getpid();
        assert!(spaces.add(own));
        if spaces.add(own) {
            return left_out("the kernel compares no processes");
        }
        let mut children: Vec<_> =
            (0..5).map(|_| Command::new("sleep").arg("60").spawn().unwrap()).collect();
        for child in &children {
            assert!(spaces.add(Pid::from_child(child)));
        }
        for child in &mut children {
            assert!(!spaces.add(Pid::from_child(child)));
            child.kill().unwrap();
            child.wait().unwrap();
        }
        assert!(!spaces.add(own));
    }
}
