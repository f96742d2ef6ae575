//! Pages of files whose bots changed, or were disqualified.

use std::fs;

use super::page::{cells, data, report};
use crate::program::{Run, mancala};
use crate::test_folder::TestFolder;
use crate::tournaments::{lines, tournament};

/// Openings near the end, whose moves can all be judged.
const OPENINGS: &str = "0,1,0,1,2,1,14,0,1,0,2,1,0,13\n1,0,2,0,0,3,13,2,0,1,0,2,0,12\n";

/// A program that draws the lots of this seed.
fn draws(seed: u64) -> String {
    format!("exec '{}' bot random --seed {seed}\n", env!("CARGO_BIN_EXE_mancala"))
}

/// A program that answers every turn with this.
fn answers(answer: &str) -> String {
    format!("while read line; do case $line in *type*turn\\\"*) echo {answer};; esac; done\n")
}

/// The tournament of the scripts in `bots`, with these programs.
fn contest(folder: &TestFolder, programs: &[(&str, String)], record: &str) -> Run {
    fs::create_dir_all(folder.file("bots")).unwrap();
    for (name, program) in programs {
        fs::write(folder.file(&format!("bots/{name}.sh")), program).unwrap();
    }
    fs::write(folder.file("openings.txt"), OPENINGS).unwrap();
    let config = "openings = \"file:openings.txt\"\ncount = 2\n[match]\nsandbox = false\n\
                  [[bots]]\nglob = \"bots/*.sh\"\ncommand = \"sh {path}\"\n";
    fs::write(folder.file("t.toml"), config).unwrap();
    tournament().args(["--config=t.toml", "--record", record]).in_folder(folder.path())
}

/// What follows each of these beginnings in a page, up to the next tag.
fn texts(page: &str, beginning: &str) -> Vec<String> {
    page.split(beginning).skip(1).map(|rest| rest.split('<').next().unwrap().to_owned()).collect()
}

/// The page of a file, with values.
fn analysed_page(folder: &TestFolder, record: &str) -> String {
    let values = format!("values-{record}");
    mancala(["analyse", record, "--write", &values, "-q"]).in_folder(folder.path()).run().code(0);
    report(folder, &format!("{values} -q -o page.html")).success();
    folder.read("page.html")
}

/// The rows of the list of games by their numbers in the tournament, without places and times.
fn games(page: &str) -> Vec<Vec<String>> {
    let mut rows = cells(page, "A row for each round");
    for row in &mut rows {
        row[0] = row[0].split_once(' ').unwrap().1.replace("round ", "");
        row.remove(9);
    }
    rows.sort();
    rows
}

#[test]
fn a_page_of_an_updated_file_is_about_the_bots_of_today() {
    let folder = TestFolder::new();
    let before =
        [("ann", draws(1)), ("ben", answers("9")), ("cat", draws(3)), ("dan", answers("x"))];
    contest(&folder, &before, "t.jsonl").run().code(0);
    // ben answers something else, and cat draws other lots.
    let today = [("ben", answers("8")), ("cat", draws(4))];
    contest(&folder, &today, "t.jsonl").args(["--update"]).run().code(0);
    contest(&folder, &today, "fresh.jsonl").run().code(0);
    let all = lines(&folder.file("t.jsonl")).into_iter();
    assert_eq!(all.filter(|line| line["format"] == "mancala-match/1").count(), 12 + 10);

    let [updated, fresh] = ["t.jsonl", "fresh.jsonl"].map(|record| analysed_page(&folder, record));
    assert_eq!(games(&updated).len(), 24);
    assert_eq!(games(&updated), games(&fresh));
    for caption in [
        "Ranking",
        "Matches won, drawn and lost",
        "Rounds won, drawn and lost",
        "Seeds that ann gave away",
        "Seeds that cat gave away",
    ] {
        assert_eq!(cells(&updated, caption), cells(&fresh, caption), "{caption}");
    }
    for beginning in ["<h4>", "<dt>Received</dt><dd>"] {
        let of_fresh = texts(&fresh, beginning);
        assert_eq!(of_fresh.len(), 2);
        assert_eq!(texts(&updated, beginning), of_fresh);
    }
    // What gave no whole round is not judged, and says so.
    assert_eq!(cells(&updated, "Seeds that ben gave away")[0][0], "too little");
    let why = "<p>too little: less than half of the moves of a bot&#39;s rounds could be judged, \
               mostly because it forfeited them early.</p>";
    assert_eq!(updated.matches(why).count(), 2);
    assert!(updated.contains("because too little of their rounds is judged: 2 bots."));
    // The moves that gave away most, without their places.
    let worst = |page: &str| {
        let rows = cells(page, "The moves of cat that gave away most").into_iter();
        rows.map(|row| row[3].clone()).collect::<Vec<_>>()
    };
    assert!(!worst(&fresh).is_empty());
    assert_eq!(worst(&updated), worst(&fresh));

    report(&folder, "t.jsonl -q -o page.html --games 5").success();
    assert!(folder.read("page.html").contains("Of 12 matches, 5 are included"));
    // A link to a match has its place in the file.
    let numbers: Vec<u64> = data(&updated)["matches"]
        .as_array()
        .unwrap()
        .iter()
        .map(|of| of[0].as_u64().unwrap())
        .collect();
    let records = lines(&folder.file("t.jsonl")).into_iter();
    let records: Vec<_> = records.filter(|line| line["format"] == "mancala-match/1").collect();
    let last = numbers.last().map(|number| usize::try_from(*number).unwrap());
    assert_eq!(last, Some(records.len()));
}

