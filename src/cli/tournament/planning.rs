//! From arguments and configuration to a plan.

use std::fs;
use std::io::{ErrorKind, Read};
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::Args;
use super::options::{self, MatchSettings};
use crate::cli::Failure;
use crate::cli::failure::warn;
use crate::contest::{Pairings, Plan, PlanFields, Reuse, Schedule};
use toml::Spanned;

use crate::rules::{Opening, Suite, UnknownSuite};
use crate::text::printable;
use crate::tournament::{
    Config, ConfigPlace, ConfigSource, Entrant, MatchOption, OpeningsError, bots_of_config,
    load_openings, name_entrants,
};

/// A plan that can be played.
#[derive(Debug)]
pub(super) struct Planned {
    pub(super) plan: Plan,
    /// The order of its matches.
    pub(super) schedule: Schedule,
    /// What they begin from.
    pub(super) openings: Vec<Opening>,
    /// What is not at its default of the options of a match.
    pub(super) options: Vec<MatchOption>,
    /// What the plan's paths are relative to.
    pub(super) folder: PathBuf,
    /// Bytes that are kept free on the disk of the record file.
    pub(super) min_free: Option<u64>,
}

/// Most bytes of a configuration.
const MAX_CONFIG: u64 = 16 << 20;

impl Planned {
    /// The plan that the arguments ask for.
    ///
    /// # Errors
    ///
    /// [`Failure::Usage`] for what cannot be played, [`Failure::Work`] for what cannot be read.
    pub(super) fn of(args: &Args, arguments: Vec<MatchOption>) -> Result<Planned, Failure> {
        let here = std::env::current_dir()
            .map_err(|error| Failure::Work(format!("the working folder is gone: {error}")))?;
        let Some(path) = &args.config else {
            let (options, settings) = options::resolve(None, arguments)?;
            let (config, none) = (Config::default(), ConfigSource::default());
            return Planned::from(args, &config, &none, options, settings, here.clone(), &here);
        };
        let source = read_config(path)?;
        let config = source.read(&options::keys()).map_err(|error| options::usage(&error))?;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = here.join(folder.unwrap_or(Path::new("")));
        let folder = folder.canonicalize().unwrap_or(folder);
        let folder = match &config.dir {
            None => folder,
            Some(dir) => {
                let found = folder.join(dir.get_ref()).canonicalize();
                let is_folder = |found: PathBuf| {
                    if found.is_dir() { Ok(found) } else { Err(ErrorKind::NotADirectory.into()) }
                };
                found.and_then(is_folder).map_err(|error| {
                    let shown = printable(dir.get_ref());
                    let message = format!("cannot go to the folder {shown}: {error}");
                    options::usage(&source.error(&dir.span(), message))
                })?
            }
        };
        let of_config = (&*config.match_options(), &source, &*folder);
        let (options, settings) = options::resolve(Some(of_config), arguments)?;
        Planned::from(args, &config, &source, options, settings, folder, &here)
    }

