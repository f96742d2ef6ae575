//! The tournament's file: its first line, a line for each match, one writer, and the way back
//! after whatever cut it off.

mod beginning;
mod content;
mod differing_option;
mod error;
mod line;

use std::collections::{BTreeMap, HashSet};
use std::fs::File;
use std::io::{self, Read as _};
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Serialize;
use serde_json::value::RawValue;

use crate::contest::Plan;
use crate::record::own_files::open_to_read;
use crate::record::{
    Digest, DiskFile, HeaderFormat, LineFile, Note, NoteFormat, NoteKind, OpenLockedError,
    ProgramFile, ReadAt, TournamentHeader,
};
use crate::text::{printable, printable_path, write_json_line};
use content::ReadJournal;
pub(crate) use content::{Heading, ResumeMode, Update};
pub(crate) use error::JournalError;
pub(crate) use line::{JournalLine, NoteContent};

/// How long the lock of another tournament is waited for.
const LOCK_WAIT: Duration = Duration::from_secs(3);

/// A tournament's file, locked, ready for more lines.
pub(crate) struct Journal<F: DiskFile = File> {
    file: LineFile<F>,
    /// Its length up to the last whole line.
    length: u64,
    /// The same before this run wrote to it.
    found_length: u64,
    /// How many bytes at its end this run has set aside.
    set_aside: Option<u64>,
    /// Whether this run has made a copy of it.
    is_copied: bool,
    /// The version of each bot, by its name.
    versions: BTreeMap<String, Digest>,
    /// Bots and rounds of the byes that are noted.
    byes: HashSet<(Option<String>, Option<NonZeroU64>)>,
    /// Whether it is a file of the user's, who wants it to be there in the end. It is an error then
    /// that somebody removes it.
    pub is_kept: bool,
}

/// How lines get into a tournament's file, whatever keeps it.
pub(crate) trait JournalWriter {
    /// Writes a note, a line that is not a match; a bye only if the file does not have it.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    fn write_note(&mut self, plan: &Plan, note: NoteContent<'_>) -> io::Result<()>;

    /// Writes one line, newline included, in one write. What does not fit is taken back.
    ///
    /// # Errors
    ///
    /// When it cannot be written, for example to a full disk, or another program spoils it.
    fn write(&mut self, line: &[u8]) -> io::Result<()>;

    /// Has what was written so far survive a power cut.
    ///
    /// # Errors
    ///
    /// When the disk fails, or another program has spoiled the file.
    fn sync(&self) -> io::Result<()>;

    /// Where the file is.
    fn path(&self) -> &Path;

    /// Whether the user wants the file to be there in the end.
    fn is_kept(&self) -> bool;
}

/// How a first line begins. There is another one where a tournament was extended.
pub(super) const HEADER: &[u8] = b"{\"format\":\"mancala-tournament/1\"";

/// How a note begins.
pub(super) const NOTE: &[u8] = b"{\"format\":\"mancala-note/1\"";

/// What cannot be done with it.
const READ: &str = "read the record file";
const WRITE: &str = "write the record file";

/// What a file held, and what had to be set aside.
#[derive(Default)]
pub(crate) struct JournalState {
    /// Bytes at the end that were no whole line, and the file that now has them.
    pub set_aside: Option<(u64, PathBuf)>,
    /// Whether there was anything in it.
    pub resumed: bool,
    /// The largest count of openings or rounds that it was played with.
    pub count: u64,
    /// Whether one of its first lines does not say what the bots are made of.
    pub lacks_versions: bool,
    /// The programs of the system that its last heading names.
    pub programs: Vec<ProgramFile>,
    /// Set if the bots were changed by an update.
    pub update: Option<Update>,
}

/// A tournament's file that nobody else writes to.
pub(crate) struct LockedFile<F: DiskFile = File>(LineFile<F>);

impl<F: DiskFile> LockedFile<F> {
    /// Waits for the lock of the file at `path`.
    ///
    /// # Errors
    ///
    /// As [`JournalError`] says.
    pub(crate) fn wait_for(path: &Path) -> Result<LockedFile<F>, JournalError> {
        let file = LineFile::open_locked(path, LOCK_WAIT).map_err(|error| match error {
            OpenLockedError::NotRegular => JournalError::not_a_file(path),
            OpenLockedError::Locked => JournalError::Locked(printable_path(path)),
            OpenLockedError::Io(source) => trouble_of(path, WRITE)(source),
        })?;
        Ok(LockedFile(file))
    }
}

