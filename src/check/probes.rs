//! The probes: what is tried, in which order, and with which share of the time.

use std::cmp::Ordering;
use std::time::Duration;

use super::checker::Checker;
use super::end_of_input::end_of_input;
use super::experiments::fault_of_bot;
use super::extras::Extras;
use super::findings::Occurrence;
use super::occurrences::shown;
use super::positions::{LAPS, SCARCE, filled_up, overfull, reached};
use super::trace::TimedAnswer;
use super::trial::{BOT, Checked, Trial};
use crate::engine::Level;
use crate::problems::Problem;
use crate::record::{RoundRecord, Terms, TimeTerms};
use crate::report::{AnswerTimes, GamesReport, Probe, Spread, in_ms};
use crate::rules::{Direction, House, Opening, Ruleset};
use crate::seat::PerSeat;
use crate::text::printable;

/// All probes in their order, each with its share of the time that is left when it begins.
const PROBES: [(Probe, u32); 13] = [
    (Probe::Start, 4),
    (Probe::Games, 6),
    (Probe::Rounds, 2),
    (Probe::OpponentsFault, 1),
    (Probe::TimeBank, 1),
    (Probe::Names, 1),
    (Probe::UnknownFields, 1),
    (Probe::UnknownTypes, 1),
    (Probe::EndOfInput, 1),
    (Probe::Determinism, 2),
    (Probe::Positions, 4),
    (Probe::Levels, 4),
    (Probe::Times, 0),
];

/// Moves of a round where a few will do.
const MOVES: u32 = 8;

/// Moves of a round from a position: enough for an answer as second too.
const MOVES_FROM_A_POSITION: u32 = 4;

/// Moves that a time bank is for, where the user gave none.
const MOVES_OF_A_BANK: u32 = 60;

/// Positions out of games, for each ruleset: how far into a game each is.
const REACHED: [u32; 2] = [7, 17];

/// Positions that are asked for again: how far into a game each is.
const ASKED_AGAIN: [u32; 3] = [0, 6, 12];

