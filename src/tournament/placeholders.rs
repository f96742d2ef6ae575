//! `[[bots]]`: one bot for each file that matches, its words filled in.

use std::path::Path;

use glob::Pattern;

use crate::text::{printable, printable_path};

/// A file that a pattern found: what it fills in for each of the [`FIELDS`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FoundFile([String; FIELDS.len()]);

/// The names that are filled in.
const FIELDS: [&str; 5] = ["path", "stem", "file", "dir", "folder"];

/// The same as they are written.
pub(super) const PLACEHOLDERS: [&str; 5] = ["{path}", "{stem}", "{file}", "{dir}", "{folder}"];

impl FoundFile {
    /// The file at `path` in `folder`.
    pub(super) fn new(path: &Path, folder: &Path) -> Result<FoundFile, String> {
        let text = |part: Option<&std::ffi::OsStr>| {
            part.and_then(|part| part.to_str()).map(str::to_owned).ok_or_else(|| {
                let shown = printable_path(path);
                format!("{shown} is not UTF-8; give the file another name")
            })
        };
        let dir = path.parent().filter(|dir| *dir != Path::new("")).unwrap_or(Path::new("."));
        // The name of `.` or `..` says nothing.
        let resolved = || folder.join(dir).canonicalize().unwrap_or_else(|_| dir.to_owned());
        let named = if dir.file_name().is_some() { dir.to_owned() } else { resolved() };
        Ok(FoundFile([
            text(Some(path.as_os_str()))?,
            text(path.file_stem())?,
            text(path.file_name())?,
            text(Some(dir.as_os_str()))?,
            text(Some(named.file_name().unwrap_or(named.as_os_str())))?,
        ]))
    }

    /// The file, unless its path below `folder` has a character that separates paths in a word of a
    /// command, as in `-cp a:b` and `--with=a`: what is behind it would be another path, perhaps
    /// another bot's.
    ///
    /// # Errors
    ///
    /// In words.
    pub(super) fn without_separators(self, folder: &Path) -> Result<FoundFile, String> {
        let path = Path::new(self.path());
        let below = path.strip_prefix(folder).unwrap_or(path).to_string_lossy();
        let Some(mark) = below.chars().find(|mark| [':', '='].contains(mark)) else {
            return Ok(self);
        };
        let path = printable(self.path());
        Err(format!("{path} has {mark:?} in it, which separates paths in a command; rename it"))
    }

    /// Its path, relative to the folder in which it was looked for.
    pub(super) fn path(&self) -> &str {
        &self.0[0]
    }

    /// The word with the fields of this file filled in.
    ///
    /// # Errors
    ///
    /// When a name in braces is unknown.
    pub(super) fn fill(&self, word: &str) -> Result<String, String> {
        self.fill_as(word, str::to_owned)
    }

    /// The same for a word of a command, so that no program takes a file's name for an option, for a
    /// file of options or for a setting: `./-x.c`, `./@x.c`, `./CC=x.c`.
    ///
    /// # Errors
    ///
    /// In words, as [`FoundFile::fill`].
    pub(super) fn fill_word(&self, word: &str) -> Result<String, String> {
        let filled = self.fill(word)?;
        let is_option = word.starts_with('{') && filled.starts_with(['-', '@']);
        let first = filled.split('/').next().unwrap_or_default();
        let is_setting = first.contains('=') && !word.contains('=') && !word.starts_with('-');
        Ok(if is_option || is_setting { format!("./{filled}") } else { filled })
    }

    /// An error if `word` has a sign between its parts, as in `-Wl,-rpath,{dir}`, that is also in what
    /// is filled in: what is behind it there would be a part of its own, perhaps an option.
    ///
    /// # Errors
    ///
    /// In words.
    pub(super) fn refuse_more_parts(&self, word: &str) -> Result<(), String> {
        let fields = PLACEHOLDERS.iter().zip(&self.0);
        let filled_in: Vec<_> = fields.filter(|(it, _)| word.contains(**it)).collect();
        let is_doubled = |mark: &char| {
            word.contains(*mark) && filled_in.iter().any(|(_, value)| value.contains(*mark))
        };
        let Some(mark) = [',', ':'].into_iter().find(is_doubled) else { return Ok(()) };
        let path = printable(self.path());
        Err(format!("{path} has {mark:?} in it, which separates the parts of {word:?}; rename it"))
    }

    /// The text with the fields filled in for a pattern: what is filled in stands for itself.
    ///
    /// # Errors
    ///
    /// In words, as [`FoundFile::fill`].
    pub(super) fn fill_pattern(&self, pattern: &str) -> Result<String, String> {
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
            filled += &*value.ok_or_else(|| unknown(name))?;
            rest = after;
        }
        filled.push_str(rest);
        Ok(filled)
    }
}

fn unknown(name: &str) -> String {
    format!("unknown {{{name}}}; known are {}", PLACEHOLDERS.join(", "))
}

/// An error if a word without blanks has an unknown placeholder, or one that is not closed. With blanks it
/// may be a script, with braces of its own.
///
/// # Errors
///
/// In words.
pub(super) fn refuse_unknown_placeholders(word: &str) -> Result<(), String> {
    if word.contains(char::is_whitespace) {
        return Ok(());
    }
    match names_in_braces(word).find(|name| !matches!(name, Ok(name) if FIELDS.contains(name))) {
        Some(name) => Err(name.map_or_else(|why| why, unknown)),
        None => Ok(()),
    }
}

