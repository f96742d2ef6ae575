//! What a bot's command line tells for the advice: the language, in which stdout is flushed in its
//! own way, and whether there is an adapter.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use super::adapter::{Adapter, AdviceCase};
use crate::bot::{BotCommand, interpreter_words, without_version};

/// A language: programs that run it, endings of its files, and how it flushes stdout.
type Language = (&'static [&'static str], &'static [&'static str], &'static str);

const LANGUAGES: [Language; 27] = [
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
    (&["swipl"], &["pl", "pro", "prolog"], "In Prolog: flush_output."),
    (
        &["tclsh"],
        &["tcl"],
        "In Tcl: flush stdout, or fconfigure stdout -buffering line at the start.",
    ),
    (&["racket"], &["rkt"], "In Racket: (flush-output)."),
    (&["guile"], &["scm"], "In Guile: (force-output)."),
    (&["sbcl"], &["lisp"], "In Lisp: (finish-output)."),
    (&["octave"], &[], "In Octave: fflush(stdout)."),
    (&["swift"], &["swift"], "In Swift: fflush(stdout)."),
    (&["raku"], &["raku"], "In Raku: $*OUT.flush."),
    (&["crystal"], &["cr"], "In Crystal: STDOUT.flush."),
    (&["nim"], &["nim"], "In Nim: flushFile(stdout)."),
];

/// For a program whose language its command line does not tell.
const COMPILED: &str = "In C: fflush(stdout); in C++: std::cout << std::flush; in Rust: \
    std::io::stdout().flush(); in Go: Flush() on a bufio.Writer.";

/// The advice that depends on a bot's command line.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CommandAdvice {
    /// How the bot's language flushes stdout.
    flush: &'static str,
    /// The adapter that it runs, which reads messages and flushes its answers.
    pub(super) adapter: Option<Adapter>,
    /// Whether it counts its houses from 0, where an option of its adapter says how it counts them.
    counts_from_0: Option<bool>,
}

impl CommandAdvice {
    /// The advice for a bot whose files are there: the first line of a script may tell its language.
    pub(crate) fn of_bot(bot: &BotCommand) -> CommandAdvice {
        let advice = CommandAdvice::of(bot.words());
        if advice.flush != COMPILED {
            return advice;
        }
        let folder = bot.folder.as_deref().unwrap_or(Path::new(""));
        let files = bot.words().iter().filter(|word| word.contains('/'));
        // The last one: those before it only start it.
        let may_be_executed = |file: &PathBuf| {
            file.metadata().is_ok_and(|it| it.is_file() && it.permissions().mode() & 0o111 != 0)
        };
        let program = files.map(|word| folder.join(word)).rfind(may_be_executed);
        let interpreter = program.and_then(|file| interpreter_words(&file));
        CommandAdvice {
            flush: interpreter.map_or(COMPILED, |words| flush_advice(&words)),
            ..advice
        }
    }

    pub(crate) fn of(command: &[String]) -> CommandAdvice {
        let adapter = command.iter().find_map(|word| Adapter::of(word));
        CommandAdvice {
            flush: flush_advice(command),
            adapter,
            counts_from_0: counts_from_0(command),
        }
    }

    /// Whether it runs an adapter.
    pub(crate) const fn has_adapter(self) -> bool {
        self.adapter.is_some()
    }

    /// The fix with this advice in the places for it.
    pub(super) fn fill_in(self, fix: &str) -> String {
        let from_0 = match self.counts_from_0 {
            Some(false) => ", or give the adapter --houses 0, with which houses are 0 to 5",
            _ => "",
        };
        let from_1 = match self.counts_from_0 {
            Some(true) => ", or leave out --houses 0, without which houses are 1 to 6",
            _ => "",
        };
        let case = AdviceCase::ALL.into_iter().find_map(|case| {
            let otherwise = fix.strip_prefix(case.place())?;
            Some(match self.adapter {
                Some(adapter) => adapter.advice(case).unwrap_or_else(|| otherwise.to_owned()),
                // It may be a function that was compiled with an adapter.
                None if self.flush == COMPILED => {
                    format!(
                        "If an adapter calls your function, {}. Otherwise: {otherwise}",
                        case.in_it()
                    )
                }
                None => otherwise.to_owned(),
            })
        });
        let fix = case.unwrap_or_else(|| fix.to_owned());
        let words = [("{flush}", self.flush), ("{from_0}", from_0), ("{from_1}", from_1)];
        words.iter().fold(fix, |fix, (place, words)| fix.replace(place, words))
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
    let of_adapter = command.iter().position(|word| Adapter::of(word).is_some());
    let behind = &command[of_adapter.map_or(0, |place| place + 1)..];
    let names_file = behind.iter().any(|word| word.contains(['/', '.']));
    let words = if names_file { behind } else { command };
    let words = words.iter().map(Path::new);
    let programs = words.clone().filter_map(|word| word.file_name()?.to_str()).map(without_version);
    let programs: Vec<&str> = programs.collect();
    let is_run_by = |(known, _, _): &&Language| known.iter().any(|it| programs.contains(it));
    // The file of a script tells more than a program that starts others, such as `env` or `nice`. Two
    // languages may have one ending.
    let by_ending = words.rev().find_map(|word| {
        let ending = word.extension()?.to_str()?;
        let mut with_ending = LANGUAGES.iter().filter(|(_, endings, _)| endings.contains(&ending));
        with_ending.clone().find(is_run_by).or_else(|| with_ending.next())
    });
    let by_program = || LANGUAGES.iter().find(is_run_by);
    by_ending.or_else(by_program).map_or(COMPILED, |(_, _, advice)| advice)
}

#[cfg(test)]
mod tests {
    use std::fs::Permissions;

