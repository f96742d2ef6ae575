//! The tests through the real program, one binary.

mod adapters;
mod attacks;
mod bad_input;
mod documents;
mod endings;
mod faults;
mod keeping;
mod fuzz;
mod kit;
mod languages;
mod layers;
mod log;
mod play;
mod processes;
mod replay;
mod rules_text;
mod stage;
mod substitutes;
mod tools;
mod vectors;
