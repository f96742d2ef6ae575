//! What a bot is made of: its version, and whether its files have changed since.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Component, Path, PathBuf};
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use super::fields::find_files;
use crate::bot::{find_program, is_source};
use crate::contest::{PlannedBot, without_seed};
use crate::engine::BUILTIN_PLAY;
use crate::record::{Digest, ProgramFile, Timestamp};
use crate::text::{printable, printable_path};

/// What a bot is made of, as it was when this was read.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BotVersion {
    /// What the version is known by.
    pub digest: Digest,
    /// The same for bots that differ in nothing but their names; `None` for bots without files.
    pub twin: Option<Digest>,
    files: Vec<SeenFile>,
}

/// A file of a bot. While none of this changes, its contents are taken to be the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct SeenFile {
    path: String,
    length: u64,
    inode: u64,
    /// Seconds and nanoseconds of the last change of its contents, and of anything else.
    times: [i64; 4],
}

/// A file of a bot that cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("{file} is part of bot \"{bot}\" and cannot be read: {why}")]
pub struct UnreadableBot {
    bot: String,
    file: String,
    why: String,
}

/// What a version is the digest of, as compact JSON.
#[derive(Serialize)]
struct MadeOf<'a> {
    command: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dir: Option<String>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    env: BTreeMap<&'a str, String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    build: Vec<String>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    files: BTreeMap<String, Digest>,
    /// What the built-in bots play.
    #[serde(skip_serializing_if = "Option::is_none")]
    builtin: Option<u32>,
}

impl BotVersion {
    /// The version of a bot whose paths are relative to `folder`.
    ///
    /// # Errors
    ///
    /// When one of its files cannot be read.
    pub fn of(bot: &PlannedBot, folder: &Path) -> Result<BotVersion, UnreadableBot> {
        let files = seen_files(bot, folder)?;
        let contents = |file: &SeenFile| {
            let path = folder.join(&file.path);
            let digest = File::open(&path).and_then(Digest::of_content);
            digest.map_err(|error| UnreadableBot::new(bot, &path, &error))
        };
        let digests: Vec<Digest> = files.iter().map(contents).collect::<Result<_, _>>()?;
        let relative = |word: &String| relative(word, folder);
        let is_builtin = bot.is_builtin();
        let command =
            if is_builtin { without_seed(bot.command.clone()) } else { bot.command.clone() };
        let env = bot.environment.iter().map(|(name, value)| (&**name, value.clone()));
        let made_of = MadeOf {
            command: command.iter().map(relative).collect(),
            dir: bot.folder.as_ref().map(|dir| relative(&dir.to_string_lossy().into_owned())),
            env: env.collect(),
            build: bot.build.iter().map(relative).collect(),
            files: files.iter().map(|file| file.path.clone()).zip(digests.clone()).collect(),
            builtin: is_builtin.then_some(BUILTIN_PLAY),
        };
        let twin = (!files.is_empty()).then(|| made_of.without(&bot.name, &files, &digests));
        let digest = made_of.digest();
        Ok(BotVersion { digest, twin: twin.map(|twin| twin.digest()), files })
    }

    /// A version of which no more than its digest is known.
    pub(super) const fn known_by(digest: Digest) -> BotVersion {
        BotVersion { digest, twin: None, files: Vec::new() }
    }

    /// Looks at the files again, and reads them only if one was touched. Returns the path of a file
    /// that makes another version of the bot.
    pub fn change(&mut self, bot: &PlannedBot, folder: &Path) -> Option<String> {
        let seen = seen_files(bot, folder).unwrap_or_default();
        if seen == self.files {
            return None;
        }
        let differs = |one: &[SeenFile], other: &[SeenFile]| {
            one.iter().find(|file| !other.contains(file)).map(|file| file.path.clone())
        };
        let changed = differs(&seen, &self.files).or_else(|| differs(&self.files, &seen));
        match BotVersion::of(bot, folder) {
            Ok(now) if now.digest == self.digest => {
                *self = now;
                None
            }
            _ => changed,
        }
    }
}

