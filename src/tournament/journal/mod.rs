//! The tournament's file: its first line, a line for each match, one writer, and the way back
//! after whatever cut it off.

mod error;

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Serialize;
use serde_json::value::RawValue;

use crate::contest::{FileLine, MatchSummary, Plan, PlanFields, read_file_line};
use crate::record::{
    DiskFile, HeaderFormat, LineFile, MAX_LINE, NotOwned, Note, NoteFormat, NoteKind, ReadAt,
    ReadErrorKind, Shard, TournamentHeader, read_line,
};
use crate::text::{printable, printable_path};
pub use error::JournalError;

/// How long the lock of another tournament is waited for.
const LOCK_WAIT: Duration = Duration::from_secs(3);

/// A line that was in the file before.
#[derive(Clone, Debug)]
pub enum JournalLine<'a> {
    /// A match that was played.
    Match(MatchSummary<'a>),
    /// Something else that happened.
    Note(Note),
}

/// A tournament's file, locked, ready for more lines.
#[derive(Debug)]
pub struct Journal<F: DiskFile = File> {
    file: LineFile<F>,
    /// Its length up to the last whole line.
    length: u64,
    /// The largest count of openings that its first lines say.
    count: u64,
    /// Bots and details of the byes that are noted.
    byes: HashSet<(Option<String>, String)>,
    /// Whether it is a file of the user's, who wants it to be there in the end. It is an error then
    /// that somebody removes it.
    pub is_kept: bool,
}

/// How lines get into a tournament's file, whatever keeps it.
pub trait JournalWriter {
    /// Writes a note, a line that is not a match; a bye only if the file does not have it.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    fn write_note(
        &mut self,
        plan: &Plan,
        kind: NoteKind,
        number: Option<u64>,
        bot: Option<usize>,
        detail: &str,
    ) -> io::Result<()>;

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
const HEADER: &[u8] = b"{\"format\":\"mancala-tournament/1\"";

/// What a file held, and what had to be set aside.
#[derive(Debug, Default)]
pub struct JournalState {
    /// Bytes at the end that were no whole line, and the file that now has them.
    pub set_aside: Option<(u64, PathBuf)>,
    /// Whether there was anything in it.
    pub resumed: bool,
    /// The largest count of openings or rounds that it was played with.
    pub count: u64,
}

