//! JSON read by hand: a second opinion on which lines are JSON, and where in them values stand.

use std::collections::HashSet;
use std::ops::Range;

/// As deep as an answer may nest.
const DEEPEST: usize = 127;

/// A value and its place in the text.
#[derive(Debug)]
pub struct Node {
    pub span: Range<usize>,
    pub kind: Kind,
}

#[derive(Debug)]
pub enum Kind {
    Null,
    Bool,
    /// A number as it was written.
    Number(String),
    Text(String),
    Array(Vec<Node>),
    Object(Vec<Entry>),
}

/// One field of an object.
#[derive(Debug)]
pub struct Entry {
    /// From the first quote of the key to the end of the value.
    pub span: Range<usize>,
    pub key: String,
    pub value: Node,
}

/// The whole text as one value; none where it is not JSON or nests too deep.
pub fn read(text: &str) -> Option<Node> {
    let mut reader = Reader { bytes: text.as_bytes(), text, at: 0 };
    let node = reader.value(0)?;
    reader.blanks();
    (reader.at == text.len()).then_some(node)
}

impl Node {
    /// Whether an object somewhere in it has a key twice.
    pub fn has_a_key_twice(&self) -> bool {
        match &self.kind {
            Kind::Array(items) => items.iter().any(Node::has_a_key_twice),
            Kind::Object(entries) => {
                let mut seen = HashSet::new();
                entries.iter().any(|entry| !seen.insert(&entry.key))
                    || entries.iter().any(|entry| entry.value.has_a_key_twice())
            }
            _ => false,
        }
    }

    /// The first value of that key, where this is an object.
    pub fn get(&self, key: &str) -> Option<&Node> {
        let Kind::Object(entries) = &self.kind else { return None };
        entries.iter().find(|entry| entry.key == key).map(|entry| &entry.value)
    }

    /// This value and all inside of it.
    pub fn values(&self) -> Vec<&Node> {
        let inside: Vec<&Node> = match &self.kind {
            Kind::Array(items) => items.iter().collect(),
            Kind::Object(entries) => entries.iter().map(|entry| &entry.value).collect(),
            _ => Vec::new(),
        };
        std::iter::once(self).chain(inside.into_iter().flat_map(Node::values)).collect()
    }

    /// Where the fields of objects and the items of arrays stand.
    pub fn parts(&self) -> Vec<Range<usize>> {
        let of = |node: &Node| match &node.kind {
            Kind::Array(items) => items.iter().map(|item| item.span.clone()).collect(),
            Kind::Object(entries) => entries.iter().map(|entry| entry.span.clone()).collect(),
            _ => Vec::new(),
        };
        self.values().into_iter().flat_map(of).collect()
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn blanks(&mut self) {
        while self.bytes.get(self.at).is_some_and(|byte| b" \t\n\r".contains(byte)) {
            self.at += 1;
        }
    }

    fn takes(&mut self, word: &str) -> bool {
        let there = self.bytes[self.at..].starts_with(word.as_bytes());
        self.at += if there { word.len() } else { 0 };
        there
    }

    /// A value with blanks before it, inside of so many others.
    fn value(&mut self, depth: usize) -> Option<Node> {
        self.blanks();
        let start = self.at;
        let kind = match self.bytes.get(self.at)? {
            b'n' => self.takes("null").then_some(Kind::Null)?,
            b't' => self.takes("true").then_some(Kind::Bool)?,
            b'f' => self.takes("false").then_some(Kind::Bool)?,
            b'"' => Kind::Text(self.string()?),
            b'[' | b'{' if depth == DEEPEST => return None,
            b'[' => Kind::Array(self.items(b'[', b']', |reader| reader.value(depth + 1))?),
            b'{' => Kind::Object(self.items(b'{', b'}', |reader| reader.entry(depth + 1))?),
            _ => Kind::Number(self.number()?),
        };
        Some(Node { span: start..self.at, kind })
    }

    fn entry(&mut self, depth: usize) -> Option<Entry> {
        self.blanks();
        let start = self.at;
        let key = self.string()?;
        self.blanks();
        if !self.takes(":") {
            return None;
        }
        let value = self.value(depth)?;
        Some(Entry { span: start..self.at, key, value })
    }

    fn items<T>(
        &mut self,
        open: u8,
        close: u8,
        mut item: impl FnMut(&mut Self) -> Option<T>,
    ) -> Option<Vec<T>> {
        let is = |reader: &Self, byte| reader.bytes.get(reader.at) == Some(&byte);
        assert!(is(self, open));
        self.at += 1;
        self.blanks();
        let mut items = Vec::new();
        while !is(self, close) || !items.is_empty() {
            items.push(item(self)?);
            self.blanks();
            if is(self, close) {
                break;
            }
            if !self.takes(",") {
                return None;
            }
        }
        self.at += 1;
        Some(items)
    }

    fn string(&mut self) -> Option<String> {
        if !self.takes("\"") {
            return None;
        }
        let mut text = String::new();
        loop {
            let character = self.text[self.at..].chars().next()?;
            self.at += character.len_utf8();
            match character {
                '"' => return Some(text),
                '\\' => text.push(self.escaped()?),
                '\0'..'\u{20}' => return None,
                _ => text.push(character),
            }
        }
    }

    fn escaped(&mut self) -> Option<char> {
        let byte = *self.bytes.get(self.at)?;
        self.at += 1;
        Some(match byte {
            b'"' | b'\\' | b'/' => char::from(byte),
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                let first = self.four_digits()?;
                let second = (0xd800..0xdc00).contains(&first) && self.takes("\\u");
                let second = if second { Some(self.four_digits()?) } else { None };
                let units = std::iter::once(first).chain(second);
                let mut characters = char::decode_utf16(units);
                match characters.next()? {
                    Ok(character) => character,
                    // Half of a pair, for which a character stands that nobody uses.
                    Err(half) => {
                        if second.is_some() {
                            self.at -= 6;
                        }
                        char::from_u32(0x10_0000 + u32::from(half.unpaired_surrogate()))?
                    }
                }
            }
            _ => return None,
        })
    }

    fn four_digits(&mut self) -> Option<u16> {
        let digits = self.bytes.get(self.at..self.at + 4)?;
        let digits = std::str::from_utf8(digits).ok()?;
        self.at += 4;
        let all_are = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        all_are.then(|| u16::from_str_radix(digits, 16).ok())?
    }

    fn digits(&mut self) -> Option<()> {
        let start = self.at;
        while self.bytes.get(self.at).is_some_and(u8::is_ascii_digit) {
            self.at += 1;
        }
        (self.at > start).then_some(())
    }

    fn number(&mut self) -> Option<String> {
        let start = self.at;
        self.takes("-");
        if !self.takes("0") {
            self.digits()?;
        }
        if self.takes(".") {
            self.digits()?;
        }
        if self.takes("e") || self.takes("E") {
            let _ = self.takes("+") || self.takes("-");
            self.digits()?;
        }
        Some(self.text[start..self.at].to_owned())
    }
}
