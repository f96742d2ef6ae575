//! One screen that is redrawn in place while a tournament runs: the table, how far it is, the
//! running matches, the last faults.
//!
//! The terminal's modes are never changed, so nothing has to be given back, however this program
//! ends: the screen is scrolled away once, then written from its top again and again.

use std::borrow::Cow;
use std::collections::{BTreeMap, VecDeque};
use std::io::{self, Write};
use std::time::{Duration, Instant};

use crossterm::cursor::MoveTo;
use crossterm::queue;
use crossterm::terminal::{Clear, ClearType};
use unicode_width::UnicodeWidthChar;

use super::event::{Notice, TournamentEvent};
use crate::report::{Width, can_be_drawn_on, message_text, terminal_size};
use crate::text::{counted, printable};

/// The shortest time between two drawings.
const BETWEEN_DRAWINGS: Duration = Duration::from_millis(200);

/// Most faults, messages and running matches that are shown, so that the table has room.
const FAULTS: usize = 5;
const MESSAGES: usize = 2;
const RUNNING: usize = 8;

/// The lines of a table up to its first bot: a frame, the columns' names, a frame.
const HEAD: usize = 3;

/// Most messages that are printed at the end.
const KEPT: usize = 200;

/// The screen. It is cleared, and its messages are printed, when it is dropped.
#[derive(Default)]
pub(super) struct LiveScreen {
    table: Vec<String>,
    /// The matches that the table counts.
    table_of: u64,
    /// How far it is, and the same for a narrow terminal.
    progress: [String; 2],
    /// The matches that it counts.
    counted: u64,
    /// Running matches by their numbers: the two bots, and when each began.
    running: BTreeMap<u64, (String, Instant)>,
    faults: VecDeque<String>,
    /// The messages that are shown now.
    shown: VecDeque<String>,
    has_begun: bool,
    /// All messages that are printed at the end.
    messages: VecDeque<String>,
    /// When it was drawn last, and the columns and rows then; `None` before.
    drawn: Option<(Instant, (usize, usize))>,
}

impl LiveScreen {
    /// A screen on stderr; `None` if that is not a terminal that can be drawn on.
    pub(super) fn on_stderr() -> Option<LiveScreen> {
        can_be_drawn_on(&io::stderr()).then(LiveScreen::default)
    }

