//! Sentences of the page that depend on numbers and names.

use std::path::PathBuf;
use std::time::Duration;

use serde_json::json;

use super::bot_part::{limit, no_faults};
use super::overview::{
    facts, format_text, isolated_names, lead, left_out_text, limits_text, openings_text,
    rules_text, title,
};
use super::plots::plots;
use crate::contest::Pairings;
use crate::protocol::{Cause, CauseCode, FaultKind};
use crate::record::{Resources, Restraints};
use crate::report::page::contents::anonymity::tests::{page, page_of_file, record};
use crate::report::testing::standings;
use crate::rules::{DirectionRule, OpponentStore, Ruleset, Suite};

#[test]
fn a_limit_of_time_is_that_of_the_answer_or_of_the_processor() {
    let late = Cause { limit_ms: Some(200), ..CauseCode::LateAnswer.into() };
    let first = Cause { start_ms: Some(1000), margin_ms: Some(50), ..late.clone() };
    let illegal = Cause { limit_ms: Some(200), ..CauseCode::EmptyHouse.into() };
    let killed = Cause { limit_ms: Some(1000), ..CauseCode::CpuTimeLimit.into() };
    let unknown = Cause { limit_ms: Some(1000), ..CauseCode::Unknown.into() };
    for (kind, cause, expected) in [
        (FaultKind::Timeout, late, ("Limit of the move", "200 ms")),
        (
            FaultKind::Timeout,
            first,
            ("Limit of the move", "200 ms + 1000 ms to start, margin 50 ms"),
        ),
        (FaultKind::IllegalMove, illegal, ("Limit of the move", "200 ms")),
        (FaultKind::Exited, killed, ("Limit of processor time", "1000 ms")),
        (FaultKind::Exited, unknown, ("Limit of the move", "")),
        (FaultKind::Timeout, Cause::default(), ("Limit of the move", "")),
    ] {
        let (term, text) = limit(kind, &cause);
        assert_eq!((term, &*text), expected, "{cause:?}");
    }
}

#[test]
fn one_of_a_thing_is_not_many() {
    let resources = Resources { processes: Some(1), ..Resources::unlimited() };
    let limits = limits_text(&Restraints { resources, ..Restraints::default() });
    assert!(limits.starts_with("1 process or thread of a bot at once; "), "{limits}");
    let resources = Resources { cpu_time: Some(Duration::from_secs(1)), ..Resources::unlimited() };
    let limits = limits_text(&Restraints { resources, ..Restraints::default() });
    assert!(limits.starts_with("1s of processor time for each process; "), "{limits}");
    for (pairings, rounds, expected) in [
        (Pairings::Swiss, 1, "Swiss, 1 round"),
        (Pairings::Swiss, 7, "Swiss, 7 rounds"),
        (Pairings::Gauntlet { first: 1 }, 1, "gauntlet: the first bot against all others"),
        (Pairings::Gauntlet { first: 2 }, 1, "gauntlet: the first 2 bots against all others"),
    ] {
        assert_eq!(format_text(pairings, rounds), expected);
    }
    let [games, texts] = &left_out_text([1, 21], 1)[..] else { panic!() };
    assert!(games.starts_with("Of 21 matches, 1 is included move by move. "), "{games}");
    assert!(texts.starts_with("1 text written by bots, such as "), "{texts}");
    let [games, texts] = &left_out_text([2, 21], 2)[..] else { panic!() };
    assert!(games.starts_with("Of 21 matches, 2 are included move by move. "), "{games}");
    assert!(texts.starts_with("2 texts written by bots, such as "), "{texts}");
}

