//! Extra questions to a bot that narrow down the reason for a fault.

use std::time::Duration;

use super::findings::CrashTime;
use super::runner::{LAST_OUTPUT, Runner, SLOW_END};
use super::trial::{BOT, Checked, Trial};
use crate::bot::Bot;
use crate::problems::{Problem, RoundTrace};
use crate::record::{FaultRecord, RoundRecord};
use crate::referee::{Fault, Misconduct, Moves, Trouble, conclude, end_message};
use crate::rules::{Game, Opening};

/// How long a bot that is asked nothing is listened to.
const LISTENING: Duration = Duration::from_secs(2);

/// How long a second line behind an answer is waited for.
const SECOND_LINE: Duration = Duration::from_millis(300);

/// Spaces that make a turn longer than a block of input that programs read at once. It is so of blocks of up
/// to 64 KiB, and few are longer.
const LONGEST_BLOCK: usize = 64 * 1024;

/// Two answers that are longer may fill a buffer, so that a second turn does not tell why the first comes.
const LONG_ANSWER: usize = 2 * 1024;

/// How long an answer to a few turns is waited for at least.
const BLOCK_WAIT: Duration = Duration::from_millis(500);

/// Turns that are sent at once: their answers are more than the 8 KiB that most languages keep.
const TURNS_AT_ONCE: usize = 20_000;

/// How long an answer to these is waited for at least.
const FLUSH_WAIT: Duration = Duration::from_secs(3);

/// The numbers that it answers first in matches from these positions, as far as it answers.
pub(super) fn numbers(
    runner: &mut Runner<'_>,
    trial: &Trial,
    openings: Vec<Opening>,
) -> Checked<Vec<Option<i64>>> {
    let mut numbers = Vec::new();
    for opening in openings {
        let trial = trial.clone().rounds(1).short(1);
        let mut played = runner.play(&Trial { opening, ..trial })?;
        runner.end(&mut played.bot);
        let Some(answer) = played.trace.answers.first() else { break };
        numbers.push(answer.number);
    }
    Ok(numbers)
}

/// Whether it writes to stdout in a round in which it is asked nothing, up to the round's end or
/// only at its start.
pub(super) fn writes_before_turn(runner: &Runner<'_>, trial: &Trial, with_end: bool) -> bool {
    let (mut bot, _) = runner.begin_round(trial);
    if with_end {
        let game = Game::new(trial.rules, trial.opening, trial.limits.max_moves);
        let gone = Fault::start_failed("the opponent is gone");
        let fault = Some((!BOT, gone, String::new()));
        let record = conclude(&game, 1, BOT, Moves::default(), fault);
        bot.send(&end_message(&record, BOT, false));
    }
    let grace = runner.settings.limits.time.start_time.min(LISTENING);
    let finished = bot.finish(grace, None);
    finished.is_some_and(|finished| !finished.stdout.is_empty())
}

/// Whether it writes a second line for its first turn, within a moment; `None` where the machine was too
/// late to see it.
pub(super) fn writes_again(runner: &Runner<'_>, trial: &Trial) -> Option<bool> {
    let mut again = None;
    let _ = runner.first_turn(trial, |bot, question, late_after| {
        let answer = bot.ask_line(&question.to_line(), late_after, None, runner.interrupt());
        if answer.is_ok() {
            again = match bot.ask_line(b"", SECOND_LINE, None, runner.interrupt()) {
                Ok(_)
                | Err(
                    Trouble::Misconduct(Misconduct::Unsolicited(_))
                    | Trouble::RefereeLate { found: Ok(_) | Err(Misconduct::Unsolicited(_)), .. },
                ) => Some(true),
                Err(Trouble::RefereeLate { .. }) => None,
                Err(_) => Some(false),
            };
        }
        answer
    });
    again
}

