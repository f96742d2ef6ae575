//! What the arguments and the configuration ask for.

use std::fmt::Display;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::ArgMatches;
use toml::Spanned;

use super::{Args, options};
use crate::cli::failure::{CliResult, Failure};
use crate::cli::prepare::working_folder;
use crate::contest::{Pairings, Plan, PlanFields, Reuse, Schedule};
use crate::record::own_files::read_at_most;
use crate::record::{Shard, is_of_records};
use crate::rules::{Opening, Suite};
use crate::standings::SprtTerms;
use crate::text::{printable, printable_path};
use crate::tournament::{
    Config, ConfigPlace, ConfigSource, KeyPlaces, OpeningSource, ResumeMode, SetupError,
};

/// Most bytes of a configuration.
const MAX_CONFIG: u64 = 16 << 20;

/// What the user asks for: arguments, and a configuration, which is empty without `--config`.
pub(super) struct WantedPlan<'a> {
    pub(super) args: &'a Args,
    pub(super) config: Config,
    pub(super) source: ConfigSource,
    /// What the configuration's paths are relative to.
    pub(super) folder: PathBuf,
    /// What the command line's paths are relative to, if it is another folder.
    pub(super) elsewhere: Option<PathBuf>,
    /// The keys of the configuration that the command line does not override.
    pub(super) keys: KeyPlaces,
}

impl WantedPlan<'_> {
    pub(super) fn of<'a>(args: &'a Args, matches: &ArgMatches) -> CliResult<WantedPlan<'a>> {
        let here = working_folder()?;
        let Some(path) = &args.config else {
            let (config, source) = (Config::default(), ConfigSource::default());
            let (folder, elsewhere, keys) = (here, None, KeyPlaces::default());
            return Ok(WantedPlan { args, config, source, folder, elsewhere, keys });
        };
        let source = read_config(path)?;
        let config = source.read()?;
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
        let elsewhere = is_elsewhere.then_some(here);
        let keys = options::keys_that_count(&source, matches);
        Ok(WantedPlan { args, config, source, folder, elsewhere, keys })
    }

    pub(super) fn pairings(&self, gauntlet: Option<usize>) -> CliResult<Pairings> {
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

    pub(super) fn openings(&self) -> CliResult<Suite> {
        match (&self.args.openings, &self.elsewhere) {
            // A path on the command line is relative to where the command is run.
            (Some(Suite::File(path)), Some(here)) => Ok(Suite::File(here.join(path))),
            (Some(suite), _) => Ok(suite.clone()),
            (None, _) => Ok(self.parsed(self.config.openings.as_ref())?.unwrap_or(Suite::Standard)),
        }
    }

    pub(super) fn sprt(&self) -> CliResult<Option<SprtTerms>> {
        match self.args.sprt {
            None => self.parsed(self.config.sprt.as_ref()),
            given => Ok(given),
        }
    }

    /// An error if the plan asks for what cannot be at once.
    pub(super) fn check_contradiction(&self, plan: &Plan) -> CliResult {
        let Some(why) = contradiction(plan, self.args) else { return Ok(()) };
        let is_of_config = plan.sprt.is_some() && self.keys.contains_key("format");
        let place = self.place("sprt", self.config.sprt.as_ref()).filter(|_| is_of_config);
        Err(self.wrong(place, why))
    }

    /// The order of the plan's matches.
    pub(super) fn schedule(&self, plan: &Plan) -> CliResult<Schedule> {
        let Config { count, gauntlet, .. } = &self.config;
        let bots = plan.bots.len();
        let place = || match plan.pairings {
            Pairings::Gauntlet { first } if first >= bots => {
                self.place("gauntlet", gauntlet.as_ref())
            }
            // There are too many matches.
            _ if bots > 1 => self.place("count", count.as_ref()),
            _ => None,
        };
        plan.schedule().map_err(|why| self.wrong(place(), &why))
    }

    /// What the plan's matches begin from.
    pub(super) fn load_openings(&self, plan: &Plan) -> CliResult<Vec<Opening>> {
        let wanted = usize::try_from(plan.count).ok();
        // A mistake in a file has its place there.
        let is_file = matches!(plan.openings, Suite::File(_));
        let PlanFields { openings: suite, rules, seed, .. } = &**plan;
        let source = OpeningSource { suite, rules, seed: *seed, folder: &self.folder };
        source.load(wanted).map_err(|error| match error {
            SetupError::Usage(why) if !is_file => {
                self.wrong(self.place("openings", self.config.openings.as_ref()), &why)
            }
            SetupError::TooFewOpenings { why, .. } => {
                self.wrong(self.place("count", self.config.count.as_ref()), &why)
            }
            error => error.into(),
        })
    }

    /// Where the value of a key stands; what the command line says has no place.
    fn place<T>(&self, key: &str, value: Option<&Spanned<T>>) -> Option<ConfigPlace> {
        value.filter(|_| self.keys.contains_key(key)).map(Spanned::span)
    }

    fn wrong(&self, place: Option<ConfigPlace>, message: &str) -> Failure {
        match place {
            Some(place) => self.source.error(&place, options::in_keys(message)).into(),
            None => Failure::usage(message),
        }
    }

    /// An error if the plan has a test that is not between two bots.
    pub(super) fn check_test(&self, plan: &PlanFields) -> CliResult {
        let bots = plan.bots.len();
        if plan.sprt.is_none() || bots == 2 {
            return Ok(());
        }
        let why = format!("is a test between two bots, and there are {bots}");
        Err(match self.config.sprt.as_ref().filter(|_| self.args.sprt.is_none()) {
            Some(terms) => self.source.error(&terms.span(), format!("sprt {why}")).into(),
            None => Failure::Usage(format!("--sprt {why}")),
        })
    }

    /// The value of a key of the configuration, if it has that key.
    fn parsed<T>(&self, text: Option<&Spanned<String>>) -> CliResult<Option<T>>
    where
        T: FromStr<Err: Display>,
    {
        let parse = |text: &Spanned<String>| {
            let wrong = |why: T::Err| self.source.error(&text.span(), why.to_string());
            text.get_ref().parse().map_err(wrong)
        };
        Ok(text.map(parse).transpose()?)
    }

    pub(super) fn reuse(&self) -> CliResult<Option<Reuse>> {
        let WantedPlan { args, config, .. } = self;
        let of_config = config.restart_after.as_ref();
        let restart_after = args.restart_after.or(of_config.map(|after| after.get_ref().get()));
        if args.reuse_bots || config.reuse_bots.unwrap_or(false) {
            return Ok(Some(Reuse { restart_after }));
        }
        let afresh = "otherwise every match starts its bots afresh";
        if args.restart_after.is_some() {
            return Err(Failure::Usage(format!("--restart-after needs --reuse-bots; {afresh}")));
        }
        if let Some(after) = of_config {
            let why = format!("restart_after needs reuse_bots = true; {afresh}");
            return Err(self.source.error(&after.span(), why).into());
        }
        Ok(None)
    }
}

