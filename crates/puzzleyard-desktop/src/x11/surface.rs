//! A running program's window as a [`Surface`].

use std::sync::Arc;
use std::thread::sleep;
use std::time::{Duration, Instant};

use puzzleyard_harness::surface::{Identity, Key, Surface, SurfaceFault, SurfaceKind};
use puzzleyard_render::Picture;
use x11rb::connection::Connection as _;
use x11rb::errors::ReplyError;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{
    ChangeWindowAttributesAux, ClientMessageEvent, ConnectionExt as _, EventMask, Window,
};

use super::desktop::Desktop;
use super::keys::{self, Hand};
use super::photo::Camera;
use super::search::{Rank, Target, Wanted};
use super::{Trouble, focus};
use crate::display::Display;
use crate::process::Process;

/// How long a window that went may take to come back: some programs make theirs anew.
const COMEBACK: Duration = Duration::from_secs(3);
/// How long output that explains an end is waited for.
const LAST_WORDS: Duration = Duration::from_millis(200);
const TICK: Duration = Duration::from_millis(15);
/// How often an operation is begun anew because the window went in its midst.
const TRIES: usize = 3;

/// What has to be looked at again before the next operation.
#[expect(
    clippy::struct_excessive_bools,
    reason = "four independent doubts, not a state machine"
)]
#[derive(Clone, Copy, Debug, Default)]
struct Doubts {
    /// The window was destroyed.
    gone: bool,
    /// The window was unmapped, and perhaps mapped again.
    hidden: bool,
    /// Something above the window may have changed.
    stacking: bool,
    /// The keyboard map has changed.
    keyboard: bool,
}

/// A running program's window, driven by real key events.
///
/// When dropped, it lets go of every key and restores the keyboard. If it started the program,
/// the program ends with its whole process group; other people's programs are left alone.
#[derive(Debug)]
pub struct X11Surface {
    // Fields are dropped in this order: the program before the display that may be ours.
    process: Option<Process>,
    desktop: Desktop,
    hand: Hand,
    camera: Camera,
    wanted: Wanted,
    window: Window,
    /// How sure it is that this is the window.
    rank: Rank,
    doubts: Doubts,
    /// The program that was started has ended and its window has stayed: it was a wrapper.
    orphaned: bool,
    /// Who has the keyboard, as of the last look.
    focus: Window,
    pings: u32,
    _display: Arc<Display>,
}

impl X11Surface {
    /// Takes over a window that is there already, or comes within `patience`.
    ///
    /// # Errors
    /// There is no such window, or the display refuses.
    pub fn attach(
        display: Arc<Display>,
        target: Target,
        patience: Duration,
    ) -> Result<Self, SurfaceFault> {
        let wanted = Wanted {
            target,
            before: std::collections::BTreeSet::new(),
            any_new: false,
        };
        let desktop = Desktop::open(display.name())?;
        Self::find(display, desktop, wanted, None, patience)
    }

    /// Waits for the wanted window and takes it over.
    pub(super) fn find(
        display: Arc<Display>,
        desktop: Desktop,
        mut wanted: Wanted,
        process: Option<Process>,
        patience: Duration,
    ) -> Result<Self, SurfaceFault> {
        let (rank, window) = search(
            &desktop,
            &mut wanted,
            process.as_ref(),
            Rank::WORST,
            patience,
        )?;
        let hand =
            Hand::new(&desktop, keys::GAP).map_err(|error| Trouble::from(error).into_fault())?;
        let mut surface = Self {
            process,
            desktop,
            hand,
            camera: Camera::default(),
            wanted,
            window,
            rank,
            doubts: Doubts::default(),
            orphaned: false,
            focus: x11rb::NONE,
            pings: 0,
            _display: display,
        };
        surface.with_window(Self::adopt)?;
        Ok(surface)
    }

    /// Tells that the game takes every press for a press, however soon after a release.
    pub(super) fn trust_presses(&mut self) {
        self.hand.trust();
    }

    /// The window's number.
    pub fn window(&self) -> u32 {
        self.window
    }

    /// How the program that was started ended, in words; `None` while it runs, and for a
    /// program that was not started here.
    pub fn exit(&self) -> Option<String> {
        self.process.as_ref().and_then(Process::exit)
    }

