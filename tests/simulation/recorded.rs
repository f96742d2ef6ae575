//! A real file, whose writes and flushes are recorded while a tournament is played, and which is then
//! resumed from every state in which a power cut at any moment may have left it.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fs::{File, TryLockError};
use std::io::{self, Seek, SeekFrom, Write};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::time::Duration;

use super::contest::SimulatedContest;
use super::disk::Change;
use super::workers::Trouble;
use super::world::{World, with};
use super::{Disturbances, Ended, ResumeMode, calm, play};
use crate::record::DiskFile;

/// What happened to the recorded file.
#[derive(Debug)]
enum Recorded {
    Change(Change),
    Flush,
}

thread_local! {
    static RECORDING: RefCell<Vec<Recorded>> = const { RefCell::new(Vec::new()) };
}

/// A real file that records what happens to it.
#[derive(Debug)]
struct RecordedFile(File);

fn record(what: Recorded) {
    RECORDING.with_borrow_mut(|recording| recording.push(what));
}

impl Write for RecordedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.0.write(bytes)?;
        record(Recorded::Change(Change::Append(bytes[..count].to_vec())));
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl Seek for RecordedFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.0.seek(to)
    }
}

impl FileExt for RecordedFile {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        self.0.read_at(buffer, offset)
    }

    fn write_at(&self, bytes: &[u8], offset: u64) -> io::Result<usize> {
        self.0.write_at(bytes, offset)
    }
}

impl DiskFile for RecordedFile {
    fn exists(path: &Path) -> bool {
        File::exists(path)
    }

    fn open(path: &Path) -> io::Result<RecordedFile> {
        DiskFile::open(path).map(RecordedFile)
    }

    fn remove(path: &Path) -> io::Result<()> {
        File::remove(path)
    }

    fn rename(path: &Path, other: &Path) -> io::Result<()> {
        File::rename(path, other)
    }

    fn reserve(folder: &Path, bytes: u64) -> io::Result<RecordedFile> {
        File::reserve(folder, bytes).map(RecordedFile)
    }

    fn free(&self) -> io::Result<u64> {
        self.0.free()
    }

    fn lock(&self, wait: Duration) -> Result<(), TryLockError> {
        DiskFile::lock(&self.0, wait)
    }

    fn is_regular(&self) -> io::Result<bool> {
        self.0.is_regular()
    }

    fn is_removed(&self) -> io::Result<bool> {
        self.0.is_removed()
    }

    fn length(&self) -> io::Result<u64> {
        self.0.length()
    }

    fn cut(&self, length: u64) -> io::Result<()> {
        self.0.cut(length)?;
        record(Recorded::Change(Change::Cut(usize::try_from(length).unwrap())));
        Ok(())
    }

    fn sync(&self) -> io::Result<()> {
        // The states are made from the recording, so the disk need not be waited for.
        record(Recorded::Flush);
        Ok(())
    }

    fn again(&self) -> io::Result<RecordedFile> {
        self.0.again().map(RecordedFile)
    }
}

/// Every state that a power cut may leave after `flushed` was flushed and `changes` were not.
#[derive(Default)]
struct States {
    /// What was written in order is there up to some byte, with or without zeros for what follows.
    in_order: BTreeSet<Vec<u8>>,
    /// Writes are missing that others have followed: there are zeros in their place.
    with_gaps: BTreeSet<Vec<u8>>,
}

impl States {
    fn add(&mut self, flushed: &[u8], changes: &[Change]) {
        let mut content = flushed.to_vec();
        for change in changes {
            let before = content.len();
            change.apply(&mut content);
            for end in before..=content.len() {
                self.in_order.insert(content[..end].to_vec());
            }
            for torn in [before, usize::midpoint(before, content.len())] {
                let mut zeros = content.clone();
                zeros[torn.min(content.len())..].fill(0);
                self.in_order.insert(zeros);
            }
        }
        for lost in 0_u32..1 << changes.len().min(6) {
            let mut content = flushed.to_vec();
            for (number, change) in changes.iter().enumerate() {
                let before = content.len();
                change.apply(&mut content);
                if lost >> number & 1 == 1 && content.len() > before {
                    content[before..].fill(0);
                }
            }
            self.with_gaps.insert(content);
        }
    }
}

#[test]
fn a_real_file_is_resumed_from_every_state_that_a_power_cut_leaves() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("record.jsonl");
    let few = |contest: &SimulatedContest| {
        (2..=3).contains(&contest.schedule.matches())
            && contest.bots.iter().all(|it| it.refused.is_none())
    };
    let contests: Vec<SimulatedContest> =
        (0..).map(SimulatedContest::new).filter(few).take(1).collect();
    for contest in &contests {
        let start = |go_on: ResumeMode, disturbances: &Disturbances| {
            with(|world| *world = World::new(contest.seed));
            RECORDING.take();
            play::<RecordedFile>(contest, &path, go_on, disturbances)
        };
        let undisturbed = start(ResumeMode::No, &calm());
        assert!(matches!(undisturbed, Ended::Done(_)), "{undisturbed:?}");
        std::fs::remove_file(&path).unwrap();

        // Two starts, the first one stopped after a while, so that there is a flush between.
        RECORDING.take();
        let trouble = Trouble { interrupts: vec![900], ..Trouble::default() };
        for disturbances in [Disturbances { trouble, ..calm() }, calm()] {
            with(|world| *world = World::new(contest.seed));
            play::<RecordedFile>(contest, &path, ResumeMode::Resume, &disturbances);
        }
        let mut states = States::default();
        let (mut flushed, mut changes) = (Vec::new(), Vec::new());
        for recorded in RECORDING.take() {
            match recorded {
                Recorded::Change(change) => changes.push(change),
                Recorded::Flush => {
                    states.add(&flushed, &changes);
                    changes.drain(..).for_each(|change| change.apply(&mut flushed));
                }
            }
        }
        assert!(changes.is_empty(), "the last thing is a flush");
        assert_eq!(std::fs::read(&path).unwrap(), flushed);
        println!("{} and {} states", states.in_order.len(), states.with_gaps.len());
        for state in &states.in_order {
            std::fs::write(&path, state).unwrap();
            let ended = start(ResumeMode::Resume, &calm());
            assert_eq!(ended, undisturbed, "from {:?}", String::from_utf8_lossy(state));
        }
        for state in &states.with_gaps {
            std::fs::write(&path, state).unwrap();
            let ended = start(ResumeMode::Resume, &calm());
            let Ended::Message(message) = &ended else {
                assert_eq!(ended, undisturbed, "from {:?}", String::from_utf8_lossy(state));
                continue;
            };
            assert!(message.contains("nothing was changed; give another --record"), "{message}");
            assert_eq!(&std::fs::read(&path).unwrap(), state);
        }
        std::fs::remove_file(&path).unwrap();
    }
}
