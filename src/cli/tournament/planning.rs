//! From arguments and configuration to a plan.

use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

use clap::ArgMatches;
use toml::Spanned;

use super::Args;
use super::options::{self, MatchSettings};
use super::wanted_plan::WantedPlan;
use crate::bot::{BotCommand, find_program};
use crate::cli::failure::{CliResult, Failure, warn};
use crate::contest::{FirstBy, Plan, PlanFields, PlannedBot, Schedule};
use crate::rules::Opening;
use crate::text::{printable, printable_path};
use crate::tournament::{
    BotPattern, BotPlaces, BotVersion, Config, ConfigEntrants, ConfigError, Entrant, FilePlans,
    Heading, KeptVersion, KeyPlaces, MatchOption, NamedBots, ResumeMode, add_earlier_versions,
    bots_of_config, folders_of_changed, name_entrants, programs, unmatched_files,
};

/// A plan that can be played.
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
    /// What finds bots.
    pub(super) patterns: Vec<BotPattern>,
    places: BotPlaces,
    /// Whether the bots are in the sandbox though nobody asked for it, since they are of a folder.
    pub(super) is_sandboxed_by_default: bool,
    /// Whether bots of a folder are not in it.
    pub(super) runs_pattern_bots_unsandboxed: bool,
    /// What its bots are made of, in the plan's order.
    pub(super) versions: Vec<BotVersion>,
    /// Those of its bots that are earlier versions of others.
    pub(super) kept: Vec<KeptVersion>,
    /// Bytes that are kept free on the disk of the record file.
    pub(super) min_free: Option<u64>,
    /// The keys of the configuration that the command line does not override.
    pub(super) keys: KeyPlaces,
}

impl Planned {
    /// The plan that the arguments ask for.
    ///
    /// # Errors
    ///
    /// [`Failure::Usage`] for what cannot be played, [`Failure::Work`] for what cannot be read.
    pub(super) fn of(args: &Args, matches: &ArgMatches) -> CliResult<Planned> {
        let wanted_plan = WantedPlan::of(args, matches)?;
        let mut arguments = options::of_arguments(matches);
        let WantedPlan { config, source, folder, .. } = &wanted_plan;
        let before = args.record.as_deref().filter(|_| args.go_on() != ResumeMode::No);
        let before = before.map(FilePlans::of).unwrap_or_default();
        let is_sandboxed_by_default = choose_sandbox(args, config, before.first(), &mut arguments);
        let (options, settings) = options::resolve(config, source, folder, arguments)?;
        let MatchSettings { rules, terms, min_free } = settings;
        let runs_pattern_bots_unsandboxed =
            !config.bots.is_empty() && terms.keeping.sandbox.is_none();
        let follows_links = terms.keeping.sandbox.is_none();
        let mut entrants = entrants_of_config(args, &wanted_plan, follows_links)?;
        let (bots, gauntlet) = args.bots_and_gauntlet();
        if let [bot] = &bots[..]
            && entrants.is_empty()
        {
            refuse_folder(bot)?;
        }
        for command in bots {
            let entrant = Entrant::of_argument(command, wanted_plan.elsewhere.as_deref());
            entrants.push(entrant.map_err(Failure::Usage)?);
        }
        let named = name_entrants(entrants, folder).map_err(Failure::Usage)?;
        let NamedBots { mut bots, found, remarks } = named;
        remarks.iter().try_for_each(|remark| warn_unless_strict(args, remark))?;
        let places = BotPlaces { folder: folder.clone(), found, made: before.made.clone() };
        let mut pairings = wanted_plan.pairings(gauntlet)?;
        let keeps =
            args.keep_old || (args.go_on() == ResumeMode::Resume && before.keeps_versions());
        let (kept, remarks) =
            if keeps { before.earlier_versions(&bots, &places)? } else { Default::default() };
        for remark in remarks {
            warn(&remark);
        }
        add_earlier_versions(&mut bots, &mut pairings, &kept);
        let count = args.count.map(|count| count as u64);
        let number = |key: &Option<Spanned<NonZeroU32>>| Some(key.as_ref()?.get_ref().get().into());
        let disqualify_after = config.disqualify_after.map(NonZeroU32::get);
        let fields = PlanFields {
            name: args.name.clone().or_else(|| config.name.clone()),
            pairings,
            // A tournament goes on by the arithmetic with which it began.
            first_by: before.first().map_or(FirstBy::Names, |plan| plan.first_by),
            openings: wanted_plan.openings()?,
            count: count.or(number(&config.count)).unwrap_or(1),
            repeat: args.repeat.or(number(&config.repeat)).unwrap_or(1),
            seed: args.seed.or(config.seed).unwrap_or(1),
            disqualify_after: args.disqualify_after.or(disqualify_after),
            reuse_bots: wanted_plan.reuse()?,
            anonymous: args.anonymous || config.anonymous.unwrap_or(false),
            check: args.check || config.check.unwrap_or(false),
            sprt: wanted_plan.sprt()?.map(|terms| terms.to_string()),
            rules,
            terms,
            bots,
        };
        if let Some(path) = fields.paths().find(|path| path.to_str().is_none()) {
            let path = printable_path(path);
            return Err(Failure::Usage(format!(
                "the path {path} is not UTF-8, and the plan of a tournament is; give it another name"
            )));
        }
        let plan = Plan::new(fields);
        wanted_plan.check_contradiction(&plan)?;
        let schedule = wanted_plan.schedule(&plan)?;
        wanted_plan.check_test(&plan)?;
        let openings = wanted_plan.load_openings(&plan)?;
        let versions = versions_of(&plan.bots, &kept, &places)?;
        let version_before = |name: &str| before.version_of(name);
        for remark in folders_of_changed(&plan.bots, &versions, version_before, folder) {
            warn(&remark);
        }
        let patterns = BotPattern::of(config);
        let WantedPlan { folder, keys, .. } = wanted_plan;
        Ok(Planned {
            plan,
            schedule,
            openings,
            options,
            folder,
            patterns,
            places,
            is_sandboxed_by_default,
            runs_pattern_bots_unsandboxed,
            versions,
            kept,
            min_free,
            keys,
        })
    }

