//! `yard doctor`: what is missing for which feature and how to get it.

use std::io::Write as _;
use std::process::Command;

use puzzleyard_desktop::display::Display;

use crate::args::{DoctorArgs, Output};
use crate::exit::Exit;
use crate::stream;

/// One feature of this machine.
struct Finding {
    feature: &'static str,
    found: Result<String, String>,
    remedy: &'static str,
    shows_windows: bool,
}

/// Runs the command. Fails if nothing can show a window.
pub(crate) fn run(args: &DoctorArgs) -> anyhow::Result<Exit> {
    let findings = findings();
    let mut out = stream::out();
    for finding in &findings {
        let (ok, text) = match &finding.found {
            Ok(text) => (true, text),
            Err(text) => (false, text),
        };
        if args.format == Output::Json {
            let row = serde_json::json!({
                "feature": finding.feature,
                "ok": ok,
                "found": text,
                "remedy": (!ok).then_some(finding.remedy),
            });
            writeln!(out, "{row}")?;
        } else {
            let word = if ok { "ok     " } else { "missing" };
            writeln!(out, "{word} {}: {text}", finding.feature)?;
            if !ok {
                writeln!(out, "        get it: {}", finding.remedy)?;
            }
        }
    }
    let can_show = findings
        .iter()
        .any(|it| it.shows_windows && it.found.is_ok());
    Ok(if can_show { Exit::Done } else { Exit::Failed })
}

/// Every feature that this machine may lack.
fn findings() -> [Finding; 5] {
    [
        Finding {
            feature: "a display for `yard window` and `yard drive`",
            found: display(),
            remedy: "log in to a desktop, or start one: Xvfb :9 & export DISPLAY=:9",
            shows_windows: true,
        },
        Finding {
            feature: "a virtual display, started when there is none",
            found: program("Xvfb"),
            remedy: "apt-get install xvfb",
            shows_windows: true,
        },
        Finding {
            feature: "Python, for the reference solver in bundles and foreign games",
            found: version("python3"),
            remedy: "apt-get install python3",
            shows_windows: false,
        },
        Finding {
            feature: "tests with a window manager",
            found: program("openbox"),
            remedy: "apt-get install openbox (cargo xtask test does it)",
            shows_windows: false,
        },
        Finding {
            feature: "a key for `yard grade --vision`",
            found: match std::env::var_os("PUZZLEYARD_VISION_KEY") {
                Some(_) => Ok("PUZZLEYARD_VISION_KEY is set".into()),
                None => Err("PUZZLEYARD_VISION_KEY is not set".into()),
            },
            remedy: "set it, unless the endpoint needs none",
            shows_windows: false,
        },
    ]
}

fn display() -> Result<String, String> {
    let name = std::env::var("DISPLAY").unwrap_or_default();
    if name.is_empty() {
        return Err("DISPLAY is not set".into());
    }
    let display = Display::open(&name).map_err(|error| error.to_string())?;
    let manager = display.window_manager().map_or_else(
        || "no window manager".into(),
        |name| format!("window manager {name}"),
    );
    let (width, height) = display.size();
    Ok(format!(
        "{name}, {width} x {height}, {}, {manager}",
        display.vendor()
    ))
}

/// Where `program` is.
pub(crate) fn program(program: &str) -> Result<String, String> {
    std::env::var_os("PATH")
        .and_then(|path| {
            std::env::split_paths(&path)
                .map(|folder| folder.join(program))
                .find(|file| file.is_file())
        })
        .map(|file| file.display().to_string())
        .ok_or_else(|| format!("{program} is not on PATH"))
}

fn version(program: &str) -> Result<String, String> {
    let output = Command::new(program).arg("--version").output();
    let output = output.map_err(|error| format!("{program}: {error}"))?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
