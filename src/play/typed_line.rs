//! What a line that a player typed asks for, or why it asks for nothing.

use super::hint::HintKind;
use super::layout::{Arrow, Layout, Turning, house_numbered, number};
use super::settings::{Change, built_in, seeds_offered};
use crate::rules::{Direction, DirectionRule, House, Ply, Ruleset, SeedsAHouse};
use crate::seat::Seat;
use crate::text::printable;

/// What a player wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PlayCommand {
    /// To make this move, if it is legal.
    Play(Ply),
    /// To take a move back.
    TakeBack,
    /// To be given a hint: of this kind, or of the one that comes with every question.
    Hint(Option<HintKind>),
    /// To be told what can be typed.
    Help,
    /// To be told the rules.
    Rules,
    /// A new game, perhaps with other settings.
    NewGame(Option<Change>),
    /// To end.
    Quit,
}

/// Who types, and by which rules: what a line means depends on both.
#[derive(Clone, Copy)]
pub(super) struct LineReader<'a> {
    /// The player to move.
    pub seat: Seat,
    /// The rules of the game.
    pub rules: &'a Ruleset,
}

impl LineReader<'_> {
    /// Reads a line.
    ///
    /// # Errors
    ///
    /// Why the line asks for nothing, for the player to read.
    pub(super) fn read(self, line: &str) -> Result<PlayCommand, String> {
        // An arrow need not stand apart: `3<`.
        let line = line.replace('<', " < ").replace('>', " > ").to_lowercase();
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            [] => Err("nothing was typed; type the number of one of your houses".to_owned()),
            [word] if is_numeric(word) => house(word).and_then(|house| self.only_way(house)),
            [word, way] if is_numeric(word) => {
                let house = house(word)?;
                self.way(way).map(|direction| PlayCommand::Play(Ply { house, direction }))
            }
            [word, ..] if is_numeric(word) => {
                Err(format!("{} is more than one move", quoted(line.trim())))
            }
            ["u" | "undo"] => Ok(PlayCommand::TakeBack),
            ["h" | "hint"] => Ok(PlayCommand::Hint(None)),
            ["h" | "hint", "exact"] => Ok(PlayCommand::Hint(Some(HintKind::Exact))),
            ["?" | "help"] => Ok(PlayCommand::Help),
            ["r" | "rules"] => Ok(PlayCommand::Rules),
            ["n" | "new"] => Ok(PlayCommand::NewGame(None)),
            ["q" | "quit" | "exit"] => Ok(PlayCommand::Quit),
            [setting @ ("seeds" | "direction" | "level" | "players"), ref value @ ..] => self
                .change(setting, &value.join(" "))
                .map(|change| PlayCommand::NewGame(Some(change))),
            _ => Err(format!(
                "{} is neither a house nor a word of this game; type 1 to 6, or help",
                quoted(line.trim())
            )),
        }
    }

    /// The move, where the rules leave no choice of direction.
    fn only_way(self, house: House) -> Result<PlayCommand, String> {
        if let &[direction] = self.rules.direction.directions() {
            return Ok(PlayCommand::Play(Ply { house, direction }));
        }
        let number = number(house);
        Err(format!("say which way too: {number} < sows to the left, {number} > to the right"))
    }

    fn way(self, word: &str) -> Result<Direction, String> {
        let layout = Layout::of(self.rules);
        let direction = if let Ok(arrow) = word.parse::<Arrow>() {
            layout.direction(self.seat, arrow)
        } else if let Ok(turning) = word.parse::<Turning>() {
            layout.direction_of(turning)
        } else if is_numeric(word) {
            return Err("that is more than one move; type one house".to_owned());
        } else {
            return Err(format!(
                "{} is not a direction; expected < or >, clockwise or anticlockwise",
                quoted(word)
            ));
        };
        match self.rules.direction.directions() {
            directions if directions.contains(&direction) => Ok(direction),
            directions => Err(format!("these rules sow {} only", layout.turning(directions[0]))),
        }
    }

    fn change(self, setting: &str, value: &str) -> Result<Change, String> {
        let (fewest, most) = seeds_offered(self.rules);
        let (change, expected) = match setting {
            "seeds" => {
                let seeds = value.parse().ok().filter(|seeds| (fewest..=most).contains(seeds));
                let change = seeds.and_then(SeedsAHouse::new).map(Change::Seeds);
                (change, &*format!("{fewest} to {most}"))
            }
            "direction" => {
                let turning = value.parse().ok().map(|it| Layout::of(self.rules).direction_of(it));
                let rule = match turning {
                    Some(Direction::Forward) => Some(DirectionRule::Forward),
                    Some(Direction::Backward) => Some(DirectionRule::Backward),
                    None => (value == "either").then_some(DirectionRule::Either),
                };
                (rule.map(Change::Direction), "clockwise, anticlockwise or either")
            }
            "level" => {
                let expected = "random, easy, average, hard or expert";
                (built_in(value).map(Change::Level), expected)
            }
            _ => {
                let players = [("1", Change::OnePlayer), ("2", Change::TwoPlayers)];
                let found = players.into_iter().find(|(number, _)| *number == value);
                (found.map(|(_, change)| change), "1 or 2")
            }
        };
        change.ok_or_else(|| format!("{setting}: expected {expected}"))
    }
}

