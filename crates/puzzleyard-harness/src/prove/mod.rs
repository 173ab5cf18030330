//! Proves levels: solves, judges, plays, cross-checks and writes the evidence.

mod case;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use puzzleyard_core::Stop;
use puzzleyard_sokoban::rules::Level;

use self::case::Case;
use crate::agent::{Agent, Claim};
use crate::bundle::{self, BundleError, GameEntry, Manifest, SurfaceEntry, Writer};
use crate::drive::{DriveOptions, DriveReport};
use crate::event::Event;
use crate::report::{self, Figure};
use crate::surface::{GameHost, Identity, SurfaceKind};

/// A level to prove.
#[derive(Clone, Debug, PartialEq)]
pub struct ProveJob {
    /// The level's name for people.
    pub name: String,
    /// Where it came from, for people: a file's name, perhaps with a number. No absolute path.
    pub source: String,
    /// The level.
    pub level: Level,
}

/// How to prove.
#[derive(Clone, Debug, PartialEq)]
pub struct ProveOptions {
    /// How to drive.
    pub drive: DriveOptions,
    /// The bytes of `solver.py`.
    pub solver_py: Vec<u8>,
    /// The program and its version, as `yard 0.1.0`.
    pub program: String,
    /// The time of the start for people, RFC 3339, or empty.
    pub started: String,
    /// Whether a folder that is not empty may be used. Files of the bundle's names in it are
    /// removed first; others stay.
    pub force: bool,
    /// How long a game may take to close.
    pub close_patience: Duration,
    /// How long to wait for the result after the last step before the game is closed.
    pub result_patience: Duration,
}

impl Default for ProveOptions {
    fn default() -> Self {
        Self {
            drive: DriveOptions::default(),
            solver_py: Vec::new(),
            program: concat!("puzzleyard ", env!("CARGO_PKG_VERSION")).into(),
            started: String::new(),
            force: false,
            close_patience: Duration::from_secs(5),
            result_patience: Duration::from_secs(2),
        }
    }
}

/// What goes on during a proof, for a progress display. Levels count from 1.
#[derive(Debug)]
#[non_exhaustive]
pub enum Progress<'a> {
    /// The agent looks for an answer.
    Solving {
        /// K.
        level: usize,
        /// The level's name.
        name: &'a str,
    },
    /// The agent has one.
    Solved {
        /// K.
        level: usize,
        /// What it claims.
        claim: &'a Claim,
    },
    /// The game's window is there.
    Started {
        /// K.
        level: usize,
        /// Which.
        identity: &'a Identity,
    },
    /// Something happened in the play.
    Played {
        /// K.
        level: usize,
        /// Steps of the answer.
        of: usize,
        /// What.
        event: &'a Event,
    },
    /// The level is done.
    Done {
        /// K.
        level: usize,
        /// How it went.
        record: &'a LevelRecord,
    },
}

/// How one level went.
#[derive(Clone, Debug, PartialEq)]
pub struct LevelRecord {
    /// K.
    pub level: usize,
    /// The level's name.
    pub name: String,
    /// Where it came from.
    pub source: String,
    /// What the agent claimed, if anything.
    pub claim: Option<Claim>,
    /// How the play went, if there was one.
    pub play: Option<DriveReport>,
    /// Whether answer, log, history and replay agree and the game calls it solved.
    pub proved: bool,
    /// Why it is not proved; empty if it is.
    pub reason: String,
}

/// How a proof went.
#[derive(Clone, Debug, PartialEq)]
pub struct ProveReport {
    /// The bundle's folder.
    pub out: PathBuf,
    /// A record a level, in order. Shorter than the jobs if interrupted.
    pub levels: Vec<LevelRecord>,
    /// Whether every job was taken up to its end, proved or not.
    pub complete: bool,
    /// Seconds in all, by the wall clock.
    pub seconds: f64,
}

impl ProveReport {
    /// How many levels are proved.
    pub fn proved(&self) -> usize {
        self.levels.iter().filter(|record| record.proved).count()
    }

    /// The page for people.
    pub fn html(&self) -> PathBuf {
        self.out.join("report.html")
    }
}

