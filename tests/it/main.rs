//! The tests through the real program, one binary.

mod kit;
