//! The checks beside the contract's: whatever the bundle says is held against a replay.

use std::collections::{BTreeMap, BTreeSet};

use puzzleyard_core::{ContentId, Direction};
use puzzleyard_render::Picture;
use puzzleyard_sokoban::format;
use puzzleyard_sokoban::judge::{self, Ruling, Strictness};
use puzzleyard_sokoban::model::Answer;
use puzzleyard_sokoban::rules::{Level, State, Waivers};
use serde_json::Value;

use super::folder::Folder;
use super::rows::{facts, row_numbers, same_ways};
use super::sight::{self, Shot};
use super::story::story;
use super::{Check, Part, Score};
use crate::bundle::{self, LevelEntry, Manifest};
use crate::event::Event;
use crate::witness::{self, GameResult};

/// What a check comes to: passed, failed, or not made. Each with its reason.
pub(super) enum Finding {
    Passed(String),
    Failed(String),
    NotChecked(String),
}

use Finding::{Failed, NotChecked, Passed};

impl From<Result<String, String>> for Finding {
    fn from(result: Result<String, String>) -> Self {
        match result {
            Ok(reason) => Passed(reason),
            Err(reason) => Failed(reason),
        }
    }
}

impl Finding {
    pub(super) fn into_check(self, name: String) -> Check {
        let (score, reason) = match self {
            Passed(reason) => (Score::Of(1.0), reason),
            Failed(reason) => (Score::Of(0.0), reason),
            NotChecked(reason) => (Score::NotChecked, reason),
        };
        Check {
            name,
            part: Part::Strict,
            score,
            weight: 0.0,
            reason,
        }
    }
}

/// The names of a level's checks, in order. The first five are those that a proof needs.
pub(super) const NAMES: [&str; 9] = [
    "level", "answer", "log", "history", "sight", "pictures", "verify", "events", "entry",
];
pub(super) const NEEDED: usize = 5;

/// The most bytes of decoded pictures of one level.
const MOST_SAMPLES: usize = 400 << 20;

/// The manifest of a bundle, if it has one of ours.
pub(super) fn read_manifest(folder: &Folder) -> Result<Manifest, String> {
    let bytes = folder.read("manifest.json")?;
    serde_json::from_slice(&bytes).map_err(|fault| format!("manifest.json: {fault}"))
}

pub(super) fn events(folder: &Folder, level: usize) -> Result<Vec<Event>, String> {
    let name = format!("level_{level}_events.jsonl");
    Event::read_all(&folder.text(&name)?)
        .map_err(|(line, why)| format!("{name}, line {line}: {why}"))
}

/// The one level of a file, with its board.
pub(super) fn read_level(bytes: &[u8]) -> Result<Level, String> {
    let mut levels = read_levels(bytes)?;
    match (levels.pop(), levels.len()) {
        (Some(level), 0) => Ok(level),
        (_, more) => Err(format!("{} levels, expected one", more + 1)),
    }
}

/// All levels of a file.
pub(super) fn read_levels(bytes: &[u8]) -> Result<Vec<Level>, String> {
    format::read(bytes)
        .map_err(|fault| fault.to_string())?
        .setups
        .iter()
        .map(|setup| {
            Level::from_setup(setup, &Waivers::playing()).map_err(|faults| faults.to_string())
        })
        .collect()
}

/// One level of a bundle and all that was found out about it so far.
pub(super) struct Case<'a> {
    folder: &'a Folder,
    k: usize,
    manifest: Option<&'a Manifest>,
    entry: Option<&'a LevelEntry>,
    level: Result<Level, String>,
    level_finding: Finding,
    /// The answer as capital letters.
    letters: Result<String, String>,
    played: Option<(Answer, Vec<State>)>,
}

impl<'a> Case<'a> {
    /// `given` is the level that the caller says it is.
    pub(super) fn new(
        folder: &'a Folder,
        k: usize,
        manifest: Option<&'a Manifest>,
        given: Option<&Result<Level, String>>,
    ) -> Self {
        let name = format!("level_{k}.xsb");
        let own = folder
            .has(&name)
            .then(|| folder.read(&name).and_then(|bytes| read_level(&bytes)));
        let (level, level_finding) = which_level(own, given);
        let name = format!("level_{k}_solution.txt");
        let letters = folder.text(&name).and_then(|text| {
            let line = text.lines().next().unwrap_or("").trim().to_uppercase();
            let is_fine = !line.is_empty() && line.chars().all(|letter| "LURD".contains(letter));
            is_fine
                .then_some(line)
                .ok_or_else(|| format!("{name}: the first line is not LURD"))
        });
        let played = match (&level, &letters) {
            (Ok(level), Ok(letters)) => replay(level, letters),
            _ => None,
        };
        Self {
            folder,
            k,
            manifest,
            entry: manifest.and_then(|it| it.levels.iter().find(|entry| entry.level == k)),
            level,
            level_finding,
            letters,
            played,
        }
    }

