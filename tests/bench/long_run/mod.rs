//! Match after match in one process, with bots that do all that bots should not do in between: what
//! the referee has of the machine's must not grow.

mod census;

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use mancala_referee::bot::{
    BotCommand, Restraints, SeatedBots, Wardens, give_unique_names, prepare_program,
};
use mancala_referee::record::{MatchRecord, Sandbox, Terms, TimeTerms};
use mancala_referee::referee::{MatchError, MatchSetup, ROUNDS};
use mancala_referee::rules::{Opening, Ruleset};
use mancala_referee::seat::{PerSeat, Seat};
use mancala_referee::session;

use self::census::{Census, MOST_GROWTH};

/// A long run of one referee.
pub struct Soak {
    /// Rounds to be played, two in each match.
    pub rounds: u64,
    /// After so many rounds everything there is has been used once, and is counted.
    pub settled: u64,
    /// How often the count is shown on the way.
    pub shown: u64,
}

/// Every so many matches one of the bots misbehaves.
const EVERY: u64 = 5;

/// How the hostile bot misbehaves, in turn: its mode, and the round and the turn.
const MISBEHAVIOUR: &[&str] = &[
    "exit-3 1 1",
    "exit-at-start 2 1",
    "answer-and-exit 1 1",
    "kill-itself 1 2",
    "kill-its-group 1 1",
    "close-stdout 1 2",
    "words 1 2",
    "twice-at-once 2 2",
    "early 1 1",
    "flood 1 2",
    "flood-of-lines 1 1",
    "flood-stderr 1 1",
    "flood-stderr-while-idle 1 1",
    "flood-stderr-and-hang 1 2",
    "flood-after-all 1 1",
    "hang 1 2",
    "hang-deaf 2 2",
    "stop 1 2",
    "become-another 1 2",
    "hang-after-all 1 1",
    "stop-after-all 1 1",
    "child 1 1",
    "children 1 1",
    "orphan 1 1",
    "child-with-a-group 1 1",
    "daemon 1 1",
    "child-keeps-stdout 1 1",
    "daemon-keeps-stdout 1 1",
    "kill-starter 1 1",
    "stop-starter 1 1",
    "kill-wardens 1 1",
    "kill-wardens-for-ever 1 1",
    "fork-bomb 1 1",
    "thread-bomb 1 1",
    "memory-bomb-children 1 1",
    "socket-bomb 1 1",
    "watch-bomb 1 1",
];

/// Kinds of fault that the misbehaviour makes, so that a run without them shows that it was none.
const FAULTS: [&str; 5] =
    ["exited", "invalid_reply", "unsolicited_output", "oversized_reply", "timeout"];

/// How long after the last match there may still be more than there should: what was killed takes a
/// moment to go.
const SETTLES: Duration = Duration::from_secs(5);

impl Soak {
    /// Plays, and shows a line now and then. `hostile` is the path of the hostile bot, `folder` one
    /// for what is made on the way.
    ///
    /// For a process that has no children of its own, and is to have none but bots.
    ///
    /// # Errors
    ///
    /// What has grown, a line each.
    pub fn run(
        &self,
        hostile: &str,
        folder: &Path,
        show: &mut dyn FnMut(String),
    ) -> Result<(), Vec<String>> {
        prepare_program().expect("bots can be kept");
        let began = Instant::now();
        let mancala = env!("CARGO_BIN_EXE_mancala").into();
        let wardens = Wardens::of_program(mancala, Restraints::default(), None).expect("wardens");
        let confining = confining_wardens().map_err(|why| show(format!("left out: {why}"))).ok();
        let sound = sound_bot(hostile, folder);
        let mut endings = BTreeMap::new();
        let (mut confined, mut unfinished) = (0_u64, 0_u64);
        let mut settled = None;
        let settled_at = self.settled;
        show(format!("memory in KiB, which may grow by {MOST_GROWTH} after {settled_at} rounds"));
        show(Census::COLUMNS.to_owned());
        show(Census::take(0, began.elapsed()).to_string());
        for number in 0..self.rounds.div_ceil(2) {
            let confining = confining.as_ref().filter(|_| is_confined(number));
            let bots = bots(number, &sound, hostile, folder);
            let record = play(&bots, confining.unwrap_or(&wardens));
            confined += u64::from(confining.is_some());
            unfinished += u64::from(record.is_none());
            for round in record.iter().flat_map(|record| &record.rounds) {
                *endings.entry(round.result.reason.as_str()).or_insert(0_u64) += 1;
            }
            let rounds = 2 * (number + 1);
            let is_settled = settled.is_none() && rounds >= self.settled;
            if is_settled || rounds % (self.rounds / self.shown).max(2) < 2 {
                let census = Census::take(rounds, began.elapsed());
                show(census.to_string());
                settled = settled.or(is_settled.then_some(census));
            }
        }
        let settled = settled.expect("a run is longer than what it takes to settle");
        let last = settled_census(&settled, self.rounds, began);
        show(last.to_string());
        show(format!("rounds by their end: {endings:?}"));
        show(format!("matches in the sandbox: {confined}"));
        show(format!("matches that are unfinished, as the machine was late: {unfinished}"));
        let mut wrong = last.growth(&settled);
        let missing = FAULTS.iter().filter(|kind| !endings.contains_key(*kind));
        wrong.extend(missing.map(|kind| format!("no round ended with {kind}")));
        if wrong.is_empty() { Ok(()) } else { Err(wrong) }
    }
}

