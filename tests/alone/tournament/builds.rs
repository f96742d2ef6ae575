//! Builds of strangers' bots: what they try outside the sandbox works, and nothing of it in it.

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use serde_json::Value;

use super::contest::{Contest, SCRIPTS, SOUND, copy, for_each_user};
use crate::program::{Outcome, mancala, path, repository};
use crate::requirements;
use crate::runner::{Test, tests};
use crate::tournaments::{lines, matches, notes};

pub const TESTS: &[Test] = tests![
    a_build_in_the_sandbox_reaches_nothing_of_the_others,
    a_build_in_the_sandbox_runs_what_it_has_made,
    a_compiler_in_the_sandbox_reads_nothing_of_the_others,
    the_first_errors_of_a_build_that_has_many_are_told,
    the_class_examples_keep_each_submission_from_the_others,
    the_class_examples_go_on_with_earlier_versions,
    rustc_builds_in_the_sandbox,
    a_build_that_kills_workers_disqualifies_nobody_else,
    in_a_folder_of_several_bots_each_build_writes_its_own_program,
    a_build_that_fills_the_disk_is_ended,
    a_pipe_in_place_of_a_program_stops_nobody_else,
    a_build_that_names_its_file_without_the_folder_is_told_so,
    what_was_handed_in_is_read_up_to_a_bound,
    bots_of_a_folder_play_in_the_sandbox_unless_something_else_is_said,
    without_landlock_bots_of_a_folder_are_not_played,
    a_tournament_that_began_without_the_sandbox_goes_on_without
];

/// What a build tries, and how it leaves word in its own folder of what it could do.
const ATTACKS: &str = r#"
could() { echo "$1" >>"$own/done"; }
own=$1
echo 'exit 1' 2>/dev/null >bots/ann/bot.sh && could rewrite
: 2>/dev/null >>bots/ben/new && could make
cat bots/ann/secret >/dev/null 2>&1 && could read
cat key >/dev/null 2>&1 && could 'read the key'
{ echo '{}' >>out/record.jsonl; } 2>/dev/null && could 'append to the record'
ln -s ../../out/record.jsonl out/feedback/ann/feedback.md 2>/dev/null && could 'plant a link'
ln bots/ann/bot.sh "$own/hard" 2>/dev/null && could 'link to a file'
chmod 0 bots/ann/secret 2>/dev/null && could 'change a mode'
mv bots/ben bots/benn 2>/dev/null && could rename && mv bots/benn bots/ben
touch -d 2020-01-01 bots/ann/secret 2>/dev/null && could 'change a time'
ln -s ../key out/record.jsonl.before 2>/dev/null && could 'plant a link beside the record'
worker=$MANCALA_BOT
kill -0 $worker 2>/dev/null && could 'signal its worker'
{ for p in $(seq $((worker > 2000 ? worker - 2000 : 2)) $((worker - 1))); do kill -0 $p && break; done; } 2>/dev/null && could 'signal the coordinator'
renice -n $(($(nice) < 19 ? $(nice) + 1 : 19)) -p $worker >/dev/null 2>&1 && could 'slow its worker'
{ exec 4<>/proc/$worker/mem; } 2>/dev/null && could 'open memory'
call=$(case $(uname -m) in x86_64) echo 101 ;; *) echo 117 ;; esac)
perl -e 'exit(syscall($ARGV[0] + 0, 0x4206, $ARGV[1] + 0, 0, 0) < 0)' $call $worker 2>/dev/null && could trace
kill -9 $PPID 2>/dev/null && could kill
{ exec 3<>/dev/tcp/127.0.0.1/PORT; } 2>/dev/null && could 'use the network'
mv out/record.jsonl out/moved 2>/dev/null && could 'move the record' && mv out/moved out/record.jsonl
exit 0
"#;

