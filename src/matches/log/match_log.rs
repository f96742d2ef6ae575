//! The log of one match: its folder, a transcript for each bot, a bundle for each fault.

use std::fs::{self, File};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::bundle::{Bundle, Exit, FORMAT, reply_fields};
use super::conversation::{Conversation, was_sent};
use super::folder::Folder;
use super::transcript::Transcript;
use crate::protocol::ToBot;
use crate::record::{FaultRecord, milliseconds, whole_ms};
use crate::referee::{Answer, Event, MatchSetup, StderrCopy, Trouble};
use crate::seat::{PerSeat, Seat};
use crate::text::printable;

/// Most bundles of one match: a bot may be at fault at every turn of a long round.
const MAX_BUNDLES: usize = 1000;

/// The log of a match. Its files are complete after every round and every fault, and when it is
/// dropped; a match that did not begin leaves none.
pub struct Log {
    pub(super) folder: Folder,
    setup: MatchSetup,
    bots: PerSeat<BotLog>,
    /// The bundles so far: whose fault, in which round, and the file.
    pub bundles: Vec<(Seat, u32, PathBuf)>,
    /// The first error in writing; nothing is written after it.
    failure: Option<io::Error>,
}

/// What is kept of one bot.
struct BotLog {
    transcript: Transcript<BufWriter<File>>,
    conversation: Conversation,
    stderr: StderrCopy,
    runs: bool,
}

impl Log {
    /// Makes a folder for that match in `parent`, and `parent` itself where it is missing.
    ///
    /// # Errors
    ///
    /// When the folder or the files in it cannot be made.
    pub fn create(parent: &Path, setup: &MatchSetup) -> io::Result<Log> {
        let began = Instant::now();
        let names = PerSeat::from_fn(|seat| setup.bots[seat].name.clone());
        let folder = Folder::make(parent, &names)?;
        let bot_log = |seat| -> io::Result<BotLog> {
            let out = BufWriter::new(File::create_new(folder.transcript(seat))?);
            Ok(BotLog {
                transcript: Transcript::new(out, began),
                conversation: Conversation::default(),
                stderr: StderrCopy::default(),
                runs: false,
            })
        };
        let bots = PerSeat([bot_log(Seat::A)?, bot_log(Seat::B)?]);
        let setup = setup.clone();
        Ok(Log { folder, setup, bots, bundles: Vec::new(), failure: None })
    }

    pub fn folder(&self) -> &Path {
        &self.folder.path
    }

    /// Where a copy of each bot's stderr goes.
    pub(crate) fn stderr(&self) -> PerSeat<StderrCopy> {
        PerSeat::from_fn(|seat| self.bots[seat].stderr.clone())
    }

    /// Logs what happens in the match.
    pub(crate) fn record_event(&mut self, event: Event<'_>) {
        match event {
            Event::MatchBegan { .. } => self.folder.is_kept = true,
            Event::RoundBegan { round, first, .. } => {
                self.bots.0.iter_mut().for_each(|bot| bot.conversation.begin_round());
                let first = printable(&self.setup.bots[first].name);
                self.remark_to_both(&format!("round {round}, {first} begins"));
            }
            Event::RoundVoid { round, late_by } => self.round_void(round, late_by),
            Event::Substituted { round, fault, .. } => self.fault(round, fault),
            Event::RoundEnded { record, .. } => {
                if let Some(fault) = &record.result.fault {
                    self.fault(record.round, fault);
                }
                let PerSeat([a, b]) = record.result.score;
                let reason = record.result.reason;
                self.remark_to_both(&format!("round {} ends {a} : {b}, {reason}", record.round));
                self.flush();
            }
            Event::Moved { seat, .. } => self.bots[seat].conversation.moved(),
            Event::MatchEnded(_) => {}
        }
    }

    /// Removes the bundles of a round that does not count, and remarks that it is played again.
    fn round_void(&mut self, round: u32, late_by: Duration) {
        let is_void = |bundle: &mut (Seat, u32, PathBuf)| bundle.1 == round;
        let void: Vec<_> = self.bundles.extract_if(.., is_void).collect();
        for (.., path) in &void {
            self.unless_failed(|_| fs::remove_file(path));
        }
        let removed = if void.is_empty() { "" } else { ", and its bundles are removed" };
        let late_by = milliseconds(late_by);
        self.remark_to_both(&format!(
            "round {round} is played again{removed}: the machine was {late_by:.1} ms late, not a bot"
        ));
        self.flush();
    }

    /// Writes the bundle of a fault that has just happened.
    pub(crate) fn fault(&mut self, round: u32, fault: &FaultRecord) {
        let seat = fault.bot;
        let turn = self.bots[seat].conversation.turn();
        let what = format!("at fault, {}: {}", fault.kind, printable(&fault.detail));
        if self.bundles.len() == MAX_BUNDLES {
            let remark = format!("{what}; no bundle: the match has {MAX_BUNDLES} already");
            return self.remark(seat, &remark);
        }
        let made = self.unless_failed(|log| {
            let (path, file) = log.folder.make_bundle((round, turn, seat))?;
            log.bundle(round, fault, &path).write(file)?;
            Ok(path)
        });
        let Some(path) = made else { return };
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        self.bundles.push((seat, round, path));
        self.remark(seat, &format!("{what}; see {name}"));
        self.flush();
    }

