//! What is wrong, in a sentence, and how to mend it.

use std::borrow::Cow;

use super::diagnosis::Diagnosis;
use super::numbering::Numbering;
use super::obstacles::{beyond, find, not_there, use_less};
use super::report::Probe;

impl Diagnosis {
    /// What is wrong, in a sentence without its full stop.
    pub(super) fn what(&self) -> Cow<'static, str> {
        Cow::Borrowed(match self {
            Diagnosis::Limit(cause) => return beyond(*cause).into(),
            Diagnosis::Missing(missing) => return not_there(missing).into(),
            Diagnosis::Numbered(numbering) => wrong_numbers(*numbering),
            Diagnosis::EmptyHouse => "it chooses a house without seeds",
            Diagnosis::NoSuchHouse => "it chooses something that is no house",
            Diagnosis::WrongDirection => "it chooses a direction that the rules do not have",
            Diagnosis::Text => "it writes text to stdout where a move is expected",
            Diagnosis::ShownObject => {
                "it prints an object as its own language shows it, where JSON is expected"
            }
            Diagnosis::EmptyLine => "it answers with an empty line",
            Diagnosis::NotAMove => "it answers with JSON that is no move",
            Diagnosis::Unasked => "it writes to stdout without being asked",
            Diagnosis::MoreThanOneLine => "it writes more than one line for a turn",
            Diagnosis::TooLong => "it writes more than 64 KiB without a newline",
            Diagnosis::AnswersAtTheEnd => {
                "it answers only when its input ends: a flush is missing, or it reads in blocks"
            }
            Diagnosis::NoNewline => "it answers without a newline",
            Diagnosis::DoesNotRead => "it does not read its stdin",
            Diagnosis::Silent => "it does not answer",
            Diagnosis::Late => "it answers too late",
            Diagnosis::ExitsAtOnce => "it exits before its first answer",
            Diagnosis::ExitsAfterAnAnswer => "it exits in the middle of a round, with code 0",
            Diagnosis::ExitsAfterARound => "it plays one round and exits",
            Diagnosis::Crashes => "it crashes",
            Diagnosis::ClosesStdout => "it closes its stdout",
            Diagnosis::StartsNoMore => "its program does not start again",
            Diagnosis::Only(probe) => fails(*probe),
            Diagnosis::OutlivesItsInput => "it goes on running after the end of its input",
            Diagnosis::BadExitCode => "it takes the end of its input for an error",
            Diagnosis::NearTheLimit => "an answer took more than half of its time",
            Diagnosis::SlowStart => "its first answer took more than half of its time",
        })
    }

    /// How to mend it.
    pub(super) fn mend(&self) -> Cow<'static, str> {
        Cow::Borrowed(match self {
            Diagnosis::Limit(cause) => use_less(*cause),
            Diagnosis::Missing(missing) => find(missing.what),
            Diagnosis::Numbered(numbering) => renumber(*numbering),
            Diagnosis::EmptyHouse => {
                "Play one of \"legal\". A board that seems to be another one than yours is the \
                 other side's: \"board\" is always in your own view, your houses are cells 0 to 5. \
                 If you keep a board of your own, take \"board\" instead: it is always right."
            }
            Diagnosis::NoSuchHouse => {
                "Houses are 0 to 5, the stores 6 and 13 are none. Play one of \"legal\"."
            }
            Diagnosis::WrongDirection => {
                "Name a \"direction\" only where \"rules\".\"direction\" of start is \"either\"."
            }
            Diagnosis::Text => {
                "Print what is for people to stderr. On stdout is one line for each turn: 3, or \
                 {\"move\":3}."
            }
            Diagnosis::ShownObject => {
                "Print json.dumps({\"move\": move}) in Python, JSON.stringify({move}) in JavaScript, \
                 or the number alone: 3."
            }
            Diagnosis::EmptyLine => {
                "Write one line for each turn, a house 0 to 5, and no empty line before or after it."
            }
            Diagnosis::NotAMove => {
                "Answer with a whole number, 3, or an object with one, {\"move\":3}: no quotes \
                 around it, no decimals, no list, no key twice."
            }
            Diagnosis::Unasked => {
                "Write nothing at your start, and nothing in answer to start and end: only turn \
                 wants a line. Print what is for people to stderr."
            }
            Diagnosis::MoreThanOneLine => {
                "Write exactly one line for each turn. Print what is for people to stderr."
            }
            Diagnosis::TooLong => "End the line. Say less in \"info\".",
            Diagnosis::AnswersAtTheEnd => {
                "Flush stdout after each answer: print(move, flush=True) in Python, \
                 fflush(stdout) in C, System.out.flush() in Java. If you do, read line by line: \
                 some languages read a pipe in blocks (mawk needs -W interactive), and \
                 reading all input before the first answer waits for its end."
            }
            Diagnosis::NoNewline => {
                "End each answer with a newline, \\n; a carriage return alone is none. Then flush."
            }
            Diagnosis::DoesNotRead => {
                "Read a line of stdin for each message, and go on until the end of the input."
            }
            Diagnosis::Silent => {
                "Answer each line whose \"type\" is \"turn\" with one line. Look for an endless \
                 loop or a search without a time limit, for reading something else than stdin, and \
                 for a \"type\" that is compared with another word. Nothing came at the end of the \
                 input either, so it is not only a missing flush."
            }
            Diagnosis::Late => {
                "Answer within \"move_time_ms\" (with a time bank, within \"time_left_ms\"): look \
                 at the clock while you search, and stop early. The time counts from the turn \
                 to the newline of the answer."
            }
            Diagnosis::ExitsAtOnce => {
                "Read messages in a loop until the end of the input. The first line, start, wants \
                 no answer; the turn comes after it."
            }
            Diagnosis::ExitsAfterAnAnswer => {
                "Read messages in a loop until the end of the input: after an answer comes the \
                 next turn."
            }
            Diagnosis::ExitsAfterARound => {
                "Go on reading after end: the same process plays the next round, until the end of \
                 its input."
            }
            Diagnosis::Crashes => {
                "The reason is mostly in its stderr. Feed it the lines that it was sent to see it \
                 again."
            }
            Diagnosis::ClosesStdout => "Leave stdout open until the end of the input.",
            Diagnosis::StartsNoMore => "See whether it is still there and may still be executed.",
            Diagnosis::Only(probe) => cope(*probe),
            Diagnosis::OutlivesItsInput => {
                "Exit when reading stdin says that it has ended (an empty string in Python, null \
                 in Java, EOF in C). A bot has 300 ms to do so and is killed then, with what it \
                 had yet to write to a file."
            }
            Diagnosis::BadExitCode => {
                "The end of the input is how a match ends, in mid-round too when the match is \
                 broken off: leave the loop and exit with code 0."
            }
            Diagnosis::NearTheLimit => {
                "A busy machine or a deeper position makes it late: plan with less of \
                 \"move_time_ms\"."
            }
            Diagnosis::SlowStart => {
                "A busy machine makes it late: load less at the start, or ask for a longer \
                 --start-time."
            }
        })
    }
}

