//! `yard sokoban convert`: levels in another format.

use std::io::Write as _;

use puzzleyard_sokoban::format::{self, Collection};

use crate::args::{ConvertArgs, LevelFormat};
use crate::exit::{BadInput, Exit};
use crate::levels;
use crate::stream;

/// Runs the command.
pub(crate) fn run(args: &ConvertArgs) -> anyhow::Result<Exit> {
    let bytes = levels::read_bytes(&args.file)?;
    let mut collection =
        format::read(&bytes).map_err(|error| BadInput(format!("{}: {error}", args.file)))?;
    if let Some(number) = args.level {
        let count = collection.setups.len();
        let chosen = number
            .checked_sub(1)
            .filter(|&at| at < count)
            .ok_or_else(|| levels::no_level(&args.file, number, count))?;
        collection.setups = vec![collection.setups.swap_remove(chosen)];
    }
    let text = written(&collection, args.to);
    stream::out().write_all(text.as_bytes())?;
    Ok(Exit::Done)
}

fn written(collection: &Collection, to: LevelFormat) -> String {
    match to {
        LevelFormat::Xsb => format::xsb::write(collection),
        LevelFormat::Sok => format::sok::write(collection),
        LevelFormat::Rle => format::rle::write(collection),
        LevelFormat::Json => format::json::write(collection),
    }
}
