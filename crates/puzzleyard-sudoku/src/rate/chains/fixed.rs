//! Fixed chains: every implication has one antecedent, so breadth-first search finds the
//! shortest chain to each node.

use super::{
    Closure, Hit, Kind, Link, NODES, Rules, Set, Why, Workshop, X, XY, Y, common, exclusion, extra,
    node, parts,
};
use crate::rate::geometry::{CELLS, PEERS, PLACE, UNITS, bits, ones, units_of};
use crate::rate::pencil::Pencil;
use crate::rate::technique::Technique;

/// The strong links of a grid.
struct Net<'a> {
    pencil: &'a Pencil,
    /// Cells with two candidates.
    pairs: u128,
    /// By digit: cells that share a unit with exactly one other place.
    strong: Set,
}

impl<'a> Net<'a> {
    fn new(pencil: &'a Pencil) -> Self {
        let cells = pencil.cells.iter().enumerate();
        let pairs = cells.fold(0, |set, (cell, mask)| {
            set | u128::from(mask.count_ones() == 2) << cell
        });
        let mut strong = [0; 10];
        for (unit, cells) in UNITS.iter().enumerate() {
            for (digit, strong) in strong.iter_mut().enumerate() {
                if pencil.spots[unit][digit].count_ones() == 2 {
                    *strong |= cells & pencil.places[digit];
                }
            }
        }
        Self {
            pencil,
            pairs,
            strong,
        }
    }

    /// The on nodes that an off node leads to, with the unit (27 for the cell).
    fn reactions(
        &self,
        cell: usize,
        digit: usize,
        rules: Rules,
    ) -> impl Iterator<Item = (usize, usize)> {
        let mask = self.pencil.cells[cell];
        let own = rules.cell && mask.count_ones() == 2 && mask >> digit & 1 == 1;
        let own = own.then(|| {
            (
                node(cell, (mask & !(1 << digit)).trailing_zeros() as usize, true),
                27,
            )
        });
        let units = units_of(cell).into_iter().zip(PLACE[cell]);
        let pencil = self.pencil;
        let others = units.filter_map(move |(unit, place)| {
            let spots = pencil.spots[unit][digit];
            let rest = spots & !(1 << place);
            (rules.unit && spots.count_ones() == 2 && rest.is_power_of_two()).then(|| {
                (
                    node(CELLS[unit][rest.trailing_zeros() as usize], digit, true),
                    unit,
                )
            })
        });
        own.into_iter().chain(others)
    }

    /// Everything that follows from `start`, into `out`; `from` gets the antecedent of each
    /// node reached. Returns the number of nodes made.
    fn spread(
        &self,
        start: usize,
        rules: Rules,
        out: &mut Closure,
        from: &mut [u16; NODES],
        queue: &mut Vec<u16>,
    ) -> usize {
        out.clear();
        queue.clear();
        let (cell, digit, on) = parts(start);
        out.size[start] = 1;
        if on {
            out.on[digit] |= 1 << cell;
            queue.push(start as u16);
        } else {
            out.off[digit] |= 1 << cell;
            self.react(start, rules, out, from, queue);
        }
        let mut head = 0;
        let mut made = 1;
        while head < queue.len() {
            let on = usize::from(queue[head]);
            head += 1;
            let (cell, digit, _) = parts(on);
            if rules.cell {
                for other in ones(self.pencil.cells[cell] & !(1 << digit)) {
                    let off = node(cell, other, false);
                    if out.off[other] >> cell & 1 == 0 {
                        out.off[other] |= 1 << cell;
                        out.size[off] = out.size[on] + 1;
                        from[off] = on as u16;
                        made += 1;
                        if rules.unit && self.strong[other] >> cell & 1 == 1 {
                            self.react(off, rules, out, from, queue);
                        }
                    }
                }
            }
            let fresh = PEERS[cell] & self.pencil.places[digit] & !out.off[digit];
            out.off[digit] |= fresh;
            let mut live = 0;
            if rules.unit {
                live |= self.strong[digit];
            }
            if rules.cell {
                live |= self.pairs;
            }
            for other in bits(fresh) {
                let off = node(other, digit, false);
                out.size[off] = out.size[on] + 1;
                from[off] = on as u16;
                made += 1;
                if live >> other & 1 == 1 {
                    self.react(off, rules, out, from, queue);
                }
            }
        }
        made + queue.len()
    }

