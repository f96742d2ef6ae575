//! How source code and scripts are run, as their first line or their ending tells.

use std::io::Read as _;
use std::path::Path;

use crate::record::own_files::open_regular_file;
use crate::text;

/// How the file of this name is run, where its first line or its ending tells: the command line of a
/// script, or how to compile source code and what to run then.
pub(super) fn how_to_run(program: &str, path: &Path) -> Option<String> {
    if !path.is_file() {
        return None;
    }
    let script = shell_words::quote(program);
    let runs = |words: &str| format!("this file is run by \"{words}\"");
    if let Some(interpreter) = interpreter(path) {
        return Some(runs(&format!("{interpreter} {script}")));
    }
    let ending = path.extension()?.to_str()?;
    let without = program.strip_suffix(ending)?.strip_suffix('.')?;
    let file = Path::new(without).file_name()?.to_str()?;
    let folder = match Path::new(without).parent()?.to_str()? {
        "" => ".",
        folder => folder,
    };
    let result = if without.contains('/') { without.to_owned() } else { format!("./{without}") };
    let compiles = |language: &str, command: &str| {
        format!("this file is {language} source; compile it ({command}) and run {result}")
    };
    Some(match ending {
        "py" => runs(&format!("python3 {script}")),
        "js" | "mjs" | "cjs" => runs(&format!("node {script}")),
        "java" => runs(&format!("java {script}")),
        // Bash runs scripts for sh, too.
        "sh" | "bash" => runs(&format!("bash {script}")),
        "rb" => runs(&format!("ruby {script}")),
        "pl" => runs(&format!("perl {script}")),
        "lua" => runs(&format!("lua {script}")),
        "php" => runs(&format!("php {script}")),
        "jar" => runs(&format!("java -jar {script}")),
        "class" => runs(&format!("java -cp {folder} {file}")),
        "c" => format!(
            "{}; a file with only a Move_… function is compiled by \
             examples/ece1021/build.sh {program} -o {without}",
            compiles("C", &format!("cc -O2 {program} -o {without}"))
        ),
        "cc" | "cpp" | "cxx" => compiles("C++", &format!("c++ -O2 {program} -o {without}")),
        "rs" => compiles("Rust", &format!("rustc -O {program} -o {without}")),
        "go" => compiles("Go", &format!("go build -o {without} {program}")),
        "hs" => compiles("Haskell", &format!("ghc -O2 {program} -o {without}")),
        "o" => format!(
            "this file is not linked yet; link it (cc {program} -o {without}) and run \
                        {result}"
        ),
        _ => return None,
    })
}

/// What the first line of a script (`#!`) names, without its folder and without `env`: `bash`,
/// `python3 -u`.
pub(super) fn interpreter(path: &Path) -> Option<String> {
    let words = interpreter_words(path)?;
    let words = words.iter().map(String::as_str);
    let mut words = words.skip_while(|word| matches!(*word, "/usr/bin/env" | "/bin/env" | "-S"));
    let program = Path::new(words.next()?).file_name()?.to_str()?;
    let words: Vec<&str> = std::iter::once(program).chain(words).collect();
    Some(text::printable(&words.join(" ")))
}

/// The words of the first line of a script (`#!`): `/usr/bin/env`, `python3`.
pub fn interpreter_words(path: &Path) -> Option<Vec<String>> {
    let line = String::from_utf8(first_line_of_script(path)?).ok()?;
    Some(line.split_whitespace().map(str::to_owned).collect())
}

/// The first line of a script, behind its `#!`, as far as Linux reads it.
pub(super) fn first_line_of_script(path: &Path) -> Option<Vec<u8>> {
    let start = start_of_file(path)?;
    let line = start.strip_prefix(b"#!")?.split(|&byte| byte == b'\n').next()?;
    Some(line.to_vec())
}

/// The first bytes of a file, as many as Linux looks at.
pub(super) fn start_of_file(path: &Path) -> Option<Vec<u8>> {
    const BYTES: u64 = 256;
    let mut start = Vec::new();
    open_regular_file(path).ok()?.take(BYTES).read_to_end(&mut start).ok()?;
    Some(start)
}