    /// Takes note of what happens to the window from now on, raises it and gives it the
    /// keyboard. A window that cannot have the keyboard yet will be asked again.
    fn adopt(&mut self) -> Result<(), Trouble> {
        let conn = &self.desktop.conn;
        let (own, root) = (EventMask::STRUCTURE_NOTIFY, EventMask::SUBSTRUCTURE_NOTIFY);
        let listen = |mask| ChangeWindowAttributesAux::new().event_mask(mask);
        conn.change_window_attributes(self.desktop.root, &listen(root))?
            .check()?;
        conn.change_window_attributes(self.window, &listen(own))?
            .check()?;
        self.doubts = Doubts {
            stacking: true,
            hidden: true,
            ..Doubts::default()
        };
        match focus::give(&self.desktop, self.window) {
            Err(Trouble::Fault(SurfaceFault::NoFocus(_))) | Ok(()) => Ok(()),
            Err(trouble) => Err(trouble),
        }
    }

    /// Does something with the window, which is there and shown when `act` begins. If it goes
    /// in the midst, the whole is done again with the window that comes instead, so `act` must
    /// do what cannot be taken back last.
    fn with_window<T>(
        &mut self,
        mut act: impl FnMut(&mut Self) -> Result<T, Trouble>,
    ) -> Result<T, SurfaceFault> {
        for _ in 0..TRIES {
            match self.make_sure().and_then(|()| act(self)) {
                Ok(done) => return Ok(done),
                Err(trouble) if trouble.names_window() => self.doubts.gone = true,
                Err(trouble) => return Err(self.explain(trouble.into_fault())),
            }
        }
        Err(self.obituary("its window goes as soon as it comes"))
    }

    /// Takes in the news since the last operation: one round trip to the server if there is
    /// nothing to worry about.
    fn make_sure(&mut self) -> Result<(), Trouble> {
        if !self.orphaned && self.exit().is_some() {
            self.see_whether_it_went_too();
        }
        // What the server sent before its answer has arrived with it.
        self.focus = self.desktop.conn.get_input_focus()?.reply()?.focus;
        self.take_news()?;
        if self.doubts.keyboard {
            self.hand.relearn(&self.desktop)?;
            self.doubts.keyboard = false;
        }
        if self.doubts.gone {
            let (process, wanted) = (self.process.as_ref(), &mut self.wanted);
            // Somebody else's new window is not taken for one that comes back.
            let worst = self.rank.max(Rank::Kin);
            (self.rank, self.window) = search(&self.desktop, wanted, process, worst, COMEBACK)?;
            self.adopt()?;
            self.focus = self.desktop.conn.get_input_focus()?.reply()?.focus;
        }
        if self.doubts.hidden {
            let deadline = Instant::now() + COMEBACK;
            while !self.desktop.is_viewable(self.window)? {
                if Instant::now() >= deadline {
                    return Err(self.obituary("its window is not shown any more").into());
                }
                // Asking for the keyboard also brings a window back from an icon.
                let _ = focus::give(&self.desktop, self.window);
                sleep(TICK);
            }
            self.doubts.hidden = false;
        }
        Ok(())
    }

    /// The server learns of a program's end a little later than its parent does.
    fn see_whether_it_went_too(&mut self) {
        let deadline = Instant::now() + LAST_WORDS;
        while !self.doubts.gone && Instant::now() < deadline {
            self.doubts.gone = self.desktop.place(self.window).is_err();
            sleep(TICK);
        }
        self.orphaned = !self.doubts.gone;
    }

    fn take_news(&mut self) -> Result<(), Trouble> {
        while let Some(event) = self.desktop.next_event()? {
            match event {
                Event::DestroyNotify(gone) if gone.window == self.window => self.doubts.gone = true,
                Event::UnmapNotify(hidden) if hidden.window == self.window => {
                    self.doubts.hidden = true;
                }
                Event::MappingNotify(_) => self.doubts.keyboard = true,
                Event::CreateNotify(_)
                | Event::MapNotify(_)
                | Event::UnmapNotify(_)
                | Event::ConfigureNotify(_)
                | Event::CirculateNotify(_)
                | Event::ReparentNotify(_)
                | Event::DestroyNotify(_) => self.doubts.stacking = true,
                _ => {}
            }
        }
        Ok(())
    }

    /// Fails if another window hides part of this one. Before that it looks whether the
    /// program shows a likelier window by now: the one that was found may have been a splash.
    fn see_it_whole(&mut self) -> Result<(), Trouble> {
        if self.doubts.stacking {
            if self.rank != Rank::Named
                && let Some((rank, window)) =
                    self.wanted.find(&self.desktop, self.process.as_ref())?
                && rank < self.rank
            {
                (self.rank, self.window) = (rank, window);
                self.adopt()?;
            }
            if let Some(other) = self.desktop.coverer(self.window)? {
                return Err(SurfaceFault::Covered(other).into());
            }
            self.doubts.stacking = false;
        }
        Ok(())
    }

