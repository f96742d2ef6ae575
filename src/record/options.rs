//! Rules and terms as the options of a command line that give them, where they are not the default.

use std::fmt::Display;
use std::path::PathBuf;
use std::time::Duration;

use super::terms::{Ponder, Resources, Restraints, Terms, TimeTerms};
use crate::rules::{DirectionRule, Ruleset};
use crate::text::bytes;

/// What `mancala check` is given to hold a bot to these rules and terms, as far as it can; the
/// name of the ruleset is not among it.
pub(crate) fn check_options(rules: &Ruleset, terms: &Terms) -> Vec<String> {
    let mut words = Vec::new();
    let named = rules.name.rules();
    let mut add = |option: &str, value: Option<String>| {
        words.extend(value.into_iter().flat_map(|value| [option.to_owned(), value]));
    };
    let yes_or_no = if rules.empty_capture { "yes" } else { "no" };
    add("--seeds", changed(rules.seeds.get(), named.seeds.get(), shown));
    add("--opponent-store", changed(rules.opponent_store, named.opponent_store, shown));
    add("--empty-capture", changed(rules.empty_capture, named.empty_capture, |_| yes_or_no.into()));
    add("--direction", changed(rules.direction, DirectionRule::Forward, shown));

    let default = Terms::default();
    let TimeTerms { move_time, start_time, game_time, margin } = terms.time;
    // A time bank takes the place of the usual limit of a move.
    let usual = default.time.move_time.filter(|_| game_time.is_none());
    add("--move-time", move_time.filter(|_| move_time != usual).map(time));
    add("--game-time", game_time.map(time));
    add("--start-time", changed(start_time, default.time.start_time, time));
    add("--margin", changed(margin, default.time.margin, time));
    add("--max-moves", changed(terms.max_moves, default.max_moves, shown));

    let Resources { memory, processes, file_size, cpu_time } = terms.keeping.resources;
    let usual = default.keeping.resources;
    add("--memory", changed(memory, usual.memory, |cap| or_none(cap.map(bytes))));
    add("--processes", changed(processes, usual.processes, |cap| or_none(cap.map(shown))));
    add("--file-size", changed(file_size, usual.file_size, |cap| or_none(cap.map(bytes))));
    add("--cpu-time", changed(cpu_time, usual.cpu_time, |cap| or_none(cap.map(time))));
    // The sandbox brings it with it.
    let usual = if terms.keeping.sandbox.is_some() { Ponder::Freeze } else { Ponder::Allow };
    add("--ponder", changed(terms.keeping.ponder, usual, shown));
    words.extend(restraint_options(&terms.keeping, &terms.keeping.environment));
    words
}

/// What puts a bot behind the same wrapper and in the same sandbox, with these variables.
pub(crate) fn restraint_options(restraints: &Restraints, environment: &[String]) -> Vec<String> {
    let mut words = Vec::new();
    if !restraints.wrap.is_empty() {
        words.extend(["--wrap".to_owned(), shell_words::join(&restraints.wrap)]);
    }
    for name in environment {
        words.extend(["--env".to_owned(), name.clone()]);
    }
    if let Some(sandbox) = &restraints.sandbox {
        words.push("--sandbox".to_owned());
        let mut allow = |option: &str, paths: &[PathBuf]| {
            for path in paths {
                words.extend([option.to_owned(), path.to_string_lossy().into_owned()]);
            }
        };
        allow("--allow-read", &sandbox.read);
        allow("--allow-write", &sandbox.write);
    }
    words
}

/// The value in words, if it is not the usual one.
fn changed<T: PartialEq + Copy>(
    value: T,
    usual: T,
    words: impl FnOnce(T) -> String,
) -> Option<String> {
    if value == usual { None } else { Some(words(value)) }
}

fn shown(value: impl Display) -> String {
    value.to_string()
}

fn or_none(cap: Option<String>) -> String {
    cap.unwrap_or_else(|| "none".to_owned())
}

/// A time as one word: `1m500ms`.
fn time(time: Duration) -> String {
    humantime::format_duration(time).to_string().replace(' ', "")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Sandbox;
    use crate::rules::{OpponentStore, RulesetName, SeedsAHouse};

    #[test]
    fn only_what_is_not_the_default_is_named() {
        for name in RulesetName::ALL {
            assert_eq!(check_options(&name.rules(), &Terms::default()), Vec::<String>::new());
        }
        let mut terms = Terms::default();
        terms.time.game_time = Some(Duration::from_millis(60_500));
        terms.time.move_time = None;
        assert_eq!(check_options(&Ruleset::default(), &terms), ["--game-time", "1m500ms"]);
        terms.time.move_time = Some(Duration::from_secs(1));
        terms.time.start_time = Duration::ZERO;
        terms.time.margin = Duration::from_millis(5);
        terms.keeping = Restraints {
            resources: Resources {
                memory: Some(256 << 20),
                cpu_time: None,
                ..Resources::default()
            },
            sandbox: Some(Sandbox { read: vec!["/a b".into()], write: Vec::new() }),
            wrap: vec!["nice".to_owned(), "-n 5".to_owned()],
            environment: vec!["MY_BOOK".to_owned()],
            ponder: Ponder::Freeze,
        };
        let rules = Ruleset {
            seeds: SeedsAHouse::new(6).unwrap(),
            opponent_store: OpponentStore::Skip,
            direction: DirectionRule::Either,
            empty_capture: false,
            ..Ruleset::default()
        };
        let expected = "--seeds 6 --opponent-store skip --empty-capture no --direction either \
             --move-time 1s --game-time 1m500ms --start-time 0s --margin 5ms --memory 256MiB \
             --cpu-time none --wrap \"nice '-n 5'\" --env MY_BOOK --sandbox --allow-read '/a b'";
        assert_eq!(check_options(&rules, &terms), shell_words::split(expected).unwrap());
    }
}
