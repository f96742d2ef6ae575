//! The warden: the process below which one bot lives, from its start to the end of its last
//! descendant.
//!
//! The referee asks it, over a socket, to start a bot, to say how it ended and to end it. The warden
//! itself has a session without a terminal and the limits, which its bots inherit. The sandbox is
//! taken on by the bot's process alone. The warden adopts whatever a bot leaves behind. When the
//! referee is gone, the socket ends, and the warden ends the bot.

pub(super) mod idle;
mod kept_bot;
mod look_schedule;
mod process_limiter;
mod room;
mod running_bot;
pub(super) mod sandbox;
pub(super) mod start;
pub(super) mod wait_bound;
pub(super) mod watching;
pub(super) mod wire;

use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{Signal, set_parent_process_death_signal};
use serde::Serialize;

use kept_bot::WardenState;
pub use process_limiter::ProcessLimit;
pub use sandbox::folder::{remove_all as remove_folder, remove_unlocked_while};
pub use sandbox::landlock_version::Landlock;
pub use start::wrapped::become_bot;
use wire::{Refusal, Request};

use super::system;

/// How often a running bot is looked at.
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

/// How often the births of a bot are looked at if the kernel does not limit its processes.
const BETWEEN_COUNTS: Duration = Duration::from_millis(2);

/// When a bot is first looked at: before it has taken much, and after one that only has to answer
/// and to leave has gone.
const FIRST_LOOK: Duration = Duration::from_millis(5);

/// How often what refuses to go is killed again, a second at a time, before this process leaves.
const LAST_SWEEPS: u32 = 5;

/// Keeps one bot after another, as the referee at the other end of this process's stdin asks,
/// until the referee has gone. The program's hidden subcommand; nothing else calls it.
///
/// # Errors
///
/// When stdin is not the socket of a referee, or the system refuses what a warden needs.
pub fn run_warden() -> io::Result<()> {
    let socket = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
    let _ = socket.peer_addr()?;
    close_fds::set_fds_cloexec_threadsafe(3, &[]);
    system::watch_children()?;
    system::receive_only_ends_of_children()?;
    // Not a leader of its group, for the referee started it, so this does not fail there.
    let _ = rustix::process::setsid();
    let _ = rustix::thread::set_name(c"bot-warden");
    watching::tree::adopt_orphans()?;
    // A stopped warden continues when the referee has died.
    let _ = set_parent_process_death_signal(Some(Signal::CONT));

    let Some((restraints, _)) = wire::receive(&socket, None)? else { return Ok(()) };
    let mut keeping = match WardenState::new(restraints) {
        Ok(keeping) => keeping,
        Err(error) => {
            let is_short = system::is_out_of_processes(&error);
            let errno = error.raw_os_error().filter(|_| is_short);
            let why = error.to_string();
            let refused: Result<(), _> = Err(Refusal { errno, why });
            return wire::send(&socket, &refused, &[], None);
        }
    };
    let home = keeping.home();
    let lock: Vec<BorrowedFd<'_>> = home.map(|(_, lock)| lock).into_iter().collect();
    let home = home.map(|(path, _)| path.as_os_str().to_owned());
    wire::send(&socket, &Ok::<_, Refusal>(home), &lock, None)?;
    let served = serve(&socket, &mut keeping);
    keeping.end();
    // No other process will. What still runs could write to the folder that goes with `keeping`.
    let _ = (0..LAST_SWEEPS).any(|_| watching::tree::end_all_below_us(&[]));
    drop(keeping);
    served
}

fn serve(socket: &UnixStream, keeping: &mut WardenState) -> io::Result<()> {
    let mut next_look = Instant::now();
    loop {
        // By the clock, whatever wakes us meanwhile: ends of orphans do, as often as a bot likes.
        let is_due = next_look <= Instant::now();
        if is_due || keeping.counts_by_looking() && keeping.look_at_new_processes() {
            keeping.look();
            next_look = Instant::now() + BETWEEN_LOOKS;
        } else if keeping.next_idle_look().is_some_and(|next| next <= Instant::now()) {
            keeping.look_at_idle_bot();
        }
        let mut watched = vec![PollFd::new(socket, PollFlags::IN)];
        watched.extend(keeping.calls().map(|calls| PollFd::new(calls, PollFlags::IN)));
        let next = keeping.next_idle_look().map_or(next_look, |next| next.min(next_look));
        let mut left = next.saturating_duration_since(Instant::now());
        if keeping.counts_by_looking() {
            left = left.min(BETWEEN_COUNTS);
        }
        let timeout = keeping.is_watching().then(|| Timespec::try_from(left).ok()).flatten();
        match poll(&mut watched, timeout.as_ref()) {
            Ok(0) | Err(Errno::INTR) => {}
            Ok(_) => {
                let [asked, called] = [0, 1]
                    .map(|index| watched.get(index).map_or(PollFlags::empty(), PollFd::revents));
                drop(watched);
                if !called.is_empty() {
                    keeping.answer_call(called.contains(PollFlags::IN));
                }
                if asked.is_empty() {
                    continue;
                }
                let Some((request, streams)) = wire::receive(socket, None)? else { return Ok(()) };
                match request {
                    Request::BotStart(start) => {
                        let started = keeping.start(&start, streams);
                        next_look = Instant::now() + FIRST_LOOK;
                        answer(socket, &started)?;
                    }
                    Request::HasLeftItsCores => answer(socket, &keeping.has_left_its_cores())?,
                    Request::ProcessEnd => answer(socket, &keeping.process_end())?,
                    Request::BotWaits { opponent_thinks } => {
                        answer(socket, &keeping.bot_waits(opponent_thinks))?;
                    }
                    Request::BotPlays => answer(socket, &keeping.bot_plays())?,
                    Request::Freeze => answer(socket, &keeping.freeze())?,
                    Request::End => answer(socket, &keeping.end())?,
                }
            }
            Err(error) => return Err(error.into()),
        }
    }
}

fn answer(socket: &UnixStream, answer: &impl Serialize) -> io::Result<()> {
    wire::send(socket, answer, &[], None)
}
