//! What is to be tried: the plan of a check and its probes; a trial, which is one short match, with
//! everything in which it may differ from another; and the positions that a trial may begin from.

use std::num::NonZeroU32;
use std::time::Duration;

use schemars::JsonSchema;
use serde::Serialize;

use crate::bot::BotCommand;
use crate::engine::Level;
use crate::protocol::ToBot;
use crate::record::Terms;
use crate::rules::{Board, CELLS, Opening, RandomOpenings, Ruleset};
use crate::seat::{PerSeat, Seat};

/// A check to be made.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The bot.
    pub bot: BotCommand,
    /// The rules it should know, one ruleset at least; the first are those of all that is not
    /// about rules.
    pub rules: Vec<Ruleset>,
    /// What it is held to.
    pub limits: Terms,
    /// How long the whole check may take.
    pub budget: Duration,
    /// Makes the opponents' moves and the positions the same again.
    pub seed: u64,
}

/// One thing that a check tries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Probe {
    /// It starts and gives a first answer.
    Start,
    /// Whole games in every ruleset.
    Games,
    /// Four rounds in one process.
    Rounds,
    /// An opponent that forfeits.
    OpponentsFault,
    /// A time bank.
    TimeBank,
    /// Names with any characters.
    Names,
    /// Fields that no bot knows.
    UnknownFields,
    /// Messages of a type that no bot knows.
    UnknownTypes,
    /// The end of its input.
    EndOfInput,
    /// The same position again.
    Determinism,
    /// Many positions, as starter and as second.
    Positions,
    /// How near its times come to the limit.
    Times,
}

impl Probe {
    /// The probe in words, as people read it.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Probe::Start => "start",
            Probe::Games => "games",
            Probe::Rounds => "rounds",
            Probe::OpponentsFault => "opponent's fault",
            Probe::TimeBank => "time bank",
            Probe::Names => "names",
            Probe::UnknownFields => "unknown fields",
            Probe::UnknownTypes => "unknown types",
            Probe::EndOfInput => "end of input",
            Probe::Determinism => "determinism",
            Probe::Positions => "positions",
            Probe::Times => "times",
        }
    }
}

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

/// Houses of 13 seeds and more, where sowing is easily wrong: a whole lap of 13 and of 14 in both
/// rows, and two laps. The stores get what is missing to the ruleset's number of seeds.
const LAPS: [[u8; CELLS]; 3] = [
    [13, 0, 1, 0, 2, 1, 0, 0, 1, 0, 1, 13, 0, 0],
    [0, 0, 14, 0, 0, 1, 0, 1, 0, 0, 14, 0, 0, 0],
    [1, 0, 0, 27, 0, 1, 0, 0, 2, 0, 0, 1, 0, 0],
];

/// Positions near the end: one legal house, and next to no seeds left.
const SCARCE: [[u8; CELLS]; 6] = [
    [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0],
    [0, 2, 0, 0, 0, 0, 0, 3, 1, 4, 0, 0, 0, 0],
    [0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0],
    [0, 0, 0, 9, 0, 0, 0, 1, 0, 0, 0, 0, 2, 0],
    [0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0],
    [0, 0, 0, 0, 0, 1, 0, 1, 2, 3, 0, 0, 4, 0],
];

/// Positions that no game from a usual opening reaches: the fullest board, and houses of more
/// seeds than a signed byte holds.
const OVERFULL: [[u8; CELLS]; 2] = [
    [20, 20, 20, 20, 20, 20, 0, 20, 20, 20, 20, 20, 20, 0],
    [0, 1, 0, 0, 0, 130, 0, 1, 0, 0, 0, 108, 0, 0],
];

/// Odd positions that are the same in every ruleset but for its number of seeds.
pub(super) fn scarce(rules: &Ruleset) -> Vec<Opening> {
    SCARCE.into_iter().filter_map(|cells| filled_up(cells, rules)).collect()
}

/// Odd positions in which the rulesets differ.
pub(super) fn laps(rules: &Ruleset) -> Vec<Opening> {
    LAPS.into_iter().filter_map(|cells| filled_up(cells, rules)).collect()
}

