//! The part of the page that is about one bot.

use std::collections::{BTreeMap, BTreeSet};

use super::bot_tables::{given_away_table, match_place, times_apart, times_table, worst_table};
use super::cross::pair;
use super::html_table::HtmlTable;
use crate::analysis::{FoundMove, WorstMove};
use crate::protocol::{Cause, CauseCode, FaultKind};
use crate::report::page::contents::cases::{CasePlace, FaultCase};
use crate::report::page::words::{ENGLISH as W, counted, filled, form};
use crate::report::standings::percent;
use crate::report::table::or_empty;
use crate::report::{Column, Contents, SentBoard, Table};
use crate::standings::{AnswerSpread, CrosstableCell, Standings, StandingsRow};
use crate::text::{capitalised, html, in_address, printable, with_full_stop};

/// All that the page says of one bot.
#[derive(Debug)]
pub(in crate::report::page) struct BotPart {
    pub(in crate::report::page) id: String,
    pub(in crate::report::page) name: String,
    /// Its result in a sentence, or why it is out.
    pub(in crate::report::page) result: String,
    /// Markup of tables.
    pub(in crate::report::page) opponents: String,
    /// Why there is none of its faults; empty if there is one.
    pub(in crate::report::page) no_faults: &'static str,
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
        no_faults: no_faults(row),
        faults: kinds.map(|(kind, times)| fault(contents, &row.name, *kind, *times)).collect(),
        times: times(contents, row),
        phases: phases(contents, row),
        worst: worst(contents, index),
    }
}

/// What the tables of these parts do not say themselves.
pub(in crate::report::page) fn help_of(bots: &[BotPart]) -> String {
    let any = |part: fn(&BotPart) -> &str| bots.iter().any(|bot| !part(bot).is_empty());
    let tables = [
        (any(|bot| &bot.times), W.times_help),
        (any(|bot| &bot.phases), W.given_away_help),
        (any(|bot| &bot.worst), W.worst_help),
    ];
    let shown = tables.into_iter().filter(|(is_shown, _)| *is_shown);
    shown.map(|(_, help)| help).collect::<Vec<_>>().join(" ")
}

/// That a bot has no faults, or why it could have none.
pub(super) fn no_faults(row: &StandingsRow) -> &'static str {
    if !row.faults.is_empty() {
        ""
    } else if row.matches > 0 {
        W.no_faults
    } else if row.left_out > 0 {
        W.none_counts
    } else {
        W.no_match
    }
}

fn result(contents: &Contents, row: &StandingsRow) -> String {
    if let Some(why) = &row.disqualified {
        return filled(W.is_disqualified, &[&printable(why)]);
    }
    let rating = crate::report::standings::rating(row);
    let rating = if rating.is_empty() { W.unknown.to_owned() } else { rating };
    // The ranking of the page has the shares.
    result_text(&contents.standings, row, None) + &filled(W.bot_rating, &[&rating])
}

/// The rank of a bot that is not disqualified, its points with this share, if any, and its matches, in
/// a sentence or two.
pub fn result_text(standings: &Standings, row: &StandingsRow, share: Option<f64>) -> String {
    let playing = standings.ranked().count();
    let rank = or_empty(row.rank);
    // A half is more than one of them.
    let points = row.points.to_string();
    let points = filled("{} {}", &[&points, &form(points == "1", W.count_points)]);
    let share = share.map(|share| format!(" ({})", percent(Some(share)))).unwrap_or_default();
    let points = points + &share;
    let matches = counted(row.matches, W.count_matches);
    let StandingsRow { won, drawn, lost, .. } = row;
    let result = filled(W.bot_result, &[&rank, &playing, &points, &matches, won, drawn, lost]);
    result + &byes_text(row)
}

