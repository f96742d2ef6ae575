//! A warden's one bot: started with its streams, watched, and ended with all its descendants.

use std::io;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::path::Path;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rustix::process::WaitId;

use super::BETWEEN_LOOKS;
use super::process_limiter::{ProcessLimit, ProcessLimiter};
use super::running_bot::RunningBot;
use super::sandbox::{Sandboxing, StartedBot};
use super::wire::{BotStart, ExceededLimit, ProcessEnd, Refusal, STREAMS};
use crate::bot::system::{self, Load};
use crate::bot::warden::idle::pondering::{LAST_CALL_AT_MOST, Pondering};
use crate::bot::warden::idle::stopped::StoppedGroup;
use crate::bot::warden::sandbox::handed_calls::Listener;
use crate::bot::warden::start::before_exec;
use crate::bot::warden::start::process_limit::prepare_limiter;
use crate::bot::warden::watching::cores_and_priorities::CoresAndPriorities;
use crate::bot::warden::watching::crowd::{self, Crowd};
use crate::bot::warden::watching::watch::Watch;
use crate::bot::warden::watching::{look_deadline, tree};
use crate::bot::{Restraints, scheduling};
use crate::record::Ponder;

/// How long a killed process may take to go. One that hangs in the kernel is left behind.
const KILL_WAIT: Duration = Duration::from_secs(1);

/// How often a bot that comes to stop is looked at, after some looks at once: most have stopped by then.
const BETWEEN_STOP_LOOKS: Duration = Duration::from_micros(100);
const LOOKS_AT_ONCE: u32 = 10;

/// How many descriptors a warden needs for the sandbox, with some to spare.
const SANDBOX_DESCRIPTORS: u64 = 100;

/// Why a bot's streams do not arrive.
fn too_few_descriptors() -> String {
    let most = system::own_descriptors().unwrap_or(u64::MAX);
    format!(
        "the bot's streams do not reach the process that keeps it, which may have {most} files \
         open; raise the limit with ulimit -n"
    )
}

/// What a warden has: its restraints, and at most one bot.
pub(super) struct WardenState {
    restraints: Restraints,
    /// Where the bots are kept in the sandbox.
    sandboxing: Option<Sandboxing>,
    bot: Option<RunningBot>,
    /// What limits the number of its processes.
    limiter: ProcessLimiter,
    /// Outside the sandbox, where the bots' processes are to stay.
    place: Option<CoresAndPriorities>,
    crowd: Crowd,
    /// How often the system had killed for want of memory when that was looked at last, before the
    /// bot or soon after its start.
    kills: Option<u64>,
    /// Folders of former bots that are being removed.
    removals: Vec<JoinHandle<()>>,
}

impl WardenState {
    /// Applies the restraints to this process, and prepares the sandbox.
    ///
    /// # Errors
    ///
    /// When that cannot be; the text says why and what to do. The system's own error where it has
    /// too few processes now.
    pub(super) fn new(restraints: Restraints) -> io::Result<WardenState> {
        let descriptors = system::own_descriptors().unwrap_or(u64::MAX);
        if restraints.sandbox.is_some() && descriptors < SANDBOX_DESCRIPTORS {
            return Err(io::Error::other(format!(
                "the sandbox needs {SANDBOX_DESCRIPTORS} open files at once, and here {descriptors} \
                 are allowed; raise the limit with ulimit -n"
            )));
        }
        system::limit_own_resources(&restraints.resources).map_err(|error| {
            io::Error::other(format!("the system refuses the bots' limits: {error}"))
        })?;
        let wrap = restraints.wrap.len();
        let sandbox = restraints.sandbox.clone();
        let sandboxing = sandbox.map(|allowed| Sandboxing::prepare(allowed, wrap)).transpose()?;
        // In the sandbox the kernel refuses to leave it.
        let place = if sandboxing.is_some() {
            None
        } else {
            CoresAndPriorities::of_this_process(!restraints.wrap.is_empty())
        };
        let freezes = restraints.ponder == Ponder::Freeze;
        let in_sandbox = restraints.sandbox.is_some();
        let processes = restraints.resources.processes;
        let limiter = prepare_limiter(processes, in_sandbox, wrap > 0, freezes);
        scheduling::ask_for_the_shortest_one();
        Ok(WardenState {
            restraints,
            limiter,
            place,
            sandboxing,
            bot: None,
            crowd: Crowd::new(),
            kills: system::out_of_memory_kills(),
            removals: Vec::new(),
        })
    }

    /// Where the bots' private folders are, and the descriptor that locks it.
    pub(super) fn home(&self) -> Option<(&Path, BorrowedFd<'_>)> {
        self.sandboxing.as_ref().map(|sandboxing| sandboxing.home.locked())
    }

