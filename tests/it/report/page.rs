//! What is in a page, and what is refused.

use std::fs;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::node;
use crate::program::{Outcome, mancala, repository};
use crate::requirements::are_there;
use crate::test_folder::TestFolder;

pub const EVIL: &str = "</script><img src=x onerror=alert(1)>";

/// Answers 9, which is not a house.
pub const NINE: &str =
    r#"sh -c 'while read line; do case $line in *type*turn\"*) echo 9; esac; done'"#;

/// A tournament of a sound bot, another one, and one with a hostile name that answers 9, in
/// `t.jsonl`.
pub fn tournament(folder: &TestFolder) {
    let quoted = |text: &str| format!("{text:?}");
    let bot = |name: &str, command: &str| {
        format!("{{ name = {}, command = {} }}", quoted(name), quoted(command))
    };
    let bots = [bot("easy", "builtin:easy"), bot("random", "builtin:random"), bot(EVIL, NINE)];
    let config = format!(
        "name = \"<b>autumn</b>\"\nopenings = \"random:4\"\ncount = 3\nbot = [{}]\n",
        bots.join(", ")
    );
    fs::write(folder.path().join("t.toml"), config).unwrap();
    let outcome = mancala(["tournament", "--config", "t.toml", "--record", "t.jsonl", "-q"])
        .arg("--oversubscribe")
        .in_folder(folder.path())
        .run();
    outcome.code(0);
}

pub fn report(folder: &TestFolder, arguments: &str) -> Outcome {
    mancala(["report"]).args(arguments.split_whitespace()).in_folder(folder.path()).run()
}

/// The JSON in a page.
pub fn data(page: &str) -> Value {
    let begin = "<script type=\"application/json\" id=\"data\">";
    let data = page.split(begin).nth(1).unwrap().split("</script>").next().unwrap();
    serde_json::from_str(data).unwrap()
}

/// The texts of the cells of a table with this caption, row by row.
pub fn cells(page: &str, caption: &str) -> Vec<Vec<String>> {
    let table = page.split("<table").find(|table| table.contains(&format!("<caption>{caption}")));
    let body = table.unwrap().split("<tbody>").nth(1).unwrap().split("</table>").next().unwrap();
    let text = |cell: &str| {
        let cell = cell.split_once('>').unwrap().1;
        let parts = cell.split('<').map(|part| part.rsplit('>').next().unwrap());
        parts.collect::<String>().trim().to_owned()
    };
    let rows = body.split("<tr").skip(1);
    rows.map(|row| {
        let marked = row.replace("<th", "<td");
        marked.split("<td").skip(1).map(text).collect()
    })
    .collect()
}

#[test]
fn the_ranking_has_the_numbers_of_standings() {
    let folder = TestFolder::new();
    tournament(&folder);
    report(&folder, "t.jsonl -q").success();
    let page = folder.read("t.html");
    let standings = mancala(["standings", "t.jsonl", "--format", "json"]).in_folder(folder.path());
    let standings = standings.run().success().json();
    let rows = cells(&page, "Ranking");
    assert_eq!(rows.len(), 3);
    for (row, expected) in rows.iter().zip(standings["rows"].as_array().unwrap()) {
        let number = |key: &str| expected[key].to_string();
        let points = expected["points"].as_f64().unwrap().to_string();
        let seeds = format!("{}:{}", expected["seeds_for"], expected["seeds_against"]);
        let name = expected["name"].as_str().unwrap().replace('<', "&lt;").replace('>', "&gt;");
        let expected =
            [number("rank"), name, points, number("matches"), number("won"), number("drawn")];
        assert_eq!(row[..6], expected);
        assert_eq!(row[7], seeds);
    }
    // As the terminal prints it, remarks included.
    let table = mancala(["standings", "t.jsonl"]).in_folder(folder.path()).run().success().stdout;
    let lead = rows[0].iter().find(|cell| cell.contains('±')).unwrap();
    assert!(table.contains(lead.as_str()), "{lead}");
    assert!(page.contains("Ratings are Elo points with 95 % bounds"));
    assert_eq!(data(&page)["matches"].as_array().unwrap().len(), 9);
}

