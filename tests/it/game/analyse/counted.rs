//! The matches that are added up: those that count in standings, under today's names.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::{Desk, analyse, records};
use crate::program::{Outcome, mancala};
use crate::tournaments::{FOUR, tournament};

/// A bot that plays the legal house with this number, counted round and round; or no house at all.
fn bot(number: u8) -> String {
    let answer = if number == FAULTY { "echo 99" } else { "echo \"$1\"" };
    format!(
        "while read -r line; do\n    case $line in *'\"type\":\"turn\"'*)\n        \
         houses=${{line#*'\"legal\":['}}\n        IFS=,; set -- ${{houses%%]*}}; unset IFS\n        \
         shift $(({number} % $#)); {answer} ;;\n    esac\ndone\n"
    )
}

/// The number of a bot that plays a house that does not exist.
const FAULTY: u8 = 9;

impl Desk {
    /// Writes the files of these bots, and returns the words that name them.
    fn hand_in(&self, bots: &[(&str, u8)]) -> Vec<String> {
        let named = |(name, number): &(&str, u8)| {
            format!("{name}=sh {}", self.put(&format!("{name}.sh"), bot(*number)))
        };
        bots.iter().map(named).collect()
    }

    fn tournament(&self, record: &str, bots: &[(&str, u8)], options: &[&str]) -> Outcome {
        let bots = self.hand_in(bots);
        tournament()
            .args(["--seeds=2", "--move-time=20s", "--openings=random:3", "--count=2"])
            .args(["--disqualify-after=1", "--no-sandbox", "--record", &self.file(record)])
            .args(options)
            .args(bots)
            .run()
            .code(0)
    }

    fn standings(&self, record: &str, options: &[&str]) -> Value {
        let arguments = ["standings", "--format=json", &self.file(record)];
        mancala(arguments).args(options).run().success().json()
    }

    /// The analysis of a file without what lies in the past.
    fn table(&self, record: &str) -> Value {
        let mut analysis = analyse(&[&self.file(record), "--format=json"]).success().json();
        analysis.as_object_mut().unwrap().remove("left_out").unwrap();
        analysis
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 6, max_shrink_iters: 8, failure_persistence: None, ..ProptestConfig::default()
    })]

    #[test]
    fn an_updated_file_is_analysed_as_a_fresh_one(
        weeks in prop::collection::vec(
            prop::collection::vec(prop::option::weighted(0.8, 0_u8..5), 4)
                // A faulty bot that stays disqualified leaves two.
                .prop_filter("bots", |week| week.iter().flatten().filter(|&&it| it < 4).count() > 1),
            2..4,
        )
    ) {
        let desk = Desk::new();
        let bots = |week: &[Option<u8>]| {
            let bots = ["a", "b", "c", "d"].into_iter().zip(week);
            let number = |number: u8| if number == 4 { FAULTY } else { number };
            bots.filter_map(|(name, drawn)| Some((name, number((*drawn)?)))).collect::<Vec<_>>()
        };
        desk.tournament("season", &bots(&weeks[0]), &[]);
        for week in &weeks[1..] {
            desk.tournament("season", &bots(week), &["--update"]);
        }
        desk.tournament("fresh", &bots(&weeks[weeks.len() - 1]), &[]);
        prop_assert_eq!(desk.table("season"), desk.table("fresh"));
        prop_assert_eq!(&desk.table("season")["matches"], &desk.standings("season", &[])["matches"]);
    }
}

#[test]
fn replaced_bots_are_left_out_and_kept_versions_have_their_names_of_today() {
    let desk = Desk::new();
    let old = [("a", 0), ("b", 1), ("eng", 2)];
    desk.tournament("season", &old, &[]);
    let first = desk.table("season");
    let new = [("a", 0), ("b", 1), ("eng", 3)];
    desk.tournament("season", &new, &["--update"]);
    let season = desk.file("season");
    let found = analyse(&[&season, "--format=json"]).success().json();
    assert_eq!((&found["matches"], &found["left_out"]), (&json!(6), &json!(4)));
    let words = "4 matches are from before an update, and do not count.";
    analyse(&[&season]).success().says("6 matches.\n").says(words);
    let sampled = analyse(&[&season, "--sample=2"]).success();
    sampled.says("2 of 6 matches.\n").says(words);
    // A copy has all matches in it, and is analysed in the same way.
    let copy = desk.file("copy");
    let written = analyse(&[&season, "--format=json", "--write", &copy]).success();
    assert_eq!(written.json(), found);
    assert_eq!(desk.read("copy").lines().count(), desk.read("season").lines().count());
    for record in records(&desk.read("copy")) {
        for played in record["rounds"].as_array().into_iter().flatten() {
            assert!(played["moves"].as_array().unwrap().iter().all(|it| !it["loss"].is_null()));
        }
    }
    assert_eq!(analyse(&[&copy, "--format=json"]).success().json(), found);
    // Cut in the middle, it is gone on with.
    let text = desk.read("copy");
    let half: usize = text.lines().take(5).map(|line| line.len() + 1).sum();
    desk.put("copy", &text[..half]);
    let resumed = analyse(&[&season, "--format=json", "--write", &copy]).success();
    assert_eq!(resumed.json(), found);
    // Beside the version of today the one before it has a row of its own.
    let text = desk.read("season");
    let begin: usize = text.lines().take(7).map(|line| line.len() + 1).sum();
    desk.put("kept", &text[..begin]);
    desk.tournament("kept", &new, &["--update", "--keep-old"]);
    let kept = desk.table("kept");
    let row = |table: &Value, name: &str| {
        let rows = table["rows"].as_array().unwrap();
        let row = rows.iter().find(|row| row["name"] == name).expect("its row").clone();
        ["rounds", "moves", "seeds_lost", "blunders"].map(|field| row[field].clone())
    };
    assert_eq!(row(&kept, "eng~1"), row(&first, "eng"));
    assert_eq!(row(&kept, "eng"), row(&found, "eng"));
    let worst = analyse(&[&desk.file("kept"), "--worst=50", "--format=json"]).success().json();
    let names = worst["worst"].as_array().unwrap().iter().map(|found| &found["name"]);
    assert!(names.clone().any(|name| name == "eng~1"), "{worst}");
}