/// Why its first answer came at the end of its input. Sent many turns at once, a bot that has read them
/// fills its buffer with answers, and some come out. A bot that waits for the end of its input writes
/// nothing. If the first answer is too late again, with the input open, it was late only. `length` is that
/// of what came at the end.
pub(super) fn why_at_the_end(runner: &Runner<'_>, trial: &Trial, length: usize) -> Problem {
    match first_output(runner, trial, |turn| turn.repeat(TURNS_AT_ONCE), FLUSH_WAIT).1 {
        Some(FirstOutput::None) => Problem::WaitsForTheEnd,
        Some(FirstOutput::Late) => Problem::LateAtFirst,
        Some(FirstOutput::After(_) | FirstOutput::Partial) if length > LONG_ANSWER => {
            Problem::MissingFlush
        }
        Some(FirstOutput::After(_) | FirstOutput::Partial) => why_held_back(runner, trial),
        None => Problem::AnswersAtTheEnd,
    }
}

/// Why an answer comes only with more input. A second turn that is longer than any block brings it out
/// of a bot that reads in blocks, but fills no buffer of output: there, a flush is missing. Where any second
/// turn brings it out, the bot reads on before it answers, or flushes before it prints. What comes out of
/// a bot that then exits may be what it flushes at its exit.
fn why_held_back(runner: &Runner<'_>, trial: &Trial) -> Problem {
    let answers = |lines: fn(&[u8]) -> Vec<u8>| {
        let (mut bot, first) = first_output(runner, trial, lines, BLOCK_WAIT);
        matches!(first, Some(FirstOutput::After(_))) && bot.wait_for_end(SLOW_END).is_none()
    };
    if !answers(|turn| [turn, &b" ".repeat(LONGEST_BLOCK), turn].concat()) {
        Problem::MissingFlush
    } else if answers(|turn| turn.repeat(2)) {
        Problem::ReadsAhead
    } else {
        Problem::WaitsForTheEnd
    }
}

/// Why its first answer came behind the next message. With its input open and no next message, a bot that
/// is late answers all the same.
pub(super) fn why_late_at_first(runner: &Runner<'_>, trial: &Trial) -> Problem {
    match first_output(runner, trial, <[u8]>::to_vec, FLUSH_WAIT).1 {
        Some(FirstOutput::None) => why_held_back(runner, trial),
        _ => Problem::LateAtFirst,
    }
}

/// Whether it holds back an answer that came at the end of its input, after others that did not: it comes
/// again if the input ends as soon as the answer is late. One that is late only takes longer, for the
/// input was open for longer before.
pub(super) fn holds_back(runner: &Runner<'_>, trial: &Trial, trace: &RoundTrace) -> bool {
    let (Some(Err(Misconduct::Silent { waited, .. })), Some(question)) =
        (&trace.last, trace.sent.last())
    else {
        return false;
    };
    let (mut bot, _) = runner.first_turn(trial, |bot, first, late_after| {
        bot.ask_line(&first.to_line(), late_after, None, runner.interrupt())
    });
    let heard = bot.ask_line(question, *waited, None, runner.interrupt());
    let is_silent = matches!(
        heard,
        Err(Trouble::Misconduct(Misconduct::Silent { .. })
            | Trouble::RefereeLate { found: Err(Misconduct::Silent { .. }), .. })
    );
    let finished = bot.finish(LAST_OUTPUT, None);
    is_silent && finished.is_some_and(|finished| !finished.stdout.is_empty())
}

/// Why it has never answered, and wrote nothing at the end of its input either. It flushes nothing if
/// many turns at once bring out an answer, and one turn does not within twice that time.
pub(super) fn why_silent(runner: &Runner<'_>, trial: &Trial) -> Problem {
    let many_turns = |turn: &[u8]| turn.repeat(TURNS_AT_ONCE);
    let took = match first_output(runner, trial, many_turns, FLUSH_WAIT).1 {
        Some(FirstOutput::After(time)) => time,
        Some(FirstOutput::Late) => return Problem::LateAtFirst,
        _ => return Problem::Silent,
    };
    match first_output(runner, trial, <[u8]>::to_vec, 2 * took + FLUSH_WAIT).1 {
        Some(FirstOutput::None) => Problem::NeverFlushes,
        _ => Problem::Silent,
    }
}

/// What came first after a question.
enum FirstOutput {
    /// A line, in time.
    After(Duration),
    Late,
    /// Something without a newline.
    Partial,
    None,
}

