//! The names of bots, each with a number.

use std::collections::HashMap;

#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    numbers: HashMap<String, u32>,
    names: Vec<String>,
}

impl Names {
    /// The number of this name, a new one if it was not seen before.
    pub(super) fn number(&mut self, name: &str) -> u32 {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let number = u32::try_from(self.names.len()).expect("a name takes more than a byte");
        self.numbers.insert(name.to_owned(), number);
        self.names.push(name.to_owned());
        number
    }

    pub(super) fn find(&self, name: &str) -> Option<u32> {
        self.numbers.get(name).copied()
    }

    /// All of them, by their numbers.
    pub(super) fn all(&self) -> &[String] {
        &self.names
    }

    /// Changes the names and leaves their numbers.
    pub(super) fn rename(&mut self, change: impl Fn(&mut String)) {
        self.names.iter_mut().for_each(change);
        self.numbers =
            (0..).zip(&self.names).map(|(number, name)| (name.clone(), number)).collect();
    }

    pub(super) const fn len(&self) -> usize {
        self.names.len()
    }
}
