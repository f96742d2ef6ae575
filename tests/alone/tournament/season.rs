//! Four weeks of a course: thirty submissions in three languages change, come and go.

use std::fs;

use serde_json::{Value, json};

use crate::program::{Outcome, Run, mancala};
use crate::requirements;
use crate::runner::{Test, tests};
use crate::test_folder::{TestFolder, status_of, wait_until};
use crate::tournaments::{config, lines, notes, tournament};

pub const TESTS: &[Test] = tests![four_weeks_end_as_a_fresh_tournament_of_the_last_week];

const C: &str = r#"#include <stdio.h>
#include <string.h>
int main(void) {
    static char line[1 << 16];
    while (fgets(line, sizeof line, stdin)) {
        char *legal = strstr(line, "\"legal\":[");
        if (!strstr(line, "\"type\":\"turn\"") || !legal) continue;
        int houses = 0, house[6];
        for (char *c = legal + 9; *c && *c != ']'; c++)
            if ('0' <= *c && *c <= '5') house[houses++] = *c - '0';
        printf("%d\n", NUMBER < 0 ? 99 : house[NUMBER % houses]);
        fflush(stdout);
    }
}
"#;

const PYTHON: &str = r#"import sys
for line in sys.stdin:
    if '"type":"turn"' in line:
        houses = line.split('"legal":[')[1].split("]")[0].split(",")
        print(99 if NUMBER < 0 else houses[NUMBER % len(houses)], flush=True)
"#;