/// Holds the promise `build-apart`.
fn a_build_in_the_sandbox_reaches_nothing_of_the_others() {
    if !requirements::are_there("bash perl --sandbox", "attacks of a build") {
        return;
    }
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port().to_string();
    let make = || {
        let contest = Contest::new(&SCRIPTS.replace("sh {path}", "bash {path}"));
        for bot in ["ann", "ben", "linda", "mallory"] {
            contest.write(&format!("bots/{bot}/bot.sh"), SOUND);
            contest.write(&format!("bots/{bot}/build.sh"), "true\n");
            contest.write(&format!("bots/{bot}/secret"), bot);
        }
        contest.write("bots/mallory/build.sh", &ATTACKS.replace("PORT", &port));
        // It would play with another one's program.
        let steals = "rm $1/bot.sh; ln -s ../ann/bot.sh $1/bot.sh\n";
        contest.write("bots/linda/build.sh", steals);
        contest.write("key", "the answers");
        contest.write("out/there", "");
        contest
    };
    let options = ["--jobs=2", "--record=out/record.jsonl", "--feedback=out/feedback"];
    for_each_user(make, |contest| {
        let outcome = contest.play(&options);
        assert_eq!(outcome.code, Some(0), "{outcome:#?}");
        assert_eq!(contest.read("bots/mallory/done"), "", "{outcome:#?}");
        for bot in ["ann", "ben", "mallory"] {
            assert_eq!(contest.read(&format!("bots/{bot}/bot.sh")), SOUND, "{bot}");
        }
        let record = path(contest.file("out/record.jsonl"));
        let out = notes(&record, "disqualified");
        assert_eq!(out.len(), 1, "{out:?}");
        assert_eq!(out[0].0, "linda");
        let words = "bots/linda/bot.sh is a link to what is not the bot's own";
        assert!(out[0].2.contains(words), "{out:?}");
        assert_eq!(matches(&[&record]).len(), 3);
        for line in &lines(&record)[1..] {
            for round in line["rounds"].as_array().into_iter().flatten() {
                assert_eq!(round["result"]["fault"], Value::Null, "{line}");
            }
        }
    });
    // Each of these attacks is one.
    for_each_user(make, |contest| {
        contest.play(&[&options[..], &["--no-sandbox"]].concat());
        let done = contest.read("bots/mallory/done");
        let attacks = ATTACKS.lines().filter_map(|line| line.split_once("&& could "));
        for (_, attack) in attacks {
            let attack = attack.split(" &&").next().unwrap().trim_matches('\'');
            if ["open memory", "trace"].contains(&attack) && !others_may_be_traced() {
                continue;
            }
            assert!(done.lines().any(|line| line == attack), "{attack} is not in {done}");
        }
    });
}

/// Whether a process that is no child may be traced.
fn others_may_be_traced() -> bool {
    let scope = fs::read_to_string("/proc/sys/kernel/yama/ptrace_scope");
    scope.map_or(true, |scope| scope.trim() == "0")
}

/// What builds do with what they have made; and what of it would be an attack.
const ORDINARY: &str = r#"
did() { echo "$1" >>done; }
could() { echo "$1" >>attacks; }
above=$PWD
cd $1
printf 'int main(void) { return 0; }\n' >a.c
gcc a.c -o a && ./a && did compile
printf 'b: a.c\n\tgcc a.c -o b\ntest: b\n\t./b\n' >Makefile
make -s && make -s test && did make
printf '#!/bin/sh\n' >s && chmod +x s && ./s && did chmod
install -m755 s t && ./t && did install
touch -d 2020-01-01 stamp && [ a -nt stamp ] && touch stamp && did touch
cp -p s u && ./u && did copy
mkdir d && chmod 750 d && did folder
chmod u+s a && could 'set a user'
perl -e 'sysopen(my $f, "g", 65, 02644) or exit; print $f "x"; close $f; chmod 02755, "g"'
[ -g g ] && could 'set the group of a new file'
chmod 0 d && could 'hide a folder'
ln -s ../ben/secret link && chmod 600 link && could 'change through a link'
chmod 600 ../ben/secret && could 'change beside'
chmod 600 $above/key && could 'change above'
touch -d 2020-01-01 ../ben/secret && could 'change a time'
exit 0
"#;

/// Holds the promise `build-apart`.
fn a_build_in_the_sandbox_runs_what_it_has_made() {
    if !requirements::are_there("gcc make --sandbox", "builds that run what they made") {
        return;
    }
    let make = || {
        let contest = Contest::new(SCRIPTS);
        for bot in ["ann", "ben"] {
            contest.write(&format!("bots/{bot}/bot.sh"), SOUND);
            contest.write(&format!("bots/{bot}/build.sh"), "true\n");
        }
        contest.write("bots/ann/build.sh", ORDINARY);
        contest.write("bots/ben/secret", "");
        contest.write("key", "");
        contest
    };
    let options = ["--jobs=1", "--record=record.jsonl", "--feedback=feedback"];
    for_each_user(make, |contest| {
        let outcome = contest.play(&options).code(0);
        let done = contest.read("bots/ann/done");
        let all = "compile\nmake\nchmod\ninstall\ntouch\ncopy\nfolder\n";
        assert_eq!(done, all, "{outcome:#?}");
        assert_eq!(contest.read("bots/ann/attacks"), "", "{outcome:#?}");
        assert_eq!(matches(&[path(contest.file("record.jsonl"))]).len(), 1, "{outcome:#?}");
    });
    // Each of these attacks is one.
    let contest = make();
    contest.play(&[&options[..], &["--no-sandbox"]].concat());
    let attacks = ORDINARY.lines().filter(|line| line.contains("&& could ")).count();
    assert_eq!(contest.read("bots/ann/attacks").lines().count(), attacks);
}

