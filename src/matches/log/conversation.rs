//! What one bot of a match was sent so far, and how the last question ended.

use std::time::Duration;

use crate::protocol::Turn;
use crate::referee::{Answer, Ended, Misconduct, Trouble};

/// Most bytes of lines that are kept for a bundle: some hundred turns.
const MAX_SENT: usize = 256 * 1024;

/// What a bot was sent and what came back, as far as a bundle needs it.
#[derive(Default)]
pub(super) struct Conversation {
    /// The lines that its process was sent, up to [`MAX_SENT`] bytes.
    sent: Vec<String>,
    /// The size of all of them.
    bytes: usize,
    /// The `start` line of the round.
    pub(super) start: String,
    /// Its moves in the round so far, those that were played for it included.
    moves: u32,
    /// Whether it was asked, or was to be asked, in the round.
    was_asked: bool,
    pub(super) last: Exchange,
}

/// A question to a process and its answer, or what came instead.
#[derive(Clone, Default)]
pub(super) struct Exchange {
    /// The last `turn` line that the process was sent in the round.
    pub(super) input: Option<String>,
    /// How many lines the process had been sent before `input`, or with `start` when there is none.
    sent_before: usize,
    /// What came on stdout at the turn that is next: a whole line without its newline, anything else
    /// as it came.
    pub(super) reply: Option<Vec<u8>>,
    pub(super) time: Option<ReplyTime>,
    /// How the process ended, if it did.
    pub(super) exit: Option<Ended>,
}

/// The time of a reply beside its limits.
#[derive(Clone, Copy)]
pub(super) struct ReplyTime {
    pub(super) waited: Duration,
    /// What the bot was told, in milliseconds.
    pub(super) limit_ms: u64,
    /// The limit with the time to start and the margin.
    pub(super) late_after: Duration,
}

impl Conversation {
    /// Begins with a new process, which was sent nothing yet.
    pub(super) fn begin_process(&mut self) {
        self.sent.clear();
        self.bytes = 0;
        self.last = Exchange::default();
    }

    /// Goes on with a process from an earlier match. What it was sent there is not known.
    pub(super) fn continue_process(&mut self) {
        self.bytes = MAX_SENT + 1;
    }

    pub(super) const fn begin_round(&mut self) {
        (self.moves, self.was_asked) = (0, false);
    }

    /// Takes a `start` line, which counts as sent if the process `runs`.
    pub(super) fn start(&mut self, line: &str, runs: bool) {
        line.clone_into(&mut self.start);
        if runs {
            self.add(line);
        }
        self.last = Exchange { sent_before: self.sent.len(), ..Exchange::default() };
    }

    /// Counts a move that the bot made, or that was played for it. What came then is no answer to the
    /// next turn.
    pub(super) fn moved(&mut self) {
        self.moves += 1;
        (self.last.reply, self.last.time, self.last.exit) = (None, None, None);
    }

    /// The bot's turn in the round that is next, from 1; 0 if it was never asked.
    pub(super) const fn turn(&self) -> u32 {
        if self.was_asked { self.moves + 1 } else { 0 }
    }

    /// Adds a line that was sent.
    pub(super) fn add(&mut self, line: &str) {
        self.bytes += line.len();
        if self.bytes <= MAX_SENT {
            self.sent.push(line.to_owned());
        }
    }

    /// Adds a question that was asked, or was to be asked, and how it ended.
    pub(super) fn ask(
        &mut self,
        (turn, line): (&Turn, &str),
        (waited, late_after): (Duration, Duration),
        what: &Result<Answer, Trouble>,
    ) {
        self.was_asked = true;
        if was_sent(what) {
            self.last.input = Some(line.to_owned());
            self.last.sent_before = self.sent.len();
            self.add(line);
            self.last.time = Some(ReplyTime { waited, limit_ms: turn.move_time_ms, late_after });
        }
        let some = |bytes: &[u8]| (!bytes.is_empty()).then(|| bytes.to_vec());
        let (reply, waited, exit) = match received(what) {
            Some(Ok(Answer { line, surplus, time })) if surplus.is_empty() => {
                (Some(line.clone()), Some(*time), None)
            }
            Some(Ok(Answer { line, surplus, time })) => {
                (Some([line, &b"\n"[..], surplus].concat()), Some(*time), None)
            }
            Some(Err(Misconduct::Unsolicited(bytes) | Misconduct::Oversized(bytes))) => {
                (some(bytes), None, None)
            }
            Some(Err(Misconduct::Silent { waited, partial, .. })) => {
                (some(partial), Some(*waited), None)
            }
            Some(Err(Misconduct::Exited { how, partial, .. })) => (some(partial), None, Some(*how)),
            None => (None, None, None),
        };
        (self.last.reply, self.last.exit) = (reply, exit);
        if let (Some(time), Some(waited)) = (&mut self.last.time, waited) {
            time.waited = waited;
        }
    }

