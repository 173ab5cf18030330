//! How many turns an episode has.

use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// The most turns an episode may have.
pub const MAX_TURNS: u32 = 10_000;

/// How many turns an episode has. Written as a number, or as the word `auto`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turns {
    /// This many, `1..=`[`MAX_TURNS`].
    Fixed(u32),
    /// Enough for the puzzle; each game says how many that is.
    Auto,
}

impl Turns {
    /// The number of turns when `auto` means `enough`; `None` if it is 0 or too large.
    pub(crate) fn count(self, enough: u32) -> Option<u32> {
        let count = match self {
            Self::Fixed(count) => count,
            Self::Auto => enough.clamp(1, MAX_TURNS),
        };
        (1..=MAX_TURNS).contains(&count).then_some(count)
    }
}

impl Serialize for Turns {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Fixed(count) => serializer.serialize_u32(*count),
            Self::Auto => serializer.serialize_str("auto"),
        }
    }
}

impl<'de> Deserialize<'de> for Turns {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;

        impl Visitor<'_> for Either {
            type Value = Turns;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "a number from 1 to {MAX_TURNS}, or \"auto\"")
            }

            fn visit_u64<E: Error>(self, found: u64) -> Result<Turns, E> {
                match u32::try_from(found) {
                    Ok(count @ 1..=MAX_TURNS) => Ok(Turns::Fixed(count)),
                    _ => Err(E::invalid_value(Unexpected::Unsigned(found), &self)),
                }
            }

            fn visit_i64<E: Error>(self, found: i64) -> Result<Turns, E> {
                match u64::try_from(found) {
                    Ok(found) => self.visit_u64(found),
                    Err(_) => Err(E::invalid_value(Unexpected::Signed(found), &self)),
                }
            }

            fn visit_str<E: Error>(self, found: &str) -> Result<Turns, E> {
                match found {
                    "auto" => Ok(Turns::Auto),
                    _ => Err(E::invalid_value(Unexpected::Str(found), &self)),
                }
            }
        }

        deserializer.deserialize_any(Either)
    }
}

#[cfg(test)]
mod tests {
    use super::Turns;

    #[test]
    fn numbers_and_the_word_are_read_and_nothing_else() {
        let read = |text: &str| serde_json::from_str::<Turns>(text).ok();
        assert_eq!(read("50"), Some(Turns::Fixed(50)));
        assert_eq!(read("\"auto\""), Some(Turns::Auto));
        for wrong in [
            "0", "10001", "-1", "1.5", "\"50\"", "\"Auto\"", "null", "true",
        ] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
        for turns in [Turns::Fixed(7), Turns::Auto] {
            assert_eq!(read(&serde_json::to_string(&turns).unwrap()), Some(turns));
        }
        assert_eq!(Turns::Auto.count(0), Some(1));
        assert_eq!(Turns::Fixed(0).count(5), None);
    }
}
