//! The documents and the program agree: messages, fields, faults and links.

mod reference_messages;

use std::collections::BTreeSet;
use std::num::NonZeroU64;

use mancala_referee::analysis::{AnalysedMatch, AnalysedMove, MatchPlace, Summary, WorstMove};
use mancala_referee::log::{Bundle, Exit};
use mancala_referee::protocol::{
    AdapterReport, Cause, CauseCode, End, FaultKind, FaultMessage, Info, Outcome, PlayedMove,
    Reason, Reply, Start, ToBot, Turn, VERSION, Who,
};
use mancala_referee::record::{
    BotRecord, Digest, FaultPolicy, FaultRecord, FaultTerms, MatchRecord, MoveRecord, Ponder,
    RecordFormat, Restraints, RoundRecord, RoundResult, Sandbox, Substitute, Terms, TimeTerms,
    Timestamp, TournamentMatch,
};
use mancala_referee::report::{
    AnswerTimes, CheckFormat, CheckNote, CheckReport, Finding, GamesReport, Probe, ProbeReport,
    ProbeResult, Severity, Spread,
};
use mancala_referee::rules::{Adjudication, Direction, House, Opening, Ruleset};
use mancala_referee::seat::{PerSeat, Seat};
use mancala_referee::standings::{CollectedResults, ReadOptions, Standings, StandingsOptions};
use serde_json::Value;

use crate::markdown::{anchors, blocks, code_in_first_column, links, section};
use crate::program::{mancala, repository};
use crate::requirements;
use crate::source::layers::rust_files;

fn document(name: &str) -> String {
    std::fs::read_to_string(repository().join(name)).unwrap()
}

#[test]
fn every_link_has_a_target() {
    for name in
        ["README.md", "protocol.md", "examples/class/README.md", "examples/autograder/README.md"]
    {
        let text = document(name);
        let folder = repository().join(name);
        let folder = folder.parent().unwrap();
        for link in links(&text) {
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let file = if file.is_empty() { repository().join(name) } else { folder.join(file) };
            assert!(file.is_file(), "{name}: {link}");
            let text = std::fs::read_to_string(&file).unwrap();
            let leads = anchor.is_empty() || anchors(&text).iter().any(|a| a == anchor);
            assert!(leads, "{name}: {link}");
        }
    }
}

/// Each promise has a name, and a test that says that it holds it.
#[test]
fn every_promise_is_held_by_a_test_that_names_it() {
    let protocol = document("protocol.md");
    let promises = section(&protocol, "What is promised");
    let rows = promises.lines().filter(|line| line.starts_with("| ")).count() - 1;
    let names = code_in_first_column(promises);
    assert_eq!(names.len(), rows, "a promise without a name: {names:?}");
    // In two pieces, for this file is looked at too.
    let mark = ["Holds the promise", " `"].concat();
    let mut held = BTreeSet::new();
    for folder in ["src", "tests"] {
        for file in rust_files(&repository().join(folder)) {
            let text = std::fs::read_to_string(&file).unwrap();
            for after in text.split(&mark).skip(1) {
                let (name, after) = after.split_once('`').unwrap();
                let is_at_a_test = is_at_a_test(after, &text);
                assert!(is_at_a_test, "{}: `{name}` does not stand at a test", file.display());
                held.insert(name.to_owned());
            }
        }
    }
    assert_eq!(held, BTreeSet::from_iter(names));
}

/// Whether what follows the comment before `after` is a test, which the list of its file may say.
fn is_at_a_test(after: &str, file: &str) -> bool {
    let code = after
        .lines()
        .skip(1)
        .map(str::trim)
        .find(|line| !line.starts_with("///"))
        .unwrap_or_default();
    let name = code.strip_prefix("fn ").and_then(|code| Some(code.split_once('(')?.0));
    let lists = file.split("= tests![").skip(1).filter_map(|after| Some(after.split_once("];")?.0));
    code == "#[test]" || {
        let mut listed = lists.flat_map(|list| list.split(',')).map(str::trim);
        listed.any(|test| Some(test) == name)
    }
}

