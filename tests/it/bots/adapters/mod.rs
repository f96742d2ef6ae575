//! Programs written for other contests play through the adapters in `examples`.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use mancala_referee::protocol::{FaultKind, Reason};
use mancala_referee::record::{MatchRecord, RoundRecord};
use mancala_referee::rules::Ending;
use mancala_referee::seat::Seat;

use crate::program::{mancala, path, repository};
use crate::requirements;

mod contests;
mod learneroo;

const ANSWERS: [&str; 3] = [
    "greedy=python3 examples/learneroo/adapter.py examples/learneroo/answers/greedy.py",
    "again=python3 examples/learneroo/adapter.py examples/learneroo/answers/another_turn.py",
    "spread=java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC \
     examples/learneroo/Adapter.java examples/learneroo/answers/Spread.java",
];

/// A match under these rules, which replays.
fn play(rules: &str, one: &str, other: &str) -> MatchRecord {
    let outcome =
        mancala(["match", one, other, "--format", "json"]).args(rules.split_whitespace()).run();
    let line = outcome.success().stdout;
    mancala(["replay", "-"]).stdin(line.clone()).run().success();
    serde_json::from_str(&line).unwrap()
}

#[track_caller]
fn no_fault(record: &MatchRecord) {
    let faults = record.rounds.iter().filter_map(|round| round.result.fault.as_ref());
    assert_eq!(faults.collect::<Vec<_>>(), Vec::<&_>::new());
}

/// The fault of the second bot that ended a round.
#[track_caller]
fn fault(round: &RoundRecord) -> (FaultKind, &str) {
    let fault = round.result.fault.as_ref().expect("a fault");
    assert_eq!(fault.bot, Seat::B, "{fault:?}");
    (fault.kind, &fault.detail)
}

/// Runs `build.sh` on a student's file in a folder of its own.
fn build(folder: &Path, source: &Path, options: &[&str]) -> (PathBuf, Output) {
    let bot = folder.join(source.file_stem().unwrap());
    let output = Command::new(repository().join("examples/ece1021/build.sh"))
        .args(options)
        .arg(source)
        .arg("-o")
        .arg(&bot)
        .output()
        .unwrap();
    (bot, output)
}

fn student(folder: &Path, name: &str) -> String {
    let source = format!("examples/ece1021/students/{name}.c");
    format!("{name}={}", built(folder, Path::new(&source)))
}

/// Builds a student's file, given by its path from the repository, and returns the bot's command.
#[track_caller]
pub fn built(folder: &Path, source: &Path) -> String {
    let (bot, output) = build(folder, &repository().join(source), &[]);
    assert!(output.status.success(), "{output:?}");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    path(bot)
}

#[test]
fn adapted_programs_accept_a_round_that_ends_early() {
    if !requirements::are_there("python3", "adapters") {
        return;
    }
    let record = play("--adjudicate=lead", ANSWERS[0], "builtin:random --seed 1");
    no_fault(&record);
    assert!(
        record.rounds.iter().any(|round| round.result.reason == Reason::Ended(Ending::Decided))
    );
    let kgp = "python3 examples/adapters/kgp.py python3 examples/adapters/samples/kgp_client.py";
    let record = play("--rules=kalah --adjudicate=lead --move-time=10s", kgp, "builtin:random");
    no_fault(&record);
}

#[test]
fn c_functions_of_students_play_unchanged() {
    if !requirements::are_there("gcc", "C functions") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let [good, crashing, printing] =
        ["good", "crashing", "printing"].map(|name| student(folder.path(), name));

    let record = play("--rules ece1021", &good, "builtin:random");
    no_fault(&record);
    assert_eq!(record.winner, Some(Seat::A), "{record:?}");

    for round in play("--rules ece1021", &good, &crashing).rounds {
        let (kind, detail) = fault(&round);
        assert_eq!(kind, FaultKind::Exited);
        assert!(detail.contains("SIGSEGV"), "{detail}");
    }
    for round in play("--rules ece1021", &good, &printing).rounds {
        let (kind, detail) = fault(&round);
        assert_eq!(kind, FaultKind::InvalidReply);
        assert!(detail.contains("Move_printing printed to stdout"), "{detail}");
    }
    let record = play("--rules ece1021 --rounds 1 --first random", &crashing, &printing);
    assert_eq!(record.rounds.len(), 1);
}

#[test]
fn an_illegal_bin_is_named_with_the_board_the_function_saw() {
    if !requirements::are_there("gcc", "C functions") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let bot = |name: &str, body: &str| {
        let source = folder.path().join(format!("{name}.c"));
        let function = format!("int Move_{name}(MANCALA board, int player) {{ {body} }}\n");
        std::fs::write(&source, format!("#include \"mancala.h\"\n{function}")).unwrap();
        let (bot, output) = build(folder.path(), &source, &[]);
        assert!(output.status.success(), "{output:?}");
        format!("{name}={}", path(bot))
    };
    let nine = bot("nine", "(void)board; return 9 + player - player;");
    let record = play("--rules ece1021", "builtin:easy", &nine);
    let (kind, detail) = fault(&record.rounds[0]);
    assert_eq!(kind, FaultKind::IllegalMove);
    assert_eq!(detail, "Move_nine returned bin 9; bins are 1 to 6");
    let cause = record.rounds[0].result.fault.as_ref().unwrap().cause.as_ref().unwrap();
    assert_eq!(cause.adapter.as_ref().unwrap().code, "no_bin");
    // Its author reads of bins alone.
    let outcome = mancala(["match", "--rules=ece1021", "builtin:easy", &nine]).run().success();
    let told = "Round 2: nine forfeits, illegal_move: Move_nine returned bin 9; bins are 1 to 6\n";
    let outcome = outcome.says(told);
    for word in ["{\"", "-3"] {
        assert!(!outcome.stdout.contains(word), "{word} is in {}", outcome.stdout);
    }

    // Bin 1 is the nearest to the kalaha: cell 5. What it scribbles does not come back.
    let first = bot(
        "first",
        "for (int bin = 1; bin <= 6; bin++) if (board.board[player][bin]) { \
         board.board[player][bin] = 0; return bin; } return 0;",
    );
    let record = play("--rules ece1021", "builtin:easy", &first);
    no_fault(&record);
    let moves = &record.rounds[1].moves;
    assert_eq!(moves[0].house.cell(), 5, "{moves:?}");
}

