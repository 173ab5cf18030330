//! `yard demo`: proves three bundled levels and shows a report.

use std::io::Write as _;
use std::path::Path;

use puzzleyard_core::Limits;
use puzzleyard_harness::agent::SolverAgent;
use puzzleyard_harness::grade::{self, GradeOptions};
use puzzleyard_sokoban::format;

use super::{host, prove};
use crate::args::{DEFAULT_DEMO, DemoArgs, SurfaceArg};
use crate::exit::Exit;
use crate::interrupt::stop_on_interrupt;
use crate::levels::Entry;
use crate::stream;

const FILE: &str = "first-steps.xsb";
const LEVELS: &[u8] = include_bytes!("../../../../levels/first-steps.xsb");
/// How many of the bundled levels are shown.
const COUNT: usize = 3;
/// Nodes for each level: the bundled ones need far fewer, and the answers are then the same on
/// every machine.
const NODES: u64 = 2_000_000;

/// Whether files in `out` may be replaced: the demo's own folder, or one that holds a proof.
fn may_replace(out: &Path) -> bool {
    let holds = |name: &str| out.join(name).is_file();
    out == Path::new(DEFAULT_DEMO) || (holds("manifest.json") && holds("level_1_verify.json"))
}

/// Runs the command. Fails unless all levels are proved and the evidence is accepted.
pub(crate) fn run(args: &DemoArgs) -> anyhow::Result<Exit> {
    let mut jobs = Vec::new();
    let setups = format::read(LEVELS)?.setups.into_iter().take(COUNT);
    for (at, setup) in setups.enumerate() {
        jobs.push(prove::job(&Entry {
            file: FILE.into(),
            index: at + 1,
            setup,
        })?);
    }
    let surface = args.surface.unwrap_or_else(host::best_surface);
    let mut agent = SolverAgent {
        limits: Limits {
            nodes: Some(NODES),
            memory: Some(2 << 30),
        },
        ..SolverAgent::default()
    };
    let mut host = host::start(surface, None, &jobs)?;
    match surface {
        SurfaceArg::X11 => stream::say("playing in a real window"),
        SurfaceArg::Embedded if args.surface.is_some() => {
            stream::say("embedded, as asked: the same game loop is played without a window");
        }
        SurfaceArg::Embedded => stream::say(
            "embedded, since there is no display and no Xvfb here: the same game loop is played \
             without a window (`yard doctor` says how to get one)",
        ),
    }
    let stop = stop_on_interrupt()?;
    let options = prove::options(may_replace(&args.out));
    let report =
        prove::with_progress(&jobs, host.as_mut(), &mut agent, &args.out, &options, &stop)?;
    let graded = grade::grade(&args.out, &mut GradeOptions::default())?;
    prove::print(&report, host.kind())?;
    let verdict = if graded.accepted {
        "accepted"
    } else {
        "not accepted"
    };
    let mut out = stream::out();
    writeln!(
        out,
        "grade    {verdict}, {:.2} (a vision model is needed for more than 0.60)",
        graded.score
    )?;
    for reason in &graded.reasons {
        writeln!(out, "         {reason}")?;
    }
    Ok(if stop.raised().is_some() {
        Exit::Interrupted
    } else if graded.accepted && report.proved() == jobs.len() {
        Exit::Done
    } else {
        Exit::Failed
    })
}
