//! Attacks on what is not a bot's to touch. Each is really tried, and tells what the system said.

use std::fs::{self, File};
use std::io::{self, Error, Read as _, Write as _};
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::os::unix::fs::{FileExt as _, PermissionsExt as _, symlink};
use std::os::unix::net::{UnixDatagram, UnixStream};
use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use nix::sys::signal::{SigEvent, SigevNotify};
use nix::sys::timer::Timer;
use nix::time::ClockId;
use rustix::process::{self, Pid, Resource, Rlimit, Signal};
use rustix::thread::{CpuSet, gettid, sched_getaffinity, sched_setaffinity};

/// What came of an attack: what was got by it, or what the system said.
pub type Outcome = io::Result<String>;

/// An attack by its name; what stands behind `=` is its argument.
struct Attack {
    name: &'static str,
    attempt: fn(&str) -> Outcome,
}

const fn attack(name: &'static str, attempt: fn(&str) -> Outcome) -> Attack {
    Attack { name, attempt }
}

/// Where a process is the argument, it is a number, `parent` or `opponent`.
const ATTACKS: &[Attack] = &[
    // Files and folders.
    attack("read-file", read),
    attack("read-through-link", |path| {
        let link = temporary("link")?;
        symlink(path, &link)?;
        read(&link.to_string_lossy())
    }),
    attack("list-folder", list),
    attack("write-file", |path| {
        let mut file = File::options().append(true).open(path)?;
        file.write_all(b"x").map(|()| "one byte more".to_owned())
    }),
    attack("truncate-file", |path| {
        File::options().write(true).open(path)?.set_len(0).map(|()| "it is empty".to_owned())
    }),
    attack("empty-by-reading", |path| emptied(path, rustix::fs::OFlags::RDONLY)),
    attack("empty-by-asking", |path| {
        // Opened for neither reading nor writing, as for a device that is only asked something.
        emptied(path, rustix::fs::OFlags::RWMODE)
    }),
    attack("rename-file", |path| {
        let moved = format!("{path}.moved");
        fs::rename(path, &moved)?;
        fs::rename(&moved, path).map(|()| "to and fro".to_owned())
    }),
    attack("unlink-file", |path| fs::remove_file(path).map(|()| "it is gone".to_owned())),
    attack("chmod-file", |path| {
        let anybody = fs::Permissions::from_mode(0o666);
        fs::set_permissions(path, anybody).map(|()| "anybody may write it".to_owned())
    }),
    attack("read-attribute", |path| {
        let mut value = [0; 64];
        let length = rustix::fs::getxattr(path, "user.secret", &mut value)?;
        Ok(String::from_utf8_lossy(&value[..length]).into_owned())
    }),
    attack("list-attributes", |path| {
        let mut names = [0; 256];
        let length = rustix::fs::listxattr(path, &mut names)?;
        Ok(String::from_utf8_lossy(&names[..length]).into_owned())
    }),
    attack("link-file", |path| {
        let link = temporary("hard-link")?;
        fs::hard_link(path, &link).map(|()| link.display().to_string())
    }),
    attack("create-in", |folder| {
        let path = PathBuf::from(folder).join(format!("hostile-{}", std::process::id()));
        File::create_new(&path)?;
        fs::remove_file(&path).map(|()| "a file".to_owned())
    }),
    // The folder that is its own for a while.
    attack("write-tmpdir", |_| {
        let path = temporary("notes")?;
        fs::write(&path, "mine")?;
        read(&path.to_string_lossy())
    }),
    attack("nameless-file", |_| {
        use rustix::fs::{Mode, OFlags, open};
        let folder = temporary("")?;
        let folder = folder.parent().ok_or(io::ErrorKind::NotFound)?;
        open(folder, OFlags::TMPFILE | OFlags::WRONLY, Mode::RUSR)?;
        Ok("a file without a name".to_owned())
    }),
    attack("room-beyond-the-end", |_| {
        use rustix::fs::{FallocateFlags, fallocate};
        let file = File::create(temporary("room")?)?;
        fallocate(&file, FallocateFlags::KEEP_SIZE, 0, 1 << 20)?;
        Ok(format!("a file of {} bytes takes 1 MiB", file.metadata()?.len()))
    }),
    attack("setuid-copy", |_| {
        let path = temporary("setuid")?;
        fs::copy("/bin/sh", &path)?;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o4755))?;
        let mode = fs::metadata(&path)?.permissions().mode();
        if mode & 0o4000 == 0 {
            Err(Error::other("no setuid bit"))
        } else {
            Ok(format!("{mode:o}"))
        }
    }),
    attack("run-from-tmpdir", |_| {
        let path = temporary("program")?;
        std::env::set_current_dir(path.parent().ok_or(io::ErrorKind::NotFound)?)?;
        fs::write(&path, "#!/bin/sh\nexit 7\n")?;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755))?;
        Command::new(&path).status().map(|status| status.to_string())
    }),
    // Other processes.
    attack("read-cmdline", |of| read(&format!("/proc/{}/cmdline", number(of)?))),
    attack("read-environ", |of| read(&format!("/proc/{}/environ", number(of)?))),
    attack("read-maps", |of| read(&format!("/proc/{}/maps", number(of)?))),
    attack("read-mem", read_mem),
    attack("write-mem", |of| open_to_write(&format!("/proc/{}/mem", number(of)?))),
    attack("list-descriptors", |of| list(&format!("/proc/{}/fd", number(of)?))),
    attack("open-stdout", |of| open_to_write(&format!("/proc/{}/fd/1", number(of)?))),
    attack("signal-check", |of| {
        process::test_kill_process(found(of)?)?;
        Ok("it is there".to_owned())
    }),
    attack("signal-stop", |of| {
        let of = found(of)?;
        process::kill_process(of, Signal::STOP)?;
        process::kill_process(of, Signal::CONT)?;
        Ok("stopped, and let go on".to_owned())
    }),
    // By the kernel, which hangs up a group that nobody is left to see to with a process stopped.
    attack("hang-up", |of| {
        let (starter, of) = (process::getppid(), found(of)?);
        let group = process::getpgid(Some(of))?;
        if process::getpgid(None)? == group {
            return Err(Error::other("its group is this one's"));
        }
        let script = "sleep 20 & kill -STOP $!; sleep 0.1";
        let mut shell = Command::new("sh");
        shell.args(["-c", script]).stdin(Stdio::null()).stdout(Stdio::null());
        shell.process_group(group.as_raw_nonzero().get()).status()?;
        std::thread::sleep(Duration::from_millis(100));
        if process::getppid() == starter {
            return Err(Error::other("the starter is still there"));
        }
        Ok("the starter is gone".to_owned())
    }),
    // What the kernel counts for all processes of a user together.
    attack("pending-signals", |most| {
        let most = most.parse().map_err(Error::other)?;
        let got = (0..most).take_while(|_| timer(Signal::USR1).map(std::mem::forget).is_ok());
        let got = got.count();
        if got < most {
            Err(Error::other(format!("no more than {got}")))
        } else {
            Ok(got.to_string())
        }
    }),
    attack("watch-list", |_| {
        rustix::fs::inotify::init(rustix::fs::inotify::CreateFlags::CLOEXEC)?;
        Ok("one of few".to_owned())
    }),
    attack("core-limit", |_| {
        let none = Rlimit { current: Some(0), maximum: Some(0) };
        process::setrlimit(Resource::Core, none)?;
        match process::getrlimit(Resource::Core).current {
            Some(0) => Ok("what takes cores is started".to_owned()),
            other => Err(Error::other(format!("it is {other:?}"))),
        }
    }),
    attack("limit-process", |of| {
        let none = Rlimit { current: Some(0), maximum: Some(0) };
        process::prlimit(Some(found(of)?), Resource::Core, none)?;
        Ok("it leaves no core any more".to_owned())
    }),
    attack("slow-down", |of| {
        let of = found(of)?;
        let nice = process::getpriority_process(Some(of))? + 1;
        process::setpriority_process(Some(of), nice)?;
        Ok(format!("it has nice {nice}"))
    }),
    // The network and the terminal.
    attack("tcp-connect", |to| TcpStream::connect(to).map(|_| "connected".to_owned())),
    attack("tcp-listen", |at| TcpListener::bind(at).map(|_| "listening".to_owned())),
    attack("udp-send", |to| {
        let sent = UdpSocket::bind("127.0.0.1:0")?.send_to(b"x", to)?;
        Ok(format!("{sent} byte sent"))
    }),
    attack("unix-socket", |_| UnixDatagram::unbound().map(|_| "a socket".to_owned())),
    attack("unix-connect", |to| UnixStream::connect(to).map(|_| "connected".to_owned())),
    attack("unix-connect-abstract", |to| {
        use std::os::linux::net::SocketAddrExt as _;
        let address = std::os::unix::net::SocketAddr::from_abstract_name(to)?;
        UnixStream::connect_addr(&address).map(|_| "connected".to_owned())
    }),
    attack("open-terminal", |_| open_to_write("/dev/tty")),
    // Descriptors on their way, and buffers that grow.
    attack("descriptor-in-flight", |_| {
        use rustix::net::{SendAncillaryBuffer, SendAncillaryMessage, SendFlags, sendmsg};
        let (one, _other) = UnixStream::pair()?;
        let mut space = [std::mem::MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
        let mut beside = SendAncillaryBuffer::new(&mut space);
        let on_its_way = [std::os::fd::AsFd::as_fd(&one)];
        beside.push(SendAncillaryMessage::ScmRights(&on_its_way));
        sendmsg(&one, &[io::IoSlice::new(b"x")], &mut beside, SendFlags::empty())?;
        Ok("one is on its way".to_owned())
    }),
    attack("larger-socket", |_| {
        let (one, _other) = UnixStream::pair()?;
        let before = rustix::net::sockopt::socket_send_buffer_size(&one)?;
        rustix::net::sockopt::set_socket_send_buffer_size(&one, before / 4)?;
        Ok("its buffer has another size".to_owned())
    }),
    attack("larger-pipe", |_| {
        let (reader, _writer) = io::pipe()?;
        rustix::pipe::fcntl_setpipe_size(&reader, 128 * 1024)?;
        Ok("128 KiB".to_owned())
    }),
    // Its place on the machine: it has left it if nobody puts it back.
    attack("other-core", |_| {
        let own = cores_of(None)?;
        let mut others = CpuSet::new();
        (0..CpuSet::MAX_CPU).filter(|&core| !own.is_set(core)).for_each(|core| others.set(core));
        sched_setaffinity(None, &others)?;
        unless_put_back("there", || cores_of(None).is_ok_and(|now| now == own))
    }),
    attack("more-cores", |_| {
        let own = cores_of(None)?;
        let mut all = CpuSet::new();
        (0..CpuSet::MAX_CPU).for_each(|core| all.set(core));
        sched_setaffinity(None, &all)?;
        if cores_of(None)? == own {
            return Err(Error::other("there are no more"));
        }
        unless_put_back("it has them", || cores_of(None).is_ok_and(|now| now == own))
    }),
    attack("own-cores", |_| {
        let own = cores_of(None)?;
        let mut first = CpuSet::new();
        first.set((0..CpuSet::MAX_CPU).find(|&core| own.is_set(core)).expect("it has one"));
        sched_setaffinity(None, &first)?;
        if cores_of(None)? != first {
            return Err(Error::other("it has others"));
        }
        // By its number, which may be one of a namespace of its own.
        sched_setaffinity(Some(gettid()), &own)?;
        if cores_of(None)? != own {
            return Err(Error::other("it lacks some"));
        }
        let other = std::thread::spawn(gettid);
        let ended = other.join().expect("it panics not");
        // The kernel has it until a moment after it was joined.
        let began = Instant::now();
        while sched_setaffinity(Some(ended), &own).is_ok() {
            if began.elapsed() > SOON {
                return Err(Error::other("a thread that has ended has cores"));
            }
        }
        Ok(format!("one of {}, and all", own.count()))
    }),
    attack("better-priority", |_| {
        let before = process::getpriority_process(None)?;
        process::setpriority_process(None, before - 5)?;
        let is_back = || process::getpriority_process(None).is_ok_and(|now| now == before);
        unless_put_back("it has it", is_back)
    }),
    attack("class", |option| {
        let mut chrt = Command::new("chrt");
        chrt.args([option, if option == "-f" { "1" } else { "0" }, "sleep", "60"]);
        let mut child = chrt.stdin(Stdio::null()).stderr(Stdio::piped()).spawn()?;
        let (id, before) = (child.id().to_string(), policy_of("self"));
        left_and_back(option, &mut child, || policy_of(&id) == before)
    }),
    attack("session", |_| {
        let mut setsid = Command::new("setsid");
        setsid.args(["sh", "-c", "echo -20 > /proc/self/autogroup && exec sleep 60"]);
        let group = |of: u32| fs::read_to_string(format!("/proc/{of}/autogroup"));
        let nice = |group: &str| group.split_whitespace().next_back().map(str::to_owned);
        let before = nice(&group(std::process::id())?);
        let mut child = setsid.stdin(Stdio::null()).stderr(Stdio::piped()).spawn()?;
        let id = child.id();
        let is_as_before = || group(id).is_ok_and(|group| nice(&group) == before);
        left_and_back("session", &mut child, is_as_before)
    }),
    attack("disks", |_| {
        let mut ionice = Command::new("ionice");
        ionice.args(["-c", "2", "-n", "0", "sleep", "60"]);
        let mut child = ionice.stdin(Stdio::null()).stderr(Stdio::piped()).spawn()?;
        let id = child.id();
        left_and_back("disks", &mut child, || at_disks(id).is_ok_and(|now| now == "none: prio 0"))
    }),
    // Itself.
    attack("hide-itself", |_| {
        use rustix::process::{DumpableBehavior, set_dumpable_behavior};
        set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
        set_dumpable_behavior(DumpableBehavior::Dumpable)?;
        Ok("hidden, and shown again".to_owned())
    }),
    attack("raise-limits", |_| {
        for resource in [Resource::Data, Resource::As, Resource::Fsize, Resource::Cpu] {
            process::setrlimit(resource, Rlimit { current: None, maximum: None })?;
        }
        Ok("no limits".to_owned())
    }),
    attack("read-variables", |prefix| {
        let names = std::env::vars_os().map(|(name, _)| name.to_string_lossy().into_owned());
        let names: Vec<String> = names.filter(|name| name.starts_with(prefix)).collect();
        if names.is_empty() {
            return Err(Error::other("no such variable"));
        }
        Ok(names.join(" "))
    }),
];

