//! Values by small numbers: the names of bots, pairs of them, and more.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::Hash;

/// Different values, each with a number: 0 for the first.
#[derive(Clone, Debug, Default)]
pub(super) struct Numbered<T> {
    numbers: HashMap<T, u32>,
    values: Vec<T>,
}

impl<T: Clone + Eq + Hash> Numbered<T> {
    /// The number of `value`, a new one if it was not seen before.
    pub(super) fn number<Q>(&mut self, value: &Q) -> u32
    where
        T: Borrow<Q>,
        Q: Eq + Hash + ToOwned<Owned = T> + ?Sized,
    {
        if let Some(&number) = self.numbers.get(value) {
            return number;
        }
        let number =
            u32::try_from(self.values.len()).expect("memory has no room for as many values");
        self.numbers.insert(value.to_owned(), number);
        self.values.push(value.to_owned());
        number
    }

    /// The number of `value`, if it was seen.
    pub(super) fn find<Q: Eq + Hash + ?Sized>(&self, value: &Q) -> Option<u32>
    where
        T: Borrow<Q>,
    {
        self.numbers.get(value).copied()
    }

    /// Changes the values and leaves their numbers.
    pub(super) fn change(&mut self, changed: impl Fn(T) -> T) {
        self.values = std::mem::take(&mut self.values).into_iter().map(changed).collect();
        self.numbers = (0..).zip(&self.values).map(|(number, it)| (it.clone(), number)).collect();
    }

    pub(super) fn all(&self) -> &[T] {
        &self.values
    }
}

/// The element of `number`; the list becomes long enough for it.
pub(super) fn grown<T: Default>(values: &mut Vec<T>, number: u32) -> &mut T {
    let index = number as usize;
    if values.len() <= index {
        values.resize_with(index + 1, T::default);
    }
    &mut values[index]
}
