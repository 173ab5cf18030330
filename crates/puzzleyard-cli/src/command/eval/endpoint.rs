//! An OpenAI-compatible endpoint: one request at a time, hostile replies included.
//!
//! The key goes into the header of a request and nowhere else: a redirect is not followed, and
//! what the endpoint sends back is shown and kept with the key struck out.

use std::time::Duration;

use anyhow::Context as _;
use puzzleyard_core::Stream;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use ureq::http::{Response, StatusCode};

use super::pace::{Pace, backoff, retry_after};
use crate::args::EndpointArgs;
use crate::exit::BadInput;
use crate::stream;

/// The most bytes of a reply that are read.
const MOST: u64 = 4 << 20;
/// The variable that is tried when none is named.
const KEY: &str = "PUZZLEYARD_API_KEY";

/// What a model cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Usage {
    /// Requests sent.
    pub(super) requests: u64,
    /// Requests that failed and were sent again.
    pub(super) retries: u64,
    /// Tokens read by the model, as it says.
    pub(super) prompt_tokens: u64,
    /// Tokens written by the model, as it says.
    pub(super) completion_tokens: u64,
    /// Messages cut off by the limit of tokens.
    pub(super) cut_off: u64,
}

impl Usage {
    /// Adds another's.
    pub(super) fn add(&mut self, other: &Self) {
        self.requests = self.requests.saturating_add(other.requests);
        self.retries = self.retries.saturating_add(other.retries);
        self.prompt_tokens = self.prompt_tokens.saturating_add(other.prompt_tokens);
        self.completion_tokens = self
            .completion_tokens
            .saturating_add(other.completion_tokens);
        self.cut_off = self.cut_off.saturating_add(other.cut_off);
    }
}

/// Why there is no message.
#[derive(Debug)]
pub(super) enum Failure {
    /// This request; another may succeed.
    Request(String),
    /// Every request would fail the same way.
    Endpoint(String),
}

/// One attempt's failure.
enum Attempt {
    /// Worth another, after the time that the endpoint asks for.
    Again(String, Option<Duration>),
    Never(Failure),
}

/// A model behind an endpoint.
pub(super) struct Endpoint {
    http: ureq::Agent,
    base: String,
    pub(super) model: String,
    key: Option<String>,
    temperature: Option<f64>,
    max_tokens: Option<u32>,
    sampling_seed: Option<u32>,
    retries: u32,
    backoff: Duration,
    max_wait: Duration,
    pace: Pace,
}

impl Endpoint {
    /// The endpoint that was asked for. Asks it for its models if none is named.
    pub(super) fn new(args: &EndpointArgs) -> anyhow::Result<Self> {
        let named = args.model.as_deref().unwrap_or_default();
        let (url, model) = match (&args.url, &args.name) {
            (Some(url), None) => (url.as_str(), Some(named.to_owned())),
            (None, name) if named.contains("://") => (named, name.clone()),
            (Some(_), Some(_)) => {
                return Err(BadInput("--name goes with --model URL, not with --url".into()).into());
            }
            _ => {
                let hint = "expected --model URL, or --model NAME with --url URL";
                return Err(BadInput(format!("--model {named:?} without a URL, {hint}")).into());
            }
        };
        let base = base(url).map_err(BadInput)?;
        let key = key(args.key_var.as_deref())?;
        if key.is_some() && !is_private(&base) {
            let warning = format!("warning: the key goes to {base} without encryption");
            stream::say(warning);
        }
        let http = ureq::Agent::config_builder()
            .timeout_global(Some(args.timeout))
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .user_agent(concat!("puzzleyard/", env!("CARGO_PKG_VERSION")))
            .build()
            .into();
        let mut endpoint = Self {
            http,
            base,
            model: String::new(),
            key,
            temperature: args.temperature,
            max_tokens: args.max_tokens,
            sampling_seed: args.sampling_seed,
            retries: args.retries,
            backoff: args.backoff,
            max_wait: args.max_wait,
            pace: Pace::new(args.requests_per_minute),
        };
        endpoint.model = match model {
            Some(model) => model,
            None => endpoint.only_model()?,
        };
        Ok(endpoint)
    }

