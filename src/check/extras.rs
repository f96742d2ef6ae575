//! What a later version of the protocol may send, and a bot must ignore.

use crate::protocol::ToBot;

/// Additions to the messages of a trial.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Extras {
    /// Nothing: messages as they are today.
    None,
    /// Unknown fields in every object.
    Fields,
    /// Messages of unknown types before each message.
    Messages,
}

/// Unknown fields at the beginning of an object, and at its end. The protocol has none of these
/// names, and what looks like a message is in a string.
const AT_THE_BEGINNING: &str = r#""season":"spring","#;
const AT_THE_END: &str = r#","weather":{"wind":[7,1],"sun":null,"said":"{\"type\":\"turn\"}"}"#;

/// Messages of unknown types.
const UNKNOWN: [&str; 2] = [
    "{\"type\":\"weather\",\"wind\":[7,1],\"sun\":null}\n",
    "{\"type\":\"greeting\",\"text\":\"good luck, your \\\"turn\\\"\"}\n",
];

impl Extras {
    /// The lines that go before a message and want no answer.
    pub(super) const fn lines_before(self) -> &'static [&'static str] {
        match self {
            Extras::None | Extras::Fields => &[],
            Extras::Messages => &UNKNOWN,
        }
    }

    pub(super) fn line(self, message: &ToBot) -> Vec<u8> {
        let line = message.to_line();
        match self {
            Extras::None | Extras::Messages => line,
            Extras::Fields => with_more_fields(&line),
        }
    }
}

/// A line of JSON without empty objects, with more fields in each of its objects.
fn with_more_fields(line: &[u8]) -> Vec<u8> {
    let mut extended = Vec::with_capacity(2 * line.len());
    let (mut in_string, mut escaped) = (false, false);
    for &byte in line {
        if byte == b'}' && !in_string {
            extended.extend_from_slice(AT_THE_END.as_bytes());
        }
        extended.push(byte);
        if byte == b'{' && !in_string {
            extended.extend_from_slice(AT_THE_BEGINNING.as_bytes());
        }
        in_string ^= byte == b'"' && !escaped;
        escaped = in_string && byte == b'\\' && !escaped;
    }
    extended
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::{End, FaultKind, FaultMessage, Outcome, Reason, Who};
    use crate::rules::{Opening, Ruleset};

    #[test]
    fn a_message_with_extras_is_the_same_message() {
        let message = ToBot::End(End {
            round: 1,
            outcome: Outcome::Win,
            score: [36, 0],
            reason: Reason::Fault(FaultKind::InvalidReply),
            board: Opening::standard(&Ruleset::default()).board(),
            fault: Some(FaultMessage {
                by: Who::Opponent,
                kind: FaultKind::InvalidReply,
                detail: r#"not JSON: {"a\":\\"}"#.to_owned(),
            }),
        });
        let line = Extras::Fields.line(&message);
        assert_eq!(serde_json::from_slice::<ToBot>(&line).unwrap(), message);
        let value: serde_json::Value = serde_json::from_slice(&line).unwrap();
        assert_eq!(value["season"], value["fault"]["season"]);
        assert_eq!(value["fault"]["weather"]["wind"][0], 7);
        assert_eq!(Extras::None.line(&message), message.to_line());
        for line in Extras::Messages.lines_before() {
            assert_eq!(serde_json::from_str::<ToBot>(line).unwrap(), ToBot::Unknown);
        }
    }
}
