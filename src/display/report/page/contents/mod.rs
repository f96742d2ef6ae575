//! All that a page shows, from the files of records.

pub(super) mod anonymity;
pub(super) mod cases;
pub(super) mod most_interesting;
pub(super) mod packing;
pub(super) mod scan;
mod size;

use std::collections::{BTreeMap, HashMap, HashSet};

use super::texts::{TextBudgets, hide_folders, without_folder};
use crate::analysis::{AnalysedFile, Unusable, judged_before};
use crate::contest::PlanFields;
use crate::record::{Digest, Stoppable, Terms};
use crate::report::page::contents::cases::{Advice, RecordedFault, cut_cases};
use crate::report::page::contents::most_interesting::{GamesKept, KeptMatch};
use crate::report::page::contents::packing::{
    PackedBots, PackedMatch, Setting, number_openings, number_openings_anew,
};
use crate::report::page::contents::scan::{Found, Scan, ScanTools};
use crate::report::page::contents::size::room_for_texts;
use crate::report::{Anonymity, ContentsError, ReadProgress};
use crate::rules::Ruleset;
use crate::standings::{
    CollectedResults, Counting, ProcessTimes, ReadOptions, Standings, StandingsOptions, unknown_bot,
};
use crate::text::relative;

/// What a page is made by.
#[derive(Debug)]
pub struct PageOptions {
    /// How the ranking is made.
    pub standings: StandingsOptions,
    /// Whose names are shown.
    pub anonymity: Anonymity,
    /// How many matches are kept move by move; `None` for [`GamesKept::DEFAULT`], of which
    /// [`leave_out_games`](super::leave_out_games) leaves out those that have no room.
    pub games: Option<GamesKept>,
}

/// All that a page shows.
#[derive(Debug)]
pub struct Contents {
    pub(super) standings: Standings,
    pub(super) remarks: Vec<String>,
    /// The plans of the tournaments, each with its identity.
    pub(super) plans: Vec<(Digest, PlanFields)>,
    /// Whether there are matches of no tournament, or of one whose plan is not in the files.
    pub(super) has_matches_without_plan: bool,
    /// The rules and terms of the first match.
    pub(super) conditions: Option<(Ruleset, Terms)>,
    /// Whether bots of different matches might use different amounts of the machine.
    pub(super) has_different_limits: bool,
    pub(super) times: BTreeMap<String, ProcessTimes>,
    pub(super) found: Found,
    pub(super) settings: Vec<Setting>,
    /// The matches that are here move by move, in the order of their places.
    pub(super) games: Vec<PackedMatch>,
    /// The pairs of rows of which one of these is, both ways round.
    kept_pairs: HashSet<[usize; 2]>,
    /// Texts that had no room.
    pub(super) texts_left_out: u64,
    /// Whether names are hidden.
    pub(super) is_anonymous: bool,
    /// For each row of the ranking: whether nothing that its bot wrote is shown.
    hides_texts: Vec<bool>,
    /// The names of the files without their folders; empty for stdin.
    pub(super) files: Vec<String>,
    /// Lines that were cut off: the file as it was given, and the line.
    pub cut_off: Vec<(String, u64)>,
}

