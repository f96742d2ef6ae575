//! Filters put together from their end, so that every jump is to what is there already.

use rustix::io::Errno;
use seccompiler::{BpfProgram, sock_filter};

use super::calls::ALL;

/// The longest jump of a condition.
const REACH: usize = 255;

/// An instruction, by how many there are behind it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Instruction(usize);

/// How a condition compares what was loaded with a value.
pub(super) enum JumpIf {
    Equal = 0x15,
    AtLeast = 0x35,
}

/// The answers of a filter that allow a call and that kill the process.
pub(super) const ALLOW: u32 = 0x7fff_0000;
pub(super) const KILL: u32 = 0x8000_0000;

/// The answer that makes the call do nothing and return success.
pub(super) const DONE: u32 = 0x0005_0000;

/// The answer of a filter that refuses a call with an error.
pub(crate) const fn refusal(error: Errno) -> u32 {
    0x0005_0000 | error.raw_os_error().unsigned_abs()
}

/// Where the kernel has the number of a call, and its architecture.
pub(super) const NUMBER: u32 = 0;
pub(super) const ARCHITECTURE: u32 = 4;

/// A filter whose beginning is still to come.
#[derive(Default)]
pub(super) struct Assembler {
    /// Its last instruction first.
    reversed: BpfProgram,
}

impl Assembler {
    /// Ends with `answer`, by an instruction that is there already where one is in reach.
    pub(super) fn answer(&mut self, answer: u32) -> Instruction {
        let is_the_same = |one: &sock_filter| one.code == 0x06 && one.k == answer;
        match self.reversed.iter().rposition(is_the_same) {
            Some(there) if self.is_near(Instruction(there)) => Instruction(there),
            _ => self.push(0x06, 0, 0, answer),
        }
    }

    /// Refuses the call with an error.
    pub(super) fn refuse(&mut self, error: Errno) -> Instruction {
        self.answer(refusal(error))
    }

    /// Loads the lower half of an argument: all architectures here have it first.
    pub(super) fn load_argument(&mut self, argument: u8, next: Instruction) -> Instruction {
        self.load(16 + 8 * u32::from(argument), next)
    }

    pub(super) fn load_upper_half(&mut self, argument: u8, next: Instruction) -> Instruction {
        self.load(20 + 8 * u32::from(argument), next)
    }

    pub(super) fn load_bits(&mut self, argument: u8, bits: u32, next: Instruction) -> Instruction {
        let masked = if bits == ALL { next } else { self.before(0x54, bits, next) };
        self.load_argument(argument, masked)
    }

    /// The filter as the kernel takes it, which begins with what was added last.
    pub(super) fn program(mut self) -> BpfProgram {
        self.reversed.reverse();
        self.reversed
    }

    /// Whether a condition that is added now, or behind one more instruction, reaches it.
    fn is_near(&self, label: Instruction) -> bool {
        self.reversed.len() - label.0 < REACH
    }

    /// Goes one way or the other by comparing what was loaded with `value`.
    pub(super) fn branch(
        &mut self,
        jump_if: JumpIf,
        value: u32,
        yes: Instruction,
        no: Instruction,
    ) -> Instruction {
        let [yes, no] = [yes, no].map(|label| self.within_reach(label));
        let over = |label: Instruction| u8::try_from(self.reversed.len() - label.0 - 1);
        let reached = "both are within reach";
        let (yes, no) = (over(yes).expect(reached), over(no).expect(reached));
        self.push(jump_if as u16, yes, no, value)
    }

    /// This instruction, or a jump to it.
    fn within_reach(&mut self, label: Instruction) -> Instruction {
        if self.is_near(label) { label } else { self.jump(label) }
    }

    fn jump(&mut self, to: Instruction) -> Instruction {
        let over = u32::try_from(self.reversed.len() - to.0 - 1);
        self.push(0x05, 0, 0, over.expect("a filter is short"))
    }

    /// Loads what the kernel has there of a call.
    pub(super) fn load(&mut self, offset: u32, next: Instruction) -> Instruction {
        self.before(0x20, offset, next)
    }

    /// An instruction that goes on with the one behind it.
    fn before(&mut self, code: u16, value: u32, next: Instruction) -> Instruction {
        if next.0 + 1 != self.reversed.len() {
            self.jump(next);
        }
        self.push(code, 0, 0, value)
    }

    /// Codes are those of `linux/bpf_common.h`, answers those of `linux/seccomp.h`.
    fn push(&mut self, code: u16, jt: u8, jf: u8, k: u32) -> Instruction {
        self.reversed.push(sock_filter { code, jt, jf, k });
        Instruction(self.reversed.len() - 1)
    }
}
