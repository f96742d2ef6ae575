//! Builds of bots, kept as bots are.

use std::fs::{self, DirBuilder, File, Permissions};
use std::io::{self, Read as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::fs::OFlags;

use super::build_files::{BuildFiles, MOST_FILES, MOST_LOOKED_AT};
use super::compiler_output::{beginning_of, first_error, own_files_first};
use super::{Tried, Worker, failed, refused};
use crate::bot::{Bot, BotCommand, DEEPEST, Finished, RUSTUP, ReadablePaths, Restraints, Wardens};
use crate::record::DisqualifiedFor;
use crate::referee::{Ended, StderrCopy, Taken};
use crate::text::{self, duration_in_words, printable_path};
use crate::tournament::bot_pattern::{BotPattern, FoundBot};
use crate::tournament::build_places::{BuildPlaces, PathUse};
use crate::tournament::logs::BUILD_OUTPUT;
use crate::tournament::workers::wire::{Preparation, WorkerReport};

impl Worker<'_> {
    /// Runs a bot's build, which leaves alone what the bot is made of. Where the bots are in the
    /// sandbox, it is, too.
    ///
    /// The bot's version leaves out what is new among its files afterwards: the build has made that.
    pub(super) fn build(&mut self, place: usize, at_most: Duration) -> Tried {
        let began = Instant::now();
        let built = self.build_in_places(place, at_most);
        self.leave_out_new(place);
        let Some(file) = self.changed_file(place) else { return built };
        let bot = &self.preparation.plan.bots[place];
        let is_gone = !self.folder.join(&file.path).exists();
        let is_named = bot.build.iter().any(|word| word.contains(&file.path));
        // Without it the build cannot be tried again.
        if is_gone && built.is_ok() && is_named {
            return Err(not_built(format!(
                "its own file {} is gone since its build began; a build must not remove or rename it",
                text::printable(&file.path)
            )));
        }
        // Its author may have saved it just then; a build that writes to it does so again.
        let bot = self.preparation.plan.bots[place].clone();
        let version = self.preparation.versions[place].again(&bot, &self.folder);
        let left = at_most.saturating_sub(began.elapsed());
        if left.is_zero() && built.is_err() {
            return built;
        }
        if !left.is_zero() && !self.interrupt.is_raised() {
            let _ = self.build_in_places(place, left);
            self.leave_out_new(place);
        }
        if !version.is_touched(&bot, &self.folder) {
            return Err(WorkerReport::Changed { bot: place, file });
        }
        let why = format!(
            "its own file {} changed meanwhile, and with it the bot's version; let builds write to \
             other files, and name the sources alone in files",
            text::printable(&file.path)
        );
        // What it failed for at first may be why.
        Err(match built {
            Err(WorkerReport::Tried(Some((cause, first)))) => {
                WorkerReport::Tried(Some((cause, format!("{first}; and {why}"))))
            }
            _ => not_built(why),
        })
    }

    fn leave_out_new(&mut self, place: usize) {
        let Preparation { plan, versions, .. } = &mut self.preparation;
        if let Some(version) = versions.get_mut(place) {
            self.made.append(&mut version.leave_out_new(&plan.bots[place], &self.folder));
        }
    }

    fn build_in_places(&self, place: usize, at_most: Duration) -> Tried {
        let Some(owners) = &self.owners else {
            return self.run_build(place, at_most, &BuildPlaces::default());
        };
        let refuse_link = || self.refuse_link(place, PathUse::Build);
        refuse_link()?;
        let places = owners.places_of(place);
        let made = make_places(&places);
        let made = made.map_err(|why| not_built(format!("there is no place for it: {why}")))?;
        let patterns = &self.preparation.patterns;
        let find_bots = || BotPattern::find_in(patterns, &self.folder, &places.write);
        let before = find_bots();
        let built = self.run_build(place, at_most, &places).and_then(|()| refuse_link());
        let mut new = find_bots();
        let command = &self.preparation.plan.bots[place].command;
        // One behind the bot's own file that is run as this bot is plays no part.
        let is_left_out = |path: &PathBuf, bot: &FoundBot| {
            let own = before.iter().take_while(|(own, _)| *own < path);
            bot.command == *command && own.map(|(_, own)| own).any(|own| own.command == *command)
        };
        new.retain(|path, bot| {
            let is_old = before.contains_key(path) || places.outputs.contains(path);
            !is_old && !is_left_out(path, bot)
        });
        // Or it would play, or stop the tournament for all, when that goes on.
        for path in new.keys() {
            let _ = fs::remove_file(path);
        }
        let empty = made.iter().filter(|path| path.metadata().is_ok_and(|file| file.len() == 0));
        let empty: Vec<&PathBuf> = empty.collect();
        for path in &empty {
            let _ = fs::remove_file(path);
        }
        built?;
        if let Some((path, FoundBot { glob, .. })) = new.first_key_value() {
            let path = printable_path(path.strip_prefix(&self.folder).unwrap_or(path));
            let glob = text::printable(glob);
            return Err(not_built(format!(
                "it made {path}, which the pattern {glob} takes for a bot"
            )));
        }
        if let Some(path) = empty.first() {
            return Err(not_built(format!("it made no {}", printable_path(path))));
        }
        places.outputs.iter().for_each(|path| make_executable(path));
        Ok(())
    }

    /// Refuses a bot in the sandbox with a link to what is not its own.
    pub(super) fn refuse_link(&self, place: usize, purpose: PathUse) -> Tried {
        let owners = self.owners.as_ref();
        let link = owners.and_then(|it| it.link_of(place, self.handed_in(place), purpose));
        let cause = match purpose {
            PathUse::Build => DisqualifiedFor::NotBuilt,
            PathUse::Play => DisqualifiedFor::Refused,
        };
        link.map_or(Ok(()), |link| {
            let link = printable_path(&link);
            let why = "is a link to what is not the bot's own; put the file itself there";
            Err(refused(cause, format!("{link} {why}")))
        })
    }

    fn run_build(&self, place: usize, at_most: Duration, places: &BuildPlaces) -> Tried {
        let build = self.preparation.plan.bots[place].build.clone();
        let mut restraints: Restraints = self.wardens.restraints().clone();
        let names = self.owners.as_ref().map(|it| it.strangers_words(place, self.handed_in(place)));
        let tools = ReadablePaths::tools_of(&build, &names.unwrap_or_default());
        // Its own home is not where rustup is.
        let rustup =
            tools.iter().find(|tool| tool.ends_with(RUSTUP)).and_then(|path| path.to_str());
        let variables: Vec<_> =
            rustup.map(|home| ("RUSTUP_HOME".to_owned(), home.to_owned())).into_iter().collect();
        let mut reach = ReadablePaths { tools, ..ReadablePaths::default() };
        reach.own.extend(places.read.iter().cloned());
        if let Some(sandbox) = &mut restraints.sandbox {
            sandbox.write.extend(places.write.iter().cloned());
            (sandbox.loopback, sandbox.builds) = (false, true);
        }
        let limit = restraints.resources.file_size.filter(|_| restraints.sandbox.is_some());
        let command =
            BotCommand::new(None, build.clone()).map_err(|error| not_built(error.to_string()))?;
        let mut command = command.in_place(None, variables);
        command.reach = Some(Box::new(reach));
        let wardens = Wardens::new(restraints, Some(self.interrupt)).map_err(|error| {
            failed(format!("a build failed: {error}"), error.is_out_of_processes())
        })?;
        // Before it runs, for it may write at once.
        let files = limit.map(|limit| BuildFiles::new(&places.write, limit).ok_or(limit));
        let Ok(mut files) = files.transpose() else {
            return Err(not_built(format!(
                "there are more than {MOST_LOOKED_AT} files in its folder, or folders deeper than \
                 {DEEPEST}"
            )));
        };
        let mut process = Bot::new(&command, &wardens);
        // The first of its errors are those to look at.
        let beginning = StderrCopy::default();
        process.copy_stderr_to(Some(beginning.clone()));
        if let Err(trouble) = process.ready() {
            return Err(self.not_started(place, DisqualifiedFor::NotBuilt, trouble));
        }
        let mut is_beyond = false;
        let mut goes_on = || {
            is_beyond = files.as_mut().is_some_and(BuildFiles::are_seen_to_take_too_much);
            !is_beyond && !self.interrupt.is_raised()
        };
        let finished = process.finish(at_most, Some(&mut goes_on));
        let is_its_own = finished.as_ref().map_or(Ok(()), Finished::is_its_own_end);
        is_its_own
            .map_err(|trouble| self.not_started(place, DisqualifiedFor::NotBuilt, trouble))?;
        let (how, cause, stdout) =
            finished.map(|it| (it.how, it.cause, it.stdout)).unwrap_or_default();
        // It may have ended before anybody looked.
        is_beyond |= files.as_mut().is_some_and(BuildFiles::take_too_much);
        if let Some(files) = files.filter(|_| is_beyond) {
            files.undo_growth();
        }
        let beyond = limit.filter(|_| is_beyond);
        let how = match (how, beyond) {
            (Some(Ended::Code(0)), None) => {
                self.keep_build_output(place, None);
                return Ok(());
            }
            (_, Some(limit)) => {
                format!(
                    "its files take more than --file-size {}, are more than {MOST_FILES}, or lie in \
                     more than {DEEPEST} folders",
                    text::bytes(limit)
                )
            }
            (Some(Ended::ClosedStdout), _) => "the build closed its output and went on".to_owned(),
            (Some(how), _) => format!("the build {how}"),
            (None, _) => {
                format!("the build took longer than {}", duration_in_words(at_most))
            }
        };
        let Taken { pieces, dropped } = beginning.take();
        let mut stderr: Vec<u8> = pieces.into_iter().flat_map(|piece| piece.bytes).collect();
        if dropped > 0 {
            // Whole lines, for their places are looked at.
            let lines = stderr.iter().rposition(|&byte| byte == b'\n');
            stderr.truncate(lines.map_or(stderr.len(), |end| end + 1));
        }
        let wrote = if stderr.is_empty() { stdout } else { stderr };
        let mut output = own_files_first(&String::from_utf8_lossy(&wrote), &build);
        if dropped > 0 {
            output += "…\n";
        }
        self.keep_build_output(place, Some(&output));
        self.output.set(Some(beginning_of(&output)));
        let error = first_error(&output);
        let error = (!error.is_empty()).then(|| text::quoted(error.as_bytes()));
        let cause = cause.and_then(|cause| cause.system_in_words());
        let parts: Vec<String> = [cause, Some(how), error].into_iter().flatten().collect();
        Err(not_built(parts.join(": ") + &self.misplaced_file(place)))
    }

    /// That a build names the bot's file without its folder, as `{file}` does: builds run in the
    /// folder of the configuration. Empty if this one does not.
    fn misplaced_file(&self, place: usize) -> String {
        let bot = &self.preparation.plan.bots[place];
        let is_misplaced = |word: &&String| {
            let named = Path::new(word).file_name();
            let is_own = |file: &String| word != &file && Path::new(file).file_name() == named;
            !word.contains('/') && !self.folder.join(word).exists() && bot.files.iter().any(is_own)
        };
        bot.build.iter().skip(1).find(is_misplaced).map_or_else(String::new, |word| {
            let word = text::printable(word);
            format!("; a build runs in the folder of the config, where there is no {word}: write {{path}}")
        })
    }

    /// Keeps the output of a failed build for the bot's author; without `output` removes an older one.
    fn keep_build_output(&self, place: usize, output: Option<&str>) {
        let Some(folders) = &self.preparation.logs.of_bots else { return };
        // The page is written without it.
        let _ = match output {
            Some(output) => folders.write(place, BUILD_OUTPUT, output.as_bytes()),
            None => fs::remove_file(folders.of_bot(place).join(BUILD_OUTPUT)),
        };
    }
}

