//! Exact values for people and programs: a table, JSON (`mancala-solve/1`), CSV.

use std::io::{self, Write};
use std::time::Duration;

use schemars::JsonSchema;
use serde::Serialize;

use super::analysis::move_text;
use super::format::{OutputFormat, write_result};
use super::table::or_empty;
use super::{Column, Table, Width};
use crate::analysis::AnalysedMove;
use crate::record::milliseconds;
use crate::rules::{Board, Ply, Ruleset};
use crate::solve::{Bounds, Solution};

/// A position and what was found out about it.
#[derive(Clone, Copy, Debug)]
pub struct Solved<'a> {
    pub rules: &'a Ruleset,
    /// The position in the view of the player to move.
    pub board: Board,
    /// What was found out.
    pub solution: &'a Solution,
    /// How long it took.
    pub time: Duration,
}

/// Writes what was found out.
///
/// # Errors
///
/// When the writer fails.
pub fn write_solution(
    out: &mut dyn Write,
    solved: &Solved,
    format: OutputFormat,
    width: Width,
) -> io::Result<()> {
    let (tables, rows) = (|| vec![for_people(solved)], || for_programs(solved));
    write_result(out, (format, width), &json(solved), tables, rows)
}

/// `+2`, or `-4 to +10` where it is not known exactly.
pub fn bounds_text(bounds: Bounds) -> String {
    match bounds.exact() {
        Some(0) => "0".to_owned(),
        Some(value) => format!("{value:+}"),
        None => format!("{:+} to {:+}", bounds.at_least, bounds.at_most),
    }
}

fn for_people(solved: &Solved) -> Table {
    let Solved { rules, board, solution, time } = *solved;
    let moves = &solution.moves;
    let score = |value: Bounds| value.exact().map(|value| final_score(board, value));
    let loss = |value: Bounds| match (solution.value.exact(), value.exact()) {
        (Some(best), Some(value)) => (best - value).to_string(),
        _ => String::new(),
    };
    let mut table = Table::new([
        Column::text("move", moves, |found| move_text(played(rules, found.ply))),
        Column::number("value", moves, |found| bounds_text(found.value)),
        Column::number("final score", moves, |found| score(found.value).unwrap_or_default())
            .left_out(1),
        Column::number("loss", moves, |found| loss(found.value)).left_out(2),
    ])
    .titled(title(board, solution.value));
    if !solution.line.is_empty() {
        table.remark(format!("best play: {}", line_text(rules, &solution.line)));
    }
    table.remark(format!("{} positions in {:.2} s", solution.nodes, time.as_secs_f64()));
    table
}

/// The value, and what it means. Where the stores differ, the final score may have the other sign.
fn title(board: Board, value: Bounds) -> String {
    let (number, outcome) = (bounds_text(value), outcome(board, value));
    let whole = value.plus(board.lead());
    let is_known = whole.exact().is_some() || whole.at_least > 0 || whole.at_most < 0;
    if board.lead() != 0 && is_known {
        return format!("value: {number} from here on; with the stores {outcome}");
    }
    format!("value: {number}, {outcome}")
}

/// What the value means for the final score, with what the stores hold counted in.
fn outcome(board: Board, value: Bounds) -> String {
    let whole = value.plus(board.lead());
    match whole.exact() {
        Some(margin) => {
            let score = final_score(board, margin - board.lead());
            match margin.signum() {
                1 => format!("the player to move wins {score} under best play"),
                0 => format!("a draw, {score}, under best play"),
                _ => format!("the player to move loses {score} under best play"),
            }
        }
        None if whole.at_least > 0 => "the player to move wins; how high is not known".to_owned(),
        None if whole.at_most < 0 => "the player to move loses; how high is not known".to_owned(),
        None => "not solved: the value is between these bounds".to_owned(),
    }
}

/// The mover's and the opponent's seeds at the end, from a position and its value to the mover.
pub fn final_seeds(board: Board, value: i16) -> [i16; 2] {
    let seeds = i16::from(board.seeds());
    let own = (seeds + value + board.lead()) / 2;
    [own, seeds - own]
}

