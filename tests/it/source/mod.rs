//! The source itself and its documents.

pub(crate) mod documents;
pub(crate) mod help;
pub(crate) mod layers;
pub(crate) mod schemas;