#[test]
fn matches_of_disqualified_bots_and_copies_are_left_out() {
    let desk = Desk::new();
    desk.tournament("games", &[("a", 0), ("bad", FAULTY), ("c", 2)], &[]);
    let games = desk.file("games");
    let found = desk.standings("games", &[]);
    let analysis = analyse(&[&games, "--format=json"]).success().json();
    assert_eq!((&found["matches"], &analysis["matches"]), (&json!(2), &json!(2)));
    assert!(analysis["left_out"].as_u64().unwrap() > 0, "{analysis}");
    let names: Vec<&Value> =
        analysis["rows"].as_array().unwrap().iter().map(|row| &row["name"]).collect();
    assert!(!names.contains(&&json!("bad")), "{analysis}");
    analyse(&[&games]).success().says("of disqualified bots, and do");
    // A match of a tournament counts once, whatever files it stands in.
    let again = desk.put("again", desk.read("games"));
    let twice = analyse(&[&games, &again, "--format=json"]).success().json();
    assert_eq!(twice, analysis);
    // Nobody is left.
    desk.tournament("none", &[("a", 0), ("bad", FAULTY)], &[]);
    let none = analyse(&[&desk.file("none"), "--format=json"]).success().json();
    assert_eq!((&none["matches"], &none["rows"]), (&json!(0), &json!([])));
    analyse(&[&desk.file("none")]).success().says("0 matches.\n").says("of disqualified bots");
}

#[test]
fn what_differs_is_added_up_only_with_merge() {
    let desk = Desk::new();
    desk.play("learneroo", 1, &["--seeds=2"]);
    desk.play("kalah", 1, &["--rules=kalah", "--seeds=2"]);
    desk.play("slow", 1, &["--seeds=2", "--game-time=90s"]);
    mancala(["match", "--seeds=2", "--move-time=20s", "--record", &desk.file("other")])
        .args(["easy=builtin:average --seed 1", "builtin:random --seed 1"])
        .run()
        .success();
    let first = desk.file("learneroo");
    for (name, kind, words) in [
        ("kalah", "rules", "the rules in"),
        ("slow", "terms", "the terms in"),
        ("other", "versions", "the programs of bot \"easy\" in"),
    ] {
        let other = desk.file(name);
        let copy = desk.file("copy");
        let refused = analyse(&[&first, &other]).failure(1, words);
        assert!(refused.stderr.contains(&format!("--merge {kind}")), "{refused:?}");
        let standings = mancala(["standings", &first, &other]).run().code(1);
        assert_eq!(refused.stderr, standings.stderr);
        let merge = format!("--merge={kind}");
        let merged = analyse(&[&first, &other, &merge, "--format=json"]).success().json();
        assert_eq!((&merged["matches"], &merged["merged"]), (&json!(2), &json!([kind])));
        analyse(&[&first, &other, &merge]).success().says("added up by --merge: ");
        // The same in one file, and through a pipe.
        let both = desk.put("both", desk.read("learneroo") + &desk.read(name));
        analyse(&[&both, "--write", &copy]).failure(1, words);
        assert!(!std::path::Path::new(&copy).exists());
        let piped = || mancala(["analyse", "-"]).stdin(desk.read("both"));
        piped().run().failure(1, words);
        piped().arg(&merge).run().success().says("2 matches.\n");
    }
    let one = analyse(&[&first, "--format=json"]).success().json();
    assert_eq!((&one["merged"], &one["left_out"]), (&json!([]), &json!(0)));
    analyse(&[&first, "--merge=luck"]).failure(2, "expected rules, terms or versions");
}

#[test]
fn a_match_that_stands_in_two_files_must_be_the_same() {
    let desk = Desk::new();
    let played = |name: &str, bots: &[&str]| {
        let options = ["--seeds=2", "--move-time=20s", "--record", &desk.file(name)];
        tournament().args(options).args(bots).run().code(0);
        desk.file(name)
    };
    let file = played("one", &FOUR[..2]);
    let other = desk.read("one").replacen("\"games\":[\"", "\"games\":[\"0", 1);
    let digest = other.find("\"games\":[\"").unwrap() + "\"games\":[\"".len() + 16;
    let other = desk.put("other", [&other[..digest], &other[digest + 1..]].concat());
    let refused = analyse(&[&file, &other]).failure(1, "match 1 of tournament");
    let standings = mancala(["standings", &file, &other]).run().code(1);
    assert_eq!(refused.stderr, standings.stderr);
}
