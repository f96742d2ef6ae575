//! The processor time that a bot's processes have used, all that there ever were.

use std::time::{Duration, Instant};

use rustix::process::{Pid, getpid};

use crate::bot::system;

/// What a bot's processes had used at a moment.
#[derive(Clone, Debug)]
pub(crate) struct ProcessorUse {
    at: Instant,
    /// All of it, where the kernel counts it.
    in_all: Option<Duration>,
    /// The newest number of a process in the system then.
    newest: Option<u32>,
    /// What each process had used itself.
    own: Vec<(Pid, Duration)>,
    /// What children that have ended had used, where their parents wait for them.
    ended: Duration,
}

impl ProcessorUse {
    /// As the kernel has counted it for all processes that there ever were.
    pub(crate) fn counted(in_all: Duration) -> ProcessorUse {
        let (own, ended) = (Vec::new(), Duration::ZERO);
        ProcessorUse { at: Instant::now(), in_all: Some(in_all), newest: None, own, ended }
    }

    /// Of these `processes`, when `newest` was the newest number of a process in the system, and some
    /// time after `before`.
    pub(crate) fn measure(
        processes: &[Pid],
        newest: Option<u32>,
        before: Option<&ProcessorUse>,
    ) -> ProcessorUse {
        let own = own_times(processes);
        // Where there is only one and was only one, no child has ended.
        let alone = before.filter(|before| {
            newest.is_some() && newest == before.newest && before.own.len() <= 1 && own.len() <= 1
        });
        let ended = alone.map_or_else(|| of_ended_children(processes), |before| before.ended);
        ProcessorUse { at: Instant::now(), in_all: None, newest, own, ended }
    }

    /// Of these `processes` without their children that have ended, some time after `before`. This
    /// costs little however many threads they have.
    pub(crate) fn of_living(processes: &[Pid], before: &ProcessorUse) -> ProcessorUse {
        let own = own_times(processes);
        ProcessorUse { at: Instant::now(), in_all: None, newest: None, own, ended: before.ended }
    }

    /// The time between two moments.
    pub(crate) fn elapsed_since(&self, before: &ProcessorUse) -> Duration {
        self.at.saturating_duration_since(before.at)
    }

    /// What was used between two moments on at most `cores` cores. Where something may have run
    /// unseen, as much as can be: a process that has ended may be in no account, and processes that
    /// ran may have started others, which lived and ended between.
    pub(crate) fn since(&self, before: &ProcessorUse, cores: u32) -> Duration {
        let at_most = self.elapsed_since(before).saturating_mul(cores);
        let used = self.seen_since(before);
        let new = self.own.iter().filter(|&&(one, _)| before.time_of(one).is_none()).count();
        let has_lost_one = before.own.iter().any(|&(one, _)| self.time_of(one).is_none());
        let started = self.newest.zip(before.newest).map(|(now, then)| now.wrapping_sub(then));
        let has_seen_all = self.in_all.and(before.in_all).is_some()
            || !has_lost_one && (used.is_zero() || started.map(|all| all as usize) == Some(new));
        if has_seen_all { used.min(at_most) } else { at_most }
    }

    /// What was used between two moments by what is there to be seen, and what that has waited for.
    pub(crate) fn seen_since(&self, before: &ProcessorUse) -> Duration {
        if let Some((now, then)) = self.in_all.zip(before.in_all) {
            return now.saturating_sub(then);
        }
        // Most stand where they stood before.
        let then = |index: usize, one| match before.own.get(index) {
            Some(&(same, time)) if same == one => time,
            _ => before.time_of(one).unwrap_or_default(),
        };
        let own = self
            .own
            .iter()
            .enumerate()
            .map(|(index, &(one, time))| time.saturating_sub(then(index, one)));
        own.sum::<Duration>() + self.ended.saturating_sub(before.ended)
    }

    fn time_of(&self, process: Pid) -> Option<Duration> {
        self.own.iter().find(|(one, _)| *one == process).map(|&(_, time)| time)
    }
}

fn own_times(processes: &[Pid]) -> Vec<(Pid, Duration)> {
    let own = |&one: &Pid| Some((one, system::processor_time(one)?));
    processes.iter().filter_map(own).collect()
}

/// Of the children of `processes`, and of ours: the orphans that we have reaped.
fn of_ended_children(processes: &[Pid]) -> Duration {
    let parents = processes.iter().copied().chain([getpid()]);
    parents.map(system::processor_time_of_ended_children).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    /// Processes by their numbers, and what each has used in milliseconds.
    fn having(seconds: u32, newest: Option<u32>, own: &[(i32, u64)], ended: u64) -> ProcessorUse {
        static BEGIN: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
        let own = own
            .iter()
            .map(|&(process, time)| (Pid::from_raw(process).unwrap(), Duration::from_millis(time)));
        ProcessorUse {
            at: *BEGIN.get_or_init(Instant::now) + SECOND * seconds,
            in_all: None,
            newest,
            own: own.collect(),
            ended: Duration::from_millis(ended),
        }
    }

    #[test]
    fn all_processes_count_and_those_that_nobody_saw_as_much_as_they_can() {
        let before = having(0, Some(100), &[(7, 500), (8, 0)], 20);
        let used = |newest, own: &[(i32, u64)], ended, cores| {
            having(1, newest, own, ended).since(&before, cores).as_millis()
        };
        let same = Some(100);
        assert_eq!(used(same, &[(7, 500), (8, 0)], 20, 1), 0);
        assert_eq!(used(same, &[(7, 503), (8, 2)], 20, 1), 5);
        // Of the ended ones that are in an account.
        assert_eq!(used(same, &[(7, 503), (8, 0)], 30, 1), 13);
        // Two were started, and here they are.
        assert_eq!(used(Some(102), &[(7, 501), (8, 0), (101, 3), (102, 0)], 20, 1), 4);
        // Others may have been: by the bot, or not.
        assert_eq!(used(Some(103), &[(7, 501), (8, 0), (101, 3), (102, 0)], 20, 2), 2000);
        assert_eq!(used(None, &[(7, 501), (8, 0)], 20, 1), 1000);
        // Who has not run has started nothing.
        assert_eq!(used(Some(900), &[(7, 500), (8, 0)], 20, 1), 0);
        assert_eq!(used(None, &[(7, 500), (8, 0)], 20, 1), 0);
        // One has ended, and what it used may be in no account.
        assert_eq!(used(same, &[(7, 500)], 20, 1), 1000);
        // Nobody uses more than there is.
        assert_eq!(used(same, &[(7, 9000), (8, 0)], 20, 2), 2000);
    }

    #[test]
    fn a_child_that_ended_is_in_its_parent_s_account() {
        let own = getpid();
        let before = ProcessorUse::measure(&[own], Some(1), None);
        let burn = "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done";
        std::process::Command::new("sh").args(["-c", burn]).status().unwrap();
        // With another newest number, or the account is not looked at.
        let after = ProcessorUse::measure(&[own], Some(2), Some(&before));
        assert!(after.ended > before.ended, "{after:?}");
        let unseen = ProcessorUse::measure(&[own], Some(1), Some(&before));
        assert_eq!(unseen.ended, before.ended);
    }
}
