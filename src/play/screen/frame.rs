//! The whole screen as lines: title, board, question, what was said, keys.

use super::super::board_game::BoardGame;
use super::super::layout::number;
use super::super::words;
use super::board::{BoardPlace, Widths, board, landing, own_look};
use super::terminal::{Look, StyledLine};
use crate::rules::{Ply, Sower};
use crate::seat::Seat;
use crate::text::wrap;

/// What a screen shows.
pub(super) struct ScreenContent<'a> {
    pub(super) table: &'a BoardGame,
    /// What is asked, or what is going on.
    pub(super) heading: &'a str,
    /// The move under the cursor.
    pub(super) chosen: Option<(Seat, Ply)>,
    /// Why what was entered is not done.
    pub(super) explained: Option<&'a str>,
    /// What was said, the last line last.
    pub(super) said: &'a [String],
    /// The keys that mean something now.
    pub(super) keys: &'a [&'a str],
}

/// No more of a window is drawn on, however large it says it is.
const MOST_COLUMNS: usize = 500;
pub(super) const MOST_ROWS: usize = 200;

/// Fewest rows in which everything that is needed is seen.
const FEWEST_ROWS: usize = 12;

/// The lines of a window of that size.
pub(super) fn frame(scene: &ScreenContent<'_>, (columns, rows): (usize, usize)) -> Vec<StyledLine> {
    let (columns, rows) = (columns.min(MOST_COLUMNS), rows.min(MOST_ROWS));
    let Some(widths) = Widths::that_fit(columns).filter(|_| rows >= FEWEST_ROWS) else {
        let text = "The window is too small: 40 columns and 12 lines are needed.";
        let lines = wrap(text, columns.saturating_sub(1).max(1)).into_iter().take(rows);
        return lines.map(|line| vec![(line, Look::Plain)]).collect();
    };
    let width = widths.total();
    let margin = " ".repeat((columns - width) / 2);
    let text = |text: &str, look: Look| -> Vec<StyledLine> {
        wrap(text, width).into_iter().map(|line| vec![(line, look)]).collect()
    };
    let board = board(scene.table, scene.chosen, widths);
    let mut question = text(scene.heading, scene.table.to_move().map_or(Look::Strong, own_look));
    if let Some((seat, ply)) = scene.chosen {
        question.extend(text(&preview(scene.table, seat, ply), Look::Plain));
    }
    if let Some(explained) = scene.explained {
        question.extend(text(explained, Look::Strong));
    }
    let keys = side_by_side(scene.keys, width);
    // What does not fit is left out: first the old lines, then the ornaments, then the keys.
    let is_roomy = rows >= board.len() + question.len() + keys.len() + 7;
    let mut lines: Vec<StyledLine> = Vec::new();
    if is_roomy {
        lines.extend(text(&title(scene.table), Look::Faint));
        lines.push(Vec::new());
    }
    lines.extend(board);
    if is_roomy {
        lines.push(Vec::new());
        // A question of one line or of two: what follows stays where it is.
        question.resize(question.len().max(3), Vec::new());
    }
    lines.extend(question);
    let below = if rows > lines.len() + keys.len() { keys } else { Vec::new() };
    let left = rows.saturating_sub(lines.len() + below.len() + usize::from(is_roomy));
    lines.extend(latest(scene.said, width, left).into_iter().map(|said| vec![(said, Look::Plain)]));
    if !below.is_empty() {
        lines.resize(rows - below.len(), Vec::new());
        lines.extend(below.into_iter().map(|keys| vec![(keys, Look::Faint)]));
    }
    lines.truncate(rows);
    for line in &mut lines {
        line.insert(0, (margin.clone(), Look::Plain));
    }
    lines
}

/// Joins what fits side by side into lines.
fn side_by_side(parts: &[&str], width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for part in parts {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 3 + part.chars().count() <= width => {
                line.push_str(" · ");
                line.push_str(part);
            }
            _ => lines.push((*part).to_owned()),
        }
    }
    lines
}

/// The last sentences that fit whole, or the end of the very last one.
fn latest(said: &[String], width: usize, rows: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for text in said.iter().rev() {
        let mut sentence = wrap(text, width);
        if lines.len() + sentence.len() > rows {
            if lines.is_empty() {
                lines = sentence.split_off(sentence.len() - rows);
            }
            break;
        }
        sentence.append(&mut lines);
        lines = sentence;
    }
    lines
}

fn title(table: &BoardGame) -> String {
    let [a, b] = Seat::BOTH.map(|seat| words::player(table, seat));
    format!("{}: {a} against {b}", table.contest.rules.name)
}

