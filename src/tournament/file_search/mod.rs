//! The files that a pattern with `*`, `?`, `[…]` and `**` finds.

mod hints;

use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

use glob::{Pattern, PatternError};

use crate::text::printable_path;
use crate::tournament::placeholders::FoundFile;

/// What files are looked for.
#[derive(Clone, Copy)]
pub(super) enum WantedFiles {
    /// Bots that were handed in. In the sandbox no link is followed: what it leads to would be the
    /// bot's own.
    Bots {
        follows_links: bool,
    },
    PartsOfBot,
}

/// The files that match a pattern, which is relative to `folder`, in the order of their paths; words
/// in place of one whose path is not text, or has a link in it and no link is to be followed.
///
/// # Errors
///
/// When the pattern is invalid, a folder cannot be read, or nothing matches.
pub(super) fn find_files(
    pattern: &str,
    folder: &Path,
    wanted: WantedFiles,
) -> Result<Vec<Result<FoundFile, String>>, NoFiles> {
    let steps = steps_of(pattern)?;
    // A file that was found by a pattern is missed where a folder has its name.
    let is_pattern = steps.iter().any(|step| !matches!(step, Step::Is(_)));
    let (names_a_file, follows_links) = match wanted {
        WantedFiles::Bots { follows_links } => {
            (steps.last().is_some_and(Step::names_something), follows_links)
        }
        WantedFiles::PartsOfBot => (Path::new(pattern).extension().is_some(), true),
    };
    let names_a_file = is_pattern && names_a_file;
    let fixed = fixed_part(&steps);
    let mut search = Search { follows_links, names_a_file, ..Search::new(folder, &fixed) };
    search.find(Path::new(""), &steps).map_err(|why| format!("cannot look for files: {why}"))?;
    let Search { mut paths, troubles, .. } = search;
    paths.sort();
    paths.dedup();
    let found = |path: &PathBuf| {
        if folder.join(path).is_dir() {
            let path = printable_path(path);
            return Err(format!("{path} is a folder; put the file itself there"));
        }
        let handed_in = path.ancestors().take_while(|part| *part != fixed);
        let link = handed_in.filter(|part| folder.join(part).is_symlink()).last();
        if let Some(link) = link.filter(|_| !follows_links) {
            return Err(is_a_link(link.strip_prefix(folder).unwrap_or(link)));
        }
        FoundFile::new(path.strip_prefix(folder).unwrap_or(path), folder)
    };
    let troubles = troubles.into_iter().map(Err);
    let found: Vec<_> = paths.iter().map(found).chain(troubles).collect();
    if found.is_empty() {
        let folder = if folder == Path::new("") { Path::new(".") } else { folder };
        let folder = std::path::absolute(folder).unwrap_or_else(|_| PathBuf::from(folder));
        if folder.join(pattern).is_dir() {
            return Err(NoFiles::Impossible(hints::is_a_folder(pattern)));
        }
        let hint = hints::hint(pattern, &steps, &folder);
        let folder = printable_path(&folder);
        return Err(NoFiles::NoMatch(format!("no file in {folder} matches {pattern:?}{hint}")));
    }
    Ok(found)
}

/// Why a pattern finds no files, in words.
#[derive(Debug, thiserror::Error)]
pub(super) enum NoFiles {
    /// There are none.
    #[error("{0}")]
    NoMatch(String),
    /// They cannot be looked for.
    #[error("{0}")]
    Impossible(String),
}

impl From<String> for NoFiles {
    fn from(why: String) -> NoFiles {
        NoFiles::Impossible(why)
    }
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

impl Step {
    /// Whether it has a letter that names must have.
    fn names_something(&self) -> bool {
        match self {
            Step::Is(_) => true,
            Step::Matches(pattern) => {
                let mut in_group = false;
                pattern.as_str().chars().any(|sign| {
                    let was_in_group = in_group;
                    in_group = sign == '[' || in_group && sign != ']';
                    !was_in_group && !"*?[".contains(sign)
                })
            }
            Step::AnyDepth => false,
        }
    }
}

fn steps_of(pattern: &str) -> Result<Vec<Step>, String> {
    if pattern.is_empty() {
        return Err("the pattern is empty; write what the files' paths look like".to_owned());
    }
    let invalid = |error: &PatternError| format!("the pattern is invalid: {}", error.msg);
    let step = |part: Component<'_>| {
        let part = part.as_os_str();
        Ok(match part.to_str() {
            Some("**") => Step::AnyDepth,
            Some(text) if text.contains(['*', '?', '[']) => {
                Step::Matches(Pattern::new(text).map_err(|error| invalid(&error))?)
            }
            _ => Step::Is(part.to_owned()),
        })
    };
    let parts = Path::new(pattern).components().filter(|part| *part != Component::CurDir);
    let mut steps: Vec<Step> = parts.map(step).collect::<Result<_, String>>()?;
    // All files below it.
    if let Some(Step::AnyDepth) = steps.last() {
        steps.push(Step::Matches(Pattern::new("*").map_err(|error| invalid(&error))?));
    }
    Ok(steps)
}

