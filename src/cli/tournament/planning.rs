//! From arguments and configuration to a plan.

use std::fmt::Display;
use std::fs;
use std::io::{BufRead as _, BufReader, ErrorKind, Read};
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use toml::Spanned;

use super::Args;
use super::contradictions::contradiction;
use super::options::{self, MatchSettings};
use crate::cli::failure::{Failure, warn};
use crate::contest::{FirstBy, Pairings, Plan, PlanFields, Reuse, Schedule};
use crate::record::own_files::open_to_read;
use crate::rules::{Opening, Suite};
use crate::standings::SprtTerms;
use crate::text::{printable, printable_path};
use crate::tournament::{
    BotVersion, Config, ConfigError, ConfigPlace, ConfigSource, Entrant, GoOn, Heading,
    MatchOption, OpeningsError, bots_of_config, load_openings, name_entrants, plan_of_file,
    programs,
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
    /// Whether the bots are in the sandbox though nobody asked for it, since they are of a folder.
    pub(super) is_sandboxed_by_itself: bool,
    /// What its bots are made of, in the plan's order.
    pub(super) versions: Vec<BotVersion>,
    /// Bytes that are kept free on the disk of the record file.
    pub(super) min_free: Option<u64>,
}

/// Most bytes of the first line of a record file.
const MAX_HEADER: u64 = 64 << 20;

/// Most bytes of a configuration.
const MAX_CONFIG: u64 = 16 << 20;

impl Planned {
    /// The plan that the arguments ask for.
    ///
    /// # Errors
    ///
    /// [`Failure::Usage`] for what cannot be played, [`Failure::Work`] for what cannot be read.
    pub(super) fn of(args: &Args, arguments: Vec<MatchOption>) -> Result<Planned, Failure> {
        let wanted_plan = WantedPlan::of(args)?;
        let WantedPlan { config, source, folder, .. } = &wanted_plan;
        let mut arguments = arguments;
        let is_sandboxed_by_itself = choose_sandbox(args, config, &mut arguments);
        let (options, settings) = options::resolve(config, source, folder, arguments)?;
        let MatchSettings { rules, terms, min_free } = settings;
        let follows_links = terms.keeping.sandbox.is_none();
        let (mut entrants, left_out) = bots_of_config(config, source, folder, follows_links)?;
        for error in left_out {
            if args.strict {
                return Err(error.into());
            }
            warn(&format!("{error}; this file is left out (--strict stops here)"));
        }
        let (bots, gauntlet) = args.bots_and_gauntlet();
        for command in bots {
            let entrant = Entrant::of_argument(command, wanted_plan.elsewhere.as_deref());
            entrants.push(entrant.map_err(Failure::Usage)?);
        }
        // A tournament goes on by the arithmetic with which it began.
        let before =
            args.record.as_deref().filter(|_| args.go_on() != GoOn::No).and_then(plan_of_file);
        let count = args.count.map(|count| count as u64);
        let count_of_config = config.count.as_ref().map(|count| count.get_ref().get().into());
        let disqualify_after = config.disqualify_after.map(NonZeroU32::get);
        let fields = PlanFields {
            name: args.name.clone().or_else(|| config.name.clone()),
            pairings: wanted_plan.pairings(gauntlet)?,
            first_by: before.as_ref().map_or(FirstBy::Names, |plan| plan.first_by),
            openings: wanted_plan.openings()?,
            count: count.or(count_of_config).unwrap_or(1),
            repeat: args.repeat.or(config.repeat.map(|repeat| repeat.get().into())).unwrap_or(1),
            seed: args.seed.or(config.seed).unwrap_or(1),
            disqualify_after: args.disqualify_after.or(disqualify_after),
            reuse_bots: wanted_plan.reuse()?,
            anonymous: args.anonymous || config.anonymous.unwrap_or(false),
            check: args.check || config.check.unwrap_or(false),
            sprt: wanted_plan.sprt()?.map(|terms| terms.to_string()),
            rules,
            terms,
            bots: name_entrants(entrants, folder).map_err(Failure::Usage)?,
        };
        if let Some(path) = fields.paths().find(|path| path.to_str().is_none()) {
            let path = printable_path(path);
            return Err(Failure::Usage(format!(
                "the path {path} is not UTF-8, and the plan of a tournament is; give it another name"
            )));
        }
        let plan = Plan::new(fields);
        if let Some(why) = contradiction(&plan, args) {
            return Err(Failure::usage(why));
        }
        // What the command line says has no place.
        let count_place = config.count.as_ref().filter(|_| count.is_none()).map(Spanned::span);
        let gauntlet_place = config.gauntlet.as_ref().map(Spanned::span);
        let wrong = |place: Option<ConfigPlace>, message: String| match place {
            Some(place) => source.error(&place, message).into(),
            None => Failure::Usage(message),
        };
        let schedule = plan.schedule().map_err(|error| {
            let place = match plan.pairings {
                Pairings::Swiss => count_place.clone(),
                Pairings::Gauntlet { .. } if gauntlet.is_none() => gauntlet_place,
                _ => None,
            };
            wrong(place, error.to_string())
        })?;
        if plan.sprt.is_some() && plan.bots.len() != 2 {
            let bots = plan.bots.len();
            let why = format!("--sprt is a test between two bots, and there are {bots}");
            return Err(Failure::Usage(why));
        }
        let wanted = usize::try_from(plan.count).ok();
        let openings = load_openings(&plan.openings, &plan.rules, plan.seed, wanted, folder)
            .map_err(|error| match error {
                _ if error.is_unreadable() => Failure::work(error),
                OpeningsError::TooFew { .. } => wrong(count_place, error.to_string()),
                _ => Failure::usage(error),
            })?;
        let versions = plan.bots.iter().map(|bot| BotVersion::of(bot, folder));
        let versions = versions.collect::<Result<_, _>>().map_err(Failure::work)?;
        let folder = wanted_plan.folder;
        Ok(Planned {
            plan,
            schedule,
            openings,
            options,
            folder,
            is_sandboxed_by_itself,
            versions,
            min_free,
        })
    }

