//! `mancala replay`: plays the moves of records again.

use std::collections::BTreeSet;
use std::io::{self, BufRead, BufReader, Write};
use std::path::PathBuf;

use super::failure::{CliResult, Failure, Verdict, conclude};
use super::input::InputFile;
use super::options::{OneOf, QuietArgs, whole};
use super::output::to_stdout;
use crate::contest::{KnownPlans, PlannedPlace};
use crate::record::{
    MatchRecord, Note, ReadAt, ReadError, ReadErrorKind, Reader, RecordLines, TournamentHeader,
    is_of_records,
};
use crate::referee::{Mismatch, verify};
use crate::report::{self, OutputFormat, ReplayTotals};
use crate::seat::PerSeat;
use crate::text::{counted, printable, printable_path};

/// What ends the help page.
const EXAMPLES: &str = "\
Examples:
  mancala replay games.jsonl
  mancala replay games.jsonl --lost my_bot --faults
  mancala replay games.jsonl --match 3 --round 2";

/// Play every move of a record file again through the rules and say whether each match is valid.
///
/// A match is invalid when a move, result, score or time is impossible, when a round is missing, or
/// when the plan of its tournament has another match, or none, with its number.
///
/// Exit codes: 0 every match is valid; 1 one is invalid, is cut off or cannot be read, or a note has
/// a number that is not in the plan; 2 the command line is wrong.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The record file, of matches or of a tournament; - is stdin
    file: PathBuf,

    /// Only this match, counted from 1 in the file; messages, pages and feedback of a tournament show
    /// --tournament-match
    #[arg(long = "match", value_name = "N", group = "wanted", value_parser = whole::<u64>(1..=u64::MAX))]
    number: Option<u64>,

    /// Only the match with this number in its tournament
    #[arg(long = "tournament-match", value_name = "N", group = "wanted", value_parser = whole::<u64>(1..=u64::MAX))]
    in_tournament: Option<u64>,

    /// Show this round of it move by move, with what the bots said beside their moves; needs
    /// --match or --tournament-match
    #[arg(long, value_name = "N", requires = "wanted", conflicts_with = "format", value_parser = whole::<u32>(1..=u32::MAX.into()))]
    round: Option<u32>,

    /// Only the matches that the bot of this name lost
    #[arg(long, value_name = "BOT")]
    lost: Option<String>,

    /// Only the matches in which a bot faulted
    #[arg(long)]
    faults: bool,

    /// How results are written to stdout: table, one line per match; json, one line per match with
    /// the board after every move; or csv, one row per bot and round of the valid matches
    #[arg(long, value_name = "FORMAT", default_value = "table", value_parser = OneOf(FORMATS), hide_possible_values = true, help_heading = "Output")]
    format: OutputFormat,

    #[command(flatten)]
    _quiet: QuietArgs,
}

const FORMATS: &[OutputFormat] = &[OutputFormat::Table, OutputFormat::Json, OutputFormat::Csv];

pub(super) fn run(args: &Args) -> CliResult {
    let input = InputFile::open(&args.file)?;
    let plans = plans_before(&input);
    let mut input = input.reader();
    let start = input.fill_buf().map_err(Failure::at("cannot read", &args.file))?;
    let strange = if may_hold_records(start) { 0 } else { STRANGE_LINES };
    let file = printable_path(&args.file);
    let mut found = ReplayFindings { strange, ..ReplayFindings::default() };
    let written = to_stdout(|out| replay(args, &file, (input, plans), &mut found, out));
    conclude(found.verdict(args, &file), written)
}

/// The plans of all headers in a regular file, some of which may stand behind their matches. Nothing
/// else can be read twice.
fn plans_before(input: &InputFile) -> KnownPlans {
    let mut plans = KnownPlans::default();
    if let InputFile::File(file, metadata) = input
        && metadata.is_file()
    {
        let all = ReadAt::new(file, 0..metadata.len());
        let mut lines = RecordLines::new(BufReader::with_capacity(256 * 1024, all));
        while let Some(Ok((_, line))) = lines.next_line() {
            if let Ok(header) = serde_json::from_slice::<TournamentHeader>(line) {
                plans.add_header(&header);
            }
        }
    }
    plans
}

/// Whether a file that begins with these bytes seems to hold records: one of its lines begins as a
/// record does, or only one line is seen.
fn may_hold_records(start: &[u8]) -> bool {
    let lines = start.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    let mut lines = lines.filter(|line| !line.is_empty());
    lines.clone().nth(1).is_none() || lines.any(begins_as_object)
}

