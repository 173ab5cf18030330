//! PNG: what is written reads back, also what others write; broken bytes are refused.

use ::png::{BitDepth, ColorType, Encoder};
use proptest::prelude::*;
use puzzleyard_render::Picture;
use puzzleyard_render::png::{Effort, PngError, decode, encode};

const EFFORTS: [Effort; 3] = [Effort::Small, Effort::Fast, Effort::Stored];

fn any_picture() -> impl Strategy<Value = Picture> {
    (1u32..40, 1u32..40).prop_flat_map(|(width, height)| {
        prop::collection::vec(any::<u8>(), (width * height * 3) as usize)
            .prop_map(move |rgb| Picture::from_rgb(width, height, rgb).expect("as many bytes"))
    })
}

/// A PNG as some other program might write it.
fn foreign(colour: ColorType, depth: BitDepth, size: (u32, u32), data: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, size.0, size.1);
    encoder.set_color(colour);
    encoder.set_depth(depth);
    if colour == ColorType::Indexed {
        encoder.set_palette(vec![10, 20, 30, 200, 100, 50]);
        encoder.set_trns(vec![255, 51]);
    }
    let mut writer = encoder.write_header().expect("a header");
    writer.write_image_data(data).expect("data");
    writer.finish().expect("an end");
    bytes
}

proptest! {
    #[test]
    fn what_is_written_reads_back(picture in any_picture()) {
        for effort in EFFORTS {
            prop_assert_eq!(&decode(&encode(&picture, effort)).unwrap(), &picture);
        }
    }

    #[test]
    fn broken_bytes_do_no_harm(
        picture in any_picture(),
        breaks in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
        cut in any::<prop::sample::Index>(),
    ) {
        let mut bytes = encode(&picture, Effort::Fast);
        for (at, byte) in breaks {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        let _ = decode(&bytes);
        bytes.truncate(cut.index(bytes.len()));
        let _ = decode(&bytes);
    }
}

/// Expected pixels by hand: grey thrice, alpha over black rounded, high bytes of 16 bits.
#[test]
fn every_colour_type_becomes_rgb() {
    let rows: [(ColorType, BitDepth, &[u8], [u8; 6]); 8] = [
        (
            ColorType::Grayscale,
            BitDepth::Eight,
            &[7, 250],
            [7, 7, 7, 250, 250, 250],
        ),
        (
            ColorType::Grayscale,
            BitDepth::One,
            &[0b0100_0000],
            [0, 0, 0, 255, 255, 255],
        ),
        (
            ColorType::Grayscale,
            BitDepth::Sixteen,
            &[9, 200, 8, 1],
            [9, 9, 9, 8, 8, 8],
        ),
        (
            ColorType::GrayscaleAlpha,
            BitDepth::Eight,
            &[100, 255, 100, 128],
            [100, 100, 100, 50, 50, 50],
        ),
        (
            ColorType::Rgba,
            BitDepth::Eight,
            &[10, 20, 30, 255, 200, 100, 50, 51],
            [10, 20, 30, 40, 20, 10],
        ),
        (
            ColorType::Rgba,
            BitDepth::Sixteen,
            &[10, 0, 20, 0, 30, 0, 255, 255, 1, 0, 2, 0, 3, 0, 0, 0],
            [10, 20, 30, 0, 0, 0],
        ),
        (
            ColorType::Rgb,
            BitDepth::Sixteen,
            &[1, 9, 2, 9, 3, 9, 4, 9, 5, 9, 6, 9],
            [1, 2, 3, 4, 5, 6],
        ),
        (
            ColorType::Indexed,
            BitDepth::Eight,
            &[0, 1],
            [10, 20, 30, 40, 20, 10],
        ),
    ];
    for (colour, depth, data, rgb) in rows {
        let picture = decode(&foreign(colour, depth, (2, 1), data)).expect("a picture");
        assert_eq!(picture.rgb(), rgb, "{colour:?} {depth:?}");
    }
}

#[test]
fn large_and_broken_files_are_refused_with_the_reason() {
    let good = encode(&Picture::filled(3, 2, [1, 2, 3]), Effort::Small);
    // A header of 20,000 x 20,000 pixels; its checksum is that of zlib's crc32.
    let mut large = good.clone();
    large[16..24].copy_from_slice(&[0, 0, 0x4e, 0x20, 0, 0, 0x4e, 0x20]);
    let check = crc32(&large[12..29]);
    large[29..33].copy_from_slice(&check.to_be_bytes());
    assert!(matches!(
        decode(&large),
        Err(PngError::TooLarge {
            width: 20_000,
            height: 20_000
        })
    ));
    let rows: [&[u8]; 5] = [b"", b"GIF89a", &good[..8], &good[..40], &large[..33]];
    for bytes in rows {
        let error = decode(bytes).expect_err("no picture");
        let text = error.to_string();
        assert!(text.contains("PNG") && !text.contains('\n'), "{text}");
    }
}

/// CRC-32 as PNG defines it (ISO/IEC 15948, annex D), bit by bit.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| {
            (crc >> 1) ^ (0xedb8_8320 * (crc & 1))
        })
    })
}

#[test]
fn an_empty_picture_has_no_png() {
    for effort in EFFORTS {
        assert!(encode(&Picture::filled(0, 5, [0; 3]), effort).is_empty());
    }
}
