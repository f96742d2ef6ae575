//! Record files from strangers: read, played again and shown without harm, whatever is in them.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use mancala_referee::record::{MatchRecord, ReadErrorKind, Reader};
use mancala_referee::referee::verify;
use mancala_referee::report::{OutputFormat, Width, write_match, write_replay, write_round};
use mancala_referee::text::to_json;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use super::mutation::{any_mutation, mutated};
use super::players::any_match;
use super::{Bytes, cases, check_lines_shown, check_shown, random_json, reference_json};

/// Most characters of what is said about a line that is no record.
const LONGEST_ERROR: usize = 200 * 10 + 200;

/// No line of these tests takes nearly as long, even on a machine that has other things to do.
const HANGS: Duration = Duration::from_secs(20);

/// Records of matches that were really refereed, the same at every run.
static CORPUS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let mut runner = TestRunner::deterministic();
    let one = || any_match().new_tree(&mut runner).expect("a match").current();
    let mut lines: Vec<Vec<u8>> = std::iter::repeat_with(one).take(60).map(|r| line(&r)).collect();
    lines.sort_by_key(Vec::len);
    lines
});

/// The record as a line without its newline.
fn line(record: &MatchRecord) -> Vec<u8> {
    to_json(record).expect("it is written")
}

/// What must hold for the lines of any file, whatever they are.
fn check_file(file: &[u8]) -> Result<(), TestCaseError> {
    let began = Instant::now();
    let items: Vec<_> = Reader::new(file).collect();
    let numbers = (1..).zip(file.split(|&byte| byte == b'\n'));
    let numbers: Vec<u64> = numbers
        .filter(|(_, line)| !line.trim_ascii().is_empty())
        .map(|(number, _)| number)
        .collect();
    let told: Vec<u64> = items
        .iter()
        .map(|item| item.as_ref().map_or_else(|error| error.line, |&(line, _)| line))
        .collect();
    prop_assert_eq!(told, numbers);
    for item in items {
        match item {
            Ok((_, record)) => check_record(&record)?,
            Err(error) => {
                let shown = error.to_string();
                check_shown(&shown, LONGEST_ERROR)?;
                prop_assert!(shown.starts_with(&format!("line {}: ", error.line)), "{}", shown);
            }
        }
    }
    prop_assert!(began.elapsed() < HANGS, "it took {:?}", began.elapsed());
    Ok(())
}

/// What must hold for any record that can be read, whether it is right or not.
fn check_record(record: &MatchRecord) -> Result<(), TestCaseError> {
    let verdict = verify(record);
    let written = line(record);
    check_lines_shown(&written)?;
    let read: Vec<_> = Reader::new(&*written).collect();
    prop_assert_eq!(read, vec![Ok((1, record.clone()))], "{}", String::from_utf8_lossy(&written));

    let mut shown = Vec::new();
    for format in
        [OutputFormat::Table, OutputFormat::Markdown, OutputFormat::Json, OutputFormat::Csv]
    {
        write_match(&mut shown, record, format, Width::Columns(40))
            .expect("it is written to memory");
    }
    for round in &record.rounds {
        write_round(&mut shown, record, round).expect("it is written to memory");
    }
    check_lines_shown(&shown)?;
    let mut told = Vec::new();
    write_replay((&mut told, Width::Whole), 1, 1, record, &verdict)
        .expect("it is written to memory");
    check_lines_shown(&told)?;
    prop_assert_eq!(told.split(|&byte| byte == b'\n').count(), 2);
    Ok(())
}

/// Whether a line is told as cut off.
fn is_cut_off(line: &[u8]) -> bool {
    let items: Vec<_> = Reader::new(line).collect();
    matches!(&items[..], [Err(error)] if error.kind == ReadErrorKind::CutOff && error.line == 1)
}

/// A change to what a record says, which stays JSON unless what is put in is not.
#[derive(Clone, Debug)]
enum Change {
    Replace(Index, String),
    /// Put in another value of the same line.
    Copy(Index, Index),
    /// Say a field or an item twice.
    Repeat(Index),
    Remove(Index),
    /// Put so many lists around a value.
    Nest(Index, usize),
    /// Put blanks around a value.
    Space(Index, String),
}

fn any_change() -> impl Strategy<Value = Change> {
    let at = any::<Index>;
    let odd = prop_oneof![
        3 => random_json::value(),
        2 => random_json::number(),
        2 => select(TIMES_AND_MORE).prop_map(str::to_owned),
        1 => select(random_json::ODD).prop_map(str::to_owned),
        1 => (select(&["x", " ", "\u{202e}", "é", "\\n"][..]), 1_usize..4000)
            .prop_map(|(text, count)| format!("\"{}\"", text.repeat(count))),
    ];
    prop_oneof![
        5 => (at(), odd).prop_map(|(at, text)| Change::Replace(at, text)),
        3 => (at(), at()).prop_map(|(from, to)| Change::Copy(from, to)),
        2 => at().prop_map(Change::Repeat),
        2 => at().prop_map(Change::Remove),
        1 => (at(), 1_usize..300).prop_map(|(at, depth)| Change::Nest(at, depth)),
        1 => (at(), "[ \t\r]{1,3}").prop_map(|(at, blanks)| Change::Space(at, blanks)),
    ]
}

