//! Standings as CSV, a line for each bot.

use std::io::{self, Write};

use super::words::{half, ms};
use crate::protocol::FaultKind;
use crate::standings::Standings;
use crate::text::printable;

pub(super) fn write_csv(out: &mut dyn Write, standings: &Standings) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    let heads = ["rank", "rank_low", "rank_high", "name", "matches", "won", "drawn", "lost"];
    let more = ["points", "first_rounds", "first_points", "second_rounds", "second_points"];
    let seeds = ["seeds_for", "seeds_against", "faults"];
    let kinds = FaultKind::ALL.map(FaultKind::as_str);
    let last = [
        "double_faults",
        "median_ms",
        "longest_ms",
        "mean_ms",
        "p95_ms",
        "limit_share",
        "rating",
        "rating_low",
        "rating_high",
        "los",
        "disqualified",
    ];
    csv.write_record(heads.iter().chain(&more).chain(&seeds).chain(&kinds).chain(&last))?;
    for row in &standings.rows {
        let number = |value: Option<u64>| value.map(|n| n.to_string()).unwrap_or_default();
        let real = |value: Option<f64>| value.map(|x| format!("{x:.4}")).unwrap_or_default();
        let mut cells = vec![
            number(row.rank),
            number(row.rank_low),
            number(row.rank_high),
            printable(&row.name),
        ];
        cells.extend([row.matches, row.won, row.drawn, row.lost].map(|n| n.to_string()));
        cells.push(half(row.points));
        for rounds in [row.first, row.second] {
            cells.extend([rounds.rounds.to_string(), half(rounds.points)]);
        }
        cells.extend([row.seeds_for, row.seeds_against].map(|n| n.to_string()));
        cells.push(row.faults.values().sum::<u64>().to_string());
        let of_kind = |kind| row.faults.get(&kind).copied().unwrap_or(0).to_string();
        cells.extend(FaultKind::ALL.map(of_kind));
        cells.push(row.double_faults.to_string());
        cells.extend([row.median_ms, row.longest_ms, row.mean_ms, row.p95_ms].map(ms));
        cells.extend(
            [row.limit_share, row.rating, row.rating_low, row.rating_high, row.los].map(real),
        );
        cells.push(row.disqualified.as_deref().map(printable).unwrap_or_default());
        csv.write_record(cells)?;
    }
    csv.flush()
}
