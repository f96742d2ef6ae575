//! No line of a table is wider than the terminal, whatever stands in it.

use std::io::{self, Write};
use std::time::Duration;

use proptest::prelude::*;
use unicode_width::UnicodeWidthStr;

use super::*;
use crate::analysis::{AnalysedMove, Analysis, AnalysisRow, Phases, Summary, WorstMove};
use crate::record::{BotRecord, MatchRecord, Terms};
use crate::report::testing::standings;
use crate::report::{
    AnalysisExtent, AnswerTimes, CheckFormat, CheckReport, GamesReport, OutputFormat, Probe,
    ProbeReport, ProbeResult, Solved, Spread, Width, write_analysis, write_check, write_match,
    write_solution, write_standings,
};
use crate::rules::{Board, CELLS, Direction, DirectionRule, House, Ply, Ruleset};
use crate::seat::Seat;
use crate::solve::{Bounds, MoveValue, Solution};
use crate::standings::{StageRow, Standings, TrendEntry};

#[test]
fn a_cut_keeps_both_ends() {
    assert_eq!(shortened("abcdef", 6, false), "abcdef");
    assert_eq!(shortened("abcdef", 5, false), "ab…ef");
    assert_eq!(shortened("abcdef", 4, false), "ab…f");
    assert_eq!(shortened("abcdef", 1, false), "…");
    assert_eq!(shortened("abcdef", 4, true), "abc…");
}

/// What stands in tables.
struct Content<'a> {
    names: &'a [String],
    numbers: &'a [u32],
}