    /// Starts a bot; one that is kept is ended first. Returns its process number.
    pub(super) fn start(
        &mut self,
        start: &BotStart,
        streams: Vec<OwnedFd>,
    ) -> Result<i32, Refusal> {
        self.end();
        let bot = self
            .try_start(start, streams)
            .map_err(|error| Refusal { errno: error.raw_os_error(), why: error.to_string() })?;
        Ok(self.bot.insert(bot).process.pid.as_raw_nonzero().get())
    }

    fn try_start(&mut self, start: &BotStart, streams: Vec<OwnedFd>) -> io::Result<RunningBot> {
        let streams: [OwnedFd; STREAMS] =
            streams.try_into().map_err(|_| io::Error::other(too_few_descriptors()))?;
        let limiter = &mut self.limiter;
        let refused_before = limiter.groups.refused();
        let process = if let Some(sandboxing) = &mut self.sandboxing {
            sandboxing.start(start, &streams, limiter)?
        } else {
            let pid = before_exec::start(start, &streams, [], None, None, limiter)?;
            StartedBot { pid, folder: None, places: Vec::new(), first: None, calls: None }
        };
        if let Some(limit) = self.restraints.resources.cpu_time {
            system::limit_cpu_time(process.pid, limit);
        }
        Ok(RunningBot {
            watch: Watch::new(process.pid, process.first.as_ref().map(|first| first.pid)),
            pondering: Pondering::new(self.limiter.groups.clock.clone()),
            process,
            has_left_its_cores: false,
            refused_before,
        })
    }

    /// Where calls of the bot arrive that are to be answered.
    pub(super) fn calls(&self) -> Option<&Listener> {
        self.bot.as_ref()?.process.calls.as_ref()
    }

    /// Answers a call of the bot if there `is_one`; otherwise no more are coming.
    pub(super) fn answer_call(&mut self, is_one: bool) {
        if let Some(bot) = &mut self.bot {
            bot.process.calls.take_if(|calls| !is_one || !calls.answer());
        }
    }

    /// Whether there is a bot to be looked at.
    pub(super) const fn is_watching(&self) -> bool {
        self.bot.is_some()
    }

    /// Whether births are to be looked at again and again, because nothing else limits them.
    pub(super) fn counts_by_looking(&self) -> bool {
        self.limiter.kind() == ProcessLimit::Looks
            && self.restraints.resources.processes.is_some()
            && self.bot.as_ref().is_some_and(|bot| bot.watch.beyond.is_none())
    }

    /// Counts the processes of a bot that may have started many. Returns whether it is beyond its
    /// limit.
    pub(super) fn look_at_new_processes(&mut self) -> bool {
        let Some(bot) = &mut self.bot else { return false };
        let load = Load::now();
        if bot.watch.may_have_grown(load) && !bot.look_can_wait() {
            bot.count(&self.restraints.resources, load);
        }
        bot.watch.beyond.is_some()
    }

    /// Checks what the bot uses, and kills its processes when that is too much, at every call until
    /// none is left. The bot itself stays as a zombie, so that its end can be asked about.
    pub(super) fn look(&mut self) {
        if self.bot.as_mut().is_none_or(RunningBot::look_can_wait) {
            return;
        }
        let before = look_deadline::used();
        let Some(bot) = &mut self.bot else { return };
        let (load, resources) = (Load::now(), &self.restraints.resources);
        if bot.watch.looks == 0 {
            self.kills = system::out_of_memory_kills();
        }
        // First of all: what comes next takes long where a bot has many processes, and without end
        // while it starts more.
        let (is_held, mut stopped) = bot.count_for_look(resources, load);
        let may_crowd = !is_held && bot.watch.tree.tasks.len() > crowd::ON_EACH;
        if may_crowd && self.crowd.look(bot.process.pid, load.running, resources.processes) {
            bot.watch.beyond = Some(ExceededLimit::Processes);
        }
        bot.stop_while_idle(load);
        let tree = &bot.watch.tree;
        let strays = |place: &CoresAndPriorities| place.hold(&tree.processes, &tree.tasks);
        bot.has_left_its_cores |= self.place.as_ref().is_some_and(strays);
        bot.pondering.look_took(look_deadline::used().saturating_sub(before));
        if bot.look(resources, false) {
            bot.kill_all();
        }
        StoppedGroup::resume(&mut stopped);
    }

    /// When to look next at what a bot that waits for its turn has used; none while it plays.
    pub(super) fn next_idle_look(&self) -> Option<Instant> {
        self.bot.as_ref()?.pondering.next_look()
    }

    /// Freezes the bot if it has used too much of its opponent's time.
    pub(super) fn look_at_idle_bot(&mut self) {
        if self.bot.as_mut().is_none_or(RunningBot::look_can_wait) {
            return;
        }
        let before = look_deadline::used();
        let Some((bot, load)) = self.counted() else { return };
        let is_beyond = bot.stop_while_idle(load) || bot.watch.beyond.is_some();
        bot.pondering.look_took(look_deadline::used().saturating_sub(before));
        if is_beyond {
            self.look();
        }
    }

