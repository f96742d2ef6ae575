//! `[[bots]]`: one bot for each file that matches, its words filled in.

use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

use glob::Pattern;

use crate::text::printable_path;

/// A file that a pattern found: what it fills in for each of the [`FIELDS`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundFile([String; FIELDS.len()]);

/// The names that are filled in.
const FIELDS: [&str; 5] = ["path", "stem", "file", "dir", "folder"];

/// The same as they are written.
pub const PLACEHOLDERS: [&str; 5] = ["{path}", "{stem}", "{file}", "{dir}", "{folder}"];

/// The files that match a pattern, which is relative to `folder`, in the order of their paths; words
/// in place of one whose path is not text, or has a link in it and no link is to be followed: in the
/// sandbox what it leads to would be the bot's own.
///
/// # Errors
///
/// In words: when the pattern is invalid, a folder cannot be read, or nothing matches.
pub fn find_files(
    pattern: &str,
    folder: &Path,
    follows_links: bool,
) -> Result<Vec<Result<FoundFile, String>>, String> {
    let steps = steps_of(pattern).map_err(|why| format!("the pattern is invalid: {why}"))?;
    let mut paths = Vec::new();
    // A file that was found by a pattern is missed where a folder has its name.
    let is_pattern = steps.iter().any(|step| !matches!(step, Step::Is(_)));
    let names_a_file = is_pattern && Path::new(pattern).extension().is_some();
    let is_wanted = |path: &Path| path.is_file() || names_a_file && path.is_dir();
    search(folder, Path::new(""), &steps, &is_wanted, &mut paths)
        .map_err(|why| format!("cannot look for files: {why}"))?;
    paths.sort();
    paths.dedup();
    // What stands before it is not of those who handed a file in.
    let of_them = steps.iter().position(|step| !matches!(step, Step::Is(_)));
    let of_them = steps.len() - of_them.unwrap_or(steps.len());
    let found = |path: &PathBuf| {
        if folder.join(path).is_dir() {
            let path = printable_path(path);
            return Err(format!("{path} is a folder; put the file itself there"));
        }
        let link = path.ancestors().take(of_them).find(|part| folder.join(part).is_symlink());
        if let Some(link) = link.filter(|_| !follows_links) {
            let link = printable_path(link.strip_prefix(folder).unwrap_or(link));
            return Err(format!("{link} is a link; put the file itself there"));
        }
        FoundFile::new(path.strip_prefix(folder).unwrap_or(path))
    };
    let found: Vec<_> = paths.iter().map(found).collect();
    if found.is_empty() {
        let folder = if folder == Path::new("") { Path::new(".") } else { folder };
        let folder = std::path::absolute(folder).unwrap_or_else(|_| PathBuf::from(folder));
        if folder.join(pattern).is_dir() {
            return Err(format!(
                "{pattern:?} is a folder; write \"{pattern}/**\" for all its files"
            ));
        }
        return Err(format!("no file in {} matches {pattern:?}", folder.display()));
    }
    Ok(found)
}

/// A part of a pattern between two slashes.
enum Step {
    /// It is this name: `bots`, `..` or the root.
    Is(OsString),
    /// Its name matches.
    Matches(Pattern),
    /// `**`: it and all folders below it.
    AnyDepth,
}

fn steps_of(pattern: &str) -> Result<Vec<Step>, &'static str> {
    let step = |part: Component<'_>| {
        let part = part.as_os_str();
        Ok(match part.to_str() {
            Some("**") => Step::AnyDepth,
            Some(text) if text.contains(['*', '?', '[']) => {
                Step::Matches(Pattern::new(text).map_err(|error| error.msg)?)
            }
            _ => Step::Is(part.to_owned()),
        })
    };
    let parts = Path::new(pattern).components().filter(|part| *part != Component::CurDir);
    let mut steps: Vec<Step> = parts.map(step).collect::<Result<_, &'static str>>()?;
    // All files below it.
    if let Some(Step::AnyDepth) = steps.last() {
        steps.push(Step::Matches(Pattern::new("*").map_err(|error| error.msg)?));
    }
    Ok(steps)
}

/// Adds what `is_wanted` at the end of these steps from `at`, a path in `folder`.
///
/// A name that is not UTF-8 is compared as it is shown, so that it is an error only if the pattern
/// matches it.
fn search(
    folder: &Path,
    at: &Path,
    steps: &[Step],
    is_wanted: &dyn Fn(&Path) -> bool,
    found: &mut Vec<PathBuf>,
) -> Result<(), String> {
    let Some((step, rest)) = steps.split_first() else {
        if is_wanted(&folder.join(at)) {
            found.push(at.to_owned());
        }
        return Ok(());
    };
    match step {
        Step::Is(name) => search(folder, &at.join(name), rest, is_wanted, found),
        Step::Matches(pattern) => {
            let options = glob::MatchOptions {
                case_sensitive: true,
                require_literal_separator: true,
                require_literal_leading_dot: true,
            };
            for name in names_in(&folder.join(at))? {
                if pattern.matches_with(&name.to_string_lossy(), options) {
                    search(folder, &at.join(name), rest, is_wanted, found)?;
                }
            }
            Ok(())
        }
        Step::AnyDepth => {
            search(folder, at, rest, is_wanted, found)?;
            for name in names_in(&folder.join(at))? {
                let below = at.join(&name);
                let is_hidden = name.as_encoded_bytes().starts_with(b".");
                // A link may lead back to where it is.
                let is_folder = folder.join(&below).symlink_metadata().is_ok_and(|it| it.is_dir());
                if is_folder && !is_hidden {
                    search(folder, &below, steps, is_wanted, found)?;
                }
            }
            Ok(())
        }
    }
}

