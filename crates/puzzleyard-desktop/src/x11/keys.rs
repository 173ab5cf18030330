//! Keys as a keyboard would send them, and a mouse's click.

use std::thread::sleep;
use std::time::{Duration, Instant};

use puzzleyard_harness::surface::{Key, SurfaceFault};
use x11rb::connection::Connection as _;
use x11rb::cookie::Cookie;
use x11rb::errors::ReplyError;
use x11rb::protocol::xproto::{
    AutoRepeatMode, BUTTON_PRESS_EVENT, BUTTON_RELEASE_EVENT, ChangeKeyboardControlAux,
    ConnectionExt as _, KEY_PRESS_EVENT, KEY_RELEASE_EVENT, Keycode, MOTION_NOTIFY_EVENT,
};
use x11rb::protocol::xtest::ConnectionExt as _;

use super::Trouble;
use super::desktop::Desktop;
use crate::keyboard::{self, Keymap, Keysym};

/// How long a modifier that somebody holds is waited for.
const PATIENCE: Duration = Duration::from_millis(600);
const TICK: Duration = Duration::from_millis(20);
/// How long a key of a foreign game stays up before it may go down again. Libraries take a
/// release and a press of one key that follow at once for autorepeat, which games ignore: SDL
/// within 2 ms, GLFW within 20 ms of the server's time.
pub(super) const GAP: Duration = Duration::from_millis(24);

/// Between the parts of a click: games that look at the mouse once a frame see each of them.
const CLICK: Duration = Duration::from_millis(80);

/// The keys that are ever sent.
const KEYS: [Keysym; 7] = [
    0xff51,
    0xff52,
    0xff53,
    0xff54,
    keyboard::ESCAPE,
    keyboard::RETURN,
    keyboard::SPACE,
];

/// The symbol of a key.
const fn symbol(key: Key) -> Keysym {
    match key {
        Key::Arrow(way) => keyboard::arrow(way),
        Key::Escape => keyboard::ESCAPE,
        Key::Return => keyboard::RETURN,
        Key::Space => keyboard::SPACE,
    }
}

/// What we hold down and what we changed on the keyboard.
#[derive(Debug)]
pub(super) struct Hand {
    keymap: Keymap,
    held: Vec<(Key, Keycode)>,
    /// The key that was let go last, and when.
    last: Option<(Key, Instant)>,
    /// How long a key stays up before it may go down again.
    gap: Duration,
    /// Keys whose autorepeat we switched off.
    quiet: Vec<Keycode>,
}

impl Hand {
    /// Reads the keyboard map and switches autorepeat off for the keys in use.
    pub(super) fn new(desktop: &Desktop, gap: Duration) -> Result<Self, ReplyError> {
        let mut hand = Self {
            keymap: Keymap::read(&desktop.conn)?,
            held: Vec::new(),
            last: None,
            gap,
            quiet: Vec::new(),
        };
        hand.quieten(desktop)?;
        Ok(hand)
    }

    /// The game takes every press for a press, however soon after a release.
    pub(super) fn trust(&mut self) {
        self.gap = Duration::ZERO;
    }

    /// The keyboard map has changed.
    pub(super) fn relearn(&mut self, desktop: &Desktop) -> Result<(), ReplyError> {
        self.keymap = Keymap::read(&desktop.conn)?;
        self.quieten(desktop)
    }

    fn quieten(&mut self, desktop: &Desktop) -> Result<(), ReplyError> {
        let repeats = desktop.conn.get_keyboard_control()?.reply()?.auto_repeats;
        for keycode in KEYS.into_iter().filter_map(|key| self.keymap.keycode(key)) {
            if is_set(&repeats, keycode) && !self.quiet.contains(&keycode) {
                set_repeat(desktop, keycode, AutoRepeatMode::OFF)?;
                self.quiet.push(keycode);
            }
        }
        Ok(desktop.conn.flush()?)
    }

