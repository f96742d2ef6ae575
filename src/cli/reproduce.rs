//! `mancala reproduce`: asks a bot again what it was asked when it was at fault.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Arg;

use super::failure::{CliResult, Failure, Verdict, conclude};
use super::options::{AnswerTimeArgs, QuietArgs, RestraintArgs};
use super::output::Output;
use super::prepare::prepare;
use super::sandbox_notice::print_sandbox_notice;
use crate::bot::{Bot, BotCommand, Interrupt, StopSteps, Wardens, end_all};
use crate::log::{
    Bundle, LimitChanges, Question, ReproduceError, Reproduced, Subject, reproduce,
    write_comparison,
};
use crate::record::{Restraints, Sandbox, milliseconds};
use crate::referee::{Answer, REPLAYS, Trouble};
use crate::report::print_message;
use crate::text::{printable, printable_path};

/// Ask a bot again what it was asked when it was at fault, and judge its answer.
///
/// BUNDLE is a file that mancala match --log made, with "reproduce" in it: the command line that
/// shows the fault again. BOT is a command line as in mancala match, the same one or another. The
/// bot is sent the start of the round and the same turn; its answer, time and verdict are shown beside
/// those of the match.
///
/// Exit codes: 0 the bot was asked, whatever it did; 1 it could not be asked; 2 the command line is
/// wrong; 3 it is at fault again (with --strict); 130 interrupted.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  mancala reproduce logs/a-vs-b-1/fault-1-2-a.json ./my_bot
  mancala reproduce --run logs/a-vs-b-1/fault-1-2-a.json
  mancala reproduce --move-time 5s fault-2-7-a.json \"python3 my_bot.py\"", mut_args = as_in_the_bundle)]
pub(super) struct Args {
    /// The bundle of the fault: a file fault-….json
    bundle: PathBuf,

    /// The bot to ask. Give this or --run; without either, an error names the bundle's own command
    /// (exit code 2)
    #[arg(conflicts_with = "run")]
    bot: Option<BotCommand>,

    /// Ask the bundle's own bot: run the command that the bundle names. Only for bundles that you
    /// trust
    #[arg(long)]
    run: bool,

    /// Also send everything that the process was sent before, from its start on: for a bot that keeps
    /// state, or a fault that depends on earlier turns
    #[arg(long)]
    from_start: bool,

    /// The bot's working folder [default: the current folder; with --run the bundle's, relative to
    /// the current one]
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,

    #[command(flatten)]
    time: AnswerTimeArgs,

    #[command(flatten)]
    restraints: RestraintArgs,

    #[command(flatten)]
    quiet: QuietArgs,

    /// Exit with code 3 when the bot is at fault again
    #[arg(long, help_heading = "Output")]
    strict: bool,
}

/// Makes the help page name the bundle's value as the default, not that of a match.
fn as_in_the_bundle(option: Arg) -> Arg {
    const OF_THE_BUNDLE: [&str; 7] =
        ["move_time", "start_time", "margin", "memory", "processes", "file_size", "cpu_time"];
    let help = option.get_help().map(ToString::to_string).unwrap_or_default();
    match help.rsplit_once(" [default: ") {
        Some((help, _)) if OF_THE_BUNDLE.contains(&option.get_id().as_str()) => {
            option.help(format!("{help} [default: the bundle's]"))
        }
        _ => option,
    }
}

