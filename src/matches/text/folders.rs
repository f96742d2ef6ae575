//! Texts without the folders of the machine that played.

use std::path::PathBuf;

/// The text with paths below these absolute folders relative to them, and `.` for the folders.
pub fn relative(folders: &[PathBuf], text: &str) -> String {
    let folders = folders.iter().filter_map(|folder| folder.to_str());
    // The root folder is left in.
    folders.filter(|folder| folder.len() > 1).fold(text.to_owned(), |text, folder| {
        if text.contains(folder) { relative_to(folder, &text) } else { text }
    })
}

fn relative_to(folder: &str, text: &str) -> String {
    let is_of_name = |c: char| c.is_alphanumeric() || "_-".contains(c);
    let mut changed = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(folder) {
        let (before, after) = (&rest[..at], &rest[at + folder.len()..]);
        changed += before;
        // The same letters may be a part of another path.
        if before.ends_with(|c| is_of_name(c) || "./".contains(c)) || after.starts_with(is_of_name)
        {
            changed += folder;
            rest = after;
            continue;
        }
        let inside = after
            .strip_prefix('/')
            .filter(|inside| inside.starts_with(|c: char| is_of_name(c) || c == '.'));
        changed += if inside.is_some() { "" } else { "." };
        rest = inside.unwrap_or(after);
    }
    changed + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_relative_to_the_contest() {
        let folders = ["/prof/class", "/prof"].map(PathBuf::from);
        for (text, expected) in [
            ("File \"/prof/class/ann/a.py\", line 3", "File \"ann/a.py\", line 3"),
            ("I am in /prof/class", "I am in ."),
            ("'/prof/class'", "'.'"),
            ("/prof/class/", "./"),
            ("/prof/class/.cache /prof/class", ".cache ."),
            ("/prof/class2/a /x/prof/class/b", "class2/a /x/prof/class/b"),
            ("/prof/classical", "classical"),
            ("/professor/x", "/professor/x"),
            ("cd /prof; ls", "cd .; ls"),
        ] {
            assert_eq!(relative(&folders, text), expected, "{text}");
        }
        assert_eq!(relative(&[PathBuf::from("/"), PathBuf::new()], "/a/b"), "/a/b");
    }
}
