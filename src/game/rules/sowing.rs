//! One move: sowing and capture, as additions from tables made at compile time.

use super::board::{Board, House, PlayerCells};
use super::ruleset::{Direction, DirectionRule, OpponentStore, Ruleset};

/// A move: a house of the player to move and the way its seeds are sown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ply {
    /// The house that is emptied.
    pub house: House,
    /// The direction its seeds are sown in.
    pub direction: Direction,
}

/// What a move did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sown {
    /// The board after sowing and capture, still in the mover's view and not swept.
    pub board: Board,
    /// Seeds captured, the own last seed among them; 0 when nothing was.
    pub captured: u8,
    /// Whether the mover moves again. False when the game is over.
    pub extra_turn: bool,
}

impl Sown {
    /// The board in the view of the player who moves next.
    pub const fn next(self) -> Board {
        if self.extra_turn { self.board } else { self.board.flipped() }
    }
}

/// A ruleset made ready for sowing. Cheap to copy.
#[derive(Clone, Copy, Debug)]
pub struct Sower {
    forward: &'static Track,
    backward: &'static Track,
    direction: DirectionRule,
    empty_capture: bool,
}

impl Sower {
    pub const fn new(rules: &Ruleset) -> Sower {
        let (forward, backward) = match rules.opponent_store {
            OpponentStore::Sow => (&SOW_FORWARD, &SOW_BACKWARD),
            OpponentStore::Skip => (&SKIP_FORWARD, &SKIP_BACKWARD),
        };
        Sower { forward, backward, direction: rules.direction, empty_capture: rules.empty_capture }
    }

    /// The moves the rules allow on `board`, in house order, forward before backward.
    /// None when the own houses are empty.
    pub fn legal(self, board: Board) -> impl Iterator<Item = Ply> + use<> {
        let directions = self.direction.directions();
        House::ALL.into_iter().filter(move |&house| board.seeds_in(house) > 0).flat_map(
            move |house| directions.iter().map(move |&direction| Ply { house, direction }),
        )
    }

    /// Plays a move without asking whether it is legal. A move from an empty house leaves the
    /// board as it is and passes the turn.
    #[inline]
    pub fn sow(self, board: Board, ply: Ply) -> Sown {
        let (Board { mut own, mut opponent }, last) = self.spread(board, ply);
        let mut captured = 0;
        if last < STORE && own.cell(last) == 1 {
            let facing = 5 - last;
            let prey = opponent.cell(facing);
            if prey > 0 || self.empty_capture {
                captured = prey + 1;
                own = own.cleared(last).with_stored(captured);
                opponent = opponent.cleared(facing);
            }
        }
        let board = Board { own, opponent };
        Sown { board, captured, extra_turn: last == STORE && !board.is_over() }
    }

    /// Spreads the seeds of a house without capturing: the board then, and the cell the last seed
    /// fell into, in the mover's view; of an empty house that house itself.
    #[inline]
    pub(crate) fn spread(self, board: Board, ply: Ply) -> (Board, u8) {
        let track = self.track(ply.direction);
        let origin = ply.house.cell();
        let seeds = board.own.cell(origin);
        let (laps, rest) = track.laps(seeds);
        let path = &track.paths[origin as usize][rest as usize];
        let mut own = PlayerCells(board.own.cleared(origin).0 + path.own);
        let mut opponent = PlayerCells(board.opponent.0 + path.opponent);
        if laps > 0 {
            own.0 += u64::from(laps) * track.lap.own;
            opponent.0 += u64::from(laps) * track.lap.opponent;
        }
        (Board { own, opponent }, path.last)
    }

    /// The cell that the last seed of a move falls into, in the mover's view; of an empty house
    /// that house itself.
    pub fn last_cell(self, board: Board, ply: Ply) -> u8 {
        let track = self.track(ply.direction);
        let (_, rest) = track.laps(board.seeds_in(ply.house));
        track.paths[usize::from(ply.house.cell())][usize::from(rest)].last
    }

    #[inline]
    const fn track(self, direction: Direction) -> &'static Track {
        match direction {
            Direction::Forward => self.forward,
            Direction::Backward => self.backward,
        }
    }
}

const STORE: u8 = 6;
const OPPONENT_STORE: u8 = 13;

/// The seeds a sowing adds to both rows, and the cell its last seed falls into.
#[derive(Clone, Copy, Debug)]
struct Path {
    own: u64,
    opponent: u64,
    last: u8,
}

/// The ring of cells for one direction and treatment of the opponent's store.
#[derive(Debug)]
struct Track {
    /// Cells in the ring: 14, or 13 without the opponent's store.
    length: u8,
    /// What a whole lap adds.
    lap: Path,
    /// `paths[house][n]`: what sowing `n` seeds adds, 0 to 13 of them. Whole laps end where they
    /// began, so the path of no seed ends in its own house.
    paths: [[Path; 14]; 6],
}

impl Track {
    #[inline]
    const fn laps(&self, seeds: u8) -> (u8, u8) {
        if seeds < self.length { (0, seeds) } else { (seeds / self.length, seeds % self.length) }
    }

