//! What the sandbox holds each bot to, said on stderr before anything is played.

use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;

use crate::bot::{Landlock, ProcessLimit, ReadablePaths, folders_of_interpreter};
use crate::record::{Restraints, Sandbox};
use crate::report::print_message;
use crate::text::{and_listed, printable, printable_path};

/// With more bots than this, what each may read is not listed.
const MOST_LISTED: usize = 10;

/// A bot's name, and the paths that it may read besides the system's.
type BotPaths<'a> = (&'a str, &'a ReadablePaths);

/// Prints the notice for `bots` on stderr, if they are in the sandbox; if `is_quiet`, only
/// warnings.
pub(super) fn print_sandbox_notice(bots: &[BotPaths<'_>], keeping: &Restraints, is_quiet: bool) {
    if keeping.sandbox.is_none() {
        return;
    }
    for line in sandbox_notice(bots, keeping, is_quiet) {
        print_message(&line);
    }
}

/// The notice for `bots`, line by line; if `is_quiet`, only warnings.
pub(super) fn sandbox_notice(
    bots: &[BotPaths<'_>],
    keeping: &Restraints,
    is_quiet: bool,
) -> Vec<String> {
    if is_quiet {
        return warnings(bots, keeping);
    }
    let has_loopback = keeping.sandbox.as_ref().is_some_and(|sandbox| sandbox.loopback);
    let network = if has_loopback { "but a loopback of the bot's own, " } else { "" };
    let mut lines = vec![format!(
        "the sandbox is on: no network, {network}no access to other processes, writes only to the \
         bot's own temporary folder"
    )];
    lines.extend(Landlock::here().map(|landlock| how_it_is_kept(landlock, has_loopback)));
    let limits = &keeping.resources;
    lines.extend(limits.processes.map(|most| {
        let how = match ProcessLimit::of_bots(limits.processes, true) {
            ProcessLimit::Group => "enforced by the kernel (control group)",
            ProcessLimit::Namespace => "enforced by the kernel (user namespace)",
            ProcessLimit::Looks => {
                "not enforced by the kernel here (no control group, no user namespace): a bot that \
                 starts many is stopped and counted again and again, and killed beyond the limit"
            }
        };
        format!("at most {most} processes and threads for each bot (--processes), {how}")
    }));
    let listed = bots.iter().filter(|_| bots.len() <= MOST_LISTED);
    lines.extend(listed.map(|(name, reach)| {
        let reach: Vec<_> =
            reach.outermost().into_iter().map(|path| printable_path(path)).collect();
        let reach = if reach.is_empty() { "nothing else".to_owned() } else { reach.join(", ") };
        format!("{} reads the system's programs and {reach}", printable(name))
    }));
    lines.extend(warnings(bots, keeping));
    lines
}

fn warnings(bots: &[BotPaths<'_>], keeping: &Restraints) -> Vec<String> {
    let mut lines = sandbox_warnings(bots);
    lines.extend(keeping.sandbox.iter().flat_map(|sandbox| hidden_interpreters(bots, sandbox)));
    lines
}

/// Which interpreters bots may not run that only the first lines of their programs name.
fn hidden_interpreters(bots: &[BotPaths<'_>], sandbox: &Sandbox) -> Vec<String> {
    let line = |(program, names): (&PathBuf, Vec<String>)| {
        let mut closed = folders_of_interpreter(program);
        closed.retain(|folder| !sandbox.read.iter().any(|open| folder.starts_with(open)));
        if closed.is_empty() {
            return None;
        }
        let allow: Vec<String> = closed
            .iter()
            .map(|folder| format!("--allow-read '{}'", printable_path(folder)))
            .collect();
        let programs = if names.len() == 1 { "its program" } else { "their programs" };
        Some(format!(
            "{}: no access to {}, which the first line (#!) of {programs} names and which is not one of the \
             system's; add {}",
            and_listed(names, MOST_LISTED),
            printable_path(program),
            allow.join(" ")
        ))
    };
    names_by(bots, |reach| reach.hidden.as_ref()).into_iter().filter_map(line).collect()
}

/// The names of the bots that have each path, each name once.
fn names_by<'a>(
    bots: &[BotPaths<'a>],
    path: impl Fn(&'a ReadablePaths) -> Option<&'a PathBuf>,
) -> BTreeMap<&'a PathBuf, Vec<String>> {
    let mut by_path: BTreeMap<&PathBuf, Vec<String>> = BTreeMap::new();
    for (name, reach) in bots {
        let Some(path) = path(reach) else { continue };
        let (names, name) = (by_path.entry(path).or_default(), printable(name));
        if !names.contains(&name) {
            names.push(name);
        }
    }
    by_path
}

/// Which means of the kernel hold the sandbox.
fn how_it_is_kept(Landlock { version, holds_signals }: Landlock, has_loopback: bool) -> String {
    let files_and_signals = if holds_signals {
        format!("files and signals by Landlock (version {version})")
    } else {
        format!("files by Landlock (version {version}), signals by a process namespace")
    };
    let network = if has_loopback { "a network namespace and " } else { "" };
    format!(
        "how it is enforced: {files_and_signals}, network and sockets by {network}a filter of \
         system calls"
    )
}

/// What bots may read of each other, and what a bot may not read that it may need. Bots of one name
/// are versions of one bot.
fn sandbox_warnings(bots: &[BotPaths<'_>]) -> Vec<String> {
    let mut lines = Vec::new();
    for (name, reach) in bots {
        let name = printable(name);
        for path in &reach.exposed {
            let path = printable_path(path);
            lines.push(format!(
                "every bot can read {path} of {name}, because it is in a system folder"
            ));
        }
    }
    for (here, names) in names_by(bots, |reach| reach.closed.as_ref()) {
        let here = printable_path(here);
        let they = if names.len() == 1 { "it" } else { "each" };
        lines.push(format!(
            "{} may not read the working folder {here}, which all users share; start {they} in a folder \
             of its own, or add --allow-read '{here}'",
            and_listed(names, MOST_LISTED),
        ));
    }
    for (path, who) in in_common(bots) {
        let who = match &who[..] {
            _ if bots.len() == 2 => "both".to_owned(),
            [one, other] => format!("{one} and {other}"),
            [one, other, more @ ..] => format!("{one}, {other} and {} more", more.len()),
            _ => continue,
        };
        let path = printable_path(path);
        lines.push(format!("{who} can read {path}: give each a folder of its own"));
    }
    let mut said = HashSet::new();
    lines.retain(|line| said.insert(line.clone()));
    lines
}

/// What more than one bot can read, and which.
fn in_common<'a>(bots: &[BotPaths<'a>]) -> BTreeMap<&'a PathBuf, Vec<String>> {
    let mut common: BTreeMap<&PathBuf, Vec<String>> = BTreeMap::new();
    for (index, (one, reach)) in bots.iter().enumerate() {
        for (other, others) in bots[index + 1..].iter().filter(|(other, _)| other != one) {
            for path in reach.in_common(others) {
                let who = common.entry(path).or_default();
                for name in [one, other].map(|name| printable(name)) {
                    if !who.contains(&name) {
                        who.push(name);
                    }
                }
            }
        }
    }
    common
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Resources;

    #[test]
    fn what_several_bots_can_read_is_said_once() {
        let reach = |own: &str| ReadablePaths { own: vec![own.into()], ..ReadablePaths::default() };
        let (class, alone) = (reach("/class"), reach("/alone"));
        let bots = [("ann", &class), ("bob", &class), ("cay", &class), ("dan", &alone)];
        assert_eq!(
            sandbox_warnings(&bots),
            ["ann, bob and 1 more can read /class: give each a folder of its own"]
        );
        let resources = Resources::unlimited();
        let unlimited = Restraints { resources, ..Restraints::default() };
        let how = usize::from(Landlock::here().is_some());
        assert_eq!(sandbox_notice(&bots, &unlimited, false).len(), 6 + how);
        let limited = sandbox_notice(&bots, &Restraints::default(), false);
        assert!(
            limited[1 + how]
                .starts_with("at most 256 processes and threads for each bot (--processes), ")
        );
        assert_eq!(limited.len(), 7 + how);
        let of_versions = [("ann", &class), ("ann", &class), ("dan", &alone)];
        assert_eq!(sandbox_warnings(&of_versions), [""; 0]);
        let shared = ReadablePaths { closed: Some("/tmp".into()), ..ReadablePaths::default() };
        let of_both = sandbox_warnings(&[("ann", &shared), ("bob", &shared), ("ann", &shared)]);
        assert_eq!(of_both.len(), 1, "{of_both:?}");
        assert!(of_both[0].starts_with("ann and bob may not read the working folder /tmp, "));
        let of_two = sandbox_warnings(&bots[..2]);
        assert_eq!(of_two, ["both can read /class: give each a folder of its own"]);
    }

    #[test]
    fn the_notice_says_how_each_thing_is_kept() {
        use landlock::ABI;
        let said = |version, holds_signals, has_loopback| {
            how_it_is_kept(Landlock { version, holds_signals }, has_loopback)
        };
        assert_eq!(
            said(ABI::V6, true, false),
            "how it is enforced: files and signals by Landlock (version 6), network and sockets by \
             a filter of system calls"
        );
        assert_eq!(
            said(ABI::V2, false, true),
            "how it is enforced: files by Landlock (version 2), signals by a process namespace, \
             network and sockets by a network namespace and a filter of system calls"
        );
    }
}
