//! What a turn and a match cost beside the floor of the same run: a bare write and read with the
//! same C program, and the bare starting and reaping of it. Everything is pinned to one core.

#[path = "echoing/mod.rs"]
mod echoing;

use std::cell::RefCell;
use std::io::{Read as _, Write as _};
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use mancala_referee::bot::{
    Bot, BotCommand, Restraints, SeatedBots, Wardens, end_all, give_unique_names,
};
use mancala_referee::protocol::ToBot;
use mancala_referee::record::{Resources, Sandbox, Terms};
use mancala_referee::referee::{Event, MatchSetup, ROUNDS};
use mancala_referee::rules::testing::perft;
use mancala_referee::rules::{DirectionRule, Opening, RulesetName, SeedsAHouse, Sower};
use mancala_referee::seat::{PerSeat, Seat};
use mancala_referee::session;
use rustix::event::{PollFd, PollFlags, Timespec, poll};

criterion_group!(benches, turns, starts, restrained_starts, sows);
criterion_main!(benches);

/// A turn as the referee sends it, of typical length.
const QUESTION: &[u8] = b"{\"type\":\"turn\",\"turn\":7,\"board\":[3,0,3,13,3,3,10,3,3,0,13,3,3,12],\"legal\":[0,2,3,4,5],\"moves\":[{\"by\":\"you\",\"move\":1},{\"by\":\"opponent\",\"move\":2}],\"move_time_ms\":1000}\n";

/// A turn beside a bare ping-pong, and beside the referee's system calls with nothing around them.
fn turns(criterion: &mut Criterion) {
    let Some(program) = echo_program() else { return };
    pin_to_one_core();
    let wardens = wardens(Restraints::default());
    let mut floor = Samples::default();
    let mut calls = Samples::default();
    let mut turn = Samples::default();
    // One after the other within each sample, so that a busy moment of the machine hits all alike.
    criterion.bench_function("turn: bare write and read, with a poll, of a match", |bencher| {
        bencher.iter_custom(|turns| {
            floor.keep(ping_pong(&program, Wait::InRead, turns), turns)
                + calls.keep(ping_pong(&program, Wait::InPoll, turns), turns)
                + turn.keep(match_turns(&program, &wardens, turns), turns)
        });
    });
    report("a turn", "a bare write and read", &turn, &floor);
    report("a turn", "its system calls alone", &turn, &calls);
}

/// A match beside its turns, and the bare starting and reaping of two programs.
fn starts(criterion: &mut Criterion) {
    let Some(program) = echo_program() else { return };
    pin_to_one_core();
    let wardens = wardens(Restraints::default());
    let mut floor = Samples::default();
    let mut matches = Samples::default();
    criterion.bench_function("match: start and reap two programs, a match", |bencher| {
        bencher.iter_custom(|times| {
            let one = || {
                let began = Instant::now();
                echoing::start_and_reap_two(&program);
                let bare = floor.keep(began.elapsed(), 1);
                let began = Instant::now();
                let (playing, _) = play(&program, &wardens, 3, ROUNDS);
                bare + matches.keep(began.elapsed().saturating_sub(playing), 1)
            };
            std::iter::repeat_with(one).take(usize::try_from(times).unwrap_or(usize::MAX)).sum()
        });
    });
    report("a match beside its turns", "starting and reaping two programs", &matches, &floor);
}

