//! What a run does to a tournament's file before it plays, and how that is taken back.

use std::io;

use super::content::ReadJournal;
use super::{Heading, Journal, JournalError, JournalState, Update, WRITE, trouble_of};
use crate::record::{DiskFile, TournamentHeader};

/// The endings of the files beside it that have its end, where that is no whole line, and the file
/// as it was before an update.
const CUT_OFF: &str = ".cut-off";
const BEFORE: &str = ".before";

impl<F: DiskFile> Journal<F> {
    /// Copies the file for an update, moves an end that is no whole line away, and writes a first
    /// line, as far as they are needed.
    pub(super) fn begin(
        &mut self,
        heading: &Heading<'_>,
        read: ReadJournal,
        changes: Vec<String>,
    ) -> Result<JournalState, JournalError> {
        let mut found = JournalState::default();
        (found.resumed, found.count) = (read.length > 0, read.count);
        found.lacks_versions = read.lacks_versions;
        if !changes.is_empty() {
            let beside = self.file.beside(BEFORE);
            let before = self.file.copy_to(read.length, BEFORE);
            let before = before.map_err(trouble_of(&beside, "copy the record file to"))?;
            self.is_copied = true;
            let (kept, gone) = (read.kept, read.gone);
            found.update = Some(Update { changes, kept, gone, before });
        }
        if read.length < self.length {
            let beside = self.file.beside(CUT_OFF);
            let aside = self.file.set_aside(read.length, CUT_OFF);
            let aside = aside.map_err(trouble_of(&beside, "move the end of the record file to"))?;
            (self.length, self.found_length) = (read.length, read.length);
            self.set_aside = Some(aside.0);
            found.set_aside = Some(aside);
        }
        let is_other = |last: &TournamentHeader| last.retired != heading.retired;
        let is_extended = read.count < heading.plan.count;
        if found.update.is_some() || is_extended || read.last.as_ref().is_some_and(is_other) {
            let continues = found.update.as_ref().and(read.last.as_ref()).map(|last| last.id);
            let path = self.file.path.clone();
            self.write_header(heading, continues).map_err(trouble_of(&path, WRITE))?;
        }
        found.programs = read.last.map(|last| last.programs).unwrap_or_default();
        Ok(found)
    }

    /// Has the file and those beside it be as they were before this run. Returns whether there was
    /// something in it. A file that was made for this run goes when this is dropped.
    ///
    /// # Errors
    ///
    /// When the files cannot be written, or another program has spoiled them.
    pub(crate) fn undo(&mut self) -> io::Result<bool> {
        self.check()?;
        self.file.cut(self.found_length)?;
        self.length = self.found_length;
        if let Some(moved) = self.set_aside.take() {
            self.file.move_back(moved, CUT_OFF)?;
            self.length += moved;
        }
        self.file.sync()?;
        if self.is_copied {
            self.file.remove_copy(BEFORE)?;
        }
        Ok(self.length > 0)
    }

    /// Removes the copy that an earlier update has made: neither this run nor one that was killed in
    /// its update is undone.
    pub(crate) fn keep(&self) {
        let _ = self.file.remove_earlier_copy(BEFORE);
    }
}
