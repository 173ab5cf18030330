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
    section{background:#fff;border:1px solid #ddd;border-radius:.5rem;padding:0 1.2rem 1rem;\
    margin:1.2rem 0}figure{display:inline-block;margin:.4rem;vertical-align:top}\
    img{max-width:20rem;height:auto;border:1px solid #ccc}\
    figure.play{display:block}figure.play img{max-width:100%}figcaption{font-size:.85rem;color:#555}\
    code{font-size:.9rem;overflow-wrap:anywhere}";

/// The page of a bundle. `answers` holds the answer of level 1, 2, … in LURD, if there is one.
pub fn page(manifest: &Manifest, answers: &[Option<String>], figures: &[Figure]) -> String {
    let proved = manifest.levels.iter().filter(|level| level.proved).count();
    let mut text = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\">\
         <title>Sokoban: {proved} of {} levels proved</title><style>{STYLE}</style></head><body>\n\
         <h1>Sokoban: {proved} of {} levels proved</h1>\n\
         <p class=\"{}\">{}</p>\n",
        manifest.levels.len(),
        manifest.levels.len(),
        if proved == manifest.levels.len() {
            "yes"
        } else {
            "no"
        },
        if proved == manifest.levels.len() {
            "Each answer solves its level, was played to the end, and agrees with what the game \
             wrote."
        } else {
            "Not every level is proved; the reasons stand below."
        }
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
    text += "<h2>How to check</h2><p>Run <code>yard grade</code> on this folder: it replays every \
             answer and holds logs, results and pictures against it. All pictures are files \
             beside this page; <code>manifest.json</code> names every file with its SHA-256.</p>\n</body></html>\n";
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
            |play| {
                // An embedded game has no clock of its own.
                if play.steps_per_second > 0.0 {
                    format!("{:.1}", play.steps_per_second)
                } else {
                    "–".into()
                }
            }
        ),
        play.map_or_else(|| "–".into(), |play| play.resends.to_string()),
    );
}

fn section(text: &mut String, level: &LevelEntry, answer: Option<&String>, figures: &[Figure]) {
    let _ = writeln!(
        text,
        "<section><h2>Level {}: {}</h2>\n<p>{} · <code>{}</code></p>",
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
    for figure in shown(level.level, figures) {
        let (kind, class) = if figure.bytes.starts_with(b"GIF8") {
            ("gif", "play")
        } else {
            ("png", "still")
        };
        let _ = writeln!(
            text,
            "<figure class=\"{class}\"><img alt=\"{0}\" src=\"data:image/{kind};base64,{1}\"><figcaption>{0}\
             </figcaption></figure>",
            escape(&figure.caption),
            STANDARD.encode(&figure.bytes)
        );
    }
    text.push_str("</section>\n");
}

/// What the page shows of a level: the animated picture first, then the first, the middle and
/// the last of the others. All of them inside would make a page of several megabytes.
fn shown(level: usize, figures: &[Figure]) -> Vec<&Figure> {
    let of_level = || figures.iter().filter(|figure| figure.level == level);
    let is_moving = |figure: &&Figure| figure.bytes.starts_with(b"GIF8");
    let still: Vec<&Figure> = of_level().filter(|figure| !is_moving(figure)).collect();
    let mut shown: Vec<&Figure> = of_level().filter(is_moving).collect();
    let mut places = vec![0, still.len() / 2, still.len().saturating_sub(1)];
    places.dedup();
    shown.extend(places.iter().filter_map(|&at| still.get(at)));
    shown
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
    use super::{Figure, escape, page, shown};
    use crate::bundle::{GameEntry, Manifest};

    #[test]
    fn names_of_levels_are_text_not_markup() {
        assert_eq!(
            escape("<b onload='x'>&\"</b>"),
            "&lt;b onload=&#39;x&#39;&gt;&amp;&quot;&lt;/b&gt;"
        );
    }

    #[test]
    fn the_page_shows_the_play_and_three_pictures_a_level() {
        let figure = |level: usize, at: usize| Figure {
            level,
            name: format!("{at}"),
            caption: String::new(),
            bytes: if at == 5 { b"GIF89a".to_vec() } else { vec![0] },
        };
        let figures: Vec<Figure> = (0..6)
            .map(|at| figure(1, at))
            .chain([figure(2, 0)])
            .collect();
        let names = |level| -> Vec<&str> {
            let of_level = shown(level, &figures);
            of_level.iter().map(|figure| figure.name.as_str()).collect()
        };
        assert_eq!(names(1), ["5", "0", "2", "4"]);
        assert_eq!(names(2), ["0"]);
        assert!(names(3).is_empty());
    }

    #[test]
    fn nothing_from_outside_is_markup() {
        let manifest = Manifest {
            game: GameEntry {
                command: "<script>alert(1)</script>".into(),
                own: false,
            },
            agent: "<script>".into(),
            started: "<script>".into(),
            ..Manifest::default()
        };
        assert!(!page(&manifest, &[], &[]).contains("<script"));
    }
}
