//! Phrases are filled in order, and each is used.

use super::*;

#[test]
fn parts_take_their_places_in_order() {
    assert_eq!(filled("a {} b {}.", &[&1, &"{}"]), "a 1 b {}.");
    assert_eq!(filled("{}{}", &[&"x"]), "x");
}

/// A phrase that nobody says would be translated for nothing.
#[test]
fn every_phrase_is_used_and_every_used_one_is_there() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/report/page");
    let mut rust = String::new();
    let folders = ["", "contents/", "files/", "parts/"];
    let entries = folders.map(|inside| std::fs::read_dir(format!("{folder}/{inside}")).unwrap());
    for path in entries.into_iter().flatten().map(|entry| entry.unwrap().path()) {
        if path.extension().is_some_and(|ending| ending == "rs") {
            rust += &std::fs::read_to_string(path).unwrap();
        }
    }
    for name in &names(&ENGLISH) {
        let is_used = ["ENGLISH", "W"].iter().any(|of| {
            let word = format!("{of}.{name}");
            rust.match_indices(&word).any(|(at, _)| {
                !rust[at + word.len()..].starts_with(|c: char| c.is_alphanumeric() || c == '_')
            })
        });
        assert!(is_used, "{name}");
    }
    // Nor has a count a noun of its own anywhere else.
    let counts = rust.split("counted(").skip(1).map(|rest| rest.split(';').next().unwrap());
    assert!(
        counts.clone().count() > 10 && counts.into_iter().all(|count| count.contains("W.count_"))
    );
    let script = std::fs::read_to_string(format!("{folder}/page.js")).unwrap();
    let phrases = names(&SCRIPT);
    for name in &phrases {
        // Names such as `end_completed` are put together from a beginning and a value.
        let beginning = name.split_once('_').map_or(name.as_str(), |(beginning, _)| beginning);
        let is_used = script.contains(&format!("\"{name}\""))
            || script.contains(&format!("`{beginning}_${{"));
        assert!(is_used, "{name}");
    }
    for called in script.split("say(\"").skip(1) {
        let name = called.split('"').next().unwrap();
        assert!(phrases.iter().any(|it| it == name), "{name}");
    }
}

/// The names of all these texts.
fn names(words: &impl serde::Serialize) -> Vec<String> {
    let words = serde_json::to_value(words).unwrap();
    words.as_object().unwrap().keys().cloned().collect()
}
