//! A bot as the user writes it: `NAME=COMMAND LINE`, split into words with no shell run.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use super::name::{is_name, name_from};
use super::readable::{ReadablePaths, find_program};
use super::script::{is_interpreter, script, stem};
use crate::record::MAX_NAME;

/// Prefix of the built-in bots: `builtin:hard` runs this program's own `bot hard`.
pub(super) const BUILTIN: &str = "builtin:";

/// The levels of the built-in bot.
pub(super) const LEVELS: [&str; 5] = ["random", "easy", "average", "hard", "expert"];

/// A bot's command line, and its name where the user gave one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BotCommand {
    pub(super) name: Option<String>,
    pub(super) words: Vec<String>,
    /// The working folder it is to have; `None` for that of the referee.
    pub folder: Option<PathBuf>,
    /// Variables that its environment has beside those that are handed on.
    pub variables: Vec<(String, String)>,
    /// What it may read in the sandbox; `None` for what its words name.
    pub reach: Option<Box<ReadablePaths>>,
}

/// Why a text does not name a bot.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommandError {
    /// Not a name that a table can show.
    #[error(
        "invalid name {0:?}: a name has 1 to {MAX_NAME} visible characters, ASCII or the letters \
         of one script, and no blank at its ends"
    )]
    Name(String),
    /// Two bots were given the same name.
    #[error("two bots are named {0:?}; give one of them another name, as in other=COMMAND")]
    SameName(String),
    /// Anything else that is wrong with it, in words.
    #[error("{0}")]
    Other(String),
}

impl FromStr for BotCommand {
    type Err = CommandError;

    fn from_str(text: &str) -> Result<BotCommand, CommandError> {
        let (name, command) = match text.split_once('=') {
            Some((name, command)) if looks_like_a_name(name) => (Some(name.to_owned()), command),
            _ => (None, text),
        };
        let words = shell_words::split(command)
            .map_err(|_| CommandError::Other(format!("a quote is not closed in {command:?}")))?;
        BotCommand::new(name, words)
    }
}

/// The percentages that the expert may take of its time.
pub const TIME_SHARES: RangeInclusive<u64> = 1..=90;

/// The options of built-in bots, as `--seed N` or `--seed=N`; all but the first are the expert's.
/// Each has what its number is, in words.
const OPTIONS: [(&str, RangeInclusive<u64>, &str); 3] = [
    ("--seed", 0..=u64::MAX, ""),
    ("--time-share", TIME_SHARES, " from 1 to 90"),
    ("--nodes", 1..=u64::MAX, " of 1 or more"),
];

fn refuse_unknown_options(words: &[String]) -> Result<(), String> {
    let known = if words[0] == "builtin:expert" { &OPTIONS[..] } else { &OPTIONS[..1] };
    let mut options = words[1..].iter();
    while let Some(option) = options.next() {
        let (name, value) = match option.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (option.as_str(), options.next().map(String::as_str)),
        };
        let Some((name, range, number)) = known.iter().find(|(known, ..)| *known == name) else {
            return Err(format!(
                "{:?} takes no {:?}; the only option of a built-in bot is --seed N, and of \
                 builtin:expert also --time-share PERCENT (1 to 90) and --nodes N (1 or more)",
                words[0],
                words[1..].join(" ")
            ));
        };
        let value = value.unwrap_or_default();
        if !value.parse().is_ok_and(|value| range.contains(&value)) {
            return Err(format!("{:?}: {name} takes a number{number}, not {value:?}", words[0]));
        }
    }
    Ok(())
}

/// Whether a name is one that variables of an environment have.
pub(super) fn looks_like_a_variable(name: &str) -> bool {
    !name.is_empty()
        && name.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_')
}

/// Whether a word behind a variable is the program that it is set for, or another variable.
pub(super) fn looks_like_a_program(word: &str) -> bool {
    word.contains(['/', '=']) || word.starts_with(BUILTIN) || find_program(word).is_some()
}

/// A word before `=` is a name unless it looks like the beginning of a command line.
fn looks_like_a_name(word: &str) -> bool {
    !word.is_empty()
        && !word.starts_with('-')
        && !word.contains(|c: char| c.is_whitespace() || matches!(c, '/' | '"' | '\'' | '\\'))
}