    use super::*;

    #[test]
    fn behind_an_adapter_the_last_script_tells_the_language() {
        let advice = |command: &str| {
            flush_advice(&command.split(' ').map(str::to_owned).collect::<Vec<_>>())
        };
        assert!(advice("python3 lines.py ./bot.lua").starts_with("In Lua"));
        assert!(advice("python3 lines.py ./bot").starts_with("In C: "));
        assert!(advice("python3 adapter.py").starts_with("In Python"));
        assert!(advice("java -cp classes Adapter Spread").starts_with("In Java"));
        assert!(advice("nice lua bot").starts_with("In Lua"));
        assert!(advice("perl bot.pl").starts_with("In Perl"));
        assert!(advice("swipl bot.pl").starts_with("In Prolog"));
    }

    #[test]
    fn the_first_line_of_a_script_tells_its_language() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &[u8], mode: u32| {
            let file = folder.path().join(name);
            std::fs::write(&file, text).unwrap();
            std::fs::set_permissions(&file, Permissions::from_mode(mode)).unwrap();
        };
        write("script", b"#!/usr/bin/env python3\nimport sys\n", 0o755);
        write("program", b"\x7fELF", 0o755);
        write("book", b"3 4", 0o644);
        let flush = |words: &str| {
            let bot: BotCommand = words.parse().unwrap();
            CommandAdvice::of_bot(&bot.in_place(Some(folder.path().to_owned()), Vec::new())).flush
        };
        assert!(flush("./script").starts_with("In Python"));
        assert!(flush("nice ./script ./book").starts_with("In Python"));
        for words in ["./program", "./absent", "script", "./script ./program"] {
            assert_eq!(flush(words), COMPILED, "{words}");
        }
    }

    #[test]
    fn advice_is_about_what_the_adapter_asks() {
        let advice = |command: &str, place: &str| {
            let words: Vec<String> = command.split(' ').map(str::to_owned).collect();
            CommandAdvice::of(&words).fill_in(&format!("{place}Read on."))
        };
        for command in [
            "python3 ../learneroo/adapter.py ann.py",
            "java -cp x Adapter Ann.java",
            "python3 examples/adapters/openspiel.py ann.py",
        ] {
            let look = "Look for an endless loop in your function, or a search without a time limit: it is \
                called for each turn and has to return.";
            assert_eq!(advice(command, "{stops}"), look);
            assert!(
                advice(command, "{silence}").starts_with(&format!("{look} If its start takes"))
            );
            let ends = "Call nothing in your function that ends the program, such as exit.";
            assert_eq!(advice(command, "{exits}"), ends);
        }
        for (bot, language) in [("./ann", "In C: "), ("python3 bots/ann.py", "In Python: ")] {
            let of_lines = format!("python3 examples/adapters/lines.py {bot}");
            let silence = advice(&of_lines, "{silence}");
            let flush = format!("Flush its output after each line. {language}");
            assert!(silence.starts_with(&flush), "{silence}");
            assert!(
                silence.ends_with("--start-time.") && !silence.contains("function"),
                "{silence}"
            );
            // What has answered before flushes its lines.
            let stops = advice(&of_lines, "{stops}");
            assert!(stops.starts_with("Look for an endless loop, or a search"), "{stops}");
            assert_eq!(advice(&of_lines, "{exits}"), "Read on.");
        }
        for command in ["python3 ann.py", "python3 adapters_lab/hang.py"] {
            for place in ["{silence}", "{stops}", "{exits}"] {
                assert_eq!(advice(command, place), "Read on.");
            }
        }
        let of_a_program = advice("./adapter-2/ann", "{silence}");
        assert!(
            of_a_program.starts_with("If an adapter calls your function, look for an endless loop")
        );
        let of_a_program = advice("./ann", "{exits}");
        assert!(of_a_program.starts_with("If an adapter calls your function, call nothing in it"));
    }
}
