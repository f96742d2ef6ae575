//! The page as a whole: its elements, its data and its script.

use std::io::{self, Write};

use serde::Serialize;
use sha2::{Digest, Sha256};

use super::contents::Contents;
use super::contents::packing::{PackedMatch, Setting};
use super::markup::{self, Page};
use super::words::{ENGLISH, SCRIPT as PHRASES, ScriptWords, filled};
use crate::report::page::parts::bot_part::{BotPart, help_of, part};
use crate::report::page::parts::cross;
use crate::report::page::parts::fault_table;
use crate::report::page::parts::games;
use crate::report::page::parts::overview;
use crate::report::page::parts::plots::plots;
use crate::text::{base64, html, in_address, json_in_page, printable};

/// The style and the script of every page.
pub(super) const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

pub(super) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Whether a tournament is still running.
#[derive(Clone, Debug)]
pub enum PageState {
    FromFiles,
    /// It is running, and the page will be made again.
    Running {
        /// Seconds until the page reloads.
        reload: u32,
    },
    /// It has ended, whether or not all of it was played.
    Ended,
}

#[derive(Serialize)]
struct Data<'a> {
    format: &'static str,
    bots: Vec<(String, String)>,
    settings: Vec<ShownSetting<'a>>,
    matches: &'a [PackedMatch],
    words: &'a ScriptWords,
    reload: u32,
}

/// What matches were played by, and where that differs, in words.
#[derive(Serialize)]
struct ShownSetting<'a> {
    #[serde(flatten)]
    setting: &'a Setting,
    #[serde(skip_serializing_if = "String::is_empty")]
    words: String,
}

/// Writes the page.
///
/// # Errors
///
/// When the writer fails.
pub fn write_page(out: &mut dyn Write, contents: &Contents, state: &PageState) -> io::Result<()> {
    let reload = if let PageState::Running { reload } = state { *reload } else { 0 };
    let facts = overview::facts(contents);
    let played = facts.last().map_or("", |(_, text)| text);
    let rows = &contents.standings.rows;
    let data = Data {
        format: "mancala-page/1",
        bots: rows.iter().map(|row| (printable(&row.name), in_address(&row.name))).collect(),
        settings: contents
            .settings
            .iter()
            .zip(overview::differing_settings(&contents.settings))
            .map(|(setting, words)| ShownSetting { setting, words })
            .collect(),
        matches: &contents.games,
        words: &PHRASES,
        reload,
    };
    let bots: Vec<BotPart> = (0..rows.len()).map(|row| part(contents, row)).collect();
    let page = Page {
        made_by: filled(ENGLISH.made_by, &[&VERSION]),
        policy: policy(Some(SCRIPT)),
        title: overview::title(contents),
        state: match state {
            PageState::FromFiles => None,
            PageState::Running { .. } => Some(filled(ENGLISH.running, &[&played])),
            PageState::Ended => Some(overview::end(contents)),
        },
        reload,
        lead: overview::lead(&contents.standings),
        tables: overview::tables(contents),
        remarks: overview::remarks(contents),
        left_out: overview::left_out(contents),
        faults: fault_table::faults(contents),
        plots: plots(contents),
        crosstable: cross::matches(contents),
        movers: cross::rounds(contents),
        first_mover: cross::first_mover(contents),
        bots_help: help_of(&bots),
        bots,
        games: games::list(contents).markup(),
        has_games: !contents.games.is_empty(),
        facts,
    };
    write!(
        out,
        "<!doctype html>\n<html lang=\"en\" data-generator=\"mancala report\">\n<head>\n{}\n</head>\n\
         <body>\n{}\n",
        markup::head(&page).0,
        markup::body(&page).0
    )?;
    // The data may be long, and is not kept twice.
    let data = json_in_page(&data);
    write!(
        out,
        "<script type=\"application/json\" id=\"data\">{data}</script>\n\
         <script>{SCRIPT}</script>\n</body>\n</html>\n"
    )
}

/// What a page may do: run its own script if it has one, wear its own style, and nothing else.
pub(super) fn policy(script: Option<&str>) -> String {
    let digest = |text: &str| base64(&Sha256::digest(text.as_bytes()));
    let script = script.map(|script| format!("script-src 'sha256-{}'; ", digest(script)));
    html(&format!(
        "default-src 'none'; {}style-src 'sha256-{}'; img-src data:; base-uri 'none'; \
         form-action 'none'",
        script.unwrap_or_default(),
        digest(STYLE)
    ))
}