#[test]
fn a_page_keeps_the_part_and_the_games_of_a_disqualified_bot() {
    let folder = TestFolder::new();
    let programs = [("ann", draws(1)), ("ben", answers("9")), ("cat", draws(3))];
    contest(&folder, &programs, "t.jsonl").args(["--disqualify-after=1"]).run().code(0);
    let all = lines(&folder.file("t.jsonl")).into_iter();
    let played = all.filter(|line| line["format"] == "mancala-match/1").count();
    assert!(played > 2);
    report(&folder, "t.jsonl -q").success();
    let page = folder.read("t.html");
    assert_eq!(data(&page)["matches"].as_array().unwrap().len(), played);
    assert!(page.contains("<article id=\"bot-ben\">"));
    assert_eq!(texts(&page, "<p>Disqualified: ").len(), 1);
    assert_eq!(texts(&page, "<h4>").len(), 1);
    assert!(games(&page).iter().any(|row| row[2..4].contains(&"ben".to_owned())));

    // What was given away in its matches is nobody's, as in `mancala analyse`.
    let page = analysed_page(&folder, "t.jsonl");
    let analysis = mancala(["analyse", "t.jsonl", "-q", "--format=json"]).in_folder(folder.path());
    let analysis = analysis.run().success().json();
    assert!(analysis["left_out"].as_u64().unwrap() > 0, "{analysis}");
    for bot in ["ann", "ben", "cat"] {
        let rows = analysis["rows"].as_array().unwrap();
        let expected = rows.iter().find(|row| row["name"] == bot);
        let expected = expected.map(|row| format!("{}/{}", row["solved"], row["moves"]));
        let caption = format!("Seeds that {bot} gave away");
        let found = page.contains(&caption).then(|| cells(&page, &caption)[0][6].clone());
        assert_eq!(found, expected, "{bot}");
    }
}

#[test]
fn a_page_is_final_only_when_all_of_the_tournament_was_played() {
    let folder = TestFolder::new();
    let programs = [("ann", draws(1)), ("ben", answers("9")), ("cat", draws(3))];
    let state = |record: &str, arguments: &[&str]| {
        let page = format!("{record}.html");
        let run = contest(&folder, &programs, record).args(["--report", &page]);
        run.args(arguments).run().code(0);
        texts(&folder.read(&page), "<p class=\"state\" id=\"state\">").concat()
    };
    let open = |matches: &str| {
        format!(
            "The run ended before the whole tournament was played: {matches} not in these files."
        )
    };
    let whole = "This is the final report of the tournament.";
    assert_eq!(state("whole", &[]), whole);
    assert_eq!(state("out", &["--disqualify-after=1"]), whole);
    assert_eq!(state("part", &["--shard=1/2"]), open("3 matches are"));
    let early = state("early", &["--stop-on-fault"]);
    let played = lines(&folder.file("early")).into_iter();
    let played = played.filter(|line| line["format"] == "mancala-match/1").count();
    let left =
        if played == 5 { "1 match is".to_owned() } else { format!("{} matches are", 6 - played) };
    assert_eq!(early, open(&left));
    assert_eq!(state("early", &["--resume"]), whole);
}
