//! Plays trials within the check's budget, against a built-in opponent; `judge` interprets them.

use std::time::{Duration, Instant};

use super::extras::Extras;
use super::opponent::Opponent;
use super::trace::{TimedAnswer, Trace};
use super::trial::{BOT, CheckSettings, Checked, LATE_ANSWER, Trial};
use crate::bot::{Bot, EXIT_GRACE, Interrupt, Wardens};
use crate::problems::RoundTrace;
use crate::protocol::ToBot;
use crate::record::RoundRecord;
use crate::referee::{
    Answer, BotRound, Ended, Event, MatchError, Misconduct, PlayedTurn, Players, Stop, Trouble,
    end_cause, play_match,
};
use crate::rules::Game;
use crate::seat::Seat;

/// What a bot that has never answered, not even late, gets for its next starts at most.
const NEXT_START: Duration = Duration::from_secs(2);

/// Plays trials of one bot, one process at a time.
pub(super) struct Runner<'a> {
    pub(super) settings: &'a CheckSettings,
    wardens: &'a Wardens,
    /// No question of the part that began last is asked after this.
    last_question: Instant,
    /// No answer is waited for after this.
    last_answer: Instant,
    /// All answers of the probes that came in time. Those to experiments are not among them.
    pub(super) answers: Vec<TimedAnswer>,
    /// How many of them were moves.
    pub(super) moves: usize,
    /// How long the bot was waited for without an answer.
    pub(super) silence: Duration,
    /// How much of that was one long wait for a late answer of a bot that had answered before.
    pub(super) long_wait: Duration,
    /// Whether a late answer was waited for as long as any is, and none came.
    has_no_late_answer: bool,
    has_started: bool,
    /// Whether it did not exit in time when its input ended.
    outlives_its_input: bool,
}

/// A trial that was played, as far as it went.
pub(super) struct Played {
    pub(super) rounds: Vec<RoundRecord>,
    pub(super) trace: Trace,
    /// The bot, which still runs unless its last round was its fault.
    pub(super) bot: Bot,
    /// The end of what it wrote to stderr in the last process.
    pub(super) stderr: String,
    /// Rounds that were played again because the machine was late.
    pub(super) void: u32,
    /// Why the trial was not played to its end.
    pub(super) broken_off: Option<TrialAborted>,
}

/// Why a trial was not played to its end.
pub(super) enum TrialAborted {
    /// The time that it had is over.
    OutOfTime,
    /// The bot's program, which has started before, does not start now.
    DoesNotStart(String),
}