/// How soon a process that has left its place is back, and an ended thread is gone.
const SOON: Duration = Duration::from_secs(2);

fn cores_of(of: Option<Pid>) -> io::Result<CpuSet> {
    Ok(sched_getaffinity(of)?)
}

/// The number of a process's scheduling class. `None` where it cannot be seen.
fn policy_of(process: &str) -> Option<u32> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    stat.rsplit_once(')')?.1.split_whitespace().nth(38)?.parse().ok()
}

/// What the system tells of a process's priority at disks.
fn at_disks(process: u32) -> io::Result<String> {
    let output = Command::new("ionice").args(["-p", &process.to_string()]).output()?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// This outcome when a child, which is ended, leaves its place, unless it is put back soon.
fn left_and_back(
    outcome: &str,
    child: &mut std::process::Child,
    is_there: impl Fn() -> bool,
) -> Outcome {
    let end = Instant::now() + SOON;
    // In a sandbox it cannot be seen, but has ended.
    while is_there() && Instant::now() < end {
        if child.try_wait()?.is_some() {
            let mut why = String::new();
            child.stderr.take().expect("it is piped").read_to_string(&mut why)?;
            return Err(Error::other(why.trim().to_owned()));
        }
    }
    let outcome = unless_put_back(outcome, is_there);
    child.kill()?;
    child.wait()?;
    outcome
}

/// This outcome, unless it is undone soon.
fn unless_put_back(outcome: &str, is_back: impl Fn() -> bool) -> Outcome {
    let began = Instant::now();
    while began.elapsed() < SOON {
        if is_back() {
            return Err(Error::other(format!("put back after {} ms", began.elapsed().as_millis())));
        }
        std::thread::sleep(Duration::from_micros(100));
    }
    Ok(outcome.to_owned())
}

/// The names of all attacks.
pub fn names() -> impl Iterator<Item = &'static str> {
    ATTACKS.iter().map(|attack| attack.name)
}

