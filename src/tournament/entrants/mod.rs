//! Who plays: the bots of a configuration and of the command line, named apart.

mod naming;
mod other_paths;
mod without_files;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use glob::Pattern;
use toml::Spanned;

pub(crate) use self::naming::{NamedBots, name_entrants};
use self::other_paths::{path_of_another, taken_names};
use self::without_files::folders_without_files;
pub(crate) use self::without_files::unmatched_files;
use super::config::{Config, ConfigBots, ConfigError, ConfigSource};
use super::file_search::{NoFiles, WantedFiles, check_pattern, find_files, folder_of_pattern};
use super::inline_scripts::refuse_placeholders_in_scripts;
use super::placeholders::{FoundFile, placeholder_in, refuse_placeholders};
use crate::bot::{BotCommand, CommandError, is_source, shortened_name, words_of_a_shell};
use crate::text::printable;
use crate::tournament::versions::version_files::is_of_system;

/// The bots of a configuration.
#[derive(Default)]
pub(crate) struct ConfigEntrants {
    /// Those that may play.
    pub entrants: Vec<Entrant>,
    /// Why files that a pattern found play no part.
    pub left_out: Vec<ConfigError>,
    /// The patterns that found no file.
    pub without_files: Vec<ConfigError>,
    /// In which folders that were handed in no pattern found a file, in words.
    pub folders_without_files: Vec<String>,
}

/// The bots of a configuration, whose paths are relative to `folder`. Files play no part if a
/// command cannot name them, or if `follows_links` is false, as in the sandbox, and they are links or
/// would name other paths than their own.
///
/// # Errors
///
/// The first mistake, with its place.
pub(crate) fn bots_of_config(
    config: &Config,
    source: &ConfigSource,
    folder: &Path,
    follows_links: bool,
) -> Result<ConfigEntrants, ConfigError> {
    let mut found = ConfigEntrants::default();
    let ConfigEntrants { entrants, left_out, without_files, .. } = &mut found;
    let all = config.bots_in_order();
    let texts = || {
        all.iter().flat_map(|bots| {
            let bots = bots.get_ref();
            bots.build.iter().chain([&bots.command]).map(Spanned::get_ref)
        })
    };
    let taken = taken_names(texts());
    let patterns = all.iter().filter_map(|bots| bots.get_ref().glob.as_ref());
    let patterns: Vec<&str> = patterns.map(|pattern| pattern.get_ref().as_str()).collect();
    let texts: Vec<&str> = texts().map(String::as_str).collect();
    let folders_without_files = folders_without_files(&patterns, &texts, folder);
    for bots in all {
        let Some(pattern) = &bots.get_ref().glob else {
            entrants.push(entrant(bots, source, (folder, &taken), None)?.map_err(|(why, _)| why)?);
            continue;
        };
        let error = |why: NoFiles| source.error(&pattern.span(), why.to_string());
        let files = match find_files(pattern.get_ref(), folder, WantedFiles::Bots { follows_links })
        {
            Ok(files) => files,
            Err(why @ NoFiles::NoMatch(_)) => {
                without_files.push(error(why));
                continue;
            }
            Err(why @ NoFiles::Impossible(_)) => return Err(error(why)),
        };
        let below = folder_of_pattern(pattern.get_ref(), folder);
        let mut others: BTreeMap<String, PathBuf> = BTreeMap::new();
        for file in files {
            let file = file.and_then(|file| {
                if follows_links { Ok(file) } else { file.without_separators(&below) }
            });
            let found = file.map(|file| HandedIn { file, below: below.clone(), follows_links });
            match found {
                Ok(found) => {
                    let own = found.own().to_owned();
                    match entrant(bots, source, (folder, &taken), Some(found))? {
                        Ok(entrant) => entrants.push(entrant),
                        Err((why, other)) => {
                            let before = other.and_then(|it| others.insert(it, own.clone()));
                            // It is the configuration's mistake if several files have that name.
                            if before.is_some_and(|it| it != own) {
                                return Err(why);
                            }
                            left_out.push(why);
                        }
                    }
                }
                Err(why) => left_out.push(source.error(&pattern.span(), why)),
            }
        }
    }
    found.folders_without_files = folders_without_files;
    Ok(found)
}

/// A bot that is to play.
pub(crate) struct Entrant {
    command: BotCommand,
    build: Vec<String>,
    /// Words of its command that its build has, too, and that its file's name is filled in.
    outputs: Vec<String>,
    /// Patterns of files that are part of its version.
    files: Vec<String>,
    found: Option<HandedIn>,
    /// Where its name stands in the configuration, with a colon behind it.
    place: Option<String>,
    /// That it has another name than the configuration makes, if so, in words.
    renamed: Option<String>,
}

