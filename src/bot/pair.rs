//! The two bots of a match as the referee's players: a process each, fresh after a fault.

use std::io;
use std::time::{Duration, Instant};

use super::command::BotCommand;
use super::exchange;
use super::interrupt::Interrupt;
use super::process::Process;
use crate::protocol::ToBot;
use crate::referee::{Answer, Ended, Misconduct, Players, Trouble};
use crate::seat::{PerSeat, Seat};

/// Two bots that are started when they are needed. [`end`](Pair::end) lets them exit by
/// themselves; dropping the pair kills them.
#[derive(Debug)]
pub struct Pair<'a> {
    commands: PerSeat<Vec<String>>,
    running: PerSeat<Option<Process>>,
    interrupt: Option<&'a Interrupt>,
}

impl<'a> Pair<'a> {
    /// Two bots, not started yet. While one is asked, `interrupt` is watched.
    ///
    /// # Errors
    ///
    /// When a bot is built in and this program's own path is not known.
    pub fn new(
        commands: &PerSeat<BotCommand>,
        interrupt: Option<&'a Interrupt>,
    ) -> io::Result<Pair<'a>> {
        let commands = PerSeat([commands[Seat::A].to_run()?, commands[Seat::B].to_run()?]);
        Ok(Pair { commands, running: PerSeat::default(), interrupt })
    }

    /// Closes the stdin of both, gives both the same short grace to exit, and ends them.
    pub fn end(mut self) {
        let running = Seat::BOTH.map(|seat| self.running[seat].take());
        let mut running: Vec<Process> = running.into_iter().flatten().collect();
        running.iter_mut().for_each(Process::close_stdin);
        let closed = Instant::now();
        running.into_iter().for_each(|process| process.end(closed));
    }
}

impl Players for Pair<'_> {
    fn ready(&mut self, seat: Seat) -> Result<bool, Trouble> {
        if self.interrupt.is_some_and(Interrupt::is_raised) {
            return Err(Trouble::Interrupted);
        }
        if self.running[seat].is_some() {
            return Ok(false);
        }
        let words = &self.commands[seat];
        match Process::start(words) {
            Ok(process) => {
                self.running[seat] = Some(process);
                Ok(true)
            }
            Err(error) => Err(start_trouble(&words[0], error)),
        }
    }

    fn tell(&mut self, seat: Seat, message: &ToBot) {
        if let Some(process) = &mut self.running[seat] {
            process.send(&message.to_line());
        }
    }

    fn ask(
        &mut self,
        seat: Seat,
        message: &ToBot,
        late_after: Duration,
    ) -> Result<Answer, Trouble> {
        let PerSeat([a, b]) = &mut self.running;
        let (active, idle) = match seat {
            Seat::A => (a, b),
            Seat::B => (b, a),
        };
        let Some(active) = active else {
            return Err(Trouble::Misconduct(Misconduct::Exited(Ended::ClosedStdout)));
        };
        let interrupt = self.interrupt.map(std::os::fd::AsFd::as_fd);
        exchange::ask(active, idle.as_mut(), interrupt, &message.to_line(), late_after)
    }

    fn dismiss(&mut self, seat: Seat) {
        self.running[seat] = None;
    }

    fn stderr_tail(&mut self, seat: Seat) -> String {
        self.running[seat].as_mut().map(Process::stderr_tail).unwrap_or_default()
    }
}

/// Tells a program that cannot be run from a system that cannot run any.
fn start_trouble(program: &str, error: io::Error) -> Trouble {
    use rustix::io::Errno;
    let is_a_path = program.contains('/');
    let exists = is_a_path && std::path::Path::new(program).exists();
    let why = match error.raw_os_error().map(Errno::from_raw_os_error) {
        Some(Errno::NOENT) if exists => {
            format!("{program}: its interpreter is missing; look at its first line (#!)")
        }
        Some(Errno::NOENT | Errno::NOTDIR) if is_a_path => {
            format!("{program}: no such file; is the path right from this folder?")
        }
        Some(Errno::NOENT | Errno::NOTDIR) => {
            format!("{program}: not found on the PATH; a program of this folder is ./{program}")
        }
        Some(Errno::ACCESS | Errno::PERM) if std::path::Path::new(program).is_dir() => {
            format!("{program}: is a folder, not a program")
        }
        Some(Errno::ACCESS | Errno::PERM) => {
            format!("{program}: may not be executed; try chmod +x {program}")
        }
        Some(Errno::NOEXEC) => format!(
            "{program}: is no program this system can run; a script needs a first line such as #!/bin/sh"
        ),
        Some(Errno::TOOBIG) => format!("{program}: its arguments are too long"),
        _ => return Trouble::System(error),
    };
    Trouble::CannotStart(why)
}
