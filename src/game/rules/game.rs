//! One game, from its opening to its end.

use std::num::NonZeroU32;
use std::ops::Not;

use super::board::{Board, House};
use super::opening::Opening;
use super::ruleset::{Direction, Ruleset};
use super::sowing::{Ply, Sower, Sown};
use crate::words;

/// A player of one game, by who began it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The player who makes the game's first move.
    First,
    /// The other one.
    Second,
}

impl Not for Side {
    type Output = Side;

    fn not(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }
}

/// How a game ended by its rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// A side had no seed left in its houses.
    Completed,
    /// The move limit was reached first.
    MoveLimit,
    /// One store held more than half of all seeds, with [`Adjudication::Lead`].
    Decided,
}

words!(
    Ending,
    "completed, move_limit or decided",
    Completed = "completed",
    MoveLimit = "move_limit",
    Decided = "decided"
);

/// Whether a game ends before its last move because its winner is certain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Adjudication {
    /// It never does.
    #[default]
    None,
    /// As soon as one store holds more than half of all seeds.
    Lead,
}

words!(Adjudication, "none or lead", None = "none", Lead = "lead");

/// A move that the rules do not allow now. The text says why.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IllegalMove {
    /// The house holds no seed.
    #[error("house {0} is empty")]
    EmptyHouse(House),
    /// The rules sow in one direction only, and it is not this one.
    #[error("these rules do not sow {0}")]
    Direction(Direction),
    /// The game has ended.
    #[error("the game is over")]
    GameOver,
}

/// A game in progress or at its end.
#[derive(Clone, Debug)]
pub struct Game {
    sower: Sower,
    rules: Ruleset,
    board: Board,
    mover: Side,
    moves: u32,
    max_moves: NonZeroU32,
    adjudication: Adjudication,
}

impl Game {
    /// A game that begins at `opening` and ends after `max_moves` moves at the latest.
    pub fn new(rules: Ruleset, opening: Opening, max_moves: NonZeroU32) -> Game {
        Game {
            sower: Sower::new(&rules),
            rules,
            board: opening.board(),
            mover: Side::First,
            moves: 0,
            max_moves,
            adjudication: Adjudication::None,
        }
    }

    /// The same game, ended early where this says so.
    pub const fn adjudicated(self, adjudication: Adjudication) -> Game {
        Game { adjudication, ..self }
    }

    /// The rules it is played by.
    pub const fn rules(&self) -> &Ruleset {
        &self.rules
    }

    /// Whose move it is; without meaning once the game has ended.
    pub const fn mover(&self) -> Side {
        self.mover
    }

    /// The position in the view of the player to move.
    pub const fn board(&self) -> Board {
        self.board
    }

    /// The position in a given player's view.
    pub fn board_of(&self, side: Side) -> Board {
        if side == self.mover { self.board } else { self.board.flipped() }
    }

    /// Moves made so far, by both.
    pub const fn moves(&self) -> u32 {
        self.moves
    }

    /// How it ended, or `None` while it goes on.
    pub fn ending(&self) -> Option<Ending> {
        if self.board.is_over() {
            Some(Ending::Completed)
        } else if self.is_decided() {
            Some(Ending::Decided)
        } else if self.moves >= self.max_moves.get() {
            Some(Ending::MoveLimit)
        } else {
            None
        }
    }

    /// Whether one store holds more than half of all seeds, where that ends the game.
    fn is_decided(&self) -> bool {
        let lead = u16::from(self.board.store().max(self.board.opponent_store()));
        self.adjudication == Adjudication::Lead && 2 * lead > u16::from(self.board.seeds())
    }

    /// The legal moves, in house order, forward before backward; none once the game has ended.
    pub fn legal(&self) -> impl Iterator<Item = Ply> + use<> {
        let going_on = self.ending().is_none();
        self.sower.legal(self.board).filter(move |_| going_on)
    }

    /// The houses that hold seeds, in order; none once the game has ended.
    pub fn legal_houses(&self) -> impl Iterator<Item = House> + use<> {
        let board = self.board;
        let going_on = self.ending().is_none();
        House::ALL.into_iter().filter(move |&house| going_on && board.seeds_in(house) > 0)
    }

