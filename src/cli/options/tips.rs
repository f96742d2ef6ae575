//! Tips for whoever guesses what an option is called.

use clap::CommandFactory;

use crate::text::has_word;

/// What helps whoever has guessed an option that a subcommand does not have.
struct Tip {
    /// The options that may be guessed, with blanks between them; empty for a word that does not
    /// begin with a dash.
    guesses: &'static str,
    /// The subcommands for which it is true, with blanks between them; empty for all.
    subcommands: &'static str,
    /// The option that it is about. Only a subcommand that has it gets the tip.
    option: Option<&'static str>,
    /// In words; `{}` stands for the values of the option.
    words: &'static str,
}

/// The subcommands that run bots.
const WITH_BOTS: &str = "match play check tournament reproduce";
const ALL: &str = "";
/// Stands for any number.
const NUMBER: &str = "0";
const COUNT: &str = "--games --matches --rounds --count --repeat -n";

/// Makes a list of tips: the guesses, the subcommands and the option of each, and its words.
macro_rules! tips {
    ($($guesses:expr, $subcommands:expr, $option:expr => $words:literal;)*) => {
        &[$(Tip {
            guesses: $guesses,
            subcommands: $subcommands,
            option: $option,
            words: $words,
        }),*]
    };
}

/// Of the tips that fit, the first is given.
const TIPS: &[Tip] = tips! {
    "", "solve", Some("opening") =>
        "a position to solve is --opening, 14 numbers with commas between them";
    "--board --position --start", ALL, Some("opening") =>
        "a position to start from is --opening";
    "--sort --sort-by --order --order-by", ALL, Some("rank-by") =>
        "rows are in the order of --rank-by points, seeds or rating";
    "--swiss", "tournament", Some("count") =>
        "--count N is the number of its rounds";
    COUNT, "tournament", Some("openings") =>
        "a pairing plays a match from each opening: --openings random:4 --count N for more \
         openings, --repeat K for each of them K times";
    COUNT, ALL, Some("rounds") =>
        "a match is two rounds, or one with --rounds 1; for more, play several matches with \
         mancala tournament";
    "--level --difficulty", WITH_BOTS, None =>
        "a level is a bot: builtin:easy, builtin:average, builtin:hard";
    "--seed", WITH_BOTS, Some("seeds") =>
        "bots take their own seed, as in \"builtin:easy --seed 7\"; --seeds N is for seeds in \
         a house";
    "--time --timeout --time-limit --tc", ALL, Some("move-time") =>
        "the limit of a move is --move-time";
    "--bank --time-bank --clock", ALL, Some("game-time") =>
        "the time bank of a round is --game-time";
    "--increment --inc", ALL, Some("game-time") =>
        "a time bank has no increment; --game-time is the bank, and --move-time the limit of \
         a move";
    "--sprt", "match", None =>
        "a test of two bots is \"mancala tournament --sprt elo0=0,elo1=10\"";
    "--elo --rating", "standings", Some("format") =>
        "ratings are among the columns already";
    "--bot --won", "replay", Some("lost") =>
        "the matches that a bot lost are --lost BOT";
    "--openings", "match", None =>
        "a match begins from one --opening; several are played by \
         \"mancala tournament --openings random:4\"";
    "--events", "match check play reproduce", None =>
        "events are written by \"mancala tournament --events FILE\"";
    "--output --out -o --save", ALL, Some("record") =>
        "--record FILE keeps the match";
    "--json --csv --markdown", ALL, Some("format") =>
        "the format is --format {}";
    "--depth --iterations", WITH_BOTS, None =>
        "options of a bot belong to its command, in quotes: \"./my_bot --depth 4\"";
    NUMBER, "replay", None =>
        "one match of the file is --match N";
    "", "replay", None =>
        "it takes one file at a time";
    "", "reproduce", None =>
        "it takes one bundle and one bot; a bot is one argument, in quotes when it has blanks: \
         \"python3 my_bot.py\"";
    "", "check", None =>
        "check tries one bot at a time; a bot is one argument, in quotes when it has blanks: \
         \"python3 my_bot.py\"";
    "", "play", Some("against") =>
        "the bot to play against is --against builtin:easy; a bot is one argument, in quotes when \
         it has blanks: \"python3 my_bot.py\"";
    "", "match", None =>
        "a bot is one argument, in quotes when it has blanks: \"python3 my_bot.py\"; for more \
         than two bots, use mancala tournament";
};

