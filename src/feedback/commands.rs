//! Commands that work on the machine of a bot's author, in the folder of its page: nothing in them
//! is a folder of the machine that played the contest.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::Contest;
use super::evidence::FaultEvidence;
use crate::contest::PlannedBot;
use crate::record::{Restraints, Sandbox, Terms, check_options};
use crate::text::{and_listed, relative};

/// Folders of programs that are at the same place on most machines.
const SYSTEM: [&str; 4] = ["/usr/", "/bin/", "/opt/", "/lib/"];

/// The command line of a bot where its files are in the current folder, as one word.
pub(super) fn bot_command(contest: &Contest<'_>, bot: &PlannedBot) -> String {
    shell_words::join(bot_words(contest, bot))
}

/// The words of that command line.
pub(super) fn bot_words(contest: &Contest<'_>, bot: &PlannedBot) -> Vec<String> {
    without_folders(contest, &bot.as_started().command)
}

/// Where commands work, and what has to be there.
pub(super) fn where_they_work(contest: &Contest<'_>, bot: &PlannedBot) -> String {
    let shared = match shared_files(contest, bot) {
        none if none.is_empty() => String::new(),
        shared => format!(" and these of the contest: {}", and_listed(shared, usize::MAX)),
    };
    format!(
        "Commands are to be run in the folder of this page, with the files of your bot in \
         it{shared}; if yours are elsewhere, put your own command in place of the bot's."
    )
}

/// The names of the files that the commands of other bots name, too, such as an adapter.
fn shared_files(contest: &Contest<'_>, bot: &PlannedBot) -> Vec<String> {
    // In a folder of its own, what lies in it is the bot's own, whatever others have there.
    fn words(bot: &PlannedBot) -> impl Iterator<Item = &String> {
        let is_elsewhere = |word: &&String| {
            bot.folder.is_none() || word.starts_with("../") || word.starts_with('/')
        };
        bot.build.iter().chain(bot.command.iter().filter(is_elsewhere)).chain(&bot.files)
    }
    let is_shared = |word: &&String| {
        // An earlier version of the bot is the same bot.
        let mut others = contest.plan.bots.iter().filter(|of| of.drawn_name() != bot.drawn_name());
        others.any(|of| words(of).any(|known| known == *word))
    };
    let name = |word: &String| {
        let is_path = word.contains('/') || contest.folders[0].join(word).is_file();
        let name = at_home(&contest.folders[..1], 1, word);
        (is_path && !name.contains(['/', '*', '?'])).then_some(name)
    };
    let names: BTreeSet<String> = words(bot).filter(is_shared).filter_map(name).collect();
    names.into_iter().collect()
}

pub(super) fn build(contest: &Contest<'_>, bot: &PlannedBot) -> String {
    shell_words::join(without_folders(contest, &bot.build))
}

fn without_folders(contest: &Contest<'_>, words: &[String]) -> Vec<String> {
    let words = words.iter().enumerate();
    words.map(|(place, word)| at_home(&contest.folders[..1], place, word)).collect()
}

/// A word of a command line with file names in place of paths.
fn at_home(folders: &[PathBuf], place: usize, word: &str) -> String {
    // Also in the words of a script.
    let word = relative(folders, word);
    let is_path = word.contains('/')
        && !word.starts_with('-')
        && !word.contains("://")
        && (!word.contains(char::is_whitespace)
            || folders.iter().any(|folder| folder.join(&word).is_file()))
        && !SYSTEM.iter().any(|system| word.starts_with(system));
    let name = Path::new(&word).file_name().filter(|_| is_path);
    match name.map(|name| name.to_string_lossy()) {
        // A shell starts a program of the current folder only by such a path.
        Some(name) if place == 0 => format!("./{name}"),
        Some(name) => name.into_owned(),
        None => word,
    }
}

/// The command that tries the bot in everything that a match may ask of it.
pub(super) fn check(contest: &Contest<'_>, bot: &PlannedBot) -> String {
    let mut words = on_terms(contest, "check");
    words.push(bot_command(contest, bot));
    shell_words::join(words)
}

/// The command that asks the bot again what it was asked, with the bundle in the page's folder.
pub(super) fn reproduce(
    contest: &Contest<'_>,
    bot: &PlannedBot,
    fault: &FaultEvidence,
) -> Option<String> {
    let bundle = fault.bundle.as_ref()?;
    let mut words = vec!["mancala", "reproduce"];
    words.extend(bundle.has_earlier_lines.then_some("--from-start"));
    words.extend(contest.plan.terms.keeping.sandbox.as_ref().map(|_| "--sandbox"));
    let command = bot_command(contest, bot);
    words.extend([&*bundle.file, &*command]);
    Some(shell_words::join(words))
}

/// The command that plays on from the position of the fault, which needs no file.
pub(super) fn play_on(
    contest: &Contest<'_>,
    bot: &PlannedBot,
    fault: &FaultEvidence,
) -> Option<String> {
    let cells = fault.board?.cells().map(|seeds| seeds.to_string()).join(",");
    let mut words = on_terms(contest, "match");
    words.extend(["--opening", &cells, "--rounds", "1"].map(str::to_owned));
    words.extend([bot_command(contest, bot), "builtin:random".to_owned()]);
    Some(shell_words::join(words))
}

/// A command with the rules and terms of the contest, but what the other machine has.
fn on_terms(contest: &Contest<'_>, command: &str) -> Vec<String> {
    let rules = contest.plan.rules.name.to_string();
    let mut words = ["mancala", command, "--rules", &rules].map(str::to_owned).to_vec();
    let keeping = kept_elsewhere(&contest.plan.terms.keeping);
    words.extend(check_options(
        &contest.plan.rules,
        &Terms { keeping, ..contest.plan.terms.clone() },
    ));
    words
}

/// What a bot may use on another machine, which has other folders and programs.
pub(super) fn kept_elsewhere(keeping: &Restraints) -> Restraints {
    Restraints {
        sandbox: keeping.sandbox.as_ref().map(|_| Sandbox::default()),
        wrap: Vec::new(),
        ..keeping.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_folder_of_the_other_machine_is_in_a_command() {
        let at_home = |place, word| at_home(&[PathBuf::from("/prof/class")], place, word);
        for (place, word, expected) in [
            (0, "python3", "python3"),
            (0, "/usr/bin/python3", "/usr/bin/python3"),
            (1, "submissions/cem.py", "cem.py"),
            (1, "/prof/class/submissions/cem.py", "cem.py"),
            (1, "/elsewhere/tool.py", "tool.py"),
            (0, "build/alice", "./alice"),
            (0, "./alice", "./alice"),
            (2, "--depth=1/2", "--depth=1/2"),
            (2, "exec /prof/class/a/b -x", "exec a/b -x"),
            (2, "https://example.org/x", "https://example.org/x"),
        ] {
            assert_eq!(at_home(place, word), expected, "{word}");
        }
    }
}
