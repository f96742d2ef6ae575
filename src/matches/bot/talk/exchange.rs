//! Asking a bot: one write, one poll and one read, in the thread that plays the match.
//!
//! One absolute deadline covers writing and reading. The stderr of both bots is drained all the
//! while. What the other bot writes to stdout out of turn stays in its pipe until it is asked; that
//! it wrote nothing is seen by the poll that brings its opponent's answer, which saves it a read.

use std::os::fd::BorrowedFd;
use std::time::{Duration, Instant};

use super::process::Process;
use super::waiting::{Woken, wait_for_anything, wait_for_output};
use crate::referee::{Answer, Misconduct, Trouble};

/// Woken this much later than it asked for, the referee was late, starved or suspended: a bot that is
/// late then may be so for the same reason.
const LATE: Duration = Duration::from_millis(50);

/// How often the referee looks at the clock while it waits, to see whether the clock stood still.
const BETWEEN_LOOKS: Duration = Duration::from_millis(100);

/// A bot that answers at once is waited for on its own output alone: every further descriptor
/// costs time at every turn. Only after this long all is watched. Longer than the kernel's own
/// tick, or every wait would set the hardware timer anew, which costs more than it saves.
const AT_ONCE: Duration = Duration::from_millis(10);

/// A bot that was seen silent so short a time ago is asked without another look at its stdout.
const JUST_SEEN: Duration = Duration::from_micros(50);

/// Sends a line to `active` and waits until `late_after` has passed for the line it answers.
/// `idle` is the other bot, if it runs.
pub(super) fn ask(
    active: &mut Process,
    mut idle: Option<&mut Process>,
    interrupt: Option<BorrowedFd<'_>>,
    line: &[u8],
    late_after: Duration,
) -> Result<Answer, Trouble> {
    // Before the clock runs. Where the bots answer at once, these make no system calls.
    active.wake();
    active.is_still_kept()?;
    if let Some(warden) = idle.as_deref_mut().and_then(Process::warden) {
        warden.bot_waits();
    }
    let asked = exchange(active, idle.as_deref_mut(), interrupt, line, late_after);
    let took = asked.as_ref().map_or(Duration::MAX, |answer| answer.time);
    if let Some(warden) = active.warden() {
        warden.bot_has_played(took);
    }
    if let Some(warden) = idle.and_then(Process::warden) {
        warden.bot_has_waited(took);
    }
    if asked.is_err() {
        active.is_still_kept()?;
    }
    asked
}

/// The same, with the clock that runs.
fn exchange(
    active: &mut Process,
    mut idle: Option<&mut Process>,
    interrupt: Option<BorrowedFd<'_>>,
    line: &[u8],
    late_after: Duration,
) -> Result<Answer, Trouble> {
    let at_once = idle.as_deref_mut().and_then(Process::warden);
    let at_once = at_once.and_then(|warden| warden.unwatched_at_most()).unwrap_or(AT_ONCE);
    // What was written before the question, after an earlier answer for example, does not answer it.
    let mut began = Instant::now();
    if active.seen_silent.take().is_none_or(|seen| began.duration_since(seen) >= JUST_SEEN) {
        active.receive();
        began = Instant::now();
    }
    if !active.inbox.bytes().is_empty() {
        let unsolicited = Misconduct::Unsolicited(active.inbox.bytes().to_vec());
        return Err(Trouble::Misconduct(unsolicited));
    }
    if active.is_clogged() {
        return Err(Trouble::Misconduct(silent(active, Duration::ZERO)));
    }
    active.send(line);
    let mut waited = Duration::ZERO;
    // The longest time by which we were woken too late.
    let mut stalled = Duration::ZERO;
    // All such times together. What the bot did in them is unknown.
    let mut lost = Duration::ZERO;
    loop {
        let at_most = if waited.is_zero() { at_once } else { BETWEEN_LOOKS };
        let at_most = at_most.min(late_after.saturating_sub(waited));
        let woken = match &active.stdout {
            Some(_) if waited.is_zero() => wait_for_output(active, idle.as_deref(), at_most),
            Some(_) => wait_for_anything(active, idle.as_deref(), interrupt, at_most),
            None => return Err(Trouble::Misconduct(exited(active, waited))),
        };
        let woken = woken.map_err(Trouble::System)?;
        if woken.stdout || woken.ended {
            active.receive();
        }
        // After the read: the read that brings the newline is where a bot's time ends.
        let now = Instant::now();
        let planned = waited + at_most;
        waited = now.duration_since(began);
        let late_by = waited.saturating_sub(planned);
        stalled = stalled.max(late_by);
        if late_by > LATE {
            lost += late_by;
        }
        if let Some(idle) = idle.as_deref_mut() {
            idle.seen_silent = woken.idle_silent.then_some(now);
        }
        let judged = judge(active, waited.saturating_sub(lost), &woken);
        if waited >= late_after && stalled > LATE {
            let found = judged.unwrap_or_else(|| Err(silent(active, waited)));
            return Err(Trouble::RefereeLate { late_by: stalled, found });
        }
        if let Some(judged) = judged {
            return judged.map_err(Trouble::Misconduct);
        }
        if woken.interrupted {
            return Err(Trouble::Interrupted);
        }
        if woken.stdin {
            active.flush();
        }
        if woken.stderr {
            active.drain_stderr();
        }
        if let Some(idle) = idle.as_deref_mut() {
            if woken.idle_stderr {
                idle.drain_stderr();
            }
            if let Some(warden) = idle.warden() {
                warden.watch();
            }
        }
        if waited >= late_after {
            return Err(Trouble::Misconduct(silent(active, waited)));
        }
    }
}

