//! What is added up only with `--merge`.

use serde_json::{Value, json};

use super::files::{ID, Played, header, lines, note};
use super::planned::planned;
use super::{ABC, of, path};
use crate::program::mancala;

/// Two files of plain matches between `a` and `b`; `change` makes the second one different.
fn two_files(change: impl Fn(&mut Value)) -> (tempfile::TempDir, [String; 2]) {
    let folder = tempfile::tempdir().unwrap();
    let loose = |played: Played| {
        played.with(|record| {
            record.as_object_mut().unwrap().remove("tournament");
        })
    };
    let one = loose(Played::new(1, ["a", "b"], [[20, 16], [19, 17]]));
    let other = loose(Played::new(1, ["a", "b"], [[10, 26], [19, 17]])).with(change);
    let files = [("one.jsonl", one), ("other.jsonl", other)].map(|(name, played)| {
        let file = folder.path().join(name);
        std::fs::write(&file, lines(&[played])).unwrap();
        path(file)
    });
    (folder, files)
}

fn merged(files: &[String; 2], merge: &str) -> Value {
    let options = ["standings", "--format", "json", "--merge", merge];
    let text = mancala(options).args(files).run().success().stdout;
    serde_json::from_str(&text).unwrap()
}

#[test]
fn matches_by_different_rules_are_an_error_without_merge() {
    let (_folder, files) = two_files(|record| {
        record["rules"]["name"] = json!("kalah");
        record["rules"]["opponent_store"] = json!("skip");
    });
    let outcome = mancala(["standings"]).args(&files).run();
    let [one, other] = &files;
    let words = format!(
        "the rules in {one} line 1 and {other} line 1 differ: name learneroo and kalah, \
         opponent_store sow and skip; "
    );
    let outcome = outcome.failure(1, &words);
    assert!(outcome.stderr.contains("--merge rules"), "{outcome:?}");
    mancala(["standings", "--merge", "terms,versions"]).args(&files).run().failure(1, &words);
    // Feedback has no --merge.
    let both = format!("{one}-and-other");
    for rules in ["--rules=learneroo", "--rules=kalah"] {
        let options = ["builtin:easy", "builtin:random", rules, "--record", &both];
        mancala(["match"]).args(options).run().success();
    }
    let feedback = mancala(["feedback", &both, "-o", &format!("{one}-feedback")]).run();
    let words = "and 1 more; feedback is about one tournament: give a file with one";
    assert!(!feedback.stderr.contains("--merge"), "{feedback:?}");
    feedback.failure(1, words);
    let season = ["standings", "--by-file", "--merge", "rules", &both, one];
    let words = format!("{both}: These are matches by different rules, added up by --merge");
    mancala(season).run().success().says(&words);
    let season = mancala(season).arg("--format=json").run().success().json();
    let differing: Vec<&Value> =
        season["files"].as_array().unwrap().iter().map(|file| &file["merged"]).collect();
    assert_eq!(differing, [&json!(["rules"]), &json!([])]);
    assert_eq!(merged(&files, "rules")["merged"], json!(["rules"]));
    assert_eq!(merged(&files, "versions,rules")["merged"], json!(["rules"]));
    let outcome = mancala(["standings", "--merge", "rules"]).args(&files).run().success();
    let outcome =
        outcome.says("matches by different rules, added up by --merge: name learneroo and kalah");
    assert!(!outcome.stdout.contains("others differ"), "{outcome:?}");
    let third = format!("{one}-third");
    let options = ["builtin:easy", "builtin:random", "--rules=cs221", "--record", &third];
    mancala(["match"]).args(options).run().success();
    let all = mancala(["standings", "--merge", "rules", &third]).args(&files).run().success();
    assert!(all.stdout.replace('\n', " ").contains(", and others differ from both."), "{all:?}");
    mancala(["standings", "--merge", "luck"])
        .args(&files)
        .run()
        .failure(2, "expected rules, terms or versions");
}