impl<'a> Runner<'a> {
    pub(super) fn new(settings: &'a CheckSettings, wardens: &'a Wardens) -> Runner<'a> {
        let end = Instant::now() + settings.budget;
        Runner {
            settings,
            wardens,
            last_question: end,
            last_answer: end,
            answers: Vec::new(),
            moves: 0,
            silence: Duration::ZERO,
            long_wait: Duration::ZERO,
            has_no_late_answer: false,
            has_started: false,
            outlives_its_input: false,
        }
    }

    pub(super) fn interrupt(&self) -> Option<&'a Interrupt> {
        self.wardens.interrupt()
    }

    pub(super) fn is_interrupted(&self) -> bool {
        self.wardens.interrupt().is_some_and(Interrupt::is_raised)
    }

    /// Whether the bot gets `variable` of the environment beside the usual ones.
    pub(super) fn passes_variable(&self, variable: &str) -> bool {
        self.wardens.restraints().environment.iter().any(|name| name == variable)
    }

    /// Gives what follows a part of the time that is left: `share` of `all` shares. The last
    /// answer of a part may take longer, up to the end of the budget.
    pub(super) fn allot(&mut self, share: u32, all: u32) {
        self.last_question = Instant::now() + self.left() * share / all.max(1);
    }

    /// Whether the time of the part that began last is over.
    pub(super) fn is_out_of_time(&self) -> bool {
        Instant::now() >= self.last_question
    }

    /// Whether the whole budget is spent.
    pub(super) fn is_budget_spent(&self) -> bool {
        self.left().is_zero()
    }

    /// What is left of the budget.
    fn left(&self) -> Duration {
        self.last_answer.saturating_duration_since(Instant::now())
    }

    pub(super) fn play(&mut self, trial: &Trial) -> Checked<Played> {
        let mut setup = trial.setup(self.settings.bot.name());
        if self.has_no_late_answer && self.answers.is_empty() {
            let start_time = &mut setup.terms.time.start_time;
            *start_time = (*start_time).min(NEXT_START);
        }
        let mut players = TrialPlayers {
            bot: Bot::new(&self.settings.bot, self.wardens),
            opponent: Opponent::new(trial),
            extras: trial.extras,
            trace: Trace::default(),
            runner: self,
        };
        let (mut rounds, mut void) = (Vec::new(), 0);
        let mut emit = |event: Event<'_>| match event {
            Event::RoundVoid { .. } => void += 1,
            Event::RoundEnded { record, .. } => rounds.push(record.clone()),
            _ => {}
        };
        let result = play_match(&setup, &mut players, &mut emit);
        let TrialPlayers { mut bot, trace, .. } = players;
        let broken_off = match result {
            Ok(_) => None,
            Err(MatchError::Interrupted) if !self.is_interrupted() => Some(TrialAborted::OutOfTime),
            Err(MatchError::CannotStart { why, .. }) if self.has_started => {
                Some(TrialAborted::DoesNotStart(why))
            }
            // The name that a trial gives it may not be its own.
            Err(MatchError::CannotStart { why, .. }) => {
                return Err(MatchError::CannotStart { name: self.settings.bot.name(), why });
            }
            Err(error) => return Err(error),
        };
        self.has_started = true;
        let stderr = bot.stderr_tail();
        Ok(Played { rounds, trace, bot, stderr, void, broken_off })
    }

    /// Ends a bot as a match does: it gets a moment to exit by itself. A bot that is known not to
    /// use it is killed at once.
    pub(super) fn end(&mut self, bot: &mut Bot) {
        if !self.outlives_its_input
            && let Some(finished) = bot.finish(EXIT_GRACE, None)
        {
            self.outlives_its_input = finished.how.is_none();
        }
    }

    /// Starts a bot and begins a round, without asking it anything.
    pub(super) fn begin_round(&self, trial: &Trial) -> (Bot, BotRound) {
        let setup = trial.setup(self.settings.bot.name());
        let mut bot = Bot::new(&self.settings.bot, self.wardens);
        // A program that is gone shows as a bot that is not running.
        let _ = bot.ready();
        let round = BotRound::new(setup.terms.time, 1, trial.first, BOT, true);
        bot.send(&round.start(&setup));
        (bot, round)
    }

    /// Starts a bot and plays its first turn; `ask` carries the question. The bot is left as it is.
    pub(super) fn first_turn(
        &self,
        trial: &Trial,
        ask: impl FnOnce(&mut Bot, &ToBot, Duration) -> Result<Answer, Trouble>,
    ) -> (Bot, Result<PlayedTurn, Stop>) {
        let (mut bot, mut round) = self.begin_round(trial);
        let mut game = Game::new(trial.rules, trial.opening, trial.limits.max_moves);
        let ask = |question: &ToBot, late_after| ask(&mut bot, question, late_after);
        let turn = round.take_turn(&trial.setup(self.settings.bot.name()), &mut game, ask);
        (bot, turn)
    }
}

/// How long a silent bot may take, at the end of its input, to write what it kept back.
pub(super) const LAST_OUTPUT: Duration = Duration::from_millis(700);

/// How long a process that has closed its stdout, or answers at its exit, may take to end, and is then told
/// by its end.
pub(super) const SLOW_END: Duration = Duration::from_millis(300);

/// The bot that is tried, in its warden, and the built-in player on the other side.
struct TrialPlayers<'a, 'b> {
    runner: &'a mut Runner<'b>,
    bot: Bot,
    opponent: Opponent<'a>,
    extras: Extras,
    trace: Trace,
}

impl TrialPlayers<'_, '_> {
    fn stop_if_interrupted(&self) -> Result<(), Trouble> {
        if self.runner.is_interrupted() { Err(Trouble::Interrupted) } else { Ok(()) }
    }

    /// Sends the bot the extras that precede a message, and returns the line of the message itself.
    fn next_line(&mut self, message: &ToBot) -> Vec<u8> {
        for line in self.extras.lines_before() {
            self.trace.sent(line.as_bytes());
            self.bot.send_line(line.as_bytes());
        }
        let line = self.extras.line(message);
        self.trace.sent(&line);
        line
    }