/// Guesses of subcommands that do not exist, and the tip for each.
const SUBCOMMANDS: &[(&str, &str)] = &[
    ("sprt test", "a test of two bots is mancala tournament --sprt elo0=0,elo1=10"),
    ("gauntlet", "one bot against all others is mancala tournament --gauntlet"),
    ("swiss", "bots with equal scores meet in mancala tournament --swiss"),
    ("elo rating ratings rank ranking table", "ratings are in mancala standings FILE"),
    (
        "export csv",
        "mancala replay FILE --format csv has a row for each round and bot, mancala standings FILE --format csv one for each bot",
    ),
    ("merge", "files are counted together by mancala standings FILE…"),
    ("grade", "a result for a gradebook is mancala check BOT --format gradescope"),
    ("run", "bots play in mancala match or mancala tournament"),
    ("verify view watch show", "the matches of a file are seen in mancala replay FILE"),
];

/// The tip for an unknown subcommand.
pub(in crate::cli) fn tip_for_subcommand(guess: &str) -> Option<&'static str> {
    let found = SUBCOMMANDS.iter().find(|(guesses, _)| has_word(guesses, guess));
    found.map(|(_, words)| *words)
}

/// The right tip for an argument that `subcommand` does not have.
pub(in crate::cli) fn tip(argument: &str, subcommand: &str) -> Option<String> {
    let cli = crate::cli::Cli::command();
    let command = cli.find_subcommand(subcommand)?;
    let guess = argument.split('=').next().unwrap_or(argument);
    let option = |name| command.get_arguments().find(|known| known.get_long() == Some(name));
    let fits = |tip: &&Tip| {
        let is_guessed = match tip.guesses {
            "" => !guess.starts_with('-'),
            NUMBER => guess.parse::<u64>().is_ok(),
            guesses => has_word(guesses, guess),
        };
        is_guessed
            && (tip.subcommands.is_empty() || has_word(tip.subcommands, subcommand))
            && tip.option.is_none_or(|name| option(name).is_some())
    };
    let tip = TIPS.iter().find(fits)?;
    let values = tip.option.and_then(option).map(clap::Arg::get_possible_values);
    let values = values.unwrap_or_default();
    let values: Vec<&str> = values.iter().map(clap::builder::PossibleValue::get_name).collect();
    let values = match values.split_last() {
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    };
    Some(tip.words.replace("{}", &values))
}

/// The option that is meant by the word of which clap knows one letter, `-c` of `-config`.
pub(in crate::cli) fn single_dash(letter: &str, subcommand: &str) -> Option<String> {
    let letter = letter.strip_prefix('-')?;
    let cli = crate::cli::Cli::command();
    let command = cli.find_subcommand(subcommand)?;
    let words = std::env::args_os().filter_map(|word| word.into_string().ok());
    words.into_iter().find_map(|word| {
        let name = word.strip_prefix('-')?.split('=').next()?;
        let is_known = command.get_arguments().any(|known| known.get_long() == Some(name));
        (is_known && name.contains(letter)).then(|| format!("did you mean --{name}?"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The options that a tip names, without those in commands of bots.
    fn named(words: &str) -> Vec<&str> {
        let plain = words.split('"').step_by(2).flat_map(str::split_whitespace);
        plain.filter_map(|word| word.strip_prefix("--")).collect()
    }

    #[test]
    fn a_tip_names_only_what_its_subcommand_has() {
        let guesses = || TIPS.iter().flat_map(|tip| tip.guesses.split_whitespace()).chain(["word"]);
        let cli = crate::cli::Cli::command();
        let mut given = std::collections::BTreeSet::new();
        for command in cli.get_subcommands() {
            for guess in guesses() {
                let Some(words) = tip(guess, command.get_name()) else { continue };
                for name in named(&words) {
                    let name = name.trim_end_matches([',', ';']);
                    let known = command.get_arguments().any(|known| known.get_long() == Some(name));
                    assert!(known, "{} {guess}: {words}", command.get_name());
                }
                assert!(!words.ends_with(' '), "{} {guess}: {words}", command.get_name());
                given.insert(words);
            }
        }
        let is_given = |tip: &&Tip| given.iter().any(|words| words.starts_with(&tip.words[..20]));
        assert_eq!(TIPS.iter().filter(is_given).count(), TIPS.len(), "{given:?}");
    }
}
