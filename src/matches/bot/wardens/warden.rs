//! One warden as the referee has it: what it is asked to do with its bot, and what comes of that.

use std::ffi::OsString;
use std::io;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use rustix::process::Pid;

use super::idle_time::IdleTime;
use super::warden_process::WardenProcess;
use super::{WardenError, orphans};
use crate::bot::interrupt::Interrupt;
use crate::bot::warden::sandbox::folder;
use crate::bot::warden::wire::{BotStart, ProcessEnd, Refusal, Request, STREAMS};
use crate::bot::wardens::handle::ProcessHandle;
use crate::bot::{Restraints, system};
use crate::record::Ponder;
use crate::text;

/// How long a warden may take to begin, and for starting a program: the system may have to fetch
/// either from a slow disk.
const START_WAIT: Duration = Duration::from_secs(10);

/// How long a warden may take to say how its bot left. It does so at once unless it was stopped, or
/// looks at a bot that takes the processor with hundreds of processes: only it knows why it ended one.
const TELL_WAIT: Duration = Duration::from_secs(3);

/// How long a warden may take to freeze its bot or to let it run: a moment, unless the bot takes the
/// processor with hundreds of processes. No bot's clock runs meanwhile.
pub(super) const FREEZE_WAIT: Duration = Duration::from_secs(5);

/// How long a warden may take to end its bot. Its own bounds add up to two and a half seconds.
const END_WAIT: Duration = Duration::from_secs(3);

