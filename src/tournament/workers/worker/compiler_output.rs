//! What a compiler wrote about a bot's files, apart from what it wrote about headers that are not
//! the bot's.

use std::path::Path;

/// The output with what is about the files of the build command first, in its order, and what is
/// about other files behind it. Output that names no file of the command is left as it is.
pub(super) fn own_files_first(output: &str, build: &[String]) -> String {
    let is_named = |path: &str| {
        let name = Path::new(path).file_name();
        name.is_some() && build.iter().any(|word| Path::new(word).file_name() == name)
    };
    let (mut own, mut others) = (String::new(), String::new());
    // Lines such as "In file included from" belong to the message that they introduce.
    let mut introduction = String::new();
    let mut is_own = true;
    for line in output.lines() {
        if let Some(path) = located(line) {
            is_own = is_named(path);
        } else if is_introduction(line) {
            introduction += line;
            introduction.push('\n');
            continue;
        } else if !line.starts_with(char::is_whitespace) {
            // The words of a build script.
            is_own = true;
        }
        let part = if is_own { &mut own } else { &mut others };
        part.push_str(&std::mem::take(&mut introduction));
        part.push_str(line);
        part.push('\n');
    }
    own + &others + &introduction
}

/// Most bytes that a note keeps of an output.
const MOST_NOTED: usize = 8 * 1024;

/// As many whole lines of an output as a note keeps of it, with `…` below where it was cut.
pub(super) fn beginning_of(output: &str) -> String {
    if output.len() <= MOST_NOTED {
        return output.to_owned();
    }
    let beginning = &output[..output.floor_char_boundary(MOST_NOTED)];
    let end = beginning.rfind('\n').unwrap_or(beginning.len());
    format!("{}\n…\n", &beginning[..end])
}

/// What a linker writes of an error, above the line that names one.
const OF_A_LINKER: [&str; 3] =
    ["undefined reference to ", "multiple definition of ", "ld: cannot "];

/// The first line of a compiler's output that names an error, else its last line, with its place
/// where that is a line of its own.
pub(super) fn first_error(output: &str) -> String {
    let lines = output.lines().map(str::trim).filter(|line| !line.is_empty());
    let lines: Vec<&str> = lines.collect();
    let names_it = |line: &&str| {
        let line = line.to_ascii_lowercase();
        OF_A_LINKER.iter().any(|words| line.contains(words))
            || line.contains("error:")
            || line.contains("error[")
            || line.starts_with("error")
    };
    let found = lines.iter().position(names_it).or_else(|| lines.len().checked_sub(1));
    let Some(at) = found else { return String::new() };
    // Python's stands before it, among the lines of a traceback.
    let is_place = |line: &&&str| line.starts_with("File \"") && line.contains("\", line ");
    let place = lines[..at].iter().rev().find(is_place);
    let place = place.map(|line| format!("{line}: ")).unwrap_or_default();
    place + lines[at]
}

/// The file of a message such as `a.c:3:5: error: …`.
fn located(line: &str) -> Option<&str> {
    let (place, _) = [": error:", ": warning:", ": note:", ": fatal error:"]
        .iter()
        .find_map(|kind| line.split_once(kind))?;
    let path = place.trim_end_matches(|c: char| c.is_ascii_digit() || c == ':');
    (path.len() < place.len() && !path.is_empty()).then_some(path)
}

