//! Earlier versions of bots, which a tournament's file knows and `--keep-old` lets play on.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use crate::contest::{Pairings, PlanFields, PlannedBot};
use crate::record::own_files::open_to_read;
use crate::record::{Digest, MAX_NAME, Note, NoteKind, TournamentHeader, read_line};
use crate::text::printable;
use crate::tournament::journal::{HEADER, NOTE};
use crate::tournament::setup_error::SetupError;
use crate::tournament::versions::{BotPlaces, BotVersion};

/// The plans in a tournament's file, each with the versions of its bots; empty if there are none.
#[derive(Default)]
pub(crate) struct FilePlans {
    plans: Vec<(PlanFields, BTreeMap<String, Digest>)>,
    /// By the names of bots what their builds have made; their versions leave it out.
    pub made: BTreeMap<String, BTreeSet<String>>,
}

/// An earlier version of a bot.
#[derive(Debug)]
pub(crate) struct KeptVersion {
    /// The bot as it was planned, under the name of this version.
    pub bot: PlannedBot,
    pub version: BotVersion,
    /// Why it can play no more, in words; `None` if it can.
    pub obstacle: Option<String>,
}

impl FilePlans {
    /// Reads the plans of a file.
    pub(crate) fn of(path: &Path) -> FilePlans {
        let read = || -> std::io::Result<_> {
            let mut input = BufReader::with_capacity(1 << 20, open_to_read(path)?);
            Ok(read_plans(&mut input))
        };
        read().unwrap_or_default()
    }

    pub(crate) fn first(&self) -> Option<&PlanFields> {
        self.plans.first().map(|(plan, _)| plan)
    }

    /// The version of a bot by the last plan.
    pub(crate) fn version_of(&self, name: &str) -> Option<Digest> {
        self.plans.last().and_then(|(_, versions)| versions.get(name).copied())
    }

    /// Whether earlier versions play by the last plan.
    pub(crate) fn keeps_versions(&self) -> bool {
        let last = self.plans.last().map(|(plan, _)| &plan.bots);
        last.is_some_and(|bots| bots.iter().any(|bot| bot.version_of.is_some()))
    }

    /// The earlier versions of `bots`, and why there are none of bots that a pattern found, in
    /// words. They are in the order of the bots, and those of a bot in the order in which they came.
    ///
    /// # Errors
    ///
    /// If a bot of today cannot be read, or the name of an earlier version cannot be given.
    pub(crate) fn earlier_versions(
        &self,
        bots: &[PlannedBot],
        places: &BotPlaces,
    ) -> Result<(Vec<KeptVersion>, Vec<String>), SetupError> {
        let (mut kept, mut remarks) = (Vec::new(), Vec::new());
        for bot in bots {
            let now = BotVersion::of(bot, places).map_err(SetupError::Work)?.digest;
            let is_found = |name: &str| places.found.contains_key(name);
            for (number, (earlier, digest)) in (1..).zip(self.versions_of(&bot.name)) {
                if digest == now {
                    continue;
                }
                let name = format!("{}~{number}", bot.name);
                let is_taken = bots.iter().any(|other| other.name == name);
                let why = if is_taken {
                    "and another bot has that name; give that one another name".to_owned()
                } else if name.chars().count() > MAX_NAME {
                    format!(
                        "which is longer than {MAX_NAME} characters; begin a new --record FILE with a \
                         shorter name"
                    )
                } else {
                    let version_of = Some(bot.name.clone());
                    kept.push((PlannedBot { name, version_of, ..earlier.clone() }, digest));
                    continue;
                };
                let [bot_name, version_name] = [&bot.name, &name].map(|name| printable(name));
                let message = format!(
                    "an earlier version of bot \"{bot_name}\" is \"{version_name}\", {why}"
                );
                // What somebody has named a file stops nobody else.
                if is_found(&bot.name) || (is_taken && is_found(&name)) {
                    remarks.push(message);
                } else {
                    return Err(SetupError::Usage(message));
                }
            }
        }
        let planned: Vec<PlannedBot> =
            bots.iter().chain(kept.iter().map(|(bot, _)| bot)).cloned().collect();
        let version = |(bot, digest)| {
            let found = BotVersion::of(&bot, places);
            let obstacle = obstacle(&bot, digest, &found, (&planned, &places.folder));
            let version = found.ok().filter(|_| obstacle.is_none());
            // Of one that cannot be run again no more is known.
            let version = version.unwrap_or_else(|| BotVersion { digest, ..BotVersion::default() });
            KeptVersion { bot, version, obstacle }
        };
        Ok((kept.into_iter().map(version).collect(), remarks))
    }

