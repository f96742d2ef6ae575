//! What people and programs read, letter by letter: a change of any format shows here.
//!
//! After a change that is meant, `SNAPSHOTS=overwrite cargo test golden` writes the files anew.

use std::fs;

use snapbox::{assert_data_eq, file};

use crate::program::{hostile, mancala, path, repository};

/// One match with a forfeit and one with faults that were substituted, as files hold them.
fn records() -> String {
    path(repository().join("tests/it/golden/records.jsonl"))
}

fn shown(format: mancala_referee::report::OutputFormat, columns: Option<usize>) -> String {
    use mancala_referee::record::Reader;
    use mancala_referee::report::{Width, write_match};

    let text = fs::read(records()).expect("the records are there");
    let mut shown = Vec::new();
    for record in Reader::new(&*text) {
        let (_, record) = record.expect("a record");
        let width = columns.map_or(Width::Whole, Width::Columns);
        write_match(&mut shown, &record, format, width).expect("it is written to memory");
    }
    String::from_utf8(shown).expect("it is text")
}

#[test]
fn a_match_is_shown_in_every_format() {
    use mancala_referee::report::OutputFormat;

    assert_data_eq!(shown(OutputFormat::Table, None), file!["golden/match/table.txt"]);
    assert_data_eq!(shown(OutputFormat::Table, Some(80)), file!["golden/match/table-80.txt"]);
    assert_data_eq!(shown(OutputFormat::Table, Some(40)), file!["golden/match/table-40.txt"]);
    assert_data_eq!(shown(OutputFormat::Markdown, None), file!["golden/match/table.md"].raw());
    assert_data_eq!(shown(OutputFormat::Csv, None), file!["golden/match/rows.csv"]);
    // A record is written as it was read.
    let records = fs::read_to_string(records()).expect("the records are there");
    assert_eq!(shown(OutputFormat::Json, None), records);
}

#[test]
fn a_replay_is_shown_in_every_format() {
    let replay = |options: &[&str]| {
        mancala(["replay", "tests/it/golden/records.jsonl"]).args(options).run().success().stdout
    };
    assert_data_eq!(replay(&[]), file!["golden/replay/replay.txt"]);
    assert_data_eq!(replay(&["--format", "json"]), file!["golden/replay/replay.jsonl"].raw());
    assert_data_eq!(replay(&["--match=2", "--round=1"]), file!["golden/replay/replay-round.txt"]);
}

#[test]
fn rules_and_help_are_shown() {
    let stdout = |arguments: &[&str]| mancala(arguments).run().success().stdout;
    assert_data_eq!(stdout(&["rules", "cs221"]), file!["golden/help/rules.txt"]);
    assert_data_eq!(stdout(&["replay", "--help"]), file!["golden/help/help-replay.txt"]);
}

/// The text with every measured time, which has three decimals, as `#`, and every time of day as
/// `@`. Lines lose what aligns them, in Markdown the blanks before a time.
fn untimed(text: &str) -> String {
    let mut shown = String::new();
    for line in text.lines() {
        let mut rest = line.trim();
        while let Some(first) = rest.chars().next() {
            let number = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            let decimals = rest[number..]
                .strip_prefix('.')
                .map(|after| after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len()));
            let is_measured = number > 0 && decimals.is_some_and(|count| count > 0);
            let length = if rest.starts_with("20") && rest.get(10..11) == Some("T") {
                shown.push('@');
                rest.find('Z').map_or(rest.len(), |end| end + 1)
            } else if let Some(decimals) = decimals.filter(|&count| {
                // JSON leaves zeros at the end away.
                is_measured && (count == 3 || shown.trim_end().ends_with("ms\":"))
            }) {
                if line.starts_with('|') {
                    shown.truncate(shown.trim_end().len());
                    shown.push(' ');
                }
                shown.push('#');
                number + 1 + decimals
            } else {
                let length = number.max(first.len_utf8());
                shown.push_str(&rest[..length]);
                length
            };
            rest = &rest[length..];
        }
        shown.push('\n');
    }
    shown
}

