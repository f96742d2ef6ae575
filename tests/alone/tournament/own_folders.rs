//! Bots with a working folder of their own, in the sandbox: where their programs are looked for.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use super::contest::{Contest, SOUND, for_each_user};
use crate::program::path;
use crate::requirements;
use crate::runner::{Test, tests};
use crate::tournaments::lines;

pub const TESTS: &[Test] = tests![
    a_file_of_a_programs_name_beside_the_configuration_opens_no_folder,
    a_program_that_several_bots_share_plays,
];

fn make_program(contest: &Contest, name: &str, text: &str) {
    contest.write(name, &format!("#!/bin/sh\n{text}"));
    fs::set_permissions(contest.file(name), fs::Permissions::from_mode(0o755)).unwrap();
}

/// Tells with each move what it reads of another bot.
const READER: &str = r#"
seen=$(cat ../ben/secret 2>/dev/null || echo nothing)
while read -r line; do
  case $line in
  '{"type":"turn"'*)
    legal=${line#*'"legal":['}
    echo "{\"move\":${legal%"${legal#?}"},\"info\":\"$seen\"}" ;;
  esac
done
"#;

fn a_file_of_a_programs_name_beside_the_configuration_opens_no_folder() {
    if !requirements::are_there("--sandbox", "programs beside the configuration") {
        return;
    }
    for command in ["./bot", "./{file}"] {
        let make = || {
            let contest = Contest::new(&format!(
                "[[bots]]\nglob = \"bots/*/bot\"\nname = \"{{folder}}\"\ndir = \"{{dir}}\"\n\
                 command = \"{command}\"\n"
            ));
            make_program(&contest, "bots/ann/bot", READER);
            make_program(&contest, "bots/ben/bot", SOUND);
            make_program(&contest, "bot", SOUND);
            contest.write("bots/ben/secret", "secret");
            contest
        };
        for_each_user(make, |contest| {
            let outcome = contest.play(&["--jobs=1", "--record=record.jsonl"]).code(0);
            let record = contest.read("record.jsonl");
            assert!(record.contains(r#""info":"nothing""#), "{command}: {outcome:#?} {record}");
            assert!(!record.contains("secret"), "{command}: {record}");
        });
    }
}

fn a_program_that_several_bots_share_plays() {
    if !requirements::are_there("--sandbox", "a program that several bots share") {
        return;
    }
    let command = "command = \"../../tool/eng p\"\n";
    let of_pattern = "[[bots]]\nglob = \"subs/*/p\"\nname = \"{folder}\"\ndir = \"{dir}\"\n";
    let bot = |name: &str| format!("[[bot]]\nname = \"{name}\"\ndir = \"subs/{name}\"\n{command}");
    for config in [
        format!("{of_pattern}{command}"),
        format!("{of_pattern}{command}files = [\"tool/eng\"]\n"),
        format!("match.sandbox = true\n{}{}", bot("ann"), bot("ben")),
    ] {
        let make = || {
            let contest = Contest::new(&config);
            contest.write("subs/ann/p", SOUND);
            contest.write("subs/ben/p", SOUND);
            make_program(&contest, "tool/eng", ". ./$1\n");
            contest
        };
        for_each_user(make, |contest| {
            let outcome = contest.play(&["--jobs=1", "--record=record.jsonl"]).code(0);
            let all = lines(&path(contest.file("record.jsonl")));
            let played = all.iter().find(|line| line["rounds"].is_array());
            let played = played.unwrap_or_else(|| panic!("{config}: {outcome:#?}"));
            for round in played["rounds"].as_array().unwrap() {
                assert_eq!(round["result"]["reason"], "completed", "{config}: {played:#}");
            }
        });
    }
}