    /// The bot with its processes counted, and what the system did then.
    fn counted(&mut self) -> Option<(&mut RunningBot, Load)> {
        let bot = self.bot.as_mut()?;
        let load = Load::now();
        bot.count(&self.restraints.resources, load);
        Some((bot, load))
    }

    /// The bot waits for its turn from now on, or, if its opponent thinks already, has for a while.
    pub(super) fn bot_waits(&mut self, opponent_thinks: bool) {
        let Some(bot) = &mut self.bot else { return };
        let load = Load::now();
        bot.count_idle(&self.restraints.resources, load, opponent_thinks);
        if bot.pondering.bot_waits(bot.process.pid, &bot.watch.tree.processes, load.newest) {
            self.wait_until_stopped();
        }
    }

    /// Waits until the frozen bot has come to stop, or for a while, and looks at it as ever. Returns
    /// whether it has.
    fn wait_until_stopped(&mut self) -> bool {
        let began = Instant::now();
        let mut next_look = began + BETWEEN_LOOKS;
        let mut looks = 0;
        while self.bot.as_ref().is_some_and(RunningBot::is_stopping)
            && began.elapsed() < LAST_CALL_AT_MOST
        {
            looks += 1;
            if looks < LOOKS_AT_ONCE {
                std::thread::yield_now();
                continue;
            }
            std::thread::sleep(BETWEEN_STOP_LOOKS);
            if next_look <= Instant::now() {
                self.look();
                next_look = Instant::now() + BETWEEN_LOOKS;
            }
        }
        let Some(bot) = &mut self.bot else { return true };
        let has_stopped = !bot.is_stopping();
        bot.pondering.was_waited_for(&bot.watch.tree.processes, &bot.watch.tree.tasks);
        // The last look while it is frozen: now it takes no bot's time.
        if bot.look(&self.restraints.resources, true) {
            bot.kill_all();
        }
        has_stopped
    }

    /// The bot has its turn: it runs. Returns whether it has used more of its opponent's time than it
    /// may.
    pub(super) fn bot_plays(&mut self) -> bool {
        let Some((bot, load)) = self.counted() else { return false };
        bot.pondering.bot_plays(&bot.watch.tree.processes, load.newest)
    }

    /// Freezes the bot until its next match. Returns whether none of its processes runs.
    pub(super) fn freeze(&mut self) -> bool {
        let freeze =
            |bot: &mut RunningBot| bot.pondering.rest(bot.process.pid, &bot.watch.tree.processes);
        let all_were_found = self.bot.as_mut().is_none_or(freeze);
        self.wait_until_stopped() && all_were_found
    }

    /// Whether a task of the bot was found in another place than its own.
    pub(super) fn has_left_its_cores(&self) -> bool {
        self.bot.as_ref().is_some_and(|bot| bot.has_left_its_cores)
    }

    /// How the bot left, if it did. It stays a zombie.
    pub(super) fn process_end(&mut self) -> Option<ProcessEnd> {
        let bot = self.bot.as_mut()?;
        let ended = || system::how_it_ended(WaitId::Pid(bot.process.pid)).ok().flatten();
        // Killed is not gone yet, where much memory is to be returned.
        let until = Instant::now() + KILL_WAIT;
        while bot.watch.beyond.is_some() && ended().is_none() && Instant::now() < until {
            std::thread::sleep(BETWEEN_STOP_LOOKS);
        }
        let ended = ended()?;
        let refused = self.limiter.groups.refused();
        // It had more than it may, but not for long enough to be seen.
        let too_many = (refused > bot.refused_before).then_some(ExceededLimit::Processes);
        Some(ProcessEnd {
            beyond: bot.watch.beyond.or(too_many),
            memory_ran_out: ended.terminating_signal().is_some()
                && system::out_of_memory_kills() != self.kills,
            cpu_ms: system::cpu_ms(bot.process.pid),
            ..ProcessEnd::by_itself(&ended)
        })
    }

    /// Kills the bot's whole group, reaps it, and ends what has left the group. Returns whether
    /// nothing is left.
    pub(super) fn end(&mut self) -> bool {
        let Some(bot) = self.bot.take() else { return true };
        // Not reaped yet, alive or a zombie, so the group's number is still its own.
        system::kill_with_group(bot.process.pid);
        system::reap_within(bot.process.pid, KILL_WAIT);
        drop(bot.process.first);
        let clean = tree::end_all_below_us(&[]);
        self.removals.retain(|removal| !removal.is_finished());
        if let (Some(sandboxing), Some(folder)) = (&mut self.sandboxing, bot.process.folder) {
            self.removals.extend(sandboxing.home.take_back(folder, clean));
        }
        clean
    }
}

impl Drop for WardenState {
    fn drop(&mut self) {
        self.end();
        for removal in self.removals.drain(..) {
            let _ = removal.join();
        }
    }
}