/// The census after the last match, when what was killed has gone.
fn settled_census(before: &Census, rounds: u64, began: Instant) -> Census {
    let end = Instant::now() + SETTLES;
    loop {
        let census = Census::take(rounds, began.elapsed());
        if census.growth(before).is_empty() || Instant::now() > end {
            return census;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Wardens that keep their bots in the sandbox, where this kernel can.
fn confining_wardens() -> Result<Wardens, String> {
    let restraints = Restraints { sandbox: Some(Sandbox::default()), ..Restraints::default() };
    Wardens::of_program(env!("CARGO_BIN_EXE_mancala").into(), restraints, None)
        .map_err(|error| error.to_string())
}

/// Whether this match is kept in the sandbox: one in ten, and each time another one of the ten, so
/// that now and then it is one with misbehaviour.
const fn is_confined(number: u64) -> bool {
    number % 10 == number / 10 % 10
}

/// The two bots of a match: mostly sound ones, and in every fifth match one that is not.
fn bots(number: u64, sound: &str, hostile: &str, folder: &Path) -> PerSeat<BotCommand> {
    let mut bots = PerSeat([sound.to_owned(), sound.to_owned()]);
    if number % EVERY == EVERY - 1 {
        let turn = usize::try_from(number / EVERY).unwrap_or(usize::MAX);
        let mode = MISBEHAVIOUR[turn % MISBEHAVIOUR.len()];
        let seat = Seat::BOTH[turn / MISBEHAVIOUR.len() % 2];
        // The number is the cap of a bomb.
        bots[seat] = format!("'{hostile}' {mode} '{}' 8", folder.display());
    }
    PerSeat(bots.0.map(|bot| bot.parse().expect("a command")))
}

/// Plays a match of two rounds; none where the machine was late too often for it.
fn play(commands: &PerSeat<BotCommand>, wardens: &Wardens) -> Option<MatchRecord> {
    let rules = Ruleset::default();
    let contest = MatchSetup {
        rules,
        opening: Opening::standard(&rules),
        terms: Terms {
            time: TimeTerms {
                move_time: Some(Duration::from_millis(40)),
                margin: Duration::from_millis(40),
                ..TimeTerms::default()
            },
            max_moves: NonZeroU32::new(200).expect("200 is not 0"),
            ..Terms::default()
        },
        bots: give_unique_names(commands).expect("names"),
        first: Seat::A,
        rounds: ROUNDS,
        hides_details: false,
    };
    let mut bots = SeatedBots::seat(commands, wardens);
    let played = session::play(&contest, &mut bots, None, &mut |_| {});
    bots.end();
    match played {
        Err(MatchError::Unfinished(why)) if why.contains("the machine, not a bot, was late") => {
            None
        }
        played => Some(played.expect("the match is played")),
    }
}

/// The cheapest sound bot there is: the C program, or the hostile bot where there is no C compiler.
fn sound_bot(hostile: &str, folder: &Path) -> String {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bench/echo.c");
    let program: PathBuf = folder.join("echo");
    let compiled = Command::new("cc").arg("-O2").arg("-o").arg(&program).arg(source).status();
    if compiled.is_ok_and(|status| status.success()) {
        format!("'{}'", program.display())
    } else {
        format!("'{hostile}' sound")
    }
}
