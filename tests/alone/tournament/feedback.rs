//! What the authors of bots get, and that it is theirs alone.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::markdown::table_rows;
use crate::program::{Outcome, Run, hostile, mancala, repository};
use crate::requirements;
use crate::runner::{Test, tests};
use crate::test_folder::TestFolder;
use crate::tournaments::{config, lines, matches, notes, tournament};

pub const TESTS: &[Test] = tests![
    feedback_has_each_bots_own_results_and_its_faults_reproduce,
    a_bot_whose_matches_do_not_count_has_played_them,
    a_page_says_what_a_bot_has_for_rounds_without_an_opponent,
    anonymous_feedback_has_no_other_names,
    the_index_says_whose_folder_it_is,
    logs_of_all_matches_are_kept_and_make_the_same_folders_later,
    feedback_without_logs_says_so_and_explains_the_faults_all_the_same,
    folders_that_cannot_be_are_errors,
    check_disqualifies_bots_before_the_first_match,
    a_tournament_that_does_not_begin_leaves_no_feedback,
    feedback_shows_why_a_bot_does_not_build,
    why_a_bot_did_not_build_is_on_later_pages_too,
    what_a_build_said_is_on_the_page_of_the_version_that_it_built,
    commands_of_a_page_work_beside_the_files_of_the_bot,
    a_bundle_reproduces_the_fault_of_a_bot_in_its_own_folder,
    a_repair_is_shown_as_it_can_be_copied,
    nothing_that_is_handed_out_names_a_folder_of_the_contest,
    nothing_that_is_handed_out_names_a_folder_of_the_bots_or_the_home,
    faults_of_matches_that_stand_after_an_update_are_on_the_page,
    a_log_is_taken_only_for_the_match_that_it_is_of,
    resumed_feedback_explains_the_faults_of_all_runs
];

/// Bots that say on stderr who they are; one is faulty.
const NAMES: [&str; 3] = ["zelda", "yorick", "xanthe"];

fn contest(folder: &TestFolder) -> String {
    let bot = |name: &str, mode: &str| {
        format!(
            "[[bot]]\nname = \"{name}\"\ncommand = '''sh -c \"echo secret of $WHO >&2; exec {}\"'''\n\
             env = {{ WHO = \"{name}\" }}\n",
            hostile(mode)
        )
    };
    let text = [
        "openings = \"random:3\"\ncount = 3\n".to_owned(),
        bot(NAMES[0], "exit-0 1 2"),
        bot(NAMES[1], "sound 1 1"),
        bot(NAMES[2], "sound 1 1"),
    ];
    config(folder, &text.concat())
}

fn play(test_folder: &TestFolder, name: &str, options: &[&str]) -> Outcome {
    let (record, folder) = (test_folder.file(&format!("{name}.jsonl")), test_folder.file(name));
    let file = contest(test_folder);
    tournament()
        .args(["--config", &file, "--record", &record, "--feedback", &folder])
        .args(options)
        .run()
}

/// All files of a bot's folder, with what is in them.
fn files(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("the bot has a folder") {
        let path = entry.expect("it is read").path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            let text = fs::read_to_string(&path).expect("it is text");
            found.push((path, text));
        }
    }
    found
}

fn says(files: &[(PathBuf, String)], words: &str) -> bool {
    files.iter().any(|(path, text)| {
        text.contains(words)
            || path.file_name().is_some_and(|n| n.to_string_lossy().contains(words))
    })
}

fn feedback_has_each_bots_own_results_and_its_faults_reproduce() {
    let test_folder = TestFolder::new();
    play(&test_folder, "feedback", &[]).code(0);
    let folder = |name: &str| test_folder.path().join("feedback").join(name);
    for name in NAMES {
        let files = files(&folder(name));
        assert!(says(&files, &format!("secret of {name}")), "{name}: {files:#?}");
        for other in NAMES.iter().filter(|other| **other != name) {
            assert!(!says(&files, &format!("secret of {other}")), "{name} reads of {other}");
            assert!(says(&files, other), "{name} does not know whom it met");
        }
        // What a bot did wrong is told to its own author.
        assert_eq!(says(&files, "exited with code 0"), name == "zelda", "{name}: {files:#?}");
    }
    let page = fs::read_to_string(folder("zelda").join("feedback.md")).unwrap();
    for words in [
        "\n## Results\n\nRank 3 of 3, 0 points from 6 matches",
        "By kind: exited 6.",
        "### It exits in the middle of a round, with code 0\n\n6 faults. Read messages in a",
        "round 1, turn 2, exited: exited with code 0",
        "The end of its stderr:\n\n```text\nsecret of zelda\n```",
    ] {
        assert!(page.contains(words), "{words:?} is not in\n{page}");
    }
    let against = |row: &Vec<&str>| row.starts_with(&["yorick", "0", "0", "3"]);
    assert!(table_rows(&page).iter().any(against), "{page}");
    // Six equal faults are told once, and five times by their place.
    assert_eq!(page.matches("See it again:").count(), 1, "{page}");
    assert!(page.contains("\nThe same in [match 3, round 1, turn 2](match-3/"), "{page}");
    // The page is handed to its author, who has it elsewhere: no command names a folder of ours,
    // and the very words of the page show the fault again.
    let elsewhere = TestFolder::new();
    let there = elsewhere.path().join("zelda");
    let copied = Command::new("cp").arg("-r").args([&folder("zelda"), &there]).status();
    assert!(copied.unwrap().success());
    fs::rename(test_folder.path().join("feedback"), test_folder.path().join("gone")).unwrap();
    let commands: Vec<&str> =
        page.split("```sh\n").skip(1).filter_map(|rest| rest.split("\n```").next()).collect();
    let run = |command: &str| {
        let words = shell_words::split(command).unwrap();
        assert!(!command.contains(&*test_folder.path().to_string_lossy()), "{command}");
        assert_eq!(words[0], "mancala");
        (words[1].clone(), mancala(&words[1..]).in_folder(&there).run())
    };
    let [again, play_on, check] = commands[..] else { panic!("{commands:#?}") };
    let (word, outcome) = run(again);
    assert_eq!(word, "reproduce");
    outcome.code(0).says("The same kind of fault again.");
    let (word, outcome) = run(play_on);
    assert_eq!(word, "match");
    outcome.code(0);
    let (word, outcome) = run(check);
    assert_eq!(word, "check");
    outcome.code(3).says("t exits");
    fs::rename(test_folder.path().join("gone"), test_folder.path().join("feedback")).unwrap();

    let index = fs::read_to_string(test_folder.path().join("feedback/index.csv")).unwrap();
    let found: Vec<&str> = index.lines().collect();
    assert_eq!(found[0], "folder,name,points,rank,faults,disqualified,file");
    assert_eq!(found[3], "zelda,zelda,0,3,6,,");
    assert_eq!(found.len(), 4, "{index}");
    let index = fs::read_to_string(test_folder.path().join("feedback/index.md")).unwrap();
    let row = ["[zelda](zelda/feedback.md)", "zelda", "0", "3", "6", "", ""];
    assert!(table_rows(&index).contains(&row.to_vec()), "{index}");

    // All of it is of one contest.
    play(&test_folder, "feedback", &[]).code(2);
    let outcome = play(&test_folder, "feedback", &["--resume", "--count=4"]).code(0);
    let page = fs::read_to_string(folder("zelda").join("feedback.md")).unwrap();
    assert!(page.contains("By kind: exited 8."), "{outcome:#?}\n{page}");
    test_folder.none_left();
}

