//! The probe of what a bot does when its input ends.

use std::time::Duration;

use super::checker::Checker;
use super::findings::Occurrence;
use super::trial::{Checked, Trial};
use crate::bot::{Bot, Finished};
use crate::problems::{Known, Problem};
use crate::referee::{Ended, MatchError, Misconduct, Stop, Trouble};
use crate::report::{Probe, in_ms};
use crate::text::quoted;

/// How long a bot is waited for at the end of its input, to say how long it takes.
const END_WAIT: Duration = Duration::from_millis(1500);

/// How often a bot must be slow to exit before it is told so: a busy machine is slow now and then.
const EXIT_TRIES: u32 = 3;

/// Ends the bot's input after the last round, and in the middle of one.
pub(super) fn end_of_input(checker: &mut Checker<'_>) -> Checked {
    let settings = checker.judge.runner.settings;
    let trial = settings.trial(settings.rules[0]).rounds(1).short(2);
    let ends: [(&str, BotBeforeItsEnd); 2] =
        [("after the last end", after_the_last_end), ("in mid-round, after an answer", mid_round)];
    for (when, bot_before) in ends {
        for tries_left in (0..EXIT_TRIES).rev() {
            let Some(mut bot) = bot_before(checker, &trial)? else { return Ok(()) };
            if has_left(checker, &mut bot) {
                checker.cut_short("it had left before its input ended");
                return Ok(());
            }
            let finished = close_input(checker, bot)?;
            let problem = finished.as_ref().and_then(problem_at_the_end);
            let was_slow = problem == Some(Problem::OutlivesItsInput);
            if was_slow && tries_left > 0 && !checker.judge.findings.has(|it| Some(it) == problem) {
                continue;
            }
            if let Some(finished) = finished {
                report_end(checker, &finished, problem, when);
            }
            break;
        }
    }
    Ok(())
}

/// Starts a bot and brings it to where its input is to end; `None` if it does not come so far.
type BotBeforeItsEnd = fn(&mut Checker<'_>, &Trial) -> Checked<Option<Bot>>;

fn after_the_last_end(checker: &mut Checker<'_>, trial: &Trial) -> Checked<Option<Bot>> {
    Ok(checker.play_on(trial)?.map(|(_, bot)| bot))
}

fn mid_round(checker: &mut Checker<'_>, trial: &Trial) -> Checked<Option<Bot>> {
    let runner = &checker.judge.runner;
    let (bot, turn) = runner.first_turn(trial, |bot, question, late_after| {
        bot.ask(question, late_after, None, runner.interrupt())
    });
    match turn {
        Ok(_) => Ok(Some(bot)),
        Err(Stop::Trouble(Trouble::Interrupted)) => Err(MatchError::Interrupted),
        // A bot that does not answer was found out before.
        Err(_) => {
            checker.cut_short("it gave no move before its input was to end");
            Ok(None)
        }
    }
}

/// Whether a bot that leaves elsewhere too is gone before its input ends: that is found already.
fn has_left(checker: &Checker<'_>, bot: &mut Bot) -> bool {
    let leaves = checker.judge.findings.in_control(|it| it.problem.is_a_departure()).is_some();
    let heard = leaves.then(|| bot.ask_line(b"", END_WAIT, None, checker.judge.runner.interrupt()));
    matches!(heard, Some(Err(Trouble::Misconduct(Misconduct::Exited { .. }))))
}

/// Ends the bot's input, and waits for its end; `None` if it does not run.
fn close_input(checker: &Checker<'_>, mut bot: Bot) -> Checked<Option<Finished>> {
    let finished = bot.finish(END_WAIT, None);
    if finished.is_some() && checker.judge.runner.is_interrupted() {
        return Err(MatchError::Interrupted);
    }
    Ok(finished)
}

fn problem_at_the_end(finished: &Finished) -> Option<Problem> {
    Problem::known_by(|known| matches!(known, Known::EndOfInput(is_shown) if is_shown(finished)))
}

fn report_end(
    checker: &mut Checker<'_>,
    finished: &Finished,
    problem: Option<Problem>,
    when: &str,
) {
    let Finished { how, after, stdout, stderr, .. } = finished;
    if !stdout.is_empty() {
        let text = quoted(stdout);
        checker.note(format!("it writes to stdout at the end of its input, {when}: {text}"));
    }
    let Some(problem) = problem else { return };
    let after = in_ms(*after);
    let received = match how {
        Some(Ended::Code(0)) => format!("it exited by itself, but after {after}"),
        None | Some(Ended::ClosedStdout) => format!("it still ran after {after}"),
        Some(how) => format!("it {how}"),
    };
    let evidence = Occurrence {
        during: format!("the end of its input {when}"),
        sent: vec!["(the end of input)".to_owned()],
        received,
        stderr: stderr.clone(),
        ..Occurrence::default()
    };
    checker.judge.findings.add(Probe::EndOfInput, problem.into(), None, evidence);
}
