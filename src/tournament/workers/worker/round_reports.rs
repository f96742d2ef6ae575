//! What a worker reports of a match while it is played.

use crate::record::FaultRecord;
use crate::referee::Event;
use crate::tournament::workers::wire::WorkerReport;

/// The reports on the rounds of a match. A round counts once it has ended: until then it may be void.
pub(super) struct RoundReports {
    /// Whether the end of a round is reported, and not only its faults.
    with_ends: bool,
    /// The faults that were substituted in the round so far.
    substituted: Vec<WorkerReport>,
}

impl RoundReports {
    pub(super) const fn new(with_ends: bool) -> RoundReports {
        RoundReports { with_ends, substituted: Vec::new() }
    }

    /// Returns what is to be reported after `event`.
    pub(super) fn after(&mut self, event: Event<'_>) -> Vec<WorkerReport> {
        match event {
            Event::Substituted { round, fault, .. } => {
                self.substituted.push(fault_report(round, fault));
            }
            Event::RoundVoid { .. } => self.substituted.clear(),
            Event::RoundEnded { record, .. } => {
                let mut reports = std::mem::take(&mut self.substituted);
                let result = &record.result;
                reports.extend(result.fault.iter().map(|fault| fault_report(record.round, fault)));
                if self.with_ends {
                    let (round, first) = (record.round, record.first);
                    let (reason, score) = (result.reason, result.score);
                    reports.push(WorkerReport::Round { round, first, reason, score });
                }
                return reports;
            }
            _ => {}
        }
        Vec::new()
    }
}

fn fault_report(round: u32, fault: &FaultRecord) -> WorkerReport {
    WorkerReport::Fault {
        round,
        bot: fault.bot,
        kind: fault.kind,
        detail: fault.detail.clone(),
        stderr: fault.stderr.clone(),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::json;

    use super::*;
    use crate::record::{BotRecord, RoundRecord};
    use crate::seat::{PerSeat, Seat};

    #[test]
    fn a_substituted_fault_is_reported_once_its_round_has_ended() {
        let board = [3, 3, 3, 3, 3, 3, 0, 3, 3, 3, 3, 3, 3, 0];
        let fault = json!({"bot": 1, "kind": "timeout", "detail": "last", "board": board,
            "stderr": ""});
        let record = json!({"round": 1, "first": 0, "moves": [], "final": board,
            "result": {"reason": "timeout", "fault": fault, "score": [36, 0]}});
        let record: RoundRecord = serde_json::from_value(record).unwrap();
        let fault = |detail: &str| FaultRecord {
            detail: detail.to_owned(),
            ..record.result.fault.clone().unwrap()
        };
        let [void, substituted] = ["void", "substituted"].map(fault);
        let bots = PerSeat::from_fn(|_| BotRecord::default());
        let began = Event::RoundBegan { round: 1, first: Seat::A, board: record.final_board };
        let substitute =
            |fault| Event::Substituted { round: 1, seat: Seat::B, fault, count: 1, of: 3 };
        let late_by = Duration::from_millis(80);
        let mut reports = RoundReports::new(true);
        for event in [
            began,
            substitute(&void),
            Event::RoundVoid { round: 1, late_by },
            began,
            substitute(&substituted),
        ] {
            assert!(reports.after(event).is_empty(), "{event:?}");
        }
        let ended = reports.after(Event::RoundEnded { record: &record, bots: &bots });
        let details: Vec<&str> = ended
            .iter()
            .map(|report| match report {
                WorkerReport::Fault { detail, .. } => &**detail,
                WorkerReport::Round { .. } => "round",
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(details, ["substituted", "last", "round"]);
        let mut reports = RoundReports::new(false);
        assert_eq!(reports.after(Event::RoundEnded { record: &record, bots: &bots }).len(), 1);
    }
}
