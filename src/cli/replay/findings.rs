//! What was found in the file that is replayed, and what is said of it at the end.

use std::collections::BTreeSet;

use super::{Args, verify_note};
use crate::cli::failure::{CliResult, Failure, Verdict};
use crate::contest::KnownPlans;
use crate::record::Note;
use crate::report::ReplayTotals;
use crate::text::{counted, printable};

fn holds_no_records(file: &str) -> Failure {
    Failure::Work(format!("{file} holds no records; name a file that mancala wrote with --record"))
}

/// Most lines of something else that are told before the first one of a record file.
pub(super) const STRANGE_LINES: u64 = 10;

/// What was found in the file so far.
#[derive(Default)]
pub(super) struct ReplayFindings {
    /// The names of all bots.
    pub(super) names: BTreeSet<String>,
    pub(super) totals: ReplayTotals,
    /// Whether the titles of CSV are written.
    pub(super) has_titles: bool,
    /// Whether the match of a tournament that was asked for is there.
    pub(super) has_match: bool,
    /// How many lines cannot be read, any of which may be that match.
    pub(super) skipped: u64,
    /// A round that was asked for and is not there.
    pub(super) no_round: Option<String>,
    /// The first note that contradicts the plan.
    pub(super) wrong_note: Option<String>,
    /// How many lines of something else count as told.
    pub(super) strange: u64,
    /// Whether some line is one of a record file, or the file could not be read further.
    pub(super) has_records: bool,
}

impl ReplayFindings {
    /// Compares notes with their plans, where the whole file is wanted.
    pub(super) fn see_notes(
        &mut self,
        args: &Args,
        mut notes: impl Iterator<Item = (u64, Note)>,
        plans: &KnownPlans,
    ) {
        if args.wants_all() && self.wrong_note.is_none() {
            self.wrong_note = notes.find_map(|note| verify_note(&note, plans).err());
        }
    }

    /// The name after `--lost`, if no bot has it.
    pub(super) fn unknown<'a>(&self, args: &'a Args) -> Option<&'a str> {
        let has_names = !self.names.is_empty();
        args.lost.as_deref().filter(|name| has_names && !self.names.contains(*name))
    }

    /// Whether the file holds so much of something else, and nothing of a record file.
    pub(super) const fn holds_none(&self) -> bool {
        !self.has_records && self.strange >= STRANGE_LINES
    }

    /// Why the user sees no match, where matches are there and none of them is wanted.
    pub(super) fn why_none(&self, args: &Args) -> Option<String> {
        let lost = args.lost.as_ref().map(|name| format!("that {} lost", printable(name)));
        let faulted = args.faults.then(|| "in which a bot faulted".to_owned());
        let wanted: Vec<String> = lost.into_iter().chain(faulted).collect();
        if wanted.is_empty() || self.totals.matches() > 0 {
            return None;
        }
        let (wanted, seen) = (wanted.join(" and "), self.totals.seen);
        if let Some(number) = args.in_tournament.filter(|_| self.has_match) {
            return Some(format!("tournament match {number} is not one {wanted}"));
        }
        match args.number {
            Some(number) if number <= seen => Some(format!("match {number} is not one {wanted}")),
            None if seen > 0 && args.in_tournament.is_none() => {
                Some(format!("no match {wanted}; {seen} in the file"))
            }
            _ => None,
        }
    }

    pub(super) fn verdict(self, args: &Args, file: &str) -> CliResult<Verdict> {
        /// Most names that an error lists.
        const LISTED: usize = 20;
        if let Some(unknown) = self.unknown(args) {
            let names = &self.names;
            let mut known: Vec<String> =
                names.iter().take(LISTED).map(|name| printable(name)).collect();
            if names.len() > LISTED {
                known.push(format!("and {} more", names.len() - LISTED));
            }
            return Err(Failure::Usage(format!(
                "no bot of {file} is named {}; there are {}",
                printable(unknown),
                known.join(", ")
            )));
        }
        let holds_none = self.holds_none();
        let ReplayFindings { totals, no_round, wrong_note, has_match, skipped, .. } = self;
        if holds_none {
            return Err(holds_no_records(file));
        }
        if let Some(why) = no_round {
            return Err(Failure::Usage(why));
        }
        let seen = totals.seen;
        if let Some(wanted) = args.in_tournament
            && !has_match
        {
            let lines = counted(skipped, "line", "lines");
            let skipped =
                if skipped > 0 { format!("; {lines} cannot be read") } else { String::new() };
            let why = format!("{file} has no tournament match {wanted}{skipped}");
            // It may be in a line that cannot be read.
            return Err(if skipped.is_empty() { Failure::Usage(why) } else { Failure::Work(why) });
        }
        match args.number {
            Some(number) if totals.matches() == 0 && number > seen => {
                let seen = counted(seen, "match", "matches");
                Err(Failure::Usage(format!("{file} has no match {number}; it has {seen}")))
            }
            None if seen == 0 => Err(Failure::Work(format!("{file} has no match"))),
            _ => {
                let problems = (!totals.all_valid()).then(|| totals.problems());
                let problems: Vec<String> = problems.into_iter().chain(wrong_note).collect();
                if problems.is_empty() {
                    return Ok(Verdict::Clean);
                }
                Err(Failure::Work(format!("{file}: {}", problems.join("; "))))
            }
        }
    }
}
