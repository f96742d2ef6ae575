//! A short trial of each bot, by which `--dry-run` estimates the time of a tournament.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use super::planning::Planned;
use crate::bot::{StopSteps, WardenError, Wardens};
use crate::check::{CheckSettings, MeanAnswers, Untimed, mean_answers};
use crate::cli::failure::{CliResult, Failure};
use crate::cli::prepare::prepare;
use crate::record::{FaultTerms, Terms};
use crate::referee::MatchError;
use crate::text::printable;
use crate::tournament::to_command;

/// How long the trials of all bots may take together.
const IN_ALL: Duration = Duration::from_secs(5);

/// What each bot gets of it at least: where there are many, some are not tried.
const AT_LEAST: Duration = Duration::from_millis(500);

/// What came of the trials.
#[derive(Default)]
pub(super) struct Trials {
    pub(super) answers: Vec<MeanAnswers>,
    /// How many bots gave no answer.
    pub(super) silent: usize,
    /// The places in the plan of bots that do not start, or will not pass the check: their matches
    /// will not be played.
    pub(super) refused: Vec<usize>,
    /// Why bots were not timed, and which.
    pub(super) untimed: BTreeMap<String, Vec<String>>,
}

impl Planned {
    /// Tries `bots` of the plan, one after the other, as a tournament would run them. One that is to
    /// be built first is not tried.
    ///
    /// # Errors
    ///
    /// When the user interrupts.
    pub(super) fn try_bots(&self, bots: &[usize]) -> CliResult<Trials> {
        let mut trials = Trials::default();
        let interrupt = prepare(StopSteps::EndThenExit)?;
        let keeping = &self.plan.terms.keeping;
        let wardens = std::env::set_current_dir(&self.folder)
            .map_err(WardenError::from)
            .and_then(|()| Wardens::new(keeping.clone(), Some(&interrupt)));
        let wardens = match wardens {
            Ok(wardens) => wardens,
            Err(WardenError::Interrupted) => return Err(Failure::Interrupted),
            Err(error) => {
                trials.untimed.insert(error.to_string(), vec!["any bot".to_owned()]);
                return Ok(trials);
            }
        };
        let end = Instant::now() + IN_ALL;
        for (tried, &place) in bots.iter().enumerate() {
            let left = end.saturating_duration_since(Instant::now());
            let share = left / u32::try_from(bots.len() - tried).unwrap_or(u32::MAX);
            let trial = if left.is_zero() {
                Trial::Untimed("no time was left for a trial".to_owned())
            } else {
                self.try_bot(place, share.max(AT_LEAST), &wardens)?
            };
            let why = match trial {
                Trial::Timed(answers) => {
                    trials.answers.push(answers);
                    continue;
                }
                Trial::Refused(why) => {
                    trials.refused.push(place);
                    why
                }
                Trial::Silent(why) => {
                    trials.silent += 1;
                    why
                }
                Trial::Untimed(why) => why,
            };
            let name = printable(&self.plan.bots[place].name);
            trials.untimed.entry(printable(&why)).or_default().push(name);
        }
        Ok(trials)
    }

    fn try_bot(&self, place: usize, budget: Duration, wardens: &Wardens) -> CliResult<Trial> {
        let planned = &self.plan.bots[place];
        if !planned.build.is_empty() {
            return Ok(Trial::Untimed("to be built first".to_owned()));
        }
        let bot = match to_command(planned) {
            Ok(bot) => bot,
            Err(error) => return Ok(Trial::Untimed(error.to_string())),
        };
        // A fault is told, whatever a match makes of it.
        let limits = Terms { faults: FaultTerms::default(), ..self.plan.terms.clone() };
        let settings = CheckSettings { bot, rules: vec![self.plan.rules], limits, budget, seed: 1 };
        match mean_answers(&settings, wardens) {
            Ok(Ok(answers)) => Ok(Trial::Timed(answers)),
            Ok(Err(Untimed { why, is_at_fault: true, .. })) if self.plan.check => {
                Ok(Trial::Refused(why))
            }
            Ok(Err(Untimed { why, is_silent: true, .. })) => Ok(Trial::Silent(why)),
            Ok(Err(Untimed { why, .. })) => Ok(Trial::Untimed(why)),
            Err(MatchError::Interrupted) => Err(Failure::Interrupted),
            Err(MatchError::CannotStart { why, .. }) => Ok(Trial::Refused(why)),
            Err(error) => Ok(Trial::Untimed(error.to_string())),
        }
    }
}

/// What came of the trial of one bot. All but times say why there are none.
enum Trial {
    Timed(MeanAnswers),
    /// It does not start, or will not pass the check.
    Refused(String),
    /// It gave no answer.
    Silent(String),
    Untimed(String),
}
