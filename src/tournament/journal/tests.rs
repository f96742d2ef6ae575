use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};
use serde_json::{Value, json};

use super::*;
use crate::contest::testing::match_line;
use crate::contest::{IDENTITIES, PlanFields};
use crate::record::Shard;
use crate::tournament::KeyPlaces;
use crate::tournament::resumed::ResumedState;

/// The longest that ten times the lines may take, in times of the others: loose, for a machine with
/// other things to do.
const MOST: u32 = 40;

/// The processor time that this thread has used.
fn used() -> Duration {
    clock_gettime(ClockId::ThreadCPUTime).try_into().unwrap()
}

/// The heading of a whole tournament by `plan`.
fn heading<'a>(plan: &'a Plan, keys: &'a KeyPlaces) -> Heading<'a> {
    Heading {
        plan,
        openings: &[],
        folder: Path::new("/"),
        shard: Shard::WHOLE,
        versions: BTreeMap::new(),
        programs: Vec::new(),
        retired: Vec::new(),
        keys,
    }
}

/// A hash of the plan or a look at all bots for each line would take many times longer.
#[test]
fn the_time_to_resume_grows_with_the_lines() {
    let bots: Vec<Value> =
        (0..1000).map(|bot| json!({"name": format!("b{bot}"), "command": ["x"]})).collect();
    let plan: PlanFields = serde_json::from_value(json!({"bots": bots, "count": 1})).unwrap();
    let plan = Plan::new(plan);
    let schedule = plan.schedule().unwrap();
    let header = json!({"format": "mancala-tournament/1", "id": plan.id(),
        "plan": serde_json::from_str::<Value>(&plan.json()).unwrap()});
    let lines = (1..=20_000)
        .map(|number| match_line(&plan, &schedule.fixture(number).unwrap(), [0, 0], Some(0)));
    let content: Vec<String> = std::iter::once(format!("{header}\n")).chain(lines).collect();
    let keys = KeyPlaces::default();
    let heading = heading(&plan, &keys);
    let resume = |lines: usize| {
        let content = content[..=lines].concat();
        let (began, before) = (used(), IDENTITIES.get());
        let mut resumed = ResumedState::new(&plan, schedule.clone(), Shard::WHOLE);
        let path = Path::new("record");
        let read =
            ReadJournal::read(content.as_bytes(), path, &heading, &mut |line| resumed.add(line));
        resumed.ledger.disqualify_faulty();
        assert_eq!((read.unwrap().kept, resumed.ledger.played()), (lines as u64, lines as u64));
        assert_eq!(IDENTITIES.get(), before, "the plan's identity is known");
        used().saturating_sub(began)
    };
    resume(2000);
    let (few, many) = (resume(2000), resume(20_000));
    assert!(many < MOST * few, "{few:?} for 2,000 lines, {many:?} for 20,000");
}

/// What a bad number would take to store was gigabytes, or the end of the program.
#[test]
fn what_contradicts_the_plan_is_refused_with_its_line() {
    let bots: Vec<Value> =
        ["a", "b", "c"].iter().map(|name| json!({"name": name, "command": ["x"]})).collect();
    let plan: PlanFields = serde_json::from_value(json!({"bots": bots, "count": 2})).unwrap();
    let plan = Plan::new(plan);
    let schedule = plan.schedule().unwrap();
    let header = json!({"format": "mancala-tournament/1", "id": plan.id(),
        "plan": serde_json::from_str::<Value>(&plan.json()).unwrap()});
    let keys = KeyPlaces::default();
    let heading = heading(&plan, &keys);
    let lines =
        [1, 2].map(|number| match_line(&plan, &schedule.fixture(number).unwrap(), [0, 0], Some(0)));
    let read = |second: &str| {
        let content = format!("{header}\n{}{second}", lines[0]);
        let read =
            ReadJournal::read(content.as_bytes(), Path::new("record"), &heading, &mut |_| {});
        read.map(|read| read.kept).map_err(|why| why.to_string())
    };
    let refused = |second: &str, why: &str| {
        let found = read(second).unwrap_err();
        assert!(found.starts_with("record:3: ") && found.contains(why), "{found}");
    };
    assert_eq!(read(&lines[1]), Ok(2));
    for number in [7, 1 << 34, 1 << 63, u64::MAX] {
        let why =
            format!("its number is {number}, and the plan has 6 matches; nothing was changed");
        refused(&lines[1].replace("\"match\":2", &format!("\"match\":{number}")), &why);
        for kind in ["unfinished", "disqualified"] {
            let note = json!({"format": "mancala-note/1", "tournament": plan.id(), "match": number,
                "note": kind, "bot": "a", "detail": "x"});
            refused(&format!("{note}\n"), &why);
        }
    }
    let copied = lines[0].replace("\"match\":1", "\"match\":2");
    refused(&copied, "match 2 is ");
    let opening = lines[1].replace("\"opening\":1", "\"opening\":2");
    refused(&opening, "match 2 has opening 2, and the plan has opening 1; nothing was changed");
}
