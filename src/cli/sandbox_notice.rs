//! What the sandbox holds each bot to, said on stderr before anything is played.

use std::io::{self, Write};
use std::path::PathBuf;

use crate::bot::ReadablePaths;
use crate::text::printable;

/// Says it of bots with these names, which may reach this beside what belongs to the system.
pub(super) fn print_sandbox_notice(bots: &[(&str, &ReadablePaths)]) {
    let mut words = String::from(
        "mancala: the sandbox is in force: no network, no other processes, writing only to a \
         temporary folder of the bot's own\n",
    );
    let shown = |path: &PathBuf| printable(&path.to_string_lossy());
    for (name, reach) in bots {
        let reach: Vec<String> = reach.all().map(shown).collect();
        let reach = if reach.is_empty() { "nothing else".to_owned() } else { reach.join(", ") };
        words += &format!("mancala: {} reads the system's programs and {reach}\n", printable(name));
    }
    for (name, reach) in bots {
        for path in &reach.exposed {
            let (name, path) = (printable(name), shown(path));
            words +=
                &format!("mancala: every bot can read {path}, of {name}: it is the system's\n");
        }
        if let Some(here) = &reach.closed {
            let (name, here) = (printable(name), shown(here));
            words += &format!(
                "mancala: {name} may not read the working folder {here}, which is everybody's; \
                 start it in a folder of its own, or add --allow-read '{here}'\n"
            );
        }
    }
    if let [(_, one), (_, other)] = bots {
        for common in one.in_common(other) {
            let common = shown(common);
            words +=
                &format!("mancala: both can read {common}; a folder for each keeps them apart\n");
        }
    }
    // Where nobody reads that, the sandbox holds all the same.
    let _ = io::stderr().write_all(words.as_bytes());
}
