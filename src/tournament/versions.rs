//! What a bot is made of: its version, and whether its files have changed since.

use std::collections::BTreeMap;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::file_search::{NoFiles, WantedFiles, find_files, folder_of_pattern};
use crate::bot::{is_source, open_regular_file};
use crate::contest::{PlannedBot, without_seed};
use crate::engine::BUILTIN_PLAY;
use crate::record::Digest;
use crate::text::{self, printable, printable_path};

/// What a bot is made of, as it was when this was read.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BotVersion {
    /// What the version is known by.
    pub digest: Digest,
    /// The same for bots that differ in nothing but their names; `None` for bots without files.
    pub twin: Option<Digest>,
    files: Vec<SeenFile>,
    /// What was handed in, where no link is followed: a link is part of the version by where it leads.
    pub(super) handed_in: Option<String>,
    /// The first of its files that cannot be read.
    #[serde(skip)]
    pub unreadable: Option<UnreadableBot>,
}

/// Where the bots of a plan are.
#[derive(Debug, Default)]
pub struct BotPlaces {
    /// What their paths are relative to.
    pub folder: PathBuf,
    /// By their names those that a pattern found, in the sandbox with what was handed in: a file or
    /// folder, relative to `folder`, in which no link is followed.
    pub found: BTreeMap<String, Option<PathBuf>>,
}

/// A file of a bot. While none of this changes, its contents are taken to be the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct SeenFile {
    path: String,
    length: u64,
    inode: u64,
    /// Seconds and nanoseconds of the last change of its contents, and of anything else.
    times: [i64; 4],
    is_link: bool,
}

/// Most bytes that are read for the version of a bot that was handed in: a file may have holes, and
/// be larger than a disk.
const LONGEST_HANDED_IN: u64 = 1 << 30;

