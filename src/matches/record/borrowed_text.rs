//! A text of JSON.

use std::borrow::Cow;

use serde::Deserialize;

/// A text that is copied only if it has escapes. (In serde a plain `Cow` is always a copy.)
#[derive(Deserialize)]
pub(super) struct BorrowedText<'a>(#[serde(borrow)] pub(super) Cow<'a, str>);
