//! What stands beside a fix where the sandbox may be behind the fault.

use crate::protocol::CauseCode;

/// The same for two readers; empty, or it begins with a blank.
pub(crate) struct SandboxAdvice {
    /// For the author who checks the bot, and gives the options.
    pub(crate) in_a_check: &'static str,
    /// For the author who reads the bot's page, and does not start the contest.
    pub(super) on_a_page: &'static str,
}

pub(crate) const fn sandbox_advice(code: CauseCode) -> SandboxAdvice {
    match code {
        CauseCode::Sandbox => SandboxAdvice {
            in_a_check: " The sandbox may have refused it something: it may write to the private folder \
                that the variable TMPDIR names, and reaches no processes but its own. --allow-read PATH \
                opens a file or folder to it, --allow-write PATH one to write to. Without --sandbox you \
                see whether it was that.",
            on_a_page: " The sandbox may have refused it something: a bot reads only its own folder and \
                the system's programs and libraries, and writes only to the private folder that the \
                variable TMPDIR names; it reaches no processes but its own. Other files are opened by \
                whoever runs the contest (--allow-read, --allow-write).",
        },
        CauseCode::NoNetwork => SandboxAdvice {
            in_a_check: " The sandbox has no network: --allow-loopback opens TCP to the bot itself, and \
                nothing opens any other. Without --sandbox you see whether it was that.",
            on_a_page: " The sandbox has no network. A bot may connect to itself alone, and only if \
                whoever runs the contest allows it (--allow-loopback).",
        },
        _ => SandboxAdvice { in_a_check: "", on_a_page: "" },
    }
}
