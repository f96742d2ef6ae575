//! What the id of a plan covers, and how plans are read back.

use std::collections::{BTreeMap, HashMap};

use super::*;

fn fields() -> PlanFields {
    let bot = |name: &str| PlannedBot {
        name: name.to_owned(),
        command: vec![format!("./{name}")],
        ..PlannedBot::default()
    };
    PlanFields {
        name: None,
        pairings: Pairings::RoundRobin,
        first_by: FirstBy::Names,
        openings: Suite::Random { plies: 4 },
        count: 20,
        repeat: 1,
        seed: 1,
        disqualify_after: None,
        reuse_bots: None,
        anonymous: false,
        check: false,
        sprt: None,
        rules: Ruleset::default(),
        terms: Terms::default(),
        bots: ["a", "b", "c"].map(bot).to_vec(),
    }
}

fn plan() -> Plan {
    Plan::new(fields())
}

#[test]
fn id_covers_what_changes_results_and_nothing_else() {
    let same = Plan::new(PlanFields { count: 40, ..fields() });
    assert_eq!(same.id(), plan().id());
    assert_eq!(same.difference(&plan().json(), true), None);
    let mut bots = fields().bots;
    bots[1].command.push("--fast".to_owned());
    let two = fields().bots[..2].to_vec();
    let others = [
        (PlanFields { seed: 2, ..fields() }, "seed: 1 in the file, 2 here"),
        (PlanFields { repeat: 3, ..fields() }, "repeat: 1 in the file, 3 here"),
        (
            PlanFields { pairings: Pairings::Swiss, ..fields() },
            "format: \"round-robin\" in the file",
        ),
        (
            PlanFields { disqualify_after: Some(3), ..fields() },
            "disqualify_after: nothing in the file",
        ),
        (PlanFields { check: true, ..fields() }, "check: nothing in the file, true here"),
        (PlanFields { anonymous: true, ..fields() }, "anonymous: nothing in the file"),
        (PlanFields { bots, ..fields() }, "bot \"b\", command: 1 in the file, 2 here"),
        (PlanFields { bots: two, ..fields() }, "bots: 3 in the file, 2 here"),
    ];
    for (other, words) in others {
        let other = Plan::new(other);
        assert_ne!(other.id(), plan().id());
        let difference = other.difference(&plan().json(), true).unwrap().to_string();
        assert!(difference.starts_with(words), "{difference}");
    }
}

