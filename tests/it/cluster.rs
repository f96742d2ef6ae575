//! The scripts for several machines, on one: GNU parallel, and a Slurm of one node.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::kit::{cores, mancala, repository};
use crate::stage::{HANGS, Stage};
use crate::tools;

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
fn undisturbed(stage: &Stage) -> Value {
    let record = stage.file("whole");
    let run =
        mancala(["tournament", "--jobs=2", "--oversubscribe", "--quiet", "--record", &record]);
    run.args(OPTIONS).run().success();
    table(&[record])
}

fn parts(stage: &Stage) -> Vec<String> {
    [1, 2, 3].map(|part| stage.file(&format!("parts/part-{part}.jsonl"))).to_vec()
}

/// The PATH with this program on it.
fn path() -> std::ffi::OsString {
    let program = Path::new(env!("CARGO_BIN_EXE_mancala"));
    let folder = program.parent().expect("a program lies in a folder").to_owned();
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::join_paths([folder].into_iter().chain(std::env::split_paths(&path)))
        .expect("a PATH is made")
}

#[test]
fn gnu_parallel_plays_the_parts_of_a_tournament() {
    if !tools::are_there("parallel bash", "the script for GNU parallel") {
        return;
    }
    let _cores = cores();
    let stage = Stage::new();
    let run = || {
        Command::new("bash")
            .arg(repository().join("examples/cluster/parallel.sh"))
            .args(["3", &stage.file("parts"), "--"])
            .args(OPTIONS)
            .args(["--jobs=2", "--oversubscribe"])
            .env("PATH", path())
            .env("PARALLEL_HOME", stage.file("home"))
            .current_dir(stage.folder.path())
            .output()
            .expect("bash starts")
    };
    let output = run();
    assert!(output.status.success(), "{output:?}");
    let shown = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(shown.starts_with("12 matches; "), "{shown}");
    assert_eq!(table(&parts(&stage)), undisturbed(&stage));
    // One part is gone: the same command plays it again, and nothing else.
    fs::remove_file(&parts(&stage)[1]).expect("it is removed");
    let before = fs::read(&parts(&stage)[0]).expect("it is read");
    assert_eq!(String::from_utf8_lossy(&run().stdout), shown);
    assert_eq!(fs::read(&parts(&stage)[0]).expect("it is read"), before);
}

#[test]
fn slurm_plays_the_parts_of_a_tournament() {
    if !tools::are_there("munged slurmctld slurmd sbatch", "the script for Slurm") {
        return;
    }
    let is_root = rustix::process::geteuid().is_root();
    if !is_root && !tools::is_left_out("the script for Slurm", "slurmd needs root") {
        return;
    }
    let _cores = cores();
    let stage = Stage::new();
    let slurm = Slurm::start(&stage);
    let output = Command::new("sbatch")
        .args(["--wait", "--array=1-3", "--output", &stage.file("%a.out")])
        .arg(repository().join("examples/cluster/slurm.sh"))
        .arg(stage.file("parts"))
        .args(OPTIONS)
        .env("SLURM_CONF", &slurm.config)
        .env("PATH", path())
        .current_dir(stage.folder.path())
        .output()
        .expect("sbatch starts");
    let logs = || ["1.out", "2.out", "3.out", "ctld.log", "d.log"].map(|name| stage.read(name));
    assert!(output.status.success(), "{output:?}\n{:#?}", logs());
    assert_eq!(table(&parts(&stage)), undisturbed(&stage), "{:#?}", logs());
}

/// A Slurm of one node, which ends when this is dropped.
struct Slurm {
    config: String,
    daemons: Vec<Child>,
}

impl Slurm {
    fn start(stage: &Stage) -> Slurm {
        let (key, socket) = (stage.file("munge.key"), stage.file("munge.socket"));
        fs::write(&key, "a key of 128 bytes, for nobody else. ".repeat(4)).expect("it is written");
        fs::set_permissions(&key, fs::Permissions::from_mode(0o400)).expect("it is kept");
        for folder in ["state", "spool"] {
            fs::create_dir(stage.file(folder)).expect("it is made");
        }
        let host = fs::read_to_string("/proc/sys/kernel/hostname").expect("it has a name");
        let host = host.trim().split('.').next().unwrap_or_default().to_owned();
        let [control, node] = ports();
        let config = stage.file("slurm.conf");
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
            state = stage.file("state"),
            spool = stage.file("spool"),
            control_pid = stage.file("ctld.pid"),
            node_pid = stage.file("d.pid"),
        );
        fs::write(&config, text).expect("it is written");
        let munged = [
            "--foreground".to_owned(),
            "--force".to_owned(),
            format!("--key-file={key}"),
            format!("--socket={socket}"),
            format!("--log-file={}", stage.file("munged.log")),
            format!("--pid-file={}", stage.file("munged.pid")),
            format!("--seed-file={}", stage.file("munged.seed")),
        ];
        let mut slurm = Slurm { config, daemons: Vec::new() };
        slurm.daemon("munged", &munged);
        stage.wait_for("munge.socket");
        slurm.daemon("slurmctld", &["-D".to_owned(), "-L".to_owned(), stage.file("ctld.log")]);
        slurm.daemon("slurmd", &["-D".to_owned(), "-L".to_owned(), stage.file("d.log")]);
        let end = Instant::now() + HANGS;
        while !slurm.is_idle() {
            let logs = ["munged.log", "ctld.log", "d.log"].map(|name| stage.read(name));
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
        let output = Command::new("sinfo")
            .args(["--noheader", "--format=%T"])
            .env("SLURM_CONF", &self.config)
            .output()
            .expect("sinfo starts");
        output.stdout.starts_with(b"idle\n")
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