    /// Where it is, without what may be secret in an address.
    pub(super) fn place(&self) -> &str {
        let end = self.base.find('?').unwrap_or(self.base.len());
        &self.base[..end]
    }

    /// What the messages depend on, for the record of a run.
    pub(super) fn sampling(&self) -> Value {
        json!({
            "temperature": self.temperature,
            "max_tokens": self.max_tokens,
            "sampling_seed": self.sampling_seed,
        })
    }

    /// The model's next message after `messages`. Failures are repeated with growing waits that
    /// `dice` varies. What it cost is added to `usage`, failures too.
    pub(super) fn ask(
        &self,
        messages: &[Value],
        rollout: u32,
        dice: &Stream,
        usage: &mut Usage,
    ) -> Result<String, Failure> {
        let mut body = json!({ "model": self.model, "messages": messages });
        if let Some(temperature) = self.temperature {
            body["temperature"] = temperature.into();
        }
        if let Some(most) = self.max_tokens {
            body["max_tokens"] = most.into();
        }
        if let Some(seed) = self.sampling_seed {
            body["seed"] = u64::from(seed).wrapping_add(rollout.into()).into();
        }
        let mut attempt = 1;
        loop {
            self.pace.wait();
            usage.requests += 1;
            let (why, asked) = match self.attempt(&body, usage) {
                Ok(message) => return Ok(message),
                Err(Attempt::Never(failure)) => return Err(failure),
                Err(Attempt::Again(why, asked)) => (why, asked),
            };
            if attempt > self.retries {
                let tried = format!("{why} ({attempt} attempts)");
                return Err(Failure::Request(tried));
            }
            if asked.is_some_and(|asked| asked > self.max_wait) {
                let asked = asked.unwrap_or_default().as_secs();
                let most = self.max_wait.as_secs();
                let why = format!("{why}; it asks to wait {asked} s, --max-wait is {most} s");
                return Err(Failure::Endpoint(why));
            }
            let wait = backoff(self.backoff, attempt, self.max_wait, dice);
            if let Some(asked) = asked {
                self.pace.rest(asked);
            }
            std::thread::sleep(wait.max(asked.unwrap_or_default()));
            usage.retries += 1;
            attempt += 1;
        }
    }

    fn attempt(&self, body: &Value, usage: &mut Usage) -> Result<String, Attempt> {
        let (status, asked, text) = self
            .exchange("chat/completions", Some(body))
            .map_err(|why| Attempt::Again(why, None))?;
        if !status.is_success() {
            return Err(self.refused(status, asked, &text));
        }
        let reply: Value = serde_json::from_str(&text).map_err(|error| {
            let start = self.shown(&text);
            Attempt::Again(format!("the reply is no JSON ({error}): {start}"), None)
        })?;
        let count = |name: &str| reply["usage"][name].as_u64().unwrap_or(0);
        usage.add(&Usage {
            prompt_tokens: count("prompt_tokens"),
            completion_tokens: count("completion_tokens"),
            ..Usage::default()
        });
        let choice = &reply["choices"][0];
        let Some(message) = choice["message"].as_object() else {
            let start = self.shown(&text);
            let why = format!("the reply has no choices[0].message: {start}");
            return Err(Attempt::Again(why, None));
        };
        if choice["finish_reason"] == "length" {
            usage.cut_off += 1;
        }
        let content = message.get("content").map_or_else(String::new, words);
        Ok(self.without_key(&content))
    }

