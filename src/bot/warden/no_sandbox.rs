//! Where the kernel is not Linux there is no sandbox, and asking for one is an error.

use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::process::{Child, Command};

use crate::record::Sandbox;

#[derive(Debug)]
pub(super) struct Spawner;

impl Spawner {
    pub(super) fn start() -> Result<Spawner, String> {
        Err("--sandbox needs Linux; --wrap puts another sandbox in front of every bot".to_owned())
    }

    pub(super) fn spawn(
        &self,
        _: Command,
        _: &Sandbox,
        _: &[OsString],
        _: &Path,
    ) -> io::Result<Child> {
        Err(io::ErrorKind::Unsupported.into())
    }
}