/// The results of each bot in the crosstable of a page, added up: won, drawn, lost, and the seeds of
/// both.
fn sums(page: &str) -> Vec<[u64; 5]> {
    let rows = cells(page, "Matches won, drawn and lost").into_iter();
    rows.map(|row| {
        let mut sums = [0; 5];
        for cell in row[1..].iter().filter(|cell| cell.contains(':')) {
            let numbers = cell.split(|c: char| !c.is_ascii_digit()).filter(|it| !it.is_empty());
            let numbers: Vec<u64> = numbers.map(|number| number.parse().unwrap()).collect();
            assert_eq!(numbers.len(), 5, "{cell}");
            sums.iter_mut().zip(numbers).for_each(|(sum, number)| *sum += number);
        }
        sums
    })
    .collect()
}

#[test]
fn the_ranking_and_the_sums_are_those_of_standings_with_the_same_options() {
    let folder = TestFolder::new();
    tournament(&folder);
    // The same bots on other terms, which are not added up unasked.
    for (first, second) in [("easy", "random"), ("random", "easy")] {
        let bots = [first, second].map(|name| format!("{name}=builtin:{name}"));
        mancala(["match", "--record", "other.jsonl", "-q", "--move-time", "3s"])
            .args(bots)
            .in_folder(folder.path())
            .run()
            .success();
    }
    report(&folder, "t.jsonl other.jsonl -q").failure(1, "--merge terms");
    for arguments in [
        "t.jsonl --rank-by points",
        "t.jsonl --rank-by seeds",
        "t.jsonl --rank-by rating",
        "t.jsonl --anchor easy=1500",
        "t.jsonl other.jsonl --merge terms,versions --rank-by seeds --anchor random=-20",
    ] {
        report(&folder, &format!("{arguments} -q")).success();
        let page = folder.read("t.html");
        let standings = |format: &str| {
            let run = mancala(["standings", "--format", format]);
            run.args(arguments.split_whitespace()).in_folder(folder.path()).run().success()
        };
        let expected = standings("json").json();
        let terminal = standings("table").stdout;
        let sums = sums(&page);
        let rows = cells(&page, "Ranking");
        let expected = expected["rows"].as_array().unwrap();
        assert_eq!((rows.len(), sums.len()), (expected.len(), expected.len()), "{arguments}");
        for ((row, sums), expected) in rows.iter().zip(&sums).zip(expected) {
            let name = expected["name"].as_str().unwrap();
            assert_eq!(row[1], name.replace('<', "&lt;").replace('>', "&gt;"), "{arguments}");
            let keys = ["won", "drawn", "lost", "seeds_for", "seeds_against"];
            assert_eq!(json!(sums), json!(keys.map(|key| expected[key].clone())), "{arguments}");
            // Each cell of the row stands in the terminal's line of the same bot.
            let line = terminal.lines().find(|line| line.contains(&format!(" {name} "))).unwrap();
            for cell in row.iter().filter(|cell| cell.bytes().any(|byte| byte.is_ascii_digit())) {
                assert!(cell == &row[1] || line.contains(cell.as_str()), "{cell:?} {line}");
            }
        }
    }
    report(&folder, "t.jsonl --anchor nobody=1").failure(2, "nobody");
}

