//! Which matches of files count, as in `mancala standings`, and what their bots are called by now.

use std::collections::{BTreeMap, HashSet};
use std::slice;

use super::failure::{CliResult, Failure};
use crate::analysis::{AnalysedFile, MatchPlace, find_matches};
use crate::bot::Interrupt;
use crate::contest::{FileLine, LineMoves, read_file_line};
use crate::record::{MatchRecord, ReadError, ReadErrorKind, Stoppable};
use crate::standings::{
    CollectedResults, Counting, Mergeable, NotCounted, SeenMatches, UnreadableFiles,
};
use crate::text::counted;

/// The matches of files that count, each once.
pub(super) struct CountedMatches<'a> {
    counting: Counting<'a>,
    seen: SeenMatches,
    /// Files and numbers of the others.
    left_out: HashSet<(usize, u64)>,
    /// How many different ones do not count, by the reason.
    reasons: BTreeMap<NotCounted, u64>,
    /// How many count of those that were taken.
    pub(super) matches: u64,
    /// What these differ in.
    pub(super) merged: Vec<Mergeable>,
    /// The same in words.
    differences: Vec<String>,
}

impl<'a> CountedMatches<'a> {
    /// Reads the files into `results`, for what counts in them.
    ///
    /// # Errors
    ///
    /// When a line cannot be read, files contradict each other, or matches differ in what is not in
    /// `merge`.
    pub(super) fn read(
        results: &'a mut CollectedResults,
        files: &[AnalysedFile],
        merge: &[Mergeable],
        interrupt: &Interrupt,
    ) -> CliResult<CountedMatches<'a>> {
        let stop = || interrupt.is_raised();
        for file in files {
            let cut_off = match results.read(file.name(), Stoppable::new(file.reader(), &stop)) {
                Err(_) if interrupt.is_raised() => return Err(Failure::Interrupted),
                Err(UnreadableFiles::Line { error, .. }) => {
                    // Of a match that is invalid, a whole reading says more.
                    find_matches(slice::from_ref(file), None, &mut |_, _| false, &stop)?;
                    return Err(file.not_a_record(&error).into());
                }
                cut_off => cut_off.map_err(Failure::work)?,
            };
            if let Some(&line) = cut_off.first() {
                let error = ReadError { line, kind: ReadErrorKind::CutOff };
                return Err(file.not_a_record(&error).into());
            }
        }
        let merged = results.expect_mergeable(merge).map_err(Failure::work)?;
        Ok(CountedMatches {
            counting: results.counting(),
            seen: SeenMatches::default(),
            left_out: HashSet::new(),
            reasons: BTreeMap::new(),
            matches: 0,
            merged,
            differences: results.differences_in_words(),
        })
    }

    /// Takes the next match of the files, and says whether it counts.
    pub(super) fn take(&mut self, place: &MatchPlace, line: &[u8]) -> bool {
        let Ok(FileLine::Match(summary, _)) = read_file_line(line, LineMoves::Checked) else {
            return true;
        };
        let left_out = self.counting.left_out(&summary);
        let is_new = self.seen.is_new(&summary);
        let counts = left_out.is_none() && is_new;
        if let Some(why) = left_out.filter(|_| is_new) {
            *self.reasons.entry(why).or_default() += 1;
        }
        if counts {
            self.matches += 1;
        } else {
            self.left_out.insert((place.file, place.number));
        }
        counts
    }

    /// Whether a match of those that were taken counts.
    pub(super) fn has(&self, place: &MatchPlace) -> bool {
        !self.left_out.contains(&(place.file, place.number))
    }

    /// Gives the bots of a record their current names.
    pub(super) fn give_current_names(&self, record: &mut MatchRecord) {
        self.counting.update_record(record);
    }

    /// How many do not count.
    pub(super) fn not_counted(&self) -> u64 {
        self.reasons.values().sum()
    }

    /// What a reader of the table must know: what was added up, and what was left out.
    pub(super) fn remarks(&self) -> Vec<String> {
        let in_words = |(why, &count): (&NotCounted, &u64)| {
            let matches = counted(count, "match is", "matches are");
            let what = match why {
                NotCounted::Replaced => "from before an update",
                NotCounted::Disqualified => "of disqualified bots",
                NotCounted::AfterTest => "beyond the one that decided the test",
            };
            let verb = if count == 1 { "does" } else { "do" };
            format!("{matches} {what}, and {verb} not count.")
        };
        self.differences.iter().cloned().chain(self.reasons.iter().map(in_words)).collect()
    }
}
