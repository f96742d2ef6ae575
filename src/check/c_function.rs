//! A C student's function behind the adapter of `examples/ece1021`: what is wrong with it is told
//! by the function and its bins, for its author has never seen the protocol.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use memchr::memmem::Finder;

use super::report::Finding;
use super::table::Problem;
use crate::bot::BotCommand;
use crate::protocol::ToBot;
use crate::rules::Board;

/// What the adapter leaves in a program, before the name of the function in it and a newline.
const MARK: &str = "mancala-referee: a bot made of the function ";

/// The largest program that is looked into. With sanitizers linked in it is some MiB.
const MAX_PROGRAM: u64 = 64 << 20;

/// A function that plays, by its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CFunction(String);

impl CFunction {
    /// The function that a bot's program was made of, if it was.
    pub(super) fn of(bot: &BotCommand) -> Option<CFunction> {
        let program = bot.words().first().filter(|program| program.contains('/'))?;
        let path = bot.folder().unwrap_or(Path::new("")).join(program);
        let file = File::open(path).ok()?;
        // A FIFO would be waited for.
        file.metadata().ok().filter(std::fs::Metadata::is_file)?;
        let mut bytes = Vec::new();
        file.take(MAX_PROGRAM).read_to_end(&mut bytes).ok()?;
        CFunction::in_program(&bytes)
    }

    fn in_program(bytes: &[u8]) -> Option<CFunction> {
        let start = Finder::new(MARK).find(bytes)? + MARK.len();
        let name: Vec<u8> = bytes[start..]
            .iter()
            .copied()
            .take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
            .take(100)
            .collect();
        String::from_utf8(name).ok().filter(|name| !name.is_empty()).map(CFunction)
    }

    /// Tells a finding in its author's words.
    pub(super) fn explain(&self, problem: Problem, finding: &mut Finding) {
        let turn = |line: &String| match serde_json::from_str(line) {
            Ok(ToBot::Turn(turn)) => Some(turn.board),
            _ => None,
        };
        finding.called = finding.sent.iter().rev().find_map(turn).map(|board| self.call(board));
        if let Some(fix) = fix(problem) {
            fix.clone_into(&mut finding.fix);
        }
    }

    /// The call that a turn with this board is.
    fn call(&self, board: Board) -> String {
        let cells = board.cells();
        // Bin 1 is the nearest to the kalaha of its side.
        let bins = |cells: &[u8]| {
            let seeds: Vec<String> = cells.iter().rev().map(u8::to_string).collect();
            seeds.join(", ")
        };
        format!(
            "{} with {} in its bins 1 to 6 and {} in its kalaha; its opponent had {} and {}",
            self.0,
            bins(&cells[..6]),
            cells[6],
            bins(&cells[7..13]),
            cells[13]
        )
    }
}

/// How to fix what a program would be told to fix by the protocol's fields.
const fn fix(problem: Problem) -> Option<&'static str> {
    Some(match problem {
        Problem::Late => {
            "Return sooner. If the function searches, look at the clock while it does, and return \
             the best bin that it has found so far."
        }
        Problem::Silent => {
            "Look for an endless loop, and for a search or a recursion that takes too long: the \
             function has to return a bin within the time limit of a move."
        }
        Problem::NearTheLimit => {
            "A busy machine or a deeper position makes it late: have the function return sooner."
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_function_is_named_by_the_mark_in_its_program() {
        let found = |bytes: &[u8]| CFunction::in_program(bytes).map(|function| function.0);
        let program = [b"\x7fELF\0", MARK.as_bytes(), b"Move_abcd\n\0more"].concat();
        assert_eq!(found(&program).as_deref(), Some("Move_abcd"));
        assert_eq!(found(MARK.as_bytes()), None);
        assert_eq!(found(b""), None);
        // Whatever follows, no more than a name is taken.
        let odd = [MARK.as_bytes(), b"\x1b[2J"].concat();
        assert_eq!(found(&odd), None);
    }

    #[test]
    fn a_call_has_the_bins_of_both_sides_from_the_kalaha_on() {
        let cells = [0, 1, 2, 3, 4, 5, 9, 10, 11, 0, 1, 2, 0, 0];
        let board = Board::from_cells(cells).unwrap();
        assert_eq!(
            CFunction("Move_abcd".to_owned()).call(board),
            "Move_abcd with 5, 4, 3, 2, 1, 0 in its bins 1 to 6 and 9 in its kalaha; its opponent \
             had 0, 2, 1, 0, 11, 10 and 0"
        );
    }
}
