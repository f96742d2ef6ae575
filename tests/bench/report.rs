//! Reports of 1,000 matches, of few bots and of many, sound and faulty, and of 100,000: how large they are, how fast and
//! in how much memory they are made, and how fast a browser shows them.
//!
//! ```text
//! cargo bench --bench report           100,000 matches
//! cargo bench --bench report -- 20000  another number of them
//! ```
//!
//! The matches are played games, written again and again under other numbers; once more with values
//! in each move, as `analyse --write` leaves them. It fails, with exit code 1, when a bound is
//! missed. The speed is by processor time, so that other work on the machine changes it less. Without
//! Chromium its part is left out, which is said.

#[path = "../it/report/browser/webdriver.rs"]
mod webdriver;

use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use webdriver::Session;

const MANCALA: &str = env!("CARGO_BIN_EXE_mancala");

/// Steps of the board that are timed, of as many rounds as it takes.
const STEPS: u32 = 200;

fn main() -> ExitCode {
    let number = std::env::args().find_map(|argument| argument.parse().ok());
    let matches: usize = number.unwrap_or(100_000);
    let folder = tempfile::tempdir().expect("a folder is made");
    let names: Vec<String> = (1..=10).map(|bot| format!("bot-{bot}")).collect();
    let played = play(folder.path(), "played.jsonl", &names, 12, built_in);
    let analysed = analyse(folder.path());
    let class: Vec<String> = (1..=45).map(|bot| format!("student-{bot:02}-smith")).collect();
    let played_by_class = play(folder.path(), "class.jsonl", &class, 2, built_in);
    let faulty = play(folder.path(), "faulty.jsonl", &class, 2, |_, _| FAULTY.to_owned());
    let files = [
        ("small", 1000.min(matches), &played, 10),
        ("many-bots", 1000.min(matches), &played_by_class, 45),
        ("faulty", 1000.min(matches), &faulty, 45),
        ("large", matches, &played, 10),
        ("analysed", matches, &analysed, 10),
    ];
    let mut is_good = true;
    for (name, matches, lines, bots) in files {
        let record = folder.path().join(format!("{name}.jsonl"));
        let bytes = write_matches(&record, lines, matches);
        println!("{name}: {matches} matches, {:.1} MB", megabytes(bytes));
        let page = record.with_extension("html");
        let (seconds, memory) = report(&record);
        let size = megabytes(page.metadata().expect("a page is there").len());
        let most = if matches > 1000 { 15.0 } else { 2.0 };
        is_good &= shown("size of the page", size, "MB", size <= most, &format!("at most {most}"));
        is_good &= shown("memory", memory, "MiB", memory <= 128.0, "at most 128");
        if matches > 1000 {
            let speed = megabytes(bytes) / seconds;
            is_good &= shown("speed", speed, "MB/s", speed >= 100.0, "at least 100");
        }
        fs::remove_file(&record).expect("it is removed");
        is_good &= is_shown_fast(&page, bots);
    }
    if is_good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Prints a number beside its bound; returns whether it is within it.
fn shown(what: &str, number: f64, unit: &str, is_good: bool, bound: &str) -> bool {
    let verdict = if is_good { "" } else { ": MISSED" };
    println!("  {what}: {number:.2} {unit} ({bound}){verdict}");
    is_good
}

fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}

/// Plays the first legal house, and faults in one of five ways after a while, with a long stderr.
const FAULTY: &str = r#"bash -c 'n=0; while read -r line; do case $line in *type*turn*) \
n=$((n + 1)); house=${line#*legal*[}; house=${house%%[],]*}; if [ $n -lt 12 ]; then \
echo "{\"move\":$house,\"info\":{\"score\":$n}}"; continue; fi; \
for i in {1..60}; do echo "<$i> File \"bot.py\", line $n, in <module>" >&2; done; \
case $((RANDOM % 5)) in 0) echo 9;; 1) echo "<house>";; 2) printf "$house\n$house\n";; \
3) printf "%70000s\n" x;; 4) exit $n;; esac;; esac; done'"#;

/// The command of a built-in bot; the last one answers what is not a house.
fn built_in(number: usize, is_last: bool) -> String {
    let level = if number.is_multiple_of(2) { "random" } else { "easy" };
    if is_last {
        r#"sh -c 'while read line; do case $line in *type*turn\"*) echo 9; esac; done'"#.to_owned()
    } else {
        format!("builtin:{level} --seed {number}")
    }
}

