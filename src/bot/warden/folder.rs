//! A bot's private temporary folder, gone when the bot is.

use std::fs::Permissions;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::JoinHandle;
use std::time::Duration;

use tempfile::TempDir;
use wait_timeout::ChildExt;

/// How long a folder that a bot has made hard to remove may take.
const REMOVAL: Duration = Duration::from_secs(30);

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
pub(super) fn remove(folder: TempDir) -> Option<JoinHandle<()>> {
    let path = folder.keep();
    std::fs::remove_dir(&path).is_err().then(|| std::thread::spawn(move || remove_all(&path)))
}

fn remove_all(path: &Path) {
    if std::fs::remove_dir_all(path).is_err() {
        run("chmod", &["-R", "u+rwx", "--"], path);
        run("rm", &["-rf", "--"], path);
    }
}

/// Runs a tool on a path, quietly and not for ever.
fn run(tool: &str, arguments: &[&str], path: &Path) {
    let quiet = || Stdio::null();
    let mut command = Command::new(tool);
    command.args(arguments).arg(path).stdin(quiet()).stdout(quiet()).stderr(quiet());
    if let Ok(mut child) = command.spawn()
        && !matches!(child.wait_timeout(REMOVAL), Ok(Some(_)))
    {
        let _ = child.kill();
        let _ = child.wait();
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn whatever_a_bot_left_is_removed() {
        let folder = make().unwrap();
        let path = folder.path().to_owned();
        let mut deep = path.clone();
        for _ in 0..400 {
            deep.push("deep");
        }
        fs::create_dir_all(&deep).unwrap();
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
