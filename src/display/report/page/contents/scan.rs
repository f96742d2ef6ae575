//! The second reading of the files: chooses the matches that tell most, and counts what no table
//! has.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::value::RawValue;

use super::cases::{Advice, CasePlace, FaultCases, RecordedFault, add_cases};
use super::most_interesting::{GamesKept, KeptMatch, MostInteresting};
use crate::analysis::{
    AnalysedFile, AnalysedMatch, Analysis, MatchPlace, Summary, Unusable, WorstMoves, light_match,
};
use crate::contest::{FileLine, LightMove, LineMoves, MatchSummary, read_file_line};
use crate::record::{MatchRecord, ReadError, RecordLines, Stoppable};
use crate::report::hidden_folders::folders_of_contest;
use crate::report::page::reading::{ContentsError, ReadProgress};
use crate::report::page::texts::{hide_folders, without_folder};
use crate::seat::{PerSeat, Seat};
use crate::standings::{Counting, SeenMatches, Standings};

/// What the second reading found. Bots are rows of the ranking.
#[derive(Debug, Default)]
pub(in crate::report::page) struct Found {
    /// Matches in all files, each counted as often as it is there.
    pub(super) in_files: u64,
    /// Different matches among them of bots as they are by now.
    pub(in crate::report::page) different: u64,
    /// Whether a match has another number in its tournament now than when it was played.
    pub(in crate::report::page) is_renumbered: bool,
    /// Rounds won, drawn and lost by the first mover, by its row and the other's.
    pub(in crate::report::page) by_mover: BTreeMap<(usize, usize), [u64; 3]>,
    /// Rounds that nobody forfeited, by how many seeds the first mover was ahead at the end.
    pub(in crate::report::page) margins: BTreeMap<i16, u64>,
    /// When the first match began, and the last one.
    pub(in crate::report::page) dates: Option<[String; 2]>,
    pub(in crate::report::page) cases: FaultCases,
    /// What `mancala analyse` says of the values in the records; `None` without any.
    pub(in crate::report::page) analysis: Option<Analysis>,
    pub(in crate::report::page) worst: BTreeMap<usize, WorstMoves>,
    /// The folders in which the tournaments were played.
    pub(super) folders: Vec<PathBuf>,
}

/// The second reading.
#[derive(Debug)]
pub(super) struct Scan<'a> {
    counting: &'a Counting<'a>,
    rows: BTreeMap<&'a str, usize>,
    ratings: Vec<Option<f64>>,
    /// Whether moves have values.
    has_values: bool,
    /// Matches that have values in one of several files: they are read there.
    valued: SeenMatches,
    seen: SeenMatches,
    telling: MostInteresting,
    analysis: Summary,
    found: Found,
}

/// What a match is judged with.
pub(super) struct ScanTools<'a> {
    pub(super) advise: &'a dyn Fn(&RecordedFault<'_>) -> Advice,
    pub(super) progress: &'a dyn Fn(ReadProgress) -> bool,
}

