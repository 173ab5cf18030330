//! A judge by vision model behind an OpenAI-compatible endpoint.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use puzzleyard_harness::grade::VisionJudge;
use serde_json::{Value, json};

const KEY: &str = "PUZZLEYARD_VISION_KEY";
const PATIENCE: Duration = Duration::from_secs(120);
/// The most bytes of a reply that are read.
const MOST: u64 = 1 << 20;

/// A model that looks at pictures.
#[derive(Debug)]
pub(crate) struct VisionModel {
    url: String,
    model: String,
}

impl VisionModel {
    /// The model `model` at `url`, with or without `/chat/completions`.
    pub(crate) fn new(url: &str, model: &str) -> Self {
        let base = url.trim_end_matches('/');
        let end = "/chat/completions";
        let base = base.strip_suffix(end).unwrap_or(base);
        Self {
            url: format!("{base}{end}"),
            model: model.to_owned(),
        }
    }

    fn ask(&self, body: &Value) -> Result<Value, String> {
        let agent: ureq::Agent = ureq::Agent::config_builder()
            .timeout_global(Some(PATIENCE))
            .build()
            .into();
        let mut request = agent.post(&self.url);
        if let Ok(key) = std::env::var(KEY) {
            request = request.header("Authorization", format!("Bearer {key}"));
        }
        let mut reply = request
            .send_json(body)
            .map_err(|error| format!("{}: {error}", self.url))?;
        let text = reply
            .body_mut()
            .with_config()
            .limit(MOST)
            .read_to_string()
            .map_err(|error| format!("{}: {error}", self.url))?;
        serde_json::from_str(&text).map_err(|error| format!("{}: {error}", self.url))
    }
}

impl VisionJudge for VisionModel {
    fn score(&mut self, picture_png: &[u8], rubric: &[(&str, &str)]) -> Result<Vec<f64>, String> {
        let questions: Vec<String> = rubric
            .iter()
            .map(|(name, question)| format!("{name}: {question}"))
            .collect();
        let prompt = format!(
            "The picture is the final screenshot of a Sokoban game. Score each statement from 0 \
             (false) to 1 (true) by what can be seen. Answer with one JSON object that maps each \
             name to its number, and nothing else.\n{}",
            questions.join("\n")
        );
        let image = format!("data:image/png;base64,{}", STANDARD.encode(picture_png));
        let body = json!({
            "model": self.model,
            "temperature": 0,
            "messages": [{ "role": "user", "content": [
                { "type": "text", "text": prompt },
                { "type": "image_url", "image_url": { "url": image } },
            ]}],
        });
        let reply = self.ask(&body)?;
        let content = reply["choices"][0]["message"]["content"]
            .as_str()
            .ok_or("the reply has no choices[0].message.content")?;
        scores(content, rubric)
    }
}

/// The numbers of `content`, which holds a JSON object, perhaps with words around it.
fn scores(content: &str, rubric: &[(&str, &str)]) -> Result<Vec<f64>, String> {
    let object = content
        .find('{')
        .zip(content.rfind('}'))
        .filter(|(from, to)| from < to)
        .and_then(|(from, to)| serde_json::from_str::<Value>(&content[from..=to]).ok())
        .ok_or("the reply holds no JSON object")?;
    rubric
        .iter()
        .map(|(name, _)| {
            object[*name]
                .as_f64()
                .filter(|score| (0.0..=1.0).contains(score))
                .ok_or_else(|| format!("the reply has no number from 0 to 1 for {name}"))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{VisionModel, scores};

    #[test]
    fn numbers_are_taken_from_the_object_and_checked() {
        let rubric = [("a", "?"), ("b", "?")];
        let good = "Sure:\n```json\n{\"a\": 1, \"b\": 0.5}\n```";
        assert_eq!(scores(good, &rubric), Ok(vec![1.0, 0.5]));
        for bad in [
            "",
            "}{",
            "{\"a\": 1}",
            "{\"a\": 1, \"b\": 2}",
            "{\"a\": 1, \"b\": \"yes\"}",
        ] {
            assert!(scores(bad, &rubric).is_err(), "{bad}");
        }
    }

    #[test]
    fn the_address_may_name_the_call_or_not() {
        for url in [
            "http://x/v1",
            "http://x/v1/",
            "http://x/v1/chat/completions",
        ] {
            assert_eq!(
                VisionModel::new(url, "m").url,
                "http://x/v1/chat/completions"
            );
        }
    }
}