impl Contents {
    /// Reads the files. `advise` explains a fault; `progress` is given how far it has come, and ends
    /// it by returning true.
    ///
    /// # Errors
    ///
    /// As [`ContentsError`] says.
    pub fn read(
        files: &[AnalysedFile],
        mut options: PageOptions,
        advise: &dyn Fn(&RecordedFault<'_>) -> Advice,
        progress: &dyn Fn(ReadProgress) -> bool,
    ) -> Result<Contents, ContentsError> {
        let mut results = CollectedResults::new(ReadOptions { times: true, verify: false });
        let mut cut_off = Vec::new();
        for file in files {
            let stop = || progress(ReadProgress::Ranking);
            let input = Stoppable::new(file.reader(), &stop);
            let lines = match results.read(file.name(), input) {
                Err(_) if stop() => return Err(ContentsError::Interrupted),
                lines => lines.map_err(|error| Unusable(error.to_string()))?,
            };
            cut_off.extend(lines.into_iter().map(|cut| (file.name().to_owned(), cut)));
        }
        let no_match = || {
            let names = files.iter().map(AnalysedFile::name).collect::<Vec<_>>().join(", ");
            Unusable(format!("there is no match in {names}; matches are written with --record"))
        };
        if results.is_empty() {
            return Err(no_match().into());
        }
        let (standings, remarks) = results.standings(&options.standings)?;
        let counting = results.counting();
        let kept = options.games.unwrap_or(GamesKept::DEFAULT);
        let mut scan = Scan::new(&standings, &counting, (kept, results.has_values()));
        scan.read(files, &ScanTools { advise, progress })?;
        let (found, chosen) = scan.finish(kept);
        if found.in_files == 0 {
            return Err(no_match().into());
        }
        if let Some(unknown) = options.anonymity.unknown(&standings) {
            let known: Vec<String> = standings.rows.iter().map(|row| row.name.clone()).collect();
            return Err(ContentsError::UnknownBot(unknown_bot(unknown, "--show", &known)));
        }
        let shown = options.anonymity.names(&standings);
        // A bot is sent the name of each opponent, and may repeat it anywhere.
        let hides_all = !shown.is_empty() && results.told_names();
        let hides_texts = |name: &str| hides_all || shown.contains_key(name);
        let mut contents = Contents {
            remarks,
            has_matches_without_plan: results.has_matches_without_plan(),
            plans: results.plans().map(|(id, plan)| (id, plan.clone())).collect(),
            conditions: None,
            has_different_limits: results.has_different_limits(),
            times: results.answer_times(),
            found,
            settings: Vec::new(),
            games: Vec::new(),
            kept_pairs: HashSet::new(),
            texts_left_out: 0,
            is_anonymous: !shown.is_empty(),
            hides_texts: standings.rows.iter().map(|row| hides_texts(&row.name)).collect(),
            files: files.iter().map(|file| without_folder(file.name())).collect(),
            cut_off,
            standings,
        };
        contents.conditions = contents.conditions(files);
        for case in contents.found.cases.values_mut() {
            case.check =
                case.check.take().map(|command| relative(&contents.found.folders, &command));
        }
        contents.pack(files, chosen, &counting, progress)?;
        if !shown.is_empty() {
            if let Some((name, _)) = &mut options.standings.anchor
                && let Some(other) = shown.get(name)
            {
                name.clone_from(other);
            }
            results.rename(&shown);
            (contents.standings, contents.remarks) = results.standings(&options.standings)?;
            contents.hide(&shown, &hides_texts);
            contents.hide_places();
        }
        for row in &mut contents.standings.rows {
            row.disqualified =
                row.disqualified.take().map(|why| relative(&contents.found.folders, &why));
        }
        Ok(contents)
    }

    /// Says where the only match of the page is recorded, for the commands that show it again.
    pub fn set_place(&mut self, file: &str, number: u64) {
        for case in self.found.cases.values_mut() {
            case.place.file = without_folder(file);
            case.place.number_in_file = number;
        }
    }

    /// How many matches are kept move by move, and of how many; `None` if all are.
    #[must_use]
    pub fn games_left_out(&self) -> Option<[u64; 2]> {
        let [kept, all] = [self.games.len() as u64, self.found.different];
        (kept < all).then_some([kept, all])
    }

    /// The rules and terms of the first plan, or else of the first match.
    fn conditions(&self, files: &[AnalysedFile]) -> Option<(Ruleset, Terms)> {
        if let Some((_, plan)) = self.plans.first() {
            return Some((plan.rules, plan.terms.clone()));
        }
        let first = files.iter().find_map(AnalysedFile::first_match);
        first.map(|record| (record.rules, record.terms))
    }

    /// Reads the chosen matches again.
    fn pack(
        &mut self,
        files: &[AnalysedFile],
        chosen: Vec<KeptMatch>,
        counting: &Counting<'_>,
        progress: &dyn Fn(ReadProgress) -> bool,
    ) -> Result<(), ContentsError> {
        let rows = self.standings.rows.iter().enumerate();
        let rows: HashMap<String, usize> = rows.map(|(row, of)| (of.name.clone(), row)).collect();
        let games = chosen.iter().filter(|of| of.interest.is_some()).count();
        let room = room_for_texts(&self.standings, games, self.found.cases.len());
        let mut budgets = TextBudgets::of(room);
        for candidate in chosen {
            if progress(ReadProgress::Scanned(self.found.different)) {
                return Err(ContentsError::Interrupted);
            }
            let mut record = files[candidate.place.file].read_match(&candidate.place)?;
            counting.update_record(&mut record);
            hide_folders(&self.found.folders, &mut record);
            let Some(interest) = candidate.interest else { continue };
            let setting = Setting::of(&record);
            let known = self.settings.iter().position(|known| *known == setting);
            let at = known.unwrap_or_else(|| {
                self.settings.push(setting);
                self.settings.len() - 1
            });
            let row = |seat| rows.get(&record.bots[seat].name).copied().unwrap_or(0);
            let of = crate::seat::Seat::BOTH.map(row);
            let bots = PackedBots { rows: of, hides_texts: of.map(|row| self.hides_texts[row]) };
            let judged = judged_before(&record);
            let game = ((candidate.number, interest), &record, &judged);
            self.games.push(PackedMatch::new(game, (at, &bots), &mut budgets));
        }
        self.find_kept_pairs();
        number_openings(&mut self.games);
        cut_cases(&mut self.found.cases, &mut budgets);
        self.texts_left_out = budgets.left_out();
        Ok(())
    }

    /// Finds of which pairs games are kept.
    pub(super) fn find_kept_pairs(&mut self) {
        let pairs = self.games.iter().map(|of| of.bots);
        self.kept_pairs = pairs.flat_map(|[one, other]| [[one, other], [other, one]]).collect();
    }

    /// The rounds of a bot against another, won, drawn and lost: those in which it moved first, and
    /// those in which it moved second.
    pub(super) fn rounds_by_mover(&self, row: usize, other: usize) -> [[u64; 3]; 2] {
        let of = |pair| self.found.by_mover.get(&pair).copied().unwrap_or_default();
        let [lost, drawn, won] = of((other, row));
        [of((row, other)), [won, drawn, lost]]
    }

    /// Whether the match at this place is here move by move.
    pub(super) fn has_game(&self, number: u64) -> bool {
        self.games.binary_search_by_key(&number, |of| of.number).is_ok()
    }

    /// Whether a match of the bots in these rows is.
    pub(super) fn has_game_of(&self, pair: [usize; 2]) -> bool {
        self.kept_pairs.contains(&pair)
    }

    /// Leaves out the places of matches, and numbers these anew by the bots that played, as the page
    /// shows them. Where the names of all bots are known, the number of a match in its tournament tells
    /// which two played, and so does its place in a file.
    fn hide_places(&mut self) {
        let played =
            |of: &PackedMatch| (of.bots.iter().min().copied(), of.bots.iter().max().copied());
        self.games.sort_by_key(|of| (played(of), of.number));
        let mut numbers = HashMap::new();
        let mut renumber = |number: &mut u64| {
            let next = numbers.len() as u64 + 1;
            *number = *numbers.entry(*number).or_insert(next);
        };
        for game in &mut self.games {
            renumber(&mut game.number);
            game.in_tournament = None;
        }
        number_openings_anew(&mut self.games);
        for case in self.found.cases.values_mut() {
            renumber(&mut case.place.match_number);
            (case.place.in_tournament, case.place.file) = (None, String::new());
        }
        for of in self.found.worst.values_mut().flat_map(|of| &mut of.moves) {
            renumber(&mut of.shown.number);
            (of.shown.tournament_match, of.shown.file) = (None, String::new());
        }
        self.files.iter_mut().for_each(String::clear);
    }

    /// Shows bots by their numbers in all that was read under their names.
    fn hide(&mut self, shown: &HashMap<String, String>, hides_texts: &dyn Fn(&str) -> bool) {
        let renamed = |name: String| shown.get(&name).cloned().unwrap_or(name);
        self.times = std::mem::take(&mut self.times)
            .into_iter()
            .map(|(name, times)| (renamed(name), times))
            .collect();
        let cases = std::mem::take(&mut self.found.cases).into_iter();
        self.found.cases = cases
            .map(|((name, kind), mut case)| {
                if shown.contains_key(&name) {
                    case.check = None;
                }
                if hides_texts(&name) {
                    // What was sent names nobody.
                    (case.fault.detail, case.fault.stderr) = (String::new(), String::new());
                    case.advice.what = kind.to_string().replace('_', " ");
                    // What was answered may be a name, too.
                    case.fault.cause.iter_mut().for_each(|cause| cause.adapter = None);
                }
                case.opponent = renamed(std::mem::take(&mut case.opponent));
                ((renamed(name), kind), case)
            })
            .collect();
        for worst in self.found.worst.values_mut().flat_map(|of| &mut of.moves) {
            worst.opponent = renamed(std::mem::take(&mut worst.opponent));
        }
        if let Some(analysis) = &mut self.found.analysis {
            for row in &mut analysis.rows {
                row.name = renamed(std::mem::take(&mut row.name));
            }
        }
    }
}
