//! The log of a match as the command line has it: made before the match, told of after it.

use std::path::Path;

use super::failure::{Failure, print_line};
use crate::log::{Bundle, Log};
use crate::referee::MatchSetup;
use crate::text::{printable, printable_path};

/// Makes the log's folder before anything is played.
pub(super) fn open_log(folder: &Path, contest: &MatchSetup) -> Result<Log, Failure> {
    Log::create(folder, contest).map_err(|error| {
        let why = format!("{error}; give --log a folder that you may write to");
        Failure::at("cannot make a log in", folder)(why)
    })
}

/// Most faults of which it is said where their bundles are.
const BUNDLES_TOLD: usize = 10;

/// Ends the log, and says on stderr where it is and where the bundle of each fault.
pub(super) fn finish_log(mut log: Log, contest: &MatchSetup) -> Result<(), Failure> {
    let folder = log.folder().to_owned();
    let mut news = vec![format!("the log is in {}", printable_path(&folder))];
    for (seat, round, bundle) in log.bundles().iter().take(BUNDLES_TOLD) {
        let (name, path) = (printable(&contest.bots[*seat].name), printable_path(bundle));
        let again = Bundle::read(bundle).map_or_else(
            |_| String::new(),
            |bundle| format!("\n  {}", printable(&bundle.reproduce)),
        );
        news.push(format!(
            "the fault of {name} in round {round} is in {path}; see it again:{again}"
        ));
    }
    let untold = log.bundles().len().saturating_sub(BUNDLES_TOLD);
    if untold > 0 {
        news.push(format!("and {untold} more in the same folder"));
    }
    log.finish().map_err(Failure::at("the match was played, but not all logged in", &folder))?;
    for line in news {
        print_line(&line);
    }
    Ok(())
}