/// A process that keeps at most one bot. Dropping it ends the bot and the warden.
pub(crate) struct Warden {
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
    /// Starts a warden, which is `command`, and has it hold its bots to `restraints`.
    pub(super) fn start(
        command: Command,
        restraints: &Restraints,
        interrupt: Option<&Interrupt>,
    ) -> Result<Warden, WardenError> {
        let mut process = WardenProcess::spawn(command, interrupt)?;
        let idle = (restraints.ponder != Ponder::Allow).then(IdleTime::new);
        let restrained = process.exchange::<Result<Option<OsString>, Refusal>>(
            restraints,
            &[],
            START_WAIT,
            Duration::ZERO,
        );
        match restrained {
            Ok((Ok(home), lock)) => {
                let home = home.map(PathBuf::from).zip(lock.into_iter().next());
                Ok(Warden { process, idle, rests: false, home })
            }
            Ok((Err(Refusal { errno: Some(number), .. }), _)) => {
                Err(io::Error::from_raw_os_error(number).into())
            }
            Ok((Err(Refusal { why, .. }), _)) => Err(WardenError::Cannot(why)),
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
    pub(crate) fn rest(&mut self) -> bool {
        self.rests = true;
        if let Some(idle) = &mut self.idle {
            idle.begin_match();
        }
        self.process.ask(&Request::Freeze, FREEZE_WAIT).unwrap_or(false)
    }

    /// Has the bot run, whether it was frozen or not. Returns whether that could be asked for.
    pub(crate) fn wake(&mut self) -> bool {
        let was_watched =
            self.idle.as_mut().is_some_and(|idle| std::mem::take(&mut idle.is_watched));
        if !std::mem::take(&mut self.rests) && !was_watched {
            return true;
        }
        let Ok(ponders) = self.process.ask(&Request::BotPlays, FREEZE_WAIT) else { return false };
        if let Some(idle) = &mut self.idle {
            idle.ponders = ponders;
        }
        true
    }

    /// Whether a bot in the sandbox has nothing any more that keeps it there. It ends with its warden.
    pub(crate) fn has_lost_bot(&self) -> bool {
        self.home.is_some() && self.process.is_gone && !self.process.is_interrupted()
    }

    /// Starts a bot with `streams`.
    ///
    /// # Errors
    ///
    /// As [`WardenError`] says.
    pub(crate) fn start_bot(
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
        match self.process.exchange(&request, &streams, START_WAIT, Duration::ZERO) {
            Ok((Ok(pid), _)) => {
                let pid = Pid::from_raw(pid);
                let pid = pid.ok_or_else(|| io::Error::other("a process has no number"))?;
                Ok(ProcessHandle::hold(pid)?)
            }
            Ok((Err(Refusal { errno: Some(errno), .. }), _)) => {
                Err(WardenError::Program(io::Error::from_raw_os_error(errno)))
            }
            Ok((Err(Refusal { errno: None, why }), _)) => {
                Err(io::Error::other(text::printable(&why)).into())
            }
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
    pub(crate) fn process_end(&mut self, bot: &ProcessHandle) -> Option<ProcessEnd> {
        match self.process.ask(&Request::ProcessEnd, TELL_WAIT) {
            Ok(left) => left,
            // The warden was killed, and the bot is our child now.
            Err(_) => bot.how_it_ended().ok().flatten().as_ref().map(ProcessEnd::by_itself),
        }
    }

    /// Whether a task of the bot was found on cores, in a class or with a priority that are not its.
    pub(crate) fn has_left_its_cores(&mut self) -> bool {
        self.process.ask(&Request::HasLeftItsCores, TELL_WAIT).unwrap_or(false)
    }

    /// Ends the bot and all its descendants.
    pub(crate) fn end(&mut self, bot: &ProcessHandle) {
        match self.process.ask(&Request::End, END_WAIT) {
            // Something of the bot may be left.
            Ok(is_clean) => self.process.is_fit = is_clean,
            // The warden was killed.
            Err(_) => bot.kill(),
        }
    }
}

impl Drop for Warden {
    fn drop(&mut self) {
        let left = self.process.leave();
        // A killed one leaves its folder to us.
        if let Some((home, _lock)) = self.home.take().filter(|_| !left) {
            folder::remove_home(&home);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::os::fd::AsFd as _;
    use std::thread::{self, JoinHandle};

    use serde_json::json;

    use super::super::warden_process::tests::silent;
    use super::*;
    use crate::bot::testing::wait_until;
    use crate::bot::warden::wire::{self, ExceededLimit};

    /// A warden that the test plays itself, with the answers of `script` to whatever it is asked. Then
    /// its socket ends.
    fn played(script: Vec<serde_json::Value>) -> (Warden, JoinHandle<Vec<Request>>) {
        let (warden, theirs) = warden_of(silent(None));
        let playing = thread::spawn(move || {
            let mut asked = Vec::new();
            for answer in script {
                let Some((request, _)) = wire::receive(&theirs, None).unwrap() else { break };
                asked.push(request);
                wire::send(&theirs, &answer, &[], None).unwrap();
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
        let left = ProcessEnd {
            code: Some(3),
            beyond: Some(ExceededLimit::Processes),
            ..ProcessEnd::default()
        };
        let mut child = Command::new("true").spawn().unwrap();
        let (mut warden, playing) =
            played(vec![json!({ "Ok": child.id() }), json!(null), json!(left), json!(true)]);
        let bot = start(&mut warden).unwrap();
        assert_eq!(warden.process_end(&bot), None);
        assert_eq!(warden.process_end(&bot), Some(left));
        warden.end(&bot);
        assert!(warden.process.is_fit);
        let asked = playing.join().unwrap();
        let [Request::BotStart(_), Request::ProcessEnd, Request::ProcessEnd, Request::End] =
            &asked[..]
        else {
            panic!("{asked:?}")
        };
        child.wait().unwrap();
        // The test has closed its end by now.
        wait_until(|| !warden.process.is_there());
        assert!(!warden.process.is_fit);
    }

    #[test]
    fn a_warden_is_not_given_back_while_it_may_keep_something() {
        let (mut warden, playing) = played(vec![json!(false)]);
        warden.end(&some_process());
        assert!(!warden.process.is_fit);
        playing.join().unwrap();
    }

    #[test]
    fn a_program_that_does_not_start_is_told_from_a_warden_that_cannot_start_it() {
        let not_started = |errno: Option<i32>| {
            json!(Err::<i32, _>(Refusal { errno, why: "no\u{1b}room".to_owned() }))
        };
        let (mut warden, playing) = played(vec![not_started(Some(2)), not_started(None)]);
        let refused = start(&mut warden);
        assert!(
            matches!(&refused, Err(WardenError::Program(why)) if why.kind() == io::ErrorKind::NotFound),
            "{refused:?}"
        );
        let refused = start(&mut warden);
        let Err(WardenError::System(why)) = refused else { panic!("{refused:?}") };
        assert_eq!(why.to_string(), "no\\u{1b}room");
        // It is one that answers.
        assert!(warden.process.is_fit);
        playing.join().unwrap();
        let refused = start(&mut warden);
        assert!(matches!(refused, Err(WardenError::Lost(_))), "{refused:?}");
        assert!(!warden.process.is_fit);
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
        let answers = [false, true, true].map(|ponders| [json!(null), json!(ponders)]);
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
        let asked: Vec<bool> =
            asked.iter().map(|one| matches!(one, Request::BotWaits { .. })).collect();
        assert_eq!(asked, [true, false, true, false, true, false]);
    }
}
