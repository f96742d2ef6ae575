//! What a game at the board is played with, and the changes a player may ask for.

use std::hash::{BuildHasher, RandomState};
use std::num::NonZeroU32;

use crate::bot::BotCommand;
use crate::record::{BotRecord, Terms};
use crate::referee::MatchSetup;
use crate::rules::{DirectionRule, Opening, Ruleset, RulesetName, SeedsAHouse};
use crate::seat::{PerSeat, Seat};
use mancala_game::words;

/// Rules and players of the games to come. Player A is always a person.
pub(crate) struct GameSettings {
    pub rules: Ruleset,
    /// Where games begin, if not at the rules' own opening.
    pub opening: Option<Opening>,
    /// Player B, if it is not a person.
    pub against: Option<BotCommand>,
    /// Who begins.
    pub starter: FirstPlayer,
    /// What a bot is held to.
    pub terms: Terms,
}

/// Who begins a game.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum FirstPlayer {
    /// Player A.
    Me,
    /// Player B.
    Bot,
    /// One of the two, drawn for each game.
    Random,
}

words!(FirstPlayer, "me, bot or random", Me = "me", Bot = "bot", Random = "random");

impl FirstPlayer {
    fn seat(self) -> Seat {
        match self {
            FirstPlayer::Me => Seat::A,
            FirstPlayer::Bot => Seat::B,
            // The hasher's keys are random; the record says who began.
            FirstPlayer::Random => {
                Seat::BOTH[usize::from(RandomState::new().hash_one(()) % 2 == 1)]
            }
        }
    }
}

/// A change of settings; it begins a new game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// Seeds in each house at the start.
    Seeds(SeedsAHouse),
    /// The directions a player may sow in.
    Direction(DirectionRule),
    /// One player, against this built-in player.
    Level(BotCommand),
    /// One player, against the last bot there was.
    OnePlayer,
    /// Two people.
    TwoPlayers,
}

impl GameSettings {
    /// Changes a setting. `last` is the bot of an earlier game, if there was one.
    pub(super) fn change(&mut self, change: Change, last: Option<&BotCommand>) {
        match change {
            Change::Seeds(seeds) => {
                self.rules.seeds = seeds;
                self.opening = None;
            }
            Change::Direction(direction) => self.rules.direction = direction,
            Change::Level(level) => self.against = Some(level),
            Change::OnePlayer => {
                self.against = last.cloned().or_else(|| built_in("average"));
            }
            Change::TwoPlayers => self.against = None,
        }
    }

    /// The game to be played: one round. Who begins is drawn here, if it is drawn.
    pub(super) fn contest(&self) -> MatchSetup {
        let record = |name: String, command: Vec<String>| BotRecord {
            name,
            command,
            ..BotRecord::default()
        };
        let opponent = match &self.against {
            Some(bot) => record(bot.name(), bot.words().to_vec()),
            None => record("Player B".to_owned(), Vec::new()),
        };
        MatchSetup {
            rules: self.rules,
            opening: self.opening.unwrap_or_else(|| Opening::standard(&self.rules)),
            terms: self.terms.clone(),
            bots: PerSeat([record("Player A".to_owned(), Vec::new()), opponent]),
            first: self.starter.seat(),
            rounds: NonZeroU32::MIN,
            hides_details: false,
        }
    }
}

/// The built-in player of `level`, if there is one.
pub(super) fn built_in(level: &str) -> Option<BotCommand> {
    format!("builtin:{level}").parse().ok()
}

/// The fewest and the most seeds in each house that a player may ask for: Mancala5000 offers three
/// to eight.
pub(super) fn seeds_offered(rules: &Ruleset) -> (u8, u8) {
    let is_mancala5000 = rules.name == RulesetName::Mancala5000;
    if is_mancala5000 { (3, 8) } else { (1, crate::rules::MAX_SEEDS_A_HOUSE) }
}