    /// Takes in what happens.
    pub(super) fn see(&mut self, event: &TournamentEvent<'_>) {
        match event {
            TournamentEvent::MatchBegan { r#match: number, bots: [a, b], .. } => {
                // What was said before, as of the sandbox, stands at the end.
                if !std::mem::replace(&mut self.has_begun, true) {
                    self.shown.clear();
                }
                let names = format!("{} against {}", printable(a), printable(b));
                self.running.insert(*number, (names, Instant::now()));
            }
            TournamentEvent::MatchEnded { r#match: number, .. }
            | TournamentEvent::Unfinished { r#match: number, .. }
            | TournamentEvent::Disqualified { r#match: Some(number), .. }
            | TournamentEvent::Notice(
                Notice::BotChanged { number: Some(number), .. } | Notice::WorkerDied { number, .. },
            ) => drop(self.running.remove(number)),
            TournamentEvent::Fault { r#match: number, round, bot, kind, detail, .. } => {
                let (bot, detail) = (printable(bot), printable(detail));
                let fault = format!("match {number}, round {round}: {bot}, {kind}: {detail}");
                keep(&mut self.faults, fault, FAULTS);
            }
            _ => {}
        }
    }

    /// Shows `table`, which counts `matches`, from now on.
    pub(super) fn set_table(&mut self, table: &[u8], matches: u64) {
        self.table_of = matches;
        self.table = String::from_utf8_lossy(table).lines().map(str::to_owned).collect();
    }

    /// Shows a message, and prints it again at the end.
    pub(super) fn add_message(&mut self, message: &str) {
        let first = message.lines().next().unwrap_or_default().to_owned();
        keep(&mut self.shown, first, MESSAGES);
        self.add_for_the_end(message);
        self.draw();
    }

    /// Prints a message at the end only, as of faults, which are shown anyway.
    pub(super) fn add_for_the_end(&mut self, message: &str) {
        keep(&mut self.messages, message.to_owned(), KEPT);
    }

    /// Shows how far the tournament is, with `counted` matches, unless it was drawn just now. The
    /// second line is for a narrow terminal.
    pub(super) fn set_progress(&mut self, progress: [String; 2], counted: u64) {
        (self.progress, self.counted) = (progress, counted);
        if self.drawn.is_none_or(|(last, _)| last.elapsed() >= BETWEEN_DRAWINGS) {
            self.draw();
        }
    }

    fn draw(&mut self) {
        let size = terminal_size(io::stderr());
        let (columns, rows) = size;
        let mut frame = Vec::with_capacity(4096);
        // Memory takes all that is written to it.
        let _ = match self.drawn {
            Some((_, last)) if last == size => Ok(()),
            // What was there before scrolls up, and stays.
            None => frame.write_all("\n".repeat(rows).as_bytes()),
            // Lines of another width may have been wrapped.
            Some(_) => queue!(frame, Clear(ClearType::All)),
        };
        let _ = queue!(frame, MoveTo(0, 0));
        for line in self.lines(columns, rows.saturating_sub(1)) {
            frame.extend_from_slice(fitted(&line, columns).as_bytes());
            let _ = queue!(frame, Clear(ClearType::UntilNewLine));
            frame.extend_from_slice(b"\r\n");
        }
        let _ = queue!(frame, Clear(ClearType::FromCursorDown));
        write(&frame);
        self.drawn = Some((Instant::now(), size));
    }

    /// At most `rows` lines, at least half of them for the table if it needs them. Where it would have
    /// no room for its head and three bots, what stands above its head is left out.
    fn lines(&self, columns: usize, rows: usize) -> Vec<String> {
        let mut below = self.below(columns, FAULTS);
        let mut table = &self.table[..];
        if let Some(frame) = table.iter().position(|line| line.starts_with('┌'))
            && rows < frame + HEAD + 3 + 1 + below.len()
        {
            below = self.below(columns, 1);
            table = &table[frame + 1..];
        }
        // A line for the gap below the table.
        let wanted = if table.is_empty() { 0 } else { table.len() + 1 };
        below.truncate(rows - wanted.min(rows / 2));
        let room = rows.saturating_sub(below.len() + 1);
        let mut lines = table.to_vec();
        if lines.len() > room {
            let left_out = lines.len() - room.saturating_sub(1);
            lines.truncate(room.saturating_sub(1));
            lines.extend((room > 0).then(|| format!("… {left_out} more lines of the table")));
        }
        if !lines.is_empty() {
            let is_older = self.table_of != self.counted;
            let matches = || counted(self.table_of, "match", "matches");
            lines.push(if is_older {
                format!("(the table is of {})", matches())
            } else {
                String::new()
            });
        }
        lines.extend(below);
        lines
    }

    /// The lines below the table, with at most `faults` faults.
    fn below(&self, columns: usize, faults: usize) -> Vec<String> {
        let [whole, short] = &self.progress;
        let mut below = vec![if width(whole) <= columns { whole } else { short }.clone()];
        below.extend(self.shown.iter().cloned());
        let running = self.running.iter().take(RUNNING).map(|(number, (names, since))| {
            format!("match {number}: {names}, {} s", since.elapsed().as_secs())
        });
        below.extend(running);
        let more = self.running.len().saturating_sub(RUNNING);
        below.extend((more > 0).then(|| format!("and {more} more matches")));
        if !self.faults.is_empty() {
            below.push("last faults:".to_owned());
            let older = self.faults.len().saturating_sub(faults);
            below.extend(self.faults.iter().skip(older).map(|fault| format!("  {fault}")));
        }
        below
    }
}

impl Drop for LiveScreen {
    fn drop(&mut self) {
        let mut end = Vec::new();
        if self.drawn.is_some() {
            let _ = queue!(end, MoveTo(0, 0), Clear(ClearType::FromCursorDown));
        }
        for message in &self.messages {
            end.extend_from_slice(message_text(message, Width::of_stderr()).as_bytes());
        }
        write(&end);
    }
}

/// Adds a line to the last `most` ones.
fn keep(lines: &mut VecDeque<String>, line: String, most: usize) {
    lines.push_back(line);
    if lines.len() > most {
        lines.pop_front();
    }
}

/// Ignores a closed stderr.
fn write(bytes: &[u8]) {
    let mut stderr = io::stderr().lock();
    let _ = stderr.write_all(bytes).and_then(|()| stderr.flush());
}

/// The columns that a text takes.
fn width(text: &str) -> usize {
    text.chars().map(|character| character.width().unwrap_or(0)).sum()
}

/// As much of the line as fits, with a sign at its end where it is cut.
fn fitted(line: &str, columns: usize) -> Cow<'_, str> {
    if width(line) <= columns {
        return line.into();
    }
    let mut used = 0;
    let end = line.char_indices().find(|(_, character)| {
        used += character.width().unwrap_or(0);
        used >= columns
    });
    let sign = if columns == 0 { "" } else { "…" };
    format!("{}{sign}", end.map_or(line, |(end, _)| &line[..end])).into()
}

#[cfg(test)]
mod tests;
