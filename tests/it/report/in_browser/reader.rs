//! What the board tells its reader: names, curves, sentences, and what keys and paper do.

use serde_json::json;

use crate::report::browser::Browser;
use crate::report::contest::contest_page;
use crate::test_folder::TestFolder;

#[test]
fn paper_shows_what_is_folded_and_no_table_wider_than_it() {
    let Some(browser) = Browser::start("a page for paper in a browser") else { return };
    let folder = TestFolder::new();
    contest_page(&folder);
    browser.open(&folder.file("c.html"), "");
    let shown = "return [document.querySelector('details table').checkVisibility(), \
        [...document.querySelectorAll('.cross')].map((it) => it.checkVisibility()), \
        [...document.querySelectorAll('.paper')].map((it) => it.checkVisibility())]";
    assert_eq!(browser.run(shown), json!([false, [true, false], [false, false]]));
    browser.prefer("print", &[]);
    assert_eq!(browser.run(shown), json!([true, [true, true], [false, false]]));
    // More columns than paper has room for.
    let widen = |columns: usize| {
        browser.run(&format!(
            "for (const table of document.querySelectorAll('.cross')) for (const row of table.rows) \
               while (row.cells.length < {columns}) row.append(row.cells[1].cloneNode(true))"
        ));
    };
    // A4 less the margins of the browser: what is wider would shrink all pages, or be cut.
    browser.resize(718, 1000);
    let beyond =
        "return document.documentElement.scrollWidth - document.documentElement.clientWidth";
    assert_eq!(browser.run(beyond), 0);
    widen(21);
    assert_eq!(browser.run(shown), json!([true, [true, true], [false, false]]));
    assert_eq!(browser.run(beyond), 0);
    widen(22);
    assert_eq!(browser.run(shown), json!([false, [false, false], [true, true]]));
}
