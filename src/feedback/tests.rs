//! A page read back by a parser of Markdown that is not ours: its only links are our own.

use std::path::PathBuf;

use markdown::mdast::Node;
use proptest::prelude::*;

use super::evidence::{Evidence, FaultEvidence, MatchLog};
use super::{Contest, MatchesOfBots, page};
use crate::contest::PlannedBot;
use crate::log::Bundle;
use crate::record::Terms;
use crate::report::tests::{hostile_text, parsed, standings};
use crate::rules::RulesetName;
use crate::text::{html, printable};
use crate::tournament::LogFolders;

/// All tags of a page.
const TAGS: [&str; 22] = [
    "main", "h1", "h2", "h3", "p", "strong", "a", "pre", "div", "table", "thead", "tbody", "tr",
    "th", "td", "svg", "title", "rect", "circle", "text", "body", "html",
];

/// Where the links lead and the text of everything else; an image or HTML fails.
fn read_back(node: &Node, links: &mut Vec<String>, texts: &mut Vec<String>) {
    match node {
        Node::Image(_)
        | Node::ImageReference(_)
        | Node::Html(_)
        | Node::Definition(_)
        | Node::LinkReference(_)
        | Node::InlineMath(_) => panic!("{node:?}"),
        Node::Link(link) => links.push(link.url.clone()),
        Node::Heading(_) | Node::TableCell(_) | Node::Paragraph(_) => texts.push(node.to_string()),
        _ => {}
    }
    for child in node.children().into_iter().flatten() {
        read_back(child, links, texts);
    }
}

/// The golden bundle. A time that differs from run to run is left out there.
fn golden_bundle() -> Bundle {
    let golden = include_str!("../../tests/it/golden/bundle.json");
    Bundle::of_text(&golden.replace(": #", ": 1")).unwrap()
}

#[test]
fn a_log_that_is_of_no_match_is_not_on_the_page() {
    let root = tempfile::tempdir().unwrap();
    let folders = LogFolders::new(root.path(), ["a"]);
    std::fs::create_dir_all(folders.of_match(0, 1)).unwrap();
    let evidence = Evidence::read(&folders, 0, &mut MatchesOfBots::none(1));
    assert!(evidence.matches.is_empty());
}

proptest! {
    #[test]
    fn a_page_has_the_very_same_names_and_no_markup_but_ours(
        names in prop::collection::vec(hostile_text(), 3),
        contest in hostile_text(),
        words in hostile_text(),
    ) {
        let mut bundle = golden_bundle();
        bundle.detail.clone_from(&words);
        bundle.stderr = format!("{words}\n```\n<img>");
        let evidence = Evidence {
            matches: vec![MatchLog {
                number: 1,
                number_before: None,
                transcript: Some("match-1/w.txt".to_owned()),
                faults: vec![FaultEvidence::of_bundle("match-1/fault.json".to_owned(), &bundle)],
            }],
            check: Some(vec![words.clone()]),
            build: None,
        };
        let bot = |name: &String| PlannedBot {
            name: name.clone(),
            command: vec![words.clone()],
            ..PlannedBot::default()
        };
        let bots: Vec<PlannedBot> = names.iter().map(bot).collect();
        let standings = standings(names.len(), |place| names[place].clone());
        let contest = Contest {
            name: Some(&contest),
            id: "54c90634dbad2d3e".parse().unwrap(),
            folders: &[PathBuf::from("/a folder")],
            rules: &RulesetName::Kalah.rules(),
            terms: &Terms::default(),
            bots: &bots,
            is_anonymous: false,
            standings: &standings,
        };
        let page = page::page(&contest, &bots[0], &evidence);
        let (page, shown) = (page.markdown(), page.html(&names[0]));
        let (mut links, mut texts) = (Vec::new(), Vec::new());
        read_back(&parsed(&page), &mut links, &mut texts);
        links.sort();
        links.dedup();
        prop_assert_eq!(links, ["match-1/fault.json", "match-1/w.txt"], "{}", page);
        prop_assert_eq!(&texts[0], &printable(&names[0]), "{}", page);
        // The same page in HTML has the same links, and of other tags only our own.
        let linked = shown.split("<a href=\"").skip(1);
        let mut linked: Vec<&str> = linked.map(|link| link.split('"').next().unwrap()).collect();
        linked.sort_unstable();
        linked.dedup();
        prop_assert_eq!(linked, ["match-1/fault.json", "match-1/w.txt"], "{}", shown);
        let body = shown.split("<body>").nth(1).unwrap();
        for tag in body.split('<').skip(1) {
            let tag = tag.trim_start_matches('/');
            let tag: String = tag.chars().take_while(char::is_ascii_alphanumeric).collect();
            prop_assert!(TAGS.contains(&&*tag), "<{}> in {}", tag, shown);
        }
        for name in names[1..].iter().filter(|name| **name != names[0]) {
            prop_assert!(texts.contains(&printable(name)), "{:?} in {}", name, page);
            prop_assert!(shown.contains(&format!(">{}", html(name))), "{:?} in {}", name, shown);
        }
    }
}
