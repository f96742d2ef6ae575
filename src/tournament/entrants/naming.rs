//! Names of the bots of a plan, each its own.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use glob::Pattern;

use super::Entrant;
use crate::bot::{BotCommand, CommandError, names_alike, names_apart};
use crate::contest::PlannedBot;
use crate::text::printable;
use crate::tournament::versions::names_file;

/// The bots of a plan, each with a name of its own.
#[derive(Debug, Default)]
pub struct NamedBots {
    /// In the order of the entrants.
    pub bots: Vec<PlannedBot>,
    /// By their names those that a pattern found, with the folder below which no link is followed.
    pub found: BTreeMap<String, Option<PathBuf>>,
    /// What was done about equal names, each with its place.
    pub remarks: Vec<String>,
}

/// Names bots. Those that patterns found and whose names look alike are named after their paths;
/// where that helps nothing they are left out.
///
/// # Errors
///
/// In words: when two others have the same name, or what patterns found cannot be told apart.
pub fn name_entrants(mut entrants: Vec<Entrant>, folder: &Path) -> Result<NamedBots, String> {
    tell_apart(&entrants)?;
    let remarks = rename_equal_names(&mut entrants);
    let commands = commands_of(&entrants);
    let names = names_apart(&commands).map_err(|error| {
        let CommandError::SameName(name) = &error else { return error.to_string() };
        let same = |entrant: &&Entrant| entrant.command.name() == *name;
        let mut places = entrants.iter().filter(same).filter_map(|it| it.place.as_deref());
        let Some(place) = places.next_back() else { return error.to_string() };
        let name = printable(name);
        format!("{place}two bots are named {name:?}; give one of them another name")
    })?;
    let mut found = BTreeMap::new();
    for (entrant, name) in entrants.iter().zip(&names) {
        if let Some((below, follows_links)) = &entrant.below {
            found.insert(name.clone(), (!follows_links).then(|| below.clone()));
        }
    }
    let bots = entrants.into_iter().zip(names).map(|(entrant, name)| {
        let Entrant { command, build, files, found, .. } = entrant;
        let mut bot = PlannedBot {
            name,
            command: command.words().to_vec(),
            folder: command.folder.clone(),
            environment: command.variables.iter().cloned().collect(),
            build,
            files,
            version_of: None,
        };
        // A configuration that names each bot has no other word of that file.
        bot.files.extend(
            found.filter(|file| !names_file(&bot, file, folder)).map(|file| Pattern::escape(&file)),
        );
        bot
    });
    Ok(NamedBots { bots: bots.collect(), found, remarks })
}

/// An error if patterns found a file twice under one name, or two files that would run the same
/// program: nobody knows whose it is.
fn tell_apart(entrants: &[Entrant]) -> Result<(), String> {
    let mut names = BTreeMap::new();
    let mut programs = BTreeMap::new();
    for entrant in entrants {
        let Entrant { command, of_file: Some(file), place, .. } = entrant else { continue };
        let place = place.as_deref().unwrap_or_default();
        let name = command.name();
        if names.insert((name.clone(), file), ()).is_some() {
            let name = printable(&name);
            return Err(format!(
                "{place}{file} is found twice and named {name:?} both times; give one another name"
            ));
        }
        let program = (command.words(), &command.folder, &command.variables);
        if let Some(other) = programs.insert(program, file).filter(|other| *other != file) {
            let command = printable(&shell_words::join(command.words()));
            return Err(format!(
                "{place}{other} and {file} would both run `{command}`; make command of more, such as \
                 {{path}}"
            ));
        }
    }
    Ok(())
}

fn commands_of(entrants: &[Entrant]) -> Vec<BotCommand> {
    entrants.iter().map(|entrant| entrant.command.clone()).collect()
}

/// See [`name_entrants`]. Returns what was done, in words.
fn rename_equal_names(entrants: &mut Vec<Entrant>) -> Vec<String> {
    let mut files: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
    let mut remarks = Vec::new();
    let alike = names_alike(&commands_of(entrants));
    for (entrant, is_alike) in entrants.iter_mut().zip(alike) {
        if let (true, Some(file)) = (is_alike, entrant.of_file.clone()) {
            let place = entrant.place.clone().unwrap_or_default();
            let name = entrant.command.name();
            if entrant.name_after_path() {
                files.entry((place, name)).or_default().push(file);
            }
        }
    }
    for ((place, name), files) in files {
        let play = if files.len() == 1 { "it plays" } else { "each plays" };
        let files = files.join(", ");
        remarks.push(format!(
            "{place}{files}: another bot has the name {:?}, too, or one that looks like it; {play} \
             under its path; make name of more than {{stem}}",
            printable(&name)
        ));
    }
    let mut alike = names_alike(&commands_of(entrants)).into_iter();
    entrants.retain(|entrant| {
        let is_alike = alike.next().unwrap_or_default();
        let Some(file) = entrant.of_file.as_ref().filter(|_| is_alike) else { return true };
        let place = entrant.place.as_deref().unwrap_or_default();
        let name = entrant.command.name();
        let name = printable(&name);
        remarks.push(format!(
            "{place}{file}: another bot's name looks like {name:?}; this file is left out"
        ));
        false
    });
    remarks
}