    /// Makes a move for the player to move. A move that ends the game gives no extra turn.
    ///
    /// # Errors
    ///
    /// When the move is not legal; the game is then as it was.
    pub fn play(&mut self, ply: Ply) -> Result<Sown, IllegalMove> {
        if self.ending().is_some() {
            return Err(IllegalMove::GameOver);
        }
        if !self.rules.direction.directions().contains(&ply.direction) {
            return Err(IllegalMove::Direction(ply.direction));
        }
        if self.board.seeds_in(ply.house) == 0 {
            return Err(IllegalMove::EmptyHouse(ply.house));
        }
        let sown = self.sower.sow(self.board, ply);
        self.board = sown.next();
        if !sown.extra_turn {
            self.mover = !self.mover;
        }
        self.moves += 1;
        Ok(Sown { extra_turn: sown.extra_turn && self.ending().is_none(), ..sown })
    }

    /// The score of a side if every player took the seeds on its own side now: the result once the
    /// game has ended.
    pub fn score_of(&self, side: Side) -> u8 {
        self.board_of(side).swept().store()
    }
}

#[cfg(test)]
mod tests {
    use super::super::ruleset::{DirectionRule, RulesetName};
    use super::*;

    const LIMIT: NonZeroU32 = NonZeroU32::new(1000).unwrap();

    fn forward(cell: u8) -> Ply {
        Ply { house: House::new(cell).unwrap(), direction: Direction::Forward }
    }

    #[test]
    fn an_illegal_move_is_told_apart_and_changes_nothing() {
        let rules = RulesetName::Learneroo.rules();
        let opening = "3,0,0,0,0,0,0,3,3,3,3,3,3,0".parse().unwrap();
        let mut game = Game::new(rules, opening, LIMIT);
        let before = game.board();
        let empty = House::new(2).unwrap();
        assert_eq!(game.play(forward(2)), Err(IllegalMove::EmptyHouse(empty)));
        let backward = Ply { direction: Direction::Backward, ..forward(0) };
        assert_eq!(game.play(backward), Err(IllegalMove::Direction(Direction::Backward)));
        assert_eq!(game.board(), before);
        assert_eq!(game.legal().collect::<Vec<_>>(), [forward(0)]);
    }

    #[test]
    fn a_finished_game_takes_no_move() {
        let opening = "0,0,0,0,0,1,0,0,0,0,0,0,2,0".parse().unwrap();
        let mut game = Game::new(Ruleset::default(), opening, LIMIT);
        let sown = game.play(forward(5)).unwrap();
        assert!(!sown.extra_turn);
        assert_eq!(game.ending(), Some(Ending::Completed));
        assert_eq!(game.legal().count(), 0);
        assert_eq!(game.play(forward(5)), Err(IllegalMove::GameOver));
        assert_eq!([Side::First, Side::Second].map(|side| game.score_of(side)), [1, 2]);
    }

    #[test]
    fn a_lead_of_more_than_half_ends_a_game_only_where_it_is_to() {
        let opening = "0,0,1,0,0,1,6,0,0,0,1,1,0,2".parse().unwrap();
        let game = |adjudication| {
            let game = Game::new(Ruleset::default(), opening, LIMIT);
            let mut game = game.adjudicated(adjudication);
            assert_eq!(game.ending(), None, "six of twelve are not more than half");
            game.play(forward(5)).unwrap();
            game
        };
        assert_eq!(game(Adjudication::None).ending(), None);
        let decided = game(Adjudication::Lead);
        assert_eq!(decided.ending(), Some(Ending::Decided));
        assert_eq!([Side::First, Side::Second].map(|side| decided.score_of(side)), [8, 4]);
        assert_eq!(decided.legal().count(), 0);
    }

    #[test]
    fn to_and_fro_ends_at_the_move_limit_and_each_takes_its_own() {
        let mut rules = RulesetName::Mancala5000.rules();
        rules.direction = DirectionRule::Either;
        rules.empty_capture = false;
        let opening = "1,0,0,0,0,0,4,1,0,0,0,0,0,5".parse().unwrap();
        let mut game = Game::new(rules, opening, NonZeroU32::new(6).unwrap());
        while game.ending().is_none() {
            let ply = game
                .legal()
                .find(|ply| (ply.direction == Direction::Forward) == (ply.house.cell() == 0))
                .unwrap();
            game.play(ply).unwrap();
        }
        assert_eq!(game.ending(), Some(Ending::MoveLimit));
        assert_eq!(game.moves(), 6);
        assert_eq!([Side::First, Side::Second].map(|side| game.score_of(side)), [5, 6]);
    }
}
