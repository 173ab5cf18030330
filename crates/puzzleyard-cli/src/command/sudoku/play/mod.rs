//! `yard sudoku play`: a game in the terminal.

mod game;
mod view;

use std::fs;
use std::io::{ErrorKind, IsTerminal as _};
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use puzzleyard_env::sudoku::{Difficulty, Settings, example};
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use ratatui::{DefaultTerminal, Frame};

use self::game::{Game, Saved};
use super::source::{Found, Source};
use crate::args::{DifficultyArg, PlayArgs};
use crate::exit::{BadInput, Exit};
use crate::interrupt::stop_on_interrupt;
use crate::stream;

/// The most bytes of a kept game.
const MOST: u64 = 1 << 16;

/// What a key asked for beyond the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wish {
    Stay,
    Leave,
    New(DifficultyArg),
}

/// Keys wait for a difficulty, or go to the game.
#[derive(Debug)]
struct Table {
    game: Game,
    choosing: bool,
}

/// Runs the command. Fails if there is no terminal.
pub(super) fn run(args: &PlayArgs) -> anyhow::Result<Exit> {
    let is_terminal = std::io::stdout().is_terminal() && std::io::stdin().is_terminal();
    anyhow::ensure!(
        is_terminal,
        "a game needs a terminal, and standard input or output is none (`yard sudoku hint` explains steps without)"
    );
    let seed = args
        .seed
        .unwrap_or_else(|| jiff::Timestamp::now().as_nanosecond() as u64);
    let mut table = Table {
        game: first(args, seed)?,
        choosing: false,
    };
    let stop = stop_on_interrupt()?;
    let mut terminal = ratatui::try_init().context("the terminal")?;
    let mut next = 1;
    let played = loop {
        match step(&mut terminal, &mut table) {
            Ok(Wish::Stay) if stop.raised().is_none() => {}
            Ok(Wish::New(difficulty)) => {
                let game = new(difficulty, seed, next);
                next += 1;
                match game {
                    Ok(game) => table.game = game,
                    Err(error) => table.game.message = error.to_string(),
                }
            }
            Ok(_) => break Ok(()),
            Err(error) => break Err(error),
        }
    };
    ratatui::restore();
    if let Some(file) = &args.save {
        save(&table.game, file)?;
        stream::say(format_args!("kept in {}", file.display()));
    }
    played?;
    Ok(if stop.raised().is_some() {
        Exit::Interrupted
    } else {
        Exit::Done
    })
}

/// The game to begin with: the one kept, the one of the file, or a new one.
fn first(args: &PlayArgs, seed: u64) -> anyhow::Result<Game> {
    if let Some(file) = &args.save
        && let Some(game) = load(file)?
    {
        if args.file.is_some() {
            let name = file.display();
            return Err(BadInput(format!(
                "{name} holds a game already: leave FILE out to go on with it"
            ))
            .into());
        }
        return Ok(game);
    }
    let Some(file) = &args.file else {
        return new(args.difficulty, seed, 0);
    };
    let bad = |why: String| BadInput(format!("{file}: {why}"));
    let rows = Source::open(file, 1)?.read();
    let row = rows
        .into_iter()
        .next()
        .ok_or_else(|| bad("no puzzle".into()))?;
    match row.found {
        Ok(Found::Grid(grid)) => Ok(Game::new(grid).map_err(bad)?),
        Ok(Found::Board(board)) => {
            Err(bad(format!("found {}, expected 9x9", board.shape())).into())
        }
        Err(fault) => Err(bad(fault.to_string()).into()),
    }
}

fn new(difficulty: DifficultyArg, seed: u64, index: u64) -> anyhow::Result<Game> {
    let difficulty = match difficulty {
        DifficultyArg::Easy => Difficulty::Easy,
        DifficultyArg::Medium => Difficulty::Medium,
        DifficultyArg::Hard => Difficulty::Hard,
    };
    let example = example(difficulty, index, seed, &Settings::default())?;
    Game::new(example.puzzle.parse()?).map_err(anyhow::Error::msg)
}

fn load(file: &Path) -> anyhow::Result<Option<Game>> {
    let bad = |why: String| BadInput(format!("{}: {why}", file.display()));
    match fs::metadata(file) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Ok(found) if found.len() > MOST => return Err(bad("larger than 64 KiB".into()).into()),
        _ => {}
    }
    let text = fs::read(file).map_err(|error| bad(error.to_string()))?;
    let saved: Saved = serde_json::from_slice(&text).map_err(|error| bad(error.to_string()))?;
    Ok(Some(Game::load(&saved).map_err(bad)?))
}

