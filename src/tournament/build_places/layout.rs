//! What the files of bots must look like for builds in the sandbox, in one line.

use std::collections::BTreeSet;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use rustix::fs::{Access, access};
use rustix::process::{getegid, geteuid, getgroups};

use super::PathOwners;
use crate::text::{and_listed, printable_path};

impl PathOwners {
    /// What the files of these bots must look like for builds in the sandbox, in one line: whether
    /// they do, and what to do if not. The flag is true for a warning.
    pub(crate) fn layout(&self, builds: impl Iterator<Item = usize>) -> (bool, String) {
        let [mut crowded, mut closed, mut foreign] = [const { BTreeSet::new() }; 3];
        for bot in builds {
            let places = self.places_of(bot);
            closed.extend(places.closed.iter().map(|path| self.shown(path)));
            // What is there already may be written to in anybody's folder.
            let outputs = places.outputs.iter().filter(|path| is_out_of_reach(path) != Some(false));
            let made_in = outputs.filter_map(|path| path.parent());
            let made_in = made_in.filter(|folder| is_out_of_reach(folder) == Some(true));
            foreign.extend(made_in.map(|folder| self.shown(folder)));
            let alone = |path: &Path| self.is_alone(path, bot) || !path.starts_with(&self.folder);
            let own = self.bots[bot].own.iter().filter(|path| !path.is_dir());
            let parents = own.filter_map(|path| path.parent()).filter(|folder| !alone(folder));
            crowded.extend(parents.map(|folder| self.shown(folder)));
        }
        let mut parts = vec![
            "builds are in the sandbox: each reads its own folder, what its command names and the \
             system, and writes to its own folder"
                .to_owned(),
        ];
        let is_warning = ![&crowded, &closed, &foreign].iter().all(|paths| paths.is_empty());
        if !crowded.is_empty() {
            parts.push(format!(
                "in {} there are files of several bots, so a build reads and writes only its own \
                 file there; a folder for each bot, such as build/{{folder}}/bot, gives it more",
                first_ones(crowded)
            ));
        }
        if !closed.is_empty() {
            let (are, it) = if closed.len() == 1 { ("is", "it") } else { ("are", "them") };
            parts.push(format!(
                "{} {are} closed to builds, for other bots' files are in {it}; name the files that a \
                 build needs",
                first_ones(closed)
            ));
        }
        if !foreign.is_empty() {
            let (belongs, it) =
                if foreign.len() == 1 { ("belongs", "it") } else { ("belong", "them") };
            parts.push(format!(
                "{} {belongs} to another user, and in the sandbox a build has no more rights than its \
                 user, even the superuser's; make {it} this user's with chown",
                first_ones(foreign)
            ));
        }
        (is_warning, parts.join("; "))
    }

    fn shown(&self, path: &Path) -> String {
        let inner = path.strip_prefix(&self.folder).unwrap_or(path);
        printable_path(if inner == Path::new("") { Path::new(".") } else { inner })
    }
}

/// Whether another user's rights are needed to write there; `None` if nothing is there. In the sandbox
/// the superuser has no special ones.
fn is_out_of_reach(path: &Path) -> Option<bool> {
    let found = path.metadata().ok()?;
    let user = geteuid();
    if found.uid() == user.as_raw() {
        return Some(false);
    }
    if !user.is_root() {
        return Some(access(path, Access::WRITE_OK).is_err());
    }
    let groups = getgroups().unwrap_or_default();
    let is_of_group = groups.into_iter().chain([getegid()]).any(|it| it.as_raw() == found.gid());
    let needed = if is_of_group { 0o020 } else { 0o002 };
    Some(found.mode() & needed == 0)
}

/// With more folders than this, the others are counted.
const MOST_LISTED: usize = 5;

/// Folders in a list, some of them only counted: `a, b, c, d, e, 3 more`.
pub(in crate::tournament) fn first_ones(folders: impl IntoIterator<Item = String>) -> String {
    and_listed(folders, MOST_LISTED)
}
