//! Each bot's results against each other. Only pairs that met are kept, so it grows with the
//! matches and not with the square of the bots.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Serialize, Serializer};

/// Most bots of which JSON has a crosstable: with 16,000 it would have more than a gigabyte.
pub const MOST_IN_JSON: usize = 1000;

/// The matches of one bot against another, as the one sees them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CrosstableCell {
    /// Matches won.
    pub won: u64,
    /// Matches drawn.
    pub drawn: u64,
    /// Matches lost.
    pub lost: u64,
    /// Seeds of the one.
    pub seeds_for: u64,
    /// Seeds of the other.
    pub seeds_against: u64,
}

/// The results of each row's bot against each other row's. In JSON it has a list for each row,
/// with a value for each row: null for bots that did not meet. All of it is null with more than
/// [`MOST_IN_JSON`] bots.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Crosstable {
    /// For each row the cells that there are, by their columns.
    rows: Vec<BTreeMap<usize, CrosstableCell>>,
}

/// How JSON has it.
pub(super) type DenseCrosstable = Vec<Vec<Option<CrosstableCell>>>;

impl Crosstable {
    /// A table of `bots` bots, none of which met.
    pub fn new(bots: usize) -> Crosstable {
        Crosstable { rows: vec![BTreeMap::new(); bots] }
    }

    pub fn set(&mut self, row: usize, column: usize, cell: CrosstableCell) {
        self.rows[row].insert(column, cell);
    }

    /// The opponents of the bot in a row, by their own rows, and the results against them.
    pub fn row(&self, row: usize) -> impl Iterator<Item = (&usize, &CrosstableCell)> {
        self.rows.get(row).into_iter().flatten()
    }

    /// The results of one row's bot against another's; `None` if they did not meet.
    pub fn cell(&self, row: usize, column: usize) -> Option<&CrosstableCell> {
        self.rows.get(row)?.get(&column)
    }
}

/// Writes no more than a row at once: with many bots the whole of it would not fit into memory.
impl Serialize for Crosstable {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.rows.len() > MOST_IN_JSON {
            return serializer.serialize_none();
        }
        let dense = |row: &BTreeMap<usize, CrosstableCell>| {
            let mut cells = vec![None; self.rows.len()];
            for (column, cell) in row {
                cells[*column] = Some(*cell);
            }
            cells
        };
        serializer.collect_seq(self.rows.iter().map(dense))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn json_has_a_value_for_each_pair(
            met in proptest::collection::btree_set((0_usize..7, 0_usize..7), 0..20),
        ) {
            let mut table = Crosstable::new(7);
            let cell = |seeds_for| CrosstableCell {
                won: 1, drawn: 2, lost: 3, seeds_for, seeds_against: 4,
            };
            for (row, column) in &met {
                table.set(*row, *column, cell(7 * *row as u64 + *column as u64));
            }
            let json = serde_json::to_value(&table).unwrap();
            for row in 0..7 {
                prop_assert_eq!(json[row].as_array().unwrap().len(), 7);
                for column in 0..7 {
                    let is_there = met.contains(&(row, column));
                    let expected = is_there.then(|| cell(7 * row as u64 + column as u64));
                    prop_assert_eq!(table.cell(row, column), expected.as_ref());
                    prop_assert_eq!(&json[row][column], &serde_json::to_value(expected).unwrap());
                }
            }
        }
    }
}