/// Values that are nearly right somewhere in a record.
const TIMES_AND_MORE: &[&str] = &[
    "0",
    "1",
    "2",
    "240",
    "241",
    "4294967295",
    "18446744073709551615",
    "18446744073709551",
    "18446744073709551.615",
    "18446744073709552000",
    "1.8446744073709552e22",
    "1e15",
    "1e18",
    "1e22",
    "0.0005",
    "0.00049999",
    "1e-300",
    "-0.0",
    "-1",
    "31557600000",
    "\"either\"",
    "\"kalah\"",
    "\"move_limit\"",
    "\"decided\"",
    "\"start_failed\"",
    "\"mancala-match/2\"",
    "\" at line 7\"",
    "\"\\u001b[2J\\u202e|\\n\\r\\n\\u0000\"",
    "[240,0,0,0,0,0,0,0,0,0,0,0,0,0]",
    "[1,0,0,0,0,0,0,1,0,0,0,0,0,0]",
    "{\"\\r\":[\r\t{} ],\"a\":1,\"a\":2}",
    "{\"\u{7f}\":\"\u{202e}\\ud800\"}",
];

fn changed(line: &[u8], changes: &[Change]) -> Vec<u8> {
    let mut text = String::from_utf8(line.to_vec()).expect("a record is text");
    for change in changes {
        // What is no JSON any more is left as it is.
        let Some(node) = reference_json::read(&text) else { break };
        let (values, parts) = (node.values(), node.parts());
        let value = |at: &Index| values[at.index(values.len())].span.clone();
        let (span, put) = match change {
            Change::Replace(at, new) => (value(at), new.clone()),
            Change::Copy(from, to) => (value(to), text[value(from)].to_owned()),
            Change::Nest(at, depth) => {
                let (open, close) = ("[".repeat(*depth), "]".repeat(*depth));
                (value(at), format!("{open}{}{close}", &text[value(at)]))
            }
            Change::Space(at, blanks) => {
                (value(at), format!("{blanks}{}{blanks}", &text[value(at)]))
            }
            Change::Repeat(_) | Change::Remove(_) if parts.is_empty() => continue,
            Change::Repeat(at) => {
                let part = parts[at.index(parts.len())].clone();
                (part.end..part.end, format!(",{}", &text[part]))
            }
            Change::Remove(at) => {
                let part = parts[at.index(parts.len())].clone();
                let comma = usize::from(text[part.end..].starts_with(','));
                (part.start..part.end + comma, String::new())
            }
        };
        text.replace_range(span, &put);
    }
    text.into_bytes()
}

/// A record of the corpus, the short ones more often than the long.
fn any_record() -> impl Strategy<Value = Bytes> {
    (any::<Index>(), any::<Index>()).prop_map(|(at, most)| {
        let most = most.index(CORPUS.len()) + 1;
        Bytes(CORPUS[at.index(most)].clone())
    })
}

fn changed_record() -> impl Strategy<Value = Bytes> {
    (any_record(), vec(any_change(), 0..4))
        .prop_map(|(line, changes)| Bytes(changed(&line.0, &changes)))
}

fn damaged_record() -> impl Strategy<Value = Bytes> {
    (any_record(), vec(any_mutation(), 0..4))
        .prop_map(|(line, mutations)| Bytes(mutated(&line.0, &mutations, &CORPUS)))
}

