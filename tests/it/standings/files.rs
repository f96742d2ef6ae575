//! Files of tournaments, made by hand.

use serde_json::{Value, json};

/// The identity of every tournament here.
pub const ID: &str = "00000000000000aa";

/// The first line of a tournament's file.
pub fn header(bots: &[&str], count: u64, shard: [u32; 2]) -> String {
    header_with(bots, count, shard, &json!({}))
}

/// The first line of a tournament's file whose plan has more fields.
pub fn header_with(bots: &[&str], count: u64, shard: [u32; 2], more: &Value) -> String {
    let bots: Vec<Value> =
        bots.iter().map(|name| json!({"name": name, "command": ["x"]})).collect();
    let mut plan = json!({"format": "round-robin", "count": count, "repeat": 1, "bots": bots});
    for (key, value) in more.as_object().unwrap() {
        plan[key] = value.clone();
    }
    let header = json!({"format": "mancala-tournament/1", "id": ID, "plan": plan, "shard": shard});
    format!("{header}\n")
}

/// A note.
pub fn note(kind: &str, number: Option<u64>, bot: Option<&str>, detail: &str) -> String {
    let note = json!({"format": "mancala-note/1", "tournament": ID, "match": number, "note": kind,
        "bot": bot, "detail": detail});
    format!("{note}\n")
}

/// A match of two rounds; the first bot begins the first of them.
#[derive(Clone)]
pub struct Played {
    pub record: Value,
}

impl Played {
    /// Match `number` of the tournament, with the seeds of each round.
    pub fn new(number: u64, names: [&str; 2], scores: [[u8; 2]; 2]) -> Played {
        let board = [3, 3, 3, 3, 3, 3, 0, 3, 3, 3, 3, 3, 3, 0];
        let round = |index: usize| {
            json!({"round": index + 1, "first": index, "moves": [],
                "result": {"reason": "completed", "fault": null, "score": scores[index]},
                "final": board})
        };
        let score = [0, 1].map(|seat| u32::from(scores[0][seat]) + u32::from(scores[1][seat]));
        let winner = match score[0].cmp(&score[1]) {
            std::cmp::Ordering::Greater => json!(0),
            std::cmp::Ordering::Less => json!(1),
            std::cmp::Ordering::Equal => Value::Null,
        };
        let games = [0, 1].map(|round| format!("{:016x}", (number * 2 + round) << 57 | number));
        let record = json!({"format": "mancala-match/1",
            "tournament": {"id": ID, "match": number, "opening": 1, "games": games},
            "rules": {"name": "learneroo", "seeds": 3, "opponent_store": "sow",
                "direction": "forward", "empty_capture": true},
            "opening": board, "limits": {"move_time_ms": 1000},
            "bots": names.map(|name| json!({"name": name, "command": ["x"]})),
            "rounds": [round(0), round(1)], "score": score, "winner": winner});
        Played { record }
    }

    /// A fault of a bot ended that round.
    pub fn fault(mut self, round: usize, bot: usize, kind: &str) -> Played {
        let result = &mut self.record["rounds"][round]["result"];
        result["reason"] = kind.into();
        let board = [3, 3, 3, 3, 3, 3, 0, 3, 3, 3, 3, 3, 3, 0];
        result["fault"] =
            json!({"bot": bot, "kind": kind, "detail": "x", "board": board, "stderr": ""});
        self
    }

    /// With the record changed.
    pub fn with(mut self, change: impl FnOnce(&mut Value)) -> Played {
        change(&mut self.record);
        self
    }
}

/// The records, one a line.
pub fn lines(matches: &[Played]) -> String {
    let lines: Vec<String> = matches.iter().map(|played| played.record.to_string()).collect();
    lines.join("\n") + "\n"
}
