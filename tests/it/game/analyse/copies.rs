//! `--write`: a line for each line, and an analysis that was cut off gone on with.

use std::fs;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use super::{Desk, analyse, records};
use crate::program::mancala;
use crate::test_folder::status_of;
use crate::tournaments::{FOUR, tournament};

/// A tournament of six matches, its first line and a note among them.
fn tournament_file(desk: &Desk) -> String {
    let file = desk.file("autumn");
    tournament().args(["--seeds=2", "--move-time=20s", "--record", &file]).args(FOUR).run().code(0);
    let text = desk.read("autumn");
    let id = text.split('"').nth(7).expect("an id").to_owned();
    let note = format!(
        "{{\"format\":\"mancala-note/1\",\"tournament\":\"{id}\",\"match\":null,\"note\":\"bye\",\"bot\":null,\"detail\":\"\"}}\n\n"
    );
    let half = text.lines().take(3).map(|line| line.len() + 1).sum();
    desk.put("autumn", [&text[..half], &note, &text[half..]].concat())
}

#[test]
fn an_analysed_copy_keeps_every_line_and_field() {
    let desk = Desk::new();
    let file = tournament_file(&desk);
    let copy = desk.file("copy");
    analyse(&[&file, "--write", &copy]).success();
    let (original, copied) = (desk.read("autumn"), desk.read("copy"));
    assert_eq!(original.lines().count(), copied.lines().count());
    for (before, after) in original.lines().zip(copied.lines()) {
        if !before.starts_with("{\"format\":\"mancala-match/1\"") {
            assert_eq!(before, after);
            continue;
        }
        let mut record = records(after).remove(0);
        for round in record["rounds"].as_array_mut().unwrap() {
            for played in round["moves"].as_array_mut().unwrap() {
                let played = played.as_object_mut().unwrap();
                assert!(played.remove("value").is_some() && played.remove("loss").is_some());
            }
        }
        assert_eq!(record, records(before).remove(0));
    }
    mancala(["replay", &copy]).run().success().says("6 of 6 matches are valid");
    // Who reads records reads these.
    let table = |file: &str| mancala(["standings", file, "--verify"]).run().success().stdout;
    assert_eq!(table(&file), table(&copy));
    assert_eq!(
        analyse(&[&copy, "--format=json"]).success().stdout,
        analyse(&[&file, "--format=json"]).success().stdout
    );
}

#[test]
fn an_analysis_continues_from_every_cut() {
    let desk = Desk::new();
    let file = tournament_file(&desk);
    let copy = desk.file("copy");
    let whole = analyse(&[&file, "--write", &copy, "--format=json"]).success().stdout;
    let text = desk.read("copy");
    let line_ends = text.match_indices('\n').map(|(end, _)| end + 1).step_by(2);
    let cuts: Vec<usize> = line_ends.flat_map(|end| [end - 1, end, end + 40]).collect();
    for cut in [0, 1, 30].into_iter().chain(cuts).filter(|&cut| cut <= text.len()) {
        desk.put("copy", &text[..cut]);
        let outcome = analyse(&[&file, "--write", &copy, "--format=json"]).success();
        assert_eq!(outcome.stdout, whole, "cut at {cut}");
        assert!(desk.read("copy") == text, "cut at {cut}");
    }
}

#[test]
fn an_analysis_continues_after_a_match_without_a_solved_move() {
    let desk = Desk::new();
    // After so few moves with so many seeds there is nothing that can be solved in a second.
    desk.play("games", 1, &["--seeds=9", "--max-moves=2"]);
    desk.play("games", 2, &["--seeds=1"]);
    desk.play("games", 3, &["--seeds=1"]);
    let (games, copy) = (desk.file("games"), desk.file("copy"));
    // The others take a moment, on a busy machine, too.
    let options = ["--write", &copy, "--time=1s", "--jobs=1", "--merge=rules,terms"];
    let first = analyse(&[&[&*games], &options[..]].concat()).success();
    first.says("4 of ").says("a longer --time judges more");
    let text = desk.read("copy");
    assert!(!text.lines().next().unwrap().contains("\"value\""), "{text}");
    let ends: Vec<usize> = text.match_indices('\n').map(|(end, _)| end + 1).collect();
    desk.put("copy", &text[..ends[1]]);
    let second = analyse(&[&[&*games], &options[..]].concat()).success();
    second.says("a longer --time needs a new file");
    assert_eq!(desk.read("copy"), text);
}