    /// All that the process was sent before the last question; `None` if that was too much to keep.
    pub(super) fn sent_before(&self) -> Option<&[String]> {
        (self.bytes <= MAX_SENT).then(|| &self.sent[..self.last.sent_before.min(self.sent.len())])
    }
}

/// What the bot did, also where the machine was late; `None` for trouble that is not its doing.
pub(super) fn received(what: &Result<Answer, Trouble>) -> Option<Result<&Answer, &Misconduct>> {
    match what {
        Ok(answer) => Some(Ok(answer)),
        Err(Trouble::Misconduct(what)) => Some(Err(what)),
        Err(Trouble::RefereeLate { found, .. }) => Some(found.as_ref()),
        Err(_) => None,
    }
}

/// Whether the question was sent. It is not where the bot wrote something before it, or has yet to
/// read what it was sent earlier.
pub(super) fn was_sent(what: &Result<Answer, Trouble>) -> bool {
    match what {
        Err(Trouble::Misconduct(Misconduct::Unsolicited(_))) => false,
        Err(Trouble::Misconduct(Misconduct::Silent { waited, .. })) => !waited.is_zero(),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turn(number: u32) -> (Turn, String) {
        let line = format!(
            r#"{{"type":"turn","turn":{number},"board":[3,3,3,3,3,3,0,3,3,3,3,3,3,0],"legal":[0],"moves":[],"move_time_ms":1000}}"#
        );
        (serde_json::from_str(&line).unwrap(), line)
    }

    const LATE: Duration = Duration::from_millis(1050);

    fn ask(conversation: &mut Conversation, number: u32, what: Result<&str, Misconduct>) {
        let (turn, line) = turn(number);
        let time = Duration::from_millis(3);
        let answer = |line: &str| Answer { line: line.into(), time, surplus: b"4\n".to_vec() };
        let what = what.map(answer).map_err(Trouble::Misconduct);
        conversation.ask((&turn, &line), (Duration::from_millis(9), LATE), &what);
    }

    #[test]
    fn the_last_question_is_known_with_all_that_was_sent_before_it() {
        let mut conversation = Conversation::default();
        conversation.begin_process();
        conversation.begin_round();
        conversation.start("start", true);
        assert_eq!((conversation.sent_before().unwrap().len(), conversation.turn()), (1, 0));
        ask(&mut conversation, 1, Ok("3"));
        conversation.moved();
        assert_eq!((&conversation.last.reply, conversation.turn()), (&None, 2));
        ask(&mut conversation, 2, Ok("3"));
        conversation.add("end");
        assert_eq!(conversation.sent_before().unwrap(), ["start".to_owned(), turn(1).1]);
        assert_eq!(conversation.last.input, Some(turn(2).1));
        assert_eq!(conversation.last.reply.as_deref(), Some(&b"3\n4\n"[..]));
        assert_eq!(conversation.last.time.unwrap().waited, Duration::from_millis(3));
    }

    #[test]
    fn a_question_that_was_not_sent_is_no_input() {
        let unsolicited = || Err(Misconduct::Unsolicited(b"hm\n".to_vec()));
        let mut conversation = Conversation::default();
        conversation.begin_round();
        conversation.start("start", true);
        ask(&mut conversation, 1, unsolicited());
        conversation.add("end");
        assert_eq!((conversation.turn(), &conversation.last.input), (1, &None));
        assert_eq!(conversation.sent_before().unwrap(), ["start"]);
        conversation.begin_round();
        conversation.start("start 2", true);
        ask(&mut conversation, 1, Ok("3"));
        conversation.moved();
        ask(&mut conversation, 2, unsolicited());
        assert_eq!(conversation.sent_before().unwrap(), ["start", "end", "start 2"]);
        assert_eq!((conversation.turn(), conversation.last.input.clone()), (2, Some(turn(1).1)));
        assert_eq!(conversation.last.reply.as_deref(), Some(&b"hm\n"[..]));
    }

    #[test]
    fn what_is_too_much_to_keep_is_not_half_kept() {
        let mut conversation = Conversation::default();
        let line = "x".repeat(MAX_SENT / 10);
        (0..11).for_each(|_| conversation.add(&line));
        assert_eq!(conversation.sent_before(), None);
        conversation.begin_process();
        conversation.start("start", true);
        assert_eq!(conversation.sent_before().unwrap(), ["start"]);
    }
}
