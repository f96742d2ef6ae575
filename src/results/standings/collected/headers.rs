//! The first lines of tournaments' files, and which tournament a line belongs to.

use std::collections::{BTreeMap, HashMap};

use super::CollectedResults;
use crate::contest::{MatchSummary, PlanFields};
use crate::record::{Digest, TournamentHeader};
use crate::standings::differences::LinePlace;
use crate::standings::tournament::{CollectedTournament, PlannedTest, are_versions_of};
use crate::standings::unreadable::UnreadableFiles;
use crate::text::printable;

/// The versions of a tournament's bots, by their names.
type Versions = BTreeMap<String, Digest>;

/// Where each tournament stands. Two tournaments by one plan are two if their bots are of different
/// versions: a plan's identity does not say what its bots are made of.
#[derive(Debug, Default)]
pub(super) struct TournamentPlaces {
    /// The tournaments and parts of tournaments with this identity.
    all: HashMap<Digest, Vec<TournamentPart>>,
    /// By the headers of the file that is read, the last one for each identity.
    in_file: HashMap<Digest, usize>,
}

/// A tournament as one of its headers has it, or as its matches do.
#[derive(Debug)]
struct TournamentPart {
    place: usize,
    /// The first file that has it.
    file: usize,
    /// As far as they are known.
    versions: Versions,
    has_header: bool,
}

impl TournamentPlaces {
    /// Begins with another file.
    pub(super) fn begin_file(&mut self) {
        self.in_file.clear();
    }

    /// The tournament that a line without versions is of.
    fn of_line(&self, id: Digest) -> Option<usize> {
        let known = || Some(self.all.get(&id)?.first()?.place);
        self.in_file.get(&id).copied().or_else(known)
    }

    /// The tournament that a match is of, which may be in a file without a header.
    pub(super) fn of_match(&self, id: Digest, summary: &MatchSummary<'_>) -> Option<usize> {
        self.in_file.get(&id).copied().or_else(|| {
            let mut known = self.all.get(&id)?.iter();
            Some(known.find(|of| are_versions_of(&of.versions, summary))?.place)
        })
    }

    /// The tournament of a header with this identity and `versions`, if it was read. Versions
    /// that are not known are taken to be the same.
    fn of_header(&self, id: Digest, versions: &Versions) -> Option<usize> {
        let is_same = |of: &&TournamentPart| {
            let mut both =
                versions.iter().filter_map(|(bot, it)| Some((of.versions.get(bot)?, it)));
            both.all(|(known, version)| known == version)
        };
        Some(self.all.get(&id)?.iter().find(is_same)?.place)
    }

    /// The file of another tournament than the one at `place` that has `header`, too.
    pub(super) fn other_with(&self, header: &TournamentHeader, place: usize) -> Option<usize> {
        // Of matches without a header not all versions may be known.
        let is_same =
            |(bot, version): (&String, &Digest)| header.versions.get(bot) == Some(version);
        let is_part = |of: &TournamentPart| {
            !of.has_header && !of.versions.is_empty() && of.versions.iter().all(is_same)
        };
        let is_other = |of: &&TournamentPart| {
            of.place != place && (of.has_header && of.versions == header.versions || is_part(of))
        };
        Some(self.all.get(&header.id)?.iter().find(is_other)?.file)
    }

    /// Notes a header that a file has of the tournament at `place`.
    pub(super) fn add_header(&mut self, header: &TournamentHeader, place: usize, file: usize) {
        self.in_file.insert(header.id, place);
        let (known, versions) = (self.all.entry(header.id).or_default(), header.versions.clone());
        let part = TournamentPart { place, file, versions, has_header: true };
        let is_unknown = |of: &TournamentPart| !of.has_header || of.versions.is_empty();
        if let Some(of) = known.iter_mut().find(|of| of.place == place && is_unknown(of)) {
            *of = part;
        } else if !known.iter().any(|of| of.place == place && of.versions == part.versions) {
            known.push(part);
        }
    }

    /// Notes the versions in a match of the tournament at `place`, unless it has a header.
    fn add_match(&mut self, id: Digest, summary: &MatchSummary<'_>, place: usize) {
        let mut known = self.all.get_mut(&id).into_iter().flatten();
        let Some(part) = known.find(|of| of.place == place && !of.has_header) else { return };
        for (name, version) in summary.names.iter().zip(summary.versions) {
            if let Some(version) = version
                && !part.versions.contains_key(&**name)
            {
                part.versions.insert(name.to_string(), version);
            }
        }
    }
}