fn is_introduction(line: &str) -> bool {
    line.starts_with("In file included from ")
        || line.trim_start().starts_with("from ") && line.ends_with([':', ','])
        || [": In function ", ": At top level:"].iter().any(|words| line.contains(words))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn what_comes_from_a_header_of_ours_stands_last() {
        let output = "\
In file included from c/x.c:3:
/class/ece1021/mancala.h:13:16: error: redefinition of 'struct MANCALA'
   13 | typedef struct MANCALA {
      |                ^~~~~~~
c/x.c:1:16: note: originally defined here
    1 | typedef struct MANCALA {
c/x.c: In function 'Move_x':
c/x.c:7:45: error: expected ';' before '}' token
build.sh: c/x.c does not compile, see above
";
        let expected = "\
c/x.c:1:16: note: originally defined here
    1 | typedef struct MANCALA {
c/x.c: In function 'Move_x':
c/x.c:7:45: error: expected ';' before '}' token
build.sh: c/x.c does not compile, see above
In file included from c/x.c:3:
/class/ece1021/mancala.h:13:16: error: redefinition of 'struct MANCALA'
   13 | typedef struct MANCALA {
      |                ^~~~~~~
";
        assert_eq!(own_files_first(output, &words("build.sh c/x.c -o build/x")), expected);
        let rust = "error[E0425]: cannot find\n --> x.rs:3\n";
        assert_eq!(own_files_first(rust, &words("rustc x.rs")), rust);
    }

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
        let python = "  File \"python/ben/ben.py\", line 3\n    def move(board)\n        ^\n\
                      SyntaxError: expected ':'\n\n";
        assert_eq!(
            first_error(python),
            "File \"python/ben/ben.py\", line 3: SyntaxError: expected ':'"
        );
        for error in [
            "a.c:(.text+0x5): undefined reference to `f'",
            "/usr/bin/ld: b.o:(.data+0x0): multiple definition of `x'; a.o:(.data+0x0): first defined here",
            "/usr/bin/ld: cannot find -lfoo: No such file or directory",
            "/usr/bin/ld: cannot open output file build/a: No such file or directory",
        ] {
            let output =
                format!("ld: x.o: in function `main':\n{error}\ncollect2: error: ld returned 1\n");
            assert_eq!(first_error(&output), error);
        }
        let raised = "Traceback (most recent call last):\n  File \"build.py\", line 1, in <module>\n\
                      \x20   import bot\n  File \"bot.py\", line 7\n    x = = 1\nSyntaxError: bad\n";
        assert_eq!(first_error(raised), "File \"bot.py\", line 7: SyntaxError: bad");
        assert_eq!(first_error(""), "");
    }

    #[test]
    fn a_note_keeps_whole_lines_of_the_beginning() {
        assert_eq!(beginning_of("a\nb\n"), "a\nb\n");
        let kept = beginning_of(&"\u{e4}bc\n".repeat(2000));
        assert_eq!(kept, format!("{}\u{2026}\n", "\u{e4}bc\n".repeat(MOST_NOTED / 5)));
        let kept = beginning_of(&"\u{e4}".repeat(5000));
        assert_eq!(kept, format!("{}\n\u{2026}\n", "\u{e4}".repeat(MOST_NOTED / 2)));
    }

    proptest! {
        #[test]
        fn no_line_is_lost_and_own_messages_keep_their_order(
            lines in prop::collection::vec(
                prop::sample::select(vec![
                    "a.c:1:2: error: x", "b.h:3: note: y", "  3 | z", "In file included from a.c:1:",
                    "a.c: In function 'f':", "done", "", "a.c:4: warning: w",
                ]),
                0..12,
            )
        ) {
            let output = lines.join("\n") + "\n";
            let found = own_files_first(&output, &words("cc a.c"));
            let sorted = |text: &str| {
                let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
                lines.sort();
                lines
            };
            prop_assert_eq!(sorted(&found), sorted(&output));
            let own = |text: &str| -> Vec<String> {
                text.lines().filter(|line| line.starts_with("a.c:")).map(str::to_owned).collect()
            };
            let messages = |text: &str| -> Vec<String> {
                own(text).into_iter().filter(|line| located(line).is_some()).collect()
            };
            prop_assert_eq!(messages(&found), messages(&output));
            // No message about a.c stands behind one about b.h.
            let files: Vec<Option<&str>> = found.lines().map(located).collect();
            let last_own = files.iter().rposition(|file| *file == Some("a.c"));
            let first_other = files.iter().position(|file| *file == Some("b.h"));
            if let (Some(own), Some(other)) = (last_own, first_other) {
                prop_assert!(own < other, "{}", found);
            }
        }
    }
}
