//! The lines that carry a message: as they are today, or as a later version might send them.

use crate::protocol::ToBot;

/// How messages are dressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dressing {
    /// As they are.
    Plain,
    /// Every object has fields more.
    UnknownFields,
    /// A message of an unknown type goes before each.
    UnknownTypes,
}

/// The field in front of all others of an object, and the one behind them. No name stands in the
/// protocol, and what looks like a message is in a string.
const IN_FRONT: &str = r#""season":"spring","#;
const BEHIND: &str = r#","weather":{"wind":[7,1],"sun":null,"said":"{\"type\":\"turn\"}"}"#;

/// Messages of types that there are not.
const UNKNOWN: [&str; 2] = [
    "{\"type\":\"weather\",\"wind\":[7,1],\"sun\":null}\n",
    "{\"type\":\"greeting\",\"text\":\"good luck, your \\\"turn\\\"\"}\n",
];

impl Dressing {
    /// The lines that go before a message and want no answer.
    pub(super) const fn before(self) -> &'static [&'static str] {
        match self {
            Dressing::Plain | Dressing::UnknownFields => &[],
            Dressing::UnknownTypes => &UNKNOWN,
        }
    }

    /// The message's own line.
    pub(super) fn line(self, message: &ToBot) -> Vec<u8> {
        let line = message.to_line();
        match self {
            Dressing::Plain | Dressing::UnknownTypes => line,
            Dressing::UnknownFields => with_more_fields(&line),
        }
    }
}

/// A line of JSON, with no empty object in it, with more fields in each of its objects.
fn with_more_fields(line: &[u8]) -> Vec<u8> {
    let mut dressed = Vec::with_capacity(2 * line.len());
    let (mut in_string, mut escaped) = (false, false);
    for &byte in line {
        if byte == b'}' && !in_string {
            dressed.extend_from_slice(BEHIND.as_bytes());
        }
        dressed.push(byte);
        if byte == b'{' && !in_string {
            dressed.extend_from_slice(IN_FRONT.as_bytes());
        }
        in_string ^= byte == b'"' && !escaped;
        escaped = in_string && byte == b'\\' && !escaped;
    }
    dressed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::{End, FaultKind, Outcome, Reason, ToldFault, Who};
    use crate::rules::{Opening, Ruleset};

    #[test]
    fn a_dressed_message_is_the_same_message() {
        let message = ToBot::End(End {
            round: 1,
            outcome: Outcome::Win,
            score: [36, 0],
            reason: Reason::Fault(FaultKind::InvalidReply),
            board: Opening::standard(&Ruleset::default()).board(),
            fault: Some(ToldFault {
                by: Who::Opponent,
                kind: FaultKind::InvalidReply,
                detail: r#"not JSON: {"a\":\\"}"#.to_owned(),
            }),
        });
        let dressed = Dressing::UnknownFields.line(&message);
        assert_eq!(serde_json::from_slice::<ToBot>(&dressed).unwrap(), message);
        let value: serde_json::Value = serde_json::from_slice(&dressed).unwrap();
        assert_eq!(value["season"], value["fault"]["season"]);
        assert_eq!(value["fault"]["weather"]["wind"][0], 7);
        assert_eq!(Dressing::Plain.line(&message), message.to_line());
        for line in Dressing::UnknownTypes.before() {
            assert_eq!(serde_json::from_str::<ToBot>(line).unwrap(), ToBot::Unknown);
        }
    }
}
