//! An index of all bots' folders, so that nobody has to open one to learn whose it is.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::Path;

use super::document::Document;
use super::page::what_is_missing;
use super::{Contest, PAGE};
use crate::contest::PlannedBot;
use crate::report::{Column, InlineText, Table, percent, write_csv};
use crate::text::relative;
use crate::tournament::{INDEX_CSV, INDEX_MARKDOWN, LogFolders};

/// Its columns.
const HEADS: [&str; 7] = ["folder", "name", "points", "rank", "faults", "disqualified", "file"];

/// Writes the index into the folder that all bots' folders are in.
pub(super) fn write_index(contest: &Contest<'_>, folders: &LogFolders) -> io::Result<()> {
    let files = own_paths(&contest.plan.bots);
    let row = |(place, bot): (usize, &PlannedBot)| {
        let row = contest.standings.rows.iter().find(|row| row.name == bot.name);
        let folder = folders.of_bot(place).file_name().unwrap_or_default().to_string_lossy().into();
        let rank = row.and_then(|row| row.rank).map(|rank| rank.to_string()).unwrap_or_default();
        let points = row.map_or_else(|| "0".to_owned(), |row| row.points.to_string());
        let faults: u64 = row.map_or(0, |row| row.faults.values().sum());
        let why = row.and_then(|row| row.disqualified.as_deref()).unwrap_or_default();
        let why = relative(contest.folders, why);
        let file = relative(contest.folders, &files[place]);
        let texts = [folder, bot.name.clone(), points, rank, faults.to_string(), why, file];
        (texts, row.and_then(|row| row.share))
    };
    let mut bots: Vec<_> = contest.plan.bots.iter().enumerate().collect();
    // As in the table; those that are not in it come last.
    bots.sort_by_cached_key(|(_, bot)| {
        let place = contest.standings.rows.iter().position(|row| row.name == bot.name);
        place.unwrap_or(usize::MAX)
    });
    let rows: Vec<([String; 7], Option<f64>)> = bots.into_iter().map(row).collect();

    let page_of = |folder: &String| InlineText::Link {
        text: folder.clone(),
        file: format!("{folder}/{PAGE}"),
    };
    let column = |place: usize| match place {
        0 => Column::linked(HEADS[0], &rows, |([folder, ..], _)| vec![page_of(folder)]),
        2..=4 => Column::number(HEADS[place], &rows, |(texts, _)| &texts[place]),
        _ => Column::text(HEADS[place], &rows, |(texts, _)| &texts[place]),
    };
    // It is there only where shares of points rank, behind the columns that always are.
    let has_shares = rows.iter().any(|(_, share)| share.is_some());
    let table = |shown: fn(Option<f64>) -> String| {
        let share = Column::number("share", &rows, |(_, share)| shown(*share)).only_if(has_shares);
        Table::new((0..HEADS.len()).map(column).chain([share]))
    };
    let mut csv = Vec::new();
    write_csv(&mut csv, &table(|share| share.map(|it| format!("{it:.4}")).unwrap_or_default()))?;
    folders.write_in_root(INDEX_CSV, &csv)?;

    let mut page = Document::default();
    page.heading(1, contest.plan.name.as_deref().unwrap_or("Feedback"));
    if let Some(missing) = what_is_missing(contest) {
        page.paragraph(missing);
    }
    page.table(table(percent));
    folders.write_in_root(INDEX_MARKDOWN, page.markdown().as_bytes())
}

/// For each bot a path that was handed in with it: the first one that its build, its command or its
/// files have, and no other bot's. One with an ending goes before a folder or what a build makes. Empty
/// if there is none.
fn own_paths(bots: &[PlannedBot]) -> Vec<String> {
    fn paths(bot: &PlannedBot) -> impl Iterator<Item = String> {
        let folder = bot.folder.as_deref().and_then(|folder| folder.to_str());
        // Scripts that are all called alike are told apart by their folder.
        let is_inside = |word: &&String| {
            let path = Path::new(word);
            let is_relative = path.is_relative() && !path.starts_with("..");
            // No version of a program.
            let ending = path.extension().and_then(|ending| ending.to_str());
            let is_file = ending.is_some_and(|it| it.starts_with(|c: char| c.is_alphabetic()));
            is_relative && is_file && !word.starts_with('-')
        };
        // What follows is a module's name.
        let of_files = without_scripts(&bot.command).take_while(|word| *word != "-m");
        let scripts = of_files.filter(is_inside);
        let in_folder = scripts
            .filter_map(move |word| Some(format!("{}/{}", folder?, word.trim_start_matches("./"))));
        let build = without_scripts(&bot.build).cloned().chain(in_folder);
        let from_folder = move |word: &String| match (folder, word.strip_prefix("./")) {
            (Some(folder), Some(inside)) => format!("{folder}/{inside}"),
            _ => word.clone(),
        };
        let words = build.chain(without_scripts(&bot.command).map(from_folder));
        let all = words.chain(folder.map(str::to_owned)).chain(bot.files.clone());
        let is_path = |word: &String| word.contains('/') || Path::new(word).extension().is_some();
        all.filter(|word| !word.starts_with('-')).filter(is_path)
    }
    let mut names: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for bot in bots {
        for path in paths(bot) {
            // An earlier version of a bot is the same bot.
            names.entry(path).or_default().insert(bot.drawn_name());
        }
    }
    let own = |bot| {
        let own: Vec<String> = paths(bot).filter(|path| names[path].len() == 1).collect();
        let with_ending = own.iter().find(|path| Path::new(path).extension().is_some());
        with_ending.or(own.first()).cloned().unwrap_or_default()
    };
    bots.iter().map(own).collect()
}