    /// The versions of a bot in the order in which they came first, each as it was planned last.
    fn versions_of(&self, name: &str) -> Vec<(&PlannedBot, Digest)> {
        let mut found: Vec<(&PlannedBot, Digest)> = Vec::new();
        for (plan, versions) in &self.plans {
            let is_it = |bot: &&PlannedBot| bot.name == name && bot.version_of.is_none();
            let Some(bot) = plan.bots.iter().find(is_it) else { continue };
            let Some(&digest) = versions.get(name) else { continue };
            match found.iter_mut().find(|(_, known)| *known == digest) {
                Some(known) => known.0 = bot,
                None => found.push((bot, digest)),
            }
        }
        found
    }
}

fn read_plans(input: &mut BufReader<File>) -> FilePlans {
    let mut found = FilePlans::default();
    let mut line = Vec::new();
    while read_line(input, &mut line).is_ok() && line.last() == Some(&b'\n') {
        if line.starts_with(HEADER)
            && let Ok(header) = serde_json::from_slice::<TournamentHeader>(&line)
            && let Ok(plan) = serde_json::from_str(header.plan.get())
        {
            found.plans.push((plan, header.versions));
        } else if line.starts_with(NOTE)
            && let Ok(Note { note: NoteKind::Made, bot: Some(bot), made, .. }) =
                serde_json::from_slice(&line)
        {
            found.made.entry(bot).or_default().extend(made);
        }
    }
    found
}

/// Why an earlier version of a bot cannot play again.
fn obstacle(
    bot: &PlannedBot,
    digest: Digest,
    found: &Result<BotVersion, String>,
    (planned, folder): (&[PlannedBot], &Path),
) -> Option<String> {
    match found {
        Err(why) => return Some(why.clone()),
        Ok(version) if version.digest != digest => {
            return Some("its files have changed".to_owned());
        }
        Ok(_) => {}
    }
    let own = named_paths(bot, folder);
    let makes_it = |other: &&PlannedBot| {
        other.name != bot.name
            && !other.build.is_empty()
            && other.build != bot.build
            && named_paths(other, folder).iter().any(|path| own.contains(path))
    };
    let other = planned.iter().find(makes_it)?;
    Some(format!("bot \"{}\" is built to the same file", printable(&other.name)))
}

/// What looks like a path in a bot's command line.
fn named_paths(bot: &PlannedBot, folder: &Path) -> Vec<PathBuf> {
    let place = folder.join(bot.folder.as_deref().unwrap_or(Path::new("")));
    let paths = bot.command.iter().filter(|word| word.contains('/') && !word.starts_with('-'));
    paths.map(|word| place.join(word.trim_start_matches("./"))).collect()
}

