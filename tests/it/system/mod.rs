//! What the machine refuses, and input that is no input.

pub(crate) mod bad_input;
pub(crate) mod closed_outputs;
pub(crate) mod system_limits;
pub(crate) mod system_permissions;