#[test]
fn every_message_in_protocol_md_is_valid() {
    let mut kinds = BTreeSet::new();
    for block in blocks(&document("protocol.md")) {
        for line in &block.lines {
            let what = format!("protocol.md:{}: {line}", block.line);
            if block.language() == "json" && block.says("answer") {
                check_answer(line, &what);
            } else if block.language() == "json" || line.starts_with('{') {
                kinds.insert(check_message(line, &what));
            }
        }
    }
    assert_eq!(Vec::from_iter(kinds), ["end", "start", "turn"]);
}

/// Reads a message by the second model and by the program's own, which writes it back the same.
fn check_message(line: &str, what: &str) -> String {
    let message: reference_messages::Message =
        serde_json::from_str(line).unwrap_or_else(|error| panic!("{what}: {error}"));
    let own: ToBot = serde_json::from_str(line).unwrap_or_else(|error| panic!("{what}: {error}"));
    assert_eq!(own.to_line(), format!("{line}\n").as_bytes(), "{what}");
    let kind = match message {
        reference_messages::Message::Start { .. } => "start",
        reference_messages::Message::Turn { .. } => "turn",
        reference_messages::Message::End { .. } => "end",
    };
    kind.to_owned()
}

fn check_answer(line: &str, what: &str) {
    let reply = Reply::parse(line.as_bytes());
    assert!(reply.is_ok(), "{what}: {reply:?}");
    if line.starts_with('{') {
        let answer = serde_json::from_str::<reference_messages::Answer>(line);
        assert!(answer.is_ok(), "{what}: {answer:?}");
    }
}

#[test]
fn protocol_md_lists_exactly_the_fields_of_messages() {
    let protocol = document("protocol.md");
    for (message, heading) in [(start(), "`start`"), (turn(), "`turn`"), (end(), "`end`")] {
        let told = code_in_first_column(section(&protocol, heading));
        assert_told(&told, &serde_json::from_slice(&message.to_line()).unwrap(), heading);
    }
    let told = code_in_first_column(section(&protocol, "The answer"));
    assert_eq!(told, ["move", "direction", "info"]);
}

#[test]
fn no_table_of_protocol_md_has_a_field_twice() {
    let protocol = document("protocol.md");
    let lines: Vec<&str> = protocol.lines().collect();
    let tables = lines.split(|line| !line.starts_with('|'));
    for table in tables.filter(|table| table.first().is_some_and(|it| it.starts_with("| field |")))
    {
        let mut seen = BTreeSet::new();
        for row in &table[1..] {
            let field = row.split('|').nth(1).unwrap_or_default();
            assert!(seen.insert(field), "{row}");
        }
    }
}

#[test]
fn protocol_md_lists_exactly_the_kinds_of_faults() {
    let told = code_in_first_column(section(&document("protocol.md"), "Faults"));
    assert_eq!(told, FaultKind::ALL.map(FaultKind::as_str));
}

#[test]
fn protocol_md_lists_exactly_the_fields_of_records() {
    let mut record = serde_json::to_value(record()).unwrap();
    // These are told with `start` and in a section of their own.
    record["rules"] = Value::Null;
    let round = &mut record["rounds"][0];
    round["moves"][0]["substitute"]["cause"] = Value::Null;
    round["result"]["fault"]["cause"] = Value::Null;
    assert_told(
        &code_in_first_column(section(&document("protocol.md"), "Match records")),
        &record,
        "record",
    );
}

#[test]
fn protocol_md_lists_exactly_the_fields_of_standings() {
    let mut standings = serde_json::to_value(standings()).unwrap();
    let cell = standings["crosstable"][0][1].take();
    standings["crosstable"] = Value::Array(vec![Value::Array(vec![cell])]);
    // The rows of a trend are told with those of a season.
    standings["trend"] = of_records("--trend")["trend"].take();
    standings["trend"][0]["rows"] = Value::Null;
    let protocol = document("protocol.md");
    let told = code_in_first_column(section(&protocol, "Standings"));
    assert_told(&told, &standings, "standings");
    let told = code_in_first_column(section(&protocol, "Seasons"));
    assert_told(&told, &of_records("--by-file"), "season");
}

/// What `standings` prints of two records with this option.
fn of_records(option: &str) -> Value {
    let arguments = [
        "standings",
        "tests/it/golden/records.jsonl",
        "--format=json",
        "--merge=rules,terms",
        option,
    ];
    mancala(arguments).run().success().json()
}