    /// All checks, in the order of [`NAMES`].
    pub(super) fn checks(mut self) -> Vec<Check> {
        let level = std::mem::replace(&mut self.level_finding, NotChecked(String::new()));
        let (pictures, shots) = self.pictures();
        let findings = [
            level,
            self.answer(),
            self.log(),
            self.history(),
            self.sight(&shots),
            pictures,
            self.verify(),
            self.events(),
            self.entry(),
        ];
        NAMES
            .iter()
            .zip(findings)
            .map(|(name, finding)| finding.into_check(format!("level_{}.{name}", self.k)))
            .collect()
    }

    fn is_own_game(&self) -> bool {
        self.manifest.is_some_and(|manifest| manifest.game.own)
    }

    /// The board that is judged, if it is known.
    pub(super) fn level_id(&self) -> Option<ContentId> {
        self.level.as_ref().ok().map(Level::id)
    }

    fn answer(&self) -> Finding {
        let letters = match &self.letters {
            Ok(letters) => letters,
            Err(why) => return Failed(why.clone()),
        };
        let Ok(level) = &self.level else {
            return NotChecked("there is no level to judge it on".into());
        };
        let board = level.setup(level.start()).board();
        match judge::judge(&board, letters, Strictness::Plain) {
            ruling @ Ruling::Solved { .. } if self.played.is_some() => Passed(ruling.to_string()),
            Ruling::Solved { .. } => Failed(
                "the rules do not replay it to the end: it is too long, or judge and rules disagree"
                    .into(),
            ),
            ruling => Failed(format!("the answer is not one of this level: {ruling}")),
        }
    }

    /// What the rest is measured against, or why it cannot be.
    fn measure(&self) -> Result<(&Level, &Answer, &[State]), Finding> {
        match (&self.level, &self.played) {
            (Ok(level), Some((answer, states))) => Ok((level, answer, states)),
            (Err(_), _) => Err(NotChecked("there is no level to replay it on".into())),
            (Ok(_), None) => Err(Failed("there is no answer that can be replayed".into())),
        }
    }

    fn log(&self) -> Finding {
        let (level, answer, states) = match self.measure() {
            Ok(measure) => measure,
            Err(finding) => return finding,
        };
        let name = format!("level_{}_moves.csv", self.k);
        let bytes = match self.folder.read(&name) {
            Ok(bytes) => bytes,
            Err(why) => return Failed(why),
        };
        let log = witness::read_log(&bytes, true, answer);
        if let Err(why) = same_ways(&log.ways(), answer) {
            return Failed(format!("{name}: {why}"));
        }
        let own = format!("level_{}_game_log.txt", self.k);
        if let Ok(original) = self.folder.read(&own) {
            let original = witness::read_log(&original, true, answer);
            if bundle::normalised_moves(&original).as_bytes() != bytes {
                return Failed(format!("{name} does not say what {own} says"));
            }
        }
        // Games number undone and refused steps as they like.
        let is_plain = log.rows.len() == answer.moves();
        if is_plain && let Err(why) = row_numbers(&bytes) {
            return Failed(format!("{name}: {why}"));
        }
        let is_bare = log
            .rows
            .iter()
            .any(|row| row.player.is_none() || row.boxes_on_goal.is_none() || row.pushed.is_none());
        if self.is_own_game() && is_bare {
            return Failed(format!("{name} lacks columns that our own game writes"));
        }
        match facts(&log, level, states) {
            Ok(facts) => Passed(format!(
                "{} rows agree with the replay ({facts})",
                answer.moves()
            )),
            Err(why) => Failed(format!("{name}: {why}")),
        }
    }