    const fn new(direction: Direction, store: OpponentStore) -> Track {
        let length = match store {
            OpponentStore::Sow => 14,
            OpponentStore::Skip => 13,
        };
        let mut paths = [[Path { own: 0, opponent: 0, last: 0 }; 14]; 6];
        let mut house = 0;
        while house < 6 {
            let mut path = Path { own: 0, opponent: 0, last: house };
            let mut seeds = 0;
            while seeds < 14 {
                paths[house as usize][seeds] = path;
                path = path.and_one_more(direction, store);
                seeds += 1;
            }
            house += 1;
        }
        let mut lap = Path { own: 0, opponent: 0, last: 0 };
        let mut seeds = 0;
        while seeds < length {
            lap = lap.and_one_more(direction, store);
            seeds += 1;
        }
        Track { length, lap, paths }
    }
}

impl Path {
    const fn and_one_more(self, direction: Direction, store: OpponentStore) -> Path {
        let mut last = step(self.last, direction);
        if last == OPPONENT_STORE && matches!(store, OpponentStore::Skip) {
            last = step(last, direction);
        }
        if last < 7 {
            Path { own: self.own + (1 << (8 * last as u32)), last, ..self }
        } else {
            Path { opponent: self.opponent + (1 << (8 * (last - 7) as u32)), last, ..self }
        }
    }
}

const fn step(cell: u8, direction: Direction) -> u8 {
    match direction {
        Direction::Forward => (cell + 1) % 14,
        Direction::Backward => (cell + 13) % 14,
    }
}

static SOW_FORWARD: Track = Track::new(Direction::Forward, OpponentStore::Sow);
static SOW_BACKWARD: Track = Track::new(Direction::Backward, OpponentStore::Sow);
static SKIP_FORWARD: Track = Track::new(Direction::Forward, OpponentStore::Skip);
static SKIP_BACKWARD: Track = Track::new(Direction::Backward, OpponentStore::Skip);

#[cfg(test)]
mod tests {
    use super::super::ruleset::RulesetName;
    use super::*;

    fn ply(cell: u8, direction: Direction) -> Ply {
        Ply { house: House::new(cell).unwrap(), direction }
    }

    fn board(cells: [u8; 14]) -> Board {
        Board::from_cells(cells).unwrap()
    }

    #[test]
    fn the_example_turn_of_the_learneroo_text() {
        // The text leaves empty houses out; restored, own houses are 4 3 0 1 2 2, and four seeds
        // face the third house.
        let sower = Sower::new(&RulesetName::Learneroo.rules());
        let before = board([4, 3, 0, 1, 2, 2, 0, 5, 3, 2, 4, 1, 2, 0]);
        let first = sower.sow(before, ply(4, Direction::Forward));
        assert!(first.extra_turn);
        assert_eq!(first.captured, 0);
        assert_eq!(first.board.cells(), [4, 3, 0, 1, 0, 3, 1, 5, 3, 2, 4, 1, 2, 0]);
        let second = sower.sow(first.next(), ply(0, Direction::Forward));
        assert!(!second.extra_turn);
        assert_eq!(second.captured, 4);
        assert_eq!(second.board.cells(), [0, 4, 1, 2, 0, 3, 5, 5, 0, 2, 4, 1, 2, 0]);
    }

    #[test]
    fn backward_leaves_house_0_into_the_opponents_store_or_past_it() {
        let before = board([2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 3, 0]);
        let mut rules = RulesetName::Mancala5000.rules();
        let sown = Sower::new(&rules).sow(before, ply(0, Direction::Backward));
        assert_eq!(sown.board.cells(), [0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 4, 1]);
        rules.opponent_store = OpponentStore::Skip;
        let sown = Sower::new(&rules).sow(before, ply(0, Direction::Backward));
        assert_eq!(sown.board.cells(), [0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 4, 0]);
    }

    #[test]
    fn the_last_cell_is_where_the_last_seed_falls() {
        let before = board([2, 0, 0, 13, 0, 1, 0, 0, 0, 0, 0, 0, 3, 0]);
        let mut rules = RulesetName::Mancala5000.rules();
        let last = |rules: &Ruleset, cell, direction| {
            Sower::new(rules).last_cell(before, ply(cell, direction))
        };
        assert_eq!(last(&rules, 0, Direction::Forward), 2);
        assert_eq!(last(&rules, 0, Direction::Backward), 12);
        assert_eq!(last(&rules, 1, Direction::Forward), 1);
        assert_eq!(last(&rules, 3, Direction::Forward), 2);
        assert_eq!(last(&rules, 5, Direction::Forward), 6);
        rules.opponent_store = OpponentStore::Skip;
        assert_eq!(last(&rules, 0, Direction::Backward), 11);
        assert_eq!(last(&rules, 3, Direction::Forward), 3);
    }

    #[test]
    fn an_extra_turn_is_void_when_the_game_is_over() {
        let sower = Sower::new(&Ruleset::default());
        let sown = sower
            .sow(board([0, 0, 0, 0, 0, 1, 0, 3, 0, 0, 0, 0, 0, 0]), ply(5, Direction::Forward));
        assert!(sown.board.is_over());
        assert!(!sown.extra_turn);
    }

    #[test]
    fn a_move_from_an_empty_house_does_nothing() {
        let before = board([0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]);
        let sown = Sower::new(&Ruleset::default()).sow(before, ply(0, Direction::Forward));
        assert_eq!(sown, Sown { board: before, captured: 0, extra_turn: false });
    }
}
