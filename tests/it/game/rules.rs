//! The rules against numbers from outside, and against what must hold for any game.

use std::collections::HashSet;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;

use mancala_referee::protocol::{Start, ToBot, Turn, Who};
use mancala_referee::record::{BotRecord, MatchRecord, Reader, Terms};
use mancala_referee::referee::{Answer, MatchSetup, Players, ROUNDS, Trouble, play_match, verify};
use mancala_referee::rules::testing::{complete_games, perft};
use mancala_referee::rules::{
    Board, CELLS, Direction, DirectionRule, Game, House, IllegalMove, MAX_SEEDS, Opening,
    OpponentStore, Ply, Ruleset, RulesetName, SeedsAHouse, Side, Sower, Sown,
};
use mancala_referee::seat::{PerSeat, Seat};
use proptest::prelude::*;
use serde::Deserialize;

use crate::program::repository;

fn data(file: &str) -> String {
    let path: PathBuf = repository().join("tests/data").join(file);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A line of `sow_vectors.jsonl`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Vector {
    rules: RulesetName,
    direction: DirectionRule,
    empty_capture: bool,
    board: Board,
    #[serde(rename = "move")]
    house: House,
    sow: Direction,
    after: Board,
    captured: u8,
    extra_turn: bool,
    over: bool,
    #[serde(rename = "final")]
    score: Option<[u8; 2]>,
    #[expect(dead_code, reason = "shown when a vector fails")]
    kind: String,
}

#[test]
fn every_recorded_sow_is_reproduced() {
    let mut lines = 0;
    for line in data("sow_vectors.jsonl").lines() {
        let vector: Vector = serde_json::from_str(line).unwrap();
        let rules = Ruleset {
            direction: vector.direction,
            empty_capture: vector.empty_capture,
            ..vector.rules.rules()
        };
        let ply = Ply { house: vector.house, direction: vector.sow };
        let sown = Sower::new(&rules).sow(vector.board, ply);
        let expected =
            Sown { board: vector.after, captured: vector.captured, extra_turn: vector.extra_turn };
        assert_eq!(sown, expected, "{vector:?}");
        assert_eq!(sown.board.is_over(), vector.over, "{vector:?}");
        let swept = sown.board.swept();
        let score = vector.over.then_some([swept.store(), swept.opponent_store()]);
        assert_eq!(score, vector.score, "{vector:?}");

        // The same through a game, which looks at the opening's other side too.
        if let Ok(opening) = Opening::new(vector.board) {
            let mut game = Game::new(rules, opening, Terms::default().max_moves);
            assert!(game.legal().any(|legal| legal == ply), "{vector:?}");
            assert_eq!(game.play(ply), Ok(expected), "{vector:?}");
            assert_eq!(game.ending().is_some(), vector.over, "{vector:?}");
            if let Some([first, second]) = vector.score {
                assert_eq!(
                    [Side::First, Side::Second].map(|side| game.score_of(side)),
                    [first, second]
                );
            }
        }
        lines += 1;
    }
    assert_eq!(lines, 1730);
}

#[test]
fn perft_agrees_with_published_numbers() {
    let mut rows = 0;
    for row in data("perft.txt").lines().filter(|line| !line.starts_with('#')) {
        let mut words = row.split_whitespace();
        let name: RulesetName = words.next().unwrap().parse().unwrap();
        let direction: DirectionRule = words.next().unwrap().parse().unwrap();
        let rules = Ruleset { direction, ..name.rules() };
        let opening = Opening::standard(&rules).board();
        let counts: Vec<u64> = words.map(|count| count.parse().unwrap()).collect();
        assert_eq!(counts.len(), 8);
        for (depth, &count) in (1..).zip(&counts) {
            let found = perft(Sower::new(&rules), opening, depth);
            assert_eq!(found, count, "{name} {direction}, depth {depth}");
        }
        rows += 1;
    }
    assert_eq!(rows, 7);
}

/// With one seed a house every game can be played out: games, and moves of the longest.
fn one_seed_games(direction: DirectionRule, opponent_store: OpponentStore) -> (u64, u32) {
    let seeds = SeedsAHouse::new(1).unwrap();
    let rules = Ruleset { seeds, direction, opponent_store, ..RulesetName::Mancala5000.rules() };
    complete_games(Sower::new(&rules), Opening::standard(&rules).board())
}

#[test]
fn the_one_seed_game_sown_into_the_opponents_store_is_counted_to_its_ends() {
    let games = one_seed_games(DirectionRule::Forward, OpponentStore::Sow);
    assert_eq!(games, (46_391_909, 37));
}

#[test]
fn the_one_seed_game_past_the_opponents_store_is_counted_to_its_ends() {
    let games = one_seed_games(DirectionRule::Forward, OpponentStore::Skip);
    assert_eq!(games, (46_391_909, 37));
}

#[test]
fn the_one_seed_game_backward_is_counted_to_its_ends() {
    let (games, _) = one_seed_games(DirectionRule::Backward, OpponentStore::Sow);
    assert_eq!(games, 52_599_989);
}

#[test]
fn the_fair_openings_are_openings_one_or_two_seeds_from_the_standard_one() {
    let standard = Opening::standard(&RulesetName::Ece1021.rules()).board().cells();
    let mut seen = HashSet::new();
    for line in data("fairkalah.txt").lines() {
        let opening: Opening = line.parse().unwrap_or_else(|error| panic!("{line}: {error}"));
        let board = opening.board();
        assert_eq!(board.seeds(), 48, "{line}");
        let apart: u32 =
            standard.iter().zip(board.cells()).map(|(a, b)| u32::from(a.abs_diff(b))).sum();
        assert!(apart == 2 || apart == 4, "{line}");
        assert!(seen.insert(board.cells()), "{line} stands twice");
    }
    assert_eq!(seen.len(), 254);
}

pub fn any_rules() -> impl Strategy<Value = Ruleset> {
    let directions = vec![DirectionRule::Forward, DirectionRule::Backward, DirectionRule::Either];
    (
        prop::sample::select(RulesetName::ALL.as_slice()),
        1_u8..=20,
        prop::sample::select(vec![OpponentStore::Sow, OpponentStore::Skip]),
        prop::sample::select(directions),
        any::<bool>(),
    )
        .prop_map(|(name, seeds, opponent_store, direction, empty_capture)| Ruleset {
            name,
            seeds: SeedsAHouse::new(seeds).unwrap(),
            opponent_store,
            direction,
            empty_capture,
        })
}

/// Boards with few seeds and with many, some with all that still fit heaped on one cell.
fn any_board() -> impl Strategy<Value = Board> {
    let most = u8::try_from(usize::from(MAX_SEEDS) / CELLS).unwrap();
    (1..=most, any::<bool>(), 0..CELLS).prop_flat_map(|(most, heaped, at)| {
        prop::array::uniform14(0..=most).prop_map(move |mut cells| {
            if heaped {
                let seeds: u16 = cells.iter().copied().map(u16::from).sum();
                cells[at] += u8::try_from(MAX_SEEDS - seeds).unwrap();
            }
            Board::from_cells(cells).unwrap()
        })
    })
}

fn any_opening() -> impl Strategy<Value = Opening> {
    any_board().prop_filter_map("a side is empty", |board| Opening::new(board).ok())
}

/// The standard opening of the rules, or any other.
pub fn rules_and_opening() -> impl Strategy<Value = (Ruleset, Opening)> {
    (any_rules(), prop::option::of(any_opening()))
        .prop_map(|(rules, opening)| (rules, opening.unwrap_or_else(|| Opening::standard(&rules))))
}

const ALL_PLIES: [Ply; 12] = {
    let mut plies = [Ply { house: House::ALL[0], direction: Direction::Forward }; 12];
    let mut index = 0;
    while index < 12 {
        plies[index].house = House::ALL[index / 2];
        if index % 2 == 1 {
            plies[index].direction = Direction::Backward;
        }
        index += 1;
    }
    plies
};

/// The rules again, in the plainest way: one seed after another.
fn sown_by_hand(rules: &Ruleset, board: Board, ply: Ply) -> Sown {
    let mut cells = board.cells();
    let mut cell = usize::from(ply.house.cell());
    let seeds = std::mem::take(&mut cells[cell]);
    for _ in 0..seeds {
        loop {
            cell = match ply.direction {
                Direction::Forward => (cell + 1) % 14,
                Direction::Backward => (cell + 13) % 14,
            };
            if cell != 13 || rules.opponent_store == OpponentStore::Sow {
                break;
            }
        }
        cells[cell] += 1;
    }
    let mut captured = 0;
    if cell < 6 && cells[cell] == 1 && (rules.empty_capture || cells[12 - cell] > 0) {
        captured = 1 + cells[12 - cell];
        cells[6] += captured;
        cells[cell] = 0;
        cells[12 - cell] = 0;
    }
    let over = cells[0..6] == [0; 6] || cells[7..13] == [0; 6];
    Sown { board: Board::from_cells(cells).unwrap(), captured, extra_turn: cell == 6 && !over }
}

/// A source of choices that is the same for the same seed, on every machine.
struct Choices(u64);

impl Choices {
    fn below(&mut self, end: usize) -> usize {
        // splitmix64; the slight bias of the remainder does no harm here.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) % (end as u64)).unwrap()
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_sow_conserves_seeds_and_agrees_with_the_reference(
        rules in any_rules(),
        board in any_board(),
    ) {
        for ply in ALL_PLIES.into_iter().filter(|ply| board.seeds_in(ply.house) > 0) {
            let sown = Sower::new(&rules).sow(board, ply);
            prop_assert_eq!(sown.board.seeds(), board.seeds());
            prop_assert_eq!(sown.board.swept().seeds(), board.seeds());
            prop_assert_eq!(sown, sown_by_hand(&rules, board, ply));
        }
    }

    #[test]
    fn exactly_the_legal_moves_can_be_played(
        (rules, opening) in rules_and_opening(),
        seed in any::<u64>(),
    ) {
        let mut choices = Choices(seed);
        let mut game = Game::new(rules, opening, NonZeroU32::new(40).unwrap());
        loop {
            let legal: Vec<Ply> = game.legal().collect();
            let houses: Vec<House> = game.legal_houses().collect();
            let mut of_legal: Vec<House> = legal.iter().map(|ply| ply.house).collect();
            of_legal.dedup();
            prop_assert_eq!(&of_legal, &houses);
            for ply in ALL_PLIES {
                let mut tried = game.clone();
                match tried.play(ply) {
                    Ok(_) => prop_assert!(legal.contains(&ply)),
                    Err(why) => {
                        prop_assert!(!legal.contains(&ply));
                        prop_assert_eq!(tried.board(), game.board());
                        prop_assert_eq!(tried.mover(), game.mover());
                        prop_assert_eq!(tried.moves(), game.moves());
                        let over = game.ending().is_some();
                        prop_assert_eq!(why == IllegalMove::GameOver, over);
                    }
                }
            }
            prop_assert_eq!(legal.is_empty(), game.ending().is_some());
            if legal.is_empty() {
                break;
            }
            game.play(legal[choices.below(legal.len())]).unwrap();
        }
    }

    #[test]
    fn every_game_ends_with_all_its_seeds_in_the_stores(
        (rules, opening) in rules_and_opening(),
        max_moves in 1_u32..1000,
        seed in any::<u64>(),
    ) {
        let mut choices = Choices(seed);
        let max_moves = NonZeroU32::new(max_moves).unwrap();
        let mut game = Game::new(rules, opening, max_moves);
        while game.ending().is_none() {
            prop_assert!(game.moves() < max_moves.get());
            let legal: Vec<Ply> = game.legal().collect();
            let mover = game.mover();
            let sown = game.play(legal[choices.below(legal.len())]).unwrap();
            let moves_again = game.mover() == mover && game.ending().is_none();
            prop_assert_eq!(sown.extra_turn, moves_again);
        }
        let score = [Side::First, Side::Second].map(|side| game.score_of(side));
        prop_assert_eq!(score[0] + score[1], opening.board().seeds());
        prop_assert_eq!(game.board_of(Side::First), game.board_of(Side::Second).flipped());
    }

    #[test]
    fn a_record_of_a_random_match_is_read_back_and_replays_to_itself(
        (rules, opening) in rules_and_opening(),
        max_moves in 1_u32..200,
        seed in any::<u64>(),
    ) {
        let record = played(rules, opening, max_moves, seed);
        prop_assert_eq!(verify(&record), Ok(()));
        for round in &record.rounds {
            prop_assert!(round.result.fault.is_none());
            let seeds: u8 = round.result.score.0.iter().sum();
            prop_assert_eq!(seeds, opening.board().seeds());
        }

        let line = serde_json::to_string(&record).unwrap();
        let read: Vec<_> = Reader::new(format!("{line}\n").as_bytes()).collect();
        prop_assert_eq!(read, vec![Ok((1, record.clone()))]);

        let mut other = record.clone();
        other.rounds[1].result.score.0.swap(0, 1);
        other.rounds[1].final_board = other.rounds[1].final_board.flipped();
        let draw = record.rounds[1].result.score.0[0] == record.rounds[1].result.score.0[1];
        prop_assert_eq!(verify(&other).is_ok(), draw);
    }
}

/// A match of two players that answer at once, with any legal move.
fn played(rules: Ruleset, opening: Opening, max_moves: u32, seed: u64) -> MatchRecord {
    let bot = |name: &str| BotRecord {
        name: name.to_owned(),
        command: vec![name.to_owned()],
        ..BotRecord::default()
    };
    let contest = MatchSetup {
        rules,
        opening,
        terms: Terms { max_moves: NonZeroU32::new(max_moves).unwrap(), ..Terms::default() },
        bots: PerSeat([bot("one"), bot("other")]),
        first: Seat::A,
        rounds: ROUNDS,
        hides_details: false,
    };
    let mut players = Instant { games: PerSeat::default(), choices: Choices(seed) };
    play_match(&contest, &mut players, &mut |_| {}).unwrap()
}

/// Two players that answer at once with any legal move. Each keeps a game of its own by what it
/// is told, and insists that it comes to the board it is sent.
struct Instant {
    games: PerSeat<Option<(Side, Game)>>,
    choices: Choices,
}

impl Instant {
    fn start(&mut self, seat: Seat, start: &Start) {
        let side = if start.first { Side::First } else { Side::Second };
        let opening = match side {
            Side::First => start.board,
            Side::Second => start.board.flipped(),
        };
        let opening = Opening::new(opening).unwrap();
        self.games[seat] = Some((side, Game::new(start.rules, opening, NonZeroU32::MAX)));
    }

    fn choose(&mut self, seat: Seat, turn: &Turn) -> String {
        let (side, game) = self.games[seat].as_mut().expect("a start comes before a turn");
        let rule = game.rules().direction;
        for played in &turn.moves {
            assert_eq!(played.by == Who::You, game.mover() == *side);
            assert_eq!(played.direction.is_some(), rule.is_a_choice());
            let direction = played.direction.unwrap_or(rule.directions()[0]);
            game.play(Ply { house: played.house, direction }).unwrap();
        }
        assert_eq!(game.mover(), *side);
        assert_eq!(game.board(), turn.board);
        assert_eq!(game.legal_houses().collect::<Vec<_>>(), turn.legal);

        let house = turn.legal[self.choices.below(turn.legal.len())];
        match (self.choices.below(4), rule) {
            (0, DirectionRule::Either) => {
                format!(r#"{{"move":{house},"direction":"backward","info":[]}}"#)
            }
            (1, rule) => {
                let direction = rule.directions()[0];
                format!(r#"{{"move":{house},"direction":"{direction}"}}"#)
            }
            (2, _) => format!(r#" {{"info": {{"depth": 4}}, "move": {house}}} "#),
            _ => house.to_string(),
        }
    }
}

impl Players for Instant {
    fn ready(&mut self, _: Seat) -> Result<bool, Trouble> {
        Ok(false)
    }

    fn send(&mut self, seat: Seat, message: &ToBot) {
        match message {
            ToBot::Start(start) => self.start(seat, start),
            ToBot::End(_) => self.games[seat] = None,
            ToBot::Turn(_) | ToBot::Unknown => panic!("{message:?} is not to be told"),
        }
    }

    fn ask(
        &mut self,
        seat: Seat,
        message: &ToBot,
        late_after: Duration,
    ) -> Result<Answer, Trouble> {
        assert!(late_after >= Duration::from_secs(1));
        let ToBot::Turn(turn) = message else { panic!("{message:?} wants no answer") };
        let line = self.choose(seat, turn).into_bytes();
        let micros = u64::try_from(self.choices.below(1_000_000)).unwrap();
        Ok(Answer { line, time: Duration::from_micros(micros), surplus: Vec::new() })
    }

    fn stop(&mut self, seat: Seat) {
        panic!("{seat:?} did nothing wrong");
    }

    fn stderr_tail(&mut self, _: Seat) -> String {
        String::new()
    }
}
