//! Each bot's results against each other. Only pairs that met are kept, so it grows with the
//! matches and not with the square of the bots.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::ser::SerializeSeq;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The matches of one bot against another, as the one sees them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
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
/// with a value for each row: null for bots that did not meet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Crosstable {
    /// For each row the cells that there are, by their columns.
    rows: Vec<Vec<(usize, CrosstableCell)>>,
}

impl Crosstable {
    /// A table of this many bots, none of which met.
    pub(super) fn new(bots: usize) -> Crosstable {
        Crosstable { rows: vec![Vec::new(); bots] }
    }

    /// Adds a cell. [`sort`](Crosstable::sort) follows the last one.
    pub(super) fn push(&mut self, row: usize, column: usize, cell: CrosstableCell) {
        self.rows[row].push((column, cell));
    }

    /// Brings the cells of each row into the order of their columns.
    pub(super) fn sort(&mut self) {
        self.rows.iter_mut().for_each(|row| row.sort_unstable_by_key(|(column, _)| *column));
    }

    /// The opponents of the bot in a row, by their own rows, and the results against them.
    pub fn row(&self, row: usize) -> &[(usize, CrosstableCell)] {
        self.rows.get(row).map_or(&[], Vec::as_slice)
    }

    /// The results of one row's bot against another's; `None` if they did not meet.
    pub fn cell(&self, row: usize, column: usize) -> Option<&CrosstableCell> {
        let cells = self.row(row);
        let at = cells.binary_search_by_key(&column, |(column, _)| *column);
        at.ok().map(|at| &cells[at].1)
    }
}

/// A row with a value for each column.
struct DenseRow<'a> {
    cells: &'a [(usize, CrosstableCell)],
    columns: usize,
}

impl Serialize for DenseRow<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(self.columns))?;
        let mut cells = self.cells.iter().peekable();
        for column in 0..self.columns {
            let cell = cells.next_if(|(at, _)| *at == column).map(|(_, cell)| cell);
            list.serialize_element(&cell)?;
        }
        list.end()
    }
}

impl Serialize for Crosstable {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let columns = self.rows.len();
        serializer.collect_seq(self.rows.iter().map(|cells| DenseRow { cells, columns }))
    }
}

impl<'de> Deserialize<'de> for Crosstable {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Crosstable, D::Error> {
        let dense: Vec<Vec<Option<CrosstableCell>>> = Vec::deserialize(deserializer)?;
        let sparse = |row: Vec<Option<CrosstableCell>>| {
            row.into_iter().enumerate().filter_map(|(at, cell)| Some((at, cell?))).collect()
        };
        Ok(Crosstable { rows: dense.into_iter().map(sparse).collect() })
    }
}

impl JsonSchema for Crosstable {
    fn schema_name() -> Cow<'static, str> {
        "Crosstable".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Vec::<Vec<Option<CrosstableCell>>>::json_schema(generator)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn json_has_a_value_for_each_pair_and_reads_back(
            met in proptest::collection::btree_set((0_usize..7, 0_usize..7), 0..20),
        ) {
            let mut table = Crosstable::new(7);
            let cell = |seeds_for| CrosstableCell {
                won: 1, drawn: 2, lost: 3, seeds_for, seeds_against: 4,
            };
            // The other way round than they are to stand.
            for (row, column) in met.iter().rev() {
                table.push(*row, *column, cell(7 * *row as u64 + *column as u64));
            }
            table.sort();
            let json = serde_json::to_value(&table).unwrap();
            for row in 0..7 {
                prop_assert_eq!(json[row].as_array().unwrap().len(), 7);
                for column in 0..7 {
                    let is_there = met.contains(&(row, column));
                    prop_assert_eq!(!json[row][column].is_null(), is_there);
                    prop_assert_eq!(table.cell(row, column).is_some(), is_there);
                }
            }
            prop_assert_eq!(serde_json::from_value::<Crosstable>(json).unwrap(), table);
        }
    }
}
