//! `mancala schema`: what the program writes is what its schemas say, by a JSON Schema library of
//! somebody else's, and what is not is refused.

use std::fs;
use std::path::Path;

use jsonschema::Validator;
use serde_json::{Value, json};

use crate::markdown::blocks;
use crate::program::{hostile, mancala, path, repository};
use crate::tournaments::tournament;

const NAMES: [&str; 13] = [
    "message",
    "answer",
    "record",
    "replay",
    "tournament",
    "events",
    "standings",
    "season",
    "bundle",
    "check",
    "solve",
    "analysis",
    "config",
];

fn schema(name: &str) -> Value {
    mancala(["schema", name]).run().success().json()
}

fn validator(name: &str) -> Validator {
    let mut options = jsonschema::draft202012::options();
    options = options.should_validate_formats(true);
    options.build(&schema(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Every one of these lines is valid, there are some, and with any one value changed to something
/// else the first is not.
#[track_caller]
fn check(name: &str, lines: &str) {
    let validator = validator(name);
    let values: Vec<Value> =
        lines.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect();
    assert!(!values.is_empty(), "{name}: nothing to validate");
    for value in &values {
        if let Err(error) = validator.validate(value) {
            panic!("{name}: {error} at {}\n{value}", error.instance_path());
        }
    }
    let mut places = Vec::new();
    places_in(&values[0], String::new(), &mut places);
    assert!(!places.is_empty(), "{name}: no place to change in {}", values[0]);
    for place in places {
        let is_valid_with = |other: Value| {
            let mut changed = values[0].clone();
            *changed.pointer_mut(&place).expect("the place is there") = other;
            validator.is_valid(&changed)
        };
        let anything = is_valid_with(json!({"unexpected": []})) && is_valid_with(json!([[]]));
        assert!(!anything, "{name}: {place} may be anything");
    }
}

/// All values that are not lists or objects, but for what bots say of themselves.
fn places_in(value: &Value, place: String, places: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (key, value) in fields.iter().filter(|(key, _)| *key != "info") {
                places_in(value, format!("{place}/{key}"), places);
            }
        }
        Value::Array(values) => {
            for (index, value) in values.iter().enumerate() {
                places_in(value, format!("{place}/{index}"), places);
            }
        }
        _ => places.push(place),
    }
}

#[test]
fn every_schema_follows_draft_2020_12() {
    for name in NAMES {
        let schema = schema(name);
        assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema", "{name}");
        if let Err(error) = jsonschema::draft202012::meta::validate(&schema) {
            panic!("{name}: {error}");
        }
        assert!(!schema.to_string().contains("[`"), "{name}: a link into the code is left");
    }
    let unknown = mancala(["schema", "records"]).run().code(2);
    for name in NAMES {
        assert!(unknown.stderr.contains(name), "{name} is not in {unknown:#?}");
    }
}

#[test]
fn messages_and_answers_in_protocol_md_match_their_schema() {
    let text = fs::read_to_string(repository().join("protocol.md")).unwrap();
    let (mut messages, mut answers) = (String::new(), String::new());
    for block in blocks(&text).iter().filter(|block| block.language() == "json") {
        let lines = if block.says("answer") { &mut answers } else { &mut messages };
        block.lines.iter().for_each(|line| *lines += &format!("{line}\n"));
    }
    assert!(messages.lines().count() > 5 && answers.lines().count() > 3);
    check("message", &messages);
    check("answer", &answers);
    let answer = validator("answer");
    for wrong in [json!(6), json!(-1), json!(3.5), json!("3"), json!({}), json!([3]), json!(null)] {
        assert!(!answer.is_valid(&wrong), "{wrong}");
    }
    assert!(!answer.is_valid(&json!({"move": 3, "direction": "left"})));
}

/// A command line that writes down what it is told and what it answers.
fn tapped(folder: &Path, bot: &str) -> String {
    let (told, said) = (folder.join("told"), folder.join("said"));
    let (told, said) = (told.display(), said.display());
    let mancala = env!("CARGO_BIN_EXE_mancala");
    format!("{bot}=sh -c 'tee {told} | {mancala} bot {bot} | tee {said}'")
}

#[test]
fn real_messages_match_their_schema() {
    let folder = tempfile::tempdir().unwrap();
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    for options in [
        &["--rules=mancala5000", "--direction=either", "--game-time=1m"][..],
        &["--rules=kalah", "--rounds=1"],
        // The other bot forfeits, and the tapped one is told.
        &["--seeds=4"],
    ] {
        let other = match options {
            ["--seeds=4"] => hostile("store"),
            _ => "builtin:random".to_owned(),
        };
        let tapped = tapped(folder.path(), "easy");
        mancala(["match", "--format=json"]).args(options).args([tapped, other]).run().code(0);
        check("message", &read("told"));
        check("answer", &read("said"));
        if options == ["--seeds=4"] {
            assert!(read("told").contains(r#""by":"opponent","kind":"illegal_move""#));
        }
    }
}

#[test]
fn records_replays_and_bundles_match_their_schema() {
    let folder = tempfile::tempdir().unwrap();
    let record = path(folder.path().join("matches.jsonl"));
    let logs = folder.path().join("logs");
    for (options, bots) in [
        (&["--rounds=1"][..], ["builtin:easy".to_owned(), "builtin:random".to_owned()]),
        (
            &["--rules=mancala5000", "--direction=either", "--game-time=1m", "--ponder=freeze"],
            ["builtin:average".to_owned(), "builtin:random".to_owned()],
        ),
        (
            &["--fault-policy=substitute", "--max-faults=2", "--memory=none", "--wrap=env"],
            [hostile("store"), "builtin:easy".to_owned()],
        ),
        (&["--env=MY_BOOK"], [hostile("exit-3"), "builtin:easy".to_owned()]),
        (&[], [hostile("not-utf8"), "builtin:easy".to_owned()]),
    ] {
        let log = path(logs.join(options.len().to_string() + &bots[0].len().to_string()));
        let run = mancala(["match", "--record", &record, "--log", &log]).args(options);
        run.args(bots).run().code(0);
    }
    let records = fs::read_to_string(&record).unwrap();
    check("record", &records);
    for word in ["\"substitute\"", "\"fault\":{", "\"ponder\"", "\"info\"", "\"wrap\""] {
        assert!(records.contains(word), "no record has {word}");
    }
    fs::write(&record, records.clone() + "{\"format\":\"mancala-match/1\"}\n").unwrap();
    let replayed = mancala(["replay", "--format=json", &record]).run();
    check("replay", &replayed.stdout);
    assert!(replayed.stdout.contains("\"valid\":false"), "{replayed:#?}");

    let mut bundles = String::new();
    for log in fs::read_dir(&logs).unwrap() {
        for file in walk(&log.unwrap().path()) {
            let name = file.file_name().unwrap().to_string_lossy().into_owned();
            if name.starts_with("fault-") {
                let bundle: Value =
                    serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
                bundles += &format!("{bundle}\n");
            }
        }
    }
    check("bundle", &bundles);
    for word in ["\"exit\":{", "\"reply_hex\"", "\"env\":[\"MY_BOOK\"]"] {
        assert!(bundles.contains(word), "no bundle has {word}");
    }
}

fn walk(folder: &Path) -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { walk(&path) } else { vec![path] }).collect()
}

#[test]
fn tournaments_events_and_standings_match_their_schema() {
    let folder = tempfile::tempdir().unwrap();
    let [record, events] = ["all.jsonl", "events.jsonl"].map(|name| path(folder.path().join(name)));
    let bots = ["easy=builtin:easy".to_owned(), "builtin:random".to_owned(), hostile("store")];
    let run = tournament().args(["--record", &record, "--events", &events]);
    let run = run.args(["--disqualify-after=1", "--openings=random:3", "--count=2"]);
    let run = run.args(["--format=json"]).args(&bots).run();
    check("standings", &run.stdout);
    let lines = fs::read_to_string(&record).unwrap();
    check("tournament", &lines);
    // The first line of all is the header: what a match and a note are is tried by themselves.
    for format in ["mancala-match/1", "mancala-note/1"] {
        let line = lines.lines().find(|line| line.contains(format)).expect(format);
        check("tournament", line);
    }
    let events = fs::read_to_string(&events).unwrap();
    check("events", &events);
    for event in ["began", "round_ended", "fault", "disqualified", "tournament_ended"] {
        let line = events.lines().find(|line| line.contains(event)).expect(event);
        check("events", line);
    }

    let sprt = path(folder.path().join("sprt.jsonl"));
    let run = tournament().args(["--record", &sprt, "--sprt", "elo0=0,elo1=10", "--count=2"]);
    let run = run.args(["--format=json", "--openings=random:3"]).args(&bots[..2]).run();
    check("standings", &run.stdout);
    assert!(run.stdout.contains("\"llr\":"), "{run:#?}");
    let empty = mancala(["standings", "--format=json", "--times", &sprt]).run().code(0);
    check("standings", &empty.stdout);
    let trend = mancala(["standings", "--format=json", "--trend", &record]).run().code(0);
    check("standings", &trend.stdout);
    let by_file = ["standings", "--format=json", "--by-file", &record, &sprt];
    check("season", &mancala(by_file).run().code(0).stdout);
}

#[test]
fn checks_and_solutions_match_their_schema() {
    for bot in ["builtin:random".to_owned(), hostile("store")] {
        let run = mancala(["check", "--format=json", "--rules=kalah", "--budget=5s", &bot]).run();
        check("check", &run.stdout);
    }
    let solve =
        |options: &[&str]| mancala(["solve", "--format=json"]).args(options).run().success().stdout;
    check("solve", &solve(&["--rules=learneroo", "--seeds=1"]));
    let either = ["--rules=mancala5000", "--opening=0,0,0,0,1,1,0,0,0,0,0,1,1,0"];
    check("solve", &solve(&either));
    let bounds = solve(&["--rules=cs221", "--time=50ms"]);
    check("solve", &bounds);
    assert!(bounds.contains("\"at_least\""), "{bounds}");
}

#[test]
fn analyses_and_analysed_records_match_their_schema() {
    let folder = tempfile::tempdir().unwrap();
    let copy = crate::program::path(folder.path().join("copy"));
    let bots = ["builtin:easy --seed 1", "builtin:random --seed 1"];
    let play = ["match", "--format=json", "--seeds=2", "--adjudicate=lead", "--move-time=20s"];
    let record = mancala(play).args(bots).run().success().stdout;
    let analyse =
        mancala(["analyse", "-", "--worst=3", "--format=json", "--write", &copy]).stdin(record);
    check("analysis", &analyse.run().success().stdout);
    let copied = fs::read_to_string(&copy).unwrap();
    assert!(copied.contains("\"loss\":") && copied.contains("\"adjudicate\":"), "{copied}");
    check("record", &copied);
}

/// The rows of protocol.md that the schema of configurations comes to.
fn config_rows(schema: &Value) -> Vec<String> {
    let mut rows = Vec::new();
    let bots = &schema["$defs"]["ConfigBots"]["properties"];
    let groups = [
        ("", &schema["properties"]),
        ("match.", &schema["properties"]["match"]["properties"]),
        ("bots.", bots),
    ];
    for (prefix, keys) in groups {
        for (key, about) in keys.as_object().expect("it has keys") {
            let kind = about["type"].as_str().or_else(|| about["type"][0].as_str());
            let kind = match (about["value"].as_str(), kind) {
                (Some(value), _) if about["type"][1] == "array" => format!("list of `{value}`"),
                (Some(value), _) => format!("`{value}`"),
                (None, Some("integer")) => format!("a whole number from {}", about["minimum"]),
                (None, Some("boolean")) => "true or false".to_owned(),
                (None, Some("array")) if about["items"]["type"] == "string" => {
                    "a list of texts".to_owned()
                }
                (None, Some("array")) => "tables".to_owned(),
                (None, Some("object")) => "a table".to_owned(),
                (None, kind) => {
                    format!("a {}", kind.expect("a key has a type").replace("string", "text"))
                }
            };
            let filled = about.get("placeholders").map_or("", |_| ", filled in");
            let what = about["description"].as_str().expect("a key is described");
            let what = what.replace('\n', " ").replace('|', "\\|");
            // A default that no config could say.
            let (what, told) = match what.split_once(" [default: ") {
                Some((what, told)) => (what, Some(told.trim_end_matches(']'))),
                None => (&*what, None),
            };
            let default = match &about["default"] {
                Value::Null if told.is_some() => format!("`{}`", told.unwrap()),
                Value::Null => String::new(),
                Value::Object(_) | Value::Array(_) => "none".to_owned(),
                Value::String(text) => format!("`{text}`"),
                other => format!("`{other}`"),
            };
            let kind = kind.replace('|', "\\|");
            rows.push(format!("| `{prefix}{key}` | {kind}{filled} | {default} | {what} |"));
        }
    }
    rows
}

#[test]
fn protocol_md_lists_every_key_of_a_config_as_its_schema_does() {
    let text = fs::read_to_string(repository().join("protocol.md")).unwrap();
    let section = text.split("\n## Tournament configs\n").nth(1).expect("the section is there");
    let section = section.split("\n## ").next().unwrap();
    let found: Vec<&str> = section
        .lines()
        .filter(|line| line.starts_with("| `") && !line.starts_with("| `{"))
        .collect();
    let expected = config_rows(&schema("config"));
    assert!(expected.len() > 40);
    assert_eq!(found, expected, "the rows are to be\n{}", expected.join("\n"));
    for placeholder in ["{path}", "{stem}", "{file}", "{dir}", "{folder}"] {
        assert!(section.contains(&format!("`{placeholder}`")), "{placeholder} is not explained");
    }
}

/// Whether a tournament by this config could be played.
fn is_taken(folder: &Path, text: &str) -> bool {
    let file = folder.join("config.toml");
    fs::write(&file, text).unwrap();
    let plan = ["tournament", "--dry-run", "builtin:easy", "builtin:random", "--config"];
    mancala(plan).arg(&file).in_folder(folder).run().code == Some(0)
}

/// Values of keys beside those that every key is given.
const VALUES: &str = r#"
name: ''; ' '; 'x'
count repeat: 1000001; -1; 0x1
gauntlet disqualify_after restart_after: 4294967296; 0
disqualify_after restart_after: 4294967295
openings: 'random:0'; 'random:4'; 'random:101'; 'random:'; 'random:+3'; 'random: 3'; 'Standard'; 'file:'
sprt: 'elo0=0,elo1=10'; 'elo0 = -1.5 elo1=10'; 'elo0=0'; 'elo1=1'; 'elo0=0,elo1=1,a=1'; ''
bot.command bot.build: ''; ' '; "a\u0000b"; '{path}'; 'true'
bot.name: ''; "a\u0000b"; '{stem}'; '12345678901234567890123456789012345678901'
bot.dir: '{dir}'; "a\u0000b"; 'x'; '.'
bot.files: ['']; ['{path}']; ["a\u0000b"]
bot.env: { A = '' }; { '' = 'c' }; { 'A=B' = 'c' }; { "A\u0000" = 'c' }; { A = "a\u0000" }; { A = '{dir}' }
bot.env: { A = '{message}' }; { 'A B' = 'c' }
env: 'A'; ''; 'A=B'; "A\u0000B"; ['A', 'B']; ['']; { A = 'b' }
wrap: 1; true; 1.5; 'env'; 'nice -n 5'; ''; ' '; "a\u0000b"; ['nice']
seeds max_moves max_faults processes: 0; '0'; 1.5; [1]; '+5'; '007'; '-1'; 20; 21; 1000; 1001; 500001; 1000001
move_time start_time margin game_time cpu_time: 1; '1'; '90'; '1s'; ' 1s '; '1S'; '1sx'; '1week'; '0s'; '0'; '0h'
move_time start_time margin game_time cpu_time: '1m 30s'; '2 s'; '-1s'; '1.0s'; 'none'; '1day'; '2hours 3 mins'; ''
memory file_size min_free: 'none'; '1'; '16M'; '1MB'; '1k'; '64 MiB'; '1.5GiB'; '0MiB'; '1GiB'; 'None'; '016MiB'
rules direction ponder: 'kalah'; 'Kalah'; ['kalah']; 'either'; 'allow'
allow_read: []; ['x']
"#;

/// Configs with more than one key.
const CONFIGS: [&str; 23] = [
    "gauntlet = 1",
    "format = 'swiss'\ngauntlet = 1",
    "format = 'round-robin'\ngauntlet = 1",
    "restart_after = 1",
    "reuse_bots = false\nrestart_after = 1",
    "sprt = 'elo0=0,elo1=10'\nformat = 'swiss'",
    "[match]\nmax_faults = 3",
    "[match]\nmax_faults = 3\nfault_policy = 'forfeit'",
    "[match]\nmax_faults = 3\nfault_policy = 'substitute'",
    "[match]\nallow_read = 'x'\nsandbox = false",
    "[match]\nallow_loopback = true\nsandbox = false",
    "[match]\nallow_loopback = false",
    "[match]\nponder = 'allow'\nsandbox = true",
    "bot = []",
    "bots = []",
    "[bot]\ncommand = 'builtin:easy'",
    "[[match]]\nrules = 'kalah'",
    "[[bot]]\nname = 'x'",
    "[[bot]]\nglob = 'x/*'\ncommand = 'builtin:hard'",
    "[[bots]]\ncommand = 'builtin:hard'",
    "[[bots]]\nglob = 'x/*'",
    "[[bots]]\nglob = ''\ncommand = 'python3 {path}'",
    "[[bots]]\nglob = 'x/*'\nname = '{folder}'\ncommand = 'python3 {path}'",
];

/// By key the values in [`VALUES`].
fn values_of(key: &str) -> impl Iterator<Item = &'static str> {
    let lines = VALUES.lines().filter_map(|line| line.split_once(": "));
    let of_key = lines.filter(move |(keys, _)| keys.split(' ').any(|it| it == key));
    of_key.flat_map(|(_, values)| values.split("; "))
}

