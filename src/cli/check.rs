//! `mancala check`: a bot is tried before a contest.

use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

use super::failure::{CliResult, Failure, Verdict, conclude};
use super::options::{OneOf, QuietArgs, RuleChanges, TermsArgs, positive, whole};
use super::output::to_stdout;
use super::prepare::prepare;
use super::sandbox_notice::print_sandbox_notice;
use crate::bot::{Bot, BotCommand, StopSteps, Wardens};
use crate::check::{CheckSettings, check, report_of_no_start};
use crate::referee::MatchError;
use crate::report::{
    CHECK_FORMATS, CheckReport, OutputFormat, Probe, Width, verdict_of_check, write_report_of_check,
};
use crate::rules::{DirectionRule, Ruleset, RulesetName};
use crate::text::counted;

/// Check a bot before a contest: is it ready for everything that a match may ask of it?
///
/// It plays whole games in every ruleset and against all built-in bots but expert, positions in which
/// it moves first or second, four rounds in one process and rounds with a time bank. It meets opponents
/// that forfeit, odd names, unknown fields and messages, and the end of its input. Its answers are
/// timed. Each finding says what the bot was sent, what it replied and how to fix it: a fault forfeits
/// a round; a warning costs nothing today but may on a busier machine or with a later version.
///
/// Exit codes: 0 the bot is clean; 1 it could not be checked; 2 the command line is wrong; 3 there
/// are findings, faults or warnings; 130 interrupted.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  mancala check \"python3 my_bot.py\"
  mancala check --rules kalah --seeds 6 --move-time 200ms ./my_bot
  mancala check --format json --budget 5m \"java -cp classes MyBot\"")]
#[expect(clippy::doc_markdown, reason = "shown on a terminal")]
pub(super) struct Args {
    /// The bot: a command line as in mancala match
    #[arg(value_name = "BOT")]
    bot: BotCommand,

    /// A ruleset it should know: learneroo, kalah, ece1021, cs221 or mancala5000; may be
    /// given several times [default: all five]
    #[arg(long, value_name = "NAME", help_heading = "Rules")]
    rules: Vec<RulesetName>,

    /// The direction of all rulesets: forward, backward, or either as the player chooses; may be
    /// given several times [default: forward]
    #[arg(long, value_name = "WAY", help_heading = "Rules")]
    direction: Vec<DirectionRule>,

    #[command(flatten)]
    changes: RuleChanges,

    /// The longest that the whole check may take; the report says what was left out
    #[arg(long, value_name = "TIME", value_parser = positive, default_value = "60s", allow_hyphen_values = true)]
    budget: Duration,

    /// Seed: the same one gives the same opponents' moves and positions [default: different
    /// each time]
    #[arg(long, value_name = "N", value_parser = whole::<u64>(0..=u64::MAX), allow_hyphen_values = true)]
    seed: Option<u64>,

    #[command(flatten)]
    terms: TermsArgs,

    /// How the report is written to stdout: table, json, markdown, junit (JUnit XML, which GitLab
    /// shows) or gradescope (its results.json)
    #[arg(long, value_name = "FORMAT", default_value = "table", value_parser = OneOf(CHECK_FORMATS), hide_possible_values = true, help_heading = "Output")]
    format: OutputFormat,

    #[command(flatten)]
    quiet: QuietArgs,
}

impl Args {
    /// Every ruleset in every direction, each once.
    fn rules(&self) -> Vec<Ruleset> {
        let names = if self.rules.is_empty() { &RulesetName::ALL[..] } else { &self.rules };
        let forward = [DirectionRule::Forward];
        let directions = if self.direction.is_empty() { &forward[..] } else { &self.direction };
        let mut rules = Vec::new();
        for &direction in directions {
            for name in names {
                let one = Ruleset { direction, ..self.changes.apply(name.rules()) };
                if !rules.contains(&one) {
                    rules.push(one);
                }
            }
        }
        rules
    }
}

pub(super) fn run(args: Args) -> CliResult {
    let plan = CheckSettings {
        rules: args.rules(),
        limits: args.terms.terms()?,
        budget: args.budget,
        // Small enough to be typed again.
        seed: args.seed.unwrap_or_else(|| RandomState::new().hash_one("seed") % 1_000_000),
        bot: args.bot,
    };
    let interrupt = prepare(StopSteps::EndThenExit)?;
    let wardens = Wardens::new(plan.limits.keeping.clone(), Some(&interrupt))?;
    let (bot, keeping) = (Bot::new(&plan.bot, &wardens), &plan.limits.keeping);
    print_sandbox_notice(&[(&plan.bot.name(), &bot.reach)], keeping, args.quiet.is_quiet());
    let report = {
        let status = args.quiet.status();
        let mut tell = |probe: Probe, rounds: u32, findings: usize| {
            let rounds = counted(rounds.into(), "round", "rounds");
            let findings = counted(findings as u64, "finding", "findings");
            status.show(format!("checking {}: {rounds}, {findings}", probe.words()));
        };
        check(&plan, &wardens, &mut tell)
    };
    let write = |report: &CheckReport| {
        to_stdout(|out| write_report_of_check(out, report, args.format, Width::of_stdout()))
    };
    let report = match report {
        // What shows these to students would show nothing, or what it has of the time before.
        Err(MatchError::CannotStart { ref why, .. })
            if !matches!(args.format, OutputFormat::Table | OutputFormat::Json) =>
        {
            let written = write(&report_of_no_start(&plan, why));
            return conclude(report.map(|_| Verdict::Clean).map_err(Failure::from), written);
        }
        report => report?,
    };
    let work = if report.knows_nothing() {
        Err(Failure::Work(verdict_of_check(&report)))
    } else {
        Ok(Verdict::of(!report.findings.is_empty()))
    };
    conclude(work, write(&report))
}