#[test]
fn matches_on_different_terms_are_an_error_without_merge() {
    for (field, value, words) in [
        ("move_time_ms", json!(2000), "move_time_ms 1000 and 2000"),
        ("game_time_ms", json!(9000), "game_time_ms none and 9000"),
        ("start_time_ms", json!(5000), "start_time_ms 10000 and 5000"),
        ("margin_ms", json!(5), "margin_ms 50 and 5"),
        ("max_moves", json!(7), "max_moves 1000 and 7"),
        ("fault_policy", json!("substitute"), "fault_policy none and substitute"),
        ("max_faults", json!(3), "max_faults none and 3"),
        ("adjudicate", json!("lead"), "adjudicate none and lead"),
    ] {
        let (_folder, files) = two_files(|record| record["limits"][field] = value.clone());
        let [one, other] = &files;
        let words = format!("the terms in {one} line 1 and {other} line 1 differ: {words}; ");
        mancala(["standings"]).args(&files).run().failure(1, &words);
        // The other way round.
        mancala(["standings", other, one]).run().failure(1, "--merge terms");
        assert_eq!(merged(&files, "terms")["merged"], json!(["terms"]));
    }
    // All else that bots are held to is a remark.
    for (field, value, words) in [
        ("ponder", json!("freeze"), "ponder allow and freeze"),
        ("sandbox", json!({}), "sandbox"),
        ("resources", json!({ "memory_bytes": 1 << 20 }), "resources.memory_bytes"),
        ("wrap", json!(["nice"]), "wrap"),
    ] {
        let (_folder, files) = two_files(|record| record["limits"][field] = value.clone());
        let outcome = mancala(["standings"]).args(&files).run().success();
        outcome.says(&format!("Bots were held to different limits: {words}"));
        assert_eq!(merged(&files, "terms")["merged"], json!([]));
    }
}

#[test]
fn different_programs_with_one_name_are_an_error_without_merge() {
    let (_folder, files) = two_files(|record| {
        record["bots"][0]["command"] = json!(["./b in", "--depth", "4"]);
        record["bots"][1]["command"] = json!(["./a"]);
    });
    let [one, other] = &files;
    let words = format!(
        "the programs of bot \"a\" in {one} line 1 and {other} line 1 differ: `x` and `'./b in' \
         --depth 4`; "
    );
    mancala(["standings"]).args(&files).run().failure(1, &words);
    let found = merged(&files, "versions");
    assert_eq!(found["merged"], json!(["versions"]));
    assert_eq!(of(&found, ["a", "b"], "matches"), json!([2, 2]));
    let outcome = mancala(["standings", "--merge", "versions"]).args(&files).run().success();
    outcome.says("Different programs have one name").says("a is `x` and `'./b in' --depth 4`");
}

#[test]
fn versions_under_one_name_are_an_error_without_merge() {
    let (_folder, files) = two_files(|record| record["bots"][1]["command"] = json!(["y"]));
    let with_versions = |of_other: &str| {
        for (file, version) in files.iter().zip(["00000000000000a1", of_other]) {
            let text = std::fs::read_to_string(file).unwrap();
            let mut record: Value = serde_json::from_str(&text).unwrap();
            record["bots"][0]["version"] = json!(version);
            record["bots"][1]["version"] = json!("00000000000000b1");
            std::fs::write(file, format!("{record}\n")).unwrap();
        }
    };
    with_versions("00000000000000a2");
    let [one, other] = &files;
    let words = format!(
        "the programs of bot \"a\" in {one} line 1 and {other} line 1 differ: version \
         00000000000000a1 (`x`) and version 00000000000000a2 (`x`); "
    );
    let refused = mancala(["standings"]).args(&files).run().failure(1, &words);
    assert!(refused.stderr.contains("--merge versions"), "{refused:?}");
    mancala(["standings", "--merge", "rules,terms"]).args(&files).run().failure(1, &words);
    // Added up: a has won one of the matches and lost the other.
    let found = merged(&files, "versions");
    assert_eq!(found["merged"], json!(["versions"]));
    assert_eq!(of(&found, ["a", "b"], "matches"), json!([2, 2]));
    assert_eq!(of(&found, ["a", "b"], "points"), json!([1.0, 1.0]));
    assert_eq!(of(&found, ["a", "b"], "seeds_for"), json!([68, 76]));
    let outcome = mancala(["standings", "--merge", "versions"]).args(&files).run().success();
    outcome
        .says("Different programs have one name, added up by --merge")
        .says("a is version 00000000000000a1 (`x`) and version 00000000000000a2 (`x`)");
    // The table names those of a bot that has more than one, in whatever order files come.
    let both = json!(["00000000000000a1", "00000000000000a2"]);
    let turned = [other.clone(), one.clone()];
    for files in [&files, &turned] {
        let versions = of(&merged(files, "versions"), ["a", "b"], "versions");
        assert_eq!(versions, json!([both, ["00000000000000b1"]]));
        let run = |format| mancala(["standings", "--merge=versions", format]).args(files).run();
        let table = run("--format=table").success().says("│ versions ");
        assert_eq!(table.stdout.matches("00000000, 00000000").count(), 1, "{table:?}");
        let csv = run("--format=csv").success().stdout;
        assert!(csv.contains(",00000000000000a1 00000000000000a2\n"), "{csv}");
    }
    // Where versions are known, they alone decide: b has another command, and is the same.
    with_versions("00000000000000a1");
    let table = mancala(["standings"]).args(&files).run().success();
    assert!(!table.stdout.contains("versions"), "{table:?}");
    assert_eq!(merged(&files, "versions")["merged"], json!([]));
}