#[test]
fn protocol_md_lists_exactly_the_fields_of_analyses() {
    let mut summary = Summary::default();
    let place = MatchPlace { file: 0, number: 1, line: 1, bytes: 0..0 };
    summary.add(&place, &AnalysedMatch::of_record(&record(), &vec![Vec::new()]));
    let mut analysis = summary.analysis();
    let played = AnalysedMove { house: House::ALL[0], direction: Some(Direction::Forward) };
    analysis.worst = Some(vec![WorstMove {
        file: String::new(),
        number: 1,
        tournament_match: None,
        round: 1,
        move_number: 1,
        name: String::new(),
        board: Opening::standard(&Ruleset::default()).board(),
        value: 0,
        loss: 1,
        played,
        better: None,
    }]);
    let analysis = serde_json::to_value(analysis).unwrap();
    let told = code_in_first_column(section(&document("protocol.md"), "Analyses"));
    assert_told(&told, &analysis, "analysis");
}

#[test]
fn protocol_md_lists_exactly_the_fields_of_bundles() {
    let mut bundle = serde_json::to_value(bundle()).unwrap();
    // These are told with a record.
    bundle["rules"] = Value::Null;
    bundle["limits"] = Value::Null;
    bundle["cause"] = Value::Null;
    let told = code_in_first_column(section(&document("protocol.md"), "Fault bundles"));
    assert_told(&told, &bundle, "bundle");
}

#[test]
fn protocol_md_lists_exactly_the_fields_and_codes_of_causes() {
    let told = code_in_first_column(section(&document("protocol.md"), "Causes"));
    let (fields, codes): (Vec<_>, Vec<_>) =
        told.into_iter().partition(|told| told.starts_with("cause."));
    assert_told(&fields, &serde_json::json!({ "cause": cause() }), "cause");
    let written = CauseCode::ALL.iter().map(|code| serde_json::to_value(code).unwrap());
    assert_eq!(codes.into_iter().collect::<Value>(), written.collect::<Value>());
}

#[test]
fn protocol_md_lists_exactly_the_fields_of_checks() {
    let mut report = serde_json::to_value(check_report()).unwrap();
    // These are told with `start`, and with a record.
    report["games"][0]["rules"] = Value::Null;
    report["limits"] = Value::Null;
    let told = code_in_first_column(section(&document("protocol.md"), "Check reports"));
    assert_told(&told, &report, "check");
}

/// Checks that a table tells every field there is and none that is not. It may tell an object or a
/// list of objects itself too, beside the fields in it.
fn assert_told(told: &[String], message: &Value, what: &str) {
    let mut fields = Fields::default();
    fields.add(message, "");
    let told: BTreeSet<&String> = told.iter().collect();
    let missing: Vec<&String> =
        fields.values.iter().filter(|field| !told.contains(field)).collect();
    assert!(missing.is_empty(), "{what}: {missing:?} are not told");
    let there = |field: &String| fields.values.contains(field) || fields.holders.contains(field);
    let wrong: Vec<&&String> = told.iter().filter(|field| !there(field)).collect();
    assert!(wrong.is_empty(), "{what}: {wrong:?} do not exist");
}

/// The paths of fields: `a`, `a.b` in an object, `a[].b` in a list of objects.
#[derive(Default)]
struct Fields {
    values: BTreeSet<String>,
    /// Objects and lists of objects.
    holders: BTreeSet<String>,
}

impl Fields {
    fn add(&mut self, value: &Value, path: &str) {
        match value {
            Value::Object(object) => {
                self.holders.insert(path.to_owned());
                let dot = if path.is_empty() { "" } else { "." };
                for (name, value) in object {
                    self.add(value, &format!("{path}{dot}{name}"));
                }
            }
            Value::Array(items) if items.iter().any(|item| item.is_object() || item.is_array()) => {
                self.holders.insert(path.to_owned());
                for item in items {
                    self.add(item, &format!("{path}[]"));
                }
            }
            _ => {
                self.values.insert(path.to_owned());
            }
        }
    }
}

fn start() -> ToBot {
    ToBot::Start(Start {
        protocol: VERSION,
        round: 1,
        first: true,
        you: "a".to_owned(),
        opponent: "b".to_owned(),
        rules: Ruleset::default(),
        board: Opening::standard(&Ruleset::default()).board(),
        move_time_ms: 1000,
        game_time_ms: Some(1000),
    })
}

