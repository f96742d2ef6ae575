//! Symmetric matrices and their Cholesky decomposition, as large as a fit of ratings needs them.

/// A symmetric matrix: its lower half, row by row.
#[derive(Clone, Debug)]
pub(in crate::standings) struct Symmetric {
    size: usize,
    cells: Vec<f64>,
}

impl Symmetric {
    pub(in crate::standings) fn zero(size: usize) -> Symmetric {
        Symmetric { size, cells: vec![0.0; size * (size + 1) / 2] }
    }

    const fn index(row: usize, column: usize) -> usize {
        let (row, column) = if row < column { (column, row) } else { (row, column) };
        row * (row + 1) / 2 + column
    }

    #[cfg(test)]
    pub(in crate::standings) fn at(&self, row: usize, column: usize) -> f64 {
        self.cells[Symmetric::index(row, column)]
    }

    pub(in crate::standings) fn at_mut(&mut self, row: usize, column: usize) -> &mut f64 {
        &mut self.cells[Symmetric::index(row, column)]
    }

    /// The triangle whose product with its own mirror image is this matrix; `None` unless it
    /// is positive definite.
    pub(in crate::standings) fn factored(mut self) -> Option<Factored> {
        for row in 0..self.size {
            let begin = Symmetric::index(row, 0);
            let (before, rest) = self.cells.split_at_mut(begin);
            let own = &mut rest[..=row];
            for column in 0..row {
                let other = &before[Symmetric::index(column, 0)..][..=column];
                let sum = dot(&own[..column], &other[..column]);
                own[column] = (own[column] - sum) / other[column];
            }
            let left = own[row] - dot(&own[..row], &own[..row]);
            if left <= 0.0 || !left.is_finite() {
                return None;
            }
            own[row] = left.sqrt();
        }
        Some(Factored(self))
    }
}

/// The sum of products, in eight sums at once: one after the other, additions wait for each other.
fn dot(one: &[f64], other: &[f64]) -> f64 {
    const LANES: usize = 8;
    let mut sums = [0.0; LANES];
    let ((ones, end_of_one), (others, end_of_other)) =
        (one.as_chunks::<LANES>(), other.as_chunks::<LANES>());
    for (a, b) in ones.iter().zip(others) {
        // An iterator over these takes five times as long: its functions are in other units of code.
        for lane in 0..LANES {
            sums[lane] += a[lane] * b[lane];
        }
    }
    let rest: f64 = end_of_one.iter().zip(end_of_other).map(|(a, b)| a * b).sum();
    sums.iter().sum::<f64>() + rest
}

/// The lower triangle of a Cholesky decomposition.
pub(in crate::standings) struct Factored(Symmetric);

impl Factored {
    fn row(&self, row: usize) -> &[f64] {
        &self.0.cells[Symmetric::index(row, 0)..][..=row]
    }

    /// The vector that the matrix takes to this one.
    pub(in crate::standings) fn solve(&self, target: &[f64]) -> Vec<f64> {
        let size = self.0.size;
        let mut solution = target.to_vec();
        for row in 0..size {
            let own = self.row(row);
            solution[row] = (solution[row] - dot(&own[..row], &solution[..row])) / own[row];
        }
        for row in (0..size).rev() {
            let own = self.row(row);
            solution[row] /= own[row];
            let found = solution[row];
            for (part, factor) in solution[..row].iter_mut().zip(own) {
                *part -= factor * found;
            }
        }
        solution
    }

    pub(in crate::standings) fn inverse(&self) -> Inverse {
        let column = |first: usize| {
            let mut column = Vec::with_capacity(self.0.size - first);
            column.push(1.0 / self.row(first)[first]);
            for row in first + 1..self.0.size {
                let own = self.row(row);
                let sum = dot(&own[first..row], &column);
                column.push(-sum / own[row]);
            }
            column
        };
        Inverse { columns: (0..self.0.size).map(column).collect() }
    }
}

/// The inverse of a symmetric matrix. Its cells are computed when they are asked for: few of them are.
#[derive(Clone, Debug)]
pub(in crate::standings) struct Inverse {
    /// The inverse of the triangle of the decomposition, each column from the diagonal on.
    columns: Vec<Vec<f64>>,
}

impl Inverse {
    pub(in crate::standings) fn at(&self, row: usize, column: usize) -> f64 {
        let from = row.max(column);
        dot(&self.columns[row][from - row..], &self.columns[column][from - column..])
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// A matrix with a diagonal as large as its other cells together is positive definite.
        #[test]
        fn a_matrix_times_its_inverse_is_one(
            size in 1_usize..30,
            cells in proptest::collection::vec(-1.0..1.0_f64, 30 * 31 / 2)
        ) {
            let mut matrix = Symmetric::zero(size);
            for row in 0..size {
                for column in 0..=row {
                    *matrix.at_mut(row, column) = cells[row * (row + 1) / 2 + column];
                }
                *matrix.at_mut(row, row) += size as f64 + 1.0;
            }
            let inverse = matrix.clone().factored().expect("it is positive definite").inverse();
            for row in 0..size {
                for column in 0..size {
                    let cell: f64 =
                        (0..size).map(|at| matrix.at(row, at) * inverse.at(at, column)).sum();
                    let expected = if row == column { 1.0 } else { 0.0 };
                    prop_assert!((cell - expected).abs() < 1e-12, "{row} {column}: {cell}");
                }
            }
        }
    }
}