#[test]
fn what_the_schema_of_a_config_takes_can_be_played() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("x")).unwrap();
    fs::write(folder.path().join("x/bot.py"), "").unwrap();
    let (schema, validator) = (schema("config"), validator("config"));
    let is_valid = |text: &str| {
        let table: Option<toml::Table> = text.parse().ok();
        table.map(|table| validator.is_valid(&serde_json::to_value(table).unwrap()))
    };
    let mut wrong = Vec::new();
    let mut compare = |text: String| {
        let (valid, taken) = (is_valid(&text), is_taken(folder.path(), &text));
        if valid.is_some_and(|valid| valid != taken) {
            wrong.push(format!("the schema says {valid:?}, the program {taken}: {text}"));
        }
    };
    let groups = [
        ("", "", &schema["properties"]),
        ("[match]\n", "", &schema["properties"]["match"]["properties"]),
        ("[[bot]]\n", "bot.", &schema["$defs"]["ConfigBots"]["properties"]),
    ];
    let mut defaults = 0;
    for (heading, group, keys) in groups {
        for (key, about) in keys.as_object().unwrap() {
            // What another key must say first.
            let before = match &**key {
                "restart_after" => "reuse_bots = true\n",
                "gauntlet" => "format = \"gauntlet\"\n",
                "max_faults" => "fault_policy = \"substitute\"\n",
                "allow_read" | "allow_write" | "allow_loopback" => "sandbox = true\n",
                "command" => "",
                _ if !group.is_empty() => "command = \"builtin:hard\"\n",
                _ => "",
            };
            let default = &about["default"];
            if !default.is_null() && !default.is_object() && !default.is_array() {
                let text = format!("{heading}{key} = {default}\n");
                assert!(is_taken(folder.path(), &text), "{text}");
                assert_eq!(is_valid(&text), Some(true), "{text}");
                defaults += 1;
            }
            // What no schema says: whether there is such a program or file.
            let any = ["1", "true", "1.5", "'x'"];
            let any = any.iter().filter(|_| !["command", "glob", "wrap"].contains(&&**key));
            for value in any.copied().chain(values_of(&format!("{group}{key}"))) {
                compare(format!("{heading}{before}{key} = {value}\n"));
            }
        }
    }
    for text in CONFIGS {
        compare(text.to_owned());
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(defaults > 20, "{defaults}");
}