/// Tries an attack, written `NAME` or `NAME=ARGUMENT`. Returns what a bot reports of it.
pub fn attempt(words: &str) -> String {
    let (name, argument) = words.split_once('=').unwrap_or((words, ""));
    let attack = ATTACKS.iter().find(|attack| attack.name == name);
    let attack = attack.unwrap_or_else(|| panic!("no attack {name:?}"));
    report(words, &(attack.attempt)(argument))
}

/// `attack NAME: succeeded: …` or `attack NAME: failed: …`.
pub fn report(name: &str, outcome: &Outcome) -> String {
    match outcome {
        Ok(got) => format!("attack {name}: succeeded: {got}"),
        Err(error) => format!("attack {name}: failed: {error}"),
    }
}

fn read(path: &str) -> Outcome {
    let mut bytes = Vec::new();
    File::open(path)?.take(1024 * 1024).read_to_end(&mut bytes)?;
    Ok(format!("{} bytes", bytes.len()))
}

fn list(folder: &str) -> Outcome {
    fs::read_dir(folder).map(|entries| format!("{} entries", entries.count()))
}

/// Opens a file for writing without writing anything.
fn open_to_write(path: &str) -> Outcome {
    File::options().write(true).open(path).map(|_| "opened".to_owned())
}

/// A new file's path in the folder for temporary files that it was given.
fn temporary(name: &str) -> io::Result<PathBuf> {
    let folder = std::env::var_os("TMPDIR").ok_or_else(|| Error::other("there is no TMPDIR"))?;
    Ok(PathBuf::from(folder).join(format!("{name}-{}", std::process::id())))
}

