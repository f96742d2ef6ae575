//! Asks the question of a bundle again; the referee judges the answer as it did in the match.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use super::bundle::Bundle;
use super::conversation::was_sent;
use super::position::{AskedPosition, LimitChanges};
use super::reading::turn_of;
use super::transcript::Transcript;
use crate::referee::{Answer, Fault, Misconduct, PlayedTurn, Stop, Trouble};

/// A running bot that was sent nothing yet.
pub trait Subject {
    /// Sends a line that wants no answer. Does not wait.
    fn send(&mut self, line: &[u8]);

    /// Sends a line and waits for one back; an empty `line` is not sent, only waited for.
    ///
    /// # Errors
    ///
    /// As [`Players::ask`](crate::referee::Players::ask).
    fn ask(&mut self, line: &[u8], late_after: Duration) -> Result<Answer, Trouble>;
}

/// What a bot is to be asked again, and how.
#[derive(Clone, Copy)]
pub struct Question<'a> {
    /// The fault to reproduce.
    pub bundle: &'a Bundle,
    /// Whether everything is sent that the process was sent in the match, and not only `start` and
    /// `input`.
    pub from_start: bool,
    /// Limits that differ from the bundle's.
    pub changes: LimitChanges,
}

/// What the bot did this time.
pub struct Reproduced {
    /// The last move, if it was a legal one.
    pub(crate) played: Option<PlayedTurn>,
    /// The fault, if the bot was at fault again, of whatever kind.
    pub fault: Option<Fault>,
    /// The turn of that fault, if it came before the bot was sent all that it was sent in the match.
    pub(crate) early_turn: Option<u32>,
    /// How long the last answer took, or was waited for, and after how long it was late.
    pub(crate) time: Option<(Duration, Duration)>,
}

/// Why the bot could not be judged.
#[derive(Debug)]
pub enum ReproduceError {
    /// The transcript cannot be written.
    Output(io::Error),
    /// The machine was late by this time, so that nothing can be said about the bot.
    RefereeLate(Duration),
    /// The user wants to stop, or the system failed.
    Trouble(Trouble),
}

/// How long a bot is watched after its last answer: what it writes then, or its exit, would be its
/// fault at the next question.
const AFTERWARDS: Duration = Duration::from_millis(200);

/// How long a bot that is asked nothing is watched. It may have to start first.
const UNASKED: Duration = Duration::from_secs(2);

/// Asks a bot and judges what it answers. The transcript goes to `out`.
///
/// # Errors
///
/// When the bot cannot be judged.
pub fn reproduce(
    question: Question<'_>,
    subject: &mut dyn Subject,
    out: impl Write,
) -> Result<Reproduced, ReproduceError> {
    let bundle = question.bundle;
    let told = bundle.told.as_deref().filter(|_| question.from_start);
    let told = told.unwrap_or(std::slice::from_ref(&bundle.start));
    let mut reproduction = Reproduction {
        question,
        subject,
        transcript: Transcript::new(out, Instant::now()),
        position: None,
        fresh: true,
        again: Reproduced { played: None, fault: None, early_turn: None, time: None },
    };
    let mut lines = told.iter().chain(&bundle.input).peekable();
    while let Some(line) = lines.next() {
        reproduction.send(line)?;
        if reproduction.again.fault.is_some() {
            let is_early = lines.peek().is_some();
            reproduction.again.early_turn =
                turn_of(line).filter(|_| is_early).map(|turn| turn.turn);
            return Ok(reproduction.again);
        }
    }
    reproduction.watch()?;
    Ok(reproduction.again)
}

struct Reproduction<'a, W> {
    question: Question<'a>,
    subject: &'a mut dyn Subject,
    transcript: Transcript<W>,
    /// The position at which the bot was last asked.
    position: Option<AskedPosition>,
    /// Whether the process has not answered yet.
    fresh: bool,
    again: Reproduced,
}

