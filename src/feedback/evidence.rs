//! What is known of a bot's side of some matches, and what a check said.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::analysis::{AnalysisRow, FoundMove};
use crate::log::{Bundle, LogIdentity, is_bundle};
use crate::problems::{Explanation, explain, explain_record, explain_together};
use crate::record::{DisqualifiedFor, MatchRecord};
use crate::report::{RecordedFault, for_each_fault};
use crate::rules::Board;
use crate::seat::Seat;
use crate::standings::ProcessTimes;
use crate::text::relative;
use crate::tournament::{BUILD_OUTPUT, CHECK_REPORT, LogFolders};

/// The first fault is kept for at most this many different explanations.
const MOST_EXPLANATIONS: usize = 100;

/// What there is in a bot's folder.
#[derive(Default)]
pub(super) struct Evidence {
    pub(super) matches: Vec<MatchLog>,
    /// The report of a check, line by line; none without a check.
    pub(super) check: Option<Vec<String>>,
    /// What its build wrote, line by line, where that failed.
    pub(super) build: Option<Vec<String>>,
    pub(super) measured: MeasuredMoves,
}

/// What is known of the moves of a bot.
#[derive(Default)]
pub(super) struct MeasuredMoves {
    pub(super) times: ProcessTimes,
    /// What it gave away; `None` without values.
    pub(super) given_away: Option<AnalysisRow>,
    /// The moves that gave away most.
    pub(super) worst: Vec<FoundMove>,
}

/// A bot's side of a match.
pub(super) struct MatchLog {
    /// Its number in the contest's plan as it is now.
    pub(super) number: u64,
    /// The number that it was played under, where an update has given it another one.
    pub(super) number_before: Option<u64>,
    /// The transcript, relative to the page.
    pub(super) transcript: Option<String>,
    pub(super) faults: Vec<FaultEvidence>,
}

/// A fault of a match.
pub(super) struct FaultEvidence {
    pub(super) round: u32,
    /// The bot's turn in the round, from 1; 0 if it was never asked.
    pub(super) turn: u32,
    pub(super) kind: String,
    /// The question that it was asked, without its newline; empty if it was asked none.
    pub(super) sent: String,
    pub(super) detail: String,
    /// How long its answer took, beside the limit; `None` if `detail` says it, or if it is not known.
    pub(super) time: Option<String>,
    /// The end of its stderr.
    pub(super) stderr: String,
    pub(super) explanation: Explanation,
    /// The position at the fault, in the bot's own view.
    pub(super) board: Option<Board>,
    /// Its bundle; `None` without a log.
    pub(super) bundle: Option<BundleFile>,
}

/// The bundle of a fault.
pub(super) struct BundleFile {
    /// The file, relative to the page.
    pub(super) file: String,
    /// Whether it needs `--from-start`.
    pub(super) has_earlier_lines: bool,
    /// Whether asking the bot again can show the fault.
    pub(super) can_be_seen_again: bool,
}

impl FaultEvidence {
    /// The fault of a bundle in `file`, which is relative to the page.
    pub(super) fn of_bundle(file: String, bundle: &Bundle) -> FaultEvidence {
        FaultEvidence {
            round: bundle.round,
            turn: bundle.turn,
            kind: bundle.kind.to_string(),
            sent: bundle.question().unwrap_or_default().to_owned(),
            detail: bundle.detail.clone(),
            time: bundle.cause.as_ref().and_then(|cause| cause.time_in_words()),
            stderr: bundle.stderr.clone(),
            explanation: explain(bundle),
            board: bundle.board_at_fault(),
            bundle: Some(BundleFile {
                file,
                has_earlier_lines: bundle.has_earlier_lines(),
                can_be_seen_again: !bundle.is_of_earlier_process(),
            }),
        }
    }
}

/// What there is of the matches of each bot, by its place: which of them have a log in the bot's
/// folder, and the faults of the others as records show them.
pub(crate) struct MatchesOfBots {
    bots: Vec<MatchesOfBot>,
    /// The numbers of matches whose logs were looked for and not found.
    without_logs: BTreeSet<u64>,
}

#[derive(Default)]
struct MatchesOfBot {
    logged: BTreeSet<u64>,
    recorded: Vec<MatchLog>,
    /// Where among these the first fault of each explanation is, by the numbers of matches.
    firsts: Vec<(usize, usize)>,
    measured: MeasuredMoves,
}

impl MatchesOfBots {
    /// No matches, of `bots` bots.
    pub(crate) fn none(bots: usize) -> MatchesOfBots {
        let bots = (0..bots).map(|_| MatchesOfBot::default()).collect();
        MatchesOfBots { bots, without_logs: BTreeSet::new() }
    }

    /// Adds what is known of the moves of the bot at `place`.
    pub(super) fn add_measured(&mut self, place: usize, measured: MeasuredMoves) {
        self.bots[place].measured = measured;
    }

    /// Adds a match whose log is in the folder of the bot at `place`, under the number `number`.
    pub(crate) fn add_log(&mut self, place: usize, number: u64) {
        self.bots[place].logged.insert(number);
    }

    /// Adds a match whose log was looked for and not found.
    pub(super) fn add_without_log(&mut self, number: u64) {
        self.without_logs.insert(number);
    }

    /// How many matches have no log where logs were looked for.
    pub(crate) fn without_logs(&self) -> usize {
        self.without_logs.len()
    }

    /// Whether any match has a log.
    pub(crate) fn have_logs(&self) -> bool {
        self.bots.iter().any(|bot| !bot.logged.is_empty())
    }

