//! Standard output for results and standard error for messages, for readers that may leave.
//!
//! A reader that closes the pipe (`| head -1`) has what it wants: what else is written goes
//! nowhere and is no failure. Any other fault of standard output is one. A message that cannot
//! be written is dropped, since there is nobody to tell.

use std::fmt;
use std::io::{self, ErrorKind, IsTerminal, StdoutLock, Write};

/// Standard output, locked.
#[derive(Debug)]
pub(crate) struct Out {
    inner: StdoutLock<'static>,
    gone: bool,
}

/// Standard output for the results of a command.
pub(crate) fn out() -> Out {
    Out {
        inner: io::stdout().lock(),
        gone: false,
    }
}

impl Out {
    /// Whether the reader has left.
    pub(crate) fn reader_left(&self) -> bool {
        self.gone
    }

    /// Whether people read it.
    pub(crate) fn is_terminal(&self) -> bool {
        self.inner.is_terminal()
    }

    fn unless_gone<T>(
        &mut self,
        otherwise: T,
        work: impl FnOnce(&mut StdoutLock<'static>) -> io::Result<T>,
    ) -> io::Result<T> {
        if self.gone {
            return Ok(otherwise);
        }
        match work(&mut self.inner) {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => {
                self.gone = true;
                Ok(otherwise)
            }
            result => result,
        }
    }
}

impl Write for Out {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.unless_gone(bytes.len(), |inner| inner.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.unless_gone((), Write::flush)
    }
}

/// Writes a message to standard error.
pub(crate) fn say(message: impl fmt::Display) {
    let _ = writeln!(anstream::stderr(), "{message}");
}
