//! When the memory, the descriptors and the files of a bot are looked at. The bot decides what such a
//! look costs, and the opponent, or another match, pays: the warden runs on their core.

use std::path::Path;
use std::time::{Duration, Instant};

use super::room::Room;
use crate::bot::warden::watching::look_deadline;
use crate::record::Resources;

/// The pause after a look, in times of what the look took. Meanwhile the machine is asked what it has
/// left, so that a bot cannot take much.
const PAUSE: u32 = 5;

/// The same after the last look at a bot that was frozen in its opponent's time.
const PAUSE_OF_FROZEN: u32 = 20;

/// Why to look at what a bot has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LookReason {
    /// It has its turn, and can take more at any time.
    Runs,
    /// It waits for its turn, and still runs: its opponent pays for what a look costs.
    Waits,
    /// It was frozen in its opponent's time, and not looked at since.
    IsFrozen,
    /// It has stopped and was looked at since, but for a call of the system that does not end.
    HangsInCall,
    /// It has stopped and was looked at since: it cannot take more.
    None,
    /// It has just stopped, and no bot's clock runs.
    HasStopped,
}

/// The plan for one bot.
pub(super) struct LookSchedule {
    /// When the last look ended, and what it took.
    ended: Instant,
    took: Duration,
    /// The most that the machine has had left since the last look began.
    room: Option<Room>,
}

impl LookSchedule {
    pub(super) fn new() -> LookSchedule {
        LookSchedule { ended: Instant::now(), took: Duration::ZERO, room: None }
    }

    /// Whether to look now at a bot with `places` to write to and `limits`.
    pub(super) fn is_due<'a>(
        &mut self,
        reason: LookReason,
        places: impl Iterator<Item = &'a Path>,
        limits: &Resources,
    ) -> bool {
        let mut has_lost_room = |places| {
            let now = Room::now(places);
            let most = self.room.insert(self.room.map_or(now, |before| before.most(now)));
            now.has_lost_much(*most, limits)
        };
        let pause = match reason {
            LookReason::None => return false,
            LookReason::HasStopped => return true,
            LookReason::HangsInCall => return has_lost_room(places),
            LookReason::Runs | LookReason::Waits => self.took * PAUSE,
            LookReason::IsFrozen => self.took * PAUSE_OF_FROZEN,
        };
        self.ended.elapsed() >= pause || has_lost_room(places)
    }

    /// A look begins. Returns the processor time that this process had used before.
    pub(super) fn begin<'a>(&mut self, places: impl Iterator<Item = &'a Path>) -> Duration {
        let before = look_deadline::used();
        self.room = Some(Room::now(places));
        before
    }

    /// The look has ended. Returns the processor time that it took.
    pub(super) fn end(&mut self, before: Duration) -> Duration {
        self.took = look_deadline::used().saturating_sub(before);
        self.ended = Instant::now();
        self.took
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dear_look_is_followed_by_a_long_pause_and_a_stopped_bot_by_none() {
        let limits =
            Resources { memory: Some(1 << 60), file_size: Some(1 << 60), ..Resources::default() };
        let is_due =
            |plan: &mut LookSchedule, reason| plan.is_due(reason, std::iter::empty(), &limits);
        let mut plan = LookSchedule::new();
        assert!(is_due(&mut plan, LookReason::Runs));
        let before = plan.begin(std::iter::empty());
        while look_deadline::used() < before + Duration::from_millis(50) {}
        assert!(plan.end(before) >= Duration::from_millis(50));
        // Longer than a machine with other things to do takes from here to the end.
        plan.took = Duration::from_secs(5);
        assert!(
            !is_due(&mut plan, LookReason::Runs) && !is_due(&mut plan, LookReason::HangsInCall)
        );
        plan.ended = plan.ended.checked_sub(Duration::from_secs(30)).unwrap();
        assert!(is_due(&mut plan, LookReason::Runs) && !is_due(&mut plan, LookReason::IsFrozen));
        assert!(is_due(&mut plan, LookReason::HasStopped) && !is_due(&mut plan, LookReason::None));
        // What the machine loses is looked for at once.
        plan.room = Some(Room { memory: u64::MAX, ..Room::default() });
        assert!(is_due(&mut plan, LookReason::Runs) && is_due(&mut plan, LookReason::HangsInCall));
        assert!(!is_due(&mut plan, LookReason::None));
    }
}
