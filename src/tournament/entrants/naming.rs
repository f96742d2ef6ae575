//! Names of the bots of a plan, each its own.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use glob::Pattern;

use super::{Entrant, HandedIn};
use crate::bot::{
    BotCommand, CommandError, name_of_path, names_alike, shortened_name, unique_names,
};
use crate::contest::PlannedBot;
use crate::text::printable;
use crate::tournament::versions::version_files::names_file;

/// The bots of a plan, each with a name of its own.
#[derive(Debug, Default)]
pub(crate) struct NamedBots {
    /// In the order of the entrants.
    pub bots: Vec<PlannedBot>,
    /// By their names those that a pattern found, with what was handed in if no link is followed there.
    pub found: BTreeMap<String, Option<PathBuf>>,
    /// What was done about names that are none, and equal ones, each with its place.
    pub remarks: Vec<String>,
}

/// Names bots. Those that patterns found and whose names look alike are named after their paths;
/// where that helps nothing they are left out.
///
/// # Errors
///
/// In words: when two others have the same name, or what patterns found cannot be told apart.
pub(crate) fn name_entrants(
    mut entrants: Vec<Entrant>,
    folder: &Path,
) -> Result<NamedBots, String> {
    let mut remarks: Vec<String> = entrants.iter().filter_map(|it| it.renamed.clone()).collect();
    remarks.extend(leave_out_same_programs(&mut entrants)?);
    remarks.extend(rename_equal_names(&mut entrants));
    let commands = commands_of(&entrants);
    let names = unique_names(&commands).map_err(|error| {
        let CommandError::SameName(name) = &error else { return error.to_string() };
        let same = |entrant: &&Entrant| entrant.command.name() == *name;
        let mut places = entrants.iter().filter(same).filter_map(|it| it.place.as_deref());
        let Some(place) = places.next_back() else { return error.to_string() };
        let name = printable(name);
        format!("{place}two bots are named {name:?}; give one of them another name")
    })?;
    let mut found = BTreeMap::new();
    for (entrant, name) in entrants.iter().zip(&names) {
        if let Some(file) = &entrant.found {
            found.insert(name.clone(), (!file.follows_links).then(|| file.handed_in()));
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
            found
                .map(|found| found.file.path().to_owned())
                .filter(|file| !names_file(&bot, file, folder))
                .map(|file| Pattern::escape(&file)),
        );
        bot
    });
    Ok(NamedBots { bots: bots.collect(), found, remarks })
}

/// Leaves out files that would run the same program as another one that was handed in with them.
/// Returns what was done, in words.
///
/// # Errors
///
/// If patterns found a file twice under one name, or two files that would run the same program and
/// were not handed in together: nobody knows whose it is.
fn leave_out_same_programs(entrants: &mut Vec<Entrant>) -> Result<Vec<String>, String> {
    let mut names = BTreeSet::new();
    let mut programs: BTreeMap<_, HandedIn> = BTreeMap::new();
    let mut remarks = Vec::new();
    let mut is_kept = Vec::new();
    for entrant in &*entrants {
        is_kept.push(true);
        let Entrant { command, outputs, found: Some(found), place, .. } = entrant else { continue };
        let place = place.as_deref().unwrap_or_default();
        let (name, file) = (command.name(), found.shown());
        if !names.insert((name.clone(), file.clone())) {
            let name = printable(&name);
            return Err(format!(
                "{place}{file} is found twice and named {name:?} both times; give one another name"
            ));
        }
        let words = command.words();
        let program = if outputs.is_empty() {
            (words.to_vec(), command.folder.clone(), command.variables.clone())
        } else {
            // With whatever other words it is run.
            ([&words[..1], outputs].concat(), command.folder.clone(), Vec::new())
        };
        let Some(other) = programs.get(&program) else {
            programs.insert(program, found.clone());
            continue;
        };
        if other.file == found.file {
            continue;
        }
        let command = printable(&shell_words::join(words));
        let other_file = other.shown();
        if other.own() != found.own() {
            return Err(format!(
                "{place}{other_file} and {file} would both run `{command}`; make command of more, \
                 such as {{path}}"
            ));
        }
        remarks.push(format!(
            "{place}{file} would run `{command}` as {other_file} does; this file is left out"
        ));
        is_kept.pop();
        is_kept.push(false);
    }
    let mut is_kept = is_kept.into_iter();
    entrants.retain(|_| is_kept.next().unwrap_or(true));
    Ok(remarks)
}

fn commands_of(entrants: &[Entrant]) -> Vec<BotCommand> {
    entrants.iter().map(|entrant| entrant.command.clone()).collect()
}

/// How often a bot is given another name, until none looks like it.
const MOST_NAMES: usize = 5;

/// See [`name_entrants`]. Returns what was done, in words.
fn rename_equal_names(entrants: &mut Vec<Entrant>) -> Vec<String> {
    let mut files: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
    // How often each was renamed.
    let mut times = vec![0; entrants.len()];
    for _ in 0..MOST_NAMES {
        let alike = names_alike(&commands_of(entrants));
        for ((entrant, times), is_alike) in entrants.iter_mut().zip(&mut times).zip(alike) {
            let Some(file) = entrant.found.as_ref().filter(|_| is_alike).map(HandedIn::shown)
            else {
                continue;
            };
            if *times == 0 {
                let place = entrant.place.clone().unwrap_or_default();
                files.entry((place, entrant.command.name())).or_default().push(file);
            }
            entrant.name_after_path(*times);
            *times += 1;
        }
    }
    let mut remarks = Vec::new();
    for ((place, name), files) in files {
        let play = if files.len() == 1 { "it plays" } else { "each plays" };
        let files = files.join(", ");
        remarks.push(format!(
            "{place}{files}: another bot has the name {:?}, too, or one that looks like it; {play} \
             under its path; let glob match one file of each bot, or make name of more, such as \
             {{path}}",
            printable(&name)
        ));
    }
    let mut alike = names_alike(&commands_of(entrants)).into_iter();
    entrants.retain(|entrant| {
        let is_alike = alike.next().unwrap_or_default();
        let Some(found) = entrant.found.as_ref().filter(|_| is_alike) else { return true };
        let file = found.shown();
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

impl Entrant {
    /// Names it after its file's path, in another way each `time`, from 0.
    fn name_after_path(&mut self, time: usize) {
        let Some(found) = &self.found else { return };
        let path = found.inner().to_string_lossy();
        let name = match time {
            0 => name_of_path(&path),
            // Paths may look alike, too: digits made from their bytes do not.
            1 => shortened_name(&path),
            // Another bot's folder may have that very name.
            _ => shortened_name(&format!("{path}{time}")),
        };
        let BotCommand { folder, variables, .. } = &self.command;
        if let Ok(command) = BotCommand::new(Some(name), self.command.words().to_vec()) {
            self.command = command.in_place(folder.clone(), variables.clone());
        }
    }
}
