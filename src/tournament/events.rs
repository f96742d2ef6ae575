//! What happens, as JSON Lines for other programs to follow. A reader that does not keep up is
//! dropped at the end of a line.

use std::io;
use std::os::fd::AsFd;
use std::path::Path;
use std::time::Duration;

use schemars::JsonSchema;
use serde::Serialize;

use super::happening::{End, Happening};
use super::ledger::Ledger;
use crate::contest::{Fixture, Plan};
use crate::protocol::{FaultKind, Reason};
use crate::record::{Digest, LineFile, Patience, Timestamp, wait_for_room, write_in_pieces};
use crate::seat::{PerSeat, Seat};
use crate::standings::Standings;

/// How long the reader of a pipe is waited for in the whole tournament.
const READER_PATIENCE: Duration = Duration::from_secs(1);

/// Where events go.
enum EventsOutput {
    File(LineFile),
    Stdout,
}

/// A stream of events.
pub struct Events<'a> {
    plan: &'a Plan,
    output: Option<EventsOutput>,
    patience: Patience,
    /// Why stdout is no longer written.
    stdout_error: Option<io::Error>,
}

/// A line of the stream.
#[derive(Serialize, JsonSchema)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event<'a> {
    /// The first match is about to begin.
    TournamentBegan {
        /// When, in UTC.
        at: Timestamp,
        /// The tournament's identity.
        id: Digest,
        /// How many matches are planned.
        matches: u64,
        /// The bots' names.
        bots: Vec<&'a str>,
    },
    /// A match has begun.
    MatchBegan {
        /// When, in UTC.
        at: Timestamp,
        /// The match's number in the schedule, from 1.
        r#match: u64,
        /// The bots' names.
        bots: [&'a str; 2],
        /// The number of the opening, from 1.
        opening: u64,
        /// Which worker plays it, from 1.
        worker: usize,
    },
    /// A round of a match has ended.
    RoundEnded {
        /// When, in UTC.
        at: Timestamp,
        /// The match's number in the schedule, from 1.
        r#match: u64,
        /// The round, from 1.
        round: u32,
        /// The bot that began: 0 or 1.
        first: Seat,
        /// Why it ended.
        reason: Reason,
        /// Seeds of each bot.
        score: PerSeat<u8>,
    },
    /// A bot was at fault.
    Fault {
        /// When, in UTC.
        at: Timestamp,
        /// The match's number in the schedule, from 1.
        r#match: u64,
        /// The round, from 1.
        round: u32,
        /// The bot's name.
        bot: &'a str,
        /// What it did.
        kind: FaultKind,
        /// What happened, in words.
        detail: &'a str,
    },
    /// A match has ended, and is in the file.
    MatchEnded {
        /// When, in UTC.
        at: Timestamp,
        /// The match's number in the schedule, from 1.
        r#match: u64,
        /// Seeds of each bot.
        score: PerSeat<u32>,
        /// The winner: 0 or 1, none after a draw.
        winner: Option<Seat>,
    },
    /// A match was given up.
    Unfinished {
        /// When, in UTC.
        at: Timestamp,
        /// The match's number in the schedule, from 1.
        r#match: u64,
        /// The bot's name, if it is about one.
        bot: Option<&'a str>,
        /// What happened, in words.
        detail: &'a str,
    },
    /// A bot plays no more, and its matches do not count.
    Disqualified {
        /// When, in UTC.
        at: Timestamp,
        /// The number of the match after which it was disqualified, if there is one.
        r#match: Option<u64>,
        /// The bot's name.
        bot: &'a str,
        /// What happened, in words.
        detail: &'a str,
    },
    /// The table so far, without the crosstable; now and then, and after the last match.
    Standings {
        /// When, in UTC.
        at: Timestamp,
        /// The fields of standings.
        #[serde(flatten)]
        standings: &'a Standings,
    },
    /// The tournament has ended.
    TournamentEnded {
        /// When, in UTC.
        at: Timestamp,
        /// `completed`, `sprt`, `interrupted` or `failed`.
        reason: &'static str,
    },
}

