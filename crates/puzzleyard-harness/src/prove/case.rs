//! One level of a proof, from the search to the files.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Duration;

use puzzleyard_core::{ContentId, Direction, Limit, Stop};
use puzzleyard_render::Picture;
use puzzleyard_render::gif::Animation;
use puzzleyard_sokoban::judge::{self, Strictness};
use puzzleyard_sokoban::model::Answer;

use super::{LevelRecord, Progress, Proof, ProveJob, ProveOptions, Scratch};
use crate::agent::{Agent, AgentFault, Claim};
use crate::bundle::{self, BundleError, LevelEntry, PlayEntry, Writer};
use crate::drive::{DriveReport, Outcome, PictureKind, drive};
use crate::event::Event;
use crate::report::Figure;
use crate::surface::{GameHost, Identity, Launch, Surface, SurfaceFault};
use crate::witness::{self, GameLog, GameResult, Witness};

/// The most frames of an animated picture.
const MOST_FRAMES: usize = 40;

/// A picture that was kept.
struct Kept {
    kind: PictureKind,
    picture: Picture,
    bytes: Vec<u8>,
}

pub(super) struct Case<'a> {
    level: usize,
    job: &'a ProveJob,
    options: &'a ProveOptions,
    launch: Launch,
    board: String,
    claim: Option<Claim>,
    play: Option<DriveReport>,
    events: String,
    kept: Vec<Kept>,
    identities: Vec<(&'static str, Identity)>,
    own_log: Option<Vec<u8>>,
    own_result: Option<Vec<u8>>,
    log: Option<GameLog>,
    result: Option<GameResult>,
    reasons: Vec<String>,
}

impl<'a> Case<'a> {
    pub(super) fn new(
        level: usize,
        job: &'a ProveJob,
        options: &'a ProveOptions,
        scratch: &Scratch,
    ) -> Self {
        let path = |name: String| -> PathBuf { scratch.0.join(name) };
        Self {
            level,
            job,
            options,
            launch: Launch {
                level: path(format!("level_{level}.xsb")),
                log: path(format!("level_{level}_moves.csv")),
                result: path(format!("level_{level}_result.json")),
                title: format!("Sokoban level {level}"),
            },
            board: job.level.setup(job.level.start()).board(),
            claim: None,
            play: None,
            events: String::new(),
            kept: Vec::new(),
            identities: Vec::new(),
            own_log: None,
            own_result: None,
            log: None,
            result: None,
            reasons: Vec::new(),
        }
    }

