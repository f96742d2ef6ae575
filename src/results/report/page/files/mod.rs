//! What is written: the page, and its plots and tables as files of their own.

pub(in crate::report::page) mod asset_tables;
pub(in crate::report::page) mod assets;
pub(in crate::report::page) mod output;
