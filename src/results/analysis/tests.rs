//! What a summary promises, over random matches.

use proptest::prelude::*;

use super::{AnalysedMatch, AnalysisRow, JudgedMatch, MatchPlace, Phases, Summary};
use crate::record::MatchRecord;
use crate::rules::Board;
use crate::solve::JudgedMove;

/// One round: who forfeited it, if anybody, and the moves of both bots with what is known of them.
#[derive(Clone, Debug)]
struct TestRound {
    forfeit: Option<usize>,
    moves: Vec<TestMove>,
}

/// The bot, the house, and the value and the loss if they are known.
type TestMove = (usize, u8, Option<(i16, i16)>);

/// A match of two bots of the four, by their numbers.
#[derive(Clone, Debug)]
struct TestMatch {
    bots: [usize; 2],
    rounds: Vec<TestRound>,
}

fn round() -> impl Strategy<Value = TestRound> {
    let known = prop::option::weighted(0.8, (-9_i16..=9, prop_oneof![Just(0_i16), 0_i16..=12]));
    let played = (0..2_usize, 1..=3_u8, known);
    let forfeit = prop::option::weighted(0.3, 0..2_usize);
    (forfeit, prop::collection::vec(played, 0..20))
        .prop_map(|(forfeit, moves)| TestRound { forfeit, moves })
}

fn matches() -> impl Strategy<Value = Vec<TestMatch>> {
    let bots = (0..4_usize, 1..4_usize).prop_map(|(a, step)| [a, (a + step) % 4]);
    let one = (bots, prop::collection::vec(round(), 1..3));
    prop::collection::vec(one.prop_map(|(bots, rounds)| TestMatch { bots, rounds }), 0..12)
}

