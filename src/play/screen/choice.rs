//! What the keys choose: a house, a way, or a line that is typed.

use super::super::board_game::BoardGame;
use super::super::keyboard::Input;
use super::super::layout::Arrow;
use super::super::typed_line::{LineReader, PlayCommand};
use super::super::view::CommandOrMistake;
use super::keys::Pressed;
use crate::rules::{Direction, House, Ply};
use crate::seat::{PerSeat, Seat};
use crate::text::printable;

/// What has been chosen so far.
pub(super) struct HouseChoice {
    /// The move that Enter would make for each player.
    pub(super) chosen: PerSeat<Ply>,
    /// A line that is being typed after `:`.
    pub(super) line: Option<String>,
}

/// Most characters of a line that can be typed.
const LONGEST_LINE: usize = 60;

impl HouseChoice {
    /// Nothing chosen yet: the first house is.
    pub(super) const fn new() -> HouseChoice {
        let first = Ply { house: House::ALL[0], direction: Direction::Forward };
        HouseChoice { chosen: PerSeat([first; 2]), line: None }
    }

    /// Makes the choice one that can be played, for a player who is asked anew.
    pub(super) fn make_playable(&mut self, table: &BoardGame, seat: Seat) {
        let has_seeds = |house: &House| table.game.board().seeds_in(*house) > 0;
        let Ply { house, direction } = &mut self.chosen[seat];
        if !has_seeds(house) {
            let other = table.layout.row(seat).into_iter().find(has_seeds);
            *house = other.unwrap_or(*house);
        }
        let directions = table.contest.rules.direction.directions();
        if !directions.contains(direction) {
            *direction = directions[0];
        }
    }

    /// What a key asks for; nothing while it only chooses or types.
    pub(super) fn press(
        &mut self,
        table: &BoardGame,
        seat: Seat,
        key: Pressed,
    ) -> Option<Input<CommandOrMistake>> {
        if self.line.is_some() {
            return self.type_on(table, seat, key);
        }
        let read = |line: &str| read(table, seat, line);
        match key {
            Pressed::Left => self.step(table, seat, Arrow::Left),
            Pressed::Right => self.step(table, seat, Arrow::Right),
            Pressed::Up | Pressed::Down | Pressed::Tab => self.turn(table, seat),
            Pressed::Enter => {
                return Some(Input::Entered(Ok(PlayCommand::Play(self.chosen[seat]))));
            }
            Pressed::EndOfInput => return Some(Input::End),
            Pressed::Interrupt => return Some(Input::Interrupted),
            Pressed::Character(':') => self.line = Some(String::new()),
            // As if it were typed with the house: the rules say the same words.
            Pressed::Character(arrow @ ('<' | '>')) => match read(&format!("1 {arrow}")) {
                Ok(PlayCommand::Play(ply)) => self.chosen[seat].direction = ply.direction,
                other => return Some(Input::Entered(other)),
            },
            Pressed::Character(digit @ '1'..='6') => {
                self.chosen[seat].house = House::ALL[digit as usize - '1' as usize];
            }
            Pressed::Character(key) if "0789uh?rnq".contains(key.to_ascii_lowercase()) => {
                return Some(Input::Entered(read(&key.to_string())));
            }
            Pressed::Character(other) => {
                let other = printable(&other.to_string());
                let why = format!("unknown key \"{other}\"; ? shows the keys");
                return Some(Input::Entered(Err(why)));
            }
            Pressed::Backspace | Pressed::Escape | Pressed::Other => {}
        }
        None
    }

    /// Goes along the row to the next house that holds seeds.
    fn step(&mut self, table: &BoardGame, seat: Seat, arrow: Arrow) {
        let mut row = table.layout.row(seat);
        if arrow == Arrow::Left {
            row.reverse();
        }
        let house = &mut self.chosen[seat].house;
        let after = row.into_iter().skip_while(|other| other != house).skip(1);
        let mut with_seeds = after.filter(|&house| table.game.board().seeds_in(house) > 0);
        *house = with_seeds.next().unwrap_or(*house);
    }

    /// Turns the way, where it is free.
    fn turn(&mut self, table: &BoardGame, seat: Seat) {
        let direction = &mut self.chosen[seat].direction;
        let directions = table.contest.rules.direction.directions();
        let other = directions.iter().find(|other| *other != direction);
        *direction = other.copied().unwrap_or(*direction);
    }

    /// What a key does to the line that is being typed.
    fn type_on(
        &mut self,
        table: &BoardGame,
        seat: Seat,
        key: Pressed,
    ) -> Option<Input<CommandOrMistake>> {
        let line = self.line.as_mut()?;
        match key {
            Pressed::Character(character) if line.chars().count() < LONGEST_LINE => {
                line.push(character);
            }
            Pressed::Backspace => {
                line.pop();
            }
            Pressed::Escape => self.line = None,
            Pressed::EndOfInput => return Some(Input::End),
            Pressed::Interrupt => return Some(Input::Interrupted),
            Pressed::Enter => {
                return self.line.take().map(|line| Input::Entered(read(table, seat, &line)));
            }
            _ => {}
        }
        None
    }
}

