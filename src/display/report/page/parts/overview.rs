//! The first part of the page: what was played, and who stands where.

use super::html_table::HtmlTable;
use crate::contest::Pairings;
use crate::record::{FaultPolicy, Ponder, Resources, Restraints, Terms, whole_ms};
use crate::report::page::contents::Contents;
use crate::report::page::contents::packing::Setting;
use crate::report::page::texts::without_folder;
use crate::report::page::words::{ENGLISH as W, counted, filled};
use crate::report::standings::{
    RATINGS, disqualified_table, main_table, percent, sprt_lines, summary,
};
use crate::report::table::notes_of_columns;
use crate::rules::{Adjudication, Direction, OpponentStore, Ruleset, Suite};
use crate::standings::{Mergeable, Standings, StandingsRow};
use crate::text::{bytes, duration_in_words, in_address, printable};

/// The title of the page: of a contest by its name, or by its files.
pub(in crate::report::page) fn title(contents: &Contents) -> String {
    let names: Vec<String> =
        contents.plans.iter().filter_map(|(_, plan)| plan.name.as_deref().map(printable)).collect();
    let of = match (&names[..], &contents.files[..]) {
        // From stdin, or not recorded.
        ([], [file]) if file.is_empty() => match &contents.standings.rows[..] {
            [a, b] => return [a, b].map(|row| printable(&row.name)).join(W.against_the_other),
            _ => W.a_contest.to_owned(),
        },
        ([], [file]) => file.clone(),
        ([], files) => counted(files.len() as u64, W.count_files),
        (names, _) => names.join(", "),
    };
    filled(W.report_of, &[&of])
}

/// What was played by which rules and terms: a term and its words.
pub(in crate::report::page) fn facts(contents: &Contents) -> Vec<(String, String)> {
    let mut facts = Vec::new();
    let mut add = |term: &str, text| facts.push((term.to_owned(), text));
    if let Some([first, last]) = &contents.found.dates {
        let (from, to) = (minute(first), minute(last));
        let when = if from == to { from } else { filled(W.from_to, &[&from, &to]) };
        add(W.date, when);
    }
    for (number, (id, plan)) in (1..).zip(&contents.plans) {
        let is_one_of_many = contents.plans.len() > 1;
        let tournament = match plan.name.as_deref().map(printable) {
            _ if !is_one_of_many => W.the_tournament.to_owned(),
            None => filled(W.tournament_number, &[&number]),
            Some(name) => filled(W.tournament_named, &[&number, &name]),
        };
        let of_tournament = |term: &str| filled(W.term_of, &[&term, &tournament]);
        let is_of_all = !is_one_of_many && !contents.has_matches_without_plan;
        let named = |term: &str| if is_of_all { term.to_owned() } else { of_tournament(term) };
        let mut format = format_text(plan.pairings, plan.count);
        if let Some(test) = &plan.sprt {
            let most = counted(plan.count.saturating_mul(plan.repeat), W.count_matches);
            format = filled(W.format_and_test, &[&format, test, &most]);
        }
        let openings = openings_text(&plan.openings, plan.count, plan.repeat);
        add(&named(W.format), filled(W.format_and_openings, &[&format, &openings]));
        // With the seed, the openings of a match tell which two bots of known names played it.
        if !contents.is_anonymous {
            add(&named(W.seed), plan.seed.to_string());
            add(&of_tournament(W.identity), id.to_string());
        }
    }
    if let Some((rules, terms)) = &contents.conditions {
        let differs = |what| contents.standings.merged.contains(&what);
        let unless = |differs: bool, text: String| if differs { W.differ.to_owned() } else { text };
        add(W.rules, unless(differs(Mergeable::Rules), rules_text(rules)));
        add(W.terms, unless(differs(Mergeable::Terms), terms_text(terms)));
        let limits = limits_text(&terms.keeping);
        add(W.limits, unless(contents.has_different_limits, limits));
    }
    add(W.played, summary(&contents.standings));
    facts
}