fn record(played: &TestMatch) -> (MatchRecord, JudgedMatch) {
    let round = |(number, round): (u32, &TestRound)| {
        let moves: Vec<String> = round
            .moves
            .iter()
            .map(|(bot, _, _)| format!(r#"{{"bot":{bot},"move":0,"ms":0.1}}"#))
            .collect();
        let fault = round.forfeit.map_or("null".to_owned(), |bot| {
            format!(
                r#"{{"bot":{bot},"kind":"exited","detail":"","board":[1,1,1,1,1,1,0,1,1,1,1,1,1,0],"stderr":""}}"#
            )
        });
        let reason = if round.forfeit.is_some() { "exited" } else { "completed" };
        let moves = moves.join(",");
        format!(
            r#"{{"round":{number},"first":0,"moves":[{moves}],"result":{{"reason":"{reason}","fault":{fault},"score":[6,6]}},"final":[1,1,1,1,1,1,0,1,1,1,1,1,1,0]}}"#
        )
    };
    let rounds: Vec<String> = (1..).zip(&played.rounds).map(round).collect();
    let [a, b] = played.bots;
    let text = format!(
        r#"{{"format":"mancala-match/1","rules":{{"name":"learneroo","seeds":1,"opponent_store":"sow","direction":"forward","empty_capture":true}},"opening":[1,1,1,1,1,1,0,1,1,1,1,1,1,0],"limits":{{}},"bots":[{{"name":"{a}","command":[]}},{{"name":"{b}","command":[]}}],"rounds":[{}],"score":[12,12],"winner":null}}"#,
        rounds.join(",")
    );
    // A third, two thirds or all of the opening's twelve seeds are in the houses.
    let board = |thirds: u8| {
        let mut cells = [0; 14];
        (cells[0], cells[7]) = (4 * thirds - 1, 1);
        Board::from_cells(cells).unwrap()
    };
    let judged = |round: &TestRound| {
        let judge = |&(_, thirds, known): &(usize, u8, Option<(i16, i16)>)| JudgedMove {
            board: board(thirds),
            value: known.map(|(value, _)| value),
            loss: known.map(|(_, loss)| loss),
        };
        round.moves.iter().map(judge).collect()
    };
    (serde_json::from_str(&text).unwrap(), played.rounds.iter().map(judged).collect())
}

fn place(number: usize) -> MatchPlace {
    MatchPlace { file: 0, number: number as u64, line: number as u64, bytes: 0..0 }
}

fn summary(matches: &[TestMatch], worst: usize) -> Summary {
    summary_in_order((1..).zip(matches), worst)
}

/// The same of matches with these numbers, in this order.
fn summary_in_order<'a>(
    matches: impl Iterator<Item = (usize, &'a TestMatch)>,
    worst: usize,
) -> Summary {
    let mut summary = Summary::with_worst(worst);
    for (number, played) in matches {
        let (record, judged) = record(played);
        summary.add(&place(number), &AnalysedMatch::of_record(&record, &judged));
    }
    summary
}

/// Whether a move was in a whole round, its phase, and the value and the loss if they are known.
type CountedMove = (bool, usize, Option<(i16, i16)>);

fn moves_of(matches: &[TestMatch], bot: usize) -> Vec<CountedMove> {
    let mut moves = Vec::new();
    for played in matches {
        for (round, seat) in played.rounds.iter().flat_map(|round| [(round, 0), (round, 1)]) {
            if played.bots[seat] == bot {
                let own = round.moves.iter().filter(|(by, _, _)| *by == seat);
                let phase = |thirds: u8| usize::from(3 - thirds);
                moves.extend(
                    own.map(|&(_, thirds, known)| (round.forfeit.is_none(), phase(thirds), known)),
                );
            }
        }
    }
    moves
}

/// Rounds of a bot: whole ones, those it forfeited, those its opponent did.
fn rounds_of(matches: &[TestMatch], bot: usize) -> [u64; 3] {
    let mut count = [0; 3];
    for played in matches {
        for (round, seat) in played.rounds.iter().flat_map(|round| [(round, 0), (round, 1)]) {
            if played.bots[seat] == bot {
                count[round.forfeit.map_or(0, |by| if by == seat { 1 } else { 2 })] += 1;
            }
        }
    }
    count
}

fn is_near(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-9 * (1.0 + a.abs())
}

proptest! {
    #[test]
    fn rows_count_what_was_played(matches in matches()) {
        let analysis = summary(&matches, 0).analysis();
        prop_assert_eq!(analysis.matches, matches.len() as u64);
        for row in &analysis.rows {
            let bot = row.name.parse().unwrap();
            let moves = moves_of(&matches, bot);
            let [whole, forfeits, others] = rounds_of(&matches, bot);
            prop_assert_eq!((row.rounds, row.forfeits), (whole + forfeits + others, forfeits));
            let losses = |phase: Option<usize>| -> Vec<i16> {
                let of_phase = moves.iter().filter(|(_, of, _)| phase.is_none_or(|it| it == *of));
                of_phase.filter_map(|(_, _, known)| known.map(|(_, loss)| loss)).collect()
            };
            let known = losses(None);
            let lost: i16 = known.iter().sum();
            prop_assert_eq!((row.moves, row.solved), (moves.len() as u64, known.len() as u64));
            prop_assert_eq!(row.exact, known.iter().filter(|&&loss| loss == 0).count() as u64);
            prop_assert_eq!(row.seeds_lost, u64::from(lost.unsigned_abs()));
            prop_assert!(row.blunders + row.exact <= row.solved);
            let in_whole = moves.iter().filter(|(is_whole, ..)| *is_whole).count() as f64;
            let is_known = in_whole > 0.0 && row.solved > 0;
            prop_assert_eq!(row.lost_a_round.is_some(), is_known);
            // Each phase counts by its own judged moves, or by all where it has none.
            let mean = |of: &[i16]| f64::from(of.iter().sum::<i16>()) / of.len() as f64;
            let Phases { opening, middle, end } = row.by_phase;
            let mut sum = 0.0;
            for (phase, found) in [opening, middle, end].into_iter().enumerate() {
                let of_phase = moves.iter().filter(|(is_whole, of, _)| *is_whole && *of == phase);
                let (own, in_a_round) = (losses(Some(phase)), of_phase.count() as f64 / whole as f64);
                let is_own = !own.is_empty() || in_a_round == 0.0;
                prop_assert_eq!(found.is_some(), is_known && is_own);
                if is_known && in_a_round > 0.0 {
                    let expected = in_a_round * mean(if own.is_empty() { &known } else { &own });
                    let near = found.is_none_or(|found| is_near(found, expected));
                    prop_assert!(near, "{:?} {}", found, expected);
                    sum += expected;
                }
            }
            if let Some(found) = row.lost_a_round {
                prop_assert!(is_near(found, sum), "{} {}", found, sum);
            }
            // A rank needs half of the moves of the rounds that it played or forfeited.
            let judged = row.solved as f64 * 2.0 * whole as f64;
            let is_half = is_known && judged >= in_whole * (whole + forfeits) as f64;
            prop_assert_eq!(row.rank.is_some(), is_half, "{:?}", row);
        }
    }

    #[test]
    fn ranks_are_by_seeds_given_away_a_round(matches in matches()) {
        let rows = summary(&matches, 0).analysis().rows;
        let ranked: Vec<&AnalysisRow> = rows.iter().take_while(|row| row.rank.is_some()).collect();
        prop_assert!(rows[ranked.len()..].iter().all(|row| row.rank.is_none()));
        for row in &ranked {
            let lost = row.lost_a_round.unwrap();
            let better = ranked.iter().filter(|other| other.lost_a_round.unwrap() < lost).count();
            prop_assert_eq!(row.rank, Some(better as u64 + 1));
        }
    }

    #[test]
    fn the_order_of_matches_changes_nothing(matches in matches()) {
        let numbered: Vec<(usize, &TestMatch)> = (1..).zip(&matches).collect();
        let forth = summary_in_order(numbered.iter().copied(), 5);
        let back = summary_in_order(numbered.into_iter().rev(), 5);
        prop_assert_eq!(forth.analysis(), back.analysis());
        prop_assert_eq!(forth.worst.places(), back.worst.places());
    }

    #[test]
    fn forfeits_without_a_judged_move_change_no_seeds_given_away(matches in matches(), bot in 0..4_usize) {
        let before = summary(&matches, 0).analysis();
        let forfeit = TestRound { forfeit: Some(0), moves: Vec::new() };
        let more = TestMatch { bots: [bot, (bot + 1) % 4], rounds: vec![forfeit; 2] };
        let after = summary(&[matches, vec![more]].concat(), 0).analysis();
        for row in &before.rows {
            let now = after.rows.iter().find(|now| now.name == row.name).unwrap();
            prop_assert_eq!(now.lost_a_round, row.lost_a_round);
            prop_assert_eq!(now.forfeits, row.forfeits + if row.name == bot.to_string() { 2 } else { 0 });
        }
    }

    #[test]
    fn the_worst_moves_are_those_with_the_greatest_losses(matches in matches(), most in 1..9_usize) {
        let mut losses: Vec<i16> = (0..4)
            .flat_map(|bot| moves_of(&matches, bot))
            .filter_map(|(_, _, known)| known.map(|(_, loss)| loss).filter(|&loss| loss > 0))
            .collect();
        losses.sort_unstable_by(|a, b| b.cmp(a));
        losses.truncate(most);
        prop_assert_eq!(summary(&matches, most).worst.losses(), losses);
    }
}