/// Holds the promise `build-apart`.
fn a_compiler_in_the_sandbox_reads_nothing_of_the_others() {
    if !requirements::are_there("gcc --sandbox", "attacks on a compiler") {
        return;
    }
    let make = || {
        let contest = Contest::new(
            "[[bots]]\nglob = \"bots/*/bot.c\"\nname = \"{folder}\"\n\
             build = \"gcc {path} -o {dir}/bot\"\ncommand = \"{dir}/bot\"\n",
        );
        let sound = fs::read_to_string(repository().join("examples/c/greedy.c")).unwrap();
        for bot in ["ann", "ben"] {
            contest.write(&format!("bots/{bot}/bot.c"), &sound);
        }
        contest.write("bots/eve/bot.c", "#include \"../../key\"\n");
        contest.write("bots/ivy/bot.c", "#include \"../ann/secret.h\"\n");
        let copies = "asm(\".incbin \\\"key\\\"\");\nint main(void) { return 0; }\n";
        contest.write("bots/joe/bot.c", copies);
        contest.write("bots/ann/secret.h", "THE SECRET OF ANN\n");
        contest.write("key", "THE KEY\n");
        contest
    };
    let options = ["--jobs=2", "--record=record.jsonl", "--feedback=feedback"];
    let seen = |contest: &Contest, outcome: &Outcome| {
        let pages = ["eve", "ivy", "joe"].map(|bot| {
            let page = |file: &str| contest.read(&format!("feedback/{bot}/{file}"));
            page("feedback.md") + &page("build.txt")
        });
        let programs = fs::read(contest.file("bots/joe/bot")).unwrap_or_default();
        pages.concat() + &outcome.stderr + &String::from_utf8_lossy(&programs)
    };
    for_each_user(make, |contest| {
        let outcome = contest.play(&options);
        let seen = seen(contest, &outcome);
        assert!(!seen.contains("THE KEY") && !seen.contains("SECRET OF ANN"), "{seen}");
        let record = path(contest.file("record.jsonl"));
        let mut out = notes(&record, "disqualified");
        out.sort();
        let names: Vec<&str> = out.iter().map(|(bot, ..)| &**bot).collect();
        assert_eq!(names, ["eve", "ivy", "joe"], "{outcome:#?}");
        assert!(out.iter().all(|(.., why)| why.contains("does not build")), "{out:?}");
        // What was compiled there may be run.
        assert_eq!(matches(&[&record]).len(), 1, "{outcome:#?}");
        assert_eq!(lines(&record).last().unwrap()["score"].as_array().unwrap().len(), 2);
    });
    let contest = make();
    let outcome = contest.play(&[&options[..], &["--no-sandbox"]].concat());
    let seen = seen(&contest, &outcome);
    assert!(seen.contains("THE KEY") && seen.contains("SECRET OF ANN"), "{seen}");
}

fn the_first_errors_of_a_build_that_has_many_are_told() {
    let contest = Contest::new(SCRIPTS);
    for bot in ["ann", "ben", "joe"] {
        contest.write(&format!("bots/{bot}/bot.sh"), SOUND);
        contest.write(&format!("bots/{bot}/build.sh"), "true\n");
    }
    // 1,600 errors are more than a page keeps, and 16,000 are more than is kept of a build at all.
    let errors = "i=1\nwhile [ $i -le $1 ]; do echo \"a.c:$i:1: error: expected something\" >&2\n\
                  i=$((i+1)); done\nexit 1\n";
    for count in [1_600, 16_000] {
        contest.write("bots/ben/build.sh", &format!("set {count}\n{errors}"));
        let record = format!("record-{count}.jsonl");
        let feedback = format!("feedback-{count}");
        contest.play(&["--jobs=1", "--record", &record, "--feedback", &feedback]);
        let lines = lines(&path(contest.file(&record)));
        let note = lines.iter().find(|line| line["note"] == "disqualified").unwrap();
        let why = note["detail"].as_str().unwrap();
        assert!(why.ends_with(": a.c:1:1: error: expected something"), "{why}");
        let output = note["output"].as_str().unwrap();
        assert!(output.starts_with("a.c:1:1: error: expected something\na.c:2:1: "), "{output}");
        assert!(output.ends_with(": error: expected something\n…\n"), "{output}");
        let kept = contest.read(&format!("{feedback}/ben/build.txt"));
        assert!(kept.starts_with(output.strip_suffix("…\n").unwrap()), "{kept}");
        assert_eq!(kept.ends_with("…\n"), count > 1_600);
        assert!(kept.contains("a.c:1600:1: "), "{}", kept.len());
    }
}

