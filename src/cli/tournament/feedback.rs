//! The folders of `--feedback` and `--log`: made before the first match; pages are written after the
//! last.

use std::fs::{self, File};
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use super::Args;
use super::planning::Planned;
use super::running::of_journal;
use crate::cli::failure::{CliResult, Failure};
use crate::feedback::{
    Contest, LogSources, collect_matches, find_in_headers, folders_of, log_of_before,
    write_feedback,
};
use crate::log::LogIdentity;
use crate::record::own_files::{make_named_folder, open_to_read};
use crate::standings::{CollectedResults, ReadOptions, Standings};
use crate::text::printable_path;
use crate::tournament::{Journal, LogFolders, LogPlaces, MatchLogs, ResumeMode};

/// The folders of `--feedback` and `--log`, as far as they are asked for.
pub(super) struct AuthorFolders {
    feedback: Option<FeedbackFolders>,
    logs: Option<LogFolder>,
}

impl AuthorFolders {
    /// Makes them. What is in them already is of this tournament only with `--resume`.
    pub(super) fn open(args: &Args, planned: &Planned) -> CliResult<AuthorFolders> {
        let feedback =
            args.feedback.as_deref().map(|path| open_feedback(path, args, planned)).transpose()?;
        let logs = args.log.as_deref().map(|path| open_log(path, args)).transpose()?;
        Ok(AuthorFolders { feedback, logs })
    }

    /// Makes sure, before anything is written to the file `record`, that they are of its tournament.
    pub(super) fn expect_own(&self, args: &Args, planned: &Planned, record: &Path) -> CliResult {
        match args.go_on() {
            ResumeMode::Resume => self.check(args, planned, record),
            // They are empty, and what cannot be made leaves no file behind.
            ResumeMode::No | ResumeMode::Update => self.prepare(args),
        }
    }

    /// Makes them ready for more matches, once nobody else can be playing the tournament.
    pub(super) fn make_ready(&self, args: &Args) -> CliResult {
        if args.go_on() == ResumeMode::Resume { self.prepare(args) } else { Ok(()) }
    }

    /// Makes the folder of each bot, and removes what is left of matches that were not played to
    /// their end.
    fn prepare(&self, args: &Args) -> CliResult {
        if let (Some(path), Some(feedback)) = (&args.feedback, &self.feedback) {
            let failed = |error| cannot_write("--feedback", path, &error);
            feedback.folders.prepare().map_err(failed)?;
        }
        if let (Some(path), Some(logs)) = (&args.log, &self.logs) {
            logs.logs.clear().map_err(|error| cannot_write("--log", path, &error))?;
        }
        Ok(())
    }

    /// Where logs go.
    pub(super) fn places(&self) -> LogPlaces {
        LogPlaces {
            of_bots: self.feedback.as_ref().map(|feedback| feedback.folders.clone()),
            of_matches: self.logs.as_ref().map(|logs| logs.logs.clone()),
        }
    }

    /// Writes the page of each bot into `folders`, with logs that `self.logs` has and they lack.
    /// `record` is the file of the tournament: it has the faults of matches that have no log.
    fn write_pages(
        &self,
        folders: &LogFolders,
        Planned { plan, folder, .. }: &Planned,
        standings: &Standings,
        record: &Path,
    ) -> io::Result<()> {
        let contest =
            Contest { plan, id: plan.id(), folders: &folders_of(plan, folder), standings };
        let all: Vec<MatchLogs> = self.logs.iter().map(|it| it.logs.clone()).collect();
        folders.clear()?;
        let file = open_to_read(record)?;
        let sources = LogSources { folders, all: &all };
        let matches = collect_matches(&file, &read_results(&file)?, &contest, sources)?;
        write_feedback(&contest, folders, matches)
    }

    /// Writes the page of each bot, if there are folders for them.
    pub(super) fn write(
        &self,
        args: &Args,
        planned: &Planned,
        standings: &Standings,
        record: &Path,
    ) -> CliResult {
        let Some(FeedbackFolders { folders, .. }) = &self.feedback else { return Ok(()) };
        self.write_pages(folders, planned, standings, record).map_err(|error| {
            Failure::Work(format!(
                "the matches were played, but the feedback was not written: {error}; make room, \
                 and {} writes it",
                args.go_on().on_again()
            ))
        })
    }

    /// Refuses to go on in folders with logs of another tournament, or of matches from before an
    /// update: the logs of matches that are still to be played would take their places.
    fn check(&self, args: &Args, planned: &Planned, record: &Path) -> CliResult {
        let of_bots = self.feedback.iter().map(|it| ("--feedback", it.folders.found()));
        let of_matches = self.logs.iter().map(|it| ("--log", it.logs.found()));
        for (option, found) in of_bots.chain(of_matches) {
            let read = |folder: PathBuf| Some((LogIdentity::read(&folder)?, folder));
            let (logs, folders): (Vec<LogIdentity>, Vec<PathBuf>) =
                found.into_iter().filter_map(read).unzip();
            let id = planned.plan.id();
            let of_another = logs.iter().find(|log| log.place().0 != id);
            let of_before = match of_another {
                None if !logs.is_empty() => {
                    find_log_of_before(record, &logs).map_err(Failure::at("cannot read", record))?
                }
                other => other,
            };
            let place = of_before.and_then(|log| logs.iter().position(|it| it == log));
            if let Some(folder) = place.map(|place| printable_path(&folders[place])) {
                // With another plan the file does not go on at all.
                Journal::look(record, &planned.heading(args), args.go_on(), &mut |_| ())
                    .map_err(of_journal(args))?;
                return Err(Failure::Usage(format!(
                    "{folder} has the log of a match of before an update, or of another tournament; \
                     give another {option} DIR"
                )));
            }
        }
        Ok(())
    }

