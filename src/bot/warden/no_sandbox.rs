//! Where the kernel is not Linux there is no sandbox, and asking for one is an error.

use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;

use rustix::process::Pid;

use super::wire::{STREAMS, Start};
use crate::record::Sandbox;

#[derive(Debug)]
pub(super) struct Sandboxing;

impl Sandboxing {
    pub(super) fn prepare() -> Result<Sandboxing, String> {
        Err("--sandbox needs Linux; --wrap puts another sandbox in front of every bot".to_owned())
    }

    pub(super) fn start(
        &mut self,
        _: &Start,
        _: &[OwnedFd; STREAMS],
        _: &Sandbox,
        _: &Path,
    ) -> io::Result<Pid> {
        Err(io::ErrorKind::Unsupported.into())
    }
}
