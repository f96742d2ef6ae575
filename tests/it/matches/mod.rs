//! One match: faults, results, its record and log.

pub(crate) mod adjudication;
pub(crate) mod faults;
pub(crate) mod fuzz;
pub(crate) mod log;
pub(crate) mod long_run;
pub(crate) mod output;
pub(crate) mod record_file;
pub(crate) mod replay;
pub(crate) mod substitutes;
