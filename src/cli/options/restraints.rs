//! The options that say what a bot may use of the machine.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::time::duration;
use super::whole;
use crate::bot::find_program;
use crate::cli::failure::{CliResult, Failure};
use crate::record::{Ponder, Resources, Restraints, Sandbox};
use crate::text::{bytes, printable};

/// What a bot may use.
#[derive(Args)]
#[command(next_help_heading = "What a bot may use")]
pub(in crate::cli) struct RestraintArgs {
    /// The memory of all of a bot's processes together, such as 256MiB, or none
    /// [default: 1GiB]
    #[arg(long, value_name = "SIZE", value_parser = size_or_none(LEAST_MEMORY), allow_hyphen_values = true)]
    memory: Option<Cap<u64>>,

    /// A bot's processes and threads at once, or none [default: 256]
    #[arg(long, value_name = "N", value_parser = processes, allow_hyphen_values = true)]
    processes: Option<Cap<u32>>,

    /// The size of each file that a bot writes (in the sandbox of all its files together), or none
    /// [default: 64MiB]
    #[arg(long, value_name = "SIZE", value_parser = size_or_none(1 << 10), allow_hyphen_values = true)]
    file_size: Option<Cap<u64>>,

    /// The processor time of each of a bot's processes, in whole seconds such as 90s, or none
    /// [default: 1h]
    #[arg(long, value_name = "TIME", value_parser = cpu_time, allow_hyphen_values = true)]
    cpu_time: Option<Cap<Duration>>,

    /// Keep each bot in a sandbox: it reads its own folder and the system's programs, writes to a
    /// temporary folder of its own, has no network and cannot reach other processes (Linux 6.12, or
    /// 5.13 where user namespaces are allowed)
    #[arg(long)]
    sandbox: bool,

    /// In the sandbox the bots may also read and run this file or folder; may be given several times
    #[arg(long, value_name = "PATH", value_parser = path)]
    allow_read: Vec<PathBuf>,

    /// In the sandbox the bots may also write to this file or folder; may be given several times
    #[arg(long, value_name = "PATH", value_parser = path)]
    allow_write: Vec<PathBuf>,

    /// In the sandbox each bot may also use TCP on a loopback of its own, which nobody else reaches:
    /// for examples/adapters/kgp.py (needs user namespaces)
    #[arg(long)]
    allow_loopback: bool,

    /// What a bot may do during its opponent's turn: allow it to think, or freeze all its processes
    /// once it uses the processor [default: freeze in the sandbox and
    /// in a tournament, else allow]
    #[arg(long, value_name = "allow|freeze")]
    ponder: Option<Ponder>,

    /// Run every bot's command line behind this command, such as "nice -n 5"
    #[arg(long, value_name = "COMMAND", value_parser = wrap)]
    wrap: Option<Words>,

    /// Pass this environment variable on to the bots; may be given several times [default: only what
    /// programs need to run, such as PATH, HOME, LANG and PYTHONPATH]
    #[arg(long, value_name = "NAME", value_parser = variable)]
    env: Vec<String>,
}

impl RestraintArgs {
    /// These restraints with those that were given in their place.
    ///
    /// # Errors
    ///
    /// [`Failure::Usage`] when something is opened that is not closed.
    pub(in crate::cli) fn apply(&self, restraints: Restraints) -> CliResult<Restraints> {
        for (option, paths) in
            [("--allow-read", &self.allow_read), ("--allow-write", &self.allow_write)]
        {
            if !self.sandbox && !paths.is_empty() {
                let why = "without it a bot may read and write what its user may";
                return Err(Failure::Usage(format!("{option} needs --sandbox; {why}")));
            }
        }
        let why = "--allow-loopback needs --sandbox; without it a bot has the whole network";
        Failure::refuse_if(self.allow_loopback && !self.sandbox, why)?;
        let resources = restraints.resources;
        Ok(Restraints {
            resources: Resources {
                memory: self.memory.map_or(resources.memory, |cap| cap.0),
                processes: self.processes.map_or(resources.processes, |cap| cap.0),
                file_size: self.file_size.map_or(resources.file_size, |cap| cap.0),
                cpu_time: self.cpu_time.map_or(resources.cpu_time, |cap| cap.0),
            },
            sandbox: self.sandbox.then(|| Sandbox {
                read: self.allow_read.clone(),
                write: self.allow_write.clone(),
                loopback: self.allow_loopback,
                builds: false,
            }),
            wrap: self.wrap.clone().unwrap_or_default(),
            environment: self.env.clone(),
            ponder: self.ponder.unwrap_or(if self.sandbox {
                Ponder::Freeze
            } else {
                restraints.ponder
            }),
        })
    }
}