impl<W: Write> Reproduction<'_, W> {
    /// Sends a line, and waits for the answer where it wants one.
    fn send(&mut self, line: &str) -> Result<(), ReproduceError> {
        let bytes = [line.as_bytes(), b"\n"].concat();
        let asked = Instant::now();
        self.transcript.sent(asked, &bytes).map_err(ReproduceError::Output)?;
        let Some(turn) = turn_of(line) else {
            self.subject.send(&bytes);
            return Ok(());
        };
        let Question { bundle, changes, .. } = self.question;
        self.again.played = None;
        let position = bundle
            .position(&turn, changes, self.fresh)
            .map_err(|error| ReproduceError::Trouble(Trouble::System(io::Error::other(error))))?;
        let AskedPosition { setup, bot_round, game } = self.position.insert(position);
        let mut written = Ok(());
        let (subject, transcript, time) =
            (&mut *self.subject, &mut self.transcript, &mut self.again.time);
        let played = bot_round.take_turn(setup, game, |_, late_after| {
            let what = subject.ask(&bytes, late_after);
            let waited = what.as_ref().map_or_else(|_| asked.elapsed(), |answer| answer.time);
            *time = was_sent(&what).then_some((waited, late_after));
            written = transcript.outcome(asked, &what);
            what
        });
        written.map_err(ReproduceError::Output)?;
        self.fresh = false;
        self.judge(played)
    }

    /// Watches what the bot does unasked, and judges it as at its next turn.
    fn watch(&mut self) -> Result<(), ReproduceError> {
        let patience = if self.fresh { UNASKED } else { AFTERWARDS };
        let position =
            self.position.take().unwrap_or_else(|| self.question.bundle.unasked_position());
        let AskedPosition { setup, mut bot_round, mut game } = position;
        let (mut is_quiet, mut written) = (false, Ok(()));
        let (subject, transcript) = (&mut *self.subject, &mut self.transcript);
        let played = bot_round.take_turn(&setup, &mut game, |_, _| {
            let what = unasked(subject.ask(b"", patience));
            is_quiet = matches!(&what, Err(Trouble::Misconduct(Misconduct::Silent { .. })));
            if !is_quiet {
                written = transcript.outcome(Instant::now(), &what);
            }
            what
        });
        written.map_err(ReproduceError::Output)?;
        if is_quiet { Ok(()) } else { self.judge(played) }
    }

    fn judge(&mut self, played: Result<PlayedTurn, Stop>) -> Result<(), ReproduceError> {
        match played {
            Ok(played) => self.again.played = Some(played),
            Err(Stop::RefereeLate { late_by }) => return Err(ReproduceError::RefereeLate(late_by)),
            Err(Stop::Fault(fault)) => self.again.fault = Some(fault),
            Err(Stop::Trouble(trouble)) => return Err(ReproduceError::Trouble(trouble)),
        }
        Ok(())
    }
}