/// Starting a bot, its first answer and its end: with limits and the sandbox beside without both,
/// and that beside the bare program.
fn restrained_starts(criterion: &mut Criterion) {
    let Some(program) = echo_program() else { return };
    pin_to_one_core();
    let unlimited = Restraints { resources: Resources::unlimited(), ..Restraints::default() };
    let sandboxed = Restraints { sandbox: Some(Sandbox::default()), ..Restraints::default() };
    let kept = [unlimited, Restraints::default(), sandboxed].map(|restraints| {
        // An old kernel has no sandbox to be measured.
        Wardens::of_program(env!("CARGO_BIN_EXE_mancala").into(), restraints, None).ok()
    });
    if kept.iter().any(Option::is_none) {
        println!("not measured: this kernel cannot hold the sandbox");
        return;
    }
    // One after the other within each sample, so that a busy moment of the machine hits all alike.
    let mut samples = [(); 4].map(|()| Samples::default());
    criterion.bench_function("start, first answer and end, in four ways", |bencher| {
        bencher.iter_custom(|times| {
            let mut total = Duration::ZERO;
            for _ in 0..times {
                for (samples, wardens) in samples.iter_mut().zip([None].iter().chain(&kept)) {
                    let began = Instant::now();
                    match wardens {
                        None => drop(ping_pong(&program, Wait::InRead, 0)),
                        Some(wardens) => start_ask_end(&program, wardens),
                    }
                    total += samples.keep(began.elapsed(), 1);
                }
            }
            total
        });
    });
    let ms = samples.map(|samples| samples.median() * 1e3);
    println!(
        "a program alone {:.2} ms; kept by a warden {:+.2} ms; limits {:+.2} ms; the sandbox {:+.2} ms\n",
        ms[0],
        ms[1] - ms[0],
        ms[2] - ms[1],
        ms[3] - ms[2]
    );
}

fn start_ask_end(program: &Path, wardens: &Wardens) {
    let command: BotCommand = program.display().to_string().parse().expect("a command");
    let mut bot = Bot::new(&command, wardens);
    bot.ready().expect("the echo program starts");
    let question: ToBot = serde_json::from_slice(QUESTION).expect("a question");
    bot.ask(&question, Duration::from_secs(10), None, None).expect("the echo program answers");
    end_all([bot]);
}

fn wardens(restraints: Restraints) -> Wardens {
    Wardens::of_program(env!("CARGO_BIN_EXE_mancala").into(), restraints, None).expect("wardens")
}

/// Moves a second in perft, every move sown.
fn sows(criterion: &mut Criterion) {
    pin_to_one_core();
    let mut group = criterion.benchmark_group("rules");
    group.sample_size(10);
    for (name, depth) in [(RulesetName::Learneroo, 9), (RulesetName::Ece1021, 9)] {
        let rules = name.rules();
        let (sower, board) = (Sower::new(&rules), Opening::standard(&rules).board());
        let sown: u64 = (1..=depth).map(|depth| perft(sower, board, depth)).sum();
        let mut samples = Samples::default();
        group.bench_function(format!("perft {name} to depth {depth}"), |bencher| {
            bencher.iter_custom(|times| {
                let began = Instant::now();
                for _ in 0..times {
                    std::hint::black_box(perft(std::hint::black_box(sower), board, depth));
                }
                samples.keep(began.elapsed(), times * sown)
            });
        });
        if samples.median().is_nan() {
            continue;
        }
        println!("{name}: {:.1} million moves sown a second", 1e-6 / samples.median());
    }
    group.finish();
}

/// Seconds for one of whatever was measured, a value for each sample.
#[derive(Default)]
struct Samples(RefCell<Vec<f64>>);

impl Samples {
    fn keep(&mut self, time: Duration, count: u64) -> Duration {
        self.0
            .get_mut()
            .push(time.as_secs_f64() / f64::from(u32::try_from(count).unwrap_or(u32::MAX)));
        time
    }

    fn median(&self) -> f64 {
        let mut values = self.0.borrow().clone();
        values.sort_by(f64::total_cmp);
        values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
    }
}

fn report(what: &str, floor_is: &str, measured: &Samples, floor: &Samples) {
    let (measured, floor) = (measured.median(), floor.median());
    if measured.is_nan() || floor.is_nan() {
        return;
    }
    println!(
        "{what}: {:.2} µs; {floor_is}: {:.2} µs; ratio {:.2}\n",
        measured * 1e6,
        floor * 1e6,
        measured / floor
    );
}

/// Where a ping-pong waits for the answer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wait {
    /// In the read, without a deadline.
    InRead,
    /// In a poll of what the referee polls, as long as it waits at first; then it reads.
    InPoll,
}