/// What a check of a bot with a fault and a warning came to.
fn check_report() -> mancala_referee::report::CheckReport {
    use std::time::Duration;

    use mancala_referee::protocol::FaultKind;
    use mancala_referee::record::{BotRecord, Terms};
    use mancala_referee::report::{
        AnswerTimes, CheckFormat, CheckNote, CheckReport, Finding, GamesReport, Probe, ProbeReport,
        ProbeResult, Severity, Spread,
    };
    use mancala_referee::rules::RulesetName;

    let probe = |probe, result, rounds, answers, cut_short: Option<&str>| ProbeReport {
        probe,
        result,
        rounds,
        answers,
        cut_short: cut_short.map(Into::into),
    };
    let finding = |severity, kind| Finding {
        severity,
        kind,
        probes: vec![Probe::Start, Probe::Games],
        times: 3,
        what: "it writes text to stdout where a move is expected".to_owned(),
        during: "kalah against random, round 1 as starter, its turn 2".to_owned(),
        sent: vec![r#"{"type":"turn","turn":2}"#.to_owned()],
        received: "not JSON, got \u{1b}[2J hello".to_owned(),
        stderr: "one line\nanother line\n".to_owned(),
        fix: "Print messages for people to stderr. On stdout is one line for each turn: 3, or \
              {\"move\":3}."
            .to_owned(),
    };
    let ms = Duration::from_micros;
    let times = Spread { count: 4, median: ms(120), p99: ms(4_500), longest: ms(4_500) };
    CheckReport {
        format: CheckFormat::V2,
        bot: BotRecord {
            name: "mine".into(),
            command: vec!["./mine".into(), "--fast".into()],
            ..BotRecord::default()
        },
        seed: 7,
        budget_ms: 60_000,
        limits: Terms::default(),
        probes: vec![
            probe(Probe::Start, ProbeResult::Clean, 1, 1, None),
            probe(Probe::Games, ProbeResult::Findings, 4, 12, None),
            probe(Probe::Names, ProbeResult::LeftOut, 0, 0, Some("the budget of 1m is spent")),
        ],
        games: vec![GamesReport {
            rules: RulesetName::Kalah.rules(),
            opponent: "random".to_owned(),
            won: 1,
            drawn: 0,
            lost: 0,
            faulted: 1,
        }],
        times: AnswerTimes { first_answers: Some(times), other_answers: None },
        notes: vec![CheckNote { probe: Probe::Games, what: "it writes to stderr".to_owned() }],
        findings: vec![
            finding(Severity::Fault, Some(FaultKind::InvalidReply)),
            finding(Severity::Warning, None),
        ],
    }
}

#[test]
fn a_check_is_shown_in_every_format() {
    use mancala_referee::report::{Width, write_check};
    use mancala_referee::text::write_json_line;

    let report = check_report();
    let (mut table, mut json) = (Vec::new(), Vec::new());
    write_check(&mut table, &report, Width::Whole).expect("it is written to memory");
    write_json_line(&mut json, &report).expect("it is written to memory");
    let text = |bytes| String::from_utf8(bytes).expect("it is text");
    assert_data_eq!(text(table), file!["golden/check/check.txt"].raw());
    assert_data_eq!(text(json), file!["golden/check/check.jsonl"].raw());
}

#[test]
fn openings_and_values_are_shown_in_every_format() {
    let openings = ["openings", "random:3", "--count=4", "--seed=1"];
    let openings = mancala(openings).run().success().stdout;
    assert_data_eq!(openings, file!["golden/solve/openings.txt"].raw());
    let solve = |format: &str| {
        let board = "--opening=0,0,0,0,2,1,20,3,1,0,0,0,1,20";
        let solve = ["solve", "--rules=kalah", board, "--format", format];
        let shown = untimed(&mancala(solve).run().success().stdout);
        // How much work it is depends on the solver's tables.
        let is_effort = |line: &&str| !line.contains(" positions in ");
        let lines = shown.lines().filter(is_effort).collect::<Vec<_>>().join("\n");
        match lines.split_once("\"nodes\":") {
            Some((before, after)) => {
                format!("{before}\"nodes\":{}", after.trim_start_matches(|c: char| c != ','))
            }
            None => lines,
        }
    };
    assert_data_eq!(solve("table"), file!["golden/solve/solve.txt"].raw());
    assert_data_eq!(solve("json"), file!["golden/solve/solve.jsonl"].raw());
    assert_data_eq!(solve("csv"), file!["golden/solve/solve.csv"].raw());
}

#[test]
fn a_tournament_and_its_standings_are_shown_in_every_format() {
    let folder = tempfile::tempdir().expect("a folder is made");
    let file = path(folder.path().join("tournament.jsonl"));
    let bots =
        ["a=builtin:random --seed 1", "b=builtin:random --seed 2", "c=builtin:easy --seed 3"];
    let plan = ["--openings=random:2", "--count=2", "--seed=1"];
    let dry_run = mancala(["tournament", "--dry-run"]).args(bots).args(plan).run().success();
    let mut dry_run = dry_run.stdout;
    for (before, after) in [("time        about ", " on one core"), ("up to ", " ms")] {
        let begin = dry_run.find(before).expect(before) + before.len();
        let end = begin + dry_run[begin..].find(after).expect(after);
        dry_run.replace_range(begin..end, "X");
    }
    assert_data_eq!(dry_run, file!["golden/tournament/tournament-dry-run.txt"].raw());
    let dumped = mancala(["tournament", "--dump-config"]).args(bots).args(plan).run().success();
    assert_data_eq!(dumped.stdout, file!["golden/tournament/tournament.toml"].raw());
    let options = ["--move-time=20s", "--jobs=1", "--oversubscribe", "--quiet", "--record", &file];
    let played = mancala(["tournament"]).args(bots).args(plan).args(options).run().code(0);
    assert_data_eq!(played.stdout, file!["golden/tournament/standings.txt"].raw());
    for (format, golden) in [
        ("table", file!["golden/tournament/standings.txt"].raw()),
        ("markdown", file!["golden/tournament/standings.md"].raw()),
        ("csv", file!["golden/tournament/standings.csv"].raw()),
        ("json", file!["golden/tournament/standings.jsonl"].raw()),
    ] {
        let standings = mancala(["standings", &file, "--format", format]).run().success();
        assert_data_eq!(standings.stdout, golden);
    }
    let lines = fs::read_to_string(&file).expect("the file is there");
    let events =
        ["--events=-", "--resume", "--oversubscribe", "--record", &file, "--move-time=20s"];
    // All has been played: what is left to tell is its beginning and its end.
    let told = mancala(["tournament"]).args(bots).args(plan).args(events).run().code(0);
    assert_data_eq!(untimed(&told.stdout), file!["golden/tournament/events.jsonl"].raw());
    assert_eq!(lines, fs::read_to_string(&file).expect("the file is there"));
}

#[test]
fn a_log_a_bundle_and_its_reproduction_are_shown() {
    let folder = tempfile::tempdir().expect("a folder is made");
    let logs = path(folder.path());
    let hostile = hostile("words 1 2");
    let bots = [format!("w={hostile}"), "b=builtin:random --seed 1".to_owned()];
    let time = ["--move-time=20s", "--rounds=1"];
    mancala(["match", "--log", &logs]).args(time).args(&bots).run().code(0);
    let program = env!("CARGO_BIN_EXE_hostile");
    let shown = |text: &str| untimed(&text.replace(&logs, "LOGS").replace(program, "hostile"));
    let file = |name: &str| {
        shown(&fs::read_to_string(folder.path().join("w-vs-b-1").join(name)).expect("it is there"))
    };
    assert_data_eq!(file("w.txt"), file!["golden/log/log.txt"].raw());
    assert_data_eq!(file("fault-1-2-w.json"), file!["golden/log/bundle.json"].raw());
    let bundle = path(folder.path().join("w-vs-b-1/fault-1-2-w.json"));
    let outcome = mancala(["reproduce", "--from-start", &bundle, &hostile]).run();
    assert_data_eq!(shown(&outcome.stdout), file!["golden/log/reproduce.txt"].raw());
}

#[test]
fn a_game_of_play_is_shown() {
    let opening = "--opening=0,0,0,0,1,1,31,0,1,0,0,0,3,23";
    let shown = |options: &[&str], typed: &str| {
        mancala(["play", "--plain", opening]).args(options).stdin(typed).run().success().stdout
    };
    let two_people = shown(&[], "6\nfive\nhint exact\nundo\nhelp\n6\n5\n");
    assert_data_eq!(two_people, file!["golden/play/play.txt"].raw());
    let against = shown(&["--against=builtin:random --seed 1", "--rules=kalah"], "6\n5\n");
    assert_data_eq!(against, file!["golden/play/play-against.txt"].raw());
}

#[test]
fn feedback_pages_and_live_lines_are_shown() {
    let folder = tempfile::tempdir().expect("a folder is made");
    let (own, program) = (path(folder.path()), env!("CARGO_BIN_EXE_hostile"));
    // The folder, the program's path and the identity that follows from them differ by machine.
    let shown = |text: &str| {
        let is_same = |line: &&str| !line.contains("in use by other tournaments");
        let mut lines: Vec<String> = text.lines().filter(is_same).map(str::to_owned).collect();
        for line in &mut lines {
            if let Some((before, _)) = line.split_once(", id ") {
                *line = format!("{before}, id ID.");
            }
            // The longest answer's share of its limit.
            if let Some((before, after)) = line.split_once(" % |") {
                let before = before.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
                *line = format!("{} # % |{after}", before.trim_end());
            }
        }
        untimed(&lines.join("\n").replace(&own, "FOLDER").replace(program, "hostile"))
    };
    let bots = [&format!("wordy={}", hostile("words 1 2")), "b=builtin:random --seed 1"];
    let options = ["--jobs=1", "--oversubscribe", "--move-time=20s", "--openings=random:2"];
    let played = mancala(["tournament", "--count=3", "--disqualify-after=2", "--name=golden"])
        .args(options)
        .args(bots)
        .args(["--feedback", &path(folder.path().join("feedback"))])
        .in_folder(&own)
        .run()
        .code(0);
    assert_data_eq!(shown(&played.stderr), file!["golden/tournament/live.txt"].raw());
    for (bot, golden) in [
        ("wordy", file!["golden/feedback/feedback-wordy.md"].raw()),
        ("b", file!["golden/feedback/feedback-b.md"].raw()),
    ] {
        let page = folder.path().join("feedback").join(bot).join("feedback.md");
        assert_data_eq!(shown(&fs::read_to_string(page).expect("a page")), golden);
    }
}
