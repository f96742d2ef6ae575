//! Several tables side by side: `--by-file` over the weeks of a season, `--trend` over the updates
//! of a file.

use serde_json::{Value, json};

use super::files::{ID, Played, header, header_with, lines, note};
use super::planned::planned;
use super::{ABC, of, run, three, update, whole};
use crate::program::{Outcome, mancala, path};
use crate::terminal::Terminal;

/// The folder of a season of these files, and their names.
fn season(files: &[(&str, String)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        std::fs::write(folder.path().join(name), planned(text)).unwrap();
    }
    folder
}

/// Week 2: b has a new version, c is gone, d is new and is disqualified.
fn second_week() -> String {
    let changed = |record: &mut Value| record["bots"][1]["command"] = json!(["new"]);
    let matches = [
        Played::new(1, ["a", "b"], [[10, 26], [10, 26]]).with(changed),
        Played::new(2, ["d", "b"], [[0, 36], [0, 36]]).fault(0, 0, "timeout").with(changed),
        Played::new(3, ["a", "b"], [[18, 18], [18, 18]]).with(changed),
    ];
    let text = header_with(&["a", "b", "d"], 2, [1, 1], &json!({"name": "week 2"}));
    let text = text + &lines(&matches) + &note("disqualified", None, Some("d"), "=1 fault");
    text.replace(ID, "00000000000000bb")
}

#[test]
fn a_season_says_what_ranks_instead_of_points() {
    let folder = season(&[("week1.jsonl", whole(&three())), ("week2.jsonl", second_week())]);
    let shown = by_file(&folder, &["--rank-by=seeds"]).success();
    shown.says("with the rank by seeds won less seeds lost in brackets:").says("3.5 (1)");
}

/// b plays both others, so it has twice as many matches. It draws one, and loses all else.
fn gauntlet() -> String {
    let lost = [[10, 26], [10, 26]];
    let matches = [
        Played::new(1, ["b", "a"], lost),
        Played::new(2, ["b", "c"], lost),
        Played::new(3, ["a", "b"], [[18, 18], [18, 18]]),
        Played::new(4, ["b", "c"], lost),
    ];
    let plan = json!({"format": "gauntlet", "gauntlet": 1});
    let text = header_with(&["b", "a", "c"], 2, [1, 1], &plan) + &lines(&matches);
    text.replace(ID, "00000000000000bb")
}

#[test]
fn where_shares_rank_a_season_shows_them() {
    let folder = season(&[("week1.jsonl", whole(&three())), ("week2.jsonl", gauntlet())]);
    by_file(&folder, &[])
        .success()
        .says("Points and their share from file to file, with the rank in brackets:")
        .says("│ c   │ 1.5 (2) │  2, 100.0 % (1) │")
        .says("│ a   │ 3.5 (1) │ 1.5, 75.0 % (2) │")
        .says("│ b   │   1 (3) │ 0.5, 12.5 % (3) │")
        .says(
            "Where bots of a file played different numbers of matches, points rank by their share.",
        );
    let by_seeds = by_file(&folder, &["--rank-by=seeds"]).success();
    assert!(!by_seeds.stdout.contains("rank by their share"), "{by_seeds:#?}");
}

#[test]
fn where_shares_rank_the_feedback_shows_them() {
    let folder = tempfile::tempdir().unwrap();
    let bots = ["b=builtin:random --seed 1", "a=builtin:easy --seed 2", "c=builtin:easy --seed 3"];
    let options = [
        "tournament",
        "-q",
        "--oversubscribe",
        "--gauntlet=1",
        "--record=t.jsonl",
        "--feedback=out",
    ];
    mancala(options).args(bots).in_folder(folder.path()).run().success();
    let text = |file: &str| std::fs::read_to_string(folder.path().join("out").join(file)).unwrap();
    let (index, markdown) = (text("index.csv"), text("index.md"));
    let mut reader = csv::Reader::from_reader(index.as_bytes());
    assert_eq!(reader.headers().unwrap().iter().next_back(), Some("share"));
    for row in reader.records().map(Result::unwrap) {
        let matches = if &row[1] == "b" { 2 } else { 1 };
        let expected = row[2].parse::<f64>().unwrap() / f64::from(matches);
        assert_eq!(row[7], format!("{expected:.4}"), "{index}");
        let share = format!("{:.1} %", 100.0 * expected);
        assert!(markdown.contains(&format!(" {share} |")), "{markdown}");
        let page = text(&format!("{}/feedback.md", &row[0]));
        assert!(page.contains(&format!(" ({share}) from {matches} match")), "{page}");
    }
}

