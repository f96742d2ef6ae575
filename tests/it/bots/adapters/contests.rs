//! Bots of other contests, unchanged, behind the Python adapters in `examples/adapters`.

use std::fs;
use std::io::{Seek as _, Write as _};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use mancala_referee::protocol::FaultKind;
use mancala_referee::record::MatchRecord;
use mancala_referee::seat::Seat;

use super::{fault, no_fault, play};
use crate::processes;
use crate::program::{mancala, path, repository, search_path};
use crate::requirements;

/// Long enough for interpreters on a busy machine.
const UNHURRIED: [&str; 2] = ["--move-time=20s", "--start-time=60s"];

const KGP: &str =
    "python3 examples/adapters/kgp.py python3 examples/adapters/samples/kgp_client.py";
const BUET: &str = "python3 examples/adapters/lines.py --preset buet \
                    python3 examples/adapters/samples/buet_bot.py";
const ONESHOT: &str =
    "python3 examples/adapters/oneshot.py python3 examples/adapters/samples/last_house.py";

/// A bot of the Rochester contest: it prints what it thinks, and then a house.
const ROCHESTER: &str = "
import sys
for line in sys.stdin:
    numbers = list(map(int, line.split()))
    assert len(numbers) == 17 and numbers[16] == 0
    row = 0 if numbers[15] == 1 else 7
    print('Time limit reached at depth 7', flush=True)
    print(max(h for h in range(1, 7) if numbers[row + h - 1]), flush=True)
";

/// A bot that is told its number in a first line, sees rows from the store outwards without any
/// store, and answers with a letter.
const LETTERS: &str = "
player = int(input())
while True:
    try:
        numbers = list(map(int, input().split(',')))
    except EOFError:
        break
    own = numbers[:6][::-1]
    assert len(numbers) == 13 and numbers[12] >= 0 and player in (1, 2)
    print('ABCDEF'[max(h for h in range(6) if own[h])], flush=True)
";

/// A bot of a public contest: two lines tell it how the round begins, and each position follows a
/// word.
const GREETED: &str = "
colour, first = input().split()[1:]
assert (colour, first) in [('W', '1'), ('B', '1')], (colour, first)
assert input() == 'READY'
while True:
    try:
        word, *numbers = input().split()
    except (EOFError, ValueError):
        break
    assert word == 'MOVE' and len(numbers) == 14, numbers
    print(min(h for h in range(1, 7) if numbers[h - 1] != '0'), flush=True)
";

/// A program that reads one board from stdin and counts its houses from 0.
const STDIN: &str = "
houses = list(map(int, input().split()))[:6]
print('thinking')
print(min(h for h in range(6) if houses[h]))
";

fn is_python_there() -> bool {
    requirements::are_there("python3", "bots of other contests")
}

/// Writes a bot and returns the end of a command line that runs it.
fn written(folder: &Path, name: &str, text: &str) -> String {
    let file = folder.join(name);
    fs::write(&file, text).unwrap();
    format!("python3 {}", path(file))
}

#[test]
fn bots_that_need_options_play() {
    if !is_python_there() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let rochester = written(folder.path(), "rochester.py", ROCHESTER);
    let letters = written(folder.path(), "letters.py", LETTERS);
    let stdin = written(folder.path(), "stdin.py", STDIN);
    let greeted = written(folder.path(), "greeted.py", GREETED);
    let lines = "python3 examples/adapters/lines.py";
    for bot in [
        format!(
            "{lines} --first-line 'START {{player}} 1' --first-line READY --before MOVE \
             --player-words W,B {greeted}"
        ),
        format!("{lines} --preset rochester {rochester}"),
        format!(
            "{lines} --send '-own -opponent move' --separator , --houses a --player line \
             --process move {letters}"
        ),
        format!("python3 examples/adapters/oneshot.py --board stdin --houses 0 {stdin}"),
    ] {
        no_fault(&play("--rules kalah --move-time 20s", &bot, "builtin:easy"));
    }
}

#[test]
fn a_bot_behind_an_adapter_is_named_after_the_bot() {
    if !is_python_there() {
        return;
    }
    for (bot, name) in [(KGP, "kgp_client"), (BUET, "buet_bot"), (ONESHOT, "last_house")] {
        let record = play("--rules kalah", "builtin:easy", bot);
        no_fault(&record);
        let names: Vec<&str> = record.bots.0.iter().map(|bot| bot.name.as_str()).collect();
        assert_eq!(names, ["easy", name]);
    }
}

