//! Bots that think while their opponent is to move: as long as they like, or not at all.

use std::path::Path;
use std::process::{Child, Command};

use serde_json::Value;

use crate::another_user::Public;
use crate::control_groups::Group;
use crate::processes;
use crate::program::{mancala, path};
use crate::requirements;
use crate::runner::{Test, tests};
use crate::test_folder::TestFolder;
use crate::tournaments::lines;

/// Tournaments, whose workers have one core each.
pub const TESTS: &[Test] = tests![
    a_bot_that_needs_most_of_its_time_loses_nothing,
    a_kept_bot_is_stopped_while_others_play,
    a_kept_bot_ends_its_call_before_others_play,
    a_kept_bot_that_runs_again_when_it_was_stopped_starts_afresh,
];

/// Matches: a referee on the core of a bot that computes all the while is late itself.
pub const TESTS_OF_MATCHES: &[Test] = tests![
    ponder_allow_lets_a_bot_use_its_opponents_time,
    ponder_freeze_stops_a_bot_in_its_opponents_time,
    ponder_allow_works_in_the_sandbox,
    no_bot_uses_much_of_its_opponent_s_time,
    short_lives_count_as_what_they_were_where_the_kernel_counts_them,
    a_call_of_the_system_ends_before_a_bot_stops,
    calls_that_end_late_take_little_of_the_opponents_time,
    a_crowd_of_threads_is_frozen_at_once,
    threads_in_another_session_run_on,
    idle_threads_run_on_beside_the_load_of_others,
    a_bot_that_runs_again_when_it_was_stopped_is_ended,
];

/// A match between a bot that burns a core all the while and one that takes 280 ms for each of its
/// turns in this way. Returns the record, and for each wait of the first how long it was and what
/// processor time it had, in milliseconds.
fn waits(way: &str, options: &[&str]) -> (Value, Vec<[u64; 2]>) {
    let folder = TestFolder::new();
    let record = mancala(MATCH)
        .args(options)
        .args([folder.bot("ponder"), format!("{} 280", folder.bot(&format!("{way} 1 0")))])
        .run()
        .code(0)
        .json();
    folder.none_left();
    // An extra turn comes without a wait.
    let mut waits = waits_of(&record);
    waits.retain(|&[waited, _]| waited > 200);
    assert!(waits.len() >= 3, "{record:#}");
    (record, waits)
}

/// Nobody is late in it, also on a busy machine.
const MATCH: [&str; 4] = ["match", "--format=json", "--rounds=1", "--move-time=20s"];

