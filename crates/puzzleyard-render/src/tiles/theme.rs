//! Colours of the stamps, in the form of Latent Sokoban's level files.

use puzzleyard_core::Stream;
use serde::{Deserialize, Serialize};

/// The highest standard deviation of noise.
pub const MAX_NOISE: f64 = 64.0;

/// What random themes keep away from.
const DARKEST: i64 = 20;
const BRIGHTEST: i64 = 235;

/// Nine colours, each `[red, green, blue]` in sRGB, 0 to 255; a pattern; and noise.
///
/// The names are those of Latent Sokoban's theme objects, so that serde reads and writes them.
/// A key that is missing has the value of [`Theme::latent`], as there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Theme {
    /// Floor, and all that lies around the board.
    pub floor: [u8; 3],
    /// Floor where row plus column is odd, if `checker` is set.
    pub floor_alt: [u8; 3],
    /// Walls.
    pub wall: [u8; 3],
    /// The outermost pixels of a wall.
    pub wall_edge: [u8; 3],
    /// The ring on a goal.
    pub goal: [u8; 3],
    /// Boxes that stand on no goal.
    #[serde(rename = "box")]
    pub crate_box: [u8; 3],
    /// The outermost pixels of every box.
    pub box_edge: [u8; 3],
    /// Boxes on goals.
    pub box_on_goal: [u8; 3],
    /// The player's disc.
    pub player: [u8; 3],
    /// Whether the floor has two shades.
    pub checker: bool,
    /// Standard deviation of the noise on every channel, 0 to [`MAX_NOISE`]. Plain drawing
    /// leaves it out.
    #[serde(deserialize_with = "noise_std")]
    pub noise_std: f64,
}

/// Why a text is no theme.
#[derive(Debug, thiserror::Error)]
#[error("not a theme of nine colours, checker and noise_std: {0}")]
pub struct ThemeError(#[from] serde_json::Error);

impl Theme {
    /// The default theme of Latent Sokoban.
    pub const fn latent() -> Self {
        Self {
            floor: [222, 214, 186],
            floor_alt: [212, 204, 176],
            wall: [94, 84, 74],
            wall_edge: [64, 56, 48],
            goal: [196, 60, 60],
            crate_box: [176, 122, 54],
            box_edge: [120, 80, 30],
            box_on_goal: [206, 160, 70],
            player: [48, 108, 188],
            checker: true,
            noise_std: 0.0,
        }
    }

    /// The colours of our game window: boxes turn green on their goals, and the floor is of one
    /// shade.
    pub const fn house() -> Self {
        let classic = crate::Theme::classic();
        Self {
            floor: classic.floor,
            floor_alt: [223, 215, 198],
            wall: classic.wall,
            wall_edge: classic.joint,
            goal: classic.goal,
            crate_box: classic.crate_box,
            box_edge: [112, 72, 32],
            box_on_goal: classic.box_on_goal,
            player: classic.player,
            checker: false,
            noise_std: 0.0,
        }
    }

    /// A random theme around [`Theme::latent`], in the ranges of Latent Sokoban's split B: each
    /// channel of floor and wall moves by up to 70, of the second floor by up to 18 from the
    /// first, of the edges by up to 30, of the others by up to 45, all within 20 to 235;
    /// `checker` is a fair coin; `noise_std` is uniform from 0 to 6.
    ///
    /// Pure in `(seed, episode)`. The numbers are our own, not those of the original.
    pub fn jittered(seed: u64, episode: u64) -> Self {
        let mut draws = Draws {
            stream: Stream::new(seed, "theme of an episode"),
            next: episode.wrapping_mul(32),
        };
        let base = Self::latent();
        let floor = draws.around(base.floor, 70);
        Self {
            floor,
            floor_alt: draws.around(floor, 18),
            wall: draws.around(base.wall, 70),
            wall_edge: draws.around(base.wall_edge, 30),
            goal: draws.around(base.goal, 45),
            crate_box: draws.around(base.crate_box, 45),
            box_edge: draws.around(base.box_edge, 30),
            box_on_goal: draws.around(base.box_on_goal, 45),
            player: draws.around(base.player, 45),
            checker: draws.below(2) == 1,
            noise_std: draws.below(1 << 53) as f64 * (6.0 / (1u64 << 53) as f64),
        }
    }

    /// The theme of a JSON object, as in the level files of Latent Sokoban.
    ///
    /// # Errors
    /// What is no JSON, an unknown key, a colour that is not three integers from 0 to 255, a
    /// `noise_std` outside 0 to [`MAX_NOISE`]; with line and column.
    pub fn from_json(text: &str) -> Result<Self, ThemeError> {
        Ok(serde_json::from_str(text)?)
    }

    /// The theme as a JSON object, all keys written.
    ///
    /// # Errors
    /// A `noise_std` that is no number has no JSON.
    pub fn to_json(&self) -> Result<String, ThemeError> {
        Ok(serde_json::to_string(self)?)
    }
}

impl Default for Theme {
    fn default() -> Self {
        Self::latent()
    }
}

/// Reads a standard deviation.
fn noise_std<'de, D: serde::Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    let found = f64::deserialize(from)?;
    if (0.0..=MAX_NOISE).contains(&found) {
        return Ok(found);
    }
    Err(serde::de::Error::custom(format_args!(
        "noise_std is {found}, expected 0 to {MAX_NOISE}"
    )))
}

/// Numbers of one episode.
struct Draws {
    stream: Stream,
    next: u64,
}

impl Draws {
    fn below(&mut self, bound: u64) -> u64 {
        self.next = self.next.wrapping_add(1);
        self.stream.below(self.next.wrapping_sub(1), bound)
    }

    fn around(&mut self, colour: [u8; 3], by: i64) -> [u8; 3] {
        colour.map(|part| {
            let step = self.below(2 * by as u64 + 1) as i64 - by;
            (i64::from(part) + step).clamp(DARKEST, BRIGHTEST) as u8
        })
    }
}
