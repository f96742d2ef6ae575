//! What the hostile bot does: a mode for each behaviour, and when.

use std::fs::{self, File};
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio, exit};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal};
use serde_json::{Value, json};

use crate::attacks::{attempt, timer};
use crate::bombs;
use crate::bot::Bot;
use crate::hoards;
use crate::pondering;
use crate::tools::{
    KIB, LONGEST, again, complain, complain_for_ever, ignore_signals, kill_starter_by_descriptor,
    kill_wardens, leave, leave_to_others, make_a_mess, null, pause, say, say_for_ever,
    show_descriptors, signal_self, signal_starter,
};

/// When a mode does what it does.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum At {
    /// Before anything else, in every process.
    Birth,
    /// Before it reads anything, in the first process of the match only.
    Launch,
    /// At the `start` of ROUND.
    Start,
    /// Instead of answering turn TURN of ROUND, or all of them where TURN is 0.
    Turn,
    /// Instead of answering, at every turn of the match.
    EveryTurn,
    /// At the `end` of ROUND.
    End,
    /// At every message, before anything else.
    EveryMessage,
    /// At the end of its stdin.
    Eof,
}
use At::{Birth, End, Eof, EveryMessage, EveryTurn, Launch, Start, Turn};

pub struct Mode {
    pub name: &'static str,
    pub at: At,
    pub act: fn(&Bot),
}

const fn mode(name: &'static str, at: At, act: fn(&Bot)) -> Mode {
    Mode { name, at, act }
}

