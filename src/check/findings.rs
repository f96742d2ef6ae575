//! What was found: the same thing seen again is one finding. To a C student, whose function runs
//! behind the adapter of `examples/ece1021`, it is told by the function and its bins, for its author
//! has never seen the protocol.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use memchr::memmem::Finder;

use super::diagnosis::Diagnosis;
use super::report::Finding;
use super::table::Problem;
use super::trial::{BOT, Probe};
use crate::bot::BotCommand;
use crate::protocol::{FaultKind, ToBot};
use crate::record::RoundRecord;
use crate::rules::Board;

/// Where and how a bot showed what is wrong with it.
#[derive(Clone, Debug, Default)]
pub(super) struct Evidence {
    pub(super) during: String,
    pub(super) sent: Vec<String>,
    pub(super) received: String,
    pub(super) stderr: String,
    /// When the bot does it, where that is worth saying.
    pub(super) when: Option<When>,
    /// An addition to the fix of the table.
    pub(super) advice: &'static str,
}

/// When a bot crashes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum When {
    /// At a start, before it is asked anything.
    AtTheStart,
    /// Never in the first round of a match.
    InLaterRounds,
    /// Never in a round that it begins itself.
    AsSecond,
}

impl When {
    /// What is said of it behind the sentence that tells what is wrong.
    const fn words(self) -> &'static str {
        match self {
            When::AtTheStart => " at the start of a round, before it was asked",
            When::InLaterRounds => ", but only from the second round on",
            When::AsSecond => ", but only where its opponent begins",
        }
    }

    /// Whether it was seen too seldom to be said after so many times.
    const fn is_doubtful(self, times: u32) -> bool {
        !matches!(self, When::AtTheStart) && times < 2
    }

    /// Whether a crash in this round says otherwise.
    fn is_refuted_by(self, round: &RoundRecord) -> bool {
        match self {
            When::AtTheStart => false,
            When::InLaterRounds => round.round == 1,
            When::AsSecond => round.first == BOT,
        }
    }
}

/// All findings, in the order in which they were seen first.
#[derive(Debug, Default)]
pub(super) struct Findings(Vec<Found>);

#[derive(Debug)]
struct Found {
    diagnosis: Diagnosis,
    finding: Finding,
    /// How often each probe saw it.
    seen: Vec<(Probe, u32)>,
    /// Whether it was seen where nothing special was tried.
    in_control: bool,
    /// When the bot does it, as far as nothing refuted that.
    when: Option<When>,
}

impl Findings {
    /// Adds a finding, or counts it where it is there.
    pub(super) fn add(
        &mut self,
        probe: Probe,
        diagnosis: Diagnosis,
        kind: Option<FaultKind>,
        evidence: Evidence,
    ) {
        if let Some(found) = self.0.iter_mut().find(|found| found.diagnosis == diagnosis) {
            found.finding.times += 1;
            if let Some((_, times)) = found.seen.iter_mut().find(|(seen, _)| *seen == probe) {
                *times += 1;
            } else {
                found.seen.push((probe, 1));
                found.finding.probes.push(probe);
            }
            return;
        }
        let Evidence { during, sent, received, stderr, when, advice } = evidence;
        let row = diagnosis.problem.row();
        let finding = Finding {
            severity: row.severity,
            kind,
            probes: vec![probe],
            times: 1,
            what: diagnosis.what(),
            during,
            sent,
            called: None,
            received,
            stderr,
            fix: format!("{}{advice}", row.fix),
        };
        self.0.push(Found { diagnosis, finding, seen: vec![(probe, 1)], in_control: false, when });
    }

    /// Whether this was found before.
    pub(super) fn has(&self, is_such: impl Fn(Problem) -> bool) -> bool {
        self.0.iter().any(|found| is_such(found.diagnosis.problem))
    }

    /// What was found turned out to be another problem.
    pub(super) fn correct(&mut self, from: Problem, to: Problem) {
        for found in self.0.iter_mut().filter(|found| found.diagnosis.problem == from) {
            found.diagnosis = to.into();
            found.finding.what = found.diagnosis.what();
            to.row().fix.clone_into(&mut found.finding.fix);
        }
    }

    /// Notes a round in which this was seen; `in_control` where nothing special was tried.
    pub(super) fn seen_in(&mut self, diagnosis: &Diagnosis, round: &RoundRecord, in_control: bool) {
        for found in self.0.iter_mut().filter(|found| found.diagnosis == *diagnosis) {
            found.when = found.when.filter(|when| !when.is_refuted_by(round));
            found.in_control |= in_control;
        }
    }

    /// The first of such a kind that was seen where nothing special was tried.
    pub(super) fn in_control(&self, is_such: impl Fn(&Diagnosis) -> bool) -> Option<&Diagnosis> {
        let mut such = self.0.iter().filter(|found| found.in_control && is_such(&found.diagnosis));
        such.next().map(|found| &found.diagnosis)
    }

    /// How many findings there are.
    pub(super) fn count(&self) -> usize {
        self.0.len()
    }

    /// How often a probe saw what it saw most.
    pub(super) fn most_seen_in(&self, probe: Probe) -> u32 {
        let seen = self.0.iter().flat_map(|found| &found.seen);
        seen.filter(|(seen, _)| *seen == probe).map(|(_, times)| *times).max().unwrap_or(0)
    }

    /// The findings, faults before warnings; those of a C function in its author's words.
    pub(super) fn into_sorted(self, function: Option<&CFunction>) -> Vec<Finding> {
        let found = self.0.into_iter().map(|found| found.into_finding(function));
        let mut findings: Vec<Finding> = found.collect();
        findings.sort_by_key(|finding| finding.severity);
        findings
    }
}

impl Found {
    fn into_finding(self, function: Option<&CFunction>) -> Finding {
        let mut finding = self.finding;
        if let Some(function) = function {
            function.explain(self.diagnosis.problem, &mut finding);
        }
        if let Some(when) = self.when.filter(|when| !when.is_doubtful(finding.times)) {
            finding.what += when.words();
        }
        finding
    }
}

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

    /// Rewords a finding for its author.
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
    use super::super::report::Severity;
    use super::*;

    #[test]
    fn the_same_again_is_counted_and_faults_come_first() {
        let mut findings = Findings::default();
        let warning = Problem::OutlivesItsInput;
        findings.add(Probe::EndOfInput, warning.into(), None, Evidence::default());
        for probe in [Probe::Games, Probe::Games, Probe::Names] {
            let kind = Some(FaultKind::Timeout);
            findings.add(probe, Problem::Silent.into(), kind, Evidence::default());
        }
        assert!(findings.has(|it| it == warning) && !findings.has(|it| it == Problem::Late));
        assert_eq!((findings.count(), findings.most_seen_in(Probe::Games)), (2, 2));
        assert_eq!(findings.most_seen_in(Probe::Rounds), 0);
        let sorted = findings.into_sorted(None);
        assert_eq!(sorted[0].severity, Severity::Fault);
        assert_eq!(
            (sorted[0].times, &sorted[0].probes[..]),
            (3, &[Probe::Games, Probe::Names][..])
        );
        assert_eq!(sorted[1].severity, Severity::Warning);
    }

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
