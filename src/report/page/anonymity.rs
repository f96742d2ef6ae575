//! Names that hide who played.

use std::collections::{HashMap, HashSet};

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
    pub fn names(&self, standings: &Standings) -> HashMap<String, String> {
        if !self.is_anonymous {
            return HashMap::new();
        }
        let keeps: HashSet<&String> = self.shown.iter().collect();
        let width = standings.rows.len().to_string().len();
        let taken: HashSet<&String> = standings.rows.iter().map(|row| &row.name).collect();
        let rows = (1..).zip(&standings.rows).filter(|(_, row)| !keeps.contains(&row.name));
        rows.map(|(number, row)| {
            let mut name = format!("bot {number:0width$}");
            while taken.contains(&name) {
                name.push('\'');
            }
            (row.name.clone(), name)
        })
        .collect()
    }

    /// The first of the bots to be shown that is not in the ranking.
    pub fn unknown<'a>(&'a self, standings: &Standings) -> Option<&'a str> {
        let is_known = |name: &&String| standings.rows.iter().any(|row| row.name == **name);
        self.shown.iter().find(|name| !is_known(name)).map(String::as_str)
    }
}