impl<F: DiskFile> Journal<F> {
    /// Hands on what is in the file, line by line. A new one gets its first line.
    ///
    /// # Errors
    ///
    /// As [`JournalError`] says; the file is then as it was.
    pub(crate) fn open(
        LockedFile(file): LockedFile<F>,
        heading: &Heading<'_>,
        go_on: ResumeMode,
        min_free: Option<u64>,
        entry: &mut dyn FnMut(JournalLine<'_>),
    ) -> Result<(Journal<F>, JournalState), JournalError> {
        let path = &*file.path.clone();
        let trouble = |doing| trouble_of(path, doing);
        let size = file.length().map_err(trouble(READ))?;
        if size > 0 && go_on == ResumeMode::No {
            let start = file.beginning(HEADER.len()).map_err(trouble(READ))?;
            return Err(JournalError::not_empty(path, &start));
        }
        let content = file.content().map_err(trouble(READ))?;
        let mut read = ReadJournal::read(content, path, heading, entry)?;
        let changes = read.changes(path, heading, go_on)?;
        let mut journal = Journal {
            file,
            length: size,
            found_length: size,
            set_aside: None,
            is_copied: false,
            versions: heading.versions.clone(),
            byes: std::mem::take(&mut read.byes),
            is_kept: false,
        };
        if let Some(bytes) = min_free {
            journal.file.keep_free(bytes).map_err(trouble(WRITE))?;
        }
        match journal.begin(heading, read, changes) {
            Ok(found) => Ok((journal, found)),
            Err(error) => {
                let _ = journal.undo();
                Err(error)
            }
        }
    }

    fn write_header(&mut self, heading: &Heading<'_>, continues: Option<Digest>) -> io::Result<()> {
        let Heading { plan, folder, shard, versions, programs, retired, .. } = heading;
        self.write_json(&TournamentHeader {
            format: HeaderFormat::V1,
            id: plan.id(),
            plan: RawValue::from_string(plan.json())?,
            shard: *shard,
            versions: versions.clone(),
            programs: programs.clone(),
            folder: folder.to_str().filter(|_| folder.is_absolute()).map(str::to_owned),
            continues,
            retired: retired.clone(),
        })
    }

    /// False for a bye that was seen before.
    fn is_new(&mut self, note: &Note) -> bool {
        note.note != NoteKind::Bye || self.byes.insert((note.bot.clone(), note.round_of_bye()))
    }

    fn write_json<T: Serialize>(&mut self, value: &T) -> io::Result<()> {
        let mut line = Vec::new();
        write_json_line(&mut line, value)?;
        self.write(&line)
    }

    /// An error if the file is not what was written here, or a file of the user's is not at its path.
    fn check(&self) -> io::Result<()> {
        let length = self.file.length()?;
        let done = if length < self.length {
            "cut it while it was written, and matches in it are lost"
        } else if length > self.length {
            "written to it while it was written; look at its end before you use it"
        } else if self.is_kept && self.file.is_removed()? {
            "removed it while it was written; its matches are lost, unless a copy of it has them"
        } else if self.is_kept && !self.file.is_in_place()? {
            "moved it while it was written; the matches are in the file that was there before"
        } else {
            return Ok(());
        };
        Err(io::Error::other(format!("another program has {done}")))
    }

    /// What it holds, from its beginning, even when its name is gone.
    ///
    /// # Errors
    ///
    /// When the system has no descriptor left.
    pub(crate) fn content(&self) -> io::Result<ReadAt<Box<F>>> {
        self.file.content()
    }
}

impl Journal {
    /// What [`Journal::open`] finds there and would do. The file is only read, and not locked.
    ///
    /// # Errors
    ///
    /// As `open`.
    pub(crate) fn look(
        path: &Path,
        heading: &Heading<'_>,
        go_on: ResumeMode,
        entry: &mut dyn FnMut(JournalLine<'_>),
    ) -> Result<JournalState, JournalError> {
        match path.metadata() {
            Ok(found) if found.is_file() && found.len() > 0 && go_on == ResumeMode::No => {
                let mut start = Vec::new();
                let file = open_to_read(path).map_err(trouble_of(path, READ))?;
                let most = HEADER.len() as u64;
                file.take(most).read_to_end(&mut start).map_err(trouble_of(path, READ))?;
                return Err(JournalError::not_empty(path, &start));
            }
            Ok(found) if found.is_file() => {}
            Ok(_) => return Err(JournalError::not_a_file(path)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(JournalState::default());
            }
            Err(error) => return Err(trouble_of(path, READ)(error)),
        }
        let file = open_to_read(path).map_err(trouble_of(path, READ))?;
        let read = ReadJournal::read(file, path, heading, entry)?;
        let changes = read.changes(path, heading, go_on)?;
        let (kept, gone, before) = (read.kept, read.gone, PathBuf::new());
        let update = (!changes.is_empty()).then_some(Update { changes, kept, gone, before });
        let (resumed, count) = (read.length > 0, read.count);
        Ok(JournalState { resumed, count, update, ..JournalState::default() })
    }
}

/// The error that something went wrong with the file at `path`.
fn trouble_of(path: &Path, doing: &'static str) -> impl FnOnce(io::Error) -> JournalError {
    move |source| JournalError::Io { doing, path: printable_path(path), source }
}

impl<F: DiskFile> JournalWriter for Journal<F> {
    fn write_note(&mut self, plan: &Plan, note: NoteContent<'_>) -> io::Result<()> {
        let NoteContent { kind, number, bot, detail, cause, round, output, made } = note;
        let note = Note {
            format: NoteFormat::V1,
            tournament: plan.id(),
            number: number.and_then(NonZeroU64::new),
            note: kind,
            bot: bot.map(|bot| plan.bots[bot].name.clone()),
            version: bot.and_then(|bot| self.versions.get(&plan.bots[bot].name).copied()),
            detail: printable(detail),
            cause,
            round: round.and_then(NonZeroU64::new),
            output: output.map(str::to_owned),
            made,
        };
        if self.is_new(&note) { self.write_json(&note) } else { Ok(()) }
    }

    fn write(&mut self, line: &[u8]) -> io::Result<()> {
        self.check()?;
        self.file.append(line)?;
        self.length += line.len() as u64;
        Ok(())
    }

    fn sync(&self) -> io::Result<()> {
        self.file.sync()?;
        self.check()
    }

    fn path(&self) -> &Path {
        &self.file.path
    }

    fn is_kept(&self) -> bool {
        self.is_kept
    }
}

#[cfg(test)]
mod tests;