    fn from(
        args: &Args,
        config: &Config,
        source: &ConfigSource,
        options: Vec<MatchOption>,
        settings: MatchSettings,
        folder: PathBuf,
        here: &Path,
    ) -> Result<Planned, Failure> {
        let elsewhere = Some(here).filter(|here| here.canonicalize().is_ok_and(|h| h != folder));
        let min_free = settings.min_free;
        let (mut entrants, left_out) =
            bots_of_config(config, source, &folder).map_err(|error| options::usage(&error))?;
        for error in &left_out {
            if args.strict {
                return Err(options::usage(error));
            }
            warn(&format!("{error}; this file is left out (--strict stops here)"));
        }
        let (bots, gauntlet) = args.bots_and_gauntlet();
        for command in bots {
            entrants.push(Entrant::of_argument(command, elsewhere).map_err(Failure::Usage)?);
        }
        let count = args.count.map(|count| count as u64);
        let fields = PlanFields {
            name: args.name.clone().or_else(|| config.name.clone()),
            pairings: pairings(args, gauntlet, config, source)?,
            openings: openings(args, config, source, elsewhere)?,
            count: count
                .or(config.count.as_ref().map(|count| count.get_ref().get().into()))
                .unwrap_or(1),
            repeat: args.repeat.or(config.repeat.map(|repeat| repeat.get().into())).unwrap_or(1),
            seed: args.seed.or(config.seed).unwrap_or(1),
            disqualify_after: args
                .disqualify_after
                .or(config.disqualify_after.map(NonZeroU32::get)),
            reuse_bots: reuse(args, config)?,
            anonymous: args.anonymous || config.anonymous.unwrap_or(false),
            check: args.check || config.check.unwrap_or(false),
            sprt: sprt(args, config, source)?,
            rules: settings.rules,
            terms: settings.terms,
            bots: name_entrants(entrants).map_err(Failure::Usage)?,
        };
        if let Some(path) = fields.paths().find(|path| path.to_str().is_none()) {
            return Err(Failure::Usage(format!(
                "the path {} is not UTF-8, and the plan of a tournament is; give it another name",
                printable(&path.to_string_lossy())
            )));
        }
        let plan = Plan::new(fields);
        // What the command line says has no place.
        let count_place = config.count.as_ref().filter(|_| count.is_none()).map(Spanned::span);
        let gauntlet_place = config.gauntlet.as_ref().map(Spanned::span);
        let wrong = |place: Option<ConfigPlace>, message: String| match place {
            Some(place) => options::usage(&source.error(&place, message)),
            None => Failure::Usage(message),
        };
        if plan.sprt.is_some() && plan.pairings == Pairings::Swiss {
            return Err(Failure::Usage(
                "--sprt needs many matches of one pair, and in a Swiss tournament (--swiss) nobody \
                 meets twice; leave --swiss out and give --count N, the most matches of the test"
                    .to_owned(),
            ));
        }
        let schedule = plan.schedule().map_err(|error| {
            let place = match plan.pairings {
                Pairings::Swiss => count_place.clone(),
                Pairings::Gauntlet { .. } if gauntlet.is_none() => gauntlet_place,
                _ => None,
            };
            wrong(place, error.to_string())
        })?;
        if plan.sprt.is_some() && plan.bots.len() != 2 {
            let why =
                format!("--sprt is a test between two bots, and there are {}", plan.bots.len());
            return Err(Failure::Usage(why));
        }
        if plan.sprt.is_some() && args.shard != crate::record::Shard::WHOLE {
            return Err(Failure::Usage(
                "--sprt decides on all matches in their order, and a shard sees only its own; \
                 leave --shard out"
                    .to_owned(),
            ));
        }
        if plan.pairings == Pairings::Swiss && args.shard != crate::record::Shard::WHOLE {
            return Err(Failure::Usage(
                "a Swiss tournament cannot be sharded: who meets whom follows from all results so \
                 far; play it on one machine, or a round robin in shards"
                    .to_owned(),
            ));
        }
        let wanted = usize::try_from(plan.count).ok();
        let openings = load_openings(&plan.openings, &plan.rules, plan.seed, wanted, &folder)
            .map_err(|error| {
                let message = error.to_string();
                match error {
                    _ if error.is_unreadable() => Failure::Work(message),
                    OpeningsError::TooFew { .. } => wrong(count_place, message),
                    _ => Failure::Usage(message),
                }
            })?;
        Ok(Planned { plan, schedule, openings, options, folder, min_free })
    }

    /// The folder that the plan's paths are relative to, where it is not this one.
    ///
    /// # Errors
    ///
    /// When no configuration can name it.
    pub(super) fn folder_elsewhere(&self) -> Result<Option<&str>, Failure> {
        let folder = &*self.folder;
        if std::env::current_dir().is_ok_and(|here| here == folder) {
            return Ok(None);
        }
        folder.to_str().map(Some).ok_or_else(|| {
            let folder = printable(&folder.to_string_lossy());
            Failure::Usage(format!("the folder {folder} is not UTF-8, and a configuration is"))
        })
    }

    /// What would be played, in words.
    pub(super) fn overview(&self) -> String {
        let Planned { plan, schedule, openings, .. } = self;
        let mut text = String::new();
        if let Some(name) = &plan.name {
            text += &format!("tournament  {}\n", printable(name));
        }
        let format = match plan.pairings {
            Pairings::RoundRobin => "round robin".to_owned(),
            Pairings::Gauntlet { first: 1 } => "gauntlet of the first bot".to_owned(),
            Pairings::Gauntlet { first } => format!("gauntlet of the first {first} bots"),
            Pairings::Swiss => format!("Swiss, {} rounds", plan.count),
        };
        let repeat = match plan.repeat {
            1 => String::new(),
            times => format!(", each {times} times"),
        };
        let suite = printable(&plan.openings.to_string());
        text += &format!("id          {}\n", plan.id());
        text += &format!("format      {format}\n");
        text += &format!("rules       {}\n", plan.rules.name);
        text += &format!("openings    {} of {suite}{repeat}\n", openings.len());
        text += &format!("matches     {}\n", schedule.matches());
        text += &format!("longest     {}\n", self.longest());
        if plan.check {
            text += "check       each bot before the first match\n";
        }
        if plan.anonymous {
            text += "names       bots are told none\n";
        }
        text += &format!("bots        {}\n", plan.bots.len());
        for bot in &plan.bots {
            let build = match bot.build.as_slice() {
                [] => String::new(),
                words => format!(", built by {}", printable(&shell_words::join(words))),
            };
            let command = printable(&shell_words::join(&bot.command));
            text += &format!("  {}: {command}{build}\n", printable(&bot.name));
        }
        text
    }

