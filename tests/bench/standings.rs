//! Standings of a million matches: how fast they are read, and in how much memory; and how often
//! the bounds of ratings cover the truth and tests err.
//!
//! ```text
//! cargo bench --bench standings            a million matches, 1,000 simulations
//! cargo bench --bench standings -- 100000  another number of matches
//! ```
//!
//! It fails, with exit code 1, below 400 MB/s, above 48 bytes a match, when the bounds cover the
//! truth in less than 93 % or more than 97 %, or when a test errs more often than it says. The
//! speed is by processor time, so that other work on the machine changes it less.

use std::fs::File;
use std::io::{BufReader, BufWriter, Write};
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

use mancala_contest::PlanFields;
use mancala_referee::standings::{
    CollectedResults, RankBy, ReadOptions, Sprt, SprtTerms, SprtVerdict, StandingsOptions,
};
use serde_json::{Value, json};

/// Read by this program itself in a process of its own, so that its memory is that of the reading.
const CHILD: &str = "read-standings-of";

const BOTS: u64 = 20;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    if let Some(at) = arguments.iter().position(|argument| argument == CHILD) {
        read(Path::new(&arguments[at + 1]));
        return ExitCode::SUCCESS;
    }
    let number = arguments.iter().find_map(|argument| argument.parse().ok());
    let matches: u64 = number.unwrap_or(1_000_000);
    let results = [speed_and_memory(matches), coverage(), errors()];
    if results.iter().all(|good| *good) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn speed_and_memory(matches: u64) -> bool {
    let folder = tempfile::tempdir().expect("a folder is made");
    let file = folder.path().join("matches.jsonl");
    let bytes = generate(&file, matches);
    let small = folder.path().join("small.jsonl");
    generate(&small, 1000.min(matches));
    let [(_, base), (seconds, memory)] = [small, file].map(|file| {
        // The file's pages are in memory, as they are right after a tournament.
        std::io::copy(&mut File::open(&file).expect("it is there"), &mut std::io::sink())
            .expect("it is read");
        let program = std::env::current_exe().expect("this program is known");
        let output = Command::new(program)
            .args([CHILD.as_ref(), file.as_os_str()])
            .stdout(Stdio::piped())
            .output()
            .expect("it starts");
        let text = String::from_utf8(output.stdout).expect("numbers");
        let mut numbers =
            text.split_whitespace().map(|word| word.parse::<f64>().expect("a number"));
        (numbers.next().expect("seconds"), numbers.next().expect("bytes"))
    });
    let (speed, each) = (bytes as f64 / 1e6 / seconds, (memory - base) / matches as f64);
    println!("{matches} matches, {bytes} bytes: {speed:.0} MB/s, {each:.1} bytes each in memory");
    speed >= 400.0 && each <= 48.0
}

/// Reads a file; prints the seconds of processor time and the most memory that it took.
fn read(file: &Path) {
    let mut results = CollectedResults::new(ReadOptions::default());
    let input = BufReader::with_capacity(256 * 1024, File::open(file).expect("it is there"));
    results.read("matches", input).expect("it is a tournament's");
    let (standings, _) = results.standings(&StandingsOptions::default()).expect("it is one");
    let schedule = std::fs::read_to_string("/proc/self/schedstat").expect("Linux tells");
    let nanoseconds: f64 =
        schedule.split_whitespace().next().expect("the time").parse().expect("it is a number");
    let seconds = nanoseconds / 1e9;
    assert_eq!(standings.rows.len() as u64, BOTS);
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux tells");
    let line = status.lines().find(|line| line.starts_with("VmHWM")).expect("the most memory");
    let kilobytes: f64 = line.split_whitespace().nth(1).expect("a number").parse().expect("it is");
    println!("{seconds} {}", kilobytes * 1024.0);
}