#[test]
fn configs_follow_their_schema() {
    let validator = validator("config");
    let read = |text: &str| serde_json::to_value(text.parse::<toml::Table>().unwrap()).unwrap();
    for name in ["c", "python", "any"] {
        let file = repository().join(format!("examples/class/{name}.toml"));
        let config = read(&fs::read_to_string(file).unwrap());
        assert!(validator.is_valid(&config), "{name}: {config}");
    }
    let whole = "name = \"autumn\"\nformat = \"gauntlet\"\ngauntlet = 2\ncount = 20\n\
                 [match]\nsandbox = true\nallow_read = [\"extra\"]\nmax_moves = 300\n\
                 empty_capture = false\n[[bot]]\ncommand = \"x\"\nenv = { A = \"b\" }\n";
    assert!(validator.is_valid(&read(whole)), "{:?}", validator.validate(&read(whole)));
    for wrong in [
        "cuont = 3",
        "count = 0",
        "count = \"3\"",
        "[match]\nmove-time = \"1s\"",
        "[match]\nsandbox = \"yes\"",
        "[[bot]]\nname = \"x\"",
        "[[bots]]\ncommand = \"x\"\nenv = { A = 1 }",
    ] {
        assert!(!validator.is_valid(&read(wrong)), "{wrong}");
    }
}