#[test]
fn building_a_file_without_a_move_function_explains_why() {
    if !requirements::are_there("gcc", "C functions") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let refused = |name: &str, text: &str, words: &[&str]| {
        let source = folder.path().join(format!("{name}.c"));
        std::fs::write(&source, text).unwrap();
        let (bot, output) = build(folder.path(), &source, &[]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success(), "{said}");
        assert!(!bot.exists());
        for word in words {
            assert!(said.contains(word), "{word:?} is not in {said}");
        }
    };
    let function =
        "#include \"mancala.h\"\nint Move_aaaa(MANCALA b, int p) { return b.board[p][0] + 1; }\n";
    refused("typo", &function.replace("return", "retrun"), &["typo.c", "error"]);
    refused("none", "int main(void) { return 0; }\n", &["none.c", "Move_"]);
    let two = format!("{function}{}", function.replace("aaaa", "bbbb"));
    refused("two", &two, &["two.c", "Move_aaaa", "Move_bbbb"]);

    let (_, output) = build(folder.path(), &folder.path().join("missing.c"), &[]);
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("missing.c"));
}

#[test]
fn a_checked_build_finds_leaks_and_writes_out_of_bounds() {
    if !requirements::are_there("gcc", "C functions") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let bot = |name: &str, body: &str| {
        let source = folder.path().join(format!("{name}.c"));
        let first = "for (int b = 1; b < 7; b++) if (board.board[player][b]) return b; return 0;";
        let function = format!("int Move_{name}(MANCALA board, int player) {{ {body} {first} }}\n");
        let includes = "#include <stdlib.h>\n#include \"mancala.h\"\n";
        std::fs::write(&source, format!("{includes}{function}")).unwrap();
        let (bot, output) = build(folder.path(), &source, &["--sanitize"]);
        assert!(output.status.success(), "{output:?}");
        format!("{name}={}", path(bot))
    };
    let leak = bot("leak", "char *volatile lost = malloc(10); lost[0] = 1; lost = NULL;");
    let record = play("--rules ece1021", "builtin:easy", &leak);
    let (kind, detail) = fault(&record.rounds[0]);
    assert_eq!(kind, FaultKind::InvalidReply);
    assert!(detail.contains("Move_leak leaks memory"), "{detail}");

    let wild = bot("wild", "volatile int seven = 7; int six[7] = {0}; six[seven] = player;");
    let record = play("--rules ece1021", "builtin:easy", &wild);
    assert_eq!(fault(&record.rounds[0]).0, FaultKind::Exited);
    let stderr = &record.rounds[0].result.fault.as_ref().unwrap().stderr;
    assert!(stderr.contains("wild.c:3") && stderr.contains("out of bounds"), "{stderr}");
}

#[test]
fn learneroo_answers_play_each_other() {
    let answers: Vec<&str> =
        ANSWERS.into_iter().filter(|answer| requirements::are_there(answer, answer)).collect();
    for (index, one) in answers.iter().enumerate() {
        for other in &answers[index + 1..] {
            no_fault(&play("--rules learneroo", one, other));
        }
    }
}

#[test]
fn bots_of_other_contests_play() {
    let patient = "patient=java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC \
                   examples/adapters/ChooseMove.java \
                   examples/adapters/samples/fairkalah/PatientPlayer.java";
    if requirements::are_there(patient, "ChooseMove.java") {
        no_fault(&play(
            "--rules ece1021 --rounds 1 --game-time 10s --start-time 60s",
            patient,
            "builtin:easy",
        ));
    }
}

#[test]
fn choose_move_functions_of_three_languages_play_each_other() {
    let command = format!("gcc {}", ANSWERS.join(" "));
    if !requirements::are_there(&command, "functions of three languages") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let good = student(folder.path(), "good");
    for answer in ANSWERS {
        no_fault(&play("--rules learneroo", &good, answer));
    }
}

#[test]
fn adapters_of_functions_play_in_the_sandbox() {
    if !requirements::sandbox_is_there("adapters of functions in the sandbox") {
        return;
    }
    for answer in ANSWERS {
        if requirements::are_there(answer, "Learneroo's adapters in the sandbox") {
            contests::in_the_sandbox(answer, "--rules=learneroo", &[]);
        }
    }
    let patient = "patient=java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC \
                   examples/adapters/ChooseMove.java \
                   examples/adapters/samples/fairkalah/PatientPlayer.java";
    if requirements::are_there(patient, "ChooseMove.java in the sandbox") {
        contests::in_the_sandbox(patient, "--rules=ece1021", &[]);
    }
    if requirements::are_there("gcc", "C functions in the sandbox") {
        let folder = tempfile::tempdir().unwrap();
        let good = student(folder.path(), "good");
        contests::in_the_sandbox(&good, "--rules=ece1021", &[&path(folder.path())]);
    }
}
