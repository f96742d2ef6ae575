//! `--assets`: which files there are, what is in them, and what is never overwritten.

use std::collections::BTreeMap;
use std::fs;

use super::contest::contest_page;
use super::page::{cells, matches_of, report};
use crate::program::mancala;
use crate::test_folder::TestFolder;

const LIST: &str = "mancala-assets.txt";

/// The rows of a file, by the names of its columns.
fn rows(folder: &TestFolder, file: &str) -> Vec<BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_path(folder.file(&format!("figures/{file}"))).unwrap();
    let heads = reader.headers().unwrap().clone();
    let of = |row: csv::StringRecord| {
        heads.iter().map(str::to_owned).zip(row.iter().map(str::to_owned)).collect()
    };
    reader.records().map(|row| of(row.unwrap())).collect()
}

fn files(folder: &TestFolder) -> Vec<String> {
    let all = fs::read_dir(folder.file("figures")).unwrap().flatten();
    let mut all: Vec<String> = all.map(|file| file.file_name().into_string().unwrap()).collect();
    all.sort();
    all
}

/// A page without the numbers that matches have in their tournament, which the tables have no column
/// for.
fn without_numbers(page: &str) -> String {
    let mut parts = page.split(" (number ");
    let first = parts.next().unwrap_or_default().to_owned();
    let behind = |part: &str| part.split_once(" of its tournament)").expect("it ends").1.to_owned();
    parts.map(behind).fold(first, |whole, part| whole + &part)
}

#[test]
fn each_plot_and_each_table_of_the_page_is_there() {
    let folder = TestFolder::new();
    contest_page(&folder);
    report(&folder, "c.jsonl -q --assets figures").success();
    let all = [
        "crosstable.csv",
        "faults.csv",
        "first-mover.csv",
        "games.csv",
        "given-away.csv",
        "given-away.svg",
        "mancala-assets.txt",
        "margins.csv",
        "margins.svg",
        "ranking.csv",
        "ratings.svg",
        "times.csv",
        "times.svg",
        "worst-moves.csv",
    ];
    assert_eq!(files(&folder), all);
    // The values of the page.
    let page = without_numbers(&folder.read("c.html"));
    let shown = |text: &str| text.replace('<', "&lt;").replace('>', "&gt;");
    let names: Vec<String> =
        rows(&folder, "ranking.csv").into_iter().map(|row| row["name"].clone()).collect();
    assert_eq!(names.len(), 7);
    let (times, crosstable, worst, faults) = (
        rows(&folder, "times.csv"),
        rows(&folder, "crosstable.csv"),
        rows(&folder, "worst-moves.csv"),
        rows(&folder, "faults.csv"),
    );
    let mut kinds = 0;
    for name in &names {
        let of = |rows: &[BTreeMap<String, String>], columns: &[&str]| -> Vec<Vec<String>> {
            let own = rows.iter().filter(|row| row["name"] == *name);
            own.map(|row| columns.iter().map(|column| shown(&row[*column])).collect()).collect()
        };
        let caption = format!("Times of {}", shown(name));
        let columns = ["answers_of", "answers", "median_ms", "p95_ms", "longest_ms", "near_misses"];
        let table = if page.contains(&caption) { cells(&page, &caption) } else { Vec::new() };
        let table: Vec<Vec<String>> =
            table.iter().map(|row| [&row[..5], &row[6..]].concat()).collect();
        assert_eq!(of(&times, &columns), table);
        let columns = ["opponent", "won", "drawn", "lost", "seeds_for", "seeds_against"];
        let results = of(&crosstable, &columns);
        let movers = ["first", "second"].map(|mover| {
            let columns = ["won", "drawn", "lost"].map(|result| format!("{result}_moving_{mover}"));
            of(&crosstable, &columns.each_ref().map(String::as_str))
        });
        let expected = cells(&page, &format!("Results of {}", shown(name)));
        assert_eq!(results.len(), expected.len());
        for (place, (row, expected)) in results.iter().zip(expected).enumerate() {
            let mut found = row[..4].to_vec();
            found.push(row[4..].join(":"));
            found.extend(movers.each_ref().map(|rows| rows[place].join("\u{2013}")));
            assert_eq!(found, expected[..7]);
        }
        let caption = format!("The moves of {}", shown(name));
        let table = if page.contains(&caption) { cells(&page, &caption) } else { Vec::new() };
        let own =
            of(&worst, &["match", "round", "move", "opponent", "house", "given_away", "value"]);
        assert_eq!(own.len(), table.len());
        for (row, expected) in own.iter().zip(table) {
            let place = format!("match {}, round {}, move {}", row[0], row[1], row[2]);
            assert_eq!([&[place], &row[3..]].concat(), expected);
        }
        let heading = format!("<h3>{}</h3>", shown(name));
        let part = page.split(&heading);
        let part = part.last().unwrap().split("</article>").next().unwrap();
        let columns = ["kind", "times", "match", "round", "move", "limit_ms", "start_ms"];
        for row in of(&faults, &columns) {
            let kind = row[0].replace('_', " ");
            assert!(part.contains(&format!("<h4>{kind}, {} time", row[1])), "{row:?}");
            let place = format!("match {}, round {}, move {}", row[2], row[3], row[4]);
            assert!(part.contains(&place), "{row:?}");
            let start = &row[6];
            let start =
                if start.is_empty() { String::new() } else { format!(" + {start} ms to start") };
            let limit = format!("<dd>{} ms{start}, margin ", row[5]);
            assert!(row[5].is_empty() || part.contains(&limit), "{limit}");
            kinds += 1;
        }
    }
    assert_eq!((kinds, faults.len()), (page.matches("<h4>").count(), kinds));
    assert!(kinds > 3);

    // What is not known the next time is gone, and what is not the program's stays.
    fs::write(folder.file("figures/notes.txt"), "mine").unwrap();
    fs::write(folder.file("p.jsonl"), matches_of(&["a", "b"], &|_, _, _| [20, 16])).unwrap();
    report(&folder, "p.jsonl -q --assets figures").success();
    let mut left: Vec<&str> = all.into_iter().filter(|it| !it.contains("given-")).collect();
    left.retain(|it| *it != "worst-moves.csv");
    left.push("notes.txt");
    left.sort_unstable();
    assert_eq!(files(&folder), left);
    assert_eq!(rows(&folder, "ranking.csv").len(), 2);
}