    fn history(&self) -> Finding {
        let (level, answer, states) = match self.measure() {
            Ok(measure) => measure,
            Err(finding) => return finding,
        };
        let name = format!("level_{}_result.json", self.k);
        let bytes = match self.folder.read(&name) {
            Ok(bytes) => bytes,
            Err(why) => return Failed(why),
        };
        let result = match witness::read_result(&bytes, answer) {
            Ok(result) => result,
            Err(why) => return Failed(format!("{name}: {why}")),
        };
        let own = format!("level_{}_game_result.json", self.k);
        if let Ok(original) = self.folder.read(&own) {
            let counts = states
                .last()
                .map(|state| (level.boxes_on_goals(state), level.goals().len()));
            let says_same = witness::read_result(&original, answer).is_ok_and(|original| {
                bundle::normalised_result(&original, &own, counts).as_bytes() == bytes
            });
            if !says_same {
                return Failed(format!("{name} does not say what {own} says"));
            }
        }
        let faults = self.result_faults(&result, level, answer);
        match (faults.is_empty(), result.history.is_some()) {
            (false, _) => Failed(format!("{name}: {}", faults.join("; "))),
            (true, true) => Passed("solved, and the history is the answer".into()),
            (true, false) => Passed("solved; the game keeps no history".into()),
        }
    }

    /// What a result says that the replay does not.
    fn result_faults(&self, result: &GameResult, level: &Level, answer: &Answer) -> Vec<String> {
        let mut faults = Vec::new();
        if result.solved != Some(true) {
            faults.push("it does not say that the level is solved".into());
        }
        let is_bare = result.history.is_none()
            || result.moves.is_none()
            || result.pushes.is_none()
            || result.boxes_on_goal.is_none()
            || result.total_goals.is_none();
        if self.is_own_game() && is_bare {
            faults.push("it lacks fields that our own game writes".into());
        }
        let goals = level.boxes_needed() as u64;
        for (what, found, right) in [
            ("boxes on goals", result.boxes_on_goal, goals),
            ("goals", result.total_goals, level.goals().len() as u64),
            ("moves", result.moves, answer.moves() as u64),
            ("pushes", result.pushes, answer.pushes() as u64),
        ] {
            if let Some(found) = found
                && found != right
            {
                faults.push(format!("it says {found} {what}, the replay {right}"));
            }
        }
        if let Some(history) = &result.history
            && let Err(why) = same_ways(history, answer)
        {
            faults.push(format!("history: {why}"));
        }
        faults
    }

    fn verify(&self) -> Finding {
        let (_, answer, _) = match self.measure() {
            Ok(measure) => measure,
            Err(finding) => return finding,
        };
        let name = format!("level_{}_verify.json", self.k);
        let value: Value = match self.folder.read(&name).and_then(|bytes| {
            serde_json::from_slice(&bytes).map_err(|fault| format!("{name}: {fault}"))
        }) {
            Ok(value) => value,
            Err(why) => return Failed(why),
        };
        let ours = answer.keys();
        let text = |key: &str| {
            value
                .get(key)
                .and_then(Value::as_str)
                .map(str::to_uppercase)
        };
        let result = self
            .folder
            .read(&format!("level_{}_result.json", self.k))
            .ok()
            .and_then(|bytes| witness::read_result(&bytes, answer).ok())
            .and_then(|result| result.history);
        let log = self
            .folder
            .read(&format!("level_{}_moves.csv", self.k))
            .map(|bytes| witness::read_log(&bytes, true, answer).ways())
            .unwrap_or_default();
        let told: String = result
            .unwrap_or(log)
            .iter()
            .map(|way| way.letter())
            .collect();
        let mut faults = Vec::new();
        if text("solver_solution").as_deref() != Some(&ours) {
            faults.push("solver_solution is not the solution file's");
        }
        if text("game_history").as_deref() != Some(&told) {
            faults.push("game_history is not what the game's files say");
        }
        if value.get("match") != Some(&Value::Bool(told == ours)) {
            faults.push("match is not what the comparison gives");
        }
        let extra = told.len() as i64 - ours.len() as i64;
        if value.get("extra_moves").and_then(Value::as_i64) != Some(extra) {
            faults.push("extra_moves is not the difference of the lengths");
        }
        if told != ours {
            faults.push("the game's history is not the answer");
        }
        if faults.is_empty() {
            Passed("it says what the files say".into())
        } else {
            Failed(format!("{name}: {}", faults.join("; ")))
        }
    }