fn final_score(board: Board, value: i16) -> String {
    let [own, other] = final_seeds(board, value);
    format!("{own}-{other}")
}

fn played(rules: &Ruleset, ply: Ply) -> AnalysedMove {
    let direction = rules.direction.is_a_choice().then_some(ply.direction);
    AnalysedMove { house: ply.house, direction }
}

/// The moves of each turn together, turns separated by a bar.
fn line_text(rules: &Ruleset, line: &[(bool, Ply)]) -> String {
    let turns = line.chunk_by(|(before, _), (by, _)| before == by);
    let turns = turns.map(|turn| {
        let plies: Vec<String> =
            turn.iter().map(|&(_, ply)| move_text(played(rules, ply))).collect();
        plies.join(" ")
    });
    turns.collect::<Vec<_>>().join(" | ")
}

/// A row for each move, or one for the position if no best move is known.
fn for_programs(solved: &Solved) -> Table {
    let Solution { value, moves, .. } = solved.solution;
    let mut rows: Vec<(Option<Ply>, Bounds)> =
        moves.iter().map(|found| (Some(found.ply), found.value)).collect();
    if rows.is_empty() {
        rows.push((None, *value));
    }
    Table::new([
        Column::number("move", &rows, |(ply, _)| or_empty(ply.map(|ply| ply.house))),
        Column::text("direction", &rows, |(ply, _)| or_empty(ply.map(|ply| ply.direction))),
        Column::number("at_least", &rows, |(_, value)| value.at_least),
        Column::number("at_most", &rows, |(_, value)| value.at_most),
        Column::text("exact", &rows, |(_, value)| value.exact().is_some()),
    ])
}

/// The `format` field of a solution.
const FORMAT: &str = "mancala-solve/1";

/// A position and what it is worth, in JSON.
#[derive(Serialize, JsonSchema)]
pub struct SolutionJson {
    #[schemars(extend("const" = FORMAT))]
    format: &'static str,
    rules: Ruleset,
    /// The position, seen by the player to move.
    board: Board,
    value: ValueJson,
    /// Whether the value is a number.
    exact: bool,
    /// The legal moves, or one that keeps the value.
    moves: Vec<MoveJson>,
    /// A line of best play.
    line: Vec<LineJson>,
    /// Positions searched.
    nodes: u64,
    /// The time it took, in milliseconds.
    ms: f64,
}

#[derive(Serialize, JsonSchema)]
struct MoveJson {
    #[serde(flatten)]
    found: AnalysedMove,
    /// What it is worth to the player who makes it.
    value: ValueJson,
    /// Whether the value is a number.
    exact: bool,
}

#[derive(Serialize, JsonSchema)]
struct LineJson {
    /// 0 for the player to move, 1 for the opponent.
    #[schemars(range(max = 1))]
    by: u8,
    #[serde(flatten)]
    found: AnalysedMove,
}

/// A number, or two bounds of it that are proven.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
enum ValueJson {
    Exact(i16),
    Between { at_least: i16, at_most: i16 },
}

impl From<Bounds> for ValueJson {
    fn from(value: Bounds) -> ValueJson {
        let Bounds { at_least, at_most } = value;
        value.exact().map_or(ValueJson::Between { at_least, at_most }, ValueJson::Exact)
    }
}

fn json(solved: &Solved) -> SolutionJson {
    let Solved { rules, board, solution, time } = *solved;
    let moves = solution.moves.iter().map(|found| MoveJson {
        found: played(rules, found.ply),
        value: found.value.into(),
        exact: found.value.exact().is_some(),
    });
    let line = solution.line.iter();
    let line = line.map(|&(own, ply)| LineJson { by: u8::from(!own), found: played(rules, ply) });
    SolutionJson {
        format: FORMAT,
        rules: *rules,
        board,
        value: solution.value.into(),
        exact: solution.value.exact().is_some(),
        moves: moves.collect(),
        line: line.collect(),
        nodes: solution.nodes,
        ms: milliseconds(time),
    }
}
