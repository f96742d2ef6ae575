//! `mancala analyse`: what the moves of records gave away, by exact values.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::counted_matches::CountedMatches;
use super::failure::{CliResult, Failure, Verdict, conclude};
use super::options::input::{InputFile, no_match_in};
use super::options::{OutputArgs, SolverMemory, positive, solver_memory, whole, with_advice};
use super::output::to_stdout;
use super::prepare::interrupt;
use crate::analysis::{
    AnalysedFile, AnalysedMatch, AnnotatedCopy, CopyError, Job, JudgedMatch, MatchPlace, Pool,
    Sample, Summary, Unusable, WorstMove, find_matches,
};
use crate::bot::{Interrupt, without_temporary};
use crate::report::{AnalysisExtent, Status, Width, write_analysis};
use crate::solve::{Budget, SolverRefusal};
use crate::standings::{CollectedResults, Mergeable};
use crate::text::time_left;

/// Say what each move of each round gave away, by the exact value of every position.
///
/// FILE is what match --record or tournament --record wrote; - is stdin. A file that is given twice
/// is read once. What a move gives away is how many seeds fewer it keeps than best play. Seeds
/// per round are computed from the judged moves; a bot with less than half of its play judged has no
/// rank. Rules that allow a position to repeat have no exact values. Invalid records are an error, as
/// in replay.
///
/// The matches are those that count in standings, under the names that their bots have now: not
/// those of changed, withdrawn or disqualified bots, and none twice. Matches by different rules, on different
/// terms, or of different programs with one name are not added up unless --merge allows it.
///
/// Exit codes: 0 analysed; 1 a file cannot be read or written, is not valid, contradicts another
/// one, or its rules have no exact values; 2 the command line is wrong; 130 interrupted, with what
/// was found so far.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  mancala analyse games.jsonl
  mancala analyse autumn.jsonl --write autumn-values.jsonl
  mancala analyse lesson.jsonl --worst 10
  mancala analyse part-*.jsonl --sample 200 --time 10s --format csv")]
pub(super) struct Args {
    /// Files of matches; - is stdin
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Write the file again to OUT, with the value and the loss of each move that was solved, also
    /// of matches that do not count; an OUT of an interrupted analysis is continued, and the values
    /// in it stay as they are
    #[arg(long, value_name = "OUT", conflicts_with = "sample")]
    write: Option<PathBuf>,

    /// Print the N moves that gave away most, too: match, round, move, what was better and by how
    /// much; csv has only these
    #[arg(long, value_name = "N", value_parser = whole::<usize>(1..=1000), allow_hyphen_values = true)]
    worst: Option<usize>,

    /// Add up matches although they differ in: rules; terms (times, margin, move limit, fault policy,
    /// adjudication); versions (the program behind a name); separate several by commas
    #[arg(long, value_name = "rules,terms,versions", value_delimiter = ',')]
    merge: Vec<Mergeable>,

    /// Analyse only N matches, drawn at random
    #[arg(long, value_name = "N", value_parser = whole::<usize>(1..=1_000_000_000), allow_hyphen_values = true)]
    sample: Option<usize>,

    /// Seed of the random sample
    #[arg(
        long,
        value_name = "N",
        value_parser = whole::<u64>(0..=u64::MAX),
        default_value_t = 1,
        requires = "sample",
        allow_hyphen_values = true
    )]
    seed: u64,

    /// Stop solving a round after this time; what is not solved by then does not count
    #[arg(long, value_name = "TIME", value_parser = positive, default_value = "60s", allow_hyphen_values = true)]
    time: Duration,

    /// Matches that are analysed at once, each on a thread of its own [default: number of cores]
    #[arg(long, value_name = "N", value_parser = whole::<NonZeroUsize>(1..=1024), allow_hyphen_values = true)]
    jobs: Option<NonZeroUsize>,

    /// Memory of all threads together for proven values, such as 64MiB or 2GiB [default:
    /// 1GiB, or 256MiB where less than 1.25GiB is free]
    #[arg(long, value_name = "SIZE", value_parser = solver_memory, allow_hyphen_values = true)]
    memory: Option<SolverMemory>,

    #[command(flatten)]
    output: OutputArgs,
}