#[test]
fn the_seed_of_a_built_in_bot_makes_no_other_program_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let file = path(folder.path().join("matches.jsonl"));
    for seed in [1, 2] {
        let bots = [format!("builtin:random --seed {seed}"), "builtin:easy".to_owned()];
        mancala(["match", "--record", &file]).args(bots).run().success();
    }
    assert_eq!(of_file(&file)["matches"], 2);
    mancala(["match", "--record", &file, "random=builtin:average", "builtin:easy"]).run().success();
    mancala(["standings", &file]).run().failure(1, "`builtin:random` and `builtin:average`");
}

fn of_file(file: &str) -> Value {
    let text = mancala(["standings", "--format", "json", file]).run().success().stdout;
    serde_json::from_str(&text).unwrap()
}

#[test]
fn rules_of_tournaments_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let files = ["learneroo", "kalah"].map(|rules| {
        let file = path(folder.path().join(rules));
        let bots = ["builtin:random --seed 1", "builtin:easy --seed 1"];
        let options = ["--rules", rules, "--record", &file];
        mancala(["tournament", "--jobs=1", "--oversubscribe", "--quiet"])
            .args(bots)
            .args(options)
            .run()
            .success();
        file
    });
    mancala(["standings"]).args(&files).run().failure(1, "differ: name learneroo and kalah");
    for file in &files {
        assert_eq!(of_file(file)["merged"], json!([]));
    }
    // A header alone is no match.
    let empty = path(folder.path().join("empty"));
    std::fs::write(&empty, header(&["a", "b"], 2, [1, 1])).unwrap();
    mancala(["standings", &empty, &files[0]]).run().success();
}

/// A file of a tournament of a, b and c, in which a has this version, with these matches and notes.
fn week(id: &str, version: &str, matches: &[Played], notes: &str) -> String {
    let versions = json!({"a": version, "b": "00000000000000b1", "c": "00000000000000c1"});
    let mut first: Value = serde_json::from_str(&header(&ABC, 1, [1, 1])).unwrap();
    first["versions"] = versions.clone();
    let with_versions = |played: &Played| {
        played.clone().with(|record| {
            for bot in record["bots"].as_array_mut().unwrap() {
                bot["version"] = versions[bot["name"].as_str().unwrap()].clone();
            }
        })
    };
    let matches: Vec<Played> = matches.iter().map(with_versions).collect();
    format!("{first}\n{}{notes}", lines(&matches)).replace(ID, id)
}

