//! Durations (`10s`, `2min`) and sizes (`512MiB`, `4GiB`) on the command line.

use std::time::Duration;

/// Reads a duration: a number, then `ms`, `s`, `min` or `h`.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    let units = [("ms", 0.001), ("s", 1.0), ("min", 60.0), ("h", 3600.0)];
    let seconds = measured(text, &units)
        .ok_or_else(|| format!("found {text:?}, expected a duration such as 10s or 2min"))?;
    Duration::try_from_secs_f64(seconds).map_err(|_| format!("{text:?} is too long"))
}

/// Reads a size in bytes: a number, then `B`, `KiB`, `MiB`, `GiB` or `TiB`.
pub(crate) fn size(text: &str) -> Result<u64, String> {
    let unit = |power: i32| 1024f64.powi(power);
    let units = [
        ("KiB", unit(1)),
        ("MiB", unit(2)),
        ("GiB", unit(3)),
        ("TiB", unit(4)),
        ("B", 1.0),
    ];
    let bytes = measured(text, &units)
        .ok_or_else(|| format!("found {text:?}, expected a size such as 512MiB or 4GiB"))?;
    // Exact for all sizes that a machine has; a float this large would round anyway.
    (bytes < unit(6))
        .then_some(bytes as u64)
        .ok_or_else(|| format!("{text:?} is too large"))
}

/// The number before the unit, times the unit; `None` unless both are there, the number is
/// finite and not negative.
fn measured(text: &str, units: &[(&str, f64)]) -> Option<f64> {
    let split = text.find(|letter: char| letter.is_ascii_alphabetic())?;
    let (number, name) = text.split_at(split);
    let (_, factor) = units
        .iter()
        .find(|(unit, _)| unit.eq_ignore_ascii_case(name))?;
    let number: f64 = number.trim().parse().ok()?;
    (number.is_finite() && number >= 0.0).then_some(number * factor)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{duration, size};

    #[test]
    fn reads_what_people_write() {
        for (text, milliseconds) in [
            ("10s", 10_000),
            ("2min", 120_000),
            ("250ms", 250),
            ("1.5s", 1500),
            ("1h", 3_600_000),
            ("0s", 0),
        ] {
            assert_eq!(
                duration(text),
                Ok(Duration::from_millis(milliseconds)),
                "{text}"
            );
        }
        for (text, bytes) in [
            ("512MiB", 512 << 20),
            ("4GiB", 4 << 30),
            ("64B", 64),
            ("1kib", 1024),
        ] {
            assert_eq!(size(text), Ok(bytes), "{text}");
        }
    }

    #[test]
    fn refuses_the_rest() {
        for text in ["", "10", "s", "-1s", "1 day", "infs", "nans", "1e999s"] {
            assert!(duration(text).is_err(), "{text}");
        }
        for text in ["", "4", "4GB", "-1MiB", "9999999999TiB"] {
            assert!(size(text).is_err(), "{text}");
        }
    }
}