    fn bundle(&self, round: u32, fault: &FaultRecord, path: &Path) -> Bundle {
        let MatchSetup { bots, rules, terms, .. } = &self.setup;
        let conversation = &self.bots[fault.bot].conversation;
        let last = &conversation.last;
        let (reply, reply_hex) = reply_fields(last.reply.as_deref());
        let mut bundle = Bundle {
            format: FORMAT.to_owned(),
            bot: bots[fault.bot].clone(),
            dir: None,
            opponent: bots[!fault.bot].name.clone(),
            round,
            turn: conversation.turn(),
            kind: fault.kind,
            detail: fault.detail.clone(),
            cause: fault.cause.clone(),
            board: Some(fault.board),
            rules: *rules,
            terms: terms.clone(),
            environment: terms.keeping.environment.clone(),
            start: conversation.start.clone(),
            input: last.input.clone(),
            reply,
            reply_hex,
            waited_ms: last.time.map(|time| milliseconds(time.waited)),
            limit_ms: last.time.map(|time| time.limit_ms),
            late_after_ms: last.time.map(|time| whole_ms(time.late_after)),
            exit: last.exit.and_then(Exit::of),
            stderr: fault.stderr.clone(),
            reproduce: String::new(),
            told: conversation.sent_before().map(<[String]>::to_vec),
        };
        bundle.reproduce = bundle.command_line(path);
        bundle
    }

    pub(super) fn process_ready(&mut self, seat: Seat, ready: &Result<bool, Trouble>) {
        let remark = match ready {
            Ok(false) if self.bots[seat].runs => return,
            Ok(false) => {
                self.bots[seat].conversation.continue_process();
                "its process goes on from an earlier match".to_owned()
            }
            Ok(true) => {
                self.bots[seat].conversation.begin_process();
                "its process is started".to_owned()
            }
            Err(Trouble::CannotStart(why)) => {
                self.bots[seat].conversation.begin_process();
                format!("cannot be started: {}", printable(why))
            }
            Err(_) => "cannot be started now".to_owned(),
        };
        self.bots[seat].runs = ready.is_ok();
        self.remark(seat, &remark);
    }

    pub(super) fn sent(&mut self, seat: Seat, message: &ToBot) {
        let line = text_of(message);
        self.write(seat, |bot| {
            if let ToBot::Start(_) = message {
                bot.conversation.start(&line, bot.runs);
            }
            if !bot.runs {
                return Ok(());
            }
            if let ToBot::End(_) = message {
                bot.conversation.add(&line);
            }
            bot.transcript.sent(Instant::now(), line.as_bytes())
        });
    }

    /// Logs a question that was asked at `asked`, and how it ended.
    pub(super) fn question_ended(
        &mut self,
        seat: Seat,
        message: &ToBot,
        (asked, late_after): (Instant, Duration),
        what: &Result<Answer, Trouble>,
    ) {
        let ToBot::Turn(turn) = message else { return };
        let line = text_of(message);
        self.unless_failed(|log| {
            let bot = &mut log.bots[seat];
            let waited = asked.elapsed();
            bot.conversation.ask((turn, &line), (waited, late_after), what);
            let answered = asked + what.as_ref().map_or(waited, |answer| answer.time);
            let (before, meanwhile) = bot.stderr.take().split(asked, answered);
            bot.transcript.stderr(&before)?;
            if was_sent(what) {
                bot.transcript.sent(asked, line.as_bytes())?;
            }
            bot.transcript.stderr(&meanwhile)?;
            bot.transcript.outcome(asked, what)
        });
    }

    /// Logs what the bot has written to stderr.
    pub(super) fn log_stderr(&mut self, seat: Seat) {
        self.write(seat, |_| Ok(()));
    }

    pub(super) fn stopped(&mut self, seat: Seat) {
        if std::mem::take(&mut self.bots[seat].runs) {
            self.write(seat, |bot| {
                let now = Instant::now();
                bot.transcript.finish_stderr(now)?;
                bot.transcript.remark(now, "its process is ended")
            });
        }
    }

    fn remark(&mut self, seat: Seat, text: &str) {
        self.write(seat, |bot| bot.transcript.remark(Instant::now(), text));
    }

    fn remark_to_both(&mut self, text: &str) {
        self.write_both(|bot| bot.transcript.remark(Instant::now(), text));
    }

    fn flush(&mut self) {
        self.write_both(|bot| bot.transcript.flush());
    }

    /// Logs what the bots wrote while they were ended.
    ///
    /// # Errors
    ///
    /// The first error in writing any of the log.
    pub fn finish(&mut self) -> io::Result<()> {
        self.finish_transcripts();
        self.failure.take().map_or(Ok(()), Err)
    }

    fn finish_transcripts(&mut self) {
        self.write_both(|bot| {
            bot.transcript.finish_stderr(Instant::now())?;
            bot.transcript.flush()
        });
    }

    fn write_both(&mut self, write: impl Fn(&mut BotLog) -> io::Result<()>) {
        for seat in Seat::BOTH {
            self.write(seat, &write);
        }
    }

    /// Writes to the transcript of a bot, after what it has written to stderr.
    fn write(&mut self, seat: Seat, write: impl FnOnce(&mut BotLog) -> io::Result<()>) {
        self.unless_failed(|log| {
            let bot = &mut log.bots[seat];
            bot.transcript.stderr(&bot.stderr.take())?;
            write(bot)
        });
    }

    fn unless_failed<T>(&mut self, work: impl FnOnce(&mut Log) -> io::Result<T>) -> Option<T> {
        if self.failure.is_some() {
            return None;
        }
        work(self).map_err(|error| self.failure = Some(error)).ok()
    }
}

impl Drop for Log {
    fn drop(&mut self) {
        self.finish_transcripts();
    }
}

/// A message as a line without its newline.
fn text_of(message: &ToBot) -> String {
    let line = String::from_utf8_lossy(&message.to_line()).into_owned();
    line.trim_end_matches('\n').to_owned()
}