pub(super) fn run(args: &Args) -> CliResult {
    let shown = printable_path(&args.bundle);
    let bundle = Bundle::read(&args.bundle).map_err(|error| not_a_bundle(args, &error))?;
    if args.from_start && bundle.told.is_none() {
        return Err(Failure::Work(format!(
            "the bundle {shown} does not hold what was sent before: it was too much to keep, or the \
             process came from an earlier match; leave out --from-start"
        )));
    }
    let bot = bot_to_ask(args, &bundle)?.in_place(folder_of_bot(args, &bundle)?, Vec::new());
    let interrupt = prepare(StopSteps::EndThenExit)?;
    // A bundle may be anybody's file: its command runs only with --run, and it permits nothing.
    let restraints = args.restraints.apply(bundle.terms.keeping.clone())?;
    if let Some(dir) = bundle.dir.as_ref().filter(|_| bot.folder.is_none()) {
        let dir = printable(&shell_words::quote(&dir.to_string_lossy()));
        print_message(&format!(
            "it ran in the folder {dir} in the match; add --dir {dir} to run it there"
        ));
    }
    print_differences(&bundle, &restraints);
    let wardens = Wardens::new(restraints, Some(&interrupt))?;
    let AnswerTimeArgs { move_time, start_time, margin } = args.time;
    let changes = LimitChanges { move_time, start_time, margin };
    let mut out = Output::new();
    // The bot is asked again when the machine was late, as often as a round is played again.
    let mut retries = REPLAYS;
    let (question, again, stderr) = loop {
        let question = Question { bundle: &bundle, from_start: args.from_start, changes };
        match ask(&bot, &wardens, question, args.quiet, &mut out)? {
            Ok((again, stderr)) => break (question, again, stderr),
            Err(late_by) if retries == 0 => {
                return Err(Failure::Work(format!(
                    "the machine was {:.1} ms late, which says nothing about the bot",
                    milliseconds(late_by)
                )));
            }
            Err(_) => retries -= 1,
        }
        // Written to memory.
        let _ = writeln!(out, "\nThe bot is started and asked once more.\n");
    };
    let written = write_comparison(&mut out, question, &again, &stderr).and_then(|()| out.flush());
    conclude(Ok(Verdict::of(args.strict && again.fault.is_some())), written)
}

/// Prints on stderr what the bot had in the match and does not have now.
fn print_differences(bundle: &Bundle, now: &Restraints) {
    let then = &bundle.terms.keeping;
    if !then.wrap.is_empty() && then.wrap != now.wrap {
        let wrap = shell_words::join(&then.wrap);
        let wrap = printable(&shell_words::quote(&wrap));
        print_message(&format!(
            "it ran behind a wrapper in the match; add --wrap {wrap} to run it so now"
        ));
    }
    match (&then.sandbox, &now.sandbox) {
        (Some(_), None) => {
            print_message("it ran in the sandbox in the match; add --sandbox to run it there now");
        }
        (Some(then), Some(now)) => print_closed(then, now),
        (None, _) => {}
    }
    for name in bundle.environment.iter().filter(|name| !now.environment.contains(name)) {
        let name = printable(name);
        print_message(&format!(
            "it was given the variable {name} in the match; add --env {name} to give it that now"
        ));
    }
    for name in now.environment.iter().filter(|name| std::env::var_os(name).is_none()) {
        let name = printable(name);
        print_message(&format!("the variable {name} is not set here; the bot runs without it"));
    }
}

/// Prints what the sandbox of the match had open for the bot, and the one now has not.
fn print_closed(then: &Sandbox, now: &Sandbox) {
    for (what, option, then, now) in [
        ("read and run", "--allow-read", &then.read, &now.read),
        ("write to", "--allow-write", &then.write, &now.write),
    ] {
        for path in then.iter().filter(|path| !now.contains(path)) {
            let path = printable(&shell_words::quote(&path.to_string_lossy()));
            print_message(&format!(
                "it could {what} {path} in the match; add {option} {path} to allow that now"
            ));
        }
    }
    if then.loopback && !now.loopback {
        print_message(
            "it had a loopback of its own in the match; add --allow-loopback to give it that now",
        );
    }
}

/// The failure to read the bundle. Who gives a bot in its place is told the order.
fn not_a_bundle(args: &Args, error: &str) -> Failure {
    let shown = printable_path(&args.bundle);
    let file = args.bot.as_ref().map(|bot| &*bot.words()[0]);
    if let Some(file) = file.filter(|file| is_bundle(Path::new(file))) {
        let file = printable(file);
        return Failure::Usage(format!(
            "{file} is a bundle, and comes first: mancala reproduce {file} \"{shown}\""
        ));
    }
    let is_a_name = args.bundle.exists() || args.bundle.extension().is_some_and(|it| it == "json");
    let order = if is_a_name { "" } else { "; the bundle comes first, then the bot" };
    Failure::Work(format!("{shown} {error}{order}"))
}