/// The words of a command without a script for a shell, which holds paths among other things.
fn without_scripts(words: &[String]) -> impl Iterator<Item = &String> {
    let program = words.first().and_then(|word| Path::new(word).file_name()?.to_str());
    let is_shell = program.is_some_and(|program| ["sh", "bash", "dash", "zsh"].contains(&program));
    let is_option = |word: &String| word.starts_with('-') && !word.starts_with("--");
    let option = words.iter().position(|word| is_option(word) && word.contains('c'));
    let script = option.filter(|_| is_shell).map(|place| place + 1);
    words.iter().enumerate().filter(move |(place, _)| Some(*place) != script).map(|(_, word)| word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_of_a_bot_is_what_no_other_bot_has() {
        let bot = |name: &str, build: &str, command: &str, files: &[&str]| PlannedBot {
            name: name.to_owned(),
            build: shell_words::split(build).unwrap(),
            command: shell_words::split(command).unwrap(),
            files: files.iter().map(|file| (*file).to_owned()).collect(),
            ..PlannedBot::default()
        };
        let running = |command: &str, name, folder: &str| PlannedBot {
            folder: Some(folder.into()),
            ..bot(name, "", command, &[])
        };
        let in_folder = |name, folder| running("python3 bot.py", name, folder);
        let ben = bot("ben", "make -C sub/ben bot", "sub/ben/bot", &[]);
        let bots = [
            bot("ann-5a05", "cc -Ilib/x 'sub/ann lee/bot.c' lib/all.c -o out/ann", "out/ann", &[]),
            PlannedBot { name: "ben~1".into(), version_of: Some("ben".into()), ..ben.clone() },
            ben,
            bot("cem", "", "python3 lib/adapter.py cem.py", &[]),
            bot("dan", "", "python3 lib/adapter.py lib/all.c", &["sub/dan/**"]),
            bot("easy", "", "sh -c 'cd lib; exec x/y'", &[]),
            in_folder("fay", "sub/fay"),
            in_folder("gus", "sub/gus"),
            running("python3.11 bot.py", "hal", "sub/hal"),
            running("python3.11 bot.py", "hans", "sub/hans"),
            running("./run.py", "ida", "sub/ida"),
            running("python3 -m engine.main", "jan", "sub/jan"),
            running("python3 -m engine.main", "kim", "sub/kim"),
            bot("lea", "gcc -O1 -o out/lea sub/lea.c", "out/lea", &[]),
            bot("mia", "javac -d sub/mia sub/mia/Bot.java", "java -cp sub/mia Bot", &[]),
            running("./run", "nia", "sub/nia"),
            bot("ole", "gcc -c 'sub/a;$b c/bot.c' -o out/ole", "out/ole", &[]),
            bot("pia", "bash -ec 'cc sub/pia.c -o out/pia' sub/x.c", "out/pia", &[]),
        ];
        let expected = [
            "sub/ann lee/bot.c",
            "sub/ben",
            "sub/ben",
            "cem.py",
            "sub/dan/**",
            "",
            "sub/fay/bot.py",
            "sub/gus/bot.py",
            "sub/hal/bot.py",
            "sub/hans/bot.py",
            "sub/ida/run.py",
            "sub/jan",
            "sub/kim",
            "sub/lea.c",
            "sub/mia/Bot.java",
            "sub/nia/run",
            "sub/a;$b c/bot.c",
            "sub/x.c",
        ];
        assert_eq!(own_paths(&bots), expected);
    }
}
