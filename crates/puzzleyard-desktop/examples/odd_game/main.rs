//! A Sokoban game with every bad habit that a driver has to live with, for tests.
//!
//! It knows nothing of this project's crates: rules, log and drawing are its own. Without
//! flags it behaves well; [`habits::Habits`] lists what can be asked of it.

mod board;
mod habits;
mod journal;
mod screen;

use std::process::{Command, ExitCode};
use std::thread::sleep;
use std::time::{Duration, Instant};

use board::{Board, Way};
use habits::{Habits, Start};
use journal::Journal;
use screen::{News, Screen};

/// An error of any kind: this program only prints it.
type Failure = Box<dyn std::error::Error>;

fn main() -> ExitCode {
    match run() {
        Ok(status) => ExitCode::from(status),
        #[expect(clippy::print_stderr, reason = "a program's way to say why it ends")]
        Err(error) => {
            eprintln!("odd game: {error}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<u8, Failure> {
    let habits = Habits::read(std::env::args().skip(1))?;
    if let Some(alone) = habits.wrapped {
        let arguments = std::env::args().skip(1);
        let mut child = Command::new(std::env::current_exe()?)
            .args(arguments.filter(|argument| !argument.starts_with("--wrapper")))
            .spawn()?;
        if alone {
            sleep(Duration::from_millis(30));
            return Ok(0);
        }
        return Ok(child.wait()?.code().unwrap_or(1) as u8);
    }
    sleep(habits.late);
    let board = Board::read(&std::fs::read_to_string(&habits.level)?)?;
    let screen = Screen::open(&habits, &board)?;
    let journal = Journal::open(&habits)?;
    let mut game = Game {
        shown: Instant::now(),
        busy_until: None,
        habits,
        board,
        screen,
        journal,
        taken: 0,
    };
    game.play()
}

struct Game {
    habits: Habits,
    board: Board,
    screen: Screen,
    journal: Journal,
    shown: Instant,
    /// The end of the animation that runs.
    busy_until: Option<Instant>,
    /// Steps taken.
    taken: usize,
}

impl Game {
    fn play(&mut self) -> Result<u8, Failure> {
        loop {
            match self.screen.next(&self.habits)? {
                Some(News::Close) => return self.leave(),
                Some(News::Draw) => self.draw()?,
                Some(News::Start(start)) if start == self.habits.start => {
                    self.habits.start = Start::Nothing;
                }
                Some(News::Key(way)) => {
                    if let Some(status) = self.press(way)? {
                        return Ok(status);
                    }
                }
                Some(News::Start(_)) | None => {}
            }
            if self.busy_until.is_some_and(|end| Instant::now() >= end) {
                self.busy_until = None;
                self.draw()?;
            }
        }
    }

    fn leave(&mut self) -> Result<u8, Failure> {
        self.journal.close(&self.habits, &self.board)?;
        Ok(if self.board.is_solved() { 0 } else { 3 })
    }

    fn draw(&self) -> Result<(), Failure> {
        self.screen.draw(&self.board, self.busy_until.is_some())
    }

    /// Takes a key. An exit status if that was the end.
    fn press(&mut self, way: Way) -> Result<Option<u8>, Failure> {
        let deaf = self.shown.elapsed() < self.habits.deaf || self.busy_until.is_some();
        let is_waiting = self.habits.start != Start::Nothing;
        if deaf || is_waiting || self.board.is_solved() {
            return Ok(None);
        }
        let next = self.taken + 1;
        let mut taken_way = way;
        if self.habits.diverge_at == Some(next) {
            let others = Way::ALL.into_iter().filter(|&other| other != way);
            let free: Vec<Way> = others.filter(|&other| self.board.can_step(other)).collect();
            taken_way = *free.first().unwrap_or(&way);
        }
        let Some(pushed) = self.board.step(taken_way) else {
            return Ok(None);
        };
        self.taken = next;
        self.journal
            .note(&self.habits, &self.board, taken_way, pushed)?;
        if !self.habits.animation.is_zero() {
            self.busy_until = Some(Instant::now() + self.habits.animation);
        }
        self.draw()?;
        if self.board.is_solved() && !self.habits.result_at_exit {
            Journal::result(&self.habits, &self.board)?;
        }
        self.misbehave(next)
    }

    fn misbehave(&mut self, step: usize) -> Result<Option<u8>, Failure> {
        if self.habits.recreate_at == Some(step) {
            self.screen.recreate(&self.habits, &self.board)?;
        }
        if self.habits.cover_at == Some(step) {
            self.screen.cover()?;
        }
        if self.habits.die_at == Some(step) {
            #[expect(clippy::print_stderr, reason = "dying words are what is tested")]
            {
                eprintln!("odd game: out of luck at step {step}");
            }
            return Ok(Some(9));
        }
        while self.habits.hang_at == Some(step) {
            sleep(Duration::from_secs(1));
        }
        Ok(None)
    }
}
