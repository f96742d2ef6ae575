use std::process::{Command, Stdio};

use rustix::process::Signal;

use super::*;
use crate::bot::warden::idle::FREEZING;

#[test]
fn who_uses_too_much_while_it_waits_ponders() {
    for (script, expected) in [("while :; do :; done", true), ("exec sleep 60", false)] {
        let mut child =
            Command::new("sh").args(["-c", script]).stdout(Stdio::null()).spawn().unwrap();
        let bot = Pid::from_child(&child);
        // Its start takes its time, too.
        while !expected
            && std::fs::read(format!("/proc/{}/comm", child.id())).unwrap() != b"sleep\n"
        {
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(Duration::from_millis(20));
        let mut pondering = Pondering::new(None);
        pondering.bot_waits(bot, &[bot], Some(1));
        // A machine with other things to do gives it little, so it may take long.
        let longest = Duration::from_millis(if expected { 60_000 } else { 400 });
        while !pondering.ponders && pondering.waited < longest {
            std::thread::sleep(Duration::from_millis(2));
            pondering.measure(&[bot], Some(1));
            let until_next = pondering.next_look().unwrap() - Instant::now();
            assert!(until_next <= BETWEEN_LOOKS, "{until_next:?}");
        }
        let (used, waited) = (pondering.used, pondering.waited);
        assert_eq!(pondering.ponders, expected, "{used:?} {waited:?}");
        assert_eq!(used > ALLOWANCE + waited / 20, expected, "{used:?} {waited:?}");
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(pondering.bot_plays(&[], Some(1)), pondering.ponders);
    }
}

#[test]
fn what_was_used_in_several_turns_counts_together() {
    let mut child = Command::new("sh").args(["-c", "while :; do :; done"]).spawn().unwrap();
    let bot = Pid::from_child(&child);
    let mut pondering = Pondering::new(None);
    let mut at_least = Duration::ZERO;
    for _ in 0..5 {
        // Or it would be frozen.
        pondering.ponders = false;
        pondering.bot_waits(bot, &[bot], Some(1));
        let before = system::processor_time(bot).unwrap();
        std::thread::sleep(Duration::from_millis(5));
        at_least += system::processor_time(bot).unwrap().saturating_sub(before);
        pondering.bot_plays(&[bot], Some(1));
        assert!(pondering.used >= at_least, "{:?} {at_least:?}", pondering.used);
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn a_dear_look_counts_as_used_and_a_stopped_bot_is_looked_at_once() {
    let _alone = FREEZING.lock();
    let mut child = Command::new("sleep").arg("60").spawn().unwrap();
    let bot = Pid::from_child(&child);
    let mut pondering = Pondering::new(None);
    pondering.bot_waits(bot, &[bot], Some(1));
    assert!(!pondering.is_frozen() && pondering.reason() == LookReason::Waits);
    pondering.was_looked_at(ALLOWANCE * 2, false);
    assert!(pondering.next_look().unwrap() <= Instant::now() + SHORTEST);
    pondering.look(bot, (&[bot], &[bot]), Some(1));
    assert!(pondering.is_frozen());
    let end = Instant::now() + Duration::from_mins(1);
    while pondering.is_stopping(&[bot]) && Instant::now() < end {}
    pondering.look(bot, (&[bot], &[bot]), Some(1));
    assert_eq!(pondering.reason(), LookReason::IsFrozen);
    pondering.was_looked_at(Duration::ZERO, false);
    assert_eq!(pondering.reason(), LookReason::None);
    assert!(pondering.bot_plays(&[bot], Some(1)));
    assert_eq!(pondering.reason(), LookReason::Runs);
    // Its processes and threads make looks dear, too.
    let mut pondering = Pondering::new(None);
    pondering.bot_waits(bot, &[bot], Some(1));
    pondering.look_took(FREE_LOOK);
    assert_eq!(pondering.used, Duration::ZERO);
    pondering.look_took(ALLOWANCE * 2);
    pondering.look(bot, (&[bot], &[bot]), Some(1));
    assert!(pondering.is_frozen() && pondering.bot_plays(&[bot], Some(1)));
    // Before a look can fall into its opponent's time once more.
    let mut pondering = Pondering::new(None);
    pondering.was_looked_at(ALLOWANCE * 2, false);
    pondering.bot_waits(bot, &[bot], Some(1));
    assert!(pondering.is_frozen());
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn after_a_dear_look_a_stopped_bot_is_left_alone_until_it_runs() {
    let _alone = FREEZING.lock();
    let busy = ["-c", "while :; do :; done"];
    let mut child = Command::new("sh").args(busy).stdout(Stdio::null()).spawn().unwrap();
    let bot = Pid::from_child(&child);
    let mut pondering = Pondering::new(None);
    // Not too soon after it was asked last.
    let can_wait = |pondering: &mut Pondering| {
        pondering.next_look = Instant::now();
        pondering.look_can_wait(&[bot], || false)
    };
    assert!(!can_wait(&mut pondering));
    pondering.ponders = true;
    pondering.bot_waits(bot, &[bot], Some(1));
    // Not looked at yet.
    assert!(pondering.is_frozen() && !can_wait(&mut pondering));
    let end = Instant::now() + Duration::from_mins(1);
    while pondering.is_stopping(&[bot]) && Instant::now() < end {}
    pondering.was_waited_for(&[bot], &[bot]);
    // No look has cost anything.
    assert!(!can_wait(&mut pondering));
    let dear = Duration::from_mins(1);
    pondering.look_took(dear);
    assert!(can_wait(&mut pondering) && pondering.late == Duration::ZERO);
    // Between two looks its time is not read.
    assert!(pondering.look_can_wait(&[bot], || panic!("asked")));
    // What it may have started is to be counted.
    pondering.next_look = Instant::now();
    assert!(!pondering.look_can_wait(&[bot], || true));
    rustix::process::kill_process(bot, Signal::CONT).unwrap();
    while can_wait(&mut pondering) && Instant::now() < end {}
    assert!(!can_wait(&mut pondering));
    // A look that it brings about is its own to pay.
    pondering.look_took(dear);
    assert_eq!(pondering.late, dear);
    pondering.look_took(dear);
    assert_eq!(pondering.late, dear);
    pondering.look(bot, (&[bot], &[bot]), Some(1));
    assert_eq!(pondering.runs, 1);
    // In the next turn, too.
    pondering.bot_plays(&[bot], Some(1));
    assert!(!can_wait(&mut pondering));
    pondering.bot_waits(bot, &[bot], Some(1));
    pondering.was_waited_for(&[bot], &[bot]);
    assert!(can_wait(&mut pondering));
    child.kill().unwrap();
    child.wait().unwrap();
}
