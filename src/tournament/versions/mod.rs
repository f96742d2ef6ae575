//! What a bot is made of: its version, and whether its files have changed since.

pub(super) mod kept_versions;
pub(super) mod version_files;
pub(super) mod version_remarks;

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::contest::{PlannedBot, without_seed};
use crate::engine::BUILTIN_PLAY;
use crate::record::Digest;
use crate::text;
use crate::tournament::versions::version_files::{
    SeenFile, named_folder, new_paths, relative, seen_files, unreadable,
};

/// What a bot is made of, as it was when this was read.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct BotVersion {
    /// What the version is known by.
    pub digest: Digest,
    /// The same for bots that differ in nothing but their names; `None` for bots without files.
    pub twin: Option<Digest>,
    files: Vec<SeenFile>,
    /// What was handed in, where no link is followed: a link is part of the version by where it leads.
    pub(super) handed_in: Option<String>,
    /// Files, and folders with all that is in them, that its build has made; they are left out.
    pub(super) made: BTreeSet<String>,
    /// Which file of it cannot be read, and why, in words: the first, if any.
    #[serde(skip)]
    pub unreadable: Option<String>,
}

/// Where the bots of a plan are.
#[derive(Default)]
pub(crate) struct BotPlaces {
    /// What their paths are relative to.
    pub folder: PathBuf,
    /// By their names those that a pattern found, in the sandbox with what was handed in: a file or
    /// folder, relative to `folder`, in which no link is followed.
    pub found: BTreeMap<String, Option<PathBuf>>,
    /// By the names of bots what their builds have made; their versions leave it out.
    pub made: BTreeMap<String, BTreeSet<String>>,
}

/// Most bytes that are read for the version of a bot that was handed in: a file may have holes, and
/// be larger than a disk.
const LONGEST_HANDED_IN: u64 = 1 << 30;

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
    /// In words, when a file of a bot cannot be read that no pattern found: its user named it.
    pub(crate) fn of(bot: &PlannedBot, places: &BotPlaces) -> Result<BotVersion, String> {
        let found = places.found.get(bot.drawn_name());
        let handed_in = found.and_then(|path| path.as_ref()?.to_str().map(str::to_owned));
        let made = places.made.get(bot.drawn_name()).cloned().unwrap_or_default();
        let version = BotVersion::read(bot, &places.folder, handed_in, made);
        version.unreadable.clone().filter(|_| found.is_none()).map_or(Ok(version), Err)
    }

    fn read(
        bot: &PlannedBot,
        folder: &Path,
        handed_in: Option<String>,
        made: BTreeSet<String>,
    ) -> BotVersion {
        let (files, mut first_unreadable) = seen_files(bot, folder, (handed_in.as_deref(), &made));
        let mut left = LONGEST_HANDED_IN;
        let mut note = |file: &SeenFile, why: &dyn ToString| {
            let place = folder.join(&file.path);
            first_unreadable.get_or_insert_with(|| unreadable(bot, &place, why));
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
        let is_known = !files.is_empty() && first_unreadable.is_none();
        let twin = is_known.then(|| made_of.without(&bot.name, &files, &digests));
        let digest = made_of.digest();
        let twin = twin.map(|twin| twin.digest());
        BotVersion { digest, twin, files, handed_in, made, unreadable: first_unreadable }
    }

    /// The paths of its files, relative to the plan's folder where they lie in it, without `..` behind a
    /// folder: `ann/../program` does not lie in `ann`.
    pub(super) fn files(&self) -> impl Iterator<Item = PathBuf> {
        self.files.iter().map(|file| without_returns(Path::new(&file.path)))
    }

    /// The first folder that the bot's command lines name beside its program, and that has none of its
    /// files: a file may have been there before.
    pub(super) fn named_folder<'a>(&self, bot: &'a PlannedBot, folder: &Path) -> Option<&'a str> {
        named_folder(bot, &self.files, folder)
    }

    /// The version of the same bot by now.
    pub(super) fn again(&self, bot: &PlannedBot, folder: &Path) -> BotVersion {
        BotVersion::read(bot, folder, self.handed_in.clone(), self.made.clone())
    }

    fn seen(&self, bot: &PlannedBot, folder: &Path) -> Vec<SeenFile> {
        seen_files(bot, folder, (self.handed_in.as_deref(), &self.made)).0
    }

    /// Leaves out what is new since this was read: the bot's build has made it. Returns its paths.
    pub(super) fn leave_out_new(&mut self, bot: &PlannedBot, folder: &Path) -> BTreeSet<String> {
        let new = new_paths(&self.seen(bot, folder), &self.files);
        self.made.extend(new.iter().cloned());
        new
    }

    /// Leaves out what the bot's build has made since this was read.
    pub(super) fn leave_out(&mut self, made: BTreeSet<String>) {
        self.made.extend(made);
    }

    /// Whether a file was written to, or has come or gone, whatever is in it.
    pub(super) fn is_touched(&self, bot: &PlannedBot, folder: &Path) -> bool {
        self.seen(bot, folder) != self.files
    }

    /// Looks at the files again, and reads them only if one was touched. Returns a file that makes
    /// another version of the bot.
    pub(crate) fn change(&mut self, bot: &PlannedBot, folder: &Path) -> Option<ChangedFile> {
        let seen = self.seen(bot, folder);
        if seen == self.files {
            return None;
        }
        let differs = |one: &[SeenFile], other: &[SeenFile]| {
            one.iter().find(|file| !other.contains(file)).map(|file| file.path.clone())
        };
        let path = differs(&seen, &self.files).or_else(|| differs(&self.files, &seen))?;
        let now = self.again(bot, folder);
        if now.digest != self.digest {
            return Some(ChangedFile { path, version: now.digest });
        }
        *self = now;
        None
    }
}