impl Content<'_> {
    fn number(&self, place: usize) -> u32 {
        self.numbers[place % self.numbers.len()]
    }

    fn name(&self, place: usize) -> String {
        self.names[place % self.names.len()].clone()
    }

    fn remark(&self) -> String {
        format!("A remark on {}.", self.names.join(", "))
    }

    fn small(&self, place: usize) -> i16 {
        i16::try_from(self.number(place) % 96).unwrap() - 48
    }

    fn ply(&self, place: usize) -> Ply {
        let number = self.number(place);
        let house = House::new(u8::try_from(number % 6).unwrap()).unwrap();
        let is_forward = number.is_multiple_of(2);
        Ply { house, direction: if is_forward { Direction::Forward } else { Direction::Backward } }
    }

    fn standings(&self) -> Standings {
        let mut table = standings(self.names.len(), |place| self.name(place));
        for (place, row) in table.rows.iter_mut().enumerate() {
            row.disqualified = self.number(place).is_multiple_of(3).then(|| self.remark());
            row.share = self.number(1).is_multiple_of(2).then_some(0.5);
        }
        let row = |entry: usize, place: usize| StageRow {
            name: self.name(place),
            rating: Some(f64::from(self.number(place + entry)) / 1e6),
            rating_low: Some(-400.0),
            rating_high: Some(f64::from(self.number(place))),
            ..StageRow::default()
        };
        let rows = |entry| (0..self.names.len()).map(|place| row(entry, place)).collect();
        let entry = |entry| TrendEntry { id: None, matches: 1, rows: rows(entry) };
        table.trend = Some((0..self.numbers.len()).map(entry).collect());
        table
    }

    fn analysis(&self) -> Analysis {
        let number = |place| u64::from(self.number(place));
        let real = |place| {
            let number = self.number(place);
            (number > 9).then_some(f64::from(number) / 1e5)
        };
        let row = |place: usize| AnalysisRow {
            rank: (number(place) % 4 > 0).then_some(place as u64),
            name: self.name(place),
            rounds: number(place),
            forfeits: number(place) % 5,
            moves: number(place),
            solved: number(place) / 2,
            blunders: number(place),
            lost_a_round: real(place),
            by_phase: Phases { opening: real(place), middle: real(place), end: real(place) },
            ..AnalysisRow::default()
        };
        let chosen = |place: usize| AnalysedMove {
            house: self.ply(place).house,
            direction: number(0).is_multiple_of(2).then_some(self.ply(place).direction),
        };
        let worst = |place: usize| WorstMove {
            file: format!("{}.jsonl", self.name(place)),
            number: number(place),
            tournament_match: (number(0) % 3 > 0).then_some(number(place)),
            round: 1,
            move_number: number(place) % 1000,
            name: self.name(place),
            board: Board::from_cells([3; CELLS]).unwrap(),
            value: self.small(place),
            loss: self.small(place).abs(),
            played: chosen(place),
            better: (number(place) % 4 > 0).then(|| chosen(place + 1)),
        };
        let mut analysis = Summary::default().analysis();
        analysis.matches = number(0);
        analysis.rows = (0..self.names.len()).map(row).collect();
        analysis.worst = Some((0..self.numbers.len()).map(worst).collect());
        analysis
    }

    fn solution(&self) -> Solution {
        let value = |place: usize| {
            let (one, other) = (self.small(place), self.small(place + 1));
            Bounds { at_least: one.min(other), at_most: one.max(other) }
        };
        let found = |place| MoveValue { ply: self.ply(place), value: value(place) };
        Solution {
            value: value(0),
            moves: (0..6).map(found).collect(),
            line: (0..40).map(|place| (place % 3 == 0, self.ply(place))).collect(),
            nodes: self.number(0).into(),
        }
    }

    fn check(&self) -> CheckReport {
        let spread = |place| {
            let time = Duration::from_micros(self.number(place).into());
            Spread { count: self.number(place) as usize, median: time, p99: time, longest: time }
        };
        let probe = |probe: Probe| ProbeReport {
            probe,
            result: ProbeResult::Incomplete,
            rounds: self.number(0),
            answers: self.number(1),
            cut_short: Some(self.remark().into()),
        };
        let games = |place| GamesReport {
            rules: Ruleset::default(),
            opponent: "average".to_owned(),
            won: self.number(place),
            drawn: self.number(place),
            lost: self.number(place),
            faulted: 1,
        };
        CheckReport {
            format: CheckFormat::V2,
            bot: BotRecord { name: self.name(0), ..BotRecord::default() },
            seed: self.number(0).into(),
            budget_ms: 1,
            limits: Terms::default(),
            probes: [Probe::Games, Probe::OpponentsFault, Probe::UnknownFields].map(probe).into(),
            games: (0..self.numbers.len()).map(games).collect(),
            times: AnswerTimes { first_answers: Some(spread(0)), other_answers: Some(spread(1)) },
            notes: Vec::new(),
            findings: Vec::new(),
        }
    }

    /// The tables of everything that is printed.
    fn tables(&self, width: Width) -> Vec<(&'static str, Vec<u8>)> {
        let format = OutputFormat::Table;
        let mut written = Vec::new();
        let mut write = |what, write: &dyn Fn(&mut dyn Write) -> io::Result<()>| {
            let mut out = Vec::new();
            write(&mut out).unwrap();
            written.push((what, out));
        };
        let (table, remarks) = (self.standings(), vec![self.remark()]);
        write("standings", &|out| write_standings(out, &table, &remarks, format, width));
        let matches_that_count = self.number(1).into();
        let extent = AnalysisExtent { matches_that_count, is_resumed: false, remarks };
        write("analysis", &|out| write_analysis(out, &self.analysis(), &extent, format, width));
        let rules = Ruleset { direction: DirectionRule::Either, ..Ruleset::default() };
        let board = Board::from_cells([3; CELLS]).unwrap();
        let solution = self.solution();
        let solved = Solved { rules: &rules, board, solution: &solution, time: Duration::MAX };
        write("solution", &|out| write_solution(out, &solved, format, width));
        for line in include_str!("../../../../tests/it/golden/records.jsonl").lines() {
            let mut record: MatchRecord = serde_json::from_str(line).unwrap();
            for seat in Seat::BOTH {
                record.bots[seat].name = self.name(seat as usize);
            }
            write("match", &|out| write_match(out, &record, format, width));
        }
        write("check", &|out| write_check(out, &self.check(), width));
        written
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_table_is_wider_than_the_terminal(
        names in prop::collection::vec("[a-z播][a-z0-9-]{0,29}", 3..9),
        numbers in prop::collection::vec(0_u32..1_000_000, 3..9),
    ) {
        for columns in [40, 60, 80, 120] {
            let content = Content { names: &names, numbers: &numbers };
            for (what, out) in content.tables(Width::Columns(columns)) {
                let out = String::from_utf8(out).unwrap();
                // Commands and what a bot wrote are shown as they are.
                let is_as_it_is = |line: &&str| line.starts_with("  mancala ") || line.starts_with("  | ");
                let broken = out.lines().filter(|line| !is_as_it_is(line));
                let widest = broken.map(UnicodeWidthStr::width).max().unwrap_or(0);
                prop_assert!(widest <= columns, "{}: {} of {}\n{}", what, widest, columns, out);
            }
        }
    }
}