#[test]
fn commands_on_the_adapters_page_work() {
    if !is_python_there() {
        return;
    }
    let page = fs::read_to_string(repository().join("examples/adapters/README.md")).unwrap();
    let python = |line: &&str| line.starts_with("mancala match") && line.contains("python3 ex");
    let commands: Vec<&str> = page.lines().filter(python).collect();
    assert_eq!(commands.len(), 3);
    for command in commands {
        let words = shell_words::split(command).unwrap();
        let outcome = mancala(&words[1..]).args(["--format", "json"]).args(UNHURRIED).run();
        no_fault(&serde_json::from_str(&outcome.success().stdout).unwrap());
    }
}

/// The detail of the fault, and the stderr, of a bot that errs at its first move.
#[track_caller]
fn first_fault(bot: &str) -> (FaultKind, String, String) {
    let record = play("--rules kalah --rounds 1", "builtin:easy", bot);
    let (kind, detail) = fault(&record.rounds[0]);
    let stderr = record.rounds[0].result.fault.as_ref().unwrap().stderr.clone();
    (kind, detail.to_owned(), stderr)
}

#[test]
fn a_wrong_answer_behind_an_adapter_is_quoted() {
    if !is_python_there() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let lines = "python3 examples/adapters/lines.py --preset buet";
    let oneshot = "python3 examples/adapters/oneshot.py";
    let bot = |name: &str, text: &str| written(folder.path(), name, text);
    let nine = bot("nine.py", "input()\nprint(9, flush=True)\ninput()");
    let huge = bot("huge.py", "input()\nprint(10**30, flush=True)\ninput()");
    // Its first answer is a house.
    let zeros = "print('+000000003', flush=True)\ninput()\nprint('left', flush=True)\ninput()";
    let zeros = bot("zeros.py", &format!("input()\n{zeros}"));
    let word = bot("word.py", "input()\nprint('left', flush=True)\ninput()");
    let argued = bot("argued.py", "print('left')");
    let crash = bot("crash.py", "import sys\nprint('oops', file=sys.stderr)\nsys.exit(7)");
    let sample = fs::read_to_string(repository().join("examples/adapters/samples/kgp_client.py"));
    let sample = sample.unwrap();
    let kgp = |name: &str, from: &str, to: &str| {
        assert!(sample.contains(from));
        let client = bot(name, &sample.replace(from, to));
        format!("python3 examples/adapters/kgp.py {client}")
    };
    let cases = [
        (format!("{lines} {nine}"), FaultKind::IllegalMove, "the bot said '9'"),
        (format!("{lines} {huge}"), FaultKind::IllegalMove, "00', which is no house from 1 to 6"),
        (format!("{lines} {zeros}"), FaultKind::InvalidReply, "the bot said 'left', which is no"),
        (format!("{lines} {word}"), FaultKind::InvalidReply, "the bot said 'left', which is no"),
        (format!("{oneshot} {argued}"), FaultKind::InvalidReply, "the program printed 'left'"),
        (format!("{lines} {crash}"), FaultKind::Exited, "with code 7"),
        (format!("{oneshot} {crash}"), FaultKind::Exited, "with code 7"),
        (kgp("kgp_nine.py", "move {full[-1]}", "move 9"), FaultKind::IllegalMove, "move 9'"),
        (kgp("left.py", "move {full[-1]}", "move left"), FaultKind::InvalidReply, "move left'"),
        (kgp("none.py", " move ", " shrug "), FaultKind::InvalidReply, "`yield` without a `move`"),
        (kgp("mode.py", "freeplay", "fast"), FaultKind::Exited, "with code 1"),
    ];
    for (bot, kind, words) in cases {
        let (found, detail, stderr) = first_fault(&bot);
        assert_eq!(found, kind, "{bot}: {detail}, {stderr}");
        assert!(detail.contains(words), "{bot}: {detail}");
        if bot.contains("crash") {
            assert!(stderr.contains("oops"), "{stderr}");
        }
        if bot.contains("mode.py") {
            assert!(stderr.contains("asked for the mode 'fast'"), "{stderr}");
        }
    }
}