    /// What a status other than success means.
    fn refused(&self, status: StatusCode, asked: Option<Duration>, text: &str) -> Attempt {
        let why = format!("{}: status {status}: {}", self.place(), self.shown(text));
        match status.as_u16() {
            300..=399 => {
                let why = format!(
                    "{}: status {status}: redirects are not followed",
                    self.place()
                );
                Attempt::Never(Failure::Endpoint(why))
            }
            408 | 409 | 425 | 429 | 500..=599 => Attempt::Again(why, asked),
            401..=405 | 410 => Attempt::Never(Failure::Endpoint(why)),
            _ => Attempt::Never(Failure::Request(why)),
        }
    }

    /// The name of the only model that the endpoint serves.
    fn only_model(&self) -> anyhow::Result<String> {
        let (status, _, text) = self
            .exchange("models", None)
            .map_err(anyhow::Error::msg)
            .context("asking for the models; name one with --name")?;
        let listed: Value = serde_json::from_str(&text).unwrap_or_default();
        let ids: Vec<&str> = listed["data"].as_array().map_or_else(Vec::new, |models| {
            models.iter().filter_map(|it| it["id"].as_str()).collect()
        });
        match (status.is_success(), &ids[..]) {
            (true, [only]) => Ok(self.without_key(only)),
            (true, [_, ..]) => {
                let some = ids.iter().take(20).copied().collect::<Vec<_>>().join(", ");
                let some = self.shown(&some);
                Err(BadInput(format!(
                    "{} models, name one with --name: {some}",
                    ids.len()
                ))
                .into())
            }
            _ => {
                let why = format!("{}/models: status {status}", self.place());
                Err(BadInput(format!("{why}; name the model with --name")).into())
            }
        }
    }

    /// Status, the wait asked for, and text of a reply.
    fn exchange(
        &self,
        call: &str,
        body: Option<&Value>,
    ) -> Result<(StatusCode, Option<Duration>, String), String> {
        let (path, query) = self.base.split_once('?').unwrap_or((&self.base, ""));
        let mark = if query.is_empty() { "" } else { "?" };
        let url = format!("{path}/{call}{mark}{query}");
        let bearer = self.key.as_ref().map(|key| format!("Bearer {key}"));
        let sent = if let Some(body) = body {
            let mut request = self.http.post(&url);
            if let Some(bearer) = &bearer {
                request = request.header("Authorization", bearer);
            }
            request.send_json(body)
        } else {
            let mut request = self.http.get(&url);
            if let Some(bearer) = &bearer {
                request = request.header("Authorization", bearer);
            }
            request.call()
        };
        let failed = |error: ureq::Error| format!("{}: {error}", self.place());
        let mut reply = sent.map_err(failed)?;
        let asked = asked(&reply);
        let bytes = reply.body_mut().with_config().limit(MOST).read_to_vec();
        let text = String::from_utf8_lossy(&bytes.map_err(failed)?).into_owned();
        Ok((reply.status(), asked, text))
    }

    fn without_key(&self, text: &str) -> String {
        match &self.key {
            Some(key) => text.replace(key.as_str(), "[key]"),
            None => text.to_owned(),
        }
    }

    /// The start of a text on one line, for messages.
    fn shown(&self, text: &str) -> String {
        let text = self.without_key(text);
        let start: String = text.chars().take(200).collect();
        let start: Vec<&str> = start.split_whitespace().collect();
        start.join(" ").replace(char::is_control, "?")
    }
}

fn asked<T>(reply: &Response<T>) -> Option<Duration> {
    let value = reply.headers().get("retry-after")?.to_str().ok()?;
    retry_after(value, jiff::Timestamp::now())
}

/// The text of a message's content: a text, or parts with texts. Anything else is silence.
fn words(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts
            .iter()
            .filter_map(|part| part["text"].as_str())
            .collect(),
        _ => String::new(),
    }
}