    fn react(
        &self,
        off: usize,
        rules: Rules,
        out: &mut Closure,
        from: &mut [u16; NODES],
        queue: &mut Vec<u16>,
    ) {
        let (cell, digit, _) = parts(off);
        for (on, _) in self.reactions(cell, digit, rules) {
            let (other, digit, _) = parts(on);
            if out.on[digit] >> other & 1 == 0 {
                out.on[digit] |= 1 << other;
                out.size[on] = out.size[off] + 1;
                from[on] = off as u16;
                queue.push(on as u16);
            }
        }
    }
}

/// The candidates of a grid, cell by cell.
pub(super) fn candidates(pencil: &Pencil) -> impl Iterator<Item = (usize, usize)> + '_ {
    bits(pencil.open()).flat_map(|cell| ones(pencil.cells[cell]).map(move |digit| (cell, digit)))
}

/// Cycles and chains with one start: on one digit, through cells of two candidates, through
/// both.
pub(super) fn single(pencil: &Pencil, shop: &mut Workshop) -> Vec<Hit> {
    let net = Net::new(pencil);
    shop.fixed.resize(729, Closure::EMPTY);
    let mut hits = Vec::new();
    let mut from = [0; NODES];
    let mut queue = Vec::new();
    let mut scratch = Closure::EMPTY;
    for rules in [X, Y, XY] {
        for (cell, digit) in candidates(pencil) {
            let strong = net.strong[digit] >> cell & 1 == 1;
            let pair = net.pairs >> cell & 1 == 1;
            let useful = match rules {
                X => net.strong[digit] & (PEERS[cell] | 1 << cell) != 0,
                Y => pair,
                _ => true,
            };
            if !useful {
                continue;
            }
            let start = node(cell, digit, true);
            let on = if rules == XY {
                &mut shop.fixed[start / 2]
            } else {
                &mut scratch
            };
            let made = net.spread(start, rules, on, &mut from, &mut queue);
            shop.effort = shop.effort.saturating_sub(made as u64);
            if strong && rules.unit || pair && rules.cell {
                let on = &*on;
                cycles(&net, start, rules, on, &from, &mut hits);
            }
            if !rules.unit {
                continue;
            }
            if on.off[digit] >> cell & 1 == 1 {
                hits.push(chain(start, rules, on.size[start ^ 1]));
            }
            if strong || pair && rules.cell {
                let made = net.spread(start ^ 1, rules, &mut scratch, &mut from, &mut queue);
                shop.effort = shop.effort.saturating_sub(made as u64);
                if scratch.on[digit] >> cell & 1 == 1 {
                    hits.push(chain(start ^ 1, rules, scratch.size[start]));
                }
            }
        }
    }
    hits
}

fn chain(start: usize, rules: Rules, size: u16) -> Hit {
    let (technique, base) = if rules == X {
        (Technique::XChain, 66)
    } else {
        (Technique::ForcingChain, 70)
    };
    Hit {
        score: base + extra(u32::from(size)),
        size: u32::from(size),
        technique,
        kind: Kind::Chain,
        start,
        end: start ^ 1,
        rules,
        struck: [0; 10],
    }
}

/// The cycles through `start` that strike something. `on` is what follows from it, `from` how.
/// Any on node of the tree that turns off the far end of a strong link of the start closes one.
fn cycles(
    net: &Net<'_>,
    start: usize,
    rules: Rules,
    on: &Closure,
    from: &[u16; NODES],
    hits: &mut Vec<Hit>,
) {
    let (cell, digit, _) = parts(start);
    for (partner, _) in net.reactions(cell, digit, rules) {
        // The link is strong both ways: off at its other end gives the start.
        let last = partner ^ 1;
        let (other, twin, _) = parts(last);
        let mut close = |cell: usize, digit: usize| {
            let via = node(cell, digit, true);
            if via != start
                && let Some(struck) = cancelled(net.pencil, start, via, last, from)
            {
                let size = u32::from(on.size[via]) + 1;
                let (technique, base) = match rules {
                    X => (Technique::XCycle, 65),
                    Y => (Technique::YCycle, 65),
                    _ => (Technique::XyCycle, 70),
                };
                hits.push(Hit {
                    score: base + extra(size),
                    size,
                    technique,
                    kind: Kind::Cycle(via),
                    start,
                    end: last,
                    rules,
                    struck,
                });
            }
        };
        bits(on.on[twin] & PEERS[other]).for_each(|cell| close(cell, twin));
        if rules.cell {
            ones(net.pencil.cells[other] & !(1 << twin))
                .filter(|&digit| on.on[digit] >> other & 1 == 1)
                .for_each(|digit| close(other, digit));
        }
    }
}

