//! A picture in memory.

use std::fmt;

/// An RGB picture: `height * width * 3` bytes (`u8`, 0 to 255), row by row from the top,
/// red, green, blue of each pixel.
#[derive(Clone, PartialEq, Eq)]
pub struct Picture {
    width: u32,
    height: u32,
    rgb: Vec<u8>,
}

impl Picture {
    /// A picture of one colour.
    pub fn filled(width: u32, height: u32, colour: [u8; 3]) -> Self {
        Self {
            width,
            height,
            rgb: colour.repeat(width as usize * height as usize),
        }
    }

    /// A picture of these bytes, or `None` if their number is not `width * height * 3`.
    pub fn from_rgb(width: u32, height: u32, rgb: Vec<u8>) -> Option<Self> {
        let expected = (width as usize)
            .checked_mul(height as usize)?
            .checked_mul(3)?;
        (rgb.len() == expected).then_some(Self { width, height, rgb })
    }

    /// Columns of pixels.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Rows of pixels.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// The bytes.
    pub fn rgb(&self) -> &[u8] {
        &self.rgb
    }

    /// The pixel at row `y` and column `x`, or `None` outside.
    pub fn pixel(&self, x: u32, y: u32) -> Option<[u8; 3]> {
        if x >= self.width || y >= self.height {
            return None;
        }
        let at = (y as usize * self.width as usize + x as usize) * 3;
        Some([self.rgb[at], self.rgb[at + 1], self.rgb[at + 2]])
    }

    /// Sets the pixel at row `y` and column `x`; outside, nothing happens.
    pub fn set(&mut self, x: u32, y: u32, colour: [u8; 3]) {
        if x < self.width && y < self.height {
            let at = (y as usize * self.width as usize + x as usize) * 3;
            self.rgb[at..at + 3].copy_from_slice(&colour);
        }
    }

    /// Fills the rectangle whose top left pixel is at row `y` and column `x`. What lies
    /// outside the picture is left out.
    pub fn fill(&mut self, x: u32, y: u32, width: u32, height: u32, colour: [u8; 3]) {
        let bottom = y.saturating_add(height).min(self.height);
        for row in y..bottom {
            for pixel in self.span(x, row, width).chunks_exact_mut(3) {
                pixel.copy_from_slice(&colour);
            }
        }
    }

    /// The bytes of up to `width` pixels of row `y` from column `x` on; fewer, or none, where
    /// the picture ends.
    pub(crate) fn span(&mut self, x: u32, y: u32, width: u32) -> &mut [u8] {
        if y >= self.height {
            return &mut [];
        }
        let from = x.min(self.width) as usize;
        let to = x.saturating_add(width).min(self.width) as usize;
        let row = y as usize * self.width as usize;
        &mut self.rgb[(row + from) * 3..(row + to) * 3]
    }
}

impl fmt::Debug for Picture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Picture({} x {})", self.width, self.height)
    }
}
