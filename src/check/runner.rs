//! Plays trials within the check's budget. What they mean is not looked at here.

use std::time::{Duration, Instant};

use super::players::{TimedAnswer, Trace, TrialPlayers, Until};
use super::report::Plan;
use super::table::EXIT_GRACE;
use super::trial::{BOT, Trial};
use crate::bot::{Bot, Interrupt};
use crate::record::{BotRecord, RoundRecord};
use crate::referee::{BotRound, Event, MatchError, MatchSetup, play_match};
use crate::seat::PerSeat;
use crate::session::Session;

/// What a bot that has never answered gets for its next starts, where it would get more.
const NEXT_START: Duration = Duration::from_secs(2);

/// Plays trials of one bot, one process at a time.
pub(super) struct Runner<'a> {
    plan: &'a Plan,
    session: &'a Session,
    until: Until,
    /// All answers that came in time.
    answers: Vec<TimedAnswer>,
    /// How long the bot was waited for without an answer.
    silence: Duration,
    has_started: bool,
    /// Whether it did not exit in time when its input ended.
    outlives_its_input: bool,
}

/// A trial that was played, as far as it came.
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
    pub(super) broken_off: Option<BrokenOff>,
}

/// Why a trial was not played to its end.
pub(super) enum BrokenOff {
    /// The time that it had is over.
    OutOfTime,
    /// The bot's program, which has started before, does not start now.
    DoesNotStart(String),
}

impl<'a> Runner<'a> {
    pub(super) fn new(plan: &'a Plan, session: &'a Session) -> Runner<'a> {
        let end = Instant::now() + plan.budget;
        Runner {
            plan,
            session,
            until: Until { last_question: end, last_answer: end },
            answers: Vec::new(),
            silence: Duration::ZERO,
            has_started: false,
            outlives_its_input: false,
        }
    }

    pub(super) fn plan(&self) -> &'a Plan {
        self.plan
    }

    pub(super) fn interrupt(&self) -> Option<&'a Interrupt> {
        self.session.interrupt()
    }

    /// Whether the bot gets this variable of the environment beside the usual ones.
    pub(super) fn hands_on(&self, variable: &str) -> bool {
        self.session.restraints().environment.iter().any(|name| name == variable)
    }

    pub(super) fn answers(&self) -> &[TimedAnswer] {
        &self.answers
    }

    pub(super) fn silence(&self) -> Duration {
        self.silence
    }

    /// Gives what follows a part of the time that is left: `share` of `all` shares. The last
    /// answer of a part may take longer, up to the end of the budget.
    pub(super) fn allot(&mut self, share: u32, all: u32) {
        let left = self.until.last_answer.saturating_duration_since(Instant::now());
        self.until.last_question = Instant::now() + left * share / all.max(1);
    }

    /// Whether the time of the part that began last is over.
    pub(super) fn is_out_of_time(&self) -> bool {
        Instant::now() >= self.until.last_question
    }

    /// Whether the whole budget is spent.
    pub(super) fn is_budget_spent(&self) -> bool {
        Instant::now() >= self.until.last_answer
    }

    /// Plays a trial.
    ///
    /// # Errors
    ///
    /// When the bot does not start for the first time, or the check itself cannot go on.
    pub(super) fn play(&mut self, trial: &Trial) -> Result<Played, MatchError> {
        let mut setup = self.setup(trial);
        if !self.silence.is_zero() && self.answers.is_empty() {
            let start_time = &mut setup.terms.time.start_time;
            *start_time = (*start_time).min(NEXT_START);
        }
        let mut players = TrialPlayers::new(trial, self.bot(), self.interrupt(), self.until);
        let (mut rounds, mut void) = (Vec::new(), 0);
        let mut emit = |event: Event<'_>| match event {
            Event::RoundVoid { .. } => void += 1,
            Event::RoundEnded { record, .. } => rounds.push(record.clone()),
            _ => {}
        };
        let result = play_match(&setup, &mut players, &mut emit);
        let (mut bot, trace) = players.into_parts();
        let broken_off = match result {
            Ok(_) => None,
            Err(MatchError::Interrupted) if trace.out_of_time => Some(BrokenOff::OutOfTime),
            Err(MatchError::CannotStart { why, .. }) if self.has_started => {
                Some(BrokenOff::DoesNotStart(why))
            }
            Err(MatchError::CannotStart { why, .. }) => {
                return Err(MatchError::CannotStart { name: self.plan.bot.name(), why });
            }
            Err(error) => return Err(error),
        };
        self.has_started = true;
        self.silence += trace.silence;
        self.answers.extend(trace.answers.iter().cloned());
        let stderr = bot.stderr_tail();
        Ok(Played { rounds, trace, bot, stderr, void, broken_off })
    }

    /// Ends a bot as a match does: it gets a moment to exit by itself. A bot that is known not to
    /// use it is killed at once.
    pub(super) fn end(&mut self, bot: &mut Bot) {
        if !self.outlives_its_input
            && let Some(finished) = bot.finish(EXIT_GRACE, self.interrupt())
        {
            self.outlives_its_input = finished.how.is_none();
        }
    }

    /// A bot that does not run yet.
    fn bot(&self) -> Bot {
        self.session.bot(&self.plan.bot)
    }

    /// A bot that was told of a round and asked nothing.
    pub(super) fn told_to_start(&self, trial: &Trial) -> (Bot, BotRound) {
        let setup = self.setup(trial);
        let mut bot = self.bot();
        // A program that is gone shows as a bot that is not running.
        let _ = bot.ready();
        let round = BotRound::new(&setup, 1, trial.first, BOT, true);
        bot.tell(&round.start(&setup));
        (bot, round)
    }

    /// The match that a trial is.
    pub(super) fn setup(&self, trial: &Trial) -> MatchSetup {
        let name = self.plan.bot.name();
        let opponent = trial.level.to_string();
        let opponent = if opponent == name { format!("{opponent}-2") } else { opponent };
        let names = trial
            .names
            .map_or_else(|| PerSeat([name, opponent]), |names| PerSeat(names.0.map(str::to_owned)));
        let bots = PerSeat(names.0.map(|name| BotRecord { name, command: Vec::new() }));
        MatchSetup {
            rules: trial.rules,
            opening: trial.opening,
            terms: trial.limits.clone(),
            bots,
            first: trial.first,
            rounds: trial.rounds,
        }
    }
}
