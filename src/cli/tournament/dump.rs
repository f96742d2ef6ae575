//! A plan as a configuration that reads back to the same plan.

use std::fmt::Write as _;

use crate::contest::{Pairings, Plan, PlannedBot};
use crate::tournament::{MatchOption, OptionValue};

/// The configuration of this plan, whose matches are played by these options. Its paths are relative
/// to `folder`, where that is another one than this.
pub(super) fn config_of(plan: &Plan, options: &[MatchOption], folder: Option<&str>) -> String {
    let mut text = String::new();
    let mut line = |key: &str, value: String| text += &format!("{key} = {value}\n");
    if let Some(name) = &plan.name {
        line("name", quoted(name));
    }
    if let Some(folder) = folder {
        line("dir", quoted(folder));
    }
    line("format", quoted(plan.pairings.as_str()));
    if let Pairings::Gauntlet { first } = plan.pairings {
        line("gauntlet", first.to_string());
    }
    line("openings", quoted(&plan.openings.to_string()));
    line("count", plan.count.to_string());
    line("repeat", plan.repeat.to_string());
    line("seed", plan.seed.to_string());
    if let Some(faults) = plan.disqualify_after {
        line("disqualify_after", faults.to_string());
    }
    if let Some(reuse) = plan.reuse_bots {
        line("reuse_bots", "true".to_owned());
        if let Some(matches) = reuse.restart_after {
            line("restart_after", matches.to_string());
        }
    }
    for (key, is_set) in [("anonymous", plan.anonymous), ("check", plan.check)] {
        if is_set {
            text += &format!("{key} = true\n");
        }
    }
    if let Some(sprt) = &plan.sprt {
        text += &format!("sprt = {}\n", quoted(sprt));
    }
    if !options.is_empty() {
        text += "\n[match]\n";
        for option in options {
            let _ = writeln!(text, "{} = {}", option.key, value(&option.value));
        }
    }
    for bot in &plan.bots {
        text += "\n[[bot]]\n";
        write_bot(&mut text, bot);
    }
    text
}

fn write_bot(text: &mut String, bot: &PlannedBot) {
    let mut line = |key: &str, value: String| *text += &format!("{key} = {value}\n");
    line("name", quoted(&bot.name));
    line("command", quoted(&shell_words::join(&bot.command)));
    if let Some(folder) = &bot.folder {
        line("dir", quoted(&folder.to_string_lossy()));
    }
    if !bot.environment.is_empty() {
        let variables = bot.environment.iter();
        let variables: Vec<String> = variables
            .map(|(name, value)| format!("{} = {}", quoted(name), quoted(value)))
            .collect();
        line("env", format!("{{ {} }}", variables.join(", ")));
    }
    if !bot.build.is_empty() {
        line("build", quoted(&shell_words::join(&bot.build)));
    }
}

fn value(value: &OptionValue) -> String {
    match value {
        OptionValue::Switch(switch) => switch.to_string(),
        OptionValue::Texts(texts) if texts.len() == 1 => quoted(&texts[0]),
        OptionValue::Texts(texts) => {
            let texts: Vec<String> = texts.iter().map(|text| quoted(text)).collect();
            format!("[{}]", texts.join(", "))
        }
    }
}

/// A text as TOML has it, with whatever acts on a terminal escaped.
fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            _ if crate::text::is_unprintable(character) => {
                let _ = write!(quoted, "\\U{:08x}", u32::from(character));
            }
            _ => quoted.push(character),
        }
    }
    quoted + "\""
}
