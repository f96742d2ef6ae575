//! One warden as the referee has it: what it is asked to do with its bot, and what comes of that.

use std::io;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use rustix::process::Pid;

use super::idle_time::IdleTime;
use super::warden_process::{AFTER_INTERRUPT, WardenProcess};
use super::{WardenError, orphans};
use crate::bot::interrupt::Interrupt;
use crate::bot::warden::sandbox::folder;
use crate::bot::warden::wire::{BotStart, Left, Request, Response, STREAMS};
use crate::bot::wardens::handle::ProcessHandle;
use crate::bot::{Restraints, system};
use crate::record::Ponder;
use crate::text;

/// How long a warden may take to begin, and for starting a program: the system may have to fetch
/// either from a slow disk.
const START_WAIT: Duration = Duration::from_secs(10);

/// How long a warden may take to say how its bot left, which it does at once unless it was stopped.
const TELL_WAIT: Duration = Duration::from_millis(500);

/// How long a warden may take to freeze its bot or to let it run: a moment, unless the bot takes the
/// processor with hundreds of processes. No bot's clock runs meanwhile.
pub(super) const FREEZE_WAIT: Duration = Duration::from_secs(5);

/// How long a warden may take to end its bot. Its own bounds add up to two and a half seconds.
const END_WAIT: Duration = Duration::from_secs(3);

/// A process that keeps at most one bot. Dropping it ends the bot and the warden.
#[derive(Debug)]
pub(in crate::bot) struct Warden {
    pub(super) process: WardenProcess,
    /// Where its bots may not use their opponents' time.
    pub(super) idle: Option<IdleTime>,
    /// Whether its bot is frozen because it plays no match now.
    rests: bool,
    /// In the sandbox: the folder in which its bots have their private ones, and the descriptor that
    /// locks it.
    home: Option<(PathBuf, OwnedFd)>,
}

impl Warden {
    /// Starts a warden, which is this command, and has it hold its bots to these restraints.
    pub(super) fn start(
        command: Command,
        restraints: &Restraints,
        interrupt: Option<&Interrupt>,
    ) -> Result<Warden, WardenError> {
        let mut process = WardenProcess::spawn(command, interrupt)?;
        let idle = (restraints.ponder != Ponder::Allow).then(IdleTime::new);
        let request = Request::Restrain(restraints.clone());
        match process.ask(&request, &[], START_WAIT, Duration::ZERO) {
            Ok((Response::Restrained { home }, lock)) => {
                let home = home.map(PathBuf::from).zip(lock.into_iter().next());
                Ok(Warden { process, idle, rests: false, home })
            }
            Ok((Response::Cannot { errno: Some(number), .. }, _)) => {
                Err(io::Error::from_raw_os_error(number).into())
            }
            Ok((Response::Cannot { why, .. }, _)) => Err(WardenError::Cannot(why)),
            Ok((response, _)) => Err(unexpected(&response)),
            Err(error) if system::has_no_room(&error) => Err(error.into()),
            Err(error) => {
                // It may have been killed after it made its folder.
                drop(process);
                folder::remove_unlocked();
                Err(WardenError::Lost(error))
            }
        }
    }

    /// Freezes the bot until it is woken, whatever it does. Returns whether all of it is frozen.
    pub(in crate::bot) fn rest(&mut self) -> bool {
        self.rests = true;
        if let Some(idle) = &mut self.idle {
            idle.begin_match();
        }
        let asked = self.process.ask(&Request::Freeze, &[], FREEZE_WAIT, AFTER_INTERRUPT);
        matches!(asked, Ok((Response::Frozen { whole: true }, _)))
    }

    /// Has the bot run, whether it was frozen or not. Returns whether that could be asked for.
    pub(in crate::bot) fn wake(&mut self) -> bool {
        let was_watched = self.idle.as_mut().is_some_and(IdleTime::bot_plays);
        if !std::mem::take(&mut self.rests) && !was_watched {
            return true;
        }
        let asked = self.process.ask(&Request::BotPlays, &[], FREEZE_WAIT, AFTER_INTERRUPT);
        let Ok((Response::Playing { ponders }, _)) = asked else { return false };
        if let Some(idle) = &mut self.idle {
            idle.set_ponders(ponders);
        }
        true
    }

    /// Whether a bot in the sandbox has nothing any more that keeps it there. It ends with its warden.
    pub(in crate::bot) fn has_lost_bot(&self) -> bool {
        self.home.is_some() && self.process.is_gone() && !self.process.is_interrupted()
    }

