//! Which differences between matches are errors, and which are remarks.

use super::CollectedResults;
use crate::standings::differences::{Difference, Mergeable};
use crate::standings::remarks::listed;
use crate::standings::unreadable::UnreadableFiles;
use crate::text::printable;

impl CollectedResults {
    /// What the matches differ in, all of it in `merge`.
    ///
    /// # Errors
    ///
    /// The first difference that is not.
    pub(in crate::standings) fn merged(
        &self,
        merge: &[Mergeable],
    ) -> Result<Vec<Mergeable>, UnreadableFiles> {
        let mut merged = Vec::new();
        let versions = self.differences.versions().next();
        for (what, bot, difference) in [
            (Mergeable::Rules, None, self.differences.rules()),
            (Mergeable::Terms, None, self.differences.terms()),
            (Mergeable::Versions, versions.as_ref().map(|of| of.0), versions.map(|of| of.1)),
        ] {
            let Some(Difference { how, places }) = difference else { continue };
            if merge.contains(&what) {
                merged.push(what);
                continue;
            }
            return Err(UnreadableFiles::Different {
                what,
                bot: bot.map(|bot| self.names.all()[bot as usize].clone()),
                how,
                places: places.map(|(file, line)| (self.files[file].clone(), line)),
            });
        }
        Ok(merged)
    }

    /// A remark on each difference. Those that need `--merge` were allowed by it.
    pub(in crate::standings) fn differences_in_words(&self) -> Vec<String> {
        let mut remarks = Vec::new();
        for (what, difference) in [
            ("These are matches by different rules, added up by --merge", self.differences.rules()),
            ("These are matches on different terms, added up by --merge", self.differences.terms()),
            ("Bots were held to different limits", self.differences.limits()),
        ] {
            if let Some(Difference { how, places }) = difference {
                let [one, other] = places.map(|(file, line)| self.place(file, line));
                remarks.push(format!("{what}: {} ({one}, {other}).", printable(&how)));
            }
        }
        let versions: Vec<String> = self
            .differences
            .versions()
            .map(|(bot, Difference { how, .. })| {
                format!("{} is {how}", self.names.all()[bot as usize])
            })
            .collect();
        if !versions.is_empty() {
            let versions = listed(versions);
            remarks.push(format!(
                "Different programs have one name, added up by --merge: {versions}."
            ));
        }
        remarks
    }

    fn place(&self, file: usize, line: u64) -> String {
        format!("{} line {line}", printable(&self.files[file]))
    }
}