/// Prints its last full house, and notes it; twice, or the first time with a word before it.
const TALKATIVE: &str = "
import sys
notes = open(sys.argv[2], 'w')
word = 'thinking'
while True:
    try:
        numbers = input().split()
    except EOFError:
        break
    house = max(house for house in range(1, 7) if numbers[house - 1] != '0')
    print(house, file=notes, flush=True)
    if sys.argv[1] == 'twice':
        word = house
    print(f'{word}\\n{house}' if word else house, flush=True)
    word = None
";

#[test]
fn a_line_that_no_position_asked_for_is_no_answer_to_the_next() {
    if !is_python_there() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let notes = folder.path().join("notes");
    let talkative = written(folder.path(), "talkative.py", TALKATIVE);
    let bot = |manner: &str| {
        format!("python3 examples/adapters/lines.py {talkative} {manner} {}", path(&notes))
    };
    let (kind, detail, _) = first_fault(&bot("twice"));
    assert_eq!(kind, FaultKind::InvalidReply);
    assert_eq!(
        detail,
        "the bot printed '6' without being asked; it has to print one line for each position"
    );

    let rules = "--rules kalah --rounds 1 --fault-policy substitute";
    let record = play(rules, &bot("thinks"), "builtin:easy");
    let own = record.rounds[0].moves.iter().filter(|played| played.bot == Seat::A);
    let (substituted, own): (Vec<_>, Vec<_>) = own.partition(|played| played.substitute.is_some());
    assert_eq!(substituted.len(), 1, "{record:?}");
    let own: Vec<String> = own.iter().map(|it| (it.house.cell() + 1).to_string()).collect();
    let notes = fs::read_to_string(notes).unwrap();
    let expected: Vec<&str> = notes.lines().skip(1).collect();
    assert_eq!(own, expected);
    assert!(own.len() > 1, "{own:?}");
}

#[test]
fn a_bot_that_prints_all_the_time_is_told_so() {
    if !is_python_there() {
        return;
    }
    // A turn is no test of this: for a moment the bot may be late with its next line. Many turns are.
    let rules = "--rules kalah --rounds 1 --move-time 5s --fault-policy substitute";
    let record = play(rules, "builtin:easy", "python3 examples/adapters/lines.py yes 3");
    let substitutes = record.rounds[0].moves.iter().filter_map(|it| it.substitute.as_ref());
    let mut faults: Vec<_> = substitutes.map(|it| (it.kind, &*it.detail)).collect();
    let last = record.rounds[0].result.fault.as_ref();
    faults.extend(last.map(|it| (it.kind, &*it.detail)));
    assert!(faults.iter().all(|(kind, _)| *kind != FaultKind::Timeout), "{faults:#?}");
    let told = "the bot printed '3' without being asked";
    assert!(faults.iter().any(|(_, detail)| detail.contains(told)), "{faults:#?}");
}

#[test]
fn a_python_file_without_python3_before_it_is_told_what_lacks() {
    if !is_python_there() {
        return;
    }
    let bot = "python3 examples/adapters/lines.py --preset buet tests/shared/mod.py";
    let outcome = mancala(["match", bot, "builtin:easy"]).run().success();
    outcome.says("cannot start tests/shared/mod.py: No such file or directory");
    let bot = "python3 examples/adapters/lines.py --preset buet examples/python/greedy.py";
    let outcome = mancala(["match", bot, "builtin:easy"]).run().success();
    outcome.says("put python3 before it: \"python3 examples/python/greedy.py\"");
}

#[test]
fn how_a_python_function_ends_its_program_is_seen() {
    if !is_python_there() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let fault = |name: &str, text: &str| {
        let bot = written(folder.path(), name, text).replace("python3", "");
        first_fault(&format!("python3 examples/learneroo/adapter.py {bot}"))
    };
    // Python takes its time to clear the table away.
    let table = "TABLE = {key: str(key) for key in range(1_000_000)}";
    let text = format!("{table}\ndef look_up(board):\n    return TABLE[-1]\n");
    let (kind, detail, stderr) = fault("table.py", &text);
    assert_eq!(kind, FaultKind::Exited);
    assert!(detail.contains("with code 1"), "{detail}");
    assert!(stderr.contains("KeyError"), "{stderr}");
    let (kind, detail, _) = fault("exits.py", "def exits(board):\n    exit()\n");
    assert_eq!(kind, FaultKind::InvalidReply);
    assert_eq!(detail, "exits ended the program with exit(); return a cell instead");
}

