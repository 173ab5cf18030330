//! Progress on a terminal; silence in a pipe.

use std::io::IsTerminal as _;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A line on standard error that is redrawn in place. Hidden unless that is a terminal.
pub(crate) fn line() -> ProgressBar {
    let bar = ProgressBar::new_spinner();
    if std::io::stderr().is_terminal() {
        bar.enable_steady_tick(Duration::from_millis(120));
    } else {
        bar.set_draw_target(ProgressDrawTarget::hidden());
    }
    bar
}

/// A bar of `length` steps, like [`line()`].
pub(crate) fn bar(length: u64) -> ProgressBar {
    let bar = line();
    bar.set_length(length);
    if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} {wide_bar} {pos}/{len}") {
        bar.set_style(style);
    }
    bar
}
