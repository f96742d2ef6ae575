//! What a bot's command line tells for the advice: the language, in which stdout is flushed in its
//! own way, and whether there is an adapter.

use std::path::Path;

use crate::bot::{ADAPTERS, without_version};

/// A language: programs that run it, endings of its files, and how it flushes stdout.
type Language = (&'static [&'static str], &'static [&'static str], &'static str);

const LANGUAGES: [Language; 17] = [
    (&["python", "pypy"], &["py"], "In Python: print(move, flush=True), or python3 -u."),
    (
        &["node", "deno", "bun"],
        &["js", "mjs", "ts"],
        "In JavaScript: print with console.log, which \
        writes at once, and not when the process exits.",
    ),
    (
        &["java"],
        &["java", "jar", "class"],
        "In Java: System.out.println(move), or call flush() on \
        the PrintWriter or BufferedWriter that you print to.",
    ),
    (&["kotlin", "scala"], &["kt", "kts", "scala"], "On the JVM: System.out.flush()."),
    (&["ruby"], &["rb"], "In Ruby: $stdout.sync = true at the start, or $stdout.flush."),
    (&["perl"], &["pl"], "In Perl: $| = 1; at the start."),
    (&["lua", "luajit"], &["lua"], "In Lua: io.stdout:flush()."),
    (&["php"], &["php"], "In PHP: fflush(STDOUT), and no output buffering (ob_start)."),
    (&["go"], &["go"], "In Go: Flush() on the bufio.Writer that you print to."),
    (&["dotnet", "mono"], &["cs", "dll", "exe"], "In C#: Console.Out.Flush()."),
    (&["cargo"], &["rs"], "In Rust: std::io::stdout().flush(), and flush() on a BufWriter."),
    (&["Rscript"], &["R"], "In R: flush(stdout())."),
    (&["julia"], &["jl"], "In Julia: flush(stdout)."),
    (&["runghc", "ghc"], &["hs"], "In Haskell: hSetBuffering stdout LineBuffering at the start."),
    (
        &["awk", "gawk", "mawk"],
        &["awk"],
        "In awk: fflush(); mawk needs -W interactive to read, too.",
    ),
    (
        &["sh", "bash", "dash", "zsh"],
        &["sh"],
        "In a shell: a filter behind a pipe keeps its output \
        back; give it sed -u, grep --line-buffered or stdbuf -oL.",
    ),
    (&["ocaml", "ocamlrun"], &["ml"], "In OCaml: flush stdout, or print_endline."),
];

/// For a program whose language its command line does not tell.
const COMPILED: &str = "In C: fflush(stdout); in C++: std::cout << std::flush; in Rust: \
    std::io::stdout().flush(); in Go: Flush() on a bufio.Writer.";

/// The advice that depends on a bot's command line.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CommandAdvice {
    /// How the bot's language flushes stdout.
    flush: &'static str,
    /// Whether it runs an adapter, which reads messages and flushes its answers.
    pub(super) names_adapter: bool,
    /// Whether it counts its houses from 0, where an option of its adapter says how it counts them.
    counts_from_0: Option<bool>,
}

impl CommandAdvice {
    pub(crate) fn of(command: &[String]) -> CommandAdvice {
        let mut files = command.iter().filter_map(|word| Path::new(word).file_stem()?.to_str());
        let names_adapter =
            files.any(|file| matches!(file, "adapter" | "Adapter") || ADAPTERS.contains(&file));
        let counts_from_0 = counts_from_0(command);
        CommandAdvice { flush: flush_advice(command), names_adapter, counts_from_0 }
    }

    /// The fix with this advice in the places for it.
    pub(super) fn fill_in(self, fix: &str) -> String {
        let hang = if self.names_adapter {
            "Look for an endless loop in your function, or a search without a time limit: it is \
             called for each turn and has to return. If there is none: "
        } else if self.flush == COMPILED {
            // It may be a function that was compiled with an adapter.
            "If an adapter calls your function, look for an endless loop in it, or a search without a \
             time limit. Otherwise: "
        } else {
            ""
        };
        let from_0 = match self.counts_from_0 {
            Some(false) => ", or give the adapter --houses 0, with which houses are 0 to 5",
            _ => "",
        };
        let from_1 = match self.counts_from_0 {
            Some(true) => ", or leave out --houses 0, without which houses are 1 to 6",
            _ => "",
        };
        let words =
            [("{flush}", self.flush), ("{hang}", hang), ("{from_0}", from_0), ("{from_1}", from_1)];
        words.iter().fold(fix.to_owned(), |fix, (place, words)| fix.replace(place, words))
    }
}

/// Whether the option of `lines.py` or `oneshot.py` says that the bot counts its houses from 0;
/// `None` without such a number, behind another adapter or with letters.
fn counts_from_0(command: &[String]) -> Option<bool> {
    let is_adapter = |word: &String| {
        Path::new(word).file_name().is_some_and(|name| name == "lines.py" || name == "oneshot.py")
    };
    let adapter = command.iter().position(is_adapter)?;
    let mut options = command[adapter..].iter().skip_while(|word| !word.starts_with("--houses"));
    let value = options.next().map(|option| match option.split_once('=') {
        Some((_, value)) => Some(value),
        None => options.next().map(String::as_str),
    });
    match value {
        None => Some(false),
        Some(Some("a")) => None,
        Some(value) => Some(value == Some("0")),
    }
}

/// How a bot with this command line flushes stdout, in a sentence or two.
fn flush_advice(command: &[String]) -> &'static str {
    let words = command.iter().map(Path::new);
    // The file of a script tells more than a program that starts others, such as `env` or `nice`,
    // and behind an adapter it is the last one.
    let by_ending = words.clone().rev().find_map(|word| {
        let ending = word.extension()?.to_str()?;
        LANGUAGES.iter().find(|(_, endings, _)| endings.contains(&ending))
    });
    let by_program = words.filter_map(|word| word.file_name()?.to_str()).find_map(|name| {
        let name = without_version(name);
        LANGUAGES.iter().find(|(programs, _, _)| programs.contains(&name))
    });
    by_ending.or(by_program).map_or(COMPILED, |(_, _, advice)| advice)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn behind_an_adapter_the_last_script_tells_the_language() {
        let advice = |command: &str| {
            flush_advice(&command.split(' ').map(str::to_owned).collect::<Vec<_>>())
        };
        assert!(advice("python3 lines.py ./bot.lua").starts_with("In Lua"));
    }

    #[test]
    fn behind_an_adapter_the_first_advice_on_a_hang_is_about_the_function() {
        let hang = |command: &str| {
            let words: Vec<String> = command.split(' ').map(str::to_owned).collect();
            CommandAdvice::of(&words).fill_in("{hang}Read on.")
        };
        for command in [
            "python3 ../learneroo/adapter.py ann.py",
            "java -cp x Adapter Ann.java",
            "python3 examples/adapters/lines.py ./ann",
            "python3 examples/adapters/openspiel.py ann.py",
        ] {
            assert!(hang(command).starts_with("Look for an endless loop in your function"));
        }
        for command in ["python3 ann.py", "python3 adapters_lab/hang.py"] {
            assert_eq!(hang(command), "Read on.");
        }
        let of_a_program = hang("./adapter-2/ann");
        assert!(of_a_program.starts_with("If an adapter calls your function, look for"));
    }
}