/// An error if `text`, which may be a command, has a placeholder with a blank in it, as `{ path }`. What is
/// in quotes may be a script, with braces of its own.
///
/// # Errors
///
/// In words.
pub(super) fn refuse_blanks_in_placeholders(text: &str) -> Result<(), String> {
    let unquoted = |_| text.split_whitespace().map(str::to_owned).collect();
    let mut words = shell_words::split(text).unwrap_or_else(unquoted);
    words.retain(|word| !word.contains(char::is_whitespace));
    let plain = words.join(" ");
    let has_blank = |name: &&&str| {
        [format!("{{ {name} }}"), format!("{{ {name}}}"), format!("{{{name} }}")]
            .iter()
            .any(|it| plain.contains(it))
    };
    FIELDS
        .iter()
        .find(has_blank)
        .map_or(Ok(()), |name| Err(format!("a placeholder has no blanks; write {{{name}}}")))
}

/// The names of what looks like placeholders in `word`; an error for one that is not closed. Braces of a
/// shell, `${line}`, are its own.
fn names_in_braces(word: &str) -> impl Iterator<Item = Result<&str, String>> {
    let braces = word.match_indices('{').filter(|(at, _)| !word[..*at].ends_with('$'));
    braces.filter_map(|(at, _)| {
        placeholder(&word[at + 1..]).map(|found| found.map(|(name, _)| name)).transpose()
    })
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

/// An error if `word`, which is of a single bot, has a placeholder of [`FoundFile::fill`], or what
/// looks like one.
///
/// # Errors
///
/// In words.
pub(super) fn refuse_placeholders(word: &str) -> Result<(), String> {
    if let Some(field) = placeholder_in(word) {
        return Err(format!(
            "{{{field}}} is filled in under [[bots]] only, for each file that its glob matches; \
             write the file's name here"
        ));
    }
    let is_script = word.contains(char::is_whitespace);
    let unknown = names_in_braces(word).find_map(Result::ok);
    unknown.filter(|_| !is_script).map_or(Ok(()), |name| {
        Err(format!("unknown {{{name}}}; placeholders are filled in under [[bots]] only"))
    })
}

/// The first of the [`FIELDS`] that `word` has a placeholder of.
pub(super) fn placeholder_in(word: &str) -> Option<&'static str> {
    FIELDS.into_iter().zip(PLACEHOLDERS).find(|(_, it)| word.contains(it)).map(|(field, _)| field)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str) -> FoundFile {
        FoundFile::new(Path::new(path), Path::new("/usr/lib")).unwrap()
    }

    #[test]
    fn words_are_filled_in() {
        let file = found("submissions/ann b.c");
        assert_eq!(file.fill("-o build/{stem}").unwrap(), "-o build/ann b");
        assert_eq!(
            file.fill("{dir}|{file}|{path}").unwrap(),
            "submissions|ann b.c|submissions/ann b.c"
        );
        assert_eq!(file.fill("{}{1}{ {\"a\":{stem}}").unwrap(), "{}{1}{ {\"a\":ann b}");
        assert!(file.fill("{name}").unwrap_err().contains("{stem}"));
        for (path, filled) in [
            ("x.py", ".|lib"),
            ("c/ann/x.py", "c/ann|ann"),
            ("/x.py", "/|/"),
            ("../x.py", "..|usr"),
            ("../bin/x.py", "../bin|bin"),
        ] {
            assert_eq!(found(path).fill("{dir}|{folder}").unwrap(), filled);
        }
    }

    #[test]
    fn a_files_name_is_one_part_of_a_word() {
        let [comma, colon] = ["a,-plugin,b/x.c", "a:b/x.c"].map(found);
        for (word, is_refused) in [
            ("-Wl,-rpath,{dir}", [true, false]),
            ("-Wl,{path}", [true, false]),
            ("-Wl,-rpath,{stem}", [false, false]),
            ("{dir}:lib", [false, true]),
            ("-I{dir}", [false, false]),
            ("{path}", [false, false]),
        ] {
            let refused = [&comma, &colon].map(|file| file.refuse_more_parts(word).is_err());
            assert_eq!(refused, is_refused, "{word}");
        }
    }

    #[test]
    fn a_placeholder_with_blanks_is_refused() {
        for text in ["{ path }", "python3 { file} -x", "x/{ stem }"] {
            assert!(refuse_blanks_in_placeholders(text).is_err(), "{text}");
        }
        for text in ["{path}", "{ pathname }", "{ print }", "{}", "{ path; }", "x '{ path }'", "'"]
        {
            assert_eq!(refuse_blanks_in_placeholders(text), Ok(()));
        }
    }

    #[test]
    fn placeholders_of_a_single_bot_are_refused() {
        for word in ["{stem}", "./{fodler}", "{Path}", "a{x}", "${stem}"] {
            assert!(refuse_placeholders(word).is_err(), "{word}");
        }
        for word in
            ["{}", "{1}", "{\"a\":{}}", "{a,b}", "${line}", "echo {x}", "{ print }", "{stem"]
        {
            assert_eq!(refuse_placeholders(word), Ok(()));
        }
    }
}
