//! Times as records write them: milliseconds, whole ones for limits and finer ones for moves, and
//! moments in UTC.

use std::fmt;
use std::time::{Duration, SystemTime};

use mancala_game::schema;
use schemars::json_schema;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A moment, in UTC to a millisecond: `2026-03-01T12:00:00.000Z`, as RFC 3339 has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Timestamp(SystemTime);

impl Timestamp {
    /// The present moment, by the machine's clock.
    pub fn now() -> Timestamp {
        // RFC 3339 has four digits for the year.
        const END_OF_9999: Duration = Duration::from_secs(253_402_300_799);
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        Timestamp::from(SystemTime::UNIX_EPOCH + since.min(END_OF_9999))
    }
}

/// To a millisecond: what is written is what was read, however fine the text was.
impl From<SystemTime> for Timestamp {
    fn from(moment: SystemTime) -> Timestamp {
        let since = moment.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        Timestamp(SystemTime::UNIX_EPOCH + Duration::from_millis(whole_ms(since)))
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        humantime::format_rfc3339_millis(self.0).fmt(f)
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Timestamp, D::Error> {
        let text = String::deserialize(deserializer)?;
        humantime::parse_rfc3339(&text).map(Timestamp::from).map_err(D::Error::custom)
    }
}

schema!(Timestamp, _generator => json_schema!({ "type": "string", "format": "date-time" }));

/// A duration, if there is one, as whole milliseconds.
pub(super) mod optional_ms {
    use std::time::Duration;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    /// Writes a time.
    // serde hands over a reference.
    #[expect(clippy::ref_option)]
    pub(crate) fn serialize<S: Serializer>(
        time: &Option<Duration>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        time.map(super::whole_ms).serialize(serializer)
    }

    /// Reads a time.
    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Duration>, D::Error> {
        Ok(Option::<u64>::deserialize(deserializer)?.map(Duration::from_millis))
    }
}

/// A duration as milliseconds with three decimals.
pub mod fine_ms {
    use std::time::Duration;

    use serde::{Deserialize, Deserializer, Serializer};

    /// No move takes a year. Up to there a float holds every microsecond, however often a time is
    /// written and read, and the times of any match add up.
    const LONGEST_MS: f64 = 366.0 * 24.0 * 3_600_000.0;

    /// Writes a time.
    pub fn serialize<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(super::milliseconds(*time))
    }

    /// Reads a time of at most a year.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
        use serde::de::Error as _;
        let ms = f64::deserialize(deserializer)?;
        if ms < 0.0 {
            return Err(D::Error::custom("a move takes no negative time"));
        }
        if ms > LONGEST_MS {
            return Err(D::Error::custom("a move takes at most 366 days"));
        }
        // Rounded, for a decimal such as 0.113 is not exactly a number of microseconds.
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "checked above"
        )]
        Ok(Duration::from_micros((ms * 1e3 + 0.5) as u64))
    }
}

/// Whole milliseconds of a duration, rounded down.
pub fn whole_ms(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// Milliseconds of a duration, cut after three decimals.
pub fn milliseconds(time: Duration) -> f64 {
    // A duration of 285 years would lose its last microsecond.
    #[expect(clippy::cast_precision_loss)]
    let micros = time.as_micros() as f64;
    micros / 1e3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_read_as_it_is_written() {
        let json = r#""2026-03-01T12:34:56.789Z""#;
        let moment: Timestamp = serde_json::from_str(json).unwrap();
        assert_eq!(serde_json::to_string(&moment).unwrap(), json);
        let now = Timestamp::now();
        let again = serde_json::to_string(&now).unwrap();
        assert_eq!(serde_json::from_str::<Timestamp>(&again).unwrap(), now);
        let finer: Timestamp = serde_json::from_str(&json.replace('Z', "9Z")).unwrap();
        assert_eq!(finer, moment);
        assert!(serde_json::from_str::<Timestamp>(r#""yesterday""#).is_err());
    }
}
