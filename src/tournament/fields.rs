//! `[[bots]]`: one bot for each file that matches, its words filled in.

use std::path::Path;

use glob::Pattern;

use crate::text::{printable, printable_path};

/// A file that a pattern found: what it fills in for each of the [`FIELDS`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundFile([String; FIELDS.len()]);

/// The names that are filled in.
const FIELDS: [&str; 5] = ["path", "stem", "file", "dir", "folder"];

/// The same as they are written.
pub const PLACEHOLDERS: [&str; 5] = ["{path}", "{stem}", "{file}", "{dir}", "{folder}"];

impl FoundFile {
    pub(super) fn new(path: &Path) -> Result<FoundFile, String> {
        let text = |part: Option<&std::ffi::OsStr>| {
            part.and_then(|part| part.to_str()).map(str::to_owned).ok_or_else(|| {
                let shown = printable_path(path);
                format!("{shown} is not UTF-8; give the file another name")
            })
        };
        let folder = path.parent().filter(|folder| *folder != Path::new(""));
        Ok(FoundFile([
            text(Some(path.as_os_str()))?,
            text(path.file_stem())?,
            text(path.file_name())?,
            text(Some(folder.unwrap_or(Path::new(".")).as_os_str()))?,
            text(Some(
                folder.map_or(".".as_ref(), |dir| dir.file_name().unwrap_or(dir.as_os_str())),
            ))?,
        ]))
    }

    /// The file, unless its path below `folder` has a character that separates paths in a word of a
    /// command, as in `-cp a:b` and `--with=a`: what is behind it would be another path, perhaps
    /// another bot's.
    ///
    /// # Errors
    ///
    /// In words.
    pub fn without_separators(self, folder: &Path) -> Result<FoundFile, String> {
        let path = Path::new(self.path());
        let below = path.strip_prefix(folder).unwrap_or(path).to_string_lossy();
        let Some(mark) = below.chars().find(|mark| [':', '='].contains(mark)) else {
            return Ok(self);
        };
        let path = printable(self.path());
        Err(format!("{path} has {mark:?} in it, which separates paths in a command; rename it"))
    }

    /// Its path, relative to the folder in which it was looked for.
    pub fn path(&self) -> &str {
        &self.0[0]
    }

    /// The word with the fields of this file filled in.
    ///
    /// # Errors
    ///
    /// When a name in braces is unknown.
    pub fn fill(&self, word: &str) -> Result<String, String> {
        self.fill_as(word, str::to_owned)
    }

    /// The same in a pattern: what is filled in stands for itself.
    ///
    /// # Errors
    ///
    /// In words, as [`FoundFile::fill`].
    pub fn fill_pattern(&self, pattern: &str) -> Result<String, String> {
        self.fill_as(pattern, Pattern::escape)
    }

    fn fill_as(&self, word: &str, shown: impl Fn(&str) -> String) -> Result<String, String> {
        let mut filled = String::new();
        let mut rest = word;
        while let Some((before, behind)) = rest.split_once('{') {
            filled.push_str(before);
            let Some((name, after)) = placeholder(behind)? else {
                filled.push('{');
                rest = behind;
                continue;
            };
            let value = FIELDS.iter().position(|field| *field == name);
            let value = value.map(|field| shown(&self.0[field]));
            filled +=
                &*value.ok_or_else(|| format!("unknown {{{name}}}; known are {}", known()))?;
            rest = after;
        }
        filled.push_str(rest);
        Ok(filled)
    }
}

/// The name of the placeholder that begins before `text`, and what follows it; `None` for braces of
/// another language, such as those of a shell or of JSON.
fn placeholder(text: &str) -> Result<Option<(&str, &str)>, String> {
    let end = text.find(|c: char| !c.is_ascii_alphabetic() && c != '_').unwrap_or(text.len());
    let (name, after) = text.split_at(end);
    match after.strip_prefix('}') {
        Some(after) if !name.is_empty() => Ok(Some((name, after))),
        None if FIELDS.contains(&name) => Err(format!("{{{name} is not closed; write {{{name}}}")),
        _ => Ok(None),
    }
}

/// An error if `word`, which is of a single bot, has a placeholder of [`FoundFile::fill`].
///
/// # Errors
///
/// In words.
pub fn refuse_placeholders(word: &str) -> Result<(), String> {
    placeholder_in(word).map_or(Ok(()), |field| {
        Err(format!(
            "{{{field}}} is filled in under [[bots]] only, for each file that its glob matches; \
             write the file's name here"
        ))
    })
}

/// The first of the [`FIELDS`] that `word` has a placeholder of.
pub fn placeholder_in(word: &str) -> Option<&'static str> {
    FIELDS.into_iter().zip(PLACEHOLDERS).find(|(_, it)| word.contains(it)).map(|(field, _)| field)
}

fn known() -> String {
    PLACEHOLDERS.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_filled_in() {
        let file = FoundFile::new(Path::new("submissions/ann b.c")).unwrap();
        assert_eq!(file.fill("-o build/{stem}").unwrap(), "-o build/ann b");
        assert_eq!(
            file.fill("{dir}|{file}|{path}").unwrap(),
            "submissions|ann b.c|submissions/ann b.c"
        );
        assert_eq!(file.fill("{}{1}{ {\"a\":{stem}}").unwrap(), "{}{1}{ {\"a\":ann b}");
        assert!(file.fill("{name}").unwrap_err().contains("{stem}"));
        for (path, filled) in
            [("x.py", ".|."), ("c/ann/x.py", "c/ann|ann"), ("/x.py", "/|/"), ("../x.py", "..|..")]
        {
            let file = FoundFile::new(Path::new(path)).unwrap();
            assert_eq!(file.fill("{dir}|{folder}").unwrap(), filled);
        }
    }
}
