//! The part of a program's stderr that is about the error that ended it.

/// The first words of an error report that ends a program: Python, Java, C++, C#, Go.
const ERROR_REPORTS: [&str; 5] = [
    "Traceback (most recent call last)",
    "Exception in thread ",
    "terminate called ",
    "Unhandled exception. ",
    "\npanic: ",
];

/// The first words of a panic of Rust. One thread's is often the cause of the next one's.
const PANIC: &str = "\nthread '";

/// What Python writes between the reports of an error and of the one that it led to.
const LED_TO: [&str; 2] =
    ["another exception occurred:", "was the direct cause of the following exception:"];

/// What a program wrote about the error that ended it: what came before is a warning after which it went
/// on. All of it in languages whose reports have no beginning of their own.
pub(super) fn last_report(stderr: &str) -> &str {
    if let Some(report) = report_of_node(stderr) {
        return report;
    }
    let (mut rest, mut start) = (stderr, 0);
    let begin = |rest: &str| {
        let last = ERROR_REPORTS.iter().filter_map(|words| rest.rfind(words));
        last.chain(rest.find(PANIC)).max()
    };
    while let Some(begin) = begin(rest) {
        start = begin;
        rest = rest[..begin].trim_end();
        if !LED_TO.iter().any(|words| rest.ends_with(words)) {
            break;
        }
    }
    &stderr[start..]
}

/// The report of an error that ended Node.js: its version is the last line, and above the error `^` marks
/// the place in the source.
fn report_of_node(stderr: &str) -> Option<&str> {
    stderr.lines().last().filter(|line| line.starts_with("Node.js v"))?;
    let is_mark = |line: &str| {
        line.trim_start().starts_with('^')
            && line.trim_matches([' ', '\t', '\r', '\n', '^']).is_empty()
    };
    let (mut end, mut start) = (0, None);
    for line in stderr.split_inclusive('\n') {
        end += line.len();
        if is_mark(line) {
            start = Some(end);
        }
    }
    Some(&stderr[start?..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_came_before_the_last_error_is_no_part_of_its_report() {
        let node = "b.js:4\nundefined.foo;\n          ^\n\nTypeError: x\n    at b.js:4\n\nNode.js v20.20.2\n";
        let logged = "Error: EACCES: permission denied, open '/x'\n    at Object.writeFileSync\n";
        let go = "\npanic: runtime error: index out of range\n\ngoroutine 1 [running]:\n";
        let cpp = "terminate called after throwing an instance of 'std::out_of_range'\n";
        let rust = "\nthread 'main' (7) panicked at b.rs:9:5:\nindex out of bounds\n";
        let c_sharp = "Unhandled exception. System.IndexOutOfRangeException: x\n   at B.Main()\n";
        let report = last_report(node);
        assert!(
            report.starts_with("\nTypeError: x\n") && report.ends_with("v20.20.2\n"),
            "{report}"
        );
        for (error, report) in
            [(node, report), (go, go), (cpp, cpp), (rust, rust), (c_sharp, c_sharp)]
        {
            assert_eq!(last_report(&format!("{logged}{error}")), report);
        }
        let of_a_thread = format!("\nthread 'reader' panicked at b.rs:2:9:\n{logged}{rust}");
        assert_eq!(last_report(&of_a_thread), of_a_thread);
        // Errors that name their own cause.
        let cause = node.replace("    at", "  [cause]: Error: EACCES\n    at");
        assert!(last_report(&cause).contains("EACCES"), "{cause}");
        let nested = "\npanic: open /x: permission denied [recovered]\n\tpanic: again\n";
        assert_eq!(last_report(nested), nested);
    }

    #[test]
    fn all_is_the_report_where_nothing_marks_its_beginning() {
        for stderr in ["a warning\nits last words", "x\n  ^\ny\n", "x\nNode.js v20", ""] {
            assert_eq!(last_report(stderr), stderr);
        }
    }
}