/// A sentence on the points for rounds of a Swiss tournament without an opponent; empty if there are
/// none.
pub fn byes_text(row: &StandingsRow) -> String {
    let points = (row.byes > 0).then(|| counted(row.byes, W.count_points));
    points.map(|points| filled(W.bot_byes, &[&points])).unwrap_or_default()
}

fn opponents(contents: &Contents, index: usize) -> String {
    let bots = &contents.standings.rows;
    let against = contents.standings.crosstable.iter().flat_map(|table| table.row(index));
    let against: Vec<(&usize, &CrosstableCell)> = against.collect();
    if against.is_empty() {
        return String::new();
    }
    let has_games_of = |other: usize| contents.has_game_of([index, other]);
    let rounds = |mover: usize| {
        move |(other, _): &(&usize, &CrosstableCell)| {
            let [won, drawn, lost] = contents.rounds_by_mover(index, **other)[mover];
            format!("{won}\u{2013}{drawn}\u{2013}{lost}")
        }
    };
    let table = Table::new([
        Column::text(W.against, &against, |(other, _)| &bots[**other].name),
        Column::number(W.won, &against, |(_, cell)| cell.won),
        Column::number(W.drawn, &against, |(_, cell)| cell.drawn),
        Column::number(W.lost, &against, |(_, cell)| cell.lost),
        Column::number(W.seeds, &against, |(_, it)| {
            format!("{}:{}", it.seeds_for, it.seeds_against)
        }),
        Column::number(W.moving_first, &against, rounds(0)),
        Column::number(W.moving_second, &against, rounds(1)),
        Column::text(
            W.games,
            &against,
            |(other, _)| if has_games_of(**other) { W.games } else { "" },
        )
        .only_if(against.iter().any(|(other, _)| has_games_of(**other))),
    ]);
    let to_bot = |row: usize| format!("#bot-{}", in_address(&bots[*against[row].0].name));
    let caption = filled(W.against_each, &[&printable(&bots[index].name)]);
    let mut table = HtmlTable::of(&table, &caption, (W.against, &to_bot));
    for (row, (other, _)) in table.rows.iter_mut().zip(&against) {
        if let Some(games) = row.cells.last_mut().filter(|_| has_games_of(**other)) {
            row.id = pair(&bots[index].name, &bots[**other].name);
            games.link = format!("#{}", row.id);
        }
    }
    table.markup()
}

fn fault(contents: &Contents, name: &str, kind: FaultKind, times: u64) -> FaultPart {
    let case = contents.found.cases.get(&(name.to_owned(), kind));
    let case = case.map(|case| case_part(contents, kind, case));
    let kind = kind.to_string().replace('_', " ");
    let heading = filled(W.fault_heading, &[&kind, &counted(times, W.count_times)]);
    FaultPart { heading, case }
}

fn case_part(contents: &Contents, kind: FaultKind, case: &FaultCase) -> CasePart {
    let SentBoard { legal, drawing } = SentBoard::with(case.fault.board, case.drawn);
    let CasePlace { number_in_file, file, .. } = &case.place;
    let mut facts = vec![(W.legal_houses, legal)];
    let mut fact = |term, text: String| {
        if !text.is_empty() {
            facts.push((term, text));
        }
    };
    fact(W.sent, printable(&case.sent));
    fact(W.what_happened, case.fault.detail.clone());
    if let Some(cause) = &case.fault.cause {
        fact(W.exit_code, or_empty(cause.exit_code));
        fact(W.signal, cause.signal.map(signal).unwrap_or_default());
        fact(
            W.time_taken,
            cause.waited_ms.map(|ms| filled(W.ms, &[&format!("{ms:.3}")])).unwrap_or_default(),
        );
        let (term, limit) = limit(kind, cause);
        fact(term, limit);
    }
    fact(W.what_is_wrong, sentence(&case.advice.what));
    fact(W.fix, printable(&case.advice.fix));
    let replay = shell_words::join([
        "mancala",
        "replay",
        file,
        "--match",
        &number_in_file.to_string(),
        "--round",
        &case.round.to_string(),
    ]);
    let replay = (!file.is_empty()).then_some(replay);
    let commands = replay.into_iter().chain(case.check.clone());
    CasePart {
        place: case_place(case),
        link: link_to_case(contents, case),
        board: drawing,
        facts,
        stderr: case.fault.stderr.clone(),
        commands: commands.map(|command| printable(&command)).collect(),
    }
}