/// Students who write out what they can read of the others, in each class.
const SPIES: [(&str, &str, &str); 6] = [
    ("c", "eve/eve.c", "#include \"../alice/alice.c\"\n#error stop\n"),
    (
        "c",
        "joe/joe.c",
        "#include <stdio.h>\n#include <stdlib.h>\n#include \"mancala.h\"\n\
         asm(\".globl taken\\ntaken: .incbin \\\"c/alice/alice.c\\\"\\n.byte 0\");\n\
         extern char taken[];\nint Move_joe(MANCALA b, int p) { fputs(taken, stderr); exit(b.board[p][0] * 0 + 3); }\n",
    ),
    (
        "c",
        "spy/spy.c",
        "#include <stdio.h>\n#include <stdlib.h>\n#include \"mancala.h\"\n\
         int Move_spy(MANCALA b, int p) { static char text[99999];\n\
         FILE *file = fopen(\"../alice/alice.c\", \"r\"); if (!file) exit(p * 0 + 4);\n\
         fread(text, 1, 99998, file); fputs(text, stderr); exit(b.board[p][0] * 0 + 3); }\n",
    ),
    (
        "python",
        "mallory/mallory.py",
        "import sys\ndef move(board):\n    sys.exit(open('../ada/ada.py').read()[-500:])\n",
    ),
    ("any", "eve/run", "#!/bin/sh\nread line\ncat ../fay/run >&2\nexit 3\n"),
    ("any", "joe/run", "../fay/run"),
];

fn the_class_examples_keep_each_submission_from_the_others() {
    if !requirements::are_there("gcc bash python3 --sandbox", "spies in the class examples") {
        return;
    }
    let make = || {
        let contest = Contest::new("");
        copy(&repository().join("examples"), &contest.file("examples"));
        for (class, file, text) in SPIES {
            let file = format!("examples/class/{class}/{file}");
            contest.write(&file, text);
            if text.starts_with("../") {
                fs::remove_file(contest.file(&file)).unwrap();
                std::os::unix::fs::symlink(text, contest.file(&file)).unwrap();
            } else {
                let mode = fs::Permissions::from_mode(0o755);
                fs::set_permissions(contest.file(&file), mode).unwrap();
            }
        }
        for (file, text) in [
            ("c/alice/alice.c", "\n// THE SECRET\n"),
            ("python/ada/ada.py", "\n# THE SECRET\n"),
            ("any/fay/run", "\n# THE SECRET\n"),
        ] {
            let file = format!("examples/class/{file}");
            contest.write(&file, &(contest.read(&file) + text));
        }
        contest
    };
    let play = |contest: &Contest, class: &str, options: &[&str]| {
        let config = format!("--config=examples/class/{class}.toml");
        let (record, feedback) = (format!("--record={class}.jsonl"), format!("--feedback={class}"));
        let usual = ["tournament", "--oversubscribe", "--jobs=2", "--quiet", "--count=1"];
        let run = mancala(usual).args([&config, &record, &feedback]).args(options);
        let outcome = run.in_folder(contest.folder.path()).run().code(0);
        let folders = fs::read_dir(contest.file(class)).unwrap().flatten();
        let pages = folders.map(|it| contest.read(&format!("{}/feedback.md", it.path().display())));
        let seen =
            pages.collect::<String>() + &outcome.stderr + &contest.read(&format!("{class}.jsonl"));
        (seen, outcome)
    };
    let contest = make();
    for class in ["c", "python", "any"] {
        let (seen, outcome) = play(&contest, class, &[]);
        assert!(!seen.contains("THE SECRET"), "{class}: {outcome:#?}");
        assert_eq!(seen.contains("any/joe/run is a link"), class == "any", "{outcome:#?}");
        // Nobody needs to be told of a folder that is everybody's.
        assert!(!outcome.stderr.contains("give each a folder"), "{outcome:#?}");
        assert!(!outcome.stderr.contains("files of several bots"), "{outcome:#?}");
    }
    let contest = make();
    for class in ["c", "python", "any"] {
        let (seen, outcome) = play(&contest, class, &["--no-sandbox"]);
        assert!(seen.contains("THE SECRET"), "{class}: {outcome:#?}");
    }
}

fn the_class_examples_go_on_with_earlier_versions() {
    if !requirements::are_there("gcc bash python3 --sandbox", "updates of the class examples") {
        return;
    }
    let contest = Contest::new("");
    copy(&repository().join("examples"), &contest.file("examples"));
    for (class, file, name, added) in [
        ("c", "c/alice/alice.c", "alice", "\n// Today's.\n"),
        ("python", "python/ben/ben.py", "ben", "\n# Today's.\n"),
    ] {
        let config = format!("--config=examples/class/{class}.toml");
        let record = format!("--record={class}.jsonl");
        let play = |options: &[&str]| {
            let usual = ["tournament", "--oversubscribe", "--jobs=2", "--quiet", "--count=1"];
            let run = mancala(usual).args([&config, &record]).args(options);
            run.in_folder(contest.folder.path()).run().code(0)
        };
        play(&[]);
        let record = path(contest.file(&format!("{class}.jsonl")));
        let out = || notes(&record, "disqualified");
        let before = out();
        let file = format!("examples/class/{file}");
        contest.write(&file, &(contest.read(&file) + added));
        let updated = play(&["--update", "--keep-old"]);
        let earlier = format!("bot \"{name}~1\" cannot be run again: its files have changed");
        assert!(updated.stderr.contains(&earlier), "{updated:#?}");
        assert_eq!(out(), before, "{updated:#?}");
        let table = mancala(["standings", "--format=json", &record]).run().code(0).json();
        let rows = table["rows"].as_array().unwrap();
        let of_today = rows.iter().find(|row| row["name"] == name).unwrap();
        assert!(of_today["matches"].as_u64().unwrap() > 1, "{table:#}");
    }
}

