//! When the memory, the descriptors and the files of a bot are looked at. The bot decides how dear such
//! a look is, and the warden takes it from the core on which the bot's opponent, or another match, plays.

use std::path::Path;
use std::time::{Duration, Instant};

use super::BETWEEN_LOOKS;
use super::look_time;
use super::room::Room;
use crate::record::Resources;

/// Looks take at most one part in so many of a core: one that takes 90 ms is followed by the next
/// after 1.8 s. The machine is asked in between what it has left, so that a bot cannot take much.
const ONE_PART_IN: u32 = 20;

/// Why to look at what a bot has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reason {
    /// It can take more at any time.
    Runs,
    /// It has stopped and was looked at since, but for a call of the system that does not end.
    HangsInCall,
    /// It has stopped and was looked at since: it cannot take more.
    None,
    /// It has just come to stop, and nobody's clock runs.
    HasStopped,
}

/// The plan for one bot.
#[derive(Debug)]
pub(super) struct LookPlan {
    next: Instant,
    /// The most that the machine has had left since the last look began.
    room: Option<Room>,
}

impl LookPlan {
    pub(super) fn new() -> LookPlan {
        LookPlan { next: Instant::now(), room: None }
    }

    /// Whether to look now at a bot with these places to write to and these limits.
    pub(super) fn is_due<'a>(
        &mut self,
        reason: Reason,
        places: impl Iterator<Item = &'a Path>,
        limits: &Resources,
    ) -> bool {
        let mut has_lost_room = |places| {
            let now = Room::now(places);
            let most = self.room.insert(self.room.map_or(now, |before| before.most(now)));
            now.has_lost_much(*most, limits)
        };
        match reason {
            Reason::None => false,
            Reason::HasStopped => true,
            Reason::Runs => self.next <= Instant::now() || has_lost_room(places),
            Reason::HangsInCall => has_lost_room(places),
        }
    }

    /// A look begins. Returns the processor time that this process had used before.
    pub(super) fn begin<'a>(&mut self, places: impl Iterator<Item = &'a Path>) -> Duration {
        let before = look_time::used();
        self.room = Some(Room::now(places));
        before
    }

    /// The look has ended. Plans the next one, and returns the processor time that this one took.
    pub(super) fn end(&mut self, before: Duration) -> Duration {
        let took = look_time::used().saturating_sub(before);
        // A little less than the time between two calls, or every other call would be left out.
        self.next = Instant::now() + (took * ONE_PART_IN).max(BETWEEN_LOOKS / 2);
        took
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dear_look_is_followed_by_a_long_pause_and_a_stopped_bot_by_none() {
        let limits =
            Resources { memory: Some(1 << 60), file_size: Some(1 << 60), ..Resources::default() };
        let is_due = |plan: &mut LookPlan, reason| plan.is_due(reason, std::iter::empty(), &limits);
        let mut plan = LookPlan::new();
        assert!(is_due(&mut plan, Reason::Runs));
        let before = plan.begin(std::iter::empty());
        while look_time::used() < before + Duration::from_millis(50) {}
        assert!(plan.end(before) >= Duration::from_millis(50));
        assert!(plan.next > Instant::now() + Duration::from_millis(500));
        assert!(!is_due(&mut plan, Reason::Runs) && !is_due(&mut plan, Reason::HangsInCall));
        assert!(is_due(&mut plan, Reason::HasStopped) && !is_due(&mut plan, Reason::None));
        // What the machine loses is looked for at once.
        plan.room = Some(Room { memory: u64::MAX, ..Room::default() });
        assert!(is_due(&mut plan, Reason::Runs) && is_due(&mut plan, Reason::HangsInCall));
        assert!(!is_due(&mut plan, Reason::None));
    }
}
