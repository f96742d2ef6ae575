//! Names that hide who played.

use std::collections::{HashMap, HashSet};

use crate::report::page::words::{ENGLISH as W, filled};
use crate::standings::Standings;

/// Whose names a page shows.
#[derive(Clone, Debug, Default)]
pub struct Anonymity {
    /// Whether bots are shown under numbers.
    pub is_anonymous: bool,
    /// Those that keep their names all the same.
    pub shown: Vec<String>,
}

impl Anonymity {
    /// The number under which each hidden bot is shown: its place in the ranking, so that a number
    /// tells nothing that the page does not show anyway.
    pub(crate) fn names(&self, standings: &Standings) -> HashMap<String, String> {
        if !self.is_anonymous {
            return HashMap::new();
        }
        let keeps: HashSet<&String> = self.shown.iter().collect();
        let width = standings.rows.len().to_string().len();
        let rows = (1..).zip(&standings.rows).filter(|(_, row)| !keeps.contains(&row.name));
        rows.map(|(number, row)| {
            let mut name = filled(W.bot_number, &[&format!("{number:0width$}")]);
            // A name that is hidden itself must not be told by what is avoided.
            while keeps.contains(&name) {
                name.push('\'');
            }
            (row.name.clone(), name)
        })
        .collect()
    }

    /// The first of the bots to be shown that is not in the ranking.
    pub(crate) fn unknown<'a>(&'a self, standings: &Standings) -> Option<&'a str> {
        let is_known = |name: &&String| standings.rows.iter().any(|row| row.name == **name);
        self.shown.iter().find(|name| !is_known(name)).map(String::as_str)
    }
}

#[cfg(test)]
pub(in crate::report::page) mod tests {
    use std::io::Write as _;

    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::analysis::AnalysedFile;
    use crate::report::page::{Advice, Contents, GamesKept, PageOptions, PageState, write_page};
    use crate::standings::StandingsOptions;

    /// As an address has it, too. `a` stands before `bot …` in any order, and `z` behind it.
    const NAMES: [&str; 5] =
        ["ann-of-these", "bea-of-these", "cat-of-these", "zoe-of-these", "zac-of-these"];

    /// A match of one move.
    pub(in crate::report::page) fn record([first, second]: [usize; 2], seeds: [u8; 2]) -> String {
        let board = |houses: u8, stores: [u8; 2]| {
            let mut cells = [0; 14];
            (cells[5], cells[12], cells[6], cells[13]) = (houses, houses, stores[0], stores[1]);
            cells
        };
        let bots = [first, second].map(|bot| json!({"name": NAMES[bot], "command": ["x"]}));
        let result = json!({"reason": "completed", "fault": null, "score": seeds});
        let played = json!([{"bot": 0, "move": 5, "ms": 0.1, "value": 0, "loss": 0}]);
        let round = json!({"round": 1, "first": 0, "final": board(0, seeds), "moves": played,
            "result": result});
        json!({"format": "mancala-match/1",
            "rules": {"name": "learneroo", "seeds": 3, "opponent_store": "sow",
                "direction": "forward", "empty_capture": true},
            "opening": board(1, seeds.map(|seeds| seeds - 1)),
            "limits": {"move_time_ms": 1000}, "planned_rounds": 1,
            "bots": bots, "rounds": [round], "score": seeds,
            "winner": (seeds[0] != seeds[1]).then(|| u8::from(seeds[1] > seeds[0]))})
        .to_string()
    }

    /// The page of `records` without its drawings, whose texts have places by their widths.
    pub(in crate::report::page) fn page(
        records: &str,
        shown: Option<&[usize]>,
    ) -> (Contents, String) {
        page_of_file("file", records, shown)
    }

    /// The same of a file with the name `name`.
    pub(in crate::report::page) fn page_of_file(
        name: &str,
        records: &str,
        shown: Option<&[usize]>,
    ) -> (Contents, String) {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(records.as_bytes()).unwrap();
        let names = shown.unwrap_or_default().iter().map(|bot| NAMES[*bot].to_owned());
        let options = PageOptions {
            standings: StandingsOptions::default(),
            anonymity: Anonymity { is_anonymous: shown.is_some(), shown: names.collect() },
            games: Some(GamesKept::ALL),
        };
        let files = [AnalysedFile::new(name, file).unwrap()];
        let contents = Contents::read(&files, options, &|_| Advice::default(), &|_| false).unwrap();
        let mut page = Vec::new();
        write_page(&mut page, &contents, &PageState::FromFiles).unwrap();
        let page = String::from_utf8(page).unwrap();
        let kept = page.split("<svg").map(|part| part.rsplit("</svg>").next().unwrap_or(part));
        (contents, kept.collect())
    }

    #[test]
    fn bots_that_are_called_by_numbers_are_hidden_as_all_others() {
        let matches = [[0, 1], [0, 2], [1, 2]].map(|bots| record(bots, [19, 17]) + "\n");
        let records = matches.concat();
        let by_numbers = records
            .replace(NAMES[0], "bot 2")
            .replace(NAMES[1], "bot 3")
            .replace(NAMES[2], "bot 1");
        let (contents, found) = page(&by_numbers, Some(&[]));
        assert_eq!(contents.standings.rows[0].name, "bot 1");
        let (_, expected) = page(&records, Some(&[]));
        assert!(expected == found, "{}", first_difference(&expected, &found));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]
        /// Many of them are tied, and the shown ones among them too.
        #[test]
        fn an_anonymous_page_is_the_named_one_with_other_names(
            results in proptest::collection::vec((0_usize..5, 1_usize..5, 17_u8..20), 1..12),
            shown in proptest::sample::subsequence((0..5).collect::<Vec<usize>>(), 0..=5),
        ) {
            let lines = results.iter().map(|(one, step, seeds)| {
                record([*one, (one + step) % 5], [*seeds, 36 - seeds]) + "\n"
            });
            let records: String = lines.collect();
            let met = |bot: &&usize| records.contains(NAMES[**bot]);
            let shown: Vec<usize> = shown.iter().filter(met).copied().collect();
            let (_, found) = page(&records, Some(&shown));
            let (named, mut expected) = page(&records, None);
            let is_shown = |name: &str| shown.iter().any(|bot| NAMES[*bot] == name);
            if named.standings.rows.iter().all(|row| is_shown(&row.name)) {
                prop_assert!(expected == found, "{}", first_difference(&expected, &found));
                return Ok(());
            }
            // A match has a number by the bots in it.
            let row = |name: &str| named.standings.rows.iter().position(|row| row.name == name);
            let mut sorted: Vec<&str> = records.lines().collect();
            sorted.sort_by_key(|line| {
                let record: serde_json::Value = serde_json::from_str(line).unwrap();
                let mut rows = [0, 1].map(|bot| row(record["bots"][bot]["name"].as_str().unwrap()));
                rows.sort();
                rows
            });
            (_, expected) = page_of_file("", &sorted.join("\n"), None);
            for (number, row) in (1..).zip(&named.standings.rows) {
                if !is_shown(&row.name) {
                    expected = expected.replace(&row.name, &format!("bot {number}"));
                }
            }
            let found = found.replace("bot%20", "bot ");
            prop_assert!(expected == found, "{}", first_difference(&expected, &found));
        }
    }

    fn first_difference(expected: &str, found: &str) -> String {
        let lines = expected.lines().zip(found.lines());
        let different = lines.into_iter().find(|(expected, found)| expected != found);
        different.map_or("the length".to_owned(), |(expected, found)| {
            format!("{}\n{}", &expected[..expected.len().min(900)], &found[..found.len().min(900)])
        })
    }
}