/// Names as long as they may be, with what trips those who read JSON without a parser.
const NAMES: PerSeat<&str> =
    PerSeat([r#"Zoë "O'Neil" {[\ 播棋 ♟ "type":"turn""#, r#"}{"board":[0,0],\u0022} ,, \\ end"#]);

pub(super) fn run_all(checker: &mut Checker<'_>) -> Checked<(Vec<GamesReport>, AnswerTimes)> {
    let mut shares: u32 = PROBES.iter().map(|(_, share)| share).sum();
    let settings = checker.judge.runner.settings;
    let (mut games, mut times) = (Vec::new(), AnswerTimes::default());
    for (probe, share) in PROBES {
        checker.begin(probe);
        checker.judge.runner.allot(share, shares);
        shares -= share;
        match probe {
            Probe::Games => {
                whole_games(checker, &settings.rules, &[Level::Random, Level::Easy], &mut games)?;
            }
            Probe::Levels => {
                whole_games(checker, &settings.rules[..1], &Level::ALL, &mut games)?;
            }
            Probe::EndOfInput => end_of_input(checker)?,
            Probe::Determinism => determinism(checker)?,
            Probe::Times => times = look_at_times(checker),
            _ => play_all(checker, probe)?,
        }
    }
    Ok((games, times))
}

/// Plays the trials of a probe as far as there is use in it.
fn play_all(checker: &mut Checker<'_>, probe: Probe) -> Checked {
    if probe == Probe::Start {
        note_unbuffered(checker);
    }
    for trial in trials(checker, probe) {
        if checker.play(&trial)?.is_none() {
            return Ok(());
        }
    }
    if probe == Probe::Positions { beyond_the_rules(checker) } else { Ok(()) }
}

/// The trials of a probe that does no more than play them.
fn trials(checker: &Checker<'_>, probe: Probe) -> Vec<Trial> {
    let settings = checker.judge.runner.settings;
    let rules = settings.rules[0];
    let whole = settings.trial(rules);
    let short = whole.clone().short(MOVES);
    match probe {
        Probe::Start => vec![whole.rounds(1).short(1)],
        Probe::Rounds => vec![short.rounds(4)],
        // Before the bot was asked anything, and in mid-round.
        Probe::OpponentsFault => [!BOT, BOT]
            .map(|first| Trial { first, opponent_forfeits: true, ..whole.clone() })
            .to_vec(),
        Probe::TimeBank => {
            let move_time = settings.limits.time.move_time.unwrap_or(Duration::from_secs(1));
            let bank = settings.limits.time.game_time.unwrap_or(move_time * MOVES_OF_A_BANK);
            let time = TimeTerms { game_time: Some(bank), ..short.limits.time };
            vec![Trial { limits: Terms { time, ..short.limits }, ..short }]
        }
        Probe::Names => vec![Trial { names: Some(NAMES), ..short }],
        Probe::UnknownFields => vec![Trial { extras: Extras::Fields, ..short }],
        Probe::UnknownTypes => vec![Trial { extras: Extras::Messages, ..short }],
        Probe::Positions => {
            let from = |rules: Ruleset, opening: Opening| {
                let trial = settings.trial(rules);
                Trial { opening, ..trial.short(MOVES_FROM_A_POSITION) }
            };
            let scarce = filled_up(&SCARCE, &rules).into_iter().map(|opening| from(rules, opening));
            let of_all = settings.rules.iter().flat_map(|&rules| {
                let laps = filled_up(&LAPS, &rules).into_iter();
                let openings = laps.chain(out_of_games(rules, settings.seed));
                openings.map(move |opening| from(rules, opening))
            });
            scarce.chain(of_all).collect()
        }
        Probe::Games | Probe::EndOfInput | Probe::Determinism | Probe::Levels | Probe::Times => {
            Vec::new()
        }
    }
}

/// Positions in the middle and near the end of games.
fn out_of_games(rules: Ruleset, seed: u64) -> impl Iterator<Item = Opening> {
    let numbered = (0..).zip(REACHED);
    numbered.map(move |(number, moves)| reached(&rules, moves, seed.wrapping_add(number)))
}

/// Notes where the user hands on a variable that hides a missing flush.
fn note_unbuffered(checker: &mut Checker<'_>) {
    const UNBUFFERED: &str = "PYTHONUNBUFFERED";
    let is_set = std::env::var_os(UNBUFFERED).is_some_and(|value| !value.is_empty());
    if is_set && checker.judge.runner.passes_variable(UNBUFFERED) {
        let what = "is handed on to the bot (--env): where it is not, a missing flush may show";
        checker.note(format!("{UNBUFFERED} {what}"));
    }
}

/// Notes whether a bot fails on boards with more seeds than the rules asked for can have.
fn beyond_the_rules(checker: &mut Checker<'_>) -> Checked {
    let settings = checker.judge.runner.settings;
    let rules =
        settings.rules.iter().max_by_key(|rules| rules.seeds.get()).unwrap_or(&settings.rules[0]);
    for opening in overfull(rules) {
        if let Some(why) = checker.reason_to_stop() {
            checker.cut_short(why);
            return Ok(());
        }
        let trial = settings.trial(*rules).short(MOVES_FROM_A_POSITION);
        let mut played = checker.judge.runner.play(&Trial { opening, ..trial })?;
        checker.judge.runner.end(&mut played.bot);
        if let Some(fault) = played.rounds.iter().find_map(fault_of_bot) {
            checker.note(format!(
                "it fails on boards with more seeds than the rules asked for have, up to {} in a \
                 house: {}; only matches with such an --opening, or with more --seeds, have them",
                opening.board().cells().into_iter().max().unwrap_or_default(),
                printable(&fault.detail)
            ));
            return Ok(());
        }
        if played.broken_off.is_some() {
            let why = checker.out_of_time();
            checker.cut_short(why);
            return Ok(());
        }
    }
    Ok(())
}

/// Plays a match of two whole rounds by each of `rules` against each of `levels`, but those
/// that are in `games` already, and adds the results there.
fn whole_games(
    checker: &mut Checker<'_>,
    rules: &[Ruleset],
    levels: &[Level],
    games: &mut Vec<GamesReport>,
) -> Checked {
    let settings = checker.judge.runner.settings;
    let pairs = levels.iter().flat_map(|&level| rules.iter().map(move |&rules| (level, rules)));
    for (level, rules) in pairs {
        let trial = Trial { level, ..settings.trial(rules) };
        if games.iter().any(|it| it.rules == rules && it.opponent == level.to_string()) {
            continue;
        }
        let Some(rounds) = checker.play(&trial)? else { return Ok(()) };
        games.push(games_report(&trial, &rounds));
    }
    Ok(())
}

fn games_report(trial: &Trial, rounds: &[RoundRecord]) -> GamesReport {
    let (rules, opponent) = (trial.rules, trial.level.to_string());
    let mut report = GamesReport { rules, opponent, won: 0, drawn: 0, lost: 0, faulted: 0 };
    for round in rounds {
        let score = round.result.score;
        let count = match score[BOT].cmp(&score[!BOT]) {
            _ if round.result.fault.is_some() => &mut report.faulted,
            Ordering::Greater => &mut report.won,
            Ordering::Equal => &mut report.drawn,
            Ordering::Less => &mut report.lost,
        };
        *count += 1;
    }
    report
}

/// Asks for the same positions twice in one process and once more in another. Either way is fine.
fn determinism(checker: &mut Checker<'_>) -> Checked {
    let settings = checker.judge.runner.settings;
    let rules = settings.rules[0];
    let (mut in_one, mut in_two) = (Vec::new(), Vec::new());
    for moves in ASKED_AGAIN {
        let opening = reached(&rules, moves, settings.seed);
        let trial = settings.trial(rules).short(1).rounds(3);
        let trial = Trial { opening, ..trial };
        // The first process has ended before the second begins.
        let Some(one) = checker.play(&trial)? else { return Ok(()) };
        let Some(other) = checker.play(&trial.rounds(1))? else { return Ok(()) };
        if let (Some(first), Some(again)) = (choice(&one, 1), choice(&one, 3)) {
            in_one.push(first == again);
        }
        if let (Some(one), Some(other)) = (choice(&one, 1), choice(&other, 1)) {
            in_two.push(one == other);
        }
    }
    note_choices(checker, &in_one, "asked twice in one process");
    note_choices(checker, &in_two, "asked in two processes");
    Ok(())
}

/// What the bot played in a round of one move.
fn choice(rounds: &[RoundRecord], round: usize) -> Option<(House, Option<Direction>)> {
    let played = rounds.get(round - 1)?.moves.first().filter(|played| played.bot == BOT)?;
    Some((played.house, played.direction))
}

fn note_choices(checker: &mut Checker<'_>, same: &[bool], how: &str) {
    let differ = same.iter().filter(|same| !**same).count();
    let what = match (same.len(), differ) {
        (0, _) => return,
        (all, 0) => format!("the same in {all} of {all} positions"),
        (all, _) => {
            format!("differently in {differ} of {all} positions: its games cannot be repeated")
        }
    };
    checker.note(format!("{how}, it played {what}"));
}

/// Looks at the times of all answers until now, and how near they come to the limit.
fn look_at_times(checker: &mut Checker<'_>) -> AnswerTimes {
    let answers = &checker.judge.runner.answers;
    match (answers.len(), checker.judge.runner.moves) {
        (0, _) => checker.cut_short("it gave no answer"),
        (_, 0) => checker.cut_short("no answer of it was a move"),
        (1, _) => checker.cut_short("it gave one answer"),
        _ if answers.iter().all(|answer| answer.is_first) => {
            let words = "it answered nothing but the first turns of its processes";
            let is_spent = checker.judge.runner.is_budget_spent();
            let why = if is_spent { checker.out_of_time() } else { words.into() };
            checker.cut_short(why);
        }
        _ => {}
    }
    let time = checker.judge.runner.settings.limits.time;
    let of_a_move = [time.move_time, time.game_time].into_iter().flatten().min();
    let of_a_move = of_a_move.unwrap_or(Duration::MAX);
    let to_start = of_a_move.saturating_add(time.start_time);
    AnswerTimes {
        first_answers: spread(checker, true, to_start),
        other_answers: spread(checker, false, of_a_move),
    }
}

/// The spread of the first or the other answers; a finding where the longest comes near the limit.
fn spread(checker: &mut Checker<'_>, is_first: bool, limit: Duration) -> Option<Spread> {
    let answers = checker.judge.runner.answers.iter();
    let answers: Vec<&TimedAnswer> = answers.filter(|it| it.is_first == is_first).collect();
    let times: Vec<Duration> = answers.iter().map(|answer| answer.time).collect();
    let longest = answers.iter().max_by_key(|answer| answer.time);
    // What came too late is a finding already.
    let late_after = limit.saturating_add(checker.judge.runner.settings.limits.time.margin);
    let is_near = |time: Duration| time > limit / 2 && time <= late_after;
    let problem = if is_first { Problem::SlowStart } else { Problem::NearTheLimit };
    if let Some(longest) = longest.filter(|longest| is_near(longest.time)) {
        let (time, limit) = (in_ms(longest.time), in_ms(limit));
        let evidence = Occurrence {
            during: format!("the longest of {} answers", times.len()),
            sent: vec![shown(&longest.question)],
            received: format!("an answer after {time}, of a limit of {limit}"),
            ..Occurrence::default()
        };
        checker.judge.findings.add(Probe::Times, problem.into(), None, evidence);
    }
    Spread::of(&times)
}