impl BotCommand {
    /// How a variable is set, where the user may have meant one by the name: `DEBUG=1 python3 x.py`.
    pub(in crate::bot) fn as_variable(&self) -> Option<String> {
        let name = self.name.as_ref().filter(|name| looks_like_a_variable(name))?;
        // Behind a value there is a program; behind a misspelt program, an argument.
        let program = self.words.get(1)?;
        looks_like_a_program(program).then(|| format!("env {name}={}", self.words[0]))
    }

    /// A bot with `words` as its command line; without a name, it gets one from them.
    ///
    /// # Errors
    ///
    /// As [`CommandError`] says.
    pub fn new(name: Option<String>, words: Vec<String>) -> Result<BotCommand, CommandError> {
        if let Some(name) = name.as_ref().filter(|name| !is_name(name)) {
            return Err(CommandError::Name(name.clone()));
        }
        if words.first().is_none_or(String::is_empty) {
            return Err(CommandError::Other(
                "the command is empty; give a command line such as \"python3 my_bot.py\" or \
                 builtin:easy"
                    .to_owned(),
            ));
        }
        if words.iter().any(|word| word.contains('\0')) {
            let command = words.join(" ");
            return Err(CommandError::Other(format!("there is a NUL character in {command:?}")));
        }
        if let Some(level) = words[0].strip_prefix(BUILTIN) {
            if !LEVELS.contains(&level) {
                return Err(CommandError::Other(format!(
                    "there is no {:?}; there are builtin:random, builtin:easy, builtin:average, \
                     builtin:hard and builtin:expert",
                    words[0]
                )));
            }
            refuse_unknown_options(&words).map_err(CommandError::Other)?;
        }
        Ok(BotCommand { name, words, folder: None, variables: Vec::new(), reach: None })
    }

    /// The same bot in this working folder, and with `variables` in its environment.
    pub fn in_place(self, folder: Option<PathBuf>, variables: Vec<(String, String)>) -> BotCommand {
        BotCommand { folder, variables, ..self }
    }

    /// The words of the command line as the user wrote them.
    pub fn words(&self) -> &[String] {
        &self.words
    }

    pub(crate) fn is_built_in(&self) -> bool {
        self.words[0].starts_with(BUILTIN)
    }

    /// The words to run: those of a built-in bot begin with `program`, which is this program.
    pub(crate) fn to_run(&self, program: &Path) -> Vec<String> {
        let Some(level) = self.words[0].strip_prefix(BUILTIN) else {
            return self.words.clone();
        };
        let program = program.to_string_lossy().into_owned();
        let own = [program, "bot".to_owned(), level.to_owned()];
        own.into_iter().chain(self.words[1..].iter().cloned()).collect()
    }

    /// The name the user gave, or one from the command: the file name, without its ending, of the
    /// last file of source code on it, or of the script, or of the program. An adapter comes before
    /// the file that it plays with.
    pub fn name(&self) -> String {
        if let Some(name) = &self.name {
            return name.clone();
        }
        name_from(&stem(self.own_word()))
    }

    /// The word that names the bot's own program or script.
    fn own_word(&self) -> &str {
        let program = stem(&self.words[0]);
        let named = script(&program, &self.words[1..]).filter(|_| is_interpreter(&program));
        named.unwrap_or(&self.words[0])
    }

