//! One line on stderr while a match runs: round, turn, score and faults so far.

use std::time::{Duration, Instant};

use super::status::Status;
use crate::referee::Event;
use crate::rules::Board;
use crate::seat::{PerSeat, Seat};
use crate::text::printable;

/// A line that is there only on a terminal and gone when this is dropped.
#[derive(Debug)]
pub struct ProgressLine {
    status: Option<Status>,
    names: PerSeat<String>,
    /// Seeds of the rounds that have ended.
    won: PerSeat<u32>,
    /// Faults of each bot that were substituted in the round.
    faults: PerSeat<u32>,
    first: Seat,
    drawn: Option<Instant>,
}

/// How often the line changes at most, so that a fast match is not slowed by its own progress.
const BETWEEN_LINES: Duration = Duration::from_millis(100);

impl ProgressLine {
    /// A line on stderr; nothing where stderr is no terminal.
    #[must_use]
    pub fn on_stderr() -> ProgressLine {
        let status = Status::on_stderr();
        ProgressLine {
            status: Some(status).filter(|status| !status.is_hidden()),
            names: PerSeat::default(),
            won: PerSeat::default(),
            faults: PerSeat::default(),
            first: Seat::A,
            drawn: None,
        }
    }

    /// Takes note of an event and redraws the line, not too often.
    pub fn tell(&mut self, event: Event<'_>) {
        if self.status.is_none() {
            return;
        }
        match event {
            Event::MatchBegan { bots, .. } => {
                self.names = PerSeat::from_fn(|seat| printable(&bots[seat].name));
            }
            Event::RoundBegan { round, first, board } => {
                self.first = first;
                self.faults = PerSeat::default();
                self.draw(round, 0, board);
            }
            Event::Substituted { seat, count, .. } => self.faults[seat] = count,
            Event::Moved { round, number, board, .. } => {
                if self.drawn.is_none_or(|drawn| drawn.elapsed() >= BETWEEN_LINES) {
                    self.draw(round, number, board);
                }
            }
            Event::RoundEnded { record, .. } => {
                for seat in Seat::BOTH {
                    self.won[seat] += u32::from(record.result.score[seat]);
                }
            }
            Event::RoundVoid { .. } => {}
            Event::MatchEnded(_) => self.status = None,
        }
    }

    fn draw(&mut self, round: u32, turn: u32, board: Board) {
        self.drawn = Some(Instant::now());
        let seeds = PerSeat::from_fn(|seat| {
            let stored = if seat == self.first { board.store() } else { board.opponent_store() };
            self.won[seat] + u32::from(stored)
        });
        let faults = match self.faults {
            PerSeat([0, 0]) => String::new(),
            PerSeat([a, b]) => format!(", faults {a} : {b}"),
        };
        let Some(status) = &self.status else { return };
        status.say(format!(
            "round {round}, turn {turn}: {} {} : {} {}{faults}",
            self.names[Seat::A],
            seeds[Seat::A],
            seeds[Seat::B],
            self.names[Seat::B]
        ));
    }
}
