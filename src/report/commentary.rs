//! A match told move by move, with the board after each.

use std::io::{self, Write};

use super::board::draw;
use super::result::end_of_stderr;
use crate::record::{BotRecord, RoundRecord, milliseconds};
use crate::referee::Event;
use crate::seat::{PerSeat, Seat};
use crate::text::printable;

/// Tells the events of a match to a writer.
#[derive(Debug)]
pub struct Commentary<W> {
    out: W,
    names: PerSeat<String>,
    say_direction: bool,
}

impl<W: Write> Commentary<W> {
    /// Tells to this writer.
    pub fn new(out: W) -> Commentary<W> {
        Commentary { out, names: PerSeat::default(), say_direction: false }
    }

    /// Tells one event.
    ///
    /// # Errors
    ///
    /// When the writer fails.
    pub fn tell(&mut self, event: Event<'_>) -> io::Result<()> {
        match event {
            Event::MatchBegan { bots, rules } => {
                self.names = PerSeat::from_fn(|seat| printable(&bots[seat].name));
                self.say_direction = rules.direction.is_a_choice();
                Ok(())
            }
            Event::RoundBegan { round, first, board } => {
                let (first, second) = (&self.names[first], &self.names[!first]);
                writeln!(
                    self.out,
                    "Round {round}: {first} (below) begins against {second} (above).\n{}",
                    draw(board)
                )
            }
            Event::Substituted { seat, fault, count, of, .. } => {
                let name = &self.names[seat];
                let detail = printable(&fault.detail);
                writeln!(
                    self.out,
                    "{name} is at fault ({count} of {of}), {}: {detail}{}",
                    fault.kind,
                    end_of_stderr(fault)
                )?;
                writeln!(self.out, "The first legal house is played for it.")
            }
            Event::Moved { number, seat, ply, sown, time, board, .. } => {
                let name = &self.names[seat];
                write!(self.out, "{number}. {name} plays {}", ply.house)?;
                if self.say_direction {
                    write!(self.out, " {}", ply.direction)?;
                }
                if sown.captured > 0 {
                    write!(self.out, ", captures {}", sown.captured)?;
                }
                if sown.extra_turn {
                    write!(self.out, ", moves again")?;
                }
                writeln!(self.out, " ({:.3} ms)\n{}", milliseconds(time), draw(board))
            }
            Event::RoundVoid { round, late_by } => writeln!(
                self.out,
                "Round {round} is played again: the machine was {:.0} ms late, not a bot.\n",
                milliseconds(late_by)
            ),
            Event::RoundEnded { record, bots } => {
                writeln!(self.out, "{}\n", how_it_ended(record, bots))
            }
            Event::MatchEnded(_) => Ok(()),
        }
    }
}

/// A round's end in one sentence: `Round 1 ends 20 : 16 (greedy : random), completed; faults 2 : 0.`
/// A forfeit alone needs no count.
fn how_it_ended(record: &RoundRecord, bots: &PerSeat<BotRecord>) -> String {
    let score = record.result.score;
    let reason = match &record.result.fault {
        Some(fault) => format!("{} forfeits ({})", printable(&bots[fault.bot].name), fault.kind),
        None => record.result.reason.to_string().replace('_', " "),
    };
    let [a, b] = Seat::BOTH.map(|seat| printable(&bots[seat].name));
    let faults = PerSeat::from_fn(|seat| record.faults(seat));
    let faults = if record.moves.iter().any(|played| played.substitute.is_some()) {
        format!("; faults {} : {}", faults[Seat::A], faults[Seat::B])
    } else {
        String::new()
    };
    format!(
        "Round {} ends {} : {} ({a} : {b}), {reason}{faults}.",
        record.round,
        score[Seat::A],
        score[Seat::B]
    )
}
