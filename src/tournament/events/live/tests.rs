use serde_json::json;

use super::*;
use crate::contest::testing::match_line;
use crate::contest::{FileLine, LineMoves, PlanFields, read_file_line};
use crate::record::Shard;

/// A plan of two bots with this many matches, and what has happened so far: nothing.
fn begun(count: u64) -> (Plan, Ledger) {
    let bots = ["a", "b"].map(|name| json!({"name": name, "command": ["x"]}));
    let plan = json!({"bots": bots, "count": count});
    let plan = Plan::new(serde_json::from_value::<PlanFields>(plan).unwrap());
    let ledger = Ledger::new(&plan, plan.schedule().unwrap(), Shard::WHOLE);
    (plan, ledger)
}

/// Adds the first match, which its first bot wins. Returns that bot.
fn add_first(plan: &Plan, ledger: &mut Ledger) -> usize {
    let fixture = plan.schedule().unwrap().fixture(1).unwrap();
    let line = match_line(plan, &fixture, [0, 0], Some(0));
    let read = read_file_line(line.trim_end().as_bytes(), LineMoves::Checked);
    let Ok(FileLine::Match(summary, _)) = read else { panic!("not a match: {line}") };
    ledger.add(fixture.bots, fixture.number, &summary);
    fixture.bots.0[0]
}

#[test]
fn while_bots_are_built_there_is_neither_a_count_nor_a_rate() {
    let (plan, ledger) = begun(1);
    let mut live = Live::new((&plan, Path::new("")), RankBy::Points, true, None, false);
    assert_eq!(live.progress(&ledger, true), "building and trying bots");
    live.show_event(&ledger, &TournamentEvent::Notice(Notice::Prepared));
    assert_eq!(live.progress(&ledger, true), "0/1 matches");
    for (go_on, more) in [(None, ""), (Some(ResumeMode::Update), " in place of --update")] {
        live.go_on = go_on;
        assert_eq!(
            live.interrupted_in_words(&ledger),
            format!(
                "0 of 1 matches are played; the same command with --resume{more} plays the rest"
            )
        );
    }
}

#[test]
fn one_match_is_played_and_more_are() {
    let (plan, mut ledger) = begun(2);
    let mut live = Live::new((&plan, Path::new("")), RankBy::Points, true, None, false);
    live.go_on = Some(ResumeMode::Resume);
    let words = |ledger: &Ledger| live.interrupted_in_words(ledger);
    assert!(words(&ledger).starts_with("0 of 2 matches are played; "), "{}", words(&ledger));
    add_first(&plan, &mut ledger);
    assert!(words(&ledger).starts_with("1 of 2 matches is played; "), "{}", words(&ledger));
}

#[test]
fn a_leader_by_points_is_named_where_the_table_ranks_by_points() {
    for rank_by in [RankBy::Points, RankBy::Seeds, RankBy::Rating] {
        let (plan, mut ledger) = begun(2);
        let mut live = Live::new((&plan, Path::new("")), rank_by, true, None, false);
        live.show_event(&ledger, &TournamentEvent::Notice(Notice::Prepared));
        let first = add_first(&plan, &mut ledger);
        let leader = match rank_by {
            RankBy::Points => format!(", {} leads with 1", plan.bots[first].name),
            RankBy::Seeds | RankBy::Rating => String::new(),
        };
        assert_eq!(live.progress(&ledger, false), format!("1/2 matches{leader}"));
    }
}
