//! SVG, read back by an XML parser.

use std::collections::BTreeMap;

use proptest::prelude::*;
use puzzleyard_render::{Theme, svg};

use crate::boards::any_level;

/// Row, column and length of each strip of a path `M<x> <y>h<w>v100h-<w>z ...`, in squares.
fn strips(path: &str) -> Vec<(u32, u32, u32)> {
    path.split('M')
        .filter(|part| !part.is_empty())
        .map(|part| {
            let (start, rest) = part.split_once('h').expect("a width");
            let (x, y) = start.split_once(' ').expect("two numbers");
            let width = rest.split('v').next().expect("a width");
            let number = |text: &str| text.parse::<u32>().expect("a number") / 100;
            (number(y), number(x), number(width))
        })
        .collect()
}

proptest! {
    /// The drawing refers to defined shapes only, and the board can be read off it.
    #[test]
    fn the_board_can_be_read_back(level in any_level(5, 7), cell in 1u32..99) {
        let state = level.start();
        let text = svg::board(&level, state, cell, &Theme::classic());
        let document = roxmltree::Document::parse(&text).unwrap();
        let root = document.root_element();
        let width = (9 * cell).to_string();
        prop_assert_eq!(root.attribute("width"), Some(width.as_str()));
        prop_assert_eq!(root.attribute("viewBox"), Some("0 0 900 700"));
        let ids: Vec<&str> = document.descendants().filter_map(|node| node.attribute("id")).collect();
        let mut seen = BTreeMap::new();
        for node in root.children().filter(roxmltree::Node::is_element) {
            if let Some(name) = node.attribute("class") {
                for (row, col, width) in strips(node.attribute("d").unwrap()) {
                    for col in col..col + width {
                        let glyph = if name == "wall" { '#' } else { ' ' };
                        prop_assert!(seen.insert((row, col), glyph).is_none());
                    }
                }
            } else if let Some(name) = node.attribute(("http://www.w3.org/1999/xlink", "href")) {
                let name = name.strip_prefix('#').unwrap();
                prop_assert!(ids.contains(&name), "{}", name);
                let at = |axis| node.attribute(axis).unwrap().parse::<u32>().unwrap() / 100;
                let place = (at("y"), at("x"));
                let glyph = match (name, seen[&place]) {
                    ("goal" | "ring", ' ') => '.',
                    ("player", ' ') => '@',
                    ("player", '.') => '+',
                    ("box", ' ') => '$',
                    ("box-on-goal", '.') => '*',
                    other => panic!("{other:?}"),
                };
                seen.insert(place, glyph);
            }
        }
        for place in level.area().cells() {
            let glyph = seen.get(&(u32::from(place.row), u32::from(place.col)));
            let expected = level.square(state, place).glyph();
            prop_assert_eq!(*glyph.unwrap_or(&' '), expected);
        }
    }
}
