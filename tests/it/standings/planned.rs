//! Matches made by hand, given the numbers, openings and seats that their plan has for them.

use std::collections::{HashMap, HashSet};

use mancala_contest::{Pairings, PlanFields, Schedule};
use mancala_referee::record::{Digest, MatchRecord, RoundRecord};
use serde_json::{Value, json};

use super::ABC;
use super::files::{Played, header, header_with, lines, note};
use crate::program::mancala;

/// The text of a file whose matches are those of its plans. A match whose number is of another pair
/// of bots gets the first free number of its own pair.
pub fn planned(text: &str) -> String {
    let mut plans: HashMap<String, (Schedule, Vec<String>)> = HashMap::new();
    let mut taken = HashSet::new();
    let mut planned = String::new();
    for line in text.split_inclusive('\n') {
        let Ok(mut value) = serde_json::from_str::<Value>(line) else {
            planned.push_str(line);
            continue;
        };
        if let Ok(plan) = serde_json::from_value::<PlanFields>(value["plan"].clone())
            && let (Ok(schedule), Some(id)) = (plan.schedule(), value["id"].as_str())
        {
            let names = plan.bots.iter().map(|bot| bot.name.clone()).collect();
            plans.insert(id.to_owned(), (schedule, names));
            taken.clear();
        }
        let id = value["tournament"]["id"].as_str().unwrap_or_default().to_owned();
        let is_changed = plans.get(&id).is_some_and(|(schedule, names)| {
            put_in_place(&mut value, schedule, names, |number| taken.insert((id.clone(), number)))
        });
        if is_changed {
            planned.push_str(&format!("{value}\n"));
        } else {
            planned.push_str(line);
        }
    }
    planned
}

/// Changes a record; false if it is of bots that do not meet in the plan.
fn put_in_place(
    record: &mut Value,
    schedule: &Schedule,
    names: &[String],
    mut is_free: impl FnMut(u64) -> bool,
) -> bool {
    let place = |seat: usize| names.iter().position(|name| record["bots"][seat]["name"] == **name);
    let (Some(one), Some(other)) = (place(0), place(1)) else { return false };
    if schedule.pairings == Pairings::Swiss {
        return false;
    }
    let Some(number) = record["tournament"]["match"].as_u64() else { return false };
    let is_of_pair = |number: &u64| {
        let fixture = schedule.fixture(*number);
        fixture.is_some_and(|of| [[one, other], [other, one]].contains(&of.bots.0))
    };
    let own = Some(number).filter(is_of_pair).into_iter();
    let of_pair = (0..).map_while(|cycle| schedule.number_of([one, other], cycle));
    let Some(number) = own.chain(of_pair).find(|number| is_free(*number)) else { return false };
    let Some(fixture) = schedule.fixture(number) else { return false };
    record["tournament"]["match"] = json!(number);
    record["tournament"]["opening"] = json!(fixture.opening);
    if fixture.bots.0 == [other, one] {
        turn(record);
    }
    true
}

/// Changes the seats of the two bots. What each of them did stays as it is.
fn turn(record: &mut Value) {
    let reverse = |pair: &mut Value| pair.as_array_mut().unwrap().reverse();
    let other_seat = |seat: &mut Value| {
        if let Some(number) = seat.as_u64() {
            *seat = json!(1 - number);
        }
    };
    let games = games_of(record);
    reverse(&mut record["bots"]);
    reverse(&mut record["score"]);
    other_seat(&mut record["winner"]);
    for round in record["rounds"].as_array_mut().unwrap() {
        other_seat(&mut round["first"]);
        round["moves"].as_array_mut().unwrap().iter_mut().for_each(|it| other_seat(&mut it["bot"]));
        reverse(&mut round["result"]["score"]);
        if round["result"]["fault"].is_object() {
            other_seat(&mut round["result"]["fault"]["bot"]);
        }
    }
    // The digests of a game that was made up stay as they are.
    if games.is_some_and(|games| games == record["tournament"]["games"]) {
        record["tournament"]["games"] = games_of(record).unwrap();
    }
}

/// The digests of the games of a record.
pub fn games_of(record: &Value) -> Option<Value> {
    let record: MatchRecord = serde_json::from_value(record.clone()).ok()?;
    let digest =
        |round: &RoundRecord| Digest::of_game(&record.rules, &record.opening, &round.moves);
    serde_json::to_value(record.rounds.iter().map(digest).collect::<Vec<_>>()).ok()
}

