//! `[[bots]]`: one bot for each file that matches, its words filled in.

use std::path::{Path, PathBuf};

/// A file that a pattern found, and what it fills in for `{path}`, `{stem}`, `{file}`, `{dir}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundFile {
    path: String,
    stem: String,
    file: String,
    folder: String,
}

/// The names that are filled in.
const FIELDS: [&str; 4] = ["path", "stem", "file", "dir"];

/// The files that match a pattern, which is relative to `folder`, in the order of their paths.
///
/// # Errors
///
/// In words: when the pattern is invalid, a folder cannot be read, a path is not text, or nothing
/// matches.
pub fn find_files(pattern: &str, folder: &Path) -> Result<Vec<FoundFile>, String> {
    let base = glob::Pattern::escape(&folder.to_string_lossy());
    let whole = match base.as_str() {
        "" => pattern.to_owned(),
        _ if Path::new(pattern).is_absolute() => pattern.to_owned(),
        base => format!("{base}/{pattern}"),
    };
    let options = glob::MatchOptions {
        case_sensitive: true,
        require_literal_separator: true,
        require_literal_leading_dot: true,
    };
    let paths = glob::glob_with(&whole, options)
        .map_err(|error| format!("the pattern is invalid: {}", error.msg))?;
    let mut found = Vec::new();
    for path in paths {
        let path = path.map_err(|error| format!("cannot look for files: {error}"))?;
        if path.is_file() {
            found.push(FoundFile::new(path.strip_prefix(folder).unwrap_or(&path))?);
        }
    }
    if found.is_empty() {
        let folder = if folder == Path::new("") { Path::new(".") } else { folder };
        let folder = std::path::absolute(folder).unwrap_or_else(|_| PathBuf::from(folder));
        return Err(format!("no file in {} matches {pattern:?}", folder.display()));
    }
    Ok(found)
}

impl FoundFile {
    fn new(path: &Path) -> Result<FoundFile, String> {
        let text = |part: Option<&std::ffi::OsStr>| {
            part.and_then(|part| part.to_str()).map(str::to_owned).ok_or_else(|| {
                let shown = crate::text::printable(&path.to_string_lossy());
                format!("{shown} is not UTF-8; give the file another name")
            })
        };
        let folder = text(Some(path.parent().unwrap_or(Path::new("")).as_os_str()))?;
        Ok(FoundFile {
            path: text(Some(path.as_os_str()))?,
            stem: text(path.file_stem())?,
            file: text(path.file_name())?,
            folder: if folder.is_empty() { ".".to_owned() } else { folder },
        })
    }

    /// Its path, relative to the folder in which it was looked for.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The word with the fields of this file filled in.
    ///
    /// # Errors
    ///
    /// When a name in braces is unknown.
    pub fn fill(&self, word: &str) -> Result<String, String> {
        let mut filled = String::new();
        let mut rest = word;
        while let Some((before, behind)) = rest.split_once('{') {
            filled.push_str(before);
            let name = behind.split_once('}').filter(|(name, _)| is_a_name(name));
            let Some((name, after)) = name else {
                // Braces of another language, such as those of a shell or of JSON.
                filled.push('{');
                rest = behind;
                continue;
            };
            filled.push_str(match name {
                "path" => &self.path,
                "stem" => &self.stem,
                "file" => &self.file,
                "dir" => &self.folder,
                _ => return Err(format!("unknown {{{name}}}; known are {}", known())),
            });
            rest = after;
        }
        filled.push_str(rest);
        Ok(filled)
    }
}

fn is_a_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_lowercase() || c == '_')
}

fn known() -> String {
    FIELDS.map(|field| format!("{{{field}}}")).join(", ")
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
        assert_eq!(FoundFile::new(Path::new("x.py")).unwrap().fill("{dir}").unwrap(), ".");
    }

    #[test]
    fn files_are_found_in_order_and_folders_and_hidden_files_are_not() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["b.c", "a.c", ".hidden.c", "c.h"] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        std::fs::create_dir(folder.path().join("d.c")).unwrap();
        let found = find_files("*.c", folder.path()).unwrap();
        let paths: Vec<&str> = found.iter().map(FoundFile::path).collect();
        assert_eq!(paths, ["a.c", "b.c"]);
        assert!(find_files("*.py", folder.path()).unwrap_err().contains("matches \"*.py\""));
        assert!(find_files("[", folder.path()).unwrap_err().contains("invalid"));
    }
}
