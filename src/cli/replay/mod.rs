//! `mancala replay`: plays the moves of records again.

mod findings;

use std::io::{self, BufRead, BufReader, Write};
use std::path::PathBuf;

use findings::{ReplayFindings, STRANGE_LINES};

use crate::cli::failure::{CliResult, Failure, conclude};
use crate::cli::options::input::InputFile;
use crate::cli::options::{OneOf, QuietArgs, whole};
use crate::cli::output::to_stdout;
use crate::contest::{KnownPlans, PlannedPlace};
use crate::record::{
    MatchRecord, Note, ReadAt, ReadError, ReadErrorKind, Reader, RecordLines, TournamentHeader,
    is_of_records,
};
use crate::referee::{Mismatch, verify};
use crate::report::{self, OutputFormat, Width};
use crate::seat::PerSeat;
use crate::text::printable_path;

/// Play every move of a record file again through the rules and say whether each match is valid.
///
/// A match is invalid when a move, result, score or time is impossible, when a round is missing, or
/// when the plan of its tournament has another match, or none, with its number.
///
/// Exit codes: 0 every match is valid; 1 one is invalid, is cut off or cannot be read, or a note has
/// a number that is not in the plan; 2 the command line is wrong.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  mancala replay games.jsonl
  mancala replay games.jsonl --lost my_bot --faults
  mancala replay games.jsonl --match 3 --round 2")]
pub(super) struct Args {
    /// The record file, of matches or of a tournament; - is stdin
    file: PathBuf,

    /// Only the N-th match of the file. Messages, pages and feedback of a tournament show another
    /// number: for that use --tournament-match
    #[arg(long = "match", value_name = "N", group = "wanted", value_parser = whole::<u64>(1..=u64::MAX))]
    number: Option<u64>,

    /// Only the match with this number in its tournament, as written in the file: after an --update, tables
    /// and pages may show another one
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

    /// How results are written to stdout: table, one line per match, and the table of a single one;
    /// json, one line per match with the board after every move; or csv, one row per bot and round of
    /// the valid matches, also of those that do not count in standings
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

/// Whether a file that begins with these bytes seems to hold records: one of its lines begins as an object
/// and names a format, or the only line that is seen begins as one. An
/// empty file is another error.
fn may_hold_records(start: &[u8]) -> bool {
    let lines = start.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    let mut lines = lines.filter(|line| !line.is_empty());
    let is_single = lines.clone().nth(1).is_none();
    lines.clone().next().is_none()
        || lines.any(|line| begins_as_object(line) && (is_single || names_format(line)))
}

/// Whether a line begins with `{` and the quote of a key.
fn begins_as_object(line: &[u8]) -> bool {
    let rest = line.strip_prefix(b"{").map(<[u8]>::trim_ascii_start);
    rest.is_some_and(|rest| rest.starts_with(b"\""))
}

fn names_format(line: &[u8]) -> bool {
    const KEY: &[u8] = b"\"format\"";
    line.windows(KEY.len()).any(|part| part == KEY)
}

/// Goes through the file, a line on `out` for each match.
fn replay(
    args: &Args,
    file: &str,
    (input, mut plans): (impl BufRead, KnownPlans),
    found: &mut ReplayFindings,
    out: &mut impl Write,
) -> io::Result<()> {
    let (out, width): (&mut dyn Write, Width) = (out, Width::of_stdout());
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
        for header in reader.headers.drain(..) {
            plans.add_header(&header);
            // A bot that played no match is one of the file, too.
            found.names.extend(header.versions.into_keys());
        }
        found.see_notes(args, reader.notes.drain(..), &plans);
        let Some(item) = item else { break };
        number += 1;
        found.totals.seen += 1;
        if let Ok((_, record)) = &item
            && args.lost.is_some()
        {
            found.names.extend(record.bots.0.iter().map(|bot| bot.name.clone()));
        }
        let is_of_another = args.number.is_some_and(|wanted| wanted != number);
        let is_unknown = args.in_tournament.is_some() && item.is_err();
        if (is_of_another || is_unknown) && !ends_here {
            found.skipped += u64::from(is_unknown);
            continue;
        }
        found.has_match |= item.as_ref().is_ok_and(|(_, record)| args.is_meant(record));
        match item {
            Ok((_, record)) if !args.wants(&record) => {}
            Ok((line, record)) => {
                let verdict = verify(&record).and_then(|()| verify_plan(&record, &plans));
                found.totals.count(&verdict);
                match args.format {
                    OutputFormat::Json => {
                        report::write_replay_json(out, number, line, &record, &verdict)?;
                    }
                    OutputFormat::Csv if verdict.is_err() => {
                        let err: (&mut dyn Write, Width) = (&mut io::stderr(), Width::of_stderr());
                        let _ = report::write_replay(err, number, line, &record, &verdict);
                    }
                    OutputFormat::Csv => {
                        report::write_match_rows(out, &record, &mut found.has_titles)?;
                    }
                    _ => report::write_replay((&mut *out, width), number, line, &record, &verdict)?,
                }
                let Some(round) = args.round else {
                    if args.wants_one() && args.format == OutputFormat::Table && verdict.is_ok() {
                        writeln!(out)?;
                        report::write_match(out, &record, OutputFormat::Table, width)?;
                    }
                    continue;
                };
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
                    OutputFormat::Csv => report::print_message(&format!("match {number}: {error}")),
                    _ => report::write_sentence(out, &format!("match {number}: {error}"), width)?,
                }
            }
        }
    }
    let has_said_all = found.holds_none() || found.unknown(args).is_some();
    if args.format == OutputFormat::Json || has_said_all {
        return Ok(());
    }
    let why_none = found.why_none(args);
    if args.format == OutputFormat::Csv {
        if let Some(why) = why_none {
            report::print_message(&why);
        }
        return Ok(());
    }
    if let Some(why) = why_none {
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

    /// Whether this match has the number in its tournament that the user gave, if any.
    fn is_meant(&self, record: &MatchRecord) -> bool {
        let number = record.tournament.as_ref().map(|place| place.number.get());
        self.in_tournament.is_none_or(|wanted| number == Some(wanted))
    }

    /// Whether the user wants to see this match.
    fn wants(&self, record: &MatchRecord) -> bool {
        let lost =
            |name: &String| record.winner.is_some_and(|winner| record.bots[!winner].name == *name);
        self.is_meant(record)
            && self.lost.as_ref().is_none_or(lost)
            && (!self.faults || record.has_fault())
    }
}
