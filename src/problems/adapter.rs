//! What an adapter on a bot's command line asks for moves, and the advice that follows from it.

use std::path::Path;

/// What an adapter asks for moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Adapter {
    /// A function that it calls.
    Function,
    /// A program that it sends lines, and that has to flush its own.
    Lines,
    /// Another program.
    Program,
}

/// What a bot does for which the advice depends on its adapter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AdviceCase {
    /// It has never answered.
    Silence,
    /// It answers no more.
    Stops,
    /// It ends with code 0.
    Exits,
}

const FUNCTION_HANGS: &str = "Look for an endless loop in your function, or a search without a time \
    limit: it is called for each turn and has to return.";

const PROGRAM_HANGS: &str = "Look for an endless loop, or a search without a time limit, and see with the \
    adapter's --help what it is sent and which answers are understood.";

const FLUSH: &str = "Flush its output after each line. {flush} If it does, see with lines.py --help which \
    lines it is sent and which answers are understood, and look for an endless loop or a search without \
    a time limit.";

const SLOW_START: &str = "If its start takes longer than its start time (tables, imports, a virtual \
    machine), make it faster or ask for a longer --start-time.";

impl Adapter {
    /// The adapter of `examples` that `word` of a command line names.
    pub(super) fn of(word: &str) -> Option<Adapter> {
        match Path::new(word).file_stem()?.to_str()? {
            "lines" => Some(Adapter::Lines),
            "kgp" | "oneshot" => Some(Adapter::Program),
            "adapter" | "Adapter" | "openspiel" => Some(Adapter::Function),
            _ => None,
        }
    }

    /// The advice for a bot behind it; `None` where it is that for any other bot.
    pub(super) fn advice(self, case: AdviceCase) -> Option<String> {
        let advice = match (case, self) {
            (AdviceCase::Exits, Adapter::Function) => {
                "Call nothing in your function that ends the program, such as exit."
            }
            (AdviceCase::Exits, Adapter::Lines | Adapter::Program) => return None,
            (_, Adapter::Function) => FUNCTION_HANGS,
            (AdviceCase::Silence, Adapter::Lines) => FLUSH,
            (_, Adapter::Lines | Adapter::Program) => PROGRAM_HANGS,
        };
        Some(match case {
            AdviceCase::Silence => format!("{advice} {SLOW_START}"),
            AdviceCase::Stops | AdviceCase::Exits => advice.to_owned(),
        })
    }
}

impl AdviceCase {
    pub(super) const ALL: [AdviceCase; 3] =
        [AdviceCase::Silence, AdviceCase::Stops, AdviceCase::Exits];

    /// What a fix in the problem table begins with in this case.
    pub(super) const fn place(self) -> &'static str {
        match self {
            AdviceCase::Silence => "{silence}",
            AdviceCase::Stops => "{stops}",
            AdviceCase::Exits => "{exits}",
        }
    }

    /// A fix of the problem table with `first` before all that is not about a function.
    pub(super) fn before(self, first: &str, fix: &str) -> String {
        match fix.strip_prefix(self.place()) {
            Some(rest) => format!("{}{first} {rest}", self.place()),
            None => format!("{first} {fix}"),
        }
    }

    /// What to do about a function, in a clause.
    pub(super) const fn in_it(self) -> &'static str {
        match self {
            AdviceCase::Silence | AdviceCase::Stops => {
                "look for an endless loop in it, or a search without a time limit"
            }
            AdviceCase::Exits => "call nothing in it that ends the program, such as exit or _exit",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bot::ADAPTERS;

    #[test]
    fn what_every_adapter_asks_is_known() {
        assert!(ADAPTERS.iter().all(|name| Adapter::of(&format!("examples/{name}.py")).is_some()));
    }
}
