//! The files that a pattern with `*`, `?`, `[…]` and `**` finds.

use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

use glob::{Pattern, PatternError};

use super::fields::FoundFile;
use crate::text::printable_path;

/// What files are looked for.
#[derive(Clone, Copy, Debug)]
pub enum WantedFiles {
    /// Bots that were handed in. In the sandbox no link is followed: what it leads to would be the
    /// bot's own.
    Bots {
        /// Whether links are followed.
        follows_links: bool,
    },
    /// What a bot is made of.
    PartsOfBot,
}

/// The files that match a pattern, which is relative to `folder`, in the order of their paths; words
/// in place of one whose path is not text, or has a link in it and no link is to be followed.
///
/// # Errors
///
/// When the pattern is invalid, a folder cannot be read, or nothing matches.
pub fn find_files(
    pattern: &str,
    folder: &Path,
    wanted: WantedFiles,
) -> Result<Vec<Result<FoundFile, String>>, NoFiles> {
    let steps = steps_of(pattern)?;
    // A file that was found by a pattern is missed where a folder has its name.
    let is_pattern = steps.iter().any(|step| !matches!(step, Step::Is(_)));
    let (names_a_file, follows_links) = match wanted {
        WantedFiles::Bots { follows_links } => {
            (steps.last().is_some_and(Step::has_letters), follows_links)
        }
        WantedFiles::PartsOfBot => (Path::new(pattern).extension().is_some(), true),
    };
    let names_a_file = is_pattern && names_a_file;
    let fixed = fixed_part(&steps);
    let (mut paths, mut troubles) = (Vec::new(), Vec::new());
    let mut search = Search {
        folder,
        fixed: &fixed,
        follows_links,
        names_a_file,
        paths: &mut paths,
        troubles: &mut troubles,
    };
    search.find(Path::new(""), &steps).map_err(|why| format!("cannot look for files: {why}"))?;
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
        FoundFile::new(path.strip_prefix(folder).unwrap_or(path))
    };
    let troubles = troubles.into_iter().map(Err);
    let found: Vec<_> = paths.iter().map(found).chain(troubles).collect();
    if found.is_empty() {
        let folder = if folder == Path::new("") { Path::new(".") } else { folder };
        let folder = std::path::absolute(folder).unwrap_or_else(|_| PathBuf::from(folder));
        if folder.join(pattern).is_dir() {
            return Err(NoFiles::Impossible(format!(
                "{pattern:?} is a folder; write \"{pattern}/**\" for all its files"
            )));
        }
        let folder = printable_path(&folder);
        return Err(NoFiles::NoMatch(format!("no file in {folder} matches {pattern:?}")));
    }
    Ok(found)
}

/// Why a pattern finds no files, in words.
#[derive(Debug, thiserror::Error)]
pub enum NoFiles {
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
    /// Whether it says more of a name than that there is one.
    fn has_letters(&self) -> bool {
        match self {
            Step::Is(_) => true,
            Step::Matches(pattern) => pattern.as_str().contains(|sign| !"*?".contains(sign)),
            Step::AnyDepth => false,
        }
    }
}

