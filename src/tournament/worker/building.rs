//! Builds of bots, kept as bots are.

use std::time::Duration;

use super::{Worker, words_of};
use crate::bot::{BotCommand, Restraints};
use crate::referee::Ended;
use crate::session::Session;
use crate::text;

impl Worker<'_> {
    /// Runs a bot's build, kept as bots are but for the sandbox, which would not let it write.
    pub(super) fn build(&self, place: usize, at_most: Duration) -> Result<(), String> {
        let build = &self.preparation.bots[place].build;
        let restraints = Restraints { sandbox: None, ..self.session.restraints().clone() };
        let command = BotCommand::new(None, build.clone()).map_err(|error| error.to_string())?;
        let session =
            Session::open(restraints, Some(self.interrupt)).map_err(|error| error.to_string())?;
        let mut process = session.bot(&command);
        process.ready().map_err(words_of)?;
        let (how, output) = match process.finish(at_most, Some(self.interrupt)) {
            Some(finished) => {
                let stdout = String::from_utf8_lossy(&finished.stdout).into_owned();
                (finished.how, if finished.stderr.is_empty() { stdout } else { finished.stderr })
            }
            None => (None, String::new()),
        };
        let how = match how {
            Some(Ended::Code(0)) => return Ok(()),
            Some(Ended::Code(code)) => format!("the build exited with code {code}"),
            Some(Ended::Signal(signal)) => format!("the build was ended by signal {signal}"),
            Some(Ended::ClosedStdout) => "the build closed its output and went on".to_owned(),
            None => format!("the build took longer than {}", humantime::format_duration(at_most)),
        };
        let words = text::quoted(first_error(&output).as_bytes());
        Err(if words.is_empty() { how } else { format!("{how}: {words}") })
    }
}

/// The line of a compiler's output that says what is wrong, or its last one.
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
    fn of_a_compilers_output_the_error_is_told() {
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