/// The names in `folder`; empty if it does not exist or is a file.
fn names_in(folder: &Path) -> Result<Vec<OsString>, String> {
    let folder = if folder == Path::new("") { Path::new(".") } else { folder };
    let names = std::fs::read_dir(folder)
        .and_then(|entries| entries.map(|entry| Ok(entry?.file_name())).collect());
    match names {
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            Ok(Vec::new())
        }
        names => names.map_err(|error| format!("{}: {error}", printable_path(folder))),
    }
}

impl FoundFile {
    fn new(path: &Path) -> Result<FoundFile, String> {
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
        let mut filled = String::new();
        let mut rest = word;
        while let Some((before, behind)) = rest.split_once('{') {
            filled.push_str(before);
            let Some((name, after)) = placeholder(behind)? else {
                filled.push('{');
                rest = behind;
                continue;
            };
            let value = FIELDS.iter().position(|field| *field == name).map(|field| &self.0[field]);
            filled += value.ok_or_else(|| format!("unknown {{{name}}}; known are {}", known()))?;
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

    #[test]
    fn files_are_found_in_order_without_hidden_ones_and_a_folder_among_them_is_told() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["b.c", "a.c", ".hidden.c", "c.h"] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        std::fs::create_dir(folder.path().join("d.c")).unwrap();
        let found = find_files("*.c", folder.path(), true).unwrap();
        let paths: Vec<_> = found.iter().map(|file| file.as_ref().map(FoundFile::path)).collect();
        let folder_named_so = "d.c is a folder; put the file itself there".to_owned();
        assert_eq!(paths, [Ok("a.c"), Ok("b.c"), Err(&folder_named_so)]);
        assert_eq!(find_files("*", folder.path(), true).unwrap().len(), 3);
        assert!(find_files("*.py", folder.path(), true).unwrap_err().contains("matches \"*.py\""));
        assert!(find_files("[", folder.path(), true).unwrap_err().contains("invalid"));
    }

    #[test]
    fn a_pattern_reaches_into_folders() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["x/ann", "x/ann b", "x/.git", "y"] {
            std::fs::create_dir_all(folder.path().join(name)).unwrap();
            std::fs::write(folder.path().join(name).join("bot.c"), "").unwrap();
        }
        let found = |pattern: &str| {
            let found = find_files(pattern, folder.path(), true).unwrap();
            found.into_iter().map(|file| file.unwrap().path().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(found("x/*/bot.c"), ["x/ann/bot.c", "x/ann b/bot.c"]);
        assert_eq!(found("./x/../[xy]/bot.c"), ["x/../y/bot.c"]);
        let all = ["x/ann/bot.c", "x/ann b/bot.c", "y/bot.c"];
        assert_eq!(found("**/bot.c"), all);
        assert_eq!(found(&format!("{}/**/*.c", folder.path().display())), all);
        assert_eq!(found("y/bot.c"), ["y/bot.c"]);
    }

    #[test]
    fn a_link_that_was_handed_in_is_told_and_not_followed() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir_all(at("real/ann")).unwrap();
        std::fs::write(at("real/ann/bot.c"), "").unwrap();
        std::fs::create_dir(at("real/ben")).unwrap();
        symlink("../ann/bot.c", at("real/ben/bot.c")).unwrap();
        symlink("ann", at("real/cem")).unwrap();
        symlink("real", at("class")).unwrap();
        let found = find_files("class/*/bot.c", folder.path(), false).unwrap();
        let found = found.iter().map(|file| file.as_ref().map(FoundFile::path));
        let wrong = |link: &str| format!("{link} is a link; put the file itself there");
        let expected =
            [Ok("class/ann/bot.c"), Err(&wrong("class/ben/bot.c")), Err(&wrong("class/cem"))];
        assert_eq!(found.collect::<Vec<_>>(), expected);
        let found = find_files("class/*/bot.c", folder.path(), true).unwrap();
        assert!(found.len() == 3 && found.iter().all(Result::is_ok), "{found:?}");
    }

    #[test]
    fn a_name_that_is_not_utf_8_is_an_error_where_it_is_meant() {
        use std::os::unix::ffi::OsStrExt;
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("bob.py"), "").unwrap();
        let name = std::ffi::OsStr::from_bytes(b"M\xfcller.c");
        if std::fs::write(folder.path().join(name), "").is_err() {
            return println!("left out: this file system takes no such name");
        }
        assert_eq!(find_files("b*.py", folder.path(), true).unwrap().len(), 1);
        for pattern in ["*.c", "M?ller.c", "**/*"] {
            let mut found = find_files(pattern, folder.path(), true).unwrap();
            found.retain(Result::is_err);
            let why = found.pop().unwrap().unwrap_err();
            assert!(why.contains("ller.c is not UTF-8; give the file another name"), "{why}");
        }
    }
}
