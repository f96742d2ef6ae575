//! A match as an analysis adds it up: who made which move, and what is known of each.

use super::judged::JudgedMatch;
use super::worst::AnalysedMove;
use crate::record::MatchRecord;
use crate::rules::{Opening, Ruleset};
use crate::seat::{PerSeat, Seat};
use crate::solve::JudgedMove;

/// A match and what is known of its moves.
#[derive(Clone, Debug)]
pub struct AnalysedMatch<'a> {
    /// The names of its bots.
    pub names: PerSeat<&'a str>,
    /// Its number in its tournament.
    pub in_tournament: Option<u64>,
    pub rules: Ruleset,
    pub opening: Opening,
    /// In the order in which they were played.
    pub rounds: Vec<AnalysedRound>,
}

#[derive(Clone, Debug)]
pub struct AnalysedRound {
    /// The bot whose fault ended it.
    pub(crate) forfeited: Option<Seat>,
    pub(crate) moves: Vec<MoveJudgement>,
}

/// A move of a bot, and what is known of it.
#[derive(Clone, Debug)]
pub(crate) struct MoveJudgement {
    pub bot: Seat,
    pub played: AnalysedMove,
    /// Whether the bot chose it. A substituted move is not its choice.
    pub is_own: bool,
    pub judged: JudgedMove,
}

impl AnalysedMatch<'_> {
    /// A valid record with what is known of its moves.
    pub fn of_record<'a>(record: &'a MatchRecord, judged: &JudgedMatch) -> AnalysedMatch<'a> {
        let rounds = record.rounds.iter().zip(judged).map(|(round, judged)| AnalysedRound {
            forfeited: round.result.fault.as_ref().map(|fault| fault.bot),
            moves: (round.moves.iter().zip(judged))
                .map(|(played, judged)| MoveJudgement {
                    bot: played.bot,
                    played: AnalysedMove { house: played.house, direction: played.direction },
                    is_own: played.substitute.is_none(),
                    judged: *judged,
                })
                .collect(),
        });
        AnalysedMatch {
            names: PerSeat::from_fn(|seat| &*record.bots[seat].name),
            in_tournament: record.tournament.as_ref().map(|place| place.number.get()),
            rules: record.rules,
            opening: record.opening,
            rounds: rounds.collect(),
        }
    }

    /// How many of the moves that bots chose themselves were blunders.
    pub fn blunders(&self) -> u32 {
        let moves = self.rounds.iter().flat_map(|round| &round.moves);
        let is_blunder = |of: &&MoveJudgement| of.is_own && of.judged.is_blunder() == Some(true);
        u32::try_from(moves.filter(is_blunder).count()).unwrap_or(u32::MAX)
    }
}
