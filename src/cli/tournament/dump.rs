//! A plan as a configuration that reads back to the same plan.

use toml::Spanned;

use crate::contest::{Pairings, Plan, PlannedBot};
use crate::tournament::{Config, ConfigBots, MatchOption, MatchOptions, VariableName, WholeNumber};

/// The configuration of this plan, whose matches are played by these options. Its paths are relative
/// to `folder`, where that is another one than this.
pub(super) fn config_of(plan: &Plan, options: &[MatchOption], folder: Option<&str>) -> String {
    let restart_after = plan.reuse_bots.and_then(|reuse| reuse.restart_after);
    let config = Config {
        name: plan.name.clone(),
        dir: folder.map(text),
        format: Some(text(plan.pairings.as_str())),
        gauntlet: match plan.pairings {
            Pairings::Gauntlet { first } => Some(Spanned::new(0..0, WholeNumber(first as u64))),
            Pairings::RoundRobin | Pairings::Swiss => None,
        },
        openings: Some(text(&plan.openings.to_string())),
        count: Some(Spanned::new(0..0, WholeNumber(plan.count))),
        repeat: Some(WholeNumber(plan.repeat)),
        seed: Some(WholeNumber(plan.seed)),
        disqualify_after: plan.disqualify_after.map(|faults| WholeNumber(faults.into())),
        reuse_bots: plan.reuse_bots.map(|_| true),
        restart_after: restart_after.map(|matches| WholeNumber(matches.into())),
        anonymous: plan.anonymous.then_some(true),
        check: plan.check.then_some(true),
        sprt: plan.sprt.as_deref().map(text),
        match_options: MatchOptions(options.to_vec()),
        bot: plan.bots.iter().map(|bot| Spanned::new(0..0, config_of_bot(bot))).collect(),
        bots: Vec::new(),
    };
    config.to_toml()
}

fn config_of_bot(bot: &PlannedBot) -> ConfigBots {
    let variables = bot.environment.iter();
    ConfigBots {
        glob: None,
        name: Some(text(&bot.name)),
        command: text(&shell_words::join(&bot.command)),
        dir: bot.folder.as_ref().map(|folder| text(&folder.to_string_lossy())),
        env: variables.map(|(name, value)| (VariableName(name.clone()), value.clone())).collect(),
        build: Some(&bot.build)
            .filter(|words| !words.is_empty())
            .map(|words| text(&shell_words::join(words))),
    }
}

fn text(text: &str) -> Spanned<String> {
    Spanned::new(0..0, text.to_owned())
}