/// Whether this can be a pattern at all.
///
/// # Errors
///
/// In words, when it cannot.
pub(super) fn check_pattern(pattern: &str) -> Result<(), String> {
    steps_of(pattern).map(|_| ())
}

/// The folders that a pattern names itself, before its first sign: not of those who handed a file in.
fn fixed_part(steps: &[Step]) -> PathBuf {
    let name = |step: &Step| if let Step::Is(name) = step { Some(name.clone()) } else { None };
    steps.iter().map_while(name).collect()
}

/// The folder below which a pattern finds files, relative to `folder` where it lies in it.
pub(super) fn folder_of_pattern(pattern: &str, folder: &Path) -> PathBuf {
    let fixed = steps_of(pattern).map(|steps| fixed_part(&steps)).unwrap_or_default();
    fixed.strip_prefix(folder).map(Path::to_owned).unwrap_or(fixed)
}

/// The folders in which a pattern looks for files, one for each who handed some in, and whether it
/// finds anything there: of `c/*/*.c` those in `c`. Empty if the pattern names no folder before its
/// first sign, for there may be others beside those folders.
pub(super) fn folders_looked_at(pattern: &str, folder: &Path) -> Vec<(PathBuf, bool)> {
    let steps = steps_of(pattern).unwrap_or_default();
    let fixed = fixed_part(&steps);
    let rest = steps.iter().position(|step| !matches!(step, Step::Is(_)));
    let rest = rest.filter(|&at| at > 0 && at + 1 < steps.len()).map(|at| &steps[at..]);
    let Some([first, others @ ..]) = rest else { return Vec::new() };
    let (below, others) = match first {
        Step::Matches(pattern) => (pattern.as_str(), others),
        Step::AnyDepth | Step::Is(_) => ("*", rest.unwrap_or_default()),
    };
    let search = |steps: &[Step], at: &Path| {
        let mut search = Search::new(folder, &fixed);
        let is_told = search.find(at, steps).is_err() || !search.troubles.is_empty();
        (search.paths, is_told)
    };
    let below = Pattern::new(below).map(Step::Matches);
    let found = below.map(|below| search(&[below], &fixed).0).unwrap_or_default();
    let is_folder =
        |path: &PathBuf| folder.join(path).symlink_metadata().is_ok_and(|found| found.is_dir());
    let looked_at = |path: PathBuf| {
        let (files, is_told) = search(others, &path);
        (path, is_told || !files.is_empty())
    };
    found.into_iter().filter(is_folder).map(looked_at).collect()
}

fn is_a_link(path: &Path) -> String {
    format!("{} is a link; put the file itself there", printable_path(path))
}

/// A search for files, and what it has found.
struct Search<'a> {
    folder: &'a Path,
    /// The part of the pattern that names folders itself.
    fixed: &'a Path,
    /// Whether it goes through links behind that.
    follows_links: bool,
    /// Whether a folder counts as a file with a wrong name.
    names_a_file: bool,
    case_sensitive: bool,
    paths: Vec<PathBuf>,
    /// What cannot be looked at, in words.
    troubles: Vec<String>,
}