fn turn() -> ToBot {
    let played =
        PlayedMove { by: Who::You, house: House::ALL[0], direction: Some(Direction::Forward) };
    ToBot::Turn(Turn {
        turn: 1,
        board: Opening::standard(&Ruleset::default()).board(),
        legal: House::ALL.to_vec(),
        moves: vec![played],
        move_time_ms: 1000,
        time_left_ms: Some(1000),
    })
}

fn end() -> ToBot {
    ToBot::End(End {
        round: 1,
        outcome: Outcome::Win,
        score: [36, 0],
        reason: Reason::Fault(FaultKind::Timeout),
        board: Opening::standard(&Ruleset::default()).board(),
        fault: Some(FaultMessage {
            by: Who::Opponent,
            kind: FaultKind::Timeout,
            detail: String::new(),
        }),
    })
}

/// The report of a check in which every field is there.
fn check_report() -> CheckReport {
    let time = std::time::Duration::from_secs(1);
    let spread = Some(Spread { count: 1, median: time, p99: time, longest: time });
    let text = String::new;
    CheckReport {
        format: CheckFormat::V2,
        bot: BotRecord { name: text(), command: Vec::new(), ..BotRecord::default() },
        seed: 1,
        budget_ms: 1_000,
        limits: Terms {
            time: TimeTerms { game_time: Some(time), ..TimeTerms::default() },
            ..Terms::default()
        },
        probes: vec![ProbeReport {
            probe: Probe::Games,
            result: ProbeResult::Findings,
            rounds: 2,
            answers: 1,
            cut_short: Some(text().into()),
        }],
        games: vec![GamesReport {
            rules: Ruleset::default(),
            opponent: text(),
            won: 1,
            drawn: 0,
            lost: 0,
            faulted: 1,
        }],
        times: AnswerTimes { first_answers: spread, other_answers: spread },
        notes: vec![CheckNote { probe: Probe::Determinism, what: text() }],
        findings: vec![Finding {
            severity: Severity::Fault,
            kind: Some(FaultKind::Exited),
            probes: vec![Probe::Games],
            times: 1,
            what: text(),
            during: text(),
            sent: Vec::new(),
            received: text(),
            stderr: text(),
            fix: text(),
        }],
    }
}

/// A cause in which every field is there.
fn cause() -> Box<Cause> {
    Box::new(Cause {
        code: CauseCode::LateAnswer,
        house: Some(House::ALL[0]),
        direction: Some(Direction::Forward),
        value: Some(7),
        limit_ms: Some(1),
        start_ms: Some(1),
        margin_ms: Some(1),
        bank_ms: Some(1),
        time_left_ms: Some(1),
        waited_ms: Some(1.0),
        limit: Some(1),
        exit_code: Some(1),
        signal: Some(1),
        adapter: Some(AdapterReport { code: "a".to_owned(), words: "b".to_owned() }),
    })
}

/// A record in which every field is there.
fn record() -> MatchRecord {
    let opening = Opening::standard(&Ruleset::default());
    let time = std::time::Duration::from_secs(1);
    let played = MoveRecord {
        bot: Seat::A,
        house: House::ALL[0],
        direction: Some(Direction::Forward),
        time,
        fresh: true,
        info: Info::from_value(&1).ok(),
        substitute: Some(Substitute {
            kind: FaultKind::Timeout,
            detail: String::new(),
            cause: Some(cause()),
            stderr: "x".to_owned(),
        }),
        value: Some(2),
        loss: Some(0),
    };
    let fault = FaultRecord {
        bot: Seat::B,
        kind: FaultKind::Timeout,
        detail: String::new(),
        cause: Some(cause()),
        board: opening.board(),
        stderr: String::new(),
    };
    let reason = Reason::Fault(FaultKind::Timeout);
    let score = PerSeat([36, 0]);
    MatchRecord {
        format: RecordFormat::V1,
        started: Some(Timestamp::now()),
        tournament: Some(TournamentMatch {
            id: Digest::of(b""),
            number: NonZeroU64::MIN,
            opening: NonZeroU64::MIN,
            games: vec![Digest::of(b"")],
        }),
        rules: Ruleset::default(),
        opening,
        terms: Terms {
            time: TimeTerms { game_time: Some(time), ..TimeTerms::default() },
            faults: FaultTerms { policy: FaultPolicy::Substitute, max: 3.try_into().ok() },
            keeping: Restraints {
                sandbox: Some(Sandbox {
                    builds: false,
                    read: vec!["/a".into()],
                    write: vec!["/b".into()],
                    loopback: true,
                }),
                wrap: vec![String::new()],
                ponder: Ponder::Freeze,
                ..Restraints::default()
            },
            adjudicate: Adjudication::Lead,
            ..Terms::default()
        },
        bots: PerSeat::from_fn(|_| BotRecord {
            name: String::new(),
            command: Vec::new(),
            version: Some(Digest::of(b"")),
        }),
        planned_rounds: 2.try_into().ok(),
        rounds: vec![RoundRecord {
            round: 1,
            first: Seat::A,
            replayed: 1,
            moves: vec![played],
            result: RoundResult { reason, fault: Some(fault), score },
            final_board: opening.board(),
        }],
        score: PerSeat([36, 0]),
        winner: Some(Seat::A),
    }
}

