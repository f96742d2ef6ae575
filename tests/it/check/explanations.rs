//! A fault of a match is explained by its bundle alone, and never by the words of its detail.

use std::time::Duration;

use proptest::prelude::*;
use proptest::sample::select;

use mancala_referee::log::{Bundle, FORMAT};
use mancala_referee::problems::{Explanation, explain, explain_record, explain_together};
use mancala_referee::protocol::{Cause, CauseCode, FaultKind, Reply};
use mancala_referee::record::{BotRecord, FaultRecord, Terms};
use mancala_referee::report::{RecordedFault, Spread};
use mancala_referee::rules::{Board, House, Ruleset};
use mancala_referee::seat::Seat;
use mancala_referee::text::quoted;

const START: &str = r#"{"type":"start","protocol":1,"round":1,"first":true,"you":"a","opponent":"b","rules":{"name":"learneroo","seeds":3,"opponent_store":"sow","direction":"forward","empty_capture":true},"board":[3,3,3,3,3,3,0,3,3,3,3,3,3,0],"move_time_ms":1000}"#;
const TURN: &str = r#"{"type":"turn","turn":1,"board":[0,3,3,3,3,3,3,3,3,3,3,3,3,0],"legal":[1,2,3,4,5],"moves":[],"move_time_ms":1000}"#;

/// The bundle of a fault with this cause.
fn bundle(cause: Cause, reply: &str) -> Bundle {
    Bundle {
        format: FORMAT.to_owned(),
        bot: BotRecord {
            name: "a".to_owned(),
            command: vec!["./a".to_owned()],
            ..BotRecord::default()
        },
        dir: None,
        opponent: "b".to_owned(),
        round: 1,
        turn: 1,
        kind: cause.code.kind().unwrap(),
        detail: cause.in_words(reply),
        cause: Some(Box::new(cause)),
        board: None,
        rules: Ruleset::default(),
        terms: Terms::default(),
        environment: Vec::new(),
        start: START.to_owned(),
        input: Some(TURN.to_owned()),
        reply: Some(reply.to_owned()),
        reply_hex: None,
        waited_ms: None,
        limit_ms: None,
        late_after_ms: None,
        exit: None,
        stderr: String::new(),
        reproduce: String::new(),
        told: Some(vec![START.to_owned()]),
    }
}

fn what(cause: Cause, reply: &str) -> String {
    let Explanation { what, fix, .. } = explain(&bundle(cause, reply));
    assert!(fix.ends_with(['.', ')', '?']), "{fix}");
    what
}

#[test]
fn a_fault_is_explained_in_the_words_of_a_check() {
    use CauseCode as Code;
    let answered = |reply: &str| what(*Reply::parse(reply.as_bytes()).unwrap_err(), reply);
    let empty = Cause { house: House::new(0), ..Code::EmptyHouse.into() };
    assert_eq!(what(empty, "0"), "it chooses a house without seeds");
    assert_eq!(answered("8"), "it plays the opponent's row, by its cells 7 to 12");
    assert_eq!(answered("70"), "it chooses something that is not a house");
    assert_eq!(answered("hello"), "it writes text to stdout where a move is expected");
    assert_eq!(
        answered("{'move': 3}"),
        "it prints an object as its own language shows it, where JSON is expected"
    );
    for (reply, problem) in [
        ("5]", "it writes more than the house"),
        ("0,", "it writes more than the house"),
        ("0;", "it writes more than the house"),
        ("0 0", "it writes more than the house"),
        ("> 0", "it writes more than the house"),
        ("\u{1b}[32m0", "it writes more than the house"),
        ("None", "it answers with no value"),
        ("undefined", "it answers with no value"),
        ("null", "it answers with no value"),
        ("{\"Move\":3}", "it answers with an object that has no \"move\""),
        ("{\"move\":\"3\"}", "its \"move\" is not a number"),
        ("3.0", "it answers with a number that is not whole"),
        ("{\"move\":3,\"move\":3}", "it answers with an object that has a key twice"),
        ("{\"move\":3,\"direction\":\"left\"}", "its \"direction\" is not a direction"),
        ("{", "it answers with JSON that is cut off"),
        ("\"3\"", "it answers with JSON that is not a move"),
        ("[3]", "it answers with JSON that is not a move"),
    ] {
        assert_eq!(answered(reply), problem, "{reply:?}");
    }
    for (code, problem) in [
        (Code::MoreThanOneLine, "it writes more than one line for a turn"),
        (Code::Unasked, "it writes to stdout without being asked"),
        (Code::NeverAnswered, "it does not answer"),
        (Code::LateAnswer, "it answers too late"),
        (Code::ClosedStdout, "it closes its stdout"),
        (Code::Sandbox, "it crashes"),
    ] {
        assert_eq!(what(code.into(), "3"), problem);
    }
    let crashed = Cause { signal: Some(11), ..Code::Signal.into() };
    assert_eq!(what(crashed, ""), "it crashes with a bad memory access (SIGSEGV)");
    let exited = Cause { exit_code: Some(1), ..Code::ExitCode.into() };
    let stderr = "ModuleNotFoundError: No module named 'numpy'".to_owned();
    let missing = explain(&Bundle { stderr, ..bundle(exited, "") }).what;
    assert!(missing.ends_with("numpy"), "{missing}");
    let size = what(Cause::of_limit(Code::MemoryLimit, 1 << 30), "");
    assert!(size.ends_with("(--memory 1GiB)"), "{size}");
}

