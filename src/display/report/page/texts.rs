//! Strangers' texts in a page: how much of each is shown, and how much of all.

use std::borrow::Cow;
use std::path::PathBuf;

use serde_json::value::RawValue;

use crate::analysis::fields_in_order;
use crate::protocol::Cause;
use crate::record::MatchRecord;
use crate::text::{html, json_in_page, printable, relative};

/// How much text has room, in bytes as the page writes them, and how many texts had none or were cut
/// because of it.
#[derive(Debug)]
pub(super) struct TextBudget {
    left: usize,
    left_out: u64,
    /// The length of a text as it is written.
    written: fn(&str) -> usize,
}

/// The budgets of a page. Bots write `info` with every move: in a budget of its own it leaves the
/// room for faults alone.
#[derive(Debug)]
pub(super) struct TextBudgets {
    /// For the words about faults and the end of stderr beside the boards that play.
    pub(super) faults: TextBudget,
    pub(super) info: TextBudget,
    /// For the same of the first case of each fault, in the parts of the bots.
    pub(super) cases: TextBudget,
    /// How many of these boards are drawn.
    pub(super) boards: usize,
}

/// About how long a board of a case is.
const BOARD: usize = 800;

impl TextBudgets {
    /// The budgets of a page with `room` for texts, in bytes. Each has a least.
    pub(super) fn of(room: usize) -> TextBudgets {
        // Without the quotes.
        let in_data: fn(&str) -> usize = |text| json_in_page(&text).len() - 2;
        TextBudgets {
            faults: TextBudget::new((room / 3).clamp(64 << 10, 384 << 10), in_data),
            info: TextBudget::new((room / 9).clamp(32 << 10, 128 << 10), in_data),
            cases: TextBudget::new((room / 3).clamp(64 << 10, 384 << 10), |text| html(text).len()),
            boards: (room / 6 / BOARD).clamp(32, 1000),
        }
    }

    /// How many texts had no room as a whole.
    pub(super) fn left_out(&self) -> u64 {
        self.faults.left_out + self.info.left_out + self.cases.left_out
    }
}

impl TextBudget {
    fn new(left: usize, written: fn(&str) -> usize) -> TextBudget {
        TextBudget { left, left_out: 0, written }
    }

    /// The bytes left for each of `of` texts.
    pub(super) const fn share(&self, of: usize) -> usize {
        self.left / if of == 0 { 1 } else { of }
    }

    /// Counts a text that has no room.
    pub(super) fn leave_out(&mut self) {
        self.left_out += 1;
    }

    /// The length of a text as it is written.
    pub(super) fn written(&self, text: &str) -> usize {
        (self.written)(text)
    }

    /// At most `most` characters of a text, and fewer where they would take more than `share` bytes.
    pub(super) fn take_share(
        &mut self,
        text: &str,
        most: usize,
        from_end: bool,
        share: usize,
    ) -> String {
        let (mut characters, mut shown) = (most, cut(text, most, from_end));
        let whole = (self.written)(&shown);
        let mut length = whole;
        while length > share && characters > 0 {
            characters = (characters * share / length).min(characters - 1);
            shown = if characters == 0 { String::new() } else { cut(text, characters, from_end) };
            length = (self.written)(&shown);
        }
        self.left_out += u64::from(length < whole);
        self.left = self.left.saturating_sub(length);
        shown
    }

    /// At most `most` characters of a text; empty once the budget is spent.
    pub(super) fn take(&mut self, text: &str, most: usize, from_end: bool) -> String {
        self.take_whole(cut(text, most, from_end))
    }

    /// A text, or an empty one if there is no room for it.
    pub(super) fn take_whole(&mut self, text: String) -> String {
        let written = (self.written)(&text);
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
fn number_in(json: &str) -> Option<(Cow<'_, str>, &str)> {
    let values = fields_in_order(json).or_else(|_| {
        let list: Vec<&RawValue> = serde_json::from_str(json)?;
        let places = (0..list.len()).map(|place| place.to_string().into());
        Ok::<_, serde_json::Error>(places.zip(list).collect())
    });
    let numbers = values.ok()?.into_iter().filter_map(|(key, value)| Some((key, number(value)?)));
    let numbers: Vec<_> = numbers.collect();
    let of = |name: &str| numbers.iter().position(|(key, _)| key == name);
    let at = TELLING.into_iter().find_map(of).unwrap_or(0);
    numbers.into_iter().nth(at)
}

fn number(value: &RawValue) -> Option<&str> {
    let text = value.get();
    text.starts_with(|c: char| c == '-' || c.is_ascii_digit()).then_some(text)
}

/// The name of a file without its folders, as a page has it, which is published. Empty for stdin,
/// which no command can read again.
pub(super) fn without_folder(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    match name {
        _ if path == "-" => String::new(),
        // No command takes it for an option.
        _ if name.starts_with('-') => format!("./{name}"),
        _ => name.to_owned(),
    }
}

/// Makes paths below `folders` relative to them in the words about faults: a page is published.
pub(super) fn hide_folders(folders: &[PathBuf], record: &mut MatchRecord) {
    let adapters_words = |cause: &mut Option<Box<Cause>>| {
        if let Some(adapter) = cause.as_mut().and_then(|cause| cause.adapter.as_mut()) {
            adapter.words = relative(folders, &adapter.words);
        }
    };
    for round in &mut record.rounds {
        if let Some(fault) = &mut round.result.fault {
            fault.detail = relative(folders, &fault.detail);
            fault.stderr = relative(folders, &fault.stderr);
            adapters_words(&mut fault.cause);
        }
        for substitute in round.moves.iter_mut().filter_map(|played| played.substitute.as_mut()) {
            substitute.detail = relative(folders, &substitute.detail);
            substitute.stderr = relative(folders, &substitute.stderr);
            adapters_words(&mut substitute.cause);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_costs_what_is_written_of_it() {
        let mut budget = TextBudgets::of(usize::MAX).faults;
        budget.left = 20;
        // Each of them is written as \u003c.
        assert_eq!(budget.take("<<<", 9, false), "<<<");
        assert_eq!((budget.left, budget.left_out), (2, 0));
        assert_eq!(budget.take("\"\"", 9, false), "");
        assert_eq!(budget.take("ab", 9, false), "ab");
        assert_eq!((budget.left, budget.left_out), (0, 1));
    }

    #[test]
    fn a_share_is_kept_whatever_a_text_costs() {
        for text in ["x".repeat(2000), "<".repeat(2000), "é&\u{202e}".repeat(700), "<".into()] {
            for share in [0, 1, 5, 100, 3000, 99_999] {
                for from_end in [false, true] {
                    let mut budget = TextBudgets::of(usize::MAX).cases;
                    let before = budget.left;
                    let shown = budget.take_share(&text, 1500, from_end, share);
                    assert!(html(&shown).len() <= share && shown.chars().count() <= 6 * 1501);
                    assert_eq!(before - budget.left, html(&shown).len());
                    assert_eq!(budget.left_out == 0, shown == cut(&text, 1500, from_end));
                    // As much as has room, but for what one character may cost.
                    assert!(budget.left_out == 0 || share < 40 || html(&shown).len() * 2 > share);
                }
            }
        }
    }

    #[test]
    fn info_leaves_the_room_of_faults_alone() {
        let mut budgets = TextBudgets::of(usize::MAX);
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