    /// What the record file begins with.
    pub(super) fn heading(&self, args: &Args) -> Heading<'_> {
        let bots = self.plan.bots.iter().zip(&self.versions);
        Heading {
            plan: &self.plan,
            shard: args.shard,
            versions: bots.map(|(bot, version)| (bot.name.clone(), version.digest)).collect(),
            programs: programs(&self.plan.bots),
        }
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
            let folder = printable_path(folder);
            Failure::Usage(format!("the folder {folder} is not UTF-8, and a configuration is"))
        })
    }
}

/// Adds whether the bots are in the sandbox to `arguments`, where `--no-sandbox` or bots of a folder
/// decide that. Returns whether they are in it though nobody asked for it.
fn choose_sandbox(args: &Args, config: &Config, arguments: &mut Vec<MatchOption>) -> bool {
    if args.no_sandbox {
        arguments.push(options::sandbox(false));
    }
    let of_config = config.match_options();
    let is_said = of_config.iter().chain(&*arguments).any(|option| option.key == "sandbox");
    let is_of_strangers = !config.bots.is_empty() && !is_said;
    let is_sandboxed_by_itself = is_of_strangers && !resumes_without_sandbox(args);
    if is_sandboxed_by_itself {
        arguments.push(options::sandbox(true));
    } else if is_of_strangers {
        warn("the tournament goes on as it began, without the sandbox");
    }
    is_sandboxed_by_itself
}

/// Whether the tournament to be resumed is of a plan without the sandbox, as those of earlier
/// versions are. It goes on as it began.
fn resumes_without_sandbox(args: &Args) -> bool {
    let Some(record) = args.record.as_ref().filter(|_| args.go_on() != GoOn::No) else {
        return false;
    };
    let mut line = String::new();
    let read = open_to_read(record)
        .and_then(|file| BufReader::new(file.take(MAX_HEADER)).read_line(&mut line));
    let header: serde_json::Value = serde_json::from_str(&line).unwrap_or_default();
    read.is_ok()
        && header["plan"].is_object()
        && header["plan"]["match"]["limits"]["sandbox"].is_null()
}

/// What the user asks for: arguments, and a configuration, which is empty without `--config`.
struct WantedPlan<'a> {
    args: &'a Args,
    config: Config,
    source: ConfigSource,
    /// What the configuration's paths are relative to.
    folder: PathBuf,
    /// What the command line's paths are relative to, if it is another folder.
    elsewhere: Option<PathBuf>,
}