    /// Whether it can be given back for the next bot.
    pub(super) const fn is_fit(&self) -> bool {
        self.process.is_fit
    }

    /// Starts a bot with these streams.
    ///
    /// # Errors
    ///
    /// As [`WardenError`] says.
    pub(in crate::bot) fn start_bot(
        &mut self,
        start: &BotStart,
        streams: [BorrowedFd<'_>; STREAMS],
    ) -> Result<ProcessHandle, WardenError> {
        self.rests = false;
        if let Some(idle) = &mut self.idle {
            *idle = IdleTime::new();
        }
        let request = Request::BotStart(start.clone());
        // An interrupt ends this wait at once.
        match self.process.ask(&request, &streams, START_WAIT, Duration::ZERO) {
            Ok((Response::Started(pid), _)) => {
                let pid = Pid::from_raw(pid);
                let pid = pid.ok_or_else(|| io::Error::other("a process has no number"))?;
                Ok(ProcessHandle::hold(pid)?)
            }
            Ok((Response::NotStarted { errno: Some(errno), .. }, _)) => {
                Err(WardenError::Program(io::Error::from_raw_os_error(errno)))
            }
            Ok((Response::NotStarted { errno: None, why }, _)) => {
                Err(io::Error::other(text::printable(&why)).into())
            }
            Ok((response, _)) => Err(unexpected(&response)),
            Err(_) if self.process.is_interrupted() => Err(WardenError::Interrupted),
            Err(error) if system::has_no_room(&error) => Err(error.into()),
            Err(error) if self.home.is_some() => Err(WardenError::Lost(error)),
            // A bot that runs may have killed what keeps it; it plays on without.
            Err(error) => orphans::started_orphan(streams[0])
                .and_then(|pid| ProcessHandle::hold(pid).ok())
                .ok_or(WardenError::Lost(error)),
        }
    }

    /// How the bot left, if it did.
    pub(in crate::bot) fn how_it_left(&mut self, bot: &ProcessHandle) -> Option<Left> {
        match self.process.ask(&Request::HowItLeft, &[], TELL_WAIT, AFTER_INTERRUPT) {
            Ok((Response::Left(left), _)) => left,
            // The warden was killed, and the bot is our child now.
            _ => bot.how_it_ended().ok().flatten().as_ref().map(Left::by_itself),
        }
    }

    /// Whether a task of the bot was found on cores, in a class or with a priority that are not its.
    pub(in crate::bot) fn has_strayed(&mut self) -> bool {
        let asked = self.process.ask(&Request::HasStrayed, &[], TELL_WAIT, AFTER_INTERRUPT);
        matches!(asked, Ok((Response::Strayed(true), _)))
    }

    /// Ends the bot and all its descendants.
    pub(in crate::bot) fn end(&mut self, bot: &ProcessHandle) {
        match self.process.ask(&Request::End, &[], END_WAIT, AFTER_INTERRUPT) {
            // Something of the bot may be left.
            Ok((Response::Ended { clean }, _)) => self.process.is_fit = clean,
            // The warden was killed.
            _ => bot.kill(),
        }
    }
}

impl Drop for Warden {
    fn drop(&mut self) {
        let left = self.process.leave();
        // A killed one leaves its folder to us.
        if let Some((home, _lock)) = self.home.take().filter(|_| !left) {
            folder::remove_all(&home);
        }
    }
}

fn unexpected(response: &Response) -> WardenError {
    io::Error::other(format!("the program that keeps the bots answered {response:?}")).into()
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::os::fd::AsFd as _;
    use std::thread::{self, JoinHandle};

    use super::super::warden_process::tests::silent;
    use super::*;
    use crate::bot::testing::wait_until;
    use crate::bot::warden::wire::{self, Beyond};

    /// A warden that the test plays itself, by this script of answers to whatever it is asked. Then
    /// its socket ends.
    fn played(script: Vec<Response>) -> (Warden, JoinHandle<Vec<Request>>) {
        let (warden, theirs) = warden_of(silent(None));
        let playing = thread::spawn(move || {
            let mut asked = Vec::new();
            for response in script {
                let Some((request, _)) = wire::receive(&theirs, None).unwrap() else { break };
                asked.push(request);
                wire::send(&theirs, &response, &[], None).unwrap();
            }
            asked
        });
        (warden, playing)
    }

    fn warden_of<T>((process, theirs): (WardenProcess, T)) -> (Warden, T) {
        (Warden { process, idle: None, rests: false, home: None }, theirs)
    }

    /// A bot that may be killed.
    fn some_process() -> ProcessHandle {
        ProcessHandle::hold(Pid::from_child(&Command::new("true").spawn().unwrap())).unwrap()
    }

    fn start(warden: &mut Warden) -> Result<ProcessHandle, WardenError> {
        let null = File::open("/dev/null").unwrap();
        warden.start_bot(&BotStart::default(), [null.as_fd(), null.as_fd(), null.as_fd()])
    }

    #[test]
    fn what_a_warden_answers_is_handed_on() {
        let left = Left { code: Some(3), beyond: Some(Beyond::Processes), ..Left::default() };
        let mut child = Command::new("true").spawn().unwrap();
        let (mut warden, playing) = played(vec![
            Response::Started(Pid::from_child(&child).as_raw_nonzero().get()),
            Response::Left(None),
            Response::Left(Some(left)),
            Response::Ended { clean: true },
        ]);
        let bot = start(&mut warden).unwrap();
        assert_eq!(warden.how_it_left(&bot), None);
        assert_eq!(warden.how_it_left(&bot), Some(left));
        warden.end(&bot);
        assert!(warden.is_fit());
        let asked = playing.join().unwrap();
        let [Request::BotStart(_), Request::HowItLeft, Request::HowItLeft, Request::End] =
            &asked[..]
        else {
            panic!("{asked:?}")
        };
        child.wait().unwrap();
        // The test has closed its end by now.
        wait_until(|| !warden.process.is_there());
        assert!(!warden.is_fit());
    }

    #[test]
    fn a_warden_is_not_given_back_while_it_may_keep_something() {
        let (mut warden, playing) = played(vec![Response::Ended { clean: false }]);
        warden.end(&some_process());
        assert!(!warden.is_fit());
        playing.join().unwrap();
    }

    #[test]
    fn a_program_that_does_not_start_is_told_from_a_warden_that_cannot_start_it() {
        let not_started = |errno| Response::NotStarted { errno, why: "no\u{1b}room".to_owned() };
        let cases = [not_started(Some(2)), not_started(None), Response::Frozen { whole: true }];
        let (mut warden, playing) = played(Vec::from(cases));
        let refused = start(&mut warden);
        assert!(
            matches!(&refused, Err(WardenError::Program(why)) if why.kind() == io::ErrorKind::NotFound),
            "{refused:?}"
        );
        let refused = start(&mut warden);
        let Err(WardenError::System(why)) = refused else { panic!("{refused:?}") };
        assert_eq!(why.to_string(), "no\\u{1b}room");
        let refused = start(&mut warden);
        let Err(WardenError::System(why)) = refused else { panic!("{refused:?}") };
        assert_eq!(
            why.to_string(),
            "the program that keeps the bots answered Frozen { whole: true }"
        );
        // It is one that answers, whatever it answers.
        assert!(warden.is_fit());
        playing.join().unwrap();
        let refused = start(&mut warden);
        assert!(matches!(refused, Err(WardenError::Lost(_))), "{refused:?}");
        assert!(!warden.is_fit());
    }

    #[test]
    fn an_interrupt_ends_the_wait_for_a_start() {
        let interrupt = Interrupt::by_hand().unwrap();
        interrupt.raise();
        let (mut warden, theirs) = warden_of(silent(Some(interrupt)));
        let refused = start(&mut warden);
        assert!(matches!(refused, Err(WardenError::Interrupted)), "{refused:?}");
        drop(theirs);
    }

    #[test]
    fn a_warden_is_asked_about_a_bot_that_waits_only_where_that_may_take_long() {
        let playing = |ponders| Response::Playing { ponders };
        let answers = [false, true, true].map(|ponders| [Response::Watched, playing(ponders)]);
        let (mut warden, playing) = played(answers.into_iter().flatten().collect());
        warden.idle = Some(IdleTime::new());
        let at_once = Duration::from_micros(20);
        // Its opponent answers at once, and then takes long.
        for time in [at_once, at_once, Duration::from_secs(1)] {
            warden.bot_waits();
            if time > at_once {
                warden.watch();
                warden.watch();
            }
            warden.bot_has_waited(time);
            assert!(warden.wake());
        }
        // Next time it is watched from the start, and has used too much; then whatever the other does.
        for _ in 0..2 {
            warden.bot_waits();
            warden.bot_has_waited(at_once);
            assert!(warden.wake());
        }
        let asked = playing.join().unwrap();
        let asked: Vec<bool> = asked.iter().map(|one| matches!(one, Request::BotWaits)).collect();
        assert_eq!(asked, [true, false, true, false, true, false]);
    }
}