/// What the chosen move would do.
fn preview(table: &BoardGame, seat: Seat, ply: Ply) -> String {
    let board = table.game.board();
    let seeds = board.seeds_in(ply.house);
    if seeds == 0 {
        return format!("House {} is empty.", number(ply.house));
    }
    let place = match landing(table, seat, ply) {
        BoardPlace::House(owner, house) if owner == seat => format!("your house {}", number(house)),
        BoardPlace::House(_, house) => format!("the other player's house {}", number(house)),
        BoardPlace::Store(owner) if owner == seat => "your store".to_owned(),
        BoardPlace::Store(_) => "the other player's store".to_owned(),
    };
    let seeds = match seeds {
        1 => "1 seed; it".to_owned(),
        seeds => format!("{seeds} seeds; the last"),
    };
    let sown = Sower::new(&table.contest.rules).sow(board, ply);
    format!(
        "House {} has {seeds} falls into {place}: {}.",
        words::ply(table, seat, ply),
        words::kind(sown)
    )
}

#[cfg(test)]
mod tests {
    use super::super::super::settings::{FirstPlayer, GameSettings};
    use super::*;
    use crate::rules::{Direction, House, RulesetName};

    fn table(opening: &str) -> BoardGame {
        BoardGame::new(&GameSettings {
            rules: RulesetName::Cs221.rules(),
            opening: Some(opening.parse().unwrap()),
            against: None,
            terms: crate::record::Terms::default(),
            starter: FirstPlayer::Me,
        })
    }

    fn text(scene: &ScreenContent<'_>, size: (usize, usize)) -> Vec<String> {
        let lines = frame(scene, size);
        let line = |line: StyledLine| line.into_iter().map(|(text, _)| text).collect::<String>();
        lines.into_iter().map(line).collect()
    }

    const KEYS: [&str; 3] = ["←→ choose", "Enter play", "q quit"];

    #[test]
    fn it_fits_every_window_whatever_it_shows() {
        let table = table("0,100,0,0,0,9,0,0,0,0,0,30,0,101");
        let ply = Ply { house: House::ALL[1], direction: Direction::Forward };
        let said = ["a long sentence of many words ".repeat(9), "short".to_owned()];
        for columns in 1..120 {
            for rows in 1..40 {
                let scene = ScreenContent {
                    table: &table,
                    heading: "Player A, make a play",
                    chosen: Some((Seat::A, ply)),
                    explained: Some("House 1 is empty."),
                    said: &said,
                    keys: &KEYS,
                };
                let shown = text(&scene, (columns, rows));
                assert!(shown.len() <= rows, "{columns} by {rows}");
                let widest = shown.iter().map(|line| line.chars().count()).max().unwrap();
                // A word of the note about small windows may be wider than the smallest.
                assert!(widest < columns.max(8), "{columns} by {rows}: {shown:#?}");
                let is_told = shown.iter().any(|line| line.contains("make a play"));
                assert_eq!(is_told, columns >= 40 && rows >= FEWEST_ROWS, "{columns} by {rows}");
            }
        }
    }

    #[test]
    fn of_a_huge_window_only_a_part_is_drawn_on() {
        let table = table("5,5,5,5,5,5,0,5,5,5,5,5,5,0");
        let scene = ScreenContent {
            table: &table,
            heading: "Player A, make a play",
            chosen: None,
            explained: None,
            said: &[],
            keys: &KEYS,
        };
        let shown = text(&scene, (65_535, 65_535));
        let bytes: usize = shown.iter().map(String::len).sum();
        assert!(bytes < 100_000, "{bytes} bytes");
        assert!(shown.iter().any(|line| line.contains("make a play")));
    }

    #[test]
    fn a_window_of_40_columns_shows_all_that_is_needed() {
        let table = table("5,5,5,5,5,5,0,5,5,5,5,5,5,0");
        let ply = Ply { house: House::ALL[1], direction: Direction::Forward };
        let scene = ScreenContent {
            table: &table,
            heading: "Player A, make a play",
            chosen: Some((Seat::A, ply)),
            explained: None,
            said: &["Player A begins.".to_owned()],
            keys: &KEYS,
        };
        let expected = [
            "cs221: Player A against Player B",
            "",
            "      6    5    4    3    2    1  ",
            "    ┌────┬────┬────┬────┬────┬────┐",
            " B  │  5 │  5 │  5 │  5 │  5 │  5 │ A  ",
            "  0 ├────┼────┼────┼────┼────┼────┤( 0)",
            "    │  5 │[ 5]│  5 │  5 │  5 │  5 │",
            "    └────┴────┴────┴────┴────┴────┘",
            "      1    2    3    4    5    6  ",
            "",
            "Player A, make a play",
            "House 2 has 5 seeds; the last falls",
            "into your store: free turn.",
            "Player A begins.",
            "",
            "",
            "",
            "←→ choose · Enter play · q quit",
        ];
        assert_eq!(text(&scene, (40, 18)), expected);
    }
}