/// This command with the ends of its children ignored: the system adds what they used to nothing.
fn deaf_to_its_children(command: &str) -> String {
    format!(r#"sh -c "trap '' CHLD; exec \"\$@\"" sh {command}"#)
}

/// What bots that ponder tell in a round that was played to its end.
fn waits_of(record: &Value) -> Vec<[u64; 2]> {
    let moves = record["rounds"][0]["moves"].as_array().expect("moves");
    assert_eq!(record["rounds"][0]["result"]["reason"], "completed", "{record:#}");
    let told = moves.iter().filter_map(|one| {
        let [waited, used] = &one["info"].as_array()?[..] else { return None };
        Some([waited.as_u64()?, used.as_u64()?])
    });
    told.collect()
}

fn ponder_allow_lets_a_bot_use_its_opponents_time() {
    for options in [&[][..], &["--ponder=allow"]] {
        uses_its_opponents_time(options);
    }
}

/// Its opponent computes, so that both have as much of a machine that others use, too.
#[track_caller]
fn uses_its_opponents_time(options: &[&str]) {
    let (record, waits) = waits("compute", options);
    assert_eq!(record["limits"].get("ponder"), None);
    let used: u64 = waits.iter().map(|&[_, used]| used).sum();
    let by_opponent = 280 * waits.len() as u64;
    assert!(used > by_opponent / 4, "{waits:?}");
}

fn ponder_freeze_stops_a_bot_in_its_opponents_time() {
    let mut ways = vec![vec!["--ponder=freeze"]];
    if requirements::sandbox_is_there("pondering in the sandbox") {
        ways.push(vec!["--sandbox"]);
    }
    for options in ways {
        let (record, waits) = waits("pause", &options);
        assert_eq!(record["limits"]["ponder"], "freeze");
        let [_, first] = waits[0];
        assert!(first < 120, "it is noticed late: {waits:?}");
        uses_little(&waits, "");
    }
}

/// These waits in all, with what it runs from when it is woken until it looks at the clock.
#[track_caller]
fn uses_little(waits: &[[u64; 2]], case: &str) {
    let sum = |of: usize| waits.iter().map(|wait| wait[of]).sum::<u64>();
    let (waited, used, woken) = (sum(0), sum(1), waits.len() as u64);
    assert!(used <= 40 + waited / 20 + woken, "{case}: {used} of {waited} ms: {waits:?}");
}

fn ponder_allow_works_in_the_sandbox() {
    if !requirements::sandbox_is_there("pondering in the sandbox") {
        return;
    }
    uses_its_opponents_time(&["--sandbox", "--ponder=allow"]);
}

/// Whatever it does, and whoever starts the referee: by a thread, by many processes that take turns,
/// and by processes that nobody waits for, each of which is gone before it is looked for.
///
/// Holds the promise `idle`.
fn no_bot_uses_much_of_its_opponent_s_time() {
    let mut ways = vec!["--ponder=freeze"];
    if requirements::sandbox_is_there("pondering in the sandbox") {
        ways.push("--sandbox");
    }
    let users = requirements::are_there("setpriv bash", "pondering bots of another user");
    let mut modes = vec!["ponder", "ponder-in-turns", "ponder-in-short-lives"];
    if requirements::are_there("cc", "a pondering bot without its first thread") {
        modes.push(LEADERLESS);
    }
    let ways = ways.iter().flat_map(|&way| [(way, "", false), (way, "", users)]);
    let mut cases: Vec<_> =
        ways.flat_map(|way| modes.iter().map(move |&mode| (mode, way))).collect();
    if let Some((_, (sandbox, ..))) = cases.last().copied().filter(|(_, way)| way.0 == "--sandbox")
    {
        // Counted by a group of the second version, and by the tree.
        let counted = |mode| ["second", "none"].map(|best| (mode, (sandbox, best, false)));
        cases.extend(modes.iter().copied().flat_map(counted));
    }
    let public = Public::new();
    let folder = path(public.folder.path());
    let leaderless =
        modes.contains(&LEADERLESS).then(|| compiled(public.folder.path(), LEADERLESS));
    for (mode, (way, best, as_another)) in cases {
        let hostile = |mode| format!("{folder}/hostile {mode} 1 0 {folder}");
        let leaderless = leaderless.clone().filter(|_| mode == LEADERLESS);
        let ponderer = leaderless.unwrap_or_else(|| hostile(mode));
        let opponent = format!("{} 140", hostile("pause"));
        let bots = [ponderer, opponent].map(|bot| deaf_to_its_children(&bot));
        let time = "--move-time=5s";
        let words = ["match", "--format=json", "--rounds=1", time, way, &*bots[0], &*bots[1]];
        let played = if as_another {
            public.run("true", &words)
        } else {
            mancala(words).behind(&["env", &process_limit(best)]).run()
        };
        let waits = waits_of(&played.code(0).json());
        processes::none_left(&folder);
        let case = format!("{mode} {way} {best} {as_another}");
        // An extra turn comes without a wait.
        assert!(waits.iter().filter(|wait| wait[0] > 100).count() >= 3, "{case}: {waits:?}");
        uses_little(&waits, &case);
    }
}

/// A bot whose first thread has ended: the system shows its process as one that has. A thread burns
/// all that it gets, and another one plays.
const LEADERLESS: &str = r#"
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static long now(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static void *burn(void *nothing) { for (;;); }

static void *play(void *nothing) {
    static char line[65536];
    long since = 0, used = 0;
    pthread_t burner;
    while (fgets(line, sizeof line, stdin)) {
        char *legal = strstr(line, "\"legal\":[");
        if (!legal) continue;
        long before = since, used_before = used;
        since = now(CLOCK_MONOTONIC);
        used = now(CLOCK_PROCESS_CPUTIME_ID);
        if (before)
            printf("{\"move\":%c,\"info\":[%ld,%ld]}\n", legal[9], since - before,
                   used - used_before);
        else {
            printf("%c\n", legal[9]);
            pthread_create(&burner, 0, burn, 0);
        }
        /* It may be stopped as soon as it has answered. */
        fflush(stdout);
    }
    _exit(0);
}

int main(void) {
    pthread_t player;
    pthread_create(&player, 0, play, 0);
    pthread_exit(0);
}
"#;

/// The program `bot` of this source in this folder.
pub fn compiled(folder: &Path, source: &str) -> String {
    let (code, program) = (folder.join("bot.c"), path(folder.join("bot")));
    std::fs::write(&code, source).expect("it is written");
    let mut compiler = std::process::Command::new("cc");
    let compiler = compiler.args(["-pthread", "-w", "-o", &program]).arg(code);
    assert!(compiler.status().expect("cc runs").success());
    program
}

/// Who lets itself run again, by a timer and without a process that runs, gets no more time by that
/// than others, whether it stops itself before it is looked at or not, and forfeits.
///
/// Holds the promise `idle`.
fn a_bot_that_runs_again_when_it_was_stopped_is_ended() {
    let mut ways = vec![("--ponder=freeze", "", false)];
    if requirements::are_there("setpriv bash", "thawing bots of another user") {
        ways.push(("--ponder=freeze", "", true));
    }
    if requirements::sandbox_is_there("thawing bots in the sandbox") {
        ways.extend(["", "second", "none"].map(|best| ("--sandbox", best, false)));
        ways.extend(ways.iter().any(|&(.., other)| other).then_some(("--sandbox", "", true)));
    }
    let public = Public::new();
    let folder = path(public.folder.path());
    let mut programs =
        ["thaw", "thaw-and-stop"].map(|mode| format!("{folder}/hostile {mode}")).to_vec();
    if requirements::are_there("cc", "a bot with a thread that never stops") {
        programs.push(compiled(public.folder.path(), HELD));
    }
    for (way, best, as_another) in ways {
        for program in &programs {
            let bots = [
                format!("{program} 1 0 {folder}"),
                format!("{folder}/hostile pause 1 0 {folder} 280"),
            ];
            let open = format!("--allow-write={folder}");
            let mut words: Vec<&str> =
                MATCH.into_iter().chain([way, &*bots[0], &*bots[1]]).collect();
            words.extend((way == "--sandbox").then_some(&*open));
            let played = if as_another {
                public.run("true", &words)
            } else {
                mancala(&words).behind(&["env", &process_limit(best)]).run()
            };
            let record = played.code(0).json();
            processes::none_left(&folder);
            let case = format!("{program} {way} {best} {as_another}");
            let round = &record["rounds"][0];
            let fault = &round["result"]["fault"];
            assert_eq!(
                (&fault["bot"], &fault["cause"]["code"]),
                (&0.into(), &"ran_while_stopped".into()),
                "{case}: {record:#}"
            );
            let moves = round["moves"].as_array().expect("moves");
            let of_the_other = moves.iter().filter(|one| one["bot"] == 1);
            let waited = of_the_other.filter_map(|one| one["ms"].as_f64()).sum::<f64>();
            let used = std::fs::read_to_string(public.file("used")).expect("it has run");
            // The next one begins another.
            std::fs::remove_file(public.file("used")).expect("it is removed");
            let used: f64 = used.trim().parse().expect("a number");
            // What it has in its own turns, too.
            let turns = u32::try_from(moves.len()).expect("not so many");
            let most = 40.0 + waited / 20.0 + f64::from(2 * turns);
            assert!(used <= most, "{case}: {used} of {waited}: {record:#}");
        }
    }
}

/// With a thread that never stops, so that the others are never all seen to have stopped.
const HELD: &str = include_str!("../bots/hostile/held.c");

const IN_CALLS: &str = include_str!("../bots/hostile/calls.c");

/// Such a bot is frozen as others are, and does not run when its call has ended.
///
/// Holds the promise `idle`.
fn a_call_of_the_system_ends_before_a_bot_stops() {
    if !requirements::are_there("cc", "a bot in long calls of the system") {
        return;
    }
    let others = requirements::are_there("setpriv bash", "long calls of another user");
    for as_another in [false].into_iter().chain(others.then_some(true)) {
        let public = Public::new();
        let program = compiled(public.folder.path(), IN_CALLS);
        let opponent = format!("{} pause 1 0 - 280", path(public.file("hostile")));
        let words: Vec<&str> = MATCH
            .into_iter()
            .chain(["--ponder=freeze", "--memory=none", &program, &opponent])
            .collect();
        let played = if as_another { public.run("true", &words) } else { mancala(&words).run() };
        let record = played.code(0).json();
        let result = &record["rounds"][0]["result"];
        assert_eq!(result["reason"], "completed", "{as_another}: {record:#}");
    }
}

const HOG: &str = include_str!("../bots/hostile/hog.c");

/// Who is in a long call of the system whenever it is to stop gets no more time by that than one such
/// call may take.
///
/// Holds the promise `idle`.
fn calls_that_end_late_take_little_of_the_opponents_time() {
    if !requirements::are_there("cc", "a bot in a long call at each of its opponent's turns") {
        return;
    }
    let (waited, used) = waited_and_used("hog", "", "--ponder=freeze");
    assert!(used <= 340.0 + waited / 20.0, "{used} of {waited} ms");
}

/// Many threads of one process, beside which a warden hardly gets a processor: from its answer on, or
/// from some time later.
///
/// Holds the promise `idle`.
fn a_crowd_of_threads_is_frozen_at_once() {
    if !requirements::are_there("cc", "a bot with many threads that compute all the while") {
        return;
    }
    let mut ways = vec!["--ponder=freeze"];
    if requirements::sandbox_is_there("a crowd of threads in the sandbox") {
        ways.push("--sandbox");
    }
    for way in ways {
        for (mode, count) in [
            ("crowd", "6"),
            ("crowd", "15"),
            ("crowd", "60"),
            ("late", "15"),
            ("late", "60"),
            ("late", "200"),
        ] {
            let (waited, used) = waited_and_used(mode, count, way);
            assert!(used <= 40.0 + waited / 20.0, "{mode} {count} {way}: {used} of {waited} ms");
        }
    }
}

/// A bot whose child has many threads in a session of its own is stopped, and runs on.
fn threads_in_another_session_run_on() {
    if !requirements::are_there("cc", "a bot with threads in another session") {
        return;
    }
    for way in ["--ponder=allow", "--ponder=freeze"] {
        // The round is played to its end.
        waited_and_used("apart", "24", way);
    }
}

/// A program that computes until it has used a minute.
fn busy_loop() -> Child {
    Command::new("sh").args(["-c", "ulimit -t 60; while :; do :; done"]).spawn().unwrap()
}

/// A bot with threads that sleep is stopped at most twice, however busy the machine is.
fn idle_threads_run_on_beside_the_load_of_others() {
    if !requirements::are_there("cc", "a bot with threads that sleep") {
        return;
    }
    let public = Public::new();
    let (program, folder) = (compiled(public.folder.path(), HOG), path(public.folder.path()));
    let test_folder = TestFolder::new();
    let opponent = format!("{} 280", test_folder.bot("pause 1 0"));
    let mut others: Vec<Child> = (0..12).map(|_| busy_loop()).collect();
    let played = mancala(MATCH)
        .arg("--ponder=freeze")
        .args([format!("{program} sleepers {folder} 20"), opponent])
        .run();
    for other in &mut others {
        other.kill().unwrap();
        other.wait().unwrap();
    }
    let record = played.code(0).json();
    let moves = record["rounds"][0]["moves"].as_array().expect("moves");
    let told = moves.iter().filter(|one| one["bot"] == 0).filter_map(|one| one["info"].as_u64());
    let continued = told.max().expect("a move");
    assert!(continued <= 2, "{record:#}");
}

/// How long this mode of `hog.c` has waited in a round, and what it has used meanwhile, in milliseconds.
fn waited_and_used(mode: &str, argument: &str, way: &str) -> (f64, f64) {
    let public = Public::new();
    let (program, folder) = (compiled(public.folder.path(), HOG), path(public.folder.path()));
    let bots =
        [format!("{program} {mode} {folder} {argument}"), format!("{program} need {folder}")];
    let open = format!("--allow-write={folder}");
    let record = mancala(["match", "--format=json", "--rounds=1", "--memory=none", way])
        .args(["--move-time=20s"].into_iter().chain((way == "--sandbox").then_some(&*open)))
        .args(bots)
        .run()
        .code(0)
        .json();
    processes::none_left(&folder);
    assert_eq!(record["rounds"][0]["result"]["reason"], "completed", "{record:#}");
    let moves = record["rounds"][0]["moves"].as_array().expect("moves");
    let of_need: Vec<&Value> = moves.iter().filter(|one| one["bot"] == 1).collect();
    assert!(of_need.len() > 3, "{record:#}");
    let sum = |of: &str| of_need.iter().filter_map(|one| one[of].as_f64()).sum::<f64>();
    (sum("ms"), sum("info"))
}

/// A bot whose children live shortly and use little is frozen only where they cannot be counted.
fn short_lives_count_as_what_they_were_where_the_kernel_counts_them() {
    let what = "short lives that the kernel counts";
    if !requirements::sandbox_is_there(what) {
        return;
    }
    for (best, is_counted) in [
        ("", Group::of("cpuacct", ["cpuacct.usage", "cpu.stat"], what).is_some()),
        ("second", Group::second_is_there(what)),
        ("none", false),
    ] {
        if !is_counted && best != "none" {
            continue;
        }
        let waits = waits_between_rare_lives(best);
        let sum = |of: usize| waits.iter().map(|wait| wait[of]).sum::<u64>();
        // One every 60 ms at the most, on a busy machine one in 160 ms, and one as it is
        // woken.
        let (lives, wakes) = (sum(1), waits.len() as u64);
        let is_free = lives > 2 * wakes && lives > sum(0) / 160;
        assert_eq!(is_free, is_counted, "{best}: {waits:?}");
    }
}

/// How long a bot whose children live rarely and shortly has waited, in milliseconds, and how often
/// one lived meanwhile, with what this best way leaves to count processes.
fn waits_between_rare_lives(best: &str) -> Vec<[u64; 2]> {
    let folder = TestFolder::new();
    let bots = [folder.bot("ponder-in-rare-lives"), format!("{} 560", folder.bot("pause 1 0"))];
    let played =
        mancala(MATCH).arg("--sandbox").args(bots).behind(&["env", &process_limit(best)]).run();
    let waits = waits_of(&played.code(0).json());
    folder.none_left();
    waits
}

/// What the referee is left of the ways to limit and count processes.
fn process_limit(best: &str) -> String {
    format!("MANCALA_PROCESS_LIMIT={best}")
}

/// Beside bots that use what they get, on its one core.
///
/// Holds the promise `idle`.
fn a_bot_that_needs_most_of_its_time_loses_nothing() {
    let mut ways = vec!["--ponder=freeze"];
    if requirements::sandbox_is_there("pondering in the sandbox") {
        ways.push("--sandbox");
    }
    let others = [
        |folder: &TestFolder| folder.bot("ponder-in-turns"),
        |folder: &TestFolder| deaf_to_its_children(&folder.bot("ponder-in-short-lives")),
    ];
    for way in ways {
        let mut control = f64::INFINITY;
        for (number, other) in others.iter().enumerate() {
            let (mut beside, mut seen) = (f64::INFINITY, Vec::new());
            // What else the machine does only adds to a move, so the least of all attempts tells most.
            // Beside a bot that was not frozen each takes half as long again, or twice as long,
            // however often that is tried.
            let loses_nothing = (0..10).any(|attempt| {
                if attempt > 0 || control.is_infinite() {
                    control = control.min(shortest_move(way, |folder| folder.bot("sound")));
                }
                beside = beside.min(shortest_move(way, other));
                seen.push([beside, control]);
                beside < 1.3 * control + 20.0
            });
            assert!(loses_nothing, "{way} {number}: ms, and beside a sound bot: {seen:?}");
        }
    }
}

/// The shortest move of a bot that needs 300 ms of processor time for each, beside this one on its one
/// core, in milliseconds.
fn shortest_move(way: &str, other: impl Fn(&TestFolder) -> String) -> f64 {
    let folder = TestFolder::new();
    let record = folder.file("record");
    mancala(["tournament", "--jobs=1", "--oversubscribe", "--quiet"])
        .args(["--move-time=20s", "--max-moves=6", "--record", &record, way])
        .arg(format!("computer={} 300", folder.bot("compute 1 0")))
        .arg(format!("other={}", other(&folder)))
        .run()
        .code(0);
    folder.none_left();
    let all = lines(&record);
    let played = all.iter().find(|line| line["rounds"].is_array()).expect("a match");
    let bots = played["bots"].as_array().expect("two bots");
    let seat = bots.iter().position(|bot| bot["name"] == "computer").expect("its seat");
    let rounds = played["rounds"].as_array().expect("rounds");
    assert!(rounds.iter().all(|it| it["result"]["fault"]["bot"] != seat), "{played:#}");
    let moves = rounds.iter().flat_map(|round| round["moves"].as_array().expect("moves"));
    // The other one does nothing before its own first move.
    let moves = moves.skip_while(|one| one["bot"] == seat).filter(|one| one["bot"] == seat);
    moves.filter_map(|one| one["ms"].as_f64()).fold(f64::INFINITY, f64::min)
}

/// What a bot that burns a core all the while had of the time between its matches, in which two
/// others play on its core.
///
/// Holds the promise `rests`.
fn a_kept_bot_is_stopped_while_others_play() {
    let mut ways = vec![vec!["--ponder=allow"], vec!["--ponder=freeze"]];
    if requirements::sandbox_is_there("kept bots in the sandbox") {
        ways.push(vec!["--sandbox"]);
    }
    for options in ways {
        let may_ponder = options == ["--ponder=allow"];
        // It is watched for a tenth of a second after its first match, and may use the time of its
        // opponents where that is allowed.
        let is_little =
            |one: &Between| one.used < 150.0 + if may_ponder { one.thoughts } else { 0.0 };
        // A machine with other things to do may be long about the start of a match, in which it runs.
        let mut seen = Vec::new();
        let is_stopped = (0..3).any(|_| {
            seen = between_its_matches(&options);
            let beside_others: Vec<_> = seen.iter().filter(|one| one.has_other_match).collect();
            assert!(!beside_others.is_empty(), "{seen:?}");
            assert!(beside_others.into_iter().all(is_little), "{options:?}: {seen:?}");
            seen.iter().all(is_little)
        });
        assert!(is_stopped, "{options:?}: {seen:?}");
    }
}

/// What a kept bot had between two of its matches, in milliseconds.
#[derive(Debug)]
struct Between {
    /// Whether others played one meanwhile, which takes a second at least.
    has_other_match: bool,
    /// How long its opponents took for their moves, after its last one and before its next one.
    thoughts: f64,
    /// The processor time that it had.
    used: f64,
}

/// What a bot that burns a core had before each of its matches but the first.
fn between_its_matches(options: &[&str]) -> Vec<Between> {
    let folder = TestFolder::new();
    let record = folder.file("record");
    mancala(["tournament", "--jobs=1", "--oversubscribe", "--reuse-bots", "--repeat=2"])
        .args(["--quiet", "--strict", "--move-time=5s", "--max-moves=6", "--record", &record])
        .args(options)
        .args([
            format!("ponderer={}", folder.bot("ponder")),
            format!("one={} 140", folder.bot("pause 1 0")),
            format!("other={} 140", folder.bot("pause 1 0")),
        ])
        .run()
        .code(0);
    folder.none_left();
    let matches = lines(&record).into_iter().filter(|line| line["rounds"].is_array());
    let (mut betweens, mut after, mut has_other_match) = (Vec::new(), 0.0, false);
    for played in matches {
        let bots = played["bots"].as_array().expect("two bots");
        let Some(seat) = bots.iter().position(|bot| bot["name"] == "ponderer") else {
            has_other_match = true;
            continue;
        };
        let moves = |round: usize| played["rounds"][round]["moves"].as_array().expect("moves");
        let its_own = |one: &Value| one["bot"] == seat;
        let time = |moves: &[Value]| moves.iter().filter_map(|one| one["ms"].as_f64()).sum::<f64>();
        let last = moves(1).iter().rposition(its_own).expect("its move");
        let moves_after = &moves(1)[last + 1..];
        let moves = moves(0);
        let first = moves.iter().position(its_own).expect("its move");
        let thoughts = after + time(&moves[..first]);
        after = time(moves_after);
        // Nothing in its first match; later, how long it waited and what it had of that.
        if let Some([_, used]) = moves[first]["info"].as_array().map(|info| &info[..]) {
            betweens.push(Between { has_other_match, thoughts, used: used.as_f64().unwrap() });
        }
        has_other_match = false;
    }
    betweens
}

/// Holds the promise `rests`.
fn a_kept_bot_ends_its_call_before_others_play() {
    if !requirements::are_there("cc", "a kept bot in a long call") {
        return;
    }
    let public = Public::new();
    let (program, folder) = (compiled(public.folder.path(), HOG), path(public.folder.path()));
    let record = path(public.file("record"));
    let bots = [("idler", "idler"), ("one", "need"), ("other", "need")];
    mancala(["tournament", "--jobs=1", "--oversubscribe", "--reuse-bots", "--repeat=3"])
        .args([
            "--quiet",
            "--strict",
            "--memory=none",
            "--move-time=20s",
            "--max-moves=4",
            "--record",
            &record,
        ])
        .args(bots.map(|(name, mode)| format!("{name}={program} {mode} {folder}")))
        .run()
        .code(0);
    processes::none_left(&folder);
    for played in lines(&record).into_iter().filter(|line| line["rounds"].is_array()) {
        let bots = played["bots"].as_array().expect("two bots");
        let rounds = played["rounds"].as_array().expect("rounds").iter();
        let moves = rounds.flat_map(|round| round["moves"].as_array().expect("moves"));
        let used: f64 = moves.filter_map(|one| one["info"].as_f64()).sum();
        assert!(bots.iter().any(|bot| bot["name"] == "idler") || used < 5.0, "{played:#}");
    }
}

/// That is nobody's fault: the next match finds that it has ended, and starts another one.
///
/// Holds the promise `rests`.
fn a_kept_bot_that_runs_again_when_it_was_stopped_starts_afresh() {
    let mut ways = vec![vec!["--ponder=allow"]];
    if requirements::sandbox_is_there("kept bots in the sandbox") {
        ways.push(vec!["--sandbox", "--ponder=allow"]);
    }
    for options in ways {
        let folder = TestFolder::new();
        let record = folder.file("record");
        mancala(["tournament", "--jobs=1", "--oversubscribe", "--reuse-bots", "--repeat=2"])
            .args(["--quiet", "--strict", "--move-time=5s", "--max-moves=6"])
            .args(&options)
            .args(["--record", &record])
            .args(["thaw", "thaw-and-stop"].map(|mode| format!("{mode}={}", folder.bot(mode))))
            .arg(format!("sound={} 140", folder.bot("pause 1 0")))
            .run()
            .code(0);
        folder.none_left();
        let all = lines(&record);
        let matches = || all.iter().filter(|line| line["rounds"].is_array());
        for name in ["thaw", "thaw-and-stop"] {
            let fresh = matches().filter(|played| {
                let bots = played["bots"].as_array().expect("two bots");
                let seat = bots.iter().position(|bot| bot["name"] == name);
                let moves = played["rounds"][0]["moves"].as_array().expect("moves");
                let first =
                    moves.iter().find(|one| Some(&one["bot"]) == seat.map(Value::from).as_ref());
                first.is_some_and(|first| first["fresh"] == true)
            });
            // In all but those that follow at once.
            let fresh = fresh.count();
            assert!(fresh >= 2, "{name} {options:?}: {fresh}");
        }
    }
}