fn rustc_builds_in_the_sandbox() {
    let is_there = std::process::Command::new("rustc").arg("--version").output().is_ok();
    if !requirements::are_there("cc --sandbox", "rustc in the sandbox")
        || !is_there && !requirements::is_left_out("rustc in the sandbox", "it is not installed")
    {
        return;
    }
    let contest = Contest::new(
        "[[bots]]\nglob = \"bots/*/bot.rs\"\nname = \"{folder}\"\n\
         build = \"rustc {path} -o {dir}/bot\"\ncommand = \"{dir}/bot\"\n",
    );
    let first = "fn main() {\n    for line in std::io::stdin().lines().map_while(Result::ok) {\n        \
                 if let Some((turn, legal)) = line.split_once(\"\\\"legal\\\":[\") {\n            \
                 assert!(turn.starts_with('{'));\n            println!(\"{}\", &legal[..1]);\n        }\n    }\n}\n";
    for bot in ["ann", "ben"] {
        contest.write(&format!("bots/{bot}/bot.rs"), &format!("// Of {bot}.\n{first}"));
    }
    let outcome = contest.play(&["--record=record.jsonl"]).code(0);
    let record = path(contest.file("record.jsonl"));
    assert_eq!(matches(&[&record]).len(), 1, "{outcome:#?}");
    assert_eq!(outcome.stderr, "", "{outcome:#?}");
}

/// Holds the promise `build-innocent`.
fn a_build_that_kills_workers_disqualifies_nobody_else() {
    let contest = Contest::new(SCRIPTS);
    for bot in ["ann", "ben", "mallory"] {
        contest.write(&format!("bots/{bot}/bot.sh"), SOUND);
        contest.write(&format!("bots/{bot}/build.sh"), "sleep 0.3\n");
    }
    // All children of the coordinator, which is above the worker, which is above the warden.
    let kills = "above() { cut -d' ' -f4 /proc/$1/stat; }\n\
                 all=$(above $(above $PPID))\n\
                 kill -9 $(cat /proc/$all/task/$all/children)\nsleep 10\n";
    contest.write("bots/mallory/build.sh", &format!("[ -e calm ] && exit 0\n{kills}"));
    let all = ["--jobs=3", "--record=record.jsonl", "--no-sandbox"];
    let outcome = contest.play(&[&all[..], &["--feedback=feedback"]].concat());
    assert!(contest.file("record.jsonl").exists(), "{outcome:#?}");
    let page = contest.read("feedback/mallory/feedback.md");
    assert!(page.contains("\n## Build\n") && !page.contains("\n## Check\n"), "{page}");
    let record = path(contest.file("record.jsonl"));
    let out = notes(&record, "disqualified");
    assert_eq!(out.len(), 1, "{outcome:#?}");
    assert_eq!(out[0].0, "mallory");
    assert!(out[0].2.contains("its worker died, 3 times, and again when it was built alone"));
    let note = |line: &&Value| line["note"] == "disqualified";
    assert_eq!(lines(&record).iter().find(note).unwrap()["cause"], "dead_worker");
    assert_eq!(matches(&[&record]).len(), 1, "{outcome:#?}");
    let tries = "; --retry-disqualified with --resume or --update tries it again";
    assert!(outcome.stderr.contains(tries), "{outcome:#?}");
    contest.folder.none_left();

    let retry = [&all[..], &["--retry-disqualified"]].concat();
    contest.play(&retry).failure(2, "--retry-disqualified goes on with a tournament; add --resume");
    // As long as it kills, it stays out, and the record says that it was tried.
    let again = contest.play(&[&retry[..], &["--resume"]].concat()).code(0);
    assert!(again.stderr.contains("bot \"mallory\" is tried again; it was disqualified: does"));
    let told = |kind: &str| notes(&record, kind).len();
    assert_eq!((told("disqualified"), told("reinstated")), (2, 1), "{again:#?}");
    // Whatever killed the workers is gone, and nothing of the bot is another.
    contest.write("calm", "");
    let resumed = contest.play(&[&all[..], &["--resume"]].concat()).code(0);
    let stays = format!("built alone{tries}");
    assert!(resumed.stderr.contains(&stays), "{resumed:#?}");
    assert_eq!(matches(&[&record]).len(), 1, "{resumed:#?}");
    let lifted = contest.play(&[&retry[..], &["--update"]].concat()).code(0);
    assert_eq!((told("disqualified"), told("reinstated")), (2, 2), "{lifted:#?}");
    assert_eq!(matches(&[&record]).len(), 3, "{lifted:#?}");
    let table = mancala(["standings", "--format=csv", "--columns=disqualified", &record]).run();
    assert_eq!(table.stdout, "disqualified\n\"\"\n\"\"\n\"\"\n");
}