impl<'a> Search<'a> {
    /// A search that follows no links and has found nothing yet.
    fn new(folder: &'a Path, fixed: &'a Path) -> Search<'a> {
        let (paths, troubles) = (Vec::new(), Vec::new());
        let (follows_links, names_a_file, case_sensitive) = (false, true, true);
        Search { folder, fixed, follows_links, names_a_file, case_sensitive, paths, troubles }
    }

    /// Adds the files at the end of `steps` from `at`, a path in the folder.
    ///
    /// A name that is not UTF-8 is compared as it is shown, so that it is an error only if the
    /// pattern matches it.
    fn find(&mut self, at: &Path, steps: &[Step]) -> Result<(), String> {
        let Some((step, rest)) = steps.split_first() else {
            self.end(at);
            return Ok(());
        };
        match step {
            Step::Is(name) => self.enter(&at.join(name), rest),
            Step::Matches(pattern) => {
                let options = glob::MatchOptions {
                    case_sensitive: self.case_sensitive,
                    require_literal_separator: true,
                    require_literal_leading_dot: true,
                };
                for name in self.names_in(at)? {
                    if !pattern.matches_with(&name.to_string_lossy(), options) {
                        continue;
                    }
                    self.enter(&at.join(name), rest)?;
                }
                Ok(())
            }
            Step::AnyDepth => {
                self.find(at, rest)?;
                for name in self.names_in(at)? {
                    let below = at.join(&name);
                    let is_hidden = name.as_encoded_bytes().starts_with(b".");
                    // A link may lead back to where it is.
                    let kind = self.folder.join(&below).symlink_metadata();
                    if kind.is_ok_and(|it| it.is_dir()) && !is_hidden {
                        self.find(&below, steps)?;
                    }
                }
                Ok(())
            }
        }
    }

    /// Adds what is at the end of the pattern.
    fn end(&mut self, at: &Path) {
        let path = self.folder.join(at);
        match path.metadata() {
            Ok(kind) if kind.is_file() || self.names_a_file && kind.is_dir() => {
                self.paths.push(at.to_owned());
            }
            Ok(kind) if self.names_a_file && !kind.is_dir() => {
                let what = "a pipe, a socket or a device; put a file there";
                self.troubles.push(format!("{} is {what}", printable_path(at)));
            }
            Ok(_) => {}
            Err(error) if is_nothing(&error) => {
                if !self.follows_links && path.is_symlink() {
                    self.troubles.push(is_a_link(at));
                }
            }
            Err(error) => self.troubles.push(format!("{}: {error}", printable_path(at))),
        }
    }

    /// Goes on with the next steps, but not through a link to a folder that was handed in. That one
    /// is told if there may be something behind it.
    fn enter(&mut self, at: &Path, rest: &[Step]) -> Result<(), String> {
        let path = self.folder.join(at);
        let is_handed_in = at != self.fixed && at.starts_with(self.fixed);
        let is_link = !self.follows_links && is_handed_in && path.is_symlink() && path.is_dir();
        if rest.is_empty() || !is_link {
            return self.find(at, rest);
        }
        let is_deep = rest.iter().any(|step| matches!(step, Step::AnyDepth));
        let (paths, troubles) = (Vec::new(), Vec::new());
        let mut behind = Search { follows_links: true, paths, troubles, ..*self };
        if !is_deep {
            behind.find(at, rest)?;
        }
        if is_deep || !behind.paths.is_empty() {
            self.troubles.push(is_a_link(at));
        }
        Ok(())
    }

    /// The names in a folder. One that cannot be looked at is an error only if the pattern itself
    /// names it.
    fn names_in(&mut self, at: &Path) -> Result<Vec<OsString>, String> {
        names_in(&self.folder.join(at)).or_else(|why| {
            if at == self.fixed || !at.starts_with(self.fixed) {
                return Err(why);
            }
            self.troubles.push(format!("cannot look for files: {why}"));
            Ok(Vec::new())
        })
    }
}

/// Whether there is no such file or folder.
fn is_nothing(error: &std::io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

/// The names in `folder`; empty if it does not exist or is a file.
fn names_in(folder: &Path) -> Result<Vec<OsString>, String> {
    let folder = if folder == Path::new("") { Path::new(".") } else { folder };
    let names = std::fs::read_dir(folder)
        .and_then(|entries| entries.map(|entry| Ok(entry?.file_name())).collect());
    match names {
        Err(error) if is_nothing(&error) => Ok(Vec::new()),
        names => names.map_err(|error| format!("{}: {error}", printable_path(folder))),
    }
}

#[cfg(test)]
mod tests;