pub(super) fn run(args: &Args) -> CliResult {
    let is_to_stdout = args.write.as_deref() == Some(Path::new("-"));
    let why = "--write takes a file: an interrupted analysis is continued in it";
    Failure::refuse_if(is_to_stdout, why)?;
    let interrupt = interrupt()?;
    let sources = open_all(&args.files, &interrupt)?;
    let why = "--write takes one FILE; analyse each of them to a file of its own";
    Failure::refuse_if(args.write.is_some() && sources.len() > 1, why)?;
    let status = args.output.quiet.status_with_seconds();
    status.show("reading…".to_owned());
    let sample = args.sample.map(|count| Sample { count, seed: args.seed });
    let mut results = CollectedResults::default();
    let mut counted = CountedMatches::read(&mut results, &sources, &args.merge, &interrupt)?;
    // A copy has all matches in it.
    let mut is_wanted =
        |place: &MatchPlace, line: &[u8]| counted.take(place, line) || args.write.is_some();
    let places = find_matches(&sources, sample, &mut is_wanted, &|| interrupt.is_raised())?;
    Failure::unless_interrupted(&interrupt)?;
    if counted.matches + counted.not_counted() == 0 {
        return Err(no_match_in(&args.files));
    }
    let mut summary = Summary::with_worst(args.worst.unwrap_or(0));
    let analysed = analyse(args, &sources, (&places, &counted), &interrupt, &status, &mut summary);
    let analysis = analysed.and_then(|earlier| {
        let mut analysis = summary.analysis();
        analysis.left_out = counted.not_counted();
        analysis.merged = counted.merged.iter().map(ToString::to_string).collect();
        if args.worst.is_some() {
            status.show("looking for better moves…".to_owned());
            analysis.worst = Some(worst_moves(args, &sources, &interrupt, &summary)?);
        }
        Ok((analysis, earlier > 0))
    });
    drop(status);
    let (analysis, is_resumed) = analysis?;
    let work = Failure::unless_interrupted(&interrupt).map(|()| Verdict::Clean);
    let written = if summary.is_empty() && counted.matches > 0 {
        Ok(())
    } else {
        let extent = AnalysisExtent {
            matches_that_count: counted.matches,
            is_resumed,
            remarks: counted.remarks(),
        };
        let format = args.output.format;
        to_stdout(|out| write_analysis(out, &analysis, &extent, format, Width::of_stdout()))
    };
    conclude(work, written)
}

/// Opens the files, each once.
pub(super) fn open_all(paths: &[PathBuf], interrupt: &Interrupt) -> CliResult<Vec<AnalysedFile>> {
    let inputs = InputFile::each_once(paths);
    inputs.map(|input| input.and_then(|(path, input)| seekable(path, input, interrupt))).collect()
}

/// A file that can be read at any position. Input from a pipe goes to a temporary file first.
fn seekable(path: &Path, input: InputFile, interrupt: &Interrupt) -> CliResult<AnalysedFile> {
    let cannot_read = Failure::at("cannot read", path);
    let file = match input {
        InputFile::File(file, metadata) if metadata.is_file() => file,
        pipe => {
            let mut file = tempfile::tempfile().map_err(|error| {
                let what = "cannot make a temporary file for what comes from";
                Failure::at(what, path)(without_temporary(&error))
            })?;
            let what = "cannot copy to a temporary file what comes from";
            pipe.copy_to(&mut file, interrupt).map_err(Failure::at(what, path))?;
            Failure::unless_interrupted(interrupt)?;
            file
        }
    };
    AnalysedFile::new(&path.to_string_lossy(), file).map_err(cannot_read)
}

/// The worst moves and better ones; each search has the time of `--time`.
fn worst_moves(
    args: &Args,
    sources: &[AnalysedFile],
    interrupt: &Interrupt,
    summary: &Summary,
) -> CliResult<Vec<WorstMove>> {
    let names: Vec<&str> = sources.iter().map(AnalysedFile::name).collect();
    let until = || Some(Instant::now() + args.time);
    let budget = || Budget { nodes: None, until: until(), stop: Some(interrupt.flag()) };
    Ok(summary.worst.with_better(&names, memory(args)?, &budget)?)
}

