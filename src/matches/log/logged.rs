//! Players whose every message is logged.

use std::cell::RefCell;
use std::time::{Duration, Instant};

use super::match_log::Log;
use crate::protocol::ToBot;
use crate::referee::{Answer, Players, Trouble};
use crate::seat::Seat;

/// Passes every call on to the real players and logs it.
#[derive(Debug)]
pub struct Logged<'a, 'log, P> {
    players: &'a mut P,
    log: &'a RefCell<&'log mut Log>,
}

impl<'a, 'log, P: Players> Logged<'a, 'log, P> {
    /// The same players, logged.
    pub fn new(players: &'a mut P, log: &'a RefCell<&'log mut Log>) -> Logged<'a, 'log, P> {
        Logged { players, log }
    }
}

impl<P: Players> Players for Logged<'_, '_, P> {
    fn ready(&mut self, seat: Seat) -> Result<bool, Trouble> {
        let ready = self.players.ready(seat);
        self.log.borrow_mut().process_ready(seat, &ready);
        ready
    }

    fn send(&mut self, seat: Seat, message: &ToBot) {
        self.players.send(seat, message);
        self.log.borrow_mut().sent(seat, message);
    }

    fn ask(
        &mut self,
        seat: Seat,
        message: &ToBot,
        late_after: Duration,
    ) -> Result<Answer, Trouble> {
        let asked = Instant::now();
        let what = self.players.ask(seat, message, late_after);
        self.log.borrow_mut().question_ended(seat, message, (asked, late_after), &what);
        // A bot that answered at once may have written to stderr since; now there is time to read.
        self.stderr_tail(seat);
        what
    }

    fn stop(&mut self, seat: Seat) {
        self.players.stop(seat);
        self.log.borrow_mut().stopped(seat);
    }

    fn stderr_tail(&mut self, seat: Seat) -> String {
        let tail = self.players.stderr_tail(seat);
        self.log.borrow_mut().log_stderr(seat);
        tail
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::log::Bundle;
    use crate::record::{MatchRecord, Terms};
    use crate::referee::play_match;
    use crate::referee::testing::{Deed, Scripted, lenient, on_late_machine, setup};

    fn play(
        place: &tempfile::TempDir,
        script: impl FnMut(Seat, usize) -> Deed,
    ) -> (MatchRecord, Log) {
        play_on(place, Terms::default(), script)
    }

    fn play_on(
        place: &tempfile::TempDir,
        terms: Terms,
        script: impl FnMut(Seat, usize) -> Deed,
    ) -> (MatchRecord, Log) {
        let mut setup = setup(terms);
        for bot in &mut setup.bots.0 {
            bot.command = vec![bot.name.clone()];
        }
        let mut log = Log::create(place.path(), &setup).unwrap();
        let shared = RefCell::new(&mut log);
        let mut scripted = Scripted::new(script);
        let mut players = Logged::new(&mut scripted, &shared);
        let mut emit = |event: crate::referee::Event<'_>| shared.borrow_mut().record_event(event);
        let record = play_match(&setup, &mut players, &mut emit).unwrap();
        (record, log)
    }

    #[test]
    fn each_fault_of_a_bot_has_a_bundle_of_its_own() {
        let place = tempfile::tempdir().unwrap();
        // At its second question of each round.
        let (record, mut log) = play(&place, |seat, question| {
            if seat == Seat::B && question % 2 == 0 { Deed::Say("seven") } else { Deed::Play }
        });
        let fault = record.rounds[0].result.fault.as_ref().unwrap();
        log.fault(1, fault);
        let files: Vec<_> = log.bundles().iter().map(|(_, round, path)| (*round, path)).collect();
        let folder = place.path().join("one-vs-other-1");
        let file = |name: &str| folder.join(name);
        assert_eq!(
            files,
            [
                (1, &file("fault-1-2-other.json")),
                (2, &file("fault-2-2-other.json")),
                (1, &file("fault-1-2-other.2.json")),
            ]
        );
        let bundle = Bundle::read(files[0].1).unwrap();
        assert_eq!((bundle.round, bundle.turn, bundle.kind), (1, 2, fault.kind));
        assert_eq!(bundle.reply.as_deref(), Some("seven"));
        assert_eq!(bundle.waited_ms, Some(1.0));
        assert_eq!((bundle.limit_ms, bundle.late_after_ms), (Some(1000), Some(1050)));
        // What the process was told before: the start and its first turn.
        assert_eq!(bundle.told.unwrap().len(), 2);
        log.finish().unwrap();
    }

    #[test]
    fn a_void_round_is_told_and_leaves_no_bundle() {
        let place = tempfile::tempdir().unwrap();
        let (record, mut log) = play(&place, on_late_machine(1));
        assert_eq!(record.rounds[0].replayed, 1);
        assert!(log.bundles().is_empty());
        log.finish().unwrap();
        let transcript = fs::read_to_string(place.path().join("one-vs-other-1/one.txt")).unwrap();
        let remarks = transcript.lines().filter_map(|line| line.split_once(" # "));
        let remarks: Vec<&str> = remarks.map(|(_, remark)| remark).collect();
        assert_eq!(
            remarks[..6],
            [
                "its process is started",
                "round 1, one begins",
                "the machine was 80.0 ms late, not the bot",
                "round 1 is played again: the machine was 80.0 ms late, not a bot",
                "its process is ended",
                "round 1, one begins",
            ]
        );
    }
    #[test]
    fn a_fault_of_a_void_round_keeps_no_bundle() {
        let place = tempfile::tempdir().unwrap();
        // The second attempt at round 1 has a fault at the same turn, which counts.
        let script = |seat, question| match (seat, question) {
            (Seat::A, 1 | 3) | (Seat::B, 4) => Deed::Say("6"),
            (Seat::A, 2) => Deed::Starve,
            _ => Deed::Play,
        };
        let (record, mut log) = play_on(&place, lenient(3), script);
        assert_eq!(record.rounds[0].replayed, 1);
        let folder = place.path().join("one-vs-other-1");
        let [one, other] = ["fault-1-1-one.json", "fault-1-3-other.json"].map(|it| folder.join(it));
        let expected = [(Seat::A, 1, one), (Seat::B, 1, other)];
        assert_eq!(log.bundles(), expected);
        let faults = |seat| record.rounds.iter().map(|round| round.faults(seat)).sum::<usize>();
        assert_eq!((faults(Seat::A), faults(Seat::B)), (1, 1));
        let mut files: Vec<_> =
            fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.retain(|file| crate::log::is_bundle(file));
        files.sort();
        assert_eq!(files, expected.map(|(.., file)| file));
        log.finish().unwrap();
        let transcript = fs::read_to_string(folder.join("one.txt")).unwrap();
        assert!(
            transcript.contains(
                "# round 1 is played again, and its bundles are removed: the machine was 80.0 ms \
                 late, not a bot\n"
            ),
            "{transcript}"
        );
    }
}
