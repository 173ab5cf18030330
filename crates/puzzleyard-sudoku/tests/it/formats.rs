//! Readers, writers, general sizes and diagnosis through the public face.

mod claims;
mod counts;
mod diagnoses;
mod hostile;
mod kinds;
mod malformed;
mod round;
