//! The page as a whole: its template, filled.

use std::io::{self, Write};

use askama::Template;
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::contents::Contents;
use super::words::{ENGLISH, PageWords, SCRIPT as PHRASES, ScriptWords, filled};
use crate::report::page::parts::bot_part::{BotPart, help_of, part};
use crate::report::page::parts::cross;
use crate::report::page::parts::games;
use crate::report::page::parts::html_table::HtmlTable;
use crate::report::page::parts::overview;
use crate::report::page::parts::plots::{Plot, plots};
use crate::text::{base64, html, in_address, json_in_page, printable};

/// The style and the script of every page.
pub(super) const STYLE: &str = include_str!("../../templates/page.css");
const SCRIPT: &str = include_str!("../../templates/page.js");

const VERSION: &str = env!("CARGO_PKG_VERSION");

#[derive(Template)]
#[template(path = "page.html")]
struct Page<'a> {
    w: &'a PageWords,
    made_by: String,
    policy: String,
    title: String,
    /// How far a tournament is; `None` for a page that is made from files.
    state: Option<String>,
    /// Seconds until a page of a running tournament reloads; 0 for a final one.
    reload: u32,
    facts: Vec<(&'static str, String)>,
    lead: String,
    tables: Vec<HtmlTable>,
    remarks: Vec<String>,
    left_out: Vec<String>,
    plots: Vec<Plot>,
    crosstable: Option<HtmlTable>,
    movers: Option<HtmlTable>,
    first_mover: String,
    /// What the tables in the parts of the bots do not say themselves.
    bots_help: String,
    bots: Vec<BotPart>,
    games: String,
    has_games: bool,
    data: String,
}

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
    settings: &'a [crate::report::page::contents::packing::Setting],
    matches: &'a [crate::report::page::contents::packing::PackedMatch],
    words: &'a ScriptWords,
    reload: u32,
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
        settings: &contents.settings,
        matches: &contents.games,
        words: &PHRASES,
        reload,
    };
    let bots: Vec<BotPart> = (0..rows.len()).map(|row| part(contents, row)).collect();
    let page = Page {
        w: &ENGLISH,
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
        plots: plots(contents),
        crosstable: cross::matches(contents),
        movers: cross::rounds(contents),
        first_mover: cross::first_mover(contents),
        bots_help: help_of(&bots),
        bots,
        games: games::list(contents).markup(),
        has_games: !contents.games.is_empty(),
        data: json_in_page(&data),
        facts,
    };
    page.write_into(out)
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
