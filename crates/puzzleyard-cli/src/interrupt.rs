//! Ctrl-C: the first asks for a clean end, the second ends at once.

use puzzleyard_core::{Limit, Stop};

use crate::stream;

/// A signal that Ctrl-C (and a termination request) raises.
pub(crate) fn stop_on_interrupt() -> anyhow::Result<Stop> {
    let stop = Stop::new();
    let raised = stop.clone();
    ctrlc::set_handler(move || {
        if raised.raised().is_some() {
            #[expect(clippy::exit, reason = "a second Ctrl-C means: now")]
            std::process::exit(130);
        }
        raised.raise(Limit::Interrupt);
        stream::say("\nstopping; what there is will be kept (again to stop at once)");
    })?;
    Ok(stop)
}