#[test]
fn a_silent_bot_is_told_of_the_end_of_its_input_beside_the_flush() {
    let fix = explain(&bundle(CauseCode::NeverAnswered.into(), "")).fix;
    assert!(
        fix.starts_with("If an adapter calls your function, look for an endless loop in it"),
        "{fix}"
    );
    assert!(fix.contains(" Otherwise: Flush stdout after each answer. "), "{fix}");
    assert!(
        fix.contains("reads all of its input before the first answer waits for the end"),
        "{fix}"
    );
}

#[test]
fn a_bot_that_the_sandbox_refused_something_is_told_where_it_may_write() {
    let fix =
        |code: CauseCode| explain(&bundle(Cause { exit_code: Some(1), ..code.into() }, "")).fix;
    let place =
        "only to the private folder that the variable TMPDIR names; it reaches no processes";
    assert!(fix(CauseCode::Sandbox).contains(place));
    assert!(fix(CauseCode::NoNetwork).contains("The sandbox has no network."));
    assert!(!fix(CauseCode::ExitCode).contains("sandbox"));
}

#[test]
fn an_adapters_words_are_the_finding() {
    let line = r#"{"move":7,"info":{"adapter":{"code":"no_bin","words":"f returned bin -1"}}}"#;
    let cause = *Reply::parse(line.as_bytes()).unwrap_err();
    let explained = explain(&bundle(cause.clone(), line));
    assert_eq!(explained.what, "f returned bin -1");
    // Houses of 0 to 5 and "legal" are not its author's.
    assert!(explained.fix.ends_with(" on every way through your code."), "{}", explained.fix);
    assert!(!explained.fix.contains("0 to 5") && !explained.fix.contains("legal"));
    // Bin 0 is cell 6, which the adapter counts down from.
    let zero = line.replace("-1", "0").replace('7', "6");
    let zero = explain(&bundle(*Reply::parse(zero.as_bytes()).unwrap_err(), &zero));
    assert!(
        zero.fix.ends_with("If your code counts from 0, add 1 to each answer."),
        "{}",
        zero.fix
    );
    let below = line.replace("no_bin", "no_house").replace('7', "-1");
    let below = explain(&bundle(*Reply::parse(below.as_bytes()).unwrap_err(), &below));
    assert!(
        below.fix.ends_with("If your code counts from 0, add 1 to each answer."),
        "{}",
        below.fix
    );
    let again = line.replace("-1", "9");
    let again = explain(&bundle(*Reply::parse(again.as_bytes()).unwrap_err(), &again));
    assert_eq!(explained, again, "the same code is the same problem");
    // A null is the adapter's own.
    for code in ["prints", "leaks", "exits", "no_cell"] {
        let line = r#"{"move":null,"info":{"adapter":{"code":"CODE","words":"f did"}}}"#;
        let line = line.replace("CODE", code);
        let explained = explain(&bundle(*Reply::parse(line.as_bytes()).unwrap_err(), &line));
        assert_eq!(explained.what, "f did");
        assert!(!explained.fix.contains("Its answers show"), "{code}: {}", explained.fix);
        let has_own = !explained.fix.contains("what the adapter says");
        assert_eq!(has_own, code != "no_cell", "{}", explained.fix);
    }
    let none = explain(&Bundle { cause: None, ..bundle(cause, line) });
    assert_eq!(none.what, "illegal move");
}

