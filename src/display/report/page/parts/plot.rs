//! Drawings in SVG: axes, bars, dots. One value, written into a page or as a file of its
//! own.

use unicode_width::UnicodeWidthChar as _;

use crate::text::html;

/// A drawing, built from top to bottom.
#[derive(Clone, Debug)]
pub(in crate::report::page) struct SvgDrawing {
    width: f64,
    height: f64,
    /// What it shows, in a sentence, for who does not see it.
    description: String,
    shapes: String,
}

/// Where a text stands beside its point.
#[derive(Clone, Copy, Debug)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// The colours of a drawing that is a file of its own; in a page they are the page's.
const STYLE: &str = "svg{background:#fff;font:12px sans-serif}text{fill:#1b1b1b}.grid{stroke:#d4d4d4}\
    .axis{stroke:#555}.bar{fill:#3465a4}.bar2{fill:#c17d11}.bar3{fill:#75507b}.range{stroke:#3465a4;stroke-width:3}\
    .dot{fill:#1b1b1b}.tick{stroke:#1b1b1b;stroke-width:2}.limit{stroke:#b00020;stroke-width:2}.faint{fill:#595959}\
    .wood{fill:#e9d3a9;stroke:#8a6a35}.pit{fill:#fff7e6;stroke:#8a6a35}.legal{fill:#d9ead3;stroke:#38761d;stroke-width:2}";

impl SvgDrawing {
    /// A drawing of this size, with what it shows in a sentence.
    pub(super) fn new(width: f64, height: f64, description: impl Into<String>) -> SvgDrawing {
        SvgDrawing { width, height, description: description.into(), shapes: String::new() }
    }

    pub(super) fn line(&mut self, class: &str, (x1, y1): (f64, f64), (x2, y2): (f64, f64)) {
        self.push(&format!(
            r#"<line class="{class}" x1="{x1:.1}" y1="{y1:.1}" x2="{x2:.1}" y2="{y2:.1}"/>"#
        ));
    }

    pub(super) fn rect(&mut self, class: &str, at: (f64, f64), size: (f64, f64), title: &str) {
        let (rect, title) = (rect(class, at, size), titled(title));
        self.push(&format!("{rect}>{title}</rect>"));
    }

