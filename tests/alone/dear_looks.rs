//! Bots that make a look at them dear, by what they have: the look takes no time from others.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::process::Child;
use std::time::Duration;

use crate::pondering::compiled;
use crate::program::mancala;
use crate::requirements;
use crate::runner::{Test, tests};
use crate::test_folder::TestFolder;

pub const TESTS: &[Test] = tests![
    a_bot_that_is_dear_to_look_at_takes_nothing_from_its_opponent,
    a_stopped_bot_that_is_dear_to_look_at_takes_nothing_from_its_opponent,
    a_kept_bot_that_is_dear_to_look_at_takes_nothing_from_others,
    processes_that_are_slow_to_count_do_not_put_off_a_verdict,
];

/// Modes of the hostile bot, and how much of it each hoards.
const HOARDS: [(&str, u32); 2] = [("hoard-folders", 3000), ("hoard-descriptors", 14 * 245)];

/// A bot of its own, which hoards threads and is stopped in its opponent's time.
const THREADS: (&str, &str, u32) =
    ("hoard-threads", include_str!("../bots/hostile/threads.c"), 240);

/// One look at the dearest of them, in milliseconds, and some more.
const ONE_LOOK: f64 = 150.0;

/// The processes below this one, itself included.
fn tree(process: u32) -> Vec<u32> {
    let list = fs::read_to_string(format!("/proc/{process}/task/{process}/children"));
    let list = list.unwrap_or_default();
    let children = list.split_whitespace().filter_map(|child| child.parse().ok());
    std::iter::once(process).chain(children.flat_map(tree)).collect()
}

/// The processor time of a process in milliseconds.
fn used(process: u32) -> f64 {
    let text = fs::read_to_string(format!("/proc/{process}/schedstat")).unwrap_or_default();
    let nanoseconds = text.split(' ').next().and_then(|text| text.parse::<f64>().ok());
    nanoseconds.unwrap_or_default() / 1e6
}

/// What the processes below a tournament have used by now, by their numbers: those that keep bots
/// that hoard, and the bots that compute.
fn uses(tournament: u32) -> [HashMap<u32, f64>; 2] {
    let is_bot = |process: u32, mode: &str| {
        let words = fs::read_to_string(format!("/proc/{process}/cmdline")).unwrap_or_default();
        // Behind the program; the tournament's own words name bots, too.
        words.split('\0').nth(1).is_some_and(|word| word.starts_with(mode))
    };
    let mut uses = [HashMap::new(), HashMap::new()];
    for process in tree(tournament) {
        let name = fs::read_to_string(format!("/proc/{process}/comm")).unwrap_or_default();
        let keeps_hoarder = || tree(process).into_iter().any(|bot| is_bot(bot, "hoard"));
        if is_bot(process, "compute") {
            uses[1].insert(process, used(process));
        } else if name.trim() == "bot-warden" && keeps_hoarder() {
            uses[0].insert(process, used(process));
        }
    }
    uses
}

/// Whether the match that began last is one of the hoarder's.
fn hoarder_plays(events: &Path) -> bool {
    let events = fs::read_to_string(events).unwrap_or_default();
    let began = events.lines().rfind(|line| line.contains("match_began"));
    began.is_none_or(|line| line.contains("\"hoarder\""))
}

/// How much processor time those that keep the hoarders had while bots computed, in matches with the
/// hoarder or in those of others.
fn taken(tournament: &mut Child, events: &Path, rests: bool) -> f64 {
    let mut taken = 0.0;
    let mut before = [HashMap::new(), HashMap::new()];
    while tournament.try_wait().expect("it is ours").is_none() {
        let now = uses(tournament.id());
        let [wardens, bots] = [0, 1].map(|of| {
            let since = |(process, now): (&u32, &f64)| Some(now - before[of].get(process)?);
            now[of].iter().filter_map(since).sum::<f64>()
        });
        if bots > 0.5 && hoarder_plays(events) != rests {
            taken += wardens;
        }
        before = now;
        std::thread::sleep(Duration::from_millis(5));
    }
    taken
}

