//! Rules and terms as the options of a command line that give them: how each is written, and those that
//! are not at their default.

use std::path::PathBuf;
use std::time::Duration;

use serde_json::{Value, json};

use super::terms::{Ponder, Restraints, Terms};
use crate::rules::{DirectionRule, Ruleset};
use crate::text::bytes;

/// How the value of an option is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// The option stands without a value.
    Flag,
    Plain,
    Milliseconds,
    Bytes,
    YesOrNo,
    /// The words of a command line.
    Words,
    /// The option stands once for each item.
    Each,
    /// The value names the option.
    Format,
}

/// A key of the plan, its option, how its value is written, and the value where the key is missing;
/// empty if the option is left out then.
pub type PlanOption = (&'static str, &'static str, Shape, &'static str);

/// The options of `mancala check` that hold a bot to rules and terms, in the order in which it is given
/// them.
pub const OPTIONS_OF_CHECK: [PlanOption; 14] = [
    ("match.rules.seeds", "--seeds", Shape::Plain, ""),
    ("match.rules.opponent_store", "--opponent-store", Shape::Plain, ""),
    ("match.rules.empty_capture", "--empty-capture", Shape::YesOrNo, ""),
    ("match.rules.direction", "--direction", Shape::Plain, ""),
    ("match.limits.move_time_ms", "--move-time", Shape::Milliseconds, ""),
    ("match.limits.game_time_ms", "--game-time", Shape::Milliseconds, ""),
    ("match.limits.start_time_ms", "--start-time", Shape::Milliseconds, ""),
    ("match.limits.margin_ms", "--margin", Shape::Milliseconds, ""),
    ("match.limits.max_moves", "--max-moves", Shape::Plain, ""),
    ("match.limits.resources.memory_bytes", "--memory", Shape::Bytes, "none"),
    ("match.limits.resources.processes", "--processes", Shape::Plain, "none"),
    ("match.limits.resources.file_size_bytes", "--file-size", Shape::Bytes, "none"),
    ("match.limits.resources.cpu_time_ms", "--cpu-time", Shape::Milliseconds, "none"),
    ("match.limits.ponder", "--ponder", Shape::Plain, "allow"),
];

/// A value as the option takes it; `None` where the option is left out.
pub fn option_value((_, _, shape, missing): &PlanOption, value: &Value) -> Option<String> {
    let words = || value.as_array().into_iter().flatten().filter_map(Value::as_str);
    Some(match (shape, value) {
        (_, Value::Null) if missing.is_empty() => return None,
        (_, Value::Null) => (*missing).to_owned(),
        (Shape::Flag, value) => return (value == true).then(String::new),
        (Shape::YesOrNo, value) => if value == true { "yes" } else { "no" }.to_owned(),
        (Shape::Milliseconds, value) => {
            let time = Duration::from_millis(value.as_u64()?);
            humantime::format_duration(time).to_string().replace(' ', "")
        }
        (Shape::Bytes, value) => bytes(value.as_u64()?),
        (Shape::Words | Shape::Each, _) if words().next().is_none() => return None,
        (Shape::Words, _) => shell_words::join(words()),
        (Shape::Each, _) => words().collect::<Vec<_>>().join(", "),
        (Shape::Plain | Shape::Format, Value::String(text)) => text.clone(),
        (Shape::Plain | Shape::Format, value) => value.to_string(),
    })
}

/// What `mancala check` is given to hold a bot to `rules` and terms, as far as it can; the
/// name of the ruleset is not among it.
pub fn check_options(rules: &Ruleset, terms: &Terms) -> Vec<String> {
    let mut usual = Terms::default();
    // A time bank takes the place of the usual limit of a move, and the sandbox brings `freeze`.
    usual.time.move_time = usual.time.move_time.filter(|_| terms.time.game_time.is_none());
    if terms.keeping.sandbox.is_some() {
        usual.keeping.ponder = Ponder::Freeze;
    }
    let named = Ruleset { direction: DirectionRule::Forward, ..rules.name.rules() };
    let own = json!({"match": {"rules": rules, "limits": terms}});
    let usual = json!({"match": {"rules": named, "limits": usual}});
    let mut words = Vec::new();
    for option in &OPTIONS_OF_CHECK {
        let place = format!("/{}", option.0.replace('.', "/"));
        let value = |of: &Value| option_value(option, of.pointer(&place).unwrap_or(&Value::Null));
        if let Some(value) = value(&own).filter(|own| value(&usual).as_ref() != Some(own)) {
            words.extend([option.1.to_owned(), value]);
        }
    }
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
        words.extend(sandbox.loopback.then(|| "--allow-loopback".to_owned()));
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Resources, Sandbox};
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
