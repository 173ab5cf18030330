//! Which of a display's windows is the game's.
//!
//! What a program tells about its window cannot be relied on: it may ignore `--title`, run
//! behind a wrapper, show a splash first or make its window anew. So every window gets a rank,
//! and the weaker the rank, the longer a better one is waited for.

use std::collections::BTreeSet;
use std::time::Duration;

use x11rb::errors::ReplyError;
use x11rb::protocol::xproto::{ConnectionExt as _, MapState, Window, WindowClass};

use super::desktop::{Desktop, ICONIC};
use crate::process::Process;

/// A running window, as a person would name it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// By its title; if no window bears exactly this, one that contains it.
    Title(String),
    /// By its number.
    Window(u32),
    /// By the process that owns it.
    Process(u32),
}

/// How sure it is that a window is the game's, surest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rank {
    /// It is the one asked for: by number, by process, or by exact title.
    Named,
    /// It belongs to the program that was started and its title contains the one asked for.
    Likely,
    /// It belongs to the program that was started.
    Kin,
    /// Its title contains the one asked for.
    Similar,
    /// It was not there before the start.
    New,
    /// It is the one asked for, but an icon for now.
    Iconified,
}

impl Rank {
    /// The least sure.
    pub(super) const WORST: Self = Self::Iconified;

    /// How long a better window is waited for.
    pub(super) const fn patience(self) -> Duration {
        Duration::from_millis(match self {
            Self::Named => 0,
            Self::Likely => 600,
            Self::Kin => 2500,
            Self::Similar => 3000,
            Self::New => 4000,
            Self::Iconified => 500,
        })
    }
}

/// What is known about the game's window.
#[derive(Clone, Debug)]
pub(super) struct Wanted {
    pub(super) target: Target,
    /// Windows that were there before the start: they are other people's.
    pub(super) before: BTreeSet<Window>,
    /// Whether a window counts for being new.
    pub(super) any_new: bool,
}

/// The smallest window that is taken for a game: columns and rows of pixels.
const SMALLEST: (u32, u32) = (32, 32);

impl Wanted {
    /// The likeliest window, if there is any.
    pub(super) fn find(
        &mut self,
        desktop: &Desktop,
        process: Option<&Process>,
    ) -> Result<Option<(Rank, Window)>, ReplyError> {
        let mut best: Option<(Rank, u64, Window)> = None;
        let clients = match self.target {
            Target::Window(window) => vec![window],
            _ => desktop.clients()?,
        };
        self.before.retain(|window| clients.contains(window));
        for window in clients {
            // A window that goes while it is looked at is none.
            let Ok(Some((rank, area))) = self.rank(desktop, process, window) else {
                continue;
            };
            // Of equals the largest, then the topmost.
            let better = best.is_none_or(|(old, size, _)| (rank, !area) <= (old, !size));
            if better {
                best = Some((rank, area, window));
            }
        }
        Ok(best.map(|(rank, _, window)| (rank, window)))
    }

    /// The window's rank and its size in pixels, or `None` if it cannot be the game's.
    fn rank(
        &self,
        desktop: &Desktop,
        process: Option<&Process>,
        window: Window,
    ) -> Result<Option<(Rank, u64)>, ReplyError> {
        let attributes = desktop.conn.get_window_attributes(window)?.reply()?;
        let place = desktop.place(window)?;
        let area = u64::from(place.width) * u64::from(place.height);
        let shown = attributes.map_state == MapState::VIEWABLE;
        let named = if shown { Rank::Named } else { Rank::Iconified };
        if attributes.class != WindowClass::INPUT_OUTPUT
            || !(shown || desktop.state(window)? == Some(ICONIC))
        {
            return Ok(None);
        }
        if matches!(self.target, Target::Window(_)) {
            return Ok(Some((named, area)));
        }
        let owners = desktop.owners(window)?;
        let kin = process.is_some_and(|process| owners.iter().any(|&pid| process.is_kin(pid)));
        // The server gives the numbers of windows that are gone to later ones, so the
        // program's own window counts even if its number was there before.
        if (self.before.contains(&window) && !kin)
            || place.width < SMALLEST.0
            || place.height < SMALLEST.1
            || desktop.is_minor(window)?
        {
            return Ok(None);
        }
        let rank = match &self.target {
            Target::Title(wanted) => {
                let title = desktop.title(window)?;
                let similar = !wanted.is_empty() && title.contains(wanted.as_str());
                if !wanted.is_empty() && title == *wanted {
                    Some(named)
                } else if !shown || (attributes.override_redirect && !similar) {
                    None
                } else {
                    match (similar, kin) {
                        (true, true) => Some(Rank::Likely),
                        (false, true) => Some(Rank::Kin),
                        (true, false) => Some(Rank::Similar),
                        (false, false) => self.any_new.then_some(Rank::New),
                    }
                }
            }
            Target::Process(pid) => owners.contains(pid).then_some(named),
            Target::Window(_) => None,
        };
        Ok(rank.map(|rank| (rank, area)))
    }
}
