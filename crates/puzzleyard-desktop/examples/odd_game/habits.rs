//! What can be asked of the game on its command line.

use std::path::PathBuf;
use std::time::Duration;

use crate::Failure;

/// How columns of the log are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// Commas, a header, letters.
    Plain,
    /// `;` between columns.
    Semicolon,
    /// Tabs between columns.
    Tab,
    /// No header.
    NoHeader,
    /// `left` instead of `L`, rows and columns from 1.
    Words,
}

/// How the result tells the steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum History {
    /// `"history": "RRD"`.
    Letters,
    /// `"history": ["R", "R", "D"]`.
    List,
    /// `"history": ["right", "right", "down"]`.
    Words,
    /// `"history": "rrd"`.
    Lower,
    /// `"moves": ["R", "R", "D"]`, and no `history`.
    Moves,
}

/// What the game waits for before its first step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Start {
    Nothing,
    Return,
    Space,
    Click,
}

/// The contract's flags, then the habits.
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent switches of a command line"
)]
#[derive(Debug)]
pub(crate) struct Habits {
    pub(crate) level: PathBuf,
    pub(crate) log: Option<PathBuf>,
    pub(crate) result: Option<PathBuf>,
    pub(crate) title: String,
    /// `--lag MS`: sleeps before each event.
    pub(crate) lag: Duration,
    /// `--drop-while-animating MS`: animates each step that long and is deaf meanwhile.
    pub(crate) animation: Duration,
    /// `--poll MS`: looks at the keyboard that often instead of taking key events.
    pub(crate) poll: Option<Duration>,
    /// `--late MS`: the window comes that late.
    pub(crate) late: Duration,
    /// `--deaf MS`: no key counts for that long after the window came.
    pub(crate) deaf: Duration,
    /// `--no-ping`: does not take part in the ping protocol.
    pub(crate) no_ping: bool,
    /// `--mute-ping`: takes part in it and never answers.
    pub(crate) mute_ping: bool,
    /// `--no-delete`: the window cannot be closed by a message, only by escape.
    pub(crate) no_delete: bool,
    /// `--stubborn`: ignores every wish to be closed.
    pub(crate) stubborn: bool,
    /// `--no-title`: calls its window something else.
    pub(crate) no_title: bool,
    /// `--take-focus`: takes the keyboard by itself when it is told that it may.
    pub(crate) take_focus: bool,
    /// `--no-pid`: does not tell its process.
    pub(crate) no_pid: bool,
    /// `--splash MS`: shows another window first.
    pub(crate) splash: Duration,
    /// `--large`: a window larger than the screen.
    pub(crate) large: bool,
    /// `--off-screen`: a window that hangs over the edge.
    pub(crate) off_screen: bool,
    /// `--start return|space|click`: takes no step before that.
    pub(crate) start: Start,
    /// `--csv semicolon|tab|noheader|words`.
    pub(crate) dialect: Dialect,
    /// `--history list|words|lower|moves`.
    pub(crate) history: History,
    /// `--log-at-exit`: writes the log when it is closed.
    pub(crate) log_at_exit: bool,
    /// `--result-at-exit`: writes the result when it is closed.
    pub(crate) result_at_exit: bool,
    /// `--die-at N`: ends with status 9 after that step.
    pub(crate) die_at: Option<usize>,
    /// `--hang-at N`: does nothing any more after that step.
    pub(crate) hang_at: Option<usize>,
    /// `--diverge-at N`: that step goes another way.
    pub(crate) diverge_at: Option<usize>,
    /// `--cover-at N`: opens a window over its own after that step.
    pub(crate) cover_at: Option<usize>,
    /// `--recreate-at N`: makes its window anew after that step.
    pub(crate) recreate_at: Option<usize>,
    /// `--wrapper`: runs the game in a child and waits for it. `--wrapper-gone`: does not wait.
    pub(crate) wrapped: Option<bool>,
}

