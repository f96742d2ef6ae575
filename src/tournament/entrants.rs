//! Who plays: the bots of a configuration and of the command line, named apart.

use std::path::Path;

use glob::Pattern;
use toml::Spanned;

use super::config::{Config, ConfigBots, ConfigError, ConfigSource};
use super::fields::{FoundFile, find_files, refuse_placeholders};
use super::inline_scripts::refuse_placeholders_in_scripts;
use super::versions::names_file;
use crate::bot::{BotCommand, CommandError, names_apart};
use crate::contest::PlannedBot;
use crate::text::printable;

/// The bots of a configuration, whose paths are relative to `folder`; and why files that a pattern
/// found play no part: their names make no name of a bot, or they are links and `follows_links` is false.
///
/// # Errors
///
/// The first mistake, with its place.
pub fn bots_of_config(
    config: &Config,
    source: &ConfigSource,
    folder: &Path,
    follows_links: bool,
) -> Result<(Vec<Entrant>, Vec<ConfigError>), ConfigError> {
    let (mut entrants, mut left_out) = (Vec::new(), Vec::new());
    for bots in config.bots_in_order() {
        let Some(pattern) = &bots.get_ref().glob else {
            entrants.push(entrant(bots, source, folder, None)??);
            continue;
        };
        let files = find_files(pattern.get_ref(), folder, follows_links)
            .map_err(|why| source.error(&pattern.span(), why))?;
        for file in files {
            match file {
                Ok(file) => match entrant(bots, source, folder, Some(&file))? {
                    Ok(entrant) => entrants.push(entrant),
                    Err(no_name) => left_out.push(no_name),
                },
                Err(why) => left_out.push(source.error(&pattern.span(), why)),
            }
        }
    }
    Ok((entrants, left_out))
}

/// A bot that is to play.
#[derive(Clone, Debug)]
pub struct Entrant {
    command: BotCommand,
    build: Vec<String>,
    /// Patterns of files that are part of its version.
    files: Vec<String>,
    /// The file that a pattern found, relative to the plan's folder.
    found: Option<String>,
    /// Where it comes from, for messages: its file, where a pattern found one.
    of_file: Option<String>,
    /// Where its name stands in the configuration, with a colon behind it.
    place: Option<String>,
}

impl Entrant {
    /// A bot as the command line names it. Its words are relative to `folder`, where that is not
    /// the plan's own folder.
    ///
    /// # Errors
    ///
    /// In words, when it is the configuration that the user meant.
    pub fn of_argument(command: BotCommand, folder: Option<&Path>) -> Result<Entrant, String> {
        if let [word] = command.words()
            && let Some(ending) = Path::new(word).extension()
            && ending.eq_ignore_ascii_case("toml")
        {
            let file = printable(word);
            return Err(format!("{file} is a configuration, not a bot; write --config {file}"));
        }
        let command = command.in_place(folder.map(Path::to_owned), Vec::new());
        let (build, files) = (Vec::new(), Vec::new());
        Ok(Entrant { command, build, files, found: None, of_file: None, place: None })
    }
}

