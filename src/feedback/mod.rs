//! Feedback for the authors of bots: for each bot a page, in Markdown and in HTML, beside the logs of
//! its matches. Nothing of another bot but its name and results is in it, and in an anonymous contest
//! no name.
//!
//! Reading order: `document` is a page before it is written, `recorded_matches` finds what there is of
//! each match, `portable_paths` prepares a bot's logs, `evidence` reads them, `commands` work on its author's machine, `faults` writes a part of its `page`, `index` names all folders.

mod commands;
mod document;
mod evidence;
mod faults;
mod index;
mod page;
mod portable_paths;
mod recorded_matches;

use std::io;
use std::path::{Path, PathBuf};

use crate::contest::{PlanFields, PlannedBot};
use crate::record::own_files::make_named_folder;
use crate::record::{Digest, DisqualifiedFor};
use crate::report::folders_of_contest;
use crate::standings::Standings;
use crate::text::relative;
use crate::tournament::LogFolders;

use evidence::Evidence;
pub(crate) use evidence::MatchesOfBots;
pub(crate) use recorded_matches::{LogSources, collect_matches, find_in_headers, log_of_before};

/// The file of a bot's page.
const PAGE: &str = "feedback.md";

/// The same in HTML.
const HTML_PAGE: &str = "feedback.html";

/// A contest whose bots' authors get feedback.
pub(crate) struct Contest<'a> {
    pub plan: &'a PlanFields,
    /// Its identity.
    pub id: Digest,
    /// The folder that the bots' command lines are relative to, then others whose paths nobody else
    /// is to read.
    pub folders: &'a [PathBuf],
    /// What came of it.
    pub standings: &'a Standings,
}

impl Contest<'_> {
    /// The other bots than this one; an earlier version of a bot is the same bot.
    fn others(&self, bot: &PlannedBot) -> impl Iterator<Item = &PlannedBot> {
        self.plan.bots.iter().filter(|of| of.drawn_name() != bot.drawn_name())
    }
}

/// The [folders](Contest::folders) of a contest in `folder`: that, the current one, those elsewhere
/// in which bots are, and the user's home.
pub(crate) fn folders_of(plan: &PlanFields, folder: &Path) -> Vec<PathBuf> {
    let here = std::env::current_dir().unwrap_or_default();
    let folder = here.join(folder);
    let folder = folder.canonicalize().unwrap_or(folder);
    let mut folders = folders_of_contest(plan, &folder);
    folders.insert(1, here);
    folders
}

/// Writes the page of each bot into its folder, and an index of all.
///
/// # Errors
///
/// When a page cannot be written.
pub(crate) fn write_feedback(
    contest: &Contest<'_>,
    folders: &LogFolders,
    mut matches: MatchesOfBots,
) -> io::Result<()> {
    for (place, bot) in contest.plan.bots.iter().enumerate() {
        let folder = folders.of_bot(place);
        make_named_folder(&folder)?;
        portable_paths::prepare(contest, folders, place)?;
        let row = contest.standings.rows.iter().find(|row| row.name == bot.name);
        // Without a build a worker died, in an older file, while it started or checked the bot.
        let is_of_start = |cause| cause == DisqualifiedFor::DeadWorker && bot.build.is_empty();
        let cause = row.and_then(|row| row.disqualified_for);
        let cause =
            cause.map(|cause| if is_of_start(cause) { DisqualifiedFor::Refused } else { cause });
        let output = row.and_then(|row| row.disqualified_output.as_deref());
        let output = output.map(|output| relative(contest.folders, output));
        let evidence = Evidence::read(folders, place, &mut matches, (cause, output));
        let page = page::page(contest, bot, &evidence);
        folders.write(place, PAGE, page.markdown().as_bytes())?;
        folders.write(place, HTML_PAGE, page.html(&bot.name).as_bytes())?;
    }
    index::write_index(contest, folders)
}

#[cfg(test)]
mod tests;
