//! Playing a planned tournament: its file, its workers, who follows it, and how it ends.

use std::cell::RefCell;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::Args;
use super::feedback::AuthorFolders;
use super::live_page::LivePage;
use super::notices::{
    count_faults_anew, outputs_of, print_layout, print_notices, retry_disqualified,
    stop_kept_versions,
};
use super::observers::{LiveStandings, Observers, StandingsTable};
use super::outputs::check_outputs;
use super::planning::Planned;
use crate::bot::{
    Interrupt, StopLevel, StopSteps, explained, prepare_coordinator, without_temporary,
};
use crate::cli::failure::{CliResult, Failure, Verdict, conclude};
use crate::cli::options::{with_advice, with_advice_to_go_on};
use crate::cli::output::to_stdout;
use crate::report::{Width, write_standings};
use crate::text::printable_path;
use crate::tournament::{
    Coordinator, Events, Journal, JournalError, JournalState, JournalWriter, Ledger, Live,
    LockedFile, ResumeMode, ResumedState, TournamentEnd, TournamentError, TournamentEvent,
    TournamentInputs, WorkerProcesses, WorkerWishes, Workplaces,
};

/// Plays it to its end, or until the user stops it.
pub(super) fn play(args: &Args, mut planned: Planned) -> CliResult {
    check_outputs(args)?;
    let refused = |error| Failure::Work(format!("cannot begin: {}", explained(error)));
    let steps = StopSteps::LetEndThenEndThenExit;
    let interrupt = Interrupt::on_signals(steps).map_err(refused)?;
    prepare_coordinator().map_err(refused)?;

    let workplaces = find_workplaces(args)?;
    let mut folders = AuthorFolders::open(args, &planned)?;
    let open_events =
        |path| Events::open(path).map_err(Failure::at("cannot write events to", path));
    let events = args.events.as_deref().map(open_events).transpose()?;

    let (record, _gone_at_the_end) = record_file(args).map_err(refused)?;
    let path = &*record;
    let at = |page| LivePage::at(page, path, planned.plan.anonymous);
    let mut page = args.report.as_deref().map(at).transpose()?;
    folders.expect_own(args, &planned, path)?;
    let min_free = planned.min_free.filter(|_| args.record.is_some());
    let file = LockedFile::wait_for(path).map_err(of_journal(args))?;
    planned.reread_versions()?;
    let planned = &planned;
    let Planned { plan, openings, folder, .. } = planned;
    let mut resumed = ResumedState::new(plan, planned.schedule.clone(), args.shard);
    let (mut journal, found) =
        Journal::open(file, &planned.heading(args), args.go_on(), min_free, &mut |entry| {
            resumed.add(entry);
        })
        .map_err(of_journal(args))?;
    journal.is_kept = args.record.is_some();
    let outputs = outputs_of(args);
    let (is_quiet, rank_by) = (args.output.quiet.is_quiet(), args.ranking.rank_by);
    let recorded = args.record.as_ref().map(|_| args.go_on());
    let live = RefCell::new(Live::new((plan, folder), rank_by, is_quiet, recorded, args.live));
    let ready = folders.make_ready(args).and_then(|()| {
        let is_updated = found.update.is_some();
        count_faults_anew(&live.borrow(), planned, (&mut resumed, &mut journal), is_updated)?;
        stop_kept_versions(&live.borrow(), planned, &mut resumed.ledger);
        retry_disqualified(&live.borrow(), args, plan, (&mut resumed, &mut journal))?;
        let content = || journal.content().map_err(refused);
        Ok((content()?, content()?))
    });
    let (live_standings, whole) =
        ready.inspect_err(|_: &Failure| _ = undo(&live.borrow(), &mut journal))?;
    let ResumedState { mut ledger, .. } = resumed;
    ledger.lacks_versions = found.lacks_versions;
    print_notices(&live.borrow(), args, planned, (&found, &ledger, &workplaces));
    print_layout(&live.borrow(), args, planned, &outputs);
    let mut live_standings = LiveStandings::new(path, live_standings, args.standings_options());
    if live.borrow().is_in_place() {
        live_standings.make_often();
    }
    let mut observers =
        Observers { args, plan, live: &live, events, live_standings, page: page.as_mut() };
    let mut observe =
        |ledger: &Ledger, event: &TournamentEvent<'_>| observers.notify(ledger, event);
    let inputs = TournamentInputs {
        plan,
        versions: &planned.versions,
        openings,
        folder,
        patterns: &planned.patterns,
        outputs: &outputs,
        workplaces: &workplaces.places,
        build_time: args.build_time,
        strict: args.strict,
        events: args.events.is_some(),
        stop_on_fault: args.stop_on_fault,
        check_time: args.check_time,
        logs: folders.places(),
    };
    let played_before = ledger.played();
    let mut workers = WorkerProcesses::new(workplaces.places.len(), &interrupt);
    let end =
        Coordinator::new(&inputs, &mut workers, &mut journal, &mut ledger, &mut observe).run();
    // Otherwise what is kept free for the record is for the pages now.
    let is_unplayed = is_before_all(&end) && ledger.played() == played_before;
    if !is_unplayed {
        journal.keep();
    }
    let unplayed = Some(journal).filter(|_| is_unplayed);
    let unwritten = observers.events.take().and_then(|events| events.write_error);
    let (events_sent, events_kept) = events_written(args, unwritten);
    // Where bots are missing, their authors may read why.
    if !matches!(&end, Err(TournamentError::Refused(_))) {
        folders.keep();
    }
    let is_interrupted = interrupt.level() > StopLevel::None;
    let end = end.map_err(|error| with_way_out(error, planned));
    let work = verdict(args, &ledger, end, is_interrupted);
    let work = work.and_then(|verdict| events_kept.map(|()| verdict));
    // Whatever ended it, what was played is shown.
    let table = LiveStandings::new(path, whole, args.standings_options()).table();
    // What went wrong before is why there is none.
    let table = if work.is_err() { table.unwrap_or_default() } else { table? };
    let write = |table: &StandingsTable| folders.write(args, planned, &table.0, path);
    let handed_out = table.as_ref().map_or(Ok(()), write);
    if let Some(mut journal) = unplayed {
        undo_and_tell(&live.borrow(), &mut journal, &found);
    }
    let Some(table) = table else { return conclude(work, events_sent) };
    let shown = page.as_ref().filter(|_| ledger.played() > 0);
    let shown = shown.map_or(Ok(()), |page| page.finish(args));
    let is_empty = ledger.played() == 0 && ledger.unfinished.is_empty();
    let written = if is_empty { Ok(()) } else { write_table(args, &table) };
    conclude(work.and_then(|work| handed_out.and(shown).map(|()| work)), events_sent.and(written))
}

