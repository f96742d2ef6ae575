//! The part of the page that is about one bot.

use std::collections::{BTreeMap, BTreeSet};

use super::cross::pair;
use super::html_table::{Cell, Head, HtmlTable, Row};
use crate::analysis::{FoundMove, WorstMove};
use crate::protocol::FaultKind;
use crate::report::analysis::{TOO_LITTLE, too_little};
use crate::report::page::contents::Contents;
use crate::report::page::contents::cases::FaultCase;
use crate::report::page::plain::SentBoard;
use crate::report::page::words::{ENGLISH as W, filled};
use crate::report::standings::{ms, percent};
use crate::standings::{AnswerSpread, StandingsRow};
use crate::text::{counted, html, in_address, printable};

/// All that the page says of one bot.
#[derive(Debug)]
pub(in crate::report::page) struct BotPart {
    pub(in crate::report::page) id: String,
    pub(in crate::report::page) name: String,
    /// Its result in a sentence, or why it is out.
    pub(in crate::report::page) result: String,
    /// Markup of tables.
    pub(in crate::report::page) opponents: String,
    pub(in crate::report::page) faults: Vec<FaultPart>,
    pub(in crate::report::page) times: String,
    pub(in crate::report::page) phases: String,
    pub(in crate::report::page) worst: String,
}

/// A kind of fault and its first case.
#[derive(Debug)]
pub(in crate::report::page) struct FaultPart {
    pub(in crate::report::page) heading: String,
    pub(in crate::report::page) case: Option<CasePart>,
}

