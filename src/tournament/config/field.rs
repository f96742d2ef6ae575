//! A key and its value, as what it should be.

use std::collections::BTreeMap;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{ConfigError, Source};
use crate::text::printable;

/// A key and its value.
pub(super) struct Field<'a> {
    pub(super) source: &'a Source,
    pub(super) key: &'a str,
    pub(super) value: &'a Spanned<DeValue<'a>>,
}

impl<'a> Field<'a> {
    pub(super) fn wrong_type(&self, expected: &str) -> ConfigError {
        let found = self.value.get_ref().type_str();
        let key = printable(self.key);
        let message = format!("{key} must be {expected}, not {}", article(found));
        self.source.error(&self.value.span(), message)
    }

    pub(super) fn text(&self) -> Result<String, ConfigError> {
        let text = self.value.get_ref().as_str();
        text.map(str::to_owned).ok_or_else(|| self.wrong_type("a text in quotes"))
    }

    pub(super) fn switch(&self) -> Result<bool, ConfigError> {
        self.value.get_ref().as_bool().ok_or_else(|| self.wrong_type("true or false"))
    }

    pub(super) fn number<N: TryFrom<u64>>(&self, least: u64, most: u64) -> Result<N, ConfigError> {
        let expected = if most == u64::MAX {
            format!("a whole number from {least}")
        } else {
            format!("a whole number from {least} to {most}")
        };
        let Some(number) = self.value.get_ref().as_integer() else {
            return Err(self.wrong_type(&expected));
        };
        let value = u64::from_str_radix(number.as_str(), number.radix()).ok();
        let value = value.filter(|value| (least..=most).contains(value));
        value.and_then(|value| N::try_from(value).ok()).ok_or_else(|| {
            self.source.error(&self.value.span(), format!("{} must be {expected}", self.key))
        })
    }

    pub(super) fn texts(&self) -> Result<Vec<String>, ConfigError> {
        let array = self.value.get_ref().as_array();
        let items = array.ok_or_else(|| self.wrong_type("a list of texts"))?;
        let field = |value| Field { source: self.source, key: self.key, value };
        items.iter().map(|item| field(item).text()).collect()
    }

    pub(super) fn table(&self) -> Result<&'a DeTable<'a>, ConfigError> {
        self.value.get_ref().as_table().ok_or_else(|| self.wrong_type("a table"))
    }

    pub(super) fn variables(&self) -> Result<BTreeMap<String, String>, ConfigError> {
        let mut variables = BTreeMap::new();
        for (key, value) in self.table()? {
            let name = key.get_ref().as_ref();
            if name.is_empty() || name.contains(['=', '\0']) {
                let message = format!("{:?} cannot be a variable's name", printable(name));
                return Err(self.source.error(&key.span(), message));
            }
            let field = Field { source: self.source, key: name, value };
            variables.insert(name.to_owned(), field.text()?);
        }
        Ok(variables)
    }
}

fn article(kind: &str) -> String {
    let vowel = kind.starts_with(|first| "aeiou".contains(first));
    format!("{} {kind}", if vowel { "an" } else { "a" })
}