/// Writes so many matches of 2 rounds with 22 to 34 moves each; how many bytes they are.
fn generate(path: &Path, matches: u64) -> u64 {
    let mut out = BufWriter::new(File::create(path).expect("the file is made"));
    let mut random = Random(1);
    let names: Vec<Value> =
        (0..BOTS).map(|bot| json!({"name": format!("bot-{bot}"), "command": ["x"]})).collect();
    let plan = json!({"format": "round-robin", "count": 1, "repeat": matches, "bots": names});
    let id = "00000000000000aa";
    let header = json!({"format": "mancala-tournament/1", "id": id, "plan": plan, "shard": [1, 1]});
    writeln!(out, "{header}").expect("it is written");
    let fields: PlanFields = serde_json::from_value(plan).expect("it is a plan");
    let schedule = fields.schedule().expect("its matches have an order");
    for number in 1..=matches {
        let fixture = schedule.fixture(number).expect("the plan has as many matches");
        let ([one, other], opening) = (fixture.bots.0, fixture.opening);
        let score = [0, 1].map(|_| random.next() % 37);
        let rounds: Vec<String> =
            (0..2).map(|index| round(index, score[index], &mut random)).collect();
        let [a, b] = [score[0] + score[1], 72 - score[0] - score[1]];
        let winner = match a.cmp(&b) {
            std::cmp::Ordering::Greater => "0",
            std::cmp::Ordering::Less => "1",
            std::cmp::Ordering::Equal => "null",
        };
        writeln!(
            out,
            r#"{{"format":"mancala-match/1","started":"2026-03-01T12:00:00.000Z","tournament":{{"id":"{id}","match":{number},"opening":{opening},"games":["{:016x}","{:016x}"]}},"rules":{{"name":"learneroo","seeds":3,"opponent_store":"sow","direction":"forward","empty_capture":true}},"opening":[3,3,3,3,3,3,0,3,3,3,3,3,3,0],"limits":{{"move_time_ms":1000,"start_time_ms":10000,"margin_ms":50,"max_moves":1000,"resources":{{"memory_bytes":1073741824,"processes":256,"file_size_bytes":67108864,"cpu_time_ms":3600000}}}},"bots":[{{"name":"bot-{one}","command":["./bot-{one}"]}},{{"name":"bot-{other}","command":["./bot-{other}"]}}],"planned_rounds":2,"rounds":[{},{}],"score":[{a},{b}],"winner":{winner}}}"#,
            random.next(),
            random.next(),
            rounds[0],
            rounds[1]
        )
        .expect("it is written");
    }
    out.flush().expect("it is written");
    path.metadata().expect("it is there").len()
}