    fn have_keyboard(&mut self) -> Result<(), Trouble> {
        if focus::reaches(&self.desktop, self.focus, self.window)? {
            return Ok(());
        }
        focus::give(&self.desktop, self.window)
    }

    /// A broken connection or a vanished window is better explained by the program's end.
    fn explain(&self, fault: SurfaceFault) -> SurfaceFault {
        match fault {
            SurfaceFault::Display(why) if self.exit().is_some() => self.obituary(&why),
            other => other,
        }
    }

    fn obituary(&self, why: &str) -> SurfaceFault {
        obituary(self.process.as_ref(), why)
    }

    fn ask_to_close(&mut self) -> Result<(), Trouble> {
        let atoms = &self.desktop.atoms;
        let (protocols, close) = (atoms.WM_PROTOCOLS, atoms.WM_DELETE_WINDOW);
        if self.desktop.speaks(self.window, close)? {
            let time = self.desktop.time()?;
            let request =
                ClientMessageEvent::new(32, self.window, protocols, [close, time, 0, 0, 0]);
            let conn = &self.desktop.conn;
            conn.send_event(false, self.window, EventMask::NO_EVENT, request)?;
            conn.flush()?;
            return Ok(());
        }
        self.have_keyboard()?;
        self.hand.press(&self.desktop, Key::Escape)?;
        sleep(Duration::from_millis(60));
        self.hand.release(&self.desktop, Key::Escape)
    }

    fn is_closed(&mut self) -> bool {
        let shown = self.desktop.is_viewable(self.window).unwrap_or(false);
        let runs = self
            .process
            .as_ref()
            .is_some_and(|game| game.exit().is_none());
        !shown && !runs
    }
}

impl Surface for X11Surface {
    fn identity(&mut self) -> Result<Identity, SurfaceFault> {
        self.with_window(|surface| {
            let (desktop, window) = (&surface.desktop, surface.window);
            let place = desktop.place(window)?;
            Ok(Identity {
                kind: SurfaceKind::X11,
                id: format!("{window:#x}"),
                title: desktop.title(window)?,
                class: desktop.class(window)?,
                pid: desktop.owners(window)?.first().copied(),
                geometry: (place.x, place.y, place.width, place.height),
                display: desktop.name.clone(),
            })
        })
    }

    fn press(&mut self, key: Key) -> Result<(), SurfaceFault> {
        self.with_window(|surface| {
            surface.see_it_whole()?;
            surface.have_keyboard()?;
            surface.hand.press(&surface.desktop, key)
        })
    }

    fn release(&mut self, key: Key) -> Result<(), SurfaceFault> {
        self.hand
            .release(&self.desktop, key)
            .map_err(|trouble| self.explain(trouble.into_fault()))
    }

    fn click(&mut self) -> Result<bool, SurfaceFault> {
        self.with_window(|surface| {
            surface.see_it_whole()?;
            surface.have_keyboard()?;
            let (x, y) = surface.desktop.place(surface.window)?.middle();
            keys::click(&surface.desktop, x, y)?;
            Ok(true)
        })
    }

    fn picture(&mut self) -> Result<Picture, SurfaceFault> {
        self.with_window(|surface| {
            match surface.see_it_whole() {
                // What the program itself puts before its board, such as a dialog on success,
                // takes keys but hides nothing from the server.
                Err(Trouble::Fault(SurfaceFault::Covered(_)))
                    if surface
                        .desktop
                        .covers_itself(surface.window, surface.process.as_ref())? =>
                {
                    surface
                        .camera
                        .keep_whole(&surface.desktop, surface.window)?;
                }
                other => other?,
            }
            surface.camera.take(&surface.desktop, surface.window)
        })
    }