/// Whether all events were written to stdout, and to a file.
fn events_written(args: &Args, error: Option<io::Error>) -> (io::Result<()>, CliResult) {
    match (&args.events, error) {
        (Some(path), Some(_)) if *path != *Path::new("-") => {
            let why = format!("the events in {} are not complete", printable_path(path));
            (Ok(()), Err(Failure::Work(why)))
        }
        (_, error) => (error.map_or(Ok(()), Err), Ok(())),
    }
}

/// Whether it ended because nothing can be played as it was asked for.
fn is_before_all(end: &Result<TournamentEnd, TournamentError>) -> bool {
    use TournamentError::{Cannot, CannotKeep, Refused, TooFew};
    matches!(end, Err(Refused(_) | TooFew | CannotKeep(_) | Cannot(_)))
}

/// Has the file of a run that played nothing be as it was before. Returns whether there is something
/// in it.
fn undo(live: &Live<'_>, journal: &mut Journal) -> bool {
    journal.undo().unwrap_or_else(|error| {
        let path = printable_path(journal.path());
        live.print(&format!("{path} cannot be put back as it was: {error}"));
        false
    })
}

/// The same for a run that has told what it found, and says so.
fn undo_and_tell(live: &Live<'_>, journal: &mut Journal, found: &JournalState) {
    if undo(live, journal) {
        let is_beside = found.update.is_some() || found.set_aside.is_some();
        let beside = if is_beside { ", and so are the files beside it" } else { "" };
        let path = printable_path(journal.path());
        live.print(&format!("{path} is as it was before{beside}: no match was played"));
    }
}

