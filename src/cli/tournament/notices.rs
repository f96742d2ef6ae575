//! What is said on stderr before the first match.

use std::path::PathBuf;

use super::Args;
use super::planning::Planned;
use crate::cli::failure::{CliResult, Failure};
use crate::contest::{Pairings, Plan, PlannedBot};
use crate::record::NoteKind;
use crate::record::own_files::place_of_named;
use crate::text::{and_listed, counted, printable, printable_path};
use crate::tournament::{
    JournalState, JournalWriter, Ledger, Live, NoteContent, PathOwners, ResumedState, Update,
    Workplaces, bots_with_same_files, changed_programs, programs, retry_advice, unlisted_files,
    versions_without_files,
};

/// Counts the faults anew of bots that were disqualified by theirs before an update, and says who
/// plays again.
pub(super) fn count_faults_anew(
    live: &Live<'_>,
    planned: &Planned,
    (resumed, journal): (&mut ResumedState, &mut dyn JournalWriter),
    is_updated: bool,
) -> CliResult {
    let plan = &planned.plan;
    let again = resumed.count_faults_anew(plan, journal, is_updated);
    let again = again.map_err(Failure::at("cannot write the record file", journal.path()))?;
    // Others than those that cannot be run again.
    let plays = |bot: usize| planned.obstacles().all(|(place, _)| place != bot);
    let again = again.into_iter().filter(|(bot, _)| plays(*bot));
    let again =
        again.map(|(bot, why)| (bot, format!("{why}, which are counted anew in the kept matches")));
    let predicates =
        ["plays again: it was disqualified for", "play again: they were disqualified for"];
    for remark in by_reason(&plan.bots, again, predicates) {
        live.print(&remark);
    }
    Ok(())
}

/// A remark for each reason, about all bots that it is the reason of: their names, the predicate for
/// one of them or for more, and the reason.
fn by_reason(
    planned: &[PlannedBot],
    bots: impl IntoIterator<Item = (usize, String)>,
    [of_one, of_more]: [&str; 2],
) -> Vec<String> {
    let mut reasons: Vec<(String, Vec<String>)> = Vec::new();
    for (bot, why) in bots {
        let name = format!("\"{}\"", printable(&planned[bot].name));
        match reasons.iter_mut().find(|(known, _)| *known == why) {
            Some((_, names)) => names.push(name),
            None => reasons.push((why, vec![name])),
        }
    }
    let remark = |(why, names): (String, Vec<String>)| {
        let (bots, predicate) = if names.len() == 1 { ("bot", of_one) } else { ("bots", of_more) };
        format!("{bots} {} {predicate} {}", and_listed(names, usize::MAX), printable(&why))
    };
    reasons.into_iter().map(remark).collect()
}

/// Refuses a retry of bots in a Swiss tournament that was paired without them.
pub(super) fn check_retry(args: &Args, plan: &Plan, resumed: &ResumedState) -> CliResult {
    let is_paired = plan.pairings == Pairings::Swiss && resumed.ledger.played() > 0;
    Failure::refuse_if(
        args.retry_disqualified && is_paired && !resumed.retried().is_empty(),
        "--retry-disqualified comes too late for a Swiss tournament that has been paired without \
         the bot; leave it out, or give a new --record FILE",
    )
}

/// Tries bots again, where that is asked for, that are not disqualified by their own faults.
pub(super) fn retry_disqualified(
    live: &Live<'_>,
    args: &Args,
    plan: &Plan,
    (resumed, journal): (&mut ResumedState, &mut dyn JournalWriter),
) -> CliResult {
    if !args.retry_disqualified {
        return Ok(());
    }
    check_retry(args, plan, resumed)?;
    let tried = resumed.retry_disqualified();
    for (bot, why) in &tried {
        let written = journal.write_note(plan, NoteContent::about(NoteKind::Reinstated, *bot, why));
        written.map_err(Failure::at("cannot write the record file", journal.path()))?;
    }
    if tried.is_empty() {
        live.print(
            "--retry-disqualified changes nothing: none of today's bots is out because of its build, \
             its start, its check or a dead worker",
        );
    }
    let predicates =
        ["is tried again; it was disqualified:", "are tried again; they were disqualified:"];
    for remark in by_reason(&plan.bots, tried, predicates) {
        live.print(&remark);
    }
    Ok(())
}

/// Has earlier versions of bots that cannot be run again play no more, and says so.
pub(super) fn stop_kept_versions(live: &Live<'_>, planned: &Planned, ledger: &mut Ledger) {
    for (place, why) in planned.obstacles() {
        let bot = &planned.plan.bots[place];
        ledger.stop(place);
        let (played, all) = ledger.played_and_planned(place);
        let missing = all.saturating_sub(played);
        if missing > 0 {
            live.print(&format!(
                "bot \"{}\" cannot be run again: {why}; {played} of its matches {}, {missing} cannot \
                 be played",
                printable(&bot.name),
                if played == 1 { "counts" } else { "count" },
            ));
        }
    }
}

