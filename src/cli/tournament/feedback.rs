//! The folder of `--feedback`: made before the first match, its pages written after the last.

use std::fs;
use std::io;
use std::path::Path;

use super::Args;
use super::planning::Planned;
use crate::cli::Failure;
use crate::feedback::{Contest, write_feedback};
use crate::standings::Standings;
use crate::text::printable_path;
use crate::tournament::LogFolders;

/// The folders of all bots. Those of a tournament that did not begin are removed again.
#[derive(Debug)]
pub(super) struct FeedbackFolders {
    pub(super) folders: LogFolders,
    is_kept: bool,
    /// Whether the folder that they are in was made, too.
    is_root_new: bool,
}

impl FeedbackFolders {
    /// From now on they stay.
    pub(super) const fn keep(&mut self) {
        self.is_kept = true;
    }
}

impl Drop for FeedbackFolders {
    fn drop(&mut self) {
        if !self.is_kept {
            self.folders.remove(self.is_root_new);
        }
    }
}

/// Makes the folder of each bot. What is there already is of this tournament only with `--resume`.
pub(super) fn open_feedback(
    path: &Path,
    args: &Args,
    planned: &Planned,
) -> Result<FeedbackFolders, Failure> {
    let shown = printable_path(path);
    let here = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    for folder in [&here, &planned.folder] {
        if folder.to_str().is_none() {
            let folder = printable_path(folder);
            return Err(Failure::Usage(format!(
                "the folder {folder} is not UTF-8, and the commands on the pages of --feedback \
                 need it; give it another name"
            )));
        }
    }
    let failed = |error: io::Error| {
        Failure::Work(format!(
            "cannot write feedback into {shown}: {error}; give --feedback a folder that you may \
             write to"
        ))
    };
    let is_root_new = !path.exists();
    fs::create_dir_all(path).map_err(failed)?;
    let root = path.canonicalize().map_err(failed)?;
    if !args.resume && fs::read_dir(&root).map_err(failed)?.next().is_some() {
        return Err(Failure::Usage(format!(
            "the folder {shown} is not empty: add --resume to go on with the tournament that it is \
             of, or give another --feedback DIR"
        )));
    }
    let folders = LogFolders::new(&root, planned.plan.bots.iter().map(|bot| &*bot.name));
    let feedback_folders = FeedbackFolders { folders, is_kept: args.resume, is_root_new };
    feedback_folders.folders.prepare().map_err(failed)?;
    Ok(feedback_folders)
}

/// Writes the page of each bot.
pub(super) fn write(
    planned: &Planned,
    standings: &Standings,
    folders: &LogFolders,
) -> Result<(), Failure> {
    let Planned { plan, folder, .. } = planned;
    let contest = Contest {
        name: plan.name.as_deref(),
        id: plan.id(),
        folder,
        rules: &plan.rules,
        terms: &plan.terms,
        bots: &plan.bots,
        is_anonymous: plan.anonymous,
        standings,
    };
    let written = folders.clear().and_then(|()| write_feedback(&contest, folders));
    written.map_err(|error| {
        Failure::Work(format!(
            "the matches were played, but the feedback was not written: {error}; make room, and \
             the same command with --resume writes it"
        ))
    })
}
