//! Compares each match and note with its plan, which may stand in a later line or file.

use crate::contest::{
    KnownPlans, MatchConditions, MatchSummary, NotOfPlan, PlanFields, PlannedPlace,
};
use crate::record::{Digest, Note};
use crate::seat::PerSeat;
use crate::standings::differences::LinePlace;
use crate::standings::numbered::Numbered;
use crate::standings::{CollectedResults, UnreadableFiles};
use crate::text::printable;

/// The plans that were read, and the lines that wait for theirs.
#[derive(Debug, Default)]
pub(super) struct PlanCheck {
    plans: KnownPlans,
    waiting: Vec<WaitingLine>,
    /// The bots' names in these lines.
    names: Numbered<String>,
}

/// A line whose plan is not read yet, or whose number is past the plan: a later header may have more
/// openings.
#[derive(Debug)]
struct WaitingLine {
    id: Digest,
    number: u64,
    /// The opening and the numbers of the names; `None` for a note.
    of_match: Option<(u64, PerSeat<u32>)>,
    line: LinePlace,
}

impl PlanCheck {
    pub(super) fn add(&mut self, id: Digest, plan: &PlanFields) {
        self.plans.add(id, plan);
    }

    /// Bytes that the lines that wait take when there is room for twice as many.
    pub(super) const fn room_needed(&self) -> usize {
        self.waiting.capacity() * 2 * size_of::<WaitingLine>()
    }

    /// Checks a line, or has it wait.
    fn check(
        &mut self,
        id: Digest,
        number: u64,
        of_match: Option<PlannedPlace<'_>>,
        line: LinePlace,
    ) -> Result<(), NotOfPlan> {
        if self.plans.has(id) {
            match self.compare(id, number, of_match) {
                Err(NotOfPlan::NumberTooHigh { .. }) => {}
                checked => return checked,
            }
        }
        let of_match = of_match.map(|PlannedPlace { opening, names, .. }| {
            (opening, PerSeat::from_fn(|seat| self.names.number(names[seat])))
        });
        self.waiting.push(WaitingLine { id, number, of_match, line });
        Ok(())
    }

    /// Compares a match, or a note's number, with its plan, if that is known.
    fn compare(
        &self,
        id: Digest,
        number: u64,
        of_match: Option<PlannedPlace<'_>>,
    ) -> Result<(), NotOfPlan> {
        match of_match {
            Some(place) => self.plans.check_match(id, place),
            None => self.plans.check_number(id, number),
        }
    }

    /// Checks the lines that wait, except those whose plan is in no file so far.
    fn check_waiting(&mut self) -> Result<(), (LinePlace, NotOfPlan)> {
        for waiting in &self.waiting {
            let WaitingLine { id, number, of_match, line } = *waiting;
            let of_match = of_match.map(|(opening, names)| {
                let names = PerSeat::from_fn(|seat| &*self.names.all()[names[seat] as usize]);
                PlannedPlace { number, opening, names }
            });
            self.compare(id, number, of_match).map_err(|why| (line, why))?;
        }
        self.waiting.retain(|waiting| !self.plans.has(waiting.id));
        Ok(())
    }
}

impl CollectedResults {
    /// Compares a match with its plan.
    pub(super) fn check_match(
        &mut self,
        summary: &MatchSummary<'_>,
        conditions: &MatchConditions<'_>,
        line: LinePlace,
    ) -> Result<(), UnreadableFiles> {
        let Some(((id, number), opening)) = summary.place.zip(conditions.opening.1) else {
            return Ok(());
        };
        let (number, opening) = (number.get(), opening.get());
        let names = PerSeat(summary.names.each_ref().map(|name| &**name));
        let place = PlannedPlace { number, opening, names };
        let checked = self.plan_check.check(id, number, Some(place), line);
        checked.map_err(|why| self.not_of_plan(line, &why))
    }

    /// Compares the number in a note with its plan.
    pub(super) fn check_note(
        &mut self,
        note: &Note,
        line: LinePlace,
    ) -> Result<(), UnreadableFiles> {
        let Some(number) = note.number else { return Ok(()) };
        let checked = self.plan_check.check(note.tournament, number.get(), None, line);
        checked.map_err(|why| self.not_of_plan(line, &why))
    }

    /// Compares the lines with their plans that stand before these.
    pub(super) fn check_waiting_lines(&mut self) -> Result<(), UnreadableFiles> {
        let checked = self.plan_check.check_waiting();
        checked.map_err(|(line, why)| self.not_of_plan(line, &why))
    }

    /// Why a match has a number that is too high to be kept.
    pub(super) fn number_too_high(
        &self,
        id: Digest,
        number: u64,
        line: LinePlace,
    ) -> UnreadableFiles {
        let checked = self.plan_check.plans.check_number(id, number);
        checked.map_or_else(
            |why| self.not_of_plan(line, &why),
            |()| {
                let why = format!("its number is {number}, and the largest is 4,294,967,295");
                UnreadableFiles::invalid(&self.files[line.0], line.1, &why)
            },
        )
    }

    fn not_of_plan(&self, (file, line): LinePlace, why: &NotOfPlan) -> UnreadableFiles {
        UnreadableFiles::Other(format!("{}:{line}: {why}", printable(&self.files[file])))
    }
}