    /// From now on those of bots stay.
    pub(super) fn keep(&mut self) {
        if let Some(feedback) = &mut self.feedback {
            feedback.is_kept = true;
        }
    }
}

/// The folders of all bots. Those of a tournament that did not begin are removed again.
struct FeedbackFolders {
    folders: LogFolders,
    is_kept: bool,
    /// Whether the folder that they are in was made, too.
    is_root_new: bool,
}

impl Drop for FeedbackFolders {
    fn drop(&mut self) {
        if !self.is_kept {
            self.folders.remove(self.is_root_new);
        }
    }
}

fn open_feedback(path: &Path, args: &Args, planned: &Planned) -> CliResult<FeedbackFolders> {
    let (root, is_root_new) = open_folder(path, "--feedback", args.go_on())?;
    let folders = LogFolders::new(&root, planned.plan.bots.iter().map(|bot| &*bot.name));
    Ok(FeedbackFolders { folders, is_kept: args.go_on() == ResumeMode::Resume, is_root_new })
}

/// The folder of `--log`. If it was made for this run and stays empty, it is removed again.
struct LogFolder {
    logs: MatchLogs,
    /// The folder, where it was made for this run.
    new: Option<PathBuf>,
}

impl Drop for LogFolder {
    fn drop(&mut self) {
        if let Some(folder) = &self.new {
            // It stays where something is in it.
            let _ = fs::remove_dir(folder);
        }
    }
}

fn open_log(path: &Path, args: &Args) -> CliResult<LogFolder> {
    let (root, is_new) = open_folder(path, "--log", args.go_on())?;
    Ok(LogFolder { logs: MatchLogs::new(&root), new: is_new.then_some(root) })
}

/// Makes the folder of an option, and says whether it was not there before.
fn open_folder(path: &Path, option: &str, go_on: ResumeMode) -> CliResult<(PathBuf, bool)> {
    let here = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    if here.to_str().is_none() {
        let folder = printable_path(&here);
        return Err(Failure::Usage(format!(
            "the folder {folder} is not UTF-8, and the commands in the files of {option} need it; \
             give it another name"
        )));
    }
    let failed = |error: io::Error| cannot_write(option, path, &error);
    let is_new = !path.exists();
    make_named_folder(path).map_err(failed)?;
    let root = path.canonicalize().map_err(failed)?;
    refuse_used_folder(path, option, go_on)?;
    Ok((root, is_new))
}

/// Refuses folders of `--feedback` and `--log` with which a run would not go on.
pub(super) fn refuse_used_folders(args: &Args) -> CliResult {
    for (option, path) in [("--feedback", &args.feedback), ("--log", &args.log)] {
        path.iter().try_for_each(|path| refuse_used_folder(path, option, args.go_on()))?;
    }
    Ok(())
}

/// Refuses a folder in which something is, unless the tournament that it is of goes on.
fn refuse_used_folder(path: &Path, option: &str, go_on: ResumeMode) -> CliResult {
    let wanted = match go_on {
        ResumeMode::Resume => None,
        ResumeMode::No => Some("add --resume to continue its tournament, or"),
        // The logs in it are of matches that may have another number now.
        ResumeMode::Update => {
            Some("give --resume instead of --update to continue an interrupted update, or")
        }
    };
    let is_used = || match fs::read_dir(path) {
        Ok(mut entries) => Ok(entries.next().is_some()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(cannot_write(option, path, &error)),
    };
    if let Some(wanted) = wanted
        && is_used()?
    {
        let shown = printable_path(path);
        let why = format!("the folder {shown} is not empty: {wanted} give another {option} DIR");
        return Err(Failure::Usage(why));
    }
    Ok(())
}

fn cannot_write(option: &str, path: &Path, error: &io::Error) -> Failure {
    let (what, path_shown) =
        (if option == "--log" { "logs" } else { "feedback" }, printable_path(path));
    if path.is_file() {
        let why = format!("{path_shown} is a file; give {option} a folder to write {what} into");
        return Failure::Usage(why);
    }
    Failure::Work(format!(
        "cannot write {what} into {path_shown}: {error}; give {option} a folder that you may write to"
    ))
}

/// Looks for logs from before an update in the file, if there was one.
fn find_log_of_before<'a>(
    record: &Path,
    logs: &'a [LogIdentity],
) -> io::Result<Option<&'a LogIdentity>> {
    let file = match open_to_read(record) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        file => file?,
    };
    if find_in_headers(&file, |header, _| header.continues).is_none() {
        return Ok(None);
    }
    log_of_before(&file, &read_results(&file)?, logs)
}

fn read_results(file: &File) -> io::Result<CollectedResults> {
    let mut results = CollectedResults::new(ReadOptions { times: true, verify: false });
    results.read("", BufReader::new(file)).map_err(io::Error::other)?;
    Ok(results)
}
