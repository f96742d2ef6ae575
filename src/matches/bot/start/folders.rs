//! Which folders belong to the system, to everybody, or to one bot.

use std::path::{Path, PathBuf};

/// Folders of the system, which every bot may read, so that nothing in them is a bot's own. Not all
/// of `/usr/local` and nothing of `/opt`, where bots may lie as well as interpreters.
pub(crate) fn system_folders() -> impl Iterator<Item = PathBuf> {
    let programs = ["/", "/usr", "/usr/local"].into_iter().flat_map(|root| {
        ["bin", "lib", "lib32", "lib64", "libx32", "sbin"].map(|name| Path::new(root).join(name))
    });
    let rest = ["/usr", "/usr/local"].into_iter().flat_map(|root| {
        ["games", "include", "libexec", "share", "src"].map(|name| Path::new(root).join(name))
    });
    let alone = ["/usr/local/go", "/nix/store", "/gnu/store"].map(PathBuf::from);
    programs.chain(rest).chain(alone)
}

/// Folders that belong to everybody: of a program in one of them only its file is the bot's own.
const SHARED: [&str; 9] =
    ["/", "/etc", "/home", "/opt", "/tmp", "/usr", "/usr/local", "/var", "/var/tmp"];

/// The folder of a file, or the file alone where its folder is everybody's; nothing of the system.
pub(super) fn own_of_file(file: &Path) -> Option<PathBuf> {
    let folder = file.parent()?;
    if is_system(file) {
        return None;
    }
    Some(if is_of_all(folder) { file } else { folder }.to_owned())
}

/// An interpreter outside the system's folders has its libraries beside its `bin`; a manager of
/// versions has the interpreters beside its `shims`.
pub(super) fn toolchain(program: &Path) -> Option<PathBuf> {
    let folder = program.parent()?;
    let prefix =
        folder.parent().filter(|prefix| !is_of_all(prefix) && !prefix.ends_with(".local"))?;
    let is_one =
        folder.ends_with("shims") || (folder.ends_with("bin") && (prefix.join("lib").is_dir()));
    (is_one && !is_system(prefix)).then(|| prefix.to_owned())
}

/// Where rustup has the toolchains of a program in its folder, `.cargo/bin`.
pub(super) fn rustup_home(program: &Path) -> Option<PathBuf> {
    let bin = program.parent().filter(|folder| folder.ends_with(".cargo/bin"))?;
    let named = std::env::var_os("RUSTUP_HOME").map(PathBuf::from);
    let home = named.unwrap_or_else(|| bin.join("../..").join(RUSTUP));
    home.is_dir().then_some(home)
}

/// The usual name of rustup's folder.
pub const RUSTUP: &str = ".rustup";

/// Whether a bot may lie in this folder of the system; none lies among the system's programs.
pub(super) fn is_exposed(path: &Path) -> bool {
    path.starts_with("/usr/local") && is_system(path)
}

/// Whether a path lies in a folder of the system.
pub fn is_system(path: &Path) -> bool {
    system_folders().any(|system| path.starts_with(system))
}

/// Whether a folder belongs to everybody: the root, a home, a place of temporary files.
pub fn is_of_all(folder: &Path) -> bool {
    SHARED.iter().any(|shared| folder == Path::new(shared))
        || std::env::home_dir().is_some_and(|home| folder == home)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_beside_the_system_s_own_are_a_bot_s() {
        for path in ["/opt/bots/ann/bot.py", "/usr/local/bots/ann/bot.py"] {
            let path = Path::new(path);
            assert_eq!(own_of_file(path).as_deref(), path.parent());
        }
        assert_eq!(own_of_file(Path::new("/opt/bot.py")), Some("/opt/bot.py".into()));
        assert_eq!(own_of_file(Path::new("/usr/local/bin/bot")), None);
        // An interpreter there does not open the folder of all.
        assert_eq!(toolchain(Path::new("/usr/local/bin/python3")), None);
        assert_eq!(toolchain(Path::new("/opt/bin/python3")), None);
    }
}