fn a_bot_whose_matches_do_not_count_has_played_them() {
    let folder = TestFolder::new();
    let [record, page, feedback] = ["record", "page.html", "fb"].map(|name| folder.file(name));
    let bots = ["easy=builtin:easy".to_owned(), format!("bad={}", hostile("exit-0 1 2"))];
    let outputs = ["--record", &record, "--report", &page, "--feedback", &feedback];
    tournament().args(&bots).arg("--disqualify-after=1").args(outputs).run().code(0);
    let of_bot = fs::read_to_string(folder.file("fb/easy/feedback.md")).unwrap();
    for text in [fs::read_to_string(&page).unwrap(), of_bot] {
        assert!(text.contains("None of its matches count: the other bots are"), "{text}");
        assert!(!text.contains("played no match") && !text.contains("No match of it"), "{text}");
    }
}

fn a_page_says_what_a_bot_has_for_rounds_without_an_opponent() {
    let folder = TestFolder::new();
    let [record, feedback, report] =
        ["record", "feedback", "report.html"].map(|name| folder.file(name));
    let bots = ["a=builtin:easy", "b=builtin:random", "c=builtin:random"];
    let options =
        ["--swiss", "--count=1", "--repeat=2", "--record", &record, "--feedback", &feedback];
    tournament().args(bots).args(options).run().code(0);
    let words = "It has 2 points for rounds without an opponent.";
    let page = |bot: &str| fs::read_to_string(folder.path().join("feedback").join(bot)).unwrap();
    for ending in ["md", "html"] {
        let pages = ["a", "b", "c"].map(|bot| page(&format!("{bot}/feedback.{ending}")));
        let of_byes = pages.iter().filter(|page| page.contains(words)).count();
        assert_eq!(of_byes, 1, "{pages:?}");
    }
    mancala(["report", &record, "-o", &report]).run().success();
    let report = fs::read_to_string(&report).unwrap();
    assert!(report.contains(&format!("lost. {words}")), "{report}");
}

fn anonymous_feedback_has_no_other_names() {
    let folder = TestFolder::new();
    play(&folder, "feedback", &["--anonymous"]).code(0);
    for name in NAMES {
        let files = files(&folder.path().join("feedback").join(name));
        assert!(says(&files, "secret of") && says(&files, "opponent 2"), "{name}: {files:#?}");
        for other in NAMES.iter().filter(|other| **other != name) {
            assert!(!says(&files, other), "{name} reads of {other}: {files:#?}");
        }
    }
    // The organiser's own file has the names.
    let record = folder.file("feedback.jsonl");
    let names: Vec<_> =
        lines(&record)[1..].iter().map(|line| line["bots"][0]["name"].clone()).collect();
    assert!(names.iter().all(|name| NAMES.iter().any(|known| name == known)), "{names:?}");
    play(&folder, "feedback", &["--resume"]).code(1);
    mancala(["replay", &record]).run().code(0);
}

/// Names that are no file names, or those of the index, and a formula.
fn the_index_says_whose_folder_it_is() {
    let test_folder = TestFolder::new();
    let folder = test_folder.file("feedback");
    let names = ["J\u{f6}rg", "J rg", "index.csv", "=1+1|x"];
    let bot = |name: &str| {
        let command = hostile("sound 1 1");
        format!("[[bot]]\nname = '{name}'\ncommand = '''{command}'''\n")
    };
    let file = config(&test_folder, &names.map(bot).concat());
    let record = test_folder.file("t.jsonl");
    let options = ["--config", &file, "--feedback", &folder, "--record", &record];
    tournament().args(options).run().code(0);
    let mut reader = csv::Reader::from_path(format!("{folder}/index.csv")).unwrap();
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), names.len());
    for name in names {
        let shown = if name.starts_with('=') { format!("'{name}") } else { name.to_owned() };
        let row = rows.iter().find(|row| row[1] == shown).unwrap();
        let page = fs::read_to_string(format!("{folder}/{}/feedback.md", &row[0])).unwrap();
        let heading = page.lines().next().unwrap().replace('\\', "");
        assert_eq!(heading, format!("# {name}"), "{row:?}");
    }
    let index = fs::read_to_string(format!("{folder}/index.md")).unwrap();
    assert!(index.contains("1\\|x ") && !index.contains("missing"), "{index}");
    // Without its last match.
    let text = fs::read_to_string(&record).unwrap();
    let (rest, _) = text.trim_end().rsplit_once('\n').unwrap();
    let (cut, later) = (test_folder.file("cut.jsonl"), test_folder.file("later"));
    fs::write(&cut, format!("{rest}\n")).unwrap();
    mancala(["feedback", &cut, "-o", &later]).run().code(0);
    let index = fs::read_to_string(format!("{later}/index.md")).unwrap();
    assert!(index.contains("1 match is missing in the whole contest"), "{index}");
}

/// The files below a folder, by their paths in it.
fn tree(folder: &Path) -> Vec<(String, String)> {
    let inside = |path: PathBuf| path.strip_prefix(folder).unwrap().display().to_string();
    let mut found: Vec<_> = files(folder).into_iter().map(|(p, text)| (inside(p), text)).collect();
    found.sort();
    found
}

