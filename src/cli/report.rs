//! `mancala report`: an HTML page, from files of matches.

use std::io;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, WaitOptions, kill_process_group, waitpid};

use super::analyse::open_all;
use super::failure::{CliResult, Failure, warn};
use super::options::{QuietArgs, RankByArgs, with_advice, with_folder_advice};
use super::prepare::interrupt;
use super::standings::anchor;
use crate::analysis::AnalysedFile;
use crate::bot::{self, Interrupt, wait_for, without_temporary};
use crate::problems::{Explanation, explain_record};
use crate::record::MatchRecord;
use crate::report::{
    Advice, Anonymity, AssetsError, AssetsFolder, Contents, ContentsError, GamesKept, PageFile,
    PageFileError, PageOptions, PageState, ReadProgress, RecordedFault, leave_out_games,
    print_message, write_page,
};
use crate::standings::{Mergeable, NoStandings, StandingsOptions};
use crate::text::printable_path;

/// Make an HTML page: ranking, crosstable, faults, and every game on a board that replays it.
///
/// FILE is what tournament --record, match --record or analyse --write wrote; - is stdin. The page
/// is one file that needs no network. It replaces an older report, and nothing else.
///
/// Exit codes: 0 the page was written; 1 a file cannot be read or written, or is not valid, or no
/// browser could be started; 2 the command line is wrong, or the output is some other file; 130
/// interrupted.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  mancala report autumn.jsonl
  mancala report part-*.jsonl -o autumn.html --open
  mancala report class.jsonl --anonymous --show my_bot --assets figures")]