/// The first case of a fault.
#[derive(Debug)]
pub(in crate::report::page) struct CasePart {
    pub(in crate::report::page) place: String,
    /// Empty if the page left the match out.
    pub(in crate::report::page) link: String,
    /// Markup of the board that the bot was sent.
    pub(in crate::report::page) board: String,
    /// A term and its text.
    pub(in crate::report::page) facts: Vec<(&'static str, String)>,
    pub(in crate::report::page) stderr: String,
    pub(in crate::report::page) commands: Vec<String>,
}

/// The part of the bot in this row.
pub(in crate::report::page) fn part(contents: &Contents, index: usize) -> BotPart {
    let row = &contents.standings.rows[index];
    let kinds = row.faults.iter();
    BotPart {
        id: format!("bot-{}", in_address(&row.name)),
        name: printable(&row.name),
        result: result(contents, row),
        opponents: opponents(contents, index),
        faults: kinds.map(|(kind, times)| fault(contents, &row.name, *kind, *times)).collect(),
        times: times(contents, row),
        phases: phases(contents, row),
        worst: worst(contents, index),
    }
}

fn result(contents: &Contents, row: &StandingsRow) -> String {
    if let Some(why) = &row.disqualified {
        return filled(W.is_disqualified, &[&printable(why)]);
    }
    let playing = contents.standings.rows.iter().filter(|row| row.disqualified.is_none()).count();
    let rank = row.rank.map(|rank| rank.to_string()).unwrap_or_default();
    // A half is more than one of them.
    let points = row.points.to_string();
    let points = format!("{points} {}", if points == "1" { "point" } else { "points" });
    let counts = [row.won, row.drawn, row.lost].map(|count| count.to_string());
    let rating = crate::report::standings::rating(row);
    let rating = if rating.is_empty() { W.unknown.to_owned() } else { rating };
    filled(
        W.bot_result,
        &[
            &rank,
            &playing.to_string(),
            &points,
            &counted(row.matches, "match", "matches"),
            &counts[0],
            &counts[1],
            &counts[2],
            &rating,
        ],
    )
}

fn opponents(contents: &Contents, index: usize) -> String {
    let rows = &contents.standings.rows;
    let against = contents.standings.crosstable.iter().flat_map(|table| table.row(index));
    let has_games_of = |other: usize| contents.has_game_of([index, other]);
    let has_games = (0..rows.len()).any(has_games_of);
    let number = |count: u64| Cell::new(count.to_string());
    let rounds = |counts: [u64; 3]| {
        let [won, drawn, lost] = counts;
        Cell::new(format!("{won}\u{2013}{drawn}\u{2013}{lost}"))
    };
    let lines = against.map(|(other, cell)| {
        let name = &rows[*other].name;
        let is_here = has_games_of(*other);
        let id = if is_here { pair(&rows[index].name, name) } else { String::new() };
        let games = if is_here { Cell::linked(W.games, format!("#{id}")) } else { Cell::default() };
        let [moving_first, moving_second] = contents.rounds_by_mover(index, *other).map(rounds);
        let mut cells = vec![
            Cell::linked(name.clone(), format!("#bot-{}", in_address(name))).head(),
            number(cell.won),
            number(cell.drawn),
            number(cell.lost),
            Cell::new(format!("{}:{}", cell.seeds_for, cell.seeds_against)),
            moving_first,
            moving_second,
        ];
        cells.extend(has_games.then_some(games));
        Row { id, cells }
    });
    let lines: Vec<Row> = lines.collect();
    if lines.is_empty() {
        return String::new();
    }
    let heads =
        [W.won, W.drawn, W.lost, W.seeds, W.moving_first, W.moving_second].map(Head::number);
    let games = has_games.then(|| Head::text(W.games));
    let heads = std::iter::once(Head::text(W.against)).chain(heads).chain(games);
    let caption = filled(W.against_each, &[&printable(&rows[index].name)]);
    HtmlTable { caption, class: "", heads: heads.collect(), rows: lines }.markup()
}

fn fault(contents: &Contents, name: &str, kind: FaultKind, times: u64) -> FaultPart {
    let case = contents.found.cases.get(&(name.to_owned(), kind));
    let case = case.map(|case| case_part(contents, case));
    let kind = kind.to_string().replace('_', " ");
    let heading = filled(W.fault_heading, &[&kind, &counted(times, "time", "times")]);
    FaultPart { heading, case }
}

fn case_part(contents: &Contents, case: &FaultCase) -> CasePart {
    let SentBoard { legal, drawing } = SentBoard::with(case.board, case.drawn);
    let number = case.match_number.to_string();
    let mut facts = vec![(W.legal_houses, legal)];
    let mut fact = |term, text: String| {
        if !text.is_empty() {
            facts.push((term, text));
        }
    };
    fact(W.sent, printable(&case.sent));
    fact(W.what_happened, case.detail.clone());
    if let Some(cause) = &case.cause {
        fact(W.exit_code, cause.exit_code.map(|code| code.to_string()).unwrap_or_default());
        fact(W.signal, cause.signal.map(signal).unwrap_or_default());
        fact(W.time_taken, cause.waited_ms.map(|ms| format!("{ms:.3} ms")).unwrap_or_default());
        fact(W.limit, cause.limit_ms.map(|ms| format!("{ms} ms")).unwrap_or_default());
    }
    fact(W.what_is_wrong, sentence(&case.advice.what));
    fact(W.fix, printable(&case.advice.fix));
    let replay = shell_words::join([
        "mancala",
        "replay",
        &case.file,
        "--match",
        &case.number_in_file.to_string(),
        "--round",
        &case.round.to_string(),
    ]);
    let replay = (!case.file.is_empty()).then_some(replay);
    let commands = replay.into_iter().chain(case.check.clone());
    CasePart {
        place: filled(
            W.case_place,
            &[
                &number,
                &case.round.to_string(),
                &case.move_number.to_string(),
                &printable(&case.opponent),
            ],
        ),
        link: link(contents, case.match_number, case.round, case.move_number as u64),
        board: drawing,
        facts,
        stderr: case.stderr.clone(),
        commands: commands.map(|command| printable(&command)).collect(),
    }
}

/// The moves that this page links to, by the place of the match and the round.
pub(super) fn linked_moves(contents: &Contents) -> BTreeMap<(u64, u32), BTreeSet<u64>> {
    let cases = contents.found.cases.values().map(|of| (of.match_number, of.round, of.move_number as u64));
    let worst = contents.found.worst.values().flat_map(|of| &of.moves);
    let worst = worst.map(|of| (of.shown.number, of.shown.round, of.shown.move_number));
    let mut linked: BTreeMap<_, BTreeSet<u64>> = BTreeMap::new();
    for (number, round, move_number) in cases.chain(worst) {
        linked.entry((number, round)).or_default().insert(move_number);
    }
    linked
}

/// Leads to a move; empty where the page left its match out.
fn link(contents: &Contents, number: u64, round: u32, move_number: u64) -> String {
    if contents.has_game(number) {
        format!("#match-{number}-round-{round}-move-{move_number}")
    } else {
        String::new()
    }
}

/// `11 (SIGSEGV)`.
fn signal(number: i32) -> String {
    match signal_hook::low_level::signal_name(number) {
        Some(name) => format!("{number} ({name})"),
        None => number.to_string(),
    }
}

/// A sentence without its full stop, as a whole one.
fn sentence(text: &str) -> String {
    let text = printable(text);
    let mut rest = text.chars();
    let first: String = rest.next().into_iter().flat_map(char::to_uppercase).collect();
    if first.is_empty() {
        first
    } else {
        format!("{first}{}.", rest.as_str().trim_end_matches('.'))
    }
}

fn times(contents: &Contents, row: &StandingsRow) -> String {
    let Some(times) = contents.times.get(&row.name) else { return String::new() };
    let line = |what: &str, of: &AnswerSpread| {
        let share = percent(of.limit_share);
        let cells = [
            Cell::new(what).head(),
            Cell::new(of.answers.to_string()),
            Cell::new(ms(of.median_ms)),
            Cell::new(ms(of.p95_ms)),
            Cell::new(ms(of.longest_ms)),
            Cell::new(share),
            Cell::new(of.near_misses.to_string()),
        ];
        (of.answers > 0).then(|| Row { id: String::new(), cells: cells.into() })
    };
    let lines = [line(W.first_answers, &times.first), line(W.other_answers, &times.others)];
    let rows: Vec<Row> = lines.into_iter().flatten().collect();
    if rows.is_empty() {
        return String::new();
    }
    let numbers = [W.answers, W.median_ms, W.p95_ms, W.longest_ms, W.of_limit, W.near_misses];
    let heads = std::iter::once(Head::text(W.which)).chain(numbers.map(Head::number));
    let caption = filled(W.times_of, &[&printable(&row.name)]);
    HtmlTable { caption, class: "", heads: heads.collect(), rows }.markup()
}

/// What it gave away by phase, as `analyse` prints it.
fn phases(contents: &Contents, row: &StandingsRow) -> String {
    let Some(analysis) = &contents.found.analysis else { return String::new() };
    let Some(own) = analysis.rows.iter().find(|known| known.name == row.name) else {
        return String::new();
    };
    let seeds = crate::report::analysis::seeds;
    // As in `analyse`, where these words stand in place of a rank.
    let rank = own.rank.map_or_else(|| TOO_LITTLE.to_owned(), |rank| rank.to_string());
    let cells = [
        rank,
        seeds(own.lost_a_round),
        seeds(own.by_phase.opening),
        seeds(own.by_phase.middle),
        seeds(own.by_phase.end),
        own.blunders.to_string(),
        format!("{}/{}", own.solved, own.moves),
    ];
    let heads = [W.rank, W.given_away, W.opening, W.middle, W.end, W.blunders, W.judged];
    let table = HtmlTable {
        caption: filled(W.given_away_of, &[&printable(&row.name)]),
        class: "",
        heads: heads.map(Head::number).into(),
        rows: vec![Row { id: String::new(), cells: cells.map(Cell::new).into() }],
    };
    let why = too_little(std::slice::from_ref(own));
    let why = why.map(|sentence| format!("<p>{}</p>\n", html(&sentence))).unwrap_or_default();
    table.markup() + &why
}

fn worst(contents: &Contents, index: usize) -> String {
    let worst = contents.found.worst.get(&index).filter(|of| !of.moves.is_empty());
    let Some(worst) = worst else { return String::new() };
    let row = |found: &FoundMove| {
        let WorstMove { number: n, round, move_number: at, played, loss, value, .. } = found.shown;
        let played = match played.direction {
            Some(direction) => format!("{} {}", played.house, direction.as_str()),
            None => played.house.to_string(),
        };
        let link = link(contents, n, round, at);
        let cells = [
            Cell::linked(
                filled(W.worst_place, &[&n.to_string(), &round.to_string(), &at.to_string()]),
                link,
            )
            .head(),
            Cell::new(found.opponent.clone()),
            Cell::new(played),
            Cell::new(loss.to_string()),
            Cell::new(value.to_string()),
        ];
        Row { id: String::new(), cells: cells.into() }
    };
    let heads = [Head::text(W.place), Head::text(W.against), Head::text(W.house)];
    let heads = heads.into_iter().chain([W.given_away, W.value].map(Head::number));
    let caption = filled(W.worst_of, &[&printable(&contents.standings.rows[index].name)]);
    let rows = worst.moves.iter().map(row).collect();
    HtmlTable { caption, class: "", heads: heads.collect(), rows }.markup()
}