#[test]
fn strangers_text_is_text_and_nothing_else_may_run() {
    let folder = TestFolder::new();
    tournament(&folder);
    report(&folder, "t.jsonl -q --assets figures").success();
    let page = folder.read("t.html");
    assert!(!page.contains("<img") && !page.contains("<b>") && !page.contains(EVIL));
    assert!(page.contains("&lt;/script&gt;&lt;img"));
    let elements = page.matches("<script").count();
    assert_eq!((elements, page.matches("</script>").count()), (2, 2));
    for word in ["http://", "https://", " onload=", " onclick=", " style=", "javascript:", "src="] {
        let outside = page.replace("http://www.w3.org/2000/svg", "");
        let script = outside.rfind("<script>").unwrap();
        let shown = outside[..script].replace("img src=x", "");
        assert!(!shown.contains(word), "{word}");
    }
    // The policy names the digests of the page's own script and style.
    let policy = page.split("Content-Security-Policy\" content=\"").nth(1).unwrap();
    let policy = policy.split('"').next().unwrap().replace("&#39;", "'");
    for (tag, directive) in [("script", "script-src"), ("style", "style-src")] {
        let text = page.split(&format!("<{tag}>")).nth(1).unwrap();
        let text = text.split(&format!("</{tag}>")).next().unwrap();
        let digest = base64(&Sha256::digest(text.as_bytes()));
        assert!(policy.contains(&format!("{directive} 'sha256-{digest}'")), "{policy}");
    }
    assert!(policy.contains("default-src 'none'"));
    for file in ["ratings.svg", "margins.svg", "times.svg", "ranking.csv", "crosstable.csv"] {
        let text = folder.read(&format!("figures/{file}"));
        // In CSV a tag is text like any other.
        assert!(text.len() > 100 && (file.ends_with("csv") || !text.contains("<img")), "{file}");
    }
}

/// A second writing of base64, by bits.
fn base64(bytes: &[u8]) -> String {
    let digits: Vec<char> =
        ('A'..='Z').chain('a'..='z').chain('0'..='9').chain(['+', '/']).collect();
    let bits: Vec<u8> =
        bytes.iter().flat_map(|b| (0..8).rev().map(move |at| b >> at & 1)).collect();
    let groups = bits.chunks(6).map(|six| {
        let value = (0..6).fold(0, |sum, at| sum << 1 | six.get(at).copied().unwrap_or(0));
        digits[usize::from(value)]
    });
    let mut text: String = groups.collect();
    while !text.len().is_multiple_of(4) {
        text.push('=');
    }
    text
}

#[test]
fn every_board_is_that_of_replay() {
    if !are_there("node", "boards of the script against replay") {
        return;
    }
    let folder = TestFolder::new();
    for rules in [
        "--rules learneroo",
        "--rules kalah --adjudicate lead",
        "--rules ece1021 --opening 1,2,3,4,5,6,1,6,5,4,3,2,1,0",
        "--rules cs221 --max-moves 9",
        "--rules mancala5000 --direction backward",
        "--rules mancala5000 --direction either",
    ] {
        for other in ["builtin:random", NINE] {
            let _ = fs::remove_file(folder.path().join("m.jsonl"));
            let outcome = mancala(["match", "builtin:easy", &format!("x={other}")])
                .args(rules.split_whitespace())
                .args(["--record", "m.jsonl", "--report", "m.html", "-q"])
                .args(["--fault-policy", "substitute", "--max-faults", "3"])
                .in_folder(folder.path())
                .run();
            outcome.code(0);
            let replayed = mancala(["replay", "m.jsonl", "--format", "json"]);
            let replayed = replayed.in_folder(folder.path()).run().success().json();
            let found: Value =
                serde_json::from_str(&node(["boards", &folder.file("m.html")])).unwrap();
            for (round, found) in
                replayed["rounds"].as_array().unwrap().iter().zip(found[0].as_array().unwrap())
            {
                assert_eq!(found["opening"], round["opening"], "{rules}");
                assert_eq!(found["final"], round["final"], "{rules}");
                let moves = round["moves"].as_array().unwrap();
                assert_eq!(found["moves"].as_array().unwrap().len(), moves.len());
                for (found, played) in found["moves"].as_array().unwrap().iter().zip(moves) {
                    for key in ["move", "captured", "extra_turn", "board"] {
                        assert_eq!(found[key], played[key], "{rules} {key}");
                    }
                    let ms = |of: &Value| of["ms"].as_f64().unwrap();
                    assert!((ms(found) - ms(played)).abs() < 1e-9, "{found} {played}");
                    assert_eq!(found["first"], played["bot"] == round["first"]);
                    let kind = played.get("substitute").map_or(json!(""), |it| it["kind"].clone());
                    assert_eq!(found["substituted"], kind);
                    if let Some(direction) = played.get("direction") {
                        assert_eq!(found["direction"], *direction);
                    }
                }
            }
        }
    }
}