#[test]
fn openings_are_told_without_the_words_of_the_command_line() {
    let random = |plies| Suite::Random { plies };
    let file = Suite::File(PathBuf::from("/home/prof/class/suite.txt"));
    for (suite, count, repeat, expected) in [
        (Suite::Standard, 1, 1, "the standard opening"),
        (Suite::Standard, 5, 2, "the standard opening, 2 times"),
        (random(2), 1, 1, "1 position after 2 random moves"),
        (random(2), 1, 3, "1 position after 2 random moves, 3 times"),
        (random(1), 3, 2, "3 positions after 1 random move, each 2 times"),
        (Suite::FairKalah, 2, 1, "2 of the 254 positions of FairKalah"),
        (file.clone(), 1, 1, "1 position of the file suite.txt"),
        (file, 3, 1, "3 positions of the file suite.txt"),
    ] {
        assert_eq!(openings_text(&suite, count, repeat), expected);
    }
}

#[test]
fn the_rules_sow_into_no_store_that_they_skip() {
    for direction in [DirectionRule::Forward, DirectionRule::Backward, DirectionRule::Either] {
        for opponent_store in [OpponentStore::Sow, OpponentStore::Skip] {
            let rules = Ruleset { direction, opponent_store, ..Ruleset::default() };
            let (text, skips) = (rules_text(&rules), opponent_store == OpponentStore::Skip);
            let is_backward = direction != DirectionRule::Forward;
            let says = |words: &str| text.contains(words);
            assert_eq!(says("the opponent's store is skipped"), skips, "{text}");
            assert_eq!(says("out of house 0 into the opponent's store;"), is_backward && !skips);
            assert_eq!(says("past the opponent's store into the"), is_backward && skips);
            assert_eq!(says("forward, along"), direction != DirectionRule::Backward, "{text}");
        }
    }
}

#[test]
fn the_lead_has_the_reason_that_its_numbers_give() {
    let lead_of = |los: Option<f64>, is_rated: bool| {
        let mut standings = standings(2, |place| ["a", "c"][place].to_owned());
        standings.rows[0].los = los;
        let unrated = standings.rows.iter_mut().filter(|_| !is_rated);
        unrated.for_each(|row| row.rating = None);
        lead(&standings)
    };
    for (los, is_rated, expected) in [
        (Some(0.97), true, "a leads, and is stronger than c with a likelihood of 97.0 %."),
        (
            Some(0.5),
            true,
            "a leads. Whether it is stronger than c is not known: the likelihood is 50.0 %.",
        ),
        (Some(0.03), true, "a leads, but c is stronger with a likelihood of 97.0 %."),
        (
            None,
            true,
            "a leads. No matches connect it with c, so that nothing says which of the two is \
             stronger.",
        ),
        (None, false, "a leads. There are too few matches to say whether it is stronger than c."),
    ] {
        assert_eq!(lead_of(los, is_rated), expected);
    }
}

#[test]
fn a_bot_without_matches_has_not_proved_that_it_has_no_faults() {
    let mut row = standings(2, |place| place.to_string()).rows.remove(0);
    assert_eq!(no_faults(&row), "");
    row.faults.clear();
    assert_eq!(no_faults(&row), "No faults.");
    row.matches = 0;
    assert_eq!(no_faults(&row), "It played no match.");
    row.left_out = 1;
    assert_eq!(no_faults(&row), "None of its matches count: the other bots are disqualified.");
}

#[test]
fn a_name_in_a_plot_has_as_much_room_as_it_needs_up_to_half_of_the_plot() {
    for (length, is_cut) in [(3, false), (25, false), (60, true)] {
        let (mut contents, _) = page(&(record([0, 1], [20, 16]) + "\n"), None);
        let name = "x".repeat(length);
        contents.standings.rows[0].name.clone_from(&name);
        let drawings: Vec<String> =
            plots(&contents).iter().map(|it| it.drawing.in_page()).collect();
        let named = drawings.iter().filter(|it| it.contains("class=\"name\""));
        assert!(named.clone().count() > 0);
        for drawing in named {
            assert_eq!(!drawing.contains(&format!("{name}</text>")), is_cut, "{drawing}");
        }
    }
}

