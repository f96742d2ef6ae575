//! A tournament in the sandbox of four sound pairs beside bots that attack whatever they can: the
//! processes that keep bots, the opponent's time, memory, processes, files, builds. No sound bot has a
//! fault, every match is played, and nothing is left.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// The sound bots: two of each kind.
const SOUND: [(&str, &str); 8] = [
    ("sound-1", "{hostile} sound 1 1"),
    ("average-1", "builtin:average --seed 1"),
    ("random-1", "builtin:random --seed 1"),
    ("easy-1", "builtin:easy --seed 1"),
    ("sound-2", "{hostile} sound 1 1"),
    ("random-2", "builtin:random --seed 2"),
    ("easy-2", "builtin:easy --seed 2"),
    ("average-2", "builtin:average --seed 2"),
];

/// What those that attack do: a mode of the hostile bot, and its argument.
const ATTACKS: [(&str, &str); 42] = [
    // The processes that keep bots, and the referee.
    ("kill-wardens", ""),
    ("kill-wardens-for-ever", ""),
    ("kill-starter", ""),
    ("stop-starter", ""),
    ("kill-everything", ""),
    ("child-with-a-group", ""),
    ("hup", "2000"),
    (
        "attack",
        "signal-stop=parent signal-stop=opponent write-mem=opponent limit-process=opponent \
         slow-down=opponent other-core more-cores better-priority",
    ),
    // What stays behind.
    ("orphan", ""),
    ("children", ""),
    ("daemon", ""),
    ("leave-a-mess", ""),
    // The opponent's time, and the processor.
    ("ponder", ""),
    ("ponder-in-turns", ""),
    ("ponder-in-short-lives", ""),
    ("thaw", ""),
    ("cpu-burner", "5"),
    ("burners", "40"),
    ("burners-elsewhere", "40"),
    // Processes, memory, files, and what the kernel keeps.
    ("fork-bomb", "500"),
    ("fork-bomb-setsid", "500"),
    ("thread-bomb", "10000"),
    ("memory-bomb", "2000"),
    ("memory-bomb-at-once", "2000"),
    ("memory-bomb-children", "4000"),
    ("file-bomb", "200"),
    ("nameless-bomb", "100"),
    ("deep-bomb", "100"),
    ("closed-bomb", "100"),
    ("socket-bomb", "200"),
    ("watch-bomb", "600"),
    ("in-flight-bomb", ""),
    ("sigpending", ""),
    ("shm-window", ""),
    ("locks", ""),
    ("landlock", "300"),
    ("splice", "300"),
    ("unreadable", "100"),
    // Looks at what it has.
    ("hoard-folders", "2000"),
    ("hoard-descriptors", "3430"),
    // The pipes.
    ("flood", ""),
    ("flood-while-idle", ""),
];

/// The builder and the first two sound bots against all others: a quicker tournament, in which the
/// attackers do not meet each other. To an attacker all built-in bots are the same program.
pub const GAUNTLET: &str = "--gauntlet=3";

/// How many attack in one tournament.
const AT_ONCE: usize = 9;

/// A bomb without an end, for where the kernel itself refuses a bot more processes.
const ENDLESS: &str = "endless=sh -c 'b() { b | b & }; b; read x'";