    /// The pictures of this level with the numbers of steps that their names claim, of a play of
    /// `total` steps.
    fn picture_names(&self, total: usize) -> Vec<(usize, &'a str)> {
        let folder: &'a Folder = self.folder;
        let step_of = |name: &'a String| -> Option<(usize, &'a str)> {
            let (k, rest) = bundle::parse_name(name)?;
            let step = match rest {
                "_initial.png" => 0,
                "_final.png" => total,
                rest => bundle::step_of(rest)?,
            };
            (k == self.k).then_some((step, name.as_str()))
        };
        folder.names().iter().filter_map(step_of).collect()
    }

    /// The pictures by the number of steps that their names claim, decoded.
    fn pictures(&self) -> (Finding, Vec<(usize, String, Picture)>) {
        let total = self.played.as_ref().map(|(answer, _)| answer.moves());
        let mut found = Vec::new();
        let mut faults = Vec::new();
        let mut ids = BTreeMap::new();
        let mut room = MOST_SAMPLES;
        for (step, name) in self.picture_names(total.unwrap_or(usize::MAX)) {
            match self.folder.picture(name) {
                Err(why) => faults.push(why),
                Ok(picture) if picture.rgb().len() > room => {
                    faults.push(format!("{name}: the pictures have too many pixels in all"));
                }
                Ok(picture) => {
                    room -= picture.rgb().len();
                    if let Some(twin) = ids.insert(ContentId::of(picture.rgb()), name) {
                        faults.push(format!("{name} shows the same as {twin}"));
                    }
                    found.push((step, name.to_owned(), picture));
                }
            }
        }
        found.sort_by_key(|(step, ..)| *step);
        for name in ["initial", "final"] {
            let name = format!("level_{}_{name}.png", self.k);
            if !self.folder.has(&name) {
                faults.push(format!("{name} is missing"));
            }
        }
        let sizes: BTreeSet<(u32, u32)> = found
            .iter()
            .map(|(.., picture)| (picture.width(), picture.height()))
            .collect();
        if sizes.len() > 1 {
            faults.push(format!(
                "the pictures are of {} different sizes",
                sizes.len()
            ));
        }
        let finding = if faults.is_empty() {
            Passed(format!(
                "{} pictures, all different, of one size",
                found.len()
            ))
        } else {
            Failed(faults.join("; "))
        };
        let shots = if sizes.len() == 1 { found } else { Vec::new() };
        (finding, shots)
    }

    fn sight(&self, shots: &[(usize, String, Picture)]) -> Finding {
        let (level, answer, states) = match self.measure() {
            Ok(measure) => measure,
            Err(finding) => return finding,
        };
        let ends = |step: usize| step == 0 || step == answer.moves();
        if shots.iter().filter(|(step, ..)| ends(*step)).count() < 2 {
            return Failed("there are no initial and final pictures of one size".into());
        }
        let beyond: Vec<&str> = shots
            .iter()
            .filter(|(step, ..)| *step > answer.moves())
            .map(|(_, name, _)| name.as_str())
            .collect();
        if !beyond.is_empty() && self.manifest.is_some() {
            return Failed(format!("{} is beyond the answer's end", beyond.join(", ")));
        }
        let shot = |(step, name, picture): &'_ (usize, String, Picture)| -> Option<Seen> {
            Some(Seen {
                step: *step,
                name: name.clone(),
                picture: picture.clone(),
                state: states.get(*step)?.clone(),
            })
        };
        let all: Vec<Seen> = shots.iter().filter_map(shot).collect();
        let judged = self.look(level, answer, &all);
        if judged.is_ok() || self.manifest.is_some() {
            return judged.into();
        }
        // A stranger may number pictures as he likes; the two ends are what they are.
        let two: Vec<Seen> = all.into_iter().filter(|seen| ends(seen.step)).collect();
        match self.look(level, answer, &two) {
            Ok(reason) => Passed(format!("initial and final picture only: {reason}")),
            Err(why) => Failed(why),
        }
    }

    fn look(&self, level: &Level, answer: &Answer, seen: &[Seen]) -> Result<String, String> {
        let shots: Vec<Shot<'_>> = seen
            .iter()
            .map(|seen| Shot {
                name: &seen.name,
                picture: &seen.picture,
                state: &seen.state,
                moves: seen.step,
                pushes: answer.steps()[..seen.step]
                    .iter()
                    .filter(|step| step.push)
                    .count(),
            })
            .collect();
        // One picture that our own game has drawn tells which game it was, whatever the
        // manifest says.
        let title = format!("level_{}.xsb", self.k);
        if (self.is_own_game() || sight::any_is_own(level, &title, &shots))
            && let Some(outcome) = sight::own(level, &title, &shots)
        {
            return outcome;
        }
        sight::foreign(level, &shots)
    }

    fn events(&self) -> Finding {
        let (level, answer, _) = match self.measure() {
            Ok(measure) => measure,
            Err(finding) => return finding,
        };
        let name = format!("level_{}_events.jsonl", self.k);
        if !self.folder.has(&name) {
            return match self.manifest {
                Some(_) => Failed(format!("{name} is missing")),
                None => NotChecked("there is no event log".into()),
            };
        }
        let events = match events(self.folder, self.k) {
            Ok(events) => events,
            Err(why) => return Failed(why),
        };
        let names = self.picture_names(answer.moves());
        let pictures: BTreeSet<usize> = names.into_iter().map(|(step, _)| step).collect();
        let play = self.entry.and_then(|entry| entry.play.as_ref());
        let told = play.map(|play| (play.by_log, play.by_picture, play.resends));
        match story(&events, level, answer, &pictures, told) {
            Ok(()) => Passed(format!("{} events tell of this play", events.len())),
            Err(why) => Failed(format!("{name}: {why}")),
        }
    }

    fn entry(&self) -> Finding {
        if self.manifest.is_none() {
            return NotChecked("there is no manifest".into());
        }
        let Some(entry) = self.entry else {
            return Failed(format!("the manifest does not know of level {}", self.k));
        };
        let (level, answer, _) = match self.measure() {
            Ok(measure) => measure,
            Err(finding) => return finding,
        };
        let mut faults = Vec::new();
        if entry.id != level.id().to_string() {
            faults.push("id is another level's".into());
        }
        if entry.moves != Some(answer.moves()) || entry.pushes != Some(answer.pushes()) {
            faults.push("moves or pushes are not the answer's".into());
        }
        if entry.lower_bound as usize > answer.pushes() {
            faults.push("lower_bound is above what the answer needs".into());
        }
        if !entry.proved || !entry.reason.is_empty() {
            faults.push(format!("it is not proved: {}", entry.reason));
        }
        let has = |end: &str| self.folder.has(&format!("level_{}{end}", self.k));
        for (what, form, original) in [
            ("moves_csv", &entry.moves_csv, has("_game_log.txt")),
            ("result_json", &entry.result_json, has("_game_result.json")),
        ] {
            if (form == "normalised") != original {
                faults.push(format!(
                    "{what} is {form:?} but the original tells otherwise"
                ));
            }
        }
        if faults.is_empty() {
            Passed("the manifest's words about this level are true".into())
        } else {
            Failed(faults.join("; "))
        }
    }
}