/// A path whose `..` steps are taken back as far as they can be, by the words alone.
fn without_returns(path: &Path) -> PathBuf {
    path.components().fold(PathBuf::new(), |mut whole, part| {
        let is_return = part == Component::ParentDir
            && matches!(whole.components().next_back(), Some(Component::Normal(_)));
        if is_return {
            whole.pop();
        } else {
            whole.push(part);
        }
        whole
    })
}

/// A file of a bot that has changed.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct ChangedFile {
    /// Its path, relative to the plan's folder where it lies in it.
    pub path: String,
    /// The bot's version with it.
    pub version: Digest,
}

impl MadeOf<'_> {
    fn digest(&self) -> Digest {
        Digest::of(&serde_json::to_vec(self).expect("texts are always JSON"))
    }

    /// The same with digests in place of the names of files, and nothing in place of the bot's own
    /// name, from which other names may be made, and of the names of its files and their folders.
    fn without(&self, name: &str, files: &[SeenFile], digests: &[Digest]) -> Self {
        let parts = files.iter().flat_map(|file| Path::new(&file.path).iter());
        let stem = |part: &OsStr| Path::new(part).file_stem().map(OsStr::to_owned);
        let own: BTreeSet<OsString> = parts.filter_map(stem).collect();
        let part = |part: &str| {
            let is_own = stem(part.as_ref()).is_some_and(|stem| own.contains(&stem));
            if is_own { String::new() } else { part.replace(name, "") }
        };
        // Commands run in the bot's own folder.
        let from_dir = |word: &str| self.dir.as_ref().map(|dir| Path::new(dir).join(word));
        let anonymous = |word: &String| {
            let (named, from_dir) = (Path::new(word), from_dir(word));
            let is_named = |file: &SeenFile| {
                let path = Path::new(&file.path);
                path == named || from_dir.as_deref() == Some(path)
            };
            match files.iter().position(is_named) {
                Some(file) => digests[file].to_string(),
                // In other words a name may stand by chance.
                None if word == name || word.contains(['/', '.']) => {
                    word.split('/').map(part).collect::<Vec<_>>().join("/")
                }
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
