//! What a tournament's file holds, line by line, and how that fits what is to be played.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::{BufReader, Read};
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};

use super::differing_option::{difference_in_words, way_to_resume};
use super::line::{JournalLine, OtherOpening, WrongLine, parse, parse_header};
use super::{HEADER, JournalError, NOTE, READ};
use crate::contest::{Continuation, KnownPlans, Pairings, Plan, PlanFields};
use crate::record::{Digest, MAX_LINE, NoteKind, ProgramFile, Shard, TournamentHeader, read_line};
use crate::rules::{Opening, Suite};
use crate::text::printable_path;
use crate::tournament::config::KeyPlaces;
use crate::tournament::openings::ORDER_OF_THE_FILE;

/// What a tournament's file begins with.
pub(crate) struct Heading<'a> {
    /// What is played.
    pub plan: &'a Plan,
    /// What its matches begin from.
    pub openings: &'a [Opening],
    /// What the plan's paths are relative to.
    pub folder: &'a Path,
    /// The part of the schedule that the file holds.
    pub shard: Shard,
    /// The version of each bot, by its name.
    pub versions: BTreeMap<String, Digest>,
    /// The programs of the system that run and build the bots.
    pub programs: Vec<ProgramFile>,
    /// Earlier versions of bots that cannot be run again.
    pub retired: Vec<String>,
    /// The keys of the configuration that count.
    pub keys: &'a KeyPlaces,
}

impl Heading<'_> {
    /// How to go on with a tournament of other bots.
    fn way_with_other_bots(&self, lacks_versions: bool) -> String {
        let what = match self.plan.pairings {
            _ if lacks_versions => "a file of an earlier version of this program",
            Pairings::Swiss => "a Swiss tournament",
            _ if self.plan.sprt.is_some() => "a test of two bots (--sprt)",
            _ if self.shard.count() > 1 => "a shard",
            _ => {
                return "add --update to go on with today's bots, or give another --record FILE"
                    .to_owned();
            }
        };
        format!(
            "put the bots back as they were, or give another --record FILE ({what} cannot be updated)"
        )
    }
}

/// What is to be done with what a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ResumeMode {
    /// There must be nothing in it.
    No,
    /// The same tournament goes on.
    Resume,
    /// The tournament goes on with other bots, or other versions of them.
    Update,
}

impl ResumeMode {
    /// How the command that had this goes on where it was stopped.
    pub(crate) fn on_again(self) -> String {
        format!("the same command with {}", self.option_on_again())
    }

    /// The option that it has then.
    pub(crate) const fn option_on_again(self) -> &'static str {
        match self {
            ResumeMode::No | ResumeMode::Resume => "--resume",
            // Folders of logs must be empty for another update.
            ResumeMode::Update => "--resume in place of --update",
        }
    }
}

/// What an update has changed.
pub(crate) struct Update {
    /// The changes, in words.
    pub changes: Vec<String>,
    /// Matches that are kept.
    pub kept: u64,
    /// Matches of bots or versions that are gone.
    pub gone: u64,
    /// The file as it was.
    pub before: PathBuf,
}

/// What a file holds.
#[derive(Default)]
pub(super) struct ReadJournal {
    /// How long it is up to its last whole line.
    pub(super) length: u64,
    pub(super) last: Option<TournamentHeader>,
    /// Whether one of its first lines does not say what the bots are made of, as those of the first
    /// versions of this program.
    pub(super) lacks_versions: bool,
    /// The versions that each bot has in any of its plans.
    versions: HashMap<String, Vec<Digest>>,
    /// The largest count of openings that its first lines say.
    pub(super) count: u64,
    /// Matches of the plan.
    pub(super) kept: u64,
    /// Matches of bots, or of versions of them, that are not in the plan.
    pub(super) gone: u64,
    /// The first match that began from another position than its opening. Where the plans differ,
    /// that is why.
    other_opening: Option<OtherOpening>,
    /// Bots and rounds of the byes that are noted.
    pub(super) byes: HashSet<(Option<String>, Option<NonZeroU64>)>,
}

