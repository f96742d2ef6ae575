//! Which differences between matches are errors, and which are remarks.

use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hasher};

use memchr::{memchr2, memmem};

use crate::record::Digest;
use crate::standings::differences::{Difference, Differences, LinePlace, Mergeable, UsedVersions};
use crate::standings::remarks::listed;
use crate::standings::{CollectedResults, UnreadableFiles};
use crate::text::{counted, printable};

impl CollectedResults {
    /// What the matches differ in, all of it in `merge`. From here on it is known which of them
    /// count, until more is read.
    ///
    /// # Errors
    ///
    /// A contradiction, or the first difference that is not in `merge`.
    pub fn expect_mergeable(
        &mut self,
        merge: &[Mergeable],
    ) -> Result<Vec<Mergeable>, UnreadableFiles> {
        self.check_and_sort()?;
        let used = self.used_versions();
        let (bot, version) = self.differences.versions(&used).next().unzip();
        let name = bot.map_or("", |bot| &self.names.all()[bot as usize]);
        let program = format!("the programs of bot \"{}\"", printable(name));
        let mut merged = Vec::new();
        for (kind, what, difference) in [
            (Mergeable::Rules, "the rules", self.differences.rules.difference()),
            (Mergeable::Terms, "the terms", self.differences.terms.difference()),
            (Mergeable::Versions, &program, version),
        ] {
            let Some(Difference { how, places }) = difference else { continue };
            if !merge.contains(&kind) {
                let [one, other] = places.map(|(file, line)| self.place(file, line));
                let how = format!("{what} in {one} and {other} differ: {}", printable(&how));
                return Err(UnreadableFiles::Different { how, merge: kind });
            }
            merged.push(kind);
        }
        Ok(merged)
    }

    /// The versions of bots whose matches count, and of those that are disqualified.
    fn used_versions(&self) -> UsedVersions {
        let is_continued = self.tournaments.iter().any(|of| of.continued.is_some());
        // By an update the same name may have come to another version since.
        let is_disqualified = |&(bot, version): &(u32, Digest)| {
            let name = &self.names.all()[bot as usize];
            self.tournaments.iter().any(|of| {
                of.disqualified.contains_key(name)
                    && (of.continued.is_none()
                        || of.current_name(of.id, name, Some(version)) == Some(name))
            })
        };
        UsedVersions {
            played: is_continued.then(|| self.first_places_of_versions()),
            disqualified: self.differences.disqualified().filter(is_disqualified).collect(),
        }
    }

    /// Where the first match that counts stands of each version of each bot.
    fn first_places_of_versions(&self) -> HashMap<(u32, Digest), LinePlace> {
        let mut first: HashMap<_, LinePlace> = HashMap::new();
        for known in &self.matches {
            let place = (self.source(known).file, known.line.into());
            for program in self.versions_of(known) {
                let first = first.entry(program).or_insert(place);
                *first = place.min(*first);
            }
        }
        first
    }

    /// The versions of each bot in matches that count, by its number, in the order of their digits.
    pub(in crate::standings) fn added_versions(&self) -> Vec<Vec<Digest>> {
        let mut versions = vec![Vec::new(); self.names.all().len()];
        for (bot, version) in self.differences.played(&self.used_versions()) {
            versions[bot as usize].push(version);
        }
        versions
    }

    /// By their names the versions of the bots that are known to have one: that of the tournament's
    /// last header, or without one that of the records.
    pub(crate) fn versions(&self) -> BTreeMap<String, Digest> {
        let mut known = BTreeMap::new();
        let headers = self.tournaments.iter().flat_map(|tournament| &tournament.versions);
        headers.for_each(|(name, version)| add_version(&mut known, name, *version));
        let mut of_records = BTreeMap::new();
        for pair in self.versioned.all() {
            for (bot, version) in
                self.pairs.all()[pair.pair as usize].into_iter().zip(pair.versions)
            {
                let name = &self.names.all()[bot as usize];
                if let Some(version) = version.filter(|_| !known.contains_key(name)) {
                    add_version(&mut of_records, name, version);
                }
            }
        }
        known.append(&mut of_records);
        known.into_iter().filter_map(|(name, version)| Some((name, version?))).collect()
    }

