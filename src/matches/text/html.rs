//! Text in a page: between tags, in the address of a link, in JSON inside an element.

use serde::Serialize;

use super::{printable, to_json};

/// Text between tags or in the quotes of an attribute, of HTML or SVG, printable.
pub fn html(text: &str) -> String {
    // The ampersand first: the others are written with one.
    printable(text)
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&#39;")
}

/// Text as a part of an address, every byte but ASCII letters, digits, `-`, `.` and `_` encoded: as
/// it stands in `href="#bot-…"`, and as an `id` that such a link leads to.
pub fn in_address(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._".contains(&byte) {
            shown.push(char::from(byte));
        } else {
            shown.push_str(&format!("%{byte:02X}"));
        }
    }
    shown
}

/// A value as JSON that may stand in an element of a page: no tag begins or ends in it.
pub fn json_in_page(value: &impl Serialize) -> String {
    // The values of a page are plain.
    let json = to_json(value).unwrap_or_default();
    String::from_utf8_lossy(&json).replace('<', "\\u003c").replace('>', "\\u003e")
}

/// Bytes in base64 with padding, as a Content-Security-Policy has digests.
pub fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let word = (0..3).fold(0, |word, at| word << 8 | usize::from(*three.get(at).unwrap_or(&0)));
        for at in 0..4 {
            let digit = DIGITS[word >> (18 - 6 * at) & 63];
            text.push(if at <= three.len() { char::from(digit) } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_is_text() {
        let shown = html("</a b=\"'\"><!--&amp;\u{202e}");
        assert_eq!(shown, "&lt;/a b=&quot;&#39;&quot;&gt;&lt;!--&amp;amp;\\u{202e}");
    }

    #[test]
    fn an_address_has_nothing_that_ends_it() {
        assert_eq!(in_address("a-b.c_1"), "a-b.c_1");
        assert_eq!(in_address("a b~\"é</script>"), "a%20b%7E%22%C3%A9%3C%2Fscript%3E");
    }

    #[test]
    fn json_in_a_page_has_no_tag_and_reads_back_the_same() {
        let text = "</script><!--<script>\u{2028}\u{202e}&é";
        let json = json_in_page(&text);
        assert!(!json.contains(['<', '>', '\u{2028}', '\u{202e}']), "{json}");
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), text);
    }

    #[test]
    fn base64_is_that_of_rfc_4648() {
        let shown = ["", "f", "fo", "foo", "foob", "fooba", "foobar"].map(|t| base64(t.as_bytes()));
        assert_eq!(shown, ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"]);
    }
}