/// How bots are paired.
pub fn format_text(pairings: Pairings, rounds: u64) -> String {
    match pairings {
        Pairings::RoundRobin => W.round_robin.to_owned(),
        Pairings::Gauntlet { first: 1 } => W.gauntlet_of_one.to_owned(),
        Pairings::Gauntlet { first } => filled(W.gauntlet, &[&first]),
        Pairings::Swiss => filled(W.swiss, &[&counted(rounds, W.count_rounds)]),
    }
}

/// What matches begin from, for a reader who has not seen the command line.
pub fn openings_text(suite: &Suite, count: u64, repeat: u64) -> String {
    let positions = counted(count, W.count_positions);
    let openings = match suite {
        Suite::Standard => W.standard_opening.to_owned(),
        Suite::Random { plies } => {
            let moves = counted((*plies).into(), W.count_random_moves);
            filled(W.random_openings, &[&positions, &moves])
        }
        Suite::FairKalah => filled(W.fair_kalah, &[&count]),
        Suite::File(path) => {
            let name = printable(&without_folder(&path.to_string_lossy()));
            filled(W.openings_of_file, &[&positions, &name])
        }
    };
    let is_one = count == 1 || *suite == Suite::Standard;
    let repeated = if is_one { W.repeated } else { W.each_repeated };
    match repeat {
        1 => openings,
        times => openings + &filled(repeated, &[&times]),
    }
}

/// `2026-03-01 12:00 UTC` of a moment of a record.
fn minute(moment: &str) -> String {
    let date = moment.get(..10).unwrap_or_default();
    let time = moment.get(11..16).unwrap_or_default();
    filled(W.moment, &[&date, &time])
}

/// The rules in a few sentences.
pub(super) fn rules_text(rules: &Ruleset) -> String {
    let store = match rules.opponent_store {
        OpponentStore::Sow => W.store_sown,
        OpponentStore::Skip => W.store_skipped,
    };
    let ways: Vec<&str> = rules
        .direction
        .directions()
        .iter()
        .map(|direction| match direction {
            Direction::Forward => W.sown_forward,
            Direction::Backward => match rules.opponent_store {
                OpponentStore::Sow => W.sown_backward,
                OpponentStore::Skip => W.sown_backward_past,
            },
        })
        .collect();
    let capture = if rules.empty_capture { W.capture_always } else { W.capture_with_prey };
    let seeds = counted(rules.seeds.get().into(), W.count_seeds);
    filled(W.rules_sentence, &[&rules.name, &seeds, &ways.join(W.or), &store, &capture])
}

/// What bots were held to.
fn terms_text(terms: &Terms) -> String {
    let time = &terms.time;
    let mut parts = times(
        [time.move_time, time.game_time].map(|limit| limit.map(whole_ms)),
        whole_ms(time.start_time),
    );
    parts.push(filled(W.margin_of_time, &[&ms(whole_ms(time.margin))]));
    parts.push(at_most_moves(terms.max_moves.get()));
    parts.push(match (terms.faults.policy, terms.faults.max) {
        (FaultPolicy::Substitute, Some(most)) => {
            filled(W.substituted_up_to, &[&counted(most.get().into(), W.count_faults)])
        }
        _ => W.faults_forfeit.to_owned(),
    });
    if terms.adjudicate == Adjudication::Lead {
        parts.push(W.decided_early.to_owned());
    }
    parts.join("; ") + "."
}

/// What the matches of each setting were played by, where it differs; empty if it does not.
pub(in crate::report::page) fn differing_settings(settings: &[Setting]) -> Vec<String> {
    let terms = |of: &Setting| {
        let limits = [of.move_time_ms, of.game_time_ms];
        (limits, of.start_time_ms, of.max_moves, of.adjudicate)
    };
    let Some(first) = settings.first() else { return Vec::new() };
    let have_other_rules = settings.iter().any(|of| of.rules != first.rules);
    let have_other_terms = settings.iter().any(|of| terms(of) != terms(first));
    let words = |of: &Setting| {
        let rules = have_other_rules.then(|| rules_text(&of.rules));
        let terms = have_other_terms.then(|| {
            let mut parts = times([of.move_time_ms, of.game_time_ms], of.start_time_ms);
            parts.push(at_most_moves(of.max_moves));
            parts.extend((of.adjudicate == Adjudication::Lead).then(|| W.decided_early.to_owned()));
            parts.join("; ") + "."
        });
        rules.into_iter().chain(terms).collect::<Vec<_>>().join(" ")
    };
    settings.iter().map(words).collect()
}

