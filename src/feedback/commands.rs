//! Commands that work on the machine of a bot's author, in the folder of its page: nothing in them
//! is a folder of the machine that played the contest.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::Contest;
use super::evidence::FaultEvidence;
use crate::contest::{PlanFields, PlannedBot};
use crate::record::{Restraints, Sandbox, Terms, check_options};
use crate::report::SYSTEM_FOLDERS;
use crate::text::{and_listed, relative};

/// The commands for a bot's author.
pub(super) struct Commands<'a> {
    pub(super) contest: &'a Contest<'a>,
    pub(super) bot: &'a PlannedBot,
    home: AuthorsMachine<'a>,
}

impl Commands<'_> {
    pub(super) fn of<'a>(contest: &'a Contest<'a>, bot: &'a PlannedBot) -> Commands<'a> {
        Commands { contest, bot, home: AuthorsMachine::of(contest, bot) }
    }

    /// The command line of the bot where its files are in the current folder, as one word.
    fn bot_command(&self) -> String {
        shell_words::join(self.bot_words())
    }

    /// The words of that command line.
    pub(super) fn bot_words(&self) -> Vec<String> {
        let Commands { bot, home, .. } = self;
        let started = bot.as_started().command;
        let (variables, command) = started.split_at(started.len() - bot.command.len());
        let variables = variables.iter().map(|word| home.in_own(word).unwrap_or(word.clone()));
        let command = (0..).zip(command).map(|(place, word)| match &bot.folder {
            // It runs in its own folder.
            Some(_) if Path::new(word).is_relative() && !word.starts_with("..") => {
                home.in_own(word).filter(|_| place == 0).unwrap_or_else(|| word.clone())
            }
            _ => home.word(place, word),
        });
        variables.chain(command).collect()
    }

    /// Where commands work, and what has to be there.
    pub(super) fn where_they_work(&self) -> String {
        let shared = self.shared_files();
        let shared = if shared.is_empty() {
            String::new()
        } else {
            let names = and_listed(shared, usize::MAX);
            format!(" and those of the contest ({names}, with the files that they need)")
        };
        format!(
            "Run the commands in the folder of this page, with your bot's files{shared} copied into \
             it, or replace the bot's command by your own."
        )
    }

    /// What to leave out of them on some machines.
    pub(super) fn where_they_fail(&self) -> Option<&'static str> {
        let sandbox = self.contest.plan.terms.keeping.sandbox.as_ref();
        sandbox.map(|_| "Where your system has no sandbox (mancala says so), leave out --sandbox.")
    }

    /// The names of the files that the commands of other bots name, too, such as an adapter.
    fn shared_files(&self) -> BTreeSet<String> {
        // In a folder of its own, what lies in it is the bot's own, whatever others have there.
        fn words(bot: &PlannedBot) -> impl Iterator<Item = &String> {
            let is_elsewhere = |word: &&String| {
                bot.folder.is_none() || word.starts_with("../") || word.starts_with('/')
            };
            bot.build.iter().chain(bot.command.iter().filter(is_elsewhere)).chain(&bot.files)
        }
        let is_shared = |word: &&String| {
            let mut others = self.contest.others(self.bot);
            others.any(|of| words(of).any(|known| known == *word))
        };
        let elsewhere = AuthorsMachine { folders: self.home.folders, own: None };
        let name = |word: &String| {
            let is_path = word.contains('/') || elsewhere.is_file(word);
            let name = elsewhere.word(1, word);
            (is_path && !name.contains(['/', '*', '?'])).then_some(name)
        };
        words(self.bot).filter(is_shared).filter_map(name).collect()
    }

    /// A text with paths relative to the bot's own folder, as far as they lie in it.
    pub(super) fn in_own_folder(&self, text: &str) -> String {
        let text = relative(self.contest.folders, text);
        match &self.home.own {
            Some(own) => relative(&[PathBuf::from(own)], &text),
            None => text,
        }
    }

    /// The command that builds the bot.
    pub(super) fn build(&self) -> String {
        let words = (0..).zip(&self.bot.build);
        shell_words::join(words.map(|(place, word)| self.home.word(place, word)))
    }

    /// The command that tries the bot in everything that a match may ask of it.
    pub(super) fn check(&self) -> String {
        let mut words = self.on_terms("check");
        words.push(self.bot_command());
        shell_words::join(words)
    }

    /// The command that asks the bot again what it was asked, with the bundle in the page's folder.
    pub(super) fn reproduce(&self, fault: &FaultEvidence) -> Option<String> {
        let bundle = fault.bundle.as_ref().filter(|bundle| bundle.can_be_seen_again)?;
        let mut words = vec!["mancala", "reproduce"];
        words.extend(bundle.has_earlier_lines.then_some("--from-start"));
        words.extend(self.contest.plan.terms.keeping.sandbox.as_ref().map(|_| "--sandbox"));
        let command = self.bot_command();
        words.extend([&*bundle.file, &*command]);
        Some(shell_words::join(words))
    }

    /// The command that plays on from the position of the fault, which needs no file.
    pub(super) fn play_on(&self, fault: &FaultEvidence) -> Option<String> {
        let cells = fault.board?.cells().map(|seeds| seeds.to_string()).join(",");
        let mut words = self.on_terms("match");
        words.extend(["--opening", &cells, "--rounds", "1"].map(str::to_owned));
        words.extend([self.bot_command(), "builtin:random".to_owned()]);
        Some(shell_words::join(words))
    }

    /// A command with the rules and terms of the contest, but what the other machine has.
    fn on_terms(&self, command: &str) -> Vec<String> {
        let PlanFields { rules, terms, .. } = self.contest.plan;
        let name = rules.name.to_string();
        let mut words = ["mancala", command, "--rules", &name].map(str::to_owned).to_vec();
        let keeping = kept_elsewhere(&terms.keeping);
        words.extend(check_options(rules, &Terms { keeping, ..terms.clone() }));
        words
    }
}