#[test]
fn values_of_an_analysis_are_in_the_page() {
    if !are_there("node", "values in the script") {
        return;
    }
    let folder = TestFolder::new();
    let opening = "0,0,0,1,2,1,10,0,1,0,2,1,0,18";
    let played = mancala(["match", "builtin:random", "builtin:easy", "--opening", opening])
        .args(["--record", "m.jsonl", "-q"])
        .in_folder(folder.path());
    played.run().success();
    let analysed = mancala(["analyse", "m.jsonl", "--write", "v.jsonl", "-q"]);
    analysed.in_folder(folder.path()).run().success();
    report(&folder, "v.jsonl -q").success();
    let record: Value = serde_json::from_str(&folder.read("v.jsonl")).unwrap();
    let found: Value = serde_json::from_str(&node(["boards", &folder.file("v.html")])).unwrap();
    let mut known = 0;
    for (round, found) in
        record["rounds"].as_array().unwrap().iter().zip(found[0].as_array().unwrap())
    {
        let moves = round["moves"].as_array().unwrap();
        for (found, played) in found["moves"].as_array().unwrap().iter().zip(moves) {
            for key in ["value", "loss"] {
                assert_eq!(found[key], played.get(key).cloned().unwrap_or(Value::Null));
                known += usize::from(!found[key].is_null());
            }
        }
    }
    assert!(known > 4);
    assert!(
        folder.read("v.html").contains("gave away most")
            || !record.to_string().contains("\"loss\":1")
    );
}

#[test]
fn an_anonymous_page_names_nobody_who_is_not_shown() {
    let folder = TestFolder::new();
    tournament(&folder);
    report(&folder, "t.jsonl -q --anonymous --show easy --assets figures").success();
    let page = folder.read("t.html");
    let hidden = ["&gt;random", "random/", "\"random\"", "onerror", "no house 9"];
    for word in hidden {
        assert!(!page.contains(word), "{word}");
    }
    // One of the first two places is not that of the bot that is shown.
    assert!(page.contains("\"easy\"") && ["bot 1", "bot 2"].iter().any(|it| page.contains(it)));
    for file in fs::read_dir(folder.path().join("figures")).unwrap().flatten() {
        let text = fs::read_to_string(file.path()).unwrap();
        assert!(!text.contains("onerror") && !text.contains("random"), "{:?}", file.path());
    }
    report(&folder, "t.jsonl --anonymous --show nobody").failure(2, "no bot is named \"nobody\"");
    report(&folder, "t.jsonl --show easy").failure(2, "--anonymous");
}

#[test]
fn the_games_that_are_kept_are_as_many_as_asked_for() {
    let folder = TestFolder::new();
    tournament(&folder);
    for (games, kept) in [("all", 9), ("none", 0), ("4", 4), ("100", 9)] {
        report(&folder, &format!("t.jsonl -q --games {games}")).success();
        let page = folder.read("t.html");
        assert_eq!(data(&page)["matches"].as_array().unwrap().len(), kept, "{games}");
        let is_told = page.contains(&format!("Of 9 matches, {kept} are included"));
        assert_eq!(is_told, (1..9).contains(&kept), "{games}");
    }
    report(&folder, "t.jsonl --games some").failure(2, "expected all, none or a number");
}

/// The tables have no place for links to games, and say why there are none.
#[test]
fn a_page_without_games_leads_to_none() {
    let folder = TestFolder::new();
    tournament(&folder);
    let heads_of_games = |page: &str| page.matches("<th scope=col>games").count();
    for (games, heads) in [("all", 3), ("none", 0)] {
        report(&folder, &format!("t.jsonl -q --games {games}")).success();
        let page = folder.read("t.html");
        let is_none = games == "none";
        assert_eq!(heads_of_games(&page), heads);
        assert_eq!(page.contains("A cell leads to the games of the two"), !is_none);
        assert!(!page.contains("Of 9 matches, 0 "));
        // Once in what is left out, and once where the games would be.
        let told = page.matches("No match is included move by move").count();
        assert_eq!(told, if is_none { 2 } else { 0 });
        let section = page.split("<section id=\"games\">").nth(1).unwrap();
        let section = section.split("</section>").next().unwrap();
        assert_eq!(section.contains("--games all"), is_none);
    }
}