/// Where a fault happened, and against whom.
pub(super) fn case_place(case: &FaultCase) -> String {
    let place = match_place(case.place.match_number, case.place.in_tournament);
    filled(W.case_place, &[&place, &case.round, &case.move_number, &printable(&case.opponent)])
}

/// The move of a fault; empty if the page left the match out.
pub(super) fn link_to_case(contents: &Contents, case: &FaultCase) -> String {
    link(contents, case.place.match_number, case.round, case.move_number as u64)
}

/// The limit of time that a fault's answer had, and what is limited; empty if it is not known.
pub(super) fn limit(kind: FaultKind, cause: &Cause) -> (&'static str, String) {
    // What a code of a later version limits is not known.
    let is_known = cause.code != CauseCode::Unknown || kind == FaultKind::Timeout;
    match cause.limit_ms {
        Some(ms) if cause.code == CauseCode::CpuTimeLimit => {
            (W.limit_of_cpu_time, filled(W.ms, &[&ms]))
        }
        // As the words of a timeout say it.
        Some(_) if is_known => (W.limit, cause.limit_in_words()),
        _ => (W.limit, String::new()),
    }
}

/// The moves that this page links to, by the place of the match and the round.
pub(super) fn linked_moves(contents: &Contents) -> BTreeMap<(u64, u32), BTreeSet<u64>> {
    let cases = contents
        .found
        .cases
        .values()
        .map(|of| (of.place.match_number, of.round, of.move_number as u64));
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
    let text = capitalised(&printable(text));
    if text.is_empty() { text } else { with_full_stop(&text) }
}

/// The times of a bot's answers: of new processes, and of all others, where there are any.
pub(in crate::report::page) fn times_of(
    contents: &Contents,
    name: &str,
) -> impl Iterator<Item = (&'static str, AnswerSpread)> {
    contents.times.get(name).into_iter().flat_map(times_apart)
}

fn times(contents: &Contents, row: &StandingsRow) -> String {
    let table = contents.times.get(&row.name).map(|times| times_table(&row.name, times));
    markup(table, W.which, &|_| String::new())
}

/// A table with its sentences; empty without rows.
fn markup(table: Option<Table>, head: &str, link: &dyn Fn(usize) -> String) -> String {
    let Some(table) = table.filter(|table| table.rows() > 0) else { return String::new() };
    let below = table.sentences_below().map(|sentence| format!("<p>{}</p>\n", html(sentence)));
    let below: String = below.collect();
    HtmlTable::of(&table, &table.sentences_above().join(" "), (head, link)).markup() + &below
}

fn phases(contents: &Contents, row: &StandingsRow) -> String {
    let rows = contents.found.analysis.iter().flat_map(|analysis| &analysis.rows);
    let own = rows.into_iter().find(|known| known.name == row.name);
    markup(own.map(given_away_table), "", &|_| String::new())
}

/// The moves of the bot in this row that gave away most.
pub(in crate::report::page) fn worst_of(contents: &Contents, index: usize) -> &[FoundMove] {
    contents.found.worst.get(&index).map_or(&[], |of| &*of.moves)
}

fn worst(contents: &Contents, index: usize) -> String {
    let worst = worst_of(contents, index);
    let to_move = |row: usize| {
        let WorstMove { number, round, move_number, .. } = worst[row].shown;
        link(contents, number, round, move_number)
    };
    let table = worst_table(&contents.standings.rows[index].name, worst, true);
    markup(Some(table), W.place, &to_move)
}
