//! What to do about a file that cannot be written.

use std::io::{self, ErrorKind};

use super::reserve::is_full;

/// What makes room for a file, where the lack of it is what went wrong.
pub fn advice_on(error: &io::Error) -> Option<&'static str> {
    match error.kind() {
        _ if is_full(error) => Some("make room on its disk"),
        ErrorKind::FileTooLarge => Some("allow larger files (ulimit -f)"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use rustix::io::Errno;

    use super::*;

    #[test]
    fn a_limit_is_named_and_a_full_disk_is_told_apart() {
        let advice = |errno: Errno| advice_on(&errno.into());
        assert_eq!(advice(Errno::FBIG), Some("allow larger files (ulimit -f)"));
        assert_eq!(advice(Errno::NOSPC), Some("make room on its disk"));
        assert_eq!(advice(Errno::DQUOT), Some("make room on its disk"));
        assert_eq!(advice(Errno::IO), None);
    }
}