impl Default for Habits {
    fn default() -> Self {
        let no_time = Duration::ZERO;
        Self {
            level: PathBuf::new(),
            log: None,
            result: None,
            title: "Odd game".into(),
            lag: no_time,
            animation: no_time,
            poll: None,
            late: no_time,
            deaf: no_time,
            no_ping: false,
            mute_ping: false,
            no_delete: false,
            stubborn: false,
            no_title: false,
            take_focus: false,
            no_pid: false,
            splash: no_time,
            large: false,
            off_screen: false,
            start: Start::Nothing,
            dialect: Dialect::Plain,
            history: History::Letters,
            log_at_exit: false,
            result_at_exit: false,
            die_at: None,
            hang_at: None,
            diverge_at: None,
            cover_at: None,
            recreate_at: None,
            wrapped: None,
        }
    }
}

impl Habits {
    /// Reads the command line without the program's name.
    pub(crate) fn read(mut arguments: impl Iterator<Item = String>) -> Result<Self, Failure> {
        let mut habits = Self::default();
        while let Some(flag) = arguments.next() {
            if habits.switch(&flag) {
                continue;
            }
            let value = arguments
                .next()
                .ok_or_else(|| format!("{flag} is unknown or lacks its value"))?;
            habits.set(&flag, value)?;
        }
        Ok(habits)
    }

    /// Sets a flag that has no value; false for any other.
    fn switch(&mut self, flag: &str) -> bool {
        let habit = match flag {
            "--no-ping" => &mut self.no_ping,
            "--mute-ping" => &mut self.mute_ping,
            "--no-delete" => &mut self.no_delete,
            "--stubborn" => &mut self.stubborn,
            "--no-title" => &mut self.no_title,
            "--take-focus" => &mut self.take_focus,
            "--no-pid" => &mut self.no_pid,
            "--large" => &mut self.large,
            "--off-screen" => &mut self.off_screen,
            "--log-at-exit" => &mut self.log_at_exit,
            "--result-at-exit" => &mut self.result_at_exit,
            "--wrapper" | "--wrapper-gone" => {
                self.wrapped = Some(flag == "--wrapper-gone");
                return true;
            }
            _ => return false,
        };
        *habit = true;
        true
    }

    fn set(&mut self, flag: &str, value: String) -> Result<(), Failure> {
        let time = || Ok::<_, Failure>(Duration::from_millis(value.parse()?));
        let step = || Ok::<_, Failure>(Some(value.parse()?));
        match flag {
            "--lag" => self.lag = time()?,
            "--drop-while-animating" => self.animation = time()?,
            "--poll" => self.poll = Some(time()?),
            "--late" => self.late = time()?,
            "--deaf" => self.deaf = time()?,
            "--splash" => self.splash = time()?,
            "--die-at" => self.die_at = step()?,
            "--hang-at" => self.hang_at = step()?,
            "--diverge-at" => self.diverge_at = step()?,
            "--cover-at" => self.cover_at = step()?,
            "--recreate-at" => self.recreate_at = step()?,
            "--level" => self.level = value.into(),
            "--log" => self.log = Some(value.into()),
            "--result" => self.result = Some(value.into()),
            "--title" => self.title = value,
            "--start" => {
                self.start = match value.as_str() {
                    "return" => Start::Return,
                    "space" => Start::Space,
                    "click" => Start::Click,
                    _ => Start::Nothing,
                }
            }
            "--csv" => {
                self.dialect = match value.as_str() {
                    "semicolon" => Dialect::Semicolon,
                    "tab" => Dialect::Tab,
                    "noheader" => Dialect::NoHeader,
                    "words" => Dialect::Words,
                    _ => Dialect::Plain,
                }
            }
            "--history" => {
                self.history = match value.as_str() {
                    "list" => History::List,
                    "words" => History::Words,
                    "lower" => History::Lower,
                    "moves" => History::Moves,
                    _ => History::Letters,
                }
            }
            other => return Err(format!("unknown flag {other}").into()),
        }
        Ok(())
    }
}
