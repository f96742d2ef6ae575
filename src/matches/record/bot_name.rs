//! How long a bot's name may be in a file: as long as anywhere.

use std::borrow::Cow;

use serde::de::Error;
use serde::{Deserialize, Deserializer};

use super::borrowed_text::BorrowedText;

/// Most characters of a bot's name.
pub const MAX_NAME: usize = 40;

/// Reads a name as [`bot_name`] does, or `null`.
pub(super) fn some_bot_name<'de, D: Deserializer<'de>>(
    input: D,
) -> Result<Option<String>, D::Error> {
    #[derive(Deserialize)]
    struct Name<'a>(#[serde(borrow, deserialize_with = "bot_name")] Cow<'a, str>);
    Ok(Option::<Name<'_>>::deserialize(input)?.map(|Name(name)| name.into_owned()))
}

/// Reads a name. An empty one is an error, and so is a longer one: no line of a table has megabytes.
pub fn bot_name<'de, D: Deserializer<'de>, T: From<Cow<'de, str>>>(
    input: D,
) -> Result<T, D::Error> {
    let BorrowedText(name) = BorrowedText::deserialize(input)?;
    if name.chars().count() > MAX_NAME {
        return Err(Error::custom(format_args!(
            "a bot's name of {} characters; {MAX_NAME} is the most",
            name.chars().count()
        )));
    }
    if name.is_empty() {
        return Err(Error::custom("a bot's name is empty"));
    }
    Ok(name.into())
}