fn read_config(path: &Path) -> CliResult<ConfigSource> {
    let bytes = read_at_most(path, MAX_CONFIG);
    let bytes = bytes.map_err(|error| unreadable_config(path, &error))?;
    if bytes.starts_with(b"{")
        && is_of_records(bytes.split(|it| *it == b'\n').next().unwrap_or(&[]))
    {
        let path = printable_path(path);
        return Err(Failure::Usage(format!(
            "{path} is a record, not a config; a record is given with --record"
        )));
    }
    // Some editors write a byte order mark.
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).map(<[u8]>::to_vec).unwrap_or(bytes);
    let source = |text| ConfigSource::new(path, text, options::keys());
    String::from_utf8(bytes).map(source).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
        let message = "this is not UTF-8; save the file as UTF-8";
        source(text).error(&(at..at), message).into()
    })
}

fn unreadable_config(path: &Path, error: &io::Error) -> Failure {
    let shown = printable_path(path);
    match error.kind() {
        ErrorKind::IsADirectory => Failure::Usage(format!(
            "{shown} is a folder, and a config is a file; give --config a file such as class.toml"
        )),
        ErrorKind::NotFound => Failure::Usage(format!("cannot read the config {shown}: {error}")),
        _ => Failure::Work(format!("cannot read the config {shown}: {error}")),
    }
}

/// What a plan cannot ask for at once, and what to do.
fn contradiction(plan: &Plan, args: &Args) -> Option<&'static str> {
    let shard = args.shard;
    let is_swiss = plan.pairings == Pairings::Swiss;
    match (plan.sprt.is_some(), shard != Shard::WHOLE) {
        (true, _) if is_swiss => Some(
            "--sprt needs many matches of one pair, and in a Swiss tournament (--swiss) nobody \
             meets twice; leave --swiss out and give --count N, the most matches of the test",
        ),
        (true, true) => Some(
            "--sprt decides on all matches in their order, and a shard sees only its own; \
             leave --shard out",
        ),
        (false, true) if is_swiss => Some(
            "a Swiss tournament cannot be sharded: who meets whom follows from all results so \
             far; play it on one machine, or a round robin in shards",
        ),
        _ if args.retry_disqualified && args.go_on() == ResumeMode::No => Some(
            "--retry-disqualified goes on with a tournament; add --resume, or --update for today's bots",
        ),
        _ => no_update(plan, args),
    }
}

/// Why a tournament cannot be updated, and what to do.
fn no_update(plan: &Plan, args: &Args) -> Option<&'static str> {
    if !args.update {
        return None;
    }
    if plan.pairings == Pairings::Swiss {
        return Some(
            "a Swiss tournament cannot be updated: who meets whom follows from all results so far; \
             give a new --record FILE, or play a round robin or a gauntlet",
        );
    }
    if plan.sprt.is_some() {
        return Some(
            "a test of two bots (--sprt) cannot be updated: it decides on matches of the same two; \
             give a new --record FILE",
        );
    }
    (args.shard != Shard::WHOLE).then_some(
        "a shard cannot be updated: the other shards would still be of the old bots; play the \
         tournament in one file, or all shards anew",
    )
}