/// The machine of a bot's author, whose current folder has the bot's files.
struct AuthorsMachine<'a> {
    /// Folders of the contest.
    folders: &'a [PathBuf],
    /// The bot's own folder there, relative to these where it lies in them.
    own: Option<String>,
}

impl AuthorsMachine<'_> {
    fn of<'a>(contest: &Contest<'a>, bot: &PlannedBot) -> AuthorsMachine<'a> {
        let folders = &contest.folders[..1];
        let mut home = AuthorsMachine { folders, own: None };
        let own = match &bot.folder {
            Some(own) => Some(own.as_path()),
            None => first_own_path(&home, contest, bot).and_then(|path| {
                let is_folder = folders.iter().any(|folder| folder.join(path).is_dir());
                if is_folder { Some(path) } else { path.parent() }
            }),
        };
        let own = own.map(|own| own.components().collect::<PathBuf>());
        let own = own.and_then(|own| own.to_str().map(|own| relative(folders, own)));
        home.own = own.filter(|own| !["", "."].contains(&&**own));
        home
    }

    /// A word of a command line with paths of the bot's own folder relative to that, and file names in
    /// place of others.
    fn word(&self, place: usize, word: &str) -> String {
        // Also in the words of a script.
        let word = relative(self.folders, word);
        if let Some(own) = self.in_own(&word) {
            // A shell starts a program of the current folder only by such a path.
            return if place == 0 && !own.contains('/') { format!("./{own}") } else { own };
        }
        let is_script = word.contains(char::is_whitespace) && !self.is_file(&word);
        if is_script || !is_path(&word) {
            return word;
        }
        let path = Path::new(&word);
        let is_tool = path.is_absolute() && path.parent().is_some_and(|it| it.ends_with("bin"));
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if place == 0 && !is_tool { format!("./{name}") } else { name.into_owned() }
    }

    /// The word with paths of the bot's own folder relative to that; `None` if it has none.
    fn in_own(&self, word: &str) -> Option<String> {
        let own = self.own.as_deref()?;
        let separates = |c: char| [':', '=', ','].contains(&c) && !own.contains(c);
        let mut is_changed = false;
        let mut part = |part: &str| {
            // The path may stand behind an option of one letter, and `./` before it.
            let start = if part.starts_with('-') { part.floor_char_boundary(2) } else { 0 };
            let (option, path) = part.split_at(start);
            let path = path.strip_prefix("./").unwrap_or(path);
            let (path, mark) = path.split_at(path.trim_end_matches(separates).len());
            let inside = path.strip_prefix(own)?;
            let inside = if inside.is_empty() { "." } else { inside.strip_prefix('/')? };
            is_changed = true;
            let inside = if inside.is_empty() { "." } else { inside };
            Some(format!("{option}{inside}{mark}"))
        };
        let parts = word.split_inclusive(separates);
        let changed = parts.map(|text| part(text).unwrap_or_else(|| text.to_owned())).collect();
        is_changed.then_some(changed)
    }

    fn is_file(&self, word: &str) -> bool {
        self.folders.iter().any(|folder| folder.join(word).is_file())
    }
}

