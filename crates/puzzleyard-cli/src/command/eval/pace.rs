//! When requests may go out: a number a minute at most, not while the endpoint asks for rest,
//! and after a failure later each time.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use puzzleyard_core::Stream;

/// The door that all requests of a run go through.
#[derive(Debug)]
pub(super) struct Pace {
    /// Between two requests.
    gap: Duration,
    next: Mutex<Instant>,
}

impl Pace {
    /// A door for so many requests a minute.
    pub(super) fn new(a_minute: Option<u32>) -> Self {
        Self {
            gap: a_minute.map_or(Duration::ZERO, |count| Duration::from_secs(60) / count),
            next: Mutex::new(Instant::now()),
        }
    }

    /// Waits for its turn.
    pub(super) fn wait(&self) {
        loop {
            let now = Instant::now();
            let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
            if *next <= now {
                *next = now + self.gap;
                return;
            }
            let due = *next;
            drop(next);
            std::thread::sleep(due.saturating_duration_since(now));
        }
    }

    /// Lets nobody through before this has passed.
    pub(super) fn rest(&self, time: Duration) {
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        *next = (*next).max(Instant::now() + time);
    }
}

/// The wait before attempt `attempt` (from 1) is repeated: the backoff doubled each time, times
/// a random number from 0.5 to 1.5 of `dice`, `most` at most.
pub(super) fn backoff(first: Duration, attempt: u32, most: Duration, dice: &Stream) -> Duration {
    let doubled = first.saturating_mul(1 << (attempt.saturating_sub(1)).min(20));
    let jitter = 0.5 + dice.below(u64::from(attempt), 1 << 20) as f64 / f64::from(1 << 20);
    doubled.min(most).mul_f64(jitter).min(most)
}

/// What `Retry-After` asks for: seconds, or a date (RFC 9110, section 10.2.3). `None` if it is
/// neither.
pub(super) fn retry_after(value: &str, now: jiff::Timestamp) -> Option<Duration> {
    if let Ok(seconds) = value.trim().parse() {
        return Some(Duration::from_secs(seconds));
    }
    let date = jiff::fmt::rfc2822::DateTimeParser::new()
        .parse_timestamp(value.trim())
        .ok()?;
    Some(Duration::try_from(date.duration_since(now)).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use puzzleyard_core::Stream;

    use super::{Pace, backoff, retry_after};

    #[test]
    fn waits_grow_within_bounds_and_depend_on_the_seed() {
        let (first, most) = (Duration::from_secs(1), Duration::from_secs(60));
        let dice = Stream::new(1, "test");
        let waits: Vec<Duration> = (1..=40).map(|n| backoff(first, n, most, &dice)).collect();
        for (at, wait) in waits.iter().enumerate() {
            let doubled = Duration::from_secs(1 << at.min(20)).min(most);
            assert!(*wait >= doubled / 2 && *wait <= most, "{at}: {wait:?}");
            assert!(*wait <= doubled * 3 / 2, "{at}: {wait:?}");
        }
        assert_ne!(waits[0], backoff(first, 1, most, &Stream::new(2, "test")));
        assert_eq!(waits[0], backoff(first, 1, most, &dice));
        let long = backoff(Duration::MAX, u32::MAX, Duration::MAX, &dice);
        assert!(long > most);
    }

    #[test]
    fn both_forms_of_retry_after_are_read() {
        let now: jiff::Timestamp = "1994-11-06T08:49:00Z".parse().unwrap();
        let read = |value| retry_after(value, now);
        assert_eq!(read("120"), Some(Duration::from_secs(120)));
        let date = "Sun, 06 Nov 1994 08:49:37 GMT";
        assert_eq!(read(date), Some(Duration::from_secs(37)));
        let past = "Sun, 06 Nov 1994 08:40:00 GMT";
        assert_eq!(read(past), Some(Duration::ZERO));
        for wrong in ["", "soon", "-1", "1.5"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn requests_keep_their_distance() {
        let pace = Pace::new(Some(6000));
        let start = Instant::now();
        (0..6).for_each(|_| pace.wait());
        assert!(start.elapsed() >= Duration::from_millis(50));
        let start = Instant::now();
        pace.rest(Duration::from_millis(30));
        pace.wait();
        assert!(start.elapsed() >= Duration::from_millis(30));
    }
}
