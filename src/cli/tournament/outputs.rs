//! What a tournament writes, each to a place of its own.

use std::os::unix::fs::MetadataExt;
use std::path::Path;

use super::Args;
use crate::cli::failure::{CliResult, Failure};
use crate::record::own_files::place_of_named;
use crate::text::printable_path;

/// Whether all that is written has a place of its own.
pub(super) fn check_outputs(args: &Args) -> CliResult {
    let why = "a tournament reads its record file again; give --record FILE";
    Failure::refuse_if(args.record.as_deref() == Some(Path::new("-")), why)?;
    let outputs = [
        ("--record", &args.record),
        ("--events", &args.events),
        ("--report", &args.report),
        ("--feedback", &args.feedback),
        ("--log", &args.log),
    ];
    for (place, (option, one)) in outputs.iter().enumerate() {
        for (other_option, other) in &outputs[place + 1..] {
            if let (Some(one), Some(other)) = (one, other)
                && is_same_file(one, other)
            {
                let path = printable_path(other);
                return Err(Failure::Usage(format!(
                    "{option} and {other_option} are both {path}; give each a place of its own"
                )));
            }
        }
    }
    Ok(())
}

/// Whether both are one file, or would be.
fn is_same_file(one: &Path, other: &Path) -> bool {
    let place = |path: &Path| {
        if let Ok(whole) = path.canonicalize() {
            return Some(whole);
        }
        // A link may lead to a file that is not there yet.
        let path = place_of_named(path).ok()?;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        Some(folder.unwrap_or(Path::new(".")).canonicalize().ok()?.join(path.file_name()?))
    };
    let is_linked = || {
        let of = |path: &Path| path.metadata().ok().map(|file| (file.dev(), file.ino()));
        of(one).is_some_and(|of_one| of(other) == Some(of_one))
    };
    other != Path::new("-")
        && (is_linked() || place(one).is_some_and(|at| place(other) == Some(at)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_file_is_told_by_whatever_name() {
        let folder = tempfile::tempdir().unwrap();
        let there = folder.path().join("there");
        std::fs::write(&there, "").unwrap();
        std::fs::hard_link(&there, folder.path().join("link")).unwrap();
        let same = |one: &str, other: &str| {
            is_same_file(&folder.path().join(one), &folder.path().join(other))
        };
        assert!(same("there", "there") && same("there", "link") && same("new", "./new"));
        std::os::unix::fs::symlink("new", folder.path().join("to-new")).unwrap();
        assert!(same("new", "to-new") && same("to-new", "new") && !same("there", "to-new"));
        assert!(!same("there", "new") && !same("new", "other"));
        assert!(!is_same_file(Path::new("-"), Path::new("-")));
    }
}
