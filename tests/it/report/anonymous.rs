//! `report --anonymous`: the name of a hidden bot stands nowhere.

use std::fs;

use super::page::{NINE, data, report};
use crate::program::{mancala, path};
use crate::test_folder::TestFolder;

/// Repeats its `start` line, which names its opponent, on stderr, in `info` and as its third answer.
const SPY: &str = r#"spy=bash -c 'while read -r l; do case $l in *type*start*) s=$l; n=0; echo "$l" >&2;; *type*turn*) n=$((n+1)); h=${l#*legal*[}; if [ $n -gt 2 ]; then echo "$s"; else echo "{\"move\":${h%%[],]*},\"info\":$s}"; fi;; esac; done'"#;

/// Its stderr looks like that of a program without a file, which a case names.
const LOST: &str = r#"lost=bash -c 'read -r l; o=${l#*opponent\":\"}; echo "cat: ${o%%\"*}: No such file or directory" >&2; exit 1'"#;

const HIDDEN: [&str; 2] = ["ann-lee", "bob-ray"];

/// A tournament of both and two others in `t.jsonl`.
fn spied(options: &[&str]) -> TestFolder {
    let folder = TestFolder::new();
    mancala(["tournament", "--count=1", "--record=t.jsonl", "-q", "--oversubscribe"])
        .args(options)
        .args([SPY, LOST, "ann-lee=builtin:easy", "bob-ray=builtin:random"])
        .in_folder(folder.path())
        .run()
        .code(0);
    folder
}

#[test]
fn a_shown_bot_names_no_hidden_one() {
    for policy in ["forfeit", "substitute"] {
        let folder = spied(&["--fault-policy", policy]);
        assert!(folder.read("t.jsonl").contains(r#"\"opponent\":\"ann-lee\""#), "{policy}");
        report(&folder, "t.jsonl -q --anonymous --show spy --show lost --assets figures").success();
        let files = fs::read_dir(folder.file("figures")).unwrap().flatten();
        let files = files.map(|file| file.path()).chain([folder.file("t.html").into()]);
        let mut shown = 0;
        for file in files {
            let text = fs::read_to_string(&file).unwrap();
            for name in HIDDEN {
                assert!(!text.contains(name), "{policy}: {name} in {}", file.display());
            }
            shown += usize::from(text.contains("spy") && text.contains("lost"));
        }
        assert!(shown > 5, "{policy}: {shown}");
    }
}

/// Nobody can repeat what nobody was told.
#[test]
fn where_bots_were_told_no_names_the_texts_of_a_shown_one_stay() {
    let folder = spied(&["--anonymous"]);
    let infos = |arguments: &str| {
        report(&folder, &format!("t.jsonl -q {arguments}")).success();
        let page = folder.read("t.html");
        let data = data(&page);
        let rounds = data["matches"].as_array().unwrap().iter();
        let rounds = rounds.flat_map(|of| of[6].as_array().unwrap());
        rounds.filter_map(|round| round[5]["info"].as_array()).map(Vec::len).sum::<usize>()
    };
    assert!(infos("--anonymous --show spy") > 5);
    assert_eq!(infos("--anonymous --show lost"), 0);
}

/// All that is given as a whole path: the record, the suite and the bot.
#[test]
fn a_page_names_no_folder_of_the_machine() {
    let folder = TestFolder::new();
    let whole = path(folder.path());
    let script = NINE.split('\'').nth(1).unwrap();
    fs::write(folder.file("nine.sh"), script).unwrap();
    fs::write(folder.file("suite.txt"), "3 3 3 3 3 3 0 3 3 3 3 3 3 0\n").unwrap();
    mancala(["tournament", "builtin:easy", "-q", "--oversubscribe"])
        .args([format!("nine=sh {whole}/nine.sh"), format!("--openings=file:{whole}/suite.txt")])
        .args([format!("--record={whole}/t.jsonl"), format!("--report={whole}/live.html")])
        .in_folder(folder.path())
        .run()
        .code(0);
    mancala(["match", "builtin:easy", "nine=sh nine.sh", "-q"])
        .args([format!("--record={whole}/m.jsonl"), format!("--report={whole}/match.html")])
        .in_folder(folder.path())
        .run()
        .code(0);
    report(&folder, &format!("{whole}/t.jsonl -q -o named.html")).success();
    report(&folder, &format!("{whole}/t.jsonl -q -o hidden.html --anonymous")).success();
    for page in ["live.html", "match.html", "named.html", "hidden.html"] {
        let text = folder.read(page);
        assert!(!text.contains(&*whole), "{page}");
        let record = if page == "match.html" { "m.jsonl" } else { "t.jsonl" };
        // The number of a match tells who played.
        let has_replay = text.contains(&format!("mancala replay {record} --match "));
        assert_eq!(has_replay, page != "hidden.html", "{page}");
        assert_eq!(text.contains(record), page != "hidden.html", "{page}");
        let has_check = text.contains("mancala check ") && text.contains("sh nine.sh");
        assert_eq!(has_check, page != "hidden.html", "{page}");
    }
    assert!(folder.read("named.html").contains("1 position of the file suite.txt"));
}