/// A bot of the configuration. The inner error is about its name alone.
fn entrant(
    bots: &Spanned<ConfigBots>,
    source: &ConfigSource,
    folder: &Path,
    file: Option<&FoundFile>,
) -> Result<Result<Entrant, ConfigError>, ConfigError> {
    let (place, bots) = (bots.span(), bots.get_ref());
    let filled_in = |text: &str| match file {
        Some(file) => file.fill(text),
        None => refuse_placeholders(text).map(|()| text.to_owned()),
    };
    let wrong = |text: &Spanned<String>, why: String| source.error(&text.span(), why);
    let filled = |text: &Spanned<String>| filled_in(text.get_ref()).map_err(|why| wrong(text, why));
    // Words are split first, so that a blank in a file's name splits none.
    let words = |text: &Spanned<String>| {
        let words = shell_words::split(text.get_ref())
            .map_err(|_| wrong(text, format!("a quote is not closed in {:?}", text.get_ref())))?;
        if file.is_some() {
            refuse_placeholders_in_scripts(&words).map_err(|why| wrong(text, why))?;
        }
        let filled = |word: &String| {
            let filled = filled_in(word).map_err(|why| wrong(text, why))?;
            Ok(if word.starts_with('{') { not_an_option(filled) } else { filled })
        };
        words.iter().map(filled).collect::<Result<Vec<_>, _>>()
    };
    let name = bots.name.as_ref().map(filled).transpose()?;
    let build = bots.build.as_ref().map(words).transpose()?.unwrap_or_default();
    if let Some(text) = bots.build.as_ref().filter(|_| build.iter().all(String::is_empty)) {
        return Err(wrong(text, "the build is empty; leave the key out".to_owned()));
    }
    let own_folder = bots.dir.as_ref().map(filled).transpose()?;
    // A build may make it.
    if let (Some(text), Some(own), true) = (&bots.dir, &own_folder, build.is_empty())
        && !folder.join(own).is_dir()
    {
        return Err(wrong(text, format!("there is no folder {}", printable(own))));
    }
    let variable = |(name, value): (&Spanned<String>, &String)| {
        if name.get_ref().is_empty() || name.get_ref().contains(['=', '\0']) {
            return Err(wrong(name, format!("{:?} cannot be a variable's name", name.get_ref())));
        }
        let value = filled_in(value).map_err(|why| wrong(name, why))?;
        Ok((name.get_ref().clone(), value))
    };
    let variables = bots.env.iter().map(variable).collect::<Result<Vec<_>, _>>()?;
    let pattern = |text: &Spanned<String>| {
        let pattern = filled(text)?;
        find_files(&pattern, folder, true).map_err(|why| wrong(text, why))?;
        Ok(pattern)
    };
    let files = bots.files.iter().map(pattern).collect::<Result<Vec<_>, ConfigError>>()?;
    let named = bots.name.as_ref().map_or(place, Spanned::span);
    let of_file = file.map(|file| printable(file.path()));
    let of = of_file.as_ref().map(|file| format!("{file}: ")).unwrap_or_default();
    let command = match BotCommand::new(name, words(&bots.command)?) {
        Ok(command) => command,
        Err(error @ CommandError::Name(_)) => {
            return Ok(Err(source.error(&named, format!("{of}{error}"))));
        }
        Err(error) => return Err(source.error(&bots.command.span(), format!("{of}{error}"))),
    };
    let command = command.in_place(own_folder.map(Into::into), variables);
    let place = Some(source.error(&named, "").to_string());
    let found = file.map(|file| file.path().to_owned());
    Ok(Ok(Entrant { command, build, files, found, of_file, place }))
}

/// The word that a file's name begins, so that no program takes the name for an option or for a
/// file of options: `./-x.c`, `./@x.c`.
fn not_an_option(word: String) -> String {
    if word.starts_with(['-', '@']) { format!("./{word}") } else { word }
}