/// Whether a line begins with `{` and the quote of a key.
fn begins_as_object(line: &[u8]) -> bool {
    let rest = line.strip_prefix(b"{").map(<[u8]>::trim_ascii_start);
    rest.is_some_and(|rest| rest.starts_with(b"\""))
}

fn holds_no_records(file: &str) -> Failure {
    Failure::Work(format!("{file} holds no records; name a file that mancala wrote with --record"))
}

/// Most lines of something else that are told before the first one of a record file.
const STRANGE_LINES: u64 = 10;

/// What was found in the file so far.
#[derive(Default)]
struct ReplayFindings {
    /// The names of all bots.
    names: BTreeSet<String>,
    totals: ReplayTotals,
    /// Whether the titles of CSV are written.
    has_titles: bool,
    /// A round that was asked for and is not there.
    no_round: Option<String>,
    /// The first note that contradicts the plan.
    wrong_note: Option<String>,
    /// How many lines of something else count as told.
    strange: u64,
    /// Whether some line is one of a record file, or the file could not be read further.
    has_records: bool,
}

impl ReplayFindings {
    /// Compares notes with their plans, where the whole file is wanted.
    fn see_notes(
        &mut self,
        args: &Args,
        mut notes: impl Iterator<Item = (u64, Note)>,
        plans: &KnownPlans,
    ) {
        if args.wants_all() && self.wrong_note.is_none() {
            self.wrong_note = notes.find_map(|note| verify_note(&note, plans).err());
        }
    }

    /// The name after `--lost`, if no bot has it.
    fn unknown<'a>(&self, args: &'a Args) -> Option<&'a str> {
        let has_names = !self.names.is_empty();
        args.lost.as_deref().filter(|name| has_names && !self.names.contains(*name))
    }

    /// Whether the file holds so much of something else, and nothing of a record file.
    const fn holds_none(&self) -> bool {
        !self.has_records && self.strange >= STRANGE_LINES
    }

    fn verdict(self, args: &Args, file: &str) -> CliResult<Verdict> {
        /// Most names that an error lists.
        const LISTED: usize = 20;
        if let Some(unknown) = self.unknown(args) {
            let names = &self.names;
            let mut known: Vec<String> =
                names.iter().take(LISTED).map(|name| printable(name)).collect();
            if names.len() > LISTED {
                known.push(format!("and {} more", names.len() - LISTED));
            }
            return Err(Failure::Usage(format!(
                "no bot of {file} is named {}; there are {}",
                printable(unknown),
                known.join(", ")
            )));
        }
        let holds_none = self.holds_none();
        let ReplayFindings { totals, no_round, wrong_note, .. } = self;
        if holds_none {
            return Err(holds_no_records(file));
        }
        if let Some(why) = no_round {
            return Err(Failure::Work(why));
        }
        let seen = totals.seen;
        if let Some(wanted) = args.in_tournament
            && totals.matches() == 0
        {
            let such = if args.lost.is_some() || args.faults { "such " } else { "" };
            return Err(Failure::Work(format!("{file} has no {such}tournament match {wanted}")));
        }
        match args.number {
            Some(number) if totals.matches() == 0 && number > seen => {
                let seen = counted(seen, "match", "matches");
                Err(Failure::Work(format!("{file} has no match {number}; it has {seen}")))
            }
            None if seen == 0 => Err(Failure::Work(format!("{file} has no match"))),
            _ => {
                let problems = (!totals.all_valid()).then(|| totals.problems());
                let problems: Vec<String> = problems.into_iter().chain(wrong_note).collect();
                if problems.is_empty() {
                    return Ok(Verdict::Clean);
                }
                Err(Failure::Work(format!("{file}: {}", problems.join("; "))))
            }
        }
    }
}

