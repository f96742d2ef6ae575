//! What stood in a bot's way, a limit or something that is not there, and how to mend it.

use super::missing::{Kind, Missing};
use crate::referee::Cause;
use crate::text::bytes;

/// The limit that a bot ran into, and the option that sets it.
pub(super) fn beyond(limit: Cause) -> String {
    match limit {
        Cause::Memory(limit) => {
            format!("it uses more memory than it may (--memory {})", bytes(limit))
        }
        Cause::Processes(limit) => {
            format!("it has more processes and threads than it may (--processes {limit})")
        }
        Cause::CpuTime(limit) => {
            format!("it uses more processor time than it may (--cpu-time {}s)", limit.as_secs())
        }
        Cause::FileSize(limit) => {
            format!("it writes a larger file than it may (--file-size {})", bytes(limit))
        }
        Cause::NoMemory => "it is refused memory, says its stderr".to_owned(),
        Cause::Sandbox => "it crashes in the sandbox".to_owned(),
    }
}

/// How to stay within a limit.
pub(super) const fn use_less(limit: Cause) -> &'static str {
    match limit {
        Cause::Memory(_) => {
            "Keep less in memory: a smaller table, and a smaller heap where the language has one \
             (-Xmx in Java). All its processes count together. Where the contest grants more, \
             check with its --memory."
        }
        Cause::Processes(_) => {
            "Start fewer processes and threads, and wait for those that have ended. Runtimes start \
             threads of their own, in Java and Node a dozen or two. Where the contest grants more, \
             check with its --processes."
        }
        Cause::CpuTime(_) => {
            "Use less of the processor, and do not search while the opponent thinks: the time of \
             all rounds of a process counts together. Where the contest grants more, check with \
             its --cpu-time."
        }
        Cause::FileSize(_) => {
            "Write less, or start a new file before the limit. Where the contest grants more, check \
             with its --file-size."
        }
        Cause::NoMemory => {
            "No limit of the check ended it: its language has one of its own (-Xmx in Java, \
             --max-old-space-size in Node), or the machine has no more to give. Keep less in \
             memory."
        }
        Cause::Sandbox => "See what it is refused, by its stderr.",
    }
}

/// What is not there.
pub(super) fn not_there(Missing { what, name }: &Missing) -> String {
    let what = match what {
        Kind::File => "file",
        Kind::Module => "module",
        Kind::Class => "class",
        Kind::Program => "program",
    };
    format!("its program does not find a {what}: {name} is not there")
}

/// How to make it found.
pub(super) const fn find(what: Kind) -> &'static str {
    match what {
        Kind::File => {
            "Name it by its path from the folder where mancala is started, or by its full path."
        }
        Kind::Module => {
            "The bot's own script is named by its path from the folder where mancala is started, or \
             by its full path. A library must be installed for the very interpreter that the \
             command line names."
        }
        Kind::Class => {
            "Compile it, and name the folder where its classes are: java -cp FOLDER CLASS, seen \
             from the folder where mancala is started."
        }
        Kind::Program => "Install it, or name it by its full path.",
    }
}
