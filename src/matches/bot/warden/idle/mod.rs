//! A bot that is not asked is stopped, and what it uses meanwhile is counted.

pub(super) mod frozen;
pub(super) mod pondering;
pub(in crate::bot) mod stopped;

/// Held by tests that freeze a bot: this stops all processes below this one, and thawing it lets them
/// run, those of another test, too.
#[cfg(test)]
pub(super) static FREEZING: std::sync::Mutex<()> = std::sync::Mutex::new(());