/// What the bot has done by now: a whole line comes before its end, and its end before silence.
/// `time` is what its answer took.
fn judge(
    active: &mut Process,
    time: Duration,
    woken: &Woken,
) -> Option<Result<Answer, Misconduct>> {
    if !woken.stdout && !woken.ended {
        return None;
    }
    if let Some(line) = active.inbox.take_line() {
        let surplus = active.inbox.bytes().to_vec();
        return Some(Ok(Answer { line, time, surplus }));
    }
    if active.inbox.is_full() {
        return Some(Err(Misconduct::Oversized(active.inbox.bytes().to_vec())));
    }
    (woken.ended && !woken.stdout).then(|| Err(exited(active, time)))
}

fn silent(active: &Process, waited: Duration) -> Misconduct {
    Misconduct::Silent {
        waited,
        partial: active.inbox.bytes().to_vec(),
        unread: active.has_unsent() || active.stdin.is_none(),
    }
}

/// Its exit code is waited for, which is no time of its answer.
fn exited(active: &mut Process, after: Duration) -> Misconduct {
    let partial = active.inbox.bytes().to_vec();
    let (how, cause) = active.process_end();
    Misconduct::Exited { how, cause, partial, after }
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead, Write};
    use std::os::fd::AsFd as _;
    use std::thread;

    use super::super::inbox::MAX_LINE;
    use super::super::process::testing::{Script, bot};
    use super::*;
    use crate::bot::interrupt::Interrupt;
    use crate::referee::Ended;

    /// Longer than any of this takes, even where the machine has other things to do.
    const LONG: Duration = Duration::from_mins(1);

    impl Script {
        /// Waits until it is asked.
        fn reads(&mut self) {
            let mut line = String::new();
            self.stdin.read_line(&mut line).unwrap();
            assert_eq!(line, "turn\n");
        }

        /// Answers with `bytes` when it is asked.
        fn answers(mut self, bytes: &[u8]) {
            self.reads();
            self.stdout.write_all(bytes).unwrap();
        }
    }

    /// What the referee takes for the answer of a bot that does this.
    fn asked(late_after: Duration, script: impl FnOnce(Script) + Send + 'static) -> Exchanged {
        let (mut process, own) = bot();
        let playing = thread::spawn(move || script(own));
        let asked = ask(&mut process, None, None, b"turn\n", late_after);
        drop(process);
        playing.join().unwrap();
        asked
    }

    type Exchanged = Result<Answer, Trouble>;

    #[track_caller]
    fn is_answer(asked: &Exchanged, line: &[u8], surplus: &[u8]) {
        let Ok(answer) = asked else { panic!("{asked:?}") };
        assert_eq!((answer.line.trim_ascii_end(), &*answer.surplus), (line, surplus));
    }

    #[track_caller]
    fn misconduct(asked: Exchanged) -> Misconduct {
        match asked {
            // The second where the machine had other things to do.
            Err(Trouble::Misconduct(what) | Trouble::RefereeLate { found: Err(what), .. }) => what,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_line_is_an_answer_and_what_follows_is_kept_apart() {
        is_answer(&asked(LONG, |bot| bot.answers(b"3\n")), b"3", b"");
        is_answer(&asked(LONG, |bot| bot.answers(b"3\n4\n5")), b"3", b"4\n5");
        // In pieces, of which only the last has a newline.
        let in_pieces = asked(LONG, |mut bot| {
            bot.reads();
            for piece in [&b"{\"mo"[..], b"ve\":", b"3}"] {
                bot.stdout.write_all(piece).unwrap();
                thread::yield_now();
            }
            bot.stdout.write_all(b"\n").unwrap();
        });
        is_answer(&in_pieces, b"{\"move\":3}", b"");
    }

    #[test]
    fn what_came_before_the_question_is_no_answer() {
        let (mut process, mut own) = bot();
        own.stdout.write_all(b"ready\n").unwrap();
        let early = misconduct(ask(&mut process, None, None, b"turn\n", LONG));
        assert_eq!(early, Misconduct::Unsolicited(b"ready\n".to_vec()));
    }

    #[test]
    fn a_line_without_end_is_cut_off_at_its_bound() {
        let flood = misconduct(asked(LONG, |mut bot| {
            bot.reads();
            // It fails when the referee has heard enough.
            while bot.stdout.write_all(&[b'x'; 4096]).is_ok() {}
        }));
        let Misconduct::Oversized(bytes) = flood else { panic!("not oversized") };
        assert!(bytes.len() >= MAX_LINE && bytes.len() < 2 * MAX_LINE, "{}", bytes.len());
    }

    #[test]
    fn a_whole_line_comes_before_the_end_and_half_a_line_does_not() {
        // The script drops its pipes when it is through.
        is_answer(&asked(LONG, |bot| bot.answers(b"3\n")), b"3", b"");
        let left = misconduct(asked(LONG, |bot| bot.answers(b"3")));
        let Misconduct::Exited { how, cause: None, partial, after } = left else {
            panic!("{left:?}");
        };
        assert_eq!((how, &*partial), (Ended::ClosedStdout, &b"3"[..]));
        assert!(after < LONG, "{after:?}");
    }

    #[test]
    fn silence_is_told_with_what_was_read_and_written() {
        // More than the pipe to it holds.
        let question = vec![b'x'; 100_000];
        // Long enough for the bot to read all of it.
        let moment = Duration::from_secs(2);
        let (mut process, mut own) = bot();
        let reading = thread::spawn(move || {
            // A part of the question is there.
            assert!(!own.stdin.fill_buf().unwrap().is_empty());
            own.stdout.write_all(b"3").unwrap();
            std::io::copy(&mut own.stdin, &mut std::io::sink()).unwrap();
            own
        });
        let reads = misconduct(ask(&mut process, None, None, &question, moment));
        let Misconduct::Silent { partial, unread, waited } = reads else { panic!("{reads:?}") };
        assert_eq!((&*partial, unread), (&b"3"[..], false));
        assert!(waited >= moment);
        // Its input ends with the process that we have of it.
        drop(process);
        drop(reading.join().unwrap());
        let (mut process, own) = bot();
        let deaf = misconduct(ask(&mut process, None, None, &question, Duration::from_millis(20)));
        assert!(matches!(deaf, Misconduct::Silent { unread: true, .. }), "{deaf:?}");
        drop(own);
    }

    #[test]
    fn the_stderr_of_both_is_drained_meanwhile() {
        let ((mut process, mut own), (mut idle, mut other)) = (bot(), bot());
        let playing = thread::spawn(move || {
            // Each is far more than a pipe holds.
            own.stderr.write_all("!".repeat(300_000).as_bytes()).unwrap();
            other.stderr.write_all("?".repeat(300_000).as_bytes()).unwrap();
            own.answers(b"3\n");
        });
        is_answer(&ask(&mut process, Some(&mut idle), None, b"turn\n", LONG), b"3", b"");
        playing.join().unwrap();
        assert!(process.stderr_tail().ends_with('!') && idle.stderr_tail().ends_with('?'));
    }

    #[test]
    fn an_interrupt_ends_the_wait() {
        let interrupt = Interrupt::by_hand().unwrap();
        interrupt.raise();
        let (mut process, own) = bot();
        let asked = ask(&mut process, None, Some(interrupt.as_fd()), b"turn\n", LONG);
        assert!(matches!(asked, Err(Trouble::Interrupted)), "{asked:?}");
        drop(own);
    }
}
