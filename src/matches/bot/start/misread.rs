//! Command lines that mean something to a shell or as a name, and are read as other words here.

use std::path::Path;

use super::command::{BUILTIN, looks_like_a_program, looks_like_a_variable};
use super::readable::find_program;
use crate::text::printable;

/// The words that a shell would not hand on to a program.
const SIGNS: [&str; 8] = ["|", "||", "|&", "&", "&&", ";", "<", "<<"];

/// How words begin that a shell takes for the place of the output: `>log.txt`.
const REDIRECTIONS: [&str; 3] = [">", "2>", "&>"];

/// What `words` were meant as, and the command line that works; `None` where they are what they
/// seem to be.
pub(super) fn misread_words(words: &[String], folder: Option<&Path>) -> Option<String> {
    words_of_a_shell(words, |_| false).or_else(|| name_with_a_blank(words, folder))
}

/// Why a variable, a redirection, a pipe or a second command does not work: without a shell its words
/// would be a program, or arguments of the first one. In the advice, words that `is_filled_in` stand
/// behind the script: a file's name in it could run commands.
pub fn words_of_a_shell(words: &[String], is_filled_in: impl Fn(&str) -> bool) -> Option<String> {
    sign_of_a_shell(words, &is_filled_in).or_else(|| variable_in_front(words, &is_filled_in))
}

/// `DEPTH=3 python3 x.py`.
fn variable_in_front(words: &[String], is_filled_in: &impl Fn(&str) -> bool) -> Option<String> {
    let (variables, command) = variables_in_front(words);
    let (first, program) = (variables.first()?, command.first()?);
    if !is_filled_in(program) && !looks_like_a_program(program) {
        return None;
    }
    let assigned = variables.iter().map(|word| assignment(word)).collect::<Vec<_>>().join(" ");
    let line = format!("env {assigned} {}", shell_words::join(command));
    let (first, line) = (printable(first), printable(&line));
    Some(format!("no shell is run, so {first} sets no variable; write \"{line}\""))
}

/// The words in front that a shell would take for variables, and the command behind them.
fn variables_in_front(words: &[String]) -> (&[String], &[String]) {
    let is_variable =
        |word: &String| word.split_once('=').is_some_and(|(name, _)| looks_like_a_variable(name));
    words.split_at(words.iter().take_while(|word| is_variable(word)).count())
}

/// `NAME=value` as a shell takes it.
fn assignment(word: &str) -> String {
    let (name, value) = word.split_once('=').unwrap_or((word, ""));
    format!("{name}={}", shell_words::quote(value))
}

fn sign_of_a_shell(words: &[String], is_filled_in: &impl Fn(&str) -> bool) -> Option<String> {
    let sign = words.iter().skip(1).find(|word| is_sign(word))?;
    let (variables, command) = variables_in_front(words);
    let mut script: Vec<String> = variables.iter().map(|word| assignment(word)).collect();
    let mut behind: Vec<&str> = Vec::new();
    for word in command {
        let (sign, rest) = sign_in_front(word);
        script.push(if is_filled_in(rest) {
            behind.push(rest);
            format!("{sign}\"${}\"", behind.len())
        } else if rest.is_empty() && !sign.is_empty() {
            sign.to_owned()
        } else {
            format!("{sign}{}", shell_words::quote(rest))
        });
    }
    // These are signs of Bash.
    let is_of_bash = words.iter().any(|word| word.starts_with("&>") || word == "|&");
    let shell = if is_of_bash { "bash" } else { "sh" };
    let command = format!("{shell} -c {}", shell_words::quote(&script.join(" ")));
    let how = if behind.is_empty() {
        format!("write \"{command}\"")
    } else if behind.len() > 9
        || behind.iter().any(|word| word.contains(char::is_whitespace))
        || command.contains("'''")
    {
        "put the command into a script of its own".to_owned()
    } else {
        // Such words stand in a config only, where this quotes a text with both kinds of quotes.
        format!("write '''{command} {shell} {}'''", behind.join(" "))
    };
    let (sign, how) = (printable(sign), printable(&how));
    Some(format!("no shell is run, so {sign} does not work; {how}"))
}

/// The sign that a word is, or begins with, and what follows in the same word.
fn sign_in_front(word: &str) -> (&str, &str) {
    let rest = if is_sign(word) { word.trim_start_matches(|c| "&|;<>2".contains(c)) } else { word };
    word.split_at(word.len() - rest.len())
}

fn is_sign(word: &str) -> bool {
    SIGNS.contains(&word) || REDIRECTIONS.iter().any(|begin| word.starts_with(begin))
}

/// `my bot=python3 x.py`: a program that is not there, and behind it a word that gives it a name.
fn name_with_a_blank(words: &[String], folder: Option<&Path>) -> Option<String> {
    let is_there = |word: &str| {
        word.starts_with(BUILTIN)
            || find_program(word).is_some()
            || folder.unwrap_or(Path::new("")).join(word).is_file()
    };
    let place = words.iter().position(|word| word.contains('='))?;
    let (end, program) = words[place].split_once('=')?;
    let (first, _) = words[..place].split_first()?;
    let is_plain = |word: &str| !word.starts_with('-') && !word.contains('/');
    let name: Vec<&str> = words[..place].iter().map(String::as_str).chain([end]).collect();
    if is_there(first) || !is_there(program) || !name.iter().all(|word| is_plain(word)) {
        return None;
    }
    let name = printable(&name.join("-"));
    let rest = [program.to_owned()].into_iter().chain(words[place + 1..].iter().cloned());
    let command = printable(&shell_words::join(rest));
    Some(format!("the name in front of = may have no blank; write \"{name}={command}\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn advice(line: &str) -> Option<String> {
        words_of_a_shell(&shell_words::split(line).unwrap(), |word| word.contains('{'))
    }

    #[test]
    fn what_a_shell_would_do_is_told_with_a_command_that_does_it() {
        for (line, expected) in [
            ("./bot 2> log.txt", "2> does not work; write \"sh -c './bot 2> log.txt'\""),
            ("./bot 'a b' | tee x", r#"write "sh -c './bot '\''a b'\'' | tee x'""#),
            (
                "cd {dir} && python3 {file} -x",
                r#"write '''sh -c 'cd "$1" && python3 "$2" -x' sh {dir} {file}'''"#,
            ),
            (
                "python3 {path} >{stem}.log",
                r#"write '''sh -c 'python3 "$1" >"$2"' sh {path} {stem}.log'''"#,
            ),
            ("DEPTH=3 ls {path}", "write \"env DEPTH=3 ls {path}\""),
            ("A=3 B='4 5' ./bot", "write \"env A=3 B='4 5' ./bot\""),
            ("A=3 ./bot 2> log", "write \"sh -c 'A=3 ./bot 2> log'\""),
            ("./bot &> log", "write \"bash -c './bot &> log'\""),
            ("./bot {path} 2> 'my log'", "put the command into a script of its own"),
            ("./bot '{dir}/my bot.py' | tee x", "put the command into a script of its own"),
        ] {
            let told = advice(line).unwrap();
            assert!(told.starts_with("no shell is run") && told.ends_with(expected), "{told}");
        }
    }

    #[test]
    fn what_no_shell_needs_to_do_is_left_alone() {
        for line in
            ["depth=3 ./bot", "./bot A=3", "A=3", "env A=3 ./bot", "./bot a|b -2", "A=./v1 -x"]
        {
            assert_eq!(advice(line), None);
        }
    }
}