pub(super) struct Args {
    /// Files of matches; - is stdin
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Write the page to this file [default: the first FILE with .html in place of its ending;
    /// report.html for stdin]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    #[command(flatten)]
    ranking: RankByArgs,

    /// Give this bot this rating; otherwise the mean of all ratings is 0
    #[arg(long, value_name = "BOT=RATING", value_parser = anchor)]
    anchor: Option<(String, f64)>,

    /// Add up matches although they differ in: rules; terms (times, margin, move limit, fault policy,
    /// adjudication); versions (the program behind a name); separate several by commas
    #[arg(long, value_name = "rules,terms,versions", value_delimiter = ',')]
    merge: Vec<Mergeable>,

    /// Show every bot under a number, and nothing that bots wrote, since they knew their opponents'
    /// names and may have written them
    #[arg(long)]
    anonymous: bool,

    /// With --anonymous: show this bot by its name, and what it wrote if the tournament was
    /// anonymous; may be given several times
    #[arg(long, value_name = "BOT", requires = "anonymous")]
    show: Vec<String>,

    /// Matches to keep move by move: all, none or the N most interesting ones; the page lists each
    /// round of them as a game [default: up to 2000; fewer, but at least 100, where the page would have
    /// more than 2 MB for 1000 matches]
    #[arg(long, value_name = "all|N|none")]
    games: Option<GamesKept>,

    /// Write each plot as SVG and each table as CSV into this folder, too. The files that
    /// mancala-assets.txt lists, which it writes there, are replaced the next time
    #[arg(long, value_name = "DIR")]
    assets: Option<PathBuf>,

    /// Show the page in the browser
    #[arg(long)]
    open: bool,

    #[command(flatten)]
    quiet: QuietArgs,
}

pub(super) fn run(args: Args) -> CliResult {
    let is_named = args.output.is_some();
    let is_page = |file: &&PathBuf| file.extension().is_some_and(|it| it == "html");
    if let Some(page) = args.files.iter().find(is_page).filter(|page| !is_named && !page.exists()) {
        let page = printable_path(page);
        return Err(Failure::Usage(format!("{page} is not there; the page goes to -o {page}")));
    }
    let path = args.output.unwrap_or_else(|| default_output(&args.files[0]));
    let page = page_file("-o", &path)?;
    let assets = args.assets.as_deref();
    let open_assets = |path| match AssetsFolder::at(path) {
        Ok(folder) => Ok((path, folder)),
        Err(error) => Err(cannot_write_assets(path, error)),
    };
    let assets = assets.map(open_assets).transpose()?;
    let interrupt = interrupt()?;
    let sources = open_all(&args.files, &interrupt)?;
    let status = args.quiet.status();
    let options = PageOptions {
        standings: StandingsOptions {
            rank_by: args.ranking.rank_by,
            anchor: args.anchor,
            sprt: None,
            merge: args.merge,
        },
        anonymity: Anonymity { is_anonymous: args.anonymous, shown: args.show },
        games: args.games,
    };
    let progress = |progress: ReadProgress| {
        status.show(match progress {
            ReadProgress::Ranking => "reading…".to_owned(),
            ReadProgress::Scanned(matches) => format!("match {matches}"),
        });
        interrupt.is_raised()
    };
    let contents = read_contents(&sources, options, &progress)?;
    Failure::unless_interrupted(&interrupt)?;
    drop(status);
    for (file, line) in &contents.cut_off {
        warn(&format!("{file}: line {line} is cut off; what it held does not count"));
    }
    let unless_interrupted =
        |failure| if interrupt.is_raised() { Failure::Interrupted } else { failure };
    // What goes wrong here leaves the older report.
    if let Some((path, folder)) = &assets {
        let written = folder.write(&contents, &|| interrupt.is_raised());
        written.map_err(|error| unless_interrupted(cannot_write_assets(path, error)))?;
    }
    let written = page.write(|out| {
        write_page(out, &contents, &PageState::FromFiles)?;
        if interrupt.is_raised() { Err(io::ErrorKind::Interrupted.into()) } else { Ok(()) }
    });
    written.map_err(|error| unless_interrupted(cannot_write("-o", page.path(), error)))?;
    if assets.is_some()
        && let Some([kept, all]) = contents.games_left_out()
    {
        warn(&format!("games.csv has {kept} of {all} matches; --games all writes all"));
    }
    if !is_named && !args.quiet.is_quiet() {
        print_message(&format!("the page is {}", printable_path(&path)));
    }
    if args.open {
        open_in_browser(page.path(), &interrupt)?;
    }
    Ok(())
}

/// The first file's name with another ending.
fn default_output(first: &Path) -> PathBuf {
    if first == Path::new("-") {
        PathBuf::from("report.html")
    } else {
        first.with_extension("html")
    }
}

/// The file that a page goes to, as the user says with `option`.
pub(super) fn page_file(option: &str, path: &Path) -> CliResult<PageFile> {
    Failure::refuse_if(path == Path::new("-"), "a report goes to a file, not to stdout")?;
    let page = PageFile::at(path).map_err(|error| cannot_write(option, path, error))?;
    page.probe().map_err(|error| cannot_write(option, path, error.into()))?;
    Ok(page)
}

fn cannot_write(option: &str, path: &Path, error: PageFileError) -> Failure {
    match error {
        PageFileError::Io(error) => {
            Failure::at("cannot write the report", path)(with_advice(option, error))
        }
        PageFileError::Protected => {
            Failure::Work(format!("cannot write the report {}: {error}", printable_path(path)))
        }
        other @ PageFileError::Other(_) => Failure::Usage(format!(
            "cannot write the report {}: {other}; give {option} another file",
            printable_path(path)
        )),
    }
}

fn cannot_write_assets(path: &Path, error: AssetsError) -> Failure {
    match error {
        AssetsError::Io(error) => {
            Failure::at("cannot write into", path)(with_folder_advice("--assets", error))
        }
        other => Failure::Usage(format!("cannot write into {}: {other}", printable_path(path))),
    }
}

/// All that the page shows.
pub(super) fn read_contents(
    sources: &[AnalysedFile],
    options: PageOptions,
    progress: &dyn Fn(ReadProgress) -> bool,
) -> CliResult<Contents> {
    let has_number = options.games.is_some();
    let advise = |fault: &RecordedFault<'_>| {
        let Explanation { what, fix, .. } = explain_record(fault);
        Advice { what, fix }
    };
    let contents = Contents::read(sources, options, &advise, progress);
    let mut contents =
        contents.map_err(|error| match error {
            ContentsError::Interrupted => Failure::Interrupted,
            ContentsError::UnknownBot(_)
            | ContentsError::NoStandings(
                NoStandings::UnknownAnchor(_) | NoStandings::NotTwoBots(_),
            ) => Failure::usage(error),
            error => Failure::work(error),
        })?;
    if !has_number {
        leave_out_games(&mut contents);
    }
    Ok(contents)
}