fn in_a_folder_of_several_bots_each_build_writes_its_own_program() {
    if !requirements::are_there("--sandbox", "a flat folder of submissions") {
        return;
    }
    let make = || {
        let contest = Contest::new(
            "[[bots]]\nglob = \"bots/*.sh\"\nbuild = \"sh build.sh {path} build/{stem} other\"\n\
             command = \"build/{stem}\"\n",
        );
        for bot in ["ann", "ben", "cem"] {
            contest.write(&format!("bots/{bot}.sh"), &format!("#!/bin/sh\n{SOUND}"));
        }
        // The last one makes nothing.
        let build = "case $1 in *cem*) exit 0 ;; esac\ncp $1 $2\n\
                     for bot in ann ben; do cat bots/$bot.sh >>build/$bot; done 2>/dev/null\n\
                     echo x >build/new\n";
        contest.write("build.sh", &format!("({build}) 2>/dev/null; exit 0\n"));
        contest
    };
    for_each_user(make, |contest| {
        let outcome = contest.play(&["--jobs=2", "--record=record.jsonl"]);
        let words = "in bots and build there are files of several bots, so a build reads and writes \
                     only its own file there; a folder for each bot";
        assert!(outcome.stderr.contains(words), "{outcome:#?}");
        for bot in ["ann", "ben"] {
            let own = contest.read(&format!("bots/{bot}.sh"));
            assert_eq!(contest.read(&format!("build/{bot}")), own.repeat(2));
        }
        assert!(!contest.file("build/new").exists() && !contest.file("build/cem").exists());
        let record = path(contest.file("record.jsonl"));
        let out = notes(&record, "disqualified");
        assert!(out.len() == 1 && out[0].2.contains("it made no "), "{out:?}");
        assert_eq!(matches(&[&record]).len(), 1, "{outcome:#?}");
    });
}

/// Holds the promise `build-apart`.
fn a_build_that_fills_the_disk_is_ended() {
    if !requirements::are_there("--sandbox", "a build that fills the disk") {
        return;
    }
    let make = || {
        let contest = Contest::new(&format!("[match]\nfile_size = \"1MiB\"\n{SCRIPTS}"));
        for bot in ["ann", "ben", "cem", "dan", "eve", "fay"] {
            contest.write(&format!("bots/{bot}/bot.sh"), SOUND);
            contest.write(&format!("bots/{bot}/build.sh"), "true\n");
        }
        // Files without a name, which stay open.
        let nameless = "head -c 700K /dev/zero >$1/f; exec 3<$1/f; rm $1/f\n\
                        head -c 700K /dev/zero >$1/f; exec 4<$1/f; rm $1/f; sleep 30\n";
        contest.write("bots/fay/build.sh", nameless);
        // They take nothing on the disk, and are read in full.
        let holes = "for i in 1 2 3; do truncate -s 900K $1/holes-$i; done\n";
        contest.write("bots/eve/build.sh", holes);
        let fills = "i=0\nwhile :; do i=$((i+1)); head -c 100000 /dev/zero >$1/file-$i; done\n";
        contest.write("bots/cem/build.sh", fills);
        // In a folder that nobody may look into.
        let hides = format!("mkdir -m 300 $1/hidden\nset $1/hidden\n{fills}");
        contest.write("bots/dan/build.sh", &hides);
        // A file that is there grows, with others in new folders.
        let grows = "i=0\nwhile :; do i=$((i+1)); mkdir -p $1/new/$i; head -c 100000 /dev/zero \
                     >$1/new/$i/file; head -c 20000 /dev/zero >>$1/log; done\n";
        contest.write("bots/gil/bot.sh", SOUND);
        contest.write("bots/gil/build.sh", grows);
        contest.write("bots/gil/log", "begun\n");
        contest
    };
    for_each_user(make, |contest| {
        let options = ["--jobs=2", "--record=record.jsonl", "--build-time=60s"];
        let outcome = contest.play(&options);
        // What they filled the disk with is gone, so that the others are built and play.
        for bot in ["cem", "dan", "eve", "gil"] {
            let left = fs::read_dir(contest.file(&format!("bots/{bot}"))).unwrap();
            let left = left.map(|file| file.unwrap().file_name().into_string().unwrap());
            let more: Vec<String> =
                left.filter(|it| !["bot.sh", "build.sh"].contains(&it.as_str())).collect();
            assert_eq!(more, if bot == "gil" { vec!["log"] } else { vec![] }, "{bot}");
        }
        assert_eq!(contest.read("bots/gil/log"), "begun\n");
        let record = path(contest.file("record.jsonl"));
        assert_eq!(matches(&[&record]).len(), 1, "{outcome:#?}");
        let out = notes(&record, "disqualified");
        assert_eq!(out.len(), 5, "{outcome:#?}");
        for (bot, _, why) in &out {
            let words = if bot == "fay" {
                "too large a file, or too many (--file-size 1MiB)"
            } else {
                "its files take more than --file-size 1MiB"
            };
            assert!(why.contains(words), "{out:?}");
        }
        contest.folder.none_left();
    });
}