/// What a bot that has just started writes after these `lines`, made of its first turn and sent at once,
/// within this time and some for its start. `None` if it fails in another way. The bot is left as it is.
fn first_output(
    runner: &Runner<'_>,
    trial: &Trial,
    lines: impl FnOnce(&[u8]) -> Vec<u8>,
    within: Duration,
) -> (Bot, Option<FirstOutput>) {
    let mut first = None;
    let (bot, _) = runner.first_turn(trial, |bot, question, late_after| {
        // Where a start may take longer, it was waited for before.
        let wait = within + late_after.min(FLUSH_WAIT);
        let answer = bot.ask_line(&lines(&question.to_line()), wait, None, runner.interrupt());
        first = match &answer {
            // A machine that was late gave it more time only.
            Ok(answer) | Err(Trouble::RefereeLate { found: Ok(answer), .. }) => {
                let is_late = answer.time > late_after;
                Some(if is_late { FirstOutput::Late } else { FirstOutput::After(answer.time) })
            }
            Err(
                Trouble::Misconduct(Misconduct::Silent { partial, .. })
                | Trouble::RefereeLate { found: Err(Misconduct::Silent { partial, .. }), .. },
            ) if partial.is_empty() => Some(FirstOutput::None),
            Err(
                Trouble::Misconduct(Misconduct::Silent { .. })
                | Trouble::RefereeLate { found: Err(Misconduct::Silent { .. }), .. },
            ) => Some(FirstOutput::Partial),
            Err(_) => None,
        };
        answer
    });
    (bot, first)
}

/// Whether a fault of the bot ends a round of `trial`; `None` if there was no time to see.
pub(super) fn fails(runner: &mut Runner<'_>, trial: &Trial) -> Checked<Option<bool>> {
    let mut played = runner.play(trial)?;
    runner.end(&mut played.bot);
    let fails = played.rounds.iter().any(|round| fault_of_bot(round).is_some());
    Ok((fails || played.broken_off.is_none()).then_some(fails))
}

/// The bot's fault that ended a round, if one did.
pub(super) fn fault_of_bot(round: &RoundRecord) -> Option<&FaultRecord> {
    round.result.fault.as_ref().filter(|fault| fault.bot == BOT)
}

/// When a bot crashes that did so in `round` first.
pub(super) fn when(
    runner: &mut Runner<'_>,
    trial: &Trial,
    round: &RoundRecord,
    trace: &RoundTrace,
) -> Checked<Option<CrashTime>> {
    if trace.answers_in_process == 0 && round.round == 1 {
        return Ok(leaves_at_start(runner, trial).then_some(CrashTime::AtTheStart));
    }
    if round.round == 1 {
        return Ok(None);
    }
    if trace.answers_in_round == 0 && leaves_at_end(runner, trial)? {
        return Ok(Some(CrashTime::AtTheEnd));
    }
    // The second round is the first that its opponent begins.
    let as_second = Trial { first: !BOT, ..trial.clone().rounds(1) };
    let is_as_second = round.first != BOT && fails(runner, &as_second)? == Some(true);
    Ok(Some(if is_as_second { CrashTime::AsSecond } else { CrashTime::InLaterRounds }))
}

/// Whether it leaves when its first round begins, before it is asked.
fn leaves_at_start(runner: &Runner<'_>, trial: &Trial) -> bool {
    leaves(runner, &mut runner.begin_round(trial).0)
}

/// Whether it plays a round and leaves, though its input goes on.
fn leaves_at_end(runner: &mut Runner<'_>, trial: &Trial) -> Checked<bool> {
    let mut played = runner.play(&trial.clone().rounds(1))?;
    let is_whole =
        played.broken_off.is_none() && played.rounds.iter().all(|it| fault_of_bot(it).is_none());
    let leaves = is_whole && leaves(runner, &mut played.bot);
    runner.end(&mut played.bot);
    Ok(leaves)
}

/// Whether a bot that is asked nothing leaves within a moment.
fn leaves(runner: &Runner<'_>, bot: &mut Bot) -> bool {
    let grace = runner.settings.limits.time.start_time.min(LISTENING);
    let heard = bot.ask_line(b"", grace, None, runner.interrupt());
    matches!(heard, Err(Trouble::Misconduct(Misconduct::Exited { .. })))
}
