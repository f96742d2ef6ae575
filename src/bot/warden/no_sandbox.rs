//! Where the kernel is not Linux there is no sandbox, and asking for one is an error.

use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::process::{Child, Command};

use crate::record::Sandbox;

#[derive(Debug)]
pub(super) struct Sandboxing;

impl Sandboxing {
    pub(super) fn prepare() -> Result<Sandboxing, String> {
        Err("--sandbox needs Linux; --wrap puts another sandbox in front of every bot".to_owned())
    }

    pub(super) fn start(
        &mut self,
        _: &mut Command,
        _: &[String],
        _: &Sandbox,
        _: &[OsString],
        _: &Path,
    ) -> io::Result<Child> {
        Err(io::ErrorKind::Unsupported.into())
    }
}
