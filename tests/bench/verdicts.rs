//! How soon a verdict comes: from the moment when a bot has run out of time, or was asked and did
//! what it must not, until the referee knows.
//!
//! ```text
//! cargo bench --bench verdicts          10 matches for each misbehaviour
//! cargo bench --bench verdicts -- 30    another number
//! ```
//!
//! It fails, with exit code 1, when a verdict came more than 100 ms late, which on a machine that
//! does nothing else none does.

use std::num::NonZeroU32;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use mancala_referee::bot::{
    BotCommand, Restraints, SeatedBots, Wardens, give_unique_names, prepare_program,
};
use mancala_referee::protocol::{FaultKind, ToBot};
use mancala_referee::record::{Resources, Terms, TimeTerms};
use mancala_referee::referee::{Answer, MatchSetup, Players, Trouble, play_match};
use mancala_referee::rules::{DirectionRule, Ruleset};
use mancala_referee::seat::{PerSeat, Seat};

const MOVE_TIME: Duration = Duration::from_millis(200);

/// No verdict may come later than this.
const LATEST: Duration = Duration::from_millis(100);

/// From this opening two hostile bots go to and fro, until one that never reads has been sent more
/// than its pipe takes.
const TO_AND_FRO: &str = "1,0,0,0,0,0,0,1,0,0,0,0,0,0";

/// From when a verdict is due.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Due {
    /// When the time for the answer is over.
    AtTheLimit,
    /// When the bot was asked: it does what it must not as soon as it has read that.
    AtOnce,
}
use Due::{AtOnce, AtTheLimit};

/// A mode of the hostile bot, when its verdict is due, and which verdicts are right.
const MODES: &[(&str, Due, &[FaultKind])] = &[
    ("hang", AtTheLimit, &[FaultKind::Timeout]),
    ("hang-deaf", AtTheLimit, &[FaultKind::Timeout]),
    ("stop", AtTheLimit, &[FaultKind::Timeout]),
    ("busy", AtTheLimit, &[FaultKind::Timeout]),
    ("dribble", AtTheLimit, &[FaultKind::Timeout]),
    ("dribble-spaces", AtTheLimit, &[FaultKind::Timeout]),
    ("dribble-stderr", AtTheLimit, &[FaultKind::Timeout]),
    ("flood-stderr-and-hang", AtTheLimit, &[FaultKind::Timeout]),
    ("read-no-more", AtTheLimit, &[FaultKind::Timeout]),
    ("close-stdin", AtTheLimit, &[FaultKind::Timeout]),
    ("a-little-late", AtTheLimit, &[FaultKind::Timeout]),
    // Whichever the referee sees first.
    ("exit-at-the-limit", AtTheLimit, &[FaultKind::Timeout, FaultKind::Exited]),
    ("exit-3", AtOnce, &[FaultKind::Exited]),
    ("kill-itself", AtOnce, &[FaultKind::Exited]),
    ("close-stdout", AtOnce, &[FaultKind::Exited]),
    ("flood", AtOnce, &[FaultKind::OversizedReply]),
    ("fork-bomb", AtOnce, &[FaultKind::Exited]),
];

fn main() -> ExitCode {
    prepare_program().expect("bots can be kept");
    // Cargo adds an argument of its own: --bench.
    let number = std::env::args().skip(1).find(|argument| !argument.starts_with("--"));
    let runs = number.map_or(10, |number| number.parse().expect("a number of matches"));
    let resources = Resources { processes: Some(16), ..Resources::default() };
    let restraints = Restraints { resources, ..Restraints::default() };
    let program = env!("CARGO_BIN_EXE_mancala").into();
    let wardens = Wardens::of_program(program, restraints, None).expect("wardens");

    println!("{runs} matches each; ms after the time was over, or after the question where it is");
    println!("what the bot does at once that ends it");
    println!("| bot | due | median ms | longest ms |");
    println!("|---|---|---|---|");
    let mut longest = Duration::ZERO;
    for &(mode, due, kinds) in MODES {
        let mut late: Vec<Duration> =
            (0..runs.max(1)).map(|_| lateness(mode, due, kinds, &wardens)).collect();
        late.sort_unstable();
        let (median, most) = (late[late.len() / 2], late[late.len() - 1]);
        let name = if due == AtTheLimit { "limit" } else { "question" };
        println!("| {mode} | {name} | {:.1} | {:.1} |", ms(median), ms(most));
        longest = longest.max(most);
    }
    if longest > LATEST {
        println!("a verdict came {:.1} ms late", ms(longest));
        return ExitCode::FAILURE;
    }
    println!("no verdict came more than {:.1} ms late", ms(longest));
    ExitCode::SUCCESS
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

/// How long after it was due the verdict on a bot in this mode came, in a match against a sound
/// one.
fn lateness(mode: &str, due: Due, kinds: &[FaultKind], wardens: &Wardens) -> Duration {
    let hostile = env!("CARGO_BIN_EXE_hostile");
    let folder = tempfile::tempdir().expect("a folder is made");
    // In turn 2, when there is no time to start any more.
    let commands = PerSeat([format!("{mode} 1 2"), "sound 1 1".to_owned()].map(|mode| {
        let bot = format!("'{hostile}' {mode} '{}'", folder.path().display());
        bot.parse::<BotCommand>().expect("a command")
    }));
    let rules =
        Ruleset { direction: DirectionRule::Either, empty_capture: false, ..Ruleset::default() };
    let contest = MatchSetup {
        rules,
        opening: TO_AND_FRO.parse().expect("an opening"),
        terms: Terms {
            time: TimeTerms {
                move_time: Some(MOVE_TIME),
                margin: Duration::ZERO,
                ..TimeTerms::default()
            },
            max_moves: NonZeroU32::MAX,
            keeping: wardens.restraints().clone(),
            ..Terms::default()
        },
        bots: give_unique_names(&commands).expect("names"),
        first: Seat::A,
        rounds: NonZeroU32::MIN,
        hides_details: false,
    };
    let mut timed = Timed { bots: SeatedBots::seat(&commands, wardens), last: Duration::ZERO };
    let record = play_match(&contest, &mut timed, &mut |_| {}).expect("the match is played");
    let fault = record.rounds[0].result.fault.as_ref();
    let fault = fault.unwrap_or_else(|| panic!("{mode} did nothing wrong"));
    assert!(kinds.contains(&fault.kind), "{mode}: {}", fault.detail);
    timed.bots.end();
    match due {
        AtTheLimit => timed.last.saturating_sub(MOVE_TIME),
        AtOnce => timed.last,
    }
}

/// Players, and how long the last question took that brought no answer or more than one.
struct Timed {
    bots: SeatedBots,
    last: Duration,
}

impl Players for Timed {
    fn ready(&mut self, seat: Seat) -> Result<bool, Trouble> {
        self.bots.ready(seat)
    }

    fn send(&mut self, seat: Seat, message: &ToBot) {
        self.bots.send(seat, message);
    }

    fn ask(
        &mut self,
        seat: Seat,
        message: &ToBot,
        late_after: Duration,
    ) -> Result<Answer, Trouble> {
        let asked = Instant::now();
        let answer = self.bots.ask(seat, message, late_after);
        self.last = asked.elapsed();
        answer
    }

    fn stop(&mut self, seat: Seat) {
        self.bots.stop(seat);
    }

    fn stderr_tail(&mut self, seat: Seat) -> String {
        self.bots.stderr_tail(seat)
    }
}