    /// A name from the folder of its program or script; `None` if that is the referee's own.
    pub(super) fn name_of_folder(&self) -> Option<String> {
        let file = self.folder.as_deref().unwrap_or(Path::new("")).join(self.own_word());
        Some(name_from(&file.parent()?.file_name()?.to_string_lossy()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> String {
        text.parse::<BotCommand>().unwrap().name()
    }

    #[test]
    fn a_command_line_is_split_as_a_shell_would() {
        let bot: BotCommand = "python3 'my bot.py' --depth 4".parse().unwrap();
        assert_eq!(bot.words(), ["python3", "my bot.py", "--depth", "4"]);
        let bot: BotCommand = "./bot --x=3".parse().unwrap();
        assert_eq!(bot.words(), ["./bot", "--x=3"]);
        let bot: BotCommand = "Ann B=./bot".parse().unwrap();
        assert_eq!(bot.words(), ["Ann", "B=./bot"]);
    }

    #[test]
    fn a_variable_is_meant_where_a_program_is_behind_its_value() {
        let variable = |text: &str| text.parse::<BotCommand>().unwrap().as_variable();
        for text in ["DEBUG=1 ./bot", "DEBUG=1 sh bot.sh", "DEBUG=1 B=2 x", "DEBUG=1 builtin:easy"]
        {
            assert_eq!(variable(text).as_deref(), Some("env DEBUG=1"));
        }
        for text in ["A=nosuch x", "A=nosuch --depth 4", "A=nosuch", "a=1 ./bot", "./bot"] {
            assert_eq!(variable(text), None, "{text}");
        }
    }

    #[test]
    fn a_name_is_given_or_comes_from_the_command() {
        assert_eq!(name("ann=python3 greedy.py"), "ann");
        assert_eq!(name("ann-2=python3 greedy.py"), "ann-2");
        assert_eq!(name("python3.11 -u examples/python/greedy.py --depth 4"), "greedy");
        assert_eq!(name("java -cp out Greedy"), "Greedy");
        assert_eq!(name("go run ann/bot.go"), "bot");
        assert_eq!(name("go run ./ann"), "ann");
        assert_eq!(name("python3 adapter.py answers/spread.py --function f"), "spread");
        assert_eq!(name("java Adapter.java answers/Spread.java choose"), "Spread");
        assert_eq!(name("java -cp classes Adapter Spread choose"), "Spread");
        assert_eq!(name("python3 adapters/lines.py --preset buet ./minimax 3"), "minimax");
        assert_eq!(name("python3 adapters/kgp.py --port 2671 build/client"), "client");
        assert_eq!(name("python3 greedy.py data/book"), "greedy");
        assert_eq!(name("python3 -u my_bot --table t.txt"), "my_bot");
        assert_eq!(name("./bots/minimax.exe"), "minimax");
        assert_eq!(name("builtin:hard"), "hard");
        assert_eq!(name("sh -c 'echo 3'"), "sh");
        assert_eq!(name("./a\x1b[2Jb"), "a\\u{1b}[2Jb");
    }

    #[test]
    fn what_is_no_bot_says_why() {
        let error = |text: &str| text.parse::<BotCommand>().unwrap_err();
        for (text, beginning) in [
            ("", "the command is empty; "),
            ("  ", "the command is empty; "),
            ("ann=", "the command is empty; "),
            ("''", "the command is empty; "),
            ("./bot 'x", "a quote is not closed in \"./bot 'x\""),
            ("builtin:best", "there is no \"builtin:best\"; there are builtin:random"),
        ] {
            let error = error(text).to_string();
            assert!(error.starts_with(beginning), "{error}");
        }
        for name in ["\u{202e}", "\u{34f}", "\u{3164}", "gr\u{435}edy"] {
            assert!(matches!(error(&format!("{name}=./bot")), CommandError::Name(_)), "{name:?}");
        }
        for options in ["--seed x", "--seed", "--seed=-1"] {
            let error = error(&format!("builtin:easy {options}")).to_string();
            assert!(error.starts_with("\"builtin:easy\": --seed takes a number, not "), "{error}");
        }
        for options in ["--sed 1", "--seed 1 --help", "--strict", "--nodes 5"] {
            let error = error(&format!("builtin:easy {options}")).to_string();
            let expected = format!("\"builtin:easy\" takes no {options:?}; the only option of a ");
            assert!(error.starts_with(&expected), "{error}");
        }
        let expert =
            |options: &str| format!("builtin:expert {options}").parse::<BotCommand>().is_ok();
        for options in ["--time-share 0", "--time-share 91", "--nodes 0", "--nodes=-1"] {
            assert!(!expert(options), "{options}");
        }
        assert!(expert("--time-share 1 --nodes=1") && expert("--time-share=90 --seed 0"));
        assert!("builtin:easy --nodes 5".parse::<BotCommand>().is_err());
        assert!("builtin:easy --seed=7".parse::<BotCommand>().is_ok());
    }
}
