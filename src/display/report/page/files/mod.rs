//! What is written: the page, and its plots and tables as files of their own.

pub(super) mod asset_tables;
pub(super) mod assets;
pub(super) mod output;
