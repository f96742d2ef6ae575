//! Why a tournament cannot begin as it was asked for.

/// An error in words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum SetupError {
    /// What was asked for cannot be.
    #[error("{0}")]
    Usage(String),
    /// The system does not have it, or not now.
    #[error("{0}")]
    Work(String),
    /// There are fewer openings than were asked for.
    #[error("{why}")]
    TooFewOpenings {
        /// How many there are.
        has: usize,
        /// In words.
        why: String,
    },
}