/// The candidates that fall whichever way the ring from `start` over `via` to `last` is read;
/// `None` if there are none or the ring meets itself.
fn cancelled(
    pencil: &Pencil,
    start: usize,
    via: usize,
    last: usize,
    from: &[u16; NODES],
) -> Option<Set> {
    let (mut seen, mut ring) = ([[0u128; 10]; 2], [0u128; 10]);
    let mut at = last;
    loop {
        let (cell, digit, on) = parts(at);
        if ring[digit] >> cell & 1 == 1 {
            return None;
        }
        seen[usize::from(on)][digit] |= PEERS[cell];
        ring[digit] |= 1 << cell;
        if at == start {
            break;
        }
        at = if at == last {
            via
        } else {
            usize::from(from[at])
        };
    }
    let struck: Set = std::array::from_fn(|digit| {
        seen[0][digit] & seen[1][digit] & pencil.places[digit] & !ring[digit]
    });
    struck.iter().any(|&set| set != 0).then_some(struck)
}

/// Cells with at least three candidates and units with at least three places. Rests on the
/// closures that [`single`] left for the same grid.
///
/// A unit is looked at only if its first place has three candidates or more: the behaviour of
/// the program that the published ratings come from, kept for the sake of the scale.
pub(super) fn multiple(pencil: &Pencil, shop: &mut Workshop) -> Vec<Hit> {
    if shop.fixed.len() < 729 {
        return Vec::new();
    }
    let mut hits = Vec::new();
    let mut take = |starts: &[usize], technique, kind| {
        let closures: Vec<&Closure> = starts.iter().map(|&start| &shop.fixed[start / 2]).collect();
        for (end, size) in common(&closures) {
            hits.push(Hit {
                score: 80 + extra(size),
                size,
                technique,
                kind,
                start: starts[0],
                end,
                rules: XY,
                struck: [0; 10],
            });
        }
    };
    for (cell, digit) in candidates(pencil) {
        for unit in [units_of(cell)[2], units_of(cell)[0], units_of(cell)[1]] {
            let places = pencil.places[digit] & UNITS[unit];
            let several = pencil.cells[cell].count_ones() > 2;
            if several && places.count_ones() > 2 && places.trailing_zeros() as usize == cell {
                let starts: Vec<usize> = bits(places).map(|cell| node(cell, digit, true)).collect();
                take(
                    &starts,
                    Technique::RegionForcingChains,
                    Kind::Region(unit, digit),
                );
            }
        }
        let mask = pencil.cells[cell];
        if mask.count_ones() > 2 && mask.leading_zeros() as usize == 15 - digit {
            let starts: Vec<usize> = ones(mask).map(|digit| node(cell, digit, true)).collect();
            take(&starts, Technique::CellForcingChains, Kind::Cell(cell));
        }
    }
    hits
}

/// The links from `start` to `end`; for a cycle, over the on node `via`.
pub(super) fn trace(
    pencil: &Pencil,
    start: usize,
    end: usize,
    via: Option<usize>,
    rules: Rules,
) -> Vec<Link> {
    let net = Net::new(pencil);
    let mut from = [0; NODES];
    let mut out = Closure::EMPTY;
    net.spread(start, rules, &mut out, &mut from, &mut Vec::new());
    let mut nodes = vec![end];
    nodes.extend(via);
    // A chain has at most as many nodes as there are.
    while nodes[nodes.len() - 1] != start && nodes.len() < NODES {
        nodes.push(usize::from(from[nodes[nodes.len() - 1]]));
    }
    nodes.reverse();
    let mut links: Vec<Link> = Vec::with_capacity(nodes.len());
    for (index, &at) in nodes.iter().enumerate() {
        let (cell, digit, on) = parts(at);
        let why = match links.last() {
            None => Why::Assumed,
            Some(last) if on => net
                .reactions(last.cell, usize::from(last.digit), rules)
                .find(|reaction| reaction.0 == at)
                .map_or(Why::LastInCell, |(_, unit)| {
                    if unit == 27 {
                        Why::LastInCell
                    } else {
                        Why::LastInUnit(unit)
                    }
                }),
            Some(last) => exclusion(last.cell, cell),
        };
        links.push(Link {
            cell,
            digit: digit as u8,
            on,
            from: index.checked_sub(1).into_iter().collect(),
            why,
        });
    }
    links
}
