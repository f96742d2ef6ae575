//! The tests through the real program, one binary.

mod adapters;
mod bad_input;
mod documents;
mod endings;
mod faults;
mod kit;
mod languages;
mod layers;
mod processes;
mod replay;
mod tools;
mod vectors;
