//! Many matches: the plan, the workers, the file, and what goes wrong with each.

pub mod bad_input;
pub mod builds;
pub mod classes;
pub mod contest;
pub mod events;
pub mod faults;
pub mod feedback;
pub mod hostile_bots;
pub mod interruptions;
pub mod live;
pub mod made_bots;
pub mod own_folders;
pub mod plans;
pub mod results;
pub mod season;
pub mod submissions;
pub mod versions;
