//! What the tests read from a Markdown document: its fenced blocks and its tables.

/// A fenced block.
#[derive(Debug)]
pub struct Block {
    /// The words behind the fence: the language, then whatever else is said.
    pub words: Vec<String>,
    /// The line of its fence, from 1.
    pub line: usize,
    /// The lines between the fences.
    pub lines: Vec<String>,
}

impl Block {
    pub fn language(&self) -> &str {
        self.words.first().map_or("", String::as_str)
    }

    pub fn says(&self, word: &str) -> bool {
        self.words.iter().any(|said| said == word)
    }
}

/// All fenced blocks in order.
pub fn blocks(document: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut open = false;
    for (number, line) in (1..).zip(document.lines()) {
        match (line.strip_prefix("```"), open) {
            (Some(words), false) => {
                let words = words.split_whitespace().map(str::to_owned).collect();
                blocks.push(Block { words, line: number, lines: Vec::new() });
                open = true;
            }
            (Some(rest), true) => {
                assert_eq!(rest, "", "line {number}: a fence in a block");
                open = false;
            }
            (None, true) => blocks.last_mut().unwrap().lines.push(line.to_owned()),
            (None, false) => {}
        }
    }
    assert!(!open, "a block is not closed");
    blocks
}

/// The text below the heading with exactly this text, up to the next heading of any level.
pub fn section<'a>(document: &'a str, heading: &str) -> &'a str {
    let is_heading = |line: &str| line.starts_with('#');
    let mut offset = 0;
    let mut begin = None;
    for line in document.split_inclusive('\n') {
        if let Some(begin) = begin
            && is_heading(line)
        {
            return &document[begin..offset];
        }
        offset += line.len();
        if is_heading(line) && line.trim_start_matches('#').trim() == heading {
            begin = Some(offset);
        }
    }
    begin.map_or_else(|| panic!("no heading {heading:?}"), |begin| &document[begin..])
}

/// The first cells of the rows of a section's tables that are code, without their backticks.
pub fn code_in_first_column(section: &str) -> Vec<String> {
    section
        .lines()
        .filter_map(|line| line.strip_prefix("| `"))
        .filter_map(|line| line.split_once("` |"))
        .map(|(code, _)| code.to_owned())
        .collect()
}

/// The cells of each row of a document's tables, without what fills them up; no cell has a pipe.
pub fn table_rows(document: &str) -> Vec<Vec<&str>> {
    let rows = document.lines().filter_map(|line| line.strip_prefix('|')?.strip_suffix('|'));
    rows.map(|row| row.split('|').map(str::trim).collect()).collect()
}

/// Where the links of a document lead to.
pub fn links(document: &str) -> Vec<&str> {
    let after = document.split("](").skip(1);
    after.filter_map(|text| text.split_once(')')).map(|(target, _)| target).collect()
}

/// The anchors that a document's headings make.
pub fn anchors(document: &str) -> Vec<String> {
    let headings = document.lines().filter(|line| line.starts_with('#'));
    headings
        .map(|heading| {
            let words = heading.trim_start_matches('#').trim().to_lowercase();
            let kept = words.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
            kept.collect::<String>().replace(' ', "-")
        })
        .collect()
}
