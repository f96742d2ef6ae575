//! The lines of what a program wrote to stderr that tell what went wrong.

/// Most lines that name an error and are shown before the last ones.
const ERROR_LINES: usize = 3;

/// Frames within Node.js or Java are shown, too, if fewer lines than this are left without them.
const FEWEST_LINES: usize = 3;

/// What to show of a program's stderr, in the order in which it was written.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct TellingLines<'a> {
    /// The last lines that name an error, if they stand before `last`.
    pub named: Vec<&'a str>,
    pub last: Vec<&'a str>,
    /// Whether lines before `last` were left out.
    has_gap: bool,
}

impl<'a> TellingLines<'a> {
    /// The last lines of `stderr`, at most `most`, and what names an error before them. Frames of
    /// a stack within Node.js or Java itself are left out, if enough else is there: they fill the
    /// end of a report, and nobody can change them.
    pub fn of(stderr: &'a str, most: usize) -> TellingLines<'a> {
        let mut lines: Vec<&str> = stderr.lines().filter(|line| !is_inner_frame(line)).collect();
        if lines.len() < FEWEST_LINES {
            lines = stderr.lines().collect();
        }
        let (before, last) = lines.split_at(lines.len().saturating_sub(most));
        let named: Vec<&str> = before.iter().copied().filter(|line| names_an_error(line)).collect();
        let named = named[named.len().saturating_sub(ERROR_LINES)..].to_vec();
        TellingLines { has_gap: before.len() > named.len(), named, last: last.to_vec() }
    }

    /// All in one list, with a line of dots where something was left out.
    pub fn in_one(self) -> Vec<&'a str> {
        let gap = (self.has_gap && !self.named.is_empty()).then_some("…");
        self.named.into_iter().chain(gap).chain(self.last).collect()
    }
}

/// Whether a line is the frame of a stack in what Node.js or Java bring with them.
fn is_inner_frame(line: &str) -> bool {
    const INNER: [&str; 4] =
        ["node:internal/", "java.base/", "jdk.internal.", "java.lang.reflect."];
    line.trim_start().starts_with("at ") && INNER.iter().any(|inner| line.contains(inner))
}

/// Whether a line says what went wrong, as sanitizers, Rust, Go, C++, Java, Python and JavaScript write
/// it before what fills the end of their reports.
pub(crate) fn names_an_error(line: &str) -> bool {
    const SIGNS: [&str; 11] = [
        "SUMMARY: ",
        "ERROR: ",
        "runtime error: ",
        "panicked at",
        "panic: ",
        "fatal error: ",
        "terminate called",
        "Exception in thread",
        "Unhandled exception",
        "Caused by: ",
        "Assertion",
    ];
    // `java.lang.StackOverflowError`, `ReferenceError: x is not defined`
    let class = line.split([':', ' ']).next().unwrap_or_default();
    let is_class = class.ends_with("Error") || class.ends_with("Exception");
    is_class || SIGNS.iter().any(|sign| line.contains(sign))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_line_that_names_the_error_comes_before_what_fills_the_end() {
        let java =
            format!("java.lang.StackOverflowError\n{}", "\tat Bot.deep(Bot.java:9)\n".repeat(99));
        let frame = "\tat Bot.deep(Bot.java:9)";
        let shown = TellingLines::of(&java, 2).in_one();
        assert_eq!(shown, ["java.lang.StackOverflowError", "…", frame, frame]);
        let short = TellingLines::of("ValueError: bad\na\nb\n", 2);
        assert_eq!(short.in_one(), ["ValueError: bad", "a", "b"]);
        assert_eq!(TellingLines::of("", 10), TellingLines::default());
    }

    #[test]
    fn frames_that_a_bot_s_author_cannot_change_are_left_out() {
        let inner = "    at Module._compile (node:internal/modules/cjs/loader:1554:14)\n".repeat(9);
        let node = format!(
            "/bots/bot.js:3\nfoo();\n^\n\nReferenceError: foo is not defined\n    \
             at Object.<anonymous> (/bots/bot.js:3:1)\n{inner}\nNode.js v20.19.2\n"
        );
        let lines = TellingLines::of(&node, 10);
        assert!(lines.named.is_empty());
        assert_eq!(lines.last.len(), 8);
        assert_eq!(lines.last[0], "/bots/bot.js:3");
        assert_eq!(lines.last[4], "ReferenceError: foo is not defined");
        let all =
            "\tat java.base/java.util.regex.Pattern$Loop.match(Pattern.java:4940)\n".repeat(50);
        assert_eq!(TellingLines::of(&all, 10).last.len(), 10);
    }

    proptest! {
        #[test]
        fn lines_are_few_and_in_their_order(
            lines in prop::collection::vec("[ -~]{0,9}|(Type|IO)(Error|Exception): [a-z]{1,4}", 0..40),
            most in 1..12_usize,
        ) {
            let text = lines.join("\n");
            let all: Vec<&str> = text.lines().collect();
            let telling = TellingLines::of(&text, most);
            prop_assert!(telling.named.len() <= ERROR_LINES && telling.last.len() <= most);
            prop_assert!(telling.named.iter().all(|line| names_an_error(line)));
            let shown: Vec<&str> = telling.named.iter().chain(&telling.last).copied().collect();
            let mut rest = all.iter();
            prop_assert!(shown.iter().all(|line| rest.any(|it| it == line)));
            prop_assert!(all.len() > most || shown == all);
            let dots = usize::from(all.len() > shown.len() && !telling.named.is_empty());
            let shown_lines = shown.len() + dots;
            prop_assert_eq!(telling.in_one().len(), shown_lines);
        }
    }
}
