//! What the sandbox holds each bot to, said on stderr before anything is played.

use std::io::{self, Write};
use std::path::PathBuf;

use crate::bot::in_common;
use crate::text::printable;

/// Says it of bots with these names, which may read and run these files and folders of their own.
pub(super) fn say_what_is_in_force(bots: &[(&str, &[PathBuf])]) {
    let mut words = String::from(
        "mancala: the sandbox is in force: no network, no other processes, writing only to a \
         temporary folder of the bot's own\n",
    );
    let shown = |path: &PathBuf| printable(&path.to_string_lossy());
    for (name, own) in bots {
        let own: Vec<String> = own.iter().map(shown).collect();
        let own = if own.is_empty() { "nothing of its own".to_owned() } else { own.join(", ") };
        words += &format!("mancala: {} reads the system's programs and {own}\n", printable(name));
    }
    if let [(_, one), (_, other)] = bots
        && let Some(common) = in_common(one, other)
    {
        let common = shown(common);
        words += &format!("mancala: both can read {common}; a folder for each keeps them apart\n");
    }
    // Where nobody reads that, the sandbox holds all the same.
    let _ = io::stderr().write_all(words.as_bytes());
}
