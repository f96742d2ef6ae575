//! Bot processes: the only place that starts, talks to, limits or kills a process.
//!
//! Every wait here has an absolute deadline, every buffer a bound, every child an end.
//!
//! - `start`: what is started, and why it was not: a command line, its name, the files it may read.
//! - `talk`: what talks to a bot: its process, its pipes, the wait for its answer.
//! - `wardens`: the referee's side of the processes that keep bots; it starts them and asks them.
//! - `warden`: such a process: it holds one bot to its limits, and ends it.
//! - `system`: the one interface to the kernel. `interrupt`: the user's wish to stop.
//! - `folder_walk`: a look through a folder that a bot may change meanwhile.

mod folder_walk;
mod interrupt;
mod scheduling;
mod start;
mod system;
mod talk;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod warden;
mod wardens;

// Its own settings, which a record has too.
pub use crate::record::Restraints;
pub use folder_walk::{DEEPEST, Visit, walk};
pub use interrupt::{INTERRUPTED, Interrupt, StopLevel, StopSteps};
pub use start::{
    ADAPTERS, BotCommand, CommandError, RUSTUP, ReadablePaths, TIME_SHARES, find_program,
    folders_of_interpreter, give_unique_names, interpreter_words, is_of_all, is_source, is_system,
    name_of_path, names_alike, shortened_name, unique_names, without_version, words_of_a_shell,
};
pub use system::{
    explained, input, is_out_of_processes, open_null_device, receive_signals, require_stack,
    this_program, wait_for, without_temporary,
};
pub use talk::{Bot, EXIT_GRACE, Finished, MAX_LINE, SeatedBots, end_all};
pub use warden::{
    Landlock, ProcessLimit, become_bot, remove_folder, remove_unlocked_while, run_warden,
};
pub use wardens::{WardenError, Wardens};

/// Makes this program ready to run bots: no bot gets the descriptors that it was started with, and
/// what a bot leaves behind ends even when its warden was killed.
///
/// A program calls this once, at its start, before it starts a process. After a warden was killed, what
/// this process has started except wardens is killed: a program that plays several matches at once
/// needs several processes.
///
/// # Errors
///
/// When the system does not let this process adopt what a killed warden leaves behind.
pub fn prepare_program() -> std::io::Result<()> {
    prepare()?;
    scheduling::ask_for_a_longer_one();
    wardens::adopt_orphans()
}

/// Makes this program ready to run workers: no child gets the descriptors that it was started with,
/// the ends of children are seen, and what a killed worker leaves behind becomes its own.
///
/// # Errors
///
/// When the system refuses a handler, or has too little of something for this program.
pub fn prepare_coordinator() -> std::io::Result<()> {
    prepare()?;
    warden::watching::tree::adopt_orphans_of_bots()?;
    system::watch_children()
}

fn prepare() -> std::io::Result<()> {
    system::require_address_space()?;
    close_fds::set_fds_cloexec_threadsafe(3, &[]);
    system::raise_own_descriptors();
    system::open_own_files();
    Ok(())
}

/// Ends all processes below this one, except those that it began with, those in `spared`, and what is
/// below them.
pub fn end_orphans(spared: &[rustix::process::Pid]) {
    let _ = warden::watching::tree::end_all_below_us(spared);
}