impl<'a> Scan<'a> {
    pub(super) fn new(
        standings: &'a Standings,
        counting: &'a Counting<'a>,
        (kept, has_values): (GamesKept, bool),
    ) -> Scan<'a> {
        let rows = standings.rows.iter().enumerate();
        Scan {
            counting,
            rows: rows.map(|(row, of)| (&*of.name, row)).collect(),
            ratings: standings.rows.iter().map(|row| row.rating).collect(),
            has_values,
            valued: SeenMatches::default(),
            seen: SeenMatches::default(),
            telling: MostInteresting::new(kept.max(GamesKept::DEFAULT)),
            analysis: Summary::default(),
            found: Found::default(),
        }
    }

    /// Reads all files.
    pub(super) fn read(
        &mut self,
        files: &[AnalysedFile],
        tools: &ScanTools<'_>,
    ) -> Result<(), ContentsError> {
        if self.has_values && files.len() > 1 {
            self.find_values(files, tools)?;
        }
        for (file, source) in files.iter().enumerate() {
            let mut lines = RecordLines::new(source.reader());
            let (mut number, mut rest) = (0, Vec::new());
            while let Some(read) = lines.next_line() {
                let (line_number, line) = read.map_err(|error| unreadable(source, &error))?;
                let mut moves = Vec::new();
                // The table was made from the same lines.
                let wanted = if self.has_values {
                    LineMoves::Read(&mut moves, &mut rest)
                } else {
                    LineMoves::ReadBefore(&mut rest)
                };
                let read = read_file_line(line, wanted);
                let (mut summary, conditions) = match read {
                    Ok(FileLine::Match(summary, conditions)) => (summary, conditions),
                    Ok(FileLine::Header(header, plan)) => {
                        let hidden = header
                            .folder
                            .map(|folder| folders_of_contest(&plan, Path::new(&folder)));
                        for folder in hidden.into_iter().flatten() {
                            if !self.found.folders.contains(&folder) {
                                self.found.folders.push(folder);
                            }
                        }
                        continue;
                    }
                    _ => continue,
                };
                self.counting.give_current_names(&mut summary);
                number += 1;
                self.found.in_files += 1;
                if self.found.in_files.is_multiple_of(256)
                    && (tools.progress)(ReadProgress::Scanned(self.found.in_files))
                {
                    return Err(ContentsError::Interrupted);
                }
                // Neither the page nor its table is about versions that were replaced.
                if !self.counting.has_bots_of(&summary) {
                    continue;
                }
                self.see_date(conditions.started);
                let is_copy = !have_values(&moves) && self.valued.has(&summary);
                if is_copy || !self.seen.is_new(&summary) {
                    continue;
                }
                self.found.different += 1;
                let left_out = self.counting.left_out(&summary);
                let counts = self.counting.counts_for(&summary, left_out);
                let of_tournament = self.counting.current_place(&summary);
                let in_tournament = of_tournament.map(|(_, number)| number);
                let as_played = summary.place.map(|(_, number)| number.get());
                self.found.is_renumbered |= in_tournament.is_some() && in_tournament != as_played;
                let analysed = self
                    .has_values
                    .then(|| light_match(&summary, &conditions, &moves, in_tournament));
                // What is impossible is read whole for the error that says what is wrong.
                let is_impossible = matches!(analysed, Some(None));
                let is_read = is_impossible || self.has_first_case(&summary, counts);
                let mut record =
                    is_read.then(|| source.read_line(line_number, line)).transpose()?;
                if let Some(record) = &mut record {
                    self.counting.update_record(record);
                    hide_folders(&self.found.folders, record);
                }
                let place = MatchPlace { file, number, line: line_number, bytes: 0..0 };
                let counts = (left_out.is_none(), counts);
                let read = (record.as_ref(), analysed.flatten());
                let added = self.add((&summary, counts), read, source.name(), place, tools);
                let Some((score, has_first_case, mut candidate)) = added else { continue };
                candidate.place.bytes = lines.place();
                if has_first_case {
                    self.telling.add_of_case(&candidate);
                }
                self.telling.add(score, candidate);
            }
        }
        Ok(())
    }

    /// Finds the matches that have values in any file.
    fn find_values(
        &mut self,
        files: &[AnalysedFile],
        tools: &ScanTools<'_>,
    ) -> Result<(), ContentsError> {
        let stop = || (tools.progress)(ReadProgress::Ranking);
        for source in files {
            let mut lines = RecordLines::new(Stoppable::new(source.reader(), &stop));
            let mut rest = Vec::new();
            while let Some(read) = lines.next_line() {
                let (_, line) = match read {
                    Err(_) if stop() => return Err(ContentsError::Interrupted),
                    read => read.map_err(|error| unreadable(source, &error))?,
                };
                let mut moves = Vec::new();
                let read = read_file_line(line, LineMoves::Read(&mut moves, &mut rest));
                if let Ok(FileLine::Match(summary, _)) = read
                    && have_values(&moves)
                {
                    self.valued.is_new(&summary);
                }
            }
        }
        Ok(())
    }

    /// Counts a match; `is_counted` if the table counts it, `counts` if the row of each bot does. Says
    /// how much it tells, and whether it has the first case of a fault so far.
    fn add(
        &mut self,
        (summary, (is_counted, counts)): (&MatchSummary<'_>, (bool, [bool; 2])),
        (record, analysed): (Option<&MatchRecord>, Option<AnalysedMatch<'_>>),
        file: &str,
        place: MatchPlace,
        tools: &ScanTools<'_>,
    ) -> Option<(u32, bool, KeptMatch)> {
        let rows = summary.names.each_ref().map(|name| self.rows.get(&**name).copied());
        let [Some(a), Some(b)] = rows else { return None };
        if is_counted {
            self.count_rounds(summary, [a, b]);
        }
        let (mut blunders, mut has_first_case) = (0, false);
        if let Some(record) = record {
            let at = CasePlace {
                order: self.order(summary),
                match_number: self.found.in_files,
                in_tournament: record.tournament.as_ref().map(|of| of.number.get()),
                number_in_file: place.number,
                file: without_folder(file),
            };
            has_first_case = add_cases(&mut self.found.cases, &at, (record, counts), tools.advise);
        }
        // As in `mancala analyse`.
        if let Some(analysed) = analysed.filter(|_| is_counted) {
            self.analysis.add(&place, &analysed);
            // As the page numbers matches.
            let place = MatchPlace { number: self.found.in_files, ..place.clone() };
            for (seat, row) in Seat::BOTH.into_iter().zip([a, b]) {
                let worst = self.found.worst.entry(row);
                let worst = worst.or_insert_with(WorstMoves::of_a_bot);
                worst.add(&place, &analysed, &[seat]);
            }
            blunders = analysed.blunders();
        }
        let ratings = PerSeat([a, b].map(|row| self.ratings[row]));
        let score = self.telling.score((summary, counts), blunders, ratings);
        let candidate = KeptMatch { number: self.found.in_files, place, interest: None };
        Some((score, has_first_case, candidate))
    }

    /// The order of the last match, as in [`CasePlace`].
    fn order(&self, summary: &MatchSummary<'_>) -> u64 {
        self.counting.current_place(summary).map_or(self.found.in_files, |(_, number)| number)
    }

    fn count_rounds(&mut self, summary: &MatchSummary<'_>, rows: [usize; 2]) {
        for round in &summary.rounds {
            let row = |seat: Seat| rows[usize::from(u8::from(seat))];
            let counts =
                self.found.by_mover.entry((row(round.first), row(!round.first))).or_default();
            counts[usize::from(2 - round.halves(round.first))] += 1;
            if round.forfeited.is_none() {
                let of = |seat: Seat| i16::from(round.score[seat]);
                *self.found.margins.entry(of(round.first) - of(!round.first)).or_default() += 1;
            }
        }
    }

    /// Whether a row counts a kind of fault in this match of which no earlier case is known.
    fn has_first_case(&self, summary: &MatchSummary<'_>, counts: [bool; 2]) -> bool {
        let order = self.order(summary);
        let of = |seat: Seat| {
            let name = &*summary.names[usize::from(u8::from(seat))];
            let kinds = summary.rounds.iter().flat_map(move |round| round.faults[seat].counts());
            kinds.map(move |(kind, _)| (name.to_owned(), kind))
        };
        let counted = Seat::BOTH.into_iter().zip(counts).filter(|(_, counts)| *counts);
        counted.flat_map(|(seat, _)| of(seat)).any(|key| {
            let known = self.found.cases.get(&key);
            known.is_none_or(|known| !known.is_before(order))
        })
    }

    /// Takes the moment at which a match began, as this program writes it.
    fn see_date(&mut self, started: Option<&RawValue>) {
        let Some(date) = started.map(|json| json.get().trim_matches('"')) else { return };
        let is_of_date = |byte: u8| byte.is_ascii_digit() || b"-T:.Z".contains(&byte);
        if date.len() != "2026-03-01T12:00:00.000Z".len() || !date.bytes().all(is_of_date) {
            return;
        }
        let [first, last] =
            self.found.dates.get_or_insert_with(|| [date.to_owned(), date.to_owned()]);
        if date < first.as_str() {
            date.clone_into(first);
        }
        if date > last.as_str() {
            date.clone_into(last);
        }
    }

    /// What was found, and the matches that are read again, in the order of their places: those that
    /// are kept, and at least as many as are kept by default, so that a damaged one is found either
    /// way.
    pub(super) fn finish(self, kept: GamesKept) -> (Found, Vec<KeptMatch>) {
        let Scan { telling, analysis, mut found, .. } = self;
        let analysis = analysis.analysis();
        found.analysis = analysis.rows.iter().any(|row| row.solved > 0).then_some(analysis);
        let cases = found.cases.values().map(|of| of.place.match_number).collect();
        (found, telling.into_sorted(kept, &cases))
    }
}

fn unreadable(source: &AnalysedFile, error: &ReadError) -> Unusable {
    Unusable(format!("{}: {error}", source.name()))
}

/// Whether any of `moves` has a value.
fn have_values(moves: &[Vec<LightMove>]) -> bool {
    moves.iter().flatten().any(|played| played.loss.is_some())
}
