//! What is a bot's own in the sandbox: the folders of its program, its script and what else its
//! command line names.

use std::path::{Path, PathBuf};

use super::{BotCommand, Restraints};

/// Folders of the system, which every bot may read, so that nothing in them is a bot's own.
const SYSTEM: [&str; 9] =
    ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/opt", "/nix/store", "/gnu/store"];

/// Folders that belong to everybody: of a program in one of them only its file is the bot's own.
const SHARED: [&str; 6] = ["/", "/etc", "/home", "/tmp", "/var", "/var/tmp"];

/// What a bot may read and run. Of a built-in bot that is `program`, this program's own file.
pub(super) fn own_of(
    command: &BotCommand,
    program: &Path,
    restraints: &Restraints,
) -> Vec<PathBuf> {
    let mut all = own(&restraints.wrap);
    if command.is_built_in() {
        all.push(program.to_owned());
    } else {
        all.extend(own(command.words()));
    }
    all
}

fn own(words: &[String]) -> Vec<PathBuf> {
    let mut own = Vec::new();
    let mut add = |path: PathBuf| {
        if !own.contains(&path) {
            own.push(path);
        }
    };
    if let Some(program) = words.first().and_then(|word| find(word)) {
        // A link leads to another folder; what the program needs may lie beside either.
        let real = program.canonicalize().unwrap_or_else(|_| program.clone());
        for path in [absolute(&program), real] {
            own_of_file(&path).into_iter().chain(toolchain(&path)).for_each(&mut add);
        }
    }
    for word in words.iter().skip(1) {
        let Ok(path) = Path::new(word).canonicalize() else { continue };
        if path.is_dir() && !is_of_all(&path) {
            add(path);
        } else if path.is_file() {
            own_of_file(&path).into_iter().for_each(&mut add);
        }
    }
    own
}

/// What two bots may both read though it is the other's own.
#[must_use]
pub fn in_common<'a>(one: &'a [PathBuf], other: &'a [PathBuf]) -> Option<&'a PathBuf> {
    let is_within = |path: &PathBuf, own: &[PathBuf]| own.iter().any(|own| path.starts_with(own));
    let within_both = |path: &&PathBuf| is_within(path, one) && is_within(path, other);
    one.iter().chain(other).find(within_both)
}

/// The folder of a file, or the file alone where its folder is everybody's; nothing of the system.
fn own_of_file(file: &Path) -> Option<PathBuf> {
    let folder = file.parent()?;
    if SYSTEM.iter().any(|system| file.starts_with(system)) {
        return None;
    }
    Some(if is_of_all(folder) { file } else { folder }.to_owned())
}

/// An interpreter outside the system's folders has its libraries beside its `bin`; a manager of
/// versions has the interpreters beside its `shims`.
fn toolchain(program: &Path) -> Option<PathBuf> {
    let folder = program.parent()?;
    let prefix =
        folder.parent().filter(|prefix| !is_of_all(prefix) && !prefix.ends_with(".local"))?;
    let is_system = SYSTEM.iter().any(|system| prefix.starts_with(system));
    let is_one =
        folder.ends_with("shims") || (folder.ends_with("bin") && (prefix.join("lib").is_dir()));
    (is_one && !is_system).then(|| prefix.to_owned())
}

fn is_of_all(folder: &Path) -> bool {
    SHARED.iter().any(|shared| folder == Path::new(shared))
        || std::env::home_dir().is_some_and(|home| folder == home)
}

/// The file that a program's name stands for.
fn find(program: &str) -> Option<PathBuf> {
    if program.contains('/') {
        return Some(PathBuf::from(program)).filter(|path| path.is_file());
    }
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).map(|folder| folder.join(program)).find(|path| path.is_file())
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own_by(words: &[&str]) -> Vec<PathBuf> {
        own(&words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn a_bot_s_own_are_its_folders_and_nothing_of_the_system() {
        let here = Path::new(env!("CARGO_MANIFEST_DIR")).canonicalize().unwrap();
        let bots = here.join("examples/python");
        let script = bots.join("greedy.py").display().to_string();
        assert_eq!(own_by(&["sh", &script, "--depth", "4"]), std::slice::from_ref(&bots));
        assert_eq!(own_by(&["sh", "-c", "cat /dev/null"]), Vec::<PathBuf>::new());
        let folder = bots.display().to_string();
        assert_eq!(own_by(&["sh", &folder]), [bots]);
        assert_eq!(own_by(&["sh", "/tmp", "/"]), Vec::<PathBuf>::new());
        assert_eq!(own_by(&["no-such-program-anywhere"]), Vec::<PathBuf>::new());
    }

    #[test]
    fn a_program_in_a_folder_of_all_is_its_file_alone() {
        let file = tempfile::Builder::new().tempfile_in("/tmp").unwrap();
        let path = file.path().canonicalize().unwrap();
        assert_eq!(own_by(&[path.to_str().unwrap()]), [path]);
    }

    #[test]
    fn what_two_bots_share_is_found() {
        let paths = |list: &[&str]| list.iter().map(PathBuf::from).collect::<Vec<_>>();
        let common = |a: &[&str], b: &[&str]| in_common(&paths(a), &paths(b)).cloned();
        assert_eq!(common(&["/c/ann"], &["/c/bob"]), None);
        assert_eq!(common(&["/c"], &["/c/bob"]), Some(PathBuf::from("/c/bob")));
        assert_eq!(common(&["/c/ann"], &["/c/ann"]), Some(PathBuf::from("/c/ann")));
    }
}
