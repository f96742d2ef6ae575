//! The bot under check and its opponent as the referee's players, with notes of all that is said.

use std::collections::HashMap;
use std::time::Duration;

use super::dressing::Dressing;
use super::numbering::number;
use super::sparring::Sparring;
use crate::bot::{Bot, Finished, Interrupt};
use crate::protocol::ToBot;
use crate::referee::{Answer, Misconduct, Players, Trouble};
use crate::seat::Seat;

/// The seat of the bot under check.
pub(super) const BOT: Seat = Seat::A;

/// How long a bot that was silent is waited for, to tell one that is late from one that is mute.
const STILL_TO_COME: Duration = Duration::from_secs(1);

/// How long a bot that was silent may take to say, at the end of its input, what it kept back.
const LAST_WORDS: Duration = Duration::from_millis(700);

/// The two players.
pub(super) struct Pairing<'a> {
    pub(super) bot: Bot,
    pub(super) sparring: Sparring,
    pub(super) dressing: Dressing,
    pub(super) interrupt: Option<&'a Interrupt>,
    pub(super) notes: Notes,
}

/// What was said by and to the bot.
#[derive(Default)]
pub(super) struct Notes {
    /// Its answers in the order in which they came.
    pub(super) answers: Vec<Given>,
    /// The line of the first of them; of the others only their times are kept.
    pub(super) first_line: Option<Vec<u8>>,
    /// Whether one of the others named another number.
    pub(super) have_varied: bool,
    /// How each round stood when its bot was put away.
    pub(super) cases: HashMap<u32, Case>,
    /// The end of what it wrote to stderr, where it wrote any.
    pub(super) stderr: String,
    /// How long it was waited for in vain.
    pub(super) silence: Duration,
    now: Case,
    round: u32,
    sent: Vec<Vec<u8>>,
    is_answered: bool,
}

/// An answer, whether it was a move or not.
#[derive(Clone, Debug)]
pub(super) struct Given {
    pub(super) time: Duration,
    /// Whether it was the first of its process.
    pub(super) is_first: bool,
    /// What was asked.
    pub(super) question: Vec<u8>,
}

/// A round of a bot at its end, and what came before it.
#[derive(Clone, Debug, Default)]
pub(super) struct Case {
    /// The lines it was sent since its last answer but one.
    pub(super) sent: Vec<Vec<u8>>,
    /// What it did when it was asked last.
    pub(super) last: Option<Last>,
    /// Answers of the process before the last question.
    pub(super) answers_in_process: u32,
    /// Answers of the round before the last question.
    pub(super) answers_in_round: u32,
    /// How much too late its answer came, where it had been silent.
    pub(super) late_by: Option<Duration>,
    /// What it did at the end of its input, where it had been silent.
    pub(super) finished: Option<Finished>,
}

/// What a bot did when it was asked.
#[derive(Clone, Debug)]
pub(super) enum Last {
    Answered(Vec<u8>),
    Misbehaved(Misconduct),
}

impl Notes {
    /// Takes note of a line that goes to the bot.
    fn sends(&mut self, line: &[u8]) {
        if std::mem::take(&mut self.is_answered) {
            self.sent.clear();
        }
        self.sent.push(line.to_vec());
    }

    fn begins(&mut self, round: u32) {
        self.round = round;
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
                self.answers.push(Given {
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

impl Players for Pairing<'_> {
    fn ready(&mut self, seat: Seat) -> Result<bool, Trouble> {
        if self.interrupt.is_some_and(Interrupt::is_raised) {
            return Err(Trouble::Interrupted);
        }
        if seat == BOT { self.bot.ready() } else { Ok(false) }
    }

    fn tell(&mut self, seat: Seat, message: &ToBot) {
        if seat != BOT {
            return self.sparring.hear(message);
        }
        if let ToBot::Start(start) = message {
            self.notes.counts_the_last_answer();
            self.notes.begins(start.round);
        }
        self.tell_what_goes_before();
        let line = self.dressing.line(message);
        self.notes.sends(&line);
        self.bot.tell_line(&line);
    }

    fn ask(
        &mut self,
        seat: Seat,
        message: &ToBot,
        late_after: Duration,
    ) -> Result<Answer, Trouble> {
        if self.interrupt.is_some_and(Interrupt::is_raised) {
            return Err(Trouble::Interrupted);
        }
        if seat != BOT {
            return Ok(self.sparring.answer(message));
        }
        self.notes.counts_the_last_answer();
        self.tell_what_goes_before();
        let line = self.dressing.line(message);
        self.notes.sends(&line);
        let result = self.bot.ask_line(&line, late_after, None, self.interrupt);
        self.notes.hears(&result);
        result
    }

    fn stop(&mut self, seat: Seat) {
        if seat != BOT {
            return;
        }
        let mut case = std::mem::take(&mut self.notes.now);
        if let Some(Last::Misbehaved(Misconduct::Silent { partial, unread: false, .. })) =
            &case.last
            && partial.is_empty()
        {
            case.late_by = self.waits_on();
            // What a missing flush held back comes when the bot is told to exit.
            case.finished =
                self.bot.finish(LAST_WORDS, self.interrupt).filter(|_| case.late_by.is_none());
        }
        self.notes.cases.insert(self.notes.round, case);
        self.notes.sent.clear();
        self.bot.stop();
    }

    fn stderr_tail(&mut self, seat: Seat) -> String {
        if seat == BOT { self.bot.stderr_tail() } else { String::new() }
    }
}

impl Pairing<'_> {
    /// Waits on for a line that was asked for in vain; says how long, if one came.
    fn waits_on(&mut self) -> Option<Duration> {
        match self.bot.ask_line(b"", STILL_TO_COME, None, self.interrupt) {
            Ok(answer) => Some(answer.time),
            // It was there before this wait began.
            Err(Trouble::Misconduct(Misconduct::Unsolicited(_))) => Some(Duration::ZERO),
            Err(_) => {
                self.notes.silence += STILL_TO_COME;
                None
            }
        }
    }

    fn tell_what_goes_before(&mut self) {
        for line in self.dressing.before() {
            self.notes.sends(line.as_bytes());
            self.bot.tell_line(line.as_bytes());
        }
    }
}
