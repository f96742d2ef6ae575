//! The simulated disk: files with a length, what of them was flushed, a lock, room that runs out;
//! and what a power cut leaves of them.

use std::collections::BTreeMap;
use std::fs::TryLockError;
use std::io::{self, ErrorKind, Seek, SeekFrom, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Duration;

use super::world::{World, with};
use crate::record::DiskFile;
use mancala_game::chance::Chance;

/// The unit in which a power cut loses what was not flushed. That of real disks is larger; so are
/// real records.
const PAGE: usize = 256;

/// The files of one machine.
#[derive(Debug, Default)]
pub(super) struct Disk {
    files: Vec<StoredFile>,
    names: BTreeMap<PathBuf, usize>,
    /// Bytes that fit in all; 0 for no bound.
    pub capacity: usize,
    /// Whether writes are short or interrupted now and then.
    pub is_slow: bool,
}

#[derive(Debug, Default)]
struct StoredFile {
    content: Vec<u8>,
    /// What survives a power cut.
    flushed: Vec<u8>,
    unflushed: Vec<Change>,
    is_named: bool,
    /// Whether it was flushed at least once, and its name with it.
    is_kept: bool,
    /// How many descriptions of it are open.
    open: usize,
    lock: Option<u64>,
    /// Bytes that it takes up without content.
    reserved: usize,
}

/// A change of a file that was not flushed.
#[derive(Clone, Debug)]
pub(super) enum Change {
    Append(Vec<u8>),
    Cut(usize),
}

impl Change {
    pub(super) fn apply(&self, content: &mut Vec<u8>) {
        match self {
            Change::Append(bytes) => content.extend_from_slice(bytes),
            Change::Cut(length) => content.resize(*length, 0),
        }
    }
}

impl Disk {
    /// What a file holds; empty if it is missing.
    pub(super) fn content(&self, path: &Path) -> &[u8] {
        self.names.get(path).map_or(&[], |&file| &self.files[file].content)
    }

    pub(super) fn used(&self) -> usize {
        self.files.iter().map(|file| file.content.len() + file.reserved).sum()
    }

    fn free(&self) -> usize {
        let capacity = if self.capacity == 0 { 1 << 40 } else { self.capacity };
        capacity.saturating_sub(self.used())
    }

    fn open(&mut self, path: &Path) -> usize {
        let files = &mut self.files;
        let file = *self.names.entry(path.to_owned()).or_insert_with(|| {
            files.push(StoredFile { is_named: true, ..StoredFile::default() });
            files.len() - 1
        });
        self.files[file].open += 1;
        file
    }

    fn close(&mut self, file: usize, description: u64) {
        let file = &mut self.files[file];
        file.open -= 1;
        if file.lock == Some(description) {
            file.lock = None;
        }
        if file.open == 0 && !file.is_named {
            *file = StoredFile::default();
        }
    }

    fn remove(&mut self, path: &Path) -> io::Result<()> {
        let file = self.names.remove(path).ok_or(ErrorKind::NotFound)?;
        self.files[file].is_named = false;
        Ok(())
    }

    fn rename(&mut self, path: &Path, other: &Path) -> io::Result<()> {
        let file = self.names.remove(path).ok_or(ErrorKind::NotFound)?;
        if let Some(replaced) = self.names.insert(other.to_owned(), file) {
            self.files[replaced].is_named = false;
        }
        Ok(())
    }

    /// Loses what was not flushed, or some of it.
    pub(super) fn cut_power(&mut self, chance: &mut Chance) {
        let files = &mut self.files;
        self.names.retain(|_, file| {
            let file = &mut files[*file];
            file.lose_unflushed(chance);
            // A name may be lost as long as its file was never flushed.
            file.is_kept || chance.below(2) == 0
        });
    }
}

impl StoredFile {
    fn lose_unflushed(&mut self, chance: &mut Chance) {
        let mut content = self.flushed.clone();
        let draw = |chance: &mut Chance, most: usize| chance.below(most as u32 + 1) as usize;
        let changes = std::mem::take(&mut self.unflushed);
        let kind = chance.below(5);
        let kept = if kind == 0 { 0 } else { draw(chance, changes.len()) };
        for change in &changes[..kept] {
            change.apply(&mut content);
        }
        let whole = content.len();
        match kind {
            // The next change was under way: some of it is there, or its length alone.
            1 | 2 => {
                if let Some(Change::Append(bytes)) = changes.get(kept) {
                    let torn = draw(chance, bytes.len());
                    content.extend_from_slice(&bytes[..torn]);
                    if kind == 2 {
                        content.resize(whole + draw(chance, 2 * bytes.len()).max(torn), 0);
                    }
                }
            }
            // All lengths are there, and some pages are not.
            3 => {
                changes[kept..].iter().for_each(|change| change.apply(&mut content));
                let flushed = self.flushed.len();
                for (page, bytes) in content.chunks_mut(PAGE).enumerate() {
                    let begin = flushed.saturating_sub(page * PAGE).min(bytes.len());
                    if chance.below(3) == 0 {
                        bytes[begin..].fill(0);
                    }
                }
            }
            _ => {}
        }
        self.flushed.clone_from(&content);
        self.content = content;
        self.lock = None;
    }
}

/// An open file of the simulated disk.
#[derive(Debug)]
pub(super) struct SimulatedFile {
    file: usize,
    position: u64,
    description: Rc<Description>,
}

/// What clones of a file share. Its lock is held as long as there is one.
#[derive(Debug)]
struct Description {
    file: usize,
    number: u64,
    process: u32,
}

impl Drop for Description {
    fn drop(&mut self) {
        with(|world| world.disk.close(self.file, self.number));
    }
}

impl SimulatedFile {
    fn new(world: &mut World, file: usize) -> SimulatedFile {
        world.descriptions += 1;
        let description = Description { file, number: world.descriptions, process: world.process };
        SimulatedFile { file, position: 0, description: Rc::new(description) }
    }

    /// Lets the world do what happens at this step; then does `call` if this process still lives.
    fn call<T>(
        &self,
        what: &'static str,
        call: impl FnOnce(&mut StoredFile) -> T,
    ) -> io::Result<T> {
        World::step(what);
        self.look(call)
    }

    fn look<T>(&self, call: impl FnOnce(&mut StoredFile) -> T) -> io::Result<T> {
        with(|world| {
            if world.is_dead(self.description.process) {
                return Err(ErrorKind::Other.into());
            }
            Ok(call(&mut world.disk.files[self.file]))
        })
    }
}

impl Write for SimulatedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let crash = World::step_that_may_be_torn("write");
        let written = with(|world| {
            if world.is_dead(self.description.process) {
                return Err(ErrorKind::Other.into());
            }
            let mut count = bytes.len().min(world.disk.free());
            if count == 0 && !bytes.is_empty() {
                return Err(ErrorKind::StorageFull.into());
            }
            if crash.is_some() {
                count = world.chance.below(count as u32 + 1) as usize;
            } else if world.disk.is_slow && count > 1 {
                match world.chance.below(8) {
                    0 => return Err(ErrorKind::Interrupted.into()),
                    1 | 2 => count = 1 + world.chance.below(count as u32 - 1) as usize,
                    _ => {}
                }
            }
            let file = &mut world.disk.files[self.file];
            let change = Change::Append(bytes[..count].to_vec());
            change.apply(&mut file.content);
            file.unflushed.push(change);
            self.position = file.content.len() as u64;
            Ok(count)
        });
        if let Some(crash) = crash {
            World::crash(crash);
        }
        written
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for SimulatedFile {
    /// Only says where it is: everything is appended.
    fn seek(&mut self, _: SeekFrom) -> io::Result<u64> {
        Ok(self.position)
    }
}

impl FileExt for SimulatedFile {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        self.look(|file| {
            let rest = file.content.get(usize::try_from(offset).unwrap()..).unwrap_or_default();
            let count = rest.len().min(buffer.len());
            buffer[..count].copy_from_slice(&rest[..count]);
            count
        })
    }

    fn write_at(&self, _: &[u8], _: u64) -> io::Result<usize> {
        Err(ErrorKind::Unsupported.into())
    }
}

