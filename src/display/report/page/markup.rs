//! The elements of the page, around what its parts have made.

use maud::{Markup, PreEscaped, Render, html};

use super::whole::{STYLE, VERSION};
use super::words::ENGLISH as W;
use crate::report::page::parts::bot_part::{BotPart, CasePart, FaultPart};
use crate::report::page::parts::html_table::HtmlTable;
use crate::report::page::parts::plots::Plot;

/// What stands on a page.
pub(super) struct Page {
    pub(super) made_by: String,
    pub(super) policy: String,
    pub(super) title: String,
    /// How far a tournament is; `None` for a page that is made from files.
    pub(super) state: Option<String>,
    /// Seconds until a page of a running tournament reloads; 0 for a final one.
    pub(super) reload: u32,
    pub(super) facts: Vec<(String, String)>,
    pub(super) lead: String,
    pub(super) tables: Vec<HtmlTable>,
    pub(super) remarks: Vec<String>,
    pub(super) left_out: Vec<String>,
    /// `None` without faults.
    pub(super) faults: Option<HtmlTable>,
    pub(super) plots: Vec<Plot>,
    pub(super) crosstable: Option<HtmlTable>,
    pub(super) movers: Option<HtmlTable>,
    pub(super) first_mover: String,
    /// What the tables in the parts of the bots do not say themselves.
    pub(super) bots_help: String,
    pub(super) bots: Vec<BotPart>,
    pub(super) games: String,
    pub(super) has_games: bool,
}

/// What is in the element `head`.
pub(super) fn head(page: &Page) -> Markup {
    html! {
        meta charset="utf-8";
        meta http-equiv="Content-Security-Policy" content=(PreEscaped(&page.policy));
        meta name="viewport" content="width=device-width, initial-scale=1";
        meta name="generator" content={ "mancala " (VERSION) };
        meta name="color-scheme" content="light dark";
        link rel="icon" href="data:,";
        title { (page.title) }
        @if page.reload > 0 {
            noscript { meta http-equiv="refresh" content=(page.reload); }
        }
        style { (PreEscaped(STYLE)) }
    }
}

/// What is in the element `body`, without the page's data and script.
pub(super) fn body(page: &Page) -> Markup {
    html! {
        a.skip href="#ranking" { (W.skip) }
        header {
            h1 { (page.title) }
            @if let Some(state) = &page.state { p.state #state { (state) } }
            noscript { p.state { (W.no_script) } }
            nav aria-label=(W.parts) {
                a href="#ranking" { (W.ranking) } " "
                a href="#crosstable" { (W.crosstable) } " "
                a href="#bots" { (W.bots) } " "
                a href="#games" { (W.games_title) }
            }
        }
        main {
            section #board tabindex="-1" hidden {}
            section #overview { (overview(page)) }
            section #ranking { (ranking(page)) }
            section #crosstable { (crosstable(page)) }
            section #bots {
                h2 { (W.bots) }
                @if !page.bots_help.is_empty() { p.faint { (page.bots_help) } }
                @for bot in &page.bots { (bot_article(bot)) }
            }
            section #games { (games(page)) }
        }
        footer { p { (page.made_by) } }
        p #live .unseen role="status" aria-live="polite" {}
    }
}

fn overview(page: &Page) -> Markup {
    html! {
        h2 { (W.overview) }
        dl.facts { (terms(&page.facts)) }
        @if !page.left_out.is_empty() {
            h3 { (W.left_out) }
            (list(&page.left_out))
        }
    }
}

fn ranking(page: &Page) -> Markup {
    html! {
        h2 { (W.ranking) }
        @if !page.lead.is_empty() { p.lead { (page.lead) } }
        @for (number, table) in (1..).zip(&page.tables) {
            div.scroll tabindex="0" id={ "table-" (number) } { (PreEscaped(table.markup())) }
        }
        @if !page.remarks.is_empty() {
            h3 { (W.remarks) }
            (list(&page.remarks))
        }
        @if let Some(table) = &page.faults {
            h3 { (W.faults_title) }
            (scrolled(&table.markup()))
        }
        @if !page.plots.is_empty() {
            h3 { (W.plots) }
            div.plots { @for plot in &page.plots { (figure(plot)) } }
        }
    }
}

fn figure(plot: &Plot) -> Markup {
    html! {
        figure {
            figcaption { strong { (plot.title) } " " (plot.note) }
            div.scroll tabindex="0" { (PreEscaped(plot.drawing.in_page())) }
            @if !plot.counts.is_empty() {
                details { summary { (W.margins_table) } (scrolled(&plot.counts)) }
            }
        }
    }
}

fn crosstable(page: &Page) -> Markup {
    html! {
        h2 { (W.crosstable) }
        @if let Some(crosstable) = &page.crosstable {
            p { (W.legend) }
            (tall(crosstable))
        } @else {
            p { (W.crosstable_left_out) }
        }
        h3 { (W.movers_title) }
        p { (page.first_mover) }
        @if let Some(movers) = &page.movers {
            details {
                summary { (W.movers_title) ": " (W.rounds) }
                (tall(movers))
            }
        }
    }
}

fn bot_article(bot: &BotPart) -> Markup {
    html! {
        article id=(bot.id) {
            h3 { (bot.name) }
            p { (bot.result) }
            (scrolled(&bot.opponents))
            @if !bot.no_faults.is_empty() { p { (bot.no_faults) } }
            @for fault in &bot.faults { section.fault { (fault_section(fault)) } }
            (scrolled(&bot.times))
            (scrolled(&bot.phases))
            (scrolled(&bot.worst))
        }
    }
}

fn fault_section(fault: &FaultPart) -> Markup {
    html! {
        h4 { (fault.heading) }
        @if let Some(case) = &fault.case { (first_case(case)) }
    }
}

fn first_case(case: &CasePart) -> Markup {
    html! {
        p {
            (W.first_case) " "
            @if case.link.is_empty() { (case.place) } @else { a href=(case.link) { (case.place) } }
        }
        div.scroll tabindex="0" { (PreEscaped(&case.board)) }
        dl { (terms(&case.facts)) }
        @if !case.stderr.is_empty() {
            p { (W.stderr) }
            pre { (case.stderr) }
        }
        @if !case.commands.is_empty() { p { (W.see_again) } }
        @for command in &case.commands { pre { (command) } }
    }
}

fn games(page: &Page) -> Markup {
    html! {
        h2 #games-heading tabindex="-1" { (W.games_title) }
        p.state #missing hidden {}
        @if page.has_games {
            form #filters hidden {}
            div.scroll #table-of-games tabindex="0" { (PreEscaped(&page.games)) }
            p.paper { (W.too_long_for_paper) }
        } @else {
            p { (W.no_games) }
        }
    }
}

/// A table that is as high as the screen at most. With the script only what scrolls takes the focus.
fn tall(table: &HtmlTable) -> Markup {
    html! {
        div.scroll.tall tabindex="0" { (PreEscaped(table.markup())) }
        p.paper { (W.too_wide_for_paper) }
    }
}

/// A table that may be wider than the screen; nothing if it is empty.
fn scrolled(table: &str) -> Markup {
    html! { @if !table.is_empty() { div.scroll tabindex="0" { (PreEscaped(table)) } } }
}

fn terms(facts: &[(impl Render, String)]) -> Markup {
    html! { @for (term, text) in facts { div { dt { (term) } dd { (text) } } } }
}

fn list(sentences: &[String]) -> Markup {
    html! { ul { @for sentence in sentences { li { (sentence) } "\n" } } }
}
