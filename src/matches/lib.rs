//! One match: the wire, records, refereeing, and the processes of bots.
//!
//! A package of its own, so that what runs at every turn is compiled with all optimisation and the
//! rest of the program is not. In reading order, lowest first: [`text`] and [`seat`], [`protocol`],
//! [`record`], [`referee`], [`bot`], [`log`], [`session`].

#![warn(unreachable_pub)]

pub mod bot;
pub mod log;
pub mod protocol;
pub mod record;
pub mod referee;
pub mod seat;
pub mod session;
pub mod text;

use mancala_game::{rules, words};
