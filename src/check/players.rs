//! The two players of a trial, the bot and a built-in opponent, and the trace of what passed
//! between the referee and the bot.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use super::trial::{BOT, Extras, Trial};
use crate::bot::{Bot, Finished, Interrupt};
use crate::engine::{Level, Player};
use crate::protocol::{Reply, ToBot, Turn};
use crate::referee::{Answer, Cause, Ended, Misconduct, Players, Trouble};
use crate::rules::{Ruleset, Sower};
use crate::seat::Seat;

/// How much longer a silent bot is waited for, to tell a late answer from none.
const LATE_ANSWER: Duration = Duration::from_secs(1);

/// How long a silent bot may take, at the end of its input, to write what it kept back.
const LAST_OUTPUT: Duration = Duration::from_millis(700);

/// How long a process that has closed its stdout may take to end, and is then told by its end.
const SLOW_END: Duration = Duration::from_millis(300);

/// The players of a trial.
pub(super) struct TrialPlayers<'a> {
    bot: Bot,
    opponent: Opponent,
    extras: Extras,
    interrupt: Option<&'a Interrupt>,
    until: Until,
    trace: Trace,
}

/// How long a trial may take.
#[derive(Clone, Copy, Debug)]
pub(super) struct Until {
    /// No question is asked after this.
    pub(super) last_question: Instant,
    /// No answer is waited for after this.
    pub(super) last_answer: Instant,
}

/// What passed between the referee and the bot.
#[derive(Default)]
pub(super) struct Trace {
    /// Its answers in the order in which they came.
    pub(super) answers: Vec<TimedAnswer>,
    /// The line of the first of them; of the others only their times are kept.
    pub(super) first_line: Option<Vec<u8>>,
    /// Whether one of the others named another number.
    pub(super) have_varied: bool,
    /// How each round stood when its bot was stopped, by the round's number.
    pub(super) rounds: HashMap<u32, RoundTrace>,
    /// How long it was waited for without an answer.
    pub(super) silence: Duration,
    /// Whether the trial was broken off because its time was over.
    pub(super) out_of_time: bool,
    now: RoundTrace,
    round: u32,
    sent: Vec<Vec<u8>>,
    is_answered: bool,
}

/// When an answer came, whether it was a move or not.
#[derive(Clone, Debug)]
pub(super) struct TimedAnswer {
    pub(super) time: Duration,
    /// Whether it was the first of its process.
    pub(super) is_first: bool,
    /// What was asked.
    pub(super) question: Vec<u8>,
}

/// What led to the end of a round in which the bot was stopped.
#[derive(Clone, Debug, Default)]
pub(super) struct RoundTrace {
    /// The lines it was sent since its last answer but one.
    pub(super) sent: Vec<Vec<u8>>,
    /// What it did when it was asked last.
    pub(super) last: Option<Last>,
    /// Rounds that its process was told of, this one included.
    pub(super) rounds_in_process: u32,
    /// Answers of its process before the last question.
    pub(super) answers_in_process: u32,
    /// Its answers in the round before the last question.
    pub(super) answers_in_round: u32,
    /// How much too late its answer came, where it had been silent.
    pub(super) late_by: Option<Duration>,
    /// What it did at the end of its input, where it had been silent.
    pub(super) finished: Option<Finished>,
    /// How it ended, where it had closed its stdout before.
    pub(super) ended: Option<(Ended, Option<Cause>)>,
    /// The end of its stderr, where it was waited for after the fault.
    pub(super) stderr: String,
}

/// What a bot did when it was asked.
#[derive(Clone, Debug)]
pub(super) enum Last {
    Answered(Vec<u8>),
    Misbehaved(Misconduct),
}

impl Trace {
    fn sends(&mut self, line: &[u8]) {
        if std::mem::take(&mut self.is_answered) {
            self.sent.clear();
        }
        self.sent.push(line.to_vec());
    }

    fn begins(&mut self, round: u32) {
        self.round = round;
        self.now.rounds_in_process += 1;
        self.now.answers_in_round = 0;
    }

