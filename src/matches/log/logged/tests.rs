//! Tests of logs with players that need no program.

use std::fs;
use std::path::PathBuf;

use super::*;
use crate::log::Bundle;
use crate::protocol::FaultKind;
use crate::record::{FaultRecord, MatchRecord, Terms};
use crate::referee::testing::{Scripted, ScriptedAction, lenient, on_late_machine, setup};
use crate::referee::{Event, play_match};
use crate::seat::PerSeat;

fn play(
    place: &tempfile::TempDir,
    script: impl FnMut(Seat, usize) -> ScriptedAction,
) -> (MatchRecord, Log) {
    play_on(place, Terms::default(), script)
}

fn play_on(
    place: &tempfile::TempDir,
    terms: Terms,
    script: impl FnMut(Seat, usize) -> ScriptedAction,
) -> (MatchRecord, Log) {
    let (record, log, _) = play_by(place, terms, Scripted::new(script));
    (record, log)
}

/// Plays a match; its record, its log, and the faults as they were told.
fn play_by(
    place: &tempfile::TempDir,
    terms: Terms,
    mut scripted: Scripted<impl FnMut(Seat, usize) -> ScriptedAction>,
) -> (MatchRecord, Log, Vec<FaultRecord>) {
    let mut setup = setup(terms);
    for bot in &mut setup.bots.0 {
        bot.command = vec![bot.name.clone()];
    }
    let mut log = Log::create(place.path(), &setup).unwrap();
    let shared = RefCell::new(&mut log);
    let mut players = Logged::new(&mut scripted, &shared);
    let mut faults = Vec::new();
    let mut emit = |event: Event<'_>| {
        shared.borrow_mut().record_event(event);
        match event {
            Event::Substituted { fault, .. } => faults.push(fault.clone()),
            Event::RoundEnded { record, .. } => faults.extend(record.result.fault.clone()),
            _ => {}
        }
    };
    let record = play_match(&setup, &mut players, &mut emit).unwrap();
    (record, log, faults)
}