    /// A remark on each difference. Those that need `--merge` were allowed by it.
    pub fn differences_in_words(&self) -> Vec<String> {
        let mut remarks = Vec::new();
        let Differences { rules, terms, limits, .. } = &self.differences;
        for (what, difference, has_more) in [
            (
                "These are matches by different rules, added up by --merge",
                rules.difference(),
                rules.has_more,
            ),
            (
                "These are matches on different terms, added up by --merge",
                terms.difference(),
                terms.has_more,
            ),
            ("Bots were held to different limits", limits.difference(), limits.has_more),
        ] {
            if let Some(Difference { how, places }) = difference {
                let [one, other] = places.map(|(file, line)| self.place(file, line));
                let others = if has_more { ", and others differ from both" } else { "" };
                remarks.push(format!("{what}: {} ({one}, {other}){others}.", printable(&how)));
            }
        }
        let used = self.used_versions();
        let name = |bot: u32| self.names.all()[bot as usize].as_str();
        let (bots, versions): (Vec<u32>, Vec<String>) = self
            .differences
            .versions(&used)
            .map(|(bot, Difference { how, .. })| (bot, format!("{} is {how}", name(bot))))
            .unzip();
        if !versions.is_empty() {
            let versions = listed(versions);
            remarks.push(format!(
                "Different programs have one name, added up by --merge: {versions}."
            ));
        }
        let out = self.disqualified();
        let out: Vec<&str> =
            bots.into_iter().map(name).filter(|name| out.contains_key(name)).collect();
        if !out.is_empty() {
            remarks.push(format!(
                "Disqualified in one of its versions, so that the matches of all of them count for \
                 nobody: {}.",
                listed(out)
            ));
        }
        remarks
    }

    /// Counts the line of a match of no tournament if it is the same as one before, but for the values
    /// that `analyse` adds. Nothing else tells such matches apart.
    pub(super) fn see_loose(&mut self, line: &[u8]) {
        let mut hasher = DefaultHasher::new();
        for part in without_values(line) {
            hasher.write(part);
        }
        self.copied_lines += u64::from(!self.loose_lines.insert(hasher.finish()));
    }

    /// That matches count more than once, of which nothing but the whole line says what they are.
    pub fn copies_in_words(&self) -> Option<String> {
        let count = self.copied_lines;
        let repeat = if count == 1 { "repeats" } else { "repeat" };
        (count > 0).then(|| {
            let matches = counted(count, "match", "matches");
            format!(
                "{matches} of no tournament {repeat} another match (exact values aside); each of them \
                 counts."
            )
        })
    }

    fn place(&self, file: usize, line: u64) -> String {
        format!("{} line {line}", printable(&self.files[file]))
    }
}

/// What is left of a line without the values of its moves and the losses right behind them, as
/// `analyse` writes them.
fn without_values(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    const LOSS: &[u8] = br#","loss":"#;
    // In a string its quotes would be escaped.
    let values = memmem::find_iter(line, br#","value":"#);
    let end_of_number =
        |from: usize| memchr2(b',', b'}', &line[from..]).map_or(line.len(), |length| from + length);
    let mut start = 0;
    values.map(Some).chain([None]).map(move |value| {
        let Some(at) = value else { return &line[start..] };
        let part = &line[start..at];
        start = end_of_number(at + 1);
        if line[start..].starts_with(LOSS) {
            start = end_of_number(start + LOSS.len());
        }
        part
    })
}

/// Adds a bot's version; two different ones are none.
fn add_version(known: &mut BTreeMap<String, Option<Digest>>, name: &str, version: Digest) {
    let known = known.entry(name.to_owned()).or_insert(Some(version));
    *known = known.filter(|known| *known == version);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_with_values_is_the_line_without_them() {
        let line = r#"{"moves":[{"bot":0,"move":2,"ms":0.1VALUES},{"bot":1,"move":1,"ms":0.2,"info":"\",\"value\":7"VALUES}],"score":[1,2]}"#;
        for values in ["", r#","value":-3,"loss":0"#, r#","value":12"#] {
            let line = line.replace("VALUES", values);
            let without: Vec<u8> = without_values(line.as_bytes()).flatten().copied().collect();
            assert_eq!(String::from_utf8(without).unwrap(), line.replace(values, ""), "{values}");
        }
    }
}
