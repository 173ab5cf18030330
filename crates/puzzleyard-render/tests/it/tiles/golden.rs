//! Pictures of Latent Sokoban, as hashes of what its own renderer drew.

use puzzleyard_core::ContentId;
use puzzleyard_render::tiles::{Geometry, Theme, TileSet};

use super::codes;

/// Board, hash of the observation, hash of the picture of the goal: the first sixteen digits
/// of SHA-256 over the raw bytes, taken from the original at commit 5348513.
const ROWS: [(&str, &str, &str); 3] = [
    (
        "######/#    #/# $. #/# @  #/#    #/######",
        "7eebfc07db6ad55f",
        "5d4769a1c61c1676",
    ),
    (
        "########/#@ $ * #/# .  . #/########/########/########/########/########",
        "430721addcaae22e",
        "c966fe54a13f67fc",
    ),
    // The first level of split S of seed 1006.
    (
        "########/#      #/#      #/#   .  #/#      #/#@  $  #/#    # #/########",
        "92324c43d780a4f6",
        "d0a71d92d7f2a4e8",
    ),
];

#[test]
fn the_bytes_of_the_original() {
    for (board, seen, goal) in ROWS {
        let (cells, rows, cols) = codes(board);
        let geometry = Geometry::latent(rows, cols).unwrap();
        let tiles = TileSet::new(&Theme::latent(), geometry);
        assert_eq!(tiles.bytes(), 64 * 64 * 3);
        let mut canvas = vec![0; tiles.bytes()];
        tiles.draw(&cells, cols, &mut canvas).unwrap();
        assert_eq!(ContentId::of(&canvas).to_string()[..16], *seen, "{board}");
        tiles.draw_goal(&cells, cols, &mut canvas).unwrap();
        assert_eq!(ContentId::of(&canvas).to_string()[..16], *goal, "{board}");
    }
}