    /// The places of earlier versions that cannot be run again, and why.
    pub(super) fn obstacles(&self) -> impl Iterator<Item = (usize, &str)> {
        self.plan.bots.iter().enumerate().filter_map(|(place, bot)| {
            let kept = self.kept.iter().find(|kept| kept.bot == *bot)?;
            Some((place, kept.obstacle.as_deref()?))
        })
    }

    /// Looks at the bots' files again, once nobody else has the record file: a run that had it may
    /// have been waited for.
    ///
    /// # Errors
    ///
    /// When a file of a bot cannot be read that no pattern found.
    pub(super) fn reread_versions(&mut self) -> CliResult {
        let kept = |bot: &PlannedBot| self.kept.iter().any(|kept| kept.bot == *bot);
        let bots = self.plan.bots.iter().zip(&mut self.versions);
        for (bot, version) in bots.filter(|(bot, _)| !kept(bot)) {
            if version.change(bot, &self.folder).is_some() {
                *version = BotVersion::of(bot, &self.places).map_err(Failure::Work)?;
            }
        }
        Ok(())
    }

    /// What the record file begins with.
    pub(super) fn heading(&self, args: &Args) -> Heading<'_> {
        let bots = self.plan.bots.iter().zip(&self.versions);
        Heading {
            plan: &self.plan,
            openings: &self.openings,
            folder: &self.folder,
            shard: args.shard,
            versions: bots.map(|(bot, version)| (bot.name.clone(), version.digest)).collect(),
            programs: programs(&self.plan.bots, &self.folder),
            retired: self
                .obstacles()
                .map(|(place, _)| self.plan.bots[place].name.clone())
                .collect(),
            keys: &self.keys,
        }
    }

    /// The folder that the plan's paths are relative to, where it is not this one.
    ///
    /// # Errors
    ///
    /// When no configuration can name it.
    pub(super) fn folder_elsewhere(&self) -> CliResult<Option<&str>> {
        let folder = &*self.folder;
        if std::env::current_dir().is_ok_and(|here| here == folder) {
            return Ok(None);
        }
        folder.to_str().map(Some).ok_or_else(|| {
            let folder = printable_path(folder);
            Failure::Usage(format!("the folder {folder} is not UTF-8, and a config is"))
        })
    }
}

