//! The result of an analysis, for people and programs.

use std::fmt::Display;
use std::io::{self, Write};

use super::format::{OutputFormat, write_result};
use super::table::{Column, ColumnNote, Table, or_empty};
use super::width::Width;
use crate::analysis::{AnalysedMove, Analysis, AnalysisRow, WorstMove};
use crate::text::{and_listed, counted, printable};

/// Which matches an analysis is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnalysisExtent {
    /// The number of matches in all files that count, analysed or not.
    pub matches_that_count: u64,
    /// True if some of them were taken from the copy that an earlier analysis left.
    pub is_resumed: bool,
    /// What was added up, and what was left out.
    pub remarks: Vec<String>,
}

/// Writes the result of an analysis; a table for a terminal is fitted to `width`.
///
/// # Errors
///
/// When the writer fails.
pub fn write_analysis(
    out: &mut dyn Write,
    analysis: &Analysis,
    extent: &AnalysisExtent,
    format: OutputFormat,
    width: Width,
) -> io::Result<()> {
    let tables = || {
        let worst = analysis.worst.as_deref().map(worst_for_people);
        [for_people(analysis, extent)].into_iter().chain(worst).collect()
    };
    let rows = || analysis.worst.as_deref().map_or_else(|| for_programs(analysis), worst_rows);
    write_result(out, (format, width), analysis, tables, rows)
}

fn for_people(analysis: &Analysis, extent: &AnalysisExtent) -> Table {
    let rows = &analysis.rows;
    let unsolved: u64 = rows.iter().map(|row| row.moves - row.solved).sum();
    let moves: u64 = rows.iter().map(|row| row.moves).sum();
    let all = extent.matches_that_count;
    let matches = match analysis.matches {
        analysed if analysed == all => counted(all, "match", "matches"),
        analysed => format!("{analysed} of {all} matches"),
    };
    let has_forfeits = rows.iter().any(|row| row.forfeits > 0);
    let rank = |row: &AnalysisRow| row.rank.map_or(TOO_LITTLE.to_owned(), |rank| rank.to_string());
    let known = |row: &AnalysisRow, cell: &dyn Display| {
        if row.solved == 0 { String::new() } else { cell.to_string() }
    };
    let mut table = Table::new([
        Column::text("rank", rows, rank),
        Column::text("bot", rows, |row| &row.name).cut_to(8),
        Column::number("rounds", rows, |row| row.rounds).left_out(2),
        Column::number("forfeits", rows, |row| row.forfeits).left_out(7).only_if(has_forfeits),
        Column::number("moves", rows, |row| row.moves).left_out(1),
        Column::number("judged", rows, |row| row.solved).left_out(6).only_if(unsolved > 0),
        Column::number("exact", rows, |row| known(row, &share(row))).left_out(5),
        Column::number("given away", rows, |row| seeds(row.lost_a_round)),
        Column::number("opening", rows, |row| seeds(row.by_phase.opening)).left_out(3),
        Column::number("middle", rows, |row| seeds(row.by_phase.middle)).left_out(3),
        Column::number("end", rows, |row| seeds(row.by_phase.end)).left_out(3),
        Column::number("blunders", rows, |row| known(row, &row.blunders)).left_out(4),
    ])
    .titled(format!("{matches}."));
    table.explain(&GIVEN_AWAY);
    if let Some(sentence) = too_little(rows) {
        table.remark(sentence);
    }
    if unsolved > 0 {
        let advice = if extent.is_resumed {
            "a longer --time needs a new file for --write, because values in this one are kept."
        } else {
            "a longer --time judges more."
        };
        table.remark(format!(
            "{unsolved} of {moves} moves were not judged, for lack of time, and do not count; {advice}"
        ));
    }
    for remark in &extent.remarks {
        table.remark(remark);
    }
    table
}

/// What the seeds are. Of the phases, `end` is left out last.
const GIVEN_AWAY: [ColumnNote; 3] = [
    (
        "given away",
        "Given away: seeds a round, against best play. Each phase is computed from its own judged \
         moves.",
    ),
    ("end", "Opening, middle and end: the same by thirds of the seeds in the houses."),
    ("blunders", "Blunders turned a win into less, or a draw into a loss."),
];

/// Why some of these bots have no rank; `None` if all have one.
pub(super) fn too_little(rows: &[AnalysisRow]) -> Option<String> {
    let unranked = rows.iter().filter(|row| row.rank.is_none());
    let (cut_short, unranked): (Vec<_>, Vec<_>) = unranked.partition(|row| is_cut_short(row));
    let (forfeited, others): (Vec<_>, Vec<_>) =
        unranked.into_iter().partition(|row| row.forfeits > 0);
    let by_forfeits = match (&forfeited[..], &others[..]) {
        ([], _) => String::new(),
        (_, []) => BY_FORFEITS.to_owned(),
        (forfeited, _) => format!("; {} forfeited rounds early", names_of(forfeited)),
    };
    let is_unranked = !forfeited.is_empty() || !others.is_empty();
    let judged = is_unranked.then(|| format!("{UNRANKED}{by_forfeits}"));
    let ended = (!cut_short.is_empty()).then(|| {
        let names = names_of(&cut_short);
        format!("no round of {names} was played to its end, because opponents forfeited")
    });
    let why: Vec<String> = judged.into_iter().chain(ended).collect();
    (!why.is_empty()).then(|| format!("{TOO_LITTLE}: {}.", why.join("; ")))
}