impl ReadJournal {
    /// Reads the file at `path`, whose content is `input`, and hands on each line.
    pub(super) fn read(
        input: impl Read,
        path: &Path,
        heading: &Heading<'_>,
        entry: &mut dyn FnMut(JournalLine<'_>),
    ) -> Result<ReadJournal, JournalError> {
        let path = printable_path(path);
        let unreadable = |source| JournalError::Io { doing: READ, path: path.clone(), source };
        let not = |line: u64, why: String| {
            JournalError::Refused(format!(
                "{path}:{line}: not a line of a tournament's file: {why}; nothing was changed; give \
                 another --record FILE"
            ))
        };
        let mut input = BufReader::with_capacity(1 << 20, input);
        let mut line = Vec::new();
        let Heading { plan, versions, .. } = heading;
        let mut continuation = Continuation::new(plan.id(), plan, versions);
        let mut plans = KnownPlans::default();
        let mut read = ReadJournal::default();
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
                let header = parse_header(&line).map_err(|why| not(number, why))?;
                if let Ok(plan) = serde_json::from_str::<PlanFields>(header.plan.get()) {
                    read.count = read.count.max(plan.count);
                    continuation.add_earlier(header.id, &plan);
                    plans.add(header.id, &plan);
                }
                for (name, version) in &header.versions {
                    read.versions.entry(name.clone()).or_default().push(*version);
                }
                read.lacks_versions |= header.versions.is_empty();
                if header.continues.is_some() {
                    entry(JournalLine::Update);
                }
                read.last = Some(header);
            } else if !line.trim_ascii().is_empty() {
                let found = match parse(&line, &continuation, &plans, heading.openings) {
                    Ok(found) => found,
                    Err(WrongLine::NoLine(why)) => return Err(not(number, why)),
                    Err(WrongLine::OtherOpening(other)) => {
                        read.other_opening.get_or_insert(other);
                        None
                    }
                };
                match &found {
                    None => read.gone += u64::from(!line.starts_with(NOTE)),
                    Some(JournalLine::Match(..)) => read.kept += 1,
                    Some(JournalLine::Note(_, note)) if note.note == NoteKind::Bye => {
                        read.byes.insert((note.bot.clone(), note.round_of_bye()));
                    }
                    Some(JournalLine::Note(..) | JournalLine::Update) => {}
                }
                if let Some(found) = found {
                    entry(found);
                }
            }
            read.length += line.len() as u64;
        }
        Ok(read)
    }

    /// How the bots differ from those of the file, in words: an update is needed then.
    pub(super) fn changes(
        &self,
        path: &Path,
        heading: &Heading<'_>,
        go_on: ResumeMode,
    ) -> Result<Vec<String>, JournalError> {
        let Some(last) = &self.last else { return Ok(Vec::new()) };
        let (plan, path) = (heading.plan, printable_path(path));
        let has_versions = !last.versions.is_empty();
        let refused = |why: String| Err(JournalError::Refused(why));
        if self.lacks_versions && go_on == ResumeMode::Update {
            return refused(format!(
                "{path} was begun by an earlier version of this program, which did not note what its \
                 bots were made of: --resume goes on with it, but it cannot be updated; give another \
                 --record FILE"
            ));
        }
        if let Some(difference) = plan.difference(last.plan.get(), !has_versions) {
            let words = difference_in_words(&difference, heading.keys);
            let back = way_to_resume(&difference, heading.keys);
            return refused(format!(
                "{path} holds another tournament ({words}); {back}, or give another --record FILE"
            ));
        }
        if last.shard != heading.shard {
            let (there, here) = (last.shard, heading.shard);
            return refused(format!(
                "{path} holds shard {there} of this tournament, not {here}; give each shard a file of \
                 its own"
            ));
        }
        if let Some(OtherOpening { number, opening }) = self.other_opening {
            let more = match plan.openings {
                Suite::File(_) if plan.seed == ORDER_OF_THE_FILE => " (more go behind them)",
                Suite::File(_) => " (--seed shuffles them, so none can be added)",
                _ => "",
            };
            return refused(format!(
                "{path}: match {number} was played from another opening {opening} than that of \
                 today; put the openings back as they were{more}, or give another --record FILE"
            ));
        }
        if !has_versions {
            return Ok(Vec::new());
        }
        let (before, now) = (&last.versions, &heading.versions);
        let changes = plan.changes(last.plan.get(), before, now, &self.versions);
        match changes.first() {
            Some(change) if go_on != ResumeMode::Update => {
                let way = heading.way_with_other_bots(self.lacks_versions);
                refused(format!("{path} was played by other bots: {change}; {way}"))
            }
            _ if go_on == ResumeMode::Update && plan.count < self.count => {
                let (there, here) = (self.count, plan.count);
                Err(JournalError::Usage(format!(
                    "{path} was planned with {there} openings, and an update cannot go on with {here}; \
                     give --count {there} with --update"
                )))
            }
            _ => Ok(changes),
        }
    }
}