impl WantedPlan<'_> {
    fn of(args: &Args) -> Result<WantedPlan<'_>, Failure> {
        let here = std::env::current_dir()
            .map_err(|error| Failure::Work(format!("the working folder is gone: {error}")))?;
        let Some(path) = &args.config else {
            let (config, source) = (Config::default(), ConfigSource::default());
            return Ok(WantedPlan { args, config, source, folder: here, elsewhere: None });
        };
        let source = read_config(path)?;
        let config = source.read(&options::keys())?;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let mut folder = here.join(folder.unwrap_or(Path::new("")));
        folder = folder.canonicalize().unwrap_or(folder);
        if let Some(dir) = &config.dir {
            let found = folder.join(dir.get_ref()).canonicalize();
            let is_folder = |found: PathBuf| {
                if found.is_dir() { Ok(found) } else { Err(ErrorKind::NotADirectory.into()) }
            };
            folder = found.and_then(is_folder).map_err(|error| {
                let dir_shown = printable(dir.get_ref());
                source.error(&dir.span(), format!("cannot go to the folder {dir_shown}: {error}"))
            })?;
        }
        let is_elsewhere = here.canonicalize().is_ok_and(|here| here != folder);
        Ok(WantedPlan { args, config, source, folder, elsewhere: is_elsewhere.then_some(here) })
    }

    fn pairings(&self, gauntlet: Option<usize>) -> Result<Pairings, Failure> {
        if let Some(first) = gauntlet {
            return Ok(Pairings::Gauntlet { first });
        }
        if self.args.swiss {
            return Ok(Pairings::Swiss);
        }
        if self.args.round_robin {
            return Ok(Pairings::RoundRobin);
        }
        let first = self.config.gauntlet.as_ref().map(|first| first.get_ref().get() as usize);
        let Some(format) = &self.config.format else {
            return Ok(first.map_or(Pairings::RoundRobin, |first| Pairings::Gauntlet { first }));
        };
        let wrong = |why: &str| Err(self.source.error(&format.span(), why).into());
        match (format.get_ref().as_str(), first) {
            ("gauntlet", first) => Ok(Pairings::Gauntlet { first: first.unwrap_or(1) }),
            (_, Some(_)) => wrong("gauntlet = N needs format = \"gauntlet\""),
            ("round-robin", None) => Ok(Pairings::RoundRobin),
            ("swiss", None) => Ok(Pairings::Swiss),
            _ => wrong("format must be \"round-robin\", \"gauntlet\" or \"swiss\""),
        }
    }

    fn openings(&self) -> Result<Suite, Failure> {
        match (&self.args.openings, &self.elsewhere) {
            // A path on the command line is relative to where the command is run.
            (Some(Suite::File(path)), Some(here)) => Ok(Suite::File(here.join(path))),
            (Some(suite), _) => Ok(suite.clone()),
            (None, _) => Ok(self.parsed(self.config.openings.as_ref())?.unwrap_or(Suite::Standard)),
        }
    }

    fn sprt(&self) -> Result<Option<SprtTerms>, Failure> {
        match self.args.sprt {
            None => self.parsed(self.config.sprt.as_ref()),
            given => Ok(given),
        }
    }

    /// The value of a key of the configuration, if it has that key.
    fn parsed<T>(&self, text: Option<&Spanned<String>>) -> Result<Option<T>, Failure>
    where
        T: FromStr<Err: Display>,
    {
        let parse = |text: &Spanned<String>| {
            let wrong = |why: T::Err| self.source.error(&text.span(), why.to_string());
            text.get_ref().parse().map_err(wrong)
        };
        Ok(text.map(parse).transpose()?)
    }

    fn reuse(&self) -> Result<Option<Reuse>, Failure> {
        let WantedPlan { args, config, .. } = self;
        let restart_after = args.restart_after.or(config.restart_after.map(NonZeroU32::get));
        if args.reuse_bots || config.reuse_bots.unwrap_or(false) {
            return Ok(Some(Reuse { restart_after }));
        }
        if restart_after.is_some() {
            let why =
                "--restart-after needs --reuse-bots; otherwise every match starts its bots afresh";
            return Err(Failure::usage(why));
        }
        Ok(None)
    }
}

fn read_config(path: &Path) -> Result<ConfigSource, Failure> {
    let unreadable = Failure::at("cannot read the configuration", path);
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
        ConfigSource::new(path, text).error(&(at..at), message).into()
    })
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Failure {
        Failure::usage(error)
    }
}
