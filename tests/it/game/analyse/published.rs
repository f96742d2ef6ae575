//! The games of best play that Irving, Donkers and Uiterwijk print in Solving Kalah (ICGA Journal
//! 23(3), 2000) give nothing away. The one of four seeds a house is in `cargo bench --bench solve`.

use crate::program::mancala;

use super::{Desk, analyse, records};

/// A bot that makes these moves, whatever it is asked.
fn recital(name: &str, moves: &str) -> String {
    let moves: Vec<String> = moves.chars().map(String::from).collect();
    let answer = r#"case $line in *'"type":"turn"'*) echo $1; shift;; esac"#;
    let script = format!("set -- {}; while read -r line; do {answer}; done", moves.join(" "));
    // Within single quotes only a single quote is special.
    format!("{name}=sh -c '{}'", script.replace('\'', r"'\''"))
}

#[test]
fn no_move_of_a_published_game_loses_anything() {
    let games = [
        ("1", 2, "54-54-3-3-2"),
        ("2", 10, "42-42-30-0-1-1-4-5"),
        ("3", 2, "4-5-35-250-2-154-451535452-53-3-54-2"),
    ];
    for (seeds, margin, game) in games {
        let desk = Desk::new();
        let turns: Vec<&str> = game.split('-').collect();
        let of = |first: usize| turns.iter().skip(first).step_by(2).copied().collect::<String>();
        mancala(["match", "--rules=ece1021", "--seeds", seeds, "--rounds=1"])
            .args(["--record", &desk.file("game")])
            .args([recital("first", &of(0)), recital("second", &of(1))])
            .run()
            .success();
        let played = &records(&desk.read("game"))[0]["rounds"][0];
        assert_eq!(played["result"]["reason"], "completed", "{played}");
        let count = game.chars().filter(char::is_ascii_digit).count();
        assert_eq!(played["moves"].as_array().unwrap().len(), count);

        let game = desk.file("game");
        let analysis = analyse(&["--format=json", "--write", &desk.file("judged"), &game]);
        for row in analysis.success().json()["rows"].as_array().unwrap() {
            assert_eq!((&row["seeds_lost"], &row["blunders"]), (&0.into(), &0.into()), "{row}");
            assert_eq!(row["exact"], row["moves"], "{row}");
        }
        let judged = &records(&desk.read("judged"))[0]["rounds"][0]["moves"];
        assert_eq!(judged[0]["value"], margin);
        assert!(judged.as_array().unwrap().iter().all(|played| played["loss"] == 0), "{judged}");
    }
}