/// Prints its first full house and leaves a process behind.
const LEAVES_ONE: &str = r#"
sleep 60 &
house=1
for seeds in "$@"; do
    [ "$seeds" = 0 ] || break
    house=$((house + 1))
done
echo "$house"
"#;

#[test]
fn a_process_that_a_program_leaves_behind_takes_no_time() {
    if !is_python_there() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("leaves.sh");
    fs::write(&script, LEAVES_ONE).unwrap();
    let bot = format!("python3 examples/adapters/oneshot.py sh {}", path(script));
    no_fault(&play("--rules kalah --rounds 1 --move-time 20s", &bot, "builtin:easy"));
}

#[test]
fn adapters_answer_messages_from_a_file() {
    if !is_python_there() {
        return;
    }
    let mut file = tempfile::tempfile().unwrap();
    let turn = r#"{"type":"turn","turn":1,"board":[0,4,0,0,0,6,11,0,0,0,6,5,4,0],"legal":[1,5],"moves":[]}"#;
    writeln!(file, "{turn}\n{turn}").unwrap();
    for bot in [BUET, KGP, ONESHOT] {
        file.rewind().unwrap();
        let output = by_itself(bot, file.try_clone().unwrap());
        assert_eq!(String::from_utf8_lossy(&output.stdout), "5\n5\n", "{output:?}");
    }
}

/// A client that never yields: its last move before the limit counts. It has a child, lets a
/// goodbye pass unheard, and sends moves for states that are long past. Its path stands in the
/// command lines of both.
const ENDLESS: &str = "
import os, re, socket, subprocess, time
child = subprocess.Popen(['tail', '-f', __file__])
server = socket.create_connection((os.environ['KGP_HOST'], int(os.environ['KGP_PORT'])))
server.sendall(b'mode simple\\r\\n' + b'x' * 20000 + b'\\n1 set \"fancy:option\" 3\\r\\n')
for line in server.makefile():
    state = re.match(r'(\\d+) state <6,\\d+,\\d+,([\\d,]+)>', line)
    if state:
        full = [h for h, seeds in enumerate(state[2].split(',')[:6], 1) if seeds != '0']
        server.sendall(f'@{int(state[1]) - 2} move 9\\r\\n'.encode())
        server.sendall(f'@{state[1]} move {full[0]}\\r\\n'.encode())
        time.sleep(0.05)
        server.sendall(f'@{state[1]} move {full[-1]}\\r\\n'.encode())
    elif ' stop' in line:
        server.sendall(b'yield\\r\\n')
time.sleep(600)
";

#[test]
fn a_kgp_client_that_never_yields_is_killed_with_its_children() {
    if !is_python_there() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let client = written(folder.path(), "endless.py", ENDLESS);
    // The last house, not the first, shows that the later move counted.
    let opening = "--opening 0,0,0,0,1,1,20,0,0,1,0,0,1,24";
    let bot = format!("python3 examples/adapters/kgp.py --margin 200 {client}");
    let rules = format!("--rules kalah --rounds 1 --move-time 4s {opening}");
    let record = play(&rules, &bot, "builtin:easy");
    no_fault(&record);
    assert_eq!(record.rounds[0].moves[0].house.cell(), 5);

    processes::none_left(&path(folder.path()));
}

/// Runs an adapter by itself, with nothing on stdin.
fn alone(arguments: &str) -> Output {
    by_itself(arguments, Stdio::null())
}

fn by_itself(arguments: &str, stdin: impl Into<Stdio>) -> Output {
    let mut words = arguments.split_whitespace();
    Command::new(words.next().unwrap())
        .args(words)
        .env("PATH", search_path())
        .current_dir(repository())
        .stdin(stdin)
        .output()
        .unwrap()
}

