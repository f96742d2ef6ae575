//! Bombs: more and more of something until the system says no.
//!
//! Each takes a cap as its first argument, for where nothing else would stop it: with a cap it
//! comes to an end by itself and calls that a success. Without one it is tried in a sandbox only.
//! After the cap, `until-ended` lets those that hold something hold it until they are ended.

use std::fs::File;
use std::io::{self, Error, Read as _, Seek as _, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Once;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::attacks::Outcome;
use crate::bot::Bot;
use crate::tools::{LONGEST, pause, say};

const MIB: usize = 1024 * 1024;

/// How many children hold memory together.
const HOLDERS: u64 = 8;

/// How long a bomb that was stopped, or is big enough, is waited for to have all gone off.
const GOES_OFF: Duration = Duration::from_secs(5);

fn cap(bot: &Bot) -> Option<u64> {
    let cap = bot.arguments.first().filter(|cap| *cap != "until-ended");
    cap.map(|cap| cap.parse().expect("a cap is a number"))
}

/// What came of it: all of the cap, or as much as there was until the system said no.
fn outcome(count: u64, of: &str, stopped: Option<Error>) -> Outcome {
    match stopped {
        None => Ok(format!("{count} {of}")),
        Some(error) => Err(Error::new(error.kind(), format!("after {count} {of}: {error}"))),
    }
}

/// Processes that start processes, each in a session of its own where `--bomb-setsid` is the mode.
pub fn processes(bot: &Bot, mode: &str) -> Outcome {
    static STARTED: AtomicU64 = AtomicU64::new(0);
    let most = cap(bot).unwrap_or(u64::MAX);
    let (mut counted, count) = io::pipe()?;
    std::thread::Builder::new().spawn(move || {
        // Each of them says one byte.
        let mut bytes = [0; 4096];
        while let Ok(more @ 1..) = counted.read(&mut bytes) {
            STARTED.fetch_add(more as u64, Ordering::Relaxed);
        }
    })?;
    let stopped = multiply(mode, most, || count.try_clone().map_or(Stdio::null(), Stdio::from));
    let end = Instant::now() + GOES_OFF;
    while Instant::now() < end && stopped.is_none() && STARTED.load(Ordering::Relaxed) < most {
        pause(Duration::from_millis(1));
    }
    let started = STARTED.load(Ordering::Relaxed);
    // Most of them are started by others, which tell nobody why they could not go on.
    let too_few = || (started < most).then(|| Error::other("there came no more"));
    outcome(started, "processes", stopped.or_else(too_few))
}

/// One of these processes, which is to become so many with all that it starts.
pub fn one_process(mode: &str, budget: u64) {
    say("x");
    let end = Instant::now() + LONGEST;
    let mut left = budget - 1;
    while Instant::now() < end {
        // Where there is no room now, there may be some later.
        left = if multiply(mode, left, Stdio::inherit).is_some() { left } else { 0 };
        pause(Duration::from_millis(5));
    }
}

/// Starts so many processes, half of them through the first, half of the rest through the second.
fn multiply(mode: &str, mut left: u64, stdout: impl Fn() -> Stdio) -> Option<Error> {
    while left > 0 {
        let share = left.div_ceil(2);
        let mut command = child(mode, share);
        if let Err(error) = command.stdout(stdout()).spawn() {
            return Some(error);
        }
        left -= share;
    }
    None
}

/// This program again with the arguments that it is known by, and a number of its own.
pub fn child(mode: &str, number: u64) -> Command {
    let mut command = Command::new(std::env::current_exe().expect("its own path"));
    // ROUND TURN FOLDER
    command.arg(mode).args(std::env::args().skip(2).take(3)).arg(number.to_string());
    command.stdin(Stdio::null());
    command
}

pub fn threads(bot: &Bot) -> Outcome {
    let most = cap(bot).unwrap_or(u64::MAX);
    let spare = spare();
    for count in 0..most {
        let thread = std::thread::Builder::new().stack_size(64 * 1024);
        if let Err(error) = thread.spawn(|| pause(LONGEST)) {
            drop(spare);
            return outcome(count, "threads", Some(error));
        }
    }
    outcome(most, "threads", None)
}

pub fn memory(bot: &Bot) -> Outcome {
    let (held, stopped) = hold(cap(bot).unwrap_or(u64::MAX));
    outcome(held, "MiB", stopped)
}

/// What is let go, to live on, when there is no more to be had.
fn spare() -> Vec<u8> {
    std::hint::black_box(vec![1; 8 * MIB])
}

/// Takes and touches a MiB at a time, for ever.
fn hold(most: u64) -> (u64, Option<Error>) {
    let spare = spare();
    // Copied as a whole: a loop over each byte, compiled without optimisation, takes a second for
    // 256 MiB, and longer than a turn has on a busy machine.
    let filled = vec![1_u8; MIB];
    for held in 0..most {
        let mut mib = Vec::new();
        if let Err(error) = mib.try_reserve_exact(MIB) {
            drop(spare);
            return (held, Some(Error::new(io::ErrorKind::OutOfMemory, error.to_string())));
        }
        mib.extend_from_slice(&filled);
        // Or a compiler sees that nobody reads it, and takes none.
        std::hint::black_box(mib.leak());
    }
    (most, None)
}

/// Asks for 64 GiB, or the cap in MiB, and touches the two ends of it.
pub fn memory_at_once(bot: &Bot) -> Outcome {
    let most = cap(bot).unwrap_or(64 * 1024);
    let mut all: Vec<u8> = Vec::new();
    let bytes = usize::try_from(most).unwrap_or(usize::MAX).saturating_mul(MIB);
    if let Err(error) = all.try_reserve_exact(bytes) {
        return outcome(0, "MiB", Some(Error::new(io::ErrorKind::OutOfMemory, error.to_string())));
    }
    for end in [0, bytes - 1] {
        all.spare_capacity_mut()[end].write(1);
    }
    std::hint::black_box(&mut all);
    outcome(most, "MiB", None)
}

/// Several children that each hold as much as they get, or a share of the cap.
pub fn memory_of_children(bot: &Bot) -> Outcome {
    let share = cap(bot).map_or(u64::MAX, |cap| cap / HOLDERS);
    let (mut told, tell) = io::pipe()?;
    for started in 0..HOLDERS {
        let held = tell.try_clone()?;
        if let Err(error) = child("--hold", share).stdout(held).spawn() {
            return outcome(started, "children", Some(error));
        }
    }
    drop(tell);
    // A line of each, or nothing of one that was killed.
    let mut lines = String::new();
    told.read_to_string(&mut lines)?;
    let held: Vec<u64> = lines.lines().filter_map(|line| line.parse().ok()).collect();
    let (children, sum) = (held.len() as u64, held.iter().sum());
    let stopped = (children < HOLDERS || held.iter().any(|&held| held < share))
        .then(|| Error::other(format!("{children} of {HOLDERS} children hold memory")));
    outcome(sum, "MiB in all", stopped)
}

/// One of these children: says how much it holds and lives on, with its stdout closed.
pub fn one_holder(share: u64) {
    let (held, _) = hold(share);
    say(format!("{held}\n"));
    let null = File::options().write(true).open("/dev/null").expect("there is /dev/null");
    rustix::stdio::dup2_stdout(null).expect("stdout is replaced");
    pause(LONGEST);
}

/// More descriptors on their way between programs than this user may have, which is what all its
/// programs may have together: that is looked at before a message, and each has nearly as many as
/// one may have.
pub fn in_flight() {
    use rustix::net::{SendAncillaryBuffer, SendAncillaryMessage, SendFlags, sendmsg};
    let mut held = Vec::new();
    for _ in 0..40 {
        let Ok((one, other)) = UnixStream::pair() else { break };
        let _ = one.set_nonblocking(true);
        let mut space = [std::mem::MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(250))];
        let on_its_way = [std::os::fd::AsFd::as_fd(&one); 250];
        loop {
            let mut beside = SendAncillaryBuffer::new(&mut space);
            beside.push(SendAncillaryMessage::ScmRights(&on_its_way));
            let bytes = [io::IoSlice::new(b"x")];
            if sendmsg(&one, &bytes, &mut beside, SendFlags::empty()).is_err() {
                break;
            }
        }
        held.push((one, other));
    }
    held.leak();
}

