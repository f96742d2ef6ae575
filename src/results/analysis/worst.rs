//! The moves that gave away most, and what was better.

use std::cmp::Reverse;

use schemars::JsonSchema;
use serde::Serialize;

use super::pool::play_of;
use super::{AnalysedMatch, MatchPlace};
use crate::rules::{Board, Direction, House, Ply, Ruleset};
use crate::seat::Seat;
use crate::solve::{Budget, JudgedMove, Solver, SolverRefusal};

/// The moves with the greatest losses, at most a fixed number.
#[derive(Clone, Debug, Default)]
pub struct WorstMoves {
    most: usize,
    /// Worst first; of equal ones the first by match, round and move.
    pub moves: Vec<FoundMove>,
}

/// A move that gave seeds away.
#[derive(Clone, Debug)]
pub struct FoundMove {
    /// The index of its file.
    file: usize,
    rules: Ruleset,
    /// The name of the other bot.
    pub opponent: String,
    pub shown: WorstMove,
}

/// A move that gave seeds away, for readers.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct WorstMove {
    /// The file of the match.
    pub file: String,
    /// The number of the match in its file, from 1.
    #[serde(rename = "match")]
    pub number: u64,
    /// The number of the match in its tournament, or null.
    pub tournament_match: Option<u64>,
    /// The round, from 1.
    pub round: u32,
    /// The number of the move in its round, from 1, the opponent's moves included.
    pub move_number: u64,
    /// Who made it.
    pub name: String,
    /// The position before it in the mover's view.
    pub board: Board,
    /// The exact value of that position to the mover.
    pub value: i16,
    /// Seeds that the move gave away.
    pub loss: i16,
    /// The move.
    pub played: AnalysedMove,
    /// A move that gives nothing away, or null if there was no time to find one.
    pub better: Option<AnalysedMove>,
}

impl WorstMove {
    /// By what moves are ordered, so that the order of the matches in a file decides nothing that
    /// their numbers do: the loss, the match, the round and the move.
    fn order(&self) -> (Reverse<i16>, u64, u32, u64) {
        let number = self.tournament_match.unwrap_or(self.number);
        (Reverse(self.loss), number, self.round, self.move_number)
    }
}

/// A move in the mover's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct AnalysedMove {
    /// The house.
    #[serde(rename = "move")]
    pub house: House,
    /// The direction, where the rules have a choice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub direction: Option<Direction>,
}

impl WorstMoves {
    /// Keeps the `most` worst moves.
    pub(crate) fn new(most: usize) -> WorstMoves {
        WorstMoves { most, moves: Vec::new() }
    }

    /// Keeps as many as a page about one bot shows.
    pub fn of_a_bot() -> WorstMoves {
        WorstMoves::new(5)
    }

    /// Adds the moves of a match that the bots in `seats` chose themselves and that gave something
    /// away.
    pub fn add(&mut self, place: &MatchPlace, found: &AnalysedMatch<'_>, seats: &[Seat]) {
        if self.most == 0 {
            return;
        }
        let in_tournament = found.in_tournament;
        let number = in_tournament.unwrap_or(place.number);
        for (round, played) in (1..).zip(&found.rounds) {
            for (move_number, of) in (1..).zip(&played.moves) {
                let JudgedMove { board, value: Some(value), loss: Some(loss) } = of.judged else {
                    continue;
                };
                if loss <= 0 || !of.is_own || !seats.contains(&of.bot) {
                    continue;
                }
                let order = (Reverse(loss), number, round, move_number);
                let index = self.moves.partition_point(|other| other.shown.order() <= order);
                if index == self.most {
                    continue;
                }
                let shown = WorstMove {
                    file: String::new(),
                    number: place.number,
                    tournament_match: in_tournament,
                    round,
                    move_number,
                    name: found.names[of.bot].to_owned(),
                    board,
                    value,
                    loss,
                    played: of.played,
                    better: None,
                };
                let opponent = found.names[!of.bot].to_owned();
                let rules = found.rules;
                self.moves.truncate(self.most - 1);
                self.moves.insert(index, FoundMove { file: place.file, rules, opponent, shown });
            }
        }
    }

    /// The moves, each with a better one if `budget` is enough to find it; `names` are those of the
    /// files. A new budget is asked for with each move.
    ///
    /// # Errors
    ///
    /// When there is no memory for a solver.
    pub fn with_better(
        &self,
        names: &[&str],
        memory: usize,
        budget: &dyn Fn() -> Budget,
    ) -> Result<Vec<WorstMove>, SolverRefusal> {
        let mut worst: Vec<(usize, FoundMove)> = self.moves.iter().cloned().enumerate().collect();
        // One solver at a time, for moves by the same rules; few seeds first, which later ones need.
        worst.sort_by_key(|(_, found)| {
            let seeds = found.shown.board.without_stores().seeds();
            (format!("{:?}", play_of(&found.rules)), seeds)
        });
        for same in worst.chunk_by_mut(|(_, a), (_, b)| play_of(&a.rules) == play_of(&b.rules)) {
            let mut solver = Solver::new(&play_of(&same[0].1.rules), memory)?;
            for (_, FoundMove { file, rules, shown, .. }) in same {
                names.get(*file).copied().unwrap_or_default().clone_into(&mut shown.file);
                let better = better_move(&mut solver, shown, &budget());
                shown.better = better.map(|ply| AnalysedMove {
                    house: ply.house,
                    direction: rules.direction.is_a_choice().then_some(ply.direction),
                });
            }
        }
        worst.sort_by_key(|&(place, _)| place);
        Ok(worst.into_iter().map(|(_, found)| found.shown).collect())
    }
}

/// A move that keeps the value of the position.
fn better_move(solver: &mut Solver, found: &WorstMove, budget: &Budget) -> Option<Ply> {
    // Proves the value again, which makes the search for the move short.
    solver.is_at_least(found.board, found.value, budget)?;
    solver.best(found.board.without_stores(), found.value, budget).map(|(ply, _)| ply)
}

#[cfg(test)]
impl WorstMoves {
    /// The losses, greatest first.
    pub(super) fn losses(&self) -> Vec<i16> {
        self.moves.iter().map(|found| found.shown.loss).collect()
    }

    /// The number of the match, the round and the number of each move.
    pub(super) fn places(&self) -> Vec<(u64, u32, u64)> {
        let moves = self.moves.iter().map(|found| &found.shown);
        moves.map(|shown| (shown.number, shown.round, shown.move_number)).collect()
    }
}