/// The page says what it leaves out; who reads only the table is told, too.
#[test]
fn what_is_missing_in_the_table_of_games_is_told() {
    let folder = TestFolder::new();
    fs::write(folder.file("p.jsonl"), matches_of(&["a", "b", "c"], &|_, _, _| [20, 16])).unwrap();
    for (games, kept) in [("1", 1), ("none", 0), ("all", 24), ("24", 24)] {
        let outcome = report(&folder, &format!("p.jsonl -q --games {games} --assets figures"));
        let missing = format!(
            "mancala: warning: games.csv has {kept} of 24 matches; --games all writes all\n"
        );
        assert_eq!(outcome.code, Some(0));
        assert_eq!(outcome.stderr, if kept < 24 { &*missing } else { "" }, "{games}");
        // The matches have one round.
        assert_eq!(rows(&folder, "games.csv").len(), kept);
    }
}

#[test]
fn files_of_somebody_else_are_never_overwritten() {
    let folder = TestFolder::new();
    fs::write(folder.file("p.jsonl"), matches_of(&["a", "b"], &|_, _, _| [20, 16])).unwrap();
    report(&folder, "p.jsonl -q").success();
    let older = folder.read("p.html");
    let refused = |assets: &str, code: i32, why: &str| {
        let run = mancala(["report", "p.jsonl", "-q", "--games=none", "--assets", assets]);
        let outcome = run.in_folder(folder.path()).run().failure(code, "");
        assert_eq!(outcome.stderr, format!("mancala: cannot write into {assets}: {why}\n"));
        assert_eq!(folder.read("p.html"), older);
    };
    let only = "is there, and only files of an earlier --assets are overwritten; give --assets \
                another folder";
    for (name, text) in
        [("worst-moves.csv", "my own\n"), ("ratings.svg", "<svg>"), (LIST, "milk\nranking.csv\n")]
    {
        fs::create_dir_all(folder.file("figures")).unwrap();
        fs::write(folder.file(&format!("figures/{name}")), text).unwrap();
        refused("figures", 2, &format!("{name} {only}"));
        assert_eq!(folder.read(&format!("figures/{name}")), text);
        assert_eq!(files(&folder), [name]);
        fs::remove_dir_all(folder.file("figures")).unwrap();
    }
    // Nor is what is not on the list of the program's own files.
    let list = "Files of mancala report --assets:\nranking.csv\n";
    fs::create_dir_all(folder.file("figures")).unwrap();
    for (name, text) in [(LIST, list), ("ranking.csv", "old"), ("times.csv", "my own\n")] {
        fs::write(folder.file(&format!("figures/{name}")), text).unwrap();
    }
    refused("figures", 2, &format!("times.csv {only}"));
    assert_eq!(folder.read("figures/times.csv"), "my own\n");
    assert_eq!(folder.read("figures/ranking.csv"), "old");
    refused("p.jsonl", 2, "it is not a folder; give --assets a folder");
    let words = "; give --assets a folder you may write to";
    refused("p.jsonl/x", 1, &format!("Not a directory (os error 20){words}"));
    refused("/proc/x", 1, &format!("No such file or directory (os error 2){words}"));
    std::os::unix::fs::symlink("nowhere", folder.file("link")).unwrap();
    refused("link", 2, "it is a link that leads nowhere; give --assets a folder");
    // Nothing is made for files that cannot be read.
    let unread = report(&folder, "missing.jsonl --assets new");
    unread.failure(1, "cannot read missing.jsonl");
    assert!(fs::metadata(folder.file("new")).is_err());
}