/// What came without a question: any bytes are unsolicited, and an exit stays an exit.
fn unasked(what: Result<Answer, Trouble>) -> Result<Answer, Trouble> {
    let unsolicited = |bytes| Err(Trouble::Misconduct(Misconduct::Unsolicited(bytes)));
    let what = match what {
        Err(Trouble::RefereeLate { found, .. }) => found.map_err(Trouble::Misconduct),
        what => what,
    };
    match what {
        Ok(Answer { line, surplus, .. }) => unsolicited([&line[..], b"\n", &surplus].concat()),
        Err(Trouble::Misconduct(
            Misconduct::Silent { partial, .. } | Misconduct::Exited { partial, .. },
        )) if !partial.is_empty() => unsolicited(partial),
        Err(Trouble::Misconduct(Misconduct::Oversized(bytes))) => unsolicited(bytes),
        what => what,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use super::*;
    use crate::log::bundle::tests::bundle;
    use crate::protocol::FaultKind;
    use crate::referee::Ended;

    /// A bot that answers from a list, and is silent after it.
    #[derive(Default)]
    struct Scripted {
        answers: VecDeque<Result<Answer, Misconduct>>,
        heard: Vec<String>,
        late_after: Vec<Duration>,
    }

    impl Subject for Scripted {
        fn send(&mut self, line: &[u8]) {
            self.heard.push(String::from_utf8(line.to_vec()).unwrap());
        }

        fn ask(&mut self, line: &[u8], late_after: Duration) -> Result<Answer, Trouble> {
            self.send(line);
            self.late_after.push(late_after);
            let silent = || {
                let partial = Vec::new();
                Err(Misconduct::Silent { waited: late_after, partial, unread: false })
            };
            self.answers.pop_front().unwrap_or_else(silent).map_err(Trouble::Misconduct)
        }
    }

    fn line(text: &str) -> Answer {
        let time = Duration::from_millis(7);
        Answer { line: text.into(), time, surplus: Vec::new() }
    }

    fn ask(scripted: &mut Scripted, from_start: bool, changes: LimitChanges) -> Reproduced {
        let bundle = &bundle();
        let question = Question { bundle, from_start, changes };
        reproduce(question, scripted, io::sink()).unwrap()
    }

    fn again(
        from_start: bool,
        answers: impl IntoIterator<Item = Result<Answer, Misconduct>>,
    ) -> (Reproduced, Scripted) {
        let answers = answers.into_iter().collect();
        let mut scripted = Scripted { answers, ..Scripted::default() };
        let again = ask(&mut scripted, from_start, LimitChanges::default());
        (again, scripted)
    }

    #[test]
    fn the_very_lines_are_sent_and_a_legal_answer_is_no_fault() {
        let bundle = bundle();
        let (again, scripted) = again(false, [Ok(line("3"))]);
        let input = bundle.input.clone().unwrap();
        assert_eq!(scripted.heard, [bundle.start + "\n", input + "\n", String::new()]);
        assert_eq!(scripted.late_after[0], Duration::from_millis(11_050));
        assert_eq!(again.played.unwrap().ply.house.cell(), 3);
        assert_eq!(again.fault, None);
        assert_eq!(again.time.unwrap().0, Duration::from_millis(7));
    }

    #[test]
    fn an_answer_is_judged_as_the_referee_does() {
        let fault = |answers: Vec<_>| again(false, answers).0.fault.unwrap();
        let illegal = fault(vec![Ok(line("0"))]);
        assert_eq!(illegal.kind, FaultKind::IllegalMove);
        assert_eq!(illegal.detail, "house 0 is empty; it answered 0");
        assert_eq!(fault(vec![Ok(line("x"))]).kind, FaultKind::InvalidReply);
        let silent = fault(vec![]);
        assert!(silent.detail.starts_with("no answer after 11050.0 ms (limit 1000 ms + 10000 ms"));
        let exited = || {
            Err(Misconduct::Exited {
                how: Ended::Code(3),
                cause: None,
                partial: Vec::new(),
                after: Duration::ZERO,
            })
        };
        assert!(fault(vec![exited()]).detail.starts_with("exited with code 3"));
        // What comes after an answer would be found at the next turn.
        assert_eq!(fault(vec![Ok(line("3")), exited()]).kind, FaultKind::Exited);
        let unasked = fault(vec![Ok(line("3")), Ok(line("4"))]);
        assert_eq!(unasked.kind, FaultKind::UnsolicitedOutput);
        assert_eq!(unasked.detail, "wrote to stdout without being asked: 4");
    }

    #[test]
    fn from_the_start_all_is_told_and_only_the_first_answer_has_time_to_start() {
        let (whole, scripted) = again(true, [Ok(line("2")), Ok(line("3"))]);
        assert_eq!(scripted.heard.len(), 4);
        assert_eq!(scripted.late_after[1], Duration::from_millis(1050));
        assert_eq!(whole.played.unwrap().ply.house.cell(), 3);
        let (second, _) = again(true, [Ok(line("2")), Ok(line("0"))]);
        assert!(second.played.is_none() && second.fault.is_some());
        assert_eq!(second.early_turn, None);
        let (first, scripted) = again(true, [Ok(line("6"))]);
        assert_eq!((scripted.heard.len(), first.early_turn), (2, Some(1)));
        assert_eq!(first.fault.unwrap().kind, FaultKind::IllegalMove);
    }

    #[test]
    fn limits_may_be_changed() {
        let ms = Duration::from_millis;
        let changes =
            LimitChanges { move_time: Some(ms(5)), start_time: Some(ms(0)), margin: Some(ms(1)) };
        let mut scripted = Scripted::default();
        let again = ask(&mut scripted, false, changes);
        assert_eq!(scripted.late_after, [ms(6)]);
        assert!(again.fault.unwrap().detail.contains("(limit 5 ms, margin 1 ms)"));
    }
}
