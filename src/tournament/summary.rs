//! What the coordinator keeps of a match: who, the result, the faults; not the moves.

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use crate::record::MatchRecord;
use crate::seat::{PerSeat, Seat};

/// A match without its moves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MatchSummary {
    /// Its number in the schedule.
    pub number: u64,
    /// Seeds of each bot.
    pub score: PerSeat<u32>,
    /// Who won; none after a draw.
    pub winner: Option<Seat>,
    /// Half points of the first bot in each round together: 0 to 4.
    pub half_points: u8,
    /// Faults of each bot, those that were substituted too.
    pub faults: PerSeat<u32>,
}

impl MatchSummary {
    /// The summary of a record.
    #[must_use]
    pub fn of(number: u64, record: &MatchRecord) -> MatchSummary {
        let rounds = record.rounds.iter();
        MatchSummary {
            number,
            score: record.score,
            winner: record.winner,
            half_points: rounds.map(|round| half_points(round.result.score)).sum(),
            faults: PerSeat::from_fn(|seat| {
                let faults = record.rounds.iter().map(|round| round.faults(seat)).sum::<usize>();
                u32::try_from(faults).unwrap_or(u32::MAX)
            }),
        }
    }

    /// The summary of a record's line, without reading the moves.
    ///
    /// # Errors
    ///
    /// When the line is not the record of a tournament's match.
    pub fn of_line(line: &[u8]) -> serde_json::Result<(MatchSummary, RecordHead)> {
        let Light { tournament, bots, score, winner, rounds } = serde_json::from_slice(line)?;
        let summary = MatchSummary {
            number: tournament.number,
            score,
            winner,
            half_points: rounds.iter().map(|round| half_points(round.result.score)).sum(),
            faults: PerSeat::from_fn(|seat| {
                rounds.iter().map(|round| round.faults(seat)).sum::<u32>()
            }),
        };
        Ok((summary, RecordHead { tournament: tournament.id, bots: bots.0.map(|bot| bot.name) }))
    }
}

/// Which tournament a record is of, and whose match it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordHead {
    /// The tournament's identity.
    pub tournament: String,
    /// The names of the two bots.
    pub bots: [String; 2],
}

fn half_points(score: PerSeat<u8>) -> u8 {
    match score[Seat::A].cmp(&score[Seat::B]) {
        std::cmp::Ordering::Greater => 2,
        std::cmp::Ordering::Equal => 1,
        std::cmp::Ordering::Less => 0,
    }
}

#[derive(Deserialize)]
struct Light {
    tournament: LightPlace,
    bots: PerSeat<LightBot>,
    score: PerSeat<u32>,
    winner: Option<Seat>,
    rounds: Vec<LightRound>,
}

#[derive(Deserialize)]
struct LightPlace {
    id: String,
    #[serde(rename = "match")]
    number: u64,
}

#[derive(Deserialize)]
struct LightBot {
    name: String,
}

#[derive(Deserialize)]
struct LightRound {
    moves: Vec<LightMove>,
    result: LightResult,
}

#[derive(Deserialize)]
struct LightMove {
    bot: Seat,
    #[serde(default)]
    substitute: Option<IgnoredAny>,
}

#[derive(Deserialize)]
struct LightResult {
    score: PerSeat<u8>,
    fault: Option<LightFault>,
}

#[derive(Deserialize)]
struct LightFault {
    bot: Seat,
}

impl LightRound {
    fn faults(&self, seat: Seat) -> u32 {
        let substituted =
            self.moves.iter().filter(|played| played.bot == seat && played.substitute.is_some());
        let forfeited = self.result.fault.iter().filter(|fault| fault.bot == seat);
        u32::try_from(substituted.count() + forfeited.count()).unwrap_or(u32::MAX)
    }
}