/// Keeps the game, whole or not at all.
fn save(game: &Game, file: &Path) -> anyhow::Result<()> {
    let folder = file.parent().filter(|it| !it.as_os_str().is_empty());
    let mut kept = tempfile::NamedTempFile::new_in(folder.unwrap_or(Path::new(".")))?;
    serde_json::to_writer(&mut kept, &game.saved())?;
    kept.persist(file)
        .with_context(|| file.display().to_string())?;
    Ok(())
}

/// Draws, and takes a key if one comes soon.
fn step(terminal: &mut DefaultTerminal, table: &mut Table) -> anyhow::Result<Wish> {
    let start = Instant::now();
    terminal.draw(|frame: &mut Frame<'_>| {
        view::draw(&table.game, frame.area(), frame.buffer_mut());
    })?;
    let mut wish = Wish::Stay;
    if event::poll(Duration::from_millis(200))?
        && let Event::Key(key) = event::read()?
        && key.kind != KeyEventKind::Release
    {
        wish = table.take(key);
    }
    if !table.game.is_solved() {
        table.game.played += start.elapsed();
    }
    Ok(wish)
}

impl Table {
    fn take(&mut self, key: KeyEvent) -> Wish {
        let game = &mut self.game;
        game.message.clear();
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            return match key.code {
                KeyCode::Char('c' | 'd') => Wish::Leave,
                _ => Wish::Stay,
            };
        }
        if std::mem::take(&mut self.choosing) {
            return match key.code {
                KeyCode::Char('1' | 'e') => Wish::New(DifficultyArg::Easy),
                KeyCode::Char('2' | 'm') => Wish::New(DifficultyArg::Medium),
                KeyCode::Char('3' | 'h') => Wish::New(DifficultyArg::Hard),
                _ => Wish::Stay,
            };
        }
        match key.code {
            KeyCode::Left | KeyCode::Char('h') => game.go(0, 8),
            KeyCode::Down | KeyCode::Char('j') => game.go(1, 0),
            KeyCode::Up | KeyCode::Char('k') => game.go(8, 0),
            KeyCode::Right | KeyCode::Char('l') => game.go(0, 1),
            KeyCode::Char(digit @ '1'..='9') => game.digit(digit as u8 - b'0'),
            KeyCode::Char('0' | '.' | ' ') | KeyCode::Delete | KeyCode::Backspace => game.clear(),
            KeyCode::Char('m') | KeyCode::Tab => game.marking = !game.marking,
            KeyCode::Char('a') => game.auto_marks(),
            KeyCode::Char('e') => game.show_errors = !game.show_errors,
            KeyCode::Char('t' | '?') => game.explain(),
            KeyCode::Enter => game.apply(),
            KeyCode::Char('u') => game.undo(),
            KeyCode::Char('r') => game.redo(),
            KeyCode::Char('n') => {
                self.choosing = true;
                game.message =
                    "A new puzzle: 1 easy, 2 medium, 3 hard; any other key stays.".into();
            }
            KeyCode::Char('q') | KeyCode::Esc => return Wish::Leave,
            _ => {}
        }
        Wish::Stay
    }
}

#[cfg(test)]
mod tests {
    use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

    use super::{Game, Table, Wish};
    use crate::args::DifficultyArg;

    fn table() -> Table {
        let easy =
            "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
        Table {
            game: Game::new(easy.parse().unwrap()).unwrap(),
            choosing: false,
        }
    }

    fn press(table: &mut Table, keys: &str) -> Wish {
        let key = |letter| KeyEvent::new(KeyCode::Char(letter), KeyModifiers::NONE);
        let wishes = keys.chars().map(|letter| table.take(key(letter)));
        wishes.last().unwrap()
    }

    #[test]
    fn keys_move_write_and_leave() {
        let mut table = table();
        assert_eq!(table.game.cursor, 2);
        assert_eq!(press(&mut table, "4"), Wish::Stay);
        assert_eq!(table.game.sheet.grid.digit(2), 4);
        press(&mut table, "hhhh");
        assert_eq!(table.game.cursor, 7, "around the edge");
        press(&mut table, "kl");
        assert_eq!(table.game.cursor, 80);
        press(&mut table, "u");
        assert_eq!(table.game.sheet.grid.digit(2), 0);
        assert_eq!(press(&mut table, "q"), Wish::Leave);
    }

    #[test]
    fn a_new_puzzle_is_chosen_with_a_second_key() {
        let mut table = table();
        assert_eq!(press(&mut table, "n3"), Wish::New(DifficultyArg::Hard));
        assert_eq!(press(&mut table, "nx"), Wish::Stay);
        assert_eq!(
            press(&mut table, "nq"),
            Wish::Stay,
            "the second key is taken"
        );
        assert_eq!(press(&mut table, "q"), Wish::Leave);
    }
}
