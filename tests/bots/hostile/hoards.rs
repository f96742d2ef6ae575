//! What makes a look at a bot take long: as much as its argument says, made before its first answer.

use std::fs::{self, File};

use crate::bombs::child;
use crate::bot::Bot;
use crate::tools::{LONGEST, leave, null, pause};

/// How many processes hold the descriptors.
const PROCESSES: u64 = 14;

fn number(bot: &Bot) -> u64 {
    bot.arguments.first().map_or(0, |number| number.parse().expect("a number"))
}

/// Folders with a file in each.
pub fn folders(bot: &Bot) {
    let own = std::env::temp_dir();
    for folder in 0..number(bot) {
        let folder = own.join(format!("hoard-{folder}"));
        fs::create_dir(&folder).and_then(|()| File::create(folder.join("file"))).expect("a file");
    }
}

/// Descriptors, in processes that sleep.
pub fn descriptors(bot: &Bot) {
    let each = number(bot) / PROCESSES;
    for _ in (0..PROCESSES).filter(|_| each > 0) {
        leave(&mut child("--hoard", each));
    }
}

/// One of these processes.
pub fn one_hoarder(descriptors: u64) {
    let held: Vec<File> = (0..descriptors).map(|_| null()).collect();
    pause(LONGEST);
    drop(held);
}