#[test]
fn wrong_adapter_options_are_errors_of_one_line() {
    if !is_python_there() {
        return;
    }
    for (arguments, words) in [
        ("kgp.py", "CLIENT"),
        ("kgp.py --port 70000 ./client", "'70000' is not a number from 1 to 65535"),
        ("lines.py ", "BOT"),
        ("lines.py --preset mars ./bot", "'mars'"),
        ("lines.py --send own,store ./bot", "'own,store'"),
        ("lines.py --player-words W ./bot", "two words"),
        ("oneshot.py --board tray ./program", "'tray'"),
    ] {
        let output = alone(&format!("python3 examples/adapters/{arguments}"));
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments}: {stderr}");
        assert_eq!(stderr.lines().count(), 1, "{arguments}: {stderr}");
        assert!(stderr.contains(words), "{arguments}: {stderr}");
    }
}

/// A client that waits until a stranger has tried its port, and that ends if it is told to stop
/// after it has yielded.
const TRIED: &str = r#"
import os, re, socket, subprocess, sys
address = (os.environ['KGP_HOST'], int(os.environ['KGP_PORT']))
# A session of its own, and a parent that has ended: a program of somebody else.
stranger = """
import os, socket, sys
if os.fork():
    os._exit(0)
os.setsid()
if os.fork():
    os._exit(0)
connection = socket.create_connection((sys.argv[1], int(sys.argv[2])))
received = repr(connection.recv(100))
with open(sys.argv[3] + '.new', 'w') as file:
    file.write(received)
os.rename(sys.argv[3] + '.new', sys.argv[3])
"""
word = os.path.join(os.path.dirname(__file__), 'received')
subprocess.run([sys.executable, '-c', stranger, address[0], str(address[1]), word], check=True)
while not os.path.exists(word):
    pass
server = socket.create_connection(address)
server.sendall(b'mode freeplay\r\n')
for line in server.makefile():
    assert ' stop' not in line, line
    state = re.match(r'(\d+) state <6,\d+,\d+,([\d,]+)>', line)
    if state:
        house = [seeds != '0' for seeds in state[2].split(',')].index(True) + 1
        server.sendall(f'@{state[1]} move {house}\r\n@{state[1]} yield\r\n'.encode())
"#;

#[test]
fn kgp_port_is_for_the_client_alone_and_a_client_that_yielded_is_not_stopped() {
    if !is_python_there() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let client = written(folder.path(), "tried.py", TRIED);
    let bot = format!("python3 examples/adapters/kgp.py {client}");
    let record = play("--rules kalah --rounds 1 --move-time 20s", &bot, "builtin:easy");
    no_fault(&record);
    let received = fs::read_to_string(folder.path().join("received")).unwrap();
    assert_eq!(received, "b''", "a stranger was taken for the client");
}

#[test]
fn a_compiled_bot_behind_an_adapter_gives_the_name() {
    if !requirements::are_there("gcc python3", "a compiled bot behind an adapter") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("first.c");
    let program = r#"
#include <stdio.h>
int main(void) {
    int cells[14], house;
    for (;;) {
        for (int i = 0; i < 14; i++)
            if (scanf("%d", cells + i) != 1) return 0;
        for (house = 0; !cells[house]; house++) ;
        printf("%d\n", house + 1);
        fflush(stdout);
    }
}
"#;
    fs::write(&source, program).unwrap();
    let bot = folder.path().join("minimax");
    let built = Command::new("gcc").arg(&source).arg("-o").arg(&bot).status().unwrap();
    assert!(built.success());
    let bot = format!("python3 examples/adapters/lines.py {}", path(&bot));
    let record = play("--rules kalah --rounds 1", &bot, "builtin:easy");
    no_fault(&record);
    assert_eq!(record.bots.0[0].name, "minimax");
    let outcome = mancala(["check", "--rules=kalah", "--budget=2s", &bot]).run();
    assert!(outcome.stdout.contains("minimax"), "{outcome:#?}");
}

#[test]
fn adapters_play_in_the_sandbox() {
    if !is_python_there() || !requirements::sandbox_is_there("adapters in the sandbox") {
        return;
    }
    for bot in [BUET, ONESHOT] {
        in_the_sandbox(bot, "--rules=kalah", &[]);
    }
}

