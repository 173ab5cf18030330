//! Property tests: what is written is read back, and hostile text harms nobody.

use proptest::prelude::*;
use puzzleyard_sudoku::format::{Entry, Kind};
use puzzleyard_sudoku::{Board, Shape};

use super::claims;

fn shape() -> impl Strategy<Value = Shape> {
    prop::sample::select(vec![
        (3, 3),
        (3, 3),
        (2, 2),
        (2, 3),
        (3, 2),
        (2, 4),
        (2, 5),
        (3, 4),
        (4, 3),
        (4, 4),
        (5, 5),
        (6, 6),
        (1, 5),
    ])
    .prop_map(|(rows, cols)| Shape::new(rows, cols).unwrap())
}

fn board(shape: Shape, least: u8) -> impl Strategy<Value = Board> {
    prop::collection::vec(least..=shape.size() as u8, shape.cells())
        .prop_map(move |digits| Board::from_digits(shape, digits).unwrap())
}

fn entry() -> impl Strategy<Value = Entry> {
    shape().prop_flat_map(|shape| {
        (
            board(shape, 0),
            prop::option::of(board(shape, 1)),
            prop::option::of(board(shape, 0)),
            prop::option::of("[a-z0-9é][a-z0-9 ,;.é\"]{0,18}[a-z0-9é]"),
        )
            .prop_map(|(board, solution, state, title)| Entry {
                board,
                solution,
                state,
                title,
                line: 0,
            })
    })
}

/// Text made of the pieces that readers look for.
fn pieces() -> impl Strategy<Value = String> {
    let pieces = [
        "53..7....",
        "123456789",
        ".",
        "0",
        "9",
        "A",
        "G",
        "\n",
        "\n\n",
        "\r\n",
        " ",
        ",",
        ";",
        "|",
        "#",
        "# t\n",
        "#Dx\n",
        "[Puzzle]\n",
        "[State]\n",
        "[",
        "]",
        "{",
        "}",
        "\"",
        ":",
        "\"puzzle\"",
        "\"puzzles\":[",
        "puzzle,solution\n",
        "+---+\n",
        "*-----*\n",
        "16 ",
        "Grid 01\n",
        "null",
        "é",
        "\u{feff}",
        "\u{0}",
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
        "1234341221434321",
        "12..34..",
    ];
    prop::collection::vec(prop::sample::select(pieces.to_vec()), 0..40)
        .prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn every_kind_reads_what_it_writes(entries in prop::collection::vec(entry(), 1..4)) {
        for kind in Kind::ALL {
            claims::survives(kind, &entries);
            for entry in &entries {
                claims::survives(kind, std::slice::from_ref(entry));
            }
        }
    }

    #[test]
    fn pieces_are_read_or_refused(kind in 0u8..8, text in pieces()) {
        let mut bytes = vec![kind];
        bytes.extend(text.bytes());
        claims::reader(&bytes);
        claims::lines(text.as_bytes());
    }

    #[test]
    fn bytes_are_read_or_refused(kind in 0u8..8, tail in prop::collection::vec(any::<u8>(), 0..300)) {
        let mut bytes = vec![kind];
        bytes.extend(&tail);
        claims::reader(&bytes);
        claims::lines(&tail);
    }

    #[test]
    fn small_boards_are_solved_by_the_rules(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
        claims::solving(&bytes);
    }
}
