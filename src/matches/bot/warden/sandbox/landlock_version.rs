//! What Landlock this kernel has, and what is missing where neither it nor anything else holds the
//! sandbox.

use std::io;

use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, Ruleset, RulesetAttr,
    RulesetCreated, RulesetError, Scope,
};

/// Set by tests to do with an older version, as its number.
pub(crate) const AT_MOST: &str = "MANCALA_LANDLOCK_ABI";

/// The versions that the sandbox makes use of, the newest first.
const VERSIONS: [ABI; 6] = [ABI::V6, ABI::V5, ABI::V4, ABI::V3, ABI::V2, ABI::V1];

/// The newest of these that this kernel has.
///
/// # Errors
///
/// When it has none; the text says what to do.
pub(super) fn here() -> Result<ABI, String> {
    let most: Option<i32> = std::env::var(AT_MOST).ok().and_then(|most| most.parse().ok());
    let most = most.map_or(ABI::V6, ABI::from);
    let mut allowed = VERSIONS.into_iter().filter(|&version| version <= most);
    allowed.find(|&version| ruleset(version, false).is_ok()).ok_or_else(|| {
        "this kernel cannot hold the sandbox: it has no Landlock. --sandbox needs Linux 5.13 or newer \
         with landlock in /sys/kernel/security/lsm (the boot parameter lsm=landlock,… adds it), and \
         nothing weaker is put in its place. Play without it (--no-sandbox where it is the default), or \
         put another sandbox in front of every bot with --wrap"
            .to_owned()
    })
}

/// The Landlock that bots in the sandbox are held by.
pub struct Landlock {
    pub version: ABI,
    /// Whether it keeps signals apart, so that no namespace has to.
    pub holds_signals: bool,
}

impl Landlock {
    /// As it is here, if there is any.
    pub fn here() -> Option<Landlock> {
        let version = here().ok()?;
        Some(Landlock { version, holds_signals: holds_signals(version) })
    }
}

/// Whether it keeps a bot from sending signals to other processes.
pub(super) fn holds_signals(landlock: ABI) -> bool {
    landlock >= ABI::V6
}

/// A ruleset of this version that forbids all it knows of; but not TCP where bots `have_loopback`s.
pub(super) fn ruleset(landlock: ABI, have_loopback: bool) -> Result<RulesetCreated, RulesetError> {
    let mut ruleset = Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_all(landlock))?;
    if landlock >= ABI::V4 && !have_loopback {
        ruleset = ruleset.handle_access(AccessNet::from_all(landlock))?;
    }
    if holds_signals(landlock) {
        ruleset = ruleset.scope(Scope::from_all(landlock))?;
    }
    ruleset.create()
}

/// What an administrator may have set against namespaces of users, and the value that allows them.
const SETTINGS: [(&str, &str, &str); 3] = [
    ("kernel.apparmor_restrict_unprivileged_userns", "1", "0"),
    ("kernel.unprivileged_userns_clone", "0", "1"),
    ("user.max_user_namespaces", "0", "10000"),
];

/// Why there is no sandbox where namespaces are needed and cannot be made.
pub(super) fn without_name_spaces(landlock: ABI, have_loopback: bool, why: &io::Error) -> String {
    let text =
        |name: &str| std::fs::read_to_string(format!("/proc/sys/{}", name.replace('.', "/")));
    let how = how_to_allow_them(|name| text(name).unwrap_or_default().trim().to_owned());
    let (what, instead) = if have_loopback {
        ("--allow-loopback needs a network namespace".to_owned(), "")
    } else {
        let signals = format!(
            "its Landlock is version {landlock}, which does not keep signals apart as version 6 of \
             Linux 6.12 does; instead the sandbox needs a process namespace"
        );
        (signals, "; or use a newer kernel")
    };
    format!(
        "this kernel cannot hold the sandbox: {what}, and user namespaces are missing here ({why}). \
         {how}{instead}"
    )
}

/// What to do for namespaces of users, where settings have these values.
fn how_to_allow_them(value: impl Fn(&str) -> String) -> String {
    let setting = SETTINGS.iter().find(|(name, forbids, _)| value(name) == *forbids);
    setting.map_or_else(
        || "A container often forbids them: run outside it, or have it allow them".to_owned(),
        |(name, forbids, allows)| {
            format!(
                "The setting {name} is {forbids}; an administrator allows them with \
                 `sysctl -w {name}={allows}`"
            )
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_setting_that_forbids_name_spaces_is_named() {
        let with = |setting: &str, value: &str| {
            how_to_allow_them(|name| if name == setting { value } else { "" }.to_owned())
        };
        assert_eq!(
            with("kernel.apparmor_restrict_unprivileged_userns", "1"),
            "The setting kernel.apparmor_restrict_unprivileged_userns is 1; an administrator allows \
             them with `sysctl -w kernel.apparmor_restrict_unprivileged_userns=0`"
        );
        let limit = with("user.max_user_namespaces", "0");
        assert!(limit.ends_with("`sysctl -w user.max_user_namespaces=10000`"), "{limit}");
        for allowed in [with("user.max_user_namespaces", "96365"), with("x", "0")] {
            assert!(allowed.starts_with("A container often forbids them"), "{allowed}");
        }
    }
}