impl DiskFile for SimulatedFile {
    fn exists(path: &Path) -> bool {
        with(|world| world.disk.names.contains_key(path))
    }

    fn open(path: &Path) -> io::Result<SimulatedFile> {
        World::step("open");
        with(|world| {
            let file = world.disk.open(path);
            Ok(SimulatedFile::new(world, file))
        })
    }

    fn remove(path: &Path) -> io::Result<()> {
        World::step("remove");
        with(|world| world.disk.remove(path))
    }

    fn rename(path: &Path, other: &Path) -> io::Result<()> {
        World::step("rename");
        with(|world| world.disk.rename(path, other))
    }

    fn reserve(_: &Path, bytes: u64) -> io::Result<SimulatedFile> {
        World::step("reserve");
        with(|world| {
            let reserved = usize::try_from(bytes).unwrap();
            if world.disk.free() < reserved {
                return Err(ErrorKind::StorageFull.into());
            }
            world.disk.files.push(StoredFile { reserved, open: 1, ..StoredFile::default() });
            let file = world.disk.files.len() - 1;
            Ok(SimulatedFile::new(world, file))
        })
    }

    fn free(&self) -> io::Result<u64> {
        Ok(with(|world| world.disk.free() as u64))
    }

    fn lock(&self, _: Duration) -> Result<(), TryLockError> {
        World::step("lock");
        // What happens while it is waited for.
        if let Some(meanwhile) = with(|world| world.meanwhile.take()) {
            meanwhile();
        }
        let number = self.description.number;
        let holder = self.look(|file| *file.lock.get_or_insert(number));
        let holder = holder.map_err(TryLockError::Error)?;
        if holder == number { Ok(()) } else { Err(TryLockError::WouldBlock) }
    }

    fn is_regular(&self) -> io::Result<bool> {
        Ok(true)
    }

    fn is_removed(&self) -> io::Result<bool> {
        self.look(|file| !file.is_named)
    }

    fn length(&self) -> io::Result<u64> {
        self.look(|file| file.content.len() as u64)
    }

    fn cut(&self, length: u64) -> io::Result<()> {
        self.call("cut", |file| {
            let change = Change::Cut(usize::try_from(length).unwrap());
            change.apply(&mut file.content);
            file.unflushed.push(change);
        })
    }

    fn sync(&self) -> io::Result<()> {
        self.call("sync", |file| {
            file.flushed.clone_from(&file.content);
            file.unflushed.clear();
            file.is_kept = true;
        })?;
        with(|world| world.ended_and_flushed.clone_from(&world.ended));
        Ok(())
    }

    fn again(&self) -> io::Result<SimulatedFile> {
        let (file, description) = (self.file, Rc::clone(&self.description));
        Ok(SimulatedFile { file, position: 0, description })
    }
}