/// A file that a pattern found, as it was handed in.
#[derive(Clone)]
struct HandedIn {
    file: FoundFile,
    /// The folder below which it was found.
    below: PathBuf,
    follows_links: bool,
}

impl HandedIn {
    /// Its path, fit to be shown.
    fn shown(&self) -> String {
        printable(self.file.path())
    }

    /// Its path in the folder below which it was found.
    fn inner(&self) -> &Path {
        let path = Path::new(self.file.path());
        path.strip_prefix(&self.below).unwrap_or(path)
    }

    /// The file's folder, where it is not that of all files; else the file itself.
    fn own(&self) -> &Path {
        let path = Path::new(self.file.path());
        match (self.inner().components().count(), path.parent()) {
            (2.., Some(folder)) => folder,
            _ => path,
        }
    }

    /// What was handed in with it, as far as that shows: what stands first in that folder.
    fn handed_in(&self) -> PathBuf {
        self.inner().components().take(1).fold(self.below.clone(), |path, part| path.join(part))
    }
}

impl Entrant {
    /// A bot as the command line names it. Its words are relative to `folder`, where that is not
    /// the plan's own folder.
    ///
    /// # Errors
    ///
    /// In words, when it is the configuration that the user meant.
    pub(crate) fn of_argument(
        command: BotCommand,
        folder: Option<&Path>,
    ) -> Result<Entrant, String> {
        if let [word] = command.words()
            && let Some(ending) = Path::new(word).extension()
            && ending.eq_ignore_ascii_case("toml")
        {
            let file = printable(word);
            return Err(format!("{file} is a config, not a bot; write --config {file}"));
        }
        let command = command.in_place(folder.map(Path::to_owned), Vec::new());
        let (build, outputs, files) = (Vec::new(), Vec::new(), Vec::new());
        Ok(Entrant { command, build, outputs, files, found: None, place: None, renamed: None })
    }
}

/// Why a file plays no part, and the path for which its name would stand, which is not its own, if
/// that is why.
type LeftOut = (ConfigError, Option<String>);

