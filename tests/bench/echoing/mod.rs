//! The C program that answers with as little work as possible, and what it costs by itself: the floor
//! that matches are measured against.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

/// Compiles `tests/bench/echo.c` into that program; none, with a printed reason, where there is no C
/// compiler.
pub fn compile(program: PathBuf, options: &[&str]) -> Option<PathBuf> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bench/echo.c");
    let mut cc = Command::new("cc");
    let compiled = cc.args(["-O2", "-o"]).arg(&program).arg(source).args(options).status();
    if compiled.is_ok_and(|status| status.success()) {
        Some(program)
    } else {
        println!("not measured: there is no C compiler (cc) to compile tests/bench/echo.c");
        None
    }
}

/// Starts two programs and waits for their end, which is that of their input.
pub fn start_and_reap_two(program: &Path) {
    let children = [(); 2].map(|()| {
        Command::new(program)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the echo program starts")
    });
    for mut child in children {
        drop(child.stdin.take());
        child.wait().expect("the echo program ends");
    }
}

/// The processors that this thread may use.
pub fn processors() -> Vec<usize> {
    let allowed = sched_getaffinity(None).expect("the processors are known");
    (0..CpuSet::MAX_CPU).filter(|&processor| allowed.is_set(processor)).collect()
}

/// Binds this thread, and so the programs that it starts, to these processors.
pub fn bind_to(processors: &[usize]) {
    let mut set = CpuSet::new();
    for &processor in processors {
        set.set(processor);
    }
    sched_setaffinity(None, &set).expect("binding to processors works");
}