/// Why a proof could not be made at all.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProveError {
    /// There is no level.
    #[error("no level to prove")]
    NoLevels,
    /// The bundle cannot be written.
    #[error(transparent)]
    Bundle(#[from] BundleError),
}

/// Proves `jobs` in order and writes the bundle to `out`. A level that fails is recorded with
/// its reason and stops nothing. After an interrupt the bundle holds what there is and its
/// manifest says `"complete": false`.
///
/// # Errors
/// There is no level, or the bundle cannot be written.
pub fn prove(
    jobs: &[ProveJob],
    host: &mut dyn GameHost,
    agent: &mut dyn Agent,
    out: &Path,
    options: &ProveOptions,
    watch: &mut dyn FnMut(&Progress<'_>),
    stop: &Stop,
) -> Result<ProveReport, ProveError> {
    if jobs.is_empty() {
        return Err(ProveError::NoLevels);
    }
    let begun = Instant::now();
    let mut writer = Writer::create(out, options.force)?;
    let scratch = Scratch::in_folder(writer.folder())?;
    let mut proof = Proof {
        manifest: manifest(host, agent, options),
        ..Proof::default()
    };
    writer.put("solver.py", &options.solver_py)?;
    for (at, job) in jobs.iter().enumerate() {
        if stop.raised().is_some() {
            break;
        }
        let level = at + 1;
        let mut case = Case::new(level, job, options, &scratch);
        case.run(host, agent, &mut writer, watch, stop)?;
        let record = case.finish(&mut writer, &mut proof)?;
        watch(&Progress::Done {
            level,
            record: &record,
        });
        proof.records.push(record);
        proof.manifest.seconds = begun.elapsed().as_secs_f64();
        // So that a bundle is of use even if this process is killed.
        writer.seal(&proof.manifest)?;
    }
    drop(scratch);
    proof.manifest.complete = proof.records.len() == jobs.len() && stop.raised().is_none();
    proof.manifest.seconds = begun.elapsed().as_secs_f64();
    writer.put("window_ids.log", proof.window_ids.as_bytes())?;
    writer.put("summary.md", bundle::summary(&proof.manifest).as_bytes())?;
    let page = report::page(&proof.manifest, &proof.answers, &proof.figures);
    writer.put("report.html", page.as_bytes())?;
    writer.seal(&proof.manifest)?;
    Ok(ProveReport {
        out: out.to_path_buf(),
        levels: proof.records,
        complete: proof.manifest.complete,
        seconds: proof.manifest.seconds,
    })
}

/// What comes together over the levels.
#[derive(Default)]
struct Proof {
    manifest: Manifest,
    records: Vec<LevelRecord>,
    answers: Vec<Option<String>>,
    figures: Vec<Figure>,
    window_ids: String,
}

fn manifest(host: &dyn GameHost, agent: &dyn Agent, options: &ProveOptions) -> Manifest {
    let note = match host.kind() {
        SurfaceKind::X11 => "a window of an X11 display, driven by XTEST input events",
        SurfaceKind::Embedded => {
            "the game loop embedded in this program, without a display server: no window was driven"
        }
    };
    Manifest {
        format: bundle::FORMAT,
        program: options.program.clone(),
        started: options.started.clone(),
        surface: SurfaceEntry {
            kind: host.kind().name().into(),
            note: note.into(),
        },
        game: GameEntry {
            command: host.describe(),
            own: host.is_own_game(),
        },
        agent: agent.name(),
        ..Manifest::default()
    }
}

/// A folder for what games write while they run. Gone when dropped.
struct Scratch(PathBuf);

impl Scratch {
    fn in_folder(folder: &Path) -> Result<Self, BundleError> {
        let path = folder.join(".play");
        let io = |cause| BundleError::Io {
            path: path.clone(),
            cause,
        };
        if path.exists() {
            std::fs::remove_dir_all(&path).map_err(io)?;
        }
        std::fs::create_dir_all(&path).map_err(io)?;
        // A game may have another working directory.
        path.canonicalize().map(Self).map_err(io)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
