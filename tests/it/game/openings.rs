//! `mancala openings`: suites as they are printed and read back.

use std::collections::HashSet;
use std::fs;

use crate::program::{mancala, path, repository};
use crate::terminal::Terminal;

fn lines(arguments: &[&str]) -> Vec<String> {
    // On a busy machine it says how far it is.
    let outcome = mancala(["openings", "--quiet"]).args(arguments).run().success();
    outcome.stdout.lines().map(str::to_owned).collect()
}

#[test]
fn fairkalah_is_the_published_list() {
    let published = fs::read_to_string(repository().join("tests/data/fairkalah.txt")).unwrap();
    let published: HashSet<&str> = published.lines().collect();
    let printed = lines(&["fairkalah", "--rules", "ece1021"]);
    assert_eq!(printed.len(), 254);
    assert_eq!(printed.iter().map(String::as_str).collect::<HashSet<_>>(), published);
    assert_ne!(printed, lines(&["fairkalah", "--rules", "ece1021", "--seed", "2"]));
}

#[test]
fn printed_openings_can_be_read_back() {
    let folder = tempfile::tempdir().unwrap();
    let file = path(folder.path().join("openings.txt"));
    let printed = lines(&["random:5", "--count", "50", "--seed", "3"]);
    assert_eq!(printed.iter().collect::<HashSet<_>>().len(), 50);
    fs::write(&file, format!("# fifty\n\n{}\n", printed.join("\n"))).unwrap();
    assert_eq!(lines(&[&format!("file:{file}")]), printed);
    assert_eq!(lines(&[&format!("file:{file}"), "--count=7"]), printed[..7]);
    assert_eq!(lines(&["random:5", "--count", "20", "--seed", "3"]), printed[..20]);
    assert_eq!(lines(&["standard", "--rules=cs221"]), ["5 5 5 5 5 5 0 5 5 5 5 5 5 0"]);
}

#[test]
fn fair_openings_are_draws_and_always_the_same() {
    let ten = lines(&["fair", "--count=10", "--seed=3"]);
    assert_eq!(ten.len(), 10);
    assert_eq!(ten.iter().collect::<HashSet<_>>().len(), 10);
    assert_eq!(lines(&["fair:4", "--count=4", "--seed=3", "--memory=16"]), ten[..4]);
    assert_ne!(lines(&["fair", "--count=10", "--seed=4"]), ten);
    for opening in &ten {
        let opening = format!("--opening={}", opening.replace(' ', ","));
        mancala(["solve", "--best", &opening]).run().success().says("a draw, 18-18");
    }
    // They begin matches as any others do.
    let folder = tempfile::tempdir().unwrap();
    let file = path(folder.path().join("fair.txt"));
    fs::write(&file, ten.join("\n")).unwrap();
    assert_eq!(lines(&[&format!("file:{file}")]), ten);
}

#[test]
fn fair_openings_have_the_requested_value_in_all_solvable_rules() {
    let rules: [&[&str]; 3] = [
        &["--rules=kalah", "--seeds=2"],
        &["--rules=mancala5000", "--seeds=2", "--direction=backward"],
        &["--rules=mancala5000", "--seeds=1", "--direction=either"],
    ];
    for rules in rules {
        for margin in [-4, 0, 2] {
            let value = format!("--value={margin}");
            let options = ["fair:3", "--count=2", &value];
            for opening in lines(&[&options, rules].concat()) {
                let cells: Vec<i64> =
                    opening.split(' ').map(|cell| cell.parse().unwrap()).collect();
                let opening = format!("--opening={}", opening.replace(' ', ","));
                let solve = mancala(["solve", "--best", "--format=json", &opening]).args(rules);
                let value = solve.run().success().json()["value"].as_i64().unwrap();
                assert_eq!(cells[6] - cells[13] + value, margin, "{opening} {rules:?}");
            }
        }
    }
}