/// A file without end in TMPDIR, or in the folder that is its second argument.
pub fn file(bot: &Bot) -> Outcome {
    // Without a handler the signal that comes with too large a file ends the process.
    let seen = std::sync::Arc::default();
    signal_hook::flag::register(signal_hook::consts::SIGXFSZ, seen)?;
    let folder = bot.arguments.get(1).map(PathBuf::from).map_or_else(own_folder, Ok)?;
    let mut file = File::create(folder.join(format!("bomb-{}", std::process::id())))?;
    let mib = vec![b'x'; MIB];
    let most = cap(bot).unwrap_or(u64::MAX);
    for written in 0..most {
        if let Err(error) = file.write_all(&mib) {
            return outcome(written, "MiB", Some(error));
        }
    }
    outcome(most, "MiB", None)
}

/// Pairs of sockets, each full in both directions.
pub fn sockets(bot: &Bot) -> Outcome {
    let most = cap(bot).unwrap_or(u64::MAX).saturating_mul(MIB as u64);
    let mut held = Vec::new();
    let mut written = 0;
    while written < most {
        let pair = UnixStream::pair();
        let (mut one, mut other) = match pair {
            Ok(pair) => pair,
            Err(error) => return outcome(written / MIB as u64, "MiB", Some(error)),
        };
        for end in [&mut one, &mut other] {
            end.set_nonblocking(true)?;
            while let Ok(count) = end.write(&[1; 4096]) {
                written += count as u64;
            }
        }
        held.push((one, other));
    }
    held.leak();
    be_seen(bot);
    outcome(written / MIB as u64, "MiB", None)
}