/// What `bots` are made of. A file of a bot that a pattern found may be unreadable.
///
/// # Errors
///
/// When a file of another bot cannot be read.
fn versions_of(
    bots: &[PlannedBot],
    kept: &[KeptVersion],
    places: &BotPlaces,
) -> CliResult<Vec<BotVersion>> {
    let version = |bot: &PlannedBot| match kept.iter().find(|kept| kept.bot == *bot) {
        Some(kept) => Ok(kept.version.clone()),
        None => BotVersion::of(bot, places).map_err(Failure::Work),
    };
    let versions = bots.iter().map(version).collect::<Result<Vec<_>, _>>()?;
    versions.iter().filter_map(|it| it.unreadable.as_deref()).for_each(warn);
    Ok(versions)
}

/// The bots of the configuration, with warnings of what was left out.
fn entrants_of_config(
    args: &Args,
    wanted_plan: &WantedPlan,
    follows_links: bool,
) -> CliResult<Vec<Entrant>> {
    let WantedPlan { config, source, folder, .. } = wanted_plan;
    let found = bots_of_config(config, source, folder, follows_links)?;
    let ConfigEntrants { entrants, left_out, without_files, folders_without_files } = found;
    for error in left_out {
        warn_unless_strict(args, &format!("{error}; this file is left out"))?;
    }
    for error in without_files {
        // All submissions in a language may have been withdrawn.
        if args.go_on() == ResumeMode::No || entrants.is_empty() {
            return Err(error.into());
        }
        warn_unless_strict(args, &format!("{error}; the tournament goes on without it"))?;
    }
    // Elsewhere it is an error of each bot.
    let missing = if follows_links { Vec::new() } else { unmatched_files(config, source, folder) };
    let missing = missing.iter().map(|error| format!("{error}, so no bot has one"));
    let mut remarks = missing.chain(folders_without_files);
    remarks.try_for_each(|remark| warn_unless_strict(args, &remark))?;
    Ok(entrants)
}

/// Warns of what keeps no other bot from playing; with `--strict` it is an error.
fn warn_unless_strict(args: &Args, remark: &str) -> CliResult {
    if args.strict {
        return Err(Failure::Usage(remark.to_owned()));
    }
    warn(&format!("{remark} (--strict stops here)"));
    Ok(())
}

/// Adds whether the bots are in the sandbox to `arguments`, where `--no-sandbox` or bots of a folder
/// decide that. Returns whether they are in it though nobody asked for it. `before` is the plan with
/// which the tournament began: one without the sandbox, as those of earlier versions are, goes on so.
fn choose_sandbox(
    args: &Args,
    config: &Config,
    before: Option<&PlanFields>,
    arguments: &mut Vec<MatchOption>,
) -> bool {
    if args.no_sandbox {
        arguments.push(options::sandbox(false));
    }
    let of_config = config.match_options();
    let is_said = of_config.iter().chain(&*arguments).any(|option| option.key == "sandbox");
    let goes_on_without = before.is_some_and(|plan| plan.terms.keeping.sandbox.is_none());
    let is_of_strangers = !config.bots.is_empty() && !is_said;
    let is_sandboxed_by_default = is_of_strangers && !goes_on_without;
    if is_sandboxed_by_default {
        arguments.push(options::sandbox(true));
    } else if is_of_strangers {
        warn("the tournament goes on as it began, without the sandbox");
    }
    is_sandboxed_by_default
}

/// Refuses a folder as the only bot: one of submissions is meant.
fn refuse_folder(bot: &BotCommand) -> CliResult {
    let is_folder = |word: &str| Path::new(word).is_dir() && find_program(word).is_none();
    match bot.words() {
        [word] if is_folder(word) => Err(Failure::Usage(format!(
            "{} is a folder, not a bot; for a folder of submissions give --config with [[bots]] and a \
             glob",
            printable(word)
        ))),
        _ => Ok(()),
    }
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Failure {
        Failure::usage(error)
    }
}