#[test]
fn an_analysis_without_a_solved_move_is_begun_again() {
    let desk = Desk::new();
    // After so few moves with so many seeds nothing can be solved.
    desk.play("games", 1, &["--seeds=9", "--max-moves=2"]);
    let (games, copy) = (desk.file("games"), desk.file("copy"));
    let options = [&*games, "--write", &copy, "--time=1ms"];
    analyse(&options).success().says("4 of 4 moves were not judged");
    let text = desk.read("copy");
    assert!(!text.contains("\"value\""), "{text}");
    analyse(&options).success().says("a longer --time judges more");
    assert_eq!(desk.read("copy"), text);
    // The same with positions that can be solved.
    desk.play("small", 1, &["--seeds=1"]);
    let small = desk.read("small");
    let plain = desk.put("plain", &small);
    analyse(&[&desk.file("small"), "--write", &plain]).success();
    assert_eq!(desk.read("plain").matches("\"loss\":").count(), small.matches("\"ms\":").count());
}

#[test]
fn no_other_file_is_overwritten() {
    let desk = Desk::new();
    let games = desk.games();
    let before = desk.read("games");
    let link = desk.file("link");
    fs::hard_link(&games, &link).unwrap();
    for own in [&games, &link] {
        analyse(&[&games, "--write", own]).failure(2, "is the file that is analysed");
    }
    let other = desk.put("other", "precious\n");
    analyse(&[&games, "--write", &other]).failure(2, "other:1: not what an analysis of");
    let other = desk.put("other", "precious");
    analyse(&[&games, "--write", &other]).failure(2, "other:1: not what an analysis of");
    assert_eq!(desk.read("other"), "precious");
    // The same records, written in another way, are not what an analysis writes.
    let spaced = before.replace("\"rounds\":", "\"rounds\": ");
    let copied = desk.put("copied", &spaced);
    analyse(&[&games, "--write", &copied]).failure(2, "copied:1: not what an analysis of");
    assert_eq!(desk.read("copied"), spaced);
    let longer = desk.put("longer", before.repeat(2));
    let half = before.lines().nth(1).unwrap();
    let half = desk.put("half", format!("{half}\n"));
    analyse(&[&half, "--write", &longer]).failure(2, "longer:1: not what");
    assert_eq!(desk.read("games"), before);
    analyse(&[&games, "--write", "/dev/null"]).failure(2, "not a regular file");
    analyse(&[&games, "--write", "/no/such/folder/x"])
        .failure(1, "cannot write /no/such/folder/x: No such file or directory")
        .failure(1, "; give --write a file in a folder you may write to");
    analyse(&[&games, "--write", "-"]).failure(2, "--write takes a file");
    analyse(&[&games, &half, "--write", &desk.file("new")]).failure(2, "--write takes one FILE");
    analyse(&[&games, "--sample=1", "--write", &desk.file("new")]).failure(2, "cannot be used");
}

/// An analysis that has judged the first of two matches and is at the second, whose opening takes
/// longer than anybody waits.
fn analysis_under_way(desk: &Desk) -> Child {
    desk.play("games", 1, &["--seeds=2"]);
    desk.play("games", 2, &["--seeds=9"]);
    let (games, copy) = (desk.file("games"), desk.file("copy"));
    let mut command =
        mancala(["analyse", &games, "--write", &copy, "--time=1h", "--merge=rules"]).command();
    let command = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    while !fs::read_to_string(&copy).is_ok_and(|text| text.ends_with('\n')) {
        assert!(child.try_wait().unwrap().is_none(), "it ended too early");
        std::thread::sleep(Duration::from_millis(5));
    }
    child
}

#[test]
fn an_interrupted_analysis_leaves_whole_lines_and_continues() {
    let desk = Desk::new();
    let mut child = analysis_under_way(&desk);
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    assert_eq!(status_of(&mut child).code(), Some(130));
    let (games, copy) = (desk.file("games"), desk.file("copy"));
    let text = desk.read("copy");
    assert_eq!(text.lines().count(), 1);
    analyse(&[&games, "--write", &copy, "--time=20ms", "--merge=rules"]).success();
    assert!(desk.read("copy").starts_with(&text));
    mancala(["replay", &copy]).run().success().says("2 of 2 matches are valid");
}

/// `timeout` signals its child and then its process group.
#[test]
fn a_repeated_sigterm_is_one_wish_and_the_result_is_printed() {
    let desk = Desk::new();
    let child = analysis_under_way(&desk);
    let began = Instant::now();
    while began.elapsed() < Duration::from_millis(50) {
        let _ = kill_process(Pid::from_child(&child), Signal::TERM);
        std::thread::sleep(Duration::from_millis(1));
    }
    let output = child.wait_with_output().expect("mancala ends");
    assert_eq!(output.status.code(), Some(130));
    assert!(!output.stdout.is_empty(), "the result is lost");
}