/// The value of one option; clap takes a `Vec` for an option that may be given several times.
type Words = Vec<String>;

/// A limit that can be turned off.
#[derive(Clone, Copy)]
pub(in crate::cli) struct Cap<T>(pub(in crate::cli) Option<T>);

/// `none`, or what `parse` makes of the text.
fn cap<T>(text: &str, parse: impl Fn(&str) -> Result<T, String>) -> Result<Cap<T>, String> {
    if text == "none" {
        return Ok(Cap(None));
    }
    parse(text).map(|limit| Cap(Some(limit))).map_err(|why| format!("{why}, or none"))
}

/// An interpreter needs at least this to start.
const LEAST_MEMORY: u64 = 16 << 20;

/// A parser for a size of at least `least` bytes, or `none`.
pub(in crate::cli) fn size_or_none(
    least: u64,
) -> impl Fn(&str) -> Result<Cap<u64>, String> + Clone {
    move |text| cap(text, |text| size(text, least, 1 << 44))
}

/// A number of bytes between these, both allowed.
pub(in crate::cli) fn size(text: &str, least: u64, most: u64) -> Result<u64, String> {
    let expected = || "expected a size with its unit, such as 256MiB or 2GiB".to_owned();
    let digits = text.find(|c: char| !c.is_ascii_digit()).ok_or_else(expected)?;
    let (number, unit) = text.split_at(digits);
    // As in times, a blank may stand between them.
    let unit: u64 = match unit.trim_start() {
        "KiB" | "K" => 1 << 10,
        "MiB" | "M" => 1 << 20,
        "GiB" | "G" => 1 << 30,
        "TiB" | "T" => 1 << 40,
        _ => return Err(expected()),
    };
    let number: u64 = number.parse().map_err(|_| expected())?;
    let size = number.checked_mul(unit).filter(|size| (least..=most).contains(size));
    size.ok_or_else(|| format!("must be from {} to {}", bytes(least), bytes(most)))
}

fn processes(text: &str) -> Result<Cap<u32>, String> {
    cap(text, whole(1..=1_000_000))
}

fn cpu_time(text: &str) -> Result<Cap<Duration>, String> {
    cap(text, |text| {
        let time = duration(text)?;
        if time.is_zero() || time.subsec_nanos() != 0 {
            return Err("processor time is counted in whole seconds, 1s at least".to_owned());
        }
        Ok(time)
    })
}

/// A path that is there, as the kernel knows it.
fn path(text: &str) -> Result<PathBuf, String> {
    let path = std::fs::canonicalize(text).map_err(|error| format!("cannot allow it: {error}"))?;
    // It goes into the record, which is text.
    if path.to_str().is_none() {
        return Err("cannot allow it: its full path is not UTF-8".to_owned());
    }
    Ok(path)
}

fn wrap(text: &str) -> Result<Words, String> {
    let words = shell_words::split(text).map_err(|_| "a quote is not closed".to_owned())?;
    if words.first().is_none_or(String::is_empty) {
        return Err("expected a command, such as \"nice -n 5\"".to_owned());
    }
    // Or each bot would seem not to start.
    if !words[0].contains('/') && find_program(&words[0]).is_none() {
        return Err(format!("{} is not found on the PATH", printable(&words[0])));
    }
    Ok(words)
}

fn variable(text: &str) -> Result<String, String> {
    if text.is_empty() || text.contains(['=', '\0']) {
        let shown = printable(text);
        return Err(format!(
            "{shown:?} is not a valid name of a variable; `env NAME=VALUE` in front of a bot sets one"
        ));
    }
    Ok(text.to_owned())
}