/// Some bytes of the first part of a process's memory.
fn read_mem(of: &str) -> Outcome {
    let of = number(of)?;
    let maps = fs::read_to_string(format!("/proc/{of}/maps"))?;
    let first = maps.split('-').next().and_then(|start| u64::from_str_radix(start, 16).ok());
    let first = first.ok_or_else(|| Error::other("it has no memory"))?;
    let mut bytes = [0; 16];
    File::open(format!("/proc/{of}/mem"))?.read_exact_at(&mut bytes, first)?;
    Ok(format!("{bytes:02x?} at {first:x}"))
}

/// A timer that sends this process a signal, and does not run yet.
pub fn timer(signal: Signal) -> io::Result<Timer> {
    let signal = signal.as_raw().try_into()?;
    let event = SigEvent::new(SigevNotify::SigevSignal { signal, si_value: 0 });
    Ok(Timer::new(ClockId::CLOCK_MONOTONIC, event)?)
}

fn number(of: &str) -> io::Result<i32> {
    found(of).map(|of| of.as_raw_nonzero().get())
}

fn emptied(path: &str, access: rustix::fs::OFlags) -> Outcome {
    use rustix::fs::{Mode, OFlags, open};
    open(path, access | OFlags::TRUNC, Mode::empty())?;
    let length = fs::metadata(path)?.len();
    if length == 0 { Ok("it is empty".to_owned()) } else { Err(Error::other("it has its bytes")) }
}

/// The process that is meant.
fn found(of: &str) -> io::Result<Pid> {
    let pid = match of {
        "parent" => process::getppid(),
        "opponent" => opponent(),
        number => number.parse().ok().and_then(Pid::from_raw),
    };
    pid.ok_or_else(|| Error::new(io::ErrorKind::NotFound, "no such process is found"))
}

/// Another child of whoever started this bot, or of whoever started that one.
fn opponent() -> Option<Pid> {
    let mut own = process::getpid();
    for _ in 0..2 {
        let parent = parent_of(own)?;
        let others = fs::read_dir("/proc")
            .ok()?
            .filter_map(|entry| Pid::from_raw(entry.ok()?.file_name().to_str()?.parse().ok()?));
        let mut others = others.filter(|&other| other != own && parent_of(other) == Some(parent));
        if let Some(other) = others.next() {
            return Some(other);
        }
        own = parent;
    }
    None
}

/// The parent as `/proc/PID/stat` has it: the second field behind the name, which may hold anything.
fn parent_of(of: Pid) -> Option<Pid> {
    let stat = fs::read_to_string(format!("/proc/{}/stat", of.as_raw_nonzero())).ok()?;
    Pid::from_raw(stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()?)
}
