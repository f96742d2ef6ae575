//! Rules and terms as the options of a command line that give them, where they are not the default.

use std::path::PathBuf;
use std::time::Duration;

use super::terms::{Ponder, Resources, Restraints, Terms, TimeTerms};
use crate::rules::{DirectionRule, Ruleset};
use crate::text::bytes;

/// What `mancala check` is given to hold a bot to these rules and terms, as far as it can; the
/// name of the ruleset is not among it.
pub fn check_options(rules: &Ruleset, terms: &Terms) -> Vec<String> {
    let mut usual = Terms::default();
    // A time bank takes the place of the usual limit of a move, and the sandbox brings `freeze`.
    usual.time.move_time = usual.time.move_time.filter(|_| terms.time.game_time.is_none());
    if terms.keeping.sandbox.is_some() {
        usual.keeping.ponder = Ponder::Freeze;
    }
    let named = Ruleset { direction: DirectionRule::Forward, ..rules.name.rules() };
    let usual = values(&named, &usual);
    let mut words: Vec<String> = values(rules, terms)
        .into_iter()
        .filter(|option| !usual.contains(option))
        .filter_map(|(option, value)| Some([option.to_owned(), value?]))
        .flatten()
        .collect();
    words.extend(restraint_options(&terms.keeping, &terms.keeping.environment));
    words
}

/// The options that hold a bot to these rules and terms, each with its value if it has one.
fn values(rules: &Ruleset, terms: &Terms) -> [(&'static str, Option<String>); 14] {
    let TimeTerms { move_time, start_time, game_time, margin } = terms.time;
    let Resources { memory, processes, file_size, cpu_time } = terms.keeping.resources;
    let or_none = |cap: Option<String>| Some(cap.unwrap_or_else(|| "none".to_owned()));
    [
        ("--seeds", Some(rules.seeds.get().to_string())),
        ("--opponent-store", Some(rules.opponent_store.to_string())),
        ("--empty-capture", Some(if rules.empty_capture { "yes" } else { "no" }.to_owned())),
        ("--direction", Some(rules.direction.to_string())),
        ("--move-time", move_time.map(in_words)),
        ("--game-time", game_time.map(in_words)),
        ("--start-time", Some(in_words(start_time))),
        ("--margin", Some(in_words(margin))),
        ("--max-moves", Some(terms.max_moves.to_string())),
        ("--memory", or_none(memory.map(bytes))),
        ("--processes", or_none(processes.map(|most| most.to_string()))),
        ("--file-size", or_none(file_size.map(bytes))),
        ("--cpu-time", or_none(cpu_time.map(in_words))),
        ("--ponder", Some(terms.keeping.ponder.to_string())),
    ]
}

/// What puts a bot behind the same wrapper and in the same sandbox, with these variables.
pub fn restraint_options(restraints: &Restraints, environment: &[String]) -> Vec<String> {
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
        words.extend(sandbox.loopback.then(|| "--allow-loopback".to_owned()));
    }
    words
}

/// A time as one word: `1m500ms`.
fn in_words(time: Duration) -> String {
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
            sandbox: Some(Sandbox {
                read: vec!["/a b".into()],
                loopback: true,
                ..Sandbox::default()
            }),
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
             --cpu-time none --wrap \"nice '-n 5'\" --env MY_BOOK --sandbox --allow-read '/a b' \
             --allow-loopback";
        assert_eq!(check_options(&rules, &terms), shell_words::split(expected).unwrap());
    }
}