impl MadeOf<'_> {
    fn digest(&self) -> Digest {
        Digest::of(&serde_json::to_vec(self).expect("texts are always JSON"))
    }

    /// The same with digests in place of the names of files, and nothing in place of the bot's own
    /// name, from which other names may be made.
    fn without(&self, name: &str, files: &[SeenFile], digests: &[Digest]) -> Self {
        let anonymous = |word: &String| {
            match files.iter().position(|file| file.path == *word) {
                Some(file) => digests[file].to_string(),
                // In other words the name may stand by chance.
                None if word == name || word.contains(['/', '.']) => word.replace(name, ""),
                None => word.clone(),
            }
        };
        let all = |words: &[String]| words.iter().map(anonymous).collect();
        let mut contents: Vec<String> = digests.iter().map(ToString::to_string).collect();
        contents.sort_unstable();
        MadeOf {
            command: all(&self.command),
            dir: self.dir.as_ref().map(anonymous),
            env: self.env.iter().map(|(name, value)| (*name, anonymous(value))).collect(),
            build: all(&self.build),
            files: BTreeMap::from([(contents.join(" "), Digest::default())]),
            builtin: None,
        }
    }
}

impl UnreadableBot {
    fn new(bot: &PlannedBot, file: &Path, why: &impl ToString) -> UnreadableBot {
        let (bot, file) = (printable(&bot.name), printable_path(file));
        UnreadableBot { bot, file, why: why.to_string() }
    }
}

/// The files that a bot is made of, by their paths, which are relative to `folder` where they lie
/// in it.
///
/// With a build, what its command names is not among them: the build makes it.
fn seen_files(bot: &PlannedBot, folder: &Path) -> Result<Vec<SeenFile>, UnreadableBot> {
    if let Some(place) = folder_for_file(bot, folder) {
        return Err(UnreadableBot::new(bot, &place, &"it is a folder; put the file there"));
    }
    let mut paths = named_files(bot, folder);
    for pattern in &bot.files {
        let found = find_files(pattern, folder, true);
        let found = found.and_then(|found| found.into_iter().collect::<Result<Vec<_>, _>>());
        let found = found.map_err(|why| UnreadableBot::new(bot, Path::new(pattern), &why))?;
        paths.extend(found.iter().map(|file| relative(file.path(), folder)));
    }
    paths.retain(|path| !path.contains(PYTHON_CACHE));
    paths.sort_unstable();
    paths.dedup();
    let seen = |path: String| {
        let place = folder.join(&path);
        let file = place.metadata().map_err(|error| UnreadableBot::new(bot, &place, &error))?;
        let times = [file.mtime(), file.mtime_nsec(), file.ctime(), file.ctime_nsec()];
        Ok(SeenFile { path, length: file.len(), inode: file.ino(), times })
    };
    paths.into_iter().map(seen).collect()
}

/// A folder where the bot's command names its program or a script.
fn folder_for_file(bot: &PlannedBot, folder: &Path) -> Option<PathBuf> {
    // A build may make it.
    let words = bot.command.iter().enumerate().filter(|_| bot.build.is_empty());
    let files = words.filter(|(index, word)| *index == 0 && word.contains('/') || is_source(word));
    let own = folder.join(bot.folder.as_deref().unwrap_or(Path::new("")));
    files.map(|(_, word)| own.join(word)).find(|path| path.is_dir())
}

/// Whether a file, relative to `folder`, is one that the bot's command lines name.
pub(super) fn names_file(bot: &PlannedBot, file: &str, folder: &Path) -> bool {
    named_files(bot, folder).contains(&relative(file, folder))
}

/// Files that a bot's command line names, relative to `folder`; with a build what that one names and
/// the command does not, for what both name is what the build makes.
fn named_files(bot: &PlannedBot, folder: &Path) -> Vec<String> {
    if bot.is_builtin() {
        return Vec::new();
    }
    let place = folder.join(bot.folder.as_deref().unwrap_or(Path::new("")));
    let by_command = files_of(&bot.command, &[&place, folder], folder);
    if bot.build.is_empty() {
        return by_command;
    }
    let mut by_build = files_of(&bot.build, &[folder], folder);
    by_build.retain(|file| !by_command.contains(file));
    by_build
}