proptest! {
    /// Rewording a message changes no diagnosis.
    #[test]
    fn a_diagnosis_does_not_read_the_detail(
        code in select(CauseCode::ALL), reply in ".{0,9}", detail in ".*", exit in 0..3i32,
    ) {
        let exits = code.kind() == Some(FaultKind::Exited);
        let cause = Cause { exit_code: exits.then_some(exit), ..code.into() };
        let bundle = bundle(cause, &reply);
        let explained = explain(&bundle);
        prop_assert!(!explained.fix.is_empty());
        prop_assert_eq!(explained, explain(&Bundle { detail, ..bundle }));
    }

    /// `mancala feedback` says the same with a log and without one.
    #[test]
    fn a_bundle_and_a_record_of_a_fault_are_explained_alike(
        line in "(I got )?[{]?[ ']{0,2}(move|info|8)?'?:? ?[0-9]{0,2}[}]?",
        detail in "(.* got [{]move: 3[}])?",
    ) {
        let Err(cause) = Reply::parse(line.as_bytes()) else { return Ok(()) };
        let bundle = bundle(*cause.clone(), &quoted(line.as_bytes()));
        let record = FaultRecord {
            bot: Seat::A,
            kind: bundle.kind,
            detail: bundle.detail.clone(),
            cause: Some(cause),
            board: Board::from_cells([3; 14]).unwrap(),
            stderr: String::new(),
        };
        let recorded = RecordedFault {
            record: &record,
            command: &bundle.bot.command,
            round: 1,
            move_number: 1,
            turn: 1,
            sent: "",
            answers_in_round: 0,
            answers_in_process: 0,
            rounds_in_process: 1,
            previous: None,
        };
        let explained = explain_record(&recorded);
        prop_assert_eq!(&explained, &explain(&bundle));
        // The words of the detail are for people.
        let other_words = FaultRecord { detail, ..record.clone() };
        prop_assert_eq!(explained, explain_record(&RecordedFault { record: &other_words, ..recorded }));
        // Records of other programs may have no cause.
        let without_cause = FaultRecord { cause: None, ..record.clone() };
        let what = explain_record(&RecordedFault { record: &without_cause, ..recorded }).what;
        prop_assert!(["illegal move", "invalid reply"].contains(&&*what), "{what}");
    }
}

#[test]
fn silence_is_explained_by_what_came_before() {
    let never = explain(&bundle(CauseCode::NeverAnswered.into(), ""));
    assert!(
        never.fix.contains(". Otherwise: Flush stdout after each answer. In C"),
        "{}",
        never.fix
    );
    let told = vec![START.to_owned(), TURN.to_owned()];
    let stopped = bundle(CauseCode::NoAnswer.into(), "");
    let stopped = explain(&Bundle { told: Some(told), ..stopped });
    assert_eq!(stopped.what, "it stops answering");
    assert!(!stopped.fix.contains("Flush") && stopped.fix.starts_with("If an adapter calls"));
}

#[test]
fn a_bot_that_was_not_asked_in_its_first_round_exits_after_it() {
    let exited = Cause { exit_code: Some(0), ..CauseCode::ExitCode.into() };
    let what = |turn: u32, told: &[&str]| {
        let told = Some(told.iter().map(|line| (*line).to_owned()).collect());
        explain(&Bundle { told, turn, ..bundle(exited.clone(), "") }).what
    };
    assert_eq!(what(1, &[START]), "it exits before its first answer");
    let end = r#"{"type":"end","round":1,"result":"won","reason":"illegal_move"}"#;
    assert_eq!(what(1, &[START, end, START]), "it plays one round and exits");
    assert_eq!(what(2, &[START, TURN]), "it exits in the middle of a round, with code 0");
}