/// The limits of time of a move and of a round, and the time to start, in milliseconds.
fn times([a_move, a_round]: [Option<u64>; 2], to_start: u64) -> Vec<String> {
    let a_move = a_move.map(|limit| filled(W.a_move, &[&ms(limit)]));
    let a_round = a_round.map(|bank| filled(W.a_round, &[&ms(bank)]));
    let to_start = filled(W.to_start, &[&ms(to_start)]);
    a_move.into_iter().chain(a_round).chain([to_start]).collect()
}

fn ms(time: u64) -> String {
    filled(W.ms, &[&time])
}

fn at_most_moves(most: u32) -> String {
    filled(W.at_most_moves, &[&counted(most.into(), W.count_moves)])
}

/// What bots might use of the machine.
pub(super) fn limits_text(keeping: &Restraints) -> String {
    let Resources { memory, processes, file_size, cpu_time } = keeping.resources;
    let mut parts = Vec::new();
    if keeping.resources.is_unlimited() {
        parts.push(W.unlimited.to_owned());
    }
    parts.extend(memory.map(|most| filled(W.memory, &[&bytes(most)])));
    let at_once = |most| counted(most, W.count_processes);
    parts.extend(processes.map(|most| filled(W.processes, &[&at_once(most.into())])));
    parts.extend(file_size.map(|most| filled(W.file_size, &[&bytes(most)])));
    parts.extend(cpu_time.map(|most| filled(W.cpu_time, &[&duration_in_words(most)])));
    let sandbox = if keeping.sandbox.is_some() { W.in_sandbox } else { W.no_sandbox };
    let pondering = match keeping.ponder {
        Ponder::Allow => W.pondering_allowed,
        Ponder::Freeze => W.pondering_frozen,
    };
    parts.extend([sandbox, pondering].map(str::to_owned));
    parts.join("; ") + "."
}

/// How a tournament ended: as a whole, or before all of it was played.
pub(in crate::report::page) fn end(contents: &Contents) -> String {
    let standings = &contents.standings;
    match standings.missing.unwrap_or(0) + standings.unfinished {
        0 => W.final_page.to_owned(),
        open => filled(W.ended_early, &[&counted(open, W.count_open_matches)]),
    }
}

/// What the ranking says in words: who leads, and how sure that is.
pub(in crate::report::page) fn lead(standings: &Standings) -> String {
    let rows: Vec<_> = standings.ranked().collect();
    let [first, second, ..] = &rows[..] else { return String::new() };
    let is_level = |row: &&&StandingsRow| row.rank.is_some() && row.rank == first.rank;
    let level: Vec<String> = rows.iter().filter(is_level).map(|row| printable(&row.name)).collect();
    match &level[..] {
        [_] | [] => {}
        [names @ .., last] if level.len() < 4 => {
            return filled(W.share_first_place, &[&names.join(", "), last]);
        }
        _ => return filled(W.many_share_first_place, &[&level.len()]),
    }
    let names = [printable(&first.name), printable(&second.name)];
    if is_one_match(standings) {
        return filled(W.lead_after_one, &[&names[0], &names[1]]);
    }
    let Some(los) = first.los else {
        // Groups that never met have no likelihood, however many matches they play.
        let is_rated = first.rating.is_some() || second.rating.is_some();
        let why = if is_rated { W.lead_unconnected } else { W.lead_unknown };
        return filled(why, &[&names[0], &names[1]]);
    };
    // Whoever leads by seeds may be the weaker one.
    let (words, likelihood) = if los >= 0.95 {
        (W.lead_sure, los)
    } else if los <= 0.05 {
        (W.lead_against, 1.0 - los)
    } else {
        (W.lead_unsure, los)
    };
    filled(words, &[&names[0], &names[1], &percent(Some(likelihood))])
}

