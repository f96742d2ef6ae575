//! A bot that misbehaves on purpose, a mode for each behaviour. Built for the tests only.
//!
//! `hostile MODE [ROUND] [TURN]`: plays the first legal house, except that it misbehaves in the
//! given round (default 1) at its given turn (default 1).

fn main() {}
