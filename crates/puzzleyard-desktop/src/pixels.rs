//! Pictures to the server's pixels and back.
//!
//! All true-colour visuals with at most eight bits a channel go both ways without loss; more
//! bits are cut to the upper eight.

use puzzleyard_render::Picture;
use x11rb::connection::Connection;
use x11rb::errors::{ConnectionError, ParseError};
use x11rb::image::{BitsPerPixel, Image, ImageOrder, PixelLayout};
use x11rb::protocol::xproto::{Drawable, Gcontext, Setup, VisualClass, Visualid, Visualtype};

/// The description of a visual, or `None` if the server has none of that number.
fn visual_type(setup: &Setup, visual: Visualid) -> Option<Visualtype> {
    let depths = setup.roots.iter().flat_map(|screen| &screen.allowed_depths);
    let mut visuals = depths.flat_map(|depth| &depth.visuals);
    visuals.find(|found| found.visual_id == visual).copied()
}

/// How a visual packs red, green and blue, or `None` if it does not (palettes).
pub(crate) fn layout(setup: &Setup, visual: Visualid) -> Option<PixelLayout> {
    let found = visual_type(setup, visual)?;
    let packs = [VisualClass::TRUE_COLOR, VisualClass::DIRECT_COLOR].contains(&found.class);
    packs.then(|| PixelLayout::from_visual_type(found).ok())?
}

/// The pixel values of the 256 levels of each channel. Bits of no channel are set: on visuals
/// with an alpha channel they make the picture opaque.
fn levels(layout: PixelLayout, depth: u8) -> [[u32; 256]; 3] {
    let level = |value: usize| value as u16 * 257;
    let all = layout.encode((u16::MAX, u16::MAX, u16::MAX));
    let rest = u32::MAX.checked_shr(32 - u32::from(depth)).unwrap_or(0) & !all;
    [
        std::array::from_fn(|value| layout.encode((level(value), 0, 0)) | rest),
        std::array::from_fn(|value| layout.encode((0, level(value), 0))),
        std::array::from_fn(|value| layout.encode((0, 0, level(value)))),
    ]
}

/// A picture in the server's form. Sides are at most 32,767 pixels.
pub(crate) fn encode(
    setup: &Setup,
    depth: u8,
    layout: PixelLayout,
    picture: &Picture,
) -> Result<Image<'static>, ParseError> {
    let (width, height) = (picture.width() as u16, picture.height() as u16);
    let mut image = Image::allocate_native(width, height, depth, setup)?;
    let [red, green, blue] = levels(layout, depth);
    let pixels = picture.rgb().chunks_exact(3).map(|rgb| {
        red[usize::from(rgb[0])] | green[usize::from(rgb[1])] | blue[usize::from(rgb[2])]
    });
    let order = image.byte_order();
    if image.bits_per_pixel() == BitsPerPixel::B32 {
        for (bytes, pixel) in image.data_mut().chunks_exact_mut(4).zip(pixels) {
            bytes.copy_from_slice(&match order {
                ImageOrder::LsbFirst => pixel.to_le_bytes(),
                ImageOrder::MsbFirst => pixel.to_be_bytes(),
            });
        }
    } else {
        for (at, pixel) in pixels.enumerate() {
            let (x, y) = (at % usize::from(width), at / usize::from(width));
            image.put_pixel(x as u16, y as u16, pixel);
        }
    }
    Ok(image)
}

/// Shows `image` with its top left corner at `(x, y)` of `drawable`. Splits what is larger than
/// a request may be.
pub(crate) fn put(
    conn: &impl Connection,
    drawable: Drawable,
    gc: Gcontext,
    (x, y): (i16, i16),
    image: &Image<'_>,
) -> Result<(), ConnectionError> {
    image.put(conn, drawable, gc, x, y).map(drop)
}

