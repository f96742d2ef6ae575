//! A bot that misbehaves on purpose, a mode for each behaviour. Built for the tests only.
//!
//! `hostile MODE [ROUND] [TURN] [FOLDER]` plays the first legal house, except that it does what
//! its mode says in the given round (default 1), at its given turn (default 1; 0 stands for every
//! turn of the round) or at the moment that the mode is about. FOLDER belongs to this match alone: by its name the processes of the
//! match are known, and what modes leave for the test, or for each other, lies in it.
//!
//! With `either` the first legal house is sown forward from house 0 and backward from any other:
//! from an opening of one seed a side that goes to and fro for ever.
//!
//! No mode outlives two minutes, so that nothing stays behind when the referee does not end it.

use std::fs::{self, File};
use std::io::{self, BufRead};
use std::os::fd::BorrowedFd;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio, exit};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Resource, Rlimit, Signal};
use serde_json::{Value, json};

/// When a mode does what it does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum At {
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
    /// At the end of its stdin.
    Eof,
}
use At::{End, Eof, EveryTurn, Launch, Start, Turn};

struct Mode {
    name: &'static str,
    at: At,
    act: fn(&Bot),
}

const fn mode(name: &'static str, at: At, act: fn(&Bot)) -> Mode {
    Mode { name, at, act }
}

const KIB: usize = 1024;

const MODES: &[Mode] = &[
    // Sound in every respect.
    mode("sound", Turn, Bot::answer),
    // Sound, and leaves behind which processes played and what they were told at the end.
    mode("witness", Turn, Bot::answer),
    // The same, and waits, with its first answer after the other's TURN, for what the other does.
    mode("patient", EveryTurn, Bot::answer_patiently),
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
    mode("negative", Turn, |_| say("-1\n")),
    mode("big-number", Turn, |_| say("99999999999999999999\n")),
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
];

/// The longest that anything here lasts.
const LONGEST: Duration = Duration::from_mins(2);

struct Bot {
    mode: &'static Mode,
    round: u64,
    turn: u64,
    folder: Option<PathBuf>,
    /// The round that is played.
    round_now: u64,
    /// Whether it makes the round's first move.
    first: bool,
    /// Whether the rules leave the direction to the player.
    either: bool,
    turn_now: u64,
    legal: Vec<u64>,
    move_time_ms: u64,
}

fn main() {
    // Modes that crash leave no core file.
    let none = Rlimit { current: Some(0), maximum: Some(0) };
    rustix::process::setrlimit(Resource::Core, none).expect("core files are turned off");

    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let argument = |index: usize| arguments.get(index).map(String::as_str);
    let number = |index| argument(index).map_or(1, |text| text.parse().expect("a number"));
    let name = argument(0).expect("a mode");
    let folder = argument(3).map(PathBuf::from);
    match name {
        // What modes leave running: a child, an orphan of the same group, one of its own session.
        "--linger" => {
            let (folder, own) = (folder.expect("a folder"), std::process::id().to_string());
            // Under another name first: whoever finds the file finds all of it.
            fs::write(folder.join(&own), &own).expect("the folder is there");
            fs::rename(folder.join(&own), folder.join("lingers")).expect("it may be renamed");
            return pause(LONGEST);
        }
        "--modes" => return MODES.iter().for_each(|mode| println!("{}", mode.name)),
        "--orphan" => return leave(&mut again("--linger")),
        "--daemon" => {
            rustix::process::setsid().expect("a session of its own");
            return leave(&mut again("--linger"));
        }
        _ => {}
    }
    let mode = MODES.iter().find(|mode| mode.name == name);
    let mut bot = Bot {
        mode: mode.unwrap_or_else(|| panic!("no mode {name:?}")),
        round: number(1),
        turn: number(2),
        folder,
        round_now: 0,
        first: false,
        either: false,
        turn_now: 0,
        legal: Vec::new(),
        move_time_ms: 0,
    };
    bot.run();
}

impl Bot {
    fn run(&mut self) {
        self.witness("launches", &std::process::id().to_string());
        self.act_at(Launch);
        for line in io::stdin().lock().lines() {
            let Ok(line) = line else { break };
            let message: Value = serde_json::from_str(&line).expect("a message is JSON");
            match message["type"].as_str().expect("a message has a type") {
                "start" => {
                    self.round_now = message["round"].as_u64().expect("a round");
                    self.first = message["first"].as_bool().expect("who is first");
                    self.either = message["rules"]["direction"] == "either";
                    self.act_at(Start);
                }
                "turn" => {
                    self.turn_now = message["turn"].as_u64().expect("a turn");
                    self.move_time_ms = message["move_time_ms"].as_u64().expect("a limit");
                    let legal = message["legal"].as_array().expect("legal houses");
                    self.legal = legal.iter().filter_map(Value::as_u64).collect();
                    if !self.act_at(Turn) && !self.act_at(EveryTurn) {
                        self.answer();
                    }
                }
                "end" => {
                    self.witness("ends", &line);
                    self.act_at(End);
                }
                _ => {}
            }
        }
        self.act_at(Eof);
    }

    /// Does what the mode does if this is the moment; says whether it was.
    fn act_at(&self, at: At) -> bool {
        let due = at == self.mode.at
            && match at {
                Launch => self.is_first("launched"),
                Start | End => self.round_now == self.round,
                Turn => self.round_now == self.round && [0, self.turn_now].contains(&self.turn),
                EveryTurn | Eof => true,
            };
        if due {
            (self.mode.act)(self);
        }
        due
    }

    /// The first legal house.
    fn house(&self) -> u64 {
        self.legal[0]
    }

    fn limit(&self) -> Duration {
        Duration::from_millis(self.move_time_ms)
    }