#[test]
fn an_overview_says_which_test_ends_a_tournament() {
    for (test, expected) in [
        (json!({"bots": [], "count": 4}), "round robin; openings: "),
        (
            json!({"bots": [], "count": 4, "sprt": "elo0=0,elo1=10"}),
            "round robin; SPRT of elo0=0,elo1=10, at most 4 matches; openings: ",
        ),
    ] {
        let (mut contents, _) = page(&(record([0, 1], [20, 16]) + "\n"), None);
        let plan = serde_json::from_value(test).unwrap();
        contents.plans.push(("54c90634dbad2d3e".parse().unwrap(), plan));
        let facts = facts(&contents);
        let (_, text) = facts.iter().find(|(term, _)| term == "Format of the tournament").unwrap();
        assert!(text.starts_with(expected), "{text}");
    }
}

#[test]
fn what_is_of_one_of_several_tournaments_says_of_which() {
    let plan = |name: Option<&str>| {
        let plan = json!({"bots": [], "count": 4, "name": name});
        ("54c90634dbad2d3e".parse().unwrap(), serde_json::from_value(plan).unwrap())
    };
    for (plans, has_matches_without_plan, expected) in [
        (vec![None], false, "Format, Seed, Identity of the tournament"),
        (
            vec![None],
            true,
            "Format of the tournament, Seed of the tournament, Identity of the tournament",
        ),
        (
            vec![Some("Spring"), None],
            false,
            "Format of tournament 1 (Spring), Seed of tournament 1 (Spring), \
             Identity of tournament 1 (Spring), Format of tournament 2, Seed of tournament 2, Identity of tournament 2",
        ),
    ] {
        let (mut contents, _) = page(&(record([0, 1], [20, 16]) + "\n"), None);
        contents.plans = plans.into_iter().map(plan).collect();
        contents.has_matches_without_plan = has_matches_without_plan;
        let facts = facts(&contents);
        let terms: Vec<&str> = facts.iter().map(|(term, _)| &**term).collect();
        assert!(terms.join(", ").contains(&format!("{expected}, Rules")), "{terms:?}");
    }
}

#[test]
fn draws_have_a_bar_without_a_sign() {
    let (contents, _) = page(&(record([0, 1], [18, 18]) + "\n"), None);
    let plots = plots(&contents);
    let margins = plots.iter().find(|plot| plot.file == "margins.svg").unwrap().drawing.in_page();
    assert!(margins.contains(">0: 1<") && !margins.contains("+0"), "{margins}");
}

#[test]
fn a_page_from_stdin_is_of_its_bots_and_any_other_of_its_file() {
    let two = record([0, 1], [20, 16]) + "\n";
    let three = two.clone() + &record([1, 2], [20, 16]) + "\n";
    for (name, records, expected) in [
        ("-", &two, "ann-of-these against bea-of-these"),
        ("-", &three, "Report of a contest"),
        ("", &three, "Report of a contest"),
        ("./-", &three, "Report of ./-"),
        ("/home/prof/class/a.jsonl", &three, "Report of a.jsonl"),
    ] {
        let (contents, page) = page_of_file(name, records, None);
        assert_eq!(title(&contents), expected);
        assert!(!page.contains("/home/prof"));
    }
}

#[test]
fn names_from_right_to_left_are_isolated_in_sentences() {
    let names = ["\u{5e2}\u{5d1}", "\u{5e2}\u{5d1} 2", "ann"];
    let standings = standings(3, |bot| names[bot].to_owned());
    let sentence = format!("{} (2), ann (3), {} (6).", names[0], names[1]);
    assert_eq!(
        isolated_names(&sentence, &standings),
        format!("\u{2068}{}\u{2069} (2), ann (3), \u{2068}{}\u{2069} (6).", names[0], names[1])
    );
    assert_eq!(isolated_names("ann (3).", &standings), "ann (3).");
}
