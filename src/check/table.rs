//! The table of everything that can be wrong with a bot: how bad it is, what is told, how to fix
//! it, and how it is known.

use super::clues::{Kind, Seen, is_shown_object};
use super::report::Severity::{self, Fault, Warning};
use super::trial::Probe;
use crate::bot::Finished;
use crate::protocol::{CauseCode as Code, FaultKind};
use crate::referee::Ended;

/// How long a match waits for a bot to exit after its last round.
pub(super) const EXIT_GRACE: std::time::Duration = std::time::Duration::from_millis(300);

/// A row of the table. In `what`, `{}` stands for a size or a name.
pub(super) struct Row {
    pub(super) severity: Severity,
    pub(super) what: &'static str,
    pub(super) fix: &'static str,
    pub(super) known: Known,
}

/// How a problem is known.
pub(super) enum Known {
    /// By the fault and what came before it. The first row that says yes counts.
    Fault(fn(&Seen<'_>) -> bool),
    /// By its answers where only one house is legal: from that house of the bot and that of its
    /// opponent, each in its owner's view, to the answer.
    Numbering(fn(i64, i64) -> i64),
    /// By one answer to all boards; to all boards that a match begins with, if others follow.
    SameAnswer { others_follow: bool },
    /// By failing in this probe, and not in the same trial without what the probe adds.
    OnlyIn(Probe),
    /// By what it does at the end of its input.
    EndOfInput(fn(&Finished) -> bool),
    /// By the longest of its first answers, or of its other answers.
    Times { first: bool },
}

use Known::{EndOfInput, Numbering, OnlyIn, SameAnswer, Times};

/// Makes the table: an enum of the problems and a row for each.
macro_rules! table {
    ($($problem:ident: $severity:ident, $what:literal, $fix:literal, $known:expr;)*) => {
        /// What is wrong with a bot.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub(super) enum Problem {
            $($problem),*
        }

        impl Problem {
            /// All of them, in the table's order.
            pub(super) const ALL: &[Problem] = &[$(Problem::$problem),*];

            /// The problem's row.
            pub(super) const fn row(self) -> Row {
                match self {
                    $(Problem::$problem => Row {
                        severity: $severity,
                        what: $what,
                        fix: $fix,
                        known: $known,
                    }),*
                }
            }
        }
    };
}

table! {
    // The program does not start, or something that it needs is not there.
    StartsNoMore: Fault,
        "its program does not start again",
        "See whether the program is still there and may still be executed.",
        Known::Fault(|seen| seen.code() == Code::CannotStart);
    MissingFile: Fault,
        "its program does not find a file: {}",
        "Give the file's path from the folder where mancala is started, or its full path.",
        Known::Fault(|seen| missing(seen, Kind::File));
    MissingModule: Fault,
        "its program does not find a module: {}",
        "Give the bot's own script by its path from the folder where mancala is started, or by its \
         full path. Install a library for the interpreter that the command line names.",
        Known::Fault(|seen| missing(seen, Kind::Module));
    MissingClass: Fault,
        "its program does not find a class: {}",
        "Compile the class, and name it without .class, with the folder where it lies: \
         java -cp FOLDER CLASS. FOLDER is seen from the folder where mancala is started.",
        Known::Fault(|seen| missing(seen, Kind::Class));
    MissingProgram: Fault,
        "its program does not find a program: {}",
        "Install the program, or give its full path.",
        Known::Fault(|seen| missing(seen, Kind::Program));

    // What an adapter says about the program that it runs, in the terms of its author.
    BehindTheAdapter: Fault,
        "{}",
        "This is what the adapter says about your own code, in its terms.",
        Known::Fault(|seen| seen.cause.adapter.is_some());

    // Time.
    Late: Fault,
        "it answers too late",
        "Answer within \"move_time_ms\" (with a time bank, within \"time_left_ms\"): look at the \
         clock while you search, and stop early. Time counts from the turn to the newline of the \
         answer.",
        Known::Fault(|seen| {
            matches!(seen.code(), Code::LateAnswer | Code::BankSpent) || seen.trace.late_by.is_some()
        });

    // Which house.
    WrongDirection: Fault,
        "it chooses a direction that the rules do not have",
        "Name a \"direction\" only where \"rules\".\"direction\" of start is \"either\".",
        Known::Fault(|seen| seen.code() == Code::WrongDirection);
    EmptyHouse: Fault,
        "it chooses a house without seeds",
        "Play one of \"legal\". \"board\" is always in your own view: your houses are cells 0 to 5. \
         If you keep a board of your own, take \"board\" instead: it is always right.",
        Known::Fault(|seen| seen.code() == Code::EmptyHouse);
    OpponentsCells: Fault,
        "it plays the opponent's row, by its cells 7 to 12",
        "Your houses are cells 0 to 5 of \"board\", whoever began; cells 7 to 12 are the \
         opponent's. Play one of \"legal\".",
        Numbering(|_, opponents| 7 + opponents);
    NoSuchHouse: Fault,
        "it chooses something that is not a house",
        "Houses are 0 to 5; 6 and 13 are the stores. Play one of \"legal\".",
        Known::Fault(|seen| seen.code() == Code::NoSuchHouse);
    FromOne: Fault,
        "it counts its houses from 1: every answer is one too high",
        "Houses are 0 to 5: take 1 off.",
        Numbering(|own, _| own + 1);
    FromTheStore: Fault,
        "it counts its houses from the store: 0 for the nearest",
        "House 5 is the nearest to your store and house 0 the furthest: answer 5 minus yours.",
        Numbering(|own, _| 5 - own);
    BinsFromTheStore: Fault,
        "it counts its houses from the store: 1 for the nearest",
        "House 5 is the nearest to your store and house 0 the furthest: answer 6 minus yours \
         (ECE-1021's bin b is house 6 - b).",
        Numbering(|own, _| 6 - own);
    Facing: Fault,
        "it answers with the cell that faces its house",
        "House c faces cell 12 - c; answer c itself. Your houses are cells 0 to 5.",
        Numbering(|own, _| 12 - own);
    SecondHalf: Fault,
        "it answers with cells 7 to 12 for its own houses",
        "Your houses are always 0 to 5, whoever began: \"board\" is in your own view.",
        Numbering(|own, _| 7 + own);
    OpponentsRow: Fault,
        "it plays the opponent's row",
        "Your houses are cells 0 to 5 of \"board\", whoever began; cells 7 to 12 are the \
         opponent's. Play one of \"legal\".",
        Numbering(|_, opponents| opponents);
    AlwaysTheSame: Fault,
        "it gives the same answer to every board",
        "Choose from \"legal\", or from the cells 0 to 5 of \"board\" that are not 0.",
        SameAnswer { others_follow: false };
    BlindToTheBoard: Fault,
        "it does not look at the board that it is sent",
        "Take \"board\" and \"legal\" from each turn: they are always right. A plan, or a board that \
         a bot keeps itself, drifts from the real one, and a match may begin with any board.",
        SameAnswer { others_follow: true };

    // What is on stdout.
    Unasked: Fault,
        "it writes to stdout without being asked",
        "Write nothing at your start, and nothing in answer to start and end: only turn wants a \
         line. Print messages for people to stderr.",
        Known::Fault(|seen| seen.code() == Code::Unasked && seen.trace.answers_in_round == 0);
    MoreThanOneLine: Fault,
        "it writes more than one line for a turn",
        "Write exactly one line for each turn. Print messages for people to stderr.",
        Known::Fault(|seen| matches!(seen.code(), Code::Unasked | Code::MoreThanOneLine));
    EmptyLine: Fault,
        "it answers with an empty line",
        "Write one line for each turn, a house 0 to 5, and no empty line before or after it.",
        Known::Fault(|seen| seen.code() == Code::EmptyLine);
    NotAMove: Fault,
        "it answers with JSON that is not a move",
        "Answer with a whole number, 3, or an object with one, {\"move\":3}: no quotes around it, \
         no decimals, no list, no key twice.",
        Known::Fault(|seen| {
            let code = seen.code();
            code.kind() == Some(FaultKind::InvalidReply) && !is_no_json(code)
        });
    ShownObject: Fault,
        "it prints an object as its own language shows it, where JSON is expected",
        "Print json.dumps({\"move\": move}) in Python, JSON.stringify({move}) in JavaScript, or \
         the number alone: 3.",
        Known::Fault(|seen| seen.code() == Code::NotJson && is_shown_object(seen.line));
    Text: Fault,
        "it writes text to stdout where a move is expected",
        "Print messages for people to stderr. On stdout is one line for each turn: 3, or \
         {\"move\":3}.",
        Known::Fault(|seen| is_no_json(seen.code()));
    TooLong: Fault,
        "it writes more than 64 KiB without a newline",
        "End the line. Say less in \"info\".",
        Known::Fault(|seen| seen.code() == Code::LineTooLong);

    // Silence.
    DoesNotRead: Fault,
        "it does not read its stdin",
        "Read a line of stdin for each message, and go on until the end of the input.",
        Known::Fault(|seen| seen.code() == Code::NotReading);
    NoNewline: Fault,
        "it answers without a newline",
        "End each answer with a newline, \\n; a carriage return alone does not count. Then flush.",
        Known::Fault(|seen| seen.code() == Code::NoNewline);
    AnswersAtTheEnd: Fault,
        "it answers only when its input ends: a flush is missing, or it reads in blocks",
        "Flush stdout after each answer: print(move, flush=True) in Python, fflush(stdout) in C, \
         System.out.flush() in Java. If you do, read line by line: some languages read a pipe in \
         blocks (mawk needs -W interactive), and reading all input before the first answer waits \
         for its end.",
        // A bot that goes on thinking may answer now by chance; it does not exit then.
        Known::Fault(|seen| {
            seen.trace.finished.as_ref().is_some_and(|finished| {
                !finished.stdout.is_empty() && finished.how.is_some()
            })
        });
    Silent: Fault,
        "it does not answer",
        "Look for an endless loop or a search without a time limit. A bot that reads the messages \
         itself answers each line whose \"type\" is \"turn\" with one line: does it read something \
         else than stdin, or compare \"type\" with another word? Nothing came at the end of the \
         input either, so it is not only a missing flush.",
        Known::Fault(|seen| matches!(seen.code(), Code::NoAnswer | Code::NeverAnswered));

    // Limits.
    Memory: Fault,
        "it uses more memory than it may (--memory {})",
        "Keep less in memory: a smaller table, and a smaller heap where the language has one \
         (-Xmx in Java). All its processes count together. Where the contest grants more, check \
         with its --memory.",
        Known::Fault(|seen| seen.code() == Code::MemoryLimit);
    Processes: Fault,
        "it has more processes and threads than it may (--processes {})",
        "Start fewer processes and threads, and wait for those that have ended. Runtimes start \
         threads of their own, in Java and Node a dozen or two. Where the contest grants more, \
         check with its --processes.",
        Known::Fault(|seen| seen.code() == Code::ProcessLimit);
    CpuTime: Fault,
        "it uses more processor time than it may (--cpu-time {})",
        "Use less of the processor, and do not search while the opponent thinks: the time of all \
         rounds of a process counts together. Where the contest grants more, check with its \
         --cpu-time.",
        Known::Fault(|seen| seen.code() == Code::CpuTimeLimit);
    FileSize: Fault,
        "it writes a larger file than it may (--file-size {})",
        "Write less, or start a new file before the limit. Where the contest grants more, check \
         with its --file-size.",
        Known::Fault(|seen| seen.code() == Code::FileSizeLimit);
    NoMemory: Fault,
        "it is refused memory, says its stderr",
        "No limit of the check ended it: its language has one of its own (-Xmx in Java, \
         --max-old-space-size in Node), or the machine has no more to give. Keep less in memory.",
        Known::Fault(|seen| seen.code() == Code::OutOfMemory);

    // Gone.
    ClosesStdout: Fault,
        "it closes its stdout",
        "Leave stdout open until the end of the input.",
        Known::Fault(|seen| seen.code() == Code::ClosedStdout);
    ExitsAtOnce: Fault,
        "it exits before its first answer",
        "Read messages in a loop until the end of the input. The first line, start, wants no \
         answer; the turn comes after it.",
        Known::Fault(|seen| seen.has_exited() && seen.trace.answers_in_process == 0);
    ExitsAfterAnAnswer: Fault,
        "it exits in the middle of a round, with code 0",
        "Read messages in a loop until the end of the input: after an answer comes the next turn.",
        Known::Fault(|seen| seen.has_exited() && seen.trace.answers_in_round > 0);
    ExitsAfterARound: Fault,
        "it plays one round and exits",
        "Go on reading after end: the same process plays the next round, until the end of its \
         input.",
        Known::Fault(|seen| seen.has_exited());
    BadMemoryAccess: Fault,
        "it crashes with a bad memory access (SIGSEGV)",
        "Look for an index out of bounds, a NULL pointer that is used, or a recursion without end. \
         In C, build with -g -fsanitize=address,undefined (examples/ece1021/build.sh --sanitize \
         does): stderr then names the line.",
        Known::Fault(|seen| seen.cause.signal == Some(11));
    Crashes: Fault,
        "it crashes",
        "The reason is mostly in its stderr. Feed it the lines that it was sent to see it again.",
        Known::Fault(|seen| seen.code().kind() == Some(FaultKind::Exited));

    // What whole games do not have.
    FailsInLaterRounds: Warning,
        "it plays two rounds in one process, and no more",
        "Take every start as a new round, whatever its number, and go on until the end of the \
         input.",
        OnlyIn(Probe::Rounds);
    FailsWhenOpponentForfeits: Fault,
        "it fails when its opponent forfeits",
        "An end may have a \"fault\", of the opponent or of yours, and a round may end before its \
         first turn: go on reading, the next start comes.",
        OnlyIn(Probe::OpponentsFault);
    FailsWithATimeBank: Fault,
        "it fails with a time bank",
        "With a time bank, start has \"game_time_ms\" and each turn \"time_left_ms\", in \
         milliseconds. \"move_time_ms\" is always the limit that counts.",
        OnlyIn(Probe::TimeBank);
    FailsOnOddNames: Fault,
        "it fails on names with quotes, braces or letters beyond ASCII",
        "Read each line with a JSON parser, as UTF-8: \"you\" and \"opponent\" may hold any \
         printable character.",
        OnlyIn(Probe::Names);
    FailsOnUnknownFields: Warning,
        "it fails on unknown fields",
        "Ignore every field that you do not know, in any object: later versions may send some. \
         Read each line with a JSON parser, and let it pass over unknown keys.",
        OnlyIn(Probe::UnknownFields);
    FailsOnUnknownTypes: Warning,
        "it fails on messages of an unknown type",
        "Ignore every line whose \"type\" you do not know, and answer turn only: later versions \
         may send other messages, and none of them wants an answer.",
        OnlyIn(Probe::UnknownTypes);

    // The end of its input.
    BadExitCode: Warning,
        "it takes the end of its input for an error",
        "The end of the input is how a match ends, in the middle of a round too when the match is \
         broken off: leave the loop and exit with code 0.",
        EndOfInput(|finished| {
            matches!(finished.how, Some(Ended::Code(1..) | Ended::Signal(_)))
        });
    OutlivesItsInput: Warning,
        "it goes on running after the end of its input",
        "Exit when reading stdin says that it has ended (an empty string in Python, null in Java, \
         EOF in C). A bot has 300 ms to do so and is killed then, with what it had yet to write to \
         a file.",
        EndOfInput(|finished| finished.how != Some(Ended::Code(0)) || finished.after > EXIT_GRACE);

    // Times.
    SlowStart: Warning,
        "its first answer took more than half of its time",
        "A busy machine makes it late: load less at the start, or ask for a longer --start-time.",
        Times { first: true };
    NearTheLimit: Warning,
        "an answer took more than half of its time",
        "A busy machine or a deeper position makes it late: plan with less of \"move_time_ms\".",
        Times { first: false };
}

fn missing(seen: &Seen<'_>, what: Kind) -> bool {
    seen.missing.as_ref().is_some_and(|missing| missing.what == what)
}

/// Whether an answer is text that JSON does not allow.
fn is_no_json(code: Code) -> bool {
    matches!(code, Code::NotUtf8 | Code::NotJson | Code::IncompleteJson | Code::TooDeep)
}

impl Problem {
    /// The first problem of the table that is known in such a way.
    pub(super) fn known_by(is_such: impl Fn(&Known) -> bool) -> Option<Problem> {
        Problem::ALL.iter().copied().find(|problem| is_such(&problem.row().known))
    }

