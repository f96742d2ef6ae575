//! Names of several bots that nobody confuses.

use super::command::{BotCommand, CommandError};
use super::name::{NameCounts, look_alike};
use crate::record::BotRecord;
use crate::record::MAX_NAME;
use crate::seat::PerSeat;

/// The two bots of a match with names that tell them apart, as [`unique_names`] makes them.
///
/// # Errors
///
/// When the user gave both the same name, or names that look alike.
pub fn give_unique_names(
    commands: &PerSeat<BotCommand>,
) -> Result<PerSeat<BotRecord>, CommandError> {
    let names = unique_names(&commands.0)?;
    Ok(PerSeat::from_fn(|seat| BotRecord {
        name: names[usize::from(u8::from(seat))].clone(),
        command: commands[seat].words.clone(),
        version: None,
    }))
}

/// Names that tell bots apart: those that the user gave; of equal ones that come from the commands the
/// names of their folders, where these differ, or numbers behind them.
///
/// # Errors
///
/// When the user gave two bots the same name, or names that look alike.
pub fn unique_names(commands: &[BotCommand]) -> Result<Vec<String>, CommandError> {
    let names: Vec<String> = commands.iter().map(BotCommand::name).collect();
    let all = NameCounts::of(&names);
    let is_given = |place: usize| commands[place].name.is_some();
    let mut taken = NameCounts::default();
    for (place, name) in names.iter().enumerate().filter(|(place, _)| is_given(*place)) {
        if taken.alike(name) > 0 {
            let mut others = (0..place).filter(|&other| is_given(other)).map(|other| &names[other]);
            return Err(match others.find(|other| look_alike(other, name)) {
                Some(other) if other != name => CommandError::Other(format!(
                    "the names {other:?} and {name:?} look alike; give one of them another, as in \
                     other=COMMAND"
                )),
                _ => CommandError::SameName(name.clone()),
            });
        }
        taken.add(name);
    }
    let is_numbered = |place: usize| !is_given(place) && all.alike(&names[place]) > 1;
    for place in (0..names.len()).filter(|&place| !is_given(place) && !is_numbered(place)) {
        taken.add(&names[place]);
    }
    let folders: Vec<Option<String>> = (0..names.len())
        .map(|place| commands[place].name_of_folder().filter(|_| is_numbered(place)))
        .collect();
    let all = NameCounts::of(folders.iter().flatten());
    let is_its_own = |folder: &String| all.alike(folder) == 1 && taken.alike(folder) == 0;
    let folders: Vec<Option<String>> =
        folders.into_iter().map(|folder| folder.filter(is_its_own)).collect();
    folders.iter().flatten().for_each(|folder| taken.add(folder));
    let unique = |(place, name): (usize, &String)| {
        if let Some(folder) = &folders[place] {
            return folder.clone();
        }
        if !is_numbered(place) {
            return name.clone();
        }
        // The place among the bots, from 1; a later number where that name is taken.
        let mut numbered = (place + 1..).map(|number: usize| {
            let number = format!("-{number}");
            let kept: String = name.chars().take(MAX_NAME - number.len()).collect();
            kept + &number
        });
        let free = numbered.find(|name| taken.alike(name) == 0).unwrap_or_default();
        taken.add(&free);
        free
    };
    Ok(names.iter().enumerate().map(unique).collect())
}

/// For each bot whether another one's name looks like its own.
pub fn names_alike(commands: &[BotCommand]) -> Vec<bool> {
    let names: Vec<String> = commands.iter().map(BotCommand::name).collect();
    let all = NameCounts::of(&names);
    names.iter().map(|name| all.alike(name) > 1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bot::start::name::is_name;

    #[test]
    fn equal_bots_get_numbers_and_equal_names_are_refused() {
        let names = |a: &str, b: &str| {
            give_unique_names(&PerSeat([a.parse().unwrap(), b.parse().unwrap()]))
                .map(|bots| bots.0.map(|bot| bot.name))
        };
        assert_eq!(names("./x", "./x").unwrap(), ["x-1", "x-2"]);
        assert_eq!(names("x=./y", "./x").unwrap(), ["x", "x-2"]);
        assert_eq!(names("python3 ann/bot.py", "ben/bot").unwrap(), ["ann", "ben"]);
        assert_eq!(names("ann=./y", "ann/ann").unwrap(), ["ann", "ann-2"]);
        assert_eq!(names("bot=./y", "ann/bot").unwrap(), ["bot", "ann"]);
        assert_eq!(names("ann/bot -1", "ann/bot -2").unwrap(), ["bot-1", "bot-2"]);
        assert_eq!(names("./bot", "ann/bot").unwrap(), ["bot-1", "ann"]);
        assert_eq!(names("x=./y", "x=./z"), Err(CommandError::SameName("x".to_owned())));
        let cyrillic = "\u{441}\u{43e}\u{440}\u{435}";
        let alike = names("cope=./y", &format!("{cyrillic}=./z")).unwrap_err().to_string();
        let expected = format!("the names \"cope\" and {cyrillic:?} look alike; give one of them");
        assert!(alike.starts_with(&expected), "{alike}");
    }

    #[test]
    fn thousands_of_names_are_told_apart_in_linear_time() {
        let bots: Vec<BotCommand> =
            (0..4000).map(|bot| format!("./Bj\u{f6}rn{bot}").parse().unwrap()).collect();
        let began = std::time::Instant::now();
        let names = unique_names(&bots).unwrap();
        assert_eq!(names[17], "Bj\u{f6}rn17");
        // 16 million comparisons took 27 s in a release build.
        assert!(began.elapsed() < std::time::Duration::from_secs(10), "{:?}", began.elapsed());
    }

    proptest::proptest! {
        #[test]
        fn no_two_names_look_alike(
            bots in proptest::collection::vec(("[aA\u{e4}\u{430}c\u{441}]{1,2}(-[1-4])?", 0..9_u8, "[a\u{430}c]{0,2}"), 0..12)
        ) {
            let bots: Vec<BotCommand> = bots.into_iter()
                .map(|(name, given, folder)| BotCommand::new((given == 0).then(|| name.clone()).filter(|name| is_name(name)), vec![format!("./{folder}/{name}")]).unwrap())
                .collect();
            if let Ok(names) = unique_names(&bots) {
                for (place, name) in names.iter().enumerate() {
                    proptest::prop_assert!(is_name(name));
                    for other in &names[..place] {
                        proptest::prop_assert!(!look_alike(name, other), "{names:?}");
                    }
                }
            } else {
                let given: Vec<&String> = bots.iter().filter_map(|bot| bot.name.as_ref()).collect();
                let clash = |(place, name): (usize, &&String)| {
                    given[..place].iter().any(|other| look_alike(name, other))
                };
                proptest::prop_assert!(given.iter().enumerate().any(clash));
            }
        }
    }
}