/// Watches of descriptors by the thousand: the same number stands for one file after the other, and
/// each of them is watched for ever.
pub fn watches(bot: &Bot) -> Outcome {
    use rustix::event::{EventfdFlags, epoll, eventfd};
    const FILES: usize = 80;
    let most = cap(bot).unwrap_or(u64::MAX);
    let files: Vec<_> =
        (0..FILES).map(|_| eventfd(0, EventfdFlags::CLOEXEC)).collect::<Result<_, _>>()?;
    let mut numbers: Vec<_> =
        (0..FILES).map(|_| eventfd(0, EventfdFlags::CLOEXEC)).collect::<Result<_, _>>()?;
    let mut held = Vec::new();
    let mut thousands = 0;
    while thousands < most {
        let watching = epoll::create(epoll::CreateFlags::CLOEXEC)?;
        for file in &files {
            for number in &mut numbers {
                rustix::io::dup2(file, number)?;
                let data = epoll::EventData::new_u64(0);
                epoll::add(&watching, &*number, data, epoll::EventFlags::IN)?;
            }
        }
        held.push(watching);
        thousands += (FILES * FILES / 1000) as u64;
    }
    held.leak();
    be_seen(bot);
    outcome(thousands, "thousand watches", None)
}

/// Files of a MiB each in TMPDIR, which have no name any more and are open.
pub fn nameless_files(bot: &Bot) -> Outcome {
    let folder = own_folder()?;
    let most = cap(bot).unwrap_or(u64::MAX);
    let mut held = Vec::new();
    for written in 0..most {
        let path = folder.join("nameless");
        let file = File::create(&path).and_then(|mut file| {
            std::fs::remove_file(&path)?;
            file.write_all(&vec![b'x'; MIB])?;
            Ok(file)
        });
        match file {
            Ok(file) => held.push(file),
            Err(error) => return outcome(written, "MiB", Some(error)),
        }
    }
    held.leak();
    be_seen(bot);
    outcome(most, "MiB", None)
}

/// Files of a MiB each, below folders that are deeper than any path reaches.
pub fn deep_files(bot: &Bot) -> Outcome {
    std::env::set_current_dir(own_folder()?)?;
    let name = "deep".repeat(60);
    for _ in 0..30 {
        std::fs::create_dir(&name)?;
        std::env::set_current_dir(&name)?;
    }
    files_here(bot)
}

/// Files of a MiB each, in a folder that may be entered and not be looked into.
pub fn closed_files(bot: &Bot) -> Outcome {
    let folder = own_folder()?.join("closed");
    std::fs::DirBuilder::new().mode(0o300).create(&folder)?;
    std::env::set_current_dir(folder)?;
    files_here(bot)
}

fn files_here(bot: &Bot) -> Outcome {
    let most = cap(bot).unwrap_or(u64::MAX);
    for written in 0..most {
        if let Err(error) = std::fs::write(written.to_string(), vec![b'x'; MIB]) {
            return outcome(written, "MiB", Some(error));
        }
    }
    be_seen(bot);
    outcome(most, "MiB", None)
}

/// What only Perl can do here, which makes any system call: for a while, in a process of its own.
pub fn by_perl(bot: &Bot, script: &str) -> Outcome {
    let seconds = if is_held_until_ended(bot) { LONGEST.as_secs() } else { 1 };
    let script = format!("$| = 1; {script}; print 'x'; sleep {seconds}");
    let output = Command::new("perl").args(["-e", &script]).stdin(Stdio::null()).output()?;
    let held = output.stdout == b"x";
    held.then(|| "held".to_owned()).ok_or_else(|| Error::other(output.status.to_string()))
}

