//! The log of a match as the command line has it: made before the match, told of after it.

use std::io::{self, Write};
use std::path::Path;

use super::Failure;
use crate::log::{Bundle, Log};
use crate::referee::MatchSetup;
use crate::text::printable;

/// Makes the log's folder before anything is played.
pub(super) fn open_log(folder: &Path, contest: &MatchSetup) -> Result<Log, Failure> {
    Log::create(folder, contest).map_err(|error| {
        let folder = printable(&folder.to_string_lossy());
        Failure::Work(format!(
            "cannot make a log in {folder}: {error}; give --log a folder that you may write to"
        ))
    })
}

/// Most faults of which it is said where their bundles are.
const BUNDLES_TOLD: usize = 10;

/// Ends the log, and says on stderr where it is and where the bundle of each fault.
pub(super) fn finish_log(mut log: Log, contest: &MatchSetup) -> Result<(), Failure> {
    let folder = printable(&log.folder().to_string_lossy());
    let mut news = format!("mancala: the log is in {folder}\n");
    for (seat, round, bundle) in log.bundles().iter().take(BUNDLES_TOLD) {
        let name = printable(&contest.bots[*seat].name);
        let path = printable(&bundle.to_string_lossy());
        news +=
            &format!("mancala: the fault of {name} in round {round} is in {path}; see it again:\n");
        if let Ok(bundle) = Bundle::read(bundle) {
            news += &format!("  {}\n", printable(&bundle.reproduce));
        }
    }
    let untold = log.bundles().len().saturating_sub(BUNDLES_TOLD);
    if untold > 0 {
        news += &format!("mancala: and {untold} more in the same folder\n");
    }
    log.finish().map_err(|error| {
        Failure::Work(format!("the match was played, but not all logged in {folder}: {error}"))
    })?;
    // A closed stderr is ignored.
    let _ = io::stderr().write_all(news.as_bytes());
    Ok(())
}
