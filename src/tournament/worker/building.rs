//! Builds of bots, kept as bots are.

use std::time::Duration;

use super::compiler_output::own_files_first;
use super::{TrialError, Worker};
use crate::bot::{BotCommand, Restraints};
use crate::referee::Ended;
use crate::session::Session;
use crate::text;
use crate::tournament::logs::BUILD_OUTPUT;

impl Worker<'_> {
    /// Runs a bot's build, kept as bots are but for the sandbox, which would not let it write.
    pub(super) fn build(&self, place: usize, at_most: Duration) -> Result<(), TrialError> {
        let refused = |why: String| TrialError::Refused(format!("does not build: {why}"));
        let build = self.preparation.plan.bots[place].build.clone();
        let restraints = Restraints { sandbox: None, ..self.session.restraints().clone() };
        let command =
            BotCommand::new(None, build.clone()).map_err(|error| refused(error.to_string()))?;
        let session = Session::open(restraints, Some(self.interrupt))
            .map_err(|error| TrialError::Failed(format!("a build failed: {error}")))?;
        let mut process = session.bot(&command);
        if let Err(trouble) = process.ready() {
            return Err(self.not_started(place, "does not build", trouble));
        }
        let finished = process.finish(at_most, Some(self.interrupt));
        let (how, cause, stdout, stderr) =
            finished.map(|it| (it.how, it.cause, it.stdout, it.stderr)).unwrap_or_default();
        let how = match how {
            Some(Ended::Code(0)) => {
                self.keep_build_output(place, None);
                return Ok(());
            }
            Some(Ended::ClosedStdout) => "the build closed its output and went on".to_owned(),
            Some(how) => format!("the build {how}"),
            None => format!("the build took longer than {}", humantime::format_duration(at_most)),
        };
        let stdout = String::from_utf8_lossy(&stdout);
        let output = own_files_first(if stderr.is_empty() { &stdout } else { &stderr }, &build);
        self.keep_build_output(place, Some(&output));
        let error = first_error(&output);
        let error = (!error.is_empty()).then(|| text::quoted(error.as_bytes()));
        let cause = cause.and_then(|cause| cause.system_in_words());
        let parts: Vec<String> = [cause, Some(how), error].into_iter().flatten().collect();
        Err(refused(parts.join(": ")))
    }

    /// Keeps the output of a failed build for the bot's author; without `output` removes an older one.
    fn keep_build_output(&self, place: usize, output: Option<&str>) {
        let Some(folders) = &self.preparation.logs.of_bots else { return };
        let path = folders.of_bot(place).join(BUILD_OUTPUT);
        // The page is written without it.
        let _ = match output {
            Some(output) => std::fs::write(path, output),
            None => std::fs::remove_file(path),
        };
    }
}

/// The first line of a compiler's output that names an error, else its last line.
fn first_error(output: &str) -> &str {
    let lines = || output.lines().map(str::trim).filter(|line| !line.is_empty());
    let names_it = |line: &&str| {
        let line = line.to_ascii_lowercase();
        line.contains("error:") || line.contains("error[") || line.starts_with("error")
    };
    lines().find(names_it).or_else(|| lines().next_back()).unwrap_or("")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_error_is_found_in_compiler_output() {
        let gcc =
            "a.c: In function 'main':\na.c:3:5: warning: x\na.c:4:1: error: expected ';'\n  }\n";
        assert_eq!(first_error(gcc), "a.c:4:1: error: expected ';'");
        assert_eq!(
            first_error("error[E0425]: cannot find\n --> x.rs"),
            "error[E0425]: cannot find"
        );
        assert_eq!(first_error("one\n\n two \n\n"), "two");
        assert_eq!(first_error(""), "");
    }
}
