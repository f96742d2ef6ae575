//! Tips for whoever guesses what an option is called.

use clap::CommandFactory;

/// What helps whoever has guessed an option that a subcommand does not have.
struct Tip {
    /// The options that may be guessed; empty for a word that does not begin with a dash.
    guesses: &'static [&'static str],
    /// The subcommands for which it is true; empty for all.
    subcommands: &'static [&'static str],
    /// The option that it is about. Only a subcommand that has it gets the tip.
    option: Option<&'static str>,
    /// In words; `{}` stands for the values of the option.
    words: &'static str,
}

/// The subcommands that run bots.
const WITH_BOTS: &[&str] = &["match", "play", "check", "tournament", "reproduce"];
const POSITION: &[&str] = &["--board", "--position", "--start"];
const COUNT: &[&str] = &["--games", "--matches", "--rounds", "--count", "--repeat", "-n"];

/// Of the tips that fit, the first is given.
const TIPS: &[Tip] = &[
    Tip {
        guesses: &[],
        subcommands: &["solve"],
        option: Some("opening"),
        words: "a position to solve is --opening, 14 numbers with commas between them",
    },
    Tip {
        guesses: POSITION,
        subcommands: &[],
        option: Some("opening"),
        words: "a position to start from is --opening",
    },
    Tip {
        guesses: &["--sort", "--sort-by", "--order", "--order-by"],
        subcommands: &[],
        option: Some("rank-by"),
        words: "rows are in the order of --rank-by points, seeds or rating",
    },
    Tip {
        guesses: &["--swiss"],
        subcommands: &["tournament"],
        option: Some("count"),
        words: "--count N is the number of its rounds",
    },
    Tip {
        guesses: COUNT,
        subcommands: &["tournament"],
        option: Some("openings"),
        words: "a pairing plays a match from each opening: --openings random:4 --count N for more \
                openings, --repeat K for each of them K times",
    },
    Tip {
        guesses: COUNT,
        subcommands: &[],
        option: Some("rounds"),
        words: "a match is two rounds, or one with --rounds 1; for more, play several matches with \
                mancala tournament",
    },
    Tip {
        guesses: &["--level", "--difficulty"],
        subcommands: WITH_BOTS,
        option: None,
        words: "a level is a bot: builtin:easy, builtin:average, builtin:hard",
    },
    Tip {
        guesses: &["--seed"],
        subcommands: WITH_BOTS,
        option: Some("seeds"),
        words: "bots take their own seed, as in \"builtin:easy --seed 7\"; --seeds N is for seeds in \
                a house",
    },
    Tip {
        guesses: &["--time", "--timeout", "--time-limit", "--tc"],
        subcommands: &[],
        option: Some("move-time"),
        words: "the limit of a move is --move-time",
    },
    Tip {
        guesses: &["--bank", "--time-bank", "--clock"],
        subcommands: &[],
        option: Some("game-time"),
        words: "the time bank of a round is --game-time",
    },
    Tip {
        guesses: &["--increment", "--inc"],
        subcommands: &[],
        option: Some("game-time"),
        words: "a time bank has no increment; --game-time is the bank, and --move-time the limit of \
                a move",
    },
    Tip {
        guesses: &["--openings"],
        subcommands: &["match"],
        option: None,
        words: "a match begins from one --opening; several are played by \
                \"mancala tournament --openings random:4\"",
    },
    Tip {
        guesses: &["--events"],
        subcommands: &["match", "check", "play", "reproduce"],
        option: None,
        words: "events are written by \"mancala tournament --events FILE\"",
    },
    Tip {
        guesses: &["--output", "--out", "-o", "--save"],
        subcommands: &[],
        option: Some("record"),
        words: "--record FILE keeps the match",
    },
    Tip {
        guesses: &["--json", "--csv", "--markdown"],
        subcommands: &[],
        option: Some("format"),
        words: "the format is --format {}",
    },
    Tip {
        guesses: &["--depth", "--iterations"],
        subcommands: WITH_BOTS,
        option: None,
        words: "options of a bot belong to its command, in quotes: \"./my_bot --depth 4\"",
    },
    Tip {
        guesses: &[],
        subcommands: &["replay", "reproduce"],
        option: None,
        words: "it takes one file at a time",
    },
    Tip {
        guesses: &[],
        subcommands: &["check"],
        option: None,
        words: "check tries one bot at a time; a bot is one argument, in quotes when it has blanks: \
                \"python3 my_bot.py\"",
    },
    Tip {
        guesses: &[],
        subcommands: &["match", "play"],
        option: None,
        words: "a bot is one argument, in quotes when it has blanks: \"python3 my_bot.py\"; for more \
                than two bots, use mancala tournament",
    },
];

/// What helps whoever has guessed a subcommand that there is not.
const SUBCOMMANDS: &[(&[&str], &str)] = &[
    (&["sprt", "test"], "a test of two bots is mancala tournament --sprt elo0=0,elo1=10"),
    (&["gauntlet"], "one bot against all others is mancala tournament --gauntlet"),
    (&["swiss"], "bots with equal scores meet in mancala tournament --swiss"),
    (
        &["elo", "rating", "ratings", "rank", "ranking", "table"],
        "ratings are in mancala standings FILE",
    ),
    (&["verify", "view", "watch", "show"], "the matches of a file are seen in mancala replay FILE"),
];

/// The right tip for a subcommand that there is not.
pub(super) fn tip_for_subcommand(guess: &str) -> Option<&'static str> {
    let found = SUBCOMMANDS.iter().find(|(guesses, _)| guesses.contains(&guess));
    found.map(|(_, words)| *words)
}

/// The right tip for an argument that this subcommand does not have.
pub(super) fn tip(argument: &str, subcommand: &str) -> Option<String> {
    let cli = super::Cli::command();
    let command = cli.find_subcommand(subcommand)?;
    let guess = argument.split('=').next().unwrap_or(argument);
    let option = |name| command.get_arguments().find(|known| known.get_long() == Some(name));
    let fits = |tip: &&Tip| {
        let is_guessed = match tip.guesses {
            [] => !guess.starts_with('-'),
            guesses => guesses.contains(&guess),
        };
        is_guessed
            && (tip.subcommands.is_empty() || tip.subcommands.contains(&subcommand))
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
        let guesses = || TIPS.iter().flat_map(|tip| tip.guesses).copied().chain(["word"]);
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
