//! Strangers' texts in a page: how much of each is shown, and how much of all.

use std::fmt;

use serde::de::{Deserializer as _, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use crate::text::{json_in_page, printable};

/// How much text has room, in bytes as the page writes them, and how many texts had none.
#[derive(Debug)]
pub(super) struct TextBudget {
    left: usize,
    left_out: u64,
}

/// The budgets of a page. Bots write `info` with every move: in a budget of its own it leaves the
/// room for faults alone.
#[derive(Debug)]
pub(super) struct TextBudgets {
    /// For the words about faults and the end of stderr.
    pub(super) faults: TextBudget,
    pub(super) info: TextBudget,
}

impl Default for TextBudgets {
    fn default() -> TextBudgets {
        TextBudgets { faults: TextBudget::new(384 * 1024), info: TextBudget::new(128 * 1024) }
    }
}

impl TextBudgets {
    /// How many texts had no room.
    pub(super) fn left_out(&self) -> u64 {
        self.faults.left_out + self.info.left_out
    }
}

impl TextBudget {
    fn new(left: usize) -> TextBudget {
        TextBudget { left, left_out: 0 }
    }

    /// At most `most` characters of a text; empty once the budget is spent.
    pub(super) fn take(&mut self, text: &str, most: usize, from_end: bool) -> String {
        self.take_whole(cut(text, most, from_end))
    }

    /// A text, or an empty one if there is no room for it.
    pub(super) fn take_whole(&mut self, text: String) -> String {
        // Without the quotes.
        let written = json_in_page(&text).len() - 2;
        if written > self.left {
            self.left_out += 1;
            return String::new();
        }
        self.left -= written;
        text
    }
}

/// At most `most` characters of a text, from its beginning or its end, made printable.
pub(super) fn cut(text: &str, most: usize, from_end: bool) -> String {
    let characters = text.chars().count();
    if characters <= most {
        return lines_printable(text);
    }
    if from_end {
        let kept: String = text.chars().skip(characters - most).collect();
        return format!("…{}", lines_printable(&kept));
    }
    let kept: String = text.chars().take(most).collect();
    format!("{}…", lines_printable(&kept))
}

/// Printable text that keeps its lines.
pub(super) fn lines_printable(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(printable).collect();
    lines.join("\n")
}

/// Most characters of an `info` in the page.
const INFO: usize = 80;
/// Most characters of the key and of the number that are kept of a longer one.
const KEPT: usize = 24;

/// An `info` as the page has it. Of a long one with a number in it, this number and the beginning
/// are kept, as JSON, because the script draws a curve of the numbers.
pub(super) fn info_text(json: &str) -> String {
    let beginning = |most| cut(json, most, false);
    if json.chars().count() <= INFO {
        return beginning(INFO);
    }
    let Some((key, number)) = number_in(json) else { return beginning(INFO) };
    if key.chars().count() > KEPT || number.len() > KEPT {
        return beginning(INFO);
    }
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    let rest = quoted(&beginning(INFO - KEPT));
    format!("{{{}:{number},\"…\":{rest}}}", quoted(&printable(&key)))
}

/// The keys of the number that a bot means, before all others.
const TELLING: [&str; 4] = ["value", "eval", "evaluation", "score"];

/// The number that the script would draw of a whole `info`, and its key: in a list its place.
fn number_in(json: &str) -> Option<(String, &str)> {
    let mut deserializer = serde_json::Deserializer::from_str(json);
    let numbers = deserializer.deserialize_any(Numbers).ok()?;
    let of = |name: &str| numbers.iter().position(|(key, _)| key == name);
    let at = TELLING.into_iter().find_map(of).unwrap_or(0);
    numbers.into_iter().nth(at)
}

/// Reads the numbers of an object or a list in their order, each as its text.
struct Numbers;

impl<'a> Visitor<'a> for Numbers {
    type Value = Vec<(String, &'a str)>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object or a list")
    }

    fn visit_map<A: MapAccess<'a>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut numbers = Vec::new();
        while let Some((key, value)) = map.next_entry::<String, &'a RawValue>()? {
            numbers.extend(number(value).map(|number| (key, number)));
        }
        Ok(numbers)
    }

    fn visit_seq<A: SeqAccess<'a>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let mut numbers = Vec::new();
        let mut place = 0;
        while let Some(value) = list.next_element::<&'a RawValue>()? {
            numbers.extend(number(value).map(|number| (place.to_string(), number)));
            place += 1;
        }
        Ok(numbers)
    }
}

fn number(value: &RawValue) -> Option<&str> {
    let text = value.get();
    text.starts_with(|c: char| c == '-' || c.is_ascii_digit()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_costs_what_is_written_of_it() {
        let mut budget = TextBudget::new(20);
        // Each of them is written as \u003c.
        assert_eq!(budget.take("<<<", 9, false), "<<<");
        assert_eq!((budget.left, budget.left_out), (2, 0));
        assert_eq!(budget.take("\"\"", 9, false), "");
        assert_eq!(budget.take("ab", 9, false), "ab");
        assert_eq!((budget.left, budget.left_out), (0, 1));
    }

    #[test]
    fn info_leaves_the_room_of_faults_alone() {
        let mut budgets = TextBudgets::default();
        while !budgets.info.take(&"x".repeat(80), 80, false).is_empty() {}
        assert_eq!(budgets.faults.take("no house 9", 80, false), "no house 9");
        assert_eq!(budgets.left_out(), 1);
    }

    #[test]
    fn a_long_info_keeps_its_number() {
        let line = "0 1 2 3 ".repeat(20);
        for (info, number) in [
            (format!(r#"{{"depth":9,"pv":"{line}","eval":-1.5}}"#), "{\"eval\":-1.5,"),
            (format!(r#"{{"score":1,"pv":"{line}","value":2e3}}"#), "{\"value\":2e3,"),
            (format!(r#"{{"pv":"{line}","nodes":12,"depth":3}}"#), "{\"nodes\":12,"),
            (format!(r#"["{line}",7,8]"#), "{\"1\":7,"),
        ] {
            let text = info_text(&info);
            assert!(text.starts_with(number), "{text}");
            assert!(text.chars().count() <= 130, "{text}");
            let _: serde_json::Value = serde_json::from_str(&text).unwrap();
        }
        // There is no number in these, or none that is short.
        for info in [
            format!("{line:?}"),
            format!(r#"{{"pv":"{line}"}}"#),
            format!(r#"{{"pv":"{line}","eval":0.{}}}"#, "1".repeat(99)),
        ] {
            let text = info_text(&info);
            assert_eq!((text.chars().count(), text.chars().last()), (INFO + 1, Some('…')));
        }
        assert_eq!(info_text(r#"{"eval":1}"#), r#"{"eval":1}"#);
    }
}