    /// Adds the faults of the bot at `place`, which sat at `seat` in a match that has this number by
    /// now, played in a contest with these [folders](super::Contest::folders).
    pub(crate) fn add_recorded(
        &mut self,
        folders: &[PathBuf],
        place: usize,
        (number, record): (u64, &MatchRecord),
        seat: Seat,
    ) {
        let mut faults = Vec::new();
        for_each_fault(record, &mut |fault| {
            if fault.record.bot == seat {
                let mut record = fault.record.clone();
                record.detail = relative(folders, &record.detail);
                record.stderr = relative(folders, &record.stderr);
                faults.push(FaultEvidence {
                    round: fault.round,
                    turn: fault.turn,
                    kind: record.kind.to_string(),
                    explanation: explain_record(&RecordedFault { record: &record, ..*fault }),
                    sent: fault.sent.to_owned(),
                    detail: record.detail,
                    time: record.cause.and_then(|cause| cause.time_in_words()),
                    stderr: record.stderr,
                    board: Some(record.board),
                    bundle: None,
                });
            }
        });
        if !faults.is_empty() {
            let then = record.tournament.as_ref().map(|it| it.number.get());
            let number_before = then.filter(|then| *then != number);
            let log = MatchLog { number, number_before, transcript: None, faults };
            self.bots[place].recorded.push(log);
            self.bots[place].keep_texts_of_firsts();
        }
    }
}

impl MatchesOfBot {
    /// Clears `sent` and `stderr` of faults in the match that was added last, except where a fault is
    /// the first with its explanation. The page shows these texts only once for each explanation, and
    /// there may be many faults. If the match has a lower number than the one that was first until now,
    /// the texts of that one are cleared instead.
    fn keep_texts_of_firsts(&mut self) {
        let MatchesOfBot { recorded, firsts, .. } = self;
        let last = recorded.len() - 1;
        for fault in 0..recorded[last].faults.len() {
            let explanation = &recorded[last].faults[fault].explanation;
            let is_equal =
                |&(log, at): &(usize, usize)| recorded[log].faults[at].explanation == *explanation;
            let forgotten = match firsts.iter().position(is_equal) {
                Some(known) if recorded[last].number < recorded[firsts[known].0].number => {
                    std::mem::replace(&mut firsts[known], (last, fault))
                }
                None if firsts.len() < MOST_EXPLANATIONS => {
                    firsts.push((last, fault));
                    continue;
                }
                _ => (last, fault),
            };
            let forgotten = &mut recorded[forgotten.0].faults[forgotten.1];
            (forgotten.stderr, forgotten.sent) = (String::new(), String::new());
        }
    }
}

impl Evidence {
    /// What there is of the bot at `bot`. If it is `disqualified`, for this reason, the record has the
    /// beginning of its build's or its check's `output`. What cannot be read is left out, and so are
    /// logs that are not of `matches`.
    pub(super) fn read(
        folders: &LogFolders,
        bot: usize,
        matches: &mut MatchesOfBots,
        (disqualified, output): (Option<DisqualifiedFor>, Option<String>),
    ) -> Evidence {
        let folder = folders.of_bot(bot);
        let log = |&number| MatchLog::read(number, &folders.of_match(bot, number), &folder);
        let matches = &mut matches.bots[bot];
        let mut logs: Vec<MatchLog> = matches.logged.iter().map(log).collect();
        logs.append(&mut matches.recorded);
        logs.sort_by_key(|log| log.number);
        let faults = logs.iter_mut().flat_map(|log| &mut log.faults);
        let mut faults: Vec<_> = faults.map(|it| (it.board, &mut it.explanation)).collect();
        explain_together(&mut faults);
        let lines = |text: String| text.lines().map(str::to_owned).collect::<Vec<_>>();
        let [mut check, mut build] =
            [CHECK_REPORT, BUILD_OUTPUT].map(|file| folders.read(bot, file).map(lines));
        let measured = std::mem::take(&mut matches.measured);
        // Where another run made these files.
        let noted = output.map(lines);
        match disqualified {
            Some(DisqualifiedFor::NotBuilt | DisqualifiedFor::DeadWorker) if build.is_none() => {
                build = Some(noted.unwrap_or_default());
            }
            _ if build.is_none() && check.is_none() => check = noted,
            _ => {}
        }
        Evidence { matches: logs, check, build, measured }
    }
}

impl MatchLog {
    fn read(number: u64, place: &Path, page: &Path) -> MatchLog {
        let entries = fs::read_dir(place).into_iter().flatten().flatten();
        let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        // A further fault of a turn has a longer name: with a number, or with a higher one.
        files.sort_by_cached_key(|file| (file.as_os_str().len(), file.clone()));
        let ends = |file: &Path, ending: &str| file.extension().is_some_and(|it| it == ending);
        let relative =
            |file: &Path| file.strip_prefix(page).unwrap_or(file).to_string_lossy().into_owned();
        let bundles = files.iter().filter(|file| is_bundle(file));
        let fault = |file: &PathBuf| {
            Some(FaultEvidence::of_bundle(relative(file), &Bundle::read(file).ok()?))
        };
        let mut faults: Vec<FaultEvidence> = bundles.filter_map(fault).collect();
        faults.sort_by_key(|fault| (fault.round, fault.turn));
        let transcript = files.iter().find(|file| ends(file, "txt")).map(|file| relative(file));
        let then = LogIdentity::read(place).map(|identity| identity.place().1);
        let number_before = then.filter(|then| *then != number);
        MatchLog { number, number_before, transcript, faults }
    }
}
