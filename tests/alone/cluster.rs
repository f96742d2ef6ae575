//! The scripts for several machines, on one: GNU parallel, and a Slurm of one node.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::program::{mancala, repository, search_path};
use crate::requirements;
use crate::runner::{Test, tests};
use crate::test_folder::TestFolder;

/// Longer than its daemons take to start, or its jobs, also on a busy machine.
const HANGS: Duration = Duration::from_mins(3);

pub const TESTS: &[Test] =
    tests![gnu_parallel_plays_the_shards_of_a_tournament, slurm_plays_the_shards_of_a_tournament,];

/// What is played: three bots that draw lots, always the same ones, from four openings.
const OPTIONS: [&str; 5] = [
    "easy-1=builtin:easy --seed 1",
    "random-2=builtin:random --seed 2",
    "random-3=builtin:random --seed 3",
    "--openings=random:4",
    "--count=4",
];

/// The table of these files.
fn table(files: &[String]) -> Value {
    mancala(["standings", "--format=json"]).args(files).run().success().json()
}

/// The same tournament on one machine.
fn undisturbed(folder: &TestFolder) -> Value {
    let record = folder.file("whole");
    let run =
        mancala(["tournament", "--jobs=2", "--oversubscribe", "--quiet", "--record", &record]);
    run.args(OPTIONS).run().success();
    table(&[record])
}

fn parts(folder: &TestFolder) -> Vec<String> {
    [1, 2, 3].map(|part| folder.file(&format!("parts/part-{part}.jsonl"))).to_vec()
}

/// The PATH with this program on it.
fn path() -> std::ffi::OsString {
    let program = Path::new(env!("CARGO_BIN_EXE_mancala"));
    let folder = program.parent().expect("a program lies in a folder").to_owned();
    std::env::join_paths([folder].into_iter().chain(std::env::split_paths(search_path())))
        .expect("a PATH is made")
}

fn gnu_parallel_plays_the_shards_of_a_tournament() {
    if !requirements::are_there("parallel bash", "the script for GNU parallel") {
        return;
    }
    let folder = TestFolder::new();
    let run = || {
        Command::new("bash")
            .arg(repository().join("examples/cluster/parallel.sh"))
            .args(["3", &folder.file("parts"), "--"])
            .args(OPTIONS)
            .args(["--jobs=2", "--oversubscribe"])
            .env("PATH", path())
            .env("PARALLEL_HOME", folder.file("home"))
            .current_dir(folder.path())
            .output()
            .expect("bash starts")
    };
    let output = run();
    assert!(output.status.success(), "{output:?}");
    let shown = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(shown.starts_with("12 matches, 24 rounds; "), "{shown}");
    assert_eq!(table(&parts(&folder)), undisturbed(&folder));
    // One part is gone: the same command plays it again, and nothing else.
    fs::remove_file(&parts(&folder)[1]).expect("it is removed");
    let before = fs::read(&parts(&folder)[0]).expect("it is read");
    assert_eq!(String::from_utf8_lossy(&run().stdout), shown);
    assert_eq!(fs::read(&parts(&folder)[0]).expect("it is read"), before);
}

fn slurm_plays_the_shards_of_a_tournament() {
    if !requirements::are_there("munged slurmctld slurmd sbatch", "the script for Slurm") {
        return;
    }
    let is_root = rustix::process::geteuid().is_root();
    if !is_root && !requirements::is_left_out("the script for Slurm", "slurmd needs root") {
        return;
    }
    let folder = TestFolder::new();
    let slurm = Slurm::start(&folder);
    let output = Command::new("sbatch")
        .args(["--parsable", "--array=1-3", "--output", &folder.file("%a.out")])
        .arg(repository().join("examples/cluster/slurm.sh"))
        .arg(folder.file("parts"))
        .args(OPTIONS)
        .arg("--oversubscribe")
        .env("SLURM_CONF", &slurm.config)
        .env("PATH", path())
        .current_dir(folder.path())
        .output()
        .expect("sbatch starts");
    let logs = || ["1.out", "2.out", "3.out", "ctld.log", "d.log"].map(|name| folder.read(name));
    assert!(output.status.success(), "{output:?}\n{:#?}", logs());
    slurm.wait_for_job(String::from_utf8_lossy(&output.stdout).trim());
    assert_eq!(table(&parts(&folder)), undisturbed(&folder), "{:#?}", logs());
}

/// A Slurm of one node, which ends when this is dropped.
struct Slurm {
    config: String,
    daemons: Vec<Child>,
}

