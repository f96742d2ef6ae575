//! What a tournament costs: rounds a second with one and two workers beside the bare starting and
//! reaping of the same programs, a turn in a worker beside one in a match, bots that stay from match
//! to match, the coordinating process, and a schedule of ten million matches.
//!
//! ```text
//! cargo bench --bench tournament
//! cargo bench --bench tournament -- match turn
//! ```
//!
//! Words choose parts by the names in `PARTS`. It prints each number beside its bound, and ends
//! with exit code 1 where one is missed.

#[path = "echoing/mod.rs"]
mod echoing;

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

fn main() -> ExitCode {
    let Some(stage) = Stage::new() else {
        return ExitCode::SUCCESS;
    };
    let chosen: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    if let [mode, core, program] = &*chosen
        && mode == "--bare"
    {
        println!("{}", bare(core.parse().expect("a processor"), Path::new(program)));
        return ExitCode::SUCCESS;
    }
    let is_chosen = |name: &str| chosen.is_empty() || chosen.iter().any(|word| word == name);
    let parts = PARTS.iter().filter(|(name, _)| is_chosen(name));
    let missed = parts.filter(|(_, part)| !part(&stage)).count();
    if missed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// What is measured, and whether it was within its bound.
type Part = fn(&Stage) -> bool;

const PARTS: [(&str, Part); 6] = [
    ("match", Stage::match_and_floor),
    ("scaling", Stage::scaling),
    ("turn", Stage::turn),
    ("reuse", Stage::reuse),
    ("coordinator", Stage::coordinator),
    ("millions", Stage::ten_millions),
];

/// Says a number beside its bound.
fn told(what: &str, number: f64, unit: &str, is_good: bool, bound: &str) -> bool {
    let verdict = if is_good { "" } else { "  MISSED" };
    println!("{what}: {number:.2}{unit} ({bound}){verdict}");
    is_good
}

struct Stage {
    folder: tempfile::TempDir,
    echo: PathBuf,
    thinker: PathBuf,
    /// Processors that are cores of their own.
    cores: Vec<usize>,
}

/// Rounds of one move: of a match nothing is left but what a match costs beside its turns.
const NO_TURNS: [&str; 1] = ["--max-moves=1"];

impl Stage {
    fn new() -> Option<Stage> {
        let folder = tempfile::tempdir().expect("a folder is made");
        let compiled = |name, options: &[&str]| echoing::compile(folder.path().join(name), options);
        let (echo, thinker) =
            (compiled("echo", &[])?, compiled("thinker", &["-DTHINK_NS=1000000"])?);
        Some(Stage { folder, echo, thinker, cores: cores() })
    }

    /// Four bots that run this program.
    fn four(program: &Path) -> Vec<String> {
        (1..=4).map(|number| format!("bot-{number}={}", program.display())).collect()
    }

    /// A tournament of round robins that is begun.
    fn begin(&self, record: &Path, bots: &[String], jobs: usize, options: &[&str]) -> Child {
        self.begin_with("random:6", record, bots, jobs, options)
    }

    fn begin_with(
        &self,
        openings: &str,
        record: &Path,
        bots: &[String],
        jobs: usize,
        options: &[&str],
    ) -> Child {
        let _ = fs::remove_file(record);
        let cores: Vec<String> = self.cores.iter().take(jobs).map(usize::to_string).collect();
        Command::new(env!("CARGO_BIN_EXE_mancala"))
            .args(["tournament", "--quiet", "--openings", openings, "--format=csv"])
            .args(["--cores", &cores.join(","), &format!("--jobs={jobs}"), "--record"])
            .arg(record)
            .args(options)
            .args(bots)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .spawn()
            .expect("mancala starts")
    }

    /// Matches a second, beginning and end left out: of a long tournament less a short one.
    fn rate(&self, bots: &[String], jobs: usize, options: &[&str], counts: [u32; 2]) -> f64 {
        let record = self.folder.path().join("record");
        let seconds = counts.map(|count| {
            let count = format!("--count={count}");
            let began = Instant::now();
            let mut child = self.begin(&record, bots, jobs, &[options, &[&count]].concat());
            assert!(child.wait().expect("it ends").success());
            began.elapsed().as_secs_f64()
        });
        let pairings = u32::try_from(bots.len() * (bots.len() - 1) / 2).expect("few bots");
        f64::from((counts[1] - counts[0]) * pairings) / (seconds[1] - seconds[0])
    }

    /// Seconds for the bare starting and reaping of the two programs of a match.
    fn floor(&self) -> f64 {
        bare(self.cores[0], &self.echo)
    }

    /// How many times as much two processes of ours start and reap on two cores as one on one.
    fn machine(&self) -> f64 {
        let seconds = |cores: &[usize]| -> f64 {
            let children: Vec<Child> = cores
                .iter()
                .map(|core| {
                    Command::new(std::env::current_exe().expect("this program"))
                        .args(["--bare", &core.to_string()])
                        .arg(&self.echo)
                        .stdout(Stdio::piped())
                        .spawn()
                        .expect("this program starts")
                })
                .collect();
            let each = children.into_iter().map(|child| {
                let output = child.wait_with_output().expect("it ends");
                String::from_utf8_lossy(&output.stdout).trim().parse::<f64>().expect("seconds")
            });
            each.fold(0.0, f64::max)
        };
        2.0 * seconds(&self.cores[..1]) / seconds(&self.cores[..2])
    }

    fn match_and_floor(&self) -> bool {
        let bots = Stage::four(&self.echo);
        // One after the other and again, so that a busy moment of the machine hits both.
        let mut ratio = f64::MAX;
        for _ in 0..3 {
            let floor = self.floor();
            let a_match = 1.0 / self.rate(&bots, 1, &NO_TURNS, [20, 120]);
            println!("floor {:.0} µs, a match without turns {:.0} µs", floor * 1e6, a_match * 1e6);
            ratio = ratio.min(a_match / floor);
        }
        let what = "a match of trivial bots without its turns, beside starting and reaping both";
        told(what, ratio, " times", ratio <= 1.5, "at most 1.5")
    }

    fn scaling(&self) -> bool {
        if self.cores.len() < 2 {
            println!("scaling is not measured: there is one core");
            return true;
        }
        let mut is_good = true;
        let cases = [
            ("trivial bots", Stage::four(&self.echo), 1.7, [20, 270]),
            ("bots that compute 1 ms a move", Stage::four(&self.thinker), 1.9, [2, 14]),
        ];
        for (what, bots, bound, counts) in cases {
            let (mut best, mut machine) = (0.0_f64, 0.0_f64);
            for _ in 0..3 {
                let rates = [1, 2].map(|jobs| self.rate(&bots, jobs, &[], counts));
                println!(
                    "{what}: {:.0} and {:.0} rounds/s with 1 and 2 jobs",
                    rates[0] * 2.0,
                    rates[1] * 2.0
                );
                best = best.max(rates[1] / rates[0]);
                machine = machine.max(self.machine());
            }
            println!("the bare starting and reaping on two of these cores: {machine:.2} times");
            // What the machine itself cannot do, nothing on it can.
            if best < bound && machine < bound {
                println!("two jobs, {what}: {best:.2} times; these are no cores of their own");
                continue;
            }
            let told_bound = format!("at least {bound}");
            is_good &=
                told(&format!("two jobs, {what}"), best, " times", best >= bound, &told_bound);
        }
        is_good
    }

    /// The same game in a worker and in a match: as users run them, and where a write never wakes
    /// the other side at once. Which of the two the scheduler does depends on what ran before, and
    /// its part in the difference is what the second ratio leaves out.
    fn turn(&self) -> bool {
        let mut is_good = true;
        for (policy, class) in [("--other", "default class"), ("--batch", "batch class")] {
            if !set_policy(policy) {
                println!("a turn is not measured in the {class}: there is no chrt");
                continue;
            }
            let ratio = self.turn_beside_match();
            is_good &= told(
                &format!("a turn in a worker, beside a pinned match, {class}"),
                ratio,
                " times",
                ratio <= 1.05,
                "at most 1.05: no dearer, as far as two such runs are alike",
            );
        }
        set_policy("--other");
        is_good
    }

    /// The median of five ratios.
    fn turn_beside_match(&self) -> f64 {
        let record = self.folder.path().join("turns");
        let bots = &Stage::four(&self.echo)[..2];
        let mut ratios = Vec::new();
        for _ in 0..5 {
            let mut child = self.begin_with("standard", &record, bots, 1, &["--repeat=200"]);
            assert!(child.wait().expect("it ends").success());
            let worker = turn_in(&record);
            let _ = fs::remove_file(&record);
            pinned(self.cores[0], || {
                for _ in 0..100 {
                    let status = Command::new(env!("CARGO_BIN_EXE_mancala"))
                        .arg("match")
                        .args(bots)
                        .arg("--record")
                        .arg(&record)
                        .stdin(Stdio::null())
                        .stdout(Stdio::null())
                        .stderr(Stdio::null())
                        .status();
                    assert!(status.expect("mancala starts").success());
                }
            });
            let alone = turn_in(&record);
            println!("a turn in a worker {worker:.2} µs, in a pinned match {alone:.2} µs");
            ratios.push(worker / alone);
        }
        ratios.sort_by(f64::total_cmp);
        ratios[ratios.len() / 2]
    }

    fn reuse(&self) -> bool {
        let python = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/python/greedy.py");
        if !Command::new("python3").arg("--version").output().is_ok_and(|o| o.status.success()) {
            println!("reuse is not measured: there is no python3");
            return true;
        }
        let bots: Vec<String> =
            (1..=4).map(|number| format!("bot-{number}=python3 {}", python.display())).collect();
        let fresh = self.rate(&bots, 1, &[], [1, 5]);
        let reused = self.rate(&bots, 1, &["--reuse-bots"], [5, 45]);
        println!("Python: {fresh:.1} matches/s, with --reuse-bots {reused:.1}");
        let ratio = reused / fresh;
        told("--reuse-bots with Python", ratio, " times", ratio >= 5.0, "at least 5")
    }

    fn coordinator(&self) -> bool {
        let record = self.folder.path().join("coordinator");
        let bots = Stage::four(&self.echo);
        let mut child = self.begin(&record, &bots, self.cores.len().min(2), &["--count=400"]);
        let first = at_least(&child, &record, 300);
        let last = at_least(&child, &record, 1800);
        assert!(child.wait().expect("it ends").success());
        let each = last.1.saturating_sub(first.1).as_secs_f64() * 1e6 / (last.0 - first.0) as f64;
        told("the coordinating process", each, " µs a match", each <= 50.0, "at most 50")
    }

    fn ten_millions(&self) -> bool {
        let record = self.folder.path().join("millions");
        let mut bots = Stage::four(&self.echo);
        bots.push(format!("bot-5={}", self.echo.display()));
        let options = ["--openings=standard", "--count=1", "--repeat=1000000"];
        let began = Instant::now();
        let mut child = Command::new(env!("CARGO_BIN_EXE_mancala"))
            .args(["tournament", "--quiet", "--jobs=1", "--oversubscribe", "--record"])
            .arg(&record)
            .args(options)
            .args(&bots)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .spawn()
            .expect("mancala starts");
        while played(&record) < 1 {
            std::thread::sleep(Duration::from_millis(1));
        }
        let seconds = began.elapsed().as_secs_f64();
        let memory = status(&child, "VmHWM:") / 1024.0;
        rustix::process::kill_process(
            rustix::process::Pid::from_child(&child),
            rustix::process::Signal::TERM,
        )
        .expect("it runs");
        let _ = child.wait();
        let starts =
            told("first of ten million matches after", seconds, " s", seconds <= 1.0, "at most 1");
        let bound = "at most 32: ten million numbers alone are 76";
        told("memory of their coordinator", memory, " MiB", memory <= 32.0, bound) && starts
    }
}

/// Lines of a record file that are matches.
fn played(record: &Path) -> usize {
    fs::read_to_string(record).unwrap_or_default().lines().count().saturating_sub(1)
}

/// Waits for so many matches; how many there are then, and the processor time of the process.
fn at_least(child: &Child, record: &Path, matches: usize) -> (usize, Duration) {
    loop {
        let there = played(record);
        if there >= matches {
            let schedule = fs::read_to_string(format!("/proc/{}/schedstat", child.id()));
            let schedule = schedule.expect("it still runs");
            let nanoseconds = schedule.split_whitespace().next().expect("the time");
            return (there, Duration::from_nanos(nanoseconds.parse().expect("a number")));
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A number of a process's status, in KiB.
fn status(child: &Child, key: &str) -> f64 {
    let text = fs::read_to_string(format!("/proc/{}/status", child.id())).expect("it runs");
    let line = text.lines().find_map(|line| line.strip_prefix(key)).expect("Linux tells");
    line.split_whitespace().next().expect("a number").parse().expect("it is one")
}

/// The mean time of a move in a file, in microseconds: the first of each process, which holds its
/// start, is left out, and of the others a tenth on either side.
fn turn_in(record: &Path) -> f64 {
    let mut times = Vec::new();
    for line in fs::read_to_string(record).expect("it is there").lines() {
        let record: Value = serde_json::from_str(line).expect("it is JSON");
        let mut has_answered = HashSet::new();
        for round in record["rounds"].as_array().into_iter().flatten() {
            for played in round["moves"].as_array().into_iter().flatten() {
                let bot = played["bot"].as_u64().expect("a bot");
                if !has_answered.insert(bot) {
                    times.push(played["ms"].as_f64().expect("a time"));
                }
            }
        }
    }
    times.sort_by(f64::total_cmp);
    let outside = times.len() / 10;
    let inside = &times[outside..times.len() - outside];
    inside.iter().sum::<f64>() / f64::from(u32::try_from(inside.len()).expect("few")) * 1e3
}

/// Has this process, and what it starts from now on, scheduled so. False where that cannot be.
fn set_policy(policy: &str) -> bool {
    let pid = std::process::id().to_string();
    let status = Command::new("chrt").args([policy, "--pid", "0", &pid]).status();
    status.is_ok_and(|status| status.success())
}

/// One processor of each core that this process may use.
fn cores() -> Vec<usize> {
    let mut siblings: Vec<String> = Vec::new();
    let mut cores = Vec::new();
    for core in echoing::processors() {
        let file = format!("/sys/devices/system/cpu/cpu{core}/topology/thread_siblings_list");
        let threads = fs::read_to_string(file).unwrap_or_else(|_| core.to_string());
        if !siblings.contains(&threads) {
            siblings.push(threads);
            cores.push(core);
        }
    }
    cores
}

/// Seconds for the bare starting and reaping of two programs on a processor.
fn bare(core: usize, program: &Path) -> f64 {
    const TIMES: u32 = 400;
    pinned(core, || {
        let began = Instant::now();
        for _ in 0..TIMES {
            echoing::start_and_reap_two(program);
        }
        began.elapsed().as_secs_f64() / f64::from(TIMES)
    })
}

/// Does something with this thread, and so the programs it starts, bound to a processor.
fn pinned<T>(core: usize, work: impl FnOnce() -> T) -> T {
    let before = echoing::processors();
    echoing::bind_to(&[core]);
    let done = work();
    echoing::bind_to(&before);
    done
}
