//! How a solver is made, and how its two tables grow: the one of endgames and the one of proven
//! bounds.

use std::num::NonZeroUsize;
use std::sync::Arc;

use crate::rules::{Ruleset, Sower};

use super::bounds_table::BoundsTable;
use super::budget::{Budget, NodeBudget};
use super::endgames::{self, Endgames, WORTH};
use super::refusal::{LEAST_MEMORY, SolverRefusal, refuse_cycles, refuse_too_much};
use super::solver::Solver;

/// The table of endgames grows no larger than pays for a search of `1 / PART_FOR_TABLES` of the
/// budget, however much was searched before: making it takes time from the search.
const PART_FOR_TABLES: u64 = 6;

impl Solver {
    /// A solver with about `memory` bytes.
    ///
    /// # Errors
    ///
    /// If play can come back to a position under `rules`, with less than [`LEAST_MEMORY`], or with
    /// more than the system has.
    pub fn new(rules: &Ruleset, memory: usize) -> Result<Solver, SolverRefusal> {
        Solver::sharing(rules, memory, 1).map(|(solver, _)| solver)
    }

    /// A solver whose table of endgames has positions up to `seeds` seeds from the start, or as far as
    /// memory and the time of the budget allow, and never more. It takes `memory` bytes in addition to
    /// that table.
    ///
    /// # Errors
    ///
    /// The same as [`Solver::new`].
    pub fn prepared(
        rules: &Ruleset,
        seeds: usize,
        memory: usize,
        budget: &Budget,
    ) -> Result<Solver, SolverRefusal> {
        let solver = Solver::new(rules, memory)?;
        #[cfg(test)]
        let solver = match budget.until {
            None => Solver { endgames: super::testing::shared_endgames(rules, seeds), ..solver },
            Some(_) => solver,
        };
        let mut solver = Solver { most_seeds: seeds, known: BoundsTable::new(memory), ..solver };
        solver.prepare(seeds, budget);
        Ok(solver)
    }

    /// Solvers for as many threads, which share the table of endgames and about `memory` bytes. There
    /// are fewer if each would have less than [`LEAST_MEMORY`].
    ///
    /// # Errors
    ///
    /// The same as [`Solver::new`].
    pub fn team(
        rules: &Ruleset,
        memory: usize,
        solvers: NonZeroUsize,
    ) -> Result<Vec<Solver>, SolverRefusal> {
        let count = solvers.get().min(memory / LEAST_MEMORY);
        let (first, share) = Solver::sharing(rules, memory, count)?;
        let first = first.with_threads(solvers);
        let mut team = Vec::with_capacity(count);
        while team.len() + 1 < count && refuse_too_much(share).is_ok() {
            team.push(Solver {
                endgames: Arc::clone(&first.endgames),
                known: BoundsTable::new(share),
                budget: NodeBudget::default(),
                ..first
            });
        }
        team.push(first);
        Ok(team)
    }

    /// The first of `solvers` solvers that share `memory` bytes, and the bytes that each has for proven
    /// bounds.
    fn sharing(
        rules: &Ruleset,
        memory: usize,
        solvers: usize,
    ) -> Result<(Solver, usize), SolverRefusal> {
        refuse_cycles(rules)?;
        if memory < LEAST_MEMORY {
            return Err(SolverRefusal::Memory);
        }
        refuse_too_much(memory)?;
        // A little more than half of the memory, so that MANY_MEMORY is enough for 22 seeds.
        let fits = |seeds: &usize| endgames::positions(*seeds) <= memory / 7 * 4;
        let most_seeds = WORTH.iter().map(|&(_, seeds)| seeds).filter(fits).max().unwrap_or(0);
        let share = (memory - endgames::positions(most_seeds)) / solvers.max(1);
        let solver = Solver {
            sower: Sower::new(rules),
            directions: rules.direction.directions(),
            rules: *rules,
            endgames: Arc::new(Endgames::new(rules)),
            most_seeds,
            known: BoundsTable::new(share),
            budget: NodeBudget::default(),
            threads: 1,
            sharers: solvers as u64,
            #[cfg(test)]
            worst_first: false,
        };
        Ok((solver, share))
    }

    /// The same solver, which makes its table of endgames on `threads` threads.
    pub fn with_threads(self, threads: NonZeroUsize) -> Solver {
        Solver { threads: threads.get(), ..self }
    }

    /// Makes the table of endgames up to `seeds` seeds now, as far as memory and the time of the budget
    /// allow, and takes all the memory for proven bounds. No later search spends time on either, and
    /// the table never grows again.
    pub fn prepare(&mut self, seeds: usize, budget: &Budget) {
        self.known.grow_for(u64::MAX);
        // The first write to memory is slow.
        self.known.clear();
        let seeds = seeds.min(self.most_seeds);
        self.endgames.grow(seeds, self.threads, &mut || budget.is_over());
        self.most_seeds = self.endgames.seeds();
    }

    /// Enlarges both tables as far as it pays for the positions searched so far, or for the `expected`
    /// positions of this search, if there is time.
    pub(super) fn grow_for(&mut self, expected: u64) {
        let searched = self.budget.nodes();
        let affordable = self.budget.allowed() / PART_FOR_TABLES;
        if !self.budget.check() {
            // Enough until as many positions again are searched.
            self.known.grow_for(searched.max(expected.min(affordable)).saturating_mul(2));
        }
        // The other solvers are about as far.
        let worth = searched.max(expected).saturating_mul(self.sharers).min(affordable);
        let seeds = endgames::worth(worth).min(self.most_seeds);
        let Solver { endgames, threads, budget, .. } = self;
        if endgames.seeds() < seeds && !budget.check() {
            endgames.grow(seeds, *threads, &mut || budget.check());
        }
    }
}