/// Writes the page of one match. `place` is the file that it was recorded in, and its number there.
pub(super) fn write_report(
    page: &PageFile,
    record: &MatchRecord,
    place: Option<(&Path, u64)>,
) -> CliResult {
    let failed = |error: io::Error| {
        let error = without_temporary(&error);
        Failure::Work(format!("the match was played, but there is no report: {error}"))
    };
    let mut file = tempfile::tempfile().map_err(failed)?;
    record.write_line(&mut file).map_err(failed)?;
    let source = AnalysedFile::new("", file).map_err(failed)?;
    let options = PageOptions {
        standings: StandingsOptions::default(),
        anonymity: Anonymity::default(),
        games: Some(GamesKept::ALL),
    };
    let mut contents = read_contents(&[source], options, &|_| false)?;
    if let Some((file, number)) = place {
        contents.set_place(&printable_path(file), number);
    }
    write(page, &contents, &PageState::FromFiles)
}

/// Writes a page into the file that --report names.
pub(super) fn write(page: &PageFile, contents: &Contents, state: &PageState) -> CliResult {
    page.write(|out| write_page(out, contents, state))
        .map_err(|error| cannot_write("--report", page.path(), error))
}

/// Shows a file in the user's browser.
fn open_in_browser(path: &Path, interrupt: &Interrupt) -> CliResult {
    // A whole path cannot be taken for an option or an address.
    let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    for program in ["xdg-open", "gio", "wslview", "sensible-browser"] {
        if interrupt.is_raised() {
            break;
        }
        let mut command = Command::new(program);
        if program == "gio" {
            command.arg("open");
        }
        // Whatever it prints is nothing that the user asked for. It may be the browser itself, which
        // Ctrl-C does not close.
        command.arg(&whole).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let opened = command.process_group(0).spawn().and_then(|child| wait(child, interrupt));
        if opened.is_ok_and(|is_success| is_success) {
            return Ok(());
        }
    }
    Failure::unless_interrupted(interrupt)?;
    Err(Failure::Work(format!(
        "the report is written, but no browser could be started; open {} yourself",
        printable_path(path)
    )))
}

/// Waits for a program that leads a group of its own: whether it succeeded. After an interrupt it
/// runs on, and this is false.
fn wait(mut child: Child, interrupt: &Interrupt) -> io::Result<bool> {
    const BETWEEN_LOOKS: Duration = Duration::from_millis(20);
    let pid = Pid::from_child(&child);
    while !interrupt.is_raised() {
        match waitpid(Some(pid), WaitOptions::NOHANG | WaitOptions::UNTRACED)? {
            // The system stops what uses the terminal from the background, and it would wait for ever.
            Some((_, status)) if status.stopped() => {
                let _ = kill_process_group(pid, Signal::KILL);
                child.wait()?;
                return Ok(false);
            }
            Some((_, status)) => return Ok(status.exit_status() == Some(0)),
            None => {}
        }
        // A signal wakes it, too.
        let _ = wait_for([Some(bot::input(interrupt))], BETWEEN_LOOKS);
    }
    Ok(false)
}
