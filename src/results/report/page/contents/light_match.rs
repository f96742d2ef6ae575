//! The values of a match by the light reading of its line.

use serde_json::from_str;

use crate::analysis::{AnalysedMatch, AnalysedMove, AnalysedRound, MoveJudgement};
use crate::contest::{LightMove, MatchConditions, MatchSummary};
use crate::rules::{Opening, Ruleset, Sower};
use crate::seat::PerSeat;
use crate::solve::JudgedMove;

/// A match with the values in its line, whose number in its tournament is `in_tournament`. `None` if
/// its moves or their values are impossible: such a record is invalid.
pub(super) fn light_match<'a>(
    summary: &'a MatchSummary<'_>,
    conditions: &MatchConditions<'_>,
    moves: &[Vec<LightMove>],
    in_tournament: Option<u64>,
) -> Option<AnalysedMatch<'a>> {
    let rules: Ruleset = from_str(conditions.rules.get()).ok()?;
    let opening: Opening = from_str(conditions.opening.0.get()).ok()?;
    let rounds = summary.rounds.iter().zip(moves).map(|(round, moves)| {
        let moves = judged_moves(&rules, opening, moves)?;
        Some(AnalysedRound { forfeited: round.forfeited, moves })
    });
    let rounds = rounds.collect::<Option<_>>()?;
    let [a, b] = &summary.names;
    Some(AnalysedMatch { names: PerSeat([&**a, &**b]), in_tournament, rules, opening, rounds })
}

/// The moves of a round; `None` if one of them, or its value, is impossible.
fn judged_moves(
    rules: &Ruleset,
    opening: Opening,
    moves: &[LightMove],
) -> Option<Vec<MoveJudgement>> {
    let sower = Sower::new(rules);
    let mut board = opening.board();
    let mut found = Vec::with_capacity(moves.len());
    for &LightMove { bot, house, direction, ref substitute, value, loss, .. } in moves {
        let seeds = i16::from(board.seeds());
        let is_possible = board.seeds_in(house) > 0
            && value.is_none_or(|value| (-seeds..=seeds).contains(&value))
            && loss.is_none_or(|loss| (0..=2 * seeds).contains(&loss));
        if !is_possible {
            return None;
        }
        found.push(MoveJudgement {
            bot,
            played: AnalysedMove { house, direction },
            is_own: substitute.is_none(),
            judged: JudgedMove { board, value, loss },
        });
        board = sower.sow(board, rules.ply(house, direction)).next();
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::analysis::judged_before;
    use crate::contest::{FileLine, read_file_line};
    use crate::record::parse_record;

    /// The line of a match whose only round has a move for each choice, with its value and its loss. All
    /// of them are bot 0's: the bot changes nothing here.
    fn line_with_values(choices: &[(usize, i16, i16)]) -> String {
        let rules = Ruleset::default();
        let (sower, opening) = (Sower::new(&rules), Opening::standard(&rules));
        let mut board = opening.board();
        let mut moves = Vec::new();
        for (choice, value, loss) in choices {
            let legal: Vec<_> = sower.legal(board).collect();
            let Some(ply) = legal.get(choice % legal.len().max(1)) else { break };
            let house = ply.house.cell();
            moves.push(format!(
                r#"{{"bot":0,"move":{house},"ms":0.1,"value":{value},"loss":{loss}}}"#
            ));
            board = sower.sow(board, *ply).next();
        }
        let (moves, cells) = (moves.join(","), "[3,3,3,3,3,3,0,3,3,3,3,3,3,0]");
        format!(
            r#"{{"format":"mancala-match/1","rules":{{"name":"learneroo","seeds":3,"opponent_store":"sow","direction":"forward","empty_capture":true}},"opening":{cells},"limits":{{}},"bots":[{{"name":"a","command":[]}},{{"name":"b","command":[]}}],"rounds":[{{"round":1,"first":0,"moves":[{moves}],"result":{{"reason":"completed","fault":null,"score":[0,0]}},"final":{cells}}}],"score":[0,0],"winner":null}}"#
        )
    }

    /// What the light reading of a line finds.
    fn light(line: &str) -> Option<String> {
        let mut moves = Vec::new();
        let Ok(FileLine::Match(summary, conditions)) =
            read_file_line(line.as_bytes(), Some(&mut moves))
        else {
            panic!("not a match: {line}");
        };
        let found = light_match(&summary, &conditions, &moves, None)?;
        Some(format!("{found:?}"))
    }

    proptest! {
        #[test]
        fn a_light_reading_finds_what_a_whole_one_does(
            choices in prop::collection::vec((0..6_usize, -36..=36_i16, 0..=72_i16), 0..60),
        ) {
            let line = line_with_values(&choices);
            let record = parse_record(line.as_bytes()).unwrap();
            let whole = AnalysedMatch::of_record(&record, &judged_before(&record));
            prop_assert_eq!(light(&line), Some(format!("{whole:?}")));
        }
    }

    #[test]
    fn impossible_moves_and_values_are_not_analysed() {
        for choice in [(0, 37, 0), (0, -37, 0), (0, i16::MIN, 0), (0, 0, -1), (0, 0, 73)] {
            assert_eq!(light(&line_with_values(&[choice])), None, "{choice:?}");
        }
        // The last seed of house 3 falls into the store, so that the same player is asked again.
        let once = line_with_values(&[(3, 0, 0)]);
        let played = r#"{"bot":0,"move":3,"ms":0.1,"value":0,"loss":0}"#;
        assert_eq!(light(&once.replace(played, &format!("{played},{played}"))), None, "{once}");
    }
}