/// A picture with the state that it should show.
struct Seen {
    step: usize,
    name: String,
    picture: Picture,
    state: State,
}

fn which_level(
    own: Option<Result<Level, String>>,
    given: Option<&Result<Level, String>>,
) -> (Result<Level, String>, Finding) {
    match (own, given) {
        (Some(Err(why)), _) => (
            Err(why.clone()),
            Failed(format!("the bundle's level: {why}")),
        ),
        (_, Some(Err(why))) => (Err(why.clone()), Failed(format!("the given level: {why}"))),
        (Some(Ok(own)), Some(Ok(given))) if own.id() != given.id() => (
            Ok(given.clone()),
            Failed("the bundle's level is not the given one".into()),
        ),
        (Some(Ok(own)), Some(_)) => (Ok(own), Passed("it is the given level".into())),
        (None, Some(Ok(given))) => (Ok(given.clone()), Passed("the given level is taken".into())),
        (Some(Ok(own)), None) => (
            Ok(own),
            Passed("the bundle's own level is sound; no level was given to compare it with".into()),
        ),
        (None, None) => (
            Err("no level".into()),
            NotChecked("the bundle holds no level and none was given".into()),
        ),
    }
}

/// The answer with its pushes, and the states from the first to the last; `None` unless it
/// solves the level.
fn replay(level: &Level, letters: &str) -> Option<(Answer, Vec<State>)> {
    // All states are kept, a bit a square.
    const MOST_BYTES: usize = 256 << 20;
    let most = MOST_BYTES / (level.area().len() / 8 + 64);
    if letters.len() > most {
        return None;
    }
    let mut state = level.start().clone();
    let mut states = vec![state.clone()];
    let mut steps = Vec::new();
    for letter in letters.chars() {
        steps.push(
            level
                .step(&mut state, Direction::from_letter(letter)?)
                .ok()?,
        );
        states.push(state.clone());
    }
    level
        .is_solved(&state)
        .then(|| (Answer::new(steps), states))
}
