//! The words for what differs between a file and a command.

use std::num::NonZeroU32;
use std::time::Duration;

use serde_json::json;

use super::*;
use crate::contest::{Pairings, Plan, PlanFields, Reuse};
use crate::record::{FaultPolicy, Ponder, Sandbox};
use crate::rules::Adjudication;

fn difference(key: &str, file: Value, here: Value) -> PlanDifference {
    PlanDifference { key: key.to_owned(), file, here }
}

#[test]
fn an_option_that_is_missing_is_named() {
    let sandbox = json!({"read": [], "write": []});
    let given_again = |given: &str| format!("it was begun with {given}: give that again");
    for (key, file, here, words) in [
        ("check", json!(true), Value::Null, "it was begun with --check: add it".to_owned()),
        (
            "reuse_bots",
            Value::Null,
            json!(true),
            "it was begun without --reuse-bots: leave it out".to_owned(),
        ),
        ("seed", json!(7), json!(1), given_again("--seed 7")),
        ("format", json!("swiss"), json!("round-robin"), given_again("--swiss")),
        ("gauntlet", json!(2), json!(1), given_again("--gauntlet=2")),
        ("openings", json!("random:4"), json!("standard"), given_again("--openings random:4")),
        (
            "openings",
            json!("file:my o/in the file, f.txt"),
            json!("standard"),
            given_again("--openings 'file:my o/in the file, f.txt'"),
        ),
        ("disqualify_after", json!(3), Value::Null, given_again("--disqualify-after 3")),
        ("match.rules.name", json!("kalah"), json!("cs221"), given_again("--rules kalah")),
        ("match.rules.empty_capture", json!(false), json!(true), given_again("--empty-capture no")),
        ("match.limits.move_time_ms", json!(1500), json!(1000), given_again("--move-time 1s500ms")),
        (
            "match.limits.resources.memory_bytes",
            json!(2_u64 << 30),
            json!(1_u64 << 30),
            given_again("--memory 2GiB"),
        ),
        (
            "match.limits.resources.cpu_time_ms",
            Value::Null,
            json!(1000),
            given_again("--cpu-time none"),
        ),
        ("match.limits.ponder", Value::Null, json!("freeze"), given_again("--ponder allow")),
        (
            "match.limits.wrap",
            json!(["nice", "-n", "5"]),
            Value::Null,
            given_again("--wrap 'nice -n 5'"),
        ),
        ("match.env", json!(["A", "B"]), json!(["A"]), given_again("--env A --env B")),
        (
            "match.env",
            Value::Null,
            json!(["A"]),
            "it was begun without --env: leave it out".to_owned(),
        ),
        ("bots", json!(3), json!(4), "resume it as it was".to_owned()),
        (
            "match.limits.sandbox",
            sandbox.clone(),
            Value::Null,
            "it was played in the sandbox: leave --no-sandbox out, or add --sandbox".to_owned(),
        ),
        (
            "match.limits.sandbox",
            Value::Null,
            sandbox,
            "it was played without the sandbox: add --no-sandbox, or leave --sandbox out"
                .to_owned(),
        ),
    ] {
        let difference = difference(key, file, here);
        assert_eq!(options_to_resume(&difference), words, "{difference}");
    }
}

#[test]
fn what_is_missing_is_shown_as_its_default() {
    for (key, file, here, words) in [
        ("seed", json!(1), json!(2), "--seed: 1 in the file, 2 here"),
        ("check", json!(true), Value::Null, "--check: on in the file, off here"),
        ("sprt", Value::Null, json!("elo0=0"), "--sprt: nothing in the file, elo0=0 here"),
        (
            "match.limits.ponder",
            json!("freeze"),
            Value::Null,
            "--ponder: freeze in the file, allow here",
        ),
        (
            "match.limits.resources.memory_bytes",
            json!(1 << 30),
            Value::Null,
            "--memory: 1GiB in the file, none here",
        ),
    ] {
        let found = difference_in_words(&difference(key, file, here), &KeyPlaces::default());
        assert_eq!(found, words);
    }
}

