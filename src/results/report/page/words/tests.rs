//! Phrases are filled in order, and each is used.

use super::*;

#[test]
fn parts_take_their_places_in_order() {
    assert_eq!(filled("a {} b {}.", &["1", "{}"]), "a 1 b {}.");
    assert_eq!(filled("{}{}", &["x"]), "x");
}

/// A phrase that nobody says would be translated for nothing.
#[test]
fn every_phrase_is_used_and_every_used_one_is_there() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/report/page");
    let read = |file: &str| std::fs::read_to_string(format!("{folder}/{file}")).unwrap();
    let mut rust = read("page.html");
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let name = entry.file_name().into_string().unwrap();
        if std::path::Path::new(&name).extension().is_some_and(|ending| ending == "rs")
            && name != "words.rs"
        {
            rust += &read(&name);
        }
    }
    for name in ENGLISH.all().keys() {
        let is_used = ["ENGLISH", "W", "w"].iter().any(|of| {
            let word = format!("{of}.{name}");
            rust.match_indices(&word).any(|(at, _)| {
                !rust[at + word.len()..].starts_with(|c: char| c.is_alphanumeric() || c == '_')
            })
        });
        assert!(is_used, "{name}");
    }
    let script = read("page.js");
    for name in SCRIPT.all().keys() {
        // Names such as `end_completed` are put together from a beginning and a value.
        let beginning = name.split_once('_').map_or(*name, |(beginning, _)| beginning);
        let is_used = script.contains(&format!("\"{name}\""))
            || script.contains(&format!("`{beginning}_${{"));
        assert!(is_used, "{name}");
    }
    for called in script.split("say(\"").skip(1) {
        let name = called.split('"').next().unwrap();
        assert!(SCRIPT.all().contains_key(name), "{name}");
    }
}
