//! `yard drive`: an answer played through any running game window.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context as _;
use puzzleyard_desktop::x11::{Target, X11Surface};
use puzzleyard_harness::agent::{Agent as _, GivenAnswer};
use puzzleyard_harness::drive::{self, DriveOptions, DriveReport, Outcome, PictureKind};
use puzzleyard_harness::event::{Event, What};
use puzzleyard_harness::surface::{GameHost as _, Launch, Surface};
use puzzleyard_harness::witness::Witness;
use puzzleyard_render::{Picture, window_size};
use puzzleyard_sokoban::rules::Level;

use super::{host, prove};
use crate::args::{DriveArgs, Output};
use crate::exit::{BadInput, Exit};
use crate::interrupt::stop_on_interrupt;
use crate::levels;
use crate::progress;
use crate::stream;

/// How long a window may take to be there.
const WINDOW: Duration = Duration::from_secs(30);
/// How long a game that was started here may take to close.
const CLOSE: Duration = Duration::from_secs(5);

/// Runs the command. Fails unless every step was played.
pub(crate) fn run(args: &DriveArgs) -> anyhow::Result<Exit> {
    let level = levels::read_one(&args.level, None)?.playable()?;
    let letters = levels::read_answer(&args.answer)?;
    let stop = stop_on_interrupt()?;
    let claim = GivenAnswer::new(vec![letters])
        .answer(&level, &stop)
        .map_err(|fault| BadInput(format!("answer: {fault}")))?;
    let folder = Folder::new(args)?;
    let mut surface = surface(args, &level, &folder)?;
    let mut witness = Witness::new(
        Some(folder.log.clone()),
        Some(folder.result.clone()),
        &claim.answer,
    );
    let options = DriveOptions {
        wake: args.wake.map(prove::key),
        pace: args.pace,
        ..DriveOptions::default()
    };
    let mut events = Vec::new();
    let mut identities = vec![identity(surface.as_mut(), "start")?];
    let bar = progress::bar(claim.answer.moves() as u64);
    let report = drive::drive(
        surface.as_mut(),
        &level,
        &claim.answer,
        &mut witness,
        &options,
        &mut |event: &Event| {
            if let What::Confirmed { step, .. } = event.what {
                bar.set_position(step as u64);
            }
            events.push(event.line());
        },
        &mut |kind, picture| folder.keep_picture(kind, picture),
        &stop,
    );
    bar.finish_and_clear();
    // A window that died in the play has no identity any more; the report says why.
    identities.extend(identity(surface.as_mut(), "end").ok());
    if args.game.is_some() {
        surface.close(CLOSE)?;
    }
    folder.keep("events.jsonl", &(events.join("\n") + "\n"))?;
    folder.keep("window_ids.log", &identities.concat())?;
    print(args, &report)?;
    Ok(match report.outcome {
        Outcome::Finished => Exit::Done,
        Outcome::Interrupted(_) => Exit::Interrupted,
        _ => Exit::Failed,
    })
}

/// The window to play in.
fn surface(args: &DriveArgs, level: &Level, folder: &Folder) -> anyhow::Result<Box<dyn Surface>> {
    if let Some(game) = &args.game {
        let display = host::display(window_size(level.area(), 48))?;
        let launch = Launch {
            level: folder.level(level)?,
            log: folder.log.clone(),
            result: folder.result.clone(),
            title: "Puzzleyard drive".into(),
        };
        return Ok(host::x11(display, Some(game))?.start(&launch)?);
    }
    let target = match (&args.title, args.window, args.pid) {
        (Some(title), ..) => Target::Title(title.clone()),
        (_, Some(window), _) => Target::Window(window),
        (_, _, Some(pid)) => Target::Process(pid),
        _ => {
            let message = "which window? use --title, --window, --pid or --game";
            return Err(BadInput(message.into()).into());
        }
    };
    let display = puzzleyard_desktop::display::Display::open(&host::named_display()?)?;
    Ok(Box::new(X11Surface::attach(
        display.into(),
        target,
        WINDOW,
    )?))
}

