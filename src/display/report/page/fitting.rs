//! As many games as a page has room for.

use std::io::{self, Write};

use super::contents::Contents;
use super::whole::{PageState, write_page};

/// A page of a thousand matches is at most so long, in bytes, with some room for what it says while a
/// tournament runs. One of fewer has the same room, one of more has so much for each thousand.
const PAGE: u64 = 1_990_000;

/// Games that a page keeps however long it becomes.
const LEAST_GAMES: usize = 100;

/// Pages that are made to find how many games have room.
const MOST_PAGES: u32 = 6;

/// Leaves out the games that tell least, until the page has 2 MB at most for each thousand matches, or
/// 100 games.
pub fn leave_out_games(contents: &mut Contents) {
    let most = PAGE.saturating_mul(contents.found.different.max(1000)) / 1000;
    let all = contents.games.clone();
    let mut length = |games: usize| {
        contents.games = all.iter().filter(|of| of.interest < games).cloned().collect();
        contents.find_kept_pairs();
        length(contents)
    };
    let mut too_many = (all.len(), length(all.len()));
    let mut fits = (LEAST_GAMES, 0);
    if too_many.1 <= most || too_many.0 <= fits.0 {
        return;
    }
    fits.1 = length(fits.0);
    // Each game takes about the same room.
    for _ in 0..MOST_PAGES {
        if fits.1 > most || too_many.0 - fits.0 <= 1 {
            break;
        }
        let games = (too_many.0 - fits.0) as u64;
        let more = (most - fits.1) * games / (too_many.1 - fits.1).max(1);
        // Some fewer, so that the next page mostly fits.
        let more = usize::try_from(more * 99 / 100).unwrap_or(0);
        let games = (fits.0 + more).clamp(fits.0 + 1, too_many.0 - 1);
        let now = (games, length(games));
        if now.1 > most {
            too_many = now;
        } else {
            let is_near = most - now.1 < most / 50;
            fits = now;
            if is_near {
                break;
            }
        }
    }
    length(fits.0);
}

/// How long a page of `contents` is, in bytes.
fn length(contents: &Contents) -> u64 {
    struct Length(u64);
    impl Write for Length {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 += bytes.len() as u64;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut length = Length(0);
    // Nothing refuses it.
    let _ = write_page(&mut length, contents, &PageState::FromFiles);
    length.0
}