    /// Solves and plays. What goes wrong becomes a reason.
    pub(super) fn run(
        &mut self,
        host: &mut dyn GameHost,
        agent: &mut dyn Agent,
        writer: &mut Writer,
        watch: &mut dyn FnMut(&Progress<'_>),
        stop: &Stop,
    ) -> Result<(), BundleError> {
        let level = self.level;
        writer.put(&format!("level_{level}.xsb"), self.board.as_bytes())?;
        watch(&Progress::Solving {
            level,
            name: &self.job.name,
        });
        let claim = match agent.answer(&self.job.level, stop) {
            Ok(claim) => claim,
            Err(fault) => {
                self.reasons.push(match fault {
                    AgentFault::GaveUp(Limit::Interrupt) => "interrupted during the search".into(),
                    fault => format!("no answer: {fault}"),
                });
                return Ok(());
            }
        };
        watch(&Progress::Solved {
            level,
            claim: &claim,
        });
        writer.put(
            &format!("level_{level}_solution.txt"),
            bundle::solution(&claim.answer).as_bytes(),
        )?;
        std::fs::write(&self.launch.level, &self.board).map_err(|cause| BundleError::Io {
            path: self.launch.level.clone(),
            cause,
        })?;
        let answer = claim.answer.clone();
        self.claim = Some(claim);
        let mut witness = Witness::new(
            Some(self.launch.log.clone()),
            Some(self.launch.result.clone()),
            &answer,
        );
        match host.start(&self.launch) {
            Err(fault) => self
                .reasons
                .push(format!("the game did not start: {fault}")),
            Ok(mut surface) => {
                self.play_through(surface.as_mut(), &answer, &mut witness, watch, stop);
            }
        }
        self.read_files(&mut witness);
        Ok(())
    }

    /// Reads what the game has written by its end.
    fn read_files(&mut self, witness: &mut Witness) {
        self.own_log = witness.log_bytes();
        self.own_result = witness.result_bytes();
        self.log = self.own_log.is_some().then(|| witness.log(true).clone());
        self.result = match self.own_result.as_deref() {
            None => None,
            Some(bytes) => match witness::read_result(bytes, witness.expected()) {
                Ok(result) => Some(result),
                Err(why) => {
                    self.reasons
                        .push(format!("the game's result cannot be read: {why}"));
                    None
                }
            },
        };
    }

    fn play_through(
        &mut self,
        surface: &mut dyn Surface,
        answer: &Answer,
        witness: &mut Witness,
        watch: &mut dyn FnMut(&Progress<'_>),
        stop: &Stop,
    ) {
        let level = self.level;
        if let Ok(identity) = surface.identity() {
            watch(&Progress::Started {
                level,
                identity: &identity,
            });
            self.identities.push(("start", identity));
        }
        let (events, kept) = (&mut self.events, &mut self.kept);
        let report = drive(
            surface,
            &self.job.level,
            answer,
            witness,
            &self.options.drive,
            &mut |event: &Event| {
                events.push_str(&event.line());
                events.push('\n');
                watch(&Progress::Played {
                    level,
                    of: answer.moves(),
                    event,
                });
            },
            &mut |kind, picture| {
                // The first picture is taken anew when a start screen has gone.
                kept.retain(|old| old.kind != kind);
                kept.push(Kept {
                    kind,
                    picture: picture.clone(),
                    bytes: bundle::encode(picture),
                });
                Ok(())
            },
            stop,
        );
        let is_finished = report.outcome == Outcome::Finished;
        if !is_finished {
            self.reasons.push(report.outcome.to_string());
        }
        self.play = Some(report);
        if is_finished {
            // A game that is gone by now has said what it had to say.
            let _ = await_files(surface, witness, answer, self.options.result_patience);
        }
        match (surface.identity(), self.identities.first()) {
            (Ok(identity), _) => self.identities.push(("end", identity)),
            // It ended by itself; the line says which window that was.
            (Err(_), Some((_, identity))) => self.identities.push(("gone", identity.clone())),
            (Err(_), None) => {}
        }
        self.close(surface);
    }

    fn close(&mut self, surface: &mut dyn Surface) {
        match surface.close(self.options.close_patience) {
            Ok(true) | Err(SurfaceFault::Gone(_)) => {}
            Ok(false) => self.reasons.push(format!(
                "the game did not close within {:.0?}",
                self.options.close_patience
            )),
            Err(fault) => self
                .reasons
                .push(format!("the game could not be closed: {fault}")),
        }
    }

    /// Compares what must agree. Each disagreement is a reason.
    fn cross_check(&mut self) {
        let Some(claim) = &self.claim else { return };
        let ours: Vec<Direction> = claim.answer.steps().iter().map(|step| step.way).collect();
        let mut reasons = Vec::new();
        match &self.log {
            None => reasons.push("the game wrote no log".into()),
            Some(log) if log.ways() != ours => reasons.push(difference("log", &log.ways(), &ours)),
            Some(_) => {}
        }
        match &self.result {
            None => reasons.push("the game wrote no result".into()),
            Some(result) => {
                if result.solved != Some(true) {
                    reasons.push("the game's result does not say that the level is solved".into());
                }
                if let Some(history) = &result.history
                    && *history != ours
                {
                    reasons.push(difference("history", history, &ours));
                }
                if let (Some(on_goal), Some(goals)) = (result.boxes_on_goal, result.total_goals)
                    && on_goal != goals
                {
                    reasons.push(format!(
                        "the game counts {on_goal} of {goals} boxes on goals"
                    ));
                }
            }
        }
        let distinct: BTreeSet<ContentId> = self
            .kept
            .iter()
            .map(|kept| ContentId::of(&kept.bytes))
            .collect();
        if distinct.len() < self.kept.len() {
            reasons.push("some of the pictures are equal".into());
        }
        let has = |kind| self.kept.iter().any(|kept| kept.kind == kind);
        for (kind, name) in [
            (PictureKind::Initial, "initial"),
            (PictureKind::Final, "final"),
        ] {
            if self.play.is_some() && !has(kind) {
                reasons.push(format!("there is no {name} picture"));
            }
        }
        if self.play.is_some() {
            self.reasons.extend(reasons);
        }
    }

    /// Writes the level's files and joins it to the proof.
    pub(super) fn finish(
        mut self,
        writer: &mut Writer,
        proof: &mut Proof,
    ) -> Result<LevelRecord, BundleError> {
        self.cross_check();
        let (moves_csv, result_json) = self.write_accounts(writer)?;
        self.write_pictures(writer, proof)?;
        if self.play.is_some() {
            let name = format!("level_{}_events.jsonl", self.level);
            writer.put(&name, self.events.as_bytes())?;
        }
        for (when, id) in &self.identities {
            let (x, y, width, height) = id.geometry;
            let _ = writeln!(
                proof.window_ids,
                "level={} when={when} id={} kind={} pid={} display={} geometry={width}x{height}+{x}+{y} \
                 class={:?} title={:?}",
                self.level,
                id.id,
                id.kind.name(),
                id.pid
                    .map_or_else(|| "unknown".into(), |pid| pid.to_string()),
                id.display,
                id.class.as_deref().unwrap_or(""),
                id.title,
            );
        }
        let entry = self.entry(moves_csv, result_json);
        proof.manifest.levels.push(entry);
        proof
            .answers
            .push(self.claim.as_ref().map(|claim| claim.answer.to_string()));
        Ok(LevelRecord {
            level: self.level,
            name: self.job.name.clone(),
            source: self.job.source.clone(),
            proved: self.claim.is_some() && self.play.is_some() && self.reasons.is_empty(),
            claim: self.claim,
            play: self.play,
            reason: self.reasons.join("; "),
        })
    }

    /// Writes log, result and comparison. Says for the first two whether they are the game's
    /// own files.
    fn write_accounts(
        &self,
        writer: &mut Writer,
    ) -> Result<(&'static str, &'static str), BundleError> {
        let Some(claim) = &self.claim else {
            return Ok(("absent", "absent"));
        };
        let level = self.level;
        let mut moves_csv = "absent";
        if let (Some(own), Some(log)) = (&self.own_log, &self.log) {
            let (bytes, is_own) = bundle::moves_csv(own, log, &claim.answer);
            writer.put(&format!("level_{level}_moves.csv"), &bytes)?;
            moves_csv = "verbatim";
            if !is_own {
                writer.put(&format!("level_{level}_game_log.txt"), own)?;
                moves_csv = "normalised";
            }
        }
        let mut result_json = "absent";
        if let Some(own) = &self.own_result {
            let name = format!("level_{level}_result.json");
            let kept_as = format!("level_{level}_game_result.json");
            if bundle::needs_no_change(own) {
                writer.put(&name, own)?;
                result_json = "verbatim";
            } else {
                writer.put(&kept_as, own)?;
                if let Some(result) = &self.result {
                    let level = &self.job.level;
                    let counts = level
                        .replay(claim.answer.steps().iter().map(|step| step.way))
                        .ok()
                        .map(|(state, _)| (level.boxes_on_goals(&state), level.goals().len()));
                    let text = bundle::normalised_result(result, &kept_as, counts);
                    writer.put(&name, text.as_bytes())?;
                    result_json = "normalised";
                }
            }
        }
        if self.play.is_some() {
            let ruling = judge::judge(&self.board, &claim.answer.to_string(), Strictness::Plain);
            let text = bundle::verify(
                &claim.answer,
                self.log.as_ref(),
                self.result.as_ref(),
                &ruling.to_string(),
            );
            writer.put(&format!("level_{level}_verify.json"), text.as_bytes())?;
        }
        Ok((moves_csv, result_json))
    }

    fn write_pictures(
        &mut self,
        writer: &mut Writer,
        proof: &mut Proof,
    ) -> Result<(), BundleError> {
        let level = self.level;
        for kept in &self.kept {
            let name = bundle::picture_name(level, kept.kind);
            writer.put(&name, &kept.bytes)?;
            let caption = match kept.kind {
                PictureKind::Initial => "before the first step".into(),
                PictureKind::Step(step) => format!("after step {step}"),
                PictureKind::Final => "after the last step".into(),
            };
            proof.figures.push(Figure {
                level,
                name,
                caption,
                bytes: kept.bytes.clone(),
            });
        }
        match self.animation() {
            Ok(None) => {}
            Ok(Some(bytes)) => {
                let name = format!("level_{level}_play.gif");
                writer.put(&name, &bytes)?;
                proof.figures.push(Figure {
                    level,
                    name,
                    caption: "the kept pictures in order".into(),
                    bytes,
                });
            }
            Err(why) => self.reasons.push(format!("no animated picture: {why}")),
        }
        Ok(())
    }

    /// The kept pictures as one that moves, or nothing if there are none.
    fn animation(&self) -> Result<Option<Vec<u8>>, String> {
        let Some(first) = self.kept.first() else {
            return Ok(None);
        };
        let mut animation = Animation::new(first.picture.width(), first.picture.height());
        let pictures: Vec<&Kept> = self.kept.iter().take(MOST_FRAMES).collect();
        for kept in pictures {
            let delay = match kept.kind {
                PictureKind::Step(_) => 50,
                PictureKind::Initial => 100,
                PictureKind::Final => 250,
            };
            animation
                .push(&kept.picture, delay)
                .map_err(|fault| fault.to_string())?;
        }
        Ok(Some(animation.finish()))
    }

    fn entry(&self, moves_csv: &str, result_json: &str) -> LevelEntry {
        let claim = self.claim.as_ref();
        LevelEntry {
            level: self.level,
            name: self.job.name.clone(),
            source: self.job.source.clone(),
            id: self.job.level.id().to_string(),
            proved: claim.is_some() && self.play.is_some() && self.reasons.is_empty(),
            reason: self.reasons.join("; "),
            moves: claim.map(|claim| claim.answer.moves()),
            pushes: claim.map(|claim| claim.answer.pushes()),
            optimal: claim.is_some_and(|claim| claim.optimal),
            lower_bound: claim.map_or(0, |claim| claim.lower_bound),
            nodes: claim.map_or(0, |claim| claim.nodes),
            algorithm: claim.map_or_else(String::new, |claim| claim.algorithm.clone()),
            solve_seconds: claim.map_or(0.0, |claim| claim.seconds),
            play: self.play.as_ref().map(|play| PlayEntry {
                outcome: play.outcome.name().into(),
                by_log: play.by_log,
                by_picture: play.by_picture,
                resends: play.resends,
                doubled: play.doubled,
                seconds: play.seconds,
                steps_per_second: play.steps_per_second,
                latency_ms: play.latency_ms,
                log_dialect: self
                    .log
                    .as_ref()
                    .map_or_else(|| "no log".into(), |log| log.dialect.clone()),
            }),
            moves_csv: moves_csv.into(),
            result_json: result_json.into(),
        }
    }
}

/// Waits until log and result are complete, at most `patience`. A game that writes them only
/// when it closes uses up the patience.
fn await_files(
    surface: &mut dyn Surface,
    witness: &mut Witness,
    answer: &Answer,
    patience: Duration,
) -> Result<(), SurfaceFault> {
    const TICK: Duration = Duration::from_millis(20);
    let mut waited = Duration::ZERO;
    loop {
        let has_log = witness.log(false).ways().len() >= answer.moves();
        let has_result = witness
            .result()
            .is_some_and(|result| result.solved.is_some());
        if (has_log && has_result) || waited >= patience {
            return Ok(());
        }
        surface.wait(TICK)?;
        waited += TICK;
    }
}

/// Where `theirs` leaves `ours`, in a sentence.
fn difference(what: &str, theirs: &[Direction], ours: &[Direction]) -> String {
    let same = theirs.iter().zip(ours).take_while(|(a, b)| a == b).count();
    if same == theirs.len().min(ours.len()) {
        return format!(
            "the game's {what} has {} steps, the answer {}",
            theirs.len(),
            ours.len()
        );
    }
    format!(
        "step {} is {} in the game's {what} and {} in the answer",
        same + 1,
        theirs[same].letter(),
        ours[same].letter()
    )
}
