//! The table of everything that can be wrong with a bot: how bad it is, the words for it, how to fix
//! it, and how it is recognised.

use super::clues::{
    FaultClues, chose_the_same_again, has_crashed, stops_answering, wrote_at_the_end,
};
use super::missing::{
    MissingKind, is_decoding_error, is_endless_recursion, is_not_compiled, is_syntax_error,
    parsed_several_messages,
};
use super::problem_row::Known::{EndOfInput, Experiment, Numbering, OnlyIn};
use super::problem_row::{Group, Known, ProblemRow, table};
use crate::bot::EXIT_GRACE;
use crate::protocol::CauseCode as Code;
use crate::referee::Ended;
use crate::report::Probe;
use crate::report::Severity::{Fault, Warning};

table! {
    DoesNotStart: Other Fault, "its program does not start",
        "Hand in the file under the name that the command has, or give the command that starts it.",
        Experiment;
    StartsNoMore: Other Fault [CannotStart], "its program does not start again",
        "See whether the program is still there and may still be executed.";

    MissingFile: Missing Fault, "its program does not find a file: {}",
        "Give the file's path from the folder where the bot runs (its dir in a contest, else where \
         mancala is started), or its full path. In a contest, hand the file in with the bot.",
        Known::Fault(|clues| missing(clues, MissingKind::File));
    MissingModule: Missing Fault, "its program does not find a module: {}",
        "Give the bot's own script by its path from the folder where the bot runs, or by its full path; \
         in a contest, hand its modules in with it. Install a library for the interpreter that the \
         command line names.",
        Known::Fault(|clues| missing(clues, MissingKind::Module));
    MissingClass: Missing Fault, "its program does not find a class: {}",
        "Compile the class, and name it without .class, with the folder where it lies: \
         java -cp FOLDER CLASS. FOLDER is relative to the folder where mancala is started.",
        Known::Fault(|clues| missing(clues, MissingKind::Class));
    MissingProgram: Missing Fault, "its program does not find a program: {}",
        "Install the program, or give its full path. If it is there, its interpreter is not: look at its \
         first line (#!).",
        Known::Fault(|clues| missing(clues, MissingKind::Program));

    PrintsBehindTheAdapter: Other Fault, "{}",
        "Take the print out, or print to stderr: fprintf(stderr, …) in C.",
        Known::Fault(|clues| clues.is_said_by_adapter("prints"));
    LeaksBehindTheAdapter: Other Fault, "{}",
        "Free all memory that your function allocates before it returns.",
        Known::Fault(|clues| clues.is_said_by_adapter("leaks"));
    ExitsBehindTheAdapter: Other Fault, "{}",
        "Return a value on every way through your function, and call nothing that ends the program.",
        Known::Fault(|clues| clues.is_said_by_adapter("exits"));
    TextBehindTheAdapter: Other Fault, "{}",
        "An answer is a line with the house alone, as --houses says: 3, not 3.0 and no other word. Print \
         messages for people to stderr; or give lines.py --skip-other-lines, which passes over lines that \
         are no answer.",
        Known::Fault(|clues| {
            clues.is_said_by_adapter("no_answer") || clues.is_said_by_adapter("unasked")
        });
    BehindTheAdapter: Other Fault, "{}",
        "This is what the adapter says about your own code, in its terms.",
        Known::Fault(|clues| clues.cause.adapter.is_some());

    LateAtFirst: Other Fault, "its first answer comes too late",
        "Make the start faster (tables, imports, a virtual machine) or ask for a longer --start-time, \
         which is added to the limit of a first answer. If the search takes this long, look at the \
         clock, and stop within \"move_time_ms\".",
        Known::Fault(|clues| clues.is_at_the_first_answer() && clues.trace.late_by.is_some());
    ReadsAhead: Other Fault, "it answers only when the next message comes",
        "Read one line for each message, and answer before you read on: no reading of blocks of a fixed \
         length, and no \\n at the end of a scanf format. Flush stdout behind the answer, not before it. \
         {flush}", Experiment;
    Late: Other Fault, "it answers too late",
        "Answer within \"move_time_ms\" (with a time bank, within \"time_left_ms\"): look at the \
         clock while you search, and stop early. Time counts from the turn to the newline of the \
         answer.",
        Known::Fault(|clues| {
            // Whether a bot that has answered before holds this answer back, an experiment tells.
            matches!(clues.code(), Code::LateAnswer | Code::BankSpent)
                || clues.trace.late_by.is_some()
                || (wrote_at_the_end(clues) && !clues.is_at_the_first_answer())
        });

    WrongDirection: Other Fault [WrongDirection],
        "it chooses a direction that the rules do not have",
        "Name a \"direction\" only where \"rules\".\"direction\" of start is \"either\".";

    SameAsLast: House Fault, "it chooses a house without seeds: the one of its last answer",
        "Does it write each answer twice, or answer start too? A second line is taken for the answer \
         to the next turn: write exactly one line for each turn. If it does not, take \"board\" or \"legal\" from \
         each turn: your last move has emptied that house.",
        Known::Fault(chose_the_same_again);
    EmptyHouse: House Fault [EmptyHouse], "it chooses a house without seeds",
        "Play one of \"legal\". \"board\" is always in your own view: your houses are cells 0 to 5. \
         If you keep a board of your own, take \"board\" instead: it is always right.";
    NoSuchHouse: House Fault [NoSuchHouse], "it chooses something that is not a house",
        "Houses are 0 to 5; 6 and 13 are the stores. Play one of \"legal\".";

    OpponentsCells: Other Fault, "it plays the opponent's row, by its cells 7 to 12",
        "Your houses are cells 0 to 5 of \"board\", whoever began; cells 7 to 12 are the \
         opponent's. Play one of \"legal\".",
        Numbering(|_, opponents| 7 + opponents);
    FromOne: Other Fault, "it counts its houses from 1: every answer is one too high",
        "Houses are 0 to 5: take 1 off.", Numbering(|own, _| own + 1);
    FromMinusOne: Other Fault, "every answer is one too low",
        "Houses are 0 to 5: add 1.", Numbering(|own, _| own - 1);
    FromTheStore: Other Fault, "it counts its houses from the store: 0 for the nearest",
        "House 5 is the nearest to your store and house 0 the furthest: answer 5 minus yours.",
        Numbering(|own, _| 5 - own);
    BinsFromTheStore: Other Fault, "it counts its houses from the store: 1 for the nearest",
        "House 5 is the nearest to your store and house 0 the furthest: answer 6 minus yours.",
        Numbering(|own, _| 6 - own);
    Facing: Other Fault, "it answers with the cell that faces its house",
        "House c faces cell 12 - c; answer c itself. Your houses are cells 0 to 5.", Numbering(|own, _| 12 - own);
    SecondHalf: Other Fault, "it answers with cells 7 to 12 for its own houses",
        "Your houses are always 0 to 5, whoever began: \"board\" is in your own view.",
        Numbering(|own, _| 7 + own);
    OpponentsRow: Other Fault, "it plays the opponent's row",
        "Your houses are cells 0 to 5 of \"board\", whoever began; cells 7 to 12 are the \
         opponent's. Play one of \"legal\".",
        Numbering(|_, opponents| opponents);
    AlwaysTheSame: Other Fault, "it gives the same answer to every board",
        "Choose from \"legal\", or from the cells 0 to 5 of \"board\" that are not 0.", Experiment;
    BlindToTheBoard: Other Fault, "it does not look at the board that it is sent",
        "Take \"board\" and \"legal\" from each turn: they are always right. A plan, or a board that \
         a bot keeps itself, drifts from the real one, and a match may begin with any board.",
        Experiment;

    TakesAStore: Other Fault, "it takes a store for a house",
        "Cells 6 and 13 of \"board\" are the stores: choose among the cells 0 to 5, or from \"legal\".",
        Experiment;
    PlaceInLegal: Other Fault, "it answers a position in \"legal\" instead of the house there",
        "\"legal\" lists the houses themselves: answer legal[i], not i.", Experiment;
    AnyNumber: Other Fault, "it chooses houses without seeds, and numbers that are not houses",
        "Choose from \"legal\", or from the cells 0 to 5 of \"board\" that are not 0; 6 and 13 are \
         the stores.", Experiment;

    // In the terms of a bot behind an adapter.
    OneTooLow: Other Fault, "every answer is one too low, as if the code counted from 0",
        "Add 1 to each answer{from_0}.", Experiment;
    OneTooHigh: Other Fault, "every answer is one too high",
        "Take 1 off each answer{from_1}.", Experiment;
    PerhapsOneTooLow: House Fault, "it chooses the number below those of the houses",
        "If your code counts from 0, add 1 to each answer{from_0}.", Experiment;
    PerhapsOneTooHigh: House Fault, "it chooses the number above those of the houses",
        "If each answer is one too high, take 1 off{from_1}.", Experiment;
    FromTheOtherEnd: Other Fault, "it counts from the other end",
        "Turn the order of its numbers round.", Experiment;
    PlaceAmongFull: Other Fault, "it answers a position in the list of those with seeds",
        "Answer the number of the one at that position.", Experiment;
    StoreAmongHouses: Other Fault, "it takes its store for a house",
        "Leave the store out of what your code chooses from.", Experiment;
    RowOfTheOther: Other Fault, "it plays the opponent's row",
        "Choose from the row of the player that your code is given.", Experiment;

    Unasked: Other Fault, "it writes to stdout without being asked",
        "Answer only where \"type\" is \"turn\": write nothing at your start, and nothing in answer to \
         start and end. Print messages for people to stderr. In Python, the text of input(\"…\") is \
         written to stdout, too: use input() without one. A loop that goes on after reading has failed \
         prints without end: a message is a line of JSON, not numbers (in C++, read it with getline).",
        Known::Fault(|clues| clues.code() == Code::Unasked && clues.trace.answers_in_round == 0);

    MoreThanOneLine: Output Fault [Unasked, MoreThanOneLine],
        "it writes more than one line for a turn",
        "Write exactly one line for each turn, and none where \"type\" is not \"turn\". Print messages \
         for people to stderr.";
    EmptyLine: Output Fault [EmptyLine], "it answers with an empty line",
        "Write one line for each turn, a house 0 to 5, and no empty line before or after it.";
    NoValue: Output Fault [NoValue], "it answers with no value",
        "None, null, undefined, nil or NaN stands where a house should: from a function that returns \
         nothing on one of its ways, or a field that does not exist.";
    MoreThanTheNumber: Output Fault [MoreThanANumber], "it writes more than the house",
        "Write the number alone, 3, or {\"move\":3}: no bracket, comma or other sign (a byte-order \
         mark is one, and \\u{0} comes from UTF-16), no second number, no colours, and no prompt such as that of input(\"> \") in Python.";
    NoMove: Output Fault [NoMove], "it answers with an object that has no \"move\"",
        "The key is \"move\", in lower case: {\"move\":3}.";
    MoveNotANumber: Output Fault [MoveNotANumber], "its \"move\" is not a number",
        "Write {\"move\":3}, without quotes around the number. With null, its function returned \
         nothing.";
    NotWhole: Output Fault [NotWhole], "it answers with a number that is not whole",
        "Write 3, not 3.0 or 3e0: turn it into a whole number, int(move) in Python, or divide with \
         // instead of /.";
    DuplicateKey: Output Fault [DuplicateKey], "it answers with an object that has a key twice",
        "Write each key once: {\"move\":3}.";
    BadDirection: Output Fault [UnknownDirection, DirectionNotText],
        "its \"direction\" is not a direction",
        "Write \"forward\" or \"backward\", in lower case and in quotes, or leave \"direction\" out.";
    IncompleteJson: Output Fault [IncompleteJson], "it answers with JSON that is cut off",
        "Write the whole answer in one line, without indentation: a newline ends it. Close every \
         bracket and quote.";
    NotAMove: Output Fault [NotAMove], "it answers with JSON that is not a move",
        "Answer with a whole number, 3, or an object with one, {\"move\":3}: no quotes around it, \
         no list.";
    ShownObject: Output Fault [ShownObject],
        "it prints an object as its own language shows it, where JSON is expected",
        "Print json.dumps({\"move\": move}) in Python, JSON.stringify({move}) in JavaScript, or \
         the number alone: 3.";
    NotUtf8: Output Fault [NotUtf8], "it writes bytes that are not UTF-8",
        "Write plain digits, as ASCII or UTF-8, not UTF-16. Print messages for people to stderr.";
    Text: Output Fault [NotJson, TooDeep],
        "it writes text to stdout where a move is expected",
        "Print messages for people to stderr, and on stdout one line a turn: 3, or {\"move\":3}.";

    TooLong: Other Fault [LineTooLong], "it writes more than 64 KiB without a newline",
        "End the line. Say less in \"info\".";
    DoesNotRead: Other Fault [NotReading], "it does not read its stdin",
        "Read a line of stdin for each message, and go on until the end of the input.";
    NoNewline: Other Fault [NoNewline], "it answers without a newline",
        "End each answer with a newline, \\n; a carriage return alone does not count. Then flush.";
    AnswersAtTheEnd: Other Fault, "it answers only when its input ends",
        "Flush stdout after each answer. {flush} And read line by line: what reads all of its input \
         before the first answer waits for the end of the match.",
        Known::Fault(wrote_at_the_end);
    MissingFlush: Other Fault, "it answers only when its input ends: a flush is missing",
        "Flush stdout after each answer. {flush}", Experiment;
    NeverFlushes: Other Fault, "it writes answers only when its buffer is full: a flush is missing",
        "Flush stdout after each answer. {flush}", Experiment;
    WaitsForTheEnd: Other Fault, "it waits for the end of its input before it answers",
        "Read line by line, and answer each turn before you read on: the next line comes only after \
         the answer. Reading all input at once, or in blocks, waits for the end of the match (mawk \
         needs -W interactive).",
        Known::Fault(|clues| {
            let is_silent = matches!(clues.code(), Code::NoAnswer | Code::NeverAnswered);
            is_silent && clues.is_new() && parsed_several_messages(clues.stderr)
        });
    ComputesOn: Other Fault, "it computes on and gives no answer",
        "Look for a loop that does not end in the position of the last turn above, or for a search that takes \
         too long there. Send it that turn again to see it. If another thread computes, or if it polls its \
         input: does it still read each line?",
        Known::Fault(|clues| stops_answering(clues) && clues.trace.is_computing);
    StopsAnswering: Other Fault, "it stops answering",
        "{stops}Read messages in a loop until the end of the input: after an answer comes the next turn. If \
         it does read on, look at the turn that it did not answer: does a search for it take too long?",
        Known::Fault(stops_answering);
    Silent: Other Fault [NoAnswer, NeverAnswered], "it does not answer",
        "{silence}If its start takes longer than its start time (tables, imports, a virtual machine), make it \
         faster or ask for a longer --start-time. A bot answers each line whose \"type\" is \"turn\" with one line: does it read something else \
         than stdin, or compare \"type\" with another word? If it does not, look for an endless loop \
         or a search without a time limit.";

    Memory: Limit Fault [MemoryLimit], "it uses more memory than it may (--memory {})",
        "Keep less in memory: a smaller table, and a smaller heap where the language has one \
         (-Xmx in Java). All its processes count together. If the contest allows more, check \
         with its --memory.";
    Processes: Limit Fault [ProcessLimit],
        "it has more processes and threads than it may (--processes {})",
        "Start fewer processes and threads, and wait for those that have ended. Runtimes start \
         threads of their own, in Java and Node a dozen or two. If the contest allows more, \
         check with its --processes.";
    CpuTime: Limit Fault [CpuTimeLimit], "it uses more processor time than it may (--cpu-time {})",
        "Use less of the processor, and do not search while the opponent thinks: the time of all \
         rounds of a process counts together. If the contest allows more, check with its \
         --cpu-time.";
    FileSize: Limit Fault [FileSizeLimit], "it writes a larger file than it may (--file-size {})",
        "Write less, or start a new file before the limit. If the contest allows more, check \
         with its --file-size.";
    NoMemory: Limit Fault [OutOfMemory], "it is refused memory, according to its stderr",
        "No limit of the check ended it: its language has one of its own (-Xmx in Java, \
         --max-old-space-size in Node), or the machine has no more to give. Keep less in memory.";

    ClosesStdout: ClosedStdout Fault [ClosedStdout], "it closes its stdout",
        "Leave stdout open until the end of the input.";

    ExitsAtOnce: Exit Fault, "it exits before its first answer",
        "{exits}Read messages in a loop until the end of the input. The first line, start, wants no \
         answer; the turn comes after it.",
        Known::Fault(|clues| clues.cause.exit_code == Some(0) && clues.is_new());
    ExitsAfterAnAnswer: Exit Fault, "it exits in the middle of a round, with code 0",
        "{exits}Read messages in a loop until the end of the input: after an answer comes the next turn.",
        Known::Fault(|clues| clues.cause.exit_code == Some(0) && clues.trace.answers_in_round > 0);
    ExitsAfterARound: Exit Fault, "it plays one round and exits",
        "{exits}Go on reading after end: the same process plays the next round, until the end of its \
         input.",
        Known::Fault(|clues| clues.cause.exit_code == Some(0));

    BadMemoryAccess: Crash Fault, "it crashes with a bad memory access (SIGSEGV)",
        "Look for an index out of bounds, a NULL pointer that is used, or a recursion without end. \
         In C, build with -g -fsanitize=address,undefined: stderr then names the line.",
        Known::Fault(|clues| clues.cause.signal == Some(11));
    CannotDecode: Crash Fault, "it cannot read letters beyond ASCII",
        "Read stdin as UTF-8: names, and what opponents wrote, may hold any printable character.",
        Known::Fault(|clues| has_crashed(clues) && is_decoding_error(clues.stderr));
    SeveralMessages: Crash Fault, "it takes several messages for one",
        "A message is a line, and a block of input may hold several: split it at newlines (in Node, with \
         readline), and parse each line for itself.",
        Known::Fault(|clues| has_crashed(clues) && parsed_several_messages(clues.stderr));
    NotValid: Other Fault, "its program has a syntax error",
        "The end of its stderr names the line. If it runs on your machine, the interpreter here may be \
         another version, such as Python 3 for a script of Python 2.",
        Known::Fault(|clues| {
            has_crashed(clues) && clues.is_at_the_first_answer() && is_syntax_error(clues.stderr)
        });
    NotCompiled: Other Fault, "its program does not compile",
        "Its stderr names the line, and what is wrong there.",
        Known::Fault(|clues| {
            has_crashed(clues) && clues.is_at_the_first_answer() && is_not_compiled(clues.stderr)
        });
    EndlessRecursion: Crash Fault, "it crashes in a recursion without end",
        "Its stderr names the function that calls itself again and again. Look for the case in which \
         it must stop: a depth of 0, or a position without a legal move.",
        Known::Fault(|clues| has_crashed(clues) && is_endless_recursion(clues.stderr));
    Crashes: Crash Fault, "it crashes",
        "Its stderr usually says why; if it says nothing, look for what ends the program, such as exit. \
         Send it the same lines to see it again.",
        Known::Fault(has_crashed);

    FailsInLaterRounds: Other Warning, "it plays two rounds in one process, and no more",
        "Take every start as a new round, whatever its number, and go on until the end of the \
         input.",
        OnlyIn(Probe::Rounds);
    FailsWhenOpponentForfeits: Other Fault, "it fails when its opponent forfeits",
        "An end may have a \"fault\", of the opponent or of yours, and a round may end before its \
         first turn: go on reading, the next start comes.",
        OnlyIn(Probe::OpponentsFault);
    FailsWithATimeBank: Other Fault, "it fails with a time bank",
        "With a time bank, start has \"game_time_ms\" and each turn \"time_left_ms\", in \
         milliseconds. \"move_time_ms\" is always the limit that counts.",
        OnlyIn(Probe::TimeBank);
    FailsOnOddNames: Other Fault, "it fails on names with quotes, braces or letters beyond ASCII",
        "Read each line with a JSON parser, as UTF-8: \"you\" and \"opponent\" may hold any \
         printable character.",
        OnlyIn(Probe::Names);
    FailsOnUnknownFields: Other Warning, "it fails on unknown fields",
        "Ignore every field that you do not know, in any object: later versions may send some. \
         Read each line with a JSON parser, and let it pass over unknown keys.",
        OnlyIn(Probe::UnknownFields);
    FailsOnUnknownTypes: Other Warning, "it fails on messages of an unknown type",
        "Ignore every line whose \"type\" you do not know, and answer turn only: later versions \
         may send other messages, and none of them wants an answer.",
        OnlyIn(Probe::UnknownTypes);

    BadExitCode: Other Warning, "it takes the end of its input for an error",
        "The end of the input is how a match ends, in the middle of a round too when the match is \
         broken off: leave the loop and exit with code 0.",
        EndOfInput(|it| matches!(it.how, Some(Ended::Code(1..) | Ended::Signal(_))));
    OutlivesItsInput: Other Warning, "it goes on running after the end of its input",
        "Exit when stdin has ended (an empty string in Python, null in Java, EOF in C): after 300 ms \
         a bot is killed, with what it had yet to write to a file.",
        EndOfInput(|finished| finished.how != Some(Ended::Code(0)) || finished.after > EXIT_GRACE);

    SlowStart: Other Warning, "its first answer took more than half of its time",
        "A busy machine makes it late: load less at the start, or ask for a longer --start-time.",
        Experiment;
    NearTheLimit: Other Warning, "an answer took more than half of its time",
        "A busy machine or a deeper position makes it late: use less of \"move_time_ms\".", Experiment;
}

fn missing(clues: &FaultClues<'_>, kind: MissingKind) -> bool {
    clues.missing.as_ref().is_some_and(|missing| missing.kind == kind)
}
