//! From records to points, ratings, tests and what moves gave away; nothing here plays or prints.
//!
//! A package of its own, compiled in more units than what reads the lines. In reading order, lowest
//! first: [`standings`], [`analysis`].

#![warn(unreachable_pub)]

pub mod analysis;
pub mod standings;

use mancala_contest as contest;
use mancala_game::{chance, rules, solve};
use mancala_match::{protocol, record, referee, seat, text};