/// Writes and reads with the C program, nothing else.
fn ping_pong(program: &Path, wait: Wait, turns: u64) -> Duration {
    let mut child = Command::new(program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the echo program starts");
    let mut stdin = child.stdin.take().expect("stdin is piped");
    let mut stdout = child.stdout.take().expect("stdout is piped");
    let stderr = child.stderr.take().expect("stderr is piped");
    let (idle, _open) = std::io::pipe().expect("a pipe");
    let mut answer = [0; 64];
    let at_most = Timespec { tv_sec: 0, tv_nsec: 10_000_000 };
    let mut ask = || {
        stdin.write_all(QUESTION).expect("the echo program reads");
        if wait == Wait::InPoll {
            let mut watched = [
                PollFd::new(&stdout, PollFlags::IN),
                PollFd::new(&stderr, PollFlags::IN),
                PollFd::new(&idle, PollFlags::IN),
            ];
            poll(&mut watched, Some(&at_most)).expect("polling works");
        }
        let count = stdout.read(&mut answer).expect("the echo program answers");
        assert!(count > 0, "the echo program has ended");
    };
    ask();
    let began = Instant::now();
    (0..turns).for_each(|_| ask());
    let time = began.elapsed();
    drop(stdin);
    child.wait().expect("the echo program ends");
    time
}

/// So many rounds of 70 turns that what a process still costs when it is new (its first page
/// faults, cold caches) is spread thin, as it is in the floor.
const ROUNDS_TO_FORGET_THE_START: NonZeroU32 = NonZeroU32::new(40).unwrap();

/// At least so many turns of real matches; the time is cut to what that number took.
fn match_turns(program: &Path, wardens: &Wardens, turns: u64) -> Duration {
    let mut time = Duration::ZERO;
    let mut played = 0;
    while played < turns {
        let (playing, count) = play(program, wardens, 20, ROUNDS_TO_FORGET_THE_START);
        time += playing;
        played += count;
    }
    time.mul_f64(
        f64::from(u32::try_from(turns).unwrap_or(u32::MAX))
            / f64::from(u32::try_from(played).unwrap_or(u32::MAX)),
    )
}

/// Plays a match of the C program against itself. Returns the time of all turns but the first of
/// each round and of each process, and their number.
fn play(program: &Path, wardens: &Wardens, seeds: u8, rounds: NonZeroU32) -> (Duration, u64) {
    let mut rules = RulesetName::Mancala5000.rules();
    rules.seeds = SeedsAHouse::new(seeds).expect("the seeds are in range");
    rules.direction = DirectionRule::Forward;
    let command: BotCommand = program.display().to_string().parse().expect("a command");
    let commands = PerSeat([command.clone(), command]);
    let contest = MatchSetup {
        rules,
        opening: Opening::standard(&rules),
        terms: Terms::default(),
        bots: give_unique_names(&commands).expect("names"),
        first: Seat::A,
        rounds,
        hides_details: false,
    };
    let mut bots = SeatedBots::seat(&commands, wardens);
    let mut time = Duration::ZERO;
    let mut turns = 0;
    let mut since = None;
    // A process answers for the first time only when it has started, which is no part of a turn.
    let mut started = PerSeat([false; 2]);
    let mut emit = |event: Event<'_>| match event {
        Event::Moved { seat, .. } => {
            let now = Instant::now();
            if let Some(before) = since.replace(now).filter(|_| started[seat]) {
                time += now - before;
                turns += 1;
            }
            started[seat] = true;
        }
        Event::RoundEnded { .. } => since = None,
        _ => {}
    };
    let record = session::play(&contest, &mut bots, None, &mut emit).expect("the match is played");
    bots.end();
    assert!(record.rounds.iter().all(|round| round.result.fault.is_none()), "{record:?}");
    (time, turns)
}

fn echo_program() -> Option<PathBuf> {
    echoing::compile(Path::new(env!("CARGO_TARGET_TMPDIR")).join("echo"), &[])
}

/// Binds this process, and so the programs it starts, to one core.
fn pin_to_one_core() {
    let last = echoing::processors().pop().expect("there is a processor");
    echoing::bind_to(&[last]);
}