fn memory(args: &Args) -> CliResult<usize> {
    args.memory.unwrap_or_else(SolverMemory::for_many).available()
}

/// Judges all matches, and adds them to the summary and to the copy. Returns the number of matches
/// that an earlier analysis had put into the copy.
fn analyse(
    args: &Args,
    sources: &[AnalysedFile],
    (places, counted): (&[MatchPlace], &CountedMatches<'_>),
    interrupt: &Interrupt,
    status: &Status,
    summary: &mut Summary,
) -> CliResult<usize> {
    let copy = args.write.as_deref().zip(sources.first());
    let mut copy = copy.map(|(path, source)| AnnotatedCopy::open(path, source)).transpose()?;
    let add = |summary: &mut Summary, place: &MatchPlace, mut record, judged: &JudgedMatch| {
        counted.give_current_names(&mut record);
        summary.add(place, &AnalysedMatch::of_record(&record, judged));
    };
    let mut earlier = summary.clone();
    let done = match &mut copy {
        Some(copy) => copy.resume(places, &mut |place, record, judged| {
            if counted.has(place) {
                add(&mut earlier, place, record, judged);
            }
        })?,
        None => 0,
    };
    if done > 0 {
        *summary = earlier;
    }
    let left = places.get(done..).unwrap_or_default();
    let cores = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let jobs = args.jobs.unwrap_or(cores).min(NonZeroUsize::new(left.len()).unwrap_or(cores));
    let pool = Pool { jobs, memory: memory(args)?, time: args.time, stop: interrupt.flag() };
    let read = |place: &MatchPlace| {
        let (line, record) = sources[place.file].read(place)?;
        Ok::<_, Failure>(Job { place: place.clone(), line, record })
    };
    let (mut count, began) = (0, Instant::now());
    let say = |count| status.show(progress([done, count, left.len()], began.elapsed()));
    say(count);
    pool.judge(left.iter().map(read), &mut |job: &Job, judged: &JudgedMatch| {
        if let Some(copy) = &mut copy {
            copy.append(job, judged)?;
        }
        if counted.has(&job.place) {
            add(summary, &job.place, job.record.clone(), judged);
        }
        count += 1;
        say(count);
        Ok(())
    })?;
    if let Some(copy) = copy
        && !interrupt.is_raised()
    {
        copy.finish()?;
    }
    Ok(done)
}

/// `match 5 of 20, 3m 20s left`: how far it is with the matches of an earlier analysis and of this
/// one.
fn progress([done, judged, wanted]: [usize; 3], spent: Duration) -> String {
    let (number, all) = ((done + judged + 1).min(done + wanted), done + wanted);
    let left = wanted - judged;
    let left = if judged == 0 || left == 0 {
        String::new()
    } else {
        format!(", {}", time_left(spent, judged as u64, left as u64))
    };
    format!("match {number} of {all}{left}")
}

impl From<Unusable> for Failure {
    fn from(error: Unusable) -> Failure {
        Failure::work(error)
    }
}

impl From<CopyError> for Failure {
    fn from(error: CopyError) -> Failure {
        match error {
            CopyError::Io(file, error) => {
                let why = with_advice("--write", error);
                Failure::Work(format!("cannot write {file}: {why}"))
            }
            CopyError::OtherFile(why) => Failure::Usage(why),
            error => Failure::work(error),
        }
    }
}

impl From<SolverRefusal> for Failure {
    fn from(refusal: SolverRefusal) -> Failure {
        match refusal {
            SolverRefusal::Cycles(_) | SolverRefusal::Memory => Failure::Usage(refusal.to_string()),
            SolverRefusal::NoMemory(_) => Failure::Work(refusal.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_has_an_estimate_once_a_match_is_judged() {
        let shown = |counts| progress(counts, Duration::from_secs(10));
        assert_eq!(shown([0, 0, 2]), "match 1 of 2");
        assert_eq!(shown([3, 2, 6]), "match 6 of 9, 20s left");
        assert_eq!(shown([3, 6, 6]), "match 9 of 9");
    }
}