    /// The longest that all matches can take one after another.
    fn longest(&self) -> String {
        let terms = &self.plan.terms;
        let (time, moves) = (&terms.time, terms.max_moves);
        let in_moves =
            time.move_time.map(|limit| (limit + time.margin).saturating_mul(moves.get()));
        let in_banks = time.game_time.map(|bank| (bank + time.margin).saturating_mul(2));
        let round = match (in_moves, in_banks) {
            (Some(moves), Some(banks)) => moves.min(banks),
            (Some(time), None) | (None, Some(time)) => time,
            (None, None) => return "without limit".to_owned(),
        };
        let a_match = (round + time.start_time.saturating_mul(2)).saturating_mul(2);
        let seconds =
            u64::try_from(u128::from(a_match.as_secs()) * u128::from(self.schedule.matches()));
        let seconds = seconds.unwrap_or(u64::MAX).min(100 * 366 * 24 * 3600);
        let total = humantime::format_duration(Duration::from_secs(seconds));
        format!(
            "{total} on one core, if every bot used all of its time for each of {moves} moves a round"
        )
    }
}

fn read_config(path: &Path) -> Result<ConfigSource, Failure> {
    let unreadable = |why: String| {
        let path = printable(&path.to_string_lossy());
        Failure::Work(format!("cannot read the configuration {path}: {why}"))
    };
    let mut bytes = Vec::new();
    fs::File::open(path)
        .and_then(|file| file.take(MAX_CONFIG + 1).read_to_end(&mut bytes))
        .map_err(|error| unreadable(error.to_string()))?;
    if bytes.len() as u64 > MAX_CONFIG {
        return Err(unreadable(format!("it has more than {}", crate::text::bytes(MAX_CONFIG))));
    }
    String::from_utf8(bytes).map(|text| ConfigSource::new(path, text)).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
        let message = "this is not UTF-8; save the file as UTF-8";
        options::usage(&ConfigSource::new(path, text).error(&(at..at), message))
    })
}

fn pairings(
    args: &Args,
    gauntlet: Option<usize>,
    config: &Config,
    source: &ConfigSource,
) -> Result<Pairings, Failure> {
    if let Some(first) = gauntlet {
        return Ok(Pairings::Gauntlet { first });
    }
    if args.swiss {
        return Ok(Pairings::Swiss);
    }
    if args.round_robin {
        return Ok(Pairings::RoundRobin);
    }
    let first = config.gauntlet.as_ref().map(|first| first.get_ref().get() as usize);
    let Some(format) = &config.format else {
        return Ok(first.map_or(Pairings::RoundRobin, |first| Pairings::Gauntlet { first }));
    };
    let wrong = |why: &str| options::usage(&source.error(&format.span(), why));
    match (format.get_ref().as_str(), first) {
        ("gauntlet", first) => Ok(Pairings::Gauntlet { first: first.unwrap_or(1) }),
        (_, Some(_)) => Err(wrong("gauntlet = N needs format = \"gauntlet\"")),
        ("round-robin", None) => Ok(Pairings::RoundRobin),
        ("swiss", None) => Ok(Pairings::Swiss),
        _ => Err(wrong("format must be \"round-robin\", \"gauntlet\" or \"swiss\"")),
    }
}

fn openings(
    args: &Args,
    config: &Config,
    source: &ConfigSource,
    elsewhere: Option<&Path>,
) -> Result<Suite, Failure> {
    match (&args.openings, &config.openings) {
        // A path on the command line is relative to where the command is run.
        (Some(Suite::File(path)), _) => {
            Ok(Suite::File(elsewhere.map_or_else(|| path.clone(), |here| here.join(path))))
        }
        (Some(suite), _) => Ok(suite.clone()),
        (None, Some(suite)) => suite.get_ref().parse().map_err(|error: UnknownSuite| {
            options::usage(&source.error(&suite.span(), error.to_string()))
        }),
        (None, None) => Ok(Suite::Standard),
    }
}

fn sprt(args: &Args, config: &Config, source: &ConfigSource) -> Result<Option<String>, Failure> {
    match (&args.sprt, &config.sprt) {
        (Some(sprt), _) => Ok(Some(sprt.clone())),
        (None, Some(sprt)) => super::sprt(sprt.get_ref())
            .map(Some)
            .map_err(|error| options::usage(&source.error(&sprt.span(), error.to_string()))),
        (None, None) => Ok(None),
    }
}

fn reuse(args: &Args, config: &Config) -> Result<Option<Reuse>, Failure> {
    let restart_after = args.restart_after.or(config.restart_after.map(NonZeroU32::get));
    if args.reuse_bots || config.reuse_bots.unwrap_or(false) {
        return Ok(Some(Reuse { restart_after }));
    }
    match restart_after {
        None => Ok(None),
        Some(_) => Err(Failure::Usage(
            "--restart-after needs --reuse-bots; otherwise every match starts its bots afresh"
                .to_owned(),
        )),
    }
}