fn not_built(why: impl std::fmt::Display) -> WorkerReport {
    refused(DisqualifiedFor::NotBuilt, why)
}

/// Makes the folders that a build needs and the files that it may not make itself. Returns those
/// files. None of them lies in a folder that another build may write to.
fn make_places(places: &BuildPlaces) -> Result<Vec<PathBuf>, String> {
    let mut made = Vec::new();
    let failed = |path: &Path, error: io::Error| format!("{}: {error}", printable_path(path));
    for folder in &places.folders {
        DirBuilder::new().recursive(true).create(folder).map_err(|error| failed(folder, error))?;
    }
    for path in &places.files {
        let mut options = File::options();
        match options.write(true).create_new(true).mode(0o755).open(path) {
            Ok(_) => made.push(path.clone()),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(failed(path, error)),
        }
    }
    Ok(made)
}

/// Lets a program be run that a build has made, which may change no file's mode itself.
fn make_executable(path: &Path) {
    let mut options = File::options();
    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed();
    let Ok(mut file) = options.read(true).custom_flags(flags).open(path) else { return };
    let Ok(metadata) = file.metadata() else { return };
    let mut start = [0; 4];
    let is_program =
        file.read_exact(&mut start).is_ok() && (start == *b"\x7fELF" || start.starts_with(b"#!"));
    if is_program && metadata.is_file() && metadata.nlink() == 1 {
        let mode = metadata.mode() & 0o777;
        // Where it is not ours, it stays as it is.
        let _ = file.set_permissions(Permissions::from_mode(mode | (mode & 0o444) >> 2));
    }
}