    fn hears(&mut self, result: &Result<Answer, Trouble>) {
        self.now.sent.clone_from(&self.sent);
        match result {
            Ok(Answer { line, time, .. }) => {
                self.is_answered = true;
                self.now.last = Some(Last::Answered(line.clone()));
                let first = self.first_line.get_or_insert_with(|| line.clone());
                self.have_varied |= number(first) != number(line);
                self.answers.push(TimedAnswer {
                    time: *time,
                    is_first: self.now.answers_in_process == 0,
                    question: self.sent.last().cloned().unwrap_or_default(),
                });
            }
            Err(Trouble::Misconduct(what)) => {
                if let Misconduct::Silent { waited, .. } = what {
                    self.silence += *waited;
                }
                self.now.last = Some(Last::Misbehaved(what.clone()));
            }
            Err(_) => {}
        }
    }

    /// Before the next question: the last one was answered well.
    fn counts_the_last_answer(&mut self) {
        if matches!(self.now.last.take(), Some(Last::Answered(_))) {
            self.now.answers_in_process += 1;
            self.now.answers_in_round += 1;
        }
    }
}

/// The number that an answer names, a house or not.
pub(super) fn number(line: &[u8]) -> Option<i64> {
    if let Ok(reply) = Reply::parse(line) {
        return Some(reply.house.cell().into());
    }
    match serde_json::from_slice(line).ok()? {
        serde_json::Value::Number(number) => number.as_i64(),
        serde_json::Value::Object(fields) => fields.get("move")?.as_i64(),
        _ => None,
    }
}

impl<'a> TrialPlayers<'a> {
    pub(super) fn new(
        trial: &Trial,
        bot: Bot,
        interrupt: Option<&'a Interrupt>,
        until: Until,
    ) -> TrialPlayers<'a> {
        let opponent = Opponent::new(trial.level, trial.seed, trial.opponent_forfeits);
        let (extras, trace) = (trial.extras, Trace::default());
        TrialPlayers { bot, opponent, extras, interrupt, until, trace }
    }

    /// The bot, which still runs unless its last round was its fault, and the trace.
    pub(super) fn into_parts(self) -> (Bot, Trace) {
        (self.bot, self.trace)
    }

    fn is_interrupted(&self) -> bool {
        self.interrupt.is_some_and(Interrupt::is_raised)
    }

    fn send_extras(&mut self) {
        for line in self.extras.lines_before() {
            self.trace.sends(line.as_bytes());
            self.bot.tell_line(line.as_bytes());
        }
    }

    /// Waits for an answer that did not come in time; says how much later it came, if it did.
    fn wait_for_late_answer(&mut self) -> Option<Duration> {
        match self.bot.ask_line(b"", LATE_ANSWER, None, self.interrupt) {
            Ok(answer) => Some(answer.time),
            // It was there before this wait began.
            Err(Trouble::Misconduct(Misconduct::Unsolicited(_))) => Some(Duration::ZERO),
            Err(_) => {
                self.trace.silence += LATE_ANSWER;
                None
            }
        }
    }

    /// Waits for what explains a fault and is not there yet.
    fn look_further(&mut self, round: &mut RoundTrace) {
        match &round.last {
            Some(Last::Misbehaved(Misconduct::Silent { partial, unread: false, .. }))
                if partial.is_empty() =>
            {
                round.late_by = self.wait_for_late_answer();
                // What a missing flush held back is written when the bot exits.
                let finished = self.bot.finish(LAST_OUTPUT, self.interrupt);
                round.finished = finished.filter(|_| round.late_by.is_none());
            }
            Some(Last::Misbehaved(Misconduct::Exited { how: Ended::ClosedStdout, .. })) => {
                round.ended = self.bot.wait_for_end(SLOW_END, self.interrupt);
                round.stderr = self.bot.stderr_tail();
            }
            _ => {}
        }
    }
}

