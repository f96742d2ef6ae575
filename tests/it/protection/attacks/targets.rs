//! What attacks are tried on: files, a process, sockets and variables that are not the bot's.

use std::fs;
use std::io::ErrorKind;
use std::net::{TcpListener, UdpSocket};
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::os::unix::net::{SocketAddr, UnixListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use rustix::process::{Pid, getpriority_process};
use serde_json::Value;
use tempfile::TempDir;

use crate::processes;
use crate::program::{copy_program, mancala, path};

/// Files that are nobody's business, each for another attack.
pub const FILES: [&str; 7] = ["read", "write", "truncate", "rename", "unlink", "chmod", "link"];

/// As whom, and with how much of the kernel, a match is played.
#[derive(Clone, Copy, Debug, Default)]
pub struct Setting {
    /// Another user than the one who runs the tests, whom only the superuser can become.
    pub user: Option<&'static str>,
    /// The version of Landlock that the kernel is taken to have, if not its own.
    pub landlock: Option<&'static str>,
    /// Whether bots have neither a control group nor a namespace of users.
    pub without_birth_limit: bool,
}

pub struct Targets {
    setting: Setting,
    folder: TempDir,
    victim: Child,
    /// How nice the victim was before anything was done to it.
    pub nice_at_first: i32,
    tcp: TcpListener,
    udp: UdpSocket,
    _unix: UnixListener,
    _abstract: UnixListener,
}

impl Targets {
    pub fn new() -> Targets {
        Targets::of(Setting::default())
    }

    /// Targets that the user of this setting could hit.
    pub fn of(setting: Setting) -> Targets {
        let folder = tempfile::tempdir().expect("a folder is made");
        for name in FOLDERS {
            fs::create_dir(folder.path().join(name)).expect("a folder is made");
        }
        fs::write(folder.path().join("shared/book"), "moves\n").expect("a file is made");
        let secrets = folder.path().join("secrets");
        for file in FILES {
            let file = secrets.join(file);
            fs::write(&file, "secret\n").expect("a file is made");
            fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).expect("it may be");
            // Where the file system has such a thing.
            let flags = rustix::fs::XattrFlags::empty();
            let _ = rustix::fs::setxattr(&file, "user.secret", b"secret", flags);
        }
        let sleep = setting.words("sleep");
        let victim = Command::new(&sleep[0])
            .args(&sleep[1..])
            .arg("600")
            .env("SECRET_OF_ANOTHER", "x")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("sleep starts");
        let tcp = TcpListener::bind("127.0.0.1:0").expect("a port");
        let udp = UdpSocket::bind("127.0.0.1:0").expect("a port");
        tcp.set_nonblocking(true).expect("it may be");
        udp.set_nonblocking(true).expect("it may be");
        let name = SocketAddr::from_abstract_name(path(folder.path())).expect("a name");
        if let Some(user) = setting.user {
            make_theirs(folder.path(), user.parse().expect("a number"));
        }
        Targets {
            setting,
            nice_at_first: nice_of(&victim),
            victim,
            tcp,
            udp,
            _unix: UnixListener::bind(secrets.join("socket")).expect("a socket"),
            _abstract: UnixListener::bind_addr(&name).expect("a socket"),
            folder,
        }
    }

    fn secrets(&self, file: &str) -> PathBuf {
        self.folder.path().join("secrets").join(file)
    }

    pub fn folder_of(&self, name: &str) -> String {
        path(self.folder.path().join(name))
    }

    /// An attack with its argument as it is in this targets.
    pub fn filled_in(&self, attack: &str) -> String {
        let address = |socket: std::io::Result<std::net::SocketAddr>| socket.expect("a port");
        attack
            .replace("{program}", &self.program("hostile"))
            .replace("{secrets}", &self.folder_of("secrets"))
            .replace("{shared}", &self.folder_of("shared"))
            .replace("{home}", &self.folder_of("home"))
            .replace("{abstract}", &path(self.folder.path()))
            .replace("{victim}", &self.victim.id().to_string())
            .replace("{tcp}", &address(self.tcp.local_addr()).to_string())
            .replace("{udp}", &address(self.udp.local_addr()).to_string())
    }

    /// The file of one of our programs, which the user of the setting can run.
    fn program(&self, name: &str) -> String {
        match self.setting.user {
            Some(_) => self.folder_of(&format!("programs/{name}")),
            None if name == "hostile" => env!("CARGO_BIN_EXE_hostile").to_owned(),
            None => env!("CARGO_BIN_EXE_mancala").to_owned(),
        }
    }

    fn hostile(&self, arguments: &str) -> String {
        format!("'{}' {arguments}", self.program("hostile"))
    }

    /// Tries attacks in a match with these options. Returns the report of each.
    #[track_caller]
    pub fn play(&self, attacks: &[&str], options: &[&str]) -> Vec<String> {
        let attacks: Vec<String> =
            attacks.iter().map(|attack| format!("'{}'", self.filled_in(attack))).collect();
        let mode = format!("attack 1 1 '{}' {}", self.folder_of("desk"), attacks.join(" "));
        let record = self.record_of(&self.hostile(&mode), options);
        for round in record["rounds"].as_array().expect("rounds") {
            assert_eq!(round["result"]["reason"], "completed", "{round:#}");
        }
        reports(&record)
    }

    /// The record of a match of this bot against a sound one, in the targets's folders.
    #[track_caller]
    pub fn record_of(&self, bot: &str, options: &[&str]) -> Value {
        let opponent = self.hostile(&format!("sound 1 1 '{}'", self.folder_of("desk")));
        let mancala_itself = self.setting.words(&self.program("mancala"));
        let words: Vec<&str> = mancala_itself.iter().map(String::as_str).collect();
        let mut command = mancala::<&str>([])
            .in_folder(self.folder_of("desk"))
            .instead(&words)
            .args(["match", "--format=json", "--move-time=30s"])
            .args([format!("bad={bot}"), format!("good={opponent}")])
            .args(options)
            .command();
        let output = command
            .envs(self.setting.landlock.map(|version| ("MANCALA_LANDLOCK_ABI", version)))
            .envs(self.setting.without_birth_limit.then_some(("MANCALA_PROCESS_LIMIT", "none")))
            .env("HOME", self.folder_of("home"))
            .env("TMPDIR", self.folder_of("tmp"))
            .env("SECRET_TOKEN", "x")
            .stdin(Stdio::null())
            .output()
            .expect("mancala starts");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{}: {stderr}", output.status);
        processes::none_left(&self.folder_of("desk"));
        serde_json::from_slice(&output.stdout).expect("a record")
    }

    /// The file that a bot may read and not write.
    pub fn shared(&self) -> String {
        fs::read_to_string(self.folder.path().join("shared/book")).expect("it is there")
    }

    pub fn secret(&self, file: &str) -> String {
        fs::read_to_string(self.secrets(file)).expect("it is there")
    }

    pub fn has(&self, file: &str) -> bool {
        self.secrets(file).exists()
    }

    pub fn mode_of(&self, file: &str) -> u32 {
        fs::metadata(self.secrets(file)).expect("it is there").permissions().mode() & 0o7777
    }

    pub fn links_to(&self, file: &str) -> u64 {
        fs::metadata(self.secrets(file)).expect("it is there").nlink()
    }

    pub fn nice_of_victim(&self) -> i32 {
        nice_of(&self.victim)
    }

    pub fn was_connected_to(&self) -> bool {
        self.tcp.accept().map_err(|error| assert_eq!(error.kind(), ErrorKind::WouldBlock)).is_ok()
    }

    pub fn was_sent_something(&self) -> bool {
        let received = self.udp.recv(&mut [0; 8]);
        received.map_err(|error| assert_eq!(error.kind(), ErrorKind::WouldBlock)).is_ok()
    }
}