impl<'a> Events<'a> {
    /// Events to `path`, appended, or to stdout with `-`. A last line of the file that is cut off is
    /// removed first.
    ///
    /// # Errors
    ///
    /// When the file cannot be written or holds something else, or is a FIFO that nobody reads.
    pub fn open(path: &Path, plan: &'a Plan) -> io::Result<Events<'a>> {
        let output = if path == Path::new("-") {
            EventsOutput::Stdout
        } else {
            let mut file = LineFile::open(path)?;
            if file.is_regular() {
                if holds_something_else(&file) {
                    let why = "it holds something else than events; give another --events FILE";
                    return Err(io::Error::other(why));
                }
                file.remove_unfinished_line()?;
            }
            EventsOutput::File(file)
        };
        let patience = Patience::in_total(READER_PATIENCE);
        Ok(Events { plan, output: Some(output), patience, stdout_error: None })
    }

    /// Why events could not be written to stdout, if that is so.
    pub const fn stdout_error(&mut self) -> Option<io::Error> {
        self.stdout_error.take()
    }

    /// Writes what happens. Returns why the reader is dropped, if it is.
    #[must_use]
    pub fn tell(&mut self, ledger: &Ledger, happening: Happening<'_>) -> Option<String> {
        let event = self.event(ledger, happening)?;
        let mut line = Vec::new();
        let written = crate::text::write_json(&mut line, &event).and_then(|()| {
            line.push(b'\n');
            self.write(&line)
        });
        let error = written.err()?;
        let output = self.output.take();
        let why = match error.kind() {
            io::ErrorKind::TimedOut => return Some("their reader does not keep up".to_owned()),
            io::ErrorKind::BrokenPipe => "their reader is gone".to_owned(),
            _ => error.to_string(),
        };
        if let Some(EventsOutput::Stdout) = output {
            self.stdout_error = Some(error);
        }
        Some(why)
    }

    fn write(&mut self, line: &[u8]) -> io::Result<()> {
        let stdout = io::stdout();
        if let Some(EventsOutput::File(file)) = &mut self.output
            && file.is_regular()
        {
            return file.append(line);
        }
        let output = match &self.output {
            None => return Ok(()),
            Some(EventsOutput::File(pipe)) => pipe.as_fd(),
            Some(EventsOutput::Stdout) => stdout.as_fd(),
        };
        // A line is whole or not there: nothing follows where a reader is dropped.
        wait_for_room(output, line.len(), &mut self.patience)?;
        write_in_pieces(output, line, &mut self.patience)
    }

    fn event<'e>(&self, ledger: &Ledger, happening: Happening<'e>) -> Option<Event<'e>>
    where
        'a: 'e,
    {
        self.output.as_ref()?;
        let at = Timestamp::now();
        let plan: &'e Plan = self.plan;
        let name = move |bot: usize| &*plan.bots[bot].name;
        let names = move |fixture: &Fixture| fixture.bots.0.map(name);
        Some(match happening {
            Happening::Began => {
                let bots = (0..plan.bots.len()).map(name).collect();
                Event::TournamentBegan { at, id: plan.id(), matches: ledger.planned(), bots }
            }
            Happening::MatchBegan { fixture, worker } => Event::MatchBegan {
                at,
                r#match: fixture.number,
                bots: names(fixture),
                opening: fixture.opening,
                worker: worker + 1,
            },
            Happening::RoundEnded { fixture, round, first, reason, score } => {
                Event::RoundEnded { at, r#match: fixture.number, round, first, reason, score }
            }
            Happening::Fault { fixture, round, bot, kind, detail } => {
                Event::Fault { at, r#match: fixture.number, round, bot: name(bot), kind, detail }
            }
            Happening::MatchEnded { fixture, summary } => Event::MatchEnded {
                at,
                r#match: fixture.number,
                score: PerSeat::from_fn(|seat| summary.seeds(seat)),
                winner: summary.winner(),
            },
            Happening::Unfinished { number, why } => {
                Event::Unfinished { at, r#match: number, bot: None, detail: why }
            }
            Happening::Disqualified { bot, why, number } => {
                Event::Disqualified { at, r#match: number, bot: name(bot), detail: why }
            }
            Happening::Standings(standings) => Event::Standings { at, standings },
            Happening::Ended(end) => Event::TournamentEnded { at, reason: End::as_str(end) },
            Happening::Sandboxed { .. }
            | Happening::Untried { .. }
            | Happening::WorkerDied { .. }
            | Happening::Stopping { .. }
            | Happening::Tick => return None,
        })
    }
}

/// How an event begins.
const EVENT: &[u8] = b"{\"event\":\"";

/// Whether a file begins with something that is no event. One that may not be read may hold
/// anything.
fn holds_something_else(file: &LineFile) -> bool {
    file.beginning(EVENT.len()).is_ok_and(|begin| !EVENT.starts_with(&begin))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_file_of_events_goes_on() {
        let temporary = tempfile::NamedTempFile::new().unwrap();
        for (text, is_other) in [
            ("", false),
            ("{\"event\":\"tournament_ended\"}\n", false),
            ("{\"format\":\"mancala-tournament/1\"}\n", true),
            ("x", true),
        ] {
            std::fs::write(temporary.path(), text).unwrap();
            let file = LineFile::open(temporary.path()).unwrap();
            assert_eq!(holds_something_else(&file), is_other, "{text:?}");
        }
    }
}