#[test]
fn impossible_requests_for_fair_openings_are_refused() {
    for (arguments, words) in [
        (&["fair", "--value=1"][..], "it is even, from -36 to 36"),
        (&["fair", "--value=38"], "it is even, from -36 to 36"),
        (&["fair", "--value=x"], "from -240 to 240"),
        (&["fair:0"], "1 to 100 moves"),
        (&["fair:x"], "1 to 100 moves"),
        (&["random:4", "--value=2"], "--value is for fair openings"),
        (&["fair", "--direction=either", "--empty-capture=no"], "a position can repeat"),
        (&["fair", "--memory=0"], "must be from 1MiB to 1024GiB"),
        (&["random:4", "--memory=64MiB"], "--memory is for openings that are solved"),
        (&["random:4", "--seed=-1"], "expected a whole number from 0 to"),
    ] {
        mancala(["openings"]).args(arguments).run().failure(2, words);
    }
    let few = mancala(["openings", "fair:1", "--seeds=1", "--count=20"]).run().code(1);
    assert!(few.stderr.contains("of value 0 were found after 1 move, not 20"), "{few:?}");
    let found = few.stdout.lines().count();
    assert!(few.stderr.contains(&format!("only {found} openings")), "{few:?}");
    assert!(few.stderr.contains(&format!("ask for --count {found}, or")), "{few:?}");
    let none = ["openings", "fair:1", "--seeds=1", "--value=12"];
    mancala(none).run().failure(1, "no opening of value 12 was found after 1 move, not 20");
    // Whoever asks a tournament for them is told how.
    mancala(["tournament", "--openings=fair", "builtin:easy", "builtin:random"])
        .run()
        .failure(2, "mancala openings fair > FILE");
}

#[test]
fn a_terminal_shows_the_progress_of_fair_openings() {
    let arguments = ["openings", "fair", "--seeds=9", "--count=20"];
    let Some(mut terminal) = Terminal::start(&arguments, (40, 24)) else { return };
    terminal.wait_for("0 s: opening 1, 0 of 20 found");
    // The seconds go on without any news.
    terminal.wait_for("1 s: opening 1, 0 of 20 found");
    terminal.type_in("\x03");
    let (code, output) = terminal.end();
    assert_eq!(code, Some(130), "{output}");
    assert!(output.ends_with("mancala: interrupted\r\n"), "{output}");
    let arguments = ["openings", "fair", "--seeds=2", "--count=2"];
    let Some(mut terminal) = Terminal::start(&arguments, (80, 24)) else { return };
    terminal.wait_for(", 1 of 2 found");
    let (code, output) = terminal.end();
    assert_eq!(code, Some(0), "{output}");
    // Each on a line of its own, with nothing of the other left on it.
    for opening in lines(&arguments[1..]) {
        assert!(output.contains(&format!("\r\u{1b}[2K{opening}\r\n")), "{opening} {output:?}");
    }
}

#[test]
fn errors_in_suites_name_the_line() {
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &str, text: &[u8]| {
        let file = path(folder.path().join(name));
        fs::write(&file, text).unwrap();
        format!("file:{file}")
    };
    let line = "3 3 3 3 3 3 0 3 3 3 3 3 3 0";
    let cases = [
        (put("short", format!("{line}\n1 2 3\n").as_bytes()), 2, "short:2: an opening is 14"),
        (put("twice", format!("{line}\n\n{line}\n").as_bytes()), 2, "twice:3: the same opening"),
        (put("empty", b"# none\n"), 2, "there is no opening in it"),
        (put("bytes", b"\xff\xfe\n"), 2, "bytes:1: not UTF-8"),
        ("file:/no/such/file".to_owned(), 2, "No such file"),
        ("file:/dev/zero".to_owned(), 1, "more than 64MiB"),
        ("random".to_owned(), 2, "random:4"),
        ("random:0".to_owned(), 2, "1 to 100"),
        ("fairkalah".to_owned(), 2, "rules ece1021 only"),
        ("best".to_owned(), 2, "file:PATH; or fair"),
    ];
    for (suite, code, words) in cases {
        mancala(["openings", &suite]).run().failure(code, words);
    }
    mancala(["openings", "random:1", "--count=20"]).run().failure(2, "distinct openings, not 20");
    let few = mancala(["openings", "standard", "--count=2"]).run();
    let few = few.failure(2, ", or give a larger suite, such as random:4");
    assert!(!few.stderr.contains("--openings"), "{few:#?}");
    mancala(["openings", "standard", "--count=0"]).run().failure(2, "1 to 1000000");
}
