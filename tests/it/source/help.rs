//! Help for whoever guesses: tips that fit, completions, the manual, and what to do after a forfeit.

use crate::program::mancala;
use crate::requirements;
use crate::test_folder::TestFolder;

#[test]
fn a_mistaken_argument_gets_the_right_tip() {
    for (arguments, tip) in [
        (&["replay", "a.jsonl", "b.jsonl"][..], "it takes one file at a time"),
        (&["replay", "a.jsonl", "1"], "one match of the file is --match N"),
        (
            &["replay", "a.jsonl", "--round=1"],
            "--round needs --match N or --tournament-match N, to",
        ),
        (&["tournament", "-config", "x"], "did you mean --config?"),
        (&["tournament", "-config=x"], "did you mean --config?"),
        (&["python3 my_bot.py", "builtin:easy"], "did you mean mancala match, with two bots?"),
        (&["builtin:easy", "./bot"], "did you mean mancala match, with two bots?"),
    ] {
        mancala(arguments).run().failure(2, tip);
    }
}

#[test]
fn a_misspelt_option_gets_the_right_tip() {
    for (option, tip) in [
        ("--games=10", "a match is two rounds"),
        ("--level=hard", "builtin:average"),
        ("--seed=7", "builtin:easy --seed 7"),
        ("--timeout=1s", "--move-time"),
        ("--depth=4", "./my_bot --depth 4"),
        ("--rounds=10", "mancala tournament"),
        ("python3", "in quotes when it has blanks"),
        ("--rules=Kalah", "; did you mean kalah?"),
        ("--rules=mancala", "; did you mean mancala5000?"),
    ] {
        let outcome = mancala(["match", "./a", "./b", option]).run();
        outcome.failure(2, tip);
    }
    // What solves plays nothing.
    for (arguments, tip) in [
        (["solve", "1,2,3"], "a position to solve is --opening"),
        (["solve", "--board=1,2"], "a position to start from is --opening"),
    ] {
        mancala(arguments).run().failure(2, tip);
    }
    for option in ["--sort", "--sort-by=points"] {
        let outcome = mancala(["standings", "file", option]).run();
        outcome.failure(2, "rows are in the order of --rank-by points, seeds or rating");
    }
    for arguments in [
        ["solve", "--depth=4"],
        ["solve", "--seed=4"],
        ["openings", "--time=2s"],
        ["openings", "--board=1"],
        ["analyse", "--depth=4"],
    ] {
        let outcome = mancala(arguments).run();
        assert!(!outcome.stderr.contains("bot") && !outcome.stderr.contains("--move-time"));
        let option = arguments[1].split('=').next().expect("an option");
        outcome.failure(2, &format!("unexpected argument '{option}' found"));
    }
    for (arguments, option) in [
        (["tournament", "--disqualify=3"], "'--disqualify-after'"),
        (["standings", "--rank=points"], "'--rank-by'"),
        (["report", "--anon"], "'--anonymous'"),
    ] {
        mancala(arguments).run().failure(2, option);
    }
    // A tip names only what the subcommand has.
    let file = "a.jsonl";
    for (arguments, tip) in [
        (&["standings", "-o", "x", file][..], None),
        (&["report", "--json", file], None),
        (&["report", "--count=3", file], None),
        (&["standings", "--timeout=3s", file], None),
        (&["standings", "--seed=3", file], None),
        (&["match", "./a", "./b", "-o", "x"], Some("; --record FILE keeps the match; see")),
        (&["match", "./a", "./b", "--csv"], Some("--format table, json, markdown or csv; see")),
        (&["replay", "--csv", file], Some("; the format is --format table, json or csv; see")),
    ] {
        let outcome = mancala(arguments.iter().copied()).run();
        let words = outcome.stderr.split("' found").nth(1).unwrap_or_default();
        let has_tip = words.starts_with("; ") && !words.starts_with("; see");
        assert!(has_tip == tip.is_some() || words.contains("similar"), "{}", outcome.stderr);
        for option in ["--record", "--format", "--move-time", "--seeds", "--rounds"] {
            let expected = tip.is_some_and(|tip| tip.contains(option));
            assert_eq!(words.contains(option), expected, "{}", outcome.stderr);
        }
        outcome.failure(2, tip.unwrap_or("unexpected argument"));
    }
    for (arguments, tip) in [
        (&["check", "./a", "./b"][..], "found; check tries one bot at a time"),
        (&["match", "--direction"], "none was supplied; expected forward, backward or either; see"),
        (&["standings", "--sprt"], "none was supplied; elo0 is missing; expected elo0=N,elo1=N"),
        (&["match", "--move-time"], "none was supplied; expected a time with its unit, such as"),
        (&["standings", "--columns"], "none was supplied; there are rank, rank_low, rank_high"),
        (
            &["openings"],
            "<SUITE>; expected standard, random:PLIES, fairkalah or file:PATH; or fair",
        ),
        (&["check"], "<BOT>; see mancala check --help"),
        (&["match", "--env"], "none was supplied; see mancala match --help"),
        (&["match", "./a"], "<BOT>; a match needs two bots; builtin:easy is one; see"),
        (&["sprt", "./a", "./b"], "'sprt'; a test of two bots is mancala tournament --sprt"),
        (&["gauntlet"], "mancala tournament --gauntlet"),
        (&["elo", file], "mancala standings FILE"),
        (&["view", file], "mancala replay FILE"),
        (&["export", file], "mancala replay FILE --format csv has a row"),
        (&["grade", file], "'grade'; a result for a gradebook is mancala check"),
        (&["merge", file], "mancala standings FILE…"),
        (&["run", "./a"], "bots play in mancala match"),
        // Neither a hidden subcommand nor what has other letters is meant.
        (&["wardem"], "'wardem'; see mancala --help"),
        (&["replay", "--helmet", file], "'--helmet' found; see mancala replay --help"),
        (&["play", "builtin:easy"], "found; the bot to play against is --against builtin:easy"),
        (&["replay", "--won=a", file], "the matches that a bot lost are --lost BOT"),
        (&["standings", "--elo", file], "ratings are among the columns already"),
        (&["match", "./a", "./b", "--sprt=1"], "mancala tournament --sprt elo0=0,elo1=10"),
    ] {
        mancala(arguments.iter().copied()).run().failure(2, tip);
    }
    // What is no guess at something else is helped by its letters.
    mancala(["match", "./a", "./b", "--movetime=1s"]).run().failure(2, "'--move-time'");
}

