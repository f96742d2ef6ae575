//! The sound functions and programs in `examples`, and what a check of one has to say.

use std::process::{Command, Stdio};

use serde_json::Value;

/// A function or program behind its adapter, and the options of its check.
pub type Example<'a> = (&'a str, &'a str);

/// Those whose whole check is a test.
pub const WHOLE: &[Example<'_>] = &[(
    "python3 examples/learneroo/adapter.py examples/learneroo/answers/greedy.py",
    "--rules=learneroo",
)];

/// Those of whose check a test plays a part: they take long to start, start a program for every
/// move, or are much like another. Java starts sooner with these options.
pub const SAMPLED: &[Example<'_>] = &[
    (
        "java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC \
         examples/learneroo/Adapter.java examples/learneroo/answers/Spread.java",
        "--rules=learneroo",
    ),
    (
        "java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC \
         examples/adapters/ChooseMove.java \
         examples/adapters/samples/fairkalah/PatientPlayer.java",
        "--rules=ece1021 --game-time=10s",
    ),
    (
        "python3 examples/adapters/kgp.py python3 examples/adapters/samples/kgp_client.py",
        "--rules=kalah",
    ),
    (
        "python3 examples/adapters/oneshot.py python3 examples/adapters/samples/last_house.py",
        "--rules=kalah",
    ),
    (
        "python3 examples/learneroo/adapter.py examples/learneroo/answers/another_turn.py",
        "--rules=learneroo",
    ),
    (
        "python3 examples/adapters/lines.py --preset buet python3 examples/adapters/samples/buet_bot.py",
        "--rules=kalah",
    ),
];

/// Checks a bot with this `mancala check` for at most so long, such as `10m`. Time is not the question, but compilers that
/// start with each process take much of it. Returns the probes that were not played to their end.
///
/// # Errors
///
/// What was found, or a probe that was left out.
pub fn check(
    mut check: Command,
    (bot, options): Example<'_>,
    budget: &str,
) -> Result<Vec<String>, String> {
    let output = check
        .args([bot, "--seed=1", "--move-time=20s", "--start-time=60s", "--format=json"])
        .args(["--budget", budget])
        .args(options.split_whitespace())
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .stdin(Stdio::null())
        .output()
        .expect("mancala starts");
    let stdout = String::from_utf8_lossy(&output.stdout);
    let told =
        || format!("{bot}: {}: {stdout}{}", output.status, String::from_utf8_lossy(&output.stderr));
    if !output.status.success() || !output.stderr.is_empty() {
        return Err(told());
    }
    let report: Value = serde_json::from_str(&stdout).map_err(|_| told())?;
    let probes = report["probes"].as_array().ok_or_else(told)?;
    // A probe that is not left out asks the bot something; the last one looks at all times.
    let is_empty = |probe: &Value| {
        probe["answers"] == 0 && probe["cut_short"].is_null() && probe["probe"] != "times"
    };
    if report["findings"] != Value::Array(Vec::new())
        || probes.len() != 13
        || probes.iter().any(is_empty)
        || probes[0]["answers"] == 0
    {
        return Err(told());
    }
    let cut_short = probes.iter().filter(|probe| !probe["cut_short"].is_null());
    Ok(cut_short.map(|probe| probe["probe"].to_string()).collect())
}