/// Standings in which every field is there.
fn standings() -> Standings {
    let mut results = CollectedResults::new(ReadOptions::default());
    let mut record = record();
    record.bots = PerSeat(["a", "b"].map(|name| BotRecord {
        name: name.to_owned(),
        command: vec![],
        ..BotRecord::default()
    }));
    record.rounds.push(record.rounds[0].clone());
    record.score = PerSeat([72, 0]);
    record.tournament.as_mut().unwrap().games.push(Digest::of(b""));
    results.read("record", &*serde_json::to_vec(&record).unwrap()).unwrap();
    let sprt = "elo0=0,elo1=5".parse().ok();
    results.standings(&StandingsOptions { sprt, ..StandingsOptions::default() }).unwrap().0
}

/// A bundle in which every field is there.
fn bundle() -> Bundle {
    let text = String::new;
    let exit = Exit { code: Some(1), signal: Some(1), name: Some(text()) };
    Bundle {
        format: text(),
        bot: BotRecord { name: text(), command: Vec::new(), ..BotRecord::default() },
        dir: Some(text().into()),
        opponent: text(),
        round: 1,
        turn: 1,
        kind: FaultKind::Timeout,
        detail: text(),
        cause: Some(cause()),
        board: Some(Opening::standard(&Ruleset::default()).board()),
        rules: Ruleset::default(),
        terms: Terms::default(),
        environment: vec![text()],
        start: text(),
        input: Some(text()),
        reply: Some(text()),
        reply_hex: Some(text()),
        waited_ms: Some(1.0),
        limit_ms: Some(1),
        late_after_ms: Some(1),
        exit: Some(exit),
        stderr: text(),
        reproduce: text(),
        told: Some(vec![text()]),
    }
}

/// What is told is what is sent: a bot writes down what it hears in matches of several kinds.
#[test]
fn messages_of_a_real_match_follow_protocol_md() {
    let rules = [
        "--rules learneroo",
        "--rules mancala5000 --direction either --game-time 60s",
        "--rules cs221 --direction backward --move-time 5s --game-time 60s --max-moves 6",
    ];
    let listener = "bash examples/bash/greedy.sh";
    if !requirements::are_there(listener, "what is sent") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let mut heard = Vec::new();
    for (number, rules) in rules.iter().enumerate() {
        for (against, opponent) in
            ["bash examples/bash/greedy.sh", "sh -c 'read start; exit 3'"].into_iter().enumerate()
        {
            let file = folder.path().join(format!("{number}-{against}"));
            let path = file.to_str().unwrap();
            let bot = format!("listener=sh -c 'tee \"{path}\" | {listener}'");
            let arguments = ["match"].into_iter().chain(rules.split(' '));
            mancala(arguments.chain([&bot, opponent])).run().success();
            heard.push(std::fs::read_to_string(file).unwrap());
        }
    }
    let lines = heard.iter().flat_map(|heard| heard.lines());
    let kinds: BTreeSet<String> = lines.map(|line| check_message(line, line)).collect();
    assert_eq!(kinds.len(), 3);
    let all = heard.concat();
    for part in
        ["time_left_ms", "game_time_ms", "move_limit", "\"exited\"", "\"direction\":\"forward\"}"]
    {
        assert!(all.contains(part), "{part} was never sent");
    }
}