/// The key in the variable named, which must be set, or in the usual one, which need not.
fn key(variable: Option<&str>) -> anyhow::Result<Option<String>> {
    let found = std::env::var(variable.unwrap_or(KEY)).ok();
    let found = found
        .map(|key| key.trim().to_owned())
        .filter(|key| !key.is_empty());
    match (variable, found) {
        (Some(name), None) => Err(BadInput(format!(
            "--key-var {name}: no such variable is set, or it is empty"
        ))
        .into()),
        (_, Some(key)) if key.len() < 8 || !key.bytes().all(|byte| byte.is_ascii_graphic()) => {
            let name = variable.unwrap_or(KEY);
            let why = "no key: expected 8 or more printable characters without spaces";
            Err(BadInput(format!("{name} holds {why}")).into())
        }
        (_, found) => Ok(found),
    }
}

/// The address without the name of the call. Addresses that hold a password are refused.
fn base(url: &str) -> Result<String, String> {
    let wrong = |why: &str| Err(format!("URL {why}, expected such as http://host:8000/v1"));
    let Some((scheme, rest)) = url.split_once("://") else {
        return wrong("without http://");
    };
    if !matches!(scheme, "http" | "https") {
        return wrong("of another scheme than http and https");
    }
    let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
    let host = path.split('/').next().unwrap_or_default();
    if host.is_empty() || host.starts_with(':') {
        return wrong("without a host");
    }
    if host.contains('@') {
        return wrong("with a password in it: name a variable with --key-var instead");
    }
    if path.contains('#') || url.contains(|c: char| c.is_whitespace() || c.is_control()) {
        return wrong("with a fragment or white space");
    }
    let path = path.trim_end_matches('/');
    let path = path.strip_suffix("/chat/completions").unwrap_or(path);
    let mark = if query.is_empty() { "" } else { "?" };
    Ok(format!("{scheme}://{path}{mark}{query}"))
}

/// Whether nobody on the way can read what goes there.
fn is_private(base: &str) -> bool {
    let Some(rest) = base.strip_prefix("http://") else {
        return true;
    };
    let host = rest.split(['/', '?']).next().unwrap_or_default();
    let name = match host.strip_prefix('[').and_then(|it| it.split_once(']')) {
        Some((name, _)) => name,
        None => host.rsplit_once(':').map_or(host, |(name, _)| name),
    };
    let address: Result<std::net::IpAddr, _> = name.parse();
    name == "localhost" || address.is_ok_and(|it| it.is_loopback())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{base, is_private, words};

    #[test]
    fn addresses_are_read_with_or_without_the_call() {
        for url in [
            "http://x/v1",
            "http://x/v1/",
            "http://x/v1/chat/completions",
        ] {
            assert_eq!(base(url).as_deref(), Ok("http://x/v1"));
        }
        let azure = "https://x/d/m/chat/completions?api-version=1";
        assert_eq!(base(azure).as_deref(), Ok("https://x/d/m?api-version=1"));
        for wrong in [
            "x",
            "ftp://x",
            "http://",
            "http://:1/",
            "http://a:b@x/",
            "http://x/ y",
            "http://x/#y",
        ] {
            assert!(base(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn plain_http_is_private_on_this_machine_only() {
        for url in [
            "https://x/v1",
            "http://localhost:1/v1",
            "http://127.0.0.1/v1",
            "http://[::1]:8/v1",
        ] {
            assert!(is_private(url), "{url}");
        }
        for url in [
            "http://x/v1",
            "http://localhost.example/v1",
            "http://127.0.0.1.example:1/v1",
        ] {
            assert!(!is_private(url), "{url}");
        }
    }

    #[test]
    fn content_is_text_or_parts_or_silence() {
        assert_eq!(words(&json!("a")), "a");
        assert_eq!(
            words(&json!([{ "type": "text", "text": "a" }, { "text": "b" }, 3])),
            "ab"
        );
        for silent in [json!(null), json!(3), json!({})] {
            assert_eq!(words(&silent), "");
        }
    }
}