fn identity(surface: &mut dyn Surface, when: &str) -> anyhow::Result<String> {
    let it = surface.identity()?;
    let (x, y, width, height) = it.geometry;
    Ok(format!(
        "{when} window={} pid={} display={} geometry={width}x{height}+{x}+{y} class={:?} title={:?}\n",
        it.id,
        it.pid
            .map_or_else(|| "unknown".into(), |pid| pid.to_string()),
        it.display,
        it.class.unwrap_or_default(),
        it.title
    ))
}

/// Where things go: the folder of `--out`, or one that is thrown away.
struct Folder {
    out: Option<PathBuf>,
    scratch: tempfile::TempDir,
    log: PathBuf,
    result: PathBuf,
}

impl Folder {
    fn new(args: &DriveArgs) -> anyhow::Result<Self> {
        let scratch = tempfile::tempdir().context("cannot make a temporary folder")?;
        if let Some(out) = &args.out {
            fs::create_dir_all(out).with_context(|| format!("{}", out.display()))?;
        }
        let base = args.out.as_deref().unwrap_or(scratch.path());
        let place = |given: &Option<PathBuf>, name: &str| -> anyhow::Result<PathBuf> {
            // The game may change its folder; the path must not depend on it.
            let path = given.clone().unwrap_or_else(|| base.join(name));
            std::path::absolute(&path).with_context(|| format!("{}", path.display()))
        };
        Ok(Self {
            log: place(&args.log, "moves.csv")?,
            result: place(&args.result, "result.json")?,
            out: args.out.clone(),
            scratch,
        })
    }

    /// A file with the level alone, for a game that is started here.
    fn level(&self, level: &Level) -> anyhow::Result<PathBuf> {
        let path = self.scratch.path().join("level.xsb");
        fs::write(&path, level.setup(level.start()).board())
            .with_context(|| format!("{}", path.display()))?;
        Ok(path)
    }

    fn keep(&self, name: &str, text: &str) -> anyhow::Result<()> {
        let Some(out) = &self.out else { return Ok(()) };
        let path = out.join(name);
        fs::write(&path, text).with_context(|| format!("{}", path.display()))
    }

    fn keep_picture(&self, kind: PictureKind, picture: &Picture) -> Result<(), String> {
        let Some(out) = &self.out else { return Ok(()) };
        let name = match kind {
            PictureKind::Initial => "initial.png".into(),
            PictureKind::Step(step) => format!("step_{step}.png"),
            PictureKind::Final => "final.png".into(),
        };
        write_picture(&out.join(name), picture)
    }
}

fn write_picture(path: &Path, picture: &Picture) -> Result<(), String> {
    let bytes = puzzleyard_harness::bundle::encode(picture);
    fs::write(path, bytes).map_err(|error| format!("{}: {error}", path.display()))
}

fn print(args: &DriveArgs, report: &DriveReport) -> std::io::Result<()> {
    let mut out = stream::out();
    let (median, late, longest) = report.latency_ms;
    if args.format == Output::Json {
        let row = serde_json::json!({
            "outcome": report.outcome.name(),
            "detail": report.outcome.to_string(),
            "steps": report.steps,
            "of": report.of,
            "by_log": report.by_log,
            "by_picture": report.by_picture,
            "resends": report.resends,
            "doubled": report.doubled,
            "seconds": report.seconds,
            "steps_per_second": report.steps_per_second,
            "latency_ms": { "p50": median, "p95": late, "max": longest },
        });
        return writeln!(out, "{row}");
    }
    writeln!(out, "{}: {}", report.outcome.name(), report.outcome)?;
    writeln!(
        out,
        "{} of {} steps in {:.1} s, {:.1} steps/s; {} confirmed by log, {} by picture; \
         {} keys sent again, {} steps doubled; latency {median:.0} ms median, {late:.0} ms p95, \
         {longest:.0} ms at most",
        report.steps,
        report.of,
        report.seconds,
        report.steps_per_second,
        report.by_log,
        report.by_picture,
        report.resends,
        report.doubled
    )
}
