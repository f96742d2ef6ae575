//! One line on stderr while a match runs: round, turn, score, faults so far, and which bot it waits
//! for.

use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::status::Status;
use crate::referee::Event;
use crate::seat::{PerSeat, Seat};
use crate::text::printable;

/// A line on a terminal that is removed when this is dropped. A thread of its own draws it, so that it
/// counts on during a wait for a bot and does not slow down a fast match.
#[derive(Debug)]
pub struct ProgressLine {
    shared: Arc<Mutex<MatchProgress>>,
    /// Dropped, it ends the thread.
    running: Option<(Sender<()>, JoinHandle<()>)>,
}

/// How far the match is.
#[derive(Debug, Default)]
struct MatchProgress {
    names: PerSeat<String>,
    round: u32,
    turn: u32,
    /// Seeds of the rounds that have ended.
    won: PerSeat<u32>,
    /// Seeds in the stores.
    stored: PerSeat<u32>,
    /// Faults of each bot that were substituted in the round.
    faults: PerSeat<u32>,
    first: Seat,
    waits_for: Seat,
    /// When the last event happened.
    since: Option<Instant>,
}

/// How often the line is drawn.
const BETWEEN_LINES: Duration = Duration::from_millis(100);

/// A shorter wait is not shown.
const A_WAIT: Duration = Duration::from_secs(1);

impl ProgressLine {
    /// A line on stderr; hidden if stderr is not a terminal.
    pub fn on_stderr() -> ProgressLine {
        let began = MatchProgress { since: Some(Instant::now()), ..MatchProgress::default() };
        let shared = Arc::new(Mutex::new(began));
        let status = Status::on_stderr();
        if status.is_hidden() {
            return ProgressLine { shared, running: None };
        }
        let (running, ended) = mpsc::channel();
        let drawn = Arc::clone(&shared);
        let draw = move || {
            while ended.recv_timeout(BETWEEN_LINES) == Err(RecvTimeoutError::Timeout) {
                let line = drawn.lock().unwrap_or_else(PoisonError::into_inner).in_words();
                status.show(line);
            }
        };
        // Without a thread there is no line.
        let thread = std::thread::Builder::new().name("progress".to_owned()).spawn(draw);
        ProgressLine { shared, running: thread.ok().map(|thread| (running, thread)) }
    }

    /// Shows an event from now on.
    pub fn update(&mut self, event: Event<'_>) {
        if self.running.is_none() {
            return;
        }
        if let Event::MatchEnded(_) = event {
            self.end();
        } else {
            self.shared.lock().unwrap_or_else(PoisonError::into_inner).note(event);
        }
    }

    /// Takes the line away.
    fn end(&mut self) {
        if let Some((running, thread)) = self.running.take() {
            drop(running);
            let _ = thread.join();
        }
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        self.end();
    }
}

impl MatchProgress {
    fn note(&mut self, event: Event<'_>) {
        match event {
            Event::MatchBegan { bots, .. } => {
                self.names = PerSeat::from_fn(|seat| printable(&bots[seat].name));
            }
            Event::RoundBegan { round, first, .. } => {
                (self.round, self.turn) = (round, 0);
                (self.first, self.waits_for) = (first, first);
                self.faults = PerSeat::default();
                self.stored = PerSeat::default();
            }
            Event::Substituted { seat, count, .. } => self.faults[seat] = count,
            Event::Moved { number, seat, sown, board, .. } => {
                self.turn = number;
                self.waits_for = if sown.extra_turn { seat } else { !seat };
                self.stored[self.first] = u32::from(board.store());
                self.stored[!self.first] = u32::from(board.opponent_store());
            }
            Event::RoundEnded { record, .. } => {
                self.stored = PerSeat::default();
                for seat in Seat::BOTH {
                    self.won[seat] += u32::from(record.result.score[seat]);
                }
            }
            Event::RoundVoid { .. } | Event::MatchEnded(_) => {}
        }
        self.since = Some(Instant::now());
    }

    fn in_words(&self) -> String {
        let waited = self.since.map(|since| since.elapsed()).unwrap_or_default();
        let seconds = waited.as_secs();
        if self.round == 0 {
            return format!("starting the bots, {seconds} s");
        }
        let mut words = format!("round {}, turn {}", self.round, self.turn);
        if waited >= A_WAIT {
            words += &format!(", waiting for {} for {seconds} s", self.names[self.waits_for]);
        }
        let seeds = PerSeat::from_fn(|seat| self.won[seat] + self.stored[seat]);
        let [a, b] = Seat::BOTH;
        words += &format!(": {} {} : {} {}", self.names[a], seeds[a], seeds[b], self.names[b]);
        if self.faults != PerSeat([0, 0]) {
            words += &format!(", faults {} : {}", self.faults[a], self.faults[b]);
        }
        words
    }
}
