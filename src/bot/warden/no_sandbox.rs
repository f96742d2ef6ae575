//! Where the kernel is not Linux there is no sandbox, and asking for one is an error.

use std::ffi::OsString;
use std::io;
use std::path::Path;

use super::before_exec::Confinement;
use crate::record::Sandbox;

#[derive(Debug)]
pub(super) struct Sandboxing;

impl Sandboxing {
    pub(super) fn prepare() -> Result<Sandboxing, String> {
        Err("--sandbox needs Linux; --wrap puts another sandbox in front of every bot".to_owned())
    }

    pub(super) fn confinement(
        &self,
        _: &Sandbox,
        _: &[OsString],
        _: &Path,
    ) -> io::Result<Confinement> {
        Err(io::ErrorKind::Unsupported.into())
    }
}
