//! A trial: one short match of the check, with everything in which it may differ from another.

use std::num::NonZeroU32;

use crate::engine::Level;
use crate::protocol::ToBot;
use crate::record::Terms;
use crate::rules::{Opening, Ruleset};
use crate::seat::{PerSeat, Seat};

/// The seat of the bot under check.
pub(super) const BOT: Seat = Seat::A;

/// The settings of a trial. Begin with [`Trial::new`] and change what is to differ.
#[derive(Clone, Debug)]
pub(super) struct Trial {
    pub(super) rules: Ruleset,
    pub(super) opening: Opening,
    pub(super) limits: Terms,
    pub(super) rounds: NonZeroU32,
    pub(super) first: Seat,
    /// The opponent's strength.
    pub(super) level: Level,
    pub(super) seed: u64,
    /// Whether the opponent forfeits: in round 1 with its first move, later with its third.
    pub(super) opponent_forfeits: bool,
    pub(super) extras: Extras,
    /// The names that the bots are told, where they are not their own.
    pub(super) names: Option<PerSeat<&'static str>>,
}

impl Trial {
    /// A match of two whole rounds against the random player from the ruleset's own opening, in
    /// which the bot begins.
    pub(super) fn new(rules: Ruleset, limits: &Terms, seed: u64) -> Trial {
        Trial {
            rules,
            opening: Opening::standard(&rules),
            limits: limits.clone(),
            rounds: NonZeroU32::MIN.saturating_add(1),
            first: BOT,
            level: Level::Random,
            seed,
            opponent_forfeits: false,
            extras: Extras::None,
            names: None,
        }
    }

    /// The same with rounds of at most so many moves.
    pub(super) fn short(self, moves: u32) -> Trial {
        let moves = NonZeroU32::new(moves).unwrap_or(NonZeroU32::MIN);
        let max_moves = self.limits.max_moves.min(moves);
        Trial { limits: Terms { max_moves, ..self.limits }, ..self }
    }

    /// The same with so many rounds.
    pub(super) fn rounds(self, rounds: u32) -> Trial {
        Trial { rounds: NonZeroU32::new(rounds).unwrap_or(NonZeroU32::MIN), ..self }
    }

    /// The same without what whole games do not have: at most two rounds, the plan's limits, and
    /// nothing odd.
    pub(super) fn plain(&self, limits: &Terms) -> Trial {
        let max_moves = self.limits.max_moves;
        Trial {
            limits: Terms { max_moves, ..limits.clone() },
            rounds: self.rounds.min(NonZeroU32::MIN.saturating_add(1)),
            opponent_forfeits: false,
            extras: Extras::None,
            names: None,
            ..self.clone()
        }
    }
}

/// What a later version of the protocol may send, and a bot must ignore.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extras {
    /// Nothing: messages as they are today.
    None,
    /// Unknown fields in every object.
    Fields,
    /// Messages of unknown types before each message.
    Messages,
}

/// Unknown fields at the beginning of an object, and at its end. The protocol has none of these
/// names, and what looks like a message is in a string.
const AT_THE_BEGINNING: &str = r#""season":"spring","#;
const AT_THE_END: &str = r#","weather":{"wind":[7,1],"sun":null,"said":"{\"type\":\"turn\"}"}"#;

/// Messages of unknown types.
const UNKNOWN: [&str; 2] = [
    "{\"type\":\"weather\",\"wind\":[7,1],\"sun\":null}\n",
    "{\"type\":\"greeting\",\"text\":\"good luck, your \\\"turn\\\"\"}\n",
];

impl Extras {
    /// The lines that go before a message and want no answer.
    pub(super) const fn lines_before(self) -> &'static [&'static str] {
        match self {
            Extras::None | Extras::Fields => &[],
            Extras::Messages => &UNKNOWN,
        }
    }

    /// The message's own line.
    pub(super) fn line(self, message: &ToBot) -> Vec<u8> {
        let line = message.to_line();
        match self {
            Extras::None | Extras::Messages => line,
            Extras::Fields => with_more_fields(&line),
        }
    }
}

/// A line of JSON without empty objects, with more fields in each of its objects.
fn with_more_fields(line: &[u8]) -> Vec<u8> {
    let mut extended = Vec::with_capacity(2 * line.len());
    let (mut in_string, mut escaped) = (false, false);
    for &byte in line {
        if byte == b'}' && !in_string {
            extended.extend_from_slice(AT_THE_END.as_bytes());
        }
        extended.push(byte);
        if byte == b'{' && !in_string {
            extended.extend_from_slice(AT_THE_BEGINNING.as_bytes());
        }
        in_string ^= byte == b'"' && !escaped;
        escaped = in_string && byte == b'\\' && !escaped;
    }
    extended
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::{End, FaultKind, Outcome, Reason, ToldFault, Who};
    use crate::record::TimeTerms;

    #[test]
    fn a_message_with_extras_is_the_same_message() {
        let message = ToBot::End(End {
            round: 1,
            outcome: Outcome::Win,
            score: [36, 0],
            reason: Reason::Fault(FaultKind::InvalidReply),
            board: Opening::standard(&Ruleset::default()).board(),
            fault: Some(ToldFault {
                by: Who::Opponent,
                kind: FaultKind::InvalidReply,
                detail: r#"not JSON: {"a\":\\"}"#.to_owned(),
            }),
        });
        let line = Extras::Fields.line(&message);
        assert_eq!(serde_json::from_slice::<ToBot>(&line).unwrap(), message);
        let value: serde_json::Value = serde_json::from_slice(&line).unwrap();
        assert_eq!(value["season"], value["fault"]["season"]);
        assert_eq!(value["fault"]["weather"]["wind"][0], 7);
        assert_eq!(Extras::None.line(&message), message.to_line());
        for line in Extras::Messages.lines_before() {
            assert_eq!(serde_json::from_str::<ToBot>(line).unwrap(), ToBot::Unknown);
        }
    }

    #[test]
    fn a_plain_trial_has_nothing_special() {
        let limits = Terms::default();
        let game_time = Some(std::time::Duration::from_mins(1));
        let bank = Terms { time: TimeTerms { game_time, ..limits.time }, ..limits.clone() };
        let names = Some(PerSeat(["a", "b"]));
        let trial = Trial::new(Ruleset::default(), &bank, 1).short(8).rounds(4);
        let trial = Trial { names, extras: Extras::Fields, opponent_forfeits: true, ..trial };
        let plain = trial.plain(&limits);
        assert_eq!(plain.rounds.get(), 2);
        assert_eq!(plain.limits, Terms { max_moves: trial.limits.max_moves, ..limits });
        assert!(plain.names.is_none() && !plain.opponent_forfeits && plain.extras == Extras::None);
    }
}
