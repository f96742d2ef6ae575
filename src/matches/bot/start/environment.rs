//! What of the user's environment a bot sees: what programs and interpreters need to run, and
//! none of the secrets that a shell or a build server keeps there.

use std::ffi::{OsStr, OsString};

/// Variables that are handed on, separated by blanks.
const NAMES: &str = "\
    PATH HOME USER LOGNAME SHELL LANG LANGUAGE TZ TZDIR TMPDIR TEMP TMP PWD TERM NO_COLOR \
    SSL_CERT_FILE JAVA_HOME JDK_HOME JRE_HOME CLASSPATH NODE_PATH NVM_DIR NVM_BIN VIRTUAL_ENV \
    GOPATH GOROOT RUBYLIB GEM_HOME GEM_PATH PERL5LIB LUA_PATH LUA_CPATH R_HOME R_LIBS \
    DOTNET_ROOT MONO_PATH CARGO_HOME RUSTUP_HOME GHC_PACKAGE_PATH LD_LIBRARY_PATH";

/// Beginnings of names that are handed on.
const FAMILIES: [&str; 12] = [
    "LC_", "PYTHON", "PYENV", "CONDA_", "ASDF_", "SDKMAN_", "RBENV_", "JULIA_", "OCAML", "OMP_",
    "RUST_", "MALLOC_",
];

/// Parts of names that are not handed on with their family.
const SECRETS: [&str; 7] = ["TOKEN", "SECRET", "PASS", "KEY", "CREDENTIAL", "AUTH", "URL"];

/// Hides a missing flush on one machine that loses every round on another.
const FLUSHES: &str = "PYTHONUNBUFFERED";

/// The variables of this process that a bot sees: the usual ones and those of these names.
pub(crate) fn handed_on(more: &[String]) -> Vec<(OsString, OsString)> {
    std::env::vars_os().filter(|(name, _)| is_handed_on(name, more)).collect()
}

fn is_handed_on(name: &OsStr, more: &[String]) -> bool {
    let is_usual = |name: &str| {
        let is_secret = || SECRETS.iter().any(|part| name.contains(part));
        let is_of_a_family = || FAMILIES.iter().any(|family| name.starts_with(family));
        NAMES.split_whitespace().any(|usual| usual == name)
            || is_of_a_family() && !is_secret() && name != FLUSHES
    };
    name.to_str().is_some_and(is_usual) || more.iter().any(|wanted| name == &**wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_interpreters_need_is_usual_and_secrets_are_not() {
        for name in ["PATH", "HOME", "LC_ALL", "PYTHONPATH", "JAVA_HOME", "LD_LIBRARY_PATH"] {
            assert!(is_handed_on(OsStr::new(name), &[]), "{name}");
        }
        for name in [
            "GITHUB_TOKEN",
            "AWS_SECRET_ACCESS_KEY",
            "MY_PASSWORD",
            "CONDA_TOKEN",
            "NIX_CONFIG",
            FLUSHES,
        ] {
            assert!(!is_handed_on(OsStr::new(name), &[]), "{name}");
            assert!(is_handed_on(OsStr::new(name), &[name.to_owned()]), "{name}");
        }
    }
}