/// Goes through the file, a line on `out` for each match.
fn replay(
    args: &Args,
    file: &str,
    (input, mut plans): (impl BufRead, KnownPlans),
    found: &mut ReplayFindings,
    out: &mut impl Write,
) -> io::Result<()> {
    let mut reader = Reader::new(input);
    let mut number = 0;
    loop {
        let item = reader.next();
        // Nothing comes after a line that cannot be read to its end.
        let ends_here = matches!(&item, Some(Err(ReadError { kind: ReadErrorKind::Io(_), .. })));
        let is_of_file = match &item {
            Some(Err(_)) if !ends_here => is_of_records(reader.line()),
            item => item.is_some(),
        };
        found.has_records |= is_of_file || !reader.headers.is_empty() || !reader.notes.is_empty();
        reader.headers.drain(..).for_each(|header| plans.add_header(&header));
        found.see_notes(args, reader.notes.drain(..), &plans);
        let Some(item) = item else { break };
        number += 1;
        found.totals.seen += 1;
        if let Ok((_, record)) = &item
            && args.lost.is_some()
        {
            found.names.extend(record.bots.0.iter().map(|bot| bot.name.clone()));
        }
        let is_other = args.number.is_some_and(|wanted| wanted != number)
            || (args.in_tournament.is_some() && item.is_err());
        if is_other && !ends_here {
            continue;
        }
        match item {
            Ok((_, record)) if !args.wants(&record) => {}
            Ok((line, record)) => {
                let verdict = verify(&record).and_then(|()| verify_plan(&record, &plans));
                found.totals.count(&verdict);
                match args.format {
                    OutputFormat::Json => {
                        report::write_replay_json(out, number, line, &record, &verdict)?;
                    }
                    OutputFormat::Csv if verdict.is_err() => {}
                    OutputFormat::Csv => {
                        report::write_match_rows(out, &record, &mut found.has_titles)?;
                    }
                    _ => report::write_replay(out, number, line, &record, &verdict)?,
                }
                let Some(round) = args.round else { continue };
                if let Some(round) = record.rounds.iter().find(|found| found.round == round) {
                    report::write_round(out, &record, round)?;
                } else {
                    let rounds = record.rounds.len();
                    let why =
                        format!("match {number} of {file} has no round {round}; it has {rounds}");
                    found.no_round = Some(why);
                }
            }
            Err(error) => {
                found.totals.unreadable += 1;
                if found.holds_none() {
                    continue;
                }
                found.strange += 1;
                match args.format {
                    OutputFormat::Json => report::write_unreadable_json(out, number, &error)?,
                    OutputFormat::Csv => {}
                    _ => writeln!(out, "match {number}: {error}")?,
                }
            }
        }
    }
    let has_said_all = found.holds_none() || found.unknown(args).is_some();
    if args.format != OutputFormat::Table || has_said_all {
        return Ok(());
    }
    if let Some(why) = args.why_none(&found.totals) {
        return writeln!(out, "{why}");
    }
    if args.wants_one() { Ok(()) } else { report::write_totals(out, &found.totals) }
}

/// Checks that the plan has a match with the number in a note.
fn verify_note((line, note): &(u64, Note), plans: &KnownPlans) -> Result<(), String> {
    let Some(number) = note.number else { return Ok(()) };
    let checked = plans.check_number(note.tournament, number.get());
    checked.map_err(|why| format!("line {line}: {why}"))
}

/// Checks that a match is one of its plan, if that is known.
fn verify_plan(record: &MatchRecord, plans: &KnownPlans) -> Result<(), Mismatch> {
    let Some(place) = &record.tournament else { return Ok(()) };
    let names = PerSeat(record.bots.0.each_ref().map(|bot| &*bot.name));
    let (number, opening) = (place.number.get(), place.opening.get());
    let checked = plans.check_match(place.id, PlannedPlace { number, opening, names });
    checked.map_err(|why| Mismatch { round: None, number: None, what: why.to_string() })
}

impl Args {
    const fn wants_one(&self) -> bool {
        self.number.is_some() || self.in_tournament.is_some()
    }

    /// Whether the user wants to see all matches.
    const fn wants_all(&self) -> bool {
        !self.wants_one() && self.lost.is_none() && !self.faults
    }

    /// Why the user sees no match, where matches are there and none of them is wanted.
    fn why_none(&self, totals: &ReplayTotals) -> Option<String> {
        let lost = self.lost.as_ref().map(|name| format!("that {} lost", printable(name)));
        let faulted = self.faults.then(|| "in which a bot faulted".to_owned());
        let wanted: Vec<String> = lost.into_iter().chain(faulted).collect();
        if wanted.is_empty() || self.in_tournament.is_some() || totals.matches() > 0 {
            return None;
        }
        let (wanted, seen) = (wanted.join(" and "), totals.seen);
        match self.number {
            Some(number) if number <= seen => Some(format!("match {number} is not one {wanted}")),
            None if seen > 0 => Some(format!("no match {wanted}; {seen} in the file")),
            _ => None,
        }
    }

    /// Whether the user wants to see this match.
    fn wants(&self, record: &MatchRecord) -> bool {
        let lost =
            |name: &String| record.winner.is_some_and(|winner| record.bots[!winner].name == *name);
        let number = record.tournament.as_ref().map(|place| place.number.get());
        let has_number = self.in_tournament.is_none_or(|wanted| number == Some(wanted));
        has_number && self.lost.as_ref().is_none_or(lost) && (!self.faults || record.has_fault())
    }
}