#[test]
fn matches_that_contradict_the_plan_are_refused() {
    let all: Vec<Played> = [["b", "c"], ["c", "a"], ["a", "b"], ["b", "c"], ["c", "a"], ["a", "b"]]
        .into_iter()
        .zip(1..)
        .map(|(names, number)| Played::new(number, names, [[20, 16], [19, 17]]))
        .collect();
    let text = planned(&(header(&ABC, 2, [1, 1]) + &lines(&all)));
    let refused = |text: &str, line: u64, why: &str| {
        for arguments in ["", "--times", "--format json"] {
            let outcome = mancala(["standings", "-"]).args(arguments.split_whitespace());
            outcome.stdin(text).run().failure(1, &format!("-:{line}: {why}"));
        }
        let outcome = mancala(["replay", "-"]).stdin(text).run().code(1);
        outcome.says(&format!(", line {line}: "));
    };
    mancala(["standings", "-"]).stdin(&*text).run().success();
    let changed = |place: usize, change: &dyn Fn(&mut Value)| {
        let mut lines: Vec<Value> =
            text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        change(&mut lines[place]);
        lines.iter().map(|line| line.to_string() + "\n").collect::<String>()
    };
    let with_number =
        |number: u64| changed(6, &|record| record["tournament"]["match"] = json!(number));
    // A copy of the first match in the place of the second.
    let copied = changed(2, &|record| {
        *record = serde_json::from_str(text.lines().nth(1).unwrap()).unwrap();
        record["tournament"]["match"] = json!(2);
    });
    refused(&copied, 3, "match 2 is c against b, and the plan has a against c");
    let turned = changed(1, &|record| turn(record));
    refused(&turned, 2, "match 1 is b against c, and the plan has c against b");
    let stranger = changed(1, &|record| record["bots"][0]["name"] = json!("x"));
    refused(&stranger, 2, "match 1 is x against b, and the plan has c against b");
    let opening = changed(4, &|record| record["tournament"]["opening"] = json!(1));
    refused(&opening, 5, "match 4 has opening 1, and the plan has opening 2");
    for number in [7, 999, 1 << 34, 1 << 63, u64::MAX] {
        let why = format!("its number is {number}, and the plan has 6 matches");
        refused(&with_number(number), 7, &why);
        let note_line = note("unfinished", Some(number), None, "x");
        let noted = mancala(["standings", "-"]).stdin(text.clone() + &note_line).run();
        noted.failure(1, &format!("-:8: {why}"));
        let replayed = mancala(["replay", "-"]).stdin(text.clone() + &note_line).run();
        assert!(replayed.stderr.ends_with(&format!("; line 8: {why}\n")), "{replayed:#?}");
    }
    // So are matches whose header comes later, in their own file or in another one.
    let headless: String = copied.split_inclusive('\n').skip(1).collect();
    let last = headless.clone() + &header(&ABC, 2, [1, 1]);
    let outcome = mancala(["standings", "-"]).stdin(last).run();
    outcome.failure(1, "-:2: match 2 is c against b, and the plan has a against c");
    mancala(["standings", "-"]).stdin(headless).run().success();
    // A later header may have more openings.
    let first = header(&ABC, 1, [1, 1]);
    let more = text.replacen(&header(&ABC, 2, [1, 1]), &first, 1);
    let outcome = mancala(["standings", "-"]).stdin(more.clone()).run();
    outcome.failure(1, "-:5: its number is 4, and the plan has 3 matches");
    let extended = more + &header(&ABC, 2, [1, 1]);
    mancala(["standings", "-"]).stdin(extended).run().success();
}

#[test]
fn a_swiss_tournament_has_the_bots_of_its_plan_and_no_more_matches() {
    let header = header_with(&["a", "b", "c", "d"], 2, [1, 1], &json!({"format": "swiss"}));
    let text = |number, names| {
        header.clone() + &lines(&[Played::new(number, names, [[20, 16], [19, 17]])])
    };
    let standings = |text: String| mancala(["standings", "-"]).stdin(text).run();
    standings(text(4, ["d", "a"])).success();
    standings(text(4, ["d", "x"]))
        .failure(1, "-:2: match 4 has the bot x, which is not in the plan");
    standings(text(5, ["d", "a"])).failure(1, "-:2: its number is 5, and the plan has 4 matches");
}

#[test]
fn missing_matches_are_told_beside_matches_of_no_plan() {
    let of_plan = planned(
        &(header(&ABC, 2, [1, 1]) + &lines(&[Played::new(1, ["b", "c"], [[20, 16], [19, 17]])])),
    );
    let other = |tournament: Value| {
        let played = Played::new(1, ["a", "b"], [[20, 16], [18, 18]]);
        lines(&[played.with(|record| match tournament {
            Value::Null => drop(record.as_object_mut().unwrap().remove("tournament")),
            id => record["tournament"]["id"] = id,
        })])
    };
    for other in [Value::Null, json!("00000000000000bb")].map(other) {
        let standings = |arguments: &[&str]| {
            let text = of_plan.clone() + &other;
            mancala(["standings", "-"]).args(arguments).stdin(text).run().success()
        };
        let json = standings(&["--format=json"]).json();
        let counts = ["matches", "planned", "missing"].map(|key| json[key].clone());
        assert_eq!(counts, [json!(2), Value::Null, json!(5)]);
        standings(&[]).plain().says("2 matches of 7, 4 rounds: 5 missing");
    }
}
