//! Bots that use their opponent's time, answer at once, and tell for how long they have waited for
//! their turn and how much processor time they had meanwhile, in milliseconds.

use std::cell::RefCell;
use std::fs::File;
use std::io::Read as _;
use std::os::unix::fs::FileExt as _;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, Once};
use std::time::{Duration, Instant, SystemTime};

use nix::sys::timer::{Expiration, Timer, TimerSetTimeFlags};
use nix::time::{ClockId, clock_getcpuclockid, clock_gettime};
use nix::unistd::Pid;
use rustix::process::Signal;

use crate::attacks::timer;
use crate::bombs::child;
use crate::bot::Bot;
use crate::tools::{LONGEST, pause, signal_self};

/// How many processes take turns. The warden lists them from the last one back.
const IN_TURNS: u64 = 39;

/// How long the turn of each is, and how long a short life.
const SHORT: Duration = Duration::from_millis(4);

/// The time between two lives that are rare.
const RARE: Duration = Duration::from_millis(60);

/// Most timers that let a stopped process run again, one after another in this time.
const WAKERS_IN_ALL: usize = 400;
const WOKEN_AT_MOST: Duration = Duration::from_millis(400);

/// For less time than they take in all.
const WOKEN: Duration = Duration::from_millis(300);

/// By a thread.
pub fn by_thread(bot: &Bot) {
    ponder(bot, begin_thread, || used(ClockId::CLOCK_PROCESS_CPUTIME_ID));
}

/// By many processes, one of which runs.
pub fn in_turns(bot: &Bot) {
    static ALL: Mutex<Vec<ClockId>> = Mutex::new(Vec::new());
    let begin = || {
        let mut all = ALL.lock().expect("nobody panics");
        for number in 0..IN_TURNS {
            let mut one = child("--in-turns", number);
            let one = one.spawn().expect("it starts").id();
            let one = Pid::from_raw(i32::try_from(one).expect("a process"));
            all.push(clock_getcpuclockid(one).expect("it has a clock"));
        }
    };
    ponder(bot, begin, || ALL.lock().expect("nobody panics").iter().copied().map(used).sum());
}

/// One of these processes. Each third only sleeps: the warden once looked at no others.
pub fn take_turns(number: u64) {
    if number.is_multiple_of(3) {
        return pause(LONGEST);
    }
    let end = Instant::now() + LONGEST;
    while Instant::now() < end {
        let now = SystemTime::UNIX_EPOCH.elapsed().expect("a clock");
        let turns = now.as_nanos() / SHORT.as_nanos();
        let before_its_own = (number + IN_TURNS
            - u64::try_from(turns % u128::from(IN_TURNS)).expect("not so many"))
            % IN_TURNS;
        if before_its_own == 0 {
            std::hint::spin_loop();
        } else {
            pause(SHORT * u32::try_from(before_its_own).expect("not so many"));
        }
    }
}

/// By one process after the other, each of which has a short life.
pub fn in_short_lives(bot: &Bot) {
    static ENDED: AtomicU64 = AtomicU64::new(0);
    let begin = || {
        std::thread::spawn(|| {
            let end = Instant::now() + LONGEST;
            while Instant::now() < end {
                let mut one = child("--short-life", 0).stdout(Stdio::piped()).spawn();
                let stdout = one.as_mut().ok().and_then(|one| one.stdout.take());
                let _ = stdout.expect("it starts").read_to_end(&mut Vec::new());
                ENDED.fetch_add(1, Ordering::Relaxed);
            }
        });
    };
    ponder(bot, begin, || {
        SHORT * u32::try_from(ENDED.load(Ordering::Relaxed)).expect("not so many")
    });
}

/// By one process now and then, each of which does nothing, and which take 2 % of the time together.
/// Tells how many they were, for the time that they had.
pub fn in_rare_lives(bot: &Bot) {
    static ENDED: AtomicU64 = AtomicU64::new(0);
    let begin = || {
        std::thread::spawn(|| {
            let end = Instant::now() + LONGEST;
            while Instant::now() < end {
                pause(RARE);
                Command::new("true").status().expect("it runs");
                ENDED.fetch_add(1, Ordering::Relaxed);
            }
        });
    };
    ponder(bot, begin, || Duration::from_millis(ENDED.load(Ordering::Relaxed)));
}

/// By a thread, in a process that lets itself run again every millisecond after its turn. If it
/// `stops`, it stops itself whenever it has run for so long. Leaves in its folder what it has used
/// since its first turn, in milliseconds.
pub fn thawing(bot: &Bot, stops: Option<Duration>) {
    thread_local!(static WAKERS: RefCell<Vec<Timer>> = const { RefCell::new(Vec::new()) });
    static WOKEN_UNTIL: Mutex<Option<Instant>> = Mutex::new(None);
    static BEGUN: Once = Once::new();
    WAKERS.with_borrow_mut(|wakers| {
        // In the sandbox it gets fewer.
        let more = (wakers.len()..WAKERS_IN_ALL).map_while(|_| timer(Signal::CONT).ok());
        wakers.extend(more);
        let apart = WOKEN_AT_MOST / u32::try_from(wakers.len().max(1)).expect("they are few");
        for (number, waker) in (1..).zip(wakers) {
            let once = Expiration::OneShot((number * apart).into());
            waker.set(once, TimerSetTimeFlags::empty()).expect("it runs");
        }
    });
    *WOKEN_UNTIL.lock().expect("nobody panics") = Some(Instant::now() + WOKEN);
    BEGUN.call_once(|| {
        let file = bot.folder.as_ref().and_then(|folder| File::create(folder.join("used")).ok());
        let before = used(ClockId::CLOCK_PROCESS_CPUTIME_ID);
        std::thread::spawn(move || {
            let end = Instant::now() + LONGEST;
            while Instant::now() < end {
                let began = Instant::now();
                while began.elapsed() < stops.unwrap_or(SHORT) {
                    let now = used(ClockId::CLOCK_PROCESS_CPUTIME_ID).saturating_sub(before);
                    let text = format!("{:9}", now.as_millis());
                    file.as_ref().map(|file| file.write_at(text.as_bytes(), 0));
                }
                let is_woken = *WOKEN_UNTIL.lock().expect("nobody panics") > Some(Instant::now());
                if stops.is_some() && is_woken {
                    signal_self(Signal::STOP);
                }
            }
        });
    });
    bot.answer();
}

/// One of these processes.
pub fn short_life() {
    compute(SHORT);
}

/// Uses so much of the processor.
pub fn compute(time: Duration) {
    let end = used(ClockId::CLOCK_PROCESS_CPUTIME_ID) + time;
    while used(ClockId::CLOCK_PROCESS_CPUTIME_ID) < end {
        std::hint::spin_loop();
    }
}

fn begin_thread() {
    std::thread::spawn(|| {
        let end = Instant::now() + LONGEST;
        while Instant::now() < end {
            std::hint::spin_loop();
        }
    });
}

fn used(clock: ClockId) -> Duration {
    clock_gettime(clock).map_or(Duration::ZERO, Duration::from)
}

fn ponder(bot: &Bot, begin: fn(), used: fn() -> Duration) {
    static BEGUN: Once = Once::new();
    BEGUN.call_once(begin);
    let mut since = bot.since.borrow_mut();
    let told = since.map(|(then, before): (Instant, Duration)| {
        serde_json::json!([then.elapsed().as_millis(), used().saturating_sub(before).as_millis()])
    });
    // It may be stopped as soon as it has answered.
    *since = Some((Instant::now(), used()));
    bot.answer_with("info", &told.unwrap_or_default());
}
