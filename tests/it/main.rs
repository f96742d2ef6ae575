//! The tests through the real program, one binary.

mod adapters;
mod attacks;
mod bad_input;
mod check;
mod documents;
mod endings;
mod faults;
mod fuzz;
mod keeping;
mod kit;
mod languages;
mod layers;
mod log;
mod openings;
mod play;
mod processes;
mod recording;
mod replay;
mod rules_text;
mod session;
mod soak;
mod stage;
mod substitutes;
mod tools;
mod vectors;
mod wardens;