/// Whether its opponents forfeited all of its rounds.
const fn is_cut_short(row: &AnalysisRow) -> bool {
    let is_judged = row.solved > 0 || row.moves == 0;
    row.rounds > 0 && row.forfeits == 0 && row.lost_a_round.is_none() && is_judged
}

fn names_of(rows: &[&AnalysisRow]) -> String {
    and_listed(rows.iter().map(|row| printable(&row.name)), MOST_NAMES)
}

/// Most names in a sentence.
const MOST_NAMES: usize = 20;

/// In place of a rank.
pub(super) const TOO_LITTLE: &str = "too little";

const UNRANKED: &str = "less than half of the moves of a bot's rounds could be judged";

/// Why, where a bot without a rank forfeited rounds.
const BY_FORFEITS: &str = ", mostly because it forfeited them early";

pub(super) fn seeds(number: Option<f64>) -> String {
    number.map(|number| format!("{number:.2}")).unwrap_or_default()
}

/// The share of solved moves that gave nothing away.
fn share(row: &AnalysisRow) -> String {
    format!("{:.1} %", 100.0 * row.exact as f64 / row.solved as f64)
}

pub(super) fn for_programs(analysis: &Analysis) -> Table {
    let rows = &analysis.rows;
    let phase = |seeds: Option<f64>| seeds.map(|seeds| format!("{seeds:.4}")).unwrap_or_default();
    Table::new([
        Column::text("name", rows, |row| &row.name),
        Column::number("rounds", rows, |row| row.rounds),
        Column::number("moves", rows, |row| row.moves),
        Column::number("solved", rows, |row| row.solved),
        Column::number("exact", rows, |row| row.exact),
        Column::number("seeds_lost", rows, |row| row.seeds_lost),
        Column::number("blunders", rows, |row| row.blunders),
        Column::number("opening", rows, |row| phase(row.by_phase.opening)),
        Column::number("middle", rows, |row| phase(row.by_phase.middle)),
        Column::number("end", rows, |row| phase(row.by_phase.end)),
        Column::number("rank", rows, |row| or_empty(row.rank)),
        Column::number("forfeits", rows, |row| row.forfeits),
        Column::number("lost_a_round", rows, |row| phase(row.lost_a_round)),
    ])
}

fn worst_for_people(worst: &[WorstMove]) -> Table {
    let has_files = worst.iter().any(|found| found.file != worst[0].file);
    let has_tournaments = worst.iter().any(|found| found.tournament_match.is_some());
    let better = |found: &WorstMove| found.better.map_or("not found".to_owned(), move_text);
    if worst.is_empty() {
        return Table::of_text(["No judged move gave anything away.".to_owned()]);
    }
    let mut table = Table::new([
        Column::text("file", worst, |found| &found.file).cut_to(8).only_if(has_files),
        Column::number("match", worst, |found| found.number),
        Column::number("in tournament", worst, |found| or_empty(found.tournament_match))
            .left_out(1)
            .only_if(has_tournaments),
        Column::number("round", worst, |found| found.round).left_out(4),
        Column::number("move", worst, |found| found.move_number).left_out(3),
        Column::text("bot", worst, |found| &found.name).cut_to(7),
        Column::text("played", worst, |found| move_text(found.played)).left_out(6),
        Column::text("better", worst, better).left_out(5),
        Column::number("given away", worst, |found| found.loss),
        Column::number("value", worst, |found| found.value).left_out(2),
    ])
    .titled("The moves that gave away most:");
    table.explain(&[(
        "value",
        "Value: what the position before the move was worth to the mover: its final margin under best \
         play by both sides, counted from there. What it kept is value less given away.",
    )]);
    let file = match &*worst[0].file {
        file if has_files || file == "-" => "FILE".into(),
        file => shell_words::quote(file),
    };
    table.remark(format!("mancala replay {file} --match N --round N shows the board."));
    table
}

/// `3`, or `3 backward` where the rules have a choice.
pub(super) fn move_text(played: AnalysedMove) -> String {
    match played.direction {
        Some(direction) => format!("{} {direction}", played.house),
        None => played.house.to_string(),
    }
}

