//! `yard sokoban show`: boards in the terminal, or one as a picture.

use std::io::Write as _;

use puzzleyard_render::{Theme, ansi, draw_board, png, svg};
use puzzleyard_sokoban::rules::{FaultKind, Level, Waivers};

use crate::args::{Look, ShowArgs};
use crate::exit::Exit;
use crate::levels::{self, Entry};
use crate::stream;

/// Runs the command.
pub(crate) fn run(args: &ShowArgs) -> anyhow::Result<Exit> {
    if args.look != Look::Terminal {
        let entry = levels::read_one(&args.file, args.level)?;
        let bytes = picture(&entry, args)?;
        stream::out().write_all(&bytes)?;
        return Ok(Exit::Done);
    }
    let mut entries = levels::read(&args.file)?;
    if let Some(number) = args.level {
        entries = levels::choose(entries, number)?;
    }
    let mut out = stream::out();
    let colour = if out.is_terminal() && std::env::var_os("NO_COLOR").is_none() {
        ansi::Colour::TrueColor
    } else {
        ansi::Colour::None
    };
    for entry in entries {
        let level = shown(&entry)?;
        writeln!(out, "{} {}", entry.index, entry.title())?;
        writeln!(out, "{}", ansi::board(&level, level.start(), colour))?;
    }
    Ok(Exit::Done)
}

/// The level with every fault waived: what is wrong can be looked at too.
fn shown(entry: &Entry) -> anyhow::Result<Level> {
    entry.level(&Waivers::of(FaultKind::ALL))
}

fn picture(entry: &Entry, args: &ShowArgs) -> anyhow::Result<Vec<u8>> {
    let level = shown(entry)?;
    let theme = Theme::classic();
    Ok(if args.look == Look::Svg {
        svg::board(&level, level.start(), args.cell, &theme).into_bytes()
    } else {
        let picture = draw_board(&level, level.start(), args.cell, &theme);
        png::encode(&picture, png::Effort::Small)
    })
}
