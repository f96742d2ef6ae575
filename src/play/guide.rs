//! The rules of a ruleset in plain words.

use super::drawing::draw;
use super::examples::examples;
use super::layout::Layout;
use crate::report::{Column, Table};
use crate::rules::{Direction, Opening, OpponentStore, Ruleset, RulesetName};
use crate::seat::Seat;
use crate::text::counted;

/// The rulesets and their differences, a row each.
pub(crate) fn list() -> Table {
    let all = || RulesetName::ALL.into_iter().map(|name| (name, name.rules()));
    let store = |(_, rules): (RulesetName, Ruleset)| match rules.opponent_store {
        OpponentStore::Sow => "sown into",
        OpponentStore::Skip => "passed over",
    };
    let direction = |(name, rules): (RulesetName, Ruleset)| {
        let more = if name == RulesetName::Mancala5000 { "*" } else { "" };
        format!("{}{more}", rules.direction)
    };
    let mut table = Table::new([
        Column::text("ruleset", all(), |(name, _)| name),
        Column::number("seeds", all(), |(_, rules)| rules.seeds.get()),
        Column::text("opponent's store", all(), store).left_out(3),
        Column::text("direction", all(), direction).left_out(2),
        Column::text("what it is", all(), |(name, _)| title(name)).left_out(1),
    ]);
    table.remark(
        "Seeds are those of a house at the beginning; in mancala5000 there may be 3 to 8 (--seeds). \
         *: another direction can be chosen with --direction.",
    );
    table.remark(
        "In kalah a last seed in an empty house captures only when the facing house has seeds; in \
         the others it always captures. All else is the same in all of them; `mancala rules NAME` \
         prints the rules of one.",
    );
    table
}

fn title(name: RulesetName) -> &'static str {
    match name {
        RulesetName::Learneroo => "the two-round challenge",
        RulesetName::Kalah => "Kalah as most play it",
        RulesetName::Ece1021 => "the C tournament",
        RulesetName::Cs221 => "the text game for two",
        RulesetName::Mancala5000 => "the handheld game",
    }
}

/// The rules of a game with a drawn board and an example of each result of a move.
pub(crate) fn rules(rules: &Ruleset) -> String {
    let layout = Layout::of(rules);
    let end = if layout.left_store == Seat::A { "left" } else { "right" };
    let opening = draw(Opening::standard(rules).board(), layout);
    let mut text = format!(
        "{}: {}

Each player has six houses and a store: Player A below, Player B above, each with the store at its {end} hand. The game begins with {} in every house:

{opening}
A move
Take all seeds of one of your houses and sow them one by one into the cells that follow. {} The house you took them from gets a seed like any other when a lap comes to it.

The last seed
- In your own store: a free turn, you move again.
- In a house of your own that was empty: a capture. {}
- Anywhere else: a normal move, and it is the other player's turn.

The end
The game ends when, after a whole move, one of the players has no seeds in its houses; a free turn just won is then void. Each player takes the seeds of its own houses. More seeds win.
",
        rules.name,
        title(rules.name),
        counted(rules.seeds.get().into(), "seed", "seeds"),
        directions(rules, layout),
        capture(rules),
    );
    text += particulars(rules.name);
    text += "\nExamples\n";
    for example in examples(rules) {
        text += &format!("\n{example}");
    }
    text
}

fn directions(rules: &Ruleset, layout: Layout) -> String {
    let other_store = match rules.opponent_store {
        OpponentStore::Sow => "into the other player's store",
        OpponentStore::Skip => "past the other player's store",
    };
    let way = |direction| {
        let turning = layout.turning(direction);
        match direction {
            Direction::Forward => format!(
                "{turning}: along your own row from 1 to 6, into your own store, along the other row, {other_store} and round again"
            ),
            Direction::Backward => format!(
                "{turning}: along your own row from 6 to 1, {other_store}, along the other row, into your own store and round again"
            ),
        }
    };
    match rules.direction.directions() {
        &[direction] => format!("They run {}.", way(direction)),
        _ => format!(
            "With each move you choose their way. They run {}. Or they run {}.",
            way(Direction::Forward),
            way(Direction::Backward)
        ),
    }
}

fn capture(rules: &Ruleset) -> &'static str {
    if rules.empty_capture {
        "That seed and all seeds of the facing house go into your store, even when the facing house is empty."
    } else {
        "That seed and all seeds of the facing house go into your store; when the facing house is empty nothing is captured, and it is a normal move."
    }
}

/// What is true of this ruleset alone.
const fn particulars(name: RulesetName) -> &'static str {
    match name {
        RulesetName::Learneroo => "
The challenge
A match has two rounds from the same position, each player beginning one, and the scores are added up. Bots count their houses from 0: house 1 is cell 0.
",
        RulesetName::Kalah => "
Where it is played
OpenSpiel's game mancala and the Kalah Game Protocol (KGP) have these rules.
",
        RulesetName::Ece1021 => "
The tournament
Its bins are counted from the store: bin 1 is house 6, bin 6 is house 1.
",
        RulesetName::Cs221 => "",
        RulesetName::Mancala5000 => "
The settings
One or two players; the levels easy, average and hard; seeds sown clockwise (--direction forward), anticlockwise (--direction backward) or either way (--direction either), as the player chooses with each move; 3 to 8 seeds in each house (--seeds). In a game, `help` explains how to change them.
",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Width, write_csv, write_tables};
    use crate::rules::DirectionRule;
    use crate::text::{COLUMNS, wrap};

    #[test]
    fn the_list_has_every_ruleset_whole_in_lines_of_the_usual_width() {
        let mut out = Vec::new();
        write_tables(&mut out, &[list()], Width::Columns(COLUMNS)).unwrap();
        let out = String::from_utf8(out).unwrap();
        for name in RulesetName::ALL {
            let is_of = |line: &&str| line.contains(name.as_str()) && line.contains(title(name));
            assert_eq!(out.lines().filter(is_of).count(), 1, "{name}: {out}");
        }
        assert!(out.lines().all(|line| line.chars().count() <= COLUMNS), "{out}");
    }

    #[test]
    fn each_direction_of_the_list_is_a_value_of_the_option() {
        let mut out = Vec::new();
        write_csv(&mut out, &list()).unwrap();
        let mut rows = csv::Reader::from_reader(&*out);
        let place = rows.headers().unwrap().iter().position(|title| title == "direction").unwrap();
        let rows: Vec<csv::StringRecord> = rows.records().map(Result::unwrap).collect();
        assert_eq!(rows.len(), RulesetName::ALL.len());
        for row in rows {
            assert!(row[place].trim_end_matches('*').parse::<DirectionRule>().is_ok(), "{row:?}");
        }
    }

    #[test]
    fn the_text_follows_the_rules_as_they_are() {
        let mut rules = RulesetName::Mancala5000.rules();
        rules.direction = DirectionRule::Either;
        rules.empty_capture = false;
        let text = super::rules(&rules);
        for words in ["the store at its left hand", "you choose their way", "nothing is captured"] {
            assert!(text.contains(words), "{words} is not in\n{text}");
        }
        assert!(super::rules(&RulesetName::Cs221.rules()).contains("past the other"));
    }

    #[test]
    fn drawings_fit_a_window_of_40_columns() {
        for name in RulesetName::ALL {
            let text = super::rules(&name.rules());
            for line in wrap(&text, 40) {
                assert!(line.chars().count() <= 40, "{line}");
            }
        }
    }
}