/// A bot of the configuration. The inner error is about its file alone.
fn entrant(
    bots: &Spanned<ConfigBots>,
    source: &ConfigSource,
    (folder, taken): (&Path, &BTreeSet<String>),
    found: Option<HandedIn>,
) -> Result<Result<Entrant, LeftOut>, ConfigError> {
    let (place, bots) = (bots.span(), bots.get_ref());
    let file = found.as_ref().map(|found| &found.file);
    let filled_in = |text: &str| match file {
        Some(file) => file.fill(text),
        None => refuse_placeholders(text).map(|()| text.to_owned()),
    };
    let wrong = |text: &Spanned<String>, why: String| source.error(&text.span(), why);
    let filled = |text: &Spanned<String>| filled_in(text.get_ref()).map_err(|why| wrong(text, why));
    // Words are split first, so that a blank in a file's name splits none.
    let words = |text: &Spanned<String>| {
        let words = split_words(text.get_ref()).map_err(|why| wrong(text, why))?;
        if file.is_some() {
            refuse_placeholders_in_scripts(&words).map_err(|why| wrong(text, why))?;
        }
        let filled = |word: &String| match file {
            Some(file) => file.fill_word(word),
            None => filled_in(word),
        };
        let filled = words.iter().map(filled).collect::<Result<Vec<_>, _>>();
        filled.map_err(|why| wrong(text, why))
    };
    let parts_refused = |text: &&Spanned<String>| {
        let words = shell_words::split(text.get_ref()).unwrap_or_default();
        words.iter().find_map(|word| file?.refuse_more_parts(word).err())
    };
    let mut commands = bots.build.iter().chain([&bots.command]);
    if let Some(why) = commands.find_map(|text| Some(wrong(text, parts_refused(&text)?))) {
        return Ok(Err((why, None)));
    }
    let name = bots.name.as_ref().map(filled).transpose()?;
    let build = bots.build.as_ref().map(words).transpose()?.unwrap_or_default();
    if let Some(text) = bots.build.as_ref().filter(|_| build.iter().all(String::is_empty)) {
        return Err(wrong(text, "the build is empty; leave the key out".to_owned()));
    }
    let own_folder = bots.dir.as_ref().map(filled).transpose()?;
    let of = found.as_ref().map(|found| format!("{}: ", found.shown())).unwrap_or_default();
    // A build may make it.
    if let (Some(text), Some(own), true) = (&bots.dir, &own_folder, build.is_empty())
        && !folder.join(own).is_dir()
    {
        let none = |of: &str| wrong(text, format!("{of}there is no folder {}", printable(own)));
        // One that is the same for all files is the configuration's mistake.
        let is_own = placeholder_in(text.get_ref()).is_some();
        return if is_own { Ok(Err((none(&of), None))) } else { Err(none("")) };
    }
    let variable = |(name, value): (&Spanned<String>, &String)| {
        if name.get_ref().is_empty() || name.get_ref().contains(['=', '\0']) {
            return Err(wrong(name, format!("{:?} cannot be a variable's name", name.get_ref())));
        }
        // Braces in a value are often the bot's own: `{message}`.
        let is_own = file.is_none() && placeholder_in(value).is_none();
        let value = if is_own { Ok(value.clone()) } else { filled_in(value) };
        Ok((name.get_ref().clone(), value.map_err(|why| wrong(name, why))?))
    };
    let variables = bots.env.iter().map(variable).collect::<Result<Vec<_>, _>>()?;
    let pattern = |text: &Spanned<String>| {
        let Some(file) = file else {
            let pattern = filled(text)?;
            find_files(&pattern, folder, WantedFiles::PartsOfBot)
                .map_err(|why| wrong(text, why.to_string()))?;
            return Ok(pattern);
        };
        // What one of many bots lacks stops nobody else.
        let pattern = file.fill_pattern(text.get_ref()).map_err(|why| wrong(text, why))?;
        check_pattern(&pattern).map_err(|why| wrong(text, why))?;
        Ok(pattern)
    };
    let mut files = bots.files.iter().map(pattern).collect::<Result<Vec<_>, ConfigError>>()?;
    let named = bots.name.as_ref().map_or(place, Spanned::span);
    let about_file = |why: String| source.error(&named, format!("{of}{why}"));
    let (command, renamed) = match named_command(name, words(&bots.command)?, file.is_some()) {
        Ok((command, renamed)) => (command, renamed.map(|why| about_file(why).to_string())),
        Err(error @ CommandError::Name(_)) => return Err(about_file(error.to_string())),
        Err(error) => return Err(source.error(&bots.command.span(), format!("{of}{error}"))),
    };
    let command = command.in_place(own_folder.map(Into::into), variables);
    let place = Some(source.error(&named, "").to_string());
    let texts = [bots.build.as_ref(), Some(&bots.command)].map(|it| it.map(Spanned::get_ref));
    let other = found.as_ref().filter(|found| !found.follows_links);
    let places = (folder, taken);
    if let Some(other) = other.and_then(|found| path_of_another(found, texts, &command, places)) {
        let why = format!(
            "{of}its name stands for {} in a command, which is not its own; write {{path}} or {{dir}} \
             there, or rename it",
            printable(&other)
        );
        return Ok(Err((source.error(&named, why), Some(other))));
    }
    // What both commands name by the file's name is what the build makes.
    let by_name = |text: &String| placeholder_in(text).is_some();
    let words = shell_words::split(bots.command.get_ref()).unwrap_or_default();
    let (named, fixed): (Vec<_>, Vec<_>) =
        words.into_iter().zip(command.words()).partition(|(text, _)| by_name(text));
    let named = named.into_iter().map(|(_, word)| word.clone());
    let outputs = named.filter(|word| build.contains(word)).collect();
    // No build makes a file for one bot that the commands of all name.
    if found.is_some() && !build.is_empty() && bots.dir.is_none() {
        let fixed = fixed.into_iter().map(|(text, _)| text);
        for word in fixed.filter(|word| is_file_of_all(word, folder) && !build.contains(word)) {
            let word = Pattern::escape(&word);
            if !files.contains(&word) {
                files.push(word);
            }
        }
    }
    Ok(Ok(Entrant { command, build, outputs, files, found, place, renamed }))
}

/// A bot's command with its name. A file's name that is too long for a bot is shortened; with it comes
/// what was done, in words.
fn named_command(
    name: Option<String>,
    words: Vec<String>,
    is_found: bool,
) -> Result<(BotCommand, Option<String>), CommandError> {
    match BotCommand::new(name, words.clone()) {
        Err(CommandError::Name(long)) if is_found => {
            let name = shortened_name(&long);
            let renamed = format!("{}; it plays as {name:?}", CommandError::Name(long));
            Ok((BotCommand::new(Some(name), words)?, Some(renamed)))
        }
        command => Ok((command?, None)),
    }
}

/// Whether `word`, which the commands of all bots have, names a file, but not a program of the
/// system.
fn is_file_of_all(word: &str, folder: &Path) -> bool {
    let is_path = word.contains('/') || is_source(word);
    is_path && !is_of_system(Path::new(word)) && folder.join(word).is_file()
}

/// The words of a command, as a shell would split them.
fn split_words(text: &str) -> Result<Vec<String>, String> {
    let words =
        shell_words::split(text).map_err(|_| format!("a quote is not closed in {text:?}"))?;
    words_of_a_shell(&words, |word| placeholder_in(word).is_some()).map_or(Ok(words), Err)
}

#[cfg(test)]
mod tests;
