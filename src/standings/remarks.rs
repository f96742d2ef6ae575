//! What a reader of a table has to know beside its numbers.

use std::collections::BTreeSet;
use std::fmt;

use super::gathering::Gathering;
use super::output::Standings;
use super::ratings::Ratings;
use crate::text::printable;

/// A remark on standings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Remark {
    /// A part of a schedule of which no file was read.
    MissingShard {
        /// Which part.
        index: u32,
        /// Of how many.
        count: u32,
    },
    /// A match that was given up.
    Unfinished {
        /// Its number.
        number: u64,
        /// Why.
        why: String,
    },
    /// A bot that had no opponent in some rounds, and so points without a match.
    Byes {
        /// Its name.
        name: String,
        /// How many points.
        points: u64,
    },
    /// Tournaments by so many different rules, counted together.
    DifferentRules(usize),
    /// Far fewer different games than rounds.
    FewGames {
        /// Different games.
        distinct: u64,
        /// Rounds.
        rounds: u64,
    },
    /// Bots that no match connects: ratings compare within each group only.
    Groups(Vec<Vec<String>>),
    /// A bot that won, or lost, all of its matches.
    Perfect {
        /// Its name.
        name: String,
        /// Whether it won them.
        won: bool,
    },
    /// So many bots that there are no ratings.
    TooManyForRatings,
    /// Whom a test is about.
    Test {
        /// The bot that may be the stronger one.
        name: String,
        /// Its opponent.
        opponent: String,
    },
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Remark::MissingShard { index, count } => {
                write!(f, "Part {index} of {count} is not among the files.")
            }
            Remark::Unfinished { number, why } => {
                write!(f, "Match {number} is unfinished: {}", printable(why))
            }
            Remark::Byes { name, points } => {
                let name = printable(name);
                let s = if *points == 1 { "" } else { "s" };
                write!(
                    f,
                    "{name} has {points} point{s} without a match, for rounds without an opponent."
                )
            }
            Remark::DifferentRules(count) => write!(
                f,
                "These are tournaments by {count} different rules, counted together: give the files \
                 of one ruleset at a time to tell them apart."
            ),
            Remark::FewGames { distinct, rounds } => write!(
                f,
                "Only {distinct} of {rounds} games are different: bots without chance repeat \
                 themselves. More openings (--openings random:4 --count N) make more of them."
            ),
            Remark::Groups(groups) => {
                let shown: Vec<String> = groups.iter().map(|names| listed(names)).collect();
                write!(
                    f,
                    "No match connects these groups, so ratings compare within each only: {}.",
                    shown.join("; ")
                )
            }
            Remark::Perfect { name, won } => {
                let name = printable(name);
                let did = if *won { "won" } else { "lost" };
                write!(
                    f,
                    "{name} {did} every match: how far it is ahead or behind cannot be known, and \
                     its rating is a cautious one."
                )
            }
            Remark::Test { name, opponent } => {
                let (name, opponent) = (printable(name), printable(opponent));
                write!(
                    f,
                    "The test is about {name} against {opponent}, and about points by rounds, the \
                     two rounds of a match together; ranks and ratings are about matches."
                )
            }
            Remark::TooManyForRatings => {
                f.write_str("There are no ratings for more than 1,000 bots.")
            }
        }
    }
}

fn listed(names: &[String]) -> String {
    const MOST: usize = 8;
    let shown: Vec<String> = names.iter().take(MOST).map(|name| printable(name)).collect();
    let more = names.len().saturating_sub(MOST);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{more}", shown.join(", "))
}

/// All remarks on these standings.
pub(super) fn remarks(all: &Gathering, standings: &Standings, ratings: &Ratings) -> Vec<Remark> {
    let mut remarks = Vec::new();
    if standings.sprt.is_some() {
        let mut tested = all.names.names.iter().filter(|name| {
            let out = standings.rows.iter().find(|row| row.name == **name);
            out.is_some_and(|row| row.disqualified.is_none())
        });
        if let (Some(name), Some(opponent)) = (tested.next(), tested.next()) {
            let (name, opponent) = (name.clone(), opponent.clone());
            remarks.push(Remark::Test { name, opponent });
        }
    }
    for tournament in &all.tournaments {
        let counts: BTreeSet<u32> = tournament.shards.iter().map(|(_, count)| *count).collect();
        let missing = counts.iter().flat_map(|&count| {
            (1..=count)
                .filter(move |index| !tournament.shards.contains(&(*index, count)))
                .map(move |index| Remark::MissingShard { index, count })
        });
        // A whole among the files has every part in it.
        if !tournament.shards.contains(&(1, 1)) {
            remarks.extend(missing.take(MOST_LISTED));
        }
        let unfinished = tournament.unfinished.iter().filter(|(n, _)| !tournament.has_seen(**n));
        remarks.extend(
            unfinished
                .take(MOST_LISTED)
                .map(|(&number, why)| Remark::Unfinished { number, why: why.clone() }),
        );
    }
    let plans = all.tournaments.iter().filter_map(|tournament| tournament.plan.as_ref());
    let mut rules = Vec::new();
    for plan in plans {
        if !rules.contains(&plan.rules) {
            rules.push(plan.rules);
        }
    }
    if rules.len() > 1 {
        remarks.push(Remark::DifferentRules(rules.len()));
    }
    let out = standings.rows.iter().filter(|row| row.disqualified.is_some());
    let byes = all.byes(&out.map(|row| row.name.as_str()).collect());
    for row in &standings.rows {
        if let Some(&points) = byes.get(row.name.as_str()) {
            remarks.push(Remark::Byes { name: row.name.clone(), points });
        }
    }
    let counted = standings.rows.iter().filter(|row| row.disqualified.is_none());
    let rounds: u64 = counted.clone().map(|row| row.first.rounds).sum();
    if let Some(distinct) = standings.distinct_games.filter(|distinct| distinct * 2 < rounds) {
        remarks.push(Remark::FewGames { distinct, rounds });
    }
    if ratings.groups() > 1 {
        let mut groups = vec![Vec::new(); ratings.groups()];
        for row in counted.clone() {
            let bot = all.names.find(&row.name).map(|bot| bot as usize);
            if let Some(group) = bot.and_then(|bot| ratings.group(bot)) {
                groups[group].push(row.name.clone());
            }
        }
        remarks.push(Remark::Groups(groups));
    }
    for row in counted.filter(|row| row.rating.is_some()) {
        if row.won == row.matches || row.lost == row.matches {
            let won = row.won > 0;
            remarks.push(Remark::Perfect { name: row.name.clone(), won });
        }
    }
    if ratings.is_too_large() {
        remarks.push(Remark::TooManyForRatings);
    }
    remarks
}

/// Most remarks of a kind that are made one by one.
const MOST_LISTED: usize = 20;