impl Slurm {
    fn start(test_folder: &TestFolder) -> Slurm {
        let (key, socket) = (test_folder.file("munge.key"), test_folder.file("munge.socket"));
        fs::write(&key, "a key of 128 bytes, for nobody else. ".repeat(4)).expect("it is written");
        fs::set_permissions(&key, fs::Permissions::from_mode(0o400)).expect("it is kept");
        for folder in ["state", "spool"] {
            fs::create_dir(test_folder.file(folder)).expect("it is made");
        }
        let host = fs::read_to_string("/proc/sys/kernel/hostname").expect("it has a name");
        let host = host.trim().split('.').next().unwrap_or_default().to_owned();
        let [control, node] = ports();
        let config = test_folder.file("slurm.conf");
        let text = format!(
            "ClusterName=mancala\n\
             SlurmctldHost={host}(127.0.0.1)\n\
             SlurmctldPort={control}\n\
             SlurmdPort={node}\n\
             AuthType=auth/munge\n\
             AuthInfo=socket={socket}\n\
             CredType=cred/munge\n\
             SlurmUser=root\n\
             StateSaveLocation={state}\n\
             SlurmdSpoolDir={spool}\n\
             SlurmctldPidFile={control_pid}\n\
             SlurmdPidFile={node_pid}\n\
             ProctrackType=proctrack/linuxproc\n\
             TaskPlugin=task/none\n\
             SelectType=select/cons_tres\n\
             SelectTypeParameters=CR_Core\n\
             SwitchType=switch/none\n\
             MpiDefault=none\n\
             JobAcctGatherType=jobacct_gather/none\n\
             AccountingStorageType=accounting_storage/none\n\
             ReturnToService=2\n\
             NodeName={host} NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN\n\
             PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP\n",
            state = test_folder.file("state"),
            spool = test_folder.file("spool"),
            control_pid = test_folder.file("ctld.pid"),
            node_pid = test_folder.file("d.pid"),
        );
        fs::write(&config, text).expect("it is written");
        let munged = [
            "--foreground".to_owned(),
            "--force".to_owned(),
            format!("--key-file={key}"),
            format!("--socket={socket}"),
            format!("--log-file={}", test_folder.file("munged.log")),
            format!("--pid-file={}", test_folder.file("munged.pid")),
            format!("--seed-file={}", test_folder.file("munged.seed")),
        ];
        let mut slurm = Slurm { config, daemons: Vec::new() };
        slurm.daemon("munged", &munged);
        test_folder.wait_for("munge.socket");
        slurm
            .daemon("slurmctld", &["-D".to_owned(), "-L".to_owned(), test_folder.file("ctld.log")]);
        slurm.daemon("slurmd", &["-D".to_owned(), "-L".to_owned(), test_folder.file("d.log")]);
        let end = Instant::now() + HANGS;
        while !slurm.is_idle() {
            let logs = ["munged.log", "ctld.log", "d.log"].map(|name| test_folder.read(name));
            assert!(Instant::now() < end, "the node is not there: {logs:#?}");
            std::thread::sleep(Duration::from_millis(100));
        }
        slurm
    }

    fn daemon(&mut self, program: &str, arguments: &[String]) {
        let daemon = Command::new(program)
            .args(arguments)
            .env("SLURM_CONF", &self.config)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        self.daemons.push(daemon.expect("the daemon starts"));
    }

    fn is_idle(&self) -> bool {
        self.ask("sinfo", &["--noheader", "--format=%T"]).starts_with("idle\n")
    }

    /// Waits until all tasks of this job have completed. `sbatch --wait` would look at them in pauses
    /// that grow.
    #[track_caller]
    fn wait_for_job(&self, job: &str) {
        let end = Instant::now() + HANGS;
        loop {
            let tasks = self.ask("scontrol", &["--oneliner", "show", "job", job]);
            let is_in = |state: &str| tasks.matches(&format!("JobState={state}")).count();
            if is_in("COMPLETED") == 3 {
                return;
            }
            assert_eq!(is_in("FAILED"), 0, "{tasks}");
            assert!(Instant::now() < end, "it does not end: {tasks}");
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    fn ask(&self, program: &str, arguments: &[&str]) -> String {
        let output = Command::new(program)
            .args(arguments)
            .env("SLURM_CONF", &self.config)
            .output()
            .expect("it starts");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }
}

impl Drop for Slurm {
    fn drop(&mut self) {
        while let Some(mut daemon) = self.daemons.pop() {
            let _ = daemon.kill();
            let _ = daemon.wait();
        }
    }
}

/// Two ports of this machine that nobody uses.
fn ports() -> [u16; 2] {
    let listeners = [(); 2].map(|()| std::net::TcpListener::bind("127.0.0.1:0").expect("a port"));
    listeners.map(|listener| listener.local_addr().expect("an address").port())
}
