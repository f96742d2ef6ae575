//! A text of JSON.

use std::borrow::Cow;

use serde::Deserialize;

/// A text that is copied only if it has escapes. (A `Cow` by itself is always a copy in serde.)
#[derive(Deserialize)]
pub(super) struct BorrowedText<'a>(#[serde(borrow)] pub(super) Cow<'a, str>);
