//! The 27 units and the cells each cell sees, as sets of 81 bits.

use crate::model::{box_of, col_of, row_of};
use crate::rules::{Unit, sees};

/// All nine digits, bits 1 to 9.
pub(super) const ALL: u16 = 0x3FE;

/// The first box among the units: rows are 0 to 8, columns 9 to 17, boxes 18 to 26.
pub(super) const BOX: usize = 18;

/// The units, boxes first, then rows, then columns: the order people look in.
pub(super) const ORDER: [usize; 27] = {
    let mut order = [0; 27];
    let mut index = 0;
    while index < 27 {
        order[index] = (BOX + index) % 27;
        index += 1;
    }
    order
};

/// The units as sets of cells.
pub(super) const UNITS: [u128; 27] = {
    let mut units = [0; 27];
    let mut cell = 0;
    while cell < 81 {
        let mut kind = 0;
        while kind < 3 {
            units[units_of(cell)[kind]] |= 1 << cell;
            kind += 1;
        }
        cell += 1;
    }
    units
};

/// The nine cells of each unit, ascending.
pub(super) const CELLS: [[usize; 9]; 27] = {
    let mut cells = [[0; 9]; 27];
    let mut cell = 0;
    while cell < 81 {
        let mut kind = 0;
        while kind < 3 {
            cells[units_of(cell)[kind]][PLACE[cell][kind] as usize] = cell;
            kind += 1;
        }
        cell += 1;
    }
    cells
};

/// The place of each cell in its row, its column and its box, 0 to 8.
pub(super) const PLACE: [[u8; 3]; 81] = {
    let mut place = [[0; 3]; 81];
    let mut cell = 0;
    while cell < 81 {
        let (row, col) = (row_of(cell), col_of(cell));
        place[cell] = [col as u8, row as u8, (row % 3 * 3 + col % 3) as u8];
        cell += 1;
    }
    place
};

/// The units of a cell: row, column, box.
pub(super) const fn units_of(cell: usize) -> [usize; 3] {
    [row_of(cell), 9 + col_of(cell), BOX + box_of(cell)]
}

/// The 20 cells that each cell sees.
pub(super) const PEERS: [u128; 81] = {
    let mut peers = [0; 81];
    let mut cell = 0;
    while cell < 81 {
        let mut other = 0;
        while other < 81 {
            if sees(cell, other) {
                peers[cell] |= 1 << other;
            }
            other += 1;
        }
        cell += 1;
    }
    peers
};

/// The members of a set of cells, ascending.
pub(super) fn bits(mut set: u128) -> impl Iterator<Item = usize> + Clone {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let cell = set.trailing_zeros() as usize;
            set &= set - 1;
            cell
        })
    })
}

/// The members of a mask of digits, places or units, ascending.
pub(super) fn ones(mask: impl Into<u32>) -> impl Iterator<Item = usize> + Clone {
    let mut mask: u32 = mask.into();
    std::iter::from_fn(move || {
        (mask != 0).then(|| {
            let bit = mask.trailing_zeros() as usize;
            mask &= mask - 1;
            bit
        })
    })
}

/// The cells at the places of a unit.
pub(super) fn cells_at(unit: usize, places: u16) -> u128 {
    ones(places).fold(0, |set, place| set | 1 << CELLS[unit][place])
}

/// The cells that every cell of the set sees.
pub(super) fn common_peers(set: u128) -> u128 {
    bits(set).fold(!0, |common, cell| common & PEERS[cell])
}

/// The units that hold the whole set, ascending.
pub(super) fn common_units(set: u128) -> impl Iterator<Item = usize> {
    (0..27).filter(move |&unit| set & !UNITS[unit] == 0)
}

/// The unit behind an index.
pub(super) fn unit(index: usize) -> Unit {
    match index / 9 {
        0 => Unit::Row(index),
        1 => Unit::Column(index - 9),
        _ => Unit::Box(index - BOX),
    }
}

/// The `size`-member subsets of a list whose masks have a union of exactly `size` bits, in
/// lexical order, until `take` returns something. Members are given as indices into `masks`.
pub(super) fn tuples<T>(
    masks: &[u16],
    size: u32,
    take: &mut dyn FnMut(&[usize], u16) -> Option<T>,
) -> Option<T> {
    fn deepen<T>(
        masks: &[u16],
        size: u32,
        chosen: &mut [usize; 4],
        count: usize,
        union: u16,
        take: &mut dyn FnMut(&[usize], u16) -> Option<T>,
    ) -> Option<T> {
        if count == size as usize {
            return (union.count_ones() == size)
                .then(|| take(&chosen[..count], union))
                .flatten();
        }
        let first = if count == 0 { 0 } else { chosen[count - 1] + 1 };
        (first..masks.len()).find_map(|index| {
            let wider = union | masks[index];
            if wider.count_ones() > size {
                return None;
            }
            chosen[count] = index;
            deepen(masks, size, chosen, count + 1, wider, take)
        })
    }
    deepen(masks, size.min(4), &mut [0; 4], 0, 0, take)
}
