//! What is tried beside the probes to tell one fault from another.

use super::course::{Course, NEXT_START};
use super::numbering::{self, Numbering};
use super::pairing::BOT;
use super::trial::Trial;
use crate::bot::Bot;
use crate::referee::{
    BotRound, Fault, MatchError, Misconduct, Moves, Trouble, conclude, end_message,
};
use crate::rules::Game;

/// What experiments told; each is made once.
#[derive(Debug, Default)]
pub(super) struct Known {
    /// The answers where only one house is legal.
    numbers: Option<Vec<Vec<u8>>>,
    speaks_unasked: Option<bool>,
}

impl Course<'_> {
    /// What it calls its houses, asked where only one is legal.
    pub(super) fn numbering(&mut self, trial: &Trial) -> Result<Option<Numbering>, MatchError> {
        if let Some(answers) = &self.known.numbers {
            return Ok(numbering::recognise(answers));
        }
        let mut answers = Vec::new();
        for opening in numbering::boards() {
            let trial = Trial::new(trial.rules, &self.plan.limits, self.plan.seed);
            let trial = Trial { opening, ..trial.rounds(1).short(1) };
            let Some(played) = self.run(&trial)? else { break };
            let Some(line) = played.notes.first_line else { break };
            answers.push(line);
        }
        let numbering = numbering::recognise(&answers);
        self.known.numbers = Some(answers);
        Ok(numbering)
    }

    /// Whether it writes to stdout when it is told of a round in which it is asked nothing.
    pub(super) fn speaks_unasked(&mut self, trial: &Trial) -> bool {
        if let Some(known) = self.known.speaks_unasked {
            return known;
        }
        let trial = Trial::new(trial.rules, &self.plan.limits, self.plan.seed);
        let (mut bot, _) = self.told_to_start(&trial);
        let game = Game::new(trial.rules, trial.opening, trial.limits.max_moves);
        let gone = Fault::start_failed("the opponent is gone".to_owned());
        let fault = Some((!BOT, gone, String::new()));
        bot.tell(&end_message(&conclude(&game, 1, BOT, Moves::default(), fault), BOT));
        let grace = self.plan.limits.time.start_time.min(NEXT_START);
        let speaks =
            bot.finish(grace, self.interrupt()).is_some_and(|finished| !finished.stdout.is_empty());
        self.known.speaks_unasked = Some(speaks);
        speaks
    }

    /// Whether it leaves when it is told of its first round and asked nothing.
    pub(super) fn leaves_at_start(&mut self, trial: &Trial) -> bool {
        let (mut bot, _) = self.told_to_start(trial);
        let grace = self.plan.limits.time.start_time.min(NEXT_START);
        let heard = bot.ask_line(b"", grace, None, self.interrupt());
        matches!(heard, Err(Trouble::Misconduct(Misconduct::Exited { .. })))
    }

    /// Whether it fails in the first round of such a match when its opponent begins.
    pub(super) fn fails_as_second(&mut self, trial: &Trial) -> Result<bool, MatchError> {
        let trial = Trial { first: !BOT, ..trial.clone().rounds(1) };
        let played = self.run(&trial)?;
        let rounds = played.map(|played| played.record.rounds).unwrap_or_default();
        Ok(rounds
            .iter()
            .any(|round| round.result.fault.as_ref().is_some_and(|fault| fault.bot == BOT)))
    }

    /// A bot that was told of a round and asked nothing.
    pub(super) fn told_to_start(&mut self, trial: &Trial) -> (Bot, BotRound) {
        let contest = self.contest(trial);
        let mut bot = self.bot();
        // A program that is gone shows as a bot that is not running.
        let _ = bot.ready();
        let talk = BotRound::new(&contest, 1, trial.first, BOT, true);
        bot.tell(&talk.start(&contest));
        (bot, talk)
    }
}