/// The first path that only this bot's command lines name.
fn first_own_path<'a>(
    home: &AuthorsMachine<'_>,
    contest: &Contest<'_>,
    bot: &'a PlannedBot,
) -> Option<&'a Path> {
    let is_shared = |word: &String| {
        let mut others = contest.others(bot);
        others.any(|of| of.build.iter().chain(&of.command).any(|known| known == word))
    };
    let mut words = bot.build.iter().chain(&bot.command).filter(|word| is_path(word));
    let is_one = |word: &str| !word.contains(char::is_whitespace) || home.is_file(word);
    words.find(|word| is_one(word) && !is_shared(word)).map(Path::new)
}

fn is_path(word: &str) -> bool {
    word.contains('/')
        && !word.starts_with('-')
        && !word.contains("://")
        && !SYSTEM_FOLDERS.iter().chain(&["/opt"]).any(|system| Path::new(word).starts_with(system))
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
        let folders = [PathBuf::from("/prof/class")];
        let home = AuthorsMachine { folders: &folders, own: None };
        for (place, word, expected) in [
            (0, "python3", "python3"),
            (0, "/usr/bin/python3", "/usr/bin/python3"),
            (0, "/elsewhere/bin/python3", "python3"),
            (1, "submissions/cem.py", "cem.py"),
            (1, "/prof/class/submissions/cem.py", "cem.py"),
            (1, "/elsewhere/tool.py", "tool.py"),
            (0, "build/alice", "./alice"),
            (0, "./alice", "./alice"),
            (2, "--depth=1/2", "--depth=1/2"),
            (2, "exec /prof/class/a/b -x", "exec a/b -x"),
            (2, "https://example.org/x", "https://example.org/x"),
        ] {
            assert_eq!(home.word(place, word), expected, "{word}");
        }
    }

    #[test]
    fn the_own_folder_of_a_bot_is_the_current_one() {
        let folders = [PathBuf::from("/prof/class")];
        let at_home = |own: &str, words: &str| {
            let home = AuthorsMachine { folders: &folders, own: Some(own.to_owned()) };
            let words = shell_words::split(words).unwrap();
            let words = (0..).zip(&words).map(|(place, word)| home.word(place, word));
            shell_words::join(words)
        };
        for (own, words, expected) in [
            ("j/lee", "javac -d j/lee j/lee/Lee.java", "javac -d . Lee.java"),
            ("j/lee", "java -cp j/lee:lib Lee lee", "java -cp .:lib Lee lee"),
            ("j/lee", "make -C /prof/class/j/lee bot", "make -C . bot"),
            ("j/lee", "gcc -Ij/lee ./j/lee/src/x.c j/leeway/y.c", "gcc -I. src/x.c y.c"),
            ("j/lee", "j/lee/bot A=j/lee/", "./bot 'A=.'"),
            (
                "s/Ann Lee_1",
                "../t/b.sh 's/Ann Lee_1/a.c' -o 's/Ann Lee_1/bot'",
                "./b.sh a.c -o bot",
            ),
            ("s/Lee, A", "gcc 's/Lee, A/a.c' -I's/Lee, A'", "gcc a.c -I."),
            ("s/Kim Ö", "javac -d 's/Kim Ö' 's/Kim Ö/G.java'", "javac -d . G.java"),
        ] {
            assert_eq!(at_home(own, words), expected, "{words}");
        }
    }
}