#[test]
fn stdin_is_read_twice_and_several_files_are_one() {
    let folder = TestFolder::new();
    tournament(&folder);
    let input = folder.read("t.jsonl");
    let outcome = mancala(["report", "-", "-q"]).in_folder(folder.path()).stdin(input).run();
    outcome.success();
    assert_eq!(data(&folder.read("report.html"))["matches"].as_array().unwrap().len(), 9);
    // The same matches again are not counted twice.
    fs::copy(folder.path().join("t.jsonl"), folder.path().join("again.jsonl")).unwrap();
    report(&folder, "t.jsonl again.jsonl -q").success();
    assert_eq!(data(&folder.read("t.html"))["matches"].as_array().unwrap().len(), 9);
}

#[test]
fn a_tournament_leaves_a_final_page() {
    let folder = TestFolder::new();
    let outcome = mancala(["tournament", "builtin:easy", "builtin:random", "--oversubscribe"])
        .args(["--report", "live.html", "-q"])
        .in_folder(folder.path())
        .run();
    outcome.success();
    let page = folder.read("live.html");
    assert!(page.contains("This is the final report") && !page.contains("http-equiv=\"refresh\""));
    assert_eq!(data(&page)["reload"], 0);
    let other = mancala(["tournament", "builtin:easy", "builtin:random"])
        .args(["--report", "x.html", "--events", "x.html"])
        .in_folder(folder.path())
        .run();
    other.failure(2, "--events and --report are both x.html");
    fs::create_dir(folder.file("folder")).unwrap();
    for command in [&["match"][..], &["tournament", "--oversubscribe"]] {
        let to = |output: &str| {
            let run = mancala(command).args(["--report", output]);
            run.args(["builtin:easy", "builtin:random"]).in_folder(folder.path()).run()
        };
        to("folder").failure(2, "only an older report is overwritten; give --report another file");
        to("missing/x.html").failure(1, "give --report a file in a folder you may write to");
    }
}

#[test]
fn a_tournaments_page_is_anonymous_where_the_option_or_the_config_says_so() {
    let folder = TestFolder::new();
    let bots = ["anna=builtin:easy", "bertha=builtin:random"];
    let play = |config: &str, options: &[&str]| {
        fs::write(folder.path().join("contest.toml"), config).unwrap();
        let run = mancala(["tournament", "--config=contest.toml", "--oversubscribe", "-q"])
            .args(["--report", "live.html"])
            .args(options)
            .args(bots);
        run.in_folder(folder.path()).run().success();
        folder.read("live.html")
    };
    let names = |page: &str| ["anna", "bertha"].map(|name| page.contains(name));
    assert_eq!(names(&play("seed = 1\n", &[])), [true; 2]);
    assert_eq!(names(&play("seed = 1\n", &["--anonymous"])), [false; 2]);
    assert_eq!(names(&play("anonymous = true\n", &[])), [false; 2]);
}

#[test]
fn a_page_is_made_while_the_tournament_is_running() {
    let folder = TestFolder::new();
    let slow = "sh -c 'sleep 0.5; exec \"$MANCALA\" bot random'";
    let mut child = mancala(["tournament", slow, "builtin:random", "--repeat=1000", "--quiet"])
        .args(["--oversubscribe", "--start-time=20s", "--report=live.html", "--record=t.jsonl"])
        .in_folder(folder.path())
        .behind(&["env", &format!("MANCALA={}", env!("CARGO_BIN_EXE_mancala"))])
        .start();
    folder.wait_for("live.html");
    let page = folder.read("live.html");
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    let status = child.wait().unwrap();
    assert_eq!(status.code(), Some(130));
    assert!(page.contains("The tournament is running"), "{page}");
    assert!(data(&page)["reload"].as_u64().is_some_and(|seconds| seconds >= 4));
    let page = folder.read("live.html");
    assert!(!page.contains("The tournament is running"));
    assert_eq!(data(&page)["reload"], 0);
}