/// A few lines of any kind, whole records among them.
fn any_file() -> impl Strategy<Value = Bytes> {
    let line = prop_oneof![
        2 => any_record(),
        2 => changed_record(),
        2 => damaged_record(),
        2 => vec(any::<u8>(), 0..100).prop_map(Bytes),
        1 => select(&["", " ", "\r", "\t \r", "\u{b}", "null", "[]", "{}"][..])
            .prop_map(|line| Bytes(line.as_bytes().to_vec())),
        1 => random_json::value().prop_map(|line| Bytes(line.into_bytes())),
    ];
    (vec(line, 0..4), any::<bool>()).prop_map(|(lines, is_ended)| {
        let lines: Vec<Vec<u8>> = lines.into_iter().map(|line| line.0).collect();
        let mut file = lines.join(&b'\n');
        file.extend(is_ended.then_some(b'\n'));
        Bytes(file)
    })
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn every_match_of_scripted_players_has_a_valid_record(record in any_match()) {
        prop_assert_eq!(verify(&record), Ok(()));
        let written = line(&record);
        let read: Vec<_> = Reader::new(&*written).collect();
        let [Ok((1, read))] = &read[..] else { return Err(TestCaseError::fail(format!("{read:?}"))) };
        // Times are kept to a microsecond, which is what these players answer in.
        prop_assert_eq!(read, &record);
        check_record(read)?;
        for round in &record.rounds {
            if let Some(fault) = &round.result.fault {
                check_shown(&fault.detail, 2_500)?;
            }
        }
    }

    #[test]
    fn a_record_with_random_values_never_panics(line in changed_record()) {
        check_file(&line.0)?;
    }

    #[test]
    fn a_damaged_record_never_panics(line in damaged_record()) {
        check_file(&line.0)?;
    }

    #[test]
    fn a_file_of_random_bytes_is_read_to_its_end(file in any_file()) {
        check_file(&file.0)?;
    }

    #[test]
    fn a_line_that_is_cut_is_never_a_record(line in changed_record(), at in any::<Index>()) {
        let whole = line.0.trim_ascii_end();
        prop_assume!(Reader::new(whole).all(|item| item.is_ok()) && !whole.is_empty());
        let cut = &whole[..at.index(whole.len())];
        prop_assume!(!cut.trim_ascii().is_empty());
        prop_assert!(is_cut_off(cut), "{}", String::from_utf8_lossy(cut));
    }
}

/// What these tests have found before.
#[test]
fn records_of_past_bugs_are_judged_correctly() {
    let record = r#"{"format":"mancala-match/1","rules":{"name":"learneroo","seeds":3,"opponent_store":"sow","direction":"forward","empty_capture":true},"opening":[1,1,1,1,1,1,0,1,1,1,1,1,1,0],"limits":{},"bots":[{"name":"a","command":[]},{"name":"b","command":[]}],"rounds":[{"round":1,"first":0,"moves":[{"bot":0,"move":5,"ms":TIME,"info":INFO}],"result":{"reason":"move_limit","fault":null,"score":[6,6]},"final":[0,0,0,0,0,0,6,0,0,0,0,0,0,6]}],"score":[6,6],"winner":null}"#;
    let with = |time: &str, info: &str| record.replace("TIME", time).replace("INFO", info);
    let read = |line: &str| Reader::new(line.as_bytes()).next().expect("an item");
    let written = |read: &MatchRecord| String::from_utf8(line(read)).expect("text");

    // A bot that said nothing much has said something.
    let (_, said) = read(&with("1.0", "null")).expect("a record");
    assert!(written(&said).contains(r#""info":null"#), "{}", written(&said));
    // Blanks and marks within what a bot said stay off the terminal, and reading it changes nothing.
    let (_, said) = read(&with("1.0", "[ 0.1\r,\"\u{7f}\"]")).expect("a record");
    assert!(written(&said).contains(r#""info":[0.1,"\u007f"]"#), "{}", written(&said));
    // Half a number in what is only passed over.
    let whole = with("1.0", "[1.5e-7]");
    for half in ["[1.", "[1.5e", "[1.5e-"] {
        let end = whole.find(half).expect("it is there") + half.len();
        assert!(is_cut_off(&whole.as_bytes()[..end]), "{half}");
    }
    // Times beyond what a float holds exactly, and beyond what can be added up.
    assert!(read(&with("31622400000", "0")).is_ok());
    for time in ["31622400001", "1e15", "1.8446744073709552e22", "-1"] {
        let error = read(&with(time, "0")).expect_err("no such time").to_string();
        assert!(error.starts_with("line 1: not a mancala-match/1 record: "), "{error}");
    }
    // What is said of a line does not grow with the line.
    let long = format!("\"{}\"", "x".repeat(1_000_000));
    let error = read(&with(&long, "0")).expect_err("no number").to_string();
    assert!(error.len() < 400 && error.contains("…, at column "), "{error}");
}

#[test]
fn a_record_cut_at_any_byte_is_reported_as_cut_off() {
    for line in CORPUS.iter().take(25) {
        assert!(Reader::new(&line[..]).all(|item| item.is_ok()));
        for end in 1..line.len() {
            assert!(is_cut_off(&line[..end]), "{}", String::from_utf8_lossy(&line[..end]));
        }
    }
}

#[test]
fn scripted_matches_end_in_every_way() {
    let all = CORPUS.concat();
    let all = String::from_utf8_lossy(&all);
    for word in [
        "completed",
        "move_limit",
        "illegal_move",
        "invalid_reply",
        "unsolicited_output",
        "oversized_reply",
        "timeout",
        "exited",
        "start_failed",
        "\"info\":",
        "\"replayed\":",
        "game_time_ms",
        "\"backward\"",
    ] {
        assert!(all.contains(word), "{word} is in no record of the corpus");
    }
}
