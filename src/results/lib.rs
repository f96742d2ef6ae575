//! From records to points, ratings, tests, tables and a page; nothing here plays.
//!
//! A package of its own, so that it is compiled beside what plays. In reading order, lowest first:
//! [`contest`], [`standings`], [`analysis`], [`report`].

pub mod analysis;
pub mod contest;
pub mod report;
pub mod standings;

use mancala_game::{chance, rules, solve};
use mancala_match::{protocol, record, referee, seat, text};