/// Whether nothing but one match was played, and nothing more is to come.
fn is_one_match(standings: &Standings) -> bool {
    standings.matches == 1 && standings.missing.unwrap_or(0) + standings.unfinished == 0
}

/// The ranking and, if there are some, the disqualified bots.
pub(in crate::report::page) fn tables(contents: &Contents) -> Vec<HtmlTable> {
    let standings = &contents.standings;
    let (counted, out): (Vec<_>, Vec<_>) =
        standings.rows.iter().partition(|row| row.disqualified.is_none());
    let link = |row: usize| format!("#bot-{}", in_address(&counted[row].name));
    // The parts of the bots have the times.
    let ranking = main_table(standings, &counted, false);
    let ranking = HtmlTable::of(&ranking, W.ranking, ("bot", &link));
    let mut tables = vec![HtmlTable { class: "sortable", ..ranking }];
    if !out.is_empty() {
        let link = |row: usize| format!("#bot-{}", in_address(&out[row].name));
        tables.push(HtmlTable::of(&disqualified_table(&out), W.disqualified, ("bot", &link)));
    }
    tables
}

/// What stands below the ranking, as it does in the terminal.
pub(in crate::report::page) fn remarks(contents: &Contents) -> Vec<String> {
    let standings = &contents.standings;
    let mut remarks: Vec<String> = standings.sprt.iter().flat_map(sprt_lines).collect();
    if standings.ranked().any(|row| row.rating.is_some()) {
        remarks.push(notes_of_columns(&RATINGS, &[]));
    }
    remarks.extend(contents.remarks.iter().map(|remark| isolated_names(remark, standings)));
    if contents.found.is_renumbered {
        remarks.push(W.renumbered.to_owned());
    }
    for (file, line) in &contents.cut_off {
        let name = without_folder(file);
        let name = if name.is_empty() { W.stdin } else { &*name };
        remarks.push(filled(W.cut_off, &[&name, line]));
    }
    remarks
}

/// A sentence in which each name that is read from right to left is isolated, so that numbers stay with
/// their names.
pub(super) fn isolated_names(sentence: &str, standings: &Standings) -> String {
    let is_right_to_left = |letter: char| {
        matches!(letter, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{feff}'
            | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}')
    };
    let mut names: Vec<String> = standings.rows.iter().map(|row| printable(&row.name)).collect();
    names.retain(|name| name.contains(is_right_to_left));
    // Of two names of which one is a part of the other, the longer one is meant.
    names.sort_by_key(|name| std::cmp::Reverse(name.len()));
    let (mut isolated, mut rest) = (String::new(), sentence);
    while let Some(first) = rest.chars().next() {
        let name = names.iter().find(|name| rest.starts_with(name.as_str()));
        match name {
            Some(name) => isolated.extend(["\u{2068}", name, "\u{2069}"]),
            None => isolated.push(first),
        }
        rest = &rest[name.map_or(first.len_utf8(), String::len)..];
    }
    isolated
}

/// What the page leaves out; empty if it is nothing.
pub(in crate::report::page) fn left_out(contents: &Contents) -> Vec<String> {
    let games = [contents.games.len() as u64, contents.found.different];
    left_out_text(games, contents.texts_left_out)
}

pub(super) fn left_out_text([kept, all]: [u64; 2], texts: u64) -> Vec<String> {
    let mut left_out = Vec::new();
    if kept == 0 {
        left_out.push(W.no_games.to_owned());
    } else if kept < all {
        let is_kept = counted(kept, W.count_kept);
        left_out.push(filled(W.games_left_out, &[&all, &is_kept]));
    }
    if texts > 0 {
        left_out.push(filled(W.texts_left_out, &[&counted(texts, W.count_texts)]));
    }
    left_out
}
