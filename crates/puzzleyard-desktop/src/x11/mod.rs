//! Drives any program's window by real key events and takes its picture.
//!
//! Keys are sent through the XTEST extension: for the program they are a keyboard's. Before
//! each press the driver makes sure that the window is there, is uncovered, has the keyboard,
//! and that no other key is down: two round trips to the server as long as nothing changes.
//!
//! A held key repeats after some hundred milliseconds, and a driver that is late by that much
//! would double a step. So autorepeat is switched off for the keys in use while a surface
//! lives, and restored when it is dropped. If this process is killed before that, `xset r CODE`
//! restores it for a key code.
//!
//! Sources: X11 protocol; XTEST 2.2; X Resource 1.2; Composite 0.4; Inter-Client Communication
//! Conventions Manual 2.0; Extended Window Manager Hints 1.5.

pub(crate) mod desktop;
mod focus;
mod host;
mod keys;
mod photo;
mod search;
mod surface;

pub use host::X11Host;
pub use search::Target;
pub use surface::X11Surface;

use puzzleyard_harness::surface::SurfaceFault;
use x11rb::errors::{ConnectionError, ReplyError, ReplyOrIdError};
use x11rb::protocol::ErrorKind;

/// Why an operation on a window did not work.
#[derive(Debug)]
enum Trouble {
    /// For the caller to know.
    Fault(SurfaceFault),
    /// The server's answer, which may only mean that the window has just gone.
    Server(ReplyOrIdError),
}

impl Trouble {
    /// Whether the server does not know the window.
    fn names_window(&self) -> bool {
        let Self::Server(ReplyOrIdError::X11Error(error)) = self else {
            return false;
        };
        matches!(error.error_kind, ErrorKind::Window | ErrorKind::Drawable)
    }

    fn into_fault(self) -> SurfaceFault {
        match self {
            Self::Fault(fault) => fault,
            Self::Server(ReplyOrIdError::X11Error(error)) => SurfaceFault::Display(format!(
                "{:?} error of request {}",
                error.error_kind,
                error.request_name.unwrap_or("unknown")
            )),
            Self::Server(error) => SurfaceFault::Display(error.to_string()),
        }
    }
}

impl From<SurfaceFault> for Trouble {
    fn from(fault: SurfaceFault) -> Self {
        Self::Fault(fault)
    }
}

impl From<ReplyError> for Trouble {
    fn from(error: ReplyError) -> Self {
        Self::Server(error.into())
    }
}

impl From<ConnectionError> for Trouble {
    fn from(error: ConnectionError) -> Self {
        Self::Server(error.into())
    }
}

impl From<ReplyOrIdError> for Trouble {
    fn from(error: ReplyOrIdError) -> Self {
        Self::Server(error)
    }
}
