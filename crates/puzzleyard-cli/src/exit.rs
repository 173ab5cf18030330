//! Exit statuses, the same for all commands.

use std::fmt;
use std::process::ExitCode;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Done. A level that was given up is a result, not a failure.
    Done,
    /// Something that was asked for failed.
    Failed,
    /// The input, or a part of it, could not be read.
    BadInput,
    /// Ctrl-C; what there was has been kept.
    Interrupted,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Done => 0,
            Exit::Failed => 1,
            Exit::BadInput => 2,
            Exit::Interrupted => 130,
        })
    }
}

/// Input that cannot be used. Its message names file, place, what was found and what would be
/// right.
#[derive(Debug)]
pub(crate) struct BadInput(pub(crate) String);

impl fmt::Display for BadInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadInput {}

/// The status of an error: 2 if the input is to blame, else 1.
pub(crate) fn of_error(error: &anyhow::Error) -> Exit {
    if error.chain().any(<dyn std::error::Error>::is::<BadInput>) {
        Exit::BadInput
    } else {
        Exit::Failed
    }
}

/// The error and its causes on a line, without a cause that its effect has quoted already.
pub(crate) fn words(error: &anyhow::Error) -> String {
    let mut words = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if words.is_empty() {
            words = cause;
        } else if !words.ends_with(&cause) {
            words = format!("{words}: {cause}");
        }
    }
    words
}
