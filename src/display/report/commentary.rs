//! A match shown move by move, with the board after each.

use std::io::{self, Write};

use super::{draw, stderr_text};
use crate::record::{BotRecord, MoveRecord, RoundRecord, milliseconds};
use crate::referee::Event;
use crate::seat::{PerSeat, Seat};
use crate::text::{printable, quoted};

/// The warning about a bot that left the place of its processes.
pub fn placement_warning(name: &str) -> String {
    let name = printable(name);
    format!(
        "bot \"{name}\" had a process on other cores, in another scheduling class or with a better \
         priority than it was given; it was put back, and --sandbox refuses that"
    )
}

/// Writes the events of a match.
#[derive(Debug)]
pub struct Commentary<W> {
    out: W,
    names: PerSeat<String>,
    say_direction: bool,
}

impl<W: Write> Commentary<W> {
    /// Writes to this writer.
    pub fn new(out: W) -> Commentary<W> {
        Commentary { out, names: PerSeat::default(), say_direction: false }
    }

    /// Writes one event, in one write. Of a recorded move, `played`, it also has the `info` and the
    /// value and loss that an analysis added.
    ///
    /// # Errors
    ///
    /// When the writer fails.
    pub fn write(&mut self, event: Event<'_>, played: Option<&MoveRecord>) -> io::Result<()> {
        let words = self.in_words(event, played);
        if words.is_empty() { Ok(()) } else { self.out.write_all(words.as_bytes()) }
    }

    fn in_words(&mut self, event: Event<'_>, played: Option<&MoveRecord>) -> String {
        match event {
            Event::MatchBegan { bots, rules } => {
                self.names = PerSeat::from_fn(|seat| printable(&bots[seat].name));
                self.say_direction = rules.direction.is_a_choice();
                String::new()
            }
            Event::RoundBegan { round, first, board } => {
                let (first, second) = (&self.names[first], &self.names[!first]);
                let board = draw(board);
                format!(
                    "Round {round}: {first} (below) begins against {second} (above).\n{board}\n"
                )
            }
            Event::Substituted { seat, fault, count, of, .. } => format!(
                "{} is at fault ({count} of {of}), {}: {}\n{}The first legal house is played for it.\n",
                self.names[seat],
                fault.kind,
                printable(&fault.detail),
                stderr_text(fault)
            ),
            Event::Moved { number, seat, ply, sown, time, board, .. } => {
                let mut words = format!("{number}. {} plays {}", self.names[seat], ply.house);
                if self.say_direction {
                    words += &format!(" {}", ply.direction);
                }
                if sown.captured > 0 {
                    words += &format!(", captures {}", sown.captured);
                }
                if sown.extra_turn {
                    words += ", moves again";
                }
                words += &format!(" ({:.3} ms)", milliseconds(time));
                if let Some(value) = played.and_then(|played| played.value) {
                    words += &format!(", value {value:+}");
                }
                if let Some(loss) = played.and_then(|played| played.loss) {
                    words += &format!(", gave away {loss}");
                }
                if let Some(info) = played.and_then(|played| played.info.as_ref()) {
                    words += &format!(", info {}", quoted(info.json().as_bytes()));
                }
                words + &format!("\n{}\n", draw(board))
            }
            Event::RoundVoid { round, late_by } => format!(
                "Round {round} is played again: the machine was {:.0} ms late, not a bot.\n\n",
                milliseconds(late_by)
            ),
            Event::RoundEnded { record, bots } => format!("{}\n\n", how_it_ended(record, bots)),
            Event::MatchEnded(_) => String::new(),
        }
    }
}

/// A round's end in one sentence: `Round 1 ends 20 : 16 (greedy : random), completed; faults 2 : 0.`
/// A forfeit alone needs no count.
fn how_it_ended(record: &RoundRecord, bots: &PerSeat<BotRecord>) -> String {
    let reason = match &record.result.fault {
        Some(fault) => format!("{} forfeits ({})", printable(&bots[fault.bot].name), fault.kind),
        None => record.result.reason.to_string().replace('_', " "),
    };
    let [a, b] = Seat::BOTH.map(|seat| printable(&bots[seat].name));
    let PerSeat([own, other]) = record.result.score;
    let faults = if record.moves.iter().any(|played| played.substitute.is_some()) {
        let [a, b] = Seat::BOTH.map(|seat| record.faults(seat));
        format!("; faults {a} : {b}")
    } else {
        String::new()
    };
    format!("Round {} ends {own} : {other} ({a} : {b}), {reason}{faults}.", record.round)
}
