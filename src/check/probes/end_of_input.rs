//! The end of a bot's input: after the last round and in mid-round.

use std::time::Duration;

use crate::bot::{Bot, Finished};
use crate::check::course::{Course, in_ms, shown};
use crate::check::diagnosis::Diagnosis;
use crate::check::findings::Evidence;
use crate::check::report::Probe;
use crate::check::trial::Trial;
use crate::referee::{Ended, MatchError, Misconduct, Stop, Trouble};
use crate::rules::Game;
use crate::text::quoted;

/// How long a match waits for a bot to exit by itself.
const GRACE: Duration = Duration::from_millis(300);

/// How long it is waited for here, to be able to say how long it takes.
const PATIENCE: Duration = Duration::from_millis(1500);

/// Ends its input twice.
pub(in crate::check) fn end_of_input(course: &mut Course<'_>) -> Result<(), MatchError> {
    course.begin(Probe::EndOfInput);
    let plan = course.plan;
    let trial = Trial::new(plan.rules[0], &plan.limits, plan.seed).rounds(1).short(2);
    let Some(played) = course.play(&trial)? else { return Ok(()) };
    let mut bot = played.bot;
    if has_left(course, &mut bot) {
        return Ok(());
    }
    if let Some(finished) = bot.finish(PATIENCE, course.interrupt()) {
        look_at(course, &finished, "after the last end");
    }
    in_mid_round(course, &trial)
}

/// A bot that has answered a turn and then meets the end of its input.
fn in_mid_round(course: &mut Course<'_>, trial: &Trial) -> Result<(), MatchError> {
    let (mut bot, mut talk) = course.told_to_start(trial);
    let contest = course.contest(trial);
    let interrupt = course.interrupt();
    let mut game = Game::new(contest.rules, contest.opening, contest.terms.max_moves);
    let played = talk.take_turn(&contest, &mut game, |question, late_after| {
        bot.ask(question, late_after, None, interrupt)
    });
    match played {
        Ok(_) if has_left(course, &mut bot) => Ok(()),
        Ok(_) => {
            if let Some(finished) = bot.finish(PATIENCE, course.interrupt()) {
                look_at(course, &finished, "in mid-round, after an answer");
            }
            Ok(())
        }
        Err(Stop::Trouble(Trouble::Interrupted)) => Err(MatchError::Interrupted),
        // A bot that does not answer was found out before.
        Err(_) => Ok(()),
    }
}

/// Whether a bot that leaves elsewhere too is gone before its input ends: that is found already.
fn has_left(course: &Course<'_>, bot: &mut Bot) -> bool {
    let leaves = course.findings.in_control(Diagnosis::is_a_departure).is_some();
    let heard = leaves.then(|| bot.ask_line(b"", GRACE, None, course.interrupt()));
    matches!(heard, Some(Err(Trouble::Misconduct(Misconduct::Exited { .. }))))
}

fn look_at(course: &mut Course<'_>, finished: &Finished, when: &str) {
    let Finished { how, after, stdout, stderr } = finished;
    if !stdout.is_empty() {
        let text = quoted(stdout);
        course.note(format!("it writes to stdout at the end of its input, {when}: {text}"));
    }
    let (diagnosis, came_back) = match how {
        Some(Ended::Code(0)) if *after <= GRACE => return,
        Some(Ended::Code(0)) => {
            let after = in_ms(*after);
            (Diagnosis::OutlivesItsInput, format!("it exited by itself, but after {after}"))
        }
        None | Some(Ended::ClosedStdout) => {
            let after = in_ms(*after);
            (Diagnosis::OutlivesItsInput, format!("it still ran after {after}"))
        }
        Some(Ended::Code(code)) => (Diagnosis::BadExitCode, format!("it exited with code {code}")),
        Some(Ended::Signal(signal)) => {
            (Diagnosis::BadExitCode, format!("it was ended by signal {signal}"))
        }
    };
    let evidence = Evidence {
        during: format!("the end of its input {when}"),
        sent: vec![shown(b"(the end of input)")],
        came_back,
        stderr: stderr.clone(),
        ..Evidence::default()
    };
    course.findings.add(Probe::EndOfInput, diagnosis, None, evidence);
}
