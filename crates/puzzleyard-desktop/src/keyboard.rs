//! The server's keyboard map, read both ways: from key code to meaning for the window, from
//! meaning to key code for the driver.
//!
//! Symbols and their columns: X11 protocol, section 5 ("Keyboards"); numbers of the symbols:
//! the protocol's appendix A.

use puzzleyard_core::Direction;
use x11rb::connection::Connection;
use x11rb::errors::ReplyError;
use x11rb::protocol::xproto::{ConnectionExt as _, KeyButMask};

/// A symbol's number.
pub(crate) type Keysym = u32;

pub(crate) const ESCAPE: Keysym = 0xff1b;
pub(crate) const RETURN: Keysym = 0xff0d;
pub(crate) const SPACE: Keysym = 0x20;
pub(crate) const BACKSPACE: Keysym = 0xff08;
/// `Alt_L`, `Alt_R`, `Meta_L`, `Meta_R`, `Super_L`, `Super_R`, `Hyper_L`, `Hyper_R`.
const COMMAND_KEYS: [Keysym; 8] = [
    0xffe9, 0xffea, 0xffe7, 0xffe8, 0xffeb, 0xffec, 0xffed, 0xffee,
];

/// The symbol of an arrow key.
pub(crate) const fn arrow(way: Direction) -> Keysym {
    match way {
        Direction::Left => 0xff51,
        Direction::Up => 0xff52,
        Direction::Right => 0xff53,
        Direction::Down => 0xff54,
    }
}

/// The server's keyboard map, as it was when read.
#[derive(Clone, Debug)]
pub(crate) struct Keymap {
    first: u8,
    columns: usize,
    symbols: Vec<Keysym>,
    /// Modifiers that turn a key into a command of somebody else: control, alt, super.
    command_mask: u16,
    /// Key codes of the eight modifiers, shift first.
    modifiers: [Vec<u8>; 8],
}

impl Keymap {
    pub(crate) fn read(conn: &impl Connection) -> Result<Self, ReplyError> {
        let (first, last) = (conn.setup().min_keycode, conn.setup().max_keycode);
        let symbols = conn.get_keyboard_mapping(first, last - first + 1)?;
        let modifiers = conn.get_modifier_mapping()?;
        let symbols = symbols.reply()?;
        let modifiers = modifiers.reply()?.keycodes;
        let row = (modifiers.len() / 8).max(1);
        let mut map = Self {
            first,
            columns: usize::from(symbols.keysyms_per_keycode).max(1),
            symbols: symbols.keysyms,
            command_mask: u16::from(KeyButMask::CONTROL),
            modifiers: Default::default(),
        };
        for (bit, keys) in modifiers.chunks(row).take(8).enumerate() {
            map.modifiers[bit] = keys.iter().copied().filter(|&key| key != 0).collect();
            let is_command = map.modifiers[bit].iter().any(|&key| {
                map.symbols(key)
                    .iter()
                    .any(|symbol| COMMAND_KEYS.contains(symbol))
            });
            // Shift and lock are never commands, whatever else sits on those keys.
            if bit >= 2 && is_command {
                map.command_mask |= 1 << bit;
            }
        }
        Ok(map)
    }

    /// The symbols of a key code, one a column; empty for a code that the server does not have.
    pub(crate) fn symbols(&self, keycode: u8) -> &[Keysym] {
        let Some(at) = keycode.checked_sub(self.first) else {
            return &[];
        };
        let start = usize::from(at) * self.columns;
        self.symbols.get(start..start + self.columns).unwrap_or(&[])
    }

    /// The symbols to try for a key event, likeliest first: those of the layout in force, then
    /// those of the others, so that letters work on a keyboard whose first layout has none.
    pub(crate) fn candidates(&self, keycode: u8, state: u16) -> impl Iterator<Item = Keysym> {
        let symbols = self.symbols(keycode);
        let layout = usize::from(state >> 13 & 3) * 2;
        let in_force = symbols.get(layout..).unwrap_or(&[]).iter().take(2);
        in_force
            .chain(symbols)
            .copied()
            .filter(|&symbol| symbol != 0)
    }

    /// The key code that gives `symbol` without any modifier, or `None`.
    pub(crate) fn keycode(&self, symbol: Keysym) -> Option<u8> {
        let at = self
            .symbols
            .chunks(self.columns)
            .position(|columns| columns.first() == Some(&symbol))?;
        u8::try_from(usize::from(self.first) + at).ok()
    }

    /// Whether a key event belongs to a command of somebody else.
    pub(crate) fn is_command(&self, state: u16) -> bool {
        state & self.command_mask != 0
    }

    /// The key codes of modifiers that change what an arrow key means: shift and the command
    /// modifiers, not the locks.
    pub(crate) fn meddlers(&self) -> impl Iterator<Item = u8> + '_ {
        self.modifiers
            .iter()
            .enumerate()
            .filter(|&(bit, _)| bit == 0 || self.command_mask >> bit & 1 == 1)
            .flat_map(|(_, keys)| keys.iter().copied())
    }
}

#[cfg(test)]
mod tests {
    use puzzleyard_core::Direction;

    use super::{Keymap, arrow};

    /// Key codes 8 to 10: nothing, Cyrillic `er` with a Latin `h` as second layout, left arrow.
    fn map() -> Keymap {
        Keymap {
            first: 8,
            columns: 4,
            symbols: vec![0, 0, 0, 0, 0x6d2, 0x6f2, 0x68, 0x48, 0xff51, 0, 0xff51, 0],
            command_mask: 0x4 | 0x8,
            modifiers: Default::default(),
        }
    }

    #[test]
    fn arrows_are_found_both_ways() {
        assert_eq!(map().keycode(arrow(Direction::Left)), Some(10));
        assert_eq!(map().keycode(arrow(Direction::Up)), None);
        assert_eq!(map().symbols(10)[0], arrow(Direction::Left));
        assert_eq!((map().symbols(7).len(), map().symbols(11).len()), (0, 0));
    }

    #[test]
    fn the_layout_in_force_comes_first() {
        let all = |state| map().candidates(9, state).collect::<Vec<_>>();
        assert_eq!(all(0)[0], 0x6d2);
        assert_eq!(all(1 << 13)[0], 0x68);
        assert!(all(0).contains(&0x68));
        assert_eq!(map().candidates(8, 0).count(), 0);
    }

    #[test]
    fn control_and_alt_are_commands_and_locks_are_not() {
        assert!(map().is_command(0x4) && map().is_command(0x8));
        assert!(!map().is_command(0x1 | 0x2 | 0x10));
    }
}