#[test]
fn what_a_configuration_says_is_changed_there() {
    for (key, file, here, words) in [
        (
            "check",
            Value::Null,
            json!(true),
            "check: off in the file, on here; c.toml:3: take check out",
        ),
        (
            "check",
            json!(true),
            Value::Null,
            "check: on in the file, off here; c.toml:3: write check = true",
        ),
        (
            "disqualify_after",
            json!(3),
            json!(4),
            "disqualify_after: 3 in the file, 4 here; c.toml:3: write disqualify_after = 3",
        ),
        (
            "match.limits.game_time_ms",
            json!(2000),
            json!(3000),
            "game_time: 2s in the file, 3s here; c.toml:3: write game_time = \"2s\"",
        ),
        (
            "format",
            json!("swiss"),
            json!("round-robin"),
            "format: swiss in the file, round-robin here; c.toml:3: write format = \"swiss\"",
        ),
        (
            "match.env",
            json!(["A"]),
            Value::Null,
            "env: A in the file, nothing here; c.toml:3: write env = [\"A\"]",
        ),
    ] {
        let option = option_of(key).unwrap();
        let keys = KeyPlaces::from([(key_of(option), "c.toml:3".to_owned())]);
        let difference = difference(key, file, here);
        let (found, way) =
            (difference_in_words(&difference, &keys), way_to_resume(&difference, &keys));
        assert_eq!(format!("{found}; {way}"), words);
    }
    let keys = KeyPlaces::from([("sandbox".to_owned(), "c.toml:9".to_owned())]);
    let difference = difference(PlanDifference::SANDBOX, json!({}), Value::Null);
    assert_eq!(way_to_resume(&difference, &keys), "c.toml:9: write sandbox = true");
}

/// All keys of a plan but its tables.
fn keys(place: &str, value: &Value, found: &mut Vec<String>) {
    let Value::Object(table) = value else { return found.push(place.to_owned()) };
    for (key, value) in table {
        let place = if place.is_empty() { key.clone() } else { format!("{place}.{key}") };
        keys(&place, value, found);
    }
}

#[test]
fn every_key_of_a_plan_has_its_option() {
    let mut fields: PlanFields = serde_json::from_value(json!({})).unwrap();
    fields.name = Some("autumn".to_owned());
    fields.pairings = Pairings::Gauntlet { first: 1 };
    fields.disqualify_after = Some(3);
    fields.reuse_bots = Some(Reuse { restart_after: Some(7) });
    (fields.anonymous, fields.check) = (true, true);
    fields.sprt = Some("elo0=0,elo1=10".to_owned());
    let terms = &mut fields.terms;
    *terms = crate::record::Terms::default();
    terms.time.game_time = Some(Duration::from_secs(1));
    terms.faults.policy = FaultPolicy::Substitute;
    terms.faults.max = NonZeroU32::new(3);
    terms.keeping.sandbox = Some(Sandbox {
        read: vec!["/a".into()],
        write: vec!["/b".into()],
        loopback: true,
        builds: false,
    });
    terms.keeping.wrap = vec!["nice".to_owned()];
    terms.keeping.environment = vec!["A".to_owned()];
    terms.keeping.ponder = Ponder::Freeze;
    terms.adjudicate = Adjudication::Lead;
    let plan: Value = serde_json::from_str(&Plan::new(fields).json()).unwrap();
    let mut found = Vec::new();
    keys("", &plan, &mut found);
    // The bots are compared by their versions, a larger count is an extension, and a tournament
    // goes on by the arithmetic of its file.
    found.retain(|key| !["bots", "count", "schedule"].contains(&&**key));
    for key in &found {
        assert!(option_of(key).is_some(), "{key}");
    }
    assert_eq!(found.len(), OPTIONS.len() + OPTIONS_OF_CHECK.len(), "{found:?}");
}