#[test]
fn what_ranks_is_told_alike_wherever_it_may_be_chosen() {
    let told = |command: &str| {
        let help = mancala([command, "--help"]).run().success().stdout;
        let words = help.split_once("--rank-by").unwrap().1.split_once("[default").unwrap().0;
        words.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let of_standings = told("standings");
    assert!(of_standings.contains("their share"), "{of_standings}");
    for command in ["tournament", "feedback", "report"] {
        assert_eq!(told(command), of_standings, "{command}");
    }
}

fn by_file(folder: &tempfile::TempDir, arguments: &[&str]) -> Outcome {
    let files = ["week1.jsonl", "week2.jsonl"];
    mancala(["standings", "--by-file"]).args(files).args(arguments).in_folder(folder.path()).run()
}

#[test]
fn a_season_shows_each_bot_from_file_to_file() {
    let folder = season(&[("week1.jsonl", whole(&three())), ("week2.jsonl", second_week())]);
    // Added up, the two versions of b are an error.
    let together = mancala(["standings", "week1.jsonl", "week2.jsonl"]).in_folder(folder.path());
    together.run().failure(1, "the programs of bot \"b\"");

    let expected = "\
Points from file to file, with the rank in brackets:

┌─────┬─────────┬─────────┐
│ bot │ week1   │ week2   │
├─────┼─────────┼─────────┤
│ b   │   1 (3) │ 1.5 (1) │
│ a   │ 3.5 (1) │ 0.5 (2) │
│ d   │       – │     out │
│ c   │ 1.5 (2) │       – │
└─────┴─────────┴─────────┘

out: disqualified in that file.
week1.jsonl: 6 matches, 12 rounds; 12 different games.
week2.jsonl: 2 matches, 4 rounds; 4 others are of disqualified bots; 4 different games.
";
    assert_eq!(by_file(&folder, &[]).success().stdout, expected);
    by_file(&folder, &["--format=markdown"]).success().says("| c   | 1.5 (2) |       – |");

    let found = by_file(&folder, &["--format=json"]).success().json();
    assert_eq!(found["format"], "mancala-season/1");
    let whole = |file: &str| {
        let run = mancala(["standings", "--format=json", file]).in_folder(folder.path()).run();
        run.success().json()
    };
    let files = found["files"].as_array().unwrap();
    assert_eq!(files.len(), 2);
    for (file, name) in files.iter().zip(["week1.jsonl", "week2.jsonl"]) {
        let alone = whole(name);
        assert_eq!(file["file"], name);
        for field in ["tournaments", "matches"] {
            assert_eq!(file[field], alone[field], "{name}: {field}");
        }
        let rows = file["rows"].as_array().unwrap();
        assert_eq!(rows.len(), alone["rows"].as_array().unwrap().len());
        for (row, of_all) in rows.iter().zip(alone["rows"].as_array().unwrap()) {
            let faults = of_all["faults"].as_object().unwrap().values();
            let faults: u64 = faults.map(|faults| faults.as_u64().unwrap()).sum();
            for (field, value) in row.as_object().unwrap() {
                let expected =
                    if field == "faults" { json!(faults) } else { of_all[field].clone() };
                assert_eq!(*value, expected, "{name}: {field}");
            }
        }
    }

    let columns = ["--format=csv", "--columns", "name,points,rank,disqualified"];
    let expected = "file,name,points,rank,disqualified\n\
        week1.jsonl,a,3.5,1,\nweek1.jsonl,c,1.5,2,\nweek1.jsonl,b,1,3,\n\
        week2.jsonl,b,1.5,1,\nweek2.jsonl,a,0.5,2,\nweek2.jsonl,d,0,,'=1 fault\n";
    assert_eq!(by_file(&folder, &columns).success().stdout, expected);
    let all = by_file(&folder, &["--format=csv"]).success().stdout;
    let mut reader = csv::Reader::from_reader(all.as_bytes());
    assert_eq!(reader.headers().unwrap().len(), 36);
    assert_eq!(reader.records().count(), 6);
}

#[test]
fn files_of_a_season_are_read_one_by_one() {
    let name = Played::new(1, ["a\u{1b}[31m|b", "b"], [[20, 16], [19, 17]]);
    let hostile = lines(&[name]);
    let folder = season(&[("week1.jsonl", whole(&three())), ("week2.jsonl", hostile)]);
    let outcome = by_file(&folder, &[]).success().plain();
    outcome.says("a\\u{1b}[31m|b").says("│ c ");
    by_file(&folder, &["--format=markdown"]).success().plain().says("\\|b");

    // A season of one week, and one week named twice.
    let one = |files: &[&str]| {
        let run = mancala(["standings", "--by-file"]).args(files).in_folder(folder.path());
        run.run().success().stdout
    };
    assert_eq!(one(&["week1.jsonl"]), one(&["week1.jsonl", "./week1.jsonl"]));
    run(&whole(&three()), "--by-file").success().says("│ bot │ -       │");

    std::fs::write(folder.path().join("week2.jsonl"), "").unwrap();
    by_file(&folder, &[]).failure(1, "there is no match in week2.jsonl");
    std::fs::write(folder.path().join("week2.jsonl"), "hello\n").unwrap();
    by_file(&folder, &[]).failure(1, "week2.jsonl: line 1: not a mancala-match/1 record");
    std::fs::remove_file(folder.path().join("week2.jsonl")).unwrap();
    by_file(&folder, &[]).failure(1, "week2.jsonl: No such file");
    std::fs::create_dir(folder.path().join("week2.jsonl")).unwrap();
    by_file(&folder, &[]).failure(1, "it is a folder");
    // Within a file nothing else is added up than without --by-file.
    std::fs::remove_dir(folder.path().join("week2.jsonl")).unwrap();
    let both = whole(&three()) + &second_week();
    std::fs::write(folder.path().join("week2.jsonl"), planned(&both)).unwrap();
    by_file(&folder, &[]).failure(1, "the programs of bot \"b\"");
    by_file(&folder, &["--merge=versions"]).success().says("(1)");
    by_file(&folder, &["--sprt", "elo0=0,elo1=5"]).failure(2, "cannot be used with");
    by_file(&folder, &["--trend"]).failure(2, "cannot be used with");
}

#[test]
fn the_trend_of_a_file_without_updates_has_one_entry() {
    // An extension of the same plan is no update.
    let played = three();
    let header = |count| header(&["c", "b", "a"], count, [1, 1]);
    let extended = header(1) + &lines(&played[..3]) + &header(2) + &lines(&played[3..]);
    let found = run(&extended, "--trend --format json").success().json();
    let trend = found["trend"].as_array().unwrap();
    assert_eq!(trend.len(), 1);
    assert_eq!(trend[0]["id"], ID);
    assert_eq!(trend[0]["matches"], 6);
    for (row, of_all) in
        trend[0]["rows"].as_array().unwrap().iter().zip(found["rows"].as_array().unwrap())
    {
        for field in ["rank", "name", "points", "rating", "rating_low", "rating_high"] {
            assert_eq!(row[field], of_all[field], "{field}");
        }
    }
    assert_eq!(run(&extended, "--format json").success().json()["trend"], Value::Null);
    let table = run(&extended, "--trend").success();
    table.says("Ratings before the first --update and after each:").says("│ bot │ at first ");
    let csv = run(&extended, "--trend --format csv").success().stdout;
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    let first = ["0", ID, "1", "a", "4", "3.5", "0"].map(str::to_owned);
    assert_eq!(rows[0].iter().take(7).collect::<Vec<_>>(), first);
    assert_eq!((rows.len(), rows[0].len(), &rows[0][10]), (3, 12, ""));
    let rating: f64 = rows[0][7].parse().unwrap();
    assert!((rating - found["rows"][0]["rating"].as_f64().unwrap()).abs() < 1e-3, "{csv}");
    run("", "--trend").failure(1, "there is no match in -");
    run(&extended, "--trend --format csv --columns name").failure(2, "cannot be used with");
    let folder = season(&[("a", extended.clone()), ("b", extended)]);
    let [a, b] = ["a", "b"].map(|name| path(folder.path().join(name)));
    mancala(["standings", "--trend", &a, &b]).run().failure(2, "--by-file compares files");
    let two = whole(&three()) + &second_week();
    run(&two, "--merge versions --trend").failure(1, "several tournaments in the file");
}

#[test]
fn the_help_names_each_column_of_times() {
    let help = mancala(["standings", "--help"]).run().success().stdout;
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    let columns = "(median, mean, 95th percentile, longest, longest of limit)";
    assert!(help.contains(columns), "{help}");
}

#[test]
fn times_are_those_of_matches_that_count() {
    let bots = |record: &mut Value, ms: f64| {
        for (bot, name) in ["a", "b", "c"].iter().enumerate() {
            for seat in [0, 1] {
                if record["bots"][seat]["name"] == *name {
                    record["bots"][seat]["version"] = json!(format!("{bot:016x}"));
                }
            }
        }
        record["rounds"][0]["moves"] =
            json!([{"bot": 0, "move": 1, "ms": ms}, {"bot": 1, "move": 1, "ms": ms + 1.0}]);
    };
    let played = |number, names, ms| {
        Played::new(number, names, [[20, 16], [19, 17]]).with(|record| bots(record, ms))
    };
    let old = [played(1, ["a", "b"], 1.0), played(2, ["a", "c"], 10.0), played(3, ["b", "c"], 3.0)];
    // b has a new version, which is slower.
    let new = played(1, ["a", "b"], 50.0).with(|record| {
        record["bots"][1]["version"] = json!("00000000000000b2");
    });
    let versions = |b: &str| {
        json!({"a": format!("{:016x}", 0), "b": b, "c": format!("{:016x}", 2)}).to_string()
    };
    let head = |b: &str, more: &str| {
        let fields = format!("\"versions\":{}{more}", versions(b));
        header(&ABC, 1, [1, 1]).replacen("{\"format", &format!("{{{fields},\"format"), 1)
    };
    let first = head("0000000000000001", "");
    let update = head("00000000000000b2", &format!(",\"continues\":\"{ID}\""));
    let text = first.clone() + &lines(&old) + &update + &lines(&[new]);
    let longest = |text: &str| {
        let found = run(text, "--times --format json").success().json();
        super::of(&found, ["a", "b", "c"], "longest_ms")
    };
    assert_eq!(longest(&(first + &lines(&old))), json!([10.0, 3.0, 11.0]));
    assert_eq!(longest(&text), json!([50.0, 51.0, 11.0]));
    run(&text, "--times").success().says(" not count: a bot in ");
    // As it was again.
    let back = text + &head("0000000000000001", &format!(",\"continues\":\"{ID}\""));
    assert_eq!(longest(&back), json!([10.0, 3.0, 11.0]));
}

#[test]
fn tables_without_the_anchor_have_no_ratings() {
    let folder = season(&[("week1.jsonl", whole(&three())), ("week2.jsonl", second_week())]);
    let ratings = |anchor: &str| {
        let found = by_file(&folder, &["--format=json", "--anchor", anchor]).success().json();
        let of_file = |file: &Value| {
            let rows = file["rows"].as_array().unwrap().iter();
            let rows = rows.map(|row| (row["name"].as_str().unwrap().to_owned(), &row["rating"]));
            rows.map(|(name, rating)| (name, rating.as_f64())).collect::<Vec<_>>()
        };
        found["files"].as_array().unwrap().iter().map(of_file).collect::<Vec<_>>()
    };
    let are_none = |file: &[(String, Option<f64>)]| file.iter().all(|(_, it)| it.is_none());
    let why = |file: &str, bot: &str| {
        format!("{file}: {bot} (--anchor) has no match that counts, so there are no ratings.")
    };
    // c is in the first file only.
    let found = ratings("c=100");
    assert!(found[0].contains(&("c".to_owned(), Some(100.0))) && are_none(&found[1]), "{found:?}");
    let table = by_file(&folder, &["--anchor=c=100"]).success().says(&why("week2.jsonl", "c"));
    assert!(!table.stdout.contains(&why("week1.jsonl", "c")), "{table:?}");
    let csv = ["--anchor=c=100", "--format=csv", "--columns=name,rating"];
    let csv = by_file(&folder, &csv).success().stdout;
    assert!(csv.contains("week1.jsonl,c,100") && csv.contains("week2.jsonl,a,\n"), "{csv}");
    // d is in the second one, and its matches do not count.
    let found = ratings("d=1");
    assert!(are_none(&found[0]) && are_none(&found[1]), "{found:?}");
    let table = by_file(&folder, &["--anchor=d=1"]).success();
    table.says(&why("week1.jsonl", "d")).says(&why("week2.jsonl", "d"));
    let all = ratings("a=5");
    assert!(all.iter().all(|file| file.contains(&("a".to_owned(), Some(5.0)))), "{all:?}");
    let unknown = by_file(&folder, &["--anchor=e=1"]).failure(2, "no bot is named \"e\"");
    assert!(unknown.stderr.contains("there are 4: "), "{unknown:?}");
}

/// A tournament of a, b and c that went on with hal in place of c.
fn with_hal() -> String {
    let next = "00000000000000bb";
    let matches = [
        Played::new(1, ["b", "hal"], [[10, 26], [10, 26]]),
        Played::new(2, ["hal", "a"], [[30, 6], [1, 35]]),
    ];
    let matches = lines(&matches).replace(ID, next);
    header(&ABC, 1, [1, 1])
        + &lines(&three()[..3])
        + &update(&["a", "b", "hal"], next, &json!({}))
        + &matches
}

#[test]
fn the_anchor_of_a_trend_is_a_bot_of_today() {
    let text = with_hal();
    let trend = |text: &str, anchor: &str| {
        let options = format!("--trend --format json --anchor {anchor}");
        let found = run(text, &options).success().json();
        (found["trend"].clone(), found)
    };
    let (found, all) = trend(&text, "hal=1000");
    assert_eq!(of(&found[0], ABC, "rating"), json!([null, null, null]));
    for field in ["rating", "rating_low", "rating_high"] {
        let bots = ["a", "b", "hal"];
        assert_eq!(of(&found[1], bots, field), of(&all, bots, field));
    }
    assert_eq!(of(&found[1], ["hal"], "rating"), json!([1000.0]));
    let why = "at first: hal (--anchor) has no match that counts, so there are no ratings.";
    let table = run(&text, "--trend --anchor hal=1000").success().says(why);
    table.says("│ b   │        – │");
    let csv = run(&text, "--trend --format csv --anchor hal=1000").success().stdout;
    let rows: Vec<&str> = csv.lines().filter(|row| row.starts_with("0,")).collect();
    assert!(rows.len() == 3 && rows.iter().all(|row| row.contains(",,,,")), "{csv}");
    // Who is there from the beginning holds both columns together.
    let (found, _) = trend(&text, "a=7");
    assert_eq!(
        [&found[0], &found[1]].map(|of_it| of(of_it, ["a"], "rating")),
        [json!([7.0]), json!([7.0])]
    );
    assert!(!run(&text, "--trend --anchor a=7").success().stdout.contains("--anchor"));
    // c is gone.
    for options in ["--trend --anchor c=1000", "--anchor c=1000", "--trend --anchor z=1000"] {
        let refused = run(&text, options).failure(2, "as --anchor says; there are 3: ");
        assert!(refused.stderr.contains("hal"), "{refused:?}");
    }
    // It is disqualified, so the mean of the table is 0, and the column has no ratings.
    let next = "00000000000000bb";
    let out = note("disqualified", None, Some("hal"), "too slow").replace(ID, next);
    let (found, all) = trend(&(text.clone() + &out), "hal=1000");
    let none = json!([null, null, null]);
    assert_eq!(of(&found[1], ["a", "b", "hal"], "rating"), none);
    assert_ne!(of(&all, ["a", "b", "hal"], "rating"), none);
    let why = "update 1: hal (--anchor) has no match that counts, so there are no ratings.";
    run(&(text + &out), "--trend --anchor hal=1000").success().says(why);
}

#[test]
fn a_disqualified_bot_is_out_in_a_trend() {
    let next = "00000000000000bb";
    let out = note("disqualified", None, Some("b"), "too slow");
    let text = with_hal() + &out.replace(ID, next);
    let table = run(&text, "--trend").success().says("out: disqualified then.");
    let row = table.stdout.lines().rfind(|line| line.starts_with("│ b ")).unwrap();
    assert!(row.ends_with("out │") && !row.contains('*'), "{row}");
    assert!(!run(&with_hal(), "--trend").success().stdout.contains("out:"));
}

#[test]
fn files_with_one_name_have_their_folders_above_their_columns() {
    let folder = tempfile::tempdir().unwrap();
    let weeks = [("week1", whole(&three())), ("week2", second_week())];
    let files = weeks.map(|(week, text)| {
        std::fs::create_dir(folder.path().join(week)).unwrap();
        let file = format!("{week}/autumn.jsonl");
        std::fs::write(folder.path().join(&file), planned(&text)).unwrap();
        file
    });
    let season = mancala(["standings", "--by-file"]).args(&files).in_folder(folder.path());
    season.run().success().says("│ bot │ week1/autumn │ week2/autumn │");
}

#[test]
fn of_hundreds_of_files_the_last_ones_have_room() {
    let folder = tempfile::tempdir().unwrap();
    let text = planned(&whole(&three()));
    let mut arguments = vec!["standings".to_owned(), "--by-file".to_owned()];
    for number in 100..400 {
        let file = folder.path().join(format!("w{number}.jsonl"));
        std::fs::write(&file, &text).unwrap();
        arguments.push(path(file));
    }
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let Some(terminal) = Terminal::start(&arguments, (80, 24)) else { return };
    let (code, table) = terminal.end();
    assert_eq!(code, Some(0), "{table}");
    let widest = table.lines().map(|line| line.trim_end().chars().count()).max();
    assert!(widest <= Some(80), "{widest:?}");
    assert!(table.contains("│ w399 ") && !table.contains(" w100 "), "{table}");
}