fn round(index: usize, score: u64, random: &mut Random) -> String {
    let moves = 22 + random.next() % 13;
    let moves: Vec<String> = (0..moves)
        .map(|number| {
            let (house, micros) = (random.next() % 6, random.next() % 900);
            format!(r#"{{"bot":{},"move":{house},"ms":0.{micros:03}}}"#, number % 2)
        })
        .collect();
    format!(
        r#"{{"round":{},"first":{index},"moves":[{}],"result":{{"reason":"completed","fault":null,"score":[{score},{}]}},"final":[0,0,0,0,0,0,{score},0,0,0,0,0,0,{}]}}"#,
        index + 1,
        moves.join(","),
        36 - score,
        36 - score
    )
}

/// How often the 95 % bounds of ratings cover the truth.
fn coverage() -> bool {
    const SIMULATIONS: u32 = 1000;
    let truth = [150.0, 60.0, 0.0, -70.0, -140.0];
    let mut random = Random(2);
    let (mut covered, mut all) = (0, 0);
    for _ in 0..SIMULATIONS {
        let mut lines = Vec::new();
        let mut number = 0;
        for other in 0..truth.len() {
            for one in 0..other {
                for _ in 0..60 {
                    number += 1;
                    let (win, draw) = expected(truth[one] - truth[other], 0.6);
                    let score = match random.unit() {
                        point if point < win => 30,
                        point if point < win + draw => 18,
                        _ => 6,
                    };
                    lines.push(short_match(number, [one, other], score));
                }
            }
        }
        let mut results = CollectedResults::new(ReadOptions::default());
        results.read("simulated", lines.concat().as_bytes()).expect("they are matches");
        let options = StandingsOptions { rank_by: RankBy::Rating, ..StandingsOptions::default() };
        let (standings, _) = results.standings(&options).expect("they are standings");
        for row in standings.rows {
            let bot: usize = row.name.parse().expect("a number");
            let (low, high) = (row.rating_low.expect("bounds"), row.rating_high.expect("bounds"));
            covered += u32::from((low..=high).contains(&truth[bot]));
            all += 1;
        }
    }
    let share = f64::from(covered) / f64::from(all);
    println!("95 % bounds cover the truth in {:.1} % of {all} ratings", share * 100.0);
    (0.93..=0.97).contains(&share)
}

/// The probabilities of a win and a draw by Davidson's model.
fn expected(lead: f64, readiness: f64) -> (f64, f64) {
    let strength = 10_f64.powf(lead / 400.0);
    let draw = readiness * strength.sqrt();
    let total = strength + draw + 1.0;
    (strength / total, draw / total)
}

fn short_match(number: u32, bots: [usize; 2], score: u32) -> String {
    let other = 36 - score;
    let winner = match score.cmp(&other) {
        std::cmp::Ordering::Greater => "0",
        std::cmp::Ordering::Less => "1",
        std::cmp::Ordering::Equal => "null",
    };
    let [a, b] = bots;
    format!(
        r#"{{"format":"mancala-match/1","tournament":{{"id":"00000000000000aa","match":{number},"opening":1,"games":[]}},"rules":{{"name":"learneroo","seeds":3,"opponent_store":"sow","direction":"forward","empty_capture":true}},"opening":[3,3,3,3,3,3,0,3,3,3,3,3,3,0],"limits":{{"move_time_ms":1000}},"bots":[{{"name":"{a}","command":["{a}"]}},{{"name":"{b}","command":["{b}"]}}],"rounds":[{{"round":1,"first":0,"moves":[],"result":{{"reason":"completed","fault":null,"score":[{score},{other}]}},"final":[0,0,0,0,0,0,{score},0,0,0,0,0,0,{other}]}}],"score":[{score},{other}],"winner":{winner}}}
"#
    )
}

/// How often a test at 5 % errs when one of its hypotheses is the truth.
fn errors() -> bool {
    const SIMULATIONS: u32 = 1000;
    let terms: SprtTerms = "elo0=0,elo1=30".parse().expect("they are terms");
    let mut random = Random(3);
    let mut all_good = true;
    for (truth, wrong) in [(terms.elo0(), SprtVerdict::Accept), (terms.elo1(), SprtVerdict::Reject)]
    {
        // Five outcomes, their mean moved until the normalised Elo is the truth.
        let even = [0.1, 0.2, 0.4, 0.2, 0.1];
        let deviation = 0.075_f64.sqrt();
        let scale = 800.0 / 10_f64.ln();
        let shift = truth / scale * deviation * 2_f64.sqrt();
        // A tilt keeps the variance nearly as it is.
        let tilted =
            |index: u32, share: f64| share * (1.0 + (f64::from(index) / 4.0 - 0.5) * shift / 0.075);
        let shares: Vec<f64> = (0..).zip(even).map(|(index, share)| tilted(index, share)).collect();
        let (mut errors, mut matches) = (0, 0);
        for _ in 0..SIMULATIONS {
            let mut sprt = Sprt::new(terms);
            let verdict = loop {
                let mut point = random.unit();
                let outcome = shares.iter().position(|share| {
                    point -= share;
                    point < 0.0
                });
                let halves = u8::try_from(outcome.unwrap_or(4)).expect("one of five");
                matches += 1;
                sprt.add(sprt.upto() + 1, Some(halves));
                if let Some((_, verdict)) = sprt.decided() {
                    break verdict;
                }
            };
            errors += u32::from(verdict == wrong);
        }
        let share = f64::from(errors) / f64::from(SIMULATIONS);
        let mean = f64::from(matches) / f64::from(SIMULATIONS);
        println!(
            "SPRT at 5 %, true normalised Elo {truth}: {:.1} % errors, {mean:.0} matches on the mean",
            share * 100.0
        );
        // 5 % and three standard deviations of 1,000 simulations.
        all_good &= share <= 0.071;
    }
    all_good
}

/// Random numbers that a seed fixes (splitmix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// At least 0 and below 1.
    fn unit(&mut self) -> f64 {
        f64::from(u32::try_from(self.next() >> 32).expect("half of 64 bits")) / 2_f64.powi(32)
    }
}