/// Holds the promise `build-innocent`.
fn a_pipe_in_place_of_a_program_stops_nobody_else() {
    if !requirements::are_there("mkfifo --sandbox", "a pipe in place of a program") {
        return;
    }
    let config = "[[bots]]\nglob = \"bots/*/build.sh\"\nname = \"{folder}\"\n\
                  build = \"sh {path} {dir}\"\ncommand = \"{dir}/bot\"\n";
    let make = || {
        let contest = Contest::new(config);
        for bot in ["ann", "ben", "eve"] {
            contest.write(&format!("bots/{bot}/sound.sh"), &format!("#!/bin/sh\n{SOUND}"));
            contest.write(&format!("bots/{bot}/build.sh"), "cat $1/sound.sh >$1/bot\n");
        }
        contest.write("bots/eve/build.sh", "mkfifo $1/bot\n");
        contest
    };
    for_each_user(make, |contest| {
        let outcome = contest.play(&["--jobs=2", "--record=record.jsonl"]);
        assert_eq!(outcome.code, Some(0), "{outcome:#?}");
        let record = path(contest.file("record.jsonl"));
        let out = notes(&record, "disqualified");
        assert_eq!((out.len(), &*out[0].0), (1, "eve"), "{outcome:#?}");
        let words = "is a pipe, a socket or a device, not a program";
        assert!(out[0].2.starts_with("does not start: ") && out[0].2.ends_with(words), "{out:?}");
        assert_eq!(matches(&[&record]).len(), 1, "{outcome:#?}");
        contest.folder.none_left();
    });
}

fn a_build_that_names_its_file_without_the_folder_is_told_so() {
    let contest = Contest::new(
        "[[bots]]\nglob = \"bots/*/bot.sh\"\nname = \"{folder}\"\ndir = \"{dir}\"\n\
         build = \"cat {file}\"\ncommand = \"sh {file}\"\n",
    );
    for bot in ["ann", "ben"] {
        contest.write(&format!("bots/{bot}/bot.sh"), SOUND);
    }
    let outcome = contest.play(&["--no-sandbox"]);
    let words =
        "; a build runs in the folder of the config, where there is no bot.sh: write {path}";
    assert_eq!(outcome.stderr.matches(words).count(), 2, "{outcome:#?}");
}

fn what_was_handed_in_is_read_up_to_a_bound() {
    if !requirements::are_there("--sandbox", "long files that were handed in") {
        return;
    }
    let contest = plain();
    contest.write("contest.toml", &format!("{SCRIPTS}files = [\"{{dir}}/**\"]\n"));
    contest.write("bots/ben/build.sh", "true\n");
    contest.write("bots/ann/build.sh", "true\n");
    // With holes, it takes nothing on the disk.
    let long = fs::File::create(contest.file("bots/ben/long")).unwrap();
    long.set_len((1 << 30) + 1).unwrap();
    let outcome = contest.play(&["--record=record.jsonl"]);
    let words = "bots/ben/long is part of bot \"ben\" and cannot be read: with it the bot's files \
                 have more than 1GiB";
    assert!(outcome.stderr.contains(words), "{outcome:#?}");
    assert!(!outcome.stderr.contains("the same contents"), "{outcome:#?}");
    let record = path(contest.file("record.jsonl"));
    assert_eq!(matches(&[&record]).len(), 1, "{outcome:#?}");
    // Its other files are read as ever.
    contest.write("bots/ben/bot.sh", &format!("# Another one.\n{SOUND}"));
    let outcome = contest.play(&["--record=record.jsonl", "--update"]);
    assert!(outcome.stderr.contains("updated: bot \"ben\" has changed; 0 matches"), "{outcome:#?}");
    long.set_len((1 << 30) + 2).unwrap();
    let outcome = contest.play(&["--record=record.jsonl", "--resume"]);
    outcome.code(1).stderr.contains("bot \"ben\" has changed; add --update").then_some(()).unwrap();
}

/// Two bots of a folder that build and play.
fn plain() -> Contest {
    let contest = Contest::new(SCRIPTS);
    for bot in ["ann", "ben"] {
        contest.write(&format!("bots/{bot}/bot.sh"), SOUND);
        contest.write(&format!("bots/{bot}/build.sh"), "echo built >$1/built\n");
    }
    contest
}

fn sandbox_of(record: &Path) -> Value {
    lines(&path(record))[0]["plan"]["match"]["limits"]["sandbox"].clone()
}