    /// Presses `key`. The caller has made sure who gets it.
    pub(super) fn press(&mut self, desktop: &Desktop, key: Key) -> Result<(), Trouble> {
        let Some(keycode) = self.keymap.keycode(symbol(key)) else {
            return Err(SurfaceFault::Display(format!(
                "no key of the keyboard gives {key:?} by itself, expected one in the keyboard map"
            ))
            .into());
        };
        self.clear_way(desktop, keycode)?;
        if let Some((last, at)) = self.last
            && last == key
        {
            sleep(self.gap.saturating_sub(at.elapsed()));
        }
        self.held.push((key, keycode));
        fake(desktop, KEY_PRESS_EVENT, keycode)?;
        Ok(())
    }

    /// Lets `key` go; nothing happens if we do not hold it.
    pub(super) fn release(&mut self, desktop: &Desktop, key: Key) -> Result<(), Trouble> {
        while let Some(at) = self.held.iter().position(|&(held, _)| held == key) {
            let (_, keycode) = self.held.remove(at);
            fake(desktop, KEY_RELEASE_EVENT, keycode)?;
            self.last = Some((key, Instant::now()));
        }
        Ok(())
    }

    /// Makes sure that the key is up and that no modifier changes its meaning. What a program
    /// like us left pressed is let go; what a person holds is waited for.
    fn clear_way(&self, desktop: &Desktop, keycode: Keycode) -> Result<(), Trouble> {
        let deadline = Instant::now() + PATIENCE;
        let mut let_go = false;
        loop {
            let down = desktop.conn.query_keymap()?.reply()?.keys;
            let mut blocking: Vec<Keycode> = self
                .keymap
                .meddlers()
                .chain([keycode])
                .filter(|&code| is_set(&down, code))
                .collect();
            blocking.dedup();
            if blocking.is_empty() {
                return Ok(());
            }
            if !let_go {
                for &code in &blocking {
                    fake(desktop, KEY_RELEASE_EVENT, code)?;
                }
                let_go = true;
            } else if Instant::now() >= deadline {
                let codes: Vec<String> = blocking.iter().map(ToString::to_string).collect();
                return Err(SurfaceFault::Display(format!(
                    "somebody holds keys down that would change the meaning of ours: key code {}",
                    codes.join(", ")
                ))
                .into());
            } else {
                sleep(TICK);
            }
        }
    }

    /// Leaves the keyboard as it was found.
    pub(super) fn withdraw(&mut self, desktop: &Desktop) {
        // The display may be gone, and then there is nothing to restore.
        for (_, keycode) in self.held.drain(..) {
            let _ = fake(desktop, KEY_RELEASE_EVENT, keycode);
        }
        for keycode in self.quiet.drain(..) {
            let _ = set_repeat(desktop, keycode, AutoRepeatMode::ON);
        }
        let _ = desktop.conn.get_input_focus().map(Cookie::reply);
    }
}

/// Moves the pointer to a place on the screen and clicks the first button. The pointer stays.
pub(super) fn click(desktop: &Desktop, x: i16, y: i16) -> Result<(), ReplyError> {
    const FIRST: u8 = 1;
    let (now, root) = (x11rb::CURRENT_TIME, desktop.root);
    let fake = |kind, detail| -> Result<(), ReplyError> {
        desktop
            .conn
            .xtest_fake_input(kind, detail, now, root, x, y, 0)?
            .check()
    };
    fake(MOTION_NOTIFY_EVENT, 0)?;
    sleep(CLICK);
    fake(BUTTON_PRESS_EVENT, FIRST)?;
    sleep(CLICK);
    fake(BUTTON_RELEASE_EVENT, FIRST)
}

fn is_set(bits: &[u8; 32], keycode: Keycode) -> bool {
    bits[usize::from(keycode / 8)] >> (keycode % 8) & 1 == 1
}

fn set_repeat(desktop: &Desktop, keycode: Keycode, mode: AutoRepeatMode) -> Result<(), ReplyError> {
    let change = ChangeKeyboardControlAux::new()
        .key(u32::from(keycode))
        .auto_repeat_mode(mode);
    desktop.conn.change_keyboard_control(&change)?.check()
}

/// Returns once the server has made the event.
fn fake(desktop: &Desktop, kind: u8, keycode: Keycode) -> Result<(), ReplyError> {
    let (now, nowhere) = (x11rb::CURRENT_TIME, x11rb::NONE);
    desktop
        .conn
        .xtest_fake_input(kind, keycode, now, nowhere, 0, 0, 0)?
        .check()
}