fn worst_rows(worst: &[WorstMove]) -> Table {
    let better = |found: &WorstMove| found.better.map(move_text).unwrap_or_default();
    let board = |found: &WorstMove| found.board.cells().map(|seeds| seeds.to_string()).join(" ");
    Table::new([
        Column::text("file", worst, |found| &found.file),
        Column::number("match", worst, |found| found.number),
        Column::number("tournament_match", worst, |found| or_empty(found.tournament_match)),
        Column::number("round", worst, |found| found.round),
        Column::number("move_number", worst, |found| found.move_number),
        Column::text("name", worst, |found| &found.name),
        Column::number("board", worst, board),
        Column::number("value", worst, |found| found.value),
        Column::number("loss", worst, |found| found.loss),
        Column::number("played", worst, |found| move_text(found.played)),
        Column::number("better", worst, better),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worst_move_is_found_in_its_file_at_any_width() {
        let chosen = AnalysedMove { house: crate::rules::House::new(2).unwrap(), direction: None };
        let worst = |file: &str| WorstMove {
            file: file.to_owned(),
            number: 1,
            tournament_match: Some(1),
            round: 1,
            move_number: 5,
            name: "ann".to_owned(),
            board: crate::rules::Board::from_cells([3; 14]).unwrap(),
            value: 4,
            loss: 30,
            played: chosen,
            better: Some(chosen),
        };
        let drawn = |worst: &[WorstMove]| {
            let mut out = Vec::new();
            let (table, width) = (worst_for_people(worst), Width::Columns(60));
            crate::report::terminal::write_tables(&mut out, &[table], width).unwrap();
            String::from_utf8(out).unwrap()
        };
        let two = drawn(&[worst("one.jsonl"), worst("two.jsonl")]);
        assert!(two.contains("\u{2502} one.jsonl \u{2502}"), "{two}");
        assert!(two.contains("mancala replay FILE --match"), "{two}");
        let one = drawn(&[worst("my games.jsonl")]);
        assert!(one.contains("mancala replay 'my games.jsonl' --match"), "{one}");
        assert!(drawn(&[worst("-")]).contains("mancala replay FILE --match"));
    }

    #[test]
    fn a_narrow_terminal_shows_the_move_and_the_better_one() {
        let chosen = AnalysedMove { house: crate::rules::House::new(2).unwrap(), direction: None };
        let worst = WorstMove {
            file: "one.jsonl".to_owned(),
            number: 1,
            tournament_match: None,
            round: 1,
            move_number: 5,
            name: "a_name_of_a_bot".to_owned(),
            board: crate::rules::Board::from_cells([3; 14]).unwrap(),
            value: 4,
            loss: 30,
            played: chosen,
            better: Some(chosen),
        };
        let drawn = |columns| {
            let mut out = Vec::new();
            let (table, width) = (worst_for_people(std::slice::from_ref(&worst)), columns);
            crate::report::terminal::write_tables(&mut out, &[table], width).unwrap();
            String::from_utf8(out).unwrap()
        };
        let narrow = drawn(Width::Columns(50));
        assert!(
            narrow.contains(" played \u{2502} better \u{2502} given away \u{2502}"),
            "{narrow}"
        );
        assert!(narrow.contains("Not shown in this width: round, move, value"), "{narrow}");
        let wide = drawn(Width::Columns(100)).replace('\n', " ");
        assert!(
            wide.contains("what the position before the move was worth to the mover"),
            "{wide}"
        );
    }

    #[test]
    fn only_bots_that_forfeited_are_said_to_have() {
        let row = |name: &str, rank, forfeits| AnalysisRow {
            name: name.to_owned(),
            rank,
            forfeits,
            ..AnalysisRow::default()
        };
        let (good, slow) = (row("good", Some(1), 1), row("slow", None, 0));
        let (dies, quits) = (row("dies", None, 2), row("quits", None, 1));
        let why = |rows: &[&AnalysisRow]| {
            let rows: Vec<AnalysisRow> = rows.iter().map(|row| (*row).clone()).collect();
            too_little(&rows).map(|words| words.replace(&format!("{TOO_LITTLE}: {UNRANKED}"), ""))
        };
        assert_eq!(why(&[&good]), None);
        assert_eq!(why(&[&good, &slow]).as_deref(), Some("."));
        assert_eq!(why(&[&dies]).unwrap(), format!("{BY_FORFEITS}."));
        let won = AnalysisRow { rounds: 2, moves: 9, solved: 9, ..row("won", None, 0) };
        let no_round = "no round of won was played to its end, because opponents forfeited.";
        assert_eq!(why(&[&won, &good]).unwrap(), format!("{TOO_LITTLE}: {no_round}"));
        assert_eq!(why(&[&won, &slow]).unwrap(), format!("; {no_round}"));
        let some = "; dies and quits forfeited rounds early.";
        assert_eq!(why(&[&slow, &dies, &good, &quits]).as_deref(), Some(some));
    }
}