fn logs_of_all_matches_are_kept_and_make_the_same_folders_later() {
    for anonymous in [&[][..], &["--anonymous"]] {
        let test_folder = TestFolder::new();
        let (logs, later) = (test_folder.file("logs"), test_folder.file("later"));
        let options = [&["--log", &logs], anonymous].concat();
        play(&test_folder, "feedback", &options).code(0);
        let record = test_folder.file("feedback.jsonl");
        assert_eq!(fs::read_dir(&logs).unwrap().count(), 9);
        for number in 1..=9 {
            let folder = format!("{logs}/match-{number}");
            let names: Vec<String> = tree(Path::new(&folder)).into_iter().map(|(n, _)| n).collect();
            let is_transcript =
                |name: &&String| Path::new(name).extension().is_some_and(|it| it == "txt");
            let transcripts = names.iter().filter(is_transcript).count();
            assert_eq!(transcripts, 2, "{names:?}");
            let line =
                lines(&record)[1..].iter().find(|l| l["tournament"]["match"] == number).cloned();
            let rounds = line.unwrap()["rounds"].as_array().unwrap().clone();
            let faults = rounds.iter().filter(|round| !round["result"]["fault"].is_null()).count();
            assert!(names.contains(&"match.json".to_owned()), "{names:?}");
            assert_eq!(names.len() - 3, faults, "{names:?}");
        }
        mancala(["feedback", &record, "-o", &later, "--log", &logs]).run().success();
        // The same pages, transcripts and bundles; a bundle names its own place.
        let of = |folder: &str| {
            let place = test_folder.file(folder);
            let here = |(name, text): (String, String)| (name, text.replace(&place, "HERE"));
            tree(Path::new(&place)).into_iter().map(here).collect::<Vec<_>>()
        };
        assert_eq!(of("later"), of("feedback"));

        // Resuming keeps what is there; a fresh tournament does not mix with it.
        let again = tournament().args(["builtin:easy", "builtin:random", "--log", &logs]).run();
        again.failure(2, "is not empty: add --resume to continue");
        let more = [&["--log", &logs, "--resume", "--count=4"], anonymous].concat();
        play(&test_folder, "feedback", &more).code(0);
        assert_eq!(fs::read_dir(&logs).unwrap().count(), 12);
        test_folder.none_left();
    }
}

fn feedback_without_logs_says_so_and_explains_the_faults_all_the_same() {
    let test_folder = TestFolder::new();
    let (record, file) = (test_folder.file("record.jsonl"), contest(&test_folder));
    tournament().args(["--config", &file, "--record", &record]).run().code(0);
    let folder = test_folder.file("feedback");
    mancala(["feedback", "-q", &record, "-o", &folder]).run().success();
    let page = fs::read_to_string(format!("{folder}/zelda/feedback.md")).unwrap();
    // The file of all matches is not theirs.
    assert!(!page.contains("replay --match"), "{page}");
    for words in [
        "Rank 3 of 3, 0 points from 6 matches",
        "By kind: exited 6.",
        "### It exits in the middle of a round, with code 0\n\n6 faults. Read messages in a",
        "The end of its stderr:\n\n```text\nsecret of zelda\n```",
        "There are no transcripts: this page was made without logs of the bot's matches.",
    ] {
        assert!(page.contains(words), "{words:?} is not in\n{page}");
    }
    assert!(!page.contains("mancala reproduce") && !page.contains("](match"), "{page}");
    assert_eq!(page.matches("Play a round from that position").count(), 1, "{page}");
    let clean = fs::read_to_string(format!("{folder}/yorick/feedback.md")).unwrap();
    assert!(clean.contains("None in a match.") && clean.contains("no transcripts"), "{clean}");
    let index = fs::read_to_string(format!("{folder}/index.csv")).unwrap();
    assert!(index.ends_with("zelda,zelda,0,3,6,,\n"), "{index}");
}

