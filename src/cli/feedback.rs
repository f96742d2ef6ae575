//! `mancala feedback`: pages for the authors of bots, made from the file of a tournament.

use std::fs;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use super::failure::{CliResult, Failure, warn};
use super::options::{QuietArgs, RankByArgs, with_folder_advice};
use super::standings::no_table;
use crate::contest::PlanFields;
use crate::feedback::{
    Contest, LogSources, collect_matches, find_in_headers, folders_of, write_feedback,
};
use crate::record::TournamentHeader;
use crate::record::own_files::{make_named_folder, open_to_read};
use crate::standings::{
    CollectedResults, NoStandings, ReadOptions, StandingsOptions, UnreadableFiles,
};
use crate::text::{counted, printable_path};
use crate::tournament::{LogFolders, MatchLogs};

/// Make a folder for each bot of a tournament, for its author, as tournament --feedback does.
///
/// FILE is what tournament --record wrote. Each folder has a page with the bot's results and times, its
/// faults and how to fix them; with --log also transcripts and bundles of its own side of matches, and
/// if FILE is from analyse --write also what its moves gave away. index.csv and index.md name all
/// folders.
///
/// Exit codes: 0 the pages were written; 1 a file cannot be read or written, or is not of a
/// tournament; 2 the command line is wrong, or DIR is not empty.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  mancala feedback autumn.jsonl -o feedback
  mancala feedback autumn.jsonl -o feedback --log logs
  mancala feedback autumn.jsonl -o feedback --log logs --log logs-of-update")]
pub(super) struct Args {
    /// The file of a tournament
    file: PathBuf,

    /// Where to make the bots' folders; created if missing, else it must be empty
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,

    /// Take transcripts and bundles from this folder of tournament --log; may be given several times.
    /// Without it the pages have none
    #[arg(long, value_name = "DIR")]
    log: Vec<PathBuf>,

    #[command(flatten)]
    ranking: RankByArgs,

    // All that it says needs attention, but who is used to the option may give it here, too.
    #[command(flatten)]
    _quiet: QuietArgs,
}

pub(super) fn run(args: &Args) -> CliResult {
    let shown = printable_path(&args.file);
    let cannot_read = Failure::at("cannot read", &args.file);
    let file = open_to_read(&args.file).map_err(&cannot_read)?;
    if !file.metadata().map_err(&cannot_read)?.is_file() {
        return Err(Failure::Work(format!("{shown} is not a file of a tournament")));
    }
    for log in &args.log {
        fs::read_dir(log).map_err(Failure::at("cannot read the logs in", log))?;
    }
    let mut results = CollectedResults::new(ReadOptions { times: true, verify: true });
    let name = args.file.to_string_lossy();
    for line in results.read(&name, BufReader::new(&file)).map_err(Failure::work)? {
        warn(&format!("{shown}: line {line} is cut off; what it held does not count"));
    }
    let options = StandingsOptions { rank_by: args.ranking.rank_by, ..StandingsOptions::default() };
    let (standings, _) = results.standings(&options).map_err(|error| match error {
        NoStandings::UnreadableFiles(UnreadableFiles::Different { how, .. }) => {
            Failure::Work(format!("{how}; feedback is about one tournament: give a file with one"))
        }
        error => no_table(error),
    })?;

    // The last one, where the tournament was extended or updated.
    let plan_of =
        |header: TournamentHeader, plan: Box<PlanFields>| Some((header.id, plan, header.folder));
    let (id, plan, folder) = find_in_headers(&file, plan_of).ok_or_else(|| {
        Failure::Work(format!(
            "{shown} does not begin with the plan of a tournament, as files of tournament --record do"
        ))
    })?;
    let cannot_write = |error| {
        Failure::at("cannot write feedback into", &args.output)(with_folder_advice("-o", error))
    };
    let output = empty_folder(&args.output).map_err(cannot_write)?.ok_or_else(|| {
        let output = printable_path(&args.output);
        Failure::Usage(format!("the folder {output} is not empty; give another -o DIR"))
    })?;
    let folders = LogFolders::new(&output, plan.bots.iter().map(|bot| &*bot.name));
    // Older files do not say where the contest is.
    let beside = args.file.parent().unwrap_or(Path::new(""));
    let folder = folder.map_or_else(|| beside.to_owned(), PathBuf::from);
    let mut folders_of_contest = folders_of(&plan, &folder);
    folders_of_contest.extend(folders_of(&plan, beside));
    let contest = Contest { plan: &plan, id, folders: &folders_of_contest, standings: &standings };
    let logs: Vec<MatchLogs> = args.log.iter().map(|log| MatchLogs::new(log)).collect();
    let sources = LogSources { folders: &folders, all: &logs };
    let matches = collect_matches(&file, &results, &contest, sources).map_err(cannot_write)?;
    if !logs.is_empty() && !matches.have_logs() {
        let are_empty = logs.iter().all(|log| log.found().is_empty());
        let why = if are_empty {
            "the folders of --log have no logs (match-1, match-2, …), as tournament --log makes them"
        } else {
            "--log has no log of a match between today's bots"
        };
        warn(&format!("{why}; the pages have no transcripts"));
    } else if !logs.is_empty() && matches.without_logs() > 0 {
        let missing = counted(matches.without_logs() as u64, "match has", "matches have");
        warn(&format!(
            "{missing} no log in the folders of --log; after an update, name those of both runs \
             (--log DIR --log DIR2)"
        ));
    }
    write_feedback(&contest, &folders, matches).map_err(cannot_write)
}

/// The folder, made where it is missing; `None` if something is in it.
fn empty_folder(path: &Path) -> std::io::Result<Option<PathBuf>> {
    make_named_folder(path)?;
    let path = path.canonicalize()?;
    let is_empty = fs::read_dir(&path)?.next().is_none();
    Ok(is_empty.then_some(path))
}