/// One whose build attacks: what keeps it, and a file that is not its own.
const BUILDER: &str = r#"
[[bot]]
name = "builder"
build = "sh 'DESK/build.sh'"
command = "sh 'DESK/bot.sh'"
"#;
const BUILD: &str = r#"
kill -9 $PPID
echo spoilt > 'VICTIM'
cat > 'DESK/bot.sh' <<'END'
while read -r line; do
  case $line in
  '{"type":"turn"'*)
    legal=${line#*'"legal":['}
    echo "${legal%"${legal#?}"}" ;;
  esac
done
END
"#;

/// What is in that file.
const VICTIM: &str = "whole";

/// Limits within which every bomb is over soon, and time enough that a busy machine makes nobody late.
const OPTIONS: [&str; 10] = [
    "tournament",
    "--sandbox",
    "--quiet",
    "--jobs=2",
    "--openings=random:1",
    "--memory=256MiB",
    "--processes=64",
    "--file-size=16MiB",
    "--move-time=20s",
    "--start-time=60s",
];

/// Plays the tournament with this number, which says who attacks: five in a row have every attack.
/// `folder` is for what it makes on the way. Returns how many faults the attackers had.
///
/// # Errors
///
/// What was wrong, a line each.
pub fn run(
    (mancala, hostile): (&str, &str),
    folder: &Path,
    number: usize,
    options: &[&str],
) -> Result<usize, Vec<String>> {
    let record = folder.join("record");
    let temporary = folder.join("tmp");
    fs::create_dir(&temporary).expect("a folder is made");
    let hostile = format!("'{hostile}'");
    let sound = SOUND.map(|(name, bot)| format!("{name}={}", bot.replace("{hostile}", &hostile)));
    let attackers = (0..AT_ONCE).map(|place| ATTACKS[(number * AT_ONCE + place) % ATTACKS.len()]);
    let mut bots = Vec::from(sound);
    let mut allowed = Vec::new();
    for (mode, argument) in attackers {
        let desk = folder.join(mode);
        fs::create_dir(&desk).expect("a folder is made");
        let desk = desk.display();
        bots.push(format!("{mode}={hostile} {mode} 1 1 '{desk}' {argument}"));
        allowed.push(format!("--allow-write={desk}"));
    }
    if births_are_limited(mancala) {
        bots.push(ENDLESS.to_owned());
    }
    let desk = folder.join("builder");
    fs::create_dir(&desk).expect("a folder is made");
    let victim = folder.join("victim");
    let filled_in = |text: &str| {
        let text = text.replace("DESK", &desk.display().to_string());
        text.replace("VICTIM", &victim.display().to_string())
    };
    let config = folder.join("contest.toml");
    for (file, text) in [
        (&desk.join("build.sh"), filled_in(BUILD)),
        (&config, filled_in(BUILDER)),
        (&victim, VICTIM.to_owned()),
    ] {
        fs::write(file, text).expect("a file is made");
    }
    let output = Command::new(mancala)
        .args(OPTIONS)
        .args(options)
        .arg("--config")
        .arg(&config)
        .arg("--record")
        .arg(&record)
        .args(allowed)
        .args(&bots)
        .env("TMPDIR", &temporary)
        .stdin(Stdio::null())
        .output()
        .expect("mancala starts");
    let number_of_bots = bots.len() + 1;
    let planned = if options.contains(&GAUNTLET) {
        3 * (number_of_bots - 3)
    } else {
        number_of_bots * (number_of_bots - 1) / 2
    };
    let (faults, mut wrong) = faults(&record, planned);
    if output.status.code() != Some(0) {
        wrong.push(format!("{}: {}", output.status, text(&output)));
    }
    let victim = fs::read_to_string(&victim).unwrap_or_default();
    if victim != VICTIM {
        wrong.push(format!("a build wrote to a file that is not its own: {victim}"));
    }
    let left = files_below(&temporary);
    if !left.is_empty() {
        let (number, some) = (left.len(), &left[..left.len().min(5)]);
        wrong.push(format!("{number} temporary files and folders are left: {}", some.join(", ")));
    }
    if wrong.is_empty() { Ok(faults) } else { Err(wrong) }
}

/// All files and folders below this one.
fn files_below(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        found.push(entry.path().display().to_string());
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            found.extend(files_below(&entry.path()));
        }
    }
    found
}

/// The faults of attackers in the record of a tournament of `planned` matches, and what is wrong with
/// it: faults of others before all.
fn faults(record: &Path, planned: usize) -> (usize, Vec<String>) {
    let mut wrong = Vec::new();
    let (mut matches, mut faults) = (0, 0);
    let is_sound = |name: &Value| SOUND.iter().any(|(sound, _)| name == sound);
    for line in fs::read_to_string(record).unwrap_or_default().lines() {
        let line: Value = match serde_json::from_str(line) {
            Ok(line) => line,
            Err(error) => {
                wrong.push(format!("{error} in {line}"));
                continue;
            }
        };
        if line["format"] == "mancala-note/1" && is_sound(&line["bot"]) {
            wrong.push(format!("a note about a sound bot: {line}"));
        }
        if line["format"] != "mancala-match/1" {
            continue;
        }
        matches += 1;
        for round in line["rounds"].as_array().into_iter().flatten() {
            let fault = &round["result"]["fault"];
            let guilty = fault["bot"].as_u64().and_then(|bot| usize::try_from(bot).ok());
            faults += usize::from(guilty.is_some());
            if guilty.is_some_and(|bot| is_sound(&line["bots"][bot]["name"])) {
                let names = [0, 1].map(|bot| line["bots"][bot]["name"].to_string());
                wrong.push(format!("{}: {fault}", names.join(" against ")));
            }
        }
    }
    if matches != planned {
        wrong.push(format!("{matches} of {planned} matches were played"));
    }
    (faults, wrong)
}

/// Whether the kernel itself refuses a bot more processes than it may have, as the notice says.
fn births_are_limited(mancala: &str) -> bool {
    let play = ["match", "--sandbox", "builtin:easy", "builtin:easy"];
    let output = Command::new(mancala).args(play).output().expect("mancala starts");
    let is_limited = text(&output).contains("enforced by the kernel (");
    if !is_limited {
        println!("left out: a bomb without an end, for nothing here limits it");
    }
    is_limited
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).chars().take(2000).collect()
}