/// Plays a round with this bot in the sandbox, which may read the examples and these paths.
#[track_caller]
pub(super) fn in_the_sandbox(bot: &str, rules: &str, readable: &[&str]) {
    let examples = path(repository().join("examples"));
    let mut allowed = vec!["--allow-read", examples.as_str()];
    allowed.extend(readable.iter().flat_map(|path| ["--allow-read", *path]));
    let outcome = mancala(["match", "--sandbox", "--rounds=1", "--format=json", rules, bot])
        .arg("builtin:easy")
        .args(allowed)
        .args(UNHURRIED)
        .run();
    assert_eq!(outcome.code, Some(0), "{outcome:#?}");
    no_fault(&serde_json::from_str(&outcome.stdout).unwrap());
}

/// An assignment's board, and a player that chooses the last full cup and prints what it thinks.
const ASSIGNMENT: [(&str, &str); 2] = [
    (
        "MancalaBoard.py",
        "class MancalaBoard:
    def __init__(self):
        self.NCUPS = 6
        self.scoreCups = [0, 0]
        self.P1Cups = [4] * self.NCUPS
        self.P2Cups = [4] * self.NCUPS
",
    ),
    (
        "abc123.py",
        "from MancalaBoard import MancalaBoard
class abc123:
    CUSTOM = 4
    def __init__(self, num, type, ply=0):
        assert (num, type, ply) == (1, self.CUSTOM, 3)
    def chooseMove(self, board):
        print('thinking')
        assert type(board) is MancalaBoard
        assert sum(board.P1Cups + board.P2Cups + board.scoreCups) == 48
        return max(cup for cup in range(1, 7) if board.P1Cups[cup - 1])
",
    ),
];