fn read(table: &BoardGame, seat: Seat, line: &str) -> CommandOrMistake {
    LineReader { seat, rules: &table.contest.rules }.read(line)
}

#[cfg(test)]
mod tests {
    use super::super::super::settings::{FirstPlayer, GameSettings};
    use super::*;
    use crate::rules::{DirectionRule, Ruleset, RulesetName};

    fn table(rules: Ruleset, opening: &str) -> BoardGame {
        let opening = Some(opening.parse().unwrap());
        BoardGame::new(&GameSettings {
            rules,
            opening,
            against: None,
            starter: FirstPlayer::Me,
            terms: crate::record::Terms::default(),
        })
    }

    fn press(
        choice: &mut HouseChoice,
        table: &BoardGame,
        keys: &[Pressed],
    ) -> Option<Input<CommandOrMistake>> {
        choice.make_playable(table, Seat::A);
        keys.iter().find_map(|&key| choice.press(table, Seat::A, key))
    }

    fn played(asked: Option<Input<CommandOrMistake>>) -> (u8, Direction) {
        match asked {
            Some(Input::Entered(Ok(PlayCommand::Play(ply)))) => {
                (ply.house.cell() + 1, ply.direction)
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn arrows_follow_the_screen_and_pass_over_empty_houses() {
        let opening = "0,3,0,0,2,1,0,3,3,3,3,3,3,0";
        let cs221 = table(RulesetName::Cs221.rules(), opening);
        let mut choice = HouseChoice::new();
        assert_eq!(played(press(&mut choice, &cs221, &[Pressed::Enter])).0, 2);
        assert_eq!(played(press(&mut choice, &cs221, &[Pressed::Right, Pressed::Enter])).0, 5);
        assert_eq!(
            played(press(&mut choice, &cs221, &[Pressed::Right, Pressed::Right, Pressed::Enter])).0,
            6
        );
        assert_eq!(played(press(&mut choice, &cs221, &[Pressed::Left, Pressed::Enter])).0, 5);
        // Mancala5000 draws the row the other way round.
        let mirrored = table(RulesetName::Mancala5000.rules(), opening);
        assert_eq!(played(press(&mut choice, &mirrored, &[Pressed::Right, Pressed::Enter])).0, 2);
    }

    #[test]
    fn the_way_turns_where_it_is_free() {
        let mut rules = RulesetName::Mancala5000.rules();
        let opening = "4,4,4,4,4,4,0,4,4,4,4,4,4,0";
        let mut choice = HouseChoice::new();
        let fixed = table(rules, opening);
        assert_eq!(
            played(press(&mut choice, &fixed, &[Pressed::Up, Pressed::Enter])).1,
            Direction::Forward
        );
        rules.direction = DirectionRule::Either;
        let free = table(rules, opening);
        assert_eq!(
            played(press(&mut choice, &free, &[Pressed::Up, Pressed::Enter])).1,
            Direction::Backward
        );
        let left = [Pressed::Character('<'), Pressed::Enter];
        assert_eq!(played(press(&mut choice, &free, &left)).1, Direction::Forward);
        rules.direction = DirectionRule::Backward;
        let backward = table(rules, opening);
        assert_eq!(played(press(&mut choice, &backward, &[Pressed::Enter])).1, Direction::Backward);
        let Some(Input::Entered(Err(why))) =
            press(&mut choice, &backward, &[Pressed::Character('<')])
        else {
            panic!()
        };
        assert!(why.contains("anticlockwise only"), "{why}");
    }

    #[test]
    fn a_line_is_typed_after_a_colon() {
        let cs221 = table(RulesetName::Cs221.rules(), "4,4,4,4,4,4,0,4,4,4,4,4,4,0");
        let mut choice = HouseChoice::new();
        let typed = |text: &str| text.chars().map(Pressed::Character).collect::<Vec<_>>();
        assert_eq!(press(&mut choice, &cs221, &typed(":seeds 55")), None);
        assert_eq!(choice.line.as_deref(), Some("seeds 55"));
        let asked = press(&mut choice, &cs221, &[Pressed::Backspace, Pressed::Enter]);
        assert!(
            matches!(asked, Some(Input::Entered(Ok(PlayCommand::NewGame(Some(_)))))),
            "{asked:?}"
        );
        assert_eq!(press(&mut choice, &cs221, &typed(":q")), None);
        assert_eq!(press(&mut choice, &cs221, &[Pressed::Escape]), None);
        assert_eq!(choice.line.as_deref(), None);
    }

    #[test]
    fn a_key_without_meaning_says_so() {
        let cs221 = table(RulesetName::Cs221.rules(), "4,4,4,4,4,4,0,4,4,4,4,4,4,0");
        let asked = press(&mut HouseChoice::new(), &cs221, &[Pressed::Character('Q')]);
        assert_eq!(asked, Some(Input::Entered(Ok(PlayCommand::Quit))));
        for key in ['x', '0', '7', 'é', '\u{202e}'] {
            let asked = press(&mut HouseChoice::new(), &cs221, &[Pressed::Character(key)]);
            assert!(matches!(asked, Some(Input::Entered(Err(_)))), "{key:?}: {asked:?}");
        }
    }
}