    fn has_caught_up(&mut self, patience: Duration) -> Result<Option<bool>, SurfaceFault> {
        self.pings = self.pings.wrapping_add(1);
        let number = self.pings;
        self.with_window(|surface| {
            let (desktop, window) = (&surface.desktop, surface.window);
            let (protocols, ping) = (desktop.atoms.WM_PROTOCOLS, desktop.atoms._NET_WM_PING);
            if !desktop.speaks(window, ping)? {
                return Ok(None);
            }
            // The server makes the events of XTEST before it answers that request, and a
            // program gets its events in the order in which they were made: so it sees this
            // ping after the keys. The second field is free for the asker: the count tells
            // the answers apart.
            let data = [ping, number, window, 0, 0];
            let question = ClientMessageEvent::new(32, window, protocols, data);
            desktop
                .conn
                .send_event(false, window, EventMask::NO_EVENT, question)?;
            let answer = desktop.wait_for(patience, |event| match event {
                Event::ClientMessage(message) => {
                    message.window == desktop.root && message.data.as_data32()[..2] == data[..2]
                }
                Event::DestroyNotify(gone) => gone.window == window,
                _ => false,
            })?;
            if let Some(Event::DestroyNotify(_)) = answer {
                surface.doubts.gone = true;
                surface.make_sure()?;
                return Ok(Some(false));
            }
            Ok(Some(answer.is_some()))
        })
    }

    fn wait(&mut self, time: Duration) -> Result<(), SurfaceFault> {
        sleep(time);
        self.with_window(|_| Ok(()))
    }

    fn close(&mut self, patience: Duration) -> Result<bool, SurfaceFault> {
        let deadline = Instant::now() + patience;
        let shown = self.desktop.is_viewable(self.window).unwrap_or(false);
        if shown {
            match self.ask_to_close() {
                Ok(()) => {}
                // It went by itself just now.
                Err(trouble) if trouble.names_window() => {}
                Err(trouble) => return Err(trouble.into_fault()),
            }
        }
        while !self.is_closed() {
            if Instant::now() >= deadline {
                return Ok(false);
            }
            sleep(TICK);
        }
        Ok(true)
    }
}

impl Drop for X11Surface {
    fn drop(&mut self) {
        self.hand.withdraw(&self.desktop);
    }
}

/// What to say when the window is gone for good.
fn obituary(process: Option<&Process>, why: &str) -> SurfaceFault {
    let Some(process) = process else {
        return SurfaceFault::Gone(why.to_owned());
    };
    let Some(exit) = process.exit() else {
        return SurfaceFault::Gone(format!("{why}; its process {} still runs", process.id()));
    };
    let deadline = Instant::now() + LAST_WORDS;
    let mut words = process.last_words();
    while words.is_empty() && Instant::now() < deadline {
        sleep(TICK);
        words = process.last_words();
    }
    SurfaceFault::Gone(if words.is_empty() {
        format!("it {exit}, without a word")
    } else {
        format!("it {exit}, saying: {words}")
    })
}

/// Waits for the wanted window, of a rank no worse than `worst`. A program that has ended with a failure is not waited for.
fn search(
    desktop: &Desktop,
    wanted: &mut Wanted,
    process: Option<&Process>,
    worst: Rank,
    patience: Duration,
) -> Result<(Rank, Window), SurfaceFault> {
    let fail = |error: ReplyError| Trouble::from(error).into_fault();
    let begun = Instant::now();
    let mut ended: Option<Instant> = None;
    let mut candidate: Option<(Window, Instant)> = None;
    loop {
        // Looked at before the windows, so that a program that shows one and ends is found.
        let has_ended = process.is_some_and(|game| game.exit().is_some());
        let now = Instant::now();
        let found = wanted.find(desktop, process).map_err(fail)?;
        if let Some((rank, window)) = found.filter(|&(rank, _)| rank <= worst) {
            let since = match candidate {
                Some((old, since)) if old == window => since,
                _ => now,
            };
            candidate = Some((window, since));
            if now - since >= rank.patience() || now - begun >= patience {
                return Ok((rank, window));
            }
        } else {
            candidate = None;
        }
        if has_ended && candidate.is_none() {
            let since = *ended.get_or_insert(now);
            let leaves_another = process.is_some_and(Process::exited_well);
            let grace = if leaves_another { COMEBACK } else { TICK };
            if now - since >= grace {
                return Err(obituary(process, "it showed no window"));
            }
        }
        if now - begun >= patience {
            let what = match &wanted.target {
                Target::Title(title) => format!("no window with the title \"{title}\""),
                Target::Window(window) => format!("no window {window:#x}"),
                Target::Process(pid) => format!("no window of process {pid}"),
            };
            let why = format!("{what} in {:.1} s", patience.as_secs_f64());
            return Err(obituary(process, &why));
        }
        sleep(TICK);
    }
}