/// Positions with more seeds than these rules have; only a match with another opening has them.
pub(super) fn overfull(rules: &Ruleset) -> Vec<Opening> {
    let seeds = 12 * u32::from(rules.seeds.get());
    let is_beyond = |cells: &[u8; CELLS]| cells.iter().copied().map(u32::from).sum::<u32>() > seeds;
    OVERFULL.into_iter().filter(is_beyond).filter_map(opening).collect()
}

/// The position with the rest of the ruleset's seeds in the stores; none where it has too many.
fn filled_up(mut cells: [u8; CELLS], rules: &Ruleset) -> Option<Opening> {
    let seeds = 12 * rules.seeds.get();
    let left = seeds.checked_sub(cells.iter().sum())?;
    cells[6] = left / 2;
    cells[13] = left - left / 2;
    opening(cells)
}

fn opening(cells: [u8; CELLS]) -> Option<Opening> {
    Opening::new(Board::from_cells(cells).ok()?).ok()
}

/// A random opening of these rules after so many moves, or after as many as a game can have where
/// that is less. The same seed gives the same position.
pub(super) fn reached(rules: &Ruleset, moves: u32, seed: u64) -> Opening {
    let drawn = |moves| RandomOpenings::new(rules, moves, seed).next();
    (0..=moves).rev().find_map(drawn).unwrap_or_else(|| Opening::standard(rules))
}

/// The only house of each side that has a seed, each in its owner's view. No two numberings of
/// houses give the same answers to all six.
pub(super) const ONE_HOUSE: [(u8, u8); 6] = [(0, 3), (1, 5), (2, 0), (3, 1), (4, 2), (5, 4)];

/// The positions in which each side has one house with seeds, in the order of [`ONE_HOUSE`].
pub(super) fn one_house(rules: &Ruleset) -> Vec<Opening> {
    let position = |(own, opponents): (u8, u8)| {
        let mut cells = [0; CELLS];
        cells[usize::from(own)] = 2;
        cells[usize::from(7 + opponents)] = 2;
        filled_up(cells, rules)
    };
    ONE_HOUSE.into_iter().filter_map(position).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::{End, FaultKind, Outcome, Reason, ToldFault, Who};
    use crate::record::TimeTerms;
    use crate::rules::{RulesetName, SeedsAHouse, Sower};

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

    #[test]
    fn positions_have_as_many_seeds_as_the_rules() {
        for name in RulesetName::ALL {
            let rules = name.rules();
            let (scarce, laps, one) = (scarce(&rules), laps(&rules), one_house(&rules));
            assert_eq!((scarce.len(), laps.len(), one.len()), (6, 3, 6), "{name}");
            for opening in scarce.iter().chain(&laps).chain(&one).map(|opening| opening.board()) {
                assert_eq!(opening.seeds(), 12 * rules.seeds.get(), "{name}: {opening:?}");
            }
            let one_legal = |o: &Opening| Sower::new(&rules).legal(o.board()).count() == 1;
            assert!(scarce.iter().chain(&one).all(one_legal));
            assert_eq!(overfull(&rules).len(), 2);
        }
        let rules = |seeds| Ruleset {
            seeds: SeedsAHouse::new(seeds).unwrap(),
            ..RulesetName::Kalah.rules()
        };
        assert_eq!((laps(&rules(1)).len(), scarce(&rules(1)).len()), (0, 6));
        assert_eq!((laps(&rules(20)).len(), overfull(&rules(20)).len()), (3, 0));
    }

    #[test]
    fn a_seed_reaches_the_same_position_and_others_reach_others() {
        let rules = RulesetName::Cs221.rules();
        assert_eq!(reached(&rules, 9, 1), reached(&rules, 9, 1));
        assert_ne!(reached(&rules, 9, 1), reached(&rules, 9, 2));
        assert_eq!(reached(&rules, 0, 1), Opening::standard(&rules));
        // Twelve seeds do not last for so many moves.
        let one = Ruleset { seeds: SeedsAHouse::new(1).unwrap(), ..RulesetName::Ece1021.rules() };
        assert!(!reached(&one, 40, 1).board().is_over());
    }
}