/// What is taken from bots that compute in a tournament on one core: by a hoarder that plays against
/// them, or by one that rests.
fn taken_in(mode: &str, hoarded: u32, computing: &[&str], rests: bool) -> f64 {
    let folder = TestFolder::new();
    let (hoarding_bot, ms, repeat) = if mode == THREADS.0 {
        (format!("{} {mode} 1 0 -", compiled(folder.path(), THREADS.1)), 400, "--repeat=1")
    } else {
        (folder.bot(&format!("{mode} 1 0")), 100, "--repeat=2")
    };
    let events = folder.path().join("events.jsonl");
    let mut bots: Vec<String> = Vec::new();
    for name in computing {
        bots.push(format!("{name}={} {ms}", folder.bot("compute 1 0")));
    }
    bots.push(format!("hoarder={hoarding_bot} {hoarded}"));
    let mut tournament =
        mancala(["tournament", "--sandbox", "--jobs=1", "--oversubscribe", "--quiet", "--strict"])
            .args(["--move-time=20s", "--max-moves=8"])
            .args([repeat, "--events", events.to_str().expect("UTF-8")])
            .args(rests.then_some("--reuse-bots"))
            .args(bots)
            .start();
    let taken = taken(&mut tournament, &events, rests);
    assert!(tournament.wait().expect("it is ours").success());
    folder.none_left();
    taken
}

/// Fails if a hoarder takes more than this `limit`, in milliseconds, beyond one that hoards nothing.
/// What else the machine does only adds to that, so the least of some attempts tells most.
#[track_caller]
fn takes_at_most(limit: f64, (mode, hoarded): (&str, u32), computing: &[&str], rests: bool) {
    let mut seen = Vec::new();
    let takes_little = (0..3).any(|_| {
        let [dear, cheap] = [hoarded, 0].map(|hoarded| taken_in(mode, hoarded, computing, rests));
        seen.push([dear, cheap]);
        dear < cheap + limit
    });
    assert!(takes_little, "{mode}: ms, and without a hoard: {seen:?}");
}

/// Holds the promise `idle`.
fn a_bot_that_is_dear_to_look_at_takes_nothing_from_its_opponent() {
    if !requirements::sandbox_is_there("bots that are dear to look at") {
        return;
    }
    for (mode, hoarded) in HOARDS {
        takes_at_most(ONE_LOOK, (mode, hoarded), &["opponent"], false);
    }
}

/// It is never seen to have stopped with all its threads.
///
/// Holds the promise `idle`.
fn a_stopped_bot_that_is_dear_to_look_at_takes_nothing_from_its_opponent() {
    if !requirements::sandbox_is_there("stopped bots that are dear to look at")
        || !requirements::are_there("cc", "a bot with many threads that never stops")
    {
        return;
    }
    let (mode, _, hoarded) = THREADS;
    // To stop it takes no bot's time, but falls into the same samples, at each of 8 turns.
    takes_at_most(ONE_LOOK + 8.0 * 40.0, (mode, hoarded), &["opponent"], false);
}

/// While it rests, two others play on its core.
///
/// Holds the promise `rests`.
fn a_kept_bot_that_is_dear_to_look_at_takes_nothing_from_others() {
    if !requirements::sandbox_is_there("kept bots that are dear to look at") {
        return;
    }
    takes_at_most(ONE_LOOK, HOARDS[0], &["one", "other"], true);
}

/// A hundred processes with 60,000 mappings each, all of them running, under a parent that takes
/// more and more memory.
const SLOW_TO_COUNT: &str = "
    for (1..100) {
        my $child = fork();
        last if !defined $child;
        next if $child;
        for (1..60000) { syscall(9, 0, 4096, $_ % 2, 0x22, -1, 0) }
        while (1) {}
    }
    my @held;
    for (1..100) { push @held, 'x' x (10 << 20); select(undef, undef, undef, 0.02) }
    print STDERR 'it went off'; exit 7;
";

/// Holds the promise `memory`.
fn processes_that_are_slow_to_count_do_not_put_off_a_verdict() {
    if cfg!(not(target_arch = "x86_64"))
        || !requirements::are_there("perl", "processes that are slow to count")
    {
        return;
    }
    let folder = TestFolder::new();
    fs::write(folder.path().join("slow.pl"), SLOW_TO_COUNT).expect("it is written");
    let outcome = mancala(["match", "--memory=64MiB", "--rounds=1", "--format=json"])
        .args(["--move-time=30s", "perl slow.pl", "builtin:easy"])
        .in_folder(folder.path())
        .run_until_finished()
        .code(0);
    let fault = &outcome.json()["rounds"][0]["result"]["fault"];
    assert_eq!(fault["bot"], 0, "{fault:#}");
    let detail = fault["detail"].as_str().expect("text");
    assert!(detail.starts_with("out of memory (--memory 64MiB): "), "{fault:#}");
    assert_eq!(fault["stderr"], "", "{fault:#}");
    folder.none_left();
}
