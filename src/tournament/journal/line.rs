//! A line of a tournament's file, and what it means for the plan.

use std::collections::BTreeSet;

use crate::contest::{
    Continuation, FileLine, KnownPlans, LineMoves, MatchSummary, PlannedPlace, read_file_line,
};
use crate::record::{
    DisqualifiedFor, Note, NoteKind, ReadErrorKind, TournamentHeader, what_else_it_is,
};
use crate::rules::Opening;
use crate::seat::PerSeat;

/// What a note says, a line that is not a match.
pub(crate) struct NoteContent<'a> {
    pub kind: NoteKind,
    /// The number of the match, and the place of the bot, that it is about.
    pub number: Option<u64>,
    pub bot: Option<usize>,
    /// Why, in words.
    pub detail: &'a str,
    /// Why a bot is disqualified.
    pub cause: Option<DisqualifiedFor>,
    /// The round of a bye.
    pub round: Option<u64>,
    /// What its build or its check said.
    pub output: Option<&'a str>,
    /// What its build has made.
    pub made: BTreeSet<String>,
}

impl<'a> NoteContent<'a> {
    /// A note of `kind` about `bot`.
    pub(crate) const fn about(kind: NoteKind, bot: usize, detail: &'a str) -> NoteContent<'a> {
        NoteContent {
            kind,
            number: None,
            bot: Some(bot),
            detail,
            cause: None,
            round: None,
            output: None,
            made: BTreeSet::new(),
        }
    }
}

/// A line that was in the file before.
pub(crate) enum JournalLine<'a> {
    /// A match of the plan: the places of its bots, its number in the plan, and what it came to.
    Match(PerSeat<usize>, u64, MatchSummary<'a>),
    /// Something else that happened, and the place of the bot that it is about.
    Note(Option<usize>, Note),
    /// From here on the tournament went on with other bots.
    Update,
}

pub(super) fn parse_header(line: &[u8]) -> Result<TournamentHeader, String> {
    let line = line.trim_ascii_end();
    serde_json::from_slice(line).map_err(|error| {
        if line.starts_with(b"{\"format\":\"mancala-match/1\"") {
            return "it is a match, and a tournament begins with its plan".to_owned();
        }
        if error.is_eof() {
            return "it is cut off".to_owned();
        }
        what_else_it_is(line).unwrap_or_else(|| in_words(&error))
    })
}

/// Why a line cannot be read. Where it stands in the file is known, and it is one line.
fn in_words(error: &serde_json::Error) -> String {
    let text = crate::text::quoted(error.to_string().as_bytes());
    text.replacen(" at line 1 column", ", at column", 1)
}

/// Why a line does not belong to the tournament.
pub(super) enum WrongLine {
    /// In words.
    NoLine(String),
    /// The match began from another position than its opening.
    OtherOpening(OtherOpening),
}

/// The number of a match in the file, and that of the opening from which it should have begun.
pub(super) struct OtherOpening {
    pub(super) number: u64,
    pub(super) opening: u64,
}

impl<T: Into<String>> From<T> for WrongLine {
    fn from(why: T) -> WrongLine {
        WrongLine::NoLine(why.into())
    }
}

/// What a line means for the plan; `None` if it is about a bot, or a version of it, that is not in
/// the plan.
pub(super) fn parse<'a>(
    line: &'a [u8],
    continuation: &Continuation,
    plans: &KnownPlans,
    openings: &[Opening],
) -> Result<Option<JournalLine<'a>>, WrongLine> {
    let (tournament, found) = match read_file_line(line.trim_ascii_end(), LineMoves::Checked) {
        Ok(FileLine::Match(summary, conditions)) => {
            let (id, number) = summary.place.ok_or("it is of no tournament")?;
            let [one, other] = &summary.names;
            if let Some(opening) = conditions.opening.1 {
                let (number, opening) = (number.get(), opening.get());
                let place = PlannedPlace { number, opening, names: PerSeat([one, other]) };
                plans.check_match(id, place).map_err(|why| why.to_string())?;
            }
            let found = continuation.find((id, number.get()), [one, other], summary.versions);
            if let (true, (begun, Some(opening))) = (found.is_some(), conditions.opening)
                && let Ok(place) = usize::try_from(opening.get() - 1)
                && let Some(expected) = openings.get(place)
                && serde_json::from_str::<Opening>(begun.get()).ok().as_ref() != Some(expected)
            {
                let (number, opening) = (number.get(), opening.get());
                return Err(WrongLine::OtherOpening(OtherOpening { number, opening }));
            }
            (id, found.map(|(bots, number)| JournalLine::Match(bots, number, summary)))
        }
        Ok(FileLine::Note(note)) => {
            if let Some(number) = note.number {
                let checked = plans.check_number(note.tournament, number.get());
                checked.map_err(|why| why.to_string())?;
            }
            let bot = note.bot.as_ref();
            let place = bot.and_then(|name| continuation.place_of(name, note.version));
            let is_of_plan = bot.is_none() || place.is_some();
            (note.tournament, is_of_plan.then_some(JournalLine::Note(place, note)))
        }
        Ok(FileLine::Header(..)) => return Err("it begins another tournament".into()),
        Err(ReadErrorKind::NotARecord(why) | ReadErrorKind::Io(why)) => return Err(why.into()),
        Err(ReadErrorKind::CutOff) => return Err("it is cut off".into()),
    };
    if !continuation.has(tournament) {
        return Err("it is of another tournament".into());
    }
    Ok(found)
}
