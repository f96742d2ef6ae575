//! Remarks below a table: what its numbers do not say.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use super::ranking::RankBy;
use super::ratings::Ratings;
use super::{CollectedResults, SprtState, Standings};
use crate::text::{and_listed, and_more, counted, printable};

/// Most names, numbers or reasons in a remark.
const MOST_LISTED: usize = 20;

/// The first of these, and how many more there are.
pub(super) fn listed(names: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    let mut names = names.into_iter();
    let shown: Vec<String> =
        names.by_ref().take(MOST_LISTED).map(|name| printable(name.as_ref())).collect();
    shown.join(", ") + &and_more(names.count())
}

/// These as the subject of a sentence.
fn printed(names: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    and_listed(names.into_iter().map(|name| printable(name.as_ref())), MOST_LISTED)
}

/// `unfinished` are those matches of each tournament.
pub(super) fn remarks(
    all: &CollectedResults,
    standings: &Standings,
    unfinished: &[Vec<u64>],
    (ratings, rank_by): (&Ratings, RankBy),
) -> Vec<String> {
    let mut remarks = Vec::new();
    remarks.extend(standings.sprt.as_ref().map(|test| about_test(all, standings, test)));
    remarks.extend(without_a_test(all, standings));
    remarks.extend(all.differences_in_words());
    remarks.extend(all.copies_in_words());
    let replaced = all.replaced_matches();
    if replaced > 0 {
        let matches = counted(replaced, "match does", "matches do");
        let them = if replaced == 1 { "it" } else { "them" };
        remarks.push(format!(
            "{matches} not count: a bot in {them} was changed or withdrawn, or the plan no longer has {them}."
        ));
    }
    remarks.extend(missing_parts(all));
    for (tournament, unfinished) in all.tournaments.iter().zip(unfinished) {
        // Many matches may have the same reason.
        let mut reasons: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for number in unfinished {
            reasons.entry(&tournament.unfinished[number]).or_default().push(number.to_string());
        }
        for (why, numbers) in reasons.into_iter().take(MOST_LISTED) {
            let why = printable(why);
            let matches = if numbers.len() == 1 { "Match" } else { "Matches" };
            let are = if numbers.len() == 1 { "is" } else { "are" };
            remarks.push(format!("{matches} {} {are} unfinished: {why}", listed(numbers)));
        }
    }
    remarks.extend(about_retired(all, standings));
    let mut by_points: BTreeMap<u64, Vec<&str>> = BTreeMap::new();
    for row in standings.ranked().filter(|row| row.byes > 0) {
        by_points.entry(row.byes).or_default().push(&row.name);
    }
    for (points, names) in by_points.into_iter().rev() {
        let has = if names.len() == 1 { "has" } else { "have" };
        let (names, points) = (printed(names), counted(points, "point", "points"));
        remarks.push(format!("{names} {has} {points} for rounds without an opponent."));
    }
    let have_shares = standings.ranked().any(|row| row.share.is_some());
    if let Some(other) = rank_by.instead_of_points() {
        remarks.push(format!("Bots rank by {other}."));
    } else if have_shares && standings.rows.len() > 2 {
        remarks.push(
            "Bots played different numbers of matches, so points rank by their share.".to_owned(),
        );
    }
    let rounds: u64 = standings.ranked().map(|row| row.first.rounds).sum();
    if let Some(distinct) = standings.distinct_games.filter(|distinct| distinct * 2 < rounds) {
        remarks.push(format!(
            "Only {distinct} of {rounds} games are different: deterministic bots repeat their \
             games. More openings (--openings random:4 --count N) give more different games."
        ));
    }
    if ratings.groups() > 1 {
        // In the order of their best bots, whichever was read first.
        let mut groups = vec![(usize::MAX, Vec::new()); ratings.groups()];
        for (place, row) in standings.ranked().enumerate() {
            if let Some((best, names)) = ratings.group(row.bot).map(|group| &mut groups[group]) {
                *best = place.min(*best);
                names.push(row.name.as_str());
            }
        }
        groups.sort_by_key(|(best, _)| *best);
        let more = groups.len().saturating_sub(MOST_LISTED);
        let mut shown: Vec<String> =
            groups.into_iter().take(MOST_LISTED).map(|(_, names)| listed(names)).collect();
        shown.extend((more > 0).then(|| format!("and {more} more groups")));
        remarks.push(format!(
            "No match connects these groups; compare ratings only within a group: {}.",
            shown.join("; ")
        ));
    }
    let rated = || standings.ranked().filter(|row| row.rating.is_some());
    let won: Vec<_> = rated().filter(|row| row.won == row.matches).map(|row| &row.name).collect();
    let lost: Vec<_> = rated().filter(|row| row.lost == row.matches).map(|row| &row.name).collect();
    for (names, did, by) in [(won, "won", "ahead"), (lost, "lost", "behind")] {
        let (it_is, rating) = match names.len() {
            0 => continue,
            1 => ("it is", "its rating is a cautious estimate"),
            _ => ("they are", "their ratings are cautious estimates"),
        };
        let names = printed(names);
        remarks.push(format!(
            "{names} {did} every match, so how far {it_is} {by} is unknown; {rating}."
        ));
    }
    if ratings.is_too_large() {
        remarks.push("There are no ratings for more than 1,000 bots.".to_owned());
    }
    let both_forfeited = standings.ranked().filter(|row| row.double_faults > 0);
    let mut names =
        both_forfeited.map(|row| format!("{} ({})", row.name, row.double_faults)).peekable();
    if names.peek().is_some() {
        remarks.push(format!("Matches in which both bots forfeited a round: {}.", listed(names)));
    }
    remarks.extend(stronger_of_two(standings));
    remarks
}