#[test]
fn a_version_that_was_disqualified_is_another_program_than_the_one_that_plays() {
    let folder = tempfile::tempdir().unwrap();
    let standings = |files: &[&str], options: &[&str]| {
        mancala(["standings"]).args(files).args(options).in_folder(folder.path()).run()
    };
    let put = |name: &str, text: &str| {
        std::fs::write(folder.path().join(name), planned(text)).unwrap();
    };
    let played = |number, bots| Played::new(number, bots, [[20, 16], [19, 17]]);
    let all = [played(1, ["b", "c"]), played(2, ["c", "a"]), played(3, ["a", "b"])];
    let out = note("disqualified", None, Some("a"), "it does not build");
    let with_version = out.replace("\"detail\"", "\"version\":\"00000000000000a1\",\"detail\"");
    let [first, second] = ["00000000000000a1", "00000000000000a2"];
    // The note has the version, or only the header.
    for out in [&out, &with_version] {
        put("w1.jsonl", &week(ID, first, &all[..1], out));
        // The plan is the same, or another one, or it went on since.
        let other = "00000000000000bb";
        let next = week("00000000000000dd", second, &[], "");
        let next = next.replacen('{', &format!("{{\"continues\":\"{other}\","), 1);
        for text in [
            week(ID, second, &all, ""),
            week(other, second, &all, ""),
            week(other, second, &all, &next),
        ] {
            put("w2.jsonl", &text);
            let words = "the programs of bot \"a\" in w1.jsonl line 3 and w2.jsonl line 3 differ: \
                         version 00000000000000a1 (`x`) and version 00000000000000a2 (`x`); ";
            let refused = standings(&["w1.jsonl", "w2.jsonl"], &[]).failure(1, words);
            assert!(refused.stderr.contains("--merge versions"), "{refused:?}");
            let turned = "in w2.jsonl line 3 and w1.jsonl line 3 differ: ";
            standings(&["w2.jsonl", "w1.jsonl"], &[]).failure(1, turned);
            let merged = standings(&["w1.jsonl", "w2.jsonl"], &["--merge=versions"]).success();
            merged
                .says("a is version 00000000000000a1")
                .says(
                    "Disqualified in one of its versions, so that the matches of all of them count \
                     for nobody: a.",
                )
                .says("it does not build");
            // Each file has a table of its own.
            standings(&["w1.jsonl", "w2.jsonl"], &["--by-file"]).success().says("out │");
        }
        // Nothing of a is added up where it did not play, and the same version stays out.
        put("w2.jsonl", &week(ID, second, &all[..1], ""));
        standings(&["w1.jsonl", "w2.jsonl"], &[]).success();
        put("w2.jsonl", &week(ID, first, &all, ""));
        let words = "1 match, 2 rounds; 2 others are of disqualified bots; 2 different games.";
        let table = standings(&["w1.jsonl", "w2.jsonl"], &[]).success().says(words);
        assert!(!table.stdout.contains("versions"), "{table:?}");
    }
    // In one file the update tells which version it is about.
    let next = week("00000000000000dd", second, &[], "");
    let next = next.replacen('{', &format!("{{\"continues\":\"{ID}\","), 1);
    let text = week(ID, first, &all[..1], &with_version) + &next;
    let later = week("00000000000000dd", second, &all[1..], "");
    put("w1.jsonl", &(text + later.split_once('\n').unwrap().1));
    standings(&["w1.jsonl"], &[]).success().says("3 matches, 6 rounds");
}

#[test]
fn a_clash_of_programs_names_lines_of_matches_that_count() {
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    let played = |number, bots| Played::new(number, bots, [[20, 16], [19, 17]]);
    let all = [played(1, ["b", "c"]), played(2, ["c", "a"]), played(3, ["a", "b"])];
    let [first, second] = ["00000000000000a1", "00000000000000a2"];
    // The matches of the first version of a count no more in a file that went on with the second.
    let next = week("00000000000000dd", second, &all[1..], "");
    let next = next.replacen('{', &format!("{{\"continues\":\"{ID}\","), 1);
    put("autumn.jsonl", &planned(&(week(ID, first, &all, "") + &next)));
    put("other.jsonl", &planned(&week("00000000000000bb", first, &all, "")));
    for (files, lines) in [
        (["autumn.jsonl", "other.jsonl"], "in autumn.jsonl line 6 and other.jsonl line 3 differ: "),
        (["other.jsonl", "autumn.jsonl"], "in other.jsonl line 3 and autumn.jsonl line 6 differ: "),
    ] {
        let words = format!("the programs of bot \"a\" {lines}");
        mancala(["standings"]).args(files).in_folder(folder.path()).run().failure(1, &words);
    }
}
