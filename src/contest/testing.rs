//! Lines of a tournament's file for tests.

use serde_json::{Value, json};

use super::{Fixture, Plan};

/// The line of a match of two rounds with `faults`, all substituted.
pub fn match_line(
    plan: &Plan,
    fixture: &Fixture,
    faults: [u32; 2],
    winner: Option<usize>,
) -> String {
    let board = [3, 3, 3, 3, 3, 3, 0, 3, 3, 3, 3, 3, 3, 0];
    let substituted: Vec<Value> = [0, 1]
        .into_iter()
        .flat_map(|bot| vec![bot; faults[bot] as usize])
        .map(|bot| {
            json!({"bot": bot, "move": 1, "ms": 1.0, "substitute": {"kind": "timeout",
                "detail": "x"}})
        })
        .collect();
    let mut score = [36, 36];
    if let Some(winner) = winner {
        (score[winner], score[1 - winner]) = (40, 32);
    }
    let round = |number: usize| {
        let moves = if number == 0 { substituted.clone() } else { Vec::new() };
        json!({"round": number + 1, "first": number, "moves": moves,
            "result": {"reason": "completed", "fault": null, "score": score.map(|seeds| seeds / 2)}, "final": board})
    };
    let names = fixture.bots.0.map(|bot| json!({"name": plan.bots[bot].name, "command": ["x"]}));
    let record = json!({"format": "mancala-match/1",
        "tournament": {"id": plan.id(), "match": fixture.number, "opening": fixture.opening,
            "games": ["0000000000000001", "0000000000000002"]},
        "rules": {"name": "learneroo", "seeds": 3, "opponent_store": "sow",
            "direction": "forward", "empty_capture": true},
        "opening": board, "limits": {"move_time_ms": 1000}, "bots": names,
        "rounds": [round(0), round(1)], "score": score, "winner": winner});
    format!("{record}\n")
}
