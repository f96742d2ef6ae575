//! A bot's private temporary folder, gone when the bot is.

use std::fs::Permissions;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::thread::JoinHandle;

use tempfile::TempDir;

/// A folder that only its user may look into.
///
/// # Errors
///
/// When there is no place for it; the text says where it was looked for.
pub(super) fn make() -> io::Result<TempDir> {
    let private = Permissions::from_mode(0o700);
    tempfile::Builder::new().prefix("mancala-").permissions(private).tempdir()
}

/// Removes a folder with all that a bot left in it, whatever modes and depths it gave it. One
/// that is not empty takes a while: the thread that is returned ends when it is gone.
///
/// Nothing may run in it any more. No program is started for it: below a warden is the bot alone.
pub(super) fn remove(folder: TempDir) -> Option<JoinHandle<()>> {
    let path = folder.keep();
    std::fs::remove_dir(&path).is_err().then(|| std::thread::spawn(move || remove_all(&path)))
}

fn remove_all(root: &Path) {
    if std::fs::remove_dir_all(root).is_err() {
        let _ = make_removable(root);
        let _ = std::fs::remove_dir_all(root);
    }
}

/// Opens every folder, and brings up to the root what lies so deep that no path reaches it, or
/// that more descriptors would be needed to remove it than there are.
fn make_removable(root: &Path) -> io::Result<()> {
    let mut folders = vec![(root.to_owned(), 0)];
    let mut brought_up = 0;
    while let Some((folder, depth)) = folders.pop() {
        std::fs::set_permissions(&folder, Permissions::from_mode(0o700))?;
        for entry in std::fs::read_dir(&folder)?.flatten() {
            // A link to a folder is none.
            if !entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                continue;
            }
            let inner = entry.path();
            if depth < DEEPEST && inner.as_os_str().len() < LONGEST {
                folders.push((inner, depth + 1));
            } else {
                // Under the first name that the bot has not taken itself.
                let up = (0..1000).find_map(|_| {
                    brought_up += 1;
                    let up = root.join(format!(".{brought_up}-of-the-depths"));
                    std::fs::rename(&inner, &up).is_ok().then_some(up)
                });
                folders.extend(up.map(|up| (up, 1)));
            }
        }
    }
    Ok(())
}

/// Folders deeper than this, or with a longer path, are brought up before they are removed.
const DEEPEST: u32 = 64;
const LONGEST: usize = 2048;

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn whatever_a_bot_left_is_removed() {
        let folder = make().unwrap();
        let path = folder.path().to_owned();
        // Deeper than any path reaches, and than there are descriptors for.
        let long = "deep".repeat(50);
        let mut inner = path.join("0");
        fs::create_dir(&inner).unwrap();
        for number in 1..600 {
            let outer = path.join(number.to_string());
            fs::create_dir(&outer).unwrap();
            fs::rename(&inner, outer.join(&long)).unwrap();
            inner = outer;
        }
        let locked = path.join("locked");
        fs::create_dir(&locked).unwrap();
        fs::write(locked.join("file"), "x").unwrap();
        fs::set_permissions(&locked, Permissions::from_mode(0o000)).unwrap();
        remove(folder).unwrap().join().unwrap();
        assert!(!path.exists());

        let empty = make().unwrap();
        let path = empty.path().to_owned();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o700);
        assert!(remove(empty).is_none() && !path.exists());
    }
}
