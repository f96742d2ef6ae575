//! Why a pattern may find no file.

use std::path::Path;

use super::{Search, Step, fixed_part, steps_of};
use crate::text::printable_path;

/// What patterns do not have, and what to write.
const SIGNS: [(&str, &str); 3] = [
    ("{", "braces are taken as they stand; write a [[bots]] for each"),
    ("~", "no shell is run, so ~ stays as it is; write the path in full"),
    ("\\", "write / between folders"),
];

/// That a pattern names a folder, and what to write.
pub(super) fn is_a_folder(pattern: &str) -> String {
    let instead = match pattern.trim_end_matches('/') {
        // Not the whole disk.
        "" => "write the paths of files in it".to_owned(),
        folder => format!("write \"{folder}/**\" for all its files"),
    };
    format!("{pattern:?} is a folder; {instead}")
}

/// What is wrong with a pattern that matches no file in `folder`, to be added to that; empty if
/// nothing is seen.
pub(super) fn hint(pattern: &str, steps: &[Step], folder: &Path) -> String {
    if let Some((_, why)) = SIGNS.iter().find(|(sign, _)| pattern.contains(sign)) {
        return format!("; {why}");
    }
    let fixed = fixed_part(steps);
    let mut search = Search { case_sensitive: false, ..Search::new(folder, &fixed) };
    // What cannot be looked at was told before.
    let _ = search.find(Path::new(""), steps);
    let Some(path) = search.paths.into_iter().min() else {
        return one_folder_deeper(pattern, folder).unwrap_or_default();
    };
    let is_folder = folder.join(&path).is_dir();
    let path = printable_path(&path);
    if is_folder {
        let more = format!("{}/*", pattern.trim_end_matches('/'));
        return format!("; {path} is a folder: \"{more}\" would match the files in it");
    }
    format!("; {path} differs in capital letters")
}

/// That the files lie in folders of the one where the pattern looks.
fn one_folder_deeper(pattern: &str, folder: &Path) -> Option<String> {
    let file = Path::new(pattern).file_name()?.to_str()?;
    let deeper = format!("{}*/{file}", pattern.strip_suffix(file)?);
    let steps = steps_of(&deeper).ok()?;
    let fixed = fixed_part(&steps);
    let mut search = Search::new(folder, &fixed);
    let _ = search.find(Path::new(""), &steps);
    let path = printable_path(&search.paths.into_iter().min()?);
    Some(format!("; {path} lies one folder deeper: \"{deeper}\" would match it"))
}