/// Files that these words name, relative to `folder`. The first one, the program, is looked for in
/// all `places`, the others in the first.
fn files_of(words: &[String], places: &[&Path], folder: &Path) -> Vec<String> {
    let mut named = Vec::new();
    for (index, word) in words.iter().enumerate() {
        // A program of the system is not the bot's own; its path is noted beside the version.
        if index == 0 && (!word.contains('/') || is_of_system(Path::new(word))) {
            continue;
        }
        let value = word.split_once('=').map(|(_, value)| value);
        for text in [Some(&**word), value].into_iter().flatten().filter(|text| !text.is_empty()) {
            let places = if index == 0 { places } else { &places[..1] };
            let found = places.iter().map(|place| place.join(text)).find(|path| path.is_file());
            named.extend(found.map(|path| relative(&path.to_string_lossy(), folder)));
        }
    }
    named
}

/// The folder in which Python keeps what it has compiled.
const PYTHON_CACHE: &str = "__pycache__/";

/// Where the system has its programs.
fn is_of_system(path: &Path) -> bool {
    ["/usr", "/bin", "/sbin", "/lib", "/lib64", "/opt", "/nix", "/snap"]
        .iter()
        .any(|folder| path.starts_with(folder))
}

/// The path relative to `folder`, where it lies in it, without steps that lead nowhere.
fn relative(word: &str, folder: &Path) -> String {
    let path = Path::new(word);
    let inside = path.strip_prefix(folder);
    if inside.is_err() && !word.starts_with("./") {
        return word.to_owned();
    }
    let steps = inside.unwrap_or(path).components().filter(|step| *step != Component::CurDir);
    steps.collect::<PathBuf>().to_string_lossy().into_owned()
}

/// The programs of the system that run and build bots, each once.
pub fn programs<'a>(bots: impl IntoIterator<Item = &'a PlannedBot>) -> Vec<ProgramFile> {
    let mut programs = BTreeMap::new();
    for bot in bots.into_iter().filter(|bot| !bot.is_builtin()) {
        for words in [&bot.command, &bot.build] {
            // Behind `env` and the like another program is named.
            let starter = words.first().is_some_and(|word| STARTERS.contains(&&**word));
            let behind = words.iter().skip(1).filter(|word| starter && !word.contains('/'));
            let first = words.first().into_iter();
            let first = first.filter(|word| !word.contains('/') || is_of_system(Path::new(word)));
            for word in first.chain(behind) {
                if !programs.contains_key(word)
                    && let Some(program) =
                        find_program(word).and_then(|path| program_file(&path).ok())
                {
                    programs.insert(word, program);
                }
            }
        }
    }
    let mut programs: Vec<ProgramFile> = programs.into_values().collect();
    programs.sort_by(|one, other| one.path.cmp(&other.path));
    programs.dedup();
    programs
}

/// Programs that start another one.
const STARTERS: [&str; 5] = ["env", "nice", "timeout", "stdbuf", "setsid"];

fn program_file(path: &Path) -> io::Result<ProgramFile> {
    let file = path.metadata()?;
    let modified = Timestamp::from(file.modified().unwrap_or(SystemTime::UNIX_EPOCH));
    Ok(ProgramFile { path: path.to_string_lossy().into_owned(), bytes: file.len(), modified })
}

/// What differs between these programs and those of a file: remarks in words.
pub fn changed_programs(before: &[ProgramFile], now: &[ProgramFile]) -> Vec<String> {
    let changed = |now: &ProgramFile| {
        let before = before.iter().find(|before| before.path == now.path)?;
        (before != now).then(|| {
            format!(
                "{} is another program than when this tournament began ({} bytes of {}, now {} \
                 bytes of {}); matches that were played stand",
                printable(&now.path),
                before.bytes,
                before.modified,
                now.bytes,
                now.modified
            )
        })
    };
    now.iter().filter_map(changed).collect()
}

/// Which bots have the same contents, in words; empty if no two have.
pub fn twins(bots: &[PlannedBot], versions: &[BotVersion]) -> Vec<String> {
    let mut by_twin: BTreeMap<Digest, Vec<&str>> = BTreeMap::new();
    for (bot, version) in bots.iter().zip(versions) {
        if let Some(twin) = version.twin {
            by_twin.entry(twin).or_default().push(&bot.name);
        }
    }
    let same = by_twin.into_values().filter(|names| names.len() > 1);
    let shown = |names: Vec<&str>| {
        let names: Vec<String> =
            names.iter().map(|name| format!("\"{}\"", printable(name))).collect();
        format!("bots {} have the same contents; each plays", names.join(" and "))
    };
    same.map(shown).collect()
}