const fn wrong_numbers(numbering: Numbering) -> &'static str {
    match numbering {
        Numbering::FromOne => "it counts its houses from 1: every answer is one too high",
        Numbering::FromTheStore => "it counts its houses from the store: 0 for the nearest",
        Numbering::BinsFromTheStore => "it counts its houses from the store: 1 for the nearest",
        Numbering::Facing => "it answers with the cell that faces its house",
        Numbering::SecondHalf => "it answers with cells 7 to 12 for its own houses",
        Numbering::OpponentsRow => "it plays the opponent's row",
        Numbering::OpponentsCells => "it plays the opponent's row, by its cells 7 to 12",
        Numbering::AlwaysTheSame => "it answers the same whatever the board",
        Numbering::BlindToTheBoard => "it does not look at the board that it is sent",
    }
}

const fn renumber(numbering: Numbering) -> &'static str {
    match numbering {
        Numbering::FromOne => "Houses are 0 to 5: take 1 off.",
        Numbering::FromTheStore => {
            "House 5 is the nearest to your store and house 0 the furthest: answer 5 minus yours."
        }
        Numbering::BinsFromTheStore => {
            "House 5 is the nearest to your store and house 0 the furthest: answer 6 minus yours \
             (ECE-1021's bin b is house 6 - b)."
        }
        Numbering::Facing => {
            "House c faces cell 12 - c; answer c itself. Your houses are cells 0 to 5."
        }
        Numbering::SecondHalf => {
            "Your houses are always 0 to 5, whoever began: \"board\" is in your own view."
        }
        Numbering::OpponentsRow | Numbering::OpponentsCells => {
            "Your houses are cells 0 to 5 of \"board\", whoever began; cells 7 to 12 are the \
             opponent's. Play one of \"legal\"."
        }
        Numbering::AlwaysTheSame => {
            "Choose from \"legal\", or from the cells 0 to 5 of \"board\" that are not 0."
        }
        Numbering::BlindToTheBoard => {
            "Take \"board\" and \"legal\" from each turn: they are always right. A plan, or a board \
             that a bot keeps by itself, drifts from the real one, and a match may begin with any \
             board."
        }
    }
}

const fn fails(probe: Probe) -> &'static str {
    match probe {
        Probe::Rounds => "it plays two rounds in one process, and no more",
        Probe::OpponentsFault => "it fails when its opponent forfeits",
        Probe::TimeBank => "it fails with a time bank",
        Probe::Names => "it fails on names with quotes, braces or letters beyond ASCII",
        Probe::UnknownFields => "it fails on fields that it does not know",
        Probe::UnknownTypes => "it fails on messages of a type that it does not know",
        Probe::Start
        | Probe::Games
        | Probe::EndOfInput
        | Probe::Determinism
        | Probe::Positions
        | Probe::Times => "it fails here",
    }
}

const fn cope(probe: Probe) -> &'static str {
    match probe {
        Probe::Rounds => {
            "Take every start as a new round, whatever its number, and go on until the end of the \
             input."
        }
        Probe::OpponentsFault => {
            "An end may have a \"fault\", of the opponent or of yours, and a round may end before \
             its first turn: go on reading, the next start comes."
        }
        Probe::TimeBank => {
            "With a time bank start has \"game_time_ms\" and each turn \"time_left_ms\", in \
             milliseconds. \"move_time_ms\" is always the one that counts."
        }
        Probe::Names => {
            "Read each line with a JSON parser, as UTF-8: \"you\" and \"opponent\" may hold any \
             printable character."
        }
        Probe::UnknownFields => {
            "Ignore every field that you do not know, in any object: later versions may send some. \
             Read each line with a JSON parser, and let it pass over unknown keys."
        }
        Probe::UnknownTypes => {
            "Ignore every line whose \"type\" you do not know, and answer turn only: later versions \
             may send other messages, and none of them wants an answer."
        }
        Probe::Start
        | Probe::Games
        | Probe::EndOfInput
        | Probe::Determinism
        | Probe::Positions
        | Probe::Times => "See what it was sent.",
    }
}