#[test]
fn folders_of_submissions_are_for_a_configuration() {
    let folder = TestFolder::new();
    let bots = ["sub/ann", "sub/ben"];
    for bot in bots {
        std::fs::create_dir_all(folder.file(bot)).unwrap();
    }
    // Without a slash they might be programs of the PATH.
    let place = folder.path();
    for (bots, from) in [(bots, place.to_owned()), (["ann", "ben"], place.join("sub"))] {
        let refused = mancala(["tournament"]).args(bots).in_folder(from).run();
        let words = "it is a folder, not a program; for a folder of submissions give --config";
        refused.failure(1, words);
    }
    let alone = mancala(["tournament", "sub/"]).in_folder(place).run();
    alone.failure(2, "sub/ is a folder, not a bot; for a folder of submissions give --config");
}

#[test]
fn names_that_look_alike_are_refused() {
    let alike = ["cope=builtin:easy", "\u{441}\u{43e}\u{440}\u{435}=builtin:easy"];
    mancala(["match"]).args(alike).run().failure(2, "look alike");
    for (name, code, words) in [
        ("\u{34f}", 2, "name"),
        ("\u{3164}", 2, "name"),
        ("gr\u{435}edy", 2, "name"),
        (" ", 1, "=builtin:easy: not found on the PATH"),
    ] {
        let bot = format!("{name}=builtin:easy");
        mancala(["match", &bot, "builtin:hard"]).run().failure(code, words);
    }
}

#[test]
fn a_misspelt_level_gets_the_builtin_bot_as_a_tip() {
    for (bot, level) in [("expert", "expert"), ("Easy", "easy"), ("avarage", "average")] {
        let tip = format!("{bot}: not found on the PATH; did you mean builtin:{level}?");
        mancala(["match", bot, "builtin:random"]).run().failure(1, &tip);
    }
    let outcome = mancala(["match", "no-such-program", "builtin:random"]).run();
    outcome.failure(1, "is it installed, and spelt right?");
}

#[test]
fn a_missing_script_is_an_error_and_not_a_forfeit() {
    if !requirements::are_there("python3", "a script that is not there") {
        return;
    }
    let outcome = mancala(["match", "python3 no/such/bot.py", "builtin:easy"]).run();
    outcome
        .failure(1, "cannot start bot \"bot\": python3 cannot find no/such/bot.py; give its path");
}

#[test]
fn a_forfeit_is_followed_by_commands_that_work() {
    let folder = TestFolder::new();
    let bots = [format!("wordy={}", folder.bot("words")), folder.bot("sound")];
    let logs = folder.file("logs");
    let outcome = mancala(["match", "--rules=kalah", "--log", &logs]).args(bots).run().code(0);
    let outcome =
        outcome.says("To find out what is wrong with wordy:\n  mancala check --rules kalah ");
    let outcome = outcome.says(", its legal houses 0, 1, 2, 3, 4, 5\n");
    let line = outcome.stderr.lines().find_map(|line| line.strip_prefix("  mancala "));
    let words = shell_words::split(line.expect("a line to paste")).expect("it is quoted");
    mancala(words).run().success().says("The same kind of fault again.");
}

#[test]
fn completions_and_manual_pages_cover_every_command() {
    for (shell, sign) in
        [("bash", "_mancala"), ("zsh", "#compdef mancala"), ("fish", "complete -c")]
    {
        let outcome = mancala(["completions", shell]).run().success();
        assert!(outcome.stdout.contains(sign), "{shell}");
        assert!(outcome.stdout.contains("move-time"), "{shell}");
        assert!(!outcome.stdout.contains("warden"), "{shell}");
    }
    mancala(["completions", "cmd"]).run().failure(2, "bash");
    mancala(["man"])
        .run()
        .success()
        .says(".TH mancala")
        .says("mancala\\-match")
        .says("\n.SH EXAMPLES\n");
    for command in ["match", "play", "check", "rules", "replay", "reproduce", "bot"] {
        let page = mancala(["man", command]).run().success();
        page.says(&format!(".TH mancala-{command}")).says("\n.SH EXAMPLES\n");
    }
    for (command, usage) in
        [("match", "[OPTIONS] <BOT> <BOT>"), ("tournament", "[OPTIONS] [BOT]...")]
    {
        let page = mancala(["man", command]).run().success();
        page.says(&format!(".SH SYNOPSIS\nmancala {command} {usage}\n.SH DESCRIPTION\n"));
    }
    mancala(["man", "warden"]).run().failure(2, "there are match, ");
}
