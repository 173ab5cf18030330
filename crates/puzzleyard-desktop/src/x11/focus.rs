//! Who has the keyboard, and how the game's window gets it.

use std::thread::sleep;
use std::time::{Duration, Instant};

use puzzleyard_harness::surface::SurfaceFault;
use x11rb::connection::Connection as _;
use x11rb::errors::ReplyError;
use x11rb::properties::WmHints;
use x11rb::protocol::xproto::{
    ClientMessageEvent, ConfigureWindowAux, ConnectionExt as _, EventMask, InputFocus, StackMode,
    Window,
};

use super::Trouble;
use super::desktop::{Desktop, ICONIC};

/// How long one way of asking for the keyboard may take.
const PATIENCE: Duration = Duration::from_millis(400);
const TICK: Duration = Duration::from_millis(10);
/// How the request of a person's helper, rather than of a program, is marked.
const FROM_PAGER: u32 = 2;

/// Whether keys go to `window` while `focus` has the keyboard: to itself, to a part of it, or
/// to what the same program put around it.
pub(super) fn reaches(
    desktop: &Desktop,
    focus: Window,
    window: Window,
) -> Result<bool, ReplyError> {
    if focus == window {
        return Ok(true);
    }
    let special = [
        u32::from(InputFocus::NONE),
        u32::from(InputFocus::POINTER_ROOT),
    ];
    if special.contains(&focus) || focus == desktop.root {
        return Ok(false);
    }
    // The window that has the keyboard may go at any time.
    if desktop.line(focus).is_ok_and(|line| line.contains(&window)) {
        return Ok(true);
    }
    Ok(desktop.same_client(focus, window) && desktop.line(window)?.contains(&focus))
}

/// Raises `window` and gives it the keyboard, by every way that the display offers.
pub(super) fn give(desktop: &Desktop, window: Window) -> Result<(), Trouble> {
    for attempt in 0..3 {
        if attempt == 0 {
            ask_manager(desktop, window)?;
        } else {
            take_directly(desktop, window)?;
        }
        let deadline = Instant::now() + PATIENCE;
        loop {
            let focus = desktop.conn.get_input_focus()?.reply()?.focus;
            if reaches(desktop, focus, window)? {
                return Ok(());
            }
            if Instant::now() >= deadline {
                break;
            }
            sleep(TICK);
        }
    }
    let focus = desktop.conn.get_input_focus()?.reply()?.focus;
    let holder = match focus {
        0 => "nobody has it".to_owned(),
        1 => "it follows the pointer".to_owned(),
        other => {
            let title = desktop.title(other).unwrap_or_default();
            format!("window {other:#x} \"{title}\" has it")
        }
    };
    Err(SurfaceFault::NoFocus(format!("asked for it three times; {holder}")).into())
}

/// Asks the window manager; without one that takes requests, raises the window and takes the
/// keyboard.
fn ask_manager(desktop: &Desktop, window: Window) -> Result<(), ReplyError> {
    if !desktop.has_modern_manager()? {
        return take_directly(desktop, window);
    }
    let time = desktop.time()?;
    let request = ClientMessageEvent::new(
        32,
        window,
        desktop.atoms._NET_ACTIVE_WINDOW,
        [FROM_PAGER, time, 0, 0, 0],
    );
    let mask = EventMask::SUBSTRUCTURE_NOTIFY | EventMask::SUBSTRUCTURE_REDIRECT;
    desktop
        .conn
        .send_event(false, desktop.root, mask, request)?;
    Ok(desktop.conn.flush()?)
}

/// Raises the window and gives it the keyboard by the protocol's own request, or lets it take
/// the keyboard by itself if that is what it wants (ICCCM 4.1.7).
fn take_directly(desktop: &Desktop, window: Window) -> Result<(), ReplyError> {
    let conn = &desktop.conn;
    if desktop.state(window)? == Some(ICONIC) {
        // What the manager of an icon takes for the wish to see the window (ICCCM 4.1.4).
        conn.map_window(window)?;
    }
    let raise = ConfigureWindowAux::new().stack_mode(StackMode::ABOVE);
    for member in desktop.line(window)? {
        conn.configure_window(member, &raise)?;
    }
    let hints = WmHints::get(conn, window)?.reply()?;
    let wants_input = hints.and_then(|hints| hints.input).unwrap_or(true);
    if desktop.speaks(window, desktop.atoms.WM_TAKE_FOCUS)? {
        let time = desktop.time()?;
        let request = ClientMessageEvent::new(
            32,
            window,
            desktop.atoms.WM_PROTOCOLS,
            [desktop.atoms.WM_TAKE_FOCUS, time, 0, 0, 0],
        );
        conn.send_event(false, window, EventMask::NO_EVENT, request)?;
    }
    if wants_input {
        // Refused while the window is not viewable: the caller looks at the outcome.
        let asked = conn.set_input_focus(InputFocus::POINTER_ROOT, window, x11rb::CURRENT_TIME)?;
        asked.ignore_error();
    }
    Ok(conn.flush()?)
}