fn steps_of(pattern: &str) -> Result<Vec<Step>, String> {
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
pub fn check_pattern(pattern: &str) -> Result<(), String> {
    steps_of(pattern).map(|_| ())
}

/// The folders that a pattern names itself, before its first sign: not of those who handed a file in.
fn fixed_part(steps: &[Step]) -> PathBuf {
    let name = |step: &Step| if let Step::Is(name) = step { Some(name.clone()) } else { None };
    steps.iter().map_while(name).collect()
}

/// The folder below which a pattern finds files, relative to `folder` where it lies in it.
pub fn folder_of_pattern(pattern: &str, folder: &Path) -> PathBuf {
    let fixed = steps_of(pattern).map(|steps| fixed_part(&steps)).unwrap_or_default();
    fixed.strip_prefix(folder).map(Path::to_owned).unwrap_or(fixed)
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
    paths: &'a mut Vec<PathBuf>,
    /// What cannot be looked at, in words.
    troubles: &'a mut Vec<String>,
}

impl Search<'_> {
    /// Adds the files at the end of these steps from `at`, a path in the folder.
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
                    case_sensitive: true,
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
        let (mut paths, mut troubles) = (Vec::new(), Vec::new());
        if !is_deep {
            let mut behind =
                Search { follows_links: true, paths: &mut paths, troubles: &mut troubles, ..*self };
            behind.find(at, rest)?;
        }
        if is_deep || !paths.is_empty() {
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
mod tests {
    use super::*;

    const EVERYWHERE: WantedFiles = WantedFiles::Bots { follows_links: true };
    const WITHOUT_LINKS: WantedFiles = WantedFiles::Bots { follows_links: false };

    #[test]
    fn files_are_found_in_order_without_hidden_ones_and_a_folder_among_them_is_told() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["b.c", "a.c", ".hidden.c", "c.h"] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        std::fs::create_dir(folder.path().join("d.c")).unwrap();
        let found = find_files("*.c", folder.path(), EVERYWHERE).unwrap();
        let paths: Vec<_> = found.iter().map(|file| file.as_ref().map(FoundFile::path)).collect();
        let folder_named_so = "d.c is a folder; put the file itself there".to_owned();
        assert_eq!(paths, [Ok("a.c"), Ok("b.c"), Err(&folder_named_so)]);
        assert_eq!(find_files("*", folder.path(), EVERYWHERE).unwrap().len(), 3);
        // A name without a dot is a file's name, too.
        std::fs::create_dir(folder.path().join("x")).unwrap();
        std::fs::create_dir(folder.path().join("x/run")).unwrap();
        let run = find_files("*/run", folder.path(), EVERYWHERE).unwrap();
        let is_a_folder = "x/run is a folder; put the file itself there".to_owned();
        assert_eq!(
            run.iter().map(|file| file.as_ref().err()).collect::<Vec<_>>(),
            [Some(&is_a_folder)]
        );
        rustix::fs::mknodat(
            rustix::fs::CWD,
            folder.path().join("e.c"),
            rustix::fs::FileType::Fifo,
            rustix::fs::Mode::RUSR,
            0,
        )
        .unwrap();
        let found = find_files("[ae].c", folder.path(), EVERYWHERE).unwrap();
        let is_a_pipe = "e.c is a pipe, a socket or a device; put a file there".to_owned();
        assert_eq!(
            found.iter().filter_map(|file| file.as_ref().err()).collect::<Vec<_>>(),
            [&is_a_pipe]
        );
        assert!(matches!(find_files("x/*", folder.path(), EVERYWHERE), Err(NoFiles::NoMatch(_))));
        assert!(
            find_files("*.py", folder.path(), EVERYWHERE)
                .unwrap_err()
                .to_string()
                .contains("matches \"*.py\"")
        );
        assert!(
            find_files("[", folder.path(), EVERYWHERE).unwrap_err().to_string().contains("invalid")
        );
    }

    #[test]
    fn a_pattern_reaches_into_folders() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["x/ann", "x/ann b", "x/.git", "y"] {
            std::fs::create_dir_all(folder.path().join(name)).unwrap();
            std::fs::write(folder.path().join(name).join("bot.c"), "").unwrap();
        }
        let found = |pattern: &str| {
            let found = find_files(pattern, folder.path(), EVERYWHERE).unwrap();
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
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir_all(at("real/ann")).unwrap();
        std::fs::write(at("real/ann/bot.c"), "").unwrap();
        std::fs::create_dir(at("real/ben")).unwrap();
        symlink("../ann/bot.c", at("real/ben/bot.c")).unwrap();
        symlink("ann", at("real/cem")).unwrap();
        symlink("real", at("class")).unwrap();
        let found = find_files("class/*/bot.c", folder.path(), WITHOUT_LINKS).unwrap();
        let found = found.iter().map(|file| file.as_ref().map(FoundFile::path));
        let wrong = |link: &str| format!("{link} is a link; put the file itself there");
        let expected =
            [Ok("class/ann/bot.c"), Err(&wrong("class/ben/bot.c")), Err(&wrong("class/cem"))];
        assert_eq!(found.collect::<Vec<_>>(), expected);
        std::fs::create_dir_all(at("real/ann/deep/er")).unwrap();
        std::fs::write(at("real/ann/deep/er/bot.c"), "").unwrap();
        // Also where more folders lie between the link and the file.
        for pattern in ["class/*/**/bot.c", "class/*/*/*/bot.c", "class/*/deep/er/bot.c"] {
            let found = find_files(pattern, folder.path(), WITHOUT_LINKS).unwrap();
            let of_link = found.iter().filter(|file| **file == Err(wrong("class/cem"))).count();
            assert_eq!(of_link, 1, "{pattern}: {found:?}");
            let behind =
                |file: &&_| matches!(file, Ok(file) if FoundFile::path(file).contains("cem"));
            assert_eq!(found.iter().filter(behind).count(), 0, "{pattern}: {found:?}");
        }
        // A link to itself, and a folder that nobody may look into, are one bot's trouble.
        symlink("dan", at("real/dan")).unwrap();
        std::fs::create_dir(at("real/eve")).unwrap();
        std::fs::set_permissions(at("real/eve"), PermissionsExt::from_mode(0o000)).unwrap();
        let search = || find_files("class/*/*/*/bot.c", folder.path(), EVERYWHERE).unwrap();
        let found = crate::bot::held_to_modes(search);
        let troubles: Vec<_> = found.iter().filter_map(|file| file.as_ref().err()).collect();
        assert!(troubles.len() == 2 && found.len() == 4, "{found:?}");
        assert!(troubles.iter().all(|why| why.starts_with("cannot look for files: ")), "{found:?}");
        assert!(find_files("real/eve/x/../*/a", folder.path(), EVERYWHERE).is_err());
        std::fs::remove_file(at("real/dan")).unwrap();
        std::fs::remove_dir(at("real/eve")).unwrap();
        std::fs::remove_dir_all(at("real/ann/deep")).unwrap();
        let found = find_files("class/*/bot.c", folder.path(), EVERYWHERE).unwrap();
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
        assert_eq!(find_files("b*.py", folder.path(), EVERYWHERE).unwrap().len(), 1);
        for pattern in ["*.c", "M?ller.c", "**/*"] {
            let mut found = find_files(pattern, folder.path(), EVERYWHERE).unwrap();
            found.retain(Result::is_err);
            let why = found.pop().unwrap().unwrap_err();
            assert!(why.contains("ller.c is not UTF-8; give the file another name"), "{why}");
        }
    }
}