const SHELL: &str = r#"while read -r line; do
    case $line in *'"type":"turn"'*)
        houses=${line#*'"legal":['}
        IFS=,; set -- ${houses%%]*}; unset IFS
        if [ NUMBER -lt 0 ]; then echo 99; continue; fi
        shift $((NUMBER % $#)); echo "$1" ;;
    esac
done
"#;

/// A number with which a submission in C does not compile, and others answer nonsense.
const BROKEN: i32 = i32::MIN;

/// A number with which a bot plays a house that does not exist.
const FAULTY: i32 = -1;

/// A course: who hands in what.
struct Course {
    folder: TestFolder,
    options: Vec<String>,
}

impl Course {
    fn new() -> Course {
        let folder = TestFolder::new();
        let text = "name = \"season\"\nopenings = \"random:2\"\ndisqualify_after = 1\n\
            [match]\nmove_time = \"10s\"\nadjudicate = \"lead\"\n\
            [[bots]]\nglob = \"handed-in/*/bot.c\"\nname = \"{folder}\"\n\
            build = \"cc {path} -o built/{folder}/bot\"\ncommand = \"built/{folder}/bot\"\n\
            [[bots]]\nglob = \"handed-in/*/bot.py\"\nname = \"{folder}\"\n\
            command = \"python3 -S -E {path}\"\n\
            [[bots]]\nglob = \"handed-in/*/bot.sh\"\nname = \"{folder}\"\n\
            command = \"sh {path}\"\n";
        config(&folder, text);
        Course { folder, options: Vec::new() }
    }

    /// The student hands in a bot whose play depends on `number`. The name's first letter is the
    /// language: `c`, `p` or `s`.
    fn hand_in(&self, name: &str, number: i32) {
        let (file, program) = match &name[..1] {
            "c" => ("bot.c", C),
            "p" => ("bot.py", PYTHON),
            _ => ("bot.sh", SHELL),
        };
        let number = if number == BROKEN { "?".to_owned() } else { format!("({number})") };
        let number = if file == "bot.sh" { number.replace(['(', ')'], "") } else { number };
        let program = program.replace("NUMBER", &number);
        for folder in ["handed-in", "built"] {
            fs::create_dir_all(self.folder.file(&format!("{folder}/{name}"))).unwrap();
        }
        fs::write(self.folder.file(&format!("handed-in/{name}/{file}")), program).unwrap();
    }

    fn withdraw(&self, name: &str) {
        fs::remove_dir_all(self.folder.file(&format!("handed-in/{name}"))).unwrap();
    }

    fn run(&self, record: &str, options: &[&str]) -> Run {
        let files =
            ["--config", &self.folder.file("contest.toml"), "--record", &self.folder.file(record)];
        tournament().args(files).args(&self.options).args(options)
    }

    fn play(&self, options: &[&str]) -> Outcome {
        self.run("season.jsonl", options).run().code(0)
    }

    /// Kills the tournament with these options when it has written `count` more lines.
    fn kill(&self, count: usize, options: &[&str]) {
        let record = self.folder.file("season.jsonl");
        let written = || fs::read_to_string(&record).unwrap_or_default().lines().count();
        let before = written();
        let mut child = self.run("season.jsonl", options).start();
        wait_until("no matches were played", || written() >= before + count);
        child.kill().unwrap();
        assert_eq!(status_of(&mut child).code(), None, "it was killed before its end");
    }

    /// The standings as JSON, with only the name and the reason of a disqualified bot.
    fn standings(&self, record: &str) -> Value {
        let arguments = ["standings", "--format=json", &self.folder.file(record)];
        let mut table = mancala(arguments).run().success().json();
        // How much a bot had played before it was disqualified depends on which matches ran at the
        // same time; none of it counts.
        for row in table["rows"].as_array_mut().unwrap() {
            if !row["disqualified"].is_null() {
                *row = json!([row["name"], row["disqualified"]]);
            }
        }
        table
    }

    /// The bots that are disqualified now, in the order of their names.
    fn out(&self) -> Vec<String> {
        let table = self.standings("season.jsonl");
        let rows = table["rows"].as_array().unwrap().iter();
        let mut names: Vec<_> =
            rows.filter_map(|row| Some(row.get(0)?.as_str()?.to_owned())).collect();
        names.sort();
        names
    }
}

#[track_caller]
fn remarks(run: &Outcome, words: &str) {
    assert!(run.stderr.contains(words), "{words:?} is not in\n{}", run.stderr);
}

fn four_weeks_end_as_a_fresh_tournament_of_the_last_week() {
    let what = "four weeks of a course";
    if !requirements::are_there("cc python3", what) {
        return;
    }
    let mut course = Course::new();
    if !requirements::sandbox_is_there(what) {
        course.options.push("--no-sandbox".to_owned());
    }

    // The first week: 27 submissions, two of which do not work.
    for number in 0..9 {
        course.hand_in(&format!("c{number}"), number);
        course.hand_in(&format!("p{number}"), 10 + 3 * number);
        course.hand_in(&format!("s{number}"), 20 + 5 * number);
    }
    course.hand_in("c3", BROKEN);
    course.hand_in("p4", FAULTY);
    course.play(&[]);
    assert_eq!(course.out(), ["c3", "p4"]);

    // The second: three are new, two have changed, p4 is fixed and s5 breaks. The power fails.
    for (name, number) in
        [("c9", 9), ("p9", 37), ("s9", 65), ("c1", 31), ("s2", 33), ("p4", 22), ("s5", FAULTY)]
    {
        course.hand_in(name, number);
    }
    let refused = course.run("season.jsonl", &["--resume"]).run().code(1);
    remarks(&refused, "add --update");
    course.kill(40, &["--update"]);
    course.play(&["--resume"]);
    assert_eq!(course.out(), ["c3", "s5"]);

    // The third: c3 compiles now, two are withdrawn, one is new, and c1 is what it was at first.
    course.withdraw("s8");
    course.withdraw("p0");
    for (name, number) in [("c3", 3), ("ca", 44), ("c1", 1), ("p6", 57)] {
        course.hand_in(name, number);
    }
    let third = course.play(&["--update"]);
    remarks(&third, "bots \"p0\" and \"s8\" are gone");
    // Its faults are counted anew, and it is out again.
    remarks(&third, "bot \"s5\" is disqualified: 1 or more faults");
    assert_eq!(course.out(), ["s5"]);

    // The fourth: another opening for all, s5 is fixed, p0 is back, s7 is withdrawn, one is new,
    // and p7 breaks.
    course.withdraw("s7");
    for (name, number) in [("s5", 45), ("p0", 10), ("sa", 71), ("c8", 19), ("p7", FAULTY)] {
        course.hand_in(name, number);
    }
    course.kill(60, &["--update", "--count=2"]);
    course.play(&["--update", "--count=2"]);
    assert_eq!(course.out(), ["p7"]);

    course.run("fresh.jsonl", &["--count=2"]).run().code(0);
    let [season, fresh] = ["season.jsonl", "fresh.jsonl"].map(|record| course.standings(record));
    for (part, value) in fresh.as_object().unwrap() {
        let Some(entries) = value.as_array() else {
            assert_eq!(season[part], *value, "{part}");
            continue;
        };
        let of_season = season[part].as_array().unwrap();
        assert_eq!(of_season.len(), entries.len(), "{part}");
        for (entry, of_season) in entries.iter().zip(of_season) {
            assert_eq!(of_season.to_string(), entry.to_string(), "{part}");
        }
    }
    assert_eq!((fresh["rows"].as_array().unwrap().len(), &fresh["missing"]), (30, &0.into()));
    let record = course.folder.file("season.jsonl");
    let [out, again] = ["disqualified", "reinstated"].map(|kind| notes(&record, kind).len());
    assert_eq!((out - again, again > 0), (4, true));
    assert!(lines(&record).len() > lines(&course.folder.file("fresh.jsonl")).len());
    mancala(["replay", &record]).run().success();
    course.folder.none_left();
}