#[test]
fn id_is_the_beginning_of_the_hash_of_the_json_without_the_count() {
    let json = r#"{"format":"round-robin","schedule":2,"openings":"random:4","count":20,"repeat":1,"seed":1,"match":{"rules":"#;
    assert!(plan().json().starts_with(json), "{}", plan().json());
    let without_count = plan().json().replace(r#""count":20,"#, "");
    assert_eq!(plan().id(), Digest::of(without_count.as_bytes()));
}

#[test]
fn plan_reads_back_from_its_json() {
    let mut terms = Terms::default();
    terms.keeping.environment = vec!["HOME".to_owned()];
    let full = PlanFields {
        name: Some("autumn".to_owned()),
        pairings: Pairings::Gauntlet { first: 2 },
        reuse_bots: Some(Reuse { restart_after: Some(7) }),
        anonymous: true,
        sprt: Some("elo0=0,elo1=10".to_owned()),
        terms,
        ..fields()
    };
    let old = PlanFields { first_by: FirstBy::Places, ..fields() };
    for fields in [full, old, fields()] {
        let json = Plan::new(fields.clone()).json();
        assert_eq!(serde_json::from_str::<PlanFields>(&json).unwrap(), fields);
    }
}

#[test]
fn missing_keys_have_defaults_and_unknown_ones_are_ignored() {
    let read = |text: &str| serde_json::from_str::<PlanFields>(text);
    let plan = read(r#"{"later":[1],"bots":[{"name":"a"},{"name":"b","x":1}]}"#).unwrap();
    assert_eq!((plan.pairings, plan.count, plan.repeat), (Pairings::RoundRobin, 1, 1));
    assert_eq!(plan.schedule().unwrap().matches(), 1);
    for wrong in [
        "",
        "[]",
        "7",
        "{",
        r#"{"bots":[{"name":1}]}"#,
        r#"{"bots":7}"#,
        r#"{"format":"knockout"}"#,
        r#"{"schedule":3}"#,
        r#"{"count":"many"}"#,
    ] {
        assert!(read(wrong).is_err(), "{wrong}");
    }
    assert!(read("{}").unwrap().schedule().is_err());
}

#[test]
fn a_switched_sandbox_is_shown_as_on_or_off() {
    let mut in_sandbox = fields();
    in_sandbox.terms.keeping.sandbox = Some(crate::record::Sandbox::default());
    let in_sandbox = Plan::new(in_sandbox);
    let difference = in_sandbox.difference(&plan().json(), true).unwrap();
    assert_eq!(difference.to_string(), "sandbox: off in the file, on here");
    assert_eq!(difference.key, PlanDifference::SANDBOX);
}

#[test]
fn a_bot_that_was_withdrawn_is_back() {
    let digest = |text: &str| Digest::of(text.as_bytes());
    let now: BTreeMap<String, Digest> =
        ["a", "b", "c"].map(|name| (name.to_owned(), digest(name))).into();
    let before = [("a".to_owned(), digest("a"))].into();
    let file = Plan::new(PlanFields { bots: fields().bots[..1].to_vec(), ..fields() });
    let changes = |of_b: &[&str]| {
        let of_b: Vec<Digest> = of_b.iter().map(|text| digest(text)).collect();
        let all = [("a".to_owned(), vec![digest("a")]), ("b".to_owned(), of_b)].into();
        plan().changes(&file.json(), &before, &now, &all)
    };
    assert_eq!(changes(&["b"]), ["bot \"b\" is back", "bot \"c\" is new"]);
    assert_eq!(changes(&["b", "x"])[0], "bot \"b\" is back");
    assert_eq!(changes(&["x"])[0], "bot \"b\" is back, changed");
    // So is one that was another in between.
    let before = now.keys().map(|name| (name.clone(), digest("other"))).collect();
    let all = [("a".to_owned(), vec![digest("a"), digest("other")])].into();
    let changes = plan().changes(&plan().json(), &before, &now, &all);
    assert_eq!(
        changes,
        ["bot \"a\" is back as it was before", "bots \"b\" and \"c\" have changed"]
    );
}

#[test]
fn bots_with_the_same_change_are_told_together() {
    let digest = |text: &str| Digest::of(text.as_bytes());
    let of = |names: &[&str], text: &str| -> BTreeMap<String, Digest> {
        names.iter().map(|name| ((*name).to_owned(), digest(text))).collect()
    };
    let now = of(&["a", "b", "c"], "now");
    let changes = |before: &[&str], text: &str| {
        let bots = fields().bots.into_iter().filter(|bot| before.contains(&&*bot.name));
        let file = Plan::new(PlanFields { bots: bots.collect(), ..fields() });
        plan().changes(&file.json(), &of(before, text), &now, &HashMap::new())
    };
    let all = ["bots \"a\", \"b\" and \"c\" have changed"];
    assert_eq!(changes(&["a", "b", "c"], "before"), all);
    assert_eq!(
        changes(&["b"], "before"),
        ["bots \"a\" and \"c\" are new", "bot \"b\" has changed"]
    );
    let gone = PlanFields { bots: fields().bots[..1].to_vec(), ..fields() };
    let one = of(&["a"], "now");
    let changes = Plan::new(gone).changes(&plan().json(), &now, &one, &HashMap::new());
    assert_eq!(changes, ["bots \"b\" and \"c\" are gone"]);
}

#[test]
fn an_earlier_version_that_is_todays_again_is_not_gone() {
    let digest = |text: &str| Digest::of(text.as_bytes());
    let now: BTreeMap<String, Digest> =
        ["a", "b", "c"].map(|name| (name.to_owned(), digest(name))).into();
    let earlier = PlannedBot {
        name: "a~1".to_owned(),
        version_of: Some("a".to_owned()),
        ..fields().bots[0].clone()
    };
    let bots = [fields().bots, vec![earlier]].concat();
    let file = Plan::new(PlanFields { bots, ..fields() });
    let changes = |version: &str| {
        let before = [("a", "other"), ("b", "b"), ("c", "c"), ("a~1", version)];
        let before = before.map(|(name, text)| (name.to_owned(), digest(text))).into();
        let all = [("a".to_owned(), vec![digest("a"), digest("other")])].into();
        plan().changes(&file.json(), &before, &now, &all)
    };
    assert_eq!(changes("a"), ["bot \"a\" is back as it was before"]);
    assert_eq!(changes("x"), ["bot \"a\" is back as it was before", "bot \"a~1\" is gone"]);
}

#[test]
fn a_built_in_bot_with_another_seed_is_told_beside_other_changes() {
    let digest = |text: &str| Digest::of(text.as_bytes());
    let with_seed = |seed: &str| {
        let mut bots = fields().bots;
        bots[0].command = ["builtin:easy", "--seed", seed].map(str::to_owned).to_vec();
        Plan::new(PlanFields { bots, ..fields() })
    };
    let now: BTreeMap<String, Digest> =
        ["a", "b", "c"].map(|name| (name.to_owned(), digest(name))).into();
    let before = ["a", "b", "c"].map(|name| (name.to_owned(), digest("a"))).into();
    let changes = with_seed("7").changes(&with_seed("1").json(), &before, &now, &HashMap::new());
    assert_eq!(changes[0], "bot \"a\" has another --seed, and the same version");
    assert_eq!(changes[1..], ["bots \"b\" and \"c\" have changed"]);
    let changes = with_seed("7").changes(&with_seed("7").json(), &before, &now, &HashMap::new());
    assert_eq!(changes, ["bots \"b\" and \"c\" have changed"]);
}
