//! `yard grade --vision`: a real HTTP exchange with an endpoint of the OpenAI form.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;

use serde_json::{Value, json};

use crate::fixture::{root, yard};

/// Answers one request with these numbers and gives back its body.
fn serve(listener: &TcpListener, numbers: &Value) -> Value {
    let (stream, _) = listener.accept().unwrap();
    let mut reader = BufReader::new(stream);
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        if line.trim().is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().unwrap();
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    let content = format!("Here: {numbers}");
    let reply = json!({ "choices": [{ "message": { "content": content } }] }).to_string();
    let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n", reply.len());
    let stream = reader.get_mut();
    stream
        .write_all(format!("{head}{reply}").as_bytes())
        .unwrap();
    serde_json::from_slice(&body).unwrap()
}

fn graded(folder: &std::path::Path, url: &str) -> Value {
    let output = yard()
        .arg("grade")
        .arg(folder)
        .args(["--format", "json", "--vision", url])
        .env("NO_PROXY", "127.0.0.1")
        .assert()
        .success();
    serde_json::from_slice(&output.get_output().stdout).unwrap()
}

/// A model that sees everything lifts the cap; one that cannot be reached leaves it, said aloud.
#[test]
fn a_vision_model_lifts_the_cap_and_an_absent_one_does_not() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("bundle");
    yard()
        .arg("prove")
        .arg(root().join("levels/first-steps.xsb"))
        .args(["--surface", "embedded", "--out"])
        .arg(&out)
        .assert()
        .success();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    let numbers =
        json!({ "vlm_board_visible": 1, "vlm_boxes_present": 1, "vlm_solved_indicator": 1 });
    let server = std::thread::spawn(move || serve(&listener, &numbers));
    assert_eq!(graded(&out, &url)["overall_score"], 1.0);
    let asked = server.join().unwrap();
    let picture = asked["messages"][0]["content"][1]["image_url"]["url"].as_str();
    assert!(picture.unwrap().starts_with("data:image/png;base64,iVBOR"));

    // The listener is gone: nobody answers at that address any more.
    let report = graded(&out, &url);
    assert_eq!(report["overall_score"], 0.6);
    assert!(report["caps"].to_string().contains("vision"), "{report}");
}