fn bots_of_a_folder_play_in_the_sandbox_unless_something_else_is_said() {
    if !requirements::are_there("--sandbox", "the sandbox of a folder's bots") {
        return;
    }
    let contest = plain();
    let record = contest.file("record.jsonl");
    let play = |options: &[&str]| {
        let _ = fs::remove_file(&record);
        let outcome = contest.play(&[&["--record=record.jsonl"], options].concat());
        assert_eq!(outcome.code, Some(0), "{outcome:#?}");
        sandbox_of(&record)
    };
    assert!(play(&[]).is_object());
    let other = contest.play(&["--record=record.jsonl", "--update", "--no-sandbox"]);
    other.failure(1, "it was played in the sandbox: leave --no-sandbox out");
    assert_eq!(play(&["--no-sandbox"]), Value::Null);
    assert!(play(&["--sandbox"]).is_object());
    let text = contest.read("contest.toml");
    contest.write("contest.toml", &format!("[match]\nsandbox = false\n{text}"));
    assert_eq!(play(&[]), Value::Null);
    assert!(play(&["--sandbox"]).is_object());
    // Single bots are as they were.
    contest.write("contest.toml", "[[bot]]\ncommand = \"builtin:easy\"\n");
    assert_eq!(play(&["builtin:random"]), Value::Null);

    contest.write("contest.toml", &text);
    contest.play(&["--sandbox", "--no-sandbox"]).failure(2, "cannot be used with");
    let dump = contest.play(&["--dump-config"]).success().stdout;
    assert!(dump.contains("[match]\nsandbox = true\n"), "{dump}");
    contest.write("dump.toml", &dump);
    let id = |config: &str| {
        let shown = contest.play(&["--config", config, "--dry-run"]).stdout;
        shown.lines().find(|line| line.starts_with("id ")).map(str::to_owned)
    };
    assert_eq!(id("dump.toml"), id("contest.toml"));
}

/// Becomes the program behind it, in a system without Landlock.
const WITHOUT_LANDLOCK: &str = "
import ctypes, os, struct, sys
libc = ctypes.CDLL(None)
code = [(0x20, 0, 0, 0), (0x15, 0, 1, 444), (6, 0, 0, 0x50026), (6, 0, 0, 0x7fff0000)]
code = b''.join(struct.pack('HBBI', *one) for one in code)
buffer = ctypes.create_string_buffer(code)
program = struct.pack('HxxxxxxP', 4, ctypes.addressof(buffer))
assert libc.prctl(38, 1, 0, 0, 0) == 0 and libc.prctl(22, 2, program, 0, 0) == 0
os.execv(sys.argv[1], sys.argv[1:])
";

fn without_landlock_bots_of_a_folder_are_not_played() {
    if !requirements::are_there("python3 --sandbox", "a system without Landlock") {
        return;
    }
    let contest = plain();
    let play = |options: &[&str]| {
        let words = ["tournament", "--oversubscribe", "--quiet", "--config=contest.toml"];
        let run = mancala(words).args(options).in_folder(contest.folder.path());
        run.behind(&["python3", "-c", WITHOUT_LANDLOCK]).run()
    };
    let outcome = play(&["--record=record.jsonl"]).code(1);
    assert_eq!(outcome.stdout, "", "{outcome:#?}");
    for words in ["Landlock", "unless --no-sandbox or sandbox = false under [match]"] {
        assert!(outcome.stderr.contains(words), "{outcome:#?}");
    }
    assert!(!contest.file("bots/ann/built").exists());
    // Nothing was played, so there is nothing to resume.
    assert!(!contest.file("record.jsonl").exists());
    play(&["--no-sandbox"]).code(0);
    assert!(contest.file("bots/ann/built").exists());
}

fn a_tournament_that_began_without_the_sandbox_goes_on_without() {
    let contest = plain();
    let options = ["--openings=random:3", "--count=2", "--record=record.jsonl"];
    contest.play(&[&options[..], &["--no-sandbox"]].concat()).code(0);
    let record = contest.file("record.jsonl");
    let text = fs::read_to_string(&record).unwrap();
    let cut: Vec<&str> = text.lines().take(2).collect();
    fs::write(&record, cut.join("\n") + "\n").unwrap();
    let outcome = contest.play(&[&options[..], &["--resume"]].concat()).code(0);
    assert!(outcome.stderr.contains("goes on as it began, without the sandbox"), "{outcome:#?}");
    assert_eq!(matches(&[path(&record)]).len(), 2);
    assert_eq!(sandbox_of(&record), Value::Null);
    let words = ["tournament", "--oversubscribe", "--config=contest.toml", "--resume"];
    let told = mancala(words).args(options).in_folder(contest.folder.path()).run().code(0);
    let words = "without the sandbox bots found by a pattern ([[bots]]) and their builds can do all that your user \
                 can";
    assert!(told.stderr.contains(words), "{told:#?}");
    let other = contest.play(&[&options[..], &["--resume", "--sandbox"]].concat());
    let words = "(sandbox: off in the file, on here); it was played without the sandbox: add";
    other.failure(1, words);
}
