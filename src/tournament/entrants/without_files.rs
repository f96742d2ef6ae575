//! Folders that were handed in, and in which the patterns find no file.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use toml::Spanned;

use crate::text::{printable, printable_path};
use crate::tournament::build_places::first_ones;
use crate::tournament::config::{Config, ConfigError, ConfigSource};
use crate::tournament::file_search::{NoFiles, WantedFiles, find_files, folders_looked_at};
use crate::tournament::placeholders::placeholder_in;

/// The entries of `files` under `[[bots]]` that are the same for each bot, and find no file.
pub(crate) fn unmatched_files(
    config: &Config,
    source: &ConfigSource,
    folder: &Path,
) -> Vec<ConfigError> {
    let of_all = config.bots.iter().flat_map(|bots| &bots.get_ref().files);
    let of_all = of_all.filter(|text| placeholder_in(text.get_ref()).is_none());
    let missing = |text: &Spanned<String>| match find_files(
        text.get_ref(),
        folder,
        WantedFiles::PartsOfBot,
    ) {
        Err(why @ NoFiles::NoMatch(_)) => Some(source.error(&text.span(), why.to_string())),
        _ => None,
    };
    of_all.filter_map(missing).collect()
}

/// In words, in which folders `patterns` find no file, one line for all folders in which the
/// same patterns look. A folder that is named in `texts` of commands holds something else.
pub(super) fn folders_without_files(
    patterns: &[&str],
    texts: &[&str],
    folder: &Path,
) -> Vec<String> {
    let mut looked_at: BTreeMap<PathBuf, (Vec<&str>, bool)> = BTreeMap::new();
    for pattern in patterns {
        for (path, finds_something) in folders_looked_at(pattern, folder) {
            let entry = looked_at.entry(path).or_default();
            entry.0.push(pattern);
            entry.1 |= finds_something;
        }
    }
    let mut by_patterns: BTreeMap<Vec<&str>, Vec<String>> = BTreeMap::new();
    for (path, (patterns, finds_something)) in looked_at {
        let path = path.strip_prefix(folder).unwrap_or(&path);
        let is_named = path.to_str().is_some_and(|path| texts.iter().any(|it| it.contains(path)));
        if !finds_something && !is_named {
            by_patterns.entry(patterns).or_default().push(printable_path(path));
        }
    }
    let remark = |(patterns, folders): (Vec<&str>, Vec<String>)| {
        let have = if folders.len() == 1 { "has" } else { "have" };
        let folders = first_ones(folders);
        format!("{folders} {have} no file that {} finds", printable(&patterns.join(" or ")))
    };
    by_patterns.into_iter().map(remark).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn folders_in_which_no_pattern_finds_a_file_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let files =
            ["c/ann/bot.c", "c/ben/bot.py", "c/kurt/notes.txt", "c/out/bot", "c/read.me", "d/x/y"];
        for file in files {
            let file = folder.join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, "").unwrap();
        }
        // What is left out with a warning of its own.
        fs::create_dir_all(folder.join("c/joe/bot.c")).unwrap();
        fs::create_dir_all(folder.join("c/.git")).unwrap();
        std::os::unix::fs::symlink("ann", folder.join("c/linda")).unwrap();
        let found = |patterns: &[&str]| {
            folders_without_files(patterns, &["cc {path} -o c/out/{folder}"], folder)
        };
        let kurt = "c/kurt has no file that c/*/*.c or c/*/*.py finds";
        assert_eq!(found(&["c/*/*.c", "c/*/*.py"]), [kurt]);
        let both = |pattern: &str| format!("c/ben and c/kurt have no file that {pattern} finds");
        for pattern in ["c/*/*.c", "c/**/*.c"] {
            assert_eq!(found(&[pattern]), [both(pattern)]);
        }
        assert_eq!(found(&["c/[a-b]*/*.c"]), ["c/ben has no file that c/[a-b]*/*.c finds"]);
        for pattern in ["c/*.c", "*/*/*.c", "c/kurt/*.c", "c/ann/bot.c", "c/*/*", "c/["] {
            assert_eq!(found(&[pattern]), Vec::<String>::new(), "{pattern}");
        }
        let absolute = format!("{}/c/*/*.py", folder.display());
        assert!(
            found(&[&absolute])[0].starts_with("c/ann, c/joe and c/kurt have no file"),
            "{absolute}"
        );
        for name in 0..5 {
            fs::create_dir_all(folder.join(format!("d/{name}"))).unwrap();
        }
        let many = "d/0, d/1, d/2, d/3, d/4 and 1 more have no file that d/*/*.c finds";
        assert_eq!(found(&["d/*/*.c"]), [many]);
    }
}