#[test]
fn the_first_case_of_each_fault_says_how_to_fix_it() {
    let folder = TestFolder::new();
    tournament(&folder);
    report(&folder, "t.jsonl -q").success();
    let page = folder.read("t.html");
    let (_, illegal) = page.split_once("<h4>illegal move, ").unwrap();
    let (illegal, _) = illegal.split_once("See it again").unwrap();
    // Its time stands beside its limit, as a timeout's does.
    assert!(illegal.contains("<dt>Time taken</dt>"), "{illegal}");
    assert!(illegal.contains("<dt>Limit of the move</dt>"), "{illegal}");
    assert!(page.contains("cells 7 to 12 are the opponent's. Play one of &quot;legal&quot;."));
    assert!(page.contains("mancala replay t.jsonl --match "));
    assert!(page.contains("mancala check "));
}

/// Matches of four bots, as the picture in the README has them.
pub fn four_bots() -> String {
    matches_of(&["hard", "average", "easy", "random"], &|one, other, number| {
        // The better bot loses every fourth match to the next one.
        if number % 4 == 3 && other == one + 1 { [14, 22] } else { [21, 15] }
    })
}

/// Eight matches of each two bots, a round of one move each; `seeds` is given the places of both bots
/// among them and the number of the match, and says the result.
pub fn matches_of(names: &[&str], seeds: &dyn Fn(usize, usize, usize) -> [u8; 2]) -> String {
    let board = |houses: u8, stores: [u8; 2]| {
        let mut cells = [0; 14];
        (cells[5], cells[12], cells[6], cells[13]) = (houses, houses, stores[0], stores[1]);
        cells
    };
    let mut lines = String::new();
    for (one, first) in names.iter().enumerate() {
        for (other, second) in names.iter().enumerate().skip(one + 1) {
            for number in 0..8 {
                let seeds = seeds(one, other, number);
                let round = json!({"round": 1, "first": 0, "final": board(0, seeds),
                    "moves": [{"bot": 0, "move": 5, "ms": 0.1}],
                    "result": {"reason": "completed", "fault": null, "score": seeds}});
                let record = json!({"format": "mancala-match/1",
                    "rules": {"name": "learneroo", "seeds": 3, "opponent_store": "sow",
                        "direction": "forward", "empty_capture": true},
                    "opening": board(1, seeds.map(|seeds| seeds - 1)),
                    "limits": {"move_time_ms": 1000}, "planned_rounds": 1,
                    "bots": [{"name": first, "command": ["x"]}, {"name": second, "command": ["x"]}],
                    "rounds": [round], "score": seeds,
                    "winner": (seeds[0] != seeds[1]).then(|| u8::from(seeds[1] > seeds[0]))});
                lines += &format!("{record}\n");
            }
        }
    }
    lines
}

/// The picture of the README is drawn by the program; `SNAPSHOTS=overwrite` draws it again.
#[test]
fn the_picture_of_the_readme_is_a_plot_of_a_report() {
    let folder = TestFolder::new();
    let outcome = mancala(["report", "-", "-q", "--games", "all", "--assets", "figures"])
        .in_folder(folder.path())
        .stdin(four_bots())
        .run();
    outcome.success();
    let drawn = folder.read("figures/ratings.svg");
    let picture = repository().join("examples/ratings.svg");
    if std::env::var("SNAPSHOTS").as_deref() == Ok("overwrite") {
        fs::write(&picture, &drawn).unwrap();
    }
    assert_eq!(fs::read_to_string(picture).unwrap(), drawn);
    assert!(drawn.len() <= 60 * 1024);
    let readme = fs::read_to_string(repository().join("README.md")).unwrap();
    assert!(readme.contains("](examples/ratings.svg)"));
}
