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
    let (ones, others) = (one.chunks_exact(LANES), other.chunks_exact(LANES));
    let rest = ones.remainder().iter().zip(others.remainder()).map(|(a, b)| a * b);
    let rest: f64 = rest.sum();
    for (a, b) in ones.zip(others) {
        for ((sum, a), b) in sums.iter_mut().zip(a).zip(b) {
            *sum += a * b;
        }
    }
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

    pub(in crate::standings) fn inverse(&self) -> Symmetric {
        let size = self.0.size;
        let mut inverse = Symmetric::zero(size);
        let mut unit = vec![0.0; size];
        for column in 0..size {
            unit[column] = 1.0;
            let solved = self.solve(&unit);
            unit[column] = 0.0;
            for (row, value) in solved.into_iter().enumerate().skip(column) {
                *inverse.at_mut(row, column) = value;
            }
        }
        inverse
    }
}