/// Which of two bots is the stronger one, as far as no other words say it: those of a test, say.
fn stronger_of_two(standings: &Standings) -> Option<String> {
    let mut rows: Vec<_> = standings.ranked().collect();
    rows.sort_by(|one, other| other.rating.partial_cmp(&one.rating).unwrap_or(Ordering::Equal));
    let [better, worse] = rows[..] else { return None };
    // Of a bot that won every match the distance is unknown, which another remark says.
    if standings.sprt.is_some() || better.won == better.matches {
        return None;
    }
    let difference = better.rating? - worse.rating?;
    // One rating of two is as far from their mean as the other, so the margins add up.
    let margin = better.rating? - better.rating_low? + worse.rating? - worse.rating_low?;
    let names = [better, worse].map(|row| printable(&row.name));
    let claim = format!("{} is stronger than {}", names[0], names[1]);
    let by = format!(
        "{difference:+.0} ± {margin:.0} Elo by {}",
        counted(standings.matches, "match", "matches")
    );
    Some(if difference > margin {
        format!("{claim}: {by}.")
    } else {
        format!("There are too few matches to tell whether {claim}: {by}.")
    })
}

/// That matches of one round are added to those of two, in which no bot gains by beginning.
pub(super) fn of_one_round(matches: u64, all: u64) -> Option<String> {
    let have = if matches == 1 { "has" } else { "have" };
    (0 < matches && matches < all).then(|| {
        format!(
            "{matches} of {all} matches {have} one round: such a match counts as much as one of two, \
             though only one bot began."
        )
    })
}

fn about_test(all: &CollectedResults, standings: &Standings, test: &SprtState) -> String {
    let [name, opponent] = test.bots.each_ref().map(|name| printable(name));
    let about = format!(
        "The test is about {name} against {opponent}, and about points by rounds, the two rounds of \
         a match together; ranks and ratings are about matches."
    );
    let tested = test.pairs.iter().sum();
    // Others are of another tournament or of none, and --sprt takes them if all are of two bots.
    let has_others = all.loose() > 0 || all.tournaments.len() > 1;
    let bots = standings.ranked().count();
    if !has_others || bots != 2 || tested == standings.matches {
        return about;
    }
    let (tested, matches) = (counted(tested, "match", "matches"), standings.matches);
    format!("{about} It has the {tested} of its tournament; --sprt tests all {matches}.")
}

/// That the tests of several plans are not one.
fn without_a_test(all: &CollectedResults, standings: &Standings) -> Option<String> {
    let tests = all.tournaments.iter().filter(|of| of.test.is_some()).count();
    let advice = match standings.ranked().count() {
        2 => "; --sprt TEST tests their matches together",
        _ => "",
    };
    (standings.sprt.is_none() && tests > 1)
        .then(|| format!("{tests} tournaments have a test each, so there is no test here{advice}."))
}

/// Which parts of schedules are not among the files. One part each of two tournaments look like the
/// two parts of one, so with several tournaments each is named.
fn missing_parts(all: &CollectedResults) -> Vec<String> {
    let is_one = all.tournaments.len() < 2;
    let mut of_tournaments: Vec<Vec<String>> = Vec::new();
    for (place, tournament) in all.tournaments.iter().enumerate() {
        let of = if is_one { String::new() } else { format!(" of {}", all.tournament_name(place)) };
        of_tournaments.push(missing_shards(&tournament.shards, &of));
    }
    let without_a_part = of_tournaments.iter().filter(|missing| !missing.is_empty()).count();
    let mut remarks = of_tournaments.concat();
    if without_a_part > 1 {
        remarks.push(format!(
            "These are parts of {without_a_part} tournaments, not of one: their options or bots \
             differ."
        ));
    }
    remarks
}

/// Which parts of a schedule are not among the files; `of` follows their numbers.
fn missing_shards(shards: &BTreeSet<(u32, u32)>, of: &str) -> Vec<String> {
    // A whole among the files has every part in it.
    if shards.contains(&(1, 1)) {
        return Vec::new();
    }
    let counts: BTreeSet<u32> = shards.iter().map(|(_, count)| *count).collect();
    let remark = |count: u32| {
        // There may be billions of them, so they are not all looked at.
        let missing = (1..=count).filter(|index| !shards.contains(&(*index, count)));
        let names: Vec<String> = missing.take(MOST_LISTED).map(|index| index.to_string()).collect();
        let seen = shards.iter().filter(|(_, of)| *of == count).count();
        let missing = (count as usize).saturating_sub(seen);
        let (parts, are) = if missing == 1 { ("Part", "is") } else { ("Parts", "are") };
        let names = names.join(", ") + &and_more(missing.saturating_sub(names.len()));
        (missing > 0).then(|| format!("{parts} {names} of {count}{of} {are} not among the files."))
    };
    counts.into_iter().take(MOST_LISTED).filter_map(remark).collect()
}

/// Which versions cannot be run again, and how many matches they did not play.
fn about_retired(all: &CollectedResults, standings: &Standings) -> Option<String> {
    if standings.retired == 0 {
        return None;
    }
    // The matches of one that is disqualified are counted there.
    let is_out = |name: &&str| {
        standings.rows.iter().any(|row| row.name == *name && row.disqualified.is_some())
    };
    let mut names = all.retired();
    names.retain(|name| !is_out(name));
    let of_them = if names.len() == 1 { "it" } else { "them" };
    let were = counted(standings.retired, "match was", "matches were");
    let names = printed(names);
    Some(format!("{names} cannot be run again, so {were} not played by {of_them}."))
}
