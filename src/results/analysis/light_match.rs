//! The values of a match by the light reading of its line.

use serde_json::from_str;

use crate::analysis::{AnalysedMatch, AnalysedMove, AnalysedRound, MoveJudgement};
use crate::contest::{LightMove, MatchConditions, MatchSummary};
use crate::referee::RecordedValues;
use crate::rules::{Opening, Ruleset, Sower};
use crate::seat::{PerSeat, Seat};
use crate::solve::JudgedMove;

/// A match with the values in its line, whose number in its tournament is `in_tournament`. `None` if
/// its moves or their values are impossible: such a record is invalid.
pub fn light_match<'a>(
    summary: &'a MatchSummary<'_>,
    conditions: &MatchConditions<'_>,
    moves: &[Vec<LightMove>],
    in_tournament: Option<u64>,
) -> Option<AnalysedMatch<'a>> {
    let rules: Ruleset = from_str(conditions.rules.get()).ok()?;
    let opening: Opening = from_str(conditions.opening.0.get()).ok()?;
    let rounds = summary.rounds.iter().zip(moves).map(|(round, moves)| {
        let moves = judged_moves(&rules, opening, round.first, moves)?;
        Some(AnalysedRound { forfeited: round.forfeited, moves })
    });
    let rounds = rounds.collect::<Option<_>>()?;
    let [a, b] = &summary.names;
    Some(AnalysedMatch { names: PerSeat([&**a, &**b]), in_tournament, rules, opening, rounds })
}

/// The moves of a round that began with `first`; `None` if one of them, or its value, is impossible.
fn judged_moves(
    rules: &Ruleset,
    opening: Opening,
    first: Seat,
    moves: &[LightMove],
) -> Option<Vec<MoveJudgement>> {
    let sower = Sower::new(rules);
    let (mut board, mut turn_of) = (opening.board(), first);
    let mut values = RecordedValues::default();
    let mut found = Vec::with_capacity(moves.len());
    for (number, played) in (1..).zip(moves) {
        let LightMove { bot, house, direction, value, loss, .. } = *played;
        if bot != turn_of || board.seeds_in(house) == 0 {
            return None;
        }
        let is_only = sower.legal(board).nth(1).is_none();
        let sown = sower.sow(board, rules.ply(house, direction));
        values.check(number, (value, loss), board, is_only, sown).ok()?;
        found.push(MoveJudgement {
            bot,
            played: AnalysedMove { house, direction },
            is_own: played.substitute.is_none(),
            judged: JudgedMove { board, value, loss },
        });
        turn_of = if sown.extra_turn { turn_of } else { !turn_of };
        board = sown.next();
    }
    values.finish(board).ok()?;
    Some(found)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::analysis::judged_before;
    use crate::contest::{FileLine, LineMoves, read_file_line};
    use crate::record::parse_record;
    use crate::rules::{Board, Ply};

    /// A move of a round: who made it, the ply, and its value and loss.
    type TestPly = (Seat, Ply, i16, i16);

    /// A round in which each move is chosen by the first number of a choice, and gives away twice the
    /// second number of seeds if it can.
    fn round_of(choices: &[(usize, i16)]) -> Vec<TestPly> {
        let sower = Sower::new(&Ruleset::default());
        let (mut board, mut turn_of) = (Opening::standard(&Ruleset::default()).board(), Seat::A);
        let mut played: Vec<(Seat, Ply, Board, bool, i16)> = Vec::new();
        for (choice, given) in choices {
            let legal: Vec<Ply> = sower.legal(board).collect();
            let Some(&ply) = legal.get(choice % legal.len().max(1)) else { break };
            if board.is_over() {
                break;
            }
            played.push((turn_of, ply, board, legal.len() == 1, *given));
            let sown = sower.sow(board, ply);
            turn_of = if sown.extra_turn { turn_of } else { !turn_of };
            board = sown.next();
        }
        // As if all that is left were the next mover's.
        let mut next = board.without_stores().swept().lead();
        if !board.is_over() {
            next = i16::from(board.without_stores().seeds());
        }
        let mut moves: Vec<TestPly> = Vec::new();
        for (bot, ply, board, is_only, given) in played.into_iter().rev() {
            let sown = sower.sow(board, ply);
            let gain = sown.board.lead() - board.lead();
            let kept = gain + if sown.extra_turn { next } else { -next };
            let most = (i16::from(board.without_stores().seeds()) - kept) / 2;
            let loss = if is_only { 0 } else { 2 * given.min(most) };
            next = kept + loss;
            moves.push((bot, ply, next, loss));
        }
        moves.reverse();
        moves
    }

    /// The line of a match with this round.
    fn line(moves: &[TestPly]) -> String {
        let moves = moves.iter().map(|(bot, ply, value, loss)| {
            let (bot, house) = (u8::from(*bot), ply.house.cell());
            format!(r#"{{"bot":{bot},"move":{house},"ms":0.1,"value":{value},"loss":{loss}}}"#)
        });
        let moves = moves.collect::<Vec<_>>().join(",");
        let cells = "[3,3,3,3,3,3,0,3,3,3,3,3,3,0]";
        format!(
            r#"{{"format":"mancala-match/1","rules":{{"name":"learneroo","seeds":3,"opponent_store":"sow","direction":"forward","empty_capture":true}},"opening":{cells},"limits":{{}},"bots":[{{"name":"a","command":[]}},{{"name":"b","command":[]}}],"rounds":[{{"round":1,"first":0,"moves":[{moves}],"result":{{"reason":"completed","fault":null,"score":[0,0]}},"final":{cells}}}],"score":[0,0],"winner":null}}"#
        )
    }

    /// What the light reading of a line finds.
    fn light(line: &str) -> Option<String> {
        let (mut moves, mut rest) = (Vec::new(), Vec::new());
        let Ok(FileLine::Match(summary, conditions)) =
            read_file_line(line.as_bytes(), LineMoves::Read(&mut moves, &mut rest))
        else {
            panic!("not a match: {line}");
        };
        let found = light_match(&summary, &conditions, &moves, None)?;
        Some(format!("{found:?}"))
    }

    proptest! {
        #[test]
        fn a_light_reading_finds_what_a_whole_one_does(
            choices in prop::collection::vec((0..6_usize, 0..4_i16), 1..60),
            at: prop::sample::Index,
            by in prop_oneof![-3..0_i16, 1..4_i16],
        ) {
            let mut moves = round_of(&choices);
            let sound = line(&moves);
            let record = parse_record(sound.as_bytes()).unwrap();
            let whole = AnalysedMatch::of_record(&record, &judged_before(&record));
            prop_assert_eq!(light(&sound), Some(format!("{whole:?}")));
            // A loss that is another one fits nothing any more, but for that of a last move.
            let at = at.index(moves.len());
            moves[at].3 += by;
            if at + 1 < moves.len() {
                prop_assert_eq!(light(&line(&moves)), None);
            }
            moves[at].3 -= by;
            moves[at].0 = !moves[at].0;
            prop_assert_eq!(light(&line(&moves)), None);
        }
    }

    #[test]
    fn a_move_from_an_empty_house_is_not_analysed() {
        // The last seed of house 3 falls into the store, so that the same player is asked again.
        let [played, ..] = round_of(&[(3, 0), (0, 0)])[..] else { panic!("a round") };
        assert!(light(&line(&[played])).is_some());
        assert_eq!(light(&line(&[played, played])), None);
    }
}
