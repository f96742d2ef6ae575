//! Results as people see them: tables, boards, JSON and a page; nothing here computes a result.
//!
//! A package of its own, so that it is compiled for size, and what reads records for speed.

#![warn(unreachable_pub)]

pub mod report;

use mancala_contest as contest;
use mancala_game::{rules, solve};
use mancala_match::{protocol, record, referee, seat, text};
use mancala_results::{analysis, standings};