    /// Plays the first legal house.
    fn answer(&self) {
        if self.either {
            say(to_and_fro(self.house()));
        } else {
            say(format!("{}\n", self.house()));
        }
    }

    /// Plays the first legal house and says something beside.
    fn answer_with(&self, key: &str, value: &Value) {
        let mut answer = json!({"move": self.house()});
        if self.either {
            answer["direction"] = json!(direction(self.house()));
        }
        answer[key] = value.clone();
        say(format!("{answer}\n"));
    }

    /// Answers, but the first time after the other bot's turn TURN only when that bot has
    /// announced that it has done what it does.
    fn answer_patiently(&self) {
        let turn = if self.first { self.turn + 1 } else { self.turn };
        if (self.round_now, self.turn_now) == (self.round, turn) {
            self.wait_for("done");
        }
        self.answer();
    }

    /// Waits until this file is in its folder.
    fn wait_for(&self, file: &str) {
        let file = self.folder().join(file);
        let end = Instant::now() + LONGEST;
        while !file.exists() && Instant::now() < end {
            pause(Duration::from_millis(1));
        }
    }

    /// Answers whenever more is sent, without reading any of it. The round goes to and fro.
    fn answer_unread(&self) {
        let mut house = self.house();
        let mut waiting = 0;
        let end = Instant::now() + LONGEST;
        say(to_and_fro(house));
        while Instant::now() < end {
            let more = rustix::io::ioctl_fionread(io::stdin()).unwrap_or_default();
            if more > waiting {
                waiting = more;
                house = 1 - house;
                say(to_and_fro(house));
            } else {
                pause(Duration::from_micros(100));
            }
        }
    }

    fn folder(&self) -> &Path {
        self.folder.as_deref().expect("this mode needs a folder")
    }

    /// Whether this is the first call with that word in the whole match.
    fn is_first(&self, word: &str) -> bool {
        File::create_new(self.folder().join(word)).is_ok()
    }

    /// Leaves word for the test, or for a patient opponent, that it has come this far.
    fn announce(&self) {
        if let Some(folder) = &self.folder {
            fs::write(folder.join("done"), "").expect("the folder is there");
        }
    }

    /// Writes a line down in its folder, in the modes that do.
    fn witness(&self, file: &str, line: &str) {
        if matches!(self.mode.name, "witness" | "patient") {
            let mut options = File::options();
            let file = options.append(true).create(true).open(self.folder().join(file));
            let line = format!("{line}\n");
            io::Write::write_all(&mut file.expect("the folder is there"), line.as_bytes())
                .expect("it is written");
        }
    }

    /// Announces that it hangs, and does.
    fn hang(&self) {
        self.announce();
        pause(LONGEST);
        exit(99);
    }
}

/// This program once more, known by the same arguments.
fn again(mode: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().expect("its own path"));
    command.arg(mode).args(std::env::args().skip(2));
    command
}

/// Starts a program and leaves it alone.
#[expect(clippy::zombie_processes, reason = "who sees to the end of such a child is the question")]
fn leave(command: &mut Command) {
    command.spawn().expect("the child starts");
}

/// Lets a child start a child of its own and exit.
fn leave_to_others(mode: &str) {
    assert!(again(mode).status().expect("the child starts").success());
}

/// The way from a house that leads to and fro between the houses 0 and 1.
fn direction(house: u64) -> &'static str {
    if house == 0 { "forward" } else { "backward" }
}

fn to_and_fro(house: u64) -> String {
    format!("{{\"move\":{house},\"direction\":\"{}\"}}\n", direction(house))
}

/// Writes to stdout, in one piece where the pipe takes it. Exits when nobody reads any more.
fn say(bytes: impl AsRef<[u8]>) {
    write_all(rustix::stdio::stdout(), bytes.as_ref());
}

fn complain(bytes: impl AsRef<[u8]>) {
    write_all(rustix::stdio::stderr(), bytes.as_ref());
}

fn write_all(to: BorrowedFd<'_>, mut bytes: &[u8]) {
    while !bytes.is_empty() {
        match rustix::io::write(to, bytes) {
            Ok(count) => bytes = &bytes[count..],
            Err(rustix::io::Errno::INTR) => {}
            Err(_) => exit(98),
        }
    }
}

fn say_for_ever(text: &str) {
    let text = text.repeat(16 * KIB);
    let end = Instant::now() + LONGEST;
    while Instant::now() < end {
        say(&text);
    }
}

fn complain_for_ever() {
    let text = "This is an outrage. ".repeat(KIB);
    let end = Instant::now() + LONGEST;
    while Instant::now() < end {
        complain(&text);
    }
}

fn pause(time: Duration) {
    std::thread::sleep(time);
}

fn null() -> File {
    File::options().read(true).write(true).open("/dev/null").expect("there is /dev/null")
}

fn signal_self(signal: Signal) {
    rustix::process::kill_process(rustix::process::getpid(), signal).expect("a signal is sent");
}

/// Takes the signals that may be taken, and does nothing about them.
fn ignore_signals() {
    for signal in [1, 2, 3, 14, 15] {
        signal_hook::flag::register(signal, std::sync::Arc::default()).expect("it is taken");
    }
}

/// Lists its open descriptors on stderr.
fn show_descriptors() {
    let entries = fs::read_dir("/proc/self/fd").expect("descriptors are listed");
    let mut numbers: Vec<u32> =
        entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok()).collect();
    numbers.sort_unstable();
    // The one that lists them is closed by now.
    let is_open = |number: &String| Path::new("/proc/self/fd").join(number).exists();
    let open: Vec<String> = numbers.iter().map(u32::to_string).filter(is_open).collect();
    complain(format!("descriptors: {}\n", open.join(" ")));
}