fn is_bundle(file: &Path) -> bool {
    file.is_file() && Bundle::read(file).is_ok()
}

/// The bot that the user named, or with `--run` that of the bundle.
fn bot_to_ask(args: &Args, bundle: &Bundle) -> CliResult<BotCommand> {
    let command = shell_words::join(&bundle.bot.command);
    let shown = printable(&command);
    match &args.bot {
        Some(bot) if is_bundle(Path::new(&bot.words()[0])) => {
            let second = printable(&bot.words()[0]);
            Err(Failure::Usage(format!(
                "{second} is a bundle, too; give one BUNDLE, and then BOT, the command line of the \
                 bot to ask: {shown}"
            )))
        }
        Some(bot) => Ok(bot.clone()),
        None if args.run => command.parse().map_err(|error| {
            Failure::Work(format!("the bundle's command, {shown}, cannot be run: {error}"))
        }),
        None => Err(Failure::Usage(format!(
            "name the bot to ask, or add --run to run the bundle's own command: {shown}"
        ))),
    }
}

/// The working folder of the bot; `None` for the current one.
fn folder_of_bot(args: &Args, bundle: &Bundle) -> CliResult<Option<PathBuf>> {
    let of_bundle = bundle.dir.as_ref().filter(|_| args.run);
    match args.dir.as_ref().or(of_bundle) {
        Some(dir) if !dir.is_dir() => {
            let whose = if args.dir.is_some() { "--dir" } else { "the bundle's dir" };
            let advice =
                "run this where the tournament was run, or give the bot's folder with --dir";
            Err(Failure::Work(format!(
                "{whose}: {} is not a folder; {advice}",
                printable_path(dir)
            )))
        }
        dir => Ok(dir.cloned()),
    }
}

/// Starts the bot, asks it, and ends it. Returns what it did and the end of its stderr, or how late
/// the machine was.
fn ask(
    command: &BotCommand,
    wardens: &Wardens,
    question: Question<'_>,
    quiet: QuietArgs,
    out: &mut impl Write,
) -> CliResult<Result<(Reproduced, String), Duration>> {
    let cannot_ask = |trouble| match trouble {
        Trouble::CannotStart(why) => {
            Failure::Work(format!("cannot start bot \"{}\": {why}", command.name()))
        }
        Trouble::Interrupted => Failure::Interrupted,
        other => Failure::Work(format!("cannot ask the bot: {}", other.into_error())),
    };
    let mut bot = Bot::new(command, wardens);
    let keeping = wardens.restraints();
    print_sandbox_notice(&[(&command.name(), &bot.reach)], keeping, quiet.is_quiet());
    bot.ready().map_err(cannot_ask)?;
    let mut asked = AskedBot { bot, interrupt: wardens.interrupt() };
    let again = match reproduce(question, &mut asked, out) {
        Ok(again) => again,
        Err(ReproduceError::RefereeLate(late_by)) => return Ok(Err(late_by)),
        Err(ReproduceError::Output(error)) => return Err(Failure::of_stdout(&error)),
        Err(ReproduceError::Trouble(trouble)) => return Err(cannot_ask(trouble)),
    };
    let stderr = asked.bot.stderr_tail();
    if again.fault.is_none() {
        end_all([asked.bot]);
    }
    Ok(Ok((again, stderr)))
}

/// The process of the bot that is asked.
struct AskedBot<'a> {
    bot: Bot,
    interrupt: Option<&'a Interrupt>,
}

impl Subject for AskedBot<'_> {
    fn send(&mut self, line: &[u8]) {
        self.bot.send_line(line);
    }

    fn ask(&mut self, line: &[u8], late_after: Duration) -> Result<Answer, Trouble> {
        if self.interrupt.is_some_and(Interrupt::is_raised) {
            return Err(Trouble::Interrupted);
        }
        self.bot.ask_line(line, late_after, None, self.interrupt)
    }
}