/// Rules of Landlock that allow ports: so many thousand, or without end.
pub fn rules(bot: &Bot) -> Outcome {
    use landlock::{
        ABI, Access as _, AccessNet, CompatLevel, Compatible as _, NetPort, Ruleset,
        RulesetAttr as _, RulesetCreatedAttr as _, RulesetError,
    };
    let most = cap(bot).unwrap_or(u64::MAX);
    let mut held = Vec::new();
    for thousands in 0..most {
        let made = Ruleset::default()
            .set_compatibility(CompatLevel::HardRequirement)
            .handle_access(AccessNet::from_all(ABI::V4))
            .and_then(Ruleset::create)
            .and_then(|rules| {
                let rule = |port| -> Result<_, RulesetError> {
                    Ok(NetPort::new(port, AccessNet::BindTcp))
                };
                rules.add_rules((0..1000).map(rule))
            });
        match made {
            Ok(rules) => held.push(rules),
            Err(error) => {
                let error = Error::other(error.to_string());
                return outcome(thousands, "thousand rules", Some(error));
            }
        }
    }
    std::mem::forget(held);
    be_seen(bot);
    outcome(most, "thousand rules", None)
}

/// A byte of each MiB of a file in TMPDIR, which is emptied each time, in pipes.
pub fn spliced(bot: &Bot) -> Outcome {
    use rustix::pipe::{SpliceFlags, splice};
    const IN_A_PIPE: u64 = 16;
    let most = cap(bot).unwrap_or(u64::MAX);
    let mut file = File::create_new(own_folder()?.join("spliced"))?;
    let whole = vec![1; MIB];
    let mut held = Vec::new();
    for written in 0..most {
        if written % IN_A_PIPE == 0 {
            held.push(io::pipe()?);
        }
        let Some((_, into)) = held.last() else { break };
        file.set_len(0)?;
        file.rewind()?;
        file.write_all(&whole)?;
        let at = Some(&mut 0);
        if let Err(error) = splice(&file, at, into, None, 1, SpliceFlags::empty()) {
            return outcome(written, "MiB", Some(error.into()));
        }
    }
    held.leak();
    be_seen(bot);
    outcome(most, "MiB", None)
}

/// Becomes a copy of itself in TMPDIR in another mode, which may be run and not read: so its user may
/// not look into its process.
pub fn become_unreadable(mode: &str) {
    let copy = || -> io::Result<PathBuf> {
        let path = own_folder()?.join("unreadable");
        let mut options = File::options();
        let mut to = options.write(true).create_new(true).mode(0o111).open(&path)?;
        io::copy(&mut File::open(std::env::current_exe()?)?, &mut to)?;
        Ok(path)
    };
    // Where that is refused, it plays on.
    if let Ok(path) = copy() {
        let _ = Command::new(path).arg(mode).args(std::env::args().skip(2)).exec();
    }
}

/// Starts as many processes as its argument says, each of which burns what it gets.
pub fn burners(bot: &Bot) {
    for _ in 0..cap(bot).expect("how many there are to be") {
        let burns = ["-c", "ulimit -t 60; while :; do :; done"];
        // Where a limit allows no more, there are as many as there are.
        let _ = Command::new("sh").args(burns).stdin(Stdio::null()).spawn();
    }
}

/// Waits so long that what is held is seen on an idle machine, or until the bot is ended.
fn be_seen(bot: &Bot) {
    pause(if is_held_until_ended(bot) { LONGEST } else { Duration::from_millis(200) });
}

fn is_held_until_ended(bot: &Bot) -> bool {
    bot.arguments.iter().any(|argument| argument == "until-ended")
}

fn own_folder() -> io::Result<PathBuf> {
    let folder = std::env::var_os("TMPDIR").map(PathBuf::from);
    folder.ok_or_else(|| Error::other("there is no TMPDIR"))
}

/// Burns a core all the while, for so many seconds at most, and answers a little later than at
/// once, so that a match takes its time.
pub fn cpu(bot: &Bot) {
    static BURNS: Once = Once::new();
    let most = cap(bot).map_or(LONGEST, Duration::from_secs);
    BURNS.call_once(|| {
        std::thread::spawn(move || {
            let end = Instant::now() + most;
            while Instant::now() < end {
                std::hint::spin_loop();
            }
        });
    });
    pause(Duration::from_millis(30));
    bot.answer();
}