/// The house of a number that was typed.
fn house(word: &str) -> Result<House, String> {
    let is_whole = word.trim_start_matches(['-', '+']).chars().all(|c| c.is_ascii_digit());
    if !is_whole {
        return Err(format!("{} is not a whole number; houses are 1 to 6", quoted(word)));
    }
    let number = if word.len() == 1 { word.parse().ok() } else { None };
    number
        .and_then(house_numbered)
        .ok_or_else(|| format!("there is no house {}; houses are 1 to 6", quoted(word)))
}

/// Whether a word was meant as a number, a house or not.
fn is_numeric(word: &str) -> bool {
    let word = word.trim_start_matches(['-', '+']);
    word.starts_with(|c: char| c.is_ascii_digit() || c == '.')
        && word.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ',' | '/' | 'e'))
}

/// Most characters of a line that are shown again.
const SHOWN: usize = 30;

/// What a player typed, fit to be shown.
fn quoted(typed: &str) -> String {
    let typed = printable(typed);
    if typed.chars().count() <= SHOWN {
        return format!("\"{typed}\"");
    }
    let beginning: String = typed.chars().take(SHOWN).collect();
    format!("\"{beginning}...\"")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::RulesetName;

    fn read(rules: &Ruleset, seat: Seat, line: &str) -> Result<PlayCommand, String> {
        LineReader { seat, rules }.read(line)
    }

    fn play(number: u8, direction: Direction) -> PlayCommand {
        PlayCommand::Play(Ply { house: house_numbered(number).unwrap(), direction })
    }

    #[test]
    fn a_move_is_the_printed_number() {
        let rules = RulesetName::Cs221.rules();
        for number in 1..=6 {
            let typed = read(&rules, Seat::B, &format!(" {number}\t"));
            assert_eq!(typed, Ok(play(number, Direction::Forward)));
        }
        assert_eq!(read(&rules, Seat::A, "3 >"), Ok(play(3, Direction::Forward)));
        assert_eq!(read(&rules, Seat::B, "3<"), Ok(play(3, Direction::Forward)));
        assert_eq!(read(&rules, Seat::A, "3 anticlockwise"), Ok(play(3, Direction::Forward)));
    }

    #[test]
    fn whatever_is_no_move_is_explained() {
        let rules = RulesetName::Cs221.rules();
        for (line, why) in [
            ("", "nothing was typed"),
            ("   ", "nothing was typed"),
            ("0", "there is no house \"0\""),
            ("7", "there is no house \"7\""),
            ("-1", "there is no house \"-1\""),
            ("+3", "there is no house \"+3\""),
            ("03", "there is no house \"03\""),
            ("99999999999999999999999", "there is no house"),
            ("2.5", "\"2.5\" is not a whole number"),
            (".5", "\".5\" is not a whole number"),
            ("1/2", "\"1/2\" is not a whole number"),
            ("2,5", "\"2,5\" is not a whole number"),
            ("3e0", "\"3e0\" is not a whole number"),
            ("3 4", "that is more than one move"),
            ("1 2 3", "\"1 2 3\" is more than one move"),
            ("three", "\"three\" is neither a house nor a word"),
            ("a1", "\"a1\" is neither"),
            ("3!", "\"3!\" is neither"),
            ("play 3", "\"play 3\" is neither"),
            ("\u{1b}[A", "\"\\u{1b}[a\" is neither"),
            ("３", "is neither"),
            ("3 <", "these rules sow anticlockwise only"),
            ("3 clockwise", "these rules sow anticlockwise only"),
            ("3 up", "\"up\" is not a direction"),
            ("3 < >", "is more than one move"),
            ("seeds", "seeds: expected 1 to 20"),
            ("seeds 0", "seeds: expected 1 to 20"),
            ("seeds 21", "seeds: expected 1 to 20"),
            ("seeds 2.5", "seeds: expected"),
            ("seeds 3 4", "seeds: expected"),
            ("level best", "level: expected random, easy, average, hard or expert"),
            ("level easy --seed", "level: expected"),
            ("players 3", "players: expected 1 or 2"),
            ("direction up", "direction: expected clockwise"),
            ("undo 3", "\"undo 3\" is neither"),
        ] {
            let error = read(&rules, Seat::A, line).unwrap_err();
            assert!(error.contains(why), "{line:?}: {error}");
        }
        let long = read(&rules, Seat::A, &"x".repeat(5000)).unwrap_err();
        assert!(long.len() < 200, "{long}");
    }

    #[test]
    fn where_both_directions_are_free_one_is_said() {
        let mut rules = RulesetName::Mancala5000.rules();
        rules.direction = DirectionRule::Either;
        // Below, clockwise is to the left; above, to the right.
        assert_eq!(read(&rules, Seat::A, "3<"), Ok(play(3, Direction::Forward)));
        assert_eq!(read(&rules, Seat::A, "3 >"), Ok(play(3, Direction::Backward)));
        assert_eq!(read(&rules, Seat::B, "3 >"), Ok(play(3, Direction::Forward)));
        assert_eq!(read(&rules, Seat::B, "3 clockwise"), Ok(play(3, Direction::Forward)));
        assert_eq!(read(&rules, Seat::B, "3 CounterClockwise"), Ok(play(3, Direction::Backward)));
        let error = read(&rules, Seat::A, "3").unwrap_err();
        assert_eq!(error, "say which way too: 3 < sows to the left, 3 > to the right");
    }

    #[test]
    fn settings_are_words() {
        let rules = RulesetName::Mancala5000.rules();
        let change = |line: &str| match read(&rules, Seat::A, line) {
            Ok(PlayCommand::NewGame(Some(change))) => change,
            other => panic!("{line}: {other:?}"),
        };
        assert_eq!(change("seeds 8"), Change::Seeds(SeedsAHouse::new(8).unwrap()));
        assert_eq!(change("Level Hard"), Change::Level(built_in("hard").unwrap()));
        assert_eq!(change("players 1"), Change::OnePlayer);
        assert_eq!(change("players 2"), Change::TwoPlayers);
        assert_eq!(change("direction clockwise"), Change::Direction(DirectionRule::Forward));
        assert_eq!(change("direction anticlockwise"), Change::Direction(DirectionRule::Backward));
        assert_eq!(change("direction either"), Change::Direction(DirectionRule::Either));
        for line in ["seeds 2", "seeds 9"] {
            assert_eq!(read(&rules, Seat::A, line), Err("seeds: expected 3 to 8".to_owned()));
        }
    }
}