pub const MODES: &[Mode] = &[
    // Sound in every respect.
    mode("sound", Turn, Bot::answer),
    // Sound, and leaves behind which processes played and what they were told at the end.
    mode("witness", Turn, Bot::answer),
    // The same, and waits, with its first answer after the other's TURN, for what the other does.
    mode("patient", EveryTurn, Bot::answer_patiently),
    // Leaves word when it is asked for its move at TURN.
    mode("slowly", EveryTurn, |bot| {
        if (bot.round_now, bot.turn_now) == (bot.round, bot.turn) {
            bot.announce();
        }
        pause(Duration::from_millis(50));
        bot.answer();
    }),
    mode("kill-wardens", EveryTurn, |bot| {
        kill_wardens();
        bot.answer();
    }),
    // Sound, and all the while kills every warden that it finds, its own first.
    mode("kill-wardens-for-ever", Birth, |_| {
        std::thread::spawn(|| {
            loop {
                kill_wardens();
                pause(Duration::from_micros(100));
            }
        });
    }),
    // Sound, and from its first turn on burns all that it gets, in as many processes as its
    // argument says.
    mode("burners", EveryTurn, |bot| {
        if bot.is_first("burns") {
            bombs::burners(bot);
        }
        bot.answer();
    }),
    // The same, on all cores of the machine, where it may have them.
    mode("burners-elsewhere", EveryTurn, |bot| {
        if bot.is_first("burns") {
            use rustix::thread::{CpuSet, sched_setaffinity};
            let mut all = CpuSet::new();
            (0..CpuSet::MAX_CPU).for_each(|core| all.set(core));
            let _ = sched_setaffinity(None, &all);
            bombs::burners(bot);
        }
        bot.answer();
    }),
    // The same, without an answer.
    mode("burners-and-hang", EveryTurn, |bot| {
        bombs::burners(bot);
        bot.hang();
    }),
    // Sound, and leaves word that the match has come to TURN.
    mode("announce", Turn, |bot| {
        bot.answer();
        bot.announce();
    }),
    // Lines that are moves, though not the plainest.
    mode("crlf", EveryTurn, |bot| say(format!("{}\r\n", bot.house()))),
    mode("spaces", EveryTurn, |bot| say(format!(" \t{}  \n", bot.house()))),
    mode("object", EveryTurn, |bot| say(format!("{{ \"move\" : {} }}\n", bot.house()))),
    mode("more-fields", EveryTurn, |bot| bot.answer_with("depth", &json!([{"a": null}]))),
    mode("info", EveryTurn, |bot| bot.answer_with("info", &json!("x".repeat(60 * KIB)))),
    mode("longest-line", EveryTurn, |bot| {
        say(format!("{}{}\n", " ".repeat(64 * KIB - 1), bot.house()));
    }),
    mode("byte-by-byte", Turn, |bot| {
        for byte in format!("{{\"move\":{}}}\n", bot.house()).bytes() {
            say([byte]);
            pause(Duration::from_millis(5));
        }
    }),
    mode("almost-late", Turn, |bot| {
        pause(bot.limit() + Duration::from_millis(200));
        bot.answer();
    }),
    mode("slow-to-start", Launch, |_| pause(Duration::from_millis(600))),
    // Lines that are no moves.
    mode("blank-line", Turn, |_| say("\n")),
    mode("blanks", Turn, |_| say(" \t \r\n")),
    mode("words", Turn, |_| say("I play house 0\n")),
    mode("debug-print", Turn, |bot| {
        say(format!("thinking about {}\n{0}\n", bot.house()));
    }),
    mode("bom", Turn, |_| say("\u{feff}0\n")),
    mode("nul", Turn, |_| say("0\0\n")),
    mode("not-utf8", Turn, |_| say(b"0\xff\xfe\n")),
    mode("utf16", Turn, |_| say(b"\xff\xfe0\0\n\0")),
    mode("ansi", Turn, |_| say("\x1b[2J\x1b]0;I won\x07\u{9b}31m0\x7f\n")),
    mode("bidi", Turn, |_| say("\u{202e}0\u{2066}\u{200b}\u{2028}\n")),
    mode("cr-inside", Turn, |_| say("0\r1\n")),
    mode("deep", Turn, |_| say("[".repeat(60 * KIB) + "\n")),
    mode("deep-info", Turn, |_| {
        let (open, close) = ("[".repeat(20 * KIB), "]".repeat(20 * KIB));
        say(format!("{{\"move\":0,\"info\":{open}{close}}}\n"));
    }),
    mode("deep-objects", Turn, |_| say("{\"move\":".repeat(5 * KIB) + "\n")),
    mode("string", Turn, |_| say("\"0\"\n")),
    mode("array", Turn, |_| say("[0]\n")),
    mode("null", Turn, |_| say("null\n")),
    mode("true", Turn, |_| say("true\n")),
    mode("float", Turn, |_| say("0.0\n")),
    mode("exponent", Turn, |_| say("1e0\n")),
    mode("minus-zero", Turn, |_| say("-0.0\n")),
    mode("nan", Turn, |_| say("NaN\n")),
    mode("infinity", Turn, |_| say("{\"move\":Infinity}\n")),
    mode("huge-number", Turn, |_| say("9".repeat(400) + "\n")),
    mode("huge-exponent", Turn, |_| say("1e999999999\n")),
    mode("leading-zero", Turn, |_| say("00\n")),
    mode("plus", Turn, |_| say("+0\n")),
    mode("two-numbers", Turn, |_| say("0 1\n")),
    mode("after-the-number", Turn, |_| say("0;\n")),
    mode("after-the-object", Turn, |_| say("{\"move\":0}{\"move\":1}\n")),
    mode("half-an-object", Turn, |_| say("{\"move\":0\n")),
    mode("single-quotes", Turn, |_| say("{'move':0}\n")),
    mode("shown-in-javascript", Turn, |_| say("{ move: 0 }\n")),
    mode("no-move", Turn, |_| say("{\"info\":\"I pass\"}\n")),
    mode("wrong-case", Turn, |_| say("{\"Move\":0}\n")),
    mode("move-as-string", Turn, |_| say("{\"move\":\"0\"}\n")),
    mode("move-as-null", Turn, |_| say("{\"move\":null}\n")),
    mode("move-as-float", Turn, |_| say("{\"move\":0.5}\n")),
    mode("two-moves", Turn, |_| say("{\"move\":0,\"move\":1}\n")),
    mode("two-in-info", Turn, |_| say("{\"move\":0,\"info\":{\"a\":1,\"a\":2}}\n")),
    mode("unknown-direction", Turn, |_| say("{\"move\":0,\"direction\":\"left\"}\n")),
    mode("direction-as-number", Turn, |_| say("{\"move\":0,\"direction\":1}\n")),
    mode("garbage-of-64-kib", Turn, |_| say("x".repeat(64 * KIB) + "\n")),
    // Moves that the rules do not allow.
    mode("wrong-direction", Turn, |bot| bot.answer_with("direction", &json!("backward"))),
    mode("empty-house", Turn, |bot| {
        let empty = (0..6).find(|house| !bot.legal.contains(house)).expect("a house is empty");
        say(format!("{empty}\n"));
    }),
    mode("store", Turn, |_| say("6\n")),
    mode("opponents-house", Turn, |_| say("{\"move\":7}\n")),
    // A number that is no house, in both seats.
    mode("nine-now-and-then", EveryTurn, |bot| {
        let nine = bot.turn_now == if bot.first { 3 } else { 1 };
        if nine { say("9\n") } else { bot.answer() }
    }),
    mode("negative", Turn, |_| say("-1\n")),
    mode("big-number", Turn, |_| say("99999999999999999999\n")),
    mode("off-by-one", EveryTurn, |bot| say(format!("{}\n", bot.house() + 1))),
    mode("bins-from-the-store", EveryTurn, |bot| say(format!("{}\n", 6 - bot.house()))),
    mode("the-other-side", EveryTurn, |bot| {
        let side = bot.message["board"].as_array().expect("a board")[7..13].iter();
        let house = side.map(Value::as_u64).position(|seeds| seeds > Some(0));
        say(format!("{}\n", house.expect("the other side has seeds")));
    }),
    mode("always-two", EveryTurn, |_| say("2\n")),
    mode("fullest-cell", EveryTurn, |bot| {
        // The store among them.
        let own = bot.message["board"].as_array().expect("a board")[..7].iter();
        let fullest = own.map(Value::as_u64).enumerate().max_by_key(|&(_, seeds)| seeds);
        say(format!("{}\n", fullest.expect("a board has cells").0));
    }),
    mode("fullest-of-all", EveryTurn, |bot| {
        // The first of them, as Python's max has it.
        let all = bot.message["board"].as_array().expect("a board").iter();
        let fullest = all.map(Value::as_u64).enumerate().rev().max_by_key(|&(_, seeds)| seeds);
        say(format!("{}\n", fullest.expect("a board has cells").0));
    }),
    mode("place-in-legal", EveryTurn, |bot| {
        let seeds =
            |house: &Value| bot.message["board"][usize::try_from(house.as_u64()?).ok()?].as_u64();
        let legal = bot.message["legal"].as_array().expect("legal houses").iter();
        let fullest = legal.map(seeds).enumerate().max_by_key(|&(_, seeds)| seeds);
        say(format!("{}\n", fullest.expect("a house is legal").0));
    }),
    mode("cell-behind", EveryTurn, |bot| {
        // The house before the fullest of the cells 1 to 6, the store among them.
        let behind = bot.message["board"].as_array().expect("a board")[1..7].iter();
        let fullest = behind.map(Value::as_u64).enumerate().max_by_key(|&(_, seeds)| seeds);
        say(format!("{}\n", fullest.expect("a board has cells").0));
    }),
    mode("any-cell", EveryTurn, |bot| {
        let cells = bot.message["board"].as_array().expect("a board").iter();
        let weighted = (1..).zip(cells).map(|(weight, cell)| weight * cell.as_u64().unwrap_or(0));
        say(format!("{}\n", weighted.sum::<u64>() % 14));
    }),
    mode("count-on", EveryTurn, |bot| say(format!("{}\n", (bot.turn_now - 1) % 3))),
    // What a later version, or only some matches, may send is too much for these.
    mode("panic-at-unknown-type", EveryMessage, |bot| {
        assert!(bot.knows_the_type(), "no such type");
    }),
    mode("answer-unknown-type", EveryMessage, |bot| {
        if !bot.knows_the_type() {
            say("what?\n");
        }
    }),
    mode("panic-at-unknown-field", EveryMessage, |bot| {
        assert!(bot.message.get("weather").is_none(), "no such field");
    }),
    mode("hang-at-unknown-field", EveryTurn, |bot| {
        if bot.message.get("weather").is_none() {
            bot.answer();
        }
    }),
    mode("panic-at-unknown-rule", EveryMessage, |bot| {
        assert!(bot.message["rules"].get("season").is_none(), "no such rule");
    }),
    mode("panic-at-a-bank", EveryMessage, |bot| {
        assert!(bot.message.get("game_time_ms").is_none(), "no bank, please");
    }),
    mode("panic-at-a-fault", EveryMessage, |bot| {
        assert!(bot.message.get("fault").is_none(), "whose fault?");
    }),
    mode("panic-at-a-round-without-turn", End, |bot| {
        assert!(bot.turn_now > 0, "what was my last move?");
    }),
    mode("ascii-only", EveryMessage, |bot| {
        assert!(bot.message["you"].as_str().is_none_or(str::is_ascii), "what letters!");
    }),
    mode("panic-at-many-seeds", EveryMessage, |bot| {
        let cells = bot.message["board"].as_array().into_iter().flatten();
        assert!(cells.filter_map(Value::as_u64).all(|seeds| seeds < 100), "too many seeds");
    }),
    mode("hang-at-many-seeds", EveryMessage, |bot| {
        let mut cells = bot.message["board"].as_array().into_iter().flatten();
        if cells.any(|seeds| seeds.as_u64() >= Some(100)) {
            bot.hang();
        }
    }),
    mode("panic-at-cs221", EveryMessage, |bot| {
        assert!(bot.message["rules"]["name"] != "cs221", "no such rules");
    }),
    // Lines without end.
    mode("one-byte-too-long", Turn, |bot| {
        say(format!("{}{}\n", " ".repeat(64 * KIB), bot.house()));
    }),
    mode("flood", Turn, |_| say_for_ever("x")),
    mode("flood-of-zeros", Turn, |_| say_for_ever("\0")),
    // Output that nobody asked for. Two lines in one piece, where the first may be taken for an
    // answer that comes just in time: the second is one too many all the same.
    mode("early", Start, |_| say("0\n0\n")),
    mode("at-the-end", End, |_| say("0\n0\n")),
    mode("twice-at-once", Turn, |bot| say(format!("{}\n{0}\n", bot.house()))),
    mode("twice", Turn, |bot| {
        bot.answer();
        bot.answer();
        bot.announce();
    }),
    mode("answer-and-blank-line", Turn, |bot| say(format!("{}\n\n", bot.house()))),
    mode("answer-and-half-a-line", Turn, |bot| say(format!("{}\nI was", bot.house()))),
    mode("talk-while-idle", Turn, |bot| {
        bot.answer();
        pause(Duration::from_millis(20));
        say("\x1b[31myour turn\n");
        bot.announce();
    }),
    mode("flood-of-lines", Turn, |_| say_for_ever("0\n")),
    mode("flood-while-idle", Turn, |bot| {
        bot.answer();
        say("xxx");
        bot.announce();
        say_for_ever("x");
    }),
    // No answer in time.
    mode("hang", Turn, Bot::hang),
    mode("hang-deaf", Turn, |bot| {
        ignore_signals();
        bot.hang();
    }),
    mode("stop", Turn, |bot| {
        signal_self(Signal::STOP);
        bot.hang();
    }),
    mode("busy", Turn, |_| {
        let end = Instant::now() + LONGEST;
        while Instant::now() < end {
            std::hint::spin_loop();
        }
    }),
    mode("dribble", Turn, |_| {
        for _ in 0..LONGEST.as_millis() / 20 {
            say("1");
            pause(Duration::from_millis(20));
        }
    }),
    mode("dribble-spaces", Turn, |_| {
        for _ in 0..LONGEST.as_millis() / 20 {
            say(" ");
            pause(Duration::from_millis(20));
        }
    }),
    mode("dribble-stderr", Turn, |_| {
        for line in 0..LONGEST.as_millis() / 20 {
            complain(format!("thinking, {line}\n"));
            pause(Duration::from_millis(20));
        }
    }),
    mode("flood-stderr-and-hang", Turn, |_| complain_for_ever()),
    mode("no-newline", Turn, |bot| {
        say(bot.house().to_string());
        bot.hang();
    }),
    mode("old-mac", Turn, |bot| {
        say(format!("{}\r", bot.house()));
        bot.hang();
    }),
    mode("late", Turn, |bot| {
        pause(bot.limit() + Duration::from_secs(3));
        bot.answer();
    }),
    mode("a-little-late", Turn, |bot| {
        pause(bot.limit() + Duration::from_millis(300));
        bot.answer_with("info", &json!("too late"));
    }),
    mode("exit-at-the-limit", Turn, |bot| {
        pause(bot.limit());
        exit(3);
    }),
    mode("answer-then-hang", Turn, |bot| {
        bot.answer();
        bot.hang();
    }),
    mode("spend-the-bank", EveryTurn, |bot| {
        if bot.round_now == bot.round {
            pause(Duration::from_millis(600));
        }
        bot.answer();
    }),
    mode("too-slow-to-start", Launch, Bot::hang),
    mode("hang-at-start", Start, Bot::hang),
    mode("read-no-more", Turn, Bot::answer_unread),
    mode("close-stdin", Turn, |bot| {
        rustix::stdio::dup2_stdin(null()).expect("stdin is replaced");
        bot.answer();
        bot.hang();
    }),
    mode("become-another", Turn, |bot| {
        bot.announce();
        panic!("{}", again("--linger").exec());
    }),
    mode("hold-back", EveryTurn, |bot| {
        let mut held = bot.held.borrow_mut();
        held.push_str(&format!("{}\n", bot.house()));
    }),
    mode("most-of-its-time", Turn, |bot| {
        pause(bot.limit() * 7 / 10);
        bot.answer();
    }),
    // For as many milliseconds as its argument says.
    mode("pause", Turn, |bot| {
        pause(Duration::from_millis(bot.arguments[0].parse().expect("milliseconds")));
        bot.answer();
    }),
    // Gone before the answer.
    mode("exit-0", Turn, |_| exit(0)),
    mode("exit-3", Turn, |_| exit(3)),
    mode("exit-at-launch", Launch, |_| exit(4)),
    mode("exit-at-start", Start, |_| exit(0)),
    mode("exit-at-the-end", End, |_| exit(0)),
    mode("answer-and-exit", Turn, |bot| {
        bot.answer();
        exit(0);
    }),
    mode("answer-once", EveryTurn, |bot| {
        bot.answer();
        exit(0);
    }),
    mode("answer-once-and-fail", EveryTurn, |bot| {
        bot.answer();
        exit(1);
    }),
    mode("script-is-not-there", EveryMessage, |_| {
        complain("python3: can't open file '/bots/nope.py': [Errno 2] No such file or directory\n");
        exit(2);
    }),
    mode("crowd", EveryTurn, |bot| {
        (0..60).for_each(|_| drop(std::thread::Builder::new().spawn(|| pause(LONGEST))));
        pause(Duration::from_secs(2));
        bot.answer();
    }),
    mode("crowd-that-gives-up", EveryTurn, |bot| {
        let thread = || std::thread::Builder::new().spawn(|| pause(LONGEST));
        if (0..60).any(|_| thread().is_err()) {
            exit(3);
        }
        pause(Duration::from_secs(2));
        bot.answer();
    }),
    mode("too-large-a-file", EveryTurn, |_| {
        complain("OSError: [Errno 27] File too large\n");
        exit(1);
    }),
    mode("no-memory", EveryTurn, |_| {
        complain("MemoryError\n");
        exit(1);
    }),
    mode("panic-at-start", EveryMessage, |bot| {
        assert!(bot.message.get("legal").is_some(), "what is legal?");
    }),
    mode("panic-as-second", EveryTurn, |bot| {
        assert!(bot.first, "I always begin");
        bot.answer();
    }),
    mode("half-a-line-and-exit", Turn, |bot| {
        say(bot.house().to_string());
        exit(0);
    }),
    mode("panic", Turn, |_| panic!("I lost my way")),
    mode("abort", Turn, |_| std::process::abort()),
    mode("segfault", Turn, |_| {
        // Rust's own handler lets one that no memory access caused pass.
        (0..2).for_each(|_| signal_self(Signal::SEGV));
    }),
    mode("kill-itself", Turn, |_| signal_self(Signal::KILL)),
    mode("end-itself", Turn, |_| signal_self(Signal::TERM)),
    mode("kill-its-group", Turn, |_| {
        leave(&mut again("--linger"));
        rustix::process::kill_current_process_group(Signal::KILL).expect("the group is killed");
    }),
    mode("close-stdout", Turn, |bot| {
        rustix::stdio::dup2_stdout(null()).expect("stdout is replaced");
        bot.hang();
    }),
    // Its stdout is closed before it has ended, as an interpreter does that is slow to clean up.
    mode("die-slowly", Birth, |_| {
        use std::hash::BuildHasher;
        rustix::stdio::dup2_stdout(null()).expect("stdout is replaced");
        // A hasher's keys are random.
        pause(Duration::from_millis(std::hash::RandomState::new().hash_one(()) % 80));
        complain("Traceback: SyntaxError\n");
        exit(1);
    }),
    mode("answer-and-close-stdout", Turn, |bot| {
        bot.answer();
        rustix::stdio::dup2_stdout(null()).expect("stdout is replaced");
        bot.hang();
    }),
    mode("child-keeps-stdout", Turn, |_| {
        leave(&mut again("--linger"));
        exit(3);
    }),
    mode("daemon-keeps-stdout", Turn, |_| {
        leave_to_others("--daemon");
        exit(3);
    }),
    mode("curse-and-exit", Turn, |_| {
        complain("\x1b[2J\x1b]0;I won\x07 \u{9b}31m \u{202e}evil\u{2066} \r\x08\x7f\n");
        exit(1);
    }),
    mode("show-descriptors", EveryTurn, |_| {
        show_descriptors();
        exit(5);
    }),
    mode("show-signals", Turn, |_| {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        complain(status.lines().find(|line| line.starts_with("SigIgn")).unwrap_or_default());
        exit(6);
    }),
    mode("leave-a-mess", Turn, |_| {
        make_a_mess().expect("a mess is made");
        complain("a mess is made\n");
        exit(3);
    }),
    mode("vanish", Turn, |_| {
        fs::remove_file(std::env::args_os().next().expect("a name")).expect("it is removed");
        exit(7);
    }),
    // Noise that does nobody harm.
    mode("close-stderr", Turn, |bot| {
        rustix::stdio::dup2_stderr(null()).expect("stderr is replaced");
        bot.answer();
    }),
    mode("flood-stderr", Turn, |bot| {
        std::thread::spawn(complain_for_ever);
        bot.answer();
    }),
    mode("flood-stderr-while-idle", Turn, |bot| {
        bot.answer();
        complain("x".repeat(1024 * KIB));
        bot.announce();
    }),
    mode("pour", EveryTurn, |bot| {
        if bot.is_first("poured") {
            std::thread::spawn(complain_for_ever);
        }
        bot.answer_with("info", &json!("x".repeat(60 * KIB)));
    }),
    mode("fickle", EveryTurn, |bot| {
        use std::hash::BuildHasher;
        // A hasher's keys are random.
        let any = std::hash::RandomState::new().hash_one(()) % bot.legal.len() as u64;
        let house = bot.legal.iter().cycle().nth(usize::try_from(any).unwrap_or(0));
        say(format!("{}\n", house.expect("a house is legal")));
    }),
    mode("fail-after-all", Eof, |_| {
        complain("EOFError: EOF when reading a line\n");
        exit(1);
    }),
    mode("linger-after-all", Eof, |_| pause(Duration::from_millis(600))),
    mode("flood-after-all", Eof, |_| say_for_ever("0\n")),
    mode("hang-after-all", Eof, |bot| {
        ignore_signals();
        bot.hang();
    }),
    mode("stop-after-all", Eof, |bot| {
        signal_self(Signal::STOP);
        bot.hang();
    }),
    // Processes that nobody asked for.
    mode("child", Turn, |bot| {
        leave(&mut again("--linger"));
        bot.answer();
    }),
    mode("children", Turn, |bot| {
        (0..20).for_each(|_| leave(&mut again("--linger")));
        bot.answer();
    }),
    mode("orphan", Turn, |bot| {
        leave_to_others("--orphan");
        bot.answer();
    }),
    mode("helped", EveryTurn, |bot| {
        if bot.is_first("helped") {
            leave_to_others("--orphan");
            bot.wait_for("lingers");
        }
        let helper = fs::read_to_string(bot.folder().join("lingers")).expect("it has a helper");
        let helper = helper.parse().ok().and_then(Pid::from_raw).expect("a process");
        rustix::process::test_kill_process(helper).expect("its helper is there");
        bot.answer();
    }),
    mode("join-the-referee", Turn, |bot| {
        let referee = rustix::process::getppid().expect("the referee is the parent");
        let group = rustix::process::getpgid(Some(referee)).expect("it has a group");
        rustix::process::setpgid(None, Some(group)).expect("the group is joined");
        bot.hang();
    }),
    mode("child-with-a-group", Turn, |bot| {
        leave(again("--linger").process_group(0));
        bot.answer();
    }),
    mode("daemon", Turn, |bot| {
        leave_to_others("--daemon");
        bot.answer();
    }),
    // The terminal, where there is one.
    mode("write-to-terminal", Turn, |bot| {
        // A blank that is taken back again: a developer's terminal stays as it was.
        let _ = fs::write("/dev/tty", " \x08");
        bot.answer();
    }),
    mode("change-terminal", Turn, |bot| {
        let mut stty = Command::new("stty");
        stty.arg("-echo").stdin(File::open("/dev/tty").map_or(Stdio::null(), Stdio::from));
        let _ = stty.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        bot.answer();
    }),
    // A lock on the file in its folder that its argument names, held until it ends.
    mode("lock", Launch, |bot| {
        let file = File::open(bot.folder().join(&bot.arguments[0])).expect("the file is there");
        file.lock().expect("it may be locked");
        fs::write(bot.folder().join("locked"), &bot.arguments[0]).expect("the folder is there");
        std::mem::forget(file);
    }),
    // Every process of its user; only where it may not signal even the one that started it, so that
    // a sandbox that does not hold costs a test and not the machine.
    mode("kill-everything", EveryTurn, |bot| {
        let starter = rustix::process::getppid();
        let may = starter.is_some_and(|it| rustix::process::test_kill_process(it).is_ok());
        assert!(!may, "the sandbox does not hold");
        let everybody = nix::unistd::Pid::from_raw(-1);
        let _ = nix::sys::signal::kill(everybody, nix::sys::signal::Signal::SIGKILL);
        bot.answer();
    }),
    // As soon as it lives, while whoever started it may not have done with that.
    mode("kill-starter", Birth, |_| signal_starter(Signal::KILL)),
    mode("stop-starter", Birth, |_| signal_starter(Signal::STOP)),
    mode("kill-starter-by-descriptor", Birth, |_| kill_starter_by_descriptor()),
    // What is not a bot's to do, or not in such numbers.
    mode("attack", Turn, |bot| {
        let reports: Vec<String> = bot.arguments.iter().map(|words| attempt(words)).collect();
        bot.answer_with_reports(&reports);
    }),
    mode("fork-bomb", Turn, |bot| bot.explode(&bombs::processes(bot, "--bomb"))),
    mode("fork-bomb-setsid", Turn, |bot| bot.explode(&bombs::processes(bot, "--bomb-setsid"))),
    mode("thread-bomb", Turn, |bot| bot.explode(&bombs::threads(bot))),
    mode("memory-bomb", Turn, |bot| bot.explode(&bombs::memory(bot))),
    mode("memory-bomb-at-once", Turn, |bot| bot.explode(&bombs::memory_at_once(bot))),
    mode("memory-bomb-children", Turn, |bot| bot.explode(&bombs::memory_of_children(bot))),
    mode("file-bomb", Turn, |bot| bot.explode(&bombs::file(bot))),
    mode("socket-bomb", Turn, |bot| bot.explode(&bombs::sockets(bot))),
    mode("watch-bomb", Turn, |bot| bot.explode(&bombs::watches(bot))),
    mode("nameless-bomb", Turn, |bot| bot.explode(&bombs::nameless_files(bot))),
    mode("deep-bomb", Turn, |bot| bot.explode(&bombs::deep_files(bot))),
    mode("closed-bomb", Turn, |bot| bot.explode(&bombs::closed_files(bot))),
    mode("shm-window", Turn, |bot| bot.explode(&bombs::by_perl(bot, include_str!("window.pl")))),
    mode("locks", Turn, |bot| bot.explode(&bombs::by_perl(bot, include_str!("locks.pl")))),
    mode("landlock", Turn, |bot| bot.explode(&bombs::rules(bot))),
    mode("splice", Turn, |bot| bot.explode(&bombs::spliced(bot))),
    mode("unreadable", Birth, |_| bombs::become_unreadable("nameless-bomb")),
    mode("in-flight-bomb", Birth, |_| bombs::in_flight()),
    mode("ponder", EveryTurn, pondering::by_thread),
    mode("ponder-in-turns", EveryTurn, pondering::in_turns),
    mode("ponder-in-short-lives", EveryTurn, pondering::in_short_lives),
    mode("ponder-in-rare-lives", EveryTurn, pondering::in_rare_lives),
    // Sound otherwise, and runs again whenever it was stopped; the other one stops in between.
    mode("thaw", EveryTurn, |bot| pondering::thawing(bot, None)),
    mode("thaw-and-stop", EveryTurn, |bot| {
        pondering::thawing(bot, Some(Duration::from_millis(3)));
    }),
    // It has what keeps it hung up, and takes more memory than it may.
    mode("hup", Turn, |bot| {
        complain(format!("{:?}\n", attempt("hang-up=parent")));
        bot.explode(&bombs::memory(bot));
    }),
    // All timers that its user may have.
    mode("sigpending", Birth, |_| {
        complain(format!("{:?}\n", attempt("pending-signals=1000000")));
    }),
    // Sound, and has a timer at every turn.
    mode("alarm", EveryTurn, |bot| {
        let _timer = timer(Signal::ALARM).expect("a timer");
        bot.answer();
    }),
    // Sound, and dear to look at.
    mode("hoard-folders", Birth, hoards::folders),
    mode("hoard-descriptors", Birth, hoards::descriptors),
    // Sound, and needs three fifths of its time on a core, or as many milliseconds as its argument says.
    mode("compute", EveryTurn, |bot| {
        let given = bot.arguments.first().map(|ms| ms.parse().expect("milliseconds"));
        pondering::compute(given.map_or(bot.limit() * 3 / 5, Duration::from_millis));
        bot.answer();
    }),
    mode("cpu-burner", EveryTurn, bombs::cpu),
];