impl CollectedResults {
    /// The tournament that a header is of, or that it continues, if it was read.
    pub(super) fn place_of_header(&self, header: &TournamentHeader) -> Option<usize> {
        match header.continues {
            Some(id) => self.places.of_line(id),
            None => self.places.of_header(header.id, &header.versions),
        }
    }

    /// The tournament that a match is of; a new one if none was read.
    pub(super) fn place_of_match(&mut self, id: Digest, summary: &MatchSummary<'_>) -> usize {
        let known = self.places.of_match(id, summary);
        let place = known.unwrap_or_else(|| self.new_tournament(id));
        self.places.add_match(id, summary, place);
        place
    }

    /// The tournament that a note is of; a new one if none was read.
    pub(super) fn place_of_note(&mut self, id: Digest) -> usize {
        self.places.of_line(id).unwrap_or_else(|| self.new_tournament(id))
    }

    fn new_tournament(&mut self, id: Digest) -> usize {
        let place = self.tournaments.len();
        self.tournaments.push(CollectedTournament::new(id));
        let (file, versions) = (self.file_read(), Versions::new());
        let part = TournamentPart { place, file, versions, has_header: false };
        self.places.all.entry(id).or_default().push(part);
        place
    }

    /// Adds the header of a tournament's file.
    ///
    /// # Errors
    ///
    /// When it is of another run of an updated tournament.
    pub(super) fn add_header(
        &mut self,
        header: &TournamentHeader,
        plan: Box<PlanFields>,
        (file, line): LinePlace,
    ) -> Result<(), UnreadableFiles> {
        self.read_header(header, plan)
            .map_err(|other| self.another_run(header, other, (file, line)))?;
        let place = self.places.of_line(header.id);
        let Some(place) = place.filter(|place| self.is_in_last_part(*place)) else {
            return Ok(());
        };
        let tournament = &mut self.tournaments[place];
        if tournament.id == header.id
            && let Some(plan) = &tournament.plan
        {
            let is_retired = |bot: &usize| header.retired.contains(&plan.bots[*bot].name);
            tournament.retired = (0..plan.bots.len()).filter(is_retired).collect();
        }
        Ok(())
    }

    /// The tournament at `place` and the first file that has matches of it.
    pub(in crate::standings) fn tournament_name(&self, place: usize) -> String {
        let id = self.tournaments[place].id;
        let file = self.sources.all().iter().find(|of| of.tournament == place);
        let file = file.map(|of| format!(" ({})", printable(&self.files[of.file])));
        format!("tournament {id}{}", file.unwrap_or_default())
    }

    /// Nothing tells which of two runs has today's matches: the order of the files must not.
    fn another_run(
        &self,
        header: &TournamentHeader,
        other: usize,
        (file, line): LinePlace,
    ) -> UnreadableFiles {
        UnreadableFiles::Other(format!(
            "{} line {line} has another run of tournament {} than {}, and one of them was updated; \
             leave one of the files out",
            printable(&self.files[file]),
            header.id,
            printable(&self.files[other])
        ))
    }

    /// # Errors
    ///
    /// As [`CollectedResults::continue_with`].
    fn read_header(
        &mut self,
        header: &TournamentHeader,
        plan: Box<PlanFields>,
    ) -> Result<(), usize> {
        self.shard = header.shard;
        self.versions_read.clone_from(&header.versions);
        if self.continue_with(header, &plan)? {
            return Ok(());
        }
        let bots: Vec<u32> = plan.bots.iter().map(|bot| self.names.number(&bot.name)).collect();
        let known = self.places.of_header(header.id, &header.versions);
        let place = known.unwrap_or_else(|| self.new_tournament(header.id));
        let file = self.file_read();
        self.places.add_header(header, place, file);
        let tournament = &mut self.tournaments[place];
        if tournament.versions.is_empty() {
            tournament.versions.clone_from(&header.versions);
        }
        tournament.shards.insert((header.shard.index(), header.shard.count()));
        let terms = plan.sprt.as_ref().and_then(|test| test.parse().ok());
        if let (None, Some(terms), &[first, second]) = (&tournament.test, terms, &bots[..]) {
            let mut test = PlannedTest::new(terms, [first, second]);
            // The matches may have come before the header.
            for known in self.matches.iter().filter(|it| self.source(it).tournament == place) {
                test.add(u64::from(known.number), self.bots_of(known), known.result);
            }
            self.tournaments[place].test = Some(test);
        }
        // A larger count of openings is the same tournament: the largest is what is planned.
        let tournament = &mut self.tournaments[place];
        if tournament.plan.as_ref().is_none_or(|known| known.count < plan.count) {
            tournament.plan = Some(*plan);
        }
        Ok(())
    }
}
