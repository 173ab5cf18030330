//! A scripted OpenAI-compatible endpoint on this machine.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use puzzleyard_sudoku::{Grid, cell_name, solve};
use serde_json::{Value, json};

/// What the endpoint does with a request.
pub(crate) enum Deed {
    /// A message of the model, and 100 tokens read and 10 written.
    Say(String),
    /// A status, headers and a body.
    Send(&'static str, String, Vec<u8>),
    /// Nothing, for long.
    Hang,
    /// An end without a word.
    Reset,
}

/// A request as it came.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    /// The first line.
    pub(crate) line: String,
    /// The `Authorization` header.
    pub(crate) authorization: Option<String>,
    /// The body.
    pub(crate) body: Value,
    /// When it came.
    pub(crate) at: Instant,
}

/// A server that runs until the test ends.
pub(crate) struct Server {
    /// Its address, as `--url` takes it.
    pub(crate) url: String,
    seen: Arc<Mutex<Vec<Request>>>,
}

impl Server {
    /// Starts a server that answers the n-th request (from 0) so.
    pub(crate) fn new(script: impl Fn(usize, &Request) -> Deed + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        let seen = Arc::new(Mutex::new(Vec::new()));
        let (all, script) = (Arc::clone(&seen), Arc::new(script));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (all, script) = (Arc::clone(&all), Arc::clone(&script));
                std::thread::spawn(move || serve(stream, &all, script.as_ref()));
            }
        });
        Self { url, seen }
    }

    /// All requests so far.
    pub(crate) fn seen(&self) -> Vec<Request> {
        self.seen.lock().unwrap().clone()
    }
}

fn serve(
    stream: TcpStream,
    seen: &Mutex<Vec<Request>>,
    script: &dyn Fn(usize, &Request) -> Deed,
) -> Option<()> {
    let mut reader = BufReader::new(stream);
    loop {
        let request = read(&mut reader)?;
        let number = {
            let mut seen = seen.lock().unwrap();
            seen.push(request.clone());
            seen.len() - 1
        };
        let stream = reader.get_mut();
        match script(number, &request) {
            Deed::Say(content) => {
                let body = json!({
                    "choices": [{ "message": { "role": "assistant", "content": content }, "finish_reason": "stop" }],
                    "usage": { "prompt_tokens": 100, "completion_tokens": 10 },
                });
                send(
                    stream,
                    "200 OK",
                    "content-type: application/json\r\n",
                    body.to_string().as_bytes(),
                )?;
            }
            Deed::Send(status, headers, body) => send(stream, status, &headers, &body)?,
            Deed::Hang => std::thread::sleep(Duration::from_secs(60)),
            Deed::Reset => return None,
        }
    }
}

fn send(stream: &mut TcpStream, status: &str, headers: &str, body: &[u8]) -> Option<()> {
    let head = format!(
        "HTTP/1.1 {status}\r\n{headers}content-length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).ok()?;
    stream.write_all(body).ok()
}

fn read(reader: &mut BufReader<TcpStream>) -> Option<Request> {
    let mut line = String::new();
    reader
        .read_line(&mut line)
        .ok()
        .filter(|&count| count > 0)?;
    let (mut length, mut authorization) = (0, None);
    loop {
        let mut header = String::new();
        reader
            .read_line(&mut header)
            .ok()
            .filter(|&count| count > 0)?;
        let Some((name, value)) = header.trim().split_once(':') else {
            break;
        };
        match name.to_ascii_lowercase().as_str() {
            "content-length" => length = value.trim().parse().unwrap(),
            "authorization" => authorization = Some(value.trim().to_owned()),
            _ => {}
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some(Request {
        line: line.trim().to_owned(),
        authorization,
        body: serde_json::from_slice(&body).unwrap_or_default(),
        at: Instant::now(),
    })
}

/// The board of the last message, read from its drawing.
pub(crate) fn board(request: &Request) -> Grid {
    let messages = request.body["messages"].as_array().unwrap();
    let text = messages.last().unwrap()["content"].as_str().unwrap();
    let rows = text.lines().filter(|line| {
        let letter = line
            .as_bytes()
            .first()
            .is_some_and(|byte| (b'A'..=b'I').contains(byte));
        letter && line.len() >= 22 && line.contains('|')
    });
    let cells: String = rows
        .flat_map(|row| row[1..].chars())
        .filter(|letter| letter.is_ascii_digit() || *letter == '.')
        .collect();
    cells.parse().unwrap()
}

/// A model that knows the answer: the first empty cell.
pub(crate) fn perfect(request: &Request) -> Deed {
    let board = board(request);
    let solution = solve::solve(&board).unwrap();
    let cell = (0..81).find(|&cell| board.digit(cell) == 0).unwrap();
    let (name, digit) = (cell_name(cell), solution.digit(cell));
    Deed::Say(format!(
        "<think>It is {digit}.</think>\n<move>{name}={digit}</move>"
    ))
}