/// The bots of a plan: each with a name of its own.
///
/// # Errors
///
/// In words: when two have the same name.
pub fn name_entrants(entrants: Vec<Entrant>, folder: &Path) -> Result<Vec<PlannedBot>, String> {
    let commands: Vec<BotCommand> =
        entrants.iter().map(|entrant| entrant.command.clone()).collect();
    let names = names_apart(&commands).map_err(|error| {
        let CommandError::SameName(name) = &error else { return error.to_string() };
        let same = |entrant: &&Entrant| entrant.command.name() == *name;
        let mut places = entrants.iter().filter(same).filter_map(|it| it.place.as_deref());
        let Some(place) = places.next_back() else { return error.to_string() };
        let files: Vec<&str> =
            entrants.iter().filter(same).filter_map(|entrant| entrant.of_file.as_deref()).collect();
        let name = printable(name);
        if let [one, other, ..] = files.as_slice() {
            return format!(
                "{place}{one} and {other} are both named {name:?}; make name of more than \
                 {{stem}}, such as \"{{path}}\""
            );
        }
        format!("{place}two bots are named {name:?}; give one of them another name")
    })?;
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
    Ok(bots.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entrants(text: &str, folder: &Path) -> Result<Vec<PlannedBot>, String> {
        let source = ConfigSource::new(Path::new("c.toml"), text.to_owned());
        let config = source.read(&[]).map_err(|error| error.to_string())?;
        let (entrants, left_out) =
            bots_of_config(&config, &source, folder, true).map_err(|error| error.to_string())?;
        if let Some(error) = left_out.first() {
            return Err(error.to_string());
        }
        name_entrants(entrants, folder)
    }

    #[test]
    fn a_pattern_makes_a_bot_of_each_file() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["ann b.c", "bob.c"] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        let bots = entrants(
            "[[bots]]\nglob = \"*.c\"\nbuild = \"cc {path} -o 'out/{stem}'\"\ncommand = \"out/{stem}\"\n\
             env = { WHO = \"{file}\" }\ndir = \"{dir}\"",
            folder.path(),
        )
        .unwrap();
        assert_eq!(bots[0].name, "ann b");
        assert_eq!(bots[0].command, ["out/ann b"]);
        assert_eq!(bots[0].build, ["cc", "ann b.c", "-o", "out/ann b"]);
        assert_eq!(bots[1].environment["WHO"], "bob.c");
        assert_eq!(bots[1].folder.as_deref(), Some(Path::new(".")));
    }

    #[test]
    fn a_files_name_is_never_an_option_or_a_command() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["-x.c", "@opts.c", "a.c", "$(touch hacked).c"] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        let text = "[[bots]]\nglob = \"*.c\"\nname = \"bot {stem}\"\n\
                    build = \"cc {path} {file} -o out/{stem} {stem}\"\n\
                    command = \"{stem} -v {dir}/{file}\"";
        let bots = entrants(text, folder.path()).unwrap();
        assert_eq!(
            bots[0].build[1..],
            [
                "$(touch hacked).c",
                "$(touch hacked).c",
                "-o",
                "out/$(touch hacked)",
                "$(touch hacked)"
            ]
        );
        assert_eq!(bots[1].build, ["cc", "./-x.c", "./-x.c", "-o", "out/-x", "./-x"]);
        assert_eq!(bots[1].command, ["./-x", "-v", "./-x.c"]);
        assert_eq!(bots[2].build[1..], ["./@opts.c", "./@opts.c", "-o", "out/@opts", "./@opts"]);
        assert_eq!(bots[3].build[1..], ["a.c", "a.c", "-o", "out/a", "a"]);

        for (command, is_fine) in [
            ("sh -c 'cc {path}'", false),
            ("env A=1 /bin/bash -ec 'cc {stem}.c'", false),
            ("sh -c 'cc \\\"$1\\\"' sh {path}", true),
            ("sh {path} -c", true),
            ("cc {path}", true),
        ] {
            let text = format!("[[bots]]\nglob = \"a.c\"\ncommand = \"{command}\"");
            let found = entrants(&text, folder.path());
            assert_eq!(found.is_ok(), is_fine, "{command}: {found:?}");
            if let Err(error) = found {
                assert!(error.starts_with("c.toml:3:11: {") && error.contains("\"$1\""), "{error}");
            }
        }
    }

    #[test]
    fn mistakes_have_a_place() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["a.c", "a.py"] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        let cases = [
            ("[[bots]]\nglob = \"*.rs\"\ncommand = \"x\"", "c.toml:2:8: no file in"),
            (
                "[[bots]]\nglob = \"a.*\"\ncommand = \"x\"",
                "c.toml:1:1: a.c and a.py are both named",
            ),
            ("[[bots]]\nglob = \"*.c\"\ncommand = \"{what}\"", "c.toml:3:11: unknown {what}"),
            (
                "[[bots]]\nglob = \"*.c\"\ncommand = \"{Path}\"",
                "c.toml:3:11: unknown {Path}; known",
            ),
            ("[[bots]]\nglob = \"*.c\"\ncommand = \"{stem\"", "c.toml:3:11: {stem is not closed"),
            (
                "[[bot]]\ncommand = \"./{stem}\"",
                "c.toml:2:11: {stem} is filled in under [[bots]] only",
            ),
            (
                "[[bot]]\ncommand = \"x\"\nenv = { \"A=\" = \"y\" }",
                "c.toml:3:9: \"A=\" cannot be a variable's name",
            ),
            ("[[bot]]\ncommand = \"'x\"", "c.toml:2:11: a quote is not closed"),
            ("[[bot]]\ncommand = \"\"", "c.toml:2:11: the command is empty"),
            ("[[bot]]\ncommand = \"x\"\nname = \"\"", "c.toml:3:8: invalid name \"\""),
            ("[[bot]]\ncommand = \"x\"\nbuild = \"\"", "c.toml:3:9: the build is empty"),
            ("[[bot]]\ncommand = \"x\"\ndir = \"no\"", "c.toml:3:7: there is no folder no"),
            (
                "[[bot]]\ncommand = \"x\"\nname = \"a\"\n[[bot]]\ncommand = \"y\"\nname = \"a\"",
                "c.toml:6:8: two bots are named \"a\"",
            ),
        ];
        for (text, words) in cases {
            let error = entrants(text, folder.path()).unwrap_err();
            assert!(error.contains(words), "{text}: {error}");
        }
    }
}