/// Adds earlier versions to the bots of today: those of the first bots of a gauntlet behind these,
/// so that they meet whom these meet, all others at the end.
pub(crate) fn add_earlier_versions(
    bots: &mut Vec<PlannedBot>,
    pairings: &mut Pairings,
    kept: &[KeptVersion],
) {
    let mut earlier: Vec<PlannedBot> = kept.iter().map(|kept| kept.bot.clone()).collect();
    if let Pairings::Gauntlet { first } = pairings
        && *first <= bots.len()
    {
        let challengers = &bots[..*first];
        let is_challenger = |bot: &mut PlannedBot| {
            challengers.iter().any(|challenger| challenger.name == bot.drawn_name())
        };
        let of_first: Vec<PlannedBot> = earlier.extract_if(.., is_challenger).collect();
        let (place, count) = (*first, of_first.len());
        bots.splice(place..place, of_first);
        *first += count;
    }
    bots.append(&mut earlier);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn bot(name: &str, level: usize) -> PlannedBot {
        let level = ["random", "easy", "average", "hard"][level];
        let command = vec![format!("builtin:{level}")];
        PlannedBot { name: name.to_owned(), command, ..PlannedBot::default() }
    }

    /// A file in which this bot had `levels`, one after the other.
    fn file(name: &str, levels: &[usize]) -> FilePlans {
        let plan = |&level: &usize| {
            let bots = vec![bot(name, level)];
            let digest = BotVersion::of(&bots[0], &BotPlaces::default()).unwrap().digest;
            let versions = BTreeMap::from([(name.to_owned(), digest)]);
            (PlanFields { bots, ..serde_json::from_str("{}").unwrap() }, versions)
        };
        FilePlans { plans: levels.iter().map(plan).collect(), ..FilePlans::default() }
    }

    proptest! {
        #[test]
        fn each_version_keeps_the_number_with_which_it_came(
            levels in prop::collection::vec(0_usize..4, 1..9),
            now in 0_usize..4,
        ) {
            let today = [bot("x", now)];
            let found = file("x", &levels).earlier_versions(&today, &BotPlaces::default()).unwrap().0;
            let mut came: Vec<usize> = Vec::new();
            for level in levels {
                if !came.contains(&level) {
                    came.push(level);
                }
            }
            let expected: Vec<_> = (1..).zip(&came).filter(|(_, level)| **level != now).collect();
            prop_assert_eq!(found.len(), expected.len());
            for (kept, (number, level)) in found.iter().zip(expected) {
                prop_assert!(kept.obstacle.is_none());
                prop_assert_eq!(&kept.bot.name, &format!("x~{number}"));
                prop_assert_eq!(kept.bot.version_number(), number);
                prop_assert_eq!(kept.bot.drawn_name(), "x");
                prop_assert_eq!(&kept.bot.command, &bot("x", *level).command);
            }
        }

        #[test]
        fn earlier_versions_meet_whom_their_bots_meet(
            levels in prop::collection::vec(prop::collection::vec(0_usize..4, 1..4), 2..6),
            first in 1_usize..5,
        ) {
            let names: Vec<String> = (0..levels.len()).map(|bot| format!("b{bot}")).collect();
            let mut bots: Vec<PlannedBot> = names.iter().map(|name| bot(name, 0)).collect();
            let first = first.min(bots.len() - 1);
            let challengers = bots[..first].to_vec();
            let mut pairings = Pairings::Gauntlet { first };
            let files = names.iter().zip(&levels).map(|(name, levels)| file(name, levels));
            let kept = files.flat_map(|file| file.earlier_versions(&bots, &BotPlaces::default()).unwrap().0);
            let kept: Vec<KeptVersion> = kept.collect();
            let today = bots.clone();
            add_earlier_versions(&mut bots, &mut pairings, &kept);
            let Pairings::Gauntlet { first: of_all } = pairings else { panic!("{pairings:?}") };
            prop_assert_eq!(bots.len(), today.len() + kept.len());
            for (place, found) in bots.iter().enumerate() {
                let is_first = challengers.iter().any(|it| it.name == found.drawn_name());
                prop_assert_eq!(place < of_all, is_first, "{:?}", bots);
            }
            let of_today: Vec<_> = bots.iter().filter(|bot| bot.version_of.is_none()).collect();
            prop_assert_eq!(of_today, today.iter().collect::<Vec<_>>());
        }
    }

    #[test]
    fn names_that_cannot_be_given_are_errors() {
        let of = |bots: &[PlannedBot]| {
            file(&bots[0].name, &[1, 2]).earlier_versions(bots, &BotPlaces::default()).unwrap_err()
        };
        let taken = of(&[bot("x", 0), bot("x~2", 0)]);
        assert!(taken.to_string().starts_with("an earlier version of bot \"x\" is \"x~2\", and"));
        let long = of(&[bot(&"x".repeat(MAX_NAME - 1), 0)]);
        assert!(long.to_string().contains("which is longer than"), "{long}");
        assert!(
            file(&"x".repeat(MAX_NAME - 2), &[1])
                .earlier_versions(&[], &BotPlaces::default())
                .is_ok()
        );
    }
}
