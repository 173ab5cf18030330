//! Sets of cells as bits: 27 bits a band, each band in 32 bits of its own.

/// A set of cells. Cell `c` is bit `c / 27 * 32 + c % 27`.
pub(super) type Cells = u128;

/// All 81 cells.
pub(super) const ALL: Cells = 0x07FF_FFFF | 0x07FF_FFFF << 32 | 0x07FF_FFFF << 64;

/// The set of this cell, `0..81`, alone.
pub(super) const fn bit(cell: usize) -> Cells {
    1 << (cell / 27 * 32 + cell % 27)
}

/// The cells of a set, ascending.
pub(super) fn cells(mut set: Cells) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let place = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(place / 32 * 27 + place % 32)
    })
}