#[test]
fn a_python_player_with_choose_move_plays() {
    if !is_python_there() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in ASSIGNMENT {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let player = path(folder.path().join("abc123.py"));
    let bot = format!(
        "python3 examples/adapters/lines.py python3 \
         examples/adapters/samples/choose_move/player.py {player} abc123 4 3"
    );
    let record = play("--rules ece1021 --move-time 20s", &bot, "builtin:easy");
    no_fault(&record);
    assert_eq!(record.bots.0[0].name, "abc123");
}

#[test]
fn kgp_adapter_in_the_sandbox_reports_that_it_cannot_listen() {
    if !is_python_there() || !requirements::sandbox_is_there("KGP in the sandbox") {
        return;
    }
    let outcome = mancala(["match", "--rules=kalah", "--sandbox", "builtin:easy", KGP])
        .args(["--format=json", "--allow-read", &path(repository())])
        .run();
    assert!(outcome.stdout.contains("add --allow-loopback"), "{outcome:#?}");
}

/// Both are given the same port, and each has it, on a loopback of its own.
///
/// Holds the promise `network`.
#[test]
fn kgp_adapters_play_in_the_sandbox_on_loopbacks_of_their_own() {
    let what = "KGP on a loopback of its own";
    if !is_python_there() || !requirements::loopback_is_there(what) {
        return;
    }
    let port = KGP.replace("kgp.py ", "kgp.py --port 2671 ");
    let examples = path(repository().join("examples"));
    let outcome = mancala(["match", "--rules=kalah", "--sandbox", "--allow-loopback"])
        .args([format!("one={port}"), format!("other={port}")])
        .args(["--format=json", "--allow-read", &examples])
        .args(UNHURRIED)
        .run()
        .code(0);
    let record: MatchRecord = serde_json::from_str(&outcome.stdout).unwrap();
    no_fault(&record);
    assert_eq!(record.rounds.len(), 2);
    assert!(outcome.stderr.contains("no network, but a loopback of the bot's own"), "{outcome:#?}");
}

/// Plays the moves of the records on stdin again on boards of `OpenSpiel`: every move is legal
/// there, the game ends with the last one, and the scores are the same.
const REPLAY: &str = "
import json, pyspiel, sys
rounds = 0
for line in sys.stdin:
    for played in json.loads(line)['rounds']:
        state = pyspiel.load_game('mancala').new_initial_state()
        for move in played['moves']:
            player = 0 if move['bot'] == played['first'] else 1
            assert not state.is_terminal() and state.current_player() == player
            action = move['move'] + (1 if player == 0 else 8)
            assert action in state.legal_actions(), (move, state)
            state.apply_action(action)
        assert state.is_terminal(), state
        cells = [int(seeds) for seeds in state.observation_tensor(0)[:14]]
        score = [sum(cells[1:8]), cells[0] + sum(cells[8:14])]
        if played['first'] == 1:
            score.reverse()
        assert score == played['result']['score'], (score, played['result'])
        rounds += 1
print(rounds)
";

/// A Python that has `OpenSpiel`: the one that `OPENSPIEL_PYTHON` names, or `python3`.
fn openspiel() -> Option<String> {
    let python = std::env::var("OPENSPIEL_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let mut found = Command::new(&python);
    let found = found.args(["-c", "import pyspiel"]).env("PATH", search_path()).output();
    let is_there = found.is_ok_and(|output| output.status.success());
    (is_there || requirements::is_left_out("OpenSpiel", &format!("{python} has no module pyspiel")))
        .then_some(python)
}

#[test]
fn openspiel_agents_play_with_the_same_boards_as_openspiel() {
    let Some(python) = openspiel() else { return };
    let adapter = format!("{python} examples/adapters/openspiel.py");
    let folder = tempfile::tempdir().unwrap();
    let last = folder.path().join("last.py");
    fs::write(&last, "def last(state):\n    print('hm')\n    return state.legal_actions()[-1]\n")
        .unwrap();
    let mut records = String::new();
    let bots = [
        "--agent random".to_owned(),
        "--agent random --seed 4".to_owned(),
        "--agent mcts --simulations 20".to_owned(),
        "--agent minimax --depth 2".to_owned(),
        path(&last),
    ];
    for bot in bots.iter().map(|bot| format!("agent={adapter} {bot}")) {
        let outcome = mancala(["match", "--rules=kalah", "--format=json", &bot])
            .arg("builtin:random")
            .args(UNHURRIED)
            .run()
            .success();
        no_fault(&serde_json::from_str::<MatchRecord>(&outcome.stdout).unwrap());
        records += &outcome.stdout;
    }
    // A round that ends early is one like any other.
    let bot = format!("agent={adapter} --agent random");
    let outcome = mancala(["match", "--rules=kalah", "--format=json", "--adjudicate=lead", &bot])
        .arg("builtin:random")
        .args(UNHURRIED)
        .run()
        .success();
    no_fault(&serde_json::from_str::<MatchRecord>(&outcome.stdout).unwrap());
    let file = folder.path().join("records");
    fs::write(&file, records).unwrap();
    let output = Command::new(&python)
        .args(["-c", REPLAY])
        .env("PATH", search_path())
        .stdin(fs::File::open(file).unwrap())
        .output()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "10\n", "{output:?}");
}

#[test]
fn openspiel_agents_pass_check_and_refuse_other_rules() {
    let Some(python) = openspiel() else { return };
    let adapter = format!("{python} examples/adapters/openspiel.py");
    // As far as a check comes in a few seconds.
    let bot = format!("{adapter} --agent minimax --depth 2");
    let check = ["check", "--rules=kalah", "--budget=5s", &bot];
    let outcome = mancala(check).args(UNHURRIED).run().success();
    assert!(outcome.stdout.contains(" is clean"), "{outcome:#?}");

    let rules = "--rules ece1021 --rounds 1 --first second";
    let record = play(rules, "builtin:easy", &format!("{adapter} --agent random"));
    assert_eq!(fault(&record.rounds[0]).0, FaultKind::Exited);
    let stderr = &record.rounds[0].result.fault.as_ref().unwrap().stderr;
    assert!(stderr.contains("has the rules of --rules kalah"), "{stderr}");

    let folder = tempfile::tempdir().unwrap();
    let one = folder.path().join("one.py");
    fs::write(&one, "def one(state):\n    return 'up'\n").unwrap();
    let (kind, detail, _) = first_fault(&format!("{adapter} {}", path(one)));
    assert_eq!(kind, FaultKind::InvalidReply);
    assert!(detail.contains("the agent returned 'up', which is no action"), "{detail}");

    if requirements::sandbox_is_there("OpenSpiel in the sandbox") {
        let home = Path::new(&python).ancestors().nth(2).filter(|home| home.is_absolute());
        let readable: Vec<String> = home.into_iter().map(path).collect();
        let readable: Vec<&str> = readable.iter().map(String::as_str).collect();
        in_the_sandbox(&format!("{adapter} --agent random"), "--rules=kalah", &readable);
    }

    let output = alone(&format!("{adapter} --agent chess"));
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), stderr.lines().count()), (Some(2), 1), "{stderr}");
}