impl<F: DiskFile> Journal<F> {
    /// Opens the file, locks it, and hands on what is in it, line by line. A new one gets its
    /// first line.
    ///
    /// # Errors
    ///
    /// As [`JournalError`] says; the file is then as it was.
    pub fn open(
        path: &Path,
        plan: &Plan,
        shard: Shard,
        resume: bool,
        min_free: Option<u64>,
        entry: &mut dyn FnMut(JournalLine<'_>) -> Result<(), String>,
    ) -> Result<(Journal<F>, JournalState), JournalError> {
        let trouble =
            |doing| move |source| JournalError::Io { doing, path: printable_path(path), source };
        let file = LineFile::open_locked(path, LOCK_WAIT).map_err(|error| match error {
            NotOwned::NotRegular => JournalError::NotAFile(printable_path(path)),
            NotOwned::Locked => JournalError::Locked(printable_path(path)),
            NotOwned::Io(source) => trouble("write")(source),
        })?;
        let mut journal =
            Journal { file, length: 0, count: 0, byes: HashSet::new(), is_kept: false };
        let size = journal.file.length().map_err(trouble("read"))?;
        if size > 0 && !resume {
            return Err(JournalError::NotEmpty(printable_path(path)));
        }
        let mut found = JournalState::default();
        journal.length = journal.read(plan, shard, entry)?;
        if journal.length < size {
            let aside = journal.file.set_aside(journal.length).map_err(trouble("repair"))?;
            found.set_aside = Some(aside);
        }
        (found.resumed, found.count) = (journal.length > 0, journal.count);
        if let Some(bytes) = min_free {
            journal.file.keep_free(bytes).map_err(trouble("write"))?;
        }
        if journal.count < plan.count {
            journal.write_header(plan, shard).map_err(trouble("write"))?;
        }
        Ok((journal, found))
    }

    /// Reads what is there; returns how long it is up to its last whole line.
    fn read(
        &mut self,
        plan: &Plan,
        shard: Shard,
        entry: &mut dyn FnMut(JournalLine<'_>) -> Result<(), String>,
    ) -> Result<u64, JournalError> {
        let path = self.file.path().to_owned();
        let unreadable =
            |source| JournalError::Io { doing: "read", path: printable_path(&path), source };
        let not = |line, why: String| JournalError::NotATournament {
            path: printable_path(&path),
            line,
            why,
        };
        let mut input = BufReader::with_capacity(1 << 20, self.file.content().map_err(unreadable)?);
        let mut line = Vec::new();
        let mut whole = 0;
        for number in 1.. {
            read_line(&mut input, &mut line).map_err(unreadable)?;
            // The end, or a line that was cut off: without its newline, or with the zeros that a
            // file system leaves where it had promised room.
            if line.last() != Some(&b'\n') || line.contains(&0) {
                if line.len() as u64 > MAX_LINE {
                    return Err(not(number, "it is too long".to_owned()));
                }
                let mut rest = Vec::new();
                input.take(MAX_LINE).read_to_end(&mut rest).map_err(unreadable)?;
                if line.contains(&0) && rest.iter().any(|byte| ![0, b'\n'].contains(byte)) {
                    return Err(not(
                        number,
                        "there are zeros in it, and lines behind it".to_owned(),
                    ));
                }
                break;
            }
            if number == 1 || line.starts_with(HEADER) {
                self.count = self.count.max(check_header(&line, &path, plan, shard)?);
            } else if !line.trim_ascii().is_empty() {
                let read = parse(&line, plan).and_then(|found| {
                    if let JournalLine::Note(note) = &found {
                        self.is_new(note);
                    }
                    entry(found)
                });
                read.map_err(|why| not(number, why))?;
            }
            whole += line.len() as u64;
        }
        Ok(whole)
    }

    fn write_header(&mut self, plan: &Plan, shard: Shard) -> io::Result<()> {
        let plan_json = RawValue::from_string(plan.json())?;
        let header =
            TournamentHeader { format: HeaderFormat::V1, id: plan.id(), plan: plan_json, shard };
        self.write_json(&header)
    }

    /// False for a bye that was seen before.
    fn is_new(&mut self, note: &Note) -> bool {
        note.note != NoteKind::Bye || self.byes.insert((note.bot.clone(), note.detail.clone()))
    }

    fn write_json<T: Serialize>(&mut self, value: &T) -> io::Result<()> {
        let mut line = Vec::new();
        crate::text::write_json(&mut line, value)?;
        line.push(b'\n');
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
            "removed it while it was written, and the matches in it are lost"
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
    pub fn content(&self) -> io::Result<ReadAt<Box<F>>> {
        self.file.content()
    }
}

impl<F: DiskFile> JournalWriter for Journal<F> {
    fn write_note(
        &mut self,
        plan: &Plan,
        kind: NoteKind,
        number: Option<u64>,
        bot: Option<usize>,
        detail: &str,
    ) -> io::Result<()> {
        let note = Note {
            format: NoteFormat::V1,
            tournament: plan.id(),
            number: number.and_then(NonZeroU64::new),
            note: kind,
            bot: bot.map(|bot| plan.bots[bot].name.clone()),
            detail: printable(detail),
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
        self.file.path()
    }

    fn is_kept(&self) -> bool {
        self.is_kept
    }
}

/// The plan in the first line of a tournament's file; `None` if it has none.
pub fn plan_of_file(path: &Path) -> Option<PlanFields> {
    // A pipe would be waited for.
    let file = path.is_file().then(|| File::open(path).ok()).flatten()?;
    let mut line = Vec::new();
    read_line(&mut BufReader::new(file), &mut line).ok()?;
    let header: TournamentHeader = serde_json::from_slice(&line).ok()?;
    serde_json::from_str(header.plan.get()).ok()
}

/// The count of openings that the line says.
fn check_header(line: &[u8], path: &Path, plan: &Plan, shard: Shard) -> Result<u64, JournalError> {
    let header: TournamentHeader = serde_json::from_slice(line).map_err(|error| {
        let why = if line.starts_with(b"{\"format\":\"mancala-match/1\"") {
            "it is a match, and a tournament begins with its plan".to_owned()
        } else {
            in_words(&error)
        };
        JournalError::NotATournament { path: printable_path(path), line: 1, why }
    })?;
    if header.id != plan.id() {
        let difference = plan.difference(header.plan.get());
        let difference = difference.unwrap_or_else(|| "its id differs".to_owned());
        return Err(JournalError::OtherPlan { path: printable_path(path), difference });
    }
    if header.shard != shard {
        let there = header.shard;
        return Err(JournalError::OtherShard { path: printable_path(path), there, here: shard });
    }
    let plan: serde_json::Value = serde_json::from_str(header.plan.get()).unwrap_or_default();
    Ok(plan["count"].as_u64().unwrap_or(0))
}

/// Why a line cannot be read. Where it stands in the file is known, and it is one line.
fn in_words(error: &serde_json::Error) -> String {
    let text = crate::text::quoted(error.to_string().as_bytes());
    text.replacen(" at line 1 column", ", at column", 1)
}

fn parse<'a>(line: &'a [u8], plan: &Plan) -> Result<JournalLine<'a>, String> {
    let (tournament, entry) = match read_file_line(line, None) {
        Ok(FileLine::Match(summary, _)) => {
            (summary.place.map(|it| it.0), JournalLine::Match(summary))
        }
        Ok(FileLine::Note(note)) => (Some(note.tournament), JournalLine::Note(note)),
        Ok(FileLine::Header(_)) => return Err("it begins another tournament".to_owned()),
        Err(ReadErrorKind::NotARecord(why) | ReadErrorKind::Io(why)) => return Err(why),
        Err(ReadErrorKind::CutOff) => return Err("it ends in the middle of a record".to_owned()),
    };
    if tournament == Some(plan.id()) {
        Ok(entry)
    } else {
        Err("it is of another tournament".to_owned())
    }
}
