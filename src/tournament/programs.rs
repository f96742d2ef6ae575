//! The interpreters and compilers that run and build bots: noted beside versions, no part of them.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::bot::{find_program, interpreter_words};
use crate::contest::PlannedBot;
use crate::record::{ProgramFile, Timestamp};
use crate::text::printable;
use crate::tournament::versions::version_files::is_of_system;

/// The programs of the system that run and build bots, each once: those that command lines name, and
/// the interpreters of scripts that they start. The paths of `bots` are relative to `folder`.
pub(crate) fn programs<'a>(
    bots: impl IntoIterator<Item = &'a PlannedBot>,
    folder: &Path,
) -> Vec<ProgramFile> {
    let mut programs = BTreeMap::new();
    for bot in bots.into_iter().filter(|bot| !bot.is_builtin()) {
        let own_folder = bot.folder.as_ref().map_or(folder.to_owned(), |own| folder.join(own));
        for (words, folder) in [(&bot.command, &*own_folder), (&bot.build, folder)] {
            let interpreters = interpreters_of(words, folder);
            let of_scripts = interpreters.iter().flat_map(|words| named_programs(words));
            for word in named_programs(words).chain(of_scripts) {
                if !programs.contains_key(word)
                    && let Some(path) = path_of(word)
                    && let Ok(program) = program_file(&path)
                {
                    programs.insert(word.clone(), program);
                }
            }
        }
    }
    let mut programs: Vec<ProgramFile> = programs.into_values().collect();
    programs.sort_by(|one, other| one.path.cmp(&other.path));
    programs.dedup();
    programs
}

/// The words of the first line of each script that this command line may start, but not of the
/// system's.
fn interpreters_of(words: &[String], folder: &Path) -> Vec<Vec<String>> {
    let is_own = |word: &&String| word.contains('/') && !is_of_system(Path::new(word));
    let own = started(words).filter(is_own);
    own.filter_map(|word| interpreter_words(&folder.join(word))).collect()
}

/// The programs of the system that a command line names.
fn named_programs(words: &[String]) -> impl Iterator<Item = &String> {
    let first = words.first();
    started(words).filter(move |&word| {
        !word.contains('/') || Some(word) == first && is_of_system(Path::new(word))
    })
}

/// What a command line may start: its first word, and behind `env` and the like any other.
fn started(words: &[String]) -> impl Iterator<Item = &String> {
    let name = words.first().and_then(|word| Path::new(word).file_name());
    let starter = name.is_some_and(|name| STARTERS.iter().any(|starter| name == *starter));
    words.iter().take(if starter { words.len() } else { 1 })
}

/// Programs that start another one.
const STARTERS: [&str; 5] = ["env", "nice", "timeout", "stdbuf", "setsid"];

/// The file of a program, which is named by its whole path or found on the PATH.
fn path_of(word: &str) -> Option<PathBuf> {
    if word.contains('/') { Some(PathBuf::from(word)) } else { find_program(word) }
}

fn program_file(path: &Path) -> io::Result<ProgramFile> {
    let file = path.metadata()?;
    let modified = Timestamp::from(file.modified().unwrap_or(SystemTime::UNIX_EPOCH));
    Ok(ProgramFile { path: path.to_string_lossy().into_owned(), bytes: file.len(), modified })
}

/// What differs between these programs and those of a file: remarks in words. A program at another
/// path is compared with the one of its name that is used no more, if there is one such.
pub(crate) fn changed_programs(before: &[ProgramFile], now: &[ProgramFile]) -> Vec<String> {
    let name = |program: &ProgramFile| Path::new(&program.path).file_name().map(OsStr::to_owned);
    let is_used = |before: &ProgramFile| now.iter().any(|now| now.path == before.path);
    let changed = |now: &ProgramFile| {
        let same_path = before.iter().find(|before| before.path == now.path);
        let same_name = || {
            let mut gone = before.iter().filter(|it| name(it) == name(now) && !is_used(it));
            gone.next().filter(|_| gone.next().is_none())
        };
        let before = same_path.or_else(same_name)?;
        let was = if before.path == now.path {
            String::new()
        } else {
            format!("{}, ", printable(&before.path))
        };
        ((before.bytes, before.modified) != (now.bytes, now.modified)).then(|| {
            format!(
                "{} is another program than when this tournament began ({was}{} bytes of {}, now {} \
                 bytes of {}); matches that were played are kept",
                printable(&now.path),
                before.bytes,
                before.modified,
                now.bytes,
                now.modified
            )
        })
    };
    now.iter().filter_map(changed).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_at_another_path_is_compared_with_one_that_is_used_no_more() {
        let program = |path: &str, bytes| ProgramFile {
            path: path.to_owned(),
            bytes,
            modified: Timestamp::from(SystemTime::UNIX_EPOCH),
        };
        let (system, own) = (program("/usr/bin/python3", 1), program("/opt/a/python3", 2));
        let other = program("/opt/b/python3", 3);
        let remarks = |before: &[&ProgramFile], now: &[&ProgramFile]| {
            let all = |of: &[&ProgramFile]| of.iter().copied().cloned().collect::<Vec<_>>();
            changed_programs(&all(before), &all(now))
        };
        let moved = remarks(&[&system], &[&own]);
        assert!(moved[0].starts_with("/opt/a/python3 is another program than"), "{moved:?}");
        assert!(moved[0].contains("(/usr/bin/python3, 1 bytes"), "{moved:?}");
        // Today's bots use another one beside it.
        assert!(remarks(&[&system], &[&system, &own]).is_empty());
        // Which of the two it was is not known.
        assert!(remarks(&[&system, &own], &[&other]).is_empty());
        assert_eq!(remarks(&[&system, &own], &[&system, &other]).len(), 1);
    }
}