/// The record file: one without a name of the user's is gone when it is dropped.
fn record_file(args: &Args) -> io::Result<(PathBuf, Option<NamedTempFile>)> {
    if let Some(record) = &args.record {
        return Ok((record.clone(), None));
    }
    let unnamed = NamedTempFile::new().map_err(|error| without_temporary(&error))?;
    Ok((unnamed.path().to_owned(), Some(unnamed)))
}

/// Where the workers run.
fn find_workplaces(args: &Args) -> CliResult<Workplaces> {
    let wishes = WorkerWishes {
        jobs: args.jobs,
        cores: args.cores.clone(),
        cores_per_match: args.cores_per_match,
        oversubscribe: args.oversubscribe,
    };
    Ok(Workplaces::find(&wishes)?)
}

/// Adds the option that leaves the sandbox out to an error, unless the user asked for the sandbox.
fn with_way_out(error: TournamentError, planned: &Planned) -> TournamentError {
    match error {
        TournamentError::CannotKeep(why) if planned.is_sandboxed_by_default => {
            TournamentError::CannotKeep(format!(
                "{why}; bots found by a pattern ([[bots]]) play in the sandbox unless --no-sandbox or \
                 sandbox = false under [match] is given"
            ))
        }
        error => error,
    }
}

/// How the work went.
fn verdict(
    args: &Args,
    ledger: &Ledger,
    end: Result<TournamentEnd, TournamentError>,
    is_interrupted: bool,
) -> CliResult<Verdict> {
    let advice = match args.record {
        None if ledger.has_changed_bot() => {
            "begin it again, with --record FILE to keep what is played".to_owned()
        }
        Some(_) if ledger.has_changed_bot() && !ledger.can_be_updated() => {
            "give a new --record FILE, or put the bot back as it was and add --resume".to_owned()
        }
        Some(_) if ledger.has_changed_bot() => {
            "the same command with --update plays the rest with the bots as they are then"
                .to_owned()
        }
        Some(_) => format!("{} plays what is left", args.go_on().on_again()),
        None => "with --record FILE, --resume would play what is left".to_owned(),
    };
    let unfinished = ledger.unfinished.len();
    match end {
        Err(error @ TournamentError::RoundOpen { .. }) => {
            Err(Failure::Work(format!("{error}; {advice}")))
        }
        Err(error) => Err(Failure::work(error)),
        Ok(TournamentEnd::Interrupted) if is_interrupted => Err(Failure::Interrupted),
        Ok(_) if ledger.has_changed_bot() => {
            let left = match ledger.missing_of_changed() {
                0 => String::new(),
                1 => ": 1 of its matches stays unplayed".to_owned(),
                left => format!(": {left} of its matches stay unplayed"),
            };
            Err(Failure::Work(format!("a bot that has changed plays no more{left}; {advice}")))
        }
        Ok(_) if unfinished > 0 => {
            let stay = if unfinished == 1 { "match stays" } else { "matches stay" };
            Err(Failure::Work(format!("{unfinished} {stay} unfinished; {advice}")))
        }
        Ok(_) => Ok(Verdict::of(args.strict && ledger.faults() > 0)),
    }
}

/// Writes the table to stdout, or to stderr where events have stdout.
fn write_table(args: &Args, (standings, remarks): &StandingsTable) -> io::Result<()> {
    let mut text = Vec::new();
    let is_on_stderr = args.events.as_deref() == Some(Path::new("-"));
    let width = if is_on_stderr { Width::of_stderr() } else { Width::of_stdout() };
    write_standings(&mut text, standings, remarks, args.output.format, width)?;
    if is_on_stderr {
        // Ignores a closed stderr.
        let _ = io::stderr().write_all(&text);
        return Ok(());
    }
    to_stdout(|out| out.write_all(&text))
}

/// The failure of an error with the record file.
pub(super) fn of_journal(args: &Args) -> impl Fn(JournalError) -> Failure {
    let is_there = args.record.as_ref().is_some_and(|record| record.exists());
    let goes_on = args.go_on() != ResumeMode::No && is_there;
    move |error| match error {
        JournalError::Usage(why) => Failure::Usage(why),
        JournalError::Io { doing, path, source } => {
            let why = if goes_on {
                with_advice_to_go_on(source)
            } else {
                with_advice("--record", source)
            };
            Failure::Work(format!("cannot {doing} {path}: {why}"))
        }
        error => Failure::work(error),
    }
}