/// The server's form back to a picture.
pub(crate) fn decode(image: &Image<'_>, layout: PixelLayout) -> Picture {
    let (width, height) = (image.width(), image.height());
    let mut rgb = Vec::with_capacity(usize::from(width) * usize::from(height) * 3);
    let mut push = |pixel: u32| {
        let (red, green, blue) = layout.decode(pixel);
        rgb.extend([(red >> 8) as u8, (green >> 8) as u8, (blue >> 8) as u8]);
    };
    let order = image.byte_order();
    if image.bits_per_pixel() == BitsPerPixel::B32 {
        let pixels = usize::from(width) * usize::from(height);
        for bytes in image.data().as_chunks::<4>().0.iter().take(pixels) {
            push(match order {
                ImageOrder::LsbFirst => u32::from_le_bytes(*bytes),
                ImageOrder::MsbFirst => u32::from_be_bytes(*bytes),
            });
        }
    } else {
        for y in 0..height {
            for x in 0..width {
                push(image.get_pixel(x, y));
            }
        }
    }
    Picture::from_rgb(width.into(), height.into(), rgb)
        .unwrap_or_else(|| Picture::filled(width.into(), height.into(), [0; 3]))
}

#[cfg(test)]
mod tests {
    use puzzleyard_render::Picture;
    use x11rb::image::{ColorComponent, PixelLayout};
    use x11rb::protocol::xproto::{Format, ImageOrder, Setup};

    use super::{decode, encode};

    fn setup(order: ImageOrder) -> Setup {
        let format = |depth, bits_per_pixel| Format {
            depth,
            bits_per_pixel,
            scanline_pad: 32,
        };
        Setup {
            image_byte_order: order,
            pixmap_formats: vec![
                format(16, 16),
                format(24, 32),
                format(32, 32),
                format(15, 24),
            ],
            ..Setup::default()
        }
    }

    fn layout(masks: [u32; 3]) -> PixelLayout {
        let [red, green, blue] = masks.map(|mask| ColorComponent::from_mask(mask).unwrap());
        PixelLayout::new(red, green, blue)
    }

    fn picture(step: usize) -> Picture {
        let rgb = (0..7 * 5 * 3).map(|at| (at * step % 256) as u8).collect();
        Picture::from_rgb(7, 5, rgb).unwrap()
    }

    /// Eight bits a channel come back exactly, five and six bits within a level.
    #[test]
    fn pictures_survive_the_way_there_and_back() {
        let rows = [
            (24, [0x00ff_0000, 0xff00, 0xff], 0),
            (24, [0xff, 0xff00, 0x00ff_0000], 0),
            (32, [0x00ff_0000, 0xff00, 0xff], 0),
            (16, [0xf800, 0x07e0, 0x001f], 8),
        ];
        for order in [ImageOrder::LSB_FIRST, ImageOrder::MSB_FIRST] {
            for (depth, masks, off) in rows {
                let layout = layout(masks);
                let sent = picture(37);
                let image = encode(&setup(order), depth, layout, &sent).unwrap();
                let back = decode(&image, layout);
                assert_eq!((back.width(), back.height()), (7, 5));
                for (a, b) in sent.rgb().iter().zip(back.rgb()) {
                    assert!(a.abs_diff(*b) <= off, "depth {depth}: {a} came back as {b}");
                }
            }
        }
    }

    /// The bytes that the protocol prescribes for the commonest server.
    #[test]
    fn little_endian_servers_want_blue_first() {
        let red = Picture::filled(1, 1, [1, 2, 3]);
        let layout = layout([0x00ff_0000, 0xff00, 0xff]);
        let image = encode(&setup(ImageOrder::LSB_FIRST), 24, layout, &red).unwrap();
        assert_eq!(image.data(), [3, 2, 1, 0]);
        let image = encode(&setup(ImageOrder::MSB_FIRST), 32, layout, &red).unwrap();
        assert_eq!(image.data(), [255, 1, 2, 3]);
    }
}
