//! The colours of a board and its window.

/// Colours, each `[red, green, blue]` in sRGB, 0 to 255.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Theme {
    /// Around the board, outside of the walls.
    pub backdrop: [u8; 3],
    /// Floor that the player can reach.
    pub floor: [u8; 3],
    /// Bricks of the walls.
    pub wall: [u8; 3],
    /// Joints between the bricks.
    pub joint: [u8; 3],
    /// Goal discs.
    pub goal: [u8; 3],
    /// Boxes that stand on no goal.
    pub crate_box: [u8; 3],
    /// Boxes on goals.
    pub box_on_goal: [u8; 3],
    /// The player's figure.
    pub player: [u8; 3],
    /// The player's face.
    pub skin: [u8; 3],
    /// The status bar during play.
    pub bar: [u8; 3],
    /// Letters on the status bar during play.
    pub bar_text: [u8; 3],
    /// The status bar and the banner once solved.
    pub solved: [u8; 3],
    /// Letters on those.
    pub solved_text: [u8; 3],
}

impl Theme {
    /// Grey walls, light floor, brown boxes that turn green on red goals, a blue player.
    pub const fn classic() -> Self {
        Self {
            backdrop: [44, 49, 58],
            floor: [231, 224, 208],
            wall: [138, 140, 145],
            joint: [92, 94, 99],
            goal: [214, 48, 49],
            crate_box: [168, 112, 56],
            box_on_goal: [62, 156, 74],
            player: [36, 99, 196],
            skin: [245, 205, 165],
            bar: [236, 237, 239],
            bar_text: [40, 44, 52],
            solved: [34, 139, 62],
            solved_text: [255, 255, 255],
        }
    }
}

impl Default for Theme {
    fn default() -> Self {
        Self::classic()
    }
}