    /// A rectangle with round corners.
    pub(super) fn rounded(&mut self, class: &str, at: (f64, f64), size: (f64, f64)) {
        self.push(&format!(r#"{} rx="12"/>"#, rect(class, at, size)));
    }

    pub(super) fn dot(&mut self, (x, y): (f64, f64), title: &str) {
        let title = titled(title);
        self.push(&format!(
            r#"<circle class="dot" cx="{x:.1}" cy="{y:.1}" r="4">{title}</circle>"#
        ));
    }

    pub(super) fn house(&mut self, class: &str, (x, y): (f64, f64), radius: f64) {
        self.push(&format!(r#"<circle class="{class}" cx="{x:.1}" cy="{y:.1}" r="{radius:.1}"/>"#));
    }

    /// Text with its base line at this point.
    pub(super) fn text(&mut self, class: &str, at: (f64, f64), anchor: Anchor, text: &str) {
        self.titled_text(class, at, anchor, ("", text));
    }

    /// The name of a row, which ends at this point; `whole` is all of it.
    pub(super) fn named(&mut self, at: (f64, f64), shown: &str, whole: &str) {
        self.titled_text("name", at, Anchor::End, (whole, shown));
    }

    fn titled_text(
        &mut self,
        class: &str,
        (x, y): (f64, f64),
        anchor: Anchor,
        (title, text): (&str, &str),
    ) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let inside = titled(title) + &html(text);
        self.push(&format!(
            r#"<text class="{class}" x="{x:.1}" y="{y:.1}" text-anchor="{anchor}">{inside}</text>"#
        ));
    }

    /// Adds markup of our own.
    pub(super) fn push(&mut self, markup: &str) {
        self.shapes += markup;
    }

    /// As an element of a page.
    pub(in crate::report::page) fn in_page(&self) -> String {
        let (label, size, shapes) = (html(&self.description), self.size(), &self.shapes);
        format!(r#"<svg class="plot" role="img" aria-label="{label}" {size}>{shapes}</svg>"#)
    }

    pub(in crate::report::page) fn file(&self) -> String {
        let (title, size) = (html(&self.description), self.size());
        let shapes = self.shapes.replace("/><", "/>\n<").replace("><line", ">\n<line");
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" {size}>\n<title>{title}</title>\n\
             <style>{STYLE}</style>\n{shapes}\n</svg>\n"
        )
    }

    fn size(&self) -> String {
        let SvgDrawing { width, height, .. } = self;
        format!(r#"viewBox="0 0 {width:.0} {height:.0}" width="{width:.0}" height="{height:.0}""#)
    }
}

/// The beginning of a rectangle.
fn rect(class: &str, (x, y): (f64, f64), (width, height): (f64, f64)) -> String {
    let (width, height) = (width.max(0.0), height.max(0.0));
    format!(
        r#"<rect class="{class}" x="{x:.1}" y="{y:.1}" width="{width:.1}" height="{height:.1}""#
    )
}

fn titled(title: &str) -> String {
    if title.is_empty() { String::new() } else { format!("<title>{}</title>", html(title)) }
}

/// A scale from values to places on a line, with round numbers as marks.
#[derive(Clone, Debug)]
pub(super) struct Scale {
    from: f64,
    to: f64,
    begin: f64,
    end: f64,
    is_log: bool,
    /// The distance between marks.
    step: f64,
}

impl Scale {
    /// A scale that holds all of `values`, between the places `begin` and `end`.
    pub(super) fn linear(values: impl Iterator<Item = f64>, begin: f64, end: f64) -> Scale {
        Scale::by_steps(values, begin, end, 0.0)
    }

    /// The same for whole numbers: so are its marks.
    pub(super) fn whole(values: impl Iterator<Item = f64>, begin: f64, end: f64) -> Scale {
        Scale::by_steps(values, begin, end, 1.0)
    }

    fn by_steps(values: impl Iterator<Item = f64>, begin: f64, end: f64, least_step: f64) -> Scale {
        let (mut from, mut to) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values.filter(|value| value.is_finite()) {
            (from, to) = (from.min(value), to.max(value));
        }
        if from > to {
            (from, to) = (0.0, 1.0);
        }
        // Values that are all but equal would have marks that no decimals tell apart.
        if to - from < 1e-6 * from.abs().max(to.abs()).max(1.0) {
            (from, to) = (from - 0.5, to + 0.5);
        }
        let step = step(from, to).max(least_step);
        let (from, to) = ((from / step).floor() * step, (to / step).ceil() * step);
        Scale { from, to, begin, end, is_log: false, step }
    }

    /// The same by powers of ten; values are positive.
    pub(super) fn logarithmic(values: impl Iterator<Item = f64>, begin: f64, end: f64) -> Scale {
        let logs = values.filter(|value| *value > 0.0).map(f64::log10);
        let (mut from, mut to) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in logs {
            (from, to) = (from.min(value.floor()), to.max(value.ceil()));
        }
        if from > to {
            (from, to) = (0.0, 1.0);
        }
        Scale { from, to: to.max(from + 1.0), begin, end, is_log: true, step: 1.0 }
    }

    /// The place of a value.
    pub(super) fn at(&self, value: f64) -> f64 {
        let value = if self.is_log { value.max(1e-12).log10() } else { value };
        let share = ((value - self.from) / (self.to - self.from)).clamp(0.0, 1.0);
        self.begin + share * (self.end - self.begin)
    }

    /// The values of its marks.
    pub(super) fn marks(&self) -> Vec<f64> {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few marks")]
        let count = ((self.to - self.from) / self.step).round().clamp(1.0, 40.0) as u32;
        let marks = (0..=count).map(|index| self.from + f64::from(index) * self.step);
        marks.map(|mark| if self.is_log { 10_f64.powf(mark) } else { mark }).collect()
    }
}

/// A round distance between marks, of which about six fit.
fn step(from: f64, to: f64) -> f64 {
    let rough = ((to - from) / 6.0).max(1e-9);
    let power = 10_f64.powf(rough.log10().floor());
    let times = [1.0, 2.0, 5.0, 10.0].into_iter().find(|times| times * power >= rough);
    times.unwrap_or(10.0) * power
}

/// About how many pixels a text is wide, in letters of 12 pixels.
pub(super) fn estimated_width(text: &str) -> f64 {
    let width = |character: char| match (character.width().unwrap_or(0), character) {
        (0, _) => 0.0,
        (2, _) | (_, 'W' | 'M' | 'm' | '@' | '%') => 12.0,
        (_, capital) if capital.is_uppercase() => 9.0,
        _ => 7.0,
    };
    text.chars().map(width).sum()
}

/// The beginning and the end of a text, at most about `most` pixels wide: long names often begin alike.
pub(super) fn short(text: &str, most: f64) -> String {
    if estimated_width(text) <= most {
        return text.to_owned();
    }
    // The mark of what is missing is as wide as a wide letter.
    let half = (most - 12.0) / 2.0;
    let part = |characters: &mut dyn Iterator<Item = char>| -> String {
        let mut width = 0.0;
        characters
            .take_while(|character| {
                width += estimated_width(character.encode_utf8(&mut [0; 4]));
                width <= half
            })
            .collect()
    };
    let end = part(&mut text.chars().rev());
    part(&mut text.chars()) + "…" + &end.chars().rev().collect::<String>()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_scale_holds_its_values_and_its_marks_are_round(
            values in proptest::collection::vec(-1e6_f64..1e6, 1..20),
        ) {
            let scale = Scale::linear(values.iter().copied(), 100.0, 500.0);
            for value in &values {
                prop_assert!((100.0..=500.0).contains(&scale.at(*value)));
                prop_assert!(*value >= scale.from && *value <= scale.to);
            }
            let marks = scale.marks();
            prop_assert!((2..=14).contains(&marks.len()), "{marks:?}");
            // They are equally far from each other, from one end to the other.
            for (index, mark) in (0_u32..).zip(&marks) {
                let share = f64::from(index) / f64::from(u32::try_from(marks.len() - 1).unwrap());
                let place = scale.at(*mark);
                prop_assert!((place - (100.0 + 400.0 * share)).abs() < 1e-6, "{mark}: {place}");
            }
        }
    }

    #[test]
    fn a_scale_of_whole_numbers_has_whole_marks() {
        for most in [0.0, 1.0, 2.0, 3.0, 7.0, 48.0] {
            let scale = Scale::whole([-1.0, most].into_iter(), 0.0, 100.0);
            let marks = scale.marks();
            assert!(marks.len() > 1 && marks.iter().all(|mark| mark.fract() == 0.0), "{marks:?}");
        }
        // These would have marks at halves.
        assert!(Scale::linear([0.0, 2.0].into_iter(), 0.0, 1.0).marks().contains(&0.5));
    }

    #[test]
    fn a_name_is_cut_by_its_width() {
        assert_eq!(short("WWWWWWWW_MAXIMILIAN", 140.0), "WWWWW…MILIAN");
        assert_eq!(short("播棋播棋播棋播棋播棋播棋", 140.0), "播棋播棋播…棋播棋播棋");
        // Names that begin alike have labels of their own.
        let label = |number: u32| {
            short(&format!("8 Müller-Lüdenscheidt-Hohenstaufen-Nr-{number}-x"), 290.0)
        };
        assert_ne!(label(22), label(25));
        assert_eq!(short("student-01-smith", 140.0), "student-01-smith");
    }

    #[test]
    fn strangers_text_is_text() {
        let mut drawing = SvgDrawing::new(10.0, 10.0, "\"><script>");
        drawing.text("x", (0.0, 0.0), Anchor::Start, "</text><img src=x onerror=alert(1)>");
        drawing.dot((1.0, 1.0), "<b>");
        for text in [drawing.in_page(), drawing.file()] {
            assert!(!text.contains("<script>") && !text.contains("<img") && !text.contains("<b>"));
        }
    }
}
