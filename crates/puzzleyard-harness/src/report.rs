//! The page for people: `report.html`, one file with its pictures inside, readable offline and
//! without scripts.

use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::bundle::{LevelEntry, Manifest};

/// A picture of the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figure {
    /// The level it belongs to.
    pub level: usize,
    /// Its file name in the bundle.
    pub name: String,
    /// What it shows, in a few words.
    pub caption: String,
    /// The bytes of a PNG or GIF.
    pub bytes: Vec<u8>,
}

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;max-width:72rem;margin:2rem auto;\
    padding:0 1rem;color:#222;background:#fbfaf7}\
    table{border-collapse:collapse;margin:1rem 0}td,th{border:1px solid #ccc;padding:.3rem .6rem;\
    text-align:left}.yes{color:#16703a;font-weight:600}.no{color:#a11;font-weight:600}\
    figure{display:inline-block;margin:.4rem;vertical-align:top}img{max-width:20rem;height:auto;\
    border:1px solid #ccc}figcaption{font-size:.85rem;color:#555}\
    code{font-size:.9rem;overflow-wrap:anywhere}";

/// The page of a bundle. `answers` holds the answer of level 1, 2, … in LURD, if there is one.
pub fn page(manifest: &Manifest, answers: &[Option<String>], figures: &[Figure]) -> String {
    let proved = manifest.levels.iter().filter(|level| level.proved).count();
    let mut text = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\">\
         <title>Sokoban: {proved} of {} levels proved</title><style>{STYLE}</style></head><body>\n\
         <h1>{proved} of {} levels proved</h1>\n",
        manifest.levels.len(),
        manifest.levels.len()
    );
    if !manifest.complete {
        text += "<p class=\"no\">This proof was ended early. What is here is what there was.</p>\n";
    }
    let _ = writeln!(
        text,
        "<p>Game: <code>{}</code><br>Surface: <b>{}</b>, {}<br>Answers by: {}<br>Written by {}{} \
         in {:.1} s.</p>",
        escape(&manifest.game.command),
        escape(&manifest.surface.kind),
        escape(&manifest.surface.note),
        escape(&manifest.agent),
        escape(&manifest.program),
        if manifest.started.is_empty() {
            String::new()
        } else {
            format!(", begun {}", escape(&manifest.started))
        },
        manifest.seconds
    );
    text += "<table><tr><th>level</th><th>name</th><th>moves</th><th>pushes</th><th>nodes</th>\
             <th>solved in</th><th>steps/s</th><th>resent</th><th>proved</th></tr>\n";
    for level in &manifest.levels {
        row(&mut text, level);
    }
    text += "</table>\n";
    for (at, level) in manifest.levels.iter().enumerate() {
        section(
            &mut text,
            level,
            answers.get(at).and_then(Option::as_ref),
            figures,
        );
    }
    text += "<p>How to check: <code>yard grade</code> on this folder. <code>manifest.json</code> \
             names every file with its SHA-256.</p>\n</body></html>\n";
    text
}

fn row(text: &mut String, level: &LevelEntry) {
    let number = |value: Option<usize>| value.map_or_else(|| "–".into(), |value| value.to_string());
    let (class, word) = if level.proved {
        ("yes", "yes")
    } else {
        ("no", "no")
    };
    let play = level.play.as_ref();
    let _ = writeln!(
        text,
        "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}{}</td><td>{}</td><td>{:.2} s</td><td>{}</td>\
         <td>{}</td><td class=\"{class}\">{word}</td></tr>",
        level.level,
        escape(&level.name),
        number(level.moves),
        number(level.pushes),
        if level.optimal { " (fewest)" } else { "" },
        level.nodes,
        level.solve_seconds,
        play.map_or_else(
            || "–".into(),
            |play| format!("{:.1}", play.steps_per_second)
        ),
        play.map_or_else(|| "–".into(), |play| play.resends.to_string()),
    );
}

fn section(text: &mut String, level: &LevelEntry, answer: Option<&String>, figures: &[Figure]) {
    let _ = writeln!(
        text,
        "<h2>Level {}: {}</h2>\n<p>{} · <code>{}</code></p>",
        level.level,
        escape(&level.name),
        escape(&level.source),
        escape(&level.id)
    );
    if !level.reason.is_empty() {
        let _ = writeln!(text, "<p class=\"no\">{}</p>", escape(&level.reason));
    }
    if let Some(answer) = answer {
        let _ = writeln!(
            text,
            "<p>{}: <code>{}</code></p>",
            escape(&level.algorithm),
            escape(answer)
        );
    }
    if let Some(play) = &level.play {
        let (median, most, largest) = play.latency_ms;
        let _ = writeln!(
            text,
            "<p>{} steps confirmed by the game's log ({}), {} by the picture. Latency {median:.0} \
             ms (median), {most:.0} ms (95th percentile), {largest:.0} ms (largest).</p>",
            play.by_log,
            escape(&play.log_dialect),
            play.by_picture
        );
    }
    for figure in figures.iter().filter(|figure| figure.level == level.level) {
        let kind = if figure.bytes.starts_with(b"GIF8") {
            "gif"
        } else {
            "png"
        };
        let _ = writeln!(
            text,
            "<figure><img alt=\"{0}\" src=\"data:image/{kind};base64,{1}\"><figcaption>{0}\
             </figcaption></figure>",
            escape(&figure.caption),
            STANDARD.encode(&figure.bytes)
        );
    }
}

/// `text` as it may stand in HTML, in an attribute too.
fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            other => safe.push(other),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::escape;

    #[test]
    fn names_of_levels_are_text_not_markup() {
        assert_eq!(
            escape("<b onload='x'>&\"</b>"),
            "&lt;b onload=&#39;x&#39;&gt;&amp;&quot;&lt;/b&gt;"
        );
    }
}
