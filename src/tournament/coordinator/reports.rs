//! What workers report: into the file first, then into the ledger, then to whoever watches.

use super::{Coordinator, MOST_DEATHS, TournamentError};
use crate::contest::{FileLine, Fixture, MatchSummary};
use crate::record::NoteKind;
use crate::seat::{PerSeat, Seat};
use crate::standings::Points;
use crate::tournament::Happening;
use crate::tournament::journal::note;
use crate::tournament::wire::{Received, Report};
use crate::tournament::worker_process::Doing;

impl Coordinator<'_> {
    /// Handles a report.
    pub(super) fn take(&mut self, index: usize, received: Received) -> Result<(), TournamentError> {
        let Some(worker) = &mut self.workers[index] else { return Ok(()) };
        match (received.report, worker.doing) {
            (Report::Ready, Doing::Preparing) => {
                worker.doing = Doing::Nothing;
                self.stillborn = 0;
            }
            (Report::Cannot(why), _) => return Err(TournamentError::Cannot(why)),
            (Report::Built { bot, why }, Doing::Building(_)) => {
                worker.doing = Doing::Nothing;
                self.disqualify_if(bot, why, "does not build")?;
            }
            (Report::Tried { bot, why }, Doing::Trying(_)) => {
                worker.doing = Doing::Nothing;
                self.disqualify_if(bot, why, "does not start")?;
            }
            (Report::Reach { bot, reach }, Doing::Trying(_) | Doing::Checking(_)) => {
                self.reach.insert(bot, reach.into());
            }
            (Report::Checked { bot, why }, Doing::Checking(_)) => {
                worker.doing = Doing::Nothing;
                self.refuse_if(bot, why)?;
            }
            (Report::Round { round, first, reason, score }, Doing::Playing(fixture)) => {
                let first = Seat::try_from(first).unwrap_or(Seat::A);
                let fixture = &fixture;
                let ended = Happening::RoundEnded { fixture, round, first, reason, score };
                (self.watch)(self.ledger, ended);
            }
            (Report::Fault { round, bot, kind, detail }, Doing::Playing(fixture)) => {
                let bot = fixture.bots[Seat::try_from(bot).unwrap_or(Seat::A)];
                let (fixture, detail) = (&fixture, &*detail);
                (self.watch)(self.ledger, Happening::Fault { fixture, round, bot, kind, detail });
            }
            (Report::Played { .. }, Doing::Playing(fixture)) => {
                worker.doing = Doing::Nothing;
                let mut lines = std::mem::take(&mut self.lines);
                let place = (self.orders.plan.id(), fixture.number);
                let of_place = |summary: &MatchSummary| {
                    summary.place.is_some_and(|(id, number)| (id, number.get()) == place)
                };
                let kept = match lines.read(&received.record, None) {
                    Ok(FileLine::Match(summary, _)) if of_place(&summary) => {
                        self.keep(&fixture, &summary, &received.record)
                    }
                    _ => self.bury(index),
                };
                self.lines = lines;
                kept?;
            }
            (Report::CannotStart { bot, why }, Doing::Playing(fixture)) => {
                worker.doing = Doing::Nothing;
                let bot = fixture.bots[Seat::try_from(bot).unwrap_or(Seat::A)];
                self.disqualify(bot, &format!("does not start: {why}"), Some(fixture.number))?;
                self.let_go(&fixture);
            }
            (Report::Unfinished(why), Doing::Playing(fixture)) => {
                worker.doing = Doing::Nothing;
                self.give_up(&fixture, &why)?;
            }
            (Report::Failed(why), Doing::Playing(fixture)) => {
                worker.doing = Doing::Nothing;
                self.play_again(fixture, &why, "")?;
                // It leaves, and is given nothing more.
                return self.bury(index);
            }
            // A worker that answers something else is not to be trusted with more.
            _ => return self.bury(index),
        }
        Ok(())
    }

    /// Keeps a match that ended: in the file first; then whoever watches is told.
    fn keep(
        &mut self,
        fixture: &Fixture,
        summary: &MatchSummary,
        line: &[u8],
    ) -> Result<(), TournamentError> {
        self.journal.write(line).map_err(|source| self.unwritten(source))?;
        self.deaths.remove(&fixture.number);
        let out = self.ledger.add(fixture.bots, fixture.number, summary);
        if let Some(logs) = &mut self.logs {
            for seat in Seat::BOTH {
                logs.count(fixture.bots[seat], summary.faults(seat));
            }
        }
        if let Some(sprt) = &mut self.sprt {
            sprt.add(fixture.number, points_of_first(fixture.bots, summary));
        }
        if let Some(swiss) = &mut self.swiss {
            swiss.results.push((fixture.bots, summary.winner()));
        }
        (self.watch)(self.ledger, Happening::MatchEnded { fixture, summary });
        for bot in out {
            let why = self.ledger.disqualified(bot).unwrap_or_default().to_owned();
            self.tell_disqualified(bot, &why, Some(fixture.number))?;
        }
        Ok(())
    }

    pub(super) fn disqualify_if(
        &mut self,
        bot: usize,
        why: Option<String>,
        what: &str,
    ) -> Result<(), TournamentError> {
        self.refuse_if(bot, why.map(|why| format!("{what}: {why}")))
    }

    /// Disqualifies a bot before the first match, if there is a reason.
    fn refuse_if(&mut self, bot: usize, why: Option<String>) -> Result<(), TournamentError> {
        let Some(why) = why else { return Ok(()) };
        let name = crate::text::printable(&self.orders.plan.bots[bot].name);
        self.refused.push(format!("\"{name}\""));
        self.disqualify(bot, &why, None)
    }

    fn disqualify(
        &mut self,
        bot: usize,
        why: &str,
        number: Option<u64>,
    ) -> Result<(), TournamentError> {
        let is_new = self.ledger.disqualify(bot, why, number);
        if is_new { self.tell_disqualified(bot, why, number) } else { Ok(()) }
    }

    fn tell_disqualified(
        &mut self,
        bot: usize,
        why: &str,
        number: Option<u64>,
    ) -> Result<(), TournamentError> {
        let line = note(self.orders.plan, NoteKind::Disqualified, number, Some(bot), why);
        // A refused tournament leaves no trace: bots are tried again the next time.
        if !self.orders.strict || self.has_begun {
            self.journal.note(&line).map_err(|source| self.unwritten(source))?;
        }
        (self.watch)(self.ledger, Happening::Disqualified { bot, why, number });
        Ok(())
    }

    fn give_up(&mut self, fixture: &Fixture, why: &str) -> Result<(), TournamentError> {
        let number = fixture.number;
        let line = note(self.orders.plan, NoteKind::Unfinished, Some(number), None, why);
        self.journal.note(&line).map_err(|source| self.unwritten(source))?;
        self.ledger.give_up(number, why);
        if let Some(sprt) = &mut self.sprt {
            sprt.add(number, None);
        }
        (self.watch)(self.ledger, Happening::Unfinished { number, why });
        Ok(())
    }

    /// Drops a match, one of whose bots is out.
    fn let_go(&mut self, fixture: &Fixture) {
        if let Some(swiss) = &mut self.swiss {
            swiss.expected -= 1;
        }
        self.deaths.remove(&fixture.number);
    }

    /// Has a match played again whose worker died or failed, but not for ever. Returns whether it
    /// was given up; the advice is told then.
    pub(super) fn play_again(
        &mut self,
        fixture: Fixture,
        why: &str,
        advice: &str,
    ) -> Result<bool, TournamentError> {
        let deaths = self.deaths.entry(fixture.number).or_insert(0);
        *deaths += 1;
        if *deaths >= MOST_DEATHS {
            let why = format!("{why}, {MOST_DEATHS} times{advice}");
            self.give_up(&fixture, &why)?;
            return Ok(true);
        }
        self.again.push_back(fixture);
        Ok(false)
    }
}

/// The points of the plan's first bot in the rounds of a match of two bots.
#[must_use]
pub fn points_of_first(bots: PerSeat<usize>, summary: &MatchSummary) -> Option<Points> {
    let first = if bots[Seat::A] == 0 { Seat::A } else { Seat::B };
    Points::from_halves(summary.round_halves(first)?)
}