/// The bundles of the first bot in a match in which it has a time bank of three seconds.
fn bundles_of(scripted: Scripted<impl FnMut(Seat, usize) -> ScriptedAction>) -> Vec<Bundle> {
    let place = tempfile::tempdir().unwrap();
    let mut terms = lenient(2);
    terms.time.game_time = Some(Duration::from_secs(3));
    terms.time.move_time = None;
    let (_, log, faults) = play_by(&place, terms, scripted);
    let read = |(.., path): &(Seat, u32, PathBuf)| Bundle::read(path).unwrap();
    let bundles: Vec<Bundle> = log.bundles.iter().map(read).collect();
    assert_eq!(bundles.len(), faults.len());
    for (bundle, fault) in bundles.iter().zip(&faults) {
        assert_eq!((fault.bot, &fault.detail), (Seat::A, &bundle.detail));
        assert_eq!(bundle.board_at_fault(), Some(fault.board), "{bundle:#?}");
        let told = bundle.told.as_ref().unwrap();
        let start = (bundle.kind != FaultKind::StartFailed).then_some(&bundle.start);
        assert_eq!(told.first(), start);
        assert!(!told.iter().any(|line| line.contains(r#""type":"end""#)), "{told:#?}");
    }
    bundles
}

/// Where the fault was, the turn that its process was asked last, and how many lines that process
/// was told before.
fn question(bundle: &Bundle) -> (u32, u32, Option<u32>, usize) {
    let asked = bundle.input.as_ref().map(|line| match serde_json::from_str(line) {
        Ok(ToBot::Turn(turn)) => turn.turn,
        _ => panic!("{line}"),
    });
    (bundle.round, bundle.turn, asked, bundle.told.as_ref().unwrap().len())
}

/// What came at the last question is not the reply of a turn that was not asked.
fn has_no_reply(bundle: &Bundle) -> bool {
    bundle.reply.is_none() && bundle.waited_ms.is_none() && bundle.limit_ms.is_none()
}

#[test]
fn each_fault_of_a_bot_has_a_bundle_of_its_own() {
    let place = tempfile::tempdir().unwrap();
    // At its second question of each round.
    let (record, mut log) = play(&place, |seat, question| {
        if seat == Seat::B && question % 2 == 0 {
            ScriptedAction::Say("seven")
        } else {
            ScriptedAction::Play
        }
    });
    let fault = record.rounds[0].result.fault.as_ref().unwrap();
    log.fault(1, fault);
    let files: Vec<_> = log.bundles.iter().map(|(_, round, path)| (*round, path)).collect();
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
    assert!(log.bundles.is_empty());
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
        (Seat::A, 1 | 3) | (Seat::B, 4) => ScriptedAction::Say("6"),
        (Seat::A, 2) => ScriptedAction::Starve,
        _ => ScriptedAction::Play,
    };
    let (record, mut log) = play_on(&place, lenient(3), script);
    assert_eq!(record.rounds[0].replayed, 1);
    let folder = place.path().join("one-vs-other-1");
    let [one, other] = ["fault-1-1-one.json", "fault-1-3-other.json"].map(|it| folder.join(it));
    let expected = [(Seat::A, 1, one), (Seat::B, 1, other)];
    assert_eq!(log.bundles, expected);
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

#[test]
fn a_bundle_of_a_spent_bank_is_of_the_turn_that_was_not_asked() {
    let script = |seat, question| match (seat, question) {
        (Seat::A, 2) => ScriptedAction::JustInTime,
        _ => ScriptedAction::Play,
    };
    let bundles = bundles_of(Scripted::new(script));
    let questions: Vec<_> = bundles.iter().map(question).collect();
    assert_eq!(questions, [3, 4, 5].map(|turn| (1, turn, Some(2), 2)));
    assert!(bundles.iter().all(has_no_reply), "{bundles:#?}");
}

#[test]
fn a_bundle_of_a_spent_bank_has_nothing_of_the_process_before() {
    let script = |seat, question| match (seat, question) {
        (Seat::A, 2) => ScriptedAction::Hang,
        _ => ScriptedAction::Play,
    };
    let bundles = bundles_of(Scripted::new(script));
    let questions: Vec<_> = bundles.iter().map(question).collect();
    assert_eq!(questions, [(1, 2, Some(2), 2), (1, 3, None, 1), (1, 4, None, 1)]);
    assert!(bundles[1..].iter().all(has_no_reply), "{bundles:#?}");
}

#[test]
fn a_bundle_of_a_bot_that_does_not_start_has_nothing_of_the_process_before() {
    let script = |seat, question| match (seat, question) {
        (Seat::A, 2) => ScriptedAction::Say("6"),
        (Seat::A, 3) => ScriptedAction::Flood,
        _ => ScriptedAction::Play,
    };
    let mut scripted = Scripted::new(script);
    scripted.max_launches = PerSeat([1; 2]);
    let bundles = bundles_of(scripted);
    let questions: Vec<_> = bundles.iter().map(question).collect();
    // In the second round the bot was never asked.
    assert_eq!(
        questions,
        [(1, 2, Some(2), 2), (1, 3, Some(3), 3), (1, 4, None, 0), (2, 0, None, 0)]
    );
    assert!(bundles[2..].iter().all(has_no_reply), "{bundles:#?}");
}

#[test]
fn what_comes_unasked_is_in_the_bundle_of_its_turn_without_a_time() {
    let script = |seat, question| match (seat, question) {
        (Seat::A, 2) => ScriptedAction::Babble,
        _ => ScriptedAction::Play,
    };
    let bundles = bundles_of(Scripted::new(script));
    let [bundle] = &bundles[..] else { panic!("{bundles:#?}") };
    assert_eq!(question(bundle), (1, 2, Some(1), 1));
    assert_eq!(bundle.reply.as_deref(), Some("hello\n"));
    assert_eq!((bundle.waited_ms, bundle.limit_ms), (None, None));
}