impl Players for TrialPlayers<'_> {
    fn ready(&mut self, seat: Seat) -> Result<bool, Trouble> {
        if self.is_interrupted() {
            return Err(Trouble::Interrupted);
        }
        if seat == BOT { self.bot.ready() } else { Ok(false) }
    }

    fn tell(&mut self, seat: Seat, message: &ToBot) {
        if seat != BOT {
            return self.opponent.hear(message);
        }
        if let ToBot::Start(start) = message {
            self.trace.counts_the_last_answer();
            self.trace.begins(start.round);
        }
        self.send_extras();
        let line = self.extras.line(message);
        self.trace.sends(&line);
        self.bot.tell_line(&line);
    }

    fn ask(
        &mut self,
        seat: Seat,
        message: &ToBot,
        late_after: Duration,
    ) -> Result<Answer, Trouble> {
        if self.is_interrupted() {
            return Err(Trouble::Interrupted);
        }
        if seat != BOT {
            return Ok(self.opponent.answer(message));
        }
        if Instant::now() >= self.until.last_question {
            self.trace.out_of_time = true;
            return Err(Trouble::Interrupted);
        }
        self.trace.counts_the_last_answer();
        self.send_extras();
        let line = self.extras.line(message);
        self.trace.sends(&line);
        let left = self.until.last_answer.saturating_duration_since(Instant::now());
        let result = self.bot.ask_line(&line, late_after.min(left), None, self.interrupt);
        if left < late_after
            && matches!(result, Err(Trouble::Misconduct(Misconduct::Silent { .. })))
        {
            self.trace.out_of_time = true;
            return Err(Trouble::Interrupted);
        }
        self.trace.hears(&result);
        result
    }

    fn stop(&mut self, seat: Seat) {
        if seat != BOT {
            return;
        }
        let mut round = std::mem::take(&mut self.trace.now);
        self.look_further(&mut round);
        self.trace.rounds.insert(self.trace.round, round);
        self.trace.sent.clear();
        self.bot.stop();
    }

    fn stderr_tail(&mut self, seat: Seat) -> String {
        if seat == BOT { self.bot.stderr_tail() } else { String::new() }
    }
}

/// The built-in player, without a process of its own.
struct Opponent {
    level: Level,
    seed: u64,
    forfeits: bool,
    round: u32,
    rules: Ruleset,
    player: Option<Player>,
}

/// What it answers when it forfeits. The bot is told of it, as of what any opponent writes.
const NO_MOVE: &[u8] = br#"{"type":"turn"} "I\resign, 3"#;

impl Opponent {
    fn new(level: Level, seed: u64, forfeits: bool) -> Opponent {
        Opponent { level, seed, forfeits, round: 0, rules: Ruleset::default(), player: None }
    }

    /// Takes note of a message that wants no answer.
    fn hear(&mut self, message: &ToBot) {
        if let ToBot::Start(start) = message {
            self.round = start.round;
            self.rules = start.rules;
            let seed = self.seed.wrapping_add(u64::from(start.round));
            self.player = Some(Player::new(self.level, &start.rules, seed));
        }
    }

    fn answer(&mut self, message: &ToBot) -> Answer {
        let line = match message {
            ToBot::Turn(turn) => self.play(turn),
            _ => Vec::new(),
        };
        Answer { line, time: Duration::ZERO, surplus: Vec::new() }
    }

    fn play(&mut self, turn: &Turn) -> Vec<u8> {
        let last_turn = if self.round == 1 { 1 } else { 3 };
        if self.forfeits && turn.turn >= last_turn {
            return NO_MOVE.to_vec();
        }
        let chosen = self.player.as_mut().and_then(|player| {
            // The player takes a tenth of it at most.
            player.choose(turn.board, Duration::from_millis(turn.move_time_ms))
        });
        let ply = chosen.map(|choice| choice.ply);
        match ply.or_else(|| Sower::new(&self.rules).legal(turn.board).next()) {
            Some(ply) if self.rules.direction.is_a_choice() => {
                format!("{{\"move\":{},\"direction\":\"{}\"}}", ply.house, ply.direction)
                    .into_bytes()
            }
            Some(ply) => ply.house.to_string().into_bytes(),
            None => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_read_from_moves_and_from_what_is_no_house() {
        let numbers = ["3", "{\"move\":7}", "-1", "\"3\"", "x"].map(|l| number(l.as_bytes()));
        assert_eq!(numbers, [Some(3), Some(7), Some(-1), None, None]);
    }
}
