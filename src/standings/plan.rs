//! The few things in a tournament's plan that standings need.

use serde_json::Value;

use super::statistics::sprt_terms::SprtTerms;

/// What is known of a plan. Whatever is not as expected is not known.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct PlanView {
    /// The names of the bots, in the plan's order.
    pub(super) bots: Vec<String>,
    pairings: Option<Pairings>,
    /// Matches of each pairing; in a Swiss tournament, those of each pair in all rounds.
    pub(super) each: Option<u64>,
    /// Matches of each pairing with each opening.
    repeat: Option<u64>,
    /// A bot with so many faults is out.
    pub(super) disqualify_after: Option<u64>,
    /// The test that ends it.
    pub(super) sprt: Option<SprtTerms>,
    /// The rules of its matches, as the plan has them.
    pub(super) rules: Value,
}

/// Who meets whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pairings {
    RoundRobin,
    /// So many against all others.
    Gauntlet(u64),
    Swiss,
}

impl PlanView {
    pub(super) fn new(plan: &str) -> PlanView {
        let plan: Value = serde_json::from_str(plan).unwrap_or_default();
        let bots = ["bots", "bot"].into_iter().find_map(|key| plan[key].as_array());
        let name = |bot: &Value| bot["name"].as_str().map(str::to_owned);
        let bots = bots.and_then(|bots| bots.iter().map(name).collect()).unwrap_or_default();
        let pairings = match plan["format"].as_str() {
            None | Some("round-robin") => Some(Pairings::RoundRobin),
            Some("gauntlet") => Some(Pairings::Gauntlet(plan["gauntlet"].as_u64().unwrap_or(1))),
            Some("swiss") => Some(Pairings::Swiss),
            Some(_) => None,
        };
        let number = |key: &str| match &plan[key] {
            Value::Null => Some(1),
            value => value.as_u64(),
        };
        let repeat = number("repeat");
        let each = number("count").zip(repeat);
        let sprt = plan["sprt"].as_str().and_then(|terms| terms.parse().ok());
        PlanView {
            bots,
            pairings,
            each: each.and_then(|(count, repeat)| count.checked_mul(repeat)),
            repeat,
            disqualify_after: plan["disqualify_after"].as_u64(),
            sprt,
            rules: plan["match"]["rules"].clone(),
        }
    }

    /// How many matches the plan has; none where that is not known.
    pub(super) fn matches(&self) -> Option<u64> {
        self.pairings(|_| true)?.checked_mul(self.each?)
    }

    /// How many numbers a round of a Swiss tournament takes.
    pub(super) fn round(&self) -> Option<u64> {
        self.pairings(|_| true)?.checked_mul(self.repeat?)
    }

    /// The points of a bot without an opponent in a round: one for each match that it would have.
    pub(super) fn bye(&self) -> u64 {
        self.repeat.unwrap_or(1)
    }

    /// How many matches would have a bot with one of these names; none where the plan does not
    /// tell.
    pub(super) fn matches_of(&self, names: &[&str]) -> Option<u64> {
        if names.is_empty() {
            return Some(0);
        }
        if self.pairings == Some(Pairings::Swiss) {
            return None;
        }
        let without = self.pairings(|name| !names.contains(&name))?;
        (self.pairings(|_| true)? - without).checked_mul(self.each?)
    }

    /// Pairings of the bots with these names, in a Swiss tournament those of each round.
    fn pairings(&self, plays: impl Fn(&str) -> bool) -> Option<u64> {
        if self.bots.is_empty() {
            return None;
        }
        let count = |bots: &[String]| bots.iter().filter(|name| plays(name)).count() as u64;
        let bots = count(&self.bots);
        Some(match self.pairings? {
            Pairings::RoundRobin => bots * bots.saturating_sub(1) / 2,
            Pairings::Gauntlet(first) => {
                let first = usize::try_from(first).ok()?.min(self.bots.len());
                count(&self.bots[..first]) * count(&self.bots[first..])
            }
            Pairings::Swiss => bots / 2,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(fields: &str) -> PlanView {
        let bots: Vec<String> = ["a", "b", "c", "d", "e"]
            .iter()
            .map(|name| format!(r#"{{"name":"{name}","command":"x"}}"#))
            .collect();
        PlanView::new(&format!(r#"{{"bots":[{}],"x":[1]{fields}}}"#, bots.join(",")))
    }

    #[test]
    fn a_plan_has_so_many_matches() {
        assert_eq!(plan("").matches(), Some(10));
        assert_eq!(plan("").bots, ["a", "b", "c", "d", "e"]);
        let round_robin = plan(r#","format":"round-robin","count":20,"repeat":3"#);
        assert_eq!(round_robin.matches(), Some(600));
        assert_eq!(round_robin.matches_of(&["c"]), Some(240));
        assert_eq!(round_robin.matches_of(&["c", "a"]), Some(420));
        let gauntlet = plan(r#","format":"gauntlet","gauntlet":2,"count":4"#);
        assert_eq!(gauntlet.matches(), Some(24));
        assert_eq!(gauntlet.matches_of(&["a"]), Some(12));
        assert_eq!(gauntlet.matches_of(&["e"]), Some(8));
        assert_eq!(plan(r#","format":"swiss","count":7"#).matches(), Some(14));
        assert_eq!(plan(r#","format":"swiss","count":7"#).matches_of(&["a"]), None);
    }

    #[test]
    fn what_is_not_known_is_none() {
        for odd in ["", "[]", "7", "{", r#"{"bots":[{"name":1}]}"#, r#"{"bots":7}"#] {
            assert_eq!(PlanView::new(odd).matches(), None, "{odd}");
        }
        assert_eq!(plan(r#","format":"knockout""#).matches(), None);
        assert_eq!(plan(r#","count":"many""#).matches(), None);
        assert_eq!(plan(r#","count":18446744073709551615"#).matches(), None);
        assert_eq!(plan(r#","sprt":"elo0=0""#).sprt, None);
        assert!(plan(r#","sprt":"elo0=0,elo1=10""#).sprt.is_some());
    }
}