/// Prints what users should know before the first match.
pub(super) fn print_notices(
    live: &Live<'_>,
    args: &Args,
    planned: &Planned,
    (found, ledger, workplaces): (&JournalState, &Ledger, &Workplaces),
) {
    let Planned { plan, versions, folder, .. } = planned;
    let is_empty = !found.resumed && found.set_aside.is_none();
    let mut remarks: Vec<String> = args.begins_anew(is_empty).into_iter().collect();
    if let Some((bytes, aside)) = &found.set_aside {
        let aside = printable_path(aside);
        let again = if found.resumed {
            "a match in it is played again"
        } else {
            "it held the plan, which is written again"
        };
        let bytes = counted(*bytes, "byte is", "bytes are");
        remarks.push(format!(
            "the last line of the record file was cut off: its {bytes} now in {aside}; {again}"
        ));
    }
    if let Some(Update { changes, kept, gone, before }) = &found.update {
        let effect = effect_of_update(*kept, *gone);
        let (changes, before) = (changes.join(", "), printable_path(before));
        remarks.push(format!("updated: {changes}; {effect}; the file as it was is {before}"));
    }
    if args.update && found.resumed && found.update.is_none() && !args.output.quiet.is_quiet() {
        remarks.push("no bot has changed since the last run; all matches are kept".to_owned());
    }
    if plan.sprt.is_some() && planned.schedule.matches() == 1 {
        remarks.push(ONE_MATCH.to_owned());
    }
    remarks.extend(bots_with_same_files(&plan.bots, versions));
    remarks.extend(args.record.iter().find_map(|_| unlisted_files(&plan.bots, versions, folder)));
    // Who goes on may do so because a file has changed.
    remarks.extend(versions_without_files(&plan.bots, versions).filter(|_| found.resumed));
    remarks.extend(changed_programs(&found.programs, &programs(&plan.bots, folder)));
    remarks.extend(smaller_count(planned, found));
    let out = (0..plan.bots.len()).filter_map(|bot| {
        let (why, cause) = ledger.disqualified(bot).zip(ledger.disqualified_for(bot))?;
        let advice = if ledger.is_stopped(bot) { "" } else { retry_advice(cause) };
        Some((bot, format!("{why}{advice}")))
    });
    remarks.extend(by_reason(&plan.bots, out, ["stays disqualified:", "stay disqualified:"]));
    let is_quiet = args.output.quiet.is_quiet();
    if planned.runs_pattern_bots_unsandboxed && !is_quiet {
        remarks.push(WITHOUT_SANDBOX.to_owned());
    }
    if workplaces.left_out > 0 && !is_quiet {
        let cores = counted(workplaces.left_out as u64, "core is", "cores are");
        remarks.push(format!("{cores} in use by other tournaments on this machine"));
    }
    for remark in &remarks {
        live.print(remark);
    }
}

/// Of a test that cannot decide.
const ONE_MATCH: &str = "a test (--sprt) needs many matches, and the plan has only one: add --openings \
    random:4 --count N, the most matches of the test";

const WITHOUT_SANDBOX: &str = "without the sandbox bots found by a pattern ([[bots]]) and their \
    builds can do all that your user can";

/// That the record file has more openings than the plan, in words, if so.
pub(super) fn smaller_count(planned: &Planned, found: &JournalState) -> Option<String> {
    let (count, before) = (planned.plan.count, found.count);
    let given = match planned.keys.get("count") {
        Some(place) => format!("{place}: count = {count}"),
        None if count == 1 => "--count 1, which is also the default,".to_owned(),
        None => format!("--count {count}"),
    };
    (count < before).then(|| {
        format!(
            "{given} is less than the {before} of the record file, whose matches stay and count; for \
             fewer give another --record FILE"
        )
    })
}

/// What an update does to the matches of a file, in words.
pub(super) fn effect_of_update(kept: u64, gone: u64) -> String {
    let kept = counted(kept, "match is", "matches are");
    format!("{kept} kept, {}", counted(gone, "does not count", "do not count"))
}

/// Prints what the bots' folders must look like where their builds are in the sandbox.
pub(super) fn print_layout(live: &Live<'_>, args: &Args, planned: &Planned, outputs: &[PathBuf]) {
    let bots = &planned.plan.bots;
    let builds = || (0..bots.len()).filter(|&bot| !bots[bot].build.is_empty());
    if planned.plan.terms.keeping.sandbox.is_none() || builds().next().is_none() {
        return;
    }
    let owners = PathOwners::new(bots, &planned.folder, outputs);
    let (is_warning, text) = owners.layout(builds());
    if is_warning || !args.output.quiet.is_quiet() {
        live.print(&text);
    }
}

/// What the referee reads and writes, and no build may.
pub(super) fn outputs_of(args: &Args) -> Vec<PathBuf> {
    let paths = [&args.record, &args.events, &args.report, &args.feedback, &args.log, &args.config];
    let places = |path: &PathBuf| [Some(path.clone()), place_of_named(path).ok()];
    let places = paths.into_iter().flatten().flat_map(places).flatten();
    places.filter_map(|path| std::path::absolute(path).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_so_of_many_bots_for_one_reason_is_said_once() {
        let bot = |name: &str| PlannedBot { name: name.to_owned(), ..PlannedBot::default() };
        let planned = ["ann", "ben", "cem", "dan"].map(bot);
        let why = ["no cc", "no cc", "no file", "no cc"].map(str::to_owned);
        let remarks = by_reason(&planned, (0..).zip(why), ["is out:", "are out:"]);
        assert_eq!(
            remarks,
            ["bots \"ann\", \"ben\" and \"dan\" are out: no cc", "bot \"cem\" is out: no file"]
        );
    }
}