/// The folders of targets; a bot may at most read the last one.
const FOLDERS: [&str; 5] = ["desk", "home", "tmp", "secrets", "shared"];

impl Setting {
    /// The words that start this program as the setting's user.
    fn words(self, program: &str) -> Vec<String> {
        let user = self.user.into_iter();
        let words =
            user.flat_map(|user| ["setpriv", "--reuid", user, "--regid", user, "--clear-groups"]);
        words.chain([program]).map(str::to_owned).collect()
    }
}

/// Gives all targets to this user, who finds our programs beside them.
fn make_theirs(folder: &Path, user: u32) {
    let open = |path: &Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("it may be");
    };
    open(folder, 0o755);
    let programs = folder.join("programs");
    fs::create_dir(&programs).expect("a folder is made");
    open(&programs, 0o755);
    for (name, program) in
        [("mancala", env!("CARGO_BIN_EXE_mancala")), ("hostile", env!("CARGO_BIN_EXE_hostile"))]
    {
        copy_program(program, programs.join(name));
    }
    let entries = FOLDERS.map(|name| fs::read_dir(folder.join(name)).expect("it is there"));
    let files = entries.into_iter().flatten().map(|entry| entry.expect("an entry").path());
    for path in files.chain(FOLDERS.map(|name| folder.join(name))) {
        std::os::unix::fs::chown(path, Some(user), Some(user)).expect("it may be");
    }
}

impl Drop for Targets {
    fn drop(&mut self) {
        // It may have been killed.
        let _ = self.victim.kill();
        let _ = self.victim.wait();
    }
}

fn nice_of(process: &Child) -> i32 {
    getpriority_process(Some(Pid::from_child(process))).expect("it is there")
}

/// What the first bot said beside its first move.
pub fn reports(record: &Value) -> Vec<String> {
    let reports = record["rounds"][0]["moves"][0]["info"].as_array();
    let reports = reports.unwrap_or_else(|| panic!("there are no reports: {record:#}"));
    reports.iter().filter_map(|report| report.as_str().map(str::to_owned)).collect()
}