#[test]
fn exits_without_an_answer_are_one_problem() {
    let exited = Cause { exit_code: Some(0), ..CauseCode::ExitCode.into() };
    let end = r#"{"type":"end","round":1,"result":"won","reason":"illegal_move"}"#;
    let exit = |turn: u32, told: &[&str]| {
        let told = Some(told.iter().map(|line| (*line).to_owned()).collect());
        explain(&Bundle { told, turn, ..bundle(exited.clone(), "") })
    };
    let [at_once, unasked, played] =
        [exit(1, &[START]), exit(1, &[START, end, START]), exit(1, &[START, TURN, end, START])];
    let together = |mut all: Vec<Explanation>| {
        explain_together(&mut all.iter_mut().map(|it| (None, it)).collect::<Vec<_>>());
        all.into_iter().map(|it| it.what).collect::<Vec<_>>()
    };
    let (before, after) = ("it exits before its first answer", "it plays one round and exits");
    assert_eq!(together(vec![at_once, unasked.clone(), played]), [before, before, after]);
    assert_eq!(together(vec![unasked]), [after]);
}

#[test]
fn an_empty_house_that_was_just_played_is_said_to_be() {
    let own = r#""moves":[{"by":"you","move":0},{"by":"opponent","move":2}]"#;
    let input = Some(TURN.replace(r#""moves":[]"#, own));
    let cause = Cause { house: House::new(0), ..CauseCode::EmptyHouse.into() };
    let explained = explain(&Bundle { input, ..bundle(cause, "0") });
    assert_eq!(explained.what, "it chooses a house without seeds: the one of its last answer");
}

/// The bundle of a bot that exited with code 1 before its first answer.
fn crashed(stderr: &str) -> Bundle {
    let exited = Cause { exit_code: Some(1), ..CauseCode::ExitCode.into() };
    Bundle { stderr: stderr.to_owned(), ..bundle(exited, "") }
}

#[test]
fn each_interpreter_is_understood() {
    for (stderr, kind, name) in [
        ("python3: can't open file '/a b/x.py': [Errno 2] No such file\n", "a file: ", "/a b/x.py"),
        ("Traceback\nFileNotFoundError: No such file or directory: 'b.txt'\n", "a file: ", "b.txt"),
        ("ModuleNotFoundError: No module named 'numpy'\n", "a module: ", "numpy"),
        ("/usr/bin/python3: No module named nope\n", "a module: ", "nope"),
        ("No module named 'np'\na.py: the file cannot be run, see above\n", "a module: ", "np"),
        (
            "Error: Cannot find module '/b/x.js'\n  at Module._load\n\nNode.js\n",
            "a module: ",
            "/b/x.js",
        ),
        ("Error: Could not find or load main class X\nCaused by: java.lang.X\n", "a class: ", "X"),
        ("Error: Unable to access jarfile Nope.jar\n", "a file: ", "Nope.jar"),
        ("sh: 0: cannot open nope.sh: No such file\n", "a file: ", "nope.sh"),
        ("bash: nope.sh: No such file or directory\n", "a file: ", "nope.sh"),
        ("cat: book: No such file or directory\n", "a file: ", "book"),
        ("/usr/bin/env: ‘nopython’: No such file or directory\n", "a program: ", "nopython"),
        ("env: './x.py': No such file or directory\n", "a program: ", "./x.py"),
        ("timeout: failed to run command ‘./x’: No such file or directory\n", "a program: ", "./x"),
        ("lines.py: cannot start ./a.lua: No such file or directory\n", "a file: ", "./a.lua"),
        ("sh: 1: nope: not found\n", "a program: ", "nope"),
        ("./x.sh: 3: nope: not found\n", "a program: ", "nope"),
        ("/b/x.sh: line 3: nope: not found\n", "a program: ", "nope"),
        ("sh: nope: not found\n", "a program: ", "nope"),
        ("/bin/busybox: nope: not found\n", "a program: ", "nope"),
        ("bash: line 1: nope: command not found\n", "a program: ", "nope"),
        ("Can't open perl script \"x.pl\": No such file or directory\n", "a file: ", "x.pl"),
        ("ruby: No such file or directory -- nope.rb (LoadError)\n", "a file: ", "nope.rb"),
        ("\x1b: 1: \x1b[2J: not found", "a program: ", "\\u{1b}[2J"),
    ] {
        let explained = explain(&crashed(stderr)).what;
        assert!(explained.ends_with(&format!("{kind}{name}")), "{stderr}: {explained}");
    }
}

#[test]
fn the_usual_crashes_are_understood() {
    let several = "it takes several messages for one";
    let not_valid = "its program has a syntax error";
    for (stderr, what) in [
        (
            "Traceback\njson.decoder.JSONDecodeError: Extra data: line 2 column 1 (char 9)\n",
            several,
        ),
        (
            "SyntaxError: Unexpected non-whitespace character after JSON at position 9\n    at \
             JSON.parse (<anonymous>)\n\nNode.js v22\n",
            several,
        ),
        (
            "  File \"bot.py\", line 2\n    for x\n         ^\nSyntaxError: expected ':'\n",
            not_valid,
        ),
        ("IndentationError: unexpected indent\n", not_valid),
        (
            "/b.js:1\nlet =\n    ^\n\nSyntaxError: Unexpected token '='\n    at wrapSafe\n",
            not_valid,
        ),
        (
            "SyntaxError: Unexpected token u in JSON at position 0\n    at JSON.parse\n",
            "it crashes",
        ),
        ("Traceback\nJSONDecodeError: Extra data: line 1 column 3 (char 2)\n", "it crashes"),
        ("Traceback\n  File \"<string>\", line 1\nSyntaxError: invalid syntax\n", "it crashes"),
    ] {
        assert_eq!(explain(&crashed(stderr)).what, what, "{stderr}");
    }
}

#[test]
fn what_was_only_mentioned_is_not_the_reason() {
    for stderr in [
        "",
        "\n\n",
        "KeyError: 'legal'\n",
        "cat: book.txt: No such file or directory\nKeyError: 'legal'\n",
        "No such file or directory\n",
        "Cannot find module ''\n",
        // Only a shell misses a program.
        "Traceback (most recent call last):\nValueError: house: not found\n",
        "Traceback (most recent call last):\nKeyError: 3: house: not found\n",
        "java.lang.IllegalStateException: 3: house: not found\n",
        "Crash: 3: x: not found\n\tat Bot.main(Bot.java:3)\nBot: 4: x: not found",
        "house: not found\n",
        "Error: house: not found\n",
    ] {
        assert_eq!(explain(&crashed(stderr)).what, "it crashes", "{stderr}");
    }
}

#[test]
fn flush_advice_is_for_the_language_of_the_command_line() {
    for (command, language) in [
        ("python3 my_bot.py", "In Python"),
        ("/usr/bin/python3.12 -m bot", "In Python"),
        ("env X=1 nice ruby bot.rb --depth 3", "In Ruby"),
        ("./bot.rb", "In Ruby"),
        ("go run bot.go", "In Go"),
        ("lua5.4 bot.lua", "In Lua"),
        ("perl bot", "In Perl"),
        ("dotnet bin/Bot.dll", "In C#"),
        ("mono Bot.exe", "In C#"),
        ("node bot.js", "In JavaScript"),
        ("java -cp out Bot", "In Java"),
        ("cargo run", "In Rust"),
        ("sh -c ./bot", "In a shell"),
        ("./bot", "In C:"),
    ] {
        let command = command.split(' ').map(str::to_owned).collect();
        let silent = bundle(CauseCode::NeverAnswered.into(), "");
        let bot = BotRecord { command, ..silent.bot.clone() };
        let fix = explain(&Bundle { bot, ..silent }).fix;
        let flush = format!("Flush stdout after each answer. {language}");
        // A program without a language in its name may be a function with an adapter.
        let (before, _) = fix.split_once(&flush).unwrap_or_else(|| panic!("{fix}"));
        assert_eq!(before.is_empty(), language != "In C:", "{fix}");
    }
}

#[test]
fn times_are_spread_by_nearest_rank() {
    let spread = |times: &[u64]| {
        let times: Vec<Duration> = times.iter().copied().map(Duration::from_millis).collect();
        let Spread { count, median, p99, longest } = Spread::of(&times)?;
        Some((count, [median, p99, longest].map(|time| time.as_millis())))
    };
    assert_eq!(spread(&[]), None);
    assert_eq!(spread(&[7]), Some((1, [7, 7, 7])));
    assert_eq!(spread(&[4, 1, 3, 2]), Some((4, [2, 4, 4])));
    let many: Vec<u64> = (1..=200).collect();
    assert_eq!(spread(&many), Some((200, [100, 198, 200])));
}
