//! Starts programs that open a window.

use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use puzzleyard_harness::surface::{GameHost, Launch, Surface, SurfaceFault, SurfaceKind};

use super::Trouble;
use super::desktop::Desktop;
use super::search::{Target, Wanted};
use super::surface::X11Surface;
use crate::display::Display;
use crate::process::{Output, Process};

/// Starts a program on a display, with `--level PATH --log PATH --result PATH --title TEXT`
/// after its own arguments, and finds its window.
#[derive(Clone, Debug)]
pub struct X11Host {
    /// The display.
    pub display: Arc<Display>,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// Whether it is this project's own game. Keys of other games are given time to come up,
    /// as a person's are.
    pub own_game: bool,
    /// How long its window may take to be there.
    pub patience: Duration,
}

impl X11Host {
    /// Starts a foreign program whose window may take half a minute to be there.
    pub fn new(display: Arc<Display>, command: Vec<String>) -> Self {
        Self {
            display,
            command,
            own_game: false,
            patience: Duration::from_secs(30),
        }
    }

    /// Starts the game and finds its window, as [`GameHost::start`] does.
    ///
    /// # Errors
    /// The program does not start, ends at once, or shows no window in time.
    pub fn launch(&self, launch: &Launch) -> Result<X11Surface, SurfaceFault> {
        let Some((program, arguments)) = self.command.split_first() else {
            return Err(SurfaceFault::Gone("there is no command to start".into()));
        };
        let desktop = Desktop::open(self.display.name())?;
        let before = desktop
            .clients()
            .map_err(|error| Trouble::from(error).into_fault())?;
        let mut command = Command::new(program);
        command.args(arguments);
        command.arg("--level").arg(&launch.level);
        command.arg("--log").arg(&launch.log);
        command.arg("--result").arg(&launch.result);
        command.arg("--title").arg(&launch.title);
        // The window has to come up on this display, whatever else the program could use.
        command.env("DISPLAY", self.display.name());
        command.env_remove("WAYLAND_DISPLAY");
        for (variable, backend) in [
            ("SDL_VIDEODRIVER", "x11"),
            ("SDL_VIDEO_DRIVER", "x11"),
            ("GDK_BACKEND", "x11"),
            ("QT_QPA_PLATFORM", "xcb"),
        ] {
            command.env(variable, backend);
        }
        let process = Process::start(&mut command, Output::Tail)
            .map_err(|error| SurfaceFault::Gone(format!("{program} did not start: {error}")))?;
        let wanted = Wanted {
            target: Target::Title(launch.title.clone()),
            before: before.into_iter().collect(),
            any_new: true,
        };
        let display = Arc::clone(&self.display);
        let mut surface = X11Surface::find(display, desktop, wanted, Some(process), self.patience)?;
        if self.own_game {
            surface.trust_presses();
        }
        Ok(surface)
    }
}

impl GameHost for X11Host {
    fn kind(&self) -> SurfaceKind {
        SurfaceKind::X11
    }

    /// The command line as a shell would take it.
    fn describe(&self) -> String {
        let mut words: Vec<String> = self.command.iter().map(|word| quoted(word)).collect();
        // Where our own program is installed is nobody's business.
        if self.own_game
            && let Some(program) = words.first_mut()
            && let Some((_, name)) = program.rsplit_once('/')
        {
            *program = name.to_owned();
        }
        format!(
            "{} --level PATH --log PATH --result PATH --title TEXT",
            words.join(" ")
        )
    }

    fn is_own_game(&self) -> bool {
        self.own_game
    }

    fn start(&mut self, launch: &Launch) -> Result<Box<dyn Surface>, SurfaceFault> {
        Ok(Box::new(self.launch(launch)?))
    }
}

fn quoted(word: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./:=+,@%".contains(letter);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn words_are_quoted_as_a_shell_wants_them() {
        for (word, shell) in [
            ("python3", "python3"),
            ("a b", "'a b'"),
            ("", "''"),
            ("it's", "'it'\\''s'"),
            ("$HOME", "'$HOME'"),
        ] {
            assert_eq!(quoted(word), shell);
        }
    }
}