    /// Whether it is about the house that the bot chose, and an experiment may tell more.
    pub(super) const fn is_about_houses(self) -> bool {
        matches!(self, Problem::EmptyHouse | Problem::NoSuchHouse)
    }

    /// Whether it is about what was written to stdout, perhaps before the bot was asked.
    pub(super) const fn is_about_output(self) -> bool {
        matches!(
            self,
            Problem::Text
                | Problem::ShownObject
                | Problem::EmptyLine
                | Problem::NotAMove
                | Problem::MoreThanOneLine
        )
    }

    /// Whether the bot exits by itself and calls that a success.
    pub(super) const fn is_an_exit(self) -> bool {
        matches!(
            self,
            Problem::ExitsAtOnce | Problem::ExitsAfterAnAnswer | Problem::ExitsAfterARound
        )
    }

    /// Whether the bot ends otherwise than by exiting with code 0.
    pub(super) const fn is_a_crash(self) -> bool {
        matches!(self, Problem::Crashes | Problem::BadMemoryAccess)
    }

    /// Whether the bot leaves, one way or another.
    pub(super) const fn is_a_departure(self) -> bool {
        self.is_an_exit() || self.is_a_crash() || matches!(self, Problem::ClosesStdout)
    }

    /// Whether the bot ran into a limit of the check, which is the same wherever it does.
    pub(super) const fn is_a_limit(self) -> bool {
        matches!(
            self,
            Problem::Memory
                | Problem::Processes
                | Problem::CpuTime
                | Problem::FileSize
                | Problem::NoMemory
        )
    }

    /// Whether something that the program needs is not there.
    pub(super) const fn is_a_missing_part(self) -> bool {
        matches!(
            self,
            Problem::MissingFile
                | Problem::MissingModule
                | Problem::MissingClass
                | Problem::MissingProgram
        )
    }
}
