//! Command lines that mean something to a shell or as a name, and are read as other words here.

use std::path::Path;

use super::command::BUILTIN;
use super::readable::find_program;
use crate::text::printable;

/// The words that a shell would not hand on to a program.
const SIGNS: [&str; 8] = ["|", "||", "|&", "&", "&&", ";", "<", "<<"];

/// How words begin that a shell takes for the place of the output: `>log.txt`.
const REDIRECTIONS: [&str; 3] = [">", "2>", "&>"];

/// What these words were meant as, and the command line that works; `None` where they are what they
/// seem to be.
pub(super) fn misread_words(words: &[String], folder: Option<&Path>) -> Option<String> {
    sign_of_a_shell(words).or_else(|| name_with_a_blank(words, folder))
}

/// Why a redirection, a pipe or a second command does not work: without a shell its words would be
/// arguments of the first program.
pub fn sign_of_a_shell(words: &[String]) -> Option<String> {
    let sign = words.iter().skip(1).find(|word| is_sign(word))?;
    let quoted = |word: &String| {
        if is_sign(word) { word.clone() } else { shell_words::quote(word).into_owned() }
    };
    let line = words.iter().map(quoted).collect::<Vec<_>>().join(" ");
    let (sign, line) = (printable(sign), printable(&shell_words::quote(&line)));
    Some(format!("no shell is run, so {sign} does not work; write \"sh -c {line}\""))
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