    /// Waits for an answer that did not come in time `waited`, or for the end of the process.
    fn wait_for_late_answer(&mut self, waited: Duration, round: &mut RoundTrace) {
        let runner = &mut *self.runner;
        let is_first = round.answers_in_process == 0;
        let at_most = if runner.has_no_late_answer {
            LATE_ANSWER
        } else {
            runner.settings.time_for_a_late_answer(waited, is_first, runner.left())
        };
        let used_before = self.bot.processor_time();
        match self.bot.ask_line(b"", at_most, None, runner.interrupt()) {
            Ok(answer) => round.late_by = Some(answer.time),
            // It was there before this wait began.
            Err(Trouble::Misconduct(Misconduct::Unsolicited(_))) => {
                round.late_by = Some(Duration::ZERO);
            }
            Err(Trouble::Misconduct(Misconduct::Exited { how, cause, after, .. })) => {
                runner.silence += after;
                let ended = match how {
                    Ended::ClosedStdout => self.bot.wait_for_end(SLOW_END),
                    _ => None,
                };
                let (how, cause) = ended.unwrap_or((how, cause));
                round.ended = Some(end_cause(how, cause));
                round.stderr = self.bot.stderr_tail();
            }
            Err(_) => {
                runner.silence += at_most;
                if !is_first {
                    runner.long_wait += at_most.saturating_sub(LATE_ANSWER);
                }
                runner.has_no_late_answer = true;
                let used = self.bot.processor_time().saturating_sub(used_before);
                // Others may have a part of the processor; a bot that waits has almost none. The children
                // of a launcher are not counted.
                round.is_computing = used > at_most / 8;
            }
        }
    }

    /// Waits for what explains a fault and is not there yet.
    fn look_further(&mut self, round: &mut RoundTrace) {
        match &round.last {
            Some(Err(Misconduct::Silent { partial, waited, unread: false }))
                if partial.is_empty() =>
            {
                let waited = *waited;
                self.wait_for_late_answer(waited, round);
                // What a missing flush held back is written when the bot exits.
                if round.late_by.is_none() && round.ended.is_none() {
                    round.finished = self.bot.finish(LAST_OUTPUT, None);
                }
            }
            Some(Err(Misconduct::Exited { how: Ended::ClosedStdout, .. })) => {
                let ended = self.bot.wait_for_end(SLOW_END);
                round.ended = ended.map(|(how, system)| end_cause(how, system));
                round.stderr = self.bot.stderr_tail();
            }
            _ => {}
        }
    }
}

impl Players for TrialPlayers<'_, '_> {
    fn ready(&mut self, seat: Seat) -> Result<bool, Trouble> {
        self.stop_if_interrupted()?;
        if seat == BOT { self.bot.ready() } else { Ok(false) }
    }

    fn send(&mut self, seat: Seat, message: &ToBot) {
        if seat != BOT {
            return self.opponent.note(message);
        }
        if let ToBot::Start(start) = message {
            self.trace.count_last_answer();
            self.trace.round_began(start.round);
        }
        let line = self.next_line(message);
        self.bot.send_line(&line);
    }

    fn ask(
        &mut self,
        seat: Seat,
        message: &ToBot,
        late_after: Duration,
    ) -> Result<Answer, Trouble> {
        self.stop_if_interrupted()?;
        if seat != BOT {
            return Ok(self.opponent.answer(message));
        }
        if self.runner.is_out_of_time() {
            return Err(Trouble::Interrupted);
        }
        self.trace.count_last_answer();
        let line = self.next_line(message);
        let left = self.runner.left();
        let result = self.bot.ask_line(&line, late_after.min(left), None, self.runner.interrupt());
        if let Err(Trouble::Misconduct(Misconduct::Silent { waited, .. })) = &result {
            if left < late_after {
                // One that has answered before may have done so in the time that was left.
                if self.runner.answers.is_empty() {
                    self.runner.silence += left;
                }
                return Err(Trouble::Interrupted);
            }
            self.runner.silence += *waited;
        }
        self.trace.received(&result);
        result
    }

    fn stop(&mut self, seat: Seat) {
        if seat != BOT {
            return;
        }
        let mut round = std::mem::take(&mut self.trace.now);
        self.look_further(&mut round);
        self.trace.keep(round);
        self.bot.stop();
    }

    fn stderr_tail(&mut self, seat: Seat) -> String {
        if seat == BOT { self.bot.stderr_tail() } else { String::new() }
    }
}