fn folders_that_cannot_be_are_errors() {
    let test_folder = TestFolder::new();
    let (record, out) = (test_folder.file("record.jsonl"), test_folder.file("out"));
    let bots = ["builtin:easy", "builtin:random", "--record", &record];
    tournament().args(bots).run().code(0);
    let feedback = |options: &[&str]| mancala(["feedback"]).args(options).run();
    let missing = test_folder.file("missing");
    feedback(&[&missing, "-o", &out]).failure(1, "No such file");
    feedback(&[&record, "-o", &out, "--log", &missing]).failure(1, "cannot read the logs in");
    feedback(&[&record, "-o", &record]).failure(1, "cannot write feedback into");
    feedback(&[&record]).failure(2, "--output <DIR>");
    let one = test_folder.file("one.jsonl");
    mancala(["match", "builtin:easy", "builtin:random", "--record", &one]).run().code(0);
    feedback(&[&one, "-o", &out]).failure(1, "does not begin with the plan of a tournament");
    assert!(!fs::exists(&out).unwrap(), "a refused command makes no folder");
    feedback(&[&record, "-o", &out]).success();
    feedback(&[&record, "-o", &out]).failure(2, "is not empty; give another -o DIR");
    feedback(&["/dev/null", "-o", &out]).failure(1, "is not a file of a tournament");
    let fifo = test_folder.file("fifo");
    assert!(std::process::Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    feedback(&[&fifo, "-o", &out]).failure(1, "is not a file of a tournament");
    feedback(&[&record, "-o", "/proc/x"]).failure(1, "; give -o a folder you may write to");
    let invalid = test_folder.file("invalid.jsonl");
    let lines = fs::read_to_string(&record).unwrap();
    fs::write(&invalid, lines.replacen("\"final\":[", "\"final\":[1", 1)).unwrap();
    feedback(&[&invalid, "-o", &test_folder.file("other")])
        .failure(1, "invalid.jsonl: line 2: the match is invalid: round 1");
    // A tournament that does not begin leaves no folder of logs.
    let run = tournament().args(["builtin:easy", "builtin:random", "--log", &missing]);
    run.args(["--events", "/no/such/file"]).run().code(1);
    assert!(!fs::exists(&missing).unwrap());
    let run = tournament().args(["builtin:easy", "builtin:random", "--log", &record]);
    run.run().failure(2, "is a file; give --log a folder to write logs into");
    let text = "[[bot]]\nname='a'\ncommand='builtin:easy'\n[match]\nlog = \"x\"\n";
    let file = config(&test_folder, text);
    let run = tournament().args(["--config", &file, "builtin:random"]).run();
    run.failure(2, "give --log DIR on the command line");
}

fn check_disqualifies_bots_before_the_first_match() {
    let test_folder = TestFolder::new();
    let (record, folder) = (test_folder.file("record"), test_folder.file("feedback"));
    let (sound, leaves) = (hostile("sound 1 1"), hostile("exit-0 1 1"));
    let bots = [format!("sound={sound}"), format!("leaves={leaves}"), "builtin:random".to_owned()];
    let options = ["--check", "--check-time=20s", "--record", &record, "--openings=random:2"];
    let outcome =
        tournament().args(&bots).args(options).args(["--feedback", &folder]).run().code(0);
    assert!(outcome.stderr.contains("\"leaves\" is disqualified: fails mancala check: it exits"));
    let out = notes(&record, "disqualified");
    assert_eq!(out.len(), 1, "{out:?}");
    // The note stands before the only match.
    assert_eq!(lines(&record)[1]["note"], "disqualified");
    assert_eq!(matches(&[&record]).len(), 1);
    let page = fs::read_to_string(format!("{folder}/leaves/feedback.md")).unwrap();
    for words in [
        "**Disqualified.** None of its matches count. The reason:\n\n```text\nfails mancala check: it exits",
        "```text\nleaves, with 1000 ms",
        "\n  Fix ",
        "## Faults\n\nIt played no match; see Check.",
    ] {
        assert!(page.contains(words), "{words:?} is not in\n{page}");
    }
    let index = fs::read_to_string(format!("{folder}/index.csv")).unwrap();
    assert!(index.contains("leaves,leaves,0,,0,fails mancala check: it exits"), "{index}");
    // The report is in the record, for pages that are written later.
    let later = test_folder.file("later");
    mancala(["feedback", &record, "-o", &later]).run().success();
    let page = fs::read_to_string(format!("{later}/leaves/feedback.md")).unwrap();
    for words in ["## Check\n\nThe bot was checked", "```text\nleaves, with 1000 ms", "see Check."]
    {
        assert!(page.contains(words), "{words:?} is not in\n{page}");
    }
    // It is not checked again, nor can it come back.
    let began = std::time::Instant::now();
    let more = ["--count=2", "--resume"];
    let outcome = tournament().args(&bots).args(options).args(more).run().code(0);
    assert!(
        outcome.stderr.contains("\"leaves\" stays disqualified: fails mancala check: it exits")
    );
    assert_eq!((notes(&record, "disqualified").len(), matches(&[&record]).len()), (1, 2));
    assert!(began.elapsed().as_secs() < 20);
    let unchecked = &options[2..];
    let outcome = tournament().args(&bots).args(unchecked).arg("--resume").run();
    outcome.failure(1, "--check: on in the file, off here");
}

fn a_tournament_that_does_not_begin_leaves_no_feedback() {
    let test_folder = TestFolder::new();
    let (new, empty, record) =
        (test_folder.file("new"), test_folder.file("empty"), test_folder.file("record"));
    fs::create_dir(&empty).unwrap();
    fs::write(&record, "something else\n").unwrap();
    let refused: [(&[&str], i32); 3] = [
        (&["--events", "/no/such/file"], 1),
        (&["--record", &record], 2),
        (&["--strict", "nosuch"], 1),
    ];
    for (options, code) in refused {
        for folder in [&new, &empty] {
            let run = tournament().args(["builtin:easy", "builtin:random", "--feedback", folder]);
            run.args(options).run().code(code);
        }
        assert!(!fs::exists(&new).unwrap(), "{options:?}");
        assert_eq!(fs::read_dir(&empty).unwrap().count(), 0, "{options:?}");
    }
}

fn feedback_shows_why_a_bot_does_not_build() {
    let test_folder = TestFolder::new();
    let folder = test_folder.file("feedback");
    let bot = "[[bot]]\nname = \"broken\"\ncommand = \"./broken\"\n\
               build = \"sh -c 'echo my words >&2; exit 3'\"\n";
    let file = config(&test_folder, bot);
    let run = tournament().args(["--config", &file, "--feedback", &folder]);
    run.args(["builtin:easy", "builtin:random"]).run().code(0);
    let page = fs::read_to_string(format!("{folder}/broken/feedback.md")).unwrap();
    let command = "sh -c 'echo my words >&2; exit 3'\n```\n";
    for words in ["## Build\n", command, "\n```text\nmy words\n```\n"] {
        assert!(page.contains(words), "{words:?} is not in\n{page}");
    }
    assert!(!page.contains("mancala check"), "{page}");
    // Where no other can play either, there is no tournament to go on with, and the pages all the same.
    let [record, folder] = ["record", "pages"].map(|name| test_folder.file(name));
    let text = bot.to_owned() + &bot.replace("broken", "other");
    let file = config(&test_folder, &text);
    for options in [&[][..], &["--resume"]] {
        let run =
            tournament().args(["--config", &file, "--feedback", &folder, "--record", &record]);
        let said = run.args(options).run().code(1).stderr;
        assert!(said.ends_with("mancala: fewer than two bots can play\n"), "{said}");
        for page in ["broken/feedback.md", "other/feedback.html", "index.md", "index.csv"] {
            assert!(fs::exists(format!("{folder}/{page}")).unwrap(), "{page} {options:?}");
        }
        assert!(!fs::exists(&record).unwrap());
    }
    assert!(page.contains("It played no match.\n") && !page.contains("transcripts"), "{page}");
    assert!(page.contains("Run the commands in the folder of this page"), "{page}");
}

fn why_a_bot_did_not_build_is_on_later_pages_too() {
    let test_folder = TestFolder::new();
    let (record, here) = (test_folder.file("record"), test_folder.marker());
    let bot = format!(
        "[[bot]]\nname = \"broken\"\ncommand = \"./broken\"\n\
         build = '''sh -c 'echo \"{here}/a.c:1: my words\" >&2; seq 100 >&2; exit 3' '''\n"
    );
    let file = config(&test_folder, &bot);
    let play = |options: &[&str]| {
        let run = tournament().args(["--config", &file, "--record", &record]).args(options);
        run.args(["builtin:easy", "builtin:random"]).run().code(0)
    };
    play(&[]);
    let [update, later] = ["update", "later"].map(|name| test_folder.file(name));
    play(&["--update", "--feedback", &update, "builtin:average"]);
    mancala(["feedback", &record, "-o", &later]).run().success();
    for folder in [update, later] {
        let page = fs::read_to_string(format!("{folder}/broken/feedback.md")).unwrap();
        for words in [
            "## Build\n",
            "The beginning of what it said:\n\n```text\na.c:1: my words\n1\n2\n",
            "It played no match; see Build.",
        ] {
            assert!(page.contains(words), "{words:?} is not in\n{page}");
        }
        assert!(!page.contains("First build it") && !page.contains("mancala check"), "{page}");
    }
}

fn what_a_build_said_is_on_the_page_of_the_version_that_it_built() {
    let test_folder = TestFolder::new();
    let record = test_folder.file("record");
    let build = test_folder.file("build.sh");
    let text = format!(
        "[[bot]]\nname = \"broken\"\ncommand = \"./broken\"\nbuild = '''sh {build}'''\n\
         [[bot]]\ncommand = \"builtin:easy\"\n[[bot]]\ncommand = \"builtin:random\"\n"
    );
    let file = config(&test_folder, &text);
    let play = |says: &str, options: &[&str]| {
        fs::write(&build, format!("echo {says} >&2; exit 3\n")).unwrap();
        let run = tournament().args(["--config", &file, "--record", &record]).args(options);
        run.run().code(0);
    };
    let page = |folder: &str, bot: &str| {
        let place = test_folder.file(folder);
        mancala(["feedback", &record, "-o", &place]).run().success();
        fs::read_to_string(format!("{place}/{bot}/feedback.md")).unwrap()
    };
    play("one", &[]);
    play("two", &["--update"]);
    // The first one again, which stays out without another build.
    play("one", &["--update"]);
    let again = page("again", "broken");
    assert!(again.contains("\none\n") && !again.contains("\ntwo\n"), "{again}");
    play("two", &["--update", "--keep-old"]);
    let [now, before] = [("now", "broken"), ("before", "broken_1")].map(|(to, bot)| page(to, bot));
    assert!(now.contains("\ntwo\n") && !now.contains("\none\n"), "{now}");
    assert!(before.contains("\none\n") && !before.contains("\ntwo\n"), "{before}");
}

/// The commands of a page, in order.
fn commands(page: &str) -> Vec<&str> {
    page.split("```sh\n").skip(1).filter_map(|rest| rest.split("\n```").next()).collect()
}

fn commands_of_a_page_work_beside_the_files_of_the_bot() {
    if !requirements::are_there("gcc make", "commands of pages that build bots") {
        return;
    }
    let sound = fs::read_to_string(repository().join("examples/c/greedy.c")).unwrap();
    let in_folder = "dir = \"{dir}\"\ncommand = \"./bot\"";
    for (own, build, command) in [
        ("m/ann", "make -C {dir} bot", in_folder),
        ("n/Ann Lee_1_assign", "gcc {path} -o {dir}/bot", "command = \"{dir}/bot\""),
        ("o/Kim", "gcc -I{dir} {path} -o {dir}/bin/bot", "command = \"{dir}/bin/bot\""),
        ("p/bo", "sh tool/cc.sh {dir} {stem}", in_folder),
        (
            "q/cy",
            "gcc {path} -o {dir}/bot",
            "dir = \"{dir}\"\ncommand = \"./bot\"\nenv = { A = \"b\" }",
        ),
    ] {
        let contest = TestFolder::new();
        let place = contest.path().join(own);
        fs::create_dir_all(place.join("bin")).unwrap();
        fs::create_dir_all(contest.file("tool")).unwrap();
        let script = contest.path().join("tool/cc.sh");
        fs::write(&script, "gcc \"$1/$2.c\" -o \"$1/bot\"\n").unwrap();
        fs::write(place.join("Makefile"), "bot: my.c\n\tgcc my.c -o bot\n").unwrap();
        let (all, folder) = own.split_once('/').unwrap();
        let text = format!(
            "[[bots]]\nglob = \"{all}/*/my.c\"\nname = \"{{folder}}\"\nbuild = \"{build}\"\n\
             {command}\n[[bot]]\ncommand = \"builtin:easy\"\n[[bot]]\ncommand = \"builtin:random\"\n"
        );
        let file = config(&contest, &text);
        for source in ["int main(void) { return wrong; }\n", &*sound] {
            fs::write(place.join("my.c"), source).unwrap();
            let feedback = contest.file(if source == sound { "fine" } else { "broken" });
            let run = tournament().args(["--config", &file, "--feedback", &feedback]);
            run.arg("--no-sandbox").run().code(0);
            // The author has the page beside the files that were handed in.
            let elsewhere = TestFolder::new();
            let there = elsewhere.file("mine");
            let page = Path::new(&feedback).join(folder.replace(' ', "_"));
            for from in [&page, &place, &script] {
                let from = if from.is_dir() { from.join(".") } else { from.clone() };
                fs::create_dir_all(&there).unwrap();
                let copied = Command::new("cp").arg("-r").args([&from, Path::new(&there)]).status();
                assert!(copied.unwrap().success());
            }
            for program in ["bot", "bin/bot"] {
                let _ = fs::remove_file(format!("{there}/{program}"));
            }
            let text = fs::read_to_string(format!("{there}/feedback.md")).unwrap();
            let commands = commands(&text);
            let words = shell_words::split(commands[0]).unwrap();
            let built = Command::new(&words[0]).args(&words[1..]).current_dir(&there).output();
            let built = built.unwrap();
            assert_eq!(built.status.success(), source == sound, "{}: {built:?}", commands[0]);
            if source != sound {
                let said = String::from_utf8_lossy(&built.stderr);
                assert!(said.contains("my.c:1"), "{}: {said}", commands[0]);
                continue;
            }
            let words = shell_words::split(commands[1]).unwrap();
            let bot = words.last().unwrap();
            let played = mancala(["match", &**bot, "builtin:random", "--rounds=1"]);
            let played = played.in_folder(&there).run().code(0);
            assert!(!played.stdout.contains("my forfeits"), "{bot}: {played:#?}");
            assert!(!played.stdout.contains("bot forfeits"), "{bot}: {played:#?}");
        }
    }
}

fn nothing_that_is_handed_out_names_a_folder_of_the_bots_or_the_home() {
    let [contest, bots, home] = [(); 3].map(|()| TestFolder::new());
    let lost = "read start; read turn; cat \"$(pwd -P)/gone\" \"$0.gone\"; echo \"$HOME/x.py\" >&2\n\
                echo \"$(pwd -P)\"; read more\n";
    for bot in ["ann", "ben"] {
        fs::create_dir_all(bots.path().join("subm").join(bot)).unwrap();
        fs::write(bots.path().join("subm").join(bot).join("bot.sh"), lost).unwrap();
    }
    std::os::unix::fs::symlink(bots.path().join("subm"), contest.path().join("link")).unwrap();
    for (kind, place, rest) in [
        ("a", "link", "dir = \"{dir}\"\ncommand = \"sh {file}\""),
        ("b", &*bots.file("subm"), "dir = \"{dir}\"\ncommand = \"sh {file}\""),
        ("c", &*bots.file("subm"), "command = \"sh {path}\""),
    ] {
        let text = format!(
            "[match]\nsandbox = false\n[[bots]]\nglob = \"{place}/*/bot.sh\"\n\
             name = \"{{folder}}\"\n{rest}\n"
        );
        let file = config(&contest, &text);
        let name = |what: &str| contest.file(&format!("{what}-{kind}"));
        let [record, feedback, report, later] = ["record", "feedback", "report", "later"].map(name);
        let at_home = |run: Run| {
            let output = run.command().env("HOME", home.path()).output().unwrap();
            assert_eq!(output.status.code(), Some(0), "{output:#?}");
        };
        let run = tournament().args(["--config", &file, "--record", &record, "--report", &report]);
        at_home(run.args(["--feedback", &feedback]));
        at_home(mancala(["feedback", &record, "-o", &later]));
        let mut handed_out = files(Path::new(&feedback));
        handed_out.extend(files(Path::new(&later)));
        handed_out.push((report.clone().into(), fs::read_to_string(&report).unwrap()));
        for (file, text) in &handed_out {
            for hidden in [&contest, &bots, &home].map(TestFolder::marker) {
                assert!(!text.contains(&hidden), "{kind}: {} names {hidden}", file.display());
            }
        }
        assert!(says(&handed_out, "x.py"), "{handed_out:#?}");
    }
}

fn a_bundle_reproduces_the_fault_of_a_bot_in_its_own_folder() {
    let test_folder = TestFolder::new();
    // The same command in three folders, and in that of the contest.
    let script = |answer: &str| {
        format!("while read -r line; do case $line in *'\"moves\"'*) echo {answer};; esac; done\n")
    };
    for (folder, answer) in [(".", 77), ("in/ann lee", 88), ("in/ben", 99)] {
        fs::create_dir_all(test_folder.file(folder)).unwrap();
        fs::write(test_folder.file(&format!("{folder}/bot.sh")), script(&answer.to_string()))
            .unwrap();
    }
    let bot = |name: &str, folder: &str| {
        let place = format!("dir = \"{folder}\"\nenv = {{ WHO = \"{name}\" }}\n");
        format!("[[bot]]\nname = \"{name}\"\ncommand = \"sh bot.sh\"\n{place}")
    };
    let text = bot("ann", "in/ann lee") + &bot("ben", "in/ben") + "[match]\nsandbox = false\n";
    let file = config(&test_folder, &text);
    let logs = test_folder.file("logs");
    tournament().args(["--config", &file, "--log", &logs]).run().code(0);
    let mut bundles = files(Path::new(&logs));
    bundles.retain(|(file, _)| file.to_string_lossy().contains("/fault-"));
    assert!(!bundles.is_empty());
    for (file, text) in bundles {
        let bundle: Value = serde_json::from_str(&text).unwrap();
        let is_ann = bundle["bot"]["name"] == "ann";
        assert_eq!(bundle["dir"], if is_ann { "in/ann lee" } else { "in/ben" });
        let words = shell_words::split(bundle["reproduce"].as_str().unwrap()).unwrap();
        let answer = if is_ann { "88" } else { "99" };
        let here = Path::new(&test_folder.marker()).to_owned();
        let again = mancala(&words[1..]).in_folder(&here).run().code(0);
        again.says("The same kind of fault again.").says(answer);
        let file = file.to_string_lossy();
        let run = mancala(["reproduce", "--run", &*file]).in_folder(&here).run().code(0);
        run.says("The same kind of fault again.").says(answer);
        // Another bot is asked where it is, after a word about the folder.
        let other = mancala(["reproduce", &*file, "sh bot.sh"]).in_folder(&here).run().code(0);
        let other = other.says("77");
        assert!(other.stderr.contains("in the match; add --dir "), "{other:#?}");
        let elsewhere = mancala(["reproduce", "--run", &*file]).in_folder(Path::new("/")).run();
        elsewhere.failure(1, "the bundle's dir: in/");
    }
}

fn a_repair_is_shown_as_it_can_be_copied() {
    let test_folder = TestFolder::new();
    fs::create_dir_all(test_folder.file("in/ann lee")).unwrap();
    let script = test_folder.file("in/ann lee/run");
    fs::write(&script, "#!/bin/sh\r\nexec cat\r\n").unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    let text = "[match]\nsandbox = false\n[[bot]]\nname = \"ann\"\ncommand = \"./run\"\ndir = \"in/ann lee\"\n\
        [[bot]]\ncommand = \"builtin:easy\"\n[[bot]]\ncommand = \"builtin:random\"\n";
    let file = config(&test_folder, text);
    let feedback = test_folder.file("feedback");
    tournament().args(["--config", &file, "--feedback", &feedback]).run().code(0);
    let page = fs::read_to_string(format!("{feedback}/ann/feedback.md")).unwrap();
    let (_, block) = page.split_once("```text\n").unwrap();
    let (reason, _) = block.split_once("\n```").unwrap();
    let (_, command) = reason.split_once("convert it with ").unwrap_or_else(|| panic!("{page}"));
    // In the folder of the page, with the bot's files copied into it.
    let here = format!("{feedback}/ann");
    fs::copy(&script, format!("{here}/run")).unwrap();
    let status = Command::new("sh").args(["-c", command]).current_dir(&here).status().unwrap();
    assert!(status.success(), "{command}");
    assert_eq!(fs::read_to_string(format!("{here}/run")).unwrap(), "#!/bin/sh\nexec cat\n");
}

fn nothing_that_is_handed_out_names_a_folder_of_the_contest() {
    let test_folder = TestFolder::new();
    // The record is somewhere else.
    let records = TestFolder::new();
    let (here, record) = (test_folder.marker(), records.file("record.jsonl"));
    for folder in ["handed in/ann", "handed in/ben", "shared"] {
        fs::create_dir_all(test_folder.file(folder)).unwrap();
    }
    // Its answer and its stderr have whole paths, as tracebacks of Python have.
    let lost = "read start; read turn; cat \"$PWD/gone\"; echo \"$PWD\"; read more\n";
    fs::write(test_folder.file("handed in/ann/bot.sh"), lost).unwrap();
    let sandboxed = requirements::sandbox_is_there("bots in the sandbox that name their folder");
    let sandbox = if sandboxed {
        format!("sandbox = true\nallow_read = [\"{here}/shared\"]\n")
    } else {
        "sandbox = false\n".to_owned()
    };
    let text = format!(
        "disqualify_after = 2\n[match]\n{sandbox}\
         [[bot]]\nname = \"ann\"\ncommand = '''sh \"{here}/handed in/ann/bot.sh\"'''\n\
         [[bot]]\nname = \"ben\"\ncommand = \"./none\"\n\
         build = '''sh -c 'echo \"{here}/handed in/ben/bot.c:1: error: no\" >&2; exit 1' '''\n\
         [[bot]]\ncommand = \"builtin:easy\"\n[[bot]]\ncommand = \"builtin:random\"\n"
    );
    let file = config(&test_folder, &text);
    let (folder, logs) = (test_folder.file("feedback"), test_folder.file("logs"));
    let run = tournament().args(["--config", &file, "--record", &record, "--log", &logs]);
    run.args(["--feedback", &folder]).run().code(0);
    let later = |name: &str, options: &[&str]| {
        let run = mancala(["feedback", &record, "-o", &test_folder.file(name)]).args(options);
        run.run().success();
    };
    later("later", &["--log", &logs]);
    later("without", &[]);
    for made in ["feedback", "later", "without"] {
        let files = files(Path::new(&test_folder.file(made)));
        for (file, text) in &files {
            assert!(!text.contains(&here), "{} names {here}:\n{text}", file.display());
        }
        // What is named relative to that folder instead is all there.
        assert!(says(&files, "cat: gone: No such file"), "{made}: {files:#?}");
        assert!(says(&files, "handed in/ben/bot.c:1: error: no"), "{made}: {files:#?}");
    }
    let mut bundles = files(&Path::new(&folder).join("ann"));
    bundles.retain(|(file, _)| {
        let name = file.file_name().unwrap().to_string_lossy();
        file.extension().is_some_and(|it| it == "json") && name != "match.json"
    });
    assert!(!bundles.is_empty());
    // The command of a bundle works where its author has put it beside the bot.
    let elsewhere = TestFolder::new();
    let there = elsewhere.file("ann");
    let copied = Command::new("cp").args(["-r", &format!("{folder}/ann"), &there]).status();
    assert!(copied.unwrap().success());
    fs::copy(test_folder.file("handed in/ann/bot.sh"), format!("{there}/bot.sh")).unwrap();
    for (_, text) in bundles {
        let bundle: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(bundle["bot"]["command"], json!(["sh", "bot.sh"]));
        let words = shell_words::split(bundle["reproduce"].as_str().unwrap()).unwrap();
        let again = mancala(&words[1..]).in_folder(&there).run().code(0);
        again.says("The same kind of fault again.");
    }
}

fn faults_of_matches_that_stand_after_an_update_are_on_the_page() {
    let test_folder = TestFolder::new();
    let (file, record) = (contest(&test_folder), test_folder.file("record.jsonl"));
    let play = |options: &[&str]| {
        let run = tournament().args(["--config", &file, "--record", &record]).args(options);
        run.run().code(0);
    };
    play(&[]);
    // A bot in front of all others gives matches other numbers.
    let text = fs::read_to_string(&file).unwrap();
    let script = test_folder.file("anton.sh");
    fs::write(&script, format!("exec {}\n", hostile("sound 1 1"))).unwrap();
    let sound = format!("[[bot]]\nname = \"anton\"\ncommand = '''sh '{script}''''\n");
    fs::write(&file, text.replacen("[[bot]]", &format!("{sound}[[bot]]"), 1)).unwrap();
    let logs = test_folder.file("logs");
    let [folder, at_once] = ["feedback", "at-once"].map(|name| test_folder.file(name));
    play(&["--update", "--log", &logs, "--feedback", &at_once]);
    let later = mancala(["feedback", &record, "-o", &folder, "--log", &logs]).run().code(0);
    let words =
        "9 matches have no log in the folders of --log; after an update, name those of both runs";
    assert!(later.stderr.contains(words), "{}", later.stderr);
    // One in each of its nine matches, three of which were played, and logged, after the update.
    for folder in [folder, at_once] {
        let page = fs::read_to_string(format!("{folder}/zelda/feedback.md")).unwrap();
        // The example is one of these three, which has a bundle.
        let words = ["By kind: exited 9.", "\n9 faults. Read", "\n3 matches are logged."];
        for words in words.into_iter().chain([" ([bundle](match-", "\nSee it again:\n"]) {
            assert!(page.contains(words), "{words:?} is not in\n{page}");
        }
        // Each under its number of today, those that stand with the one of then.
        let rows = rows(&page);
        let numbers: BTreeSet<&str> = rows.iter().map(|row| row[0]).collect();
        assert_eq!((rows.len(), numbers.len()), (9, 9), "{page}");
        let logged = |row: &&Vec<&str>| row[1].contains("transcript");
        assert!(rows.iter().filter(logged).all(|row| !row[0].contains("played as")), "{page}");
        assert!(rows.iter().any(|row| row[0].contains(", played as match ")), "{page}");
    }
    // An update of contents alone, after which the tournament has the same identity.
    fs::write(&script, format!("exec {} # faster\n", hostile("sound 1 1"))).unwrap();
    let again = test_folder.file("again");
    play(&["--update", "--feedback", &again]);
    let page = fs::read_to_string(format!("{again}/zelda/feedback.md")).unwrap();
    assert!(page.contains("By kind: exited 9."), "{page}");
}

/// The rows of a page's table of matches: the match, its transcript, its faults.
fn rows(page: &str) -> Vec<Vec<&str>> {
    table_rows(page).into_iter().filter(|row| row[0].starts_with("match ")).collect()
}

fn a_log_is_taken_only_for_the_match_that_it_is_of() {
    let test_folder = TestFolder::new();
    let script = test_folder.file("engine.sh");
    let hand_in = |mode: &str| fs::write(&script, format!("exec {}\n", hostile(mode))).unwrap();
    let sound = hostile("sound 1 1");
    let text = format!(
        "openings = \"random:3\"\ncount = 3\n\
         [[bot]]\nname = \"engine\"\ncommand = \'\'\'sh \'{script}\'\'\'\'\n\
         [[bot]]\nname = \"ann\"\ncommand = \'\'\'{sound}\'\'\'\n\
         [[bot]]\nname = \"ben\"\ncommand = \'\'\'{sound}\'\'\'\n"
    );
    let file = config(&test_folder, &text);
    let play = |record: &str, options: &[&str]| {
        let run = tournament().args(["--config", &file, "--record", record]).args(options);
        run.run()
    };
    let [contents, kept, first, second, old_pages] =
        ["contents", "kept", "first", "second", "old"].map(|name| test_folder.file(name));
    hand_in("exit-0 1 2");
    play(&contents, &["--log", &first, "--feedback", &old_pages]).code(0);
    fs::copy(&contents, &kept).unwrap();
    hand_in("sound 1 1");
    let pages = |record: &str, logs: &[&str]| {
        let out = test_folder.file("out");
        let logs = logs.iter().flat_map(|folder| ["--log", folder]);
        let said = mancala(["feedback", record, "-o", &out]).args(logs).run().code(0).stderr;
        let page = |name: &str| fs::read_to_string(format!("{out}/{name}/feedback.md"));
        let pages = ["engine", "engine_1", "ann"].map(|name| page(name).unwrap_or_default());
        fs::remove_dir_all(out).unwrap();
        (pages, said)
    };

    // The id is the same, and each match of the engine was played again under its number.
    play(&contents, &["--update", "--log", &second]).code(0);
    // Where it is given again, for example because it was interrupted, it says what goes on.
    let again = play(&contents, &["--update", "--log", &second]);
    again.failure(2, "is not empty: give --resume instead of --update to continue an");
    play(&contents, &["--resume", "--log", &second]).code(0);
    let ([engine, _, ann], _) = pages(&contents, &[&first]);
    assert!(engine.contains("None in a match.") && engine.contains("no transcripts"), "{engine}");
    assert!(rows(&engine).is_empty(), "{engine}");
    assert!(ann.contains("\n3 matches are logged.") && rows(&ann).len() == 3, "{ann}");
    let ([engine, _, ann], _) = pages(&contents, &[&first, &second]);
    for page in [engine, ann] {
        assert!(page.contains("\n6 matches are logged.") && page.contains("None in"), "{page}");
    }
    // Nor do logs of both come together.
    let more = ["--resume", "--count=4", "--log"];
    let mixed = play(&contents, &[&more[..], &[&first]].concat());
    mixed.failure(2, " has the log of a match of before an update, or of another tournament; give another --log DIR");
    let mixed = play(&contents, &["--resume", "--count=4", "--feedback", &old_pages]);
    mixed.failure(2, " has the log of a match of before an update, or of another tournament; give another --feedback DIR");
    play(&contents, &[&more[..], &[&second]].concat()).code(0);

    // The earlier version plays on under another name, and has its own logs.
    play(&kept, &["--update", "--keep-old"]).code(0);
    let ([engine, before, ann], _) = pages(&kept, &[&first]);
    assert!(engine.contains("None in a match.") && rows(&engine).is_empty(), "{engine}");
    for words in ["By kind: exited 6.", "\n6 faults. Read", "\n6 matches are logged."] {
        assert!(before.contains(words), "{words:?} is not in\n{before}");
    }
    assert_eq!(before.matches("](match-").count(), 6 + 6 + 6, "{before}");
    assert!(ann.contains("\n6 matches are logged."), "{ann}");
    play(&kept, &[&more[..], &[&first]].concat()).failure(2, "or of another tournament");

    // Folders of earlier versions of the program do not say which matches they are of.
    for number in 1..=9 {
        fs::remove_file(format!("{first}/match-{number}/match.json")).unwrap();
    }
    let ([_, before, ann], said) = pages(&kept, &[&first]);
    assert!(before.contains("\n6 faults. Read") && before.contains("no transcripts"), "{before}");
    assert!(ann.contains("no transcripts"), "{ann}");
    assert!(said.contains("--log has no log of a match between today's bots"), "{said}");
    let empty = test_folder.file("empty");
    fs::create_dir(&empty).unwrap();
    let (_, said) = pages(&kept, &[&empty]);
    assert!(said.contains("the folders of --log have no logs"), "{said}");
}

fn resumed_feedback_explains_the_faults_of_all_runs() {
    let test_folder = TestFolder::new();
    let (file, record) = (contest(&test_folder), test_folder.file("record.jsonl"));
    let [pages, logs, copied] = ["pages", "logs", "copied"].map(|name| test_folder.file(name));
    let play = |options: &[&str]| {
        let run = tournament().args(["--config", &file, "--record", &record]).args(options);
        run.run().code(0);
    };
    let zelda = |folder: &str| fs::read_to_string(format!("{folder}/zelda/feedback.md")).unwrap();
    let assert_all = |page: &str, faults: usize, logged: usize| {
        for words in [
            format!("By kind: exited {faults}."),
            format!("\n{faults} faults. Read"),
            format!("\n{logged} matches are logged."),
        ] {
            assert!(page.contains(&words), "{words:?} is not in\n{page}");
        }
    };
    play(&["--log", &logs]);
    play(&["--resume", "--count=4", "--feedback", &pages]);
    assert_all(&zelda(&pages), 8, 2);
    play(&["--resume", "--count=4", "--feedback", &copied, "--log", &logs]);
    assert_all(&zelda(&copied), 8, 6);

    // Of an update without feedback, too.
    let text = fs::read_to_string(&file).unwrap();
    let bot =
        format!("[[bot]]\nname = \"anton\"\ncommand = \'\'\'{}\'\'\'\n", hostile("sound 1 1"));
    fs::write(&file, text.replacen("[[bot]]", &format!("{bot}[[bot]]"), 1)).unwrap();
    play(&["--update", "--count=4"]);
    let after = test_folder.file("after");
    play(&["--resume", "--count=5", "--feedback", &after]);
    assert_all(&zelda(&after), 15, 3);
}
