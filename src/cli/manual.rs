//! `mancala completions` and `mancala man`: what shells and readers of manuals take from the
//! command line's own definition.

use clap::CommandFactory;
use clap_complete::Shell;

use super::failure::{CliResult, Failure, print_result};

/// Print the completions of this program's options for a shell.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  mancala completions bash > ~/.local/share/bash-completion/completions/mancala
  mancala completions zsh > ~/.zfunc/_mancala
  mancala completions fish > ~/.config/fish/completions/mancala.fish")]
pub(super) struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

pub(super) fn completions(args: &CompletionsArgs) -> CliResult {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut shown(), "mancala", &mut text);
    print_result(&String::from_utf8_lossy(&text))
}

/// Print the manual page of the program or of one of its commands, as input for man.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  mancala man | man -l -
  mancala man match > ~/.local/share/man/man1/mancala-match.1")]
pub(super) struct ManArgs {
    /// The command, such as match
    command: Option<String>,
}

pub(super) fn man(args: &ManArgs) -> CliResult {
    let program = shown();
    let page = match &args.command {
        None => program,
        Some(name) => {
            let Some(command) = program.find_subcommand(name) else {
                let names: Vec<&str> =
                    program.get_subcommands().map(clap::Command::get_name).collect();
                let name = crate::text::printable(name);
                let names = names.join(", ");
                return Err(Failure::Usage(format!("no command {name:?}; there are {names}")));
            };
            let full = format!("mancala-{name}");
            command
                .clone()
                .name(full.clone())
                .display_name(full)
                .bin_name(format!("mancala {name}"))
        }
    };
    let usage = page.clone().render_usage().to_string();
    let mut text = Vec::new();
    let written = clap_mangen::Man::new(page).render(&mut text);
    written.map_err(|error| Failure::Work(format!("cannot make the page: {error}")))?;
    // The examples of the help stand under their own title.
    let page = with_usage(&String::from_utf8_lossy(&text), &usage);
    print_result(&page.replace(".SH EXTRA\nExamples:\n", ".SH EXAMPLES\n"))
}

/// The page with the usage of the help in place of a synopsis that has the options without their
/// values.
fn with_usage(page: &str, usage: &str) -> String {
    const SYNOPSIS: &str = ".SH SYNOPSIS\n";
    let usage = usage.trim_start_matches("Usage:").trim().replace('-', "\\-");
    let Some((before, rest)) = page.split_once(SYNOPSIS) else { return page.to_owned() };
    let (_, behind) = rest.split_once("\n.SH ").unwrap_or((rest, ""));
    format!("{before}{SYNOPSIS}{usage}\n.SH {behind}")
}

/// The command line without what users have no use for.
fn shown() -> clap::Command {
    let all = super::Cli::command();
    let hidden = |command: &clap::Command| command.is_hide_set();
    let visible: Vec<clap::Command> =
        all.get_subcommands().filter(|command| !hidden(command)).cloned().collect();
    let about = all.get_about().cloned().unwrap_or_default();
    let more = all.get_long_about().cloned().unwrap_or_default();
    clap::Command::new("mancala")
        .version(env!("CARGO_PKG_VERSION"))
        .about(about)
        .long_about(more)
        .after_help(all.get_after_help().cloned().unwrap_or_default())
        .subcommands(visible)
}