/// The lines of a tournament of bots with these names and commands, its header first.
fn play(
    folder: &Path,
    file: &str,
    names: &[String],
    openings: u32,
    command: impl Fn(usize, bool) -> String,
) -> Vec<String> {
    let record = folder.join(file);
    let bots = names.iter().zip(1..);
    let bots = bots.map(|(name, n)| format!("{name}={}", command(n, n == names.len())));
    let status = Command::new(MANCALA)
        .args(["tournament", "--quiet", "--oversubscribe", "--openings=random:4"])
        .args([&format!("--count={openings}"), "--move-time=10s", "--record"])
        .arg(&record)
        .args(bots)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .expect("mancala starts");
    assert!(status.success(), "{status}");
    lines_of(&record)
}

/// Writes so many matches, under the numbers and openings of a plan with so many. Returns how many
/// bytes they are.
fn write_matches(path: &Path, played: &[String], matches: usize) -> u64 {
    let mut out = BufWriter::new(File::create(path).expect("the file is made"));
    let mut header: Value = serde_json::from_str(&played[0]).expect("a header");
    let bots = header["plan"]["bots"].as_array().expect("a plan has bots").len();
    let pairs = bots * (bots - 1) / 2;
    header["plan"]["count"] = json!(matches.div_ceil(pairs));
    writeln!(out, "{header}").expect("it is written");
    let lines =
        played[1..].iter().filter(|line| line.starts_with(r#"{"format":"mancala-match/1""#));
    let mut lines: Vec<(usize, [&str; 2])> = lines.map(|line| parts(line)).collect();
    // Matches end in another order than they have in the plan. Who sits first in a pairing changes from
    // opening to opening, so an even number of openings is played.
    lines.sort_unstable();
    for (index, (_, [before, after])) in (0..matches).zip(lines.iter().cycle()) {
        let (number, opening) = (index + 1, index / pairs + 1);
        writeln!(out, r#"{before}"match":{number},"opening":{opening},{after}"#)
            .expect("it is written");
    }
    out.flush().expect("it is written");
    path.metadata().expect("it is there").len()
}

/// The number of a match in its tournament, and its line before and after the numbers.
fn parts(line: &str) -> (usize, [&str; 2]) {
    let (before, rest) = line.split_once(r#""match":"#).expect("a match of a tournament");
    let (number, rest) = rest.split_once(r#","opening":"#).expect("it has an opening");
    let (_, after) = rest.split_once(',').expect("the digests follow");
    (number.parse().expect("a number"), [before, after])
}

/// The matches as an analysis leaves them.
fn analyse(folder: &Path) -> Vec<String> {
    let output = Command::new(MANCALA)
        .current_dir(folder)
        .args(["analyse", "played.jsonl", "--time=30ms", "--write=analysed-once.jsonl", "-q"])
        .output()
        .expect("mancala starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    lines_of(&folder.join("analysed-once.jsonl"))
}

fn lines_of(file: &Path) -> Vec<String> {
    fs::read_to_string(file).expect("it is there").lines().map(str::to_owned).collect()
}

/// Makes a report. Returns the seconds of processor time and the most memory in MiB that it took.
fn report(record: &Path) -> (f64, f64) {
    // The file's pages are in memory, as they are right after a tournament.
    std::io::copy(&mut File::open(record).expect("it is there"), &mut std::io::sink())
        .expect("it is read");
    let mut child = Command::new(MANCALA)
        .args(["report", "--quiet"])
        .arg(record)
        .stdin(Stdio::null())
        .spawn()
        .expect("mancala starts");
    let (mut nanoseconds, mut kilobytes) = (0.0, 0.0);
    let status = loop {
        // Both only grow; what the last millisecond adds is missed.
        let field = |file: &str, before: &str| {
            let text = fs::read_to_string(format!("/proc/{}/{file}", child.id())).ok()?;
            let line = text.lines().find_map(|line| line.strip_prefix(before))?;
            line.split_whitespace().next()?.parse::<f64>().ok()
        };
        nanoseconds = field("schedstat", "").unwrap_or(0.0).max(nanoseconds);
        kilobytes = field("status", "VmHWM:").unwrap_or(0.0).max(kilobytes);
        if let Some(status) = child.try_wait().expect("it is ours") {
            break status;
        }
        std::thread::sleep(Duration::from_millis(1));
    };
    assert!(status.success(), "{status}");
    (nanoseconds / 1e9, kilobytes / 1024.0)
}

/// Opens a page in Chromium and steps through games.
fn is_shown_fast(page: &Path, bots: u64) -> bool {
    let is_there = |program| {
        let path = std::env::var_os("PATH").unwrap_or_default();
        std::env::split_paths(&path).any(|folder: PathBuf| folder.join(program).is_file())
    };
    if !is_there("chromium") || !is_there("chromedriver") {
        println!("  in a browser: left out, since chromium or chromedriver is not installed");
        return true;
    }
    let session = Session::start();
    let run = |script: &str| session.post("/execute/async", &json!({"script": script, "args": []}));
    let address = format!("file://{}", page.display());
    session.post("/url", &json!({"url": "about:blank"}));
    // What is there was painted two frames later. The times count from the request of the page.
    let watch_ranking = format!(
        "const look = () => {{ \
           const rows = document.querySelector('#ranking .sortable')?.tBodies[0]?.rows.length; \
           if (rows !== {bots}) return requestAnimationFrame(look); \
           requestAnimationFrame(() => requestAnimationFrame(() => \
             {{ window.rankingSeen = performance.now(); }})); }}; \
         look();"
    );
    let on_new = json!({"cmd": "Page.addScriptToEvaluateOnNewDocument",
        "params": {"source": watch_ranking}});
    session.post("/goog/cdp/execute", &on_new);
    session.post("/url", &json!({"url": address}));
    let times = run("const done = arguments[arguments.length - 1]; \
        const answer = (whole) => { \
          if (window.rankingSeen) return done([window.rankingSeen, whole]); \
          requestAnimationFrame(() => answer(whole)); }; \
        requestAnimationFrame(() => requestAnimationFrame(() => answer(performance.now())))");
    let [Some(seen), Some(whole)] = [0, 1].map(|at| times[at].as_f64()) else {
        panic!("times of a page: {times}");
    };
    let seen = seen / 1000.0;
    let is_good = shown("opened until the ranking is seen", seen, "s", seen <= 2.0, "at most 2");
    println!("  opened until all of the page is laid out: {:.2} s", whole / 1000.0);
    // Without the sowing seed by seed a step does all of its work at once.
    let still = json!({"features": [{"name": "prefers-reduced-motion", "value": "reduce"}]});
    let media = json!({"cmd": "Emulation.setEmulatedMedia", "params": still});
    session.post("/goog/cdp/execute", &media);
    let metrics = json!({"cmd": "Performance.enable", "params": {"timeDomain": "threadTicks"}});
    session.post("/goog/cdp/execute", &metrics);
    let before = task_seconds(&session);
    let times = run(&format!(
        "const done = arguments[arguments.length - 1]; \
         const times = []; \
         const slider = document.querySelector('#board input'); \
         const links = [...document.querySelectorAll('table.games tbody th a')]; \
         const step = () => {{ \
           if (times.length >= {STEPS}) return done(times); \
           const before = slider.value; \
           const began = performance.now(); \
           document.querySelector('#board h2').dispatchEvent( \
             new KeyboardEvent('keydown', {{key: 'ArrowRight', bubbles: true, cancelable: true}})); \
           document.body.getBoundingClientRect(); \
           const ms = performance.now() - began; \
           if (slider.value === before) return open(); \
           times.push(ms); \
           requestAnimationFrame(step); }}; \
         const open = () => {{ \
           if (links.length === 0) return done(times); \
           location.hash = links.shift().getAttribute('href'); \
           setTimeout(() => requestAnimationFrame(step), 100); }}; \
         open();"
    ));
    let processor = 1000.0 * (task_seconds(&session) - before) / f64::from(STEPS);
    let mut times: Vec<f64> =
        times.as_array().expect("times").iter().filter_map(Value::as_f64).collect();
    times.sort_by(f64::total_cmp);
    let (median, longest) = (times[times.len() / 2], times[times.len() - 1]);
    assert_eq!(times.len().try_into(), Ok(STEPS));
    println!("  a step of the board, the longest of {STEPS}: {longest:.2} ms");
    let is_short = |what, ms| shown(what, ms, "ms", ms <= 16.0, "at most 16");
    let is_fast = is_short("a step of the board, the median", median);
    // With all that the browser does after it: the layout, and what is drawn.
    let is_light = is_short("processor time of a step", processor);
    is_good && is_fast && is_light
}

/// The processor time of the page's main thread.
fn task_seconds(session: &Session) -> f64 {
    let metrics = json!({"cmd": "Performance.getMetrics", "params": {}});
    let found = session.post("/goog/cdp/execute", &metrics);
    let all = found["metrics"].as_array().expect("metrics");
    let of_tasks = all.iter().find(|metric| metric["name"] == "TaskDuration");
    of_tasks.and_then(|metric| metric["value"].as_f64()).expect("a time")
}

/// Kills a program with all that it started.
fn end(child: &mut Child) {
    let group = rustix::process::Pid::from_child(child);
    let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    let _ = child.wait();
}