/// A file of a bot that cannot be read.
#[derive(Clone, Debug, thiserror::Error)]
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
    /// The version of a bot. A file that cannot be read makes it another version.
    ///
    /// # Errors
    ///
    /// When a file of a bot cannot be read that no pattern found: its user named it.
    pub fn of(bot: &PlannedBot, places: &BotPlaces) -> Result<BotVersion, UnreadableBot> {
        let found = places.found.get(bot.drawn_name());
        let handed_in = found.and_then(|path| path.as_ref()?.to_str().map(str::to_owned));
        let version = BotVersion::read(bot, &places.folder, handed_in);
        version.unreadable.clone().filter(|_| found.is_none()).map_or(Ok(version), Err)
    }

    fn read(bot: &PlannedBot, folder: &Path, handed_in: Option<String>) -> BotVersion {
        let (files, mut unreadable) = seen_files(bot, folder, handed_in.as_deref());
        let mut left = LONGEST_HANDED_IN;
        let mut note = |file: &SeenFile, why: &dyn ToString| {
            let place = folder.join(&file.path);
            unreadable.get_or_insert_with(|| UnreadableBot::new(bot, &place, &why.to_string()));
        };
        let was_handed_in = |file: &SeenFile| {
            handed_in.as_deref().is_some_and(|it| Path::new(&file.path).starts_with(it))
        };
        let mut content = |file: &SeenFile| {
            let length = if was_handed_in(file) { file.length } else { 0 };
            if length > left {
                let most = text::bytes(LONGEST_HANDED_IN);
                note(file, &format!("with it the bot's files have more than {most}"));
                return Digest::of(length.to_string().as_bytes());
            }
            left -= length;
            file.content(folder).inspect_err(|error| note(file, error)).unwrap_or_default()
        };
        let digests: Vec<Digest> = files.iter().map(&mut content).collect();
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
        let is_known = !files.is_empty() && unreadable.is_none();
        let twin = is_known.then(|| made_of.without(&bot.name, &files, &digests));
        let digest = made_of.digest();
        BotVersion { digest, twin: twin.map(|twin| twin.digest()), files, handed_in, unreadable }
    }

    /// The paths of its files, relative to the plan's folder where they lie in it.
    pub(super) fn files(&self) -> impl Iterator<Item = &Path> {
        self.files.iter().map(|file| Path::new(&file.path))
    }

    /// A version of which no more than its digest is known.
    pub(super) const fn known_by(digest: Digest) -> BotVersion {
        BotVersion { digest, twin: None, files: Vec::new(), handed_in: None, unreadable: None }
    }

    /// The version of the same bot by now.
    pub(super) fn again(&self, bot: &PlannedBot, folder: &Path) -> BotVersion {
        BotVersion::read(bot, folder, self.handed_in.clone())
    }

    /// Whether a file was written to, or has come or gone, whatever is in it.
    pub(super) fn is_touched(&self, bot: &PlannedBot, folder: &Path) -> bool {
        seen_files(bot, folder, self.handed_in.as_deref()).0 != self.files
    }

    /// Looks at the files again, and reads them only if one was touched. Returns the path of a file
    /// that makes another version of the bot.
    pub fn change(&mut self, bot: &PlannedBot, folder: &Path) -> Option<String> {
        let (seen, _) = seen_files(bot, folder, self.handed_in.as_deref());
        if seen == self.files {
            return None;
        }
        let sizes = |files: &[SeenFile]| -> Vec<(String, u64)> {
            files.iter().map(|file| (file.path.clone(), file.length)).collect()
        };
        let differs = |one: &[SeenFile], other: &[SeenFile]| {
            one.iter().find(|file| !other.contains(file)).map(|file| file.path.clone())
        };
        let changed = differs(&seen, &self.files).or_else(|| differs(&self.files, &seen));
        // Then nothing has to be read.
        if sizes(&seen) != sizes(&self.files) {
            return changed;
        }
        let now = self.again(bot, folder);
        if now.digest != self.digest {
            return changed;
        }
        *self = now;
        None
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

impl SeenFile {
    /// What it holds; of a link where it leads.
    fn content(&self, folder: &Path) -> io::Result<Digest> {
        let place = folder.join(&self.path);
        if self.is_link {
            return Ok(Digest::of(place.read_link()?.as_os_str().as_encoded_bytes()));
        }
        Digest::of_content(open_regular_file(&place)?)
    }
}

/// The files that a bot is made of, by their paths, which are relative to `folder` where they lie
/// in it; and the first that cannot be read. In what was `handed_in` no link is followed.
///
/// With a build, what its command names is not among them: the build makes it.
fn seen_files(
    bot: &PlannedBot,
    folder: &Path,
    handed_in: Option<&str>,
) -> (Vec<SeenFile>, Option<UnreadableBot>) {
    let mut unreadable = None;
    let mut note = |place: &Path, why: &dyn ToString| {
        unreadable.get_or_insert_with(|| UnreadableBot::new(bot, place, &why.to_string()));
    };
    if let Some(place) = folder_for_file(bot, folder) {
        note(&place, &"it is a folder; put the file there");
    }
    let mut paths = named_files(bot, folder);
    for pattern in &bot.files {
        let fixed = folder_of_pattern(pattern, folder).to_string_lossy().into_owned();
        if handed_in.is_some_and(|place| outermost_link(&fixed, place, folder).is_some()) {
            paths.push(fixed);
            continue;
        }
        match find_files(pattern, folder, WantedFiles::PartsOfBot) {
            Ok(found) => found.iter().for_each(|found| match found {
                Ok(file) => paths.push(relative(file.path(), folder)),
                Err(why) => note(Path::new(pattern), why),
            }),
            // Not every student has such a file.
            Err(NoFiles::NoMatch(_)) if handed_in.is_some() => {}
            Err(why) => note(Path::new(pattern), &why),
        }
    }
    paths.retain(|path| !path.contains(PYTHON_CACHE));
    let link = |path: &String| handed_in.and_then(|place| outermost_link(path, place, folder));
    let mut paths: Vec<(String, bool)> = paths
        .into_iter()
        .map(|path| link(&path).map_or((path, false), |link| (link, true)))
        .collect();
    paths.sort_unstable();
    paths.dedup();
    let mut seen = |(path, is_link): (String, bool)| {
        let place = folder.join(&path);
        let file = if is_link { place.symlink_metadata() } else { place.metadata() };
        let file = file.inspect_err(|error| note(&place, error)).ok()?;
        let times = [file.mtime(), file.mtime_nsec(), file.ctime(), file.ctime_nsec()];
        Some(SeenFile { path, length: file.len(), inode: file.ino(), times, is_link })
    };
    let seen = paths.into_iter().filter_map(&mut seen).collect();
    (seen, unreadable)
}

/// The first link on the way to a path in what was `handed_in`, that itself included.
fn outermost_link(path: &str, handed_in: &str, folder: &Path) -> Option<String> {
    let inside = Path::new(path).ancestors().take_while(|part| part.starts_with(handed_in));
    let link = inside.filter(|part| folder.join(part).is_symlink()).last()?;
    Some(link.to_string_lossy().into_owned())
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
pub(super) fn is_of_system(path: &Path) -> bool {
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
